//! What one kernel may ask of a run: limits of the runtime and of the targets, as mistakes at the author's own tokens.

use super::spec;
use crate::targets::refuse_scalar;
use windrow_dsl::{CompiledKernel, diagnostic::Diagnostic, ir::Parameter, optimise::Prepared};
use windrow_reference::limits::{MAX_ARGUMENTS, MAX_BODIES, MAX_WORDS};

/// Everything in which a kernel goes beyond what can be run.
pub fn check(compiled: &CompiledKernel, prepared: &Prepared) -> Vec<Diagnostic> {
    let kernel = &compiled.kernel;
    let mut found = refuse_scalar(kernel, prepared);
    let spans = [
        ("images", kernel.inputs.iter().map(|input| input.span).collect::<Vec<_>>()),
        ("tables", kernel.tables.iter().map(|table| table.span).collect()),
        ("variants", kernel.variants.iter().map(|variant| variant.span).collect()),
        ("outputs", vec![kernel.span; kernel.outputs.len()]),
    ];
    for (what, places) in spans {
        if let Some(&place) = places.get(MAX_ARGUMENTS) {
            let message = format!("a kernel has at most {MAX_ARGUMENTS} {what}, and this one has {}", places.len());
            found.push(Diagnostic::at(place, message, "interleave channels as pixels `[u8; 4]`, or write two kernels"));
        }
    }
    let words = spec::uniform_words(kernel) + prepared.derive.words.len() as u32;
    if words as usize > MAX_WORDS {
        let last = kernel.parameters.iter().rev().find_map(|parameter| match parameter {
            Parameter::Uniform(id) => Some(kernel.uniforms[id.0 as usize].span),
            Parameter::Input(_) | Parameter::Table(_) | Parameter::Variant(_) => None,
        });
        let message = format!(
            "a run holds {MAX_WORDS} scalars of uniforms and of what is derived from them; this kernel has {words}"
        );
        let help = "pass what is long as a `Table`, or write two kernels";
        found.push(Diagnostic::at(last.unwrap_or(kernel.span), message, help));
    }
    if prepared.bodies.len() > MAX_BODIES {
        let message = format!(
            "variants and optional outputs make {} bodies of this kernel; {MAX_BODIES} are the most",
            prepared.bodies.len()
        );
        let place = kernel.variants.last().map_or(kernel.span, |variant| variant.span);
        found.push(Diagnostic::at(place, message, "write two kernels, or make a variant a `#[uniform]` and select"));
    }
    found
}
