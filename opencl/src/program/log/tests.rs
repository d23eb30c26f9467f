use super::*;

/// Severity, line, column, text, the author's line.
type Expected<'a> = (Severity, u32, Option<u32>, &'a str, Option<(&'a str, u32)>);

/// A log of one message.
fn check(log: &str, expected: Expected<'_>) {
    let lines = LineTable::parse("src/ops.rs", "3:40 5:41");
    let author = |author: Option<(&str, u32)>| author.map(|(file, line)| AuthorLine { file: file.to_owned(), line });
    let (severity, line, column, text, place) = expected;
    let message = BuildMessage { severity, line, column, text: text.to_owned(), author: author(place) };
    assert_eq!(messages(log, &lines), [message], "{log}");
}

#[test]
fn the_logs_of_drivers_are_read() {
    use Severity::{Error, Note, Warning};
    let here = |line| Some(("src/ops.rs", line));
    // PoCL and Clang; NVIDIA; Mali; Adreno; Intel; EDG (AMD's older driver, TI).
    check("error: /tmp/pocl/tempfile_x.cl:4:9: undeclared: 'q'", (Error, 4, Some(9), "undeclared: 'q'", here(40)));
    check("error: src/other.rs:12:5: x", (Error, 12, Some(5), "x", Some(("src/other.rs", 12))));
    check("/tmp/tempfile_x.cl:4:9: error: undeclared 'q'", (Error, 4, Some(9), "undeclared 'q'", here(40)));
    check("<kernel>:5:1: warning: unused variable", (Warning, 5, Some(1), "unused variable", here(41)));
    check("<source>:2:3: fatal error: no", (Error, 2, Some(3), "no", None));
    check("BC-src-code:3:5: note: declared here", (Note, 3, Some(5), "declared here", here(40)));
    check("1:3:5: error: expected ';'", (Error, 3, Some(5), "expected ';'", here(40)));
    check("3:5: error: expected ';'", (Error, 3, Some(5), "expected ';'", here(40)));
    check("\"/tmp/OCL12.cl\", line 6: error: expected a \";\"", (Error, 6, None, "expected a \";\"", here(41)));
    check("C:\\temp\\a.cl:7: error: x", (Error, 7, None, "x", here(41)));
    check("src/other.rs:12:5: error: x", (Error, 12, Some(5), "x", Some(("src/other.rs", 12))));
}

#[test]
fn any_log_is_read() {
    for log in
        ["", "error: ", ":: error: ", ":1: error: ", "é:1:2: error: é", ", line x: error: ", "1 error generated."]
    {
        let _ = messages(log, &LineTable::default());
    }
}
