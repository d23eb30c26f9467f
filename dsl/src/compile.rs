//! The pipeline: what the doors call, phase by phase.

use crate::analyse;
use crate::diagnostic::Diagnostic;
use crate::infer::{self, Types};
use crate::ir::Facts;
use crate::ir::{Kernel, Type, check, with_fault};
use crate::library::Library;
use crate::messages;
use crate::pipeline::Pipeline;
use crate::syntax::{Ends, HandWritten, KernelItem, Unit};
use crate::{keep, lower, parse, refuse, signature, witness};
use proc_macro2::TokenStream;

/// What an attribute's item becomes.
pub struct Compiled {
    /// What stands in the item's place: the author's own tokens, without windrow's attributes. A function with `types`
    /// stands in its copies instead; of an item with mistakes only the names stand.
    pub items: TokenStream,
    /// The kernels; empty where there are errors.
    pub kernels: Vec<CompiledKernel>,
    /// The mistakes; empty where there are none.
    pub errors: Vec<Diagnostic>,
}

/// One kernel, proved.
pub struct CompiledKernel {
    /// Its signature and its bodies.
    pub kernel: Kernel,
    /// The same function with the inferred types written in, for a `const _`.
    pub witness: TokenStream,
    /// With `types`: this copy's function, behind `type T = ..;`.
    pub copy: Option<TokenStream>,
    /// The function's visibility.
    pub visibility: syn::Visibility,
    /// Where the function stands.
    pub ends: Ends,
    /// Bodies that the author wrote by hand, in place of a target's own.
    pub hand_written: Vec<HandWritten>,
}

/// Compiles a function with its attribute.
///
/// ```
/// let item = "pub fn half(#[uniform(1..=8)] by: u8, a: u8) -> u8 { a / by }".parse()?;
/// let compiled = windrow_dsl::compile_kernel("step(32, 1)".parse()?, item);
/// assert!(compiled.errors.is_empty());
/// assert_eq!(compiled.items.to_string(), "# [allow (clippy :: all)] pub fn half (by : u8 , a : u8) -> u8 { a / by }");
/// # Ok::<(), proc_macro2::LexError>(())
/// ```
pub fn compile_kernel(attribute: TokenStream, item: TokenStream) -> Compiled {
    let mut compiled = Compiled::new(keep::item(item.clone()));
    compiled.unit(parse::kernel(attribute.clone(), item.clone()));
    if !compiled.errors.is_empty() {
        compiled.items = refuse::kernel(&attribute, item);
    }
    if compiled.kernels.iter().any(|kernel| kernel.copy.is_some()) {
        compiled.items = TokenStream::new();
    }
    compiled
}

/// Compiles a module of kernels.
pub fn compile_module(attribute: TokenStream, item: TokenStream) -> Compiled {
    let mut compiled = Compiled::new(keep::item(item.clone()));
    compiled.unit(parse::module(attribute, item.clone()));
    if !compiled.errors.is_empty() {
        compiled.items = refuse::module(item.clone());
    }
    if compiled.kernels.iter().any(|kernel| kernel.copy.is_some())
        && let Ok(module) = syn::parse2(item)
    {
        compiled.items = keep::module_without_copies(module);
    }
    compiled
}

/// Compiles every kernel of a Rust file, in order, those in plain modules too; they use helpers of the same file. No items are kept: the
/// file stays.
///
/// ```
/// let compiled = windrow_dsl::compile_file("#[kernel] fn sum(a: u8, b: u8) -> u8 { a + b }");
/// assert_eq!(compiled.errors[0].message, "`a + b` can overflow u8");
/// assert_eq!(compiled.errors[0].start.start().column, 41);
/// ```
pub fn compile_file(source: &str) -> Compiled {
    compile_file_with(source, &Library::new([source], |_| Vec::new()))
}

/// Compiles every kernel of a Rust file, as [`compile_file`] does; they use helpers of a library.
pub fn compile_file_with(source: &str, library: &Library<'_>) -> Compiled {
    let mut compiled = Compiled::new(TokenStream::new());
    let mut mistakes = Vec::new();
    match parse::file(source) {
        Ok(items) => {
            let bound = library.bound(source, items, &mut mistakes);
            parse::units(&bound).into_iter().for_each(|unit| compiled.unit(unit));
        }
        Err(error) => mistakes.push(error),
    }
    for (attribute, item) in parse::pipelines(source) {
        mistakes.extend(Pipeline::read(&attribute, &item).err().unwrap_or_default());
    }
    compiled.add_in_order(mistakes);
    compiled
}

impl Compiled {
    fn new(items: TokenStream) -> Self {
        Self { items, kernels: Vec::new(), errors: Vec::new() }
    }

    /// Compiles the kernels of a unit; where one is wrong, none of them is kept.
    fn unit(&mut self, unit: Result<Unit, Vec<Diagnostic>>) {
        let before = self.errors.len();
        match unit {
            Ok(unit) => {
                let mut first = true;
                for item in &unit.kernels {
                    for copy in copies(item) {
                        let copy = copy.as_ref().map(|(name, ty)| (name.as_str(), *ty));
                        match compile(&unit, item, copy, std::mem::take(&mut first)) {
                            Ok(kernel) => self.kernels.push(kernel),
                            Err(errors) => errors.into_iter().for_each(|error| self.report(noted(error, copy))),
                        }
                    }
                }
            }
            Err(errors) => errors.into_iter().for_each(|error| self.report(error)),
        }
        if self.errors.len() > before {
            self.kernels.clear();
            self.errors[before..].sort_by_key(|error| {
                let start = error.start.start();
                (start.line, start.column)
            });
        }
    }

    /// Adds mistakes of a file, and keeps each once: what is wrong with a helper is found where it is defined, and where it is used.
    fn add_in_order(&mut self, mistakes: Vec<Diagnostic>) {
        let place = |error: &Diagnostic| (error.start.start().line, error.start.start().column);
        self.errors.extend(mistakes);
        self.errors.sort_by_key(place);
        self.errors.dedup_by(|a, b| a.message == b.message && place(a) == place(b));
        if !self.errors.is_empty() {
            self.kernels.clear();
        }
    }

    /// Adds a mistake; copies and bodies of one kernel may find the same one.
    fn report(&mut self, error: Diagnostic) {
        let same = |other: &Diagnostic| {
            other.message == error.message && format!("{:?}", other.start) == format!("{:?}", error.start)
        };
        if !self.errors.iter().any(same) {
            self.errors.push(error);
        }
    }
}

/// The copies of a function: one for each of its `types`, or itself.
fn copies(item: &KernelItem) -> Vec<Option<(String, Type)>> {
    match &item.attribute.types {
        Some(list) => list.types.iter().map(|(ty, _)| Some((list.name.to_string(), *ty))).collect(),
        None => vec![None],
    }
}

fn noted(error: Diagnostic, copy: Option<(&str, Type)>) -> Diagnostic {
    match copy {
        Some((name, ty)) => error.note(format!("in the copy with `{name} = {}`", ty.name())),
        None => error,
    }
}

/// One copy of one kernel, phase by phase.
fn compile(
    unit: &Unit,
    item: &KernelItem,
    copy: Option<(&str, Type)>,
    first: bool,
) -> Result<CompiledKernel, Vec<Diagnostic>> {
    let types = infer::infer(unit, item, copy)?;
    let mut kernel = signature::signature(unit, item, &types, copy)?;
    lower_bodies(unit, item, &types, &mut kernel)?;
    let ((), fault) = with_fault(|| kernel.bodies.iter().for_each(|body| check(&kernel, body, "lowering")));
    if let Some(fault) = fault {
        return Err(vec![Diagnostic::fault(kernel.span, &fault)]);
    }
    neighbourhoods(item, &mut kernel)?;
    kernel.facts = prove(&kernel)?;
    Ok(CompiledKernel {
        witness: witness::kernel(unit, item, &types, copy, first),
        copy: copy.zip(item.tokens.clone()).map(|((name, ty), tokens)| keep::copy(tokens, name, ty)),
        visibility: item.visibility.clone(),
        ends: item.ends,
        hand_written: item.attribute.hand_written.clone(),
        kernel,
    })
}

/// One body for each choice of the variants, the last variant fastest.
fn lower_bodies(unit: &Unit, item: &KernelItem, types: &Types, kernel: &mut Kernel) -> Result<(), Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut bodies = Vec::new();
    for choice in choices(kernel) {
        match lower::lower(unit, item, types, kernel, &choice) {
            Ok(body) => bodies.push(body),
            Err(found) => errors.extend(found),
        }
    }
    kernel.bodies = bodies;
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

fn choices(kernel: &Kernel) -> Vec<Vec<u32>> {
    let mut choices = vec![Vec::new()];
    for variant in &kernel.variants {
        let values = 0..variant.values.len() as u32;
        choices = choices.iter().flat_map(|choice| values.clone().map(|v| [&choice[..], &[v]].concat())).collect();
    }
    choices
}

/// What each input's neighbourhood is: what its taps reach, or what the author declared.
fn neighbourhoods(item: &KernelItem, kernel: &mut Kernel) -> Result<(), Vec<Diagnostic>> {
    let declared = item.attribute.neighbourhood;
    for (index, input) in kernel.inputs.iter_mut().enumerate().filter(|(_, input)| input.is_neighbourhood) {
        for node in kernel.bodies.iter().flat_map(|body| &body.nodes) {
            if let Some(tap) = node.op.tap()
                && tap.input.0 as usize == index
            {
                input.neighbourhood.include(tap);
            }
        }
        if let Some(declared) = declared {
            input.neighbourhood = declared.extent;
        }
    }
    match declared {
        Some(declared) if kernel.inputs.iter().all(|input| !input.is_neighbourhood) => {
            Err(vec![messages::NEIGHBOURHOOD_WITHOUT_INPUT.at(declared.span, &[])])
        }
        Some(_) | None => Ok(()),
    }
}

/// Proves every body.
fn prove(kernel: &Kernel) -> Result<Vec<Facts>, Vec<Diagnostic>> {
    let mut facts = Vec::new();
    let mut errors = Vec::new();
    for body in &kernel.bodies {
        let (found, mistakes) = analyse::prove(kernel, body);
        facts.push(found);
        errors.extend(mistakes);
    }
    if errors.is_empty() { Ok(facts) } else { Err(errors) }
}
