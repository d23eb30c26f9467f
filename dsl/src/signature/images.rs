//! Images: what is read, and what is written.

use super::Reader;
use crate::infer::types::Ty;
use crate::ir::*;
use crate::messages;
use crate::syntax::*;
use proc_macro2::Span;
use std::rc::Rc;
use windrow_reference::limits::MAX_ARGUMENTS;

impl Reader<'_> {
    pub(super) fn input(
        &mut self,
        parameter: &KernelParameter,
        ty: &Ty,
        around: bool,
        stride: Option<(u32, u32)>,
        inout: Option<Span>,
    ) {
        let form = if around { "Neighbourhood" } else { "" };
        let Some((element, channels)) = self.element(parameter, ty, form) else { return };
        let name = self.name(&parameter.pattern);
        let inout = match inout {
            Some(span) if around => {
                self.errors.report(messages::INOUT_ROLE.at(span, &[]));
                None
            }
            Some(span) => self.output_of(span, &name, element, channels),
            None => None,
        };
        self.kernel.parameters.push(Parameter::Input(InputId(self.kernel.inputs.len() as u32)));
        self.kernel.inputs.push(Input {
            name,
            element,
            ty: element.value_type(),
            channels,
            neighbourhood: Neighbourhood::default(),
            place: Rc::new(image_place(stride.unwrap_or((1, 1)))),
            inout,
            is_neighbourhood: around,
            is_whole: false,
            rank: None,
            span: parameter.pattern.start,
        });
    }

    /// The type and the channels of an image's element, where images of it may be read in this form.
    fn element(&mut self, parameter: &KernelParameter, ty: &Ty, form: &str) -> Option<(Type, u32)> {
        let (element, channels) = self.pixel(&parameter.ty, ty, messages::INPUT_TYPE)?;
        if form.is_empty() || legal::NEIGHBOURS.everywhere(element) {
            return Some((element, channels));
        }
        let found = format!("{form}<{}>", element.name());
        let refused = messages::INPUT_TYPE.at(&parameter.ty, &[&found]);
        let help = format!(
            "beyond an edge, a word of 32 bits stands for an element: take single elements, `{}`",
            element.name()
        );
        self.errors.report(refused.helped(help));
        None
    }

    /// An input that is read anywhere.
    pub(super) fn whole(
        &mut self,
        parameter: &KernelParameter,
        (ty, rank): (&Ty, Option<u32>),
        has_stride: bool,
        inout: Option<Span>,
    ) {
        let Some((element, channels)) = self.element(parameter, ty, "View") else { return };
        if let Some(span) = inout {
            return self.errors.report(messages::INOUT_ROLE.at(span, &[]));
        }
        if has_stride {
            return self.errors.report(messages::VIEW_STRIDE.at(&parameter.ty, &[]));
        }
        self.kernel.parameters.push(Parameter::Input(InputId(self.kernel.inputs.len() as u32)));
        self.kernel.inputs.push(Input {
            name: self.name(&parameter.pattern),
            element,
            ty: element.value_type(),
            channels,
            neighbourhood: Neighbourhood::default(),
            place: Rc::new([]),
            inout: None,
            is_neighbourhood: false,
            is_whole: true,
            rank,
            span: parameter.pattern.start,
        });
    }

    /// Where the element is: `[y, x]: At<2>`, the first parameter.
    pub(super) fn place(&mut self, parameter: &KernelParameter, ty: &Ty) {
        if !matches!(parameter.role, Role::Plain { stride: None, inout: None }) {
            return self.errors.report(messages::PLACE_ROLE.at(&parameter.ty, &[]));
        }
        if !self.kernel.parameters.is_empty() {
            return self.errors.report(messages::PLACE_FIRST.at(&parameter.ty, &[]));
        }
        if let Ty::Array(_, rank) = ty {
            self.kernel.parameters.push(Parameter::Place(*rank as u32));
        }
    }

    /// The output that an in-out input is: the one of its name, or the only one.
    fn output_of(&mut self, span: Span, name: &str, ty: Type, channels: u32) -> Option<OutputId> {
        let found = match &self.kernel.outputs[..] {
            [_] => Some(0),
            several => several.iter().position(|output| output.name == name),
        };
        let fits = |output: &Output| output.element == ty && output.channels == channels;
        match found {
            Some(index) if fits(&self.kernel.outputs[index]) => Some(OutputId(index as u32)),
            Some(_) | None => {
                self.errors.report(messages::INOUT_OUTPUT.at(span, &[name]));
                None
            }
        }
    }

    pub(super) fn outputs(&mut self) {
        let Some(ty) = &self.types.output else { return };
        let values: Vec<Ty> = match ty {
            Ty::Tuple(parts) => parts.clone(),
            one => vec![one.clone()],
        };
        let place = &self.item.output;
        if values.is_empty() || values.len() > MAX_ARGUMENTS {
            let found = self.show(ty);
            return self.errors.report(messages::OUTPUT_TYPE.at(place, &[&found]));
        }
        let places: Vec<TypeExpr> = match &place.kind {
            TypeKind::Tuple(parts) => parts.clone(),
            _ => vec![place.clone()],
        };
        for (position, value) in values.iter().enumerate() {
            let at = places.get(position).unwrap_or(place);
            let Some((element, channels)) = self.pixel(at, value, messages::OUTPUT_TYPE) else { continue };
            let name = if values.len() == 1 { "out".to_owned() } else { format!("out{position}") };
            self.kernel.outputs.push(Output { name, element, ty: element.value_type(), channels, optional: false });
        }
        self.output_names(values.len());
    }

    fn output_names(&mut self, count: usize) {
        let Some(names) = &self.item.attribute.outputs else { return };
        if names.len() != count {
            let plural = |n: usize, word: &str| if n == 1 { format!("1 {word}") } else { format!("{n} {word}s") };
            let last = &names[names.len() - 1].name;
            let words = (plural(names.len(), "output"), plural(count, "value"));
            return self
                .errors
                .report(messages::OUTPUT_COUNT.at((names[0].name.span(), last.span()), &[&words.0, &words.1]));
        }
        if let [OutputName { name, optional: true, .. }] = &names[..] {
            self.errors.report(messages::SINGLE_OUTPUT_OPTIONAL.at(name, &[]));
        }
        for (output, named) in self.kernel.outputs.iter_mut().zip(names) {
            output.name = named.name.to_string();
            output.optional = named.optional;
        }
    }
}
