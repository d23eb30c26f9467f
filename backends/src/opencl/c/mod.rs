//! OpenCL C itself: types, expressions and statements, names, and the helpers that programs pull in.

pub mod names;
pub mod prelude;
pub mod text;
pub mod types;
