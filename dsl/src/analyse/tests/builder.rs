//! Bodies by hand: each method adds a node and gives its id.

use std::collections::BTreeMap;

use proc_macro2::Span;

use crate::analyse::{Facts, Range, prove};
use crate::diagnostic::Diagnostic;
use crate::ir::Overflow::Never;
use crate::ir::*;

pub(super) struct Builder {
    pub(super) kernel: Kernel,
    pub(super) body: Body,
    guard: Option<GuardId>,
    inputs: BTreeMap<String, InputId>,
}

impl Builder {
    pub(super) fn new() -> Self {
        let kernel = Kernel {
            name: "k".into(),
            function: "k".into(),
            type_parameter: None,
            docs: Vec::new(),
            parameters: Vec::new(),
            inputs: Vec::new(),
            uniforms: Vec::new(),
            tables: Vec::new(),
            variants: Vec::new(),
            outputs: Vec::new(),
            step: Block { x: 1, y: 1 },
            schedule: Schedule::default(),
            borders: Vec::new(),
            requires: Vec::new(),
            extents: Vec::new(),
            window: None,
            fast: false,
            deny_scalar: false,
            bodies: Vec::new(),
            facts: Vec::new(),
            span: Span::call_site(),
        };
        let body = Body {
            choice: Vec::new(),
            nodes: Vec::new(),
            guards: Vec::new(),
            obligations: Vec::new(),
            measured: Vec::new(),
            stores: Vec::new(),
        };
        Self { kernel, body, guard: None, inputs: BTreeMap::new() }
    }

    pub(super) fn node(&mut self, ty: Type, op: Op) -> ValueId {
        self.body.nodes.push(Node { op, ty, guard: self.guard, name: None, span: Span::call_site() });
        ValueId(self.body.nodes.len() as u32 - 1)
    }

    pub(super) fn named(&mut self, name: &str, value: ValueId) -> ValueId {
        self.body.nodes[value.0 as usize].name = Some(name.into());
        value
    }

    pub(super) fn ty(&self, value: ValueId) -> Type {
        self.body.node(value).ty
    }

    /// A plain element.
    pub(super) fn input(&mut self, name: &str, ty: Type) -> ValueId {
        self.tap(name, ty, 0, 0)
    }

    /// An element near the current one.
    pub(super) fn tap(&mut self, name: &str, ty: Type, dx: i32, dy: i32) -> ValueId {
        let next = InputId(self.inputs.len() as u32);
        let input = *self.inputs.entry(name.into()).or_insert(next);
        if input == next {
            self.kernel.inputs.push(Input {
                name: name.into(),
                element: ty,
                ty,
                channels: 1,
                neighbourhood: Neighbourhood::default(),
                place: std::rc::Rc::new(image_place((1, 1))),
                inout: None,
                is_neighbourhood: false,
                is_whole: false,
                rank: None,
                span: Span::call_site(),
            });
        }
        if (dx, dy) != (0, 0) {
            self.kernel.inputs[input.0 as usize].is_neighbourhood = true;
        }
        self.node(ty, Tap { input, channel: 0, dx, dy }.op())
    }

    fn add_uniform(&mut self, name: &str, ty: Type, dims: Vec<u32>, bounds: Option<(Bound, Bound)>) -> UniformId {
        let is_usize = false;
        let (name, span) = (name.into(), Span::call_site());
        self.kernel.uniforms.push(Uniform { name, ty, is_usize, dims, bounds, sum_of_magnitudes: None, span });
        UniformId(self.kernel.uniforms.len() as u32 - 1)
    }

    pub(super) fn uniform(&mut self, name: &str, ty: Type) -> ValueId {
        let uniform = self.add_uniform(name, ty, Vec::new(), None);
        self.node(ty, Op::Uniform { uniform, index: 0 })
    }

    pub(super) fn bounded(&mut self, name: &str, ty: Type, lo: i128, hi: i128) -> ValueId {
        let uniform = self.add_uniform(name, ty, Vec::new(), Some((Bound::Int(lo), Bound::Int(hi))));
        self.node(ty, Op::Uniform { uniform, index: 0 })
    }

    pub(super) fn bounded_float(&mut self, name: &str, lo: f32, hi: f32) -> ValueId {
        let uniform = self.add_uniform(name, Type::F32, Vec::new(), Some((Bound::Float(lo), Bound::Float(hi))));
        self.node(Type::F32, Op::Uniform { uniform, index: 0 })
    }

    /// An array uniform's scalars.
    pub(super) fn array(&mut self, name: &str, ty: Type, length: u32, magnitudes: Option<u64>) -> Vec<ValueId> {
        let uniform = self.add_uniform(name, ty, vec![length], None);
        self.kernel.uniforms[uniform.0 as usize].sum_of_magnitudes = magnitudes;
        (0..length).map(|index| self.node(ty, Op::Uniform { uniform, index })).collect()
    }

    pub(super) fn require(&mut self, left: u32, op: BinaryOp, right: u32) {
        let (left, right) = (RequireTerm::Uniform(UniformId(left)), RequireTerm::Uniform(UniformId(right)));
        self.kernel.requires.push(Require { op, left, right, text: String::new(), span: Span::call_site() });
    }

    pub(super) fn lookup(&mut self, ty: Type, length: u32, index: ValueId) -> ValueId {
        self.kernel.tables.push(Table { name: "lut".into(), element: ty, ty, length, span: Span::call_site() });
        let table = TableId(self.kernel.tables.len() as u32 - 1);
        self.node(ty, Op::Lookup { table, index })
    }

    pub(super) fn int(&mut self, ty: Type, value: i128) -> ValueId {
        self.node(ty, Op::Constant(Constant::Int(value)))
    }

    pub(super) fn float(&mut self, value: f32) -> ValueId {
        self.node(Type::F32, Op::Constant(Constant::Float(value.to_bits())))
    }

    pub(super) fn unary(&mut self, op: UnaryOp, x: ValueId) -> ValueId {
        let ty = self.ty(x);
        let ty = match (op, ty) {
            (UnaryOp::UnsignedAbs, Type::I8) => Type::U8,
            (UnaryOp::UnsignedAbs, Type::I16) => Type::U16,
            (UnaryOp::UnsignedAbs, Type::I32) => Type::U32,
            (UnaryOp::CountOnes | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros | UnaryOp::ToBits, _) => Type::U32,
            (UnaryOp::FromBits, _) => Type::F32,
            (UnaryOp::IsNan, _) => Type::BOOL,
            (_, ty) => ty,
        };
        self.node(ty, Op::Unary(op, x))
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> ValueId {
        use BinaryOp::{AbsDiff, Eq, Ge, Gt, Le, Lt, Ne};
        let ty = match (op, self.ty(a)) {
            (Eq | Ne | Lt | Le | Gt | Ge, _) => Type::BOOL,
            (AbsDiff, Type::I8) => Type::U8,
            (AbsDiff, Type::I16) => Type::U16,
            (AbsDiff, Type::I32) => Type::U32,
            (_, ty) => ty,
        };
        self.node(ty, Op::Binary(op, a, b))
    }

    pub(super) fn add(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.binary(BinaryOp::Add(Never), a, b)
    }

    pub(super) fn sub(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.binary(BinaryOp::Sub(Never), a, b)
    }

    pub(super) fn mul(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.binary(BinaryOp::Mul(Never), a, b)
    }

    /// `x as ty`.
    pub(super) fn cast(&mut self, x: ValueId, ty: Type) -> ValueId {
        self.node(ty, Op::Cast(CastMode::Value, x))
    }

    pub(super) fn saturating_cast(&mut self, x: ValueId, ty: Type) -> ValueId {
        self.node(ty, Op::Cast(CastMode::Saturating, x))
    }

    pub(super) fn wrapping_cast(&mut self, x: ValueId, ty: Type) -> ValueId {
        self.node(ty, Op::Cast(CastMode::Wrapping, x))
    }

    /// `if condition { then } else { otherwise }`, each side under its path condition.
    pub(super) fn branch(
        &mut self,
        condition: ValueId,
        then: impl FnOnce(&mut Self) -> ValueId,
        otherwise: impl FnOnce(&mut Self) -> ValueId,
    ) -> ValueId {
        let then = self.under(condition, true, then);
        let otherwise = self.under(condition, false, otherwise);
        let ty = self.ty(then);
        self.node(ty, Op::Select { condition, then, otherwise })
    }

    pub(super) fn under<R>(&mut self, condition: ValueId, polarity: bool, inside: impl FnOnce(&mut Self) -> R) -> R {
        let parent = self.guard;
        self.body.guards.push(Guard { parent, condition, polarity });
        self.guard = Some(GuardId(self.body.guards.len() as u32 - 1));
        let result = inside(self);
        self.guard = parent;
        result
    }

    pub(super) fn demand(&mut self, demand: Demand) {
        self.body.obligations.push(Obligation { demand, guard: self.guard, span: Span::call_site() });
    }

    /// `x.clamp(lo, hi)`.
    pub(super) fn clamp(&mut self, x: ValueId, lo: ValueId, hi: ValueId) -> ValueId {
        self.demand(Demand::ClampBounds { lo, hi });
        let above = self.binary(BinaryOp::Max, x, lo);
        self.binary(BinaryOp::Min, above, hi)
    }

    pub(super) fn prove(&self) -> (Facts, Vec<Diagnostic>) {
        prove(&self.kernel, &self.body)
    }

    /// The proved interval of a value, in a body in which everything is proved.
    #[track_caller]
    pub(super) fn accepted(&self, value: ValueId) -> (i128, i128) {
        let (facts, diagnostics) = self.prove();
        let texts: Vec<String> = diagnostics.iter().map(Diagnostic::text).collect();
        assert!(texts.is_empty(), "{}", texts.join("\n"));
        match facts.ranges[value.0 as usize] {
            Range::Int { lo, hi } => (lo, hi),
            other => panic!("not an integer: {other:?}"),
        }
    }

    /// The texts of a body that is refused.
    #[track_caller]
    pub(super) fn refused(&self) -> Vec<String> {
        let (_, diagnostics) = self.prove();
        assert!(!diagnostics.is_empty(), "accepted");
        diagnostics.iter().map(Diagnostic::text).collect()
    }
}
