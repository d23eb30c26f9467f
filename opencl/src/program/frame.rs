//! Bytes that were on a disk or in a pipe, and may have been damaged there.
//!
//! ```text
//! head  = eight letters that name the form · version: u32
//! frame = length of payload: u64 · SHA-256 of payload · payload
//! text  = length: u32 · UTF-8
//! ```
//!
//! Numbers are little-endian. A payload is given out only after its sum was found right. What stands in it is the business
//! of `record` (built programs) and of `probe` (questions, answers and verdicts).

use super::{digest::Digest, rejection::Rejection};

/// The version of these forms.
pub(super) const VERSION: u32 = 1;

/// The name of a form.
pub(super) type Magic = [u8; 8];

pub(super) fn put_head(file: &mut Vec<u8>, magic: &Magic) {
    file.extend(magic);
    file.extend(VERSION.to_le_bytes());
}

pub(super) fn put_frame(file: &mut Vec<u8>, payload: &[u8]) {
    file.extend((payload.len() as u64).to_le_bytes());
    file.extend(Digest::of(payload).bytes());
    file.extend(payload);
}

pub(super) fn put_text(payload: &mut Vec<u8>, text: &str) {
    payload.extend((text.len() as u32).to_le_bytes());
    payload.extend(text.as_bytes());
}

/// The bytes that were not read yet. Any bytes are legal.
pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Reads the head of a form.
    pub fn head(&mut self, magic: &Magic) -> Result<(), Rejection> {
        if self.take(magic.len()) != Some(magic) {
            return Err(Rejection::NotACache);
        }
        match self.u32() {
            Some(VERSION) => Ok(()),
            Some(found) => Err(Rejection::Version { found, expected: VERSION }),
            None => Err(Rejection::Truncated),
        }
    }

    /// The payload of a frame. After [`Rejection::Checksum`] the next frame can be read, after
    /// [`Rejection::Truncated`] nothing says where it begins.
    pub fn frame(&mut self) -> Result<&'a [u8], Rejection> {
        let mut whole = || {
            let length = usize::try_from(self.u64()?).ok()?;
            Some((self.digest()?, self.take(length)?))
        };
        let (sum, payload) = whole().ok_or(Rejection::Truncated)?;
        if Digest::of(payload) == sum { Ok(payload) } else { Err(Rejection::Checksum) }
    }

    pub fn digest(&mut self) -> Option<Digest> {
        self.array::<{ Digest::LENGTH }>().map(Digest::from_bytes)
    }

    pub fn text(&mut self) -> Option<String> {
        let length = usize::try_from(self.u32()?).ok()?;
        std::str::from_utf8(self.take(length)?).ok().map(str::to_owned)
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }
}
