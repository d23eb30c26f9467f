//! Memory for test images, between two pages that must not be touched.
//!
//! A read or a write beyond either end faults at once. On Linux and its kin the pages come from `mmap`; elsewhere, and
//! under an interpreter that watches each access itself, the memory is ordinary, and only its contents are watched.

use std::{io, ops::Range};

/// Which end of the memory lies directly at its guard page; the other is rounded to whole pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flush {
    /// The first byte: what runs off to the left faults.
    Start,
    /// The last byte: what runs off to the right faults.
    End,
}

/// A block of bytes in guarded pages.
#[derive(Debug)]
pub(super) struct Guarded {
    pages: Pages,
    block: Range<usize>,
}

impl Guarded {
    /// A block of `length` bytes of any value, flush with one end of its pages.
    pub(super) fn new(length: usize, flush: Flush) -> io::Result<Self> {
        let pages = Pages::new(length)?;
        let start = match flush {
            Flush::Start => 0,
            Flush::End => pages.length() - length,
        };
        Ok(Self { pages, block: start..start + length })
    }

    /// Everything in the pages: the block, and what the rounding leaves beside it.
    pub(super) fn all(&self) -> &[u8] {
        self.pages.bytes()
    }

    /// The same, to write.
    pub(super) fn all_mut(&mut self) -> &mut [u8] {
        self.pages.bytes_mut()
    }

    /// Where the block lies in [`Self::all`].
    pub(super) fn block(&self) -> Range<usize> {
        self.block.clone()
    }

    /// The first byte of the block, to hand to a run.
    pub(super) fn as_mut_ptr(&mut self) -> *mut u8 {
        let start = self.block.start;
        self.pages.bytes_mut().as_mut_ptr().wrapping_add(start)
    }

    /// A copy of all bytes.
    pub(super) fn snapshot(&self) -> Vec<u8> {
        self.all().to_vec()
    }
}

#[cfg(all(unix, not(miri)))]
use guarded::Pages;
#[cfg(any(not(unix), miri))]
use plain::Pages;

#[cfg(all(unix, not(miri)))]
mod guarded {
    use std::{cell::RefCell, io, ptr, slice};

    /// Of how many pages a thread keeps the mapping when their picture is gone, at most, and how long such pages may be.
    const KEPT: (usize, usize) = (16, 1 << 20);

    thread_local! {
        /// Mappings for the next pages of their length: the system would make fresh ones, and clear them, for each picture.
        static FREE: RefCell<Free> = const { RefCell::new(Free(Vec::new())) };
    }

    /// Whole pages with a forbidden page on either side. Their bytes are whatever the pages' last owner left, or zeros.
    #[derive(Debug)]
    pub(super) struct Pages(Mapping);

    // SAFETY: the mapping belongs to this value alone.
    unsafe impl Send for Pages {}
    // SAFETY: shared access only reads.
    unsafe impl Sync for Pages {}

    impl Pages {
        pub(super) fn new(length: usize) -> io::Result<Self> {
            // SAFETY: it asks for a number.
            let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
            let length = length.max(1).next_multiple_of(page);
            match FREE.try_with(|free| free.borrow_mut().take(length)) {
                Ok(Some(mapping)) => Ok(Self(mapping)),
                _ => Mapping::new(length, page).map(Self),
            }
        }

        pub(super) fn length(&self) -> usize {
            self.0.length
        }

        pub(super) fn bytes(&self) -> &[u8] {
            // SAFETY: the pages between the guards are readable and initialised (the system zeroes them).
            unsafe { slice::from_raw_parts(self.0.first(), self.0.length) }
        }

        pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
            // SAFETY: as above, and writable; `self` is borrowed exclusively.
            unsafe { slice::from_raw_parts_mut(self.0.first(), self.0.length) }
        }
    }

    impl Drop for Pages {
        fn drop(&mut self) {
            let is_kept = FREE.try_with(|free| free.borrow_mut().keep(self.0));
            if is_kept != Ok(true) {
                // SAFETY: nobody else has the mapping, and no borrow of it is left.
                unsafe { self.0.unmap() };
            }
        }
    }

    /// What the system has mapped.
    #[derive(Clone, Copy, Debug)]
    struct Mapping {
        start: *mut libc::c_void,
        page: usize,
        /// Between the guards.
        length: usize,
    }

    impl Mapping {
        fn new(length: usize, page: usize) -> io::Result<Self> {
            let (protection, flags) = (libc::PROT_NONE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
            // SAFETY: a fresh mapping at an address of the system's choice.
            let start = unsafe { libc::mmap(ptr::null_mut(), length + 2 * page, protection, flags, -1, 0) };
            if start == libc::MAP_FAILED {
                return Err(io::Error::last_os_error());
            }
            let mapping = Self { start, page, length };
            // SAFETY: the range lies inside the mapping.
            let opened = unsafe { libc::mprotect(mapping.first().cast(), length, libc::PROT_READ | libc::PROT_WRITE) };
            if opened == 0 {
                return Ok(mapping);
            }
            let error = io::Error::last_os_error();
            // SAFETY: nobody else has it.
            unsafe { mapping.unmap() };
            Err(error)
        }

        fn first(&self) -> *mut u8 {
            self.start.cast::<u8>().wrapping_add(self.page)
        }

        /// Gives the mapping back to the system.
        ///
        /// # Safety
        ///
        /// Nobody uses it any more.
        unsafe fn unmap(self) {
            // SAFETY: this mapping was made in `new`, and by the contract no borrow of it is left.
            unsafe { libc::munmap(self.start, self.length + 2 * self.page) };
        }
    }

    /// Mappings that nobody uses.
    struct Free(Vec<Mapping>);

    impl Free {
        /// One of this length, which is the caller's from now on.
        fn take(&mut self, length: usize) -> Option<Mapping> {
            let index = self.0.iter().rposition(|mapping| mapping.length == length)?;
            Some(self.0.remove(index))
        }

        /// Whether a mapping that nobody uses is kept. The oldest gives way.
        fn keep(&mut self, mapping: Mapping) -> bool {
            let (most, longest) = KEPT;
            if mapping.length > longest {
                return false;
            }
            if self.0.len() == most {
                // SAFETY: nobody uses what is free.
                unsafe { self.0.remove(0).unmap() };
            }
            self.0.push(mapping);
            true
        }
    }

    impl Drop for Free {
        fn drop(&mut self) {
            // SAFETY: nobody uses what is free.
            self.0.drain(..).for_each(|mapping| unsafe { mapping.unmap() });
        }
    }
}

#[cfg(any(not(unix), miri))]
mod plain {
    use std::io;

    /// Aligned for every element.
    #[derive(Debug)]
    pub(super) struct Pages(Vec<u64>, usize);

    impl Pages {
        pub(super) fn new(length: usize) -> io::Result<Self> {
            let length = length.max(1).next_multiple_of(64);
            Ok(Self(vec![0; length / 8], length))
        }

        pub(super) fn length(&self) -> usize {
            self.1
        }

        pub(super) fn bytes(&self) -> &[u8] {
            // SAFETY: `u64`s are initialised bytes.
            unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), self.1) }
        }

        pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
            // SAFETY: as above, borrowed exclusively.
            unsafe { std::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast(), self.1) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_is_flush_with_its_end() {
        let end = Guarded::new(10, Flush::End).unwrap();
        assert_eq!(end.block().end, end.all().len());
        let start = Guarded::new(10, Flush::Start).unwrap();
        assert_eq!(start.block(), 0..10);
        assert_eq!(Guarded::new(0, Flush::End).unwrap().block().len(), 0);
    }

    #[test]
    fn blocks_never_share_pages_and_stay_flush_when_pages_are_used_again() {
        for length in (1..40).map(|k| k * 1000) {
            let mut blocks = [Flush::Start, Flush::End].map(|flush| Guarded::new(length, flush).unwrap());
            for (value, block) in (1..).zip(&mut blocks) {
                block.all_mut().fill(value);
            }
            assert!(blocks.iter().zip(1..).all(|(block, value)| block.all().iter().all(|byte| *byte == value)));
            assert_eq!((blocks[0].block(), blocks[1].block().end), (0..length, blocks[1].all().len()));
        }
    }
}
