//! How templates of helpers read and write memory: words that stand for accesses, each with its operands.
//!
//! `READ(pointer, index)` and `WRITE(pointer, index, value)` are one element, `READ_VECTOR(pointer)` and
//! `WRITE_VECTOR(pointer, value)` a vector that starts on its boundary. Floats are accessed by names that the build
//! chooses (`reals`), everything else as C does it.

use super::template::{Filling, Template, Word};
use super::types::{Form, is_primary};
use windrow_dsl::ir::Type;

/// A template with its accesses written out for a form. What depends on the vector's length stays a word.
pub fn written_out(template: Template, form: Form) -> Filling {
    let is_real = form.ty == Type::F32;
    let read_vector = |operands: &[&str]| match (operands, is_real) {
        ([pointer], true) => format!("read_VALUE({pointer})"),
        ([pointer], false) => format!("as_VALUE(*(__global const WHOLE *)({pointer}))"),
        (_, _) => String::new(),
    };
    let write_vector = |operands: &[&str]| match (operands, is_real) {
        ([pointer, value], true) => format!("write_VALUE({pointer}, {value})"),
        ([pointer, value], false) => format!("*(__global WHOLE *)({pointer}) = as_WHOLE({value})"),
        (_, _) => String::new(),
    };
    let read = |operands: &[&str]| match (operands, is_real) {
        ([pointer, index], true) => format!("read_real({pointer}, {index})"),
        ([pointer, index], false) => format!("{}[{index}]", indexed(pointer)),
        (_, _) => String::new(),
    };
    let write = |operands: &[&str]| match (operands, is_real) {
        ([pointer, index, value], true) => format!("write_real({pointer}, {index}, {value})"),
        ([pointer, index, value], false) => format!("{}[{index}] = {value}", indexed(pointer)),
        (_, _) => String::new(),
    };
    template
        .fill()
        .change(const { Word::of("READ_VECTOR(") }, |text| replace_calls(text, "READ_VECTOR(", read_vector))
        .change(const { Word::of("WRITE_VECTOR(") }, |text| replace_calls(text, "WRITE_VECTOR(", write_vector))
        .change(const { Word::of("READ(") }, |text| replace_calls(text, "READ(", read))
        .change(const { Word::of("WRITE(") }, |text| replace_calls(text, "WRITE(", write))
}

/// An expression that an index may stand behind.
fn indexed(pointer: &str) -> String {
    if is_primary(pointer) { pointer.to_owned() } else { format!("({pointer})") }
}

/// Each call of a text that begins with `head`, as `written` gives it from the operands.
fn replace_calls(text: &str, head: &str, written: impl Fn(&[&str]) -> String) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(start) = rest.find(head) {
        let (before, call) = rest.split_at(start);
        let (operands, length) = operands(&call[head.len()..]);
        out += before;
        out += &written(&operands);
        rest = &call[head.len() + length..];
    }
    out + rest
}

/// The operands before the parenthesis that closes a call, and how long they are with it.
fn operands(text: &str) -> (Vec<&str>, usize) {
    let (mut depth, mut start, mut operands) = (0, 0, Vec::new());
    for (place, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' if depth == 0 => {
                operands.push(text[start..place].trim());
                return (operands, place + 1);
            }
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                operands.push(text[start..place].trim());
                start = place + 1;
            }
            _ => {}
        }
    }
    (operands, text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_are_those_of_c_or_named() {
        let template = Template::of(TEMPLATE);
        const TEMPLATE: &str =
            "READ(a, f(i, 1) + 2); READ_VECTOR((T *)(b) + i); WRITE((T *)(b), i, v); WRITE_VECTOR(c, v);";
        let bytes = "a[f(i, 1) + 2]; as_VALUE(*(__global const WHOLE *)((T *)(b) + i)); ((T *)(b))[i] = v; \
                     *(__global WHOLE *)(c) = as_WHOLE(v);";
        let reals =
            "read_real(a, f(i, 1) + 2); read_VALUE((T *)(b) + i); write_real((T *)(b), i, v); write_VALUE(c, v);";
        assert_eq!(written_out(template, Form { ty: Type::U8, lanes: 4 }).text, bytes);
        assert_eq!(written_out(template, Form { ty: Type::F32, lanes: 4 }).text, reals);
    }
}
