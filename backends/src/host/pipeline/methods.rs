//! The functions of a pipeline's type, as text.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote_spanned};
use windrow_dsl::pipeline::{ImageType, Parameter, Pipeline, trace};

/// Tokens whose variables are not the author's, who may have given a parameter any of their names.
macro_rules! quote {
    ($($tokens:tt)*) => { quote_spanned!(Span::mixed_site()=> $($tokens)*) };
}

/// The functions of a pipeline's type.
pub(super) struct Methods<'p> {
    pub(super) pipeline: &'p Pipeline,
}

impl Methods<'_> {
    /// The author's function, which checks the values that it is given.
    pub(super) fn function(&self) -> TokenStream {
        let (mut function, checks) = (self.pipeline.function.clone(), self.checks());
        let (body, braces) = (&function.block.stmts, function.block.brace_token);
        function.block = syn::parse_quote!({ #checks #(#body)* });
        function.block.brace_token = braces;
        // An operator's arguments are what it needs, and its callers may name its type alone.
        function.attrs.push(syn::parse_quote!(#[allow(dead_code, clippy::too_many_arguments)]));
        quote!(#function)
    }

    /// The author's function with another body, over images without elements.
    pub(super) fn traced(&self, name: &str, body: &TokenStream) -> TokenStream {
        let mut signature = self.pipeline.function.sig.clone();
        signature.ident = Ident::new(name, Span::call_site());
        trace(&mut signature, &|rank| match rank {
            Some(rank) => quote!({ let () = __WINDROW_CHECKED; #rank }),
            None => quote!(__WINDROW_ANY_RANK),
        });
        let checks = self.checks();
        quote! {
            #signature {
                #checks
                // The author's names of tensors are those of traced ones here.
                type Tensor<T, const N: usize = __WINDROW_ANY_RANK> = rt::TracedTensor<T, N>;
                #body
            }
        }
    }

    /// A constant that rustc refuses for every mistake of the author's function, in the words in which it refuses that.
    ///
    /// It shows equal errors once. The types of the traced functions hang on the constant, and where that is refused, they are types of
    /// which rustc says nothing more: what is wrong in the function is told once, of the types that the author wrote.
    pub(super) fn checked(&self) -> TokenStream {
        let signature = &self.pipeline.function.sig;
        let (parameters, output, body) = (&signature.inputs, &signature.output, &self.pipeline.function.block.stmts);
        let checks = self.checks();
        // No closure has a parameter of the type `impl Trait`.
        let function =
            (!mentions_impl(parameters)).then(|| quote!(let _ = |#parameters| #output { #checks #(#body)* };));
        let function = function.into_iter();
        quote! {
            const __WINDROW_CHECKED: () = { #(#function)* };
            const __WINDROW_ANY_RANK: usize = { let () = __WINDROW_CHECKED; 255 };
        }
    }

    /// The check of each value against its range, as statements.
    fn checks(&self) -> TokenStream {
        let checks = self.pipeline.parameters.iter().filter_map(|parameter| match parameter {
            Parameter::Value(name, value) => {
                let (text, range) = (name.to_string(), value.range.as_ref()?);
                Some(quote!(::windrow::__rt::check_bounds(#text, &#name, #range)?;))
            }
            Parameter::Image(..) => None,
        });
        quote!(#(#checks)*)
    }

    fn images(&self) -> impl Iterator<Item = (&Ident, &ImageType)> {
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
    pub(super) fn chain(&self, is_fused: bool) -> TokenStream {
        let visibility = &self.pipeline.function.vis;
        let infos = self.infos();
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
    pub(super) fn plan(&self) -> TokenStream {
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
    pub(super) fn apply(&self) -> TokenStream {
        let visibility = &self.pipeline.function.vis;
        let first = self.images().next().map(|(name, _)| name);
        let elements: Vec<_> = self.pipeline.outputs.iter().map(|output| &output.element).collect();
        let first_element = self.images().next().map(|(_, image)| &image.element);
        let results =
            elements.iter().map(|element| quote!(<ImageSpace as rt::AllocateLike<FirstImage, #element>>::Image));
        let outputs: Vec<Ident> = (0..elements.len()).map(output_name).collect();
        let (result, returned) = match elements.len() {
            1 => (quote!(#(#results)*), quote!(#(#outputs)*)),
            _ => (quote!((#(#results),*)), quote!((#(#outputs),*))),
        };
        let numbers = 0..elements.len();
        let allocate = quote! {
            #(let mut #outputs = rt::allocate_output::<#elements, ImageSpace, _>(&#first, &chain, #numbers)?;)*
        };
        let (apply, apply_into) = (self.body(&outputs, &allocate), self.body(&outputs, &TokenStream::new()));
        let (of_apply, of_apply_into) = (self.images_and_values(first), self.images_and_values(None));
        quote! {
            /// Runs the pipeline on whole images with the default scheduler, and returns the outputs.
            ///
            /// They are of the kind of the first image that is read.
            ///
            /// # Errors
            /// The error names the first rule that the arguments break, or says that there is no memory for an output.
            #[allow(clippy::too_many_arguments)]
            #visibility fn apply<
                FirstImage: rt::Source<#first_element, Space = ImageSpace>,
                ImageSpace: #(rt::AllocateLike<FirstImage, #elements>)+*,
            >(#of_apply) -> ::core::result::Result<#result, rt::Error> {
                #apply
                ::core::result::Result::Ok(#returned)
            }

            /// Runs the pipeline on whole images with the default scheduler, and writes into images of the caller's.
            ///
            /// # Errors
            /// The error names the first rule that the arguments break.
            #[allow(clippy::too_many_arguments)]
            #visibility fn apply_into<ImageSpace: rt::Space>(
                #of_apply_into, #(mut #outputs: impl rt::Destination<#elements> + rt::WritableIn<ImageSpace>),*
            ) -> ::core::result::Result<(), rt::Error> {
                #apply_into
                ::core::result::Result::Ok(())
            }
        }
    }

    /// The parameters, of which `first` has the type `FirstImage`.
    fn images_and_values(&self, first: Option<&Ident>) -> TokenStream {
        let list = self.pipeline.parameters.iter().map(|parameter| match parameter {
            Parameter::Image(name, _) if Some(name) == first => quote!(#name: FirstImage),
            Parameter::Image(name, image) => {
                let element = &image.element;
                quote!(#name: impl rt::Source<#element> + rt::ReadableIn<ImageSpace>)
            }
            Parameter::Value(name, value) => {
                let ty = &value.ty;
                quote!(#name: #ty)
            }
        });
        quote!(#(#list),*)
    }

    fn body(&self, outputs: &[Ident], allocate: &TokenStream) -> TokenStream {
        let values = self.pipeline.parameters.iter().map(|parameter| match parameter {
            Parameter::Image(name, _) => quote!(&rt::Readable::info(&#name)?),
            Parameter::Value(name, _) => quote!(#name),
        });
        let images = self.images().map(|(name, _)| name);
        quote! {
            let chain = Self::chain(#(#values),*)?;
            #allocate
            rt::run_chain::<ImageSpace>(
                chain,
                &[#(rt::readable::<ImageSpace, _>(&#images)),*],
                &mut [#(rt::writable::<ImageSpace, _>(&mut #outputs)),*],
            )?;
        }
    }

    /// What the generated tests need.
    pub(super) fn tested(&self) -> TokenStream {
        let name = &self.pipeline.function.sig.ident;
        let inputs = self.images().map(|(_, image)| {
            let (element, rank) = (&image.element, image.rank.as_ref().map_or(quote!(2), ToTokens::to_token_stream));
            quote! {
                ::windrow::testing::Input {
                    element: <#element as ::windrow::tensor::KernelElement>::CHANNEL,
                    channels: <#element as rt::Element>::CHANNELS,
                    rank: #rank,
                }
            }
        });
        let text = name.to_string();
        let draws = self.pipeline.parameters.iter().filter_map(|parameter| match parameter {
            Parameter::Image(..) => None,
            Parameter::Value(name, value) => Some(match (&value.ty, &value.range) {
                (ty, Some(range)) => quote!(let #name: #ty = random.within(#range);),
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
                    const INPUTS: &'static [::windrow::testing::Input] = &[#(#inputs),*];
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

/// Whether `impl` stands anywhere in tokens.
fn mentions_impl(tokens: &impl ToTokens) -> bool {
    let is = |token| match token {
        TokenTree::Ident(word) => word == "impl",
        TokenTree::Group(group) => mentions_impl(&group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    };
    tokens.to_token_stream().into_iter().any(is)
}

fn output_name(index: usize) -> Ident {
    format_ident!("output_{index}", span = Span::mixed_site())
}
