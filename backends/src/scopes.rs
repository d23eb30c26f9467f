//! Long bodies in blocks: each `let` of a function opens a scope inside the one before it, and a compiler that follows them
//! for debuggers runs out of stack at some thousands. So what is long is written as blocks, one after the other, each with
//! scopes of its own; the value of a block is what later ones read.

use crate::text::{Text, comma};
use std::ops::Range;

/// Statements that are written one after the other, without blocks. rustc's stack ends between 2500 and 3000.
pub const MOST_STATEMENTS: usize = 800;

/// Statements of a block.
const IN_BLOCK: usize = 200;

/// Pointers that are declared one by one, and in one `let` where there are more.
const MOST_DECLARED: usize = 100;
const IN_LET: usize = 16;

/// Which statement makes a value, and which one reads it last, by the values' numbers.
#[derive(Debug, Default)]
pub struct Uses {
    made: Vec<(usize, usize)>,
    last_read: Vec<Option<usize>>,
}

impl Uses {
    /// A statement makes a value, or makes it anew.
    pub fn makes(&mut self, statement: usize, value: usize) {
        self.made.push((statement, value));
    }

    /// A statement reads a value.
    pub fn reads(&mut self, statement: usize, value: usize) {
        if value >= self.last_read.len() {
            self.last_read.resize(value + 1, None);
        }
        let last = &mut self.last_read[value];
        *last = (*last).max(Some(statement));
    }

    /// The values that statements of a range make and later ones read, ascending.
    fn results(&self, statements: &Range<usize>) -> Vec<usize> {
        let is_read_later = |value: usize| self.last_read.get(value).is_some_and(|last| *last >= Some(statements.end));
        let made =
            self.made.iter().filter(|(statement, value)| statements.contains(statement) && is_read_later(*value));
        let mut results: Vec<usize> = made.map(|&(_, value)| value).collect();
        results.sort_unstable();
        results.dedup();
        results
    }
}

/// A block: its statements, and the values that later ones read.
#[derive(Debug, PartialEq, Eq)]
struct Scope {
    statements: Range<usize>,
    results: Vec<usize>,
}

/// Writes `count` statements by `write`, in blocks where they are many. What a block gives has the names of `name`; a
/// value without one is never read.
pub fn write_all<C>(
    out: &mut Text,
    count: usize,
    context: &mut C,
    uses: impl FnOnce(&C) -> Uses,
    name: impl Fn(&C, usize) -> Option<String>,
    mut write: impl FnMut(&mut C, &mut Text, usize),
) {
    if count <= MOST_STATEMENTS {
        return (0..count).for_each(|statement| write(context, out, statement));
    }
    for scope in split(count, &uses(context)) {
        let mut statements = out.inside();
        scope.statements.for_each(|statement| write(context, &mut statements, statement));
        let names: Vec<String> = scope.results.iter().filter_map(|&value| name(context, value)).collect();
        write_block(out, statements, &names);
    }
}

/// The blocks for `count` statements.
fn split(count: usize, uses: &Uses) -> Vec<Scope> {
    let blocks = (0..count).step_by(IN_BLOCK).map(|start| {
        let statements = start..(start + IN_BLOCK).min(count);
        Scope { results: uses.results(&statements), statements }
    });
    blocks.collect()
}

/// Writes a block: its statements, begun by [`Text::inside`], and its results by name.
fn write_block(out: &mut Text, mut statements: Text, names: &[String]) {
    let results = match names {
        [] => {
            out.open("");
            out.append(statements);
            return out.close("");
        }
        [name] => name.clone(),
        names => format!("({})", comma(names)),
    };
    statements.line(&results);
    out.open(format!("let {results} ="));
    out.append(statements);
    out.close(";");
}

/// Declares names with what they are, which does not depend on one another.
pub fn declare(out: &mut Text, names: &[(String, String)]) {
    if names.len() <= MOST_DECLARED {
        return names.iter().for_each(|(name, value)| out.line(format!("let {name} = {value};")));
    }
    for group in names.chunks(IN_LET) {
        let (names, values) = (group.iter().map(|(name, _)| name), group.iter().map(|(_, value)| value));
        // A pattern of one, too, has a comma.
        out.line(format!("let ({},) = ({},);", comma(names), comma(values)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each statement makes a value that the next one reads; all read the first, and the last reads the one in the middle.
    fn chain(count: usize) -> Uses {
        let mut uses = Uses::default();
        for statement in 0..count {
            uses.makes(statement, statement);
            uses.reads(statement, statement.saturating_sub(1));
            uses.reads(statement, 0);
        }
        uses.reads(count - 1, count / 2);
        uses
    }

    fn written(count: usize) -> String {
        let mut out = Text::new();
        let write = |(): &mut (), out: &mut Text, statement: usize| out.line(format!("s{statement};"));
        write_all(&mut out, count, &mut (), |()| chain(count), |(), value| Some(format!("v{value}")), write);
        out.finish()
    }

    #[test]
    fn few_statements_need_no_blocks() {
        assert!(!written(MOST_STATEMENTS).contains('{'));
    }

    #[test]
    fn many_statements_stand_in_blocks() {
        let text = written(MOST_STATEMENTS + 1);
        assert!(text.starts_with("let (v0, v199) = {\n    s0;\n    s1;\n"));
        assert!(text.contains("    s199;\n    (v0, v199)\n};\n"));
        assert!(text.ends_with("{\n    s800;\n}\n"));
        assert_eq!(text.matches(';').count(), MOST_STATEMENTS + 1 + MOST_STATEMENTS / IN_BLOCK);
    }

    #[test]
    fn a_block_gives_what_later_ones_read() {
        let count = MOST_STATEMENTS + 1;
        let blocks = split(count, &chain(count));
        assert_eq!(blocks.first().unwrap().results, [0, IN_BLOCK - 1]);
        assert_eq!(blocks.last().unwrap(), &Scope { statements: MOST_STATEMENTS..count, results: Vec::new() });
        let middle = blocks.iter().find(|block| block.statements.contains(&(count / 2))).unwrap();
        assert!(middle.results.contains(&(count / 2)));
        assert_eq!(blocks.iter().map(|block| block.statements.len()).sum::<usize>(), count);
    }

    #[test]
    fn what_is_made_anew_is_given_again() {
        let mut uses = chain(MOST_STATEMENTS + 1);
        uses.makes(2 * IN_BLOCK, 0);
        let blocks = split(MOST_STATEMENTS + 1, &uses);
        let gives: Vec<bool> = blocks.iter().map(|block| block.results.contains(&0)).collect();
        assert_eq!(gives, [true, false, true, false, false]);
    }

    #[test]
    fn many_names_share_a_let() {
        let pointers = |count: usize| {
            let names: Vec<_> = (0..count).map(|place| (format!("row_{place}"), format!("rows[{place}]"))).collect();
            let mut out = Text::new();
            declare(&mut out, &names);
            out.finish()
        };
        assert_eq!(pointers(1), "let row_0 = rows[0];\n");
        let many = pointers(MOST_DECLARED + 1);
        assert_eq!(many.matches("let ").count(), (MOST_DECLARED + 1).div_ceil(IN_LET));
        assert!(many.ends_with(
            "let (row_96, row_97, row_98, row_99, row_100,) = (rows[96], rows[97], rows[98], rows[99], rows[100],);\n"
        ));
    }
}
