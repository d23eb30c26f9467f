//! Which values of a block's body are the same expression in different rows.
//!
//! A value's *step* says how far down the block it is, in the rows that a step of the loop computes. Values of one
//! class differ by their steps alone. What [`super::steps`] makes of them is a loop.

use windrow_dsl::ir::{AxisId, Body, InputId, Node, Op, QuickMap, Store, Type, ValueId};

/// What a value is among its like; for an operand, its step is counted from its user's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Member {
    /// The same in every row.
    Fixed(ValueId),
    /// One of a class.
    Moving {
        /// The class.
        class: usize,
        /// Its step.
        step: i32,
    },
}

impl Member {
    fn moved(self, by: i32) -> Self {
        match self {
            Self::Fixed(_) => self,
            Self::Moving { class, step } => Self::Moving { class, step: step + by },
        }
    }

    fn step(self) -> Option<i32> {
        if let Self::Moving { step, .. } = self { Some(step) } else { None }
    }
}

/// What the values of a class have in common: the operation without its operands, the type, and the operands.
type Key = (Op, Type, Vec<Member>);

/// Values that differ by their rows alone.
#[derive(Clone, Copy, Debug)]
pub struct Class {
    /// The last of them in the block, the first if there are several.
    pub model: ValueId,
    /// Its step.
    pub last: i32,
    /// For what is read: which rows of which input.
    pub read: Option<(InputId, i32)>,
}

/// The classes of a body, every operand's before its user's.
pub struct Classes<'a> {
    pub body: &'a Body,
    /// Rows of a step.
    pub rows: i32,
    pub classes: Vec<Class>,
    pub members: Vec<Member>,
}

impl<'a> Classes<'a> {
    pub fn of(body: &'a Body, rows: i32) -> Self {
        let members = Vec::with_capacity(body.nodes.len());
        let mut found = Self { body, rows, classes: Vec::new(), members };
        let mut known = QuickMap::default();
        for (index, node) in body.nodes.iter().enumerate() {
            let member = found.member(ValueId(index as u32), node, &mut known);
            found.members.push(member);
        }
        found.align_reads();
        found
    }

    /// What a value is, entered into its class, which may be new.
    fn member(&mut self, id: ValueId, node: &Node, known: &mut QuickMap<Key, usize>) -> Member {
        let mut read = None;
        let mut operands: Vec<Member> = node.op.operands().iter().map(|id| self.members[id.0 as usize]).collect();
        // The operation without step.
        let (op, step) = match node.op {
            ref op @ (Op::Load(_) | Op::Coordinate { axis: AxisId::Y, .. }) => {
                let step = self.step(op);
                let op = self.in_step(op.clone(), 0);
                read = op.tap().map(|tap| (tap.input, tap.dy));
                (op, step)
            }
            ref op => {
                let Some(step) = operands.iter().filter_map(|member| member.step()).min() else {
                    return Member::Fixed(id);
                };
                (op.map_operands(|_| ValueId(0)), step)
            }
        };
        operands.iter_mut().for_each(|member| *member = member.moved(-step));
        if matches!(op, Op::Binary(op, ..) if op.commutes()) {
            operands.sort_unstable();
        }
        let class = *known.entry((op, node.ty, operands)).or_insert(self.classes.len());
        if class == self.classes.len() {
            self.classes.push(Class { model: id, last: step, read });
        } else if self.classes[class].last < step {
            self.classes[class] = Class { model: id, last: step, read };
        }
        Member::Moving { class, step }
    }

    /// The operand of a class's model, counted from the model's step.
    pub fn operand(&self, class: usize, id: ValueId) -> Member {
        let model = self.members[self.classes[class].model.0 as usize];
        self.members[id.0 as usize].moved(-model.step().unwrap_or_default())
    }

    /// How many steps down the block an element or a row is.
    fn step(&self, op: &Op) -> i32 {
        match op {
            Op::Load(access) => access.steps(AxisId::Y, self.rows.into()).unwrap_or(0) as i32,
            Op::Coordinate { axis: AxisId::Y, offset } => offset.div_euclid(self.rows),
            _ => 0,
        }
    }

    /// The same element or row as another step finds it.
    pub fn in_step(&self, op: Op, step: i32) -> Op {
        let by = (step - self.step(&op)) * self.rows;
        op.moved(&[(AxisId::Y, by.into())])
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
        if count > 1 {
            self.classes.iter_mut().for_each(|class| class.last -= count - 1);
        }
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
        for (index, &Class { model, last, .. }) in self.classes.iter().enumerate().rev() {
            let first = firsts[index];
            self.body.nodes[model.0 as usize].op.for_operands(|id| {
                self.ask(&mut firsts, self.operand(index, id), last, first);
            });
        }
        // A row is read whole.
        let mut rows: QuickMap<(InputId, i32), i32> = QuickMap::default();
        for (class, &first) in self.classes.iter().zip(&firsts) {
            if let Some(read) = class.read {
                let least = rows.entry(read).or_insert(first);
                *least = first.min(*least);
            }
        }
        for (class, first) in self.classes.iter().zip(&mut firsts) {
            *first = class.read.map_or(*first, |read| rows[&read]);
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
