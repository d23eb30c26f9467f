//! Runs a chain in every place, and compares.

use std::{fmt::Debug, sync::Arc};
use windrow::{
    AnyView, Element,
    chain::*,
    memory::{Heap, MemoryManager, Planner},
    opencl::{Context, ContextOptions, DeviceManager, DeviceMemory, Devices, Driver, MemMode, OnDevice},
    prelude::*,
    testing::REQUIRE_VARIABLE,
};

/// Where a chain runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Whole,
    Bands,
    Device,
}

/// The device of the machine; none where there is none, and none is required.
pub fn device() -> Option<DeviceMemory> {
    let is_required = std::env::var(REQUIRE_VARIABLE).is_ok_and(|targets| targets.contains("opencl"));
    let driver = Driver::new();
    let open = |devices: Devices| Context::with_options(&driver, devices.choose()?, &ContextOptions::default());
    match Devices::find_with(&driver).and_then(open) {
        Ok(context) => Some(DeviceMemory::new(&context)),
        Err(error) if error.is_absence() && !is_required => {
            println!("not run: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

pub fn whole() -> Whole {
    Whole::immediate(Arc::new(Heap))
}

/// Elements without a pattern.
pub fn image<T: Element + TryFrom<usize>>(seed: usize, extents: [usize; 2]) -> Tensor<T> {
    let noise = |[y, x]: [usize; 2]| (x * 31 + y * 17 + seed * 7 + x * y * 3) % 127;
    Tensor::from_fn(extents, |at| T::try_from(noise(at)).unwrap_or_default()).unwrap()
}

/// Runs the chain whole (its memory managed, and not), in bands of all sizes, and on the device, over buffers and over images; the
/// outputs are `expected`. Where `refused` names a stage and a part of a reason for a place, it is refused there for that.
pub fn everywhere<T: Element + Debug>(
    build: &dyn Fn() -> ChainBuilder,
    inputs: &[AnyView<'_>],
    expected: &[Vec<T>],
    refused: impl Fn(Place) -> Option<(&'static str, &'static str)>,
) {
    let manager = Arc::new(MemoryManager::new(Planner::Arena));
    let mut executors: Vec<(Place, Box<dyn Executor>)> = vec![
        (Place::Whole, Box::new(whole())),
        (Place::Whole, Box::new(Whole::managed(manager.clone()))),
        (Place::Bands, Box::new(InBands { cache: 0 })),
        (Place::Bands, Box::new(InBands { cache: CACHE })),
    ];
    let memory = device();
    let devices = memory.as_ref().map(|memory| Arc::new(DeviceManager::new(memory, Planner::Arena)));
    if let Some(devices) = &devices {
        executors.push((Place::Device, Box::new(OnDevice::new(devices.clone()))));
        executors.push((Place::Device, Box::new(OnDevice::new(devices.clone()).with_mode(MemMode::Auto))));
    }
    for (place, executor) in executors {
        let chain = match (build().compose(&*executor), refused(place)) {
            (Ok(chain), None) => chain,
            (Err(error), Some((stage, reason))) => {
                let text = error.to_string();
                assert!(text.contains(&format!("`{stage}`")) && text.contains(reason), "{place:?}: {text}");
                continue;
            }
            (Err(error), None) => panic!("{place:?}: {error}"),
            (Ok(_), Some((stage, _))) => panic!("{place:?}: `{stage}` was not refused"),
        };
        manager.populate(Arc::new(Heap), 1).unwrap();
        if let Some(devices) = &devices {
            devices.populate(1).map_err(|error| error.to_string()).unwrap();
        }
        let infos: Vec<&TensorInfo> = inputs.iter().map(AnyView::info).collect();
        let shapes = chain.infer(&infos).unwrap();
        for round in 0..2 {
            let mut outputs: Vec<Tensor<T>> =
                shapes.iter().map(|info| Tensor::new([info.height(), info.width()]).unwrap()).collect();
            let mut views: Vec<_> = outputs.iter_mut().map(|output| output.view_mut().any()).collect();
            if let Err(error) = chain.run(&Rayon::new().with_grain(1), inputs, &mut views) {
                panic!("{place:?}, round {round}: {error}");
            }
            drop(views);
            for (number, (output, expected)) in outputs.iter().zip(expected).enumerate() {
                assert_eq!(&output.to_vec(), expected, "{place:?}, round {round}, output {number}");
            }
        }
    }
}
