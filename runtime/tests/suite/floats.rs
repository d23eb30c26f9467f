//! Kernels of floats on a thread whose float environment someone else has changed: the same results, the environment untouched.

#![cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]

use std::arch::asm;

use crate::common::*;
use windrow_runtime::{
    Border, BorderMode, ElementType, Kernel, KernelCode, KernelSpec, Rayon, Scheduler, Serial, Tensor, Tier, View,
    ViewMut,
    code::{Body, Rows},
    configure,
};

/// `a × 2⁻¹⁰⁰ + b`: a subnormal product of small `a`, and a sum that is rounded.
enum Scaled {}

static SCALED: KernelSpec = kernel(
    "scaled",
    &[
        input("a", ElementType::F32, 1, around(0, 0, 0, 0), (1, 1), None),
        input("b", ElementType::F32, 1, around(0, 0, 0, 0), (1, 1), None),
    ],
    &[output("out", ElementType::F32, false)],
    (4, 1),
    &[BorderMode::Undefined],
);

// SAFETY: the code takes these views.
unsafe impl Kernel for Scaled {
    // SAFETY: the body computes this kernel, and touches what its rows lend it.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &SCALED,
            &[Body::new(Tier::Scalar, 0, (1, 1), &[around(0, 0, 0, 0), around(0, 0, 0, 0)], false, scaled_row)],
            derive_nothing,
            |point| {
                let (a, b) = (point.element(0), point.element(1));
                point.write(0, scaled(a, b));
            },
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = (View<'a, f32>, View<'a, f32>);
    type Outputs<'a> = ViewMut<'a, f32>;
}

#[inline(never)]
fn scaled(a: f32, b: f32) -> f32 {
    a * f32::from_bits(27 << 23) + b
}

/// # Safety
/// `rows` keeps its contract.
unsafe fn scaled_row(rows: &Rows<'_>) {
    for x in 0..rows.width {
        // SAFETY: `width` elements of each row.
        unsafe {
            let (a, b) = (rows.inputs[0].cast::<f32>().add(x).read(), rows.inputs[1].cast::<f32>().add(x).read());
            rows.outputs[0].cast::<f32>().add(x).write(scaled(a, b));
        }
    }
}

/// The control bits of the thread's float environment.
fn environment() -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        let mut bits = 0u32;
        // SAFETY: it stores the register.
        unsafe { asm!("stmxcsr [{}]", in(reg) &mut bits, options(nostack, preserves_flags)) };
        u64::from(bits & 0xffc0)
    }
    #[cfg(target_arch = "aarch64")]
    {
        let bits: u64;
        // SAFETY: it reads the register.
        unsafe { asm!("mrs {}, fpcr", out(reg) bits, options(nomem, nostack, preserves_flags)) };
        bits
    }
}

/// As a C library would: the thread computes so from here on. Nothing of the test itself computes with floats until it is set back.
fn set_environment(bits: u64) {
    #[cfg(target_arch = "x86_64")]
    {
        let bits = bits as u32;
        // SAFETY: it loads the register from the control bits of one.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &bits, options(nostack)) };
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: it writes the register from the control bits of one.
    unsafe {
        asm!("msr fpcr, {}", in(reg) bits, options(nostack))
    };
}

/// Environments that change results: subnormals flushed, other roundings, and both.
#[cfg(target_arch = "x86_64")]
const CHANGED: [u64; 5] = [0x9fc0, 0x3f80, 0x5f80, 0x7f80, 0xffc0];
#[cfg(target_arch = "aarch64")]
const CHANGED: [u64; 5] = [1 << 24, 1 << 22, 2 << 22, 3 << 22, 3 << 22 | 1 << 24];

fn bits(tensor: &Tensor<f32>) -> Vec<u32> {
    tensor.to_vec().into_iter().map(f32::to_bits).collect()
}

#[test]
fn a_changed_environment_changes_no_result_and_stays_as_it_was() {
    // Small numbers, whose product is subnormal and whose sum needs rounding; every sign.
    let value = |x: usize, y: usize| (x as f32 - 30.5) * if y.is_multiple_of(2) { 1e-12 } else { 3.3 };
    let a = Tensor::from_fn([9, 67], |[y, x]| value(x, y)).unwrap();
    let b = Tensor::from_fn([9, 67], |[y, x]| if x % 3 == 0 { 0.0 } else { value(y, x) }).unwrap();
    let (mut expect, mut other) = (Tensor::<f32>::new([9, 67]).unwrap(), Tensor::<f32>::new([9, 67]).unwrap());
    let configured = configure::<Scaled>(&request(&[a.info(); 2], &[Some(expect.info())], Border::Undefined)).unwrap();
    configured.run_reference((a.view(), b.view()), expect.view_mut()).unwrap();
    let subnormal = |value: &f32| value.is_subnormal();
    assert!(expect.to_vec().iter().filter(|value| subnormal(value)).count() > 20, "the test computes no subnormals");

    let default = environment();
    let pool = Rayon::new().with_grain(1);
    for scheduler in [&Serial as &dyn Scheduler, &pool] {
        for changed in CHANGED {
            let mut out = Tensor::<f32>::new([9, 67]).unwrap();
            set_environment(changed);
            let run = configured.run(scheduler, (a.view(), b.view()), out.view_mut());
            let reference = configured.run_reference((a.view(), b.view()), other.view_mut());
            let after = environment();
            set_environment(default);
            assert_eq!((run, reference, after), (Ok(()), Ok(()), changed), "{changed:#x}");
            assert!(bits(&out) == bits(&expect), "a run under {changed:#x}");
            assert!(bits(&other) == bits(&expect), "the reference under {changed:#x}");
        }
    }
}

/// The threads of a pool that are started by a changed one compute as it does.
#[test]
fn a_pool_of_changed_threads_computes_the_same() {
    let a = Tensor::from_fn([40, 64], |[y, x]| (x * y) as f32 * 1e-12).unwrap();
    let zero = Tensor::<f32>::new([40, 64]).unwrap();
    let (mut expect, mut out) = (Tensor::<f32>::new([40, 64]).unwrap(), Tensor::<f32>::new([40, 64]).unwrap());
    let configured = configure::<Scaled>(&request(&[a.info(); 2], &[Some(out.info())], Border::Undefined)).unwrap();
    configured.run_reference((a.view(), zero.view()), expect.view_mut()).unwrap();
    let builder = rayon::ThreadPoolBuilder::new().num_threads(3).start_handler(|_| set_environment(CHANGED[0]));
    let pool = builder.build().unwrap();
    let run = pool.install(|| {
        set_environment(CHANGED[0]);
        configured.run(&Rayon::new().with_grain(1), (a.view(), zero.view()), out.view_mut())
    });
    assert_eq!(run, Ok(()));
    assert!(bits(&out) == bits(&expect));
}
