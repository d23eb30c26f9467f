//! The seam of everything that runs: an [`Operator`] is described by the images that it reads, and lowered for a [`Target`] to
//! [`Compiled`] code, which is bound to images as a [`DynKernel`].
//!
//! ```text
//! Operator ── infer ──► what it writes            Compiled ── workspace, constants ──► the memory planner
//!          ── footprint ──► the rows it reads               ── bind ──► DynKernel ──► a scheduler runs its parts
//!          ── lower(target) ──► Compiled
//! ```
//!
//! Every generated kernel is one ([`Generated`](super::Generated)), a tiling kernel is one, and so is whatever implements the trait.
//! A chain knows nothing else of its stages.

use core::{any::Any, fmt, ops::Range};
use std::{boxed::Box, string::String, vec::Vec};

use super::{error::OperatorError, footprint::Footprint};
use crate::{
    arguments::{AnyTable, MAX_ARGUMENTS},
    element::{Element, ElementType, Scalar},
    error::RunError,
    info::TensorInfo,
    job::Images,
    kernel::{DynKernel, ThreadInfo},
    view::{AnyView, AnyViewMut, View, ViewMut},
    window::Window,
};

/// What can be a stage of a chain: generated, written by hand, or of another crate.
///
/// ```
/// use windrow::{TensorInfo, RunError};
/// use windrow::chain::{Arguments, Compiled, Operator, OperatorError, Processor, RunBound, Target};
/// use windrow::schedule::{DynKernel, Splits, ThreadInfo};
/// use windrow::{AnyView, ViewMut, Window};
/// use std::sync::Mutex;
///
/// /// The sum of an image's bytes, as an image of one element.
/// #[derive(Debug)]
/// struct Sum;
///
/// impl Operator for Sum {
///     fn name(&self) -> &str {
///         "sum"
///     }
///
///     fn infer(&self, inputs: &[TensorInfo]) -> Result<Vec<Option<TensorInfo>>, OperatorError> {
///         let [_] = inputs else { return Err(OperatorError::InputCount { found: inputs.len(), expected: 1 }) };
///         Ok(vec![Some(TensorInfo::of::<u32>(&[1])?)])
///     }
///
///     fn lower(&self, target: &dyn Target, _: &[TensorInfo]) -> Result<Box<dyn Compiled>, OperatorError> {
///         Processor::expect(target)?;
///         Ok(Box::new(Sum))
///     }
/// }
///
/// impl Compiled for Sum {
///     unsafe fn bind(&self, mut given: Arguments<'_>, run: &mut RunBound<'_>) -> Result<(), RunError> {
///         let out = given.output(0).and_then(|out| out.typed().ok());
///         run(&mut Bound { src: given.inputs()[0], out: Mutex::new(out) })
///     }
/// }
///
/// struct Bound<'a> {
///     src: AnyView<'a>,
///     out: Mutex<Option<ViewMut<'a, u32>>>,
/// }
///
/// impl DynKernel for Bound<'_> {
///     fn name(&self) -> &str {
///         "sum"
///     }
///
///     fn window(&self) -> Window {
///         Window::covering([0; 6], [1; 6], (1, 1))
///     }
///
///     fn splits(&self) -> Splits {
///         Splits::NONE
///     }
///
///     unsafe fn run(&self, _: &Window, _: &mut ThreadInfo<'_>) -> Result<(), RunError> {
///         let src = self.src.typed::<u8>().map_err(|_| RunError::Kernel { reason: "the image is not of bytes" })?;
///         let rows = (0..src.info().height()).filter_map(|y| src.row(y));
///         let sum = rows.flatten().map(|&byte| u32::from(byte)).sum();
///         let mut out = self.out.lock().map_err(|_| RunError::Kernel { reason: "a part panicked" })?;
///         out.iter_mut().for_each(|out| assert!(out.set([0], sum)));
///         Ok(())
///     }
/// }
/// ```
pub trait Operator: Any + Send + Sync + fmt::Debug {
    /// Returns the name that errors and lists give it.
    fn name(&self) -> &str;

    /// Returns what it writes where it reads images like `inputs`: for each output, its info with the region that is
    /// computed; `None` for one that is left out.
    ///
    /// # Errors
    /// An [`OperatorError`] where it does not take such images.
    fn infer(&self, inputs: &[TensorInfo]) -> Result<Vec<Option<TensorInfo>>, OperatorError>;

    /// Returns the rows of image `input` that rows of its outputs need. All of them, unless it says otherwise: a footprint of
    /// another type of operator counts as all.
    fn footprint(&self, input: usize) -> Footprint {
        let _ = input;
        Footprint::ALL
    }

    /// Returns the outputs that it computes in the place of an input of the same type and shape: each output and each input once.
    fn aliases(&self) -> Vec<Alias> {
        Vec::new()
    }

    /// Returns the look-up tables that it reads.
    fn tables(&self) -> Vec<TableSpec> {
        Vec::new()
    }

    /// Returns the uniforms that an earlier stage may compute.
    fn uniforms(&self) -> Vec<UniformNeed> {
        Vec::new()
    }

    /// Returns the code on `target`, for images like `inputs`.
    ///
    /// # Errors
    /// [`OperatorError::Target`] where it does not run there.
    fn lower(&self, target: &dyn Target, inputs: &[TensorInfo]) -> Result<Box<dyn Compiled>, OperatorError>;
}

/// Where operators run. An operator knows a target by its type.
pub trait Target: Any + fmt::Debug {
    /// Returns the name that errors and lists give it.
    fn name(&self) -> &str;
}

/// The processor, as a target.
#[derive(Clone, Copy, Debug, Default)]
pub struct Processor;

impl Target for Processor {
    fn name(&self) -> &str {
        "the processor"
    }
}

impl Processor {
    /// Returns whether `target` is the processor.
    pub fn is(target: &dyn Target) -> bool {
        (target as &dyn Any).is::<Processor>()
    }

    /// Refuses every other target: for an operator that runs on the processor alone.
    ///
    /// # Errors
    /// [`OperatorError::Target`].
    pub fn expect(target: &dyn Target) -> Result<(), OperatorError> {
        if Processor::is(target) {
            return Ok(());
        }
        Err(OperatorError::Target {
            target: target.name().into(),
            reason: "it has code for the processor alone".into(),
        })
    }
}

/// An output that is computed in the place of an input: the run finds the input's elements in the output, and is given no view of
/// the input. A chain copies the input first where something else still reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alias {
    /// The output's number.
    pub output: usize,
    /// The input's number.
    pub input: usize,
}

/// A look-up table that an operator reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSpec {
    /// The argument's name.
    pub name: String,
    /// The type of an entry.
    pub element: ElementType,
    /// The number of entries.
    pub length: usize,
}

/// A uniform of an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UniformNeed {
    /// The argument's name.
    pub name: String,
    /// The type of a scalar.
    pub element: ElementType,
    /// The number of scalars.
    pub length: usize,
}

/// A uniform that an earlier stage has computed.
#[derive(Clone, Debug, PartialEq)]
pub struct ComputedUniform {
    /// Its place in [`Operator::uniforms`].
    pub index: usize,
    /// Its scalars.
    pub scalars: Vec<Scalar>,
}

/// Bytes that a run needs beside its images, at a multiple of 64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Workspace {
    /// For each binding: [`Arguments::workspace`].
    pub per_run: usize,
    /// For each thread: the [`ThreadInfo::scratch`] of a part. A bound kernel may ask for no more.
    pub per_thread: usize,
}

/// What a stage of a chain gives its code, as far as it is known before there is memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    /// The images read, in argument order, save those that an output is computed in the place of.
    pub inputs: Vec<TensorInfo>,
    /// The images written, with the region that is computed; `None` for one left out.
    pub outputs: Vec<Option<TensorInfo>>,
    /// The tables, in argument order.
    pub tables: Vec<TableSpec>,
}

/// What is done with code while it is bound to its images: an executor schedules it.
pub type RunBound<'r> = dyn FnMut(&mut dyn DynKernel) -> Result<(), RunError> + 'r;

/// An operator's code for one target and one set of shapes.
///
/// A chain asks for its workspace and constants, has them planned with the intermediates, and lets it pack the constants once.
pub trait Compiled: Any + Send + Sync + fmt::Debug {
    /// Refuses images and tables that the code is not for: an operator may hand out code of another's. A chain asks before it runs
    /// any. Code that takes its images from [`Arguments`] by their types and shapes has nothing to refuse.
    ///
    /// # Errors
    /// An [`OperatorError`] that names the argument.
    fn check(&self, given: &Given) -> Result<(), OperatorError> {
        let _ = given;
        Ok(())
    }

    /// Returns what a run needs beside its images.
    fn workspace(&self) -> Workspace {
        Workspace::default()
    }

    /// Returns the bytes of each constant that it keeps for all runs: weights in the order in which its code reads
    /// them, for one.
    fn constants(&self) -> Vec<usize> {
        Vec::new()
    }

    /// Writes the constants, once. What they were made of can be dropped now.
    ///
    /// # Errors
    /// An [`OperatorError`] where they can't be made.
    fn pack(&mut self, constants: &mut [&mut [u8]]) -> Result<(), OperatorError> {
        let _ = constants;
        Ok(())
    }

    /// Returns the same code with these uniforms in the place of those that it was lowered with.
    ///
    /// # Errors
    /// An [`OperatorError`] where a value breaks a rule of the uniform, or it has no uniforms.
    fn with_uniforms(&self, uniforms: &[ComputedUniform]) -> Result<Box<dyn Compiled>, OperatorError> {
        let _ = uniforms;
        Err(OperatorError::Target { target: "a later time".into(), reason: "it has no uniforms to be computed".into() })
    }

    /// Binds the code to its images, and calls `run` once with it. A run of a chain allocates nothing, and neither should this.
    ///
    /// # Safety
    /// The images and tables are such as [`Compiled::check`] has taken, the images in the target's memory; no output shares memory
    /// with another image. The workspace and the constants have the bytes asked for.
    ///
    /// # Errors
    /// A [`RunError`] that names the argument, or that of `run`.
    unsafe fn bind(&self, arguments: Arguments<'_>, run: &mut RunBound<'_>) -> Result<(), RunError>;

    /// Runs a part: binds, and runs it at once.
    ///
    /// # Safety
    /// As [`Compiled::bind`] and [`DynKernel::run`]. Of the images only the rows need exist that [`Operator::footprint`] says of
    /// `window`'s.
    ///
    /// # Errors
    /// As these.
    unsafe fn run_part(
        &self,
        arguments: Arguments<'_>,
        window: &Window,
        thread: &mut ThreadInfo<'_>,
    ) -> Result<(), RunError> {
        // SAFETY: the caller's.
        unsafe { self.bind(arguments, &mut |kernel| kernel.run(window, thread)) }
    }
}

/// What code is bound to.
#[derive(Debug, Default)]
pub struct Arguments<'a> {
    pub(crate) images: Images<'a>,
    /// Which of the images read hold rows beyond the image where they would lie: in bands alone.
    pub(crate) unrolled: [bool; MAX_ARGUMENTS],
    pub(crate) workspace: &'a mut [u8],
    pub(crate) constants: Constants<'a>,
}

/// The constants of one stage.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Constants<'a> {
    pub bytes: &'a [u8],
    pub ranges: &'a [Range<usize>],
}

impl<'a> Arguments<'a> {
    /// Returns arguments of these images, without tables, workspace and constants: for code that needs none.
    pub fn new(inputs: &[AnyView<'a>], outputs: impl IntoIterator<Item = Option<AnyViewMut<'a>>>) -> Arguments<'a> {
        let mut arguments = Arguments::default();
        inputs.iter().for_each(|view| arguments.images.read.push(*view));
        outputs.into_iter().for_each(|view| arguments.images.write(view));
        arguments
    }

    /// Returns `self` with a further table.
    #[must_use]
    pub fn with_table(mut self, table: AnyTable<'a>) -> Arguments<'a> {
        self.images.tables.push(table);
        self
    }

    /// Returns the images read, in argument order, save those that an output is computed in the place of.
    pub fn inputs(&self) -> &[AnyView<'a>] {
        self.images.read.as_slice()
    }

    /// Returns the tables, in argument order.
    pub fn tables(&self) -> &[AnyTable<'a>] {
        self.images.tables.as_slice()
    }

    /// Returns output `index`; `None` where it is left out, there is none, or it was taken before.
    pub fn output(&mut self, index: usize) -> Option<AnyViewMut<'a>> {
        let view = self.images.written.as_mut_slice().get_mut(index)?.take()?;
        // SAFETY: the place was that of an exclusive view for 'a, and is handed out once.
        Some(unsafe { AnyViewMut::from_raw(view.base(), *view.info()) })
    }

    /// Returns input `index` as an image of `T`.
    ///
    /// # Errors
    /// [`RunError::Kernel`] where there is none of this type.
    pub fn input_of<T: Element>(&self, index: usize) -> Result<View<'a, T>, RunError> {
        let view = self.inputs().get(index).and_then(|view| view.typed().ok());
        view.ok_or(RunError::Kernel { reason: "an input is missing, or of another type" })
    }

    /// Returns output `index` as an image of `T`.
    ///
    /// # Errors
    /// [`RunError::Kernel`] where there is none of this type, it is left out, or it was taken before.
    pub fn output_of<T: Element>(&mut self, index: usize) -> Result<ViewMut<'a, T>, RunError> {
        let view = self.output(index).and_then(|view| view.typed().ok());
        view.ok_or(RunError::Kernel { reason: "an output is missing, or of another type" })
    }

    /// Returns the memory of this binding; nothing where it was taken before. What it holds at first is not said.
    pub fn workspace(&mut self) -> &'a mut [u8] {
        core::mem::take(&mut self.workspace)
    }

    /// Returns constant `index`, as it was packed.
    pub fn constant(&self, index: usize) -> Option<&'a [u8]> {
        self.constants.bytes.get(self.constants.ranges.get(index)?.clone())
    }
}
