//! Functions of elements, and what is made of several.

/// A function of one element, with what its attributes say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Function {
    /// |x|.
    Abs,
    /// −x.
    Neg,
    /// e^x.
    Exp,
    /// ln x.
    Log,
    /// √x.
    Sqrt,
    /// 1 / x.
    Reciprocal,
    /// The error function.
    Erf,
    /// The greatest whole number that is no greater.
    Floor,
    /// The least whole number that is no less.
    Ceil,
    /// The nearest whole number, of two the even one.
    Round,
    /// −1, 0 or 1, and what is no number as it is.
    Sign,
    /// The sine.
    Sin,
    /// The cosine.
    Cos,
    /// The tangent.
    Tan,
    /// The inverse of the sine.
    Asin,
    /// The inverse of the cosine.
    Acos,
    /// The inverse of the tangent.
    Atan,
    /// The hyperbolic sine.
    Sinh,
    /// The hyperbolic cosine.
    Cosh,
    /// The inverse of the hyperbolic sine.
    Asinh,
    /// The inverse of the hyperbolic cosine.
    Acosh,
    /// The inverse of the hyperbolic tangent.
    Atanh,
    /// 1 / (1 + e^−x).
    Sigmoid,
    /// The hyperbolic tangent.
    Tanh,
    /// ln(1 + e^x).
    Softplus,
    /// x / (1 + |x|).
    Softsign,
    /// x · tanh(ln(1 + e^x)).
    Mish,
    /// x · min(max(x / 6 + 1/2, 0), 1).
    HardSwish,
    /// x · (1 + erf(x / √2)) / 2.
    Gelu,
    /// `Gelu` by `tanh`.
    GeluTanh,
    /// x where it is not negative, slope · x elsewhere.
    LeakyRelu {
        /// The slope.
        slope: f32,
    },
    /// min(max(alpha · x + beta, 0), 1).
    HardSigmoid {
        /// The slope.
        alpha: f32,
        /// The value at 0.
        beta: f32,
    },
    /// x where it is not negative, alpha · (e^x − 1) elsewhere.
    Elu {
        /// What it goes to, negated.
        alpha: f32,
    },
    /// gamma · `Elu`.
    Selu {
        /// As `Elu` has it.
        alpha: f32,
        /// The factor.
        gamma: f32,
    },
    /// x where it is not negative, alpha · (e^(x / alpha) − 1) elsewhere.
    Celu {
        /// What it goes to, negated.
        alpha: f32,
    },
    /// x / (1 + e^(−alpha · x)).
    Swish {
        /// The factor of the exponent.
        alpha: f32,
    },
    /// x + bias below −level, x − bias above level, 0 between.
    Shrink {
        /// Where 0 ends.
        level: f32,
        /// What is taken from the magnitude.
        bias: f32,
    },
    /// x above a level, 0 elsewhere.
    ThresholdedRelu {
        /// The level.
        level: f32,
    },
}

/// A function of two elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pair {
    /// a − b.
    Subtract,
    /// a / b.
    Divide,
    /// a to the power of b.
    Power,
    /// a where it is not negative, a · b elsewhere.
    Prelu,
    /// The lesser.
    Minimum,
    /// The greater.
    Maximum,
}

/// How two elements are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// a = b.
    Equal,
    /// a > b.
    Greater,
    /// a ≥ b.
    GreaterOrEqual,
    /// a < b.
    Less,
    /// a ≤ b.
    LessOrEqual,
}

/// What is made of two truth values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logic {
    /// Both.
    And,
    /// One of them, or both.
    Or,
    /// One of them.
    Xor,
}

/// A number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A float.
    Float(f32),
    /// An integer.
    Integer(i64),
}

/// What elements are made by `Cast`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// Floats of 32 bits.
    Float,
    /// Integers of 32 bits, which those of 64 are here.
    Integer,
    /// Unsigned integers of 8 bits.
    Byte,
    /// Truth values: 0 and 1 in such integers.
    Truth,
}

/// What a reduction makes of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Their sum.
    Sum,
    /// Their mean.
    Mean,
    /// The greatest.
    Greatest,
    /// The least.
    Least,
    /// Their product.
    Product,
    /// The sum of their magnitudes.
    Magnitudes,
    /// The sum of their squares.
    Squares,
    /// The root of the sum of their squares.
    Norm,
    /// The logarithm of their sum.
    LogSum,
    /// The logarithm of the sum of their exponentials.
    LogSumExp,
}

/// Which of several elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extremum {
    /// The greatest.
    Greatest,
    /// The least.
    Least,
}

/// The dimensions of a reduction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Axes {
    /// All of them.
    All,
    /// The rows and the columns of an image.
    OfImage,
    /// These; from the end where they are negative.
    These(Vec<i64>),
}
