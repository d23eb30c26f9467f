//! One small run of every way through the unsafe code, for an interpreter that watches each access (`cargo xtask test miri`).
//!
//! The other tests run the same ways at every size; here each byte costs a microsecond or more.

use crate::common::*;
use windrow_runtime::{
    Border, Configured, Kernel, Padding, Scalar, ScheduleError, Scheduler, Serial, Tensor, View, ViewMut, configure,
    validate::Request,
};

fn image<const D: usize>(extents: [usize; D]) -> Tensor<u8> {
    Tensor::from_fn(extents, |at| noise_at(1, at)).unwrap()
}

fn canvas<T: windrow_runtime::Element, const D: usize>(extents: [usize; D], fill: T) -> Tensor<T> {
    let mut tensor = Tensor::with_padding(extents, Padding { left: 1, right: 2, top: 1, bottom: 1 }).unwrap();
    tensor.storage_mut().fill(fill);
    tensor
}

/// A thread for each of three parts.
struct Threads;

impl Scheduler for Threads {
    fn num_threads(&self) -> usize {
        3
    }

    fn run(&self, workers: usize, worker: &(dyn Fn(usize) + Sync)) -> Result<(), ScheduleError> {
        std::thread::scope(|scope| (0..workers).for_each(|index| drop(scope.spawn(move || worker(index)))));
        Ok(())
    }

    fn grain(&self) -> usize {
        1
    }
}

/// The kernel equals its reference, and nothing beside its valid region is touched.
fn check<K>(border: Border, src: &Tensor<u8>, extents: [usize; 4])
where
    K: for<'a> Kernel<Inputs<'a> = View<'a, u8>, Outputs<'a> = ViewMut<'a, i32>>,
{
    let (mut out, mut expect) = (canvas(extents, -1), canvas(extents, -1));
    let info = *out.info();
    let configured: Configured<K> = configure(&request(&[src.info()], &[Some(&info)], border)).unwrap();
    configured.run(&Serial, src.view(), out.view_mut()).unwrap();
    configured.run_reference(src.view(), expect.view_mut()).unwrap();
    assert_eq!(out.storage(), expect.storage(), "{border:?}");
    out.storage_mut().fill(-1);
    configured.run(&Threads, src.view(), out.view_mut()).unwrap();
    assert_eq!(out.storage(), expect.storage(), "{border:?}, in threads");
}

#[test]
fn rows_in_memory_and_tiles() {
    for border in [Border::Undefined, Border::Constant(Scalar::U8(7)), Border::Wrap] {
        check::<Weighted<2, 2, 0>>(border, &image([5, 9]), [1, 1, 5, 9]);
    }
}

#[test]
fn rows_that_lie_beside_their_element() {
    check::<Weighted<2, 2, 2>>(Border::Reflect, &image([3, 8]), [1, 1, 3, 8]);
    check::<Weighted<4, 2, 5>>(Border::Undefined, &image([12, 9]), [1, 1, 4, 9]);
}

#[test]
fn strided_rows() {
    check::<Weighted<2, 2, 3>>(Border::Replicate, &image([5, 11]), [1, 1, 3, 6]);
}

#[test]
fn planes() {
    check::<Weighted<2, 1, 0>>(Border::Reflect101, &image([2, 2, 2, 4]), [2, 2, 2, 4]);
}

#[test]
fn parts_in_place() {
    let x = image([6, 7]);
    let mut acc = canvas([6, 7], 500i16);
    let info = *acc.info();
    let configured = configure::<Accumulate<2, 4>>(&request(&[x.info()], &[Some(&info)], Border::Undefined)).unwrap();
    // Parts of two rows, bodies of four: the other two rows of a group are another thread's.
    configured.run(&Threads, x.view(), acc.view_mut()).unwrap();
    let expect: Vec<i16> = x.to_vec().iter().map(|&x| 500 + i16::from(x)).collect();
    assert_eq!(acc.to_vec(), expect);
}

#[test]
fn regions_of_images() {
    let (a, mut out) = (image([6, 12]), canvas([6, 12], 9u8));
    let a = a.view().region([1, 3], [4, 7]).unwrap();
    let target = out.view_mut().region([2, 2], [4, 7]).unwrap();
    let info = *target.info();
    let configured = configure::<AbsDiff<4, 2>>(&request(&[a.info(); 2], &[Some(&info)], Border::Undefined)).unwrap();
    configured.run(&Serial, (a, a), target).unwrap();
    let zeros = out.storage().iter().filter(|&&byte| byte == 0).count();
    assert_eq!((zeros, out.storage().len() - zeros), (28, 15 * 8 - 28));
}

#[test]
fn outputs_left_out() {
    let src = image([3, 7]);
    let mut found = canvas([3, 7], 0i32);
    let mut expect = found.clone();
    let info = *found.info();
    let (inputs, outputs) = ([src.info()], [None, Some(&info)]);
    let request = Request { words: &[-3i32 as u32], ..request(&inputs, &outputs, Border::Replicate) };
    let configured = configure::<Differences<4, 2>>(&request).unwrap();
    configured.run(&Serial, src.view(), (None, Some(found.view_mut()))).unwrap();
    configured.run_reference(src.view(), (None, Some(expect.view_mut()))).unwrap();
    assert_eq!(found.storage(), expect.storage());
}

#[test]
fn tables() {
    let table: [i16; 256] = core::array::from_fn(|i| (i * i) as i16);
    let pixels = Tensor::from_fn([2, 5], |[y, x]| [0, 1, 2].map(|c| noise(c, x, y, 0))).unwrap();
    let mut out = canvas([2, 5], -1i16);
    let info = *out.info();
    let configured = configure::<LookUp<4>>(&request(&[pixels.info()], &[Some(&info)], Border::Undefined)).unwrap();
    configured.run(&Serial, (pixels.view(), &table), out.view_mut()).unwrap();
    let expect: Vec<i16> = pixels.to_vec().iter().map(|pixel| table[usize::from(pixel[1])]).collect();
    assert_eq!(out.to_vec(), expect);
}
