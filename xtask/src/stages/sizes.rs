//! What an operator adds to a program in C.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, ensure};
use xshell::cmd;

use crate::context::Context;

/// A library's name, what it exports, and how many kernels that is; `None` for all.
const SETS: [(&str, &str, Option<u64>); 4] = [
    ("none", "registry = windrow::family::Registry::new(&[], &[])", Some(0)),
    ("one", "windrow_operators::gaussian3x3", Some(1)),
    (
        "nine",
        "windrow_operators::gaussian3x3, windrow_operators::sobel3x3, windrow_operators::median3x3,
         windrow_operators::box3x3, windrow_operators::add, windrow_operators::threshold, windrow_operators::table_lookup,
         windrow_operators::magnitude, windrow_operators::rgb_to_gray",
        Some(9),
    ),
    ("all", "registry = windrow_operators::registry()", None),
];

/// The bytes that a kernel may add.
const GREATEST: u64 = 24 * 1024;

/// The kernels whose functions take more, of each type: convolutions from 7×7 on and ranks of free masks, whose bodies are long in every
/// tier; sums of fused products in blocks, each of which SSE4.1 computes lane by lane; and two just above the limit.
const LARGE: [&str; 11] = [
    "convolve_large",
    "extremum_mask9",
    "median_mask5",
    "depthwise3x3_bytes",
    "conv2d",
    "depthwise_conv2d",
    "transposed_conv2d",
    "dense",
    "matrix_product",
    "remaps",
    "fast_score",
];

/// The program `blur` over libraries of no kernel, of one, of nine and of all, each linked statically without what is unused.
pub fn sizes(cx: &Context) -> anyhow::Result<()> {
    let folder = cx.target_folder().join("sizes");
    let mut found = Vec::new();
    let mut functions = BTreeMap::new();
    for (name, exported, kernels) in SETS {
        let program = program(cx, &folder, name, exported)?;
        functions = functions_of_kernels(&cx.read(cmd!(cx.shell, "nm -S {program}"))?);
        cx.run(cmd!(cx.shell, "strip {program}"))?;
        let bytes = std::fs::metadata(&program).with_context(|| program.display().to_string())?.len();
        found.push((name, kernels.unwrap_or(functions.len() as u64), bytes));
    }
    let (none, one) = (found[0].2, found[1].2);
    for (name, kernels, bytes) in found {
        let each = if kernels > 1 { (bytes - one) / (kernels - 1) } else { 0 };
        cx.say(&format!("{name}: {kernels} kernels, {bytes} bytes, {each} for each after the first"))?;
        ensure!(each <= GREATEST, "a kernel adds {each} bytes, and may add {GREATEST}");
    }
    cx.say(&format!("the first kernel adds {} bytes", one - none))?;
    let large: Vec<&String> =
        functions.iter().filter(|(_, size)| **size > GREATEST).map(|(kernel, _)| kernel).collect();
    let unknown: Vec<_> = large.iter().filter(|kernel| !LARGE.iter().any(|name| is_named(kernel, name))).collect();
    ensure!(unknown.is_empty(), "kernels that take more than {GREATEST} bytes: {unknown:?}");
    let large = large.len();
    let mut sizes: Vec<u64> = functions.into_values().collect();
    sizes.sort_unstable();
    ensure!(sizes.len() > 200, "only {} kernels have functions in the program of all", sizes.len());
    let (median, greatest) = (sizes[sizes.len() / 2], sizes[sizes.len() - 1]);
    cx.say(&format!(
        "functions of a kernel: {median} bytes in the median, {greatest} at most, {large} above {GREATEST}"
    ))?;
    Ok(())
}

/// Whether a mangled path leads to the constant of the kernel `name`: identifiers have their lengths in front.
fn is_named(path: &str, name: &str) -> bool {
    let written = format!("{}{name}s", name.len());
    path.match_indices(&written).any(|(place, _)| !path[..place].ends_with(|before: char| before.is_ascii_digit()))
}

/// The bytes of each kernel's functions, by what `nm -S` prints: a kernel's are in a constant of its own.
fn functions_of_kernels(symbols: &str) -> BTreeMap<String, u64> {
    let mut found = BTreeMap::new();
    for line in symbols.lines() {
        let mut words = line.split_whitespace();
        let (_, Some(size), _, Some(name)) = (words.next(), words.next(), words.next(), words.next()) else { continue };
        let Some(path) = name.strip_prefix("_RNv").filter(|path| path.contains("windrow_operators")) else { continue };
        // The function's own name, as `8scalar_0`, or the constant's after a number, as `_1__9reference`.
        let kernel = path.rfind("_1__").map_or("", |end| &path[..end]);
        let size = u64::from_str_radix(size, 16).unwrap_or(0);
        if !kernel.is_empty() {
            *found.entry(kernel.to_owned()).or_default() += size;
        }
    }
    found
}

/// Builds a library of its own in a folder, and the program over it.
fn program(cx: &Context, folder: &Path, name: &str, exported: &str) -> anyhow::Result<PathBuf> {
    let package = folder.join(name);
    let root = cx.shell.current_dir();
    let root = root.display();
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n[lib]\ncrate-type = \
         [\"staticlib\"]\n\n[dependencies]\nwindrow = {{ path = \"{root}\" }}\nwindrow-capi = {{ path = \"{root}/capi\" }}\n\
         windrow-operators = {{ path = \"{root}/operators\" }}\n\n[profile.release]\nlto = \"fat\"\ncodegen-units = 1\n\n[workspace]\n"
    );
    cx.shell.write_file(package.join("Cargo.toml"), manifest)?;
    cx.shell.write_file(package.join("src/lib.rs"), format!("windrow_capi::export!({exported});\n"))?;
    // The versions that the workspace is tested with.
    cx.shell.copy_file("Cargo.lock", package.join("Cargo.lock"))?;
    let (manifest, target) = (package.join("Cargo.toml"), folder.join("target"));
    let build = cmd!(cx.shell, "cargo build --release --manifest-path {manifest} --target-dir {target}");
    // Names that tell the constants of kernels apart.
    cx.run(build.env("RUSTFLAGS", "-Csymbol-mangling-version=v0"))?;
    let (archive, program) = (target.join(format!("release/lib{name}.a")), package.join("blur"));
    let link = ["-Wl,--gc-sections", "-lm", "-lpthread", "-ldl"];
    cx.run(cmd!(cx.shell, "clang -std=c11 -O2 -I capi/include capi/examples/blur.c {archive} {link...} -o {program}"))?;
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_those_of_their_kernels() {
        let symbols = "\
0000000000100000 0000000000000010 t _RNvNvNtNtCs7_17windrow_operators6filter8convolves_1__1__8scalar_0
0000000000100010 0000000000000020 t _RNvNvNtNtCs7_17windrow_operators6filter8convolves_1__1__9reference
0000000000100030 0000000000000040 t _RNvNvNtNtCs7_17windrow_operators6filter8convolves1_1__1__6avx2_0
0000000000100070 0000000000000080 T windrow_run
                 U malloc
";
        let found: Vec<u64> = functions_of_kernels(symbols).into_values().collect();
        assert_eq!(found, [0x40, 0x30]);
    }

    #[test]
    fn kernels_are_known_by_their_whole_names() {
        let path = "NvNvNtNtCs7_17windrow_operators7network6conv2ds_1_";
        assert!(is_named(path, "conv2d"));
        assert!(!is_named("NvNtNtCs7_17windrow_operators7network16depthwise_conv2ds_1_", "conv2d"));
        assert!(!is_named("NvNtNtCs7_17windrow_operators7network15dense_bytes_anys_1_", "dense"));
        assert!(!is_named("NvNtNtCs7_17windrow_operators7network15denses_1_", "dense"));
    }
}
