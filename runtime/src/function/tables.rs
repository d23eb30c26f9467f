//! Look-up tables that a chain keeps for its kernels.

use core::{any::Any, marker::PhantomData};
use std::{sync::Arc, vec::Vec};

use crate::{arguments::AnyTable, element::Primitive};

/// The tables of a kernel in a chain, in argument order; the chain keeps copies of them.
#[derive(Clone, Debug, Default)]
pub struct ChainTables(Vec<Held>);

#[derive(Clone, Debug)]
struct Held {
    /// Points into `entries`.
    table: AnyTable<'static>,
    #[allow(dead_code, reason = "keeps the entries alive")]
    entries: Arc<dyn Any + Send + Sync>,
}

impl ChainTables {
    /// These tables, and a further one.
    #[must_use]
    pub fn with<T: Primitive, const N: usize>(mut self, entries: &[T; N]) -> ChainTables {
        let entries = Arc::new(*entries);
        let table = AnyTable { first: entries.as_ptr().cast(), element: T::ELEMENT, length: N, data: PhantomData };
        self.0.push(Held { table, entries });
        self
    }

    /// The tables, as long as this lives.
    pub(crate) fn list(&self) -> impl ExactSizeIterator<Item = AnyTable<'_>> {
        self.0.iter().map(|held| held.table)
    }
}
