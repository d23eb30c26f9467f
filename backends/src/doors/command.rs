//! The command line: `windrow emit` prints any stage of a kernel, `windrow explain` what was proved about it.

use super::{
    explain,
    mistake::Mistake,
    source::{self, SourceKernel},
};
use crate::{
    opencl,
    targets::{CPU, CpuTarget},
};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use std::{fs, io, path::PathBuf};
use windrow_dsl::{dump, optimise::prepare};

/// Shown below the help.
const EXAMPLES: &str = "\
Examples:
  windrow emit src/lib.rs --target neon                          the intrinsics of every kernel
  windrow emit src/lib.rs --kernel gaussian3x3 --target opencl   one kernel's OpenCL C
  windrow explain src/lib.rs --kernel gaussian3x3                its values, proofs and instructions";

/// Prints what windrow makes of the kernels in a Rust file.
#[derive(Debug, Parser)]
#[command(name = "windrow", version, after_help = EXAMPLES)]
pub struct Command {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Prints the text of one stage: what an author wrote, what it means, or what a target gets.
    Emit {
        #[command(flatten)]
        selection: Selection,
        /// `reference` is the author's function, `ir` what was read and proved; the others are targets.
        #[arg(long, value_parser = stages())]
        target: Stage,
        /// Lead OpenCL C back to the Rust file by `#line`.
        #[arg(long)]
        lines: bool,
    },
    /// Prints what is known of each value, how each obligation was proved, and each target's instructions.
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

#[derive(Clone, Debug)]
enum Stage {
    /// The author's function.
    Reference,
    /// The bodies of CPU targets.
    Cpu(Vec<&'static CpuTarget>),
    /// OpenCL C 1.2.
    OpenCl,
    /// The checked IR.
    Ir,
}

/// The names of the stages: a CPU target by its own name or its family's.
fn stages() -> impl TypedValueParser<Value = Stage> {
    let mut names = vec!["reference"];
    for target in CPU {
        names.extend([target.family, target.name].into_iter().filter(|name| !names.contains(name)).collect::<Vec<_>>());
    }
    names.dedup();
    names.extend(["opencl", "ir"]);
    PossibleValuesParser::new(names).map(|name| match name.as_str() {
        "reference" => Stage::Reference,
        "opencl" => Stage::OpenCl,
        "ir" => Stage::Ir,
        name => Stage::Cpu(CPU.iter().filter(|target| target.name == name || target.family == name).collect()),
    })
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
                let texts = selection.kernels()?.into_iter().map(|kernel| emit(&kernel, target, file.as_deref()));
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

fn emit(source: &SourceKernel, stage: &Stage, file: Option<&str>) -> String {
    let kernel = &source.compiled.kernel;
    let prepared = prepare(kernel);
    match stage {
        Stage::Reference => format!("{}\n", source.text),
        // One function for each choice of variants and subset of outputs, named as in the macro's output.
        Stage::Cpu(targets) => {
            let bodies = targets.iter().flat_map(|target| target.bodies(kernel, &prepared));
            bodies.map(|body| body.text).collect::<Vec<_>>().join("\n")
        }
        Stage::OpenCl => opencl::emit_with_lines(kernel, &prepared, file).source,
        Stage::Ir => dump::kernel(kernel),
    }
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
