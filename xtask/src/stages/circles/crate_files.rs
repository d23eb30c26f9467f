//! The files of a crate, what each defines, and what it imports.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    ptr, slice,
};

use anyhow::Context as _;
use proc_macro2::{TokenStream, TokenTree};
use syn::{
    Attribute, Ident, Item, ItemUse, Macro, Meta, UseTree, Visibility,
    visit::{self, Visit},
};

/// The names from the crate's root to a module, or to what is in one.
type Names = Vec<String>;

/// What is imported as a whole has no name.
const ALL: &str = "*";

/// An import of something that another file defines.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrow<'f> {
    pub from: &'f Path,
    pub to: &'f Path,
    pub name: String,
}

/// The modules of a crate, tests left out.
#[derive(Default)]
pub struct Crate {
    modules: BTreeMap<Names, Module>,
}

/// A module, which is a file or stands in the file of another one.
#[derive(Default)]
struct Module {
    file: PathBuf,
    /// What it defines by itself, its modules left out.
    defined: BTreeSet<String>,
    imports: Vec<Import>,
    /// All names that it says outside of its imports.
    said: BTreeSet<String>,
}

struct Import {
    /// What it is called here; [`ALL`] for all that `path` has.
    name: String,
    path: Names,
    is_passed_on: bool,
}

impl Crate {
    /// Reads the files below a folder with the crate's first file, module by module.
    pub fn read(folder: &Path) -> anyhow::Result<Crate> {
        let first = ["lib.rs", "main.rs"].map(|name| folder.join(name)).into_iter().find(|file| file.exists());
        let mut files = Crate::default();
        files.read_file(first.with_context(|| format!("no crate in {}", folder.display()))?, folder, Vec::new())?;
        Ok(files)
    }

    /// Reads the file of a module; the files of the modules that it declares lie in `folder`.
    fn read_file(&mut self, file: PathBuf, folder: &Path, module: Names) -> anyhow::Result<()> {
        let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let parsed = syn::parse_file(&text).with_context(|| file.display().to_string())?;
        self.add(&file, folder, module, &parsed.items)
    }

    /// Takes the items of a module in, and reads the modules that they declare.
    fn add(&mut self, file: &Path, folder: &Path, module: Names, items: &[Item]) -> anyhow::Result<()> {
        let mut found = Module::default();
        for item in items.iter().filter(|item| !is_for_tests(attributes(item))) {
            let Item::Mod(inner) = item else {
                found.defined.extend(defined(item));
                found.visit_item(item);
                continue;
            };
            let name = inner.ident.to_string();
            let (folder, names) = (folder.join(&name), [&module[..], &[name]].concat());
            if let Some((_, items)) = &inner.content {
                self.add(file, &folder, names, items)?;
                continue;
            }
            let file = [folder.with_extension("rs"), folder.join("mod.rs")].into_iter().find(|file| file.exists());
            let file = file.with_context(|| format!("no file of the module {}", names.join("::")))?;
            self.read_file(file, &folder, names)?;
        }
        // One of the same name for each system is all of them.
        let module = self.modules.entry(module).or_default();
        module.file = file.to_owned();
        module.defined.extend(found.defined);
        module.imports.extend(found.imports);
        module.said.extend(found.said);
        Ok(())
    }

    /// How many files there are.
    pub fn count(&self) -> usize {
        self.modules.values().map(|module| &module.file).collect::<BTreeSet<_>>().len()
    }

    /// The imports of each file from others.
    pub fn arrows(&self) -> BTreeSet<Arrow<'_>> {
        let mut arrows = BTreeSet::new();
        for (at, module) in &self.modules {
            for import in &module.imports {
                let to = module.used(import).into_iter().filter_map(|path| self.file_of(at, &path, &mut Vec::new()));
                let to = to.filter(|&to| to != module.file);
                let name = import.path.last().cloned().unwrap_or_default();
                let name = if import.name == ALL { name + "::*" } else { name };
                arrows.extend(to.map(|to| Arrow { from: &module.file, to, name: name.clone() }));
            }
        }
        arrows
    }

    /// The file that defines what `path` leads to, read in the module `at`; `None` for what is of other crates or written by macros.
    fn file_of<'c>(&'c self, at: &[String], path: &[String], before: &mut Vec<&'c Import>) -> Option<&'c Path> {
        match start(at, path) {
            Some((here, rest)) => self.file_in(&here, rest, before),
            None => self.file_in(at, path, before),
        }
    }

    /// The same from inside the module `here`. `before` are the imports followed until here.
    fn file_in<'c>(&'c self, here: &[String], path: &[String], before: &mut Vec<&'c Import>) -> Option<&'c Path> {
        let module = self.modules.get(here)?;
        let Some((name, rest)) = path.split_first() else { return Some(&module.file) };
        let inner = [here, slice::from_ref(name)].concat();
        if self.modules.contains_key(&inner) {
            return self.file_in(&inner, rest, before);
        }
        if module.defined.contains(name) {
            return Some(&module.file);
        }
        let leads = |import: &&Import| import.name == *name || import.name == ALL;
        module.imports.iter().filter(leads).find_map(|import| {
            // Modules may pass names on in circles.
            if before.iter().any(|known| ptr::eq(*known, import)) {
                return None;
            }
            before.push(import);
            let rest = if import.name == ALL { path } else { rest };
            self.file_of(here, &[&import.path, rest].concat(), before)
        })
    }
}

/// The module in which `path` starts, read in the module `at`, and the names from there; `None` where it begins with a name of the
/// module or of a crate.
fn start<'p>(at: &[String], path: &'p [String]) -> Option<(Names, &'p [String])> {
    let (first, mut rest) = path.split_first()?;
    let mut here = match &**first {
        "crate" => Vec::new(),
        "self" => at.to_vec(),
        "super" => at.split_last()?.1.to_vec(),
        _ => return None,
    };
    while rest.first().is_some_and(|name| name == "super") {
        here.pop();
        rest = &rest[1..];
    }
    Some((here, rest))
}

impl<'a> Visit<'a> for Module {
    fn visit_item(&mut self, item: &'a Item) {
        if !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'a ItemUse) {
        if item.leading_colon.is_none() {
            let is_passed_on = !matches!(item.vis, Visibility::Inherited);
            self.import(&item.tree, Vec::new(), is_passed_on);
        }
    }

    fn visit_ident(&mut self, ident: &'a Ident) {
        self.said.insert(ident.to_string());
    }

    fn visit_macro(&mut self, called: &'a Macro) {
        visit::visit_macro(self, called);
        self.say(called.tokens.clone());
    }
}

impl Module {
    /// The paths to what the module uses of an import.
    fn used(&self, import: &Import) -> Vec<Names> {
        let is_own =
            |name: &String| self.defined.contains(name) || self.imports.iter().any(|other| other.name == *name);
        if import.name == ALL {
            let said = self.said.iter().filter(|name| !is_own(name));
            return said.map(|name| [&import.path[..], slice::from_ref(name)].concat()).collect();
        }
        // What a module passes on and does not use concerns those that import it from there.
        let is_used = !import.is_passed_on || self.said.contains(&import.name);
        is_used.then(|| import.path.clone()).into_iter().collect()
    }

    /// Takes the names in that stand in a macro's tokens.
    fn say(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => drop(self.said.insert(ident.to_string())),
                TokenTree::Group(group) => self.say(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    /// Takes each path of a `use` line in.
    fn import(&mut self, tree: &UseTree, mut path: Names, is_passed_on: bool) {
        let name = match tree {
            UseTree::Path(part) => {
                path.push(part.ident.to_string());
                return self.import(&part.tree, path, is_passed_on);
            }
            UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.import(tree, path.clone(), is_passed_on));
            }
            UseTree::Name(name) => (&name.ident, &name.ident),
            UseTree::Rename(name) => (&name.ident, &name.rename),
            UseTree::Glob(_) => {
                return self.imports.push(Import { name: ALL.to_owned(), path, is_passed_on });
            }
        };
        let (found, mut name) = (name.0.to_string(), name.1.to_string());
        // `use path::{self}` imports the path.
        if found != "self" || path.is_empty() {
            path.push(found);
        } else if name == "self" {
            name = path.last().cloned().unwrap_or_default();
        }
        self.imports.push(Import { name, path, is_passed_on });
    }
}

/// What an item adds to the names of its module.
fn defined(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::TraitAlias(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether an item is there in tests alone: `#[cfg(test)]`, or with more in `all(…)`.
fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg") => asks_for_tests(list.tokens.clone()),
        _ => false,
    })
}

fn asks_for_tests(condition: TokenStream) -> bool {
    let mut tokens = condition.into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Ident(name)), None) => name == "test",
        (Some(TokenTree::Ident(name)), Some(TokenTree::Group(group))) if name == "all" => {
            group.stream().into_iter().any(|token| matches!(token, TokenTree::Ident(name) if name == "test"))
        }
        _ => false,
    }
}
