//! How a block reads its inputs: each row in pieces, once, and the taps put together from them.

use super::{
    block::{Block, Reads, signed_name},
    pieces::{Beside, Layout, Piece, first_unit, gather},
    prelude::Helper,
    types::{Form, bits},
};
use crate::text::{Parts, Text};
use windrow_dsl::ir::{InputId, Node, Op};

impl Block<'_> {
    fn layout(&self, id: InputId) -> Layout {
        Layout::of_input(&self.function.kernel.inputs[id.0 as usize], self.function.unit, self.function.lanes)
    }

    /// Reads a row's pieces, once.
    pub fn read_row(&mut self, out: &mut Text, id: InputId, dy: i32) {
        if self.rows.contains_key(&(id, dy)) {
            return;
        }
        let layout = self.layout(id);
        let image = self.images.inputs[id.0 as usize].clone();
        let row = self.row(self.function.kernel.inputs[id.0 as usize].stride.1, dy);
        let pieces = self.pieces.get(&(id, dy)).cloned().unwrap_or_default();
        let mut named = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let name = self.piece_name(id, layout, dy, piece);
            let name = self.names.claim_text(&name);
            let value = Form { ty: layout.unit, lanes: piece.units };
            let line = out.begin();
            line.push("const ");
            value.push_to(line);
            line.push_all(&[" ", &name, " = "]);
            if self.function.reads == Reads::Images {
                self.sample(line, id, layout, &row, piece);
            } else if piece.is_beside {
                line.push(&self.beside(id, layout, &row, piece));
            } else {
                let loaded = layout.loaded(piece.units);
                self.prelude.pull(Helper::Load, loaded);
                let is_whole = value == loaded;
                if !is_whole {
                    line.push("as_");
                    value.push_to(line);
                    line.push("(");
                }
                line.push("load_");
                loaded.push_suffix_to(line);
                line.push_all(&["(", &image, ", "]);
                line.push_number((piece.first * layout.elements_of_unit() as i32).into());
                line.push_all(&[", ", &row, if is_whole { ")" } else { "))" }]);
            }
            line.push(";");
            out.end();
            named.push((piece, name));
        }
        self.rows.insert((id, dy), named);
    }

    /// Writes an element of an image, on or beside the block.
    fn sample(&mut self, out: &mut Parts, id: InputId, layout: Layout, row: &str, piece: Piece) {
        let (a, element) = (&self.images.inputs[id.0 as usize], Form::scalar(layout.ty));
        self.prelude.pull(Helper::Sample, element);
        out.push("sample_");
        element.push_suffix_to(out);
        out.push_all(&["(", a, ", ", a, "_sampler, ", a, "_border, ", a, "_first, "]);
        out.push_number(piece.first.into());
        out.push_all(&[", ", row, ")"]);
    }

    /// A unit beside the block: an element, or a word of those that are read.
    fn beside(&mut self, id: InputId, layout: Layout, row: &str, piece: Piece) -> String {
        let beside = Beside::of(&self.function.kernel.inputs[id.0 as usize], self.function.size.x);
        let image = &self.images.inputs[id.0 as usize];
        let element = Form::scalar(layout.ty);
        self.prelude.pull(Helper::Beside, element);
        let elements = layout.elements_of_unit();
        let load = |column: i32| {
            let place = beside.place(column)?;
            let mut load = Parts::default();
            load.push("beside_");
            element.push_suffix_to(&mut load);
            load.push_all(&["(", image, ", "]);
            load.push_number(place as i64);
            load.push(", ");
            load.push_number(column.into());
            load.push_all(&[", ", row, ")"]);
            Some(load.finish())
        };
        if elements == 1 {
            return load(piece.first).unwrap_or_else(|| "0".to_owned());
        }
        let bits = bits(layout.ty);
        let pattern = Form::scalar(layout.ty.unsigned());
        let part = |place: u32| {
            let load = load(piece.first * elements as i32 + place as i32)?;
            let shift = if place == 0 { String::new() } else { format!(" << {}", place * bits) };
            Some(if pattern == element {
                format!("(uint){load}{shift}")
            } else {
                format!("(uint)({pattern}){load}{shift}")
            })
        };
        let parts: Vec<String> = (0..elements).filter_map(part).collect();
        if parts.is_empty() { "0".to_owned() } else { parts.join(" | ") }
    }

    /// `src_m1_0`: where a piece starts, in elements or cells.
    fn piece_name(&self, id: InputId, layout: Layout, dy: i32, piece: Piece) -> String {
        let input = &self.function.kernel.inputs[id.0 as usize];
        let mut name = Parts::default();
        name.push_all(&[&input.name, if self.has_pairs() { "_words_" } else { "_" }]);
        let channels = layout.channels as i32;
        name.push(&signed_name(piece.first.div_euclid(channels)));
        if input.is_neighbourhood {
            name.push(&self.row_name(input.stride.1, dy));
        }
        let channel = piece.first.rem_euclid(channels);
        if channel != 0 {
            name.push("_c");
            name.push_number(channel.into());
        }
        name.finish()
    }

    /// Whether an element needs no name of its own, because a piece is just it.
    pub fn is_piece(&self, node: &Node, expression: &str) -> bool {
        let Op::Input { input, dy, .. } = node.op else { return false };
        self.rows.get(&(input, dy)).is_some_and(|row| row.iter().any(|(_, name)| name == expression))
    }

    /// A tap, put together from the pieces of its row.
    pub fn tap(&self, id: InputId, channel: u32, dx: i32, dy: i32) -> String {
        let layout = self.layout(id);
        let form = Form { ty: layout.unit, lanes: layout.lanes };
        let pieces = self.rows.get(&(id, dy)).map(Vec::as_slice).unwrap_or_default();
        gather(form, first_unit(layout, channel, dx), layout.step, pieces)
    }
}
