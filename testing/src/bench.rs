//! Times a kernel on every target against the author's own function and against copies of as many bytes, and a pipeline against its
//! kernels one by one.
//!
//! All ways to run it take turns (`rounds.rs`). The first result of each is compared with that of the author's function before
//! anything is timed.

mod pipeline;
mod rounds;

pub use pipeline::{PipelineTimes, bench_pipeline};

use super::{
    block::Blocks,
    case::{Case, Layout, Way},
    cases,
    cpu::{self, Arguments, Snapshots},
    device::blocks,
    opencl,
    picture::Picture,
    scene::Scene,
};
use rounds::{HostCopy, TIMED, Timed, TimedRun, rounds};
use std::{
    array,
    collections::BTreeMap,
    ops::Range,
    time::{Duration, Instant},
};
use windrow_reference::testing::Data;
use windrow_runtime::{
    border::BorderMode,
    code::{Kernel, KernelCode},
    configure::KernelPlan,
    info::MAX_DIMENSIONS,
    region::ValidRegion,
    schedule::{Rayon, Scheduler, Serial},
    spec::KernelSpec,
    tier::Tier,
};

/// The extents of the outputs, as near as a kernel allows that infers them, and how long a kernel is timed.
#[derive(Clone, Copy, Debug)]
pub struct BenchOptions {
    /// Columns of the outputs.
    pub width: usize,
    /// Rows of the outputs.
    pub height: usize,
    /// Rounds at least, whatever they take.
    pub rounds: usize,
    /// Further rounds begin until so much time is over.
    pub budget: Duration,
}

/// The times of a kernel.
#[derive(Clone, Debug)]
pub struct BenchTimes {
    /// Bytes of all elements that a run reads and writes, each counted once.
    pub bytes: usize,
    /// How images continue beyond their edges.
    pub border: BorderMode,
    /// The share of the elements on which results were compared with the author's function: all, unless it takes seconds for them.
    pub compared: f64,
    /// The share of the elements that the author's function was timed on, the least of its runs. Its times are scaled to all.
    pub author: f64,
    /// Each way to run it, in the order of a table: the author's function first.
    pub ways: Vec<WayTimes>,
}

/// How long the author's function may compute what results are compared with. A kernel whose elements repeat the sums of a row or of
/// an image would take minutes or days for a large one.
const COMPARED: Duration = Duration::from_secs(2);

/// The times of one way to run a kernel.
#[derive(Clone, Debug)]
pub struct WayTimes {
    /// Which way: a target and its threads.
    pub name: String,
    /// The times of its runs; or why it has none, for people.
    pub times: Result<Vec<Duration>, String>,
}

/// A device that kernels are timed on.
pub trait BenchDevice {
    /// Returns what a table calls it.
    fn name(&self) -> String;

    /// Brings the images of a configured kernel to the device, and builds it.
    ///
    /// # Errors
    /// What stops it, for people.
    fn ready(&self, plan: &KernelPlan, images: &Blocks<'_>, tables: &[Vec<u8>]) -> Result<Box<dyn DeviceRun>, String>;

    /// Readies a copy on the device that reads and writes this many bytes together.
    ///
    /// # Errors
    /// What stops it, for people.
    fn copy(&self, bytes: usize) -> Result<Box<dyn DeviceRun>, String>;
}

/// Something that a device computes again and again.
pub trait DeviceRun {
    /// Computes it once, on what lies on the device, and waits.
    ///
    /// # Errors
    /// What stops it, for people.
    fn run(&mut self) -> Result<(), String>;

    /// Brings what was written back to the host.
    ///
    /// # Errors
    /// What stops it, for people.
    fn download(&self, to: &mut Blocks<'_>) -> Result<(), String>;
}

/// Times `K` by the author's function, by each tier that this processor runs, and on all its threads by the best of them; and
/// copies of as many bytes in the same rounds; with the feature `opencl`, on this machine's OpenCL device too, where it has one:
/// `WINDROW_OPENCL_DEVICE` chooses it.
///
/// # Errors
/// Images of this size can't be made or configured, for people. A way that fails is one of the [`BenchTimes`].
pub fn bench<K: Kernel>(options: &BenchOptions) -> Result<BenchTimes, String> {
    let device = opencl::bench_device()?;
    bench_code(K::CODE, options, device.as_ref().map(|device| device as &dyn BenchDevice))
}

/// Works as [`bench()`], on a device of another crate, where there is one.
///
/// # Errors
/// As there.
pub fn bench_on<K: Kernel>(options: &BenchOptions, device: Option<&dyn BenchDevice>) -> Result<BenchTimes, String> {
    bench_code(K::CODE, options, device)
}

/// [`bench_on`] of a kernel's code.
fn bench_code(
    code: &'static KernelCode,
    options: &BenchOptions,
    device: Option<&dyn BenchDevice>,
) -> Result<BenchTimes, String> {
    let spec = code.spec();
    let case = case(spec, options).with_outputs(spec);
    let mut scene = Scene::new(spec, &case)?;
    let plan = cpu::configured(code, &case, &scene)?.ok_or("the images are empty")?;
    let bytes =
        scene.inputs.iter().chain(scene.outputs.iter().flatten()).map(|image| image.info().size_in_bytes()).sum();
    let untouched = scene.duplicate_outputs()?;
    let computed = run_author(&plan, &mut scene, COMPARED)?;
    let (compared, all) = (first(&scene.valid, computed), elements(&scene.valid));
    let expected = std::mem::replace(&mut scene.outputs, duplicates(&untouched)?);

    let mut ways = ways(&plan, &mut scene, device, bytes);
    for way in &mut ways {
        scene.outputs = duplicates(&untouched)?;
        way.check(&mut scene, &expected, spec, &compared);
    }
    rounds(options, &mut ways, &mut scene);
    let author = ways.iter().map(Timed::share).fold(1.0, f64::min);
    let compared = elements(&compared) as f64 / all as f64;
    let ways = ways.into_iter().map(WayTimes::from).collect();
    Ok(BenchTimes { bytes, border: case.border, compared, author, ways })
}

/// Random elements, the kernel's first choice of variants, all outputs; edges repeat where the kernel lets them.
fn case(spec: &'static KernelSpec, options: &BenchOptions) -> Case {
    let borders = cases::borders(spec);
    let border = borders.iter().find(|border| **border == BorderMode::Replicate).or(borders.first());
    Case {
        border: border.copied().unwrap_or(BorderMode::Undefined),
        choice: vec![0; spec.variants().count()],
        present: vec![true; spec.outputs.len()],
        extents: vec![options.width, options.height],
        data: Data::Random,
        own: None,
        layout: Layout::Dense,
        way: Way::Whole,
        in_place: false,
        broadcast: BTreeMap::new(),
        whole: BTreeMap::new(),
        seed: 0,
    }
}

fn duplicates(outputs: &[Option<Picture>]) -> Result<Vec<Option<Picture>>, String> {
    outputs.iter().map(|output| output.as_ref().map(Picture::duplicate).transpose()).collect()
}

/// What is timed.
enum Run {
    Author(KernelPlan),
    Processor(KernelPlan, Box<dyn Scheduler>),
    Device(Box<dyn DeviceRun>),
    Copy(HostCopy),
    DeviceCopy(Box<dyn DeviceRun>),
}

/// Every way that this machine has.
fn ways(plan: &KernelPlan, scene: &mut Scene, device: Option<&dyn BenchDevice>, bytes: usize) -> Vec<Timed<Run>> {
    let timed = Timed::<Run>::new;
    let with_tier = |tier: Tier| plan.clone().with_tier(tier).map_err(|error| error.to_string());
    let threads = Rayon::new().num_threads();
    let mut ways = vec![timed("author's function".to_owned(), Ok(Run::Author(plan.clone())))];
    for tier in Tier::ALL.into_iter().filter(|tier| cpu::has_body(plan.code(), *tier)) {
        let run = with_tier(tier).map(|plan| Run::Processor(plan, Box::new(Serial)));
        ways.push(timed(format!("{tier}, 1 thread"), run));
    }
    let copy = |all_threads| Ok(Run::Copy(HostCopy::new(bytes, all_threads)));
    ways.push(timed("copy, 1 thread".to_owned(), copy(false)));
    if threads > 1 {
        let run = Run::Processor(plan.clone(), Box::new(Rayon::new()));
        ways.push(timed(format!("{}, {threads} threads", plan.tier()), Ok(run)));
        ways.push(timed(format!("copy, {threads} threads"), copy(true)));
    }
    if let Some(device) = device {
        let tables = scene.table_bytes();
        let run = device.ready(plan, &blocks(scene), &tables);
        ways.push(timed(device.name(), run.map(Run::Device)));
        ways.push(timed(format!("copy on {}", device.name()), device.copy(bytes).map(Run::DeviceCopy)));
    }
    ways
}

/// Computes what the author's function does in about so much time; returns how many elements that are.
fn run_author(plan: &KernelPlan, scene: &mut Scene, limit: Duration) -> Result<usize, String> {
    let Arguments { read, written } = Arguments::of(plan.spec(), scene);
    let mut bound = plan.bind(read, written).map_err(|error| error.to_string())?;
    let start = Instant::now();
    Ok(bound.run_reference_while(&mut || start.elapsed() < limit))
}

/// The ranges of a region, innermost first.
fn region_ranges(region: &ValidRegion) -> [Range<usize>; MAX_DIMENSIONS] {
    array::from_fn(|dimension| region.inner_range(dimension))
}

/// The number of elements of a region.
fn elements(region: &ValidRegion) -> usize {
    region_ranges(region).iter().map(Range::len).product()
}

/// The largest box among the first `computed` elements of a region that begins where it does: planes, or rows or a part of a row of
/// the first plane.
fn first(region: &ValidRegion, computed: usize) -> ValidRegion {
    let (mut left, mut ranges) = (computed, region_ranges(region));
    for range in &mut ranges {
        let whole = range.len().max(1);
        range.end = range.end.min(range.start + left.max(1));
        left /= whole;
    }
    ranges.reverse();
    ValidRegion::from_ranges(&ranges).unwrap_or(*region)
}

impl TimedRun<Scene> for Run {
    fn run(&mut self, scene: &mut Scene) -> Result<f64, String> {
        match self {
            Run::Author(plan) => {
                let computed = run_author(plan, scene, TIMED)?;
                return Ok(computed as f64 / elements(&scene.valid).max(1) as f64);
            }
            Run::Processor(plan, scheduler) => {
                let Arguments { read, written } = Arguments::of(plan.spec(), scene);
                plan.run(&**scheduler, read, written).map_err(|error| error.to_string())?;
            }
            Run::Device(run) | Run::DeviceCopy(run) => run.run()?,
            Run::Copy(copy) => copy.run(),
        }
        Ok(1.0)
    }
}

impl Timed<Run> {
    /// Runs once, and compares the elements of a region with those that the author's function wrote.
    fn check(
        &mut self,
        scene: &mut Scene,
        expected: &[Option<Picture>],
        spec: &'static KernelSpec,
        compared: &ValidRegion,
    ) {
        if matches!(self.run, Err(_) | Ok(Run::Author(_) | Run::Copy(_) | Run::DeviceCopy(_))) {
            self.run(scene);
            return;
        }
        let before = Snapshots::take(scene);
        self.run(scene);
        let downloaded = match &self.run {
            Ok(Run::Device(run)) => run.download(&mut blocks(scene)),
            Ok(_) => Ok(()),
            Err(_) => return,
        };
        let result = downloaded.and_then(|()| cpu::verify_part(spec, scene, expected, &before, compared));
        if let Err(what) = result {
            self.run = Err(format!("differs from the author's function: {what}"));
        }
    }
}
