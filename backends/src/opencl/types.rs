//! How OpenCL C writes windrow's types and constants.
//!
//! A value of a body is a [`Form`]: an element type and the number of elements that stand side by side in a row.

use crate::text::Parts;
use std::fmt;
use windrow_dsl::ir::{Constant, Type};

/// The OpenCL C type of some values of one type: a scalar, or a vector of 2, 4, 8 or 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Form {
    /// The element type. `Bool` is a scalar truth value; a vector of truth values is a mask of a signed type.
    pub ty: Type,
    /// 1 for a scalar.
    pub lanes: u32,
}

impl Form {
    /// The same number of values of another type.
    pub fn of(self, ty: Type) -> Self {
        Self { ty, lanes: self.lanes }
    }

    /// One value of the type.
    pub fn scalar(ty: Type) -> Self {
        Self { ty, lanes: 1 }
    }

    /// Writes it behind what is written already.
    pub fn push_to(self, text: &mut Parts) {
        text.push(c_name(self.ty));
        if self.lanes > 1 {
            text.push_number(self.lanes.into());
        }
    }

    /// Writes a cast to it: `(uchar4)`.
    pub fn push_cast_to(self, text: &mut Parts) {
        text.push("(");
        self.push_to(text);
        text.push(")");
    }

    /// Writes the name of the conversion to it: `convert_uchar4`.
    pub fn push_conversion_to(self, text: &mut Parts) {
        text.push("convert_");
        self.push_to(text);
    }

    /// Writes its [`Form::suffix`].
    pub fn push_suffix_to(self, text: &mut Parts) {
        text.push(self.ty.name());
        if self.lanes > 1 {
            text.push("x");
            text.push_number(self.lanes.into());
        }
    }

    /// `u8`, `u8x4`: how names of helpers end.
    pub fn suffix(self) -> String {
        let name = self.ty.name();
        if self.lanes == 1 { name.to_owned() } else { format!("{name}x{}", self.lanes) }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(c_name(self.ty))?;
        if self.lanes > 1 { write!(out, "{}", self.lanes) } else { Ok(()) }
    }
}

/// The scalar type in OpenCL C; of floats the name that `reals` resolves.
pub fn c_name(ty: Type) -> &'static str {
    match ty {
        Type::Bool => "bool",
        Type::U8 => "uchar",
        Type::I8 => "char",
        Type::U16 => "ushort",
        Type::I16 => "short",
        Type::U32 => "uint",
        Type::I32 => "int",
        Type::F32 => "real",
    }
}

/// The type of a table's entries, which are in memory as the host has them.
pub fn table_type(ty: Type) -> &'static str {
    if ty == Type::F32 { "float" } else { c_name(ty) }
}

/// Bits of a value; of a truth value as a mask of bytes, 8.
pub fn bits(ty: Type) -> u32 {
    match ty {
        Type::Bool | Type::U8 | Type::I8 => 8,
        Type::U16 | Type::I16 => 16,
        Type::U32 | Type::I32 | Type::F32 => 32,
    }
}

/// Bytes of an element in memory.
pub fn bytes(ty: Type) -> u32 {
    bits(ty) / 8
}

/// The signed integer of the same width: the type of a mask over values of `ty`.
pub fn signed(ty: Type) -> Type {
    match bits(ty) {
        8 => Type::I8,
        16 => Type::I16,
        _ => Type::I32,
    }
}

/// A constant as a C literal; a negative one in parentheses.
pub fn literal(constant: Constant, ty: Type) -> String {
    match constant {
        Constant::Bool(value) => value.to_string(),
        Constant::Int(value) => integer(value, ty),
        Constant::Float(bits) => float(bits),
    }
}

/// An integer of type `ty` as a C literal. (−2³¹ has no literal of type int: the minus sign is an operator.)
pub fn integer(value: i64, ty: Type) -> String {
    if ty == Type::U32 {
        format!("{value}u")
    } else if value == i64::from(i32::MIN) {
        "INT_MIN".to_owned()
    } else if value < 0 {
        format!("({value})")
    } else {
        value.to_string()
    }
}

/// A float as the shortest decimal that reads back as the same bits.
fn float(bits: u32) -> String {
    let value = f32::from_bits(bits);
    if value.is_nan() {
        format!("as_float({bits:#010x}u)")
    } else if value.is_infinite() {
        if value > 0.0 { "INFINITY".to_owned() } else { "(-INFINITY)".to_owned() }
    } else if value.is_sign_negative() {
        format!("({value:?}f)")
    } else {
        format!("{value:?}f")
    }
}

/// Whether an expression is a name, a number, one call or an array's element, and needs no parentheses.
pub fn is_primary(text: &str) -> bool {
    let name_end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    let (name, rest) = text.split_at(name_end);
    let mut depth = 0i32;
    let ends_early = rest.char_indices().any(|(place, c)| {
        depth += i32::from("([".contains(c)) - i32::from(")]".contains(c));
        depth == 0 && place + 1 < rest.len()
    });
    !name.is_empty() && (rest.is_empty() || (rest.starts_with(['(', '[']) && !ends_early))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_c() {
        let cases = [
            (Constant::Int(7), Type::U8, "7"),
            (Constant::Int(7), Type::U32, "7u"),
            (Constant::Int(-7), Type::I16, "(-7)"),
            (Constant::Int(i64::from(i32::MIN)), Type::I32, "INT_MIN"),
            (Constant::Float(0.1f32.to_bits()), Type::F32, "0.1f"),
            (Constant::Float(1.0f32.to_bits()), Type::F32, "1.0f"),
            (Constant::Float((-0.0f32).to_bits()), Type::F32, "(-0.0f)"),
            (Constant::Float(1e-45f32.to_bits()), Type::F32, "1e-45f"),
            (Constant::Float(f32::NEG_INFINITY.to_bits()), Type::F32, "(-INFINITY)"),
            (Constant::Bool(true), Type::Bool, "true"),
        ];
        for (constant, ty, expected) in cases {
            assert_eq!(literal(constant, ty), expected);
        }
    }

    #[test]
    fn forms_have_their_opencl_names() {
        assert_eq!(Form { ty: Type::U16, lanes: 4 }.to_string(), "ushort4");
        assert_eq!(Form { ty: Type::F32, lanes: 8 }.to_string(), "real8");
        assert_eq!(Form { ty: Type::I8, lanes: 16 }.suffix(), "i8x16");
    }

    #[test]
    fn calls_names_and_elements_need_no_parentheses() {
        for text in ["a_0", "7", "abs(a)", "min(abs(a), b)", "row[i - 1]"] {
            assert!(is_primary(text), "{text}");
        }
        for text in ["a + b", "(a)", "f(a) + g(b)", "-a", "(uint)a", "a[i] + b[i]"] {
            assert!(!is_primary(text), "{text}");
        }
    }
}
