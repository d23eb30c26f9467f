//! No public data type is forgotten here.

use std::{collections::BTreeSet, fs, path::Path};

/// Types that are compared, but are no data: what they name is found in memory, in a chain or on a device.
const HANDLES: [&str; 4] = ["Slot", "TensorId", "Cursor", "Row"];

/// Every type of images and their runs whose values can be compared is data and has a text, unless it is an error or a handle.
#[test]
fn every_public_data_type_is_tested_here() {
    let (mut found, mut missing) = (BTreeSet::new(), Vec::new());
    let these = [include_str!("main.rs")];
    for folder in ["src", "../reference/src"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for_each_source(&folder, &mut |text| {
            for (derived, name) in compared_types(text) {
                let is_error = derived.contains("Error") || text.contains(&format!("Error for {name}"));
                if !is_error && !HANDLES.contains(&name) {
                    let is_named = |text: &str| text.split(|c: char| !c.is_alphanumeric()).any(|word| word == name);
                    if !these.into_iter().any(is_named) {
                        missing.push(name.to_owned());
                    }
                    found.insert(name.to_owned());
                }
            }
        });
    }
    assert_eq!(missing, [""; 0], "public data types without a test of their texts");
    assert!(found.len() >= 48, "{} {found:?}", found.len());
}

/// The public types without lifetimes of a source that derive `PartialEq`, with what they derive.
fn compared_types(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("#[derive(").skip(1).filter_map(|item| {
        let (derived, rest) = item.split_once(")]")?;
        let head = rest.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with(['#', '/']))?;
        let head = head.strip_prefix("pub struct ").or(head.strip_prefix("pub enum "))?;
        let name = head.split(|c: char| !c.is_alphanumeric()).next()?;
        let is_compared = derived.split(", ").any(|derived| derived == "PartialEq");
        (is_compared && !head[name.len()..].starts_with('<')).then_some((derived, name))
    })
}

fn for_each_source(folder: &Path, act: &mut dyn FnMut(&str)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match path.is_dir() {
            true if name == "testing" => {}
            true => for_each_source(&path, act),
            false if name.ends_with(".rs") => act(&fs::read_to_string(&path).unwrap()),
            false => {}
        }
    }
}
