//! Files that others may not tamper with: written whole or not at all, in folders of their owner's, never through a link.
//!
//! A digest in a file finds damage, and files of another place. It finds no intent: whoever can write the file writes the
//! digest too. That nobody else writes here is what the folder's owner and mode say.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    path::Path,
};

/// The extension of a file that is being written.
pub(super) const UNFINISHED: &str = "windrow-unfinished";

/// Makes a folder for its owner alone, or checks that nobody but the owner writes in the one that is there.
///
/// Elsewhere than on Unix only links and files are refused: who may write there is what the folder above it says, and
/// nothing checks its access list.
///
/// # Errors
/// [`io::ErrorKind::PermissionDenied`] for a link, and for a folder of somebody else's or that others may write in.
pub(crate) fn own_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    let data = fs::symlink_metadata(path)?;
    let refused = |rule: &str| {
        let message = format!("the folder `{}` {rule}: programs are run that lie there", path.display());
        Err(io::Error::new(io::ErrorKind::PermissionDenied, message))
    };
    if !data.is_dir() {
        return refused("is a link or a file");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        const ROOT: u32 = 0;
        const OTHERS_WRITE: u32 = 0o022;
        if data.uid() != rustix::process::geteuid().as_raw() && data.uid() != ROOT {
            return refused("belongs to another user");
        }
        if data.mode() & OTHERS_WRITE != 0 {
            return refused("may be written by other users");
        }
    }
    Ok(())
}

/// Opens a file to read. A link, a pipe or a device in its place is an error.
fn open_plain(path: &Path) -> io::Result<File> {
    plain(OpenOptions::new().read(true), path)
}

/// The bytes of a file, at most `most`; one that is longer is an [`io::ErrorKind::FileTooLarge`].
pub(crate) fn read_plain(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_bounded(open_plain(path)?, most)
}

/// The bytes of an open file, likewise: it may grow while it is read.
pub(super) fn read_bounded(file: File, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!("the file has more than {most} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// Opens a file to append, in the same way.
pub(super) fn append_plain(path: &Path) -> io::Result<File> {
    plain(OpenOptions::new().append(true), path)
}

/// Opens a file that stands for a lock, made where it is not there; what it holds stays.
pub(crate) fn open_lock(path: &Path) -> io::Result<File> {
    plain(OpenOptions::new().write(true).create(true).truncate(false), path)
}

fn plain(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        // A pipe would be waited for.
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed());
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("`{}` is not a plain file", path.display())))
}

/// Writes a file so that no reader ever sees a part of it. What stands in its place is replaced, a link too.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    let suffix = format!(".{UNFINISHED}");
    builder.suffix(&suffix);
    // As any new file: the user's mask says who reads it.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}
