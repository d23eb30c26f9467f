//! What a window says: how far extents and coordinates go, and that a coordinate is below its extent.

use super::analysis::Analysis;
use super::polynomial::Polynomial;
use crate::ir::range::Range;
use crate::ir::{AxisId, Extent, ExtentOp, Op, ValueId};
use windrow_reference::limits::MAX_WINDOW_EXTENT;

impl Analysis<'_> {
    /// The range of an extent or a coordinate of a kernel with a window.
    pub(super) fn window_range(&self, op: &Op) -> Option<Range> {
        self.kernel.window.as_ref()?;
        let most = MAX_WINDOW_EXTENT as i128;
        match *op {
            Op::Extent { .. } => Some(Range::Int { lo: 1, hi: most }),
            Op::Coordinate { offset, .. } => Some(Range::Int { lo: offset.into(), hi: most - 1 + i128::from(offset) }),
            _ => None,
        }
    }

    /// A polynomial that is not negative, since the coordinate along an axis is below the output's extent: extent − 1 − coordinate;
    /// where the extent is ⌊a / s⌋ + p, a − s · (coordinate − p + 1).
    pub(super) fn window_fact(&self, coordinate: &Polynomial, axis: AxisId) -> Option<Polynomial> {
        let window = self.kernel.window.as_ref()?;
        let inner = match axis {
            AxisId::X => 0,
            AxisId::Y => 1,
            _ => AxisId::COUNT + axis.as_outer()?,
        };
        let extent = window.get(window.len().checked_sub(1 + inner as usize)?)?;
        let mut sum = Sum::default();
        self.add_extent(extent, 1, &mut sum)?;
        let past = coordinate.sub(&sum.rest.unwrap_or(Polynomial::constant(0)))?.add(&Polynomial::constant(1))?;
        match sum.quotient {
            Some((dividend, divisor)) => dividend.sub(&past.mul(&divisor)?),
            None => past.scale(-1),
        }
    }

    /// Adds an extent so many times.
    fn add_extent(&self, extent: &Extent, factor: i128, sum: &mut Sum) -> Option<()> {
        match extent {
            Extent::Binary(ExtentOp::Sum, sides) => {
                self.add_extent(&sides[0], factor, sum)?;
                self.add_extent(&sides[1], factor, sum)
            }
            Extent::Binary(ExtentOp::Difference, sides) => {
                self.add_extent(&sides[0], factor, sum)?;
                self.add_extent(&sides[1], -factor, sum)
            }
            Extent::Binary(ExtentOp::Quotient, sides) if factor == 1 && sum.quotient.is_none() => {
                let divisor = self.polynomial_of_extent(&sides[1])?;
                // The divisor is positive: a run checks it.
                sum.quotient = Some((self.polynomial_of_extent(&sides[0])?, divisor));
                Some(())
            }
            other => {
                let own = self.polynomial_of_extent(other)?;
                let rest = sum.rest.take().unwrap_or(Polynomial::constant(0));
                sum.rest = Some(rest.add_scaled(&own, factor)?);
                Some(())
            }
        }
    }

    /// An extent without quotients, over what the body reads of it. What it does not read is in no question either.
    fn polynomial_of_extent(&self, extent: &Extent) -> Option<Polynomial> {
        let leaf = |wanted: &Op| {
            let place = self.body.nodes.iter().position(|node| node.op == *wanted)?;
            Some(Polynomial::atom(self.canon[ValueId(place as u32).0 as usize]))
        };
        match extent {
            Extent::Number(number) => Some(Polynomial::constant((*number).into())),
            Extent::Named(input, dimension) => {
                let (input, dimension) = self.kernel.first_extent(*input, *dimension);
                leaf(&Op::Extent { input, dimension })
            }
            Extent::Uniform(uniform, index) => leaf(&Op::Uniform { uniform: *uniform, index: *index }),
            Extent::Binary(op, sides) => {
                let (a, b) = (self.polynomial_of_extent(&sides[0])?, self.polynomial_of_extent(&sides[1])?);
                match op {
                    ExtentOp::Sum => a.add(&b),
                    ExtentOp::Difference => a.sub(&b),
                    ExtentOp::Product => a.mul(&b),
                    ExtentOp::Quotient => None,
                }
            }
        }
    }
}

/// An extent as a sum, at most one quotient among its terms.
#[derive(Default)]
struct Sum {
    rest: Option<Polynomial>,
    /// The dividend and the divisor.
    quotient: Option<(Polynomial, Polynomial)>,
}
