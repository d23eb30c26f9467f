//! What devices that are not here say of themselves.

use crate::{DeviceCaps, DeviceKind, FloatSupport, ImageLimits, IntegerUnits};

/// Returns a GPU of these texts with the least that OpenCL 1.2 asks.
pub fn gpu(platform: &str, name: &str, vendor: &str, version: &str) -> DeviceCaps {
    DeviceCaps {
        platform: platform.into(),
        platform_version: "OpenCL 2.0".into(),
        name: name.into(),
        vendor: vendor.into(),
        version: version.into(),
        driver_version: "1".into(),
        c_version: "OpenCL C 1.2".into(),
        kind: DeviceKind::Gpu,
        compute_units: 8,
        frequency: 800,
        global_memory: 4 << 30,
        global_cache: 1 << 20,
        max_allocation: 1 << 30,
        local_memory: 32 << 10,
        has_local_memory: true,
        max_work_group: 256,
        max_work_items: [256; 3],
        preferred_multiple: 16,
        base_alignment: 128,
        images: Some(ImageLimits { width: 16384, height: 16384 }),
        floats: FloatSupport { denormals: false, correctly_rounded_division: false, ..FloatSupport::IEEE },
        half: None,
        double: false,
        integers: IntegerUnits::Vectors,
        unified_memory: true,
        out_of_order: true,
        extensions: Default::default(),
    }
}

/// Returns a Mali-G76: denormals, no correctly rounded division, no local memory of its own.
pub fn mali() -> DeviceCaps {
    DeviceCaps {
        floats: FloatSupport { correctly_rounded_division: false, ..FloatSupport::IEEE },
        half: Some(FloatSupport { correctly_rounded_division: false, ..FloatSupport::IEEE }),
        has_local_memory: false,
        max_work_group: 384,
        max_work_items: [384; 3],
        compute_units: 12,
        extensions: ["cl_khr_fp16", "cl_khr_priority_hints", "cl_arm_integer_dot_product_int8"].map(Into::into).into(),
        ..gpu("ARM Platform", "Mali-G76", "ARM", "OpenCL 2.0 v1.r16p0")
    }
}

/// Returns an Adreno 640: no denormals, no correctly rounded division.
pub fn adreno() -> DeviceCaps {
    DeviceCaps {
        half: Some(FloatSupport { denormals: false, correctly_rounded_division: false, ..FloatSupport::IEEE }),
        max_work_group: 1024,
        max_work_items: [1024; 3],
        compute_units: 2,
        extensions: ["cl_khr_fp16", "cl_qcom_priority_hint", "cl_khr_subgroups"].map(Into::into).into(),
        ..gpu("QUALCOMM Snapdragon(TM)", "QUALCOMM Adreno(TM)", "QUALCOMM", "OpenCL 2.0 Adreno(TM) 640")
    }
}

/// Returns an H200: everything in single precision, no arithmetic in half precision.
pub fn nvidia() -> DeviceCaps {
    DeviceCaps {
        floats: FloatSupport::IEEE,
        max_work_group: 1024,
        max_work_items: [1024, 1024, 64],
        compute_units: 132,
        frequency: 1980,
        double: true,
        unified_memory: false,
        integers: IntegerUnits::ScalarsWithPairs,
        ..gpu("NVIDIA CUDA", "NVIDIA H200", "NVIDIA Corporation", "OpenCL 3.0 CUDA")
    }
}
