//! The few functions of NumPy that are called, each looked up once.

use pyo3::{
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyTuple},
};
use windrow::tensor::DType;

/// NumPy's functions, and its types by the order of [`DType::ALL`].
struct NumPy {
    empty: Py<PyAny>,
    zeros: Py<PyAny>,
    asarray: Py<PyAny>,
    dtypes: Vec<Option<Py<PyAny>>>,
}

static NUMPY: PyOnceLock<NumPy> = PyOnceLock::new();

fn numpy(py: Python<'_>) -> PyResult<&NumPy> {
    NUMPY.get_or_try_init(py, || {
        let module = py.import("numpy")?;
        let dtype = module.getattr("dtype")?;
        let dtypes = DType::ALL.map(|dtype_| name(dtype_).map(|name| Ok(dtype.call1((name,))?.unbind())).transpose());
        Ok(NumPy {
            empty: module.getattr("empty")?.unbind(),
            zeros: module.getattr("zeros")?.unbind(),
            asarray: module.getattr("asarray")?.unbind(),
            dtypes: dtypes.into_iter().collect::<PyResult<_>>()?,
        })
    })
}

/// What NumPy calls a type; it has no `bf16`.
pub fn name(dtype: DType) -> Option<&'static str> {
    Some(match dtype {
        DType::U8 => "uint8",
        DType::I8 => "int8",
        DType::U16 => "uint16",
        DType::I16 => "int16",
        DType::U32 => "uint32",
        DType::I32 => "int32",
        DType::U64 => "uint64",
        DType::I64 => "int64",
        DType::F16 => "float16",
        DType::F32 => "float32",
        DType::F64 => "float64",
        DType::Bool => "bool",
        _ => return None,
    })
}

/// The type of NumPy's name, or of windrow's own.
pub fn dtype_of(name_given: &str) -> Option<DType> {
    DType::ALL.into_iter().find(|dtype| dtype.name() == name_given || name(*dtype) == Some(name_given))
}

/// NumPy's object for a type.
pub fn dtype<'py>(py: Python<'py>, dtype: DType) -> PyResult<Option<&'py Bound<'py, PyAny>>> {
    let place = DType::ALL.iter().position(|known| *known == dtype);
    let dtypes = &numpy(py)?.dtypes;
    Ok(place.and_then(|place| dtypes.get(place)?.as_ref()).map(|dtype| dtype.bind(py)))
}

/// A new array of these extents: of zeros, or of whatever is there.
pub fn new<'py>(py: Python<'py>, zeros: bool, extents: &[usize], of: DType) -> PyResult<Bound<'py, PyAny>> {
    let numpy = numpy(py)?;
    let function = if zeros { &numpy.zeros } else { &numpy.empty };
    function.bind(py).call1((PyTuple::new(py, extents)?, dtype(py, of)?))
}

/// `numpy.asarray`, contiguous, of a type where one is asked for.
pub fn asarray<'py>(object: &Bound<'py, PyAny>, of: Option<DType>) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let options = PyDict::new(py);
    options.set_item("order", "C")?;
    if let Some(of) = of {
        options.set_item("dtype", dtype(py, of)?)?;
    }
    numpy(py)?.asarray.bind(py).call((object,), Some(&options))
}
