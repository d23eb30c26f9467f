//! Blocks, statements and the items inside them.

use super::types::Ty;
use super::{Enum, Infer, Scope, Signature};
use crate::messages;
use crate::syntax::*;

impl Infer<'_> {
    /// Makes items known: their types first, then what is in them.
    pub(super) fn declare_items(&mut self, items: &[ItemId]) {
        for id in items {
            if let ItemKind::Enum { values } = &self.unit.item(*id).kind {
                let values = values.iter().map(ToString::to_string).collect();
                self.types.enums.push(Enum { name: self.unit.item(*id).name.to_string(), values });
            }
        }
        for id in items {
            self.declare_item(*id);
        }
        for id in items {
            self.infer_item(*id);
        }
    }

    fn declare_item(&mut self, id: ItemId) {
        match &self.unit.item(id).kind {
            ItemKind::Const { ty, .. } => {
                let ty = self.written(ty);
                self.types.items.insert(id, ty);
            }
            ItemKind::Function(function) => {
                let parameters = function.parameters.iter().map(|(_, ty)| self.written(ty)).collect();
                let result = function.output.as_ref().map_or(Ty::UNIT, |ty| self.written(ty));
                self.types.functions.insert(id, Signature { parameters, result });
            }
            ItemKind::Alias { ty } => {
                self.written(ty);
            }
            ItemKind::Enum { .. } => {}
        }
    }

    fn infer_item(&mut self, id: ItemId) {
        self.scopes.push(Scope { names: Vec::new(), items: Vec::new(), barrier: true });
        match &self.unit.item(id).kind {
            ItemKind::Const { value, .. } => {
                let ty = self.types.items[&id].clone();
                self.body(|infer| infer.against(value, &ty));
            }
            ItemKind::Function(function) => {
                let signature = self.types.functions[&id].clone();
                for ((pattern, _), ty) in function.parameters.iter().zip(&signature.parameters) {
                    self.bind(pattern, ty);
                }
                self.body(|infer| infer.block_against(&function.body, &signature.result));
            }
            ItemKind::Enum { .. } | ItemKind::Alias { .. } => {}
        }
        self.scopes.pop();
    }

    /// A block whose value must have this type.
    pub(super) fn block_against(&mut self, block: &CodeBlock, expected: &Ty) {
        self.in_block(block, |infer| match &block.tail {
            Some(tail) => infer.against(tail, expected),
            None => infer.no_value(block, expected),
        });
    }

    /// A block without a last expression, where a value of this type may be wanted.
    fn no_value(&mut self, block: &CodeBlock, expected: &Ty) {
        if let Some(Statement::Expr(value, Some(semicolon))) = block.statements.last()
            && let Some(found) = self.types.expressions.get(value.id.0 as usize).cloned()
            && !self.unifier.unify(&Ty::UNIT, expected)
            && self.unifier.unify(&found, expected)
        {
            let (expected, found) = (self.show(expected), self.show(&Ty::UNIT));
            let refused = messages::MISMATCH.at(semicolon.spans[0], &[&expected, &found]);
            return self.report(refused.helped("remove the `;`: what stands before it is the value"));
        }
        self.same(block.end, expected, &Ty::UNIT)
    }

    /// The type of a block's value.
    pub(super) fn block(&mut self, block: &CodeBlock, hint: Option<&Ty>) -> Ty {
        self.in_block(block, |infer| match &block.tail {
            Some(tail) => infer.expr(tail, hint),
            None => Ty::UNIT,
        })
    }

    fn in_block<R>(&mut self, block: &CodeBlock, tail: impl FnOnce(&mut Self) -> R) -> R {
        self.scopes.push(Scope { names: Vec::new(), items: block.items.clone(), barrier: false });
        self.declare_items(&block.items);
        for statement in &block.statements {
            self.statement(statement);
        }
        let result = tail(self);
        self.scopes.pop();
        result
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Let { pattern, ty, value } => {
                let ty = match ty {
                    Some(ty) => self.written(ty),
                    None => self.fresh(),
                };
                if let Some(value) = value {
                    self.against(value, &ty);
                }
                self.bind(pattern, &ty);
            }
            Statement::Expr(value, semicolon) => {
                let found = self.expr(value, None);
                if semicolon.is_none() {
                    self.same(value, &Ty::UNIT, &found);
                }
            }
        }
    }

    /// The condition of an `if`, or the guard of an arm.
    pub(super) fn condition(&mut self, condition: &Expr) {
        let found = self.expr(condition, Some(&Ty::BOOL));
        if !self.unifier.unify(&Ty::BOOL, &found) {
            let found = self.show(&found);
            self.report(messages::CONDITION.at(condition, &[&found]));
        }
    }
}
