//! How a row of an input is read: in pieces that start on their own boundaries, each once, whatever taps there are.
//!
//! A row is counted in **units** from the block's first: elements, or words in a body of pairs. What all taps of the
//! row need is covered by the fewest pieces of 1, 2, 4, 8 or 16 units that start at a multiple of their length; a tap is
//! put together from them. Nothing is read left of the first unit that a tap needs, or right of the last.

use super::writer::{BlockWriter, signed_name};
use crate::opencl::c::prelude::Helper;
use crate::opencl::c::text::{Expr, Statement};
use crate::opencl::c::types::{CType, bits, bytes};
use crate::opencl::program::{Function, Reads, Unit};
use crate::opencl::schedule::Schedule;
use std::rc::Rc;
use windrow_dsl::ir::{Input, InputId, Node, Output, Tap, Type};

/// The most bytes that one load reads.
const WIDEST_LOAD: u32 = 16;

/// How the units of an image's row lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitLayout {
    /// The type of an element.
    pub ty: Type,
    /// What a unit is in a register.
    pub unit: Type,
    /// Units of one element's channels, or of one cell.
    pub channels: u32,
    /// Units from lane to lane.
    pub step: u32,
    /// Lanes of a vector.
    pub lanes: u32,
}

impl UnitLayout {
    /// That of an image of `channels` channels of which every `stride`-th element is in a lane.
    fn of(ty: Type, channels: u32, stride: u32, unit: Unit, lanes: u32) -> Self {
        match unit {
            Unit::Element => Self { ty, unit: ty, channels, step: channels * stride, lanes },
            Unit::Word { cell } => {
                let words = cell * bytes(ty) / bytes(Type::U32);
                Self { ty, unit: Type::U32, channels: words, step: words, lanes }
            }
        }
    }

    /// Units of the widest load or store.
    pub fn widest(self) -> u32 {
        let most = WIDEST_LOAD / bytes(self.unit);
        let length = self.lanes * self.step;
        [16, 8, 4, 2].into_iter().find(|&units| units <= most && length.is_multiple_of(units)).unwrap_or(1)
    }

    /// Elements (channels of pixels counted singly) of a unit.
    pub fn elements_of_unit(self) -> u32 {
        bytes(self.unit) / bytes(self.ty)
    }

    /// The elements that a load or a store of `units` units moves.
    pub fn loaded(self, units: u32) -> CType {
        CType { ty: self.ty, lanes: units * self.elements_of_unit() }
    }
}

/// A load: `units` units from the `first` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The first unit.
    pub first: i32,
    /// How many; one beside the block.
    pub units: u32,
    /// Whether it is beside the block: where the image ends there, its elements come through the border.
    pub is_beside: bool,
}

/// A piece, and the name of what it has read.
pub type NamedPiece = (Piece, Rc<str>);

impl Piece {
    fn holds(self, unit: i32) -> bool {
        self.first <= unit && unit < self.first + self.units as i32
    }

    /// Whether it holds a unit of a tap's lanes.
    fn meets(self, first: i32, layout: UnitLayout) -> bool {
        (0..layout.lanes).any(|lane| self.holds(first + (lane * layout.step) as i32))
    }
}

/// What a block reads of an input's rows beside its own columns, in elements (channels counted singly) from its first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beside {
    /// The first on the left: 0 or less.
    pub left: i32,
    /// The first on the right.
    pub length: i32,
    /// The end on the right: `length` or more.
    pub end: i32,
}

impl Beside {
    /// That of a block of `columns` columns.
    pub fn of(input: &Input, columns: u32) -> Self {
        let (stride, channels) = (input.stride().0 as i32, input.channels as i32);
        let length = stride * columns as i32;
        let end = length - stride + input.neighbourhood.right + 1;
        Self {
            left: input.neighbourhood.left.min(0) * channels,
            length: length * channels,
            end: end.max(length) * channels,
        }
    }

    /// The elements, left to right.
    pub fn columns(self) -> impl Iterator<Item = i32> {
        (self.left..0).chain(self.length..self.end)
    }

    /// The place of an element among them.
    pub fn place(self, column: i32) -> Option<usize> {
        self.columns().position(|one| one == column)
    }
}

impl Function<'_> {
    /// How an input lies.
    pub fn layout(&self, input: &Input) -> UnitLayout {
        UnitLayout::of(input.ty, input.channels, input.stride().0, self.schedule.unit, self.schedule.lanes)
    }

    /// How an output lies.
    pub fn layout_of_output(&self, output: &Output) -> UnitLayout {
        UnitLayout::of(output.ty, output.channels, 1, self.schedule.unit, self.schedule.lanes)
    }
}

/// The pieces of a row of an input that values read. An image gives its elements one by one.
fn find_pieces(function: &Function<'_>, nodes: &[Node], (input, dy): (InputId, i32)) -> Vec<Piece> {
    let Schedule { unit, lanes, block, .. } = *function.schedule;
    let layout = function.layout(&function.kernel.inputs[input.0 as usize]);
    let taps = nodes.iter().filter_map(|node| node.op.tap()).filter(|tap| (tap.input, tap.dy) == (input, dy));
    let firsts: Vec<i32> = taps.map(|tap| first_unit(layout, tap)).collect();
    let length = (block.x / unit.elements() * layout.step) as i32;
    let widest = if function.reads == Reads::Images { 1 } else { layout.widest() };
    let (first, last) = firsts.iter().fold((i32::MAX, i32::MIN), |(a, b), &one| (a.min(one), b.max(one)));
    let mut pieces = cover(first, last + (layout.step * (lanes - 1)) as i32, length, widest);
    pieces.retain(|piece| firsts.iter().any(|&first| piece.meets(first, layout)));
    pieces
}

/// The unit of a tap's first lane.
fn first_unit(layout: UnitLayout, tap: Tap) -> i32 {
    tap.dx * layout.channels as i32 + tap.channel as i32
}

/// The units `first..=last` in pieces of at most `widest`, a power of two; those outside `0..length` one by one.
fn cover(first: i32, last: i32, length: i32, widest: u32) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut next = first;
    while next <= last {
        let is_beside = next < 0 || next >= length;
        let mut units = if is_beside { 1 } else { widest as i32 };
        while next.rem_euclid(units) != 0 || next + units > length.min(last + 1) && units > 1 {
            units /= 2;
        }
        pieces.push(Piece { first: next, units: units as u32, is_beside });
        next += units;
    }
    pieces
}

/// The units `first`, `first + step`, … as one vector of a type, from named pieces.
fn gather(ty: CType, first: i32, step: u32, pieces: &[NamedPiece]) -> Expr {
    let mut parts = Vec::new();
    let mut unit = first;
    let end = first + (ty.lanes * step) as i32;
    while unit < end {
        let Some((piece, name)) = pieces.iter().find(|(piece, _)| piece.holds(unit)) else {
            unit += step as i32;
            continue;
        };
        let from = unit - piece.first;
        let mut lanes: Vec<i32> = Vec::new();
        while unit < end && piece.holds(unit) {
            lanes.push(from + step as i32 * lanes.len() as i32);
            unit += step as i32;
        }
        let name = Expr::Name(Rc::clone(name));
        // The whole of a piece has no suffix.
        if lanes.len() == piece.units as usize {
            parts.push(name);
            continue;
        }
        // A suffix names as many components as a vector can have.
        let mut left = lanes.as_slice();
        while !left.is_empty() {
            let length = [16, 8, 4].into_iter().find(|&length| length <= left.len()).unwrap_or(left.len());
            let (taken, behind) = left.split_at(length);
            let letters: String = taken.iter().map(|lane| format!("{lane:x}")).collect();
            parts.push(Expr::Lanes(Box::new(name.clone()), format!("s{letters}")));
            left = behind;
        }
    }
    if parts.len() == 1 { parts.swap_remove(0) } else { Expr::Vector(ty, parts) }
}

impl BlockWriter<'_> {
    fn layout(&self, id: InputId) -> UnitLayout {
        self.function.layout(&self.function.kernel.inputs[id.0 as usize])
    }

    /// Reads a row's pieces, once.
    pub fn read_row(&mut self, id: InputId, dy: i32) {
        if self.rows.contains_key(&(id, dy)) {
            return;
        }
        let layout = self.layout(id);
        let row = self.row(self.function.kernel.inputs[id.0 as usize].stride().1, dy);
        let pieces = find_pieces(&self.function, &self.nested.nodes, (id, dy));
        let mut named = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let name = self.piece_name(id, layout, dy, piece);
            let name = self.names.claim(&name);
            let value = match self.function.reads {
                Reads::Images => self.sample(id, layout, &row, piece),
                Reads::Buffers if piece.is_beside => self.beside(id, layout, &row, piece),
                Reads::Buffers => self.load(id, layout, &row, piece),
            };
            let ty = CType { ty: layout.unit, lanes: piece.units };
            self.statements.push((None, Statement::Declare(ty, Rc::clone(&name), value)));
            named.push((piece, name));
        }
        self.rows.insert((id, dy), named);
    }

    fn image(&self, id: InputId) -> Expr {
        Expr::Name(Rc::clone(&self.images.inputs[id.0 as usize]))
    }

    /// Units of a row of the block.
    fn load(&mut self, id: InputId, layout: UnitLayout, row: &Expr, piece: Piece) -> Expr {
        let (value, loaded) = (CType { ty: layout.unit, lanes: piece.units }, layout.loaded(piece.units));
        let (image, column) = (self.image(id), integer(piece.first * layout.elements_of_unit() as i32));
        let load = self.prelude.call(Helper::Load, loaded, [image, column, row.clone()]);
        if value == loaded { load } else { load.bits_as(value) }
    }

    /// An element of an image, on the block or beside it.
    fn sample(&mut self, id: InputId, layout: UnitLayout, row: &Expr, piece: Piece) -> Expr {
        let a = &self.images.inputs[id.0 as usize];
        let [image, sampler, border, first] =
            ["", "_sampler", "_border", "_first"].map(|part| Expr::name(format!("{a}{part}")));
        let arguments = [image, sampler, border, first, integer(piece.first), row.clone()];
        self.prelude.call(Helper::Sample, CType::scalar(layout.ty), arguments)
    }

    /// A unit beside the block: an element, or a word of those that are read.
    fn beside(&mut self, id: InputId, layout: UnitLayout, row: &Expr, piece: Piece) -> Expr {
        let beside = Beside::of(&self.function.kernel.inputs[id.0 as usize], self.function.schedule.block.x);
        let element = CType::scalar(layout.ty);
        let mut load = |column: i32| {
            let arguments = [self.image(id), integer(beside.place(column)? as i32), integer(column), row.clone()];
            Some(self.prelude.call(Helper::Beside, element, arguments))
        };
        let (elements, nothing) = (layout.elements_of_unit(), integer(0));
        if elements == 1 {
            return load(piece.first).unwrap_or(nothing);
        }
        let part = |place: u32| {
            let load = load(piece.first * elements as i32 + place as i32)?;
            let pattern = if element == element.unsigned() { load } else { load.cast(element.unsigned()) };
            let word = pattern.cast(CType::scalar(Type::U32));
            let shift = i128::from(place * bits(layout.ty));
            Some(if place == 0 { word } else { word.infix("<<", Expr::number(shift)) })
        };
        (0..elements).filter_map(part).reduce(|word, part| word.infix("|", part)).unwrap_or(nothing)
    }

    /// `src_m1_0`: where a piece starts, in elements or cells.
    fn piece_name(&self, id: InputId, layout: UnitLayout, dy: i32, piece: Piece) -> String {
        let input = &self.function.kernel.inputs[id.0 as usize];
        let channels = layout.channels as i32;
        let (words, column) = (if self.has_pairs() { "_words_" } else { "_" }, piece.first.div_euclid(channels));
        let row = if input.is_neighbourhood { self.row_name(input.stride().1, dy) } else { String::new() };
        let channel = match piece.first.rem_euclid(channels) {
            0 => String::new(),
            channel => format!("_c{channel}"),
        };
        format!("{}{words}{}{row}{channel}", input.name, signed_name(column))
    }

    /// Whether an element needs no name of its own, because a piece is just it.
    pub fn is_piece(&self, node: &Node, read: &Expr) -> bool {
        let (Some(Tap { input, dy, .. }), Expr::Name(read)) = (node.op.tap(), read) else { return false };
        self.rows.get(&(input, dy)).is_some_and(|row| row.iter().any(|(_, name)| name == read))
    }

    /// A tap, put together from the pieces of its row.
    pub fn tap(&self, tap: Tap) -> Expr {
        let layout = self.layout(tap.input);
        let ty = CType { ty: layout.unit, lanes: layout.lanes };
        let pieces = self.rows.get(&(tap.input, tap.dy)).map(Vec::as_slice).unwrap_or_default();
        gather(ty, first_unit(layout, tap), layout.step, pieces)
    }
}

/// An integer as an argument, which needs no parentheses.
fn integer(value: i32) -> Expr {
    Expr::name(value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opencl::c::types::Floats;

    fn pieces(first: i32, last: i32, length: i32, widest: u32) -> Vec<(i32, u32)> {
        cover(first, last, length, widest).into_iter().map(|piece| (piece.first, piece.units)).collect()
    }

    fn tap(ty: CType, first: i32, step: u32, pieces: Vec<Piece>) -> String {
        let named: Vec<(Piece, Rc<str>)> = pieces.into_iter().zip(["a", "b", "c", "d"].map(Rc::from)).collect();
        gather(ty, first, step, &named).text(&Floats::default())
    }

    #[test]
    fn pieces_start_at_multiples_of_their_length() {
        assert_eq!(pieces(-1, 4, 4, 4), [(-1, 1), (0, 4), (4, 1)]);
        assert_eq!(pieces(-2, 17, 16, 16), [(-2, 1), (-1, 1), (0, 16), (16, 1), (17, 1)]);
        assert_eq!(pieces(0, 47, 48, 16), [(0, 16), (16, 16), (32, 16)]);
        assert_eq!(pieces(0, 6, 8, 8), [(0, 4), (4, 2), (6, 1)]);
        assert_eq!(pieces(1, 1, 8, 8), [(1, 1)]);
    }

    #[test]
    fn a_tap_is_put_together_from_pieces() {
        let form = CType { ty: Type::U8, lanes: 4 };
        assert_eq!(tap(form, 0, 1, cover(-1, 4, 4, 4)), "b");
        assert_eq!(tap(form, -1, 1, cover(-1, 4, 4, 4)), "(uchar4)(a, b.s012)");
        assert_eq!(tap(form, 1, 1, cover(-1, 4, 4, 4)), "(uchar4)(b.s123, c)");
        assert_eq!(tap(form, 1, 3, cover(0, 11, 12, 4)), "(uchar4)(a.s1, b.s03, c.s2)");
        let wide = CType { ty: Type::U8, lanes: 8 };
        assert_eq!(tap(wide, -1, 1, cover(-1, 7, 8, 8)), "(uchar8)(a, b.s0123, b.s456)");
    }

    #[test]
    fn a_row_of_pixels_is_read_in_whole_words() {
        let layout = UnitLayout::of(Type::U8, 3, 1, Unit::Element, 16);
        assert_eq!(layout.widest(), 16);
        let words = UnitLayout::of(Type::I16, 1, 1, Unit::Word { cell: 4 }, 4);
        assert_eq!((words.channels, words.widest(), words.loaded(4)), (2, 4, CType { ty: Type::I16, lanes: 8 }));
    }

    #[test]
    fn elements_beside_a_block_have_places() {
        let beside = Beside { left: -2, length: 16, end: 17 };
        assert_eq!(beside.columns().collect::<Vec<_>>(), [-2, -1, 16]);
        assert_eq!((beside.place(-1), beside.place(16), beside.place(3)), (Some(1), Some(2), None));
    }
}
