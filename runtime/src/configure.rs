//! From a kernel and its arguments to a [`Configured`] kernel, the only thing that runs.
//!
//! Everything that is the same for a whole run is worked out here, once: the output's shape, the window and valid region,
//! the uniforms' words and those derived from them, and the body, by tier, choice of variants and subset of outputs.

use core::{fmt, marker::PhantomData};
#[cfg(feature = "std")]
use std::vec::Vec;

use crate::{
    arguments::MAX_ARGUMENTS,
    border::Borders,
    bounds::uniforms,
    code::{Body, Kernel, KernelCode},
    element::Scalar,
    error::InvalidConfiguration,
    float_environment::DefaultFloats,
    infer::{Inferred, images, read_images},
    info::Shape,
    limits::TILE_BYTES,
    packing::Packing,
    region::ValidRegion,
    spec::{InputSpec, KernelSpec},
    stage::{element_only, rows_read, tile_columns},
    tier::{InvalidTier, Tier},
    uniform::MAX_WORDS,
    validate::{Request, validate, variants},
    window::Window,
};
#[cfg(feature = "std")]
use crate::{bounds::check_words, packing::Constant};

/// A kernel whose arguments are checked and whose window is fixed.
///
/// It is made once by the kernel's `configure`, and runs on any number of images of the same shapes and types:
///
/// ```
/// use windrow::{Serial, Tensor, language::*};
///
/// #[kernel]
/// fn halved(src: u8) -> u8 {
///     src / 2
/// }
///
/// let mut out = Tensor::<u8>::new([2, 3])?;
/// let kernel = halved::configure(out.info(), out.info())?;
/// for value in [10u8, 200] {
///     kernel.run(&Serial, &Tensor::from_vec(vec![value; 6], [2, 3])?, &mut out)?;
///     assert_eq!(out.to_vec(), [value / 2; 6]);
/// }
/// # Ok::<(), windrow::Error>(())
/// ```
pub struct Configured<K: Kernel> {
    pub(crate) plan: KernelPlan,
    kernel: PhantomData<fn() -> K>,
}

/// A configured kernel without its type: what is fixed for every run of a [`Configured`], and all that an executor needs.
#[derive(Clone)]
pub struct KernelPlan {
    pub(crate) code: &'static KernelCode,
    pub(crate) body: &'static Body,
    /// [`Body::index`].
    pub(crate) index: u32,
    /// The greatest width of a staged tile, a multiple of the body's lanes.
    pub(crate) columns: usize,
    /// Whether rows that follow each other in memory may be computed as one: the body looks at nothing beside its element, and does
    /// not ask where that lies.
    pub(crate) joins_rows: bool,
    /// The images that are read anywhere: a bit for each image, the first one's the lowest. A run asks this of every image, and most
    /// kernels have none.
    whole: u32,
    /// Those of them that are tensors, likewise.
    tensors: u32,
    /// The shape of every output.
    pub(crate) shape: Shape,
    /// The shapes of the images read, `#[inout]` ones left out.
    pub(crate) inputs: [Shape; MAX_ARGUMENTS],
    /// Which outputs are given.
    pub(crate) present: [bool; MAX_ARGUMENTS],
    pub(crate) valid: ValidRegion,
    pub(crate) window: Window,
    pub(crate) borders: Borders,
    /// What its runs pack.
    pub(crate) packing: Packing,
    /// The images that no run changes, as far as they are packed.
    #[cfg(feature = "std")]
    pub(crate) constants: Vec<Constant>,
    choice: [u32; MAX_ARGUMENTS],
    words: [u32; MAX_WORDS],
}

impl KernelPlan {
    /// Checks the arguments of a kernel that is known at run time, as [`configure()`] does.
    pub fn new(code: &'static KernelCode, request: &Request<'_>) -> Result<KernelPlan, InvalidConfiguration> {
        let inferred = validate(code.spec, request)?;
        plan(code, request, &inferred)
    }

    /// Returns the kernel's specification.
    pub fn spec(&self) -> &'static KernelSpec {
        self.code.spec
    }

    /// Whether any image is read anywhere.
    pub(crate) fn reads_anywhere(&self) -> bool {
        self.whole != 0
    }

    /// Whether this image, `#[inout]` ones counted, is read anywhere.
    pub(crate) fn is_whole(&self, image: usize) -> bool {
        self.whole & 1 << image != 0
    }

    /// Whether this image is a tensor that is given whole.
    pub(crate) fn is_tensor(&self, image: usize) -> bool {
        self.tensors & 1 << image != 0
    }

    /// Returns the kernel's code on every target.
    pub fn code(&self) -> &'static KernelCode {
        self.code
    }

    /// Returns the body that runs within a tier ([`Body::index`]), and the index of the OpenCL entry points.
    pub fn index(&self) -> u32 {
        self.index
    }

    /// Returns the tier that runs.
    pub fn tier(&self) -> Tier {
        self.body.tier
    }

    /// Returns the tiers that the kernel has bodies for and this processor runs, best first.
    pub fn tiers(&self) -> impl Iterator<Item = Tier> + '_ {
        let has_body = |tier: &Tier| self.code.bodies.iter().any(|body| (body.tier, body.index) == (*tier, self.index));
        Tier::ALL.into_iter().rev().filter(has_body).filter(|tier| tier.is_available())
    }

    /// Returns the same configuration on another tier.
    pub fn with_tier(mut self, tier: Tier) -> Result<KernelPlan, InvalidConfiguration> {
        if !tier.is_available() {
            return Err(InvalidTier::NotOnThisProcessor(tier).into());
        }
        if !self.code.bodies.iter().any(|body| body.tier == tier && body.index == self.index) {
            return Err(InvalidTier::NotEmitted(tier).into());
        }
        let width = self.shape.width();
        (self.body, self.columns) = filled_body(self.code, self.index, width, |body| body.tier == tier)?;
        self.joins_rows = joins_rows(self.spec(), self.body);
        #[cfg(feature = "std")]
        self.constants.clear();
        self.packing = Packing::new(self.spec(), self.body, &self.shape, &self.inputs);
        Ok(self)
    }

    /// Returns the window of a whole run.
    pub fn window(&self) -> Window {
        self.window
    }

    /// Returns the shape of every output.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the shapes of the images read, `#[inout]` ones left out; beyond these, the outputs' shape.
    pub fn input_shapes(&self) -> [Shape; MAX_ARGUMENTS] {
        self.inputs
    }

    /// Returns whether each output is given.
    pub fn present(&self) -> [bool; MAX_ARGUMENTS] {
        self.present
    }

    /// Returns the part of every output that a run writes.
    pub fn valid_region(&self) -> ValidRegion {
        self.valid
    }

    /// Returns what reads outside each image find.
    pub fn borders(&self) -> Borders {
        self.borders
    }

    /// Returns the words of the uniforms, and those derived from them.
    pub fn words(&self) -> &[u32] {
        let count = self.spec().words.uniforms as usize + self.spec().words.derived as usize;
        self.words.get(..count).unwrap_or(&self.words)
    }

    /// Returns the number of the value chosen for each variant.
    pub fn choice(&self) -> &[u32] {
        let count = variants(self.spec()).count();
        self.choice.get(..count).unwrap_or(&self.choice)
    }

    /// The same with other uniforms, which must keep the kernel's bounds and relations as in [`configure()`].
    #[cfg(feature = "std")]
    pub(crate) fn with_words(&self, uniforms: &[u32]) -> Result<KernelPlan, InvalidConfiguration> {
        check_words(self.spec(), uniforms)?;
        Ok(KernelPlan { words: words(self.code, uniforms), ..self.clone() })
    }

    /// Returns the outputs that are given.
    #[cfg(feature = "std")]
    pub fn outputs(&self) -> impl Iterator<Item = &'static crate::spec::OutputSpec> {
        self.spec().outputs.iter().zip(self.present).filter_map(|(output, given)| given.then_some(output))
    }
}

/// Checks the arguments of `K`, and fixes everything that is the same for a whole run.
pub fn configure<K: Kernel>(request: &Request<'_>) -> Result<Configured<K>, InvalidConfiguration> {
    Configured::new(|code| KernelPlan::new(code, request))
}

impl<K: Kernel> Configured<K> {
    /// The kernel, configured by a function that plans what its code says.
    pub(crate) fn new<E>(plan: impl FnOnce(&'static KernelCode) -> Result<KernelPlan, E>) -> Result<Self, E> {
        Ok(Configured { plan: plan(K::CODE)?, kernel: PhantomData })
    }

    /// Returns the configuration without the kernel's type.
    pub fn plan(&self) -> &KernelPlan {
        &self.plan
    }

    /// Returns the shape of every output.
    pub fn shape(&self) -> Shape {
        self.plan.shape
    }

    /// Returns the part of every output that a run writes; the rest is left untouched.
    pub fn valid_region(&self) -> ValidRegion {
        self.plan.valid
    }

    /// Returns the window of a whole run. Its end may lie behind the valid region's, by less than a step.
    pub fn window(&self) -> Window {
        self.plan.window
    }

    /// Returns what reads outside each image find.
    pub fn borders(&self) -> Borders {
        self.plan.borders
    }

    /// Returns the words of the uniforms, followed by those derived from them.
    pub fn words(&self) -> &[u32] {
        self.plan.words()
    }

    /// Returns the number of the value chosen for each variant.
    pub fn choice(&self) -> &[u32] {
        self.plan.choice()
    }

    /// Returns which body runs within a tier: [`Body::index`], and the index of the OpenCL entry points.
    pub fn index(&self) -> u32 {
        self.plan.index
    }

    /// Returns the tier that runs.
    pub fn tier(&self) -> Tier {
        self.plan.tier()
    }

    /// Returns the tiers that this kernel has bodies for and this processor runs, best first.
    pub fn tiers(&self) -> impl Iterator<Item = Tier> + '_ {
        self.plan.tiers()
    }

    /// Returns the same configuration on another tier. Constants are to be given to it again.
    pub fn with_tier(self, tier: Tier) -> Result<Self, InvalidConfiguration> {
        Ok(Configured { plan: self.plan.with_tier(tier)?, kernel: PhantomData })
    }
}

impl<K: Kernel> Clone for Configured<K> {
    fn clone(&self) -> Self {
        Configured { plan: self.plan.clone(), kernel: PhantomData }
    }
}

impl<K: Kernel> fmt::Debug for Configured<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(&self.plan, "Configured", f)
    }
}

impl fmt::Debug for KernelPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(self, "KernelPlan", f)
    }
}

fn show(plan: &KernelPlan, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.debug_struct(name)
        .field("kernel", &plan.spec().name)
        .field("shape", &plan.shape)
        .field("borders", &plan.borders)
        .field("tier", &plan.body.tier)
        .field("words", &plan.words())
        .finish_non_exhaustive()
}

fn plan(
    code: &'static KernelCode,
    request: &Request<'_>,
    inferred: &Inferred,
) -> Result<KernelPlan, InvalidConfiguration> {
    let spec = code.spec;
    let mut present = [false; MAX_ARGUMENTS];
    present.iter_mut().zip(request.outputs).for_each(|(present, output)| *present = output.is_some());
    let mut inputs = [inferred.shape(); MAX_ARGUMENTS];
    inputs.iter_mut().zip(read_images(spec).zip(request.inputs)).for_each(|(shape, (_, info))| *shape = info.shape());
    let mut choice = [0; MAX_ARGUMENTS];
    choice.iter_mut().zip(request.choice).for_each(|(place, &value)| *place = value);
    let index = body_index(spec, request.choice, &present[..spec.outputs.len()]);
    let (body, columns) = choose_body(code, index, inferred.shape().width())?;
    let valid = inferred.valid_region();
    Ok(KernelPlan {
        code,
        body,
        index,
        columns,
        joins_rows: joins_rows(spec, body),
        whole: places(spec, InputSpec::is_whole),
        tensors: places(spec, |input| input.tensor_rank().is_some()),
        shape: inferred.shape(),
        inputs,
        present,
        valid,
        window: Window::covering(valid.start, valid.end, spec.step),
        borders: request.border,
        packing: Packing::new(spec, body, &inferred.shape(), &inputs),
        #[cfg(feature = "std")]
        constants: Vec::new(),
        choice,
        words: words(code, request.words),
    })
}

/// The images, `#[inout]` ones counted, of which something holds: a bit for each.
fn places(spec: &'static KernelSpec, holds: impl Fn(&InputSpec) -> bool) -> u32 {
    images(spec).enumerate().fold(0, |places, (index, (_, input))| places | u32::from(holds(input)) << index)
}

/// [`KernelPlan::joins_rows`].
fn joins_rows(spec: &'static KernelSpec, body: &Body) -> bool {
    let mut images = rows_read(spec, body);
    body.rows == 1 && !spec.coordinates && images.all(|(input, reads)| element_only(reads) && input.stride() == (1, 1))
}

/// Whether an element reads more of an image than what the next one begins with: behind its ends there is a border.
fn reads_beyond_steps(spec: &'static KernelSpec, body: &Body) -> bool {
    rows_read(spec, body).any(|(input, reads)| {
        let (across, down) = input.stride();
        let is_inside = reads.right < across as i32 && reads.bottom < down as i32;
        reads.left < 0 || reads.top < 0 || !is_inside
    })
}

/// The words of a run: each uniform's in its canonical form, then the derived ones.
fn words(code: &'static KernelCode, given: &[u32]) -> [u32; MAX_WORDS] {
    let mut words = [0; MAX_WORDS];
    words.iter_mut().zip(given).for_each(|(word, &given)| *word = given);
    for (_, uniform) in uniforms(code.spec) {
        let count = uniform.dims.iter().product::<u32>() as usize;
        for word in words.iter_mut().skip(uniform.word as usize).take(count) {
            *word = Scalar::from_word(uniform.element, *word).to_word();
        }
    }
    let count = code.spec.words.uniforms as usize + code.spec.words.derived as usize;
    if let Some(used) = words.get_mut(..count) {
        let _floats = DefaultFloats::set_for(code.spec);
        (code.derive)(used);
    }
    words
}

/// [`Body::index`]: the choice of variants (the last fastest) times the subsets of outputs, plus the subset's place.
///
/// The subsets that hold every output which may not be left out are counted from the full one down by their bit masks,
/// where bit k says that output k is given.
fn body_index(spec: &'static KernelSpec, choice: &[u32], present: &[bool]) -> u32 {
    let chosen = variants(spec).zip(choice).fold(0, |index, ((_, values), &value)| index * values.len() as u32 + value);
    let mask = |bit: &dyn Fn(usize) -> bool| (0..spec.outputs.len()).fold(0u32, |m, k| m | u32::from(bit(k)) << k);
    let required = mask(&|k| !spec.outputs[k].optional);
    let given = mask(&|k| present[k]);
    let all = mask(&|_| true);
    let subsets =
        |from: u32| (from..=all).filter(|subset| *subset != 0 && subset & required == required).count() as u32;
    chosen * subsets(1) + subsets(given + 1)
}

/// The body of the tier that `WINDROW_TIER` asks for, or else the best for rows of this width, and the greatest width of its tiles.
fn choose_body(
    code: &'static KernelCode,
    index: u32,
    width: usize,
) -> Result<(&'static Body, usize), InvalidConfiguration> {
    match Tier::forced()? {
        None => {
            let is_vector = |body: &Body| body.tier > Tier::Scalar && body.tier.is_available();
            best_body(code, index, |body| is_vector(body) && is_filled(code.spec, body, width))
                .or_else(|_| best_body(code, index, |body| body.tier.is_available()))
        }
        Some(tier) if !tier.is_available() => Err(InvalidTier::NotOnThisProcessor(tier).into()),
        // A kernel without a body for a forced tier runs the best of those below it: some have no better.
        Some(forced) => {
            let (body, _) = best_body(code, index, |body| body.tier <= forced && body.tier.is_available())?;
            filled_body(code, index, width, |own| own.tier == body.tier)
        }
    }
}

/// Whether rows of a width fill a body's vectors: those that do not are computed on a copy; where borders are read, there is one anyway.
fn is_filled(spec: &'static KernelSpec, body: &Body, width: usize) -> bool {
    joins_rows(spec, body) || body.lanes as usize <= width || reads_beyond_steps(spec, body)
}

/// The first body that `suits` and whose vectors rows of a width fill, or else the first that suits: a tier may have a second body
/// for narrow rows.
fn filled_body(
    code: &'static KernelCode,
    index: u32,
    width: usize,
    suits: impl Fn(&Body) -> bool,
) -> Result<(&'static Body, usize), InvalidConfiguration> {
    best_body(code, index, |body| suits(body) && is_filled(code.spec, body, width))
        .or_else(|_| best_body(code, index, suits))
}

/// The first body that `suits` and whose edges fit the scratch, and the greatest width of its tiles.
fn best_body(
    code: &'static KernelCode,
    index: u32,
    suits: impl Fn(&Body) -> bool,
) -> Result<(&'static Body, usize), InvalidConfiguration> {
    code.bodies
        .iter()
        .filter(|body| body.index == index && suits(body))
        .find_map(|body| Some((body, tile_columns(code.spec, body)?)))
        .ok_or(InvalidConfiguration::Scratch { kernel: code.spec.name, available: TILE_BYTES })
}
