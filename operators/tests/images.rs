//! Operators over images and over buffers of a device: both give the author's own elements, with every border that samplers
//! find. Silent where the machine has no device with images.

#![cfg(feature = "opencl")]

use std::fmt::Debug;

use windrow::{
    Border, Configured, Element, Kernel, Scalar, Tensor, TensorInfo, View, ViewMut,
    opencl::{
        Context, DeviceCaps, DeviceMemory, Devices, Driver, LocalSize, MemForm, MemFormReason, MemMode, OpenClError,
        OpenClKernel, recorded,
    },
    prelude::Rank,
    testing::REQUIRE_VARIABLE,
};
use windrow_operators as operators;

/// Sizes of the output, height and width: of one element, of a row, of a column, larger than a block.
const SIZES: [[usize; 2]; 4] = [[1, 1], [1, 9], [7, 1], [19, 37]];

/// Work-groups of the generated tests: another size would have every program compiled anew.
const LOCAL: LocalSize = LocalSize::Fixed(4, 2);

const BORDERS: [Border; 4] =
    [Border::Undefined, Border::Replicate, Border::Constant(Scalar::U8(0)), Border::Constant(Scalar::U8(77))];

/// The memory of the machine's device, taken for another one.
fn memory(change: impl Fn(DeviceCaps) -> DeviceCaps) -> Option<DeviceMemory> {
    let is_required = std::env::var(REQUIRE_VARIABLE).is_ok_and(|targets| targets.contains("opencl"));
    let open = || {
        let devices = Devices::find()?;
        let device = devices.choose()?;
        Context::with_driver(&Driver::new(), &device.with_caps(change((**device).clone())))
    };
    match open() {
        Ok(context) if context.device().images.is_some() => Some(DeviceMemory::new(&context)),
        Ok(context) => {
            println!("not run: {} has no images", context.device());
            None
        }
        Err(error) if error.is_absence() && !is_required => {
            println!("not run: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// The machine's device under the name of an Adreno.
fn as_adreno(caps: DeviceCaps) -> DeviceCaps {
    let DeviceCaps { platform, name, vendor, version, kind, .. } = recorded::adreno();
    DeviceCaps { platform, name, vendor, version, kind, ..caps }
}

fn image(extents: [usize; 2]) -> Tensor<u8> {
    Tensor::from_fn(extents, |[y, x]| (x * 37 + y * 91 + x * y % 11 * 23 + 5) as u8).unwrap()
}

/// Runs an operator over images, over buffers and on the processor, at every size and border.
fn check<K, T>(
    memory: &DeviceMemory,
    stride: usize,
    configure: impl Fn(&TensorInfo, &TensorInfo, Border) -> Result<Configured<K>, windrow::InvalidConfiguration>,
) where
    K: for<'a> Kernel<Inputs<'a> = View<'a, u8>, Outputs<'a> = ViewMut<'a, T>>,
    T: Element + Debug + PartialEq + Default,
{
    for [height, width] in SIZES {
        for border in BORDERS {
            let src = image([height * stride, width * stride]);
            let mut outs = [(); 3].map(|()| Tensor::<T>::new([height, width]).unwrap());
            let [expected, over_buffers, over_images] = &mut outs;
            let configured = || configure(src.info(), &TensorInfo::of::<T>(&[height, width]).unwrap(), border).unwrap();
            configured().run_reference(src.view(), expected.view_mut()).unwrap();
            let kernel = || OpenClKernel::new(memory.context(), configured()).unwrap().with_local_size(LOCAL).unwrap();
            let buffers = kernel().with_memory(memory, MemMode::Buffer).unwrap();
            assert_eq!(buffers.mem_form(), (MemForm::Buffer, MemFormReason::Asked));
            buffers.run(src.view(), over_buffers.view_mut()).unwrap();
            let images = kernel().with_memory(memory, MemMode::Image).unwrap();
            assert_eq!(images.mem_form(), (MemForm::Image, MemFormReason::Asked));
            images.run(src.view(), over_images.view_mut()).unwrap();
            let name = K::CODE.spec().name;
            assert_eq!(over_buffers.to_vec(), expected.to_vec(), "{name} {width}×{height} {border:?}");
            assert_eq!(over_images.to_vec(), expected.to_vec(), "{name} {width}×{height} {border:?}, images");
        }
    }
}

#[test]
fn operators_over_images_equal_those_over_buffers() {
    let Some(memory) = &memory(|caps| caps) else { return };
    check(memory, 1, operators::gaussian3x3::configure);
    check(memory, 1, operators::gaussian5x5::configure);
    check(memory, 1, operators::box3x3::configure);
    check(memory, 1, operators::median3x3::configure);
    check(memory, 1, operators::erode3x3::configure);
    check(memory, 1, operators::dilate3x3::configure);
    check(memory, 2, operators::half_scale_gaussian3x3::configure);
    check(memory, 2, operators::half_scale_gaussian5x5::configure);
    for rank in [Rank::Min, Rank::Median, Rank::Max] {
        check(memory, 1, |src, out, border| operators::non_linear_box3::configure(src, rank, out, border));
        check(memory, 1, |src, out, border| operators::non_linear_cross3::configure(src, rank, out, border));
    }
    let edge = [[-1, -2, -1], [0, 0, 0], [3, 2, 1]];
    check(memory, 1, |src, out, border| operators::convolve3x3::<i16>::configure(src, edge, 3, out, border));
    check(memory, 1, |src, out, border| operators::convolve3x3::<u8>::configure(src, edge, 7, out, border));
}

#[test]
fn gradients_over_images_write_what_is_asked_for() {
    let Some(memory) = memory(|caps| caps) else { return };
    let src = image([19, 37]);
    let [mut expected, mut found, mut other] = [(); 3].map(|()| Tensor::<i16>::new([19, 37]).unwrap());
    let out = *expected.info();
    for border in BORDERS {
        let configured = || operators::sobel3x3::configure(src.info(), None, Some(&out), border).unwrap();
        configured().run_reference(src.view(), (None, Some(expected.view_mut()))).unwrap();
        let kernel = OpenClKernel::new(memory.context(), configured()).unwrap().with_local_size(LOCAL).unwrap();
        let kernel = kernel.with_memory(&memory, MemMode::Image).unwrap();
        kernel.run(src.view(), (None, Some(found.view_mut()))).unwrap();
        assert_eq!(found.to_vec(), expected.to_vec(), "{border:?}");
        let both = operators::scharr3x3::configure(src.info(), Some(&out), Some(&out), border).unwrap();
        let both = OpenClKernel::new(memory.context(), both).unwrap().with_local_size(LOCAL).unwrap();
        let both = both.with_memory(&memory, MemMode::Image).unwrap();
        both.run(src.view(), (Some(found.view_mut()), Some(other.view_mut()))).unwrap();
        let both = operators::scharr3x3::configure(src.info(), Some(&out), Some(&out), border).unwrap();
        let [mut dx, mut dy] = [(); 2].map(|()| Tensor::<i16>::new([19, 37]).unwrap());
        both.run_reference(src.view(), (Some(dx.view_mut()), Some(dy.view_mut()))).unwrap();
        assert_eq!((found.to_vec(), other.to_vec()), (dx.to_vec(), dy.to_vec()), "{border:?}");
    }
}

#[test]
fn the_family_decides_unless_a_hand_does() {
    let Some(memory) = memory(as_adreno) else { return };
    let (src, mut expected, mut found) = (image([19, 37]), image([19, 37]), image([19, 37]));
    let configured = |border| operators::gaussian3x3::configure(src.info(), src.info(), border).unwrap();
    let form = |border, mode| {
        OpenClKernel::new(memory.context(), configured(border))
            .unwrap()
            .with_memory(&memory, mode)
            .map(|k| k.mem_form())
    };
    configured(Border::Replicate).run_reference(src.view(), expected.view_mut()).unwrap();
    let kernel =
        OpenClKernel::new(memory.context(), configured(Border::Replicate)).unwrap().with_local_size(LOCAL).unwrap();
    assert_eq!(kernel.mem_form(), (MemForm::Buffer, MemFormReason::Asked));
    let mut kernel = kernel.with_memory(&memory, MemMode::Auto).unwrap();
    assert_eq!(kernel.mem_form(), (MemForm::Image, MemFormReason::Family));
    kernel.run(src.view(), found.view_mut()).unwrap();
    assert_eq!(found.to_vec(), expected.to_vec());
    // A configuration that samplers can't serve goes back to buffers, and the next one to images.
    kernel.reconfigure(configured(Border::Reflect)).unwrap();
    assert_eq!(kernel.mem_form(), (MemForm::Buffer, MemFormReason::Kernel));
    kernel.run(src.view(), found.view_mut()).unwrap();
    configured(Border::Reflect).run_reference(src.view(), expected.view_mut()).unwrap();
    assert_eq!(found.to_vec(), expected.to_vec());
    kernel.reconfigure(configured(Border::Replicate)).unwrap();
    assert_eq!(kernel.mem_form(), (MemForm::Image, MemFormReason::Family));
    assert_eq!(form(Border::Replicate, MemMode::Buffer).unwrap(), (MemForm::Buffer, MemFormReason::Asked));
    let refused = form(Border::Wrap, MemMode::Image).unwrap_err();
    assert_eq!(refused.to_string(), "`gaussian3x3` can't read images: no sampler finds the border `wrap`");
    let add = operators::accumulate::configure(src.info(), &TensorInfo::of::<i16>(&[19, 37]).unwrap()).unwrap();
    let refused = OpenClKernel::new(memory.context(), add).unwrap().with_memory(&memory, MemMode::Image).unwrap_err();
    assert!(matches!(refused, OpenClError::NoImageForm { kernel: "accumulate", .. }), "{refused}");
}

#[test]
fn too_large_an_image_is_a_buffer_or_an_error() {
    let small = |caps| {
        let mut caps = as_adreno(caps);
        caps.images.iter_mut().for_each(|limits| limits.width = 36);
        caps
    };
    let Some(memory) = memory(small) else { return };
    let (src, mut out) = (image([19, 37]), image([19, 37]));
    let kernel = || {
        let configured = operators::box3x3::configure(src.info(), src.info(), Border::Replicate).unwrap();
        OpenClKernel::new(memory.context(), configured).unwrap().with_local_size(LOCAL).unwrap()
    };
    let chosen = kernel().with_memory(&memory, MemMode::Auto).unwrap();
    assert_eq!(chosen.mem_form(), (MemForm::Buffer, MemFormReason::TooLarge));
    chosen.run(src.view(), out.view_mut()).unwrap();
    let refused = kernel().with_memory(&memory, MemMode::Image).unwrap_err();
    let text = "`box3x3` can't read images: an image of 37×19 pixels, the device takes 1×1 to 36×";
    assert!(refused.to_string().starts_with(text), "{refused}");
}
