//! Look-up tables of the stages of a chain: kept with the chain, or computed by an earlier stage.

use core::{any::Any, marker::PhantomData};
use std::{sync::Arc, vec, vec::Vec};

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
    /// Returns the tables with a further one.
    #[must_use]
    pub fn with<T: Primitive, const N: usize>(mut self, entries: &[T; N]) -> ChainTables {
        let entries = Arc::new(*entries);
        let table = AnyTable { first: entries.as_ptr().cast(), element: T::ELEMENT, length: N, data: PhantomData };
        self.0.push(Table::Kept(Held { table, entries }));
        self
    }

    /// Returns the tables with a further one, whose type is known at run time.
    #[must_use]
    pub fn with_any(mut self, table: AnyTable<'_>) -> ChainTables {
        let bytes = table.as_bytes();
        // Words, as the entries' alignment is at most theirs.
        let mut words = vec![0u64; bytes.len().div_ceil(size_of::<u64>())];
        // SAFETY: the words are initialised, have at least as many bytes, and are borrowed exclusively.
        let copy = unsafe { core::slice::from_raw_parts_mut(words.as_mut_ptr().cast::<u8>(), bytes.len()) };
        copy.copy_from_slice(bytes);
        let entries: Arc<Vec<u64>> = Arc::new(words);
        let (element, length) = (table.element, table.length);
        let table = AnyTable { first: entries.as_ptr().cast(), element, length, data: PhantomData };
        self.0.push(Table::Kept(Held { table, entries }));
        self
    }

    /// Returns the tables with `renamed` in the place of each value.
    pub(super) fn renamed(&self, renamed: &dyn Fn(Value) -> Option<Value>) -> Option<ChainTables> {
        let rename = |table: &Table| match table {
            Table::Kept(held) => Some(Table::Kept(held.clone())),
            Table::Computed(value) => renamed(*value).map(Table::Computed),
        };
        self.0.iter().map(rename).collect::<Option<Vec<_>>>().map(ChainTables)
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
