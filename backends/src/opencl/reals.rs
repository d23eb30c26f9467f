//! Floats by names that a build chooses: what they lie in memory as, and what they are computed in.
//!
//! Where a kernel's images hold floats, its program says `real4` for a vector of them and `read_real4` for a load. What
//! these names stand for is defined at the program's head, three times: in 32 bits; in memory as halves
//! (`WINDROW_F16_STORAGE`); computed in halves too (`WINDROW_F16` beside it). Only names that the program uses are
//! defined. A program whose images hold no floats has none of this: it says `float4`.

use crate::text::Text;
use std::collections::BTreeSet;
use windrow_dsl::ir::{Kernel, Type};

/// What floats lie in memory as.
pub const STORED: &str = "stored";

/// Bytes of a float in memory.
pub const BYTES: &str = "REAL_BYTES";

/// Whether an image of a kernel holds floats.
pub fn has_real_images(kernel: &Kernel) -> bool {
    let mut types = kernel.inputs.iter().map(|input| input.ty).chain(kernel.outputs.iter().map(|output| output.ty));
    types.any(|ty| ty == Type::F32)
}

/// The parts of a program's text with the definitions of their names before the first; where no image holds floats, with
/// the plain types in their places, if there are any: `has_floats`.
pub fn resolve(kernel: &Kernel, has_floats: bool, parts: [String; 2]) -> [String; 2] {
    if has_real_images(kernel) {
        let [helpers, functions] = parts;
        [definitions(&[&helpers, &functions]) + &helpers, functions]
    } else if has_floats {
        parts.map(|part| plain(&part))
    } else {
        parts
    }
}

/// A name that stands for a type of floats or of their bits, or is a conversion to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name<'a> {
    /// `as_`, `convert_`, or nothing.
    function: &'static str,
    is_bits: bool,
    lanes: &'a str,
}

/// What a number's type is called, and the signed integer as wide.
#[derive(Clone, Copy)]
struct Types {
    real: &'static str,
    bits: &'static str,
}

const SINGLE: Types = Types { real: "float", bits: "int" };
const HALF: Types = Types { real: "half", bits: "short" };

impl<'a> Name<'a> {
    fn of(word: &'a str) -> Option<Self> {
        let functions = ["as_", "convert_"].into_iter();
        let (function, ty) =
            functions.filter_map(|name| Some((name, word.strip_prefix(name)?))).next().unwrap_or(("", word));
        let stem = ty.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_bits = match stem {
            "real" => false,
            "real_bits" => true,
            _ => return None,
        };
        Some(Self { function, is_bits, lanes: &ty[stem.len()..] })
    }

    fn word(self) -> String {
        self.spelled(Types { real: "real", bits: "real_bits" })
    }

    fn spelled(self, types: Types) -> String {
        format!("{}{}{}", self.function, if self.is_bits { types.bits } else { types.real }, self.lanes)
    }
}

/// The text with every name in plain types.
fn plain(text: &str) -> String {
    let (mut out, mut copied) = (String::with_capacity(text.len()), 0);
    for (start, word) in words(text) {
        if let Some(name) = Name::of(word) {
            out += &text[copied..start];
            out += &name.spelled(SINGLE);
            copied = start + word.len();
        }
    }
    out + &text[copied..]
}

/// What all names hold.
const STEM: &[u8; 4] = b"real";

/// The words of a text that may be names, and where each begins. Programs are long: most of a text is passed over, four
/// bytes at a time.
fn words(text: &str) -> Vec<(usize, &str)> {
    let bytes = text.as_bytes();
    let is_word = |place: usize| bytes.get(place).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let mut found = Vec::new();
    let mut last = 3;
    while last < bytes.len() {
        last += match bytes[last] {
            b'l' if bytes[last - 3..=last] == *STEM => {
                let (mut start, mut end) = (last - 3, last + 1);
                while start > 0 && is_word(start - 1) {
                    start -= 1;
                }
                while is_word(end) {
                    end += 1;
                }
                found.push((start, &text[start..end]));
                end + 3 - last
            }
            b'a' => 1,
            b'e' => 2,
            b'r' => 3,
            _ => 4,
        };
    }
    found
}

/// The definitions of what texts use.
fn definitions(texts: &[&str]) -> String {
    let used: BTreeSet<&str> = texts.iter().flat_map(|text| words(text)).map(|(_, word)| word).collect();
    let mut names: BTreeSet<Name<'_>> = used.iter().filter_map(|word| Name::of(word)).collect();
    let accesses: Vec<Access<'_>> = used.iter().filter_map(|word| Access::of(word)).collect();
    let read = accesses.iter().filter(|access| !access.writes && !access.lanes.is_empty());
    names.extend(read.map(|access| Name { function: "convert_", is_bits: false, lanes: access.lanes }));
    let mut out = Text::new();
    out.line("");
    out.line("// Floats: `real` is what they are computed in, `stored` what they are in memory. The build chooses.");
    out.line("#ifdef WINDROW_F16");
    out.line("#pragma OPENCL EXTENSION cl_khr_fp16 : enable");
    names.iter().for_each(|name| out.line(format!("#define {} {}", name.word(), name.spelled(HALF))));
    out.line("#else");
    names.iter().for_each(|name| out.line(format!("#define {} {}", name.word(), name.spelled(SINGLE))));
    out.line("#endif");
    out.line("#ifdef WINDROW_F16_STORAGE");
    out.line(format!("#define {STORED} half"));
    out.line(format!("#define {BYTES} 2"));
    accesses.iter().for_each(|access| out.line(format!("#define {} {}", access.head(), access.of_halves())));
    out.line("#else");
    out.line(format!("#define {STORED} float"));
    out.line(format!("#define {BYTES} 4"));
    accesses.iter().for_each(|access| out.line(format!("#define {} {}", access.head(), access.of_singles())));
    out.line("#endif");
    out.finish()
}

/// `read_real`, `write_real4`, …: one element of memory, or several that start on their boundary.
#[derive(Clone, Copy)]
struct Access<'a> {
    writes: bool,
    lanes: &'a str,
}

impl<'a> Access<'a> {
    fn of(word: &'a str) -> Option<Self> {
        let (writes, rest) = match (word.strip_prefix("read_"), word.strip_prefix("write_")) {
            (Some(rest), _) => (false, rest),
            (None, Some(rest)) => (true, rest),
            (None, None) => return None,
        };
        let lanes = rest.strip_prefix("real")?;
        lanes.chars().all(|c| c.is_ascii_digit()).then_some(Self { writes, lanes })
    }

    fn head(self) -> String {
        let name = format!("{}_real{}", if self.writes { "write" } else { "read" }, self.lanes);
        match (self.writes, self.lanes.is_empty()) {
            (false, true) => format!("{name}(p, i)"),
            (false, false) => format!("{name}(p)"),
            (true, true) => format!("{name}(p, i, v)"),
            (true, false) => format!("{name}(p, v)"),
        }
    }

    fn of_halves(self) -> String {
        let lanes = self.lanes;
        match (self.writes, lanes.is_empty()) {
            (false, true) => "vload_half(0, (p) + (i))".to_owned(),
            (false, false) => format!("convert_real{lanes}(vload_half{lanes}(0, p))"),
            (true, true) => "vstore_half_rte((float)(v), 0, (p) + (i))".to_owned(),
            (true, false) => format!("vstore_half{lanes}_rte(convert_float{lanes}(v), 0, p)"),
        }
    }

    fn of_singles(self) -> String {
        let lanes = self.lanes;
        match (self.writes, lanes.is_empty()) {
            (false, true) => "(p)[i]".to_owned(),
            (false, false) => format!("as_float{lanes}(*(__global const uint{lanes} *)(p))"),
            (true, true) => "(p)[i] = (v)".to_owned(),
            (true, false) => format!("*(__global uint{lanes} *)(p) = as_uint{lanes}(v)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_names_the_types_of_c() {
        let text = "real4 a = convert_real4(b) + (real)1.0f; as_real_bits4(a), real_4, unreal";
        let expected = "float4 a = convert_float4(b) + (float)1.0f; as_int4(a), real_4, unreal";
        assert_eq!(plain(text), expected);
    }

    #[test]
    fn only_what_is_used_is_defined() {
        let text = definitions(&["const real4 a = read_real4(p);", "write_real(p, 0, a.x);"]);
        for line in [
            "#define real4 half4",
            "#define real4 float4",
            "#define convert_real4 convert_half4",
            "#define read_real4(p) convert_real4(vload_half4(0, p))",
            "#define write_real(p, i, v) (p)[i] = (v)",
            "#define REAL_BYTES 2",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        assert!(!text.contains("real8") && !text.contains("read_real(") && !text.contains("real_bits"), "{text}");
    }
}
