//! Canaries: a part of an image is written to its last byte, and every other byte of the output keeps what it held, which is
//! nothing that a body would write there.

use std::ops::Range;

use crate::common::*;
use windrow_runtime::{
    Border, BorderMode, Configured, Dimension, ElementType, Kernel, KernelCode, KernelSpec, Neighbourhood, Padding,
    Serial, Tensor, Tier, View, ViewMut, Window,
    code::{Body, Rows},
    configure,
};

/// The element's neighbours on each side, mixed; any part of it may be asked for.
enum Mixed<const L: u32, const R: u32> {}

static MIXED: KernelSpec = kernel(
    "mixed",
    &[input("src", ElementType::U8, 1, around(-1, 1, -1, 1), (1, 1), None)],
    &[output("out", ElementType::U8, false)],
    (1, 1),
    &BorderMode::ALL,
);

fn mix(above: u8, left: u8, right: u8, below: u8) -> u8 {
    above.wrapping_mul(3) ^ left.wrapping_mul(5) ^ right.wrapping_mul(7) ^ below.wrapping_mul(11)
}

// SAFETY: the code takes these views.
unsafe impl<const L: u32, const R: u32> Kernel for Mixed<L, R> {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &MIXED,
            &[Body::new(Tier::Scalar, 0, (L, R), &[around(-1, 1, -1, 1)], true, mixed::<L, R>)],
            derive_nothing,
            |point| {
                let src: Neighbourhood<'_, u8> = point.neighbourhood(0);
                point.write(0, mix(src.at(0, -1), src.at(-1, 0), src.at(1, 0), src.at(0, 1)));
            },
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = View<'a, u8>;
    type Outputs<'a> = ViewMut<'a, u8>;
}

unsafe fn mixed<const L: u32, const R: u32>(rows: &Rows<'_>) {
    // SAFETY: one column and one row on each side, the first row being the one above.
    unsafe {
        wide::<u8, L, R>(rows, |x, row| {
            let at = |dx: isize, dy: usize| load::<u8>(rows, row + dy, x as isize + dx);
            mix(at(0, 0), at(-1, 1), at(1, 1), at(0, 2))
        });
    }
}

/// An image, what its kernel writes where, and what every byte of the output holds before it does.
struct Scene<const L: u32, const R: u32> {
    src: Tensor<u8>,
    configured: Configured<Mixed<L, R>>,
    right: Tensor<u8>,
    before: Tensor<u8>,
}

impl<const L: u32, const R: u32> Scene<L, R> {
    fn new([height, width]: [usize; 2], border: Border) -> Self {
        let src = Tensor::from_fn([height, width], |[y, x]| noise(L as usize, x, y, 0)).unwrap();
        // A row above the image, one below, and columns beside it.
        let padding = Padding { left: 3, right: 5, top: 1, bottom: 1 };
        let mut right = Tensor::<u8>::with_padding([height, width], padding).unwrap();
        let info = *right.info();
        let configured = configure::<Mixed<L, R>>(&request(&[src.info()], &[Some(&info)], border)).unwrap();
        configured.run_reference(src.view(), right.view_mut()).unwrap();
        let mut before = right.clone();
        before.storage_mut().iter_mut().for_each(|byte| *byte = !*byte);
        Self { src, configured, right, before }
    }

    /// Runs the part, and looks at every byte of the output.
    fn check(&self, columns: Range<usize>, rows: Range<usize>) {
        let dimension = |range: &Range<usize>| Dimension::new(range.start, range.end, 1).unwrap();
        let part = Window::new(&[dimension(&columns), dimension(&rows)]).unwrap();
        let mut out = self.before.clone();
        self.configured.run_window(&Serial, self.src.view(), out.view_mut(), &part).unwrap();
        let mut expected = self.before.clone();
        for y in rows.clone() {
            let right = &self.right.view().row(y).unwrap()[columns.clone()];
            expected.view_mut().row_mut(y).unwrap()[columns.clone()].copy_from_slice(right);
        }
        let wrong = out.storage().iter().zip(expected.storage()).position(|(found, expected)| found != expected);
        assert_eq!(wrong, None, "lanes {L}, rows {R}: the first wrong byte for columns {columns:?} of rows {rows:?}");
    }
}

/// Every range of rows of an image, on all columns and on those of each side.
fn check_parts<const L: u32, const R: u32>() {
    let (width, height) = (5 * L as usize + 3, 3 * R as usize + 5);
    let middle = 2 * L as usize + 1;
    // Parts of images under an undefined border are parts of what is valid.
    for border in EVERY_BORDER.into_iter().filter(|border| *border != Border::Undefined) {
        let scene = Scene::<L, R>::new([height, width], border);
        for (start, end) in (0..height).flat_map(|start| (start + 1..=height).map(move |end| (start, end))) {
            for columns in [0..width, 0..middle, middle..width, 1..L as usize + 1] {
                scene.check(columns, start..end);
            }
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "long")]
fn parts_of_single_rows_keep_to_themselves() {
    check_parts::<4, 1>();
    check_parts::<7, 1>();
}

#[test]
#[cfg_attr(miri, ignore = "long")]
fn parts_of_groups_of_rows_keep_to_themselves() {
    check_parts::<4, 2>();
    check_parts::<3, 3>();
    check_parts::<8, 4>();
}

/// A tile has room for eight rows of 1,016 columns: the columns at the edges are staged group by group. What remains below
/// the last whole group is moved up over it, and no further than the part's first row.
#[test]
#[cfg_attr(miri, ignore = "long")]
fn tiles_that_are_moved_up_keep_below_the_parts_first_row() {
    let scene = Scene::<1_016, 8>::new([34, 3 * 1_016], Border::Replicate);
    for first in [1, 2, 5] {
        for height in [8, 9, 15, 16, 17, 18, 20, 23, 24, 25, 28] {
            scene.check(0..3 * 1_016, first..first + height);
        }
    }
}
