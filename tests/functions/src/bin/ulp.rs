//! Measures the errors of the elementary functions, for every argument: `cargo run --release -p windrow-function-tests --bin ulp`.

use std::{fmt::Write as _, path::PathBuf, process::ExitCode, time::Instant};

use clap::Parser;
use windrow_function_tests::{
    measure::{Found, measure},
    table::{FUNCTIONS, Function, Of},
};

/// Measures the errors of the elementary functions.
#[derive(Parser)]
struct Options {
    /// Only this function
    #[arg(long)]
    only: Option<String>,
    /// Every so many floats, of functions of one argument
    #[arg(long, default_value_t = 1)]
    step: u32,
    /// Pairs, of functions of two arguments
    #[arg(long, default_value_t = 1_000_000_000)]
    pairs: u64,
    /// A folder for the table
    #[arg(long)]
    out: Option<PathBuf>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let mut table = String::from(
        "| Function | Arguments | Greatest error | At | Not the nearest float | Rises |\n|---|---|---|---|---|---|\n",
    );
    let mut good = true;
    let chosen = |function: &&Function| options.only.as_deref().is_none_or(|only| only == function.name);
    for function in FUNCTIONS.iter().filter(chosen) {
        let started = Instant::now();
        let found = measure(function, options.step, options.pairs);
        let seconds = started.elapsed().as_secs_f64();
        eprintln!("{} {found:?} in {seconds:.1} s", function.name);
        good &= found.error <= function.bound && found.outside == 0 && found.different == 0;
        good &= !function.rises || found.falls == 0;
        table.push_str(&row(function, &found));
    }
    println!("{table}");
    if let Some(folder) = options.out {
        std::fs::write(folder.join("functions.md"), &table).expect("the folder can be written to");
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn row(function: &Function, found: &Found) -> String {
    let mut row = String::new();
    let at = match function.of {
        Of::One(..) => format!("{:e}", found.at[0]),
        Of::Two(..) => format!("{:e}, {:e}", found.at[0], found.at[1]),
    };
    let share = 100.0 * found.not_nearest as f64 / found.arguments as f64;
    let rises = match (function.of, function.rises, found.falls) {
        (Of::Two(..), ..) | (_, false, _) => "–".to_owned(),
        (_, true, 0) => "always".to_owned(),
        (_, true, falls) => format!("falls {falls} times"),
    };
    writeln!(row, "| `{}` | {} | {:.3} | {at} | {share:.2} % | {rises} |", function.name, found.arguments, found.error)
        .expect("a string takes text");
    row
}
