//! The operations of the archive that no operator is held to, and the reason for each.

/// Operations (without border and size) and the reason.
#[rustfmt::skip]
pub const UNCOVERED: &[(&[&str], &str)] = &[
    (&["scalehalf_nn", "scaleup_bl"],      POISON_ONLY),
    (&["rgb2nv12", "rgb2iyuv", "rgb2yuv4"], "the C model's chroma truncates toward zero, where the specification rounds down; `rgb_to_yuv` is held to a formula"),
    (&["extract_nv12_y", "extract_nv21_y", "extract_iyuv_y", "extract_iyuv_u", "extract_iyuv_v"], "a plane is copied whole: no operator computes"),
];

/// The C model's scaling wrote nothing: its arrays hold the poison alone, and judge nothing.
pub const POISON_ONLY: &str = "the C model wrote nothing";

/// The arrays that are inputs of the others.
pub const INPUTS: &[&str] = &["in0", "in1", "s16a", "s16b", "accsq_in", "rgb", "nv12", "nv21", "iyuv", "uyvy", "yuyv"];
