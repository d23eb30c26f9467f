//! Develops a photograph: many operators, on every target that this machine has, compared to the bit.
//!
//! `cargo run --release --example photo [PICTURE] [--output FOLDER]`

mod bench;
mod develop;
mod kernels;
mod picture;
mod sheet;
mod targets;

use std::{
    error::Error,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

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
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=1000))]
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
    let name = arguments.picture.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(&arguments.picture);
    say(format!("{}: {width}×{height} pixels\n", name.display()))?;

    let tiers = windrow_operators::gaussian3x3::CODE.bodies().iter().filter(|body| body.index() == 0);
    let (targets, missing) = targets::find(tiers.map(|body| body.tier()));
    for target in &targets {
        say(format!("  on {target}: {}\n", target.description()))?;
    }
    for Missing { name, reason, remedy } in &missing {
        say(format!("  not on {name}: {reason}\n      to add it: {remedy}\n"))?;
    }

    let mut bench = Bench::new(targets, arguments.runs as usize, develop::OPERATORS);
    let developed = develop::develop(&photograph, &mut bench);
    bench.finish();
    let plates = developed?;
    say(table(&bench.rows, f64::from(width) * f64::from(height)))?;

    for (number, plate) in (0..).zip(&plates) {
        picture::save(&plate.picture, &arguments.output.join(file_name(number, plate.name)))?;
    }
    let sheet = arguments.output.join("contact-sheet.png");
    picture::save(&sheet::contact_sheet(&plates), &sheet)?;
    say(format!("{} pictures, and all of them on {}\n", plates.len(), sheet.display()))?;
    Ok(bench.rows.iter().all(|row| matches!(row.outcome, Outcome::Equal(_))))
}

/// Prints; a reader who has seen enough (`| head`) does not stop the pictures.
fn say(text: String) -> io::Result<()> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// A line for each operator and target; `pixels` are those of the photograph.
fn table(rows: &[Row], pixels: f64) -> String {
    let wide = |cells: &dyn Fn(&Row) -> usize| rows.iter().map(cells).max().unwrap_or(0);
    let operators = wide(&|row| row.operator.chars().count()).max(8);
    let targets = wide(&|row| row.target.chars().count()).max(6);
    let mut text = format!("\n{:operators$}  {:targets$}  time (ms)  Mpixel/s  equal\n", "operator", "target");
    let mut above = "";
    for Row { operator, target, outcome } in rows {
        // The name stands on the first of an operator's lines.
        let name = if *operator == above { "" } else { operator };
        above = operator;
        let (time, equal) = match outcome {
            Outcome::Equal(time) => (time, "yes"),
            Outcome::Different(time) => (time, "NO"),
            Outcome::Failed(why) => {
                text += &format!("{name:operators$}  {target:targets$}  failed: {why}\n");
                continue;
            }
        };
        let seconds = time.as_secs_f64().max(1e-9);
        let speed = pixels / seconds / 1e6;
        text += &format!("{name:operators$}  {target:targets$}  {:>9.3}  {speed:>8.0}  {equal}\n", seconds * 1e3);
    }
    let equal = rows.iter().filter(|row| matches!(row.outcome, Outcome::Equal(_))).count();
    text += &format!("\n{equal} of {} equal the author's function, bit for bit.\n", rows.len());
    text + "Times are medians, on all cores; those of a device hold the way there and back.\n\n"
}

/// `03-gaussian5x5.png`
fn file_name(number: u32, name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    format!("{number:02}-{}.png", words.collect::<Vec<_>>().join("-"))
}
