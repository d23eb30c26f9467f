//! However a run is cut and whoever runs it, the result is that of the whole window, and each element is one part's.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::*;
use proptest::prelude::*;
use windrow_runtime::{
    Border, Configured, DynKernel, InvalidWindow, Padding, Rayon, RunError, ScheduleError, Scheduler, Serial, Tensor,
    Window, configure, window::Dimension,
};

type Kernel = Weighted<8, 4, 0>;

fn image(extents: [usize; 4]) -> Tensor<u8> {
    Tensor::from_fn(extents, |at| noise_at(1, at)).unwrap()
}

fn canvas(extents: [usize; 4]) -> Tensor<i32> {
    let mut tensor = Tensor::with_padding(extents, Padding { left: 2, right: 2, top: 1, bottom: 1 }).unwrap();
    tensor.storage_mut().fill(-1);
    tensor
}

fn configured(src: &Tensor<u8>, out: &Tensor<i32>, border: Border) -> Configured<Kernel> {
    configure::<Kernel>(&request(&[src.info()], &[Some(out.info())], border)).unwrap()
}

/// Cuts into as many parts as it is told, and runs them last to first.
struct Backwards(usize);

impl Scheduler for Backwards {
    fn num_threads(&self) -> usize {
        self.0
    }

    fn run(&self, workers: usize, worker: &(dyn Fn(usize) + Sync)) -> Result<(), ScheduleError> {
        (0..workers).rev().for_each(worker);
        Ok(())
    }

    fn grain(&self) -> usize {
        1
    }
}

/// A host's own threads, one for each part.
struct Threads(usize);

impl Scheduler for Threads {
    fn num_threads(&self) -> usize {
        self.0
    }

    fn run(&self, workers: usize, worker: &(dyn Fn(usize) + Sync)) -> Result<(), ScheduleError> {
        std::thread::scope(|scope| (0..workers).for_each(|index| drop(scope.spawn(move || worker(index)))));
        Ok(())
    }

    fn grain(&self) -> usize {
        1
    }
}

#[test]
fn every_number_of_parts_and_threads_gives_the_same_bytes() {
    for extents in [[1, 1, 17, 23], [1, 1, 3, 40], [3, 5, 2, 9], [1, 1, 1, 5]] {
        let src = image(extents);
        for border in EVERY_BORDER {
            let (mut whole, mut cut) = (canvas(extents), canvas(extents));
            let configured = configured(&src, &whole, border);
            configured.run(&Serial, src.view(), whole.view_mut()).unwrap();
            for threads in 1..=9 {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                for scheduler in [&Backwards(threads) as &dyn Scheduler, &Rayon::on(&pool).with_grain(1)] {
                    cut.storage_mut().fill(-1);
                    configured.run(scheduler, src.view(), cut.view_mut()).unwrap();
                    assert_eq!(cut.storage(), whole.storage(), "{border:?} {threads}");
                }
            }
        }
    }
}

#[test]
fn in_place_runs_may_be_cut() {
    let x = image([1, 1, 13, 21]);
    let mut acc = Tensor::<i16>::new([1, 1, 13, 21]).unwrap();
    let configured =
        configure::<Accumulate<8, 4>>(&request(&[x.info()], &[Some(acc.info())], Border::Undefined)).unwrap();
    let runs = if cfg!(miri) { 0 } else { 20 };
    for parts in 1..=runs {
        configured.run(&Backwards(parts), x.view(), acc.view_mut()).unwrap();
    }
    // Parts of six rows, bodies of four: the other two rows of the second group are another thread's.
    configured.run(&Threads(7), x.view(), acc.view_mut()).unwrap();
    let expect: Vec<i16> = x.to_vec().iter().map(|&x| (runs as i16 + 1) * i16::from(x)).collect();
    assert_eq!(acc.to_vec(), expect);
}

/// The part of the output that `window` holds.
fn holds(configured: &Configured<Kernel>, window: &Window, x: usize, y: usize) -> bool {
    let inside = |d: usize, at: usize| (window.dimension(d).start()..window.dimension(d).end()).contains(&at);
    configured.valid_region().contains(&[y, x]) && inside(0, x) && inside(1, y)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// No store falls outside the sub-window; the parts of any split, in both directions, make the whole.
    #[test]
    fn a_part_writes_its_own_elements_only(
        width in 1usize..50,
        height in 1usize..20,
        columns in 1usize..6,
        rows in 1usize..6,
        mode in 0usize..6,
    ) {
        let src = image([1, 1, height, width]);
        let (mut whole, mut union) = (canvas([1, 1, height, width]), canvas([1, 1, height, width]));
        let configured = configured(&src, &whole, EVERY_BORDER[mode]);
        configured.run(&Serial, src.view(), whole.view_mut()).unwrap();
        let window = configured.window();
        for strip in window.parts(0, columns) {
            for part in strip.parts(1, rows) {
                if window.is_empty() {
                    continue;
                }
                let mut alone = canvas([1, 1, height, width]);
                configured.run_window(&Serial, src.view(), alone.view_mut(), &part).unwrap();
                configured.run_window(&Serial, src.view(), union.view_mut(), &part).unwrap();
                let mut expect = canvas([1, 1, height, width]);
                for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
                    if holds(&configured, &part, x, y) {
                        let value = whole.view().get([y, x]).unwrap();
                        prop_assert!(expect.view_mut().set([y, x], value));
                    }
                }
                prop_assert_eq!(alone.storage(), expect.storage());
            }
        }
        prop_assert_eq!(union.storage(), whole.storage());
    }
}

#[test]
fn windows_that_are_no_part_are_refused() {
    let src = image([1, 1, 10, 30]);
    let mut out = canvas([1, 1, 10, 30]);
    let configured = configured(&src, &out, Border::Replicate);
    let mut run = |x: (usize, usize, usize), y: (usize, usize, usize)| {
        let dimension = |(start, end, step)| Dimension::new(start, end, step).unwrap();
        let window = Window::new(&[dimension(x), dimension(y)]).unwrap();
        configured.run_window(&Serial, src.view(), out.view_mut(), &window)
    };
    assert_eq!(run((0, 32, 4), (0, 10, 2)), Ok(()));
    assert!(matches!(run((0, 36, 4), (0, 10, 2)), Err(RunError::Window(InvalidWindow::Outside { dimension: 0, .. }))));
    assert!(matches!(run((0, 32, 4), (4, 4, 2)), Err(RunError::Window(InvalidWindow::Outside { dimension: 1, .. }))));
    assert!(matches!(run((0, 32, 8), (0, 10, 2)), Err(RunError::Window(InvalidWindow::Step { dimension: 0, .. }))));
    assert!(matches!(run((2, 30, 4), (0, 10, 2)), Err(RunError::Window(InvalidWindow::OffGrid { dimension: 0, .. }))));
}

/// Forgets a part, or repeats parts and asks for some that do not exist.
struct Careless {
    forget: bool,
    calls: AtomicUsize,
}

impl Scheduler for Careless {
    fn num_threads(&self) -> usize {
        4
    }

    fn run(&self, workers: usize, worker: &(dyn Fn(usize) + Sync)) -> Result<(), ScheduleError> {
        for index in (0..workers).chain([0, workers, usize::MAX, 2]).skip(usize::from(self.forget)) {
            if !(self.forget && index == 0) {
                worker(index);
                self.calls.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    fn grain(&self) -> usize {
        1
    }
}

#[test]
fn a_careless_scheduler_does_no_harm_and_is_found_out() {
    let x = image([1, 1, 16, 8]);
    let mut acc = Tensor::<i16>::new([1, 1, 16, 8]).unwrap();
    let configured =
        configure::<Accumulate<8, 4>>(&request(&[x.info()], &[Some(acc.info())], Border::Undefined)).unwrap();
    let careless = |forget| Careless { forget, calls: AtomicUsize::new(0) };
    assert_eq!(configured.run(&careless(false), x.view(), acc.view_mut()), Ok(()));
    let expect: Vec<i16> = x.to_vec().into_iter().map(i16::from).collect();
    assert_eq!(acc.to_vec(), expect);
    let forgotten = configured.run(&careless(true), x.view(), acc.view_mut());
    assert_eq!(forgotten, Err(RunError::Unfinished { done: 3, parts: 4 }));
}

/// A part has columns enough for its edges to cost little, whole groups of rows, and any number of planes.
#[test]
fn parts_are_as_small_as_pays() {
    fn granules<const L: u32>() -> [Option<usize>; 6] {
        let pixels = Tensor::<[u8; 3]>::new([2, 8]).unwrap();
        let mut out = Tensor::<i16>::new([2, 8]).unwrap();
        let info = *out.info();
        let images = [pixels.info()];
        let configured = configure::<LookUp<L>>(&request(&images, &[Some(&info)], Border::Undefined)).unwrap();
        let table = [0i16; 256];
        let splits = configured.bind((pixels.view(), &table), out.view_mut()).unwrap().splits();
        [0, 1, 2, 3, 4, 5].map(|d| splits.granule(d))
    }
    assert_eq!(granules::<8>(), [512, 1, 1, 1, 1, 1].map(Some));
    assert_eq!(granules::<129>(), [516, 1, 1, 1, 1, 1].map(Some));
}
