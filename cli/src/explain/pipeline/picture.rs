//! A pipeline as a picture in SVG: boxes in the order of the stages, and a line from each image to each stage that reads it.

use super::{Drawing, instructions, name};
use crate::escape::html;
use windrow_dsl::pipeline::{Outline, Stage, Storage};

/// Pixels: where the middle of boxes is, how wide and high they are, and what is from one to the next.
const MIDDLE: usize = 440;
const WIDTH: usize = 300;
const HEIGHT: usize = 48;
const STEP: usize = 104;
/// Pixels from a line of text to the next.
const ROW: usize = 15;
/// How far out an arc bends for each box that it passes.
const BEND: usize = 34;
/// How much further out each arc is than the one before.
const ARC: usize = 26;

/// The picture of a pipeline.
pub fn picture(outline: &Outline) -> String {
    let drawing = Drawing::of(outline);
    let inputs = outline.images.iter().filter(|image| image.storage == Storage::Input).count();
    let rows = outline.stages.len() + 2;
    let y = |row: usize| 8 + row * STEP;
    let mut boxes = String::new();
    let names: Vec<String> = (0..inputs).map(|place| typed(&drawing, place)).collect();
    boxes += &boxed("input", y(0), &names.join(", "), "read from the caller");
    for (number, stage) in (1..).zip(&outline.stages) {
        boxes += &boxed("stage", y(number), &name(stage), &below(&drawing, stage));
    }
    let returned: Vec<String> = places(outline, Storage::Output).map(|place| typed(&drawing, place)).collect();
    boxes += &boxed("input", y(rows - 1), &returned.join(", "), "returned to the caller");
    let lines = lines(&drawing).concat();
    let (wide, high) = (MIDDLE + WIDTH / 2 + 240, y(rows - 1) + HEIGHT + 8);
    let title = format!("The pipeline {}: its stages from top to bottom, and the images between them", outline.name);
    format!(
        "<svg class=\"pipeline\" viewBox=\"0 0 {wide} {high}\" role=\"img\"><title>{}</title>{lines}{boxes}</svg>",
        html(&title)
    )
}

/// The lines from the images to the stages that read them, and to the caller: one from each box to each, with the names of all that goes
/// there.
fn lines(drawing: &Drawing<'_>) -> Vec<String> {
    let outline = drawing.outline;
    let mut lines: Vec<Line> = Vec::new();
    let mut add = |from: usize, to: usize, label: String, place: String, is_kept: bool| {
        let known = lines.iter().position(|line| (line.from, line.to) == (from, to));
        let line = known.unwrap_or_else(|| {
            lines.push(Line { from, to, labels: Vec::new(), places: Vec::new(), is_kept: false, arc: 0 });
            lines.len() - 1
        });
        let line = &mut lines[line];
        line.is_kept |= is_kept;
        for (list, text) in [(&mut line.labels, label), (&mut line.places, place)] {
            if !text.is_empty() && !list.contains(&text) {
                list.push(text);
            }
        }
    };
    for (number, stage) in (1..).zip(&outline.stages) {
        for read in &stage.reads {
            let image = drawing.image(read.image);
            let extent = match read.extent {
                Some((1, 1)) => String::new(),
                Some((columns, rows)) => format!(" {columns}×{rows}"),
                None if stage.kernel.is_some() => " anywhere".into(),
                None => String::new(),
            };
            let label = format!("{}{extent}", typed(drawing, read.image));
            let is_kept = image.storage == Storage::Between;
            let place = if is_kept { drawing.place(image) } else { String::new() };
            add(maker(outline, read.image), number, label, place, is_kept);
        }
        for place in stage.writes.iter().filter(|place| drawing.image(**place).storage == Storage::Output) {
            add(number, outline.stages.len() + 1, typed(drawing, *place), String::new(), false);
        }
    }
    for (arc, line) in lines.iter_mut().filter(|line| line.is_arc()).enumerate() {
        line.arc = arc;
    }
    lines.iter().map(Line::draw).collect()
}

fn places(outline: &Outline, storage: Storage) -> impl Iterator<Item = usize> {
    (0..outline.images.len()).filter(move |place| outline.images[*place].storage == storage)
}

/// `blurred: u8`.
fn typed(drawing: &Drawing<'_>, place: usize) -> String {
    let image = drawing.image(place);
    image.element.as_ref().map_or(image.name.clone(), |element| format!("{}: {element}", image.name))
}

/// What stands below a stage's name: what stays in registers, and what an element costs.
fn below(drawing: &Drawing<'_>, stage: &Stage) -> String {
    let inside: Vec<&str> = stage.inside.iter().map(|place| drawing.image(*place).name.as_str()).collect();
    let mut parts: Vec<String> = Vec::new();
    if !inside.is_empty() {
        parts.push(format!("{} in registers", inside.join(", ")));
    }
    let counts = instructions(stage).into_iter().filter(|(target, _)| matches!(*target, "avx2" | "neon"));
    parts.extend(counts.map(|(target, count)| format!("{target} {count:.1}")));
    parts.join(" · ")
}

/// The row of the box that an image comes out of: a stage's, or that of the images that are read.
fn maker(outline: &Outline, image: usize) -> usize {
    outline.stages.iter().position(|stage| stage.writes.contains(&image)).map_or(0, |stage| stage + 1)
}

fn boxed(class: &str, y: usize, title: &str, below: &str) -> String {
    let (x, middle) = (MIDDLE - WIDTH / 2, MIDDLE);
    let mut out = format!(r#"<rect class="{class}" x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>"#);
    out += &text("name", middle, y + 20, title);
    out += &text("below", middle, y + 37, below);
    out
}

/// A line from the bottom of a box to the top of a later one: straight to the next, else around those between, each arc by itself.
struct Line {
    from: usize,
    to: usize,
    labels: Vec<String>,
    /// Where the images are, which only a straight line has room for.
    places: Vec<String>,
    is_kept: bool,
    /// How many arcs there are before.
    arc: usize,
}

impl Line {
    fn is_arc(&self) -> bool {
        self.to > self.from + 1
    }

    fn draw(&self) -> String {
        let (top, bottom) = (8 + self.from * STEP + HEIGHT, 8 + self.to * STEP);
        let class = if self.is_kept { "kept" } else { "moved" };
        let y = (top + bottom) / 2;
        if self.is_arc() {
            let side = MIDDLE + WIDTH / 2;
            let out = side + BEND * (self.to - self.from - 1) + ARC * self.arc;
            let (top, bottom, x) = (top - HEIGHT / 2, bottom + HEIGHT / 2, side + (out - side) * 3 / 4 + 6);
            let first = y + 4 - ROW * (self.labels.len() - 1) / 2;
            let labels = (0..).zip(&self.labels);
            let labels = labels.map(|(row, label)| text("arc", x, first + ROW * row, label));
            return format!(
                r#"<path class="{class}" d="M{side} {top} C{out} {top} {out} {bottom} {side} {bottom}"/>{}"#,
                labels.collect::<String>()
            );
        }
        let x = MIDDLE - 10;
        format!(
            r#"<path class="{class}" d="M{MIDDLE} {top} V{bottom}"/>{}{}"#,
            text("label", x, y - 3, &self.labels.join(", ")),
            text("label", x, y - 3 + ROW, &self.places.join("; "))
        )
    }
}

fn text(class: &str, x: usize, y: usize, text: &str) -> String {
    format!(r#"<text class="{class}" x="{x}" y="{y}">{}</text>"#, html(text))
}
