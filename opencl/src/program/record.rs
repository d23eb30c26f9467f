//! Built programs as bytes, for a disk.
//!
//! ```text
//! file    = eight letters that name the form · version: u32 · frame*
//! frame   = SHA-256 of payload · payload, as `postcard` writes them
//! payload = a `Record`, as `postcard` writes it
//! ```
//!
//! A payload is read only after its sum was found right, and a binary reaches a driver only out of a record that was read:
//! drivers abort on binaries that were cut short.

use crate::{Digest, ProgramKey, Rejection};
use serde::{Deserialize, Serialize};

const MAGIC: &[u8; 8] = b"WINDROWP";
const VERSION: u32 = 2;

/// A built program with all that it depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The kernel's name, for messages.
    pub name: String,
    /// What it depends on.
    pub key: ProgramKey,
    /// What the driver made of it.
    pub binary: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
struct Frame<'a> {
    sum: [u8; Digest::LENGTH],
    payload: &'a [u8],
}

/// What a file holds: the records that are whole, and why others are not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Records {
    pub whole: Vec<Record>,
    pub rejected: Vec<Rejection>,
}

/// A file of these records.
///
/// # Errors
/// Where a record can't be written, which no record of ours is.
pub(super) fn encode<'a>(records: impl IntoIterator<Item = &'a Record>) -> postcard::Result<Vec<u8>> {
    let mut file = [MAGIC.as_slice(), &VERSION.to_le_bytes()].concat();
    for record in records {
        let payload = postcard::to_stdvec(record)?;
        let frame = Frame { sum: *Digest::of(&payload).bytes(), payload: &payload };
        file = postcard::to_extend(&frame, file)?;
    }
    Ok(file)
}

/// The records of a file. Any bytes are legal here; for what isn't a record there is a reason.
pub(super) fn decode(file: &[u8]) -> Records {
    let mut records = Records::default();
    let mut rest = match frames(file) {
        Ok(frames) => frames,
        Err(reason) => {
            records.rejected.push(reason);
            return records;
        }
    };
    while !rest.is_empty() {
        let Ok((Frame { sum, payload }, next)) = postcard::take_from_bytes::<Frame<'_>>(rest) else {
            // Nothing says where the next frame begins.
            records.rejected.push(Rejection::Truncated);
            return records;
        };
        rest = next;
        if *Digest::of(payload).bytes() != sum {
            records.rejected.push(Rejection::Checksum);
            continue;
        }
        match postcard::from_bytes(payload) {
            Ok(record) => records.whole.push(record),
            // A sum that is right over a form that is not: another program wrote it.
            Err(_) => records.rejected.push(Rejection::Malformed),
        }
    }
    records
}

/// What follows the head of a file.
fn frames(file: &[u8]) -> Result<&[u8], Rejection> {
    let rest = file.strip_prefix(MAGIC).ok_or(Rejection::NotACache)?;
    let (version, frames) = rest.split_first_chunk().ok_or(Rejection::Truncated)?;
    match u32::from_le_bytes(*version) {
        VERSION => Ok(frames),
        found => Err(Rejection::Version { found, expected: VERSION }),
    }
}

#[cfg(test)]
pub(super) mod tests;
