//! The loop of a body in the assembly that rustc makes of it: `windrow cost` and the tests of the emitters count it.
//!
//! A body has a loop over whole steps, and often one of a single vector for what they leave. The first is the longest loop
//! without another one inside.

use std::ops::Range;

/// The instructions of a function's main loop, from the label to the branch back to it; none, where it has no loop.
pub fn main_loop<'a>(assembly: &'a str, function: &str) -> Vec<&'a str> {
    let start = format!("{function}:");
    let lines: Vec<&str> = assembly
        .lines()
        .skip_while(|line| !line.starts_with(&start))
        .skip(1)
        .take_while(|line| !line.starts_with(".Lfunc_end"))
        .map(str::trim)
        .collect();
    let loops = loops(&lines);
    let is_innermost = |own: &&Range<usize>| !loops.iter().any(|other| other != *own && is_inside(other, own));
    let longest = loops.iter().filter(is_innermost).max_by_key(|range| range.len()).cloned().unwrap_or_default();
    lines[longest].iter().copied().filter(|line| is_instruction(line)).collect()
}

/// From each label to each branch back to it.
fn loops(lines: &[&str]) -> Vec<Range<usize>> {
    let labels = lines.iter().enumerate().filter(|(_, line)| line.starts_with(".LBB"));
    let backward = labels.flat_map(|(begin, line)| {
        let label = line.split(':').next().unwrap_or_default();
        let branches =
            lines[begin..].iter().enumerate().filter(move |(_, line)| is_instruction(line) && leads_to(line, label));
        branches.map(move |(length, _)| begin..begin + length + 1)
    });
    backward.collect()
}

/// Whether an instruction's last operand is the label.
fn leads_to(instruction: &str, label: &str) -> bool {
    instruction.split(|c: char| c.is_whitespace() || c == ',').next_back() == Some(label)
}

fn is_inside(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

fn is_instruction(line: &str) -> bool {
    !line.starts_with(['.', '#', '/']) && !line.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NESTED: &str = "\
other:
.LBB0_1:
\tnop
\tb.lt .LBB0_1
.Lfunc_end0:
body:
\tldr x8, [x0]
.LBB1_1:
\tcmp x9, x10
.LBB1_2:
\t//APP
\tldr q0, [x8, x9]
\tadd x9, x9, #16
\tstr q0, [x8, x9]
\tb.le .LBB1_2
\tcbz x9, .LBB1_1
.LBB1_3:
\tadd x9, x9, #1
\ttbnz w9, #0, .LBB1_3
\tret
.Lfunc_end1:
";

    #[test]
    fn the_longest_of_the_innermost_loops_is_found() {
        let expected = ["ldr q0, [x8, x9]", "add x9, x9, #16", "str q0, [x8, x9]", "b.le .LBB1_2"];
        assert_eq!(main_loop(NESTED, "body"), expected);
        assert_eq!(main_loop(NESTED, "other").len(), 2);
        assert!(main_loop(NESTED, "absent").is_empty());
    }
}
