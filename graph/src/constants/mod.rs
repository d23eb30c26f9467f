//! What nodes make of constants, computed while a model is planned: shapes as numbers, and what is made of those.

mod evaluate;
mod numbers;
mod resolve;

pub(crate) use resolve::resolved;
