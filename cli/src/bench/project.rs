//! The crate that times kernels: their files as modules, and a call for each kernel.

use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::{Size, error::BenchError};
use crate::{selection::Located, sources::Sources};

/// What times kernels and prints the results.
const RUNNER: &str = include_str!("runner.rs");

/// A crate in its folder.
pub struct Project {
    folder: PathBuf,
    kernels: Vec<String>,
}

impl Project {
    /// Writes a crate for these kernels, over the windrow in a folder, or over what [`Sources::find`] finds.
    ///
    /// # Errors
    /// A kernel is private, or a file can't be written.
    pub fn new(folder: &Path, windrow: Option<&Path>, kernels: &[Located]) -> Result<Self, BenchError> {
        if let Some(private) = kernels.iter().find(|located| !located.kernel.is_visible) {
            return Err(BenchError::Private { kernel: private.kernel.path.clone(), file: private.file.clone() });
        }
        let path = || windrow.map(Path::to_owned).unwrap_or_default();
        let windrow = Sources::find(windrow).map_err(|error| BenchError::Sources { path: path(), error })?;
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            fs::write(&path, text).map_err(|error| BenchError::Write { path, error })
        };
        let source_folder = folder.join("src");
        fs::create_dir_all(&source_folder).map_err(|error| BenchError::Write { path: source_folder, error })?;
        write("Cargo.toml", &manifest(&windrow))?;
        write("src/main.rs", &program(kernels)?)?;
        Ok(Self {
            folder: folder.to_owned(),
            kernels: kernels.iter().map(|located| located.kernel.path.clone()).collect(),
        })
    }

    /// The kernels' names.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.kernels.iter().map(String::as_str)
    }

    /// Builds the crate, runs it and gives what it printed. What Cargo says is shown as it comes.
    ///
    /// # Errors
    /// It is not built, or ends early.
    pub fn run(&self, size: Size, rounds: u32, seconds: f64) -> Result<String, BenchError> {
        let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(&program);
        command.args(["run", "--release"]).current_dir(&self.folder).stderr(Stdio::inherit());
        command.args(["--", &size.width.to_string(), &size.height.to_string()]);
        command.args([rounds.to_string(), seconds.to_string()]);
        let output = command
            .output()
            .map_err(|error| BenchError::NoCargo { program: program.to_string_lossy().into_owned(), error })?;
        if !output.status.success() {
            return Err(BenchError::Failed { folder: self.folder.clone(), status: output.status });
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

fn manifest(windrow: &Sources) -> String {
    format!(
        "[package]\nname = \"windrow-bench\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n[dependencies]\n\
         windrow = {{ {}, features = [\"opencl\", \"testing\"] }}\n\n[workspace]\n",
        windrow.key("")
    )
}

/// The program: the files as modules, and a function that times each kernel.
fn program(kernels: &[Located]) -> Result<String, BenchError> {
    let mut files: Vec<&Path> = kernels.iter().map(|located| located.file.as_path()).collect();
    files.dedup();
    let mut text = RUNNER.to_owned();
    for (index, file) in files.iter().enumerate() {
        let path = file.canonicalize().map_err(|error| BenchError::Write { path: file.to_path_buf(), error })?;
        let _ = write!(text, "\n#[path = {path:?}]\n#[allow(dead_code)]\nmod file{index};\n");
    }
    text.push_str("\npub fn time_all(options: &BenchOptions, to: &mut dyn io::Write) -> io::Result<()> {\n");
    for located in kernels {
        let index = files.iter().position(|file| *file == located.file).unwrap_or(0);
        let path = &located.kernel.path;
        for condition in &located.kernel.conditions {
            let _ = writeln!(text, "    {condition}");
        }
        let _ = writeln!(text, "    say(to, {path:?}, || bench::<file{index}::{path}>(options))?;");
    }
    text.push_str("    Ok(())\n}\n");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::read;

    /// The program that `tests/bench.rs` compiles and runs.
    #[test]
    fn the_program_is_the_one_that_is_tested() {
        let cli = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = cli.join("..").canonicalize().unwrap();
        let mut kernels = Vec::new();
        for file in ["filter/gaussian3x3.rs", "tensor/relu.rs"] {
            kernels.extend(read(&root.join("operators/src").join(file)).unwrap());
        }
        let text = program(&kernels).unwrap().replace(root.to_str().unwrap(), "../../..");
        assert_eq!(text, fs::read_to_string(cli.join("tests/bench/program.rs")).unwrap());
    }

    #[test]
    fn a_private_kernel_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("k.rs");
        fs::write(&file, "#[kernel] fn half(a: u8) -> u8 { a / 2 }").unwrap();
        let result = Project::new(&folder.path().join("bench"), None, &read(&file).unwrap());
        assert!(matches!(result, Err(BenchError::Private { kernel, .. }) if kernel == "half"));
    }
}
