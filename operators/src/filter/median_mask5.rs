//! Rank filter over any mask in 5×5 elements (OpenVX `vxNonLinearFilter`): the median. A smaller mask has zeros around it.
use windrow::prelude::*;

/// The median of the elements where the mask is 255, of an even number the upper one in the middle; it is 0 elsewhere. Of none it is 255.
#[kernel(step(16, 1), schedule(opencl(4, 1)))]
pub fn median_mask5(src: Neighbourhood<u8>, #[uniform] mask: [[u8; 5]; 5]) -> u8 {
    // In the order of signed numbers, which vectors compare in one instruction.
    let signed = |x: u8| -> i8 { (x ^ 128).wrapping_cast() };
    let mut count = 0u8;
    for row in mask {
        for flag in row {
            count = count.wrapping_sub(flag);
        }
    }
    // Bit by bit from the highest: the greatest limit that no more than half of the elements are below.
    let mut median = 0;
    for bit in [128, 64, 32, 16, 8, 4, 2, 1] {
        let mut below = 0u8;
        for (row, flags) in src.window::<5, 5>().into_iter().zip(mask) {
            for (x, flag) in row.into_iter().zip(flags) {
                below = below.wrapping_sub(if signed(x) < signed(median | bit) { flag } else { 0 });
            }
        }
        median = if below <= count / 2 { median | bit } else { median };
    }
    median
}
