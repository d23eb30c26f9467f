//! Test data that the host and the device both compute: an element from its place.

/// Floats on which implementations differ.
const FLOATS: [u32; 32] = [
    0x0000_0000,
    0x8000_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc0_0000,
    0x7f80_0001,
    0xff80_0001,
    0x7fbf_ffff,
    0x0000_0001,
    0x8000_0001,
    0x007f_ffff,
    0x0080_0000,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x3f00_0000,
    0xbf00_0000,
    0x3fc0_0000,
    0x4020_0000,
    0xc020_0000,
    0x437f_0000,
    0x4380_0000,
    0x4f00_0000,
    0xcf00_0000,
    0x4f80_0000,
    0x4eff_ffff,
    0x3eaa_aaab,
    0x4b7f_ffff,
    0x4b80_0000,
    0x477f_ff00,
];

fn mix(mut h: u64) -> u64 {
    h = (h ^ (h >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    h = (h ^ (h >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    h ^ (h >> 31)
}

/// The float of 64 bits that is like one of 32: the least and the greatest, a signalling NaN, numbers next to integers' limits.
fn widened(bits: u32) -> u64 {
    let (sign, magnitude) = (u64::from(bits >> 31) << 63, bits & 0x7fff_ffff);
    sign | match magnitude {
        0x0000_0001 | 0x007f_ffff | 0x0080_0000 | 0x7f7f_ffff | 0x7f80_0001 | 0x7fbf_ffff => {
            // The same exponent and significand, each as long.
            let exponent = u64::from(magnitude >> 23);
            let exponent = if exponent >= 0xfe { exponent + 0x700 } else { exponent };
            let significand = u64::from(magnitude & 0x7f_ffff);
            exponent << 52 | significand << 29 & !1 | significand & 1
        }
        0x4eff_ffff => 2_147_483_647.5f64.to_bits(),
        0x4b7f_ffff => 4_294_967_295.5f64.to_bits(),
        _ => f64::from(f32::from_bits(magnitude)).to_bits(),
    }
}

/// The bits of an element of `width` bits; with `pairs`, the first input's first channel counts along the row, all else across.
pub fn element(pairs: bool, float: bool, width: u32, place: (u64, u64, i64, i64)) -> u64 {
    let (input, channel, x, y) = place;
    if pairs {
        return if (input, channel) == (0, 0) { x as u64 & 0xff } else { y as u64 & 0xff };
    }
    let h = mix(mix(input * 31 + channel + 1) ^ mix((x as u64) << 20 ^ y as u64 & 0xf_ffff));
    let random = (h >> 8) as u32;
    if float {
        let of = |bits: u32| if width == 64 { widened(bits) } else { bits.into() };
        // The first two rows of the first input hold each of them, whatever the width.
        if input == 0 && (0..2).contains(&y) {
            return of(FLOATS[(x + 16 * y).rem_euclid(FLOATS.len() as i64) as usize]);
        }
        return match h % 4 {
            0 | 1 => of(FLOATS[(h >> 40) as usize % FLOATS.len()]),
            2 if width == 64 => ((mix(h) as i64 >> 20) as f64 / 4096.0).to_bits(),
            2 => ((random as i32 >> 12) as f32 / 64.0).to_bits().into(),
            _ if width == 64 => mix(h),
            _ => random.into(),
        };
    }
    let wide = u64::from(random);
    let value = match h % 9 {
        0 => 0,
        1 => 1 << (width - 1),
        2 => (1 << (width - 1)) - 1,
        3 => u64::MAX,
        4 => wide % 17,
        5 => (wide % 17).wrapping_neg(),
        // One below a square, which is rounded up to it on the way to f32.
        6 => (wide >> 16).pow(2).wrapping_sub(1),
        7 if width == 64 => wide << 32 | wide.rotate_left(7) & 0xffff_ffff,
        8 if width == 64 => mix(h),
        _ => wide,
    };
    value & u64::MAX >> (64 - width)
}
