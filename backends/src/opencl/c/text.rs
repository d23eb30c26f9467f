//! OpenCL C as values: expressions and statements, printed once. The printer writes the parentheses.

use super::types::{CType, Floats};
use crate::text::Text;
use proc_macro2::Span;
use std::ops::Range;
use std::rc::Rc;
use windrow_dsl::ir::{Constant, Type};
use windrow_dsl::quick::Parts;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A name, or a number without a sign.
    Name(Rc<str>),
    /// A negative number.
    Negative(Rc<str>),
    /// `f(a, b)`
    Call(Rc<str>, Vec<Expr>),
    /// `convert_uchar4_sat(a)`: what comes before the type, the type, and what follows.
    Typed(&'static str, CType, &'static str, Box<Expr>),
    /// `a[i]`
    At(Box<Expr>, Box<Expr>),
    /// `a.s01`
    Lanes(Box<Expr>, String),
    /// `-a`
    Prefix(&'static str, Box<Expr>),
    /// `a + b`
    Infix(Box<Expr>, &'static str, Box<Expr>),
    /// `(uchar4)a`
    Cast(CType, Box<Expr>),
    /// `(uchar4)(a, b)`
    Vector(CType, Vec<Expr>),
    /// `a ? b : c`
    Choice(Box<[Expr; 3]>),
    /// `(a)`, where nothing needs the parentheses.
    Grouped(Box<Expr>),
}

impl Expr {
    /// A name, or a number.
    pub fn name(name: impl Into<Rc<str>>) -> Self {
        Self::Name(name.into())
    }

    /// A number.
    pub fn number(value: impl Into<i128>) -> Self {
        let value = value.into();
        if value < 0 { Self::Negative(value.to_string().into()) } else { Self::name(value.to_string()) }
    }

    /// A constant of a type. (−2³¹ has no literal of type int: the minus sign is an operator.)
    pub fn constant(constant: Constant, ty: Type) -> Self {
        match constant {
            Constant::Bool(value) => Self::name(value.to_string()),
            Constant::Int(value) if ty == Type::U32 => Self::name(format!("{value}u")),
            Constant::Int(value) if ty == Type::U64 => Self::name(format!("{value}ul")),
            Constant::Int(value) if value == i128::from(i32::MIN) => Self::name("INT_MIN"),
            Constant::Int(value) if value == i128::from(i64::MIN) => Self::name("LONG_MIN"),
            Constant::Int(value) => Self::number(value),
            Constant::Float(bits) => Self::float(bits),
            Constant::Double(bits) => Self::double(bits),
        }
    }

    /// A float as the shortest decimal that reads back as the same bits.
    fn float(bits: u32) -> Self {
        let value = f32::from_bits(bits);
        if value.is_nan() {
            return Self::call("as_float", [Self::name(format!("{bits:#010x}u"))]);
        }
        let magnitude = if value.is_infinite() { "INFINITY".to_owned() } else { format!("{:?}f", value.abs()) };
        Self::signed(value.is_sign_negative(), magnitude)
    }

    /// The same of an f64.
    fn double(bits: u64) -> Self {
        let value = f64::from_bits(bits);
        match (value.is_nan(), value.is_infinite()) {
            (true, _) => Self::call("as_double", [Self::name(format!("{bits:#018x}ul"))]),
            (_, true) => Self::signed(value.is_sign_negative(), "(double)INFINITY".to_owned()),
            (false, false) => Self::signed(value.is_sign_negative(), format!("{:?}", value.abs())),
        }
    }

    fn signed(is_negative: bool, magnitude: String) -> Self {
        match is_negative {
            true => Self::Negative(format!("-{magnitude}").into()),
            false => Self::name(magnitude),
        }
    }

    /// A call of a function of this name.
    pub fn call<const N: usize>(name: impl Into<Rc<str>>, arguments: [Self; N]) -> Self {
        Self::Call(name.into(), arguments.into())
    }

    /// `convert_uchar4(self)`
    pub fn convert(self, to: CType) -> Self {
        Self::Typed("convert_", to, "", Box::new(self))
    }

    /// `convert_uchar4_sat(self)`
    pub fn saturate(self, to: CType) -> Self {
        Self::Typed("convert_", to, "_sat", Box::new(self))
    }

    /// `as_uchar4(self)`
    pub fn bits_as(self, to: CType) -> Self {
        Self::Typed("as_", to, "", Box::new(self))
    }

    /// `(uchar4)self`
    pub fn cast(self, to: CType) -> Self {
        Self::Cast(to, Box::new(self))
    }

    /// `self[index]`
    pub fn at(self, index: Self) -> Self {
        Self::At(Box::new(self), Box::new(index))
    }

    /// `self + other`
    pub fn infix(self, operator: &'static str, other: Self) -> Self {
        Self::Infix(Box::new(self), operator, Box::new(other))
    }

    /// `-self`
    pub fn prefix(self, operator: &'static str) -> Self {
        Self::Prefix(operator, Box::new(self))
    }

    /// `self ? then : otherwise`
    pub fn choose(self, then: Self, otherwise: Self) -> Self {
        Self::Choice(Box::new([self, then, otherwise]))
    }

    /// `self + offset`, plainly.
    pub fn plus(self, offset: i32) -> Self {
        match offset {
            0 => self,
            1.. => self.infix("+", Self::number(offset)),
            _ => self.infix("-", Self::number(-i128::from(offset))),
        }
    }

    /// `factor * self`, plainly.
    pub fn times(self, factor: u32) -> Self {
        if factor == 1 { self } else { Self::number(factor).infix("*", self) }
    }

    /// The expression in parentheses, unless it is a name, a number, a call or an element.
    pub fn grouped(self) -> Self {
        match self {
            Self::Name(_) | Self::Call(..) | Self::Typed(..) | Self::At(..) => self,
            _ => Self::Grouped(Box::new(self)),
        }
    }

    /// Writes the expression.
    pub fn print(&self, out: &mut Parts, floats: &Floats) {
        match self {
            Self::Name(name) => out.push(name),
            Self::Negative(number) => out.push_all(&["(", number, ")"]),
            Self::Call(name, arguments) => {
                out.push(name);
                print_list(out, floats, arguments);
            }
            Self::Typed(before, ty, behind, of) => {
                out.push_all(&[&floats.function(before, *ty), behind]);
                of.print_within(out, floats, true);
            }
            Self::At(place, index) => {
                place.print(out, floats);
                out.push("[");
                index.print(out, floats);
                out.push("]");
            }
            Self::Lanes(vector, lanes) => {
                vector.print(out, floats);
                out.push_all(&[".", lanes]);
            }
            Self::Prefix(operator, of) => {
                out.push(operator);
                of.print_within(out, floats, of.is_open());
            }
            Self::Infix(a, operator, b) => {
                let level = level(operator);
                a.print_within(out, floats, a.level().is_some_and(|own| own < level || *operator == "&"));
                out.push_all(&[" ", operator, " "]);
                b.print_within(out, floats, b.level().is_some_and(|own| own <= level || *operator == "&"));
            }
            Self::Cast(ty, of) => {
                out.push_all(&["(", &floats.name(*ty), ")"]);
                of.print_within(out, floats, of.is_open() || matches!(**of, Self::Prefix(..)));
            }
            Self::Vector(ty, parts) => {
                out.push_all(&["(", &floats.name(*ty), ")"]);
                print_list(out, floats, parts);
            }
            Self::Choice(parts) => {
                let [condition, then, otherwise] = &**parts;
                condition.print(out, floats);
                out.push(" ? ");
                then.print(out, floats);
                out.push(" : ");
                otherwise.print(out, floats);
            }
            Self::Grouped(of) => of.print_within(out, floats, true),
        }
    }

    fn print_within(&self, out: &mut Parts, floats: &Floats, in_parentheses: bool) {
        out.push(if in_parentheses { "(" } else { "" });
        self.print(out, floats);
        out.push(if in_parentheses { ")" } else { "" });
    }

    /// The expression as text.
    pub fn text(&self, floats: &Floats) -> String {
        let mut out = Parts::default();
        self.print(&mut out, floats);
        out.finish()
    }

    fn is_open(&self) -> bool {
        self.level().is_some()
    }

    /// How tightly an operator between operands binds; none for what is closed in itself.
    fn level(&self) -> Option<u32> {
        match self {
            Self::Infix(_, operator, _) => Some(level(operator)),
            Self::Choice(_) => Some(0),
            _ => None,
        }
    }
}

/// How tightly an operator binds.
fn level(operator: &str) -> u32 {
    match operator {
        "*" | "/" | "%" => 9,
        "+" | "-" => 8,
        "<<" | ">>" => 7,
        "<" | "<=" | ">" | ">=" => 6,
        "==" | "!=" => 5,
        "&" => 4,
        "^" => 3,
        "|" => 2,
        _ => 1,
    }
}

fn print_list(out: &mut Parts, floats: &Floats, list: &[Expr]) {
    for (place, item) in list.iter().enumerate() {
        out.push(if place == 0 { "(" } else { ", " });
        item.print(out, floats);
    }
    out.push(if list.is_empty() { "()" } else { ")" });
}

/// The value that a word of uniforms holds.
pub fn from_word(word: Expr, ty: Type) -> Expr {
    let scalar = CType::scalar(ty);
    match ty {
        Type::U32 => word,
        Type::BOOL => word.infix("!=", Expr::number(0)),
        // Words hold floats of 32 bits, whatever the program computes in.
        Type::I32 | Type::F32 => Expr::call(format!("as_{}", ty.opencl()), [word]),
        // What becomes of a value that a signed type lacks is left to implementations.
        _ if ty.is_signed() => word.cast(scalar.unsigned()).bits_as(scalar),
        _ => word.cast(scalar),
    }
}

/// A statement of a block's function.
#[derive(Clone, Debug)]
pub enum Statement {
    /// `const uchar4 a = b;`
    Declare(CType, Rc<str>, Expr),
    /// `uchar4 a = b;`, which changes.
    Variable(CType, Rc<str>, Expr),
    /// `for (int i = a; i < b; ++i)`
    Turns(Box<ForLoop>),
    /// `a[i] = b;`
    Set(Expr, Expr),
    /// `if (a)`
    If(Expr, Vec<Marked>),
    /// `f(a);`
    Do(Expr),
    /// `if (i < 2) continue;`
    SkipUntil(&'static str, i32),
    /// `if (a && !b) return false;`
    LeaveUnless(Expr, Expr),
    /// `return true;`
    Leave,
    /// `short4 a[8], b[8];`
    Arrays(CType, Vec<Expr>, i32),
    /// `for (int i = 2; i < 8; ++i)`, which the compiler is to write out: which values a turn leaves to which is known then,
    /// and no array remains.
    Repeat(&'static str, Range<i32>, Vec<Marked>),
}

/// A loop whose ends are computed.
#[derive(Clone, Debug)]
pub struct ForLoop {
    /// The type of what counts.
    pub ty: CType,
    /// What counts.
    pub name: Rc<str>,
    /// Of the first turn.
    pub start: Expr,
    /// Behind the last.
    pub end: Expr,
    /// What is added from turn to turn.
    pub by: u32,
    /// What a turn does.
    pub body: Vec<Marked>,
}

/// A statement with the author's token, where that was asked for.
pub type Marked = (Option<Span>, Statement);

/// Writes a statement, and marks where it is from.
pub fn print_marked((author, statement): &Marked, out: &mut Text, floats: &Floats) {
    if author.is_some() {
        out.mark(*author);
    }
    statement.print(out, floats);
}

/// About how many statements of an innermost loop a compiler is to write out, of 16 turns at most: what those read is on its way before
/// the first of them is computed.
const UNROLLED: usize = 168;

impl Statement {
    /// Writes the statement on lines of its own.
    pub fn print(&self, out: &mut Text, floats: &Floats) {
        match self {
            Self::Declare(ty, name, value) => {
                let line = out.begin();
                line.push_all(&["const ", &floats.name(*ty), " ", name, " = "]);
                value.print(line, floats);
                line.push(";");
                out.end();
            }
            Self::Variable(ty, name, value) => {
                let line = out.begin();
                line.push_all(&[&floats.name(*ty), " ", name, " = "]);
                value.print(line, floats);
                line.push(";");
                out.end();
            }
            Self::Turns(turns) => {
                let ForLoop { ty, name, start, end, by, body } = &**turns;
                let [start, end] = [start, end].map(|end| end.text(floats));
                let mut inner = out.inside();
                body.iter().for_each(|statement| print_marked(statement, &mut inner, floats));
                let is_innermost = !body.iter().any(|(_, statement)| matches!(statement, Self::Turns(_)));
                if is_innermost {
                    let times = (UNROLLED / body.len().max(1)).clamp(1, 16).next_power_of_two();
                    out.line(format!("#pragma unroll {times}"));
                }
                let next = if *by == 1 { format!("++{name}") } else { format!("{name} += {by}") };
                out.open(format!("for ({} {name} = {start}; {name} < {end}; {next})", floats.name(*ty)));
                out.append(inner);
                out.close("");
            }
            Self::Set(place, value) => {
                let line = out.begin();
                place.print(line, floats);
                line.push(" = ");
                value.print(line, floats);
                line.push(";");
                out.end();
            }
            Self::If(condition, statements) => {
                let mut inner = out.inside();
                statements.iter().for_each(|statement| print_marked(statement, &mut inner, floats));
                out.open(format!("if ({})", condition.text(floats)));
                out.append(inner);
                out.close("");
            }
            Self::Do(call) => {
                let line = out.begin();
                call.print(line, floats);
                line.push(";");
                out.end();
            }
            Self::SkipUntil(turn, first) => {
                out.line(format!("if ({turn} < {first})"));
                out.line("    continue;");
            }
            Self::LeaveUnless(asked, holds) => {
                out.line(format!("if ({} && !{})", asked.text(floats), holds.text(floats)));
                out.line("    return false;");
            }
            Self::Leave => out.line("return true;"),
            Self::Arrays(ty, names, count) => {
                let (ty, mut line) = (floats.name(*ty), String::new());
                for name in names {
                    let array = format!("{}[{count}]", name.text(floats));
                    if !line.is_empty() && line.len() + array.len() > 100 {
                        out.line(format!("{line};"));
                        line.clear();
                    }
                    line += &if line.is_empty() { format!("{ty} {array}") } else { format!(", {array}") };
                }
                out.line(format!("{line};"));
            }
            Self::Repeat(turn, Range { start, end }, statements) => {
                let head = format!("for (int {turn} = {start}; {turn} < {end}; ++{turn})");
                out.line("#pragma unroll");
                let mut inner = out.inside();
                statements.iter().for_each(|statement| print_marked(statement, &mut inner, floats));
                // A single statement needs no braces where no `#line` may come before it.
                if let [(None, _)] = statements.as_slice() {
                    out.line(head);
                    out.append(inner);
                } else {
                    out.open(head);
                    out.append(inner);
                    out.close("");
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(expr: Expr) -> String {
        expr.text(&Floats::new(true))
    }

    #[test]
    fn literals_are_c() {
        let cases = [
            (Constant::Int(7), Type::U8, "7"),
            (Constant::Int(7), Type::U32, "7u"),
            (Constant::Int(i128::from(u64::MAX)), Type::U64, "18446744073709551615ul"),
            (Constant::Int(-7), Type::I16, "(-7)"),
            (Constant::Int(i128::from(i32::MIN)), Type::I32, "INT_MIN"),
            (Constant::Float(0.1f32.to_bits()), Type::F32, "0.1f"),
            (Constant::Float(1.0f32.to_bits()), Type::F32, "1.0f"),
            (Constant::Float((-0.0f32).to_bits()), Type::F32, "(-0.0f)"),
            (Constant::Float(1e-45f32.to_bits()), Type::F32, "1e-45f"),
            (Constant::Float(f32::NEG_INFINITY.to_bits()), Type::F32, "(-INFINITY)"),
            (Constant::Float(0x7fc0_0000), Type::F32, "as_float(0x7fc00000u)"),
            (Constant::Bool(true), Type::BOOL, "true"),
        ];
        for (constant, ty, expected) in cases {
            assert_eq!(text(Expr::constant(constant, ty)), expected);
        }
    }

    #[test]
    fn parentheses_stand_where_c_or_its_readers_need_them() {
        let [a, b, c] = ["a", "b", "c"].map(Expr::name);
        let int4 = CType { ty: Type::I32, lanes: 4 };
        let cases = [
            (a.clone().infix("-", b.clone().infix("-", c.clone())), "a - (b - c)"),
            (a.clone().infix("-", b.clone()).infix("-", c.clone()), "a - b - c"),
            (a.clone().infix("+", b.clone()).infix("*", c.clone()), "(a + b) * c"),
            (a.clone().infix("*", b.clone()).infix("+", c.clone()), "a * b + c"),
            (a.clone().infix(">>", b.clone()).infix("&", c.clone()), "(a >> b) & c"),
            (a.clone().infix("|", b.clone().infix("<<", c.clone())), "a | b << c"),
            (a.clone().infix("^", b.clone()).prefix("~"), "~(a ^ b)"),
            (a.clone().prefix("-").cast(int4), "(int4)(-a)"),
            (Expr::number(-1).cast(int4), "(int4)(-1)"),
            (a.clone().infix("<", b.clone()).choose(b.clone(), c.clone()), "a < b ? b : c"),
            (a.plus(-2).times(3), "3 * (a - 2)"),
            (b.cast(CType::scalar(Type::F32)).grouped(), "((real)b)"),
            (c.convert(CType { ty: Type::F32, lanes: 8 }), "convert_real8(c)"),
        ];
        for (expr, expected) in cases {
            assert_eq!(text(expr), expected);
        }
    }
}
