//! The images and tensors that a kernel reads anywhere: they have extents of their own in each case.

use super::cases::inputs;
use std::{collections::BTreeMap, fmt};
use windrow_runtime::{
    info::MAX_DIMENSIONS,
    spec::{InputSpec, KernelSpec},
};

/// The extents of what is read anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WholeExtents {
    /// Innermost first.
    extents: [usize; MAX_DIMENSIONS],
    rank: usize,
    /// Whether an image has the outputs' planes, and not one for all.
    pub(super) has_planes: bool,
}

/// `9x4`, or `9x4planes`: innermost first.
impl fmt::Display for WholeExtents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (dimension, extent) in self.extents().iter().enumerate() {
            write!(f, "{}{extent}", if dimension == 0 { "" } else { "x" })?;
        }
        f.write_str(if self.has_planes { PLANES } else { "" })
    }
}

impl WholeExtents {
    /// Those of an image.
    pub(super) fn image(columns: usize, rows: usize, has_planes: bool) -> Self {
        Self { extents: [columns, rows, 1, 1, 1, 1], rank: 2, has_planes }
    }

    /// Rows and columns, and others outside them where it is a tensor.
    pub(super) fn of(input: &InputSpec, columns: usize, rows: usize, outer: impl Fn(usize) -> usize) -> Self {
        let mut own = Self::image(columns, rows, false);
        own.rank = input.tensor_rank().unwrap_or(own.rank);
        (2..own.rank).for_each(|dimension| own.extents[dimension] = outer(dimension));
        // A tensor of one dimension has one row.
        own.extents[own.rank..].fill(1);
        own
    }

    /// Those of an input, as their text says.
    pub(super) fn parse(input: &InputSpec, text: &str) -> Option<Self> {
        let (text, has_planes) = text.strip_suffix(PLANES).map_or((text, false), |text| (text, true));
        let parts: Option<Vec<usize>> = text.split('x').map(|extent| extent.parse().ok()).collect();
        let (parts, tensor, mut extents) = (parts?, input.tensor_rank(), [1; MAX_DIMENSIONS]);
        if parts.len() != tensor.unwrap_or(2) || has_planes && tensor.is_some() {
            return None;
        }
        extents[..parts.len()].copy_from_slice(&parts);
        Some(Self { extents, rank: parts.len(), has_planes })
    }

    /// The same with another extent along a dimension, counted from the innermost.
    pub(super) fn with(mut self, dimension: usize, extent: usize) -> Self {
        if dimension < self.rank {
            self.extents[dimension] = extent;
        }
        self
    }

    /// Innermost first.
    pub(super) fn extents(&self) -> &[usize] {
        &self.extents[..self.rank]
    }
}

/// Follows the extents of an image with the outputs' planes.
const PLANES: &str = "planes";

/// What is read anywhere, by its place among all images.
pub(super) fn read_anywhere(spec: &'static KernelSpec) -> impl Iterator<Item = usize> {
    inputs(spec).enumerate().filter(|(_, input)| input.is_whole()).map(|(index, _)| index)
}

/// Extents for each image that is read anywhere, where the outputs have these, innermost first: as turns go on, a single element,
/// a row, a column, less and more than the outputs in one or both dimensions, and their own; with the outputs' planes in every
/// other round. Outside rows, a tensor has the outputs' extents, one, or others.
pub(super) fn extents_at(spec: &'static KernelSpec, extents: &[usize], turn: usize) -> BTreeMap<usize, WholeExtents> {
    let of_outputs = |dimension: usize| extents.get(dimension).copied().unwrap_or(1).max(1);
    let (width, height) = (of_outputs(0), of_outputs(1));
    let shapes = [
        [1, 1],
        [width.div_ceil(2), height.div_ceil(2)],
        [2 * width + 3, height + 2],
        [width + 5, 1],
        [width, height],
        [1, 2 * height + 1],
        [width.div_ceil(3), 2 * height + 5],
        [5 + turn % 23, 3 + turn % 11],
    ];
    let of = |image: usize| {
        // Images of one case have different extents, and no turn goes round together with those of layouts and data.
        let place = turn + turn / shapes.len() + 3 * image;
        let has_planes = (turn + place / shapes.len()) % 2 == 1;
        let [columns, rows] = shapes[place % shapes.len()];
        let input = inputs(spec).nth(image).filter(|input| input.tensor_rank().is_some());
        let own = match input {
            Some(tensor) => {
                let outer = |dimension| [of_outputs(dimension), 1, 2, 3][(place + dimension) % 4];
                WholeExtents::of(tensor, columns, rows, outer)
            }
            None => WholeExtents::image(columns, rows, has_planes && extents.len() > 2),
        };
        (image, own)
    };
    read_anywhere(spec).map(of).collect()
}
