//! What safe code can't do: run a foreign program on a kernel's memory, lend memory that a device writes, wait forever for
//! a gate, write where a link leads.

use crate::case::{Case, add_to, contexts, contexts_with_gates, distance, image, read};
use std::{sync::mpsc, thread, time::Duration};
use windrow::{
    Kernel, RunError, Tensor, TensorInfo, ValidRegion, View, ViewMut,
    opencl::{
        BuildOptions, Context, DeviceImage, Driver, Gpu, MapAccess, OpenClError, OpenClKernel, Pending, Program,
        ProgramSource, QueueOptions, Recording, Submission, UserEvent,
    },
    tensor::Quantization,
};
use windrow_operators::table_lookup;

/// The result of `work`, which must come.
fn in_time<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(work()));
    receiver.recv_timeout(Duration::from_secs(30)).expect("the work hangs or panics")
}

#[test]
fn a_program_of_another_source_is_refused() {
    for context in contexts() {
        let case = Case::new([6, 40], [6, 40]);
        let own = distance::CODE.opencl().source;
        let run = |program: &Program| OpenClKernel::with_program(&context, program, case.configured()).map(drop);
        let foreign = Program::build(&context, "distance", &format!("{own}\n// More.\n")).unwrap();
        let refused = run(&foreign).unwrap_err();
        assert!(refused.to_string().contains("`distance`"), "{refused}");
        // A macro can rewrite any line.
        let options = BuildOptions::new().flag("-DEVIL=1").unwrap();
        let rewritten = ProgramSource::of(distance::CODE).with_options(options);
        assert!(run(&context.programs().get(&rewritten).unwrap()).is_err());
        run(&Program::build(&context, "distance", own).unwrap()).unwrap();
        run(&Program::of::<distance>(&context).unwrap()).unwrap();
    }
}

#[test]
fn bools_do_not_lie_on_devices() {
    // A program may write any byte, and a byte of a `bool` is 0 or 1.
    for context in contexts() {
        let flags = Tensor::from_vec(vec![true; 12], [3, 4]).unwrap();
        let refused = Gpu::new(&context).upload(&flags).unwrap_err();
        assert!(refused.to_string().contains("bool"), "{refused}");
        assert!(Gpu::new(&context).tensor::<bool, 2>([3, 4]).is_err());
        assert!(DeviceImage::upload(&context, &flags.view().any()).is_err());
    }
}

#[test]
fn quantized_images_are_refused_on_devices() {
    for context in contexts() {
        let plain = TensorInfo::of::<u8>(&[4, 6]).unwrap();
        let quantized = plain.with_quantization(Quantization::new(0.5, 128).unwrap());
        let (bytes, mut back) = (vec![7u8; 24], vec![0u8; 24]);
        let refused = |result: Result<(), OpenClError>| {
            let error = result.unwrap_err().to_string();
            assert!(error.contains("is quantized (scale 0.5, offset 128)"), "{error}");
        };
        refused(DeviceImage::new(&context, &quantized).map(drop));
        refused(DeviceImage::upload(&context, &View::<u8>::import(&bytes, quantized).unwrap().any()).map(drop));
        let image = DeviceImage::upload(&context, &View::<u8>::import(&bytes, plain).unwrap().any()).unwrap();
        refused(image.write(&View::<u8>::import(&bytes, quantized).unwrap().any()));
        let mut view = ViewMut::<u8>::import(&mut back, quantized).unwrap().any();
        refused(image.download(&ValidRegion::whole(plain.shape()), &mut view));
        assert_eq!(back, [0; 24]);
    }
}

#[test]
fn transfers_of_a_mapped_buffer_are_refused() {
    for context in contexts() {
        let image = DeviceImage::upload(&context, &image(1, [6, 40]).view().any()).unwrap();
        let mapped = |result: Result<(), OpenClError>| matches!(result, Err(OpenClError::Mapped { .. }));
        let reading = image.map(MapAccess::Read).unwrap();
        assert!(mapped(image.buffer().write(0, &[1])));
        image.buffer().read(0, &mut [0]).unwrap();
        reading.unmap().unwrap();
        let writing = image.map(MapAccess::Write).unwrap();
        assert!(mapped(image.buffer().write(0, &[1])) && mapped(image.buffer().read(0, &mut [0])));
        writing.unmap().unwrap();
        image.buffer().write(0, &[1]).unwrap();
    }
}

#[test]
fn a_replay_over_a_mapped_image_is_refused() {
    for context in contexts() {
        let start = image(1, [6, 40]);
        let kernel = OpenClKernel::new(&context, add_to::configure(start.info(), 3).unwrap()).unwrap();
        let sum = DeviceImage::upload(&context, &start.view().any()).unwrap();
        let mut recording = Recording::new(&context);
        recording.add(&kernel, &[], &[], &[Some(sum.clone())]).unwrap();
        let recorded = recording.finish().unwrap();
        let mapped = sum.map(MapAccess::Read).unwrap();
        assert!(matches!(recorded.run(), Err(OpenClError::Mapped { .. })));
        mapped.unmap().unwrap();
        recorded.run().unwrap().wait().unwrap();
        assert_eq!(read(&sum), start.to_vec().iter().map(|v| v.wrapping_add(3)).collect::<Vec<u8>>());
    }
}

#[test]
fn runs_and_replays_over_a_mapped_table_are_refused() {
    for context in contexts() {
        // A table's bytes may be those of an image, which the host maps.
        let entries = Tensor::from_fn([1, 256], |[_, x]| 255 - x as u8).unwrap();
        let entries = DeviceImage::upload(&context, &entries.view().any()).unwrap();
        let tables = [entries.buffer().part(0, 256).unwrap()];
        let start = image(1, [6, 40]);
        let configured = table_lookup::configure(start.info(), start.info()).unwrap();
        let kernel = OpenClKernel::new(&context, configured).unwrap();
        let source = [DeviceImage::upload(&context, &start.view().any()).unwrap()];
        let out = DeviceImage::new(&context, start.info()).unwrap();
        let mut recording = Recording::new(&context);
        recording.add(&kernel, &source, &tables, &[Some(out.clone())]).unwrap();
        let recorded = recording.finish().unwrap();
        let mapped = |result: Result<(), OpenClError>| matches!(result, Err(OpenClError::Mapped { .. }));
        let writing = entries.map(MapAccess::Write).unwrap();
        assert!(mapped(kernel.run_on(&source, &tables, &[Some(out.clone())])));
        assert!(mapped(recorded.run().map(drop)));
        writing.unmap().unwrap();
        // Nor may an output lie where the table does.
        let whole = table_lookup::configure(entries.info(), entries.info()).unwrap();
        let whole = OpenClKernel::new(&context, whole).unwrap();
        let line = DeviceImage::upload(&context, &image(2, [1, 256]).view().any()).unwrap();
        let onto = whole.run_on(&[line], &tables, &[Some(entries.clone())]).unwrap_err();
        assert!(matches!(onto, OpenClError::Run(RunError::Overlap { output: "out", other: "lut" })), "{onto}");
        // Two readers do not disturb each other.
        let reading = entries.map(MapAccess::Read).unwrap();
        recorded.run().unwrap().wait().unwrap();
        reading.unmap().unwrap();
        assert_eq!(read(&out), start.to_vec().iter().map(|value| 255 - value).collect::<Vec<u8>>());
    }
}

/// Opens the gate when whoever asked for that may have begun to wait.
fn open_soon(gate: UserEvent) {
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(100));
        gate.open().unwrap();
    });
}

#[test]
fn a_map_waits_for_the_commands_of_other_queues() {
    for context in contexts_with_gates() {
        let queue = context.new_queue(QueueOptions::default()).unwrap();
        let (old, new) = (image(1, [6, 40]), image(2, [6, 40]));
        let first = |tensor: &Tensor<u8>| tensor.view().get([0, 0]);
        // What another queue writes.
        let on_device = DeviceImage::upload(&context, &old.view().any()).unwrap();
        let gate = UserEvent::new(&context).unwrap();
        let start = [gate.event().clone()];
        let written = on_device.submit_write(&Submission::after(&queue, &start), new.clone()).unwrap();
        open_soon(gate);
        let mapped = on_device.map(MapAccess::Read).unwrap();
        assert_eq!(mapped.view().typed::<u8>().unwrap().get([0, 0]), first(&new));
        mapped.unmap().unwrap();
        written.wait().unwrap();
        // What another queue reads.
        let gate = UserEvent::new(&context).unwrap();
        let start = [gate.event().clone()];
        let (whole, place) = (ValidRegion::whole(old.shape()), Tensor::<u8>::new([6, 40]).unwrap());
        let back = on_device.submit_read(&Submission::after(&queue, &start), &whole, place).unwrap();
        open_soon(gate);
        let mut mapped = on_device.map(MapAccess::Write).unwrap();
        mapped.view_mut().unwrap().typed::<u8>().unwrap().row_mut(0).unwrap().fill(0);
        mapped.unmap().unwrap();
        assert_eq!(back.wait().unwrap().to_vec(), new.to_vec());
        // What a kernel writes there.
        let case = Case::new([6, 40], [6, 40]);
        let kernel = OpenClKernel::new(&context, case.configured()).unwrap();
        let (inputs, gate) = (case.upload(&context), UserEvent::new(&context).unwrap());
        let start = [gate.event().clone()];
        kernel.submit(&Submission::after(&queue, &start), &inputs, &[], &[Some(on_device.clone())]).unwrap();
        open_soon(gate);
        let mapped = on_device.map(MapAccess::Read).unwrap();
        let view = mapped.view().typed::<u8>().unwrap();
        assert!((0..40).all(|x| view.get([5, x]) == case.expected.get(5 * 40 + x).copied()));
    }
}

#[test]
fn a_blocking_transfer_waits_for_the_commands_of_other_queues() {
    for context in contexts_with_gates() {
        let queue = context.new_queue(QueueOptions::default()).unwrap();
        let (old, new) = (image(1, [6, 40]), image(2, [6, 40]));
        let on_device = DeviceImage::upload(&context, &old.view().any()).unwrap();
        let gate = UserEvent::new(&context).unwrap();
        let start = [gate.event().clone()];
        let written = on_device.submit_write(&Submission::after(&queue, &start), new.clone()).unwrap();
        open_soon(gate);
        assert_eq!(read(&on_device), new.to_vec());
        written.wait().unwrap();
    }
}

/// Another context over the same one of the driver, with a queue of its own.
fn beside(context: &Context, options: QueueOptions) -> Context {
    let (driver, queue) = (Driver::new(), context.new_queue(options).unwrap());
    // SAFETY: both are live, and retained by what is made.
    unsafe { Context::from_raw(&driver, context.raw(), queue.raw()) }.unwrap()
}

#[test]
fn maps_and_transfers_wait_for_the_own_queue_of_another_context_over_the_same_one() {
    for context in contexts_with_gates() {
        let (other, case) = (beside(&context, QueueOptions::default()), Case::new([6, 40], [6, 40]));
        let kernel = OpenClKernel::new(&other, case.configured()).unwrap();
        let on_device = DeviceImage::upload(&context, &image(1, [6, 40]).view().any()).unwrap();
        let (inputs, outputs) = (case.upload(&context), [Some(on_device.clone())]);
        let begin = || {
            DeviceImage::write(&on_device, &image(1, [6, 40]).view().any()).unwrap();
            let gate = UserEvent::new(&other).unwrap();
            let start = [gate.event().clone()];
            kernel.submit(&Submission::after(other.queue(), &start), &inputs, &[], &outputs).unwrap();
            open_soon(gate);
        };
        begin();
        let mapped = on_device.map(MapAccess::Read).unwrap();
        assert_eq!(mapped.view().typed::<u8>().unwrap().to_vec(), case.expected);
        mapped.unmap().unwrap();
        begin();
        assert_eq!(read(&on_device), case.expected);
    }
}

#[test]
fn maps_and_transfers_wait_for_an_own_queue_that_keeps_no_order() {
    for context in contexts_with_gates().into_iter().filter(|context| context.device().out_of_order) {
        let context = beside(&context, QueueOptions { out_of_order: true, ..QueueOptions::default() });
        let case = Case::new([6, 40], [6, 40]);
        let kernel = OpenClKernel::new(&context, case.configured()).unwrap();
        let on_device = DeviceImage::upload(&context, &image(1, [6, 40]).view().any()).unwrap();
        let (inputs, outputs) = (case.upload(&context), [Some(on_device.clone())]);
        let begin = || {
            let gate = UserEvent::new(&context).unwrap();
            let start = [gate.event().clone()];
            kernel.submit(&Submission::after(context.queue(), &start), &inputs, &[], &outputs).unwrap();
            open_soon(gate);
        };
        begin();
        assert_eq!(read(&on_device), case.expected);
        on_device.write(&image(1, [6, 40]).view().any()).unwrap();
        begin();
        let mapped = on_device.map(MapAccess::Read).unwrap();
        assert_eq!(mapped.view().typed::<u8>().unwrap().to_vec(), case.expected);
    }
}

#[test]
fn commands_on_the_own_queue_are_waited_for_while_profiling_is_on() {
    for context in contexts_with_gates() {
        let case = Case::new([6, 40], [6, 40]);
        let kernel = OpenClKernel::new(&context, case.configured()).unwrap();
        let on_device = DeviceImage::upload(&context, &image(1, [6, 40]).view().any()).unwrap();
        let (inputs, outputs) = (case.upload(&context), [Some(on_device.clone())]);
        let plain = context.queue().clone();
        context.set_profiling(true).unwrap();
        for queue in [&plain, context.queue()] {
            on_device.write(&image(1, [6, 40]).view().any()).unwrap();
            let gate = UserEvent::new(&context).unwrap();
            let start = [gate.event().clone()];
            kernel.submit(&Submission::after(queue, &start), &inputs, &[], &outputs).unwrap();
            open_soon(gate);
            let mapped = on_device.map(MapAccess::Read).unwrap();
            assert_eq!(mapped.view().typed::<u8>().unwrap().to_vec(), case.expected);
        }
        context.set_profiling(false).unwrap();
    }
}

#[test]
fn a_pending_transfer_that_is_dropped_before_its_gate_waits_for_nothing() {
    for context in contexts_with_gates() {
        let driver = context.driver().clone();
        in_time(move || {
            let queue = context.new_queue(QueueOptions::default()).unwrap();
            let image = image(1, [6, 40]);
            let on_device = DeviceImage::new(&context, image.info()).unwrap();
            let begin = |gate: &UserEvent| -> Pending<Tensor<u8>> {
                let start = [gate.event().clone()];
                on_device.submit_write(&Submission::after(&queue, &start), image.clone()).unwrap()
            };
            // Opened later, it is written all the same.
            let gate = UserEvent::new(&context).unwrap();
            drop(begin(&gate));
            gate.open().unwrap();
            queue.sync().unwrap();
            assert_eq!(read(&on_device), image.to_vec());
            // As on an early return: declared later, dropped first.
            let gate = UserEvent::new(&context).unwrap();
            let pending = begin(&gate);
            drop(pending);
            drop(gate);
        });
        drop(driver);
    }
}

#[cfg(unix)]
mod files {
    use std::{
        fs,
        io::ErrorKind,
        os::unix::fs::{PermissionsExt, symlink},
    };
    use windrow::opencl::{CacheFolder, TuneTable};

    #[test]
    fn a_cache_folder_is_its_owners_alone() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a/b");
        CacheFolder::open(&path).unwrap();
        let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o700, 0o700));
        // Whoever may write there may have the driver run what he likes.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o770)).unwrap();
        assert_eq!(CacheFolder::open(&path).unwrap_err().kind(), ErrorKind::PermissionDenied);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        CacheFolder::open(&path).unwrap();
        let link = place.path().join("link");
        symlink(&path, &link).unwrap();
        assert_eq!(CacheFolder::open(&link).unwrap_err().kind(), ErrorKind::PermissionDenied);
    }

    #[test]
    fn a_link_in_the_place_of_a_lock_is_not_followed() {
        let place = tempfile::tempdir().unwrap();
        let victim = place.path().join("victim");
        fs::write(&victim, "precious").unwrap();
        let file = place.path().join("tunings.json");
        symlink(&victim, place.path().join("tunings.lock")).unwrap();
        assert!(TuneTable::new().save(&file).is_err());
        assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
        fs::remove_file(place.path().join("tunings.lock")).unwrap();
        // In the place of the table it is replaced, and never read.
        symlink(&victim, &file).unwrap();
        assert!(TuneTable::load(&file).is_err());
        assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    }
}
