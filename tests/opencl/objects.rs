//! Images that the host maps, objects of several contexts, and the order in which they go.

use crate::case::{Case, add_to, contexts, devices, read};
use windrow::{
    Serial, Tensor,
    opencl::{
        Call, Context, ContextOptions, DeviceImage, Driver, DriverError, Hint, MapAccess, OpenClError, OpenClKernel,
        Recording, Submission,
    },
};

#[test]
fn mapped_image_is_the_hosts_alone() {
    for context in contexts() {
        let case = Case::new([6, 40], [6, 40]);
        let kernel = OpenClKernel::new(&context, case.configured()).unwrap();
        let inputs = case.upload(&context);
        let out = DeviceImage::new(&context, case.a.info()).unwrap();
        let outputs = [Some(out.clone())];
        // The host computes into the device's memory, and the device goes on from there.
        let mut mapped = inputs[0].map(MapAccess::Write).unwrap();
        assert_eq!(kernel.run_on(&inputs, &[], &outputs), Err(OpenClError::Mapped { argument: "a".into() }));
        assert!(inputs[0].map(MapAccess::Read).is_err() && inputs[0].write(&case.b.view().any()).is_err());
        let add = add_to::configure(mapped.image().info(), 1).unwrap();
        add.run(&Serial, (), mapped.view_mut().unwrap().typed::<u8>().unwrap()).unwrap();
        mapped.unmap().unwrap();
        let before = context.driver().counters();
        kernel.run_on(&inputs, &[], &outputs).unwrap();
        let mapped = out.map(MapAccess::Read).unwrap();
        assert!(out.map(MapAccess::Write).is_err());
        // A device may read what the host reads.
        out.map(MapAccess::Read).unwrap().unmap().unwrap();
        let plus_one = Tensor::from_fn([6, 40], |[y, x]| case.a.view().get([y, x]).unwrap().wrapping_add(1)).unwrap();
        let mut expected = Tensor::new([6, 40]).unwrap();
        let views = (plus_one.view(), case.b.view(), case.level.view());
        case.configured().run_reference(views, expected.view_mut()).unwrap();
        assert_eq!(mapped.view().typed::<u8>().unwrap().get([5, 39]), expected.view().get([5, 39]));
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
        let case = Case::new([2, 8], [2, 8]);
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
        let case = Case::new([2, 8], [2, 8]);
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
            let case = Case::new([2, 8], [2, 8]);
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
    let case = Case::new([6, 40], [6, 1]);
    std::thread::scope(|scope| {
        for context in
            contexts().into_iter().flat_map(|context| [context.clone(), Context::new(context.device()).unwrap()])
        {
            let case = &case;
            scope.spawn(move || {
                let kernel = OpenClKernel::new(&context, case.configured()).unwrap();
                let mut out = Tensor::<u8>::new([6, 40]).unwrap();
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
            let opened = Context::with_options(&driver, &device.with_caps(caps.clone()), &options);
            assert_eq!(driver.counters().calls(Call::CreateQueueWithHints), 1);
            match opened {
                // Some drivers pass over what they don't know.
                Ok(context) => context.sync().unwrap(),
                Err(OpenClError::Driver(DriverError::Call { call, .. })) => {
                    assert_eq!(call, Call::CreateQueueWithHints)
                }
                Err(error) => panic!("{error}"),
            }
            assert_eq!(driver.counters().live(), 0);
        }
        Context::new(&device).unwrap().sync().unwrap();
    }
}
