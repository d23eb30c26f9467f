//! Rows that work-groups compute: the loops that a row's work-items share, and the loop over its elements.

use super::writer::BlockWriter;
use crate::opencl::c::prelude::Helper;
use crate::opencl::c::text::{Expr, ForLoop, Marked, Statement};
use crate::opencl::c::types::CType;
use crate::reductions::{Combined, keeps_equals};
use std::rc::Rc;
use windrow_dsl::ir::loops::{LANES, Loop, Step, steps};
use windrow_dsl::ir::{AxisId, BinaryOp, Constant, Type, ValueId};

impl BlockWriter<'_> {
    /// Adds the statements of a row: what is the same for all of its elements, and the loop over those.
    pub fn row_of_group(&mut self) -> Vec<Marked> {
        let Some(group) = &self.row_group else { return Vec::new() };
        let (int, lanes) = (CType::scalar(Type::I32), Expr::number(LANES as i128));
        let (lane, item, column) = (Rc::clone(&group.lane), Rc::clone(&group.item), Rc::clone(&group.column));
        let local = |dimension: i128| Expr::call("get_local_id", [Expr::number(dimension)]).cast(int);
        let place = lanes.infix("*", local(1)).infix("+", Expr::Name(Rc::clone(&lane)));
        self.statements.push((None, Statement::Declare(int, lane, local(0))));
        self.statements.push((None, Statement::Declare(int, item, place)));
        let list = steps(&self.nested.nodes);
        let is_of_element = |step: &Step| matches!(step, Step::Value(id) if self.axes_of(*id).has(AxisId::X));
        let first = list.iter().position(is_of_element).unwrap_or(list.len());
        self.steps(&list[..first]);
        let mut whole = std::mem::take(&mut self.statements);
        self.steps(&list[first..]);
        self.stores();
        let body = std::mem::take(&mut self.statements);
        let (start, end) = (Expr::name("block_x"), Expr::name("last_x").plus(1));
        let elements = ForLoop { ty: int, name: column, start, end, by: LANES as u32, body };
        whole.push((None, Statement::Turns(Box::new(elements))));
        whole
    }

    /// The column of the element that is computed, in a block function of rows.
    pub fn column_of_row(&self) -> Option<Expr> {
        self.row_group.as_ref().map(|group| Expr::Name(Rc::clone(&group.column)))
    }

    /// The variables of a loop whose turns the work-items of a row share.
    pub fn shared(&self, turn: ValueId) -> Option<Vec<Combined>> {
        self.row_group.as_ref()?.shared.get(&turn).cloned()
    }

    /// What a variable of such a loop begins with: what is there before it, or nothing where that would count for each work-item.
    pub fn begins_with(&self, variable: &Combined, ty: CType) -> Expr {
        match counts_once(variable, ty) {
            true => Expr::constant(Constant::Int(0), ty.ty),
            false => self.operand(variable.before, ty),
        }
    }

    /// The turns of such a loop that the work-item takes, and what all of the row's find together.
    pub fn shared_turns(&mut self, turns: &Loop, variables: &[Combined], whole: ForLoop) {
        let Some(lane) = self.row_group.as_ref().map(|group| Expr::Name(Rc::clone(&group.lane))) else { return };
        let whole = ForLoop { start: whole.start.infix("+", lane), by: LANES as u32, ..whole };
        self.statements.push((None, Statement::Turns(Box::new(whole))));
        for own in &turns.variables {
            if let Some(combined) = variables.iter().find(|combined| combined.carried == own.carried) {
                self.combine_lanes(combined);
            }
        }
    }

    /// Combines a variable of the work-items of a row: each of the lower half with the one as far into the upper half, and so on.
    fn combine_lanes(&mut self, variable: &Combined) {
        let ty = self.ty(variable.carried);
        let Some(group) = &self.row_group else { return };
        let Some(array) = group.arrays.iter().find(|array| array.ty == ty) else { return };
        let name = |name: &Rc<str>| Expr::Name(Rc::clone(name));
        let (array, lane, item) = (name(&array.name), name(&group.lane), name(&group.item));
        let [level, apart] = ["level", "apart"].map(|name| self.names.claim(name));
        let (own, int) = (self.values[variable.carried.0 as usize].clone(), CType::scalar(Type::I32));
        let barrier = || (None, Statement::Do(Expr::call("barrier", [Expr::name("CLK_LOCAL_MEM_FENCE")])));
        self.statements.push((None, Statement::Set(array.clone().at(item.clone()), own.clone())));
        self.statements.push(barrier());

        let upper = array.clone().at(item.clone().infix("+", name(&apart)));
        let both = self.combination(variable.op, [array.clone().at(item.clone()), upper], ty);
        let sets = vec![(None, Statement::Set(array.clone().at(item.clone()), both))];
        let halved = Expr::number(LANES as i128 / 2).infix(">>", name(&level));
        let body = vec![
            (None, Statement::Declare(int, Rc::clone(&apart), halved)),
            (None, Statement::If(lane.clone().infix("<", name(&apart)), sets)),
            barrier(),
        ];
        let (start, end) = (Expr::number(0), Expr::number(i128::from(LANES.ilog2())));
        self.statements
            .push((None, Statement::Turns(Box::new(ForLoop { ty: int, name: level, start, end, by: 1, body }))));
        let mut all = array.at(item.infix("-", lane));
        if counts_once(variable, ty) {
            let before = self.operand(variable.before, ty);
            all = self.combination(variable.op, [before, all], ty);
        }
        self.statements.push((None, Statement::Set(own, all)));
        self.statements.push(barrier());
    }

    /// An operation of a reduction on two values; sums of integers wrap.
    fn combination(&mut self, op: BinaryOp, [a, b]: [Expr; 2], ty: CType) -> Expr {
        match op {
            BinaryOp::Min if ty.ty.is_float() => self.prelude.call(Helper::Minimum, ty, [a, b]),
            BinaryOp::Max if ty.ty.is_float() => self.prelude.call(Helper::Maximum, ty, [a, b]),
            BinaryOp::Min => Expr::call("min", [a, b]),
            BinaryOp::Max => Expr::call("max", [a, b]),
            BinaryOp::And => a.infix("&", b).cast(ty),
            BinaryOp::Or => a.infix("|", b).cast(ty),
            BinaryOp::Xor => a.infix("^", b).cast(ty),
            _ if ty.ty.is_float() => a.infix("+", b),
            _ => a.cast(ty.unsigned()).infix("+", b.cast(ty.unsigned())).cast(ty),
        }
    }
}

/// Whether what is in a variable before its loop may count for one work-item alone.
fn counts_once(variable: &Combined, ty: CType) -> bool {
    !keeps_equals(variable.op) && !ty.ty.is_float()
}
