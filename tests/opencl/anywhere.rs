//! Kernels that read images anywhere: whatever the images' sizes, layouts and planes are, wherever the run is begun from, and what is
//! refused.

use crate::case::{contexts, distance, image, read};
use std::sync::{Arc, Mutex};
use windrow::{
    Configured, Element, InvalidConfiguration, Kernel, Rect, RunError, Serial, Tensor, TensorInfo, ValidRegion, View,
    chain::{ChainBuilder, Executor, Function},
    memory::Planner,
    opencl::{
        Buffer, ByStage, Context, DeviceImage, DeviceManager, DeviceMemory, FloatFormat, Gpu, MemForm, MemFormReason,
        MemMode, NoImageForm, OnDevice, OpenClError, OpenClKernel, Precision, Recording, StagePlace, TuneLevel,
        TuneMode, TuneSettings, Tuner,
    },
    prelude::*,
};

/// The nearest element of an image of another size.
#[kernel]
pub fn nearest([y, x]: At<2>, src: View<u8>, #[uniform(0.0..=64.0)] step: [f32; 2]) -> u8 {
    let [height, width] = src.extents();
    let row = ((y as f32 + 0.5) * step[0]) as i32;
    let column = ((x as f32 + 0.5) * step[1]) as i32;
    src.get([row.min(height - 1), column.min(width - 1)]).unwrap_or(0)
}

/// Between the four nearest elements.
#[kernel]
pub fn bilinear([y, x]: At<2>, src: View<[u8; 3]>, #[uniform(0.0..=64.0)] step: [f32; 2]) -> [u8; 3] {
    let [height, width] = src.extents();
    let v = (y as f32 + 0.5) * step[0] - 0.5;
    let u = (x as f32 + 0.5) * step[1] - 0.5;
    let (top, left) = (v.floor(), u.floor());
    let (down, right) = (v - top, u - left);
    let (row, column) = ((top as i32).clamp(-1, height - 1), (left as i32).clamp(-1, width - 1));
    let at = |dy: i32, dx: i32| {
        src.get([(row + dy).clamp(0, height - 1), (column + dx).clamp(0, width - 1)]).unwrap_or([0; 3])
    };
    let (a, b, c, d) = (at(0, 0), at(0, 1), at(1, 0), at(1, 1));
    [0, 1, 2].map(|k| {
        let upper = a[k] as f32 + right * (b[k] as f32 - a[k] as f32);
        let lower = c[k] as f32 + right * (d[k] as f32 - c[k] as f32);
        (upper + down * (lower - upper) + 0.5) as u8
    })
}

/// An image at the rows and columns that another says; a level where there is nothing.
#[kernel]
pub fn remap(rows: f32, columns: f32, src: View<f32>, level: f32) -> f32 {
    src.get([rows as i32, columns as i32]).unwrap_or(level)
}

/// Outputs, and images that are read.
const SIZES: [[[usize; 2]; 2]; 6] = [
    [[1, 1], [1, 1]],
    [[9, 37], [1, 1]],
    [[9, 37], [3, 2]],
    [[6, 40], [23, 61]],
    [[1, 33], [40, 1]],
    [[22, 5], [7, 90]],
];

fn step([height, width]: [usize; 2], [rows, columns]: [usize; 2]) -> [f32; 2] {
    [rows as f32 / height as f32, columns as f32 / width as f32]
}

fn upload<T: Element>(context: &Context, image: &Tensor<T>) -> DeviceImage {
    DeviceImage::upload(context, &image.view().any()).unwrap()
}

fn pixels(seed: usize, extents: [usize; 2]) -> Tensor<[u8; 3]> {
    let of = |[y, x]: [usize; 2], k: usize| (x * 31 + y * 57 + k * 91 + seed * 101 + (x * y) % 7) as u8;
    Tensor::from_fn(extents, |at| [0, 1, 2].map(|k| of(at, k))).unwrap()
}

/// What [`nearest`] gives of an image.
fn expected(src: View<'_, u8>, extents: [usize; 2]) -> Vec<u8> {
    let mut out = Tensor::<u8>::new(extents).unwrap();
    let configured = configured(src.info(), out.info());
    configured.run_reference(src, out.view_mut()).unwrap();
    out.to_vec()
}

fn configured(src: &TensorInfo, out: &TensorInfo) -> Configured<nearest> {
    let step = step([out.height(), out.width()], [src.height(), src.width()]);
    nearest::configure(src, step, out).unwrap()
}

#[test]
fn images_of_any_size_are_read_from_the_host_and_on_the_device() {
    for (context, [size, read_size]) in contexts().iter().flat_map(|context| SIZES.map(|sizes| (context, sizes))) {
        let (src, mut out) = (pixels(1, read_size), Tensor::<[u8; 3]>::new(size).unwrap());
        let configured = bilinear::configure(src.info(), step(size, read_size), out.info()).unwrap();
        let mut expected = out.clone();
        configured.run_reference(src.view(), expected.view_mut()).unwrap();
        let kernel = OpenClKernel::new(context, configured).unwrap();
        for _ in 0..2 {
            kernel.run(src.view(), out.view_mut()).unwrap();
            assert_eq!(out.to_vec(), expected.to_vec(), "{read_size:?} for {size:?}");
        }
        let (image, target) = (upload(context, &src), upload(context, &Tensor::<[u8; 3]>::new(size).unwrap()));
        kernel.run_on(&[image], &[], &[Some(target.clone())]).unwrap();
        target.download(&ValidRegion::whole(out.info().shape()), &mut out.view_mut().any()).unwrap();
        assert_eq!(out.to_vec(), expected.to_vec(), "{read_size:?} for {size:?}");
    }
}

#[test]
fn a_part_of_the_window_reads_all_of_the_image() {
    for context in contexts() {
        let (src, size) = (image(1, [23, 61]), [9, 37]);
        let mut out = Tensor::from_fn(size, |_| 0xCD).unwrap();
        let kernel = OpenClKernel::new(&context, configured(src.info(), out.info())).unwrap();
        let mut whole = Tensor::from_vec(expected(src.view(), size), size).unwrap();
        kernel.run_window(src.view(), out.view_mut(), Rect::new(5, 6, 30, 9)).unwrap();
        for (y, x) in (0..9).flat_map(|y| (0..37).map(move |x| (y, x))) {
            if !((6..9).contains(&y) && (5..30).contains(&x)) {
                assert!(whole.view_mut().set([y, x], 0xCD));
            }
        }
        assert_eq!(out.to_vec(), whole.to_vec());
    }
}

#[test]
fn views_of_any_strides_are_read() {
    for context in contexts() {
        let (src, size) = (image(1, [23, 61]), [9, 37]);
        let row = image(2, [1, 61]);
        let views = [
            src.view().flip(0).unwrap(),
            src.view().flip(1).unwrap(),
            src.view().permute([1, 0]).unwrap(),
            src.view().step(1, 3).unwrap().step(0, 2).unwrap(),
            src.view().region([3, 5], [11, 40]).unwrap(),
            row.view().broadcast_to([23, 61]).unwrap(),
        ];
        for view in views {
            let mut out = Tensor::<u8>::new(size).unwrap();
            let kernel = OpenClKernel::new(&context, configured(view.info(), out.info())).unwrap();
            kernel.run(view, out.view_mut()).unwrap();
            assert_eq!(out.to_vec(), expected(view, size), "{:?}", view.info());
        }
        // A part of an image on the device.
        let (part, view) = (upload(&context, &src).region(&[3, 5], &[11, 40]).unwrap(), views_region(&src));
        let target = DeviceImage::new(&context, &TensorInfo::of::<u8>(&size).unwrap()).unwrap();
        let kernel = OpenClKernel::new(&context, configured(view.info(), target.info())).unwrap();
        kernel.run_on(&[part], &[], &[Some(target.clone())]).unwrap();
        assert_eq!(read(&target), expected(view, size));
    }
}

fn views_region(src: &Tensor<u8>) -> View<'_, u8> {
    src.view().region([3, 5], [11, 40]).unwrap()
}

/// Plane by plane, or one plane for all.
#[test]
fn planes_are_those_of_the_output_or_one() {
    for context in contexts() {
        let src = Tensor::from_fn([3, 8, 11], |[z, y, x]| (z * 100 + y * 11 + x) as u8).unwrap();
        let flat = image(4, [8, 11]);
        let one = Tensor::from_vec(flat.to_vec(), [1, 8, 11]).unwrap();
        for view in [src.view().any(), flat.view().any(), one.view().any()] {
            let view = view.typed::<u8>().unwrap();
            let mut out = Tensor::<u8>::new([3, 9, 37]).unwrap();
            let configured = nearest::configure(view.info(), step([9, 37], [8, 11]), out.info()).unwrap();
            let mut expected = out.clone();
            configured.run_reference(view, expected.view_mut()).unwrap();
            let kernel = OpenClKernel::new(&context, configured).unwrap();
            kernel.run(view, out.view_mut()).unwrap();
            assert_eq!(out.to_vec(), expected.to_vec());
            let target = DeviceImage::new(&context, out.info()).unwrap();
            let image = DeviceImage::upload(&context, &view.any()).unwrap();
            kernel.run_on(&[image], &[], &[Some(target.clone())]).unwrap();
            let mut found = Tensor::<u8>::new([3, 9, 37]).unwrap();
            target.download(&ValidRegion::whole(out.info().shape()), &mut found.view_mut().any()).unwrap();
            assert_eq!(found.to_vec(), expected.to_vec());
        }
    }
}

/// What repeats stands beside what is read anywhere; floats in memory as halves too.
#[test]
fn places_come_from_another_image_and_levels_repeat() {
    let place = |seed: usize, most: usize| {
        Tensor::from_fn([9, 37], move |[y, x]| ((x * 7 + y * 5 + seed) % (most + 3)) as f32 - 1.0).unwrap()
    };
    let (rows, columns) = (place(0, 13), place(3, 21));
    let src = Tensor::from_fn([13, 21], |[y, x]| (y * 21 + x) as f32).unwrap();
    let level = Tensor::from_fn([9, 1], |[y, _]| -(y as f32)).unwrap();
    for (context, precision) in contexts()
        .iter()
        .flat_map(|context| [Precision::F32, Precision::F16Storage].map(|precision| (context, precision)))
    {
        let mut out = Tensor::<f32>::new([9, 37]).unwrap();
        let configured =
            || remap::configure(rows.info(), columns.info(), src.info(), level.info(), rows.info()).unwrap();
        let given = || (rows.view(), columns.view(), src.view(), level.view());
        let mut expected = out.clone();
        configured().run_reference(given(), expected.view_mut()).unwrap();
        let kernel = OpenClKernel::with_precision(context, configured(), precision).unwrap();
        kernel.run(given(), out.view_mut()).unwrap();
        // Whole numbers that halves have.
        assert_eq!(out.to_vec(), expected.to_vec(), "{precision}");
        let format = kernel.format();
        assert_eq!(format == FloatFormat::F16, precision == Precision::F16Storage);
        let images = [&rows, &columns, &src, &level]
            .map(|image| DeviceImage::upload_as(context, &image.view().any(), format).unwrap());
        let target = DeviceImage::new_as(context, out.info(), format).unwrap();
        for _ in 0..2 {
            kernel.run_on(&images, &[], &[Some(target.clone())]).unwrap();
        }
        target.download(&ValidRegion::whole(out.info().shape()), &mut out.view_mut().any()).unwrap();
        assert_eq!(out.to_vec(), expected.to_vec(), "{precision}");
    }
}

#[test]
fn the_output_may_not_lie_in_what_is_read() {
    for context in contexts() {
        let src = image(1, [6, 40]);
        let whole = Arc::new(Buffer::new(&context, 300).unwrap());
        let at = |offset| DeviceImage::with_layout(whole.clone(), offset, *src.info()).unwrap();
        let kernel = OpenClKernel::new(&context, configured(src.info(), src.info())).unwrap();
        for offset in [0, 60] {
            let refused = kernel.run_on(&[at(0)], &[], &[Some(at(offset))]).unwrap_err();
            assert!(matches!(refused, OpenClError::Run(RunError::Overlap { .. })), "{refused}");
        }
    }
}

#[test]
fn what_is_read_must_be_valid_everywhere_and_of_the_shape() {
    for context in contexts() {
        let src = image(1, [6, 40]);
        let kernel = OpenClKernel::new(&context, configured(src.info(), src.info())).unwrap();
        let target = upload(&context, &src);
        let valid = ValidRegion::new(Rect::new(1, 0, 40, 6), src.info().shape());
        let info = src.info().with_valid_region(valid).unwrap();
        let buffer = Arc::new(Buffer::new(&context, 240).unwrap());
        let partly = DeviceImage::with_layout(buffer, 0, info).unwrap();
        let refused = kernel.run_on(&[partly], &[], &[Some(target.clone())]).unwrap_err();
        let reason = InvalidConfiguration::PartlyValid { argument: "src", dimension: 1, start: 1, end: 40, extent: 40 };
        assert_eq!(refused, OpenClError::Run(RunError::Arguments(reason)));
        let other = upload(&context, &image(1, [5, 40]));
        let refused = kernel.run_on(&[other], &[], &[Some(target)]).unwrap_err();
        assert!(matches!(refused, OpenClError::Image { argument: "src", .. }), "{refused}");
    }
}

#[test]
fn there_is_no_image_form() {
    for context in contexts() {
        let (memory, src) = (DeviceMemory::new(&context), image(1, [6, 40]));
        let make =
            |mode| OpenClKernel::new(&context, configured(src.info(), src.info())).unwrap().with_memory(&memory, mode);
        let refused = make(MemMode::Image).map(drop).unwrap_err();
        let OpenClError::NoImageForm { kernel: "nearest", reason: NoImageForm::Kernel(reason) } = refused else {
            panic!("{refused}")
        };
        assert_eq!(reason, "`src` is read anywhere, which takes an address and no sampler");
        let (form, why) = make(MemMode::Auto).unwrap().mem_form();
        assert!(form == MemForm::Buffer && why != MemFormReason::Asked);
    }
}

#[test]
fn apply_runs_where_the_images_lie() {
    for context in contexts() {
        let (gpu, src) = (Gpu::new(&context), image(1, [23, 61]));
        let mut out = gpu.tensor::<u8, 2>([9, 37]).unwrap();
        nearest::apply_into(&gpu.upload(&src).unwrap(), step([9, 37], [23, 61]), &mut out).unwrap();
        assert_eq!(out.download().unwrap().to_vec(), expected(src.view(), [9, 37]));
    }
}

/// `distance(nearest(distance(src, src, level)), ..)`: the intermediate in the middle is read anywhere.
fn chain() -> ChainBuilder {
    let (large, small) = (TensorInfo::of::<u8>(&[23, 61]).unwrap(), TensorInfo::of::<u8>(&[9, 37]).unwrap());
    let mut chain = ChainBuilder::new();
    let (src, level) = (chain.input(large), chain.input(small));
    let [a] = chain.add(&distance::configure(&large, &large, &large, &large).unwrap(), &[src, src, src]).unwrap();
    let [b] = chain.add(&configured(&large, &small), &[a]).unwrap();
    let [c] = chain.add(&distance::configure(&small, &small, &small, &small).unwrap(), &[b, level, level]).unwrap();
    chain.output(c).unwrap();
    chain
}

fn chained(src: &Tensor<u8>, level: &Tensor<u8>) -> Vec<u8> {
    let mut a = Tensor::<u8>::new([23, 61]).unwrap();
    let info = *a.info();
    let first = distance::configure(&info, &info, &info, &info).unwrap();
    first.run_reference((src.view(), src.view(), src.view()), a.view_mut()).unwrap();
    let b = expected(a.view(), [9, 37]);
    b.iter().zip(level.to_vec()).map(|(b, level)| b.abs_diff(level).max(level)).collect()
}

#[test]
fn intermediates_are_read_anywhere() {
    let (src, level) = (image(1, [23, 61]), image(2, [9, 37]));
    let expected = chained(&src, &level);
    for context in contexts() {
        let manager = || Arc::new(DeviceManager::new(&DeviceMemory::new(&context), Planner::Arena));
        let settings = TuneSettings { samples: 1, launches: 6, ..TuneSettings::new(TuneLevel::Fast) };
        let tuner = Arc::new(Mutex::new(Tuner::new(TuneMode::Tune, settings)));
        let on_device = |manager| OnDevice::new(manager).with_tuner(tuner.clone());
        let places = [StagePlace::Processor, StagePlace::Device, StagePlace::Split(0.5)];
        let mixed = places.map(|first| places.map(|second| [first, second])).concat();
        let placed = mixed.into_iter().map(|[first, second]| -> (Arc<DeviceManager>, Box<dyn Executor>) {
            let manager = manager();
            (manager.clone(), Box::new(ByStage::new(manager).with(0, first).with(1, second)))
        });
        let whole = manager();
        let whole: (Arc<DeviceManager>, Box<dyn Executor>) = (whole.clone(), Box::new(on_device(whole)));
        for (manager, executor) in placed.chain([whole]) {
            let composite = executor.compile(chain()).unwrap();
            manager.populate(1).unwrap();
            for _ in 0..2 {
                let mut out = Tensor::<u8>::new([9, 37]).unwrap();
                let given = [src.view().any(), level.view().any()];
                composite.run(&Serial, &given, &mut [out.view_mut().any()]).unwrap();
                assert_eq!(out.to_vec(), expected, "{}", composite.listing());
            }
        }
    }
}

#[test]
fn runs_are_recorded() {
    let (src, level) = (image(1, [23, 61]), image(2, [9, 37]));
    for context in contexts() {
        let images = [upload(&context, &src), upload(&context, &level)];
        let target = upload(&context, &image(7, [9, 37]));
        let kernel = OpenClKernel::new(&context, configured(src.info(), target.info())).unwrap();
        let mut recording = Recording::new(&context);
        recording.add(&kernel, &images[..1], &[], &[Some(target.clone())]).unwrap();
        recording.finish().unwrap().run().unwrap().wait().unwrap();
        assert_eq!(read(&target), expected(src.view(), [9, 37]));
        let manager = Arc::new(DeviceManager::new(&DeviceMemory::new(&context), Planner::Arena));
        let chain = OnDevice::new(manager).finish(chain()).unwrap();
        let recorded = chain.record(&images, std::slice::from_ref(&target)).unwrap();
        recorded.run().unwrap().wait().unwrap();
        assert_eq!(read(&target), chained(&src, &level));
    }
}

/// Everything that the tests assume of their kernels.
#[test]
fn specifications_say_what_is_read_anywhere() {
    let whole =
        |spec: &'static windrow::KernelSpec| spec.images().map(|(_, input)| input.is_whole()).collect::<Vec<_>>();
    assert_eq!(whole(nearest::CODE.spec()), [true]);
    assert_eq!(whole(remap::CODE.spec()), [false, false, true, false]);
}
