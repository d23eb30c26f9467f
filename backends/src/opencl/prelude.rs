//! Helper functions that a program pulls in as it needs them: templates in `prelude/*.cl`, one a file.
//!
//! Upper-case words of a template stand for the type that a helper is written for: `VALUE` the (vector) type, `WHOLE` as
//! many bytes in words, `SCALAR` one element, `STORED` one in memory, `LANES` their number, `SUFFIX` the end of its name
//! (`u8x4`), `ELEMENT` the end of a one-element name (`u8`), `SIGNED` and `UNSIGNED` the integers of the same width,
//! `FLOAT` as many floats. Others take operands: `READ(p, i)` and `WRITE(p, i, v)` are one element of memory, `LOAD` and
//! `STORE` all lanes from there on; `WORD(w)` is the value that a word holds, and `SPREAD(v)` one
//! in all lanes; `EACH(f(a@))` is `f` of every lane; of
//! `REALS(a, b)` the first is for programs whose floats may be halves. Those are divided as floats, and their roots taken so:
//! a device may round its own by as much as 1.5 units in the last place (`opencl/src/numerics.rs`), but a float that is
//! rounded correctly, and then again to a half, is the half that is nearest.

use super::c::{Expr, from_word};
use super::floats::Floats;
use super::types::{CType, bits, c_name, digits, signed};
use std::collections::BTreeSet;
use windrow_dsl::ir::Type;

/// Declares the helpers, each with the name of its template, whose first line says what it does.
macro_rules! helpers {
    ($($helper:ident = $file:literal,)*) => {
        /// A helper function or type. The order of the variants is that of their text: what is used comes first.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Helper {
            $($helper,)*
        }

        impl Helper {
            fn template(self) -> &'static str {
                match self {
                    $(Self::$helper => include_str!(concat!("prelude/", $file, ".cl")),)*
                }
            }
        }
    };
}

helpers! {
    BorderIndex = "border_index",
    IndexAt = "index_at",
    Source = "source",
    Sink = "sink",
    IsAligned = "is_aligned",
    FindBlock = "find_block",
    FindRows = "find_rows",
    Gather = "gather",
    Load = "load",
    Beside = "beside",
    Sample = "sample",
    Scatter = "scatter",
    Store = "store",
    Lookup = "lookup",
    Minimum = "minimum",
    Maximum = "maximum",
    MinimumPairs = "minimum_pairs",
    MaximumPairs = "maximum_pairs",
    Abs = "abs",
    AbsDiff = "abs_diff",
    Divide = "divide",
    Root = "root",
    Isqrt = "isqrt",
    RoundingShr = "rounding_shr",
}

impl Helper {
    /// Whether vectors of different lengths share the helper's text, which is long: as a macro of the words in which they
    /// differ. The name of an access to floats is recorded as it is written, which a macro would put together.
    fn is_shared(self, ty: CType) -> bool {
        match self {
            Self::Gather | Self::Scatter => true,
            Self::Load | Self::Store => ty.lanes > 1 && ty.ty != Type::F32,
            _ => false,
        }
    }
}

/// The helpers that a program uses, each for one type.
#[derive(Clone, Debug, Default)]
pub struct Prelude {
    pulled: BTreeSet<(Helper, CType)>,
}

impl Prelude {
    /// Makes sure that `helper` is there for a type, with all that it uses.
    pub fn pull(&mut self, helper: Helper, ty: CType) {
        if !self.pulled.insert((helper, ty)) {
            return;
        }
        let (int, element) = (CType::scalar(Type::I32), CType::scalar(ty.ty));
        match helper {
            Helper::Load | Helper::Beside => self.pull(Helper::Gather, ty),
            Helper::Store => self.pull(Helper::Scatter, ty),
            Helper::Scatter => self.pull(Helper::Sink, element),
            Helper::Gather => {
                self.pull(Helper::BorderIndex, int);
                self.pull(Helper::Source, element);
            }
            Helper::IndexAt => self.pull(Helper::BorderIndex, int),
            Helper::FindRows => self.pull(Helper::IndexAt, int),
            _ => {}
        }
    }

    /// The text of all that was pulled.
    pub fn text(&self, floats: &Floats) -> String {
        let mut out = String::from("\n#define INLINE static inline __attribute__((always_inline))\n");
        out += "#define OUTLINE static __attribute__((noinline)) // what few work-items run\n";
        let pulled: Vec<_> = self.pulled.iter().copied().collect();
        let is_alike = |(helper, ty): &(Helper, CType), (other, of): &(Helper, CType)| {
            (helper, ty.ty) == (other, of.ty) && helper.is_shared(*ty) && helper.is_shared(*of)
        };
        for helpers in pulled.chunk_by(is_alike) {
            let (helper, ty) = helpers[0];
            let mut expansion = Expansion { floats, ty, kept: (helpers.len() > 1).then(BTreeSet::new) };
            let mut text = String::from("\n");
            expansion.expand(helper.template(), &mut text);
            match expansion.kept {
                None => out += &text,
                Some(kept) => {
                    let types = helpers.iter().map(|(_, ty)| *ty);
                    out +=
                        &as_macro(&format!("{helper:?}_{}", ty.ty.name()).to_uppercase(), &text, &kept, types, floats);
                }
            }
        }
        out
    }
}

/// A helper for several lengths: its text, a comment first, as a macro of what tells them apart, and a line for each.
fn as_macro(
    name: &str,
    text: &str,
    kept: &BTreeSet<Word>,
    types: impl Iterator<Item = CType>,
    floats: &Floats,
) -> String {
    let (comment, function) = text.trim().split_once('\n').unwrap_or_default();
    let parameters: Vec<String> = kept.iter().map(|word| format!("{word:?}").to_uppercase()).collect();
    let mut out = format!("\n{comment}\n#define {name}({}) \\\n", parameters.join(", "));
    out += &function.replace('\n', " \\\n");
    out += "\n";
    for ty in types {
        let values: Vec<String> = kept.iter().map(|word| word.value("", ty, floats)).collect();
        out += &format!("{name}({})\n", values.join(", "));
    }
    out
}

/// The words that tell vectors of different lengths apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Word {
    Value,
    Whole,
    Lanes,
    Suffix,
    Gathered,
    Scattered,
    Float,
}

impl Word {
    fn of(word: &str) -> Option<Self> {
        Some(match word {
            "VALUE" => Self::Value,
            "WHOLE" => Self::Whole,
            "LANES" => Self::Lanes,
            "SUFFIX" => Self::Suffix,
            "GATHERED" => Self::Gathered,
            "SCATTERED" => Self::Scattered,
            "FLOAT" => Self::Float,
            _ => return None,
        })
    }

    /// What a type has in its place, behind `convert_` or `as_` or alone.
    fn value(self, function: &'static str, ty: CType, floats: &Floats) -> String {
        let lanes = ty.lanes;
        match self {
            Self::Value => floats.function(function, ty)[function.len()..].to_owned(),
            Self::Whole => floats.name(whole(ty)),
            Self::Lanes => lanes.to_string(),
            Self::Suffix => ty.suffix(),
            Self::Gathered if lanes == 1 => "gathered[0]".to_owned(),
            Self::Gathered => format!("vload{lanes}(0, gathered)"),
            Self::Scattered if lanes == 1 => "scattered[0] = value".to_owned(),
            Self::Scattered => format!("vstore{lanes}(value, 0, scattered)"),
            Self::Float => format!("float{}", digits(lanes)),
        }
    }
}

/// The type in which a vector travels: whole words, because compilers take vectors of narrow elements apart.
fn whole(ty: CType) -> CType {
    match bits(ty.ty) * ty.lanes {
        bits if bits >= 32 => CType { ty: Type::U32, lanes: bits / 32 },
        16 => CType::scalar(Type::U16),
        _ => ty,
    }
}

/// A template that is being written for a type.
struct Expansion<'a> {
    floats: &'a Floats,
    ty: CType,
    /// The words that stay, as parameters of a macro.
    kept: Option<BTreeSet<Word>>,
}

impl Expansion<'_> {
    fn expand(&mut self, template: &str, out: &mut String) {
        let mut rest = template;
        while let Some(start) = rest.find(|c: char| c.is_ascii_uppercase()) {
            out.push_str(&rest[..start]);
            let word = &rest[start..];
            let (word, behind) = word.split_at(word.find(|c: char| !c.is_ascii_uppercase()).unwrap_or(word.len()));
            rest = match behind.strip_prefix('(') {
                Some(inner)
                    if matches!(word, "READ" | "WRITE" | "LOAD" | "STORE" | "WORD" | "SPREAD" | "EACH" | "REALS") =>
                {
                    let (operands, behind) = operands(inner);
                    self.call(word, &operands, out);
                    behind
                }
                _ => {
                    self.word(word, out);
                    behind
                }
            };
        }
        out.push_str(rest);
    }

    fn word(&mut self, word: &str, out: &mut String) {
        let (ty, lanes) = (self.ty.ty, self.ty.lanes);
        let function = ["convert_", "as_"].into_iter().find(|function| out.ends_with(function)).unwrap_or_default();
        if let Some(of_length) = Word::of(word) {
            return match &mut self.kept {
                Some(kept) => {
                    kept.insert(of_length);
                    let is_pasted =
                        ["as_", "load_", "store_", "gather_", "scatter_"].iter().any(|stem| out.ends_with(stem));
                    out.push_str(if is_pasted { "##" } else { "" });
                    out.push_str(word);
                }
                None => out.push_str(&of_length.value(function, self.ty, self.floats)),
            };
        }
        match word {
            "SCALAR" => out.push_str(&self.floats.name(CType::scalar(ty))),
            "STORED" if ty == Type::F32 => out.push_str(self.floats.stored()),
            "STORED" | "TABLE" => out.push_str(c_name(ty)),
            "ELEMENT" => out.push_str(ty.name()),
            "UNSIGNED" => out.push_str(&self.floats.name(self.ty.unsigned())),
            "SIGNED" if ty == Type::F32 => out.push_str(&self.floats.bits(function, lanes)[function.len()..]),
            "SIGNED" => out.push_str(&self.floats.name(self.ty.of(signed(ty)))),
            "MASK" => out.push_str(&(bits(ty) - 1).to_string()),
            // A pixel of an image as a word: signed where the elements are, so that each fits its type.
            "SAMPLED" if ty.is_signed() => out.push_str("read_imagei(image, sampler, at).x"),
            "SAMPLED" => out.push_str("read_imageui(image, sampler, at).x"),
            "NEIGHBOURS" if lanes == 1 => out.push_str("One element"),
            "NEIGHBOURS" => {
                self.expand("LANES neighbouring elements, which start at a multiple of LANES in the block's row", out);
            }
            other => out.push_str(other),
        }
    }

    fn call(&mut self, word: &str, operands: &[&str], out: &mut String) {
        let (is_float, lanes) = (self.ty.ty == Type::F32, self.ty.lanes);
        match (word, operands) {
            ("LOAD", [pointer, index]) if lanes == 1 => self.call("READ", &[pointer, index], out),
            ("STORE", [pointer, index, value]) if lanes == 1 => self.call("WRITE", &[pointer, index, value], out),
            ("READ", [pointer, index]) if is_float => {
                let read = self.floats.access(false, 1);
                self.expand(&format!("{read}({pointer}, {index})"), out);
            }
            ("READ", [pointer, index]) => self.expand(&format!("{}[{index}]", indexed(pointer)), out),
            ("WRITE", [pointer, index, value]) if is_float => {
                let write = self.floats.access(true, 1);
                self.expand(&format!("{write}({pointer}, {index}, {value})"), out);
            }
            ("WRITE", [pointer, index, value]) => self.expand(&format!("{}[{index}] = {value}", indexed(pointer)), out),
            ("LOAD", [pointer, index]) if is_float => {
                let read = self.floats.access(false, lanes);
                self.expand(&format!("{read}({pointer} + {index})"), out);
            }
            ("LOAD", [pointer, index]) => {
                self.expand(&format!("as_VALUE(*(__global const WHOLE *)({pointer} + {index}))"), out);
            }
            ("STORE", [pointer, index, value]) if is_float => {
                let write = self.floats.access(true, lanes);
                self.expand(&format!("{write}({pointer} + {index}, {value})"), out);
            }
            ("STORE", [pointer, index, value]) => {
                self.expand(&format!("*(__global WHOLE *)({pointer} + {index}) = as_WHOLE({value})"), out);
            }
            ("WORD", [word]) => {
                let mut text = String::new();
                self.expand(word, &mut text);
                out.push_str(&from_word(Expr::name(text), self.ty.ty).text(self.floats));
            }
            ("SPREAD", [value]) if lanes == 1 => self.expand(value, out),
            ("SPREAD", [value]) => self.expand(&format!("(VALUE)({value})"), out),
            ("EACH", [item]) if lanes == 1 => self.expand(&item.replace('@', ""), out),
            ("EACH", [item]) => {
                let items: Vec<String> = (0..lanes).map(|lane| item.replace('@', &format!(".s{lane:x}"))).collect();
                self.expand(&format!("(VALUE)({})", items.join(", ")), out);
            }
            ("REALS", [chosen, plain]) => self.expand(if self.floats.are_chosen { chosen } else { plain }, out),
            // No template has such a call.
            _ => out.push_str(word),
        }
    }
}

/// A pointer that an index may follow.
fn indexed(pointer: &str) -> String {
    if pointer.starts_with('(') { format!("({pointer})") } else { pointer.to_owned() }
}

/// The operands before the parenthesis that closes a call, and what follows it.
fn operands(text: &str) -> (Vec<&str>, &str) {
    let (mut depth, mut start, mut operands) = (0, 0, Vec::new());
    for (place, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' if depth == 0 => {
                operands.push(text[start..place].trim());
                return (operands, &text[place + 1..]);
            }
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                operands.push(text[start..place].trim());
                start = place + 1;
            }
            _ => {}
        }
    }
    (operands, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(template: &str, ty: CType) -> String {
        let (floats, mut out) = (Floats::new(true), String::new());
        Expansion { floats: &floats, ty, kept: None }.expand(template, &mut out);
        out
    }

    #[test]
    fn accesses_are_those_of_c_or_named() {
        let template = "READ(a, f(i, 1) + 2); LOAD((T *)(b), i); WRITE((T *)(b), i, v); STORE(c, i, v);";
        let bytes = "a[f(i, 1) + 2]; as_uchar4(*(__global const uint *)((T *)(b) + i)); ((T *)(b))[i] = v; \
                     *(__global uint *)(c + i) = as_uint(v);";
        let reals =
            "read_real(a, f(i, 1) + 2); read_real4((T *)(b) + i); write_real((T *)(b), i, v); write_real4(c + i, v);";
        assert_eq!(expanded(template, CType { ty: Type::U8, lanes: 4 }), bytes);
        assert_eq!(expanded(template, CType { ty: Type::F32, lanes: 4 }), reals);
    }

    #[test]
    fn a_word_of_lanes_is_one_call_a_lane() {
        let template = "EACH(one_SUFFIX(a@, b@)) WORD(w)";
        assert_eq!(expanded(template, CType::scalar(Type::F32)), "one_f32(a, b) as_float(w)");
        let pair = CType { ty: Type::I16, lanes: 2 };
        assert_eq!(
            expanded(template, pair),
            "(short2)(one_i16x2(a.s0, b.s0), one_i16x2(a.s1, b.s1)) as_short((ushort)w)"
        );
    }
}
