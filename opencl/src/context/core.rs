//! What all objects of a context have in common: the driver's context, its device, and how floats are computed there.

use crate::{
    Device, Driver, EffectiveNumerics, HintReport, Numerics, OpenClError, Precision,
    driver::handle::{ContextObject, Handle},
};

/// What all objects of a context hold.
#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) handle: Handle<ContextObject>,
    pub(crate) device: Device,
    /// Properties of queues, in pairs.
    pub(crate) hints: Vec<u64>,
    pub(crate) reports: Vec<HintReport>,
    pub(crate) numerics: Numerics,
    pub(crate) flushes_denormals: bool,
    pub(crate) unoptimised: bool,
    pub(crate) precision: Precision,
}

impl Core {
    pub(crate) fn driver(&self) -> &Driver {
        self.handle.driver()
    }

    /// How the floats of a program are computed here.
    pub(crate) fn effective_numerics(&self, source: &str) -> EffectiveNumerics {
        EffectiveNumerics::of(&self.device, source, self.flushes_denormals)
    }

    pub(crate) fn handle(&self) -> &Handle<ContextObject> {
        &self.handle
    }

    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.handle.raw() == other.handle.raw() && self.device.id == other.device.id
    }

    /// Refuses an object of another context, by its name.
    pub(crate) fn check_same(&self, argument: &str, other: &Self) -> Result<(), OpenClError> {
        if self.is_same(other) {
            return Ok(());
        }
        let (found, expected) = (other.device.to_string(), self.device.to_string());
        Err(OpenClError::Foreign { argument: argument.to_string(), found, expected })
    }
}
