//! Pipelines: a function that calls kernels, and the kernels that fuse some of them.
//!
//! What a pipeline means is what its author wrote: each kernel over its whole image. Kernels of which one reads what another
//! computes at the element's own place alone are fused here: their functions become functions of one kernel, which calls them
//! one after another for each element. Nothing else about them changes, so that the fused kernel gives the same bits, and is proved,
//! scheduled and tested as any other.
//!
//! [`Pipeline::read`] checks the function (`signature`) and splits its body (`body`, `flat`). A kernel's tokens come from the macro that
//! `#[kernel]` writes beside it, one after another; [`Callee`] reads what matters of them. [`Pipeline::fuse`] decides which
//! calls become one (`groups`), and writes the kernels (`kernel`, `extents`) and the calls of them (`fused`). Where there are files and no macros
//! (`files`), a [`Library`](crate::library::Library) knows the kernels.

mod body;
mod callee;
mod extents;
mod files;
mod flat;
mod fused;
mod groups;
mod kernel;
mod outline;
mod signature;
mod tokens;

pub use callee::Callee;
pub use files::{FusedKernel, compile_fused, outlines};
pub use fused::Fused;
pub use outline::{Image, Outline, Read, Stage, Storage};
pub use signature::{ImageType, Parameter, Value, trace};

use body::Step;
use proc_macro2::TokenStream;
use std::collections::HashMap;
use syn::{ItemFn, Path, Type};

use crate::{diagnostic::Diagnostic, messages, parse};
use tokens::same;

/// A pipeline, as its author wrote it.
pub struct Pipeline {
    /// The function, without windrow's attributes on its parameters.
    pub function: ItemFn,
    /// Its parameters, in order.
    pub parameters: Vec<Parameter>,
    /// The images that it returns, in order.
    pub outputs: Vec<ImageType>,
    steps: Vec<Step>,
}

impl Pipeline {
    /// Reads a function and its attribute.
    ///
    /// # Errors
    /// Everything that a pipeline can't have.
    pub fn read(attribute: &TokenStream, item: &TokenStream) -> Result<Pipeline, Vec<Diagnostic>> {
        let is_kind = |item: &syn::Item| matches!(item, syn::Item::Fn(_));
        let mut function =
            parse::read::<ItemFn>(item, messages::PIPELINE_NOT_A_FUNCTION, is_kind).map_err(|error| vec![error])?;
        function.attrs.retain(|attribute| !parse::is_attribute(attribute, "pipeline"));
        let mut found = Vec::new();
        if !attribute.is_empty() {
            found.push(messages::PIPELINE_OPTION.at(messages::Tokens(attribute), &[]));
        }
        let (parameters, outputs) = signature::read(&mut function, &mut found);
        if !found.is_empty() {
            return Err(found);
        }
        let steps = body::read(&function);
        Ok(Pipeline { function, parameters, outputs, steps })
    }

    /// Returns the paths of what it calls by `apply`, each once.
    pub fn paths(&self) -> Vec<&Path> {
        let mut paths: Vec<&Path> = Vec::new();
        for call in self.steps.iter().filter_map(Step::call) {
            if !paths.iter().any(|known| same(known, &call.path)) {
                paths.push(&call.path);
            }
        }
        paths
    }

    /// Returns the kernels that fuse calls, and the function that calls them, where there is something to fuse. `callees` are
    /// those of [`Pipeline::paths`], `None` for what is no kernel that can be fused; `is_kernel` says whether a function is a
    /// kernel that keeps all limits.
    pub fn fuse(&self, callees: &[Option<Callee>], is_kernel: &dyn Fn(&TokenStream) -> bool) -> Option<Fused> {
        let copies = self.copies(callees);
        let calls = self.known(&copies);
        let groups = groups::find(&self.steps, &calls);
        fused::write(&fused::parts(&self.steps, &calls, &groups, is_kernel))
    }

    /// For each statement the kernel that it calls, as one for elements of the types that are there.
    fn copies(&self, callees: &[Option<Callee>]) -> Vec<Option<Callee>> {
        let paths = self.paths();
        let mut elements: HashMap<String, Type> = HashMap::new();
        for parameter in &self.parameters {
            if let Parameter::Image(name, image) = parameter {
                elements.insert(name.to_string(), image.element.clone());
            }
        }
        let mut copy = |step: &Step| {
            let call = step.call()?;
            let callee = callees.get(paths.iter().position(|known| same(known, &call.path))?)?.as_ref()?;
            let element = |index: usize| elements.get(&groups::image(call.arguments.get(index)?)?.to_string()).cloned();
            let copy = callee.copy(call.ty.as_ref(), &element)?;
            let values = call.values.iter().zip(copy.elements());
            elements.extend(values.filter_map(|(value, element)| Some((value.as_ref()?.to_string(), element))));
            Some(copy)
        };
        self.steps.iter().map(&mut copy).collect()
    }

    /// For each statement the call of a kernel that can be part of another.
    fn known<'p>(&'p self, copies: &'p [Option<Callee>]) -> Vec<Option<groups::Known<'p>>> {
        let known = |(step, copy): (&'p Step, &'p Option<Callee>)| groups::Known::of(step.call()?, copy.as_ref()?);
        self.steps.iter().zip(copies).map(known).collect()
    }
}
