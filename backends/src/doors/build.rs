//! The door for build scripts: from Rust files to one `.cl` a kernel, and a manifest.
//!
//! ```no_run
//! // build.rs
//! windrow_backends::doors::Build::new().source("src/ops.rs").run_or_exit();
//! ```

use super::{
    crates::Crates,
    list,
    manifest::{FORMAT, KernelEntry, Manifest, Program},
    mistake::Mistake,
    source::{self, SourceKernel},
};
use crate::opencl::{self, NoImageForm, OpenClText, Tabled};
use crate::text::counted;
use std::{
    collections::BTreeMap,
    env, fs, io,
    path::{Path, PathBuf},
};
use windrow_dsl::diagnostic::Diagnostic;
use windrow_dsl::library::Library;

/// What a build script asks for.
#[derive(Clone, Debug, Default)]
pub struct Build {
    sources: Vec<PathBuf>,
    root: Option<PathBuf>,
    out_dir: Option<PathBuf>,
    line_directives: bool,
    list: Option<PathBuf>,
    tests: Option<PathBuf>,
}

/// Why a build failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Nothing was asked for.
    #[error("no source was given: name a Rust file, or a folder of them, with `Build::source`")]
    NoSource,
    /// There is nowhere to write.
    #[error("no output folder: outside a build script `OUT_DIR` is not set; name a folder with `Build::out_dir`")]
    NoOutDir,
    /// A source is not there.
    #[error("the source `{}` does not exist", path.display())]
    MissingSource {
        /// As it was given, from the package's folder.
        path: PathBuf,
    },
    /// A source, or a folder to write to, is refused by the system.
    #[error("cannot {action} `{}`: {error}", path.display())]
    Io {
        /// `read`, `write`, …
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's word.
        error: io::Error,
    },
    /// Two kernels would be written to one file.
    #[error(
        "two kernels are named `{name}`: one in `{}`, one in `{}`; rename one of them", first.display(), second.display()
    )]
    DuplicateKernel {
        /// The name.
        name: String,
        /// The first one's file.
        first: PathBuf,
        /// The other's.
        second: PathBuf,
    },
    /// Kernels were refused.
    #[error("{}", listed(.0))]
    Mistakes(
        /// All of them, file by file.
        Vec<Mistake>,
    ),
}

fn listed(mistakes: &[Mistake]) -> String {
    mistakes.iter().map(Mistake::to_string).collect::<Vec<_>>().join("\n\n")
}

/// What the manifest says of a kernel, and its programs by their files' names.
type Written = (KernelEntry, Vec<(String, String)>);

/// A compiled file.
struct File {
    path: PathBuf,
    text: String,
    /// The path of the module that it is.
    module: String,
    kernels: Vec<SourceKernel>,
}

impl Build {
    /// Nothing asked for yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a Rust file, or a folder whose Rust files are all read; relative to the package.
    #[must_use]
    pub fn source(mut self, path: impl Into<PathBuf>) -> Self {
        self.sources.push(path.into());
        self
    }

    /// The package's folder, to which sources are relative. Left out: `CARGO_MANIFEST_DIR`, or else the current one.
    #[must_use]
    pub fn root(mut self, path: impl Into<PathBuf>) -> Self {
        self.root = Some(path.into());
        self
    }

    /// Where to write. Left out: cargo's `OUT_DIR`.
    #[must_use]
    pub fn out_dir(mut self, path: impl Into<PathBuf>) -> Self {
        self.out_dir = Some(path.into());
        self
    }

    /// Whether the programs lead back to the Rust files by `#line`, so that a driver's messages name the author's lines.
    #[must_use]
    pub fn line_directives(mut self, on: bool) -> Self {
        self.line_directives = on;
        self
    }

    /// Also writes a Rust file of this name that lists the kernels as `pub static ALL: &[&::windrow::KernelCode]`, to
    /// be included in the crate's root. A file's module follows from its path below `src`; private kernels are left out.
    #[must_use]
    pub fn list_kernels(mut self, file: impl Into<PathBuf>) -> Self {
        self.list = Some(file.into());
        self
    }

    /// Also writes a Rust file of this name with the generated tests of the kernels that [`Build::list_kernels`] lists, to be included
    /// in a program of tests that calls the crate `library`. With `test = false` under `[lib]`, a crate with hundreds of kernels
    /// is then compiled once, and not a second time for the tests that the macro writes beside each kernel.
    #[must_use]
    pub fn list_tests(mut self, file: impl Into<PathBuf>) -> Self {
        self.tests = Some(file.into());
        self
    }

    /// Compiles, and writes what has changed.
    ///
    /// # Errors
    /// A [`BuildError`]; nothing is written where a kernel is refused.
    pub fn run(&self) -> Result<Manifest, BuildError> {
        let (files, mistakes) = self.compile()?;
        if mistakes.is_empty() { self.write(files) } else { Err(BuildError::Mistakes(mistakes)) }
    }

    /// Writes what has changed.
    fn write(&self, mut files: Vec<File>) -> Result<Manifest, BuildError> {
        let out_dir = self.out_dir.clone().or_else(|| env::var_os("OUT_DIR").map(PathBuf::from));
        let out_dir = out_dir.ok_or(BuildError::NoOutDir)?;
        unique_names(&mut files)?;
        let mut manifest = Manifest { format: FORMAT, kernels: Vec::new() };
        let (mut texts, mut mistakes) = (Vec::new(), Vec::new());
        for file in &files {
            for kernel in &file.kernels {
                match self.kernel(kernel, &file.path) {
                    Ok((entry, programs)) => {
                        texts.extend(programs);
                        manifest.kernels.push(entry);
                    }
                    Err(refused) => {
                        mistakes.extend(refused.iter().map(|error| Mistake::new(&file.path, &file.text, error)));
                    }
                }
            }
        }
        if !mistakes.is_empty() {
            return Err(BuildError::Mistakes(mistakes));
        }
        texts.push(("manifest.json".to_owned(), json(&manifest)));
        fs::create_dir_all(&out_dir).map_err(failed("create", &out_dir))?;
        for (name, text) in &texts {
            write_changed(&out_dir.join(name), text)?;
        }
        if let Some(name) = &self.list {
            write_changed(&out_dir.join(name), &list::text(listed_kernels(&files)))?;
        }
        if let Some(name) = &self.tests {
            write_changed(&out_dir.join(name), &list::tests(listed_kernels(&files)))?;
        }
        Ok(manifest)
    }

    /// The same for a build script's `main`.
    ///
    /// Mistakes in files below `src` are left to the compiler of the crate, which shows them where `#[kernel]` finds them: cargo warns that
    /// nothing is written for such a file. Anything else is shown, and ends the build.
    pub fn run_or_exit(&self) -> Manifest {
        let written = self.compile().and_then(|(files, mistakes)| {
            let (own, others): (Vec<Mistake>, Vec<Mistake>) =
                mistakes.into_iter().partition(|mistake| mistake.file.starts_with("src"));
            if !others.is_empty() {
                return Err(BuildError::Mistakes(others));
            }
            for mistakes in own.chunk_by(|a, b| a.file == b.file) {
                let (file, count) = (mistakes[0].file.display(), counted(mistakes.len(), "mistake"));
                println!("cargo::warning={file} has {count}: no OpenCL program of it is written");
            }
            self.write(files)
        });
        written.unwrap_or_else(|error| {
            eprintln!("{error}");
            std::process::exit(1)
        })
    }

    /// Compiles every file: those without mistakes, and the mistakes of the others.
    fn compile(&self) -> Result<(Vec<File>, Vec<Mistake>), BuildError> {
        if self.sources.is_empty() {
            return Err(BuildError::NoSource);
        }
        let root = self.root.clone().or_else(|| env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from));
        let root = root.unwrap_or_default();
        let mut texts = Vec::new();
        for path in self.rust_files(&root)? {
            let text = fs::read_to_string(root.join(&path)).map_err(failed("read", &path))?;
            texts.push((path, text));
        }
        let crates = Crates::of(&root);
        let library = Library::new(texts.iter().map(|(_, text)| text.as_str()), |name| {
            if let Some(folder) = crates.folder(name) {
                println!("cargo::rerun-if-changed={}", folder.display());
            }
            crates.files(name)
        });
        let mut files = Vec::new();
        let mut mistakes = Vec::new();
        for (path, text) in &texts {
            match source::compile_with(path, text, &library) {
                Ok(kernels) => {
                    let (path, text) = (path.clone(), text.clone());
                    files.push(File { module: list::module_of(&path), path, text, kernels });
                }
                Err(found) => mistakes.extend(found),
            }
        }
        if let Some(refusal) = crates.refusal() {
            println!("cargo::warning=kernels and helpers of other crates are not found: {refusal}");
        }
        Ok((files, mistakes))
    }

    /// The Rust files of all sources, each once, in the order of the sources and of names within a folder. Cargo is
    /// told to run the build script again when one of them changes.
    fn rust_files(&self, root: &Path) -> Result<Vec<PathBuf>, BuildError> {
        let mut files = Vec::new();
        for source in &self.sources {
            let path = root.join(source);
            if !path.exists() {
                return Err(BuildError::MissingSource { path: source.clone() });
            }
            println!("cargo::rerun-if-changed={}", source.display());
            if path.is_dir() {
                find_rust_files(root, source, &mut files)?;
            } else if !files.contains(source) {
                files.push(source.clone());
            }
        }
        Ok(files)
    }

    /// What the manifest says of a kernel, and its programs by their files' names.
    ///
    /// # Errors
    /// Each operation that OpenCL C has no expression for.
    fn kernel(&self, source: &SourceKernel, path: &Path) -> Result<Written, Vec<Diagnostic>> {
        let kernel = &source.compiled.kernel;
        let prepared = &source.prepared;
        let file = path.display().to_string().replace('\\', "/");
        // Directives and the table say the same: one of them is enough.
        let (buffers, images) = match self.line_directives {
            true => {
                let images = opencl::emit_images(kernel, prepared, Some(&file));
                ((opencl::emit_with_lines(kernel, prepared, Some(&file)), String::new()), images.map(without_table))
            }
            false => opencl::emit_with_tables(kernel, prepared),
        };
        let accepted = |(text, table): Tabled| Ok::<_, Vec<Diagnostic>>((text.accepted()?, table));
        let buffers = accepted(buffers)?;
        let images = match images {
            Ok(images) => Ok(accepted(images)?),
            Err(reason) => Err(reason),
        };
        let names = (format!("{}.cl", kernel.name), format!("{}.image.cl", kernel.name));
        let program =
            |name: &str, (text, table): &(OpenClText, String)| Program::new(kernel, prepared, name, text, table);
        let entry = KernelEntry {
            images: images.as_ref().ok().map(|images| program(&names.1, images)),
            no_images: images.as_ref().err().map(NoImageForm::to_string),
            ..KernelEntry::new(source, &file, prepared, program(&names.0, &buffers))
        };
        let images = images.ok().map(|(text, _)| (names.1, text.source));
        Ok((entry, [(names.0, buffers.0.source)].into_iter().chain(images).collect()))
    }
}

/// Numbers fused kernels whose names are taken.
///
/// # Errors
/// Two kernels of authors have one name.
fn unique_names(files: &mut [File]) -> Result<(), BuildError> {
    let mut first: BTreeMap<String, PathBuf> = BTreeMap::new();
    for (file, kernel) in files.iter().flat_map(|file| file.kernels.iter().map(move |kernel| (file, kernel))) {
        let name = &kernel.compiled.kernel.name;
        if !kernel.is_fused
            && let Some(first) = first.insert(name.clone(), file.path.clone())
        {
            return Err(BuildError::DuplicateKernel { name: name.clone(), first, second: file.path.clone() });
        }
    }
    for File { path, kernels, .. } in files {
        for kernel in kernels.iter_mut().filter(|kernel| kernel.is_fused) {
            let name = &mut kernel.compiled.kernel.name;
            let numbered = (2..).map(|number| format!("{name}_{number}"));
            let free = std::iter::once(name.clone()).chain(numbered).find(|name| !first.contains_key(name));
            *name = free.unwrap_or_default();
            first.insert(name.clone(), path.clone());
        }
    }
    Ok(())
}

fn without_table(text: OpenClText) -> (OpenClText, String) {
    (text, String::new())
}

fn find_rust_files(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), BuildError> {
    let entries = fs::read_dir(root.join(folder)).map_err(failed("read", folder))?;
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry.map_err(failed("read", folder))?.file_name());
    }
    names.sort();
    for name in names {
        let path = folder.join(&name);
        if root.join(&path).is_dir() {
            find_rust_files(root, &path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") && !files.contains(&path) {
            println!("cargo::rerun-if-changed={}", path.display());
            files.push(path);
        }
    }
    Ok(())
}

/// All kernels, each with the path of its file's module.
fn listed_kernels(files: &[File]) -> impl Iterator<Item = (&str, &SourceKernel)> {
    files.iter().flat_map(|file| file.kernels.iter().map(|kernel| (file.module.as_str(), kernel)))
}

fn json(manifest: &Manifest) -> String {
    // A manifest holds nothing that JSON lacks: its maps have names for keys.
    let mut text = serde_json::to_string_pretty(manifest).unwrap_or_default();
    text.push('\n');
    text
}

/// Writes a file unless it holds `text` already, so that what depends on it is not built again.
fn write_changed(path: &Path, text: &str) -> Result<(), BuildError> {
    if fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(());
    }
    fs::write(path, text).map_err(failed("write", path))
}

fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> BuildError {
    let path = path.to_owned();
    move |error| BuildError::Io { action, path, error }
}
