//! Floats on devices whose own are not exact, and devices that are not here.

use crate::case::{Case, devices};
use windrow::{
    Tensor,
    opencl::{
        BuildError, Context, ContextOptions, Device, DeviceMemoryError, Driver, Numerics, OpenClError, OpenClKernel,
        recorded, validate,
    },
    prelude::*,
};

/// A product that a denormal may be lost in.
#[kernel]
pub fn scaled(a: f32, #[uniform] by: f32) -> f32 {
    a * by
}

#[test]
fn floats_that_a_device_lacks_are_refused_or_reported() {
    for device in devices() {
        let a = Tensor::from_vec(vec![1.0f32, -0.5, 3.0, 0.0], [1, 4]).unwrap();
        let tiny = f32::MIN_POSITIVE / 4.0;
        let configured = scaled::configure(a.info(), tiny, a.info()).unwrap();
        let run = |context: &Context| {
            let kernel = OpenClKernel::new(context, configured.clone())?;
            let mut out = Tensor::<f32>::new([1, 4]).unwrap();
            kernel.run(a.view(), out.view_mut())?;
            Ok::<_, OpenClError>((kernel.effective_numerics(), out.to_vec()))
        };
        let open = |device: &Device, numerics, flushes_denormals| {
            let options = ContextOptions { numerics, flushes_denormals, ..Default::default() };
            Context::with_options(&Driver::new(), device, &options).unwrap()
        };
        let exact: Vec<f32> = a.to_vec().iter().map(|v| v * tiny).collect();
        if device.floats.denormals {
            let (numerics, found) = run(&open(&device, Numerics::Strict, false)).unwrap();
            assert!(numerics.is_exact());
            assert_eq!(found, exact);
        }
        // Flushed on purpose: an error in strict mode, a report in the other.
        let refused = run(&open(&device, Numerics::Strict, true));
        assert!(
            matches!(&refused, Err(OpenClError::Build(BuildError::Inexact { lacks, .. })) if lacks == &["denormals"]),
            "{refused:?}"
        );
        let (numerics, found) = run(&open(&device, Numerics::Relaxed, true)).unwrap();
        assert_eq!(numerics.lacks(), ["denormals"]);
        assert!(found.iter().zip(&exact).all(|(found, exact)| found == exact || *found == 0.0), "{found:?}");
        // A device taken for one whose floats are worse is treated as that one.
        let mut caps = device.caps.clone();
        caps.floats.denormals = false;
        let other = device.with_caps(caps);
        assert!(matches!(
            run(&open(&other, Numerics::Strict, false)),
            Err(OpenClError::Build(BuildError::Inexact { .. }))
        ));
        assert!(run(&open(&other, Numerics::Relaxed, false)).is_ok());
    }
}

#[test]
fn kernels_are_validated_for_devices_that_are_not_here() {
    let (a, tiny) = (Tensor::<f32>::new([64, 64]).unwrap(), f32::MIN_POSITIVE / 4.0);
    let floats = scaled::configure(a.info(), tiny, a.info()).unwrap();
    let integers = Case::new([64, 64], [1, 64]).configured();
    for caps in [recorded::mali(), recorded::adreno(), recorded::nvidia()] {
        assert!(validate(&caps, &integers, Numerics::Strict).unwrap().is_exact(), "{}", caps.name);
        let old = windrow::opencl::DeviceCaps { version: "OpenCL 1.1 old".into(), ..caps.clone() };
        assert!(matches!(validate(&old, &integers, Numerics::Strict), Err(OpenClError::NoFeature { .. })));
        let small = windrow::opencl::DeviceCaps { max_allocation: 4095, ..caps.clone() };
        let refused = validate(&small, &integers, Numerics::Strict);
        assert!(
            matches!(&refused, Err(OpenClError::Memory(DeviceMemoryError::TooLarge { argument, .. })) if argument == "a"),
            "{refused:?}"
        );
        let full = windrow::opencl::DeviceCaps { global_memory: 3 * 4096, ..caps.clone() };
        assert!(matches!(
            validate(&full, &integers, Numerics::Strict),
            Err(OpenClError::Memory(DeviceMemoryError::TooLarge { .. }))
        ));
    }
    assert!(validate(&recorded::mali(), &floats, Numerics::Strict).unwrap().is_exact());
    let refused = validate(&recorded::adreno(), &floats, Numerics::Strict);
    assert!(matches!(refused, Err(OpenClError::Build(BuildError::Inexact { .. }))), "{refused:?}");
    assert_eq!(validate(&recorded::adreno(), &floats, Numerics::Relaxed).unwrap().lacks(), ["denormals"]);
}

/// A quotient and a root.
#[kernel(output(quotient, root))]
pub fn quotient_and_root(a: f32, b: f32) -> (f32, f32) {
    (a / b, a.sqrt())
}

/// A root of integers.
#[kernel]
pub fn root(a: u32) -> u32 {
    a.isqrt()
}

#[test]
fn roots_of_integers_ask_nothing_of_a_devices_floats() {
    let a = Tensor::<u32>::new([64, 64]).unwrap();
    let configured = root::configure(a.info(), a.info()).unwrap();
    for caps in [recorded::mali(), recorded::adreno(), recorded::nvidia()] {
        assert!(validate(&caps, &configured, Numerics::Strict).unwrap().is_exact(), "{}", caps.name);
    }
    // What the program does with an estimate that is off by as much as a device's root may be.
    let settled = |a: u32, off: i32| {
        let near = (a as f32).sqrt();
        let estimate = if near == 0.0 { near } else { f32::from_bits(near.to_bits().wrapping_add_signed(off)) };
        let root = (estimate as u32).min(65_535);
        let root = if root * root > a { root - 1 } else { root };
        if a - root * root > 2 * root { root + 1 } else { root }
    };
    for root in 0..=65_535u32 {
        for a in [root * root, root * root + root, root * root + 2 * root] {
            assert!((-4..=4).all(|off| settled(a, off) == root), "{a}");
        }
    }
}

/// Bits of floats: every kind of value, and many that are close to where rounding changes.
fn floats(seed: u32, extents: [usize; 2]) -> Tensor<f32> {
    let special = [0, 1, 0x007f_ffff, 0x0080_0000, 0x3f80_0000, 0x3f80_0001, 0x7f7f_ffff, 0x7f80_0000, 0x7fc0_0000];
    let mut state = seed;
    Tensor::from_fn(extents, |[y, x]| {
        state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let noise = (state >> ((state >> 28) + 4) ^ state).wrapping_mul(277_803_737);
        let bits = match (x % 16, y % 4) {
            (column @ 0..9, 0) => special[(column + y / 4 * seed as usize) % 9],
            // Of one size, so that quotients are around one; denormals; anything.
            (_, 1) => noise & 0x00ff_ffff | 0x3f00_0000,
            (_, 2) => noise & 0x807f_ffff,
            _ => noise,
        };
        f32::from_bits(bits ^ (noise & 0x8000_0000))
    })
    .unwrap()
}

#[test]
fn division_by_a_sequence_is_rounded_correctly() {
    let size = [512, 256];
    let (a, b) = (floats(1, size), floats(2, size));
    let configured = quotient_and_root::configure(a.info(), b.info(), a.info(), a.info()).unwrap();
    for device in devices().into_iter().filter(|device| device.floats.denormals) {
        // The flag is withheld: a device that has none.
        let mut caps = device.caps.clone();
        caps.floats.correctly_rounded_division = false;
        let context = Context::with_driver(&Driver::new(), &device.with_caps(caps)).unwrap();
        let kernel = OpenClKernel::new(&context, configured.clone()).unwrap();
        assert_eq!(kernel.effective_numerics().division, windrow::opencl::FloatDivision::Sequence);
        let [mut quotient, mut root] = [(); 2].map(|()| Tensor::<f32>::new(size).unwrap());
        kernel.run((a.view(), b.view()), (quotient.view_mut(), root.view_mut())).unwrap();
        let [found, roots] = [quotient.to_vec(), root.to_vec()];
        for (k, (a, b)) in a.to_vec().into_iter().zip(b.to_vec()).enumerate() {
            let same = |found: f32, exact: f32| found.to_bits() == exact.to_bits() || found.is_nan() && exact.is_nan();
            assert!(same(found[k], a / b), "{a:e} / {b:e} = {:e}, found {:e}", a / b, found[k]);
            assert!(same(roots[k], a.sqrt()), "√{a:e} = {:e}, found {:e}", a.sqrt(), roots[k]);
        }
    }
}
