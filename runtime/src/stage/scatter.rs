//! Copies elements that lie apart: every third byte, backwards, or one for all.

/// The first element of some, and the bytes from one to the next.
pub(crate) type Spread<P> = (P, isize);

/// Copies `count` elements of `pixel` bytes.
///
/// # Safety
/// Each element is readable where it lies in `from`, and writable where it lies in `to`; none of both overlaps one of the other.
#[inline]
pub(crate) unsafe fn copy_elements(from: Spread<*const u8>, to: Spread<*mut u8>, count: usize, pixel: usize) {
    // SAFETY: the caller's.
    unsafe {
        if from.1 == pixel as isize && to.1 == pixel as isize {
            return super::series::copy(from.0, to.0, count * pixel);
        }
        copy_spread(from, to, count, pixel);
    }
}

/// The same of elements that lie apart. By itself: what its loops keep at hand would be found for every row of those that do not.
///
/// # Safety
/// As [`copy_elements`].
#[inline(never)]
unsafe fn copy_spread(from: Spread<*const u8>, to: Spread<*mut u8>, count: usize, pixel: usize) {
    // SAFETY: the caller's.
    unsafe {
        // One to four channels of one, two, four or eight bytes.
        match pixel {
            1 => each::<1>(from, to, count),
            2 => each::<2>(from, to, count),
            3 => each::<3>(from, to, count),
            4 => each::<4>(from, to, count),
            6 => each::<6>(from, to, count),
            8 => each::<8>(from, to, count),
            12 => each::<12>(from, to, count),
            16 => each::<16>(from, to, count),
            24 => each::<24>(from, to, count),
            _ => {
                for index in 0..count as isize {
                    let (from, to) = (from.0.wrapping_offset(index * from.1), to.0.wrapping_offset(index * to.1));
                    to.copy_from_nonoverlapping(from, pixel);
                }
            }
        }
    }
}

/// # Safety
/// As [`copy_elements`], for elements of `N` bytes.
#[inline(always)]
unsafe fn each<const N: usize>(from: Spread<*const u8>, to: Spread<*mut u8>, count: usize) {
    for index in 0..count as isize {
        let (from, to) = (from.0.wrapping_offset(index * from.1), to.0.wrapping_offset(index * to.1));
        // SAFETY: the caller's; arrays of bytes are aligned everywhere.
        unsafe { to.cast::<[u8; N]>().write(from.cast::<[u8; N]>().read()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_every_size_go_where_they_belong() {
        let bytes: Vec<u8> = (0..=255).collect();
        for pixel in [1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32] {
            for (apart, first) in
                [(pixel as isize, 0), (pixel as isize + 7, 0), (-(pixel as isize) - 1, 4 * (pixel + 1)), (0, 9)]
            {
                let mut packed = vec![0; 5 * pixel];
                let mut spread = vec![0; 256];
                let dense = pixel as isize;
                // SAFETY: five elements of at most 39 bytes from one another lie in each.
                unsafe {
                    copy_elements((bytes.as_ptr().add(first), apart), (packed.as_mut_ptr(), dense), 5, pixel);
                    copy_elements((packed.as_ptr(), dense), (spread.as_mut_ptr().add(first), apart), 5, pixel);
                }
                for index in 0..5 {
                    let at = first.wrapping_add_signed(index as isize * apart);
                    assert_eq!(packed[index * pixel..][..pixel], bytes[at..][..pixel], "{pixel} {apart}");
                    assert_eq!(spread[at..][..pixel], bytes[at..][..pixel], "{pixel} {apart}");
                }
            }
        }
    }
}
