//! Assembles what a kernel becomes: the author's function, the name beside it, and the items that hang on that name.
//!
//! Everything but the author's own tokens is assembled as text and parsed once. Generated code names nothing but
//! `::windrow::__rt`, `::core` and the author's items. No rule of the runtime is written here: only data.

mod apply;
mod beside;
mod build;
mod export;
mod helpers;
mod methods;
mod pipeline;
mod program;
mod reference;
mod signature;
mod spec;
mod values;

use crate::limits;
use crate::neon::DOTPROD_TARGET;
use crate::text::Text;
pub use build::{Architecture, Build};
pub use helpers::{Kind, attribute, collect as collect_helpers, is_free_function};
pub use pipeline::{collect as collect_pipeline, expand_pipeline};
use proc_macro2::{Ident, LexError, Span, TokenStream};
#[cfg(feature = "doors")]
pub(crate) use signature::path as type_path;
pub(crate) use spec::uniform_words;
use windrow_dsl::ir::{Kernel, Type, with_fault};
use windrow_dsl::optimise::{Prepared, prepare};
use windrow_dsl::{Compiled, CompiledKernel, diagnostic, diagnostic::Diagnostic};

/// What `#[kernel(attribute)] item` becomes, for every target.
pub fn expand_kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    expand_kernel_for(Build::EVERY, attribute, item)
}

/// The kernel as Rust, for one build.
pub fn expand_kernel_for(build: Build, attribute: TokenStream, item: TokenStream) -> TokenStream {
    let compiled = windrow_dsl::compile_kernel(attribute.clone(), item.clone());
    let (items, generated) = match generate(build, &compiled) {
        Ok(generated) => (compiled.items, generated),
        Err(mistakes) => (windrow_dsl::refused_kernel(&attribute, item), refusal(&mistakes)),
    };
    quote::quote!(#items #generated)
}

/// What `#[kernels(attribute)] mod m { … }` becomes, for every target: the generated items are inside the module.
pub fn expand_module(attribute: TokenStream, item: TokenStream) -> TokenStream {
    expand_module_for(Build::EVERY, attribute, item)
}

/// The module as Rust, for one build.
pub fn expand_module_for(build: Build, attribute: TokenStream, item: TokenStream) -> TokenStream {
    let compiled = windrow_dsl::compile_module(attribute, item.clone());
    let (items, generated) = match generate(build, &compiled) {
        Ok(generated) => (compiled.items, generated),
        Err(mistakes) => (windrow_dsl::refused_module(item), refusal(&mistakes)),
    };
    match syn::parse2::<syn::ItemMod>(items.clone()) {
        Ok(mut module) => {
            if let Some((_, items)) = &mut module.content {
                items.push(syn::Item::Verbatim(generated));
            }
            quote::quote!(#module)
        }
        Err(_) => quote::quote!(#items #generated),
    }
}

/// The items of every kernel, or the mistakes.
fn generate(build: Build, compiled: &Compiled) -> Result<TokenStream, Vec<Diagnostic>> {
    if !compiled.errors.is_empty() {
        return Err(compiled.errors.clone());
    }
    let prepared = limits::prepared(&compiled.kernels)?;
    let mut out = TokenStream::new();
    let mut mistakes = Vec::new();
    let mut copies_of = None;
    for (kernel, prepared) in compiled.kernels.iter().zip(prepared) {
        let first_copy = copies_of != Some(&kernel.kernel.function);
        copies_of = Some(&kernel.kernel.function);
        match kernel_items(build, kernel, prepared, first_copy) {
            Ok(items) => out.extend(items),
            Err(refused) => mistakes.extend(refused),
        }
    }
    if mistakes.is_empty() { Ok(out) } else { Err(mistakes) }
}

/// Mistakes as what rustc shows.
fn refusal(mistakes: &[Diagnostic]) -> TokenStream {
    diagnostic::combine(mistakes).map(|error| error.to_compile_error()).unwrap_or_default()
}

/// The items of one kernel; `declare` where its name is not declared yet (the first copy of a function with `types`).
fn kernel_items(
    build: Build,
    compiled: &CompiledKernel,
    prepared: Prepared,
    declare: bool,
) -> Result<TokenStream, Vec<Diagnostic>> {
    let kernel = &compiled.kernel;
    let program = program::Program::of(build, compiled, prepared);
    let visibility = &compiled.visibility;
    let visibility = quote::quote!(#visibility).to_string();
    let mut constant = Text::new();
    let named = declare.then(|| named_type(compiled));
    if let Some((_, module)) = &named {
        constant.line(format!("use {module}::{};", kernel.function));
    }
    constant.line("use ::windrow::__rt as rt;");
    // The bodies reach memory through pointers to these: a type of the author's with such a name must not replace one.
    constant.line("use ::core::primitive::*;");
    spec::write(&mut constant, kernel, program.prepared());
    let (written, fault) = with_fault(|| program.write(&mut constant));
    written?;
    if let Some(fault) = fault {
        return Err(vec![Diagnostic::fault(kernel.span, &fault)]);
    }
    reference::write(&mut constant, kernel);
    let name = kernel
        .type_parameter
        .as_ref()
        .map_or_else(|| kernel.function.clone(), |(_, ty)| format!("{}<{}>", kernel.function, signature::path(*ty)));
    methods::write(&mut constant, kernel, &name, &visibility);
    let copy = compiled.copy.clone().unwrap_or_default();
    let assembled = || {
        let hand_written = program.hand_written_arrays(&parse(&name, kernel.span)?);
        let tests =
            format!("::windrow::__kernel_tests! {{ {} {name}{} }}", test_module(&kernel.name), tests_of_more(kernel));
        let (tests, constant) = (parse(&tests, kernel.span)?, parse(&constant.finish(), kernel.span)?);
        let declaration = parse(&reference::declaration(kernel), kernel.span)?;
        let (author, witness) = (Ident::new(&kernel.function, kernel.span), &compiled.witness);
        let named = named.map(|(items, _)| items);
        Ok(quote::quote! {
            #named
            #tests
            #[allow(warnings, clippy::all)]
            const _: () = { #witness };
            #[allow(warnings, clippy::all)]
            const _: () = { #copy #hand_written const _: () = { #constant #declaration #author; }; };
        })
    };
    Ok(assembled().unwrap_or_else(|error: syn::Error| error.to_compile_error()))
}

/// The type beside the author's function, and the module that it is in.
fn named_type(compiled: &CompiledKernel) -> (TokenStream, Ident) {
    let kernel = &compiled.kernel;
    let name = Ident::new(&kernel.function, Span::call_site());
    let own = [format!("The kernel `{name}`.")];
    let docs = if kernel.docs.is_empty() { own.as_slice() } else { &kernel.docs };
    let docs = quote::quote!(#(#[doc = #docs])*);
    let (visibility, ends) = (&compiled.visibility, compiled.ends);
    let named = |declaration| beside::named_type(&name, visibility, ends, docs, declaration);
    match kernel.type_parameter {
        Some(_) => {
            let fields = quote::quote!(_of: ::core::marker::PhantomData<T>, _none: ::core::convert::Infallible);
            let (mut items, module) = named(quote::quote!(struct #name<T> { #fields }));
            items.extend(beside::function(visibility, ends, &name));
            (items, module)
        }
        None => named(quote::quote!(enum #name {})),
    }
}

/// The module that holds a kernel's generated tests: a module of the kernel's own name would meet its enum.
pub(crate) fn test_module(name: &str) -> String {
    format!("test_{name}")
}

/// The tests that a kernel has beside those of every one: of a target for which few have a body.
pub(crate) fn tests_of_more(kernel: &Kernel) -> &'static str {
    // Its bodies multiply signed bytes: most kernels need not be prepared to know.
    let has_bytes = kernel.inputs.iter().any(|input| input.ty == Type::I8);
    let pays = DOTPROD_TARGET.pays.filter(|_| has_bytes);
    if pays.is_some_and(|pays| pays(kernel, &prepare(kernel))) { ", dotprod" } else { "" }
}

/// Parses assembled text. In the compiler its tokens get the attribute's span, as an expansion: neither lints nor `unsafe`
/// are the author's.
fn parse(text: &str, span: Span) -> syn::Result<TokenStream> {
    tokens(text).map_err(|error| {
        let message = format!("windrow wrote text that is no Rust: {error}");
        diagnostic::combine(&[Diagnostic::at(span, message, "report this kernel as a fault of windrow")])
            .unwrap_or_else(|| syn::Error::new(span, "unreadable text"))
    })
}

/// The compiler's own reading, where there is a compiler: `proc_macro2` would read the text itself first, which takes ten
/// times as long.
fn tokens(text: &str) -> Result<TokenStream, String> {
    match proc_macro::is_available() {
        true => text.parse().map(|tokens: proc_macro::TokenStream| tokens.into()).map_err(|error| error.to_string()),
        false => text.parse().map_err(|error: LexError| error.to_string()),
    }
}
