//! A Rust file with kernels in it: compiled, each kernel with its place among the file's modules.

use super::mistake::Mistake;
use crate::host::type_path;
use crate::limits;
use quote::ToTokens;
use std::path::Path;
use syn::{Attribute, Item, ItemFn, Visibility, spanned::Spanned};
use windrow_dsl::{
    CompiledKernel, compile_file_with,
    helpers::Uses,
    library::Library,
    optimise::Prepared,
    pipeline::{FusedKernel, Outline, compile_fused, outlines},
};

/// A kernel of a file.
pub struct SourceKernel {
    /// The kernel, proved.
    pub compiled: CompiledKernel,
    /// Its bodies, as every emitter takes them.
    pub prepared: Prepared,
    /// What names it from the file's own module: `gaussian3x3`, `policy::add`, `relu::<f32>`, and behind the name of a pipeline a
    /// kernel that it fuses.
    pub path: String,
    /// The line of its name, from 1.
    pub line: usize,
    /// The text of its item: the function, the whole `#[kernels]` module, or the module of a fused kernel. What uses helpers has them in
    /// its bodies.
    pub text: String,
    /// The `#[cfg(..)]` attributes of it and of its modules.
    pub conditions: Vec<String>,
    /// Whether it and its modules are visible outside their own.
    pub is_visible: bool,
    /// Whether it fuses calls of the pipeline at its line.
    pub is_fused: bool,
}

/// Compiles a file's text; it names kernels and helpers of the same file alone.
///
/// # Errors
/// All mistakes in it.
pub fn compile(file: &Path, source: &str) -> Result<Vec<SourceKernel>, Vec<Mistake>> {
    compile_with(file, source, &Library::new([source], |_| Vec::new()))
}

/// Compiles a file's text, which names kernels and helpers of a library. What its pipelines fuse follows the file's own kernels.
///
/// # Errors
/// All mistakes in it.
pub fn compile_with(file: &Path, source: &str, library: &Library<'_>) -> Result<Vec<SourceKernel>, Vec<Mistake>> {
    let compiled = compile_file_with(source, library);
    if !compiled.errors.is_empty() {
        return Err(compiled.errors.iter().map(|error| Mistake::new(file, source, error)).collect());
    }
    let prepared = limits::prepared(&compiled.kernels)
        .map_err(|refused| refused.iter().map(|error| Mistake::new(file, source, error)).collect::<Vec<_>>())?;
    let functions = functions_of(source, library);
    let kernels = compiled.kernels.into_iter().zip(prepared);
    let mut kernels: Vec<_> = kernels.map(|(kernel, prepared)| place(kernel, prepared, &functions, source)).collect();
    for FusedKernel { compiled, module } in compile_fused(source, library, &limits::is_kernel) {
        let Some(prepared) = limits::prepared(std::slice::from_ref(&compiled)).ok().and_then(|mut all| all.pop())
        else {
            continue;
        };
        let mut kernel = place(compiled, prepared, &functions, source);
        kernel.path += &format!("::{}", kernel.compiled.kernel.name);
        kernel.text = syn::parse2(module).map(|module| prettyplease::unparse(&module)).unwrap_or_default();
        (kernel.is_visible, kernel.is_fused) = (false, true);
        kernels.push(kernel);
    }
    Ok(kernels)
}

/// The functions of a file without mistakes.
fn functions_of(source: &str, library: &Library<'_>) -> Vec<Function> {
    // It parsed before; where it doesn't now, there is nothing to find.
    let items = syn::parse_file(source).map(|file| file.items).unwrap_or_default();
    let mut functions = Vec::new();
    find_functions(&items, &Surroundings::default(), &mut functions);
    if functions.iter().any(|function| function.uses_helpers) {
        let mut bound = Vec::new();
        find_functions(&library.items(source), &Surroundings { is_bound: true, ..Surroundings::default() }, &mut bound);
        let pairs = functions.iter_mut().zip(bound).filter(|(function, _)| function.uses_helpers);
        pairs.for_each(|(function, bound)| function.text = bound.text);
    }
    functions
}

/// Outlines the pipelines of a file without mistakes, which fuse kernels of a library.
pub fn pipelines(source: &str, library: &Library<'_>) -> Vec<Outline> {
    outlines(source, library, &limits::is_kernel)
}

/// A pipeline of a file.
pub struct SourcePipeline {
    /// What names it from the file's own module: `edges`, `filters::edges`.
    pub path: String,
    /// The `#[cfg(..)]` attributes of it and of its modules.
    pub conditions: Vec<String>,
    /// Whether it and its modules are visible outside their own.
    pub is_visible: bool,
}

/// Finds where the pipelines of a file are; none where it does not parse.
pub fn places_of_pipelines(source: &str) -> Vec<SourcePipeline> {
    let items = syn::parse_file(source).map(|file| file.items).unwrap_or_default();
    let mut functions = Vec::new();
    find_functions(&items, &Surroundings::default(), &mut functions);
    let pipelines = functions.into_iter().filter(|function| function.is_pipeline);
    let place = |Function { path, conditions, is_visible, .. }| SourcePipeline { path, conditions, is_visible };
    pipelines.map(place).collect()
}

/// A function of the file.
struct Function {
    line: usize,
    column: usize,
    path: String,
    text: Option<String>,
    conditions: Vec<String>,
    is_visible: bool,
    is_pipeline: bool,
    uses_helpers: bool,
}

/// The modules around an item.
#[derive(Clone)]
struct Surroundings {
    path: String,
    text: Option<String>,
    conditions: Vec<String>,
    is_visible: bool,
    uses_helpers: bool,
    /// Whether items have helpers in their bodies, which no source has as a text.
    is_bound: bool,
}

impl Default for Surroundings {
    fn default() -> Self {
        let (path, conditions) = (String::new(), Vec::new());
        Self { path, text: None, conditions, is_visible: true, uses_helpers: false, is_bound: false }
    }
}

impl Surroundings {
    /// The text of an item.
    fn text_of(&self, item: &(impl ToTokens + Spanned)) -> Option<String> {
        match self.is_bound {
            true => syn::parse2(item.to_token_stream()).ok().map(|file| prettyplease::unparse(&file)),
            false => item.span().source_text(),
        }
    }
}

fn find_functions(items: &[Item], around: &Surroundings, functions: &mut Vec<Function>) {
    for item in items {
        if let Item::Fn(function) = item {
            functions.push(describe(function, around));
        } else if let Item::Mod(module) = item
            && let Some((_, items)) = &module.content
        {
            let shares = module.attrs.iter().any(|attribute| is_named(attribute, "kernels"));
            let inner = Surroundings {
                path: format!("{}{}::", around.path, module.ident),
                text: around.text.clone().or_else(|| shares.then(|| around.text_of(module)).flatten()),
                conditions: conditions(&around.conditions, &module.attrs),
                is_visible: around.is_visible && is_visible(&module.vis),
                uses_helpers: around.uses_helpers || uses_helpers(&module.attrs),
                is_bound: around.is_bound,
            };
            find_functions(items, &inner, functions);
        }
    }
}

fn describe(function: &ItemFn, around: &Surroundings) -> Function {
    let start = function.sig.ident.span().start();
    Function {
        line: start.line,
        column: start.column,
        path: format!("{}{}", around.path, function.sig.ident),
        text: around.text.clone().or_else(|| around.text_of(function)),
        conditions: conditions(&around.conditions, &function.attrs),
        is_visible: around.is_visible && is_visible(&function.vis),
        is_pipeline: function.attrs.iter().any(|attribute| is_named(attribute, "pipeline")),
        uses_helpers: around.uses_helpers || uses_helpers(&function.attrs),
    }
}

/// Whether an attribute of windrow's names helpers.
fn uses_helpers(attributes: &[Attribute]) -> bool {
    let names_any = |attribute: &Attribute| match &attribute.meta {
        syn::Meta::List(list) => Uses::of(&list.tokens).is_some(),
        syn::Meta::Path(_) | syn::Meta::NameValue(_) => false,
    };
    let is_own = |attribute: &&Attribute| is_named(attribute, "kernel") || is_named(attribute, "kernels");
    attributes.iter().filter(is_own).any(names_any)
}

/// Finds the function that a kernel was: its name is at the same place.
fn place(compiled: CompiledKernel, prepared: Prepared, functions: &[Function], source: &str) -> SourceKernel {
    let start = compiled.kernel.span.start();
    let function = functions.iter().find(|function| (function.line, function.column) == (start.line, start.column));
    let mut path = function.map_or_else(|| compiled.kernel.function.clone(), |function| function.path.clone());
    if let Some((_, ty)) = &compiled.kernel.type_parameter {
        path += &format!("::<{}>", type_path(*ty));
    }
    SourceKernel {
        path,
        line: start.line,
        text: function.and_then(|function| function.text.clone()).unwrap_or_else(|| source.to_owned()),
        conditions: function.map(|function| function.conditions.clone()).unwrap_or_default(),
        is_visible: function.is_some_and(|function| function.is_visible),
        is_fused: false,
        compiled,
        prepared,
    }
}

fn conditions(outer: &[String], attributes: &[Attribute]) -> Vec<String> {
    let own = attributes.iter().filter(|attribute| is_named(attribute, "cfg")).filter_map(|a| a.span().source_text());
    outer.iter().cloned().chain(own).collect()
}

fn is_named(attribute: &Attribute, name: &str) -> bool {
    attribute.path().segments.last().is_some_and(|segment| segment.ident == name)
}

fn is_visible(visibility: &Visibility) -> bool {
    !matches!(visibility, Visibility::Inherited)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "
        #[kernel]
        pub fn invert(a: u8) -> u8 { !a }

        pub mod inner {
            #[cfg(unix)]
            #[kernel(types(T = u8, i16))]
            pub fn lighten(a: T, b: T) -> T { a.max(b) }
        }

        #[kernels]
        mod shared {
            const LEVEL: u8 = 7;
            #[kernel]
            pub fn above(a: u8) -> u8 { a.max(LEVEL) }
        }
    ";

    #[test]
    fn kernels_are_placed_among_modules() {
        let kernels = compile(Path::new("a.rs"), FILE).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        let found: Vec<_> =
            kernels.iter().map(|k| (k.path.as_str(), k.line, k.is_visible, k.conditions.len())).collect();
        assert_eq!(
            found,
            [
                ("invert", 3, true, 0),
                ("inner::lighten::<u8>", 8, true, 1),
                ("inner::lighten::<i16>", 8, true, 1),
                ("shared::above", 15, false, 0),
            ]
        );
        assert!(kernels[0].text.starts_with("#[kernel]") && kernels[0].text.ends_with("{ !a }"));
        assert!(kernels[3].text.contains("LEVEL: u8 = 7"));
    }

    #[test]
    fn the_text_of_a_kernel_has_what_it_uses() {
        let file = "
            #[kernel(uses(half), step(16, 1))] fn by_two(a: u8) -> u8 { half(a) }
            #[helper] fn half(a: u8) -> u8 { a / 2 }
            #[kernels(uses(half))] mod m { #[kernel] fn by_four(a: u8) -> u8 { half(half(a)) } }
            #[kernel] fn by_one(a: u8) -> u8 { a }
        ";
        let kernels = compile(Path::new("a.rs"), file).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        let texts: Vec<_> = kernels.iter().map(|kernel| kernel.text.as_str()).collect();
        assert!(texts[0].starts_with("#[kernel(step(16, 1))]\nfn by_two"), "{}", texts[0]);
        assert!(texts[1].starts_with("#[kernels]\nmod m"), "{}", texts[1]);
        assert!(texts[..2].iter().all(|text| text.contains("fn half(a: u8) -> u8 {\n")), "{texts:?}");
        assert_eq!(texts[2], "#[kernel] fn by_one(a: u8) -> u8 { a }");
    }

    #[test]
    fn pipelines_are_placed_among_modules() {
        let source = "
            #[kernel] pub fn half(a: u8) -> u8 { a / 2 }
            #[pipeline] fn halves(src: &Tensor<u8>) -> Result<Tensor<u8>, Error> { half::apply(src) }
            pub mod inner {
                #[cfg(unix)]
                #[windrow::pipeline]
                pub fn quarters(src: &Tensor<u8>) -> Result<Tensor<u8>, Error> { half::apply(&half::apply(src)?) }
            }
        ";
        let found = places_of_pipelines(source);
        let found: Vec<_> = found.iter().map(|p| (p.path.as_str(), p.is_visible, p.conditions.len())).collect();
        assert_eq!(found, [("halves", false, 0), ("inner::quarters", true, 1)]);
    }

    #[test]
    fn all_mistakes_are_found() {
        let source = "#[kernel]\nfn a(x: u8) -> u8 { x + 1 }\n#[kernel]\nfn b(x: u8) -> u8 { x - 1 }\n";
        let Err(mistakes) = compile(Path::new("a.rs"), source) else { panic!("accepted") };
        assert_eq!(mistakes.iter().map(|mistake| mistake.line).collect::<Vec<_>>(), [2, 4]);
    }
}
