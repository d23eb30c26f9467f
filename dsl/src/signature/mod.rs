//! A kernel's signature as the IR says it: its inputs, uniforms, tables, variants and outputs, without bodies.
//!
//! The rules on what may stand in a signature are here, each at its parameter.

mod extents;
mod images;
mod uniforms;

use crate::diagnostic::Diagnostics;
use crate::infer::Types;
use crate::infer::types::{Ty, Unifier};
use crate::ir::*;
use crate::messages::{self, Located};
use crate::syntax::*;
use windrow_reference::limits::{MAX_ARGUMENTS, MAX_BODIES, MAX_CHANNELS};

/// The most parameters.
const MAX_PARAMETERS: usize = 32;
/// The border modes of a kernel that doesn't say its own: all of them, for no body depends on the border.
const DEFAULT_BORDERS: [BorderMode; 6] = [
    BorderMode::Undefined,
    BorderMode::Constant,
    BorderMode::Replicate,
    BorderMode::Reflect,
    BorderMode::Reflect101,
    BorderMode::Wrap,
];

/// The kernel without its bodies, or what is wrong with its signature.
pub fn signature(
    unit: &Unit,
    item: &KernelItem,
    types: &Types,
    copy: Option<(&str, Type)>,
) -> Result<Kernel, Vec<crate::diagnostic::Diagnostic>> {
    let mut reader = Reader { unit, item, types, errors: Diagnostics::default(), kernel: empty(item, copy) };
    reader.outputs();
    reader.parameters();
    reader.requires();
    reader.window();
    reader.borders();
    reader.names();
    reader.limits();
    reader.errors.finish()?;
    Ok(reader.kernel)
}

fn empty(item: &KernelItem, copy: Option<(&str, Type)>) -> Kernel {
    let function = item.name.to_string();
    Kernel {
        name: copy.map_or_else(|| function.clone(), |(_, ty)| format!("{function}_{}", ty.name())),
        function,
        type_parameter: copy.map(|(parameter, ty)| (parameter.to_owned(), ty)),
        docs: item.docs.clone(),
        parameters: Vec::new(),
        inputs: Vec::new(),
        uniforms: Vec::new(),
        tables: Vec::new(),
        variants: Vec::new(),
        outputs: Vec::new(),
        step: item.attribute.step.unwrap_or(Block { x: 16, y: 1 }),
        schedule: item.attribute.schedule.clone(),
        borders: Vec::new(),
        requires: Vec::new(),
        extents: Vec::new(),
        window: None,
        fast: item.attribute.fast,
        deny_scalar: item.attribute.deny_scalar,
        bodies: Vec::new(),
        facts: Vec::new(),
        span: item.name.span(),
    }
}

struct Reader<'a> {
    unit: &'a Unit,
    item: &'a KernelItem,
    types: &'a Types,
    errors: Diagnostics,
    kernel: Kernel,
}

impl Reader<'_> {
    fn show(&self, ty: &Ty) -> String {
        self.types.show(ty, &Unifier::default())
    }

    fn parameters(&mut self) {
        for (parameter, ty) in self.item.parameters.iter().zip(&self.types.parameters) {
            if matches!(parameter.ty.kind, TypeKind::At(_)) {
                self.place(parameter, ty);
                continue;
            }
            let before = self.kernel.inputs.len();
            match &parameter.role {
                Role::Uniform(bound) => self.uniform(parameter, ty, bound),
                Role::Variant => self.variant(parameter, ty),
                Role::Plain { stride, inout } => match ty {
                    Ty::Table(entry, length) => {
                        self.table(parameter, *entry, *length, stride.is_some() || inout.is_some())
                    }
                    Ty::View(pixel, rank) => self.whole(parameter, (pixel, *rank), stride.is_some(), *inout),
                    Ty::Neighbourhood(pixel) => self.input(parameter, pixel, true, *stride, *inout),
                    _ => self.input(parameter, ty, false, *stride, *inout),
                },
            }
            // Where the input itself is wrong, its shape has been left.
            if self.kernel.inputs.len() > before || !matches!(ty, Ty::View(..)) {
                self.shape(parameter, ty);
            }
        }
        if self.kernel.inputs.is_empty() && self.errors.is_empty() {
            self.errors.report(messages::NO_INPUT.at(&self.item.name, &[]));
        }
    }

    /// The type and the channels of an image's element.
    fn pixel(&mut self, place: impl Located + Copy, ty: &Ty, message: messages::Message) -> Option<(Type, u32)> {
        match ty {
            Ty::Scalar(Type::BOOL) => {}
            Ty::Scalar(ty) => return Some((*ty, 1)),
            Ty::Array(element, n) => match **element {
                Ty::Scalar(ty) if ty != Type::BOOL && (1..=MAX_CHANNELS as u64).contains(n) => {
                    return Some((ty, *n as u32));
                }
                Ty::Scalar(ty) if ty != Type::BOOL => {
                    self.errors.report(messages::CHANNELS.at(place, &[&n.to_string()]));
                    return None;
                }
                _ => {}
            },
            Ty::Error => return None,
            _ => {}
        }
        let found = self.show(ty);
        let refused = message.at(place, &[&found]);
        self.errors.report(match ty {
            Ty::Scalar(Type::BOOL) => refused.helped("use `u8`: write `if .. { 255 } else { 0 }`, and read `a != 0`"),
            Ty::Usize if message.name == messages::INPUT_TYPE.name => refused.helped(
                "the place of the element is the first parameter, `[y, x]: At<2>`; a number that all elements share is \
                 `#[uniform(0..=9)] n: usize`, with its own bounds",
            ),
            _ => refused,
        });
        None
    }

    fn table(&mut self, parameter: &KernelParameter, element: Type, length: u32, has_role: bool) {
        if has_role {
            self.errors.report(messages::TABLE_ROLE.at(&parameter.ty, &[]));
        }
        let name = self.name(&parameter.pattern);
        self.kernel.parameters.push(Parameter::Table(TableId(self.kernel.tables.len() as u32)));
        self.kernel.tables.push(Table {
            name,
            element,
            ty: element.value_type(),
            length,
            span: parameter.pattern.start,
        });
    }

    fn variant(&mut self, parameter: &KernelParameter, ty: &Ty) {
        let found = match ty {
            Ty::Enum(which) => &self.types.enums[*which],
            Ty::Error => return,
            _ => {
                let found = self.show(ty);
                let refused = messages::VARIANT_TYPE.at(&parameter.ty, &[&found]);
                return self.errors.report(refused.helped(
                    "a choice is an enum: use `Overflow` or `Rounding`, or declare one beside the kernel in a \
                     `#[kernels] mod`; a number of the run is `#[uniform]`",
                ));
            }
        };
        let name = self.name(&parameter.pattern);
        self.kernel.parameters.push(Parameter::Variant(self.kernel.variants.len() as u32));
        self.kernel.variants.push(Variant {
            name,
            enum_name: quote::ToTokens::to_token_stream(&parameter.ty.source).to_string().replace(' ', ""),
            values: found.values.clone(),
            span: parameter.pattern.start,
        });
    }

    /// The name of a parameter: the author's, or its channels' names put together.
    fn name(&self, pattern: &Pattern) -> String {
        match &pattern.kind {
            PatternKind::Binding { local, .. } => self.unit.local(*local).to_string(),
            PatternKind::Array(parts) => {
                let names: Vec<String> = parts.iter().map(|part| self.name(part)).collect();
                let separator = if names.iter().all(|name| name.len() == 1) { "" } else { "_" };
                names.join(separator)
            }
            PatternKind::Wild => "_".to_owned(),
            PatternKind::Tuple(_)
            | PatternKind::Value(_)
            | PatternKind::Range { .. }
            | PatternKind::Or(_)
            | PatternKind::Some(_)
            | PatternKind::None => String::new(),
        }
    }

    fn borders(&mut self) {
        let has_neighbourhood = self.kernel.inputs.iter().any(|input| input.is_neighbourhood);
        self.kernel.borders = match (&self.item.attribute.borders, has_neighbourhood) {
            (Some((_, span)), false) if self.errors.is_empty() => {
                self.errors.report(messages::BORDER_WITHOUT_NEIGHBOURHOOD.at(*span, &[]));
                Vec::new()
            }
            (Some((modes, _)), true) => modes.clone(),
            (None, true) => DEFAULT_BORDERS.to_vec(),
            (Some(_) | None, false) => vec![BorderMode::Undefined],
        };
    }

    /// Arguments and outputs share one space of names.
    fn names(&mut self) {
        let mut seen: Vec<String> = Vec::new();
        for parameter in &self.item.parameters {
            let name = self.name(&parameter.pattern);
            if seen.contains(&name) {
                self.errors.report(messages::PARAMETER_TWICE.at(&parameter.pattern, &[&name]));
            }
            seen.push(name);
        }
        let inouts: Vec<u32> = self.kernel.inputs.iter().filter_map(|input| input.inout.map(|id| id.0)).collect();
        for (index, output) in self.item.attribute.outputs.iter().flatten().enumerate() {
            let name = output.name.to_string();
            if seen.contains(&name) && !inouts.contains(&(index as u32)) {
                self.errors.report(messages::PARAMETER_TWICE.at(&output.name, &[&name]));
            }
            seen.push(name);
        }
    }

    fn limits(&mut self) {
        let read = self.kernel.inputs.iter().filter(|input| input.inout.is_none()).count() + self.kernel.tables.len();
        let counts = [
            (self.item.parameters.len(), "parameters", MAX_PARAMETERS),
            (read, "images and tables to read", MAX_ARGUMENTS),
        ];
        if let Some((count, what, most)) = counts.into_iter().find(|(count, _, most)| count > most) {
            let words = [&count.to_string(), what, &most.to_string()].map(str::to_owned);
            self.errors.report(messages::TOO_MANY_ITEMS.at(&self.item.name, &[&words[0], &words[1], &words[2]]));
        }
        let bodies =
            self.kernel.variants.iter().fold(1u64, |all, variant| all.saturating_mul(variant.values.len() as u64));
        if bodies == 0 || bodies > MAX_BODIES as u64 {
            let words = (bodies.to_string(), MAX_BODIES.to_string());
            let place = self.kernel.variants.first().map_or(self.kernel.span, |variant| variant.span);
            self.errors.report(messages::TOO_MANY_BODIES.at(place, &[&words.0, &words.1]));
        }
    }
}
