//! Writes what runs: the bodies of every tier, the derive program, the OpenCL C text, and the table of them all.

use super::spec;
use crate::{
    opencl, scalar,
    targets::{CPU, CpuTarget},
    text::{Text, comma},
};
use windrow_dsl::{
    CompiledKernel,
    ir::Neighbourhood,
    optimise::{Prepared, prepare},
};

/// What one kernel runs as.
pub struct Program<'a> {
    compiled: &'a CompiledKernel,
    prepared: Prepared,
}

/// A body as the table names it.
struct Entry {
    target: &'static CpuTarget,
    index: usize,
    function: String,
    body: crate::rows::EmittedBody,
}

impl<'a> Program<'a> {
    /// Prepares a kernel's bodies.
    pub fn of(compiled: &'a CompiledKernel) -> Self {
        Self { compiled, prepared: prepare(&compiled.kernel) }
    }

    /// The bodies as every emitter takes them.
    pub fn prepared(&self) -> &Prepared {
        &self.prepared
    }

    /// The words derived from the uniforms.
    pub fn derived_words(&self) -> u32 {
        self.prepared.derive.words.len() as u32
    }

    /// The bodies of a tier: choices of variants times subsets of outputs.
    pub fn bodies(&self) -> u32 {
        self.prepared.bodies.len() as u32
    }

    /// Writes the bodies, `fn derive`, the OpenCL program and `static CODE`.
    pub fn write(&self, text: &mut Text) {
        let entries = self.entries();
        for entry in &entries {
            if let Some(architecture) = entry.target.architecture {
                text.line(format!("#[cfg(target_arch = {architecture:?})]"));
            }
            text.lines(&entry.body.text);
        }
        text.lines(&scalar::derive(&self.compiled.kernel, &self.prepared.derive));
        self.write_opencl(text);
        write_code(text, &entries);
    }

    /// Every body, best tier first, the scalar one last.
    fn entries(&self) -> Vec<Entry> {
        let kernel = &self.compiled.kernel;
        let entries = CPU.iter().flat_map(|target| {
            let bodies = target.bodies(kernel, &self.prepared).into_iter().enumerate();
            bodies.map(|(index, body)| Entry { target, index, function: target.function(index), body })
        });
        entries.collect()
    }

    fn write_opencl(&self, text: &mut Text) {
        let program = opencl::emit(&self.compiled.kernel, &self.prepared);
        text.open("static OPENCL: rt::OpenClProgram = rt::OpenClProgram");
        text.line(format!("source: {:?},", program.source));
        let entries = program.entries.iter().map(|entry| {
            let (x, y) = entry.block;
            format!("rt::OpenClEntry {{ name: {:?}, index: {}, block: ({x}, {y}) }}", entry.name, entry.index)
        });
        text.line(format!("entries: &[{}],", comma(entries)));
        text.close(";");
    }
}

fn write_code(text: &mut Text, entries: &[Entry]) {
    text.line("static BODIES: &[rt::Body] = &[");
    for entry in entries {
        if let Some(architecture) = entry.target.architecture {
            text.line(format!("    #[cfg(target_arch = {architecture:?})]"));
        }
        let Entry { target, index, function, body } = entry;
        text.line(format!(
            "    rt::Body {{ tier: rt::Tier::{}, index: {index}, lanes: {}, rows: {}, reads: &[{}], run: {function} }},",
            target.tier,
            body.lanes,
            body.rows,
            comma(body.reads.iter().map(reads)),
        ));
    }
    text.line("];");
    text.line(
        "static CODE: rt::KernelCode = rt::KernelCode { spec: &SPEC, bodies: BODIES, derive, reference, opencl: &OPENCL };",
    );
}

fn reads(n: &Neighbourhood) -> String {
    spec::neighbourhood(*n).replace("Extent", "Reads")
}
