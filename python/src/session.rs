//! Networks over arrays, by the calls that onnxruntime has.

use std::{fs, io, path::PathBuf, sync::Arc};

use pyo3::{
    exceptions::{PyMemoryError, PyRuntimeError, PyTypeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyDict, PyString},
};
use windrow::{
    AnyView, AnyViewMut, TensorInfo,
    opencl::{DeviceMemory, OpenClError},
    tensor::DType,
};
use windrow_graph::{
    DevicePlan, DevicePlanError, Model, Plan, PlanError, PlanFileError, PlanOptions, Requantization, RunOnDeviceError,
    RunPlanError,
};
use windrow_pymodule::__rt::{Device, Lent, asarray, dtype_name, exception, new, scheduled};

/// What the type stub says of this module.
const STUB: &str = include_str!("session.pyi");

/// An input or an output of a network.
#[pyclass(frozen, module = "windrow")]
struct NodeArg {
    own_name: String,
    info: TensorInfo,
}

#[pymethods]
impl NodeArg {
    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.own_name
    }

    /// Its extents, outermost first.
    #[getter]
    fn shape(&self) -> Vec<usize> {
        self.info.shape().extents().to_vec()
    }

    /// The type of its elements, as onnxruntime writes it: `tensor(float)` or `tensor(int8)`.
    #[getter]
    fn r#type(&self) -> String {
        let element = match self.info.dtype() {
            DType::F32 => "float",
            other => dtype_name(other).unwrap_or(other.name()),
        };
        format!("tensor({element})")
    }

    fn __repr__(&self) -> String {
        format!("NodeArg(name='{}', type='{}', shape={:?})", self.own_name, self.r#type(), self.shape())
    }
}

/// A network that is planned once and runs many times: a file of ONNX or TFLite, the bytes of one, or the folder of a plan.
///
/// `threads` share a run, as many as there are cores where none are said. `shapes` has the extents of inputs that the file leaves open, by
/// name. `requantization` says how sums of integers of 8 bits become such integers again in a network of TFLite: "integer" as its reference
/// kernels, "float" as XNNPACK. With a `device` the network's constants and intermediates lie there, and it runs there with the processor's
/// bits. Several threads of a program may share a session; one of their runs goes on at a time.
#[pyclass(frozen, module = "windrow")]
struct Session {
    plan: Arc<Plan>,
    place: Place,
}

/// What a network runs on.
enum Place {
    Processor { threads: usize },
    Device { device: Device, plan: DevicePlan },
}

/// How a network is planned.
struct Asked {
    /// Extents by the names of inputs.
    shapes: Vec<(String, Vec<usize>)>,
    requantization: Option<Requantization>,
}

/// Where a network comes from.
enum Source {
    Bytes(Vec<u8>),
    Path(PathBuf),
}

#[pymethods]
impl Session {
    #[new]
    #[pyo3(signature = (path_or_bytes, *, threads = None, shapes = None, requantization = None, device = None))]
    fn new(
        path_or_bytes: &Bound<'_, PyAny>,
        threads: Option<&Bound<'_, PyAny>>,
        shapes: Option<&Bound<'_, PyDict>>,
        requantization: Option<&str>,
        device: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Session> {
        let source = match path_or_bytes.cast::<PyBytes>() {
            Ok(bytes) => Source::Bytes(bytes.as_bytes().to_vec()),
            Err(_) => Source::Path(path_or_bytes.extract().map_err(|_| {
                wrong("path_or_bytes", path_or_bytes, "the path of a network, or the bytes of its file")
            })?),
        };
        let (device, threads) = (device.map(on_device).transpose()?, threads.map(number_of_threads).transpose()?);
        if let (Some(device), Some(threads)) = (&device, threads) {
            let message = format!("`threads` is {threads}, but a session on {} has no threads", device.label());
            return Err(PyTypeError::new_err(message));
        }
        let shapes = shapes.map_or_else(|| Ok(Vec::new()), extents)?;
        let requantization = match requantization {
            None => None,
            Some("integer") => Some(Requantization::Integer),
            Some("float") => Some(Requantization::Float),
            Some(other) => {
                let message = format!("`requantization` can't be `{other}`, it is one of `integer`, `float`");
                return Err(PyValueError::new_err(message));
            }
        };
        path_or_bytes.py().detach(|| {
            let plan = Arc::new(planned(source, &Asked { shapes, requantization })?);
            let place = match device {
                None => Place::Processor { threads: threads.unwrap_or(0) },
                Some(device) => {
                    let memory = DeviceMemory::new(device.gpu().context());
                    Place::Device { plan: DevicePlan::new(Arc::clone(&plan), &memory).map_err(of_device)?, device }
                }
            };
            Ok(Session { plan, place })
        })
    }

    /// Returns the inputs, in the network's order.
    fn get_inputs(&self) -> Vec<NodeArg> {
        arguments(self.plan.inputs())
    }

    /// Returns the outputs, in the network's order.
    fn get_outputs(&self) -> Vec<NodeArg> {
        arguments(self.plan.outputs())
    }

    /// Runs the network: the outputs of these names, or all of them for `None`, of inputs by name.
    ///
    /// Inputs are read where they lie, if their elements lie side by side, and copied otherwise. The outputs are new arrays. The interpreter's
    /// lock is released meanwhile.
    fn run<'py>(
        &self,
        py: Python<'py>,
        output_names: Option<Vec<String>>,
        input_feed: &Bound<'py, PyDict>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let asked = self.asked(output_names)?;
        let inputs = self.inputs(input_feed)?;
        let views = inputs.iter().map(|(lent, info)| lent.view(*info)).collect::<Result<Vec<_>, _>>();
        let views = views.map_err(exception)?;
        let mut outputs = Vec::new();
        for (name, info) in self.plan.outputs() {
            let array = new(py, false, &info.shape().extents(), info.dtype())?;
            let lent = Lent::of(&array, name)?;
            outputs.push((array, lent, *info));
        }
        let written = outputs.iter_mut().map(|(_, lent, info)| lent.view_mut(*info)).collect::<Result<Vec<_>, _>>();
        let mut written = written.map_err(exception)?;
        py.detach(|| self.compute(&views, &mut written))?;
        drop(written);
        Ok(asked.into_iter().filter_map(|place| outputs.get(place)).map(|(array, ..)| array.clone()).collect())
    }

    fn __repr__(&self) -> String {
        let steps = self.plan.steps().len();
        match &self.place {
            Place::Processor { .. } => format!("<windrow session of {steps} steps>"),
            Place::Device { device, .. } => format!("<windrow session of {steps} steps on {}>", device.label()),
        }
    }
}

impl Session {
    /// Runs the network where it is.
    fn compute(&self, inputs: &[AnyView<'_>], outputs: &mut [AnyViewMut<'_>]) -> PyResult<()> {
        match &self.place {
            Place::Processor { threads } => {
                scheduled(*threads, |scheduler| self.plan.run(scheduler, inputs, outputs)).map_err(of_run)
            }
            Place::Device { plan, .. } => plan.run(inputs, outputs).map_err(of_run_on_device),
        }
    }

    /// The places of the outputs that are asked for.
    fn asked(&self, names: Option<Vec<String>>) -> PyResult<Vec<usize>> {
        let Some(names) = names else { return Ok((0..self.plan.outputs().len()).collect()) };
        let place = |name: &String| {
            let found = self.plan.outputs().position(|(own, _)| own == name);
            found.ok_or_else(|| {
                let known = listed(self.plan.outputs().map(|(name, _)| name));
                PyValueError::new_err(format!("the network has no output `{name}`, its outputs are {known}"))
            })
        };
        names.iter().map(place).collect()
    }

    /// The memory of each input, in the network's order, and what lies there.
    fn inputs(&self, given: &Bound<'_, PyDict>) -> PyResult<Vec<(Lent, TensorInfo)>> {
        for name in given.keys() {
            let name = name.cast::<PyString>().map_err(|_| wrong("input_feed", &name, "names of inputs"))?.to_cow()?;
            if !self.plan.inputs().any(|(own, _)| own == name) {
                let known = listed(self.plan.inputs().map(|(name, _)| name));
                let message = format!("the network has no input `{name}`, its inputs are {known}");
                return Err(PyValueError::new_err(message));
            }
        }
        let lent = |(name, info): (&str, &TensorInfo)| {
            let Some(object) = given.get_item(name)? else {
                return Err(PyValueError::new_err(format!("the network reads `{name}`, which is not given")));
            };
            Ok((input(name, info, &object)?, *info))
        };
        self.plan.inputs().map(lent).collect()
    }
}

/// The memory of an array that is read as an input, without gaps.
fn input(name: &str, info: &TensorInfo, object: &Bound<'_, PyAny>) -> PyResult<Lent> {
    let lent = Lent::of(object, name)?;
    if lent.dtype() != info.dtype() {
        let (found, expected) = (lent.dtype().name(), info.dtype().name());
        return Err(PyTypeError::new_err(format!("`{name}` holds {found}, expected {expected}")));
    }
    let expected = info.shape().extents();
    if lent.extents() != &expected[..] {
        let message = format!("`{name}` has the shape {:?}, expected {:?}", lent.extents(), &expected[..]);
        return Err(PyValueError::new_err(message));
    }
    if lent.is_contiguous() { Ok(lent) } else { Lent::of(&asarray(object, None)?, name) }
}

/// The device that a network goes to.
fn on_device(device: &Bound<'_, PyAny>) -> PyResult<Device> {
    device.extract().map_err(|_| wrong("device", device, "a `windrow.Device`, or `None` for the processor"))
}

fn number_of_threads(threads: &Bound<'_, PyAny>) -> PyResult<usize> {
    let found = threads.extract().ok().filter(|threads| *threads > 0);
    found.ok_or_else(|| wrong("threads", threads, "a number of threads from 1, or `None` for one a core"))
}

/// Extents by name.
fn extents(shapes: &Bound<'_, PyDict>) -> PyResult<Vec<(String, Vec<usize>)>> {
    let one = |(name, shape): (Bound<'_, PyAny>, Bound<'_, PyAny>)| match (name.extract(), shape.extract()) {
        (Ok(name), Ok(shape)) => Ok((name, shape)),
        _ => Err(wrong("shapes", &shape, "extents by the names of inputs")),
    };
    shapes.iter().map(one).collect()
}

/// Reads a network and plans it.
fn planned(source: Source, Asked { shapes, requantization }: &Asked) -> PyResult<Plan> {
    let bytes = match source {
        Source::Bytes(bytes) => bytes,
        Source::Path(path) if path.is_dir() => {
            if !shapes.is_empty() || requantization.is_some() {
                let message = "`shapes` and `requantization` are none of a plan's, which has its own";
                return Err(PyValueError::new_err(message));
            }
            return Plan::load(&path).map_err(of_file);
        }
        Source::Path(path) => fs::read(&path)
            .map_err(|error| io::Error::new(error.kind(), format!("cannot read `{}`: {error}", path.display())))?,
    };
    let value = |error: windrow_graph::ModelError| PyValueError::new_err(error.to_string());
    let mut model = Model::from_bytes(&bytes).map_err(value)?;
    for (name, extents) in shapes {
        model.set_input_shape(name, extents).map_err(value)?;
    }
    let mut options = PlanOptions::default();
    options.requantization = requantization.unwrap_or_default();
    model.plan_with(&options).map_err(|error| of_plan(&error))
}

fn of_plan(error: &PlanError) -> PyErr {
    match error {
        PlanError::Memory { .. } | PlanError::Intermediates(_) => PyMemoryError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

fn of_file(error: PlanFileError) -> PyErr {
    match &error {
        PlanFileError::Io { error: cause, .. } => io::Error::new(cause.kind(), error.to_string()).into(),
        PlanFileError::Plan(error) => of_plan(error),
        _ => PyValueError::new_err(error.to_string()),
    }
}

fn of_run(error: RunPlanError) -> PyErr {
    match &error {
        RunPlanError::Intermediates(_) => PyMemoryError::new_err(error.to_string()),
        _ => exception(error),
    }
}

fn of_device(error: DevicePlanError) -> PyErr {
    let message = error.to_string();
    match error {
        DevicePlanError::Step { error, .. } => match *error {
            windrow::Error::Other(cause) if cause.is::<OpenClError>() => PyRuntimeError::new_err(message),
            _ => PyValueError::new_err(message),
        },
        DevicePlanError::Tensor(error) => exception(error),
        _ => PyRuntimeError::new_err(message),
    }
}

fn of_run_on_device(error: RunOnDeviceError) -> PyErr {
    match error {
        RunOnDeviceError::Plan(error) => of_run(error),
        RunOnDeviceError::Tensor(error) => exception(error),
        error => PyRuntimeError::new_err(error.to_string()),
    }
}

fn arguments<'a>(named: impl Iterator<Item = (&'a str, &'a TensorInfo)>) -> Vec<NodeArg> {
    named.map(|(name, info)| NodeArg { own_name: name.to_owned(), info: *info }).collect()
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn wrong(name: &str, value: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    let found = value.repr().map_or_else(|_| String::new(), |text| text.to_string());
    PyTypeError::new_err(format!("`{name}` is {found}, expected {expected}"))
}

/// Puts networks into the module, behind the operators.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Session>()?;
    module.add_class::<NodeArg>()?;
    let operators: String = module.getattr("STUB")?.extract()?;
    module.setattr("STUB", operators + STUB)
}
