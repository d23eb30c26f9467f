//! The object that Python calls: a kernel, or a family of them.

use crate::{
    call::Call,
    describe::{self, documentation, is_option},
    device::{Device, DeviceArray, devices},
    numpy,
    options::NAMES,
    pipeline::{Description, Pipeline},
    signature::{Parameter, Role, parameters},
    stub,
};
use pyo3::{
    prelude::*,
    types::{PyDict, PyList, PyModule, PyString, PyTuple},
};
use windrow::family::{Family, Registry};

// A kernel or a family of kernels as a function over arrays. Each has documentation of its own, which the type's would hide.
#[expect(missing_docs, reason = "see above")]
#[pyclass(frozen, module = "windrow")]
pub struct Operator {
    family: Family,
    parameters: Vec<Parameter>,
    package: &'static str,
}

#[pymethods]
impl Operator {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Call::new(&self.family, &self.parameters, args, kwargs)?.run(py)
    }

    /// Returns what a call with these arguments would run: the kernel's specification, and the shape and type of each new output.
    ///
    /// Nothing is computed. Arrays count by their shapes and types alone.
    #[pyo3(signature = (*args, **kwargs))]
    fn infer<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyList>)> {
        let call = Call::new(&self.family, &self.parameters, args, kwargs)?;
        let values = call.values();
        let chosen = call.choose(&values)?;
        let (extents, _) = call.extents(&chosen)?;
        let outputs = PyList::empty(py);
        for output in chosen.code.spec().outputs {
            let mut extents = extents.clone();
            if output.channels > 1 {
                extents.push(output.channels as usize);
            }
            outputs.append((PyTuple::new(py, extents)?, numpy::dtype(py, output.element.dtype())?))?;
        }
        Ok((describe::spec(py, chosen.code.spec())?, outputs))
    }

    /// The specifications of the kernels, of which arrays choose one.
    #[getter]
    fn kernels<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.family.members().iter().map(|code| describe::spec(py, code.spec())).collect()
    }

    /// The names of the parameters that are read as arrays.
    #[getter]
    fn images(&self) -> Vec<&'static str> {
        let is_image = |parameter: &&Parameter| matches!(parameter.role, Role::Image(_));
        self.parameters.iter().filter(is_image).map(|parameter| parameter.names[0]).collect()
    }

    #[getter]
    fn __name__(&self) -> &'static str {
        self.family.name()
    }

    #[getter]
    fn __qualname__(&self) -> &'static str {
        self.family.name()
    }

    #[getter]
    fn __module__(&self) -> &'static str {
        self.package
    }

    #[getter]
    fn __doc__(&self) -> String {
        documentation(&self.family, &self.parameters)
    }

    #[getter]
    fn __signature__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let inspect = py.import("inspect")?;
        let parameter = inspect.getattr("Parameter")?;
        let (either, keyword) = (parameter.getattr("POSITIONAL_OR_KEYWORD")?, parameter.getattr("KEYWORD_ONLY")?);
        let all = PyList::empty(py);
        let default = |value: Bound<'py, PyAny>| -> PyResult<Bound<'py, PyDict>> {
            let options = PyDict::new(py);
            options.set_item("default", value)?;
            Ok(options)
        };
        for own in &self.parameters {
            let options = if own.required { None } else { Some(default(py.None().into_bound(py))?) };
            all.append(parameter.call((own.names[0], &either), options.as_ref())?)?;
        }
        for name in NAMES.iter().filter(|name| is_option(&self.family, &self.parameters, name)) {
            let value = match *name {
                "border" => PyString::new(py, "undefined").into_any(),
                _ => py.None().into_bound(py),
            };
            all.append(parameter.call((*name, &keyword), Some(&default(value)?))?)?;
        }
        inspect.getattr("Signature")?.call1((all,))
    }

    fn __repr__(&self) -> String {
        format!("<windrow operator {}.{}>", self.package, self.family.name())
    }

    /// It is found again by its name in its module, in another process too.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&'static str, &'static str))> {
        let module = py.import(self.package)?;
        Ok((module.getattr("_operator")?, (self.package, self.family.name())))
    }
}

/// Fills a module with the operators of a registry, and with pipelines.
pub fn register(
    module: &Bound<'_, PyModule>,
    package: &'static str,
    registry: &Registry,
    pipelines: &[Description],
) -> PyResult<()> {
    let names = PyList::empty(module.py());
    for family in registry.operators() {
        let name = family.name();
        let parameters = parameters(&family);
        module.add(name, Operator { family, parameters, package })?;
        names.append(name)?;
    }
    for described in pipelines {
        let pipeline = Pipeline::new(*described, package);
        let name = pipeline.name();
        module.add(name, pipeline)?;
        names.append(name)?;
    }
    module.add("OPERATORS", names)?;
    module.add("STUB", stub::text(registry))?;
    module.add("Operator", module.py().get_type::<Operator>())?;
    module.add("Pipeline", module.py().get_type::<Pipeline>())?;
    module.add("Device", module.py().get_type::<Device>())?;
    module.add("DeviceArray", module.py().get_type::<DeviceArray>())?;
    module.add_function(wrap_pyfunction!(devices, module)?)?;
    module.add_function(wrap_pyfunction!(_operator, module)?)
}

/// Returns the operator of this name of a package: what unpickles one.
#[pyfunction]
fn _operator<'py>(package: &Bound<'py, PyString>, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
    package.py().import(package)?.getattr(name)
}
