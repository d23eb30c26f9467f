//! The tables of TFLite's schema, as far as they are read.

use std::cell::Cell;

use super::flat::{Flat, Table};
use crate::malformed::Malformed;

/// What a file begins with, behind the offset of its first table.
const IDENTIFIER: &[u8] = b"TFL3";

/// Whether a file begins as TFLite's do.
pub(crate) fn is_file(bytes: &[u8]) -> bool {
    bytes.get(4..8) == Some(IDENTIFIER)
}

/// `Model`, of which the first graph is read.
#[derive(Debug)]
pub(super) struct ModelTable<'a> {
    pub codes: Vec<OperatorCode<'a>>,
    pub graphs: usize,
    pub tensors: Vec<TensorTable<'a>>,
    pub inputs: Vec<i32>,
    pub outputs: Vec<i32>,
    pub operators: Vec<OperatorTable<'a>>,
    /// `None` for one whose bytes lie elsewhere in the file.
    pub buffers: Vec<Option<&'a [u8]>>,
}

/// `OperatorCode`.
#[derive(Debug)]
pub(super) struct OperatorCode<'a> {
    pub builtin: i32,
    pub custom: &'a str,
}

/// `Tensor`.
#[derive(Debug)]
pub(super) struct TensorTable<'a> {
    pub name: &'a str,
    pub shape: Vec<i32>,
    /// The shape with −1 for what the file leaves open; empty where it leaves nothing open.
    pub signature: Vec<i32>,
    pub data_type: i8,
    pub buffer: usize,
    pub scales: Vec<f32>,
    pub zeros: Vec<i64>,
    pub axis: i32,
}

/// `Operator`.
#[derive(Debug)]
pub(super) struct OperatorTable<'a> {
    pub code: usize,
    pub inputs: Vec<i32>,
    pub outputs: Vec<i32>,
    pub options: Option<Table<'a>>,
    /// What a custom operator is told.
    pub custom_options: Option<&'a [u8]>,
}

/// `TensorType`.
pub(super) mod data_type {
    pub const FLOAT32: i8 = 0;
    pub const INT32: i8 = 2;
    pub const UINT8: i8 = 3;
    pub const INT64: i8 = 4;
    pub const INT8: i8 = 9;
}

impl<'a> ModelTable<'a> {
    /// Reads the tables of a file, of whose bytes `left` may be read.
    pub fn read(bytes: &'a [u8], left: &'a Cell<usize>) -> Result<ModelTable<'a>, Malformed> {
        if !is_file(bytes) {
            return Err(Malformed::Identifier);
        }
        let model = Flat::new(bytes, left).root()?;
        let codes = model.tables(1)?.iter().map(OperatorCode::read).collect::<Result<_, _>>()?;
        let buffers = model.tables(4)?.iter().map(buffer).collect::<Result<_, _>>()?;
        let graphs = model.tables(2)?;
        let graph = graphs.first().ok_or(Malformed::NoGraph)?;
        Ok(ModelTable {
            codes,
            graphs: graphs.len(),
            tensors: graph.tables(0)?.iter().map(TensorTable::read).collect::<Result<_, _>>()?,
            inputs: graph.numbers(1)?,
            outputs: graph.numbers(2)?,
            operators: graph.tables(3)?.iter().map(OperatorTable::read).collect::<Result<_, _>>()?,
            buffers,
        })
    }
}

/// The bytes of a buffer: none for one that is empty, and `None` where they lie behind the tables.
fn buffer<'a>(table: &Table<'a>) -> Result<Option<&'a [u8]>, Malformed> {
    let is_elsewhere = table.number(1, 0i64)? > 1;
    Ok(if is_elsewhere { None } else { Some(table.bytes(0)?.unwrap_or_default()) })
}

impl<'a> OperatorCode<'a> {
    fn read(table: &Table<'a>) -> Result<OperatorCode<'a>, Malformed> {
        // Files of older versions have the code in a byte, which holds 127 where that does not suffice.
        let (old, new) = (table.number(0, 0i8)?, table.number(3, 0i32)?);
        Ok(OperatorCode { builtin: new.max(i32::from(old)), custom: table.text(1)? })
    }
}

impl<'a> TensorTable<'a> {
    fn read(table: &Table<'a>) -> Result<TensorTable<'a>, Malformed> {
        let quantization = table.table(4)?;
        let (mut scales, mut zeros, mut axis) = (Vec::new(), Vec::new(), 0);
        if let Some(quantization) = quantization {
            (scales, zeros) = (quantization.numbers(2)?, quantization.numbers(3)?);
            axis = quantization.number(6, 0)?;
        }
        Ok(TensorTable {
            name: table.text(3)?,
            shape: table.numbers(0)?,
            signature: table.numbers(7)?,
            data_type: table.number(1, 0)?,
            buffer: usize::try_from(table.number(2, 0u32)?).unwrap_or(usize::MAX),
            scales,
            zeros,
            axis,
        })
    }
}

impl<'a> OperatorTable<'a> {
    fn read(table: &Table<'a>) -> Result<OperatorTable<'a>, Malformed> {
        Ok(OperatorTable {
            code: usize::try_from(table.number(0, 0u32)?).unwrap_or(usize::MAX),
            inputs: table.numbers(1)?,
            outputs: table.numbers(2)?,
            options: table.table(4)?,
            custom_options: table.bytes(5)?,
        })
    }
}
