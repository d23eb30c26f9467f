//! What integers stand for, and how sums of their products become integers of 8 bits again.

use crate::{
    array::Array,
    fold::Layer,
    lower::{Lowering, Refusal, refused},
    model::{Quantization, ValueId},
    scaling::{Engine, Factor},
    slot::Slot,
};

/// Bytes of the widest vectors of most processors. Fewer outputs are computed one by one there: such a layer has more, which nothing reads.
pub(super) const VECTOR: usize = 32;

/// What a value's integers stand for, with one scale.
pub(super) fn scaled(lowering: &Lowering<'_>, value: ValueId) -> Result<(f32, i8), Refusal> {
    match lowering.analysis.quantization(value) {
        Some(Quantization { scales, zero }) if scales.len() == 1 => Ok((scales[0], *zero)),
        _ => refused(format!("`{}` has no scale, or more than one", lowering.analysis.name(value))),
    }
}

/// What the first input's integers stand for.
pub(super) fn scaled_input(lowering: &Lowering<'_>, layer: &Layer<'_>, input: usize) -> Result<(f32, i8), Refusal> {
    match layer.image.map(|(image, _)| image).filter(|_| input == 0).or_else(|| layer.node.input(input)) {
        Some(value) => scaled(lowering, value),
        None => refused(format!("input {input} is left out")),
    }
}

/// The integers between which a layer's outputs lie.
pub(super) fn bounds(engine: Engine, scale: f32, zero: i8, upper: Option<f32>) -> [i8; 2] {
    let rounded = |number: f32| if engine.is_of_floats() { number.round_ties_even() } else { number.round() };
    match upper {
        None => [i8::MIN, i8::MAX],
        // The sum saturates: bounds may be infinite.
        Some(upper) => [zero, (f32::from(zero) + rounded(upper / scale)).min(127.0) as i8],
    }
}

/// How the sums of a layer become integers of 8 bits.
pub(super) struct Scaled {
    pub by: By,
    pub zero: i8,
    pub out_zero: i32,
    pub lower: i8,
    pub upper: i8,
}

/// A number for each output.
pub(super) enum By {
    Factors { multiplier: Slot, shift: Slot },
    Floats { scale: Slot },
}

impl By {
    /// `factor` is that of the sums of each output, as both engines compute it.
    pub fn new(lowering: &mut Lowering<'_>, layer: &Layer<'_>, numbers: &[Number]) -> Result<By, Refusal> {
        lowering.budget.floats(layer.node.name(), numbers.len().saturating_mul(2))?;
        let extents = [numbers.len()];
        if lowering.engine.is_of_floats() {
            let scale = numbers.iter().map(|number| number.float).collect();
            return Ok(By::Floats { scale: lowering.constant(Array::Floats(scale), &extents) });
        }
        let factors: Option<Vec<Factor>> = numbers.iter().map(|number| number.factor).collect();
        let Some(factors) = factors else { return refused("what its sums are multiplied by is 2^30 or more") };
        let mut ints =
            |of: fn(&Factor) -> i32| lowering.constant(Array::Ints(factors.iter().map(of).collect()), &extents);
        Ok(By::Factors { multiplier: ints(|factor| factor.multiplier), shift: ints(|factor| factor.shift) })
    }
}

/// What sums are multiplied by.
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub factor: Option<Factor>,
    pub float: f32,
}

impl Scaled {
    pub fn new(lowering: &mut Lowering<'_>, layer: &Layer<'_>, outputs: usize) -> Result<Scaled, Refusal> {
        let (scale, zero) = scaled_input(lowering, layer, 0)?;
        let (out_scale, out_zero) = scaled(lowering, layer.output)?;
        let weights = layer.node.input(1).and_then(|weights| lowering.analysis.quantization(weights));
        let Some(Quantization { scales, zero: 0 }) = weights else {
            return refused("its weights have no scales, or another zero than 0");
        };
        if scales.len() != 1 && scales.len() != outputs {
            return refused(format!("its weights have {} scales, not one for each output", scales.len()));
        }
        let number = |&own: &f32| {
            let factor = Factor::new(f64::from(scale) * f64::from(own) / f64::from(out_scale));
            Number { factor, float: scale * own / out_scale }
        };
        let numbers: Vec<Number> = scales.iter().cycle().take(outputs).map(number).collect();
        let [lower, upper] = bounds(lowering.engine, out_scale, out_zero, layer.upper);
        Ok(Scaled { by: By::new(lowering, layer, &numbers)?, zero, out_zero: out_zero.into(), lower, upper })
    }

    /// The numbers of some outputs.
    pub fn part(&self, start: usize, extent: usize) -> Scaled {
        let part = |slot: &Slot| slot.part(0, start, extent);
        let by = match &self.by {
            By::Factors { multiplier, shift } => By::Factors { multiplier: part(multiplier), shift: part(shift) },
            By::Floats { scale } => By::Floats { scale: part(scale) },
        };
        Scaled { by, ..*self }
    }
}

impl Scaled {
    /// With numbers for outputs that nothing reads.
    pub fn widened(self, lowering: &mut Lowering<'_>, layer: &Layer<'_>) -> Result<Scaled, Refusal> {
        let by = match self.by {
            By::Factors { multiplier, shift } => By::Factors {
                multiplier: lowering.widened(layer, multiplier, VECTOR)?,
                shift: lowering.widened(layer, shift, VECTOR)?,
            },
            By::Floats { scale } => By::Floats { scale: lowering.widened(layer, scale, VECTOR)? },
        };
        Ok(Scaled { by, ..self })
    }

    /// Aligned with outputs of these extents, whose last dimension is that of the numbers.
    pub fn over(self, extents: &[usize]) -> Scaled {
        let by = match self.by {
            By::Factors { multiplier, shift } => {
                By::Factors { multiplier: multiplier.repeated(extents), shift: shift.repeated(extents) }
            }
            By::Floats { scale } => By::Floats { scale: scale.repeated(extents) },
        };
        Scaled { by, ..self }
    }
}
