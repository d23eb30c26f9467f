//! Executors: what a chain becomes so that it runs, on the processor or elsewhere.

use core::fmt;
use std::{boxed::Box, sync::Arc, vec::Vec};

use super::{
    builder::ChainBuilder, chain::Chain, error::FunctionError, listing::Listing, simple::Function, stage::Stage,
};
use crate::{
    band::{CACHE, InBands},
    info::TensorInfo,
    memory::{Allocator, Heap, MemoryManager, MemoryRecording},
    schedule::Scheduler,
    view::{AnyView, AnyViewMut},
};

/// Decides how a chain runs and where its intermediates lie.
///
/// This crate has two, [`Whole`] and [`InBands`](crate::band::InBands). Another crate's reads what it needs of
/// [`Chain::stages`] and [`Chain::values`].
///
/// ```
/// use windrow::{chain::{CACHE, InBands}, chain::{ChainBuilder, Composite, FunctionError, Executor, Whole}, memory::Heap};
/// use std::sync::Arc;
///
/// fn finish(chain: ChainBuilder, is_large: bool) -> Result<Composite, FunctionError> {
///     let executor: &dyn Executor = if is_large { &InBands { cache: CACHE } } else { &Whole::immediate(Arc::new(Heap)) };
///     executor.compile(chain)
/// }
/// ```
pub trait Executor {
    /// Returns the chain, ready to run.
    ///
    /// # Errors
    /// A [`FunctionError`] where the chain can't run so.
    fn compile(&self, chain: ChainBuilder) -> Result<Composite, FunctionError>;
}

/// A chain that an [`Executor`] has made ready to run.
pub trait Executable: Function + fmt::Debug + Send {
    /// Returns the chain that runs.
    fn chain(&self) -> &Chain;

    /// Returns what a run does, in order.
    fn listing(&self) -> Listing {
        Listing::of_stages(self.chain().stages().iter().map(Stage::name), "the processor")
    }
}

/// A function of several kernels, whatever executes it.
#[derive(Debug)]
pub struct Composite(Box<dyn Executable>);

impl Composite {
    /// Returns what an executor made.
    pub fn new(executable: impl Executable + 'static) -> Composite {
        Composite(Box::new(executable))
    }

    /// Returns the chain that runs.
    pub fn chain(&self) -> &Chain {
        self.0.chain()
    }

    /// Returns what a run does, in order: which operator runs where, and what is copied. It can be printed.
    pub fn listing(&self) -> Listing {
        self.0.listing()
    }

    /// Returns the tensors that the executable writes for inputs like `inputs`, as a kernel's `infer` does.
    ///
    /// # Errors
    /// [`FunctionError::ImageCount`] or [`FunctionError::Image`] where it is not made for these.
    pub fn infer(&self, inputs: &[&TensorInfo]) -> Result<Vec<TensorInfo>, FunctionError> {
        self.chain().infer(inputs)
    }

    /// Checks that the executable reads tensors like `inputs` and writes ones like `outputs`, as a kernel's `validate` does.
    ///
    /// # Errors
    /// As [`Composite::infer`], and for the outputs.
    pub fn validate(&self, inputs: &[&TensorInfo], outputs: &[&TensorInfo]) -> Result<(), FunctionError> {
        self.chain().validate(inputs, outputs)
    }
}

impl Function for Composite {
    fn prepare(&self) -> Result<(), FunctionError> {
        self.0.prepare()
    }

    fn run(
        &self,
        scheduler: &dyn Scheduler,
        inputs: &[AnyView<'_>],
        outputs: &mut [AnyViewMut<'_>],
    ) -> Result<(), FunctionError> {
        self.0.run(scheduler, inputs, outputs)
    }
}

impl ChainBuilder {
    /// Returns the chain, as `executor` runs it.
    ///
    /// # Errors
    /// Those of [`Executor::compile`].
    pub fn compose(self, executor: &dyn Executor) -> Result<Composite, FunctionError> {
        executor.compile(self)
    }
}

/// The executor that runs kernel by kernel, each over its whole image.
///
/// All memory is planned when a chain is compiled: a run allocates none.
#[derive(Clone)]
pub struct Whole {
    memory: Memory,
    threads: Option<usize>,
}

#[derive(Clone)]
enum Memory {
    Managed(Arc<MemoryManager>),
    Immediate(Arc<dyn Allocator>),
}

impl Whole {
    /// Returns `self` with intermediates in a pool of the manager, which is populated when all functions are
    /// configured.
    pub fn managed(manager: Arc<MemoryManager>) -> Whole {
        Whole { memory: Memory::Managed(manager), threads: None }
    }

    /// Returns `self` with intermediates each in memory of its own, allocated at once; one run goes at a time.
    pub fn immediate(allocator: Arc<dyn Allocator>) -> Whole {
        Whole { memory: Memory::Immediate(allocator), threads: None }
    }

    /// Returns `self` with scratch for this many threads, where a kernel needs scratch: such a kernel runs on no more
    /// of a scheduler's. Without this, for as many as the processor has.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Whole {
        Whole { threads: Some(threads), ..self }
    }
}

impl Executor for Whole {
    fn compile(&self, chain: ChainBuilder) -> Result<Composite, FunctionError> {
        let memory = match &self.memory {
            Memory::Managed(manager) => MemoryRecording::managed(manager),
            Memory::Immediate(allocator) => MemoryRecording::immediate(Arc::clone(allocator)),
        };
        let memory = match self.threads {
            Some(threads) => memory.for_threads(threads),
            None => memory,
        };
        Ok(Composite::new(chain.finish(memory)?))
    }
}

/// The executor that runs on the processor in the way that suits a chain: in bands where every stage can, otherwise stage by stage,
/// each over its whole image.
#[derive(Clone, Copy, Debug, Default)]
pub struct OnProcessor;

impl Executor for OnProcessor {
    fn compile(&self, chain: ChainBuilder) -> Result<Composite, FunctionError> {
        // A stage alone has no intermediates, which bands would keep in the cache.
        if chain.stage_names().len() > 1 {
            match (InBands { cache: CACHE }).compile(chain.clone()) {
                Err(FunctionError::Refused { .. } | FunctionError::Planes { .. }) => {}
                compiled => return compiled,
            }
        }
        Whole::immediate(Arc::new(Heap)).compile(chain)
    }
}

impl fmt::Debug for Whole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let memory = match &self.memory {
            Memory::Managed(_) => "managed",
            Memory::Immediate(_) => "immediate",
        };
        f.debug_struct("Whole").field("memory", &memory).field("threads", &self.threads).finish()
    }
}

impl Executable for Chain {
    fn chain(&self) -> &Chain {
        self
    }
}
