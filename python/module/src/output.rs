//! What a call writes: arrays that the caller gives, and new ones.

use crate::{array::Lent, error::exception, numpy, options::Out};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::PyTuple,
};
use windrow::{KernelSpec, TensorInfo};

/// An output of a call: the object that Python gets, the memory that it lends, and what lies there.
pub struct Output<'py> {
    pub object: Bound<'py, PyAny>,
    pub lent: Lent,
    pub info: TensorInfo,
}

/// The outputs of a call, in the kernel's order; `None` for one that is left out.
pub type Outputs<'py> = Vec<Option<Output<'py>>>;

/// What is given for output `index` of a kernel.
///
/// # Errors
/// The array can't be written, or is no image of the output's channels.
pub fn given<'py>(spec: &'static KernelSpec, index: usize, object: &Bound<'py, PyAny>) -> PyResult<Output<'py>> {
    let output = &spec.outputs[index];
    let lent = Lent::of(object, output.name)?;
    if lent.is_read_only() {
        return Err(PyValueError::new_err(format!("the output `{}` is read-only", output.name)));
    }
    let info = lent.info(output.name, output.channels)?;
    Ok(Output { object: object.clone(), lent, info })
}

/// A new array for output `index`: of zeros where a run does not write all of it.
pub fn new<'py>(
    py: Python<'py>,
    spec: &'static KernelSpec,
    index: usize,
    extents: &[usize],
    is_whole: bool,
) -> PyResult<Output<'py>> {
    let output = &spec.outputs[index];
    let mut extents = extents.to_vec();
    if output.channels > 1 {
        extents.push(output.channels as usize);
    }
    let object = numpy::new(py, !is_whole, &extents, output.element.dtype())?;
    let lent = Lent::of(&object, output.name)?;
    let info = lent.info(output.name, output.channels)?;
    Ok(Output { object, lent, info })
}

/// What `out` says for each output: as many as there are, or nothing for all.
///
/// # Errors
/// Another number of them, or an output left out that may not be.
pub fn expected<'py>(spec: &'static KernelSpec, out: &[Out<'py>]) -> PyResult<Vec<Out<'py>>> {
    if out.is_empty() {
        return Ok(vec![Out::New; spec.outputs.len()]);
    }
    let (found, expected) =
        (out.len(), spec.outputs.iter().enumerate().filter(|(index, _)| !is_inout(spec, *index)).count());
    if found != expected {
        return Err(another_number(spec.name, expected, found));
    }
    let mut left = out.iter();
    Ok((0..spec.outputs.len())
        .map(|index| match is_inout(spec, index) {
            true => Out::New,
            false => left.next().cloned().unwrap_or(Out::New),
        })
        .collect())
}

/// The error where `out` holds `found` arrays, and the operator writes `expected`.
pub fn another_number(operator: &str, expected: usize, found: usize) -> PyErr {
    let plural = if expected == 1 { "" } else { "s" };
    PyTypeError::new_err(format!("`{operator}` writes {expected} array{plural}, `out` has {found}"))
}

/// Whether output `index` is an image that is read, too.
pub fn is_inout(spec: &'static KernelSpec, index: usize) -> bool {
    spec.images().any(|(_, input)| input.inout == Some(index as u32))
}

/// What the call returns: the one output, or a tuple of those that are given.
pub fn returned<'py>(py: Python<'py>, mut objects: Vec<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
    match (objects.len(), objects.pop()) {
        (1, Some(only)) => Ok(only),
        (_, last) => {
            objects.extend(last);
            Ok(PyTuple::new(py, objects)?.into_any())
        }
    }
}

/// The outputs' memory, to write.
pub fn views<'a>(outputs: &'a mut Outputs<'_>) -> PyResult<Vec<Option<windrow::AnyViewMut<'a>>>> {
    let view = |output: &'a mut Option<Output<'_>>| {
        output.as_mut().map(|output| output.lent.view_mut(output.info)).transpose().map_err(exception)
    };
    outputs.iter_mut().map(view).collect()
}
