//! The object that Python calls for a pipeline: its kernels as one operator.

use crate::{
    array::Lent,
    border,
    error::exception,
    numpy,
    options::{Options, Out, scheduled},
    output::{another_number, returned},
    signature::{Parameter, Role, bind},
};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyDict, PyList, PyTuple},
};
use windrow::{
    AnyView, AnyViewMut, Border, Element, Error, Tensor, TensorInfo, ValidRegion,
    chain::{ChainBuilder, Executor, Function, OnProcessor},
    tensor::DType,
};

/// What stands for a parameter of a pipeline, by its type in Rust.
pub trait Argument {
    /// What `chain` of the pipeline takes for it.
    type Taken<'a>;
    /// The type of the numbers of an image, and the channels of its pixels; `None` for another value.
    const IMAGE: Option<(DType, u32)>;
    /// What the documentation says that it takes.
    const TAKES: &'static str;

    /// What is handed over for an object that was given for the parameter `name`.
    ///
    /// # Errors
    /// The object is something else.
    fn taken<'a>(name: &str, given: &'a Given<'_>) -> PyResult<Self::Taken<'a>>;
}

/// What a call gives for a parameter.
pub enum Given<'py> {
    /// What lies in an array.
    Image(TensorInfo),
    /// A value.
    Value(Bound<'py, PyAny>),
}

impl<T: Element, const N: usize> Argument for &Tensor<T, N> {
    type Taken<'a> = &'a TensorInfo;
    const IMAGE: Option<(DType, u32)> = Some((T::TYPE, T::CHANNELS));
    const TAKES: &'static str = "array";

    fn taken<'a>(name: &str, given: &'a Given<'_>) -> PyResult<&'a TensorInfo> {
        match given {
            Given::Image(info) => expected_type(name, info.dtype(), T::TYPE).map(|()| info),
            Given::Value(_) => Err(PyTypeError::new_err(format!("`{name}` is a value, expected an array"))),
        }
    }
}

fn expected_type(name: &str, found: DType, expected: DType) -> PyResult<()> {
    match found == expected {
        true => Ok(()),
        false => Err(PyTypeError::new_err(format!("`{name}` holds {found}, expected {expected}"))),
    }
}

/// A value that Python's own rules convert.
trait Plain: Sized {
    const TAKES: &'static str;
    fn of(object: &Bound<'_, PyAny>) -> Option<Self>;
}

macro_rules! plain {
    ($($ty:ty: $takes:literal),* $(,)?) => {$(
        impl Plain for $ty {
            const TAKES: &'static str = $takes;

            fn of(object: &Bound<'_, PyAny>) -> Option<Self> {
                object.extract().ok()
            }
        }

        impl Argument for $ty {
            type Taken<'a> = $ty;
            const IMAGE: Option<(DType, u32)> = None;
            const TAKES: &'static str = <$ty as Plain>::TAKES;

            fn taken(name: &str, given: &Given<'_>) -> PyResult<$ty> {
                value(name, given, <$ty as Plain>::TAKES, <$ty as Plain>::of)
            }
        }
    )*};
}

plain! {
    u8: "uint8", i8: "int8", u16: "uint16", i16: "int16", u32: "uint32", i32: "int32", u64: "uint64", i64: "int64",
    usize: "int", f32: "float32", f64: "float64", bool: "bool",
}

/// An array of numbers: a sequence, or an array of NumPy's.
impl<T: Plain, const N: usize> Plain for [T; N] {
    const TAKES: &'static str = "sequence of numbers";

    fn of(object: &Bound<'_, PyAny>) -> Option<Self> {
        let items = object.try_iter().ok()?.map(|item| T::of(&item.ok()?)).collect::<Option<Vec<T>>>()?;
        items.try_into().ok()
    }
}

impl<T: Plain, const N: usize> Argument for [T; N] {
    type Taken<'a> = [T; N];
    const IMAGE: Option<(DType, u32)> = None;
    const TAKES: &'static str = <Self as Plain>::TAKES;

    fn taken(name: &str, given: &Given<'_>) -> PyResult<[T; N]> {
        value(name, given, <Self as Plain>::TAKES, <Self as Plain>::of)
    }
}

impl Argument for Border {
    type Taken<'a> = Border;
    const IMAGE: Option<(DType, u32)> = None;
    const TAKES: &'static str = "border";

    fn taken(name: &str, given: &Given<'_>) -> PyResult<Border> {
        match given {
            Given::Value(object) => border::border(object),
            Given::Image(_) => Err(PyTypeError::new_err(format!("`{name}` is an array, expected a border"))),
        }
    }
}

fn value<T>(
    name: &str,
    given: &Given<'_>,
    takes: &str,
    of: impl FnOnce(&Bound<'_, PyAny>) -> Option<T>,
) -> PyResult<T> {
    let Given::Value(object) = given else {
        return Err(PyTypeError::new_err(format!("`{name}` is an array, expected {takes}")));
    };
    of(object).ok_or_else(|| {
        let is_array = object.getattr("ndim").is_ok_and(|rank| rank.extract::<usize>().is_ok_and(|rank| rank > 0));
        let found = match is_array {
            true => "an array".into(),
            false => object.repr().map_or_else(|_| String::new(), |text| text.to_string()),
        };
        let message = format!("`{name}` is {found}, expected {takes}");
        // A number that the type lacks is a value; anything else is of another type.
        match object.hasattr("__index__") {
            Ok(true) if !is_array => PyValueError::new_err(message),
            _ => PyTypeError::new_err(message),
        }
    })
}

/// The error of a call that gives fewer arguments than there are parameters: `Call` gives one for each.
pub fn missing() -> PyErr {
    PyTypeError::new_err("an argument is missing")
}

/// A parameter of a pipeline.
#[derive(Clone, Copy, Debug)]
pub struct Described {
    /// Its name.
    pub name: &'static str,
    /// What an image of it holds; `None` for another value.
    pub image: Option<(DType, u32)>,
    /// What it takes, in words.
    pub takes: &'static str,
}

/// A pipeline as [`python!`](crate::python) describes it.
#[derive(Clone, Copy)]
pub struct Description {
    /// Its path.
    pub path: &'static str,
    /// Its documentation, line by line.
    pub docs: &'static [&'static str],
    /// Its parameters.
    pub parameters: &'static [Described],
    /// Its chain for what is given, in the order of the parameters.
    pub chain: fn(&[Given<'_>]) -> PyResult<ChainBuilder>,
}

// A pipeline as a function over arrays. Each has documentation of its own, which the type's would hide.
#[pyclass(frozen, module = "windrow")]
pub struct Pipeline {
    described: Description,
    parameters: Vec<Parameter>,
    package: &'static str,
}

impl Pipeline {
    /// The pipeline of a package.
    pub fn new(described: Description, package: &'static str) -> Pipeline {
        let mut images = 0..;
        let parameter = |known: &Described| {
            let image = known.image.and_then(|_| images.next());
            Parameter { names: vec![known.name], role: image.map_or(Role::Value, Role::Image), required: true }
        };
        let parameters = described.parameters.iter().map(parameter).collect();
        Pipeline { described, parameters, package }
    }

    /// Its name: the last of its path.
    pub fn name(&self) -> &'static str {
        self.described.path.rsplit(':').next().unwrap_or_default().trim()
    }
}

/// An array that a call writes.
struct Written<'py> {
    object: Bound<'py, PyAny>,
    lent: Lent,
    info: TensorInfo,
}

/// The arguments of a call.
struct Call<'py> {
    given: Vec<Given<'py>>,
    /// The arrays that are read, by the names of their parameters.
    images: Vec<(&'static str, Lent, TensorInfo)>,
    out: Vec<Out<'py>>,
    threads: usize,
}

impl<'py> Call<'py> {
    fn new(
        pipeline: &Pipeline,
        positional: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Call<'py>> {
        let name = pipeline.name();
        let (objects, options) = bind(name, &pipeline.parameters, positional, named)?;
        for (option, _) in &options {
            if !["out", "threads"].contains(&&*option.to_cow()?) {
                return Err(PyTypeError::new_err(format!("`{name}` has no argument `{option}`")));
            }
        }
        let Options { out, threads, .. } = Options::of(name, options)?;
        let mut call = Call { given: Vec::new(), images: Vec::new(), out, threads };
        for (known, object) in pipeline.described.parameters.iter().zip(objects) {
            let object = object
                .ok_or_else(|| PyTypeError::new_err(format!("`{name}` needs an argument for `{}`", known.name)))?;
            let Some((_, channels)) = known.image else {
                call.given.push(Given::Value(object));
                continue;
            };
            let lent = Lent::of(&object, known.name)?;
            let info = lent.info(known.name, channels)?;
            call.given.push(Given::Image(info));
            call.images.push((known.name, lent, info));
        }
        Ok(call)
    }

    /// The arrays that are written: those given, and new ones.
    fn outputs(&self, py: Python<'py>, name: &str, infos: &[TensorInfo]) -> PyResult<Vec<Written<'py>>> {
        if !self.out.is_empty() && self.out.len() != infos.len() {
            return Err(another_number(name, infos.len(), self.out.len()));
        }
        let output = |(index, info): (usize, &TensorInfo)| {
            let object = match self.out.get(index) {
                Some(Out::Array(object)) => object.clone(),
                Some(Out::Omitted) => {
                    return Err(PyTypeError::new_err(format!("`{name}` writes all of its outputs: none is left out")));
                }
                Some(Out::New) | None => {
                    let mut extents = info.shape().extents().to_vec();
                    extents.extend((info.channels() > 1).then_some(info.channels() as usize));
                    let is_whole = info.valid_region() == ValidRegion::whole(info.shape());
                    numpy::new(py, !is_whole, &extents, info.dtype())?
                }
            };
            self.written(object, info)
        };
        infos.iter().enumerate().map(output).collect()
    }

    /// An array that is written, where `expected` is what the pipeline writes.
    fn written(&self, object: Bound<'py, PyAny>, expected: &TensorInfo) -> PyResult<Written<'py>> {
        let lent = Lent::of(&object, "out")?;
        let refused = |rule: String| Err(PyValueError::new_err(rule));
        if lent.is_read_only() {
            return refused("the output `out` is read-only".into());
        }
        expected_type("out", lent.dtype(), expected.dtype())?;
        let info = lent.info("out", expected.channels())?;
        if info.shape() != expected.shape() {
            return refused(format!("`out` has the shape {}, expected {}", info.shape(), expected.shape()));
        }
        let view = lent.view(info).map_err(exception)?;
        for (name, image, read) in &self.images {
            if view.shares_memory(&image.view(*read).map_err(exception)?) {
                return refused(format!("the output `out` shares memory with `{name}`"));
            }
        }
        Ok(Written { object, lent, info })
    }
}

#[pymethods]
impl Pipeline {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let call = Call::new(self, args, kwargs)?;
        let chain = (self.described.chain)(&call.given)?;
        let infos = chain.infer();
        let composed = OnProcessor.compile(chain).map_err(exception)?;
        let mut outputs = call.outputs(py, self.name(), &infos)?;
        let inputs = call.images.iter().map(|(_, lent, info)| lent.view(*info));
        let inputs = inputs.collect::<Result<Vec<AnyView<'_>>, _>>().map_err(exception)?;
        let targets = outputs.iter_mut().map(|written| written.lent.view_mut(written.info));
        let mut targets = targets.collect::<Result<Vec<AnyViewMut<'_>>, _>>().map_err(exception)?;
        let run = || scheduled(call.threads, |scheduler| composed.run(scheduler, &inputs, &mut targets));
        py.detach(run).map_err(|error| exception(Error::from(error)))?;
        drop(targets);
        returned(py, outputs.into_iter().map(|written| written.object).collect())
    }

    /// The names of the parameters that are read as arrays.
    #[getter]
    fn images(&self) -> Vec<&'static str> {
        let images = self.described.parameters.iter().filter(|known| known.image.is_some());
        images.map(|known| known.name).collect()
    }

    #[getter]
    fn __name__(&self) -> &'static str {
        self.name()
    }

    #[getter]
    fn __qualname__(&self) -> &'static str {
        self.name()
    }

    #[getter]
    fn __module__(&self) -> &'static str {
        self.package
    }

    #[getter]
    fn __doc__(&self) -> String {
        let lines = self.described.docs.iter().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end());
        let mut text = lines.collect::<Vec<_>>().join("\n");
        text.push_str("\n\nParameters\n----------\n");
        for known in self.described.parameters {
            let takes = match known.image {
                None => known.takes.to_string(),
                Some((dtype, channels)) => {
                    let pixels = if channels > 1 {
                        format!(" with {channels} channels in the last axis")
                    } else {
                        String::new()
                    };
                    format!("array of {}{pixels}", numpy::name(dtype).unwrap_or(dtype.name()))
                }
            };
            text.push_str(&format!("{} : {takes}\n", known.name));
        }
        text.push_str(
            "out : array or tuple of arrays, optional\n    Where the results go. In a tuple, `None` stands for a new array.\n\
             threads : int, optional\n    Threads that share the work; as many as there are cores by default.\n",
        );
        text
    }

    #[getter]
    fn __signature__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let inspect = py.import("inspect")?;
        let parameter = inspect.getattr("Parameter")?;
        let all = PyList::empty(py);
        for known in self.described.parameters {
            all.append(parameter.call1((known.name, parameter.getattr("POSITIONAL_OR_KEYWORD")?))?)?;
        }
        let options = PyDict::new(py);
        options.set_item("default", py.None())?;
        for name in ["out", "threads"] {
            all.append(parameter.call((name, parameter.getattr("KEYWORD_ONLY")?), Some(&options))?)?;
        }
        inspect.getattr("Signature")?.call1((all,))
    }

    fn __repr__(&self) -> String {
        format!("<windrow pipeline {}.{}>", self.package, self.name())
    }

    /// It is found again by its name in its module, in another process too.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&'static str, &'static str))> {
        let module = py.import(self.package)?;
        Ok((module.getattr("_operator")?, (self.package, self.name())))
    }
}
