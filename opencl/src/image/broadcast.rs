//! A small image in the place of a large one: extents of 1 repeat.
//!
//! Rows and planes repeat by a stride of zero, at no cost. Where that can't be said in strides (a single column, planes of
//! which only some dimensions repeat) the elements are repeated on the device, by copies that double each time.

use crate::{
    DeviceImage, OpenClError, Queue,
    driver::{
        event::WaitList,
        transfer::{On, Rows},
    },
    image::device::{packed, row_bytes},
};
use windrow_runtime::{
    info::{MAX_DIMENSIONS, Shape},
    planes::Coordinates,
};

impl DeviceImage {
    /// Whether it can stand for an image of `shape`: each extent is that one, or 1.
    pub(crate) fn broadcasts_to(&self, shape: &Shape) -> bool {
        let (from, to) = (self.info.shape().inner_extents(), shape.inner_extents());
        from.iter().zip(&to).all(|(from, to)| from == to || *from == 1)
    }

    /// The image as one of `shape`, by strides alone; none where strides can't say it.
    pub(crate) fn repeated(&self, shape: &Shape) -> Option<Self> {
        let (from, to) = (self.info.shape().inner_extents(), shape.inner_extents());
        let all_repeat = from[2..].iter().all(|extent| *extent == 1);
        if from[0] != to[0] || !all_repeat && from[2..] != to[2..] {
            return None;
        }
        let mut image = self.clone();
        (image.place.width, image.place.height) = (to[0] as i32, to[1] as i32);
        if from[1] != to[1] {
            image.place.row = 0;
        }
        if all_repeat {
            image.place.plane = 0;
        }
        Some(image)
    }

    /// Repeats the elements into `target`, an image without gaps.
    pub(crate) fn repeat_into(&self, queue: &Queue, waits: &WaitList, target: &Self) -> Result<(), OpenClError> {
        let shape = target.info.shape();
        let on = On::queue(queue.handle());
        // Blocks are named, and not their parts: PoCL 3 crashes on copies of rectangles between parts.
        let ((from, base), (to, start)) = (self.buffer.whole(), target.buffer.whole());
        let (base, start) = (base + self.offset, start + target.offset);
        let [pixel, row] = [self.info.pixel_size(), row_bytes(&target.info)].map(|bytes| self.bytes(bytes));
        let size = [self.info.width() * pixel, self.info.height()];
        // The waits hold for the first command; a barrier orders the rest where the queue doesn't.
        queue.driver().barrier(queue.handle(), waits)?;
        for at in Coordinates::of_planes(&shape) {
            // The plane that stands for it: the only one, in each dimension in which the image is broadcast.
            let extents = self.info.shape().inner_extents();
            let place: [usize; MAX_DIMENSIONS] = std::array::from_fn(|d| at[d].min(extents[d].saturating_sub(1)));
            let (Some(first), Some(offset)) = (self.info.inner_offset(&place), target.info.inner_offset(&at)) else {
                continue;
            };
            let (first, offset) = (self.bytes(first.unsigned_abs()), self.bytes(offset.unsigned_abs()));
            let source = Rows { first: base + first, pitch: self.bytes(row_bytes(&self.info)) };
            let place = Rows { first: start + offset, pitch: row };
            on.copy_rows((from, source), (to, place), size)?;
            let rows = Doubling { first: start + offset, unit: row, count: shape.height() };
            if self.info.height() == 1 && shape.height() > 1 {
                rows.copy(|done, length, start| {
                    order(queue)?;
                    let (whole, more) = ((&***to, start), (&***to, start + done));
                    Ok(on.copy_buffer(whole, more, length)?)
                })?;
            }
        }
        if self.info.width() == 1 && shape.width() > 1 {
            let rows = shape.planes() * shape.height();
            let columns = Doubling { first: start, unit: pixel, count: shape.width() };
            columns.copy(|done, length, start| {
                order(queue)?;
                let [whole, more] = [start, start + done].map(|first| Rows { first, pitch: row });
                Ok(on.copy_rows((to, whole), (to, more), [length, rows])?)
            })?;
        }
        order(queue)
    }

    /// Copies the elements to `target`, an image of the same type, shape and format.
    ///
    /// Blocks are named, and not their parts: PoCL 3 crashes on copies of rectangles between parts.
    pub(crate) fn copy_into(&self, queue: &Queue, target: &Self) -> Result<(), OpenClError> {
        let (shape, on) = (self.info.shape(), On::queue(queue.handle()));
        let (from, first) = self.buffer.whole();
        let (to, start) = target.buffer.whole();
        let size = [self.bytes(self.info.width() * self.info.pixel_size()), self.info.height()];
        let (read_row, written_row) = (self.bytes(row_bytes(&self.info)), self.bytes(row_bytes(&target.info)));
        for at in Coordinates::of_planes(&shape) {
            let (Some(read), Some(written)) = (self.info.inner_offset(&at), target.info.inner_offset(&at)) else {
                continue;
            };
            let [read, written] = [read, written].map(|offset| self.bytes(offset.unsigned_abs()));
            let (read, written) = (first + self.offset + read, start + target.offset + written);
            if from.raw() != to.raw() {
                let source = Rows { first: read, pitch: read_row };
                on.copy_rows((from, source), (to, Rows { first: written, pitch: written_row }), size)?;
                continue;
            }
            // Within a block the library takes rectangles of one pitch alone, and PoCL takes rows between rows for an overlap.
            let is_joined = size[0] == read_row && size[0] == written_row;
            let (rows, length) = if is_joined { (1, size[0] * size[1]) } else { (size[1], size[0]) };
            for y in 0..rows {
                let (source, place) = ((&***from, read + y * read_row), (&***to, written + y * written_row));
                on.copy_buffer(source, place, length)?;
            }
        }
        order(queue)
    }

    /// A place for [`Self::repeat_into`].
    pub(crate) fn like(&self, shape: Shape) -> Result<Self, OpenClError> {
        Self::new_as(self.buffer.context(), &packed(&self.info, shape)?, self.format)
    }
}

/// The first of `count` units is there; each copy doubles what is there.
struct Doubling {
    first: usize,
    unit: usize,
    count: usize,
}

impl Doubling {
    /// `copy` is given the bytes that are there, those to copy, and where the first begins.
    fn copy(&self, mut copy: impl FnMut(usize, usize, usize) -> Result<(), OpenClError>) -> Result<(), OpenClError> {
        let (mut done, whole) = (self.unit, self.unit * self.count);
        while done < whole {
            let length = done.min(whole - done);
            copy(done, length, self.first)?;
            done += length;
        }
        Ok(())
    }
}

/// What comes next needs what came before.
fn order(queue: &Queue) -> Result<(), OpenClError> {
    if queue.options().out_of_order { queue.wait_for(&[]) } else { Ok(()) }
}
