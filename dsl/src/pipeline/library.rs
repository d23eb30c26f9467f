//! The kernels that a file's pipelines call, found by name in the texts of files.
//!
//! The macros beside kernels say the same to `#[pipeline]`; the command line and build scripts see only files.

use proc_macro2::TokenStream;
use quote::ToTokens;
use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use super::{
    Callee, Pipeline,
    names::Names,
    outline::{Outline, outline},
};
use crate::{CompiledKernel, parse};

/// The kernels of a crate by their names: options and function, or `None` for what no pipeline can fuse and for a name of several.
type Kernels = BTreeMap<String, Option<(TokenStream, TokenStream)>>;

/// What returns the texts of a crate's files.
type Texts<'f> = dyn Fn(&str) -> Vec<String> + 'f;

/// The kernels that pipelines may call.
pub struct Library<'f> {
    own: Kernels,
    others: RefCell<BTreeMap<String, Rc<Kernels>>>,
    files: Box<Texts<'f>>,
}

impl<'f> Library<'f> {
    /// Makes a library of the texts of a crate's own files, and of those that `files` returns for another crate's name, which
    /// are read when a pipeline names the crate.
    pub fn new<'s>(own: impl IntoIterator<Item = &'s str>, files: impl Fn(&str) -> Vec<String> + 'f) -> Library<'f> {
        Library { own: kernels(own), others: RefCell::default(), files: Box::new(files) }
    }

    /// The options and the function of what a pipeline calls by a path.
    fn find(&self, names: &Names, path: &syn::Path) -> Option<(TokenStream, TokenStream)> {
        let found = names.places(path).into_iter().find_map(|place| match place.krate {
            None => self.own.get(&place.name).cloned(),
            Some(krate) => self.other(&krate).get(&place.name).cloned(),
        });
        found.flatten()
    }

    /// Calls a function with each pipeline of a file, and with what finds the kernels that it calls.
    fn each(&self, source: &str, with: &mut dyn FnMut(&Pipeline, &Found<'_>)) {
        modules(source, &mut |items| {
            let names = Names::of(items);
            for (attribute, item) in items.iter().filter_map(parse::pipeline) {
                if let Ok(pipeline) = Pipeline::read(&attribute, &item) {
                    with(&pipeline, &|path| self.find(&names, path));
                }
            }
        });
    }

    fn other(&self, krate: &str) -> Rc<Kernels> {
        if let Some(known) = self.others.borrow().get(krate) {
            return Rc::clone(known);
        }
        let texts = (self.files)(krate);
        let read = Rc::new(kernels(texts.iter().map(String::as_str)));
        self.others.borrow_mut().insert(krate.to_owned(), Rc::clone(&read));
        read
    }
}

/// A kernel that fuses calls of a pipeline.
pub struct FusedKernel {
    /// The kernel, every span of it the pipeline's name.
    pub compiled: CompiledKernel,
    /// The module that it is compiled from.
    pub module: TokenStream,
}

/// Returns the fused kernels of the pipelines of a Rust file without mistakes. `is_kernel` says whether a module holds kernels that keep
/// all limits.
///
/// ```
/// use windrow_dsl::{compile_module, pipeline::{Library, compile_fused}};
///
/// let file = "
///     #[kernel] fn invert(a: u8) -> u8 { !a }
///     #[kernel] fn halve(a: u8) -> u8 { a / 2 }
///     #[pipeline]
///     fn both(src: &Tensor<u8>) -> Result<Tensor<u8>> { halve::apply(&invert::apply(src)?) }
/// ";
/// let library = Library::new([file], |_| Vec::new());
/// let is_kernel = |module: &proc_macro2::TokenStream| {
///     compile_module(Default::default(), module.clone()).errors.is_empty()
/// };
/// let fused = compile_fused(file, &library, &is_kernel);
/// assert_eq!(fused[0].compiled.kernel.name, "invert_halve");
/// ```
pub fn compile_fused(
    source: &str,
    library: &Library<'_>,
    is_kernel: &dyn Fn(&TokenStream) -> bool,
) -> Vec<FusedKernel> {
    let mut found = Vec::new();
    library.each(source, &mut |pipeline, find| {
        let Some(fused) = pipeline.fuse(&callees(pipeline, find), is_kernel) else { return };
        let span = pipeline.function.sig.ident.span();
        found.extend(fused.modules.into_iter().filter_map(|module| {
            let module = parse::respanned(module, span);
            let compiled = crate::compile_module(TokenStream::new(), module.clone()).kernels.into_iter().next()?;
            Some(FusedKernel { compiled, module })
        }));
    });
    found
}

/// Outlines the pipelines of a Rust file without mistakes, in order; `is_kernel` is that of [`compile_fused`].
pub fn outlines(source: &str, library: &Library<'_>, is_kernel: &dyn Fn(&TokenStream) -> bool) -> Vec<Outline> {
    let mut outlines = Vec::new();
    library.each(source, &mut |pipeline, find| {
        let compile = |path: &syn::Path| {
            let (attribute, item) = find(path)?;
            crate::compile_kernel(attribute, item).kernels.into_iter().next()
        };
        outlines.push(outline(pipeline, &callees(pipeline, find), &compile, is_kernel));
    });
    outlines
}

/// What finds the options and the function of a kernel.
type Found<'f> = dyn Fn(&syn::Path) -> Option<(TokenStream, TokenStream)> + 'f;

fn callees(pipeline: &Pipeline, find: &Found<'_>) -> Vec<Option<Callee>> {
    let callee = |path| find(path).and_then(|(attribute, item)| Callee::read(attribute, item));
    pipeline.paths().into_iter().map(callee).collect()
}

/// The kernels and pipelines of files.
fn kernels<'s>(texts: impl IntoIterator<Item = &'s str>) -> Kernels {
    let mut kernels = Kernels::new();
    for text in texts {
        modules(text, &mut |items| {
            for (function, tokens) in items.iter().filter_map(exported) {
                kernels.entry(function).and_modify(|known| *known = None).or_insert(tokens);
            }
        });
    }
    kernels
}

/// A function that a pipeline may call, and its tokens if they can be part of another kernel.
fn exported(item: &syn::Item) -> Option<(String, Option<(TokenStream, TokenStream)>)> {
    let syn::Item::Fn(function) = item else { return None };
    let is = |name| function.attrs.iter().find(|attribute| parse::is_attribute(attribute, name));
    let tokens = match (is("kernel"), is("pipeline")) {
        (Some(attribute), _) => {
            let mut function = function.clone();
            function.attrs.retain(|attribute| !parse::is_attribute(attribute, "kernel"));
            Some((parse::options(attribute), function.into_token_stream()))
        }
        (None, Some(_)) => None,
        (None, None) => return None,
    };
    Some((function.sig.ident.to_string(), tokens))
}

/// Calls a function with the items of a file, and with those of each plain module in it. Kernels of a `#[kernels]` module share items that
/// a pipeline doesn't see.
fn modules(source: &str, read: &mut dyn FnMut(&[syn::Item])) {
    fn inner(items: &[syn::Item], read: &mut dyn FnMut(&[syn::Item])) {
        read(items);
        for item in items {
            if let syn::Item::Mod(module) = item
                && !module.attrs.iter().any(|attribute| parse::is_attribute(attribute, "kernels"))
                && let Some((_, items)) = &module.content
            {
                inner(items, read);
            }
        }
    }
    if let Some(items) = parse::items(source) {
        inner(&items, read);
    }
}
