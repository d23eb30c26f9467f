//! A machine without OpenCL, or without a device of the wanted kind: each lack is an error of its own, and no panic.
//!
//! A library is loaded once in a process, so each case runs in one of its own, with a library made for it.

#![cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

use windrow_opencl::{Context, Devices, DriverError, OpenClError};

/// What `child` prints before its answer.
const MARK: &str = "answer: ";

/// The stand-in for a driver, and a file of the loader's name that is no library.
static LIBRARIES: LazyLock<(PathBuf, PathBuf)> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("absence");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("libOpenCL.so.1"), "no library").unwrap();
    let driver = folder.join("libdriver.so");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/driver.rs");
    let mut command = Command::new(rustc);
    command.args(["--edition", "2024", "--crate-type", "cdylib", "-o"]).arg(&driver).arg(source);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (driver, folder)
});

/// What a process finds whose driver answers so.
fn found(driver: &str, variables: &[(&str, &str)]) -> String {
    let mut command = child(variables);
    command.env("OPENCL_DYLIB_PATH", &LIBRARIES.0).env("WINDROW_DRIVER", driver);
    answer(command)
}

fn child(variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "finds_devices", "--ignored", "--nocapture"]);
    command.env_remove("OPENCL_DYLIB_PATH").env_remove("WINDROW_OPENCL_DEVICE").envs(variables.iter().copied());
    command
}

fn answer(mut command: Command) -> String {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let line = text.lines().find_map(|line| Some(line.split_once(MARK)?.1));
    line.unwrap_or_else(|| panic!("no answer: {text}")).to_owned()
}

/// In a process of its own: prints the chosen device, or the error, its message, and whether it says that something is
/// absent.
#[test]
#[ignore = "the other tests run it, each in its own surroundings"]
fn finds_devices() {
    let chosen = Devices::find().and_then(|devices| Ok(devices.choose()?.to_string()));
    let Err(error) = chosen else { return println!("{MARK}{}", chosen.unwrap_or_default()) };
    assert_eq!(Context::open().err().as_ref(), Some(&error));
    let kind = match &error {
        OpenClError::Driver(DriverError::NoLibrary) => "NoLibrary",
        OpenClError::NoPlatform => "NoPlatform",
        OpenClError::NoDevice { .. } => "NoDevice",
        OpenClError::NoFeature { .. } | OpenClError::Driver(DriverError::NoFunction { .. }) => "NoFeature",
        OpenClError::NotFound { .. } => "NotFound",
        OpenClError::Driver(DriverError::Call { .. }) => "Call",
        other => panic!("{other}"),
    };
    println!("{MARK}{kind}, absent: {}: {error}", error.is_absence());
}

#[test]
fn a_missing_library_is_named_with_the_way_to_add_it() {
    let folder = LIBRARIES.1.to_str().unwrap();
    let command = child(&[("LD_LIBRARY_PATH", folder), ("OPENCL_DYLIB_PATH", "/nonexistent/libOpenCL.so")]);
    assert_eq!(
        answer(command),
        "NoLibrary, absent: true: no OpenCL library: install an OpenCL loader (libOpenCL.so.1), or name it in \
         OPENCL_DYLIB_PATH"
    );
}

#[test]
fn a_library_without_platforms_is_told_apart() {
    for driver in ["no platform", "zero platforms"] {
        let answer = found(driver, &[]);
        assert!(answer.starts_with("NoPlatform, absent: true: no OpenCL platform"), "{driver}: {answer}");
    }
}

#[test]
fn a_loader_without_drivers_has_no_platform() {
    let answer = answer(child(&[("OCL_ICD_VENDORS", "/nonexistent"), ("OCL_ICD_FILENAMES", "")]));
    // Where there is no loader either, that is said first.
    assert!(answer.starts_with("NoPlatform, ") || answer.starts_with("NoLibrary, "), "{answer}");
}

#[test]
fn platforms_without_devices_are_counted() {
    for driver in ["no device", "zero devices"] {
        let answer = found(driver, &[]);
        assert_eq!(answer, "NoDevice, absent: true: no OpenCL device: 1 platform(s), none with a device", "{driver}");
    }
}

#[test]
fn a_device_that_is_not_there_is_named_with_those_that_are() {
    assert_eq!(found("a device", &[]), "Hollow / Reed");
    for wanted in ["0", "reed", "HOLLOW / R"] {
        assert_eq!(found("a device", &[("WINDROW_OPENCL_DEVICE", wanted)]), "Hollow / Reed", "{wanted}");
    }
    for wanted in ["1", "Quill"] {
        assert_eq!(
            found("a device", &[("WINDROW_OPENCL_DEVICE", wanted)]),
            format!("NotFound, absent: true: no OpenCL device matches `{wanted}`; there are: 0: Hollow / Reed")
        );
    }
}

/// That a driver is there and fails is no absence: the call and its error are named.
#[test]
fn a_driver_that_fails_is_no_absence() {
    let answer = found("out of memory", &[]);
    assert_eq!(answer, "Call, absent: false: clGetPlatformIDs failed: CL_OUT_OF_HOST_MEMORY (-6)");
}

/// A library of another kind under the name given.
#[test]
fn a_library_that_is_no_opencl_lacks_its_functions() {
    let answer = answer(child(&[("OPENCL_DYLIB_PATH", "libc.so.6")]));
    assert_eq!(answer, "NoFeature, absent: true: the OpenCL library lacks clGetPlatformIDs");
}
