//! Tunings and times of kernels on OpenCL devices, and programs read from a folder. Silent where the machine has no device.

use std::{env, fs, path::Path, process::Command, time::Duration};
use windrow::{
    Serial, Tensor, ValidRegion,
    opencl::{
        BuildError, CacheFolder, Call, Candidate, Context, ContextOptions, DeviceImage, Digest, Driver, InvalidFolder,
        KERNELS_VARIABLE, KernelFolder, LocalSize, ObjectKind, OpenClError, OpenClKernel, ProgramSource,
        SERIALISED_CALLS_VARIABLE, ShapeClass, TuneApplied, TuneKey, TuneLevel, TuneMode, TuneSettings, Tuner, Tuning,
    },
    prelude::*,
};

/// The greater of two elements.
#[kernel(schedule(opencl(4, 1), opencl(8, 2)))]
pub fn greater(a: u8, b: u8) -> u8 {
    a.max(b)
}

/// Adds in place.
#[kernel]
pub fn count_up(#[inout] sum: u8, #[uniform] by: u8) -> u8 {
    sum.wrapping_add(by)
}

/// Arguments of every kind. The first output may lie where `level` does, which only the other one is computed from.
#[kernel(neighbourhood(x = -1..=1, y = 0..=0), output(one, other?))]
pub fn of_all_kinds(src: Neighbourhood<u8>, level: u8, lut: Table<u8, 256>, #[uniform] by: u8) -> (u8, u8) {
    (lut[src.at(-1, 0)].max(src.at(1, 0)), level.wrapping_add(by))
}

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

fn image(seed: usize) -> Tensor<u8> {
    Tensor::from_fn([11, 37], |[y, x]| (x * 31 + y * 57 + seed * 101) as u8).unwrap()
}

fn upload(context: &Context, image: &Tensor<u8>) -> DeviceImage {
    DeviceImage::upload(context, &image.view().any()).unwrap()
}

fn read(image: &DeviceImage) -> Vec<u8> {
    let shape = image.info().shape();
    let mut out = Tensor::<u8>::new([shape.height(), shape.width()]).unwrap();
    image.download(&ValidRegion::whole(shape), &mut out.view_mut().any()).unwrap();
    out.to_vec()
}

/// A kernel on two images, with what it gives.
struct Case {
    kernel: OpenClKernel<greater>,
    inputs: [DeviceImage; 2],
    outputs: [Option<DeviceImage>; 1],
    expected: Vec<u8>,
}

impl Case {
    fn new(context: &Context) -> Self {
        let [a, b] = [image(1), image(2)];
        let configured = greater::configure(a.info(), b.info(), a.info()).unwrap();
        Self {
            kernel: OpenClKernel::new(context, configured).unwrap(),
            inputs: [&a, &b].map(|image| upload(context, image)),
            outputs: [Some(DeviceImage::new(context, a.info()).unwrap())],
            expected: a.to_vec().iter().zip(b.to_vec()).map(|(a, b)| *a.max(&b)).collect(),
        }
    }

    fn run(&self) -> Vec<u8> {
        self.kernel.run_on(&self.inputs, &[], &self.outputs).unwrap();
        read(self.outputs[0].as_ref().unwrap())
    }
}

/// A search of a few launches: PoCL compiles for each size of work-groups.
fn few_launches() -> TuneSettings {
    TuneSettings { samples: 2, launches: 24, ..TuneSettings::new(TuneLevel::Fast) }
}

#[test]
fn a_kernel_is_tuned_once_and_stays_right() {
    let Some(context) = context() else { return };
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("tunings.json");
    let mut case = Case::new(&context);
    let mut tuner = Tuner::new(TuneMode::Tune, few_launches());
    tuner.load(&file).unwrap();
    let applied = tuner.tune(&mut case.kernel, &case.inputs, &[], &case.outputs).unwrap();
    let TuneApplied::Tuned(outcome) = applied else { panic!("{applied:?}") };
    assert!(outcome.launches <= 24 && outcome.measured > 1, "{outcome:?}");
    assert!(case.kernel.tune_space().unwrap().allows(outcome.best));
    assert_eq!((case.kernel.schedule(), case.kernel.local_size()), (outcome.best.schedule, outcome.best.local));
    assert_eq!(case.run(), case.expected);
    tuner.save().unwrap();

    // Another process: the tuning is there, and nothing is launched for it.
    let mut later = Tuner::new(TuneMode::Load, few_launches());
    later.load(&file).unwrap();
    let mut other = Case::new(&context);
    let before = context.driver().counters();
    let applied = later.tune(&mut other.kernel, &other.inputs, &[], &other.outputs).unwrap();
    assert!(matches!(applied, TuneApplied::Exact(tuning) if tuning.candidate == outcome.best), "{applied:?}");
    assert_eq!(context.driver().counters().since(&before).launches(), 0);
    assert_eq!(other.run(), other.expected);
    let off = Tuner::new(TuneMode::Off, few_launches()).apply(&mut other.kernel).unwrap();
    assert_eq!(off, TuneApplied::Default);
}

/// What the device takes by its limits it may still refuse to run.
#[test]
fn a_tuning_of_other_shapes_is_launched_once_before_it_is_taken() {
    let Some(context) = context() else { return };
    let mut case = Case::new(&context);
    let key = TuneKey { shape: ShapeClass::of(60, 11, 1), ..case.kernel.tune_key() };
    let candidate = Candidate { schedule: 1, local: LocalSize::Fixed(4, 2) };
    let tuning = Tuning { candidate, time: Duration::from_micros(7), default_time: Duration::from_micros(9) };
    let mut tuner = Tuner::new(TuneMode::Load, few_launches());
    tuner.table_mut().insert(key, tuning);
    let before = (case.kernel.schedule(), case.kernel.local_size());
    context.driver().fail(Call::LaunchKernel, 0, -5);
    assert_eq!(tuner.apply(&mut case.kernel), Ok(TuneApplied::Default));
    assert_eq!((case.kernel.schedule(), case.kernel.local_size()), before);
    let launches = || context.driver().counters().launches();
    let launched = launches();
    assert!(matches!(tuner.apply(&mut case.kernel), Ok(TuneApplied::Near(near, _)) if near == tuning));
    assert_eq!((launches() - launched, case.kernel.local_size()), (1, candidate.local));
    // With images at hand, it runs on them, and writes to scratch images.
    let mut other = Case::new(&context);
    let applied = tuner.tune(&mut other.kernel, &other.inputs, &[], &other.outputs);
    assert!(matches!(applied, Ok(TuneApplied::Near(near, _)) if near == tuning), "{applied:?}");
    assert_eq!((case.run(), other.run()), (case.expected.clone(), case.expected));
}

#[test]
fn every_candidate_gives_the_same_bytes() {
    let Some(context) = context() else { return };
    let mut case = Case::new(&context);
    let space = case.kernel.tune_space().unwrap();
    for candidate in space.candidates(TuneLevel::Fast).into_iter().step_by(4) {
        case.kernel.set_schedule(candidate.schedule).unwrap();
        case.kernel.set_local_size(candidate.local).unwrap();
        assert_eq!(case.run(), case.expected, "{candidate:?}");
    }
    let before = case.kernel.local_size();
    let refused = case.kernel.set_local_size(LocalSize::Fixed(u32::MAX, 2));
    assert!(matches!(refused, Err(OpenClError::LocalSize(_))));
    assert!(case.kernel.set_schedule(9).is_err());
    assert_eq!((case.kernel.local_size(), case.run()), (before, case.expected));
}

#[test]
fn tuning_leaves_an_image_that_is_changed_in_place() {
    let Some(context) = context() else { return };
    let sum = image(3);
    let mut kernel = OpenClKernel::new(&context, count_up::configure(sum.info(), 1).unwrap()).unwrap();
    let outputs = [Some(upload(&context, &sum))];
    let mut tuner = Tuner::new(TuneMode::Tune, few_launches());
    tuner.tune(&mut kernel, &[], &[], &outputs).unwrap();
    assert_eq!(read(outputs[0].as_ref().unwrap()), sum.to_vec());
    kernel.run_on(&[], &[], &outputs).unwrap();
    let added: Vec<u8> = sum.to_vec().iter().map(|sum| sum.wrapping_add(1)).collect();
    assert_eq!(read(outputs[0].as_ref().unwrap()), added);
}

#[test]
fn launches_are_noted_while_profiling_is_on() {
    let Some(context) = context() else { return };
    let case = Case::new(&context);
    let events = || context.driver().counters().created(ObjectKind::Event);
    case.run();
    let before = events();
    case.run();
    assert_eq!(events(), before, "no event is made while it is off");
    context.set_profiling(true).unwrap();
    for _ in 0..3 {
        assert_eq!(case.run(), case.expected);
    }
    // The processor's kernels stand beside the device's.
    let [a, b] = [image(1), image(2)];
    let mut out = Tensor::new([11, 37]).unwrap();
    let scheduler = context.profiler().scheduler(&Serial);
    let configured = greater::configure(a.info(), b.info(), a.info()).unwrap();
    configured.run(&scheduler, (a.view(), b.view()), out.view_mut()).unwrap();
    context.set_profiling(false).unwrap();
    case.run();

    let profile = context.profiler().take().unwrap();
    assert_eq!((profile.launches.len(), profile.spans.len()), (3, 1));
    for launch in &profile.launches {
        assert!(launch.timestamps.is_monotone() && launch.kernel.starts_with("greater"), "{launch:?}");
        assert_eq!(launch.local_size(), LocalSize::Driver);
    }
    assert_eq!(profile.spans[0].kernel, "greater");
    let ended: Vec<u64> = profile.launches.iter().map(|launch| launch.timestamps.ended).collect();
    assert!(ended.is_sorted());
    assert!(profile.table().contains("greater") && profile.chrome_trace().contains("\"CPU\""));
    assert_eq!(context.profiler().take().unwrap(), Default::default());
}

#[test]
fn a_kernel_starts_from_the_folder() {
    let Some(first) = context() else { return };
    let place = tempfile::tempdir().unwrap();
    let folder = CacheFolder::open(place.path()).unwrap();
    first.programs().set_folder(Some(folder.clone()));
    assert!(!first.programs().is_warm(&ProgramSource::of(<greater as windrow::Kernel>::CODE)).unwrap());
    Case::new(&first);
    let second = context().unwrap();
    second.programs().set_folder(Some(folder));
    let case = Case::new(&second);
    assert_eq!(case.run(), case.expected);
    let report = second.programs().report();
    assert_eq!((report.builds, report.from_folder), (0, 1));
}

#[test]
fn a_message_leads_to_the_authors_line() {
    let Some(context) = context() else { return };
    let mut source = ProgramSource::of(<greater as windrow::Kernel>::CODE);
    // What a driver's compiler might not know.
    source.text = source.text.replace("max(", "no_such_function(").into();
    let error = context.programs().get(&source).unwrap_err();
    let BuildError::Refused { messages, .. } = &error else { panic!("{error}") };
    let authors: Vec<_> = messages.iter().filter_map(|message| message.author.as_ref()).collect();
    let line = include_str!("opencl_programs.rs").lines().position(|line| line.contains("a.max(b)")).unwrap() + 1;
    assert!(authors.iter().any(|author| author.line as usize == line && author.file.ends_with(file!())), "{error}");
}

/// A folder with `greater` alone, whose text gives the lesser.
fn kernels_with_the_lesser() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    let code = <greater as windrow::Kernel>::CODE;
    let text = code.opencl().source.replace("max(a_", "min(a_");
    assert_ne!(text, code.opencl().source);
    let entry = |entry: &windrow::code::OpenClEntry| {
        let group = entry.group.map_or(String::new(), |(x, y, z)| format!(r#", "group": [{x}, {y}, {z}]"#));
        format!(r#"{{ "name": "{}", "block": [{}, {}]{group} }}"#, entry.name, entry.block.0, entry.block.1)
    };
    let entries = code.opencl().entries.iter().map(entry).collect::<Vec<_>>().join(", ");
    let digest = Digest::of(text.as_bytes());
    let program = format!(r#"{{ "file": "greater.cl", "sha256": "{digest}", "entries": [{entries}] }}"#);
    let manifest = format!(r#"{{ "format": 1, "kernels": [{{ "name": "greater", "opencl": {program} }}] }}"#);
    fs::write(place.path().join("greater.cl"), text).unwrap();
    fs::write(place.path().join("manifest.json"), manifest).unwrap();
    place
}

fn lesser() -> Vec<u8> {
    image(1).to_vec().iter().zip(image(2).to_vec()).map(|(a, b)| *a.min(&b)).collect()
}

fn opened_with_kernels(device: &windrow::opencl::Device, folder: &Path) -> Result<Context, OpenClError> {
    // SAFETY: written by this test.
    let kernels = unsafe { KernelFolder::open(folder) }.unwrap();
    let options = ContextOptions { kernels: Some(kernels), ..ContextOptions::default() };
    Context::with_options(&Driver::new(), device, &options)
}

#[test]
fn all_kernels_are_read_from_a_folder() {
    let Some(embedded) = context() else { return };
    let place = kernels_with_the_lesser();
    let context = opened_with_kernels(embedded.device(), place.path()).unwrap();
    let case = Case::new(&context);
    assert_eq!((case.run(), context.programs().report().embedded.len()), (lesser(), 0));
    assert_ne!(case.kernel.tune_key().source, Case::new(&embedded).kernel.tune_key().source);
    // One that the folder lacks is the embedded one, and said to be.
    let sum = image(3);
    OpenClKernel::new(&context, count_up::configure(sum.info(), 1).unwrap()).unwrap();
    OpenClKernel::new(&context, count_up::configure(sum.info(), 2).unwrap()).unwrap();
    assert_eq!(context.programs().report().embedded, ["count_up"]);
    context.programs().set_kernels(None);
    assert_eq!(Case::new(&context).run(), case.expected);
    // What isn't as the manifest says is refused, and no other text taken in its place.
    // SAFETY: written by this test.
    embedded.programs().set_kernels(Some(unsafe { KernelFolder::open(place.path()) }.unwrap()));
    fs::write(place.path().join("greater.cl"), "__kernel void other(void) {}").unwrap();
    let configured = case.kernel.configured().clone();
    let refused = OpenClKernel::new(&embedded, configured).map(drop);
    assert!(
        matches!(&refused, Err(OpenClError::Build(BuildError::Kernels { reason })) if reason.contains("SHA-256")),
        "{refused:?}"
    );
    // SAFETY: there is nothing.
    let nowhere = unsafe { KernelFolder::open(place.path().join("nowhere")) };
    assert!(matches!(nowhere, Err(InvalidFolder::Io { .. })), "{nowhere:?}");
}

/// In a process of its own.
#[test]
#[ignore = "another test runs it, with a folder in its environment"]
fn gives_the_lesser() {
    let case = Case::new(&Context::open().unwrap());
    assert_eq!(case.run(), lesser());
}

#[test]
fn the_environment_names_a_folder_for_all_kernels() {
    if context().is_none() {
        return;
    }
    let place = kernels_with_the_lesser();
    let with = |folder: &Path, turns: &str| {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", "gives_the_lesser", "--ignored"]);
        let output = command.env(KERNELS_VARIABLE, folder).env(SERIALISED_CALLS_VARIABLE, turns).output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (succeeded, printed) = with(place.path(), "everything");
    assert!(succeeded, "{printed}");
    // What a variable says, and can't mean, is an error that names it.
    let (succeeded, printed) = with(&place.path().join("nowhere"), "");
    assert!(!succeeded && printed.contains("nowhere"), "{printed}");
    let (succeeded, printed) = with(place.path(), "sometimes");
    assert!(!succeeded && printed.contains("WINDROW_SERIALISED_CALLS"), "{printed}");
}
