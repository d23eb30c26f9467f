//! The runtime's tests, built once with every mistake and run for each.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The tests that must see a mistake, the quickest first; before them all, the units.
const TESTS: [&str; 22] = [
    "tiles",
    "tall",
    "many",
    "small",
    "volumes",
    "paths",
    "embed",
    "text",
    "refuse",
    "traps",
    "window",
    "tensor",
    "padding",
    "borders",
    "tiling",
    "execute",
    "dense",
    "canaries",
    "schedule",
    "guard",
    "aligned",
    "side_by_side",
];
/// A test that takes so much longer than without a mistake turns in circles.
const PATIENCE: u32 = 5;

/// A test binary, and how long it may take.
pub struct Test {
    binary: PathBuf,
    limit: Duration,
}

/// Builds the tests, and runs each once without a mistake.
pub fn build(folder: &Path) -> Vec<Test> {
    let mut command = Command::new("cargo");
    command.current_dir(folder).args(["test", "--package", "windrow-runtime", "--no-run", "--lib"]);
    for test in TESTS {
        command.args(["--test", test]);
    }
    // The folder keeps the build, and its binaries are looked for there.
    let output = command.env_remove("CARGO_TARGET_DIR").env("RUSTFLAGS", "-A warnings").output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}");
    let binaries: Vec<PathBuf> = text
        .lines()
        .filter_map(|line| Some(folder.join(line.split_once("Executable")?.1.split_once('(')?.1.strip_suffix(')')?)))
        .collect();
    let named = |name: &str| {
        let is = |path: &&PathBuf| path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name));
        binaries.iter().find(is).unwrap_or_else(|| panic!("no test {name}:\n{text}")).clone()
    };
    ["windrow_runtime-".to_owned()]
        .into_iter()
        .chain(TESTS.map(|test| format!("{test}-")))
        .map(|name| Test::new(named(&name)))
        .collect()
}

impl Test {
    fn new(binary: PathBuf) -> Self {
        let mut test = Self { binary, limit: Duration::from_secs(300) };
        let started = Instant::now();
        assert!(test.run(None), "{} fails without a mistake", test.binary.display());
        // A test that waits for the other processor takes twice as long.
        test.limit = started.elapsed() * PATIENCE + Duration::from_secs(2);
        test
    }

    /// Whether it passes with this mistake.
    pub fn passes(&self, mutant: usize) -> bool {
        self.run(Some(mutant))
    }

    fn run(&self, mutant: Option<usize>) -> bool {
        let mut command = Command::new(&self.binary);
        if let Some(number) = mutant {
            command.env("WINDROW_MUTANT", number.to_string());
        }
        // It reads sources, and these are changed.
        command.args(["--skip", "every_public_data_type_is_tested_here"]);
        // As cargo runs it: in its package.
        command.current_dir(self.binary.ancestors().nth(4).unwrap().join("runtime"));
        command.env("PROPTEST_FAILURE_PERSISTENCE", "off").env("PROPTEST_MAX_SHRINK_ITERS", "0");
        let command = command.env("RUST_BACKTRACE", "0").stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let started = Instant::now();
        loop {
            match child.try_wait().unwrap() {
                Some(status) => return status.success(),
                None if started.elapsed() > self.limit => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return false;
                }
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        }
    }
}
