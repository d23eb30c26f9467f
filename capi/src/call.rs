//! What an operator is configured with.

use std::ffi::{c_char, c_void};

use windrow::{
    Border, Borders, ElementType, Scalar, TensorInfo,
    family::{Asked, Family, Value},
    language::{bf16, f16},
    spec::ArgumentKind,
};

use crate::{
    describe::text,
    status::{Failure, WindrowStatus},
    tensor::{WindrowTensor, slice},
    types::{border, element},
};

/// The most numbers that a uniform or a table may have.
const MOST: usize = 1 << 20;

/// A uniform, a table or a choice, by the name of the argument.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct WindrowValue {
    /// The name of the argument.
    pub name: *const c_char,
    /// The name of a variant's value, in any case of letters; null for a uniform or a table.
    pub choice: *const c_char,
    /// The `WindrowType` of the numbers. An integer uniform takes integers of any type, if the values fit.
    pub element: u32,
    /// The number of dimensions: 0 for a number alone, 1 for a table.
    pub rank: u32,
    /// The extents of an array, outermost first.
    pub extents: [u32; 4],
    /// The numbers, rows first and without gaps. They are copied while the operator is configured.
    pub data: *const c_void,
}

/// What reads outside an image find.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct WindrowBorder {
    /// A `WindrowBorderMode`.
    pub mode: u32,
    /// The `WindrowType` of a constant's value: one of floats for `real`, an integer's for `integer`.
    pub element: u32,
    /// The value of an integer constant.
    pub integer: i64,
    /// The value of a float constant.
    pub real: f32,
}

/// What an operator is configured with. All zeros is a call without anything: set what the operator takes.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct WindrowCall {
    /// The tensors that are read, in the kernel's order, those left out that are in place. Their data are not looked at.
    pub inputs: *const WindrowTensor,
    /// The number of inputs.
    pub input_count: usize,
    /// The tensors that are written. Their data are not looked at.
    pub outputs: *const WindrowTensor,
    /// The number of outputs.
    pub output_count: usize,
    /// Uniforms, tables and choices.
    pub values: *const WindrowValue,
    /// The number of values.
    pub value_count: usize,
    /// Borders: none, one for all images that are read, or one for each.
    pub borders: *const WindrowBorder,
    /// The number of borders; 0 means that elements which need one are not computed.
    pub border_count: usize,
    /// The `WindrowType` of the outputs, where kernels differ in that; `WINDROW_TYPE_NONE` for any.
    pub output_element: u32,
    /// The columns that a kernel reads around an element, where kernels differ in that; 0 for any.
    pub columns: u32,
    /// The rows that a kernel reads around an element, where kernels differ in that; 0 for any.
    pub rows: u32,
}

/// A call as Rust has it.
pub struct Call<'a> {
    pub inputs: Vec<TensorInfo>,
    pub outputs: Vec<Option<TensorInfo>>,
    pub values: Vec<(&'a str, Value<'a>)>,
    pub borders: Borders,
    output: Option<ElementType>,
    size: Option<(u32, u32)>,
}

impl<'a> Call<'a> {
    /// # Safety
    /// For `'a`, the pointers of the call point to what their counts say, nothing writes there, and the names are texts.
    pub unsafe fn new(call: &WindrowCall, family: &Family) -> Result<Self, Failure> {
        // SAFETY: the caller's promise, here and below.
        let (inputs, outputs, values, borders) = unsafe {
            (
                slice(call.inputs, call.input_count, "inputs")?,
                slice(call.outputs, call.output_count, "outputs")?,
                slice(call.values, call.value_count, "values")?,
                slice(call.borders, call.border_count, "borders")?,
            )
        };
        Ok(Self {
            inputs: each(inputs, "inputs", WindrowTensor::info)?,
            outputs: each(outputs, "outputs", WindrowTensor::output_info)?,
            // SAFETY: the caller's promise.
            values: each(values, "values", |value| unsafe { named(value, family) })?,
            borders: match each(borders, "borders", WindrowBorder::border)?.as_slice() {
                [] => Border::Undefined.into(),
                [one] => (*one).into(),
                several => Borders::each(several),
            },
            output: if call.output_element == 0 { None } else { Some(element(call.output_element)?) },
            size: if (call.columns, call.rows) == (0, 0) { None } else { Some((call.columns, call.rows)) },
        })
    }

    /// The metadata of the inputs, where they are borrowed.
    pub fn input_infos(&self) -> Vec<&TensorInfo> {
        self.inputs.iter().collect()
    }

    /// The metadata of the outputs, where they are borrowed.
    pub fn output_infos(&self) -> Vec<Option<&TensorInfo>> {
        self.outputs.iter().map(Option::as_ref).collect()
    }

    /// What a kernel of the family is chosen by.
    pub fn asked<'s>(&'s self, inputs: &'s [&'s TensorInfo], outputs: &'s [Option<&'s TensorInfo>]) -> Asked<'s> {
        Asked { inputs, outputs, output: self.output, size: self.size, values: &self.values }
    }
}

/// Each element as `of` makes it, or a failure that says which one.
pub fn each<T, U>(all: &[T], argument: &str, of: impl Fn(&T) -> Result<U, Failure>) -> Result<Vec<U>, Failure> {
    let one = |(index, value)| of(value).map_err(|failure| failure.of(format_args!("{argument}[{index}]")));
    all.iter().enumerate().map(one).collect()
}

impl WindrowBorder {
    fn border(&self) -> Result<Border, Failure> {
        border(self.mode, || {
            let element = element(self.element)?;
            if element.integers().is_none() {
                let fits = Scalar::F32(self.real).to_element(element);
                return fits.ok_or_else(|| Failure::number(format!("{:?} is no value of {element}", self.real)));
            }
            let fits = Scalar::I64(self.integer).to_element(element);
            fits.ok_or_else(|| Failure::number(format!("{} is no value of {element}", self.integer)))
        })
    }
}

/// # Safety
/// As [`Call::new`].
unsafe fn named<'a>(value: &WindrowValue, family: &Family) -> Result<(&'a str, Value<'a>), Failure> {
    // SAFETY: the caller's promise, here and below.
    let name = unsafe { text(value.name, "name") }?;
    if !value.choice.is_null() {
        return Ok((name, Value::Variant(unsafe { text(value.choice, "choice") }?)));
    }
    let extents = value.extents.get(..value.rank as usize);
    let rank = || Failure::number(format!("the rank of `{name}` is {}, at most 4 is possible", value.rank));
    let extents = extents.ok_or_else(rank)?;
    let count = extents.iter().try_fold(1usize, |count, &extent| count.checked_mul(extent as usize));
    let count = count.filter(|count| *count <= MOST);
    let many = || Failure::number(format!("`{name}` of extents {extents:?} has more than {MOST} numbers"));
    let (count, element) = (count.ok_or_else(many)?, element(value.element)?);
    // SAFETY: the caller's promise.
    unsafe { numbers(value.data, element, count, extents, is_table(family, name)) }
        .map(|found| (name, found))
        .map_err(|failure| if failure.status == WindrowStatus::NullPointer { failure.of(name) } else { failure })
}

/// Whether some kernel has a table of this name.
fn is_table(family: &Family, name: &str) -> bool {
    let arguments = family.members().iter().flat_map(|code| code.spec().arguments);
    arguments
        .filter(|argument| argument.name == name)
        .any(|argument| matches!(argument.kind, ArgumentKind::Table { .. }))
}

/// # Safety
/// For `'a`, `data` points to `count` numbers of `element` that nothing writes to.
unsafe fn numbers<'a>(
    data: *const c_void,
    element: ElementType,
    count: usize,
    extents: &[u32],
    is_table: bool,
) -> Result<Value<'a>, Failure> {
    macro_rules! of {
        ($($variant:ident: $ty:ty),*) => {
            match element {
                $(ElementType::$variant => {
                    // SAFETY: the caller's promise.
                    let found = unsafe { slice(data.cast::<$ty>(), count, "data") }?;
                    if is_table { Value::table(found) } else { Value::array(extents, found.iter().copied()) }
                })*
            }
        };
    }
    Ok(
        of!(U8: u8, I8: i8, U16: u16, I16: i16, U32: u32, I32: i32, F32: f32, U64: u64, I64: i64, F64: f64, F16: f16, BF16: bf16),
    )
}
