//! Iterators: lazy, as in Rust, over items that are known or computed; every length is known.

use super::items::{Ends, Iter};
use super::value::{Scalar, Value};
use super::{Lower, Stop};
use crate::ir::Type;
use crate::messages;

impl<'a> Lower<'a> {
    /// The next item from the front.
    pub(super) fn next(&mut self, iter: &mut Iter<'a>) -> Result<Option<Value<'a>>, Stop> {
        self.step(1, None)?;
        match iter {
            Iter::Range { ty, next, end } => Ok((next < end).then(|| {
                *next += 1;
                Value::Scalar(Scalar::int(*ty, *next - 1))
            })),
            Iter::AtRunTime(ends) => self.not_here(ends),
            Iter::Elements { array, next, end } => Ok((next < end).then(|| {
                *next += 1;
                array[*next - 1].clone()
            })),
            Iter::Zip(a, b) => {
                let Some(a) = self.next(a)? else { return Ok(None) };
                let Some(b) = self.next(b)? else { return Ok(None) };
                Ok(Some(Value::parts(vec![a, b])))
            }
            Iter::Enumerate(inner, count) => {
                let Some(item) = self.next(inner)? else { return Ok(None) };
                *count += 1;
                Ok(Some(Value::parts(vec![Value::Scalar(Scalar::int(Type::U32, *count - 1)), item])))
            }
            Iter::Rev(inner) => self.next_back(inner),
            Iter::Skip(inner, n) => {
                for _ in 0..std::mem::take(n) {
                    if self.next(inner)?.is_none() {
                        return Ok(None);
                    }
                }
                self.next(inner)
            }
            Iter::Take(_, 0) => Ok(None),
            Iter::Take(inner, n) => {
                *n -= 1;
                self.next(inner)
            }
            Iter::StepBy(inner, step, first) => {
                let over = if std::mem::take(first) { 0 } else { step.saturating_sub(1) };
                for _ in 0..over {
                    if self.next(inner)?.is_none() {
                        return Ok(None);
                    }
                }
                self.next(inner)
            }
            Iter::Map(inner, function, place) => {
                let Some(item) = self.next(inner)? else { return Ok(None) };
                self.call_value(place, function, vec![item]).map(Some)
            }
        }
    }

    /// The next item from the back.
    fn next_back(&mut self, iter: &mut Iter<'a>) -> Result<Option<Value<'a>>, Stop> {
        self.step(1, None)?;
        match iter {
            Iter::Range { ty, next, end } => Ok((next < end).then(|| {
                *end -= 1;
                Value::Scalar(Scalar::int(*ty, *end))
            })),
            Iter::AtRunTime(ends) => self.not_here(ends),
            Iter::Elements { array, next, end } => Ok((next < end).then(|| {
                *end -= 1;
                array[*end].clone()
            })),
            Iter::Zip(a, b) => {
                self.trim(a, b.len())?;
                self.trim(b, a.len())?;
                let Some(a) = self.next_back(a)? else { return Ok(None) };
                let Some(b) = self.next_back(b)? else { return Ok(None) };
                Ok(Some(Value::parts(vec![a, b])))
            }
            Iter::Enumerate(inner, count) => {
                let Some(item) = self.next_back(inner)? else { return Ok(None) };
                let index = *count + inner.len() as i128;
                Ok(Some(Value::parts(vec![Value::Scalar(Scalar::int(Type::U32, index)), item])))
            }
            Iter::Rev(inner) => self.next(inner),
            Iter::Skip(inner, n) => match inner.len() > *n {
                true => self.next_back(inner),
                false => Ok(None),
            },
            Iter::Take(inner, n) => {
                self.trim(inner, *n)?;
                *n = n.saturating_sub(1);
                self.next_back(inner)
            }
            Iter::StepBy(inner, step, first) => {
                let (length, step) = (inner.len(), (*step).max(1));
                let over = if *first { length.saturating_sub(1) % step } else { length % step };
                let keep = length - over;
                self.trim(inner, keep)?;
                self.next_back(inner)
            }
            Iter::Map(inner, function, place) => {
                let Some(item) = self.next_back(inner)? else { return Ok(None) };
                self.call_value(place, function, vec![item]).map(Some)
            }
        }
    }

    /// Only a `for` runs over what is not known.
    fn not_here(&mut self, ends: &Ends<'a>) -> Result<Option<Value<'a>>, Stop> {
        self.report(&messages::LOOP_NOT_CONSTANT, ends.place, &[]);
        Err(Stop)
    }

    /// Drops items at the back until `length` are left.
    fn trim(&mut self, iter: &mut Iter<'a>, length: u64) -> Result<(), Stop> {
        while iter.len() > length {
            self.next_back(iter)?;
        }
        Ok(())
    }
}
