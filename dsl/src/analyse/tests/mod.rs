//! Tests of the proof, on bodies written with a small builder.

mod accepted;
mod bounded;
mod builder;
mod explain;
mod facts;
mod fast;
mod inputs;
mod messages;
mod obligations;
mod orders;
mod page;
mod properties;
mod random;
mod sources;
mod transfer;
