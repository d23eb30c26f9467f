//! Kernels on OpenCL devices: what a second run costs, queues and events, layouts, mapping, recordings. Silent where the
//! machine has no device.

use windrow::{
    Border, Serial, Tensor, ValidRegion,
    opencl::{
        Access, Buffer, Call, Context, ContextOptions, Device, DeviceImage, Devices, Driver, Event, Flush, Gate, Hint,
        Numerics, OpenClError, OpenClKernel, QueueOptions, Recording, SplitKernel, Submission, recorded, validate,
    },
    prelude::*,
};

/// The distance of two elements, and a level that repeats.
#[kernel]
pub fn distance(a: u8, b: u8, level: u8) -> u8 {
    a.abs_diff(b).max(level)
}

/// Adds in place.
#[kernel]
pub fn add_to(#[inout] sum: u8, #[uniform] by: u8) -> u8 {
    sum.wrapping_add(by)
}

fn image(seed: usize, extents: [usize; 2]) -> Tensor<u8> {
    Tensor::from_fn(extents, |x, y, _| (x * 31 + y * 57 + seed * 101 + (x * y) % 7) as u8).unwrap()
}

fn devices() -> Vec<Device> {
    match Devices::find() {
        Ok(devices) => devices.iter().cloned().collect(),
        Err(error) if error.is_absence() => {
            eprintln!("not run: {error}");
            Vec::new()
        }
        Err(error) => panic!("{error}"),
    }
}

fn contexts() -> Vec<Context> {
    devices().iter().map(|device| Context::with_driver(&Driver::new(), device).unwrap()).collect()
}

/// Those whose driver lets the host end an event: PoCL's `basic` device locks up in `clSetUserEventStatus`.
fn contexts_with_gates() -> Vec<Context> {
    contexts().into_iter().filter(|context| !context.device().name.starts_with("basic")).collect()
}

/// The arguments of [`distance`] on the host, and what it gives.
struct Case {
    a: Tensor<u8>,
    b: Tensor<u8>,
    level: Tensor<u8>,
    expected: Vec<u8>,
}

impl Case {
    fn new(extents: [usize; 2], level: [usize; 2]) -> Self {
        let [a, b, level] = [image(1, extents), image(2, extents), image(3, level)];
        let mut out = Tensor::new(extents).unwrap();
        configured(&a, &b, &level).run_reference((a.view(), b.view(), level.view()), out.view_mut()).unwrap();
        let expected = out.to_vec();
        Self { a, b, level, expected }
    }

    fn configured(&self) -> windrow::Configured<distance> {
        configured(&self.a, &self.b, &self.level)
    }

    fn upload(&self, context: &Context) -> [DeviceImage; 3] {
        [&self.a, &self.b, &self.level].map(|image| DeviceImage::upload(context, &image.view().any()).unwrap())
    }
}

fn configured(a: &Tensor<u8>, b: &Tensor<u8>, level: &Tensor<u8>) -> windrow::Configured<distance> {
    distance::configure(a.info(), b.info(), level.info(), a.info()).unwrap()
}

fn read(image: &DeviceImage) -> Vec<u8> {
    let shape = image.info().shape();
    let mut out = Tensor::<u8>::new([shape.width(), shape.height()]).unwrap();
    image.download(&ValidRegion::whole(shape), &mut out.view_mut().any()).unwrap();
    out.to_vec()
}

#[test]
fn second_run_only_enqueues() {
    for context in contexts() {
        let case = Case::new([40, 6], [40, 1]);
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
        let case = Case::new([40, 6], [40, 1]);
        let kernel = OpenClKernel::new(&context, case.configured()).unwrap();
        let mut out = Tensor::<u8>::new([40, 6]).unwrap();
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
        for extents in [[40, 6], [1, 5], [37, 1]] {
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

#[test]
fn another_shape_takes_the_same_program_and_equals_a_fresh_kernel() {
    for context in contexts() {
        let cases = [Case::new([40, 6], [40, 6]), Case::new([23, 9], [23, 1])];
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
        let case = Case::new([40, 6], [40, 6]);
        let kernel = OpenClKernel::new(&context, case.configured()).unwrap();
        let padded = |host: &Tensor<u8>, row: usize, offset: usize| {
            let info = windrow::TensorInfo::with_strides(windrow::ElementType::U8, 1, &[40, 6], &[1, row]).unwrap();
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
        let part = out.region(&[7, 2], &[20, 3]).unwrap();
        let expected: Vec<u8> = (2..5).flat_map(|y| case.expected[y * 40 + 7..y * 40 + 27].to_vec()).collect();
        assert_eq!(read(&part), expected);
    }
}

#[test]
fn queues_are_ordered_by_events() {
    for context in contexts_with_gates() {
        let case = Case::new([40, 6], [40, 6]);
        let kernel = OpenClKernel::new(&context, case.configured()).unwrap();
        let (info, whole) = (*case.a.info(), ValidRegion::whole(case.a.shape()));
        let [a, out] = [(); 2].map(|()| DeviceImage::new(&context, &info).unwrap());
        let [_, b, level] = case.upload(&context);
        let unordered = context.device().out_of_order;
        for (transfers, kernels) in [(false, false), (unordered, unordered)] {
            let queue = |out_of_order| context.new_queue(QueueOptions { out_of_order, ..Default::default() }).unwrap();
            let (transfers, kernels) = (queue(transfers), queue(kernels));
            let gate = Gate::new(&context).unwrap();
            let start = [gate.event().clone()];
            let written = a.submit_write(&Submission::after(&transfers, &start), case.a.clone()).unwrap();
            let after = [written.event().clone()];
            let inputs = [a.clone(), b.clone(), level.clone()];
            let done = kernel.submit(&Submission::after(&kernels, &after), &inputs, &[], &[Some(out.clone())]).unwrap();
            let after = [done.clone()];
            let back = Tensor::<u8>::new([40, 6]).unwrap();
            let back = out.submit_read(&Submission::after(&transfers, &after), &whole, back).unwrap();
            assert!(!back.is_done().unwrap() && !done.is_done().unwrap(), "nothing starts before the gate opens");
            gate.open().unwrap();
            assert_eq!(back.wait().unwrap().to_vec(), case.expected);
            assert_eq!(written.wait().unwrap().to_vec(), case.a.to_vec());
            assert!(done.is_done().unwrap());
        }
    }
}

#[test]
fn events_are_futures() {
    struct Unpark(std::thread::Thread);
    impl std::task::Wake for Unpark {
        fn wake(self: std::sync::Arc<Self>) {
            self.0.unpark();
        }
    }
    fn block_on<T>(future: impl Future<Output = T>) -> T {
        let waker = std::sync::Arc::new(Unpark(std::thread::current())).into();
        let mut future = std::pin::pin!(future);
        loop {
            match future.as_mut().poll(&mut std::task::Context::from_waker(&waker)) {
                std::task::Poll::Ready(value) => return value,
                std::task::Poll::Pending => std::thread::park(),
            }
        }
    }
    for context in contexts_with_gates() {
        let case = Case::new([40, 6], [40, 6]);
        let kernel = OpenClKernel::new(&context, case.configured()).unwrap();
        let inputs = case.upload(&context);
        let out = DeviceImage::new(&context, case.a.info()).unwrap();
        let lazy = context.new_queue(QueueOptions { flush: Flush::OnWait, ..Default::default() }).unwrap();
        let gate = Gate::new(&context).unwrap();
        let start = [gate.event().clone()];
        let done = kernel.submit(&Submission::after(&lazy, &start), &inputs, &[], &[Some(out.clone())]).unwrap();
        let opener = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(20));
            gate.open().unwrap();
        });
        block_on(async { (done.clone().await, done.clone().await) }).0.unwrap();
        opener.join().unwrap();
        let whole = ValidRegion::whole(case.a.shape());
        let back = out.submit_read(&Submission::on(&lazy), &whole, Tensor::<u8>::new([40, 6]).unwrap()).unwrap();
        assert_eq!(block_on(back.into_future()).unwrap().to_vec(), case.expected);
    }
}

#[test]
fn abandoned_gate_fails_what_waits_for_it() {
    for context in contexts_with_gates() {
        let queue = context.new_queue(QueueOptions::default()).unwrap();
        let gate = Gate::new(&context).unwrap();
        let event = gate.event().clone();
        drop(gate);
        assert!(event.is_done().is_err());
        drop(queue);
    }
}

#[test]
fn flushes_follow_the_policy() {
    for context in contexts() {
        let case = Case::new([8, 2], [8, 2]);
        let kernel = OpenClKernel::new(&context, case.configured()).unwrap();
        let (inputs, out) = (case.upload(&context), [Some(DeviceImage::new(&context, case.a.info()).unwrap())]);
        for (flush, expected) in [(Flush::EachLaunch, 6), (Flush::Every(4), 1), (Flush::OnWait, 0)] {
            let queue = context.new_queue(QueueOptions { flush, ..Default::default() }).unwrap();
            let before = context.driver().counters();
            for _ in 0..6 {
                drop(kernel.submit(&Submission::on(&queue), &inputs, &[], &out).unwrap());
            }
            queue.sync().unwrap();
            assert_eq!(context.driver().counters().since(&before).calls(Call::Flush), expected, "{flush:?}");
        }
    }
}

#[test]
fn mapped_image_is_the_hosts_alone() {
    for context in contexts() {
        let case = Case::new([40, 6], [40, 6]);
        let kernel = OpenClKernel::new(&context, case.configured()).unwrap();
        let inputs = case.upload(&context);
        let out = DeviceImage::new(&context, case.a.info()).unwrap();
        let outputs = [Some(out.clone())];
        // The host computes into the device's memory, and the device goes on from there.
        let mut mapped = inputs[0].map(Access::Write).unwrap();
        assert_eq!(kernel.run_on(&inputs, &[], &outputs), Err(OpenClError::Mapped { argument: "a".into() }));
        assert!(inputs[0].map(Access::Read).is_err() && inputs[0].write(&case.b.view().any()).is_err());
        let add = add_to::configure(mapped.image().info(), 1).unwrap();
        add.run(&Serial, (), mapped.view_mut().unwrap().typed::<u8>().unwrap()).unwrap();
        mapped.unmap().unwrap();
        let before = context.driver().counters();
        kernel.run_on(&inputs, &[], &outputs).unwrap();
        let mapped = out.map(Access::Read).unwrap();
        assert!(out.map(Access::Write).is_err());
        // A device may read what the host reads.
        out.map(Access::Read).unwrap().unmap().unwrap();
        let plus_one = Tensor::from_fn([40, 6], |x, y, _| case.a.view().get([x, y]).unwrap().wrapping_add(1)).unwrap();
        let mut expected = Tensor::new([40, 6]).unwrap();
        let views = (plus_one.view(), case.b.view(), case.level.view());
        case.configured().run_reference(views, expected.view_mut()).unwrap();
        assert_eq!(mapped.view().typed::<u8>().unwrap().get([39, 5]), expected.view().get([39, 5]));
        drop(mapped);
        let since = context.driver().counters().since(&before);
        assert_eq!((since.calls(Call::ReadBuffer), since.calls(Call::WriteBuffer)), (0, 0), "no copies");
        assert_eq!(read(&out), expected.to_vec());
    }
}

#[test]
fn objects_of_another_context_are_refused_by_name() {
    for device in devices() {
        let [ours, theirs] = [(); 2].map(|()| Context::new(&device).unwrap());
        let case = Case::new([8, 2], [8, 2]);
        let kernel = OpenClKernel::new(&ours, case.configured()).unwrap();
        let out = [Some(DeviceImage::new(&ours, case.a.info()).unwrap())];
        let mut inputs = case.upload(&ours);
        inputs[1] = case.upload(&theirs)[1].clone();
        let refused = |result: Result<(), OpenClError>, name: &str| {
            let Err(OpenClError::Foreign { argument, .. }) = result else { panic!("{result:?}") };
            assert_eq!(argument, name);
        };
        refused(kernel.run_on(&inputs, &[], &out), "`b`");
        let inputs = case.upload(&ours);
        refused(kernel.submit(&Submission::on(theirs.queue()), &inputs, &[], &out).map(drop), "the queue");
        let marker = [theirs.queue().marker().unwrap()];
        refused(
            kernel.submit(&Submission::after(ours.queue(), &marker), &inputs, &[], &out).map(drop),
            "an event to wait for",
        );
        refused(Recording::new(&theirs).add(&kernel, &inputs, &[], &out), "the kernel");
        kernel.run_on(&inputs, &[], &out).unwrap();
        assert_eq!(read(out[0].as_ref().unwrap()), case.expected);
    }
}

#[test]
fn callers_own_context_and_queue_are_taken() {
    for device in devices() {
        let theirs = Context::new(&device).unwrap();
        let driver = Driver::new();
        // SAFETY: both live as long as `theirs`.
        let ours = unsafe { Context::from_raw(&driver, theirs.raw(), theirs.queue().raw()) }.unwrap();
        assert!(ours.is_same(&theirs) && ours.device().name == device.name);
        let case = Case::new([8, 2], [8, 2]);
        let kernel = OpenClKernel::new(&ours, case.configured()).unwrap();
        // Objects of the one work with the other: they are of one context.
        let (inputs, out) = (case.upload(&theirs), [Some(DeviceImage::new(&ours, case.a.info()).unwrap())]);
        kernel.run_on(&inputs, &[], &out).unwrap();
        drop(theirs);
        assert_eq!(read(out[0].as_ref().unwrap()), case.expected);
        drop((kernel, inputs, out, ours));
        assert_eq!(driver.counters().live(), 0);
        let other = Context::new(&device).unwrap();
        let third = Context::new(&device).unwrap();
        // SAFETY: both are alive.
        let wrong = unsafe { Context::from_raw(&driver, other.raw(), third.queue().raw()) };
        assert!(matches!(wrong, Err(OpenClError::Foreign { .. })), "{wrong:?}");
    }
}

#[test]
fn objects_are_dropped_in_any_order() {
    for device in devices() {
        for order in 0..6 {
            let driver = Driver::new();
            let context = Context::with_driver(&driver, &device).unwrap();
            let case = Case::new([8, 2], [8, 2]);
            let kernel = OpenClKernel::new(&context, case.configured()).unwrap();
            let (inputs, out) = (case.upload(&context), [Some(DeviceImage::new(&context, case.a.info()).unwrap())]);
            let event = kernel.submit(&Submission::on(context.queue()), &inputs, &[], &out).unwrap();
            let mut parts: Vec<Box<dyn std::any::Any>> =
                vec![Box::new(context), Box::new(kernel), Box::new((inputs, out)), Box::new(event)];
            parts.rotate_left(order % 4);
            if order >= 4 {
                parts.reverse();
            }
            parts.into_iter().for_each(drop);
            assert_eq!(driver.counters().live(), 0, "order {order}");
        }
    }
}

#[test]
fn devices_work_side_by_side() {
    let case = Case::new([40, 6], [1, 6]);
    std::thread::scope(|scope| {
        for context in
            contexts().into_iter().flat_map(|context| [context.clone(), Context::new(context.device()).unwrap()])
        {
            let case = &case;
            scope.spawn(move || {
                let kernel = OpenClKernel::new(&context, case.configured()).unwrap();
                let mut out = Tensor::<u8>::new([40, 6]).unwrap();
                for _ in 0..20 {
                    kernel.run((case.a.view(), case.b.view(), case.level.view()), out.view_mut()).unwrap();
                    assert_eq!(out.to_vec(), case.expected);
                }
            });
        }
    });
}

#[test]
fn hints_are_reported() {
    for device in devices() {
        let options = ContextOptions { hints: vec![Hint::LowPriority, Hint::LowMemory], ..Default::default() };
        let context = Context::with_options(&Driver::new(), &device, &options).unwrap();
        let taken: Vec<(Hint, bool)> = context.hints().iter().map(|report| (report.hint, report.taken)).collect();
        let has_priorities = device.has("cl_khr_priority_hints") && device.opencl() >= (2, 0);
        assert_eq!(taken, [(Hint::LowPriority, has_priorities), (Hint::LowMemory, true)]);
        let both = ContextOptions { hints: vec![Hint::LowMemory, Hint::KeepMemory], ..Default::default() };
        let refused = Context::with_options(&Driver::new(), &device, &both);
        assert!(matches!(refused, Err(OpenClError::Conflict { .. })));
    }
}

/// The extension's own call, as far as the machine's driver goes: one that lacks the extension refuses the property by an
/// error of its call, nothing is lost, and without the hint it works.
#[test]
fn hint_of_a_device_that_only_seems_to_know_it_is_refused_by_the_driver() {
    for device in devices().into_iter().filter(|device| !device.has("cl_khr_priority_hints")) {
        let mut caps = device.caps.clone();
        caps.extensions.insert("cl_khr_priority_hints".into());
        if caps.opencl() < (2, 0) {
            caps.version = "OpenCL 2.0".into();
        }
        for hint in [Hint::LowPriority, Hint::HighPriority] {
            let options = ContextOptions { hints: vec![hint], ..Default::default() };
            let driver = Driver::new();
            let opened = Context::with_options(&driver, &device.pretending(caps.clone()), &options);
            assert_eq!(driver.counters().calls(Call::CreateQueueWithHints), 1);
            match opened {
                // Some drivers pass over what they don't know.
                Ok(context) => context.sync().unwrap(),
                Err(OpenClError::Call { call, .. }) => assert_eq!(call, Call::CreateQueueWithHints),
                Err(error) => panic!("{error}"),
            }
            assert_eq!(driver.counters().live(), 0);
        }
        Context::new(&device).unwrap().sync().unwrap();
    }
}

#[test]
fn replays_are_noted_as_one_launch_while_profiling_is_on() {
    for context in contexts() {
        let start = image(1, [40, 6]);
        let kernel = OpenClKernel::new(&context, add_to::configure(start.info(), 3).unwrap()).unwrap();
        let sum = DeviceImage::upload(&context, &start.view().any()).unwrap();
        let mut recording = Recording::new(&context);
        for _ in 0..5 {
            recording.add(&kernel, &[], &[], &[Some(sum.clone())]).unwrap();
        }
        let recorded = recording.finish().unwrap();
        recorded.run().unwrap();
        context.set_profiling(true).unwrap();
        // Replays and runs in turn: all of it is on one queue, in order.
        for _ in 0..2 {
            recorded.run().unwrap().wait().unwrap();
            kernel.run_on(&[], &[], &[Some(sum.clone())]).unwrap();
        }
        let profile = context.profiler().take().unwrap();
        context.set_profiling(false).unwrap();
        recorded.run().unwrap();
        let names: Vec<&str> = profile.launches.iter().map(|launch| launch.kernel.as_str()).collect();
        if recorded.is_one_command() {
            assert_eq!(names, ["recording of add_to ×5", "add_to", "recording of add_to ×5", "add_to"]);
        } else {
            assert_eq!(names, ["add_to"; 12]);
        }
        assert!(profile.launches.iter().all(|launch| launch.stamps.is_monotone()), "{profile:?}");
        assert!(profile.table().contains("add_to"));
        let added = 3u8 * (5 * 4 + 2);
        assert_eq!(read(&sum), start.to_vec().iter().map(|v| v.wrapping_add(added)).collect::<Vec<u8>>());
    }
}

#[test]
fn replay_equals_the_runs_that_were_recorded() {
    for context in contexts() {
        let start = image(1, [40, 6]);
        let add = add_to::configure(start.info(), 3).unwrap();
        let kernel = OpenClKernel::new(&context, add).unwrap();
        let sum = DeviceImage::upload(&context, &start.view().any()).unwrap();
        let record = || {
            let mut recording = Recording::new(&context);
            for _ in 0..5 {
                recording.add(&kernel, &[], &[], &[Some(sum.clone())]).unwrap();
            }
            recording
        };
        let (recorded, plain) = (record().finish().unwrap(), record().finish_plain());
        assert_eq!(recorded.is_one_command(), context.device().command_buffers());
        assert!(!plain.is_one_command() && plain.len() == 5);
        recorded.run().unwrap().wait().unwrap();
        let before = context.driver().counters();
        // One behind the other: the second may find the first still running.
        let events: Vec<Event> = (0..3).map(|_| recorded.run().unwrap()).collect();
        plain.run().unwrap().wait().unwrap();
        events.iter().for_each(|event| event.wait().unwrap());
        let since = context.driver().counters().since(&before);
        assert_eq!((since.builds(), since.allocations(), since.transfers()), (0, 0, 0));
        assert_eq!(since.calls(Call::SetKernelArgument), 0);
        let added = 5u8 * 5 * 3;
        assert_eq!(read(&sum), start.to_vec().iter().map(|v| v.wrapping_add(added)).collect::<Vec<u8>>());
    }
}

#[test]
fn failure_of_a_call_leaves_a_kernel_that_runs() {
    for device in devices() {
        let driver = Driver::new();
        let context = Context::with_driver(&driver, &device).unwrap();
        let case = Case::new([8, 2], [8, 2]);
        let kernel = OpenClKernel::new(&context, case.configured()).unwrap();
        let mut out = Tensor::<u8>::new([8, 2]).unwrap();
        let mut run = || kernel.run((case.a.view(), case.b.view(), case.level.view()), out.view_mut());
        let calls = [Call::CreateBuffer, Call::WriteBuffer, Call::SetKernelArgument, Call::LaunchKernel, Call::Flush];
        for call in calls.into_iter().chain([Call::ReadBuffer]) {
            for after in 0..3 {
                driver.fail(call, after, -5);
                let failed = run();
                if !driver.is_failure_pending() {
                    assert!(
                        matches!(failed, Err(OpenClError::Call { call: found, .. }) if found == call),
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

/// Reads its neighbours: parts of a split need rows of the other part.
#[kernel(neighbourhood(x = -1..=1, y = -2..=1))]
pub fn cross(src: Neighbourhood<u8>, level: u8) -> u8 {
    src.at(0, -2).max(src.at(0, 1)).max(src.at(-1, 0)).max(src.at(1, 0)).abs_diff(level)
}

#[test]
fn every_share_of_processor_and_device_gives_the_same() {
    let contexts = contexts();
    if contexts.is_empty() {
        return;
    }
    let (src, level) = (image(1, [40, 35]), image(2, [1, 35]));
    for border in [Border::Replicate, Border::Undefined, Border::Reflect101, Border::Wrap] {
        let out = Tensor::<u8>::new([40, 35]).unwrap();
        let configured = cross::configure(src.info(), level.info(), out.info(), border).unwrap();
        let mut expected = out.clone();
        configured.run_reference((src.view(), level.view()), expected.view_mut()).unwrap();
        let split = SplitKernel::new(&contexts[..1], &configured).unwrap();
        for sixteenths in 0..=16 {
            let mut found = out.clone();
            let shares = [f64::from(16 - sixteenths), f64::from(sixteenths)];
            split.run_shared(&Serial, &shares, (src.view(), level.view()), found.view_mut()).unwrap();
            assert_eq!(found.to_vec(), expected.to_vec(), "{sixteenths} sixteenths on the device, {border}");
        }
        assert!(split.rates().iter().all(|rate| rate.is_some_and(|rate| rate > 0.0)));
        let mut found = out.clone();
        split.run(&Serial, (src.view(), level.view()), found.view_mut()).unwrap();
        assert_eq!(found.to_vec(), expected.to_vec());
        assert!(split.run_shared(&Serial, &[1.0], (src.view(), level.view()), found.view_mut()).is_err());
    }
}

#[test]
fn in_place_runs_are_split_too() {
    let contexts = contexts();
    if contexts.is_empty() {
        return;
    }
    let start = image(1, [40, 9]);
    let split = SplitKernel::new(&contexts, &add_to::configure(start.info(), 9).unwrap()).unwrap();
    let mut sum = start.clone();
    let shares: Vec<f64> = (0..=contexts.len()).map(|part| 1.0 + part as f64).collect();
    for _ in 0..2 {
        split.run_shared(&Serial, &shares, (), sum.view_mut()).unwrap();
    }
    assert_eq!(sum.to_vec(), start.to_vec().iter().map(|v| v.wrapping_add(18)).collect::<Vec<u8>>());
}

/// A product that a denormal may be lost in.
#[kernel]
pub fn scaled(a: f32, #[uniform] by: f32) -> f32 {
    a * by
}

#[test]
fn floats_that_a_device_lacks_are_refused_or_reported() {
    for device in devices() {
        let a = Tensor::from_vec(vec![1.0f32, -0.5, 3.0, 0.0], [4, 1]).unwrap();
        let tiny = f32::MIN_POSITIVE / 4.0;
        let configured = scaled::configure(a.info(), tiny, a.info()).unwrap();
        let run = |context: &Context| {
            let kernel = OpenClKernel::new(context, configured.clone())?;
            let mut out = Tensor::<f32>::new([4, 1]).unwrap();
            kernel.run(a.view(), out.view_mut())?;
            Ok::<_, OpenClError>((kernel.effective_numerics(), out.to_vec()))
        };
        let open = |device: &Device, numerics, flushes_denormals| {
            let options = ContextOptions { numerics, flushes_denormals, ..Default::default() };
            Context::with_options(&Driver::new(), device, &options).unwrap()
        };
        let exact: Vec<f32> = a.to_vec().iter().map(|v| v * tiny).collect();
        if device.floats.denormals {
            let (numerics, found) = run(&open(&device, Numerics::Strict, false)).unwrap();
            assert!(numerics.is_exact());
            assert_eq!(found, exact);
        }
        // Flushed on purpose: an error in strict mode, a report in the other.
        let refused = run(&open(&device, Numerics::Strict, true));
        assert!(matches!(&refused, Err(OpenClError::Inexact { lacks, .. }) if lacks == &["denormals"]), "{refused:?}");
        let (numerics, found) = run(&open(&device, Numerics::Relaxed, true)).unwrap();
        assert_eq!(numerics.lacks(), ["denormals"]);
        assert!(found.iter().zip(&exact).all(|(found, exact)| found == exact || *found == 0.0), "{found:?}");
        // A device taken for one whose floats are worse is treated as that one.
        let mut caps = device.caps.clone();
        caps.floats.denormals = false;
        let pretended = device.pretending(caps);
        assert!(matches!(run(&open(&pretended, Numerics::Strict, false)), Err(OpenClError::Inexact { .. })));
        assert!(run(&open(&pretended, Numerics::Relaxed, false)).is_ok());
    }
}

#[test]
fn kernels_are_validated_for_devices_that_are_not_here() {
    let (a, tiny) = (Tensor::<f32>::new([64, 64]).unwrap(), f32::MIN_POSITIVE / 4.0);
    let floats = scaled::configure(a.info(), tiny, a.info()).unwrap();
    let integers = Case::new([64, 64], [64, 1]).configured();
    for caps in [recorded::mali(), recorded::adreno(), recorded::nvidia()] {
        assert!(validate(&caps, &integers, Numerics::Strict).unwrap().is_exact(), "{}", caps.name);
        let old = windrow::opencl::DeviceCaps { version: "OpenCL 1.1 old".into(), ..caps.clone() };
        assert!(matches!(validate(&old, &integers, Numerics::Strict), Err(OpenClError::NoFeature { .. })));
        let small = windrow::opencl::DeviceCaps { max_allocation: 4095, ..caps.clone() };
        let refused = validate(&small, &integers, Numerics::Strict);
        assert!(matches!(&refused, Err(OpenClError::TooLarge { argument, .. }) if argument == "a"), "{refused:?}");
        let full = windrow::opencl::DeviceCaps { global_memory: 3 * 4096, ..caps.clone() };
        assert!(matches!(validate(&full, &integers, Numerics::Strict), Err(OpenClError::TooLarge { .. })));
    }
    assert!(validate(&recorded::mali(), &floats, Numerics::Strict).unwrap().is_exact());
    let refused = validate(&recorded::adreno(), &floats, Numerics::Strict);
    assert!(matches!(refused, Err(OpenClError::Inexact { .. })), "{refused:?}");
    assert_eq!(validate(&recorded::adreno(), &floats, Numerics::Relaxed).unwrap().lacks(), ["denormals"]);
}

/// A quotient and a root.
#[kernel(output(quotient, root))]
pub fn quotient_and_root(a: f32, b: f32) -> (f32, f32) {
    (a / b, a.sqrt())
}

/// Bits of floats: every kind of value, and many that are close to where rounding changes.
fn floats(seed: u32, extents: [usize; 2]) -> Tensor<f32> {
    let special = [0, 1, 0x007f_ffff, 0x0080_0000, 0x3f80_0000, 0x3f80_0001, 0x7f7f_ffff, 0x7f80_0000, 0x7fc0_0000];
    let mut state = seed;
    Tensor::from_fn(extents, |x, y, _| {
        state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let noise = (state >> ((state >> 28) + 4) ^ state).wrapping_mul(277_803_737);
        let bits = match (x % 16, y % 4) {
            (column @ 0..9, 0) => special[(column + y / 4 * seed as usize) % 9],
            // Of one size, so that quotients are around one; denormals; anything.
            (_, 1) => noise & 0x00ff_ffff | 0x3f00_0000,
            (_, 2) => noise & 0x807f_ffff,
            _ => noise,
        };
        f32::from_bits(bits ^ (noise & 0x8000_0000))
    })
    .unwrap()
}

#[test]
fn division_by_a_sequence_is_rounded_correctly() {
    let size = [256, 512];
    let (a, b) = (floats(1, size), floats(2, size));
    let configured = quotient_and_root::configure(a.info(), b.info(), a.info(), a.info()).unwrap();
    for device in devices().into_iter().filter(|device| device.floats.denormals) {
        // The flag is withheld: a device that has none.
        let mut caps = device.caps.clone();
        caps.floats.correctly_rounded_division = false;
        let context = Context::with_driver(&Driver::new(), &device.pretending(caps)).unwrap();
        let kernel = OpenClKernel::new(&context, configured.clone()).unwrap();
        assert_eq!(kernel.effective_numerics().division, windrow::opencl::Division::Sequence);
        let [mut quotient, mut root] = [(); 2].map(|()| Tensor::<f32>::new(size).unwrap());
        kernel.run((a.view(), b.view()), (quotient.view_mut(), root.view_mut())).unwrap();
        let [found, roots] = [quotient.to_vec(), root.to_vec()];
        for (k, (a, b)) in a.to_vec().into_iter().zip(b.to_vec()).enumerate() {
            let same = |found: f32, exact: f32| found.to_bits() == exact.to_bits() || found.is_nan() && exact.is_nan();
            assert!(same(found[k], a / b), "{a:e} / {b:e} = {:e}, found {:e}", a / b, found[k]);
            assert!(same(roots[k], a.sqrt()), "√{a:e} = {:e}, found {:e}", a.sqrt(), roots[k]);
        }
    }
}
