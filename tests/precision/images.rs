//! Images whose floats lie in halves: their bytes, transfers and layouts, and what refuses them.

use crate::{Rounded, affine_of, contexts, floats};
use std::sync::Arc;
use windrow::{
    ElementType, Tensor, TensorInfo, ValidRegion,
    opencl::{
        Buffer, DeviceImage, DeviceMemory, DeviceMemoryError, FloatFormat, MapAccess, OpenClError, OpenClKernel,
        Precision, Recording, Storage, Submission,
    },
};

#[test]
fn images_of_halves_take_half_the_bytes_and_go_there_and_back() {
    let size = [9, 37];
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
        let part = image.region(&[2, 3], &[5, 20]).unwrap();
        assert_eq!(part.offset(), 2 * (2 * 37 + 3));
        let whole = ValidRegion::whole(part.info().shape());
        let read = part.submit_read(&on, &whole, Tensor::<f32>::new([5, 20]).unwrap()).unwrap().wait().unwrap();
        let rounded = a.rounded().to_vec();
        let expected: Vec<f32> = (0..100).map(|k| rounded[(2 + k / 20) * 37 + 3 + k % 20]).collect();
        assert_eq!(read.bits(), Tensor::from_vec(expected, [5, 20]).unwrap().bits());
        let other = floats(12, [5, 20]);
        drop(part.submit_write(&on, other.clone()).unwrap());
        assert_eq!(part.submit_write(&on, other.clone()).unwrap().wait().unwrap().bits(), other.bits());
        let read = part.submit_read(&on, &whole, Tensor::<f32>::new([5, 20]).unwrap()).unwrap().wait().unwrap();
        assert_eq!(read.bits(), other.rounded().bits());
        let bytes = Tensor::<u8>::new(size).unwrap();
        let integers = DeviceImage::new_as(&context, bytes.info(), FloatFormat::F16).unwrap();
        assert_eq!((integers.format(), integers.buffer().len()), (FloatFormat::F32, 333));
        // The host has no view of halves.
        let refused = image.map(MapAccess::Read).unwrap_err();
        assert_eq!(refused.to_string(), "the floats of `the mapped image` lie in f16, expected f32");
        let pooled = DeviceMemory::new(&context).tensor_as(a.info(), FloatFormat::F16, Storage::Dynamic).unwrap();
        assert_eq!(pooled.size_in_bytes(), 666);
    }
}

#[test]
fn layouts_of_halves_with_gaps_run_as_they_are() {
    let size = [7, 33];
    let a = floats(13, size);
    // As of floats whose rows are 160 bytes apart.
    let info = TensorInfo::with_strides(ElementType::F32, 1, &size, &[160, 4]).unwrap();
    let configured = affine_of(size);
    let mut expected = Tensor::<f32>::new(size).unwrap();
    configured.run_reference(a.rounded().view(), expected.view_mut()).unwrap();
    for context in contexts() {
        let kernel = OpenClKernel::with_precision(&context, configured.clone(), Precision::F16Storage).unwrap();
        assert_eq!(kernel.format(), FloatFormat::F16);
        for offset in [0, 2, 64] {
            let image = |context| {
                let buffer = Arc::new(Buffer::new(context, 66 + 80 * 6 + 64).unwrap());
                DeviceImage::with_layout_as(buffer, offset, info, FloatFormat::F16).unwrap()
            };
            let (source, target) = (image(&context), image(&context));
            source.write(&a.view().any()).unwrap();
            kernel.run_on(&[source], &[], &[Some(target.clone())]).unwrap();
            let mut found = Tensor::<f32>::new(size).unwrap();
            target.download(&ValidRegion::whole(info.shape()), &mut found.view_mut().any()).unwrap();
            assert_eq!(found.bits(), expected.rounded().bits());
        }
        let buffer = Arc::new(Buffer::new(&context, 2048).unwrap());
        let refused = DeviceImage::with_layout_as(buffer, 3, info, FloatFormat::F16);
        assert!(
            matches!(refused, Err(OpenClError::Memory(DeviceMemoryError::Misaligned { offset: 3, alignment: 2 }))),
            "{refused:?}"
        );
    }
}

#[test]
fn images_of_another_format_are_refused_by_name() {
    let size = [4, 16];
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
