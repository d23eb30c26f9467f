//! Generated tests of pipelines: on every target, fused and in bands, a pipeline gives what its kernels give one after another.

use windrow_reference::{
    policy::{Overflow, Rounding},
    testing::Random,
};
use windrow_runtime::{
    Error,
    band::{self, InBands},
    border::{Border, BorderMode},
    configure::KernelPlan,
    function::{ChainBuilder, Composite, FunctionError, OperatorError, Whole},
    info::TensorInfo,
    memory::Heap,
    tier::Tier,
};

use crate::{
    chains::{Built, ChainWays, Input, Sizes, check_cases},
    cpu::emitted,
    opencl::on_device_ways,
    target::Target,
};
use std::{ops::RangeInclusive, sync::Arc};

/// A pipeline that `#[pipeline]` has written, for its tests.
pub trait Pipeline {
    /// Its name.
    const NAME: &'static str;
    /// The images that it reads.
    const INPUTS: &'static [Input];

    /// Returns its chain and the unfused one, for images like these and the same values.
    ///
    /// # Errors
    /// What the kernels say of the images and the values.
    fn chains(infos: &[TensorInfo], random: &mut Draw) -> Result<[ChainBuilder; 2], Error>;
}

/// Where the values of a case come from.
#[derive(Debug)]
pub struct Draw(Random);

impl Draw {
    pub(crate) fn new(random: Random) -> Draw {
        Draw(random)
    }

    /// Returns any value of a type.
    pub fn any<T: Drawn>(&mut self) -> T {
        T::drawn(&mut self.0)
    }

    /// Returns a value in a range; of integers often one near the start, where a stride, a dilation or a pad is an ordinary one.
    pub fn within<Number, T: DrawnWithin<Number>>(&mut self, range: RangeInclusive<Number>) -> T {
        T::within(&mut self.0, &range)
    }
}

/// A type whose values a test draws for a pipeline.
#[diagnostic::on_unimplemented(
    message = "the tests of a pipeline can't draw values of `{Self}`",
    label = "a parameter of the pipeline",
    note = "numbers, borders and arrays of numbers are drawn; a type of your own implements `windrow::testing::Drawn`"
)]
pub trait Drawn {
    /// Returns a value.
    fn drawn(random: &mut Random) -> Self;
}

/// A number that a test draws from a range, or an array of them.
pub trait DrawnWithin<Number = Self>: Sized {
    /// Returns a value in the range.
    fn within(random: &mut Random, range: &RangeInclusive<Number>) -> Self;
}

macro_rules! integers {
    ($($ty:ty)*) => {$(
        impl Drawn for $ty {
            fn drawn(random: &mut Random) -> $ty {
                random.next_u64() as $ty
            }
        }

        impl DrawnWithin for $ty {
            fn within(random: &mut Random, range: &RangeInclusive<$ty>) -> $ty {
                let (start, end) = (*range.start() as i64, *range.end() as i64);
                let end = if random.one_in(2) { end.min(start.saturating_add(3)) } else { end };
                random.between(start, end) as $ty
            }
        }
    )*};
}

integers! { u8 i8 u16 i16 u32 i32 usize }

impl Drawn for f32 {
    fn drawn(random: &mut Random) -> f32 {
        f32::within(random, &(-2.0..=2.0))
    }
}

impl DrawnWithin for f32 {
    fn within(random: &mut Random, range: &RangeInclusive<f32>) -> f32 {
        let part = random.below(1 << 24) as f32 / (1 << 24) as f32;
        (range.start() + part * (range.end() - range.start())).clamp(*range.start(), *range.end())
    }
}

impl Drawn for Overflow {
    fn drawn(random: &mut Random) -> Overflow {
        if bool::drawn(random) { Overflow::Wrap } else { Overflow::Saturate }
    }
}

impl Drawn for Rounding {
    fn drawn(random: &mut Random) -> Rounding {
        if bool::drawn(random) { Rounding::TowardZero } else { Rounding::NearestEven }
    }
}

impl Drawn for bool {
    fn drawn(random: &mut Random) -> bool {
        random.one_in(2)
    }
}

impl<T: Drawn, const N: usize> Drawn for [T; N] {
    fn drawn(random: &mut Random) -> [T; N] {
        core::array::from_fn(|_| T::drawn(random))
    }
}

impl<Number, T: DrawnWithin<Number>, const N: usize> DrawnWithin<Number> for [T; N] {
    fn within(random: &mut Random, range: &RangeInclusive<Number>) -> Self {
        core::array::from_fn(|_| T::within(random, range))
    }
}

impl Drawn for Border {
    fn drawn(random: &mut Random) -> Border {
        match random.pick(&BorderMode::ALL).copied().unwrap_or(BorderMode::Replicate) {
            BorderMode::Undefined => Border::Undefined,
            BorderMode::Constant => Border::constant(u8::drawn(random) % 128),
            BorderMode::Replicate => Border::Replicate,
            BorderMode::Reflect => Border::Reflect,
            BorderMode::Reflect101 => Border::Reflect101,
            BorderMode::Wrap => Border::Wrap,
        }
    }
}

/// Tests a pipeline on a target against its kernels one after another: whole images and bands of several heights, or a device.
///
/// # Panics
/// Where a case does not agree, or the target is missing.
pub fn check_pipeline<P: Pipeline>(target: Target) {
    let build = |infos: &[TensorInfo], random: &mut Random| {
        let mut draw = Draw::new(random.clone());
        let [chain, reference] = P::chains(infos, &mut draw).map_err(of_function)?;
        *random = draw.0;
        Ok(Built { chain, reference })
    };
    let check = |ways: &ChainWays<'_>, sizes: Sizes| {
        let (compared, refusals) = check_cases(P::NAME, target.name(), P::INPUTS, &build, ways, sizes);
        if let Some(why) = refusals.first() {
            panic!("{}, {}: {why}", P::NAME, target.name());
        }
        println!("{}, {}: {compared} runs agree", P::NAME, target.name());
    };
    match target.tier() {
        Some(tier) if !tier.is_available() => panic!("{}: this processor does not run the tier {tier}", P::NAME),
        Some(tier) => check(&|chain| on_processor(chain, tier), Sizes::RUN),
        None => on_device_ways(&check),
    }
}

/// Whole images, and bands of several heights where the chain runs in bands.
fn on_processor(chain: &ChainBuilder, tier: Tier) -> Vec<(String, Result<Composite, FunctionError>)> {
    let of_kernel = |plan: &KernelPlan| emitted(plan.code(), tier).unwrap_or(tier);
    let chain = match chain.clone().with_tiers(&of_kernel) {
        Ok(chain) => chain,
        Err(why) => return vec![(format!("on {tier}"), Err(why))],
    };
    let mut ways = vec![("whole".to_owned(), chain.clone().compose(&Whole::immediate(Arc::new(Heap))))];
    let bands = |cache: usize| (format!("in bands of {cache} bytes"), chain.clone().compose(&InBands { cache }));
    let bands = [0, 20_000, band::CACHE].map(bands);
    ways.extend(
        bands
            .into_iter()
            .filter(|(_, made)| !matches!(made, Err(FunctionError::Refused { .. } | FunctionError::Planes { .. }))),
    );
    ways
}

/// The error of a chain, whichever part of it has failed.
fn of_function(error: Error) -> FunctionError {
    match error {
        Error::Function(error) => error,
        Error::Configuration(error) => error.into(),
        Error::Tensor(error) => error.into(),
        other => FunctionError::Operator {
            stage: "the pipeline".into(),
            error: Box::new(OperatorError::Target { target: "a test".into(), reason: other.to_string() }),
        },
    }
}
