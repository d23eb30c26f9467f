//! What every operator must have: a description, generated tests, an OpenCL program on disk that is the embedded one.

use std::{collections::BTreeSet, fs, path::Path};

use windrow::{
    ElementType, KernelSpec, TensorInfo, Tier,
    spec::{ArgumentKind, NeighbourhoodSpec},
    testing::run_again,
};
use windrow_operators::{all, half_scale_nearest};

#[test]
fn every_kernel_is_described_and_listed_once() {
    let mut names = BTreeSet::new();
    for code in all() {
        let spec = code.spec();
        assert!(names.insert(spec.name), "{} is listed twice", spec.name);
        assert!(!spec.docs.trim().is_empty(), "{} has no doc comment", spec.name);
        assert!(!code.bodies().is_empty(), "{} has no body", spec.name);
    }
}

/// Those with floats inside too: averages of bytes are computed in them.
#[test]
fn kernels_that_compute_with_floats_say_so() {
    let said = |name: &str| all().iter().any(|code| code.spec().name == name && code.spec().floats);
    assert!(["relu", "weighted_average", "magnitude"].iter().all(|name| said(name)));
    assert!(["abs_diff", "gaussian3x3", "median3x3"].iter().all(|name| !said(name)));
    for spec in all().iter().map(|code| code.spec()) {
        let is_float = |element| element == ElementType::F32;
        let read = spec.arguments.iter().any(|argument| match &argument.kind {
            ArgumentKind::Input(input) => is_float(input.element),
            _ => false,
        });
        let written = spec.outputs.iter().any(|output| is_float(output.element));
        assert!(spec.floats || !(read || written), "{}", spec.name);
    }
}

/// Without borders, rows that do not fill a vector would be copied to fill one: a narrower vector reads the images themselves.
#[test]
fn narrow_images_are_given_narrow_vectors() {
    let input = TensorInfo::of::<u8>(&[64, 48]).unwrap();
    let output = TensorInfo::of::<u8>(&[32, 24]).unwrap();
    let configured = half_scale_nearest::configure(&input, &output).unwrap();
    let bodies = configured.plan().code().bodies().iter().filter(|body| body.index() == configured.index());
    let lanes = |tier: Tier| bodies.clone().find(|body| body.tier() == tier).unwrap().lanes();
    let can_fill =
        bodies.clone().any(|body| body.tier() > Tier::Scalar && body.tier().is_available() && body.lanes() <= 24);
    assert!(!can_fill || (2..=24).contains(&lanes(configured.tier())), "{}", configured.tier());
}

#[test]
fn every_operator_is_one_file_of_at_most_sixty_lines() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    // Functions are made of operators, in ordinary Rust.
    let folders = fs::read_dir(sources).unwrap().map(|entry| entry.unwrap().path());
    for folder in folders.filter(|path| path.is_dir() && !path.ends_with("functions")) {
        for file in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let lines = fs::read_to_string(&file).unwrap().lines().count();
            assert!(lines <= 60, "{} has {lines} lines", file.display());
        }
    }
}

/// The list is compared with the tests that this very binary holds.
#[test]
fn every_kernel_has_its_generated_tests() {
    let list = own_tests();
    let tested: BTreeSet<&str> = list
        .lines()
        .filter(|line| !line.starts_with("pipelines::"))
        .filter_map(|line| line.strip_suffix("::scalar: test")?.rsplit("::").next()?.strip_prefix("test_"))
        .collect();
    let listed: BTreeSet<&str> = all().iter().map(|code| code.spec().name).collect();
    assert_eq!(tested, listed, "the kernels with generated tests are not those in the list");
    for name in listed {
        for target in ["neon", "opencl"] {
            let test = format!("test_{name}::{target}: test");
            assert!(list.lines().any(|line| line.ends_with(&test)), "{name} has no generated test for {target}");
        }
    }
}

/// The names of the tests in this binary, which runs itself.
fn own_tests() -> String {
    let list = run_again(|command| {
        command.args(["--list", "--format=terse"]);
    });
    String::from_utf8(list.unwrap().stdout).unwrap()
}

/// The macro and the build script are two doors to one compiler.
#[cfg(feature = "opencl")]
#[test]
fn the_program_on_disk_is_the_embedded_one() {
    use windrow::code::OpenClImages;
    for code in all() {
        let name = code.spec().name;
        let path = Path::new(env!("OUT_DIR")).join(format!("{name}.cl"));
        let disk = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name} has no .cl: {error}"));
        assert!(disk == code.opencl().source, "{} differs from the text that the macro embedded", path.display());
        for entry in code.opencl().entries {
            assert!(disk.contains(entry.name), "{name}.cl has no entry point {}", entry.name);
        }
        let images = fs::read_to_string(path.with_extension("image.cl")).ok();
        let embedded = match code.opencl().images {
            OpenClImages::Emitted { source, .. } => Some(source),
            OpenClImages::None(_) => None,
        };
        assert!(images.as_deref() == embedded, "{name}.image.cl differs from what the macro embedded");
    }
}

/// `cargo test -- --nocapture specifications` prints the table of the library.
#[test]
fn specifications_can_be_read() {
    for code in all() {
        let line = describe(code.spec());
        println!("{line}");
        assert!(line.starts_with(code.spec().name) && line.contains("→"), "{line}");
    }
}

/// `gaussian3x3(src: u8 around x −1..=1, y −1..=1) → out: u8, step 16×4, 6 borders`
fn describe(spec: &KernelSpec) -> String {
    let pixel =
        |element, channels| if channels == 1 { format!("{element}") } else { format!("[{element}; {channels}]") };
    let argument = |argument: &windrow::spec::ArgumentSpec| {
        let kind = match &argument.kind {
            ArgumentKind::Input(input) => {
                let around = if input.neighbourhood() == NeighbourhoodSpec::default() {
                    String::new()
                } else {
                    let NeighbourhoodSpec { left, right, top, bottom } = input.neighbourhood();
                    format!(" around x {left}..={right}, y {top}..={bottom}")
                };
                let stride =
                    if input.stride() == (1, 1) { String::new() } else { format!(" at stride {:?}", input.stride()) };
                let place = if input.inout.is_some() { " in place" } else { "" };
                format!("{}{around}{stride}{place}", pixel(input.element, input.channels))
            }
            ArgumentKind::Uniform(uniform) => {
                let array: String = uniform.dims.iter().map(|dim| format!("[{dim}]")).collect();
                let bounds =
                    uniform.bounds.map_or(String::new(), |(least, greatest)| format!(" in {least}..={greatest}"));
                format!("uniform {}{array}{bounds}", uniform.element)
            }
            ArgumentKind::Table { element, length } => format!("table of {length} {element}"),
            ArgumentKind::Variant { enum_name, values } => format!("{enum_name} {{ {} }}", values.join(", ")),
        };
        format!("{}: {kind}", argument.name)
    };
    let output = |output: &windrow::spec::OutputSpec| {
        let optional = if output.optional { "?" } else { "" };
        format!("{}{optional}: {}", output.name, pixel(output.element, output.channels))
    };
    let arguments: Vec<_> = spec.arguments.iter().map(argument).collect();
    let outputs: Vec<_> = spec.outputs.iter().map(output).collect();
    let (x, y) = spec.step;
    let borders = if spec.borders.len() > 1 { format!(", {} borders", spec.borders.len()) } else { String::new() };
    format!("{}({}) → {}, step {x}×{y}{borders}", spec.name, arguments.join(", "), outputs.join(", "))
}
