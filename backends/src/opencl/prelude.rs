//! Helper functions that a program pulls in as it needs them: templates in `prelude/*.cl`, one a file.
//!
//! In a template, upper-case words stand for the form that a helper is written for: `VALUE` the (vector) type, `SCALAR`
//! one element, `LANES` their number, `SUFFIX` the end of its name (`u8x4`), `ELEMENT` the end of a one-element name
//! (`u8`), `SIGNED` and `UNSIGNED` the integers of the same width, `FLOAT` as many floats.

use super::types::{Form, bits, c_name, signed};
use std::{collections::BTreeSet, fmt::Write};
use windrow_dsl::{arithmetic::unsigned, ir::Type};

/// A helper function or type. The order of the variants is the order of their text: what is used stands first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Helper {
    /// The index that a border mode gives for one outside.
    BorderIndex,
    /// The type of a place to read from.
    Source,
    /// The type of a place to write to.
    Sink,
    /// Whether rows start on a vector's boundary.
    IsAligned,
    /// Fills a tile through the border.
    Fill,
    /// Copies a tile to an image.
    Drain,
    /// Reads neighbouring elements.
    Load,
    /// Reads neighbouring elements that start on a vector's boundary.
    LoadAligned,
    /// Reads elements a step apart: channels of pixels, strided inputs.
    LoadApart,
    /// Writes neighbouring elements.
    Store,
    /// Writes elements a step apart: channels of pixels.
    StoreApart,
    /// Reads a table at several indices.
    Lookup,
    /// The lesser float.
    Minimum,
    /// The greater float.
    Maximum,
    /// The magnitude of an i32.
    Abs,
    /// The distance of two i32.
    AbsDiff,
    /// The integer square root.
    Isqrt,
    /// Shift right, to nearest.
    RoundingShr,
}

/// The helpers that a program uses, each in one form.
#[derive(Clone, Debug, Default)]
pub struct Prelude {
    pulled: BTreeSet<(Helper, Form)>,
}

impl Prelude {
    /// Makes sure that `helper` is there for `form`, with all that it uses.
    pub fn pull(&mut self, helper: Helper, form: Form) {
        let element = Form::scalar(form.ty);
        match helper {
            Helper::Load | Helper::LoadAligned | Helper::LoadApart => self.pull(Helper::Source, element),
            Helper::Store | Helper::StoreApart => self.pull(Helper::Sink, element),
            Helper::Fill => self.pull(Helper::BorderIndex, Form::scalar(Type::I32)),
            Helper::IsAligned
            | Helper::BorderIndex
            | Helper::Source
            | Helper::Sink
            | Helper::Drain
            | Helper::Lookup
            | Helper::Minimum => {}
            Helper::Maximum | Helper::Abs | Helper::AbsDiff | Helper::Isqrt | Helper::RoundingShr => {}
        }
        self.pulled.insert((helper, form));
    }

    /// The text of all that was pulled.
    pub fn text(&self) -> String {
        let mut out = String::new();
        out.push_str("\n#define INLINE static inline __attribute__((always_inline))\n");
        for &(helper, form) in &self.pulled {
            // Writing to a String cannot fail.
            let _ = write!(out, "\n{}", instance(helper, form));
        }
        out
    }
}

/// The template of a helper.
fn template(helper: Helper, form: Form) -> &'static str {
    let one = form.lanes == 1;
    match helper {
        Helper::BorderIndex => include_str!("prelude/border_index.cl"),
        Helper::Source => include_str!("prelude/source.cl"),
        Helper::Sink => include_str!("prelude/sink.cl"),
        Helper::IsAligned => include_str!("prelude/is_aligned.cl"),
        Helper::Fill => include_str!("prelude/fill.cl"),
        Helper::Drain => include_str!("prelude/drain.cl"),
        Helper::Load if one => include_str!("prelude/load_one.cl"),
        Helper::Load => include_str!("prelude/load.cl"),
        Helper::LoadAligned => include_str!("prelude/load_aligned.cl"),
        Helper::LoadApart => include_str!("prelude/load_apart.cl"),
        Helper::Store if one => include_str!("prelude/store_one.cl"),
        Helper::Store => include_str!("prelude/store.cl"),
        Helper::StoreApart => include_str!("prelude/store_apart.cl"),
        Helper::Lookup => include_str!("prelude/lookup.cl"),
        Helper::Minimum => include_str!("prelude/minimum.cl"),
        Helper::Maximum => include_str!("prelude/maximum.cl"),
        Helper::Abs => include_str!("prelude/abs.cl"),
        Helper::AbsDiff => include_str!("prelude/abs_diff.cl"),
        Helper::Isqrt => include_str!("prelude/isqrt.cl"),
        Helper::RoundingShr => include_str!("prelude/rounding_shr.cl"),
    }
}

/// The text of a helper for one form.
fn instance(helper: Helper, form: Form) -> String {
    let each =
        |separator: &str, item: &dyn Fn(u32) -> String| (0..form.lanes).map(item).collect::<Vec<_>>().join(separator);
    let lane = |i: u32| format!("s{i:x}");
    template(helper, form)
        .replace("EACH_P", &each(", ", &|i| element("p", "step", i)))
        .replace("EACH_STORE", &each("\n        ", &|i| format!("{} = value.{};", element("p", "step", i), lane(i))))
        .replace("EACH_ENTRY", &each(", ", &|i| format!("table[i.{}]", lane(i))))
        .replace("FROM_WORD(constant_bits)", &from_word("constant_bits", form.ty))
        .replace("WIDTH_MASK", &(bits(form.ty) - 1).to_string())
        .replace("VALUE", &form.to_string())
        .replace("SCALAR", c_name(form.ty))
        .replace("UNSIGNED", &form.of(unsigned(form.ty)).to_string())
        .replace("SIGNED", &form.of(signed(form.ty)).to_string())
        .replace("FLOAT", &form.of(Type::F32).to_string())
        .replace("SUFFIX", &form.suffix())
        .replace("ELEMENT", &Form::scalar(form.ty).suffix())
        .replace("LANES", &form.lanes.to_string())
}

/// `p[0]`, `p[step]`, `p[2 * step]`, …
fn element(pointer: &str, step: &str, i: u32) -> String {
    match i {
        0 => format!("{pointer}[0]"),
        1 => format!("{pointer}[{step}]"),
        _ => format!("{pointer}[{i} * {step}]"),
    }
}

/// The value that a word of uniforms holds.
pub fn from_word(word: &str, ty: Type) -> String {
    match ty {
        Type::F32 => format!("as_float({word})"),
        Type::U32 => word.to_owned(),
        Type::Bool => format!("{word} != 0"),
        Type::U8 | Type::I8 | Type::U16 | Type::I16 | Type::I32 => format!("({}){word}", c_name(ty)),
    }
}
