//! Copies of strips: the columns of each with the rows of all planes side by side, strip after strip.

use core::{ops::Range, ptr};

use crate::{
    code::{Quads, WholeView},
    info::MAX_DIMENSIONS,
    planes::Coordinates,
};

/// Bytes that are copied at once.
const CHUNK: usize = 64;

/// How strips of an image are packed.
#[derive(Clone, Copy)]
pub(crate) struct StripLayout {
    /// Bytes of an element.
    pub pixel: usize,
    /// The columns of a strip.
    pub step: usize,
    /// Rows that are left free behind those of each plane.
    pub behind: usize,
}

/// An image of which some columns are packed, strip after strip.
#[derive(Clone, Copy)]
pub(crate) struct Packed {
    /// The first strip's first element.
    pub first: *const u8,
    /// How its strips are packed.
    pub layout: StripLayout,
    /// Bytes from there to the quads of the first strip; 0 where there are none.
    pub quads: usize,
}

impl Packed {
    /// Packs some columns of an image into memory that has [`packed_bytes`] for them.
    ///
    /// # Safety
    /// The columns lie in the image, and are those of a strip at least; the copy is used while the memory is there and as it is.
    pub unsafe fn new(image: &WholeView, columns: &Range<usize>, layout: StripLayout, to: &mut [u8]) -> Packed {
        let packed = Packed { first: to.as_ptr(), layout, quads: 0 };
        // SAFETY: the caller's.
        unsafe { pack(image, columns, layout, to) };
        packed
    }

    /// The image with the columns of a strip where the copy has them: that of a number, which begins at a column.
    pub fn strip(&self, image: &WholeView, (number, start): (usize, usize)) -> WholeView {
        let StripLayout { pixel, step, behind } = self.layout;
        let (row, strip) = (step * pixel, packed_bytes(image, step, self.layout));
        let first = self.first.wrapping_add(number * strip).wrapping_sub(start * pixel);
        let mut plane = row * (image.extents[0] as usize + behind);
        let outer_strides = image.outer_extents.map(|extent| {
            let stride = plane as i32;
            plane *= extent as usize;
            stride
        });
        let quads = match self.quads {
            0 => Quads::NONE,
            // A quad has four bytes for one of a row.
            behind => Quads {
                first: first.wrapping_add(behind).wrapping_sub(3 * start),
                columns: [start as i32, (start + step) as i32],
            },
        };
        WholeView { first, strides: [row as i32, pixel as i32], outer_strides, quads, ..*image }
    }
}

/// The bytes of this many columns of an image, in strips.
pub(crate) fn packed_bytes(image: &WholeView, columns: usize, layout: StripLayout) -> usize {
    let planes: usize = image.outer_extents.iter().map(|&extent| extent as usize).product();
    let rows = planes * (image.extents[0] as usize + layout.behind);
    rows * layout.pixel * columns.next_multiple_of(layout.step)
}

/// Where strips of `step` columns begin: the last one ends with the last column.
pub(crate) fn strips(columns: &Range<usize>, step: usize) -> impl Iterator<Item = usize> {
    let last = columns.end - step;
    columns.clone().step_by(step).map(move |start| start.min(last))
}

/// Copies some columns of an image, strip after strip, each with the rows of all planes side by side.
///
/// # Safety
/// Elements of the view have as many bytes as the layout says; the columns lie in it, and `to` holds their strips.
unsafe fn pack(view: &WholeView, columns: &Range<usize>, layout: StripLayout, to: &mut [u8]) {
    let StripLayout { pixel, step, behind } = layout;
    let mut end = [0; MAX_DIMENSIONS];
    end[2..].iter_mut().zip(view.outer_extents).for_each(|(end, extent)| *end = extent as usize);
    let [down, right] = view.strides.map(|stride| stride as isize);
    let strip = to.len() / columns.len().div_ceil(step);
    let mut to = to.as_mut_ptr();
    for plane in Coordinates::new([0; MAX_DIMENSIONS], end, 2) {
        let steps = plane[2..].iter().zip(view.outer_strides).map(|(&at, stride)| at as isize * stride as isize);
        let mut from = view.at(0, 0).wrapping_offset(steps.sum());
        for _ in 0..view.extents[0] {
            for (number, start) in strips(columns, step).enumerate() {
                let (from, to) = (from.wrapping_offset(start as isize * right), to.wrapping_add(number * strip));
                // SAFETY: the caller's: each piece lies in the image, and has its place in its strip.
                unsafe { copy_row(from, (right, pixel), to, step * pixel) };
            }
            from = from.wrapping_offset(down);
            to = to.wrapping_add(step * pixel);
        }
        to = to.wrapping_add(behind * step * pixel);
    }
}

/// Copies `bytes` bytes of elements of a row, of `pixel` bytes each, that lie `apart` bytes apart.
///
/// # Safety
/// So many may be read, and written side by side.
#[inline(always)]
unsafe fn copy_row(from: *const u8, (apart, pixel): (isize, usize), to: *mut u8, bytes: usize) {
    // SAFETY: the caller's.
    unsafe {
        if apart != pixel as isize {
            let elements = (0..bytes).step_by(pixel).enumerate();
            elements.for_each(|(index, at)| {
                ptr::copy_nonoverlapping(from.wrapping_offset(index as isize * apart), to.wrapping_add(at), pixel);
            });
            return;
        }
        let mut at = 0;
        while at + CHUNK <= bytes {
            let chunk = from.wrapping_add(at).cast::<[u8; CHUNK]>().read_unaligned();
            to.wrapping_add(at).cast::<[u8; CHUNK]>().write_unaligned(chunk);
            at += CHUNK;
        }
        ptr::copy_nonoverlapping(from.wrapping_add(at), to.wrapping_add(at), bytes - at);
    }
}
