//! What a kernel says about itself: data that the macro writes and everything else reads.
//!
//! `validate`, `configure`, the schedulers, the tests and the documentation are ordinary code over these tables; the
//! generated part of a kernel holds no logic of its own.

use crate::element::{ElementType, Scalar};
use crate::info::MAX_DIMENSIONS;
use windrow_reference::border::BorderMode;

/// The signature and the limits of one kernel.
#[derive(Debug)]
pub struct KernelSpec {
    /// The kernel's name, `relu_f32` for a copy made by `types`.
    pub name: &'static str,
    /// The author's doc comment.
    pub docs: &'static str,
    /// Where it is written: `module_path!()`.
    pub module: &'static str,
    /// The axes of an element: the dimensions of the outputs that the kernel knows. It runs over all further ones, plane by
    /// plane.
    pub rank: u32,
    /// The dimensions of the place that it is told, where it asks for it: at least `rank`, which are rows and columns.
    pub dimensions: u32,
    /// The arguments in the author's order.
    pub arguments: &'static [ArgumentSpec],
    /// What is written.
    pub outputs: &'static [OutputSpec],
    /// OpenVX's tile block: the grain in which windows are cut. It never changes a result.
    pub step: (u32, u32),
    /// The border modes offered; a kernel without neighbourhood offers `Undefined` alone.
    pub borders: &'static [BorderMode],
    /// Relations between uniforms, checked by `validate`.
    pub requires: &'static [RequireSpec],
    /// The extents that the author names; those of one name are equal.
    pub extents: &'static [NamedExtent],
    /// The extents of the outputs, outermost first, where the author says them; otherwise they follow from the images read, or are
    /// the caller's.
    pub window: Option<&'static [Extent]>,
    /// The number of 32-bit words of all uniforms, in argument order, and of what is derived from them.
    pub words: WordCount,
    /// The number of bodies a tier has: the product of the variants' values and of the output subsets.
    pub bodies: u32,
    /// The author said `fast`: floats may be contracted, so that targets may differ by roundings.
    pub fast: bool,
    /// Whether bodies or reference compute with floats: they do so in the default float environment.
    pub floats: bool,
    /// Whether a result depends on where its element lies: the body asks for the coordinate.
    pub coordinates: bool,
}

impl KernelSpec {
    /// Returns the least neighbourhood that holds those of all images read: one for all, as OpenVX asks for it.
    pub fn input_neighbourhood(&self) -> NeighbourhoodSpec {
        let mut all = NeighbourhoodSpec::default();
        for argument in self.arguments {
            let ArgumentKind::Input(input) = &argument.kind else { continue };
            let NeighbourhoodSpec { left, right, top, bottom } = input.neighbourhood();
            let (left, right) = (all.left.min(left), all.right.max(right));
            all = NeighbourhoodSpec { left, right, top: all.top.min(top), bottom: all.bottom.max(bottom) };
        }
        all
    }

    /// Returns the block in which windows are cut, the same for every output.
    pub const fn output_tile_block(&self) -> (u32, u32) {
        self.step
    }
}

/// The layout of the words that hold a run's uniforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordCount {
    /// One word a scalar: the value, zero- or sign-extended, or the bits of an `f32`.
    pub uniforms: u32,
    /// Words computed once by `configure` from the others (a divisor's multiplier); they follow.
    pub derived: u32,
}

/// One argument of a kernel.
#[derive(Debug)]
pub struct ArgumentSpec {
    /// The author's name.
    pub name: &'static str,
    /// What it is.
    pub kind: ArgumentKind,
}

/// The kinds of argument.
#[derive(Debug)]
pub enum ArgumentKind {
    /// An image.
    Input(InputSpec),
    /// A value that is the same for the whole run.
    Uniform(UniformSpec),
    /// A look-up table.
    Table {
        /// The type of an entry.
        element: ElementType,
        /// The number of entries.
        length: u32,
    },
    /// A choice made in `configure`.
    Variant {
        /// The enum's name.
        enum_name: &'static str,
        /// Its values, in order.
        values: &'static [&'static str],
    },
}

impl KernelSpec {
    /// Returns the images that the kernel reads, `#[inout]` ones included, in argument order: each with its name.
    pub fn images(&'static self) -> impl Iterator<Item = (&'static str, &'static InputSpec)> {
        self.arguments.iter().filter_map(|argument| match &argument.kind {
            ArgumentKind::Input(input) => Some((argument.name, input)),
            ArgumentKind::Uniform(_) | ArgumentKind::Table { .. } | ArgumentKind::Variant { .. } => None,
        })
    }

    /// Returns the images that are among a run's inputs: all but the `#[inout]` ones.
    pub fn read_images(&'static self) -> impl Iterator<Item = (&'static str, &'static InputSpec)> {
        self.images().filter(|(_, input)| input.inout.is_none())
    }

    /// Returns the tables, in argument order: each with its name, the type of its entries, and their number.
    pub fn tables(&'static self) -> impl Iterator<Item = (&'static str, ElementType, u32)> {
        self.arguments.iter().filter_map(|argument| match argument.kind {
            ArgumentKind::Table { element, length } => Some((argument.name, element, length)),
            ArgumentKind::Input(_) | ArgumentKind::Uniform(_) | ArgumentKind::Variant { .. } => None,
        })
    }

    /// Returns the uniforms, in argument order: each with its name.
    pub fn uniforms(&'static self) -> impl Iterator<Item = (&'static str, &'static UniformSpec)> {
        self.arguments.iter().filter_map(|argument| match &argument.kind {
            ArgumentKind::Uniform(uniform) => Some((argument.name, uniform)),
            ArgumentKind::Input(_) | ArgumentKind::Table { .. } | ArgumentKind::Variant { .. } => None,
        })
    }

    /// Returns the variants, in argument order: each with its name and the names of its values.
    pub fn variants(&'static self) -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
        self.arguments.iter().filter_map(|argument| match argument.kind {
            ArgumentKind::Variant { values, .. } => Some((argument.name, values)),
            ArgumentKind::Input(_) | ArgumentKind::Table { .. } | ArgumentKind::Uniform(_) => None,
        })
    }
}

/// An image argument.
#[derive(Clone, Copy, Debug)]
pub struct InputSpec {
    /// The type of a channel.
    pub element: ElementType,
    /// Channels of an interleaved pixel.
    pub channels: u32,
    /// What is read along each dimension, the first `rank` of them.
    accesses: [AccessSpec; MAX_DIMENSIONS],
    rank: usize,
    whole: bool,
    /// Of a tensor all of whose dimensions are given whole, how many these are; 0 for others.
    given: u32,
    /// The output that it also is.
    pub inout: Option<u32>,
}

impl InputSpec {
    /// Returns a tensor of which an element of the output reads this: one access a dimension, outermost first.
    ///
    /// # Panics
    /// There are more accesses than a tensor has dimensions.
    pub const fn new(element: ElementType, channels: u32, accesses: &[AccessSpec], inout: Option<u32>) -> Self {
        let (mut all, mut dimension) = ([AccessSpec::NONE; MAX_DIMENSIONS], 0);
        while dimension < accesses.len() {
            all[dimension] = accesses[dimension];
            dimension += 1;
        }
        Self { element, channels, accesses: all, rank: accesses.len(), whole: false, given: 0, inout }
    }

    /// Returns an image that is read anywhere: at places which are computed for each element.
    ///
    /// It has no accesses, and its rows and columns say nothing of the outputs'.
    pub const fn whole(element: ElementType, channels: u32) -> Self {
        Self { whole: true, ..Self::new(element, channels, &[], None) }
    }

    /// Returns a tensor of `rank` dimensions that is read anywhere.
    ///
    /// It has no accesses, and its extents say nothing of the outputs'.
    pub const fn tensor(element: ElementType, channels: u32, rank: u32) -> Self {
        Self { given: rank, ..Self::whole(element, channels) }
    }

    /// Returns an image of which a neighbourhood is read, at a stride of (x, y).
    pub const fn image(
        element: ElementType,
        channels: u32,
        neighbourhood: NeighbourhoodSpec,
        stride: (u32, u32),
        inout: Option<u32>,
    ) -> Self {
        Self::new(element, channels, &AccessSpec::around(neighbourhood, stride), inout)
    }

    /// Returns whether the image is read anywhere.
    pub const fn is_whole(&self) -> bool {
        self.whole
    }

    /// Returns the number of its dimensions, where it is a tensor that is read anywhere. Of any other image read anywhere, a run is
    /// given rows and columns, plane by plane.
    pub const fn tensor_rank(&self) -> Option<usize> {
        if self.given == 0 { None } else { Some(self.given as usize) }
    }

    /// Returns what is read along each dimension, outermost first.
    pub const fn accesses(&self) -> &[AccessSpec] {
        self.accesses.split_at(self.rank).0
    }

    /// Returns what is read around an element of an image: along its rows, the last dimension, and across them.
    pub const fn neighbourhood(&self) -> NeighbourhoodSpec {
        match self.accesses() {
            [.., row, column] => {
                NeighbourhoodSpec { left: column.least, right: column.greatest, top: row.least, bottom: row.greatest }
            }
            _ => NeighbourhoodSpec { left: 0, right: 0, top: 0, bottom: 0 },
        }
    }

    /// Returns how many input elements there are for one output element, (x, y); 0 where neighbours of the output do
    /// not read neighbours of the input along that dimension.
    pub const fn stride(&self) -> (u32, u32) {
        match self.accesses() {
            [.., row, column] => (column.step(self.rank as u32 - 1), row.step(self.rank as u32 - 2)),
            _ => (0, 0),
        }
    }

    /// Returns whether nothing but the element itself is read: then one element may stand for many, and the output for
    /// the input.
    pub fn is_element_wise(&self) -> bool {
        let is_own = |(axis, access): (u32, &AccessSpec)| *access == AccessSpec::new(&[(axis, 1)], 0, 0);
        self.inout.is_none() && !self.whole && (0..).zip(self.accesses()).all(is_own)
    }
}

/// What is read of an input along one of its dimensions, for an element at a place of its axes: everything from the sum of
/// the axes, each times its coefficient, plus `least`, to that sum plus `greatest`. It is the hull of what the body reads.
///
/// A stride is a coefficient; along an axis without one, all elements read the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessSpec {
    coefficients: [i32; MAX_DIMENSIONS],
    /// The least constant.
    pub least: i32,
    /// The greatest constant.
    pub greatest: i32,
}

impl AccessSpec {
    const NONE: Self = Self { coefficients: [0; MAX_DIMENSIONS], least: 0, greatest: 0 };

    /// Returns the access along a dimension with these terms: axes, the outermost dimension of the output 0, and
    /// coefficients.
    ///
    /// # Panics
    /// An axis is beyond the dimensions of a tensor.
    pub const fn new(terms: &[(u32, i32)], least: i32, greatest: i32) -> Self {
        let (mut coefficients, mut term) = ([0; MAX_DIMENSIONS], 0);
        while term < terms.len() {
            let (axis, coefficient) = terms[term];
            coefficients[axis as usize] += coefficient;
            term += 1;
        }
        Self { coefficients, least, greatest }
    }

    /// What is read of an image along its columns' and its rows' dimensions.
    pub(crate) const fn around(neighbourhood: NeighbourhoodSpec, (x, y): (u32, u32)) -> [Self; 2] {
        let NeighbourhoodSpec { left, right, top, bottom } = neighbourhood;
        [Self::new(&[(0, y as i32)], top, bottom), Self::new(&[(1, x as i32)], left, right)]
    }

    /// Returns how far the place moves from one element to the next along an axis.
    pub const fn coefficient(&self, axis: u32) -> i32 {
        self.coefficients[axis as usize]
    }

    /// The same where it is a stride, 0 elsewhere.
    const fn step(&self, axis: u32) -> u32 {
        let coefficient = self.coefficient(axis);
        if coefficient > 0 { coefficient as u32 } else { 0 }
    }

    /// Returns the axis whose extent follows from the dimension's, and how: the dimension's divided by a stride,
    /// rounded up. None where the place depends on several axes or on none, or runs backwards.
    pub fn equation(&self) -> Option<(u32, u32)> {
        let mut terms = (0..).zip(self.coefficients).filter(|&(_, coefficient)| coefficient != 0);
        match (terms.next(), terms.next()) {
            (Some((axis, by @ 1..)), None) => Some((axis, by as u32)),
            _ => None,
        }
    }
}

/// The offsets around an element that a kernel reads, both ends inclusive: 3×3 is −1, 1, −1, 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct NeighbourhoodSpec {
    /// The least x offset.
    pub left: i32,
    /// The greatest x offset.
    pub right: i32,
    /// The least y offset.
    pub top: i32,
    /// The greatest y offset.
    pub bottom: i32,
}

/// As an author writes it: `x = -1..=1, y = -1..=1`.
impl core::fmt::Display for NeighbourhoodSpec {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "x = {}..={}, y = {}..={}", self.left, self.right, self.top, self.bottom)
    }
}

/// A uniform argument.
#[derive(Debug)]
pub struct UniformSpec {
    /// The type of its scalars.
    pub element: ElementType,
    /// Array dimensions, outermost first; empty for a scalar.
    pub dims: &'static [u32],
    /// Inclusive bounds of every scalar.
    pub bounds: Option<(Scalar, Scalar)>,
    /// A bound on the sum of magnitudes of an array.
    pub sum_of_magnitudes: Option<u64>,
    /// The first of its words.
    pub word: u32,
}

/// A relation between two uniforms, or a uniform and a constant.
#[derive(Debug)]
pub struct RequireSpec {
    /// As the author wrote it.
    pub text: &'static str,
    /// The left side.
    pub left: RequireTerm,
    /// The comparison.
    pub relation: Relation,
    /// The right side.
    pub right: RequireTerm,
}

/// A side of a relation.
#[derive(Debug)]
pub enum RequireTerm {
    /// The scalar uniform of this name.
    Uniform(&'static str),
    /// A constant.
    Constant(Scalar),
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `==`
    Equal,
    /// `>=`
    GreaterEqual,
    /// `>`
    Greater,
}

/// A name of an extent.
#[derive(Debug)]
pub struct NamedExtent {
    /// The author's name.
    pub name: &'static str,
    /// The image, counted among those of [`KernelSpec::read_images`].
    pub image: u32,
    /// Its dimension, counted from the innermost.
    pub dimension: u32,
}

/// What an extent of the outputs is.
#[derive(Debug)]
pub enum Extent {
    /// A number.
    Number(i64),
    /// The extent of an image along a dimension, both counted as in [`NamedExtent`].
    Named {
        /// The image.
        image: u32,
        /// Its dimension.
        dimension: u32,
    },
    /// A scalar of a uniform.
    Uniform {
        /// The type of the scalar, an integer.
        element: ElementType,
        /// Its word.
        word: u32,
    },
    /// The one and the other.
    Sum(&'static Extent, &'static Extent),
    /// The one less the other.
    Difference(&'static Extent, &'static Extent),
    /// The one times the other.
    Product(&'static Extent, &'static Extent),
    /// The one divided by the other, which is positive, rounded down.
    Quotient(&'static Extent, &'static Extent),
}

/// One output of a kernel.
#[derive(Debug)]
pub struct OutputSpec {
    /// The author's name; where it is the only one, that of the `#[inout]` image that it is, or `out` where it has none.
    pub name: &'static str,
    /// The type of a channel.
    pub element: ElementType,
    /// Channels of an interleaved pixel.
    pub channels: u32,
    /// Whether the caller may leave it out.
    pub optional: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    const AROUND: NeighbourhoodSpec = NeighbourhoodSpec { left: -1, right: 2, top: -3, bottom: 0 };

    #[test]
    fn an_image_is_read_by_its_rows() {
        let image = InputSpec::image(ElementType::U8, 3, AROUND, (2, 4), None);
        assert_eq!((image.neighbourhood(), image.stride(), image.is_element_wise()), (AROUND, (2, 4), false));
        assert_eq!(image.accesses(), [AccessSpec::new(&[(0, 4)], -3, 0), AccessSpec::new(&[(1, 2)], -1, 2)]);
        let plain = InputSpec::image(ElementType::U8, 1, NeighbourhoodSpec::default(), (1, 1), None);
        assert!(plain.is_element_wise() && !InputSpec { inout: Some(0), ..plain }.is_element_wise());
    }

    #[test]
    fn an_image_that_is_read_anywhere_has_no_accesses() {
        let whole = InputSpec::whole(ElementType::U16, 3);
        assert!(whole.is_whole() && !whole.is_element_wise() && whole.accesses().is_empty() && whole.inout.is_none());
        assert_eq!((whole.neighbourhood(), whole.element, whole.channels), (Default::default(), ElementType::U16, 3));
        assert!(!InputSpec::new(ElementType::U16, 3, &[], None).is_whole());
    }

    #[test]
    fn extents_follow_from_single_strides() {
        let accesses = [
            (AccessSpec::new(&[(0, 3)], -1, 1), Some((0, 3))),
            (AccessSpec::new(&[(1, 1)], 0, 0), Some((1, 1))),
            (AccessSpec::new(&[], 0, 7), None),
            (AccessSpec::new(&[(1, -1)], 0, 0), None),
            (AccessSpec::new(&[(0, 1), (1, 1)], 0, 0), None),
            (AccessSpec::new(&[(0, 2), (0, -2)], 0, 0), None),
        ];
        for (access, equation) in accesses {
            assert_eq!(access.equation(), equation, "{access:?}");
        }
    }

    #[test]
    fn what_is_not_read_along_the_rows_has_no_stride() {
        let (down, right) = (AccessSpec::new(&[(0, 1)], 0, 0), AccessSpec::new(&[(1, 1)], 0, 0));
        let strides = [[right, down], [AccessSpec::NONE, right], [down, AccessSpec::NONE]]
            .map(|accesses| InputSpec::new(ElementType::U8, 1, &accesses, None))
            .map(|input| (input.stride(), input.is_element_wise()));
        assert_eq!(strides, [((0, 0), false), ((1, 0), false), ((0, 1), false)]);
    }
}
