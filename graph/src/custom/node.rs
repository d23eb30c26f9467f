//! A node as the functions of its operator see it.

use windrow::{TensorInfo, tensor::Quantization};

use super::Attribute;

/// A node as the functions of its operator see it.
#[derive(Clone, Copy, Debug)]
pub struct CustomNode<'n> {
    pub(super) attributes: &'n [(String, Attribute)],
    pub(super) inputs: &'n [TensorInfo],
    pub(super) output: Option<Quantization>,
}

impl<'n> CustomNode<'n> {
    /// Returns an attribute that the node has, or `None`.
    pub fn attribute(&self, name: &str) -> Option<&'n Attribute> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, attribute)| attribute)
    }

    /// Returns the type and shape of each tensor that it reads, as the kernel has them, and what their integers stand for.
    pub fn inputs(&self) -> &'n [TensorInfo] {
        self.inputs
    }

    /// Returns what the integers of its output stand for, where the model says that.
    pub fn output_quantization(&self) -> Option<Quantization> {
        self.output
    }
}
