//! The language of windrow: from an author's tokens to a checked, analysed, optimised IR.
pub mod analyse;
pub mod arithmetic;
pub mod diagnostic;
pub mod dump;
pub mod interpret;
pub mod ir;
pub mod optimise;
