//! The cache on whatever OpenCL device the machine has; silent where it has none.

use super::*;
use crate::{
    Argument, Buffer, Call, Context, LocalSize, OpenClError, SourceKernel, TuneApplied, TuneLevel, TuneMode,
    TuneSettings, Tuner,
};
use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
};

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

/// A context that keeps its programs in this folder.
fn context_over(folder: &Path) -> Option<Context> {
    let context = context()?;
    context.programs().set_folder(Some(CacheFolder::open(folder).unwrap()));
    Some(context)
}

/// A kernel that writes a value into every byte.
fn fill(value: u8) -> ProgramSource {
    let text = format!("__kernel void fill(__global uchar *a) {{ a[get_global_id(0)] = {value}; }}");
    ProgramSource::new("fill", text)
}

/// What the kernel writes.
fn run(context: &Context, source: &ProgramSource) -> Result<Vec<u8>, OpenClError> {
    let kernel = SourceKernel::new(context, source, "fill")?;
    let buffer = Buffer::from_bytes(context, &[0; 8])?;
    // SAFETY: a work-item for each byte.
    unsafe { kernel.run(&[Argument::Buffer(&buffer)], [8, 1, 1]) }?;
    let mut bytes = vec![0; 8];
    buffer.read(0, &mut bytes)?;
    Ok(bytes)
}

#[test]
fn a_stored_program_is_not_compiled_again() {
    let place = tempfile::tempdir().unwrap();
    let Some(first) = context_over(place.path()) else { return };
    assert_eq!(run(&first, &fill(7)).unwrap(), [7; 8]);
    assert_eq!((first.programs().report().builds, first.programs().report().saved), (1, 1));
    let second = context_over(place.path()).unwrap();
    assert!(!second.programs().is_warm(&fill(7)).unwrap());
    let before = second.driver().counters();
    assert_eq!(run(&second, &fill(7)).unwrap(), [7; 8]);
    assert_eq!(run(&second, &fill(7)).unwrap(), [7; 8]);
    let made = second.driver().counters().since(&before);
    assert_eq!((made.calls(Call::CreateProgramWithSource), made.calls(Call::CreateProgramWithBinary)), (0, 1));
    let report = second.programs().report();
    assert_eq!((report.builds, report.from_folder, report.from_memory), (0, 1, 1));
    assert!(second.programs().is_warm(&fill(7)).unwrap());
}

/// Drivers abort on some of these: none may get that far.
#[test]
fn damaged_files_are_compiled_again() {
    let place = tempfile::tempdir().unwrap();
    let Some(first) = context_over(place.path()) else { return };
    run(&first, &fill(8)).unwrap();
    let file = fs::read_dir(place.path()).unwrap().next().unwrap().unwrap().path();
    let whole = fs::read(&file).unwrap();
    let flipped = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        bytes
    };
    let damaged =
        [Vec::new(), whole[..60].to_vec(), whole[..whole.len() - 1].to_vec(), flipped(9), flipped(whole.len() / 2)];
    for bytes in damaged {
        fs::write(&file, bytes).unwrap();
        let context = context_over(place.path()).unwrap();
        assert_eq!(run(&context, &fill(8)).unwrap(), [8; 8]);
        let report = context.programs().report();
        assert_eq!((report.builds, report.rejected.len(), report.saved), (1, 1, 1), "{report:?}");
    }
}

#[test]
fn a_pack_gives_programs_without_their_compiler() {
    let place = tempfile::tempdir().unwrap();
    let Some(first) = context() else { return };
    let file = place.path().join("kernels.pack");
    let records = [1, 2].map(|value| first.programs().record(&fill(value)).unwrap());
    Pack::write(&file, &records).unwrap();
    let second = context().unwrap();
    // SAFETY: written by this test.
    second.programs().add_pack(unsafe { Pack::open(&file) }.unwrap());
    assert_eq!(run(&second, &fill(2)).unwrap(), [2; 8]);
    assert_eq!((second.programs().report().from_packs, second.programs().report().builds), (1, 0));
    // Another device's pack: from the source, and told.
    let mut foreign = records[0].clone();
    foreign.key.device.driver_version.push('!');
    Pack::write(&file, [&foreign]).unwrap();
    let third = context().unwrap();
    // SAFETY: written by this test.
    third.programs().add_pack(unsafe { Pack::open(&file) }.unwrap());
    assert_eq!(run(&third, &fill(1)).unwrap(), [1; 8]);
    let rejected = third.programs().report().rejected;
    assert!(rejected[0].reason.to_string().contains("driver version"), "{rejected:?}");
}

#[test]
fn failures_of_calls_are_errors_and_the_next_call_works() {
    let place = tempfile::tempdir().unwrap();
    let Some(context) = context_over(place.path()) else { return };
    for call in [Call::CreateProgramWithSource, Call::BuildProgram, Call::CreateKernel] {
        context.programs().clear_memory();
        context.programs().folder().unwrap().clear().unwrap();
        let before = context.driver().counters().live();
        context.driver().fail(call, 0, -6);
        // A program that can't be made into a binary is one that can't be saved.
        let outcome = run(&context, &fill(3));
        let told = outcome.is_err() || !context.programs().report().unsaved.is_empty();
        assert!(told, "{call}");
        context.programs().clear_memory();
        assert_eq!(context.driver().counters().live(), before, "{call}");
        assert_eq!(run(&context, &fill(3)).unwrap(), [3; 8], "{call}");
        context.programs().clear_memory();
    }
    // What the driver refuses of the folder is built.
    run(&context, &fill(3)).unwrap();
    context.programs().clear_memory();
    context.driver().fail(Call::CreateProgramWithBinary, 0, -42);
    assert_eq!(run(&context, &fill(3)).unwrap(), [3; 8]);
    assert!(matches!(context.programs().report().rejected[0].reason, Rejection::Refused(_)));
}

#[test]
fn a_build_error_leads_to_the_authors_line() {
    let Some(context) = context() else { return };
    let source = ProgramSource::new("k", "__kernel void k(__global int *a)\n{\n    a[0] = unknown_name;\n}\n");
    let source = source.with_lines(LineTable::parse("src/ops.rs", "1:40 3:41"));
    let error = context.programs().get(&source).unwrap_err();
    let BuildError::Refused { messages, kernel, .. } = &error else { panic!("{error}") };
    let author = messages.first().and_then(|message| message.author.as_ref());
    let author = author.unwrap_or_else(|| panic!("{error}"));
    assert_eq!((kernel.as_str(), author.file.as_str(), author.line), ("k", "src/ops.rs", 41));
    assert!(error.to_string().contains("src/ops.rs:41: error: "), "{error}");
    assert!(!context.programs().is_warm(&source).unwrap());
}

#[test]
fn programs_are_built_ahead() {
    let Some(context) = context() else { return };
    let broken = ProgramSource::new("k", "__kernel void k(");
    let built = context.programs().warm_up(&[fill(4), broken, fill(5)], 2);
    assert_eq!(built.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true]);
    let before = context.driver().counters();
    assert_eq!(run(&context, &fill(4)).unwrap(), [4; 8]);
    assert_eq!(context.driver().counters().since(&before).builds(), 0);
}

#[test]
fn work_groups_are_checked_when_they_are_set() {
    let Some(context) = context() else { return };
    let mut kernel = SourceKernel::new(&context, &fill(6), "fill").unwrap();
    assert!(matches!(kernel.set_local_size(LocalSize::Fixed(0, 1)), Err(OpenClError::LocalSize(_))));
    assert!(matches!(kernel.set_local_size(LocalSize::Fixed(1 << 20, 1 << 10)), Err(OpenClError::LocalSize(_))));
    assert_eq!(kernel.local_size(), LocalSize::Driver);
    kernel.set_local_size(LocalSize::Fixed(4, 1)).unwrap();
    assert_eq!(kernel.local_size(), LocalSize::Fixed(4, 1));
    // SAFETY: the call is refused.
    assert!(unsafe { kernel.run(&[], [8, 1, 1]) }.is_err());
}

#[test]
fn a_kernel_written_by_hand_is_tuned_and_noted() {
    let Some(context) = context() else { return };
    let mut kernel = SourceKernel::new(&context, &fill(9), "fill").unwrap();
    // Room for the work-items that rounding up adds.
    let buffer = Buffer::from_bytes(&context, &[0; 64]).unwrap();
    let settings = TuneSettings { samples: 1, launches: 12, ..TuneSettings::new(TuneLevel::Normal) };
    let mut tuner = Tuner::new(TuneMode::Tune, settings);
    // SAFETY: no group of powers of two makes more than 64 work-items of 64.
    let applied = unsafe { kernel.tune(&mut tuner, &[Argument::Buffer(&buffer)], [64, 1, 1]) }.unwrap();
    assert!(matches!(applied, TuneApplied::Tuned(outcome) if outcome.launches <= 12));
    assert_eq!(tuner.table().len(), 1);
    context.set_profiling(true).unwrap();
    // SAFETY: as above.
    unsafe { kernel.run(&[Argument::Buffer(&buffer)], [64, 1, 1]) }.unwrap();
    let profile = context.profiler().take().unwrap();
    assert_eq!((profile.launches.len(), profile.launches[0].kernel.as_str()), (1, "fill"));
    let mut bytes = [0; 64];
    buffer.read(0, &mut bytes).unwrap();
    assert_eq!(bytes, [9; 64]);
}

/// The variable that makes a process of this test one that fills the folder which it names.
const FOLDER: &str = "WINDROW_TEST_CACHE_FOLDER";

/// Two processes over one folder, which is too small for all of their programs: each gets what it asked for.
#[test]
fn processes_share_a_folder() {
    if let Some(folder) = env::var_os(FOLDER) {
        let context = context().unwrap();
        context.programs().set_folder(Some(CacheFolder::with_bound(folder, 90_000).unwrap()));
        for round in 0..4 {
            context.programs().clear_memory();
            let value = 10 + round % 2;
            assert_eq!(run(&context, &fill(value)).unwrap(), [value; 8]);
        }
        let report = context.programs().report();
        assert_eq!(report.rejected, []);
        return;
    }
    if context().is_none() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let start = || {
        let mut command = Command::new(env::current_exe().unwrap());
        let name = "program::tests::processes_share_a_folder";
        command.args(["--exact", name]).env(FOLDER, place.path()).stdout(Stdio::piped()).spawn().unwrap()
    };
    let processes = [start(), start()];
    for process in processes {
        let output = process.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && told.contains("1 passed"), "{told}");
    }
    let folder = CacheFolder::with_bound(place.path(), 90_000).unwrap();
    assert!(folder.size().unwrap() <= 90_000);
}
