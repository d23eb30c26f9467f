//! Which values of a block's body are the same expression in different rows.
//!
//! A value's *step* says how far down the block it stands, in the rows that a step of the loop computes. Values of one
//! class differ by their steps alone. What [`super::steps`] makes of them is a loop.

use windrow_dsl::{
    ir::{Axis, Body, InputId, Kernel, Node, Op, Store, Type, ValueId},
    optimise::{Numbers, QuickMap, commutes, for_operands, map_operands},
};

/// What a value is among its like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Member {
    /// The same in every row.
    Fixed(ValueId),
    /// One of a class, at a step: for an operand, from its user's.
    Moving { class: usize, step: i32 },
}

impl Member {
    pub fn moved(self, by: i32) -> Self {
        match self {
            Self::Fixed(_) => self,
            Self::Moving { class, step } => Self::Moving { class, step: step + by },
        }
    }

    /// A tap that no other member is: what numbers values numbers members too.
    fn as_tap(self) -> Op {
        let tap = |index: u32, channel: u32, dy: i32| Op::Input { input: InputId(index), channel, dx: 0, dy };
        match self {
            Self::Fixed(id) => tap(id.0, 0, 0),
            Self::Moving { class, step } => tap(class as u32, 1, step),
        }
    }
}

/// The operands of a value, in order. A list on the heap for each value would take longer than all else here.
#[derive(Clone, Copy, Debug)]
pub struct Operands {
    list: [Member; 3],
    count: usize,
}

impl Operands {
    /// All of them.
    pub fn as_slice(&self) -> &[Member] {
        &self.list[..self.count]
    }

    /// The first step of those that move.
    fn first_step(&self) -> Option<i32> {
        let mut first = None;
        for member in self.as_slice() {
            if let Member::Moving { step, .. } = *member {
                first = Some(first.map_or(step, |known: i32| known.min(step)));
            }
        }
        first
    }
}

/// Values that differ by their rows alone.
#[derive(Clone, Debug)]
pub struct Class {
    /// The last of them in the block, the first if there are several.
    pub model: ValueId,
    /// Its step.
    pub last: i32,
    /// Operands, from the step of their user.
    pub operands: Operands,
    /// For what is read: which rows of which input.
    pub read: Option<(InputId, i32)>,
}

/// The classes of a body, every operand's before its user's.
pub struct Classes<'a> {
    pub kernel: &'a Kernel,
    pub body: &'a Body,
    /// Rows of a step.
    pub rows: i32,
    pub classes: Vec<Class>,
    pub members: Vec<Member>,
}

impl<'a> Classes<'a> {
    pub fn of(kernel: &'a Kernel, body: &'a Body, rows: i32) -> Self {
        let mut found = Self { kernel, body, rows, classes: Vec::new(), members: Vec::new() };
        let (mut known, mut operands_seen) = (Numbers::default(), Numbers::default());
        for (index, node) in body.nodes.iter().enumerate() {
            let id = ValueId(index as u32);
            let mut operands = found.operands(node);
            let Some((step, op)) = found.step(node, &operands) else {
                found.members.push(Member::Fixed(id));
                continue;
            };
            let mut place = 0;
            let op = map_operands(&op, |_| {
                let operand = &mut operands.list[place];
                *operand = operand.moved(-step);
                place += 1;
                operands_seen.of(&operand.as_tap(), Type::Bool)
            });
            let op = match op {
                Op::Binary(op, a, b) if commutes(op) && b < a => Op::Binary(op, b, a),
                op => op,
            };
            let class = known.of(&op, node.ty).0 as usize;
            found.join(class, id, step, operands);
            found.members.push(Member::Moving { class, step });
        }
        found.align_reads();
        found
    }

    /// The step of a value that moves from row to row, and its operation without step.
    fn step(&self, node: &Node, operands: &Operands) -> Option<(i32, Op)> {
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
                Some((operands.first_step()?, node.op.clone()))
            }
        }
    }

    fn operands(&self, node: &Node) -> Operands {
        let (members, mut operands) =
            (self.members.as_slice(), Operands { list: [Member::Fixed(ValueId(0)); 3], count: 0 });
        for_operands(&node.op, |id| {
            operands.list[operands.count] = members[id.0 as usize];
            operands.count += 1;
        });
        operands
    }

    /// Rows of an input from step to step.
    pub fn rows_of(&self, input: InputId) -> i32 {
        self.rows * self.kernel.inputs[input.0 as usize].stride.1 as i32
    }

    /// Enters a value into its class, which may be new.
    fn join(&mut self, class: usize, id: ValueId, step: i32, operands: Operands) {
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
        let mut last: QuickMap<(InputId, i32), i32> = QuickMap::default();
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

    /// From here on, the last values' steps are counted from the last of `count` steps.
    pub fn count_from_last(&mut self, count: i32) {
        self.classes.iter_mut().for_each(|class| class.last -= count - 1);
    }

    /// What each step writes, the values counted from it; none if steps differ.
    pub fn writes(&self, count: i32) -> Option<Vec<(Store, Member)>> {
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
    pub fn firsts(&self, writes: &[(Store, Member)]) -> Vec<i32> {
        let mut firsts = vec![0; self.classes.len()];
        for &(_, member) in writes {
            self.ask(&mut firsts, member, 0, 0);
        }
        for (index, class) in self.classes.iter().enumerate().rev() {
            for &operand in class.operands.as_slice() {
                let first = firsts[index];
                self.ask(&mut firsts, operand, class.last, first);
            }
        }
        let mut rows: Vec<((InputId, i32), i32)> = Vec::new();
        for (class, &first) in self.classes.iter().zip(&firsts) {
            let Some(read) = class.read else { continue };
            match rows.iter_mut().find(|(row, _)| *row == read) {
                Some((_, least)) => *least = first.min(*least),
                None => rows.push((read, first)),
            }
        }
        for (class, first) in self.classes.iter().zip(&mut firsts) {
            if let Some((_, least)) = rows.iter().find(|(row, _)| Some(*row) == class.read) {
                *first = *least;
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
    pub fn age(&self, class: usize, step: i32, last: i32) -> i32 {
        self.classes[class].last - last - step
    }
}
