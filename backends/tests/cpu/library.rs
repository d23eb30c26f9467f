//! The operators of the library as the compiler writes them: no scalar work in their loops, and a law for each `unsafe`.

use crate::loops;
use crate::machine::{self, AARCH64, Machine, Processor, X86_64};
use std::path::{Path, PathBuf};
use windrow_backends::doors::assembly::main_loop;
use windrow_backends::doors::instructions::intrinsics;
use windrow_backends::opencl;
use windrow_backends::targets::{CPU, CpuTarget, by_default, cost_depends_on_run, refuse_scalar};
use windrow_dsl::diagnostic::Diagnostic;
use windrow_dsl::ir::Kernel;
use windrow_dsl::library::Library;
use windrow_dsl::optimise::{Prepared, prepare};

/// Operators that no vector instruction computes: they look entries of 16 bits up, read anywhere, or have loops of which elements take
/// different numbers of turns, or share them.
const LANE_BY_LANE: &[&str] = &[
    "upsample_gaussian5x5",
    "remap_nearest_u8",
    "remap_nearest_f32",
    "remap_nearest3",
    "remap_bilinear",
    "remap_bilinear3",
    "scale_bilinear_u8",
    "scale_bilinear_i16",
    "scale_bilinear_f32",
    "scale_bilinear3",
    "scale_bilinear4",
    "scale_nearest_u8",
    "scale_nearest_i16",
    "scale_nearest_f32",
    "scale_nearest3",
    "scale_nearest4",
    "warp_bilinear",
    "warp_bilinear_replicate",
    "warp_nearest",
    "warp_nearest_replicate",
    "warp_nearest_onto",
    "warp_bilinear_onto",
    "grid_sample_nearest",
    "grid_sample_bilinear",
    "roi_align",
    "roi_max_pool",
    "softmax_bytes",
    "table_lookup_i16",
    "max_pool",
    "average_pool",
    "as_strided_u8",
    "as_strided_i8",
    "as_strided_i32",
    "as_strided_f32",
    "pixel_shuffle_u8",
    "pixel_shuffle_f32",
    "space_to_depth_u8",
    "space_to_depth_f32",
    "count_nonzero_u8",
    "count_nonzero_f32",
    "nonzero_places_u8",
    "nonzero_places_f32",
    "cumulative_sum",
    "cumulative_sum_i32",
    "equalization",
    "histogram",
    "integral_image",
    "integral_squares",
];

/// Every kernel of the library.
fn operators() -> Vec<(Kernel, Prepared)> {
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../operators/src"), &mut files);
    let texts: Vec<String> = files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
    let library = Library::new(texts.iter().map(String::as_str), |_| Vec::new());
    let kernels: Vec<_> = texts
        .iter()
        .flat_map(|text| windrow_dsl::compile_file_with(text, &library).kernels)
        .map(|compiled| (prepare(&compiled.kernel), compiled.kernel))
        .map(|(prepared, kernel)| (kernel, prepared))
        .collect();
    assert!(kernels.len() > 50, "{} kernels", kernels.len());
    kernels
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            true => collect(&path, files),
            false if path.extension().is_some_and(|extension| extension == "rs") => files.push(path),
            false => {}
        }
    }
}

/// The bodies that are looked at: each operator's first, in full all of them.
fn bodies(prepared: &Prepared) -> usize {
    if std::env::var("WINDROW_TEST").is_ok_and(|mode| mode == "full") { prepared.bodies.len() } else { 1 }
}

fn check(processor: &'static Processor, target: &CpuTarget, is_scalar: fn(&str) -> bool) {
    let Some(machine) = Machine::new(processor, &format!("library_{}", target.tier), "3") else { return };
    let (mut names, mut text, mut exempt) = (Vec::new(), String::new(), Vec::new());
    for (kernel, prepared) in operators() {
        let strict = Kernel { deny_scalar: true, ..kernel.clone() };
        // Of fused products one target alone has no instruction, and no body of a kernel with many.
        let is_fused =
            |refused: &Diagnostic| refused.text().contains("this `mul_add` goes lane by lane on SSE4.1, which");
        if !refuse_scalar(&strict, &prepared).iter().all(is_fused) {
            exempt.push(kernel.name);
            continue;
        }
        if target.pays.is_some_and(|pays| !pays(&kernel, &prepared)) {
            continue;
        }
        for index in 0..bodies(&prepared) {
            // What is the same for all lanes is scalar.
            if cost_depends_on_run(&kernel, &prepared.bodies[index]) {
                continue;
            }
            let name = format!("{}_{index}", kernel.name);
            text += &machine::visible(&(target.emit)(&kernel, &prepared, index, &name, None).unwrap().text);
            names.push(name);
        }
    }
    assert_eq!(exempt, LANE_BY_LANE);
    let assembly = machine.assembly("library", &text).unwrap_or_else(|error| panic!("{error}"));
    for name in names {
        let body = main_loop(&assembly, &name);
        assert!(!body.is_empty(), "{name}: no loop found");
        let scalar: Vec<&&str> = body.iter().filter(|instruction| is_scalar(instruction)).collect();
        assert!(scalar.is_empty(), "{} {name}: {scalar:?}", target.name);
    }
}

#[test]
fn operators_hold_no_scalar_work() {
    AARCH64.targets().into_iter().for_each(|target| check(&AARCH64, target, loops::is_scalar));
    X86_64.targets().into_iter().for_each(|target| check(&X86_64, target, loops::is_scalar_on_x86));
}

/// Calls of intrinsics of a kernel, for one architecture, with which rustc is still fast.
const MOST_CALLS: usize = 1500;
/// The same of a target that is written with a feature.
const MOST_OPTIONAL: usize = 750;

#[test]
fn operators_compile_fast() {
    for (kernel, prepared) in operators() {
        for architecture in ["aarch64", "x86_64"] {
            let targets = by_default().filter(|target| target.architecture == Some(architecture));
            let bodies = targets.flat_map(|target| target.bodies(&kernel, &prepared).unwrap());
            let calls: usize = bodies.map(|body| intrinsics(&body.text)).sum();
            assert!(calls <= MOST_CALLS, "{}: {calls} calls for {architecture}", kernel.name);
        }
        for target in CPU.iter().filter(|target| target.feature.is_some()) {
            let bodies = target.bodies(&kernel, &prepared).unwrap();
            let calls: usize = bodies.iter().map(|body| intrinsics(&body.text)).sum();
            assert!(calls <= MOST_OPTIONAL, "{}: {calls} calls for {}", kernel.name, target.name);
        }
    }
}

/// People read and review what is written. Comments, and macros, end with their line.
#[test]
fn lines_are_no_wider_than_a_page() {
    let is_wide =
        |line: &&str| line.len() > 160 && !line.contains("//") && !line.starts_with('#') && !line.ends_with('\\');
    for (kernel, prepared) in operators() {
        let bodies = CPU.iter().flat_map(|target| target.bodies(&kernel, &prepared).unwrap()).map(|body| body.text);
        let images = opencl::emit_images(&kernel, &prepared, None).ok();
        let programs = images.into_iter().chain([opencl::emit(&kernel, &prepared)]).map(|program| program.source);
        for text in bodies.chain(programs) {
            let wide: Vec<&str> = text.lines().filter(is_wide).collect();
            assert!(wide.is_empty(), "{}: {wide:#?}", kernel.name);
        }
    }
}

/// A line that opens an unsafe block follows one that says why it may.
#[test]
fn every_unsafe_block_states_its_law() {
    let mut blocks = 0;
    for (kernel, prepared) in operators() {
        for body in CPU.iter().flat_map(|target| target.bodies(&kernel, &prepared).unwrap()) {
            let lines: Vec<&str> = body.text.lines().map(str::trim).collect();
            for (place, line) in lines.iter().enumerate().filter(|(_, line)| line.contains("unsafe {")) {
                // What a block changes in place is declared between them, and a long statement begins on a line before.
                let is_between = |line: &&&str| line.starts_with("let mut ") || line.ends_with(',');
                let above = lines[..place].iter().rfind(|line| !is_between(line)).unwrap_or(&"");
                assert!(above.starts_with("// SAFETY: ") && above.len() > 20, "{}: {above}\n{line}", kernel.name);
                blocks += 1;
            }
        }
    }
    assert!(blocks > 1000, "{blocks} blocks");
}

/// Results wider than a step's narrowest values lie in two blocks apart; AVX2 stores them as whole vectors all the same.
#[test]
fn wide_results_are_stored_as_whole_vectors() {
    for name in ["sobel3x3", "scharr3x3", "convolve3x3_i16", "convert_up"] {
        let (kernel, prepared) = operators().into_iter().find(|(kernel, _)| kernel.name.starts_with(name)).unwrap();
        let target = CPU.iter().find(|target| target.tier == "Avx2").unwrap();
        for body in target.bodies(&kernel, &prepared).unwrap() {
            let count = |what: &str| body.text.matches(what).count();
            assert_eq!(count("storeu2"), 0, "{name}");
            assert!(count("_mm256_storeu_si256") > 0, "{name}");
            assert_eq!(count("2x128_si256::<0x20>"), count("2x128_si256::<0x31>"), "{name}");
            assert_eq!(count("2x128_si256"), count("_mm256_storeu_si256"), "{name}");
        }
    }
}

/// Rows whose lines a body asks for before later steps store to them and load them, on AVX2; NEON asks for none.
#[test]
fn light_steps_of_several_rows_ask_for_what_they_load() {
    let asked = |name: &str| {
        let (kernel, prepared) = operators().into_iter().find(|(kernel, _)| kernel.name == name).unwrap();
        let count = |tier: &str, what: &str| {
            let target = CPU.iter().find(|target| target.tier == tier).unwrap();
            let text = target.bodies(&kernel, &prepared).unwrap().swap_remove(0).text;
            text.lines().filter(|line| line.contains("prefetch") && line.contains(what)).count()
        };
        assert_eq!(count("Neon", ""), 0, "{name}");
        let loaded = kernel.inputs.iter().map(|input| count("Avx2", &format!("{}_at", input.name))).sum::<usize>();
        (count("Avx2", "") - loaded, loaded)
    };
    // Four rows; of the six that are read, the group above has read two.
    assert_eq!(asked("erode3x3"), (4, 4));
    // Much is computed; much more is written than read; one row alone needs no help.
    assert_eq!(asked("gaussian3x3"), (4, 0));
    assert_eq!(asked("sobel3x3"), (6, 0));
    assert_eq!(asked("threshold"), (0, 0));
}

/// The rows to which a step of two vectors by four rows stores on AVX2, in order.
#[test]
fn the_vectors_of_a_row_are_stored_together() {
    let rows = |name: &str| {
        let (kernel, prepared) = operators().into_iter().find(|(kernel, _)| kernel.name == name).unwrap();
        let target = CPU.iter().find(|target| target.tier == "Avx2").unwrap();
        let text = target.bodies(&kernel, &prepared).unwrap().swap_remove(0).text;
        let stores = text.lines().filter_map(|line| line.split_once("storeu_si256(out_at_"));
        let row = |(_, behind): (&str, &str)| behind.chars().next().and_then(|c| c.to_digit(10)).unwrap();
        stores.map(row).take(8).collect::<Vec<_>>()
    };
    assert_eq!(rows("erode3x3"), [0, 0, 1, 1, 2, 2, 3, 3]);
}
