//! Devices of the machine that the tests run on.

use windrow::opencl::{Context, DeviceMemory};

/// The memory of a device; `None` where there is none and none is required.
pub fn memory() -> Option<DeviceMemory> {
    match Context::open() {
        Ok(context) => Some(DeviceMemory::new(&context)),
        Err(error) if error.is_absence() && !is_required() => {
            eprintln!("not run: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn is_required() -> bool {
    std::env::var("WINDROW_REQUIRE").is_ok_and(|targets| targets.split(',').any(|target| target == "opencl"))
}
