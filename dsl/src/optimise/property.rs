//! Random bodies with branches, before and after all passes: the interpreter gives the same wherever Rust would not
//! panic.

use crate::interpret::{self, Arguments};
use crate::ir::Overflow::{Never, Saturate, Wrap};
use crate::ir::*;
use crate::optimise::testing::{Raw, kernel, lines};
use crate::optimise::{Formula, Part, Prepared, forms, in_demand_order, magic, number, prepare};

const TYPES: [Type; 6] = [Type::U8, Type::I8, Type::U16, Type::I16, Type::U32, Type::I32];

/// A small generator, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn of<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// One element: every tap, uniform and table entry from a seed.
struct Element<'a> {
    ty: Type,
    seed: u64,
    prepared: Option<&'a Prepared>,
}

impl Element<'_> {
    fn value(&self, ty: Type, salt: u64) -> i128 {
        let mut random = Random(self.seed ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        random.below(2);
        let (lo, hi) = ty.limits();
        match random.below(4) {
            0 => random.of(&[lo, hi, 0, 1]),
            1 => (random.below(9) as i128).clamp(lo, hi),
            _ => lo + (random.below(1 << 31) as i128) % (hi - lo + 1),
        }
    }
}

impl Arguments for Element<'_> {
    fn element(&self, access: &Access) -> Constant {
        let Tap { input, channel, dx, dy } = access.tap().unwrap();
        let salt = u64::from(input.0) << 40 | u64::from(channel) << 32 | ((dx + 64) as u64) << 8 | (dy + 64) as u64;
        Constant::Int(self.value(self.ty, salt + 1))
    }

    fn uniform(&self, uniform: UniformId, _: u32) -> Constant {
        let ty = if uniform.0 == 0 { self.ty } else { Type::U32 };
        Constant::Int(self.value(ty, 77 + u64::from(uniform.0)))
    }

    fn derived(&self, index: u32) -> Constant {
        let Some(prepared) = self.prepared else { return Constant::Int(0) };
        let word = prepared.derive.words[index as usize];
        // A word of a side that is not taken may divide by zero: its value is not used.
        let mut body = wrapping(&prepared.derive.body);
        body.guards = vec![Guard { parent: None, condition: ValueId(0), polarity: true }];
        body.nodes.iter_mut().for_each(|node| node.guard = Some(GuardId(0)));
        let Ok(values) = interpret::values(&body, &Element { prepared: None, ..*self }) else {
            return Constant::Int(0);
        };
        match word.formula {
            Formula::Value(value) => values[value.0 as usize].unwrap_or(Constant::Int(0)),
            Formula::Divisor { divisor, part } => {
                let ty = prepared.derive.body.node(divisor).ty;
                let Some(Constant::Int(divisor)) = values[divisor.0 as usize] else { return Constant::Int(0) };
                let parts = magic(ty, divisor);
                Constant::Int(match part {
                    Part::Multiplier => parts.multiplier,
                    Part::First => parts.first,
                    Part::Last => parts.last,
                })
            }
        }
    }

    fn table(&self, _: TableId, index: i128) -> Option<Constant> {
        (0..100).contains(&index).then_some(Constant::Int(index * 7 % 256))
    }

    fn coordinate(&self, _: AxisId) -> i32 {
        (self.seed % 1000) as i32
    }
}

fn operation(random: &mut Random, raw: &mut Raw, values: &[ValueId], guard: Option<GuardId>) -> ValueId {
    use BinaryOp::*;
    let a = random.of(values);
    let ty = raw.nodes[a.0 as usize].ty;
    let same: Vec<ValueId> = values.iter().copied().filter(|id| raw.nodes[id.0 as usize].ty == ty).collect();
    let b = random.of(&same);
    match random.below(8) {
        0 => raw.guarded(Op::Cast(random.of(&[CastMode::Wrapping, CastMode::Saturating]), a), random.of(&TYPES), guard),
        1 => raw.guarded(Op::Cast(CastMode::Value, a), random.of(&TYPES), guard),
        2 => {
            let amount = raw.int(random.below(ty.bits() as usize) as i128, Type::U32);
            raw.guarded(Op::Binary(random.of(&[Shr, RoundingShr, Shl(Wrap)]), a, amount), ty, guard)
        }
        3 => {
            let c = raw.int(random.of(&[0, 1, 2, 3, 7, 100]), ty);
            raw.guarded(
                Op::Binary(random.of(&[Mul(Never), Add(Never), Div, Rem, Min, And, Mul(Wrap)]), a, c),
                ty,
                guard,
            )
        }
        4 => raw.guarded(Op::Binary(random.of(&[Div, Rem]), a, b), ty, guard),
        5 => raw.guarded(Op::Binary(random.of(&[Add(Never), Sub(Never), Mul(Never)]), a, b), ty, guard),
        _ => {
            let op =
                random.of(&[Add(Wrap), Sub(Wrap), Add(Saturate), Sub(Saturate), Min, Max, And, Or, Xor, HalvingAdd]);
            raw.guarded(Op::Binary(op, a, b), ty, guard)
        }
    }
}

/// A body of an if–else, whose sides compute under their guards, and what follows it.
fn body(random: &mut Random, ty: Type) -> Body {
    let mut raw = Raw::default();
    let mut values = vec![raw.input(0, ty), raw.input(1, ty), raw.uniform(0, ty), raw.uniform(1, Type::U32)];
    for _ in 0..random.below(4) {
        let value = operation(random, &mut raw, &values, None);
        values.push(value);
    }
    let condition =
        raw.raw(Op::Binary(random.of(&[BinaryOp::Gt, BinaryOp::Ne]), values[0], random.of(&values[1..3])), Type::BOOL);
    let mut sides = Vec::new();
    for polarity in [true, false] {
        raw.guards.push(Guard { parent: None, condition, polarity });
        let guard = Some(GuardId(raw.guards.len() as u32 - 1));
        let mut inside = values.clone();
        for _ in 0..1 + random.below(6) {
            let value = operation(random, &mut raw, &inside, guard);
            inside.push(value);
        }
        let last = inside.iter().rev().copied().find(|id| raw.nodes[id.0 as usize].ty == ty);
        sides.push(last.unwrap_or(values[0]));
    }
    let chosen = Op::Select { condition, then: sides[0], otherwise: sides[1] };
    let chosen = raw.raw(chosen, ty);
    raw.store(chosen)
}

#[test]
fn passes_keep_the_meaning_of_bodies_with_branches() {
    let mut compared = 0;
    for seed in 0..4000u64 {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let ty = random.of(&TYPES);
        let original = body(&mut random, ty);
        let prepared = prepare(&kernel(ty, original.clone()));
        let optimised = &prepared.bodies[0];
        let formed = forms(&kernel(ty, original.clone()), optimised);
        for phase in formed.iter().flat_map(|form| &form.phases) {
            assert_eq!(
                lines(&number(phase)),
                lines(phase),
                "seed {seed}: jammed, a form is taken for what a builder left"
            );
        }
        let formed: Vec<Body> = formed.iter().flat_map(|form| &form.phases).map(in_demand_order).collect();
        for element in 0..8 {
            let seed = seed * 8 + element;
            let Ok(expected) = interpret::stores(&original, &Element { ty, seed, prepared: None }) else { continue };
            let place = Element { ty, seed, prepared: Some(&prepared) };
            // A checked operation that was proved for all elements is no longer so here: random bodies prove nothing.
            for after in std::iter::once(optimised).chain(&formed) {
                if let Ok(found) = interpret::stores(&wrapping(after), &place) {
                    assert_eq!(found, expected, "seed {seed}\n{original:?}\n{after:?}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 20_000, "{compared}");
}

/// The body with every checked operation in its wrapping form, as emitters compute it.
fn wrapping(body: &Body) -> Body {
    let mut body = body.clone();
    for node in &mut body.nodes {
        match &mut node.op {
            Op::Binary(op, ..) => *op = (*op).wrapping(),
            Op::Cast(mode @ CastMode::Value, _) if !node.ty.is_float() => *mode = CastMode::Wrapping,
            _ => {}
        }
    }
    body
}
