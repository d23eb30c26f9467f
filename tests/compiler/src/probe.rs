//! One input against the compiler: an answer in time, with a way out of every mistake, and text that can be read.

use allocation_counter::measure;
use proc_macro2::TokenStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use windrow_dsl::diagnostic::Diagnostic;
use windrow_dsl::library::Library;

/// How far an input came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// Refused before the analyses.
    Refused,
    /// Analysed, and refused by the proof.
    Analysed,
    /// Accepted.
    Accepted,
}

/// Compiles an input; where it is accepted and `emits`, writes everything that a kernel becomes, too. Gives how far it came,
/// and the allocations of its compilation, which say how much work it was whatever else the machine does.
///
/// # Errors
/// What the compiler did that it must not do.
pub fn probe(source: &str, emits: bool) -> Result<(Reached, u64), String> {
    let mut compiled = None;
    let work = measure(|| compiled = catch_unwind(|| windrow_dsl::compile_file(source)).ok());
    let compiled = compiled.ok_or("it panics")?;
    if let Some(error) = compiled.errors.iter().find(|error| error.help.is_empty() || error.message.contains("{0}")) {
        return Err(format!("no help: {}", error.text()));
    }
    let proof = |error: &Diagnostic| error.notes.iter().any(|note| note.contains(" in "));
    let reached = match (compiled.errors.is_empty(), compiled.kernels.is_empty()) {
        (true, false) => Reached::Accepted,
        (true, true) => Reached::Refused,
        (false, _) if compiled.errors.iter().any(proof) => Reached::Analysed,
        (false, _) => Reached::Refused,
    };
    if emits && reached == Reached::Accepted {
        emit(source)?;
    }
    Ok((reached, work.count_total))
}

/// What the macro writes must be Rust, and hold no error.
fn emit(source: &str) -> Result<(), String> {
    for item in Library::new([source], |_| Vec::new()).items(source) {
        let expanded = match item {
            syn::Item::Fn(mut function) => {
                let Some(options) = take(&mut function.attrs, "kernel") else { continue };
                expand(|| windrow_backends::host::expand_kernel(options, quote::quote!(#function)))?
            }
            syn::Item::Mod(mut module) => {
                let Some(options) = take(&mut module.attrs, "kernels") else { continue };
                expand(|| windrow_backends::host::expand_module(options, quote::quote!(#module)))?
            }
            _ => continue,
        };
        let text = expanded.to_string();
        if text.contains("compile_error") {
            return Err(format!("accepted, then refused by the emitters: {text}"));
        }
        syn::parse2::<syn::File>(expanded).map_err(|error| format!("it writes what is no Rust: {error}"))?;
    }
    Ok(())
}

fn expand(expand: impl FnOnce() -> TokenStream) -> Result<TokenStream, String> {
    catch_unwind(AssertUnwindSafe(expand)).map_err(|_| "an emitter panics".to_owned())
}

/// Takes an attribute away; its options.
fn take(attributes: &mut Vec<syn::Attribute>, name: &str) -> Option<TokenStream> {
    let at = attributes.iter().position(|attribute| attribute.path().is_ident(name))?;
    match attributes.remove(at).meta {
        syn::Meta::List(list) => Some(list.tokens),
        syn::Meta::Path(_) | syn::Meta::NameValue(_) => Some(TokenStream::new()),
    }
}
