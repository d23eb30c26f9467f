//! A pipeline as a drawing shows it: its stages in order, and the images between them.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, Ident};

use super::{
    Callee, Parameter, Pipeline,
    body::{Call, Step, mentions},
    flat::ARGUMENT,
    fused::{Part, parts},
    groups::{self, Known, image},
    kernel::{Kernel as Fused, is_image},
};
use crate::{
    CompiledKernel,
    ir::{Input, Kernel},
};

/// A pipeline: what it reads, what it computes one after another, what it returns.
pub struct Outline {
    /// Its name.
    pub name: Ident,
    /// The images: those that it reads, then those that stages compute, in order. Those of which nothing is known are not there.
    pub images: Vec<Image>,
    /// What is run, in order.
    pub stages: Vec<Stage>,
    /// The bytes of an element of each image that the calls read and write one by one; `None` where a kernel or its types are unknown.
    pub bytes_alone: Option<u32>,
    /// Whether more than calls of kernels stands in the body: what that runs is known at run time.
    pub has_other_statements: bool,
}

/// An image of a pipeline.
pub struct Image {
    /// The author's name, or what is computed within another call's arguments.
    pub name: String,
    /// Its elements' type, where it is known.
    pub element: Option<String>,
    /// Bytes of an element, where the type is known.
    pub bytes: Option<u32>,
    /// Where it is.
    pub storage: Storage,
    /// How many rows above and below its own share a band of rows needs of it. `None` where stages read it anywhere.
    pub halo: Option<u32>,
}

/// Where an image is while a pipeline runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// The caller's: it is read.
    Input,
    /// The caller's: it is returned.
    Output,
    /// A part of it at a time, between two stages.
    Between,
    /// An element at a time, in registers.
    Registers,
}

/// What is run at once.
pub struct Stage {
    /// What the pipeline calls: several kernels where they are one.
    pub calls: Vec<String>,
    /// The kernel; `None` where its function can't be read.
    pub kernel: Option<CompiledKernel>,
    /// The images that it reads, by their places in [`Outline::images`], each with what it reads around the element.
    pub reads: Vec<Read>,
    /// The images that it computes, by their places in [`Outline::images`].
    pub writes: Vec<usize>,
    /// The images that stay in registers, by their places in [`Outline::images`].
    pub inside: Vec<usize>,
}

/// How a stage reads an image.
pub struct Read {
    /// Its place in [`Outline::images`].
    pub image: usize,
    /// The columns and rows that one element needs; `None` where it is read anywhere, or nothing is known of the kernel.
    pub extent: Option<(u32, u32)>,
}

/// Outlines a pipeline. `callees` are as [`Pipeline::fuse`] takes them; `compile` returns the kernel of each of [`Pipeline::paths`].
pub(super) fn outline(
    pipeline: &Pipeline,
    callees: &[Option<Callee>],
    compile: &dyn Fn(&syn::Path) -> Option<CompiledKernel>,
    is_kernel: &dyn Fn(&TokenStream) -> bool,
) -> Outline {
    let copies = pipeline.copies(callees);
    let calls = pipeline.known(&copies);
    let groups = groups::find(&pipeline.steps, &calls);
    let alone = pipeline.steps.iter().filter_map(Step::call).map(|call| moved(&compile(&call.path)?.kernel));
    let mut drawn = Drawn {
        outline: Outline {
            name: pipeline.function.sig.ident.clone(),
            images: Vec::new(),
            stages: Vec::new(),
            bytes_alone: alone.sum(),
            has_other_statements: pipeline.has_other_statements(),
        },
    };
    for parameter in &pipeline.parameters {
        if let Parameter::Image(name, image) = parameter {
            drawn.image(name.to_string(), Storage::Input, Some(image.element.to_token_stream().to_string()));
        }
    }
    let mut last = TokenStream::new();
    for part in parts(&pipeline.steps, &calls, &groups, is_kernel) {
        match part {
            Part::Other(tokens) => last = tokens.clone(),
            Part::Call(call, known) => drawn.call(call, known, compile(&call.path)),
            Part::Fused(kernel, call) => drawn.fused(&kernel, call),
        }
    }
    drawn.finish(&last)
}

/// An outline on the way.
struct Drawn {
    outline: Outline,
}

impl Drawn {
    /// A kernel that is run by itself.
    fn call(&mut self, call: &Call, known: Option<&Known<'_>>, kernel: Option<CompiledKernel>) {
        let images = match known {
            Some(known) => {
                names_of(known.arguments().filter(|(parameter, _)| is_image(parameter)).map(|(_, argument)| argument))
            }
            None => names_of(call.arguments.iter()).into_iter().filter(|name| self.find(name).is_some()).collect(),
        };
        self.stage(vec![path(&call.path)], kernel, &images, Vec::new(), call);
    }

    /// Several as one, of which `call` is the last.
    fn fused(&mut self, kernel: &Fused<'_>, call: &Call) {
        let mut inside = Vec::new();
        for member in kernel.members.iter().filter(|member| !std::ptr::eq(member.call, call)) {
            let elements = member.callee.elements();
            let element = |index: usize| elements.get(index).map(|ty| ty.to_token_stream().to_string());
            inside.extend(values(member.call).map(|(index, name)| (name, element(index))));
        }
        let calls = kernel.members.iter().map(|member| path(&member.call.path)).collect();
        let compiled = crate::compile_module(TokenStream::new(), kernel.module(0)).kernels.into_iter().next();
        self.stage(calls, compiled, &names_of(kernel.images()), inside, call);
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.outline.images.iter().position(|image| image.name == name)
    }

    fn image(&mut self, name: String, storage: Storage, element: Option<String>) -> usize {
        let bytes = element.as_deref().and_then(bytes);
        self.outline.images.push(Image { name, element, bytes, storage, halo: Some(0) });
        self.outline.images.len() - 1
    }

    fn stage(
        &mut self,
        calls: Vec<String>,
        kernel: Option<CompiledKernel>,
        images: &[String],
        inside: Vec<(String, Option<String>)>,
        call: &Call,
    ) {
        let of_kernel = kernel.as_ref().map(|compiled| &compiled.kernel);
        let read = |(index, name): (usize, &String)| {
            let image = self.find(name)?;
            let input = of_kernel.and_then(|kernel| kernel.inputs.get(index));
            Some(Read { image, extent: input.and_then(extent) })
        };
        let reads = images.iter().enumerate().filter_map(read).collect();
        let inside = inside.into_iter().map(|(name, element)| self.image(name, Storage::Registers, element)).collect();
        let output = |index: usize| of_kernel.and_then(|kernel| element(kernel, index));
        let writes = match &call.pattern {
            Some(_) => values(call).map(|(index, name)| (name, Storage::Between, output(index))).collect::<Vec<_>>(),
            None => {
                let count = of_kernel.map_or(1, |kernel| kernel.outputs.len());
                let name = |index: usize| if count == 1 { "result".into() } else { format!("result {index}") };
                (0..count).map(|index| (name(index), Storage::Output, output(index))).collect()
            }
        };
        let writes = writes.into_iter().map(|(name, storage, element)| self.image(name, storage, element)).collect();
        self.outline.stages.push(Stage { calls, kernel, reads, writes, inside });
    }

    /// The outline, whose last statement returns some of the images.
    fn finish(mut self, last: &TokenStream) -> Outline {
        let outline = &mut self.outline;
        for image in &mut outline.images {
            let is_returned = names(last).contains(&image.name);
            if image.storage == Storage::Between && is_returned {
                image.storage = Storage::Output;
            }
        }
        for stage in outline.stages.iter().rev() {
            let halos = stage.writes.iter().map(|image| outline.images[*image].halo);
            // What is written with other halos is computed with the largest.
            let own = halos.reduce(|a, b| Some(a?.max(b?))).unwrap_or(Some(0));
            for read in &stage.reads {
                let image = &mut outline.images[read.image];
                let needed = read.extent.and_then(|(_, rows)| Some(own? + rows - 1));
                image.halo = image.halo.and_then(|known| Some(known.max(needed?)));
            }
        }
        for image in &mut outline.images {
            if let Some(number) = image.name.strip_prefix(ARGUMENT) {
                image.name = format!("argument {number}");
            }
        }
        self.outline
    }
}

impl Pipeline {
    /// Whether statements may run kernels that are no calls of their own: loops, branches, functions.
    fn has_other_statements(&self) -> bool {
        self.steps.iter().any(|step| match step {
            Step::Call(_) => false,
            Step::Other { tokens, is_barrier } => {
                *is_barrier && !is_end(tokens) || mentions(tokens, &Ident::new("apply", proc_macro2::Span::call_site()))
            }
        })
    }
}

/// `Ok(..)` without a call.
fn is_end(tokens: &TokenStream) -> bool {
    matches!(tokens.clone().into_iter().next(), Some(TokenTree::Ident(word)) if word == "Ok")
}

/// The words in tokens.
fn names(tokens: &TokenStream) -> Vec<String> {
    let name = |token: TokenTree| match token {
        TokenTree::Ident(word) => vec![word.to_string()],
        TokenTree::Group(group) => names(&group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => Vec::new(),
    };
    tokens.clone().into_iter().flat_map(name).collect()
}

/// The names of the images that calls are given.
fn names_of<'e>(arguments: impl Iterator<Item = &'e Expr>) -> Vec<String> {
    arguments.filter_map(image).map(Ident::to_string).collect()
}

/// The images that a call computes, each with its place among the kernel's.
fn values(call: &Call) -> impl Iterator<Item = (usize, String)> {
    call.values.iter().enumerate().filter_map(|(index, name)| Some((index, name.as_ref()?.to_string())))
}

/// The bytes of an element of each image that a kernel reads and writes.
fn moved(kernel: &Kernel) -> Option<u32> {
    let inputs = kernel.inputs.iter().map(|input| input.element.bits() / 8 * input.channels);
    let outputs = kernel.outputs.iter().map(|output| output.element.bits() / 8 * output.channels);
    kernel.type_parameter.is_none().then(|| inputs.chain(outputs).sum())
}

fn path(path: &syn::Path) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}

/// The columns and rows that an element needs of an input.
fn extent(input: &Input) -> Option<(u32, u32)> {
    let around = input.neighbourhood;
    let size = |from: i32, to: i32| to.abs_diff(from) + 1;
    (!input.is_whole).then(|| (size(around.left, around.right), size(around.top, around.bottom)))
}

fn element(kernel: &Kernel, index: usize) -> Option<String> {
    let output = kernel.outputs.get(index).filter(|_| kernel.type_parameter.is_none())?;
    let name = output.element.name();
    Some(if output.channels == 1 { name.to_owned() } else { format!("[{name}; {}]", output.channels) })
}

/// The bytes of `u8` or `[u8; 3]`.
fn bytes(element: &str) -> Option<u32> {
    let (name, count) = match element.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(pixel) => {
            let (name, count) = pixel.split_once(';')?;
            (name.trim(), count.trim().parse().ok()?)
        }
        None => (element, 1),
    };
    Some(crate::ir::Type::named(name)?.bits() / 8 * count)
}
