//! Where each line of an OpenCL program comes from: in the program, as `#line`; or in a table, so that a driver's messages
//! can name the author's lines without a `#line` in the text, as `host` and the manifest write it.

use crate::text::Mark;
use proc_macro2::Span;

/// A program with a `#line` before each statement that says where it is from.
pub fn with_directives(source: String, marks: &[Mark], file: &str) -> String {
    if marks.is_empty() {
        return source;
    }
    let file = file.replace('\\', "/").replace('"', "'");
    let mut marks = marks.iter().peekable();
    let mut directed = String::with_capacity(2 * source.len());
    for (number, line) in source.split_inclusive('\n').enumerate() {
        while let Some(mark) = marks.next_if(|mark| mark.line == number) {
            if let Some(author) = mark.author.map(line_of) {
                let indentation = &line[..line.len() - line.trim_start_matches(' ').len()];
                directed += &format!("{indentation}#line {author} \"{file}\"\n");
            }
        }
        directed += line;
    }
    directed
}

/// The line that a span begins in. A compiler is asked for that alone: each question takes long.
fn line_of(span: Span) -> usize {
    if proc_macro::is_available() { span.unwrap().line() } else { span.start().line }
}

/// The author's lines as pairs `program:author`: from that line of the program on, until the next pair.
pub fn table(marks: &[Mark]) -> String {
    let (mut pairs, mut last) = (Vec::new(), 0);
    for mark in marks {
        let author = mark.author.map_or(0, line_of);
        if author != last {
            pairs.push(format!("{}:{author}", mark.line + 1));
            last = author;
        }
    }
    pairs.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opencl;
    use windrow_dsl::optimise::prepare;

    #[test]
    fn marks_become_a_table_or_directives() {
        let source = "head\nvoid f() {\n    a;\n    b;\n    c;\n}\n".to_owned();
        let tokens: proc_macro2::TokenStream = "\n\n\n\n\n\nseventh\n\nninth\n".parse().unwrap();
        let spans: Vec<Span> = tokens.into_iter().map(|token| token.span()).collect();
        let mark = |line, place: Option<usize>| Mark { line, author: place.map(|place| spans[place]) };
        let marks = [mark(2, Some(0)), mark(3, Some(0)), mark(4, Some(1)), mark(5, None)];
        assert_eq!(table(&marks), "3:7 5:9 6:0");
        let expected = "head\nvoid f() {\n    #line 7 \"a/b.rs\"\n    a;\n    #line 7 \"a/b.rs\"\n    b;\n    \
                        #line 9 \"a/b.rs\"\n    c;\n}\n";
        assert_eq!(with_directives(source, &marks, "a\\b.rs"), expected);
    }

    #[test]
    fn the_program_is_the_one_without_lines() {
        let source = "#[kernel(output(low, high))]\nfn k(a: Neighbourhood<u8>) -> (u8, u8) {\n    let l = a.at(-1, 0);\n    \
                      let r = a.at(1, 0);\n    (l.min(r), l.max(r))\n}\n";
        for compiled in windrow_dsl::compile_file(source).kernels {
            let prepared = prepare(&compiled.kernel);
            let ((program, table), _) = opencl::emit_with_tables(&compiled.kernel, &prepared);
            let plain = opencl::emit(&compiled.kernel, &prepared);
            assert_eq!((program.source, program.entries), (plain.source, plain.entries));
            let authors: Vec<u32> = table.split(' ').filter_map(|pair| pair.split_once(':')?.1.parse().ok()).collect();
            assert!([3, 5].iter().all(|line| authors.contains(line)), "{table}");
        }
    }
}
