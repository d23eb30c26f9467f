//! What every body keeps, before and after each pass: operands before their users, types, path conditions, stores.
//!
//! [`verify`] says the first thing that a body does not keep. Debug builds ask after every pass, tests of random bodies too.
//! A fault is one of windrow's, not of an author: it panics in tests, and behind a door ([`with_fault`]) becomes an error
//! that names the pass, as a macro that panics says nothing of use.

use super::legal::{self, Family};
use super::{
    Affine, Axes, AxisId, BinaryOp, Body, CastMode, Demand, GuardId, Input, InputId, Kernel, Node, Op, Type, UnaryOp,
    ValueId,
};
use std::cell::RefCell;
use std::fmt;

mod loops;

/// What is wrong with a body, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The node, where it is one.
    pub node: Option<ValueId>,
    /// The rule.
    pub rule: &'static str,
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.node {
            Some(id) => write!(out, "value {}: {}", id.0, self.rule),
            None => out.write_str(self.rule),
        }
    }
}

/// Whether a body keeps the rules.
///
/// # Errors
/// The first rule that it does not keep.
pub fn verify(kernel: &Kernel, body: &Body) -> Result<(), Fault> {
    Check { terms: Terms::Kernel(kernel), body }.all()
}

thread_local! {
    /// The first fault since [`with_fault`] began to listen on this thread, if it listens.
    static HEARD: RefCell<Option<Option<String>>> = const { RefCell::new(None) };
}

/// What some work gives, and the first fault that a pass left meanwhile on this thread: no fault panics.
pub fn with_fault<T>(work: impl FnOnce() -> T) -> (T, Option<String>) {
    /// Restores what listened before, where the work panics too.
    struct Listening(Option<Option<String>>);
    impl Drop for Listening {
        fn drop(&mut self) {
            HEARD.replace(self.0.take());
        }
    }
    let _listening = Listening(HEARD.replace(Some(None)));
    let done = work();
    (done, HEARD.take().flatten())
}

/// Asks in debug builds whether a pass left a body that keeps the rules.
///
/// # Panics
/// Where it does not, and [`with_fault`] does not listen: a fault of the pass.
pub fn check(kernel: &Kernel, body: &Body, pass: &str) {
    checked(Terms::Kernel(kernel), body, pass);
}

/// The same of a body whose arguments may be words that hold several elements: what it reads and stores is taken as it is.
///
/// # Panics
/// As [`check`].
pub fn check_values(body: &Body, pass: &str) {
    checked(Terms::Words, body, pass);
}

/// The same of a body in the terms of OpenCL C, whose arguments are taken as they are too: it may have what the other families
/// lack.
///
/// # Panics
/// As [`check`].
pub fn check_opencl(body: &Body, pass: &str) {
    checked(Terms::OpenCl, body, pass);
}

/// The same of a body in the terms of vectors: amounts have the type of what they shift, counts of bits the unsigned type
/// of their operand.
///
/// # Panics
/// As [`check`].
pub fn check_vector(body: &Body, pass: &str) {
    checked(Terms::Vectors, body, pass);
}

fn checked(terms: Terms<'_>, body: &Body, pass: &str) {
    if !cfg!(debug_assertions) {
        return;
    }
    let Err(fault) = (Check { terms, body }).all() else { return };
    let text = match terms {
        Terms::Kernel(kernel) => format!("{} after {pass}: {fault}", kernel.name),
        Terms::Words | Terms::OpenCl | Terms::Vectors => format!("after {pass}: {fault}"),
    };
    let is_heard = HEARD.with_borrow_mut(|heard| match heard {
        Some(first) => {
            first.get_or_insert_with(|| text.clone());
            true
        }
        None => false,
    });
    assert!(is_heard, "{text}");
}

type Checked = Result<(), &'static str>;

fn ensure(holds: bool, rule: &'static str) -> Checked {
    if holds { Ok(()) } else { Err(rule) }
}

/// In which terms a body is written.
#[derive(Clone, Copy)]
enum Terms<'a> {
    /// Those of the language: arguments are those of the kernel.
    Kernel(&'a Kernel),
    /// The same, but for arguments, which are words of several elements.
    Words,
    /// Those of OpenCL C: arguments are taken as they are.
    OpenCl,
    /// Those of vectors: arguments are taken as they are.
    Vectors,
}

/// An input that is read anywhere.
fn whole(kernel: &Kernel, input: InputId) -> Result<&Input, &'static str> {
    kernel.inputs.get(input.0 as usize).filter(|input| input.is_whole).ok_or("a whole input exists")
}

struct Check<'a> {
    terms: Terms<'a>,
    body: &'a Body,
}

impl Check<'_> {
    fn all(&self) -> Result<(), Fault> {
        for (index, node) in self.body.nodes.iter().enumerate() {
            let id = ValueId(index as u32);
            self.node(id).map_err(|rule| Fault { node: Some(id), rule })?;
            if let Some(guard) = node.guard {
                self.guard(guard, id).map_err(|rule| Fault { node: Some(id), rule })?;
            }
        }
        let rest =
            self.guards().and_then(|()| self.obligations()).and_then(|()| self.measured()).and_then(|()| self.stores());
        rest.map_err(|rule| Fault { node: None, rule })
    }

    /// The kernel whose arguments the body reads and writes.
    fn kernel(&self) -> Option<&Kernel> {
        match self.terms {
            Terms::Kernel(kernel) => Some(kernel),
            Terms::Words | Terms::OpenCl | Terms::Vectors => None,
        }
    }

    fn ty(&self, id: ValueId) -> Type {
        self.body.nodes[id.0 as usize].ty
    }

    fn exists(&self, id: ValueId) -> bool {
        (id.0 as usize) < self.body.nodes.len()
    }

    fn node(&self, id: ValueId) -> Checked {
        let node = self.body.node(id);
        let operands = node.op.operands();
        ensure(operands.iter().all(|operand| operand.0 < id.0), "an operand comes before its user")?;
        match node.op {
            Op::Constant(constant) => ensure(constant.is_of(node.ty), "a constant is a value of its type"),
            Op::Coordinate { axis, .. } => {
                let is_of_target = match axis {
                    AxisId::STEP | AxisId::LANE => matches!(self.terms, Terms::Vectors),
                    _ => !Axes::of(axis).of_group().is_empty() && matches!(self.terms, Terms::OpenCl),
                };
                ensure(axis.0 < AxisId::COUNT || axis.as_outer().is_some() || is_of_target, "an axis exists")?;
                ensure(node.ty == Type::I32, "a coordinate is an i32")
            }
            Op::Derived { .. } => Ok(()),
            Op::Load(ref access) => {
                for place in access.at() {
                    // They are in order.
                    ensure(place.terms().last().is_none_or(|(axis, _)| axis.0 < AxisId::COUNT), "an axis exists")?;
                }
                self.argument(id)
            }
            Op::Uniform { .. } | Op::Lookup { .. } => self.argument(id),
            Op::Extent { .. } => {
                ensure(node.ty == Type::I32, "an extent is an i32")?;
                self.argument(id)
            }
            Op::Plane { index, outside, .. } => {
                ensure(node.ty == Type::I32 && self.ty(index) == Type::I32, "a plane and its index are i32")?;
                self.plane(outside)?;
                self.argument(id)
            }
            Op::Gather { plane, at: [row, column], .. } => {
                self.plane(plane)?;
                ensure([row, column].map(|id| self.ty(id)) == [Type::I32; 2], "a row and a column are i32")?;
                self.argument(id)
            }
            Op::Stride { .. } | Op::Fetch { .. } | Op::Contiguous { .. } => self.address(node),
            Op::Across { op, value } => {
                ensure(matches!(self.terms, Terms::Vectors), "lanes belong to a target")?;
                let combined = self.binary(op, self.ty(value));
                ensure(combined == Some(node.ty) && self.ty(value) == node.ty, "lanes are combined in their type")
            }
            Op::Local { value, axis, .. } => {
                ensure(matches!(self.terms, Terms::OpenCl), "local memory belongs to a target")?;
                ensure(matches!(axis, AxisId::Y | AxisId::X), "a group's rows and columns are the element's")?;
                ensure(self.ty(value) == node.ty, "an element in local memory has its own type")
            }
            Op::Unary(op, a) => {
                let (own, counts) = (self.ty(a), op.counts_bits() && matches!(self.terms, Terms::Vectors));
                let result = self.unary(op, own).map(|result| if counts { own.unsigned() } else { result });
                ensure(result == Some(node.ty), "an operation has the type of its operand")
            }
            Op::Binary(op, a, b) => {
                let (left, right) = (self.ty(a), self.ty(b));
                let amount = op.shifts();
                ensure(
                    match self.terms {
                        Terms::Vectors if amount => right == Type::U32 || right.bits() == left.bits(),
                        _ if amount => right == Type::U32,
                        _ => left == right,
                    },
                    "operands have one type, amounts are u32",
                )?;
                ensure(self.binary(op, left) == Some(node.ty), "an operation has the type of its operands")
            }
            Op::MulAdd(a, b, c) => {
                let all = [node.ty, self.ty(a), self.ty(b), self.ty(c)];
                ensure(all.iter().all(|ty| ty.is_float()), "a product and a sum in one are of floats")
            }
            Op::Select { condition, then, otherwise } => {
                ensure(self.ty(condition) == Type::BOOL, "a choice is made by a truth value")?;
                ensure(self.ty(then) == node.ty && self.ty(otherwise) == node.ty, "both arms have the type of a choice")
            }
            Op::Cast(mode, a) => {
                let from = self.ty(a);
                ensure(self.cast(mode, from, node.ty), "a conversion is one that targets have")
            }
            Op::Turn { .. } | Op::Carried { .. } | Op::Advance { .. } | Op::Outcome { .. } => self.of_loop(node),
        }
    }

    /// The type of an operation's result, by the column of the table that the body is held to.
    fn unary(&self, op: UnaryOp, ty: Type) -> Option<Type> {
        match self.terms {
            Terms::Kernel(_) | Terms::Words => legal::unary(op, ty),
            Terms::OpenCl => legal::unary_on(Family::OpenCl, op, ty),
            Terms::Vectors => legal::unary_on(Family::Vectors, op, ty),
        }
    }

    fn binary(&self, op: BinaryOp, ty: Type) -> Option<Type> {
        match self.terms {
            Terms::Kernel(_) | Terms::Words => legal::binary(op, ty),
            Terms::OpenCl => legal::binary_on(Family::OpenCl, op, ty),
            Terms::Vectors => legal::binary_on(Family::Vectors, op, ty),
        }
    }

    fn cast(&self, mode: CastMode, from: Type, to: Type) -> bool {
        match self.terms {
            Terms::Kernel(_) | Terms::Words => legal::cast(mode, from, to),
            Terms::OpenCl => legal::cast_row(mode, to).of(Family::OpenCl).contains(from),
            Terms::Vectors => legal::cast_row(mode, to).of(Family::Vectors).contains(from),
        }
    }

    /// A part of an address, or what is read at one.
    fn address(&self, node: &Node) -> Checked {
        ensure(matches!(self.terms, Terms::Vectors), "addresses belong to a target")?;
        match node.op {
            Op::Stride { .. } => ensure(node.ty == Type::I32, "a stride is an i32"),
            Op::Fetch { offset, .. } => ensure(self.ty(offset) == Type::I32, "an offset is an i32"),
            Op::Contiguous { row, first, last, .. } => {
                ensure([row, first, last].map(|id| self.ty(id)) == [Type::I32; 3], "a row and columns are i32")
            }
            _ => Ok(()),
        }
    }

    /// What is read from an argument of the kernel.
    fn argument(&self, id: ValueId) -> Checked {
        let node = self.body.node(id);
        if let Op::Lookup { index, .. } = node.op {
            ensure(self.ty(index).is_integer(), "an index is an integer")?;
        }
        let Some(kernel) = self.kernel() else { return Ok(()) };
        match node.op {
            Op::Load(ref access) => {
                let input = kernel.inputs.get(access.tensor.0 as usize).ok_or("an input exists")?;
                ensure(node.ty == input.ty, "an element has the type of its input")?;
                ensure(access.channel < input.channels, "a channel exists")?;
                ensure(access.at().len() == input.place.len(), "an access has a place in each dimension of its tensor")
            }
            Op::Uniform { uniform, index } => {
                let uniform = kernel.uniforms.get(uniform.0 as usize).ok_or("a uniform exists")?;
                ensure(node.ty == uniform.ty, "a scalar has the type of its uniform")?;
                ensure(index < uniform.dims.iter().product(), "a scalar lies inside its uniform")
            }
            Op::Lookup { table, .. } => {
                let table = kernel.tables.get(table.0 as usize).ok_or("a table exists")?;
                ensure(node.ty == table.ty, "an entry has the type of its table")
            }
            Op::Extent { input, dimension } => {
                ensure(dimension < whole(kernel, input)?.dimensions(), "a dimension exists")
            }
            Op::Plane { input, dimension, outside, .. } => {
                let dimensions = whole(kernel, input)?.dimensions();
                ensure(dimension + AxisId::COUNT < dimensions, "rows and columns are in a plane")?;
                ensure(outside.is_some() == (dimension > 0), "a plane has an index for each dimension")
            }
            Op::Gather { input, channel, plane, .. } => {
                let input = whole(kernel, input)?;
                ensure(plane.is_some() == (input.dimensions() > AxisId::COUNT), "a tensor of planes is read in one")?;
                ensure(node.ty == input.ty, "an element has the type of its input")?;
                ensure(channel < input.channels, "a channel exists")
            }
            _ => Ok(()),
        }
    }

    /// The plane of a read: one of the dimensions outside rows and columns.
    fn plane(&self, plane: Option<ValueId>) -> Checked {
        ensure(plane.is_none_or(|id| self.ty(id) == Type::I32), "a plane is an i32")
    }

    /// The path condition of a node: its conditions are known before the node.
    fn guard(&self, guard: GuardId, node: ValueId) -> Checked {
        let mut next = Some(guard);
        while let Some(id) = next {
            let guard = self.body.guards.get(id.0 as usize).ok_or("a path condition exists")?;
            ensure(guard.condition.0 < node.0, "a path condition is known before what it guards")?;
            ensure(
                guard.parent.is_none_or(|parent| parent.0 < id.0),
                "a path condition comes after the one around it",
            )?;
            next = guard.parent;
        }
        Ok(())
    }

    fn guards(&self) -> Checked {
        let is_truth = |id: ValueId| self.exists(id) && self.ty(id) == Type::BOOL;
        ensure(self.body.guards.iter().all(|guard| is_truth(guard.condition)), "a path condition is a truth value")
    }

    fn obligations(&self) -> Checked {
        self.body.obligations.iter().try_for_each(|obligation| {
            let guard = obligation.guard.is_none_or(|guard| (guard.0 as usize) < self.body.guards.len());
            ensure(guard, "the path condition of an obligation exists")?;
            match obligation.demand {
                Demand::ClampBounds { lo, hi } => {
                    let exist = self.exists(lo) && self.exists(hi);
                    ensure(exist && self.ty(lo) == self.ty(hi), "bounds exist, and have one type")
                }
                Demand::Inside { index, extent } => {
                    let exist = self.exists(index) && self.exists(extent);
                    ensure(exist && [index, extent].map(|id| self.ty(id)) == [Type::I32; 2], "a place is of i32")
                }
                Demand::Index { index, .. } => {
                    ensure(self.exists(index) && self.ty(index).is_integer(), "an index is an integer")
                }
            }
        })
    }

    fn measured(&self) -> Checked {
        let measured = &self.body.measured;
        let is_float = |id: ValueId| self.exists(id) && self.ty(id).is_float();
        ensure(measured.iter().all(|measured| is_float(measured.value)), "what was measured is a float")?;
        ensure(measured.is_sorted_by_key(|measured| measured.value), "what was measured is in order")
    }

    fn stores(&self) -> Checked {
        self.body.stores.iter().try_for_each(|store| {
            ensure(self.exists(store.value), "what is stored exists")?;
            ensure(writes_once(store.to.at()), "a store moves along each axis by the element's own steps")?;
            let Some(kernel) = self.kernel() else { return Ok(()) };
            let output = kernel.outputs.get(store.to.tensor.0 as usize).ok_or("an output exists")?;
            ensure(self.ty(store.value) == output.ty, "what is stored has the type of its output")?;
            ensure(store.to.channel < output.channels, "a channel exists")
        })
    }
}

/// Whether no two elements of a run write to one place: each of its dimensions is an axis of its own.
fn writes_once(place: &[Affine]) -> bool {
    place.iter().enumerate().all(|(dimension, own)| {
        matches!(own.terms(), [(_, 1)]) && place[..dimension].iter().all(|other| other.terms() != own.terms())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Overflow::Never;
    use crate::ir::{Access, Constant, Guard, InputId, OutputId, TableId, UniformId, image_place};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    const SOURCE: &str = "#[kernel] fn f(a: u8, b: u8, t: Table<'_, u8, 256>, #[uniform] by: u32) -> u8 {
        let sum = if a > b { a - b } else { t[a as usize] };
        (sum as u32 >> (by & 7)) as u8
    }";

    fn kernel() -> Kernel {
        let mut compiled = crate::compile_file(SOURCE);
        compiled.kernels.remove(0).kernel
    }

    /// The fault after a change of the body.
    fn fault(change: impl FnOnce(&mut Body)) -> String {
        let kernel = kernel();
        let mut body = kernel.bodies[0].clone();
        change(&mut body);
        verify(&kernel, &body).map_or_else(|fault| fault.to_string(), |()| String::new())
    }

    #[test]
    fn accesses_are_places_in_their_tensors() {
        let change = |place: Vec<Affine>| fault(|body| body.nodes[0].op = Op::Load(Access::new(InputId(0), 0, place)));
        let [y, x] = image_place((1, 1));
        let (broadcast, depth) = (Affine::new(&[], 0), Affine::axis(AxisId(2), 1));
        assert_eq!(change(vec![y.clone(), x.clone()]), "");
        assert_eq!(change(vec![x.clone(), y.clone()]), "", "a transposition is an access");
        assert_eq!(change(vec![broadcast, x.clone()]), "", "a broadcast is an access");
        assert_eq!(change(vec![x.clone()]), "value 0: an access has a place in each dimension of its tensor");
        assert_eq!(change(vec![depth, x]), "value 0: an axis exists");
    }

    fn place(body: &Body, is_wanted: impl Fn(&Op) -> bool) -> usize {
        body.nodes.iter().position(|node| is_wanted(&node.op)).expect("there is one")
    }

    #[test]
    fn a_body_as_lowered_keeps_all_rules() {
        assert_eq!(fault(|_| {}), "");
    }

    /// Changes the node at a place; the last value of the body.
    type Break = fn(&mut Body, usize, ValueId);

    #[test]
    fn what_a_pass_could_break_is_found() {
        let last = ValueId(kernel().bodies[0].nodes.len() as u32 - 1);
        let difference = |op: &Op| matches!(op, Op::Binary(BinaryOp::Sub(Never), ..));
        let cases: [(&str, Break); 8] = [
            ("before its user", |body, at, last| body.nodes[at].op = Op::Binary(BinaryOp::Sub(Never), last, last)),
            ("type of its operands", |body, at, _| body.nodes[at].ty = Type::U16),
            ("a table exists", |body, at, _| {
                body.nodes[at].op = Op::Lookup { table: TableId(7), index: ValueId(0) };
            }),
            ("a uniform exists", |body, at, _| {
                body.nodes[at].op = Op::Uniform { uniform: UniformId(1), index: 0 };
            }),
            ("value of its type", |body, at, _| body.nodes[at].op = Op::Constant(Constant::Int(256))),
            ("value of its type", |body, at, _| {
                body.nodes[at].ty = Type::F64;
                body.nodes[at].op = Op::Constant(Constant::Float(0));
            }),
            ("one that targets have", |body, at, _| {
                body.nodes[at].ty = Type::BOOL;
                body.nodes[at].op = Op::Cast(CastMode::Wrapping, ValueId(0));
            }),
            ("type of a choice", |body, at, _| {
                let condition = ValueId(place(body, |op| matches!(op, Op::Binary(BinaryOp::Gt, ..))) as u32);
                body.nodes[at].op = Op::Select { condition, then: condition, otherwise: condition };
            }),
        ];
        for (rule, change) in cases {
            let found = fault(|body| change(body, place(body, difference), last));
            assert!(found.contains(rule), "{rule}: {found}");
        }
    }

    #[test]
    fn a_fault_is_heard_behind_a_door_and_panics_elsewhere() {
        let kernel = kernel();
        let mut broken = kernel.bodies[0].clone();
        broken.stores[0].to.channel = 1;
        let ((), heard) = with_fault(|| {
            check(&kernel, &broken, "the first pass");
            check(&kernel, &broken, "the second pass");
        });
        assert_eq!(heard.as_deref(), Some("f after the first pass: a channel exists"));
        assert_eq!(with_fault(|| check(&kernel, &kernel.bodies[0], "a pass")), ((), None));
        check_vector(&broken, "stores are taken as they are");
        broken.nodes[0].op = Op::Binary(BinaryOp::Sub(Never), ValueId(1), ValueId(1));
        let panicked = catch_unwind(|| with_fault(|| panic!("a fault of another kind")));
        assert!(panicked.is_err());
        let alone = catch_unwind(AssertUnwindSafe(|| check_values(&broken, "a pass")));
        let text = alone.expect_err("a fault").downcast::<String>().expect("a text");
        assert_eq!(*text, "after a pass: value 0: an operand comes before its user");
    }

    #[test]
    fn conditions_and_stores_are_looked_at_too() {
        assert!(fault(|body| body.guards[0].condition = ValueId(0)).contains("truth value"));
        let late = |body: &mut Body| {
            let condition = ValueId(body.nodes.len() as u32 - 1);
            body.guards[0] = Guard { parent: None, condition, polarity: true };
        };
        assert!(fault(late).contains("known before"));
        assert!(fault(|body| body.stores[0].to.tensor = OutputId(1)).contains("an output exists"));
        assert!(fault(|body| body.stores[0].to.channel = 1).contains("a channel exists"));
        for place in [image_place((2, 1)), image_place((1, 1)).map(|_| Affine::axis(AxisId::X, 1))] {
            let elsewhere = |body: &mut Body| body.stores[0].to = Access::new(OutputId(0), 0, place.clone());
            assert!(fault(elsewhere).contains("moves along each axis"));
        }
        let wide = |body: &mut Body| {
            let value = place(body, |op| matches!(op, Op::Binary(BinaryOp::Shr, ..))) as u32;
            body.stores[0].value = ValueId(value);
        };
        assert!(fault(wide).contains("type of its output"));
    }
}
