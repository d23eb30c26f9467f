//! A pipeline as text.

use std::fmt::Write;

use super::{Drawing, instructions, name};
use windrow_dsl::pipeline::{Image, Outline, Stage};

/// The stages in order, each behind the images that it reads.
pub fn report(outline: &Outline) -> String {
    let drawing = Drawing::of(outline);
    let (calls, stages) = (outline.stages.iter().map(|stage| stage.calls.len()).sum(), outline.stages.len());
    let mut out = format!("pipeline {}: {} in {}\n", outline.name, counted(calls, "call"), counted(stages, "stage"));
    for image in outline.images.iter().filter(|image| image.storage == windrow_dsl::pipeline::Storage::Input) {
        line(&mut out, &drawing, image);
    }
    for (number, stage) in (1..).zip(&outline.stages) {
        let _ = writeln!(out, "  {number}. {}({})", name(stage), reads(&drawing, stage));
        let counts = instructions(stage).into_iter().map(|(target, count)| format!("{target} {count:.1}"));
        let counts: Vec<String> = counts.collect();
        if !counts.is_empty() {
            let _ = writeln!(out, "       instructions of an element: {}", counts.join(", "));
        }
        if stage.kernel.is_none() {
            let _ = writeln!(out, "       not known here: its function is in none of the crates that cargo names");
        }
        stage.inside.iter().chain(&stage.writes).for_each(|image| line(&mut out, &drawing, drawing.image(*image)));
    }
    if let Some(bytes) = drawing.bytes() {
        let _ = writeln!(out, "  bytes of an element: {bytes}");
    }
    if outline.has_other_statements {
        out += "  other statements may run more: `chain(..)` of the pipeline lists what a run does\n";
    }
    out
}

fn counted(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

fn line(out: &mut String, drawing: &Drawing<'_>, image: &Image) {
    let element = image.element.as_ref().map(|element| format!("{element}, ")).unwrap_or_default();
    let _ = writeln!(out, "     {}: {element}{}", image.name, drawing.place(image));
}

/// The images that a stage reads, each with what it needs of it.
fn reads(drawing: &Drawing<'_>, stage: &Stage) -> String {
    let read = |read: &windrow_dsl::pipeline::Read| {
        let name = &drawing.image(read.image).name;
        match read.extent {
            Some((1, 1)) => name.clone(),
            Some((columns, rows)) => format!("{name} {columns}×{rows}"),
            None if stage.kernel.is_some() => format!("{name} anywhere"),
            None => name.clone(),
        }
    };
    stage.reads.iter().map(read).collect::<Vec<_>>().join(", ")
}
