//! Other bodies with the same results: what the author spelled out as the operation that machines have, in the narrowest
//! lanes, with sums factored and ranks selected by fewer exchanges.

pub(super) mod forms;
pub(super) mod idioms;
mod lanes;
pub(super) mod narrow;

pub use forms::{Form, forms, separate};
pub use lanes::{explain_lanes, lanes};
