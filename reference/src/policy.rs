//! The closed choices that many operators share: what a `#[variant]` parameter may be without an enum of the author's.

/// What becomes of a result that the output type lacks (OpenVX's convert policy).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overflow {
    /// Its low bits.
    Wrap,
    /// The nearest value.
    Saturate,
}

/// What becomes of a fraction (OpenVX's round policy).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// It is dropped.
    TowardZero,
    /// To the nearest integer, halves to the even one.
    NearestEven,
}

/// Which of a set of elements in order is taken (OpenVX's non-linear filter function).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rank {
    /// The least.
    Min,
    /// The median.
    Median,
    /// The greatest.
    Max,
}
