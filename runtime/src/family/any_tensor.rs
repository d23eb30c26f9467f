//! An owned tensor whose element type is known at run time.

use core::ptr::NonNull;
use std::vec::Vec;

use crate::{
    element::Element,
    info::{InvalidTensor, TensorInfo},
    tensor::Tensor,
    view::{AnyView, AnyViewMut},
};

/// An owned tensor without gaps, whose element type is known at run time.
#[derive(Clone, Debug)]
pub struct AnyTensor {
    /// Words are aligned for every channel.
    words: Vec<u64>,
    info: TensorInfo,
}

impl AnyTensor {
    /// Returns a tensor of zeros.
    ///
    /// # Errors
    /// There is no memory for it.
    pub fn new(info: &TensorInfo) -> Result<AnyTensor, InvalidTensor> {
        let whole = TensorInfo::new(info.dtype(), info.channels(), &info.shape().extents())?;
        let whole = whole.with_data_layout(info.data_layout()).with_valid_region(info.valid_region())?;
        let (bytes, mut words) = (whole.size_in_bytes(), Vec::new());
        let count = bytes.div_ceil(size_of::<u64>());
        words.try_reserve_exact(count).map_err(|_| InvalidTensor::OutOfMemory { bytes })?;
        words.resize(count, 0);
        Ok(AnyTensor { words, info: whole })
    }

    /// Returns the tensor's metadata.
    pub fn info(&self) -> &TensorInfo {
        &self.info
    }

    /// Returns the tensor, to read.
    pub fn view(&self) -> AnyView<'_> {
        // SAFETY: the words hold every element of `info`, and are borrowed with the view.
        unsafe { AnyView::from_raw(NonNull::from(self.words.as_slice()).cast(), self.info) }
    }

    /// Returns the tensor, to write.
    pub fn view_mut(&mut self) -> AnyViewMut<'_> {
        // SAFETY: the words hold every element of `info`, and are borrowed exclusively with the view.
        unsafe { AnyViewMut::from_raw(NonNull::from(self.words.as_mut_slice()).cast(), self.info) }
    }

    /// Returns a copy whose elements are `T`.
    ///
    /// # Errors
    /// The elements are of another type, or there is no memory for the copy.
    pub fn to_tensor<T: Element>(&self) -> Result<Tensor<T>, InvalidTensor> {
        let view = self.view().typed::<T>()?;
        let mut tensor = Tensor::with_info(self.info)?;
        if let (Some(from), Some(to)) = (view.as_slice(), tensor.view_mut().into_slice()) {
            to.copy_from_slice(from);
        }
        Ok(tensor)
    }
}
