//! Hand-made bodies for the tests of the passes.

use crate::dump;
use crate::interpret::Arguments;
use crate::ir::*;
use proc_macro2::Span;

/// A raw list of nodes: nothing is folded on the way in.
#[derive(Default)]
pub struct Raw {
    pub nodes: Vec<Node>,
    pub guards: Vec<Guard>,
}

impl Raw {
    pub fn raw(&mut self, op: Op, ty: Type) -> ValueId {
        self.guarded(op, ty, None)
    }

    pub fn guarded(&mut self, op: Op, ty: Type, guard: Option<GuardId>) -> ValueId {
        self.nodes.push(Node { op, ty, guard, name: None, span: Span::call_site() });
        ValueId(self.nodes.len() as u32 - 1)
    }

    pub fn int(&mut self, value: i128, ty: Type) -> ValueId {
        self.raw(Op::Constant(Constant::Int(value)), ty)
    }

    pub fn input(&mut self, input: u32, ty: Type) -> ValueId {
        self.raw(Tap { input: InputId(input), channel: 0, dx: 0, dy: 0 }.op(), ty)
    }

    pub fn uniform(&mut self, uniform: u32, ty: Type) -> ValueId {
        self.raw(Op::Uniform { uniform: UniformId(uniform), index: 0 }, ty)
    }

    pub fn store(self, value: ValueId) -> Body {
        let store = Store::new(OutputId(0), 0, value);
        Body {
            choice: Vec::new(),
            nodes: self.nodes,
            guards: self.guards,
            obligations: Vec::new(),
            measured: Vec::new(),
            stores: vec![store],
        }
    }
}

/// A body over the `u8` elements of `a` and `b`.
pub fn u8_body(make: impl FnOnce(&mut Raw, ValueId, ValueId) -> ValueId) -> Body {
    let mut raw = Raw::default();
    let (a, b) = (raw.input(0, Type::U8), raw.input(1, Type::U8));
    let value = make(&mut raw, a, b);
    raw.store(value)
}

/// A kernel of two inputs and two uniforms, with this body.
pub fn kernel(ty: Type, body: Body) -> Kernel {
    let span = Span::call_site();
    let input = |name: &str| Input {
        name: name.to_owned(),
        element: ty,
        ty,
        channels: 1,
        neighbourhood: Neighbourhood::default(),
        place: std::rc::Rc::new(image_place((1, 1))),
        inout: None,
        is_neighbourhood: false,
        is_whole: false,
        rank: None,
        span,
    };
    let uniform = |name: &str, ty| Uniform {
        name: name.to_owned(),
        ty,
        is_usize: false,
        dims: Vec::new(),
        bounds: None,
        sum_of_magnitudes: None,
        span,
    };
    Kernel {
        name: "kernel".to_owned(),
        function: "kernel".to_owned(),
        type_parameter: None,
        docs: Vec::new(),
        parameters: Vec::new(),
        inputs: vec![input("a"), input("b")],
        uniforms: vec![uniform("u", ty), uniform("w", Type::U32)],
        tables: vec![Table { name: "t".to_owned(), element: Type::U8, ty: Type::U8, length: 100, span }],
        variants: Vec::new(),
        outputs: vec![Output { name: "out".to_owned(), element: ty, ty, channels: 1, optional: false }],
        step: Block { x: 16, y: 1 },
        schedule: Schedule::default(),
        borders: Vec::new(),
        requires: Vec::new(),
        extents: Vec::new(),
        window: None,
        fast: false,
        deny_scalar: false,
        bodies: vec![body],
        facts: Vec::new(),
        span,
    }
}

/// The operations of a body, as [`dump`] writes them.
pub fn lines(body: &Body) -> Vec<String> {
    let kernel = kernel(Type::U8, body.clone());
    let text = dump::body(&kernel, body);
    text.lines().filter_map(|line| line.split_once(" = ")).map(|(_, operation)| operation.to_owned()).collect()
}

/// All operations on one value, in all modes.
pub fn unary_operations() -> impl Iterator<Item = UnaryOp> {
    use UnaryOp::*;
    let fixed = [Not, UnsignedAbs, Signum, Sqrt, Isqrt, CountOnes, LeadingZeros, TrailingZeros, Floor, Ceil, Trunc];
    let modes = MODES.into_iter().flat_map(|mode| [Neg(mode), Abs(mode)]);
    let all = fixed.into_iter().chain([RoundTiesEven, IsNan, FromBits, ToBits, FromHalf, ToHalf]).chain(modes);
    assert_eq!(all.clone().count(), UnaryOp::KINDS + 2 * 2);
    all
}

/// All operations on two values, in all modes.
pub fn binary_operations() -> impl Iterator<Item = BinaryOp> {
    use BinaryOp::*;
    let fixed = [Div, Rem, Shr, And, Or, Xor, Min, Max, AbsDiff, HalvingAdd, RoundingHalvingAdd, MulHigh];
    let modes = MODES.into_iter().flat_map(|mode| [Add(mode), Sub(mode), Mul(mode), Shl(mode)]);
    let all = fixed.into_iter().chain([RoundingShr, Eq, Ne, Lt, Le, Gt, Ge]).chain(modes);
    assert_eq!(all.clone().count(), BinaryOp::KINDS + 2 * 4);
    all
}

const MODES: [Overflow; 3] = [Overflow::Never, Overflow::Wrap, Overflow::Saturate];

/// What a body reads: inputs 0 and 1 are numbers, 2 and 3 truth values, whatever the place.
#[derive(Clone, Copy, Debug)]
pub struct Leaves {
    pub numbers: [i128; 2],
    pub truths: [bool; 2],
}

impl Arguments for Leaves {
    fn element(&self, access: &Access) -> Constant {
        match access.tensor.0 as usize {
            number @ 0..2 => Constant::Int(self.numbers[number]),
            truth => Constant::Bool(self.truths[truth - 2]),
        }
    }

    fn uniform(&self, _: UniformId, _: u32) -> Constant {
        unreachable!("no uniform is read")
    }

    fn derived(&self, _: u32) -> Constant {
        unreachable!("no word is read")
    }

    fn table(&self, _: TableId, _: i128) -> Option<Constant> {
        unreachable!("no table is read")
    }

    fn coordinate(&self, _: AxisId) -> i32 {
        unreachable!("no coordinate is read")
    }
}
