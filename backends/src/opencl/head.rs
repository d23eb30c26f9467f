//! The comment at a program's head: the kernel's documentation and signature, as its author wrote them, and how the
//! entry points are called.

use super::program::{CORRECTLY_ROUNDED, Reads};
use crate::signature::signature;
use crate::text::{Text, comma};
use windrow_dsl::{
    ir::{BinaryOp, Body, Kernel, NamedExtent, Op, Type, UnaryOp, Uniform},
    optimise::Prepared,
};

/// Writes the comment; some entry points may be written for work-groups of one size.
pub fn emit(out: &mut Text, kernel: &Kernel, prepared: &Prepared, reads: Reads, has_groups: bool) {
    for line in &kernel.docs {
        out.line(format!("// {}", ascii(line.trim())).trim_end());
    }
    if !kernel.docs.is_empty() {
        out.line("//");
    }
    out.line(format!("//     {}", ascii(&signature(kernel))));
    out.line("//");
    let around = kernel.inputs.iter().filter(|input| input.reads_around()).count();
    out.whole(match reads {
        Reads::Buffers => include_str!("c/prelude/calling.cl"),
        Reads::Images => include_str!("c/prelude/calling_images.cl"),
    });
    if reads == Reads::Buffers && around > 0 {
        out.whole(include_str!("c/prelude/calling_border.cl"));
    }
    if reads == Reads::Buffers && around > 1 {
        out.line("// Each image with a neighbourhood has four bits of it, the first the lowest.");
    }
    if has_groups {
        out.line("// In entry points that require a size of work-groups, the work-items of each help each other through local memory: the");
        out.line("// global size is a multiple of it. Those that end in `_rows` have one block of columns, which is the window.");
    }
    let whole = kernel.inputs.iter().filter(|input| input.is_whole).map(|input| format!("`{}`", ascii(&input.name)));
    let whole: Vec<String> = whole.collect();
    if !whole.is_empty() {
        out.line(format!("// Read anywhere, less than 2^31 bytes a plane: {}.", comma(whole)));
    }
    let equal = equal_extents(kernel);
    if !equal.is_empty() {
        out.line("// Extents that the caller sees to are equal, each by its dimension, the outermost of which is 0:");
        out.line(format!("// {}.", comma(equal)));
    }
    let words = words(kernel, prepared);
    if !words.is_empty() {
        out.line(format!("// `words`: {}.", comma(words)));
    }
    if prepared.bodies.iter().any(divides_floats) {
        out.line(format!("// Build with {CORRECTLY_ROUNDED}."));
    }
}

/// Extents of inputs that have one name.
fn equal_extents(kernel: &Kernel) -> Vec<String> {
    let text = |extent: &NamedExtent| {
        let input = &kernel.inputs[extent.input.0 as usize];
        format!("`{}` {}", ascii(&input.name), extent.dimension)
    };
    let is_first =
        |extent: &&NamedExtent| kernel.first_extent(extent.input, extent.dimension) == (extent.input, extent.dimension);
    let alike = |first: &NamedExtent| {
        let alike: Vec<String> = kernel.extents.iter().filter(|extent| extent.name == first.name).map(text).collect();
        (alike.len() > 1).then(|| alike.join(" = "))
    };
    kernel.extents.iter().filter(is_first).filter_map(alike).collect()
}

/// Which words hold which uniform, and how many are derived from them.
fn words(kernel: &Kernel, prepared: &Prepared) -> Vec<String> {
    let mut next = 0;
    let mut range = |name: String, count: u32| {
        let first = next;
        next += count;
        if count == 1 { format!("{first} {name}") } else { format!("{first} to {} {name}", next.saturating_sub(1)) }
    };
    let scalars = |uniform: &Uniform| uniform.dims.iter().product();
    let mut words: Vec<String> =
        kernel.uniforms.iter().map(|uniform| range(ascii(&uniform.name), scalars(uniform))).collect();
    let derived = prepared.derive.words.len() as u32;
    words.extend((derived > 0).then(|| range("derived".to_owned(), derived)));
    words
}

/// Whether a body's results depend on how `/` and `sqrt` of floats are rounded.
fn divides_floats(body: &Body) -> bool {
    body.nodes.iter().any(|node| {
        node.ty == Type::F32 && matches!(node.op, Op::Binary(BinaryOp::Div, ..) | Op::Unary(UnaryOp::Sqrt, _))
    })
}

/// `text` in ASCII, and free of what C would read in a comment: some drivers refuse anything else.
pub fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            ' '..='~' if c != '\\' => out.push(c),
            '×' => out.push('x'),
            '−' | '–' | '—' => out.push('-'),
            '·' => out.push('*'),
            '≤' => out.push_str("<="),
            '≥' => out.push_str(">="),
            '≠' => out.push_str("!="),
            '…' => out.push_str("..."),
            '‘' | '’' => out.push('\''),
            '“' | '”' => out.push('"'),
            '²' => out.push_str("^2"),
            '³' => out.push_str("^3"),
            '√' => out.push_str("sqrt"),
            _ => out.push_str(&format!("<{:x}>", u32::from(c))),
        }
    }
    out.replace("??", "? ?")
}

#[cfg(test)]
mod tests {
    use super::ascii;

    #[test]
    fn comments_are_plain_ascii() {
        assert_eq!(ascii("3×3 −1…1"), "3x3 -1...1");
        assert_eq!(ascii("what??/ ends \\"), "what? ?/ ends <5c>");
        assert_eq!(ascii("σ"), "<3c3>");
    }
}
