//! The command line: `windrow emit` prints any stage of a kernel, `windrow explain` what was proved about it.

use super::{
    explain,
    mistake::Mistake,
    source::{self, SourceKernel},
};
use crate::{neon, opencl, rows::EmittedBody, scalar};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::{fs, io, path::PathBuf};
use windrow_dsl::{
    dump,
    optimise::{Prepared, prepare},
};

/// Prints what windrow makes of the kernels in a Rust file.
#[derive(Debug, Parser)]
#[command(name = "windrow", version)]
pub struct Command {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Prints the text of one stage.
    Emit {
        #[command(flatten)]
        selection: Selection,
        /// The stage or target.
        #[arg(long, value_enum)]
        target: Target,
        /// Lead OpenCL C back to the Rust file by `#line`.
        #[arg(long)]
        lines: bool,
    },
    /// Prints each value's type and proved interval, what is read around an element, and the instructions of each target.
    Explain {
        #[command(flatten)]
        selection: Selection,
    },
}

#[derive(Debug, Args)]
struct Selection {
    /// The Rust file.
    file: PathBuf,
    /// One kernel of it; all, where it is left out.
    #[arg(long)]
    kernel: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    /// The author's function.
    Reference,
    /// Plain Rust, one element at a time.
    Scalar,
    /// AArch64 intrinsics.
    Neon,
    /// OpenCL C 1.2.
    #[value(name = "opencl")]
    OpenCl,
    /// The checked IR.
    Ir,
}

/// Why nothing was printed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// The file is not there.
    #[error("error: the file `{}` does not exist", .0.display())]
    MissingFile(
        /// As it was given.
        PathBuf,
    ),
    /// The file is a folder.
    #[error("error: `{}` is a folder; name one Rust file", .0.display())]
    Folder(
        /// As it was given.
        PathBuf,
    ),
    /// The file can't be read, or is not text.
    #[error("error: cannot read `{}`: {error}", file.display())]
    Unreadable {
        /// As it was given.
        file: PathBuf,
        /// The system's word.
        error: io::Error,
    },
    /// Its kernels are refused.
    #[error("{}", listed(.0))]
    Mistakes(
        /// All of them.
        Vec<Mistake>,
    ),
    /// It has none.
    #[error("error: `{}` has no kernel: mark a function with `#[kernel]`", .0.display())]
    NoKernel(
        /// As it was given.
        PathBuf,
    ),
    /// It has none of this name.
    #[error("error: `{}` has no kernel `{name}`{}", file.display(), suggestion(name, known))]
    UnknownKernel {
        /// As it was given.
        file: PathBuf,
        /// As it was given.
        name: String,
        /// Those that it has.
        known: Vec<String>,
    },
}

impl CommandError {
    /// The exit status: 1 where the author's kernels are at fault, 2 where the command is.
    pub fn status(&self) -> u8 {
        match self {
            Self::Mistakes(_) => 1,
            Self::MissingFile(_) | Self::Folder(_) | Self::Unreadable { .. } => 2,
            Self::NoKernel(_) | Self::UnknownKernel { .. } => 2,
        }
    }
}

impl Command {
    /// What is to be printed.
    ///
    /// # Errors
    /// A [`CommandError`].
    pub fn run(&self) -> Result<String, CommandError> {
        match &self.action {
            Action::Emit { selection, target, lines } => {
                let file = lines.then(|| selection.file.display().to_string());
                let texts = selection.kernels()?.into_iter().map(|kernel| emit(&kernel, *target, file.as_deref()));
                Ok(texts.collect::<Vec<_>>().join("\n"))
            }
            Action::Explain { selection } => {
                let texts = selection.kernels()?.into_iter().map(|kernel| explain::text(&kernel.compiled));
                Ok(texts.collect::<Vec<_>>().join("\n"))
            }
        }
    }
}

impl Selection {
    /// The kernels that are meant: by the item's name, or by the function's with all its copies.
    fn kernels(&self) -> Result<Vec<SourceKernel>, CommandError> {
        let Self { file, kernel } = self;
        if file.is_dir() {
            return Err(CommandError::Folder(file.clone()));
        }
        let text = fs::read_to_string(file).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => CommandError::MissingFile(file.clone()),
            _ => CommandError::Unreadable { file: file.clone(), error },
        })?;
        let kernels = source::compile(file, &text).map_err(CommandError::Mistakes)?;
        if kernels.is_empty() {
            return Err(CommandError::NoKernel(file.clone()));
        }
        let Some(name) = kernel else { return Ok(kernels) };
        let known = kernels.iter().map(|kernel| kernel.compiled.kernel.name.clone()).collect();
        let is_meant =
            |kernel: &SourceKernel| kernel.compiled.kernel.name == *name || kernel.compiled.kernel.function == *name;
        let chosen: Vec<SourceKernel> = kernels.into_iter().filter(is_meant).collect();
        if chosen.is_empty() {
            return Err(CommandError::UnknownKernel { file: file.clone(), name: name.clone(), known });
        }
        Ok(chosen)
    }
}

fn emit(source: &SourceKernel, target: Target, file: Option<&str>) -> String {
    let kernel = &source.compiled.kernel;
    let prepared = prepare(kernel);
    match target {
        Target::Reference => format!("{}\n", source.text),
        Target::Scalar => bodies(&prepared, |index| scalar::emit(kernel, &prepared, index, &format!("scalar_{index}"))),
        Target::Neon => bodies(&prepared, |index| neon::emit(kernel, &prepared, index, &format!("neon_{index}"))),
        Target::OpenCl => opencl::emit_with_lines(kernel, &prepared, file).source,
        Target::Ir => dump::kernel(kernel),
    }
}

/// One function for each choice of variants and subset of outputs, named as in the macro's output.
fn bodies(prepared: &Prepared, emit: impl Fn(usize) -> EmittedBody) -> String {
    (0..prepared.bodies.len()).map(|index| emit(index).text).collect::<Vec<_>>().join("\n")
}

fn listed(mistakes: &[Mistake]) -> String {
    let count = mistakes.len();
    let plural = if count == 1 { "" } else { "s" };
    let shown: Vec<String> = mistakes.iter().map(Mistake::to_string).collect();
    format!("{}\n\n{count} mistake{plural}", shown.join("\n\n"))
}

/// `; did you mean `gaussian3x3`?`, or all names where none is near.
fn suggestion(name: &str, known: &[String]) -> String {
    let nearest = known.iter().map(|other| (distance(name, other), other)).min();
    match nearest {
        Some((distance, other)) if distance <= 2.max(name.len() / 3) => format!("; did you mean `{other}`?"),
        Some(_) | None => format!("; it has {}", known.join(", ")),
    }
}

/// How many characters have to be put in, left out or changed to make one name of the other (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, c) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, d) in b.iter().enumerate() {
            let changed = diagonal + usize::from(c != *d);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_well_formed() {
        <Command as clap::CommandFactory>::command().debug_assert();
    }

    #[test]
    fn the_nearest_name_is_suggested() {
        let known = ["gaussian3x3", "median3x3"].map(str::to_owned);
        assert_eq!(suggestion("gausian3x3", &known), "; did you mean `gaussian3x3`?");
        assert_eq!(suggestion("xyz", &known), "; it has gaussian3x3, median3x3");
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
