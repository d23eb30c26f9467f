//! Kernels that compute the same for images of different types or sizes, called by the types that a program finds at run time.
//!
//! ```
//! use windrow::{ElementType, Tensor, family::{Family, code_of}, language::*};
//!
//! /// The greater of two bytes.
//! #[kernel]
//! fn larger(a: u8, b: u8) -> u8 {
//!     a.max(b)
//! }
//!
//! /// The greater of two signed 16-bit values.
//! #[kernel]
//! fn larger_i16(a: i16, b: i16) -> i16 {
//!     a.max(b)
//! }
//!
//! static LARGER: Family = Family::new("larger", &[code_of::<larger>(), code_of::<larger_i16>()]);
//!
//! let (a, b) = (Tensor::from_vec(vec![-3i16, 4], [2, 1])?, Tensor::from_vec(vec![1i16, -7], [2, 1])?);
//! let found = LARGER.call().image(a.view()).image(b.view()).apply()?;
//! assert_eq!(found[0].info().dtype(), ElementType::I16);
//! assert_eq!(found[0].to_tensor::<i16>()?.to_vec(), [1, 4]);
//!
//! let bytes = Tensor::<u8>::new([2, 1])?;
//! let error = LARGER.call().image(a.view()).image(bytes.view()).apply().unwrap_err();
//! assert_eq!(error.to_string(), "`larger` has no kernel for i16, u8; it has u8, u8 → u8; i16, i16 → i16");
//! # Ok::<(), windrow::Error>(())
//! ```

mod any_tensor;
mod call;
mod error;
mod registry;
mod value;
mod values;

pub use any_tensor::AnyTensor;
pub use call::FamilyCall;
pub use error::FamilyError;
pub use registry::{AnyInputs, AnyOutputs, Asked, Registry};
pub use value::Value;
pub use values::Values;

use crate::{
    code::{Kernel, KernelCode},
    dtype::DType,
    infer::images,
    spec::{ArgumentKind, KernelSpec},
};
use std::{format, string::String, vec::Vec};

/// Returns what was generated for a kernel, where a constant expression is needed.
pub const fn code_of<K: Kernel>() -> &'static KernelCode {
    K::CODE
}

/// Kernels that compute the same for images of different types or sizes.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    name: &'static str,
    members: &'static [&'static KernelCode],
}

impl Family {
    /// Returns the family of these kernels.
    pub const fn new(name: &'static str, members: &'static [&'static KernelCode]) -> Family {
        Family { name, members }
    }

    /// Returns the name of the family.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the kernels.
    pub const fn members(&self) -> &'static [&'static KernelCode] {
        self.members
    }

    /// Returns the types of the images that each kernel reads and writes.
    pub fn types(&self) -> impl Iterator<Item = Types> + '_ {
        self.members.iter().map(|code| Types::of(code.spec))
    }

    /// Returns the sizes that the kernels have, each once: columns and rows of what is read around an element.
    pub fn sizes(&self) -> Vec<(u32, u32)> {
        let mut sizes = Vec::new();
        for size in self.members.iter().map(|code| size(code.spec)) {
            if !sizes.contains(&size) {
                sizes.push(size);
            }
        }
        sizes
    }

    /// Returns a call of the member that fits the arguments.
    pub fn call(&self) -> FamilyCall<'_> {
        FamilyCall::new(self)
    }
}

/// The types of the images of a kernel: those of the channels, and how many channels an element has.
#[derive(Clone, Debug)]
pub struct Types {
    /// The images that are read, `#[inout]` ones included.
    pub inputs: Vec<(DType, u32)>,
    /// The images that are written.
    pub outputs: Vec<(DType, u32)>,
}

impl Types {
    fn of(spec: &'static KernelSpec) -> Types {
        Types {
            inputs: images(spec).map(|(_, input)| (input.element.dtype(), input.channels)).collect(),
            outputs: spec.outputs.iter().map(|output| (output.element.dtype(), output.channels)).collect(),
        }
    }
}

/// `u8, u8 → i16`
impl std::fmt::Display for Types {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} → {}", list(&self.inputs), list(&self.outputs))
    }
}

fn list(types: &[(DType, u32)]) -> String {
    let names = types.iter().map(|&(element, channels)| match channels {
        1 => format!("{element}"),
        _ => format!("[{element}; {channels}]"),
    });
    names.collect::<Vec<String>>().join(", ")
}

/// Columns and rows of what a kernel reads around an element: the most of any image.
fn size(spec: &'static KernelSpec) -> (u32, u32) {
    let extent = |least: i32, greatest: i32| greatest.abs_diff(least) + 1;
    images(spec).fold((1, 1), |(columns, rows), (_, input)| {
        let around = input.neighbourhood();
        (columns.max(extent(around.left, around.right)), rows.max(extent(around.top, around.bottom)))
    })
}

/// Whether some member has an argument of this name that is not an image.
fn has_value(family: &Family, name: &str) -> bool {
    let is_value = |kind: &ArgumentKind| !matches!(kind, ArgumentKind::Input(_));
    family
        .members
        .iter()
        .any(|code| code.spec.arguments.iter().any(|argument| argument.name == name && is_value(&argument.kind)))
}
