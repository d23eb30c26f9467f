//! Composite functions on a device: the images that the processor computes, with nothing built or allocated in later runs.

#![cfg(feature = "opencl")]

use std::{slice::from_ref, sync::Arc};

use windrow::{
    Border, Serial, Tensor, TensorInfo,
    chain::{ChainBuilder, ExecutorError, Function, FunctionError, Whole},
    memory::{Allocation, Allocator, Heap, MemoryError, Planner},
    opencl::{
        Call, Context, ContextOptions, Counters, DeviceImage, DeviceManager, DeviceMemory, DeviceMemoryError, Devices,
        Driver, OnDevice, OpenClError, QueueOptions, Role, Storage,
    },
    testing::REQUIRE_VARIABLE,
};
use windrow_operators::{
    functions::{FastCorners, FastSettings, GaussianPyramid, Levels, UnsharpMask, UnsharpSettings},
    half_scale_gaussian5x5,
};

/// A device, with counters of its own; silent where there is none.
fn memory() -> Option<(Driver, DeviceMemory)> {
    memory_with(QueueOptions::default())
}

fn memory_with(queue: QueueOptions) -> Option<(Driver, DeviceMemory)> {
    let is_required = std::env::var(REQUIRE_VARIABLE).is_ok_and(|targets| targets.contains("opencl"));
    let driver = Driver::new();
    let context = Devices::find_with(&driver).and_then(|devices| {
        Context::with_options(&driver, devices.choose()?, &ContextOptions { queue, ..Default::default() })
    });
    match context {
        Ok(context) => Some((driver, DeviceMemory::new(&context))),
        Err(error) if error.is_absence() && !is_required => {
            println!("not run: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn image(width: usize, height: usize) -> Tensor<u8> {
    Tensor::from_fn([height, width], |[y, x]| (x * 31 + y * 17 + x * y) as u8 ^ (x as u8 >> 3)).unwrap()
}

fn on_device(memory: &DeviceMemory, planner: Planner) -> (Arc<DeviceManager>, OnDevice) {
    let manager = Arc::new(DeviceManager::new(memory, planner));
    (manager.clone(), OnDevice::new(manager))
}

/// Runs a function of one input, with outputs of these sizes.
fn run(function: &dyn Function, src: &Tensor<u8>, sizes: &[[usize; 2]]) -> Vec<Vec<u8>> {
    let mut outputs: Vec<_> = sizes.iter().map(|size| Tensor::<u8>::new(*size).unwrap()).collect();
    let mut views: Vec<_> = outputs.iter_mut().map(|output| output.view_mut().any()).collect();
    function.run(&Serial, &[src.view().any()], &mut views).unwrap();
    drop(views);
    outputs.iter().map(Tensor::to_vec).collect()
}

/// What a second run did beside launching kernels and moving the caller's images.
fn more_than_a_run(counters: &Counters) -> [u64; 3] {
    [counters.allocations(), counters.builds(), counters.calls(Call::CreateKernel)]
}

#[test]
fn a_pyramid_is_the_processors() {
    let Some((driver, memory)) = memory() else { return };
    let heap = Whole::immediate(Arc::new(Heap));
    let src = image(61, 45);
    for planner in [Planner::Arena, Planner::Pooled] {
        let (manager, device) = on_device(&memory, planner);
        for levels in [Levels::All(3), Levels::Coarsest(3)] {
            let configure = |place| GaussianPyramid::configure(src.info(), levels, Border::Replicate, place).unwrap();
            let (here, there) = (configure(&heap), configure(&device));
            let size = |info: &TensorInfo| [info.height(), info.width()];
            let sizes: Vec<_> = (0..).map_while(|level| there.level(level)).map(size).collect();
            manager.populate(1).unwrap();
            let expected = run(&here, &src, &sizes);
            assert_eq!(run(&there, &src, &sizes), expected, "{planner:?}, {levels:?}");
            let before = driver.counters();
            assert_eq!(run(&there, &src, &sizes), expected);
            let since = driver.counters().since(&before);
            assert_eq!((more_than_a_run(&since), since.launches()), ([0; 3], 3), "{planner:?}, {levels:?}");
        }
    }
    drop(memory);
    assert_eq!((driver.counters().live(), driver.counters().failed_releases()), (0, 0));
}

#[test]
fn an_unsharp_mask_is_the_processors() {
    let Some((driver, memory)) = memory() else { return };
    let allocator: Arc<dyn Allocator> = Arc::new(Heap);
    let weights = || {
        let mut weights = Allocation::new(&allocator, TensorInfo::of::<f32>(&[5, 5]).unwrap()).unwrap();
        let mut view = weights.view_mut().typed::<f32>().unwrap();
        (0..25).for_each(|k| assert!(view.set([k / 5, k % 5], (1 + k * 7 % 11) as f32)));
        weights
    };
    let (src, settings) = (image(53, 40), UnsharpSettings { amount: 300, border: Border::constant(7u8) });
    let (manager, device) = on_device(&memory, Planner::Arena);
    let configure = |place| UnsharpMask::configure(src.info(), weights(), settings, place).unwrap();
    let (here, there) = (configure(&Whole::immediate(Arc::new(Heap))), configure(&device));
    manager.populate(1).unwrap();
    let expected = run(&here, &src, &[[40, 53]]);
    assert_eq!(run(&there, &src, &[[40, 53]]), expected);
    let before = driver.counters();
    assert_eq!(run(&there, &src, &[[40, 53]]), expected);
    let since = driver.counters().since(&before);
    assert_eq!((more_than_a_run(&since), since.launches(), since.transfers()), ([0; 3], 2, 2));
}

#[test]
fn images_on_the_device_stay_there_and_failures_leave_the_chain_usable() {
    for out_of_order in [false, true] {
        if let Some((driver, memory)) = memory_with(QueueOptions { out_of_order, ..Default::default() }) {
            check_chain(&driver, &memory);
        }
    }
}

fn check_chain(driver: &Driver, memory: &DeviceMemory) {
    let src = image(40, 24);
    let blur = |from: &TensorInfo| {
        let to = TensorInfo::of::<u8>(&[from.height() / 2, from.width() / 2]).unwrap();
        half_scale_gaussian5x5::configure(from, &to, Border::Replicate).unwrap()
    };
    let manager = Arc::new(DeviceManager::new(memory, Planner::Arena));
    let mut chain = ChainBuilder::new();
    let input = chain.input(*src.info());
    let [half] = chain.add(&blur(src.info()), &[input]).unwrap();
    let [quarter] = chain.add(&blur(&chain.info(half).unwrap()), &[half]).unwrap();
    chain.output(quarter).unwrap();
    let chain = OnDevice::new(manager.clone()).finish(chain).unwrap();

    let from = DeviceImage::upload(memory.context(), &src.view().any()).unwrap();
    let to = memory.tensor(&TensorInfo::of::<u8>(&[6, 10]).unwrap(), Storage::Separate).unwrap();
    let run_chain = || chain.try_run_on(from_ref(&from), from_ref(&to));
    assert_eq!(
        run_chain(),
        Err(FunctionError::Executor(ExecutorError::new(OpenClError::Memory(DeviceMemoryError::Blocks(
            MemoryError::NotPopulated
        )))))
    );
    manager.populate(1).unwrap();
    run_chain().unwrap();
    let mut found = Tensor::<u8>::new([6, 10]).unwrap();
    to.download(&to.info().valid_region(), &mut found.view_mut().any()).unwrap();
    let place = Whole::immediate(Arc::new(Heap));
    let here = GaussianPyramid::configure(src.info(), Levels::Coarsest(2), Border::Replicate, &place).unwrap();
    assert_eq!(vec![found.to_vec()], run(&here, &src, &[[6, 10]]));
    let before = driver.counters();
    run_chain().unwrap();
    let since = driver.counters().since(&before);
    assert_eq!((more_than_a_run(&since), since.launches(), since.transfers()), ([0; 3], 2, 0));

    for call in Call::ALL.iter().copied().filter(|call| since.calls(*call) > 0) {
        let lost = driver.counters().failed_releases();
        driver.fail(call, 0, -5);
        // The work was done where the driver refuses to take an object back, which is counted, or to say whether an
        // earlier command is over, which is asked again.
        let told = match call.role() {
            Role::Release(_) => run_chain().is_ok() && driver.counters().failed_releases() == lost + 1,
            _ if call == Call::GetEventInfo => run_chain().is_ok(),
            _ => run_chain().is_err() && driver.counters().failed_releases() == lost,
        };
        assert!(told, "a failure of {call} is not told");
        assert!(!driver.is_failure_pending());
        run_chain().unwrap_or_else(|error| panic!("after a failure of {call}: {error}"));
    }
    let error = chain.run_on(from_ref(&to), from_ref(&to)).unwrap_err();
    assert_eq!(error.to_string(), "`an input` on the device is 6×10 of u8, expected 24×40 of u8");
    assert!(matches!(chain.run_on(&[], &[]), Err(FunctionError::ImageCount { expected: 1, .. })));
    let other = Context::with_driver(driver, memory.context().device()).unwrap();
    let foreign = DeviceImage::upload(&other, &src.view().any()).unwrap();
    let error = chain.run_on(from_ref(&foreign), from_ref(&to)).unwrap_err();
    assert!(error.to_string().starts_with("an input belongs to"), "{error}");
}

#[test]
fn corners_are_listed_as_by_the_processor() {
    let Some((driver, memory)) = memory() else { return };
    let src = Tensor::from_fn([45, 61], |[y, x]| if (y / 5 * 7 + x / 6 * 3) % 5 == 0 { 200u8 } else { 30 }).unwrap();
    let (manager, device) = on_device(&memory, Planner::Arena);
    let settings = FastSettings { threshold: 20, suppress: true };
    let configure = |place| FastCorners::configure(src.info(), settings, 50, place).unwrap();
    let (here, there) = (configure(&Whole::immediate(Arc::new(Heap))), configure(&device));
    manager.populate(1).unwrap();
    let corners = |function: &dyn Function| {
        let (mut places, mut strengths) = (Tensor::<[i32; 2]>::new([50]).unwrap(), Tensor::<u8>::new([50]).unwrap());
        let mut count = Tensor::<i32>::new([1]).unwrap();
        let mut outputs = [places.view_mut().any(), strengths.view_mut().any(), count.view_mut().any()];
        function.run(&Serial, &[src.view().any()], &mut outputs).unwrap();
        (places.to_vec(), strengths.to_vec(), count.to_vec())
    };
    let expected = corners(&here);
    assert!(expected.2[0] > 10, "{expected:?}");
    assert_eq!(corners(&there), expected);
    let before = driver.counters();
    assert_eq!(corners(&there), expected);
    assert_eq!(more_than_a_run(&driver.counters().since(&before)), [0; 3]);
}
