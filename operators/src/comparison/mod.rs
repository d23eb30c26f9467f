//! Comparisons, and what is chosen by them.
pub mod compare;
pub mod is_nan;
pub mod select;
