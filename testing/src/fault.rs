//! Names the running case when a body touches memory that it may not.
//!
//! A fault on a guard page ends the process, whatever thread it happens on. Before it does, the handler writes the ids
//! of the cases that are running, so that one of them can be replayed.

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

/// Cases that run at once, at most; more are not named.
const SLOTS: usize = 32;
/// Bytes of an id that are kept.
const LENGTH: usize = 200;

struct Slot {
    /// Bytes in use, plus one; 0 for a free slot.
    length: AtomicUsize,
    text: [AtomicU8; LENGTH],
}

static SLOTS_IN_USE: [Slot; SLOTS] =
    [const { Slot { length: AtomicUsize::new(0), text: [const { AtomicU8::new(0) }; LENGTH] } }; SLOTS];

/// While it lives, its case is named in faults.
#[derive(Debug)]
pub(super) struct Watched(Option<usize>);

/// Watches the case `id`.
pub(super) fn watch(id: &str) -> Watched {
    handler::install();
    let taken = SLOTS_IN_USE
        .iter()
        .position(|slot| slot.length.compare_exchange(0, 1, Ordering::AcqRel, Ordering::Relaxed).is_ok());
    if let Some(slot) = taken.map(|index| &SLOTS_IN_USE[index]) {
        slot.text.iter().zip(id.bytes()).for_each(|(place, byte)| place.store(byte, Ordering::Relaxed));
        slot.length.store(1 + id.len().min(LENGTH), Ordering::Release);
    }
    Watched(taken)
}

impl Drop for Watched {
    fn drop(&mut self) {
        if let Some(index) = self.0 {
            SLOTS_IN_USE[index].length.store(0, Ordering::Release);
        }
    }
}

#[cfg(all(unix, not(miri)))]
mod handler {
    use super::{LENGTH, Ordering, SLOTS_IN_USE};
    use std::{ptr, sync::Once};

    pub(super) fn install() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            for signal in [libc::SIGSEGV, libc::SIGBUS] {
                // SAFETY: `report` only does what a signal handler may. The default action is restored before it runs,
                // and the faulting access repeats, so the process ends as it would have. An alternative stack, where
                // the thread has one, is used.
                unsafe {
                    let mut action: libc::sigaction = std::mem::zeroed();
                    action.sa_sigaction = report as *const () as usize;
                    action.sa_flags = libc::SA_RESETHAND | libc::SA_ONSTACK;
                    libc::sigemptyset(&mut action.sa_mask);
                    libc::sigaction(signal, &action, ptr::null_mut());
                }
            }
        });
    }

    extern "C" fn report(_signal: libc::c_int) {
        write(b"\na kernel touched memory that it may not, in one of these cases:\n");
        for slot in &SLOTS_IN_USE {
            let length = slot.length.load(Ordering::Acquire);
            if length > 1 {
                let mut text = [0; LENGTH];
                text.iter_mut().zip(&slot.text).for_each(|(byte, place)| *byte = place.load(Ordering::Relaxed));
                write(b"  WINDROW_CASE=");
                write(&text[..(length - 1).min(LENGTH)]);
                write(b"\n");
            }
        }
    }

    fn write(bytes: &[u8]) {
        // SAFETY: `write` may be called in a signal handler; the bytes are ours.
        unsafe { libc::write(2, bytes.as_ptr().cast(), bytes.len()) };
    }
}

#[cfg(any(not(unix), miri))]
mod handler {
    pub(super) fn install() {}
}
