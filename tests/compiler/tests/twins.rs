//! The twins of all cases, as an author's own crate has them: compiled without a warning. Beside them the operators of the
//! language's own example. Whether they compile is the test; a harness would run the tests of their kernels too.
//! `unsafe` is the authors' own: what is generated needs no permission.
#![deny(unsafe_code)]
#![deny(warnings)]
#![allow(dead_code, unused_qualifications, clippy::all)]

include!(concat!(env!("OUT_DIR"), "/twins.rs"));

fn main() {}
