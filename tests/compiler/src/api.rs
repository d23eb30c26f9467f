//! The public names of the facade, read from the sources: modules are followed, and re-exports resolved across the crates.
//!
//! Every feature counts as on; what is hidden from the documentation, or stands in tests, does not count.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use quote::ToTokens;
use syn::{Attribute, Fields, ImplItem, Item, TraitItem, Type, UseTree, Visibility};

/// A module: the crate's name and the names of modules inside it.
type Place = Vec<String>;

/// A name that a module gives or takes: where it comes from.
#[derive(Clone, Debug)]
struct Import {
    /// `None` for everything of a module.
    name: Option<String>,
    path: Vec<String>,
    is_public: bool,
}

/// What stands in a module.
#[derive(Default)]
struct Module {
    items: BTreeMap<String, Vec<Found>>,
    modules: BTreeMap<String, bool>,
    imports: Vec<Import>,
}

/// An item, with a line for itself and one for each of its public parts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Found {
    kind: &'static str,
    text: String,
    parts: Vec<String>,
    is_public: bool,
}

/// The sources of several crates.
#[derive(Default)]
pub struct Sources {
    modules: BTreeMap<Place, Module>,
    /// The public methods of each type.
    methods: BTreeMap<(Place, String), BTreeSet<String>>,
    impls: Vec<(Place, String, BTreeSet<String>)>,
}

impl Sources {
    /// Reads crates: each name with the folder that holds its `lib.rs`.
    pub fn read(crates: &[(&str, &Path)]) -> Sources {
        let mut sources = Sources::default();
        for (name, folder) in crates {
            let text = read(&folder.join("lib.rs"));
            sources.module(vec![(*name).to_owned()], parse(&text), folder);
        }
        for (place, ty, methods) in std::mem::take(&mut sources.impls) {
            if let Some(home) = sources.home(&place, &ty, &mut BTreeSet::new()) {
                sources.methods.entry((home, ty)).or_default().extend(methods);
            }
        }
        sources
    }

    fn module(&mut self, place: Place, items: Vec<Item>, folder: &Path) {
        let mut module = Module::default();
        for item in items {
            if hidden(attributes(&item)) {
                continue;
            }
            match item {
                Item::Mod(inner) => {
                    let name = inner.ident.to_string();
                    module.modules.insert(name.clone(), is_public(&inner.vis));
                    let mut inside = place.clone();
                    inside.push(name.clone());
                    match inner.content {
                        Some((_, items)) => self.module(inside, items, &folder.join(&name)),
                        None => {
                            let file = [folder.join(format!("{name}.rs")), folder.join(&name).join("mod.rs")];
                            let file = file.into_iter().find(|file| file.exists());
                            let file: PathBuf = file.unwrap_or_else(|| panic!("no file for {}", inside.join("::")));
                            self.module(inside, parse(&read(&file)), &folder.join(&name));
                        }
                    }
                }
                Item::Use(import) => {
                    let is_public = is_public(&import.vis);
                    flatten(&import.tree, &mut Vec::new(), is_public, &mut module.imports);
                }
                Item::Impl(block) if block.trait_.is_none() => {
                    if let Type::Path(ty) = &*block.self_ty
                        && let Some(last) = ty.path.segments.last()
                    {
                        let methods = block.items.iter().filter_map(method).collect();
                        self.impls.push((place.clone(), last.ident.to_string(), methods));
                    }
                }
                item => {
                    if let Some((name, found)) = found(&item) {
                        module.items.entry(name).or_default().push(found);
                    }
                }
            }
        }
        self.modules.insert(place, module);
    }

    /// The lines of everything that `root` makes public: a path, and what stands there.
    pub fn public(&self, root: &str) -> Vec<String> {
        let mut lines = BTreeSet::new();
        self.lines(&vec![root.to_owned()], root, &mut lines, &mut BTreeSet::new());
        lines.into_iter().collect()
    }

    /// The names at `root`, each with its kinds.
    pub fn names(&self, root: &str) -> BTreeMap<String, BTreeSet<&'static str>> {
        let mut names = BTreeMap::<String, BTreeSet<&'static str>>::new();
        for (name, target) in self.exports(&vec![root.to_owned()], &mut BTreeSet::new()) {
            names.entry(name.clone()).or_default().extend(match &target {
                Target::Module(_) => vec!["mod"],
                Target::Item(home) => self.modules[home].items[&name].iter().map(|found| found.kind).collect(),
            });
        }
        names
    }

    fn lines(&self, place: &Place, path: &str, lines: &mut BTreeSet<String>, seen: &mut BTreeSet<Place>) {
        if !seen.insert(place.clone()) {
            return;
        }
        for (name, target) in self.exports(place, &mut BTreeSet::new()) {
            let path = format!("{path}::{name}");
            match target {
                Target::Module(inside) => {
                    lines.insert(format!("{path}: mod"));
                    self.lines(&inside, &path, lines, &mut seen.clone());
                }
                Target::Item(home) => {
                    for found in self.modules[&home].items[&name].iter().filter(|found| found.is_public) {
                        lines.insert(format!("{path}: {}", found.text));
                        lines.extend(found.parts.iter().map(|part| format!("{path}::{part}")));
                    }
                    let methods = self.methods.get(&(home, name)).into_iter().flatten();
                    lines.extend(methods.map(|method| format!("{path}::{method}")));
                }
            }
        }
    }

    /// The public names of a module, and what each names.
    fn exports(&self, place: &Place, seen: &mut BTreeSet<Place>) -> Vec<(String, Target)> {
        let Some(module) = self.modules.get(place) else { return Vec::new() };
        if !seen.insert(place.clone()) {
            return Vec::new();
        }
        let mut out = Vec::new();
        for (name, found) in &module.items {
            if found.iter().any(|found| found.is_public) {
                out.push((name.clone(), Target::Item(place.clone())));
            }
        }
        for (name, _) in module.modules.iter().filter(|(_, is_public)| **is_public) {
            out.push((name.clone(), Target::Module(inside(place, name))));
        }
        for import in module.imports.iter().filter(|import| import.is_public) {
            match &import.name {
                None => {
                    if let Some(from) = self.find_module(place, &import.path) {
                        out.extend(self.exports(&from, seen));
                    }
                }
                Some(name) => {
                    out.extend(self.targets(place, &import.path).into_iter().map(|target| (name.clone(), target)))
                }
            }
        }
        out
    }

    /// What a path names, seen from a module: a module, an item, or both.
    fn targets(&self, place: &Place, path: &[String]) -> Vec<Target> {
        let mut out: Vec<Target> = self.find_module(place, path).map(Target::Module).into_iter().collect();
        if let Some((name, parents)) = path.split_last()
            && let Some(parent) = self.find_module(place, parents)
            && let Some(home) = self.home(&parent, name, &mut BTreeSet::new())
        {
            out.push(Target::Item(home));
        }
        out
    }

    /// The module in which an item stands that is known in `place` by this name.
    fn home(&self, place: &Place, name: &str, seen: &mut BTreeSet<Place>) -> Option<Place> {
        let module = self.modules.get(place)?;
        if module.items.contains_key(name) {
            return Some(place.clone());
        }
        if !seen.insert(place.clone()) {
            return None;
        }
        module.imports.iter().find_map(|import| match &import.name {
            Some(known) if known == name => {
                let (last, parents) = import.path.split_last()?;
                self.home(&self.find_module(place, parents)?, last, seen)
            }
            Some(_) => None,
            None => self.home(&self.find_module(place, &import.path)?, name, seen),
        })
    }

    fn find_module(&self, place: &Place, path: &[String]) -> Option<Place> {
        let Some((first, rest)) = path.split_first() else { return Some(place.clone()) };
        let start = match first.as_str() {
            "crate" => Some(vec![place[0].clone()]),
            "self" => Some(place.clone()),
            "super" => place.split_last().map(|(_, parents)| parents.to_vec()),
            name if self.modules.contains_key(&inside(place, name)) => Some(inside(place, name)),
            name if self.modules.contains_key(&vec![name.to_owned()]) => Some(vec![name.to_owned()]),
            name => self.modules.get(place)?.imports.iter().find_map(|import| match &import.name {
                Some(known) if known == name && import.path.first() != Some(first) => {
                    self.find_module(place, &import.path)
                }
                Some(known) if known == name && import.path.len() > 1 => self.find_module(place, &import.path),
                _ => None,
            }),
        };
        match rest {
            [] => start,
            rest => self.find_module(&start?, rest),
        }
    }
}

/// What a name stands for.
#[derive(Clone, Debug)]
enum Target {
    Module(Place),
    /// An item of the name in this module.
    Item(Place),
}

fn inside(place: &Place, name: &str) -> Place {
    let mut inside = place.clone();
    inside.push(name.to_owned());
    inside
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("cannot read {}: {error}", file.display()))
}

fn parse(text: &str) -> Vec<Item> {
    syn::parse_file(text).unwrap_or_else(|error| panic!("not Rust: {error}")).items
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Whether an item is left out of the documentation, stands in tests, or belongs to a build without a feature.
fn hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let text = text(attribute);
        text.contains("doc(hidden)")
            || text.contains("cfg(test)")
            || text.contains("cfg(doctest)")
            || text.contains("cfg(not(feature")
    })
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

fn flatten(tree: &UseTree, path: &mut Vec<String>, is_public: bool, out: &mut Vec<Import>) {
    match tree {
        UseTree::Path(part) => {
            path.push(part.ident.to_string());
            flatten(&part.tree, path, is_public, out);
            path.pop();
        }
        UseTree::Name(name) if name.ident == "self" => {
            out.push(Import { name: path.last().cloned(), path: path.clone(), is_public });
        }
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            out.push(Import { name: Some(name.clone()), path: [path.as_slice(), &[name]].concat(), is_public });
        }
        UseTree::Rename(rename) => {
            let from = rename.ident.to_string();
            out.push(Import {
                name: Some(rename.rename.to_string()),
                path: [path.as_slice(), &[from]].concat(),
                is_public,
            });
        }
        UseTree::Glob(_) => out.push(Import { name: None, path: path.clone(), is_public }),
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, path, is_public, out)),
    }
}

fn found(item: &Item) -> Option<(String, Found)> {
    let of = |kind, name: &dyn ToString, text: String, parts: Vec<String>, is_public| {
        Some((name.to_string(), Found { kind, text, parts, is_public }))
    };
    match item {
        Item::Const(item) => {
            of("const", &item.ident, format!("const: {}", text(&item.ty)), vec![], is_public(&item.vis))
        }
        Item::Static(item) => {
            of("static", &item.ident, format!("static: {}", text(&item.ty)), vec![], is_public(&item.vis))
        }
        Item::Type(item) => of("type", &item.ident, format!("type = {}", text(&item.ty)), vec![], is_public(&item.vis)),
        Item::Fn(item) => {
            let is_macro = |attribute: &Attribute| {
                attribute.path().get_ident().is_some_and(|i| i.to_string().starts_with("proc_macro"))
            };
            match item.attrs.iter().any(is_macro) {
                true => of("macro", &item.sig.ident, "macro".into(), vec![], is_public(&item.vis)),
                false => of("fn", &item.sig.ident, text(&item.sig), vec![], is_public(&item.vis)),
            }
        }
        Item::Macro(item) => {
            let exported = item.attrs.iter().any(|attribute| attribute.path().is_ident("macro_export"));
            of("macro", item.ident.as_ref()?, "macro".into(), vec![], exported)
        }
        Item::Struct(item) => {
            let parts = fields(&item.fields);
            of("struct", &item.ident, format!("struct{}", text(&item.generics)), parts, is_public(&item.vis))
        }
        Item::Enum(item) => {
            let parts =
                item.variants.iter().map(|variant| format!("{}: variant{}", variant.ident, shape(&variant.fields)));
            of("enum", &item.ident, format!("enum{}", text(&item.generics)), parts.collect(), is_public(&item.vis))
        }
        Item::Trait(item) => {
            let unsafety = item.unsafety.map_or("", |_| "unsafe ");
            let supertraits = text(&item.supertraits);
            let colon = if supertraits.is_empty() { "" } else { ": " };
            let header = format!("{unsafety}trait{}{colon}{supertraits}", text(&item.generics));
            of("trait", &item.ident, header, item.items.iter().filter_map(trait_item).collect(), is_public(&item.vis))
        }
        _ => None,
    }
}

fn fields(fields: &Fields) -> Vec<String> {
    let public = fields.iter().enumerate().filter(|(_, field)| is_public(&field.vis) && !hidden(&field.attrs));
    let name = |index: usize, field: &syn::Field| field.ident.as_ref().map_or(index.to_string(), ToString::to_string);
    public.map(|(index, field)| format!("{}: {}", name(index, field), text(&field.ty))).collect()
}

fn shape(fields: &Fields) -> String {
    let types: Vec<String> = fields
        .iter()
        .map(|field| match &field.ident {
            Some(name) => format!("{name}: {}", text(&field.ty)),
            None => text(&field.ty),
        })
        .collect();
    match fields {
        Fields::Unit => String::new(),
        Fields::Named(_) => format!(" {{ {} }}", types.join(", ")),
        Fields::Unnamed(_) => format!("({})", types.join(", ")),
    }
}

fn method(item: &ImplItem) -> Option<String> {
    match item {
        ImplItem::Fn(item) if is_public(&item.vis) && !hidden(&item.attrs) => {
            Some(format!("{}: {}", item.sig.ident, text(&item.sig)))
        }
        ImplItem::Const(item) if is_public(&item.vis) && !hidden(&item.attrs) => {
            Some(format!("{}: const: {}", item.ident, text(&item.ty)))
        }
        _ => None,
    }
}

fn trait_item(item: &TraitItem) -> Option<String> {
    match item {
        TraitItem::Fn(item) => Some(format!("{}: {}", item.sig.ident, text(&item.sig))),
        TraitItem::Const(item) => Some(format!("{}: const: {}", item.ident, text(&item.ty))),
        TraitItem::Type(item) => Some(format!("{}: type {}", item.ident, text(&item.bounds)).trim_end().to_owned()),
        _ => None,
    }
}

/// Tokens as one would write them, more or less.
fn text(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string().replace('\n', " ");
    let tight = [
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" ,", ","),
        (",)", ")"),
        (" ;", ";"),
        (" :: ", "::"),
        (":: ", "::"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        ("& ", "&"),
        (" :", ":"),
        ("[ ", "["),
        (" ]", "]"),
        ("- >", "->"),
        (")->", ") ->"),
        ("> ->", "> ->"),
        ("' ", "'"),
        ("* ", "*"),
    ];
    for (loose, close) in tight {
        text = text.replace(loose, close);
    }
    text.replace("->", " -> ").replace("  ", " ")
}
