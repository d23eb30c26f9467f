//! Which body runs: by tier, by what the scratch holds, and by `WINDROW_TIER`.

use crate::common::*;
use windrow::testing::run_again;
use windrow_runtime::{
    Border, BorderMode, Configured, ElementType, InvalidConfiguration, InvalidTier, Kernel, KernelCode, KernelSpec,
    Serial, Tensor, Tier, View, ViewMut,
    code::{Body, Rows},
    configure,
    configure::KernelPlan,
    spec::NeighbourhoodSpec,
};

/// Writes the number of the body that ran; the bodies of the better tiers come first.
enum Which {}

static WHICH: KernelSpec = kernel(
    "which",
    &[input("src", ElementType::U8, 1, around(0, 0, -200, 200), (1, 1), None)],
    &[output("out", ElementType::I32, false)],
    (1, 1),
    &[BorderMode::Replicate],
);

const COLUMN: &[NeighbourhoodSpec] = &[around(0, 0, -200, 200)];

/// # Safety
/// `run` writes blocks of `lanes` columns and `rows` rows.
const unsafe fn body(tier: Tier, lanes: u32, rows: u32, run: unsafe fn(&Rows<'_>)) -> Body {
    // SAFETY: the caller's; it reads nothing.
    unsafe { Body::new(tier, 0, (lanes, rows), COLUMN, true, run) }
}

// SAFETY: the code takes these views.
unsafe impl Kernel for Which {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &WHICH,
            &[
                // Tiers that most machines lack, one of which every machine lacks.
                body(Tier::DotProd, 1, 1, write::<1, 1, 9>),
                body(Tier::Neon, 1, 1, write::<1, 1, 2>),
                body(Tier::Avx512, 1, 1, write::<1, 1, 8>),
                body(Tier::Avx2, 1, 1, write::<1, 1, 3>),
                body(Tier::Sse41, 1, 1, write::<1, 1, 4>),
                // Two bodies that no scratch holds: too many bytes, too many rows.
                body(Tier::Scalar, 4096, 1, write::<4096, 1, 5>),
                body(Tier::Scalar, 1, 200, write::<1, 200, 6>),
                body(Tier::Scalar, 1, 1, write::<1, 1, 7>),
            ],
            derive_nothing,
            |_| {},
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = View<'a, u8>;
    type Outputs<'a> = ViewMut<'a, i32>;
}

unsafe fn write<const L: u32, const R: u32, const N: i32>(rows: &Rows<'_>) {
    // SAFETY: nothing is read.
    unsafe { wide::<i32, L, R>(rows, |_, _| N) };
}

fn configured() -> Result<Configured<Which>, InvalidConfiguration> {
    let (src, out) = (Tensor::<u8>::new([3, 3]).unwrap(), Tensor::<i32>::new([3, 3]).unwrap());
    configure::<Which>(&request(&[src.info()], &[Some(out.info())], Border::Replicate))
}

fn ran(configured: &Configured<Which>) -> i32 {
    let (src, mut out) = (Tensor::<u8>::new([3, 3]).unwrap(), Tensor::<i32>::new([3, 3]).unwrap());
    configured.run(&Serial, src.view(), out.view_mut()).unwrap();
    out.to_vec()[4]
}

fn number(tier: Tier) -> i32 {
    match tier {
        Tier::Neon => 2,
        Tier::DotProd => 9,
        Tier::Avx2 => 3,
        Tier::Avx512 => 8,
        Tier::Sse41 => 4,
        Tier::Scalar => 7,
    }
}

#[test]
fn the_best_tier_of_the_processor_runs() {
    let configured = configured().unwrap();
    assert_eq!(ran(&configured), number(configured.tier()));
    if std::env::var_os("WINDROW_TIER").is_none() {
        assert_eq!(configured.tiers().next(), Some(configured.tier()));
    }
}

#[test]
fn every_tier_that_is_there_can_be_asked_for() {
    let configured = configured().unwrap();
    for tier in Tier::ALL {
        match configured.clone().with_tier(tier) {
            Ok(configured) => assert_eq!((ran(&configured), configured.tier()), (number(tier), tier)),
            Err(error) => {
                assert!(!tier.is_available());
                assert_eq!(error, InvalidTier::NotOnThisProcessor(tier).into());
            }
        }
    }
}

/// Without its type a kernel is configured to the same, and runs the same bodies.
#[test]
fn a_plan_runs_as_its_kernel_does() {
    let (src, mut out) = (Tensor::<u8>::new([3, 3]).unwrap(), Tensor::<i32>::new([3, 3]).unwrap());
    let other = out.clone();
    let given = ([src.info()], [Some(other.info())]);
    let plan = KernelPlan::new(Which::CODE, &request(&given.0, &given.1, Border::Replicate)).unwrap();
    let configured = configured().unwrap();
    assert_eq!((plan.tier(), plan.window()), (configured.tier(), configured.window()));
    assert!(plan.tiers().eq(configured.tiers()));
    for tier in configured.tiers() {
        let plan = plan.clone().with_tier(tier).unwrap();
        plan.run(&Serial, src.view(), out.view_mut()).unwrap();
        assert_eq!(out.to_vec()[4], number(tier));
        let refused = plan.run(&Serial, other.view(), out.view_mut());
        assert!(refused.is_err_and(|error| error.to_string().contains("`src` holds i32, expected u8")));
    }
    let foreign = if cfg!(target_arch = "x86_64") { Tier::Neon } else { Tier::Avx2 };
    assert_eq!(plan.with_tier(foreign).unwrap_err(), InvalidTier::NotOnThisProcessor(foreign).into());
}

/// Writes the number of the body that ran: one tier has two, and the second is for rows that do not fill the first one's vectors.
enum Narrow {}

static NARROW: KernelSpec = kernel(
    "narrow",
    &[input("src", ElementType::U8, 1, around(0, 0, 0, 0), (1, 1), None)],
    &[output("out", ElementType::I32, false)],
    (1, 1),
    &[BorderMode::Undefined],
);

// SAFETY: the code takes these views.
unsafe impl Kernel for Narrow {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        const ELEMENT: &[NeighbourhoodSpec] = &[around(0, 0, 0, 0)];
        KernelCode::new(
            &NARROW,
            &[
                Body::new(Tier::Scalar, 0, (64, 2), ELEMENT, true, write::<64, 2, 1>),
                Body::new(Tier::Scalar, 0, (32, 2), ELEMENT, true, write::<32, 2, 2>),
            ],
            derive_nothing,
            |_| {},
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = View<'a, u8>;
    type Outputs<'a> = ViewMut<'a, i32>;
}

#[test]
fn rows_that_fill_no_vector_run_the_second_body_of_a_tier() {
    // Of rows that fill no vector at all the first body computes a copy.
    for (columns, expected) in [(64, 1), (200, 1), (63, 2), (32, 2), (31, 1)] {
        let (src, mut out) = (Tensor::<u8>::new([4, columns]).unwrap(), Tensor::<i32>::new([4, columns]).unwrap());
        let configured = configure::<Narrow>(&request(&[src.info()], &[Some(out.info())], Border::Undefined)).unwrap();
        assert!(configured.tiers().eq([Tier::Scalar]));
        let configured = configured.with_tier(Tier::Scalar).unwrap();
        configured.run(&Serial, src.view(), out.view_mut()).unwrap();
        assert!(out.to_vec().iter().all(|&number| number == expected), "{columns} columns");
    }
}

/// Runs this test's own process with `WINDROW_TIER` set.
fn forced(tier: &str) -> bool {
    let name = "a_forced_tier_is_obeyed_or_refused_by_name";
    let output = run_again(|command| {
        command.args(["--exact", name, "--nocapture"]).env("WINDROW_TIER", tier);
    });
    output.unwrap().status.success()
}

#[test]
fn a_forced_tier_is_obeyed_or_refused_by_name() {
    match std::env::var("WINDROW_TIER") {
        Err(_) => assert!(["scalar", "avx2", "neon", "dotprod", "turbo"].into_iter().all(forced)),
        Ok(name) => match (name.parse::<Tier>(), configured()) {
            (Err(error), found) => assert_eq!(found.unwrap_err(), error.into()),
            (Ok(tier), Ok(configured)) => assert_eq!(configured.tier(), tier),
            (Ok(tier), Err(error)) => assert_eq!(error, InvalidTier::NotOnThisProcessor(tier).into()),
        },
    }
}
