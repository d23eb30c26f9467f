//! Arrays by their names, as TVM's `save_param_dict` writes them: the form is that of `file_utils.cc` and `ndarray.h`.
//!
//! A number that says what follows, and one that is reserved; the names, each behind its length; the arrays, each behind a number of its
//! own, with its device, type, extents and bytes. Numbers lie least byte first.

use windrow::tensor::DType;

use crate::{
    malformed::Malformed,
    model::{Elements, count},
};

/// What a list of arrays, and what an array begins with.
const LIST: u64 = 0xF7E5_8D4F_0504_9CB7;
const ARRAY: u64 = 0xDD5E_40F0_96B4_A13F;

/// An array of the file.
#[derive(Debug, PartialEq)]
pub(crate) struct Param<'a> {
    pub name: &'a str,
    pub extents: Vec<usize>,
    /// `None` for a type that is not read.
    pub of: Option<DType>,
    bytes: &'a [u8],
}

/// What is left of the bytes, and where that begins.
struct Rest<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// Reads all arrays.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Param<'_>>, Malformed> {
    let mut rest = Rest { bytes, at: 0 };
    rest.expect(LIST, "a list of TVM's parameters begins with F7E58D4F05049CB7")?;
    let mut names = Vec::new();
    for _ in 0..rest.number()? {
        let (at, length) = (rest.at, rest.number()?);
        let name = std::str::from_utf8(rest.take(usize::try_from(length).unwrap_or(usize::MAX))?);
        names.push(name.map_err(|_| Malformed::Text { message: "a name", at })?);
    }
    let at = rest.at;
    if rest.number()? != names.len() as u64 {
        return Err(Malformed::Parameters { at, rule: "there are as many arrays as names" });
    }
    names.into_iter().map(|name| rest.array(name)).collect()
}

impl<'a> Rest<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or(Malformed::Truncated { at: self.at })?;
        (self.bytes, self.at) = (rest, self.at + count);
        Ok(taken)
    }

    fn array_of<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let at = self.at;
        self.take(N)?.first_chunk().copied().ok_or(Malformed::Truncated { at })
    }

    fn number(&mut self) -> Result<u64, Malformed> {
        self.array_of().map(u64::from_le_bytes)
    }

    /// What something begins with, and a number that is reserved.
    fn expect(&mut self, expected: u64, rule: &'static str) -> Result<(), Malformed> {
        let at = self.at;
        if self.number()? != expected {
            return Err(Malformed::Parameters { at, rule });
        }
        self.number().map(|_| ())
    }

    fn array(&mut self, name: &'a str) -> Result<Param<'a>, Malformed> {
        self.expect(ARRAY, "an array of TVM's parameters begins with DD5E40F096B4A13F")?;
        // The device, which is the processor whatever it was.
        self.number()?;
        let ndim = u32::from_le_bytes(self.array_of()?);
        let [code, bits, lanes @ ..] = self.array_of::<4>()?;
        let (start, mut extents) = (self.at, Vec::new());
        let wrong = |rule| Malformed::Parameters { at: start, rule };
        for _ in 0..ndim {
            let extent = self.number()?;
            extents.push(usize::try_from(extent).map_err(|_| wrong("an extent is none that this machine holds"))?);
        }
        let bytes = count(&extents).and_then(|count| count.checked_mul(usize::from(bits).div_ceil(8)));
        let found = self.number()?;
        if bytes.and_then(|bytes| u64::try_from(bytes).ok()) != Some(found) {
            return Err(wrong("an array has as many bytes as its extents and its type say"));
        }
        let bytes = self.take(bytes.unwrap_or(usize::MAX))?;
        let of = match (code, bits, u16::from_le_bytes(lanes)) {
            (0, 8, 1) => Some(DType::I8),
            (0, 32, 1) => Some(DType::I32),
            (1, 8, 1) => Some(DType::U8),
            (2, 32, 1) => Some(DType::F32),
            _ => None,
        };
        Ok(Param { name, extents, of, bytes })
    }
}

impl Param<'_> {
    /// The elements, of a type that is read.
    pub fn elements(&self) -> Option<Elements> {
        let chunks = || self.bytes.as_chunks().0.iter();
        Some(match self.of? {
            DType::F32 => Elements::Floats(chunks().map(|&bytes| f32::from_le_bytes(bytes)).collect()),
            DType::I32 => Elements::Ints(chunks().map(|&bytes| i32::from_le_bytes(bytes).into()).collect()),
            DType::I8 => Elements::Bytes(self.bytes.iter().map(|byte| byte.cast_signed()).collect()),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(dims: &[u64], kind: [u8; 4], bytes: &[u8]) -> Vec<u8> {
        let mut file = [LIST, 0, 1, 2].map(u64::to_le_bytes).concat();
        file.extend(b"xy");
        file.extend([1, ARRAY, 0, 1].map(u64::to_le_bytes).concat());
        file.extend((dims.len() as u32).to_le_bytes());
        file.extend(kind);
        dims.iter().for_each(|dim| file.extend(dim.to_le_bytes()));
        file.extend((bytes.len() as u64).to_le_bytes());
        [file, bytes.to_vec()].concat()
    }

    #[test]
    fn arrays_are_read() {
        let of = |file: &[u8]| read(file).unwrap().remove(0).elements();
        let floats = file(&[2, 1], [2, 32, 1, 0], &[0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0]);
        assert_eq!(of(&floats), Some(Elements::Floats([1.0, -2.0].into())));
        assert_eq!(read(&floats).unwrap()[0].extents, [2, 1]);
        assert_eq!(of(&file(&[], [0, 32, 1, 0], &[0xfe, 0xff, 0xff, 0xff])), Some(Elements::Ints([-2].into())));
        assert_eq!(of(&file(&[1], [0, 8, 1, 0], &[0x80])), Some(Elements::Bytes([-128].into())));
        assert_eq!(of(&file(&[1], [2, 16, 1, 0], &[0, 0])), None, "halves are not read");
    }

    #[test]
    fn no_file_makes_it_panic() {
        let whole = file(&[2, 1], [2, 32, 1, 0], &[0; 8]);
        for end in 0..whole.len() {
            assert!(matches!(read(&whole[..end]), Err(Malformed::Truncated { .. })), "{end} bytes");
        }
        for place in 0..whole.len() {
            for byte in [0, 1, 0x7f, 0x80, 0xff] {
                let mut file = whole.clone();
                file[place] = byte;
                let _ = read(&file);
            }
        }
        let rule = |file: &[u8]| read(file).unwrap_err().to_string();
        assert!(rule(&[0; 16]).contains("a list of TVM's parameters begins with"));
        let short = rule(&file(&[3], [2, 32, 1, 0], &[0; 8]));
        assert!(short.contains("an array has as many bytes as its extents and its type say"), "{short}");
        let wide = rule(&file(&[u64::MAX, 2], [2, 32, 1, 0], &[]));
        assert!(wide.contains("as many bytes as its extents"), "{wide}");
    }
}
