//! Runs the cases of a kernel on a device of another crate.
//!
//! The images go to the device as they lie, margins and poison with them, and come back whole, so that a store outside
//! the window is seen. What a device is, and how it launches, is a [`Device`]'s.

use super::{
    block::Blocks,
    case::{Case, Way},
    cases,
    cpu::{Snapshots, configured, find_stray, verify},
    oracle,
    picture::Picture,
    run::{Failure, Outcome, run_cases},
    scene::Scene,
    selection::{Chosen, Selection},
    subject::Subject,
    target::Target,
};
use windrow_reference::testing::Mode;
use windrow_runtime::{
    code::{Kernel, KernelCode},
    configure::KernelPlan,
    region::{Rect, ValidRegion},
};

/// A kernel on a device that its cases run on.
pub trait Device: Sized {
    /// One of the device's ways to compute a kernel: a schedule, or another form of its program.
    type Form;
    /// A case's images on the device.
    type Images;

    /// Returns the kernel, ready to run.
    ///
    /// # Errors
    /// A [`NoDevice`].
    fn open(code: &'static KernelCode) -> Result<Self, NoDevice>;

    /// Returns whether it is a simulator that reports stray accesses. It runs fewer and smaller cases.
    fn is_simulator(&self) -> bool;

    /// Returns whether its floats have the bits of the reference; those of a simulator need not.
    fn is_exact(&self) -> bool;

    /// Returns the ways that there are to compute a configured kernel, each with its name.
    ///
    /// # Errors
    /// What stops it, for people.
    fn forms(&self, plan: &KernelPlan) -> Result<Vec<(Self::Form, String)>, String>;

    /// Brings images to the device.
    ///
    /// # Errors
    /// What stops it, for people.
    fn upload(&self, images: &Blocks<'_>) -> Result<Self::Images, String>;

    /// Computes `window`, with these bytes as tables, and waits.
    ///
    /// # Errors
    /// What stops it, for people.
    fn run(
        &self,
        plan: &KernelPlan,
        form: &mut Self::Form,
        images: &Self::Images,
        tables: &[Vec<u8>],
        window: Rect,
    ) -> Result<(), String>;

    /// Brings everything back, what was only read as well.
    ///
    /// # Errors
    /// What stops it, for people.
    fn download(&self, images: &Self::Images, to: &mut Blocks<'_>) -> Result<(), String>;

    /// Returns what a simulator has reported since this was called last.
    fn report(&self) -> Option<String>;
}

/// Why a kernel can't be tested on a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoDevice {
    /// The machine has none.
    Missing(String),
    /// It has one, but the kernel can't run on it.
    Broken(String),
}

/// Runs the cases of `K` on a device of kind `D`, up to the first that does not agree.
///
/// # Errors
/// The first case that does not agree.
pub fn run_on<D: Device, K: Kernel>(mode: Mode, selection: &Selection<'_>) -> Result<Outcome, Failure> {
    run_subject_on::<D>(Subject::of::<K>(), mode, selection)
}

/// [`run_on`] of a kernel.
pub(super) fn run_subject_on<D: Device>(
    subject: Subject,
    mode: Mode,
    selection: &Selection<'_>,
) -> Result<Outcome, Failure> {
    let (code, target) = (subject.code, Target::OpenCl);
    let cases = |device: &D, mode| match device.is_simulator() {
        true => cases::for_simulator(code),
        false => cases::for_device(code, mode),
    };
    match D::open(code) {
        Ok(device) => {
            let Chosen { listed, drawn } = selection.choose(code.spec(), target, mode, &|mode| cases(&device, mode));
            // Each case is a launch; a simulator takes seconds for one.
            let drawn = drawn.filter(|_| !device.is_simulator()).map(|drawn| drawn.div_ceil(4));
            run_cases(subject, target, mode, Chosen { listed, drawn }, &|case| run(&device, code, case))
        }
        Err(NoDevice::Missing(why)) => Ok(Outcome::NotRun(why)),
        Err(NoDevice::Broken(what)) => {
            let id = format!("{}::{}", code.spec().name, target.name());
            Err(Failure { id, what, kernel: subject.kernel })
        }
    }
}

/// Runs `case` in every form, and compares everything that was written and everything that should not be.
fn run<D: Device>(device: &D, code: &'static KernelCode, case: &Case) -> Result<(), String> {
    let spec = code.spec();
    let mut scene = Scene::new(spec, case)?;
    let Some(plan) = configured(code, case, &scene)? else { return Ok(()) };
    let mut expected = scene.duplicate_outputs()?;
    oracle::compute(code, &mut scene, &case.choice, plan.words(), &mut expected)?;
    let untouched = scene.duplicate_outputs()?;
    for (mut form, name) in device.forms(&plan)? {
        for (output, untouched) in scene.outputs.iter_mut().zip(&untouched) {
            *output = untouched.as_ref().map(Picture::duplicate).transpose()?;
        }
        let before = Snapshots::take(&scene);
        device.report();
        let named = |what: String| format!("{what} ({name})");
        run_parts(device, case, &plan, &mut form, &mut scene).map_err(named)?;
        if let Some(report) = device.report() {
            return Err(named(format!("the simulator reports:\n{report}")));
        }
        match device.is_exact() {
            true => verify(spec, &scene, &expected, &before),
            false => find_stray(spec, &scene, &before, &scene.valid),
        }
        .map_err(named)?;
    }
    Ok(())
}

/// Runs the parts of a case, the last first; after each, nothing outside it may have changed.
fn run_parts<D: Device>(
    device: &D,
    case: &Case,
    plan: &KernelPlan,
    form: &mut D::Form,
    scene: &mut Scene,
) -> Result<(), String> {
    let tables = scene.table_bytes();
    let images = device.upload(&blocks(scene))?;
    let plane = scene.valid.plane();
    let parts = match case.way {
        Way::Whole | Way::Threads(_) => vec![plane],
        Way::Split(columns, rows) => cut(plane, columns, rows),
    };
    for part in parts.into_iter().rev() {
        let before = Snapshots::take(scene);
        device.run(plan, form, &images, &tables, part)?;
        device.download(&images, &mut blocks(scene))?;
        find_stray(plan.spec(), scene, &before, &ValidRegion::new(part, scene.shape))?;
    }
    Ok(())
}

pub(super) fn blocks(scene: &mut Scene) -> Blocks<'_> {
    Blocks {
        inputs: scene.inputs.iter_mut().map(Picture::block).collect(),
        outputs: scene.outputs.iter_mut().map(|output| output.as_mut().map(Picture::block)).collect(),
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
