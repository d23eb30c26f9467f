//! The images that a kernel reads anywhere: they have extents of their own in each case.

use super::cases::inputs;
use std::{collections::BTreeMap, fmt};
use windrow_runtime::spec::KernelSpec;

/// The extents of an image that is read anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WholeExtents {
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// Whether it has the outputs' planes, and not one for all.
    pub(super) has_planes: bool,
}

/// `9x4`, or `9x4planes`.
impl fmt::Display for WholeExtents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { columns, rows, has_planes } = self;
        write!(f, "{columns}x{rows}{}", if *has_planes { PLANES } else { "" })
    }
}

impl WholeExtents {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (text, has_planes) = text.strip_suffix(PLANES).map_or((text, false), |text| (text, true));
        let (columns, rows) = text.split_once('x')?;
        Some(Self { columns: columns.parse().ok()?, rows: rows.parse().ok()?, has_planes })
    }
}

/// Follows the extents of an image with the outputs' planes.
const PLANES: &str = "planes";

/// The images that are read anywhere, by their places among all.
pub(super) fn read_anywhere(spec: &'static KernelSpec) -> impl Iterator<Item = usize> {
    inputs(spec).enumerate().filter(|(_, input)| input.is_whole()).map(|(index, _)| index)
}

/// Extents for each image that is read anywhere, where the outputs have these, innermost first: as turns go on, a single element,
/// a row, a column, less and more than the outputs in one or both dimensions, and their own; with the outputs' planes in every
/// other round.
pub(super) fn extents_at(spec: &'static KernelSpec, extents: &[usize], turn: usize) -> BTreeMap<usize, WholeExtents> {
    let [width, height] = [0, 1].map(|dimension| extents.get(dimension).copied().unwrap_or(1).max(1));
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
        let ([columns, rows], has_planes) = (shapes[place % shapes.len()], (turn + place / shapes.len()) % 2 == 1);
        (image, WholeExtents { columns, rows, has_planes: has_planes && extents.len() > 2 })
    };
    read_anywhere(spec).map(of).collect()
}
