//! Rows that follow each other in memory run as one, where nothing can tell.

use std::{
    cell::Cell,
    sync::atomic::{AtomicUsize, Ordering},
};

use crate::common::{NO_OPENCL, around, derive_nothing, input, kernel, load, output, request, wide};
use windrow_runtime::{
    Border, BorderMode, ElementType, Kernel, KernelCode, KernelSpec, ScheduleError, Scheduler, Serial, Tensor, Tier,
    View, ViewMut,
    code::{Body, Rows},
    configure,
};

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
    /// The address of the widest call's first element.
    static WIDEST: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// Adds one, and counts the calls of its body; `COORDINATES`: says that it depends on them.
#[derive(Debug)]
enum Next<const COORDINATES: bool> {}

impl<const COORDINATES: bool> Next<COORDINATES> {
    const SPEC: KernelSpec = KernelSpec {
        coordinates: COORDINATES,
        ..kernel(
            "next",
            &[input("src", ElementType::U8, 1, around(0, 0, 0, 0), (1, 1), None)],
            &[output("out", ElementType::U8, false)],
            (4, 1),
            &[BorderMode::Undefined],
        )
    };
}

// SAFETY: the code takes these views.
unsafe impl<const COORDINATES: bool> Kernel for Next<COORDINATES> {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &Self::SPEC,
            &[Body::new(Tier::Scalar, 0, (4, 1), &[around(0, 0, 0, 0)], true, next)],
            derive_nothing,
            |point| point.write(0, point.element::<u8>(0).wrapping_add(1)),
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = View<'a, u8>;
    type Outputs<'a> = ViewMut<'a, u8>;
}

unsafe fn next(rows: &Rows<'_>) {
    CALLS.set(CALLS.get() + 1);
    WIDEST.set(WIDEST.get().max((rows.width, rows.outputs[0].addr())));
    // SAFETY: the element itself is read.
    unsafe { wide::<u8, 4, 1>(rows, |x, row| load::<u8>(rows, row, x as isize).wrapping_add(1)) };
}

/// The body's calls for an image of 10×7, whose rows lie `stride` elements apart.
fn calls<const COORDINATES: bool>(stride: usize) -> usize {
    let source: Vec<u8> = (0..stride * 7).map(|k| (k * 37 % 256) as u8).collect();
    let mut written = vec![0xEE; stride * 7];
    let src = View::with_strides(&source, &[7, 10], &[stride as isize, 1]).unwrap();
    let out = ViewMut::with_strides(&mut written, &[7, 10], &[stride as isize, 1]).unwrap();
    let configured =
        configure::<Next<COORDINATES>>(&request(&[src.info()], &[Some(out.info())], Border::Undefined)).unwrap();
    CALLS.set(0);
    configured.run(&Serial, src, out).unwrap();
    for (index, (found, from)) in written.iter().zip(&source).enumerate() {
        let expected = if index % stride < 10 { from.wrapping_add(1) } else { 0xEE };
        assert_eq!(*found, expected, "element {index} of rows {stride} apart");
    }
    CALLS.get()
}

#[test]
fn rows_without_gaps_are_one_row() {
    assert_eq!(calls::<false>(10), 1);
    assert_eq!(calls::<false>(11), 7);
}

#[test]
fn a_kernel_that_asks_where_it_is_keeps_its_rows() {
    assert_eq!(calls::<true>(10), 7);
}

#[test]
fn a_part_of_the_columns_keeps_its_rows() {
    let src = Tensor::<u8>::new([5, 12]).unwrap();
    let mut out = Tensor::<u8>::new([5, 12]).unwrap();
    let configured = configure::<Next<false>>(&request(&[src.info()], &[Some(out.info())], Border::Undefined)).unwrap();
    let window = configured.window().split(0, 1, 3).unwrap();
    CALLS.set(0);
    configured.run_window(&Serial, src.view(), out.view_mut(), &window).unwrap();
    assert_eq!(CALLS.get(), 5);
    for y in 0..5 {
        assert_eq!(out.view().row(y).unwrap(), [0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0]);
    }
}

#[test]
fn stores_of_a_long_row_are_aligned_wherever_it_begins() {
    // Starts in five vectors: wherever the memory lies, what divides its addresses by three or five gets one wrong.
    let starts = (0..20).map(|first| (1 << 14, first));
    for (length, first) in starts.chain([((1 << 14) + 7, 3), ((1 << 14) - 1, 1)]) {
        let source: Vec<u8> = (0..length).map(|k| (k * 37 % 251) as u8).collect();
        let mut memory = vec![0xEE; length + 32];
        let first = memory.as_ptr().align_offset(4) + first;
        let extents = [1, length];
        let src = View::from_slice(&source, extents).unwrap();
        let out = ViewMut::from_slice(&mut memory[first..first + length], extents).unwrap();
        let configured =
            configure::<Next<false>>(&request(&[src.info()], &[Some(out.info())], Border::Undefined)).unwrap();
        WIDEST.set((0, 0));
        CALLS.set(0);
        configured.run(&Serial, src, out).unwrap();
        // A short row is one call, wherever it begins.
        let is_aligned = WIDEST.get().1.is_multiple_of(4);
        assert!(if length >= 1 << 14 { is_aligned } else { CALLS.get() == 1 }, "{length} from {first}");
        assert!(memory[..first].iter().chain(&memory[first + length..]).all(|&byte| byte == 0xEE));
        assert!(memory[first..].iter().zip(&source).all(|(found, from)| *found == from.wrapping_add(1)));
    }
}

/// Two threads in name, and a grain; it keeps the number of parts.
struct Parts(AtomicUsize, usize);

impl Scheduler for Parts {
    fn num_threads(&self) -> usize {
        2
    }

    fn run(&self, workers: usize, worker: &(dyn Fn(usize) + Sync)) -> Result<(), ScheduleError> {
        self.0.store(workers, Ordering::Relaxed);
        (0..workers).for_each(worker);
        Ok(())
    }

    fn grain(&self) -> usize {
        self.1
    }
}

#[test]
fn threads_stream_some_hundred_kilobytes_each_unless_the_grain_is_one() {
    // A byte read and one written for each element: 192 Ki elements a thread, in grains of 16 Ki.
    let least = 192 * 1024;
    for (rows, grain, parts) in [(383, 1 << 14, 0), (384, 1 << 14, 2), (16, 1, 2), (64, 1 << 11, 2), (16, 1 << 11, 0)] {
        let src = Tensor::<u8>::new([rows, 1024]).unwrap();
        let mut out = Tensor::<u8>::new([rows, 1024]).unwrap();
        assert_eq!(rows >= 384, 1024 * rows >= 2 * least);
        let configured =
            configure::<Next<false>>(&request(&[src.info()], &[Some(out.info())], Border::Undefined)).unwrap();
        let scheduler = Parts(AtomicUsize::new(0), grain);
        configured.run(&scheduler, src.view(), out.view_mut()).unwrap();
        assert_eq!(scheduler.0.into_inner(), parts, "{rows} rows, a grain of {grain}");
    }
}
