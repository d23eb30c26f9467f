//! Two OpenCL devices in one process, a context each. PoCL offers as many as it is told to, so the tests start this binary
//! again and tell it; silent where the machine has no PoCL.

use std::{env, fs, process::Command, thread};
use windrow::{
    Border, Configured, Tensor,
    opencl::{CacheFolder, Context, Device, DeviceImage, Devices, Driver, OpenClError, OpenClKernel, Recording},
    prelude::*,
};

/// Reads its neighbours: a part of a split needs rows of the others.
#[kernel(neighbourhood(x = -1..=1, y = -2..=1))]
pub fn crossed(src: Neighbourhood<u8>, level: u8) -> u8 {
    src.at(0, -2).max(src.at(0, 1)).max(src.at(-1, 0)).max(src.at(1, 0)).abs_diff(level)
}

const EXTENTS: [usize; 2] = [35, 40];
const POCL: &str = "Portable Computing Language";

fn find() -> Vec<Device> {
    match Devices::find() {
        Ok(devices) => devices.iter().filter(|device| device.platform == POCL).cloned().collect(),
        Err(error) if error.is_absence() => Vec::new(),
        Err(error) => panic!("{error}"),
    }
}

/// The images of a run, and what it gives.
struct Case {
    src: Tensor<u8>,
    level: Tensor<u8>,
    configured: Configured<crossed>,
    expected: Vec<u8>,
}

impl Case {
    fn new() -> Self {
        let [src, level] = [(31, EXTENTS), (7, [EXTENTS[0], 1])]
            .map(|(step, extents)| Tensor::from_fn(extents, |[y, x]| (x * step + y * 57 + x * y % 7) as u8).unwrap());
        let mut out = Tensor::<u8>::new(EXTENTS).unwrap();
        let configured = crossed::configure(src.info(), level.info(), out.info(), Border::Reflect101).unwrap();
        configured.run_reference((src.view(), level.view()), out.view_mut()).unwrap();
        Self { src, level, configured, expected: out.to_vec() }
    }

    fn run(&self, kernel: &OpenClKernel<crossed>) -> Vec<u8> {
        let mut out = Tensor::<u8>::new(EXTENTS).unwrap();
        kernel.run((self.src.view(), self.level.view()), out.view_mut()).unwrap();
        out.to_vec()
    }
}

/// Starts this binary again, where PoCL offers these devices.
fn again(devices: &str) {
    if find().is_empty() {
        return eprintln!("not run: no PoCL");
    }
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", "works_on_both", "--ignored", "--nocapture"]).env("POCL_DEVICES", devices);
    let output = command.output().unwrap();
    let printed = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(output.status.success() && printed.contains("1 passed"), "{devices}: {printed}");
}

#[test]
fn two_kinds_of_device_work_at_once() {
    again("basic pthread");
}

#[test]
fn two_devices_of_one_kind_work_at_once() {
    again("pthread pthread");
}

/// In a process of its own, with two devices.
#[test]
#[ignore = "the other tests run it, each with devices of its own"]
fn works_on_both() {
    let devices = find();
    let [one, other] = devices.as_slice() else { panic!("{} devices", devices.len()) };
    let contexts = [one, other].map(|device| Context::with_driver(&Driver::new(), device).unwrap());
    let case = Case::new();
    programs_are_kept_for_each(&contexts, &case);
    both_run_at_once(&contexts, &case);
    images_of_the_other_are_refused(&contexts, &case);
    let drivers = contexts.each_ref().map(|context| context.driver().clone());
    drop(contexts);
    assert_eq!(drivers.map(|driver| driver.counters().live()), [0, 0]);
}

/// A record for each identity: devices that say the same of themselves, and have the same driver, share theirs.
fn programs_are_kept_for_each(contexts: &[Context; 2], case: &Case) {
    let place = tempfile::tempdir().unwrap();
    for context in contexts {
        context.programs().set_folder(Some(CacheFolder::open(place.path()).unwrap()));
        OpenClKernel::new(context, case.configured.clone()).unwrap();
    }
    let [one, other] = contexts.each_ref().map(|context| context.programs().report());
    let is_same = contexts[0].programs().identity() == contexts[1].programs().identity();
    let expected = if is_same { (1, 0, 1) } else { (2, 1, 0) };
    let records = fs::read_dir(place.path()).unwrap().count();
    assert_eq!((records, other.builds, other.from_folder), expected, "{other:?}");
    assert_eq!((one.builds, one.rejected.len(), other.rejected.len()), (1, 0, 0));
    for context in contexts {
        context.programs().set_folder(None);
    }
}

fn both_run_at_once(contexts: &[Context; 2], case: &Case) {
    thread::scope(|scope| {
        for context in contexts {
            scope.spawn(move || {
                let kernel = OpenClKernel::new(context, case.configured.clone()).unwrap();
                for _ in 0..20 {
                    assert_eq!(case.run(&kernel), case.expected, "{}", context.device());
                }
            });
        }
    });
}

fn images_of_the_other_are_refused(contexts: &[Context; 2], case: &Case) {
    let [ours, theirs] = contexts;
    let upload = |context: &Context, image: &Tensor<u8>| DeviceImage::upload(context, &image.view().any()).unwrap();
    let out = |context: &Context| [Some(DeviceImage::new(context, case.src.info()).unwrap())];
    let kernel = OpenClKernel::new(ours, case.configured.clone()).unwrap();
    let good = [upload(ours, &case.src), upload(ours, &case.level)];
    let refused = |result: Result<(), OpenClError>, expected: &str| {
        let Err(OpenClError::Foreign { argument, .. }) = result else { panic!("{result:?}") };
        assert_eq!(argument, expected);
    };
    refused(kernel.run_on(&[upload(theirs, &case.src), good[1].clone()], &[], &out(ours)), "`src`");
    refused(kernel.run_on(&good, &[], &out(theirs)), "`out`");
    refused(Recording::new(theirs).add(&kernel, &good, &[], &out(ours)), "the kernel");
    kernel.run_on(&good, &[], &out(ours)).unwrap();
    ours.sync().unwrap();
}
