//! What a failed stage's log says of its failures: the tests that failed, their messages, errors of the compiler.

/// The most lines that are shown of a stage.
const LINES: usize = 60;

/// The most lines that are shown of one failure, so that the next is seen too.
const LINES_OF_EACH: usize = 12;

/// The lines that are shown where nothing in a log is known to be a failure.
const LAST: usize = 20;

/// What a log says of failures: first the names of all tests that failed, and then their messages and the errors, cut to what one
/// reads. The log's last lines where none is found.
pub fn of(log: &str) -> Vec<String> {
    let lines: Vec<&str> = log.lines().collect();
    let Found { names, blocks } = find(&lines);
    if names.is_empty() && blocks.is_empty() {
        return lines[lines.len().saturating_sub(LAST)..].iter().map(|&line| line.to_owned()).collect();
    }
    let names = names.into_iter().map(|name| format!("failed: {name}"));
    let blocks = blocks.into_iter().flat_map(|block| cut(block, LINES_OF_EACH));
    let names = cut(names.collect(), LINES / 2);
    cut(names.into_iter().chain(blocks).collect(), LINES)
}

/// The failures of a log.
#[derive(Default)]
struct Found {
    names: Vec<String>,
    blocks: Vec<Vec<String>>,
}

fn find(lines: &[&str]) -> Found {
    let mut found = Found::default();
    let mut at = 0;
    while let Some(&line) = lines.get(at) {
        let rest = &lines[at..];
        let length = if line == "failures:" {
            names(rest).map_or(0, |(names, length)| {
                found.names.extend(names);
                length
            })
        } else if line.starts_with("---- ") && line.ends_with(" ----") {
            message(rest, &["---- ", "failures:", "test result: "])
        } else if line.starts_with("error: ") || line.starts_with("error[") {
            until_blank(rest)
        } else if line.trim_start().starts_with("process didn't exit successfully") {
            1
        } else {
            // A line of pytest's summary.
            found.names.extend(line.strip_prefix("FAILED ").map(str::to_owned));
            0
        };
        if length > 0 && line != "failures:" {
            found.blocks.push(rest[..length].iter().map(|&line| line.to_owned()).collect());
        }
        at += length.max(1);
    }
    found
}

/// The names of a test program's last list, and how many lines it has. libtest heads the tests' messages in the same words.
fn names(lines: &[&str]) -> Option<(Vec<String>, usize)> {
    let names: Vec<String> = lines[1..].iter().map_while(|line| line.strip_prefix("    ")).map(str::to_owned).collect();
    let length = 1 + names.len();
    (!names.is_empty()).then_some((names, length))
}

/// How many lines the message at the start of `lines` has, without blank lines at its end and without a backtrace, which holds the
/// test harness more than the test.
fn message(lines: &[&str], ends: &[&str]) -> usize {
    let is_end = |line: &str| line == "stack backtrace:" || ends.iter().any(|end| line.starts_with(end));
    let length = 1 + lines[1..].iter().take_while(|line| !is_end(line)).count();
    length - lines[..length].iter().rev().take_while(|line| line.is_empty()).count()
}

/// How many lines an error has: a blank line ends it.
fn until_blank(lines: &[&str]) -> usize {
    lines.iter().take_while(|line| !line.is_empty()).count()
}

/// At most so many lines; of more, the last says how many are left out.
fn cut(mut lines: Vec<String>, most: usize) -> Vec<String> {
    if lines.len() > most {
        let left_out = lines.len() - (most - 1);
        lines.truncate(most - 1);
        lines.push(format!("  … {left_out} lines more"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIBTEST: &str = "\
running 3 tests
test sums::wraps ... FAILED
test sums::starts ... ok
test rows::ends ... FAILED

failures:

---- sums::wraps stdout ----

thread 'sums::wraps' panicked at src/sums.rs:7:5:
assertion `left == right` failed
  left: 1
 right: 2
stack backtrace:
   0: __rustc::rust_begin_unwind

---- rows::ends stdout ----
Error: \"no row\"


failures:
    rows::ends
    sums::wraps

test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

error: test failed, to rerun pass `-p sums --lib`
";

    #[test]
    fn failed_tests_are_named_and_say_what_is_wrong() {
        assert_eq!(
            of(LIBTEST).join("\n"),
            "\
failed: rows::ends
failed: sums::wraps
---- sums::wraps stdout ----

thread 'sums::wraps' panicked at src/sums.rs:7:5:
assertion `left == right` failed
  left: 1
 right: 2
---- rows::ends stdout ----
Error: \"no row\"
error: test failed, to rerun pass `-p sums --lib`"
        );
    }

    #[test]
    fn errors_of_the_compiler_and_of_pytest_are_found() {
        let log = "\
   Compiling sums v0.1.0
error[E0308]: mismatched types
 --> src/sums.rs:7:5
  |
7 |     0.0
  |     ^^^ expected `i32`

warning: unused variable
error: could not compile `sums` (lib) due to 1 previous error

Caused by:
  process didn't exit successfully: `sums-1234` (signal: 11, SIGSEGV: invalid memory reference)
FAILED python/tests/test_sums.py::test_wraps - assert 1 == 2
";
        let found = of(log);
        assert_eq!(found[0], "failed: python/tests/test_sums.py::test_wraps - assert 1 == 2");
        assert_eq!(found[1..6].join("\n"), log.lines().skip(1).take(5).collect::<Vec<_>>().join("\n"));
        assert!(found[6].starts_with("error: could not compile"), "{found:?}");
        assert!(found[7].contains("SIGSEGV"), "{found:?}");
        assert_eq!(found.len(), 8);
    }

    #[test]
    fn many_failures_are_cut_and_counted() {
        let names: String = (0..100).map(|k| format!("    test{k}\n")).collect();
        let messages: String = (0..100).map(|k| format!("---- test{k} stdout ----\na fault\n\n")).collect();
        let found = of(&format!("failures:\n\n{messages}\nfailures:\n{names}\ntest result: FAILED. 0 passed\n"));
        assert_eq!(found.len(), LINES);
        assert_eq!(found[LINES / 2 - 1], "  … 71 lines more");
        assert_eq!(found[LINES / 2], "---- test0 stdout ----");
        assert!(found[LINES - 1].ends_with("lines more"), "{found:?}");
    }

    #[test]
    fn a_log_without_known_failures_shows_its_end() {
        let log: String = (0..100).map(|k| format!("line {k}\n")).collect();
        let found = of(&log);
        assert_eq!((found.len(), found[0].as_str(), found[LAST - 1].as_str()), (LAST, "line 80", "line 99"));
        assert!(of("").is_empty());
    }
}
