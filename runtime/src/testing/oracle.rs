//! What a case must give: the author's own function, element by element.
//!
//! It shares nothing with the runtime's execution: it walks the elements itself, and reads through the border maps of
//! `reference`.

use super::{
    case::Case,
    cases::inputs,
    erased::Entries,
    picture::{Picture, numbers, row_starts},
    scene::Scene,
};
use crate::{
    arguments::{AnyTable, MAX_ARGUMENTS},
    code::{Kernel, KernelCode},
    coordinate,
    float_environment::DefaultFloats,
    info::{MAX_DIMENSIONS, Shape, TensorInfo},
    point::Point,
    view::{AnyView, AnyViewMut},
};
use std::{format, ptr::NonNull, string::String, vec::Vec};
use windrow_reference::testing::Digest;

/// Computes the valid region of `outputs` from `scene`'s images; `words` are the uniforms' and the derived ones.
pub(super) fn compute(
    code: &'static KernelCode,
    scene: &mut Scene,
    choice: &[u32],
    words: &[u32],
    outputs: &mut [Option<Picture>],
) -> Result<(), String> {
    let valid = scene.valid;
    let _floats = DefaultFloats::set_for(code.spec);
    let bases: Vec<(NonNull<u8>, TensorInfo)> = scene.inputs.iter_mut().filter_map(place).collect();
    let targets: Vec<Option<(NonNull<u8>, TensorInfo)>> =
        outputs.iter_mut().map(|output| output.as_mut().and_then(place)).collect();
    for first in planes(&scene.shape).filter(|_| !valid.is_empty()) {
        let mut point = Point {
            inputs: [const { None }; MAX_ARGUMENTS],
            outputs: [const { None }; MAX_ARGUMENTS],
            tables: tables(&scene.tables),
            words,
            choice,
            borders: scene.border.into(),
            x: 0,
            y: 0,
        };
        for ((slot, (base, info)), input) in point.inputs.iter_mut().zip(&bases).zip(inputs(code.spec)) {
            let (base, info) = plane(*base, info, &first)?;
            // SAFETY: the picture has this plane, and is borrowed exclusively until the point has been computed.
            *slot = Some((unsafe { AnyView::from_raw(base, info) }, input.stride));
        }
        for (slot, target) in point.outputs.iter_mut().zip(&targets) {
            if let Some((base, info)) = target {
                let (base, info) = plane(*base, info, &first)?;
                // SAFETY: as above. The reference reads its element before it writes it.
                *slot = Some(unsafe { AnyViewMut::from_raw(base, info) });
            }
        }
        for (y, x) in (valid.start[1]..valid.end[1]).flat_map(|y| (valid.start[0]..valid.end[0]).map(move |x| (y, x))) {
            (point.x, point.y) = (x, y);
            coordinate::at(x as i32, y as i32, || (code.reference)(&mut point));
        }
    }
    Ok(())
}

/// Takes the results of a case into `digest`.
pub(super) fn digest<K: Kernel>(case: &Case, digest: &mut Digest) -> Result<(), String> {
    let code = K::CODE;
    let mut scene = Scene::new(code.spec, case)?;
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
    words.resize((code.spec.words.uniforms + code.spec.words.derived) as usize, 0);
    let _floats = DefaultFloats::set_for(code.spec);
    (code.derive)(&mut words);
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

/// The plane whose first element is at `at`.
fn plane(
    base: NonNull<u8>,
    info: &TensorInfo,
    at: &[usize; MAX_DIMENSIONS],
) -> Result<(NonNull<u8>, TensorInfo), String> {
    let (offset, info) = info.plane(at).map_err(|error| format!("no plane at {at:?}: {error}"))?;
    // SAFETY: `offset` is that of an element of the picture's memory.
    Ok((unsafe { base.offset(offset) }, info))
}

fn tables(entries: &[Entries]) -> [Option<AnyTable<'_>>; MAX_ARGUMENTS] {
    let mut tables = [None; MAX_ARGUMENTS];
    tables.iter_mut().zip(entries).for_each(|(slot, entries)| *slot = Some(entries.table()));
    tables
}
