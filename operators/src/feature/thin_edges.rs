//! Edges of one element's width (the second step of OpenVX `vxCannyEdgeDetector`).
use windrow::prelude::*;

/// 255 for an edge, 127 for what is one if it joins an edge, 0 elsewhere: what is greater than its neighbour before, and not less than
/// that behind it across the edge, and above `upper`, or above `lower`.
#[kernel(step(8, 1), require(lower <= upper))]
pub fn thin_edges(magnitude: Neighbourhood<i16>, x: i16, y: i16, #[uniform] lower: i16, #[uniform] upper: i16) -> u8 {
    let m = |dx, dy| magnitude.at(dx, dy);
    let (across, along) = (x.unsigned_abs() as i32, y.unsigned_abs() as i32);
    // 13573 / 32768 is the tangent of an eighth of half a turn.
    let (before, behind) = if along * 32768 <= across * 13573 {
        (m(-1, 0), m(1, 0))
    } else if along * 13573 >= across * 32768 {
        (m(0, -1), m(0, 1))
    } else if (x < 0) == (y < 0) {
        (m(-1, -1), m(1, 1))
    } else {
        (m(1, -1), m(-1, 1))
    };
    let is_edge = m(0, 0) > before && m(0, 0) >= behind;
    if is_edge && m(0, 0) > upper {
        255
    } else if is_edge && m(0, 0) > lower {
        127
    } else {
        0
    }
}

/// The same of gradients of 32 bits, such as those of 7×7; directions are compared in floats.
#[kernel(step(8, 1), require(lower <= upper))]
pub fn thin_edges_i32(
    magnitude: Neighbourhood<i32>,
    x: i32,
    y: i32,
    #[uniform] lower: i32,
    #[uniform] upper: i32,
) -> u8 {
    let m = |dx, dy| magnitude.at(dx, dy);
    let (across, along) = (x.unsigned_abs() as f32, y.unsigned_abs() as f32);
    let (before, behind) = if along * 32768.0 <= across * 13573.0 {
        (m(-1, 0), m(1, 0))
    } else if along * 13573.0 >= across * 32768.0 {
        (m(0, -1), m(0, 1))
    } else if (x < 0) == (y < 0) {
        (m(-1, -1), m(1, 1))
    } else {
        (m(1, -1), m(-1, 1))
    };
    let is_edge = m(0, 0) > before && m(0, 0) >= behind;
    if is_edge && m(0, 0) > upper {
        255
    } else if is_edge && m(0, 0) > lower {
        127
    } else {
        0
    }
}
