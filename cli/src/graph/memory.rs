//! The memory of a run over its steps, as a picture in SVG: each buffer is a rectangle, as wide as its life and as high as its bytes.

use std::fmt::Write as _;

use windrow_graph::{Buffer, Plan};

use crate::escape::html;

/// Pixels: the height of all memory, what is left of it for its numbers, and the least width of a step.
const HEIGHT: usize = 300;
const LEFT: usize = 70;
const STEP: usize = 14;
/// The least width of all steps.
const WIDTH: usize = 700;

/// The picture; in words where a plan has no intermediates.
pub fn picture(plan: &Plan) -> String {
    let (all, steps) = (plan.intermediate_bytes(), plan.steps().len());
    if all == 0 || steps == 0 {
        return "<p class=\"note\">No step writes memory that another reads.</p>".to_owned();
    }
    let each = STEP.max(WIDTH / steps);
    let (wide, high) = (LEFT + each * steps + 8, HEIGHT + 34);
    let mut out = format!(
        r#"<svg class="memory" viewBox="0 0 {wide} {high}" width="{wide}" role="img" aria-labelledby="memory-name">
<title id="memory-name">{} of memory over {steps} steps: each rectangle is a buffer, from the step that writes it to the last that reads it</title>
<rect id="now" class="now" x="0" y="8" width="{each}" height="{HEIGHT}" data-left="{LEFT}" visibility="hidden"/>"#,
        bytes(all)
    );
    for buffer in plan.buffers() {
        out += &rectangle(&buffer, all, each);
    }
    for (part, label) in [(0, "0".to_owned()), (1, bytes(all / 2)), (2, bytes(all))] {
        let y = 8 + HEIGHT - HEIGHT * part / 2;
        let _ = write!(
            out,
            r#"<path class="axis" d="M{LEFT} {y} H{}"/><text class="size" x="{}" y="{}">{label}</text>"#,
            wide - 8,
            LEFT - 6,
            y + 4
        );
    }
    // As many numbers as have room.
    let every = steps.div_ceil(each * steps / 50).max(1);
    for step in (0..steps).step_by(every) {
        let (x, y) = (LEFT + step * each + each / 2, HEIGHT + 24);
        let _ = write!(out, r#"<text class="step" x="{x}" y="{y}">{step}</text>"#);
    }
    out + "</svg>"
}

fn rectangle(buffer: &Buffer, all: usize, each: usize) -> String {
    let Buffer { number, offset, bytes: size, first, last, .. } = *buffer;
    let scaled = |bytes: usize| bytes as f64 / all as f64 * HEIGHT as f64;
    // From the bottom up, and never too low to be seen.
    let (x, wide, tall) = (LEFT + first * each, (last + 1 - first) * each, scaled(size).max(1.0));
    let y = 8.0 + HEIGHT as f64 - scaled(offset) - tall;
    let title = format!("buffer {number}: {} at {}, steps {first} to {last}", bytes(size), bytes(offset));
    format!(
        r#"<rect class="buffer c{}" data-buffer="{number}" data-step="{first}" x="{x}" y="{y:.1}" width="{wide}" height="{tall:.1}"><title>{}</title></rect>"#,
        number % 5,
        html(&title)
    )
}

/// Bytes in the unit that has room.
pub fn bytes(bytes: usize) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.2} MB", bytes as f64 / 1e6),
    }
}
