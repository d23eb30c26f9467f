//! The numbers of constants, and what is made of them one by one.

use crate::{
    model::{Constant, Elements},
    operator::{Comparison, Function, Logic, Pair, Reduction, Type},
    slot::{Root, Slot},
};

/// The elements of a constant.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Numbers {
    Ints(Vec<i64>),
    Floats(Vec<f32>),
}

impl Numbers {
    /// Those of a constant that has no more than this many.
    pub fn of(constant: &Constant, most: usize) -> Option<Numbers> {
        match &constant.elements {
            Elements::Ints(ints) if ints.len() <= most => Some(Numbers::Ints(ints.to_vec())),
            Elements::Floats(floats) if floats.len() <= most => Some(Numbers::Floats(floats.to_vec())),
            _ => None,
        }
    }

    pub fn elements(self) -> Elements {
        match self {
            Numbers::Ints(ints) => Elements::Ints(ints.into()),
            Numbers::Floats(floats) => Elements::Floats(floats.into()),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Numbers::Ints(ints) => ints.len(),
            Numbers::Floats(floats) => floats.len(),
        }
    }

    /// The elements at these places.
    pub fn at(&self, mut places: impl Iterator<Item = usize>) -> Option<Numbers> {
        match self {
            Numbers::Ints(ints) => {
                places.try_fold(Vec::new(), |found, at| with(found, ints.get(at))).map(Numbers::Ints)
            }
            Numbers::Floats(floats) => {
                places.try_fold(Vec::new(), |found, at| with(found, floats.get(at))).map(Numbers::Floats)
            }
        }
    }

    /// Those of a tensor as each element of a larger one has them, by NumPy's rule.
    pub fn spread(&self, own: &[usize], extents: &[usize]) -> Option<Numbers> {
        let mut slot = Slot::packed(Root::Constant(0), own).of_rank(extents.len());
        for (d, &extent) in extents.iter().enumerate() {
            if slot.extents[d] != extent {
                (slot.extents[d], slot.strides[d]) = (extent, 0);
            }
        }
        self.at(slot.places())
    }

    pub fn cast(self, to: Type) -> Numbers {
        match (self, to) {
            (Numbers::Ints(ints), Type::Float) => Numbers::Floats(ints.into_iter().map(|int| int as f32).collect()),
            (Numbers::Ints(ints), Type::Integer) => Numbers::Ints(ints),
            (Numbers::Ints(ints), Type::Byte) => Numbers::Ints(ints.into_iter().map(|int| int & 0xff).collect()),
            (Numbers::Ints(ints), Type::Truth) => truths(ints.into_iter().map(|int| int != 0)),
            (Numbers::Floats(floats), Type::Float) => Numbers::Floats(floats),
            (Numbers::Floats(floats), Type::Integer) => Numbers::Ints(floats.into_iter().map(|x| x as i64).collect()),
            (Numbers::Floats(floats), Type::Byte) => {
                Numbers::Ints(floats.into_iter().map(|x| (x as u8).into()).collect())
            }
            (Numbers::Floats(floats), Type::Truth) => truths(floats.into_iter().map(|x| x != 0.0)),
        }
    }

    /// A function whose results are the same however they are computed.
    pub fn map(self, function: Function) -> Option<Numbers> {
        let floats = |floats: Vec<f32>, of: fn(f32) -> f32| Some(Numbers::Floats(floats.into_iter().map(of).collect()));
        match (self, function) {
            (Numbers::Ints(ints), Function::Neg) => {
                Some(Numbers::Ints(ints.into_iter().map(i64::wrapping_neg).collect()))
            }
            (Numbers::Ints(ints), Function::Abs) => {
                Some(Numbers::Ints(ints.into_iter().map(i64::wrapping_abs).collect()))
            }
            (Numbers::Floats(own), Function::Neg) => floats(own, |x| -x),
            (Numbers::Floats(own), Function::Abs) => floats(own, f32::abs),
            (Numbers::Floats(own), Function::Sqrt) => floats(own, f32::sqrt),
            (Numbers::Floats(own), Function::Floor) => floats(own, f32::floor),
            (Numbers::Floats(own), Function::Ceil) => floats(own, f32::ceil),
            (Numbers::Floats(own), Function::Round) => floats(own, f32::round_ties_even),
            _ => None,
        }
    }

    /// Truth values as the others.
    pub fn flipped(self) -> Option<Numbers> {
        match self {
            Numbers::Ints(ints) => Some(truths(ints.into_iter().map(|int| int == 0))),
            Numbers::Floats(_) => None,
        }
    }

    /// Of each pair the first where this is not 0.
    pub fn select(&self, a: &Numbers, b: &Numbers) -> Option<Numbers> {
        fn chosen<T: Copy>(conditions: &[i64], a: &[T], b: &[T]) -> Vec<T> {
            conditions.iter().zip(a.iter().zip(b)).map(|(&is, (&a, &b))| if is != 0 { a } else { b }).collect()
        }
        match (self, a, b) {
            (Numbers::Ints(is), Numbers::Ints(a), Numbers::Ints(b)) => Some(Numbers::Ints(chosen(is, a, b))),
            (Numbers::Ints(is), Numbers::Floats(a), Numbers::Floats(b)) => Some(Numbers::Floats(chosen(is, a, b))),
            _ => None,
        }
    }

    /// These, and others behind them.
    pub fn then(mut self, next: Numbers) -> Option<Numbers> {
        match (&mut self, next) {
            (Numbers::Ints(own), Numbers::Ints(next)) => own.extend(next),
            (Numbers::Floats(own), Numbers::Floats(next)) => own.extend(next),
            _ => return None,
        }
        Some(self)
    }

    /// One number for all.
    pub fn reduced(&self, by: Reduction) -> Option<Numbers> {
        let Numbers::Ints(ints) = self else { return None };
        let all = ints.iter().copied();
        let found = match by {
            Reduction::Sum => all.reduce(i64::wrapping_add),
            Reduction::Product => all.reduce(i64::wrapping_mul),
            Reduction::Greatest => all.max(),
            Reduction::Least => all.min(),
            _ => None,
        };
        Some(Numbers::Ints(vec![found?]))
    }
}

fn with<T: Copy>(mut found: Vec<T>, next: Option<&T>) -> Option<Vec<T>> {
    found.push(*next?);
    Some(found)
}

fn truths(found: impl Iterator<Item = bool>) -> Numbers {
    Numbers::Ints(found.map(i64::from).collect())
}

/// What is made of two numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Binary {
    Add,
    Multiply,
    Pair(Pair),
    Compare(Comparison),
    Logic(Logic),
}

/// One number of each pair; `None` where one has none.
pub(super) fn pairs(a: &Numbers, b: &Numbers, binary: Binary) -> Option<Numbers> {
    match (a, b) {
        (Numbers::Ints(a), Numbers::Ints(b)) => {
            let found = a.iter().zip(b).map(|(&a, &b)| ints(a, b, binary)).collect::<Option<_>>();
            found.map(Numbers::Ints)
        }
        (Numbers::Floats(a), Numbers::Floats(b)) => match binary {
            Binary::Compare(comparison) => Some(truths(a.iter().zip(b).map(|(a, b)| compared(comparison, a, b)))),
            _ => {
                let found = a.iter().zip(b).map(|(&a, &b)| floats(a, b, binary)).collect::<Option<_>>();
                found.map(Numbers::Floats)
            }
        },
        _ => None,
    }
}

fn ints(a: i64, b: i64, binary: Binary) -> Option<i64> {
    match binary {
        Binary::Add => Some(a.wrapping_add(b)),
        Binary::Multiply => Some(a.wrapping_mul(b)),
        Binary::Pair(Pair::Subtract) => Some(a.wrapping_sub(b)),
        Binary::Pair(Pair::Divide) => a.checked_div(b),
        Binary::Pair(Pair::Minimum) => Some(a.min(b)),
        Binary::Pair(Pair::Maximum) => Some(a.max(b)),
        Binary::Pair(Pair::Power | Pair::Prelu) => None,
        Binary::Compare(comparison) => Some(compared(comparison, &a, &b).into()),
        Binary::Logic(Logic::And) => Some((a != 0 && b != 0).into()),
        Binary::Logic(Logic::Or) => Some((a != 0 || b != 0).into()),
        Binary::Logic(Logic::Xor) => Some(((a != 0) != (b != 0)).into()),
    }
}

fn floats(a: f32, b: f32, binary: Binary) -> Option<f32> {
    match binary {
        Binary::Add => Some(a + b),
        Binary::Multiply => Some(a * b),
        Binary::Pair(Pair::Subtract) => Some(a - b),
        Binary::Pair(Pair::Divide) => Some(a / b),
        _ => None,
    }
}

fn compared<T: PartialOrd>(comparison: Comparison, a: &T, b: &T) -> bool {
    match comparison {
        Comparison::Equal => a == b,
        Comparison::Greater => a > b,
        Comparison::GreaterOrEqual => a >= b,
        Comparison::Less => a < b,
        Comparison::LessOrEqual => a <= b,
    }
}
