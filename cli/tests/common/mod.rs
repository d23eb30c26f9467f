//! What the tests of the command share: the command itself, and the operators' files.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs the command.
pub fn windrow(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_windrow")).args(arguments).output().unwrap()
}

/// The operator library's files that have kernels.
pub fn operators() -> Vec<PathBuf> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../operators/src");
    let folders = entries(&sources).into_iter().filter(|path| path.is_dir());
    let mut files: Vec<PathBuf> = folders.flat_map(|folder| entries(&folder)).collect();
    // Functions over several operators have no kernel of their own.
    files.retain(|file| std::fs::read_to_string(file).unwrap().contains("#[kernel"));
    assert!(files.len() > 25);
    files
}

/// What is in a folder, by name.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// Whether bodies can be compiled for AArch64 here, and these programs are there; said aloud where not.
pub fn has_tools(programs: &[&str]) -> bool {
    let target = "aarch64-unknown-linux-musl";
    let rustc = Command::new("rustc").args(["--print", "target-libdir", "--target", target]).output();
    let has_target = rustc.is_ok_and(|output| Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir());
    let has_programs = programs.iter().all(|program| Command::new(program).arg("--version").output().is_ok());
    if !has_target || !has_programs {
        eprintln!("not run: needs the Rust target {target} and {programs:?}");
    }
    has_target && has_programs
}
