//! windrow's errors as Python's exceptions: its own words, in the type that Python's callers expect.

use pyo3::{
    exceptions::{PyMemoryError, PyRuntimeError, PyTypeError, PyValueError},
    prelude::*,
};
use windrow::{
    Error, InvalidConfiguration, InvalidTensor, RunError, family::FamilyError, opencl::OpenClError,
    schedule::ScheduleError,
};

/// The exception of an error.
pub fn exception(error: impl Into<Error>) -> PyErr {
    let error = error.into();
    let message = error.to_string();
    match &error {
        Error::Tensor(error) => of_tensor(error, message),
        Error::Configuration(error) => of_configuration(error, message),
        Error::Run(RunError::Arguments(error)) => of_configuration(error, message),
        Error::Run(RunError::Table { .. }) => PyTypeError::new_err(message),
        Error::Run(RunError::Schedule(error)) | Error::Schedule(error) => of_schedule(error, message),
        Error::Run(RunError::Kernel { .. } | RunError::Unfinished { .. }) => PyRuntimeError::new_err(message),
        // With the names that a call here has for what chooses a kernel.
        Error::Family(FamilyError::Ambiguous { family, asked, offered }) => PyValueError::new_err(format!(
            "`{family}` has several kernels for {asked}: {offered}; choose one by `dtype` or `size`"
        )),
        Error::Family(FamilyError::Value { .. }) => PyValueError::new_err(message),
        Error::Family(_) => PyTypeError::new_err(message),
        Error::Memory(_) => PyMemoryError::new_err(message),
        Error::Other(error) if error.is::<OpenClError>() => PyRuntimeError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

/// The exception of what an array can't be, with the argument that it is given for.
pub fn raise(argument: &str, error: InvalidTensor) -> PyErr {
    of_tensor(&error, format!("`{argument}`: {error}"))
}

fn of_tensor(error: &InvalidTensor, message: String) -> PyErr {
    match error {
        InvalidTensor::OutOfMemory { .. } => PyMemoryError::new_err(message),
        InvalidTensor::Element { .. } => PyTypeError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

fn of_configuration(error: &InvalidConfiguration, message: String) -> PyErr {
    match error {
        InvalidConfiguration::ElementType { .. }
        | InvalidConfiguration::Channels { .. }
        | InvalidConfiguration::InputCount { .. }
        | InvalidConfiguration::OutputCount { .. }
        | InvalidConfiguration::MissingOutput { .. } => PyTypeError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

fn of_schedule(_error: &ScheduleError, message: String) -> PyErr {
    PyRuntimeError::new_err(message)
}
