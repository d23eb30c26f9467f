//! FlexBuffers: the map of names and values that a custom operator is told, in bytes that are not trusted.
//!
//! The last byte is the width of the value before it, the one before that the value's type. What is no number lies further ahead, as
//! far as the value says: a vector behind its length, and of a map behind its keys too. Nothing recurses: of a map's values, maps are
//! not read.

use std::cell::Cell;

use crate::custom::Attribute;

/// Why bytes can't be read: they are no map of FlexBuffers, or hold what is no attribute.
pub(super) type Reason = &'static str;

const CUT: Reason = "they are no FlexBuffer";
const OTHER: Reason = "a value is none of integers, floats, lists of them and texts";

/// The types of values, by their numbers.
mod kind {
    pub const INT: u8 = 1;
    pub const UINT: u8 = 2;
    pub const FLOAT: u8 = 3;
    pub const KEY: u8 = 4;
    pub const STRING: u8 = 5;
    pub const INDIRECT_INT: u8 = 6;
    pub const INDIRECT_UINT: u8 = 7;
    pub const INDIRECT_FLOAT: u8 = 8;
    pub const MAP: u8 = 9;
    pub const VECTOR: u8 = 10;
    pub const VECTOR_INT: u8 = 11;
    pub const VECTOR_UINT: u8 = 12;
    pub const VECTOR_FLOAT: u8 = 13;
    /// Two, three or four integers, unsigned ones or floats: of each length the three types.
    pub const OF_TWO_INTS: u8 = 16;
    pub const OF_FOUR_FLOATS: u8 = 24;
    pub const BOOL: u8 = 26;
    pub const VECTOR_BOOL: u8 = 36;
}

/// The attributes that such bytes hold; none of no bytes.
pub(super) fn attributes(bytes: &[u8]) -> Result<Vec<(String, Attribute)>, Reason> {
    let [value @ .., packed, width] = bytes else { return if bytes.is_empty() { Ok(Vec::new()) } else { Err(CUT) } };
    let at = value.len().checked_sub(usize::from(*width)).ok_or(CUT)?;
    // What many values lead to is read as often.
    let left = Cell::new(bytes.len().saturating_mul(4));
    let flex = Flex { bytes, left: &left };
    let root = Value { flex, at, width: check(usize::from(*width))?, packed: *packed };
    if root.kind() != kind::MAP {
        return Err("they are no map of names and values");
    }
    root.map()
}

#[derive(Clone, Copy)]
struct Flex<'a> {
    bytes: &'a [u8],
    left: &'a Cell<usize>,
}

/// A value where it lies, with its width there and its type.
#[derive(Clone, Copy)]
struct Value<'a> {
    flex: Flex<'a>,
    at: usize,
    width: usize,
    packed: u8,
}

fn check(width: usize) -> Result<usize, Reason> {
    if [1, 2, 4, 8].contains(&width) { Ok(width) } else { Err(CUT) }
}

impl<'a> Flex<'a> {
    fn take(self, at: usize, count: usize) -> Result<&'a [u8], Reason> {
        self.left.set(self.left.get().checked_sub(count).ok_or("its values lead to the same bytes too often")?);
        self.bytes.get(at..at.checked_add(count).ok_or(CUT)?).ok_or(CUT)
    }

    fn uint(self, at: usize, width: usize) -> Result<u64, Reason> {
        let mut wide = [0; 8];
        wide.get_mut(..width).ok_or(CUT)?.copy_from_slice(self.take(at, width)?);
        Ok(u64::from_le_bytes(wide))
    }

    fn int(self, at: usize, width: usize) -> Result<i64, Reason> {
        let unused = 64 - 8 * u32::try_from(width).map_err(|_| CUT)?;
        Ok((self.uint(at, width)? << unused).cast_signed() >> unused)
    }

    fn float(self, at: usize, width: usize) -> Result<f32, Reason> {
        match width {
            4 => Ok(f32::from_bits(u32::try_from(self.uint(at, 4)?).map_err(|_| CUT)?)),
            8 => Ok(f64::from_bits(self.uint(at, 8)?) as f32),
            _ => Err("a float has neither 32 bits nor 64"),
        }
    }

    /// Where the offset at a place leads to: back by as many bytes.
    fn target(self, at: usize, width: usize) -> Result<usize, Reason> {
        let back = usize::try_from(self.uint(at, width)?).map_err(|_| CUT)?;
        at.checked_sub(back).ok_or(CUT)
    }

    /// The length before a vector.
    fn length(self, at: usize, width: usize) -> Result<usize, Reason> {
        let length = self.uint(at.checked_sub(width).ok_or(CUT)?, width)?;
        usize::try_from(length).ok().filter(|&length| length <= self.bytes.len()).ok_or(CUT)
    }

    fn text(self, bytes: &[u8]) -> Result<String, Reason> {
        std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| "a text is not UTF-8")
    }

    /// A name, up to the byte 0.
    fn key(self, at: usize) -> Result<String, Reason> {
        let rest = self.bytes.get(at..).ok_or(CUT)?;
        let length = rest.iter().position(|&byte| byte == 0).ok_or(CUT)?;
        self.text(self.take(at, length)?)
    }
}

impl Value<'_> {
    fn kind(&self) -> u8 {
        self.packed >> 2
    }

    /// The width of the numbers that it leads to.
    fn inner(&self) -> usize {
        1 << (self.packed & 3)
    }

    fn target(&self) -> Result<usize, Reason> {
        self.flex.target(self.at, self.width)
    }

    fn map(&self) -> Result<Vec<(String, Attribute)>, Reason> {
        let (flex, at, width) = (self.flex, self.target()?, self.inner());
        let place = at.checked_sub(3 * width).ok_or(CUT)?;
        let keys = flex.target(place, width)?;
        let key_width = usize::try_from(flex.uint(place + width, width)?).map_err(|_| CUT)?;
        let (key_width, length) = (check(key_width)?, flex.length(at, width)?);
        let pair = |index: usize| {
            let key = flex.key(flex.target(keys + index * key_width, key_width)?)?;
            Ok((key, self.element(at, width, length, index)?.attribute()?))
        };
        (0..length).map(pair).collect()
    }

    /// An element of a vector or a map, whose types lie behind it.
    fn element(&self, at: usize, width: usize, length: usize, index: usize) -> Result<Self, Reason> {
        let packed = *self.flex.take(at + length * width + index, 1)?.first().ok_or(CUT)?;
        Ok(Value { at: at + index * width, width, packed, ..*self })
    }

    fn attribute(&self) -> Result<Attribute, Reason> {
        let (flex, inner) = (self.flex, self.inner());
        Ok(match self.kind() {
            kind::INT => Attribute::Int(flex.int(self.at, self.width)?),
            kind::UINT | kind::BOOL => Attribute::Int(signed(flex.uint(self.at, self.width)?)?),
            kind::FLOAT => Attribute::Float(flex.float(self.at, self.width)?),
            kind::INDIRECT_INT => Attribute::Int(flex.int(self.target()?, inner)?),
            kind::INDIRECT_UINT => Attribute::Int(signed(flex.uint(self.target()?, inner)?)?),
            kind::INDIRECT_FLOAT => Attribute::Float(flex.float(self.target()?, inner)?),
            kind::KEY => Attribute::Text(flex.key(self.target()?)?),
            kind::STRING => {
                let at = self.target()?;
                Attribute::Text(flex.text(flex.take(at, flex.length(at, inner)?)?)?)
            }
            kind @ (kind::VECTOR_INT | kind::VECTOR_UINT | kind::VECTOR_FLOAT | kind::VECTOR_BOOL) => {
                let at = self.target()?;
                let kind = if kind == kind::VECTOR_BOOL { kind::UINT } else { kind - kind::VECTOR_INT + kind::INT };
                list(flex.length(at, inner)?, |index| self.number(at, index, kind).attribute())?
            }
            kind @ kind::OF_TWO_INTS..=kind::OF_FOUR_FLOATS => {
                let (at, kind) = (self.target()?, kind - kind::OF_TWO_INTS);
                list(2 + usize::from(kind / 3), |index| self.number(at, index, kind::INT + kind % 3).attribute())?
            }
            kind::VECTOR => {
                let at = self.target()?;
                let length = flex.length(at, inner)?;
                list(length, |index| {
                    let element = self.element(at, inner, length, index)?;
                    let is_number = matches!(element.kind(), kind::INT..=kind::FLOAT | kind::BOOL);
                    if is_number { element.attribute() } else { Err(OTHER) }
                })?
            }
            _ => return Err(OTHER),
        })
    }

    /// An element of a vector of numbers of one type.
    fn number(&self, at: usize, index: usize, kind: u8) -> Self {
        let inner = self.inner();
        Value { at: at + index * inner, width: inner, packed: kind << 2, ..*self }
    }
}

fn signed(uint: u64) -> Result<i64, Reason> {
    i64::try_from(uint).map_err(|_| "an integer has more than 63 bits")
}

/// Numbers of one kind.
fn list(length: usize, element: impl Fn(usize) -> Result<Attribute, Reason>) -> Result<Attribute, Reason> {
    let (mut ints, mut floats) = (Vec::new(), Vec::new());
    for index in 0..length {
        match element(index)? {
            Attribute::Int(int) => ints.push(int),
            Attribute::Float(float) => floats.push(float),
            _ => return Err(OTHER),
        }
    }
    match (ints.is_empty(), floats.is_empty()) {
        (_, true) => Ok(Attribute::Ints(ints)),
        (true, false) => Ok(Attribute::Floats(floats)),
        (false, false) => Err("a list has both integers and floats"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `{"a": 5, "f": 0.5, "l": [1, -2, 3], "s": "up"}`, as flatbuffers' own builder writes it, by hand.
    fn file() -> Vec<u8> {
        let mut bytes = b"a\0f\0l\0s\0".to_vec();
        // The text, behind its length.
        bytes.extend([2, b'u', b'p', 0]);
        // Three integers of a byte, of a type for three; then the float, by itself.
        bytes.extend([1, 0xfe, 3, 0]);
        bytes.extend(0.5f32.to_le_bytes());
        // The keys: their number, and how far back each is.
        let keys = bytes.len() + 1;
        bytes.extend([4, 21, 20, 19, 18]);
        // The map: the keys, the width of theirs, the number, values, types.
        let at = bytes.len();
        bytes.extend([(at - keys) as u8, 1, 4]);
        let values = bytes.len();
        bytes.extend([5, (values + 1 - 16) as u8, (values + 2 - 12) as u8, (values + 3 - 9) as u8]);
        bytes.extend([kind::INT << 2, kind::INDIRECT_FLOAT << 2 | 2, 19 << 2, kind::STRING << 2]);
        bytes.extend([(bytes.len() - values) as u8, kind::MAP << 2, 1]);
        bytes
    }

    #[test]
    fn maps_are_attributes() {
        let expected = [
            ("a".to_owned(), Attribute::Int(5)),
            ("f".to_owned(), Attribute::Float(0.5)),
            ("l".to_owned(), Attribute::Ints(vec![1, -2, 3])),
            ("s".to_owned(), Attribute::Text("up".to_owned())),
        ];
        assert_eq!(attributes(&file()), Ok(expected.to_vec()));
        assert_eq!(attributes(&[]), Ok(Vec::new()));
        assert_eq!(attributes(&[5, kind::INT << 2, 1]), Err("they are no map of names and values"));
    }

    #[test]
    fn no_bytes_make_it_panic() {
        let file = file();
        for end in 0..file.len() {
            let _ = attributes(&file[..end]);
        }
        for place in 0..file.len() {
            for byte in [0, 1, 2, 3, 7, 8, 0x28, 0x2c, 0x7f, 0x80, 0xff] {
                let mut bytes = file.clone();
                bytes[place] = byte;
                let _ = attributes(&bytes);
            }
        }
    }
}
