//! What `#[pipeline]` becomes: the author's function in place, and beside it a type of its name whose functions run it fused.
//!
//! The tokens of the kernels that it calls are collected one after another: each kernel's macro ([`export`](super::export)) calls
//! [`collect`], which calls the next kernel's. What is no kernel answers by a macro that hands out nothing, imported by a glob in the
//! block around: a name of the block itself comes first.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use windrow_dsl::{
    diagnostic,
    diagnostic::Diagnostic,
    pipeline::{Callee, Fused, Image, Parameter, Pipeline, trace},
    refused_kernel,
};

use super::export;
use crate::limits;

/// How many kernels a pipeline asks for their tokens; `no_kernels` of the facade has as many names.
const MAX_KERNELS: usize = 16;

/// What `#[pipeline(attribute)] item` becomes.
pub fn expand_pipeline(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let pipeline = match Pipeline::read(&attribute, &item) {
        Ok(pipeline) => pipeline,
        Err(mistakes) => return refused(&mistakes, &attribute, item),
    };
    let (function, name) = (&pipeline.function, &pipeline.function.sig.ident);
    let visibility = &function.vis;
    let docs = function.attrs.iter().filter(|attribute| attribute.path().is_ident("doc"));
    let nothing = export::nothing(visibility, name);
    let imports = pipeline.paths().into_iter().enumerate().take(MAX_KERNELS).map(|(index, path)| {
        let kernel = kernel_name(index);
        quote!(use #path as #kernel;)
    });
    let state: TokenStream = quote!({ #item });
    let rest = next(state, &pipeline);
    let tests = format_ident!("test_{name}");
    quote! {
        #function
        #(#docs)*
        #[allow(non_camel_case_types)]
        #visibility enum #name {}
        #nothing
        ::windrow::__pipeline_tests! { #tests #name }
        #[allow(warnings, clippy::all)]
        const _: () = {
            use ::windrow::__rt::no_kernels::*;
            const _: () = {
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
        if index < MAX_KERNELS && name.is_some_and(export::is_exported) {
            let kernel = kernel_name(index);
            return quote!(#kernel! { ::windrow::__rt::collect_pipeline [ #state ] });
        }
        state.extend(braced(TokenStream::new()));
    }
    let callees = state.into_iter().skip(1).map(|group| match group {
        TokenTree::Group(group) => callee(group.stream()),
        _ => None,
    });
    write(pipeline, &callees.collect::<Vec<_>>())
}

fn kernel_name(index: usize) -> Ident {
    format_ident!("__windrow_kernel_{index}", span = Span::call_site())
}

fn braced(tokens: TokenStream) -> TokenStream {
    TokenTree::Group(Group::new(Delimiter::Brace, tokens)).into()
}

/// What a kernel's macro has said: the version, the options, the function.
fn callee(said: TokenStream) -> Option<Callee> {
    let said: Vec<TokenTree> = said.into_iter().collect();
    let [TokenTree::Literal(version), TokenTree::Group(attribute), TokenTree::Group(item)] = said.as_slice() else {
        return None;
    };
    let is_ours = version.to_string() == Literal::u32_suffixed(export::VERSION).to_string();
    if is_ours { Callee::read(attribute.stream(), item.stream()) } else { None }
}

/// What hangs on the pipeline's name.
fn write(pipeline: &Pipeline, callees: &[Option<Callee>]) -> TokenStream {
    let fused = pipeline.fuse(callees, &is_kernel);
    let name = &pipeline.function.sig.ident;
    let methods = Methods { pipeline };
    let written = methods.traced("written", &pipeline.function.block.to_token_stream());
    let modules = fused.iter().flat_map(|fused| &fused.modules);
    let body = fused.as_ref().map(|Fused { body, .. }| methods.traced("fused", &quote!({ #body })));
    let body = body.into_iter();
    let (chain, plan, apply) = (methods.chain(fused.is_some()), methods.plan(), methods.apply());
    let tested = methods.tested();
    quote! {
        use ::windrow::__rt as rt;
        #(#[::windrow::kernels] #modules)*
        impl #name {
            #written
            #(#body)*
            #chain
            #plan
            #apply
        }
        #tested
    }
}

/// Whether a module holds kernels that keep all rules and limits.
fn is_kernel(module: &TokenStream) -> bool {
    let compiled = windrow_dsl::compile_module(TokenStream::new(), module.clone());
    compiled.errors.is_empty() && limits::prepared(&compiled.kernels).is_ok()
}

fn refused(mistakes: &[Diagnostic], attribute: &TokenStream, item: TokenStream) -> TokenStream {
    let (stand_in, refusal) = (refused_kernel(attribute, item), refusal(mistakes));
    quote!(#stand_in #refusal)
}

/// Mistakes as what rustc shows.
fn refusal(mistakes: &[Diagnostic]) -> TokenStream {
    diagnostic::combine(mistakes).map(|error| error.to_compile_error()).unwrap_or_default()
}

/// The functions of a pipeline's type.
struct Methods<'p> {
    pipeline: &'p Pipeline,
}

impl Methods<'_> {
    /// The author's function with another body, over images without elements.
    fn traced(&self, name: &str, body: &TokenStream) -> TokenStream {
        let mut signature = self.pipeline.function.sig.clone();
        signature.ident = Ident::new(name, Span::call_site());
        trace(&mut signature);
        quote! {
            #signature {
                // The author's names of tensors are those of traced ones here.
                type Tensor<T, const N: usize = 255> = rt::TracedTensor<T, N>;
                #body
            }
        }
    }

    fn images(&self) -> impl Iterator<Item = (&Ident, &Image)> {
        self.pipeline.parameters.iter().filter_map(|parameter| match parameter {
            Parameter::Image(name, image) => Some((name, &**image)),
            Parameter::Value(..) => None,
        })
    }

    /// The parameters with the images' metadata in the place of the images.
    fn infos(&self) -> TokenStream {
        let parameters = self.pipeline.parameters.iter().map(|parameter| match parameter {
            Parameter::Image(name, _) => quote!(#name: &rt::TensorInfo),
            Parameter::Value(name, value) => {
                let ty = &value.ty;
                quote!(#name: #ty)
            }
        });
        quote!(#(#parameters),*)
    }

    fn names(&self) -> TokenStream {
        let names = self.pipeline.parameters.iter().map(Parameter::name);
        quote!(#(#names),*)
    }

    /// `chain`: traces the fused form, or the written one.
    fn chain(&self, is_fused: bool) -> TokenStream {
        let visibility = &self.pipeline.function.vis;
        let infos = self.infos();
        let checks = self.pipeline.parameters.iter().filter_map(|parameter| match parameter {
            Parameter::Value(name, value) => {
                let (text, range) = (name.to_string(), value.range.as_ref()?);
                Some(quote!(rt::check_bounds(#text, #name, #range)?;))
            }
            Parameter::Image(..) => None,
        });
        let inputs = self.images().map(|(name, image)| {
            let (element, rank) = (&image.element, image.rank.as_ref().map_or(quote!(255), ToTokens::to_token_stream));
            quote!(let #name = &tracer.input::<#element, #rank>(#name)?;)
        });
        let inputs = quote!(#(#inputs)*);
        let outputs = match self.pipeline.outputs.len() {
            1 => quote!(tracer.output(&traced)?;),
            count => {
                let index = (0..count).map(syn::Index::from);
                quote!(#(tracer.output(&traced.#index)?;)*)
            }
        };
        let values = self.pipeline.parameters.iter().map(|parameter| match parameter {
            Parameter::Image(name, _) => quote!(#name),
            Parameter::Value(name, _) => quote!(::core::clone::Clone::clone(&#name)),
        });
        let values = quote!(#(#values),*);
        let trace = |function: &str| {
            let function = Ident::new(function, Span::call_site());
            quote! {{
                let tracer = rt::Tracer::new();
                #inputs
                let traced = Self::#function(#values)?;
                #outputs
                tracer.finish()
            }}
        };
        let (names, written, fused) = (self.names(), trace("written"), trace("fused"));
        let fused = is_fused.then(|| {
            quote! {
                // Shapes that a fused kernel refuses, the kernels may take one by one.
                let fused = || -> ::core::result::Result<rt::ChainBuilder, rt::Error> { ::core::result::Result::Ok(#fused) };
                if let ::core::result::Result::Ok(chain) = fused() {
                    return ::core::result::Result::Ok(chain);
                }
            }
        });
        let fused = fused.into_iter();
        quote! {
            /// Returns the kernels as a chain, some of them fused, for an executor to run.
            ///
            /// # Errors
            /// What a kernel says of images or values that it doesn't take.
            #[allow(clippy::too_many_arguments)]
            #visibility fn chain(#infos) -> ::core::result::Result<rt::ChainBuilder, rt::Error> {
                #(#checks)*
                #(#fused)*
                Self::unfused(#names)
            }

            /// Returns the kernels as a chain, each by itself, as the function is written.
            ///
            /// # Errors
            /// What a kernel says of images or values that it doesn't take.
            #[allow(clippy::too_many_arguments)]
            #visibility fn unfused(#infos) -> ::core::result::Result<rt::ChainBuilder, rt::Error> {
                ::core::result::Result::Ok(#written)
            }
        }
    }

    /// `infer`, `validate` and `configure`.
    fn plan(&self) -> TokenStream {
        let visibility = &self.pipeline.function.vis;
        let (infos, names) = (self.infos(), self.names());
        let images = self.images().map(|(name, _)| name);
        let images = quote!(#(#images),*);
        quote! {
            /// Returns the shapes and types of the outputs, with the regions that are computed.
            ///
            /// # Errors
            /// What a kernel says of images or values that it doesn't take.
            #[allow(clippy::too_many_arguments)]
            #visibility fn infer(#infos) -> ::core::result::Result<::std::vec::Vec<rt::TensorInfo>, rt::Error> {
                ::core::result::Result::Ok(Self::chain(#names)?.infer())
            }

            /// Returns whether the pipeline takes images and values like these, and outputs like those behind them.
            ///
            /// # Errors
            /// The first rule that an argument breaks.
            #[allow(clippy::too_many_arguments)]
            #visibility fn validate(
                #infos, outputs: &[&rt::TensorInfo],
            ) -> ::core::result::Result<(), rt::Error> {
                let images = [#images];
                let chain = rt::Executor::compile(&rt::OnProcessor, Self::chain(#names)?)?;
                ::core::result::Result::Ok(chain.validate(&images, outputs)?)
            }

            /// Returns the pipeline for images like these on the processor, to be run many times.
            ///
            /// # Errors
            /// What a kernel says of images or values that it doesn't take.
            #[allow(clippy::too_many_arguments)]
            #visibility fn configure(#infos) -> ::core::result::Result<rt::Composite, rt::Error> {
                ::core::result::Result::Ok(rt::Executor::compile(&rt::OnProcessor, Self::chain(#names)?)?)
            }
        }
    }

    /// `apply` and `apply_into`.
    fn apply(&self) -> TokenStream {
        let visibility = &self.pipeline.function.vis;
        let first = self.images().next().map(|(name, _)| name);
        let elements: Vec<_> = self.pipeline.outputs.iter().map(|output| &output.element).collect();
        let first_element = self.images().next().map(|(_, image)| &image.element);
        let results = elements.iter().map(|element| quote!(<FirstImage as rt::Allocate<#element>>::Image));
        let outputs: Vec<Ident> = (0..elements.len()).map(output_name).collect();
        let (result, returned) = match elements.len() {
            1 => (quote!(#(#results)*), quote!(#(#outputs)*)),
            _ => (quote!((#(#results),*)), quote!((#(#outputs),*))),
        };
        let numbers = 0..elements.len();
        let apply = self.body(
            &quote!(FirstImage::Space),
            &outputs,
            &quote! {
                #(let mut #outputs = rt::allocate_output::<#elements, _>(&#first, &chain, #numbers)?;)*
            },
        );
        let apply_into = self.body(&quote!(ImageSpace), &outputs, &TokenStream::new());
        let parameters = |space: TokenStream, is_typed: bool| {
            let list = self.pipeline.parameters.iter().map(|parameter| match parameter {
                Parameter::Image(name, _) if is_typed && Some(name) == first => quote!(#name: FirstImage),
                Parameter::Image(name, image) => {
                    let element = &image.element;
                    quote!(#name: impl rt::Source<#element, Space: rt::SameSpace<#space>>)
                }
                Parameter::Value(name, value) => {
                    let ty = &value.ty;
                    quote!(#name: #ty)
                }
            });
            quote!(#(#list),*)
        };
        let (of_apply, of_apply_into) =
            (parameters(quote!(FirstImage::Space), true), parameters(quote!(ImageSpace), false));
        quote! {
            /// Runs the pipeline on whole images with the default scheduler, and returns the outputs.
            ///
            /// They are of the kind of the first image that is read.
            ///
            /// # Errors
            /// The error names the first rule that the arguments break, or says that there is no memory for an output.
            #[allow(clippy::too_many_arguments)]
            #visibility fn apply<FirstImage: rt::Source<#first_element> #(+ rt::Allocate<#elements>)*>(
                #of_apply
            ) -> ::core::result::Result<#result, rt::Error> {
                #apply
                ::core::result::Result::Ok(#returned)
            }

            /// Runs the pipeline on whole images with the default scheduler, and writes into images of the caller's.
            ///
            /// # Errors
            /// The error names the first rule that the arguments break.
            #[allow(clippy::too_many_arguments)]
            #visibility fn apply_into<ImageSpace: rt::Space>(
                #of_apply_into, #(mut #outputs: impl rt::Destination<#elements, Space: rt::SameSpace<ImageSpace>>),*
            ) -> ::core::result::Result<(), rt::Error> {
                #apply_into
                ::core::result::Result::Ok(())
            }
        }
    }

    fn body(&self, space: &TokenStream, outputs: &[Ident], allocate: &TokenStream) -> TokenStream {
        let values = self.pipeline.parameters.iter().map(|parameter| match parameter {
            Parameter::Image(name, _) => quote!(&rt::Readable::info(&#name)?),
            Parameter::Value(name, _) => quote!(#name),
        });
        let images = self.images().map(|(name, _)| name);
        quote! {
            let chain = Self::chain(#(#values),*)?;
            #allocate
            rt::run_chain::<#space>(
                chain,
                &[#(rt::readable::<#space, _>(&#images)),*],
                &mut [#(rt::writable::<#space, _>(&mut #outputs)),*],
            )?;
        }
    }

    /// What the generated tests need.
    fn tested(&self) -> TokenStream {
        let (name, elements) = (&self.pipeline.function.sig.ident, self.images().map(|(_, image)| &image.element));
        let text = name.to_string();
        let draws = self.pipeline.parameters.iter().filter_map(|parameter| match parameter {
            Parameter::Image(..) => None,
            Parameter::Value(name, value) => Some(match (&value.ty, &value.range) {
                (_, Some(range)) => quote!(let #name = random.within(#range);),
                // What is handed on by reference is drawn by itself.
                (syn::Type::Reference(reference), None) => {
                    let ty = &reference.elem;
                    quote!(let #name = &random.any::<#ty>();)
                }
                (ty, None) => quote!(let #name = random.any::<#ty>();),
            }),
        });
        let draws: Vec<_> = draws.collect();
        let mut images = 0usize..;
        let arguments = self.pipeline.parameters.iter().map(|parameter| match parameter {
            Parameter::Image(..) => {
                let index = images.next();
                quote!(&infos[#index])
            }
            Parameter::Value(name, _) => quote!(::core::clone::Clone::clone(&#name)),
        });
        let arguments: Vec<_> = arguments.collect();
        quote! {
            ::windrow::__for_tests! {
                impl ::windrow::testing::Pipeline for #name {
                    const NAME: &'static str = #text;
                    const INPUTS: &'static [(rt::ElementType, u32)] = &[#((
                        <#elements as ::windrow::tensor::KernelElement>::CHANNEL,
                        <#elements as rt::Element>::CHANNELS,
                    )),*];
                    fn chains(
                        infos: &[rt::TensorInfo], random: &mut ::windrow::testing::Draw,
                    ) -> ::core::result::Result<[rt::ChainBuilder; 2], rt::Error> {
                        #(#draws)*
                        ::core::result::Result::Ok([Self::chain(#(#arguments),*)?, Self::unfused(#(#arguments),*)?])
                    }
                }
            }
        }
    }
}

fn output_name(index: usize) -> Ident {
    format_ident!("output_{index}", span = Span::call_site())
}
