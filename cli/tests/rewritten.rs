//! No pass knows an operator: those of the library written otherwise give the same values and cost the same, on every
//! target, within 5 %.

mod common;

use std::path::{Path, PathBuf};
use windrow_backends::doors::instructions::block_text;
use windrow_backends::opencl;
use windrow_backends::targets::{CPU, CpuTarget};
use windrow_dsl::arithmetic::wrap;
use windrow_dsl::interpret::{self, Arguments};
use windrow_dsl::ir::{Access, AxisId, Bound, Constant, InputId, Kernel, TableId, Tap, Type, UniformId};
use windrow_dsl::library::Library;
use windrow_dsl::optimise::{Prepared, prepare};

/// By how much costs may differ.
const TOLERANCE: f64 = 0.05;

/// Each kernel that stands in both, as the library has it and as it is rewritten.
fn pairs() -> Vec<(Kernel, Kernel)> {
    let rewritten = kernels(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rewritten/operators.rs"));
    let library: Vec<Kernel> = common::operators().iter().flat_map(kernels).collect();
    let own = |kernel: Kernel| {
        let own = library.iter().find(|own| own.name == kernel.name).unwrap_or_else(|| panic!("{}", kernel.name));
        (own.clone(), kernel)
    };
    rewritten.into_iter().map(own).collect()
}

fn kernels(file: &PathBuf) -> Vec<Kernel> {
    let text = |file: &PathBuf| std::fs::read_to_string(file).unwrap();
    let beside: Vec<String> = common::entries(file.parent().unwrap()).iter().map(text).collect();
    let library = Library::new(beside.iter().map(String::as_str), |_| Vec::new());
    let compiled = windrow_dsl::compile_file_with(&text(file), &library);
    let errors: Vec<String> = compiled.errors.iter().map(|error| error.text()).collect();
    assert!(errors.is_empty(), "{}: {errors:?}", file.display());
    compiled.kernels.into_iter().map(|compiled| compiled.kernel).collect()
}

#[test]
fn every_kind_of_operator_is_rewritten() {
    let pairs = pairs();
    for file in common::operators() {
        let folder = file.parent().unwrap();
        let kernels: Vec<String> = common::entries(folder).iter().flat_map(kernels).map(|kernel| kernel.name).collect();
        let has = pairs.iter().any(|(own, _)| kernels.contains(&own.name));
        assert!(has, "none of {}", folder.display());
    }
    assert!(pairs.len() > 35, "{}", pairs.len());
}

#[test]
fn rewritten_operators_give_the_same_values() {
    for (own, rewritten) in pairs() {
        assert_eq!(own.bodies.len(), rewritten.bodies.len(), "{}", own.name);
        for (body, other) in own.bodies.iter().zip(&rewritten.bodies) {
            for seed in 0..400 {
                let values = |kernel, body| {
                    interpret::stores(body, &Place { kernel, seed }).unwrap_or_else(|_| panic!("{}", own.name))
                };
                assert_eq!(values(&own, body), values(&rewritten, other), "{} at {seed}", own.name);
            }
        }
    }
}

#[test]
fn rewritten_operators_cost_the_same() {
    let mut wrong = Vec::new();
    for (own, rewritten) in pairs() {
        let (prepared, other) = (prepare(&own), prepare(&rewritten));
        let mut compare = |target: &str, body: usize, costs: [f64; 2]| {
            if (costs[0] / costs[1] - 1.0).abs() > TOLERANCE {
                wrong.push(format!("{} ({body}) on {target}: {:.2}, rewritten {:.2}", own.name, costs[0], costs[1]));
            }
        };
        // A target for bytes has no other bodies than of kernels that it pays for.
        let has_bodies =
            |target: &&CpuTarget| !target.is_for_bytes || target.pays.is_none_or(|pays| pays(&own, &prepared));
        for target in CPU.iter().filter(|target| target.architecture.is_some()).filter(has_bodies) {
            for body in 0..prepared.bodies.len() {
                compare(
                    target.name,
                    body,
                    [cost(target, &own, &prepared, body), cost(target, &rewritten, &other, body)],
                );
            }
        }
        let [own, rewritten] = [device_costs(&own, &prepared), device_costs(&rewritten, &other)];
        assert_eq!(own.len(), rewritten.len());
        for (body, costs) in own.into_iter().zip(rewritten).enumerate() {
            compare("opencl", body, [costs.0, costs.1]);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The instructions of a body's loop over whole steps, for an element.
fn cost(target: &CpuTarget, kernel: &Kernel, prepared: &Prepared, body: usize) -> f64 {
    let body = (target.emit)(kernel, prepared, body, "body", None).unwrap();
    let whole_steps = body.text.split("if x < width").next().unwrap();
    let words = whole_steps.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| (target.is_instruction)(word)).count() as f64 / f64::from(body.columns * body.rows)
}

/// The statements that a device's block takes, for an element; one for each entry of the program.
fn device_costs(kernel: &Kernel, prepared: &Prepared) -> Vec<f64> {
    let program = opencl::emit(kernel, prepared);
    let cost = |entry: &opencl::EntryPoint| {
        let statements = block_text(&program.source, &entry.name).matches(';').count();
        statements as f64 / f64::from(entry.block.0 * entry.block.1)
    };
    program.entries.iter().map(cost).collect()
}

/// Arguments that are the same wherever they are asked for by the same place.
struct Place<'a> {
    kernel: &'a Kernel,
    seed: u64,
}

impl Place<'_> {
    fn value(&self, ty: Type, place: [i64; 5]) -> Constant {
        let mut state = self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1;
        for part in place {
            state = (state ^ part as u64).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            state ^= state >> 29;
        }
        match ty {
            Type::F32 => Constant::Float(((state % 2048) as f32 / 256.0 - 4.0).to_bits()),
            Type::BOOL => Constant::Bool(state & 1 == 1),
            // Extremes as often as what lies between.
            _ if state >> 60 == 0 => Constant::Int(wrap(i64::MAX.into(), ty)),
            _ => Constant::Int(wrap((state >> 8) as i128, ty)),
        }
    }
}

impl Arguments for Place<'_> {
    fn element(&self, access: &Access) -> Constant {
        let Tap { input, channel, dx, dy } = access.tap().unwrap();
        let ty = self.kernel.inputs[input.0 as usize].ty;
        self.value(ty, [1, i64::from(input.0), i64::from(channel), i64::from(dx), i64::from(dy)])
    }

    fn uniform(&self, uniform: UniformId, index: u32) -> Constant {
        let argument = &self.kernel.uniforms[uniform.0 as usize];
        let value = self.value(argument.ty, [2, i64::from(uniform.0), i64::from(index), 0, 0]);
        match (value, argument.bounds) {
            (Constant::Int(value), Some((Bound::Int(low), Bound::Int(high)))) => {
                Constant::Int(low + value.rem_euclid(high - low + 1))
            }
            (Constant::Float(bits), Some((Bound::Float(low), Bound::Float(high)))) => {
                let part = f32::from_bits(bits).abs() / 4.0;
                Constant::Float((low + part * (high - low)).to_bits())
            }
            (value, _) => value,
        }
    }

    fn derived(&self, _: u32) -> Constant {
        unreachable!("only optimised bodies read derived words")
    }

    fn table(&self, table: TableId, index: i128) -> Option<Constant> {
        let argument = &self.kernel.tables[table.0 as usize];
        let index = i64::try_from(index).ok().filter(|index| (0..i64::from(argument.length)).contains(index))?;
        Some(self.value(argument.ty, [3, index, 0, 0, 0]))
    }

    fn coordinate(&self, axis: AxisId) -> i32 {
        let first = if axis == AxisId::X { 2 } else { 3 };
        first + (self.seed % 3) as i32
    }

    fn extent(&self, input: InputId, dimension: u32) -> i32 {
        // A plane's rows and columns, which are the last of a tensor's.
        let columns = self.kernel.inputs[input.0 as usize].dimensions() - 1;
        if dimension == columns { 5 } else { 4 }
    }

    fn gathered(&self, input: InputId, channel: u32, [plane, row, column]: [i128; 3]) -> Option<Constant> {
        let inside = (0..4).contains(&row) && (0..5).contains(&column);
        let ty = self.kernel.inputs[input.0 as usize].ty;
        let place = [4, i64::from(input.0), i64::from(channel), (plane * 4 + row) as i64, column as i64];
        inside.then(|| self.value(ty, place))
    }
}
