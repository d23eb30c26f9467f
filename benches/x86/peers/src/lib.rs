//! Image processing crates of others behind one C interface: prepared once with the driver's images, run many times.
//!
//! Each peer keeps copies of its own, in the type that its crate wants, so that a run costs what its own users pay.

mod peers;

use std::ffi::{CString, c_char};

use crate::peers::{PEERS, Prepared};

/// How many peers there are.
#[unsafe(no_mangle)]
pub extern "C" fn peers() -> usize {
    PEERS.len()
}

/// The operator of a peer, as `compare.py` names it; the caller frees nothing.
#[unsafe(no_mangle)]
pub extern "C" fn peer_operator(index: usize) -> *const c_char {
    text(PEERS[index].operator)
}

/// The crate's name.
#[unsafe(no_mangle)]
pub extern "C" fn peer_name(index: usize) -> *const c_char {
    text(PEERS[index].name)
}

/// Prepares a peer on a copy of `source` (8-bit, `channels` of the operator); null where it can't.
///
/// # Safety
///
/// `source` is an image of this size, rows close together.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_prepare(
    index: usize,
    threads: usize,
    width: usize,
    height: usize,
    source: *const u8,
) -> *mut Prepared {
    let peer = &PEERS[index];
    // SAFETY: the caller's promise.
    let source = unsafe { std::slice::from_raw_parts(source, width * height * peer.channels) };
    match (peer.prepare)(source, width, height, threads) {
        Some(prepared) => Box::into_raw(Box::new(prepared)),
        None => std::ptr::null_mut(),
    }
}

/// Runs a prepared peer.
///
/// # Safety
///
/// `prepared` comes from `peer_prepare`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_run(prepared: *mut Prepared) {
    // SAFETY: the caller's promise.
    (unsafe { &mut *prepared }.run)();
}

/// Copies the last result's bytes to `out`.
///
/// # Safety
///
/// `prepared` comes from `peer_prepare`; `out` holds the operator's output.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_result(prepared: *mut Prepared, out: *mut u8) {
    // SAFETY: the caller's promise.
    let bytes = unsafe { &mut *prepared }.result();
    // SAFETY: as above.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), out, bytes.len()) };
}

fn text(text: &str) -> *const c_char {
    CString::new(text).unwrap_or_default().into_raw()
}
