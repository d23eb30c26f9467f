//! Kernels read from a folder at run time: `.cl` files and the `manifest.json` that the build script wrote beside them.
//!
//! Whatever stands in the folder is checked before a driver sees it: a file's name is a name and no path, its text has the
//! SHA-256 that the manifest gives, and its entry points are those that the kernel's own code would call.

pub(crate) mod invalid;

use crate::{
    BuildOptions, DeviceCaps, Digest, InvalidOption, LineTable, MemForm, ProgramForm, ProgramSource,
    program::{compile::OF_THE_DEVICE, files::read_bounded},
};
pub use invalid::InvalidFolder;
use serde::Deserialize;
use std::{
    env,
    fs::File,
    path::{Path, PathBuf},
};
use windrow_runtime::{
    border::BorderMode,
    code::{KernelCode, OpenClEntry, OpenClImages},
};

/// The environment variable that names a folder from which all kernels are read.
///
/// It is as powerful as a preloaded library: the folder's programs run on the memory of this process in the place of those that
/// were compiled in, and the manifest's digests are written by whoever writes the programs.
pub const KERNELS_VARIABLE: &str = "WINDROW_KERNELS";

/// The version of the manifest's form.
const FORMAT: u32 = 1;
/// No manifest and no program is as long as this.
const LONGEST: u64 = 64 << 20;

/// A folder of kernels, which stand in the place of those that were compiled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelFolder {
    path: PathBuf,
    kernels: Vec<KernelEntry>,
}

/// What is read of a manifest: the rest is for others.
#[derive(Deserialize)]
struct Manifest {
    kernels: Vec<KernelEntry>,
}

#[derive(Deserialize)]
struct Form {
    format: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct KernelEntry {
    name: String,
    #[serde(default)]
    source: Source,
    // The border modes offered.
    #[serde(default)]
    borders: Vec<String>,
    opencl: Program,
    // The same over images.
    #[serde(default)]
    images: Option<Program>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
struct Source {
    #[serde(default)]
    file: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Program {
    file: String,
    sha256: String,
    #[serde(default)]
    options: String,
    #[serde(default)]
    entries: Vec<Entry>,
    // From the program's lines to the author's, as `LineTable` reads them.
    #[serde(default)]
    lines: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Entry {
    name: String,
    block: [u32; 2],
    #[serde(default)]
    group: Option<[u32; 3]>,
}

impl KernelFolder {
    /// Reads the folder's manifest.
    ///
    /// # Safety
    /// The folder is as trustworthy as a library that the process loads, for as long as this is used: its programs run on the
    /// process's memory. Digests in the manifest find a program that is not the manifest's, and not intent.
    ///
    /// # Errors
    /// An [`InvalidFolder`].
    pub unsafe fn open(path: impl Into<PathBuf>) -> Result<Self, InvalidFolder> {
        let path = path.into();
        let file = path.join("manifest.json");
        let text = read(&file)?;
        let invalid = |error| InvalidFolder::Manifest { file: file.clone(), error };
        // The number first: another form may lack what this one has.
        match serde_json::from_slice(&text).map_err(invalid)? {
            Form { format } if format == u64::from(FORMAT) => {}
            Form { format } => return Err(InvalidFolder::Format { found: u32::try_from(format).unwrap_or(u32::MAX) }),
        }
        let Manifest { kernels } = serde_json::from_slice(&text).map_err(invalid)?;
        Ok(Self { path, kernels })
    }

    /// Returns the folder that `WINDROW_KERNELS` names.
    ///
    /// # Errors
    /// An [`InvalidFolder`].
    pub fn of_environment() -> Result<Option<Self>, InvalidFolder> {
        let folder = env::var_os(KERNELS_VARIABLE).filter(|folder| !folder.is_empty());
        // SAFETY: whoever sets a process's environment can preload libraries too.
        folder.map(|folder| unsafe { Self::open(folder) }).transpose()
    }

    /// Returns the kernels' names, in the manifest's order.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.kernels.iter().map(|kernel| kernel.name.as_str())
    }

    /// Returns the program of a kernel over buffers.
    ///
    /// # Errors
    /// An [`InvalidFolder`].
    pub fn source(&self, kernel: &str) -> Result<ProgramSource, InvalidFolder> {
        let entry = self.entry(kernel)?;
        self.program(entry, &entry.opencl)
    }

    /// Returns the program of a kernel over images; none where the manifest has none.
    ///
    /// # Errors
    /// An [`InvalidFolder`].
    pub fn images(&self, kernel: &str) -> Result<Option<ProgramSource>, InvalidFolder> {
        let entry = self.entry(kernel)?;
        entry.images.as_ref().map(|images| self.program(entry, images)).transpose()
    }

    /// Returns every program of every kernel that a device of these caps may be asked for, in the manifest's order:
    /// over buffers in each precision that it has, over images.
    ///
    /// # Errors
    /// An [`InvalidFolder`].
    pub fn programs(&self, caps: &DeviceCaps) -> Result<Vec<(ProgramForm, ProgramSource)>, InvalidFolder> {
        let mut all = Vec::new();
        for entry in &self.kernels {
            let constants = entry.borders.iter().any(|name| name == BorderMode::Constant.name());
            for (reads, program) in [(MemForm::Buffer, Some(&entry.opencl)), (MemForm::Image, entry.images.as_ref())] {
                let Some(program) = program else { continue };
                let programs = self.program(entry, program)?.in_all_forms(reads, constants, caps);
                all.extend(programs.map_err(|error| invalid_options(entry, error))?);
            }
        }
        Ok(all)
    }

    /// Returns the program over buffers that stands in the folder for a kernel that was compiled: its text may differ,
    /// its entry points not.
    ///
    /// # Errors
    /// An [`InvalidFolder`].
    pub fn source_of(&self, code: &'static KernelCode) -> Result<ProgramSource, InvalidFolder> {
        let entry = self.entry(code.spec().name)?;
        entry.opencl.check_entries(entry, code.opencl().entries)?;
        self.program(entry, &entry.opencl)
    }

    /// Returns the program over images; none where the folder or the kernel that was compiled has none.
    ///
    /// # Errors
    /// An [`InvalidFolder`].
    pub fn images_of(&self, code: &'static KernelCode) -> Result<Option<ProgramSource>, InvalidFolder> {
        let entry = self.entry(code.spec().name)?;
        match (&entry.images, &code.opencl().images) {
            (Some(images), OpenClImages::Emitted { entries, .. }) => {
                images.check_entries(entry, entries)?;
                self.program(entry, images).map(Some)
            }
            (None, _) | (_, OpenClImages::None(_)) => Ok(None),
        }
    }

    fn program(&self, entry: &KernelEntry, program: &Program) -> Result<ProgramSource, InvalidFolder> {
        let text = self.text(entry, program)?;
        let options = BuildOptions::parse(&program.options).and_then(|options| {
            options.check_unreserved()?;
            Ok(options)
        });
        let options = options.map_err(|error| invalid_options(entry, error))?;
        // Those that every generated program has follow from the device.
        let options = OF_THE_DEVICE.iter().fold(options, |options, flag| options.without_flag(flag));
        let lines = LineTable::parse(entry.source.file.clone(), &program.lines);
        Ok(ProgramSource {
            exact: true,
            ..ProgramSource::new(entry.name.clone(), text).with_options(options).with_lines(lines)
        })
    }

    fn entry(&self, kernel: &str) -> Result<&KernelEntry, InvalidFolder> {
        let entry = self.kernels.iter().find(|entry| entry.name == kernel);
        entry.ok_or_else(|| InvalidFolder::NoKernel { kernel: kernel.to_owned() })
    }

    fn text(&self, entry: &KernelEntry, program: &Program) -> Result<String, InvalidFolder> {
        let name = Path::new(&program.file);
        if name.file_name() != Some(name.as_os_str()) || program.file.contains(['\\', '\0', ':']) {
            return Err(InvalidFolder::NoFileName { kernel: entry.name.clone(), file: program.file.clone() });
        }
        let file = self.path.join(name);
        let bytes = read(&file)?;
        let found = Digest::of(&bytes);
        if program.sha256 != found.to_string() {
            return Err(InvalidFolder::Changed { file, expected: program.sha256.clone(), found });
        }
        String::from_utf8(bytes).map_err(|_| InvalidFolder::NoText { file })
    }
}

impl Program {
    /// The entry points must be those that the kernel's code calls.
    fn check_entries(&self, kernel: &KernelEntry, compiled: &[OpenClEntry]) -> Result<(), InvalidFolder> {
        let compiled = compiled.iter().map(|entry| Entry {
            name: entry.name.to_owned(),
            block: entry.block.into(),
            group: entry.group.map(Into::into),
        });
        match self.entries.iter().cloned().eq(compiled) {
            true => Ok(()),
            false => Err(InvalidFolder::Entries { kernel: kernel.name.clone() }),
        }
    }
}

fn invalid_options(entry: &KernelEntry, error: InvalidOption) -> InvalidFolder {
    InvalidFolder::Options { kernel: entry.name.clone(), error }
}

fn read(file: &Path) -> Result<Vec<u8>, InvalidFolder> {
    let read = File::open(file).and_then(|open| read_bounded(open, LONGEST));
    read.map_err(|error| InvalidFolder::Io { file: file.to_owned(), error })
}

#[cfg(test)]
mod tests;
