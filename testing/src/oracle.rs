//! What a case must give: the author's own function, element by element.
//!
//! It shares nothing with the bodies' execution: the elements are walked one by one, and read through the border maps of
//! `reference`.

use super::{
    arguments::Entries,
    case::Case,
    cases::inputs,
    picture::{Picture, row_starts},
    scene::Scene,
    words::numbers,
};
use std::ptr::NonNull;
use windrow_reference::testing::Digest;
use windrow_runtime::{
    arguments::{AnyTable, MAX_ARGUMENTS},
    code::KernelCode,
    evaluate,
    info::{MAX_DIMENSIONS, Shape, TensorInfo},
    point::Point,
    view::{AnyView, AnyViewMut},
};

/// Computes the valid region of `outputs` from `scene`'s images; `words` are the uniforms' and the derived ones.
pub(super) fn compute(
    code: &'static KernelCode,
    scene: &mut Scene,
    choice: &[u32],
    words: &[u32],
    outputs: &mut [Option<Picture>],
) -> Result<(), String> {
    let valid = scene.valid;
    let bases: Vec<(NonNull<u8>, TensorInfo)> = scene.inputs.iter_mut().filter_map(place).collect();
    let targets: Vec<Option<(NonNull<u8>, TensorInfo)>> =
        outputs.iter_mut().map(|output| output.as_mut().and_then(place)).collect();
    for first in planes(&scene.shape).filter(|_| !valid.is_empty()) {
        let mut read = [const { None }; MAX_ARGUMENTS];
        for ((slot, (base, info)), input) in read.iter_mut().zip(&bases).zip(inputs(code.spec())) {
            let (base, info) = match input.tensor_rank() {
                Some(_) => (*base, *info),
                None => plane(*base, info, &first)?,
            };
            // SAFETY: the picture has this plane, and is borrowed exclusively until the point has been computed.
            *slot = Some((unsafe { AnyView::from_raw(base, info) }, input.stride()));
        }
        let mut written = [const { None }; MAX_ARGUMENTS];
        for (slot, target) in written.iter_mut().zip(&targets) {
            if let Some((base, info)) = target {
                let (base, info) = plane(*base, info, &first)?;
                // SAFETY: as above. The reference reads its element before it writes it.
                *slot = Some(unsafe { AnyViewMut::from_raw(base, info) });
            }
        }
        let point =
            Point::new(read, written, tables(&scene.tables), (words, choice), scene.border.into()).in_plane(first);
        evaluate(code, point, valid.plane());
    }
    Ok(())
}

/// Takes the results of a case into `digest`.
pub(super) fn digest(code: &'static KernelCode, case: &Case, digest: &mut Digest) -> Result<(), String> {
    let mut scene = Scene::new(code.spec(), case)?;
    let mut outputs = std::mem::take(&mut scene.outputs);
    let words = words(code, &scene.words);
    compute(code, &mut scene, &case.choice, &words, &mut outputs)?;
    for picture in outputs.iter().flatten() {
        let numbers = numbers(picture.element());
        picture.words(&scene.valid).for_each(|(_, word)| digest.word(numbers.canonical(word)));
    }
    Ok(())
}

/// The uniforms' words, followed by those derived from them.
fn words(code: &'static KernelCode, uniforms: &[u32]) -> Vec<u32> {
    let mut words = uniforms.to_vec();
    words.resize((code.spec().words.uniforms + code.spec().words.derived) as usize, 0);
    (code.derive())(&mut words);
    words
}

fn place(picture: &mut Picture) -> Option<(NonNull<u8>, TensorInfo)> {
    let info = *picture.info();
    picture.base().map(|base| (base, info))
}

/// The first element of each plane.
fn planes(shape: &Shape) -> impl Iterator<Item = [usize; MAX_DIMENSIONS]> + use<> {
    row_starts(shape).map(|(at, _)| at).filter(|at| at[1] == 0)
}

/// The plane whose first element is at `at`, innermost first; of a dimension of one element, that one is every coordinate's.
fn plane(
    base: NonNull<u8>,
    info: &TensorInfo,
    at: &[usize; MAX_DIMENSIONS],
) -> Result<(NonNull<u8>, TensorInfo), String> {
    let shape = info.shape();
    let along = |d: usize| if d < 2 { 0 } else { at[d].min(shape.inner_extent(d).saturating_sub(1)) };
    let start: [usize; MAX_DIMENSIONS] = std::array::from_fn(|d| along(MAX_DIMENSIONS - 1 - d));
    let plane = info.region(&start, &[1, 1, 1, 1, shape.height(), shape.width()]);
    let (offset, info) = plane.map_err(|error| format!("no plane at {at:?}: {error}"))?;
    // SAFETY: `offset` is that of an element of the picture's memory.
    Ok((unsafe { base.offset(offset) }, info))
}

fn tables(entries: &[Entries]) -> [Option<AnyTable<'_>>; MAX_ARGUMENTS] {
    let mut tables = [None; MAX_ARGUMENTS];
    tables.iter_mut().zip(entries).for_each(|(slot, entries)| *slot = Some(entries.table()));
    tables
}
