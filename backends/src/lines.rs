//! Where each line of an OpenCL program comes from, beside the program: a driver's messages can name the author's lines
//! without a `#line` in the text. `host` and the manifest write it.

use crate::opencl::{self, NoImageForm, OpenClText};
use proc_macro2::Span;
use std::fmt::Write as _;
use windrow_dsl::{ir::Kernel, optimise::Prepared};

/// A program, with the author's lines as pairs `program:author`: from that line of the program on, until the next pair, the
/// author's line is this one; 0 where there is none.
pub fn emit_with_table(kernel: &Kernel, prepared: &Prepared) -> (OpenClText, String) {
    parted(opencl::emit_with_lines(kernel, prepared, Some("")))
}

/// The same of the image form.
///
/// # Errors
/// The kernel has none.
pub fn emit_images_with_table(kernel: &Kernel, prepared: &Prepared) -> Result<(OpenClText, String), NoImageForm> {
    opencl::emit_images(kernel, prepared, Some("")).map(parted)
}

fn parted(program: OpenClText) -> (OpenClText, String) {
    let (source, table) = split(&program.source);
    (OpenClText { source, ..program }, table)
}

/// The `#line` that leads to the author's line of a file.
pub fn directive(author: Span, file: &str) -> String {
    let line = line_of(author);
    match file.is_empty() {
        true => format!("#line {line} \"\""),
        false => format!("#line {line} \"{}\"", file.replace('\\', "/").replace('"', "'")),
    }
}

/// The line that a span begins in. A compiler is asked for that alone: each question takes long.
fn line_of(span: Span) -> usize {
    if proc_macro::is_available() { span.unwrap().line() } else { span.start().line }
}

/// The program without its `#line`s, and what they say.
fn split(text: &str) -> (String, String) {
    let bytes = text.as_bytes();
    let (mut source, mut table) = (String::with_capacity(text.len()), String::new());
    let (mut number, mut author, mut last) = (0, 0, 0);
    // What is copied goes from `first` on; a line, from `place`.
    let (mut first, mut place) = (0, 0);
    while place < bytes.len() {
        let end = text[place..].find('\n').map_or(bytes.len(), |length| place + length + 1);
        let mut start = place;
        while start < end && bytes[start] == b' ' {
            start += 1;
        }
        if bytes.get(start) == Some(&b'#')
            && let Some(directive) = text[start..end].strip_prefix("#line ")
        {
            author = directive.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0);
            source.push_str(&text[first..place]);
            first = end;
        } else {
            number += 1;
            // A function's statements are indented; what stands at the margin is none of the author's.
            if start == place {
                author = 0;
            }
            if author != last {
                // Writing to a text never fails.
                let _ = write!(table, "{}{number}:{author}", if table.is_empty() { "" } else { " " });
                last = author;
            }
        }
        place = end;
    }
    source.push_str(&text[first..]);
    (source, table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use windrow_dsl::optimise::prepare;

    #[test]
    fn lines_go_into_the_table() {
        let text = "head\nvoid f() {\n#line 7 \"\"\n    a;\n    b;\n#line 9 \"\"\n    c;\n}\n\nvoid g() {\n    d;\n}\n";
        let (source, table) = split(text);
        assert_eq!(source, "head\nvoid f() {\n    a;\n    b;\n    c;\n}\n\nvoid g() {\n    d;\n}\n");
        assert_eq!(table, "3:7 5:9 6:0");
    }

    #[test]
    fn the_program_is_the_one_without_lines() {
        let source = "#[kernel(output(low, high))]\nfn k(a: Neighbourhood<u8>) -> (u8, u8) {\n    let l = a.at(-1, 0);\n    \
                      let r = a.at(1, 0);\n    (l.min(r), l.max(r))\n}\n";
        for compiled in windrow_dsl::compile_file(source).kernels {
            let prepared = prepare(&compiled.kernel);
            let (program, table) = emit_with_table(&compiled.kernel, &prepared);
            assert_eq!(program, opencl::emit(&compiled.kernel, &prepared));
            let authors: Vec<u32> = table.split(' ').filter_map(|pair| pair.split_once(':')?.1.parse().ok()).collect();
            assert!([3, 5].iter().all(|line| authors.contains(line)), "{table}");
        }
    }
}
