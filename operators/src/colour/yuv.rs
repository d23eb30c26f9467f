//! RGB and YUV in full range (OpenVX `vxColorConvert`): real weights in ten-thousandths, exact, rounded down.
use windrow::prelude::*;

#[kernels]
pub mod spaces {
    //! The weights of the two spaces, and the kernels.
    use windrow::prelude::*;

    /// Whose weights.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ColourSpace {
        /// Rec. ITU-R BT.601.
        Bt601,
        /// Rec. ITU-R BT.709.
        Bt709,
    }

    fn weights(space: ColourSpace) -> [[i32; 3]; 3] {
        match space {
            ColourSpace::Bt601 => [[2990, 5870, 1140], [-1687, -3313, 5000], [5000, -4187, -813]],
            ColourSpace::Bt709 => [[2126, 7152, 722], [-1146, -3854, 5000], [5000, -4542, -458]],
        }
    }

    fn weigh([r, g, b]: [u8; 3], [x, y, z]: [i32; 3], base: i32) -> u8 {
        ((r as i32 * x + g as i32 * y + b as i32 * z + base * 10000) / 10000) as u8
    }

    /// Luma (the first plane of NV12 and IYUV).
    #[kernel(step(16, 1))]
    pub fn rgb_to_luma(p: [u8; 3], #[variant] space: ColourSpace) -> u8 {
        weigh(p, weights(space)[0], 0)
    }

    /// Luma and both chromas, a plane each (RGB to YUV4).
    #[kernel(step(16, 1), output(y, u, v))]
    pub fn rgb_to_yuv(p: [u8; 3], #[variant] space: ColourSpace) -> (u8, u8, u8) {
        let [y, u, v] = weights(space);
        (weigh(p, y, 0), weigh(p, u, 128), weigh(p, v, 128))
    }

    /// Luma and both chromas at full size as RGB.
    #[kernel(step(16, 1))]
    pub fn yuv_to_rgb(y: u8, u: u8, v: u8, #[variant] space: ColourSpace) -> [u8; 3] {
        let [red, green_u, green_v, blue] = match space {
            ColourSpace::Bt601 => [14020, -3441, -7141, 17720],
            ColourSpace::Bt709 => [15748, -1873, -4681, 18556],
        };
        let (y, u, v) = (y as i32 * 10000, u as i32 - 128, v as i32 - 128);
        [y + red * v, y + green_u * u + green_v * v, y + blue * u].map(|c| (c.max(0) / 10000).min(255) as u8)
    }
}
