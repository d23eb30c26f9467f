//! A test image in guarded memory: laid out, filled, and afterwards searched for what should not have changed.
//!
//! Every byte that is no element holds poison that depends on its place, so a stray write of anything, of a neighbour's
//! poison too, is seen.

use super::{
    case::Layout,
    memory::{Flush, Guarded},
};
use crate::{
    element::{ElementType, Scalar},
    info::{MAX_DIMENSIONS, Shape, TensorInfo},
    region::ValidRegion,
};
use std::{ptr::NonNull, string::String, vec::Vec};
use windrow_reference::testing::{Data, Numbers, Place, Random};

/// What an image must be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    /// The type of a channel.
    pub(super) element: ElementType,
    /// Channels of an element.
    pub(super) channels: u32,
    /// The extents.
    pub(super) shape: Shape,
}

/// An image in guarded memory.
#[derive(Debug)]
pub(super) struct Picture {
    memory: Guarded,
    /// Bytes from the block's start to the first element.
    offset: usize,
    info: TensorInfo,
}

/// An element that differs, or a byte that should not have changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// Where: `x = 3, y = 0, plane 0, channel 0`.
    pub(super) place: String,
    /// What was expected.
    pub(super) expected: String,
    /// What was found.
    pub(super) found: String,
}

impl Picture {
    /// An image of `form`, laid out as `layout` says, poisoned all over.
    pub(super) fn new(form: Form, layout: Layout, random: &mut Random) -> Result<Self, String> {
        let margins = Margins::of(layout, random);
        let pixel = form.element.size() * form.channels as usize;
        let extents = form.shape.extents();
        let mut strides = [pixel; MAX_DIMENSIONS];
        strides[1] = (extents[0].max(1) + margins.columns()) * pixel;
        for dimension in 2..MAX_DIMENSIONS {
            // Rows above and below stand once a plane.
            let rows = if dimension == 2 { margins.above + margins.below } else { 0 };
            strides[dimension] = strides[dimension - 1] * (extents[dimension - 1].max(1) + rows);
        }
        let info = TensorInfo::with_strides(form.element, form.channels, &extents, &strides)
            .map_err(|error| std::format!("the harness can't lay out {}: {error}", form.shape))?;
        let offset = margins.above * strides[1] + margins.left * pixel;
        let behind = if margins.below > 0 { margins.below * strides[1] + margins.right * pixel } else { 0 };
        let mut memory = Guarded::new(offset + info.size_in_bytes() + behind, margins.flush)
            .map_err(|error| std::format!("no guarded memory: {error}"))?;
        let seed = random.next_u64();
        memory.all_mut().iter_mut().enumerate().for_each(|(place, byte)| *byte = poison(seed, place));
        Ok(Self { memory, offset, info })
    }

    /// Fills the elements.
    pub(super) fn fill(&mut self, data: Data, input: usize, random: &mut Random) {
        let numbers = numbers(self.info.element());
        let extremes = numbers.extremes();
        let shape = self.info.shape();
        let planes: usize = shape.extents()[2..].iter().product();
        let extents = [shape.width(), shape.height(), planes];
        for (at, plane) in elements(&shape) {
            for channel in 0..self.info.channels() as usize {
                let place = Place { input, at: [at[0], at[1], plane], channel, extents };
                self.put(&at, channel, data.word(numbers, &extremes, place, random));
            }
        }
    }

    /// What is known of it.
    pub(super) fn info(&self) -> &TensorInfo {
        &self.info
    }

    /// The first element. It stays where it is as long as the image lives.
    pub(super) fn base(&mut self) -> Option<NonNull<u8>> {
        NonNull::new(self.memory.as_mut_ptr().wrapping_add(self.offset))
    }

    /// A copy of everything, to compare with later.
    pub(super) fn snapshot(&self) -> Vec<u8> {
        self.memory.snapshot()
    }

    /// The image with its margins, and the bytes to its first element: what a device is given.
    #[cfg(feature = "opencl")]
    pub(super) fn block(&self) -> (&[u8], usize) {
        (&self.memory.all()[self.memory.block()], self.offset)
    }

    /// The same bytes, to write what a device gives back.
    #[cfg(feature = "opencl")]
    pub(super) fn block_mut(&mut self) -> &mut [u8] {
        let block = self.memory.block();
        &mut self.memory.all_mut()[block]
    }

    /// The word of a channel of the element at `at`; 0 outside.
    pub(super) fn word(&self, at: &[usize; MAX_DIMENSIONS], channel: usize) -> u32 {
        self.index(at, channel).map_or(0, |index| word_at(self.memory.all(), index, self.info.element()))
    }

    /// Writes a channel of the element at `at`.
    pub(super) fn put(&mut self, at: &[usize; MAX_DIMENSIONS], channel: usize, word: u32) {
        if let Some(index) = self.index(at, channel) {
            let size = self.info.element().size();
            let bytes = Scalar::from_word(self.info.element(), word).bytes();
            self.memory.all_mut()[index..index + size].copy_from_slice(&bytes[..size]);
        }
    }

    /// The first element inside `region` that is not as in `expected`; all NaNs are one value.
    pub(super) fn compare(&self, expected: &Picture, region: &ValidRegion) -> Option<Difference> {
        let numbers = numbers(self.info.element());
        elements(&self.info.shape()).filter(|(at, _)| region.contains(at)).find_map(|(at, plane)| {
            (0..self.info.channels() as usize).find_map(|channel| {
                let (found, expected) = (self.word(&at, channel), expected.word(&at, channel));
                (!numbers.same(found, expected)).then(|| Difference {
                    place: place(&at, plane, channel),
                    expected: numbers.show(expected),
                    found: numbers.show(found),
                })
            })
        })
    }

    /// The first byte outside `region` that is not as in `before`.
    pub(super) fn changed_outside(&self, before: &[u8], region: &ValidRegion) -> Option<Difference> {
        let now = self.memory.all();
        if now == before {
            return None;
        }
        let mut owned = std::vec![false; now.len()];
        for (at, _) in elements(&self.info.shape()).filter(|(at, _)| region.contains(at)) {
            if let Some(index) = self.index(&at, 0) {
                owned[index..index + self.info.pixel_size()].fill(true);
            }
        }
        let index = (0..now.len()).find(|index| !owned[*index] && now[*index] != before[*index])?;
        Some(Difference {
            place: self.describe(index),
            expected: std::format!("untouched (0x{:02x})", before[index]),
            found: std::format!("0x{:02x}", now[index]),
        })
    }

    /// What the byte at `index` of the memory is.
    fn describe(&self, index: usize) -> String {
        let element = elements(&self.info.shape()).find(|(at, _)| {
            self.index(at, 0).is_some_and(|first| (first..first + self.info.pixel_size()).contains(&index))
        });
        match element {
            Some((at, plane)) => {
                let channel = self.index(&at, 0).map_or(0, |first| (index - first) / self.info.element().size());
                std::format!("{}, outside what may be written", place(&at, plane, channel))
            }
            None => {
                let first = self.memory.block().start + self.offset;
                std::format!("byte {} from the first element, no element", index as i64 - first as i64)
            }
        }
    }

    fn index(&self, at: &[usize; MAX_DIMENSIONS], channel: usize) -> Option<usize> {
        let element = self.info.offset(at)? + channel * self.info.element().size();
        Some(self.memory.block().start + self.offset + element)
    }
}

/// What lies around an image in its memory, in elements and rows.
struct Margins {
    left: usize,
    right: usize,
    above: usize,
    below: usize,
    flush: Flush,
}

impl Margins {
    fn of(layout: Layout, random: &mut Random) -> Self {
        let mut some = |most: u64| 1 + random.below(most) as usize;
        let none = Self { left: 0, right: 0, above: 0, below: 0, flush: Flush::End };
        match layout {
            Layout::Dense => none,
            Layout::Front => Self { flush: Flush::Start, ..none },
            Layout::Padded => Self { right: some(19), ..none },
            Layout::Region => Self { left: some(5), right: some(7), above: some(2), below: some(2), ..none },
        }
    }

    fn columns(&self) -> usize {
        self.left + self.right
    }
}

/// The numbers of an element type.
pub(super) fn numbers(element: ElementType) -> Numbers {
    match element {
        ElementType::U8 => Numbers::Unsigned(8),
        ElementType::I8 => Numbers::Signed(8),
        ElementType::U16 => Numbers::Unsigned(16),
        ElementType::I16 => Numbers::Signed(16),
        ElementType::U32 => Numbers::Unsigned(32),
        ElementType::I32 => Numbers::Signed(32),
        ElementType::F32 => Numbers::Float,
    }
}

/// The coordinates of every element, rows first, each with the number of its plane.
pub(super) fn elements(shape: &Shape) -> impl Iterator<Item = ([usize; MAX_DIMENSIONS], usize)> + use<> {
    let extents = shape.extents();
    let first = (!shape.is_empty()).then_some(([0; MAX_DIMENSIONS], 0));
    std::iter::successors(first, move |(at, plane)| {
        let dimension = (0..MAX_DIMENSIONS).find(|dimension| at[*dimension] + 1 < extents[*dimension])?;
        let mut next = *at;
        next[..dimension].fill(0);
        next[dimension] += 1;
        Some((next, plane + usize::from(dimension >= 2)))
    })
}

fn place(at: &[usize; MAX_DIMENSIONS], plane: usize, channel: usize) -> String {
    std::format!("x = {}, y = {}, plane {plane}, channel {channel}", at[0], at[1])
}

fn word_at(bytes: &[u8], index: usize, element: ElementType) -> u32 {
    let two = || [bytes[index], bytes[index + 1]];
    let four = || [bytes[index], bytes[index + 1], bytes[index + 2], bytes[index + 3]];
    match element {
        ElementType::U8 => u32::from(bytes[index]),
        ElementType::I8 => bytes[index] as i8 as u32,
        ElementType::U16 => u32::from(u16::from_ne_bytes(two())),
        ElementType::I16 => i16::from_ne_bytes(two()) as u32,
        ElementType::U32 | ElementType::I32 | ElementType::F32 => u32::from_ne_bytes(four()),
    }
}

/// A byte that depends on its place.
fn poison(seed: u64, place: usize) -> u8 {
    let mixed = (seed ^ place as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 56) as u8 ^ 0xa5
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(layout: Layout) -> Picture {
        let form = Form { element: ElementType::I16, channels: 2, shape: Shape::new(&[3, 2, 2]).unwrap() };
        let mut random = Random::new(1);
        let mut picture = Picture::new(form, layout, &mut random).unwrap();
        picture.fill(Data::Ramp, 0, &mut random);
        picture
    }

    fn all(picture: &Picture) -> ValidRegion {
        let shape = picture.info().shape();
        ValidRegion::new(crate::region::Rect::new(0, 0, shape.width(), shape.height()), shape)
    }

    #[test]
    fn changed_element_is_named_with_both_values() {
        for layout in Layout::ALL {
            let (expected, mut found) = (picture(layout), picture(layout));
            assert_eq!(found.compare(&expected, &all(&found)), None);
            found.put(&[2, 1, 1, 0, 0, 0], 1, -5i32 as u32);
            let difference = found.compare(&expected, &all(&found)).unwrap();
            assert_eq!(difference.place, "x = 2, y = 1, plane 1, channel 1");
            assert_eq!((difference.expected.as_str(), difference.found.as_str()), ("159", "-5"));
        }
    }

    #[test]
    fn stray_byte_is_found_in_padding_and_before_the_image() {
        for layout in Layout::ALL {
            let mut picture = picture(layout);
            let before = picture.snapshot();
            let region = all(&picture);
            picture.put(&[0; 6], 0, 77);
            assert_eq!(picture.changed_outside(&before, &region), None, "{layout:?}");
            let nothing = ValidRegion { start: [0; 6], end: [0; 6] };
            let place = picture.changed_outside(&before, &nothing).unwrap().place;
            assert!(place.starts_with("x = 0, y = 0, plane 0, channel 0"), "{place}");
            let stray = match layout {
                Layout::Front => picture.memory.block().end,
                Layout::Dense | Layout::Padded | Layout::Region => picture.memory.block().start.saturating_sub(1),
            };
            picture.memory.all_mut()[stray] ^= 1;
            assert!(picture.changed_outside(&before, &region).unwrap().place.contains("no element"));
        }
    }
}
