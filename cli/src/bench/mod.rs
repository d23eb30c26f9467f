//! `windrow bench`: times the kernels of a file on every target of this machine, and its pipelines against their kernels one by one.
//!
//! They are built into a crate of their own ([`project`]), which times them through windrow's test harness: each
//! target, the author's function and copies of as many bytes take turns. [`report`] reads what it printed, and
//! [`chart`] draws it.

mod chart;
pub(crate) mod error;
mod project;
mod report;

use std::{fs, path::PathBuf, str::FromStr};

use clap::Args;

use windrow_runtime::Tier;

use crate::{
    error::Error,
    selection::{Selection, SelectionError},
};
use error::BenchError;
use project::{Project, Subject};

/// Times each kernel of a file on every target of this machine, against the author's function and plain copies of as many bytes, and each
/// pipeline on the processor, against its kernels one by one.
///
/// Half of a copy's bytes are read: a kernel that reads more than it writes may be faster. An author's function that is slow for all elements
/// is timed on the first of them, and its time is scaled. All images of a pipeline have the same rows and columns, and its parameters are
/// drawn.
///
/// The file must compile by itself: its kernels and pipelines are public, and name no crates but `windrow` and `windrow_operators`. Images hold
/// random elements; a uniform is drawn within its bounds. Results are compared with the author's function before they are timed.
#[derive(Debug, Args)]
pub struct Bench {
    #[command(flatten)]
    selection: Selection,
    /// Columns and rows of the outputs.
    #[arg(long, default_value = "1920x1080", value_name = "WIDTHxHEIGHT")]
    size: Size,
    /// Rounds at least: in each, every target runs once.
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Further rounds begin until a kernel has been timed for so long.
    #[arg(long, default_value_t = 2.0, value_name = "SECONDS", value_parser = seconds)]
    seconds: f64,
    /// Where the crate is built, and the chart is written.
    #[arg(long, default_value = "target/windrow-bench")]
    folder: PathBuf,
    /// The folder of windrow's sources, which the crate depends on. Left out: those that this command was built in, or else its
    /// version on the registry.
    #[arg(long)]
    windrow: Option<PathBuf>,
}

/// The extents of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size {
    width: u32,
    height: u32,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let extents =
            text.split_once('x').and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
        match extents {
            Some((width @ 1.., height @ 1..)) => Ok(Self { width, height }),
            Some(_) | None => {
                Err("two numbers from 1 on with an `x` between them are expected, as in 640x480".to_owned())
            }
        }
    }
}

/// A number of seconds that a kernel may be timed for.
fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|seconds| (0.0..=3600.0).contains(seconds));
    number.ok_or_else(|| "a number of seconds from 0 to 3600 is expected".to_owned())
}

impl Bench {
    /// Builds and times them: a table of each, and where the chart is.
    ///
    /// # Errors
    /// There is no such kernel or pipeline, or it can't be built or timed.
    pub fn run(&self) -> Result<String, Error> {
        let pipelines = self.selection.places_of_pipelines()?;
        let mut kernels = match self.selection.kernels() {
            Err(
                SelectionError::NoKernel(_)
                | SelectionError::NoKernelInFolder(_)
                | SelectionError::UnknownKernel { .. },
            ) if !pipelines.is_empty() => Vec::new(),
            kernels => kernels?,
        };
        // No program can name a kernel that a pipeline fuses.
        kernels.retain(|located| !located.kernel.is_fused);
        if let (true, true, Some(name)) = (kernels.is_empty(), pipelines.is_empty(), &self.selection.kernel) {
            return Err(BenchError::Fused { name: name.clone() }.into());
        }
        let subjects: Vec<Subject> =
            kernels.into_iter().map(Subject::from).chain(pipelines.into_iter().map(Subject::from)).collect();
        let project = Project::new(&self.folder, self.windrow.as_deref(), &subjects)?;
        let said = project.run(self.size, self.rounds, self.seconds)?;
        let mut reports = report::parse(&said)?;
        let timed: Vec<&str> = reports.iter().map(|report| report.name.as_str()).collect();
        let left_out: Vec<_> = project.names().filter(|name| !timed.contains(name)).map(report::left_out).collect();
        reports.extend(left_out);
        let chart = self.folder.join("chart.svg");
        let drawn = chart::draw(&reports);
        fs::write(&chart, drawn).map_err(|error| BenchError::Write { path: chart.clone(), error })?;
        let tables: String = reports.iter().map(|report| report.to_text(self.size)).collect();
        Ok(format!("{}\n\n{tables}chart: {}\n", processor(), chart.display()))
    }
}

/// What this processor has, in a line: its tiers, and what it has beyond them.
fn processor() -> String {
    let tiers = Tier::ALL.into_iter().filter(|tier| *tier != Tier::Scalar && tier.is_available()).map(|tier| {
        let beyond: Vec<&str> = tier.extensions().collect();
        if beyond.is_empty() { tier.to_string() } else { format!("{tier} (with {})", beyond.join(", ")) }
    });
    format!("this processor has {}", tiers.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_two_positive_numbers() {
        assert_eq!("640x480".parse(), Ok(Size { width: 640, height: 480 }));
        for text in ["640", "x", "0x1", "640x-1", "640x480x3"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
    }

    #[test]
    fn seconds_are_finite_and_bounded() {
        assert_eq!(seconds("0.5"), Ok(0.5));
        for text in ["-1", "NaN", "inf", "4000", "soon"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
