//! Forms and precisions of kernels in recordings, in chains, placed.

use crate::{case::devices, sources::mean};
use half::f16;
use std::{sync::Arc, thread, time::Duration};
use windrow::{
    Border, Serial, Tensor, TensorInfo,
    chain::{ChainBuilder, ExecutorError, Function, FunctionError},
    memory::Planner,
    opencl::{
        Context, ContextOptions, DeviceChain, DeviceImage, DeviceManager, DeviceMemory, Driver, Event, FloatFormat,
        MemForm, MemMode, NoImageForm, Numerics, ObjectKind, OnDevice, OpenClError, OpenClKernel, Precision,
        QueueOptions, Recording, Submission, UserEvent,
    },
    prelude::*,
};

/// Adds a level that may repeat.
#[kernel]
pub fn raise(a: f32, level: f32) -> f32 {
    a + level
}

fn floats(seed: usize, extents: [usize; 2]) -> Tensor<f32> {
    Tensor::from_fn(extents, |[y, x]| ((x * 31 + y * 57 + seed * 101) % 97) as f32 * 0.37 - 9.0).unwrap()
}

fn rounded(a: &Tensor<f32>) -> Tensor<f32> {
    let halves = a.to_vec().into_iter().map(|v| f16::from_f32(v).to_f32()).collect();
    Tensor::from_vec(halves, [a.info().height(), a.info().width()]).unwrap()
}

/// Two means, and a level of one column on them.
fn chain(info: &TensorInfo, level: &TensorInfo, manager: &Arc<DeviceManager>) -> Result<DeviceChain, FunctionError> {
    let mut chain = ChainBuilder::new();
    let [src, column] = [*info, *level].map(|info| chain.input(info));
    let blur = mean::configure(info, info, Border::Replicate).unwrap();
    let [once] = chain.add(&blur, &[src])?;
    let [twice] = chain.add(&blur, &[once])?;
    let [out] = chain.add(&raise::configure(info, level, info).unwrap(), &[twice, column])?;
    chain.output(out)?;
    OnDevice::new(manager.clone()).finish(chain)
}

/// The same by the reference; `store`: what becomes of an image in memory.
fn chained(src: &Tensor<f32>, level: &Tensor<f32>, store: impl Fn(&Tensor<f32>) -> Tensor<f32>) -> Vec<f32> {
    let info = src.info();
    let run = |from: &Tensor<f32>| {
        let mut out = Tensor::<f32>::new([info.height(), info.width()]).unwrap();
        let blur = mean::configure(info, info, Border::Replicate).unwrap();
        blur.run_reference(from.view(), out.view_mut()).unwrap();
        store(&out)
    };
    let (twice, level) = (run(&run(&store(src))), store(level));
    let mut out = Tensor::<f32>::new([info.height(), info.width()]).unwrap();
    let raised = raise::configure(info, level.info(), info).unwrap();
    raised.run_reference((twice.view(), level.view()), out.view_mut()).unwrap();
    store(&out).to_vec()
}

#[test]
fn chains_compute_in_the_contexts_precision() {
    let (src, level) = (floats(1, [9, 37]), floats(2, [9, 1]));
    for device in devices().into_iter().filter(|device| device.floats.lacks(false).is_empty()) {
        let mut bytes = Vec::new();
        for precision in [Precision::F32, Precision::F16Storage] {
            let options = ContextOptions { precision, ..Default::default() };
            let context = Context::with_options(&Driver::new(), &device, &options).unwrap();
            let memory = DeviceMemory::new(&context);
            let manager = Arc::new(DeviceManager::new(&memory, Planner::Arena));
            let chain = chain(src.info(), level.info(), &manager).unwrap();
            manager.populate(1).unwrap();
            assert!(chain.kernels().all(|(_, found, _)| found.effective == Some(precision)));
            let expected = match precision {
                Precision::F32 => chained(&src, &level, Tensor::clone),
                Precision::F16Storage | Precision::F16 => chained(&src, &level, rounded),
            };
            // The host's images, twice: the second run makes nothing.
            let mut out = Tensor::<f32>::new([9, 37]).unwrap();
            for run in 0..2 {
                let before = context.driver().counters();
                chain.run(&Serial, &[src.view().any(), level.view().any()], &mut [out.view_mut().any()]).unwrap();
                let since = context.driver().counters().since(&before);
                assert_eq!(out.to_vec(), expected, "{precision}");
                assert!(run == 0 || (since.allocations(), since.builds(), since.launches()) == (0, 0, 3), "{since:?}");
            }
            // Images on the device lie as the chain says, and others are refused.
            let upload = |format, image: &Tensor<f32>| DeviceImage::upload_as(&context, &image.view().any(), format);
            let images = |format| [&src, &level].map(|image| upload(format, image).unwrap());
            let target = [upload(chain.format(), &src).unwrap()];
            chain.try_run_on(&images(chain.format()), &target).unwrap();
            target[0].download(&target[0].info().valid_region(), &mut out.view_mut().any()).unwrap();
            assert_eq!(out.to_vec(), expected, "{precision}");
            let (expected, found) = match chain.format() {
                FloatFormat::F32 => (FloatFormat::F32, FloatFormat::F16),
                FloatFormat::F16 => (FloatFormat::F16, FloatFormat::F32),
            };
            let refused = chain.try_run_on(&images(found), &target).unwrap_err();
            let argument = "an input".into();
            let reason = OpenClError::FloatFormat { argument, found, expected };
            assert_eq!(refused, FunctionError::Executor(ExecutorError::new(reason)));
            bytes.push(target[0].size_in_bytes());
        }
        assert_eq!(bytes[0], 2 * bytes[1]);
    }
}

#[test]
fn chains_that_a_device_would_compute_otherwise_are_refused() {
    let (src, level) = (floats(1, [3, 8]), floats(2, [3, 8]));
    for device in devices().into_iter().filter(|device| device.half.is_none()) {
        let open = |numerics| {
            let options = ContextOptions { numerics, precision: Precision::F16, ..Default::default() };
            DeviceMemory::new(&Context::with_options(&Driver::new(), &device, &options).unwrap())
        };
        let make = |memory: &DeviceMemory| {
            chain(src.info(), level.info(), &Arc::new(DeviceManager::new(memory, Planner::Arena)))
        };
        let refused = make(&open(Numerics::Strict)).unwrap_err().to_string();
        assert!(refused.contains("lacks arithmetic in half precision"), "{refused}");
        let relaxed = make(&open(Numerics::Relaxed)).unwrap();
        assert!(relaxed.kernels().all(|(_, found, _)| found.to_string() == "f16, in effect f16 storage"));
    }
}

#[test]
fn recordings_are_replayed_on_any_queue_in_their_kernels_precision() {
    let src = floats(3, [6, 40]);
    for device in devices().into_iter().filter(|device| device.floats.lacks(false).is_empty()) {
        let context = Context::with_driver(&Driver::new(), &device).unwrap();
        let configured = || mean::configure(src.info(), src.info(), Border::Replicate).unwrap();
        let kernel = OpenClKernel::with_precision(&context, configured(), Precision::F16Storage).unwrap();
        let image = || DeviceImage::upload_as(&context, &src.view().any(), FloatFormat::F16).unwrap();
        let [from, once, twice] = [(); 3].map(|()| image());
        let mut recording = Recording::new(&context);
        recording.add(&kernel, &[from], &[], &[Some(once.clone())]).unwrap();
        recording.add(&kernel, std::slice::from_ref(&once), &[], &[Some(twice.clone())]).unwrap();
        let recorded = recording.finish().unwrap();
        let whole = twice.info().valid_region();
        let zero = Tensor::<f32>::new([6, 40]).unwrap();
        let blur = |from: &Tensor<f32>| {
            let mut out = Tensor::<f32>::new([6, 40]).unwrap();
            configured().run_reference(rounded(from).view(), out.view_mut()).unwrap();
            rounded(&out)
        };
        let expected = blur(&blur(&src)).to_vec();
        let other = context.new_queue(QueueOptions { out_of_order: device.out_of_order, ..Default::default() });
        let (transfers, replays) = (context.new_queue(QueueOptions::default()).unwrap(), other.unwrap());
        let made = || context.driver().counters().created(ObjectKind::CommandBuffer);
        for (queue, is_new) in [(&replays, true), (context.queue(), false), (&replays, false)] {
            let before = made();
            twice.submit_write(&Submission::on(&transfers), zero.clone()).unwrap().wait().unwrap();
            // PoCL's `basic` device locks up where the host ends an event that a kernel waits for.
            let gate = if device.name.starts_with("basic") { None } else { Some(UserEvent::new(&context).unwrap()) };
            let start: Vec<Event> = gate.iter().map(|gate| gate.event().clone()).collect();
            let done = [recorded.submit(&Submission::after(queue, &start)).unwrap()];
            let back = twice.submit_read(&Submission::after(&transfers, &done), &whole, zero.clone()).unwrap();
            if let Some(gate) = gate {
                // Long enough for a replay that does not wait.
                thread::sleep(Duration::from_millis(5));
                assert!(!done[0].is_done().unwrap() && !back.is_done().unwrap(), "nothing before the gate opens");
                gate.open().unwrap();
            }
            assert_eq!(back.wait().unwrap().to_vec(), expected);
            assert_eq!(made() - before, u64::from(is_new && recorded.is_one_command()), "one for a queue");
        }
        let foreign = Context::with_driver(&Driver::new(), &device).unwrap();
        let refused = recorded.submit(&Submission::on(foreign.queue())).map(drop);
        assert!(
            matches!(&refused, Err(OpenClError::Foreign { argument, .. }) if argument == "the queue"),
            "{refused:?}"
        );
    }
}

#[test]
fn what_each_run_would_copy_is_not_recorded() {
    let (src, level) = (floats(1, [3, 8]), floats(2, [3, 1]));
    for device in devices().into_iter().filter(|device| device.floats.lacks(false).is_empty()) {
        let context = Context::with_driver(&Driver::new(), &device).unwrap();
        let configured = raise::configure(src.info(), level.info(), src.info()).unwrap();
        let kernel = OpenClKernel::new(&context, configured).unwrap();
        let inputs = [&src, &level].map(|image| DeviceImage::upload(&context, &image.view().any()).unwrap());
        let out = [Some(DeviceImage::new(&context, src.info()).unwrap())];
        kernel.run_on(&inputs, &[], &out).unwrap();
        let refused = Recording::new(&context).add(&kernel, &inputs, &[], &out).unwrap_err();
        let (found, expected) = (level.shape(), src.shape());
        assert_eq!(refused, OpenClError::NotReplayed { argument: "level", found, expected });
    }
}

#[test]
fn a_kernel_has_the_form_and_precision_that_it_is_built_in() {
    let src = floats(4, [6, 21]);
    let configured = mean::configure(src.info(), src.info(), Border::Replicate).unwrap();
    for device in
        devices().into_iter().filter(|device| device.images.is_some() && device.floats.lacks(false).is_empty())
    {
        let memory = DeviceMemory::new(&Context::with_driver(&Driver::new(), &device).unwrap());
        let make = |precision, mode| {
            OpenClKernel::with_precision(memory.context(), configured.clone(), precision)?.with_memory(&memory, mode)
        };
        let kernel = make(Precision::F32, MemMode::Image).unwrap();
        assert_eq!(
            (kernel.mem_form().0, kernel.effective_precision().effective),
            (MemForm::Image, Some(Precision::F32))
        );
        let mut out = Tensor::<f32>::new([6, 21]).unwrap();
        kernel.run(src.view(), out.view_mut()).unwrap();
        let mut expected = Tensor::<f32>::new([6, 21]).unwrap();
        configured.run_reference(src.view(), expected.view_mut()).unwrap();
        assert_eq!(out.to_vec(), expected.to_vec());
        let stored = make(Precision::F16Storage, MemMode::Auto).unwrap();
        assert_eq!(stored.effective_precision().effective, Some(Precision::F16Storage));
        // What can't be had together is refused.
        let refused = make(Precision::F16Storage, MemMode::Image).map(drop).unwrap_err();
        let reason = NoImageForm::Precision(Precision::F16Storage);
        assert_eq!(refused, OpenClError::NoImageForm { kernel: "mean", reason });
    }
}
