//! Runs the test binary that this is once more: what a whole process obeys or survives is tested in a child.

use std::{
    env, io,
    process::{Command, Output},
};

/// Starts this binary with what `prepare` adds, and waits for it.
///
/// An emulated process starts a binary that the machine itself can't run; the emulator is then the one that cargo runs
/// tests with.
pub fn run_again(prepare: impl Fn(&mut Command)) -> io::Result<Output> {
    let binary = env::current_exe()?;
    let mut alone = Command::new(&binary);
    prepare(&mut alone);
    alone.output().or_else(|_| {
        let runner = env::var("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_RUNNER");
        let runner = runner.unwrap_or_else(|_| "qemu-aarch64-static -cpu max".into());
        let mut words = runner.split_whitespace();
        let mut emulated = Command::new(words.next().unwrap_or("qemu-aarch64-static"));
        prepare(emulated.args(words).arg(&binary));
        emulated.output()
    })
}
