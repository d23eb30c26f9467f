//! Which precision a kernel gets: what was asked for, what the device can do, and what is built for it.

use crate::{
    affine_of, contexts, devices,
    kernels::{affine, brighten},
    open,
};
use windrow::{
    Kernel, Tensor,
    opencl::{
        BuildError, Context, DeviceCaps, DeviceMemoryError, EffectivePrecision, MissingFeature, Numerics, OpenClError,
        OpenClKernel, Precision, ProgramSource, recorded, validate_source,
    },
};

#[test]
fn requested_and_effective_precision_are_reported() {
    for device in devices().into_iter().filter(|device| device.half.is_none()) {
        let (strict, relaxed) = (Numerics::Strict, Numerics::Relaxed);
        let refused = OpenClKernel::new(&open(&device, strict, Precision::F16), affine_of([8, 8]));
        assert!(
            matches!(&refused, Err(OpenClError::NoFeature(MissingFeature { feature, .. })) if feature == "arithmetic in half precision"),
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
    let (configured, own) = (affine_of([64, 64]), ProgramSource::of(<affine as Kernel>::CODE));
    for caps in [recorded::mali(), recorded::adreno()] {
        let check =
            |caps: &DeviceCaps, precision, numerics| validate_source(&own, precision, caps, &configured, numerics);
        let (numerics, precision) = check(&caps, Precision::F16, Numerics::Relaxed).unwrap();
        assert_eq!(precision.effective, Some(Precision::F16));
        assert_eq!(numerics.denormals, caps.half.unwrap().denormals);
        // Half the bytes: images that are too large as floats fit.
        let small = DeviceCaps { max_allocation: 64 * 64 * 2, ..caps.clone() };
        assert!(check(&small, Precision::F16, Numerics::Relaxed).is_ok());
        assert!(matches!(
            check(&small, Precision::F32, Numerics::Relaxed),
            Err(OpenClError::Memory(DeviceMemoryError::TooLarge { .. }))
        ));
        for device in devices().into_iter().filter(|device| device.half.is_none()) {
            let other = device.with_caps(DeviceCaps { floats: device.floats, ..caps.clone() });
            let context = open(&other, Numerics::Relaxed, Precision::F32);
            // The driver behind it can't; what it was asked stands in the answer.
            match OpenClKernel::with_precision(&context, configured.clone(), Precision::F16) {
                Ok(kernel) => assert_eq!(kernel.effective_precision().effective, Some(Precision::F16)),
                Err(OpenClError::Build(BuildError::Refused { options, .. })) => {
                    assert!(options.contains("-DWINDROW_F16 -DWINDROW_F16_STORAGE"), "{options}");
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
    let refused = validate_source(&own, Precision::F16, &recorded::nvidia(), &configured, Numerics::Strict);
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
        let source = ProgramSource::of(<affine as Kernel>::CODE);
        let stored = Precision::F16Storage.on(context.device(), Numerics::Strict).unwrap();
        let keys = [source.clone(), source.with_options(stored.options().unwrap())];
        let [plain, stored] = keys.map(|source| context.programs().key(&source).unwrap());
        assert!(stored.options.contains("-DWINDROW_F16_STORAGE") && plain.digest() != stored.digest());
        assert!(make(Precision::F32).tune_key() != make(Precision::F16Storage).tune_key());
    }
}
