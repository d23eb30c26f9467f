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
/// - `views` holds each input that is read anywhere, a plane of it or the whole tensor, and `inputs` none of their rows. All
///   elements of these views are readable, and none of them is one of an output.
/// - `head` is less than `lanes`, and 0 where each element is computed once; a body without a head takes no notice of it.
/// - `groups` is 1 for a body that carries nothing from row to row. Otherwise all of this holds for each of the `groups` groups of
///   rows: `down` has, for each pointer of `inputs` and then of `outputs`, the bytes to the same row of the next group.
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
    /// The output coordinate of row 0, which is not negative; of the first group, where there are several.
    pub y: i32,
    /// The output coordinates of the plane, counted from the dimension outside the rows; none is negative.
    pub outer: [i32; OUTER],
    /// Elements to compute along the row.
    pub width: usize,
    /// Elements from the first step to the second, for the stores from there on to be aligned; 0 for a whole step.
    pub head: usize,
    /// Groups of rows to compute, one below the other.
    pub groups: usize,
    /// Bytes from each row to the same row of the next group: those of the inputs, then those of the outputs.
    pub down: &'a [isize],
}

/// How many dimensions a tensor may have outside rows and columns.
const OUTER: usize = 4;

/// An input that a body reads anywhere.
///
/// Contract, kept by `execute`: for 0 ≤ row < `extents[0]` and 0 ≤ column < `extents[1]` there is an element, all of its
/// channels readable and aligned, at `first + row · strides[0] + column · strides[1]`. A tensor that is given whole has one for
/// each index below `outer_extents[d]` besides, as many times `outer_strides[d]` further on, for each `d`. Each of these offsets
/// fits an `i32`, and so does each of the products and partial sums.
#[derive(Clone, Copy, Debug)]
pub struct WholeView {
    /// The element at row 0, column 0.
    pub first: *const u8,
    /// Bytes from row to row, and from element to element of a row; either may be 0 or negative.
    pub strides: [i32; 2],
    /// Rows and columns; each is at least 1.
    pub extents: [i32; 2],
    /// Bytes from one to the next along the dimensions outside the rows, counted from the innermost; 0 along those that the input
    /// lacks, and along all of a plane.
    pub outer_strides: [i32; OUTER],
    /// How many there are along them; each is at least 1.
    pub outer_extents: [i32; OUTER],
    /// A copy of bytes in the order in which instructions multiply four rows at once.
    pub quads: Quads,
}

/// A copy of some columns of a view of bytes in which four bytes below each other are side by side.
///
/// Contract: where row is a multiple of 4 and row + 3 a row of the view, there are, for each vector of `N` bytes whose columns, from
/// column on, lie in `columns` and begin a multiple of `N` behind their first, 4·`N` bytes at `first + row · strides[0] + 4 · column`, of a
/// plane so many bytes further on as in the view. They are four vectors: the one of number j holds, for each of its blocks of 16 bytes,
/// the quads of the columns 4·j to 4·j + 3 of that block. `N` is [`Strips::quad_columns`](super::Strips) of the body. Where the quads of
/// row `extents[0]` would be, there are sums in `i32`, each in the place of a quad: of all bytes of the plane's quads in its column, with
/// their signs.
#[derive(Clone, Copy, Debug)]
pub struct Quads {
    /// Where the quads of column 0 and row 0 would begin.
    pub first: *const u8,
    /// The columns that are there, from the first up to the last; none where both are 0.
    pub columns: [i32; 2],
}

impl Quads {
    /// There are none.
    pub const NONE: Quads = Quads { first: core::ptr::null(), columns: [0; 2] };
}

impl WholeView {
    /// Returns where the element at a row and a column lies; one that has no such place has no element there.
    #[inline(always)]
    pub const fn at(&self, row: i32, column: i32) -> *const u8 {
        let [down, right] = self.strides;
        self.first.wrapping_offset(row as isize * down as isize + column as isize * right as isize)
    }

    /// Returns a view that has one element at all places, as long as it lives.
    #[inline(always)]
    pub const fn of_one<T>(element: &T) -> WholeView {
        WholeView {
            first: core::ptr::from_ref(element).cast(),
            strides: [0; 2],
            extents: [1; 2],
            outer_strides: [0; OUTER],
            outer_extents: [1; OUTER],
            quads: Quads::NONE,
        }
    }

    /// Returns whether `N` columns from `first` on, those of a vector of bytes, have quads.
    #[inline(always)]
    pub const fn has_quads<const N: usize>(&self, first: i32) -> bool {
        let [begin, end] = self.quads.columns;
        first >= begin && first as i64 + N as i64 <= end as i64 && (first - begin) % N as i32 == 0
    }

    /// Returns whether these columns have sums besides, and these are of this many quads each.
    #[inline(always)]
    pub const fn has_quad_sums<const N: usize>(&self, first: i32, quads: i32) -> bool {
        self.has_quads::<N>(first) && quads == self.extents[0] / 4
    }

    /// Returns where the sums of a column begin, of a plane that begins this many bytes behind the first element; of what has none there
    /// is nothing.
    #[inline(always)]
    pub const fn quad_sums_at<T>(&self, plane: i32, column: i32) -> *const T {
        let [rows, stride] = [self.extents[0] as isize, self.strides[0] as isize];
        self.quads.first.wrapping_offset(rows * stride + plane as isize + 4 * column as isize).cast()
    }

    /// Returns where the quads of a column and of four rows begin, the first of which is `row` bytes behind the first element; of what has
    /// none there is nothing.
    #[inline(always)]
    pub const fn quads_at<T>(&self, row: i32, column: i32) -> *const T {
        self.quads.first.wrapping_offset(row as isize + 4 * column as isize).cast()
    }

    /// Returns four bytes that follow each other along a row of a plane, which begins this many bytes behind the first element: the first
    /// in the lowest bits.
    ///
    /// # Safety
    /// The elements are bytes, and all four have a place.
    #[inline(always)]
    pub const unsafe fn four_bytes(&self, plane: i32, row: i32, column: i32) -> u32 {
        if self.has_adjacent_bytes() {
            // SAFETY: the caller's.
            return unsafe { self.four_adjacent_bytes(plane, row, column) };
        }
        let first = self.at(row, column).wrapping_offset(plane as isize);
        let right = self.strides[1] as isize;
        let [second, third] = [first.wrapping_offset(right), first.wrapping_offset(2 * right)];
        // SAFETY: the caller's.
        unsafe { u32::from_le_bytes([*first, *second, *third, *third.wrapping_offset(right)]) }
    }

    /// Returns whether neighbouring bytes of a row lie side by side.
    #[inline(always)]
    pub const fn has_adjacent_bytes(&self) -> bool {
        self.strides[1] == 1
    }

    /// Returns what [`WholeView::four_bytes`] does, of a view whose neighbouring bytes lie side by side.
    ///
    /// # Safety
    /// As there; and [`WholeView::has_adjacent_bytes`].
    #[inline(always)]
    pub const unsafe fn four_adjacent_bytes(&self, plane: i32, row: i32, column: i32) -> u32 {
        let begin = row as isize * self.strides[0] as isize + plane as isize + column as isize;
        // SAFETY: the caller's: the four lie side by side.
        u32::from_le(unsafe { self.first.wrapping_offset(begin).cast::<u32>().read_unaligned() })
    }

    /// Returns whether `N` elements of a row lie side by side from the column `first` on, none of them behind the column `last`.
    #[inline(always)]
    pub const fn has_side_by_side<T, const N: usize>(&self, first: i32, last: i32) -> bool {
        let are_inside = first >= 0 && first as i64 + (N as i64 - 1) <= last as i64;
        are_inside && self.strides[1] as usize == size_of::<T>()
    }

    /// Returns where the element at the column `column` lies of a row that begins `row` bytes behind the first element, whose elements
    /// lie side by side; one that has no such place has no element there.
    #[inline(always)]
    pub const fn side_by_side<T>(&self, row: i32, column: i32) -> *const T {
        self.first.wrapping_offset(row as isize).cast::<T>().wrapping_offset(column as isize)
    }

    /// Returns a pointer to `N` elements of the row that begins `row` bytes behind the first element: that at a place i is in the
    /// column `first` + i, or in column 0 or `last` where that lies outside. They are the row's own, or a copy of them.
    ///
    /// # Safety
    /// `T` is the type of the elements, which have one channel. A row of the view begins there, and the column `last` is inside.
    #[inline(always)]
    pub unsafe fn contiguous<T: Copy, const N: usize>(
        self,
        row: i32,
        first: i32,
        last: i32,
        copy: &mut MaybeUninit<[T; N]>,
    ) -> *const T {
        if self.has_side_by_side::<T, N>(first, last) {
            return self.side_by_side(row, first);
        }
        // SAFETY: as the caller's.
        unsafe { copied::<T, N>(self.first.wrapping_offset(row as isize), self.strides[1], first, last, copy) };
        copy.as_ptr().cast()
    }
}

impl WholeView {
    /// Returns the elements of the row that begins at `start` in the columns from `first` up to `end`, where all of them are inside and lie
    /// side by side.
    ///
    /// # Safety
    /// `T` is the type of the elements, which have one channel. A row of the view begins at `start`.
    #[inline(always)]
    pub unsafe fn run<'r, T: Copy>(self, start: *const u8, first: i32, end: i32) -> Option<&'r [T]> {
        let is_inside = first >= 0 && first <= end && end <= self.extents[1];
        if !is_inside || self.strides[1] as usize != size_of::<T>() || !start.cast::<T>().is_aligned() {
            return None;
        }
        let elements = start.cast::<T>().wrapping_add(first as usize);
        // SAFETY: as the caller's: the columns are the row's own.
        Some(unsafe { core::slice::from_raw_parts(elements, (end - first) as usize) })
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

/// What a body keeps of each element of a piece of a row while it computes others: sums that turns add to, for example.
#[derive(Debug)]
pub struct RowMemory<T>([MaybeUninit<T>; PIECE]);

/// The elements of a piece of a row: enough that a piece is begun seldom, and few enough for the stack of a small machine.
const PIECE: usize = 2048;

impl<T: Copy> RowMemory<T> {
    /// The elements that it has room for.
    pub const COLUMNS: usize = PIECE;

    /// Makes one without elements.
    #[allow(clippy::new_without_default, reason = "generated code is its only user")]
    pub const fn new() -> RowMemory<T> {
        RowMemory([MaybeUninit::uninit(); PIECE])
    }

    /// Gives the first `columns` elements a value, and lends them; no more than there is room for.
    pub fn filled(&mut self, columns: usize, value: T) -> &mut [T] {
        let elements = &mut self.0[..columns.min(PIECE)];
        for element in &mut *elements {
            element.write(value);
        }
        let (first, count) = (elements.as_mut_ptr().cast(), elements.len());
        // SAFETY: all of them have been written, and are lent as `self` is.
        unsafe { core::slice::from_raw_parts_mut(first, count) }
    }
}

/// Replaces each element by the sum of all up to it and of `before`, for an addition that may be done in any order.
#[inline(always)]
pub fn running_sums<T: Copy>(row: &mut [T], mut before: T, add: impl Fn(T, T) -> T) {
    let (blocks, rest) = row.as_chunks_mut::<8>();
    for block in blocks {
        // Sums of two, of four, of eight: as vectors have them.
        let mut sums = *block;
        for apart in [1, 2, 4] {
            let own = sums;
            for place in apart..8 {
                sums[place] = add(own[place - apart], own[place]);
            }
        }
        *block = sums.map(|sum| add(before, sum));
        before = block[7];
    }
    for element in rest {
        *element = add(before, *element);
        before = *element;
    }
}

/// How often each byte has been seen. Neighbours are counted apart, so that no count waits for the one before it.
#[derive(Debug)]
pub struct ByteCounts([[u64; 256]; APART]);

const APART: usize = 4;

impl ByteCounts {
    /// Makes one that has seen nothing.
    #[allow(clippy::new_without_default, reason = "generated code is its only user")]
    pub const fn new() -> ByteCounts {
        ByteCounts([[0; 256]; APART])
    }

    /// Counts the byte at a place of a run.
    #[inline(always)]
    pub const fn add(&mut self, place: usize, byte: u8) {
        self.0[place % APART][byte as usize] += 1;
    }

    /// Counts all bytes of a run.
    #[inline]
    pub fn add_all(&mut self, run: &[u8]) {
        let (words, rest) = run.as_chunks::<8>();
        for word in words {
            let word = u64::from_le_bytes(*word);
            for place in 0..8 {
                self.add(place, (word >> (8 * place)) as u8);
            }
        }
        rest.iter().enumerate().for_each(|(place, &byte)| self.add(place, byte));
    }

    /// Returns how often a byte has been seen.
    pub fn of(&self, byte: u8) -> u64 {
        self.0.iter().map(|counts| counts[byte as usize]).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_filled_as_far_as_it_is_asked_for() {
        let mut memory = RowMemory::<u16>::new();
        assert_eq!(memory.filled(3, 7), [7, 7, 7]);
        assert_eq!(memory.filled(2, 9), [9, 9]);
        assert_eq!(memory.filled(RowMemory::<u16>::COLUMNS + 1, 1).len(), RowMemory::<u16>::COLUMNS);
    }

    #[test]
    fn running_sums_are_sums_up_to_each_element() {
        for length in 0..40u32 {
            let mut row: Vec<u32> = (0..length).map(|place| (place * place).wrapping_mul(0x0123_4567)).collect();
            let mut sum = 9u32;
            let mut add = |term: &u32| {
                sum = sum.wrapping_add(*term);
                sum
            };
            let expected: Vec<u32> = row.iter().map(&mut add).collect();
            running_sums(&mut row, 9, u32::wrapping_add);
            assert_eq!(row, expected);
        }
    }

    #[test]
    fn bytes_are_counted_wherever_they_are() {
        let mut counts = ByteCounts::new();
        let bytes: Vec<u8> = (0..1003u32).map(|place| (place * place % 11) as u8).collect();
        counts.add_all(&bytes);
        counts.add(5, 255);
        let expected = |byte: u8| bytes.iter().filter(|&&own| own == byte).count() as u64 + u64::from(byte == 255);
        (0..=255).for_each(|byte| assert_eq!(counts.of(byte), expected(byte), "{byte}"));
    }

    #[test]
    fn a_run_is_lent_where_its_elements_lie_side_by_side() {
        let elements = [1u16, 2, 3, 4, 5];
        let view = |strides| WholeView {
            first: elements.as_ptr().cast(),
            strides,
            extents: [1, 5],
            outer_strides: [0; OUTER],
            outer_extents: [1; OUTER],
            quads: Quads::NONE,
        };
        // SAFETY: the elements are u16 of one channel, and the only row begins there.
        let run = |strides, first, end| unsafe { view(strides).run::<u16>(elements.as_ptr().cast(), first, end) };
        assert_eq!(run([10, 2], 1, 4), Some(&elements[1..4]));
        assert_eq!(run([10, 2], 2, 2), Some(&[][..]));
        for (strides, first, end) in
            [([10, 4], 0, 2), ([10, -2], 0, 2), ([10, 2], -1, 2), ([10, 2], 3, 6), ([10, 2], 3, 2)]
        {
            assert_eq!(run(strides, first, end), None);
        }
    }

    /// Three rows of five elements, `10 · row + column`, forwards, backwards and every second one of a longer row.
    #[test]
    fn elements_outside_a_row_are_those_at_its_ends() {
        let forwards: Vec<u16> = (0..3).flat_map(|row| (0..5).map(move |column| 10 * row + column)).collect();
        let backwards: Vec<u16> = forwards.chunks(5).flat_map(|row| row.iter().rev().copied()).collect();
        let apart: Vec<u16> = forwards.iter().flat_map(|&element| [element, 999]).collect();
        let views =
            [(forwards.as_ptr(), [10, 2]), (backwards.as_ptr().wrapping_add(4), [10, -2]), (apart.as_ptr(), [20, 4])];
        for (first, strides) in views {
            let (outer_strides, outer_extents) = ([0; OUTER], [1; OUTER]);
            let quads = Quads::NONE;
            let view = WholeView { first: first.cast(), strides, extents: [3, 5], outer_strides, outer_extents, quads };
            for (row, first, last) in
                [(0, 0, 4), (1, 1, 4), (2, -2, 4), (1, 3, 4), (2, 1, 2), (0, i32::MAX, 4), (1, i32::MIN, 4)]
            {
                let mut copy = MaybeUninit::<[u16; 4]>::uninit();
                // SAFETY: the elements are u16 of one channel, the row is below 3 and the last column below 5.
                let found = unsafe {
                    view.contiguous::<u16, 4>(row * strides[0], first, last, &mut copy)
                        .cast::<[u16; 4]>()
                        .read_unaligned()
                };
                let expected = [0, 1, 2, 3].map(|lane| {
                    let column = (i64::from(first) + lane).clamp(0, i64::from(last));
                    (10 * i64::from(row) + column) as u16
                });
                assert_eq!(found, expected, "{strides:?}: {row}, {first}, {last}");
            }
        }
    }
}
