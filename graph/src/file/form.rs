//! The form of a plan's JSON.
//!
//! A change of the form, of a kernel's numbers or of what a kernel computes is another version.

use serde::{Deserialize, Serialize};
use windrow::ElementType;

use crate::{
    call::Call,
    float::Float,
    fused::Fused,
    slot::{Root, Slot},
};

/// The version that is written, and that alone is read.
pub(super) const VERSION: u64 = 1;

/// What every version begins with.
#[derive(Deserialize)]
pub(super) struct Head {
    pub windrow_plan: u64,
}

/// The whole.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlanForm {
    #[serde(rename = "windrow_plan")]
    pub _version: u64,
    pub inputs: Vec<NamedForm>,
    pub outputs: Vec<NamedForm>,
    pub constants: Vec<ConstantForm>,
    pub buffers: Vec<BufferForm>,
    pub steps: Vec<StepForm>,
}

/// An input or an output.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NamedForm {
    pub name: String,
    pub element: ElementForm,
    pub extents: Vec<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quantization: Option<QuantizationForm>,
}

/// What integers stand for: scale · (integer − zero).
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct QuantizationForm {
    pub scale: Float,
    pub zero: i32,
}

/// Elements of the constants' file, in C order.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConstantForm {
    pub element: ElementForm,
    pub count: usize,
    /// Bytes from the start of the file.
    pub offset: usize,
    /// Of the bytes, in hexadecimal digits.
    pub sha256: String,
}

/// An intermediate.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BufferForm {
    pub element: ElementForm,
    pub count: usize,
}

/// A step.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StepForm {
    pub node: String,
    pub operator: String,
    pub kernel: Call,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fused: Vec<Fused>,
    pub reads: Vec<SlotForm>,
    pub writes: SlotForm,
}

/// Where a tensor lies; the type of its elements is that of the memory.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SlotForm {
    #[serde(rename = "in")]
    pub root: Root,
    /// The place of the first element, counted in elements, as strides are.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub offset: usize,
    pub extents: Vec<usize>,
    pub strides: Vec<usize>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives references")]
fn is_zero(offset: &usize) -> bool {
    *offset == 0
}

/// The types that values of a plan have.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ElementForm {
    F32,
    I8,
    U8,
    I32,
}

impl ElementForm {
    /// `None` for a type that no value of a plan has.
    pub fn new(element: ElementType) -> Option<ElementForm> {
        match element {
            ElementType::F32 => Some(ElementForm::F32),
            ElementType::I8 => Some(ElementForm::I8),
            ElementType::U8 => Some(ElementForm::U8),
            ElementType::I32 => Some(ElementForm::I32),
            _ => None,
        }
    }

    pub fn element(self) -> ElementType {
        match self {
            ElementForm::F32 => ElementType::F32,
            ElementForm::I8 => ElementType::I8,
            ElementForm::U8 => ElementType::U8,
            ElementForm::I32 => ElementType::I32,
        }
    }
}

impl SlotForm {
    /// The same, in the memory that is `root` in the file.
    pub fn new(slot: &Slot, root: Root) -> SlotForm {
        SlotForm { root, offset: slot.offset, extents: slot.extents.clone(), strides: slot.strides.clone() }
    }
}
