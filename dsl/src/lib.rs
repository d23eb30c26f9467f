//! The language of windrow: from an author's tokens to a checked, analysed IR.
//!
//! [`compile_kernel`], [`compile_module`] and [`compile_file`] are the doors; each reads as the list of its phases. A
//! phase reports all mistakes that it finds; the next one runs where there were none. Optimisation and text are not
//! made here: [`optimise`] and the emitters take what [`CompiledKernel`] holds.

pub mod analyse;
pub mod arithmetic;
pub mod builtins;
mod compile;
pub mod diagnostic;
pub mod dump;
pub mod functions;
pub mod helpers;
mod infer;
pub mod interpret;
pub mod ir;
mod keep;
pub mod library;
mod lower;
pub mod macro_names;
pub mod messages;
pub mod operators;
pub mod optimise;
mod parse;
pub mod pipeline;
pub mod quick;
mod refuse;
mod signature;
mod syntax;
mod witness;

pub use compile::{Compiled, CompiledKernel, compile_file, compile_file_with, compile_kernel, compile_module};
pub use refuse::{
    helper as refused_helper, kernel as refused_kernel, kernel_by as refused_kernel_by, module as refused_module,
    module_by as refused_module_by,
};
pub use syntax::Ends;
