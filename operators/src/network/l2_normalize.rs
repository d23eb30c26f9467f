//! Division by a norm whose square is given (ACL `L2NormalizeLayer`).
use windrow::prelude::*;

/// x / √max(squares, epsilon), each operation rounded.
#[kernel(step(8, 1))]
pub fn l2_normalize(x: f32, squares: f32, #[uniform] epsilon: f32) -> f32 {
    x / squares.max(epsilon).sqrt()
}
