//! The machine's OpenCL device, as the harness runs cases on it.
//!
//! A program is built once a kernel, and every launch has one local size, because drivers compile each size anew.

use crate::{
    Buffer, BuildError, Context, ContextOptions, Device, DeviceImage, DeviceMemory, Devices, LocalSize, MemMode,
    Numerics, OpenClError, Program, ProgramSource,
    image::ImageForm,
    kernel::repeat_all,
    launch::{Entry, Launch, Read, schedules},
    numerics::uses_floats,
    queue::Submission,
};
use std::{
    collections::{BTreeMap, btree_map::Entry::Vacant},
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};
use windrow_runtime::{Border, Borders, KernelCode, Rect, Scalar, configure::KernelPlan};
use windrow_testing::{Block, Blocks, Device as TestDevice, NoDevice, Scalars};

/// Work-groups of every launch, (x, y): neither divides the awkward widths.
const LOCAL: LocalSize = LocalSize::Fixed(4, 2);

/// The environment variable that names Oclgrind's log.
const LOG_VARIABLE: &str = "OCLGRIND_LOG";

/// A kernel built for the machine's device.
pub(super) struct OpenCl {
    context: Context,
    memory: DeviceMemory,
    program: Program,
    /// By index and schedule.
    entries: Mutex<BTreeMap<(u32, usize), Entry>>,
    code: &'static KernelCode,
    simulator: Option<Simulator>,
}

/// What computes a case.
pub(super) enum Form {
    /// The program over buffers, with one of its schedules.
    Buffers(usize),
    /// The program over images.
    Images(Box<ImageForm>),
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
        let broken = |error: BuildError| NoDevice::Broken(error.to_string());
        let context = context().map_err(|error| match error.is_absence() {
            true => NoDevice::Missing(error.to_string()),
            false => NoDevice::Broken(error.to_string()),
        })?;
        let simulator = Simulator::of(&context).map_err(NoDevice::Broken)?;
        let source = match simulator {
            // Its floats need not be exact.
            Some(_) => ProgramSource::new("kernel", code.opencl().source),
            None => context.programs().in_precision(code, context.precision()).map_err(broken)?.0,
        };
        let program = context.programs().get(&source).map_err(broken)?;
        let memory = DeviceMemory::new(&context);
        Ok(Self { context, memory, program, entries: Mutex::default(), code, simulator })
    }

    fn is_simulator(&self) -> bool {
        self.simulator.is_some()
    }

    fn is_exact(&self) -> bool {
        // The simulator is here for its reports: it rounds some float functions twice.
        self.simulator.is_none() || !uses_floats(self.code.opencl().source)
    }

    fn forms(&self, plan: &KernelPlan) -> Result<Vec<(Form, String)>, String> {
        let blocks: Vec<(u32, u32)> = schedules(self.code, plan.index()).map(|entry| entry.block).collect();
        // A kernel without an entry for this case is an error of its first schedule.
        let name = |schedule: usize| match blocks.get(schedule) {
            Some((x, y)) => format!("schedule {x}×{y}"),
            None => "no schedule".to_owned(),
        };
        let mut forms: Vec<_> =
            (0..blocks.len().max(1)).map(|schedule| (Form::Buffers(schedule), name(schedule))).collect();
        let _turn = turn();
        // Where kernel, border, shape and device allow one.
        match ImageForm::choose(&self.memory, MemMode::Image, plan, None) {
            Ok((_, _, form)) => forms.extend(form.map(|form| (Form::Images(form.into()), "over images".to_owned()))),
            Err(OpenClError::NoImageForm { .. }) => {}
            Err(error) => return Err(error.to_string()),
        }
        Ok(forms)
    }

    fn upload(&self, images: &Blocks<'_>) -> Result<Images, String> {
        let _turn = turn();
        upload(&self.context, self.code, images).map_err(told)
    }

    fn run(
        &self,
        plan: &KernelPlan,
        form: &mut Form,
        images: &Images,
        scalars: &Scalars,
        window: Rect,
    ) -> Result<(), String> {
        let _turn = turn();
        self.launch(plan, form, images, scalars, window).map_err(told)
    }

    fn download(&self, images: &Images, to: &mut Blocks<'_>) -> Result<(), String> {
        let _turn = turn();
        images.download(to).map_err(told)
    }

    fn report(&self) -> Option<String> {
        self.simulator.as_ref().and_then(Simulator::report)
    }
}

pub(super) fn told(error: OpenClError) -> String {
    format!("OpenCL: {error}")
}

/// A case's images, as they lie in the host's memory.
pub(super) fn upload(context: &Context, code: &'static KernelCode, images: &Blocks<'_>) -> Result<Images, OpenClError> {
    let upload = |block: &Block<'_>| {
        DeviceImage::with_layout(Arc::new(Buffer::from_bytes(context, block.bytes)?), block.offset, block.info)
    };
    let outputs: Vec<Option<DeviceImage>> =
        images.outputs.iter().map(|output| output.as_ref().map(upload).transpose()).collect::<Result<_, _>>()?;
    let inputs = code.spec().images().zip(&images.inputs).map(|((_, input), block)| {
        let same = input.inout.and_then(|output| outputs.get(output as usize).cloned().flatten());
        same.map_or_else(|| upload(block), Ok)
    });
    Ok(Images { inputs: inputs.collect::<Result<_, _>>()?, outputs })
}

impl OpenCl {
    fn launch(
        &self,
        plan: &KernelPlan,
        form: &mut Form,
        images: &Images,
        scalars: &Scalars,
        window: Rect,
    ) -> Result<(), OpenClError> {
        let tables = scalars.tables.iter().map(|table| Buffer::from_bytes(&self.context, table));
        let tables: Vec<Buffer> = tables.collect::<Result<_, _>>()?;
        let constant = |element| match scalars.border {
            Border::Constant(value) => value.to_element(element).map_or(0, Scalar::to_word),
            Border::Undefined | Border::Replicate | Border::Reflect | Border::Reflect101 | Border::Wrap => 0,
        };
        let constants: Vec<u32> = self.code.spec().images().map(|(_, input)| constant(input.element)).collect();
        // As every run does: an entry reads images of the output's extents.
        let (mut read, queue) = (images.inputs.clone(), self.context.queue());
        repeat_all(&mut read, &mut Vec::new(), plan, &Submission::on(queue), queue)?;
        let launch = Launch {
            inputs: Read::Buffers(&read),
            constants: &constants,
            outputs: &images.outputs,
            tables: &tables,
            words: plan.words(),
            window,
            planes: scalars.shape.planes(),
            borders: Borders::from(scalars.border).modes(),
            local: LOCAL,
        };
        match form {
            Form::Buffers(schedule) => {
                let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
                if let Vacant(place) = entries.entry((plan.index(), *schedule)) {
                    let index = plan.index();
                    place.insert(Entry::new(&self.context, &self.program, self.code, index, *schedule)?);
                }
                entries.get_mut(&(plan.index(), *schedule)).map_or(Ok(()), |entry| entry.run(&launch))
            }
            Form::Images(form) => form.run(&launch, &read),
        }
    }
}

impl Images {
    pub(super) fn download(&self, to: &mut Blocks<'_>) -> Result<(), OpenClError> {
        for (image, block) in self.outputs.iter().zip(&mut to.outputs) {
            if let (Some(image), Some(block)) = (image, block) {
                image.buffer().read(0, block.bytes)?;
            }
        }
        for (image, block) in self.inputs.iter().zip(&mut to.inputs) {
            let is_output = self.outputs.iter().flatten().any(|output| Arc::ptr_eq(output.buffer(), image.buffer()));
            if !is_output {
                image.buffer().read(0, block.bytes)?;
            }
        }
        Ok(())
    }
}

/// One call of the device at a time: some drivers compile while they launch.
pub(super) fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The device of all tests of this process.
pub(super) fn context() -> Result<Context, OpenClError> {
    static CONTEXT: OnceLock<Result<Context, OpenClError>> = OnceLock::new();
    let open = || {
        let devices = Devices::find()?;
        let device = devices.choose()?;
        // A simulator is there for its reports: its floats need not be exact.
        let numerics = if is_simulator(device) { Numerics::Relaxed } else { Numerics::Strict };
        Context::with_options(devices.driver(), device, &ContextOptions { numerics, ..ContextOptions::default() })
    };
    CONTEXT.get_or_init(open).clone()
}

fn is_simulator(device: &Device) -> bool {
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
