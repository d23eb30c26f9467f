//! What the values of loops at run time keep: an axis of its own for each loop, variables of one type, lists of one loop's.

use super::{Check, Checked, ensure};
use crate::ir::loops::{turn_of, variables};
use crate::ir::{AxisId, Node, Op, Order, Type, ValueId};

impl Check<'_> {
    /// A value of a loop at run time.
    pub(super) fn of_loop(&self, node: &Node) -> Checked {
        let at = |id: ValueId| &self.body.node(id).op;
        match node.op {
            Op::Turn { axis, start, end, order } => {
                let loops = AxisId::COUNT..AxisId::COUNT + AxisId::LOOPS;
                ensure(loops.contains(&axis.0), "an axis exists")?;
                let is_own = |other: &&Node| matches!(other.op, Op::Turn { axis: own, .. } if own == axis);
                ensure(self.body.nodes.iter().filter(is_own).count() == 1, "a loop has an axis of its own")?;
                ensure(matches!(node.ty, Type::I32 | Type::U32), "a loop counts in 32 bits")?;
                ensure([start, end].map(|id| self.ty(id)) == [node.ty; 2], "the ends of a loop have its type")?;
                let is_sum = |other: &Node| match other.op {
                    Op::Carried { turn, .. } if self.body.node(turn).op == node.op => other.ty == Type::F32,
                    _ => true,
                };
                ensure(order == Order::Written || self.body.nodes.iter().all(is_sum), "lanes are summed up as floats")
            }
            Op::Carried { turn, before, .. } => {
                ensure(matches!(at(turn), Op::Turn { .. }), "a variable belongs to a loop")?;
                ensure(self.ty(before) == node.ty && node.ty != Type::BOOL, "a variable keeps its type, a number's")
            }
            Op::Advance { carried, after, rest } => {
                let Op::Carried { turn, .. } = *at(carried) else { return Err("what advances is a variable") };
                ensure(self.ty(carried) == self.ty(after), "a variable keeps its type")?;
                ensure(turn_of(&self.body.nodes, rest) == turn, "a list is of one loop's variables")
            }
            Op::Outcome { end, carried } => {
                let is_one = variables(&self.body.nodes, end).iter().any(|variable| variable.carried == carried);
                ensure(is_one && self.ty(carried) == node.ty, "what is behind a loop is one of its variables")
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Body, verify};

    const SOURCE: &str = "#[kernel] fn f(a: u32, #[uniform] n: u32) -> u32 {
        let (mut sum, mut last) = (a, 0.5f32);
        for i in 0..n { for j in 0..i { sum = sum.wrapping_mul(3) ^ j; last = last * 2.0 + 1.0; } }
        sum ^ last as u32 }";

    /// The places of the values of a kind.
    fn places(body: &Body, is_wanted: impl Fn(&Op) -> bool) -> Vec<ValueId> {
        (0..body.nodes.len() as u32).map(ValueId).filter(|id| is_wanted(&body.node(*id).op)).collect()
    }

    fn turns(body: &Body) -> Vec<ValueId> {
        places(body, |op| matches!(op, Op::Turn { .. }))
    }

    /// Breaks a body.
    type Break = fn(&mut Body);

    #[test]
    fn what_a_pass_could_break_of_a_loop_is_found() {
        let cases: [(&str, Break); 8] = [
            ("an axis exists", |body| {
                let at = turns(body)[0].0 as usize;
                let Op::Turn { start, end, order, .. } = body.nodes[at].op else { return };
                body.nodes[at].op = Op::Turn { axis: AxisId::X, start, end, order };
            }),
            ("an axis of its own", |body| {
                let [outer, inner] = [0, 1].map(|which| turns(body)[which].0 as usize);
                let (&Op::Turn { axis, .. }, &Op::Turn { start, end, order, .. }) =
                    (&body.nodes[outer].op, &body.nodes[inner].op)
                else {
                    return;
                };
                body.nodes[inner].op = Op::Turn { axis, start, end, order };
            }),
            ("lanes are summed up as floats", |body| {
                let at = turns(body)[1].0 as usize;
                let Op::Turn { axis, start, end, .. } = body.nodes[at].op else { return };
                body.nodes[at].op = Op::Turn { axis, start, end, order: Order::Lanes };
            }),
            ("counts in 32 bits", |body| {
                let at = turns(body)[0].0 as usize;
                body.nodes[at].ty = Type::U64;
            }),
            ("variable keeps its type, a number's", |body| {
                let at = places(body, |op| matches!(op, Op::Carried { .. }))[0].0 as usize;
                body.nodes[at].ty = Type::BOOL;
            }),
            ("what advances is a variable", |body| {
                let at = places(body, |op| matches!(op, Op::Advance { .. }))[0].0 as usize;
                let Op::Advance { after, rest, .. } = body.nodes[at].op else { return };
                body.nodes[at].op = Op::Advance { carried: after, after, rest };
            }),
            ("a list is of one loop's variables", |body| {
                let at = places(body, |op| matches!(op, Op::Advance { .. }))[0].0 as usize;
                let Op::Advance { carried, after, .. } = body.nodes[at].op else { return };
                body.nodes[at].op = Op::Advance { carried, after, rest: turns(body)[0] };
            }),
            ("one of its variables", |body| {
                let at = places(body, |op| matches!(op, Op::Outcome { .. }))[0].0 as usize;
                let Op::Outcome { end, .. } = body.nodes[at].op else { return };
                body.nodes[at].op = Op::Outcome { end, carried: ValueId(0) };
            }),
        ];
        let mut compiled = crate::compile_file(SOURCE);
        assert!(compiled.errors.is_empty(), "{}", compiled.errors[0].message);
        let kernel = compiled.kernels.remove(0).kernel;
        assert_eq!(verify(&kernel, &kernel.bodies[0]), Ok(()));
        for (rule, change) in cases {
            let mut body = kernel.bodies[0].clone();
            change(&mut body);
            let found = verify(&kernel, &body).map_or_else(|fault| fault.to_string(), |()| String::new());
            assert!(found.contains(rule), "{rule}: {found}");
        }
    }
}
