//! Schedules with tiles in local memory: which devices and sizes they are chosen for, and the work-groups that they are written for.

use crate::case::devices;
use windrow::{
    Kernel, TensorInfo,
    opencl::{Context, Device, DeviceCaps, Driver, IllegalLocalSize, LocalSize, OpenClError, OpenClKernel},
    prelude::*,
};

/// Σ a[y, k] · b[k, x].
#[kernel]
pub fn product([y, x]: At<2>, a: View<u8>, b: View<u8>) -> u32 {
    let mut sum = 0u32;
    for k in 0..a.extents()[1] {
        sum = sum.wrapping_add(a.get([y, k]).unwrap_or(0) as u32 * b.get([k, x]).unwrap_or(0) as u32);
    }
    sum
}

const INNER: usize = 40;

/// The product for outputs of some extents, on a device with one compute unit.
fn on(device: &Device, extents: [usize; 2], has_local_memory: bool) -> OpenClKernel<product> {
    let caps = DeviceCaps { has_local_memory, compute_units: 1, max_work_group: 1024, ..(**device).clone() };
    let context = Context::with_driver(&Driver::new(), &device.with_caps(caps)).unwrap();
    let [a, b] = [[extents[0], INNER], [INNER, extents[1]]].map(|extents| TensorInfo::of::<u8>(&extents).unwrap());
    let out = TensorInfo::of::<u32>(&extents).unwrap();
    OpenClKernel::new(&context, product::configure(&a, &b, &out).unwrap()).unwrap()
}

/// The work-groups that a schedule is written for.
fn group(schedule: usize) -> Option<(u32, u32, u32)> {
    product::CODE.opencl().entries[schedule].group
}

#[test]
fn tiles_are_for_outputs_of_whole_groups_where_local_memory_is_the_devices_own() {
    for device in devices() {
        let chosen = |extents, has_local_memory| group(on(&device, extents, has_local_memory).schedule());
        assert_eq!(chosen([128, 128], true), Some((16, 8, 1)));
        assert_eq!(chosen([128, 128], false), None);
        // Most of a group would have nothing to compute.
        assert_eq!(chosen([20, 20], true), None);
    }
}

#[test]
fn what_a_schedule_with_tiles_computes_is_what_others_do() {
    for device in devices() {
        let extents = [70, 129];
        let a = Tensor::<u8>::from_fn([extents[0], INNER], |[y, k]| (y * 31 + k * 7) as u8).unwrap();
        let b = Tensor::<u8>::from_fn([INNER, extents[1]], |[k, x]| (k * 13 + x * 57) as u8).unwrap();
        let (mut expected, mut found) = (Tensor::<u32>::new(extents).unwrap(), Tensor::<u32>::new(extents).unwrap());
        let configured = product::configure(a.info(), b.info(), expected.info()).unwrap();
        configured.run_reference((a.view(), b.view()), expected.view_mut()).unwrap();
        let mut kernel = on(&device, extents, true);
        for schedule in (0..kernel.schedules().count()).filter(|schedule| group(*schedule).is_some()) {
            kernel.set_schedule(schedule).unwrap();
            kernel.run((a.view(), b.view()), found.view_mut()).unwrap();
            assert_eq!(found.to_vec(), expected.to_vec(), "schedule {schedule}");
        }
    }
}

#[test]
fn other_work_groups_are_refused_by_name() {
    for device in devices() {
        let mut kernel = on(&device, [128, 128], true);
        let tiled = kernel.schedule();
        let refused = kernel.set_local_size(LocalSize::Fixed(4, 2)).unwrap_err();
        let expected = IllegalLocalSize::Other { x: 4, y: 2, only: [16, 8, 1] };
        assert!(matches!(&refused, OpenClError::LocalSize(found) if *found == expected), "{refused}");
        let message = "this schedule is written for work-groups of 16×8×1: for 4×2, set another schedule";
        assert!(refused.to_string().contains(message), "{refused}");
        kernel.set_local_size(LocalSize::Fixed(16, 8)).unwrap();
        // A schedule for any group takes that one, and after it no schedule with tiles.
        kernel.set_schedule(0).unwrap();
        kernel.set_local_size(LocalSize::Fixed(4, 2)).unwrap();
        let refused = kernel.set_schedule(tiled).unwrap_err();
        assert!(matches!(&refused, OpenClError::LocalSize(found) if *found == expected), "{refused}");
        assert_eq!(kernel.schedule(), 0);
    }
}
