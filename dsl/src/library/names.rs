//! What names of a module stand for, as far as its `use` items say.

use std::collections::BTreeMap;

/// How many `use` items may lead from one to the next.
const MAX_STEPS: usize = 8;

/// The names that a module imports and declares.
#[derive(Default)]
pub(super) struct Names {
    /// The whole path of what a name stands for.
    imported: BTreeMap<String, Vec<String>>,
    /// The paths before `::*`.
    globs: Vec<Vec<String>>,
    /// The modules beside the names.
    modules: Vec<String>,
}

/// Where something with a name may be found.
pub(super) struct Place {
    /// The crate, as the module calls it; `None` for the module's own.
    pub krate: Option<String>,
    /// Its name there.
    pub name: String,
}

impl Names {
    /// Reads a module's items.
    pub fn of(items: &[syn::Item]) -> Names {
        let mut names = Names::default();
        for item in items {
            match item {
                syn::Item::Use(item) => names.import(&item.tree, &mut Vec::new()),
                syn::Item::Mod(module) => names.modules.push(module.ident.to_string()),
                _ => {}
            }
        }
        names
    }

    fn import(&mut self, tree: &syn::UseTree, path: &mut Vec<String>) {
        let mut add = |name: &syn::Ident, known: &syn::Ident| {
            let mut whole = path.clone();
            // `use a::b::{self}` imports `b`.
            if name != "self" {
                whole.push(name.to_string());
            }
            let known = if known == "self" { whole.last().cloned().unwrap_or_default() } else { known.to_string() };
            self.imported.insert(known, whole);
        };
        match tree {
            syn::UseTree::Path(part) => {
                path.push(part.ident.to_string());
                self.import(&part.tree, path);
                path.pop();
            }
            syn::UseTree::Name(name) => add(&name.ident, &name.ident),
            syn::UseTree::Rename(rename) => add(&rename.ident, &rename.rename),
            syn::UseTree::Glob(_) => self.globs.push(path.clone()),
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, path)),
        }
    }

    /// Returns where what a path names may be, the likeliest place first.
    pub fn places(&self, path: &syn::Path) -> Vec<Place> {
        let mut whole: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        for _ in 0..MAX_STEPS {
            let Some(import) = whole.first().and_then(|first| self.imported.get(first)) else { break };
            // `use windrow_operators;` imports what it names.
            if import.first() == whole.first() {
                break;
            }
            whole.splice(..1, import.iter().cloned());
        }
        let Some(name) = whole.last().cloned() else { return Vec::new() };
        if whole.len() > 1 {
            return vec![Place { krate: self.krate(&whole), name }];
        }
        let globs = self.globs.iter().filter_map(|glob| self.krate(glob));
        let krates = std::iter::once(None).chain(globs.map(Some));
        krates.map(|krate| Place { krate, name: name.clone() }).collect()
    }

    /// The crate that a path leads into; `None` for the module's own.
    fn krate(&self, path: &[String]) -> Option<String> {
        let first = path.first()?;
        let is_own = matches!(first.as_str(), "crate" | "self" | "super") || self.modules.contains(first);
        (!is_own).then(|| first.clone())
    }
}
