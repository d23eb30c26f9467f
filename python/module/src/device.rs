//! OpenCL devices, and arrays that stay on them.

use crate::{
    array::{Lent, no_channels},
    error::exception,
    numpy,
};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyInt, PyTuple},
};
use windrow::{
    TensorInfo, ValidRegion,
    family::AnyTensor,
    opencl::{Context, DeviceImage, Devices, Gpu, OpenClError},
    tensor::DType,
};

/// An OpenCL device: `Device()` is the one that windrow chooses, `Device(1)` one by its place in `devices()`, `Device("name")` one whose
/// name has this part.
#[pyclass(frozen, module = "windrow", from_py_object)]
#[derive(Clone)]
pub struct Device {
    gpu: Gpu,
    name: String,
    index: usize,
}

/// An array in a device's memory. Operators take it, and what they return stays there.
#[pyclass(frozen, module = "windrow")]
pub struct DeviceArray {
    device: Device,
    /// Of one channel: a last axis of channels is an axis.
    image: DeviceImage,
}

#[pymethods]
impl Device {
    #[new]
    #[pyo3(signature = (which = None))]
    fn new(py: Python<'_>, which: Option<Bound<'_, PyAny>>) -> PyResult<Device> {
        let (index, part) = match &which {
            None => (None, None),
            Some(which) if which.is_instance_of::<PyInt>() => (Some(which.extract::<usize>()?), None),
            Some(which) => (None, Some(which.extract::<String>()?)),
        };
        let open = || -> Result<Device, OpenClError> {
            let devices = Devices::find()?;
            let device = match (index, &part) {
                (Some(index), _) => devices.by_index(index)?,
                (None, Some(part)) => devices.by_name(part)?,
                (None, None) => devices.choose()?,
            };
            let gpu = Gpu::new(&Context::new(device)?);
            Ok(Device { gpu, name: device.caps.name.clone(), index: device.index })
        };
        py.detach(open).map_err(exception)
    }

    /// What the driver calls it.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Its place in `devices()`.
    #[getter]
    fn index(&self) -> usize {
        self.index
    }

    /// Copies an array to the device.
    fn upload(&self, py: Python<'_>, array: &Bound<'_, PyAny>) -> PyResult<DeviceArray> {
        let lent = Lent::of(array, "array")?;
        let info = lent.info("array", 1)?;
        if info.shape().is_empty() {
            return Err(PyValueError::new_err(format!("`array` is empty: its shape is {}", info.shape())));
        }
        let view = lent.view(info).map_err(exception)?;
        let copy = || {
            let whole = TensorInfo::new(info.dtype(), 1, &info.shape().extents())?;
            let image = self.gpu.image(&whole)?;
            image.write(&view)?;
            Ok::<_, OpenClError>(image)
        };
        let image = py.detach(copy).map_err(exception)?;
        Ok(DeviceArray { device: self.clone(), image })
    }

    /// Waits until everything is done that was asked of the device.
    fn synchronize(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.gpu.context().sync()).map_err(exception)
    }

    fn __repr__(&self) -> String {
        format!("<windrow.Device {}: {}>", self.index, self.name)
    }
}

impl Device {
    /// The handle of the device.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// As it stands in messages.
    pub fn label(&self) -> String {
        format!("device {} ({})", self.index, self.name)
    }

    /// A new array: of zeros, or of whatever is there.
    pub fn array(&self, dtype: DType, extents: &[usize], zeros: bool) -> PyResult<DeviceArray> {
        let info = TensorInfo::new(dtype, 1, extents).map_err(exception)?;
        let image = self.gpu.image(&info).map_err(exception)?;
        if zeros {
            let blank = AnyTensor::new(&info).map_err(exception)?;
            image.write(&blank.view()).map_err(exception)?;
        }
        Ok(DeviceArray { device: self.clone(), image })
    }
}

#[pymethods]
impl DeviceArray {
    /// The extents, outermost first.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.extents())
    }

    /// NumPy's type of a number.
    #[getter(dtype)]
    fn numpy_dtype<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(numpy::dtype(py, self.dtype())?.cloned())
    }

    /// The number of axes.
    #[getter]
    fn ndim(&self) -> usize {
        self.extents().len()
    }

    /// Where it lies.
    #[getter]
    fn device(&self) -> Device {
        self.device.clone()
    }

    /// Copies the array to the processor's memory: into `out`, or into a new array.
    #[pyo3(signature = (out = None))]
    fn download<'py>(&self, py: Python<'py>, out: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let object = match out {
            Some(out) => out,
            None => numpy::new(py, false, &self.extents(), self.dtype())?,
        };
        let mut lent = Lent::of(&object, "out")?;
        let info = lent.info("out", 1)?;
        if lent.is_read_only() {
            return Err(PyValueError::new_err("the output `out` is read-only"));
        }
        let own = self.image.info();
        if info.dtype() != own.dtype() || info.shape() != own.shape() {
            return Err(PyValueError::new_err(format!(
                "`out` holds {} of {}, expected {} of {}",
                info.dtype(),
                info.shape(),
                own.dtype(),
                own.shape()
            )));
        }
        let mut view = lent.view_mut(info).map_err(exception)?;
        let region = ValidRegion::whole(own.shape());
        py.detach(|| self.image.download(&region, &mut view)).map_err(exception)?;
        Ok(object)
    }

    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err("an array on a device is copied to the processor's memory"));
        }
        let array = self.download(py, None)?;
        match dtype {
            None => Ok(array),
            Some(dtype) => array.call_method1("astype", (dtype,)),
        }
    }

    fn __repr__(&self) -> String {
        format!("<windrow.DeviceArray of {} {:?} on {}>", self.dtype(), self.extents(), self.device.label())
    }
}

impl DeviceArray {
    /// The extents, outermost first.
    pub fn extents(&self) -> Vec<usize> {
        self.image.info().shape().extents().to_vec()
    }

    /// The type of a number.
    pub fn dtype(&self) -> DType {
        self.image.info().dtype()
    }

    /// Where it lies.
    pub fn on_device(&self) -> &Device {
        &self.device
    }

    /// The array as an image whose pixels have so many channels.
    pub fn info(&self, argument: &str, channels: u32) -> PyResult<TensorInfo> {
        let extents = self.extents();
        let planes = match (channels, extents.split_last()) {
            (1, _) => extents.as_slice(),
            (_, Some((last, outer))) if *last == channels as usize => outer,
            _ => return Err(no_channels(argument, &extents, channels)),
        };
        TensorInfo::new(self.dtype(), channels, planes).map_err(|error| crate::error::raise(argument, error))
    }

    /// The array as a kernel on `device` takes it.
    ///
    /// # Errors
    /// It lies on another.
    pub fn on(&self, device: &Device, argument: &str, info: &TensorInfo) -> PyResult<DeviceImage> {
        if !self.device.gpu.context().is_same(device.gpu.context()) {
            return Err(PyTypeError::new_err(format!(
                "the images of one call lie in one memory: `{argument}` is another `Device`'s than the first image, which lies on {}",
                device.label()
            )));
        }
        let (buffer, offset) = (self.image.buffer().clone(), self.image.offset());
        DeviceImage::with_layout_as(buffer, offset, *info, self.image.format()).map_err(exception)
    }
}

/// An array on a device that is given for an output.
pub fn given<'py>(object: &Bound<'py, PyAny>, output: &str) -> PyResult<Bound<'py, DeviceArray>> {
    object.cast_exact::<DeviceArray>().cloned().map_err(|_| {
        PyTypeError::new_err(format!(
            "the images of one call lie in one memory: `{output}` is no array on the images' device"
        ))
    })
}

/// Lists the names of the OpenCL devices of this machine; none where it has no OpenCL.
#[pyfunction]
pub fn devices(py: Python<'_>) -> PyResult<Vec<String>> {
    let found =
        py.detach(|| Devices::find().map(|devices| devices.iter().map(|device| device.caps.name.clone()).collect()));
    match found {
        Err(error) if error.is_absence() => Ok(Vec::new()),
        found => found.map_err(exception),
    }
}
