//! `windrow emit`: the text of one stage, from what an author wrote to what a target gets.

use crate::error::Error;
use crate::selection::{Located, Selection, SelectionError};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use windrow_backends::doors::source::SourceKernel;
use windrow_backends::opencl;
use windrow_backends::targets::{CPU, CpuTarget};
use windrow_dsl::dump;

/// Prints the text of one stage: what an author wrote, what it means, or what a target gets.
#[derive(Debug, Args)]
pub struct Emit {
    #[command(flatten)]
    selection: Selection,
    /// `reference` is the author's function, `ir` what was read and proved; the others are targets.
    #[arg(long, value_parser = stages())]
    target: Stage,
    /// Lead OpenCL C back to the Rust file by `#line`.
    #[arg(long)]
    lines: bool,
}

#[derive(Clone, Debug)]
enum Stage {
    /// The author's function.
    Reference,
    /// The bodies of CPU targets.
    Cpu(Vec<&'static CpuTarget>),
    /// OpenCL C 1.2.
    OpenCl,
    /// The same over images, or why there is no such form.
    OpenClImages,
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
    names.extend(["opencl", "opencl-images", "ir"]);
    PossibleValuesParser::new(names).map(|name| match name.as_str() {
        "reference" => Stage::Reference,
        "opencl" => Stage::OpenCl,
        "opencl-images" => Stage::OpenClImages,
        "ir" => Stage::Ir,
        name => Stage::Cpu(CPU.iter().filter(|target| target.name == name || target.family == name).collect()),
    })
}

impl Emit {
    /// The texts of all kernels meant.
    ///
    /// # Errors
    /// There is no such kernel.
    pub fn run(&self) -> Result<String, Error> {
        let kernels = self.selection.kernels()?;
        let texts = kernels.iter().map(|Located { file, kernel }| {
            let file = self.lines.then(|| file.display().to_string());
            text(kernel, &self.target, file.as_deref())
        });
        Ok(texts.collect::<Result<Vec<_>, _>>()?.join("\n"))
    }
}

fn text(source: &SourceKernel, stage: &Stage, file: Option<&str>) -> Result<String, SelectionError> {
    let (kernel, prepared) = (&source.compiled.kernel, &source.prepared);
    Ok(match stage {
        Stage::Reference => format!("{}\n", source.text),
        // One function for each choice of variants and subset of outputs, named as in the macro's output.
        Stage::Cpu(targets) => {
            let mut texts = Vec::new();
            for target in targets {
                texts.extend(target.bodies(kernel, prepared)?.into_iter().map(|body| body.text));
            }
            texts.join("\n")
        }
        Stage::OpenCl => opencl::emit_with_lines(kernel, prepared, file).accepted()?.source,
        Stage::OpenClImages => match opencl::emit_images(kernel, prepared, file) {
            Ok(program) => program.accepted()?.source,
            Err(reason) => format!("// {} has no image form: {reason}.\n", kernel.name),
        },
        Stage::Ir => dump::kernel(kernel),
    })
}
