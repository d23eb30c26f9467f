//! Holds `docs/operators.md` to the library and to the lists of what others have: `names/`, each with its source.

use std::{collections::BTreeSet, fs, path::Path};

/// A section of the page and the list of names that it must have.
const SECTIONS: [(&str, &str); 6] = [
    ("## OpenVX 1.1", include_str!("names/openvx.txt")),
    ("## Arm Compute Library 19.05", include_str!("names/acl_neon.txt")),
    ("## Arm Compute Library 19.05", include_str!("names/acl_opencl.txt")),
    ("## MNN 2.8", include_str!("names/mnn.txt")),
    ("## TVM for the Arm Compute Library", include_str!("names/tvm.txt")),
    ("## ONNX", include_str!("names/onnx.txt")),
];

/// How a row begins that names no operator.
const REASONS: [&str; 3] = ["needs no kernel: ", "stays out: ", "is not written: "];

/// Functions over several operators.
const FUNCTIONS: [&str; 9] = [
    "CannyEdge",
    "FastCorners",
    "GaussianPyramid",
    "HarrisCorners",
    "LaplacianPyramid",
    "LaplacianReconstruct",
    "MinMaxLoc",
    "NonZero",
    "OpticalFlowPyrLK",
];

/// A row of a table: others' names, ours, and what is said of them.
struct Row {
    theirs: Vec<String>,
    ours: Vec<String>,
    note: String,
}

fn rows(title: &str) -> Vec<Row> {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/operators.md")).unwrap();
    let section = page.split_once(&format!("{title}\n")).unwrap_or_else(|| panic!("the page has no {title}")).1;
    let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
    let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(String::from).collect();
    let rows = section.lines().filter(|line| line.starts_with("| `")).map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').splitn(3, " | ").collect();
        assert_eq!(cells.len(), 3, "{line}");
        Row { theirs: names(cells[0]), ours: names(cells[1]), note: cells[2].trim().to_string() }
    });
    rows.collect()
}

/// The kernels, by the names of their functions: copies for several types have one.
fn library() -> BTreeSet<String> {
    let types = ["u8", "i8", "u16", "i16", "u32", "i32", "f32"];
    let names = windrow_operators::all().iter().map(|code| code.spec().name);
    let names = names.flat_map(|name| {
        let copy = name.rsplit_once('_').filter(|(_, ty)| types.contains(ty)).map(|(function, _)| function);
        [Some(name), copy].into_iter().flatten().map(String::from)
    });
    names.chain(FUNCTIONS.map(String::from)).collect()
}

#[test]
fn every_name_of_the_lists_is_on_the_page_once() {
    for title in SECTIONS.map(|(title, _)| title) {
        let lists = SECTIONS.iter().filter(|(section, _)| *section == title);
        let listed: BTreeSet<String> =
            lists.flat_map(|(_, list)| list.lines().filter(|line| !line.starts_with('#'))).map(String::from).collect();
        let mut found = BTreeSet::new();
        for name in rows(title).into_iter().flat_map(|row| row.theirs) {
            assert!(listed.contains(&name), "{title}: no list has {name}");
            assert!(found.insert(name.clone()), "{title}: {name} is there twice");
        }
        let missing: Vec<&String> = listed.difference(&found).collect();
        assert!(missing.is_empty(), "{title}: {missing:?} are missing");
    }
}

#[test]
fn every_name_of_ours_is_an_operator() {
    let library = library();
    for (title, _) in SECTIONS {
        for Row { theirs, ours, note } in rows(title) {
            for name in &ours {
                assert!(library.contains(name), "{title}: {theirs:?} is said to be {name}, which is not an operator");
            }
            let is_explained = REASONS.iter().any(|reason| note.starts_with(reason));
            assert!(ours.is_empty() == is_explained, "{title}: {theirs:?} must have an operator or a reason: {note}");
        }
    }
}

/// An operator that no list knows is said on the page of formulas alone; those of the lists are there too.
#[test]
fn every_operator_has_its_formula() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/semantics.md")).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let first_cells = rows.filter_map(|line| line.trim_start_matches("| ").split(" | ").next());
    let named: BTreeSet<&str> = first_cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    let types = ["_u8", "_i8", "_u16", "_i16", "_i32", "_f32"];
    for code in windrow_operators::all() {
        let name = code.spec().name;
        let function = types.iter().find_map(|ty| name.strip_suffix(ty)).unwrap_or(name);
        assert!(named.contains(name) || named.contains(function), "docs/semantics.md has no row for {name}");
    }
}
