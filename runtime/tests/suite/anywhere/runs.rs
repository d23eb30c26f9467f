//! What is read is what lies there: whatever the images' sizes and strides, in parts, on threads, plane by plane and in place.

use super::*;
use crate::common::{EVERY_BORDER, noise, noise_at, request, threads::Threads};
use windrow_runtime::{
    Border, Configured, Point, Rayon, Rect, Scheduler, Serial, Split, Tensor, TensorInfo, ValidRegion, Window,
    configure,
};

/// Ways in which an image may lie, each as its strides in elements from the extents `[height, width]`.
const WAYS: [fn(isize, isize) -> [isize; 2]; 9] = [
    |_, w| [w, 1],
    |_, w| [-w - 3, 1],
    |_, w| [w, -1],
    |_, w| [3 * w + 2, 3],
    |h, _| [1, h],
    |h, _| [-1, -h - 1],
    |_, _| [0, 1],
    |_, _| [1, 0],
    |_, _| [0, 0],
];

fn sizes() -> &'static [[usize; 2]] {
    if cfg!(miri) { &[[3, 9]] } else { &[[1, 1], [1, 40], [29, 1], [3, 9], [31, 70]] }
}

fn schedulers() -> Vec<Box<dyn Scheduler>> {
    let mut all: Vec<Box<dyn Scheduler>> = vec![Box::new(Serial), Box::new(Threads(3, Split::Dynamic { parts: 7 }))];
    // Miri's rules are not those that rayon's queues keep.
    if !cfg!(miri) {
        all.push(Box::new(Rayon::new()));
    }
    all
}

fn info<T: Element>(extents: &[usize]) -> TensorInfo {
    TensorInfo::of::<T>(extents).unwrap()
}

/// Memory for an image of `T` that lies so: its channels, and its strides in bytes.
fn memory<T: Element>(
    way: fn(isize, isize) -> [isize; 2],
    [height, width]: [usize; 2],
    value: impl Fn(usize) -> T::Channel,
) -> (Vec<T::Channel>, [isize; 2]) {
    let strides = way(height as isize, width as isize).map(|stride| stride * size_of::<T>() as isize);
    let info = TensorInfo::with_strides(T::TYPE, T::CHANNELS, &[height, width], &strides).unwrap();
    ((0..info.size_in_bytes() / size_of::<T::Channel>()).map(value).collect(), strides)
}

fn turned_out(src: View<'_, u8>, [height, width]: [usize; 2]) -> Vec<u8> {
    let places = (0..height as i32).flat_map(|y| (0..width as i32).map(move |x| [y, x]));
    places.map(|at| src.get(turned_place(at)).unwrap_or(7)).collect()
}

#[test]
fn an_image_of_any_size_is_read_wherever_its_elements_lie() {
    for (&way, &from) in WAYS.iter().flat_map(|way| sizes().iter().map(move |size| (way, size))) {
        let (bytes, strides) = memory::<u8>(way, from, |at| noise(1, at, 0, 0));
        let src = View::<u8>::with_strides(&bytes, &from, &strides).unwrap();
        for &to in sizes() {
            let kernel =
                configure::<Turned<4, 2>>(&request(&[src.info()], &[Some(&info::<u8>(&to))], Border::Undefined));
            let (kernel, expect) = (kernel.unwrap(), turned_out(src, to));
            assert_eq!((kernel.shape(), kernel.valid_region()), (info::<u8>(&to).shape(), whole_region(&to)));
            for scheduler in schedulers() {
                let mut out = Tensor::<u8>::new(to).unwrap();
                kernel.run(&*scheduler, src, &mut out).unwrap();
                assert_eq!(out.to_vec(), expect, "{from:?} {strides:?} to {to:?}");
            }
            let mut out = Tensor::<u8>::new(to).unwrap();
            kernel.run_reference(src, &mut out).unwrap();
            assert_eq!(out.to_vec(), expect, "reference {from:?} {strides:?} to {to:?}");
        }
    }
}

fn whole_region(extents: &[usize]) -> ValidRegion {
    ValidRegion::whole(info::<u8>(extents).shape())
}

/// A map that leads everywhere in an image of these extents, and a bit beyond.
fn map(to: [usize; 2], [height, width]: [usize; 2]) -> Tensor<[i16; 2]> {
    let place = |seed, extent: usize, [y, x]: [usize; 2]| {
        let random = usize::from(noise(seed, x, y, 0)) << 8 | usize::from(noise(seed + 1, x, y, 0));
        (random % (extent + 3)) as i16 - 1
    };
    Tensor::from_fn(to, |at| [place(5, height, at), place(7, width, at)]).unwrap()
}

#[test]
fn images_that_are_read_anywhere_stand_among_others_in_any_order() {
    for (&way, &from) in WAYS.iter().flat_map(|way| sizes().iter().map(move |size| (way, size))) {
        let (bytes, strides) = memory::<[u8; 3]>(way, from, |at| noise(2, at, 0, 0));
        let photo = View::<[u8; 3]>::with_strides(&bytes, &from, &strides).unwrap();
        let height = from[0].div_ceil(2);
        let (column, steps) = memory::<u16>(way, [height, 1], |at| u16::from(noise(3, at, 0, 0)) << 4);
        let column = View::<u16>::with_strides(&column, &[height, 1], &steps).unwrap();
        for &to in sizes() {
            let map = map(to, from);
            let out_info = info::<i32>(&to);
            let inputs = [photo.info(), map.info(), column.info()];
            let kernel = configure::<Remapped<8, 1>>(&request(&inputs, &[Some(&out_info)], Border::Undefined)).unwrap();
            let look = |at: &[i16; 2]| {
                let at = at.map(i32::from);
                remapped_value(photo.get(at), column.get([at[0], 0]))
            };
            let expect: Vec<i32> = map.to_vec().iter().map(look).collect();
            for scheduler in schedulers() {
                let mut out = Tensor::<i32>::new(to).unwrap();
                kernel.run(&*scheduler, (photo, &map, column), &mut out).unwrap();
                assert_eq!(out.to_vec(), expect, "{from:?} {strides:?} to {to:?}");
            }
            let mut out = Tensor::<i32>::new(to).unwrap();
            kernel.run_reference((photo, &map, column), &mut out).unwrap();
            assert_eq!(out.to_vec(), expect, "reference {from:?} {strides:?} to {to:?}");
        }
    }
}

#[test]
fn a_window_is_computed_alone() {
    let (src, to) = (Tensor::from_fn([20, 30], |[y, x]| noise(4, x, y, 0)).unwrap(), [12, 37]);
    let kernel = configure::<Turned<8, 3>>(&request(&[src.info()], &[Some(&info::<u8>(&to))], Border::Undefined));
    let (kernel, expect) = (kernel.unwrap(), turned_out(src.view(), to));
    for (x, y) in [((0, 37), (0, 12)), ((4, 20), (3, 4)), ((36, 37), (0, 12)), ((8, 36), (11, 12))] {
        let window = Window::covering([x.0, y.0, 0, 0, 0, 0], [x.1, y.1, 1, 1, 1, 1], (4, 1));
        let mut out = Tensor::<u8>::new(to).unwrap();
        kernel.run_window(&Serial, &src, &mut out, &window).unwrap();
        let inside = |at: usize| (x.0..x.1).contains(&(at % 37)) && (y.0..y.1).contains(&(at / 37));
        let expect: Vec<u8> =
            expect.iter().enumerate().map(|(at, &value)| if inside(at) { value } else { 0 }).collect();
        assert_eq!(out.to_vec(), expect, "{x:?} {y:?}");
    }
}

/// Runs `Remapped` on a volume of three planes, with photos of these planes and one column for all.
#[test]
fn planes_are_read_each_by_itself_or_one_for_all() {
    let (from, to) = ([11, 6], [5, 19]);
    let flat = map(to, from);
    let map =
        Tensor::from_fn([3, to[0], to[1]], |[z, y, x]| flat.view().get([y, (x + 3 * z) % to[1]]).unwrap()).unwrap();
    let column = Tensor::from_fn([6, 1], |[y, _]| 1000 * y as u16).unwrap();
    let own = Tensor::from_fn([3, from[0], from[1]], |at| [1, 2, 3].map(|k| noise_at(k, at))).unwrap();
    let shared = Tensor::from_fn(from, |at| [1, 2, 3].map(|k| noise_at(k, at))).unwrap();
    let out_info = info::<i32>(&[3, to[0], to[1]]);
    let one = Tensor::from_vec(shared.to_vec(), [1, 1, from[0], from[1]]).unwrap();
    for photo in [own.view(), shared.view(), one.view()] {
        let inputs = [photo.info(), map.info(), column.info()];
        let kernel = configure::<Remapped<4, 2>>(&request(&inputs, &[Some(&out_info)], Border::Undefined)).unwrap();
        let plane = |z: i32| if photo.info().shape().rank() == 3 { z } else { 0 };
        let look = |z: i32, at: [i16; 2]| {
            let [y, x] = at.map(i32::from);
            remapped_value(photo.get([plane(z), y, x]), column.view().get([y, 0]))
        };
        let each = elements(map.view()).into_iter().enumerate();
        let expect: Vec<i32> = each.map(|(at, place)| look((at / (to[0] * to[1])) as i32, place)).collect();
        for scheduler in schedulers() {
            let mut out = Tensor::<i32>::new([3, to[0], to[1]]).unwrap();
            kernel.run(&*scheduler, (photo, &map, &column), &mut out).unwrap();
            assert_eq!(out.to_vec(), expect);
        }
        let mut out = Tensor::<i32>::new([3, to[0], to[1]]).unwrap();
        kernel.run_reference((photo, &map, &column), &mut out).unwrap();
        assert_eq!(out.to_vec(), expect);
    }
}

fn gathered_kernel<const L: u32, const R: u32>(
    sides: &TensorInfo,
    src: &TensorInfo,
    border: Border,
) -> Configured<Gathered<L, R>> {
    let acc = info::<i32>(&sides.shape().extents());
    configure::<Gathered<L, R>>(&request(&[sides, src], &[Some(&acc)], border)).unwrap()
}

#[test]
fn borders_tiles_and_in_place_outputs_are_those_of_the_other_images() {
    let borders = if cfg!(miri) { &EVERY_BORDER[..2] } else { &EVERY_BORDER[..] };
    for (&border, &to) in borders.iter().flat_map(|border| sizes().iter().map(move |size| (border, size))) {
        let sides = Tensor::from_fn(to, |[y, x]| noise(8, x, y, 0)).unwrap();
        let src = Tensor::from_fn([9, 14], |[y, x]| i32::from(noise(9, x, y, 0)) << 20).unwrap();
        let before = Tensor::from_fn(to, |[y, x]| (100 * y + x) as i32).unwrap();
        let kernel = gathered_kernel::<4, 3>(sides.info(), src.info(), border);
        let columns = if border == Border::Undefined { 1..(to[1] - 1).max(1) } else { 0..to[1] };
        let region = Rect::new(columns.start, 0, columns.end, to[0]);
        let expected = if region.is_empty() { Rect::default() } else { region };
        assert_eq!(kernel.valid_region().plane(), expected, "{border:?} {to:?}");
        let mut expect = before.clone();
        kernel.run_reference((&sides, &src), &mut expect).unwrap();
        for scheduler in schedulers() {
            let mut acc = before.clone();
            kernel.run(&*scheduler, (&sides, &src), &mut acc).unwrap();
            assert_eq!(acc.to_vec(), expect.to_vec(), "{border:?} {to:?}");
        }
        // The reference is not alone in saying so: inside, no border decides.
        let inner = |[y, x]: [usize; 2]| {
            let side = |x: usize| sides.view().get([y, x]).unwrap();
            let at = gathered_place([y as i32, x as i32], [side(x - 1), side(x + 1)]);
            before.view().get([y, x]).unwrap().wrapping_add(src.view().get(at).unwrap_or(-3))
        };
        for at in (0..to[0]).flat_map(|y| (1..to[1].saturating_sub(1)).map(move |x| [y, x])) {
            assert_eq!(expect.view().get(at), Some(inner(at)), "{border:?} {to:?} {at:?}");
        }
    }
}

#[test]
fn a_point_has_a_plane_of_rows_and_columns_and_its_place() {
    let src = Tensor::from_fn([2, 3, 4], |[z, y, x]| (100 * z + 10 * y + x) as u8).unwrap();
    let mut inputs = [const { None }; windrow_runtime::arguments::MAX_ARGUMENTS];
    inputs[1] = Some((src.view().plane(1).unwrap().any(), (0, 0)));
    let outputs = [const { None }; windrow_runtime::arguments::MAX_ARGUMENTS];
    let point = Point::new(inputs, outputs, [None; 8], (&[], &[]), Border::Undefined.into());
    let view = point.view::<u8>(1);
    assert_eq!((view.info().shape().rank(), view.extents(), view.get([2, 3])), (2, [3, 4], Some(123)));
    assert_eq!((view.get([3, 0]), view.get([-1, 0]), point.place()), (None, None, [0, 0]));
    // Of what is not there, or is of another type, there is no element.
    assert_eq!((point.view::<u8>(0).get([0, 0]), point.view::<u16>(1).get([0, 0])), (None, None));
    assert_eq!(point.view::<u8>(7).extents(), [1, 0]);
}

#[test]
fn coordinates_are_counted_as_kernels_and_as_programs_do() {
    let mut bytes: Vec<u8> = (0..24).collect();
    let view = View::from_slice(&bytes, [2, 3, 4]).unwrap();
    assert_eq!((view.get([1usize, 2, 3]), view.get([1i32, 2, 3]), view.get([2, 3])), (Some(23), Some(23), Some(11)));
    for outside in [[0, 0, -1], [0, -1, 0], [-1, 0, 0], [0, 0, i32::MIN], [0, 3, 0], [2, 0, 0], [0, 0, i32::MAX]] {
        assert_eq!(view.get(outside), None, "{outside:?}");
    }
    assert_eq!((view.get([-1, 0, 0, 0]), view.get([0, 1, 2, 3]), view.get([0usize; 7])), (None, Some(23), None));
    assert_eq!(view.extents(), [3, 4]);
    let mut view = ViewMut::from_slice(&mut bytes, [2, 3, 4]).unwrap();
    assert!(view.set([0, 1], 77) && view.set([1usize, 0, 0], 78) && !view.set([0, -1], 79));
    assert_eq!((bytes[1], bytes[12]), (77, 78));
}
