//! Windows as text: `0..48/16×0..8`, each dimension `start..end` with `/step` where it is not 1.

use core::fmt::{Display, Formatter, Result as Written};

use super::{Dimension, Window};

impl Display for Dimension {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        write!(f, "{}..{}", self.start, self.end)?;
        if self.step == 1 { Ok(()) } else { write!(f, "/{}", self.step) }
    }
}

impl Display for Window {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        let last = self.dimensions.iter().rposition(|dimension| *dimension != Dimension::single(0));
        write!(f, "{}", self.dimensions[0])?;
        self.dimensions[1..=last.unwrap_or(1).max(1)].iter().try_for_each(|dimension| write!(f, "×{dimension}"))
    }
}
