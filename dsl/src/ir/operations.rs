//! What a node can compute: the operations of the language, each defined by its comment.
//!
//! A new one has a variant here; the compiler lists the matches that must know it.

use super::{Access, AxisId, Constant, InputId, TableId, Type, UniformId, ValueId};

/// What an operation does with an exact result that its type lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Overflow {
    /// It has none: an obligation before [`crate::analyse`], a fact after it. On floats, which have no overflow in this
    /// sense, the only one.
    Never,
    /// It gives the result modulo 2^width; integers only.
    Wrap,
    /// It gives the nearest value of the type; integers only.
    Saturate,
}

/// In which order the turns of a loop change its variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Order {
    /// One after the other.
    Written,
    /// In [`LANES`](super::loops::LANES) lanes, each of which holds what the variables hold before the loop: turn i, counted from 0,
    /// changes lane i modulo their number. Behind the loop a variable is the sum of its lanes: each of the lower half and the one as
    /// far into the upper half are added, and so on until one is left.
    Lanes,
}

/// Operations on one value. The result has the operand's type where nothing else is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnaryOp {
    /// `-x`.
    Neg(Overflow),
    /// `!x`, bitwise or logical.
    Not,
    /// `abs`.
    Abs(Overflow),
    /// `unsigned_abs`: the unsigned type of the same width.
    UnsignedAbs,
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
    /// The value of the binary16 whose bits are the lower half of a u32, as f32: exact.
    FromHalf,
    /// The bits of the binary16 that is nearest to an f32, ties to the even one, as u32: below 2^16. A NaN gives one, whose payload is any.
    ToHalf,
}

/// Operations on two values of one type. Comparisons give `Bool`; everything else the operands' type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BinaryOp {
    /// `+`.
    Add(Overflow),
    /// `-`.
    Sub(Overflow),
    /// `*`.
    Mul(Overflow),
    /// `/`: toward zero for integers (divisor ≠ 0, no MIN / −1), IEEE for floats.
    Div,
    /// `%`: the sign of the dividend (divisor ≠ 0, no MIN % −1); integers only.
    Rem,
    /// `<<`; the right operand is u32. Without overflow it is below the width, and the value changes by the power of two
    /// alone; where it wraps, it is taken modulo the width. There is no saturating one.
    Shl(Overflow),
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
    /// `halving_add`: ⌊(a + b) / 2⌋ with no intermediate overflow.
    HalvingAdd,
    /// `rounding_halving_add`: ⌊(a + b + 1) / 2⌋ with no intermediate overflow.
    RoundingHalvingAdd,
    /// `mul_high`: the upper half of the double-width product.
    MulHigh,
    /// `rounding_shr`: ⌊(a + 2^(n−1)) / 2^n⌋ computed without overflow; the right operand n is u32, below the width;
    /// n = 0 gives a.
    RoundingShr,
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
            Add(_) | Sub(_) | Mul(_) | Div | Rem | Shl(_) | Shr | And | Or | Xor | Min | Max | AbsDiff => None,
            HalvingAdd | RoundingHalvingAdd | MulHigh | RoundingShr => None,
        }
    }

    /// The type of the result on operands of type `ty`.
    pub fn result(self, ty: Type) -> Type {
        match self {
            BinaryOp::AbsDiff => ty.unsigned(),
            _ if self.comparison().is_some() => Type::BOOL,
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

/// The least and the greatest value of a float that is a number, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FloatBounds {
    /// The bits of the least value, as binary64.
    pub least: u64,
    /// The bits of the greatest value, as binary64.
    pub greatest: u64,
}

/// What a node computes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A constant of the node's type.
    Constant(Constant),
    /// An element of an input, at a place that depends on where the element of the output is.
    Load(Access),
    /// A scalar of a uniform: its `index`-th in row-major order.
    Uniform {
        /// Which uniform.
        uniform: UniformId,
        /// The flat index into an array uniform; 0 for a scalar.
        index: u32,
    },
    /// Where the element of the output is along an axis, plus `offset`, as i32 (`offset` is 0 before a schedule jams).
    Coordinate {
        /// Which axis.
        axis: AxisId,
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
    /// How long a dimension of a whole input is, as i32: at least 1.
    Extent {
        /// Which input.
        input: InputId,
        /// Its dimension, outermost first.
        dimension: u32,
    },
    /// The bytes from one element of a whole input to the next along a dimension, as i32; only behind a target's
    /// decomposition.
    Stride {
        /// Which input.
        input: InputId,
        /// Its dimension, outermost first.
        dimension: u32,
    },
    /// Which plane of a whole input lies at an index along a dimension outside rows and columns, as i32: the index, and where
    /// there are dimensions outside that one, their plane times the dimension's extent besides. A target may number planes in
    /// another way, such as by bytes.
    Plane {
        /// Which input.
        input: InputId,
        /// Its dimension, outermost first.
        dimension: u32,
        /// The plane of the dimensions outside it.
        outside: Option<ValueId>,
        /// An i32.
        index: ValueId,
    },
    /// The element of a whole input at a row and a column that are computed, each an i32, in a plane. A place outside gives some
    /// element of the input; before indices are clamped it is one that no path condition admits.
    Gather {
        /// Which input.
        input: InputId,
        /// Which channel of an interleaved pixel; 0 otherwise.
        channel: u32,
        /// The plane, an [`Op::Plane`]; none for the one that a run is at.
        plane: Option<ValueId>,
        /// The row and the column.
        at: [ValueId; 2],
    },
    /// The same where the address is computed already; only behind a target's decomposition.
    Fetch {
        /// Which input.
        input: InputId,
        /// Which channel of an interleaved pixel; 0 otherwise.
        channel: u32,
        /// The bytes from the input's first element, an i32.
        offset: ValueId,
    },
    /// Neighbouring elements of a row of a whole input, one a lane: that of lane i is in the column `first` + i, or in column 0
    /// or `last` where that lies outside. `first` is that of the first lane, an i32 as the others; the input has one channel.
    /// Only behind a target's decomposition.
    Contiguous {
        /// Which input.
        input: InputId,
        /// The bytes from the input's first element to the row's, an i32, the same for all lanes.
        row: ValueId,
        /// The column of the first lane.
        first: ValueId,
        /// The greatest column, the same for all lanes.
        last: ValueId,
        /// What the lanes are: columns of the output, or [`AxisId::LANE`].
        axis: AxisId,
    },
    /// What the lanes of a value that varies along [`AxisId::LANE`] have in common: each lane of the lower half with the one as far
    /// into the upper half, and so on until one is left. Only behind a target's decomposition.
    Across {
        /// The operation on two of them.
        op: BinaryOp,
        /// The value in lanes.
        value: ValueId,
    },
    /// What a work-group holds in local memory: a value that varies along the group's rows or columns, where it is that of the
    /// element's own row or column. Only behind a target's decomposition.
    Local {
        /// The value, which varies along [`AxisId::GROUP_Y`] or [`AxisId::GROUP_X`], and maybe along the group's planes.
        value: ValueId,
        /// Which of the element's axes stands for the group's: [`AxisId::Y`] or [`AxisId::X`].
        axis: AxisId,
        /// Added to the element's place along it (0 before a schedule jams).
        offset: i32,
    },
    /// A value computed once for the whole run from uniforms (see [`crate::optimise`]); only in optimised bodies.
    Derived {
        /// Its place among the derived words.
        index: u32,
        /// What a float lies between that is known to be a number.
        bounds: Option<FloatBounds>,
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
    /// The variable of a loop at run time, an i32 or a u32: `start`, `start + 1`, … below `end`, a turn each. See [`super::loops`].
    Turn {
        /// The axis that its turns are, this loop's own.
        axis: AxisId,
        /// Of the first turn.
        start: ValueId,
        /// Behind the last turn; where it is not above `start`, there is none.
        end: ValueId,
        /// In which order its variables take what turns leave in them.
        order: Order,
    },
    /// What a variable holds when a turn begins: `before` in the first, in others what the turn before left.
    Carried {
        /// The loop: its [`Op::Turn`].
        turn: ValueId,
        /// What it holds when the loop begins.
        before: ValueId,
        /// Its place among the variables of the loop.
        index: u32,
    },
    /// Says what a turn leaves in a variable; no value. They are a list, so that what one variable holds needs all of them.
    Advance {
        /// The variable: an [`Op::Carried`].
        carried: ValueId,
        /// What the next turn finds in it.
        after: ValueId,
        /// The one before in the list; the loop's [`Op::Turn`] for the first.
        rest: ValueId,
    },
    /// What a variable holds behind a loop.
    Outcome {
        /// The last [`Op::Advance`] of the loop.
        end: ValueId,
        /// The variable: an [`Op::Carried`].
        carried: ValueId,
    },
}
