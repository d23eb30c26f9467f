//! Each package is built once: with other features for one of its users, cargo would build it, and all that rests on it, again.

use std::collections::BTreeMap;

use anyhow::{Context as _, ensure};
use serde_json::Value;
use xshell::cmd;

use crate::{context::Context, needs::NIGHTLY_NAME};

/// What cargo plans to build for the stage `host`, as it says to its nightly version only.
pub fn builds(cx: &Context) -> anyhow::Result<()> {
    let toolchain = format!("+{NIGHTLY_NAME}");
    let graph =
        cx.read(cmd!(cx.shell, "cargo {toolchain} test --workspace --all-features --unit-graph -Zunstable-options"))?;
    let graph: Value = serde_json::from_str(&graph).context("the graph of units")?;
    let units = graph["units"].as_array().context("the graph has units")?;
    let libraries = libraries(units);
    ensure!(libraries.len() > 100, "the graph has only {} libraries", libraries.len());
    let twice: Vec<String> = libraries
        .iter()
        .filter(|(_, features)| features.len() > 1)
        .map(|(package, features)| format!("{package}, with the features {}", features.join(" and ")))
        .collect();
    ensure!(twice.is_empty(), "built more than once:\n{}", twice.join("\n"));
    cx.say(&format!("{} packages, each built once", libraries.len()))
}

/// The packages whose libraries are built, and with which features each time.
fn libraries(units: &[Value]) -> BTreeMap<&str, Vec<String>> {
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for unit in units {
        if unit["mode"] == "build" && is_library(unit) {
            found.entry(unit["pkg_id"].as_str().unwrap_or_default()).or_default().push(unit["features"].to_string());
        }
    }
    found
}

fn is_library(unit: &Value) -> bool {
    let kinds = unit["target"]["kind"].as_array().into_iter().flatten();
    kinds.filter_map(Value::as_str).any(|kind| matches!(kind, "lib" | "rlib" | "proc-macro" | "cdylib" | "dylib"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_library_that_is_built_twice_is_found() {
        let unit = |name: &str, kind: &str, mode: &str, features: &[&str]| json!({ "pkg_id": name, "target": { "kind": [kind] }, "mode": mode, "features": features });
        let units = [
            unit("a", "lib", "build", &["std"]),
            unit("a", "lib", "build", &[]),
            unit("a", "lib", "test", &["std"]),
            unit("b", "proc-macro", "build", &[]),
            unit("b", "custom-build", "build", &[]),
            unit("c", "bin", "build", &[]),
        ];
        let found = libraries(&units);
        assert_eq!(found["a"], [r#"["std"]"#, "[]"]);
        assert_eq!((found["b"].len(), found.len()), (1, 2));
    }
}
