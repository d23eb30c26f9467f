//! The list of all kernels as Rust: what `windrow_operators::all()` and its like are made of, and the tests of all of them.

use super::source::SourceKernel;
use crate::host::{test_module, tests_of_more};
use crate::text::Text;
use std::path::{Component, Path};

/// A static `ALL` over kernels with the paths of their modules; those that the crate's root can't see are left out.
pub fn text<'a>(kernels: impl Iterator<Item = (&'a str, &'a SourceKernel)>) -> String {
    let mut out = Text::new();
    out.line("/// Every kernel of this crate, in the order of its files.");
    out.line("#[allow(unused_qualifications)]");
    out.line("pub static ALL: &[&::windrow::KernelCode] = &[");
    for (module, kernel) in kernels.filter(|(_, kernel)| kernel.is_visible) {
        for condition in &kernel.conditions {
            out.line(format!("    {condition}"));
        }
        out.line(format!("    <{module}::{} as ::windrow::Kernel>::CODE,", kernel.path));
    }
    out.line("];");
    out.finish()
}

/// The generated tests of the same kernels, for a program of tests that calls their crate `library`.
pub fn tests<'a>(kernels: impl Iterator<Item = (&'a str, &'a SourceKernel)>) -> String {
    let mut out = Text::new();
    for (module, kernel) in kernels.filter(|(_, kernel)| kernel.is_visible) {
        for condition in &kernel.conditions {
            out.line(condition);
        }
        let (test, module) = (test_module(&kernel.compiled.kernel.name), module.replacen("crate", "library", 1));
        let more = tests_of_more(&kernel.compiled.kernel);
        out.line(format!("::windrow::__kernel_tests! {{ {test} {module}::{}{more} }}", kernel.path));
    }
    out.finish()
}

/// The module that a file is, by the place of its path behind the last `src`: `src/filter/box.rs` is `crate::filter::box`.
pub fn module_of(file: &Path) -> String {
    let names: Vec<&str> = file
        .components()
        .filter_map(|component| match component {
            Component::Normal(name) => name.to_str(),
            Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => None,
        })
        .collect();
    let start = names.iter().rposition(|name| *name == "src").map_or(0, |place| place + 1);
    let mut module = String::from("crate");
    for name in &names[start..] {
        let name = name.strip_suffix(".rs").unwrap_or(name);
        if !matches!(name, "mod" | "lib" | "main") {
            module += &format!("::{name}");
        }
    }
    module
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_a_module() {
        let cases = [
            ("src/lib.rs", "crate"),
            ("src/filter/mod.rs", "crate::filter"),
            ("/home/src/crate/src/filter/gaussian.rs", "crate::filter::gaussian"),
            ("ops.rs", "crate::ops"),
        ];
        for (file, module) in cases {
            assert_eq!(module_of(Path::new(file)), module);
        }
    }
}
