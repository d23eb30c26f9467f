//! Queues, events, flushes and recordings.

use crate::case::{Case, add_to, contexts, contexts_with_gates, image, read};
use windrow::{
    Tensor, ValidRegion,
    opencl::{Call, DeviceImage, Event, Flush, OpenClKernel, QueueOptions, Recording, Submission, UserEvent},
};

#[test]
fn queues_are_ordered_by_events() {
    for context in contexts_with_gates() {
        let case = Case::new([6, 40], [6, 40]);
        let kernel = OpenClKernel::new(&context, case.configured()).unwrap();
        let (info, whole) = (*case.a.info(), ValidRegion::whole(case.a.shape()));
        let [a, out] = [(); 2].map(|()| DeviceImage::new(&context, &info).unwrap());
        let [_, b, level] = case.upload(&context);
        let unordered = context.device().out_of_order;
        for (transfers, kernels) in [(false, false), (unordered, unordered)] {
            let queue = |out_of_order| context.new_queue(QueueOptions { out_of_order, ..Default::default() }).unwrap();
            let (transfers, kernels) = (queue(transfers), queue(kernels));
            let gate = UserEvent::new(&context).unwrap();
            let start = [gate.event().clone()];
            let written = a.submit_write(&Submission::after(&transfers, &start), case.a.clone()).unwrap();
            let after = [written.event().clone()];
            let inputs = [a.clone(), b.clone(), level.clone()];
            let done = kernel.submit(&Submission::after(&kernels, &after), &inputs, &[], &[Some(out.clone())]).unwrap();
            let after = [done.clone()];
            let back = Tensor::<u8>::new([6, 40]).unwrap();
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
        let case = Case::new([6, 40], [6, 40]);
        let kernel = OpenClKernel::new(&context, case.configured()).unwrap();
        let inputs = case.upload(&context);
        let out = DeviceImage::new(&context, case.a.info()).unwrap();
        let lazy = context.new_queue(QueueOptions { flush: Flush::OnWait, ..Default::default() }).unwrap();
        let gate = UserEvent::new(&context).unwrap();
        let start = [gate.event().clone()];
        let done = kernel.submit(&Submission::after(&lazy, &start), &inputs, &[], &[Some(out.clone())]).unwrap();
        let opener = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(20));
            gate.open().unwrap();
        });
        block_on(async { (done.clone().await, done.clone().await) }).0.unwrap();
        opener.join().unwrap();
        let whole = ValidRegion::whole(case.a.shape());
        let back = out.submit_read(&Submission::on(&lazy), &whole, Tensor::<u8>::new([6, 40]).unwrap()).unwrap();
        assert_eq!(block_on(back.into_future()).unwrap().to_vec(), case.expected);
    }
}

#[test]
fn abandoned_gate_fails_what_waits_for_it() {
    for context in contexts_with_gates() {
        let queue = context.new_queue(QueueOptions::default()).unwrap();
        let gate = UserEvent::new(&context).unwrap();
        let event = gate.event().clone();
        drop(gate);
        assert!(event.is_done().is_err());
        drop(queue);
    }
}

#[test]
fn flushes_follow_the_policy() {
    for context in contexts() {
        let case = Case::new([2, 8], [2, 8]);
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
fn replay_equals_the_runs_that_were_recorded() {
    for context in contexts() {
        let start = image(1, [6, 40]);
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
fn replays_on_many_queues_do_not_pile_up() {
    for context in contexts() {
        let start = image(1, [6, 40]);
        let kernel = OpenClKernel::new(&context, add_to::configure(start.info(), 3).unwrap()).unwrap();
        let sum = DeviceImage::upload(&context, &start.view().any()).unwrap();
        let mut recording = Recording::new(&context);
        recording.add(&kernel, &[], &[], &[Some(sum.clone())]).unwrap();
        let recorded = recording.finish().unwrap();
        let replay = || {
            let queue = context.new_queue(QueueOptions::default()).unwrap();
            recorded.submit(&Submission::on(&queue)).unwrap().wait().unwrap();
        };
        (0..8).for_each(|_| replay());
        let before = context.driver().counters().live();
        (0..8).for_each(|_| replay());
        assert_eq!(context.driver().counters().live(), before);
        assert_eq!(read(&sum), start.to_vec().iter().map(|v| v.wrapping_add(16 * 3)).collect::<Vec<u8>>());
    }
}

#[test]
fn replays_are_noted_as_one_launch_while_profiling_is_on() {
    for context in contexts() {
        let start = image(1, [6, 40]);
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
        // The form that the device takes stands in the name: `add_to_pairs_16x4`.
        let names: Vec<&str> = profile.launches.iter().map(|launch| launch.kernel.as_str()).collect();
        let starts: &[&str] = match recorded.is_one_command() {
            true => &["recording of add_to", "add_to", "recording of add_to", "add_to"],
            false => &["add_to"; 12],
        };
        assert!(names.len() == starts.len() && names.iter().zip(starts).all(|(name, start)| name.starts_with(start)));
        assert!(!recorded.is_one_command() || names[0].ends_with(" ×5"), "{names:?}");
        assert!(profile.launches.iter().all(|launch| launch.timestamps.is_monotone()), "{profile:?}");
        assert!(profile.table().contains("add_to"));
        let added = 3u8 * (5 * 4 + 2);
        assert_eq!(read(&sum), start.to_vec().iter().map(|v| v.wrapping_add(added)).collect::<Vec<u8>>());
    }
}
