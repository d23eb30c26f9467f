//! The arguments of a run, built from data: views and tables whose types the kernel's specification says.

use windrow_reference::{bf16, f16};
use windrow_runtime::{
    arguments::{AnyTable, InputList, Inputs, OutputList, Outputs},
    element::{ElementType, Primitive},
    view::{AnyView, AnyViewMut},
};

/// What is read.
#[derive(Debug)]
pub(super) struct Read<'a> {
    pub(super) views: Vec<AnyView<'a>>,
    pub(super) tables: &'a [Entries],
}

/// What is written.
#[derive(Debug)]
pub(super) struct Written<'a> {
    pub(super) views: Vec<Option<AnyViewMut<'a>>>,
}

/// The entries of a table.
#[derive(Clone, Debug)]
pub(super) enum Entries {
    U8(Vec<u8>),
    I8(Vec<i8>),
    U16(Vec<u16>),
    I16(Vec<i16>),
    U32(Vec<u32>),
    I32(Vec<i32>),
    F32(Vec<f32>),
    U64(Vec<u64>),
    I64(Vec<i64>),
    F64(Vec<f64>),
    F16(Vec<f16>),
    BF16(Vec<bf16>),
}

impl Entries {
    /// The table of these words.
    pub(super) fn of(element: ElementType, words: &[u32]) -> Self {
        fn typed<T: Primitive>(words: &[u32]) -> Vec<T> {
            words.iter().map(|word| T::from_word(*word)).collect()
        }
        match element {
            ElementType::U8 => Self::U8(typed(words)),
            ElementType::I8 => Self::I8(typed(words)),
            ElementType::U16 => Self::U16(typed(words)),
            ElementType::I16 => Self::I16(typed(words)),
            ElementType::U32 => Self::U32(typed(words)),
            ElementType::I32 => Self::I32(typed(words)),
            ElementType::F32 => Self::F32(typed(words)),
            ElementType::U64 => Self::U64(typed(words)),
            ElementType::I64 => Self::I64(typed(words)),
            ElementType::F64 => Self::F64(typed(words)),
            ElementType::F16 => Self::F16(typed(words)),
            ElementType::BF16 => Self::BF16(typed(words)),
        }
    }

    /// The table.
    pub(super) fn table(&self) -> AnyTable<'_> {
        match self {
            Self::U8(entries) => AnyTable::new(entries),
            Self::I8(entries) => AnyTable::new(entries),
            Self::U16(entries) => AnyTable::new(entries),
            Self::I16(entries) => AnyTable::new(entries),
            Self::U32(entries) => AnyTable::new(entries),
            Self::I32(entries) => AnyTable::new(entries),
            Self::F32(entries) => AnyTable::new(entries),
            Self::U64(entries) => AnyTable::new(entries),
            Self::I64(entries) => AnyTable::new(entries),
            Self::F64(entries) => AnyTable::new(entries),
            Self::F16(entries) => AnyTable::new(entries),
            Self::BF16(entries) => AnyTable::new(entries),
        }
    }
}

impl<'a> Inputs<'a> for Read<'a> {
    fn list<'s>(&'s self, list: &mut InputList<'s, 'a>) {
        self.views.iter().for_each(|view| list.view(view));
        self.tables.iter().for_each(|table| list.any_table(table.table()));
    }
}

impl<'a> Outputs<'a> for Written<'a> {
    fn list<'s>(&'s mut self, list: &mut OutputList<'s, 'a>) {
        self.views.iter_mut().for_each(|view| list.view(view.as_mut()));
    }
}
