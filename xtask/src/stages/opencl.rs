//! OpenCL programs in a simulator, in another compiler, and on another driver.

use std::path::Path;

use anyhow::{Context as _, ensure};
use serde_json::Value;
use xshell::{Cmd, cmd};

use crate::{
    context::Context,
    needs::OCLGRIND_LIBRARY,
    stages::programs::{self, Program},
};

/// Every kernel and border at awkward shapes, in a simulator that reports accesses outside a buffer. It knows one thread.
pub fn oclgrind(cx: &Context) -> anyhow::Result<()> {
    let folder = cx.shell.create_temp_dir()?;
    let log = folder.path().join("log");
    let programs = programs::built(cx, tests_of_operators(cx))?;
    let command = |program: &Program| {
        let tests = &program.path;
        cmd!(cx.shell, "{tests} ::opencl --test-threads=1")
            .env("OPENCL_DYLIB_PATH", OCLGRIND_LIBRARY)
            .env("OCLGRIND_LOG", &log)
            // Its LLVM folds shifts into `llvm.fshl` on vectors, which its interpreter lacks. Unoptimised programs also keep
            // the accesses that an optimiser would prove dead.
            .env("OCLGRIND_BUILD_OPTIONS", "-cl-opt-disable")
            .env("WINDROW_REQUIRE", "opencl")
    };
    programs::run(cx, [programs::kernels(&programs)?], command, 40)?;
    let reports = std::fs::read_to_string(&log).unwrap_or_default();
    ensure!(reports.is_empty(), "Oclgrind reports:\n{reports}");
    Ok(())
}

/// Every program that the operators' build script writes; those of floats in every precision.
pub fn clang(cx: &Context) -> anyhow::Result<()> {
    let messages = cx.messages(tests_of_operators(cx))?;
    let written = messages.iter().filter_map(written_programs).next_back();
    let folder = Path::new(written.context("cargo does not say that it ran the operators' build script")?);
    let mut files: Vec<_> = cx.shell.read_dir(folder)?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "cl"));
    let mut halves = 0;
    for file in &files {
        let text = cx.shell.read_file(file)?;
        check_syntax(cx, file, &[])?;
        // Of two texts over images, a run takes the one that its border's constant asks for.
        if file.to_string_lossy().ends_with(".image.cl") {
            check_syntax(cx, file, &["-DWINDROW_CONSTANT"])?;
        }
        if text.contains("WINDROW_F16_STORAGE") {
            let stored = "-DWINDROW_F16_STORAGE";
            check_syntax(cx, file, &[stored])?;
            check_syntax(cx, file, &[stored, "-DWINDROW_F16", "-Xclang", "-cl-ext=+cl_khr_fp16"])?;
            halves += 1;
        }
        if text.contains("WINDROW_DIVIDE") {
            check_syntax(cx, file, &["-DWINDROW_DIVIDE"])?;
        }
    }
    cx.say(&format!("{} programs, {halves} of them in every precision", files.len()))?;
    ensure!(files.len() > 50 && halves > 3, "there should be more programs in {}", folder.display());
    Ok(())
}

fn check_syntax(cx: &Context, file: &Path, options: &[&str]) -> anyhow::Result<()> {
    let command = cmd!(
        cx.shell,
        "clang -x cl -cl-std=CL1.2 -target spir64 -fsyntax-only -Xclang -finclude-default-header -Wall -Werror
            -Wno-unused-function {options...} {file}"
    );
    cx.run(command)
}

/// Builds the generated tests of the operators as the stage `host` does.
fn tests_of_operators<'c>(cx: &'c Context) -> Cmd<'c> {
    let kernels = programs::KERNELS;
    cmd!(
        cx.shell,
        "cargo test --workspace --all-features --test {kernels} --no-run --message-format json-render-diagnostics"
    )
}

/// Where the operators' build script has written its programs, if a message of cargo says so.
fn written_programs(message: &Value) -> Option<&str> {
    let is_script = message["reason"] == "build-script-executed";
    let package = message["package_id"].as_str().unwrap_or_default();
    message["out_dir"].as_str().filter(|_| is_script && package.contains("/operators#"))
}

/// Intel's driver for processors rounds division as it likes, and computes in halves where the processor does.
pub fn intel(cx: &Context) -> anyhow::Result<()> {
    ensure!(cfg!(target_arch = "x86_64"), "Intel's driver is for x86-64");
    let folder = cx.target_folder().join("intel-opencl");
    install_intel(cx, &folder)?;
    // Only this driver is found.
    let _vendors = cx.shell.push_env("OCL_ICD_VENDORS", folder.join("vendors"));
    let _libraries = cx.shell.push_env("LD_LIBRARY_PATH", folder.join("lib"));
    let _required = cx.shell.push_env("WINDROW_REQUIRE", "opencl");
    let programs = programs::of_workspace(cx)?;
    let command = |program: &Program| {
        let tests = &program.path;
        cmd!(cx.shell, "{tests} opencl")
    };
    programs::run(cx, programs.iter().filter(|program| program.is_of_library), command, 40)?;
    let skipped =
        ["::avx2", "::avx512", "::digest", "::neon", "::scalar", "::sse41"].map(|name| ["--skip", name]).concat();
    let command = cmd!(
        cx.shell,
        "cargo test --workspace --all-features --no-fail-fast
            --test facade --test images --test opencl --test opencl_programs --test precision -- --nocapture {skipped...}"
    );
    // A test of precision names each device and says whether it computes in halves.
    let mut ran = false;
    cx.follow(command, |line| ran |= line.contains("in halves: Intel") || line.contains("not run: Intel"))?;
    ensure!(ran, "Intel's driver did not run");
    Ok(())
}

fn install_intel(cx: &Context, folder: &Path) -> anyhow::Result<()> {
    if !folder.join("bin/python").exists() {
        cx.run(cmd!(cx.shell, "python3 -m venv {folder}"))?;
    }
    let pip = folder.join("bin/pip");
    let packages = [
        "intel-opencl-rt==2026.2.0",
        "intel-cmplr-lib-rt==2026.2.0",
        "intel-cmplr-lic-rt==2026.2.0",
        "tbb==2023.2.0",
        "tcmlib==1.6.0",
    ];
    cx.run(cmd!(cx.shell, "{pip} install --quiet --disable-pip-version-check {packages...}"))?;
    let library = folder.join("lib/libintelocl.so");
    Ok(cx.shell.write_file(folder.join("vendors/intel.icd"), format!("{}\n", library.display()))?)
}
