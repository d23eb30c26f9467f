//! What of the tensors that a kernel reads anywhere is packed: strips of columns, as its blocks read them.

#[cfg(feature = "std")]
mod constant;
mod packed;
#[cfg(feature = "std")]
mod quads;

#[cfg(feature = "std")]
pub(crate) use constant::Constant;
pub(crate) use packed::{Packed, StripLayout, packed_bytes, strips};

use crate::{
    code::{Body, Strips},
    infer::images,
    info::Shape,
    spec::{InputSpec, KernelSpec},
};

/// Blocks one below the other from which on strips are packed: to copy a piece of a row takes as long as some blocks compute with it.
const BLOCKS: usize = 4;

/// Bytes of all tensors from which on they are packed: fewer come from the second cache as fast as they are computed with.
const LEAST: usize = 128 << 10;

/// Bytes of a strip that the first cache holds beside what else a block reads.
const NEAREST: usize = 16 << 10;

/// Bytes of all tensors that are packed at once, where that is more than a strip: half of a second cache of a mebibyte.
const TOGETHER: usize = 512 << 10;

/// The most bytes of a strip.
const MOST: usize = 1 << 20;

/// The alignment of each packed tensor.
pub(crate) const ALIGNMENT: usize = 64;

/// What the runs of a plan pack.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Packing {
    /// Bytes of scratch; 0 where nothing is packed.
    pub bytes: usize,
    /// The columns of a strip: a step's, or several times as many; 0 for a body that reads none.
    pub strip: usize,
    /// The columns that are packed together, those of several strips: memory is read fastest in its own order.
    pub columns: usize,
}

impl Packing {
    /// What runs of a body pack that write outputs of a shape and read images of these, `#[inout]` ones left out.
    pub fn new(spec: &'static KernelSpec, body: &Body, shape: &Shape, inputs: &[Shape]) -> Packing {
        let step = body.strips.columns as usize;
        if body.strips == Strips::NONE {
            return Packing::default();
        }
        let of_column = column_bytes(spec, body, inputs);
        let strip = match (NEAREST / of_column / step).max(1) * step {
            // The order of quads serves columns of any number.
            strip if strip > shape.width() && body.strips.quads != 0 => few(shape.width(), step),
            strip => strip,
        };
        let strips = if strip.saturating_mul(of_column) > MOST { 0 } else { (TOGETHER / of_column / strip).max(1) };
        let columns = (strips * strip).min(shape.width().next_multiple_of(strip));
        let planes = if packs_planes(spec, body) { 1 } else { shape.planes() };
        let is_far = of_column.saturating_mul(shape.width()) >= LEAST;
        let pays = is_far && columns >= strip && has_blocks(body, [shape.height(), planes]);
        Packing { bytes: if pays { columns * of_column } else { 0 }, strip, columns }
    }
}

/// The columns of a strip of an output that has this many: all of them where they are whole steps, or else one step's, so that few are
/// computed twice.
fn few(width: usize, step: usize) -> usize {
    if width.is_multiple_of(step) { width.max(step) } else { step }
}

/// Bytes of one column of all images that are packed.
fn column_bytes(spec: &'static KernelSpec, body: &Body, inputs: &[Shape]) -> usize {
    let given = images(spec).enumerate().filter(|(_, (_, input))| input.inout.is_none());
    let of_image = |((image, (_, input)), shape): ((usize, (_, &InputSpec)), &Shape)| {
        let rows = if input.tensor_rank().is_some() { shape.planes() } else { 1 } * shape.height();
        let bytes = rows.saturating_mul(input.element.size() * input.channels as usize);
        if is_packed(body, image) { bytes.next_multiple_of(ALIGNMENT) } else { 0 }
    };
    given.zip(inputs).map(of_image).fold(1, usize::saturating_add)
}

/// Whether this many rows of this many planes have enough blocks one below the other for packing to pay.
pub(crate) fn has_blocks(body: &Body, [rows, planes]: [usize; 2]) -> bool {
    rows.div_ceil(body.rows as usize).saturating_mul(planes) >= BLOCKS
}

/// Whether an image, by its place among all that are read, is read strip by strip.
pub(crate) fn is_packed(body: &Body, image: usize) -> bool {
    body.strips.images & 1 << image != 0
}

/// The bytes of the vectors whose quads are packed of an image, by its place among all that are read; 0 for none.
#[cfg(feature = "std")]
pub(crate) fn quad_columns(body: &Body, image: usize) -> usize {
    if body.strips.quads & 1 << image == 0 { 0 } else { body.strips.quad_columns as usize }
}

/// Whether some of what is packed is given plane by plane.
pub(crate) fn packs_planes(spec: &'static KernelSpec, body: &Body) -> bool {
    images(spec).enumerate().any(|(image, (_, input))| is_packed(body, image) && input.tensor_rank().is_none())
}
