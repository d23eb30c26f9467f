//! What stages need on the machine, how to see whether it is there, and where it comes from.

use std::{path::Path, process::Command};

/// The nightly toolchain, which only Miri and the sanitizers need.
pub const NIGHTLY_NAME: &str = "nightly";

/// Something that is installed once.
pub struct Need {
    /// What it is, in a few words.
    pub name: &'static str,
    probe: Probe,
    /// What `cargo xtask setup` installs.
    pub source: Source,
}

/// How to see whether something is there.
enum Probe {
    /// A program in `PATH`.
    Program(&'static str),
    /// One of these programs in `PATH`.
    Programs(&'static [&'static str]),
    /// These files, whichever folder of the loader they are in.
    Files(&'static [&'static [&'static str]]),
    /// A command that succeeds.
    Command(&'static [&'static str]),
    /// A line of what a command prints.
    Line(&'static [&'static str], &'static str),
}

/// Where something comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Packages of Debian and of what is derived from it.
    Apt(&'static [&'static str]),
    /// A compilation target of the toolchain of `rust-toolchain.toml`.
    Target(&'static str),
    /// A component of that toolchain.
    Component(&'static str),
    /// A component of nightly Rust.
    Nightly(&'static str),
}

pub const RUSTFMT: Need = Need {
    name: "rustfmt",
    probe: Probe::Command(&["cargo", "fmt", "--version"]),
    source: Source::Component("rustfmt"),
};

pub const CLIPPY: Need = Need {
    name: "clippy",
    probe: Probe::Command(&["cargo", "clippy", "--version"]),
    source: Source::Component("clippy"),
};

pub const AARCH64: Need = target("Rust's target aarch64-unknown-linux-musl", "aarch64-unknown-linux-musl");
pub const AARCH64_BARE: Need = target("Rust's target aarch64-unknown-none", "aarch64-unknown-none");
pub const WINDOWS: Need = target("Rust's target x86_64-pc-windows-msvc", "x86_64-pc-windows-msvc");
pub const MACOS: Need = target("Rust's target aarch64-apple-darwin", "aarch64-apple-darwin");
pub const ANDROID: Need = target("Rust's target aarch64-linux-android", "aarch64-linux-android");

pub const NIGHTLY: Need = nightly("nightly Rust with its sources", "rust-src");
pub const MIRI: Need = nightly("Miri", "miri");

pub const QEMU: Need = program("qemu-aarch64-static", &["qemu-user-static"]);
pub const QEMU_PLUGINS: Need = program("qemu-aarch64", &["qemu-user"]);
pub const LLVM_MCA: Need = program("llvm-mca-19", &["llvm-19"]);
pub const CLANG: Need = program("clang", &["clang"]);

pub const POCL: Need = Need {
    name: "PoCL",
    probe: Probe::Files(&[
        &["/etc/OpenCL/vendors/pocl.icd"],
        &[
            "/usr/lib/x86_64-linux-gnu/libOpenCL.so.1",
            "/usr/lib/aarch64-linux-gnu/libOpenCL.so.1",
            "/usr/lib64/libOpenCL.so.1",
        ],
    ]),
    source: Source::Apt(&["pocl-opencl-icd", "ocl-icd-libopencl1"]),
};

/// The library of Oclgrind that is loaded in the place of a driver.
pub const OCLGRIND_LIBRARY: &str = "/usr/lib/oclgrind/liboclgrind-rt.so";

pub const OPENCL_HEADERS: Need = Need {
    name: "OpenCL's headers for C",
    probe: Probe::Files(&[&["/usr/include/CL/cl.h"]]),
    source: Source::Apt(&["opencl-c-headers"]),
};

pub const OCLGRIND: Need =
    Need { name: "Oclgrind", probe: Probe::Files(&[&[OCLGRIND_LIBRARY]]), source: Source::Apt(&["oclgrind"]) };

/// Under one of the names that the tests of the page look for.
pub const CHROMIUM: Need = Need {
    name: "Chromium",
    probe: Probe::Programs(&["chromium", "chromium-browser", "google-chrome", "chrome"]),
    source: Source::Apt(&["chromium"]),
};

pub const PYTHON: Need = program("python3", &["python3"]);

pub const PYTHON_VENV: Need = Need {
    name: "Python with venv",
    probe: Probe::Command(&["python3", "-c", "import ensurepip, venv"]),
    source: Source::Apt(&["python3-venv"]),
};

const fn program(name: &'static str, packages: &'static [&'static str]) -> Need {
    Need { name, probe: Probe::Program(name), source: Source::Apt(packages) }
}

const fn target(name: &'static str, triple: &'static str) -> Need {
    Need {
        name,
        probe: Probe::Line(&["rustup", "target", "list", "--installed"], triple),
        source: Source::Target(triple),
    }
}

const fn nightly(name: &'static str, component: &'static str) -> Need {
    const INSTALLED: &[&str] = &["rustup", "component", "list", "--installed", "--toolchain", NIGHTLY_NAME];
    Need { name, probe: Probe::Line(INSTALLED, component), source: Source::Nightly(component) }
}

impl Need {
    /// Whether it is installed.
    pub fn is_present(&self) -> bool {
        match self.probe {
            Probe::Program(name) => is_in_path(name),
            Probe::Programs(names) => names.iter().any(|name| is_in_path(name)),
            Probe::Files(files) => files.iter().all(|places| places.iter().any(|place| Path::new(place).exists())),
            Probe::Command(command) => output(command).is_some(),
            // A component's name goes on with the machine that it is for.
            Probe::Line(command, line) => {
                output(command).is_some_and(|text| text.lines().any(|found| found.starts_with(line)))
            }
        }
    }
}

/// Whether a program would be found.
pub fn is_in_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// What a command prints, if it runs and succeeds.
fn output(command: &[&str]) -> Option<String> {
    let (program, arguments) = command.split_first()?;
    let output = Command::new(program).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_found() {
        assert!(program("cargo", &[]).is_present());
        let probe = Probe::Programs(&["no-such-program-of-windrow", "cargo"]);
        assert!(Need { name: "", probe, source: Source::Apt(&[]) }.is_present());
        assert!(
            Need { name: "", probe: Probe::Line(&["cargo", "--version"], "cargo "), source: Source::Apt(&[]) }
                .is_present()
        );
    }

    #[test]
    fn what_is_missing_is_not_found() {
        assert!(!program("no-such-program-of-windrow", &[]).is_present());
        for probe in [
            Probe::Programs(&["no-such-program-of-windrow", "nor-this-one"]),
            Probe::Files(&[&["/no/such/file"]]),
            Probe::Command(&["cargo", "no-such-command-of-windrow"]),
            Probe::Line(&["cargo", "--version"], "rustup"),
            Probe::Line(&["no-such-program-of-windrow"], ""),
        ] {
            assert!(!Need { name: "", probe, source: Source::Apt(&[]) }.is_present());
        }
    }
}
