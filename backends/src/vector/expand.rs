//! Follows a row of [`super::expansions`] where a machine has no instruction: a vector at a time.

use super::expansions::{self, Operation, Stage, Tree};
use super::program::{Lane, VectorId};
use super::selection::Select;
use super::target::Target;
use windrow_dsl::ir::{BinaryOp, Type, UnaryOp};

impl<T: Target> Select<'_, T> {
    /// An operation on values of type `ty` by its row; none where it has no row, or a part of the row has no instructions.
    pub fn expanded(&mut self, operation: Operation, ty: Type, letters: [VectorId; 3]) -> Option<VectorId> {
        self.expand(expansions::of(operation, ty, Stage::Instructions)?, ty, ty, letters)
    }

    /// What an operation on values of type `of` is in terms of others; a part of it, on values of type `ty`.
    fn expand(&mut self, tree: &Tree, of: Type, ty: Type, letters: [VectorId; 3]) -> Option<VectorId> {
        let lane = Lane::of(ty);
        let mut at = |tree: &Tree| self.expand(tree, of, ty, letters);
        Some(match *tree {
            Tree::X => letters[0],
            Tree::Y => letters[1],
            Tree::Z => letters[2],
            Tree::Int(value) => T::constant(self, value, lane),
            Tree::Least => self.splat_int(of.limits().0, Lane::of(of)),
            Tree::Greatest => self.splat_int(of.limits().1, Lane::of(of)),
            Tree::Unary(op, a) => {
                let a = at(a)?;
                return T::unary_vector(self, op, ty, a);
            }
            Tree::Binary(op @ (BinaryOp::Shr | BinaryOp::Shl(_)), a, Tree::Int(by)) => {
                let a = at(a)?;
                T::shift_vector(self, op, lane, a, *by as u32)
            }
            Tree::Binary(BinaryOp::And, Tree::Unary(UnaryOp::Not, a), b) => {
                let (a, b) = (at(a)?, at(b)?);
                T::and_not(self, lane, a, b)
            }
            Tree::Binary(op, a, b) => {
                let (a, b) = (at(a)?, at(b)?);
                return T::binary_vector(self, op, ty, a, b);
            }
            Tree::Unsigned(a) => return self.expand(a, of, ty.unsigned(), letters),
            Tree::Compare(op, a, b) => {
                let (a, b) = (at(a)?, at(b)?);
                T::compare_vectors(self, op, ty, a, b)
            }
            Tree::Choose(mask, then, otherwise) => {
                let (mask, then, otherwise) = (at(mask)?, at(then)?, at(otherwise)?);
                self.call(lane, self.target.choose_by_vector(lane, mask, then, otherwise))
            }
            Tree::LowProduct(a, b) => {
                let (a, b) = (at(a)?, at(b)?);
                T::low_products(self, a, b)
            }
            Tree::BySign(condition, then, otherwise) => {
                let (condition, then, otherwise) = (at(condition)?, at(then)?, at(otherwise)?);
                let mask = T::shift_vector(self, BinaryOp::Shr, lane.signed(), condition, lane.bits() - 1);
                let lane = self.program.lane(then);
                self.call(lane, self.target.choose_by_vector(lane, mask, then, otherwise))
            }
            Tree::Let(bound, then) => {
                let bound = at(bound)?;
                return self.expand(then, of, ty, [letters[0], letters[1], bound]);
            }
            // Conversions are in rows of bodies alone.
            Tree::Cast(..) | Tree::Back(_) => return None,
        })
    }
}
