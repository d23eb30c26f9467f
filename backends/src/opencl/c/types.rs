//! The types of OpenCL C, and floats by names that a build chooses: what they lie in memory as, and what they are computed in.
//!
//! Where a kernel's images hold floats, its program says `real4` for a vector of them and `read_real4` for a load. What
//! these names stand for is defined at the program's head, three times: in 32 bits; in memory as halves
//! (`WINDROW_F16_STORAGE`); computed in halves too (`WINDROW_F16` beside it). Only names that the program uses are
//! defined. A program whose images hold no floats has none of this: it says `float4`.

use crate::text::{Text, joined};
use std::cell::RefCell;
use std::collections::BTreeSet;
use windrow_dsl::ir::{Kernel, Kind, Type};

/// The OpenCL C type of some values of one type: a scalar, or a vector of 2, 4, 8 or 16. How it is spelled, [`Floats`] knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CType {
    /// The element type. `Bool` is a scalar truth value; a vector of truth values is a mask of a signed type.
    pub ty: Type,
    /// 1 for a scalar.
    pub lanes: u32,
}

impl CType {
    /// The same number of values of another type.
    pub fn of(self, ty: Type) -> Self {
        Self { ty, lanes: self.lanes }
    }

    /// One value of the type.
    pub fn scalar(ty: Type) -> Self {
        Self { ty, lanes: 1 }
    }

    /// The unsigned integers of the same width.
    pub fn unsigned(self) -> Self {
        self.of(self.ty.unsigned())
    }

    /// `u8`, `u8x4`: how names of helpers end.
    pub fn suffix(self) -> String {
        let name = self.ty.name();
        if self.lanes == 1 { name.to_owned() } else { format!("{name}x{}", self.lanes) }
    }
}

/// The number of lanes as a part of a name: nothing for one.
pub fn digits(lanes: u32) -> &'static str {
    match lanes {
        16 => "16",
        8 => "8",
        4 => "4",
        2 => "2",
        _ => "",
    }
}

/// Bits of a value; of a truth value as a mask of bytes, 8.
pub fn bits(ty: Type) -> u32 {
    ty.bits().max(8)
}

/// Bytes of an element in memory.
pub fn bytes(ty: Type) -> u32 {
    bits(ty) / 8
}

/// The signed integer of the same width: the type of a mask over values of `ty`.
pub fn signed(ty: Type) -> Type {
    Type::of(Kind::Signed, bits(ty)).unwrap_or(Type::I32)
}

/// Bytes of a float in memory.
pub const BYTES: &str = "REAL_BYTES";

/// How a program spells its types, and which names of floats it has used.
#[derive(Debug, Default)]
pub struct Floats {
    /// Whether the build chooses what floats are.
    pub are_chosen: bool,
    names: RefCell<BTreeSet<Name>>,
}

/// A name that stands for a type of floats or of their bits, is a conversion to one, or an access to memory: to one element,
/// or to several that start on their boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    /// `as_`, `convert_`, `read_`, `write_`, or nothing.
    function: &'static str,
    is_bits: bool,
    lanes: &'static str,
}

impl Name {
    fn is_access(self) -> bool {
        matches!(self.function, "read_" | "write_")
    }

    fn spelled(self, float: &str, bits: &str) -> String {
        format!("{}{}{}", self.function, if self.is_bits { bits } else { float }, self.lanes)
    }

    fn definition(self, is_half: bool) -> String {
        let n = self.lanes;
        let (parameters, body) = match (self.function == "write_", n.is_empty(), is_half) {
            (false, true, true) => ("p, i", "vload_half(0, (p) + (i))".to_owned()),
            (false, true, false) => ("p, i", "(p)[i]".to_owned()),
            (false, false, true) => ("p", format!("convert_real{n}(vload_half{n}(0, p))")),
            (false, false, false) => ("p", format!("as_float{n}(*(__global const uint{n} *)(p))")),
            (true, true, true) => ("p, i, v", "vstore_half_rte((float)(v), 0, (p) + (i))".to_owned()),
            (true, true, false) => ("p, i, v", "(p)[i] = (v)".to_owned()),
            (true, false, true) => ("p, v", format!("vstore_half{n}_rte(convert_float{n}(v), 0, p)")),
            (true, false, false) => ("p, v", format!("*(__global uint{n} *)(p) = as_uint{n}(v)")),
        };
        format!("#define {}({parameters}) {body}", self.spelled("real", ""))
    }
}

impl Floats {
    /// Those of a program.
    pub fn new(are_chosen: bool) -> Self {
        Self { are_chosen, ..Self::default() }
    }

    /// Those of a kernel's programs: the build chooses where an image holds floats.
    pub fn of(kernel: &Kernel) -> Self {
        let mut types = kernel.inputs.iter().map(|input| input.ty).chain(kernel.outputs.iter().map(|output| output.ty));
        Self::new(types.any(|ty| ty == Type::F32))
    }

    /// A type: `uchar4`, `real4`.
    pub fn name(&self, ty: CType) -> String {
        self.function("", ty)
    }

    /// A type behind `as_` or `convert_`.
    pub fn function(&self, function: &'static str, ty: CType) -> String {
        match ty.ty {
            Type::F32 => self.used(Name { function, is_bits: false, lanes: digits(ty.lanes) }),
            _ => joined(&[function, ty.ty.opencl(), digits(ty.lanes)]),
        }
    }

    /// The signed integers as wide as `lanes` floats, behind such a function or alone.
    pub fn bits(&self, function: &'static str, lanes: u32) -> String {
        self.used(Name { function, is_bits: true, lanes: digits(lanes) })
    }

    /// `read_real4`, `write_real4`
    pub fn access(&self, writes: bool, lanes: u32) -> String {
        self.used(Name { function: if writes { "write_" } else { "read_" }, is_bits: false, lanes: digits(lanes) })
    }

    fn used(&self, name: Name) -> String {
        if !self.are_chosen && !name.is_access() {
            return name.spelled("float", "int");
        }
        self.names.borrow_mut().insert(name);
        name.spelled("real", "real_bits")
    }

    /// The definitions of the names that were used; nothing where the build does not choose.
    pub fn definitions(&self) -> String {
        if !self.are_chosen {
            return String::new();
        }
        let (accesses, mut names): (BTreeSet<Name>, BTreeSet<Name>) =
            self.names.borrow().iter().partition(|name| name.is_access());
        let reads = accesses.iter().filter(|access| access.function == "read_" && !access.lanes.is_empty());
        names.extend(reads.map(|access| Name { function: "convert_", ..*access }));
        let mut out = Text::new();
        let define = |out: &mut Text, float, bits| {
            let line =
                |name: &Name| format!("#define {} {}", name.spelled("real", "real_bits"), name.spelled(float, bits));
            names.iter().for_each(|name| out.line(line(name)));
        };
        out.line("");
        out.line(
            "// Floats: `real` is what they are computed in, `stored` what they are in memory. The build chooses.",
        );
        out.line("#ifdef WINDROW_F16");
        out.line("#pragma OPENCL EXTENSION cl_khr_fp16 : enable");
        define(&mut out, "half", "short");
        out.line("#else");
        define(&mut out, "float", "int");
        out.line("#endif");
        for (guard, stored, bytes, is_half) in
            [("#ifdef WINDROW_F16_STORAGE", "half", 2, true), ("#else", "float", 4, false)]
        {
            out.line(guard);
            out.line(format!("#define stored {stored}"));
            out.line(format!("#define {BYTES} {bytes}"));
            accesses.iter().for_each(|access| out.line(access.definition(is_half)));
        }
        out.line("#endif");
        out.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_their_opencl_names() {
        let floats = Floats::new(true);
        assert_eq!(floats.name(CType { ty: Type::U16, lanes: 4 }), "ushort4");
        assert_eq!(floats.name(CType { ty: Type::F32, lanes: 8 }), "real8");
        assert_eq!(Floats::new(false).function("convert_", CType { ty: Type::F32, lanes: 8 }), "convert_float8");
        assert_eq!(CType { ty: Type::I8, lanes: 16 }.suffix(), "i8x16");
    }

    #[test]
    fn only_what_is_used_is_defined() {
        let floats = Floats::new(true);
        assert_eq!(floats.name(CType { ty: Type::F32, lanes: 4 }), "real4");
        assert_eq!(
            (floats.access(false, 4), floats.access(true, 1)),
            ("read_real4".to_owned(), "write_real".to_owned())
        );
        let text = floats.definitions();
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
