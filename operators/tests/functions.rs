//! Composite functions: the images that plain loops compute, wherever their intermediates lie.

#![cfg(feature = "std")]

use std::{
    sync::{Arc, Barrier},
    thread,
};

use windrow::testing::Counted;
use windrow::{
    Border, Rayon, Serial, Tensor, TensorInfo,
    chain::{ChainBuilder, Executor, Function, FunctionError, InBands, Whole},
    memory::{Allocation, Allocator, Heap, MemoryManager, Planner},
};
use windrow_operators::functions::{EqualizeHistogram, GaussianPyramid, Levels, UnsharpMask, UnsharpSettings};
use windrow_operators::integral_image;

const BINOMIAL: [f32; 5] = [1.0, 4.0, 6.0, 4.0, 1.0];

fn image(width: usize, height: usize) -> Tensor<u8> {
    let byte = |x: usize, y: usize| (x * 31 + y * 17 + x * y) as u8 ^ (x as u8 >> 3);
    Tensor::from_fn([height, width], |[y, x]| byte(x, y)).unwrap()
}

/// The 5×5 Gaussian at (x, y), in exact integers, the edge replicated.
fn gaussian(src: &Tensor<u8>, x: usize, y: usize) -> u32 {
    let (width, height) = (src.shape().width() as isize, src.shape().height() as isize);
    let mut sum = 0;
    for (dy, wy) in (-2..=2).zip(BINOMIAL) {
        for (dx, wx) in (-2..=2).zip(BINOMIAL) {
            let at = [(y as isize + dy).clamp(0, height - 1) as usize, (x as isize + dx).clamp(0, width - 1) as usize];
            sum += (wx * wy) as u32 * u32::from(src.view().get(at).unwrap());
        }
    }
    sum
}

fn expect_pyramid(src: &Tensor<u8>, levels: usize) -> Vec<Tensor<u8>> {
    let mut pyramid = vec![src.clone()];
    for level in 0..levels {
        let finer = &pyramid[level];
        let half = [finer.shape().height().div_ceil(2), finer.shape().width().div_ceil(2)];
        let blurred = |[y, x]: [usize; 2]| (gaussian(finer, 2 * x, 2 * y) >> 8) as u8;
        pyramid.push(Tensor::from_fn(half, blurred).unwrap());
    }
    pyramid.split_off(1)
}

fn expect_unsharp(src: &Tensor<u8>, amount: i32) -> Vec<u8> {
    let sharp = |[y, x]: [usize; 2]| {
        let own = i32::from(src.view().get([y, x]).unwrap());
        let blurred = (gaussian(src, x, y) >> 8) as i32;
        (own + (((own - blurred) * amount) >> 8)).clamp(0, 255) as u8
    };
    Tensor::from_fn([src.shape().height(), src.shape().width()], sharp).unwrap().to_vec()
}

/// An executor, and the manager of its memory, if it has one: that is to be populated before a run.
type Place = (Box<dyn Executor>, Option<Arc<MemoryManager>>);

/// Every place for intermediates.
fn places() -> Vec<Place> {
    let managed = [Planner::Arena, Planner::Pooled].map(|planner| {
        let manager = Arc::new(MemoryManager::new(planner));
        (Box::new(Whole::managed(manager.clone())) as Box<dyn Executor>, Some(manager))
    });
    let bands = [0, 4000].map(|cache| (Box::new(InBands { cache }) as Box<dyn Executor>, None));
    let immediate = [(Box::new(Whole::immediate(Arc::new(Heap))) as Box<dyn Executor>, None)];
    managed.into_iter().chain(bands).chain(immediate).collect()
}

#[test]
fn a_pyramid_halves_its_image_again_and_again() {
    for (width, height) in [(61, 45), (16, 16), (5, 3), (1, 1)] {
        let src = image(width, height);
        let expect = expect_pyramid(&src, 3);
        for (place, manager) in places() {
            let all = GaussianPyramid::configure(src.info(), Levels::All(3), Border::Replicate, &*place).unwrap();
            let top = GaussianPyramid::configure(src.info(), Levels::Coarsest(3), Border::Replicate, &*place).unwrap();
            manager.iter().for_each(|manager| manager.populate(Arc::new(Heap), 1).unwrap());
            let blank = |level: &TensorInfo| Tensor::<u8>::new([level.height(), level.width()]).unwrap();
            let mut levels: Vec<_> = (0..3).map(|level| blank(all.level(level).unwrap())).collect();
            let mut coarsest = blank(top.level(0).unwrap());
            let pool = rayon();
            let scheduler = Rayon::on(&pool).with_grain(1);
            let mut views: Vec<_> = levels.iter_mut().map(|level| level.view_mut().any()).collect();
            all.run(&scheduler, &[src.view().any()], &mut views).unwrap();
            top.run(&scheduler, &[src.view().any()], &mut [coarsest.view_mut().any()]).unwrap();
            drop(views);
            for (found, expect) in levels.iter().chain([&coarsest]).zip(expect.iter().chain(expect.last())) {
                assert_eq!(found.to_vec(), expect.to_vec(), "{width}×{height}");
            }
        }
    }
}

fn rayon() -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap()
}

/// The Gaussian's weights in `allocator`'s memory, times any factor.
fn weights(allocator: &Arc<dyn Allocator>, factor: f32) -> Allocation {
    let mut weights = Allocation::new(allocator, TensorInfo::of::<f32>(&[5, 5]).unwrap()).unwrap();
    let mut view = weights.view_mut().typed::<f32>().unwrap();
    for (y, wy) in BINOMIAL.iter().enumerate() {
        for (x, wx) in BINOMIAL.iter().enumerate() {
            assert!(view.set([y, x], factor * wx * wy));
        }
    }
    weights
}

const SETTINGS: UnsharpSettings = UnsharpSettings { amount: 300, border: Border::Replicate };

#[test]
fn an_unsharp_mask_adds_what_the_blur_takes_away() {
    let allocator: Arc<dyn Allocator> = Arc::new(Heap);
    for (width, height) in [(53, 40), (7, 2), (1, 1)] {
        let src = image(width, height);
        for (place, manager) in places() {
            let mask = UnsharpMask::configure(src.info(), weights(&allocator, 0.31), SETTINGS, &*place).unwrap();
            manager.iter().for_each(|manager| manager.populate(Arc::new(Heap), 1).unwrap());
            let mut out = Tensor::<u8>::new([height, width]).unwrap();
            for _ in 0..2 {
                mask.run(&Serial, &[src.view().any()], &mut [out.view_mut().any()]).unwrap();
                assert_eq!(out.to_vec(), expect_unsharp(&src, SETTINGS.amount), "{width}×{height}");
            }
        }
    }
}

#[test]
fn preparing_frees_the_weights_once_however_many_threads_begin() {
    let (counted, src) = (Arc::new(Counted::new(Heap)), image(40, 30));
    let allocator: Arc<dyn Allocator> = counted.clone();
    let manager = Arc::new(MemoryManager::new(Planner::Arena));
    let place = Whole::managed(manager.clone());
    let [by_hand, by_run] =
        [1.0, 3.0].map(|f| UnsharpMask::configure(src.info(), weights(&allocator, f), SETTINGS, &place).unwrap());
    assert_eq!(counted.counters().resident, 2 * 100);
    by_hand.prepare().unwrap();
    by_hand.prepare().unwrap();
    assert_eq!((by_hand.is_prepared(), counted.counters().resident), (true, 100));

    manager.populate(allocator, 2).unwrap();
    let intermediates = counted.counters().resident - 100;
    assert_eq!(intermediates, manager.counters().resident);
    let (start, expect) = (Barrier::new(4), expect_unsharp(&src, SETTINGS.amount));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut out = Tensor::<u8>::new([30, 40]).unwrap();
                start.wait();
                by_run.run(&Serial, &[src.view().any()], &mut [out.view_mut().any()]).unwrap();
                assert_eq!(out.to_vec(), expect);
            });
        }
    });
    assert_eq!(counted.counters().resident, intermediates);
    manager.clear().unwrap();
    assert_eq!(counted.counters().resident, 0);
}

#[test]
fn weights_that_make_no_blur_are_refused() {
    let allocator: Arc<dyn Allocator> = Arc::new(Heap);
    let info = TensorInfo::of::<u8>(&[8, 8]).unwrap();
    let place = InBands { cache: 0 };
    let refused = |weights| UnsharpMask::configure(&info, weights, SETTINGS, &place).unwrap_err();
    for factor in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(refused(weights(&allocator, factor)), FunctionError::Original { original: "weights", .. }));
    }
    let small = Allocation::new(&allocator, TensorInfo::of::<f32>(&[3, 3]).unwrap()).unwrap();
    assert_eq!(refused(small).to_string(), "`weights` must be 5×5");
    let bytes = Allocation::new(&allocator, TensorInfo::of::<u8>(&[5, 5]).unwrap()).unwrap();
    assert!(matches!(refused(bytes), FunctionError::Tensor(_)));
    let loud = UnsharpSettings { amount: 1025, ..SETTINGS };
    let refused = UnsharpMask::configure(&info, weights(&allocator, 1.0), loud, &place).unwrap_err();
    assert_eq!(refused.to_string(), "`amount` is 1025, expected 0 to 1024");
}

#[test]
fn an_equalised_image_has_each_grey_value_about_as_often() {
    for (width, height) in [(53, 40), (7, 2), (1, 1)] {
        let src = Tensor::from_fn([height, width], |[y, x]| (x * y % 97) as u8 / 2 + 30).unwrap();
        let bytes = src.to_vec();
        let upto = |value: u8| bytes.iter().filter(|&&byte| byte <= value).count() as f64;
        let (lowest, all) = (upto(*bytes.iter().min().unwrap()), bytes.len() as f64);
        let of = |&byte: &u8| match all - lowest {
            0.0 => byte,
            rest => (255.0 * (upto(byte) - lowest) / rest + 0.5).floor() as u8,
        };
        let expected: Vec<u8> = bytes.iter().map(of).collect();
        for (place, manager) in places() {
            let function = match EqualizeHistogram::configure(src.info(), &*place) {
                // A band never has all counts.
                Err(FunctionError::Refused { stage, place, .. }) if stage == "equalization" && place == "in bands" => {
                    continue;
                }
                function => function.unwrap(),
            };
            manager.iter().for_each(|manager| manager.populate(Arc::new(Heap), 1).unwrap());
            let mut out = Tensor::<u8>::new([height, width]).unwrap();
            for _ in 0..2 {
                function.run(&Serial, &[src.view().any()], &mut [out.view_mut().any()]).unwrap();
                assert_eq!(out.to_vec(), expected, "{width}×{height}");
            }
        }
    }
}

#[test]
fn what_goes_on_from_row_to_row_is_refused_in_bands() {
    let src = image(9, 7);
    let out = TensorInfo::of::<u32>(&[7, 9]).unwrap();
    let mut chain = ChainBuilder::new();
    let slot = chain.input(*src.info());
    let [sums] = chain.add(&integral_image::configure(src.info(), &out).unwrap(), &[slot]).unwrap();
    chain.output(sums).unwrap();
    let refused = chain.compose(&InBands { cache: 4000 }).unwrap_err();
    let expected = "`integral_image` can't run in bands: it goes on from row to row, which each band would begin anew";
    assert_eq!(refused.to_string(), expected);
}
