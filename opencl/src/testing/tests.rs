//! On a device: the right kernel agrees, wrong ones are caught, and the host's views come back as they should.

#[path = "../../../runtime/src/testing/tests/kernels.rs"]
#[allow(dead_code, unused_imports, reason = "the kernels of the processor's tests")]
mod kernels;
#[path = "../../../runtime/src/testing/tests/sources.rs"]
mod sources;

use super::{device::turn, run};
use crate::{Buffer, Context, DeviceImage, OpenClKernel};
use kernels::*;
use std::sync::Arc;
use windrow_runtime as rt;
use windrow_runtime::{
    Border, ElementType, Kernel, Scalar, Serial, TensorInfo, View, ViewMut, configure,
    reference::testing::Mode,
    testing::{Failure, Outcome, Target},
    validate::Request,
};

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
        let src = View::from_slice(&image, [9, 20]).unwrap().region([1, 3], [6, 11]).unwrap();
        let written = TensorInfo::of::<u8>(&[6, 11]).unwrap();
        let (inputs, outputs) = ([src.info()], [Some(&written)]);
        let request = Request { inputs: &inputs, outputs: &outputs, words: &[], choice: &[], border: border.into() };
        let configured = configure::<Gaussian<RIGHT>>(&request).unwrap();
        let mut here = std::vec![0xcc_u8; 15 * 7];
        let mut there = here.clone();
        fn out(memory: &mut [u8]) -> ViewMut<'_, u8> {
            ViewMut::from_slice(memory, [7, 15]).unwrap().region([1, 2], [6, 11]).unwrap()
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

#[test]
fn images_on_the_device_are_checked() {
    let _turn = turn();
    let Ok(context) = Context::open() else { return };
    let image = |element, extents: &[usize]| {
        DeviceImage::new(&context, &TensorInfo::new(element, 1, extents).unwrap()).unwrap()
    };
    let info = TensorInfo::of::<u8>(&[5, 7]).unwrap();
    let (inputs, outputs) = ([&info], [Some(&info)]);
    let request = Request { inputs: &inputs, outputs: &outputs, words: &[], choice: &[], border: Border::Wrap.into() };
    let kernel = OpenClKernel::new(&context, configure::<Gaussian<RIGHT>>(&request).unwrap()).unwrap();
    let (good, other) = (image(ElementType::U8, &[5, 7]), image(ElementType::U8, &[5, 7]));
    let read = [good.clone()];
    kernel.run_on(&read, &[], &[Some(other.clone())]).unwrap();
    let refused = |inputs: &[DeviceImage], outputs: &[Option<DeviceImage>]| {
        kernel.run_on(inputs, &[], outputs).unwrap_err().to_string()
    };
    let narrow = image(ElementType::U8, &[5, 6]);
    assert!(refused(&[narrow], &[Some(other.clone())]).contains("`src` on the device is 5×6 of u8, expected 5×7"));
    let wide = image(ElementType::U16, &[5, 7]);
    assert!(refused(&read, &[Some(wide)]).contains("`out` on the device is 5×7 of u16"));
    assert!(refused(&read, &[Some(good.clone())]).contains("`out` shares memory with `src`"));
    assert!(refused(&read, &[None]).contains("`out` is left out"));
    assert!(refused(&[], &[Some(other.clone())]).contains("found 0 inputs, the kernel takes 1"));
    assert!(kernel.with_schedule(2).unwrap_err().to_string().contains("schedule 2"));
}

#[test]
fn layouts_that_a_kernel_cannot_walk_are_refused() {
    let _turn = turn();
    let Ok(context) = Context::open() else { return };
    let buffer = Arc::new(Buffer::new(&context, 1000).unwrap());
    let layout = |offset, element: ElementType, extents: &[usize], strides: &[usize]| {
        let info = TensorInfo::with_strides(element, 1, extents, strides).unwrap();
        DeviceImage::with_layout(buffer.clone(), offset, info)
    };
    assert!(layout(0, ElementType::U8, &[3, 3, 10, 10], &[750, 250, 20, 1]).is_err());
    assert!(layout(0, ElementType::U8, &[2, 2, 10, 10], &[220, 110, 10, 1]).is_ok());
    let uneven = layout(0, ElementType::U8, &[2, 2, 10, 10], &[300, 110, 10, 1]).unwrap_err();
    assert!(uneven.to_string().contains("dimension 0 has a stride of 300 bytes"), "{uneven}");
    assert!(layout(1, ElementType::I16, &[10, 10], &[20, 2]).unwrap_err().to_string().contains("multiple of 2"));
    assert!(layout(990, ElementType::U8, &[11], &[1]).is_err());
}
