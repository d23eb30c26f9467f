//! Tests of the proof, on bodies written with a small builder.

mod builder;
mod explain;
mod messages;
mod obligations;
