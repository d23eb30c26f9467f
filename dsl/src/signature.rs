//! A kernel's signature as the IR says it: its inputs, uniforms, tables, variants and outputs, without bodies.
//!
//! The rules on what may stand in a signature are here, each at its parameter.

use crate::arithmetic;
use crate::diagnostic::Diagnostics;
use crate::infer::Types;
use crate::infer::types::{Ty, Unifier, name};
use crate::ir::*;
use crate::messages::{self, Place, Tokens, nearest};
use crate::parse::attribute::signed;
use crate::syntax::*;
use proc_macro2::Span;

/// The most values of a uniform.
const MAX_UNIFORM: u32 = 1024;
/// The most bodies of a kernel.
const MAX_BODIES: u64 = 64;
/// The most parameters, and the most outputs.
const MAX_ARGUMENTS: usize = 32;
/// The most outputs.
const MAX_OUTPUTS: usize = 8;
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
    reader.borders();
    reader.names();
    reader.limits();
    reader.errors.finish()?;
    Ok(reader.kernel)
}

fn empty(item: &KernelItem, copy: Option<(&str, Type)>) -> Kernel {
    let function = item.name.to_string();
    Kernel {
        name: copy.map_or_else(|| function.clone(), |(_, ty)| format!("{function}_{}", name(ty))),
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
        fast: item.attribute.fast,
        deny_scalar: item.attribute.deny_scalar,
        bodies: Vec::new(),
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
            match &parameter.role {
                Role::Uniform(bound) => self.uniform(parameter, ty, bound),
                Role::Variant => self.variant(parameter, ty),
                Role::Plain { stride, inout } => match ty {
                    Ty::Table(entry, length) => {
                        self.table(parameter, *entry, *length, stride.is_some() || inout.is_some())
                    }
                    Ty::Neighbourhood(pixel) => self.input(parameter, pixel, true, *stride, *inout),
                    _ => self.input(parameter, ty, false, *stride, *inout),
                },
            }
        }
        if self.kernel.inputs.is_empty() && self.errors.is_empty() {
            self.errors.report(messages::NO_INPUT.at(&self.item.name, &[]));
        }
    }

    /// The type and the channels of an image's element.
    fn pixel(&mut self, place: impl Place + Copy, ty: &Ty, message: messages::Message) -> Option<(Type, u32)> {
        match ty {
            Ty::Scalar(Type::Bool) => {}
            Ty::Scalar(ty) => return Some((*ty, 1)),
            Ty::Array(element, n) => match **element {
                Ty::Scalar(ty) if ty != Type::Bool && (1..=4).contains(n) => return Some((ty, *n as u32)),
                Ty::Scalar(ty) if ty != Type::Bool => {
                    self.errors.report(messages::CHANNELS.at(place, &[&n.to_string()]));
                    return None;
                }
                _ => {}
            },
            Ty::Error => return None,
            _ => {}
        }
        let found = self.show(ty);
        self.errors.report(message.at(place, &[&found]));
        None
    }

    fn input(
        &mut self,
        parameter: &KernelParameter,
        ty: &Ty,
        around: bool,
        stride: Option<(u32, u32)>,
        inout: Option<Span>,
    ) {
        let Some((element, channels)) = self.pixel(&parameter.ty, ty, messages::INPUT_TYPE) else { return };
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
            ty: element,
            channels,
            neighbourhood: Neighbourhood::default(),
            stride: stride.unwrap_or((1, 1)),
            inout,
            is_neighbourhood: around,
            span: parameter.pattern.start,
        });
    }

    /// The output that an in-out input is: the one of its name, or the only one.
    fn output_of(&mut self, span: Span, name: &str, ty: Type, channels: u32) -> Option<OutputId> {
        let found = match &self.kernel.outputs[..] {
            [_] => Some(0),
            several => several.iter().position(|output| output.name == name),
        };
        let fits = |output: &Output| output.ty == ty && output.channels == channels;
        match found {
            Some(index) if fits(&self.kernel.outputs[index]) => Some(OutputId(index as u32)),
            Some(_) | None => {
                self.errors.report(messages::INOUT_OUTPUT.at(span, &[name]));
                None
            }
        }
    }

    fn table(&mut self, parameter: &KernelParameter, ty: Type, length: u32, has_role: bool) {
        if has_role {
            self.errors.report(messages::STRIDE_ROLE.at(&parameter.ty, &[]));
        }
        let name = self.name(&parameter.pattern);
        self.kernel.parameters.push(Parameter::Table(TableId(self.kernel.tables.len() as u32)));
        self.kernel.tables.push(Table { name, ty, length, span: parameter.pattern.start });
    }

    fn uniform(&mut self, parameter: &KernelParameter, ty: &Ty, bound: &UniformBound) {
        let mut dims = Vec::new();
        let mut scalar = ty;
        while let Ty::Array(element, n) = scalar {
            dims.push(*n as u32);
            scalar = element;
        }
        let (element, is_usize) = match scalar {
            Ty::Scalar(element) if *element != Type::Bool => (*element, false),
            Ty::Usize => (Type::U32, true),
            Ty::Error => return,
            _ => {
                let found = self.show(ty);
                return self.errors.report(messages::UNIFORM_TYPE.at(&parameter.ty, &[&found]));
            }
        };
        let size = dims.iter().fold(1u32, |size, n| size.saturating_mul(*n));
        if size == 0 || size > MAX_UNIFORM {
            return self.errors.report(messages::UNIFORM_SIZE.at(&parameter.ty, &[&size.to_string()]));
        }
        let bounds = match bound {
            UniformBound::Range(lo, hi) => self.bounds(element, lo, hi),
            UniformBound::None | UniformBound::SumOfMagnitudes(..) => None,
        };
        let sum_of_magnitudes = match bound {
            UniformBound::SumOfMagnitudes(_, span) if dims.is_empty() || element == Type::F32 => {
                self.errors.report(messages::SUM_NEEDS_ARRAY.at(*span, &[]));
                None
            }
            UniformBound::SumOfMagnitudes(limit, _) => Some(*limit),
            UniformBound::None | UniformBound::Range(..) => None,
        };
        if is_usize && bounds.is_none() && !matches!(bound, UniformBound::Range(..)) {
            self.errors.report(messages::USIZE_BOUNDS.at(&parameter.pattern, &[]));
        }
        let name = self.name(&parameter.pattern);
        self.kernel.parameters.push(Parameter::Uniform(UniformId(self.kernel.uniforms.len() as u32)));
        let span = parameter.pattern.start;
        self.kernel.uniforms.push(Uniform { name, ty: element, is_usize, dims, bounds, sum_of_magnitudes, span });
    }

    fn bounds(&mut self, ty: Type, lo: &syn::Expr, hi: &syn::Expr) -> Option<(Bound, Bound)> {
        let mut side = |value: &syn::Expr| {
            let found = self.constant(value, ty);
            if found.is_none() {
                self.errors.report(messages::UNIFORM_BOUNDS.at(Tokens(value), &[]));
            }
            found
        };
        let (from, to) = (side(lo), side(hi));
        let (from, to) = (from?, to?);
        let ordered = match (from, to) {
            (Bound::Int(a), Bound::Int(b)) => a <= b,
            (Bound::Float(a), Bound::Float(b)) => a <= b,
            (Bound::Int(_) | Bound::Float(_), _) => false,
        };
        if !ordered {
            self.errors.report(messages::UNIFORM_BOUNDS.at(Tokens(lo), &[]));
            return None;
        }
        Some((from, to))
    }

    /// A constant of a type: a literal, or a constant of the library.
    fn constant(&self, value: &syn::Expr, ty: Type) -> Option<Bound> {
        if ty == Type::F32 {
            return float(value).filter(|value| !value.is_nan()).map(Bound::Float);
        }
        let value = match value {
            syn::Expr::Path(path) => {
                let segments: Vec<String> = path.path.segments.iter().map(|s| s.ident.to_string()).collect();
                let [of, constant] = &segments[..] else { return None };
                let of = crate::parse::expression::scalar_type(of)?;
                match crate::builtins::associated_constant(of, constant)? {
                    (Constant::Int(value), _) => value,
                    (Constant::Bool(_) | Constant::Float(_), _) => return None,
                }
            }
            value => signed(value)?,
        };
        arithmetic::fits(value, ty).then_some(Bound::Int(value))
    }

    fn variant(&mut self, parameter: &KernelParameter, ty: &Ty) {
        let found = match ty {
            Ty::Enum(which) => &self.types.enums[*which],
            Ty::Error => return,
            _ => {
                let found = self.show(ty);
                return self.errors.report(messages::VARIANT_TYPE.at(&parameter.ty, &[&found]));
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
            PatternKind::Tuple(_) | PatternKind::Value(_) | PatternKind::Range { .. } | PatternKind::Or(_) => {
                String::new()
            }
        }
    }

    fn outputs(&mut self) {
        let Some(ty) = &self.types.output else { return };
        let values: Vec<Ty> = match ty {
            Ty::Tuple(parts) => parts.clone(),
            one => vec![one.clone()],
        };
        let place = &self.item.output;
        if values.is_empty() || values.len() > MAX_OUTPUTS {
            let found = self.show(ty);
            return self.errors.report(messages::OUTPUT_TYPE.at(place, &[&found]));
        }
        let places: Vec<TypeExpr> = match &place.kind {
            TypeKind::Tuple(parts) => parts.clone(),
            _ => vec![place.clone()],
        };
        for (position, value) in values.iter().enumerate() {
            let at = places.get(position).unwrap_or(place);
            let Some((ty, channels)) = self.pixel(at, value, messages::OUTPUT_TYPE) else { continue };
            let name = if values.len() == 1 { "out".to_owned() } else { format!("out{position}") };
            self.kernel.outputs.push(Output { name, ty, channels, optional: false });
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
        if let [OutputName { name, optional: true }] = &names[..] {
            self.errors.report(messages::SINGLE_OUTPUT_OPTIONAL.at(name, &[]));
        }
        for (output, named) in self.kernel.outputs.iter_mut().zip(names) {
            output.name = named.name.to_string();
            output.optional = named.optional;
        }
    }

    fn requires(&mut self) {
        for require in &self.item.attribute.requires {
            let (left, right) = (self.term(&require.left, &require.right), self.term(&require.right, &require.left));
            let (Some((left, a)), Some((right, b))) = (left, right) else { continue };
            if a != b {
                let words = [name(a), name(b)];
                self.errors.report(messages::REQUIRE_TYPES.at(Tokens(&require.whole), &words));
                continue;
            }
            if let (RequireTerm::Constant(_), RequireTerm::Constant(_)) = (left, right) {
                self.errors.report(messages::BAD_REQUIRE.at(Tokens(&require.whole), &[]));
                continue;
            }
            let text = tidy(&quote::ToTokens::to_token_stream(&require.whole).to_string());
            let span = Tokens(&require.whole).place().0;
            self.kernel.requires.push(Require { op: require.op, left, right, text, span });
        }
    }

    /// A side of a requirement, with its type; a constant has the other side's.
    fn term(&mut self, side: &syn::Expr, other: &syn::Expr) -> Option<(RequireTerm, Type)> {
        if let Some(id) = self.scalar_uniform(side) {
            return Some((RequireTerm::Uniform(id), self.kernel.uniforms[id.0 as usize].ty));
        }
        let ty = self.scalar_uniform(other).map(|id| self.kernel.uniforms[id.0 as usize].ty);
        if let Some(value) = self.constant(side, ty.unwrap_or(Type::I32)) {
            return Some((RequireTerm::Constant(value), ty.unwrap_or(Type::I32)));
        }
        match side {
            syn::Expr::Path(path) => {
                let word = quote::ToTokens::to_token_stream(path).to_string();
                let known = self.kernel.uniforms.iter().filter(|uniform| uniform.dims.is_empty());
                let help = match nearest(&word, known.map(|uniform| uniform.name.as_str())) {
                    Some(known) => format!("did you mean `{known}`?"),
                    None => "compare scalar parameters marked with `#[uniform]`".to_owned(),
                };
                self.errors.report(messages::REQUIRE_UNKNOWN.at(Tokens(side), &[&word, &help]));
            }
            _ => self.errors.report(messages::BAD_REQUIRE.at(Tokens(side), &[])),
        }
        None
    }

    fn scalar_uniform(&self, side: &syn::Expr) -> Option<UniformId> {
        let syn::Expr::Path(path) = side else { return None };
        let name = path.path.get_ident()?.to_string();
        let index = self.kernel.uniforms.iter().position(|uniform| uniform.name == name && uniform.dims.is_empty())?;
        Some(UniformId(index as u32))
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
        if self.item.parameters.len() > MAX_ARGUMENTS {
            let words =
                [&self.item.parameters.len().to_string(), "parameters", &MAX_ARGUMENTS.to_string()].map(str::to_owned);
            self.errors.report(messages::TOO_MANY_ITEMS.at(&self.item.name, &[&words[0], &words[1], &words[2]]));
        }
        let bodies =
            self.kernel.variants.iter().fold(1u64, |all, variant| all.saturating_mul(variant.values.len() as u64));
        if bodies == 0 || bodies > MAX_BODIES {
            let words = (bodies.to_string(), MAX_BODIES.to_string());
            let place = self.kernel.variants.first().map_or(self.kernel.span, |variant| variant.span);
            self.errors.report(messages::TOO_MANY_BODIES.at(place, &[&words.0, &words.1]));
        }
    }
}

/// A float constant, perhaps behind a minus sign.
fn float(value: &syn::Expr) -> Option<f32> {
    match value {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Float(float), .. }) => float.base10_digits().parse().ok(),
        syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => Some(-float(expr)?),
        syn::Expr::Paren(paren) => float(&paren.expr),
        syn::Expr::Path(path) => {
            let last = path.path.segments.last()?.ident.to_string();
            match crate::builtins::associated_constant(Type::F32, &last)? {
                (Constant::Float(bits), _) => Some(f32::from_bits(bits)),
                (Constant::Bool(_) | Constant::Int(_), _) => None,
            }
        }
        _ => None,
    }
}

/// Tokens printed as an author writes them.
fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace("- ", "-")
}
