//! Where a value lies, and how: a shape with strides over memory of some kind.
//!
//! Shapes are ONNX' own throughout, `[image, channel, row, column]` for an image. Where channels lie side by side, that is a
//! matter of strides; operators that take channels last are given permuted views.

use serde::{Deserialize, Serialize};
use windrow::ElementType;

/// What memory a tensor lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Root {
    /// A tensor that the caller gives to read.
    Input(usize),
    /// A tensor that the caller gives to write.
    Output(usize),
    /// A constant of the plan.
    Constant(usize),
    /// An intermediate, in the memory of a run.
    Memory(usize),
}

/// A value's place: the type of its elements, the place of the first one, its extents and strides, counted in elements, outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub root: Root,
    pub element: ElementType,
    pub offset: usize,
    pub extents: Vec<usize>,
    pub strides: Vec<usize>,
}

/// A slot, and its strides in bytes.
#[derive(Debug)]
pub(crate) struct Bound {
    pub slot: Slot,
    pub strides: Vec<isize>,
}

impl Bound {
    pub fn new(slot: Slot) -> Bound {
        Bound { strides: slot.byte_strides(), slot }
    }
}

/// Intermediates that a step needs, at most.
pub(crate) const MAX_BUFFERS: usize = 8;

/// The order of dimensions that puts an image's channels last.
pub(crate) const CHANNELS_LAST: [usize; 4] = [0, 2, 3, 1];

impl Slot {
    /// Floats side by side, the last dimension's closest together.
    pub fn packed(root: Root, extents: &[usize]) -> Slot {
        Slot { root, element: ElementType::F32, offset: 0, strides: packed(extents), extents: extents.to_vec() }
    }

    /// The same memory, as an image whose channels lie side by side; anything else as it is.
    pub fn channels_last(self) -> Slot {
        let &[n, c, h, w] = &self.extents[..] else { return self };
        let inside = packed(&[n, h, w, c]);
        Slot { strides: vec![inside[0], inside[3], inside[1], inside[2]], ..self }
    }

    /// The same memory from its start on, of other extents, side by side.
    pub fn like(&self, extents: &[usize]) -> Slot {
        Slot::packed(self.root, extents).of(self.element)
    }

    /// The same place, of elements of another type.
    pub fn of(self, element: ElementType) -> Slot {
        Slot { element, ..self }
    }

    /// Dimension `d` is this slot's dimension `order[d]`.
    pub fn permuted(&self, order: &[usize]) -> Slot {
        let of = |values: &[usize]| order.iter().map(|&d| values[d]).collect();
        Slot { extents: of(&self.extents), strides: of(&self.strides), ..*self }
    }

    /// An image as `[image, row, column, channel]`; anything else as it is.
    pub fn with_channels_last(&self) -> Slot {
        if self.extents.len() == 4 { self.permuted(&CHANNELS_LAST) } else { self.clone() }
    }

    /// The same with extents of 1 in front, as NumPy aligns shapes.
    pub fn of_rank(&self, rank: usize) -> Slot {
        let mut slot = self.clone();
        for _ in self.extents.len()..rank {
            let outer = slot.extents.first().zip(slot.strides.first()).map_or(1, |(extent, stride)| extent * stride);
            slot.extents.insert(0, 1);
            slot.strides.insert(0, outer);
        }
        slot
    }

    /// A row as each row of these extents.
    pub fn repeated(&self, extents: &[usize]) -> Slot {
        let mut strides = vec![0; extents.len()];
        if let (Some(last), Some(&own)) = (strides.last_mut(), self.strides.last()) {
            *last = own;
        }
        Slot { extents: extents.to_vec(), strides, ..self.clone() }
    }

    /// The same repeated to these extents, by the rule of NumPy.
    pub fn spread(&self, extents: &[usize]) -> Slot {
        let mut slot = self.of_rank(extents.len());
        for (d, &extent) in extents.iter().enumerate() {
            if slot.extents[d] != extent {
                (slot.extents[d], slot.strides[d]) = (extent, 0);
            }
        }
        slot
    }

    /// The places of all elements, in C order.
    pub fn places(&self) -> impl Iterator<Item = usize> {
        let (mut at, mut place) = (vec![0; self.extents.len()], self.offset);
        (0..self.extents.iter().product()).map(move |_| {
            let found = place;
            for d in (0..at.len()).rev() {
                (at[d], place) = (at[d] + 1, place + self.strides[d]);
                if at[d] < self.extents[d] {
                    break;
                }
                place -= at[d] * self.strides[d];
                at[d] = 0;
            }
            found
        })
    }

    /// A part along one dimension.
    pub fn part(&self, dimension: usize, start: usize, extent: usize) -> Slot {
        let mut slot = self.clone();
        slot.offset += start * slot.strides[dimension];
        slot.extents[dimension] = extent;
        slot
    }

    /// Every `step`-th element along one dimension.
    pub fn each(&self, dimension: usize, step: usize) -> Slot {
        let mut slot = self.clone();
        slot.extents[dimension] = slot.extents[dimension].div_ceil(step);
        // One element has no next one.
        slot.strides[dimension] *= if slot.extents[dimension] > 1 { step } else { 1 };
        slot
    }

    /// The same elements in another shape of as many, in C order; `None` where no strides say that.
    pub fn reshaped(&self, extents: &[usize]) -> Option<Slot> {
        let dims = self.extents.iter().zip(&self.strides).filter(|(extent, _)| **extent != 1);
        let old: Vec<(usize, usize)> = dims.map(|(&extent, &stride)| (extent, stride)).collect();
        let wanted: Vec<usize> = extents.iter().copied().filter(|&extent| extent != 1).collect();
        let (mut strides, mut from, mut to) = (vec![0; wanted.len()], 0, 0);
        while to < wanted.len() {
            // As few dimensions of both as hold as many elements.
            let (first, start) = (from, to);
            let (mut held, mut asked) = (old.get(from)?.0, wanted[to]);
            while held != asked {
                if held < asked {
                    from += 1;
                    held *= old.get(from)?.0;
                } else {
                    to += 1;
                    asked *= wanted.get(to)?;
                }
            }
            (from, to) = (from + 1, to + 1);
            if old[first..from].windows(2).any(|pair| pair[0].1 != pair[1].0 * pair[1].1) {
                return None;
            }
            let mut stride = old[from - 1].1;
            for d in (start..to).rev() {
                strides[d] = stride;
                stride *= wanted[d];
            }
        }
        Some(Slot { strides: with_ones(extents, &strides), extents: extents.to_vec(), ..self.clone() })
    }
}

/// The strides of elements side by side.
fn packed(extents: &[usize]) -> Vec<usize> {
    let mut strides = vec![1; extents.len()];
    for d in (1..extents.len()).rev() {
        strides[d - 1] = strides[d] * extents[d];
    }
    strides
}

/// Strides for all extents, where those of extents of 1 are missing: these step over what lies inside them.
fn with_ones(extents: &[usize], strides: &[usize]) -> Vec<usize> {
    let (mut all, mut known, mut inside) = (vec![1; extents.len()], strides.iter().rev(), 1);
    for d in (0..extents.len()).rev() {
        all[d] = if extents[d] == 1 { inside } else { known.next().copied().unwrap_or(inside) };
        inside = inside.max(all[d] * extents[d]);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(extents: &[usize]) -> Slot {
        Slot::packed(Root::Input(0), extents).channels_last()
    }

    #[test]
    fn images_have_their_channels_side_by_side() {
        assert_eq!(slot(&[2, 3, 4, 5]).strides, [60, 1, 15, 3]);
        assert_eq!(slot(&[2, 3, 4, 5]).with_channels_last(), Slot::packed(Root::Input(0), &[2, 4, 5, 3]));
        assert_eq!(slot(&[4, 5]).strides, [5, 1]);
    }

    #[test]
    fn shapes_change_where_strides_can_say_it() {
        let image = slot(&[2, 6, 4, 5]);
        // Channels are cut in two; rows and columns become one.
        assert_eq!(image.reshaped(&[2, 2, 3, 4, 5]).unwrap().strides, [120, 3, 1, 30, 6]);
        assert_eq!(image.reshaped(&[2, 6, 20]).unwrap().strides, [120, 1, 6]);
        // Channels and rows don't: their order is another one.
        assert_eq!(image.reshaped(&[2, 120]), None);
        assert_eq!(slot(&[1, 6, 1, 1]).reshaped(&[1, 6]).unwrap().strides, [6, 1]);
        assert_eq!(slot(&[1, 1, 1, 1]).reshaped(&[1]).unwrap().strides, [1]);
        let part = slot(&[1, 8, 4, 5]).part(1, 2, 3);
        assert_eq!((part.offset, part.with_channels_last().reshaped(&[20, 3]).unwrap().strides), (2, vec![8, 1]));
    }
}
