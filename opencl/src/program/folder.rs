//! Built programs in a folder, one file each, for all processes of a machine.
//!
//! A file is written beside its place and then renamed, so that a reader finds the old one, the new one or none. It is
//! named by its whole key: two processes that write it write the same. A file's time is when it was last used; where the
//! folder grows over its bound, the oldest go. Files of other names are left alone.

use crate::{
    Digest, ProgramKey, Record, Rejection,
    program::{
        files::{UNFINISHED, append_plain, own_folder, read_plain, write_whole},
        record::{decode, encode},
    },
};
use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// The extension of a built program's file.
const EXTENSION: &str = "windrow-program";
/// Nobody writes a file for so long.
const ABANDONED: Duration = Duration::from_secs(3600);

/// A folder of built programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheFolder {
    path: PathBuf,
    bound: u64,
}

impl CacheFolder {
    /// The bound of [`CacheFolder::open`]: 256 MiB.
    pub const BOUND: u64 = 256 << 20;

    /// Returns a folder, made where it is not there, of at most 256 MiB.
    ///
    /// What lies there is given to the device's driver, which runs it. A file's digest finds damage, and not intent: so the
    /// folder must be the user's (or the administrator's) own.
    ///
    /// # Errors
    /// [`io::ErrorKind::PermissionDenied`] for a folder that other users may write in, one of another user's, and a link; the
    /// system's, where the folder can't be made.
    pub fn open(path: impl Into<PathBuf>) -> io::Result<Self> {
        Self::with_bound(path, Self::BOUND)
    }

    /// Returns the folder, limited to at most `bound` bytes.
    ///
    /// # Errors
    /// As [`CacheFolder::open`].
    pub fn with_bound(path: impl Into<PathBuf>, bound: u64) -> io::Result<Self> {
        let path = path.into();
        own_folder(&path)?;
        Ok(Self { path, bound })
    }

    /// Returns where the system keeps a user's caches: `WINDROW_CACHE`, or else `windrow` in the folder for caches.
    pub fn default_path() -> Option<PathBuf> {
        let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let of_user = || folder("XDG_CACHE_HOME").or_else(|| folder("LOCALAPPDATA"));
        let of_home = || folder("HOME").map(|home| home.join(".cache"));
        folder("WINDROW_CACHE").or_else(|| of_user().or_else(of_home).map(|caches| caches.join("windrow")))
    }

    /// Returns the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the bytes of all programs in it.
    ///
    /// # Errors
    /// The system's.
    pub fn size(&self) -> io::Result<u64> {
        Ok(self.files()?.iter().map(|file| file.length).sum())
    }

    /// Deletes every program in it.
    ///
    /// # Errors
    /// The system's.
    pub fn clear(&self) -> io::Result<()> {
        self.files()?.iter().try_for_each(|file| remove(&file.path))
    }

    /// Where the program of a key is.
    pub(super) fn file(&self, key: &ProgramKey) -> PathBuf {
        self.path.join(format!("{}.{EXTENSION}", key.digest()))
    }

    /// The program of a key; none where none is stored.
    pub(super) fn load(&self, key: &ProgramKey) -> Result<Option<Vec<u8>>, Rejection> {
        let file = self.file(key);
        let Some(bytes) = self.read(&file)? else { return Ok(None) };
        let record = only_record(&bytes)?;
        match key.mismatch(&record.key) {
            Some(mismatch) => Err(Rejection::Foreign(mismatch)),
            None => {
                touch(&file);
                Ok(Some(record.binary))
            }
        }
    }

    /// The bytes of a file, if it is there.
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, Rejection> {
        match read_plain(path, self.bound) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Rejection::Unreadable(error.to_string())),
        }
    }

    /// Stores a program, and deletes the oldest ones over the bound.
    pub(super) fn store(&self, record: &Record) -> io::Result<()> {
        let bytes = encode([record]).map_err(io::Error::other)?;
        if bytes.len() as u64 > self.bound {
            let message = format!("the program has {} bytes, the cache takes at most {}", bytes.len(), self.bound);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        write_whole(&self.file(&record.key), &bytes)?;
        self.drop_oldest()
    }

    /// Deletes the program of a key.
    pub(super) fn forget(&self, key: &ProgramKey) -> io::Result<()> {
        remove(&self.file(key))
    }

    fn drop_oldest(&self) -> io::Result<()> {
        let mut files = self.files()?;
        let mut size: u64 = files.iter().map(|file| file.length).sum();
        files.sort_by_key(|file| file.used);
        for file in files {
            if size <= self.bound {
                break;
            }
            remove(&file.path)?;
            size -= file.length;
        }
        Ok(())
    }

    /// The files of programs. Those that a process began to write, and died, are deleted.
    fn files(&self) -> io::Result<Vec<Stored>> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let path = entry?.path();
            // A file that another process has just deleted.
            let Ok(data) = fs::metadata(&path) else { continue };
            let used = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            let of = |extension: &str| data.is_file() && path.extension() == Some(OsStr::new(extension));
            if of(EXTENSION) && is_digest(&path) {
                files.push(Stored { path, length: data.len(), used });
            } else if of(UNFINISHED) && used.elapsed().is_ok_and(|age| age > ABANDONED) {
                remove(&path)?;
            }
        }
        Ok(files)
    }
}

struct Stored {
    path: PathBuf,
    length: u64,
    used: SystemTime,
}

fn is_digest(path: &Path) -> bool {
    path.file_stem().and_then(OsStr::to_str).is_some_and(|stem| stem.parse::<Digest>().is_ok())
}

/// Notes that a file was used. A folder that may only be read can't know what was used last.
fn touch(path: &Path) {
    let _ = append_plain(path).and_then(|file| file.set_modified(SystemTime::now()));
}

/// The one record of a file.
fn only_record(bytes: &[u8]) -> Result<Record, Rejection> {
    let mut records = decode(bytes);
    match (records.whole.pop(), records.rejected.pop()) {
        (_, Some(reason)) => Err(reason),
        (Some(record), None) if records.whole.is_empty() => Ok(record),
        (Some(_), None) => Err(Rejection::Malformed),
        (None, None) => Err(Rejection::Truncated),
    }
}

/// Deletes a file, unless another process was faster.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests;
