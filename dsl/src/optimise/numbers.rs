//! Value numbers: the first value that computes an operation stands for all later ones.
//!
//! Macros are built without optimisation, and a builder asks for every value that any pass writes: so operations are packed
//! into three words.

use super::quick::QuickTable;
use crate::ir::{Constant, Op, Type, ValueId};

/// An operation and its type; different ones differ.
type Key = [u64; 3];

/// The operations so far, in the order of their numbers.
#[derive(Debug, Default)]
pub struct Numbers {
    keys: Vec<Key>,
    table: QuickTable,
}

impl Numbers {
    /// The number of an operation, a new one where nothing computes it yet: as many as there were.
    pub fn of(&mut self, op: &Op, ty: Type) -> ValueId {
        let key = pack(op, ty);
        let (keys, hash) = (self.keys.as_slice(), hash(&key));
        let number = self.table.find(hash, |number| keys[number] == key).unwrap_or_else(|| {
            self.keys.push(key);
            self.table.add(hash)
        });
        ValueId(number as u32)
    }
}

fn hash(key: &Key) -> u64 {
    let [a, b, c] = *key;
    let mixed = (a ^ b.rotate_left(23) ^ c.rotate_left(47)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed >> 32
}

/// What an operation is, the kind and its operands each in bits of their own.
fn pack(op: &Op, ty: Type) -> Key {
    // The kind, what distinguishes it, and up to four operands.
    let (kind, which, [a, b, c, d]) = match *op {
        Op::Constant(Constant::Bool(value)) => (0, 0, [u32::from(value), 0, 0, 0]),
        Op::Constant(Constant::Int(value)) => (1, 0, [value as u32, (value >> 32) as u32, 0, 0]),
        Op::Constant(Constant::Float(bits)) => (2, 0, [bits, 0, 0, 0]),
        Op::Input { input, channel, dx, dy } => (3, 0, [input.0, channel, dx as u32, dy as u32]),
        Op::Uniform { uniform, index } => (4, 0, [uniform.0, index, 0, 0]),
        Op::Coordinate { axis, offset } => (5, axis as u8, [offset as u32, 0, 0, 0]),
        Op::Lookup { table, index } => (6, 0, [table.0, index.0, 0, 0]),
        Op::Derived { index } => (7, 0, [index, 0, 0, 0]),
        Op::Unary(op, a) => (8, op as u8, [a.0, 0, 0, 0]),
        Op::Binary(op, a, b) => (9, op as u8, [a.0, b.0, 0, 0]),
        Op::MulAdd(a, b, c) => (10, 0, [a.0, b.0, c.0, 0]),
        Op::Select { condition, then, otherwise } => (11, 0, [condition.0, then.0, otherwise.0, 0]),
        Op::Cast(mode, a) => (12, mode as u8, [a.0, 0, 0, 0]),
    };
    let words = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
    [words(a, b), words(c, d), u64::from(kind as u8) << 16 | u64::from(which) << 8 | u64::from(ty as u8)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{BinaryOp, InputId};

    #[test]
    fn equal_operations_have_one_number() {
        let mut numbers = Numbers::default();
        let tap = |n: i32| Op::Input { input: InputId(0), channel: 0, dx: n % 40, dy: n / 40 };
        let sum = |n: i32| Op::Binary(BinaryOp::WrappingAdd, ValueId(n as u32), ValueId(0));
        for round in 0..2 {
            for n in 0..1000 {
                let at = 2 * n as u32;
                let found = [numbers.of(&tap(n), Type::U8), numbers.of(&sum(n), Type::U8)];
                assert_eq!(found, [ValueId(at), ValueId(at + 1)], "round {round}");
            }
        }
        assert_eq!(numbers.of(&sum(3), Type::U16), ValueId(2000));
    }
}
