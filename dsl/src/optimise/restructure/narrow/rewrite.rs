//! Rewrites a body by its [`Plan`]: types from widths and ranges, conversions where widths meet.

use super::demand::{Role, Subject};
use super::plan::Plan;
use crate::ir::Overflow::{Never, Wrap};
use crate::ir::Range;
use crate::ir::{BinaryOp, Body, Node, Op, Rewriting, Type, UnaryOp, ValueId, legal};
use crate::optimise::build::ranged::Ranged;
use crate::optimise::normalise::divide::short_multiplier;

/// The lanes of a body's values.
pub struct Narrowed<'a> {
    subject: Subject<'a>,
    types: Vec<Type>,
}

impl<'a> Narrowed<'a> {
    /// Chooses the lanes of `body`; `ranges` is what its values can be.
    pub fn of(body: &'a Body, ranges: &'a [Range]) -> Self {
        let subject = Subject::new(body, ranges);
        let types = types(&subject, &Plan::of(&subject));
        Self { subject, types }
    }

    /// The lanes in which a value is computed: of the operands, for a comparison.
    pub fn lane(&self, id: ValueId) -> Type {
        self.types[self.subject.source(id).0 as usize]
    }

    /// The body in these lanes.
    pub fn body(self) -> Body {
        let Self { subject, types } = self;
        let body = subject.body;
        let mut rewrite = Rewrite { subject, types, out: Ranged::with_capacity(body.nodes.len()) };
        let mut ids = body.rewrite(|value, op| {
            let id = rewrite.node(&|id| value.at(id), value, op);
            rewrite.out.adopt_name(id, value.node.name.clone());
            id
        });
        let stored: Vec<(ValueId, ValueId)> = body
            .stores
            .iter()
            .map(|store| {
                (store.value, rewrite.operand(&|id| ids[id.0 as usize], store.value, rewrite.subject.ty(store.value)))
            })
            .collect();
        stored.into_iter().for_each(|(value, id)| ids[value.0 as usize] = id);
        rewrite.out.finish(body, &ids).0
    }
}

/// The type of each value: of the operands, for a comparison.
fn types(subject: &Subject<'_>, plan: &Plan) -> Vec<Type> {
    let mut regions = Regions::new(subject, plan);
    let ids = (0..subject.body.nodes.len() as u32).map(ValueId);
    let types = ids.map(|id| {
        let (width, own) = (plan.widths[id.0 as usize], subject.ty(id));
        match subject.role_of(id) {
            Role::LowBits => regions.type_of(id, width),
            Role::Whole => {
                let (lo, hi) = subject.operands_and_result(id);
                let ty = Type::of_width(width, lo, hi).unwrap_or(own);
                if matches!(subject.body.node(id).op, Op::Unary(UnaryOp::Isqrt, _)) { ty.unsigned() } else { ty }
            }
            Role::Word | Role::Fixed | Role::Truth | Role::Same => own,
        }
    });
    types.collect()
}

/// Values of one width whose low bits depend on each other: they share a type, so that a sum stays one sum.
struct Regions {
    parents: Vec<usize>,
    bounds: Vec<(i128, i128)>,
}

impl Regions {
    fn new(subject: &Subject<'_>, plan: &Plan) -> Self {
        let count = subject.body.nodes.len();
        let mut regions = Self { parents: (0..count).collect(), bounds: Vec::with_capacity(count) };
        for index in 0..count {
            let id = ValueId(index as u32);
            let width = plan.widths[index];
            // Where only the low bits of a value are right, its bounds say nothing about the lanes.
            let is_exact = subject.role_of(id) == Role::LowBits && subject.holds(id, width);
            regions.bounds.push(if is_exact { subject.interval(id) } else { (i128::MAX, i128::MIN) });
        }
        for index in 0..count {
            let id = ValueId(index as u32);
            for (operand, _) in subject.operands(id) {
                let own = operand.0 as usize;
                let both = [id, operand].into_iter().all(|id| subject.role_of(id) == Role::LowBits);
                if both && plan.widths[index] == plan.widths[own] {
                    regions.join(index, own);
                }
            }
        }
        regions
    }

    fn root(&self, mut index: usize) -> usize {
        while self.parents[index] != index {
            index = self.parents[index];
        }
        index
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        let (x, y) = (self.bounds[a], self.bounds[b]);
        self.parents[b] = a;
        self.bounds[a] = (x.0.min(y.0), x.1.max(y.1));
    }

    fn type_of(&mut self, id: ValueId, width: u32) -> Type {
        let (lo, hi) = self.bounds[self.root(id.0 as usize)];
        let (lo, hi) = if lo > hi { (0, 0) } else { (lo, hi) };
        // Where no type holds them all, the sign is a matter of reading.
        Type::of_width(width, lo, hi).or_else(|| Type::of_width(width, -1, 1)).unwrap_or(Type::I32)
    }
}

struct Rewrite<'a> {
    subject: Subject<'a>,
    types: Vec<Type>,
    out: Ranged,
}

/// What a value of the body before became.
type At<'b> = &'b dyn Fn(ValueId) -> ValueId;

impl Rewrite<'_> {
    /// `op` is the node's operation on what its operands became.
    fn node(&mut self, at: At<'_>, value: Rewriting<'_>, op: Op) -> ValueId {
        let (id, node) = (value.id, value.node);
        let range = self.subject.ranges[id.0 as usize];
        match self.subject.role_of(id) {
            Role::Same => match node.op {
                Op::Cast(_, x) => at(x),
                _ => self.push(node, range, node.op.clone(), node.ty),
            },
            Role::Word => self.push(node, range, op, node.ty),
            Role::Fixed | Role::Truth => self.fixed(at, id, node, range),
            Role::LowBits => self.low_bits(at, id, node, range),
            Role::Whole => self.whole(at, id, node, range),
        }
    }

    /// A value in a type; of one whose bits are not all there, as many as there are.
    fn operand(&mut self, at: At<'_>, id: ValueId, ty: Type) -> ValueId {
        let own = at(id);
        if !ty.is_integer() || !self.out.ty(own).is_integer() {
            return own;
        }
        let own = if ty.bits() > self.out.ty(own).bits() { self.readable(at, id) } else { own };
        self.out.convert(own, ty)
    }

    fn push(&mut self, like: &Node, range: Range, op: Op, ty: Type) -> ValueId {
        let id = self.out.push(Node { op, ty, guard: None, name: None, ..like.clone() });
        if let Range::Int { .. } = range
            && !range.fits(ty)
        {
            return id;
        }
        self.out.learn(id, range);
        id
    }

    /// An operation in the author's own types; conversions to floats and saturating ones read what there is.
    fn fixed(&mut self, at: At<'_>, id: ValueId, node: &Node, range: Range) -> ValueId {
        let keeps = matches!(node.op, Op::Cast(..) | Op::Lookup { .. });
        let ids: Vec<ValueId> = {
            let mut ids = Vec::new();
            node.op.for_operands(|operand| ids.push(operand));
            ids
        };
        let mut operands = ids
            .into_iter()
            .map(|operand| match keeps {
                true => self.readable(at, operand),
                false => self.operand(at, operand, self.subject.ty(operand)),
            })
            .collect::<Vec<_>>()
            .into_iter();
        let op = node.op.map_operands(|operand| operands.next().unwrap_or(operand));
        self.push(node, range, op, self.subject.ty(id))
    }

    /// A value as its own lanes read it, where their sign is not what its range says.
    fn readable(&mut self, at: At<'_>, id: ValueId) -> ValueId {
        let source = self.subject.source(id);
        let own = at(source);
        let ty = self.out.ty(own);
        if !ty.is_integer() || self.subject.ranges[source.0 as usize].fits(ty) {
            return own;
        }
        let (lo, hi) = self.subject.interval(source);
        match Type::of_width(ty.bits(), lo, hi) {
            Some(ty) => self.out.convert(own, ty),
            // The plan widens nothing whose upper bits are missing.
            None => own,
        }
    }

    fn low_bits(&mut self, at: At<'_>, id: ValueId, node: &Node, range: Range) -> ValueId {
        let ty = self.types[id.0 as usize];
        match node.op {
            Op::Cast(mode, x) if self.subject.ty(x) == Type::BOOL => {
                let x = at(x);
                self.push(node, range, Op::Cast(mode, x), ty)
            }
            Op::Cast(_, x) => self.operand(at, x, ty),
            Op::Select { condition, then, otherwise } => {
                let condition = at(condition);
                let (then, otherwise) = (self.operand(at, then, ty), self.operand(at, otherwise, ty));
                self.push(node, range, Op::Select { condition, then, otherwise }, ty)
            }
            Op::Unary(op, x) => {
                let is_exact = self.is_exact(&[id, x], ty);
                let op = if op == UnaryOp::Neg(Never) && !is_exact { UnaryOp::Neg(Wrap) } else { op };
                let x = self.operand(at, x, ty);
                self.push(node, range, Op::Unary(op, x), ty)
            }
            Op::Binary(op @ BinaryOp::Shl(_), x, amount) => {
                let op = if self.is_exact(&[id, x], ty) { op } else { op.wrapping() };
                let (x, amount) = (self.operand(at, x, ty), self.operand(at, amount, Type::U32));
                self.push(node, range, Op::Binary(op, x, amount), ty)
            }
            Op::Binary(op, a, b) => {
                let op = if self.is_exact(&[id, a, b], ty) { op } else { op.wrapping() };
                let (a, b) = (self.operand(at, a, ty), self.operand(at, b, ty));
                self.push(node, range, Op::Binary(op, a, b), ty)
            }
            _ => self.fixed(at, id, node, range),
        }
    }

    /// Whether a type holds all of these, so that nothing wraps.
    fn is_exact(&self, ids: &[ValueId], ty: Type) -> bool {
        ids.iter().all(|id| self.subject.ranges[id.0 as usize].fits(ty))
    }

    /// The quotient of a value that is not negative by a constant: the upper half of a product, shifted.
    fn quotient(&mut self, at: At<'_>, like: &Node, range: Range, ty: Type, [a, b]: [ValueId; 2]) -> Option<ValueId> {
        let (lo, hi) = self.subject.interval(a);
        let (divisor, last) = self.subject.interval(b);
        if lo < 0 || divisor < 2 || divisor != last {
            return None;
        }
        let types = [ty, ty.unsigned()].into_iter();
        let (ty, (multiplier, shift)) = types.filter_map(|ty| Some((ty, short_multiplier(ty, divisor, hi)?))).next()?;
        let a = self.operand(at, a, ty);
        let (multiplier, shift) = (self.out.int(multiplier, ty, a), self.out.int(shift, Type::U32, a));
        let high = self.out.op(Op::Binary(BinaryOp::MulHigh, a, multiplier), ty, a);
        Some(self.push(like, range, Op::Binary(BinaryOp::Shr, high, shift), ty))
    }

    fn whole(&mut self, at: At<'_>, id: ValueId, node: &Node, range: Range) -> ValueId {
        let ty = self.types[id.0 as usize];
        match node.op {
            Op::Unary(UnaryOp::Abs(Never) | UnaryOp::UnsignedAbs, x)
                if legal::unary(UnaryOp::UnsignedAbs, ty).is_some() =>
            {
                let x = self.operand(at, x, ty);
                self.push(node, range, Op::Unary(UnaryOp::UnsignedAbs, x), ty.unsigned())
            }
            Op::Unary(op, x) => {
                let x = self.operand(at, x, ty);
                self.push(node, range, Op::Unary(op, x), ty)
            }
            Op::Binary(op @ (BinaryOp::Shr | BinaryOp::RoundingShr), x, amount) => {
                let (x, amount) = (self.operand(at, x, ty), self.operand(at, amount, Type::U32));
                self.push(node, range, Op::Binary(op, x, amount), ty)
            }
            Op::Binary(op, a, b) => {
                if op == BinaryOp::Div
                    && let Some(quotient) = self.quotient(at, node, range, ty, [a, b])
                {
                    return quotient;
                }
                let operands = [self.operand(at, a, ty), self.operand(at, b, ty)];
                let result = match op {
                    BinaryOp::AbsDiff => ty.unsigned(),
                    _ if node.ty == Type::BOOL => Type::BOOL,
                    _ => ty,
                };
                self.push(node, range, Op::Binary(op, operands[0], operands[1]), result)
            }
            _ => self.fixed(at, id, node, range),
        }
    }
}
