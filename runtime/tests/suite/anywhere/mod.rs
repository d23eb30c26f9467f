//! Images that are read anywhere: their kernels, and runs over images of any size, wherever their elements lie.

mod chains;
mod rules;
mod runs;

use crate::common::{NO_OPENCL, around, derive_nothing, input, kernel, load, output, wide};
use windrow_runtime::{
    BorderMode, Element, ElementType, Kernel, KernelCode, KernelSpec, Neighbourhood, Tier, View, ViewMut,
    code::{Body, Rows, WholeView},
    spec::{ArgumentKind, ArgumentSpec, InputSpec, NeighbourhoodSpec, OutputSpec},
};

const ELEMENT: NeighbourhoodSpec = around(0, 0, 0, 0);

const fn whole(name: &'static str, element: ElementType, channels: u32) -> ArgumentSpec {
    ArgumentSpec { name, kind: ArgumentKind::Input(InputSpec::whole(element, channels)) }
}

/// The element at a place of a view, as emitted bodies find it: with offsets of 32 bits, which must not overflow.
///
/// # Safety
/// The view keeps its contract, and its elements are `T`.
unsafe fn look<T: Copy>(view: &WholeView, [y, x]: [i32; 2]) -> Option<T> {
    let ([height, width], [down, right]) = (view.extents, view.strides);
    assert!(height >= 1 && width >= 1, "a view without elements");
    if !(0..height).contains(&y) || !(0..width).contains(&x) {
        return None;
    }
    let offset = y.checked_mul(down).zip(x.checked_mul(right)).and_then(|(down, right)| down.checked_add(right));
    let element = view.first.wrapping_offset(offset.expect("an offset that no i32 holds") as isize).cast::<T>();
    assert!(element.is_aligned(), "a view is misaligned");
    // SAFETY: the caller's; the place lies inside.
    Some(unsafe { element.read() })
}

/// Where `Turned` reads for the element at a place: inside some images, outside others.
fn turned_place([y, x]: [i32; 2]) -> [i32; 2] {
    [2 * x - y + 1, 3 * y - 2 * x - 1]
}

/// An image, turned and sheared; outside it there is 7.
enum Turned<const L: u32, const R: u32> {}

static TURNED: KernelSpec = KernelSpec {
    coordinates: true,
    ..kernel(
        "turned",
        &[whole("src", ElementType::U8, 1)],
        &[output("out", ElementType::U8, false)],
        (4, 1),
        &[BorderMode::Undefined],
    )
};

// SAFETY: the code takes these views.
unsafe impl<const L: u32, const R: u32> Kernel for Turned<L, R> {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &TURNED,
            &[Body::new(Tier::Scalar, 0, (L, R), &[ELEMENT], true, turned::<L, R>)],
            derive_nothing,
            |point| {
                let value = point.view::<u8>(0).get(turned_place(point.place())).unwrap_or(7);
                point.write(0, value);
            },
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = View<'a, u8>;
    type Outputs<'a> = ViewMut<'a, u8>;
}

unsafe fn turned<const L: u32, const R: u32>(rows: &Rows<'_>) {
    assert!(rows.inputs.is_empty() && rows.views.len() == 1);
    // SAFETY: the view holds bytes.
    unsafe {
        wide::<u8, L, R>(rows, |x, row| {
            look(&rows.views[0], turned_place([rows.y + row as i32, rows.x + x as i32])).unwrap_or(7)
        });
    }
}

/// What `Remapped` makes of a pixel, where there is one, and of an entry.
fn remapped_value(pixel: Option<[u8; 3]>, entry: Option<u16>) -> i32 {
    let pixel = pixel.map_or(-1, |[r, g, b]| i32::from(r) + 2 * i32::from(g) + 3 * i32::from(b));
    pixel * 3 - entry.map_or(100_000, i32::from)
}

/// The pixel at the place that a map says, and the entry of a column of numbers as far down. A row of images around one that is
/// read element by element.
enum Remapped<const L: u32, const R: u32> {}

static REMAPPED: KernelSpec = kernel(
    "remapped",
    &[
        whole("photo", ElementType::U8, 3),
        input("map", ElementType::I16, 2, ELEMENT, (1, 1), None),
        whole("column", ElementType::U16, 1),
    ],
    &[output("out", ElementType::I32, false)],
    (1, 1),
    &[BorderMode::Undefined],
);

// SAFETY: the code takes these views.
unsafe impl<const L: u32, const R: u32> Kernel for Remapped<L, R> {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &REMAPPED,
            &[Body::new(Tier::Scalar, 0, (L, R), &[ELEMENT; 3], true, remapped::<L, R>)],
            derive_nothing,
            |point| {
                let at = point.element::<[i16; 2]>(1).map(i32::from);
                let (photo, column) = (point.view::<[u8; 3]>(0), point.view::<u16>(2));
                point.write(0, remapped_value(photo.get(at), column.get([at[0], 0])));
            },
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = (View<'a, [u8; 3]>, View<'a, [i16; 2]>, View<'a, u16>);
    type Outputs<'a> = ViewMut<'a, i32>;
}

unsafe fn remapped<const L: u32, const R: u32>(rows: &Rows<'_>) {
    assert_eq!((rows.inputs.len(), rows.views.len()), (R as usize, 2));
    // SAFETY: the rows are the map's, the views the photo's and the column's.
    unsafe {
        wide::<i32, L, R>(rows, |x, row| {
            let at = load::<[i16; 2]>(rows, row, x as isize).map(i32::from);
            remapped_value(look(&rows.views[0], at), look(&rows.views[1], [at[0], 0]))
        });
    }
}

/// Where `Gathered` reads for an element whose neighbours left and right differ by so much.
fn gathered_place([y, x]: [i32; 2], [left, right]: [u8; 2]) -> [i32; 2] {
    [y / 2 + i32::from(right % 3), x / 2 + i32::from(left % 5) - 1]
}

/// An element of an image near the same place, which another image's neighbours left and right shift, added into `acc`.
enum Gathered<const L: u32, const R: u32> {}

const SIDES: NeighbourhoodSpec = around(-1, 1, 0, 0);

static GATHERED: KernelSpec = KernelSpec {
    coordinates: true,
    ..kernel(
        "gathered",
        &[
            input("sides", ElementType::U8, 1, SIDES, (1, 1), None),
            input("acc", ElementType::I32, 1, ELEMENT, (1, 1), Some(0)),
            whole("src", ElementType::I32, 1),
        ],
        &[OutputSpec { name: "acc", element: ElementType::I32, channels: 1, optional: false }],
        (2, 2),
        &BorderMode::ALL,
    )
};

// SAFETY: the code takes these views.
unsafe impl<const L: u32, const R: u32> Kernel for Gathered<L, R> {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &GATHERED,
            &[Body::new(Tier::Scalar, 0, (L, R), &[SIDES, ELEMENT, ELEMENT], true, gathered::<L, R>)],
            derive_nothing,
            |point| {
                let sides: Neighbourhood<'_, u8> = point.neighbourhood(0);
                let at = gathered_place(point.place(), [sides.at(-1, 0), sides.at(1, 0)]);
                let found = point.view::<i32>(2).get(at).unwrap_or(-3);
                point.write(0, point.element::<i32>(1).wrapping_add(found));
            },
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = (View<'a, u8>, View<'a, i32>);
    type Outputs<'a> = ViewMut<'a, i32>;
}

unsafe fn gathered<const L: u32, const R: u32>(rows: &Rows<'_>) {
    let r = R as usize;
    assert_eq!((rows.inputs.len(), rows.views.len()), (2 * r, 1));
    // SAFETY: the rows of `sides` come first, then those of `acc`; the view is that of `src`.
    unsafe {
        wide::<i32, L, R>(rows, |x, row| {
            let sides = [-1, 1].map(|side| load::<u8>(rows, row, x as isize + side));
            let at = gathered_place([rows.y + row as i32, rows.x + x as i32], sides);
            let found = look::<i32>(&rows.views[0], at).unwrap_or(-3);
            load::<i32>(rows, r + row, x as isize).wrapping_add(found)
        });
    }
}

/// All elements, row after row, one plane after another, of a view with any strides.
fn elements<T: Element>(view: View<'_, T>) -> Vec<T> {
    let ([height, width], planes) = (view.extents(), view.info().shape().planes() as i32);
    let places = (0..planes).flat_map(|z| (0..height).flat_map(move |y| (0..width).map(move |x| [z, y, x])));
    places.map(|at| view.get(at).unwrap()).collect()
}
