//! Layouts as DLPack writes them: a code and bits of a type, lanes, extents, and strides counted in elements.
//!
//! Only metadata: memory is taken over by [`View::from_raw`](crate::View::from_raw) and its like.

use super::{Layout, MAX_LANES};
use crate::{
    dtype::{DType, Kind},
    info::InvalidTensor,
    shape::MAX_DIMENSIONS,
};

/// `DLDataType`: the type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct DlpackType {
    /// `DLDataTypeCode`: 0 signed, 1 unsigned, 2 float, 4 bfloat, 6 bool.
    pub code: u8,
    /// Bits of a number.
    pub bits: u8,
    /// Numbers side by side that make an element.
    pub lanes: u16,
}

/// Why a layout is none of DLPack's, or the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DlpackError {
    /// A type that windrow's memory doesn't hold.
    #[error("there is no type for the DLPack code {code} with {bits} bits")]
    Type {
        /// The code.
        code: u8,
        /// Its bits.
        bits: u8,
    },
    /// No lane, or more than four.
    #[error("an element has 1 to 4 lanes, found {found}")]
    Lanes {
        /// The lanes found.
        found: u16,
    },
    /// An extent below 0, or one that can't be counted.
    #[error("dimension {dimension} has the extent {found}")]
    Extent {
        /// Which dimension.
        dimension: usize,
        /// Its extent.
        found: i64,
    },
    /// A stride that is not a whole number of elements, or that can't be counted.
    #[error("dimension {dimension} has a stride of {found} bytes, which is no whole number of elements of {size} bytes")]
    Stride {
        /// Which dimension.
        dimension: usize,
        /// Its stride in bytes.
        found: isize,
        /// Bytes of an element.
        size: usize,
    },
    /// Extents and strides that no layout has.
    #[error(transparent)]
    Layout(#[from] InvalidTensor),
}

const SIGNED: u8 = 0;
const UNSIGNED: u8 = 1;
const FLOAT: u8 = 2;
const BFLOAT: u8 = 4;
const BOOL: u8 = 6;

impl DType {
    /// The code of `DLDataTypeCode`.
    const fn dlpack_code(self) -> u8 {
        match self.kind() {
            Kind::Signed => SIGNED,
            Kind::Unsigned => UNSIGNED,
            Kind::Float => FLOAT,
            Kind::Bfloat => BFLOAT,
            Kind::Bool => BOOL,
        }
    }
}

impl Layout {
    /// The type as DLPack writes it.
    pub fn dlpack_type(&self) -> DlpackType {
        DlpackType { code: self.dtype().dlpack_code(), bits: self.dtype().bits() as u8, lanes: self.lanes() as u16 }
    }

    /// The strides as DLPack counts them, in elements, in the first places of the array, one a dimension.
    ///
    /// # Errors
    /// A stride that is not a whole number of elements, as those of one lane of several.
    pub fn dlpack_strides(&self) -> Result<[i64; MAX_DIMENSIONS], DlpackError> {
        let size = self.element_size();
        let mut strides = [0; MAX_DIMENSIONS];
        for (dimension, (to, &found)) in strides.iter_mut().zip(self.strides()).enumerate() {
            if found % size as isize != 0 {
                return Err(DlpackError::Stride { dimension, found, size });
            }
            *to = (found / size as isize) as i64;
        }
        Ok(strides)
    }

    /// The layout that DLPack describes; without strides, elements lie side by side.
    ///
    /// ```
    /// use windrow_runtime::layout::{DlpackType, Layout};
    ///
    /// let float = DlpackType { code: 2, bits: 32, lanes: 1 };
    /// let columns = Layout::from_dlpack(float, &[640, 480], Some(&[1, 640]))?;
    /// assert_eq!((columns.strides(), columns.dlpack_type()), (&[4, 2560][..], float));
    /// # Ok::<(), windrow_runtime::layout::DlpackError>(())
    /// ```
    ///
    /// # Errors
    /// A type, a number of lanes, an extent or a stride that no layout has.
    pub fn from_dlpack(dtype: DlpackType, shape: &[i64], strides: Option<&[i64]>) -> Result<Layout, DlpackError> {
        let DlpackType { code, bits, lanes } = dtype;
        let has = |dtype: &DType| (dtype.dlpack_code(), dtype.bits()) == (code, u32::from(bits));
        let dtype = DType::ALL.into_iter().find(has).ok_or(DlpackError::Type { code, bits })?;
        if lanes == 0 || u32::from(lanes) > MAX_LANES {
            return Err(DlpackError::Lanes { found: lanes });
        }
        if shape.len() > MAX_DIMENSIONS {
            return Err(InvalidTensor::TooManyDimensions { found: shape.len() }.into());
        }
        let mut extents = [0; MAX_DIMENSIONS];
        for (dimension, (to, &found)) in extents.iter_mut().zip(shape).enumerate() {
            *to = usize::try_from(found).map_err(|_| DlpackError::Extent { dimension, found })?;
        }
        let extents = &extents[..shape.len()];
        let Some(strides) = strides else { return Ok(Layout::new(dtype, lanes.into(), extents)?) };
        let size = dtype.size() as i64 * i64::from(lanes);
        let mut bytes = [0; MAX_DIMENSIONS];
        for (dimension, (to, &stride)) in bytes.iter_mut().zip(strides).enumerate() {
            let stride = stride.checked_mul(size).and_then(|stride| isize::try_from(stride).ok());
            *to = stride.ok_or(InvalidTensor::TooLarge { dimension })?;
        }
        let count = strides.len().min(MAX_DIMENSIONS);
        if strides.len() != shape.len() {
            return Err(InvalidTensor::StrideCount { found: strides.len(), expected: shape.len() }.into());
        }
        Ok(Layout::with_strides(dtype, lanes.into(), extents, &bytes[..count])?)
    }
}
