//! What `#[pipeline]` becomes: the author's function in place, and beside it a type of its name whose functions run it fused.
//!
//! The tokens of the kernels that it calls are collected one after another: each kernel's macro ([`export`](super::export)) calls
//! [`collect`], which calls the next kernel's. What is no kernel answers by a macro that hands out nothing, imported by a glob in the
//! block around: a name of the block itself comes first.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use windrow_dsl::{
    Ends, diagnostic,
    diagnostic::Diagnostic,
    macro_names::is_standard,
    pipeline::{Callee, Fused, Pipeline},
    refused_kernel,
};

use super::{beside, export};
use crate::limits;
use methods::Methods;

mod methods;

/// How many kernels a pipeline asks for their tokens; `no_kernels` of the facade has as many names.
const MAX_KERNELS: usize = 16;

/// What `#[pipeline(attribute)] item` becomes.
pub fn expand_pipeline(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let pipeline = match Pipeline::read(&attribute, &item) {
        Ok(pipeline) => pipeline,
        Err(mistakes) => return refused(&mistakes, &attribute, item),
    };
    let (function, name) = (Methods { pipeline: &pipeline }.function(), &pipeline.function.sig.ident);
    let visibility = &pipeline.function.vis;
    let docs = pipeline.function.attrs.iter().filter(|attribute| attribute.path().is_ident("doc"));
    let (docs, ends) = (quote!(#(#docs)*), Ends::of(&pipeline.function));
    let (named, module) = beside::named_type(name, visibility, ends, docs, quote!(enum #name {}));
    let nothing = export::nothing(&pipeline.function);
    let imports = pipeline.paths().into_iter().enumerate().take(MAX_KERNELS).map(|(index, path)| {
        // What is wrong with the path is told at the path.
        let place = path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
        let kernel = kernel_name(index, place);
        quote_spanned!(place=> use #path as #kernel;)
    });
    let state: TokenStream = quote!({ #item });
    let rest = next(state, &pipeline);
    let tests = format_ident!("test_{name}");
    quote! {
        #function
        #named
        #nothing
        ::windrow::__pipeline_tests! { #tests #name }
        #[allow(warnings, clippy::all)]
        const _: () = {
            use ::windrow::__rt::no_kernels::*;
            const _: () = {
                use #module::#name;
                #(#imports)*
                #rest
            };
        };
    }
}

/// A kernel's tokens have come, or the news that there are none: asks for the next kernel's, or writes what hangs on the name.
pub fn collect(input: TokenStream) -> TokenStream {
    let mut tokens = input.into_iter();
    let Some(TokenTree::Group(state)) = tokens.next() else { return TokenStream::new() };
    let callee: TokenStream = tokens.collect();
    let mut state: TokenStream = state.stream();
    state.extend(braced(callee));
    let Some(TokenTree::Group(item)) = state.clone().into_iter().next() else { return TokenStream::new() };
    match Pipeline::read(&TokenStream::new(), &item.stream()) {
        Ok(pipeline) => next(state, &pipeline),
        Err(mistakes) => refusal(&mistakes),
    }
}

/// The call of the next kernel's macro, or the end. The state is the pipeline's item, and what each kernel so far has said.
fn next(mut state: TokenStream, pipeline: &Pipeline) -> TokenStream {
    let paths = pipeline.paths();
    loop {
        let index = state.clone().into_iter().count() - 1;
        let Some(path) = paths.get(index) else { break };
        let name = path.segments.last().map(|segment| &segment.ident);
        if index < MAX_KERNELS && name.is_some_and(|name| !is_standard(name)) {
            let kernel = kernel_name(index, Span::call_site());
            return quote!(#kernel! { ::windrow::__rt::collect_pipeline [ #state ] });
        }
        state.extend(braced(TokenStream::new()));
    }
    let callees = state.into_iter().skip(1).map(|group| match group {
        TokenTree::Group(group) => export::said(group.stream()).and_then(|(options, item)| Callee::read(options, item)),
        _ => None,
    });
    write(pipeline, &callees.collect::<Vec<_>>())
}

fn kernel_name(index: usize, span: Span) -> Ident {
    format_ident!("__windrow_kernel_{index}", span = span)
}

fn braced(tokens: TokenStream) -> TokenStream {
    TokenTree::Group(Group::new(Delimiter::Brace, tokens)).into()
}

/// What hangs on the pipeline's name.
fn write(pipeline: &Pipeline, callees: &[Option<Callee>]) -> TokenStream {
    let fused = pipeline.fuse(callees, &limits::is_kernel);
    let name = &pipeline.function.sig.ident;
    let methods = Methods { pipeline };
    let written = methods.traced("written", &pipeline.function.block.to_token_stream());
    let modules = fused.iter().flat_map(|fused| &fused.modules);
    let whole = fused.iter().flat_map(|fused| &fused.whole);
    let body = fused.as_ref().map(|Fused { body, .. }| methods.traced("fused", &quote!({ #body })));
    let body = body.into_iter();
    let (chain, plan, apply) = (methods.chain(fused.is_some()), methods.plan(), methods.apply());
    let (checked, tested) = (methods.checked(), methods.tested());
    quote! {
        use ::windrow::__rt as rt;
        #checked
        #(#[::windrow::kernels] #modules)*
        impl #name {
            #written
            #(#body)*
            #chain
            #plan
            #apply
        }
        #(impl ::windrow::chain::OneKernel for #name { type Kernel = #whole; })*
        #tested
    }
}

fn refused(mistakes: &[Diagnostic], attribute: &TokenStream, item: TokenStream) -> TokenStream {
    let (stand_in, refusal) = (refused_kernel(attribute, item), refusal(mistakes));
    quote!(#stand_in #refusal)
}

/// Mistakes as what rustc shows.
fn refusal(mistakes: &[Diagnostic]) -> TokenStream {
    diagnostic::combine(mistakes).map(|error| error.to_compile_error()).unwrap_or_default()
}
