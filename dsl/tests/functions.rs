//! The elementary functions as operations compute what rustc makes of the same definitions, bit for bit; and what is measured of
//! them serves the proof.

use windrow_dsl::interpret::{self, Arguments};
use windrow_dsl::ir::{Access, AxisId, Constant, Kernel, TableId, UniformId};
use windrow_reference::functions::{self, DEFINITIONS};

/// What rustc made of a definition.
fn reference(name: &str, x: f32, y: f32) -> f32 {
    match name {
        "atan" => functions::atan(x),
        "atan2" => functions::atan2(x, y),
        "cos" => functions::cos(x),
        "erf" => functions::erf(x),
        "exp" => functions::exp(x),
        "exp2" => functions::exp2(x),
        "ln" => functions::ln(x),
        "log2" => functions::log2(x),
        "powf" => functions::powf(x, y),
        "rsqrt" => functions::rsqrt(x),
        "sigmoid" => functions::sigmoid(x),
        "sin" => functions::sin(x),
        "tanh" => functions::tanh(x),
        _ => panic!("{name} has no reference here"),
    }
}

struct Two(f32, f32);

impl Arguments for Two {
    fn element(&self, access: &Access) -> Constant {
        Constant::Float(if access.tensor.0 == 0 { self.0 } else { self.1 }.to_bits())
    }
    fn uniform(&self, _: UniformId, _: u32) -> Constant {
        Constant::Int(0)
    }
    fn table(&self, _: TableId, _: i128) -> Option<Constant> {
        None
    }
    fn derived(&self, _: u32) -> Constant {
        Constant::Int(0)
    }
    fn coordinate(&self, _: AxisId) -> i32 {
        0
    }
}

/// Floats of every exponent and both signs, corners among them.
fn floats() -> Vec<f32> {
    let corners =
        [0.0, 1.0, 0.5, 2.0, 3.0, 0.9375, 89.0, 104.0, 16_777_215.0, f32::INFINITY, f32::NAN, f32::MAX, 1e-45];
    let exponents = (0..255u32).flat_map(|e| [0, 0x2a_aaab, 0x7f_ffff].map(|f| f32::from_bits(e << 23 | f)));
    corners.into_iter().chain(exponents).flat_map(|v| [v, -v]).collect()
}

fn compile(source: &str) -> Vec<Kernel> {
    let compiled = windrow_dsl::compile_file(source);
    assert!(compiled.errors.is_empty(), "{source}: {}", compiled.errors[0].text());
    compiled.kernels.into_iter().map(|kernel| kernel.kernel).collect()
}

#[test]
fn operations_compute_what_rustc_makes_of_the_definition() {
    for definition in DEFINITIONS {
        let (parameters, argument) =
            if definition.parameters.len() == 1 { ("a: f32", "") } else { ("a: f32, b: f32", "b") };
        let source = format!("#[kernel] fn f({parameters}) -> f32 {{ a.{}({argument}) }}", definition.name);
        let kernel = compile(&source).remove(0);
        let all = floats();
        let others: Vec<f32> = if argument.is_empty() { vec![0.0] } else { all.iter().copied().step_by(13).collect() };
        for (&x, &y) in all.iter().flat_map(|x| others.iter().map(move |y| (x, y))) {
            let Ok(found) = interpret::stores(&kernel.bodies[0], &Two(x, y)) else { panic!("{source}") };
            let expected = reference(definition.name, x, y);
            let Constant::Float(bits) = found[0] else { panic!("{source}: {found:?}") };
            let same = bits == expected.to_bits() || f32::from_bits(bits).is_nan() && expected.is_nan();
            assert!(same, "{source} of {x:?} and {y:?}: {:?}, and not {expected:?}", f32::from_bits(bits));
        }
    }
}

#[test]
fn a_function_of_a_constant_is_a_constant() {
    let kernel = compile("#[kernel] fn f(a: f32) -> f32 { let two: f32 = 2.0; a * two.exp().powf(0.5) }").remove(0);
    assert!(kernel.bodies[0].nodes.len() <= 3, "{:?}", kernel.bodies[0].nodes);
    let expected = 3.0 * functions::powf(functions::exp(2.0), 0.5);
    assert_eq!(
        interpret::stores(&kernel.bodies[0], &Two(3.0, 0.0)).ok(),
        Some(vec![Constant::Float(expected.to_bits())])
    );
}

/// Each is proved by the function's range alone; without it, the conversion could lose the value.
#[test]
fn ranges_of_functions_serve_the_proof() {
    compile(
        "#[kernel] fn a(x: f32) -> u8 { (x.sigmoid() * 255.0) as i32 as u8 }
         #[kernel] fn b(x: f32) -> i8 { (x.tanh() * 127.0) as i32 as i8 }
         #[kernel] fn c(x: f32) -> i8 { (x.sin() * 64.0 + x.cos() * 63.0) as i32 as i8 }
         #[kernel] fn d(y: f32, x: f32) -> i8 { (y.atan2(x) * 40.0) as i32 as i8 }
         #[kernel] fn e(x: f32) -> u8 { (x.exp().min(255.0)) as i32 as u8 }
         #[kernel] fn f(x: f32) -> i8 { (x.erf() * 100.0) as i32 as i8 }",
    );
    for refused in [
        "#[kernel] fn a(x: f32) -> u8 { (x.sigmoid() * 257.0) as i32 as u8 }",
        "#[kernel] fn b(x: f32) -> u8 { (x.tanh() * 127.0) as i32 as u8 }",
        "#[kernel] fn c(x: f32) -> u8 { (x.ln().min(255.0)) as i32 as u8 }",
        "#[kernel(fast)] fn d(x: f32) -> i8 { (x.tanh() * 127.5) as i32 as i8 }",
    ] {
        assert_eq!(windrow_dsl::compile_file(refused).errors.len(), 1, "{refused}");
    }
}
