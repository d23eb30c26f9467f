//! `windrow new`: a crate with a kernel, its tests, a benchmark, a build script and an application.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::sources::Sources;
use clap::Args;

/// Makes a crate for operators of your own, which builds, passes its tests and runs.
#[derive(Debug, Args)]
pub struct New {
    /// The folder to make. The crate gets the name of its last part.
    path: PathBuf,
    /// The folder of windrow's sources, which the crate depends on. Left out: those that this command was built in, or else its
    /// version on the registry.
    #[arg(long)]
    windrow: Option<PathBuf>,
}

/// Why there is no new crate.
#[derive(Debug, thiserror::Error)]
pub enum NewError {
    /// Cargo would refuse the name.
    #[error(
        "`{name}` can't be the name of a crate: {rule}\nhelp: name a folder of ASCII letters, digits, `-` and `_`, \
         for example `my-operators`"
    )]
    Name {
        /// The name.
        name: String,
        /// What Cargo requires.
        rule: &'static str,
    },
    /// Nothing is written over.
    #[error("{} exists already\nhelp: name a folder that doesn't exist", .0.display())]
    Exists(PathBuf),
    /// The dependency would not resolve.
    #[error("{} is not the folder of windrow's sources: {error}\nhelp: name it with `--windrow FOLDER`", path.display())]
    Sources {
        /// The folder.
        path: PathBuf,
        /// What was wrong with it.
        error: io::Error,
    },
    /// The file system refused.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
}

impl NewError {
    fn write(path: &Path, error: io::Error) -> Self {
        Self::Write { path: path.to_owned(), error }
    }
}

/// Each file of the crate, and its text. The template is a crate named `own-operators` over a windrow at `WINDROW`.
const FILES: [(&str, &str); 9] = [
    ("Cargo.toml", include_str!("../template/manifest.toml")),
    (".cargo/config.toml", include_str!("../template/cargo/config.toml")),
    (".gitignore", include_str!("../template/gitignore")),
    ("build.rs", include_str!("../template/build.rs")),
    ("src/lib.rs", include_str!("../template/src/lib.rs")),
    ("src/main.rs", include_str!("../template/src/main.rs")),
    ("src/ops/mod.rs", include_str!("../template/src/ops/mod.rs")),
    ("src/ops/sharpen.rs", include_str!("../template/src/ops/sharpen.rs")),
    ("benches/kernels.rs", include_str!("../template/benches/kernels.rs")),
];

impl New {
    /// Makes the crate, whole or not at all, and says what to do with it.
    ///
    /// # Errors
    /// A [`NewError`].
    pub fn run(&self) -> Result<String, NewError> {
        let name = crate_name(&self.path)?;
        let windrow = Sources::find(self.windrow.as_deref())
            .map_err(|error| NewError::Sources { path: self.windrow.clone().unwrap_or_default(), error })?;
        if self.path.symlink_metadata().is_ok() {
            return Err(NewError::Exists(self.path.clone()));
        }
        let parent = self.path.parent().filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(|error| NewError::write(parent, error))?;
        let whole = tempfile::tempdir_in(parent).map_err(|error| NewError::write(parent, error))?;
        for (file, text) in FILES {
            let path = whole.path().join(file);
            let folder = path.parent().unwrap_or(parent);
            fs::create_dir_all(folder).map_err(|error| NewError::write(folder, error))?;
            fs::write(&path, filled(text, name, &windrow)).map_err(|error| NewError::write(&path, error))?;
        }
        share(whole.path()).map_err(|error| NewError::write(parent, error))?;
        fs::rename(whole.path(), &self.path).map_err(|error| NewError::write(&self.path, error))?;
        // The folder has another name now: there is nothing left to remove.
        let _ = whole.keep();
        Ok(format!(
            "made {path}\n\n\
             cd {path}\n\
             cargo test                                  # the kernel on every target of this machine\n\
             cargo run --release -- IN.png OUT.png       # sharpens a picture\n\
             cargo bench                                 # beside the author's function\n\n\
             `.cargo/config.toml` says how to run the tests on NEON without an Arm processor.\n",
            path = self.path.display()
        ))
    }
}

/// Gives the folder the permissions of any new one; a temporary folder is its owner's alone.
fn share(folder: &Path) -> io::Result<()> {
    let usual = folder.join("src").metadata()?.permissions();
    fs::set_permissions(folder, usual)
}

/// A file of the template for this crate.
fn filled(text: &str, name: &str, windrow: &Sources) -> String {
    let named = text.replace("own-operators", name).replace("own_operators", &name.replace('-', "_"));
    let facade = named.replace("path = \"WINDROW\"", &windrow.key(""));
    facade.replace("path = \"WINDROW/backends\"", &windrow.key("backends"))
}

/// The name that Cargo and rustc accept for the crate in a folder.
fn crate_name(path: &Path) -> Result<&str, NewError> {
    let name = path.file_name().unwrap_or_default();
    let refused = |rule| NewError::Name { name: name.to_string_lossy().into_owned(), rule };
    let text = name.to_str().ok_or(refused("it is not UTF-8"))?;
    let mut characters = text.chars();
    match characters.next() {
        None => return Err(refused("it is empty")),
        Some(first) if !first.is_ascii_alphabetic() => return Err(refused("it doesn't begin with a letter")),
        Some(_) => {}
    }
    if !characters.all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_') {
        return Err(refused("it has other characters than letters, digits, `-` and `_`"));
    }
    // Names that a crate of Rust's own has, that a dependency of the template has, or that are words of the language.
    let taken = ["alloc", "core", "criterion", "image", "proc_macro", "std", "test", "windrow"];
    let identifier = text.replace('-', "_");
    if taken.contains(&identifier.as_str()) {
        return Err(refused("another crate that it uses has this name"));
    }
    if syn::parse_str::<syn::Ident>(&identifier).is_err() {
        return Err(refused("it is a word of the Rust language"));
    }
    Ok(text)
}
