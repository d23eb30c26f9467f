//! Light, in floats.

use windrow::prelude::*;

/// A blend of two images, by the part that the second has of it.
///
/// It says `fast`: where a target multiplies and adds at once, it does so, with one rounding less. The generated tests compare such a
/// kernel within a bound, and not to the bit; so does the test below.
#[kernel(fast)]
pub fn blend(a: f32, b: f32, #[uniform(0.0..=1.0)] part: f32) -> f32 {
    a + (b - a) * part
}

/// Light over four orders of magnitude, as a camera's raw values are.
#[cfg(test)]
fn exposures(place: windrow::testing::Place) -> f64 {
    f64::powi(10.0, (place.at[0] % 5) as i32 - 2) * (1 + place.at[1] % 9) as f64
}

// A target that the machine lacks, `of_exposures::neon` on an x86 processor, is listed as ignored, with the reason: never as passed.
// `WINDROW_REQUIRE=neon` makes its absence a failure.
windrow::property_tests! {
    mod of_exposures: blend {
        shapes: [[7, 129]],
        data: [exposures],
        cases: 16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    #[test]
    fn a_blend_lies_between_its_images() -> Result<(), windrow::Error> {
        let dark = Tensor::from_fn([3, 50], |[y, x]| 0.1 * (y + x) as f32)?;
        let light = Tensor::from_fn([3, 50], |[y, x]| 100.0 + (7 * y + 3 * x) as f32)?;
        let blended = blend::apply(&dark, &light, 0.25)?;
        for (blended, (dark, light)) in blended.to_vec().into_iter().zip(dark.to_vec().into_iter().zip(light.to_vec()))
        {
            let exact = 0.75 * f64::from(dark) + 0.25 * f64::from(light);
            assert_relative_eq!(f64::from(blended), exact, max_relative = 1e-6);
        }
        Ok(())
    }
}
