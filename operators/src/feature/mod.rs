//! Pieces of corner and edge detectors.
pub mod fast_score;
pub mod harris_score;
pub mod harris_score3;
pub mod harris_score5;
pub mod suppress3x3;
pub mod thin_edges;
