//! Develops a photograph: many operators, on every target that this machine has, compared to the bit.
//!
//! `cargo run --release --example photo [PICTURE] [--output FOLDER]`

mod bench;
mod develop;
mod kernels;
mod picture;
mod sheet;
mod targets;

use std::{error::Error, path::PathBuf, process::ExitCode};

use bench::{Bench, Outcome, Row};
use clap::Parser;
use targets::Missing;
use windrow::Kernel;

/// Develops a photograph on every target that this machine has, and checks that they agree to the bit.
#[derive(Parser)]
struct Arguments {
    /// A PNG or a JPEG.
    #[arg(default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/images/astronaut.png"))]
    picture: PathBuf,
    /// The folder for the results.
    #[arg(long, short, default_value = "target/photo")]
    output: PathBuf,
    /// Timed runs of each operator on each target; the table gives their median.
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: u32,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!("error: some targets do not agree with the author's function");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all targets agree.
fn run(arguments: &Arguments) -> Result<bool, Box<dyn Error>> {
    let photograph = picture::load(&arguments.picture)?;
    picture::make_folder(&arguments.output)?;
    let (width, height) = photograph.dimensions();
    println!("{}: {width}×{height} pixels", arguments.picture.display());

    let tiers = windrow_operators::gaussian3x3::CODE.bodies.iter().filter(|body| body.index == 0);
    let (targets, missing) = targets::find(tiers.map(|body| body.tier));
    for target in &targets {
        println!("  on {target}: {}", target.description());
    }
    for Missing { name, reason, remedy } in &missing {
        println!("  not on {name}: {reason}\n      to add it: {remedy}");
    }

    let mut bench = Bench::new(targets, arguments.runs as usize, develop::OPERATORS);
    let developed = develop::develop(&photograph, &mut bench);
    bench.finish();
    let plates = developed?;
    print_table(&bench.rows, f64::from(width) * f64::from(height));

    for (number, plate) in (0..).zip(&plates) {
        picture::save(&plate.picture, &arguments.output.join(file_name(number, plate.name)))?;
    }
    let sheet = arguments.output.join("contact-sheet.png");
    picture::save(&sheet::contact_sheet(&plates), &sheet)?;
    println!("{} pictures and {}", plates.len(), sheet.display());
    Ok(bench.rows.iter().all(|row| matches!(row.outcome, Outcome::Equal(_))))
}

/// A line for each operator and target; `pixels` are those of the photograph.
fn print_table(rows: &[Row], pixels: f64) {
    let wide = |cells: &dyn Fn(&Row) -> usize| rows.iter().map(cells).max().unwrap_or(0);
    let operators = wide(&|row| row.operator.chars().count()).max(8);
    let targets = wide(&|row| row.target.chars().count()).max(6);
    println!("\n{:operators$}  {:targets$}  {:>9}  {:>8}  equal", "operator", "target", "time (ms)", "Mpixel/s");
    let mut above = "";
    for Row { operator, target, outcome } in rows {
        // The name stands on the first of an operator's lines.
        let name = if *operator == above { "" } else { operator };
        above = operator;
        let (time, equal) = match outcome {
            Outcome::Equal(time) => (time, "yes"),
            Outcome::Different(time) => (time, "NO"),
            Outcome::Failed(why) => {
                println!("{name:operators$}  {target:targets$}  failed: {why}");
                continue;
            }
        };
        let seconds = time.as_secs_f64().max(1e-9);
        let speed = pixels / seconds / 1e6;
        println!("{name:operators$}  {target:targets$}  {:>9.3}  {speed:>8.0}  {equal}", seconds * 1e3);
    }
    let equal = rows.iter().filter(|row| matches!(row.outcome, Outcome::Equal(_))).count();
    println!("\n{equal} of {} equal the author's function, bit for bit.", rows.len());
    println!("Times are medians, on all cores; those of a device hold the way there and back.\n");
}

/// `03-gaussian5x5.png`
fn file_name(number: u32, name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    format!("{number:02}-{}.png", words.collect::<Vec<_>>().join("-"))
}
