//! Pairs from the words of an image, and words from pairs.

use super::packer::Packer;
use super::pair::{MOST, Pair, TOPS, Value, both};
use windrow_dsl::ir::Overflow::Wrap;
use windrow_dsl::ir::{BinaryOp, Constant, InputId, Node, Op, Store, Tap, Type, ValueId};
use windrow_dsl::quick::QuickTable;

/// The lower half of a word.
const LOW: i128 = 0xffff;
/// The upper half of a word.
const HIGH: i128 = 0xffff_0000;
/// The even bytes of a word.
const EVEN: i128 = 0x00ff_00ff;
/// The odd bytes of a word.
const ODD: i128 = 0xff00_ff00;

impl Packer<'_> {
    /// The pair of the elements `dx` and `dx + columns` columns right of the cell's first.
    pub fn tap(&mut self, input: InputId, dx: i32, dy: i32, like: &Node) -> Pair {
        let ty = like.ty;
        let cell = 2 * self.columns;
        let place = WordPlace { input, dy, cell: dx.div_euclid(cell) };
        let column = dx.rem_euclid(cell);
        let word = match (self.columns, ty.bits()) {
            (1, _) if column == 0 => self.read(place, 0, like),
            (1, _) => {
                let (left, right) = (self.read(place, 0, like), self.read(place.next(), 0, like));
                self.joined(left, right)
            }
            (_, 8) => self.bytes(place, column, like),
            (_, _) => self.halves(place, column, like),
        };
        let bias = if ty.is_signed() { 1 << (ty.bits() - 1) } else { 0 };
        let word = if bias == 0 { word } else { self.with(BinaryOp::Xor, word, both(bias)) };
        Pair { word, bias, range: ty.limits(), wraps: false }
    }

    fn read(&mut self, place: WordPlace, channel: u32, like: &Node) -> ValueId {
        let WordPlace { input, dy, cell } = place;
        self.builder.push(Node { op: Tap { input, channel, dx: cell, dy }.op(), ty: Type::U32, ..like.clone() })
    }

    /// Bytes `column` and `column + 2` from a cell's first on.
    fn bytes(&mut self, place: WordPlace, column: i32, like: &Node) -> ValueId {
        // A name goes to the words that are read, unless they have one.
        if let Some(known) = self.taps.find(place, column, like.name.is_some()) {
            return known;
        }
        let word = self.bytes_of(place, column, like);
        self.taps.add(place, column, word, like.name.is_some());
        word
    }

    fn bytes_of(&mut self, place: WordPlace, column: i32, like: &Node) -> ValueId {
        if column >= 2 {
            let left = self.bytes(place, column - 2, like);
            let right = self.bytes(place.next(), column - 2, like);
            return self.joined(left, right);
        }
        let word = self.read(place, 0, like);
        let word = if column == 0 { word } else { self.with(BinaryOp::Shr, word, 8) };
        self.with(BinaryOp::And, word, EVEN)
    }

    /// Elements `column` and `column + 2` of 16 bits from a cell's first on: a cell is two words of neighbours.
    fn halves(&mut self, place: WordPlace, column: i32, like: &Node) -> ValueId {
        let (left, right) = if column < 2 {
            (self.read(place, 0, like), self.read(place, 1, like))
        } else {
            (self.read(place, 1, like), self.read(place.next(), 0, like))
        };
        if column % 2 == 0 { self.lower(left, right) } else { self.upper(left, right) }
    }

    /// The upper half of `left`, then the lower half of `right`.
    fn joined(&mut self, left: ValueId, right: ValueId) -> ValueId {
        let left = self.with(BinaryOp::Shr, left, 16);
        let right = self.with(BinaryOp::Shl(Wrap), right, 16);
        self.combine(BinaryOp::Or, left, right)
    }

    /// The lower halves of both.
    fn lower(&mut self, left: ValueId, right: ValueId) -> ValueId {
        let left = self.with(BinaryOp::And, left, LOW);
        let right = self.with(BinaryOp::Shl(Wrap), right, 16);
        self.combine(BinaryOp::Or, left, right)
    }

    /// The upper halves of both.
    fn upper(&mut self, left: ValueId, right: ValueId) -> ValueId {
        let left = self.with(BinaryOp::Shr, left, 16);
        let right = self.with(BinaryOp::And, right, HIGH);
        self.combine(BinaryOp::Or, left, right)
    }

    /// The words of a cell of an output, from the values of each column.
    pub fn words(&mut self, store: &Store, columns: &[Value]) -> Option<Vec<ValueId>> {
        let ty = self.kernel.outputs[store.to.tensor.0 as usize].ty;
        let mut pairs = Vec::with_capacity(columns.len());
        for &value in columns {
            pairs.push(self.exact_value(value, store.value)?);
        }
        match (pairs.as_slice(), ty.bits()) {
            (&[even, odd], 8) => self.interleaved(even, odd, ty).map(|word| vec![word]),
            (&[even, odd], _) => {
                let (even, odd) = (self.stored(even, ty)?, self.stored(odd, ty)?);
                Some(vec![self.lower(even, odd), self.upper(even, odd)])
            }
            (&[pair], _) => self.stored(pair, ty).map(|word| vec![word]),
            (_, _) => None,
        }
    }

    /// The bytes of an even and an odd pair in turn.
    fn interleaved(&mut self, even: Pair, odd: Pair, ty: Type) -> Option<ValueId> {
        if let (Some((even, by)), Some((odd, by_odd))) = (self.unmasked(even), self.unmasked(odd))
            && by == by_odd
        {
            // The last shift and the interleaving are one: what they bring along falls to one mask.
            let even = self.with(BinaryOp::Shr, even, by);
            let even = self.with(BinaryOp::And, even, EVEN);
            let odd = self.with(BinaryOp::Shl(Wrap), odd, 8 - by);
            let odd = self.with(BinaryOp::And, odd, ODD);
            return Some(self.combine(BinaryOp::Or, even, odd));
        }
        let (even, odd) = (self.byte(even, ty)?, self.byte(odd, ty)?);
        let odd = self.with(BinaryOp::Shl(Wrap), odd, 8);
        Some(self.combine(BinaryOp::Or, even, odd))
    }

    /// What a pair was shifted from, and how far, before its mask, where that leaves bytes.
    fn unmasked(&self, pair: Pair) -> Option<(ValueId, i128)> {
        let Op::Binary(BinaryOp::And, shifted, mask) = self.builder.node(pair.word).op else { return None };
        let Op::Binary(BinaryOp::Shr, word, by) = self.builder.node(shifted).op else { return None };
        let (Constant::Int(by), Constant::Int(mask)) = (self.builder.constant(by)?, self.builder.constant(mask)?)
        else {
            return None;
        };
        let is_shift = (1..=8).contains(&by) && mask == both(MOST >> by);
        (is_shift && pair.bias == 0 && pair.range.0 >= 0 && pair.range.1 <= 255).then_some((word, by))
    }

    /// A pair of bytes, clean.
    fn byte(&mut self, pair: Pair, ty: Type) -> Option<ValueId> {
        if ty.is_signed() && pair.range.0 < 0 {
            let pair = self.rebias(pair, 256);
            return Some(self.with(BinaryOp::And, pair.word, EVEN));
        }
        Some(self.rebias(pair, 0).word)
    }

    /// A pair of 16-bit elements as they lie in memory.
    fn stored(&mut self, pair: Pair, ty: Type) -> Option<ValueId> {
        if ty.is_signed() && pair.range.0 < 0 {
            let pair = self.rebias(pair, 0x8000);
            return Some(self.with(BinaryOp::Xor, pair.word, TOPS));
        }
        Some(self.rebias(pair, 0).word)
    }
}

/// The pairs of bytes so far, by their cell, by their column in it, and by whether what they read has names: neighbours ask
/// for the same ones.
#[derive(Default)]
pub(super) struct Taps {
    table: QuickTable,
    list: Vec<(WordPlace, i32, ValueId, bool)>,
}

impl Taps {
    fn find(&self, place: WordPlace, column: i32, is_named: bool) -> Option<ValueId> {
        let list = self.list.as_slice();
        let is_wanted = |number: usize| {
            let (own, own_column, _, has_names) = &list[number];
            let is_there = own.cell == place.cell && own.dy == place.dy && own.input.0 == place.input.0;
            is_there && *own_column == column && (*has_names || !is_named)
        };
        Some(list[self.table.find(place.hash(column), is_wanted)?].2)
    }

    fn add(&mut self, place: WordPlace, column: i32, word: ValueId, is_named: bool) {
        self.table.add(place.hash(column));
        self.list.push((place, column, word, is_named));
    }
}

/// A cell of an input.
#[derive(Clone, Copy)]
struct WordPlace {
    input: InputId,
    dy: i32,
    cell: i32,
}

impl WordPlace {
    fn hash(self, column: i32) -> u64 {
        let places = (self.dy as u64) << 16 ^ (self.cell as u64) << 3 ^ column as u64;
        (places ^ u64::from(self.input.0) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
    }

    /// The cell to the right.
    fn next(self) -> Self {
        Self { cell: self.cell + 1, ..self }
    }
}
