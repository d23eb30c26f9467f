//! Cycles of loops on processors, by the models of LLVM: `llvm-mca` runs a loop many times on data in the first cache.
//!
//! What it leaves out: caches, branches that go elsewhere, the fetch of instructions. On machines where both were measured
//! it is right within a quarter.

use super::{compile::Folder, error::CostError};
use std::process::Command;

/// The first LLVM whose figures are in the documentation: older ones take another processor's model for neoverse-n1.
const OLDEST_MODELS: u32 = 19;

const NO_MODELS: CostError = CostError::NoModels { oldest: OLDEST_MODELS };

/// The processors of an architecture. LLVM 19 takes cortex-a72's model for a cortex-a76; that of neoverse-n1 is nearer.
fn cores(architecture: &str) -> [&'static str; 4] {
    match architecture {
        "x86_64" => ["cascadelake", "icelake-server", "sapphirerapids", "znver4"],
        _ => ["cortex-a55", "cortex-a72", "neoverse-n1", "neoverse-v1"],
    }
}

/// What Debian calls it, newest first, and its own name.
const NAMES: [&str; 5] = ["llvm-mca-22", "llvm-mca-21", "llvm-mca-20", "llvm-mca-19", "llvm-mca"];

const ITERATIONS: u32 = 200;

/// The cycles of one step of each loop, for each processor of an architecture.
pub fn of(architecture: &str, loops: &[Vec<String>]) -> Result<Vec<(&'static str, Vec<f64>)>, CostError> {
    let program = program().ok_or(NO_MODELS)?;
    let folder = Folder::new("cycles")?;
    let region = |(place, lines): (usize, &Vec<String>)| {
        format!("# LLVM-MCA-BEGIN loop{place}\n{}\n# LLVM-MCA-END\n", lines.join("\n"))
    };
    let text: String = loops.iter().enumerate().map(region).collect();
    let file = folder.write("loops.s", &text)?;
    std::thread::scope(|scope| {
        let model = |core: &'static str| {
            let mut command = Command::new(program);
            command.args([&format!("-mtriple={architecture}"), &format!("-mcpu={core}")]);
            command.arg(format!("-iterations={ITERATIONS}"));
            command.args(["-instruction-info=false", "-resource-pressure=false"]).arg(&file);
            scope.spawn(move || cycles(core, &mut command, loops.len()).map(|cycles| (core, cycles)))
        };
        let running = cores(architecture).map(model);
        let done =
            running.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        done.collect()
    })
}

fn cycles(core: &'static str, command: &mut Command, loops: usize) -> Result<Vec<f64>, CostError> {
    let output = command.output().map_err(|_| NO_MODELS)?;
    let found = totals(&String::from_utf8_lossy(&output.stdout));
    if !output.status.success() || found.len() != loops {
        return Err(CostError::NoCycles { core, text: String::from_utf8_lossy(&output.stderr).into_owned() });
    }
    Ok(found)
}

/// The cycles of each region, for one iteration.
fn totals(report: &str) -> Vec<f64> {
    let totals = report.lines().filter_map(|line| line.strip_prefix("Total Cycles:")?.trim().parse::<f64>().ok());
    totals.map(|cycles| cycles / f64::from(ITERATIONS)).collect()
}

/// The newest llvm-mca that is not too old.
fn program() -> Option<&'static str> {
    NAMES.into_iter().find(|name| {
        let output = Command::new(name).arg("--version").output();
        output.is_ok_and(|output| major(&String::from_utf8_lossy(&output.stdout)).is_some_and(|it| it >= OLDEST_MODELS))
    })
}

/// `LLVM version 19.1.7`.
fn major(version: &str) -> Option<u32> {
    let (_, rest) = version.split_once("LLVM version ")?;
    rest.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read() {
        let report = "[0] Code Region - 0\n\nIterations:        200\nInstructions:      600\nTotal Cycles:      406\n\n\
                      [1] Code Region - 1\n\nTotal Cycles:      1000\n";
        assert_eq!(totals(report), [2.03, 5.0]);
        assert_eq!(major("Debian LLVM version 19.1.7\n  Optimized build."), Some(19));
        assert_eq!(major("nothing"), None);
    }
}
