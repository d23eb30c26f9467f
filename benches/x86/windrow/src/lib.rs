//! windrow's operators behind a C interface: configured once, run many times.
//!
//! The driver (`compare.py`) makes a job by name, size and border, and runs it on its own memory. A job that can't be
//! made is null, and `windrow_error` says why.

mod jobs;
mod pipelines;
mod twins;

use std::{
    cell::RefCell,
    ffi::{CStr, CString, c_char},
};

use windrow::{Border, Rayon, Serial};

use crate::jobs::{Images, Job, Result};

thread_local! {
    static ERROR: RefCell<CString> = RefCell::default();
}

/// What the last call of this thread that failed has to say.
#[unsafe(no_mangle)]
pub extern "C" fn windrow_error() -> *const c_char {
    ERROR.with_borrow(|text| text.as_ptr())
}

/// A job, or null.
///
/// # Safety
///
/// `operator` and `border` are texts that end in a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn windrow_job(
    operator: *const c_char,
    border: *const c_char,
    width: usize,
    height: usize,
) -> *mut Job {
    // SAFETY: the caller's promise.
    let (operator, border) = unsafe { (CStr::from_ptr(operator), CStr::from_ptr(border)) };
    let name = operator.to_string_lossy();
    let job = border_of(&border.to_string_lossy(), name.ends_with("f32"))
        .and_then(|border| jobs::job(&name, border, [height, width]));
    match job {
        Ok(job) => Box::into_raw(Box::new(job)),
        Err(error) => {
            remember(&*error);
            std::ptr::null_mut()
        }
    }
}

/// Runs a job on the caller's thread (`threads` 1) or on rayon's pool of that many; 0 where it went well.
///
/// # Safety
///
/// `job` comes from `windrow_job`; the images are those that the operator names, of the job's size, rows close together.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn windrow_run(job: *const Job, threads: usize, images: *const Images) -> i32 {
    // SAFETY: the caller's promise.
    let (job, images) = unsafe { (&*job, &*images) };
    let outcome = match threads {
        1 => job(&Serial, images),
        _ => job(&Rayon::default(), images),
    };
    match outcome {
        Ok(()) => 0,
        Err(error) => {
            remember(&*error);
            1
        }
    }
}

/// How many threads rayon's pool has; called before the first run of several threads.
#[unsafe(no_mangle)]
pub extern "C" fn windrow_threads(count: usize) -> i32 {
    i32::from(rayon::ThreadPoolBuilder::new().num_threads(count).build_global().is_err())
}

/// The border of that name; the constant is zero, of floats or bytes.
fn border_of(name: &str, is_float: bool) -> Result<Border> {
    match name {
        "undefined" => Ok(Border::Undefined),
        "constant" if is_float => Ok(Border::constant(0f32)),
        "constant" => Ok(Border::constant(0u8)),
        "replicate" => Ok(Border::Replicate),
        "reflect" => Ok(Border::Reflect),
        "reflect101" => Ok(Border::Reflect101),
        "wrap" => Ok(Border::Wrap),
        _ => Err(format!("there is no border mode `{name}`").into()),
    }
}

fn remember(error: &dyn std::error::Error) {
    let text = CString::new(error.to_string().replace('\0', " ")).unwrap_or_default();
    ERROR.set(text);
}
