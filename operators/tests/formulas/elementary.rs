//! Elementary functions and what is made of them, in floats of 64 bits: the errors that the operators' docs state.

use windrow::Tensor;
use windrow_operators::*;

use crate::Random;

/// A kernel of one float, and what is stated of it.
struct Stated {
    name: &'static str,
    compute: fn(&Tensor<f32>) -> Tensor<f32>,
    exact: fn(f64) -> f64,
    /// Of which number the last place is the unit of the error, by argument and result.
    scale: fn(f64, f64) -> f64,
    bound: f64,
}

macro_rules! stated {
    ($($kernel:ident($($value:expr),*) $bound:literal $scale:ident $exact:expr;)*) => {
        &[$(Stated {
            name: stringify!($kernel),
            compute: |x| $kernel::apply(x $(, $value as f32)*).unwrap(),
            exact: $exact,
            scale: $scale,
            bound: $bound,
        }),*]
    };
}

/// What uniforms are, as floats of 64 bits with the value of one of 32.
const ALPHA: f64 = 1.75;
/// ONNX' alpha and gamma.
const SELU: (f64, f64) = (1.673_263_2f32 as f64, 1.050_701f32 as f64);

#[rustfmt::skip]
const STATED: &[Stated] = stated! {
    exp()               1.1 result      f64::exp;
    exp2()              1.0 result      f64::exp2;
    expm1()             4.2 result      f64::exp_m1;
    log()               1.1 result      f64::ln;
    log2()              1.1 result      f64::log2;
    log1p()             1.8 result      f64::ln_1p;
    sin()               1.5 result      f64::sin;
    cos()               1.5 result      f64::cos;
    tan()               3.2 result      f64::tan;
    asin()              2.6 result      f64::asin;
    acos()              2.4 result      f64::acos;
    atan()              1.3 result      f64::atan;
    sinh()              3.8 result      f64::sinh;
    cosh()              2.4 result      f64::cosh;
    tanh()              2.6 result      f64::tanh;
    asinh()             2.3 result      libm::asinh;
    acosh()             3.1 result      f64::acosh;
    atanh()             2.8 result      libm::atanh;
    erf()               1.8 result      libm::erf;
    sigmoid()           2.5 result      logistic;
    swish(1.0)          3.5 from_far    |x| x * logistic(x);
    log_sigmoid()       2.1 result      |x| -soft(-x);
    elu(1.0)            4.2 result      |x| if x < 0.0 { x.exp_m1() } else { x };
    elu(ALPHA)          4.7 result      |x| if x < 0.0 { ALPHA * x.exp_m1() } else { x };
    selu(SELU.0, SELU.1) 5.2 result     |x| SELU.1 * if x < 0.0 { SELU.0 * x.exp_m1() } else { x };
    celu(1.0)           4.2 result      |x| if x < 0.0 { x.exp_m1() } else { x };
    celu(ALPHA)         5.6 result      |x| if x < 0.0 { ALPHA * (x / ALPHA).exp_m1() } else { x };
    gelu()              1.5 argument    |x| 0.5 * x * libm::erfc(-x / core::f64::consts::SQRT_2);
    gelu_tanh()         2.2 argument    |x| 0.5 * x * (1.0 + ((x + 0.044_715 * x.powi(3)) * (2.0 / core::f64::consts::PI).sqrt()).tanh());
    softplus()          2.1 result      soft;
    mish()              4.0 from_far    |x| x * soft(x).tanh();
};

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The logarithm of 1 + e^x.
fn soft(x: f64) -> f64 {
    if x > 0.0 { x + (-x).exp().ln_1p() } else { x.exp().ln_1p() }
}

fn result(_: f64, exact: f64) -> f64 {
    exact
}

/// Where powers of e are denormal, what they are multiplied with makes their steps larger.
fn from_far(_: f64, exact: f64) -> f64 {
    exact.abs().max(2f64.powi(-119))
}

fn argument(x: f64, _: f64) -> f64 {
    x
}

/// The last place of a float that is as large.
fn place(scale: f64) -> f64 {
    let within = scale.abs().clamp(f64::from(f32::MIN_POSITIVE), f64::from(f32::MAX));
    f64::from_bits(within.to_bits() & 0x7ff0_0000_0000_0000) * f64::from(f32::EPSILON)
}

/// The error in units; none where both are no number, zero or infinite, the exact value rounded.
fn error(found: f32, exact: f64, scale: f64) -> f64 {
    let same = found.is_nan() && exact.is_nan() || f64::from(found) == exact || found == exact as f32;
    let is_number = found.is_finite() && !exact.is_nan();
    match (same, is_number) {
        (true, _) if !found.is_finite() => 0.0,
        (false, false) => f64::INFINITY,
        _ => (f64::from(found) - exact).abs() / place(scale),
    }
}

/// Floats from all exponents, and corners.
fn arguments() -> Vec<f32> {
    let corners =
        [0.0, f32::INFINITY, f32::NAN, 1.0, f32::MIN_POSITIVE, f32::MAX, 88.0, 89.0, 104.0, 1e9, f32::EPSILON];
    let corners = corners.into_iter().flat_map(|corner| [corner, -corner]);
    // It divides 2^32 not, so that all last bits occur.
    corners.chain((0..=u32::MAX).step_by(6_151).map(f32::from_bits)).collect()
}

#[test]
fn functions_of_one_float_keep_to_what_is_stated() {
    let list = arguments();
    let arguments = Tensor::from_vec(list.clone(), [1, list.len()]).unwrap();
    for Stated { name, compute, exact, scale, bound } in STATED {
        let found = compute(&arguments).to_vec();
        let (mut greatest, mut at) = (0.0, 0.0);
        for (&x, &found) in list.iter().zip(&found) {
            let exact = exact(f64::from(x));
            let error = error(found, exact, scale(f64::from(x), exact));
            assert!(error <= *bound, "{name} of {x:e} is {found:e} instead of {exact:e}: {error}");
            if error > greatest {
                (greatest, at) = (error, x);
            }
        }
        println!("{name}: {greatest:.3} at {at:e}");
        // What is stated is near what is found: a bound that grew too wide would hide a fault.
        assert!(greatest > 0.5 * bound, "{name}: {greatest} at {at:e}");
    }
}

#[test]
fn odd_functions_keep_the_sign_of_zero() {
    let zeros = Tensor::from_vec(vec![0.0f32, -0.0], [1, 2]).unwrap();
    let odd = ["expm1", "log1p", "sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh", "erf"];
    for Stated { name, compute, .. } in STATED.iter().filter(|stated| odd.contains(&stated.name)) {
        let bits: Vec<u32> = compute(&zeros).to_vec().into_iter().map(f32::to_bits).collect();
        assert_eq!(bits, [0, 0x8000_0000], "{name}");
    }
}

#[test]
fn powers_and_angles_keep_to_what_is_stated() {
    let mut random = Random::new(3);
    let corners = [0.0, -0.0, 1.0, -1.0, 0.5, -3.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MAX];
    let mut pairs: Vec<(f32, f32)> = corners.iter().flat_map(|a| corners.map(|b| (*a, b))).collect();
    pairs.extend((0..400_000).map(|_| (f32::from_bits(random.next() as u32), f32::from_bits(random.next() as u32))));
    // Powers that are neither 0 nor infinite.
    pairs.extend(
        (0..400_000).map(|_| (random.of(1, 1 << 20) as f32 / 65536.0, random.of(-(1 << 20), 1 << 20) as f32 / 65536.0)),
    );
    let side = |pick: fn(&(f32, f32)) -> f32| {
        Tensor::from_vec(pairs.iter().map(pick).collect::<Vec<f32>>(), [1, pairs.len()]).unwrap()
    };
    let (a, b) = (side(|pair| pair.0), side(|pair| pair.1));
    let found = [power::apply(&a, &b).unwrap().to_vec(), atan2::apply(&a, &b).unwrap().to_vec()];
    for (index, (a, b)) in pairs.iter().map(|(a, b)| (f64::from(*a), f64::from(*b))).enumerate() {
        for (found, exact, bound) in [(&found[0], a.powf(b), 1.1), (&found[1], a.atan2(b), 1.6)] {
            let error = error(found[index], exact, exact);
            assert!(error <= bound, "of {a:e} and {b:e} {} instead of {exact:e}: {error}", found[index]);
        }
    }
}

/// OpenVX' formula, whose quotients are rounded halves up: no angle of whole numbers is a half, but some are near one.
#[test]
fn phases_are_the_nearest() {
    let mut random = Random::new(4);
    let pairs: Vec<(i16, i16)> = (0..400_000).map(|_| (random.any_i16(), random.any_i16())).collect();
    let side = |pick: fn(&(i16, i16)) -> i16| {
        Tensor::from_vec(pairs.iter().map(pick).collect::<Vec<i16>>(), [1, pairs.len()]).unwrap()
    };
    let found = phase::apply(&side(|pair| pair.0), &side(|pair| pair.1)).unwrap().to_vec();
    for ((x, y), found) in pairs.into_iter().zip(found) {
        let parts = f64::from(y).atan2(f64::from(x)) / core::f64::consts::TAU * 256.0;
        let from_half = (parts - parts.floor() - 0.5).abs();
        let nearest = (parts + 0.5).floor() as i32 as u8;
        let is_other = found.wrapping_sub(nearest).wrapping_add(1) <= 2;
        assert!(found == nearest || is_other && from_half < 1.4e-5, "({x}, {y}): {found} instead of {nearest}");
    }
}
