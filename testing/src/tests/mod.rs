//! The harness bites: right kernels agree, and every kind of wrong one is caught.

mod anywhere;
mod bench;
#[cfg(unix)]
mod child;
mod coverage;
mod kernels;
#[cfg(feature = "opencl")]
mod opencl;
mod properties;
mod shapes;
mod sources;

use super::{Failure, Outcome, Target, digest, run};
// The kernels name the runtime so, and are compiled in other crates too.
use kernels::*;
use windrow_reference::testing::Mode;
use windrow_runtime as rt;
use windrow_runtime::code::Kernel;

const SCALAR: Target = Target::Scalar;

fn agrees<K: Kernel>(mode: Mode) {
    match run::<K>(SCALAR, mode) {
        Ok(Outcome::Agreed(cases)) => assert!(cases >= 50, "{}: only {cases} cases", K::CODE.spec().name),
        other => panic!("{other:?}"),
    }
}

/// What the harness says of a wrong kernel.
fn caught<K: Kernel>() -> String {
    match run::<K>(SCALAR, Mode::Quick) {
        Err(failure) => {
            println!("{failure}");
            let compared = failure.what.contains("expected") && !failure.what.contains("refused");
            assert!(compared, "{failure}");
            failure.what
        }
        Ok(outcome) => panic!("{} was not caught: {outcome:?}", K::CODE.spec().name),
    }
}

#[test]
fn right_kernels_agree() {
    agrees::<Gaussian<RIGHT>>(Mode::Quick);
    agrees::<Differences<RIGHT>>(Mode::Quick);
    agrees::<Least<RIGHT>>(Mode::Quick);
    agrees::<Accumulate<RIGHT>>(Mode::Quick);
    agrees::<Range<RIGHT>>(Mode::Quick);
}

#[test]
fn right_kernels_agree_in_full() {
    agrees::<Gaussian<RIGHT>>(Mode::Full);
    agrees::<Differences<RIGHT>>(Mode::Full);
    agrees::<Accumulate<RIGHT>>(Mode::Full);
}

#[test]
fn column_left_out_is_caught() {
    caught::<Gaussian<SHORT>>();
    caught::<Least<SHORT>>();
}

#[test]
fn rounding_is_caught() {
    caught::<Gaussian<ROUNDED>>();
}

#[test]
fn wrong_tap_is_caught() {
    caught::<Gaussian<WRONG_TAP>>();
}

#[test]
fn store_outside_the_window_is_caught() {
    let what = caught::<Gaussian<LEFT_OF_START>>();
    assert!(what.contains("expected"), "{what}");
}

#[test]
fn swapped_outputs_are_caught() {
    caught::<Differences<SWAPPED>>();
}

#[test]
fn wrong_coordinate_is_caught() {
    caught::<Differences<WRONG_COORDINATE>>();
}

#[test]
fn order_of_nans_and_zeros_is_caught() {
    caught::<Least<NAN_WINS>>();
    caught::<Least<ZEROS_EQUAL>>();
}

#[test]
fn in_place_element_computed_twice_is_caught() {
    caught::<Accumulate<TWICE>>();
}

#[test]
fn wrong_variant_is_caught() {
    caught::<Accumulate<WRONG_VARIANT>>();
}

#[test]
fn exclusive_bound_is_caught() {
    caught::<Range<EXCLUSIVE>>();
}

#[test]
fn failure_names_the_case_the_element_and_the_way_to_replay_it() {
    let Err(Failure { id, what, kernel }) = run::<Gaussian<ROUNDED>>(SCALAR, Mode::Quick) else { panic!() };
    let text = Failure { id: id.clone(), what, kernel }.to_string();
    assert!(id.starts_with("gaussian::scalar::"), "{id}");
    assert!(text.contains(&format!("WINDROW_CASE={id}")), "{text}");
    assert!(text.contains("`out` at x = ") && text.contains("expected ") && text.contains("found "), "{text}");
}

#[test]
fn missing_tier_is_reported() {
    let foreign = if cfg!(target_arch = "x86_64") { Target::Neon } else { Target::Avx2 };
    let outcome = run::<Gaussian<RIGHT>>(foreign, Mode::Quick);
    assert!(matches!(outcome, Ok(Outcome::NotRun(why)) if why.contains(foreign.name())));
}

#[test]
fn digests_are_fixed_and_tell_operators_apart() {
    assert_eq!(digest::<Gaussian<RIGHT>>(), digest::<Gaussian<ROUNDED>>());
    assert_ne!(digest::<Gaussian<RIGHT>>(), digest::<Differences<RIGHT>>());
    assert_eq!(digest::<Gaussian<RIGHT>>().to_string(), "843726644672f2a4");
}
