//! Where each line of an OpenCL program comes from: beside the program, so that a driver's messages can name the author's
//! lines without a `#line` in the text, as `host` and the manifest write it; or in it.

use crate::opencl::{Marked, NoImageForm, OpenClText, Programs};
use crate::text::{Mark, Parts};
use proc_macro2::Span;
use windrow_dsl::{ir::Kernel, optimise::Prepared};

/// A program, with the author's lines as pairs `program:author`: from that line of the program on, until the next pair, the
/// author's line is this one; 0 where there is none.
pub type Tabled = (OpenClText, String);

/// The program of a kernel, and its image form or why there is none.
pub fn emit_with_tables(kernel: &Kernel, prepared: &Prepared) -> (Tabled, Result<Tabled, NoImageForm>) {
    let programs = Programs::new(kernel, prepared, true);
    let tabled = |(text, marks): Marked| (text, table(&marks));
    (tabled(programs.buffers()), programs.images().map(tabled))
}

/// A program with a `#line` before each statement that says where it is from.
pub fn with_directives((mut text, marks): Marked, file: &str) -> OpenClText {
    if marks.is_empty() {
        return text;
    }
    let file = file.replace('\\', "/").replace('"', "'");
    let mut marks = marks.into_iter().peekable();
    let mut source = String::with_capacity(2 * text.source.len());
    for (number, line) in text.source.split_inclusive('\n').enumerate() {
        while let Some(mark) = marks.next_if(|mark| mark.line == number) {
            if let Some(author) = mark.author {
                let indentation = &line[..line.len() - line.trim_start_matches(' ').len()];
                source += &format!("{indentation}#line {author} \"{file}\"\n");
            }
        }
        source += line;
    }
    text.source = source;
    text
}

/// The line that a span begins in. A compiler is asked for that alone: each question takes long.
pub fn line_of(span: Span) -> usize {
    if proc_macro::is_available() { span.unwrap().line() } else { span.start().line }
}

/// The table of a program's marks.
fn table(marks: &[Mark]) -> String {
    let (mut table, mut separator) = (Parts::default(), "");
    let (mut last, mut place) = (0, 0);
    while place < marks.len() {
        let Mark { line, author } = marks[place];
        let author = author.unwrap_or(0);
        if author != last {
            table.push(separator);
            table.push_number(line as i64 + 1);
            table.push(":");
            table.push_number(author as i64);
            (last, separator) = (author, " ");
        }
        place += 1;
    }
    table.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opencl;
    use windrow_dsl::optimise::prepare;

    #[test]
    fn marks_become_a_table_or_directives() {
        let source = "head\nvoid f() {\n    a;\n    b;\n    c;\n}\n".to_owned();
        let mark = |line, author| Mark { line, author };
        let marks = vec![mark(2, Some(7)), mark(3, Some(7)), mark(4, Some(9)), mark(5, None)];
        assert_eq!(table(&marks), "3:7 5:9 6:0");
        let directed = with_directives((OpenClText { source, entries: Vec::new() }, marks), "a\\b.rs");
        let expected = "head\nvoid f() {\n    #line 7 \"a/b.rs\"\n    a;\n    #line 7 \"a/b.rs\"\n    b;\n    \
                        #line 9 \"a/b.rs\"\n    c;\n}\n";
        assert_eq!(directed.source, expected);
    }

    #[test]
    fn the_program_is_the_one_without_lines() {
        let source = "#[kernel(output(low, high))]\nfn k(a: Neighbourhood<u8>) -> (u8, u8) {\n    let l = a.at(-1, 0);\n    \
                      let r = a.at(1, 0);\n    (l.min(r), l.max(r))\n}\n";
        for compiled in windrow_dsl::compile_file(source).kernels {
            let prepared = prepare(&compiled.kernel);
            let ((program, table), _) = emit_with_tables(&compiled.kernel, &prepared);
            assert_eq!(program, opencl::emit(&compiled.kernel, &prepared));
            let authors: Vec<u32> = table.split(' ').filter_map(|pair| pair.split_once(':')?.1.parse().ok()).collect();
            assert!([3, 5].iter().all(|line| authors.contains(line)), "{table}");
        }
    }
}
