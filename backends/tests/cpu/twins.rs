//! Operators written twice: in plain `i32`, and in the lanes that an expert would choose. Both become the same loop.

/// A name, the natural form, and the narrow one.
pub const TWINS: &[(&str, &str, &str)] = &[
    (
        "gaussian3x3",
        "#[kernel(schedule(neon(16, 4)))] pub fn k(src: Neighbourhood<u8>) -> u8 { \
         let p = |x, y| src.at(x, y) as i32; let column = |x| p(x, -1) + 2 * p(x, 0) + p(x, 1); \
         ((column(-1) + 2 * column(0) + column(1)) / 16) as u8 }",
        "#[kernel(schedule(neon(16, 4)))] pub fn k(src: Neighbourhood<u8>) -> u8 { \
         let column = |dx| src.at(dx, -1) as u16 + 2 * src.at(dx, 0) as u16 + src.at(dx, 1) as u16; \
         ((column(-1) + 2 * column(0) + column(1)) >> 4) as u8 }",
    ),
    (
        "gaussian3x3, rounded",
        "#[kernel(schedule(neon(16, 4)))] pub fn k(src: Neighbourhood<u8>) -> u8 { \
         let p = |x, y| src.at(x, y) as i32; let column = |x| p(x, -1) + 2 * p(x, 0) + p(x, 1); \
         ((column(-1) + 2 * column(0) + column(1) + 8) >> 4) as u8 }",
        "#[kernel(schedule(neon(16, 4)))] pub fn k(src: Neighbourhood<u8>) -> u8 { \
         let column = |dx| src.at(dx, -1) as u16 + 2 * src.at(dx, 0) as u16 + src.at(dx, 1) as u16; \
         (column(-1) + 2 * column(0) + column(1)).rounding_shr(4) as u8 }",
    ),
    (
        "sobel3x3",
        "#[kernel(schedule(neon(32, 4)))] pub fn k(src: Neighbourhood<u8>) -> i16 { \
         let p = |x, y| src.at(x, y) as i32; let column = |x| p(x, -1) + 2 * p(x, 0) + p(x, 1); \
         (column(1) - column(-1)) as i16 }",
        "#[kernel(schedule(neon(32, 4)))] pub fn k(src: Neighbourhood<u8>) -> i16 { \
         let p = |x, y| src.at(x, y) as i16; let column = |x| p(x, -1) + 2 * p(x, 0) + p(x, 1); \
         column(1) - column(-1) }",
    ),
    (
        "box3x3",
        "#[kernel(schedule(neon(32, 4)))] pub fn k(src: Neighbourhood<u8>) -> u8 { let mut sum = 0; \
         for dy in -1..=1 { for dx in -1..=1 { sum += src.at(dx, dy) as i32; } } (sum / 9) as u8 }",
        "#[kernel(schedule(neon(32, 4)))] pub fn k(src: Neighbourhood<u8>) -> u8 { let mut sum = 0; \
         for dy in -1..=1 { for dx in -1..=1 { sum += src.at(dx, dy) as u16; } } (sum / 9) as u8 }",
    ),
    (
        "rgb_to_gray",
        "#[kernel] pub fn k([r, g, b]: [u8; 3]) -> u8 { ((54 * r as i32 + 183 * g as i32 + 19 * b as i32) / 256) as u8 }",
        "#[kernel] pub fn k([r, g, b]: [u8; 3]) -> u8 { ((54 * r as u16 + 183 * g as u16 + 19 * b as u16) >> 8) as u8 }",
    ),
    (
        "blend by a weight",
        "#[kernel] pub fn k(a: u8, b: u8, #[uniform] w: u8) -> u8 { \
         ((a as i32 * w as i32 + b as i32 * (255 - w as i32) + 127) / 255) as u8 }",
        "#[kernel] pub fn k(a: u8, b: u8, #[uniform] w: u8) -> u8 { \
         ((a as u16 * w as u16 + b as u16 * (255 - w as u16) + 127) / 255) as u8 }",
    ),
    (
        "abs_diff",
        "#[kernel] pub fn k(a: u8, b: u8) -> u8 { (a as i32 - b as i32).abs() as u8 }",
        "#[kernel] pub fn k(a: u8, b: u8) -> u8 { a.abs_diff(b) }",
    ),
    (
        "abs_diff by choice",
        "#[kernel] pub fn k(a: u8, b: u8) -> u8 { if a > b { a - b } else { b - a } }",
        "#[kernel] pub fn k(a: u8, b: u8) -> u8 { a.abs_diff(b) }",
    ),
    (
        "threshold",
        "#[kernel] pub fn k(x: u8, #[uniform] lower: u8, #[uniform] upper: u8) -> u8 { \
         let x = x as i32; (if x > upper as i32 || x < lower as i32 { 0 } else { 255 }) as u8 }",
        "#[kernel] pub fn k(x: u8, #[uniform] lower: u8, #[uniform] upper: u8) -> u8 { \
         if x > upper || x < lower { 0 } else { 255 } }",
    ),
    (
        "sum, saturated",
        "#[kernel] pub fn k(a: u8, b: u8) -> u8 { (a as i32 + b as i32).min(255) as u8 }",
        "#[kernel] pub fn k(a: u8, b: u8) -> u8 { a.saturating_add(b) }",
    ),
    (
        "sum of 16 bits, saturated",
        "#[kernel] pub fn k(a: i16, b: i16) -> i16 { (a as i32 + b as i32).clamp(-32768, 32767) as i16 }",
        "#[kernel] pub fn k(a: i16, b: i16) -> i16 { a.saturating_add(b) }",
    ),
    (
        "difference, saturated",
        "#[kernel] pub fn k(a: u8, b: u8) -> u8 { (a as i32 - b as i32).max(0) as u8 }",
        "#[kernel] pub fn k(a: u8, b: u8) -> u8 { a.saturating_sub(b) }",
    ),
    (
        "excess by choice",
        "#[kernel] pub fn k(a: u8, b: u8) -> u8 { if a > b { a - b } else { 0 } }",
        "#[kernel] pub fn k(a: u8, b: u8) -> u8 { a.saturating_sub(b) }",
    ),
    (
        "mean",
        "#[kernel] pub fn k(a: u8, b: u8) -> u8 { ((a as i32 + b as i32) / 2) as u8 }",
        "#[kernel] pub fn k(a: u8, b: u8) -> u8 { a.halving_add(b) }",
    ),
    (
        "rounded mean",
        "#[kernel] pub fn k(a: u8, b: u8) -> u8 { ((1 + a as i32 + b as i32) >> 1) as u8 }",
        "#[kernel] pub fn k(a: u8, b: u8) -> u8 { a.rounding_halving_add(b) }",
    ),
    (
        "sharpen",
        "#[kernel(schedule(neon(16, 4)))] pub fn k(src: Neighbourhood<u8>) -> u8 { let p = |x, y| src.at(x, y) as i32; \
         (5 * p(0, 0) - p(-1, 0) - p(1, 0) - p(0, -1) - p(0, 1)).clamp(0, 255) as u8 }",
        "#[kernel(schedule(neon(16, 4)))] pub fn k(src: Neighbourhood<u8>) -> u8 { let p = |x, y| src.at(x, y) as i16; \
         (5 * p(0, 0) - p(-1, 0) - p(1, 0) - p(0, -1) - p(0, 1)).saturating_cast() }",
    ),
    (
        "gradient",
        "#[kernel(schedule(neon(16, 4)))] pub fn k(src: Neighbourhood<u8>) -> u8 { let p = |x, y| src.at(x, y) as i32; \
         ((p(1, 0) - p(-1, 0)).abs() + (p(0, 1) - p(0, -1)).abs()).min(255) as u8 }",
        "#[kernel(schedule(neon(16, 4)))] pub fn k(src: Neighbourhood<u8>) -> u8 { \
         src.at(1, 0).abs_diff(src.at(-1, 0)).saturating_add(src.at(0, 1).abs_diff(src.at(0, -1))) }",
    ),
    (
        "product, scaled",
        "#[kernel] pub fn k(a: i16, b: i16) -> i16 { ((a as i32 * b as i32) >> 16) as i16 }",
        "#[kernel] pub fn k(a: i16, b: i16) -> i16 { a.mul_high(b) }",
    ),
];
