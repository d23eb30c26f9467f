//! Where the crates that the command writes find windrow: in its sources, or on a registry.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Where a crate finds windrow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sources {
    /// A folder of its sources.
    Folder(PathBuf),
    /// A version on a registry: what a command that was installed from one depends on.
    Version(&'static str),
}

impl Sources {
    /// The folder given; or the sources that this command was built in; or its version.
    ///
    /// # Errors
    /// The folder given is not that of windrow's sources.
    pub fn find(given: Option<&Path>) -> io::Result<Self> {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        match (given, sources(&own)) {
            (Some(folder), _) => sources(folder).map(Self::Folder),
            (None, Ok(folder)) => Ok(Self::Folder(folder)),
            (None, Err(_)) => Ok(Self::Version(env!("CARGO_PKG_VERSION"))),
        }
    }

    /// How a manifest names the crate in a folder of the sources, the facade's being the empty one.
    pub fn key(&self, folder: &str) -> String {
        match self {
            Self::Folder(root) => {
                // A TOML text has the escapes of a JSON text: a Windows path has backslashes.
                let path = root.join(folder).display().to_string();
                let path = path.trim_end_matches(['/', '\\']).replace('\\', "/").replace('"', "\\\"");
                format!("path = \"{path}\"")
            }
            Self::Version(version) => format!("version = \"{version}\""),
        }
    }
}

/// The whole path of a folder that holds windrow's sources.
fn sources(folder: &Path) -> io::Result<PathBuf> {
    let folder = folder.canonicalize()?;
    fs::metadata(folder.join("macros/Cargo.toml"))?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_names_a_folder_or_a_version() {
        let folder = Sources::Folder("/a \"b\"/windrow".into());
        assert_eq!(folder.key(""), r#"path = "/a \"b\"/windrow""#);
        assert_eq!(folder.key("backends"), r#"path = "/a \"b\"/windrow/backends""#);
        assert_eq!(Sources::Version("1.2.3").key("backends"), r#"version = "1.2.3""#);
    }

    #[test]
    fn the_sources_are_those_that_the_command_was_built_in() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap();
        assert_eq!(Sources::find(None).unwrap(), Sources::Folder(root));
        assert!(Sources::find(Some(Path::new("src"))).is_err());
    }
}
