//! What starting costs: programs built from source, built again, loaded from a folder, loaded from a pack; built cold on one
//! thread and on all. Then what a tuner gains, and where a run's time goes, as a trace for `chrome://tracing`.
//!
//! `cargo run --release --example programs [TRACE.json] [--programs N] [--threads N]`; `POCL_CACHE_DIR=$(mktemp -d)` before it
//! keeps PoCL's own cache out.

use clap::Parser;
use std::{
    error::Error,
    fs,
    path::PathBuf,
    thread,
    time::{Instant, SystemTime},
};
use windrow::{
    Border, Kernel, Rayon, Tensor,
    opencl::{
        CacheFolder, Context, DeviceImage, OpenClKernel, Pack, ProgramSource, TuneApplied, TuneLevel, TuneMode,
        TuneSettings, Tuner,
    },
};
use windrow_operators::{all, box3x3, gaussian3x3, median3x3};

/// What starting costs on an OpenCL device, and what a tuner gains.
#[derive(Parser)]
struct Arguments {
    /// A file for the trace.
    trace: Option<PathBuf>,
    /// Programs of the operator library that are built cold, on one thread and on several.
    #[arg(long, default_value_t = 4)]
    programs: usize,
    /// The several threads; else as many as the machine has.
    #[arg(long)]
    threads: Option<usize>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let context = match Context::open() {
        Ok(context) => context,
        Err(error) if error.is_absence() => {
            println!("not run: {error}");
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    };
    println!("{}\n", context.programs().identity());
    start(&context)?;
    build_cold(&context, &arguments)?;
    tune(&context, &arguments)
}

/// The same programs on one thread and on several. Each time they have another line at their end: no cache knows them.
fn build_cold(first: &Context, arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let many = arguments.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, Into::into));
    println!("\nbuilt cold; serialised calls: {}", first.driver().serialised());
    for threads in [1, many] {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_nanos();
        let source = |code: &&'static windrow::KernelCode| {
            let source = ProgramSource::of(code);
            let text = format!("{}\n__constant int windrow_built_at_{now} = 0;\n", source.text);
            ProgramSource { text: text.into(), ..source }
        };
        let sources: Vec<ProgramSource> = all().iter().take(arguments.programs).map(source).collect();
        let context = Context::new(first.device())?;
        let begun = Instant::now();
        context.programs().warm_up(&sources, threads).into_iter().collect::<Result<Vec<_>, _>>()?;
        println!("{:3} programs, {threads:3} thread(s) {:17.3} s", sources.len(), begun.elapsed().as_secs_f64());
    }
    Ok(())
}

/// Three programs, each way once.
fn start(first: &Context) -> Result<(), Box<dyn Error>> {
    let codes = [<box3x3 as Kernel>::CODE, <gaussian3x3 as Kernel>::CODE, <median3x3 as Kernel>::CODE];
    let sources = codes.map(ProgramSource::of);
    let place = std::env::temp_dir().join(format!("windrow-programs-{}", std::process::id()));
    let (folder, pack) = (CacheFolder::open(place.join("programs"))?, place.join("kernels.pack"));
    let another = || Context::new(first.device());
    let build = |what: &str, context: &Context| -> Result<(), Box<dyn Error>> {
        let begun = Instant::now();
        context.programs().warm_up(&sources, 1).into_iter().collect::<Result<Vec<_>, _>>()?;
        println!("{what:32} {:9.2} ms", begun.elapsed().as_secs_f64() * 1e3);
        Ok(())
    };
    build("3 programs from source", first)?;
    build("again, from memory", first)?;
    build("another context, from source", &another()?)?;
    first.programs().set_folder(Some(folder.clone()));
    first.programs().save_all();
    let stored = another()?;
    stored.programs().set_folder(Some(folder));
    build("another context, from a folder", &stored)?;
    let records = sources.iter().map(|source| first.programs().record(source)).collect::<Result<Vec<_>, _>>()?;
    Pack::write(&pack, &records)?;
    let packed = another()?;
    // SAFETY: written above.
    packed.programs().add_pack(unsafe { Pack::open(&pack) }?);
    build("another context, from a pack", &packed)?;
    let reports = [stored.programs().report(), packed.programs().report()];
    assert_eq!(reports.map(|report| report.builds), [0, 0]);
    fs::remove_dir_all(place)?;
    Ok(())
}

/// What a tuner finds for a median, where `WINDROW_TUNE=tune` allows it to look.
fn tune(context: &Context, arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let photograph = Tensor::<u8>::from_fn([1080, 1920], |[y, x]| (x * 31 + y * 57 + x * y % 7) as u8)?;
    let configured = median3x3::configure(photograph.info(), photograph.info(), Border::Replicate)?;
    let mut kernel = OpenClKernel::new(context, configured.clone())?;
    let inputs = [DeviceImage::upload(context, &photograph.view().any())?];
    let outputs = [Some(DeviceImage::new(context, photograph.info())?)];
    let mut tuner = Tuner::new(TuneMode::of_environment()?, TuneSettings::new(TuneLevel::Fast));
    match tuner.tune(&mut kernel, &inputs, &[], &outputs)? {
        TuneApplied::Tuned(found) => println!(
            "\ntuned in {} launches: schedule {}, work-groups {}, {:?} instead of {:?}",
            found.launches, found.best.schedule, found.best.local, found.time, found.default_time
        ),
        applied => println!("\nnot tuned ({}): {applied:?}", tuner.mode()),
    }

    context.set_profiling(true)?;
    for _ in 0..5 {
        kernel.run_on(&inputs, &[], &outputs)?;
    }
    let mut out = Tensor::<u8>::new([1080, 1920])?;
    let threads = Rayon::default();
    configured.run(&context.profiler().scheduler(&threads), photograph.view(), out.view_mut())?;
    context.set_profiling(false)?;
    let profile = context.profiler().take()?;
    print!("\n{}", profile.table());
    if let Some(file) = &arguments.trace {
        fs::write(file, profile.chrome_trace())?;
        println!("\nthe trace is in {}", file.display());
    }
    Ok(())
}
