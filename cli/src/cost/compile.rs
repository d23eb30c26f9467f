//! Bodies through rustc: the assembly of each function, and programs of them.
//!
//! A body is compiled alone, in a crate that has nothing but the bodies and what they name: `Rows`, and the scalar
//! functions for what goes lane by lane. Many are cut into as many crates as there are processors.

use super::{body::Measured, error::CostError};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;
use windrow_backends::doors::assembly;
use windrow_runtime::code::ROWS_SOURCE;
use windrow_runtime::reference::SCALAR_SOURCE;

/// What bodies of an architecture are compiled for: AArch64 without a cross compiler or a C library of its own.
pub fn triple(architecture: Option<&str>) -> &'static str {
    match architecture {
        Some("x86_64") => "x86_64-unknown-linux-gnu",
        _ => "aarch64-unknown-linux-musl",
    }
}

/// A folder for what tools write, of a name that nobody can guess, gone with its value.
pub struct Folder(TempDir);

impl Folder {
    /// A new one of this name.
    pub fn new(name: &str) -> Result<Self, CostError> {
        let made = tempfile::Builder::new().prefix(&format!("windrow-{name}-")).tempdir();
        let action = "create a folder in";
        Ok(Self(made.map_err(|error| CostError::Io { action, path: std::env::temp_dir(), error })?))
    }

    /// A file of it.
    pub fn file(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file of it.
    pub fn write(&self, name: impl AsRef<Path>, text: &str) -> Result<PathBuf, CostError> {
        let path = self.file(name);
        match std::fs::write(&path, text) {
            Ok(()) => Ok(path),
            Err(error) => Err(CostError::Io { action: "write", path, error }),
        }
    }

    /// Reads a file of it.
    pub fn read(&self, name: impl AsRef<Path>) -> Result<String, CostError> {
        let path = self.file(name);
        std::fs::read_to_string(&path).map_err(|error| CostError::Io { action: "read", path, error })
    }
}

/// The bodies, each a public function of its own name, and what they name.
pub fn source(bodies: &[Measured]) -> String {
    let public = "\n#[unsafe(no_mangle)]\npub unsafe fn ";
    let texts = bodies.iter().map(|body| body.emitted.text.replace("\nunsafe fn ", public));
    let bodies: String = texts.collect();
    format!(
        "#![allow(warnings)]\nextern crate self as windrow;\npub mod __rt {{\npub use rows::*;\nmod rows {{\n{ROWS_SOURCE}\n}}\n\
         pub mod scalar {{\n{SCALAR_SOURCE}\n}}\n}}\n{bodies}"
    )
}

/// The assembly of all bodies, which are for one target.
pub fn assembly(bodies: &[Measured]) -> Result<String, CostError> {
    let triple = triple(bodies.first().and_then(|body| body.target.architecture));
    has_target(triple)?;
    let folder = Folder::new("cost")?;
    let parts = std::thread::available_parallelism().map_or(1, usize::from);
    let size = bodies.len().div_ceil(parts).max(1);
    let folder = &folder;
    std::thread::scope(|scope| {
        let part = |(index, part): (usize, &'_ [Measured])| {
            let text = source(part);
            scope.spawn(move || part_assembly(triple, folder, index, &text))
        };
        let running: Vec<_> = bodies.chunks(size).enumerate().map(part).collect();
        let done =
            running.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        done.collect::<Result<Vec<_>, _>>().map(|parts| parts.concat())
    })
}

fn part_assembly(triple: &str, folder: &Folder, index: usize, text: &str) -> Result<String, CostError> {
    let source = folder.write(format!("part{index}.rs"), text)?;
    let result = format!("part{index}.s");
    let mut command = compiler(triple);
    command.args(["--crate-type", "lib", "--emit", "asm"]).arg("-o").arg(folder.file(&result)).arg(source);
    accepted(run(&mut command)?)?;
    folder.read(&result)
}

/// rustc for a target, as in a release build.
pub fn compiler(triple: &str) -> Command {
    let mut command = rustc();
    command.args(["--edition", "2024", "--target", triple, "--cfg", "feature=\"std\""]);
    command.args(["-C", "opt-level=3", "-C", "codegen-units=1"]);
    command
}

/// A compiler's messages as an error, where it failed.
pub fn accepted(output: Output) -> Result<(), CostError> {
    if output.status.success() {
        return Ok(());
    }
    Err(CostError::Refused(String::from_utf8_lossy(&output.stderr).into_owned()))
}

/// The version of rustc: counts are those of one.
pub fn version() -> Result<String, CostError> {
    Ok(String::from_utf8_lossy(&run(rustc().arg("--version"))?.stdout).trim().to_owned())
}

/// The instructions of a body's main loop.
pub fn main_loop(text: &str, body: &Measured) -> Result<Vec<String>, CostError> {
    let lines = assembly::main_loop(text, &body.function);
    if lines.is_empty() {
        return Err(CostError::NoLoop(body.kernel.clone()));
    }
    Ok(lines.into_iter().map(str::to_owned).collect())
}

fn has_target(triple: &'static str) -> Result<(), CostError> {
    let output = run(rustc().args(["--print", "target-libdir", "--target", triple]))?;
    let folder = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if output.status.success() && Path::new(&folder).is_dir() { Ok(()) } else { Err(CostError::NoTarget(triple)) }
}

fn rustc() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

pub fn run(command: &mut Command) -> Result<Output, CostError> {
    let program = command.get_program().to_string_lossy().into_owned();
    command.output().map_err(|error| CostError::NoCompiler { program, error })
}
