//! Develops a photograph: many operators, on every target that this machine has, compared to the bit and timed.
//!
//! `cargo run --release -p photo -- [PICTURE] [--output FOLDER]`

mod bench;
mod develop;
mod kernels;
mod opencv;
mod picture;
mod sheet;
mod table;
mod targets;

use std::{
    error::Error,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
    time::Duration,
};

use bench::{Bench, Outcome};
use clap::Parser;
use opencv::OpenCv;
use targets::Missing;
use windrow::Kernel;

/// Develops a photograph on every target that this machine has, and checks that they agree to the bit.
#[derive(Parser)]
struct Arguments {
    /// A PNG or a JPEG.
    #[arg(default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../images/astronaut.png"))]
    picture: PathBuf,
    /// The folder for the results.
    #[arg(long, short, default_value = "target/photo")]
    output: PathBuf,
    /// How long the operators are timed, all together.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=3600))]
    seconds: u32,
    /// How large the picture is to be, if it is smaller: it is scaled up by a whole number. Times of small ones say little.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=64))]
    megapixels: u32,
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
    let name = arguments.picture.file_name().unwrap_or_default();
    say(format!("{}: {}×{} pixels", name.display(), photograph.width(), photograph.height()))?;
    let photograph = picture::enlarge(photograph, arguments.megapixels);
    let (width, height) = photograph.dimensions();
    say(format!(", developed as {width}×{height}\n"))?;

    let tiers = windrow_operators::gaussian3x3::CODE.bodies().iter().filter(|body| body.index() == 0);
    let (targets, missing) = targets::find(tiers.map(|body| body.tier()));
    for target in &targets {
        say(format!("  on {target}: {}\n", target.description()))?;
    }
    for Missing { name, reason, remedy } in &missing {
        say(format!("  not on {name}: {reason}\n      to add it: {remedy}\n"))?;
    }
    let opencv = OpenCv::start(&photograph);
    say(match &opencv {
        Ok(opencv) => format!("  compared with OpenCV {}, by python3\n", opencv.version()),
        Err(reason) => {
            format!("  not compared with OpenCV: {reason}\n      to add it: pip install opencv-python-headless\n")
        }
    })?;

    say(format!(
        "{} operators are compared with their authors' functions and timed: about {} s, and up to a minute more where\n\
         programs have to be built for a device first.\n",
        develop::OPERATORS,
        arguments.seconds + (width * height) / 400_000
    ))?;

    if cfg!(debug_assertions) {
        say("This is a debug build: its times say nothing. Use `cargo run --release`.\n".to_owned())?;
    }
    let budget = Duration::from_secs(arguments.seconds.into()) / develop::OPERATORS as u32;
    let mut bench = Bench::new(targets::columns(targets), opencv.ok(), budget, develop::OPERATORS);
    let developed = develop::develop(&photograph, &mut bench);
    bench.finish();
    let plates = developed?;
    say(table::table(bench.columns(), bench.has_opencv(), &bench.rows, f64::from(width) * f64::from(height)))?;

    for (number, plate) in (0..).zip(&plates) {
        picture::save(&plate.picture, &arguments.output.join(file_name(number, plate.name)))?;
    }
    let sheet = arguments.output.join("contact-sheet.png");
    picture::save(&sheet::contact_sheet(&plates), &sheet)?;
    say(format!("{} pictures; the contact sheet is {}\n", plates.len(), sheet.display()))?;
    Ok(bench.rows.iter().flat_map(|row| &row.outcomes).all(|outcome| matches!(outcome, Outcome::Equal(_))))
}

/// Prints; a reader who has seen enough (`| head`) does not stop the pictures.
fn say(text: String) -> io::Result<()> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// `03-gaussian5x5.png`
fn file_name(number: u32, name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    format!("{number:02}-{}.png", words.collect::<Vec<_>>().join("-"))
}
