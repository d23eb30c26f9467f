//! Devices that are here, and devices that are only recorded.

use super::*;
use crate::testing::recorded::{adreno, gpu, mali, nvidia};

fn class(name: &str, vendor: &str, version: &str) -> (DeviceFamily, Level) {
    classify(&gpu("platform", name, vendor, version))
}

#[test]
fn recorded_devices_have_their_family_and_level() {
    use MaliGeneration::*;
    let rows = [
        ("Mali-T628", "ARM", "OpenCL 1.1", DeviceFamily::Mali(Midgard), Level::Low),
        ("Mali-T880", "ARM", "OpenCL 1.2", DeviceFamily::Mali(Midgard), Level::Medium),
        ("Mali-G31", "ARM", "OpenCL 2.0", DeviceFamily::Mali(Bifrost), Level::Low),
        ("Mali-G52 r1", "ARM", "OpenCL 2.0", DeviceFamily::Mali(Bifrost), Level::Low),
        ("Mali-G72", "ARM", "OpenCL 2.0", DeviceFamily::Mali(Bifrost), Level::Medium),
        ("Mali-G76", "ARM", "OpenCL 2.0", DeviceFamily::Mali(Bifrost), Level::Top),
        ("Mali-G57 r0p1", "ARM", "OpenCL 2.1", DeviceFamily::Mali(Valhall), Level::Medium),
        ("Mali-G78", "ARM", "OpenCL 3.0", DeviceFamily::Mali(Valhall), Level::Top),
        ("Mali-G710", "ARM", "OpenCL 3.0", DeviceFamily::Mali(Valhall), Level::Top),
        ("Mali-G720-Immortalis", "ARM", "OpenCL 3.0", DeviceFamily::Mali(FifthGeneration), Level::Top),
        ("Immortalis-G925", "ARM", "OpenCL 3.0", DeviceFamily::Mali(FifthGeneration), Level::Top),
        ("Mali-400", "ARM", "OpenCL 1.1", DeviceFamily::Mali(Unknown), Level::Unknown),
        ("NVIDIA H200", "NVIDIA Corporation", "OpenCL 3.0 CUDA", DeviceFamily::Nvidia, Level::Top),
        ("gfx1030", "Advanced Micro Devices, Inc.", "OpenCL 2.0", DeviceFamily::Amd, Level::Top),
        ("Intel(R) UHD Graphics 630", "Intel(R) Corporation", "OpenCL 3.0 NEO", DeviceFamily::Intel, Level::Medium),
        ("VideoCore IV", "Broadcom", "OpenCL 1.2", DeviceFamily::Other, Level::Unknown),
    ];
    for (name, vendor, version, family, level) in rows {
        assert_eq!(class(name, vendor, version), (family, level), "{name}");
    }
}

#[test]
fn numbers_of_adrenos_are_compared_as_numbers() {
    let adreno = |version: &str| class("QUALCOMM Adreno(TM)", "QUALCOMM", version);
    assert_eq!(adreno("OpenCL 2.0 Adreno(TM) 505"), (DeviceFamily::Adreno { model: 505 }, Level::Low));
    assert_eq!(adreno("OpenCL 2.0 Adreno(TM) 540"), (DeviceFamily::Adreno { model: 540 }, Level::Medium));
    assert_eq!(adreno("OpenCL 2.0 Adreno(TM) 640"), (DeviceFamily::Adreno { model: 640 }, Level::Top));
    // As text, 1000 would stand before 512.
    assert_eq!(adreno("OpenCL 3.0 Adreno(TM) 1000"), (DeviceFamily::Adreno { model: 1000 }, Level::Top));
    assert_eq!(class("QUALCOMM Adreno(TM) 730", "QUALCOMM", "").0, DeviceFamily::Adreno { model: 730 });
    assert_eq!(adreno("OpenCL 3.0"), (DeviceFamily::Adreno { model: 0 }, Level::Unknown));
}

#[test]
fn caps_are_written_and_read_back() {
    for caps in [mali(), adreno(), nvidia()] {
        let text = serde_json::to_string(&caps).unwrap();
        assert_eq!(serde_json::from_str::<DeviceCaps>(&text).unwrap(), caps);
    }
    assert_eq!((mali().opencl(), nvidia().opencl()), ((2, 0), (3, 0)));
    assert!(mali().dot_product() && !adreno().dot_product() && adreno().subgroups());
    assert!(nvidia().estimated_flops() > 10.0 * mali().estimated_flops());
}

#[test]
fn this_device_says_what_it_is() {
    let Ok(devices) = Devices::find() else { return };
    for device in &devices {
        assert!(!device.name.is_empty() && !device.driver_version.is_empty() && device.opencl() >= (1, 1));
        assert!(device.compute_units > 0 && device.max_work_group > 0 && device.max_allocation > 0);
        assert!(device.base_alignment.is_power_of_two(), "{}", device.base_alignment);
        if device.kind == DeviceKind::Cpu {
            assert_eq!(device.family(), DeviceFamily::Cpu);
        }
    }
}

#[test]
fn device_is_picked_by_each_choice_or_refused() {
    let Ok(devices) = Devices::find() else { return };
    let first = devices.by_index(0).unwrap();
    let picked = |choice: DeviceChoice| devices.pick(&choice).map(|device| device.index);
    assert_eq!(picked(DeviceChoice::Exact { platform: 0, device: 0 }), Ok(0));
    assert_eq!(picked(DeviceChoice::Only(first.kind)), Ok(0));
    assert!(picked(DeviceChoice::Prefer(DeviceKind::Custom)).is_ok());
    let refused = [
        DeviceChoice::Exact { platform: 0, device: 99 },
        DeviceChoice::Exact { platform: 99, device: 0 },
        DeviceChoice::Index(99),
        DeviceChoice::Only(DeviceKind::Custom),
        DeviceChoice::Name("no such device".into()),
    ];
    for choice in refused {
        let error = devices.pick(&choice).unwrap_err();
        assert!(error.is_absence() && error.to_string().contains(&choice.to_string()), "{error}");
    }
    let labels: Vec<_> = devices.iter().map(ToString::to_string).collect();
    assert_eq!(devices.by_name(&labels[0].to_uppercase()).unwrap().index, 0);
}
