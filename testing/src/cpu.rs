//! Runs a case on the processor, with the bodies of one tier.

use super::{
    arguments::{Read, Written},
    case::{Case, Way},
    cases::inputs,
    oracle,
    picture::{Difference, Picture},
    scene::Scene,
};
use windrow_runtime::{
    arguments::MAX_ARGUMENTS,
    code::{Body, KernelCode},
    configure::KernelPlan,
    error::{InvalidConfiguration, RunError},
    info::{MAX_DIMENSIONS, TensorInfo},
    region::ValidRegion,
    schedule::{Rayon, Scheduler, Serial},
    spec::{KernelSpec, NeighbourhoodSpec},
    tier::Tier,
    validate::Request,
    view::{AnyView, AnyViewMut},
    window::Window,
};

/// Whether this processor runs `tier`, and the kernel has a body of its own for it.
pub(super) fn has_body(code: &KernelCode, tier: Tier) -> bool {
    tier.is_available() && code.bodies().iter().any(|body| body.tier() == tier)
}

/// Why a kernel can't run on `tier` here, if it can't.
pub(super) fn missing(code: &KernelCode, tier: Tier) -> Option<String> {
    if !tier.is_available() {
        return Some(format!("this processor does not run the tier {tier}"));
    }
    emitted(code, tier).is_none().then(|| format!("the kernel has no body for the tier {tier}"))
}

/// The tier whose body runs where one is asked for: its own or, of a kernel that its vectors do not pay for, the next below.
pub(super) fn emitted(code: &KernelCode, tier: Tier) -> Option<Tier> {
    let mut tiers = code.bodies().iter().map(Body::tier);
    match tier {
        Tier::Avx512 => tiers.find(|&own| own == tier || own == Tier::Avx2),
        Tier::DotProd => tiers.find(|&own| own == tier || own == Tier::Neon),
        Tier::Sse41 => tiers.find(|&own| own == tier || own == Tier::Scalar),
        _ => tiers.find(|&own| own == tier),
    }
}

/// Runs `case`, and compares everything that it wrote and everything that it should not have.
pub(super) fn run(code: &'static KernelCode, tier: Tier, case: &Case) -> Result<(), String> {
    let spec = code.spec();
    let mut scene = Scene::new(spec, case)?;
    let Some(plan) = configured(code, case, &scene)? else { return Ok(()) };
    let tier = emitted(code, tier).unwrap_or(tier);
    let plan = plan.with_tier(tier).map_err(|error| error.to_string())?;
    let mut expected = scene.duplicate_outputs()?;
    oracle::compute(code, &mut scene, &case.choice, plan.words(), &mut expected)?;
    let before = Snapshots::take(&scene);
    if scene.in_place.is_some_and(|input| reads_on(&plan, input)) {
        return match launch(&plan, &mut scene, &Serial, None) {
            Err(RunError::Overlap { .. }) => Ok(()),
            result => Err(format!("an output in the place of an input that is read on gives {result:?}")),
        };
    }
    match case.way {
        Way::Whole => launch(&plan, &mut scene, &Serial, None).map_err(refused)?,
        Way::Threads(threads) => threaded(&plan, &mut scene, threads)?,
        Way::Split(columns, rows) => split(&plan, &mut scene, columns, rows)?,
    }
    verify(spec, &scene, &expected, &before)
}

/// The configuration of a case; `None` where an empty image was refused, as it must be.
pub(super) fn configured(code: &'static KernelCode, case: &Case, scene: &Scene) -> Result<Option<KernelPlan>, String> {
    let read: Vec<&TensorInfo> = read(code.spec(), scene).map(|(_, picture)| picture.info()).collect();
    let written: Vec<Option<&TensorInfo>> =
        scene.outputs.iter().map(|output| output.as_ref().map(Picture::info)).collect();
    let request = Request {
        inputs: &read,
        outputs: &written,
        words: &scene.words,
        choice: &case.choice,
        border: scene.border.into(),
    };
    let plan = match (KernelPlan::new(code, &request), scene.shape.is_empty()) {
        (Ok(plan), false) => plan,
        (Err(InvalidConfiguration::Empty { .. }), true) => return Ok(None),
        (Ok(_), true) => return Err("an empty image was accepted".into()),
        (Err(error), _) => return Err(format!("refused by configure: {error}")),
    };
    let found = plan.valid_region();
    let same = found == scene.valid || (found.is_empty() && scene.valid.is_empty());
    if !same {
        return Err(format!("the valid region is {found:?}, expected {:?}", scene.valid));
    }
    Ok(Some(plan))
}

/// The images read that are no `#[inout]` arguments.
pub(super) fn read<'a>(spec: &'static KernelSpec, scene: &'a Scene) -> impl Iterator<Item = (usize, &'a Picture)> {
    inputs(spec)
        .zip(&scene.inputs)
        .enumerate()
        .filter(|(_, (input, _))| input.inout.is_none())
        .map(|(index, (_, picture))| (index, picture))
}

/// Whether the body reads more of an input than the element itself, so that no output may lie in its place.
fn reads_on(plan: &KernelPlan, input: usize) -> bool {
    let runs = |body: &&Body| body.tier() == plan.tier() && body.index() == plan.index();
    let body = plan.code().bodies().iter().find(runs);
    body.and_then(|body| body.reads().get(input)).is_some_and(|reads| *reads != NeighbourhoodSpec::default())
}

fn refused(error: RunError) -> String {
    format!("refused by run: {error}")
}

/// The views of a scene's images.
pub(super) struct Arguments<'a> {
    pub(super) read: Read<'a>,
    pub(super) written: Written<'a>,
}

impl<'a> Arguments<'a> {
    /// Those of a scene, for one run.
    pub(super) fn of(spec: &'static KernelSpec, scene: &'a mut Scene) -> Self {
        let mut views = Vec::with_capacity(MAX_ARGUMENTS);
        for (index, (input, picture)) in inputs(spec).zip(&mut scene.inputs).enumerate() {
            let shared = scene.outputs.first_mut().and_then(Option::as_mut).filter(|_| scene.in_place == Some(index));
            let picture = shared.unwrap_or(picture);
            let info = *picture.info();
            if let (Some(base), None) = (picture.base(), input.inout) {
                // SAFETY: the picture has these elements at its base, and is borrowed until the run is over.
                views.push(unsafe { AnyView::from_raw(base, info) });
            }
        }
        let outputs = scene.outputs.iter_mut().map(|output| {
            let picture = output.as_mut()?;
            let info = *picture.info();
            // SAFETY: as above; an output that is an input too is given to the same run.
            picture.base().map(|base| unsafe { AnyViewMut::from_raw(base, info) })
        });
        Self { written: Written { views: outputs.collect() }, read: Read { views, tables: &scene.tables } }
    }
}

/// Runs the whole window, or a part of it.
fn launch(
    plan: &KernelPlan,
    scene: &mut Scene,
    scheduler: &dyn Scheduler,
    part: Option<&Window>,
) -> Result<(), RunError> {
    let Arguments { read, written } = Arguments::of(plan.spec(), scene);
    match part {
        None => plan.run(scheduler, read, written),
        Some(part) => plan.run_window(scheduler, read, written, part),
    }
}

fn threaded(plan: &KernelPlan, scene: &mut Scene, threads: usize) -> Result<(), String> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| format!("no pool of {threads} threads: {error}"))?;
    launch(plan, scene, &Rayon::on(&pool).with_grain(1), None).map_err(refused)
}

/// Runs the parts one after the other, the last first, and finds any store outside the part that runs.
fn split(plan: &KernelPlan, scene: &mut Scene, columns: usize, rows: usize) -> Result<(), String> {
    let window = plan.window();
    let parts: Vec<Window> = (2..MAX_DIMENSIONS)
        .fold(window.parts(1, rows).flat_map(|part| part.parts(0, columns)).collect(), |parts, dimension| {
            parts.iter().flat_map(|part: &Window| part.parts(dimension, rows)).collect()
        });
    for part in parts.iter().rev() {
        let region = intersection(part, &scene.valid);
        let before = Snapshots::take(scene);
        launch(plan, scene, &Serial, Some(part)).map_err(refused)?;
        find_stray(plan.spec(), scene, &before, &region)?;
    }
    Ok(())
}

/// Whether an output has changed outside `region`, the part that was run.
pub(super) fn find_stray(
    spec: &'static KernelSpec,
    scene: &Scene,
    before: &Snapshots,
    region: &ValidRegion,
) -> Result<(), String> {
    for ((output, picture), before) in spec.outputs.iter().zip(&scene.outputs).zip(&before.outputs) {
        let (Some(picture), Some(before)) = (picture, before) else { continue };
        if let Some(difference) = picture.changed_outside(before, Some(region)) {
            return Err(format!("the sub-window {region} wrote elsewhere: {}", show(output.name, &difference)));
        }
    }
    Ok(())
}

/// The elements of `part` that are valid.
fn intersection(part: &Window, valid: &ValidRegion) -> ValidRegion {
    let range = |dimension: usize| {
        let (part, valid) = (part.dimension(dimension), valid.inner_range(dimension));
        part.start().max(valid.start)..part.end().min(valid.end)
    };
    let ranges: [_; MAX_DIMENSIONS] = std::array::from_fn(|outer| range(MAX_DIMENSIONS - 1 - outer));
    ValidRegion::from_ranges(&ranges).unwrap_or(*valid)
}

/// All memory of a scene before a run.
pub(super) struct Snapshots {
    inputs: Vec<Vec<u8>>,
    outputs: Vec<Option<Vec<u8>>>,
}

impl Snapshots {
    pub(super) fn take(scene: &Scene) -> Self {
        Self {
            inputs: scene.inputs.iter().map(Picture::snapshot).collect(),
            outputs: scene.outputs.iter().map(|output| output.as_ref().map(Picture::snapshot)).collect(),
        }
    }
}

/// Every element of the valid region is as expected, and no other byte of any image has changed.
pub(super) fn verify(
    spec: &'static KernelSpec,
    scene: &Scene,
    expected: &[Option<Picture>],
    before: &Snapshots,
) -> Result<(), String> {
    verify_part(spec, scene, expected, before, &scene.valid)
}

/// Every element of a part of the valid region is as expected, and no byte outside the valid region has changed.
pub(super) fn verify_part(
    spec: &'static KernelSpec,
    scene: &Scene,
    expected: &[Option<Picture>],
    before: &Snapshots,
    part: &ValidRegion,
) -> Result<(), String> {
    let outputs = spec.outputs.iter().zip(&scene.outputs).zip(expected);
    let scale = spec.fast.then(|| scene.scale());
    for ((output, picture), expected) in outputs.clone() {
        let (Some(picture), Some(expected)) = (picture, expected) else { continue };
        if let Some(difference) = picture.compare(expected, part, scale) {
            return Err(show(output.name, &difference));
        }
    }
    for (((output, picture), _), before) in outputs.zip(&before.outputs) {
        let (Some(picture), Some(before)) = (picture, before) else { continue };
        if let Some(difference) = picture.changed_outside(before, Some(&scene.valid)) {
            return Err(show(output.name, &difference));
        }
    }
    for ((name, _), (picture, before)) in spec.images().zip(scene.inputs.iter().zip(&before.inputs)) {
        if let Some(difference) = picture.changed_outside(before, None) {
            return Err(show(name, &difference));
        }
    }
    Ok(())
}

fn show(image: &str, difference: &Difference) -> String {
    let Difference { place, expected, found } = difference;
    format!("`{image}` at {place}: expected {expected}, found {found}")
}
