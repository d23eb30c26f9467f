//! Which values of a block's body are the same expression in different rows.
//!
//! A value's *step* says how far down the block it stands, in the rows that a step of the loop computes. Values of one
//! class differ by their steps alone. What [`super::steps`] makes of them is a loop.

use windrow_dsl::ir::{Axis, Body, InputId, Kernel, Node, Numbers, Op, QuickMap, Store, ValueId};

/// What a value is among its like: the same in every row, or one of a class, at a step; for an operand, from its user's.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// The class; of what is the same in every row, the value behind [`FIXED`].
    place: u32,
    step: i32,
}

/// The bit that values which are the same in every row have before their numbers.
const FIXED: u32 = 1 << 31;

/// The bit that numbers of members which are far away have before them.
const FAR: u32 = 1 << 30;

/// Steps that stand in a number beside their class: nearly all do.
const NEAR_STEPS: u32 = 1 << 10;

impl Member {
    fn fixed(id: ValueId) -> Self {
        Self { place: FIXED | id.0, step: 0 }
    }

    /// The value that is the same in every row, if it is one.
    pub fn as_fixed(self) -> Option<ValueId> {
        if self.place & FIXED != 0 { Some(ValueId(self.place ^ FIXED)) } else { None }
    }

    /// The class and the step of one that moves.
    pub fn as_moving(self) -> Option<(usize, i32)> {
        if self.place & FIXED == 0 { Some((self.place as usize, self.step)) } else { None }
    }

    pub fn moved(self, by: i32) -> Self {
        if self.place & FIXED != 0 { self } else { Self { place: self.place, step: self.step + by } }
    }

    /// A number that no other member has.
    fn number(self, far: &mut Far) -> ValueId {
        let (place, step) = (self.place, self.step as u32);
        if place & FIXED != 0 {
            ValueId(place)
        } else if place < FAR / NEAR_STEPS && step < NEAR_STEPS {
            ValueId(place * NEAR_STEPS + step)
        } else {
            let count = far.len() as u32;
            ValueId(FAR | *far.entry((place, self.step)).or_insert(count))
        }
    }
}

/// Numbers of members that are far from the first: by class and step.
type Far = QuickMap<(u32, i32), u32>;

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
    pub kernel: &'a Kernel,
    pub body: &'a Body,
    /// Rows of a step.
    pub rows: i32,
    pub classes: Vec<Class>,
    pub members: Vec<Member>,
}

impl<'a> Classes<'a> {
    pub fn of(kernel: &'a Kernel, body: &'a Body, rows: i32) -> Self {
        let members = Vec::with_capacity(body.nodes.len());
        let mut found = Self { kernel, body, rows, classes: Vec::new(), members };
        let (mut known, mut far) = (Numbers::with_capacity(body.nodes.len()), Far::default());
        let mut index = 0;
        while index < body.nodes.len() {
            let id = ValueId(index as u32);
            let member = found.member(id, &body.nodes[index], &mut known, &mut far);
            found.members.push(member);
            index += 1;
        }
        found.align_reads();
        found
    }

    /// What a value is, entered into its class, which may be new.
    fn member(&mut self, id: ValueId, node: &Node, known: &mut Numbers, far: &mut Far) -> Member {
        let mut read = None;
        // The operation without step.
        let (op, step) = match node.op {
            Op::Input { input, channel, dx, dy } => {
                let rows = self.rows_of(input);
                let row = dy.rem_euclid(rows);
                read = Some((input, row));
                (Op::Input { input, channel, dx, dy: row }, dy.div_euclid(rows))
            }
            Op::Coordinate { axis: Axis::Y, offset } => {
                let op = Op::Coordinate { axis: Axis::Y, offset: offset.rem_euclid(self.rows) };
                (op, offset.div_euclid(self.rows))
            }
            Op::Constant(_) | Op::Uniform { .. } | Op::Derived { .. } | Op::Coordinate { axis: Axis::X, .. } => {
                return Member::fixed(id);
            }
            Op::Lookup { .. } | Op::Unary(..) | Op::Binary(..) | Op::MulAdd(..) | Op::Select { .. } | Op::Cast(..) => {
                let Some(step) = self.first_step(&node.op) else { return Member::fixed(id) };
                let members = self.members.as_slice();
                let op = node.op.map_operands(|id| members[id.0 as usize].moved(-step).number(far));
                match op {
                    Op::Binary(op, a, b) if b.0 < a.0 && op.commutes() => (Op::Binary(op, b, a), step),
                    op => (op, step),
                }
            }
        };
        let place = known.of(&op, node.ty).0;
        let class = place as usize;
        if class == self.classes.len() {
            self.classes.push(Class { model: id, last: step, read });
        } else if self.classes[class].last < step {
            self.classes[class] = Class { model: id, last: step, read };
        }
        Member { place, step }
    }

    /// The first step of those operands that move.
    fn first_step(&self, op: &Op) -> Option<i32> {
        let (members, mut first) = (self.members.as_slice(), None);
        op.for_operands(|id| {
            let Member { place, step } = members[id.0 as usize];
            if place & FIXED == 0 && first.is_none_or(|known| step < known) {
                first = Some(step);
            }
        });
        first
    }

    /// The operand of a class's model, counted from the model's step.
    pub fn operand(&self, class: usize, id: ValueId) -> Member {
        let (members, model) = (self.members.as_slice(), self.classes.as_slice()[class].model);
        members[id.0 as usize].moved(-members[model.0 as usize].step)
    }

    /// Rows of an input from step to step.
    pub fn rows_of(&self, input: InputId) -> i32 {
        self.rows * self.kernel.inputs[input.0 as usize].stride.1 as i32
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
                Some((_, known)) if (known.place, known.step) != (member.place, member.step) => return None,
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
        let mut index = self.classes.len();
        while index > 0 {
            index -= 1;
            let (Class { model, last, .. }, first) = (self.classes[index], firsts[index]);
            let firsts = firsts.as_mut_slice();
            self.body.nodes[model.0 as usize].op.for_operands(|id| {
                self.ask(firsts, self.operand(index, id), last, first);
            });
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
        if let Some((class, step)) = member.as_moving() {
            let asked = first - self.age(class, step, last);
            if asked < firsts[class] {
                firsts[class] = asked;
            }
        }
    }

    /// How many steps before its user at `last` a value is computed.
    pub fn age(&self, class: usize, step: i32, last: i32) -> i32 {
        self.classes.as_slice()[class].last - last - step
    }
}
