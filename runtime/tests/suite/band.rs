//! Bands: the same bytes as the chain kernel by kernel, whoever runs them; each row of an output written by one band.

use std::sync::Arc;

use crate::common::chains::*;
use crate::common::{threads::Threads, *};
use proptest::prelude::*;
use windrow_runtime::{
    AnyViewMut, Border, DynKernel, Parts, Serial, Split, Tensor, TensorInfo, ThreadInfo, band, configure,
    function::{ChainBuilder, Function, FunctionError},
    kernel::{SCRATCH_ALIGNMENT, ScratchLine},
    memory::{Heap, MemoryRecording},
    schedule::{schedule_with_scratch, scratch_bytes},
};

/// Bands are taken as they come.
const BY_BANDS: Split = Split::Dynamic { parts: 100 };

fn views(canvases: &mut [Tensor<u8>]) -> Vec<AnyViewMut<'_>> {
    canvases.iter_mut().map(|canvas| canvas.view_mut().any()).collect()
}

fn choices() -> impl Strategy<Value = Choices> {
    let step = (0usize..9, 0usize..8, 0usize..8, 0usize..6, any::<bool>());
    let extents = (1usize..60, 1usize..90, 1usize..3).prop_map(|(w, h, planes)| vec![planes, h, w]);
    (extents, proptest::collection::vec(step, 1..7)).prop_map(|(extents, steps)| Choices { extents, steps })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 120 } else { 1000 }))]

    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn bands_equal_the_chain_kernel_by_kernel(choices in choices(), cache in 0usize..20_000, threads in 1usize..5) {
        let sources = sources(&choices.extents, 3);
        let inputs = [sources[0].view().any(), sources[1].view().any()];
        let built = build(&choices, &sources);
        let [mut whole, mut found] = [built.canvases(), built.canvases()];
        let chain = built.builder.finish(MemoryRecording::immediate(Arc::new(Heap))).unwrap();
        chain.run(&Serial, &inputs, &mut views(&mut whole)).unwrap();
        Built::check(&built.expect, &whole);
        let bands = build(&choices, &sources).builder.finish_in_bands(cache).unwrap();
        {
            // Scratch that holds anything but zeros.
            let (mut outputs, threads) = (views(&mut found), Threads(threads, BY_BANDS));
            let mut bound = bands.bind(&inputs, &mut outputs).unwrap();
            let (window, mut scratch) = (bound.window(), vec![0xA5u8; scratch_bytes(&threads, &bound)]);
            schedule_with_scratch(&threads, &mut bound, &window, &mut scratch).unwrap();
        }
        Built::check(&built.expect, &found);
    }
}

/// A chain of three blurs, as three kernels each of i32 and back.
fn three_blurs(extents: [usize; 2], border: Border) -> ChainBuilder {
    let mut chain = ChainBuilder::new();
    let (pixel, wide) = (TensorInfo::of::<u8>(&extents).unwrap(), TensorInfo::of::<i32>(&extents).unwrap());
    let mut slot = chain.input(pixel);
    for _ in 0..3 {
        let blur = configure::<Weighted<8, 4, 0>>(&request(&[&pixel], &[Some(&wide)], border)).unwrap();
        let [sum] = chain.add(&blur, &[slot]).unwrap();
        let narrow = configure::<Narrow>(&request(&[&wide], &[Some(&pixel)], Border::Undefined)).unwrap();
        [slot] = chain.add(&narrow, &[sum]).unwrap();
    }
    chain.output(slot).unwrap();
    chain
}

#[test]
fn a_bands_input_grows_by_the_neighbourhoods() {
    let bands = three_blurs([256, 100], Border::Replicate).finish_in_bands(1 << 20).unwrap();
    assert_eq!(bands.rows(), 128);
    assert_eq!(bands.output_rows(0).collect::<Vec<_>>(), [(0, 128), (128, 256)]);
    assert_eq!(bands.input_rows(0).collect::<Vec<_>>(), [(0, 131), (125, 256)]);
    let wrapped = three_blurs([256, 100], Border::Wrap).finish_in_bands(1 << 20).unwrap();
    assert_eq!(wrapped.input_rows(0).collect::<Vec<_>>(), [(0, 256), (0, 256)]);
    // The first band's intermediates hold the last rows right before the first ones, and not all that lies between.
    let taller = 2 * (100usize * 4).next_multiple_of(64) + 2 * 128;
    assert!(wrapped.scratch_per_thread() <= bands.scratch_per_thread() + 2 * taller);
}

#[test]
#[cfg_attr(miri, ignore = "long")]
fn bands_fit_the_cache_that_they_are_given() {
    let rows = |cache| three_blurs([700, 1000], Border::Replicate).finish_in_bands(cache).unwrap();
    for (cache, expect) in [(1 << 20, 128), (512 << 10, 96), (band::CACHE, 32), (100 << 10, 16), (0, 8)] {
        let bands = rows(cache);
        assert_eq!(bands.rows(), expect, "{cache} bytes, {} used", bands.scratch_per_thread());
        assert!(bands.scratch_per_thread() <= cache || bands.rows() == 8);
        // Far less than the intermediates as a whole.
        assert!(bands.scratch_per_thread() * 5 < bands.chain().intermediate_bytes());
    }
}

#[test]
fn a_host_runs_bands_in_any_order_with_its_own_scratch() {
    let (extents, borders) = if cfg!(miri) { ([17, 6], &EVERY_BORDER[2..3]) } else { ([203, 70], &EVERY_BORDER[..]) };
    for &border in borders {
        let bands = three_blurs(extents, border).finish_in_bands(0).unwrap();
        let [src, _] = sources(&[1, extents[0], extents[1]], 5);
        let [mut found, mut expect] = [(); 2].map(|()| Tensor::<u8>::new(extents).unwrap());
        let whole = three_blurs(extents, border).finish(MemoryRecording::immediate(Arc::new(Heap))).unwrap();
        Function::run(&whole, &Serial, &[src.view().any()], &mut [expect.view_mut().any()]).unwrap();
        let mut outputs = [found.view_mut().any()];
        let inputs = [src.view().any()];
        let mut bound = bands.bind(&inputs, &mut outputs).unwrap();
        assert_eq!((bound.name(), bound.window().iterations(1)), ("bands", extents[0].div_ceil(8)));
        let mut lines = vec![ScratchLine::ZERO; bound.scratch_per_thread().div_ceil(SCRATCH_ALIGNMENT)];
        ScratchLine::bytes(&mut lines).fill(0xAA);
        let parts = Parts::new(&mut bound, 26);
        for index in (0..parts.count()).rev() {
            let scratch = ScratchLine::bytes(&mut lines);
            parts.take(index).unwrap().run(&mut ThreadInfo { id: 0, threads: 1, scratch }).unwrap();
        }
        let (window, threads) = (bound.window(), Threads(2, BY_BANDS));
        let mut memory = vec![0x55u8; scratch_bytes(&threads, &bound)];
        schedule_with_scratch(&threads, &mut bound, &window, &mut memory).unwrap();
        assert_eq!(found.to_vec(), expect.to_vec());
    }
}

#[test]
fn a_chain_of_different_planes_has_no_bands() {
    let mut chain = ChainBuilder::new();
    chain.input(TensorInfo::of::<u8>(&[2, 8, 8]).unwrap());
    let pixel = TensorInfo::of::<u8>(&[8, 8]).unwrap();
    let src = chain.input(pixel);
    let abs = configure::<AbsDiff<8, 2>>(&request(&[&pixel; 2], &[Some(&pixel)], Border::Undefined)).unwrap();
    let [out] = chain.add(&abs, &[src, src]).unwrap();
    chain.output(out).unwrap();
    assert!(matches!(chain.finish_in_bands(1000), Err(FunctionError::Planes { .. })));
}
