//! NEON without an Arm processor: under QEMU, and by the instructions of its loops.

use xshell::{Cmd, cmd};

use crate::{
    context::Context,
    stages::programs::{self, Program},
};

/// Of the generated tests of bodies, one in so many runs on a processor whose extensions no body uses.
const SAMPLE: usize = 8;

/// Of QEMU's processors, cortex-a53 has no extension, cortex-a76 half floats and dot products, `max` every one.
///
/// NEON's bodies use no extension, which the tests show that run without any: all of them, in full. With extensions, what asks for
/// them can change, the runtime and the atomics of Rust's library; so their tests run again, some of the bodies', and those of the
/// bodies that use dot products.
pub fn neon(cx: &Context) -> anyhow::Result<()> {
    let programs = programs::built(cx, build(cx))?;
    let libraries = || programs.iter().filter(|program| program.is_of_library);
    let suite = programs.iter().filter(|program| program.is_named("suite"));
    let run = |on: Emulated, programs: &mut dyn Iterator<Item = &Program>, which: &[&str], least| {
        programs::run(cx, programs, |program| on.command(cx, program, which), least)
    };
    let [full, a53, a76, max] =
        [("cortex-a53", "full"), ("cortex-a53", "quick"), ("cortex-a76", "quick"), ("max", "quick")]
            .map(|(processor, mode)| Emulated { processor, mode });
    run(full, &mut programs.iter(), &["--skip", "::scalar"], 300)?;
    run(a53, &mut libraries(), &["::scalar"], 40)?;
    let lists = libraries().map(|program| cx.read(max.command(cx, program, &["--list"])));
    let listed = lists.collect::<anyhow::Result<String>>()?;
    for (on, first) in [(a76, 0), (max, SAMPLE / 2)] {
        run(on, &mut libraries(), &[&["--exact"], &sampled(&listed, first)[..]].concat(), 200)?;
    }
    // Their tests are ignored in a program that another machine has built.
    let of_dot_products = ["--include-ignored", "::dotprod"];
    run(Emulated { mode: "full", ..a76 }, &mut libraries(), &of_dot_products, 5)?;
    // Its thousand pipelines take as long as all other tests of the suite, and have run.
    run(max, &mut suite.into_iter(), &["--skip", "soak::"], 150)
}

/// Of a list of tests, all but the generated ones, and some of these that run NEON: from `first` on.
fn sampled(listed: &str, first: usize) -> Vec<&str> {
    let names = listed.lines().filter_map(|line| line.strip_suffix(": test"));
    let (generated, mut others): (Vec<&str>, Vec<&str>) = names.partition(|name| is_generated(name));
    let bodies = generated.into_iter().filter(|name| name.ends_with("::neon"));
    others.extend(bodies.skip(first).step_by(SAMPLE));
    others
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

/// A processor of QEMU's, and how many cases of each kernel run on it.
#[derive(Clone, Copy)]
struct Emulated {
    processor: &'static str,
    mode: &'static str,
}

impl Emulated {
    /// A program's command, with some of its tests.
    fn command<'c>(self, cx: &'c Context, program: &Program, which: &[&str]) -> Cmd<'c> {
        let (Self { processor, mode }, tests) = (self, &program.path);
        cmd!(cx.shell, "qemu-aarch64-static -cpu {processor} {tests} {which...}")
            .env("WINDROW_TEST", mode)
            .env("WINDROW_REQUIRE", "neon,scalar")
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
        let others = "filter::test_f0::scalar: test\ntier::tests::ignored: test\ntests::bench: benchmark\n\n3 tests\n";
        let listed = bodies + others;
        let names =
            ["tier::tests::ignored", "filter::test_f0::neon", "filter::test_f8::neon", "filter::test_f16::neon"];
        assert_eq!(sampled(&listed, 0), names);
        assert_eq!(sampled(&listed, 4)[1..], ["filter::test_f4::neon", "filter::test_f12::neon"]);
    }

    #[test]
    fn tests_in_the_module_of_a_kernel_are_generated() {
        assert!(is_generated("filter::box3x3::test_box3x3::neon"));
        assert!(!is_generated("tier::tests::test_of_a_name"));
    }
}
