//! A call of a family: the arguments, the member that fits them, and its run.

use super::{AnyTensor, Family, FamilyError, Types, Value, Values, has_value, list, size};
use crate::{
    border::{Border, Borders},
    code::KernelCode,
    configure::KernelPlan,
    dtype::DType,
    element::ElementType,
    error::any::Error,
    infer::infer_with_uniforms,
    info::TensorInfo,
    job::Images,
    run::run_images,
    schedule::Rayon,
    spec::KernelSpec,
    validate::Request,
    view::AnyView,
};
use std::{format, string::String, string::ToString, vec::Vec};

/// A call of a family, argument by argument.
#[derive(Clone, Debug)]
pub struct FamilyCall<'a> {
    family: &'a Family,
    images: Vec<AnyView<'a>>,
    values: Vec<(&'a str, Value<'a>)>,
    output: Option<ElementType>,
    size: Option<(u32, u32)>,
    border: Borders,
}

impl<'a> FamilyCall<'a> {
    pub(super) fn new(family: &'a Family) -> FamilyCall<'a> {
        let (images, values) = (Vec::new(), Vec::new());
        FamilyCall { family, images, values, output: None, size: None, border: Border::Undefined.into() }
    }

    /// Adds an image that is read, in the kernels' order.
    #[must_use]
    pub fn image(mut self, image: impl Into<AnyView<'a>>) -> FamilyCall<'a> {
        self.images.push(image.into());
        self
    }

    /// Sets a uniform, a variant or a table by its name. A kernel that has no such argument doesn't need it; some kernel of
    /// the family must have it.
    #[must_use]
    pub fn set(mut self, argument: &'a str, value: impl Into<Value<'a>>) -> FamilyCall<'a> {
        self.values.push((argument, value.into()));
        self
    }

    /// Asks for outputs of this type, where there are kernels for several.
    #[must_use]
    pub fn output(self, element: ElementType) -> FamilyCall<'a> {
        FamilyCall { output: Some(element), ..self }
    }

    /// Asks for a kernel that reads `columns` columns and `rows` rows around an element.
    #[must_use]
    pub fn size(self, columns: u32, rows: u32) -> FamilyCall<'a> {
        FamilyCall { size: Some((columns, rows)), ..self }
    }

    /// Sets what is read outside the images; without it, elements that need that are not computed.
    #[must_use]
    pub fn border(self, border: impl Into<Borders>) -> FamilyCall<'a> {
        FamilyCall { border: border.into(), ..self }
    }

    /// Returns the kernel that fits the images, and the output and size asked for.
    ///
    /// # Errors
    /// The family has no such kernel, or several.
    pub fn kernel(&self) -> Result<&'static KernelCode, FamilyError> {
        let given: Vec<(DType, u32)> =
            self.images.iter().map(|image| (image.info().dtype(), image.info().channels())).collect();
        let fits = |spec: &'static KernelSpec| {
            let types = Types::of(spec);
            types.inputs == given
                && self.output.is_none_or(|element| types.outputs.iter().all(|(output, _)| *output == element))
                && self.size.is_none_or(|asked| size(spec) == asked)
        };
        let members: Vec<_> = self.family.members().iter().filter(|code| fits(code.spec)).collect();
        let asked = || {
            let output = self.output.map_or_else(String::new, |output| format!(" → {output}"));
            let size = self.size.map_or_else(String::new, |(columns, rows)| format!(" of {columns}×{rows}"));
            format!("{}{output}{size}", list(&given))
        };
        let family = || self.family.name().to_string();
        match members.as_slice() {
            [code] => Ok(code),
            [] => Err(FamilyError::NoMember {
                family: family(),
                asked: asked(),
                offered: offered(self.family.members().iter()),
            }),
            several => Err(FamilyError::Ambiguous {
                family: family(),
                asked: asked(),
                offered: offered(several.iter().copied()),
            }),
        }
    }

    /// Runs the kernel that fits, with the default scheduler, and returns all of its outputs.
    ///
    /// # Errors
    /// The family has no kernel for the arguments, one is missing or wrong, or the run was refused or stopped.
    pub fn apply(self) -> Result<Vec<AnyTensor>, Error> {
        let code = self.kernel()?;
        let spec = code.spec;
        if let Some((argument, _)) = self.values.iter().find(|(argument, _)| !has_value(self.family, argument)) {
            let (family, argument) = (self.family.name().to_string(), argument.to_string());
            return Err(FamilyError::Unknown { family, argument }.into());
        }
        if spec.images().any(|(_, input)| input.inout.is_some()) {
            return Err(FamilyError::InOut { kernel: spec.name.to_string() }.into());
        }
        let arguments = Values::of(spec, &self.values)?;
        let infos: Vec<&TensorInfo> = self.images.iter().map(AnyView::info).collect();
        let inferred = infer_with_uniforms(spec, &infos, &arguments.words, self.border.modes())?;
        let outputs = (0..spec.outputs.len()).filter_map(|index| inferred.output(index));
        let mut outputs = outputs.map(|info| AnyTensor::new(&info)).collect::<Result<Vec<_>, _>>()?;
        let written: Vec<TensorInfo> = outputs.iter().map(|output| *output.info()).collect();
        let written: Vec<Option<&TensorInfo>> = written.iter().map(Some).collect();
        let request = Request {
            inputs: &infos,
            words: &arguments.words,
            choice: &arguments.choice,
            outputs: &written,
            border: self.border,
        };
        let plan = KernelPlan::new(code, &request)?;
        let mut images = Images::default();
        self.images.iter().for_each(|image| images.read.push(*image));
        arguments.tables.iter().for_each(|table| images.tables.push(*table));
        outputs.iter_mut().for_each(|output| images.write(Some(output.view_mut())));
        run_images(&plan, &Rayon::new(), &images)?;
        Ok(outputs)
    }
}

pub(super) fn offered<'c>(members: impl Iterator<Item = &'c &'static KernelCode>) -> String {
    let types = members.map(|code| match size(code.spec) {
        (1, 1) => Types::of(code.spec).to_string(),
        (columns, rows) => format!("{} of {columns}×{rows}", Types::of(code.spec)),
    });
    types.collect::<Vec<String>>().join("; ")
}
