//! The operations of the language, each with a kernel for every type that has it.

use crate::make::{Make, TYPES};
use windrow_dsl::analyse;
use windrow_dsl::builtins::{self, Argument, Lowering, METHODS, Method, ResultType};
use windrow_dsl::ir::Overflow::{Never, Wrap};
use windrow_dsl::ir::{BinaryOp, Block, CastMode, Demand, Kernel, Obligation, Op, Type, ValueId};
use windrow_dsl::operators::{OPERATORS, Operator};

/// An operator or a method.
pub struct Operation {
    pub is_operator: bool,
    /// Whether it is an elementary function: many operations, which its definition names.
    pub is_function: bool,
    /// As it is written: `a + b`, `a.min(b)`.
    pub form: String,
    /// The types that have it, in words.
    pub on: String,
    pub doc: &'static str,
    pub kernels: Vec<OneType>,
}

/// The operation on one type.
pub struct OneType {
    pub ty: Type,
    pub kernel: Kernel,
}

impl OneType {
    /// Whether the last node only makes an element of the operation's truth value.
    pub fn is_choice(&self) -> bool {
        self.kernel.bodies[0].nodes.last().is_some_and(|node| matches!(node.op, Op::Select { .. }))
    }

    /// What the operation demands; of an operation that is several, what they demand together.
    pub fn demands(&self) -> Vec<&'static str> {
        // Of a shift, the amount first; where that is bounded, the result.
        let mut unbounded = self.kernel.clone();
        unbounded.uniforms.iter_mut().for_each(|uniform| uniform.bounds = None);
        let of = |kernel: &Kernel| analyse::demands(kernel, &kernel.bodies[0]);
        [of(&unbounded), of(&self.kernel)].concat()
    }
}

/// All operations: operators, then methods.
pub fn operations() -> Vec<Operation> {
    OPERATORS.iter().map(of_operator).chain(METHODS.iter().map(of_method)).collect()
}

fn of_operator(row: &Operator) -> Operation {
    let form = match row.lowering {
        Lowering::Cast(_) => format!("a {} T", row.symbol),
        Lowering::Unary(_) => format!("{}a", row.symbol),
        Lowering::Binary(BinaryOp::Shl(Never) | BinaryOp::Shr) => format!("a {} n", row.symbol),
        Lowering::Binary(_) | Lowering::MulAdd | Lowering::Clamp | Lowering::RotateLeft | Lowering::Function(_) => {
            format!("a {} b", row.symbol)
        }
    };
    let types = TYPES.into_iter().filter(|&ty| row.class.receivers().contain(ty));
    let kernels = types.map(|ty| OneType { ty, kernel: kernel(row.lowering, ty) }).collect();
    Operation { is_operator: true, is_function: false, form, on: row.types_in_words(), doc: row.doc, kernels }
}

fn of_method(row: &Method) -> Operation {
    let types = TYPES.into_iter().filter(|&ty| row.receivers.contain(ty));
    let kernels = types.map(|ty| OneType { ty, kernel: kernel(row.lowering, ty) }).collect();
    let is_function = matches!(row.lowering, Lowering::Function(_));
    let (form, on) = (signature(row), builtins::types_in_words(row.receivers, row.lowering));
    Operation { is_operator: false, is_function, form, on, doc: row.doc, kernels }
}

fn signature(method: &Method) -> String {
    let arguments: Vec<&str> = method
        .arguments
        .iter()
        .zip(["b", "c"])
        .map(|(argument, name)| if *argument == Argument::Bits { "n: u32" } else { name })
        .collect();
    let result = match method.result {
        ResultType::Same => String::new(),
        ResultType::Unsigned => " -> unsigned".to_owned(),
        ResultType::Fixed(ty) => format!(" -> {}", ty.name()),
        ResultType::Target => " -> the type asked for".to_owned(),
    };
    format!("a.{}({}){result}", method.name, arguments.join(", "))
}

/// A kernel of one operation on elements of `ty`; a shift's amount is a uniform below the width.
fn kernel(lowering: Lowering, ty: Type) -> Kernel {
    if let Lowering::Function(name) = lowering {
        return kernel_of_function(name, ty);
    }
    let mut make = Make::new();
    let a = make.input(ty);
    let mut obligation = None;
    let value = match lowering {
        Lowering::Unary(op) => make.unary(op, a),
        Lowering::Binary(op) if takes_bits(op) => {
            let n = make.uniform(Type::U32, 0);
            make.binary(op, a, n)
        }
        Lowering::Binary(op) => {
            let b = make.input(ty);
            make.binary(op, a, b)
        }
        Lowering::RotateLeft => {
            let n = make.uniform(Type::U32, 0);
            rotate_left(&mut make, a, n)
        }
        Lowering::MulAdd => {
            let (b, c) = (make.input(ty), make.input(ty));
            make.op(Op::MulAdd(a, b, c), ty)
        }
        Lowering::Clamp => {
            let (lo, hi) = (make.input(ty), make.input(ty));
            obligation = Some(Demand::ClampBounds { lo, hi });
            let above = make.binary(BinaryOp::Max, a, lo);
            make.binary(BinaryOp::Min, above, hi)
        }
        Lowering::Cast(mode) => make.cast(mode, target(mode, ty), a),
        Lowering::Function(_) => a,
    };
    let value = if make.ty(value) == Type::BOOL { chosen(&mut make, value, a) } else { value };
    let mut kernel = make.finish("k", value).kernel;
    let lanes = 128 / ty.bits();
    for uniform in &mut kernel.uniforms {
        uniform.name = "n".to_owned();
        uniform.bounds = Some((windrow_dsl::ir::Bound::Int(0), windrow_dsl::ir::Bound::Int(i128::from(ty.bits()) - 1)));
    }
    kernel.schedule.neon = Some(Block { x: lanes, y: 1 });
    kernel.schedule.x86 = Some(Block { x: lanes, y: 1 });
    kernel.schedule.opencl = vec![Block { x: 4, y: 1 }];
    let body = &mut kernel.bodies[0];
    let span = body.node(a).span;
    body.obligations.extend(obligation.map(|demand| Obligation { demand, guard: None, span }));
    kernel
}

/// A kernel that calls an elementary function.
fn kernel_of_function(name: &str, ty: Type) -> Kernel {
    let more = METHODS.iter().find(|method| method.name == name).map_or(0, |method| method.arguments.len());
    let parameters: Vec<String> = (0..=more).map(|index| format!("v{index}: {}", ty.name())).collect();
    let arguments: Vec<String> = (1..=more).map(|index| format!("v{index}")).collect();
    let source =
        format!("#[kernel] fn k({}) -> {} {{ v0.{name}({}) }}", parameters.join(", "), ty.name(), arguments.join(", "));
    let compiled = windrow_dsl::compile_file(&source);
    assert!(compiled.errors.is_empty(), "{source}: {:?}", compiled.errors);
    let mut kernel = compiled.kernels.into_iter().next().expect("one kernel").kernel;
    kernel.schedule.neon = Some(Block { x: 4, y: 1 });
    kernel.schedule.x86 = Some(Block { x: 4, y: 1 });
    kernel.schedule.opencl = vec![Block { x: 4, y: 1 }];
    kernel
}

fn rotate_left(make: &mut Make, a: ValueId, n: ValueId) -> ValueId {
    let ty = make.ty(a);
    let pattern = make.cast(CastMode::Wrapping, ty.unsigned(), a);
    let left = make.binary(BinaryOp::Shl(Wrap), pattern, n);
    let (width, mask) =
        (make.constant(Type::U32, ty.bits().into()), make.constant(Type::U32, i128::from(ty.bits()) - 1));
    let back = make.binary(BinaryOp::Sub(Wrap), width, n);
    let back = make.binary(BinaryOp::And, back, mask);
    let right = make.binary(BinaryOp::Shr, pattern, back);
    let both = make.binary(BinaryOp::Or, left, right);
    make.cast(CastMode::Wrapping, ty, both)
}

/// A truth value can't be written: it chooses between two elements. [`OneType::is_choice`] tells the columns.
fn chosen(make: &mut Make, truth: ValueId, a: ValueId) -> ValueId {
    let other = make.input(make.ty(a));
    make.select(truth, a, other)
}

fn takes_bits(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Shl(_) | BinaryOp::Shr | BinaryOp::RoundingShr)
}

/// The type that an element is cast to: of half the width, from 8 bits to the other sign, from f32 to i32.
fn target(mode: CastMode, ty: Type) -> Type {
    match ty {
        Type::U32 => Type::U16,
        Type::I32 if mode == CastMode::Saturating => Type::U16,
        Type::I32 => Type::I16,
        Type::U16 => Type::U8,
        Type::I16 if mode == CastMode::Saturating => Type::U8,
        Type::I16 => Type::I8,
        Type::U8 => Type::I8,
        Type::F32 => Type::I32,
        _ => ty.unsigned(),
    }
}

/// The types of a group in words: `8 bits`, `signed`, or one by one.
pub fn types_in_words(types: &[Type]) -> String {
    let is = |wanted: &dyn Fn(Type) -> bool| {
        let all: Vec<Type> = TYPES.into_iter().filter(|&ty| wanted(ty)).collect();
        all == types
    };
    let integer = |ty: Type| ty != Type::F32;
    let known: [(&str, &dyn Fn(Type) -> bool); 8] = [
        ("integers", &integer),
        ("unsigned", &|ty| integer(ty) && !ty.is_signed()),
        ("signed", &|ty| integer(ty) && ty.is_signed()),
        ("8 bits", &|ty| ty.bits() == 8),
        ("16 bits", &|ty| ty.bits() == 16),
        ("32 bits", &|ty| integer(ty) && ty.bits() == 32),
        ("8 and 16 bits", &|ty| ty.bits() < 32),
        ("16 and 32 bits", &|ty| integer(ty) && ty.bits() > 8),
    ];
    let name = known.iter().find(|(_, wanted)| is(wanted)).map(|(name, _)| (*name).to_owned());
    name.unwrap_or_else(|| types.iter().map(|&ty| ty.name()).collect::<Vec<_>>().join(", "))
}
