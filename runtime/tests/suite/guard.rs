//! Buffers that end, or begin, at a page that may not be touched: nothing outside an image's elements is read or written.

#![cfg(all(unix, not(miri)))]

use std::ptr::NonNull;

use crate::common::*;
use windrow_runtime::{Border, Element, Serial, TensorInfo, View, ViewMut, configure};

/// Pages between two that may not be touched.
struct Guarded {
    map: *mut libc::c_void,
    length: usize,
    page: usize,
}

impl Guarded {
    fn new(bytes: usize) -> Guarded {
        // SAFETY: an anonymous mapping of our own.
        unsafe {
            let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
            let length = bytes.next_multiple_of(page).max(page) + 2 * page;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let map = libc::mmap(std::ptr::null_mut(), length, libc::PROT_NONE, flags, -1, 0);
            assert_ne!(map, libc::MAP_FAILED);
            let inner = map.byte_add(page);
            assert_eq!(libc::mprotect(inner, length - 2 * page, libc::PROT_READ | libc::PROT_WRITE), 0);
            Guarded { map, length, page }
        }
    }

    /// The memory of `info`, right behind the first guard page or right before the last.
    fn place(&self, info: &TensorInfo, at_end: bool) -> NonNull<u8> {
        let inner = self.length - 2 * self.page;
        let offset = if at_end { inner - info.size_in_bytes() } else { 0 };
        // SAFETY: the offset lies in the mapping.
        NonNull::new(unsafe { self.map.cast::<u8>().add(self.page + offset) }).unwrap()
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and no view of it is left.
        unsafe { libc::munmap(self.map, self.length) };
    }
}

/// An image with a row stride above its width, so that its last row ends the buffer.
fn info<T: Element>(extents: [usize; 2]) -> TensorInfo {
    let pixel = size_of::<T>();
    TensorInfo::with_strides(T::TYPE, T::CHANNELS, &extents, &[((extents[1] + 3) * pixel) as isize, pixel as isize])
        .unwrap()
}

fn check<const L: u32, const R: u32, const KIND: usize>() {
    let (_, stride) = KINDS[KIND];
    for (width, height) in (1..=4 * L as usize + 3).flat_map(|w| [1, 2, 5, 9].map(|h| (w, h))) {
        let src_info = info::<u8>([height * stride.1 as usize, width * stride.0 as usize]);
        let out_info = info::<i32>([height, width]);
        let (src, out) = (Guarded::new(src_info.size_in_bytes()), Guarded::new(out_info.size_in_bytes()));
        for at_end in [false, true] {
            for border in EVERY_BORDER {
                let configured =
                    configure::<Weighted<L, R, KIND>>(&request(&[&src_info], &[Some(&out_info)], border)).unwrap();
                // SAFETY: the memory is ours, readable and writable, and aligned, being at a page's start or a multiple of 4
                // before its end.
                unsafe {
                    let src = View::<u8>::from_raw(src.place(&src_info, at_end), src_info).unwrap();
                    let out = ViewMut::<i32>::from_raw(out.place(&out_info, at_end), out_info).unwrap();
                    configured.run(&Serial, src, out).unwrap();
                }
            }
        }
    }
}

#[test]
fn neighbourhoods_stay_inside_the_image() {
    check::<8, 4, 0>();
    check::<4, 1, 1>();
    check::<8, 3, 2>();
    check::<1, 1, 0>();
}

#[test]
fn strided_reads_stay_inside_the_image() {
    check::<8, 4, 3>();
    check::<4, 2, 4>();
    check::<4, 2, 5>();
    check::<4, 2, 6>();
    check::<4, 1, 7>();
}

#[test]
fn pixel_wise_kernels_stay_inside_their_images() {
    for (width, height) in (1..=35usize).flat_map(|w| [1, 2, 3, 7].map(|h| (w, h))) {
        let info = info::<u8>([height, width]);
        let images = [(); 3].map(|()| Guarded::new(info.size_in_bytes()));
        for at_end in [false, true] {
            let configured =
                configure::<AbsDiff<16, 2>>(&request(&[&info; 2], &[Some(&info)], Border::Undefined)).unwrap();
            // SAFETY: as above.
            unsafe {
                let [a, b] = [0, 1].map(|i| View::<u8>::from_raw(images[i].place(&info, at_end), info).unwrap());
                let out = ViewMut::<u8>::from_raw(images[2].place(&info, at_end), info).unwrap();
                configured.run(&Serial, (a, b), out).unwrap();
            }
        }
    }
}
