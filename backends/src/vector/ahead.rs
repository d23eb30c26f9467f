//! Asks for cache lines before the steps that store to them or load them: hints, which no result shows.
//!
//! Stores wait for their lines in order: in rows side by side, each waits for the ones before, and no processor foresees
//! them as it does those of a single row. So a step of several rows asks for what the next one stores to, and one that computes
//! little for what the next but one does. Where such a step reads no less than it writes, its loads wait as well: it asks
//! for those of a later step too.
//!
//! This serves kernels whose step has several rows: neighbourhoods that share rows (3×3 to 5×5, halved images), and those
//! of several outputs. Nothing is asked for by a step of one row of one output.

use super::{Target, printer::Printer};
use crate::text::Text;
use windrow_dsl::ir::InputId;

const HINT: &str = "// SAFETY: a hint, which accesses nothing.";

/// Bytes of a line of the cache.
const LINE: u32 = 64;

/// How many steps, or lines, before it is loaded a line is asked for, by steps that compute little.
const LOADED: i64 = 4;

/// As many before it is stored to, by them and by others.
const STORED: [i64; 2] = [2, 1];

/// Bytes moved for each instruction from which on a step computes little. Measured with AVX2 on images that the core's own caches
/// do not hold: erode3x3 (7.1) and sobel3x3 (8.2) gain by what they ask for early, gaussian3x3 (3.0) loses by it.
const LIGHT: f64 = 4.0;

/// The same from which on a body has a head, and its edges are side by side. Measured with AVX2 for both together, beside edges in
/// tiles of their own: gaussian3x3 (2.7) and median3x3 (2.7) gain, gaussian5x5 (1.6) of 4096 columns and a convolution of 5×5 floats
/// (1.8) lose.
const HEADED: f64 = 2.0;

impl<T: Target> Printer<'_, T> {
    /// Whether the second step may overlap the first one, for the stores behind it to be aligned. Single rows are long ones, whose
    /// start is nothing; and where much is computed, a step more costs what it brings.
    pub fn has_head(&self) -> bool {
        // Steps from a head on would lie across the vectors of packed quads.
        self.target.machine().has_heads
            && self.program.quads.is_empty()
            && self.rows() > 1
            && self.bytes_a_line() > HEADED
    }

    /// Asks for lines of the steps that follow this one.
    pub(super) fn ask_for_lines(&self, out: &mut Text) {
        let (read, written) = self.bits_moved();
        let is_light = self.bytes_a_line() > LIGHT;
        for (&row, at) in &self.outputs {
            let output = &self.kernel.outputs[row.0.0 as usize];
            let [early, late] = STORED;
            self.ask_for_line(out, at, (output.channels, output.ty.bits()), if is_light { early } else { late });
        }
        if is_light && read >= written && self.rows() > 1 {
            for (row, at) in self.rows_met_first() {
                let input = &self.kernel.inputs[row.0 as usize];
                self.ask_for_line(out, at, (input.channels * input.stride().0, input.ty.bits()), LOADED);
            }
        }
    }

    /// Asks for the lines of a step that comes `later` steps, or lines, later in the row `at`.
    fn ask_for_line(&self, out: &mut Text, at: &str, (channels, bits): (u32, u32), later: i64) {
        let step = i64::from(self.lanes * channels);
        let in_line = i64::from(8 * LINE / bits.max(8));
        for line in 0..(step / in_line).max(1) {
            let pointer = super::text::moved(at, later * step.max(in_line) + line * in_line);
            if let Some(call) = self.target.ask_for_line(&pointer) {
                out.line(HINT);
                out.line(format!("unsafe {{ {call} }};"));
            }
        }
    }

    /// Bytes that a step moves for each of its instructions.
    fn bytes_a_line(&self) -> f64 {
        let (read, written) = self.bits_moved();
        f64::from(self.lanes * (read + written) / 8) / self.program.step().len() as f64
    }

    /// Rows of the output in a step.
    fn rows(&self) -> i32 {
        self.output_rows.keys().map(|(_, dy)| dy + 1).max().unwrap_or(1)
    }

    /// The rows that this group of rows reads and the one above it has not.
    fn rows_met_first(&self) -> impl Iterator<Item = (InputId, &String)> {
        self.inputs.iter().filter(|(row, _)| self.is_met_first(**row)).map(|((input, _), at)| (*input, at))
    }

    fn is_met_first(&self, (input, dy): (InputId, i32)) -> bool {
        let last = self.input_rows.keys().filter(|key| key.0 == input).map(|key| key.1).max();
        let rows = self.rows() * self.kernel.inputs[input.0 as usize].stride().1 as i32;
        last.is_some_and(|last| dy > last - rows)
    }

    /// Bits that are read and written for one column, in all rows of a step.
    fn bits_moved(&self) -> (u32, u32) {
        let rows = self.rows();
        // As in `is_met_first`: the last row of each input is the first from behind.
        let (mut read, mut last) = (0, None);
        for &(id, dy) in self.input_rows.keys().rev() {
            let input = &self.kernel.inputs[id.0 as usize];
            let from = match last {
                Some((own, from)) if own == id => from,
                _ => dy - rows * input.stride().1 as i32,
            };
            last = Some((id, from));
            if dy > from {
                read += input.channels * input.stride().0 * input.ty.bits();
            }
        }
        let mut written = 0;
        for (output, _) in self.output_rows.keys() {
            let output = &self.kernel.outputs[output.0 as usize];
            written += output.channels * output.ty.bits();
        }
        (read, written)
    }
}
