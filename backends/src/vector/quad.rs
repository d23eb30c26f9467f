//! Four bytes that lie side by side in a row of a whole input, read as one number: factors of a dot product.

use super::Target;
use super::program::{Lane, Quad, Source, VectorId};
use super::selection::Select;
use super::turns::column;
use super::value::Value;
use windrow_dsl::ir::{Axes, BinaryOp, CastMode, InputId, Op, ValueId};

/// A byte as it is read, or a constant where a condition is false; and what is flipped of its bits.
struct Byte {
    input: InputId,
    plane: Option<ValueId>,
    at: [ValueId; 2],
    /// The condition, and the other byte.
    choice: Option<[ValueId; 2]>,
    flips: u8,
}

impl<T: Target> Select<'_, T> {
    /// Four bytes that are the same for all lanes as one number, the first in its lowest bits, where they lie side by side.
    pub fn quad(&mut self, bytes: [ValueId; 4]) -> Option<VectorId> {
        let [first, others @ ..] = bytes.map(|byte| self.byte(byte));
        let first = first?;
        let (terms, offset) = column(self.body, first.at[1]);
        for (byte, further) in others.into_iter().zip(1..) {
            let byte = byte?;
            let is_beside = (byte.input, byte.plane, byte.at[0]) == (first.input, first.plane, first.at[0])
                && (byte.choice, byte.flips) == (first.choice, first.flips)
                && column(self.body, byte.at[1]) == (terms.clone(), offset + further);
            if !is_beside {
                return None;
            }
        }
        let Byte { input, plane, at, choice, flips } = first;
        let along = bytes.into_iter().map(|byte| self.along[byte.0 as usize]).collect::<Axes>();
        let quad = Quad {
            input,
            plane: plane.map(|plane| self.operand(plane)),
            at: at.map(|at| self.operand(at)),
            choice: choice.map(|choice| choice.map(|value| self.operand(value))),
            flips: u32::from_ne_bytes([flips; 4]),
            along,
        };
        self.source(&[Lane::I32], Source::Quad(Box::new(quad))).first().copied()
    }

    /// A scalar as a byte of a whole input.
    fn byte(&self, id: ValueId) -> Option<Byte> {
        if !matches!(self.place(id), Value::Scalar(_)) {
            return None;
        }
        match self.body.node(id).op {
            Op::Cast(CastMode::Wrapping, inner) if self.body.node(inner).ty.bits() == 8 => self.byte(inner),
            Op::Binary(BinaryOp::Xor, inner, mask) => {
                let mask = u8::try_from(self.constant(mask)?).ok()?;
                self.byte(inner).map(|byte| Byte { flips: byte.flips ^ mask, ..byte })
            }
            Op::Select { condition, then, otherwise } => {
                let byte = self.byte(then).filter(|byte| byte.choice.is_none() && byte.flips == 0)?;
                Some(Byte { choice: Some([condition, otherwise]), ..byte })
            }
            Op::Gather { input, channel: 0, plane, at } if self.kernel.inputs[input.0 as usize].channels == 1 => {
                Some(Byte { input, plane, at, choice: None, flips: 0 })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::x86::avx512::TARGET;

    /// How often the AVX-512 body of a product of bytes reads four of them at once, and how many rows it computes together.
    fn reads(element: &str) -> [usize; 2] {
        let compiled = windrow_dsl::compile_file(&format!(
            "#[kernel(window(n, k))] fn f(
                [n, k]: At<2>, #[shape(n, c)] src: View<u8, 2>, #[shape(c, k)] weights: View<i8, 2>, #[uniform] zero: u8,
            ) -> i32 {{
                let [_, channels] = src.extents();
                let mut sum = 0i32;
                for c in 0..channels {{ sum = sum.wrapping_add({element} as i32 * weights[[c, k]] as i32); }}
                sum
            }}"
        ));
        assert!(compiled.errors.is_empty(), "{}", compiled.errors[0].message);
        let kernel = &compiled.kernels[0].kernel;
        let body = (TARGET.emit)(kernel, &windrow_dsl::optimise::prepare(kernel), 0, "f", None).unwrap();
        let reads = body.text.matches(".four_bytes(").count() + body.text.matches(".four_adjacent_bytes(").count();
        [reads, body.text.matches("let out_row_").count()]
    }

    #[test]
    fn bytes_side_by_side_are_one_number() {
        // All three forms of the loop read so.
        for element in ["src[[n, c]]", "src.get([n - 1, c]).unwrap_or(zero)"] {
            let [reads, rows] = reads(element);
            assert_eq!(reads, 3 * rows, "{element}");
        }
    }

    #[test]
    fn other_bytes_are_read_one_by_one() {
        for element in
            ["src.get([c, n]).unwrap_or(0)", "src.get([n, 2 * c]).unwrap_or(0)", "src[[n, channels - 1 - c]]"]
        {
            assert_eq!(reads(element)[0], 0, "{element}");
        }
    }
}
