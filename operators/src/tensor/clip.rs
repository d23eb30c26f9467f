//! Values brought between two bounds (ONNX `Clip`, ACL `ActivationLayer` LU_BOUNDED_RELU).
use windrow::prelude::*;

/// min(max(x, lower), upper); of floats, what is not a number becomes `lower`.
#[kernel(step(8, 1), types(T = u8, i8, f32))]
pub fn clip(x: T, #[uniform] lower: T, #[uniform] upper: T) -> T {
    x.max(lower).min(upper)
}
