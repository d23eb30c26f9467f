//! The types that an author wrote.

use super::Infer;
use super::types::Ty;
use crate::ir::Type;
use crate::messages::{self, Tokens};
use crate::syntax::*;
use windrow_reference::limits::MAX_DIMENSIONS;

impl Infer<'_> {
    /// The type that an author wrote.
    pub(super) fn written(&mut self, ty: &TypeExpr) -> Ty {
        match &ty.kind {
            TypeKind::Name(name) => self.type_named(name).unwrap_or(Ty::Error),
            TypeKind::Array(element, length) => {
                let element = self.written(element);
                match self.length(length) {
                    Some(n) => self.sized(Tokens(&ty.source), Ty::Array(Box::new(element), n)),
                    None => Ty::Error,
                }
            }
            TypeKind::Tuple(parts) => Ty::Tuple(parts.iter().map(|part| self.written(part)).collect()),
            TypeKind::Neighbourhood(pixel) => Ty::Neighbourhood(Box::new(self.written(pixel))),
            TypeKind::View(pixel, rank) => self.written_view(ty, pixel, rank.as_deref()),
            TypeKind::At(dimensions) => self.written_place(ty, dimensions),
            TypeKind::Table(element, length) => self.written_table(element, length),
            TypeKind::Infer => self.fresh(),
        }
    }

    /// `View<T>`, or `View<T, 4>`.
    fn written_view(&mut self, ty: &TypeExpr, pixel: &TypeExpr, dimensions: Option<&syn::Expr>) -> Ty {
        let pixel = self.written(pixel);
        let Some(dimensions) = dimensions else { return Ty::View(Box::new(pixel), None) };
        match self.rank(ty, dimensions) {
            Some(rank) => Ty::View(Box::new(pixel), Some(rank)),
            None => Ty::Error,
        }
    }

    /// `At<2>`: an index for each dimension.
    fn written_place(&mut self, ty: &TypeExpr, dimensions: &syn::Expr) -> Ty {
        self.rank(ty, dimensions).map_or(Ty::Error, |rank| Ty::place(Some(rank)))
    }

    /// A number of dimensions that a tensor may have.
    fn rank(&mut self, ty: &TypeExpr, dimensions: &syn::Expr) -> Option<u32> {
        let found = self.length(dimensions)?;
        let rank = u32::try_from(found).ok().filter(|rank| (1..=MAX_DIMENSIONS as u32).contains(rank));
        if rank.is_none() {
            self.wrong(messages::PLACE_RANK.at(ty, &[&found.to_string()]));
        }
        rank
    }

    fn written_table(&mut self, element: &TypeExpr, length: &syn::Expr) -> Ty {
        let entry = self.written(element);
        let Some(n) = self.length(length) else { return Ty::Error };
        match entry {
            Ty::Scalar(entry) if entry != Type::BOOL && (1..=65_536).contains(&n) => Ty::Table(entry, n as u32),
            Ty::Scalar(entry) if entry != Type::BOOL => {
                self.wrong(messages::TABLE_SIZE.at(Tokens(length), &[&n.to_string()]))
            }
            Ty::Error => Ty::Error,
            other => {
                let found = self.show(&other);
                self.wrong(messages::INPUT_TYPE.at(element, &[&found]))
            }
        }
    }
}
