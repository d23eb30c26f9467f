//! Padding is never needed: exact, automatic or none, the bits are the same. Asked for, the manual way shrinks the window.

use crate::common::{AbsDiff, Accumulate, KINDS, Weighted, request};
use proptest::prelude::*;
use windrow_runtime::{
    Border, Configured, Kernel, Padding, Rect, Serial, Tensor, TensorInfo, View, ViewMut, configure,
};

/// What a test needs of a kernel that reads one image of bytes.
trait Filter: for<'a> Kernel<Inputs<'a> = View<'a, u8>, Outputs<'a> = ViewMut<'a, i32>> {
    const KIND: usize;
}

impl<const L: u32, const R: u32, const K: usize> Filter for Weighted<L, R, K> {
    const KIND: usize = K;
}

fn padded<T: windrow_runtime::Element>(size: (usize, usize), padding: Padding, garbage: T) -> Tensor<T> {
    let mut tensor = Tensor::<T>::with_padding([size.1, size.0], padding).unwrap();
    tensor.storage_mut().fill(garbage);
    tensor
}

fn filled(size: (usize, usize), padding: Padding) -> Tensor<u8> {
    let mut tensor = padded(size, padding, 0xaa);
    for y in 0..size.1 {
        let mut view = tensor.view_mut();
        let row = view.row_mut(y).unwrap();
        row.iter_mut().enumerate().for_each(|(x, value)| *value = crate::common::noise(1, x, y, 0));
    }
    tensor
}

fn configured<K: Filter>(src: &TensorInfo, out: &TensorInfo, border: Border) -> Configured<K> {
    configure::<K>(&request(&[src], &[Some(out)], border)).unwrap()
}

/// The output's extents that follow from the input's.
fn out_size<K: Filter>(size: (usize, usize)) -> (usize, usize) {
    let stride = KINDS[K::KIND].1;
    (size.0.div_ceil(stride.0 as usize), size.1.div_ceil(stride.1 as usize))
}

/// Runs with this padding; what the elements are, and that padding is left alone.
fn run<K: Filter>(size: (usize, usize), paddings: (Padding, Padding), border: Border) -> Vec<i32> {
    let src = filled(size, paddings.0);
    let mut out = padded(out_size::<K>(size), paddings.1, -7i32);
    configured::<K>(src.info(), out.info(), border).run(&Serial, src.view(), out.view_mut()).unwrap();
    let elements = out.to_vec();
    let shape = out.shape();
    (0..shape.height()).for_each(|y| out.view_mut().row_mut(y).unwrap().fill(-7));
    assert!(out.storage().iter().all(|value| *value == -7), "padding was written");
    elements
}

fn check_ways<K: Filter>(size: (usize, usize), border: Border) {
    let out = out_size::<K>(size);
    let none = Padding::default();
    let expect = run::<K>(size, (none, none), border);
    // Exact: configured first, allocated later.
    let (src_info, out_info) = (TensorInfo::of::<u8>(&[size.1, size.0]), TensorInfo::of::<i32>(&[out.1, out.0]));
    let kernel = configured::<K>(&src_info.unwrap(), &out_info.unwrap(), border);
    let exact = (kernel.wanted_input_padding(0).unwrap(), kernel.wanted_output_padding());
    for paddings in
        [exact, (Padding::automatic(), Padding::automatic()), (Padding::uniform(1), none), (none, Padding::uniform(3))]
    {
        assert_eq!(run::<K>(size, paddings, border), expect, "{:?} and {:?}", paddings.0, paddings.1);
    }
    // And with exactly that padding, the manual way loses nothing.
    let (src, out) = (filled(size, exact.0), padded(out, exact.1, 0i32));
    let manual = configured::<K>(src.info(), out.info(), border);
    let manual = manual.with_manual_padding(&[src.info()], &[Some(out.info())]).unwrap();
    assert_eq!((manual.window(), manual.valid_region()), (kernel.window(), kernel.valid_region()));
}

/// The steps of the window that touch memory alone, one by one.
fn check_manual<K: Filter>(size: (usize, usize), paddings: (Padding, Padding), border: Border) {
    let (around, stride) = KINDS[K::KIND];
    let (src, mut out) = (filled(size, paddings.0), padded(out_size::<K>(size), paddings.1, -7i32));
    let whole = configured::<K>(src.info(), out.info(), border);
    let manual = whole.clone().with_manual_padding(&[src.info()], &[Some(out.info())]).unwrap();
    let mut kept = [Vec::new(), Vec::new()];
    let sides = [
        (0, stride.0, (around.left, around.right), (paddings.0.left, paddings.0.right), paddings.1.right),
        (1, stride.1, (around.top, around.bottom), (paddings.0.top, paddings.0.bottom), paddings.1.bottom),
    ];
    for (d, stride, (least, greatest), (before, behind), room) in sides {
        let along = whole.window().dimension(d);
        let (extent, length) = (src.shape().inner_extent(d) as i64, out.shape().inner_extent(d));
        for start in (along.start()..along.end()).step_by(along.step()) {
            let columns = start..start + along.step();
            let reads = |x: usize| {
                let at = x as i64 * i64::from(stride);
                at + i64::from(least) >= -(before as i64) && at + i64::from(greatest) < extent + behind as i64
            };
            if columns.clone().all(reads) && columns.end <= length + room {
                kept[d].push(start);
            }
        }
        let found = manual.window().dimension(d);
        let found: Vec<usize> = (found.start()..found.end()).step_by(found.step()).collect();
        assert_eq!(found, kept[d], "dimension {d} of {size:?} with {:?} and {:?}", paddings.0, paddings.1);
    }
    let expect = run::<K>(size, (Padding::default(), Padding::default()), border);
    manual.run(&Serial, src.view(), out.view_mut()).unwrap();
    let (width, valid) = (out.shape().width(), manual.valid_region());
    for (index, found) in out.to_vec().into_iter().enumerate() {
        let inside = valid.contains(&[index / width, index % width]);
        assert_eq!(found, if inside { expect[index] } else { -7 }, "{index} of {size:?}");
    }
}

fn padding() -> impl Strategy<Value = Padding> {
    (0usize..5, 0usize..9, 0usize..4, 0usize..4).prop_map(|(left, right, top, bottom)| Padding {
        left,
        right,
        top,
        bottom,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_padding_is_needed(size in (1usize..30, 1usize..12), border in 0usize..6) {
        let border = crate::common::EVERY_BORDER[border];
        check_ways::<Weighted<8, 2, 0>>(size, border);
        check_ways::<Weighted<4, 1, 1>>(size, border);
        check_ways::<Weighted<4, 2, 3>>(size, border);
    }

    #[test]
    fn manual_padding_keeps_the_steps_that_stay_in_memory(
        size in (1usize..30, 1usize..12),
        paddings in (padding(), padding()),
        border in 0usize..6,
    ) {
        let border = crate::common::EVERY_BORDER[border];
        check_manual::<Weighted<8, 2, 0>>(size, paddings, border);
        check_manual::<Weighted<4, 1, 1>>(size, paddings, border);
        check_manual::<Weighted<4, 2, 3>>(size, paddings, border);
    }
}

#[test]
fn padding_is_counted_in_whole_steps() {
    // Steps of four, three by three: the last step of a window that starts at 0 reads up to column 12.
    let (src, out) = (TensorInfo::of::<u8>(&[6, 10]).unwrap(), TensorInfo::of::<i32>(&[6, 10]).unwrap());
    let kernel = configured::<Weighted<8, 2, 0>>(&src, &out, Border::Replicate);
    assert_eq!(kernel.wanted_input_padding(0), Some(Padding { left: 1, right: 3, top: 1, bottom: 1 }));
    assert_eq!(kernel.wanted_output_padding(), Padding { right: 2, ..Padding::default() });
    assert_eq!(kernel.wanted_input_padding(1), None);
    // Without padding: the first and the last step are lost, in both dimensions. The default loses nothing.
    let manual = kernel.clone().with_manual_padding(&[&src], &[Some(&out)]).unwrap();
    assert_eq!(
        (manual.valid_region().plane(), kernel.valid_region().plane()),
        (Rect::new(4, 2, 8, 4), Rect::new(0, 0, 10, 6))
    );
    let other = TensorInfo::of::<i32>(&[6, 9]).unwrap();
    assert!(kernel.clone().with_manual_padding(&[&src], &[Some(&other)]).is_err());
    assert!(kernel.with_manual_padding(&[], &[Some(&out)]).is_err());
    let (x, acc) = (TensorInfo::of::<u8>(&[6, 10]).unwrap(), TensorInfo::of::<i16>(&[6, 10]).unwrap());
    let accumulate = configure::<Accumulate<8, 2>>(&request(&[&x], &[Some(&acc)], Border::Undefined)).unwrap();
    assert_eq!(accumulate.wanted_input_padding(1), Some(Padding { right: 6, ..Padding::default() }));
}

/// What stands for many columns or rows is read where it is, whatever the steps; planes have no steps.
#[test]
fn images_broadcast_along_rows_or_columns_need_no_padding() {
    let info = |extents: &[usize], padding| TensorInfo::of::<u8>(extents).unwrap().with_padding(padding).unwrap();
    let (none, room) = (Padding::default(), Padding::uniform(4));
    let out = info(&[2, 3, 10], room);
    let reached = |extents: &[usize]| {
        let inputs = [&info(extents, none), &info(&[2, 3, 10], room)];
        let kernel = configure::<AbsDiff<4, 1>>(&request(&inputs, &[Some(&out)], Border::Undefined)).unwrap();
        let plane = kernel.with_manual_padding(&inputs, &[Some(&out)]).unwrap().valid_region().plane();
        (plane.width(), plane.height())
    };
    assert_eq!(reached(&[2, 3, 1]), (10, 3), "a column for all");
    assert_eq!(reached(&[2, 1, 10]), (10, 3), "a row for all");
    assert_eq!(reached(&[1, 1, 1]), (10, 3), "an element for all");
    assert_eq!(reached(&[1, 3, 10]), (8, 3), "a plane for all");
    assert_eq!(reached(&[2, 3, 10]), (8, 3));
}
