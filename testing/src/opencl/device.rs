//! The machine's OpenCL device, as the harness runs cases on it.
//!
//! A program is built once a kernel, and every launch has one local size, because drivers compile each size anew. On the
//! Oclgrind simulator floats need not be exact: it is there for its reports, and rounds some float functions twice.

use crate::{
    block::{Block, Blocks},
    device::{Device as TestDevice, NoDevice},
    run::mode,
};
use std::{
    collections::{BTreeMap, btree_map::Entry},
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};
use windrow_opencl::{
    Buffer, Context, ContextOptions, Device, DeviceImage, DeviceKind, DeviceMemory, Devices, LocalSize, MemMode,
    Numerics, OpenClError, Submission,
    testing::{Given, Inputs, Runner},
};
use windrow_reference::testing::Mode;
use windrow_runtime::{
    code::{KernelCode, OpenClEntry, OpenClImages},
    configure::KernelPlan,
    region::Rect,
    spec::KernelSpec,
};

/// Work-groups of every launch, (x, y): neither divides the awkward widths.
const LOCAL: LocalSize = LocalSize::Fixed(4, 2);

/// The environment variable that names Oclgrind's log.
const LOG_VARIABLE: &str = "OCLGRIND_LOG";

/// A kernel built for the machine's device.
pub(super) struct OpenCl {
    context: Context,
    memory: DeviceMemory,
    /// Over buffers, by index and schedule.
    runners: Mutex<BTreeMap<(u32, usize), Runner>>,
    simulator: Option<Simulator>,
    is_exact: bool,
}

/// What computes a case.
pub(super) enum Form {
    /// The program over buffers, with one of its schedules.
    Buffers(usize),
    /// The program over images.
    Images(Box<Runner>),
}

/// A case's images on the device.
pub(super) struct Images {
    /// `#[inout]` ones are outputs.
    pub(super) inputs: Vec<DeviceImage>,
    pub(super) outputs: Vec<Option<DeviceImage>>,
}

impl TestDevice for OpenCl {
    type Form = Form;
    type Images = Images;

    fn open(code: &'static KernelCode) -> Result<Self, NoDevice> {
        let _turn = turn();
        let context = context(is_optimised(code)).map_err(|error| match error.is_absence() {
            true => NoDevice::Missing(error.to_string()),
            false => NoDevice::Broken(error.to_string()),
        })?;
        let simulator = Simulator::of(&context).map_err(NoDevice::Broken)?;
        let programs = context.programs();
        let built = programs.source_of(code).and_then(|source| programs.get(&source));
        let numerics = built.map_err(|error| NoDevice::Broken(error.to_string()))?.effective_numerics();
        let is_exact = simulator.is_none() || !numerics.uses_floats;
        let memory = DeviceMemory::new(&context);
        Ok(Self { context, memory, runners: Mutex::default(), simulator, is_exact })
    }

    fn is_simulator(&self) -> bool {
        self.simulator.is_some()
    }

    fn is_exact(&self) -> bool {
        self.is_exact
    }

    fn forms(&self, plan: &KernelPlan) -> Result<Vec<(Form, String)>, String> {
        let names = entries(plan).map(|entry| {
            if entry.computes_rows() {
                return "schedule of rows".to_owned();
            }
            let tiles = if entry.group.is_some() { " with tiles" } else { "" };
            format!("schedule {}×{}{tiles}", entry.block.0, entry.block.1)
        });
        let mut forms: Vec<_> = names.enumerate().map(|(schedule, name)| (Form::Buffers(schedule), name)).collect();
        if forms.is_empty() {
            // A kernel without an entry for this case is an error of its first schedule.
            return Ok(vec![(Form::Buffers(0), "no schedule".to_owned())]);
        }
        let _turn = turn();
        // Where kernel, border, shape and device allow one.
        let over_images = self.over_images(plan).map_err(told)?;
        forms.extend(over_images.map(|runner| (Form::Images(Box::new(runner)), "over images".to_owned())));
        Ok(forms)
    }

    fn upload(&self, images: &Blocks<'_>) -> Result<Images, String> {
        let _turn = turn();
        Images::upload(&self.context, images).map_err(told)
    }

    fn run(
        &self,
        plan: &KernelPlan,
        form: &mut Form,
        images: &Images,
        tables: &[Vec<u8>],
        window: Rect,
    ) -> Result<(), String> {
        let _turn = turn();
        self.launch(plan, form, images, tables, window).map_err(told)
    }

    fn download(&self, images: &Images, to: &mut Blocks<'_>) -> Result<(), String> {
        let _turn = turn();
        images.download(to).map_err(told)
    }

    fn report(&self) -> Option<String> {
        self.simulator.as_ref().and_then(Simulator::report)
    }
}

/// The entry points of a plan's body, one a schedule.
fn entries(plan: &KernelPlan) -> impl Iterator<Item = &'static OpenClEntry> {
    let index = plan.index();
    plan.code().opencl().entries.iter().filter(move |entry| entry.index == index)
}

impl OpenCl {
    fn over_images(&self, plan: &KernelPlan) -> Result<Option<Runner>, OpenClError> {
        if matches!(plan.code().opencl().images, OpenClImages::None(_)) {
            return Ok(None);
        }
        let mut runner = Runner::new(&self.context, plan, self.context.precision())?;
        match runner.set_memory(plan, &self.memory, MemMode::Image) {
            Ok(()) => runner.set_local_size(LOCAL).map(|()| Some(runner)),
            Err(OpenClError::NoImageForm { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn over_buffers(&self, plan: &KernelPlan, schedule: usize) -> Result<Runner, OpenClError> {
        let mut runner = Runner::new(&self.context, plan, self.context.precision())?;
        runner.set_schedule(plan, schedule)?;
        // Some are written for groups of another size.
        if entries(plan).nth(schedule).is_none_or(|entry| entry.group.is_none()) {
            runner.set_local_size(LOCAL)?;
        }
        Ok(runner)
    }

    fn launch(
        &self,
        plan: &KernelPlan,
        form: &mut Form,
        images: &Images,
        tables: &[Vec<u8>],
        window: Rect,
    ) -> Result<(), OpenClError> {
        let tables = tables.iter().map(|table| Buffer::from_bytes(&self.context, table));
        let tables: Vec<Buffer> = tables.collect::<Result<_, _>>()?;
        let read = images.read(plan.spec());
        let given = Given { inputs: Inputs::Buffers(&read), tables: &tables, outputs: &images.outputs };
        let mut runners = self.runners.lock().unwrap_or_else(PoisonError::into_inner);
        let runner = match form {
            Form::Buffers(schedule) => match runners.entry((plan.index(), *schedule)) {
                Entry::Vacant(place) => place.insert(self.over_buffers(plan, *schedule)?),
                Entry::Occupied(place) => {
                    let runner = place.into_mut();
                    runner.reconfigure(plan)?;
                    runner
                }
            },
            Form::Images(runner) => runner,
        };
        let queue = self.context.queue();
        runner.enqueue_window(plan, window, &Submission::on(queue), given, false)?;
        queue.sync()
    }
}

impl Images {
    /// A case's images, as they lie in the host's memory.
    pub(super) fn upload(context: &Context, images: &Blocks<'_>) -> Result<Self, OpenClError> {
        let upload = |block: &Block<'_>| {
            DeviceImage::with_layout(Arc::new(Buffer::from_bytes(context, block.bytes)?), block.offset, block.info)
        };
        let outputs = images.outputs.iter().map(|output| output.as_ref().map(upload).transpose());
        Ok(Self {
            inputs: images.inputs.iter().map(upload).collect::<Result<_, _>>()?,
            outputs: outputs.collect::<Result<_, _>>()?,
        })
    }

    /// The images that a run is given to read: an argument that is read and written is an output.
    pub(super) fn read(&self, spec: &'static KernelSpec) -> Vec<DeviceImage> {
        let read = spec.images().zip(&self.inputs).filter(|((_, input), _)| input.inout.is_none());
        read.map(|(_, image)| image.clone()).collect()
    }

    pub(super) fn download(&self, to: &mut Blocks<'_>) -> Result<(), OpenClError> {
        let written = self
            .outputs
            .iter()
            .zip(&mut to.outputs)
            .filter_map(|(image, block)| Some((image.as_ref()?, block.as_mut()?)));
        let read = self.inputs.iter().zip(&mut to.inputs);
        written.chain(read).try_for_each(|(image, block)| image.buffer().read(0, block.bytes))
    }
}

pub(super) fn told(error: OpenClError) -> String {
    format!("OpenCL: {error}")
}

/// One call of the device at a time: some drivers compile while they launch.
pub(crate) fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The device of all tests of this process. Where it is a processor, its driver may build programs as they are.
pub(super) fn context(is_optimised: bool) -> Result<Context, OpenClError> {
    static CONTEXTS: [OnceLock<Result<Context, OpenClError>>; 2] = [const { OnceLock::new() }; 2];
    let open = || {
        let devices = Devices::find()?;
        let device = devices.choose()?;
        // A simulator is there for its reports: its floats need not be exact.
        let numerics = if is_simulator(device) { Numerics::Relaxed } else { Numerics::Strict };
        let unoptimised = !is_optimised && device.kind == DeviceKind::Cpu;
        let options = ContextOptions { numerics, unoptimised, ..ContextOptions::default() };
        Context::with_options(devices.driver(), device, &options)
    };
    CONTEXTS[usize::from(is_optimised)].get_or_init(open).clone()
}

/// Whether the programs of a kernel are optimised: in full tests all, in quick ones one kernel in eight, unless its text is long. A
/// processor's driver takes most of a test's time for that, seconds for each entry of a program and half a minute for a long one, and
/// what it shows is more about the driver than about the program.
fn is_optimised(code: &KernelCode) -> bool {
    const LONG: usize = 48 << 10;
    let is_chosen = || code.spec().name.bytes().map(u32::from).sum::<u32>().is_multiple_of(8);
    mode() == Mode::Full || (is_chosen() && code.opencl().source.len() <= LONG)
}

pub(super) fn is_simulator(device: &Device) -> bool {
    device.platform.contains("Oclgrind")
}

/// Oclgrind: its reports go to a log.
struct Simulator {
    log: PathBuf,
    /// Bytes of the log that have been reported.
    seen: AtomicUsize,
}

impl Simulator {
    /// The simulator behind `context`, where it is one.
    fn of(context: &Context) -> Result<Option<Self>, String> {
        if !is_simulator(context.device()) {
            return Ok(None);
        }
        match std::env::var_os(LOG_VARIABLE) {
            Some(log) => Ok(Some(Self { log: log.into(), seen: AtomicUsize::new(0) })),
            None => Err(format!("on Oclgrind {LOG_VARIABLE} must name its log, so that reports can fail their cases")),
        }
    }

    /// What has been reported since the last call.
    fn report(&self) -> Option<String> {
        let bytes = std::fs::read(&self.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let seen = self.seen.swap(text.len(), Relaxed);
        text.get(seen..).map(str::trim).filter(|text| !text.is_empty()).map(String::from)
    }
}
