//! What an author adds to the generated tests of a kernel: shapes, contents, seeds, and more random cases.

use super::{case::Case, cases, whole};
use std::collections::BTreeMap;
use windrow_reference::testing::{Data, Place};
use windrow_runtime::spec::KernelSpec;

/// Contents of an author's own, for images of every type.
#[derive(Clone, Copy, Debug)]
pub struct OwnData {
    /// Its name in the id of a case.
    pub name: &'static str,
    /// The value at a place; a channel gets the nearest value of its type.
    pub value: fn(Place) -> f64,
}

/// What an author adds to the generated tests of a kernel; `windrow::property_tests!` makes one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Additions<'a> {
    /// The shapes of outputs, outermost extent first.
    pub shapes: &'a [&'a [usize]],
    /// Contents of the images that are read, instead of those that every kernel is tested with.
    pub data: &'a [OwnData],
    /// Seeds of random contents. None means one seed.
    pub seeds: &'a [u32],
    /// Random cases beyond those of the generated tests.
    pub cases: u32,
}

impl Additions<'_> {
    /// Every shape with every kind of contents and every seed, under every border and selection of variants and outputs.
    pub(super) fn listed(&self, spec: &'static KernelSpec) -> Vec<Case> {
        let own = self.data.iter().map(|own| (Data::Ramp, Some(*own)));
        let known = Data::ALL.into_iter().filter(|_| self.data.is_empty()).map(|data| (data, None));
        let data: Vec<(Data, Option<OwnData>)> = own.chain(known).collect();
        let seeds = if self.seeds.is_empty() { &[0] } else { self.seeds };
        let mut list = Vec::new();
        for (shape, (data, own)) in self.shapes.iter().flat_map(|shape| data.iter().map(move |data| (shape, *data))) {
            for (border, selection) in cases::borders(spec)
                .into_iter()
                .flat_map(|border| cases::selections(spec).into_iter().map(move |selection| (border, selection)))
            {
                let extents: Vec<usize> = shape.iter().rev().copied().collect();
                let whole = whole::extents_at(spec, &extents, list.len());
                list.extend(seeds.iter().map(|&seed| Case {
                    border,
                    choice: selection.choice.clone(),
                    present: selection.present.clone(),
                    extents: extents.clone(),
                    data,
                    own,
                    layout: super::case::Layout::Dense,
                    way: super::case::Way::Whole,
                    in_place: false,
                    broadcast: BTreeMap::new(),
                    whole: whole.clone(),
                    seed,
                }));
            }
        }
        list
    }
}
