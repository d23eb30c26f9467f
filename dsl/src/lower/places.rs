//! Assignment: to variables, elements, parts, and tuples of these.

use super::value::{Scalar, Source, Value};
use super::{Lower, Stop};
use crate::infer::Resolution;
use crate::ir::*;
use crate::messages;
use crate::syntax::*;
use std::rc::Rc;

/// A step from a variable to a part of it.
enum Part {
    /// This part.
    Known(usize),
    /// The element that a value says.
    Index(ValueId),
}

impl<'a> Lower<'a> {
    /// `place = value`.
    pub(super) fn assign(&mut self, place: &'a Expr, value: Value<'a>) -> Result<(), Stop> {
        match &place.kind {
            ExprKind::Underscore => Ok(()),
            ExprKind::Paren(inner) => self.assign(inner, value),
            ExprKind::Tuple(places) | ExprKind::Array(places) => {
                let Value::Parts(parts) = value else { return Err(Stop) };
                for (place, part) in places.iter().zip(parts.iter()) {
                    self.assign(place, part.clone())?;
                }
                Ok(())
            }
            _ => self.assign_part(place, value),
        }
    }

    fn assign_part(&mut self, place: &'a Expr, value: Value<'a>) -> Result<(), Stop> {
        let mut path = Vec::new();
        let Some(local) = self.path_to(place, &mut path)? else { return Ok(()) };
        let declared = &self.unit.locals[local.0 as usize];
        if !declared.mutable && (self.locals[local.0 as usize].is_some() || !path.is_empty()) {
            self.report(&messages::IMMUTABLE, place, &[&declared.name.to_string()]);
        }
        let name = self.label(local, &path);
        self.name_value(&value, &name, self.type_of(local).filter(|_| path.is_empty()));
        if path.is_empty() {
            self.locals[local.0 as usize] = Some(value);
            return Ok(());
        }
        let Some(mut whole) = self.locals[local.0 as usize].take() else {
            self.report(&messages::UNINITIALISED, place, &[&declared.name.to_string()]);
            return Err(Stop);
        };
        self.replace(&mut whole, &path, &value, place)?;
        self.locals[local.0 as usize] = Some(whole);
        Ok(())
    }

    /// A variable's name with the numbers of a part of it.
    fn label(&mut self, local: LocalId, path: &[Part]) -> Name {
        let number = |part: &Part| match part {
            Part::Known(index) => format!("[{index}]"),
            Part::Index(_) => "[i]".to_owned(),
        };
        match path {
            [] => self.name_of(local),
            [Part::Known(index)] => self.name_of_element(local, *index),
            path => format!("{}{}", self.name_of(local), path.iter().map(number).collect::<String>()).into(),
        }
    }

    /// The variable that a place is a part of, and the way to the part; `None` where an index is out of reach.
    fn path_to(&mut self, place: &'a Expr, path: &mut Vec<Part>) -> Result<Option<LocalId>, Stop> {
        match &place.kind {
            ExprKind::Path(_) => match self.types.resolutions.get(place.id) {
                Some(Resolution::Local(local)) => Ok(Some(*local)),
                Some(_) | None => Err(Stop),
            },
            ExprKind::Paren(inner) => self.path_to(inner, path),
            ExprKind::Field(base, syn::Member::Unnamed(index)) => {
                let local = self.path_to(base, path)?;
                path.push(Part::Known(index.index as usize));
                Ok(local)
            }
            ExprKind::Index(base, index) => {
                let local = self.path_to(base, path)?;
                let length = match self.types.of(base) {
                    crate::infer::types::Ty::Array(_, n) => *n,
                    _ => return Err(Stop),
                };
                let scalar = self.scalar(index)?;
                match self.element(scalar, length, index) {
                    Some(part) => path.push(part),
                    None => return Ok(None),
                }
                Ok(local)
            }
            _ => Err(Stop),
        }
    }

    /// Which element an index says; a demand where that is not known to exist, and `None` where it certainly doesn't.
    fn element(&mut self, index: Scalar, length: u64, place: &'a Expr) -> Option<Part> {
        if let Some(known) = index.as_int()
            && known >= 0
            && (known as u64) < length
        {
            return Some(Part::Known(known as usize));
        }
        let id = self.materialise(index, place.start);
        self.demand(Demand::Index { index: id, length }, place);
        match index.source {
            Source::Known(_) => None,
            Source::Node(_) => Some(Part::Index(id)),
        }
    }

    fn replace(
        &mut self,
        whole: &mut Value<'a>,
        path: &[Part],
        value: &Value<'a>,
        place: &'a Expr,
    ) -> Result<(), Stop> {
        let [first, rest @ ..] = path else {
            *whole = value.clone();
            return Ok(());
        };
        let Value::Parts(parts) = whole else { return Err(Stop) };
        let shared = Rc::strong_count(parts) > 1;
        self.step(1 + if shared { parts.len() as u64 / 8 } else { 0 }, Some(place))?;
        let parts = Rc::make_mut(parts);
        match first {
            Part::Known(index) => match parts.get_mut(*index) {
                Some(part) => self.replace(part, rest, value, place),
                None => Err(Stop),
            },
            Part::Index(index) => {
                for (position, part) in parts.iter_mut().enumerate() {
                    let mut changed = part.clone();
                    self.replace(&mut changed, rest, value, place)?;
                    let here = self.is_index(*index, position, place);
                    *part = self.select(here, &changed, part, place)?;
                }
                Ok(())
            }
        }
    }

    /// Whether a run-time index is this one.
    fn is_index(&mut self, index: ValueId, position: usize, place: &'a Expr) -> ValueId {
        let ty = self.body.node(index).ty;
        let index = Scalar { ty, source: Source::Node(index) };
        let here = self.binary_op(BinaryOp::Eq, index, Scalar::int(ty, position as i128), place.start);
        self.materialise(here, place.start)
    }

    /// `base[index]` of an array.
    pub(super) fn read_element(
        &mut self,
        parts: &Rc<Vec<Value<'a>>>,
        index: Scalar,
        place: &'a Expr,
    ) -> Result<Value<'a>, Stop> {
        match self.element(index, parts.len() as u64, place) {
            Some(Part::Known(known)) => parts.get(known).cloned().ok_or(Stop),
            Some(Part::Index(id)) => {
                let Some((last, others)) = parts.split_last() else { return self.no_element(place) };
                let mut value = last.clone();
                for (position, other) in others.iter().enumerate().rev() {
                    let here = self.is_index(id, position, place);
                    value = self.select(here, other, &value, place)?;
                }
                Ok(value)
            }
            None => match parts.first() {
                Some(first) => Ok(first.clone()),
                None => self.no_element(place),
            },
        }
    }

    fn no_element(&mut self, place: &'a Expr) -> Result<Value<'a>, Stop> {
        self.report(&messages::NOT_INDEXABLE, place, &["an empty array"]);
        Err(Stop)
    }
}
