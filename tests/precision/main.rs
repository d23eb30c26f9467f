//! Kernels of floats in halves on OpenCL devices: what is stored in 16 bits and computed in 32 equals the reference on
//! rounded inputs, rounded, to the bit; what is computed in 16 (`halves`), each operation rounded. Silent where the machine has
//! no device.

mod halves;

use half::f16;
use windrow::{
    Border, Configured, Serial, Tensor, TensorInfo, ValidRegion,
    opencl::{
        Access, Buffer, Context, ContextOptions, Device, DeviceCaps, DeviceImage, DeviceMemory, Devices, Driver,
        EffectivePrecision, FloatFormat, Numerics, OpenClError, OpenClKernel, Precision, ProgramSource, Recording,
        SplitKernel, Storage, Submission, recorded, validate_in,
    },
    prelude::*,
};
use windrow_operators::{bounded_relu, pack_channels, relu, unpack_channels};

/// A slope for negative values.
#[kernel]
pub fn leaky_relu(x: f32, #[uniform] slope: f32) -> f32 {
    if x < 0.0 { slope * x } else { x }
}

/// scale · x + offset.
#[kernel]
pub fn affine(x: f32, #[uniform] scale: f32, #[uniform] offset: f32) -> f32 {
    scale * x + offset
}

/// The sum of two images.
#[kernel]
pub fn add(a: f32, b: f32) -> f32 {
    a + b
}

/// The product of two images.
#[kernel]
pub fn multiply(a: f32, b: f32) -> f32 {
    a * b
}

/// A quotient and a root.
#[kernel(output(quotient, root))]
pub fn quotient_and_root(a: f32, b: f32) -> (f32, f32) {
    (a / b, a.abs().sqrt())
}

/// The mean of 3×3 elements.
#[kernel]
pub fn mean3x3(src: Neighbourhood<f32>) -> f32 {
    let mut sum = 0.0;
    for dy in -1..=1 {
        for dx in -1..=1 {
            sum += src.at(dx, dy);
        }
    }
    sum / 9.0
}

/// 3×3 Gaussian blur.
#[kernel]
pub fn gaussian3x3(src: Neighbourhood<f32>) -> f32 {
    let row = |dy| src.at(-1, dy) + 2.0 * src.at(0, dy) + src.at(1, dy);
    (row(-1) + 2.0 * row(0) + row(1)) * 0.0625
}

/// Both derivatives.
#[kernel(output(dx, dy))]
pub fn sobel3x3(src: Neighbourhood<f32>) -> (f32, f32) {
    let column = |x| src.at(x, -1) + 2.0 * src.at(x, 0) + src.at(x, 1);
    let row = |y| src.at(-1, y) + 2.0 * src.at(0, y) + src.at(1, y);
    (column(1) - column(-1), row(1) - row(-1))
}

/// Convolution with coefficients known at run time.
#[kernel]
pub fn convolve5x5(src: Neighbourhood<f32>, #[uniform] k: [[f32; 5]; 5]) -> f32 {
    let mut sum = 0.0;
    for (dy, row) in (-2..=2).zip(k) {
        for (dx, c) in (-2..=2).zip(row) {
            sum += c * src.at(-dx, -dy);
        }
    }
    sum
}

/// Half scale: the mean of four elements.
#[kernel]
pub fn half_scale_bilinear(#[stride(2, 2)] src: Neighbourhood<f32>) -> f32 {
    let upper = 0.5 * (src.at(0, 0) + src.at(1, 0));
    let lower = 0.5 * (src.at(0, 1) + src.at(1, 1));
    0.5 * (upper + lower)
}

/// Adds in place.
#[kernel]
pub fn accumulate(#[inout] sum: f32, x: f32) -> f32 {
    sum + x
}

/// Three channels to one, in one lane.
#[kernel(schedule(opencl(1, 1)))]
pub fn luma([r, g, b]: [f32; 3]) -> f32 {
    0.299 * r + 0.587 * g + 0.114 * b
}

/// Floats to bytes: what is above a level, and by how much.
#[kernel(output(above, excess))]
pub fn above(x: f32, #[uniform] level: f32) -> (u8, f32) {
    (if x > level { 255 } else { 0 }, (x - level).max(0.0))
}

/// Bytes to floats.
#[kernel]
pub fn widen(x: u8, #[uniform] scale: f32) -> f32 {
    x as f32 * scale
}

/// Integers alone, computed in floats.
#[kernel]
pub fn brighten(x: u8, #[uniform] gain: f32) -> u8 {
    (x as f32 * gain) as u8
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

fn open(device: &Device, numerics: Numerics, precision: Precision) -> Context {
    let options = ContextOptions { numerics, precision, ..Default::default() };
    Context::with_options(&Driver::new(), device, &options).unwrap()
}

/// Devices whose floats are the reference's.
fn contexts() -> Vec<Context> {
    let is_exact = |device: &Device| device.floats.lacks(false).is_empty();
    devices().iter().filter(|device| is_exact(device)).map(|device| Context::new(device).unwrap()).collect()
}

/// Floats of all sizes that a half may have, and some beyond.
fn floats(seed: u32, extents: [usize; 2]) -> Tensor<f32> {
    let special = [0.0, -0.0, 1e-8, 6e-8, -3.05e-5, 65_504.0, 65_519.0, 65_520.0, -1e9, f32::INFINITY, f32::NAN];
    let mut state = seed;
    Tensor::from_fn(extents, |_, _, _| {
        state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let noise = (state >> ((state >> 28) + 4) ^ state).wrapping_mul(277_803_737);
        if noise.is_multiple_of(61) {
            return special[noise as usize / 61 % special.len()];
        }
        let size = 2f32.powi((noise >> 8) as i32 % 20 - 12);
        (noise >> 9) as f32 / (1 << 22) as f32 * if noise & 1 == 0 { size } else { -size }
    })
    .unwrap()
}

trait Rounded {
    /// As halves.
    fn rounded(&self) -> Self;
    /// Its bits; those of NaNs are all the same.
    fn bits(&self) -> Vec<u32>;
}

impl Rounded for Tensor<f32> {
    fn rounded(&self) -> Self {
        let halves = self.to_vec().into_iter().map(|float| f16::from_f32(float).to_f32());
        Tensor::from_vec(halves.collect(), [self.info().width(), self.info().height()]).unwrap()
    }

    fn bits(&self) -> Vec<u32> {
        self.to_vec().iter().map(|float| if float.is_nan() { u32::MAX } else { float.to_bits() }).collect()
    }
}

impl Rounded for Tensor<u8> {
    fn rounded(&self) -> Self {
        self.clone()
    }

    fn bits(&self) -> Vec<u32> {
        self.to_vec().into_iter().map(u32::from).collect()
    }
}

/// Runs `kernel` in every schedule on `inputs`, stored in halves: equal to the reference on the rounded inputs, rounded.
macro_rules! equal {
    ($kernel:expr, [$($input:ident),+], [$($output:ident: $ty:ty),+], $extents:expr) => {{
        let configured = $kernel;
        let mut expected = ($(Tensor::<$ty>::new($extents).unwrap()),+,);
        {
            $(let $input = $input.rounded();)+
            let ($($output),+,) = &mut expected;
            configured.run_reference(($($input.view()),+), ($($output.view_mut()),+)).unwrap();
        }
        let expected = { let ($($output),+,) = &expected; [$($output.rounded().bits()),+] };
        for context in contexts() {
            let mut kernel =
                OpenClKernel::with_precision(&context, configured.clone(), Precision::F16Storage).unwrap();
            assert_eq!(kernel.effective_precision().effective, Some(Precision::F16Storage));
            for schedule in 0..kernel.schedules().count() {
                kernel.set_schedule(schedule).unwrap();
                $(let mut $output = Tensor::<$ty>::new($extents).unwrap();)+
                kernel.run(($($input.view()),+), ($($output.view_mut()),+)).unwrap();
                for (found, expected) in [$($output.bits()),+].iter().zip(&expected) {
                    let wrong = found.iter().zip(expected).position(|(found, expected)| found != expected);
                    let values = wrong.map(|k| [f32::from_bits(found[k]), f32::from_bits(expected[k])]);
                    assert_eq!(wrong, None, "{values:?}, schedule {schedule}, {}", stringify!($kernel));
                }
            }
        }
    }};
}

const SIZES: [[usize; 2]; 3] = [[64, 18], [37, 11], [3, 2]];

#[test]
fn operators_of_elements_equal_the_rounded_reference() {
    for size in SIZES {
        let [a, b, c, d] = [1, 2, 3, 4].map(|seed| floats(seed, size));
        let info = a.info();
        equal!(relu::configure(info, info).unwrap(), [a], [out: f32], size);
        equal!(bounded_relu::configure(info, 6.0, info).unwrap(), [a], [out: f32], size);
        equal!(leaky_relu::configure(info, 0.1, info).unwrap(), [a], [out: f32], size);
        equal!(affine::configure(info, 1.3, -0.7, info).unwrap(), [a], [out: f32], size);
        equal!(add::configure(info, info, info).unwrap(), [a, b], [out: f32], size);
        equal!(multiply::configure(info, info, info).unwrap(), [a, b], [out: f32], size);
        equal!(quotient_and_root::configure(info, info, info, info).unwrap(), [a, b], [q: f32, r: f32], size);
        let packed = Tensor::<[f32; 4]>::new(size).unwrap();
        let unpack = unpack_channels::configure(packed.info(), info, Some(info), Some(info), Some(info)).unwrap();
        let pack = pack_channels::configure(info, info, info, info, packed.info()).unwrap();
        for context in contexts() {
            let precision = Precision::F16Storage;
            let mut there = packed.clone();
            let kernel = OpenClKernel::with_precision(&context, pack.clone(), precision).unwrap();
            kernel.run((a.view(), b.view(), c.view(), d.view()), there.view_mut()).unwrap();
            let mut back = [(); 4].map(|()| Tensor::<f32>::new(size).unwrap());
            let [p, q, r, s] = &mut back;
            let kernel = OpenClKernel::with_precision(&context, unpack.clone(), precision).unwrap();
            kernel
                .run(there.view(), (p.view_mut(), Some(q.view_mut()), Some(r.view_mut()), Some(s.view_mut())))
                .unwrap();
            assert_eq!(back.map(|plane| plane.bits()), [&a, &b, &c, &d].map(|plane| plane.rounded().bits()));
        }
    }
}

#[test]
fn operators_of_neighbourhoods_equal_the_rounded_reference() {
    let k = std::array::from_fn(|y| std::array::from_fn(|x| (x as f32 - 1.7) * 0.11 + y as f32 * 0.05));
    for border in [Border::Replicate, Border::Constant(0.1f32.into()), Border::Reflect101] {
        for size in SIZES {
            let a = floats(5, size);
            let info = a.info();
            equal!(mean3x3::configure(info, info, border).unwrap(), [a], [out: f32], size);
            equal!(gaussian3x3::configure(info, info, border).unwrap(), [a], [out: f32], size);
            equal!(sobel3x3::configure(info, info, info, border).unwrap(), [a], [dx: f32, dy: f32], size);
            equal!(convolve5x5::configure(info, k, info, border).unwrap(), [a], [out: f32], size);
            let half = [size[0].div_ceil(2), size[1].div_ceil(2)];
            let out = Tensor::<f32>::new(half).unwrap();
            equal!(half_scale_bilinear::configure(info, out.info(), border).unwrap(), [a], [out: f32], half);
        }
    }
}

#[test]
fn integers_beside_floats_stay_as_they_are() {
    for size in SIZES {
        let a = floats(6, size);
        let bytes = Tensor::<u8>::from_fn(size, |x, y, _| (x * 31 + y * 57) as u8).unwrap();
        let configured = above::configure(a.info(), 0.3, bytes.info(), a.info()).unwrap();
        equal!(configured, [a], [above: u8, excess: f32], size);
        equal!(widen::configure(bytes.info(), 0.3, a.info()).unwrap(), [bytes], [out: f32], size);
        let pixels = Tensor::<[f32; 3]>::from_fn(size, |x, y, _| [x as f32 * 0.37, y as f32 * 1.9, 3.3]).unwrap();
        let halves = Tensor::<[f32; 3]>::from_fn(size, |x, y, _| {
            [x as f32 * 0.37, y as f32 * 1.9, 3.3].map(|float| f16::from_f32(float).to_f32())
        });
        let configured = luma::configure(pixels.info(), a.info()).unwrap();
        let [mut expected, mut found] = [(); 2].map(|()| Tensor::<f32>::new(size).unwrap());
        configured.run_reference(halves.unwrap().view(), expected.view_mut()).unwrap();
        for context in contexts() {
            let precision = Precision::F16Storage;
            let kernel = OpenClKernel::with_precision(&context, configured.clone(), precision).unwrap();
            kernel.run(pixels.view(), found.view_mut()).unwrap();
            assert_eq!(found.bits(), expected.rounded().bits());
        }
    }
}

#[test]
fn images_in_place_and_images_that_repeat_lie_in_halves_too() {
    let size = [37, 9];
    for context in contexts() {
        let (start, x) = (floats(7, size).rounded(), floats(8, size));
        let configured = accumulate::configure(start.info(), x.info()).unwrap();
        let kernel = OpenClKernel::with_precision(&context, configured.clone(), Precision::F16Storage).unwrap();
        let (mut found, mut expected) = (start.clone(), start.clone());
        kernel.run(x.view(), found.view_mut()).unwrap();
        configured.run_reference(x.rounded().view(), expected.view_mut()).unwrap();
        assert_eq!(found.bits(), expected.rounded().bits());
        for small in [[37, 1], [1, 9], [1, 1]] {
            let (a, b) = (floats(9, size), floats(10, small));
            let configured = add::configure(a.info(), b.info(), a.info()).unwrap();
            let kernel = OpenClKernel::with_precision(&context, configured.clone(), Precision::F16Storage).unwrap();
            configured.run_reference((a.rounded().view(), b.rounded().view()), expected.view_mut()).unwrap();
            for _ in 0..2 {
                kernel.run((a.view(), b.view()), found.view_mut()).unwrap();
                assert_eq!(found.bits(), expected.rounded().bits(), "{small:?}");
            }
        }
    }
}

/// The configuration of `affine` for images of this size.
fn affine_of(size: [usize; 2]) -> Configured<affine> {
    let info = *Tensor::<f32>::new(size).unwrap().info();
    affine::configure(&info, 1.3, -0.7, &info).unwrap()
}

#[test]
fn images_of_halves_take_half_the_bytes_and_go_there_and_back() {
    let size = [37, 9];
    let a = floats(11, size);
    for context in contexts() {
        let before = context.driver().counters();
        let image = DeviceImage::upload_as(&context, &a.view().any(), FloatFormat::F16).unwrap();
        assert_eq!((image.format(), image.size_in_bytes(), image.buffer().len()), (FloatFormat::F16, 666, 666));
        assert_eq!(context.driver().counters().since(&before).allocations(), 1);
        let mut back = Tensor::<f32>::new(size).unwrap();
        image.download(&ValidRegion::whole(image.info().shape()), &mut back.view_mut().any()).unwrap();
        assert_eq!(back.bits(), a.rounded().bits());
        // A part of it; a transfer in the background; integers, which have one format.
        let on = Submission::on(context.queue());
        let part = image.region(&[3, 2], &[20, 5]).unwrap();
        assert_eq!(part.offset(), 2 * (2 * 37 + 3));
        let whole = ValidRegion::whole(part.info().shape());
        let read = part.submit_read(&on, &whole, Tensor::<f32>::new([20, 5]).unwrap()).unwrap().wait().unwrap();
        let rounded = a.rounded().to_vec();
        let expected: Vec<f32> = (0..100).map(|k| rounded[(2 + k / 20) * 37 + 3 + k % 20]).collect();
        assert_eq!(read.bits(), Tensor::from_vec(expected, [20, 5]).unwrap().bits());
        let other = floats(12, [20, 5]);
        drop(part.submit_write(&on, other.clone()).unwrap());
        assert_eq!(part.submit_write(&on, other.clone()).unwrap().wait().unwrap().bits(), other.bits());
        let read = part.submit_read(&on, &whole, Tensor::<f32>::new([20, 5]).unwrap()).unwrap().wait().unwrap();
        assert_eq!(read.bits(), other.rounded().bits());
        let bytes = Tensor::<u8>::new(size).unwrap();
        let integers = DeviceImage::new_as(&context, bytes.info(), FloatFormat::F16).unwrap();
        assert_eq!((integers.format(), integers.buffer().len()), (FloatFormat::F32, 333));
        // The host has no view of halves.
        let refused = image.map(Access::Read).unwrap_err();
        assert_eq!(refused.to_string(), "the floats of `the mapped image` lie in f16, expected f32");
        let pooled = DeviceMemory::new(&context).tensor_as(a.info(), FloatFormat::F16, Storage::Dynamic).unwrap();
        assert_eq!(pooled.size_in_bytes(), 666);
    }
}

#[test]
fn layouts_of_halves_with_gaps_run_as_they_are() {
    let size = [33, 7];
    let a = floats(13, size);
    // As of floats whose rows are 160 bytes apart.
    let info = TensorInfo::with_strides(windrow::ElementType::F32, 1, &size, &[4, 160]).unwrap();
    let configured = affine_of(size);
    let mut expected = Tensor::<f32>::new(size).unwrap();
    configured.run_reference(a.rounded().view(), expected.view_mut()).unwrap();
    for context in contexts() {
        let kernel = OpenClKernel::with_precision(&context, configured.clone(), Precision::F16Storage).unwrap();
        assert_eq!(kernel.format(), FloatFormat::F16);
        for offset in [0, 2, 64] {
            let image = |context| {
                let buffer = std::sync::Arc::new(Buffer::new(context, 66 + 80 * 6 + 64).unwrap());
                DeviceImage::with_layout_as(buffer, offset, info, FloatFormat::F16).unwrap()
            };
            let (source, target) = (image(&context), image(&context));
            source.write(&a.view().any()).unwrap();
            kernel.run_on(&[source], &[], &[Some(target.clone())]).unwrap();
            let mut found = Tensor::<f32>::new(size).unwrap();
            target.download(&ValidRegion::whole(info.shape()), &mut found.view_mut().any()).unwrap();
            assert_eq!(found.bits(), expected.rounded().bits());
        }
        let buffer = std::sync::Arc::new(Buffer::new(&context, 2048).unwrap());
        let refused = DeviceImage::with_layout_as(buffer, 3, info, FloatFormat::F16);
        assert!(matches!(refused, Err(OpenClError::Misaligned { offset: 3, alignment: 2 })), "{refused:?}");
    }
}

#[test]
fn images_of_another_format_are_refused_by_name() {
    let size = [16, 4];
    let a = floats(14, size);
    for context in contexts() {
        let image = |format| DeviceImage::upload_as(&context, &a.view().any(), format).unwrap();
        let [single, half] = [image(FloatFormat::F32), image(FloatFormat::F16)];
        let kernel = |precision| OpenClKernel::with_precision(&context, affine_of(size), precision).unwrap();
        let plain = kernel(Precision::F32);
        let refused = plain.run_on(std::slice::from_ref(&half), &[], &[Some(image(FloatFormat::F32))]).unwrap_err();
        assert_eq!(refused.to_string(), "the floats of `x` lie in f16, expected f32");
        let storing = kernel(Precision::F16Storage);
        let refused = storing.run_on(std::slice::from_ref(&half), &[], &[Some(single.clone())]).unwrap_err();
        let (found, expected) = (FloatFormat::F32, FloatFormat::F16);
        assert_eq!(refused, OpenClError::FloatFormat { argument: "out".into(), found, expected });
        let mut recording = Recording::new(&context);
        assert!(recording.add(&storing, &[single], &[], &[Some(half.clone())]).is_err());
        let target = image(FloatFormat::F16);
        recording.add(&storing, &[half], &[], &[Some(target.clone())]).unwrap();
        recording.finish().unwrap().run().unwrap().wait().unwrap();
        let mut found = Tensor::<f32>::new(size).unwrap();
        target.download(&ValidRegion::whole(a.info().shape()), &mut found.view_mut().any()).unwrap();
        let mut expected = Tensor::<f32>::new(size).unwrap();
        affine_of(size).run_reference(a.rounded().view(), expected.view_mut()).unwrap();
        assert_eq!(found.bits(), expected.rounded().bits());
    }
}

#[test]
fn requested_and_effective_precision_are_reported() {
    for device in devices().into_iter().filter(|device| device.half.is_none()) {
        let (strict, relaxed) = (Numerics::Strict, Numerics::Relaxed);
        let refused = OpenClKernel::new(&open(&device, strict, Precision::F16), affine_of([8, 8]));
        assert!(
            matches!(&refused, Err(OpenClError::NoFeature { feature, .. }) if feature == "arithmetic in half precision"),
            "{refused:?}"
        );
        // Elsewhere it is stored in halves, computed in 32 bits, and said so.
        let context = open(&device, relaxed, Precision::F16);
        let kernel = OpenClKernel::new(&context, affine_of([8, 8])).unwrap();
        let effective = Some(Precision::F16Storage);
        assert_eq!(kernel.effective_precision(), EffectivePrecision { requested: Precision::F16, effective });
        assert_eq!(kernel.effective_precision().to_string(), "f16, in effect f16 storage");
        assert!(format!("{kernel:?}").contains("effective: Some(F16Storage)"), "{kernel:?}");
        // What has no images of floats is the same in all precisions, in strict contexts too.
        let bytes = Tensor::<u8>::new([8, 8]).unwrap();
        let configured = brighten::configure(bytes.info(), 1.5, bytes.info()).unwrap();
        let kernel = OpenClKernel::with_precision(&Context::new(&device).unwrap(), configured, Precision::F16);
        if device.floats.lacks(false).is_empty() {
            let precision = kernel.unwrap().effective_precision();
            assert_eq!(precision, EffectivePrecision { requested: Precision::F16, effective: None });
            assert_eq!(precision.to_string(), "f16, not applicable: no image holds floats");
        }
    }
}

#[test]
fn devices_with_halves_are_asked_to_compute_in_them() {
    let configured = affine_of([64, 64]);
    for caps in [recorded::mali(), recorded::adreno()] {
        let check = |caps: &DeviceCaps, precision, numerics| validate_in(precision, caps, &configured, numerics);
        let (numerics, precision) = check(&caps, Precision::F16, Numerics::Relaxed).unwrap();
        assert_eq!(precision.effective, Some(Precision::F16));
        assert_eq!(numerics.denormals, caps.half.unwrap().denormals);
        // Half the bytes: images that are too large as floats fit.
        let small = DeviceCaps { max_allocation: 64 * 64 * 2, ..caps.clone() };
        assert!(check(&small, Precision::F16, Numerics::Relaxed).is_ok());
        assert!(matches!(check(&small, Precision::F32, Numerics::Relaxed), Err(OpenClError::TooLarge { .. })));
        for device in devices().into_iter().filter(|device| device.half.is_none()) {
            let pretended = device.pretending(DeviceCaps { floats: device.floats, ..caps.clone() });
            let context = open(&pretended, Numerics::Relaxed, Precision::F32);
            // The driver behind it can't; what it was asked stands in the answer.
            match OpenClKernel::with_precision(&context, configured.clone(), Precision::F16) {
                Ok(kernel) => assert_eq!(kernel.effective_precision().effective, Some(Precision::F16)),
                Err(OpenClError::Build { options, .. }) => {
                    assert!(options.contains("-DWINDROW_F16 -DWINDROW_F16_STORAGE"), "{options}");
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
    let refused = validate_in(Precision::F16, &recorded::nvidia(), &configured, Numerics::Strict);
    assert!(matches!(refused, Err(OpenClError::NoFeature { .. })), "{refused:?}");
}

#[test]
fn each_precision_has_a_program_of_its_own() {
    for context in contexts() {
        let builds = || context.programs().report().builds;
        let make = |precision| OpenClKernel::with_precision(&context, affine_of([8, 8]), precision).unwrap();
        make(Precision::F32);
        assert_eq!(builds(), 1);
        make(Precision::F16Storage);
        assert_eq!(builds(), 2);
        make(Precision::F32);
        make(Precision::F16Storage);
        assert_eq!(builds(), 2);
        let source = ProgramSource::of(<affine as windrow::Kernel>::CODE);
        let stored = Precision::F16Storage.on(context.device(), Numerics::Strict).unwrap();
        let keys = [source.clone(), source.with_options(stored.options().unwrap())];
        let [plain, stored] = keys.map(|source| context.programs().key(&source).unwrap());
        assert!(stored.options.contains("-DWINDROW_F16_STORAGE") && plain.digest() != stored.digest());
        assert!(make(Precision::F32).tune_key() != make(Precision::F16Storage).tune_key());
    }
}

#[test]
fn kernels_that_are_shared_with_the_processor_compute_as_it_does() {
    let size = [33, 20];
    let a = floats(15, size);
    for device in devices().iter().filter(|device| device.floats.lacks(false).is_empty()) {
        let context = open(device, Numerics::Strict, Precision::F16Storage);
        let split = SplitKernel::new(&[context], &affine_of(size)).unwrap();
        let [mut found, mut expected] = [(); 2].map(|()| Tensor::<f32>::new(size).unwrap());
        split.run_shared(&Serial, &[1.0, 1.0], a.view(), found.view_mut()).unwrap();
        affine_of(size).run_reference(a.view(), expected.view_mut()).unwrap();
        assert_eq!(found.bits(), expected.bits());
    }
}
