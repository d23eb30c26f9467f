//! The loops around a body: which elements are computed one after the other, which by copies of the body, and which side
//! by side in a vector.
//!
//! A nest is data beside the body and names none of its values. It is found by cost ([`super::choose`], a target's own
//! search), and never changes a result: [`super::jam`] copies a body over its unrolled loops, and where a value is computed
//! is read off the axes that it varies along ([`Nest::depth`]).

use crate::ir::{Axes, AxisId, Block, Term};

/// Loops, outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nest {
    loops: Vec<Loop>,
}

/// A loop along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The axis.
    pub axis: AxisId,
    /// How its turns are computed.
    pub kind: LoopKind,
}

/// How the turns of a loop are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopKind {
    /// One after the other: so many, or as many as a run asks for.
    Repeated(Option<u32>),
    /// By so many copies of the body.
    Unrolled(u32),
    /// As so many lanes of a vector.
    Vector(u32),
}

impl LoopKind {
    /// How many turns the body computes at once.
    fn at_once(self) -> u32 {
        match self {
            Self::Repeated(_) => 1,
            Self::Unrolled(count) | Self::Vector(count) => count,
        }
    }
}

impl Nest {
    /// A block of vectors of `lanes` elements: `block.x` of them side by side in each of `block.y` rows. Vector by vector,
    /// as the rows of one share much and two vectors of a row share little.
    pub fn block(lanes: u32, block: Block) -> Self {
        let unrolled = |axis, count| Loop { axis, kind: LoopKind::Unrolled(count) };
        let vector = Loop { axis: AxisId::X, kind: LoopKind::Vector(lanes) };
        Self { loops: vec![unrolled(AxisId::X, block.x), unrolled(AxisId::Y, block.y), vector] }
    }

    /// The same in a loop along an axis: of so many turns, or of as many as a run asks for.
    pub fn within(mut self, axis: AxisId, turns: Option<u32>) -> Self {
        self.loops.insert(0, Loop { axis, kind: LoopKind::Repeated(turns) });
        self
    }

    /// The loops, outermost first.
    pub fn loops(&self) -> &[Loop] {
        &self.loops
    }

    /// Elements along an axis that one turn of the repeated loops computes.
    pub fn elements(&self, axis: AxisId) -> u32 {
        self.loops.iter().filter(|own| own.axis == axis).map(|own| own.kind.at_once()).product()
    }

    /// Elements side by side in a vector.
    pub fn lanes(&self) -> u32 {
        let lanes = |own: &Loop| if let LoopKind::Vector(lanes) = own.kind { lanes } else { 1 };
        self.loops.iter().map(lanes).product()
    }

    /// Where the copies of the body stand, as its unrolled loops come to them.
    pub fn copies(&self) -> Vec<Vec<Term>> {
        let mut places = vec![Vec::new()];
        for (index, own) in self.loops.iter().enumerate() {
            if let LoopKind::Unrolled(count) = own.kind {
                let inner = Self { loops: self.loops[index + 1..].to_vec() };
                let apart = i64::from(inner.elements(own.axis));
                let copies = |place: &Vec<Term>| {
                    let place = place.clone();
                    (0..i64::from(count)).map(move |turn| [place.as_slice(), &[(own.axis, turn * apart)]].concat())
                };
                places = places.iter().flat_map(copies).collect();
            }
        }
        places
    }

    /// In how many of the repeated loops a value is computed that varies along these axes: within the innermost along one
    /// of them, once for all turns of the loops further in.
    pub fn depth(&self, along: Axes) -> usize {
        let (mut depth, mut repeated) = (0, 0);
        for own in self.loops.as_slice() {
            if let LoopKind::Repeated(_) = own.kind {
                repeated += 1;
                depth = if along.has(own.axis) { repeated } else { depth };
            }
        }
        depth
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: AxisId = AxisId::X;
    const Y: AxisId = AxisId::Y;

    #[test]
    fn copies_are_as_far_apart_as_what_is_within_them() {
        let nest = Nest::block(16, Block { x: 2, y: 3 }).within(X, None);
        assert_eq!((nest.elements(X), nest.elements(Y)), (32, 3));
        let places = [[(X, 0), (Y, 0)], [(X, 0), (Y, 1)], [(X, 0), (Y, 2)]];
        let beside = [[(X, 16), (Y, 0)], [(X, 16), (Y, 1)], [(X, 16), (Y, 2)]];
        assert_eq!(nest.copies(), [places, beside].concat());
        let single = |lanes| Nest::block(lanes, Block { x: 1, y: 3 }).copies();
        assert_eq!(single(16), single(32));
    }

    #[test]
    fn a_value_is_computed_where_its_axes_are() {
        let (row, column) = (Axes::of(Y), Axes::of(X));
        let block = Nest::block(16, Block { x: 1, y: 1 });
        let steps = block.clone().within(X, None);
        assert_eq!([Axes::RUNS, row, column, row | column].map(|along| steps.depth(along)), [0, 0, 1, 1]);
        let both = steps.within(Y, Some(4));
        assert_eq!([Axes::RUNS, row, column, row | column].map(|along| both.depth(along)), [0, 1, 2, 2]);
        assert_eq!(block.depth(row | column), 0);
    }
}
