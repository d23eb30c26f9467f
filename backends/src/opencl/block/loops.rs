//! Loops at run time: their variables, their turns, and what is known before these.

use super::anywhere::gathered;
use super::writer::BlockWriter;
use crate::opencl::c;
use crate::opencl::c::text::{Expr, Marked, Statement};
use crate::opencl::c::types::CType;
use std::rc::Rc;
use windrow_dsl::ir::loops::{LANES, Loop, Step};
use windrow_dsl::ir::{Op, Order, Type, ValueId};

impl BlockWriter<'_> {
    /// Adds the variables of a loop, and its turns.
    pub fn run_time_loop(&mut self, turns: &Loop) {
        let Op::Turn { start, end, order, .. } = self.node(turns.turn).op else { return };
        let shared = self.shared(turns.turn);
        self.expect_runs(turns);
        self.places_before(turns);
        let mut outside = std::mem::take(&mut self.statements);
        let (mut name, ty) = (Rc::from(""), self.ty(turns.turn));
        for step in &turns.body {
            let id = match step {
                Step::Loop(inner) => {
                    self.run_time_loop(inner);
                    continue;
                }
                Step::Value(id) => *id,
            };
            let node = self.node(id).clone();
            match node.op {
                Op::Turn { .. } => {
                    name = self.name(id, &node);
                    self.values.push(Expr::Name(Rc::clone(&name)));
                }
                Op::Carried { before, .. } => {
                    let (own, ty) = (self.name(id, &node), self.ty(id));
                    let variable = shared.as_ref().and_then(|list| list.iter().find(|variable| variable.carried == id));
                    let before = match variable {
                        Some(variable) => self.begins_with(variable, ty),
                        None => self.operand(before, ty),
                    };
                    outside.push((None, Statement::Variable(ty, Rc::clone(&own), before)));
                    self.values.push(Expr::Name(own));
                }
                Op::Advance { .. } => self.values.push(Expr::name("")),
                _ => self.value(id.0 as usize),
            }
        }
        let sets = self.advances(turns);
        self.statements.extend(sets.into_iter().map(|set| (None, set)));
        let [start, end] = [start, end].map(|id| {
            let value = self.operand(id, ty);
            self.bounded(id, value)
        });
        let mut body = std::mem::replace(&mut self.statements, outside);
        if let Some(variables) = shared {
            return self.shared_turns(turns, &variables, c::text::ForLoop { ty, name, start, end, by: 1, body });
        }
        let sums = match order {
            Order::Written => Vec::new(),
            Order::Lanes => {
                let place = Expr::Name(Rc::clone(&name)).infix("-", start.clone());
                self.lanes_of(turns, Expr::Grouped(Box::new(place)), &mut body)
            }
        };
        let whole = c::text::ForLoop { ty, name, start, end, by: 1, body };
        let turns = self.in_chunks(turns, whole);
        self.statements.push((None, turns));
        self.statements.extend(sums);
    }

    /// What the turns of a loop read as neighbours is found before them.
    fn expect_runs(&mut self, turns: &Loop) {
        for step in &turns.body {
            match step {
                Step::Loop(inner) => self.expect_runs(inner),
                Step::Value(id) => {
                    if let Some((id, place)) = gathered(&self.node(*id).op)
                        && self.is_run(id, place)
                    {
                        self.expect_run(id, place);
                    }
                }
            }
        }
    }

    /// The variables of a loop in lanes: an array for each, of which a turn takes an element and gives it back. The statements behind
    /// the loop, which sum them up.
    fn lanes_of(&mut self, turns: &Loop, place: Expr, body: &mut Vec<Marked>) -> Vec<Marked> {
        let (lane, int) = (Expr::Name(self.names.claim("lane")), CType::scalar(Type::I32));
        let each = |count: usize, statement: Statement| {
            let Expr::Name(name) = lane.clone() else { return (None, statement) };
            let (start, end, body) = (Expr::number(0), Expr::number(count as i128), vec![(None, statement)]);
            (None, Statement::Turns(Box::new(c::text::ForLoop { ty: int, name, start, end, by: 1, body })))
        };
        let (mut takes, mut sums) = (Vec::new(), Vec::new());
        for variable in &turns.variables {
            let (ty, own) = (self.ty(variable.carried), self.values[variable.carried.0 as usize].clone());
            let array = Expr::Name(self.names.claim("lanes"));
            let at = |lane: Expr| array.clone().at(lane);
            self.statements.push((None, Statement::Arrays(ty, vec![array.clone()], LANES as i32)));
            self.statements.push(each(LANES, Statement::Set(at(lane.clone()), own.clone())));
            let now = at(place.clone().infix("&", Expr::number(LANES as i128 - 1)));
            takes.push((None, Statement::Set(own.clone(), now.clone())));
            body.push((None, Statement::Set(now, own.clone())));
            let mut half = LANES / 2;
            while half > 0 {
                let other = at(lane.clone().plus(half as i32));
                sums.push(each(half, Statement::Set(at(lane.clone()), at(lane.clone()).infix("+", other))));
                half /= 2;
            }
            sums.push((None, Statement::Set(own, at(Expr::number(0)))));
        }
        body.splice(0..0, takes);
        sums
    }

    /// What a turn leaves in the variables: all at once.
    fn advances(&mut self, turns: &Loop) -> Vec<Statement> {
        let is_variable = |id: ValueId| turns.variables.iter().any(|variable| variable.carried == id);
        let (mut kept, mut sets) = (Vec::new(), Vec::new());
        for variable in &turns.variables {
            let ty = self.ty(variable.carried);
            let mut after = self.operand(variable.after, ty);
            if is_variable(variable.after) {
                let name = self.names.claim("left");
                kept.push(Statement::Declare(ty, Rc::clone(&name), after));
                after = Expr::Name(name);
            }
            sets.push(Statement::Set(self.values[variable.carried.0 as usize].clone(), after));
        }
        kept.extend(sets);
        kept
    }
}
