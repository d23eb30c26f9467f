//! A kernel around its bodies: what it takes and gives, where it may be run, and how the author would have it computed.

use super::{
    Affine, AxisId, BinaryOp, Body, Extent, Facts, InputId, NamedExtent, OutputId, TableId, Tap, Type, UniformId,
};
use proc_macro2::Span;
use std::rc::Rc;

/// What is read around an element: inclusive offsets, so 3×3 is −1, 1, −1, 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Neighbourhood {
    /// The least x offset.
    pub left: i32,
    /// The greatest x offset.
    pub right: i32,
    /// The least y offset.
    pub top: i32,
    /// The greatest y offset.
    pub bottom: i32,
}

impl Neighbourhood {
    /// Widens it to hold a tap: it is the hull of all that were included.
    pub fn include(&mut self, tap: Tap) {
        (self.left, self.right) = (self.left.min(tap.dx), self.right.max(tap.dx));
        (self.top, self.bottom) = (self.top.min(tap.dy), self.bottom.max(tap.dy));
    }
}

/// An image argument.
#[derive(Clone, Debug)]
pub struct Input {
    /// The author's name.
    pub name: String,
    /// The type of a channel in memory.
    pub element: Type,
    /// The type of the values that bodies read.
    pub ty: Type,
    /// Channels of an interleaved pixel: 1 to 4.
    pub channels: u32,
    /// Of a whole input, how many dimensions it has, `View<T, N>`; none where it is a plane, `View<T>`, and for other inputs.
    pub rank: Option<u32>,
    /// What the body reads around the element (inferred), or what the author declared.
    pub neighbourhood: Neighbourhood,
    /// Where in the input the element itself is: one expression a dimension, outermost first. What a body reads around it
    /// has other constants. Without dimensions where the input is whole.
    pub place: Rc<[Affine]>,
    /// The output that this input also is (`#[inout]`).
    pub inout: Option<OutputId>,
    /// Whether the author wrote `Neighbourhood<T>` (borders matter) or a plain element.
    pub is_neighbourhood: bool,
    /// Whether the author wrote `View<T>`: it is read anywhere, and no element of it belongs to the output's.
    pub is_whole: bool,
    /// The parameter.
    pub span: Span,
}

impl Input {
    /// Input elements for one output element, (x, y): the coefficients of its place. 0 where it is the same for all.
    pub fn stride(&self) -> (u32, u32) {
        let [.., row, column] = &*self.place else { return (0, 0) };
        (column.coefficient(AxisId::X) as u32, row.coefficient(AxisId::Y) as u32)
    }

    /// How many dimensions a place in it has.
    pub fn dimensions(&self) -> u32 {
        self.rank.unwrap_or(AxisId::COUNT)
    }

    /// Whether reads of it may fall outside: a border says what is there.
    pub fn reads_around(&self) -> bool {
        self.neighbourhood != Neighbourhood::default()
    }
}

/// A value that is the same for the whole run.
#[derive(Clone, Debug)]
pub struct Uniform {
    /// The author's name.
    pub name: String,
    /// The type of its scalars.
    pub ty: Type,
    /// Whether the author wrote `usize` (then `ty` is `U32`).
    pub is_usize: bool,
    /// Array dimensions, outermost first; empty for a scalar.
    pub dims: Vec<u32>,
    /// Declared bounds of every scalar, inclusive; floats too (never NaN then).
    pub bounds: Option<(Bound, Bound)>,
    /// Declared bound on Σ|scalar| of an array: `#[uniform(sum_of_magnitudes <= 32768)]`.
    pub sum_of_magnitudes: Option<u64>,
    /// The parameter.
    pub span: Span,
}

/// A declared bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// Of an integer.
    Int(i128),
    /// Of a float.
    Float(f32),
}

/// A look-up table argument.
#[derive(Clone, Debug)]
pub struct Table {
    /// The author's name.
    pub name: String,
    /// The type of an entry in memory.
    pub element: Type,
    /// The type of the values that bodies read.
    pub ty: Type,
    /// The number of entries.
    pub length: u32,
    /// The parameter.
    pub span: Span,
}

/// A choice made while configuring.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The author's name of the parameter.
    pub name: String,
    /// The enum, as the author wrote its path.
    pub enum_name: String,
    /// Its values, in order of declaration.
    pub values: Vec<String>,
    /// The parameter.
    pub span: Span,
}

/// A parameter, in the author's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// An image.
    Input(InputId),
    /// A uniform.
    Uniform(UniformId),
    /// A table.
    Table(TableId),
    /// Where the element is: `[y, x]: At<2>`.
    Place(u32),
    /// The index of a variant in [`Kernel::variants`].
    Variant(u32),
}

/// What is written.
#[derive(Clone, Debug)]
pub struct Output {
    /// From `output(..)`; `out` for a single unnamed one.
    pub name: String,
    /// The type of a channel in memory.
    pub element: Type,
    /// The type of the values that bodies store.
    pub ty: Type,
    /// Channels of an interleaved pixel: 1 to 4.
    pub channels: u32,
    /// `name?`: the caller may leave it out.
    pub optional: bool,
}

/// How the reads outside the image are defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BorderMode {
    /// They are not: such elements are not computed.
    Undefined,
    /// A constant value.
    Constant,
    /// The nearest edge element: `aaa|abcd|ddd`.
    Replicate,
    /// Mirrored, the edge repeated: `cba|abcd|dcb`.
    Reflect,
    /// Mirrored, the edge once: `dcb|abcd|cba`.
    Reflect101,
    /// From the opposite side: `bcd|abcd|abc`.
    Wrap,
}

/// A relation between uniforms that `validate` checks and the proof may use: the terms' comparison by `op`.
#[derive(Clone, Debug)]
pub struct Require {
    /// `Lt`, `Le`, `Eq`, `Ge` or `Gt`.
    pub op: BinaryOp,
    /// The left side.
    pub left: RequireTerm,
    /// The right side.
    pub right: RequireTerm,
    /// As the author wrote it.
    pub text: String,
    /// The author's expression.
    pub span: Span,
}

/// A side of a [`Require`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RequireTerm {
    /// A scalar uniform.
    Uniform(UniformId),
    /// A constant.
    Constant(Bound),
}

/// How many elements an iteration computes, (x, y).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    /// Along the row.
    pub x: u32,
    /// Rows.
    pub y: u32,
}

/// `schedule(neon(32, 4), opencl(4, 8))`: what the author fixed; the cost model chooses the rest.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    /// For the NEON tiers.
    pub neon: Option<Block>,
    /// For the x86 tiers.
    pub x86: Option<Block>,
    /// For OpenCL: up to four, the first is the default.
    pub opencl: Vec<Block>,
}

impl Kernel {
    /// How many of the outputs' dimensions it knows: rows and columns, or those of `At<N>`.
    pub fn rank(&self) -> u32 {
        let of_place = self.parameters.iter().find_map(|parameter| match parameter {
            Parameter::Place(rank) => Some(*rank),
            _ => None,
        });
        of_place.unwrap_or(AxisId::COUNT).max(AxisId::COUNT)
    }

    /// The place of a whole input among the whole ones.
    pub fn whole_index(&self, input: InputId) -> usize {
        self.inputs.iter().take(input.0 as usize).filter(|input| input.is_whole).count()
    }
}

/// One kernel, checked: its signature and a body for each choice of variants.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The name of the generated item; with `types`, `relu_f32`.
    pub name: String,
    /// The author's function name; with `types`, `relu`.
    pub function: String,
    /// With `types(T = ..)`: the parameter's name and this copy's type.
    pub type_parameter: Option<(String, Type)>,
    /// The doc comment, lines without markers.
    pub docs: Vec<String>,
    /// Parameters in the author's order.
    pub parameters: Vec<Parameter>,
    /// Image inputs.
    pub inputs: Vec<Input>,
    /// Uniforms.
    pub uniforms: Vec<Uniform>,
    /// Tables.
    pub tables: Vec<Table>,
    /// Variants.
    pub variants: Vec<Variant>,
    /// Outputs.
    pub outputs: Vec<Output>,
    /// OpenVX's tile block: the grain in which windows are cut.
    pub step: Block,
    /// Schedules that the author fixed.
    pub schedule: Schedule,
    /// The border modes offered.
    pub borders: Vec<BorderMode>,
    /// Relations between uniforms.
    pub requires: Vec<Require>,
    /// The extents that have names.
    pub extents: Vec<NamedExtent>,
    /// The extents of the outputs, outermost first, where the author says them.
    pub window: Option<Vec<Extent>>,
    /// `fast`: floats may be contracted and reassociated.
    pub fast: bool,
    /// `deny(scalar)`: refuse operations that a tier computes lane by lane.
    pub deny_scalar: bool,
    /// One body for each combination of variants, the last variant fastest.
    pub bodies: Vec<Body>,
    /// What was proved about the values of each body; none, where nothing was asked.
    pub facts: Vec<Facts>,
    /// The author's function name token.
    pub span: Span,
}
