//! An executor of another crate: it runs a chain by what is public of it, and gives what the runtime's own give.

use std::sync::{Arc, Mutex};

use crate::common::*;
use windrow_runtime::{
    AnyView, AnyViewMut, Border, Scheduler, Serial, Tensor, TensorInfo,
    band::InBands,
    configure,
    function::{Chain, ChainBuilder, Composite, Executable, Executor, ExecutorError, Function, FunctionError, Whole},
    memory::{Allocation, Allocator, Heap},
    schedule::schedule,
};

/// Each value in memory of its own, made anew by each run; the kernels that ran are noted.
#[derive(Clone, Debug, Default)]
struct Eager {
    ran: Arc<Mutex<Vec<String>>>,
}

#[derive(Debug)]
struct EagerChain {
    chain: Chain,
    ran: Arc<Mutex<Vec<String>>>,
}

impl Executor for Eager {
    fn compile(&self, chain: ChainBuilder) -> Result<Composite, FunctionError> {
        Ok(Composite::new(EagerChain { chain: chain.finish_without_memory()?, ran: self.ran.clone() }))
    }
}

impl Executable for EagerChain {
    fn chain(&self) -> &Chain {
        &self.chain
    }
}

/// What this executor fails with.
#[derive(Debug, thiserror::Error)]
#[error("the executor's own words")]
struct Failure;

impl Function for EagerChain {
    fn run(
        &self,
        scheduler: &dyn Scheduler,
        inputs: &[AnyView<'_>],
        outputs: &mut [AnyViewMut<'_>],
    ) -> Result<(), FunctionError> {
        let failed = |_| FunctionError::Executor(ExecutorError::new(Failure));
        self.chain.check(inputs, outputs)?;
        let allocator: Arc<dyn Allocator> = Arc::new(Heap);
        let place = |info: TensorInfo| Allocation::new(&allocator, info);
        let mut values = self.chain.values().iter().map(|value| place(value.info)).collect::<Result<Vec<_>, _>>()?;
        for (value, memory) in self.chain.values().iter().zip(&mut values) {
            if let Some(input) = value.input {
                copy(&inputs[input], &mut memory.view_mut());
            }
        }
        for stage in self.chain.stages() {
            let mut written: Vec<_> = stage
                .outputs()
                .iter()
                .map(|slot| slot.map(|slot| values[slot].info()))
                .map(|info| info.map(|info| place(*info)).transpose())
                .collect::<Result<_, _>>()?;
            let read: Vec<_> = stage.inputs().iter().map(|&slot| values[slot].view()).collect();
            let views = written.iter_mut().map(|memory| memory.as_mut().map(Allocation::view_mut)).collect();
            let mut bound = stage.bind(&read, views)?;
            schedule(scheduler, &mut bound).map_err(failed)?;
            for (slot, memory) in stage.outputs().iter().zip(written) {
                if let Some((slot, memory)) = slot.zip(memory) {
                    values[slot] = memory;
                }
            }
            self.ran.lock().unwrap().push(stage.name().to_owned());
        }
        for (&slot, output) in self.chain.outputs().iter().zip(outputs) {
            copy(&values[slot].view(), output);
        }
        Ok(())
    }
}

/// Copies a plane of bytes.
fn copy(from: &AnyView<'_>, to: &mut AnyViewMut<'_>) {
    let (from, mut to) = (from.typed::<u8>().unwrap(), to.reborrow().typed::<u8>().unwrap());
    for y in 0..from.info().height() {
        to.row_mut(y).unwrap().copy_from_slice(from.row(y).unwrap());
    }
}

fn differences(extents: [usize; 2]) -> ChainBuilder {
    let mut chain = ChainBuilder::new();
    let pixel = TensorInfo::of::<u8>(&extents).unwrap();
    let (a, b) = (chain.input(pixel), chain.input(pixel));
    let abs = configure::<AbsDiff<8, 2>>(&request(&[&pixel; 2], &[Some(&pixel)], Border::Undefined)).unwrap();
    let [ab] = chain.add(&abs, &[a, b]).unwrap();
    let [aab] = chain.add(&abs, &[a, ab]).unwrap();
    let [out] = chain.add(&abs, &[aab, ab]).unwrap();
    chain.output(out).unwrap();
    chain
}

#[test]
fn every_executor_gives_the_same_elements() {
    let extents = [9, 40];
    let [a, b] = [1, 2].map(|k| Tensor::from_fn(extents, |[y, x]| noise(k, x, y, 0)).unwrap());
    let eager = Eager::default();
    let executors: [&dyn Executor; 3] = [&eager, &Whole::immediate(Arc::new(Heap)), &InBands { cache: 0 }];
    let run = |executor: &&dyn Executor| {
        let composite = differences(extents).compose(*executor).unwrap();
        assert_eq!((composite.chain().stages().len(), composite.chain().input_count()), (3, 2));
        let mut out = Tensor::<u8>::new(extents).unwrap();
        composite.run(&Serial, &[a.view().any(), b.view().any()], &mut [out.view_mut().any()]).unwrap();
        out.to_vec()
    };
    let [ours, whole, bands] = executors.each_ref().map(run);
    let each = |(&a, b): (&u8, u8)| a.abs_diff(a.abs_diff(b)).abs_diff(a.abs_diff(b));
    let expected: Vec<u8> = a.to_vec().iter().zip(b.to_vec()).map(each).collect();
    assert_eq!([&ours, &whole, &bands], [&expected; 3]);
    assert_eq!(eager.ran.lock().unwrap().len(), 3);
}

#[test]
fn an_executors_own_error_is_found_again() {
    let error = FunctionError::Executor(ExecutorError::new(Failure));
    assert_eq!(error.to_string(), "the executor's own words");
    let FunctionError::Executor(inner) = &error else { panic!("{error:?}") };
    assert!(inner.downcast_ref::<Failure>().is_some() && inner.downcast_ref::<std::io::Error>().is_none());
    assert_eq!(error, error.clone());
    // A run refuses images before the executor sees them.
    let composite = differences([8, 8]).compose(&Eager::default()).unwrap();
    let refused = composite.run(&Serial, &[], &mut []);
    assert_eq!(refused, Err(FunctionError::ImageCount { outputs: false, found: 0, expected: 2 }));
}
