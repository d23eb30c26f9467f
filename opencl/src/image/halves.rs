//! Floats of the host to halves of a device and back, rounded to nearest, ties to even.
//!
//! What goes to the device lies packed in a [`Halves`] until it is there; what comes from it, until it is the host's.

use crate::image::transfer::Piece;
use half::{f16, slice::HalfFloatSliceExt};

/// The rows of a transfer in halves, packed, and where each piece of them lies on the device.
#[derive(Debug)]
pub(super) struct Halves {
    values: Vec<f16>,
    /// The host's side of each counts from the start of the values.
    pieces: Vec<Piece>,
}

impl Halves {
    /// Room for `pieces`, which count the host's bytes.
    pub fn new(pieces: &[Piece]) -> Self {
        let mut length = 0;
        let mut of_halves = |piece: &Piece| {
            let [row, rows] = piece.size;
            let (host, row) = (length as isize, row / 2);
            length += row * rows;
            Piece { device: piece.device, host, size: [row, rows], apart: row }
        };
        let pieces = pieces.iter().map(&mut of_halves).collect();
        Self { values: vec![f16::ZERO; length / size_of::<f16>()], pieces }
    }

    /// Returns the elements of `pieces` at `host`, rounded.
    ///
    /// # Safety
    /// They are floats, readable and aligned.
    pub unsafe fn narrowed(pieces: &[Piece], host: *const u8) -> Self {
        let mut halves = Self::new(pieces);
        let mut rest = halves.values.as_mut_slice();
        for (first, length) in rows(pieces) {
            let (row, after) = std::mem::take(&mut rest).split_at_mut(length);
            // SAFETY: the caller's contract.
            row.convert_from_f32_slice(unsafe { std::slice::from_raw_parts(host.offset(first).cast(), length) });
            rest = after;
        }
        halves
    }

    /// Writes the elements of `pieces` to `host`: what [`Self::new`] was given.
    ///
    /// # Safety
    /// They are floats, writable and aligned, and nobody else uses them.
    pub unsafe fn widen(&self, pieces: &[Piece], host: *mut u8) {
        let mut rest = self.values.as_slice();
        for (first, length) in rows(pieces) {
            let (row, after) = rest.split_at(length);
            // SAFETY: the caller's contract.
            row.convert_to_f32_slice(unsafe { std::slice::from_raw_parts_mut(host.offset(first).cast(), length) });
            rest = after;
        }
    }

    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    pub fn as_ptr(&self) -> *const u8 {
        self.values.as_ptr().cast()
    }

    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.values.as_mut_ptr().cast()
    }
}

/// Where each row of floats begins on the host, and how many it has.
fn rows(pieces: &[Piece]) -> impl Iterator<Item = (isize, usize)> {
    pieces.iter().flat_map(|piece| {
        let [row, rows] = piece.size;
        (0..rows).map(move |y| (piece.host + (y * piece.apart) as isize, row / size_of::<f32>()))
    })
}

#[cfg(test)]
mod tests;
