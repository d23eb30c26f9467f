//! The operators of the library with their names as C has them, made once and kept.

use std::{ffi::CString, sync::OnceLock};

use windrow::{
    KernelCode,
    family::Family,
    spec::{ArgumentKind, KernelSpec},
};

use crate::__windrow_capi_registry;

/// An operator: one kernel, or a family of kernels that do the same on other types or sizes. It lives as long as the program.
#[derive(Debug)]
pub struct WindrowOperator {
    pub(crate) family: Family,
    pub(crate) name: CString,
    pub(crate) kernels: Vec<WindrowKernel>,
}

/// A kernel: it takes tensors of certain types. It lives as long as the program.
#[derive(Debug)]
pub struct WindrowKernel {
    pub(crate) code: &'static KernelCode,
    pub(crate) name: CString,
    pub(crate) docs: CString,
    /// The arguments in the author's order, and then the outputs.
    pub(crate) arguments: Vec<Argument>,
}

/// The texts of an argument.
#[derive(Debug)]
pub struct Argument {
    pub name: CString,
    /// The names of a variant's values.
    pub values: Vec<CString>,
}

/// Every operator, by name.
pub fn operators() -> &'static [WindrowOperator] {
    static ALL: OnceLock<Vec<WindrowOperator>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all: Vec<_> = __windrow_capi_registry().operators().map(WindrowOperator::new).collect();
        all.sort_by_key(|operator| operator.family.name());
        all
    })
}

/// The operator of this name.
pub fn find(name: &str) -> Option<&'static WindrowOperator> {
    let all = operators();
    let index = all.binary_search_by_key(&name, |operator| operator.family.name()).ok()?;
    all.get(index)
}

impl WindrowOperator {
    fn new(family: Family) -> Self {
        let kernels = family.members().iter().map(|code| WindrowKernel::new(code)).collect();
        Self { family, name: text(family.name()), kernels }
    }
}

impl WindrowKernel {
    fn new(code: &'static KernelCode) -> Self {
        let spec: &'static KernelSpec = code.spec();
        let arguments = spec.arguments.iter().map(|argument| Argument {
            name: text(argument.name),
            values: match &argument.kind {
                ArgumentKind::Variant { values, .. } => values.iter().map(|value| text(value)).collect(),
                ArgumentKind::Input(_) | ArgumentKind::Uniform(_) | ArgumentKind::Table { .. } => Vec::new(),
            },
        });
        let outputs = spec.outputs.iter().map(|output| Argument { name: text(output.name), values: Vec::new() });
        Self {
            code,
            name: text(spec.name),
            docs: text(spec.docs.trim()),
            arguments: arguments.chain(outputs).collect(),
        }
    }
}

/// A text for C; what Rust writes has no NUL.
fn text(text: &str) -> CString {
    CString::new(text).unwrap_or_default()
}
