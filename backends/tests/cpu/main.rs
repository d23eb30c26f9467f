//! The vector and the scalar bodies, compiled and run, AArch64's under an emulator: equal to each other and to the
//! interpreter of the IR, for every operation, type and shape of memory, and for random bodies.

mod avx512;
mod data;
mod dots;
mod kernels;
mod library;
mod loops;
mod machine;
mod make;
mod mutants;
mod neighbours;
mod pairs;
mod random;
mod rows;
mod scans;
mod signatures;
mod sources;
mod stencils;
mod turns;
mod twins;

use machine::{AARCH64, Machine, Processor, X86_64};
use make::Subject;
use windrow_backends::doors::assembly::main_loop;
use windrow_backends::neon::TARGET as NEON;
use windrow_backends::x86::{AVX2_TARGET as AVX2, SSE41_TARGET as SSE41};

fn check(name: &str, subjects: &[Subject]) {
    for processor in [&X86_64, &AARCH64] {
        check_on(processor, name, subjects);
    }
}

fn check_on(processor: &'static Processor, name: &str, subjects: &[Subject]) {
    // What is shown is what a body's text means. A program that is not optimised is compiled in half the time; an emulator takes longer
    // to run it than that saves.
    let is_full = std::env::var("WINDROW_TEST").is_ok_and(|mode| mode == "full");
    let level = if is_full || processor.runner().is_some() { "1" } else { "0" };
    let Some(machine) = Machine::new(processor, name, level) else { return };
    match machine.run(name, subjects) {
        Ok(report) => println!("{report}"),
        Err(report) => panic!("{report}"),
    }
}

#[test]
fn operations_on_one_value_are_equal() {
    check("unary", &kernels::unary());
}

#[test]
fn operations_on_two_values_are_equal() {
    check("binary", &kernels::binary());
}

#[test]
fn conversions_are_equal() {
    check("casts", &kernels::casts());
}

#[test]
fn kernels_of_long_elements_are_equal() {
    let subjects = kernels::long();
    assert_eq!(subjects.len(), 7);
    check("long", &subjects);
}

#[test]
fn elementary_functions_are_equal() {
    check("functions", &kernels::functions());
}

#[test]
fn truth_values_are_equal() {
    check("truths", &kernels::truths());
}

#[test]
fn tables_coordinates_and_words_are_equal() {
    check("others", &kernels::others());
}

#[test]
fn loops_at_run_time_are_equal() {
    let subjects = turns::subjects();
    assert_eq!(subjects.len(), 38);
    check("turns", &subjects);
}

#[test]
fn loops_at_run_time_are_equal_in_blocks() {
    let in_block = |subject: Subject| Subject { block: Some(windrow_dsl::ir::Block { x: 2, y: 3 }), ..subject };
    let subjects: Vec<Subject> = turns::subjects().into_iter().map(in_block).collect();
    check("turns_in_blocks", &subjects);
}

#[test]
fn reads_anywhere_are_equal() {
    let subjects = kernels::whole();
    assert_eq!(subjects.len(), 19);
    check("whole", &subjects);
}

#[test]
fn pixels_and_strides_are_equal() {
    check("memory", &kernels::memory());
}

#[test]
fn operators_over_windows_are_equal_in_all_schedules() {
    check("stencils", &stencils::subjects());
}

#[test]
fn sums_of_products_are_equal() {
    check(
        "pairs",
        &[
            pairs::of_bytes(),
            pairs::of_multiplied_sums(),
            pairs::of_words(),
            pairs::of_widened_products(),
            pairs::rounded(),
        ]
        .concat(),
    );
}

#[test]
fn neighbours_are_equal() {
    check("neighbours", &[neighbours::pairs(), neighbours::windows()].concat());
}

/// What lies side by side is loaded as it lies: nothing is taken apart, and put together again.
#[test]
fn neighbours_are_combined_as_they_lie() {
    let box_filter = "#[kernel] pub fn k(#[stride(2, 2)] src: Neighbourhood<u8>) -> u8 { \
                      let row = |dy| src.at(0, dy) as u16 + src.at(1, dy) as u16; ((row(0) + row(1) + 2) >> 2) as u8 }";
    let commuted = "#[kernel] pub fn k(#[stride(2, 2)] a: Neighbourhood<u8>) -> u8 { let p = |x, y| a.at(x, y) as i32; \
                    ((2 + p(1, 1) + p(0, 0) + (p(0, 1) + p(1, 0))) / 4) as u8 }";
    let greatest = "#[kernel] pub fn k(#[stride(2, 2)] a: Neighbourhood<u8>) -> u8 { \
                    a.at(0, 0).max(a.at(1, 1)).max(a.at(1, 0).max(a.at(0, 1))) }";
    let words = "#[kernel] pub fn k([re, im]: [i16; 2]) -> i32 { 3 * (re as i32) - 5 * (im as i32) }";
    let text = |target: &windrow_backends::targets::CpuTarget, source: &str| {
        let kernel = &windrow_dsl::compile_file(source).kernels[0].kernel;
        (target.emit)(kernel, &windrow_dsl::optimise::prepare(kernel), 0, "body", None).unwrap().text
    };
    let calls = |text: &str, name: &str| signatures::called(text).filter(|called| called.contains(name)).count();
    for source in [box_filter, commuted] {
        let neon = text(&NEON, source);
        assert_eq!(calls(&neon, "vld2q"), 0, "{neon}");
        assert_eq!(calls(&neon, "vpaddlq_u8"), calls(&neon, "vpadalq_u8"), "{neon}");
    }
    for target in X86_64.targets() {
        for (source, instruction) in [(box_filter, "maddubs"), (commuted, "maddubs"), (words, "madd_epi16")] {
            let text = text(target, source);
            assert!(calls(&text, instruction) > 0, "{text}");
            assert_eq!(calls(&text, "shuffle") + calls(&text, "unpack"), 0, "{text}");
        }
    }
    let neon = text(&NEON, greatest);
    assert!(calls(&neon, "vpmaxq_u8") > 0 && calls(&neon, "vld2q") == 0, "{neon}");
}

/// What is multiplied in pairs on x86 is so wherever that is right.
#[test]
fn products_are_paired() {
    for target in X86_64.targets() {
        let texts = |subjects: Vec<Subject>, word: &str| {
            let is_paired = |subject: &&Subject| machine::fast(target, subject, "body").text.contains(word);
            let names: Vec<String> = subjects.iter().filter(is_paired).map(|subject| subject.name.clone()).collect();
            (names, subjects.len())
        };
        let (bytes, all_bytes) = texts(pairs::of_bytes(), "maddubs");
        assert!(all_bytes - bytes.len() <= 8, "{bytes:?} of {all_bytes}");
        assert!(!bytes.iter().any(|name| name.starts_with("[127, 2]") || name.starts_with("[-128, -1]")), "{bytes:?}");
        let (multiplied, all_multiplied) = texts(pairs::of_multiplied_sums(), "maddubs");
        assert!(multiplied.len() * 2 > all_multiplied, "{multiplied:?} of {all_multiplied}");
        let (words, all_words) = texts(pairs::of_words(), "madd_epi16");
        assert!(words.len() * 2 > all_words, "{words:?} of {all_words}");
        assert!(!words.iter().any(|name| name.contains("of U16")), "{words:?}");
        let (widened, all_widened) = texts(pairs::of_widened_products(), "madd_epi16");
        assert!(widened.len() * 2 > all_widened, "{widened:?}");
        assert!(!widened.iter().any(|name| name.starts_with('1')), "{widened:?}");
        let (rounded, _) = texts(pairs::rounded(), "mulhrs");
        assert!(rounded.len() >= 16, "{rounded:?}");
    }
}

#[test]
fn random_bodies_are_equal() {
    check("random", &random::bodies(120, 30));
}

/// Every body without an exemption, at full optimisation: nothing in its loop is scalar work on elements.
#[test]
fn loops_hold_no_scalar_work() {
    let Some(machine) = Machine::new(&AARCH64, "loops", "3") else { return };
    let subjects = [kernels::unary(), kernels::casts(), kernels::truths(), kernels::elements()].concat();
    let functions: Vec<String> = (0..subjects.len()).map(|index| format!("body_{index}")).collect();
    let text: String = subjects
        .iter()
        .zip(&functions)
        .map(|(subject, name)| machine::visible(&machine::fast(&NEON, subject, name).text))
        .collect();
    let assembly = machine.assembly("bodies", &text).unwrap_or_else(|error| panic!("{error}"));
    for (subject, function) in subjects.iter().zip(&functions) {
        let body = main_loop(&assembly, function);
        assert!(!body.is_empty(), "{}: no loop found", subject.name);
        let scalar: Vec<&&str> = body.iter().filter(|instruction| loops::is_scalar(instruction)).collect();
        assert!(scalar.is_empty(), "{}: {scalar:?}", subject.name);
    }
}

/// The same on x86.
#[test]
fn x86_loops_hold_no_scalar_work() {
    let Some(machine) = Machine::new(&X86_64, "loops", "3") else { return };
    let subjects = [kernels::unary(), kernels::truths(), kernels::elements()].concat();
    for target in X86_64.targets() {
        let functions: Vec<String> = (0..subjects.len()).map(|index| format!("body_{index}")).collect();
        let text: String = subjects
            .iter()
            .zip(&functions)
            .map(|(subject, name)| machine::visible(&machine::fast(target, subject, name).text))
            .collect();
        let assembly = machine.assembly("bodies", &text).unwrap_or_else(|error| panic!("{error}"));
        for (subject, function) in subjects.iter().zip(&functions) {
            let body = main_loop(&assembly, function);
            assert!(!body.is_empty(), "{}: no loop found", subject.name);
            let scalar: Vec<&&str> = body.iter().filter(|instruction| loops::is_scalar_on_x86(instruction)).collect();
            assert!(scalar.is_empty(), "{} {}: {scalar:?}", target.name, subject.name);
        }
    }
}

/// Tables of 16 bits are looked up without a call, on every tier; an entry that is the same for the whole run before the loop.
#[test]
fn tables_are_looked_up_in_the_loop() {
    let Some(machine) = Machine::new(&X86_64, "tables", "3") else { return };
    let source = "#[kernel] pub fn curve(x: u16, t: Table<u16, 65536>) -> u16 { t[x] }
                  #[kernel] pub fn wide(x: u8, t: Table<i16, 1024>) -> i16 { t[x] }
                  #[kernel] pub fn fixed(x: u16, t: Table<u16, 1024>, #[uniform] k: u8) -> u16 { x.wrapping_add(t[7]) ^ t[k] }";
    let compiled = windrow_dsl::compile_file(source);
    assert!(compiled.errors.is_empty(), "{}", compiled.errors[0].message);
    for target in X86_64.targets() {
        for kernel in compiled.kernels.iter().map(|compiled| &compiled.kernel) {
            let prepared = windrow_dsl::optimise::prepare(kernel);
            let body = (target.emit)(kernel, &prepared, 0, "body", None).unwrap();
            assert!(!body.text.contains("_min_"), "{} {}: bounded by its type", target.name, kernel.name);
            // One would not be inlined into a function of the library, which lacks the target's features.
            assert!(!body.text.contains("|index|"), "{} {}: a closure", target.name, kernel.name);
            let assembly = machine.assembly("tables", &machine::visible(&body.text)).unwrap();
            // Before the loop, a row that is missing panics.
            let is_call = |line: &&str| line.trim_start().starts_with("call") && !line.contains("panic_bounds_check");
            assert_eq!(assembly.lines().filter(is_call).count(), 0, "{} {}", target.name, kernel.name);
            if kernel.name == "fixed" {
                let body = main_loop(&assembly, "body");
                let scalar: Vec<&&str> = body.iter().filter(|line| loops::is_scalar_on_x86(line)).collect();
                assert!(!body.is_empty() && scalar.is_empty(), "{}: {scalar:?}", target.name);
            }
        }
    }
}

/// What an author writes costs no more instructions than it should.
#[test]
fn loops_are_short() {
    let Some(machine) = Machine::new(&AARCH64, "short", "3") else { return };
    for (source, most) in sources::KERNELS {
        let (name, cost, text) = cost(&machine, source);
        println!("{name}: {cost:.2} instructions for 16 elements");
        assert!(cost <= *most, "{name}: {cost} > {most}\n{text}");
    }
}

/// The name of a kernel, its instructions for 16 elements, and its loop.
fn cost(machine: &Machine, source: &str) -> (String, f64, String) {
    let compiled = windrow_dsl::compile_file(source);
    let errors: Vec<&str> = compiled.errors.iter().map(|error| error.message.as_str()).collect();
    assert!(errors.is_empty(), "{source}: {errors:?}");
    let kernel = &compiled.kernels[0].kernel;
    let prepared = windrow_dsl::optimise::prepare(kernel);
    let body = (NEON.emit)(kernel, &prepared, 0, "body", None).unwrap();
    let assembly = machine.assembly("short", &machine::visible(&body.text)).unwrap_or_else(|error| panic!("{error}"));
    let instructions = main_loop(&assembly, "body");
    let scalar: Vec<&&str> = instructions.iter().filter(|instruction| loops::is_scalar(instruction)).collect();
    assert!(scalar.is_empty(), "{}: {scalar:?}", kernel.name);
    let cost = instructions.len() as f64 * 16.0 / f64::from(body.columns * body.rows);
    (kernel.name.clone(), cost, instructions.join("\n"))
}

/// Plain `i32` costs what the narrowest lanes cost, within 5 %.
#[test]
fn natural_arithmetic_costs_no_more() {
    let Some(machine) = Machine::new(&AARCH64, "natural", "3") else { return };
    let mut wrong = Vec::new();
    for (name, natural, narrow) in twins::TWINS {
        let ((_, natural, text), (_, narrow, _)) = (cost(&machine, natural), cost(&machine, narrow));
        println!("{name}: {natural:.2} instructions for 16 elements, {narrow:.2} by hand");
        if natural > narrow * 1.05 {
            wrong.push(format!("{name}: {natural} > {narrow}\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every row of the tables is chosen for each of its types, and is right there.
#[test]
fn rows_are_chosen_and_equal() {
    let uses = rows::all();
    for used in &uses {
        let text = machine::fast(&NEON, &used.subject, "body").text;
        assert!(text.contains(&rows::named(used.intrinsic)), "{}: not chosen\n{text}", used.subject.name);
    }
    check_on(&AARCH64, "rows", &uses.into_iter().map(|used| used.subject).collect::<Vec<_>>());
}

/// The tests bite: with another row of its signature in its place, a row is found wrong.
#[test]
fn swapped_rows_are_caught() {
    let Some(machine) = Machine::new(&AARCH64, "mutants", "1") else { return };
    let uses = rows::all();
    let subjects: Vec<Subject> = uses.iter().map(|used| used.subject.clone()).collect();
    let swap = |index: usize, text: &str| rows::mutate(text, uses[index].intrinsic, uses[index].instead);
    let report = match machine.run_changed("mutants", &subjects, &swap) {
        Ok(report) | Err(report) => report,
    };
    let caught = |name: &str| report.lines().any(|line| line.starts_with(&format!("{name}: ")));
    let survivors: Vec<&str> =
        subjects.iter().map(|subject| subject.name.as_str()).filter(|name| !caught(name)).collect();
    assert!(report.contains(&format!("{} cases", subjects.len())), "{report}");
    assert!(survivors.is_empty(), "{} of {} survive: {survivors:#?}", survivors.len(), subjects.len());
}

/// The same for the rows of x86's tables.
#[test]
fn swapped_x86_rows_are_caught() {
    swapped_rows_are_caught_on(&X86_64);
}

fn swapped_rows_are_caught_on(processor: &'static Processor) {
    let Some(machine) = Machine::new(processor, "x86_mutants", "0") else { return };
    let mut wrong = Vec::new();
    for target in processor.targets() {
        let uses = rows::x86(target);
        let not_chosen = |used: &&rows::X86Use| {
            let text = machine::fast(target, &used.subject, "body").text;
            !signatures::called(&text).any(|name| name == used.intrinsic)
        };
        wrong.extend(uses.iter().filter(not_chosen).map(|used| format!("not chosen: {}", used.subject.name)));
        let subjects: Vec<Subject> = uses.iter().map(|used| used.subject.clone()).collect();
        let swap = |index: usize, text: &str| signatures::replaced(text, &uses[index].intrinsic, &uses[index].instead);
        let machine = machine.clone().only(target);
        let (Ok(report) | Err(report)) = machine.run_changed(&format!("rows_{}", target.tier), &subjects, &swap);
        assert!(report.contains(&format!("{} cases, ", subjects.len())), "{report}");
        let is_caught = |subject: &&Subject| !report.contains(&format!("{}: output", subject.name));
        wrong.extend(subjects.iter().filter(is_caught).map(|subject| format!("{}: {}", target.name, subject.name)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A `fast` kernel multiplies and adds at once where the machine does, and nowhere lane by lane.
#[test]
fn fast_kernels_are_contracted_where_it_pays() {
    let source = |options: &str| {
        format!("#[kernel{options}] pub fn k(a: f32, b: f32, #[uniform] w: f32) -> f32 {{ a * w + b / w }}")
    };
    let text = |target: &windrow_backends::targets::CpuTarget, options: &str| {
        let compiled = windrow_dsl::compile_file(&source(options));
        let kernel = &compiled.kernels[0].kernel;
        (target.emit)(kernel, &windrow_dsl::optimise::prepare(kernel), 0, "body", None).unwrap().text
    };
    for (target, fused, quotient) in [(&NEON, "vfmaq_f32", "vdivq_f32"), (&AVX2, "_mm256_fmadd_ps", "_mm256_div_ps")] {
        let (fast, exact) = (text(target, "(fast)"), text(target, ""));
        assert!(fast.contains(fused) && !fast.contains(quotient), "{fast}");
        assert!(!exact.contains(fused) && exact.contains(quotient), "{exact}");
    }
    assert!(!text(&SSE41, "(fast)").contains("mul_add"));
}

/// SSE4.1, which computes fused products lane by lane, has bodies of kernels with few of them; AVX2 has all.
#[test]
fn sse41_leaves_many_fused_products_to_plain_rust() {
    let bodies = |target: &windrow_backends::targets::CpuTarget, count: usize| {
        let products = ".mul_add(x, 0.5)".repeat(count);
        let compiled = windrow_dsl::compile_file(&format!("#[kernel] pub fn k(x: f32) -> f32 {{ x{products} }}"));
        let kernel = &compiled.kernels[0].kernel;
        target.bodies(kernel, &windrow_dsl::optimise::prepare(kernel)).unwrap().len()
    };
    assert_eq!([0, 4, 5].map(|count| bodies(&SSE41, count)), [1, 1, 0]);
    assert_eq!([0, 4, 5].map(|count| bodies(&AVX2, count)), [1, 1, 1]);
}
