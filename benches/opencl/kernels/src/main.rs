//! Writes the programs of kernels into a folder, as a build script would: `windrow-bench-kernels SOURCE OUT`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [source, out] = arguments.as_slice() else {
        eprintln!("usage: windrow-bench-kernels SOURCE OUT");
        return ExitCode::from(2);
    };
    if let Err(error) = std::fs::create_dir_all(out) {
        eprintln!("{out}: {error}");
        return ExitCode::from(2);
    }
    windrow_backends::doors::Build::new().source(source).out_dir(out).run_or_exit();
    ExitCode::SUCCESS
}
