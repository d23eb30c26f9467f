//! FlatBuffers: tables of fields, found through the offsets of a file that is not trusted.
//!
//! A table begins with the distance back to its field table, which holds a distance from the table's start for each field, 0 for
//! one that is left out. Texts, vectors and tables in fields are distances forward.

use std::cell::Cell;

use crate::malformed::Malformed;

/// The bytes of a file, and how many of them may still be read: what many offsets lead to is read as often.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flat<'a> {
    bytes: &'a [u8],
    left: &'a Cell<usize>,
}

/// How often a file's bytes may be read.
const READS: usize = 4;

/// A table of the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table<'a> {
    flat: Flat<'a>,
    at: usize,
    /// Where the distances of its fields lie.
    fields: &'a [u8],
}

/// A number as the file has it.
pub(super) trait Number: Sized {
    const SIZE: usize;

    fn read(bytes: &[u8]) -> Option<Self>;
}

macro_rules! numbers {
    ($($t:ty),*) => {$(
        impl Number for $t {
            const SIZE: usize = size_of::<$t>();

            fn read(bytes: &[u8]) -> Option<$t> {
                Some(<$t>::from_le_bytes(bytes.first_chunk().copied()?))
            }
        }
    )*};
}

numbers!(i8, u8, u16, i32, u32, i64, f32);

/// How many bytes may be read of a file.
pub(super) fn limit(bytes: &[u8]) -> Cell<usize> {
    Cell::new(bytes.len().saturating_mul(READS))
}

impl<'a> Flat<'a> {
    pub fn new(bytes: &'a [u8], left: &'a Cell<usize>) -> Flat<'a> {
        Flat { bytes, left }
    }

    /// The table that the file begins with.
    pub fn root(self) -> Result<Table<'a>, Malformed> {
        self.table(0)
    }

    fn number<T: Number>(self, at: usize) -> Result<T, Malformed> {
        self.bytes.get(at..).and_then(T::read).ok_or(Malformed::Truncated { at })
    }

    /// What an offset leads to.
    fn target(self, at: usize) -> Result<usize, Malformed> {
        let distance: u32 = self.number(at)?;
        let target = usize::try_from(distance).ok().and_then(|distance| at.checked_add(distance));
        target.filter(|&target| target < self.bytes.len()).ok_or(Malformed::Truncated { at })
    }

    /// The table that an offset leads to.
    fn table(self, at: usize) -> Result<Table<'a>, Malformed> {
        let at = self.target(at)?;
        let back: i32 = self.number(at)?;
        let fields = i64::try_from(at).ok().map(|at| at - i64::from(back)).and_then(|at| usize::try_from(at).ok());
        let start = fields.ok_or(Malformed::Truncated { at })?;
        let size: u16 = self.number(start)?;
        let end = start.checked_add(usize::from(size)).ok_or(Malformed::Truncated { at })?;
        let fields = self.bytes.get(start..end).ok_or(Malformed::Truncated { at: start })?;
        self.take(4)?;
        Ok(Table { flat: self, at, fields: fields.get(4..).unwrap_or_default() })
    }

    /// Counts bytes that are read.
    fn take(self, bytes: usize) -> Result<(), Malformed> {
        self.left.set(self.left.get().checked_sub(bytes).ok_or(Malformed::Repeated)?);
        Ok(())
    }

    /// The bytes of the vector that an offset leads to, and where they begin.
    fn vector(self, at: usize, size: usize) -> Result<(&'a [u8], usize), Malformed> {
        let at = self.target(at)?;
        let count: u32 = self.number(at)?;
        let bytes = usize::try_from(count).ok().and_then(|count| count.checked_mul(size));
        let (start, truncated) = (at + 4, Malformed::Truncated { at });
        let end = bytes.and_then(|bytes| start.checked_add(bytes)).ok_or(truncated)?;
        let bytes = self.bytes.get(start..end).ok_or(truncated)?;
        self.take(bytes.len())?;
        Ok((bytes, start))
    }
}

impl<'a> Table<'a> {
    /// Where a field lies; `None` for one that is left out.
    fn field(&self, field: usize) -> Option<usize> {
        let distance = self.fields.get(2 * field..).and_then(u16::read).filter(|&distance| distance != 0)?;
        self.at.checked_add(usize::from(distance))
    }

    /// A number, which is 0 or as the schema says where it is left out.
    pub fn number<T: Number>(&self, field: usize, otherwise: T) -> Result<T, Malformed> {
        self.field(field).map_or(Ok(otherwise), |at| self.flat.number(at))
    }

    /// A text; empty where it is left out.
    pub fn text(&self, field: usize) -> Result<&'a str, Malformed> {
        let Some(at) = self.field(field) else { return Ok("") };
        let (bytes, at) = self.flat.vector(at, 1)?;
        std::str::from_utf8(bytes).map_err(|_| Malformed::Text { message: "a text", at })
    }

    /// A vector of bytes; `None` where it is left out.
    pub fn bytes(&self, field: usize) -> Result<Option<&'a [u8]>, Malformed> {
        self.field(field).map(|at| Ok(self.flat.vector(at, 1)?.0)).transpose()
    }

    /// A vector of numbers; empty where it is left out.
    pub fn numbers<T: Number>(&self, field: usize) -> Result<Vec<T>, Malformed> {
        let Some(at) = self.field(field) else { return Ok(Vec::new()) };
        let (bytes, _) = self.flat.vector(at, T::SIZE)?;
        Ok(bytes.chunks_exact(T::SIZE).filter_map(T::read).collect())
    }

    /// A table; `None` where it is left out.
    pub fn table(&self, field: usize) -> Result<Option<Table<'a>>, Malformed> {
        self.field(field).map(|at| self.flat.table(at)).transpose()
    }

    /// A vector of tables; empty where it is left out.
    pub fn tables(&self, field: usize) -> Result<Vec<Table<'a>>, Malformed> {
        let Some(at) = self.field(field) else { return Ok(Vec::new()) };
        let (bytes, start) = self.flat.vector(at, 4)?;
        (0..bytes.len() / 4).map(|place| self.flat.table(start + 4 * place)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of one number, 7, and of one text, `ab`.
    const FILE: [u8; 30] = [
        12, 0, 0, 0, // where the root is
        8, 0, 12, 0, 4, 0, 8, 0, // its fields: their size, the table's, and two distances
        8, 0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0, // the distance back, 7, and the distance to the text
        2, 0, 0, 0, b'a', b'b', // the text
    ];

    #[test]
    fn fields_are_found() {
        let left = limit(&FILE);
        let root = Flat::new(&FILE, &left).root().unwrap();
        assert_eq!(root.number(0, 0i32), Ok(7));
        assert_eq!(root.number(5, 3i32), Ok(3), "one that is left out");
        assert_eq!(root.text(1), Ok("ab"));
        assert_eq!(root.numbers::<u8>(1), Ok(b"ab".to_vec()));
        assert!(root.table(5).unwrap().is_none());
    }

    #[test]
    fn no_file_makes_it_panic() {
        let read = |bytes: &[u8]| {
            let left = limit(bytes);
            let root = Flat::new(bytes, &left).root()?;
            root.text(1)?;
            root.tables(1).map(|tables| tables.len())
        };
        for end in 0..FILE.len() {
            assert!(read(&FILE[..end]).is_err());
        }
        for place in 0..FILE.len() {
            for byte in [0, 1, 0x7f, 0x80, 0xff] {
                let mut file = FILE;
                file[place] = byte;
                let _ = read(&file);
            }
        }
    }
}
