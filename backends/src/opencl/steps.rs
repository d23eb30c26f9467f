//! The rows of a block as a loop: what each step computes, found in the block's straight-line body.
//!
//! The values of one row of a block are those of the row above, moved down. Two values are of one **class** if they are
//! the same expression some steps apart (`classes`); a step computes one value of each class, as early as the last
//! step of the block does, and reads older ones from the steps before it. What no row changes comes before the loop. A
//! body whose stores are not alike in all steps stays straight-line.
//!
//! The rows of a block differ in nothing else, so the first few say all about the loop: the block is copied out only where
//! there is none.

use super::classes::{Class, Classes, Member};
use windrow_dsl::{
    ir::{Block, Body, Node, Op, Store, ValueId},
    optimise::{jam_alike, jam_phases, without_dead},
};

/// The most rows that a step is tried with.
const MOST_ROWS: i32 = 2;

/// A body, cut into what comes before the loop and the loop.
#[derive(Clone, Debug)]
pub struct Steps {
    /// The values, in the order of the text. Rows are those of the first turn.
    pub nodes: Vec<Node>,
    /// Where each value is computed.
    pub places: Vec<Place>,
    /// What is written; of a loop, by each turn.
    pub stores: Vec<Store>,
    /// The loop, if there is one.
    pub turns: Option<Turns>,
}

/// Where a value is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Before the loop, or in a body without one.
    Before,
    /// In the loop, from a turn on.
    Turn {
        /// The first turn that computes it.
        first: i32,
        /// Whether later turns read it, or the stores behind the loop.
        kept: bool,
    },
    /// Nowhere: it is another value, as some turns ago.
    Earlier {
        /// That value.
        of: ValueId,
        /// How many turns.
        by: i32,
    },
}

/// A loop over the rows of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turns {
    /// How often it runs.
    pub count: i32,
    /// The first turns write nothing: they compute what the rows above share with the block's first.
    pub lead: i32,
    /// Rows of the block that a turn writes.
    pub rows: i32,
}

/// Cuts a block of vectors of `lanes` lanes, `block.x` of them side by side in each of its rows.
pub fn find_steps(phases: &[Body], lanes: u32, block: Block) -> Steps {
    let rows = block.y as i32;
    for step in (1..=MOST_ROWS).filter(|step| rows % step == 0 && rows / step > 1) {
        let few = few_rows(rows, step, phases.len() as i32);
        let body = without_dead(jam_alike(phases, lanes, Block { y: few as u32, ..block }), &mut Vec::new());
        if let Some(steps) = in_turns(Classes::of(&body, step), few / step, rows / step) {
            return steps;
        }
    }
    let Body { nodes, stores, .. } = without_dead(jam_phases(phases, lanes, block), &mut Vec::new());
    Steps { places: vec![Place::Before; nodes.len()], nodes, stores, turns: None }
}

/// The fewest rows in which each phase occurs in each row of a step, and which end as all rows do.
fn few_rows(rows: i32, step: i32, phases: i32) -> i32 {
    let period = if step % phases == 0 { step } else { step * phases };
    if rows < period { rows } else { period + rows % period }
}

/// The loop over `count` steps, where each of `few` steps writes the same.
fn in_turns(mut classes: Classes<'_>, few: i32, count: i32) -> Option<Steps> {
    let writes = classes.writes(few)?;
    classes.count_from_last(few);
    let firsts = classes.firsts(&writes);
    let lead = -firsts.iter().copied().min()?;
    let turns = Turns { count: count + lead, lead, rows: classes.rows };
    let values = classes.body.nodes.len();
    let (nodes, places) = (Vec::with_capacity(values), Vec::with_capacity(values));
    let steps = Steps { nodes, places, stores: Vec::new(), turns: Some(turns) };
    let (fixed, now) = (vec![ValueId(0); values], vec![ValueId(0); classes.classes.len()]);
    let mut writer = Writer { classes: &classes, lead, steps, fixed, now, older: Vec::new() };
    writer.fixed_values();
    writer.moving_values(&firsts);
    writer.stores(writes);
    Some(writer.steps)
}

/// The writer of a loop.
struct Writer<'a> {
    classes: &'a Classes<'a>,
    lead: i32,
    steps: Steps,
    /// Where each fixed value is.
    fixed: Vec<ValueId>,
    /// Where each class is, as this turn computes it.
    now: Vec<ValueId>,
    /// Where those of turns before are: each class, by how many turns, and the value.
    older: Vec<(usize, i32, ValueId)>,
}

impl Writer<'_> {
    fn fixed_values(&mut self) {
        let classes = self.classes;
        for (index, node) in classes.body.nodes.iter().enumerate() {
            if let Member::Fixed(_) = classes.members[index] {
                let op = node.op.map_operands(|id| self.fixed[id.0 as usize]);
                self.fixed[index] = self.push(Node { op, name: node.name.clone(), ..*node }, Place::Before);
            }
        }
    }

    /// The values of all classes: by the first turn that computes them, then in the order of their models.
    fn moving_values(&mut self, firsts: &[i32]) {
        let classes = &self.classes.classes;
        let mut in_order: Vec<usize> = (0..classes.len()).collect();
        in_order.sort_by_key(|&class| (firsts[class], classes[class].model));
        for class in in_order {
            self.value(class, firsts[class] + self.lead);
        }
    }

    /// The value of a class, after the older ones that it is computed from.
    fn value(&mut self, class: usize, first: i32) {
        let classes = self.classes;
        let Class { model, last, read: _ } = classes.classes[class];
        let node = &classes.body.nodes[model.0 as usize];
        let step = last - self.lead;
        let op = match node.op {
            ref op @ (Op::Load(_) | Op::Coordinate { .. }) => classes.in_step(op.clone(), step),
            ref op => op.map_operands(|id| self.operand(classes.operand(class, id), last)),
        };
        self.now[class] = self.push(Node { op, name: node.name.clone(), ..*node }, Place::Turn { first, kept: false });
    }

    /// A value for a user at `last`.
    fn operand(&mut self, member: Member, last: i32) -> ValueId {
        let (class, step) = match member {
            Member::Fixed(id) => return self.fixed[id.0 as usize],
            Member::Moving { class, step } => (class, step),
        };
        let (of, age) = (self.now[class], self.classes.age(class, step, last));
        if age == 0 {
            return of;
        }
        if let Some(&(_, _, id)) = self.older.iter().find(|(own, by, _)| *own == class && *by == age) {
            return id;
        }
        self.keep(of);
        let node = self.steps.nodes[of.0 as usize].clone();
        let id = self.push(node, Place::Earlier { of, by: age });
        self.older.push((class, age, id));
        id
    }

    fn stores(&mut self, writes: Vec<(Store, Member)>) {
        for (store, member) in writes {
            let value = self.operand(member, 0);
            self.keep(value);
            let dy = store.dy - self.lead * self.classes.rows;
            self.steps.stores.push(Store { value, dy, ..store });
        }
    }

    /// Sees to it that a value outlives its turn.
    fn keep(&mut self, id: ValueId) {
        if let Place::Turn { kept, .. } = &mut self.steps.places[id.0 as usize] {
            *kept = true;
        }
    }

    fn push(&mut self, node: Node, place: Place) -> ValueId {
        let id = ValueId(self.steps.nodes.len() as u32);
        self.steps.nodes.push(node);
        self.steps.places.push(place);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use windrow_dsl::{compile_file, optimise::prepare};

    /// The steps of a block of 4 × `rows` elements.
    fn steps(function: &str, rows: u32) -> Steps {
        let compiled = compile_file(&format!("#[kernel]\npub fn {function}"));
        assert!(compiled.errors.is_empty(), "{:?}", compiled.errors);
        let kernel = &compiled.kernels[0].kernel;
        find_steps(&prepare(kernel).bodies, 4, Block { x: 1, y: rows })
    }

    #[test]
    fn a_few_rows_say_what_all_would() {
        let functions = [
            "f(a: Neighbourhood<u8>) -> u8 { a.at(0, -1).max(a.at(-1, 0)).max(a.at(0, 1)) }",
            "f(#[stride(2, 2)] a: Neighbourhood<u8>) -> u8 { a.at(0, 0).max(a.at(0, 1)) }",
        ];
        for function in functions {
            let compiled = compile_file(&format!("#[kernel]\npub fn {function}"));
            let kernel = &compiled.kernels[0].kernel;
            let prepared = prepare(kernel);
            for form in prepared.forms(kernel, 0).list() {
                for (rows, step) in [(8, 2), (9, 1)] {
                    let jammed = |rows: i32| jam_alike(&form.phases, 4, Block { x: 2, y: rows as u32 });
                    let (all, some) = (jammed(rows), few_rows(rows, step, form.phases.len() as i32));
                    let few = in_turns(Classes::of(&jammed(some), step), some / step, rows / step);
                    let whole = in_turns(Classes::of(&all, step), rows / step, rows / step);
                    assert_eq!(format!("{few:?}"), format!("{whole:?}"), "{function} {}", form.name);
                }
            }
        }
    }

    /// The rows that are read, from the first turn, and from which turn on.
    fn reads(steps: &Steps) -> Vec<(i32, i32)> {
        let read = |(node, place): (&Node, &Place)| match (&node.op, place) {
            (Op::Load(access), Place::Turn { first, .. }) => Some((access.tap()?.dy, *first)),
            (_, Place::Before | Place::Turn { .. } | Place::Earlier { .. }) => None,
        };
        steps.nodes.iter().zip(&steps.places).filter_map(read).collect()
    }

    #[test]
    fn a_row_is_read_in_one_turn() {
        let rows = steps("f(a: Neighbourhood<u8>) -> u8 { a.at(0, -1).max(a.at(0, 0)).max(a.at(0, 1)) }", 8);
        assert_eq!(rows.turns, Some(Turns { count: 10, lead: 2, rows: 1 }));
        assert_eq!(reads(&rows), [(-1, 0)]);
        let earlier = |place: &Place| matches!(place, Place::Earlier { .. });
        assert!(rows.places.iter().any(earlier), "{:?}", rows.places);
    }

    #[test]
    fn elements_of_one_row_are_read_at_once() {
        let cross = steps("f(a: Neighbourhood<u8>) -> u8 { a.at(0, -1).max(a.at(-1, 0)).max(a.at(0, 1)) }", 4);
        assert_eq!(reads(&cross).iter().map(|&(row, _)| row).collect::<Vec<_>>(), [-1, -1]);
    }

    #[test]
    fn rows_between_those_of_a_stride_are_read_too() {
        let half = steps("f(#[stride(2, 2)] a: Neighbourhood<u8>) -> u8 { a.at(0, 0).max(a.at(0, 1)) }", 4);
        assert_eq!(half.turns, Some(Turns { count: 4, lead: 0, rows: 1 }));
        assert_eq!(reads(&half), [(0, 0), (1, 0)]);
    }

    #[test]
    fn what_no_row_changes_stands_before_the_loop() {
        let scaled = steps("f(a: u16, #[uniform(0..=9)] by: u16) -> u16 { a.wrapping_mul(by) }", 4);
        let before = scaled.places.iter().filter(|place| **place == Place::Before).count();
        assert_eq!((before, scaled.turns.map(|turns| turns.lead)), (1, Some(0)));
    }

    #[test]
    fn one_row_needs_no_loop() {
        assert_eq!(steps("f(a: u8) -> u8 { !a }", 1).turns, None);
    }
}
