//! Runs a case on an OpenCL device.
//!
//! The images go to the device as they lie, margins and poison with them, and come back whole, so that a store outside
//! the window is seen. A program is built once a kernel, and every launch has one local size, because drivers compile
//! each size anew.

use super::{
    case::{Case, Way},
    cases::{self, inputs},
    cpu::{Snapshots, configured, find_stray, verify},
    erased::Erased,
    oracle,
    picture::Picture,
    scene::Scene,
};
use crate::{
    border::{Border, Borders},
    code::Kernel,
    configure::Configured,
    opencl::{
        Buffer, Context, ContextOptions, Device, DeviceImage, DeviceMemory, Devices, Entry, ImageForm, Launch,
        LocalSize, MemMode, Numerics, OpenClError, Program, Read, schedules, uses_floats,
    },
    region::{Rect, ValidRegion},
};
use std::{
    boxed::Box,
    collections::BTreeMap,
    format,
    marker::PhantomData,
    path::PathBuf,
    string::{String, ToString},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    vec::Vec,
};
use windrow_reference::testing::Mode;

/// Work-groups of every launch, (x, y): neither divides the awkward widths.
const LOCAL: LocalSize = LocalSize::Fixed(4, 2);

/// The environment variable that names Oclgrind's log.
const LOG_VARIABLE: &str = "OCLGRIND_LOG";

/// A kernel built for the machine's device.
pub(super) struct Bench<K: Kernel> {
    context: Context,
    memory: DeviceMemory,
    program: Program,
    /// By index and schedule.
    entries: Mutex<BTreeMap<(u32, usize), Entry>>,
    simulator: Option<Simulator>,
    kernel: PhantomData<K>,
}

/// What computes a case.
enum Form {
    /// The program over buffers, with one of its schedules.
    Buffers(usize),
    /// The program over images.
    Images(Box<ImageForm>),
}

/// Why there is no bench.
pub(super) enum NoBench {
    /// The machine has no OpenCL.
    Missing(String),
    /// It has, but the kernel can't run on it.
    Broken(String),
}

impl<K: Kernel> Bench<K> {
    pub(super) fn open() -> Result<Self, NoBench> {
        let _turn = turn();
        let context = context().map_err(|error| {
            if error.is_absence() { NoBench::Missing(error.to_string()) } else { NoBench::Broken(error.to_string()) }
        })?;
        let simulator = Simulator::of(&context).map_err(NoBench::Broken)?;
        let program = match simulator {
            Some(_) => Program::build_for_any_floats(&context, K::CODE.opencl.source),
            None => Program::of::<K>(&context),
        };
        let program = program.map_err(|error| NoBench::Broken(error.to_string()))?;
        let memory = DeviceMemory::new(&context);
        Ok(Self { context, memory, program, entries: Mutex::default(), simulator, kernel: PhantomData })
    }

    /// The cases for this device.
    pub(super) fn cases(&self, mode: Mode) -> Vec<Case> {
        match self.simulator {
            Some(_) => cases::for_simulator(K::CODE),
            None => cases::for_device(K::CODE, mode),
        }
    }

    /// Runs `case` with every schedule, and over images where they can be had, and compares everything that was written and
    /// everything that should not be.
    pub(super) fn run(&self, case: &Case) -> Result<(), String> {
        let spec = K::CODE.spec;
        let mut scene = Scene::new(spec, case)?;
        let Some(configured) = configured::<K>(case, &scene)? else { return Ok(()) };
        let mut expected = scene.duplicate_outputs()?;
        oracle::compute(K::CODE, &mut scene, &case.choice, configured.words(), &mut expected)?;
        let untouched = scene.duplicate_outputs()?;
        // A kernel without an entry for this case is an error of its first schedule.
        let blocks: Vec<(u32, u32)> = schedules(K::CODE, configured.index()).map(|entry| entry.block).collect();
        let mut forms: Vec<Form> = (0..blocks.len().max(1)).map(Form::Buffers).collect();
        forms.extend(self.image_form(&configured)?.map(|form| Form::Images(form.into())));
        for mut form in forms {
            for (output, untouched) in scene.outputs.iter_mut().zip(&untouched) {
                *output = untouched.as_ref().map(Picture::duplicate).transpose()?;
            }
            let name = match form {
                Form::Buffers(schedule) => blocks.get(schedule).map(|(x, y)| format!("schedule {x}×{y}")),
                Form::Images(_) => Some("over images".into()),
            };
            self.run_form(case, &configured, &mut form, &mut scene, &expected)
                .map_err(|what| name.map_or(what.clone(), |name| format!("{what} ({name})")))?;
        }
        Ok(())
    }

    /// The image form, where kernel, border, shape and device allow one.
    fn image_form(&self, configured: &Configured<Erased<K>>) -> Result<Option<ImageForm>, String> {
        let _turn = turn();
        match ImageForm::choose(&self.memory, MemMode::Image, &configured.plan, None) {
            Ok((_, _, form)) => Ok(form),
            Err(OpenClError::NoImageForm { .. }) => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }

    fn run_form(
        &self,
        case: &Case,
        configured: &Configured<Erased<K>>,
        form: &mut Form,
        scene: &mut Scene,
        expected: &[Option<Picture>],
    ) -> Result<(), String> {
        let before = Snapshots::take(scene);
        let _turn = turn();
        let reported = self.simulator.as_ref().map_or(0, Simulator::reported);
        self.run_parts(case, configured, form, scene).map_err(|error| error.to_string())?;
        if let Some(report) = self.simulator.as_ref().and_then(|simulator| simulator.since(reported)) {
            return Err(format!("the simulator reports:\n{report}"));
        }
        // The simulator is here for its reports: it rounds some float functions twice.
        let inexact = self.simulator.is_some() && uses_floats(K::CODE.opencl.source);
        if inexact {
            find_stray(K::CODE.spec, scene, &before, &scene.valid)
        } else {
            verify(K::CODE.spec, scene, expected, &before)
        }
    }

    fn run_parts(
        &self,
        case: &Case,
        configured: &Configured<Erased<K>>,
        form: &mut Form,
        scene: &mut Scene,
    ) -> Result<(), Trouble> {
        let images = Images::upload::<K>(&self.context, scene)?;
        let plane = scene.valid.plane();
        let parts = match case.way {
            Way::Whole | Way::Threads(_) => std::vec![plane],
            Way::Split(columns, rows) => cut(plane, columns, rows),
        };
        for part in parts.into_iter().rev() {
            let before = Snapshots::take(scene);
            self.launch(configured, form, scene, &images, part)?;
            images.download(scene)?;
            let region = ValidRegion::new(part, scene.shape);
            find_stray(K::CODE.spec, scene, &before, &region).map_err(Trouble::Stray)?;
        }
        Ok(())
    }

    fn launch(
        &self,
        configured: &Configured<Erased<K>>,
        form: &mut Form,
        scene: &Scene,
        images: &Images,
        window: Rect,
    ) -> Result<(), Trouble> {
        let spec = K::CODE.spec;
        let tables: Vec<Buffer> = scene
            .tables
            .iter()
            .map(|table| Buffer::from_bytes(&self.context, &table.bytes()))
            .collect::<Result<_, _>>()?;
        let constants: Vec<u32> = inputs(spec)
            .map(|input| match scene.border {
                Border::Constant(value) => value.to_element(input.element).map_or(0, crate::Scalar::to_word),
                Border::Undefined | Border::Replicate | Border::Reflect | Border::Reflect101 | Border::Wrap => 0,
            })
            .collect();
        let launch = Launch {
            inputs: Read::Buffers(&images.inputs),
            constants: &constants,
            outputs: &images.outputs,
            tables: &tables,
            words: configured.words(),
            window,
            planes: scene.shape.extents()[2..].iter().product(),
            borders: Borders::from(scene.border).modes(),
            local: LOCAL,
        };
        match form {
            Form::Buffers(schedule) => self.run_entry(configured.index(), *schedule, &launch)?,
            Form::Images(form) => form.run(&launch, &images.inputs)?,
        }
        Ok(())
    }

    fn run_entry(&self, index: u32, schedule: usize, launch: &Launch<'_>) -> Result<(), OpenClError> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if let std::collections::btree_map::Entry::Vacant(place) = entries.entry((index, schedule)) {
            place.insert(Entry::new(&self.context, &self.program, K::CODE, index, schedule)?);
        }
        entries.get_mut(&(index, schedule)).map_or(Ok(()), |entry| entry.run(launch))
    }
}

/// What stops a run: the runtime's error, or a store outside the part.
enum Trouble {
    OpenCl(OpenClError),
    Stray(String),
}

impl From<OpenClError> for Trouble {
    fn from(error: OpenClError) -> Self {
        Self::OpenCl(error)
    }
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::OpenCl(error) => write!(f, "OpenCL: {error}"),
            Self::Stray(what) => f.write_str(what),
        }
    }
}

/// A scene's images on the device.
struct Images {
    /// `#[inout]` ones are outputs.
    inputs: Vec<DeviceImage>,
    outputs: Vec<Option<DeviceImage>>,
}

impl Images {
    fn upload<K: Kernel>(context: &Context, scene: &Scene) -> Result<Self, OpenClError> {
        let upload = |picture: &Picture| {
            let (bytes, offset) = picture.block();
            DeviceImage::with_layout(Arc::new(Buffer::from_bytes(context, bytes)?), offset, *picture.info())
        };
        let outputs: Vec<Option<DeviceImage>> =
            scene.outputs.iter().map(|output| output.as_ref().map(upload).transpose()).collect::<Result<_, _>>()?;
        let inputs = inputs(K::CODE.spec)
            .zip(&scene.inputs)
            .map(|(input, picture)| {
                let same = input.inout.and_then(|output| outputs.get(output as usize).cloned().flatten());
                same.map_or_else(|| upload(picture), Ok)
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { inputs, outputs })
    }

    /// Everything comes back, what was only read as well.
    fn download(&self, scene: &mut Scene) -> Result<(), OpenClError> {
        for (image, picture) in self.outputs.iter().zip(&mut scene.outputs) {
            if let (Some(image), Some(picture)) = (image, picture) {
                image.buffer().read(0, picture.block_mut())?;
            }
        }
        for (image, picture) in self.inputs.iter().zip(&mut scene.inputs) {
            let is_output = self.outputs.iter().flatten().any(|output| Arc::ptr_eq(output.buffer(), image.buffer()));
            if !is_output {
                image.buffer().read(0, picture.block_mut())?;
            }
        }
        Ok(())
    }
}

/// Rectangles that tile `plane`, about as many as asked for.
fn cut(plane: Rect, columns: usize, rows: usize) -> Vec<Rect> {
    let step = |length: usize, parts: usize| length.div_ceil(parts.clamp(1, length.max(1))).max(1);
    let (step_x, step_y) = (step(plane.width(), columns), step(plane.height(), rows));
    let xs: Vec<usize> = (plane.x0..plane.x1).step_by(step_x).collect();
    (plane.y0..plane.y1)
        .step_by(step_y)
        .flat_map(|y| xs.iter().map(move |x| (*x, y)))
        .map(|(x, y)| Rect::new(x, y, x + step_x, y + step_y).intersect(&plane))
        .collect()
}

/// One case at a time, so that a report belongs to the case that runs.
pub(super) fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The device of all tests of this process.
fn context() -> Result<Context, OpenClError> {
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
}

impl Simulator {
    /// The simulator behind `context`, where it is one.
    fn of(context: &Context) -> Result<Option<Self>, String> {
        if !is_simulator(context.device()) {
            return Ok(None);
        }
        match std::env::var_os(LOG_VARIABLE) {
            Some(log) => Ok(Some(Self { log: log.into() })),
            None => Err(format!("on Oclgrind {LOG_VARIABLE} must name its log, so that reports can fail their cases")),
        }
    }

    /// Bytes reported so far.
    fn reported(&self) -> usize {
        self.text().len()
    }

    /// What has been reported since.
    fn since(&self, reported: usize) -> Option<String> {
        self.text().get(reported..).map(str::trim).filter(|text| !text.is_empty()).map(String::from)
    }

    fn text(&self) -> String {
        std::fs::read(&self.log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
    }
}
