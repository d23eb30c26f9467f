//! An OpenCL library with nothing behind it, for `absence.rs`: `WINDROW_DRIVER` says what it lacks.

#![allow(non_snake_case)]

use std::ffi::c_void;

fn answers(word: &str) -> bool {
    std::env::var("WINDROW_DRIVER").is_ok_and(|answer| answer == word)
}

/// Zero objects as a count, or an error that means the same.
unsafe fn none(count: *mut u32, error: i32) -> i32 {
    if !count.is_null() {
        unsafe { count.write(0) };
        return 0;
    }
    error
}

/// One object, whose handle is `handle`.
unsafe fn one(handle: usize, handles: *mut usize, count: *mut u32) -> i32 {
    unsafe {
        if !handles.is_null() {
            handles.write(handle);
        }
        if !count.is_null() {
            count.write(1);
        }
    }
    0
}

unsafe fn give(bytes: &[u8], size: usize, to: *mut c_void, needed: *mut usize) -> i32 {
    unsafe {
        if !to.is_null() {
            to.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len().min(size));
        }
        if !needed.is_null() {
            needed.write(bytes.len());
        }
    }
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn clGetPlatformIDs(_: u32, handles: *mut usize, count: *mut u32) -> i32 {
    match () {
        () if answers("no platform") => -1001,
        () if answers("zero platforms") => unsafe { none(count, -1001) },
        () if answers("out of memory") => -6,
        () => unsafe { one(1, handles, count) },
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn clGetPlatformInfo(_: usize, _: u32, size: usize, to: *mut c_void, needed: *mut usize) -> i32 {
    unsafe { give(b"Hollow\0", size, to, needed) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn clGetDeviceIDs(_: usize, _: u64, _: u32, handles: *mut usize, count: *mut u32) -> i32 {
    match () {
        () if answers("no device") => -1,
        () if answers("zero devices") => unsafe { none(count, -1) },
        () => unsafe { one(2, handles, count) },
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn clGetDeviceInfo(_: usize, what: u32, size: usize, to: *mut c_void, needed: *mut usize) -> i32 {
    match what {
        // Its name, its version, its extensions, and what single-precision floats keep.
        0x102b => unsafe { give(b"Reed\0", size, to, needed) },
        0x102f => unsafe { give(b"OpenCL 1.2\0", size, to, needed) },
        0x1030 => unsafe { give(b"\0", size, to, needed) },
        0x101b => unsafe { give(&0x87u64.to_le_bytes(), size, to, needed) },
        _ => unsafe { give(&64u64.to_le_bytes(), size, to, needed) },
    }
}
