//! A page for a browser: the author's source, what is known of its values, and the code of each target beside it.
//!
//! The page is one file and asks for no other. [`places`] finds where values stand in the source, [`values`] what is known of
//! them, [`code`] which line of a target's code comes from where, and [`data`] puts it together for the page's script;
//! [`source`] writes the source. The script draws what is asked for, so that a page opens as fast as its source is long.

mod code;
mod data;
mod places;
mod source;
mod values;

use super::{error::ExplainError, facts::Facts};
use crate::escape::{self, html};
use data::Data;
use places::Places;
use std::path::Path;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = concat!(include_str!("../../base.css"), "\n", include_str!("page.css"));
/// In one script, whose last part begins.
const SCRIPTS: [&str; 3] = [include_str!("plot.js"), include_str!("value.js"), include_str!("page.js")];

/// The page of a source with these kernels, and with the pictures of its pipelines.
///
/// # Errors
/// A target has no instructions for one of them.
pub fn write(file: &Path, source: &str, facts: &[Facts<'_>], pictures: &str) -> Result<String, ExplainError> {
    // Spans count from behind it.
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let places = Places::of(source);
    let data = Data::of(file, &places, facts)?;
    let shown = data.places_with_values();
    // Names, texts and figures: nothing of them can't be written.
    let json = serde_json::to_string(&data).unwrap_or_default();
    let pipelines = match pictures {
        "" => String::new(),
        // A reader by keyboard scrolls what has the focus.
        _ => format!(
            "<details class=\"pipelines\" id=\"pipelines\" open><summary>Pipelines</summary>\
             <div role=\"group\" aria-label=\"Pictures of the pipelines. Arrow keys scroll.\" tabindex=\"0\">{pictures}</div></details>"
        ),
    };
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
    Ok(escape::fill(
        TEMPLATE,
        &[
            ("title", &html(&name)),
            ("file", &html(&file.display().to_string())),
            ("style", STYLE),
            ("pipelines", &pipelines),
            ("source", &source::source(source, &places, &shown)),
            ("data", &escape::packed(&json)),
            ("script", &SCRIPTS.concat()),
        ],
    ))
}
