//! Times a pipeline against its kernels one by one.

use super::{
    BenchOptions, WayTimes,
    rounds::{HostCopy, Timed, TimedRun, rounds},
};
use crate::{
    chains::{agree, filled, told},
    pipelines::{Draw, Pipeline},
};
use std::sync::Arc;
use windrow_reference::testing::Random;
use windrow_runtime::{
    band::{self, InBands},
    function::{ChainBuilder, Composite, Executor, Function, OnProcessor, Whole},
    info::TensorInfo,
    memory::{Allocation, Heap},
    schedule::{Rayon, Scheduler, Serial},
    view::{AnyView, AnyViewMut},
};

/// How many sets of values are drawn, until the kernels take one.
const ATTEMPTS: u64 = 200;

/// The times of a pipeline.
#[derive(Clone, Debug)]
pub struct PipelineTimes {
    /// Bytes of all elements of the pipeline's inputs and outputs, each counted once.
    pub bytes: usize,
    /// Each way to run it, in the order of a table: one kernel after another first.
    pub ways: Vec<WayTimes>,
}

/// Times `P` on this processor: its kernels one by one over whole images, the same in bands of rows, and the pipeline; and copies of
/// as many bytes in the same rounds.
///
/// All its images are of the same rows and columns, and its values are drawn.
///
/// # Errors
/// The pipeline reads tensors of other dimensions than rows and columns, or refuses such images with any values, for people. A way
/// that fails is one of the [`PipelineTimes`].
pub fn bench_pipeline<P: Pipeline>(options: &BenchOptions) -> Result<PipelineTimes, String> {
    if let Some(input) = P::INPUTS.iter().find(|input| input.rank != 2) {
        return Err(format!("it reads a tensor of {} dimensions; images of rows and columns are timed", input.rank));
    }
    let infos = P::INPUTS.iter().map(|input| input.info(&[options.height, options.width]));
    let infos = infos.collect::<Result<Vec<_>, _>>()?;
    let [chain, alone] = chains::<P>(&infos)?;
    let mut images = Images::new(infos, &chain)?;
    let bytes = images.inputs.iter().chain(&images.outputs).map(|image| image.info().size_in_bytes()).sum();
    let mut ways = ways(&chain, &alone, bytes);
    let is_fast = ways.iter().filter_map(Timed::chain).any(is_fast);
    let mut expected: Option<Vec<Allocation>> = None;
    for way in &mut ways {
        images.outputs = outputs(&chain)?;
        way.run(&mut images);
        if way.chain().is_none() {
            continue;
        }
        let found = std::mem::take(&mut images.outputs);
        let agrees = expected.as_ref().map_or(Ok(()), |expected| agree(expected, &found, is_fast));
        if let Err(what) = agrees {
            way.run = Err(format!("differs from the kernels one by one: {what}"));
        }
        expected.get_or_insert(found);
    }
    images.outputs = outputs(&chain)?;
    rounds(options, &mut ways, &mut images);
    Ok(PipelineTimes { bytes, ways: ways.into_iter().map(WayTimes::from).collect() })
}

/// The chain of a pipeline and that of its kernels, with the first values that they take.
fn chains<P: Pipeline>(infos: &[TensorInfo]) -> Result<[ChainBuilder; 2], String> {
    let mut why = String::new();
    for seed in 0..ATTEMPTS {
        match P::chains(infos, &mut Draw::new(Random::new(seed))) {
            Ok(chains) => return Ok(chains),
            Err(error) => why = error.to_string(),
        }
    }
    Err(why)
}

/// What a pipeline reads and writes.
struct Images {
    inputs: Vec<Allocation>,
    outputs: Vec<Allocation>,
}

impl Images {
    fn new(infos: Vec<TensorInfo>, chain: &ChainBuilder) -> Result<Self, String> {
        let mut random = Random::new(0);
        let inputs = infos.into_iter().map(|info| filled(info, &mut || random.next_u32() as u8));
        Ok(Self { inputs: inputs.collect::<Result<_, _>>()?, outputs: outputs(chain)? })
    }
}

fn outputs(chain: &ChainBuilder) -> Result<Vec<Allocation>, String> {
    chain.infer().into_iter().map(|info| filled(info, &mut || 0xa5)).collect()
}

/// A way to run a pipeline, or a copy.
enum PipelineRun {
    Chain(Composite, Box<dyn Scheduler>),
    Copy(HostCopy),
}

impl TimedRun<Images> for PipelineRun {
    fn run(&mut self, Images { inputs, outputs }: &mut Images) -> Result<f64, String> {
        match self {
            PipelineRun::Chain(composite, scheduler) => {
                let read: Vec<AnyView<'_>> = inputs.iter().map(Allocation::view).collect();
                let mut written: Vec<AnyViewMut<'_>> = outputs.iter_mut().map(Allocation::view_mut).collect();
                composite.run(&**scheduler, &read, &mut written).map_err(told)?;
            }
            PipelineRun::Copy(copy) => copy.run(),
        }
        Ok(1.0)
    }
}

impl Timed<PipelineRun> {
    fn chain(&self) -> Option<&Composite> {
        match &self.run {
            Ok(PipelineRun::Chain(composite, _)) => Some(composite),
            Ok(PipelineRun::Copy(_)) | Err(_) => None,
        }
    }
}

/// Whether a kernel of a chain may round as its target does.
fn is_fast(composite: &Composite) -> bool {
    let kernels = composite.chain().stages().iter().filter_map(|stage| stage.generated());
    kernels.into_iter().any(|kernel| kernel.plan().spec().fast)
}

/// Every way on this processor.
fn ways(chain: &ChainBuilder, alone: &ChainBuilder, bytes: usize) -> Vec<Timed<PipelineRun>> {
    let whole = Whole::immediate(Arc::new(Heap));
    let bands = InBands { cache: band::CACHE };
    let run = |chain: &ChainBuilder, executor: &dyn Executor, scheduler: Box<dyn Scheduler>| {
        chain.clone().compose(executor).map(|composite| PipelineRun::Chain(composite, scheduler)).map_err(told)
    };
    let copy = |all_threads| Ok(PipelineRun::Copy(HostCopy::new(bytes, all_threads)));
    let mut ways = vec![
        Timed::new("one by one, 1 thread".into(), run(alone, &whole, Box::new(Serial))),
        Timed::new("in bands, 1 thread".into(), run(alone, &bands, Box::new(Serial))),
        Timed::new("pipeline, 1 thread".into(), run(chain, &OnProcessor, Box::new(Serial))),
        Timed::new("copy, 1 thread".into(), copy(false)),
    ];
    let threads = Rayon::new().num_threads();
    if threads > 1 {
        ways.extend([
            Timed::new(format!("one by one, {threads} threads"), run(alone, &whole, Box::new(Rayon::new()))),
            Timed::new(format!("pipeline, {threads} threads"), run(chain, &OnProcessor, Box::new(Rayon::new()))),
            Timed::new(format!("copy, {threads} threads"), copy(true)),
        ]);
    }
    ways
}
