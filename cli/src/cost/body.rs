//! The bodies whose cost is measured: emitted, with what has to be known to run them.

use super::error::CostError;
use crate::selection::Located;
use windrow_backends::doors::instructions;
use windrow_backends::rows::EmittedBody;
use windrow_backends::targets::{CpuTarget, cost_depends_on_run};
use windrow_dsl::ir::{Block, Kernel};
use windrow_dsl::optimise::Prepared;

/// A body of a kernel.
#[derive(Debug)]
pub struct Measured {
    /// What it is for.
    pub target: &'static CpuTarget,
    /// The kernel's name.
    pub kernel: String,
    /// Which choice of variants and subset of outputs; empty where there is only one.
    pub title: String,
    /// The name of its function.
    pub function: String,
    /// Its text, as the macro writes it.
    pub emitted: EmittedBody,
    /// Elements in a vector.
    pub lanes: u32,
    /// Bytes that the memory must deliver and take for each element of the output.
    pub bytes: f64,
    /// What a caller of the function hands to it.
    pub rows: RowsShape,
}

/// How large a caller makes what it hands to a body.
#[derive(Debug)]
pub struct RowsShape {
    /// Rows of inputs.
    pub inputs: usize,
    /// Inputs that are read anywhere: the bytes of an element of each.
    pub views: Vec<usize>,
    /// Rows of outputs.
    pub outputs: usize,
    /// The most bytes that one element of the output takes in a row.
    pub element: usize,
    /// Bytes of each table.
    pub tables: Vec<usize>,
    /// Words of uniforms, and derived ones.
    pub words: usize,
}

/// `32,4`: elements along the row, and rows.
pub fn parse_block(text: &str) -> Result<(u32, u32), CostError> {
    let parts = text.split_once(',').map(|(x, y)| (x.trim().parse(), y.trim().parse()));
    match parts {
        Some((Ok(x @ 1..), Ok(y @ 1..))) => Ok((x, y)),
        Some(_) | None => Err(CostError::BadBlock(text.to_owned())),
    }
}

/// The first body of each kernel that has one for a target, or all; none of kernels with loops at run time.
///
/// # Errors
/// A row of the block is not whole vectors, or the target has no instructions for an operation.
pub fn of_kernels(
    target: &'static CpuTarget,
    kernels: &[Located],
    block: Option<(u32, u32)>,
    all: bool,
) -> Result<Vec<Measured>, CostError> {
    let mut found = Vec::new();
    for located in kernels {
        let (kernel, prepared) = (&located.kernel.compiled.kernel, &located.kernel.prepared);
        if uncounted(target, located).is_some() {
            continue;
        }
        let count = if all { prepared.bodies.len() } else { 1 };
        for index in 0..count.min(prepared.bodies.len()) {
            let function = format!("body_{}", found.len());
            found.push(measured(target, kernel, prepared, index, function, block)?);
        }
    }
    Ok(found)
}

/// Why a kernel's bodies are not counted; none where they are.
pub fn uncounted(target: &CpuTarget, located: &Located) -> Option<&'static str> {
    let (kernel, prepared) = (&located.kernel.compiled.kernel, &located.kernel.prepared);
    if target.pays.is_some_and(|pays| !pays(kernel, prepared)) {
        return Some("the target has no body for it");
    }
    let depends_on_run = prepared.bodies.iter().any(|body| cost_depends_on_run(kernel, body));
    depends_on_run.then_some(
        "what an element costs depends on the run, which decides how many iterations its loops run or where it reads",
    )
}

fn measured(
    target: &'static CpuTarget,
    kernel: &Kernel,
    prepared: &Prepared,
    index: usize,
    function: String,
    block: Option<(u32, u32)>,
) -> Result<Measured, CostError> {
    let emit = |block| (target.emit)(kernel, prepared, index, &function, block);
    let vector = Block { x: 1, y: 1 };
    let lanes = emit(Some(vector))?.columns;
    if let Some((x, y)) = block
        && !x.is_multiple_of(lanes)
    {
        return Err(CostError::PartialVector { kernel: kernel.name.clone(), block: (x, y), lanes });
    }
    let block = block.map(|(x, y)| Block { x: x / lanes, y });
    let emitted = emit(block)?;
    let title = instructions::title(kernel, prepared, index);
    let subset = prepared.subsets[index % prepared.subsets.len()];
    let rows = rows_shape(kernel, prepared, &emitted);
    let (kernel, bytes) = (kernel.name.clone(), bytes(kernel, subset));
    Ok(Measured { target, kernel, title, function, lanes, bytes, rows, emitted })
}

/// Bytes of the inputs' elements that one element of the output needs, and of the outputs' that are written.
fn bytes(kernel: &Kernel, subset: u32) -> f64 {
    let inputs = kernel.inputs.iter().map(|input| {
        if input.is_whole {
            // An image of the output's size, of which each element is read.
            return input.channels * input.ty.bits() / 8;
        }
        let height = input.neighbourhood.bottom - input.neighbourhood.top + 1;
        let rows = input.stride().1.min(height.unsigned_abs());
        input.channels * input.stride().0 * rows * input.ty.bits() / 8
    });
    let outputs = kernel.outputs.iter().enumerate().filter(|(place, _)| subset >> place & 1 == 1);
    let written = outputs.map(|(_, output)| output.channels * output.ty.bits() / 8);
    f64::from(inputs.sum::<u32>() + written.sum::<u32>())
}

fn rows_shape(kernel: &Kernel, prepared: &Prepared, emitted: &EmittedBody) -> RowsShape {
    let rows_of = |(input, reads): (&windrow_dsl::ir::Input, &windrow_dsl::ir::Neighbourhood)| {
        if input.is_whole {
            return 0;
        }
        (reads.bottom - reads.top + 1).unsigned_abs() + input.stride().1 * (emitted.rows - 1)
    };
    let pixel = |input: &windrow_dsl::ir::Input| (input.channels * input.ty.bits() / 8) as usize;
    let words: u32 = kernel.uniforms.iter().map(|uniform| uniform.dims.iter().product::<u32>()).sum();
    let read = kernel.inputs.iter().map(|input| input.channels * input.stride().0.max(1) * input.ty.bits() / 8);
    let written = kernel.outputs.iter().map(|output| output.channels * output.ty.bits() / 8);
    RowsShape {
        inputs: kernel.inputs.iter().zip(&emitted.reads).map(rows_of).sum::<u32>() as usize,
        views: kernel.inputs.iter().filter(|input| input.is_whole).map(pixel).collect(),
        outputs: kernel.outputs.len() * emitted.rows as usize,
        element: read.chain(written).max().unwrap_or(1) as usize,
        tables: kernel.tables.iter().map(|table| (table.length * table.ty.bits() / 8) as usize).collect(),
        words: words as usize + prepared.derive.words.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_two_numbers() {
        assert_eq!(parse_block("32,4").ok(), Some((32, 4)));
        assert_eq!(parse_block("32, 4").ok(), Some((32, 4)));
        for wrong in ["", "32", "32,", "0,1", "a,b", "1,2,3", "-1,4"] {
            assert!(matches!(parse_block(wrong), Err(CostError::BadBlock(_))), "{wrong}");
        }
    }
}
