//! Unrolls a body over the block of a schedule: one copy for each vector of a row and for each row, with what they
//! share computed once.

use super::Builder;
use super::dead::needed;
use crate::ir::{AxisId, Block, Body, Node, Op, Store, ValueId, check_values};

/// The body for a block of `block.x` vectors of `lanes` elements, and `block.y` rows.
///
/// What vector c and row r read is that of an element `(c · lanes, r)` further on, by the coefficients of each access; [`Store::dx`] and [`Store::dy`] say where in
/// the block a value belongs.
pub fn jam(body: &Body, lanes: u32, block: Block) -> Body {
    jam_phases(std::slice::from_ref(body), lanes, block)
}

/// The same for a form: its phases take turns from row to row.
///
/// Vector by vector, as the rows of one share much and two vectors of a row share little.
pub fn jam_phases(phases: &[Body], lanes: u32, block: Block) -> Body {
    copied(phases, lanes, block, Naming::Places)
}

/// The same for a loop over rows: no name says in which row its value stands.
pub fn jam_alike(phases: &[Body], lanes: u32, block: Block) -> Body {
    copied(phases, lanes, block, Naming::Columns)
}

/// Of phases as a builder leaves them, so that a block of one copy is the phase itself.
fn copied(phases: &[Body], lanes: u32, block: Block, naming: Naming) -> Body {
    if let [body, ..] = phases
        && block == (Block { x: 1, y: 1 })
    {
        return body.clone();
    }
    let values = phases.iter().map(|body| body.nodes.len()).max().unwrap_or(0);
    let mut copies = Copies::new(naming, values.saturating_mul(block.x as usize).saturating_mul(block.y as usize));
    for column in 0..block.x as i32 {
        for row in 0..block.y as i32 {
            copies.add(phases, &Offset { right: column * lanes as i32, down: row });
        }
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
    for row in 0..rows as i32 {
        copies.add(phases, &Offset { right: 0, down: row });
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
    pub fn add(&mut self, phases: &[Body], place: &Offset) {
        let Some(body) = phases.get(place.down as usize % phases.len().max(1)) else { return };
        let first = self.builder.count();
        let ids = self.copy(body, place);
        match self.naming {
            Naming::Nothing => {}
            Naming::Columns => self.builder.rename_from(first, &Offset { down: 0, ..*place }.suffix()),
            Naming::Places => self.builder.rename_from(first, &place.suffix()),
        }
        for store in &body.stores {
            let value = ids[store.value.0 as usize];
            self.stores.push(Store { dx: place.right, dy: place.down, value, ..store.clone() });
        }
    }

    fn copy(&mut self, body: &Body, place: &Offset) -> Vec<ValueId> {
        body.rewrite(|value, op| {
            let name = if self.naming == Naming::Nothing { None } else { value.node.name.clone() };
            self.builder.push_as_is(Node { op: place.move_to(op), guard: None, name, ..*value.node })
        })
    }
}

/// A place in the block, in output elements.
pub(super) struct Offset {
    pub right: i32,
    pub down: i32,
}

impl Offset {
    /// What is put behind a name: `sum` of the second row is `sum_y1`.
    fn suffix(&self) -> String {
        let part = |axis: &str, by: i32| if by == 0 { String::new() } else { format!(" {axis}{by}") };
        part("x", self.right) + &part("y", self.down)
    }

    fn move_to(&self, op: Op) -> Op {
        op.moved(&[(AxisId::Y, self.down.into()), (AxisId::X, self.right.into())])
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Raw, lines};
    use super::*;
    use crate::ir::{Access, BinaryOp, InputId, Tap, Type, UnaryOp, image_place};

    #[test]
    fn rows_share_their_taps() {
        let mut raw = Raw::default();
        let tap = |dy| Tap { input: InputId(0), channel: 0, dx: 0, dy }.op();
        let (above, below) = (raw.raw(tap(0), Type::U8), raw.raw(tap(1), Type::U8));
        let value = raw.raw(Op::Binary(BinaryOp::Max, above, below), Type::U8);
        let body = raw.store(value);
        let jammed = jam(&body, 16, Block { x: 1, y: 2 });
        assert_eq!(lines(&jammed), ["a.0[0, 0]", "a.0[0, 1]", "Max v0 v1", "a.0[0, 2]", "Max v1 v3"]);
        assert_eq!(jammed.stores.iter().map(|store| (store.dx, store.dy)).collect::<Vec<_>>(), [(0, 0), (0, 1)]);
    }

    #[test]
    fn names_say_where_in_the_block() {
        let mut raw = Raw::default();
        let a = raw.input(0, Type::U8);
        let sum = raw.raw(Op::Unary(UnaryOp::Not, a), Type::U8);
        let mut body = raw.store(sum);
        body.nodes[sum.0 as usize].name = Some("sum(-1)".into());
        let jammed = jam(&body, 16, Block { x: 2, y: 2 });
        let names: Vec<&str> = jammed.nodes.iter().filter_map(Node::label).map(AsRef::as_ref).collect();
        assert_eq!(names, ["sum_m1", "sum_m1_y1", "sum_m1_x16", "sum_m1_x16_y1"]);
        let alike = jam_alike(std::slice::from_ref(&body), 16, Block { x: 2, y: 2 });
        let names: Vec<&str> = alike.nodes.iter().filter_map(Node::label).map(AsRef::as_ref).collect();
        assert_eq!(names, ["sum_m1", "sum_m1", "sum_m1_x16", "sum_m1_x16"]);
    }

    #[test]
    fn a_stride_moves_taps_further() {
        let mut raw = Raw::default();
        let access = Access::new(InputId(0), 0, image_place((2, 3)));
        let a = raw.raw(Op::Load(access), Type::U8);
        let body = raw.store(a);
        let jammed = jam(&body, 16, Block { x: 2, y: 2 });
        assert_eq!(lines(&jammed), ["a.0[0, 0]", "a.0[0, 3]", "a.0[32, 0]", "a.0[32, 3]"]);
    }
}
