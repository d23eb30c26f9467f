//! Truth values: masks, in every width in which someone asked for them.

use super::Target;
use super::machine::Masks;
use super::program::{Arg, Lane, VectorId};
use super::selection::Select;
use super::value::Value;
use crate::value_name::wanted;
use std::collections::BTreeMap;
use std::rc::Rc;
use windrow_dsl::ir::{BinaryOp, Constant, Op, Type, ValueId};

impl<T: Target> Select<'_, T> {
    /// The masks of a truth value, of a width.
    pub fn masks(&mut self, id: ValueId, width: u32) -> Vec<VectorId> {
        let known = match &self.values[id.0 as usize] {
            Value::Masks(known) => known.clone(),
            Value::Word(_) | Value::Scalar(_) => {
                let holds = match &self.values[id.0 as usize] {
                    Value::Scalar(made) => Arg::Scalar(String::new(), *made, String::new()),
                    _ => Arg::Text(self.word(id).unwrap_or_default().to_owned()),
                };
                let (call, machine) = (self.target.word_mask(width, holds), self.target.machine());
                let name = format!("{}_mask", wanted(self.kernel, self.body.node(id)));
                let mask = self.program.call_named(machine.mask_lane(width), &name, call);
                return vec![mask; (self.lanes * width / machine.bits()) as usize];
            }
            Value::Vector(_) | Value::Vectors(_) | Value::Waiting(_) => return Vec::new(),
        };
        if let Some(masks) = known.get(&width) {
            return masks.clone();
        }
        // The nearest width that exists: from above by narrowing, else from below by widening.
        let (&from, masks) = match known.range(width..).next().or_else(|| known.range(..width).next_back()) {
            Some(found) => found,
            None => return Vec::new(),
        };
        let name = wanted(self.kernel, self.body.node(id));
        let masks = self.resize_masks(masks.clone(), from, width, &name);
        if let Value::Masks(known) = &mut self.values[id.0 as usize] {
            known.insert(width, masks.clone());
        }
        masks
    }

    fn resize_masks(&mut self, mut masks: Vec<VectorId>, from: u32, to: u32, name: &Rc<str>) -> Vec<VectorId> {
        let (mut width, machine) = (from, self.target.machine());
        while width > to {
            width /= 2;
            let narrow = |pair: &[VectorId]| {
                let call = self.target.narrow_masks(Lane::mask(width), [pair[0], pair[pair.len() - 1]]);
                self.program.call(machine.mask_lane(width), name, call)
            };
            masks = masks.chunks(2).map(narrow).collect();
        }
        while width < to {
            let lane = Lane::mask(width).signed();
            width *= 2;
            let wide = if machine.masks == Masks::Vectors { lane.wide() } else { Lane::PREDICATE };
            let widen =
                |&mask: &VectorId| self.target.widen_mask(lane, mask).map(|call| self.program.call(wide, name, call));
            masks = masks.iter().flat_map(widen).collect();
        }
        masks
    }

    /// The widths in which a truth value exists; none for a word, which exists in all.
    pub fn mask_widths(&self, id: ValueId) -> Vec<u32> {
        match &self.values[id.0 as usize] {
            Value::Masks(known) => known.keys().copied().collect(),
            Value::Vector(_) | Value::Vectors(_) | Value::Word(_) | Value::Scalar(_) | Value::Waiting(_) => Vec::new(),
        }
    }

    /// A comparison: masks as wide as its operands.
    pub fn compare(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> Value {
        let lane = Lane::of(self.body.node(a).ty);
        of(lane.bits(), T::compare(self, op, a, b))
    }

    /// The inverse of a truth value, in the width in which it exists.
    pub fn not_mask(&mut self, a: ValueId) -> Value {
        let width = self.mask_widths(a).first().copied().unwrap_or_else(|| self.least_width());
        let masks = self.masks(a, width);
        of(width, T::not(self, Lane::mask(width), masks))
    }

    /// `&`, `|` and `^` of truth values, in the lesser width of the two.
    pub fn combine_masks(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> Value {
        let widths = self.mask_widths(a).into_iter().chain(self.mask_widths(b));
        let width = widths.min().unwrap_or_else(|| self.least_width());
        let operands = [self.masks(a, width), self.masks(b, width)];
        of(width, T::mask_logic(self, op, width, operands))
    }

    /// The masks of a truth value as vectors of a width, whose lanes have all bits alike.
    pub fn mask_vectors(&mut self, id: ValueId, width: u32) -> Vec<VectorId> {
        let masks = self.masks(id, width);
        T::spread(self, Lane::mask(width), masks)
    }

    /// The width whose lanes fill one vector.
    fn least_width(&self) -> u32 {
        self.target.machine().bits() / self.lanes.max(1)
    }

    /// One of two values, by a truth value.
    pub fn choose(&mut self, ty: Type, condition: ValueId, then: ValueId, otherwise: ValueId) -> Value {
        if ty != Type::BOOL {
            let lane = Lane::of(ty);
            let is_read = matches!(self.body.node(then).op, Op::Contiguous { .. });
            if self.target.machine().chooses_pointers
                && is_read
                && [condition, otherwise].iter().all(|&id| self.is_scalar(id))
            {
                return Value::Vectors(self.contiguous_or(then, Some([condition, otherwise])));
            }
            let masks = self.masks(condition, lane.bits());
            if let Some(vectors) = self.masked(lane, &masks, then, otherwise) {
                return Value::Vectors(vectors);
            }
            let (then, otherwise) = (self.vectors(then), self.vectors(otherwise));
            return Value::Vectors(self.bit_select(lane, &masks, &then, &otherwise));
        }
        let all = [condition, then, otherwise];
        let widths = all.iter().flat_map(|&id| self.mask_widths(id)).min();
        let width = widths.unwrap_or_else(|| self.least_width());
        let [masks, then, otherwise] = all.map(|id| self.masks(id, width));
        of(width, T::choose_masks(self, width, [masks, then, otherwise]))
    }

    /// A choice one of whose sides has no bits or all of them: the mask itself, or bits of the other side.
    fn masked(&mut self, lane: Lane, masks: &[VectorId], then: ValueId, otherwise: ValueId) -> Option<Vec<VectorId>> {
        let (mask, machine) = (lane.unsigned(), self.target.machine());
        let bits = [then, otherwise].map(|side| self.same_bits(side));
        Some(match bits {
            [Some(true), Some(false)] => T::spread(self, lane, masks.to_vec()),
            [Some(false), Some(true)] => {
                let masks = T::not(self, mask, masks.to_vec());
                T::spread(self, lane, masks)
            }
            [None, Some(false)] => {
                let then = self.vectors(then);
                T::kept(self, lane, [then, masks.to_vec()])
            }
            [Some(true), None] if machine.masks == Masks::Vectors => {
                let otherwise = self.vectors(otherwise);
                T::logic(self, BinaryOp::Or, mask, [otherwise, masks.to_vec()])
            }
            [_, None] | [None | Some(true), Some(true)] | [Some(false), Some(false)] => return None,
        })
    }

    /// Whether all bits of a constant are set, or none.
    fn same_bits(&self, id: ValueId) -> Option<bool> {
        let node = self.body.node(id);
        let Op::Constant(Constant::Int(value)) = node.op else { return None };
        match value & ((1 << node.ty.bits()) - 1) {
            0 => Some(false),
            all if all + 1 == 1 << node.ty.bits() => Some(true),
            _ => None,
        }
    }

    /// 0 or 1 from a mask: its bits and those of the type's 1.
    pub fn zero_or_one(&mut self, ty: Type, a: ValueId) -> Vec<VectorId> {
        let lane = Lane::of(ty);
        let masks = self.masks(a, lane.bits());
        let one = match ty {
            Type::F32 => i128::from(1.0f32.to_bits()),
            Type::F64 => i128::from(1.0f64.to_bits()),
            _ => 1,
        };
        let one = self.splat_int(one, lane.unsigned());
        let ones = vec![one; masks.len()];
        match self.target.machine().masks {
            Masks::Vectors => T::logic(self, BinaryOp::And, lane.unsigned(), [masks, ones]),
            Masks::Predicates => T::kept(self, lane.unsigned(), [ones, masks]),
        }
    }
}

/// A truth value that exists in one width.
pub fn of(width: u32, vectors: Vec<VectorId>) -> Value {
    Value::Masks(BTreeMap::from([(width, vectors)]))
}

#[cfg(test)]
mod tests {
    use windrow_dsl::{compile_file, optimise::prepare};

    #[test]
    fn a_words_truth_has_the_widths_of_a_step() {
        let compiled = compile_file(
            "#[kernel(step(8, 1))]
            fn pick(a: i16, b: i16, #[uniform] is_less: u8) -> i16 { if (a < b) == (is_less == 0) { a } else { b } }",
        );
        let kernel = &compiled.kernels[0].kernel;
        for target in crate::targets::CPU {
            assert!((target.emit)(kernel, &prepare(kernel), 0, "pick", None).is_ok());
        }
    }
}
