//! The intermediate representation: what a kernel means, for one element.
//!
//! A [`Body`] is flat SSA: a list of typed [`Node`]s in evaluation order, every operand before its user. Constant
//! loops are unrolled and closures inlined before a body exists, so an emitter is one loop over the list and one total
//! match. Integer arithmetic is Rust's; once [`crate::analyse`] has proved that nothing overflows, an emitter may
//! compute it with wrapping instructions. The same form holds a body before and after every optimisation, and the
//! jammed body of a schedule ([`Body::stores`] then has one entry an output, row and column of the block).

use proc_macro2::Span;

/// The element types of the language; `Bool` occurs in bodies only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// A truth value; in vector code a mask as wide as the operands it came from.
    Bool,
    /// Unsigned 8 bits.
    U8,
    /// Signed 8 bits.
    I8,
    /// Unsigned 16 bits.
    U16,
    /// Signed 16 bits.
    I16,
    /// Unsigned 32 bits; also what a run-time `usize` (an index with bounds) becomes.
    U32,
    /// Signed 32 bits.
    I32,
    /// IEEE 754 binary32.
    F32,
}

/// The index of a node in its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u32);

/// The index of an image input in [`Kernel::inputs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InputId(pub u32);

/// The index of a uniform in [`Kernel::uniforms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UniformId(pub u32);

/// The index of a look-up table in [`Kernel::tables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableId(pub u32);

/// The index of an output in [`Kernel::outputs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OutputId(pub u32);

/// The index of a path condition in [`Body::guards`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GuardId(pub u32);

/// A constant. Integers hold their value whatever their type; floats hold their bits, so that constants can be hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    /// A truth value.
    Bool(bool),
    /// An integer, in the range of the node's type.
    Int(i64),
    /// An `f32`, by its bits.
    Float(u32),
}

/// A dimension of the image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Axis {
    /// Along a row.
    X,
    /// Across rows.
    Y,
}

/// Operations on one value. The result has the operand's type where nothing else is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnaryOp {
    /// `-x`; an obligation for integers (x ≠ MIN).
    Neg,
    /// `!x`, bitwise or logical.
    Not,
    /// `abs`; an obligation for integers (x ≠ MIN).
    Abs,
    /// `unsigned_abs`: the unsigned type of the same width.
    UnsignedAbs,
    /// `wrapping_neg`.
    WrappingNeg,
    /// `wrapping_abs`.
    WrappingAbs,
    /// `saturating_neg`.
    SaturatingNeg,
    /// `saturating_abs`.
    SaturatingAbs,
    /// `signum` of an integer: −1, 0 or 1.
    Signum,
    /// `sqrt`, correctly rounded.
    Sqrt,
    /// `isqrt`: the integer square root, rounded down (unsigned types).
    Isqrt,
    /// `count_ones`, as u32.
    CountOnes,
    /// `leading_zeros`, as u32.
    LeadingZeros,
    /// `trailing_zeros`, as u32.
    TrailingZeros,
    /// `floor`.
    Floor,
    /// `ceil`.
    Ceil,
    /// `trunc`.
    Trunc,
    /// `round_ties_even`.
    RoundTiesEven,
    /// `is_nan`, as Bool.
    IsNan,
    /// `f32::from_bits` of a u32.
    FromBits,
    /// `to_bits` of an f32, as u32.
    ToBits,
}

/// Operations on two values of one type. Comparisons give `Bool`; everything else the operands' type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BinaryOp {
    /// `+`; an obligation for integers.
    Add,
    /// `-`; an obligation for integers.
    Sub,
    /// `*`; an obligation for integers.
    Mul,
    /// `/`: toward zero for integers (divisor ≠ 0, no MIN / −1), IEEE for floats.
    Div,
    /// `%`: the sign of the dividend (divisor ≠ 0, no MIN % −1); integers only.
    Rem,
    /// `<<`; the right operand is u32, below the width; the value must not change except by the power of two.
    Shl,
    /// `>>`; the right operand is u32, below the width; arithmetic for signed types.
    Shr,
    /// `&`, on integers and Bool.
    And,
    /// `|`, on integers and Bool.
    Or,
    /// `^`, on integers and Bool.
    Xor,
    /// The lesser; floats by IEEE 754-2019 minimumNumber (a NaN is ignored, −0 < +0).
    Min,
    /// The greater; floats by maximumNumber.
    Max,
    /// `abs_diff`: |a − b| in the unsigned type of the same width.
    AbsDiff,
    /// `wrapping_add`.
    WrappingAdd,
    /// `wrapping_sub`.
    WrappingSub,
    /// `wrapping_mul`.
    WrappingMul,
    /// `saturating_add`.
    SaturatingAdd,
    /// `saturating_sub`.
    SaturatingSub,
    /// `saturating_mul`.
    SaturatingMul,
    /// `halving_add`: ⌊(a + b) / 2⌋ with no intermediate overflow.
    HalvingAdd,
    /// `rounding_halving_add`: ⌊(a + b + 1) / 2⌋ with no intermediate overflow.
    RoundingHalvingAdd,
    /// `mul_high`: the upper half of the double-width product.
    MulHigh,
    /// `rounding_shr`: ⌊(a + 2^(n−1)) / 2^n⌋ computed without overflow; the right operand n is u32, below the width;
    /// n = 0 gives a.
    RoundingShr,
    /// `wrapping_shl`: bits leave on the left; the right operand is u32, taken modulo the width.
    WrappingShl,
    /// `==`.
    Eq,
    /// `!=`.
    Ne,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
}

/// The operations that compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Comparison {
    /// `==`.
    Eq,
    /// `!=`.
    Ne,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
}

impl BinaryOp {
    /// The comparison that it is, if it is one.
    pub fn comparison(self) -> Option<Comparison> {
        use BinaryOp::*;
        match self {
            Eq => Some(Comparison::Eq),
            Ne => Some(Comparison::Ne),
            Lt => Some(Comparison::Lt),
            Le => Some(Comparison::Le),
            Gt => Some(Comparison::Gt),
            Ge => Some(Comparison::Ge),
            Add | Sub | Mul | Div | Rem | Shl | Shr | And | Or | Xor | Min | Max | AbsDiff => None,
            WrappingAdd | WrappingSub | WrappingMul | WrappingShl => None,
            SaturatingAdd | SaturatingSub | SaturatingMul => None,
            HalvingAdd | RoundingHalvingAdd | MulHigh | RoundingShr => None,
        }
    }

    /// The type of the result on operands of type `ty`.
    pub fn result(self, ty: Type) -> Type {
        match self {
            BinaryOp::AbsDiff => crate::arithmetic::unsigned(ty),
            _ if self.comparison().is_some() => Type::Bool,
            _ => ty,
        }
    }
}

/// What a conversion does with a value that the target type lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CastMode {
    /// Rust's `as`. Between integers it must be proved to keep the value; float → integer truncates, saturates and
    /// makes NaN zero; integer → float rounds to nearest even; bool → integer is 0 or 1.
    Value,
    /// `wrapping_cast`: modulo 2^width, integers only.
    Wrapping,
    /// `saturating_cast`: the nearest value of the target; from floats as `Value`.
    Saturating,
}

/// What a node computes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A constant of the node's type.
    Constant(Constant),
    /// An element of an input beside the current one: at (stride·x + dx, stride·y + dy), its channel `channel`.
    Input {
        /// Which input.
        input: InputId,
        /// Which channel of an interleaved pixel; 0 otherwise.
        channel: u32,
        /// Offset in elements of the input along the row.
        dx: i32,
        /// Offset in rows of the input.
        dy: i32,
    },
    /// A scalar of a uniform: its `index`-th in row-major order.
    Uniform {
        /// Which uniform.
        uniform: UniformId,
        /// The flat index into an array uniform; 0 for a scalar.
        index: u32,
    },
    /// The output coordinate plus `offset`, as i32 (`offset` is 0 before a schedule jams).
    Coordinate {
        /// Which dimension.
        axis: Axis,
        /// Added to it.
        offset: i32,
    },
    /// `table[index]`; the index is proved to be below the length.
    Lookup {
        /// Which table.
        table: TableId,
        /// Any integer type.
        index: ValueId,
    },
    /// A value computed once for the whole run from uniforms (see [`crate::optimise`]); only in optimised bodies.
    Derived {
        /// Its place among the derived words.
        index: u32,
    },
    /// One operand.
    Unary(UnaryOp, ValueId),
    /// Two operands.
    Binary(BinaryOp, ValueId, ValueId),
    /// `a.mul_add(b, c)`: a·b + c with one rounding.
    MulAdd(ValueId, ValueId, ValueId),
    /// Both sides are computed, then one is taken.
    Select {
        /// Bool.
        condition: ValueId,
        /// Where it is true.
        then: ValueId,
        /// Where it is false.
        otherwise: ValueId,
    },
    /// A conversion to the node's type.
    Cast(CastMode, ValueId),
}

/// One value of a body.
#[derive(Clone, Debug)]
pub struct Node {
    /// What computes it.
    pub op: Op,
    /// Its type.
    pub ty: Type,
    /// The path condition under which the author's program evaluates it; `None`: always.
    pub guard: Option<GuardId>,
    /// The author's words for it, where a `let`, a parameter or a call gave some: `sum`, `column(-1)`.
    pub name: Option<String>,
    /// The author's expression.
    pub span: Span,
}

impl Node {
    /// The author's words as one word, for emitted text: `column(-1)` is `column_m1`.
    pub fn label(&self) -> Option<String> {
        let name = self.name.as_ref()?;
        let mut label = String::with_capacity(name.len());
        let mut is_between_words = false;
        for c in name.chars() {
            match c {
                '(' | ')' | '[' | ']' | '.' | ',' | ' ' | '…' => is_between_words = !label.is_empty(),
                _ => {
                    if is_between_words {
                        label.push('_');
                        is_between_words = false;
                    }
                    label.push(if c == '-' { 'm' } else { c });
                }
            }
        }
        Some(label)
    }
}

/// A path condition: `condition` has the value `polarity`, and `parent` holds too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    /// The enclosing condition.
    pub parent: Option<GuardId>,
    /// A Bool value.
    pub condition: ValueId,
    /// Which of its values.
    pub polarity: bool,
}

/// What must be proved beside what an operation itself demands.
#[derive(Clone, Debug)]
pub enum Demand {
    /// `lo <= hi`, for `clamp`; not NaN for floats.
    ClampBounds {
        /// The lower bound.
        lo: ValueId,
        /// The upper bound.
        hi: ValueId,
    },
    /// `index < length`, for an array element chosen at run time.
    Index {
        /// Any integer.
        index: ValueId,
        /// The array's length.
        length: u64,
    },
}

/// A demand, where it stands and when it applies.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// What must hold.
    pub demand: Demand,
    /// The path condition under which it must.
    pub guard: Option<GuardId>,
    /// The author's expression.
    pub span: Span,
}

/// A value written to an output.
#[derive(Clone, Debug)]
pub struct Store {
    /// Which output.
    pub output: OutputId,
    /// Which channel of an interleaved pixel; 0 otherwise.
    pub channel: u32,
    /// The column of the block, in elements (a multiple of the vector's lanes); 0 before a schedule jams.
    pub dx: i32,
    /// The row of the block; 0 before a schedule jams.
    pub dy: i32,
    /// What is written.
    pub value: ValueId,
}

/// One straight-line program: a kernel with its variants chosen.
#[derive(Clone, Debug)]
pub struct Body {
    /// The chosen value of each of [`Kernel::variants`], in order.
    pub choice: Vec<u32>,
    /// The values, in evaluation order.
    pub nodes: Vec<Node>,
    /// The path conditions that the nodes name.
    pub guards: Vec<Guard>,
    /// What is to be proved beside the operations' own demands.
    pub obligations: Vec<Obligation>,
    /// What is written.
    pub stores: Vec<Store>,
}

impl Body {
    /// The node of `id`.
    pub fn node(&self, id: ValueId) -> &Node {
        &self.nodes[id.0 as usize]
    }
}

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

/// An image argument.
#[derive(Clone, Debug)]
pub struct Input {
    /// The author's name.
    pub name: String,
    /// The type of a channel.
    pub ty: Type,
    /// Channels of an interleaved pixel: 1 to 4.
    pub channels: u32,
    /// What the body reads around the element (inferred), or what the author declared.
    pub neighbourhood: Neighbourhood,
    /// Input elements for one output element, (x, y); (1, 1) where no `#[stride]` stands.
    pub stride: (u32, u32),
    /// The output that this input also is (`#[inout]`).
    pub inout: Option<OutputId>,
    /// Whether the author wrote `Neighbourhood<T>` (borders matter) or a plain element.
    pub is_neighbourhood: bool,
    /// The parameter.
    pub span: Span,
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
    Int(i64),
    /// Of a float.
    Float(f32),
}

/// A look-up table argument.
#[derive(Clone, Debug)]
pub struct Table {
    /// The author's name.
    pub name: String,
    /// The type of an entry.
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
    /// The index of a variant in [`Kernel::variants`].
    Variant(u32),
}

/// What is written.
#[derive(Clone, Debug)]
pub struct Output {
    /// From `output(..)`; `out` for a single unnamed one.
    pub name: String,
    /// The type of a channel.
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
    /// `fast`: floats may be contracted and reassociated.
    pub fast: bool,
    /// `deny(scalar)`: refuse operations that a tier computes lane by lane.
    pub deny_scalar: bool,
    /// One body for each combination of variants, the last variant fastest.
    pub bodies: Vec<Body>,
    /// The author's function name token.
    pub span: Span,
}
