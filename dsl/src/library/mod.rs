//! What the files of crates define for other modules: kernels, which pipelines fuse, and helpers, which kernels use.
//!
//! The macros beside them say the same to `#[pipeline]` and `#[kernel]`; the command line and build scripts see only files.

mod bound;
mod names;

use crate::diagnostic::Diagnostic;
use crate::helpers::{Member, Uses, members, mentions, name};
use crate::{messages, parse};
use names::Names;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use syn::{Item, Path};

/// How many helpers may lead from one to the next.
const MAX_DEPTH: usize = 64;

/// What returns the texts of a crate's files.
type Texts<'f> = dyn Fn(&str) -> Vec<String> + 'f;

/// The files that a file's kernels and pipelines may name something of.
pub struct Library<'f> {
    own: OnceCell<Defined>,
    texts: Vec<Rc<str>>,
    others: RefCell<BTreeMap<String, Rc<Defined>>>,
    files: Box<Texts<'f>>,
}

/// The definitions of a crate.
#[derive(Default)]
struct Defined {
    kernels: ByName,
    helpers: ByName,
}

/// Definitions by their names; `None` for what can't be handed on, and for a name of several.
type ByName = BTreeMap<String, Option<Rc<Definition>>>;

/// A function or a constant with its attribute.
struct Definition {
    options: TokenStream,
    item: TokenStream,
    module: Rc<Module>,
    bound: RefCell<Bound>,
}

/// What is known of a definition and what it uses.
#[derive(Clone)]
enum Bound {
    NotAsked,
    /// Or it leads back to itself.
    InProgress,
    Refused,
    /// The options that are left, and the item.
    As(TokenStream, TokenStream),
}

/// A module of a file.
pub(crate) struct Module {
    /// Its crate; `None` for the one of the file that is compiled.
    krate: Option<String>,
    /// The whole text of its file.
    text: Rc<str>,
    names: Names,
}

impl<'f> Library<'f> {
    /// Makes a library of the texts of a crate's own files, and of those that `files` returns for another crate's name. Both are
    /// read when something of them is named.
    pub fn new<'s>(own: impl IntoIterator<Item = &'s str>, files: impl Fn(&str) -> Vec<String> + 'f) -> Library<'f> {
        let texts = own.into_iter().map(Rc::from).collect();
        Library { own: OnceCell::new(), texts, others: RefCell::default(), files: Box::new(files) }
    }

    /// The options and the function of a kernel that a module names, bound to what it uses.
    pub(crate) fn kernel(&self, module: &Module, path: &Path) -> Option<(TokenStream, TokenStream)> {
        let kernel = self.find(module, path, |defined| &defined.kernels)?;
        match self.definition(&kernel, 0) {
            Bound::As(options, item) => Some((options, item)),
            Bound::NotAsked | Bound::InProgress | Bound::Refused => None,
        }
    }

    /// Binds a definition once.
    fn definition(&self, definition: &Definition, depth: usize) -> Bound {
        let known = definition.bound.borrow().clone();
        if !matches!(known, Bound::NotAsked) {
            return known;
        }
        definition.bound.replace(Bound::InProgress);
        let bound = match self.bind(&definition.module, &definition.options, definition.item.clone(), depth) {
            Ok((options, item)) => Bound::As(options, item),
            Err(_) => Bound::Refused,
        };
        definition.bound.replace(bound.clone());
        bound
    }

    /// Binds an item of a module to the helpers that its options name: the other options, and the item.
    fn bind(
        &self,
        module: &Module,
        options: &TokenStream,
        item: TokenStream,
        depth: usize,
    ) -> Result<(TokenStream, TokenStream), Vec<Diagnostic>> {
        let Some(uses) = Uses::of(options) else { return Ok((options.clone(), item)) };
        let mut mistakes = Vec::new();
        let mut helpers = Vec::new();
        for path in &uses.paths {
            match self.helper(module, path, depth) {
                Ok(helper) => helpers.push(helper),
                Err(mistake) => mistakes.extend(mistake),
            }
        }
        if helpers.len() < uses.paths.len() {
            return Err(mistakes);
        }
        let item = uses.bind(item, helpers)?;
        Ok((uses.options, item))
    }

    /// A helper that a module names, bound to what it uses itself. One of another file stands where it is named.
    ///
    /// # Errors
    /// There is none; and without a mistake, where that is said of another item of the file.
    fn helper(&self, module: &Module, path: &Path, depth: usize) -> Result<TokenStream, Option<Diagnostic>> {
        let found = self.find(module, path, |defined| &defined.helpers).filter(|_| depth < MAX_DEPTH);
        let Some(helper) = found else {
            let is_kernel = self.find(module, path, |defined| &defined.kernels).is_some();
            return Err(Some(missing(path, is_kernel)));
        };
        let is_here = helper.module.text == module.text;
        match (self.definition(&helper, depth + 1), name(path)) {
            (Bound::As(_, item), Some(name)) if !is_here => Ok(parse::respanned(item, name.span())),
            (Bound::As(_, item), _) => Ok(item),
            (Bound::Refused, _) if is_here => Err(None),
            (Bound::NotAsked | Bound::InProgress | Bound::Refused, _) => Err(Some(missing(path, false))),
        }
    }

    fn find(&self, module: &Module, path: &Path, kind: impl Fn(&Defined) -> &ByName) -> Option<Rc<Definition>> {
        let found = module.names.places(path).into_iter().find_map(|place| {
            match place.krate.as_ref().or(module.krate.as_ref()) {
                None => kind(self.own()).get(&place.name).cloned(),
                Some(krate) => kind(&self.other(krate)).get(&place.name).cloned(),
            }
        });
        found.flatten()
    }

    fn own(&self) -> &Defined {
        self.own.get_or_init(|| Defined::of(None, self.texts.iter().map(Rc::clone)))
    }

    fn other(&self, krate: &str) -> Rc<Defined> {
        if let Some(known) = self.others.borrow().get(krate) {
            return Rc::clone(known);
        }
        let texts = (self.files)(krate).into_iter().map(Rc::from);
        let read = Rc::new(Defined::of(Some(krate), texts));
        self.others.borrow_mut().insert(krate.to_owned(), Rc::clone(&read));
        read
    }
}

impl Defined {
    fn of(krate: Option<&str>, texts: impl Iterator<Item = Rc<str>>) -> Defined {
        let mut defined = Defined::default();
        for text in texts {
            let items = parse::items(&text).unwrap_or_default();
            modules(krate, &text, &items, &mut |module, items| {
                items.iter().for_each(|item| match of_kernels(item) {
                    Some((uses, items)) => {
                        members(items).into_iter().for_each(|member| defined.add_member(member, module, &uses));
                    }
                    None => defined.add(item, module),
                });
            });
        }
        defined
    }

    /// Adds what an item of a plain module defines.
    fn add(&mut self, item: &Item, module: &Rc<Module>) {
        let Some((attribute, plain)) = parse::defining(item) else { return };
        let is = |name| parse::is_attribute(attribute, name);
        let known = if is("helper") { &mut self.helpers } else { &mut self.kernels };
        // A pipeline is run by itself.
        let definition = (!is("pipeline")).then(|| Definition::new(parse::options(attribute), &plain, module));
        insert(known, &plain, definition);
    }

    /// Adds what is in a module of kernels that uses helpers: those that it mentions.
    fn add_member(&mut self, Member { is_kernel, options, item, closed }: Member, module: &Rc<Module>, uses: &[Path]) {
        let known = if is_kernel { &mut self.kernels } else { &mut self.helpers };
        let definition = closed.map(|closed| {
            let is_used = |path: &&Path| name(path).is_some_and(|name| mentions(&closed, name));
            let used: Vec<&Path> = uses.iter().filter(is_used).collect();
            let options = if used.is_empty() { options } else { quote!(uses(#(#used),*), #options) };
            Definition::new(options, &closed, module)
        });
        insert(known, &item, definition);
    }
}

/// Adds a definition by its item's name.
fn insert(known: &mut ByName, item: &Item, definition: Option<Definition>) {
    let name = match item {
        Item::Fn(function) => &function.sig.ident,
        Item::Const(constant) => &constant.ident,
        _ => return,
    };
    known.entry(name.to_string()).and_modify(|known| *known = None).or_insert(definition.map(Rc::new));
}

impl Definition {
    fn new(options: TokenStream, item: &Item, module: &Rc<Module>) -> Definition {
        let (item, module) = (item.to_token_stream(), Rc::clone(module));
        Definition { options, item, module, bound: RefCell::new(Bound::NotAsked) }
    }
}

/// The items of a module of kernels, and what its options name.
fn of_kernels(item: &Item) -> Option<(Vec<Path>, &[Item])> {
    let Item::Mod(module) = item else { return None };
    let attribute = module.attrs.iter().find(|attribute| parse::is_attribute(attribute, "kernels"))?;
    let (_, items) = module.content.as_ref()?;
    Some((Uses::of(&parse::options(attribute)).map(|uses| uses.paths).unwrap_or_default(), items))
}

/// Calls a function with the items of a file, and with those of each plain module in it.
pub(crate) fn modules<'i>(
    krate: Option<&str>,
    text: &Rc<str>,
    items: &'i [Item],
    read: &mut dyn FnMut(&Rc<Module>, &'i [Item]),
) {
    let names = Names::of(items);
    read(&Rc::new(Module { krate: krate.map(str::to_owned), text: Rc::clone(text), names }), items);
    for item in items {
        if let Item::Mod(module) = item
            && !module.attrs.iter().any(|attribute| parse::is_attribute(attribute, "kernels"))
            && let Some((_, items)) = &module.content
        {
            modules(krate, text, items, read);
        }
    }
}

/// The refusal of a path that leads to no helper.
fn missing(path: &Path, is_kernel: bool) -> Diagnostic {
    let words = path.to_token_stream().to_string().replace(' ', "");
    let help = match is_kernel {
        true => messages::HELPER_NOT_KERNEL.to_owned(),
        false => format!(
            "mark it with `#[helper]`; it is looked for in the files that are given, and in the crates of the package: \
             `{words}` is in none, or in several"
        ),
    };
    match name(path) {
        Some(name) => messages::USES_NO_HELPER.at(name, &[&name.to_string(), &help]),
        None => messages::USES_NO_HELPER.at(messages::Tokens(path), &[&words, &help]),
    }
}
