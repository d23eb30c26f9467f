//! The table of times: a line for each operator, its speed on each target as a multiple of plain Rust's.

use windrow::Tier;

use crate::{
    bench::{Outcome, Row, Times},
    targets::{Column, Target, thread_counts, threads},
};

/// The table, and what has to be said about it. The first column is plain Rust on one thread, the last ones are OpenCV's where it ran;
/// `pixels` are those of the photograph.
pub fn table(columns: &[Column], has_opencv: bool, rows: &[Row], pixels: f64) -> String {
    let operators = rows.iter().map(|row| row.operator.len()).max().unwrap_or(0).max(8);
    let indent = " ".repeat(operators);
    let others = columns.get(1..).unwrap_or_default();
    let mut text = format!("\n{indent}    plain Rust,      times as fast as that\n{indent}     one thread");
    others.iter().for_each(|column| text += &format!("{:>11}", column.target.to_string()));
    let opencv: Vec<usize> = thread_counts().filter(|_| has_opencv).collect();
    opencv.iter().for_each(|_| text += &format!("{:>11}", "OpenCV"));
    text += &format!("\n{:operators$}      ms  Mpixel/s", "operator");
    others.iter().for_each(|column| text += &format!("{:>11}", column.threads()));
    opencv.iter().for_each(|count| text += &format!("{:>11}", threads(*count)));
    text.push('\n');
    let mut failures = String::new();
    let (mut equal, mut all, mut is_unsteady) = (0, 0, false);
    for Row { operator, outcomes, opencv } in rows {
        text += &format!("{operator:operators$}");
        let plain = outcomes.first().and_then(times);
        for (place, (column, outcome)) in columns.iter().zip(outcomes).enumerate() {
            all += 1;
            equal += usize::from(times(outcome).is_some());
            is_unsteady |= times(outcome).is_some_and(|times| times.is_unsteady);
            let width = if place == 0 { 18 } else { 11 };
            text += &match outcome {
                Outcome::Equal(times) if place == 0 => absolute(*times, pixels),
                Outcome::Equal(times) => multiple(*times, plain),
                Outcome::Different => format!("{:>width$}", "WRONG"),
                Outcome::Failed(_) => format!("{:>width$}", "failed"),
            };
            if let Outcome::Failed(why) = outcome {
                failures += &format!("{operator} on {} failed: {why}\n", column.target);
            }
        }
        opencv.iter().for_each(|times| text += &multiple(*times, plain));
        is_unsteady |= opencv.iter().any(|times| times.is_unsteady);
        text.push('\n');
    }
    text += &format!("\n{failures}{equal} of {all} equal the author's function, bit for bit, in every run.\n");
    text += &slow_tables(columns, rows);
    text += "Plain Rust is what windrow writes for processors without vectors; rustc vectorises what it can of it. Times are the\n\
        least of all rounds, each of which runs every column once; a device's include the transfers there and back.\n";
    if has_opencv {
        text += "OpenCV's functions are those of the same purpose, which round differently in places; their results aren't compared.\n";
    }
    if is_unsteady {
        text += "~ the quartiles of these times are over 15 % apart: something else kept the machine busy. A multiple has the mark if\n\
            either of its two times is so: its own, or that of plain Rust.\n";
    }
    text + "\n"
}

fn times(outcome: &Outcome) -> Option<Times> {
    match outcome {
        Outcome::Equal(times) => Some(*times),
        Outcome::Different | Outcome::Failed(_) => None,
    }
}

fn seconds(times: Times) -> f64 {
    times.least.as_secs_f64().max(1e-9)
}

/// How many times as fast `own` is as plain Rust.
fn ratio(plain: Times, own: Times) -> f64 {
    seconds(plain) / seconds(own)
}

fn mark(is_unsteady: bool) -> char {
    if is_unsteady { '~' } else { ' ' }
}

/// Why vectors look tables up more slowly than plain Rust, where they did.
fn slow_tables(columns: &[Column], rows: &[Row]) -> String {
    let mut slow: Vec<String> = Vec::new();
    for row in rows.iter().filter(|row| row.operator.starts_with("table_lookup")) {
        let Some(plain) = row.outcomes.first().and_then(times) else { continue };
        for (column, outcome) in columns.iter().zip(&row.outcomes) {
            let Target::Processor(tier) = column.target else { continue };
            // One thread: several meet the limits of the memory, too. As printed: 0.996 is 1.00.
            let is_slow = times(outcome).is_some_and(|own| ratio(plain, own) < 0.995);
            if is_slow && column.threads() == threads(1) && tier != Tier::Scalar && !slow.contains(&tier.to_string()) {
                slow.push(tier.to_string());
            }
        }
    }
    if slow.is_empty() {
        return String::new();
    }
    format!(
        "table_lookup is below 1 on {}: a shuffle looks up 16 entries, so that a table of 256 takes about 50 instructions\n\
         for each vector. Plain Rust reads each entry from the cache, which takes less time.\n",
        slow.join(" and ")
    )
}

fn absolute(times: Times, pixels: f64) -> String {
    let seconds = seconds(times);
    format!("{:>8.2}{}{:>8.0} ", seconds * 1e3, mark(times.is_unsteady), pixels / seconds / 1e6)
}

fn multiple(times: Times, plain: Option<Times>) -> String {
    match plain {
        Some(plain) => {
            let mark = mark(times.is_unsteady || plain.is_unsteady);
            format!("{:>10.2}{mark}", ratio(plain, times))
        }
        None => format!("{:>8.2} ms", seconds(times) * 1e3),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use windrow::Tier;

    use super::*;
    use crate::targets::{Target, columns};

    fn taking(milliseconds: u64, is_unsteady: bool) -> Times {
        Times { least: Duration::from_millis(milliseconds), is_unsteady }
    }

    /// The table of these operators on plain Rust and SSE4.1, by the columns of one thread.
    fn lines(rows: Vec<(&'static str, [Outcome; 2], Vec<Times>)>, has_opencv: bool) -> Vec<String> {
        let mut columns = columns(vec![Target::Processor(Tier::Scalar), Target::Processor(Tier::Sse41)]);
        columns.retain(|column| column.threads() == "1 thread");
        let rows =
            rows.into_iter().map(|(operator, outcomes, opencv)| Row { operator, outcomes: outcomes.into(), opencv });
        table(&columns, has_opencv, &rows.collect::<Vec<_>>(), 1e6).lines().map(str::to_owned).collect()
    }

    #[test]
    fn speeds_are_multiples_of_plain_rust() {
        let outcomes = [Outcome::Equal(taking(80, false)), Outcome::Equal(taking(10, true))];
        let lines = lines(vec![("blur", outcomes, vec![taking(40, false)])], true);
        let words: Vec<_> = lines[4].split_whitespace().collect();
        assert_eq!(words, ["blur", "80.00", "12", "8.00~", "2.00"], "{lines:#?}");
        assert!(lines[2].contains("sse4.1     OpenCV"), "{lines:#?}");
        assert!(lines.iter().any(|line| line.starts_with("2 of 2 equal")), "{lines:#?}");
        assert!(lines.iter().any(|line| line.contains("15 % apart")), "{lines:#?}");
    }

    #[test]
    fn what_is_wrong_or_has_failed_is_told() {
        let wrong = [Outcome::Equal(taking(80, false)), Outcome::Different];
        let failed = [Outcome::Failed("it broke".into()), Outcome::Equal(taking(10, false))];
        let lines = lines(vec![("blur", wrong, vec![]), ("sharpen", failed, vec![])], false);
        assert!(lines.iter().any(|line| line.starts_with("blur ") && line.contains("WRONG")), "{lines:#?}");
        assert!(lines.iter().any(|line| *line == "sharpen             failed   10.00 ms"), "{lines:#?}");
        assert!(lines.contains(&"sharpen on scalar failed: it broke".to_owned()), "{lines:#?}");
        assert!(lines.iter().any(|line| line.starts_with("2 of 4 equal")), "{lines:#?}");
        assert!(!lines.iter().any(|line| line.contains("OpenCV")), "{lines:#?}");
    }

    #[test]
    fn a_multiple_of_unsteady_times_is_marked() {
        let outcomes = [Outcome::Equal(taking(80, true)), Outcome::Equal(taking(10, false))];
        let lines = lines(vec![("blur", outcomes, vec![taking(40, false)])], true);
        let words: Vec<_> = lines[4].split_whitespace().collect();
        assert_eq!(words, ["blur", "80.00~", "12", "8.00~", "2.00~"], "{lines:#?}");
        let legend = lines.join(" ");
        assert!(legend.contains("A multiple has the mark if either of its two times is so"), "{lines:#?}");
    }

    #[test]
    fn a_target_slower_than_plain_rust_is_explained() {
        let outcomes = || [Outcome::Equal(taking(10, false)), Outcome::Equal(taking(20, false))];
        let slow = lines(vec![("table_lookup (red)", outcomes(), vec![])], false);
        assert!(slow.iter().any(|line| line.starts_with("table_lookup is below 1 on sse4.1")), "{slow:#?}");
        let others = lines(vec![("blur", outcomes(), vec![])], false);
        assert!(!others.iter().any(|line| line.contains("below 1")), "{others:#?}");
    }
}
