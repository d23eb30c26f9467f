//! A body in a loop over the rows of its block: what each turn computes, and what it keeps for later ones.
//!
//! The values of one row of a block are those of the row above, moved down. Values that are the same expression some turns
//! apart are of one **class** ([`shifted`]): a turn computes one value of each class, as early as the last turn of the block
//! does, and reads older ones from the turns before it. What does not vary along the rows comes before the loop. A body
//! whose stores are not alike in all turns stays straight-line.
//!
//! The rows of a block differ in nothing else, so the first few say all about the loop: the block is copied out only where
//! there is none.

use super::jam::{jam, jam_alike};
use super::jam_turns::{Jammed, jam_turns};
use super::nest::{LoopKind, Nest};
use crate::ir::loops::{has_loops, in_order, listed};
use crate::ir::{AxisId, Block, Body, InputId, Node, Op, Store, ValueId, check_opencl};
use crate::optimise::build::dead::without_dead;
use crate::optimise::build::shifted::{at_steps, shifted};

/// The most rows that a turn is tried with.
const MOST_ROWS: i32 = 2;

/// A body in its nest, cut into what comes before the loop over the block's rows and the loop.
#[derive(Clone, Debug)]
pub struct Nested {
    /// The loops: a repeated one over rows, or none.
    pub nest: Nest,
    /// The values, in the order of the text. Rows are those of the first turn.
    pub nodes: Vec<Node>,
    /// When each value is computed.
    pub computed: Vec<Computed>,
    /// What is written; of a loop, by each turn.
    pub stores: Vec<Store>,
    /// The first turns write nothing: they compute what the rows above share with the block's first.
    lead: i32,
}

/// When a value is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Computed {
    /// Before the loop, or in a body without one.
    Before,
    /// In the loop, from a turn on.
    Turn {
        /// The first turn that computes it.
        first: i32,
        /// Whether later turns read it, or the stores behind the loop.
        kept: bool,
    },
    /// It is not: it is another value, as some turns ago.
    Earlier {
        /// That value.
        of: ValueId,
        /// How many turns.
        by: i32,
    },
}

/// A loop over the rows of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowTurns {
    /// How often it runs.
    pub count: i32,
    /// The first turns write nothing: they compute what the rows above share with the block's first.
    pub lead: i32,
    /// Rows of the block that a turn writes.
    pub rows: i32,
}

impl Nested {
    /// A form over a block of vectors of `lanes` lanes, `block.x` of them side by side in each of its rows.
    pub fn of(phases: &[Body], lanes: u32, block: Block) -> Self {
        Self::find(phases, lanes, block).checked()
    }

    fn find(phases: &[Body], lanes: u32, block: Block) -> Self {
        let rows = block.y as i32;
        if let [body] = phases
            && has_loops(&body.nodes)
            && let Some(Jammed { body: Body { nodes, stores, .. }, .. }) = jam_turns(body, &Nest::block(lanes, block))
        {
            let (nest, computed) = (Nest::block(lanes, block), vec![Computed::Before; nodes.len()]);
            return Self { nest, nodes, computed, stores, lead: 0 };
        }
        // The first rows, which turns of one row and of two may have in common.
        let mut known: Option<(i32, Body)> = None;
        for in_turn in (1..=MOST_ROWS).filter(|in_turn| rows % in_turn == 0 && rows / in_turn > 1) {
            let few = few_rows(rows, in_turn, phases.len() as i32);
            let in_block = |rows: i32| Nest::block(lanes, Block { y: rows as u32, ..block });
            let body = match known.take() {
                Some((rows, body)) if rows == few => body,
                _ => without_dead(jam_alike(phases, &in_block(few)), &mut Vec::new()),
            };
            let nest = in_block(in_turn).within(AxisId::Y, Some((rows / in_turn) as u32));
            let classes = Classes::of(&body, in_turn, few / in_turn);
            if let Some(nested) = classes.and_then(|classes| classes.in_turns(nest)) {
                return nested;
            }
            known = Some((few, body));
        }
        let nest = Nest::block(lanes, block);
        let Body { nodes, stores, .. } = in_order(without_dead(jam(phases, &nest), &mut Vec::new()));
        Self { nest, computed: vec![Computed::Before; nodes.len()], nodes, stores, lead: 0 }
    }

    /// The same; its values are held to the rules of every body.
    fn checked(self) -> Self {
        let Self { nest, nodes, computed, stores, lead } = self;
        let body = Body::plain(Vec::new(), nodes, stores);
        check_opencl(&body, "the nest");
        let Body { nodes, stores, .. } = body;
        Self { nest, nodes, computed, stores, lead }
    }

    /// The same of a nest without a loop, with its values in this order.
    pub fn listed(&self, order: &[ValueId]) -> Self {
        let Body { nodes, stores, .. } =
            listed(Body::plain(Vec::new(), self.nodes.clone(), self.stores.clone()), order);
        Self { nest: self.nest.clone(), computed: vec![Computed::Before; nodes.len()], nodes, stores, lead: self.lead }
    }

    /// The loop over rows, if there is one.
    pub fn turns(&self) -> Option<RowTurns> {
        let of_rows = self.nest.loops().iter().find_map(|own| match own.kind {
            LoopKind::Repeated(turns) => turns,
            LoopKind::Unrolled(_) | LoopKind::Vector(_) => None,
        });
        let (lead, rows) = (self.lead, self.nest.elements(AxisId::Y) as i32);
        of_rows.map(|count| RowTurns { count: count as i32 + lead, lead, rows })
    }
}

/// The fewest rows in which each phase occurs in each row of a turn, and which end as all rows do.
fn few_rows(rows: i32, in_turn: i32, phases: i32) -> i32 {
    let period = if in_turn % phases == 0 { in_turn } else { in_turn * phases };
    if rows < period { rows } else { period + rows % period }
}

/// What a value is among its like; for an operand, its step is counted from its user's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Member {
    /// The same in every row.
    Fixed(ValueId),
    /// One of a class, some turns down the block.
    Moving { class: usize, step: i32 },
}

impl Member {
    fn moved(self, by: i32) -> Self {
        match self {
            Self::Fixed(_) => self,
            Self::Moving { class, step } => Self::Moving { class, step: step + by },
        }
    }
}

/// Values that differ by their rows alone.
#[derive(Clone, Copy, Debug)]
struct Class {
    /// The last of them in the block, the first if there are several.
    model: ValueId,
    /// Its step.
    step: i32,
    /// The step at which it is computed, counted from the last turn's: a row is read whole, when its first element is
    /// asked for.
    last: i32,
    /// For what is read: which rows of which input.
    read: Option<(InputId, i32)>,
}

/// The classes of a body, every operand's before its user's.
struct Classes<'a> {
    body: &'a Body,
    /// Rows of a turn.
    rows: i32,
    classes: Vec<Class>,
    members: Vec<Member>,
    /// What each turn writes, the values counted from it.
    writes: Vec<(Store, Member)>,
}

impl<'a> Classes<'a> {
    /// Those of a body over so many turns; none where these differ in what they write.
    fn of(body: &'a Body, rows: i32, turns: i32) -> Option<Self> {
        let axes = [(AxisId::Y, i64::from(rows))];
        let (mut classes, mut members) = (Vec::new(), Vec::with_capacity(body.nodes.len()));
        // The number of each class that moves, by its number among all.
        let mut numbers: Vec<Option<usize>> = vec![None; body.nodes.len()];
        for (index, (member, node)) in shifted(body, axes).into_iter().zip(&body.nodes).enumerate() {
            let model = ValueId(index as u32);
            let Some([step]) = member.steps else {
                members.push(Member::Fixed(model));
                continue;
            };
            let class = *numbers[member.class as usize].get_or_insert(classes.len());
            let read = match node.op {
                Op::Load(_) => at_steps(node.op.clone(), axes, [0]).tap().map(|tap| (tap.input, tap.dy)),
                _ => None,
            };
            let found = Class { model, step, last: step - (turns - 1).max(0), read };
            match classes.get_mut(class) {
                None => classes.push(found),
                Some(known) if known.step < step => *known = found,
                Some(_) => {}
            }
            members.push(Member::Moving { class, step });
        }
        let writes = writes(body, &members, rows, turns)?;
        let mut found = Self { body, rows, classes, members, writes };
        let mut lasts: Vec<i32> = found.classes.iter().map(|class| class.last).collect();
        found.read_whole(&mut lasts, i32::max);
        found.classes.iter_mut().zip(lasts).for_each(|(class, last)| class.last = last);
        Some(found)
    }

    /// Gives all classes that read one row the same of their values.
    fn read_whole(&self, values: &mut [i32], of: fn(i32, i32) -> i32) {
        let mut rows: Vec<((InputId, i32), i32)> = Vec::new();
        for (class, &value) in self.classes.iter().zip(&*values) {
            if let Some(read) = class.read {
                match rows.iter_mut().find(|(row, _)| *row == read) {
                    Some((_, known)) => *known = of(*known, value),
                    None => rows.push((read, value)),
                }
            }
        }
        for (class, value) in self.classes.iter().zip(values) {
            let known = class.read.and_then(|read| rows.iter().find(|(row, _)| *row == read));
            *value = known.map_or(*value, |&(_, known)| known);
        }
    }

    /// The operand of a class's model, counted from the model's step.
    fn operand(&self, class: usize, id: ValueId) -> Member {
        self.members[id.0 as usize].moved(-self.classes[class].step)
    }

    /// The first turn that must compute each class, where the first that writes is 0.
    fn firsts(&self) -> Vec<i32> {
        let mut firsts = vec![0; self.classes.len()];
        let ask = |firsts: &mut [i32], member, last, first: i32| {
            if let Member::Moving { class, step } = member {
                firsts[class] = firsts[class].min(first - self.age(class, step, last));
            }
        };
        for &(_, member) in &self.writes {
            ask(&mut firsts, member, 0, 0);
        }
        for (index, &Class { model, last, .. }) in self.classes.iter().enumerate().rev() {
            let first = firsts[index];
            let op = &self.body.nodes[model.0 as usize].op;
            op.for_operands(|id| ask(&mut firsts, self.operand(index, id), last, first));
        }
        self.read_whole(&mut firsts, i32::min);
        firsts
    }

    /// How many turns before its user at `last` a value is computed.
    fn age(&self, class: usize, step: i32, last: i32) -> i32 {
        self.classes[class].last - last - step
    }

    /// These in a nest whose loop is over rows.
    fn in_turns(&self, nest: Nest) -> Option<Nested> {
        let firsts = self.firsts();
        let lead = -firsts.iter().copied().min()?;
        let values = self.body.nodes.len();
        let (nodes, computed) = (Vec::with_capacity(values), Vec::with_capacity(values));
        let nested = Nested { nest, nodes, computed, stores: Vec::new(), lead };
        let (fixed, now) = (vec![ValueId(0); values], vec![ValueId(0); self.classes.len()]);
        let mut writer = Writer { classes: self, lead, nested, fixed, now, older: Vec::new() };
        writer.fixed_values();
        // By the first turn that computes them, then in the order of their models.
        let mut in_order: Vec<usize> = (0..self.classes.len()).collect();
        in_order.sort_by_key(|&class| (firsts[class], self.classes[class].model));
        in_order.into_iter().for_each(|class| writer.value(class, firsts[class] + lead));
        writer.stores();
        Some(writer.nested)
    }
}

/// What each of `turns` turns writes, the values counted from it; none if they differ.
fn writes(body: &Body, members: &[Member], rows: i32, turns: i32) -> Option<Vec<(Store, Member)>> {
    let mut writes: Vec<(Store, Member)> = Vec::new();
    for store in &body.stores {
        let by = i64::from(rows);
        let turn = store.to.steps(AxisId::Y, by).unwrap_or(0);
        let (member, store) =
            (members[store.value.0 as usize].moved(-turn as i32), store.moved(&[(AxisId::Y, -turn * by)]));
        match writes.iter().find(|(known, _)| known.to == store.to) {
            Some((_, known)) if *known != member => return None,
            Some(_) => {}
            None => writes.push((store, member)),
        }
    }
    (writes.len() * turns as usize == body.stores.len()).then_some(writes)
}

/// The writer of a loop.
struct Writer<'a> {
    classes: &'a Classes<'a>,
    lead: i32,
    nested: Nested,
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
                self.fixed[index] = self.push(Node { op, name: node.name.clone(), ..*node }, Computed::Before);
            }
        }
    }

    /// The value of a class, after the older ones that it is computed from.
    fn value(&mut self, class: usize, first: i32) {
        let classes = self.classes;
        let Class { model, last, .. } = classes.classes[class];
        let node = &classes.body.nodes[model.0 as usize];
        let op = node.op.map_operands(|id| self.operand(classes.operand(class, id), last));
        let op = at_steps(op, [(AxisId::Y, classes.rows.into())], [last - self.lead]);
        self.now[class] =
            self.push(Node { op, name: node.name.clone(), ..*node }, Computed::Turn { first, kept: false });
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
        let node = self.nested.nodes[of.0 as usize].clone();
        let id = self.push(node, Computed::Earlier { of, by: age });
        self.older.push((class, age, id));
        id
    }

    fn stores(&mut self) {
        for (store, member) in &self.classes.writes {
            let value = self.operand(*member, 0);
            self.keep(value);
            let lead = i64::from(self.lead * self.classes.rows);
            self.nested.stores.push(Store { value, ..store.moved(&[(AxisId::Y, -lead)]) });
        }
    }

    /// Sees to it that a value outlives its turn.
    fn keep(&mut self, id: ValueId) {
        if let Computed::Turn { kept, .. } = &mut self.nested.computed[id.0 as usize] {
            *kept = true;
        }
    }

    fn push(&mut self, node: Node, computed: Computed) -> ValueId {
        let id = ValueId(self.nested.nodes.len() as u32);
        self.nested.nodes.push(node);
        self.nested.computed.push(computed);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Type, with_fault};
    use crate::{compile_file, optimise::prepare};

    /// The body of a block of 4 × `rows` elements.
    fn nested(function: &str, rows: u32) -> Nested {
        let compiled = compile_file(&format!("#[kernel]\npub fn {function}"));
        assert!(compiled.errors.is_empty(), "{:?}", compiled.errors);
        let kernel = &compiled.kernels[0].kernel;
        Nested::of(&prepare(kernel).bodies, 4, Block { x: 1, y: rows })
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
                    let in_block = |rows: i32| Nest::block(4, Block { x: 2, y: rows as u32 });
                    let nest = in_block(step).within(AxisId::Y, Some((rows / step) as u32));
                    let jammed = |rows: i32| jam_alike(&form.phases, &in_block(rows));
                    let (all, some) = (jammed(rows), few_rows(rows, step, form.phases.len() as i32));
                    let in_turns = |body: &Body, turns| {
                        Classes::of(body, step, turns).and_then(|classes| classes.in_turns(nest.clone()))
                    };
                    let (few, whole) = (in_turns(&jammed(some), some / step), in_turns(&all, rows / step));
                    assert_eq!(format!("{few:?}"), format!("{whole:?}"), "{function} {}", form.name);
                }
            }
        }
    }

    /// The rows that are read, from the first turn, and from which turn on.
    fn reads(nested: &Nested) -> Vec<(i32, i32)> {
        let read = |(node, computed): (&Node, &Computed)| match (&node.op, computed) {
            (Op::Load(access), Computed::Turn { first, .. }) => Some((access.tap()?.dy, *first)),
            (_, Computed::Before | Computed::Turn { .. } | Computed::Earlier { .. }) => None,
        };
        nested.nodes.iter().zip(&nested.computed).filter_map(read).collect()
    }

    #[test]
    fn a_row_is_read_in_one_turn() {
        let rows = nested("f(a: Neighbourhood<u8>) -> u8 { a.at(0, -1).max(a.at(0, 0)).max(a.at(0, 1)) }", 8);
        assert_eq!(rows.turns(), Some(RowTurns { count: 10, lead: 2, rows: 1 }));
        assert_eq!(reads(&rows), [(-1, 0)]);
        let earlier = |computed: &Computed| matches!(computed, Computed::Earlier { .. });
        assert!(rows.computed.iter().any(earlier), "{:?}", rows.computed);
    }

    #[test]
    fn elements_of_one_row_are_read_at_once() {
        let cross = nested("f(a: Neighbourhood<u8>) -> u8 { a.at(0, -1).max(a.at(-1, 0)).max(a.at(0, 1)) }", 4);
        assert_eq!(reads(&cross).iter().map(|&(row, _)| row).collect::<Vec<_>>(), [-1, -1]);
    }

    #[test]
    fn rows_between_those_of_a_stride_are_read_too() {
        let half = nested("f(#[stride(2, 2)] a: Neighbourhood<u8>) -> u8 { a.at(0, 0).max(a.at(0, 1)) }", 4);
        assert_eq!(half.turns(), Some(RowTurns { count: 4, lead: 0, rows: 1 }));
        assert_eq!(reads(&half), [(0, 0), (1, 0)]);
    }

    #[test]
    fn what_no_row_changes_stands_before_the_loop() {
        let scaled = nested("f(a: u16, #[uniform(0..=9)] by: u16) -> u16 { a.wrapping_mul(by) }", 4);
        let before = scaled.computed.iter().filter(|computed| **computed == Computed::Before).count();
        assert_eq!((before, scaled.turns().map(|turns| turns.lead)), (1, Some(0)));
    }

    #[test]
    fn what_a_nest_breaks_is_found() {
        let loops = "f([y, x]: At<2>, a: View<i16>) -> i32 {
            let mut sum = 0i32;
            for k in 0..y { sum = sum.wrapping_add(a.get([k, x]).unwrap_or(0) as i32); }
            sum
        }";
        for (function, rows) in [("f(a: u8) -> u8 { !a }", 1), ("f(a: u8) -> u8 { !a }", 4), (loops, 2)] {
            let compiled = compile_file(&format!("#[kernel]\npub fn {function}"));
            assert!(compiled.errors.is_empty(), "{:?}", compiled.errors);
            let mut bodies = prepare(&compiled.kernels[0].kernel).bodies;
            for node in bodies[0].nodes.iter_mut().filter(|node| matches!(node.op, Op::Unary(..) | Op::Binary(..))) {
                node.ty = Type::F32;
            }
            let (_, heard) = with_fault(|| Nested::of(&bodies, 4, Block { x: 1, y: rows }));
            assert!(heard.is_some_and(|fault| fault.starts_with("after the nest: ")), "{function}");
        }
    }

    #[test]
    fn one_row_needs_no_loop() {
        assert_eq!(nested("f(a: u8) -> u8 { !a }", 1).turns(), None);
    }
}
