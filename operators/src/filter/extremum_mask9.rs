//! Rank filters over any mask in 9×9 elements (OpenVX `vxNonLinearFilter`): the least and the greatest. A smaller mask has zeros around it.
use windrow::prelude::*;

/// The least of the elements where the mask is 255; it is 0 elsewhere. Of none it is 255.
#[kernel(step(16, 1), schedule(opencl(4, 1)))]
pub fn minimum_mask9(src: Neighbourhood<u8>, #[uniform] mask: [[u8; 9]; 9]) -> u8 {
    let mut least = 255;
    for (row, flags) in src.window::<9, 9>().into_iter().zip(mask) {
        for (x, flag) in row.into_iter().zip(flags) {
            least = (x | !flag).min(least);
        }
    }
    least
}

/// The greatest of the elements where the mask is 255; it is 0 elsewhere. Of none it is 0.
#[kernel(step(16, 1), schedule(opencl(4, 1)))]
pub fn maximum_mask9(src: Neighbourhood<u8>, #[uniform] mask: [[u8; 9]; 9]) -> u8 {
    let mut greatest = 0;
    for (row, flags) in src.window::<9, 9>().into_iter().zip(mask) {
        for (x, flag) in row.into_iter().zip(flags) {
            greatest = (x & flag).max(greatest);
        }
    }
    greatest
}
