//! The table of times: a line for each operator, its speed on each target as a multiple of plain Rust's.

use crate::{
    bench::{Outcome, Row, Times},
    targets::Column,
};

/// The table, and what has to be said about it. The first column is plain Rust on one thread; `pixels` are those of the photograph.
pub fn table(columns: &[Column], rows: &[Row], pixels: f64) -> String {
    let operators = rows.iter().map(|row| row.operator.len()).max().unwrap_or(0).max(8);
    let indent = " ".repeat(operators);
    let others = columns.get(1..).unwrap_or_default();
    let mut text = format!("\n{indent}    plain Rust,      times as fast as that\n{indent}     one thread");
    others.iter().for_each(|column| text += &format!("{:>11}", column.target.to_string()));
    text += &format!("\n{:operators$}      ms  Mpixel/s", "operator");
    others.iter().for_each(|column| text += &format!("{:>11}", column.threads()));
    text.push('\n');
    let mut failures = String::new();
    let (mut equal, mut all, mut is_unsteady) = (0, 0, false);
    for Row { operator, outcomes } in rows {
        text += &format!("{operator:operators$}");
        let plain = outcomes.first().and_then(times);
        for (place, (column, outcome)) in columns.iter().zip(outcomes).enumerate() {
            all += 1;
            equal += usize::from(times(outcome).is_some());
            is_unsteady |= times(outcome).is_some_and(|times| times.is_unsteady);
            text += &match outcome {
                Outcome::Equal(times) if place == 0 => absolute(*times, pixels),
                Outcome::Equal(times) => multiple(*times, plain),
                Outcome::Different => format!("{:>11}", "WRONG"),
                Outcome::Failed(_) => format!("{:>11}", "failed"),
            };
            if let Outcome::Failed(why) = outcome {
                failures += &format!("{operator} on {} failed: {why}\n", column.target);
            }
        }
        text.push('\n');
    }
    text += &format!("\n{failures}{equal} of {all} equal the author's function, bit for bit, in every run.\n");
    text += "Plain Rust is what windrow writes for processors without vectors; rustc vectorises what it can of it. Times are the\n\
        least of all rounds, each of which runs every column once; a device's include the transfers there and back.\n";
    if is_unsteady {
        text += "~ the quartiles of these times are over 15 % apart: something else kept the machine busy.\n";
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

fn mark(times: Times) -> char {
    if times.is_unsteady { '~' } else { ' ' }
}

fn absolute(times: Times, pixels: f64) -> String {
    let seconds = seconds(times);
    format!("{:>8.2}{}{:>8.0} ", seconds * 1e3, mark(times), pixels / seconds / 1e6)
}

fn multiple(times: Times, plain: Option<Times>) -> String {
    match plain {
        Some(plain) => format!("{:>10.2}{}", seconds(plain) / seconds(times), mark(times)),
        None => format!("{:>8.2} ms", seconds(times) * 1e3),
    }
}
