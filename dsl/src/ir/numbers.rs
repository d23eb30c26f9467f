//! Value numbers: the first value that computes an operation stands for all later ones.
//!
//! Macros are built without optimisation, and a builder asks for every value that any pass writes: so operations are packed
//! into three words, in a table of its own that is written down without a call.

use super::{Access, BinaryOp, Constant, Op, Type, ValueId};
use crate::quick::QuickTable;

/// An operation and its type; different ones differ.
type Key = [u64; 3];

/// The operations so far, in the order of their numbers.
#[derive(Debug, Default)]
pub struct Numbers {
    keys: Vec<Key>,
    accesses: Accesses,
    /// Numbers plus one, by hash: open addresses, a power of two of them; 0: none.
    places: Vec<u32>,
}

/// Places of the first table.
const FEWEST: usize = 512;

impl Numbers {
    /// Makes room for about `count` operations.
    pub fn with_capacity(count: usize) -> Self {
        let places = (2 * count + 2).next_power_of_two().max(FEWEST);
        Self { keys: Vec::with_capacity(count), accesses: Accesses::default(), places: vec![0; places] }
    }

    /// The number of an operation, a new one where nothing computes it yet: as many as there were.
    pub fn of(&mut self, op: &Op, ty: Type) -> ValueId {
        let load = if let Op::Load(access) = op { self.accesses.of(access) } else { 0 };
        self.of_key(pack(op, ty, load))
    }

    /// The same of an operation on two values, as most are: packed at once.
    pub fn of_binary(&mut self, op: BinaryOp, a: ValueId, b: ValueId, ty: Type) -> ValueId {
        self.of_key([
            u64::from(a.0) << 32 | u64::from(b.0),
            0,
            BINARY << 16 | (op.code() as u64) << 8 | ty.code() as u64,
        ])
    }

    fn of_key(&mut self, key: Key) -> ValueId {
        let count = self.keys.len();
        if 2 * count >= self.places.len() {
            self.grow();
        }
        let (keys, places) = (self.keys.as_slice(), self.places.as_mut_slice());
        let (last, mut place) = (places.len() - 1, first_place(&key, places.len()));
        let [a, b, c] = key;
        while places[place] != 0 {
            let number = places[place] - 1;
            let [own_a, own_b, own_c] = keys[number as usize];
            if own_a == a && own_b == b && own_c == c {
                return ValueId(number);
            }
            place = (place + 1) & last;
        }
        places[place] = count as u32 + 1;
        self.keys.push(key);
        ValueId(count as u32)
    }

    fn grow(&mut self) {
        let mut grown = vec![0; (4 * self.places.len()).max(FEWEST)];
        let (keys, places) = (self.keys.as_slice(), grown.as_mut_slice());
        let mut number = 0;
        while number < keys.len() {
            let mut place = first_place(&keys[number], places.len());
            while places[place] != 0 {
                place = (place + 1) & (places.len() - 1);
            }
            number += 1;
            places[place] = number as u32;
        }
        self.places = grown;
    }
}

/// The accesses so far, in the order of their numbers.
#[derive(Debug, Default)]
struct Accesses {
    list: Vec<Access>,
    table: QuickTable,
}

impl Accesses {
    /// The number of an access.
    fn of(&mut self, access: &Access) -> u32 {
        // What tells accesses of a body apart: their coefficients are those of the input.
        let mut hash = u64::from(access.tensor.0) << 32 | u64::from(access.channel);
        for place in access.at() {
            hash = (hash.rotate_left(5) ^ place.constant as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        let (hash, list) = (hash ^ hash >> 32, self.list.as_slice());
        if let Some(number) = self.table.find(hash, |number| list[number] == *access) {
            return number as u32;
        }
        self.list.push(access.clone());
        self.table.add(hash) as u32
    }
}

/// The place at which a search begins, below `places`.
fn first_place(key: &Key, places: usize) -> usize {
    let [a, b, c] = *key;
    // A bit decides on those of the product that are as high or higher: whatever tells operations apart stands low enough.
    let mixed = (a ^ b << 7 ^ b >> 21 ^ c << 17).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as usize & (places - 1)
}

/// The kind of operations on two values.
const BINARY: u64 = 9;

/// The kind of reads from an input.
const LOAD: u64 = 3;

/// What an operation is, the kind and its operands each in bits of their own; a read by the number of its access.
fn pack(op: &Op, ty: Type, load: u32) -> Key {
    let optional = |id: Option<ValueId>| id.map_or(0, |id| id.0 + 1);
    // The kind, what distinguishes it, and up to four operands.
    let (kind, which, [a, b, c, d]) = match *op {
        Op::Constant(Constant::Bool(value)) => (0, 0, [u32::from(value), 0, 0, 0]),
        Op::Constant(Constant::Int(value)) => (1, 0, [0, 32, 64, 96].map(|bit| (value >> bit) as u32)),
        Op::Constant(Constant::Float(bits)) => (2, 0, [bits, 0, 0, 0]),
        // Told apart by their types.
        Op::Constant(Constant::Double(bits)) => (2, 0, [bits as u32, (bits >> 32) as u32, 0, 0]),
        Op::Uniform { uniform, index } => (4, 0, [uniform.0, index, 0, 0]),
        Op::Load(_) => (LOAD, 0, [load, 0, 0, 0]),
        Op::Coordinate { axis, offset } => (5, 0, [offset as u32, axis.0, 0, 0]),
        Op::Lookup { table, index } => (6, 0, [table.0, index.0, 0, 0]),
        Op::Derived { index, .. } => (7, 0, [index, 0, 0, 0]),
        Op::Extent { input, dimension } => (13, 0, [input.0, dimension, 0, 0]),
        Op::Stride { input, dimension } => (14, 0, [input.0, dimension, 0, 0]),
        Op::Plane { input, dimension, outside, index } => (22, 0, [input.0, dimension, optional(outside), index.0]),
        Op::Gather { input, channel, plane, at: [row, column] } => {
            // An element has few channels.
            (15, channel as u8, [input.0, optional(plane), row.0, column.0])
        }
        Op::Fetch { input, channel, offset } => (16, 0, [input.0, channel, offset.0, 0]),
        // The columns of a step and the lanes of a reduction have no value in common.
        Op::Contiguous { input, row, first, last, .. } => (21, 0, [input.0, row.0, first.0, last.0]),
        Op::Across { op, value } => (23, op.code() as u8, [value.0, 0, 0, 0]),
        Op::Local { value, axis, offset } => (24, axis.0 as u8, [value.0, offset as u32, 0, 0]),
        Op::Unary(op, a) => (8, op.code() as u8, [a.0, 0, 0, 0]),
        Op::Binary(op, a, b) => (BINARY, op.code() as u8, [a.0, b.0, 0, 0]),
        Op::MulAdd(a, b, c) => (10, 0, [a.0, b.0, c.0, 0]),
        Op::Select { condition, then, otherwise } => (11, 0, [condition.0, then.0, otherwise.0, 0]),
        Op::Cast(mode, a) => (12, mode as u8, [a.0, 0, 0, 0]),
        Op::Turn { axis, start, end, order } => (17, order as u8, [axis.0, start.0, end.0, 0]),
        Op::Carried { turn, before, index } => (18, 0, [turn.0, before.0, index, 0]),
        Op::Advance { carried, after, rest } => (19, 0, [carried.0, after.0, rest.0, 0]),
        Op::Outcome { end, carried } => (20, 0, [end.0, carried.0, 0, 0]),
    };
    let words = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
    [words(a, b), words(c, d), kind << 16 | u64::from(which) << 8 | ty.code() as u64]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Overflow::Wrap;
    use crate::ir::{InputId, Tap};

    /// Taps differ in their numbers, the values of a network in one operand or in their operation alone.
    #[test]
    fn searches_begin_at_places_of_their_own() {
        let extremum = |n: i32| {
            let op = if n % 2 == 0 { BinaryOp::Min } else { BinaryOp::Max };
            Op::Binary(op, ValueId(n as u32 / 2 / 20 + 225), ValueId(n as u32 / 2 % 20 + 225))
        };
        let tap = pack(&Tap { input: InputId(0), channel: 0, dx: 0, dy: 0 }.op(), Type::U8, 0);
        let taps = (0..225).map(|number| [number << 32 | tap[0], tap[1], tap[2]]);
        let keys = taps.chain((0..225).map(|n| pack(&extremum(n), Type::U8, 0)));
        let places: std::collections::BTreeSet<usize> = keys.map(|key| first_place(&key, 1024)).collect();
        assert!(places.len() > 320, "{}", places.len());
    }

    #[test]
    fn equal_operations_have_one_number() {
        let mut numbers = Numbers::default();
        let tap = |n: i32| Tap { input: InputId(0), channel: 0, dx: n % 40, dy: n / 40 }.op();
        let sum = |n: i32| Op::Binary(BinaryOp::Add(Wrap), ValueId(n as u32), ValueId(0));
        for round in 0..2 {
            for n in 0..1000 {
                let at = 2 * n as u32;
                let found = [numbers.of(&tap(n), Type::U8), numbers.of(&sum(n), Type::U8)];
                assert_eq!(found, [ValueId(at), ValueId(at + 1)], "round {round}");
            }
        }
        assert_eq!(numbers.of(&sum(3), Type::U16), ValueId(2000));
        assert_eq!(numbers.of_binary(BinaryOp::Add(Wrap), ValueId(3), ValueId(0), Type::U8), ValueId(7));
    }
}
