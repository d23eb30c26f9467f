//! Convolution with coefficients of any odd size to 15×15 (OpenVX `vxConvolve`): flipped, divided toward zero, saturated.
use windrow::prelude::*;

#[kernels]
pub mod convolutions {
    //! The convolution, and what lies outside its image.
    use windrow::prelude::*;

    /// What is read outside an image.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Outside {
        /// A value.
        Constant,
        /// The nearest element.
        Replicate,
    }

    /// Coefficients [rows, columns], of which at most 15 × 15 are read, rows from the top; the result saturates to the output's type.
    #[kernel(step(16, 1), types(T = u8, i16), window(h, w))]
    pub fn convolve(
        [y, x]: At<2>,
        #[shape(h, w)] src: View<u8, 2>,
        k: View<i16, 2>,
        #[uniform(1..=32768)] scale: i32,
        #[variant] outside: Outside,
        #[uniform] value: u8,
    ) -> T {
        let ([h, w], [rows, columns]) = (src.extents(), k.extents());
        let mut sum = 0i32;
        for j in 0..rows.min(15) {
            for i in 0..columns.min(15) {
                let (row, column) = (y + rows.min(15) / 2 - j, x + columns.min(15) / 2 - i);
                let element = match outside {
                    Outside::Constant => src.get([row, column]).unwrap_or(value),
                    Outside::Replicate => src[[row.clamp(0, h - 1), column.clamp(0, w - 1)]],
                };
                sum += k[[j, i]] as i32 * element as i32;
            }
        }
        (sum / scale).saturating_cast()
    }
}
