//! Floats in files of JSON, which has numbers for those that are finite alone.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A float that a file gives back with the same bits, but for the payload of a NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Float(pub f32);

impl From<f32> for Float {
    fn from(float: f32) -> Float {
        Float(float)
    }
}

impl From<Float> for f32 {
    fn from(float: Float) -> f32 {
        float.0
    }
}

impl Serialize for Float {
    /// As the float of 64 bits that is equal: a reader may miss that by its last bit, and still rounds to the float of 32 bits.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_finite() { serializer.serialize_f64(self.0.into()) } else { serializer.collect_str(&self.0) }
    }
}

impl<'de> Deserialize<'de> for Float {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Float, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl de::Visitor<'_> for Reader {
    type Value = Float;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, \"inf\", \"-inf\" or \"NaN\"")
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Float, E> {
        Ok(Float(number as f32))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Float, E> {
        Ok(Float(number as f32))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Float, E> {
        Ok(Float(number as f32))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Float, E> {
        match text {
            "inf" => Ok(Float(f32::INFINITY)),
            "-inf" => Ok(Float(f32::NEG_INFINITY)),
            "NaN" => Ok(Float(f32::NAN)),
            _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_come_back_with_the_same_bits() {
        let edges = [0.0, -0.0, f32::MIN_POSITIVE, f32::MAX, f32::MIN, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
        // Of every size, and none of them close to the next.
        let many = (0..u32::MAX).step_by(65_521).map(f32::from_bits);
        for float in edges.into_iter().chain(many) {
            let text = serde_json::to_string(&Float(float)).unwrap();
            let found: Float = serde_json::from_str(&text).unwrap();
            assert!(found.0.to_bits() == float.to_bits() || found.0.is_nan() && float.is_nan(), "{float:e}: {text}");
        }
        assert!(serde_json::from_str::<Float>("\"Infinity\"").is_err());
    }
}
