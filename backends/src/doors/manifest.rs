//! `manifest.json`: what a program in any language needs to load a kernel's `.cl` and call it.
//!
//! The calling convention is that of `OpenClEntry` in the runtime's `code.rs`; here are the arguments it speaks of.

use super::source::SourceKernel;
use crate::opencl::OpenClText;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use windrow_dsl::{
    dump,
    ir::{self, BorderMode, Kernel, Parameter},
    optimise::{Formula, Part, Prepared},
};

/// The version of this form.
pub const FORMAT: u32 = 1;

/// All kernels of a build.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of this form: [`FORMAT`].
    pub format: u32,
    /// The kernels, file by file, in the order in which they are written.
    pub kernels: Vec<KernelEntry>,
}

/// A kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KernelEntry {
    /// Its name; with `types`, `relu_f32`.
    pub name: String,
    /// Where it is written.
    pub source: Source,
    /// The doc comment.
    pub docs: String,
    /// The signature, on one line.
    pub signature: String,
    /// The arguments in the author's order.
    pub arguments: Vec<Argument>,
    /// What is written.
    pub outputs: Vec<Output>,
    /// How many of the outputs' dimensions the kernel knows, where these are more than rows and columns: an entry point takes the
    /// `int` extents of those outside rows as its last arguments, the innermost first.
    #[serde(default = "rows_and_columns", skip_serializing_if = "is_rows_and_columns")]
    pub rank: u32,
    /// The grain in which windows are cut, (x, y).
    pub step: [u32; 2],
    /// The border modes offered.
    pub borders: Vec<String>,
    /// Relations between uniforms that a caller must keep.
    pub requires: Vec<String>,
    /// The words that hold a run's uniforms.
    pub words: Words,
    /// The OpenCL C program.
    pub opencl: Program,
    /// The same over images that are read through samplers, where there is such a form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub images: Option<Program>,
    /// Why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_images: Option<String>,
}

/// Where a kernel is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The Rust file, relative to the package.
    pub file: String,
    /// The line of the kernel's name.
    pub line: usize,
    /// What names it from the file's module.
    pub path: String,
    /// The SHA-256 of its item's text, in hexadecimal.
    pub sha256: String,
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Argument {
    /// An image.
    Input {
        /// The author's name.
        name: String,
        /// The type of a channel.
        element: String,
        /// Channels of an interleaved pixel.
        channels: u32,
        /// What is read around an element.
        neighbourhood: Neighbourhood,
        /// Input elements for one output element, (x, y).
        stride: [u32; 2],
        /// The output that it also is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        inout: Option<String>,
    },
    /// An image that is read anywhere. An entry point takes the arguments that it takes of any image: the buffer, the
    /// `long` offset of its element (0, 0), the `int` bytes from row to row, the `long` bytes from plane to plane, 0 where one
    /// plane serves all, and `int` columns and rows, its own. A plane spans less than 2³¹ bytes. The kernel has no image form.
    View {
        /// The author's name.
        name: String,
        /// The type of a channel.
        element: String,
        /// Channels of an interleaved pixel.
        channels: u32,
    },
    /// A tensor of `rank` dimensions that is read anywhere, all its planes: an entry point takes the arguments that it takes of an
    /// image, and behind them the `int` extents of the dimensions outside rows, the innermost first. It spans less than 2³¹ bytes,
    /// and its planes follow each other equally far apart. The kernel has no image form.
    Tensor {
        /// The author's name.
        name: String,
        /// The type of a channel.
        element: String,
        /// Channels of an interleaved pixel.
        channels: u32,
        /// Its dimensions.
        rank: u32,
    },
    /// A value that is the same for the whole run.
    Uniform {
        /// The author's name.
        name: String,
        /// The type of its scalars.
        element: String,
        /// Array dimensions, outermost first; empty for a scalar.
        dims: Vec<u32>,
        /// Inclusive bounds of every scalar.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bounds: Option<[Bound; 2]>,
        /// A bound on the sum of magnitudes of an array.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sum_of_magnitudes: Option<u64>,
        /// The first of its words.
        word: u32,
    },
    /// A look-up table.
    Table {
        /// The author's name.
        name: String,
        /// The type of an entry.
        element: String,
        /// The number of entries.
        length: u32,
    },
    /// A choice of program.
    Variant {
        /// The author's name.
        name: String,
        /// The enum's name.
        #[serde(rename = "enum")]
        enum_name: String,
        /// Its values, in order.
        values: Vec<String>,
    },
}

/// A bound of a uniform.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Bound {
    /// Of an integer.
    Int(i64),
    /// Of a float.
    Float(f32),
}

/// What is read around an element: inclusive offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Neighbourhood {
    /// The least x offset.
    pub left: i32,
    /// The greatest x offset.
    pub right: i32,
    /// The least y offset.
    pub top: i32,
    /// The greatest y offset.
    pub bottom: i32,
}

/// An output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// The author's name; `out` for a single unnamed one.
    pub name: String,
    /// The type of a channel.
    pub element: String,
    /// Channels of an interleaved pixel.
    pub channels: u32,
    /// Whether the caller may leave it out.
    pub optional: bool,
}

/// The words of a run: each uniform's scalars in order, one word each, then the derived ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words {
    /// The number of words of the uniforms.
    pub uniforms: u32,
    /// Values over uniforms that the derived words name, a line a value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub program: Vec<String>,
    /// The derived words, in order.
    pub derived: Vec<DerivedWord>,
}

/// A derived word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DerivedWord {
    /// The type as which a program reads it.
    pub element: String,
    /// A value of the program, or a part of a divisor's multiplier (Granlund and Montgomery).
    pub value: String,
}

/// A program and its entry points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// The file beside the manifest.
    pub file: String,
    /// The SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// What it is to be built with.
    pub options: String,
    /// The entry points; of those that compute the same, the first is the default.
    pub entries: Vec<Entry>,
    /// The author's lines, as pairs `program:author`: from that line of the program on the author's is this one, 0 for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub lines: String,
}

/// An entry point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The function's name.
    pub name: String,
    /// The chosen value of each variant.
    pub choice: Vec<String>,
    /// The outputs that it writes.
    pub outputs: Vec<String>,
    /// Elements that a work-item computes, (x, y).
    pub block: [u32; 2],
    /// The work-items of a work-group, (x, y, z), where it is written for groups of one size: the local size of each launch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<[u32; 3]>,
    /// How it computes: `vectors`, `pairs` (two 16-bit values in a word), or `compared pairs` (with minima or maxima).
    pub form: String,
}

fn rows_and_columns() -> u32 {
    ir::AxisId::COUNT
}

/// Whether a kernel knows no more dimensions. (By reference, as serde asks for it.)
fn is_rows_and_columns(rank: &u32) -> bool {
    *rank == rows_and_columns()
}

/// The SHA-256 of a text, in hexadecimal.
pub fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl KernelEntry {
    /// What is said of a kernel with this program, without an image form.
    pub fn new(source: &SourceKernel, file: &str, prepared: &Prepared, program: Program) -> Self {
        let kernel = &source.compiled.kernel;
        Self {
            name: kernel.name.clone(),
            source: Source {
                file: file.to_owned(),
                line: source.line,
                path: source.path.clone(),
                sha256: sha256(&source.text),
            },
            docs: kernel.docs.iter().map(|line| line.trim()).collect::<Vec<_>>().join("\n"),
            signature: crate::signature::signature(kernel),
            arguments: kernel.parameters.iter().filter_map(|parameter| argument(kernel, *parameter)).collect(),
            rank: kernel.rank(),
            outputs: kernel.outputs.iter().map(output).collect(),
            step: [kernel.step.x, kernel.step.y],
            borders: kernel.borders.iter().map(|&mode| border_name(mode).to_owned()).collect(),
            requires: kernel.requires.iter().map(|require| require.text.clone()).collect(),
            words: words(kernel, prepared),
            opencl: program,
            images: None,
            no_images: None,
        }
    }
}

impl Program {
    /// What is said of a program of `kernel` that is in `file`, with the author's `lines`.
    pub fn new(kernel: &Kernel, prepared: &Prepared, file: &str, program: &OpenClText, lines: &str) -> Self {
        Self {
            file: file.to_owned(),
            sha256: sha256(&program.source),
            options: crate::opencl::OPTIONS.to_owned(),
            entries: program.entries.iter().map(|point| entry(kernel, prepared, point)).collect(),
            lines: lines.to_owned(),
        }
    }
}

fn argument(kernel: &Kernel, parameter: Parameter) -> Option<Argument> {
    Some(match parameter {
        Parameter::Input(id) => {
            let input = &kernel.inputs[id.0 as usize];
            if input.is_whole {
                let (name, element) = (input.name.clone(), input.element.name().to_owned());
                return Some(match input.rank {
                    Some(rank) => Argument::Tensor { name, element, channels: input.channels, rank },
                    None => Argument::View { name, element, channels: input.channels },
                });
            }
            let ir::Neighbourhood { left, right, top, bottom } = input.neighbourhood;
            Argument::Input {
                name: input.name.clone(),
                element: input.element.name().to_owned(),
                channels: input.channels,
                neighbourhood: Neighbourhood { left, right, top, bottom },
                stride: [input.stride().0, input.stride().1],
                inout: input.inout.map(|output| kernel.outputs[output.0 as usize].name.clone()),
            }
        }
        Parameter::Uniform(id) => {
            let uniform = &kernel.uniforms[id.0 as usize];
            Argument::Uniform {
                name: uniform.name.clone(),
                element: uniform.ty.name().to_owned(),
                dims: uniform.dims.clone(),
                bounds: uniform.bounds.map(|(lo, hi)| [bound(lo), bound(hi)]),
                sum_of_magnitudes: uniform.sum_of_magnitudes,
                word: kernel.uniforms[..id.0 as usize].iter().map(scalars).sum(),
            }
        }
        Parameter::Table(id) => {
            let table = &kernel.tables[id.0 as usize];
            Argument::Table { name: table.name.clone(), element: table.element.name().to_owned(), length: table.length }
        }
        Parameter::Variant(index) => {
            let variant = &kernel.variants[index as usize];
            Argument::Variant {
                name: variant.name.clone(),
                enum_name: variant.enum_name.clone(),
                values: variant.values.clone(),
            }
        }
        // It isn't an argument of a run.
        Parameter::Place(_) => return None,
    })
}

fn output(output: &ir::Output) -> Output {
    Output {
        name: output.name.clone(),
        element: output.element.name().to_owned(),
        channels: output.channels,
        optional: output.optional,
    }
}

fn words(kernel: &Kernel, prepared: &Prepared) -> Words {
    let derive = &prepared.derive;
    let name = |id: ir::ValueId| format!("%{}", id.0);
    let derived = derive.words.iter().map(|word| DerivedWord {
        element: word.ty.name().to_owned(),
        value: match word.formula {
            Formula::Value(value) => name(value),
            Formula::Divisor { divisor, part: Part::Multiplier } => format!("multiplier of {}", name(divisor)),
            Formula::Divisor { divisor, part: Part::First } => format!("first shift of {}", name(divisor)),
            Formula::Divisor { divisor, part: Part::Last } => format!("last shift of {}", name(divisor)),
        },
    });
    let program = dump::body(kernel, &derive.body).lines().map(|line| line.trim().to_owned()).collect();
    Words { uniforms: kernel.uniforms.iter().map(scalars).sum(), program, derived: derived.collect() }
}

fn entry(kernel: &Kernel, prepared: &Prepared, point: &crate::opencl::EntryPoint) -> Entry {
    let subsets = prepared.subsets.len().max(1);
    let (choice, subset) = (point.index as usize / subsets, point.index as usize % subsets);
    let chosen = kernel.bodies.get(choice).map(|body| body.choice.as_slice()).unwrap_or_default();
    let values = kernel.variants.iter().zip(chosen).filter_map(|(variant, &value)| variant.values.get(value as usize));
    let mask = prepared.subsets.get(subset).copied().unwrap_or_default();
    let written = kernel.outputs.iter().enumerate().filter(|(place, _)| mask >> place & 1 == 1);
    Entry {
        name: point.name.clone(),
        choice: values.cloned().collect(),
        outputs: written.map(|(_, output)| output.name.clone()).collect(),
        block: [point.block.0, point.block.1],
        group: point.group.map(Into::into),
        form: form_name(point.form).to_owned(),
    }
}

fn form_name(form: crate::opencl::OpenClForm) -> &'static str {
    match form {
        crate::opencl::OpenClForm::Vectors => "vectors",
        crate::opencl::OpenClForm::Pairs => "pairs",
        crate::opencl::OpenClForm::ComparedPairs => "compared pairs",
    }
}

fn scalars(uniform: &ir::Uniform) -> u32 {
    uniform.dims.iter().product()
}

fn bound(bound: ir::Bound) -> Bound {
    match bound {
        // Uniforms are words, which i64 holds.
        ir::Bound::Int(value) => Bound::Int(value as i64),
        ir::Bound::Float(value) => Bound::Float(value),
    }
}

fn border_name(mode: BorderMode) -> &'static str {
    match mode {
        BorderMode::Undefined => "undefined",
        BorderMode::Constant => "constant",
        BorderMode::Replicate => "replicate",
        BorderMode::Reflect => "reflect",
        BorderMode::Reflect101 => "reflect101",
        BorderMode::Wrap => "wrap",
    }
}
