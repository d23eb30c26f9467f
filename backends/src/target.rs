//! What a CPU target is: a tier that bodies are written for, as data.

use crate::rows::EmittedBody;
use crate::vector::{Machine, Weighed};
use windrow_dsl::diagnostic::Diagnostic;
use windrow_dsl::ir::{Block, Kernel};
use windrow_dsl::optimise::Prepared;

/// Writes the function of this name for one of [`Prepared::bodies`], with a block in vectors and rows, or else with that of
/// the author's schedule or of the cost model; or says which operations the target has no instructions for.
pub type Emit = fn(&Kernel, &Prepared, usize, &str, Option<Block>) -> Result<EmittedBody, Vec<Diagnostic>>;

/// A tier that bodies are written for.
#[derive(Clone, Copy, Debug)]
pub struct CpuTarget {
    /// Its name, that of the runtime's `Tier` where no other is of the same tier: `sse4.1`.
    pub name: &'static str,
    /// What `schedule(..)` and the command line call it and its like: `x86`.
    pub family: &'static str,
    /// The variant of the runtime's `Tier`.
    pub tier: &'static str,
    /// Whether it is of the tier of the target before it, and for rows that do not fill that one's vectors.
    pub is_narrow: bool,
    /// Whether it has bodies of kernels alone that add products of bytes.
    pub is_for_bytes: bool,
    /// The `target_arch` for which its bodies are compiled; all, where there is none.
    pub architecture: Option<&'static str>,
    /// The feature of the facade with which its bodies are written; always, where there is none.
    pub feature: Option<&'static str>,
    /// Whether its bodies of a kernel cost less than those of the target behind it; always written, where nothing asks.
    pub pays: Option<fn(&Kernel, &Prepared) -> bool>,
    /// Its numbers, where it has vectors.
    pub(crate) machine: Option<&'static Machine>,
    /// Its emitter.
    pub emit: Emit,
    /// What it weighed for one of [`Prepared::bodies`]; nothing where it does not choose among schedules.
    pub weigh: fn(&Kernel, &Prepared, usize) -> Option<Weighed>,
    /// Whether a function that a body calls becomes an instruction of its loop.
    pub is_instruction: fn(&str) -> bool,
}

impl CpuTarget {
    /// Bytes of a vector; of an element's own, where it has none.
    pub fn vector_bytes(&self) -> u32 {
        self.machine.map_or(1, |machine| machine.bits() / 8)
    }

    /// The name of a body's function: `sse41_0`.
    pub fn function(&self, index: usize) -> String {
        format!("{}_{index}", self.name.replace('.', ""))
    }

    /// The bodies of a kernel, in the order of [`Prepared::bodies`]; none where they do not pay.
    ///
    /// # Errors
    /// Each operation that the target has no instructions for.
    pub fn bodies(&self, kernel: &Kernel, prepared: &Prepared) -> Result<Vec<EmittedBody>, Vec<Diagnostic>> {
        if self.pays.is_some_and(|pays| !pays(kernel, prepared)) {
            return Ok(Vec::new());
        }
        (0..prepared.bodies.len())
            .map(|index| (self.emit)(kernel, prepared, index, &self.function(index), None))
            .collect()
    }
}
