//! On a device: the right kernel agrees, wrong ones are caught, and the host's views come back as they should.

use super::kernels::*;
use crate::{
    border::Border,
    code::Kernel,
    configure::configure,
    element::Scalar,
    info::TensorInfo,
    opencl::{Context, OpenClKernel},
    schedule::Serial,
    testing::{Failure, Outcome, Target, device::turn, run},
    validate::Request,
    view::{View, ViewMut},
};
use std::{println, vec::Vec};
use windrow_reference::testing::Mode;

fn run_here<K: Kernel>() -> Option<Result<Outcome, Failure>> {
    match run::<K>(Target::OpenCl, Mode::Quick) {
        Ok(Outcome::NotRun(why)) => {
            println!("not run: {why}");
            None
        }
        outcome => Some(outcome),
    }
}

fn caught<K: Kernel>() {
    match run_here::<K>() {
        None => {}
        Some(Err(failure)) => {
            println!("{failure}");
            let honest = failure.what.contains("expected") || failure.what.contains("simulator");
            assert!(honest, "{failure}");
        }
        Some(Ok(outcome)) => panic!("not caught: {outcome:?}"),
    }
}

#[test]
fn right_kernel_agrees_on_the_device() {
    if let Some(outcome) = run_here::<Gaussian<RIGHT>>() {
        assert!(matches!(outcome, Ok(Outcome::Agreed(cases)) if cases > 80), "{outcome:?}");
    }
}

#[test]
fn rounding_on_the_device_is_caught() {
    caught::<Gaussian<ROUNDED>>();
}

#[test]
fn wrong_schedule_on_the_device_is_caught() {
    caught::<Gaussian<SCHEDULE>>();
}

#[test]
fn wrong_border_on_the_device_is_caught() {
    caught::<Gaussian<MIRRORED>>();
}

#[test]
fn store_outside_the_window_on_the_device_is_caught() {
    caught::<Gaussian<UNGUARDED>>();
}

/// Only the simulator sees it.
#[test]
fn read_outside_a_buffer_is_reported_by_the_simulator() {
    let simulated = Context::open().is_ok_and(|context| context.device().platform.contains("Oclgrind"));
    if simulated {
        caught::<Gaussian<READS_ON>>();
    }
}

/// A region of an image, under an undefined border: only the inner elements of the region are written.
#[test]
fn views_of_the_host_are_written_in_the_valid_region_alone() {
    let _turn = turn();
    let Ok(context) = Context::open() else { return };
    let image: Vec<u8> = (0..20 * 9).map(|place| (place * 37 % 251) as u8).collect();
    for border in [Border::Undefined, Border::Constant(Scalar::U8(9)), Border::Wrap] {
        let src = View::from_slice(&image, [20, 9]).unwrap().region([3, 1], [11, 6]).unwrap();
        let written = TensorInfo::of::<u8>(&[11, 6]).unwrap();
        let (inputs, outputs) = ([src.info()], [Some(&written)]);
        let request = Request { inputs: &inputs, outputs: &outputs, words: &[], choice: &[], border };
        let configured = configure::<Gaussian<RIGHT>>(&request).unwrap();
        let mut here = std::vec![0xcc_u8; 15 * 7];
        let mut there = here.clone();
        fn out(memory: &mut [u8]) -> ViewMut<'_, u8> {
            ViewMut::from_slice(memory, [15, 7]).unwrap().region([2, 1], [11, 6]).unwrap()
        }
        configured.run(&Serial, src, out(&mut here)).unwrap();
        let kernel = OpenClKernel::new(&context, configured).unwrap();
        assert_eq!(kernel.schedules().collect::<Vec<_>>(), [(2, 2), (1, 1)]);
        kernel.run(src, out(&mut there)).unwrap();
        assert_eq!(here, there, "{border:?}");
        there.fill(0xcc);
        kernel.with_schedule(1).unwrap().run(src, out(&mut there)).unwrap();
        assert_eq!(here, there, "{border:?}");
    }
}
