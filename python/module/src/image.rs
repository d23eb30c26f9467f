//! An image of a call: memory that Python lends, or an array on a device.

use crate::{
    array::Lent,
    device::{Device, DeviceArray},
};
use pyo3::{exceptions::PyTypeError, prelude::*};
use windrow::{TensorInfo, opencl::DeviceImage, tensor::DType};

/// An image of a call.
pub enum Image {
    /// In the processor's memory.
    Lent(Lent),
    /// On a device.
    Device(Py<DeviceArray>),
}

impl Image {
    /// What `object` is, which is given for `argument`.
    pub fn of(object: &Bound<'_, PyAny>, argument: &str) -> PyResult<Image> {
        match object.cast_exact::<DeviceArray>() {
            Ok(array) => Ok(Image::Device(array.clone().unbind())),
            Err(_) => Lent::of(object, argument).map(Image::Lent),
        }
    }

    /// The type of a number.
    pub fn dtype(&self) -> DType {
        match self {
            Image::Lent(lent) => lent.dtype(),
            Image::Device(array) => array.get().dtype(),
        }
    }

    /// Whether the last axis can be the channels of pixels.
    pub fn has_channels(&self, channels: u32) -> bool {
        match self {
            Image::Lent(lent) => lent.has_channels(channels),
            Image::Device(array) => channels == 1 || array.get().extents().last() == Some(&(channels as usize)),
        }
    }

    /// The image with pixels of so many channels.
    pub fn info(&self, argument: &str, channels: u32) -> PyResult<TensorInfo> {
        match self {
            Image::Lent(lent) => lent.info(argument, channels),
            Image::Device(array) => array.get().info(argument, channels),
        }
    }

    /// The memory that Python lends.
    pub fn lent(&self) -> Option<&Lent> {
        match self {
            Image::Lent(lent) => Some(lent),
            Image::Device(_) => None,
        }
    }

    /// The device where it lies.
    pub fn device(&self) -> Option<&Device> {
        match self {
            Image::Lent(_) => None,
            Image::Device(array) => Some(array.get().on_device()),
        }
    }

    /// The image as a kernel on `device` takes it.
    ///
    /// # Errors
    /// It lies elsewhere.
    pub fn on(&self, device: &Device, argument: &str, info: &TensorInfo) -> PyResult<DeviceImage> {
        match self {
            Image::Lent(_) => Err(PyTypeError::new_err(format!(
                "the images of one call lie in one memory: `{argument}` lies in the processor's, another one on {}; `upload` of \
                 the device copies it there",
                device.label()
            ))),
            Image::Device(array) => array.get().on(device, argument, info),
        }
    }
}
