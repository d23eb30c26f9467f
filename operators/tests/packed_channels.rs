//! Channels by fours: every element at its place, zeros beside the last channel, and the planes as they were afterwards.

#![cfg(feature = "std")]

use std::sync::Arc;

use windrow::{
    Serial, Tensor,
    chain::{Executor, Function, Whole},
    memory::Heap,
};
use windrow_operators::functions::{PackChannels, UnpackChannels};

const SIZE: [usize; 2] = [5, 7];
const PIXELS: usize = SIZE[0] * SIZE[1];

fn planes(channels: usize) -> Vec<Tensor<f32>> {
    let element = |channel: usize| move |[y, x]: [usize; 2]| (1 + x + 10 * y + 100 * channel) as f32;
    (0..channels).map(|channel| Tensor::from_fn(SIZE, element(channel)).unwrap()).collect()
}

/// The planes packed, one after the other, and unpacked again.
fn there_and_back(planes: &[Tensor<f32>], place: &dyn Executor, ready: impl Fn()) -> (Vec<[f32; 4]>, Vec<Vec<f32>>) {
    let (info, channels) = (planes[0].info(), planes.len());
    let pack = PackChannels::configure(info, channels, place).unwrap();
    let unpack = UnpackChannels::configure(info, channels, place).unwrap();
    ready();
    let mut packed: Vec<_> = (0..channels.div_ceil(4)).map(|_| Tensor::<[f32; 4]>::new(SIZE).unwrap()).collect();
    let inputs: Vec<_> = planes.iter().map(|plane| plane.view().any()).collect();
    let mut outputs: Vec<_> = packed.iter_mut().map(|plane| plane.view_mut().any()).collect();
    pack.run(&Serial, &inputs, &mut outputs).unwrap();
    drop(outputs);
    let mut back: Vec<_> = (0..channels).map(|_| Tensor::<f32>::new(SIZE).unwrap()).collect();
    let inputs: Vec<_> = packed.iter().map(|plane| plane.view().any()).collect();
    let mut outputs: Vec<_> = back.iter_mut().map(|plane| plane.view_mut().any()).collect();
    unpack.run(&Serial, &inputs, &mut outputs).unwrap();
    drop(outputs);
    (packed.iter().flat_map(Tensor::to_vec).collect(), back.iter().map(Tensor::to_vec).collect())
}

fn check(planes: &[Tensor<f32>], packed: &[[f32; 4]], back: &[Vec<f32>]) {
    let originals: Vec<_> = planes.iter().map(Tensor::to_vec).collect();
    assert_eq!(back, originals);
    assert_eq!(packed.len(), planes.len().div_ceil(4) * PIXELS);
    for (index, pixel) in packed.iter().enumerate() {
        for (lane, found) in pixel.iter().enumerate() {
            let plane = originals.get(index / PIXELS * 4 + lane);
            assert_eq!(*found, plane.map_or(0.0, |plane| plane[index % PIXELS]), "pixel {index}, lane {lane}");
        }
    }
}

#[test]
fn planes_come_back_however_many_there_are() {
    for channels in [1, 2, 3, 4, 5, 8, 9] {
        let planes = planes(channels);
        let (packed, back) = there_and_back(&planes, &Whole::immediate(Arc::new(Heap)), || {});
        check(&planes, &packed, &back);
    }
}

/// The same on a device, and on from its buffers to an image and back.
#[cfg(feature = "opencl")]
#[test]
fn packed_planes_lie_in_buffers_and_images_by_the_formulas() {
    use windrow::{
        ElementType,
        memory::Planner,
        opencl::{Context, DeviceManager, DeviceMemory, OnDevice, Storage, Tensor4},
        testing::REQUIRE_VARIABLE,
    };
    let is_required = std::env::var(REQUIRE_VARIABLE).is_ok_and(|targets| targets.contains("opencl"));
    let context = match Context::open() {
        Ok(context) => context,
        Err(error) if error.is_absence() && !is_required => return println!("not run: {error}"),
        Err(error) => panic!("{error}"),
    };
    let memory = DeviceMemory::new(&context);
    for channels in [3, 6] {
        let (planes, [h, w]) = (planes(channels), SIZE);
        let tensor = Tensor4 { n: 1, c: channels, h, w };
        let manager = Arc::new(DeviceManager::new(&memory, Planner::Arena));
        let populate = || manager.populate(1).unwrap();
        let (packed, back) = there_and_back(&planes, &OnDevice::new(manager.clone()), populate);
        check(&planes, &packed, &back);
        let elements: Vec<f32> = packed.concat();
        for (channel, plane) in planes.iter().enumerate() {
            for (index, element) in plane.to_vec().into_iter().enumerate() {
                assert_eq!(elements[tensor.offset(0, channel, index / w, index % w).unwrap()], element);
            }
        }
        if context.device().images.is_none() {
            continue;
        }
        let bytes: Vec<u8> = elements.iter().flat_map(|element| element.to_ne_bytes()).collect();
        let [from, to] = [0, 1].map(|_| memory.buffer(bytes.len(), Storage::Dynamic).unwrap());
        let image = memory.image(tensor.image(ElementType::F32).unwrap(), Storage::Dynamic).unwrap();
        from.write(0, &bytes).unwrap();
        for group in 0..tensor.groups() {
            let offset = group * PIXELS * 16;
            image.copy_from(tensor.place(0, group), [w, h], &from, offset).unwrap();
            image.copy_to(tensor.place(0, group), [w, h], &to, offset).unwrap();
        }
        let (mut found, mut pixels) = (vec![0; bytes.len()], vec![0; bytes.len()]);
        to.read(0, &mut found).unwrap();
        assert_eq!(found, bytes);
        image.read(&mut pixels).unwrap();
        for (index, pixel) in bytes.chunks(16).enumerate() {
            let (group, x, y) = (index / PIXELS, index % w, index % PIXELS / w);
            let place = (y * image.shape().width + group * w + x) * 16;
            assert_eq!(&pixels[place..place + 16], pixel, "group {group}, ({x}, {y})");
        }
    }
}
