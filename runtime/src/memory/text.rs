//! Plans as text: a claim is `4096/64 2..=5`, bytes at an alignment through steps; a place `1+256`, an offset in a block.

use core::{
    fmt::{Display, Formatter, Result as Written},
    str::FromStr,
};

use super::{BlockSize, Lifetime, Place, Plan};
use crate::text::{InvalidText, parts};

impl Display for BlockSize {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        write!(f, "{}/{}", self.size, self.alignment)
    }
}

impl FromStr for BlockSize {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<BlockSize, InvalidText> {
        let read = || {
            let [size, alignment] = parts(text, "/")?;
            Some(BlockSize { size: size.parse().ok()?, alignment: alignment.parse().ok()? })
        };
        read().ok_or(InvalidText::new("size of a block", "4096/64"))
    }
}

impl Display for Lifetime {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        let Lifetime { size, alignment, first, last } = *self;
        write!(f, "{} {first}..={last}", BlockSize { size, alignment })
    }
}

impl FromStr for Lifetime {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<Lifetime, InvalidText> {
        let read = || {
            let [memory, steps] = parts(text, " ")?;
            let BlockSize { size, alignment } = memory.parse().ok()?;
            let [first, last] = parts(steps, "..=")?;
            Some(Lifetime { size, alignment, first: first.parse().ok()?, last: last.parse().ok()? })
        };
        read().ok_or(InvalidText::new("lifetime", "4096/64 2..=5"))
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        write!(f, "{}+{}", self.block, self.offset)
    }
}

impl FromStr for Place {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<Place, InvalidText> {
        let read = || {
            let [block, offset] = parts(text, "+")?;
            Some(Place { block: block.parse().ok()?, offset: offset.parse().ok()? })
        };
        read().ok_or(InvalidText::new("place in a plan", "1+256"))
    }
}

impl Display for Plan {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        f.write_str("blocks")?;
        self.blocks.iter().try_for_each(|block| write!(f, " {block}"))?;
        f.write_str("; places")?;
        self.places.iter().try_for_each(|place| write!(f, " {place}"))
    }
}

impl FromStr for Plan {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<Plan, InvalidText> {
        let invalid = InvalidText::new("plan", "blocks 4096/64; places 0+0 0+1024");
        let [blocks, places] = parts(text, ";").ok_or(invalid)?;
        let blocks = blocks.strip_prefix("blocks").ok_or(invalid)?;
        let places = places.strip_prefix("places").ok_or(invalid)?;
        Ok(Plan {
            places: places.split_whitespace().map(str::parse).collect::<Result<_, _>>()?,
            blocks: blocks.split_whitespace().map(str::parse).collect::<Result<_, _>>()?,
        })
    }
}
