//! The language of windrow: from an author's tokens to a checked, analysed, optimised IR.
pub mod analyse;
pub mod diagnostic;
pub mod ir;
pub mod optimise;
