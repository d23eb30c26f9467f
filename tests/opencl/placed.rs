//! Kernels that run on the processor where no device can run them, and say so.

use super::{
    case::{Case, devices},
    numerics::scaled,
};
use windrow::{
    Rayon, Tensor,
    opencl::{BuildError, Context, ContextOptions, Driver, Fallback, OpenClError, PlacedKernel},
};

/// What a placed kernel computes.
fn run(kernel: &PlacedKernel<super::case::distance>, case: &Case) -> Vec<u8> {
    let mut out = Tensor::new([5, 17]).unwrap();
    kernel.run(&Rayon::new(), (case.a.view(), case.b.view(), case.level.view()), out.view_mut()).unwrap();
    out.to_vec()
}

#[test]
fn a_kernel_runs_on_the_device_where_there_is_one() {
    let case = Case::new([5, 17], [1, 17]);
    for device in devices() {
        let context = Context::with_driver(&Driver::new(), &device);
        for fallback in Fallback::ALL {
            let kernel = PlacedKernel::new(context.as_ref(), &case.configured(), fallback).unwrap();
            assert_eq!(kernel.placement().to_string(), format!("distance: {}", device.name));
            assert!(kernel.device().is_some() && kernel.placement().reason.is_none());
            assert_eq!(run(&kernel, &case), case.expected);
        }
    }
}

#[test]
fn a_kernel_runs_on_the_processor_where_there_is_no_device() {
    let case = Case::new([5, 17], [1, 17]);
    let absent = OpenClError::NoPlatform;
    let refused = PlacedKernel::new(Err(&absent), &case.configured(), Fallback::Never);
    assert_eq!(refused.err(), Some(absent.clone()));
    let kernel = PlacedKernel::new(Err(&absent), &case.configured(), Fallback::Processor).unwrap();
    assert_eq!(kernel.placement().reason, Some(absent.clone()));
    assert_eq!(kernel.placement().to_string(), format!("distance: the processor ({absent})"));
    assert!(kernel.device().is_none());
    assert_eq!(run(&kernel, &case), case.expected);
}

#[test]
fn a_kernel_that_a_device_would_compute_otherwise_runs_on_the_processor() {
    for device in devices() {
        let options = ContextOptions { flushes_denormals: true, ..Default::default() };
        let context = Context::with_options(&Driver::new(), &device, &options);
        let a = Tensor::from_vec(vec![1.0f32, -0.5, 3.0, 0.0], [1, 4]).unwrap();
        let tiny = f32::MIN_POSITIVE / 4.0;
        let configured = scaled::configure(a.info(), tiny, a.info()).unwrap();
        let strict = PlacedKernel::new(context.as_ref(), &configured, Fallback::Never);
        assert!(matches!(strict.err(), Some(OpenClError::Build(BuildError::Inexact { .. }))));
        let kernel = PlacedKernel::new(context.as_ref(), &configured, Fallback::Processor).unwrap();
        assert!(matches!(kernel.placement().reason, Some(OpenClError::Build(BuildError::Inexact { .. }))));
        let mut out = Tensor::<f32>::new([1, 4]).unwrap();
        kernel.run(&Rayon::new(), a.view(), out.view_mut()).unwrap();
        assert_eq!(out.to_vec(), a.to_vec().iter().map(|v| v * tiny).collect::<Vec<_>>());
    }
}
