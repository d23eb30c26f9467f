//! Times what the attribute does for each kernel of Rust files, as Cargo builds macros (without optimisation), and counts the
//! calls of intrinsics that come of it: `windrow-bench-expansion FILE …` prints a line of tab-separated figures a kernel.
//!
//! Times are those of this thread on its processor, so that other work on the machine counts little.

use proc_macro2::TokenStream;
use quote::ToTokens;
use std::process::ExitCode;
use windrow_backends::{host, targets::CPU};
use windrow_dsl::{compile_file, optimise::prepare};

/// How often each kernel is expanded: the system counts a thread's time in steps of some milliseconds.
const ROUNDS: usize = 10;

fn main() -> ExitCode {
    println!("kernel\tms\tneon\tx86\tbytes\titem");
    for file in std::env::args().skip(1) {
        if let Err(error) = measure(&file) {
            eprintln!("{file}: {error}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn measure(file: &str) -> Result<(), Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(file)?;
    for item in syn::parse_file(&text)?.items {
        let syn::Item::Fn(mut function) = item else { continue };
        let Some(place) = function.attrs.iter().position(|attribute| attribute.path().is_ident("kernel")) else {
            continue;
        };
        let whole = function.to_token_stream().to_string();
        let options = match function.attrs.remove(place).meta {
            syn::Meta::List(list) => list.tokens,
            syn::Meta::Path(_) | syn::Meta::NameValue(_) => TokenStream::new(),
        };
        let tokens = function.to_token_stream();
        let mut bytes = 0;
        let before = milliseconds()?;
        for _ in 0..ROUNDS {
            bytes = host::expand_kernel(options.clone(), tokens.clone()).to_string().len();
        }
        let each = (milliseconds()? - before) / ROUNDS as f64;
        let [neon, x86] = calls(&whole);
        println!("{}\t{each:.2}\t{neon}\t{x86}\t{bytes}\t{whole}", function.sig.ident);
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
            let bodies = targets().flat_map(|target| target.bodies(kernel, &prepared));
            bodies.map(|body| intrinsics(&body.text)).sum::<usize>()
        };
        let count = kernels.len().max(1);
        kernels.iter().map(|compiled| of(&compiled.kernel)).sum::<usize>() / count
    })
}

/// The calls of `v…` and `_mm…` in a body.
fn intrinsics(text: &str) -> usize {
    let calls = text.match_indices('(').map(|(place, _)| {
        let before = &text[..place];
        // `vshrn_n_u16::<4>(` is a call of vshrn_n_u16.
        let before = before.strip_suffix('>').and_then(|rest| rest.rsplit_once("::<")).map_or(before, |(name, _)| name);
        before.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default()
    });
    calls.filter(|name| name.starts_with("_mm") || name.starts_with('v') && name.contains('_')).count()
}

/// Milliseconds that this thread has run.
fn milliseconds() -> std::io::Result<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds = text.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
    Ok(nanoseconds.unwrap_or(f64::NAN) / 1e6)
}
