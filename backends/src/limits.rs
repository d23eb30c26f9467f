//! What one kernel may ask of a run and of a compiler: limits of the runtime and of the targets, as mistakes at the author's
//! own tokens. Every door asks here, so that all of them accept the same kernels.

use crate::host::uniform_words;
use crate::rows;
use crate::targets::{most_texts, refuse_scalar};
use proc_macro2::TokenStream;
use windrow_dsl::{
    CompiledKernel,
    diagnostic::Diagnostic,
    ir::{Kernel, Parameter, with_fault},
    optimise::{Prepared, prepare},
};
use windrow_reference::limits::{MAX_ARGUMENTS, MAX_BODIES, MAX_WORDS};

/// Values of all texts of a function: choices of variants, subsets of outputs, `types` and the tiers of an architecture
/// together. Each becomes a statement or two, and rustc takes minutes for more.
const MAX_VALUES: usize = 500_000;

/// The bodies of kernels that keep all limits; what goes beyond them is found before the work is done, as far as it can be.
///
/// # Errors
/// Everything in which the kernels go beyond what can be run.
pub fn prepared(kernels: &[CompiledKernel]) -> Result<Vec<Prepared>, Vec<Diagnostic>> {
    let mut found: Vec<Diagnostic> = kernels.iter().flat_map(|compiled| arguments(&compiled.kernel)).collect();
    found.extend(kernels.iter().flat_map(|compiled| rows::refuse(&compiled.kernel)));
    found.extend(too_many_values(kernels));
    if !found.is_empty() {
        return Err(found);
    }
    let mut prepared: Vec<Prepared> = Vec::with_capacity(kernels.len());
    for CompiledKernel { kernel, .. } in kernels {
        let ((), fault) = with_fault(|| {
            let bodies = prepare(kernel);
            found.extend(refuse_scalar(kernel, &bodies));
            found.extend(too_many_words(kernel, &bodies));
            prepared.push(bodies);
        });
        found.extend(fault.map(|fault| Diagnostic::fault(kernel.span, &fault)));
    }
    if found.is_empty() { Ok(prepared) } else { Err(found) }
}

/// Whether a module holds kernels that keep all rules and limits.
pub fn is_kernel(module: &TokenStream) -> bool {
    let compiled = windrow_dsl::compile_module(TokenStream::new(), module.clone());
    compiled.errors.is_empty() && prepared(&compiled.kernels).is_ok()
}

/// What a signature asks for.
fn arguments(kernel: &Kernel) -> Vec<Diagnostic> {
    let mut found = Vec::new();
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
    let bodies = kernel.bodies.len().saturating_mul(subsets(kernel));
    if bodies > MAX_BODIES {
        let message =
            format!("variants and optional outputs make {bodies} bodies of this kernel; {MAX_BODIES} are the most");
        let help = "write two kernels, or make a variant a `#[uniform]` and select";
        found.push(Diagnostic::at(choices(kernel), message, help));
    }
    found
}

/// Subsets of outputs that can be asked for.
fn subsets(kernel: &Kernel) -> usize {
    let optional = kernel.outputs.iter().filter(|output| output.optional).count();
    let all = 1usize.checked_shl(optional as u32).unwrap_or(usize::MAX);
    // At least one is written.
    if optional == kernel.outputs.len() { all - 1 } else { all }
}

/// Where an author multiplies bodies.
fn choices(kernel: &Kernel) -> proc_macro2::Span {
    kernel.variants.last().map_or(kernel.span, |variant| variant.span)
}

/// Functions whose copies and bodies together are too long in the texts of all tiers.
fn too_many_values(kernels: &[CompiledKernel]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for copies in kernels.chunk_by(|a, b| a.kernel.function == b.kernel.function) {
        let values = |kernel: &Kernel| {
            kernel.bodies.iter().map(|body| body.nodes.len()).sum::<usize>().saturating_mul(subsets(kernel))
        };
        let values = copies.iter().map(|copy| values(&copy.kernel)).fold(0, usize::saturating_add);
        let texts = most_texts();
        let written = values.saturating_mul(texts);
        if written > MAX_VALUES {
            let kernel = &copies[0].kernel;
            let bodies: usize = copies.iter().map(|copy| copy.kernel.bodies.len() * subsets(&copy.kernel)).sum();
            let message = format!(
                "variants, optional outputs and types make {bodies} bodies with {values} values of `{}`: {written} in {texts} \
                 texts, plain Rust's and those of an architecture's tiers, and {MAX_VALUES} are the most that rustc \
                 compiles in reasonable time",
                kernel.function
            );
            let help = "write two kernels, name fewer `types`, or make a variant a `#[uniform]` and select";
            found.push(Diagnostic::at(choices(kernel), message, help));
        }
    }
    found
}

fn too_many_words(kernel: &Kernel, prepared: &Prepared) -> Option<Diagnostic> {
    let words = uniform_words(kernel) + prepared.derive.words.len() as u32;
    let last = kernel.parameters.iter().rev().find_map(|parameter| match parameter {
        Parameter::Uniform(id) => Some(kernel.uniforms[id.0 as usize].span),
        Parameter::Input(_) | Parameter::Table(_) | Parameter::Variant(_) | Parameter::Place(_) => None,
    });
    let message = format!(
        "a run holds {MAX_WORDS} scalars of uniforms and of what is derived from them; this kernel has {words}"
    );
    let help = "pass what is long as a `Table`, or write two kernels";
    (words as usize > MAX_WORDS).then(|| Diagnostic::at(last.unwrap_or(kernel.span), message, help))
}

#[cfg(test)]
mod tests {
    use super::*;
    use allocation_counter::measure;
    use windrow_dsl::ir::{Access, Affine, AxisId, InputId, Op, image_place};

    fn messages(source: &str) -> Vec<String> {
        let compiled = windrow_dsl::compile_file(source);
        assert!(compiled.errors.is_empty(), "{}", compiled.errors[0].message);
        let refused = prepared(&compiled.kernels).err().unwrap_or_default();
        refused.into_iter().map(|diagnostic| diagnostic.message).collect()
    }

    /// What a variant chooses: a value, or its inverse.
    fn choice(value: &str, place: u32) -> String {
        format!("let {value} = match v{place} {{ Overflow::Wrap => {value}, Overflow::Saturate => !{value} }};")
    }

    #[test]
    fn bodies_are_counted_before_they_are_made() {
        let variants: String = (0..6).map(|place| format!("#[variant] v{place}: Overflow, ")).collect();
        let outputs: Vec<String> = (0..8).map(|place| format!("o{place}?")).collect();
        let (types, values) = (["u8"; 8].join(", "), ["x"; 8].join(", "));
        let uses: String = (0..6).map(|place| choice("x", place)).collect();
        let outputs = outputs.join(", ");
        let source =
            format!("#[kernel(output({outputs}))] pub fn k(x: u8, {variants}) -> ({types}) {{ {uses} ({values}) }}");
        let compiled = windrow_dsl::compile_file(&source);
        let mut refused = Vec::new();
        let work = measure(|| refused = prepared(&compiled.kernels).err().unwrap_or_default());
        let messages: Vec<&str> = refused.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
        assert_eq!(messages, ["variants and optional outputs make 16320 bodies of this kernel; 64 are the most"]);
        assert!(work.count_total < 100, "{} allocations", work.count_total);
    }

    #[test]
    fn accesses_that_no_target_can_address_are_refused() {
        let mut compiled = windrow_dsl::compile_file("#[kernel] fn k(src: u8) -> u8 { !src }");
        let [y, x] = image_place((1, 1));
        let places = [
            ([x.clone(), y.clone()], "x, y"),
            ([Affine::new(&[], 0), x.clone()], "0, x"),
            ([y.clone(), Affine::axis(AxisId::X, -1)], "y, -x"),
            ([y.clone(), Affine::axis(AxisId::X, 2)], "y, 2·x"),
            ([y, x.plus(1 << 40)], "y, x + 1099511627776"),
        ];
        for (place, shown) in places {
            compiled.kernels[0].kernel.bodies[0].nodes[0].op = Op::Load(Access::new(InputId(0), 0, place));
            let refused = prepared(&compiled.kernels).err().unwrap_or_default();
            let messages: Vec<&str> = refused.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
            assert_eq!(messages, [format!("`src` is read at [{shown}], which no target can address")]);
        }
    }

    #[test]
    fn copies_and_bodies_together_have_a_limit() {
        let variants: String = (0..6).map(|place| format!("#[variant] v{place}: Overflow, ")).collect();
        let uses: String = (0..6).map(|place| choice("s", place)).collect();
        let kernel = |types: &str, turns: u32| {
            format!(
                "#[kernel(types(T = {types}))] pub fn k(x: T, {variants}) -> T {{ let s = {{ let mut s = x; for i in \
                 0..{turns} {{ s = !s ^ (x >> 1); }} s }}; {uses} s }}"
            )
        };
        assert!(messages(&kernel("u8, i8, u16, i16, u32, i32", 20)).is_empty());
        let refused = messages(&kernel("u8, i8, u16, i16, u32, i32", 200));
        assert!(refused.len() == 1 && refused[0].contains("make 384 bodies with"), "{refused:?}");
    }

    /// The values of all texts, and the token that is underlined.
    fn too_long(source: &str) -> Option<(usize, String)> {
        let compiled = windrow_dsl::compile_file(source);
        assert!(compiled.errors.is_empty(), "{}", compiled.errors[0].message);
        let refused = prepared(&compiled.kernels).err()?.remove(0);
        let written = refused.message.split("`: ").nth(1)?.split(' ').next()?.parse().ok()?;
        Some((written, refused.start.source_text()?))
    }

    #[test]
    fn a_text_that_is_too_long_is_shown_where_the_author_multiplies_it() {
        // Two values a turn and body, and what each body reads.
        let kernel = |attribute: &str, ty: &str, variants: &str, turns: u32| {
            format!(
                "#[kernel{attribute}] pub fn long_one(x: {ty}{variants}) -> {ty} {{ let mut s = x; for i in 0..{turns} {{ s = \
                 !(s ^ x); }} s }}"
            )
        };
        let variants: String = (0..6).map(|place| format!(", #[variant] v{place}: Overflow")).collect();
        let of_variants = |turns| too_long(&kernel("", "u8", &variants, turns));
        let least = (100_000 / 64 - 2) / 2;
        assert_eq!(of_variants(least - 1), None);
        let (written, token) = of_variants(least + 2).unwrap();
        assert!((500_001..502_000).contains(&written), "{written}");
        assert_eq!(token, "v5");
        let types = "(types(T = u8, i8, u16, i16, u32, i32))";
        let (_, token) = too_long(&kernel(types, "T", &variants[..2 * variants.len() / 6], 5000)).unwrap();
        assert_eq!(token, "v1");
    }
}
