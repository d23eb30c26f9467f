//! One call of an operator: from Python's objects to a kernel, its arguments and its run.

use crate::{
    device::{self, Device, DeviceArray},
    error::exception,
    image::Image,
    options::{Options, Out, scheduled},
    output::{self, Outputs, expected, returned, views},
    signature::{Parameter, Role, bind},
    value::Given,
};
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyDict, PyTuple},
};
use windrow::{
    InvalidConfiguration, KernelCode, TensorInfo, ValidRegion,
    family::{AnyInputs, AnyOutputs, Asked, Family, Value, Values},
    spec::{KernelPlan, Request, infer_with_uniforms},
};

/// What a call was given, in the order of the kernels of its family.
pub struct Call<'py, 'f> {
    family: &'f Family,
    images: Vec<(&'static str, Image)>,
    inouts: Vec<(usize, Bound<'py, PyAny>)>,
    values: Vec<(&'static str, Given)>,
    options: Options<'py>,
}

/// The kernel of a call, what its images hold, and what it is configured with.
pub struct Chosen<'a> {
    pub code: &'static KernelCode,
    pub infos: Vec<TensorInfo>,
    pub values: Values<'a>,
}

impl<'py, 'f> Call<'py, 'f> {
    /// Reads the arguments of a call.
    pub fn new(
        family: &'f Family,
        parameters: &[Parameter],
        positional: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Call<'py, 'f>> {
        let (given, options) = bind(family.name(), parameters, positional, named)?;
        let options = Options::of(family.name(), options)?;
        let mut call = Call { family, images: Vec::new(), inouts: Vec::new(), values: Vec::new(), options };
        for (parameter, object) in parameters.iter().zip(given) {
            let name = parameter.names[0];
            match (parameter.role, object) {
                (Role::Value, None) => {}
                (Role::Image(_), None) if !parameter.required => {}
                (Role::Value, Some(object)) => {
                    call.values.push((name, Given::of(family, name, &object)?));
                }
                (Role::Image(_), Some(object)) => call.images.push((name, Image::of(&object, name)?)),
                (Role::InOut(output), Some(object)) => call.inouts.push((output, object)),
                (Role::Image(_) | Role::InOut(_), None) => {
                    return Err(PyTypeError::new_err(format!("`{}` needs an array for `{name}`", family.name())));
                }
            }
        }
        Ok(call)
    }

    /// The values by name, borrowing from what was given.
    pub fn values(&self) -> Vec<(&'static str, Value<'_>)> {
        self.values.iter().map(|(name, given)| (*name, given.value())).collect()
    }

    /// The kernel that fits: a last axis that is as long as some kernel's pixels is read as their channels where that fits better.
    pub fn choose<'a>(&self, values: &[(&'static str, Value<'a>)]) -> PyResult<Chosen<'a>> {
        let mut first_error = None;
        let mut tried: Vec<Vec<u32>> = Vec::new();
        for code in self.family.members() {
            let channels: Vec<u32> = code.spec().read_images().map(|(_, input)| input.channels).collect();
            let is_alone = self.family.members().len() == 1;
            let fits = || {
                let mut pairs = self.images.iter().zip(&channels);
                self.images.len() == channels.len() && pairs.all(|((_, image), &channels)| image.has_channels(channels))
            };
            if tried.contains(&channels) || !(is_alone || fits()) {
                continue;
            }
            match self.member(&channels, values) {
                Ok(chosen) => return Ok(chosen),
                Err(error) => first_error.get_or_insert(error),
            };
            tried.push(channels);
        }
        Err(first_error.unwrap_or_else(|| {
            PyTypeError::new_err(format!("`{}` has no kernel for arrays of these shapes", self.family.name()))
        }))
    }

    fn member<'a>(&self, channels: &[u32], values: &[(&'static str, Value<'a>)]) -> PyResult<Chosen<'a>> {
        let infos = self.images.iter().zip(channels).map(|((name, image), &channels)| image.info(name, channels));
        let infos: Vec<TensorInfo> = infos.collect::<PyResult<_>>()?;
        let read: Vec<&TensorInfo> = infos.iter().collect();
        // Outputs that are there say their type as `dtype` would.
        let given = self.options.out.iter().find_map(|out| match out {
            Out::Array(object) => Some(object),
            Out::New | Out::Omitted => None,
        });
        let output = match (self.options.dtype, given) {
            (None, Some(object)) if self.family.members().len() > 1 => {
                let dtype = Image::of(object, "out")?.dtype();
                windrow::ElementType::ALL.into_iter().find(|element| element.dtype() == dtype)
            }
            (asked, _) => asked,
        };
        let asked = Asked { inputs: &read, outputs: &[], output, size: self.options.size, values };
        let code = self.family.member(&asked).map_err(exception)?;
        let values = self.family.values(code, values).map_err(exception)?;
        Ok(Chosen { code, infos, values })
    }

    /// Runs the kernel that fits, without the interpreter's lock, and returns its outputs.
    pub fn run(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let values = self.values();
        let chosen = self.choose(&values)?;
        if let Some(device) = self.images.iter().find_map(|(_, image)| image.device()) {
            return self.run_on(py, device, &chosen);
        }
        let mut outputs = self.outputs(py, &chosen)?;
        let written: Vec<Option<TensorInfo>> =
            outputs.iter().map(|output| output.as_ref().map(|output| output.info)).collect();
        let plan = self.plan(&chosen, &written)?;
        let window = self.options.window(&plan)?;
        let inputs =
            self.images.iter().zip(&chosen.infos).filter_map(|((_, image), info)| Some(image.lent()?.view(*info)));
        let inputs = inputs.collect::<Result<Vec<_>, _>>().map_err(exception)?;
        let mut targets = views(&mut outputs)?;
        let (threads, tables) = (self.options.threads, &chosen.values.tables);
        let run = || {
            let inputs = AnyInputs { views: &inputs, tables };
            scheduled(threads, |scheduler| match &window {
                None => plan.run(scheduler, inputs, AnyOutputs(&mut targets)),
                Some(window) => plan.run_window(scheduler, inputs, AnyOutputs(&mut targets), window),
            })
        };
        py.detach(run).map_err(exception)?;
        drop(targets);
        returned(py, outputs.into_iter().flatten().map(|output| output.object).collect())
    }

    /// Runs the kernel on the device where its images lie, and returns when that is enqueued.
    fn run_on(&self, py: Python<'py>, device: &Device, chosen: &Chosen<'_>) -> PyResult<Bound<'py, PyAny>> {
        let spec = chosen.code.spec();
        if self.options.region.is_some() || self.options.threads != 0 {
            return Err(PyTypeError::new_err("`region` and `threads` are options of arrays in the processor's memory"));
        }
        let inputs = self.images.iter().zip(&chosen.infos).map(|((name, image), info)| image.on(device, name, info));
        let inputs = inputs.collect::<PyResult<Vec<_>>>()?;
        let mut outputs: Vec<Option<Bound<'py, DeviceArray>>> = Vec::new();
        for (index, out) in expected(spec, &self.options.out)?.into_iter().enumerate() {
            let inout = self.inouts.iter().find(|(output, _)| *output == index).map(|(_, object)| object);
            outputs.push(match (inout, &out) {
                (Some(object), _) | (None, Out::Array(object)) => {
                    Some(device::given(object, spec.outputs[index].name)?)
                }
                (None, Out::Omitted) => None,
                (None, Out::New) => {
                    let (mut extents, is_whole) = self.extents(chosen)?;
                    let output = &spec.outputs[index];
                    if output.channels > 1 {
                        extents.push(output.channels as usize);
                    }
                    Some(Bound::new(py, device.array(output.element.dtype(), &extents, !is_whole)?)?)
                }
            });
        }
        let infos = outputs.iter().zip(spec.outputs).map(|(output, described)| {
            output.as_ref().map(|output| output.get().info(described.name, described.channels)).transpose()
        });
        let infos = infos.collect::<PyResult<Vec<_>>>()?;
        let written = outputs.iter().zip(&infos).zip(spec.outputs).map(|((output, info), described)| {
            let (Some(output), Some(info)) = (output, info) else { return Ok(None) };
            output.get().on(device, described.name, info).map(Some)
        });
        let written = written.collect::<PyResult<Vec<_>>>()?;
        let plan = self.plan(chosen, &infos)?;
        let tables = &chosen.values.tables;
        py.detach(|| device.gpu().run(&plan, &inputs, tables, &written)).map_err(exception)?;
        returned(py, outputs.into_iter().flatten().map(Bound::into_any).collect())
    }

    /// The outputs: those that are given, and new ones.
    fn outputs(&self, py: Python<'py>, chosen: &Chosen<'_>) -> PyResult<Outputs<'py>> {
        let spec = chosen.code.spec();
        let mut made = None;
        let mut outputs = Vec::with_capacity(spec.outputs.len());
        for (index, out) in expected(spec, &self.options.out)?.into_iter().enumerate() {
            let inout = self.inouts.iter().find(|(output, _)| *output == index).map(|(_, object)| object);
            outputs.push(match (inout, &out) {
                (Some(object), _) | (None, Out::Array(object)) => Some(output::given(spec, index, object)?),
                (None, Out::Omitted) => None,
                (None, Out::New) => {
                    let (extents, is_whole) = match made.take() {
                        Some(known) => known,
                        None => self.extents(chosen)?,
                    };
                    let output = output::new(py, spec, index, &extents, is_whole)?;
                    made = Some((extents, is_whole));
                    Some(output)
                }
            });
        }
        Ok(outputs)
    }

    /// The extents of new outputs, and whether a run writes all of their elements.
    pub fn extents(&self, chosen: &Chosen<'_>) -> PyResult<(Vec<usize>, bool)> {
        let spec = chosen.code.spec();
        let read: Vec<&TensorInfo> = chosen.infos.iter().collect();
        match infer_with_uniforms(spec, &read, &chosen.values.words, self.options.border.modes()) {
            Ok(inferred) => {
                let is_whole = inferred.valid_region() == ValidRegion::whole(inferred.shape());
                Ok((inferred.shape().extents().to_vec(), is_whole && self.options.region.is_none()))
            }
            Err(InvalidConfiguration::NoShape { kernel }) => match &self.options.shape {
                Some(shape) => Ok((shape.clone(), self.options.region.is_none())),
                None => Err(PyTypeError::new_err(format!(
                    "nothing that `{kernel}` reads says how large its result is: give `shape` or `out`"
                ))),
            },
            Err(error) => Err(exception(error)),
        }
    }

    fn plan(&self, chosen: &Chosen<'_>, written: &[Option<TensorInfo>]) -> PyResult<KernelPlan> {
        let read: Vec<&TensorInfo> = chosen.infos.iter().collect();
        let written: Vec<Option<&TensorInfo>> = written.iter().map(Option::as_ref).collect();
        let Values { words, choice, .. } = &chosen.values;
        let request = Request { inputs: &read, outputs: &written, words, choice, border: self.options.border };
        KernelPlan::new(chosen.code, &request).map_err(exception)
    }
}
