//! Places in tensors as affine expressions over the axes of the element.
//!
//! An access says where a body reads, in every dimension of its tensor. What other compilers give names of their own is
//! read off: a stride is a coefficient, a broadcast a term that is missing, a transposition terms that are exchanged, and a
//! neighbourhood the hull of the constants.

use super::{AxisId, InputId, Op};
use std::fmt;
use std::rc::Rc;

/// A sum of axes, each times its coefficient, and a constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Affine {
    /// What it is where all axes are 0.
    pub constant: i64,
    terms: Terms,
}

/// An axis and its coefficient, which is not 0.
pub type Term = (AxisId, i64);

/// Terms by axis; most expressions have one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Terms {
    One([Term; 1]),
    Others(Rc<[Term]>),
}

impl Affine {
    /// The sum of these terms and a constant. Terms of one axis are added.
    pub fn new(terms: &[Term], constant: i64) -> Self {
        let mut sums: Vec<Term> = Vec::with_capacity(terms.len());
        for &(axis, coefficient) in terms {
            match sums.iter_mut().find(|(known, _)| *known == axis) {
                Some((_, sum)) => *sum += coefficient,
                None => sums.push((axis, coefficient)),
            }
        }
        sums.retain(|&(_, coefficient)| coefficient != 0);
        sums.sort_unstable();
        let terms = match sums.as_slice() {
            &[term] => Terms::One([term]),
            _ => Terms::Others(sums.into()),
        };
        Self { constant, terms }
    }

    /// One axis times a coefficient.
    pub fn axis(axis: AxisId, coefficient: i64) -> Self {
        if coefficient == 0 {
            Self::new(&[], 0)
        } else {
            Self { constant: 0, terms: Terms::One([(axis, coefficient)]) }
        }
    }

    /// The terms, by axis.
    pub fn terms(&self) -> &[Term] {
        match &self.terms {
            Terms::One(term) => term,
            Terms::Others(terms) => terms,
        }
    }

    /// The coefficient of an axis: 0 where it does not vary along it.
    pub fn coefficient(&self, axis: AxisId) -> i64 {
        match &self.terms {
            Terms::One([(own, coefficient)]) => {
                if own.0 == axis.0 {
                    *coefficient
                } else {
                    0
                }
            }
            Terms::Others(terms) => {
                terms.iter().find(|(own, _)| *own == axis).map_or(0, |&(_, coefficient)| coefficient)
            }
        }
    }

    /// Its value where the axes are `at`.
    pub fn value(&self, at: impl Fn(AxisId) -> i64) -> i64 {
        self.terms().iter().map(|&(axis, coefficient)| coefficient * at(axis)).sum::<i64>() + self.constant
    }

    /// The same terms and a greater constant.
    pub fn plus(&self, by: i64) -> Self {
        Self { constant: self.constant + by, terms: self.terms.clone() }
    }
}

impl fmt::Display for Affine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, &(axis, coefficient)) in self.terms().iter().enumerate() {
            let sign = match (place, coefficient < 0) {
                (0, true) => "-",
                (0, false) => "",
                (_, true) => " - ",
                (_, false) => " + ",
            };
            let factor = coefficient.unsigned_abs();
            let factor = if factor == 1 { String::new() } else { format!("{factor}·") };
            write!(out, "{sign}{factor}{axis}")?;
        }
        match (self.terms().is_empty(), self.constant) {
            (true, constant) => write!(out, "{constant}"),
            (false, 0) => Ok(()),
            (false, constant) if constant < 0 => write!(out, " - {}", constant.unsigned_abs()),
            (false, constant) => write!(out, " + {constant}"),
        }
    }
}

/// An element of a tensor, an input or an output: which one, and where. Copies share the place, which never changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Access<T = InputId> {
    /// Which tensor.
    pub tensor: T,
    /// Which channel of an interleaved pixel; 0 otherwise.
    pub channel: u32,
    at: Rc<[Affine]>,
}

impl<T: Copy> Access<T> {
    /// An element at a place: one expression a dimension, outermost first.
    pub fn new(tensor: T, channel: u32, at: impl Into<Rc<[Affine]>>) -> Self {
        Self { tensor, channel, at: at.into() }
    }

    /// An element beside a place: by so much in each dimension, outermost first.
    pub fn beside(tensor: T, channel: u32, place: &[Affine], by: &[i64]) -> Self {
        debug_assert_eq!(place.len(), by.len(), "one offset a dimension");
        Self::new(tensor, channel, place.iter().zip(by).map(|(own, &by)| own.plus(by)).collect::<Rc<[_]>>())
    }

    /// The place: one expression a dimension, outermost first.
    pub fn at(&self) -> &[Affine] {
        &self.at
    }

    /// The same seen from an element that is `by` further along each of these axes.
    pub fn moved(&self, by: &[Term]) -> Self {
        let mut moved = self.clone();
        for &(axis, by) in by {
            if by != 0 {
                for place in Rc::make_mut(&mut moved.at) {
                    place.constant += by * place.coefficient(axis);
                }
            }
        }
        moved
    }

    /// How many steps along an axis lead to the place, rounded down, where each counts `by` of the axis: [`Self::moved`]
    /// back by them, places that lie such steps apart are equal. None where the place does not vary along the axis.
    pub fn steps(&self, axis: AxisId, by: i64) -> Option<i64> {
        let varying = self.at.iter().map(|own| (own.constant, own.coefficient(axis))).find(|&(_, factor)| factor != 0);
        varying.map(|(constant, factor)| constant.div_euclid(factor * by))
    }

    /// How many rows and columns of an image it lies behind the element's place: none where its tensor is not addressed row
    /// by row, the columns along the element's row.
    pub fn row_and_column(&self) -> Option<[i32; 2]> {
        let [row, column] = &*self.at else { return None };
        let (Terms::One([(AxisId::Y, down)]), Terms::One([(AxisId::X, right)])) = (&row.terms, &column.terms) else {
            return None;
        };
        let found = [row.constant as i32, column.constant as i32];
        let fits = found.map(i64::from) == [row.constant, column.constant];
        let is_stride = |coefficient: i64| 0 < coefficient && coefficient <= i64::from(u32::MAX);
        (fits && is_stride(*down) && is_stride(*right)).then_some(found)
    }
}

impl Access {
    /// Where it lies in the rows of an image, if it lies there.
    pub fn tap(&self) -> Option<Tap> {
        let [dy, dx] = self.row_and_column()?;
        Some(Tap { input: self.tensor, channel: self.channel, dx, dy })
    }
}

/// An element of an image near the one that belongs to the current element of the output: an access as emitters of rows
/// address it. How far apart the columns and rows of neighbouring elements are is the input's ([`super::Input::stride`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tap {
    /// Which input.
    pub input: InputId,
    /// Which channel of an interleaved pixel; 0 otherwise.
    pub channel: u32,
    /// Offset in elements of the input along the row.
    pub dx: i32,
    /// Offset in rows of the input.
    pub dy: i32,
}

impl Tap {
    /// The element of an image without strides.
    pub fn access(self) -> Access {
        Access::beside(self.input, self.channel, &image_place((1, 1)), &[self.dy.into(), self.dx.into()])
    }

    /// What reads it.
    pub fn op(self) -> Op {
        Op::Load(self.access())
    }
}

/// Where the element stands in an image of these strides, (x, y).
pub fn image_place((x, y): (u32, u32)) -> [Affine; 2] {
    [Affine::axis(AxisId::Y, y.into()), Affine::axis(AxisId::X, x.into())]
}

impl Op {
    /// Where in the rows of an image it reads, if it reads one so.
    pub fn tap(&self) -> Option<Tap> {
        if let Self::Load(access) = self { access.tap() } else { None }
    }

    /// The same operation on the same operands, for an element that is `by` further along each of these axes.
    pub fn moved(self, by: &[Term]) -> Self {
        match self {
            Self::Load(access) => Self::Load(access.moved(by)),
            Self::Coordinate { axis, offset } => {
                // A step moves as its first lane does.
                let moves = |own: AxisId| own == axis || own == AxisId::X && axis == AxisId::STEP;
                let by = by.iter().filter(|(own, _)| moves(*own)).map(|&(_, by)| by as i32);
                Self::Coordinate { axis, offset: offset + by.sum::<i32>() }
            }
            Self::Local { value, axis, offset } => {
                let by = by.iter().filter(|(own, _)| *own == axis).map(|&(_, by)| by as i32);
                Self::Local { value, axis, offset: offset + by.sum::<i32>() }
            }
            Self::Constant(_)
            | Self::Uniform { .. }
            | Self::Derived { .. }
            | Self::Lookup { .. }
            | Self::Extent { .. }
            | Self::Stride { .. }
            | Self::Plane { .. }
            | Self::Gather { .. }
            | Self::Fetch { .. }
            | Self::Contiguous { .. }
            | Self::Across { .. }
            | Self::Unary(..)
            | Self::Binary(..)
            | Self::MulAdd(..)
            | Self::Select { .. }
            | Self::Cast(..)
            | Self::Turn { .. }
            | Self::Carried { .. }
            | Self::Advance { .. }
            | Self::Outcome { .. } => self,
        }
    }

    /// What it reads near its element, in which input.
    pub fn load(&self) -> Option<&Access> {
        if let Self::Load(access) = self { Some(access) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SRC: InputId = InputId(0);

    #[test]
    fn terms_are_in_one_order_and_none_is_zero() {
        let (x, y) = (AxisId::X, AxisId::Y);
        assert_eq!(Affine::new(&[(x, 2), (y, 3)], 1), Affine::new(&[(y, 3), (x, 1), (x, 1)], 1));
        let constant = Affine::new(&[(x, 2), (x, -2)], 7);
        assert_eq!((constant.terms(), constant.coefficient(x)), (&[][..], 0));
        let shown = [Affine::new(&[(x, 2), (y, -1)], -3), constant, Affine::axis(y, -4).plus(5)];
        assert_eq!(shown.map(|one| one.to_string()), ["-y + 2·x - 3", "7", "-4·y + 5"]);
    }

    #[test]
    fn an_access_moves_by_its_coefficients() {
        let near = Access::beside(SRC, 1, &image_place((2, 3)), &[-1, 1]);
        assert_eq!(near.tap(), Some(Tap { input: SRC, channel: 1, dx: 1, dy: -1 }));
        let far = near.moved(&[(AxisId::X, 16), (AxisId::Y, 2)]);
        assert_eq!(far.tap(), Some(Tap { input: SRC, channel: 1, dx: 33, dy: 5 }));
        assert_eq!(
            (far.steps(AxisId::X, 1), far.steps(AxisId::Y, 1), far.steps(AxisId::Y, 2)),
            (Some(16), Some(1), Some(0))
        );
        assert_eq!(near.steps(AxisId::Y, 1), Some(-1));
        let places =
            [&near, &far].map(|own| own.moved(&[(AxisId::X, -own.steps(AxisId::X, 1).unwrap_or(0))]).at()[1].constant);
        assert_eq!(places, [1, 1]);
    }

    #[test]
    fn what_rows_do_not_hold_is_not_a_tap() {
        let [y, x] = image_place((1, 1));
        let broadcast = Access::new(SRC, 0, [Affine::new(&[], 0), x.clone()]);
        let transposed = Access::new(SRC, 0, [x.clone(), y.clone()]);
        let flipped = Access::new(SRC, 0, [y.clone(), Affine::axis(AxisId::X, -1)]);
        let volume = Access::new(SRC, 0, [y.clone(), y.clone(), x.clone()]);
        let sheared = Access::new(SRC, 0, [y, Affine::new(&[(AxisId::X, 1), (AxisId::Y, 1)], 0)]);
        assert_eq!(broadcast.steps(AxisId::Y, 1), None);
        for access in [broadcast, transposed, flipped, volume, sheared] {
            assert_eq!(access.tap(), None, "{access:?}");
        }
    }
}
