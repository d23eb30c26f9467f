//! Copies small rectangles, many alike: the rows of a strip at an image's edge, or the slots of narrow edges side by side.
//!
//! Sizes are told apart once for all of them, not once a row.

/// Elements that are gathered at once.
pub(crate) const MOST_GATHERED: usize = 6;

/// A rectangle in memory: its first byte, and the bytes from row to row.
pub(crate) type Strip<P> = (P, isize);

/// Rectangles alike, whose rows are as many.
#[derive(Clone, Copy)]
pub(crate) struct Series {
    /// Rows of each.
    pub rows: usize,
    /// How many.
    pub count: usize,
    /// Bytes from one to the next, where they are read and where they are written.
    pub apart: (isize, isize),
}

impl Series {
    /// Returns a single one.
    pub const fn one(rows: usize) -> Series {
        Series { rows, count: 1, apart: (0, 0) }
    }
}

/// Copies `count` bytes; a few of them, as at a strip's edge, without a call.
///
/// # Safety
/// The bytes are readable at `from`, writable at `to`, and do not overlap.
#[inline]
pub(crate) unsafe fn copy(from: *const u8, to: *mut u8, count: usize) {
    // SAFETY: the caller's.
    unsafe { copy_strips((from, 0), (to, 0), count, Series::one(1)) }
}

/// Copies `count` bytes of each row.
///
/// # Safety
/// As [`copy`], for each row of each rectangle.
#[inline]
pub(crate) unsafe fn copy_strips(from: Strip<*const u8>, to: Strip<*mut u8>, count: usize, series: Series) {
    // SAFETY: the caller's.
    unsafe {
        match count {
            0 => {}
            1 => each_row(from, to, series, |from, to| exactly::<1>(from, to)),
            2 => each_row(from, to, series, |from, to| exactly::<2>(from, to)),
            3 => each_row(from, to, series, |from, to| ends::<2>(from, to, 3)),
            4 => each_row(from, to, series, |from, to| exactly::<4>(from, to)),
            5..=7 => each_row(from, to, series, |from, to| ends::<4>(from, to, count)),
            8..=16 => each_row(from, to, series, |from, to| ends::<8>(from, to, count)),
            17..=32 => each_row(from, to, series, |from, to| ends::<16>(from, to, count)),
            33..=64 => each_row(from, to, series, |from, to| ends::<32>(from, to, count)),
            _ => each_row(from, to, series, |from, to| to.copy_from_nonoverlapping(from, count)),
        }
    }
}

/// Gathers elements of `N` bytes: of each row those at `offsets`, which are written side by side. Whether it could: it knows few
/// sizes.
///
/// # Safety
/// As [`copy`], for each element.
pub(crate) unsafe fn gather(
    from: Strip<*const u8>,
    offsets: &[usize],
    to: Strip<*mut u8>,
    pixel: usize,
    series: Series,
) -> bool {
    // SAFETY: the caller's.
    unsafe {
        match pixel {
            1 => gather_of::<1>(from, offsets, to, series),
            2 => gather_of::<2>(from, offsets, to, series),
            4 => gather_of::<4>(from, offsets, to, series),
            _ => false,
        }
    }
}

/// # Safety
/// As [`gather`].
unsafe fn gather_of<const N: usize>(
    from: Strip<*const u8>,
    offsets: &[usize],
    to: Strip<*mut u8>,
    series: Series,
) -> bool {
    // SAFETY: the caller's.
    unsafe {
        match *offsets {
            [a, b, c] => gather_row::<N, 3>(from, [a, b, c], to, series),
            [a, b, c, d] => gather_row::<N, 4>(from, [a, b, c, d], to, series),
            [a, b, c, d, e] => gather_row::<N, 5>(from, [a, b, c, d, e], to, series),
            [a, b, c, d, e, f] => gather_row::<N, 6>(from, [a, b, c, d, e, f], to, series),
            _ => return false,
        }
    }
    true
}

/// # Safety
/// As [`gather`].
#[inline(always)]
unsafe fn gather_row<const N: usize, const COUNT: usize>(
    from: Strip<*const u8>,
    offsets: [usize; COUNT],
    to: Strip<*mut u8>,
    series: Series,
) {
    each_row(from, to, series, |from, to| {
        for (place, offset) in offsets.into_iter().enumerate() {
            // SAFETY: the caller's.
            unsafe { exactly::<N>(from.add(offset), to.add(place * N)) }
        }
    });
}

/// Calls `copy` with where each row of each rectangle starts.
#[inline(always)]
fn each_row(from: Strip<*const u8>, to: Strip<*mut u8>, series: Series, copy: impl Fn(*const u8, *mut u8)) {
    let (mut sources, mut targets) = (from.0, to.0);
    for _ in 0..series.count {
        let (mut source, mut target) = (sources, targets);
        for _ in 0..series.rows {
            copy(source, target);
            (source, target) = (source.wrapping_offset(from.1), target.wrapping_offset(to.1));
        }
        (sources, targets) = (sources.wrapping_offset(series.apart.0), targets.wrapping_offset(series.apart.1));
    }
}

/// Copies `N` bytes.
///
/// # Safety
/// As [`copy`].
#[inline(always)]
unsafe fn exactly<const N: usize>(from: *const u8, to: *mut u8) {
    // SAFETY: the caller's; arrays of bytes are aligned everywhere.
    unsafe { to.cast::<[u8; N]>().write(from.cast::<[u8; N]>().read()) }
}

/// Copies the first and the last `N` bytes, which may be the same ones.
///
/// # Safety
/// As [`copy`], and `count` is at least `N`.
#[inline(always)]
unsafe fn ends<const N: usize>(from: *const u8, to: *mut u8, count: usize) {
    // SAFETY: the caller's; arrays of bytes are aligned everywhere.
    unsafe {
        let (first, last) = (from.cast::<[u8; N]>().read(), from.add(count - N).cast::<[u8; N]>().read());
        to.cast::<[u8; N]>().write(first);
        to.add(count - N).cast::<[u8; N]>().write(last);
    }
}
