//! Tensors of a type on a device, and the handle that makes them.

use crate::case::{Case, contexts, image};
use windrow::{
    InvalidTensor, Tensor,
    opencl::{DeviceTensor, Gpu, MapAccess, OpenClError},
};

#[test]
fn a_kernel_runs_from_tensor_to_tensor() {
    for context in contexts() {
        let (gpu, case) = (Gpu::new(&context), Case::new([6, 40], [1, 40]));
        let [a, b, level] = [&case.a, &case.b, &case.level].map(|tensor| gpu.upload(tensor).unwrap());
        let out = gpu.tensor::<u8, 2>([6, 40]).unwrap();
        let kernel = gpu.kernel(case.configured()).unwrap();
        let read = [&a, &b, &level].map(|tensor| tensor.image().clone());
        kernel.run_on(&read, &[], &[Some(out.image().clone())]).unwrap();
        assert_eq!(out.download().unwrap().to_vec(), case.expected);
        // Written again, and mapped where it lies.
        a.write(&case.b).unwrap();
        let mapped = a.map(MapAccess::Read).unwrap();
        assert_eq!(mapped.view().typed::<u8>().unwrap().get([5, 39]), case.b.view().get([5, 39]));
        assert!(matches!(a.write(&case.a), Err(OpenClError::Mapped { .. })));
    }
}

#[test]
fn tensors_of_any_rank_come_back() {
    for context in contexts() {
        let gpu = Gpu::new(&context);
        let volume = Tensor::<i16>::from_fn([3, 4, 5], |[plane, y, x]| (x * 100 + y * 10 + plane) as i16).unwrap();
        let on_device = gpu.upload(&volume).unwrap();
        assert_eq!(on_device.info().shape(), volume.shape());
        assert_eq!(on_device.download().unwrap().to_vec(), volume.to_vec());
        assert!(matches!(on_device.write(&Tensor::new([4, 5]).unwrap()), Err(OpenClError::Image { .. })));
    }
}

#[test]
fn an_image_is_a_tensor_of_its_own_type_alone() {
    for context in contexts() {
        let image = Gpu::new(&context).upload(&image(1, [2, 8])).unwrap().image().clone();
        assert!(DeviceTensor::<u8>::try_from(image.clone()).is_ok());
        let refused = DeviceTensor::<i16>::try_from(image).unwrap_err();
        assert!(matches!(refused, InvalidTensor::Element { .. }), "{refused}");
    }
}
