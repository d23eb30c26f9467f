//! What differs between an image and what was expected of it, and where.

use super::{Picture, Row, Spot};
use crate::words::numbers;
use std::{borrow::Cow, ops::Range};
use windrow_runtime::region::ValidRegion;

/// An element that differs, or a byte that should not have changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// Where: `x = 3, y = 0, plane 0, channel 0`.
    pub(crate) place: String,
    /// What was expected.
    pub(crate) expected: String,
    /// What was found.
    pub(crate) found: String,
}

impl Picture {
    /// The first element inside `region` that is not as in `expected`; all NaNs are one value. With a `scale`, elements
    /// need only be near each other, as those of a `fast` kernel are.
    pub(crate) fn compare(&self, expected: &Picture, region: &ValidRegion, scale: Option<f32>) -> Option<Difference> {
        let numbers = numbers(self.element);
        let agree = |found: u32, expected: u32| match scale {
            None => numbers.same(found, expected),
            Some(scale) => numbers.near(found, expected, scale),
        };
        let columns = region.inner_range(0);
        let rows = self.rows_in(region).zip(expected.rows_in(region));
        // Equal bytes are equal and near, whatever they stand for: few rows are read word by word.
        let mut pairs = rows
            .filter(|(row, other)| !self.has_bytes_of(expected, [*row, *other], columns.clone()))
            .flat_map(|(row, other)| {
                self.words_of_row(row, columns.clone()).zip(expected.words_of_row(other, columns.clone()))
            });
        let ((spot, found), (_, expected)) = pairs.find(|((_, found), (_, expected))| !agree(*found, *expected))?;
        Some(Difference { place: spot.to_string(), expected: numbers.show(expected), found: numbers.show(found) })
    }

    /// Whether the elements in these columns of a row are, byte for byte, those of a row of another image.
    fn has_bytes_of(&self, other: &Picture, [row, other_row]: [Row; 2], columns: Range<usize>) -> bool {
        let bytes = |picture: &Picture, row| picture.bytes_of_row(row, columns.clone());
        let (ours, theirs) = (self.memory.all(), other.memory.all());
        bytes(self, row).zip(bytes(other, other_row)).all(|(here, there)| ours[here] == theirs[there])
    }

    /// The first byte that is not as in `before`; those of the elements of `region` may have changed.
    pub(crate) fn changed_outside(&self, before: &[u8], region: Option<&ValidRegion>) -> Option<Difference> {
        let now = self.memory.all();
        let mut expected = Cow::Borrowed(before);
        for row in region.into_iter().flat_map(|region| self.rows_in(region)) {
            let columns = region.map_or(0..0, |region| region.inner_range(0));
            for bytes in self.bytes_of_row(row, columns) {
                expected.to_mut()[bytes.clone()].copy_from_slice(&now[bytes]);
            }
        }
        if now == &*expected {
            return None;
        }
        let index = (0..now.len()).find(|index| now[*index] != expected[*index])?;
        Some(Difference {
            place: self.describe(index),
            expected: format!("untouched (0x{:02x})", before[index]),
            found: format!("0x{:02x}", now[index]),
        })
    }

    /// What the byte at `index` of the memory is.
    fn describe(&self, index: usize) -> String {
        let (width, pixel) = (self.info.width(), self.info.pixel_size());
        let find = |row: Row| {
            let holds = |x: &usize| (row.at(&self.info, *x)..row.at(&self.info, *x) + pixel).contains(&index);
            Some(((0..width).find(holds)?, row))
        };
        match self.rows().find_map(find) {
            Some((x, row @ Row { at, plane, .. })) => {
                let channel = (index - row.at(&self.info, x)) / self.element.size();
                format!("{}, outside what may be written", Spot { x, y: at[1], plane, channel })
            }
            None => {
                let first = self.memory.block().start + self.offset;
                format!("byte {} from the first element, no element", index as i64 - first as i64)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Form, *};
    use crate::{case::Layout, words::put_word};
    use windrow_reference::testing::{Data, Random};
    use windrow_runtime::{element::ElementType, info::Shape};

    fn picture(layout: Layout) -> Picture {
        let form = Form { element: ElementType::I16, channels: 2, shape: Shape::new(&[2, 2, 3]).unwrap() };
        let mut random = Random::new(1);
        let mut picture = Picture::new(form, layout, &mut random).unwrap();
        picture.fill(Data::Ramp, 0, &mut random);
        picture
    }

    fn put(picture: &mut Picture, at: &[usize; 6], channel: usize, word: u32) {
        let first = picture.memory.block().start + picture.offset;
        let first = first.wrapping_add_signed(picture.info.inner_offset(at).unwrap());
        let element = picture.element;
        put_word(picture.memory.all_mut(), first + channel * element.size(), element, word);
    }

    fn all(picture: &Picture) -> ValidRegion {
        let shape = picture.info().shape();
        ValidRegion::new(windrow_runtime::region::Rect::new(0, 0, shape.width(), shape.height()), shape)
    }

    #[test]
    fn changed_element_is_named_with_both_values() {
        for layout in Layout::EVERY.into_iter().filter(|layout| *layout != Layout::Repeated) {
            let (expected, mut found) = (picture(layout), picture(layout));
            assert_eq!(found.compare(&expected, &all(&found), None), None);
            put(&mut found, &[2, 1, 1, 0, 0, 0], 1, -5i32 as u32);
            let difference = found.compare(&expected, &all(&found), None).unwrap();
            assert_eq!(difference.place, "x = 2, y = 1, plane 1, channel 1");
            assert_eq!((difference.expected.as_str(), difference.found.as_str()), ("159", "-5"));
        }
    }

    #[test]
    fn stray_byte_is_found_in_padding_and_before_the_image() {
        for layout in Layout::EVERY.into_iter().filter(|layout| *layout != Layout::Repeated) {
            let mut picture = picture(layout);
            let before = picture.snapshot();
            let region = all(&picture);
            put(&mut picture, &[0; 6], 0, 77);
            assert_eq!(picture.changed_outside(&before, Some(&region)), None, "{layout:?}");
            let place = picture.changed_outside(&before, None).unwrap().place;
            assert!(place.starts_with("x = 0, y = 0, plane 0, channel 0"), "{place}");
            let stray = match layout {
                Layout::Front => picture.memory.block().end,
                _ => picture.memory.block().start.saturating_sub(1),
            };
            picture.memory.all_mut()[stray] ^= 1;
            assert!(picture.changed_outside(&before, Some(&region)).unwrap().place.contains("no element"));
        }
    }
}
