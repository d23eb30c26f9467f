//! Which kernels a command looks at: those of a Rust file or of all files in a folder, or the one that is named.

use clap::Args;
use std::{
    fs, io,
    path::{Path, PathBuf},
};
use windrow_backends::doors::{
    Mistake,
    crates::{self, Crates},
    source::{self, SourceKernel, SourcePipeline},
};
use windrow_dsl::{diagnostic::Diagnostic, library::Library, pipeline::Outline};

/// A file or a folder, and a name where one kernel is meant.
#[derive(Debug, Args)]
pub struct Selection {
    /// The Rust file, or a folder of them.
    pub file: PathBuf,
    /// One kernel of it; all, where it is left out.
    #[arg(long)]
    pub kernel: Option<String>,
}

impl Selection {
    /// The kernels that are meant.
    ///
    /// # Errors
    /// A [`SelectionError`].
    pub fn kernels(&self) -> Result<Vec<Located>, SelectionError> {
        named(&self.file, read(&self.file)?, self.kernel.as_deref())
    }

    /// The pipelines that are meant, of files without mistakes.
    ///
    /// # Errors
    /// A file can't be read.
    pub fn pipelines(&self) -> Result<Vec<Outline>, SelectionError> {
        let files = Files::read(&self.file)?;
        let library = files.library();
        let outlines = files.texts.iter().flat_map(|(_, text)| source::pipelines(text, &library));
        let is_meant = |outline: &Outline| self.kernel.as_ref().is_none_or(|name| outline.name == name);
        Ok(outlines.filter(is_meant).collect())
    }

    /// Where the pipelines that are meant are.
    ///
    /// # Errors
    /// A file can't be read.
    pub fn places_of_pipelines(&self) -> Result<Vec<LocatedPipeline>, SelectionError> {
        let files = Files::read(&self.file)?;
        let is_meant = |path: &str| {
            let name = path.rsplit("::").next();
            self.kernel.as_ref().is_none_or(|meant| name == Some(meant))
        };
        let located = files.texts.iter().flat_map(|(file, text)| {
            let pipelines = source::places_of_pipelines(text).into_iter();
            pipelines.map(|pipeline| LocatedPipeline { file: file.clone(), pipeline })
        });
        Ok(located.filter(|located| is_meant(&located.pipeline.path)).collect())
    }
}

/// A pipeline, and the file that it is in.
pub struct LocatedPipeline {
    /// The file.
    pub file: PathBuf,
    /// Where it is there.
    pub pipeline: SourcePipeline,
}

/// A kernel, and the file that it is in.
pub struct Located {
    /// The file.
    pub file: PathBuf,
    /// The kernel.
    pub kernel: SourceKernel,
}

/// All kernels of a file, or of the files of a folder and the folders in it.
///
/// # Errors
/// A [`SelectionError`].
pub fn read(path: &Path) -> Result<Vec<Located>, SelectionError> {
    let files = Files::read(path)?;
    let library = files.library();
    if let ([(file, text)], false) = (files.texts.as_slice(), path.is_dir()) {
        return compile_with(file, text, &library);
    }
    let (mut kernels, mut mistakes) = (Vec::new(), Vec::new());
    for (file, text) in &files.texts {
        match compile_with(file, text, &library) {
            Ok(found) => kernels.extend(found),
            Err(SelectionError::NoKernel(_) | SelectionError::OnlyModules(_)) => {}
            Err(SelectionError::Mistakes(found)) => mistakes.extend(found),
            Err(error) => return Err(error),
        }
    }
    match (mistakes.is_empty(), kernels.is_empty()) {
        (false, _) => Err(SelectionError::Mistakes(mistakes)),
        (true, true) => Err(SelectionError::NoKernelInFolder(path.to_owned())),
        (true, false) => Ok(kernels),
    }
}

/// Rust files, and those that they may name something of.
struct Files {
    texts: Vec<(PathBuf, String)>,
    /// The other files of the package.
    others: Vec<String>,
    crates: Crates,
}

impl Files {
    /// Reads a file, or all files in a folder and the folders in it.
    fn read(path: &Path) -> Result<Files, SelectionError> {
        let mut paths = Vec::new();
        if path.is_dir() {
            find_rust_files(path, &mut paths)?;
        } else {
            paths.push(path.to_owned());
        }
        let texts = paths.into_iter().map(|path| read_text(&path).map(|text| (path, text)));
        let texts = texts.collect::<Result<_, _>>()?;
        let others = if path.is_dir() { Vec::new() } else { crates::other_files(path) };
        Ok(Files { texts, others, crates: Crates::of(path) })
    }

    fn library(&self) -> Library<'_> {
        let own = self.texts.iter().map(|(_, text)| text).chain(&self.others);
        Library::new(own.map(String::as_str), |name| self.crates.files(name))
    }
}

fn read_text(file: &Path) -> Result<String, SelectionError> {
    fs::read_to_string(file).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => SelectionError::MissingFile(file.to_owned()),
        _ => SelectionError::Unreadable { file: file.to_owned(), error },
    })
}

/// The Rust files of a folder and of the folders in it, in the order of their names.
fn find_rust_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), SelectionError> {
    let unreadable = |error| SelectionError::Unreadable { file: folder.to_owned(), error };
    let entries = fs::read_dir(folder).map_err(unreadable)?;
    let mut paths =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            find_rust_files(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

/// All kernels of a file's text, which names kernels and helpers of the same file alone.
///
/// # Errors
/// A [`SelectionError`].
pub fn compile(file: &Path, text: &str) -> Result<Vec<Located>, SelectionError> {
    compile_with(file, text, &Library::new([text], |_| Vec::new()))
}

fn compile_with(file: &Path, text: &str, library: &Library<'_>) -> Result<Vec<Located>, SelectionError> {
    let kernels = source::compile_with(file, text, library).map_err(SelectionError::Mistakes)?;
    if kernels.is_empty() {
        let is_module = |line: &str| line.ends_with(';') && line.split(' ').any(|word| word == "mod");
        let only_modules = text.lines().map(str::trim).any(is_module);
        let error = if only_modules { SelectionError::OnlyModules } else { SelectionError::NoKernel };
        return Err(error(file.to_owned()));
    }
    Ok(kernels.into_iter().map(|kernel| Located { file: file.to_owned(), kernel }).collect())
}

/// Those of a name, or all: by the item's name, or by the function's with all its copies.
///
/// # Errors
/// There is none of this name.
pub fn named(file: &Path, kernels: Vec<Located>, name: Option<&str>) -> Result<Vec<Located>, SelectionError> {
    let Some(name) = name else { return Ok(kernels) };
    let known = kernels.iter().map(|located| located.kernel.compiled.kernel.name.clone()).collect();
    let is_meant = |located: &Located| {
        let kernel = &located.kernel.compiled.kernel;
        kernel.name == *name || kernel.function == *name
    };
    let chosen: Vec<Located> = kernels.into_iter().filter(is_meant).collect();
    if chosen.is_empty() {
        return Err(SelectionError::UnknownKernel { file: file.to_owned(), name: name.to_owned(), known });
    }
    Ok(chosen)
}

/// Why there is no kernel to look at.
#[derive(Debug, thiserror::Error)]
pub enum SelectionError {
    /// The file is not there.
    #[error("error: the file `{}` does not exist", .0.display())]
    MissingFile(
        /// As it was given.
        PathBuf,
    ),
    /// No file of the folder has one.
    #[error("error: no Rust file in `{}` has a kernel: mark a function with `#[kernel]`", .0.display())]
    NoKernelInFolder(
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
    /// A target has no instructions for what they do.
    #[error("error: {}", .0.iter().map(Diagnostic::text).collect::<Vec<_>>().join("\nerror: "))]
    Unsupported(
        /// Each operation.
        Vec<Diagnostic>,
    ),
    /// It has none.
    #[error("error: `{}` has no kernel: mark a function with `#[kernel]`", .0.display())]
    NoKernel(
        /// As it was given.
        PathBuf,
    ),
    /// It has none, but modules in other files.
    #[error("error: `{}` has no kernel of its own; for those of its modules, name the folder that they are in", .0.display())]
    OnlyModules(
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

impl From<Vec<Diagnostic>> for SelectionError {
    fn from(refused: Vec<Diagnostic>) -> Self {
        Self::Unsupported(refused)
    }
}

impl SelectionError {
    /// The exit status: 1 where the author's kernels are at fault, 2 where the command is.
    pub fn status(&self) -> u8 {
        match self {
            Self::Mistakes(_) | Self::Unsupported(_) => 1,
            Self::MissingFile(_) | Self::Unreadable { .. } => 2,
            Self::NoKernel(_) | Self::NoKernelInFolder(_) | Self::OnlyModules(_) | Self::UnknownKernel { .. } => 2,
        }
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
    let nearest = known.iter().map(|other| (strsim::levenshtein(name, other), other)).min();
    match nearest {
        Some((distance, other)) if distance <= 2.max(name.len() / 3) => format!("; did you mean `{other}`?"),
        Some(_) | None => format!("; it has {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested() {
        let known = ["gaussian3x3", "median3x3"].map(str::to_owned);
        assert_eq!(suggestion("gausian3x3", &known), "; did you mean `gaussian3x3`?");
        assert_eq!(suggestion("xyz", &known), "; it has gaussian3x3, median3x3");
    }
}
