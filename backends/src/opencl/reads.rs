//! How a block reads its inputs: each row in pieces, once, and the taps put together from them.

use super::block::{BlockWriter, signed_name};
use super::c::{Expr, Statement};
use super::pieces::{Beside, Layout, Piece, find_pieces, first_unit, gather};
use super::prelude::Helper;
use super::program::Reads;
use super::types::{CType, bits};
use std::rc::Rc;
use windrow_dsl::ir::{InputId, Node, Tap};

impl BlockWriter<'_> {
    fn layout(&self, id: InputId) -> Layout {
        self.function.layout(&self.function.kernel.inputs[id.0 as usize])
    }

    /// Reads a row's pieces, once.
    pub fn read_row(&mut self, id: InputId, dy: i32) {
        if self.rows.contains_key(&(id, dy)) {
            return;
        }
        let layout = self.layout(id);
        let row = self.row(self.function.kernel.inputs[id.0 as usize].stride().1, dy);
        let pieces = find_pieces(&self.function, &self.nest.nodes, (id, dy));
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
    fn load(&mut self, id: InputId, layout: Layout, row: &Expr, piece: Piece) -> Expr {
        let (value, loaded) = (CType { ty: layout.unit, lanes: piece.units }, layout.loaded(piece.units));
        let (image, column) = (self.image(id), integer(piece.first * layout.elements_of_unit() as i32));
        let load = self.prelude.call(Helper::Load, loaded, [image, column, row.clone()]);
        if value == loaded { load } else { load.bits_as(value) }
    }

    /// An element of an image, on the block or beside it.
    fn sample(&mut self, id: InputId, layout: Layout, row: &Expr, piece: Piece) -> Expr {
        let a = &self.images.inputs[id.0 as usize];
        let [image, sampler, border, first] =
            ["", "_sampler", "_border", "_first"].map(|part| Expr::name(format!("{a}{part}")));
        let arguments = [image, sampler, border, first, integer(piece.first), row.clone()];
        self.prelude.call(Helper::Sample, CType::scalar(layout.ty), arguments)
    }

    /// A unit beside the block: an element, or a word of those that are read.
    fn beside(&mut self, id: InputId, layout: Layout, row: &Expr, piece: Piece) -> Expr {
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
            let word = pattern.cast(CType::scalar(windrow_dsl::ir::Type::U32));
            let shift = i128::from(place * bits(layout.ty));
            Some(if place == 0 { word } else { word.infix("<<", Expr::number(shift)) })
        };
        (0..elements).filter_map(part).reduce(|word, part| word.infix("|", part)).unwrap_or(nothing)
    }

    /// `src_m1_0`: where a piece starts, in elements or cells.
    fn piece_name(&self, id: InputId, layout: Layout, dy: i32, piece: Piece) -> String {
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
