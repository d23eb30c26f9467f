//! Unrolls a body with loops at run time over its nest: the turns of all copies go together, where they are the same ones.
//!
//! The copies are made value by value, not one behind the other: what a loop leaves is known behind the turns of all of them.

use super::jam::suffix;
use super::nest::Nest;
use crate::ir::loops::{listed, order, turn_of};
use crate::ir::{Axes, AxisId, Body, Node, Op, Store, Term, ValueId, along};
use crate::optimise::Builder;
use std::collections::BTreeMap;

/// A body over the unrolled loops of a nest.
#[derive(Clone, Debug)]
pub struct Jammed {
    /// The copies, all values in the order in which they are computed.
    pub body: Body,
    /// Of which value of an element's body each is a copy.
    pub origins: Vec<ValueId>,
}

/// The body over the unrolled loops of a nest; none where its loops would be too many.
pub fn jam_turns(body: &Body, nest: &Nest) -> Option<Jammed> {
    // Row by row: what the vectors of a row share is one value for all lanes, as a rule.
    let mut places = nest.copies();
    places.sort_by_key(|place| place.iter().find(|(axis, _)| *axis == AxisId::Y).map_or(0, |&(_, by)| by));
    let mut jam = Jam {
        body,
        first: [
            [&[][..], &[AxisId::Y]].map(|axes| first_at(&places, axes)),
            [&[AxisId::X][..], &[AxisId::X, AxisId::Y]].map(|axes| first_at(&places, axes)),
        ],
        differs: [AxisId::X, AxisId::Y].map(|axis| differing(body, &places, axis)),
        axes: free_axes(body),
        out: Builder::with_capacity(body.nodes.len() * places.len()),
        origins: Vec::with_capacity(body.nodes.len() * places.len()),
        ids: vec![Vec::with_capacity(body.nodes.len()); places.len()],
        last: BTreeMap::new(),
    };
    for id in (0..body.nodes.len() as u32).map(ValueId) {
        for (copy, place) in places.iter().enumerate() {
            let made = jam.value(id, copy, place)?;
            jam.ids[copy].push(made);
        }
    }
    let stores = places.iter().zip(&jam.ids).flat_map(|(place, ids)| {
        body.stores.iter().map(|store| Store { value: ids[store.value.0 as usize], ..store.moved(place) })
    });
    let stores = stores.collect();
    let (origins, jammed) = (jam.origins, jam.out.into_body(body.choice.clone(), stores));
    let order = order(&jammed.nodes);
    let origins = order.iter().map(|id| origins[id.0 as usize]).collect();
    Some(Jammed { body: listed(jammed, &order), origins })
}

struct Jam<'a> {
    body: &'a Body,
    /// Which values differ between copies along a row, and which across rows.
    differs: [Vec<bool>; 2],
    /// The first copy that is like one: in a value that differs along a row or not, and across rows or not.
    first: [[Vec<usize>; 2]; 2],
    /// Axes for loops that stay apart.
    axes: std::vec::IntoIter<AxisId>,
    out: Builder,
    /// What each value of it is a copy of: the first that it was built for.
    origins: Vec<ValueId>,
    /// What the values became in each copy.
    ids: Vec<Vec<ValueId>>,
    /// The last [`Op::Advance`] so far of each loop.
    last: BTreeMap<ValueId, ValueId>,
}

impl Jam<'_> {
    /// A value of the copy at a place.
    fn value(&mut self, id: ValueId, copy: usize, place: &[Term]) -> Option<ValueId> {
        let node = self.body.node(id);
        // A variable that is the same in all copies is one.
        let decides = match node.op {
            Op::Advance { carried, .. } | Op::Outcome { carried, .. } => carried,
            _ => id,
        };
        let same = self.first_alike(decides, copy);
        if same < copy {
            return Some(self.ids[same][id.0 as usize]);
        }
        let own = |id: ValueId| self.ids[copy][id.0 as usize];
        let mut advanced = None;
        let op = match node.op {
            Op::Turn { start, end, order, .. } if copy > 0 => {
                Op::Turn { axis: self.axes.next()?, start: own(start), end: own(end), order }
            }
            Op::Carried { turn, before, index } => {
                let index = index * self.ids.len() as u32 + copy as u32;
                Op::Carried { turn: own(turn), before: own(before), index }
            }
            Op::Advance { carried, after, rest } => {
                let turn = own(turn_of(&self.body.nodes, rest));
                advanced = Some(turn);
                Op::Advance { carried: own(carried), after: own(after), rest: self.last(turn) }
            }
            Op::Outcome { end, carried } => {
                Op::Outcome { end: self.last(own(turn_of(&self.body.nodes, end))), carried: own(carried) }
            }
            ref op => op.map_operands(own).moved(place),
        };
        let suffix = suffix(place, &[AxisId::X, AxisId::Y]);
        let name = node.name.as_ref().map(|name| if suffix.is_empty() { name.clone() } else { name.with(&suffix) });
        let made = self.out.push_as_is(Node { op, name, guard: None, ..*node });
        if made.0 as usize == self.origins.len() {
            self.origins.push(id);
        }
        if let Some(turn) = advanced {
            self.last.insert(turn, made);
        }
        Some(made)
    }

    /// The first copy in which a value is the same.
    fn first_alike(&self, id: ValueId, copy: usize) -> usize {
        let [x, y] = [0, 1].map(|axis| usize::from(self.differs[axis][id.0 as usize]));
        self.first[x][y][copy]
    }

    fn last(&self, turn: ValueId) -> ValueId {
        self.last.get(&turn).copied().unwrap_or(turn)
    }
}

/// Of each place, the first at the same coordinates of some axes.
fn first_at(places: &[Vec<Term>], axes: &[AxisId]) -> Vec<usize> {
    let at = |place: &[Term], axis: AxisId| place.iter().find(|(own, _)| *own == axis).map_or(0, |&(_, by)| by);
    let are_alike = |a: &[Term], b: &[Term]| axes.iter().all(|&axis| at(a, axis) == at(b, axis));
    places.iter().map(|place| places.iter().position(|first| are_alike(first, place)).unwrap_or(0)).collect()
}

/// Which values of a body differ between copies at these places along an axis. Those of a loop do where it, or one around it, has
/// other ends.
fn differing(body: &Body, places: &[Vec<Term>], axis: AxisId) -> Vec<bool> {
    let is_unrolled = places.iter().flatten().any(|&(own, by)| own == axis && by != 0);
    let along = along(&body.nodes);
    let mut apart = Axes::NONE;
    let differs = |axes: Axes, apart: Axes| {
        let moves = axes.has(axis) || axis == AxisId::X && axes.has(AxisId::STEP);
        is_unrolled && moves || !(axes & apart).is_empty()
    };
    // A loop is found before those around it.
    loop {
        let before = apart;
        for (id, node) in body.nodes.iter().enumerate() {
            let (turn, around) = match node.op {
                Op::Turn { .. } => (ValueId(id as u32), along[id]),
                Op::Outcome { end, .. } => (turn_of(&body.nodes, end), along[id].of_loops()),
                _ => continue,
            };
            if let Op::Turn { axis, .. } = body.node(turn).op
                && differs(if turn.0 as usize == id { around.without(axis) } else { around }, apart)
            {
                apart = apart | Axes::of(axis);
            }
        }
        if apart == before {
            return along.into_iter().map(|axes| differs(axes, apart)).collect();
        }
    }
}

/// The axes that no loop of a body has.
pub fn free_axes(body: &Body) -> std::vec::IntoIter<AxisId> {
    let axis = |op: &Op| if let Op::Turn { axis, .. } = op { Some(*axis) } else { None };
    let taken: Vec<AxisId> = body.nodes.iter().filter_map(|node| axis(&node.op)).collect();
    let all = (AxisId::COUNT..AxisId::COUNT + AxisId::LOOPS).map(AxisId);
    all.filter(|axis| !taken.contains(axis)).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::loops::{Step, steps};
    use crate::ir::{Block, check_values};

    fn jammed(source: &str, block: Block) -> Body {
        let compiled = crate::compile_file(source);
        assert!(compiled.errors.is_empty(), "{}", compiled.errors[0].message);
        let body = crate::optimise::prepare(&compiled.kernels[0].kernel).bodies.remove(0);
        let jammed = jam_turns(&body, &Nest::block(8, block)).unwrap();
        check_values(&jammed.body, "the jam");
        for (node, origin) in jammed.body.nodes.iter().zip(&jammed.origins) {
            assert_eq!(node.span.byte_range(), body.node(*origin).span.byte_range());
            assert_eq!(std::mem::discriminant(&node.op), std::mem::discriminant(&body.node(*origin).op));
        }
        assert_eq!(jammed.body.nodes.len(), jammed.origins.len());
        jammed.body
    }

    fn loops(body: &Body) -> Vec<usize> {
        let of_loop = |step: Step| if let Step::Loop(own) = step { Some(own.variables.len()) } else { None };
        steps(&body.nodes).into_iter().filter_map(of_loop).collect()
    }

    #[test]
    fn copies_take_their_turns_together() {
        let product = "#[kernel] fn f([y, x]: At<2>, a: View<f32>) -> f32 {
            let (mut sum, mut rows) = (0.0, 0u32);
            for k in 0..a.extents()[0] { sum += a.get([k, x]).unwrap_or(y as f32); rows = (rows + 1) % 9; }
            sum + rows as f32 }";
        // A sum for each copy, and one count for all.
        assert_eq!(loops(&jammed(product, Block { x: 2, y: 3 })), [7]);
        assert_eq!(jammed(product, Block { x: 2, y: 3 }).stores.len(), 6);
    }

    #[test]
    fn what_a_row_shares_is_there_once_a_row() {
        let source = "#[kernel] fn f([y, x]: At<2>, a: View<u8>) -> u8 {
            let mut most = 0u8;
            for k in 0..a.extents()[1] { most = most.max(a.get([y, k]).unwrap_or(3)); }
            most - a.get([y, x]).unwrap_or(0).min(most) }";
        assert_eq!(loops(&jammed(source, Block { x: 4, y: 3 })), [3]);
        assert_eq!(loops(&jammed(source, Block { x: 4, y: 1 })), [1]);
    }

    #[test]
    fn loops_in_loops_that_are_apart_are_so_too() {
        let triangle = "#[kernel] fn f([y, _]: At<2>, a: u32, #[uniform] n: u8) -> u32 {
            let mut sum = a;
            for k in 0..y { for _ in 0..n { sum = sum.wrapping_mul(3).wrapping_add(k as u32); } }
            sum }";
        let body = jammed(triangle, Block { x: 1, y: 2 });
        let outer =
            steps(&body.nodes).into_iter().filter_map(|step| if let Step::Loop(own) = step { Some(own) } else { None });
        let inner = outer.map(|own| own.body.iter().filter(|step| matches!(step, Step::Loop(_))).count());
        assert_eq!(inner.collect::<Vec<_>>(), [1, 1]);
    }

    #[test]
    fn loops_with_ends_of_their_own_stay_apart() {
        let up = "#[kernel] fn f([y, _]: At<2>, a: u32) -> u32 {
            let mut sum = a;
            for k in 0..y { sum = sum.wrapping_mul(3).wrapping_add(k as u32); }
            sum }";
        assert_eq!(loops(&jammed(up, Block { x: 1, y: 2 })), [1, 1]);
        assert_eq!(loops(&jammed(up, Block { x: 4, y: 1 })), [4]);
    }
}
