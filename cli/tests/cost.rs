//! `windrow cost`: what it prints, what it compares with, and what it says where a tool is missing.

mod common;

use common::{has_tools, windrow};
use std::path::{Path, PathBuf};
use std::process::Command;

const COLUMNS: &str = "
#[kernel]
pub fn blur(src: Neighbourhood<u8>) -> u8 {
    ((src.at(-1, 0) as u16 + 2 * src.at(0, 0) as u16 + src.at(1, 0) as u16) / 4) as u8
}

#[kernel(output(dx?, dy?))]
pub fn slope(src: Neighbourhood<u8>, #[variant] policy: Overflow) -> (i16, i16) {
    let (dx, dy) = (src.at(1, 0) as i32 - src.at(-1, 0) as i32, src.at(0, 1) as i32 - src.at(0, -1) as i32);
    match policy {
        Overflow::Wrap => (dx.wrapping_cast(), dy.wrapping_cast()),
        Overflow::Saturate => (dx.saturating_cast(), dy.saturating_cast()),
    }
}
";

/// The same blur, and one more row of it.
const TALLER: &str = "
#[kernel]
pub fn blur(src: Neighbourhood<u8>) -> u8 {
    let row = |y| src.at(-1, y) as u16 + 2 * src.at(0, y) as u16 + src.at(1, y) as u16;
    ((row(0) + row(1)) / 8) as u8
}
";

/// A file in a folder of the test's own.
fn file(test: &str, name: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn printed(arguments: &[&str]) -> String {
    let output = windrow(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_line_tells_what_a_kernel_costs() {
    if !has_tools(&["llvm-mca-19"]) {
        return;
    }
    let path = file("line", "ops.rs", COLUMNS);
    let text = printed(&["cost", path.to_str().unwrap(), "--kernel", "blur", "--show"]);
    let line: Vec<&str> = text.lines().find(|line| line.starts_with("blur ")).unwrap().split_whitespace().collect();
    let head: Vec<&str> =
        text.lines().next().unwrap().split("  ").map(str::trim).filter(|word| !word.is_empty()).collect();
    assert_eq!(head.len(), line.len(), "{text}");
    let figure = |name: &str| line[head.iter().position(|found| *found == name).unwrap()].parse::<f64>().unwrap();
    assert!((6.0..16.0).contains(&figure("instructions")), "{text}");
    assert!(figure("floor") <= figure("instructions") && figure("bytes") == 2.0 && figure("lanes") == 16.0, "{text}");
    let sum = ["operations", "loads", "stores", "control"].map(figure).iter().sum::<f64>();
    assert!((sum - figure("instructions")).abs() < 0.03, "{text}");
    assert!(figure("neoverse-v1") < figure("neoverse-n1") && figure("neoverse-n1") < figure("cortex-a55"), "{text}");
    assert!(!text.contains("slope") && text.contains("ushr") | text.contains("shrn"), "{text}");
}

#[test]
fn kernels_that_are_not_counted_are_named() {
    let total = "#[kernel] pub fn total([y]: At<1>, src: View<u8>) -> u32 {
            let [_, width] = src.extents(); let mut sum = 0u32;
            for x in 0..width { sum = sum.wrapping_add(src[[y.min(0), x]] as u32); } sum }";
    let path = file("uncounted", "ops.rs", &format!("{COLUMNS}\n{total}"));
    let text = printed(&["cost", path.to_str().unwrap(), "--counts-only"]);
    let left_out: Vec<&str> = text.lines().filter(|line| line.starts_with("not counted: ")).collect();
    assert!(left_out.len() == 1 && left_out[0].starts_with("not counted: total: what an element costs"), "{text}");
    // Where none is counted, that is an error, and it names them too.
    let output = windrow(&["cost", path.to_str().unwrap(), "--kernel", "total", "--counts-only"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && text.contains("\nnot counted: total: what an element costs"), "{text}");
}

#[test]
fn every_body_is_counted_as_it_is_executed() {
    if !has_tools(&["cc", "qemu-aarch64"]) {
        return;
    }
    let path = file("bodies", "ops.rs", COLUMNS);
    let text = printed(&["cost", path.to_str().unwrap(), "--all-bodies", "--emulate", "--counts-only", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    let bodies = report["bodies"].as_array().unwrap();
    let names: Vec<&str> = bodies.iter().map(|body| body["body"].as_str().unwrap()).collect();
    assert!(names.contains(&"policy = Saturate, only dy") && names.len() == 7, "{names:?}");
    for body in bodies {
        assert_eq!(body["instructions"], body["emulated"]["instructions"], "{body}");
        assert!(body["emulated"]["whole_rows"].as_f64() > body["instructions"].as_f64(), "{body}");
    }
}

#[test]
fn a_cost_is_compared_with_another() {
    if !has_tools(&[]) {
        return;
    }
    let path = file("against", "ops.rs", TALLER);
    let other = file("against", "before.rs", COLUMNS);
    let (path, other) = (path.to_str().unwrap(), other.to_str().unwrap());
    let text = printed(&["cost", path, "--counts-only", "--against", other]);
    assert!(text.contains("by\n") && text.contains("blur") && text.contains("slope"), "{text}");
    assert!(
        text.lines().any(|line| line.starts_with("blur ") && line.contains("instructions") && line.contains("%")),
        "{text}"
    );
    assert!(text.contains("is gone"), "{text}");
    let saved = file("against", "saved.json", &printed(&["cost", path, "--counts-only", "--json"]));
    let text = printed(&["cost", path, "--counts-only", "--against", saved.to_str().unwrap()]);
    assert!(text.contains("no difference"), "{text}");
}

#[test]
fn a_cost_is_compared_with_a_commit() {
    if !has_tools(&["git"]) {
        return;
    }
    // Of no run before.
    let _ = std::fs::remove_dir_all(Path::new(env!("CARGO_TARGET_TMPDIR")).join("commit"));
    let path = file("commit", "ops.rs", COLUMNS);
    let git = |arguments: &[&str]| {
        let folder = path.parent().unwrap();
        let author = ["-c", "user.name=n", "-c", "user.email=e", "-C", folder.to_str().unwrap()];
        let output = Command::new("git").args(author).args(arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    git(&["init", "--quiet"]);
    git(&["add", "ops.rs"]);
    git(&["commit", "--quiet", "--message", "first"]);
    std::fs::write(&path, TALLER).unwrap();
    let text = printed(&["cost", path.to_str().unwrap(), "--counts-only", "--against", "HEAD"]);
    assert!(text.contains("blur") && text.contains("is gone"), "{text}");
}

#[test]
fn what_is_missing_is_named_with_its_remedy() {
    if !has_tools(&[]) {
        return;
    }
    let path = file("missing", "ops.rs", TALLER);
    let path = path.to_str().unwrap();
    let run = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_windrow"));
        let output = command.args(["cost", path]).args(arguments).envs(variables.iter().copied()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let compiler = run(&[], &[("RUSTC", "no-such-compiler")]);
    assert!(compiler.contains("cannot run `no-such-compiler`") && compiler.contains("install Rust"), "{compiler}");
    let target = run(&[], &[("RUSTC", "true")]);
    assert!(target.contains("rustup target add aarch64-unknown-linux-musl"), "{target}");
    let rustc = PathBuf::from(
        String::from_utf8(Command::new("rustc").args(["--print", "sysroot"]).output().unwrap().stdout).unwrap().trim(),
    );
    let rustc = rustc.join("bin/rustc");
    let nothing = [("PATH", "/nowhere"), ("RUSTC", rustc.to_str().unwrap())];
    let models = run(&[], &nothing);
    assert!(models.contains("apt-get install llvm-19"), "{models}");
    let processor = run(&["--counts-only", "--emulate", "--target", "avx2"], &[]);
    assert!(processor.contains("runs NEON's bodies alone") && processor.contains("avx2"), "{processor}");
    let emulator = run(&["--counts-only", "--emulate"], &nothing);
    assert!(emulator.contains("cannot run `cc`") && emulator.contains("apt-get install gcc"), "{emulator}");
    let block = run(&["--block", "wide"], &[]);
    assert!(block.contains("`wide` is no block"), "{block}");
    let partial = run(&["--block", "17,4"], &[]);
    assert!(partial.contains("give a multiple of 16, such as 32,4"), "{partial}");
    let against = run(&["--counts-only", "--against", "no-such-commit"], &[]);
    assert!(against.contains("`no-such-commit` is no Rust file"), "{against}");
    let unread = run(&["--counts-only", "--against", file("missing", "broken.json", "{").to_str().unwrap()], &[]);
    assert!(unread.contains("broken.json"), "{unread}");
}
