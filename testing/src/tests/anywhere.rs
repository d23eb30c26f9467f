//! Kernels that read images anywhere: the cases that they get, and what is caught of wrong ones.

use super::{
    SCALAR, caught,
    kernels::*,
    run,
    shapes::{code, scalar_body},
};
use crate::{
    Additions, Failure, Selection,
    case::Case,
    cases, digest,
    property::{self, Cases},
    replay, run_selected,
    target::Target,
    whole::WholeExtents,
};
use std::cell::RefCell;
use windrow_reference::testing::Mode;
use windrow_runtime::{
    border::BorderMode,
    code::{Kernel, KernelCode, Rows, WholeView},
    element::ElementType,
    spec::{ArgumentKind, ArgumentSpec, InputSpec, KernelSpec, NeighbourhoodSpec, OutputSpec},
    view::{View, ViewMut},
};

/// Rows are taken to lie as far apart as they are long.
const NO_GAPS: u8 = 100;
/// What is outside is the nearest element.
const CLAMPED: u8 = 101;
/// Rows and columns change places where it is asked what is inside.
const TRANSPOSED: u8 = 102;
/// The last column is outside.
const LESS_ONE: u8 = 103;
/// The second image is read where the first should be.
const OTHER_VIEW: u8 = 104;
/// Every pixel is that of the first row given.
const ONE_ROW: u8 = 105;

const fn whole(name: &'static str, element: ElementType, channels: u32) -> ArgumentSpec {
    ArgumentSpec { name, kind: ArgumentKind::Input(InputSpec::whole(element, channels)) }
}

/// An element at a place of a view, wrong or right.
///
/// # Safety
/// The view keeps its contract, and its elements are `T`.
unsafe fn look<T: Copy>(fault: u8, view: &WholeView, [y, x]: [i32; 2]) -> Option<T> {
    let [height, width] = view.extents;
    let [down, right] = view.strides;
    let [most_y, most_x] = if fault == TRANSPOSED { [width, height] } else { [height, width] };
    let most_x = if fault == LESS_ONE { most_x - 1 } else { most_x };
    let inside = (0..most_y).contains(&y) && (0..most_x).contains(&x);
    if !inside && fault != CLAMPED {
        return None;
    }
    // The faulty ones stay inside, too: what they touch is an element.
    let (y, x) = (y.clamp(0, height - 1), x.clamp(0, width - 1));
    let down = if fault == NO_GAPS && down > width * right { width * right } else { down };
    // SAFETY: the caller's; what has no gaps lies before what has.
    Some(unsafe { view.first.wrapping_offset((y * down + x * right) as isize).cast::<T>().read() })
}

/// Where an element comes from, moved by another image's element.
fn place([y, x]: [i32; 2], moved: u8) -> [i32; 2] {
    [2 * y - x + i32::from(moved % 4), x + 2 * y - i32::from(moved % 7)]
}

fn mixed(photo: Option<[u8; 3]>, level: Option<i16>) -> i32 {
    let photo = photo.map_or(-1, |[a, b, c]| i32::from(a) + 300 * i32::from(b) + 90_000 * i32::from(c));
    photo.wrapping_mul(3).wrapping_add(level.map_or(1 << 29, i32::from))
}

/// Pixels and levels from two images, each read anywhere; a third moves the places.
enum Warped<const FAULT: u8> {}

static WARPED: KernelSpec = KernelSpec {
    coordinates: true,
    ..spec(
        "warped",
        &[
            whole("photo", ElementType::U8, 3),
            input("moved", ElementType::U8, NONE),
            whole("levels", ElementType::I16, 1),
        ],
        &[output("out", ElementType::I32, false)],
        &[BorderMode::Undefined],
    )
};

const ELEMENT: NeighbourhoodSpec = NeighbourhoodSpec { left: 0, right: 0, top: 0, bottom: 0 };

unsafe fn warped<const FAULT: u8>(rows: &Rows<'_>) {
    let [photo, levels] = [rows.views[0], rows.views[1]];
    for x in 0..rows.width {
        let y = if FAULT == ONE_ROW { 0 } else { rows.y };
        // SAFETY: within `Reads`, views of these types, and the column belongs to this call.
        unsafe {
            let at = place([y, rows.x + x as i32], rows.inputs[0].add(x).read());
            let level = look::<i16>(FAULT, &levels, [at[1], at[0]]);
            let inside = WholeView { extents: [photo.extents[0].min(levels.extents[0]), 1], ..photo };
            let photo = if FAULT == OTHER_VIEW { inside } else { photo };
            rows.outputs[0].cast::<i32>().add(x).write(mixed(look(FAULT, &photo, at), level));
        }
    }
}

// SAFETY: the code takes these views.
unsafe impl<const FAULT: u8> Kernel for Warped<FAULT> {
    const CODE: &'static KernelCode = &code(&WARPED, &[scalar_body(&[ELEMENT; 3], warped::<FAULT>)], |point| {
        let at @ [y, x] = place(point.place(), point.element(1));
        let (photo, levels) = (point.view::<[u8; 3]>(0), point.view::<i16>(2));
        point.write(0, mixed(photo.get(at), levels.get([x, y])));
    });
    type Inputs<'a> = (View<'a, [u8; 3]>, View<'a, u8>, View<'a, i16>);
    type Outputs<'a> = ViewMut<'a, i32>;
}

/// An image turned by a quarter, added into another: none but the outputs say what shape it has.
enum Quarter<const FAULT: u8> {}

static QUARTER: KernelSpec = KernelSpec {
    coordinates: true,
    ..spec(
        "quarter",
        &[
            whole("src", ElementType::U8, 1),
            ArgumentSpec {
                name: "acc",
                kind: ArgumentKind::Input(InputSpec::image(ElementType::U8, 1, NONE, (1, 1), Some(0))),
            },
        ],
        &[OutputSpec { name: "acc", element: ElementType::U8, channels: 1, optional: false }],
        &[BorderMode::Undefined],
    )
};

unsafe fn quarter<const FAULT: u8>(rows: &Rows<'_>) {
    for x in 0..rows.width {
        // SAFETY: within `Reads`, a view of bytes, and the column belongs to this call.
        unsafe {
            let found = look::<u8>(FAULT, &rows.views[0], [rows.x + x as i32, rows.y]).unwrap_or(1);
            let to = rows.outputs[0].add(x);
            let found = if FAULT == TWICE { found.wrapping_mul(2) } else { found };
            to.write(rows.inputs[0].add(x).read().wrapping_add(found));
        }
    }
}

// SAFETY: the code takes these views.
unsafe impl<const FAULT: u8> Kernel for Quarter<FAULT> {
    const CODE: &'static KernelCode = &code(&QUARTER, &[scalar_body(&[ELEMENT; 2], quarter::<FAULT>)], |point| {
        let [y, x] = point.place();
        let found = point.view::<u8>(0).get([x, y]).unwrap_or(1);
        point.write(0, point.element::<u8>(1).wrapping_add(found));
    });
    type Inputs<'a> = View<'a, u8>;
    type Outputs<'a> = ViewMut<'a, u8>;
}

#[test]
fn right_kernels_agree() {
    super::agrees::<Warped<RIGHT>>(Mode::Quick);
    super::agrees::<Quarter<RIGHT>>(Mode::Quick);
}

#[test]
fn right_kernels_agree_in_full() {
    super::agrees::<Warped<RIGHT>>(Mode::Full);
    super::agrees::<Quarter<RIGHT>>(Mode::Full);
}

#[test]
fn wrong_kernels_are_caught() {
    for what in [
        caught::<Warped<NO_GAPS>>(),
        caught::<Warped<CLAMPED>>(),
        caught::<Warped<TRANSPOSED>>(),
        caught::<Warped<LESS_ONE>>(),
        caught::<Warped<OTHER_VIEW>>(),
        caught::<Warped<ONE_ROW>>(),
    ] {
        assert!(what.contains("`out` at x = "), "{what}");
    }
    for what in [
        caught::<Quarter<NO_GAPS>>(),
        caught::<Quarter<CLAMPED>>(),
        caught::<Quarter<TRANSPOSED>>(),
        caught::<Quarter<LESS_ONE>>(),
        caught::<Quarter<TWICE>>(),
    ] {
        assert!(what.contains("`acc` at x = "), "{what}");
    }
}

fn whole_input(code: &KernelCode, image: usize) -> &'static InputSpec {
    cases::inputs(code.spec()).nth(image).unwrap()
}

fn of_image(case: &Case, image: usize) -> WholeExtents {
    *case.whole.get(&image).unwrap()
}

/// Each list, and random cases too, have images of a single element, less than the outputs, more, and with the outputs' planes.
#[test]
fn images_have_extents_of_their_own() {
    let drawn = RefCell::new(Vec::new());
    let all = Cases::new(Warped::<RIGHT>::CODE, SCALAR);
    let keep = |case: &Case| {
        drawn.borrow_mut().push(case.clone());
        Ok(())
    };
    property::run(&all, SCALAR, Mode::Quick, 300, keep).unwrap();
    let code = Warped::<RIGHT>::CODE;
    let lists = [
        cases::for_cpu(code, Mode::Quick),
        cases::for_cpu(code, Mode::Full),
        cases::for_device(code, Mode::Quick),
        drawn.into_inner(),
    ];
    for (number, list) in lists.iter().enumerate() {
        for image in [0, 2] {
            let some = |what: &str, is: &dyn Fn(&Case, WholeExtents) -> bool| {
                assert!(list.iter().any(|case| is(case, of_image(case, image))), "list {number}: no {what} of {image}");
            };
            some("row", &|_, whole| whole.extents()[1] == 1 && whole.extents()[0] > 1);
            some("column", &|_, whole| whole.extents()[0] == 1 && whole.extents()[1] > 1);
            some("planes", &|_, whole| whole.has_planes);
            some("plane for all", &|case, whole| !whole.has_planes && case.extents.len() > 2);
            let of = |case: &Case| (case.extents[0], case.extents[1]);
            some("smaller", &|case, whole| whole.extents()[0] < of(case).0 && whole.extents()[1] < of(case).1);
            some("larger", &|case, whole| whole.extents()[0] > of(case).0 && whole.extents()[1] > of(case).1);
        }
        // The images of a case differ.
        assert!(list.iter().filter(|case| of_image(case, 0) != of_image(case, 2)).count() > list.len() / 2);
    }
    let single = |case: &Case| of_image(case, 0) == WholeExtents::image(1, 1, false);
    assert!(lists[..3].iter().all(|list| list.iter().any(single)));
    for list in [cases::for_interpreter(code.spec()), cases::for_digest(code.spec()), cases::for_simulator(code)] {
        assert!(list.iter().all(|case| case.whole.len() == 2));
    }
}

#[test]
fn an_id_names_the_extents_of_each_image() {
    let code = Warped::<RIGHT>::CODE;
    for case in cases::for_cpu(code, Mode::Full) {
        let id = case.id(code.spec(), SCALAR);
        let read = Case::parse(code.spec(), SCALAR, &id, &[]);
        assert_eq!(read.map(|read| format!("{read:?}")), Some(format!("{case:?}")), "{id}");
        assert!(id.contains(&format!("::photo={}::levels=", of_image(&case, 0))), "{id}");
    }
    let parse =
        |parts: &str| Case::parse(code.spec(), SCALAR, &format!("warped::scalar::undefined::5x3x2::{parts}"), &[]);
    let case = parse("ramp::photo=9x4planes").unwrap();
    assert_eq!(case.whole_of(0, whole_input(code, 0)), WholeExtents::image(9, 4, true));
    // An image that is not named is as large as the outputs.
    assert_eq!(case.whole_of(2, whole_input(code, 2)), WholeExtents::image(5, 3, false));
    for wrong in ["moved=9x4", "out=9x4", "photo=9", "photo=9x", "photo=x4", "photo=9x4x2", "photo=9x4plane", "=9x4"] {
        assert!(parse(&format!("ramp::{wrong}")).is_none(), "{wrong}");
    }
    replay::<Warped<RIGHT>>("warped::scalar::undefined::5x3x2::random::photo=9x4planes::levels=2x7::seed3");
    replay::<Warped<RIGHT>>("warped::scalar::undefined::5x3x2::random");
}

#[test]
fn extents_shrink() {
    let all = Cases::new(Warped::<RIGHT>::CODE, SCALAR);
    let id = "warped::scalar::undefined::17x6x2::random::padded::photo=12x9planes::levels=8x8planes::seed7";
    let large = Case::parse(Warped::<RIGHT>::CODE.spec(), SCALAR, id, &[]).unwrap();
    let fails = |case: &Case| match of_image(case, 0).extents()[0] >= 5 && of_image(case, 2).extents()[1] >= 2 {
        true => Err("wrong".to_owned()),
        false => Ok(()),
    };
    let (smallest, _) = property::shrink(&all, &large, "wrong".into(), fails);
    let id = smallest.id(Warped::<RIGHT>::CODE.spec(), Target::Scalar);
    assert_eq!(id, "warped::scalar::undefined::1x1::ramp::padded::photo=5x1::levels=1x2");
    let Err(Failure { id, .. }) = run::<Quarter<CLAMPED>>(SCALAR, Mode::Quick) else { panic!() };
    assert!(id.contains("src=1x1"), "{id}");
}

#[test]
fn authors_add_shapes() {
    let additions = Additions { shapes: &[&[3, 7], &[2, 2, 2]], data: &[], seeds: &[4, 5], cases: 0 };
    let listed = additions.listed(Warped::<RIGHT>::CODE.spec());
    assert!(listed.iter().all(|case| case.whole.len() == 2));
    run_selected::<Warped<RIGHT>>(SCALAR, Mode::Quick, &Selection::Added(&additions)).unwrap();
    run_selected::<Warped<TRANSPOSED>>(SCALAR, Mode::Quick, &Selection::Added(&additions)).unwrap_err();
}

#[test]
fn digests_tell_them_apart() {
    assert_eq!(digest::<Warped<RIGHT>>(), digest::<Warped<CLAMPED>>());
    assert_ne!(digest::<Warped<RIGHT>>(), digest::<Quarter<RIGHT>>());
}
