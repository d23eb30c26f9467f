//! Places that are elements of a tensor, as numbers along one long dimension.

use super::{Inputs, Wrong, dimension};
use crate::{
    operator::Places,
    slot::{Root, Slot},
};

/// What places are of.
#[derive(Debug)]
pub(crate) struct Placed {
    /// The elements of the long dimension.
    pub all: usize,
    /// What each of them holds.
    pub inner: usize,
    /// Of each of a place's numbers, the extent of its dimension, and how far apart that one's elements lie.
    pub numbers: Vec<(usize, usize)>,
    /// What is added to the numbers of each place, as the places of a view.
    pub bases: Slot,
    /// What lies at all of the places.
    pub extents: Vec<usize>,
}

impl Placed {
    /// How many places there are.
    pub fn count(&self) -> usize {
        self.bases.extents.iter().product()
    }
}

/// Lays places, a tensor of the extents `numbers`, out over a tensor.
pub(crate) fn places(of: Places, extents: &[usize], numbers: &[usize]) -> Result<Placed, Wrong> {
    let wrong = |rule| Wrong { input: 1, rule };
    let whole = Slot::packed(Root::Constant(0), extents);
    match of {
        Places::Elements { axis } => {
            let axis = dimension(axis, extents.len())?;
            let is_inside = |(d, (own, extent)): (usize, (&usize, &usize))| d == axis || own <= extent;
            if numbers.len() != extents.len() || !numbers.iter().zip(extents).enumerate().all(is_inside) {
                return Err(wrong(
                    "its extents are those of the first input or less, save along the dimension of the places",
                ));
            }
            let mut bases = Slot { extents: numbers.to_vec(), ..whole.clone() };
            bases.strides[axis] = 0;
            let (all, extents_of) = (extents.iter().product(), vec![(extents[axis], whole.strides[axis])]);
            Ok(Placed { all, inner: 1, numbers: extents_of, bases, extents: numbers.to_vec() })
        }
        Places::Slices { batch } => {
            let Some((&each, outer)) = numbers.split_last() else { return Err(wrong("it has a dimension of places")) };
            let rule =
                "its last dimension has as many places as the first input has dimensions, or less, and one at least";
            if each == 0 || batch + each > extents.len() {
                return Err(wrong(rule));
            }
            if outer.len() < batch || outer[..batch] != extents[..batch] {
                return Err(wrong("both have the dimensions that they share"));
            }
            let (first, inner) = extents.split_at(batch + each);
            let long = Slot::packed(Root::Constant(0), first);
            let mut strides = long.strides[..batch].to_vec();
            strides.resize(outer.len(), 0);
            let bases = Slot { extents: outer.to_vec(), strides, ..whole };
            let numbers = first.iter().copied().zip(long.strides).skip(batch).collect();
            let extents = [outer, inner].concat();
            Ok(Placed { all: first.iter().product(), inner: inner.iter().product(), numbers, bases, extents })
        }
    }
}

/// The extents of a tensor with elements of another at some places.
pub(super) fn scattered(of: Places, inputs: &Inputs<'_>) -> Result<Vec<usize>, Wrong> {
    let extents = inputs.get(0)?;
    if places(of, extents, inputs.get(1)?)?.extents != inputs.get(2)? {
        return Err(Wrong { input: 2, rule: "it has what lies at each of the places" });
    }
    Ok(extents.to_vec())
}
