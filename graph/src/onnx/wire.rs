//! Protocol Buffers' wire format: a message is a list of numbered fields, each a number, or bytes of a stated length.
//!
//! Nothing is copied and nothing recurses: a message inside another is its bytes, which whoever wants it reads in turn.

use crate::malformed::Malformed;

/// A message whose fields are read one after another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message<'a> {
    rest: &'a [u8],
    /// Where `rest` begins in the file.
    at: usize,
}

/// What a field holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Content<'a> {
    /// A number of variable length: integers, enums, booleans.
    Number(u64),
    /// Four bytes: a float.
    Four([u8; 4]),
    /// Eight bytes, which no field that is read here has.
    Eight,
    /// Text, a message, or numbers side by side.
    Bytes(Message<'a>),
}

impl<'a> Message<'a> {
    pub fn of_file(bytes: &'a [u8]) -> Message<'a> {
        Message { rest: bytes, at: 0 }
    }

    /// The bytes that are left.
    pub fn bytes(&self) -> &'a [u8] {
        self.rest
    }

    /// Where the message goes on in the file.
    pub fn position(&self) -> usize {
        self.at
    }

    /// The next field's number and content; `None` behind the last.
    pub fn field(&mut self) -> Result<Option<(u64, Content<'a>)>, Malformed> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let at = self.at;
        let key = self.number()?;
        let content = match key & 7 {
            0 => Content::Number(self.number()?),
            1 => {
                self.take(8)?;
                Content::Eight
            }
            2 => {
                let length = self.number()?;
                // A length that `usize` lacks is longer than the file, too.
                self.take(usize::try_from(length).unwrap_or(usize::MAX)).map(Content::Bytes)?
            }
            5 => {
                let four = self.take(4)?;
                Content::Four(four.rest.try_into().map_err(|_| Malformed::Truncated { at })?)
            }
            found => return Err(Malformed::WireType { at, found }),
        };
        Ok(Some((key >> 3, content)))
    }

    /// The next number of a list of numbers side by side; `None` behind the last.
    pub fn listed(&mut self) -> Result<Option<u64>, Malformed> {
        if self.rest.is_empty() { Ok(None) } else { self.number().map(Some) }
    }

    /// Seven bits a byte, the lowest first; the highest bit says that more follow.
    fn number(&mut self) -> Result<u64, Malformed> {
        let at = self.at;
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?.rest.first().copied().ok_or(Malformed::Truncated { at })?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Malformed::Number { at })
    }

    fn take(&mut self, length: usize) -> Result<Message<'a>, Malformed> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(Malformed::Truncated { at: self.at })?;
        let taken = Message { rest: taken, at: self.at };
        (self.rest, self.at) = (rest, self.at + length);
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(bytes: &[u8]) -> Result<Vec<u64>, Malformed> {
        let (mut message, mut found) = (Message::of_file(bytes), Vec::new());
        while let Some((field, content)) = message.field()? {
            found.push(field);
            if let Content::Number(number) = content {
                found.push(number);
            }
        }
        Ok(found)
    }

    #[test]
    fn fields_of_every_wire_type_are_read() {
        let bytes = [0x08, 0x96, 0x01, 0x11, 0, 0, 0, 0, 0, 0, 0, 0, 0x1a, 1, b'a', 0x25, 0, 0, 128, 63];
        assert_eq!(fields(&bytes), Ok(vec![1, 150, 2, 3, 4]));
        let greatest = [0x08, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1];
        assert_eq!(fields(&greatest), Ok(vec![1, u64::MAX]));
    }

    #[test]
    fn what_ends_early_or_has_no_end_is_refused() {
        assert_eq!(fields(&[0x08]), Err(Malformed::Truncated { at: 1 }));
        assert_eq!(fields(&[0x1a, 2, 0]), Err(Malformed::Truncated { at: 2 }));
        let longest = [0x1a, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1];
        assert_eq!(fields(&longest), Err(Malformed::Truncated { at: 11 }));
        assert_eq!(fields(&[0x08, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2]), Err(Malformed::Number { at: 1 }));
        assert_eq!(fields(&[0x0b]), Err(Malformed::WireType { at: 0, found: 3 }));
    }
}
