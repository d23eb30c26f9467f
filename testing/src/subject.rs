//! The kernel that is tested, as data.
//!
//! A kernel's type says nothing that its code does not. So what is called with a type passes a [`Subject`] on at once, and
//! the harness is compiled once, not for each kernel of a crate.

use std::any::type_name;
use windrow_runtime::{
    code::{Kernel, KernelCode},
    spec::KernelSpec,
};

/// A kernel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject {
    /// What was emitted for it.
    pub(super) code: &'static KernelCode,
    /// The name of its type.
    pub(super) kernel: &'static str,
}

impl Subject {
    /// The kernel `K`.
    pub(super) fn of<K: Kernel>() -> Self {
        Self { code: K::CODE, kernel: type_name::<K>() }
    }

    /// Its specification.
    pub(super) fn spec(&self) -> &'static KernelSpec {
        self.code.spec()
    }
}
