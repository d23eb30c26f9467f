//! Strips that are packed: a body is given their copies, reads no other memory, and computes what it would have.

use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
};

use crate::common::{NO_OPENCL, around, derive_nothing, kernel, noise, output, request, threads::Threads, wide};
use windrow_runtime::{
    Border, BorderMode, Configured, ElementType, Kernel, KernelCode, KernelSpec, Scheduler, Serial, Split, Tensor,
    Tier, View, ViewMut,
    code::{Body, Rows, WholeView},
    configure,
    kernel::DynKernel,
    spec::{ArgumentKind, ArgumentSpec, InputSpec},
};

/// The columns of a step, and the rows of a block.
const STEP: u32 = 8;
const ROWS: u32 = 2;

/// Calls that were given a copy, counted by one test at a time.
static PACKED: AtomicUsize = AtomicUsize::new(0);
static COUNTED: Mutex<()> = Mutex::new(());

/// The sum of a tensor's column, each element times one more than the one above it, and the row.
enum Columns {}

static COLUMNS: KernelSpec = KernelSpec {
    coordinates: true,
    ..kernel(
        "columns",
        &[ArgumentSpec { name: "src", kind: ArgumentKind::Input(InputSpec::tensor(ElementType::U16, 1, 3)) }],
        &[output("out", ElementType::U32, false)],
        (1, 1),
        &[BorderMode::Undefined],
    )
};

// SAFETY: the code takes these views.
unsafe impl Kernel for Columns {
    // SAFETY: the body computes this kernel, and reads the tensor in the columns of its elements alone.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &COLUMNS,
            &[Body::new(Tier::Scalar, 0, (4, ROWS), &[around(0, 0, 0, 0)], true, columns).in_strips(STEP, 1)],
            derive_nothing,
            |point| {
                let [y, x] = point.place();
                let view = point.tensor::<u16, 3>(0);
                let shape = view.info().shape().extents();
                let places = (0..shape[0]).flat_map(|n| (0..shape[1]).map(move |k| [n, k]));
                let terms = places.map(|[n, k]| element_of(&view, [n, k, (x as usize).min(shape[2] - 1)]));
                point.write(0, total(terms, y));
            },
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = View<'a, u16>;
    type Outputs<'a> = ViewMut<'a, u32>;
}

fn element_of(view: &View<'_, u16, 3>, at: [usize; 3]) -> u16 {
    view.get(at.map(|index| index as i32)).unwrap()
}

fn total(terms: impl Iterator<Item = u16>, y: i32) -> u32 {
    let add = |sum: u32, (at, term): (usize, u16)| sum.wrapping_add(u32::from(term).wrapping_mul(at as u32 + 1));
    terms.enumerate().fold(y as u32, add)
}

unsafe fn columns(rows: &Rows<'_>) {
    let view: WholeView = rows.views[0];
    let [height, width] = view.extents;
    PACKED.fetch_add(usize::from(view.strides == [2 * STEP as i32, 2]), Ordering::Relaxed);
    // SAFETY: the view holds numbers, in the columns of this call's elements at least.
    unsafe {
        wide::<u32, 4, ROWS>(rows, |x, row| {
            let column = (rows.x + x as i32).min(width - 1);
            let places = (0..view.outer_extents[0]).flat_map(|n| (0..height).map(move |k| [n, k]));
            let terms = places.map(|[n, k]| {
                let element = view.at(k, column).wrapping_offset(n as isize * view.outer_strides[0] as isize);
                assert!(element.cast::<u16>().is_aligned(), "a view is misaligned");
                element.cast::<u16>().read()
            });
            total(terms, rows.y + row as i32)
        });
    }
}

/// A tensor of two planes of this many rows and columns, enough for packing to pay.
fn tensor(columns: usize) -> Tensor<u16> {
    Tensor::from_fn([2, 600, columns], |[n, y, x]| noise(3, x, y, n) as u16 * 257).unwrap()
}

fn configured(src: View<'_, u16>, extents: [usize; 3]) -> Configured<Columns> {
    let out = Tensor::<u32>::new(extents).unwrap();
    configure::<Columns>(&request(&[src.info()], &[Some(out.info())], Border::Undefined)).unwrap()
}

/// Runs it, and says whether strips were packed.
fn check(kernel: &Configured<Columns>, src: View<'_, u16>, extents: [usize; 3]) -> bool {
    let mut expected = Tensor::<u32>::new(extents).unwrap();
    kernel.run_reference(src, &mut expected).unwrap();
    let _counted = COUNTED.lock();
    let before = PACKED.load(Ordering::Relaxed);
    for scheduler in [&Serial as &dyn Scheduler, &Threads(3, Split::Dynamic { parts: 2 })] {
        let mut out = Tensor::<u32>::new(extents).unwrap();
        kernel.run(scheduler, src, &mut out).unwrap();
        assert!(out.to_vec() == expected.to_vec(), "{extents:?}");
    }
    PACKED.load(Ordering::Relaxed) > before
}

#[test]
fn strips_are_packed_wherever_they_end_and_however_the_tensor_lies() {
    for columns in [64, 67, 130] {
        let src = tensor(columns);
        let extents = [3, 9, columns];
        assert!(check(&configured(src.view(), extents), src.view(), extents), "{columns} columns");
        for view in [src.view().flip(2), src.view().flip(1), src.view().flip(0), tensor(2 * columns).view().step(2, 2)]
        {
            let view = view.unwrap();
            assert!(check(&configured(view, extents), view, extents), "{columns} columns");
        }
    }
}

#[test]
fn strips_stay_where_columns_are_missing_or_few_blocks_share_them() {
    let src = tensor(70);
    // Columns behind the last one read it.
    assert!(!check(&configured(src.view(), [3, 9, 75]), src.view(), [3, 9, 75]));
    assert!(!check(&configured(src.view(), [1, 6, 70]), src.view(), [1, 6, 70]));
    assert!(check(&configured(src.view(), [1, 7, 70]), src.view(), [1, 7, 70]));
}

#[test]
fn constants_are_packed_once_and_outlive_their_tensor() {
    let src = tensor(67);
    for extents in [[1, 1, 67], [2, 9, 67], [1, 2, 33]] {
        let kernel = {
            let copy = src.clone();
            configured(copy.view(), extents).with_constant(0, copy.view()).unwrap()
        };
        assert!(kernel.constant_bytes() >= 2 * 2 * 600 * extents[2]);
        assert!(check(&kernel, src.view(), extents), "{extents:?}");
        let mut out = Tensor::<u32>::new(extents).unwrap();
        assert_eq!(kernel.bind(src.view(), &mut out).unwrap().scratch_per_thread(), 0);
    }
}
