//! The JSON of TVM's integration of the Arm Compute Library, whose constants travel apart.
//!
//! What is read is what TVM 0.19's `acl_runtime.cc` reads, of which `json_node.h` says the form and `arm_compute_lib/codegen.cc` what
//! inputs and attributes a kernel has. TVM has one kernel in a file; here there may be any number.

mod attributes;
mod form;
mod given;
mod import;
mod operators;
mod params;
mod pooling;
mod scales;
mod tensor;

pub(crate) use form::is_file;
pub(crate) use given::{from_params, from_tensors};
pub(crate) use import::read;
