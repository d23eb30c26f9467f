//! Emitted OpenCL C against the interpreter of the IR, on the machine's OpenCL device: every operation in every type,
//! every border, awkward shapes. Without a device the texts are still emitted.

mod anywhere;
mod borders;
mod device;
mod halves;
mod images;
mod kernels;
mod operations;
mod snapshots;
mod syntax;
mod tiles;
