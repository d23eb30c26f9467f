//! Writes what runs: the bodies of every tier, the derive program, the OpenCL C text, and the table of them all.

use super::{Build, spec};
use crate::{
    opencl::{self, OpenClText},
    scalar,
    targets::CpuTarget,
    text::{Text, comma},
};
use proc_macro2::TokenStream;
use syn::spanned::Spanned;
use windrow_dsl::{CompiledKernel, diagnostic::Diagnostic, ir::Neighbourhood, optimise::Prepared};

/// What one kernel runs as.
pub struct Program<'a> {
    build: Build,
    compiled: &'a CompiledKernel,
    prepared: Prepared,
}

/// A body as the table names it.
struct Entry {
    target: &'static CpuTarget,
    index: usize,
    runs: Runs,
    reads: Vec<Neighbourhood>,
}

/// What an entry runs.
enum Runs {
    /// A function of this name, written here.
    Emitted { function: String, body: crate::rows::EmittedBody },
    /// One of the author's, in the array of this name.
    HandWritten(String),
}

impl<'a> Program<'a> {
    /// That of a kernel and its prepared bodies.
    pub fn of(build: Build, compiled: &'a CompiledKernel, prepared: Prepared) -> Self {
        Self { build, compiled, prepared }
    }

    /// The bodies as every emitter takes them.
    pub fn prepared(&self) -> &Prepared {
        &self.prepared
    }

    /// Writes the bodies, `fn derive`, the OpenCL program and `static CODE`.
    ///
    /// # Errors
    /// Each operation that a target cannot compute.
    pub fn write(&self, text: &mut Text) -> Result<(), Vec<Diagnostic>> {
        let entries = self.entries()?;
        for Entry { target, runs, .. } in &entries {
            if let Runs::Emitted { body, .. } = runs {
                if let Some(architecture) = target.architecture {
                    text.line(format!("#[cfg(target_arch = {architecture:?})]"));
                }
                text.whole(&body.text);
            }
        }
        text.whole(&scalar::derive(&self.compiled.kernel, &self.prepared.derive));
        self.write_opencl(text)?;
        write_code(text, &entries);
        Ok(())
    }

    /// Every body, best tier first, the scalar one last.
    fn entries(&self) -> Result<Vec<Entry>, Vec<Diagnostic>> {
        let kernel = &self.compiled.kernel;
        let mut entries = Vec::new();
        for target in self.build.targets() {
            if hand_written(self.compiled, target).is_some() {
                // It stands for all bodies of its tier.
                if target.is_narrow {
                    continue;
                }
                let reads: Vec<Neighbourhood> = kernel.inputs.iter().map(|input| input.neighbourhood).collect();
                let entry = |index| {
                    let runs = Runs::HandWritten(array_name(target));
                    Entry { target, index, runs, reads: reads.clone() }
                };
                entries.extend((0..self.prepared.bodies.len()).map(entry));
                continue;
            }
            let bodies = target.bodies(kernel, &self.prepared)?.into_iter().enumerate();
            let emitted = |(index, body): (usize, crate::rows::EmittedBody)| {
                let reads = body.reads.clone();
                Entry { target, index, runs: Runs::Emitted { function: target.function(index), body }, reads }
            };
            entries.extend(bodies.map(emitted));
        }
        Ok(entries)
    }

    fn write_opencl(&self, text: &mut Text) -> Result<(), Vec<Diagnostic>> {
        if !self.build.has_opencl {
            text.line("static OPENCL: rt::OpenClProgram = rt::OpenClProgram::NONE;");
            return Ok(());
        }
        let ((program, lines), images) = opencl::emit_with_tables(&self.compiled.kernel, &self.prepared);
        let program = program.accepted()?;
        text.open("static OPENCL: rt::OpenClProgram = rt::OpenClProgram");
        write_source(text, &program);
        text.line(format!("file: ::core::file!(), lines: {lines:?},"));
        text.line(format!("entries: {},", entries(&program)));
        match images {
            Ok((program, lines)) => {
                let program = program.accepted()?;
                text.open("images: rt::OpenClImages::Emitted");
                write_source(text, &program);
                text.line(format!("lines: {lines:?}, entries: {},", entries(&program)));
                text.close(",");
            }
            Err(reason) => text.line(format!("images: rt::OpenClImages::None({:?}),", reason.to_string())),
        }
        text.close(";");
        Ok(())
    }

    /// The arrays of the bodies that the author wrote by hand: each path has the type that it must have, and each body a
    /// block, or rustc says so at the path. They are outside the generated items, whose names could hide the author's.
    pub fn hand_written_arrays(&self, kernel: &TokenStream) -> TokenStream {
        let bodies = self.prepared.bodies.len();
        let mut out = TokenStream::new();
        for target in self.build.targets().filter(|target| !target.is_narrow) {
            let paths = (hand_written(self.compiled, target), target.architecture);
            let (Some(path), Some(architecture)) = paths else { continue };
            let name = quote::format_ident!("{}", array_name(target));
            let value = if bodies == 1 { quote::quote!([#path]) } else { quote::quote!(#path) };
            out.extend(quote::quote_spanned! { path.span() =>
                #[cfg(target_arch = #architecture)]
                const #name: [::windrow::__rt::HandWritten<#kernel>; #bodies] = ::windrow::__rt::hand_written(#value);
            });
        }
        out
    }
}

/// The text of a program, which is long: straight into its line.
fn write_source(text: &mut Text, program: &OpenClText) {
    let line = text.begin();
    line.push("source: ");
    line.push_quoted(&program.source);
    line.push(",");
    text.end();
}

/// The entry points of a program, as a slice.
fn entries(program: &OpenClText) -> String {
    let entries = program.entries.iter().map(|entry| {
        let (x, y) = entry.block;
        format!(
            "rt::OpenClEntry {{ name: {:?}, index: {}, block: ({x}, {y}), group: {:?}, form: rt::OpenClForm::{:?} }}",
            entry.name, entry.index, entry.group, entry.form
        )
    });
    format!("&[{}]", comma(entries))
}

/// The path of what the author wrote by hand for a target.
fn hand_written<'a>(compiled: &'a CompiledKernel, target: &CpuTarget) -> Option<&'a syn::ExprPath> {
    let body = compiled.hand_written.iter().find(|body| body.target == target.tier.to_lowercase());
    body.map(|body| &body.path)
}

/// The array that holds a target's bodies written by hand.
fn array_name(target: &CpuTarget) -> String {
    format!("__WINDROW_{}", target.tier.to_uppercase())
}

fn write_code(text: &mut Text, entries: &[Entry]) {
    // SAFETY: what is emitted keeps the contracts of `Body::new` and `KernelCode::new`; an author vouches for a body by hand.
    text.line("static BODIES: &[rt::Body] = unsafe { &[");
    for entry in entries {
        if let Some(architecture) = entry.target.architecture {
            text.line(format!("    #[cfg(target_arch = {architecture:?})]"));
        }
        let (block, run, has_head, more) = match &entry.runs {
            Runs::Emitted { function, body } => {
                let carrying = if body.carries_rows { ".carrying_rows()" } else { "" };
                let strips = if body.strips > 0 {
                    let quads = match body.quads {
                        0 => String::new(),
                        // They are those of the vector that a step is.
                        quads => format!(".with_quads({}, {quads})", body.columns),
                    };
                    format!(".in_strips({}, {}){quads}", body.columns, body.strips)
                } else {
                    String::new()
                };
                let more = format!("{carrying}{strips}");
                (format!("({}, {})", body.lanes, body.rows), function.clone(), body.has_head, more)
            }
            Runs::HandWritten(array) => {
                let body = format!("{array}[{}]", entry.index);
                (format!("{body}.block()"), format!("{body}.run()"), false, String::new())
            }
        };
        text.line(format!(
            "    rt::Body::new(rt::Tier::{}, {}, {block}, &[{}], {has_head}, {run}){more},",
            entry.target.tier,
            entry.index,
            comma(entry.reads.iter().map(|reads| spec::neighbourhood(*reads))),
        ));
    }
    text.line("] };");
    text.line(
        "static CODE: rt::KernelCode = unsafe { rt::KernelCode::new(&SPEC, BODIES, derive, reference, &OPENCL) };",
    );
}
