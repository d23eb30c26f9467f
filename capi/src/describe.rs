//! What there is: operators, their kernels, and what a kernel takes.

use std::ffi::{CStr, c_char};

use windrow::spec::{ArgumentKind, InputSpec, OutputSpec};

use crate::{
    catalogue::{WindrowKernel, WindrowOperator, find, operators},
    status::{Failure, WindrowStatus, guard},
    tensor::{put, reference},
    types::number,
};

/// The kinds of argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum WindrowArgumentKind {
    /// A tensor that is read.
    Input = 1,
    /// A tensor that is written.
    Output = 2,
    /// A value that is the same for the whole run: a number, or an array of numbers.
    Uniform = 3,
    /// A look-up table.
    Table = 4,
    /// A choice between names.
    Variant = 5,
}

/// An argument of a kernel.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct WindrowArgument {
    /// Its name, which lives as long as the program.
    pub name: *const c_char,
    /// What it is, a `WindrowArgumentKind`.
    pub kind: u32,
    /// The `WindrowType` of a tensor's channel, a uniform's number or a table's entry.
    pub element: u32,
    /// The channels of a tensor's element.
    pub channels: u32,
    /// Whether this output may be left out.
    pub is_optional: bool,
    /// Whether this input is also an output: it is given among the outputs alone.
    pub is_in_place: bool,
    /// The number of dimensions of a uniform's array; 0 for a number alone, 1 for a table.
    pub rank: u32,
    /// The extents of a uniform's array, outermost first, or the number of a table's entries.
    pub extents: [u32; 4],
    /// The number of a variant's names.
    pub names: u32,
    /// Columns read to the left of an element: −1 is one of them.
    pub left: i32,
    /// Columns read to the right of an element.
    pub right: i32,
    /// Rows read above an element: −1 is one of them.
    pub top: i32,
    /// Rows read below an element.
    pub bottom: i32,
}

/// Returns the number of operators.
#[unsafe(no_mangle)]
pub extern "C" fn windrow_operator_count() -> usize {
    let mut count = 0;
    guard(|| {
        count = operators().len();
        Ok(())
    });
    count
}

/// Writes the operator with this index, in the order of their names, to `result`.
///
/// # Safety
/// `result` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn windrow_operator_at(index: usize, result: *mut *const WindrowOperator) -> WindrowStatus {
    guard(|| {
        let operator = nth(operators(), index, "operators")?;
        // SAFETY: the caller's promise.
        unsafe { put(result, operator, "result") }
    })
}

/// Writes the operator of this name to `result`; it needs no release.
///
/// A family, such as `add`, has kernels for several types; each kernel has a name of its own, such as `add_i16`.
///
/// # Safety
/// `name` is a text, and `result` writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn windrow_operator_find(
    name: *const c_char,
    result: *mut *const WindrowOperator,
) -> WindrowStatus {
    guard(|| {
        // SAFETY: the caller's promise.
        let name = unsafe { text(name, "name") }?;
        let unknown = || Failure::new(WindrowStatus::UnknownOperator, format!("there is no operator `{name}`"));
        let operator = find(name).ok_or_else(unknown)?;
        // SAFETY: the caller's promise.
        unsafe { put(result, operator, "result") }
    })
}

/// Returns the name of an operator, which lives as long as the program; null for null.
///
/// # Safety
/// `op` is an operator of this library, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn windrow_operator_name(op: *const WindrowOperator) -> *const c_char {
    // SAFETY: the caller's promise.
    unsafe { op.as_ref() }.map_or(std::ptr::null(), |operator| operator.name.as_ptr())
}

/// Returns the number of kernels of an operator; 0 for null.
///
/// # Safety
/// `op` is an operator of this library, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn windrow_operator_kernel_count(op: *const WindrowOperator) -> usize {
    // SAFETY: the caller's promise.
    unsafe { op.as_ref() }.map_or(0, |operator| operator.kernels.len())
}

/// Writes the kernel of an operator with this index to `result`; it needs no release.
///
/// # Safety
/// `op` is an operator of this library, and `result` writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn windrow_operator_kernel(
    op: *const WindrowOperator,
    index: usize,
    result: *mut *const WindrowKernel,
) -> WindrowStatus {
    guard(|| {
        // SAFETY: the caller's promise.
        let kernel = nth(&unsafe { reference(op, "op") }?.kernels, index, "kernels")?;
        // SAFETY: the caller's promise.
        unsafe { put(result, kernel, "result") }
    })
}

/// Returns the name of a kernel, which lives as long as the program; null for null.
///
/// # Safety
/// `kernel` is a kernel of this library, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn windrow_kernel_name(kernel: *const WindrowKernel) -> *const c_char {
    // SAFETY: the caller's promise.
    unsafe { kernel.as_ref() }.map_or(std::ptr::null(), |kernel| kernel.name.as_ptr())
}

/// Returns what the author of a kernel says of it, which lives as long as the program; null for null.
///
/// # Safety
/// `kernel` is a kernel of this library, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn windrow_kernel_docs(kernel: *const WindrowKernel) -> *const c_char {
    // SAFETY: the caller's promise.
    unsafe { kernel.as_ref() }.map_or(std::ptr::null(), |kernel| kernel.docs.as_ptr())
}

/// Returns which borders a kernel offers: bit m is set where it has the `WindrowBorderMode` m. 0 for null.
///
/// # Safety
/// `kernel` is a kernel of this library, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn windrow_kernel_borders(kernel: *const WindrowKernel) -> u32 {
    // SAFETY: the caller's promise.
    let Some(kernel) = (unsafe { kernel.as_ref() }) else { return 0 };
    kernel.code.spec().borders.iter().fold(0, |bits, mode| bits | 1 << mode_number(*mode))
}

/// Returns the number of arguments of a kernel, its outputs included; 0 for null.
///
/// # Safety
/// `kernel` is a kernel of this library, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn windrow_kernel_argument_count(kernel: *const WindrowKernel) -> usize {
    // SAFETY: the caller's promise.
    unsafe { kernel.as_ref() }.map_or(0, |kernel| kernel.arguments.len())
}

/// Writes the argument of a kernel with this index to `result`: those that are read in the author's order, and then the outputs.
///
/// # Safety
/// `kernel` is a kernel of this library, and `result` writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn windrow_kernel_argument(
    kernel: *const WindrowKernel,
    index: usize,
    result: *mut WindrowArgument,
) -> WindrowStatus {
    guard(|| {
        // SAFETY: the caller's promise.
        let kernel = unsafe { reference(kernel, "kernel") }?;
        let texts = nth(&kernel.arguments, index, "arguments")?;
        let (spec, argument) = (kernel.code.spec(), WindrowArgument { name: texts.name.as_ptr(), ..NOTHING });
        let argument = match (spec.arguments.get(index), spec.outputs.get(index.wrapping_sub(spec.arguments.len()))) {
            (Some(given), _) => read(argument, &given.kind),
            (None, Some(output)) => written(argument, output),
            (None, None) => argument,
        };
        // SAFETY: the caller's promise.
        unsafe { put(result, argument, "result") }
    })
}

/// Returns the name of a value of a variant: of a kernel, the argument with this index, the value with this one. It lives as long as
/// the program; null where there is none.
///
/// # Safety
/// `kernel` is a kernel of this library, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn windrow_kernel_variant(
    kernel: *const WindrowKernel,
    argument: usize,
    value: usize,
) -> *const c_char {
    // SAFETY: the caller's promise.
    let argument = unsafe { kernel.as_ref() }.and_then(|kernel| kernel.arguments.get(argument));
    let name = argument.and_then(|argument| argument.values.get(value));
    name.map_or(std::ptr::null(), |name| name.as_ptr())
}

const NOTHING: WindrowArgument = WindrowArgument {
    name: std::ptr::null(),
    kind: 0,
    element: 0,
    channels: 0,
    is_optional: false,
    is_in_place: false,
    rank: 0,
    extents: [0; 4],
    names: 0,
    left: 0,
    right: 0,
    top: 0,
    bottom: 0,
};

fn read(argument: WindrowArgument, kind: &ArgumentKind) -> WindrowArgument {
    match kind {
        ArgumentKind::Input(input) => image(argument, input),
        ArgumentKind::Uniform(uniform) => {
            let mut extents = [0; 4];
            extents.iter_mut().zip(uniform.dims).for_each(|(place, &extent)| *place = extent);
            let (kind, element) = (WindrowArgumentKind::Uniform as u32, number(uniform.element));
            WindrowArgument { kind, element, rank: uniform.dims.len() as u32, extents, ..argument }
        }
        ArgumentKind::Table { element, length } => {
            let (kind, element) = (WindrowArgumentKind::Table as u32, number(*element));
            WindrowArgument { kind, element, rank: 1, extents: [*length, 0, 0, 0], ..argument }
        }
        ArgumentKind::Variant { values, .. } => {
            WindrowArgument { kind: WindrowArgumentKind::Variant as u32, names: values.len() as u32, ..argument }
        }
    }
}

fn image(argument: WindrowArgument, input: &InputSpec) -> WindrowArgument {
    let around = input.neighbourhood();
    WindrowArgument {
        kind: WindrowArgumentKind::Input as u32,
        element: number(input.element),
        channels: input.channels,
        is_in_place: input.inout.is_some(),
        left: around.left,
        right: around.right,
        top: around.top,
        bottom: around.bottom,
        ..argument
    }
}

fn written(argument: WindrowArgument, output: &OutputSpec) -> WindrowArgument {
    WindrowArgument {
        kind: WindrowArgumentKind::Output as u32,
        element: number(output.element),
        channels: output.channels,
        is_optional: output.optional,
        ..argument
    }
}

/// The `WindrowBorderMode` of a mode.
fn mode_number(mode: windrow::BorderMode) -> u32 {
    windrow::BorderMode::ALL.iter().position(|known| *known == mode).map_or(0, |index| index as u32)
}

/// The element with this index.
fn nth<'a, T>(all: &'a [T], index: usize, what: &str) -> Result<&'a T, Failure> {
    all.get(index).ok_or_else(|| Failure::number(format!("the index is {index}, and there are {} {what}", all.len())))
}

/// A text of the caller's.
///
/// # Safety
/// A pointer that is not null points to a text that ends with a NUL, and stays for `'a`.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, argument: &str) -> Result<&'a str, Failure> {
    if pointer.is_null() {
        return Err(Failure::null(argument));
    }
    // SAFETY: not null, and the caller's promise.
    let text = unsafe { CStr::from_ptr(pointer) }.to_str();
    text.map_err(|_| Failure::new(WindrowStatus::InvalidText, format!("`{argument}` is not UTF-8")))
}
