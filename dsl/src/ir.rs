//! The intermediate representation: what a kernel means, for one element.
//!
//! A [`Body`] is flat SSA: a list of typed [`Node`]s in evaluation order, every operand before its user. Constant
//! loops are unrolled and closures inlined before a body exists, so an emitter is one loop over the list and one total
//! match. Integer arithmetic is Rust's; once [`crate::analyse`] has proved that nothing overflows, an emitter may
//! compute it with wrapping instructions. The same form holds a body before and after every optimisation, and the
//! jammed body of a schedule ([`Body::stores`] then has one entry an output, row and column of the block). Loops whose length is
//! known at run time are values too ([`loops`]).

mod access;
mod along;
mod axes;
mod bodies;
mod codes;
mod extents;
mod kernels;
pub mod legal;
pub mod loops;
mod numbers;
mod operations;
pub(crate) mod range;
mod shape;
mod types;
mod verify;

pub use access::{Access, Affine, Tap, Term, image_place};
pub use along::{along, along_apart, along_but_end};
pub use axes::{Axes, AxisId};
pub use bodies::{Body, Demand, Guard, Measured, Name, Node, Obligation, Rewriting, Store};
pub use extents::{Extent, ExtentOp, NamedExtent};
pub use kernels::{
    Block, BorderMode, Bound, Input, Kernel, Neighbourhood, Output, Parameter, Require, RequireTerm, Schedule, Table,
    Uniform, Variant,
};
pub use numbers::Numbers;
pub use operations::{BinaryOp, CastMode, Comparison, FloatBounds, Op, Order, Overflow, UnaryOp};
pub use range::{Facts, Range};
pub use shape::Operands;
pub use types::{Kind, Type, Types};
pub use verify::{Fault, check, check_opencl, check_values, check_vector, verify, with_fault};

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
    /// An integer, in the range of the node's type, whatever its width.
    Int(i128),
    /// An `f32`, by its bits.
    Float(u32),
    /// An `f64`, by its bits.
    Double(u64),
}

impl Constant {
    /// The float of a type that is nearest to a value.
    pub fn of_float(value: f64, ty: Type) -> Self {
        if ty == Type::F64 { Self::Double(value.to_bits()) } else { Self::Float((value as f32).to_bits()) }
    }

    /// The value of a float.
    pub fn as_float(self) -> Option<f64> {
        match self {
            Self::Float(bits) => Some(f32::from_bits(bits).into()),
            Self::Double(bits) => Some(f64::from_bits(bits)),
            Self::Bool(_) | Self::Int(_) => None,
        }
    }

    /// Whether this is a value of a type.
    pub fn is_of(self, ty: Type) -> bool {
        match self {
            Self::Bool(_) => ty == Type::BOOL,
            Self::Int(value) => ty.is_integer() && ty.limits().0 <= value && value <= ty.limits().1,
            Self::Float(_) => ty == Type::F32,
            Self::Double(_) => ty == Type::F64,
        }
    }
}
