//! Windows as text: `0..48/16×0..8`, each dimension `start..end` with `/step` where it is not 1.

use core::{
    fmt::{Display, Formatter, Result as Written},
    str::FromStr,
};

use super::{Dimension, Window};
use crate::{
    info::MAX_DIMENSIONS,
    text::{InvalidText, range},
};

const DIMENSION: InvalidText = InvalidText::new("dimension of a window", "0..48/16");
const WINDOW: InvalidText = InvalidText::new("window", "0..48/16×0..8");

impl Display for Dimension {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        write!(f, "{}..{}", self.start, self.end)?;
        if self.step == 1 { Ok(()) } else { write!(f, "/{}", self.step) }
    }
}

impl FromStr for Dimension {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<Dimension, InvalidText> {
        let (extent, step) = text.split_once('/').unwrap_or((text, "1"));
        let read = range(extent).zip(step.trim().parse().ok());
        let ((start, end), step) = read.ok_or(DIMENSION)?;
        Dimension::new(start, end, step).map_err(|_| DIMENSION)
    }
}

impl Display for Window {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        let last = self.dimensions.iter().rposition(|dimension| *dimension != Dimension::single(0));
        write!(f, "{}", self.dimensions[0])?;
        self.dimensions[1..=last.unwrap_or(1).max(1)].iter().try_for_each(|dimension| write!(f, "×{dimension}"))
    }
}

impl FromStr for Window {
    type Err = InvalidText;

    fn from_str(text: &str) -> Result<Window, InvalidText> {
        let mut dimensions = [Dimension::single(0); MAX_DIMENSIONS];
        for (index, part) in text.split('×').enumerate() {
            *dimensions.get_mut(index).ok_or(WINDOW)? = part.trim().parse().map_err(|_| WINDOW)?;
        }
        Ok(Window { dimensions })
    }
}
