//! What a tensor's metadata say beside its layout: place in memory, padding, data layout, quantization, valid region.

use core::fmt::{Display, Formatter, Result as Written};

use super::{
    Around, Axis, DataLayout, InvalidTensor, Layout, MAX_DIMENSIONS, Padding, Quantization, Shape, TensorInfo, Valid,
    ValidRegion,
};

impl Default for TensorInfo {
    fn default() -> TensorInfo {
        TensorInfo::empty::<u8>()
    }
}

impl TensorInfo {
    /// Returns whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.layout.is_empty()
    }

    /// Returns the number of bytes from the start of the tensor's memory to its first element.
    pub fn first_element(&self) -> usize {
        self.first
    }

    /// Returns the number of bytes of the tensor's memory, with padding and gaps, and what lies before a region.
    pub fn buffer_size(&self) -> usize {
        self.buffer
    }

    /// Returns the elements and rows around each plane that belong to the memory and not to the tensor.
    pub fn padding(&self) -> Padding {
        self.padding.padding()
    }

    /// Returns what the dimensions mean.
    #[inline]
    pub fn data_layout(&self) -> DataLayout {
        self.data_layout
    }

    /// Returns the extent along an axis of the data layout.
    ///
    /// ```
    /// use windrow::{ElementType, TensorInfo, tensor::{Axis, DataLayout}};
    ///
    /// let info = TensorInfo::new(ElementType::F32, 1, &[2, 7, 5, 32])?.with_data_layout(DataLayout::Nhwc);
    /// assert_eq!((info.extent(Axis::Channel), info.extent(Axis::Width), info.extent(Axis::Batch)), (32, 5, 2));
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    pub fn extent(&self, axis: Axis) -> usize {
        self.layout.inner_extent(3 - self.data_layout.dimension(axis))
    }

    /// Returns what the integers stand for, where they are quantized.
    pub fn quantization(&self) -> Option<Quantization> {
        self.quantization
    }

    /// Returns the elements that mean something; all of them, unless said otherwise.
    pub fn valid_region(&self) -> ValidRegion {
        self.valid.region(self.shape().rank())
    }

    /// Bytes from the start of the tensor's memory to behind its highest element.
    pub(crate) fn behind(&self) -> usize {
        self.first.saturating_add(self.layout.size_in_bytes() - self.layout.lead())
    }

    /// Returns the same tensor, its first element `bytes` behind the start of its memory.
    ///
    /// # Errors
    /// Elements that would lie before the memory, beyond what `isize` counts, or where no channel may.
    pub fn with_first_element(self, bytes: usize) -> Result<TensorInfo, InvalidTensor> {
        let least = self.layout.lead();
        if bytes < least {
            return Err(InvalidTensor::BeforeMemory { found: bytes, least });
        }
        let buffer = TensorInfo { first: bytes, ..self }.behind();
        if buffer > isize::MAX as usize {
            return Err(InvalidTensor::TooLarge { dimension: 0 });
        }
        let alignment = self.dtype().size();
        if !bytes.is_multiple_of(alignment) {
            return Err(InvalidTensor::Misaligned { found: bytes % alignment, alignment });
        }
        Ok(TensorInfo { first: bytes, buffer: buffer.max(self.buffer), ..self })
    }

    /// Returns the same tensor in this data layout; its extents stay where they are.
    #[must_use]
    pub fn with_data_layout(self, data_layout: DataLayout) -> TensorInfo {
        TensorInfo { data_layout, ..self }
    }

    /// Returns the same tensor of quantized integers.
    #[must_use]
    pub fn with_quantization(self, quantization: Quantization) -> TensorInfo {
        TensorInfo { quantization: Some(quantization), ..self }
    }

    /// Returns the same tensor of plain integers, for a kernel that computes with these.
    #[must_use]
    pub fn without_quantization(self) -> TensorInfo {
        TensorInfo { quantization: None, ..self }
    }

    /// Returns the same tensor of which only `region` means something.
    pub fn with_valid_region(self, region: ValidRegion) -> Result<TensorInfo, InvalidTensor> {
        for inner in 0..MAX_DIMENSIONS {
            let (start, end) = (region.start[inner], region.end[inner]);
            let extent = self.layout.inner_extent(inner);
            if start > end || end > extent {
                let dimension = self.shape().outer_index(inner);
                return Err(InvalidTensor::ValidRegion { dimension, start, end, extent });
            }
        }
        Ok(TensorInfo { valid: Valid::new(&region), ..self })
    }

    /// Returns the same tensor with exactly this padding around each plane: strides and first element follow from it.
    ///
    /// ```
    /// use windrow::{ElementType, Padding, TensorInfo};
    ///
    /// let info = TensorInfo::new(ElementType::I16, 1, &[3, 5])?;
    /// let padded = info.with_padding(Padding { left: 2, right: 1, top: 1, bottom: 0 })?;
    /// assert_eq!((padded.row_stride(), padded.first_element(), padded.buffer_size()), (16, 20, 64));
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    pub fn with_padding(self, padding: Padding) -> Result<TensorInfo, InvalidTensor> {
        self.check_strides()?;
        let outer = self.around(padding)?;
        let outer = Layout::new(self.dtype(), self.channels(), &outer.extents())?;
        let (first, layout) = outer.region(&[padding.top, padding.left], &self.shape().extents())?;
        let found = padding.left.max(padding.right).max(padding.top).max(padding.bottom);
        let padding = Around::new(padding).ok_or(InvalidTensor::ExtentTooLarge { dimension: 0, found })?;
        // Without negative strides, no element lies before the first.
        Ok(TensorInfo { layout, first: first as usize, buffer: outer.size_in_bytes(), padding, ..self })
    }

    /// The shape with this padding around each plane.
    fn around(&self, padding: Padding) -> Result<Shape, InvalidTensor> {
        let sides = [(0, padding.left, padding.right), (1, padding.top, padding.bottom)];
        sides.into_iter().try_fold(self.shape(), |shape, (inner, before, behind)| {
            let sum = shape.inner_extent(inner).checked_add(before).and_then(|sum| sum.checked_add(behind));
            let (found, dimension) = (sum.unwrap_or(usize::MAX), shape.outer_index(inner));
            match found <= super::MAX_EXTENT {
                true => Ok(shape.with_inner_extent(inner, found)),
                false => Err(InvalidTensor::ExtentTooLarge { dimension, found }),
            }
        })
    }

    /// Returns the same tensor with at least this padding: padding only grows.
    pub fn extend_padding(self, padding: Padding) -> Result<TensorInfo, InvalidTensor> {
        self.with_padding(self.padding().union(&padding))
    }

    /// Fills in what a tensor is to be, where nothing is known of it yet; whether it did.
    ///
    /// Without effect on a tensor that has elements. [`Inferred::output`](crate::Inferred::output) says what an output is
    /// to be.
    ///
    /// ```
    /// use windrow::{ElementType, TensorInfo};
    ///
    /// let (mut out, image) = (TensorInfo::default(), TensorInfo::new(ElementType::U8, 1, &[480, 640])?);
    /// assert!(out.init_if_empty(&image) && out == image);
    /// assert!(!out.init_if_empty(&TensorInfo::new(ElementType::F32, 1, &[3])?) && out == image);
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    pub fn init_if_empty(&mut self, from: &TensorInfo) -> bool {
        let empty = self.is_empty();
        if empty {
            *self = *from;
        }
        empty
    }

    /// Returns the same memory with dimensions `first ..= last` as one, the last of them, and the others of extent 1:
    /// as [`Window::collapse`](crate::Window::collapse) joins coordinates.
    pub fn collapse(&self, first: usize, last: usize) -> Result<TensorInfo, InvalidTensor> {
        let (mut shape, rank) = (self.shape(), self.shape().rank());
        if last >= rank || first > last {
            return Err(InvalidTensor::Dimension { found: first.max(last), rank });
        }
        let (inner, outer) = (rank - 1 - last, rank - 1 - first);
        let (mut strides, mut valid) = (self.layout.all_strides(), self.valid_region());
        let (stride, mut joined) = (self.inner_stride(inner), self.layout.inner_extent(inner));
        for d in inner + 1..=outer {
            let (extent, dimension) = (self.layout.inner_extent(d), rank - 1 - d);
            let (found, expected) = (self.inner_stride(d), stride.saturating_mul(joined as isize));
            let valid_throughout = |d: usize| (valid.start[d], valid.end[d]) == (0, self.layout.inner_extent(d));
            if extent != 1 && (found != expected || !(inner..=d).all(valid_throughout)) {
                return Err(InvalidTensor::Gap { dimension, found, expected });
            }
            joined = joined.checked_mul(extent).ok_or(InvalidTensor::TooLarge { dimension })?;
        }
        if joined > super::MAX_EXTENT {
            return Err(InvalidTensor::ExtentTooLarge { dimension: last, found: joined });
        }
        // Dimensions of one element: any stride, of which that of what lies inside is the usual one.
        for d in inner + 1..=outer {
            shape = shape.with_inner_extent(d, 1);
            strides[MAX_DIMENSIONS - 1 - d] = stride.saturating_mul(joined.max(1) as isize);
            (valid.start[d], valid.end[d]) = (0, 1);
        }
        if joined != self.layout.inner_extent(inner) {
            shape = shape.with_inner_extent(inner, joined);
            (valid.start[inner], valid.end[inner]) = (0, joined);
        }
        let layout = Layout::checked(self.dtype(), self.channels(), shape, strides)?;
        Ok(TensorInfo { layout, valid: Valid::new(&valid), ..*self })
    }

    /// Padding is worked out from the shape: strides that a caller chose would be lost.
    fn check_strides(&self) -> Result<(), InvalidTensor> {
        let outer = self.around(self.padding())?;
        let plain = Layout::new(self.dtype(), self.channels(), &outer.extents())?;
        let differs = |d: &usize| self.inner_stride(*d) != plain.inner_stride(*d) && self.layout.inner_extent(*d) > 1;
        match (0..MAX_DIMENSIONS).find(differs) {
            Some(d) => {
                let (found, expected) = (self.inner_stride(d), plain.inner_stride(d));
                Err(InvalidTensor::Strided { dimension: self.shape().outer_index(d), found, expected })
            }
            None => Ok(()),
        }
    }

    /// Returns whether elements lie side by side in every dimension, without padding.
    pub fn is_packed(&self) -> bool {
        self.layout.is_contiguous()
    }
}

/// `u8×3 480×640 NCHW; strides 1920 3; …`, the quantization where there is one.
impl Display for TensorInfo {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        write!(f, "{}×{} {} {}; strides", self.dtype(), self.channels(), self.shape(), self.data_layout)?;
        self.strides().iter().try_for_each(|stride| write!(f, " {stride}"))?;
        write!(f, "; first {}; buffer {}; valid {}", self.first, self.buffer, self.valid_region())?;
        self.quantization.map_or(Ok(()), |quantization| write!(f, "; quantization {quantization}"))
    }
}
