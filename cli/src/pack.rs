//! `windrow pack`: every program of a folder, built for the device that is here, in one file.
//!
//! The folder is what the build-script door writes: a `.cl` a kernel, an `.image.cl` where it reads images too, and
//! `manifest.json`. Each is built in every form and precision that an application may ask this device for. An application
//! opens the pack beside its programs (`Programs::add_pack`); where the device, the driver or a source is another one, it
//! builds from source, and its report says why.

use crate::error::Error;
use clap::Args;
use std::{fmt::Write as _, io, path::PathBuf, thread, time::Instant};
use windrow_opencl::{
    Context, ContextOptions, DeviceChoice, Devices, InvalidFolder, KernelFolder, Numerics, OpenClError, Pack,
    ProgramForm, ProgramSource, Record,
};

/// Builds every OpenCL program of a folder for this machine's device, into one file.
#[derive(Debug, Args)]
pub struct PackKernels {
    /// The folder that holds `manifest.json` and the programs.
    folder: PathBuf,
    /// The file to write.
    #[arg(long)]
    output: PathBuf,
    /// A part of the device's name or its platform's. Left out: what `WINDROW_OPENCL_DEVICE` says, or the first.
    #[arg(long)]
    device: Option<String>,
    /// Threads that build.
    #[arg(long)]
    threads: Option<usize>,
    /// For contexts that let the device take denormals for zeros (`ContextOptions::flushes_denormals`).
    #[arg(long)]
    flush_denormals: bool,
}

/// Why nothing was packed.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// There is no device, or it can't be opened.
    #[error(transparent)]
    Device(OpenClError),
    /// The folder holds no programs.
    #[error(transparent)]
    Folder(#[from] InvalidFolder),
    /// Programs don't build.
    #[error("{} of {count} programs do not build:\n\n{}", errors.len(), listed(errors))]
    Programs {
        /// How many there are.
        count: usize,
        /// Each program's error.
        errors: Vec<OpenClError>,
    },
    /// The file can't be written.
    #[error("cannot write `{}`: {error}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// The system's word.
        error: io::Error,
    },
}

impl PackError {
    /// The exit status: 1 where programs are at fault, 2 where the command or the machine is.
    pub fn status(&self) -> u8 {
        match self {
            Self::Programs { .. } => 1,
            Self::Device(_) | Self::Folder(_) | Self::Write { .. } => 2,
        }
    }
}

fn listed(errors: &[OpenClError]) -> String {
    errors.iter().map(OpenClError::to_string).collect::<Vec<_>>().join("\n\n")
}

impl PackKernels {
    /// What was built.
    ///
    /// # Errors
    /// A [`PackError`]; nothing is written where a program does not build.
    pub fn run(&self) -> Result<String, Error> {
        // SAFETY: the programs are built, and not run.
        let folder = unsafe { KernelFolder::open(&self.folder) }.map_err(PackError::from)?;
        let context = self.context().map_err(PackError::Device)?;
        let programs = folder.programs(context.device()).map_err(PackError::from)?;
        let begun = Instant::now();
        let records = self.build(&context, &programs)?;
        let failed = |error| PackError::Write { file: self.output.clone(), error };
        Pack::write(&self.output, &records).map_err(failed)?;
        Ok(report(&context, &programs, &records, begun))
    }

    /// The device, as a strict context and a relaxed one both find it: what a strict one refuses, it refuses by itself.
    fn context(&self) -> Result<Context, OpenClError> {
        let devices = Devices::find()?;
        let device = match &self.device {
            Some(part) => devices.pick(&DeviceChoice::Name(part.clone()))?,
            None => devices.choose()?,
        };
        let (numerics, flushes_denormals) = (Numerics::Relaxed, self.flush_denormals);
        Context::with_options(
            devices.driver(),
            device,
            &ContextOptions { numerics, flushes_denormals, ..ContextOptions::default() },
        )
    }

    fn build(&self, context: &Context, programs: &[(ProgramForm, ProgramSource)]) -> Result<Vec<Record>, PackError> {
        let threads = self.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, Into::into));
        // The programs; their errors are told by the records, which are asked of all of them.
        let sources: Vec<ProgramSource> = programs.iter().map(|(_, source)| source.clone()).collect();
        context.programs().warm_up(&sources, threads);
        let records = sources.iter().map(|source| context.programs().record(source));
        let (records, errors): (Vec<_>, Vec<_>) = records.partition(Result::is_ok);
        if errors.is_empty() {
            return Ok(records.into_iter().flatten().collect());
        }
        let errors = errors.into_iter().filter_map(Result::err).map(OpenClError::from).collect();
        Err(PackError::Programs { count: sources.len(), errors })
    }
}

fn report(context: &Context, programs: &[(ProgramForm, ProgramSource)], records: &[Record], begun: Instant) -> String {
    let bytes: usize = records.iter().map(|record| record.binary.len()).sum();
    let mut text = format!("{}\n", context.programs().identity());
    for (record, (form, _)) in records.iter().zip(programs) {
        // Writing to a text never fails.
        let _ = writeln!(text, "{:>10} bytes  {} ({form})", record.binary.len(), record.name);
    }
    let _ = writeln!(text, "{} programs, {bytes} bytes, {:.1} s", records.len(), begun.elapsed().as_secs_f64());
    text
}
