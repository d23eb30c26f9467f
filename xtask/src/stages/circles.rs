//! Circles of imports: files of a crate that need each other through their `use` lines.
//!
//! A name that another file passes on leads to the file that defines it. Tests are left out: they may import what they like.

mod crate_files;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use anyhow::bail;

use self::crate_files::{Arrow, Crate};
use crate::context::Context;

/// The crates whose files are looked at.
const CRATES: [&str; 7] = ["backends", "cli", "dsl", "graph", "macros", "opencl", "runtime"];

/// Files that may stand in a circle: a type, what it is made of, and what is made of it.
const MOST: usize = 3;

pub fn circles(cx: &Context) -> anyhow::Result<()> {
    let root = cx.shell.current_dir();
    let mut found = String::new();
    for name in CRATES {
        let files = Crate::read(&root.join(name).join("src"))?;
        let arrows = files.arrows();
        cx.say(&format!("{name}: {} files, {} imports between them", files.count(), arrows.len()))?;
        for circle in components(&arrows).iter().filter(|circle| circle.len() > MOST) {
            found += &described(&root, circle, &arrows);
        }
    }
    if !found.is_empty() {
        bail!("more than {MOST} files import each other in a circle:\n{found}");
    }
    Ok(())
}

/// The sets of files each of which leads to all others of its set; a file by itself is none.
fn components<'f>(arrows: &BTreeSet<Arrow<'f>>) -> BTreeSet<BTreeSet<&'f Path>> {
    let mut next: BTreeMap<&Path, BTreeSet<&Path>> = BTreeMap::new();
    for arrow in arrows {
        next.entry(arrow.from).or_default().insert(arrow.to);
    }
    let reached = |start: &&'f Path| {
        let (mut reached, mut open) = (BTreeSet::new(), vec![*start]);
        while let Some(file) = open.pop() {
            open.extend(next.get(file).into_iter().flatten().filter(|file| reached.insert(**file)));
        }
        (*start, reached)
    };
    let reached: BTreeMap<&Path, BTreeSet<&Path>> = next.keys().map(reached).collect();
    let leads_back = |start: &Path, file: &Path| reached.get(file).is_some_and(|files| files.contains(start));
    let circle = |start: &Path| reached[start].iter().copied().filter(|file| leads_back(start, file)).collect();
    reached.keys().map(|start| circle(start)).filter(|circle: &BTreeSet<_>| !circle.is_empty()).collect()
}

/// The files of a circle, each with the names that it imports from the others.
fn described(root: &Path, circle: &BTreeSet<&Path>, arrows: &BTreeSet<Arrow<'_>>) -> String {
    let show = |file: &Path| file.strip_prefix(root).unwrap_or(file).display().to_string();
    let mut text = format!("{} files:\n", circle.len());
    for arrow in arrows.iter().filter(|arrow| circle.contains(arrow.from) && circle.contains(arrow.to)) {
        text += &format!("  {} imports {} of {}\n", show(arrow.from), arrow.name, show(arrow.to));
    }
    text
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The circles of a crate of these files.
    fn circles_of(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let folder = xshell::Shell::new().unwrap().create_temp_dir().unwrap();
        for (file, text) in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let files = Crate::read(folder.path()).unwrap();
        let show = |file: &Path| file.strip_prefix(folder.path()).unwrap().display().to_string();
        components(&files.arrows()).iter().map(|circle| circle.iter().map(|file| show(file)).collect()).collect()
    }

    /// Four files in a circle: by a plain path, one out of a group, one that another file passes on, and one in a function.
    const FOUR: [(&str, &str); 6] = [
        ("lib.rs", "mod a;\nmod b;\nmod c;\nmod face;\nmod apart;"),
        ("a.rs", "use crate::b::B;\npub struct A(B);"),
        ("b.rs", "pub(crate) mod inner;\nuse self::inner::{self, Inner as Other};\npub struct B(Other);"),
        ("b/inner.rs", "use crate::face::*;\nuse super::super::{c::C};\npub struct Inner(C);"),
        ("c.rs", "pub struct C;\nfn f() { use crate::face::A; let _: Option<A> = None; }"),
        ("face.rs", "pub use crate::a::A;"),
    ];

    #[test]
    fn a_circle_of_four_files_is_found_and_shown() {
        let files = [&FOUR[..], &[("apart.rs", "use crate::a::A;\npub struct Apart(A);")]].concat();
        assert_eq!(circles_of(&files), [["a.rs", "b/inner.rs", "b.rs", "c.rs"]]);
        let names = ["a", "b", "c", "d"].map(Path::new);
        let arrow = |from: usize, to: usize| Arrow { from: names[from], to: names[to], name: "Name".to_owned() };
        let arrows = BTreeSet::from([arrow(0, 1), arrow(1, 2), arrow(2, 0), arrow(2, 3)]);
        let text = described(Path::new(""), components(&arrows).first().unwrap(), &arrows);
        assert_eq!(text, "3 files:\n  a imports Name of b\n  b imports Name of c\n  c imports Name of a\n");
    }

    #[test]
    fn what_is_only_passed_on_and_what_tests_import_are_no_arrows() {
        let mut files = FOUR.to_vec();
        files.push(("apart.rs", ""));
        files[4].1 = "pub struct C;\n#[cfg(test)]\nmod tests { use crate::a::A; }\n#[cfg(test)]\nuse crate::b::B;";
        assert!(circles_of(&files).is_empty());
        files[4].1 = "pub use crate::a::A;\npub struct C;";
        assert!(circles_of(&files).is_empty());
        files[4].1 = "pub use crate::a::A;\npub struct C;\nfn f() { vec![A] }";
        assert_eq!(circles_of(&files)[0].len(), 4);
    }
}
