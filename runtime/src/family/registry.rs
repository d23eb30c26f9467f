//! Operators found by name: for hosts that have no Rust types, as an interpreter and callers of C are.
//!
//! A [`Registry`] finds a [`Family`] by a name: a family, or a kernel as a family of one. [`Family::member`] chooses the kernel for
//! the images that are given, [`Family::values`] brings uniforms, variants and tables into its order, and a
//! [`KernelPlan`](crate::configure::KernelPlan) of both runs over [`AnyInputs`] and [`AnyOutputs`].
//!
//! ```
//! use windrow::{BorderMode, Border, Serial, Tensor, language::*};
//! use windrow::family::{AnyInputs, AnyOutputs, AnyTensor, Asked, Registry, Value, code_of};
//! use windrow::spec::{KernelPlan, Request, infer};
//!
//! /// 1 where the element is greater than `level`, 0 elsewhere.
//! #[kernel]
//! fn above(x: u8, #[uniform] level: u8) -> u8 {
//!     if x > level { 1 } else { 0 }
//! }
//!
//! static REGISTRY: Registry = Registry::new(&[code_of::<above>()], &[]);
//!
//! let photo = Tensor::from_vec(vec![7u8, 9], [1, 2])?;
//! let (read, views, values) = ([photo.info()], [photo.view().any()], [("level", Value::from(8i32))]);
//! let Some(operator) = REGISTRY.find("above") else { return Ok(()) };
//! let code = operator.member(&Asked { inputs: &read, values: &values, ..Asked::default() })?;
//! let arguments = operator.values(code, &values)?;
//! let Some(info) = infer(code.spec(), &read, BorderMode::Undefined)?.output(0) else { return Ok(()) };
//! let mut output = AnyTensor::new(&info)?;
//! let plan = KernelPlan::new(code, &Request {
//!     inputs: &read,
//!     outputs: &[Some(&info)],
//!     words: &arguments.words,
//!     choice: &arguments.choice,
//!     border: Border::Undefined.into(),
//! })?;
//! let inputs = AnyInputs { views: &views, tables: &arguments.tables };
//! plan.run(&Serial, inputs, AnyOutputs(&mut [Some(output.view_mut())]))?;
//! assert_eq!(output.to_tensor::<u8>()?.to_vec(), [0, 1]);
//! # Ok::<(), windrow::Error>(())
//! ```

use super::{Family, FamilyError, Types, Value, Values, has_value, list, size};
use crate::{
    arguments::{AnyTable, InputList, Inputs, OutputList, Outputs},
    code::KernelCode,
    dtype::DType,
    element::ElementType,
    info::TensorInfo,
    spec::KernelSpec,
    view::{AnyView, AnyViewMut},
};
use std::{
    format,
    string::{String, ToString},
    vec::Vec,
};

/// The operators of a library, by name: its families, and each of its kernels alone.
#[derive(Clone, Copy, Debug)]
pub struct Registry {
    kernels: &'static [&'static KernelCode],
    families: &'static [&'static Family],
}

impl Registry {
    /// Returns the registry of these kernels and families.
    pub const fn new(kernels: &'static [&'static KernelCode], families: &'static [&'static Family]) -> Registry {
        Registry { kernels, families }
    }

    /// Returns the family of this name or, where there is none, the kernel of this name as a family of one.
    pub fn find(&self, name: &str) -> Option<Family> {
        let family = self.families.iter().find(|family| family.name() == name).map(|family| **family);
        family.or_else(|| self.kernels.iter().find(|code| code.spec.name == name).map(alone))
    }

    /// Returns every operator that [`Registry::find`] finds, each once: the families, then the kernels whose names no family has.
    pub fn operators(&self) -> impl Iterator<Item = Family> + '_ {
        let is_hidden = |name: &str| self.families.iter().any(|family| family.name() == name);
        let kernels = self.kernels.iter().filter(move |code| !is_hidden(code.spec.name)).map(alone);
        self.families.iter().map(|family| **family).chain(kernels)
    }

    /// Returns the kernels.
    pub const fn kernels(&self) -> &'static [&'static KernelCode] {
        self.kernels
    }
}

fn alone(code: &'static &'static KernelCode) -> Family {
    Family::new(code.spec.name, core::slice::from_ref(code))
}

/// What a member of a family is chosen by.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    /// The images that are read, `#[inout]` ones left out, in the kernels' order.
    pub inputs: &'a [&'a TensorInfo],
    /// The images that are written, `None` for one left out; empty where none is there yet.
    pub outputs: &'a [Option<&'a TensorInfo>],
    /// The type of every output, where one is asked for.
    pub output: Option<ElementType>,
    /// Columns and rows of what is read around an element, where they are asked for.
    pub size: Option<(u32, u32)>,
    /// Uniforms, variants and tables by name.
    pub values: &'a [(&'a str, Value<'a>)],
}

impl Asked<'_> {
    /// Whether a kernel reads and writes images of these types, and has the size.
    fn fits(&self, spec: &'static KernelSpec) -> bool {
        let is = |info: &TensorInfo, element: ElementType, channels: u32| {
            info.dtype() == DType::from(element) && info.channels() == channels
        };
        let mut read = self.inputs.iter();
        let reads = spec
            .read_images()
            .all(|(_, input)| read.next().is_some_and(|info| is(info, input.element, input.channels)));
        let writes = self.outputs.is_empty()
            || self.outputs.len() == spec.outputs.len()
                && spec.outputs.iter().zip(self.outputs).all(|(output, info)| {
                    info.map_or(output.optional, |info| is(info, output.element, output.channels))
                });
        reads
            && read.next().is_none()
            && writes
            && self.output.is_none_or(|asked| spec.outputs.iter().all(|output| output.element == asked))
            && self.size.is_none_or(|asked| size(spec) == asked)
    }

    fn describe(&self) -> String {
        let types = |infos: &mut dyn Iterator<Item = &TensorInfo>| {
            list(&infos.map(|info| (info.dtype(), info.channels())).collect::<Vec<_>>())
        };
        let given = types(&mut self.inputs.iter().copied());
        let output = match (self.output, self.outputs) {
            (Some(output), _) => format!(" → {output}"),
            (None, []) => String::new(),
            (None, outputs) => format!(" → {}", types(&mut outputs.iter().copied().flatten())),
        };
        let size = self.size.map_or_else(String::new, |(columns, rows)| format!(" of {columns}×{rows}"));
        format!("{given}{output}{size}")
    }
}

impl Family {
    /// Returns the kernel for what is asked. Where several read and write such images, it is the one that takes the values given, and
    /// among those the one that has the family's name. A kernel alone is always the one: its own checks say what does not fit.
    ///
    /// # Errors
    /// The family has no such kernel, or several.
    pub fn member(&self, asked: &Asked<'_>) -> Result<&'static KernelCode, FamilyError> {
        if let [code] = self.members {
            return Ok(code);
        }
        let mut fitting: Vec<&'static KernelCode> =
            self.members.iter().copied().filter(|code| asked.fits(code.spec)).collect();
        if fitting.len() > 1 {
            let takes = |code: &&'static KernelCode| self.values(code, asked.values).is_ok();
            let taking: Vec<_> = fitting.iter().copied().filter(takes).collect();
            if !taking.is_empty() {
                fitting = taking;
            }
        }
        let (family, types) =
            (|| self.name.to_string(), |members: &[&'static KernelCode]| super::call::offered(members.iter()));
        match fitting.as_slice() {
            [code] => Ok(code),
            [] => {
                Err(FamilyError::NoMember { family: family(), asked: asked.describe(), offered: types(self.members) })
            }
            several => several.iter().find(|code| code.spec.name == self.name).copied().ok_or_else(|| {
                FamilyError::Ambiguous { family: family(), asked: asked.describe(), offered: types(several) }
            }),
        }
    }

    /// Returns what `code`, one of the members, is configured with beside its images.
    ///
    /// A value for an argument that another member has is left out.
    ///
    /// # Errors
    /// A value is missing or wrong, or no member has an argument of its name.
    pub fn values<'a>(
        &self,
        code: &'static KernelCode,
        values: &[(&str, Value<'a>)],
    ) -> Result<Values<'a>, FamilyError> {
        match values.iter().find(|(argument, _)| !has_value(self, argument)) {
            Some((argument, _)) => {
                Err(FamilyError::Unknown { family: self.name.to_string(), argument: argument.to_string() })
            }
            None => Values::of(code.spec, values),
        }
    }

    /// Returns the types of the images of a member, as errors show them.
    pub fn types_of(code: &'static KernelCode) -> Types {
        Types::of(code.spec)
    }
}

/// What a run reads, of types known at run time: the images, `#[inout]` ones left out, and the tables.
#[derive(Clone, Copy, Debug)]
pub struct AnyInputs<'s, 'a> {
    /// The images, in the kernel's order.
    pub views: &'s [AnyView<'a>],
    /// The tables, in the kernel's order.
    pub tables: &'s [AnyTable<'a>],
}

impl<'a> Inputs<'a> for AnyInputs<'_, 'a> {
    fn list<'s>(&'s self, list: &mut InputList<'s, 'a>) {
        self.views.iter().for_each(|view| list.view(view));
        self.tables.iter().for_each(|table| list.any_table(*table));
    }
}

/// What a run writes, of types known at run time; `None` for an output left out.
#[derive(Debug)]
pub struct AnyOutputs<'s, 'a>(pub &'s mut [Option<AnyViewMut<'a>>]);

impl<'a> Outputs<'a> for AnyOutputs<'_, 'a> {
    fn list<'s>(&'s mut self, list: &mut OutputList<'s, 'a>) {
        self.0.iter_mut().for_each(|view| list.view(view.as_mut()));
    }
}
