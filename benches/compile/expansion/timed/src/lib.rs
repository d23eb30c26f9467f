//! `#[kernel]` that writes nothing, but what it takes to expand: a line `build, function, milliseconds` for each build into
//! the file that `WINDROW_EXPANSIONS` names. Only in the compiler are tokens the compiler's.
//!
//! Times are those of this thread on its processor, the least of several: other work on the machine only adds to one.

use proc_macro::{TokenStream, TokenTree};
use std::io::Write;
use windrow_backends::host::{self, Architecture, Build, Kind, expand_kernel_for};

/// How often each kernel is expanded.
const ROUNDS: usize = 20;

/// What kernels are compiled for: without OpenCL, as the facade is by itself, and with it.
const BUILDS: [(&str, Build); 4] = [
    ("x86-64", Build { architecture: Architecture::One("x86_64"), has_opencl: false, features: &[] }),
    ("AArch64", Build { architecture: Architecture::One("aarch64"), has_opencl: false, features: &[] }),
    ("x86-64 and OpenCL", Build { architecture: Architecture::One("x86_64"), has_opencl: true, features: &[] }),
    ("AArch64 and OpenCL", Build { architecture: Architecture::One("aarch64"), has_opencl: true, features: &[] }),
];

/// Times the attribute of the same name.
#[proc_macro_attribute]
pub fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    if let Err(error) = measure(&attribute, &item) {
        eprintln!("windrow-bench-timed: {error}");
        std::process::exit(2);
    }
    TokenStream::new()
}

fn measure(attribute: &TokenStream, item: &TokenStream) -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::var_os("WINDROW_EXPANSIONS").ok_or("WINDROW_EXPANSIONS names no file")?;
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path)?;
    for (title, build) in BUILDS {
        let mut least = f64::INFINITY;
        for _ in 0..ROUNDS {
            let before = milliseconds();
            let written = host::attribute(Kind::Kernel, attribute.clone().into(), item.clone().into());
            drop(TokenStream::from(written));
            let expanded = expand_kernel_for(build, attribute.clone().into(), item.clone().into());
            drop(TokenStream::from(expanded));
            least = least.min(milliseconds() - before);
        }
        writeln!(file, "{title}\t{}\t{least:.2}", name(item))?;
    }
    Ok(())
}

/// The name behind `fn`.
fn name(item: &TokenStream) -> String {
    let mut tokens = item.clone().into_iter();
    let is_fn = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word.to_string() == "fn");
    tokens.by_ref().find(is_fn).and_then(|_| tokens.next()).map_or(String::new(), |token| token.to_string())
}

/// Milliseconds that this thread has run.
fn milliseconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is one to write to; for a clock that there is nothing else can go wrong.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}
