//! Look-up tables of the stages of a chain: kept with the chain, or computed by an earlier stage.

use core::{any::Any, marker::PhantomData};
use std::{sync::Arc, vec::Vec};

use super::value::Value;
use crate::{arguments::AnyTable, element::Primitive};

/// The tables of a stage, in argument order; the chain keeps copies of those that are given here.
#[derive(Clone, Debug, Default)]
pub struct ChainTables(Vec<Table>);

#[derive(Clone, Debug)]
enum Table {
    Kept(Held),
    Computed(Value),
}

#[derive(Clone, Debug)]
struct Held {
    /// Points into `entries`.
    table: AnyTable<'static>,
    #[allow(dead_code, reason = "keeps the entries alive")]
    entries: Arc<dyn Any + Send + Sync>,
}

impl ChainTables {
    /// Returns these tables, and a further one.
    #[must_use]
    pub fn with<T: Primitive, const N: usize>(mut self, entries: &[T; N]) -> ChainTables {
        let entries = Arc::new(*entries);
        let table = AnyTable { first: entries.as_ptr().cast(), element: T::ELEMENT, length: N, data: PhantomData };
        self.0.push(Table::Kept(Held { table, entries }));
        self
    }

    /// Returns these tables, and a further one: a value of the chain, which an earlier stage computes or the caller
    /// gives.
    #[must_use]
    pub fn computed(mut self, value: Value) -> ChainTables {
        self.0.push(Table::Computed(value));
        self
    }

    /// For each table: the value that it is, or the table that is kept.
    pub(super) fn each(&self) -> impl ExactSizeIterator<Item = Result<Value, AnyTable<'_>>> {
        self.0.iter().map(|table| match table {
            Table::Kept(held) => Err(held.table),
            Table::Computed(value) => Ok(*value),
        })
    }

    /// The tables that are kept, as long as this lives.
    pub(crate) fn list(&self) -> impl Iterator<Item = AnyTable<'_>> {
        self.each().filter_map(Result::err)
    }
}
