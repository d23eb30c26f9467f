//! The space in which kernels are added to a chain instead of run.

use std::{sync::Arc, vec::Vec};

use super::Tracer;
use crate::{
    apply::{Arguments, Space},
    code::Kernel,
    configure::Configured,
    error::any::Error,
    function::{ChainBuilder, ChainTables, FunctionError, Generated, Operator, Value},
    infer::images,
    spec::KernelSpec,
};

/// Where the images of a traced function lie: nowhere. A kernel that is called there becomes a stage of a chain.
#[derive(Clone, Copy, Debug)]
pub struct Trace;

/// A value of a chain, lent to be read.
#[derive(Clone, Debug)]
pub struct TracedValue {
    pub(super) tracer: Tracer,
    pub(super) value: Value,
}

/// A place for the value that a stage will write.
#[derive(Debug)]
pub struct TracedOutput<'a> {
    pub(super) tracer: &'a Tracer,
    pub(super) value: &'a mut Option<Value>,
}

impl Space for Trace {
    type Read<'a> = TracedValue;
    type Write<'a> = TracedOutput<'a>;

    fn run<K: Kernel>(kernel: &Configured<K>, arguments: Arguments<'_, '_, Trace>) -> Result<(), Error> {
        add_kernel(K::CODE.spec, Generated::new(kernel), arguments)
    }

    fn run_chain(chain: ChainBuilder, arguments: Arguments<'_, '_, Trace>) -> Result<(), Error> {
        let read = read(&arguments)?;
        let mut written = write(arguments.outputs)?;
        let Some(tracer) = tracer(&read, &written) else { return Ok(()) };
        let values = read.iter().map(|read| read.value).collect::<Vec<_>>();
        let outputs = tracer.0.borrow_mut().append(chain, &values)?;
        assign(&mut written, outputs);
        Ok(())
    }
}

fn add_kernel(spec: &'static KernelSpec, kernel: Generated, arguments: Arguments<'_, '_, Trace>) -> Result<(), Error> {
    let read = read(&arguments)?;
    let tables = arguments.tables.iter().fold(ChainTables::default(), |tables, table| tables.with_any(*table));
    let mut written = write(arguments.outputs)?;
    let Some(tracer) = tracer(&read, &written) else { return Ok(()) };
    let (mut inputs, mut others) = (Vec::new(), read.iter());
    for (_, input) in images(spec) {
        // An image that is updated in place is among the outputs.
        let value = match input.inout {
            Some(output) => written.get(output as usize).and_then(Option::as_ref).and_then(|output| *output.value),
            None => others.next().map(|read| read.value),
        };
        inputs.push(value.ok_or(FunctionError::Unwritten)?);
    }
    let kernel: Arc<dyn Operator> = Arc::new(kernel);
    let outputs = tracer.0.borrow_mut().push(kernel, &inputs, tables, &[])?;
    assign(&mut written, outputs);
    Ok(())
}

fn read(arguments: &Arguments<'_, '_, Trace>) -> Result<Vec<TracedValue>, Error> {
    arguments.inputs.iter().map(|input| input.read()).collect()
}

fn write<'w>(
    outputs: &'w mut [&mut dyn crate::apply::Writable<Space = Trace>],
) -> Result<Vec<Option<TracedOutput<'w>>>, Error> {
    outputs.iter_mut().map(|output| output.write()).collect()
}

fn tracer(read: &[TracedValue], written: &[Option<TracedOutput<'_>>]) -> Option<Tracer> {
    let first_written = || written.iter().flatten().next().map(|output| output.tracer.clone());
    read.first().map(|read| read.tracer.clone()).or_else(first_written)
}

/// The values of the outputs that are not left out, in order.
fn assign(written: &mut [Option<TracedOutput<'_>>], values: Vec<Value>) {
    for (output, value) in written.iter_mut().flatten().zip(values) {
        *output.value = Some(value);
    }
}
