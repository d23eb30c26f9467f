//! Tunings, by what they were measured for, kept in a file.
//!
//! A tuning holds for one kernel (with its source), one class of shapes, one device with its driver. Several processes
//! may save to one file: what they found is merged.

use crate::{
    Candidate, DeviceIdentity, Digest, LocalSize,
    program::files::{open_lock, read_plain, write_whole},
};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

/// The version of the file's form.
const FORMAT: u32 = 2;
/// No file of tunings is as long as this.
const LONGEST: u64 = 64 << 20;

/// Shapes that are tuned as one: each side rounded up to four steps an octave, planes to a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ShapeClass([u64; 3]);

impl ShapeClass {
    /// Returns the class of a window of `width` × `height` elements in `planes` planes.
    ///
    /// ```
    /// use windrow::opencl::ShapeClass;
    ///
    /// assert_eq!(ShapeClass::of(1920, 1080, 1), ShapeClass::of(1800, 1200, 1));
    /// assert_ne!(ShapeClass::of(1920, 1080, 1), ShapeClass::of(640, 480, 1));
    /// ```
    pub fn of(width: usize, height: usize, planes: usize) -> Self {
        Self([
            quarters(width),
            quarters(height),
            (planes as u64).max(1).checked_next_power_of_two().unwrap_or(u64::MAX),
        ])
    }

    /// Returns the greatest ratio of two sides; 1 for one class.
    pub fn factor(&self, other: &ShapeClass) -> f64 {
        let ratio = |(a, b): (u64, u64)| a.max(b).max(1) as f64 / a.min(b).max(1) as f64;
        self.0.into_iter().zip(other.0).map(ratio).fold(1.0, f64::max)
    }

    /// Returns the sides of the shapes.
    pub fn extents(&self) -> [u64; 3] {
        self.0
    }
}

/// Rounded up to three binary digits.
fn quarters(side: usize) -> u64 {
    let side = side.max(1) as u64;
    let step = 1u64 << side.ilog2().saturating_sub(2);
    side.checked_next_multiple_of(step).unwrap_or(u64::MAX)
}

/// What a tuning holds for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TuneKey {
    /// The kernel's name.
    pub kernel: String,
    /// Which of its bodies: the choice of variants and outputs.
    pub body: u32,
    /// Its source's digest.
    pub source: Digest,
    /// The shapes.
    pub shape: ShapeClass,
    /// The device, with its driver.
    pub device: DeviceIdentity,
}

/// What was found best, and the times that it was found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tuning {
    /// The schedule, and the work-groups.
    #[serde(flatten)]
    pub candidate: Candidate,
    /// Its time.
    pub time: Duration,
    /// The default's.
    pub default_time: Duration,
}

/// Tunings by their keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TuneTable {
    tunings: BTreeMap<TuneKey, Tuning>,
}

/// Why tunings can't be read or saved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "a field is named after what the message says there")]
pub enum InvalidTable {
    /// The system refused.
    #[error("cannot {action} `{}`: {error}", file.display())]
    Io {
        /// `read`, `write`, `lock`.
        action: &'static str,
        file: PathBuf,
        error: io::Error,
    },
    /// A file of another form.
    #[error("`{}` holds no tunings: {error}", file.display())]
    Form { file: PathBuf, error: serde_json::Error },
    /// A file of another version.
    #[error("`{}` has form {found}, this version reads {FORMAT}", file.display())]
    Version { file: PathBuf, found: u64 },
    /// A tuning that says nothing.
    #[error("tuning {index} of `{}` has a work-group without work-items", file.display())]
    EmptyGroup {
        file: PathBuf,
        /// Which tuning, from 0 on.
        index: usize,
    },
}

/// The file's form.
#[derive(Serialize, Deserialize)]
struct Saved {
    format: u32,
    tunings: Vec<SavedTuning>,
}

#[derive(Serialize, Deserialize)]
struct SavedTuning {
    #[serde(flatten)]
    key: TuneKey,
    #[serde(flatten)]
    tuning: Tuning,
}

impl TuneTable {
    /// Returns an empty table.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps a tuning, instead of an older one of its key.
    pub fn insert(&mut self, key: TuneKey, tuning: Tuning) {
        self.tunings.insert(key, tuning);
    }

    /// Returns the tuning of exactly this key.
    pub fn get(&self, key: &TuneKey) -> Option<&Tuning> {
        self.tunings.get(key)
    }

    /// Returns the tuning of the nearest class of shapes, none of whose sides is more than `factor` times as long or
    /// short. It was measured elsewhere: whether it is legal here is to be checked.
    pub fn nearest(&self, key: &TuneKey, factor: f64) -> Option<(&TuneKey, &Tuning)> {
        let same = |other: &TuneKey| TuneKey { shape: key.shape, ..other.clone() } == *key;
        let near = self.tunings.iter().filter(|(other, _)| other.shape.factor(&key.shape) <= factor && same(other));
        near.min_by(|(a, _), (b, _)| a.shape.factor(&key.shape).total_cmp(&b.shape.factor(&key.shape)))
    }

    /// Returns all of them.
    pub fn iter(&self) -> impl Iterator<Item = (&TuneKey, &Tuning)> {
        self.tunings.iter()
    }

    /// Returns how many.
    pub fn len(&self) -> usize {
        self.tunings.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.tunings.is_empty()
    }

    /// Takes the other's tunings in; where both have one, the other's.
    pub fn merge(&mut self, other: TuneTable) {
        self.tunings.extend(other.tunings);
    }

    /// Reads a file. One that isn't there holds none. What a table says makes kernels faster or slower, and nothing else: each
    /// tuning is checked against the device before it is used.
    ///
    /// # Errors
    /// An [`InvalidTable`]; a link is not followed.
    pub fn load(file: &Path) -> Result<Self, InvalidTable> {
        match read_plain(file, LONGEST) {
            Ok(bytes) => Self::read(file, &bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::new()),
            Err(error) => Err(InvalidTable::Io { action: "read", file: file.to_owned(), error }),
        }
    }

    /// Saves into a file: what stands there stays, where this table has no newer one. Processes that save at once wait
    /// for each other; a reader finds a whole file.
    ///
    /// # Errors
    /// An [`InvalidTable`]: a file of another form is not overwritten.
    pub fn save(&self, file: &Path) -> Result<(), InvalidTable> {
        let failed = |action| move |error| InvalidTable::Io { action, file: file.to_owned(), error };
        if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(failed("write"))?;
        }
        let lock = open_lock(&file.with_extension("lock")).map_err(failed("lock"))?;
        lock.lock().map_err(failed("lock"))?;
        let mut merged = Self::load(file)?;
        merged.merge(self.clone());
        let text = merged.text().map_err(|error| InvalidTable::Form { file: file.to_owned(), error })?;
        write_whole(file, text.as_bytes()).map_err(failed("write"))
    }

    fn read(file: &Path, bytes: &[u8]) -> Result<Self, InvalidTable> {
        let form = |error| InvalidTable::Form { file: file.to_owned(), error };
        // The version first: another one may have another form.
        let value: serde_json::Value = serde_json::from_slice(bytes).map_err(form)?;
        match value.get("format").and_then(serde_json::Value::as_u64) {
            Some(found) if found != u64::from(FORMAT) => {
                return Err(InvalidTable::Version { file: file.to_owned(), found });
            }
            Some(_) | None => {}
        }
        let saved: Saved = serde_json::from_value(value).map_err(form)?;
        let is_empty = |local| matches!(local, LocalSize::Fixed(0, _) | LocalSize::Fixed(_, 0));
        if let Some(index) = saved.tunings.iter().position(|saved| is_empty(saved.tuning.candidate.local)) {
            return Err(InvalidTable::EmptyGroup { file: file.to_owned(), index });
        }
        Ok(Self { tunings: saved.tunings.into_iter().map(|saved| (saved.key, saved.tuning)).collect() })
    }

    fn text(&self) -> Result<String, serde_json::Error> {
        let tunings = self.iter().map(|(key, tuning)| SavedTuning { key: key.clone(), tuning: *tuning });
        serde_json::to_string_pretty(&Saved { format: FORMAT, tunings: tunings.collect() })
    }
}

#[cfg(test)]
pub(super) mod tests;
