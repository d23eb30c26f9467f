//! The runtime as a whole, on kernels written by hand: one program, for linking is what takes long.

mod common;

mod aligned;
mod allocations;
mod band;
mod borders;
mod canaries;
mod dense;
mod embed;
mod execute;
mod executor;
mod floats;
mod function;
mod guard;
mod kernels;
mod many;
mod memory;
mod names;
mod no_panic;
mod padding;
mod paths;
mod plan;
mod refuse;
mod schedule;
mod side_by_side;
mod small;
mod soak;
mod strides;
mod tall;
mod tensor;
mod tier;
mod tiles;
mod tiling;
mod traps;
mod volumes;
mod window;
