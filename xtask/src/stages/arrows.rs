//! The arrows of ARCHITECTURE.md: which crate may not depend on which.

use std::collections::BTreeSet;

use anyhow::bail;
use xshell::cmd;

use crate::context::Context;

/// A crate, the features that it is built with, and what it must not depend on, however indirectly.
struct Arrow {
    package: &'static str,
    features: &'static [&'static str],
    forbidden: &'static [&'static str],
}

const ALL: &[&str] = &["--all-features"];

const ARROWS: &[Arrow] = &[
    Arrow {
        package: "windrow-reference",
        features: ALL,
        forbidden: &[
            "windrow-runtime",
            "windrow-dsl",
            "windrow-backends",
            "windrow-cli",
            "windrow-macros",
            "syn",
            "rayon",
            "opencl3",
        ],
    },
    Arrow {
        package: "windrow-runtime",
        features: ALL,
        forbidden: &[
            "windrow-testing",
            "windrow-opencl",
            "opencl3",
            "cl3",
            "windrow-dsl",
            "windrow-backends",
            "windrow-cli",
            "windrow-macros",
            "windrow",
        ],
    },
    Arrow {
        package: "windrow-testing",
        features: ALL,
        forbidden: &["windrow-dsl", "windrow-backends", "windrow-cli", "windrow-macros", "windrow", "syn"],
    },
    Arrow { package: "windrow-testing", features: &[], forbidden: &["windrow-opencl", "opencl3", "cl3"] },
    Arrow {
        package: "windrow-opencl",
        features: ALL,
        forbidden: &[
            "windrow-testing",
            "windrow-dsl",
            "windrow-backends",
            "windrow-cli",
            "windrow-macros",
            "windrow",
            "syn",
        ],
    },
    Arrow {
        package: "windrow-runtime",
        features: &["--no-default-features", "--features", "std"],
        forbidden: &["syn"],
    },
    Arrow { package: "windrow-runtime", features: &["--no-default-features"], forbidden: &["rayon", "syn"] },
    Arrow {
        package: "windrow-dsl",
        features: ALL,
        forbidden: &["windrow-runtime", "windrow-backends", "windrow-cli", "windrow-macros", "opencl3", "rayon"],
    },
    Arrow {
        package: "windrow-backends",
        features: ALL,
        forbidden: &["windrow-runtime", "windrow-cli", "windrow-macros", "opencl3", "rayon", "clap"],
    },
    Arrow { package: "windrow-cli", features: ALL, forbidden: &["windrow-macros"] },
    Arrow { package: "windrow-cli", features: &[], forbidden: &["windrow", "windrow-operators", "windrow-graph"] },
    Arrow {
        package: "windrow-capi",
        features: ALL,
        forbidden: &["windrow-operators", "windrow-dsl", "windrow-backends", "windrow-cli", "syn"],
    },
    Arrow {
        package: "windrow-operators",
        features: ALL,
        forbidden: &["windrow-dsl", "windrow-backends", "windrow-cli", "windrow-graph", "syn"],
    },
    Arrow {
        package: "windrow-graph",
        features: ALL,
        forbidden: &["windrow-dsl", "windrow-backends", "windrow-cli", "windrow-capi", "syn"],
    },
];

/// Whatever is built without `python/`, Python is no part of it.
const WITHOUT_PYTHON: &[&str] = &["windrow", "windrow-operators", "windrow-graph", "windrow-cli", "windrow-opencl"];

pub fn arrows(cx: &Context) -> anyhow::Result<()> {
    for &Arrow { package, features, forbidden } in ARROWS {
        let tree = cx.read(cmd!(
            cx.shell,
            "cargo tree --package {package} --edges normal,no-proc-macro --prefix none {features...}"
        ))?;
        let packages: BTreeSet<_> = tree.lines().filter_map(|line| line.split_whitespace().next()).collect();
        for other in forbidden {
            if packages.contains(other) {
                bail!("{package} ({}) must not depend on {other}", features.join(" "));
            }
        }
    }
    for package in WITHOUT_PYTHON {
        let tree =
            cx.read(cmd!(cx.shell, "cargo tree --package {package} --all-features --edges normal --prefix none"))?;
        if tree.lines().any(|line| line.starts_with("pyo3")) {
            bail!("{package} must not depend on pyo3");
        }
    }
    Ok(())
}
