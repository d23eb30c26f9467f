//! Kernels as an author writes them, for the shape of what is emitted.

/// With the most instructions that the loop may take for 16 elements, its own control included.
pub const KERNELS: &[(&str, f64)] = &[
    ("#[kernel] pub fn abs_diff(a: u8, b: u8) -> u8 { a.abs_diff(b) }", 3.6),
    (
        "#[kernel(schedule(neon(32, 4)))] pub fn erode(src: Neighbourhood<u8>) -> u8 { let mut least = u8::MAX; \
         for dy in -1..=1 { for dx in -1..=1 { least = least.min(src.at(dx, dy)); } } least }",
        11.0,
    ),
    (
        "#[kernel(schedule(neon(16, 4)))] pub fn gaussian(src: Neighbourhood<u8>) -> u8 { \
         let column = |dx| src.at(dx, -1) as u16 + 2 * src.at(dx, 0) as u16 + src.at(dx, 1) as u16; \
         ((column(-1) + 2 * column(0) + column(1)) >> 4) as u8 }",
        22.0,
    ),
    (
        "#[kernel] pub fn threshold(x: u8, #[uniform] lower: u8, #[uniform] upper: u8) -> u8 { \
         if x > upper || x < lower { 0 } else { 255 } }",
        5.0,
    ),
    ("#[kernel] pub fn blend(a: u8, b: u8) -> u8 { ((a as u16 + b as u16 + 1) >> 1) as u8 }", 4.0),
    ("#[kernel] pub fn lookup(x: u8, lut: Table<u8, 256>) -> u8 { lut[x] }", 9.5),
    (
        "#[kernel] pub fn gray([r, g, b]: [u8; 3]) -> u8 { ((54 * r as u16 + 183 * g as u16 + 19 * b as u16) >> 8) as u8 }",
        12.0,
    ),
    (
        "#[kernel] pub fn median(src: Neighbourhood<u8>) -> u8 { \
         let min3 = |a: u8, b: u8, c: u8| a.min(b).min(c); let max3 = |a: u8, b: u8, c: u8| a.max(b).max(c); \
         let med3 = |a: u8, b: u8, c: u8| a.min(b).max(a.max(b).min(c)); \
         let low = |y| min3(src.at(-1, y), src.at(0, y), src.at(1, y)); \
         let mid = |y| med3(src.at(-1, y), src.at(0, y), src.at(1, y)); \
         let high = |y| max3(src.at(-1, y), src.at(0, y), src.at(1, y)); \
         med3(max3(low(-1), low(0), low(1)), med3(mid(-1), mid(0), mid(1)), min3(high(-1), high(0), high(1))) }",
        28.0,
    ),
    // The squares of a row are summed once for four rows.
    (
        "#[kernel] pub fn variance(src: Neighbourhood<u8>) -> u16 { let (mut sum, mut squares) = (0, 0); \
         for dy in -3..=3 { for dx in -3..=3 { let v = src.at(dx, dy) as i32; sum += v; squares += v * v; } } \
         ((squares * 49 - sum * sum) / 2401).max(0) as u16 }",
        230.0,
    ),
    (
        "#[kernel] pub fn convolve(src: Neighbourhood<u8>, #[uniform] k: [[i16; 3]; 3], #[uniform(1..=32768)] scale: i32) \
         -> u8 { let mut sum = 0; for (dy, row) in (-1..=1).zip(k) { for (dx, c) in (-1..=1).zip(row) { \
         sum += c as i32 * src.at(-dx, -dy) as i32; } } (sum / scale).saturating_cast() }",
        90.0,
    ),
    (
        "#[kernel] pub fn sobel(src: Neighbourhood<u8>) -> i16 { let p = |x, y| src.at(x, y) as i16; \
         let column = |x| p(x, -1) + 2 * p(x, 0) + p(x, 1); column(1) - column(-1) }",
        18.0,
    ),
    ("#[kernel] pub fn relu(x: f32) -> f32 { x.max(0.0) }", 18.0),
    (
        "#[kernel(schedule(neon(16, 8)))] pub fn lbp(src: Neighbourhood<u8>) -> u8 { let c = src.at(0, 0); let mut code = 0u8; \
         if src.at(-1, -1) >= c { code |= 1; } if src.at(0, -1) >= c { code |= 2; } if src.at(1, -1) >= c { code |= 4; } \
         if src.at(1, 0) >= c { code |= 8; } if src.at(1, 1) >= c { code |= 16; } if src.at(0, 1) >= c { code |= 32; } \
         if src.at(-1, 1) >= c { code |= 64; } if src.at(-1, 0) >= c { code |= 128; } code }",
        28.0,
    ),
    (
        "#[kernel(schedule(neon(32, 4)))] pub fn lbp_shifted(src: Neighbourhood<u8>) -> u8 { let c = src.at(0, 0); \
         let mut code = (src.at(-1, -1) >= c) as u8; code |= ((src.at(0, -1) >= c) as u8) << 1; \
         code |= ((src.at(1, -1) >= c) as u8) << 2; code |= ((src.at(1, 0) >= c) as u8) << 3; \
         code |= ((src.at(1, 1) >= c) as u8) << 4; code |= ((src.at(0, 1) >= c) as u8) << 5; \
         code |= ((src.at(-1, 1) >= c) as u8) << 6; code | ((src.at(-1, 0) >= c) as u8) << 7 }",
        25.0,
    ),
    (
        "#[kernel(schedule(neon(64, 2)))] pub fn census(src: Neighbourhood<u8>) -> u8 { let c = src.at(0, 0); let mut code = 0u32; \
         for (dx, dy) in [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)] { \
         code = code << 1 | (src.at(dx, dy) >= c) as u32; } code as u8 }",
        25.0,
    ),
    (
        "#[kernel] pub fn scaled(a: u16, #[uniform(0..=256)] by: i16) -> u16 { ((a as i32 * by as i32) >> 8) as u16 }",
        14.0,
    ),
    ("#[kernel] pub fn ratio(p: u8, q: u8, d: u8) -> u8 { let d = d.max(1); if p > q { p / d } else { q / d } }", 45.0),
];
