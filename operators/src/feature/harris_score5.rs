//! Harris' measure of corners over a block of 5×5 (OpenVX `vxHarrisCorners`, ACL `HarrisScore`).
use windrow::prelude::*;

/// det − sensitivity · trace² of the gradients' products, summed in order over a block of 5×5: 0 where not above the threshold.
/// `scale` normalises the gradients: OpenVX' 1 / (2^(size − 1) · 255 · 5) for Sobel gradients of size 3, 5 or 7.
#[kernel(step(4, 1), schedule(neon(4, 1), x86(8, 1)))]
pub fn harris_score5(
    x: Neighbourhood<i16>,
    y: Neighbourhood<i16>,
    #[uniform] scale: f32,
    #[uniform] sensitivity: f32,
    #[uniform] threshold: f32,
) -> f32 {
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for j in -2..=2 {
        for i in -2..=2 {
            let (dx, dy) = (x.at(i, j) as f32, y.at(i, j) as f32);
            (xx, xy, yy) = (xx + dx * dx, xy + dx * dy, yy + dy * dy);
        }
    }
    let square = scale * scale;
    (xx, xy, yy) = (xx * square, xy * square, yy * square);
    let trace = xx + yy;
    let score = xx * yy - xy * xy - sensitivity * (trace * trace);
    if score > threshold { score } else { 0.0 }
}
