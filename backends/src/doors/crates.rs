//! The sources of the crates that a package depends on, as cargo knows them: a pipeline fuses kernels of any of them.

use serde_json::Value;
use std::{
    cell::OnceCell,
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The crates that a file's package depends on.
pub struct Crates {
    manifest: Option<PathBuf>,
    /// The folder of each; or what cargo said when it was asked in vain.
    folders: OnceCell<Result<BTreeMap<String, PathBuf>, String>>,
}

impl Crates {
    /// Returns those of the package that a file or folder belongs to; none, where there is no package.
    pub fn of(path: &Path) -> Crates {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let manifests = path.ancestors().map(|folder| folder.join("Cargo.toml"));
        Crates { manifest: manifests.into_iter().find(|manifest| manifest.is_file()), folders: OnceCell::new() }
    }

    /// Returns the folder of a crate's sources, by the name that the package knows it by.
    pub fn folder(&self, name: &str) -> Option<&Path> {
        let read = || match &self.manifest {
            Some(manifest) => metadata(manifest).map(|metadata| folders(manifest, &metadata)),
            None => Ok(BTreeMap::new()),
        };
        self.folders.get_or_init(read).as_ref().ok()?.get(name).map(PathBuf::as_path)
    }

    /// Returns what cargo said where it was asked for the crates and does not know them.
    pub fn refusal(&self) -> Option<&str> {
        self.folders.get()?.as_ref().err().map(String::as_str)
    }

    /// Returns the texts of a crate's files; none, where cargo doesn't know the crate.
    pub fn files(&self, name: &str) -> Vec<String> {
        let mut texts = Vec::new();
        if let Some(folder) = self.folder(name) {
            read_all(folder, &mut |_| true, &mut texts);
        }
        texts
    }
}

/// Returns the texts of a package's files beside one of them: all below `src`, if it is among these.
pub fn other_files(file: &Path) -> Vec<String> {
    let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let is_source = |folder: &&Path| folder.ends_with("src") && folder.with_file_name("Cargo.toml").is_file();
    let mut texts = Vec::new();
    if let Some(folder) = file.ancestors().find(is_source) {
        read_all(folder, &mut |path| path != file, &mut texts);
    }
    texts
}

/// The texts of all Rust files in a folder and the folders in it; those that can't be read have no kernels.
fn read_all(folder: &Path, is_meant: &mut dyn FnMut(&Path) -> bool, texts: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            read_all(&path, is_meant, texts);
        } else if path.extension().is_some_and(|extension| extension == "rs") && is_meant(&path) {
            texts.extend(fs::read_to_string(&path).ok());
        }
    }
}

/// What cargo says of a package and its dependencies.
fn metadata(manifest: &Path) -> Result<Value, String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let ask = |options: &[&str]| {
        let mut command = Command::new(&cargo);
        command.args(["metadata", "--format-version", "1", "--manifest-path"]).arg(manifest).args(options);
        let said = command.output().map_err(|error| error.to_string())?;
        let error = || String::from_utf8_lossy(&said.stderr).trim().replace('\n', " ");
        if said.status.success() { Ok(said.stdout) } else { Err(error()) }
    };
    // Unless a platform is named, cargo asks for the crates of all platforms, and some may never have been fetched.
    let host = host();
    let platform = host.as_deref().map_or(Vec::new(), |host| vec!["--filter-platform", host]);
    let said = ask(&[&platform[..], &["--offline"]].concat()).or_else(|_| ask(&platform))?;
    serde_json::from_slice(&said).map_err(|error| error.to_string())
}

/// The platform that rustc compiles for here.
fn host() -> Option<String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let said = Command::new(rustc).arg("-vV").output().ok()?;
    let said = String::from_utf8_lossy(&said.stdout);
    said.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned)
}

/// The folder of the library of each dependency of a package.
fn folders(manifest: &Path, metadata: &Value) -> BTreeMap<String, PathBuf> {
    fn list(value: &Value) -> &[Value] {
        value.as_array().map_or(&[], Vec::as_slice)
    }
    let packages = list(&metadata["packages"]);
    let own = packages.iter().find(|package| package["manifest_path"].as_str().map(Path::new) == Some(manifest));
    let nodes = list(&metadata["resolve"]["nodes"]);
    let node = nodes.iter().find(|node| own.is_some_and(|own| own["id"] == node["id"]));
    let folder = |dependency: &Value| {
        let package = packages.iter().find(|package| package["id"] == dependency["pkg"])?;
        let is_library = |target: &&Value| list(&target["kind"]).iter().any(|kind| kind == "lib");
        let library = list(&package["targets"]).iter().find(is_library)?;
        let folder = Path::new(library["src_path"].as_str()?).parent()?.to_owned();
        Some((dependency["name"].as_str()?.to_owned(), folder))
    };
    node.map_or(&[][..], |node| list(&node["deps"])).iter().filter_map(folder).collect()
}
