//! The crate that times kernels and pipelines: their files as modules, and a call for each.

use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::{Size, error::BenchError};
use crate::{
    selection::{Located, LocatedPipeline},
    sources::Sources,
};

/// What times them and prints the results.
const RUNNER: &str = include_str!("runner.rs");

/// A kernel or a pipeline that is timed.
pub struct Subject {
    is_pipeline: bool,
    file: PathBuf,
    /// What names it from the file's own module.
    path: String,
    conditions: Vec<String>,
    is_visible: bool,
}

impl From<Located> for Subject {
    fn from(Located { file, kernel }: Located) -> Self {
        let (path, conditions, is_visible) = (kernel.path, kernel.conditions, kernel.is_visible);
        Self { is_pipeline: false, file, path, conditions, is_visible }
    }
}

impl From<LocatedPipeline> for Subject {
    fn from(LocatedPipeline { file, pipeline }: LocatedPipeline) -> Self {
        let (path, conditions, is_visible) = (pipeline.path, pipeline.conditions, pipeline.is_visible);
        Self { is_pipeline: true, file, path, conditions, is_visible }
    }
}

/// A crate in its folder.
pub struct Project {
    folder: PathBuf,
    names: Vec<String>,
}

impl Project {
    /// Writes a crate for these, over the windrow in a folder, or over what [`Sources::find`] finds.
    ///
    /// # Errors
    /// One is private, or a file can't be written.
    pub fn new(folder: &Path, windrow: Option<&Path>, subjects: &[Subject]) -> Result<Self, BenchError> {
        if let Some(private) = subjects.iter().find(|subject| !subject.is_visible) {
            let kind = if private.is_pipeline { "pipeline" } else { "kernel" };
            return Err(BenchError::Private { kind, name: private.path.clone(), file: private.file.clone() });
        }
        let path = || windrow.map(Path::to_owned).unwrap_or_default();
        let windrow = Sources::find(windrow).map_err(|error| BenchError::Sources { path: path(), error })?;
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            fs::write(&path, text).map_err(|error| BenchError::Write { path, error })
        };
        let source_folder = folder.join("src");
        fs::create_dir_all(&source_folder).map_err(|error| BenchError::Write { path: source_folder, error })?;
        let files = files(subjects);
        write("Cargo.toml", &manifest(&windrow, files.iter().any(|file| names_operators(file))))?;
        write("src/main.rs", &program(subjects, &files)?)?;
        Ok(Self { folder: folder.to_owned(), names: subjects.iter().map(|subject| subject.path.clone()).collect() })
    }

    /// The names of what it times.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
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

fn manifest(windrow: &Sources, has_operators: bool) -> String {
    let operators = match has_operators {
        true => format!("windrow-operators = {{ {}, features = [\"opencl\"] }}\n", windrow.key("operators")),
        false => String::new(),
    };
    format!(
        "[package]\nname = \"windrow-bench\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n[dependencies]\n\
         windrow = {{ {}, features = [\"opencl\", \"testing\"] }}\n{operators}\n[workspace]\n",
        windrow.key("")
    )
}

/// The files of these, each once.
fn files(subjects: &[Subject]) -> Vec<&Path> {
    let mut files: Vec<&Path> = Vec::new();
    for subject in subjects {
        if !files.contains(&subject.file.as_path()) {
            files.push(&subject.file);
        }
    }
    files
}

/// Whether a file calls operators of the library, as pipelines do.
fn names_operators(file: &Path) -> bool {
    fs::read_to_string(file).is_ok_and(|text| text.contains("windrow_operators"))
}

/// The program: the files as modules, and a function that times each kernel and pipeline.
fn program(subjects: &[Subject], files: &[&Path]) -> Result<String, BenchError> {
    let mut text = RUNNER.to_owned();
    for (index, file) in files.iter().enumerate() {
        let path = file.canonicalize().map_err(|error| BenchError::Write { path: file.to_path_buf(), error })?;
        let _ = write!(text, "\n#[path = {path:?}]\n#[allow(dead_code)]\nmod file{index};\n");
    }
    text.push_str("\npub fn time_all(options: &BenchOptions, to: &mut dyn io::Write) -> io::Result<()> {\n");
    for Subject { is_pipeline, file, path, conditions, .. } in subjects {
        let index = files.iter().position(|known| known == file).unwrap_or(0);
        for condition in conditions {
            let _ = writeln!(text, "    {condition}");
        }
        let [say, bench] = if *is_pipeline { ["say_pipeline", "bench_pipeline"] } else { ["say", "bench"] };
        let _ = writeln!(text, "    {say}(to, {path:?}, || {bench}::<file{index}::{path}>(options))?;");
    }
    text.push_str("    Ok(())\n}\n");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::{Selection, read};

    /// The program that `tests/bench.rs` compiles and runs.
    #[test]
    fn the_program_is_the_one_that_is_tested() {
        let cli = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = cli.join("..").canonicalize().unwrap();
        let mut subjects: Vec<Subject> = Vec::new();
        for file in ["operators/src/filter/gaussian3x3.rs", "operators/src/tensor/relu.rs"] {
            subjects.extend(read(&root.join(file)).unwrap().into_iter().map(Subject::from));
        }
        let selection = Selection { file: root.join("cli/tests/bench/edges.rs"), kernel: None };
        subjects.extend(selection.places_of_pipelines().unwrap().into_iter().map(Subject::from));
        let text = program(&subjects, &files(&subjects)).unwrap().replace(root.to_str().unwrap(), "../../..");
        let tested = fs::read_to_string(cli.join("tests/bench/program.rs")).unwrap();
        assert_eq!(text, tested.replace("include!(\"../../src/bench/runner.rs\");\n", RUNNER));
    }

    #[test]
    fn operators_are_a_dependency_where_a_file_names_them() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("k.rs");
        for (text, expected) in [("use windrow_operators::gaussian3x3;", true), ("use windrow::Tensor;", false)] {
            fs::write(&file, text).unwrap();
            let manifest = manifest(&Sources::Version("1.2.3"), names_operators(&file));
            assert_eq!(manifest.contains("\nwindrow-operators = { version = \"1.2.3\""), expected, "{manifest}");
        }
    }

    #[test]
    fn a_private_kernel_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("k.rs");
        fs::write(&file, "#[kernel] fn half(a: u8) -> u8 { a / 2 }").unwrap();
        let subjects: Vec<Subject> = read(&file).unwrap().into_iter().map(Subject::from).collect();
        let result = Project::new(&folder.path().join("bench"), None, &subjects);
        assert!(matches!(result, Err(BenchError::Private { name, .. }) if name == "half"));
    }
}
