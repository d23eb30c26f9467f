//! The rows of a block as a loop: what each step computes, found in the block's straight-line body.
//!
//! The values of one row of a block are those of the row above, moved down. Two values are of one **class** if they are
//! the same expression, so many steps apart; a step computes one value of each class, as early as the last step of the
//! block does, and reads older ones from the steps before it. What no row changes stands before the loop. A body whose
//! stores are not alike in all steps stays straight-line.

use std::collections::HashMap;
use windrow_dsl::{
    ir::{Axis, Body, InputId, Kernel, Node, Op, Store, Type, ValueId},
    optimise::{commutes, for_operands, map_operands},
};

/// The most rows that a step is tried with.
const MOST_ROWS: i32 = 2;

/// A body, cut into what stands before the loop and the loop.
#[derive(Clone, Debug)]
pub struct Steps {
    /// The values, in the order of the text. Rows are those of the first turn.
    pub nodes: Vec<Node>,
    /// Where each value stands.
    pub places: Vec<Place>,
    /// What is written; of a loop, by each turn.
    pub stores: Vec<Store>,
    /// The loop, if there is one.
    pub turns: Option<Turns>,
}

/// Where a value stands.
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

/// Cuts the body of a block of `rows` rows.
pub fn find_steps(kernel: &Kernel, body: &Body, rows: u32) -> Steps {
    let rows = rows as i32;
    let regular = |&step: &i32| rows % step == 0 && rows / step > 1;
    let found = (1..=MOST_ROWS).filter(regular).find_map(|step| Classes::of(kernel, body, step).steps(rows / step));
    found.unwrap_or_else(|| Steps {
        nodes: body.nodes.clone(),
        places: vec![Place::Before; body.nodes.len()],
        stores: body.stores.clone(),
        turns: None,
    })
}

/// What a value is among its like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Member {
    /// The same in every row.
    Fixed(ValueId),
    /// One of a class, at a step: for an operand, from its user's.
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
#[derive(Clone, Debug)]
struct Class {
    /// The last of them in the block, the first if there are several.
    model: ValueId,
    /// Its step.
    last: i32,
    /// Operands, from the step of their user.
    operands: Vec<Member>,
    /// For what is read: which rows of which input.
    read: Option<(InputId, i32)>,
}

/// The classes of a body, every operand's before its user's.
struct Classes<'a> {
    kernel: &'a Kernel,
    body: &'a Body,
    /// Rows of a step.
    rows: i32,
    classes: Vec<Class>,
    members: Vec<Member>,
}

impl<'a> Classes<'a> {
    fn of(kernel: &'a Kernel, body: &'a Body, rows: i32) -> Self {
        let mut found = Self { kernel, body, rows, classes: Vec::new(), members: Vec::new() };
        let mut known: HashMap<(Op, Type, Vec<Member>), usize> = HashMap::new();
        for (index, node) in body.nodes.iter().enumerate() {
            let id = ValueId(index as u32);
            let Some((step, op)) = found.step(node) else {
                found.members.push(Member::Fixed(id));
                continue;
            };
            let operands: Vec<Member> = found.operands(node).into_iter().map(|operand| operand.moved(-step)).collect();
            let mut key = operands.clone();
            if matches!(op, Op::Binary(op, ..) if commutes(op)) {
                key.sort();
            }
            let class = *known.entry((op, node.ty, key)).or_insert(found.classes.len());
            found.join(class, id, step, operands);
            found.members.push(Member::Moving { class, step });
        }
        found.align_reads();
        found
    }

    /// The step of a value that moves from row to row, and its operation without step and operands.
    fn step(&self, node: &Node) -> Option<(i32, Op)> {
        let without_operands = map_operands(&node.op, |_| ValueId(0));
        match node.op {
            Op::Input { input, channel, dx, dy } => {
                let rows = self.rows_of(input);
                let op = Op::Input { input, channel, dx, dy: dy.rem_euclid(rows) };
                Some((dy.div_euclid(rows), op))
            }
            Op::Coordinate { axis: Axis::Y, offset } => {
                let op = Op::Coordinate { axis: Axis::Y, offset: offset.rem_euclid(self.rows) };
                Some((offset.div_euclid(self.rows), op))
            }
            Op::Constant(_) | Op::Uniform { .. } | Op::Derived { .. } | Op::Coordinate { axis: Axis::X, .. } => None,
            Op::Lookup { .. } | Op::Unary(..) | Op::Binary(..) | Op::MulAdd(..) | Op::Select { .. } | Op::Cast(..) => {
                let step = |member| match member {
                    Member::Fixed(_) => None,
                    Member::Moving { step, .. } => Some(step),
                };
                let first = self.operands(node).into_iter().filter_map(step).min()?;
                Some((first, without_operands))
            }
        }
    }

    fn operands(&self, node: &Node) -> Vec<Member> {
        let mut operands = Vec::new();
        for_operands(&node.op, |id| operands.push(self.members[id.0 as usize]));
        operands
    }

    /// Rows of an input from step to step.
    fn rows_of(&self, input: InputId) -> i32 {
        self.rows * self.kernel.inputs[input.0 as usize].stride.1 as i32
    }

    /// Enters a value into its class, which may be new.
    fn join(&mut self, class: usize, id: ValueId, step: i32, operands: Vec<Member>) {
        let read = match self.body.node(id).op {
            Op::Input { input, dy, .. } => Some((input, dy.rem_euclid(self.rows_of(input)))),
            Op::Constant(_) | Op::Uniform { .. } | Op::Coordinate { .. } | Op::Lookup { .. } | Op::Derived { .. } => {
                None
            }
            Op::Unary(..) | Op::Binary(..) | Op::MulAdd(..) | Op::Select { .. } | Op::Cast(..) => None,
        };
        let one = Class { model: id, last: step, operands, read };
        match self.classes.get_mut(class) {
            Some(known) if known.last < step => *known = one,
            Some(_) => {}
            None => self.classes.push(one),
        }
    }

    /// A row is read whole, when its first element is asked for.
    fn align_reads(&mut self) {
        let mut last: HashMap<(InputId, i32), i32> = HashMap::new();
        for class in &self.classes {
            if let Some(read) = class.read {
                let last = last.entry(read).or_insert(class.last);
                *last = class.last.max(*last);
            }
        }
        for class in &mut self.classes {
            if let Some(read) = class.read {
                class.last = last[&read];
            }
        }
    }

    /// The loop over `count` steps, where each of them writes the same.
    fn steps(mut self, count: i32) -> Option<Steps> {
        let writes = self.writes(count)?;
        // From here on, a class' last value is counted from the last step of the block.
        self.classes.iter_mut().for_each(|class| class.last -= count - 1);
        let firsts = self.firsts(&writes);
        let lead = -firsts.iter().copied().min()?;
        let turns = Turns { count: count + lead, lead, rows: self.rows };
        let steps = Steps { nodes: Vec::new(), places: Vec::new(), stores: Vec::new(), turns: Some(turns) };
        let mut order: Vec<usize> = (0..self.classes.len()).collect();
        order.sort_by_key(|&class| (firsts[class], self.classes[class].model));
        let mut writer = Writer { classes: &self, lead, steps, values: HashMap::new() };
        writer.fixed_values();
        for class in order {
            writer.value(class, firsts[class] + lead);
        }
        writer.stores(writes);
        Some(writer.steps)
    }

    /// What each step writes, the values counted from it; none if steps differ.
    fn writes(&self, count: i32) -> Option<Vec<(Store, Member)>> {
        let mut writes: Vec<(Store, Member)> = Vec::new();
        for store in &self.body.stores {
            let step = store.dy.div_euclid(self.rows);
            let store = Store { dy: store.dy.rem_euclid(self.rows), ..store.clone() };
            let member = self.members[store.value.0 as usize].moved(-step);
            let place = |store: &Store| (store.output, store.channel, store.dx, store.dy);
            match writes.iter().find(|(known, _)| place(known) == place(&store)) {
                Some((_, known)) if *known != member => return None,
                Some(_) => {}
                None => writes.push((store, member)),
            }
        }
        (writes.len() * count as usize == self.body.stores.len()).then_some(writes)
    }

    /// The first step that must compute each class, where the first that writes is 0.
    fn firsts(&self, writes: &[(Store, Member)]) -> Vec<i32> {
        let mut firsts = vec![0; self.classes.len()];
        for &(_, member) in writes {
            self.ask(&mut firsts, member, 0, 0);
        }
        for (index, class) in self.classes.iter().enumerate().rev() {
            for &operand in &class.operands {
                let first = firsts[index];
                self.ask(&mut firsts, operand, class.last, first);
            }
        }
        for (index, class) in self.classes.iter().enumerate() {
            let of_row = |other: &usize| self.classes[*other].read == class.read;
            if class.read.is_some() {
                firsts[index] = (0..self.classes.len()).filter(of_row).map(|other| firsts[other]).min().unwrap_or(0);
            }
        }
        firsts
    }

    /// Has `member` computed for a user whose own place is `last` and which is computed from step `first` on.
    fn ask(&self, firsts: &mut [i32], member: Member, last: i32, first: i32) {
        if let Member::Moving { class, step } = member {
            firsts[class] = firsts[class].min(first - self.age(class, step, last));
        }
    }

    /// How many steps before its user at `last` a value is computed.
    fn age(&self, class: usize, step: i32, last: i32) -> i32 {
        self.classes[class].last - last - step
    }
}

/// The writer of a loop.
struct Writer<'a> {
    classes: &'a Classes<'a>,
    lead: i32,
    steps: Steps,
    /// Where fixed values, those of this turn and those of turns before are.
    values: HashMap<Value, ValueId>,
}

/// A value as the loop sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Value {
    Fixed(ValueId),
    OfTurn { class: usize, age: i32 },
}

impl Writer<'_> {
    fn fixed_values(&mut self) {
        for (index, node) in self.classes.body.nodes.iter().enumerate() {
            let id = ValueId(index as u32);
            if self.classes.members[index] == Member::Fixed(id) {
                let op = map_operands(&node.op, |id| self.values[&Value::Fixed(id)]);
                self.push(Value::Fixed(id), Node { op, ..node.clone() }, Place::Before);
            }
        }
    }

    /// The value of a class, after the older ones that it is computed from.
    fn value(&mut self, class: usize, first: i32) {
        let Class { model, last, ref operands, read: _ } = self.classes.classes[class];
        let operands: Vec<ValueId> = operands.iter().map(|&operand| self.operand(operand, last)).collect();
        let node = self.classes.body.node(model);
        let step = last - self.lead;
        let mut operands = operands.into_iter();
        let op = match node.op {
            Op::Input { input, channel, dx, dy } => {
                let rows = self.classes.rows_of(input);
                Op::Input { input, channel, dx, dy: step * rows + dy.rem_euclid(rows) }
            }
            Op::Coordinate { axis, offset } => {
                let rows = self.classes.rows;
                Op::Coordinate { axis, offset: step * rows + offset.rem_euclid(rows) }
            }
            Op::Constant(_) | Op::Uniform { .. } | Op::Derived { .. } => node.op.clone(),
            Op::Lookup { .. } | Op::Unary(..) | Op::Binary(..) | Op::MulAdd(..) | Op::Select { .. } | Op::Cast(..) => {
                map_operands(&node.op, |id| operands.next().unwrap_or(id))
            }
        };
        let name = node.name.as_deref().map(|name| without_row(name).to_owned());
        let place = Place::Turn { first, kept: false };
        self.push(Value::OfTurn { class, age: 0 }, Node { op, name, ..node.clone() }, place);
    }

    /// A value for a user at `last`.
    fn operand(&mut self, member: Member, last: i32) -> ValueId {
        let (class, step) = match member {
            Member::Fixed(id) => return self.values[&Value::Fixed(id)],
            Member::Moving { class, step } => (class, step),
        };
        let age = self.classes.age(class, step, last);
        let value = Value::OfTurn { class, age };
        if let Some(&id) = self.values.get(&value) {
            return id;
        }
        let of = self.values[&Value::OfTurn { class, age: 0 }];
        self.keep(of);
        let node = self.steps.nodes[of.0 as usize].clone();
        self.push(value, node, Place::Earlier { of, by: age })
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

    fn push(&mut self, value: Value, node: Node, place: Place) -> ValueId {
        let id = ValueId(self.steps.nodes.len() as u32);
        self.steps.nodes.push(node);
        self.steps.places.push(place);
        self.values.insert(value, id);
        id
    }
}

/// A name without what says in which row of the block the value stands.
fn without_row(name: &str) -> &str {
    match name.rsplit_once(" y") {
        Some((name, row)) if row.chars().all(|c| c.is_ascii_digit()) => name,
        Some(_) | None => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use windrow_dsl::{
        compile_file,
        ir::Block,
        optimise::{jam, prepare},
    };

    /// The steps of a block of 4 × `rows` elements.
    fn steps(function: &str, rows: u32) -> Steps {
        let compiled = compile_file(&format!("#[kernel]\npub fn {function}"));
        assert!(compiled.errors.is_empty(), "{:?}", compiled.errors);
        let kernel = &compiled.kernels[0].kernel;
        let body = &prepare(kernel).bodies[0];
        find_steps(kernel, &jam(kernel, body, 4, Block { x: 1, y: rows }), rows)
    }

    /// The rows that are read, from the first turn, and from which turn on.
    fn reads(steps: &Steps) -> Vec<(i32, i32)> {
        let read = |(node, place): (&Node, &Place)| match (&node.op, place) {
            (Op::Input { dy, .. }, Place::Turn { first, .. }) => Some((*dy, *first)),
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
