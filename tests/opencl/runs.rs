//! What a second run costs, what shapes and layouts it takes, and what a failed call leaves.

use crate::case::{Case, contexts, devices, distance, read};
use std::sync::Arc;
use windrow::{
    Tensor,
    opencl::{Buffer, Call, Context, DeviceImage, Driver, DriverError, OpenClError, OpenClKernel},
};

#[test]
fn second_run_only_enqueues() {
    for context in contexts() {
        let case = Case::new([6, 40], [1, 40]);
        let kernel = OpenClKernel::new(&context, case.configured()).unwrap();
        let inputs = case.upload(&context);
        let outputs = [Some(DeviceImage::new(&context, case.a.info()).unwrap())];
        kernel.run_on(&inputs, &[], &outputs).unwrap();
        context.sync().unwrap();
        let before = context.driver().counters();
        kernel.run_on(&inputs, &[], &outputs).unwrap();
        let second = context.driver().counters().since(&before);
        assert_eq!((second.builds(), second.allocations(), second.transfers(), second.launches()), (0, 0, 0, 1));
        assert_eq!(second.calls(Call::SetKernelArgument), 0);
        let all: u64 = Call::ALL.iter().map(|call| second.calls(*call)).sum();
        assert_eq!(all, 2, "a launch and a flush");
        assert_eq!(read(outputs[0].as_ref().unwrap()), case.expected);
    }
}

#[test]
fn second_run_on_the_hosts_images_moves_them_and_no_more() {
    for context in contexts() {
        let case = Case::new([6, 40], [1, 40]);
        let kernel = OpenClKernel::new(&context, case.configured()).unwrap();
        let mut out = Tensor::<u8>::new([6, 40]).unwrap();
        let mut run = || kernel.run((case.a.view(), case.b.view(), case.level.view()), out.view_mut()).unwrap();
        run();
        let before = context.driver().counters();
        run();
        let second = context.driver().counters().since(&before);
        assert_eq!((second.builds(), second.allocations(), second.transfers(), second.launches()), (0, 0, 4, 1));
        assert_eq!(out.to_vec(), case.expected);
    }
}

#[test]
fn images_of_one_row_column_or_element_repeat_on_the_device() {
    for context in contexts() {
        for extents in [[6, 40], [5, 1], [1, 37]] {
            for level in [[extents[0], 1], [1, extents[1]], [1, 1], extents] {
                let case = Case::new(extents, level);
                let kernel = OpenClKernel::new(&context, case.configured()).unwrap();
                let inputs = case.upload(&context);
                let outputs = [Some(DeviceImage::new(&context, case.a.info()).unwrap())];
                for _ in 0..2 {
                    kernel.run_on(&inputs, &[], &outputs).unwrap();
                    assert_eq!(read(outputs[0].as_ref().unwrap()), case.expected, "{level:?} for {extents:?}");
                }
                let before = context.driver().counters();
                kernel.run_on(&inputs, &[], &outputs).unwrap();
                let since = context.driver().counters().since(&before);
                assert_eq!((since.allocations(), since.transfers()), (0, 0));
            }
        }
    }
}

/// The library's copies of rectangles are between blocks: PoCL crashes on those between parts of blocks.
#[test]
fn images_in_parts_of_buffers_repeat_on_the_device() {
    for context in contexts() {
        for level in [[6, 1], [1, 1]] {
            let case = Case::new([6, 40], level);
            let kernel = OpenClKernel::new(&context, case.configured()).unwrap();
            let [a, b, _] = case.upload(&context);
            let alignment = context.device().base_alignment as usize;
            let whole = Arc::new(Buffer::new(&context, 4 * alignment).unwrap());
            // The part doesn't begin where the block does, nor the image where the part does.
            let part = Arc::new(whole.part(alignment, alignment).unwrap());
            let column = DeviceImage::with_layout(part, 3, *case.level.info()).unwrap();
            column.write(&case.level.view().any()).unwrap();
            let out = DeviceImage::new(&context, case.a.info()).unwrap();
            kernel.run_on(&[a, b, column], &[], &[Some(out.clone())]).unwrap();
            assert_eq!(read(&out), case.expected, "{level:?}");
        }
    }
}

#[test]
fn another_shape_takes_the_same_program_and_equals_a_fresh_kernel() {
    for context in contexts() {
        let cases = [Case::new([6, 40], [6, 40]), Case::new([9, 23], [1, 23])];
        let mut kernel = OpenClKernel::new(&context, cases[0].configured()).unwrap();
        let images = [&cases[0], &cases[1]]
            .map(|case| (case.upload(&context), [Some(DeviceImage::new(&context, case.a.info()).unwrap())]));
        let round = |kernel: &mut OpenClKernel<distance>, k: usize| {
            kernel.reconfigure(cases[k].configured()).unwrap();
            kernel.run_on(&images[k].0, &[], &images[k].1).unwrap();
        };
        (0..2).for_each(|k| round(&mut kernel, k));
        context.sync().unwrap();
        let before = context.driver().counters();
        for turn in 0..1000 {
            round(&mut kernel, turn % 2);
        }
        context.sync().unwrap();
        let since = context.driver().counters().since(&before);
        assert_eq!((since.builds(), since.allocations(), since.live()), (0, 0, 0));
        for (case, (_, outputs)) in cases.iter().zip(&images) {
            assert_eq!(read(outputs[0].as_ref().unwrap()), case.expected);
        }
    }
}

#[test]
fn layouts_with_gaps_and_offsets_run_as_they_are() {
    for context in contexts() {
        let case = Case::new([6, 40], [6, 40]);
        let kernel = OpenClKernel::new(&context, case.configured()).unwrap();
        let padded = |host: &Tensor<u8>, row: usize, offset: usize| {
            let info =
                windrow::TensorInfo::with_strides(windrow::ElementType::U8, 1, &[6, 40], &[row as isize, 1]).unwrap();
            let buffer = Buffer::from_bytes(&context, &vec![0xAB; offset + row * 6]).unwrap();
            let image = DeviceImage::with_layout(buffer.into(), offset, info).unwrap();
            image.write(&host.view().any()).unwrap();
            image
        };
        let inputs = [padded(&case.a, 64, 5), padded(&case.b, 41, 0), padded(&case.level, 40, 17)];
        let out = padded(&case.a, 50, 3);
        let before = context.driver().counters();
        kernel.run_on(&inputs, &[], &[Some(out.clone())]).unwrap();
        let since = context.driver().counters().since(&before);
        assert_eq!((since.transfers(), since.launches()), (0, 1), "nothing is packed");
        assert_eq!(read(&out), case.expected);
        let mut bytes = vec![0; out.buffer().len()];
        out.buffer().read(0, &mut bytes).unwrap();
        let gaps = (0..6).flat_map(|y| 3 + y * 50 + 40..(3 + (y + 1) * 50).min(303)).chain(0..3);
        assert!(gaps.into_iter().all(|at| bytes[at] == 0xAB), "gaps stay as they are");
        // A part of a larger image on the device, read back into a part of one on the host.
        let part = out.region(&[2, 7], &[3, 20]).unwrap();
        let expected: Vec<u8> = (2..5).flat_map(|y| case.expected[y * 40 + 7..y * 40 + 27].to_vec()).collect();
        assert_eq!(read(&part), expected);
    }
}

#[test]
fn failure_of_a_call_leaves_a_kernel_that_runs() {
    for device in devices() {
        let driver = Driver::new();
        let context = Context::with_driver(&driver, &device).unwrap();
        let case = Case::new([2, 8], [2, 8]);
        let kernel = OpenClKernel::new(&context, case.configured()).unwrap();
        let mut out = Tensor::<u8>::new([2, 8]).unwrap();
        let mut run = || kernel.run((case.a.view(), case.b.view(), case.level.view()), out.view_mut());
        let calls = [Call::CreateBuffer, Call::WriteBuffer, Call::SetKernelArgument, Call::LaunchKernel, Call::Flush];
        for call in calls.into_iter().chain([Call::ReadBuffer]) {
            for after in 0..3 {
                driver.fail(call, after, -5);
                let failed = run();
                if !driver.is_failure_pending() {
                    assert!(
                        matches!(failed, Err(OpenClError::Driver(DriverError::Call { call: found, .. })) if found == call),
                        "{failed:?}"
                    );
                }
                driver.fail_no_more();
                run().unwrap();
            }
        }
        drop((kernel, context));
        assert_eq!((out.to_vec(), driver.counters().live()), (case.expected, 0));
    }
}
