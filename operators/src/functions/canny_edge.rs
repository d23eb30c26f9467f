//! Canny's edges (OpenVX `vxCannyEdgeDetector`, ACL `NECannyEdge`).

use std::sync::Arc;

use windrow::{
    Border, RunError, TensorInfo, View, ViewMut,
    chain::{Arguments, ChainBuilder, Composite, Executor, FunctionError, OperatorError, PlainOperator, Value},
};

use super::{composite_function, refused};
use crate::{
    magnitude, magnitude_i32, magnitude_l1, magnitude_l1_i32, sobel3x3, sobel5x5, sobel7x7, thin_edges, thin_edges_i32,
};

/// What `thin_edges` makes of an edge, and of what is one if it joins an edge.
const EDGE: u8 = 255;
const FAINT: u8 = 127;

/// How long a gradient is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GradientNorm {
    /// |x| + |y|
    L1,
    /// √(x² + y²), rounded
    L2,
}

/// What is an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CannySettings {
    /// The size of the Sobel gradients: 3, 5 or 7.
    pub gradient: usize,
    /// How long they are.
    pub norm: GradientNorm,
    /// What a gradient is above where an edge goes on, 0 or more.
    pub lower: i32,
    /// What a gradient is above where an edge begins, `lower` or more.
    pub upper: i32,
    /// What gradients read outside the image: any but `Border::Undefined`.
    pub border: Border,
}

/// The edges of an image, one element wide: 255, and 0 elsewhere.
///
/// An edge is where the gradient is greater than on either side of it and above `upper`, and where it is above `lower` beside an edge, or
/// diagonally beside it. Outside the image gradients are 0.
#[derive(Debug)]
pub struct CannyEdge(Composite);

composite_function!(CannyEdge);

impl CannyEdge {
    /// For 8-bit images `[h, w]` like `image`.
    ///
    /// Edges are followed on one thread of the processor.
    ///
    /// # Errors
    /// A [`FunctionError`] for another rank, and a setting out of its range.
    pub fn configure(
        image: &TensorInfo,
        settings: CannySettings,
        executor: &dyn Executor,
    ) -> Result<CannyEdge, FunctionError> {
        settings.check(image)?;
        let image = TensorInfo::of::<u8>(&image.shape().extents())?;
        let mut chain = ChainBuilder::new();
        let src = chain.input(image);
        let thin =
            if settings.gradient == 7 { settings.thin_long(&mut chain, src) } else { settings.thin(&mut chain, src) };
        let [edges, _] = chain.add_operator(Arc::new(JoinEdges), &[thin?])?;
        chain.output(edges)?;
        Ok(CannyEdge(chain.compose(executor)?))
    }
}

impl CannySettings {
    fn check(&self, image: &TensorInfo) -> Result<(), FunctionError> {
        let refused = |argument, found: &dyn core::fmt::Display, rule| Err(refused("CannyEdge", argument, found, rule));
        if image.shape().rank() != 2 {
            return refused("image", &image.shape(), "must be [h, w]");
        }
        if ![3, 5, 7].contains(&self.gradient) {
            return refused("gradient", &self.gradient, "must be 3, 5 or 7");
        }
        if self.lower < 0 {
            return refused("lower", &self.lower, "must be 0 or more");
        }
        if self.border == Border::Undefined {
            return refused("border", &self.border.mode(), "all elements are computed: another border must be given");
        }
        Ok(())
    }

    /// Edges, and what is one if it joins an edge, of gradients of 3×3 and 5×5.
    fn thin(&self, chain: &mut ChainBuilder, src: Value) -> Result<Value, FunctionError> {
        let image = chain.info(src)?;
        let word = TensorInfo::of::<i16>(&image.shape().extents())?;
        let [x, y] = if self.gradient == 3 {
            chain.add(&sobel3x3::configure(&image, Some(&word), Some(&word), self.border)?, &[src])?
        } else {
            chain.add(&sobel5x5::configure(&image, Some(&word), Some(&word), self.border)?, &[src])?
        };
        let [length] = match self.norm {
            GradientNorm::L1 => chain.add(&magnitude_l1::configure(&word, &word, &word)?, &[x, y])?,
            GradientNorm::L2 => chain.add(&magnitude::configure(&word, &word, &word)?, &[x, y])?,
        };
        // No length of 16 bits is above the greatest of them.
        let [lower, upper] = [self.lower, self.upper].map(|level| i16::try_from(level).unwrap_or(i16::MAX));
        let outside = Border::constant(0i16);
        let thin = thin_edges::configure(&word, &word, &word, lower, upper, &image, outside)?;
        let [thin] = chain.add(&thin, &[length, x, y])?;
        Ok(thin)
    }

    /// The same of 7×7, in 32 bits.
    fn thin_long(&self, chain: &mut ChainBuilder, src: Value) -> Result<Value, FunctionError> {
        let image = chain.info(src)?;
        let word = TensorInfo::of::<i32>(&image.shape().extents())?;
        let [x, y] = chain.add(&sobel7x7::configure(&image, &word, &word, self.border)?, &[src])?;
        let [length] = match self.norm {
            GradientNorm::L1 => chain.add(&magnitude_l1_i32::configure(&word, &word, &word)?, &[x, y])?,
            GradientNorm::L2 => chain.add(&magnitude_i32::configure(&word, &word, &word)?, &[x, y])?,
        };
        let outside = Border::constant(0i32);
        let thin = thin_edges_i32::configure(&word, &word, &word, self.lower, self.upper, &image, outside)?;
        let [thin] = chain.add(&thin, &[length, x, y])?;
        Ok(thin)
    }
}

/// Keeps of what may be an edge all that touches an edge, step by step, and so no kernel: edges are followed in an order of their own.
///
/// A second output is its memory: the elements whose neighbours are still to be looked at, each at most once.
#[derive(Clone, Copy, Debug)]
struct JoinEdges;

impl PlainOperator for JoinEdges {
    fn name(&self) -> &str {
        "join_edges"
    }

    fn infer(&self, inputs: &[TensorInfo]) -> Result<Vec<TensorInfo>, OperatorError> {
        let [thin] = inputs else { return Err(OperatorError::InputCount { found: inputs.len(), expected: 1 }) };
        let waiting = TensorInfo::of::<[u32; 2]>(&[thin.height() * thin.width()])?;
        Ok(vec![TensorInfo::of::<u8>(&thin.shape().extents())?, waiting])
    }

    fn run(&self, mut given: Arguments<'_>) -> Result<(), RunError> {
        let missing = RunError::Kernel { reason: "an image has a gap in its rows" };
        let (thin, mut waiting) = (given.input_of::<u8>(0)?, given.output_of::<[u32; 2]>(1)?);
        let mut joined =
            Joined { thin, edges: given.output_of(0)?, waiting: waiting.row_mut(0).ok_or(missing)?, count: 0 };
        for y in 0..thin.info().height() {
            joined.edges.row_mut(y).ok_or(missing)?.fill(0);
        }
        for y in 0..thin.info().height() {
            for (x, _) in thin.row(y).ok_or(missing)?.iter().enumerate().filter(|(_, kind)| **kind == EDGE) {
                joined.add(y, x);
            }
        }
        while let Some([y, x]) = joined.next() {
            for row in y.saturating_sub(1)..=y + 1 {
                for column in x.saturating_sub(1)..=x + 1 {
                    if joined.thin.get([row, column]) == Some(FAINT) {
                        joined.add(row, column);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Edges as far as they are joined.
struct Joined<'a, 'w> {
    thin: View<'a, u8>,
    edges: ViewMut<'a, u8>,
    waiting: &'w mut [[u32; 2]],
    count: usize,
}

impl Joined<'_, '_> {
    /// An element is an edge, where it isn't one yet: its neighbours are to be looked at.
    fn add(&mut self, y: usize, x: usize) {
        let edge = self.edges.row_mut(y).and_then(|row| row.get_mut(x)).filter(|edge| **edge == 0);
        if let (Some(edge), Some(place)) = (edge, self.waiting.get_mut(self.count)) {
            (*edge, *place) = (EDGE, [y as u32, x as u32]);
            self.count += 1;
        }
    }

    fn next(&mut self) -> Option<[usize; 2]> {
        self.count = self.count.checked_sub(1)?;
        self.waiting.get(self.count).map(|place| place.map(|at| at as usize))
    }
}
