//! Helper functions that a program pulls in as it needs them: templates in `prelude/*.cl`, one a file.
//!
//! In a template, upper-case words stand for the form that a helper is written for: `VALUE` the (vector) type, `WHOLE` as
//! many bytes in words, `SCALAR` one element, `STORED` one in memory, `LANES` their number, `SUFFIX` the end of its name
//! (`u8x4`), `ELEMENT` the end of a one-element name (`u8`), `SIGNED` and `UNSIGNED` the integers of the same width,
//! `FLOAT` as many floats. `READ`, `WRITE` and their like are accesses: see `access`.

use super::{
    access, reals,
    template::{Filling, Template, Word},
    types::{Form, bits, c_name, signed, table_type},
};
use crate::text::Parts;
use std::fmt::Write;
use windrow_dsl::ir::Type;

/// A helper function or type. The order of the variants is the order of their text: what is used stands first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Helper {
    /// The index that a border mode gives for one outside.
    BorderIndex,
    /// The same where few are outside.
    IndexAt,
    /// The type of a place to read from.
    Source,
    /// The type of a place to write to.
    Sink,
    /// Whether rows start on a vector's boundary.
    IsAligned,
    /// Finds the block of a work-item.
    FindBlock,
    /// Finds the rows that a block reads through the border.
    FindRows,
    /// Reads elements through the border.
    Gather,
    /// Reads one element, or neighbouring ones that start on a boundary.
    Load,
    /// Reads an element beside the block.
    Beside,
    /// Reads an element of an image.
    Sample,
    /// Writes elements as far as the window goes.
    Scatter,
    /// Writes one element, or neighbouring ones that start on a boundary.
    Store,
    /// Reads a table at several indices.
    Lookup,
    /// The lesser float.
    Minimum,
    /// The greater float.
    Maximum,
    /// The lesser of each half of two words.
    MinimumPairs,
    /// The greater of each half of two words.
    MaximumPairs,
    /// The magnitude of an i32.
    Abs,
    /// The distance of two i32.
    AbsDiff,
    /// The quotient of floats, correctly rounded.
    Divide,
    /// The square root of a float, correctly rounded.
    Root,
    /// The integer square root.
    Isqrt,
    /// Shift right, to nearest.
    RoundingShr,
}

/// The helpers that a program uses, each in one form.
#[derive(Clone, Debug, Default)]
pub struct Prelude {
    /// Which forms each helper is there for: a bit for each length, by the type and the helper.
    lengths: Vec<u32>,
    pulled: Vec<(Helper, Form)>,
}

/// How many there are.
const HELPERS: usize = Helper::RoundingShr as usize + 1;

impl Prelude {
    /// Makes sure that `helper` is there for `form`, with all that it uses.
    pub fn pull(&mut self, helper: Helper, form: Form) {
        let (place, length) = (form.ty as usize * HELPERS + helper as usize, 1 << form.lanes);
        if place >= self.lengths.len() {
            self.lengths.resize(place + HELPERS, 0);
        }
        if self.lengths[place] & length != 0 {
            return;
        }
        self.lengths[place] |= length;
        self.pulled.push((helper, form));
        let element = Form::scalar(form.ty);
        match helper {
            Helper::Load | Helper::Beside => self.pull(Helper::Gather, form),
            Helper::Store => self.pull(Helper::Scatter, form),
            Helper::Gather => {
                self.pull(Helper::BorderIndex, Form::scalar(Type::I32));
                self.pull(Helper::Source, element);
            }
            Helper::IndexAt => self.pull(Helper::BorderIndex, Form::scalar(Type::I32)),
            Helper::FindRows => self.pull(Helper::IndexAt, Form::scalar(Type::I32)),
            Helper::Scatter => self.pull(Helper::Sink, element),
            Helper::IsAligned | Helper::FindBlock | Helper::BorderIndex | Helper::Source | Helper::Sink => {}
            Helper::Sample => {}
            Helper::Lookup | Helper::Minimum | Helper::Maximum => {}
            Helper::MinimumPairs | Helper::MaximumPairs => {}
            Helper::Abs | Helper::AbsDiff | Helper::Isqrt | Helper::RoundingShr => {}
            Helper::Divide | Helper::Root => {}
        }
    }

    /// The text of all that was pulled; `has_reals`: floats may be halves.
    pub fn text(&self, has_reals: bool) -> String {
        let mut out = String::new();
        out.push_str("\n#define INLINE static inline __attribute__((always_inline))\n");
        out.push_str("#define OUTLINE static __attribute__((noinline)) // what few work-items run\n");
        let mut pulled = self.pulled.clone();
        pulled.sort_unstable();
        for helpers in pulled.chunk_by(|a, b| shares_template(*a, *b)) {
            match helpers {
                // Writing to a String cannot fail.
                &[(helper, form)] => drop(write!(out, "\n{}", instance(helper, form, has_reals))),
                several => out.push_str(&in_several_forms(several)),
            }
        }
        out
    }
}

/// Whether two helpers are the same for vectors of different lengths, and long enough to be written once.
fn shares_template((helper, form): (Helper, Form), other: (Helper, Form)) -> bool {
    let is_long = match helper {
        Helper::Gather | Helper::Scatter => true,
        // Accesses of floats are found by their names, which a macro would put together.
        Helper::Load | Helper::Store => form.lanes > 1 && form.ty != Type::F32,
        Helper::BorderIndex | Helper::Source | Helper::Sink | Helper::IsAligned | Helper::FindBlock => false,
        Helper::IndexAt | Helper::FindRows | Helper::Beside | Helper::Sample | Helper::Lookup => false,
        Helper::Minimum | Helper::Maximum | Helper::MinimumPairs | Helper::MaximumPairs => false,
        Helper::Abs | Helper::AbsDiff | Helper::Isqrt | Helper::RoundingShr => false,
        Helper::Divide | Helper::Root => false,
    };
    is_long && (helper, form.ty) == (other.0, other.1.ty)
}

/// The words of a template that tell vectors of different lengths apart.
const OF_LENGTH: [&str; 7] = ["VALUE", "WHOLE", "LANES", "SUFFIX", "GATHERED", "SCATTERED", "FLOAT"];

/// A helper for several lengths: its template as a macro, and a line for each.
fn in_several_forms(helpers: &[(Helper, Form)]) -> String {
    let Some(&(helper, form)) = helpers.first() else { return String::new() };
    let template = access::written_out(template(helper, form), form);
    let (comment, function) = template.text.split_once('\n').unwrap_or_default();
    let function = of_element(template.part(function), form.ty);
    let mut words = [false; OF_LENGTH.len()];
    // What the comment speaks of is a parameter too.
    each_word(comment, |_, _, word| words[word] = true);
    let function = each_word(function.trim_end(), |out, before, word| {
        words[word] = true;
        let is_pasted = ["as_", "load_", "store_", "gather_", "scatter_"].iter().any(|stem| before.ends_with(stem));
        out.push_all(&[if is_pasted { "##" } else { "" }, OF_LENGTH[word]]);
    });
    let name = format!("{helper:?}_{}", Form::scalar(form.ty).suffix()).to_uppercase();
    let used: Vec<usize> = (0..words.len()).filter(|&word| words[word]).collect();
    let list: Vec<&str> = used.iter().map(|&word| OF_LENGTH[word]).collect();
    let mut out = format!("\n{comment}\n#define {name}({}) \\\n", list.join(", "));
    for line in function.split('\n') {
        out.push_str(line);
        out.push_str(" \\\n");
    }
    // The last line of a macro goes on nowhere.
    out.truncate(out.len() - " \\\n".len());
    out.push('\n');
    for &(_, form) in helpers {
        let mut values = Parts::default();
        for (place, &word) in used.iter().enumerate() {
            values.push(if place == 0 { "" } else { ", " });
            push_word(&mut values, word, form);
        }
        let _ = writeln!(out, "{name}({})", values.finish());
    }
    out
}

/// The text with each word of [`OF_LENGTH`] as `written` writes it behind what stands before it. All of them have five
/// capitals, so that the text is looked at in strides.
fn each_word(text: &str, mut written: impl FnMut(&mut Parts, &str, usize)) -> String {
    let bytes = text.as_bytes();
    let mut out = Parts::with_capacity(2 * text.len());
    let (mut copied, mut place) = (0, 4);
    while place < bytes.len() {
        if !bytes[place].is_ascii_uppercase() {
            place += 5;
            continue;
        }
        let (mut start, mut end) = (place, place + 1);
        while start > copied && bytes[start - 1].is_ascii_uppercase() {
            start -= 1;
        }
        while end < bytes.len() && bytes[end].is_ascii_uppercase() {
            end += 1;
        }
        if let Some(word) = OF_LENGTH.iter().position(|word| *word == &text[start..end]) {
            out.push(&text[copied..start]);
            written(&mut out, &text[..start], word);
            copied = end;
        }
        place = end + 4;
    }
    out.push(&text[copied..]);
    out.finish()
}

/// Writes what stands in the place of a word of [`OF_LENGTH`].
fn push_word(out: &mut Parts, word: usize, form: Form) {
    let Form { lanes, .. } = form;
    match OF_LENGTH[word] {
        "VALUE" => form.push_to(out),
        "WHOLE" => whole(form).push_to(out),
        "LANES" => out.push_number(lanes.into()),
        "SUFFIX" => out.push(&form.suffix()),
        "GATHERED" if lanes == 1 => out.push("gathered[0]"),
        "GATHERED" => out.push(&format!("vload{lanes}(0, gathered)")),
        "SCATTERED" if lanes == 1 => out.push("scattered[0] = value"),
        "SCATTERED" => out.push(&format!("vstore{lanes}(value, 0, scattered)")),
        _ => out.push(&vector("float", lanes)),
    }
}

/// The template of a helper.
fn template(helper: Helper, form: Form) -> Template {
    let one = form.lanes == 1;
    match helper {
        Helper::BorderIndex => const { Template::of(include_str!("prelude/border_index.cl")) },
        Helper::IndexAt => const { Template::of(include_str!("prelude/index_at.cl")) },
        Helper::Source => const { Template::of(include_str!("prelude/source.cl")) },
        Helper::Sink => const { Template::of(include_str!("prelude/sink.cl")) },
        Helper::IsAligned => const { Template::of(include_str!("prelude/is_aligned.cl")) },
        Helper::FindBlock => const { Template::of(include_str!("prelude/find_block.cl")) },
        Helper::FindRows => const { Template::of(include_str!("prelude/find_rows.cl")) },
        Helper::Beside => const { Template::of(include_str!("prelude/beside.cl")) },
        Helper::Sample => const { Template::of(include_str!("prelude/sample.cl")) },
        Helper::Gather => const { Template::of(include_str!("prelude/gather.cl")) },
        Helper::Scatter => const { Template::of(include_str!("prelude/scatter.cl")) },
        Helper::Load if one => const { Template::of(include_str!("prelude/load_one.cl")) },
        Helper::Load => const { Template::of(include_str!("prelude/load.cl")) },
        Helper::Store if one => const { Template::of(include_str!("prelude/store_one.cl")) },
        Helper::Store => const { Template::of(include_str!("prelude/store.cl")) },
        Helper::Lookup => const { Template::of(include_str!("prelude/lookup.cl")) },
        Helper::Minimum => const { Template::of(include_str!("prelude/minimum.cl")) },
        Helper::Maximum => const { Template::of(include_str!("prelude/maximum.cl")) },
        Helper::MinimumPairs => const { Template::of(include_str!("prelude/minimum_pairs.cl")) },
        Helper::MaximumPairs => const { Template::of(include_str!("prelude/maximum_pairs.cl")) },
        Helper::Abs => const { Template::of(include_str!("prelude/abs.cl")) },
        Helper::AbsDiff => const { Template::of(include_str!("prelude/abs_diff.cl")) },
        Helper::Divide => const { Template::of(include_str!("prelude/divide.cl")) },
        Helper::Root => const { Template::of(include_str!("prelude/root.cl")) },
        Helper::Isqrt => const { Template::of(include_str!("prelude/isqrt.cl")) },
        Helper::RoundingShr => const { Template::of(include_str!("prelude/rounding_shr.cl")) },
    }
}

/// The text of a helper for one form. Halves are divided as floats, and their roots taken so: a device may round its own by as
/// much as 1.5 units in the last place (`opencl/src/numerics.rs`), but a float that is rounded correctly, and then
/// again to a half, is the half that is nearest.
fn instance(helper: Helper, form: Form, has_reals: bool) -> String {
    let (quotient, root) = match has_reals {
        true => ("convert_VALUE(convert_FLOAT(a) / convert_FLOAT(b))", "convert_VALUE(sqrt(convert_FLOAT(a)))"),
        false => ("a / b", "sqrt(a)"),
    };
    let each = |item: &dyn Fn(u32) -> String| (0..form.lanes).map(item).collect::<Vec<_>>().join(", ");
    let lane = |i: u32| format!("s{i:x}");
    let lanes = |one: &str, item: &dyn Fn(u32) -> String| match form.lanes {
        1 => one.to_owned(),
        _ => format!("(VALUE)({})", each(item)),
    };
    let quotients = |i: u32| format!("divide_one_SUFFIX(a.{0}, b.{0})", lane(i));
    let roots = |i: u32| format!("root_one_SUFFIX(a.{})", lane(i));
    let template = access::written_out(template(helper, form), form)
        .replace(const { Word::of("EACH_PAIR(min_pair)") }, || each(&|i| format!("min_pair(a.{0}, b.{0})", lane(i))))
        .replace(const { Word::of("EACH_PAIR(max_pair)") }, || each(&|i| format!("max_pair(a.{0}, b.{0})", lane(i))))
        .replace(const { Word::of("EACH_QUOTIENT") }, || lanes("divide_one_SUFFIX(a, b)", &quotients))
        .replace(const { Word::of("EACH_ROOT") }, || lanes("root_one_SUFFIX(a)", &roots))
        .replace(const { Word::of("DEVICE_QUOTIENT") }, || quotient.to_owned())
        .replace(const { Word::of("DEVICE_ROOT") }, || root.to_owned())
        .replace(const { Word::of("EACH_ENTRY") }, || each(&|i| format!("table[i.{}]", lane(i))))
        .replace(const { Word::of("UNSIGNED") }, || form.of(form.ty.unsigned()).to_string())
        .replace(const { Word::of("SIGNED") }, || pattern(form));
    let text = of_element(template, form.ty);
    each_word(&text, |out, _, word| push_word(out, word, form))
}

/// A template with the words filled in that are the same for vectors of every length.
fn of_element(template: Filling, ty: Type) -> String {
    let filled = template
        .replace(const { Word::of("FROM_WORD(source.constant_bits)") }, || from_word("source.constant_bits", ty))
        .replace(const { Word::of("FROM_WORD(border)") }, || from_word("border", ty))
        .replace(const { Word::of("FROM_WORD(SAMPLED)") }, || from_word(&sampled(ty), ty))
        .replace(const { Word::of("WIDTH_MASK") }, || (bits(ty) - 1).to_string())
        .replace(const { Word::of("SCALAR") }, || c_name(ty).to_owned())
        .replace(const { Word::of("STORED") }, || if ty == Type::F32 { reals::STORED } else { c_name(ty) }.to_owned())
        .replace(const { Word::of("TABLE_TYPE") }, || table_type(ty).to_owned())
        .replace(const { Word::of("ELEMENT") }, || Form::scalar(ty).suffix());
    filled.text
}

/// A pixel of an image as a word: signed where the elements are, so that each fits its type.
fn sampled(ty: Type) -> String {
    let kind = if ty.is_signed() { "i" } else { "ui" };
    format!("read_image{kind}(image, sampler, at).x")
}

/// The signed integers as wide as a form's values.
fn pattern(form: Form) -> String {
    if form.ty == Type::F32 { vector("real_bits", form.lanes) } else { form.of(signed(form.ty)).to_string() }
}

/// A vector of a named type.
fn vector(scalar: &str, lanes: u32) -> String {
    if lanes == 1 { scalar.to_owned() } else { format!("{scalar}{lanes}") }
}

/// The form in which a vector travels: whole words, because compilers take vectors of narrow elements apart.
fn whole(form: Form) -> Form {
    match bits(form.ty) * form.lanes {
        bits if bits >= 32 => Form { ty: Type::U32, lanes: bits / 32 },
        16 => Form::scalar(Type::U16),
        _ => form,
    }
}

/// The value that a word of uniforms holds.
pub fn from_word(word: &str, ty: Type) -> String {
    match ty {
        Type::F32 => format!("as_float({word})"),
        Type::U32 => word.to_owned(),
        Type::Bool => format!("{word} != 0"),
        Type::U8 | Type::U16 => format!("({}){word}", c_name(ty)),
        // What becomes of a value that a signed type lacks is left to implementations.
        Type::I8 | Type::I16 => format!("as_{}(({}){word})", c_name(ty), c_name(ty.unsigned())),
        Type::I32 => format!("as_int({word})"),
    }
}
