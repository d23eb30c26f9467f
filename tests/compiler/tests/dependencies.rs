//! The dependencies keep to `deny.toml`, as far as their manifests tell: licences, bans, sources, versions. What is known
//! against them is `cargo deny check advisories` to ask, which needs a network.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every package that this machine's builds of the workspace take in, tests and all features included.
fn packages() -> Vec<Value> {
    let host = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let arguments = ["metadata", "--format-version", "1", "--all-features", "--locked", "--filter-platform", &host];
    let output = Command::new(env!("CARGO")).current_dir(root()).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap().clone();
    assert!(packages.len() > 100, "only {} packages", packages.len());
    packages
}

fn text<'a>(package: &'a Value, field: &str) -> &'a str {
    package[field].as_str().unwrap_or_default()
}

fn deny() -> String {
    std::fs::read_to_string(root().join("deny.toml")).unwrap()
}

/// What stands in quotes.
fn quoted(text: &str) -> Vec<&str> {
    text.split('"').skip(1).step_by(2).collect()
}

/// An expression of licences, as SPDX writes them; an old manifest has a stroke for `OR`.
struct Expression<'a> {
    words: std::iter::Peekable<std::vec::IntoIter<&'a str>>,
    allowed: &'a [&'a str],
}

impl Expression<'_> {
    fn is_allowed(text: &str, allowed: &[&str]) -> bool {
        let spaced = text.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
        let words: Vec<&str> = spaced.split_whitespace().collect();
        let mut expression = Expression { words: words.into_iter().peekable(), allowed };
        let allowed = expression.any();
        allowed && expression.words.next().is_none()
    }

    fn any(&mut self) -> bool {
        let mut allowed = self.all();
        while self.words.next_if_eq(&"OR").is_some() {
            allowed |= self.all();
        }
        allowed
    }

    fn all(&mut self) -> bool {
        let mut allowed = self.one();
        while self.words.next_if_eq(&"AND").is_some() {
            allowed &= self.one();
        }
        allowed
    }

    fn one(&mut self) -> bool {
        let Some(word) = self.words.next() else { return false };
        if word == "(" {
            let allowed = self.any();
            return self.words.next() == Some(")") && allowed;
        }
        let name = match self.words.next_if_eq(&"WITH").and_then(|_| self.words.next()) {
            Some(exception) => format!("{word} WITH {exception}"),
            None => word.to_owned(),
        };
        self.allowed.contains(&name.as_str())
    }
}

/// Whether a package of this workspace is never published, as a template to copy is; no licence is asked of it.
fn is_private(package: &Value) -> bool {
    package["source"].is_null() && package["publish"].as_array().is_some_and(Vec::is_empty)
}

#[test]
fn licences_are_on_the_list() {
    let deny = deny();
    let list = deny.lines().find_map(|line| line.strip_prefix("allow = [")).unwrap();
    let allowed = quoted(list);
    assert!(allowed.contains(&"MIT"));
    let wrong = |package: &&Value| !Expression::is_allowed(text(package, "license"), &allowed);
    let packages = packages();
    let published = packages.iter().filter(|package| !is_private(package));
    let wrong: Vec<&str> = published.filter(wrong).map(|package| text(package, "id")).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn expressions_are_read() {
    let is_allowed = |text| Expression::is_allowed(text, &["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"]);
    for text in ["MIT", "GPL-3.0 OR MIT", "MIT/GPL-3.0", "(MIT OR GPL-3.0) AND Zlib", "Apache-2.0 WITH LLVM-exception"]
    {
        assert!(is_allowed(text), "{text}");
    }
    for text in
        ["", "GPL-3.0", "MIT AND GPL-3.0", "Apache-2.0", "(GPL-3.0) OR", "(MIT", "MIT MIT", "Zlib WITH LLVM-exception"]
    {
        assert!(!is_allowed(text), "{text}");
    }
}

#[test]
fn banned_packages_are_not_there() {
    let deny = deny();
    let bans: Vec<Vec<&str>> = deny.lines().filter(|line| line.contains("{ crate = ")).map(quoted).collect();
    assert!(bans.len() >= 2);
    for package in packages() {
        let own = text(&package, "name");
        for dependency in package["dependencies"].as_array().unwrap() {
            let name = text(dependency, "name");
            // A ban names the package, and then who may have it all the same, and why.
            let is_banned = |ban: &Vec<&str>| ban[0] == name && !ban[1..].contains(&own);
            let is_used = dependency["optional"] == false && dependency["kind"] != "dev";
            assert!(!(is_used && bans.iter().any(is_banned)), "{own} depends on {name}");
        }
    }
}

#[test]
fn packages_come_from_here_or_from_one_registry_and_name_versions() {
    let packages = packages();
    let sources: BTreeSet<&str> =
        packages.iter().filter(|package| !package["source"].is_null()).map(|package| text(package, "source")).collect();
    assert!(sources.len() == 1 && sources.iter().all(|source| source.starts_with("registry+")), "{sources:?}");
    for package in packages.iter().filter(|package| package["source"].is_null()) {
        for dependency in package["dependencies"].as_array().unwrap() {
            let is_open = text(dependency, "req") == "*" && dependency["path"].is_null();
            assert!(!is_open, "{} takes any {}", text(package, "name"), text(dependency, "name"));
        }
    }
}
