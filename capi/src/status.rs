//! Failures: a code to branch on, and a text for people.

use std::{
    any::Any,
    cell::RefCell,
    ffi::{CStr, CString, c_char},
    panic::{AssertUnwindSafe, catch_unwind},
};

use windrow::{Error, InvalidConfiguration, InvalidTensor, RunError, family::FamilyError, schedule::ScheduleError};

/// What a call ended with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum WindrowStatus {
    /// It did what it says.
    Ok = 0,
    /// A pointer is null that must not be.
    NullPointer = 1,
    /// A text is not UTF-8.
    InvalidText = 2,
    /// A number is outside of what it may be: a code of a type or a border, a rank, an index.
    InvalidNumber = 3,
    /// No operator has this name.
    UnknownOperator = 4,
    /// The operator has no kernel for these tensors, or several.
    NoKernel = 5,
    /// A uniform, a variant or a table is missing, unknown or wrong.
    InvalidValue = 6,
    /// A tensor can't be: its extents overflow, its data are misaligned, an output overlaps itself.
    InvalidTensor = 7,
    /// The kernel can't be configured so: a type, a shape, a border, a bound of a uniform.
    InvalidConfiguration = 8,
    /// The run was refused: other shapes than those configured, memory that an output shares.
    InvalidRun = 9,
    /// Threads or memory could not be had.
    OutOfResources = 10,
    /// The memory of a DLPack tensor is a device's.
    NotOnTheHost = 11,
    /// A fault of windrow's, which was caught. What the call wrote so far has no meaning.
    Panic = 12,
}

impl WindrowStatus {
    const ALL: [(WindrowStatus, &'static CStr); 13] = [
        (WindrowStatus::Ok, c"ok"),
        (WindrowStatus::NullPointer, c"null pointer"),
        (WindrowStatus::InvalidText, c"invalid text"),
        (WindrowStatus::InvalidNumber, c"invalid number"),
        (WindrowStatus::UnknownOperator, c"unknown operator"),
        (WindrowStatus::NoKernel, c"no kernel"),
        (WindrowStatus::InvalidValue, c"invalid value"),
        (WindrowStatus::InvalidTensor, c"invalid tensor"),
        (WindrowStatus::InvalidConfiguration, c"invalid configuration"),
        (WindrowStatus::InvalidRun, c"invalid run"),
        (WindrowStatus::OutOfResources, c"out of resources"),
        (WindrowStatus::NotOnTheHost, c"not on the host"),
        (WindrowStatus::Panic, c"panic"),
    ];
}

/// Why a call failed.
#[derive(Debug)]
pub struct Failure {
    pub status: WindrowStatus,
    pub text: String,
}

impl Failure {
    pub fn new(status: WindrowStatus, text: impl Into<String>) -> Self {
        Self { status, text: text.into() }
    }

    pub fn null(argument: impl std::fmt::Display) -> Self {
        Self::new(WindrowStatus::NullPointer, format!("`{argument}` is null"))
    }

    pub fn number(text: impl Into<String>) -> Self {
        Self::new(WindrowStatus::InvalidNumber, text)
    }

    /// The same, of an argument.
    #[must_use]
    pub fn of(self, argument: impl std::fmt::Display) -> Self {
        Self { text: format!("`{argument}`: {}", self.text), ..self }
    }
}

impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        let error = error.into();
        let status = match &error {
            Error::Tensor(InvalidTensor::OutOfMemory { .. }) => WindrowStatus::OutOfResources,
            Error::Tensor(InvalidTensor::Null { .. }) => WindrowStatus::NullPointer,
            Error::Tensor(_) => WindrowStatus::InvalidTensor,
            Error::Family(FamilyError::NoMember { .. } | FamilyError::Ambiguous { .. }) => WindrowStatus::NoKernel,
            Error::Family(_) => WindrowStatus::InvalidValue,
            Error::Configuration(InvalidConfiguration::Tensor { .. }) => WindrowStatus::InvalidTensor,
            Error::Configuration(_) => WindrowStatus::InvalidConfiguration,
            Error::Run(RunError::Schedule(error)) | Error::Schedule(error) => match error {
                ScheduleError::Panicked => WindrowStatus::Panic,
                _ => WindrowStatus::OutOfResources,
            },
            Error::Memory(_) => WindrowStatus::OutOfResources,
            _ => WindrowStatus::InvalidRun,
        };
        Self { status, text: error.to_string() }
    }
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Runs a call, keeps its failure for `windrow_last_error`, and lets nothing unwind out of it.
pub fn guard(call: impl FnOnce() -> Result<(), Failure>) -> WindrowStatus {
    // A failed call leaves nothing behind but what it says: its outputs have no meaning then.
    let failure = match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => return WindrowStatus::Ok,
        Ok(Err(failure)) => failure,
        Err(payload) => {
            let text = panic_text(&*payload);
            // What it holds may panic again while it is dropped.
            std::mem::forget(payload);
            Failure::new(WindrowStatus::Panic, text)
        }
    };
    let Failure { status, mut text } = failure;
    text.retain(|character| character != '\0');
    let text = CString::new(text).unwrap_or_default();
    // A thread that is ending has no place for it any more.
    let _ = LAST.try_with(|last| last.replace(text));
    status
}

fn panic_text(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
    format!("windrow failed: {}", text.unwrap_or("a panic without a text"))
}

/// Returns what this thread's last failed call said: the argument, what was found, and the rule.
///
/// The text is the library's, and stays until another call fails on this thread. It is empty where none has.
#[unsafe(no_mangle)]
pub extern "C" fn windrow_last_error() -> *const c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// Returns a status in words, "unknown" for a number that is none. The text lives as long as the program.
#[unsafe(no_mangle)]
pub extern "C" fn windrow_status_name(status: i32) -> *const c_char {
    let name = WindrowStatus::ALL.iter().find(|(known, _)| *known as i32 == status);
    name.map_or(c"unknown", |(_, name)| name).as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last() -> String {
        // SAFETY: a text of the library's, before another call fails.
        unsafe { CStr::from_ptr(windrow_last_error()) }.to_str().unwrap().to_owned()
    }

    #[test]
    fn every_status_has_a_name() {
        for (number, (status, name)) in (0..).zip(WindrowStatus::ALL) {
            // SAFETY: a text of the library's.
            let found = unsafe { CStr::from_ptr(windrow_status_name(status as i32)) };
            assert_eq!((status as i32, found), (number, name));
        }
        // SAFETY: as above.
        assert_eq!(unsafe { CStr::from_ptr(windrow_status_name(-1)) }, c"unknown");
    }

    #[test]
    fn a_panic_is_caught_and_told() {
        let status = guard(|| panic!("no {}", "way"));
        assert_eq!((status, last()), (WindrowStatus::Panic, "windrow failed: no way".into()));
        let stopped: Failure = RunError::Schedule(ScheduleError::Panicked).into();
        assert_eq!(stopped.status, WindrowStatus::Panic);
        assert_eq!(guard(|| Ok(())), WindrowStatus::Ok);
        assert_eq!(guard(|| Err(Failure::null("a\0b"))), WindrowStatus::NullPointer);
        assert_eq!(last(), "`ab` is null");
        // Each thread has its own.
        std::thread::spawn(|| assert_eq!(last(), "")).join().unwrap();
    }
}
