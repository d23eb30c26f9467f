//! Operations on one element at a time.
pub mod accumulate;
pub mod convert_depth;
pub mod sharpen;
pub mod table_lookup;
pub mod threshold;
pub mod weighted_average;
