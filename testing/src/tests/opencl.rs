//! On a device: the right kernel agrees, wrong ones are caught, and the host's views come back as they should.

use super::kernels::*;
use super::rt::{
    Border, ElementType, Kernel, Rect, Scalar, Serial, Tensor, TensorInfo, ValidRegion, View, ViewMut, configure,
    dtype::DType, validate::Request,
};
use crate::{BenchOptions, Failure, Outcome, Target, WayTimes, bench, opencl::turn, run};
use std::{sync::Arc, time::Duration};
use windrow_opencl::{Buffer, Context, DeviceImage, OpenClKernel, Submission};
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
        let src = View::from_slice(&image, [9, 20]).unwrap().region([1, 3], [6, 11]).unwrap();
        let written = TensorInfo::of::<u8>(&[6, 11]).unwrap();
        let (inputs, outputs) = ([src.info()], [Some(&written)]);
        let request = Request { inputs: &inputs, outputs: &outputs, words: &[], choice: &[], border: border.into() };
        let configured = configure::<Gaussian<RIGHT>>(&request).unwrap();
        let mut here = vec![0xcc_u8; 15 * 7];
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
    let layout = |offset, element: ElementType, extents: &[usize], strides: &[isize]| {
        let info = TensorInfo::with_strides(element, 1, extents, strides).unwrap();
        DeviceImage::with_layout(buffer.clone(), offset, info)
    };
    assert!(layout(0, ElementType::U8, &[3, 3, 10, 10], &[750, 250, 20, 1]).is_err());
    assert!(layout(0, ElementType::U8, &[2, 2, 10, 10], &[220, 110, 10, 1]).is_ok());
    let uneven = layout(0, ElementType::U8, &[2, 2, 10, 10], &[300, 110, 10, 1]).unwrap_err();
    assert!(uneven.to_string().contains("dimension 0 has a stride of 300 bytes"), "{uneven}");
    assert!(layout(1, ElementType::I16, &[10, 10], &[20, 2]).unwrap_err().to_string().contains("multiple of 2"));
    assert!(layout(990, ElementType::U8, &[11], &[1]).is_err());
    for (strides, found) in [([-10, 1], "dimension 0 has a stride of -10"), ([30, 3], "dimension 1 has a stride of 3")]
    {
        let refused = layout(0, ElementType::U8, &[10, 10], &strides).unwrap_err().to_string();
        assert!(refused.contains(found), "{refused}");
    }
    assert!(layout(0, ElementType::U8, &[10, 10], &[0, 1]).is_err());
    let flags = DeviceImage::new(&context, &TensorInfo::new(DType::Bool, 1, &[2]).unwrap()).unwrap_err();
    assert!(flags.to_string().contains("found bool"), "{flags}");
}

/// Rows from the bottom up, from right to left, repeated, of single channels: what the library can't move as it lies.
#[test]
fn views_of_any_strides_go_to_a_device_and_back() {
    let _turn = turn();
    let Ok(context) = Context::open() else { return };
    let photo = Tensor::<[u8; 3]>::from_fn([5, 7], |[y, x]| [(40 * y + x) as u8, x as u8, y as u8]).unwrap();
    let green = photo.view().channel(1).unwrap();
    let views = [
        green,
        photo.view().channel(0).unwrap().flip(0).unwrap(),
        photo.view().channel(0).unwrap().flip(1).unwrap(),
        green.region([2, 0], [1, 7]).unwrap().broadcast_to([5, 7]).unwrap(),
    ];
    for view in views {
        let image = DeviceImage::upload(&context, &view.any()).unwrap();
        let mut back = Tensor::<u8>::new([5, 7]).unwrap();
        image.download(&ValidRegion::whole(back.shape()), &mut back.view_mut().any()).unwrap();
        assert_eq!(back.to_vec(), view.to_vec());
    }
    // Back into one channel, flipped: the others stay as they are.
    let mut written = photo.clone();
    let red = Tensor::<u8>::from_fn([5, 7], |[y, x]| (100 + 9 * y + x) as u8).unwrap();
    let image = DeviceImage::upload(&context, &red.view().any()).unwrap();
    let part = ValidRegion::new(Rect::new(1, 1, 6, 4), red.shape());
    let target = written.view_mut().channel(0).unwrap().flip(0).unwrap().flip(1).unwrap();
    image.download(&part, &mut target.any()).unwrap();
    for (y, x) in (0..5).flat_map(|y| (0..7).map(move |x| (y, x))) {
        let [first, second, third] = photo.view().get([y, x]).unwrap();
        let (v, u) = (4 - y, 6 - x);
        let first = if part.contains(&[v, u]) { red.view().get([v, u]).unwrap() } else { first };
        assert_eq!(written.view().get([y, x]), Some([first, second, third]), "{y} {x}");
    }
    let tensor = TensorInfo::with_strides(ElementType::U8, 1, &[5, 7], &[7, -1]).unwrap();
    let refused = image.submit_write(&Submission::on(context.queue()), Tensor::<u8>::with_info(tensor).unwrap());
    assert!(refused.is_err_and(|error| error.to_string().contains("a stride of -1 bytes")));
}

#[test]
fn a_kernel_is_timed_on_the_device_once_its_result_is_right() {
    let options = BenchOptions { width: 61, height: 17, rounds: 3, budget: Duration::ZERO };
    let on_device = |ways: Vec<WayTimes>| ways.into_iter().find(|way| way.name.starts_with("OpenCL on "));
    let right = on_device(bench::<Gaussian<RIGHT>>(&options).unwrap().ways);
    let wrong = on_device(bench::<Gaussian<ROUNDED>>(&options).unwrap().ways);
    let (Some(right), Some(wrong)) = (right, wrong) else {
        println!("not run: no device");
        return;
    };
    assert_eq!(right.times.map(|times| times.len()), Ok(3));
    assert!(wrong.times.is_err_and(|why| why.starts_with("differs from the author's function: ")));
}
