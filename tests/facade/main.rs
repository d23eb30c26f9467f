//! Kernels as a user of the crate `windrow` writes and calls them: one program, for linking is what takes long.

mod apply;
mod borders;
mod double;
mod embedded;
mod fast;
mod halves;
mod helpers;
mod images;
mod long;
mod loops;
mod padding;
mod shadows;
mod tensors;
mod unsigned_long;
mod views;
mod whole;
mod wrong_lowerings;
