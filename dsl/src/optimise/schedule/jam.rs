//! Unrolls a body over its nest: one copy for each vector of a row and for each row, with what they share computed once.

use crate::ir::{AxisId, Body, Node, Op, Store, Term, ValueId, check_values};
use crate::optimise::build::dead::needed;
use crate::optimise::{Builder, Nest};

/// The body of a form over the unrolled loops of a nest; its phases take turns from row to row.
///
/// What a copy reads and writes is what an element does that is as far along each axis as the copy stands, by the
/// coefficients of each access.
pub fn jam(phases: &[Body], nest: &Nest) -> Body {
    copied(phases, nest, Naming::Places)
}

/// The same within a loop over rows: no name says in which row its value stands.
pub fn jam_alike(phases: &[Body], nest: &Nest) -> Body {
    copied(phases, nest, Naming::Columns)
}

/// Of phases as a builder leaves them, so that a block of one copy is the phase itself.
fn copied(phases: &[Body], nest: &Nest, naming: Naming) -> Body {
    let places = nest.copies();
    if let ([body, ..], [_]) = (phases, places.as_slice()) {
        return body.clone();
    }
    let values = phases.iter().map(|body| body.nodes.len()).max().unwrap_or(0);
    let mut copies = Copies::new(naming, values.saturating_mul(places.len()));
    for place in &places {
        copies.add(phases, place);
    }
    let choice = phases.first().map_or(Vec::new(), |body| body.choice.clone());
    let jammed = copies.builder.into_body(choice, copies.stores);
    check_values(&jammed, "the jam");
    jammed
}

/// Counts the values of a kind in `rows` rows of a form, except those that no store needs.
pub fn count_in_rows(phases: &[Body], rows: u32, is_of_kind: impl Fn(&Op) -> bool) -> usize {
    let values: usize = phases.iter().map(|body| body.nodes.len()).sum();
    let mut copies = Copies::new(Naming::Nothing, values);
    for row in 0..rows {
        copies.add(phases, &[(AxisId::Y, row.into())]);
    }
    let nodes = copies.builder.nodes();
    let needed = needed(nodes, copies.stores.iter().map(|store| store.value));
    let mut count = 0;
    for (node, needed) in nodes.iter().zip(needed) {
        count += usize::from(needed && is_of_kind(&node.op));
    }
    count
}

/// What names of copies say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// There are none.
    Nothing,
    /// In which column of the block the copy stands.
    Columns,
    /// In which column, and in which row.
    Places,
}

/// Copies of a form's phases under construction, each at a place of its own.
///
/// The phases are as a builder leaves them: nothing in them is to be folded or simplified. Nothing is in a copy then: it
/// differs in the places that it reads, so that equal values are equal in both, and no rule asks for a place.
#[derive(Debug)]
pub(super) struct Copies {
    /// The values.
    pub builder: Builder,
    /// What is written.
    pub stores: Vec<Store>,
    naming: Naming,
}

impl Copies {
    /// Starts without copies, with room for about `count` values.
    pub fn new(naming: Naming, values: usize) -> Self {
        Self { builder: Builder::with_capacity(values), stores: Vec::new(), naming }
    }

    /// Adds a copy of the phase whose turn it is in the row of this place.
    pub fn add(&mut self, phases: &[Body], place: &[Term]) {
        let row = along(place, AxisId::Y) as usize;
        let Some(body) = phases.get(row % phases.len().max(1)) else { return };
        let first = self.builder.count();
        let ids = self.copy(body, place);
        match self.naming {
            Naming::Nothing => {}
            Naming::Columns => self.builder.rename_from(first, &suffix(place, &[AxisId::X])),
            Naming::Places => self.builder.rename_from(first, &suffix(place, &[AxisId::X, AxisId::Y])),
        }
        for store in &body.stores {
            let value = ids[store.value.0 as usize];
            self.stores.push(Store { value, ..store.moved(place) });
        }
    }

    fn copy(&mut self, body: &Body, place: &[Term]) -> Vec<ValueId> {
        body.rewrite(|value, op| {
            let name = if self.naming == Naming::Nothing { None } else { value.node.name.clone() };
            self.builder.push_as_is(Node { op: op.moved(place), guard: None, name, ..*value.node })
        })
    }
}

/// How far a place is along an axis.
fn along(place: &[Term], axis: AxisId) -> i64 {
    place.iter().find(|(own, _)| *own == axis).map_or(0, |&(_, by)| by)
}

/// What is put behind a name: `sum` of the second row is `sum_y1`.
pub(super) fn suffix(place: &[Term], axes: &[AxisId]) -> String {
    let part = |&axis: &AxisId| match along(place, axis) {
        0 => String::new(),
        by => format!(" {axis}{by}"),
    };
    axes.iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Access, BinaryOp, Block, InputId, Tap, Type, UnaryOp, image_place};
    use crate::optimise::testing::{Raw, lines};

    #[test]
    fn rows_share_their_taps() {
        let mut raw = Raw::default();
        let tap = |dy| Tap { input: InputId(0), channel: 0, dx: 0, dy }.op();
        let (above, below) = (raw.raw(tap(0), Type::U8), raw.raw(tap(1), Type::U8));
        let value = raw.raw(Op::Binary(BinaryOp::Max, above, below), Type::U8);
        let body = raw.store(value);
        let jammed = jam(&[body], &Nest::block(16, Block { x: 1, y: 2 }));
        assert_eq!(lines(&jammed), ["a.0[0, 0]", "a.0[0, 1]", "Max v0 v1", "a.0[0, 2]", "Max v1 v3"]);
        assert_eq!(jammed.stores.iter().map(|store| store.place()).collect::<Vec<_>>(), [[0, 0], [1, 0]]);
    }

    #[test]
    fn names_say_where_in_the_block() {
        let mut raw = Raw::default();
        let a = raw.input(0, Type::U8);
        let sum = raw.raw(Op::Unary(UnaryOp::Not, a), Type::U8);
        let mut body = raw.store(sum);
        body.nodes[sum.0 as usize].name = Some("sum(-1)".into());
        let nest = Nest::block(16, Block { x: 2, y: 2 });
        let jammed = jam(std::slice::from_ref(&body), &nest);
        let names: Vec<&str> = jammed.nodes.iter().filter_map(Node::label).map(AsRef::as_ref).collect();
        assert_eq!(names, ["sum_m1", "sum_m1_y1", "sum_m1_x16", "sum_m1_x16_y1"]);
        let alike = jam_alike(&[body], &nest);
        let names: Vec<&str> = alike.nodes.iter().filter_map(Node::label).map(AsRef::as_ref).collect();
        assert_eq!(names, ["sum_m1", "sum_m1", "sum_m1_x16", "sum_m1_x16"]);
    }

    #[test]
    fn a_stride_moves_taps_further() {
        let mut raw = Raw::default();
        let access = Access::new(InputId(0), 0, image_place((2, 3)));
        let a = raw.raw(Op::Load(access), Type::U8);
        let body = raw.store(a);
        let jammed = jam(&[body], &Nest::block(16, Block { x: 2, y: 2 }));
        assert_eq!(lines(&jammed), ["a.0[0, 0]", "a.0[0, 3]", "a.0[32, 0]", "a.0[32, 3]"]);
    }
}
