//! Counts what the attribute writes for each kernel of Rust files: `windrow-bench-expansion FILE …` prints a line of JSON a
//! kernel: its name, calls of intrinsics for each architecture, bytes, and the function as its author wrote it, line by line.
//!
//! What the attribute takes is measured in the compiler, by `timed`.

use proc_macro2::TokenStream;
use quote::ToTokens;
use std::process::ExitCode;
use syn::spanned::Spanned;
use windrow_backends::{doors::instructions::intrinsics, host, targets::CPU};
use windrow_dsl::{compile_file, library::Library, optimise::prepare};

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    // One that can't be read is told when it is measured.
    let texts: Vec<String> = files.iter().map(|file| std::fs::read_to_string(file).unwrap_or_default()).collect();
    let library = Library::new(texts.iter().map(String::as_str), |_| Vec::new());
    for file in files {
        if let Err(error) = measure(&file, &library) {
            eprintln!("{file}: {error}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn measure(file: &str, library: &Library<'_>) -> Result<(), Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(file)?;
    for item in library.items(&text) {
        let syn::Item::Fn(mut function) = item else { continue };
        let Some(place) = function.attrs.iter().position(|attribute| attribute.path().is_ident("kernel")) else {
            continue;
        };
        // With helpers in its body it is in no file.
        let uses_helpers = text[function.span().byte_range()].contains("uses(");
        let whole = match uses_helpers {
            true => function.to_token_stream().to_string(),
            false => text[function.span().byte_range()].to_owned(),
        };
        let options = match function.attrs.remove(place).meta {
            syn::Meta::List(list) => list.tokens,
            syn::Meta::Path(_) | syn::Meta::NameValue(_) => TokenStream::new(),
        };
        let tokens = function.to_token_stream();
        let bytes = host::expand_kernel(options, tokens).to_string().len();
        let [neon, x86] = calls(&whole);
        let kernel = function.sig.ident.to_string();
        println!("{}", serde_json::json!({ "kernel": kernel, "neon": neon, "x86": x86, "bytes": bytes, "item": whole }));
    }
    Ok(())
}

/// The calls of intrinsics in all bodies of a function's kernels, for each architecture.
fn calls(item: &str) -> [usize; 2] {
    let kernels = compile_file(item).kernels;
    ["aarch64", "x86_64"].map(|architecture| {
        let targets = || CPU.iter().filter(|target| target.architecture == Some(architecture));
        let of = |kernel: &windrow_dsl::ir::Kernel| {
            let prepared = prepare(kernel);
            let bodies = targets().flat_map(|target| target.bodies(kernel, &prepared).unwrap_or_default());
            bodies.map(|body| intrinsics(&body.text)).sum::<usize>()
        };
        let count = kernels.len().max(1);
        kernels.iter().map(|compiled| of(&compiled.kernel)).sum::<usize>() / count
    })
}
