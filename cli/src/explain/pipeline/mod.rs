//! A pipeline as text, and as a picture: its stages, where the images between them are, what is computed twice, bytes, instructions.

mod picture;
mod text;

pub use picture::picture;
pub use text::report;

use windrow_backends::{doors::instructions, targets};
use windrow_dsl::{
    optimise::prepare,
    pipeline::{Image, Outline, Stage, Storage},
};

/// What both say of a pipeline.
struct Drawing<'o> {
    outline: &'o Outline,
    /// Whether the stages run in bands of rows, as far as is known here: no stage reads anywhere what another computes.
    is_in_bands: bool,
}

impl<'o> Drawing<'o> {
    fn of(outline: &'o Outline) -> Drawing<'o> {
        let between = outline.images.iter().filter(|image| image.storage == Storage::Between);
        Drawing { outline, is_in_bands: between.clone().all(|image| image.halo.is_some()) && between.count() > 0 }
    }

    fn image(&self, place: usize) -> &'o Image {
        &self.outline.images[place]
    }

    /// Where an image is.
    fn place(&self, image: &Image) -> String {
        match image.storage {
            Storage::Input => "the caller's, read".into(),
            Storage::Output => "the caller's, returned".into(),
            Storage::Registers => "in registers".into(),
            Storage::Between if !self.is_in_bands => "whole".into(),
            Storage::Between => match image.halo {
                None | Some(0) => "rows of a band".into(),
                Some(1) => "rows of a band; 1 row at each cut is computed twice".into(),
                Some(rows) => format!("rows of a band; {rows} rows at each cut are computed twice"),
            },
        }
    }

    /// The bytes that an element moves, in a sentence.
    fn bytes(&self) -> Option<String> {
        let sum = |storage: Storage| {
            let own = self.outline.images.iter().filter(|image| image.storage == storage);
            own.map(|image| image.bytes).sum::<Option<u32>>()
        };
        let (read, written, between) = (sum(Storage::Input)?, sum(Storage::Output)?, sum(Storage::Between)?);
        let reads = self.outline.stages.iter().flat_map(|stage| &stage.reads).map(|read| self.image(read.image));
        let again: u32 =
            reads.filter(|image| image.storage == Storage::Between).map(|image| image.bytes.unwrap_or(0)).sum();
        let place = if self.is_in_bands { "the cache" } else { "whole images" };
        let inner = match between {
            0 => String::new(),
            _ => format!(", {between} written and {again} read in {place}"),
        };
        let alone = self.outline.bytes_alone.map(|bytes| format!("; called one by one, {bytes} in memory"));
        Some(format!("{read} read and {written} written in memory{inner}{}", alone.unwrap_or_default()))
    }
}

/// The instructions of an element for each processor's target, where a stage's kernel is known and has one body.
fn instructions(stage: &Stage) -> Vec<(&'static str, f64)> {
    let Some(compiled) = &stage.kernel else { return Vec::new() };
    let prepared = prepare(&compiled.kernel);
    let of = |target: &targets::CpuTarget| {
        let listings = instructions::cpu(target, &compiled.kernel, &prepared).ok()?;
        let listing = listings.first().filter(|listing| listing.elements > 0)?;
        let count: usize = listing.calls.iter().map(|(_, count)| count).sum();
        Some((target.name, count as f64 / f64::from(listing.elements)))
    };
    targets::by_default().filter(|target| target.name != "scalar").filter_map(of).collect()
}

/// What a stage is called: a kernel's name, or those of the kernels that are one.
fn name(stage: &Stage) -> String {
    stage.calls.join(" + ")
}
