//! Functions of one kernel and of several: the same elements as their kernels one by one, whatever the memory.

use std::{
    sync::{
        Arc, Barrier,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    thread,
};

use crate::common::*;
use windrow::testing::Counted;
use windrow_runtime::{
    Border, Element, Rayon, Scheduler, Serial, Tensor, TensorInfo, configure,
    function::{Chain, ChainBuilder, ChainTables, Function, FunctionError, OperatorError, Prepared, Simple},
    memory::{Allocation, Allocator, Heap, MemoryError, MemoryManager, MemoryRecording, Planner},
    validate::Request,
};

fn image(extents: [usize; 2]) -> Tensor<u8> {
    Tensor::from_fn(extents, |at| noise_at(1, at)).unwrap()
}

fn info<T: Element>(extents: [usize; 2]) -> TensorInfo {
    TensorInfo::of::<T>(&extents).unwrap()
}

/// |a − b| of an image and what a chain of its differences with itself gives: u8 throughout.
fn differences(extents: [usize; 2], memory: MemoryRecording) -> Chain {
    let mut chain = ChainBuilder::new();
    let (a, b) = (chain.input(info::<u8>(extents)), chain.input(info::<u8>(extents)));
    let pixel = info::<u8>(extents);
    let abs = configure::<AbsDiff<8, 2>>(&request(&[&pixel; 2], &[Some(&pixel)], Border::Undefined)).unwrap();
    let [ab] = chain.add(&abs, &[a, b]).unwrap();
    let [aab] = chain.add(&abs, &[a, ab]).unwrap();
    let [bab] = chain.add(&abs, &[b, ab]).unwrap();
    let [out] = chain.add(&abs, &[aab, bab]).unwrap();
    chain.output(out).unwrap();
    chain.finish(memory).unwrap()
}

fn expect_differences(a: &Tensor<u8>, b: &Tensor<u8>) -> Vec<u8> {
    let each = |(&a, b): (&u8, u8)| {
        let ab = a.abs_diff(b);
        a.abs_diff(ab).abs_diff(b.abs_diff(ab))
    };
    a.to_vec().iter().zip(b.to_vec()).map(each).collect()
}

#[test]
fn a_simple_function_is_its_kernel() {
    let (src, mut out, mut expect) =
        (image([9, 40]), Tensor::<i32>::new([9, 40]).unwrap(), Tensor::new([9, 40]).unwrap());
    let weighted =
        configure::<Weighted<8, 4, 0>>(&request(&[src.info()], &[Some(out.info())], Border::Reflect)).unwrap();
    let function = Simple::new(&weighted).unwrap();
    function.prepare().unwrap();
    function.run(&Serial, &[src.view().any()], &mut [out.view_mut().any()]).unwrap();
    weighted.run(&Serial, src.view(), expect.view_mut()).unwrap();
    assert_eq!(out.to_vec(), expect.to_vec());
}

#[test]
fn intermediates_share_memory_and_runs_share_nothing() {
    let extents = if cfg!(miri) { [5, 20] } else { [30, 100] };
    let manager = Arc::new(MemoryManager::new(Planner::Arena));
    let chain = differences(extents, MemoryRecording::managed(&manager));
    manager.populate(Arc::new(Heap), 2).unwrap();
    // Of three intermediates the first is free when the last stage runs, but all live while the third is written.
    assert_eq!(chain.intermediate_bytes(), 3 * extents[0] * extents[1]);
    // rayon's own queues break a rule that Miri still tries out.
    let pool = (!cfg!(miri)).then(|| rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap());
    thread::scope(|scope| {
        for seed in 0..4 {
            let (chain, pool) = (&chain, &pool);
            scope.spawn(move || {
                let [a, b] = [1, 2].map(|k| Tensor::from_fn(extents, |[y, x]| noise(seed * 9 + k, x, y, 0)).unwrap());
                for _ in 0..if cfg!(miri) { 1 } else { 20 } {
                    let mut out = Tensor::<u8>::new(extents).unwrap();
                    let inputs = [a.view().any(), b.view().any()];
                    let rayon = pool.as_ref().map(|pool| Rayon::on(pool).with_grain(1));
                    let scheduler: &dyn Scheduler = rayon.as_ref().map_or(&Serial, |rayon| rayon);
                    chain.run(scheduler, &inputs, &mut [out.view_mut().any()]).unwrap();
                    assert_eq!(out.to_vec(), expect_differences(&a, &b));
                }
            });
        }
    });
    assert_eq!(manager.counters().live, 0);
}

#[test]
fn a_run_that_does_not_wait_is_refused_while_its_memory_is_in_use() {
    let extents = [5, 20];
    let manager = Arc::new(MemoryManager::new(Planner::Arena));
    let chain = differences(extents, MemoryRecording::managed(&manager));
    manager.populate(Arc::new(Heap), 1).unwrap();
    let [a, b] = [1, 2].map(|seed| Tensor::from_fn(extents, |[y, x]| noise(seed, x, y, 0)).unwrap());
    let inputs = [a.view().any(), b.view().any()];
    let [mut held, mut out] = [(); 2].map(|()| Tensor::<u8>::new(extents).unwrap());
    {
        let mut held = [held.view_mut().any()];
        let _held = chain.begin(&inputs, &mut held).unwrap();
        let refused = chain.try_run(&Serial, &inputs, &mut [out.view_mut().any()]);
        assert!(matches!(refused, Err(FunctionError::Memory(MemoryError::Exhausted { pools: 1 }))), "{refused:?}");
    }
    chain.try_run(&Serial, &inputs, &mut [out.view_mut().any()]).unwrap();
    assert_eq!(out.to_vec(), expect_differences(&a, &b));
}

#[test]
fn a_long_chain_takes_the_memory_of_two_tensors() {
    let extents = [16, 64];
    for planner in [Planner::Arena, Planner::Pooled] {
        let manager = Arc::new(MemoryManager::new(planner));
        let mut chain = ChainBuilder::new();
        let pixel = info::<u8>(extents);
        let abs = configure::<AbsDiff<8, 2>>(&request(&[&pixel; 2], &[Some(&pixel)], Border::Undefined)).unwrap();
        let mut slot = chain.input(pixel);
        for _ in 0..6 {
            [slot] = chain.add(&abs, &[slot, slot]).unwrap();
        }
        chain.output(slot).unwrap();
        let chain = chain.finish(MemoryRecording::managed(&manager)).unwrap();
        manager.populate(Arc::new(Heap), 1).unwrap();
        assert_eq!((manager.counters().resident, chain.intermediate_bytes()), (2 * 1024, 5 * 1024));
    }
}

#[test]
fn valid_regions_go_from_stage_to_stage() {
    let extents = [12, 20];
    let mut chain = ChainBuilder::new();
    let src = chain.input(info::<u8>(extents));
    let (pixel, wide) = (info::<u8>(extents), info::<i32>(extents));
    let abs = configure::<AbsDiff<8, 2>>(&request(&[&pixel; 2], &[Some(&pixel)], Border::Undefined)).unwrap();
    let down = configure::<Narrow>(&request(&[&wide], &[Some(&pixel)], Border::Undefined)).unwrap();
    let blur = |border| configure::<Weighted<8, 4, 0>>(&request(&[&pixel], &[Some(&wide)], border)).unwrap();
    let [first] = chain.add(&blur(Border::Undefined), &[src]).unwrap();
    let [narrow] = chain.add(&down, &[first]).unwrap();
    let [both] = chain.add(&abs, &[narrow, src]).unwrap();
    let [second] = chain.add(&blur(Border::Undefined), &[both]).unwrap();
    let plane = |slot| chain.info(slot).unwrap().valid_region().plane().to_string();
    assert_eq!([first, narrow, both, second].map(plane), ["1..11×1..19", "1..11×1..19", "1..11×1..19", "2..10×2..18"]);
    // Beyond the image lies what replicates its edge, which nothing computes.
    let [beside] = chain.add(&blur(Border::Replicate), &[both]).unwrap();
    assert_eq!(chain.info(beside).unwrap().valid_region().plane().to_string(), "2..10×2..18");

    // What is not computed is not written.
    chain.output(second).unwrap();
    let chain = chain.finish(MemoryRecording::immediate(Arc::new(Heap))).unwrap();
    let mut out = Tensor::<i32>::new(extents).unwrap();
    out.storage_mut().fill(-9);
    chain.run(&Serial, &[image(extents).view().any()], &mut [out.view_mut().any()]).unwrap();
    let written = |x: usize, y: usize| (2..18).contains(&x) && (2..10).contains(&y);
    let view = out.view();
    assert!((0..240).all(|i| (view.get([i / 20, i % 20]) != Some(-9)) == written(i % 20, i / 20)));
}

#[test]
fn tables_stay_with_the_chain() {
    let squares: [i16; 256] = core::array::from_fn(|i| (i * i) as i16);
    let pixels = Tensor::from_fn([4, 13], |[y, x]| [0, 1, 2].map(|c| noise(c, x, y, 0))).unwrap();
    let mut out = Tensor::<i16>::new([4, 13]).unwrap();
    let look_up = configure::<LookUp<8>>(&request(&[pixels.info()], &[Some(out.info())], Border::Undefined)).unwrap();
    let mut chain = ChainBuilder::new();
    let src = chain.input(*pixels.info());
    let refused = chain.add::<_, 1>(&look_up, &[src]).unwrap_err();
    let none = OperatorError::TableCount { found: 0, expected: 1 };
    assert_eq!(refused, FunctionError::Operator { stage: "look_up".into(), error: none.into() });
    let wrong = chain.add_with_tables::<_, 1>(&look_up, &[src], ChainTables::default().with(&[0u8; 256]));
    assert!(
        matches!(wrong, Err(FunctionError::Operator { error, .. }) if matches!(*error, OperatorError::Table { .. }))
    );
    let [looked] = chain.add_with_tables(&look_up, &[src], ChainTables::default().with(&squares)).unwrap();
    chain.output(looked).unwrap();
    let chain = chain.finish(MemoryRecording::immediate(Arc::new(Heap))).unwrap();
    Function::run(&chain, &Serial, &[pixels.view().any()], &mut [out.view_mut().any()]).unwrap();
    let expect: Vec<i16> = pixels.to_vec().iter().map(|pixel| squares[usize::from(pixel[1])]).collect();
    assert_eq!(out.to_vec(), expect);
}

#[test]
fn a_stage_that_is_prepared_later_takes_its_uniforms_and_nothing_else() {
    let extents = [12, 20];
    let (src, word) = (image(extents), info::<i32>(extents));
    let gain = |gain: i32, border: Border| {
        let out = [Some(&word), None];
        let request =
            Request { inputs: &[src.info()], outputs: &out, words: &[gain as u32], choice: &[], border: border.into() };
        configure::<Differences<8, 2>>(&request).unwrap()
    };
    let mut chain = ChainBuilder::new();
    let slot = chain.input(*src.info());
    let [out] = chain.add_unprepared(&gain(0, Border::Replicate), &[slot]).unwrap();
    chain.output(out).unwrap();
    let chain = chain.finish(MemoryRecording::immediate(Arc::new(Heap))).unwrap();
    let (mut found, mut expect) = (Tensor::<i32>::new(extents).unwrap(), Tensor::<i32>::new(extents).unwrap());
    let mut run = |chain: &Chain| Function::run(chain, &Serial, &[src.view().any()], &mut [found.view_mut().any()]);
    assert_eq!(run(&chain), Err(FunctionError::Unprepared { kernel: "differences".into() }));
    let other = FunctionError::OtherStage { kernel: "differences".into(), found: "differences".into() };
    assert_eq!(chain.prepare(out, &gain(3, Border::Wrap)), Err(other));
    assert_eq!(chain.prepare(slot, &gain(3, Border::Replicate)), Err(FunctionError::ForeignValue));
    chain.prepare(out, &gain(3, Border::Replicate)).unwrap();
    chain.prepare(out, &gain(4, Border::Replicate)).unwrap();
    run(&chain).unwrap();
    gain(3, Border::Replicate).run(&Serial, src.view(), (Some(expect.view_mut()), None)).unwrap();
    assert_eq!(found.to_vec(), expect.to_vec());
}

#[test]
fn mistakes_in_a_chain_are_named() {
    let extents = [12, 20];
    let (pixel, wide) = (info::<u8>(extents), info::<i32>(extents));
    let blur = configure::<Weighted<8, 4, 0>>(&request(&[&pixel], &[Some(&wide)], Border::Wrap)).unwrap();
    let (mut chain, mut other) = (ChainBuilder::new(), ChainBuilder::new());
    let (src, stranger) = (chain.input(pixel), other.input(pixel));
    let small = chain.input(info::<u8>([11, 20]));
    assert_eq!(chain.add::<_, 1>(&blur, &[stranger]).err(), Some(FunctionError::ForeignValue));
    let refused = chain.add::<_, 1>(&blur, &[small]).unwrap_err();
    assert_eq!(refused.to_string(), "`weighted`: `src` has the shape 11×20, it was configured with 12×20");
    let refused = chain.add::<_, 1>(&blur, &[src, src]).unwrap_err();
    assert_eq!(refused.to_string(), "the number of images that `weighted` reads is 1, found 2");
    let refused = chain.add::<_, 2>(&blur, &[src]).unwrap_err();
    assert_eq!(refused, FunctionError::StageOutputs { kernel: "weighted".into(), found: 1, expected: 2 });
    assert!(matches!(chain.output(src), Err(FunctionError::Output { value: 0, .. })));
    let [out] = chain.add(&blur, &[src]).unwrap();
    chain.output(out).unwrap();
    assert_eq!(
        chain.output(out).unwrap_err().to_string(),
        "value 2 can't be an output of the chain: it is an output already"
    );
    let chain = chain.finish(MemoryRecording::immediate(Arc::new(Heap))).unwrap();
    assert_eq!(
        ChainBuilder::new().finish(MemoryRecording::immediate(Arc::new(Heap))).err(),
        Some(FunctionError::NoOutput)
    );

    let (a, b) = (image(extents), image([11, 20]));
    let mut out = Tensor::<i32>::new(extents).unwrap();
    let refused = chain.run(&Serial, &[a.view().any()], &mut [out.view_mut().any()]);
    assert_eq!(refused, Err(FunctionError::ImageCount { outputs: false, found: 1, expected: 2 }));
    let refused = chain.run(&Serial, &[b.view().any(); 2], &mut [out.view_mut().any()]);
    assert!(matches!(refused, Err(FunctionError::Image { output: false, index: 0, .. })));
}

#[test]
fn outputs_need_memory_of_their_own() {
    let extents = [8, 16];
    let mut memory = vec![7u8; 3 * 128];
    let chain = differences(extents, MemoryRecording::immediate(Arc::new(Heap)));
    let view = |memory: &mut Vec<u8>, at: usize| {
        let base = std::ptr::NonNull::new(memory.as_mut_ptr()).unwrap();
        // SAFETY: the memory lives to the end of the test, which runs nothing on views that overlap.
        unsafe { windrow_runtime::ViewMut::<u8>::from_raw(base.add(at), info::<u8>(extents)).unwrap().any() }
    };
    let src = image(extents);
    let (mut same, mut beside) = (view(&mut memory, 64), view(&mut memory, 256));
    let input = view(&mut memory, 0);
    let inputs = [src.view().any(), input.view()];
    let refused = chain.run(&Serial, &inputs, std::slice::from_mut(&mut same));
    assert_eq!(refused, Err(FunctionError::Overlap { output: 0, other: 1, with_output: false }));
    assert_eq!(chain.run(&Serial, &inputs, std::slice::from_mut(&mut beside)), Ok(()));
}

#[test]
fn threads_that_race_prepare_once_and_free_the_originals() {
    let counted = Arc::new(Counted::new(Heap));
    let allocator: Arc<dyn Allocator> = counted.clone();
    let weights = Allocation::new(&allocator, info::<i16>([10, 100])).unwrap();
    assert_eq!(counted.counters().resident, 2000);
    let (prepared, made, start) = (Prepared::new(weights), AtomicUsize::new(0), Barrier::new(4));
    assert!(!prepared.is_prepared());
    let failed: Result<&u32, FunctionError> = prepared.get(|_| Err(FunctionError::NoOutput));
    assert_eq!((failed, counted.counters().resident), (Err(FunctionError::NoOutput), 2000));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                start.wait();
                let value = prepared.get(|weights| {
                    made.fetch_add(1, SeqCst);
                    thread::sleep(std::time::Duration::from_millis(2));
                    Ok::<_, FunctionError>(weights.info().width() as u32)
                });
                assert_eq!(value, Ok(&100));
            });
        }
    });
    assert_eq!((made.into_inner(), counted.counters().resident), (1, 0));
    assert!(prepared.is_prepared());
}
