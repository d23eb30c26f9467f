//! The lists of cases hold what they promise: every width, border, layout, way, kind of data, and all pairs.

use super::kernels::*;
use crate::{
    case::{Case, Layout, Way},
    cases,
    target::Target,
};
use std::collections::BTreeSet;
use windrow_reference::testing::{Data, Mode};
use windrow_runtime::{border::BorderMode, code::Kernel, limits::MIN_DIRECT_COLUMNS};

const MODES: [Mode; 2] = [Mode::Quick, Mode::Full];

fn under(cases: &[Case], border: BorderMode) -> Vec<&Case> {
    cases.iter().filter(|case| case.border == border).collect()
}

#[test]
fn every_width_meets_every_border() {
    let code = Gaussian::<RIGHT>::CODE;
    let lanes = code.bodies().iter().map(|body| body.lanes()).max().unwrap();
    let step = code.spec().step.0.max(lanes) as usize;
    for mode in MODES {
        let cases = cases::for_cpu(code, mode);
        for border in BorderMode::ALL {
            let cases = under(&cases, border);
            // 3×3: one column more on either side.
            for width in 0..=2 * step + 2 + 1 {
                assert!(cases.iter().any(|case| case.extents[0] == width), "{mode:?} {border:?}: no width {width}");
            }
            for height in 0..=3 {
                assert!(cases.iter().any(|case| case.extents[1] == height), "{mode:?} {border:?}: no height {height}");
            }
            assert!(cases.iter().any(|case| case.extents == [1, 1]), "{mode:?} {border:?}: no single element");
            let large = cases.iter().any(|case| case.extents[0] > 2 * step + 3 && case.extents[1] > 3);
            assert!(large, "{mode:?} {border:?}: no large image");
        }
    }
}

/// Filters have images whose edges are computed apart, too: with every border, remainder, height, and way of cutting them.
#[test]
fn filters_have_wide_images() {
    let code = Gaussian::<RIGHT>::CODE;
    let lanes = code.bodies().iter().map(|body| body.lanes()).max().unwrap() as usize;
    for mode in MODES {
        let mut cases = cases::for_cpu(code, mode);
        // Two columns beside the image are read.
        cases.retain(|case| case.extents[0] >= MIN_DIRECT_COLUMNS + 2 && case.extents[1] > 0);
        let any = |test: &dyn Fn(&Case) -> bool| assert!(cases.iter().any(test), "{mode:?}");
        BorderMode::ALL.into_iter().for_each(|border| any(&|case| case.border == border));
        (0..lanes).for_each(|rest| any(&|case| case.extents[0] % lanes == rest));
        (1..=3).for_each(|height| any(&|case| case.extents[1] == height));
        [1, 2, 3, 7].into_iter().for_each(|threads| any(&|case| case.way == Way::Threads(threads)));
        for (columns, rows) in [(1, 3), (2, 1), (3, 2)] {
            let width = columns * (MIN_DIRECT_COLUMNS + 2);
            any(&|case| case.way == Way::Split(columns, rows) && case.extents[0] >= width);
        }
    }
    let all = cases::for_cpu(code, Mode::Quick);
    let narrow = |case: &Case| (MIN_DIRECT_COLUMNS..MIN_DIRECT_COLUMNS + 2).contains(&case.extents[0]);
    assert!(all.iter().any(narrow), "no image is nearly as wide");
    // What reads elements alone has no edges.
    let least = cases::for_cpu(Least::<RIGHT>::CODE, Mode::Quick);
    assert!(least.iter().all(|case| case.extents[0] < MIN_DIRECT_COLUMNS));
}

#[test]
fn volumes_layouts_ways_and_data_meet_every_border() {
    let ways = [Way::Whole, Way::Split(2, 1), Way::Split(1, 3), Way::Split(3, 2), Way::Split(usize::MAX, usize::MAX)];
    let threads = [1, 2, 3, 7].map(Way::Threads);
    for mode in MODES {
        let all = cases::for_cpu(Gaussian::<RIGHT>::CODE, mode);
        for border in BorderMode::ALL {
            let cases = under(&all, border);
            let any = |what: &str, test: &dyn Fn(&Case) -> bool| {
                assert!(cases.iter().any(|case| test(case)), "{mode:?} {border:?}: no {what}");
            };
            any("three dimensions", &|case| case.extents.len() == 3 && !case.extents.contains(&0));
            any("four dimensions", &|case| case.extents.len() == 4 && case.extents[2..].iter().all(|&n| n > 1));
            any("empty volume", &|case| case.extents.len() == 3 && case.extents[2] == 0);
            Layout::ALL.into_iter().for_each(|layout| any("such layout", &|case| case.layout == layout));
            Data::ALL.into_iter().for_each(|data| any("such data", &|case| case.data == data));
            ways.into_iter().chain(threads).for_each(|way| any("such way", &|case| case.way == way));
        }
    }
}

#[test]
fn every_choice_and_every_subset_of_outputs_is_run() {
    let chosen: BTreeSet<Vec<u32>> =
        cases::for_cpu(Accumulate::<RIGHT>::CODE, Mode::Quick).into_iter().map(|case| case.choice).collect();
    assert_eq!(chosen.into_iter().collect::<Vec<_>>(), [[0], [1]]);
    let given: BTreeSet<Vec<bool>> =
        cases::for_cpu(Differences::<RIGHT>::CODE, Mode::Quick).into_iter().map(|case| case.present).collect();
    assert_eq!(given.into_iter().collect::<Vec<_>>(), [[false, true], [true, false], [true, true]]);
}

#[test]
fn small_inputs_are_exhausted() {
    let holds = |cases: Vec<Case>, extents: &[usize], data: Data| {
        cases.iter().any(|case| case.extents == extents && case.data == data)
    };
    for mode in MODES {
        // Every pair of two bytes, for each choice of the variant; every value of 16 bits; every pair of extreme floats.
        let accumulate = cases::for_cpu(Accumulate::<RIGHT>::CODE, mode);
        let pairs = accumulate.iter().filter(|case| case.extents == [256, 256] && case.data == Data::Pairs);
        assert_eq!(pairs.map(|case| case.choice[0]).collect::<Vec<_>>(), [0, 1]);
        assert!(holds(cases::for_cpu(Range::<RIGHT>::CODE, mode), &[256, 256], Data::All));
        let extremes = windrow_reference::testing::Numbers::Float.extremes().len();
        assert!(holds(cases::for_cpu(Least::<RIGHT>::CODE, mode), &[extremes; 2], Data::Pairs));
    }
}

/// Ids name cases, so no two may be alike; full tests hold all that quick ones do, in kind and in number.
#[test]
fn ids_are_unique_and_full_is_more() {
    let spec = Gaussian::<RIGHT>::CODE.spec();
    let [quick, full] = MODES.map(|mode| cases::for_cpu(Gaussian::<RIGHT>::CODE, mode));
    for cases in [&quick, &full, &cases::for_digest(spec), &cases::for_interpreter(spec)] {
        let ids: BTreeSet<_> = cases.iter().map(|case| case.id(spec, Target::Scalar)).collect();
        assert_eq!(ids.len(), cases.len());
    }
    assert!(full.len() > 2 * quick.len(), "{} and {}", quick.len(), full.len());
}

#[test]
fn devices_are_given_every_border_and_awkward_shapes() {
    use windrow_runtime::code::{KernelCode, OpenClEntry, OpenClForm, OpenClImages, OpenClProgram};

    // Blocks as emitted kernels have them: shapes are awkward beside a block.
    const ENTRY: OpenClEntry =
        OpenClEntry { name: "", index: 0, block: (4, 8), group: None, form: OpenClForm::Vectors };
    const NO_IMAGES: OpenClImages = OpenClImages::None("none was emitted");
    static PROGRAM: OpenClProgram =
        OpenClProgram { source: "", file: "", lines: "", entries: &[ENTRY], images: NO_IMAGES };
    const GAUSSIAN: &KernelCode = Gaussian::<RIGHT>::CODE;
    // SAFETY: it is not run.
    static CODE: KernelCode = unsafe {
        KernelCode::new(GAUSSIAN.spec(), GAUSSIAN.bodies(), GAUSSIAN.derive(), GAUSSIAN.reference(), &PROGRAM)
    };
    for cases in
        [cases::for_device(&CODE, Mode::Quick), cases::for_device(&CODE, Mode::Full), cases::for_simulator(&CODE)]
    {
        for border in BorderMode::ALL {
            let shapes: BTreeSet<_> = under(&cases, border).iter().map(|case| case.extents.clone()).collect();
            assert!(shapes.iter().any(|extents| extents[0] == 1) && shapes.iter().any(|extents| extents[1] == 1));
            assert!(shapes.len() >= 10, "{border:?}: {} shapes", shapes.len());
        }
    }
}
