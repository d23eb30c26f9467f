//! Programs built ahead of time, in one file that is only read.

use crate::{
    Digest, Mismatch, ProgramKey, Record, Rejected, Rejection,
    program::{
        files::write_whole,
        record::{decode, encode},
    },
};
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

/// A file of built programs. Written by `windrow pack`; opened beside a cache, it saves an application its first builds.
#[derive(Clone, Debug)]
pub struct Pack {
    file: PathBuf,
    programs: BTreeMap<Digest, Record>,
    rejected: Vec<Rejected>,
}

impl Pack {
    /// Reads a pack. Records that are damaged are left out, with a reason in [`Pack::rejected`].
    ///
    /// # Safety
    /// The file is as trustworthy as a library that the process loads: its programs are given to the driver, which runs them on
    /// the process's memory. Their digests find damage, and not intent: whoever writes a program writes its digest too.
    ///
    /// # Errors
    /// The system's, where the file can't be read.
    pub unsafe fn open(file: impl Into<PathBuf>) -> io::Result<Self> {
        let file = file.into();
        let records = decode(&fs::read(&file)?);
        let reject = |reason| Rejected { file: file.clone(), kernel: String::new(), reason };
        Ok(Self {
            rejected: records.rejected.into_iter().map(reject).collect(),
            programs: records.whole.into_iter().map(|record| (record.key.digest(), record)).collect(),
            file,
        })
    }

    /// Writes a pack: whole, or not at all.
    ///
    /// # Errors
    /// The system's, where the file can't be written.
    pub fn write<'a>(file: &Path, records: impl IntoIterator<Item = &'a Record>) -> io::Result<()> {
        write_whole(file, &encode(records).map_err(io::Error::other)?)
    }

    /// Returns the file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Returns the programs of the pack.
    pub fn programs(&self) -> impl Iterator<Item = &Record> {
        self.programs.values()
    }

    /// Returns what of the file could not be used.
    pub fn rejected(&self) -> &[Rejected] {
        &self.rejected
    }

    /// The program of a key. Where the pack has it for another device or under other options, that is the reason; a
    /// source that the pack doesn't hold has none.
    pub(super) fn load(&self, key: &ProgramKey) -> Result<Option<&[u8]>, Rejection> {
        if let Some(record) = self.programs.get(&key.digest()) {
            return match key.mismatch(&record.key) {
                Some(mismatch) => Err(Rejection::Foreign(mismatch)),
                None => Ok(Some(&record.binary)),
            };
        }
        let same_source = self.programs().filter(|record| record.key.source == key.source);
        // The pack has a source once for each form and precision: the one that is wanted says most.
        let mismatches = same_source.filter_map(|record| key.mismatch(&record.key));
        let closest = mismatches.max_by_key(|mismatch| matches!(mismatch, Mismatch::Device { .. }));
        closest.map_or(Ok(None), |mismatch| Err(Rejection::Foreign(mismatch)))
    }
}

#[cfg(test)]
mod tests;
