//! NEON without an Arm processor: under QEMU, and by the instructions of its loops.

use xshell::{Cmd, cmd};

use crate::{
    context::Context,
    stages::programs::{self, Program},
};

/// Of the generated tests of bodies, one in so many runs where most of what it shows has been shown.
const SAMPLE: usize = 8;

/// Of QEMU's processors, cortex-a53 has no extension, cortex-a76 half floats and dot products, `max` every one.
///
/// NEON's bodies use no extension, which the tests show that run without any: all of them. With extensions, what asks for them can
/// change, the runtime and the atomics of Rust's library; so their tests run again, some of the bodies', and those of the bodies that
/// use dot products. Plain Rust has run on this machine, all of it; of how it is compiled for AArch64 a sample is enough. What is made
/// of altered files is decided by the same code on every processor.
pub fn neon(cx: &Context) -> anyhow::Result<()> {
    let programs = programs::built(cx, build(cx))?;
    let libraries = || programs.iter().filter(|program| program.is_of_library);
    let suite = programs.iter().filter(|program| program.is_named("suite"));
    let run = |on: Emulated, programs: &mut dyn Iterator<Item = &Program>, which: &[&str], least| {
        programs::run(cx, programs, |program| on.command(cx, program, which), least)
    };
    let [a53, a76, max] = ["cortex-a53", "cortex-a76", "max"].map(|processor| Emulated { processor });
    run(a53, &mut programs.iter(), &["--skip", "::scalar", "--skip", "mutated"], 300)?;
    let lists = libraries().map(|program| cx.read(max.command(cx, program, &["--list"])));
    let listed = lists.collect::<anyhow::Result<String>>()?;
    run(a53, &mut libraries(), &[&["--exact"], &sampled(&listed, "::scalar", 0)[..]].concat(), 50)?;
    for (on, first) in [(a76, 0), (max, SAMPLE / 2)] {
        let which = [&["--exact"], &others(&listed)[..], &sampled(&listed, "::neon", first)].concat();
        run(on, &mut libraries(), &which, 200)?;
    }
    // Their tests are ignored in a program that another machine has built.
    run(a76, &mut libraries(), &["--include-ignored", "::dotprod"], 5)?;
    // Its thousand pipelines take as long as all other tests of the suite, and have run.
    run(max, &mut suite.into_iter(), &["--skip", "soak::"], 150)
}

/// Of a list of tests, all but the generated ones.
fn others(listed: &str) -> Vec<&str> {
    names(listed).filter(|name| !is_generated(name)).collect()
}

/// Of a list of tests, some of the generated ones whose names end so: from `first` on.
fn sampled<'l>(listed: &'l str, end: &str, first: usize) -> Vec<&'l str> {
    let bodies = names(listed).filter(|name| is_generated(name) && name.ends_with(end));
    bodies.skip(first).step_by(SAMPLE).collect()
}

fn names(listed: &str) -> impl Iterator<Item = &str> {
    listed.lines().filter_map(|line| line.strip_suffix(": test"))
}

/// Whether a test lies in the module that is written for a kernel.
fn is_generated(name: &str) -> bool {
    name.rsplit("::").nth(1).is_some_and(|module| module.starts_with("test_"))
}

/// One selection of packages: with another one cargo would build them again.
fn build<'c>(cx: &'c Context) -> Cmd<'c> {
    cmd!(
        cx.shell,
        "cargo test --target aarch64-unknown-linux-musl --package windrow-reference --package windrow-runtime
            --package windrow-testing --package windrow-operators --package windrow-graph
            --package windrow-hand-written-tests --tests --no-run --message-format json-render-diagnostics"
    )
}

/// A processor of QEMU's.
#[derive(Clone, Copy)]
struct Emulated {
    processor: &'static str,
}

impl Emulated {
    /// A program's command, with some of its tests.
    fn command<'c>(self, cx: &'c Context, program: &Program, which: &[&str]) -> Cmd<'c> {
        let (Self { processor }, tests) = (self, &program.path);
        cmd!(cx.shell, "qemu-aarch64-static -cpu {processor} {tests} {which...}").env("WINDROW_REQUIRE", "neon,scalar")
    }
}

pub fn counts(cx: &Context) -> anyhow::Result<()> {
    cx.test(cmd!(cx.shell, "cargo test --workspace --all-features --test counts -- --include-ignored --nocapture"), 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_sampled_and_other_tests_run_whole() {
        let bodies: String = (0..20).map(|k| format!("filter::test_f{k}::neon: test\n")).collect();
        let rest = "filter::test_f0::scalar: test\ntier::tests::ignored: test\ntests::bench: benchmark\n\n3 tests\n";
        let listed = bodies + rest;
        let names = ["filter::test_f0::neon", "filter::test_f8::neon", "filter::test_f16::neon"];
        assert_eq!(sampled(&listed, "::neon", 0), names);
        assert_eq!(sampled(&listed, "::neon", 4), ["filter::test_f4::neon", "filter::test_f12::neon"]);
        assert_eq!(sampled(&listed, "::scalar", 0), ["filter::test_f0::scalar"]);
        assert_eq!(others(&listed), ["tier::tests::ignored"]);
    }

    #[test]
    fn tests_in_the_module_of_a_kernel_are_generated() {
        assert!(is_generated("filter::box3x3::test_box3x3::neon"));
        assert!(!is_generated("tier::tests::test_of_a_name"));
    }
}
