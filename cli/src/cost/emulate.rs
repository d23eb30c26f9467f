//! Bodies run under `qemu-aarch64`, with a plugin (`count.c`) that counts what they execute: exact, and the same each time.
//!
//! One program holds all bodies. It calls each on rows of three lengths, between two instructions that only the plugin
//! knows. What a row of twice the length executes more is the loop's.

use super::{body::Measured, compile, compile::Folder, error::CostError};
use std::path::Path;
use std::process::{Command, Output};

const PLUGIN: &str = include_str!("count.c");
const RUNNER: &str = include_str!("runner.rs");

/// The emulator: its static build loads no plugins.
const EMULATOR: &str = "qemu-aarch64";
/// A processor without SVE, so that no library chooses code for it.
const PROCESSOR: &str = "cortex-a76";

/// The columns of a real row.
const ROW: u32 = 1920;
/// Steps of the shorter of two rows that are compared.
const STEPS: u32 = 40;

/// What a body executes for one element.
#[derive(Debug)]
pub struct Executed {
    /// In the loop over whole steps.
    pub steps: Instructions,
    /// Instructions for whole rows of 1920 elements, with all that is around the loop.
    pub whole_rows: f64,
}

/// Numbers of instructions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instructions {
    /// All.
    pub instructions: f64,
    /// That read memory.
    pub loads: f64,
    /// That write memory.
    pub stores: f64,
}

/// Runs all bodies.
pub fn run(bodies: &[Measured]) -> Result<Vec<Executed>, CostError> {
    if let Some(other) = bodies.iter().find(|body| body.target.architecture != Some("aarch64")) {
        return Err(CostError::NoProcessor(other.target.name));
    }
    let folder = Folder::new("emulate")?;
    let (plugin, counts) = (folder.file("count.so"), folder.file("counts.txt"));
    let source = folder.write("count.c", PLUGIN)?;
    let mut cc = Command::new("cc");
    finished("cc", "gcc", cc.args(["-O2", "-shared", "-fPIC", "-o"]).args([&plugin, &source]))?;

    let program = folder.file("bodies");
    let source = folder.write("bodies.rs", &program_text(bodies))?;
    let mut compiler = compile::compiler(compile::triple(None));
    // Rust's own linker, and its own C library: no cross compiler is needed.
    compiler.args(["-C", "linker=rust-lld", "-C", "link-self-contained=yes", "-C", "linker-flavor=ld.lld"]);
    compile::accepted(compile::run(compiler.args(["--crate-type", "bin", "-o"]).args([&program, &source]))?)?;

    let option = format!("{},out={}", plugin.display(), counts.display());
    let mut emulator = Command::new(EMULATOR);
    let command = emulator.args(["-cpu", PROCESSOR, "-plugin", &option]).arg(&program);
    let output = finished(EMULATOR, "qemu-user", command)?;
    let lines = read_counts(&folder, &counts)?;
    if lines.len() != 3 * bodies.len() {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(CostError::NotEmulated { program: EMULATOR, text });
    }
    Ok(bodies.iter().zip(lines.chunks_exact(3)).map(|(body, lines)| executed(body, lines)).collect())
}

/// From the counts of a real row, a short one, and one of twice its length.
fn executed(body: &Measured, lines: &[[f64; 3]]) -> Executed {
    let (columns, rows) = (body.emitted.columns, body.emitted.rows);
    let elements = f64::from(columns * STEPS * rows);
    let [instructions, loads, stores] = std::array::from_fn(|kind| (lines[2][kind] - lines[1][kind]) / elements);
    Executed { steps: Instructions { instructions, loads, stores }, whole_rows: lines[0][0] / f64::from(ROW * rows) }
}

/// The bodies, how they are called, and what calls them.
fn program_text(bodies: &[Measured]) -> String {
    let case = |body: &Measured| {
        let (rows, step) = (&body.rows, body.emitted.columns);
        let widths = [ROW.max(body.emitted.lanes), step * STEPS, step * STEPS * 2];
        format!(
            "    Case {{ run: {}, inputs: {}, views: &{:?}, outputs: {}, element: {}, tables: &{:?}, words: {}, widths: \
             {widths:?} }},\n",
            body.function, rows.inputs, rows.views, rows.outputs, rows.element, rows.tables, rows.words
        )
    };
    let cases: String = bodies.iter().map(case).collect();
    format!("{}\n{RUNNER}\nstatic CASES: &[Case] = &[\n{cases}];\n", compile::source(bodies))
}

fn read_counts(folder: &Folder, path: &Path) -> Result<Vec<[f64; 3]>, CostError> {
    let text = folder.read(path)?;
    let line = |line: &str| {
        let mut numbers = line.split_whitespace().map(str::parse::<f64>);
        let mut next = || numbers.next()?.ok();
        Some([next()?, next()?, next()?])
    };
    Ok(text.lines().filter_map(line).collect())
}

fn finished(program: &'static str, package: &'static str, command: &mut Command) -> Result<Output, CostError> {
    let output = command.output().map_err(|error| CostError::NoEmulator { program, package, error })?;
    if output.status.success() {
        return Ok(output);
    }
    let text = format!("{}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    Err(CostError::NotEmulated { program, text })
}
