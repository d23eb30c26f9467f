//! The mistakes that change nothing, argued one by one in a table of `docs/mutants.md`: read here, and held to the code.

use crate::mutate::Mutant;
use std::path::Path;

/// The heading above the table.
const HEADING: &str = "## Equivalent mutants of the region arithmetic";

/// A row: mistakes of one text in one function.
pub struct Equivalent {
    place: String,
    text: String,
    changes: Vec<String>,
}

/// Reads the table: place, text, change, why.
pub fn read(root: &Path) -> Vec<Equivalent> {
    let page = std::fs::read_to_string(root.join("docs/mutants.md")).unwrap();
    let (_, section) = page.split_once(HEADING).unwrap_or_else(|| panic!("docs/mutants.md has no `{HEADING}`"));
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.map(|line| {
        // A bar inside a cell is escaped.
        let line = line.replace("\\|", "\u{1}");
        let cells: Vec<String> = line.split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect();
        let [_, place, text, change, why, _] = &cells[..] else { panic!("not four cells: {line}") };
        assert!(why.len() > 20, "no reason is given: {line}");
        let changes = change.split(',').map(|change| change.trim().to_owned()).collect();
        Equivalent { place: place.trim_matches('`').to_owned(), text: bare(text.trim_matches('`')), changes }
    })
    .collect()
}

impl Equivalent {
    /// Whether `mutant` is one of the row's.
    pub fn is(&self, mutant: &Mutant) -> bool {
        let place = format!("{}: {}", mutant.file, mutant.function);
        self.place == place && self.text == bare(&mutant.text) && self.changes.iter().any(|c| c == mutant.change)
    }

    /// What is wrong with the row: a change that is no mistake of the code, or one that a test sees.
    pub fn faults(&self, mutants: &[Mutant], alive: &[bool]) -> Vec<String> {
        let fault = |change: &String| {
            let mut meant =
                (0..mutants.len()).filter(|&i| self.is(&mutants[i]) && mutants[i].change == change).peekable();
            let name = format!("{}: `{}`, {change}", self.place, self.text);
            if meant.peek().is_none() {
                return Some(format!("{name}: no such mistake"));
            }
            meant.all(|i| !alive[i]).then(|| format!("{name}: a test sees it"))
        };
        self.changes.iter().filter_map(fault).collect()
    }
}

/// The text without its spaces, which differ between tokens and source.
fn bare(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}
