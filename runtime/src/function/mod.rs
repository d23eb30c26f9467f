//! Functions: what a caller runs, made of one operator or of several.
//!
//! An [`Operator`] is anything that reads images and writes images: a generated kernel, a kernel written by hand, one of another crate.
//! A [`Chain`] is several that read what others before them wrote. How it runs, and where its intermediates lie, is an
//! [`Executor`]'s to decide: [`Whole`] images one after the other, or [in bands](crate::band::InBands), so that the intermediates
//! stay in the cache; other crates bring others. What is to be done once, before the first run, is in a [`Prepared`]. A [`Simple`]
//! function wraps one kernel.

mod append;
mod builder;
mod chain;
mod edges;
mod error;
mod executor;
mod footprint;
mod generated;
mod images;
mod listing;
mod one_kernel;
mod operator;
mod plain;
mod prepare;
mod run;
mod simple;
mod stage;
mod tables;
mod value;

pub use builder::ChainBuilder;
pub use chain::Chain;
pub use error::{ExecutorError, FunctionError, OperatorError};
pub use executor::{Composite, Executable, Executor, OnProcessor, Whole};
pub use footprint::Footprint;
pub(crate) use footprint::RowFootprint;
pub use generated::{Generated, GeneratedCode};
pub(crate) use images::{Images, bind_images};
pub use listing::{Listing, Step};
pub use one_kernel::OneKernel;
pub use operator::{
    Alias, Arguments, Compiled, ComputedUniform, Given, Operator, Processor, RunBound, TableSpec, Target, UniformNeed,
    Workspace,
};
pub use plain::PlainOperator;
pub use prepare::{Prepared, Reentered};
pub use run::ChainRun;
pub use simple::{Function, Simple};
pub use stage::{Stage, scalars};
pub use tables::ChainTables;
pub(crate) use value::Place;
pub use value::{Value, ValueDef, ValueView};
