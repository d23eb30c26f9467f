//! Pooling of planes over windows of 2×2 and 3×3 (ACL `PoolingLayer`).
use windrow::prelude::*;

#[kernels]
pub mod pools {
    //! What is made of a window, and the kernels of each size and stride.
    use windrow::prelude::*;

    /// What becomes of the elements of a window.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Pooling {
        /// The greatest; the border to give is the constant −∞.
        Max,
        /// The mean; elements of the border count.
        Average,
        /// The root of the mean of the squares; elements of the border count.
        L2,
    }

    fn merge(a: f32, b: f32, pooling: Pooling) -> f32 {
        if pooling == Pooling::Max { a.max(b) } else { a + b }
    }

    fn mean(total: f32, count: f32, pooling: Pooling) -> f32 {
        match pooling {
            Pooling::Max => total,
            Pooling::Average => total / count,
            Pooling::L2 => (total / count).sqrt(),
        }
    }

    fn own(x: f32, pooling: Pooling) -> f32 {
        if pooling == Pooling::L2 { x * x } else { x }
    }

    /// The window of 2×2 that begins at every second element of every second row.
    #[kernel(step(8, 1), schedule(neon(8, 1), x86(8, 1)))]
    pub fn pool2x2_stride2(#[stride(2, 2)] src: Neighbourhood<f32>, #[variant] pooling: Pooling) -> f32 {
        let p = |dx, dy| own(src.at(dx, dy), pooling);
        let row = |dy| merge(p(0, dy), p(1, dy), pooling);
        mean(merge(row(0), row(1), pooling), 4.0, pooling)
    }

    /// The window of 3×3 around each element.
    #[kernel(step(8, 1), schedule(neon(8, 1), x86(8, 1)))]
    pub fn pool3x3(src: Neighbourhood<f32>, #[variant] pooling: Pooling) -> f32 {
        let p = |dx, dy| own(src.at(dx, dy), pooling);
        let row = |dy| merge(merge(p(-1, dy), p(0, dy), pooling), p(1, dy), pooling);
        mean(merge(merge(row(-1), row(0), pooling), row(1), pooling), 9.0, pooling)
    }

    /// As `pool3x3`, at every second element of every second row.
    #[kernel(step(8, 1), schedule(neon(8, 1), x86(8, 1)))]
    pub fn pool3x3_stride2(#[stride(2, 2)] src: Neighbourhood<f32>, #[variant] pooling: Pooling) -> f32 {
        let p = |dx, dy| own(src.at(dx, dy), pooling);
        let row = |dy| merge(merge(p(-1, dy), p(0, dy), pooling), p(1, dy), pooling);
        mean(merge(merge(row(-1), row(0), pooling), row(1), pooling), 9.0, pooling)
    }
}
