//! Harris' measure of corners over a block of any odd size (OpenVX `vxHarrisCorners`, ACL `HarrisScore`).
use windrow::prelude::*;

/// det − sensitivity · trace² of the gradients' products, summed in order over a block that lies inside the image: 0 where not above the
/// threshold. `scale` normalises the gradients: OpenVX' 1 / (2^(size − 1) · 255 · block) for Sobel gradients of size 3, 5 or 7.
#[kernel(types(T = i16, i32), window(h - block + 1, w - block + 1))]
pub fn harris_score(
    [y, x]: At<2>,
    #[shape(h, w)] dx: View<T, 2>,
    #[shape(h, w)] dy: View<T, 2>,
    #[uniform(1..=15)] block: i32,
    #[uniform] scale: f32,
    #[uniform] sensitivity: f32,
    #[uniform] threshold: f32,
) -> f32 {
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for j in 0..block {
        for i in 0..block {
            let (dx, dy) = (dx[[y + j, x + i]] as f32, dy[[y + j, x + i]] as f32);
            (xx, xy, yy) = (xx + dx * dx, xy + dx * dy, yy + dy * dy);
        }
    }
    let square = scale * scale;
    (xx, xy, yy) = (xx * square, xy * square, yy * square);
    let trace = xx + yy;
    let score = xx * yy - xy * xy - sensitivity * (trace * trace);
    if score > threshold { score } else { 0.0 }
}
