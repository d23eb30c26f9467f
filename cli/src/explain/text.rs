//! What is known of a kernel as text.

use super::facts::Facts;
use windrow_backends::doors::instructions::Listing;

/// The width that a line of names keeps to.
const WIDTH: usize = 100;

/// The proof of each body, and the instructions of one target or of each.
pub fn report(facts: &Facts<'_>, only: Option<&str>) -> String {
    let is_meant = |target: &str| only.is_none_or(|only| only == target);
    let meant = facts.listings.iter().filter(|(target, _)| is_meant(target));
    let sections = meant.map(|(target, listing)| section(target, listing));
    facts.proofs.iter().cloned().chain(sections).collect()
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
