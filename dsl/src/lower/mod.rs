//! Typed syntax to flat SSA: an evaluator that computes what is known and writes down the rest.
//!
//! Loops over constants, closures, arrays, tuples and helper functions disappear. A condition that is known chooses its
//! side; otherwise both sides are evaluated, each under a path condition ([`Guard`]), and what they leave behind is
//! selected. Nothing is optimised here, and nothing proved.

mod calls;
mod control;
mod emit;
mod expressions;
mod functions;
mod halves;
mod items;
mod iterate;
mod loops;
mod name;
mod patterns;
mod places;
mod value;
mod views;

use crate::diagnostic::Diagnostic;
use crate::infer::types::Ty;
use crate::infer::{Resolution, Types};
use crate::ir::Numbers;
use crate::ir::*;
use crate::messages::{self, Located, Message};
use crate::syntax::*;
use name::Names;
use std::collections::BTreeMap;
use value::{Scalar, Value};

/// The most operations of a body.
pub const MAX_NODES: usize = 16_384;
/// The most steps of evaluation of a body.
pub const MAX_STEPS: u64 = 400_000;
/// The most different elements that a body reads.
pub const MAX_TAPS: usize = 1_024;
/// How deep calls may nest.
const MAX_CALLS: usize = 64;
/// The farthest offset.
const MAX_OFFSET: i128 = 255;

/// The evaluation ends early: the reason is reported.
pub struct Stop;

/// Lowers a kernel under one choice of its variants; `kernel` is its signature.
pub fn lower(
    unit: &Unit,
    item: &KernelItem,
    types: &Types,
    kernel: &Kernel,
    choice: &[u32],
) -> Result<Body, Vec<Diagnostic>> {
    let mut lower = Lower::new(unit, types, kernel, choice, item.attribute.neighbourhood);
    let value = lower.body(item);
    lower.report_unknown_offsets();
    match value {
        Ok(value) if lower.errors.is_empty() => {
            lower.stores(&value);
            lower.name_calls();
            lower.drop_unused_leaves();
            Ok(lower.body)
        }
        Ok(_) | Err(Stop) => {
            if lower.errors.is_empty() {
                lower.report(&messages::UNSUPPORTED, lower.here, &[]);
            }
            Err(lower.errors)
        }
    }
}

/// Lowering in progress.
struct Lower<'a> {
    unit: &'a Unit,
    types: &'a Types,
    kernel: &'a Kernel,
    declared: Option<Declared>,
    /// Of each input: whether its elements are arrays (of one channel, perhaps).
    pixels: Vec<bool>,
    body: Body,
    /// The value of each binding.
    locals: Vec<Option<Value<'a>>>,
    names: Vec<Names>,
    /// The value of each constant that was asked for.
    constants: BTreeMap<ItemId, Value<'a>>,
    /// Constants and functions whose evaluation is going on.
    active: Vec<ItemId>,
    calls: usize,
    /// How many loops at run time there are.
    loops: u32,
    guard: Option<GuardId>,
    /// Inside an arm of `Overflow::Wrap`: the author has said what `as` does with a value that does not fit.
    wraps: bool,
    /// While parameters are bound.
    passing: bool,
    /// `()`, which most expressions give that stand for themselves.
    unit_value: Value<'a>,
    /// The nodes without operands, by the numbers of their operations.
    leaves: Vec<ValueId>,
    numbers: Numbers,
    /// What calls gave, with the calls' words: names for what no binding names.
    called: Vec<(ValueId, String)>,
    taps: usize,
    /// The offsets of `at` that are not known, each once.
    unknown_offsets: Vec<&'a Expr>,
    steps: u64,
    /// The expression that is being evaluated.
    here: (proc_macro2::Span, proc_macro2::Span),
    errors: Vec<Diagnostic>,
    /// Where each mistake was reported, since a loop may meet it again.
    reported: Vec<String>,
}

impl<'a> Lower<'a> {
    fn new(unit: &'a Unit, types: &'a Types, kernel: &'a Kernel, choice: &[u32], declared: Option<Declared>) -> Self {
        let body = Body {
            choice: choice.to_vec(),
            nodes: Vec::new(),
            guards: Vec::new(),
            obligations: Vec::new(),
            measured: Vec::new(),
            stores: Vec::new(),
        };
        Self {
            unit,
            types,
            kernel,
            declared,
            pixels: pixels(types, kernel),
            body,
            locals: vec![None; unit.locals.len()],
            names: vec![Names::default(); unit.locals.len()],
            constants: BTreeMap::new(),
            active: Vec::new(),
            calls: 0,
            loops: 0,
            guard: None,
            wraps: false,
            passing: false,
            unit_value: Value::unit(),
            leaves: Vec::new(),
            numbers: Numbers::default(),
            called: Vec::new(),
            taps: 0,
            unknown_offsets: Vec::new(),
            steps: 0,
            here: (kernel.span, kernel.span),
            errors: Vec::new(),
            reported: Vec::new(),
        }
    }

    fn body(&mut self, item: &'a KernelItem) -> Result<Value<'a>, Stop> {
        for (parameter, argument) in item.parameters.iter().zip(&self.kernel.parameters) {
            let value = self.parameter(*argument);
            self.bind(&parameter.pattern, value)?;
        }
        self.block(&item.body)
    }

    /// What a parameter stands for.
    fn parameter(&mut self, argument: Parameter) -> Value<'a> {
        match argument {
            Parameter::Input(id) => {
                let input = &self.kernel.inputs[id.0 as usize];
                match (input.is_whole, input.is_neighbourhood) {
                    (true, _) => Value::View(id),
                    (false, true) => Value::Neighbourhood(id),
                    (false, false) => self.pixel(id, 0, 0, input.span),
                }
            }
            Parameter::Place(rank) => {
                let axis = |inner| match inner {
                    0 => AxisId::X,
                    1 => AxisId::Y,
                    _ => AxisId::outer(inner - AxisId::COUNT),
                };
                let place = (0..rank).rev().map(|inner| Op::Coordinate { axis: axis(inner), offset: 0 });
                Value::parts(place.map(|op| Value::Scalar(self.leaf(op, Type::I32, self.kernel.span))).collect())
            }
            Parameter::Uniform(id) => {
                let uniform = &self.kernel.uniforms[id.0 as usize];
                self.uniform(id, &uniform.dims, &mut 0)
            }
            Parameter::Table(id) => Value::Table(id),
            Parameter::Variant(index) => Value::Enum(self.body.choice.get(index as usize).copied().unwrap_or(0)),
        }
    }

    fn uniform(&mut self, id: UniformId, dims: &[u32], next: &mut u32) -> Value<'a> {
        match dims {
            [] => {
                let uniform = &self.kernel.uniforms[id.0 as usize];
                let (ty, span) = (uniform.ty, uniform.span);
                let name = match uniform.dims.is_empty() {
                    true => uniform.name.clone(),
                    false => format!("{}_{next}", uniform.name),
                };
                let value = self.leaf(Op::Uniform { uniform: id, index: *next }, ty, span);
                self.name_node(value, &name.into());
                *next += 1;
                Value::Scalar(value)
            }
            [n, inner @ ..] => Value::parts((0..*n).map(|_| self.uniform(id, inner, next)).collect()),
        }
    }

    /// An element of an input, all its channels.
    fn pixel(&mut self, input_id: InputId, dx: i32, dy: i32, span: proc_macro2::Span) -> Value<'a> {
        let (ty, channels, place) = {
            let input = &self.kernel.inputs[input_id.0 as usize];
            (input.element, input.channels, Access::beside(input_id, 0, &input.place, &[dy.into(), dx.into()]))
        };
        let is_pixel = self.pixels[input_id.0 as usize];
        let mut channel = |channel: u32| {
            let mut access = place.clone();
            access.channel = channel;
            Value::Scalar(self.leaf(Op::Load(access), ty, span))
        };
        match is_pixel {
            false => channel(0),
            true => Value::parts((0..channels).map(channel).collect()),
        }
    }

    /// Writes what the body computes to the outputs.
    fn stores(&mut self, value: &Value<'a>) {
        let values: Vec<Value<'a>> = match (value, self.types.output.as_ref()) {
            (Value::Parts(parts), Some(Ty::Tuple(_))) => parts.to_vec(),
            (one, _) => vec![one.clone()],
        };
        for (index, value) in values.iter().enumerate() {
            let output = OutputId(index as u32);
            let channels: Vec<Value<'a>> = match value {
                Value::Parts(parts) => parts.to_vec(),
                one => vec![one.clone()],
            };
            for (channel, value) in channels.iter().enumerate() {
                if let Value::Scalar(scalar) = value {
                    let value = self.materialise(*scalar, self.kernel.span);
                    self.body.stores.push(Store::new(output, channel as u32, value));
                }
            }
        }
    }

    /// Reports a mistake, once at each place.
    fn report(&mut self, message: &Message, place: impl Located, words: &[&str]) {
        let place = place.place();
        let key = format!("{} {:?} {:?}", message.name, place.0, place.1);
        if !self.reported.contains(&key) && self.errors.len() < 100 {
            self.reported.push(key);
            self.errors.push(message.at(place, words));
        }
    }

    /// Counts work done, and ends it where there is too much; `place` is where the work is.
    fn step(&mut self, cost: u64, place: Option<&Expr>) -> Result<(), Stop> {
        if let Some(place) = place {
            self.here = (place.start, place.end);
        }
        self.steps = self.steps.saturating_add(cost);
        if self.taps <= MAX_TAPS && self.body.nodes.len() <= MAX_NODES && self.steps <= MAX_STEPS {
            return Ok(());
        }
        let (message, limit) = match () {
            () if self.taps > MAX_TAPS => (messages::TOO_MANY_TAPS, MAX_TAPS as u64),
            () if self.body.nodes.len() > MAX_NODES => (messages::TOO_MANY_NODES, MAX_NODES as u64),
            () => (messages::TOO_MANY_STEPS, MAX_STEPS),
        };
        self.report(&message, self.here, &[&limit.to_string()]);
        Err(Stop)
    }

    /// The value of a `const` item: evaluated once.
    fn constant(&mut self, id: ItemId, place: &'a Expr) -> Result<Value<'a>, Stop> {
        if let Some(value) = self.constants.get(&id) {
            return Ok(value.clone());
        }
        let item = self.unit.item(id);
        let ItemKind::Const { value, .. } = &item.kind else { return Ok(self.unit_value.clone()) };
        if self.active.contains(&id) {
            self.report(&messages::CONSTANT_CYCLE, place, &[&item.name.to_string()]);
            return Err(Stop);
        }
        self.active.push(id);
        let guard = self.guard.take();
        let evaluated = self.nested(place, |lower| lower.expr(value))?;
        self.guard = guard;
        self.active.pop();
        if !is_known(&evaluated) {
            self.report(&messages::CONSTANT, &**value, &[]);
        }
        self.constants.insert(id, evaluated.clone());
        Ok(evaluated)
    }

    /// What a name stands for.
    fn resolution(&mut self, resolution: Resolution, place: &'a Expr) -> Result<Value<'a>, Stop> {
        match resolution {
            Resolution::Local(local) => match &self.locals[local.0 as usize] {
                Some(value) => Ok(value.clone()),
                None => {
                    let name = self.unit.local(local).to_string();
                    self.report(&messages::UNINITIALISED, place, &[&name]);
                    Err(Stop)
                }
            },
            Resolution::Constant(item) => self.constant(item, place),
            Resolution::Known(value, ty) => Ok(Value::Scalar(Scalar::known(ty, value))),
            Resolution::EnumValue(value) => Ok(Value::Enum(value)),
            Resolution::Callable(callable) => Ok(Value::Function(callable)),
        }
    }
}

/// Whether every scalar of a value is known.
fn is_known(value: &Value<'_>) -> bool {
    match value {
        Value::Scalar(scalar) => scalar.constant().is_some(),
        Value::Parts(parts) => parts.iter().all(is_known),
        Value::Enum(_) | Value::Function(_) | Value::Closure(_) => true,
        Value::Neighbourhood(_) | Value::View(_) | Value::Table(_) | Value::Iterator(_) => false,
    }
}

/// Whether the elements of each input are arrays.
fn pixels(types: &Types, kernel: &Kernel) -> Vec<bool> {
    let is_pixel = |ty: &Ty| match ty {
        Ty::Neighbourhood(pixel) | Ty::View(pixel, _) => matches!(**pixel, Ty::Array(..)),
        ty => matches!(ty, Ty::Array(..)),
    };
    let arguments = kernel.parameters.iter().zip(&types.parameters);
    let inputs = arguments.filter(|(argument, _)| matches!(argument, Parameter::Input(_)));
    inputs.map(|(_, ty)| is_pixel(ty)).collect()
}
