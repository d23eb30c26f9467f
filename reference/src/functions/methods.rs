//! The elementary functions as methods.

/// The elementary functions with one meaning on every target: a kernel's text calls these names instead.
///
/// The page on functions says how near each is to the exact value, and what it gives for zeros, infinities and NaN.
pub trait Functions: Sized {
    /// Returns e to the power of the number.
    ///
    /// ```
    /// use windrow::language::Functions;
    ///
    /// assert_eq!(0.0f32.__windrow_exp(), 1.0);
    /// ```
    fn __windrow_exp(self) -> Self;

    /// Returns 2 to the power of the number.
    ///
    /// ```
    /// use windrow::language::Functions;
    ///
    /// assert_eq!(10.0f32.__windrow_exp2(), 1024.0);
    /// ```
    fn __windrow_exp2(self) -> Self;

    /// Returns the natural logarithm.
    ///
    /// ```
    /// use windrow::language::Functions;
    ///
    /// assert_eq!(1.0f32.__windrow_ln(), 0.0);
    /// ```
    fn __windrow_ln(self) -> Self;

    /// Returns the logarithm to the base 2.
    ///
    /// ```
    /// use windrow::language::Functions;
    ///
    /// assert_eq!(0.125f32.__windrow_log2(), -3.0);
    /// ```
    fn __windrow_log2(self) -> Self;

    /// Returns the number to the power of `y`.
    ///
    /// ```
    /// use windrow::language::Functions;
    ///
    /// assert_eq!(2.0f32.__windrow_powf(-1.0), 0.5);
    /// ```
    fn __windrow_powf(self, y: Self) -> Self;

    /// Returns the reciprocal of the square root.
    ///
    /// ```
    /// use windrow::language::Functions;
    ///
    /// assert_eq!(4.0f32.__windrow_rsqrt(), 0.5);
    /// ```
    fn __windrow_rsqrt(self) -> Self;

    /// Returns the hyperbolic tangent.
    ///
    /// ```
    /// use windrow::language::Functions;
    ///
    /// assert_eq!(0.0f32.__windrow_tanh(), 0.0);
    /// ```
    fn __windrow_tanh(self) -> Self;

    /// Returns 1 / (1 + e^−x).
    ///
    /// ```
    /// use windrow::language::Functions;
    ///
    /// assert_eq!(0.0f32.__windrow_sigmoid(), 0.5);
    /// ```
    fn __windrow_sigmoid(self) -> Self;

    /// Returns the error function.
    ///
    /// ```
    /// use windrow::language::Functions;
    ///
    /// assert_eq!(f32::INFINITY.__windrow_erf(), 1.0);
    /// ```
    fn __windrow_erf(self) -> Self;

    /// Returns the sine of an angle in radians.
    ///
    /// ```
    /// use windrow::language::Functions;
    ///
    /// assert_eq!(0.0f32.__windrow_sin(), 0.0);
    /// ```
    fn __windrow_sin(self) -> Self;

    /// Returns the cosine of an angle in radians.
    ///
    /// ```
    /// use windrow::language::Functions;
    ///
    /// assert_eq!(0.0f32.__windrow_cos(), 1.0);
    /// ```
    fn __windrow_cos(self) -> Self;

    /// Returns the arc tangent, in radians.
    ///
    /// ```
    /// use windrow::language::Functions;
    ///
    /// assert_eq!(f32::INFINITY.__windrow_atan(), core::f32::consts::FRAC_PI_2);
    /// ```
    fn __windrow_atan(self) -> Self;

    /// Returns the angle of the point (`x`, `self`), in radians.
    ///
    /// ```
    /// use windrow::language::Functions;
    ///
    /// assert_eq!(1.0f32.__windrow_atan2(0.0), core::f32::consts::FRAC_PI_2);
    /// ```
    fn __windrow_atan2(self, x: Self) -> Self;
}

impl Functions for f32 {
    fn __windrow_exp(self) -> Self {
        super::exp(self)
    }

    fn __windrow_exp2(self) -> Self {
        super::exp2(self)
    }

    fn __windrow_ln(self) -> Self {
        super::ln(self)
    }

    fn __windrow_log2(self) -> Self {
        super::log2(self)
    }

    fn __windrow_powf(self, y: Self) -> Self {
        super::powf(self, y)
    }

    fn __windrow_rsqrt(self) -> Self {
        super::rsqrt(self)
    }

    fn __windrow_tanh(self) -> Self {
        super::tanh(self)
    }

    fn __windrow_sigmoid(self) -> Self {
        super::sigmoid(self)
    }

    fn __windrow_erf(self) -> Self {
        super::erf(self)
    }

    fn __windrow_sin(self) -> Self {
        super::sin(self)
    }

    fn __windrow_cos(self) -> Self {
        super::cos(self)
    }

    fn __windrow_atan(self) -> Self {
        super::atan(self)
    }

    fn __windrow_atan2(self, x: Self) -> Self {
        super::atan2(self, x)
    }
}
