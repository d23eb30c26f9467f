//! `windrow cost`: what the bodies of kernels cost, without the hardware that they are for.
//!
//! Each body is emitted ([`body`]), compiled alone by rustc for its architecture ([`compile`]); the loop over whole steps is cut out
//! of the assembly and counted ([`count`]); llvm-mca models its cycles on several processors ([`cycles`]). Where it is asked
//! for, the bodies run under an emulator that counts what they execute ([`emulate`]). [`report`] holds the figures.

mod against;
mod body;
mod compile;
mod count;
mod cycles;
mod emulate;
pub(crate) mod error;
mod report;

use crate::{
    error::Error,
    selection::{self, Located},
};
use body::Measured;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use error::CostError;
use report::{BodyCost, Report};
use std::path::PathBuf;
use windrow_backends::neon::TARGET as NEON;
use windrow_backends::targets::{CPU, CpuTarget};

/// Prints what kernels cost on a target: instructions, and cycles on several processors by llvm-mca's models.
///
/// The hardware is not needed. Instructions are those of the loop over whole steps, for 16 elements of the output; cycles are for
/// one element, with all data in the first cache.
#[derive(Debug, Args)]
pub struct Cost {
    /// Rust files.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// One kernel of them; all, where it is left out.
    #[arg(long)]
    kernel: Option<String>,
    /// Whose bodies: NEON's, or those of a tier of x86-64.
    #[arg(long, default_value = NEON.name, value_parser = targets())]
    target: &'static CpuTarget,
    /// Show the difference from the same kernels in a commit of git, another Rust file, or a cost saved by `--json`.
    #[arg(long, value_name = "COMMIT-or-FILE")]
    against: Option<String>,
    /// Another block than the author's or the cost model's: elements and rows, as in `schedule(neon(32, 4))`.
    #[arg(long, value_name = "ELEMENTS,ROWS")]
    block: Option<String>,
    /// Every choice of variants and subset of outputs, not only the first.
    #[arg(long)]
    all_bodies: bool,
    /// Instructions only: no model of a processor is asked.
    #[arg(long)]
    counts_only: bool,
    /// Run the bodies under qemu-aarch64 too, and count what is executed.
    #[arg(long)]
    emulate: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Print the loops as well.
    #[arg(long, conflicts_with = "json")]
    show: bool,
}

/// The targets by name: those with vectors.
fn targets() -> impl TypedValueParser<Value = &'static CpuTarget> {
    let vectors = || CPU.iter().filter(|target| target.architecture.is_some());
    PossibleValuesParser::new(vectors().map(|target| target.name))
        .map(move |name| vectors().find(|target| target.name == name).unwrap_or(&NEON))
}

impl Cost {
    /// The report.
    ///
    /// # Errors
    /// There is no such kernel, or a tool is missing.
    pub fn run(&self) -> Result<String, Error> {
        let block = self.block.as_deref().map(body::parse_block).transpose()?;
        let mut kernels = Vec::new();
        for file in &self.files {
            kernels.extend(selection::read(file)?);
        }
        let kernels = selection::named(&self.files[0], kernels, self.kernel.as_deref())?;
        let measured = body::of_kernels(self.target, &kernels, block, self.all_bodies)?;
        if measured.is_empty() {
            return Err(CostError::NothingToCount(self.uncounted(&kernels)).into());
        }
        let (report, loops) = self.measure(&measured)?;
        let before = match &self.against {
            Some(text) => Some(self.before(text, block)?),
            None => None,
        };
        Ok(match (self.json, before) {
            (true, None) => report.to_json(),
            (true, Some(before)) => report.difference(&before).to_json(),
            (false, None) => report.to_text() + &self.uncounted(&kernels) + &self.shown(&report, &loops),
            (false, Some(before)) => report.to_text() + "\n" + &report.difference(&before).to_text(),
        })
    }

    /// The kernels that the table leaves out, and why.
    fn uncounted(&self, kernels: &[Located]) -> String {
        let line = |located: &Located| {
            let reason = body::uncounted(self.target, located)?;
            Some(format!("not counted: {}: {reason}\n", located.kernel.compiled.kernel.name))
        };
        kernels.iter().filter_map(line).collect()
    }

    /// The costs of bodies, and their loops.
    fn measure(&self, bodies: &[Measured]) -> Result<(Report, Vec<Vec<String>>), CostError> {
        let assembly = compile::assembly(bodies)?;
        let loops: Vec<Vec<String>> =
            bodies.iter().map(|body| compile::main_loop(&assembly, body)).collect::<Result<_, _>>()?;
        let architecture = self.target.architecture.unwrap_or_default();
        let cycles = if self.counts_only { Vec::new() } else { cycles::of(architecture, &loops)? };
        let executed = if self.emulate { emulate::run(bodies)? } else { Vec::new() };
        let costs = bodies.iter().zip(&loops).enumerate().map(|(place, (body, lines))| {
            let per_core = cycles.iter().map(|(core, cycles)| (*core, cycles[place])).collect::<Vec<_>>();
            BodyCost::new(body, count::Counts::of(architecture, lines), &per_core, executed.get(place))
        });
        Ok((Report { compiler: compile::version()?, bodies: costs.collect() }, loops))
    }

    /// What the bodies cost before.
    fn before(&self, text: &str, block: Option<(u32, u32)>) -> Result<Report, Error> {
        match against::find(text, &self.files)? {
            against::Before::Saved(report) => Ok(report),
            against::Before::Sources(sources) => {
                let mut kernels = Vec::new();
                for (file, source) in &sources {
                    kernels.extend(selection::compile(file, source)?);
                }
                Ok(self.measure(&body::of_kernels(self.target, &kernels, block, self.all_bodies)?)?.0)
            }
        }
    }

    fn shown(&self, report: &Report, loops: &[Vec<String>]) -> String {
        if !self.show {
            return String::new();
        }
        let listed = report.bodies.iter().zip(loops);
        listed.map(|(body, lines)| format!("\n{}:\n    {}\n", body.label(), lines.join("\n    "))).collect()
    }
}
