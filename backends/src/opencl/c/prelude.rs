//! Helper functions that a program pulls in as it needs them: templates in `prelude/*.cl`, one a file.
//!
//! Upper-case words of a template stand for the type that a helper is written for: `VALUE` the (vector) type, `WHOLE` as
//! many bytes in words, `SCALAR` one element, `STORED` one in memory, `LANES` their number, `DIGITS` the same at the end of a type's name, `SUFFIX` the end of its name
//! (`u8x4`), `ELEMENT` the end of a one-element name (`u8`), `SIGNED` and `UNSIGNED` the integers of the same width,
//! `FLOAT` as many floats, `OFFSETS` as many distances in memory. Others take operands: `READ(p, i)` and `WRITE(p, i, v)` are one element of memory, `LOAD` and
//! `STORE` all lanes from there on; `WORD(w)` is the value that a word holds, and `SPREAD(v)` one
//! in all lanes; `EACH(f(a@))` is `f` of every lane; of
//! `REALS(a, b)` the first is for programs whose floats may be halves. Those are divided as floats, and their roots taken so:
//! a device may round its own by as much as 1.5 units in the last place (`opencl/src/numerics.rs`), but a float that is
//! rounded correctly, and then again to a half, is the half that is nearest.

use super::text::{Expr, from_word};
use super::types::Floats;
use super::types::{CType, bits, digits, signed};
use crate::text::{broken, comma};
use std::collections::BTreeSet;
use std::rc::Rc;
use windrow_dsl::ir::Type;
use windrow_dsl::quick::count_while;

/// Declares the helpers, each with the name of its template, whose first line says what it does.
macro_rules! helpers {
    ($($helper:ident = $file:literal,)*) => {
        /// A helper function or type. The order of the variants is that of their text: what is used comes first.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Helper {
            $($helper,)*
        }

        impl Helper {
            /// Its name, but for the type, and its template.
            fn template(self) -> (&'static str, &'static str) {
                match self {
                    $(Self::$helper => ($file, include_str!(concat!("prelude/", $file, ".cl"))),)*
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
    Fetch = "fetch",
    Unknown = "unknown",
    Run = "run",
    IsRun = "is_run",
    Tile = "tile",
    Minimum = "minimum",
    Maximum = "maximum",
    Zero = "zero",
    MinimumPairs = "minimum_pairs",
    MaximumPairs = "maximum_pairs",
    Abs = "abs",
    AbsDiff = "abs_diff",
    Divide = "divide",
    Root = "root",
    Isqrt = "isqrt",
    RoundingShr = "rounding_shr",
    FromHalf = "from_half",
    ToHalf = "to_half",
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
    /// The names of those that were called.
    called: Vec<(Helper, CType, Rc<str>)>,
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

    /// A call of a helper for a type, which is pulled.
    pub fn call<const N: usize>(&mut self, helper: Helper, ty: CType, arguments: [Expr; N]) -> Expr {
        if let Some((.., name)) = self.called.iter().find(|(own, of, _)| (*own, *of) == (helper, ty)) {
            return Expr::call(Rc::clone(name), arguments);
        }
        self.pull(helper, ty);
        let name: Rc<str> = match helper {
            Helper::MinimumPairs => format!("min_pairs{}", ty.lanes).into(),
            Helper::MaximumPairs => format!("max_pairs{}", ty.lanes).into(),
            _ => format!("{}_{}", helper.template().0, ty.suffix()).into(),
        };
        self.called.push((helper, ty, Rc::clone(&name)));
        Expr::call(name, arguments)
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
            let mut text = String::new();
            expansion.expand(helper.template().1, &mut text);
            out += "\n";
            out += &match expansion.kept {
                None => broken(&text),
                Some(kept) => as_macro(helpers, &text, &kept, floats),
            };
        }
        out
    }
}

/// A helper for several lengths: its text, a comment first, as a macro of the words that tell them apart, and a line for each.
fn as_macro(helpers: &[(Helper, CType)], text: &str, kept: &BTreeSet<usize>, floats: &Floats) -> String {
    let (helper, ty) = helpers[0];
    let name = format!("{helper:?}_{}", ty.ty.name()).to_uppercase();
    let (comment, function) = text.trim().split_once('\n').unwrap_or_default();
    let words = || kept.iter().map(|&place| OF_LENGTH[place]);
    let mut out = format!("{comment}\n#define {name}({}) \\\n{}\n", comma(words()), function.replace('\n', " \\\n"));
    for &(_, ty) in helpers {
        let of = Expansion { floats, ty, kept: None };
        out += &format!("{name}({})\n", comma(words().filter_map(|word| of.value(word, ""))));
    }
    out
}

/// The words that tell vectors of different lengths apart.
const OF_LENGTH: [&str; 7] = ["VALUE", "WHOLE", "LANES", "SUFFIX", "GATHERED", "SCATTERED", "FLOAT"];

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
    kept: Option<BTreeSet<usize>>,
}

impl Expansion<'_> {
    fn expand(&mut self, template: &str, out: &mut String) {
        let mut rest = template;
        loop {
            let start = count_while(rest, |byte| !byte.is_ascii_uppercase());
            out.push_str(&rest[..start]);
            if start == rest.len() {
                return;
            }
            let word = &rest[start..];
            let (word, behind) = word.split_at(count_while(word, |byte| byte.is_ascii_uppercase()));
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
    }

    fn word(&mut self, word: &str, out: &mut String) {
        if let Some(kept) = &mut self.kept
            && let Some(place) = OF_LENGTH.iter().position(|of_length| *of_length == word)
        {
            kept.insert(place);
            let is_pasted = ["as_", "load_", "store_", "gather_", "scatter_"].iter().any(|stem| out.ends_with(stem));
            return out.push_str(&format!("{}{word}", if is_pasted { "##" } else { "" }));
        }
        let function = ["convert_", "as_"].into_iter().find(|function| out.ends_with(function)).unwrap_or_default();
        match word {
            "NEIGHBOURS" if self.ty.lanes == 1 => out.push_str("One element"),
            "NEIGHBOURS" => {
                self.expand("LANES neighbouring elements, which start at a multiple of LANES in the block's row", out);
            }
            word => out.push_str(self.value(word, function).as_deref().unwrap_or(word)),
        }
    }

    /// What the type has in a word's place, behind `convert_` or `as_` or alone.
    fn value(&self, word: &str, function: &'static str) -> Option<String> {
        let Self { floats, ty: CType { ty, lanes }, .. } = *self;
        let (own, element) = (self.ty, CType::scalar(ty));
        Some(match word {
            "VALUE" => floats.function(function, own)[function.len()..].to_owned(),
            "WHOLE" => floats.name(whole(own)),
            "LANES" => lanes.to_string(),
            "DIGITS" => digits(lanes).to_owned(),
            "LAST" => format!("{:x}", lanes - 1),
            "SUFFIX" => own.suffix(),
            "GATHERED" if lanes == 1 => "gathered[0]".to_owned(),
            "GATHERED" => format!("vload{lanes}(0, gathered)"),
            "SCATTERED" if lanes == 1 => "scattered[0] = value".to_owned(),
            "SCATTERED" => format!("vstore{lanes}(value, 0, scattered)"),
            "FLOAT" => format!("float{}", digits(lanes)),
            "OFFSETS" => format!("int{}", digits(lanes)),
            "SCALAR" => floats.name(element),
            "STORED" if ty == Type::F32 && floats.are_chosen => "stored".to_owned(),
            "STORED" | "TABLE" => ty.opencl().to_owned(),
            "ELEMENT" => element.suffix(),
            "UNSIGNED" => floats.name(own.unsigned()),
            "SIGNED" if ty == Type::F32 => floats.bits(function, lanes)[function.len()..].to_owned(),
            "SIGNED" => floats.name(own.of(signed(ty))),
            "MASK" => (bits(ty) - 1).to_string(),
            // A pixel of an image as a word: signed where the elements are, so that each fits its type.
            "SAMPLED" if ty.is_signed() => "read_imagei(image, sampler, at).x".to_owned(),
            "SAMPLED" => "read_imageui(image, sampler, at).x".to_owned(),
            _ => return None,
        })
    }

    fn call(&mut self, word: &str, operands: &[&str], out: &mut String) {
        let lanes = self.ty.lanes;
        let text = match (word, operands) {
            ("READ" | "LOAD", [pointer, index]) => self.access(word == "READ", pointer, index, None),
            ("WRITE" | "STORE", [pointer, index, value]) => self.access(word == "WRITE", pointer, index, Some(value)),
            ("WORD", [word]) => {
                let mut text = String::new();
                self.expand(word, &mut text);
                return out.push_str(&from_word(Expr::name(text), self.ty.ty).text(self.floats));
            }
            ("SPREAD", [value]) if lanes > 1 => format!("(VALUE)({value})"),
            ("EACH", [item]) if lanes == 1 => item.replace('@', ""),
            ("EACH", [item]) => {
                format!("(VALUE)({})", comma((0..lanes).map(|lane| item.replace('@', &format!(".s{lane:x}")))))
            }
            ("REALS", [_, plain]) if !self.floats.are_chosen => (*plain).to_owned(),
            // `SPREAD` of a single lane, or `REALS`.
            (_, operands) => operands.first().copied().unwrap_or_default().to_owned(),
        };
        self.expand(&text, out);
    }

    /// A load or a store of one element of memory, or of all lanes.
    fn access(&self, is_one: bool, pointer: &str, index: &str, value: Option<&str>) -> String {
        let is_one = is_one || self.ty.lanes == 1;
        let lanes = if is_one { 1 } else { self.ty.lanes };
        // A pointer that an index may follow.
        let pointer = if is_one && self.ty.ty != Type::F32 && pointer.starts_with('(') {
            &format!("({pointer})")
        } else {
            pointer
        };
        match value {
            _ if self.ty.ty == Type::F32 => {
                let (name, between) = (self.floats.access(value.is_some(), lanes), if is_one { ", " } else { " + " });
                format!(
                    "{name}({pointer}{between}{index}{})",
                    value.map_or(String::new(), |value| format!(", {value}"))
                )
            }
            None if is_one => format!("{}[{index}]", pointer),
            Some(value) if is_one => format!("{}[{index}] = {value}", pointer),
            None => format!("as_VALUE(*(__global const WHOLE *)({pointer} + {index}))"),
            Some(value) => format!("*(__global WHOLE *)({pointer} + {index}) = as_WHOLE({value})"),
        }
    }
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
