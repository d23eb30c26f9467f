//! What the function of a body is called with. It needs nothing but `core`: tools that compile bodies alone take this file as it
//! is, by [`ROWS_SOURCE`](super::ROWS_SOURCE).

use core::mem::MaybeUninit;

/// What a body is called with.
///
/// Contract, kept by `execute`:
/// - `inputs` holds, input after input, one pointer for each input row that the block reads: rows
///   `stride_y·0 + top ..= stride_y·(rows − 1) + bottom`, each pointing at the element of output column 0 (input
///   column `stride_x · x`). Every element that [`Body::reads`](super::Body::reads) names for the columns `0..width` is readable.
/// - `outputs` holds, output after output, `rows` pointers to the element of column 0; `width` elements of each are
///   writable and belong to this call alone, and are no input of it, except that an in-place input's row is its
///   output's row with offsets of zero. Each output of the kernel has its `rows` pointers, one left out as well.
/// - `width` is at least the body's `lanes`. Where it is a multiple of `lanes` each element is computed once; where
///   it isn't, the last vector may overlap the one before.
/// - `views` holds a plane of each input that is read anywhere, and `inputs` none of their rows. All elements of these planes
///   are readable, and none of them is one of an output.
/// - `head` is less than `lanes`, and 0 where each element is computed once; a body without a head takes no notice of it.
#[derive(Debug)]
pub struct Rows<'a> {
    /// Row pointers of the inputs.
    pub inputs: &'a [*const u8],
    /// Row pointers of the outputs; those of an output left out are null.
    pub outputs: &'a [*mut u8],
    /// The inputs that are read anywhere, each of them, in the order of the inputs.
    pub views: &'a [WholeView],
    /// The first entry of each table.
    pub tables: &'a [*const u8],
    /// The uniforms' words and the derived ones.
    pub words: &'a [u32],
    /// The output coordinate of column 0, which is not negative.
    pub x: i32,
    /// The output coordinate of row 0, which is not negative.
    pub y: i32,
    /// Elements to compute along the row.
    pub width: usize,
    /// Elements from the first step to the second, for the stores from there on to be aligned; 0 for a whole step.
    pub head: usize,
}

/// An input that a body reads anywhere.
///
/// Contract, kept by `execute`: for 0 ≤ row < `extents[0]` and 0 ≤ column < `extents[1]` there is an element, all of its
/// channels readable and aligned, at `first + row · strides[0] + column · strides[1]`. Each of these offsets fits an `i32`,
/// and so does each of the products.
#[derive(Clone, Copy, Debug)]
pub struct WholeView {
    /// The element at row 0, column 0.
    pub first: *const u8,
    /// Bytes from row to row, and from element to element of a row; either may be 0 or negative.
    pub strides: [i32; 2],
    /// Rows and columns; each is at least 1.
    pub extents: [i32; 2],
}

impl WholeView {
    /// Returns where the element at a row and a column lies; one that has no such place has no element there.
    #[inline(always)]
    pub const fn at(&self, row: i32, column: i32) -> *const u8 {
        let [down, right] = self.strides;
        self.first.wrapping_offset(row as isize * down as isize + column as isize * right as isize)
    }

    /// Returns a pointer to `N` elements: that at a place i is in the column `first` + i, or in column 0 or `last` where that lies
    /// outside. They are the row's own, or a copy of them.
    ///
    /// # Safety
    /// `T` is the type of the elements, which have one channel. The row is inside the view, and so is the column `last`.
    #[inline(always)]
    pub unsafe fn contiguous<T: Copy, const N: usize>(
        self,
        row: i32,
        first: i32,
        last: i32,
        copy: &mut MaybeUninit<[T; N]>,
    ) -> *const T {
        let are_inside = first >= 0 && i64::from(first) + (N as i64 - 1) <= i64::from(last);
        if are_inside && self.strides[1] as usize == size_of::<T>() {
            return self.at(row, first).cast();
        }
        // SAFETY: as the caller's.
        unsafe { copied::<T, N>(self.at(row, 0), self.strides[1], first, last, copy) };
        copy.as_ptr().cast()
    }
}

/// Copies the elements of [`WholeView::contiguous`] one by one, of a row that begins at `start`, so many bytes apart. It is given
/// numbers alone, so that a loop around it keeps the view in registers.
///
/// # Safety
/// That of [`WholeView::contiguous`].
#[cold]
#[inline(never)]
unsafe fn copied<T: Copy, const N: usize>(
    start: *const u8,
    stride: i32,
    first: i32,
    last: i32,
    copy: &mut MaybeUninit<[T; N]>,
) {
    let elements = copy.as_mut_ptr().cast::<T>();
    for place in 0..N {
        let column = first.saturating_add(place as i32).clamp(0, last.max(0));
        let element = start.wrapping_offset(column as isize * stride as isize).cast::<T>();
        // SAFETY: the row and the column are inside the view, and the place is below `N`.
        unsafe { elements.add(place).write(element.read_unaligned()) };
    }
}
