//! Generated tests of chains: in bands, on a device and in mixed places, a chain gives what its operators give one after another.
//!
//! A chain's author has a function from the infos of its inputs to a [`ChainBuilder`], and names it and the elements of the inputs in
//! `windrow::chain_tests!`. What is expected is computed stage by stage: a generated kernel by its author's own function, any
//! other operator by its code over the whole image.

use approx::relative_eq;
use proptest::{
    prelude::{ProptestConfig, any},
    test_runner::{RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner},
};
use std::{
    cell::{Cell, RefCell},
    fmt, slice,
    sync::Arc,
};
use windrow_reference::testing::{Mode, Random};
use windrow_runtime::{
    band::{self, InBands},
    dtype::DType,
    element::ElementType,
    function::{Chain, ChainBuilder, Composite, Function, FunctionError, Whole},
    info::TensorInfo,
    memory::{Allocation, Allocator, Heap, MemoryRecording},
    region::ValidRegion,
    schedule::{Rayon, Serial},
    view::{AnyView, AnyViewMut},
};

/// A chain's author's function: the chain for inputs like these.
pub type BuildChain = dyn Fn(&[TensorInfo]) -> Result<ChainBuilder, FunctionError>;

/// Ways to run a chain, each with its name: what a test compares with one operator after another.
pub type ChainWays<'w> = dyn Fn(&ChainBuilder) -> Vec<(String, Result<Composite, FunctionError>)> + 'w;

/// A case's chain, and what it must equal.
pub(crate) struct Built {
    /// The chain that runs in the ways of a test.
    pub chain: ChainBuilder,
    /// The chain whose operators are run one after another.
    pub reference: ChainBuilder,
}

/// Makes the chain of a case: for inputs like these, with values of the case's own.
pub(crate) type BuildCase<'b> = dyn Fn(&[TensorInfo], &mut Random) -> Result<Built, FunctionError> + 'b;

/// An image that a chain reads, as a test draws it.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// The type of a channel.
    pub element: ElementType,
    /// Channels of a pixel.
    pub channels: u32,
    /// How many dimensions it has.
    pub rank: usize,
}

impl Input {
    /// Returns an image of rows and columns.
    pub const fn plane(element: ElementType, channels: u32) -> Input {
        Input { element, channels, rank: 2 }
    }

    pub(crate) fn info(&self, extents: &[usize]) -> Result<TensorInfo, String> {
        TensorInfo::new(self.element, self.channels, extents).map_err(told)
    }

    /// With extents out of two small ones, so that those which must be equal often are; `None` where that makes it large.
    fn drawn(
        &self,
        [rows, columns]: [usize; 2],
        sizes: Sizes,
        random: &mut Random,
    ) -> Option<Result<TensorInfo, String>> {
        let both = [1 + rows % 12, 1 + columns % 5];
        let extents: Vec<usize> = (0..self.rank).map(|_| both[usize::from(random.one_in(2))]).collect();
        (extents.iter().product::<usize>() <= sizes.input).then(|| self.info(&extents))
    }
}

/// A chain under test.
pub struct ChainUnderTest<'a> {
    /// The name that messages give it.
    pub name: &'a str,
    /// Makes it.
    pub build: &'a BuildChain,
    /// The elements of its inputs: type and channels.
    pub inputs: &'a [(ElementType, u32)],
    /// The names of tests in which it must be refused.
    pub refused: &'a [&'a str],
}

/// Cases of each test.
const CASES: u32 = 6;
/// How often extents are drawn for a case.
const ATTEMPTS: usize = 200;

/// How large the tensors of a case may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// Rows and columns of images of two dimensions.
    plane: [usize; 2],
    /// Elements of an input whose extents are drawn one by one.
    input: usize,
    /// Elements of all outputs together.
    outputs: usize,
}

impl Sizes {
    /// For targets that run kernels.
    pub const RUN: Sizes = Sizes { plane: [80, 100], input: 3000, outputs: 40_000 };
    /// For a simulator that watches each access, some thousand times slower.
    #[cfg(feature = "opencl")]
    pub const SIMULATED: Sizes = Sizes { plane: [20, 24], input: 300, outputs: 1000 };
}

/// The extents and the seed of a case.
type Case = (usize, usize, u64);

/// The variable that asks for one case of the tests that are run: height, width and seed.
const CASE: &str = "WINDROW_CHAIN";

fn asked() -> Option<Case> {
    let case = std::env::var(CASE).ok()?;
    let mut numbers = case.split(',');
    let mut next = || numbers.next()?.parse::<u64>().ok();
    Some((next()? as usize, next()? as usize, next()?))
}

/// Compares the chain in these ways, of one test's name, with one operator after another, on images of random extents and contents.
///
/// # Panics
/// Where a way does not agree, with the smallest case; where the chain can't be built for any extents; where it is refused and was
/// not said to be, or the other way round.
pub fn check_chain(chain: &ChainUnderTest<'_>, test: &str, ways: &ChainWays<'_>) {
    check_chain_of(chain, test, ways, Sizes::RUN);
}

/// [`check_chain`] on images up to these sizes.
pub(crate) fn check_chain_of(chain: &ChainUnderTest<'_>, test: &str, ways: &ChainWays<'_>, sizes: Sizes) {
    let build = |infos: &[TensorInfo], _: &mut Random| {
        let chain = (chain.build)(infos)?;
        Ok(Built { reference: chain.clone(), chain })
    };
    let planes: Vec<Input> = chain.inputs.iter().map(|&(element, channels)| Input::plane(element, channels)).collect();
    let (compared, refusals) = check_cases(chain.name, test, &planes, &build, ways, sizes);
    let (name, expected) = (chain.name, chain.refused.contains(&test));
    match refusals.first() {
        Some(why) if !expected => {
            panic!("{name}, {test}: {why}; where that is meant, say `refused: [{test}]` in `chain_tests!`")
        }
        None if expected => panic!("{name}, {test}: it is said to be refused, and runs"),
        Some(why) => println!("{name}, {test}: refused as said, {why}"),
        None => println!("{name}, {test}: {compared} runs agree"),
    }
}

/// Runs the cases of a test: how many runs agree, and why others are refused.
pub(crate) fn check_cases(
    name: &str,
    test: &str,
    inputs: &[Input],
    build: &BuildCase<'_>,
    ways: &ChainWays<'_>,
    sizes: Sizes,
) -> (usize, Vec<String>) {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = CASES;
    }
    // Quick tests are the same on each run.
    let mut runner = match super::run::mode() {
        Mode::Quick => TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha)),
        Mode::Full => TestRunner::new(config),
    };
    let (compared, refusals) = (Cell::new(0), RefCell::new(Vec::new()));
    if let Some(case) = asked() {
        match compare(inputs, build, ways, sizes, case) {
            Ok(Compared::Ways(count)) => return (count, Vec::new()),
            Ok(Compared::Refused(why) | Compared::NotBuilt(why)) => return (0, vec![why]),
            Err(what) => panic!("{name}, {test}, {case:?}: {what}"),
        }
    }
    let [rows, columns] = sizes.plane;
    let strategy = (1..rows, 1..columns, any::<u64>());
    let outcome = runner.run(&strategy, |case| match compare(inputs, build, ways, sizes, case) {
        Ok(Compared::Ways(count)) => {
            compared.set(compared.get() + count);
            Ok(())
        }
        Ok(Compared::Refused(why)) => {
            refusals.borrow_mut().push(why);
            Ok(())
        }
        Ok(Compared::NotBuilt(why)) => Err(TestCaseError::reject(why)),
        Err(what) => Err(TestCaseError::fail(what)),
    });
    match outcome {
        Ok(()) => {}
        Err(TestError::Abort(why)) => panic!("{name}, {test}: the chain is not built for any extents: {why}"),
        Err(TestError::Fail(what, (height, width, seed))) => {
            let replay = format!("replay with {CASE}={height},{width},{seed}");
            panic!("{name}, {test}, {height}×{width}, seed {seed}: {what}\n  {replay}")
        }
    }
    (compared.get(), refusals.into_inner())
}

/// Returns the processor's ways of a test: `whole` images on several threads, or `in_bands` of several heights.
pub fn processor_ways(test: &str) -> impl Fn(&ChainBuilder) -> Vec<(String, Result<Composite, FunctionError>)> + use<> {
    let is_whole = test == "whole";
    move |chain: &ChainBuilder| {
        if is_whole {
            return vec![("whole".into(), chain.clone().compose(&Whole::immediate(Arc::new(Heap))))];
        }
        let bands = |cache: usize| (format!("in bands of {cache} bytes"), chain.clone().compose(&InBands { cache }));
        [0, 20_000, band::CACHE].map(bands).into()
    }
}

/// What came of a case.
enum Compared {
    Ways(usize),
    Refused(String),
    NotBuilt(String),
}

fn compare(
    inputs: &[Input],
    build: &BuildCase<'_>,
    ways: &ChainWays<'_>,
    sizes: Sizes,
    (height, width, seed): Case,
) -> Result<Compared, String> {
    let mut random = Random::new(seed);
    let (infos, built) = match built(inputs, build, [height, width], sizes, &mut random)? {
        Ok(built) => built,
        Err(why) => return Ok(Compared::NotBuilt(why)),
    };
    let Built { chain: builder, reference } = built;
    let [found, expected] = [&builder, &reference].map(|chain| chain.infer().into_iter().map(comparable));
    let [found, expected] = [found, expected].map(Iterator::collect::<Result<Vec<_>, String>>);
    if found? != expected? {
        return Err(format!("the outputs are {:?}, expected {:?}", builder.infer(), reference.infer()));
    }
    let inputs = infos.iter().map(|info| filled(*info, &mut || random.next_u32() as u8));
    let inputs = inputs.collect::<Result<Vec<_>, String>>()?;
    let views: Vec<AnyView<'_>> = inputs.iter().map(Allocation::view).collect();
    let chain = reference.finish(MemoryRecording::immediate(Arc::new(Heap))).map_err(told)?;
    let is_fast = chain.stages().iter().any(|stage| stage.generated().is_some_and(|code| code.plan().spec().fast));
    let expected = run(&builder, &views, |inputs, outputs| one_after_another(&chain, inputs, outputs));
    let mut count = 0;
    for (way, composite) in ways(&builder) {
        let composite = match composite {
            Ok(composite) => composite,
            Err(why @ (FunctionError::Refused { .. } | FunctionError::Operator { .. })) => {
                return Ok(Compared::Refused(format!("{why}")));
            }
            Err(why) => return Err(format!("{way}: {why}")),
        };
        let found = run(&builder, &views, |views, outputs| composite.run(&Rayon::new().with_grain(1), views, outputs));
        match (&expected, found) {
            (Ok(expected), Ok(found)) => agree(expected, &found, is_fast).map_err(|what| format!("{way}: {what}"))?,
            // What the operators refuse, uniforms that an earlier stage computes, say, every way refuses.
            (Err(_), Err(_)) => {}
            (Err(why), Ok(_)) => return Err(format!("{way}: it runs, one after another are refused: {why}")),
            (Ok(_), Err(why)) => return Err(format!("{way}: {why}")),
        }
        count += 1;
    }
    Ok(Compared::Ways(count))
}

/// A chain for inputs of extents that go together: the same for all planes, or else what is drawn until one is built. Then why not.
fn built(
    inputs: &[Input],
    build: &BuildCase<'_>,
    extents: [usize; 2],
    sizes: Sizes,
    random: &mut Random,
) -> Result<Result<(Vec<TensorInfo>, Built), String>, String> {
    let all_alike = |input: &Input| (input.rank == 2).then(|| input.info(&extents));
    let mut why = "no extents were drawn".to_owned();
    for attempt in 0..ATTEMPTS {
        let infos: Option<Vec<_>> = match attempt {
            0 => inputs.iter().map(all_alike).collect(),
            _ => inputs.iter().map(|input| input.drawn(extents, sizes, random)).collect(),
        };
        let Some(infos) = infos else { continue };
        let infos = infos.into_iter().collect::<Result<Vec<_>, _>>()?;
        match build(&infos, random) {
            Ok(built) if elements_of_outputs(&built.chain) > sizes.outputs => why = "the outputs are large".to_owned(),
            Ok(built) => return Ok(Ok((infos, built))),
            Err(error) => why = error.to_string(),
        }
    }
    Ok(Err(why))
}

/// An output's info with one region for all that hold no element: which dimension is said to be empty depends on the way there.
fn comparable(info: TensorInfo) -> Result<TensorInfo, String> {
    if !info.valid_region().is_empty() {
        return Ok(info);
    }
    let nothing = vec![0..0; info.shape().rank()];
    ValidRegion::from_ranges(&nothing).and_then(|nothing| info.with_valid_region(nothing)).map_err(told)
}

fn elements_of_outputs(chain: &ChainBuilder) -> usize {
    chain.infer().iter().map(|info| info.shape().extents().iter().product::<usize>()).sum()
}

/// Runs stage by stage: generated kernels by their authors' functions.
fn one_after_another(
    chain: &Chain,
    inputs: &[AnyView<'_>],
    outputs: &mut [AnyViewMut<'_>],
) -> Result<(), FunctionError> {
    let mut run = chain.begin(inputs, outputs)?;
    for (index, stage) in chain.stages().iter().enumerate() {
        if stage.generated().is_some() && stage.computed_uniforms().len() == 0 {
            run.with_bound(index, &mut |_, bound| {
                bound.run_reference();
                Ok(())
            })?;
        } else {
            run.stage(&Serial, index)?;
        }
    }
    Ok(())
}

/// Outputs of marks, and what a run makes of them.
fn run(
    builder: &ChainBuilder,
    inputs: &[AnyView<'_>],
    run: impl FnOnce(&[AnyView<'_>], &mut [AnyViewMut<'_>]) -> Result<(), FunctionError>,
) -> Result<Vec<Allocation>, String> {
    let canvases = builder.infer().into_iter().map(|info| filled(info, &mut || 0xA5));
    let mut canvases = canvases.collect::<Result<Vec<_>, String>>()?;
    let mut views: Vec<AnyViewMut<'_>> = canvases.iter_mut().map(Allocation::view_mut).collect();
    run(inputs, &mut views).map_err(told)?;
    drop(views);
    Ok(canvases)
}

/// Every byte of the outputs is the same, those that are not computed too. Floats of `fast` kernels may differ by roundings.
pub(crate) fn agree(expected: &[Allocation], found: &[Allocation], is_fast: bool) -> Result<(), String> {
    for (index, (expected, found)) in expected.iter().zip(found).enumerate() {
        let (info, [left, right]) = (expected.info(), [expected, found].map(bytes_of));
        let size = info.dtype().size();
        for (element, (left, right)) in left.chunks_exact(size).zip(right.chunks_exact(size)).enumerate() {
            if left != right && !are_near(info.dtype(), left, right, is_fast) {
                let columns = info.width() * info.channels() as usize;
                let (y, x) = (element / columns.max(1), element % columns.max(1));
                return Err(format!("output {index} differs at row {y}, column {x}: {right:?}, expected {left:?}"));
            }
        }
    }
    Ok(())
}

fn are_near(dtype: DType, left: &[u8], right: &[u8], is_fast: bool) -> bool {
    let float = |bytes: &[u8]| bytes.try_into().map(f32::from_ne_bytes).unwrap_or(f32::NAN);
    if dtype != DType::F32 {
        return false;
    }
    let (left, right) = (float(left), float(right));
    let near = relative_eq!(left, right, epsilon = 1e-4, max_relative = 1e-4);
    (left.is_nan() && right.is_nan()) || (is_fast && near)
}

fn bytes_of(allocation: &Allocation) -> &[u8] {
    // SAFETY: the block holds the tensor's bytes, and is borrowed.
    unsafe { slice::from_raw_parts(allocation.view().as_ptr(), allocation.info().size_in_bytes()) }
}

/// A tensor without gaps of these bytes; floats of moderate size.
pub(crate) fn filled(info: TensorInfo, byte: &mut dyn FnMut() -> u8) -> Result<Allocation, String> {
    let allocator: Arc<dyn Allocator> = Arc::new(Heap);
    let mut allocation = Allocation::new(&allocator, info).map_err(told)?;
    let (length, mut view) = (info.size_in_bytes(), allocation.view_mut());
    // SAFETY: the block holds the tensor's bytes, and is borrowed exclusively.
    let bytes = unsafe { slice::from_raw_parts_mut(view.as_mut_ptr(), length) };
    if info.dtype() == DType::F32 {
        let float = |byte: u8| (f32::from(byte) - 128.0) / 8.0;
        bytes.chunks_exact_mut(4).for_each(|place| place.copy_from_slice(&float(byte()).to_ne_bytes()));
    } else {
        bytes.iter_mut().for_each(|place| *place = byte());
    }
    Ok(allocation)
}

pub(crate) fn told(error: impl fmt::Display) -> String {
    format!("{error}")
}
