//! What a device doesn't have.

/// A platform, a device or a driver lacks what was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{device} lacks {feature}")]
pub struct MissingFeature {
    /// Who lacks it.
    pub device: String,
    /// A function, an extension or a property.
    pub feature: String,
}

impl MissingFeature {
    pub(crate) fn new(device: impl Into<String>, feature: impl Into<String>) -> Self {
        Self { device: device.into(), feature: feature.into() }
    }
}
