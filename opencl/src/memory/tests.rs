//! Sizes against recorded ones, and memory on a device. Pools themselves are tested in `pools`.

mod pools;

use super::{mode::check_image, *};
use crate::{
    Buffer, Call, Context, ContextOptions, DeviceCaps, Devices, Driver, FloatFormat, Gpu, OpenClError,
    driver::{
        DriverError,
        handle::{Handle, MemoryObject},
    },
    hint::Hint,
    testing::recorded,
};
use opencl3::memory::CL_MEM_SIZE;
use std::sync::Arc;
use windrow_runtime::{
    ElementType,
    dtype::DType,
    info::TensorInfo,
    memory::{Lifetime, Planner},
    region::ValidRegion,
    tensor::Tensor,
};

#[test]
fn sizes_are_those_recorded() {
    let tensor = Tensor4 { n: 1, c: 3, h: 5, w: 7 };
    let elements = Packing::ALL.map(|packing| packing.elements(tensor));
    assert_eq!(elements, [Some(384), Some(244), Some(108)]);
    assert_eq!(Packing::ByEights.bytes(tensor, ElementType::F32), Some(4 * 384));
    assert_eq!((Packing::vector_elements(9), Packing::vector_elements(usize::MAX)), (Some(12), None));
    let image = tensor.image(ElementType::U8).unwrap();
    assert_eq!((image.width, image.height, image.bytes()), (7, 5, 140));
    let two = Tensor4 { n: 2, c: 5, h: 3, w: 4 };
    let image = two.image(ElementType::I16).unwrap();
    assert_eq!((image.width, image.height, two.place(1, 1)), (8, 6, [4, 3]));
    let vast = Tensor4 { n: usize::MAX, c: 9, h: 1, w: usize::MAX };
    assert_eq!((Packing::ALL.map(|packing| packing.elements(vast)), vast.image(ElementType::U8)), ([None; 3], None));
}

#[test]
fn forms_follow_from_what_is_known_of_a_device() {
    let small = ImageShape { width: 64, height: 64, element: ElementType::U8, channels: ImageChannels::Four };
    let wide = ImageShape { width: 16385, ..small };
    let (mali, adreno) = (recorded::mali(), recorded::adreno());
    let blind = DeviceCaps { images: None, ..recorded::adreno() };
    let rows = [
        (MemMode::Auto, &mali, small, Some((MemForm::Buffer, MemFormReason::Family))),
        (MemMode::Auto, &adreno, small, Some((MemForm::Image, MemFormReason::Family))),
        (MemMode::Auto, &adreno, wide, Some((MemForm::Buffer, MemFormReason::TooLarge))),
        (MemMode::Auto, &blind, small, Some((MemForm::Buffer, MemFormReason::NoImages))),
        (MemMode::Image, &mali, small, Some((MemForm::Image, MemFormReason::Asked))),
        (MemMode::Image, &mali, wide, None),
        (MemMode::Image, &blind, small, None),
        (MemMode::Buffer, &adreno, small, Some((MemForm::Buffer, MemFormReason::Asked))),
    ];
    for (mode, caps, image, expected) in rows {
        assert_eq!(mode.choose(caps, &[image]).ok(), expected, "{mode} on {}", caps.name);
    }
    let error = MemMode::Image.choose(&mali, &[wide]).unwrap_err();
    assert_eq!(error.to_string(), "an image of 16385×64 pixels, the device takes 1×1 to 16384×16384");
    assert!(MemMode::Image.choose(&blind, &[]).unwrap_err().is_absence());
    assert!(check_image(&mali, &ImageShape { height: 0, ..small }).is_err());
}

fn memory() -> Option<(Driver, DeviceMemory)> {
    memory_with(&ContextOptions::default())
}

fn memory_with(options: &ContextOptions) -> Option<(Driver, DeviceMemory)> {
    let driver = Driver::new();
    let context =
        Devices::find_with(&driver).and_then(|devices| Context::with_options(&driver, devices.choose()?, options));
    match context {
        Ok(context) => Some((driver, DeviceMemory::new(&context))),
        Err(error) if error.is_absence() => {
            eprintln!("not run: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

const SHAPE: ImageShape = ImageShape { width: 6, height: 4, element: ElementType::U8, channels: ImageChannels::Four };

#[test]
fn counters_are_the_sum_of_the_drivers_sizes() {
    let Some((driver, memory)) = memory() else { return };
    let sizes = [1, 100, 5000, 70_000];
    let buffers: Vec<Buffer> = sizes
        .into_iter()
        .zip(Storage::ALL.into_iter().cycle())
        .map(|(size, storage)| memory.buffer(size, storage).unwrap())
        .collect();
    let images: Vec<Image2d> = Storage::ALL.map(|storage| memory.image(SHAPE, storage).unwrap()).into();
    let size = |handle: &Handle<MemoryObject>| handle.number(CL_MEM_SIZE).unwrap();
    let all = buffers.iter().map(|buffer| size(buffer.memory())).chain(images.iter().map(|image| size(image.handle())));
    let live: u64 = all.sum();
    assert_eq!(memory.counters(), PoolCounters { resident: live, live, free: 0, peak: live, made: 7, reused: 0 });
    let separate = size(buffers[2].memory()) + size(images[2].handle());
    drop((images, buffers));
    let free = live - separate;
    assert_eq!(memory.counters(), PoolCounters { resident: free, live: 0, free, peak: live, made: 7, reused: 0 });
    // The pools of what stays and of what passes do not mix.
    let again = memory.buffer(1, Storage::Static).unwrap();
    assert_eq!((again.len(), memory.counters().reused), (1, 1));
    drop(memory.buffer(1, Storage::Dynamic).unwrap());
    assert_eq!((memory.counters().made, memory.counters().reused), (7, 2));
    let made = driver.counters().allocations();
    drop(again);
    memory.trim();
    assert_eq!((memory.counters().resident, driver.counters().allocations()), (0, made));
    drop(memory);
    assert_eq!((driver.counters().live(), driver.counters().failed_releases()), (0, 0));
}

#[test]
fn long_rows_of_tensors_are_aligned_and_hold_what_was_written() {
    let Some((_driver, memory)) = memory() else { return };
    let strides = |dtype, channels, extents: &[usize], format| {
        let info = TensorInfo::new(dtype, channels, extents).unwrap();
        memory.aligned_tensor_as(&info, format, Storage::Dynamic).unwrap().info().strides().to_vec()
    };
    let full = FloatFormat::F32;
    assert_eq!(strides(DType::U8, 1, &[5, 513], full), [576, 1]);
    assert_eq!(strides(DType::U8, 3, &[2, 5, 171], full), [5 * 576, 576, 3]);
    assert_eq!(strides(DType::F32, 1, &[5, 257], full), [4 * 272, 4]);
    // Half as far apart on the device.
    assert_eq!(strides(DType::F32, 1, &[5, 257], FloatFormat::F16), [2 * 576, 4]);
    // Short rows, rows that are aligned as they are, and a single one lie without gaps.
    assert_eq!(strides(DType::U8, 1, &[5, 511], full), [511, 1]);
    assert_eq!(strides(DType::U8, 1, &[5, 640], full), [640, 1]);
    assert_eq!(strides(DType::U8, 1, &[513], full), [1]);
    assert_eq!(strides(DType::U8, 1, &[0, 513], full), [576, 1]);

    let gpu = Gpu::new(memory.context());
    assert_eq!(gpu.tensor::<u8, 2>([5, 513]).unwrap().info().strides(), [576, 1]);
    // A gap in each row is more than there are addresses; what lies without gaps is more than a device has.
    let vast = TensorInfo::new(DType::U8, 1, &[1, (1 << 24) - (1 << 18), 1 << 30, 513]).unwrap();
    assert!(memory.aligned_tensor_as(&vast, full, Storage::Dynamic).is_err());

    let info = TensorInfo::of::<u8>(&[2, 5, 513]).unwrap();
    assert_eq!(memory.tensor(&info, Storage::Dynamic).unwrap().info().strides(), [5 * 513, 513, 1]);
    let image = memory.aligned_tensor_as(&info, full, Storage::Dynamic).unwrap();
    let written = Tensor::from_vec((0..2 * 5 * 513).map(|place| place as u8).collect(), [2, 5, 513]).unwrap();
    image.write(&written.view().any()).unwrap();
    let mut read = Tensor::from_vec(vec![0_u8; 2 * 5 * 513], [2, 5, 513]).unwrap();
    image.download(&ValidRegion::whole(info.shape()), &mut read.view_mut().any()).unwrap();
    assert_eq!(read.to_vec(), written.to_vec());
}

#[test]
fn memory_that_is_not_in_use_goes_back_at_once_where_asked() {
    let options = ContextOptions { hints: vec![Hint::LowMemory], ..Default::default() };
    let Some((driver, memory)) = memory_with(&options) else { return };
    drop((memory.buffer(100, Storage::Static).unwrap(), memory.buffer(100, Storage::Dynamic).unwrap()));
    assert_eq!((memory.counters().resident, memory.counters().made), (0, 2));
    drop(memory.image(SHAPE, Storage::Dynamic).unwrap());
    drop(memory);
    assert_eq!(driver.counters().live(), 0);
}

#[test]
fn exhaustion_is_an_error_and_the_next_call_works() {
    const ALLOCATION_FAILURE: i32 = -4;
    const INVALID_VALUE: i32 = -30;
    let Some((driver, memory)) = memory() else { return };
    let held = memory.buffer(1000, Storage::Dynamic).unwrap();
    let resident = memory.counters().resident;
    driver.fail(Call::CreateBuffer, 0, ALLOCATION_FAILURE);
    let error = memory.buffer(9000, Storage::Dynamic).unwrap_err();
    assert!(
        matches!(&error, DeviceMemoryError::OutOfMemory { bytes: 9000, resident: found, .. } if *found == resident),
        "{error}"
    );
    driver.fail(Call::CreateImage, 0, ALLOCATION_FAILURE);
    assert!(matches!(memory.image(SHAPE, Storage::Dynamic), Err(DeviceMemoryError::OutOfMemory { .. })));
    // A failure of another kind keeps its name.
    driver.fail(Call::CreateBuffer, 0, INVALID_VALUE);
    assert!(matches!(
        memory.buffer(9000, Storage::Dynamic),
        Err(DeviceMemoryError::Driver(DriverError::Call { code: INVALID_VALUE, .. }))
    ));
    driver.fail(Call::GetMemoryInfo, 0, INVALID_VALUE);
    assert!(memory.buffer(9000, Storage::Dynamic).is_err());
    assert_eq!(memory.counters().resident, resident);
    drop(memory.buffer(9000, Storage::Dynamic).unwrap());
    // Free blocks go back before the driver is asked again.
    driver.fail(Call::CreateBuffer, 0, ALLOCATION_FAILURE);
    let larger = memory.buffer(90_000, Storage::Dynamic).unwrap();
    assert_eq!(memory.counters().free, 0);
    larger.write(89_999, &[7]).unwrap();
    drop((memory, held, larger));
    assert_eq!(driver.counters().live(), 0);
}

#[test]
fn parts_share_their_whole_and_keep_it_alive() {
    let Some((driver, memory)) = memory() else { return };
    let manager = DeviceManager::new(&memory, Planner::Arena);
    let (alignment, whole) = (manager.alignment(), Arc::new(memory.buffer(1 << 16, Storage::Dynamic).unwrap()));
    let part = Arc::new(Buffer::part(&whole, alignment, 64).unwrap());
    part.write(3, &[1, 2, 3]).unwrap();
    let mut found = [0; 3];
    whole.read(alignment + 3, &mut found).unwrap();
    assert_eq!(found, [1, 2, 3]);
    let error = Buffer::part(&whole, alignment + 1, 8).unwrap_err();
    assert!(matches!(error, DeviceMemoryError::Misaligned { .. }), "{error}");
    assert!(matches!(Buffer::part(&whole, 1 << 16, 1), Err(DeviceMemoryError::OutOfRange { .. })));
    // A part of a part is one of the whole.
    let inner = Buffer::part(&part, 0, 8).unwrap();
    assert_eq!(inner.place(), (whole.place().0, alignment));
    drop((whole, part));
    assert!(memory.counters().live > 0);
    inner.read(3, &mut found).unwrap();
    assert_eq!(found, [1, 2, 3]);
    drop(inner);
    assert_eq!(memory.counters().live, 0);
    drop((manager, memory));
    assert_eq!(driver.counters().live(), 0);
}

#[test]
fn plans_are_served_with_parts_that_are_made_once() {
    let Some((driver, memory)) = memory() else { return };
    for planner in [Planner::Arena, Planner::Pooled] {
        let manager = DeviceManager::new(&memory, planner);
        let claim = |size, first, last| Lifetime { size, alignment: 1, first, last };
        let plan = manager.plan(&[claim(1000, 0, 1), claim(300, 1, 2), claim(900, 2, 3), claim(0, 3, 3)]);
        assert!(manager.try_acquire(&plan).is_err());
        manager.populate(1).unwrap();
        let mut made = None;
        for _ in 0..3 {
            let mut acquired = manager.try_acquire(&plan).unwrap();
            let [first, second, third, last] =
                [(0, 1000), (1, 300), (2, 900), (3, 0)].map(|(index, size)| acquired.part(&plan, index, size).unwrap());
            first.write(0, &[5; 1000]).unwrap();
            second.write(0, &[6; 300]).unwrap();
            assert_ne!(first.place(), second.place());
            third.write(0, &[7; 900]).unwrap();
            let mut found = [0; 300];
            second.read(0, &mut found).unwrap();
            assert_eq!(found, [6; 300]);
            last.write(0, &[8]).unwrap();
            assert!(plan.size() < 1000 + 300 + 900 + 4 * manager.alignment());
            let allocations = driver.counters().allocations();
            assert_eq!(*made.get_or_insert(allocations), allocations, "{planner:?}: a later run allocates");
            assert!(manager.populate(1).is_err() && manager.counters().live == plan.size());
        }
        manager.clear().unwrap();
        assert_eq!(memory.counters().live, 0);
    }
}

#[test]
fn pixels_come_back_and_boxes_keep_to_their_image() {
    let Some((_, memory)) = memory() else { return };
    if memory.context().device().images.is_none() {
        return;
    }
    let image = memory.image(SHAPE, Storage::Dynamic).unwrap();
    let pixels: Vec<u8> = (0..96).collect();
    image.write(&pixels).unwrap();
    let mut found = vec![0; 96];
    image.read(&mut found).unwrap();
    assert_eq!(found, pixels);
    // A box of 2×3 pixels goes to a buffer and to another place.
    let buffer = memory.buffer(64, Storage::Dynamic).unwrap();
    image.copy_to([1, 1], [2, 3], &buffer, 16).unwrap();
    image.copy_from([4, 0], [2, 3], &buffer, 16).unwrap();
    image.read(&mut found).unwrap();
    let at = |x: usize, y: usize| (y * 6 + x) * 4;
    assert_eq!(found[at(4, 0)..at(6, 0)], pixels[at(1, 1)..at(3, 1)]);
    assert!(matches!(
        image.copy_from([5, 0], [2, 1], &buffer, 0),
        Err(OpenClError::Memory(DeviceMemoryError::OutsideImage { x: 5, .. }))
    ));
    assert!(matches!(
        image.copy_to([0, 0], [6, 4], &buffer, 0),
        Err(OpenClError::Memory(DeviceMemoryError::OutOfRange { .. }))
    ));
    assert!(image.write(&pixels[1..]).is_err());
    let limits = memory.context().device().images.unwrap();
    let wide = ImageShape { width: limits.width as usize + 1, ..SHAPE };
    assert!(matches!(memory.image(wide, Storage::Dynamic), Err(DeviceMemoryError::ImageSize { .. })));
}
