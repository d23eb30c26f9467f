//! The cases of `cases/`: a mistake `<kind>/<name>.rs`, what rustc prints for it `<name>.stderr`, and its twin
//! `<name>.fixed.rs`, mended by following the help's own words.

use std::path::{Path, PathBuf};

/// A mistake and its twin.
pub struct Case {
    /// The folder: what the mistake is about.
    pub kind: String,
    /// The file's name: the message's, where the catalogue has it.
    pub name: String,
    /// The mistake's file.
    pub path: PathBuf,
}

impl Case {
    /// `kind/name`, for reports.
    pub fn id(&self) -> String {
        format!("{}/{}", self.kind, self.name)
    }

    /// The twin's file.
    pub fn fixed(&self) -> PathBuf {
        self.path.with_extension("fixed.rs")
    }

    /// What rustc prints.
    pub fn stderr(&self) -> PathBuf {
        self.path.with_extension("stderr")
    }
}

/// Every case, in order.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for folder in entries(&root()) {
        let kind = name(&folder);
        for path in entries(&folder) {
            let file = name(&path);
            if let Some(name) = file.strip_suffix(".rs").filter(|name| !name.ends_with(".fixed")) {
                cases.push(Case { kind: kind.clone(), name: name.to_owned(), path });
            }
        }
    }
    cases
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}
