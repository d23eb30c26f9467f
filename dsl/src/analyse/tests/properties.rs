//! What holds for every body: values lie inside what is proved, only what is refused can fail, and examples do fail.

use std::collections::BTreeMap;

use super::builder::Builder;
use super::inputs::Inputs;
use super::random::{Random, body};
use crate::analyse::analysis::analyse;
use crate::analyse::demand::{DemandId, Mode};
use crate::analyse::{Range, counterexample, ranges};
use crate::arithmetic::wrap;
use crate::interpret::{evaluate, holds, values};
use crate::ir::Overflow::Never;
use crate::ir::*;

/// How many bodies a test tries; `WINDROW_BODIES` asks for more.
fn bodies() -> u64 {
    std::env::var("WINDROW_BODIES").ok().and_then(|text| text.parse().ok()).unwrap_or(1_200)
}

const POINTS: u64 = 24;

fn contains(range: Range, value: Constant) -> bool {
    match value {
        Constant::Int(value) => range.contains_int(value),
        Constant::Bool(truth) => range.contains_int(truth.into()),
        Constant::Float(_) | Constant::Double(_) => value.as_float().is_some_and(|value| range.contains_float(value)),
    }
}

/// What a body demands besides its operations, at these values.
fn keeps(b: &Builder, index: usize, values: &[Option<Constant>]) -> bool {
    let obligation = &b.body.obligations[index];
    let integer = |id: ValueId| match values[id.0 as usize] {
        Some(Constant::Int(value)) => value,
        other => panic!("{other:?}"),
    };
    if !holds(&b.body, obligation.guard, values) {
        return true;
    }
    match obligation.demand {
        Demand::Index { index, length } => (0..length as i128).contains(&integer(index)),
        Demand::Inside { index, extent } => (0..integer(extent)).contains(&integer(index)),
        Demand::ClampBounds { lo, hi } => integer(lo) <= integer(hi),
    }
}

#[test]
fn values_lie_inside_ranges_and_only_what_is_refused_fails() {
    let mut panics = 0;
    let mut accepted = 0;
    let mut means: BTreeMap<String, u32> = BTreeMap::new();
    for seed in (0..bodies()).chain([19_091]) {
        let b = body(&mut Random::new(seed), 3 + seed as usize % 12);
        let analysis = analyse(&b.kernel, &b.body, Mode::Prove);
        accepted += usize::from(analysis.failures.is_empty());
        for proof in &analysis.proofs {
            *means.entry(format!("{:?}", proof.how)).or_insert(0) += 1;
        }
        for point in 0..POINTS {
            let inputs = Inputs { kernel: &b.kernel, seed: seed << 8 ^ point, given: Vec::new() };
            if !inputs.is_declared() {
                continue;
            }
            let mut computed: Vec<Option<Constant>> = Vec::new();
            for (index, node) in b.body.nodes.iter().enumerate() {
                let value = evaluate(&b.body, node, &computed, &inputs);
                let reached = holds(&b.body, node.guard, &computed);
                if value.is_none() && reached {
                    let place = DemandId::Node(ValueId(index as u32));
                    let refused = analysis.failures.iter().any(|failure| failure.place == place);
                    assert!(refused, "seed {seed} point {point}: node {index} fails unseen: {}", dump(&b));
                    panics += 1;
                    break;
                }
                computed.push(value);
                let (Some(value), true) = (value, reached) else { continue };
                let range = analysis.ranges[index];
                assert!(
                    contains(range, value),
                    "seed {seed} point {point}: node {index} = {value:?} outside {range}: {}",
                    dump(&b)
                );
            }
            if computed.len() == b.body.nodes.len() {
                for index in 0..b.body.obligations.len() {
                    let refused = analysis.failures.iter().any(|failure| failure.place == DemandId::Demand(index));
                    assert!(refused || keeps(&b, index, &computed), "seed {seed}: demand {index}: {}", dump(&b));
                }
            }
        }
    }
    // The generator is worth nothing where everything or nothing is refused.
    assert!(panics > 500 && accepted > 50, "{panics} {accepted}");
    for how in ["Interval", "Path", "Polynomial", "Order", "Unreachable"] {
        assert!(means.get(how).is_some_and(|count| *count > 10), "{how}: {means:?}");
    }
}

#[test]
fn ranges_of_bodies_that_demand_nothing_hold_wrapped_values() {
    for seed in (0..bodies()).chain([55_185]) {
        let mut b = body(&mut Random::new(seed ^ 0xabcd), 12);
        b.body.obligations.clear();
        let unguarded = seed % 2 == 0;
        for node in &mut b.body.nodes {
            node.guard = node.guard.filter(|_| !unguarded);
        }
        let facts = ranges(&b.kernel, &b.body);
        for point in 0..POINTS {
            let inputs = Inputs { kernel: &b.kernel, seed: seed << 8 ^ point, given: Vec::new() };
            if !inputs.is_declared() {
                continue;
            }
            let mut computed: Vec<Option<Constant>> = Vec::new();
            for (index, node) in b.body.nodes.iter().enumerate() {
                let value = evaluate(&b.body, node, &computed, &inputs).or_else(|| wrapped(node, &computed));
                computed.push(value);
                let (Some(value), true) = (value, holds(&b.body, node.guard, &computed)) else { continue };
                let range = facts.ranges[index];
                assert!(contains(range, value), "seed {seed}: node {index} = {value:?} outside {range}: {}", dump(&b));
            }
        }
    }
}

/// What an emitter computes where Rust would panic.
fn wrapped(node: &Node, values: &[Option<Constant>]) -> Option<Constant> {
    let integer = |id: ValueId| match values[id.0 as usize] {
        Some(Constant::Int(value)) => Some(value),
        _ => None,
    };
    let exact = match node.op {
        Op::Binary(op, x, y) => {
            let (x, y) = (integer(x)?, integer(y)?);
            match op {
                BinaryOp::Add(Never) => x + y,
                BinaryOp::Sub(Never) => x - y,
                BinaryOp::Mul(Never) => x.wrapping_mul(y),
                BinaryOp::Shl(Never) => x << (y & 31),
                BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shr | BinaryOp::RoundingShr => 0x5a5a_5a5a,
                _ => return None,
            }
        }
        Op::Unary(UnaryOp::Neg(Never), x) => -integer(x)?,
        Op::Unary(UnaryOp::Abs(Never), x) => integer(x)?.abs(),
        Op::Cast(CastMode::Value, x) => integer(x)?,
        Op::Lookup { .. } => 0,
        _ => return None,
    };
    Some(Constant::Int(wrap(exact, node.ty)))
}

#[test]
fn examples_break_what_they_are_given_for() {
    let mut found = 0;
    let mut missed = 0;
    for seed in 0..bodies() {
        let b = body(&mut Random::new(seed ^ 0x77), 8);
        let analysis = analyse(&b.kernel, &b.body, Mode::Prove);
        let [failure] = analysis.failures.as_slice() else { continue };
        let Some(example) = counterexample::find(&analysis, failure, &mut 400_000) else {
            missed += 1;
            continue;
        };
        // Entries of tables are made up by the search; the interpreter's table would give others.
        if example.leaves.iter().any(|(id, _)| matches!(b.body.node(*id).op, Op::Lookup { .. })) {
            continue;
        }
        let given = example.leaves.iter().map(|(id, value)| (b.body.node(*id).op.clone(), *value)).collect();
        let mut inputs = Inputs { kernel: &b.kernel, seed, given };
        // What the example doesn't name is anything that is declared.
        let declared = (0..2_000).find(|next| {
            inputs.seed = seed ^ next << 32;
            inputs.is_declared()
        });
        assert!(declared.is_some(), "seed {seed}: {example:?} is not declared: {}", dump(&b));
        match failure.place {
            DemandId::Node(id) => {
                let result = values(&b.body, &inputs).map_err(|panic| panic.0);
                assert_eq!(result.err(), Some(id), "seed {seed}: {example:?}: {}", dump(&b));
            }
            DemandId::Demand(index) => {
                let values = values(&b.body, &inputs);
                let values = values.unwrap_or_else(|panic| panic!("seed {seed}: {panic:?}"));
                assert!(!keeps(&b, index, &values), "seed {seed}: {example:?}: {}", dump(&b));
            }
        }
        found += 1;
    }
    assert!(found > 60 && missed * 4 < found, "{found} found, {missed} missed");
}

fn dump(b: &Builder) -> String {
    let nodes: BTreeMap<usize, String> = b
        .body
        .nodes
        .iter()
        .enumerate()
        .map(|(index, node)| (index, format!("{:?} {:?} {:?}", node.ty, node.op, node.guard)))
        .collect();
    format!("{nodes:#?} {:#?}", b.body.guards)
}
