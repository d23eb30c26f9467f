//! What is known of a kernel: the proof of each choice of its variants, and what each target makes of it.

use crate::selection::SelectionError;
use windrow_backends::doors::instructions::{Listing, listings};
use windrow_backends::doors::source::SourceKernel;
use windrow_dsl::{analyse, optimise::explain_lanes};

/// What is known of a kernel.
pub struct Facts<'a> {
    /// The kernel, its place in the file and its bodies.
    pub source: &'a SourceKernel,
    /// The proof of each choice of variants, as lines.
    pub proofs: Vec<String>,
    /// What each target that is written by default makes of each body.
    pub listings: Vec<(&'static str, Listing)>,
}

impl<'a> Facts<'a> {
    /// What is known of a kernel.
    ///
    /// # Errors
    /// A target has no instructions for it.
    pub fn of(source: &'a SourceKernel) -> Result<Self, SelectionError> {
        let kernel = &source.compiled.kernel;
        let bodies = kernel.bodies.iter().zip(&kernel.facts);
        let proofs = bodies.map(|(body, facts)| analyse::explain(kernel, body, facts) + &explain_lanes(kernel, body));
        Ok(Self { source, proofs: proofs.collect(), listings: listings(kernel, &source.prepared)? })
    }
}
