//! An OpenCL library that is the machine's own but for one call, for `probe.rs`: `WINDROW_DRIVER` says how that fails, the
//! configuration `build` or `launch` which it is.
//!
//! The library of the machine is linked into it, so that all other names are found there.

#![allow(non_snake_case)]

use std::{process, thread, time::Duration};

fn fail() -> i32 {
    match std::env::var("WINDROW_DRIVER").unwrap_or_default().as_str() {
        "abort" => {
            eprintln!("assertion failed in the compiler");
            process::abort()
        }
        "exit" => process::exit(7),
        "be killed" => {
            let _ = process::Command::new("kill").args(["-KILL", &process::id().to_string()]).status();
            loop {
                thread::sleep(Duration::from_secs(1));
            }
        }
        "hang" => loop {
            thread::sleep(Duration::from_secs(1));
        },
        "crash" => {
            // SAFETY: it is not, on purpose.
            unsafe { std::ptr::without_provenance_mut::<u8>(8).write_volatile(1) };
            0
        }
        _ => -6,
    }
}

#[cfg(build)]
#[unsafe(no_mangle)]
extern "C" fn clBuildProgram(_: usize, _: u32, _: usize, _: usize, _: usize, _: usize) -> i32 {
    fail()
}

#[cfg(launch)]
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
extern "C" fn clEnqueueNDRangeKernel(
    _: usize,
    _: usize,
    _: u32,
    _: usize,
    _: usize,
    _: usize,
    _: u32,
    _: usize,
    _: usize,
) -> i32 {
    fail()
}
