//! The pipelines of files, where kernels are found by name: no macro says what they are.

use proc_macro2::TokenStream;
use std::rc::Rc;
use syn::Path;

use super::{
    Callee, Pipeline,
    outline::{Outline, outline},
};
use crate::library::{self, Library};
use crate::{CompiledKernel, parse};

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
/// use windrow_dsl::{compile_module, library::Library, pipeline::compile_fused};
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
    each(source, library, &mut |pipeline, find| {
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
    each(source, library, &mut |pipeline, find| {
        let compile = |path: &Path| {
            let (attribute, item) = find(path)?;
            crate::compile_kernel(attribute, item).kernels.into_iter().next()
        };
        outlines.push(outline(pipeline, &callees(pipeline, find), &compile, is_kernel));
    });
    outlines
}

/// What finds the options and the function of a kernel.
type Found<'f> = dyn Fn(&Path) -> Option<(TokenStream, TokenStream)> + 'f;

/// Calls a function with each pipeline of a file, and with what finds the kernels that it calls.
fn each(source: &str, library: &Library<'_>, with: &mut dyn FnMut(&Pipeline, &Found<'_>)) {
    let items = parse::items(source).unwrap_or_default();
    library::modules(None, &Rc::from(source), &items, &mut |module, items| {
        for (attribute, item) in items.iter().filter_map(parse::pipeline) {
            if let Ok(pipeline) = Pipeline::read(&attribute, &item) {
                with(&pipeline, &|path| library.kernel(module, path));
            }
        }
    });
}

fn callees(pipeline: &Pipeline, find: &Found<'_>) -> Vec<Option<Callee>> {
    let callee = |path| find(path).and_then(|(attribute, item)| Callee::read(attribute, item));
    pipeline.paths().into_iter().map(callee).collect()
}
