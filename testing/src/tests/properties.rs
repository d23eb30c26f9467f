//! Cases by their ids, drawn at random, and shrunk.

use super::{SCALAR, kernels::*};
use crate::{
    Additions, OwnData, Place, Selection,
    case::{Case, Way},
    cases,
    property::{self, Cases},
    replay, replay_with, run, run_selected,
};
use std::cell::{Cell, RefCell};
use windrow_reference::testing::Mode;
use windrow_runtime::code::Kernel;

fn id<K: Kernel>(case: &Case) -> String {
    case.id(K::CODE.spec(), SCALAR)
}

/// Every case of the lists, and some drawn, by way of their ids.
fn ids_are_read<K: Kernel>() {
    let listed = [cases::for_cpu(K::CODE, Mode::Quick), cases::for_cpu(K::CODE, Mode::Full)].concat();
    let drawn = RefCell::new(Vec::new());
    let all = Cases::new(K::CODE, SCALAR);
    let count = property::run(&all, SCALAR, Mode::Quick, 50, |case| {
        drawn.borrow_mut().push(case.clone());
        Ok(())
    });
    assert_eq!(count.unwrap() as usize, drawn.borrow().len());
    for case in listed.iter().chain(drawn.borrow().iter()) {
        let read = Case::parse(K::CODE.spec(), SCALAR, &id::<K>(case), &[]);
        assert_eq!(read.map(|read| format!("{read:?}")), Some(format!("{case:?}")), "{}", id::<K>(case));
    }
}

#[test]
fn an_id_names_its_case() {
    ids_are_read::<Gaussian<RIGHT>>();
    ids_are_read::<Differences<RIGHT>>();
    ids_are_read::<Least<RIGHT>>();
    ids_are_read::<Accumulate<RIGHT>>();
    let spec = Gaussian::<RIGHT>::CODE.spec();
    for wrong in [
        "",
        "gaussian",
        "gaussian::scalar::reflect",
        "gaussian::neon::reflect::1x1::ramp",
        "gaussian::scalar::reflect::1x1::ramp::x",
    ] {
        assert!(Case::parse(spec, SCALAR, wrong, &[]).is_none(), "{wrong}");
    }
}

#[test]
fn drawn_cases_vary_in_everything() {
    let drawn = RefCell::new(Vec::new());
    let all = Cases::new(Least::<RIGHT>::CODE, SCALAR);
    property::run(&all, SCALAR, Mode::Quick, 300, |case| {
        drawn.borrow_mut().push(case.clone());
        Ok(())
    })
    .unwrap();
    let drawn = drawn.into_inner();
    let some = |is: &dyn Fn(&Case) -> bool| assert!(drawn.iter().any(is));
    some(&|case| !case.broadcast.is_empty());
    some(&|case| case.in_place);
    some(&|case| matches!(case.way, Way::Threads(_)));
    some(&|case| matches!(case.way, Way::Split(..)));
    some(&|case| case.extents.len() > 2);
    some(&|case| case.extents.contains(&1));
}

#[test]
fn images_of_extent_one_are_among_the_cases() {
    let cases = cases::for_cpu(Least::<RIGHT>::CODE, Mode::Quick);
    let broadcast: Vec<u8> = cases.iter().flat_map(|case| case.broadcast.values().copied()).collect();
    assert!((1..8).filter(|dimensions| broadcast.contains(dimensions)).count() >= 5, "{broadcast:?}");
}

#[test]
fn a_failing_case_shrinks_to_the_smallest() {
    let all = Cases::new(Gaussian::<RIGHT>::CODE, SCALAR);
    let large = Case::parse(
        Gaussian::<RIGHT>::CODE.spec(),
        SCALAR,
        "gaussian::scalar::reflect::37x9x2::extremes::padded::split3x2::seed5",
        &[],
    )
    .unwrap();
    let fails = |case: &Case| match case.extents[0] >= 5 && case.extents[1] >= 3 {
        true => Err(format!("{}x{}", case.extents[0], case.extents[1])),
        false => Ok(()),
    };
    let (smallest, what) = property::shrink(&all, &large, "37x9".into(), fails);
    assert_eq!((smallest.extents.as_slice(), what.as_str(), smallest.way), (&[5, 3][..], "5x3", Way::Whole));
}

#[test]
fn the_failure_of_a_wrong_kernel_is_small_and_can_be_pasted() {
    let failure = run::<Gaussian<ROUNDED>>(SCALAR, Mode::Quick).unwrap_err();
    let case = Case::parse(Gaussian::<ROUNDED>::CODE.spec(), SCALAR, &failure.id, &[]).unwrap();
    assert!(case.extents.iter().product::<usize>() <= 4, "{failure}");
    let text = failure.to_string();
    let call = format!("windrow::testing::replay::<crate::tests::kernels::Gaussian<1>>(\"{}\");", failure.id);
    assert!(text.contains("#[test]") && (text.contains(&call) || text.contains("Gaussian<")), "{text}");
}

#[test]
fn a_case_is_replayed() {
    replay::<Gaussian<RIGHT>>("gaussian::scalar::reflect::5x3::random::seed3");
    let failed = std::panic::catch_unwind(|| replay::<Gaussian<ROUNDED>>("gaussian::scalar::reflect::5x3::random"));
    assert!(failed.is_err());
    let unknown = std::panic::catch_unwind(|| replay::<Gaussian<RIGHT>>("gaussian::scalar::sideways::5x3::random"));
    assert!(unknown.is_err());
}

#[test]
fn authors_add_shapes_contents_and_seeds() {
    fn stripes(place: Place) -> f64 {
        (place.at[0] % 2) as f64 * 300.0
    }
    let data = [OwnData { name: "stripes", value: stripes }];
    let seen = Cell::new(0);
    let additions = Additions { shapes: &[&[3, 7], &[2, 2, 2]], data: &data, seeds: &[4, 5], cases: 0 };
    let listed = additions.listed(Gaussian::<RIGHT>::CODE.spec());
    assert_eq!(listed[0].extents, [7, 3], "ids name the innermost extent first");
    for case in listed {
        seen.set(seen.get() + 1);
        assert!(id::<Gaussian<RIGHT>>(&case).contains("::stripes::seed"), "{}", id::<Gaussian<RIGHT>>(&case));
    }
    let borders = cases::borders(Gaussian::<RIGHT>::CODE.spec()).len();
    assert_eq!(seen.get(), 2 * 2 * borders);
    run_selected::<Gaussian<RIGHT>>(SCALAR, Mode::Quick, &Selection::Added(&additions)).unwrap();
    let failure = run_selected::<Gaussian<ROUNDED>>(SCALAR, Mode::Quick, &Selection::Added(&additions)).unwrap_err();
    assert!(failure.id.contains("::stripes"), "{failure}");
    replay_with::<Gaussian<RIGHT>>("gaussian::scalar::reflect::5x3::stripes", &data);
}
