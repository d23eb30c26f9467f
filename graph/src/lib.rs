//! Networks as graphs of windrow's operators: a model is read, planned once, and run many times.
//!
//! ```
//! use windrow::{Rayon, View};
//! use windrow_graph::Model;
//!
//! /// The scores of a photograph: `pixels` are [image, channel, row, column], as the network was trained with.
//! fn classify(file: &[u8], pixels: &[f32]) -> Result<Vec<f32>, Box<dyn std::error::Error>> {
//!     let plan = Model::from_onnx(file)?.plan()?;
//!     let photo = View::from_slice(pixels, [1, 3, 33, 35])?;
//!     let scores = plan.apply(&Rayon::new(), &[photo.any()])?;
//!     Ok(scores[0].to_vec())
//! }
//!
//! let file = include_bytes!("../tests/models/squeeze.onnx");
//! let scores = classify(file, &[0.5; 3 * 33 * 35])?;
//! assert_eq!(scores.len(), 10);
//! assert!((scores.iter().sum::<f32>() - 1.0).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | Concept | Is |
//! |---|---|
//! | [`Model`] | what a file says: values, and the nodes that compute them |
//! | [`CustomOperator`] | a kernel of a user's own for nodes that the library lacks |
//! | [`Partition`](partition::Partition) | which nodes of a model another library would compute, and why not the others |
//! | [`Plan`] | what is run: an operator of the library for each node, configured, and the memory between them |
//!
//! A plan computes every element as the library's operators define it, so that its answer is the same in every run, on any number
//! of threads, and on every processor. It takes and gives tensors in the file's shapes: of ONNX `[image, channel, row, column]` for an image,
//! of TFLite and of TVM `[image, row, column, channel]`. Between the layers, an image's channels lie side by side.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod analysis;
mod array;
mod assemble;
mod budget;
mod call;
mod choices;
mod configured;
mod constants;
mod custom;
mod cuts;
#[cfg(feature = "opencl")]
mod device;
mod draft;
mod elements;
mod error;
mod file;
mod float;
mod fold;
mod fused;
mod gathered;
mod lower;
mod malformed;
mod matrices;
mod model;
mod norms;
mod onnx;
pub mod operator;
pub mod partition;
mod places;
mod plan;
mod pooling;
mod prepare;
mod quantized;
mod row_windows;
mod rows;
mod run;
mod scale;
mod scaling;
mod shape;
mod slot;
mod step;
mod steps;
mod sums;
mod table;
mod taps;
mod tflite;
mod transposed;
mod truths;
mod tvm;
mod weights;

/// The code of the package's README and of the page on networks, compiled as documentation tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../README.md")]
    struct Readme;
    #[doc = include_str!("../../docs/networks.md")]
    struct Networks;
}

pub use custom::{
    Attribute, Custom, CustomNode, CustomNodeError, CustomOperator, CustomOperators, InvalidCustomOperator,
};
#[cfg(feature = "opencl")]
pub use device::{
    DevicePlan, DevicePlanError, Direction, PlacedStep, Placement, RunOnDeviceError, StepPlace, Transfer,
};
pub use error::{ModelError, PlanError, RunPlanError, Unsupported};
pub use file::PlanFileError;
pub use fused::{Fused, Fusion};
pub use malformed::Malformed;
pub use model::{Model, Node};
pub use plan::{Buffer, Plan, PlanOptions};
pub use scaling::Requantization;
pub use slot::Root;
pub use step::{Access, Step};
