//! Programs that a child process tries first, on whatever OpenCL device the machine has: what becomes of the child is told,
//! and this process lives. Silent where the machine has no device.
//!
//! The drivers that fail are the machine's own with one call replaced, loaded by the child alone.

#![cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
    time::Duration,
};

use windrow_opencl::{
    Argument, Buffer, CacheFolder, Context, DeviceIdentity, OpenClError, PROBE_VARIABLE, Probe, ProbeEnd, ProbeFailure,
    ProbeStep, ProbeVerdict, ProgramSource, SourceKernel, Trial, TrialArgument, probe_main,
};

const FILL: &str = "__kernel void fill(__global uchar *a, uchar value) { a[get_global_id(0)] = value; }
__kernel void clear(__global uchar *a, uchar value) { a[get_global_id(0)] = 0; }";

fn context() -> Option<Context> {
    match Context::open() {
        Ok(context) => Some(context),
        Err(error) if error.is_absence() => {
            eprintln!("not run: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// In a process of its own: what an application does first in `main`.
#[test]
#[ignore = "the other tests run it, each in its own surroundings"]
fn answers_its_parent() {
    probe_main();
}

fn child() -> Probe {
    let command = Probe::this_executable().unwrap().with_limit(Duration::from_secs(100));
    ["--exact", "answers_its_parent", "--ignored", "--nocapture"].into_iter().fold(command, Probe::with_argument)
}

/// A child whose driver fails so in the call `call`.
fn failing_child(call: &str, how: &str) -> Option<Probe> {
    let library = LIBRARIES.as_ref()?.iter().find(|library| library.ends_with(format!("lib{call}.so")))?;
    Some(child().with_variable("OPENCL_DYLIB_PATH", library).with_variable("WINDROW_DRIVER", how))
}

/// The drivers that fail; none where the loader's library can't be linked.
static LIBRARIES: LazyLock<Option<[PathBuf; 2]>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("probe");
    std::fs::create_dir_all(&folder).unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/failing.rs");
    let libraries = ["build", "launch"].map(|call| {
        let library = folder.join(format!("lib{call}.so"));
        let mut command = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        command.args(["--edition", "2024", "--crate-type", "cdylib", "--cfg", call, "-o"]).arg(&library).arg(&source);
        command.args(["-C", "link-arg=-Wl,--no-as-needed", "-C", "link-arg=-l:libOpenCL.so.1"]);
        let output = command.output().unwrap();
        let is_made = output.status.success();
        if !is_made {
            eprintln!("not run: {}", String::from_utf8_lossy(&output.stderr));
        }
        is_made.then_some(library)
    });
    let [build, launch] = libraries;
    Some([build?, launch?])
});

fn fill(trial: Option<Trial>) -> ProgramSource {
    ProgramSource { trial, ..ProgramSource::new("fill", FILL) }
}

fn two_arguments() -> Trial {
    Trial::new([TrialArgument::Memory(64), TrialArgument::Value(vec![7])]).with_items([64, 1, 1])
}

fn failure(result: Result<impl Sized, OpenClError>) -> ProbeFailure {
    match result {
        Err(OpenClError::Probe { kernel, device, failure }) => {
            assert!(kernel == "fill" && !device.is_empty());
            *failure
        }
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it was built"),
    }
}

#[test]
fn a_good_program_is_tried_once_and_runs() {
    let Some(first) = context() else { return };
    let place = tempfile::tempdir().unwrap();
    let folder = CacheFolder::open(place.path()).unwrap();
    let source = fill(Some(two_arguments()));
    for (context, probes) in [(first, 1), (context().unwrap(), 0)] {
        context.programs().set_folder(Some(folder.clone()));
        context.programs().set_probe(Some(child()));
        let kernel = SourceKernel::new(&context, &source, "fill").unwrap();
        let buffer = Buffer::new(&context, 9).unwrap();
        // SAFETY: a work-item a byte.
        unsafe { kernel.run(&[Argument::Buffer(&buffer), Argument::Value(&[5])], [9, 1, 1]) }.unwrap();
        let mut bytes = [0; 9];
        buffer.read(0, &mut bytes).unwrap();
        let report = context.programs().report();
        assert_eq!((bytes, report.probes, report.rejected), ([5; 9], probes, Vec::new()));
    }
}

/// Entry points are launched as the author says, and not at all where nothing is said.
#[test]
fn what_was_launched_is_told() {
    let Some(context) = context() else { return };
    let probe = |source: &ProgramSource| context.programs().probe(&child(), source).unwrap();
    assert_eq!(probe(&fill(None)), ProbeVerdict::Survived { launches: 0 });
    assert_eq!(probe(&fill(Some(two_arguments()))), ProbeVerdict::Survived { launches: 2 });
    let one = two_arguments().with_entry("clear");
    assert_eq!(probe(&fill(Some(one))), ProbeVerdict::Survived { launches: 1 });
    // Arguments that are none of this kernel's.
    let wrong = context.programs().probe(&child(), &fill(Some(Trial::new([]))));
    assert!(matches!(failure(wrong).end, ProbeEnd::Failed(error) if error.contains("arguments on trial")));
}

#[test]
fn a_driver_that_ends_its_process_is_survived_and_remembered() {
    let Some(_) = context() else { return };
    let building = ProbeStep::Building;
    let running = ProbeStep::Running("fill".into());
    let cases = [
        ("build", "abort", &building, ProbeEnd::Signal(6)),
        ("build", "crash", &building, ProbeEnd::Signal(11)),
        ("build", "exit", &building, ProbeEnd::Exit(7)),
        ("launch", "abort", &running, ProbeEnd::Signal(6)),
    ];
    for (call, how, step, end) in cases {
        let Some(probe) = failing_child(call, how) else { return };
        let place = tempfile::tempdir().unwrap();
        let folder = CacheFolder::open(place.path()).unwrap();
        let source = fill(Some(two_arguments()));
        let context = context().unwrap();
        context.programs().set_folder(Some(folder.clone()));
        context.programs().set_probe(Some(probe));
        let found = failure(context.programs().get(&source));
        assert_eq!((&found.step, &found.end), (step, &end), "{found}");
        assert_eq!(found.said.contains("assertion failed in the compiler"), how == "abort", "{found}");
        // A later process doesn't ask again, and a better driver would have another identity.
        let later = self::context().unwrap();
        later.programs().set_folder(Some(folder));
        later.programs().set_probe(Some(child()));
        assert_eq!(failure(later.programs().get(&source)), found);
        assert_eq!((context.programs().report().probes, later.programs().report().probes), (1, 0));
        // This process's driver was never asked, and works.
        assert_eq!(context.driver().counters().builds(), 0);
        context.programs().set_probe(None);
        context.programs().get(&source).unwrap();
    }
}

#[test]
fn a_driver_that_hangs_is_ended_in_time() {
    let Some(context) = context() else { return };
    let Some(probe) = failing_child("build", "hang") else { return };
    let probe = probe.with_limit(Duration::from_secs(3));
    let found = failure(context.programs().probe(&probe, &fill(None)));
    // A machine that is busy may not get so far in this time.
    assert!(matches!(found.end, ProbeEnd::TimeOut | ProbeEnd::NotAProbe(_)), "{found}");
    assert!(found.time >= Duration::from_secs(3) && found.time < Duration::from_secs(30), "{found}");
}

/// Failures that are the driver's way of saying no: nothing is remembered.
#[test]
fn a_driver_that_refuses_has_the_last_word_here() {
    let Some(context) = context() else { return };
    let Some(probe) = failing_child("build", "refuse") else { return };
    context.programs().set_probe(Some(probe));
    context.programs().get(&fill(None)).unwrap();
    let Some(probe) = failing_child("launch", "refuse") else { return };
    let found = failure(context.programs().probe(&probe, &fill(None)));
    assert!(matches!(&found.end, ProbeEnd::Failed(error) if error.contains("CL_OUT_OF_HOST_MEMORY")), "{found}");
    // Nor does a signal from outside say anything of the driver.
    let Some(probe) = failing_child("launch", "be killed") else { return };
    let found = failure(context.programs().probe(&probe, &fill(None)));
    assert_eq!(found.end, ProbeEnd::Signal(9), "{found}");
    context.programs().get(&fill(None)).unwrap();
    let source = ProgramSource::new("k", "__kernel void k(void) { unknown_name(); }");
    context.programs().set_probe(Some(child()));
    assert!(matches!(context.programs().get(&source), Err(OpenClError::Build { .. })));
}

#[test]
fn a_command_that_is_no_probe_is_named_and_not_remembered() {
    let Some(context) = context() else { return };
    let place = tempfile::tempdir().unwrap();
    context.programs().set_folder(Some(CacheFolder::open(place.path()).unwrap()));
    let commands = [
        (Probe::command("/nonexistent/windrow"), "cannot start `/nonexistent/windrow`"),
        (Probe::command("/bin/echo").with_argument("WINDROWA rubbish"), "ended with status 0 without an answer"),
        (Probe::command("/bin/false"), "ended with status 1 without an answer"),
        (Probe::command("/bin/sleep").with_argument("100").with_limit(Duration::from_millis(200)), "not done in time"),
        (Probe::command("/usr/bin/yes").with_limit(Duration::from_millis(200)), "not done in time"),
    ];
    for (command, expected) in commands {
        context.programs().set_probe(Some(command));
        let found = failure(context.programs().get(&fill(None)));
        assert!(matches!(&found.end, ProbeEnd::NotAProbe(what) if what.contains(expected)), "{found}");
    }
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
    context.programs().set_probe(None);
    context.programs().get(&fill(None)).unwrap();
}

/// In a process of its own, whose parent took it for a probe.
#[test]
#[ignore = "another test runs it"]
fn asks_though_it_is_a_child() {
    let Some(context) = context() else { return };
    let found = failure(context.programs().probe(&child(), &fill(None)));
    assert!(matches!(&found.end, ProbeEnd::NotAProbe(what) if what.contains("`probe_main` first")), "{found}");
}

/// An application that forgets to call `probe_main` would start itself without end.
#[test]
fn a_child_starts_no_children() {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "asks_though_it_is_a_child", "--ignored"]).env(PROBE_VARIABLE, "1");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn another_device_in_the_place_is_no_verdict() {
    let Some(context) = context() else { return };
    let mut caps = context.device().caps.clone();
    caps.driver_version.push_str(" (another)");
    assert_ne!(DeviceIdentity::of(&caps), DeviceIdentity::of(context.device()));
    let other = Context::new(&context.device().pretending(caps)).unwrap();
    let found = failure(other.programs().probe(&child(), &fill(None)));
    assert!(matches!(&found.end, ProbeEnd::Elsewhere(what) if what.contains("driver version")), "{found}");
}
