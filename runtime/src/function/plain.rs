//! Operators in plain Rust: a stage that can't be a kernel, because what it does goes through an image in an order of its own.

use core::{any::Any, fmt};
use std::{
    boxed::Box,
    format,
    string::ToString,
    sync::{Mutex, PoisonError},
    vec::Vec,
};

use super::{
    error::OperatorError,
    operator::{Arguments, Compiled, Operator, Processor, RunBound, Target},
};
use crate::{
    error::RunError,
    info::TensorInfo,
    kernel::{DynKernel, Splits, ThreadInfo},
    limits::MAX_DIMENSIONS,
    region::ValidRegion,
    window::Window,
};

/// An [`Operator`] that is one safe function over whole images, on one thread of the processor.
///
/// Everything that implements it is an operator. Memory that the function needs beside its images is an output that no stage reads: it is
/// planned with the intermediates, and has a type. Images of which only a part is valid are refused.
///
/// ```
/// use windrow::{RunError, TensorInfo};
/// use windrow::chain::{Arguments, OperatorError, PlainOperator};
///
/// /// Each element of a list, without those that equal the one before; how many are left.
/// #[derive(Clone, Debug)]
/// struct Distinct;
///
/// impl PlainOperator for Distinct {
///     fn name(&self) -> &str {
///         "distinct"
///     }
///
///     fn infer(&self, inputs: &[TensorInfo]) -> Result<Vec<TensorInfo>, OperatorError> {
///         let [list] = inputs else { return Err(OperatorError::InputCount { found: inputs.len(), expected: 1 }) };
///         Ok(vec![TensorInfo::of::<i32>(&list.shape().extents())?, TensorInfo::of::<i32>(&[1])?])
///     }
///
///     fn run(&self, mut given: Arguments<'_>) -> Result<(), RunError> {
///         let gap = RunError::Kernel { reason: "a list has a gap" };
///         let (list, mut out, mut count) = (given.input_of::<i32>(0)?, given.output_of(0)?, given.output_of(1)?);
///         let (list, out) = (list.row(0).ok_or(gap)?, out.row_mut(0).ok_or(gap)?);
///         let is_first = |index: &usize| *index == 0 || list[*index] != list[*index - 1];
///         let distinct = (0..list.len()).filter(is_first).zip(&mut *out).map(|(index, out)| *out = list[index]);
///         let left = distinct.count() as i32;
///         count.set([0usize], left).then_some(()).ok_or(gap)
///     }
/// }
/// ```
pub trait PlainOperator: Any + Clone + Send + Sync + fmt::Debug {
    /// Returns the name that errors and lists give it.
    fn name(&self) -> &str;

    /// Returns what it writes where it reads images like `inputs`.
    ///
    /// # Errors
    /// An [`OperatorError`] where it does not take such images.
    fn infer(&self, inputs: &[TensorInfo]) -> Result<Vec<TensorInfo>, OperatorError>;

    /// Computes its outputs. A run of a chain allocates nothing, and neither should this.
    ///
    /// # Errors
    /// A [`RunError`] that names what is wrong.
    fn run(&self, arguments: Arguments<'_>) -> Result<(), RunError>;
}

impl<P: PlainOperator> Operator for P {
    fn name(&self) -> &str {
        PlainOperator::name(self)
    }

    fn infer(&self, inputs: &[TensorInfo]) -> Result<Vec<Option<TensorInfo>>, OperatorError> {
        for (index, input) in inputs.iter().enumerate() {
            if input.valid_region() != ValidRegion::whole(input.shape()) {
                let found = format!("valid in {} of {}", input.valid_region(), input.shape());
                let rule = "all of it is read: its crop is valid everywhere".to_string();
                return Err(OperatorError::Input { argument: format!("input {index}"), found, rule });
            }
        }
        Ok(PlainOperator::infer(self, inputs)?.into_iter().map(Some).collect())
    }

    fn lower(&self, target: &dyn Target, inputs: &[TensorInfo]) -> Result<Box<dyn Compiled>, OperatorError> {
        Processor::expect(target)?;
        Operator::infer(self, inputs)?;
        Ok(Box::new(PlainCode(self.clone())))
    }
}

/// The code of a plain operator, which is the operator.
#[derive(Debug)]
struct PlainCode<P>(P);

impl<P: PlainOperator> Compiled for PlainCode<P> {
    unsafe fn bind(&self, arguments: Arguments<'_>, run: &mut RunBound<'_>) -> Result<(), RunError> {
        run(&mut BoundPlain { operator: &self.0, arguments: Mutex::new(Some(arguments)) })
    }
}

/// A plain operator with its images, until its only part has run.
struct BoundPlain<'a, P> {
    operator: &'a P,
    arguments: Mutex<Option<Arguments<'a>>>,
}

impl<P: PlainOperator> DynKernel for BoundPlain<'_, P> {
    fn name(&self) -> &str {
        PlainOperator::name(self.operator)
    }

    fn window(&self) -> Window {
        Window::covering([0; MAX_DIMENSIONS], [1; MAX_DIMENSIONS], (1, 1))
    }

    fn splits(&self) -> Splits {
        Splits::NONE
    }

    unsafe fn run(&self, _: &Window, _: &mut ThreadInfo<'_>) -> Result<(), RunError> {
        let arguments = self.arguments.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.operator.run(arguments.ok_or(RunError::Kernel { reason: "its only part has run" })?)
    }
}
