//! The options of every call: `out`, `border`, `threads`, and those that choose a kernel or a part of the work.

use crate::{border, numpy};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyBool, PyInt, PySlice, PyString, PyTuple},
};
use windrow::{Border, Borders, ElementType, Rayon, Scheduler, Serial, ValidRegion, Window, spec::KernelPlan};

/// The names of the options.
pub const NAMES: [&str; 7] = ["out", "border", "threads", "dtype", "size", "shape", "region"];

/// What a call says beside the kernel's own arguments.
pub struct Options<'py> {
    /// What is given for each output; empty where nothing is.
    pub out: Vec<Out<'py>>,
    /// What is read outside the images.
    pub border: Borders,
    /// Threads; 0 for as many as there are cores.
    pub threads: usize,
    /// The type of the outputs, where one is asked for.
    pub dtype: Option<ElementType>,
    /// Columns and rows of the neighbourhood, where they are asked for.
    pub size: Option<(u32, u32)>,
    /// The outputs' shape, where no image says it.
    pub shape: Option<Vec<usize>>,
    /// The part to compute: the start and the end along each dimension, outermost first.
    pub region: Option<Vec<(Option<usize>, Option<usize>)>>,
}

/// What is given for an output.
#[derive(Clone)]
pub enum Out<'py> {
    /// Nothing: a new array.
    New,
    /// `False`: it is left out.
    Omitted,
    /// An array.
    Array(Bound<'py, PyAny>),
}

impl<'py> Options<'py> {
    /// Reads the options of a call.
    pub fn of(operator: &str, given: Vec<(Bound<'py, PyString>, Bound<'py, PyAny>)>) -> PyResult<Options<'py>> {
        let mut options = Options {
            out: Vec::new(),
            border: Border::Undefined.into(),
            threads: 0,
            dtype: None,
            size: None,
            shape: None,
            region: None,
        };
        for (name, value) in given {
            options.set(operator, &name.to_cow()?, value)?;
        }
        Ok(options)
    }

    fn set(&mut self, operator: &str, name: &str, value: Bound<'py, PyAny>) -> PyResult<()> {
        if !NAMES.contains(&name) {
            return Err(PyTypeError::new_err(format!("`{operator}` has no argument `{name}`")));
        }
        if value.is_none() {
            return Ok(());
        }
        match name {
            "out" => self.out = outputs(value)?,
            "border" => self.border = border::borders(&value)?,
            "threads" => self.threads = threads(&value)?,
            "dtype" => self.dtype = Some(element_type(&value)?),
            "size" => self.size = Some(value.extract().map_err(|_| wrong(name, &value, "(columns, rows)"))?),
            "shape" => self.shape = Some(value.extract().map_err(|_| wrong(name, &value, "extents, outermost first"))?),
            _ => self.region = Some(region(&value)?),
        }
        Ok(())
    }

    /// The window of the part that is asked for; `None` for the whole.
    pub fn window(&self, plan: &KernelPlan) -> PyResult<Option<Window>> {
        let Some(region) = &self.region else { return Ok(None) };
        let extents = plan.shape().extents();
        if region.len() > extents.len() {
            let message = format!("`region` has {} dimensions, the outputs have {}", region.len(), extents.len());
            return Err(PyValueError::new_err(message));
        }
        let missing = extents.len() - region.len();
        let ranges = extents.iter().enumerate().map(|(dimension, &extent)| {
            let asked = dimension.checked_sub(missing).and_then(|place| region.get(place)).copied();
            let (start, end) = asked.unwrap_or((None, None));
            start.unwrap_or(0)..end.unwrap_or(extent).min(extent)
        });
        let ranges = ranges.collect::<Vec<_>>();
        let asked = ValidRegion::from_ranges(&ranges).map_err(crate::error::exception)?;
        let asked = asked.intersect(&plan.valid_region());
        Ok(Some(Window::maximal(&asked, plan.spec().step)))
    }
}

/// Runs `run` on so many threads; 0 for as many as there are cores.
pub fn scheduled<R>(threads: usize, run: impl FnOnce(&dyn Scheduler) -> R) -> R {
    match threads {
        1 => run(&Serial),
        threads => {
            let scheduler = Rayon::new();
            scheduler.set_num_threads(threads);
            run(&scheduler)
        }
    }
}

fn wrong(name: &str, value: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    let found = value.repr().map_or_else(|_| String::new(), |text| text.to_string());
    PyTypeError::new_err(format!("`{name}` is {found}, expected {expected}"))
}

fn outputs(value: Bound<'_, PyAny>) -> PyResult<Vec<Out<'_>>> {
    match value.cast_into::<PyTuple>() {
        Ok(tuple) => tuple.iter().map(output).collect(),
        Err(error) => Ok(vec![output(error.into_inner())?]),
    }
}

fn output(value: Bound<'_, PyAny>) -> PyResult<Out<'_>> {
    match value.cast::<PyBool>() {
        _ if value.is_none() => Ok(Out::New),
        Ok(given) if !given.is_true() => Ok(Out::Omitted),
        Ok(_) => Err(wrong("out", &value, "an array, `None` for a new one, or `False` to leave the output out")),
        Err(_) => Ok(Out::Array(value)),
    }
}

fn threads(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    match value.cast::<PyInt>().ok().and_then(|value| value.extract::<usize>().ok()) {
        Some(threads @ 1..) => Ok(threads),
        _ => Err(wrong("threads", value, "a number of threads from 1, or `None` for one a core")),
    }
}

/// A type by NumPy's name, by windrow's own, or as an object that `numpy.dtype` takes.
fn element_type(value: &Bound<'_, PyAny>) -> PyResult<ElementType> {
    let known = |name: &str| {
        let dtype = numpy::dtype_of(name)?;
        ElementType::ALL.into_iter().find(|element| element.dtype() == dtype)
    };
    if let Some(element) = value.cast::<PyString>().ok().and_then(|name| known(&name.to_string())) {
        return Ok(element);
    }
    let object = value.py().import("numpy")?.getattr("dtype")?.call1((value,))?;
    let name: String = object.getattr("name")?.extract()?;
    known(&name).ok_or_else(|| PyTypeError::new_err(format!("no kernel writes {name}")))
}

/// Slices without steps, one a dimension.
fn region(value: &Bound<'_, PyAny>) -> PyResult<Vec<(Option<usize>, Option<usize>)>> {
    let other =
        || wrong("region", value, "slices with a start and an end from 0 and no step, outermost dimension first");
    let one = |part: &Bound<'_, PyAny>| -> PyResult<(Option<usize>, Option<usize>)> {
        let slice = part.cast::<PySlice>().map_err(|_| other())?;
        let bound = |name: &str| slice.getattr(name)?.extract::<Option<usize>>().map_err(|_| other());
        match slice.getattr("step")?.extract::<Option<isize>>()? {
            None | Some(1) => Ok((bound("start")?, bound("stop")?)),
            Some(_) => Err(other()),
        }
    };
    match value.cast::<PyTuple>() {
        Ok(parts) => parts.iter().map(|part| one(&part)).collect(),
        Err(_) => Ok(vec![one(value)?]),
    }
}
