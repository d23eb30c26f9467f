//! Devices of the machine that the tests run on.

use windrow::{
    AnyView,
    opencl::{Context, DeviceMemory},
    tensor::DType,
};

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

/// The bits of each element of a tensor without gaps.
pub fn bits(view: AnyView<'_>) -> Vec<u32> {
    let view = view.without_quantization();
    match view.info().dtype() {
        DType::F32 => view.typed::<f32>().unwrap().as_slice().unwrap().iter().map(|found| found.to_bits()).collect(),
        DType::U8 => view.typed::<u8>().unwrap().as_slice().unwrap().iter().map(|&found| found.into()).collect(),
        DType::I32 => view.typed::<i32>().unwrap().as_slice().unwrap().iter().map(|&found| found as u32).collect(),
        DType::I8 => view.typed::<i8>().unwrap().as_slice().unwrap().iter().map(|&found| found as u32).collect(),
        other => panic!("{other}"),
    }
}
