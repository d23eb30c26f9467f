//! Operators of a user's own: kernels that nodes of a model are computed by, which the library lacks.
//!
//! [`operator`] is what a user says of a kernel, [`meaning`] a node of a model that is one, and [`call`] what a plan keeps of it.

mod attribute;
mod call;
mod error;
mod lower;
mod meaning;
mod node;
mod operator;
mod operators;
mod tensors;

pub use attribute::Attribute;
pub(crate) use call::{CustomCall, Unresolved};
pub use error::{CustomNodeError, InvalidCustomOperator};
pub(crate) use lower::lower;
pub use meaning::Custom;
pub use node::CustomNode;
pub use operator::CustomOperator;
pub use operators::CustomOperators;
pub(crate) use tensors::tensors;
