//! `windrow explain`: the proof of each body, and what each target makes of it.

use crate::{
    error::Error,
    selection::{Selection, SelectionError},
};
use clap::Args;
use windrow_backends::doors::instructions::{Listing, listings};
use windrow_backends::doors::source::SourceKernel;
use windrow_dsl::{analyse, optimise::explain_lanes};

/// The width that a line of names keeps to.
const WIDTH: usize = 100;

/// Prints what is known of each value, how each obligation was proved, and each target's instructions.
#[derive(Debug, Args)]
pub struct Explain {
    #[command(flatten)]
    selection: Selection,
}

impl Explain {
    /// What is known about all kernels meant.
    ///
    /// # Errors
    /// There is no such kernel.
    pub fn run(&self) -> Result<String, Error> {
        let kernels = self.selection.kernels()?;
        Ok(kernels.iter().map(|located| text(&located.kernel)).collect::<Result<Vec<_>, _>>()?.join("\n"))
    }
}

fn text(source: &SourceKernel) -> Result<String, SelectionError> {
    let kernel = &source.compiled.kernel;
    let mut out = String::new();
    for (body, facts) in kernel.bodies.iter().zip(&kernel.facts) {
        out.push_str(&analyse::explain(kernel, body, facts));
        out.push_str(&explain_lanes(kernel, body));
    }
    for (target, listing) in listings(kernel, &source.prepared)? {
        out.push_str(&section(target, &listing));
    }
    Ok(out)
}

fn section(target: &str, listing: &Listing) -> String {
    let title = if listing.title.is_empty() { String::new() } else { format!(" ({})", listing.title) };
    let mut lines = vec![format!("  {target}{title}: {}", listing.block)];
    let mut line = String::new();
    for (name, count) in &listing.calls {
        let item = format!("{count} {name}");
        if line.len() + item.len() > WIDTH {
            lines.push(format!("    {line},"));
            line.clear();
        }
        let comma = if line.is_empty() { "" } else { ", " };
        line.push_str(&format!("{comma}{item}"));
    }
    if !line.is_empty() {
        lines.push(format!("    {line}"));
    }
    lines.extend(listing.notes.iter().map(|note| format!("    {note}")));
    lines.push(String::new());
    lines.join("\n")
}
