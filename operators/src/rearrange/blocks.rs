//! Blocks of rows and columns as channels, and back, of tensors `[image, row, column, channel]` (ACL `DepthToSpaceLayer`,
//! `SpaceToDepthLayer`, ONNX `DepthToSpace`, `SpaceToDepth`).
use windrow::prelude::*;

/// The channels of an element as a square of elements, row by row: each has a run of channels.
#[kernel(types(T = u8, f32), window(n, h * block, w * block, d / (block * block)))]
pub fn depth_to_space([n, y, x, c]: At<4>, #[shape(n, h, w, d)] src: View<T, 4>, #[uniform(1..=8)] block: i32) -> T {
    let [_, _, _, depth] = src.extents();
    let run = (y % block) * block + x % block;
    src.get([n, y / block, x / block, run * (depth / (block * block)) + c]).unwrap_or(0 as T)
}

/// The same where the squares of one channel follow each other (PyTorch's pixel shuffle; ONNX' mode CRD).
#[kernel(types(T = u8, f32), window(n, h * block, w * block, d / (block * block)))]
pub fn pixel_shuffle([n, y, x, c]: At<4>, #[shape(n, h, w, d)] src: View<T, 4>, #[uniform(1..=8)] block: i32) -> T {
    let place = c * (block * block) + (y % block) * block + x % block;
    src.get([n, y / block, x / block, place]).unwrap_or(0 as T)
}

/// Squares of elements as the channels of one, row by row: the channels of each element follow each other.
#[kernel(types(T = u8, f32), window(n, h / block, w / block, c * (block * block)))]
pub fn space_to_depth([n, y, x, d]: At<4>, #[shape(n, h, w, c)] src: View<T, 4>, #[uniform(1..=8)] block: i32) -> T {
    let [_, _, _, channels] = src.extents();
    let run = d / channels;
    let (down, right) = ((run / block).min(block - 1), run % block);
    src.get([n, y * block + down, x * block + right, d % channels]).unwrap_or(0 as T)
}
