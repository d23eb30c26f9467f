//! One subject for each row of the tables and each of its types, and what stands in its place in a mutant.

use crate::kernels;
use crate::make::{INTEGERS, Make, Subject};
use crate::neighbours;
use crate::signatures::swapped;
use windrow_backends::neon::fuse::{FUSED, FusedRow, How, NARROW, NarrowRow, Operands, Root, Wide};
use windrow_backends::neon::pairwise::{LONG, ONTO};
use windrow_backends::neon::table::{BINARY, COMPARE, PAIRWISE, UNARY};
use windrow_backends::targets::CpuTarget;
use windrow_backends::x86::{avx512, table as x86_table};
use windrow_dsl::ir::Overflow::Wrap;
use windrow_dsl::ir::*;

/// A row's intrinsic, what a mutant has instead, and a body that uses it.
pub struct Use {
    /// Without suffix.
    pub intrinsic: &'static str,
    /// Another of the same signature.
    pub instead: &'static str,
    /// The body.
    pub subject: Subject,
}

/// The uses of every row.
pub fn all() -> Vec<Use> {
    let mut uses = Vec::new();
    for (rows, is_compare) in [(BINARY, false), (COMPARE, true)] {
        for (place, row) in rows.iter().enumerate() {
            for ty in row.types.members().filter(|&ty| legal::ELEMENTS.everywhere(ty)) {
                // The next row that has the type, round about.
                let others = (1..rows.len()).map(|step| &rows[(place + step) % rows.len()]);
                let mut others = others.filter(|other| other.types.contains(ty));
                let other = others.find(|other| other.intrinsic != row.intrinsic);
                let Some(other) = other.filter(|_| !is_compare || row.op != BinaryOp::Ne) else { continue };
                let mut subject = kernels::of_elements(row.op, ty);
                subject.name = format!("{} for {} in {}", other.intrinsic, row.intrinsic, subject.name);
                uses.push(Use { intrinsic: row.intrinsic, instead: other.intrinsic, subject });
            }
        }
    }
    uses.extend(unary());
    for row in FUSED {
        uses.extend(INTEGERS.into_iter().filter_map(|ty| fused(row, ty)));
    }
    for row in PAIRWISE {
        let of_two = |ty: Type| Use {
            intrinsic: row.intrinsic,
            instead: if row.intrinsic == "vpmaxq" {
                "vpaddq"
            } else if ty == Type::F32 {
                "vpmaxnmq"
            } else {
                "vpmaxq"
            },
            subject: neighbours::of_two(row.op, ty),
        };
        uses.extend(row.types.members().map(of_two));
    }
    for (intrinsic, instead, onto) in [(LONG, "vmovl_high", false), (ONTO, "vaddw_high", true)] {
        for (from, ty) in [(Type::U8, Type::I16), (Type::I8, Type::I16), (Type::U16, Type::U32), (Type::I16, Type::I32)]
        {
            uses.push(Use { intrinsic, instead, subject: neighbours::of_channels(from, ty, [1, 1], onto) });
        }
    }
    for row in NARROW {
        uses.extend(INTEGERS.into_iter().filter_map(|ty| narrow(row, ty)));
    }
    uses
}

fn unary() -> Vec<Use> {
    let mut uses = Vec::new();
    for subject in kernels::unary() {
        let Op::Unary(op, a) = subject.kernel.bodies[0].nodes[1].op else { continue };
        let ty = subject.kernel.bodies[0].node(a).ty;
        let own = UNARY.iter().find(|row| row.op == op && row.types.contains(ty));
        let Some(row) = own else { continue };
        // Every lane has a row of these, except that NOT has none for floats, and neither it nor zeros for 64 bits.
        let candidates = match (ty.is_float(), ty.bits()) {
            (true, _) => ["vnegq", "vrndpq"],
            (false, 64) => ["vnegq", "vabsq"],
            (false, _) => ["vclzq", "vmvnq"],
        };
        let Some(instead) = candidates.into_iter().find(|other| *other != row.intrinsic) else { continue };
        let mut subject = subject;
        subject.name = format!("{instead} for {} in {}", row.intrinsic, subject.name);
        uses.push(Use { intrinsic: row.intrinsic, instead, subject });
    }
    uses
}

fn half(ty: Type) -> Option<Type> {
    if ty.is_integer() { Type::of(ty.kind(), ty.bits() / 2) } else { None }
}

fn fused(row: &'static FusedRow, ty: Type) -> Option<Use> {
    let mut m = Make::new();
    let is_long = {
        use Operands::*;
        matches!(row.operands, Long | Wide | LongProduct | LongDistance | LongConstant | LongPower)
    };
    let is_unsigned = {
        use Operands::*;
        matches!(row.operands, LongDistance | WithDistance | WithChosenBits | WithBitsAbove | WithBitsBelow)
    };
    let from = if is_long { half(ty)? } else { ty };
    if is_unsigned && ty.is_signed() {
        return None;
    }
    let (a, b, c) = (m.input(from), m.input(from), m.input(ty));
    let (x, y) = (m.cast(CastMode::Value, ty, a), m.cast(CastMode::Value, ty, b));
    let root = match row.root {
        Root::Sum => BinaryOp::Add(Wrap),
        Root::Difference => BinaryOp::Sub(Wrap),
        Root::Product => BinaryOp::Mul(Wrap),
        Root::ShiftLeft => BinaryOp::Shl(Wrap),
        Root::Union => BinaryOp::Or,
    };
    let value = match row.operands {
        Operands::Long => m.binary(root, x, y),
        Operands::Wide => m.binary(root, c, y),
        Operands::LongProduct | Operands::WithProduct => {
            let product = m.binary(BinaryOp::Mul(Wrap), x, y);
            m.binary(root, c, product)
        }
        Operands::LongDistance | Operands::WithDistance => {
            let distance = m.binary(BinaryOp::AbsDiff, a, b);
            let distance = m.cast(CastMode::Value, ty, distance);
            m.binary(root, c, distance)
        }
        Operands::LongConstant => {
            let three = m.constant(Type::U32, 3);
            m.binary(root, x, three)
        }
        Operands::WithShifted => {
            let three = m.constant(Type::U32, 3);
            let shifted = m.binary(BinaryOp::Shr, x, three);
            m.binary(root, c, shifted)
        }
        Operands::LongPower => {
            let eight = m.constant(ty, 8);
            m.binary(root, x, eight)
        }
        Operands::WithChosenBits => {
            let others = m.constant(ty, ty.limits().1 ^ 8);
            let (eight, zero) = (m.constant(ty, 8), m.constant(ty, 0));
            let (kept, condition) = (m.binary(BinaryOp::And, c, others), m.binary(BinaryOp::Lt, a, b));
            let chosen = m.select(condition, eight, zero);
            m.binary(root, kept, chosen)
        }
        // So many bits that no narrower lanes hold them.
        Operands::WithBitsAbove => {
            let n = i128::from(ty.bits() / 2 + 1);
            let (low, amount) = (m.constant(ty, (1 << n) - 1), m.constant(Type::U32, n));
            let (kept, shifted) = (m.binary(BinaryOp::And, c, low), m.binary(BinaryOp::Shl(Wrap), x, amount));
            m.binary(root, kept, shifted)
        }
        Operands::WithBitsBelow => {
            let (high, three) = (m.constant(ty, 7 << (ty.bits() - 3)), m.constant(Type::U32, 3));
            let (kept, shifted) = (m.binary(BinaryOp::And, c, high), m.binary(BinaryOp::Shr, x, three));
            m.binary(root, kept, shifted)
        }
    };
    let instead = match row.intrinsic {
        "vaddl" => "vsubl",
        "vsubl" => "vmull",
        "vmull" => "vaddl",
        "vmlal" => "vmlsl",
        "vmlsl" => "vmlal",
        "vabal" => "vmlal",
        "vaddw" => "vsubw",
        "vsubw" => "vaddw",
        "vmlaq" => "vmlsq",
        "vmlsq" => "vabaq",
        "vabaq" => "vmlaq",
        "vsraq" => "vrsraq",
        "vbitq" => "vbifq",
        "vsliq" => "vsriq",
        "vsriq" => "vsliq",
        _ => "vmovl",
    };
    let name = format!("{instead} for {} in {ty:?}", row.intrinsic);
    // There is no other long instruction with a constant: such a mutant would not compile.
    (!matches!(row.operands, Operands::LongConstant | Operands::LongPower)).then(|| Use {
        intrinsic: row.intrinsic,
        instead,
        subject: m.finish(name, value),
    })
}

fn narrow(row: &'static NarrowRow, wide: Type) -> Option<Use> {
    let narrow = half(wide)?;
    let to = match (row.how, narrow) {
        (How::DropsSign, Type::I8) => Type::U8,
        (How::DropsSign, Type::I16) => Type::U16,
        (How::DropsSign, _) => return None,
        (How::Any | How::Wraps | How::Saturates, narrow) => narrow,
    };
    let mode = if matches!(row.how, How::Any | How::Wraps) { CastMode::Wrapping } else { CastMode::Saturating };
    let mut m = Make::new();
    let (wide_value, n) = match row.wide {
        // Some values saturate, and some do not.
        Wide::Shifted => (m.input(wide), to.bits() - 2),
        Wide::Upper => (m.input(wide), to.bits()),
        Wide::Sum => {
            let [a, b] = [m.input(to), m.input(to)].map(|narrow| m.cast(CastMode::Value, wide, narrow));
            (m.binary(BinaryOp::Add(Wrap), a, b), 1)
        }
    };
    let n = m.constant(Type::U32, n.into());
    let shifted = m.binary(row.op, wide_value, n);
    let value = m.cast(mode, to, shifted);
    let instead = match row.intrinsic {
        "vhaddq" => "vrhaddq",
        "vrhaddq" => "vhaddq",
        "vuzp2q" => "vuzp1q",
        "vshrn" => "vrshrn",
        "vrshrn" => "vshrn",
        "vqshrn" => "vqrshrn",
        "vqrshrn" => "vqshrn",
        "vqshrun" => "vqrshrun",
        _ => "vqshrun",
    };
    let name = format!("{instead} for {} in {wide:?}", row.intrinsic);
    Some(Use { intrinsic: row.intrinsic, instead, subject: m.finish(name, value) })
}

/// How a body's text names an intrinsic; one that is no function by its instruction.
pub fn named(intrinsic: &str) -> String {
    match intrinsic {
        "vbitq" | "vbifq" => format!("asm!(\"{} ", &intrinsic[1..4]),
        _ => format!("{intrinsic}_"),
    }
}

/// A body's text with one intrinsic in place of another, in both its halves.
pub fn mutate(text: &str, intrinsic: &str, instead: &str) -> String {
    let text = text.replace(&named(intrinsic), &named(instead));
    text.replace(&format!("{intrinsic}_high_"), &format!("{instead}_high_"))
}

/// The same of an x86 tier: names as they are called.
pub struct X86Use {
    pub intrinsic: String,
    pub instead: String,
    pub subject: Subject,
}

/// The uses of every row of x86's tables.
pub fn x86(target: &CpuTarget) -> Vec<X86Use> {
    let (prefix, bits) = match target.name {
        "avx512" => ("_mm512", 512),
        "avx2" | "vnni" => ("_mm256", 256),
        _ => ("_mm", 128),
    };
    // What AVX-512 has more, and what it has otherwise.
    let (more_of_one, more_of_two): (&[_], &[_]) = match target.name {
        "avx512" => (avx512::table::UNARY, avx512::table::BINARY),
        _ => (&[], &[]),
    };
    let is_missing = |name: &str, op: UnaryOp| {
        let own = more_of_one.iter().find(|row| row.op == op);
        let is_float = name.ends_with("_ps") || name.ends_with("_pd");
        own.is_some_and(|row| row.intrinsics.contains(&avx512::table::MISSING)) && is_float
    };
    let named = |name: &&str| {
        let bits = if name.ends_with("_si") { bits.to_string() } else { String::new() };
        format!("{prefix}_{name}{bits}")
    };
    let of_two = x86_table::BINARY.iter().chain(more_of_two).flat_map(|row| {
        let of_type = move |(name, ty): (&&'static str, Type)| (*name, kernels::of_elements(row.op, ty));
        columns(&row.intrinsics).map(of_type)
    });
    let of_one = x86_table::UNARY.iter().chain(more_of_one).flat_map(|row| {
        let of_type = move |(name, ty): (&&'static str, Type)| {
            let is_own = !is_missing(name, row.op) && *name != avx512::table::MISSING;
            is_own.then_some((*name, subject_of_one(row.op, ty)?))
        };
        columns(&row.intrinsics).filter_map(of_type)
    });
    let uses = of_two.chain(of_one).map(|(name, mut subject)| {
        let intrinsic = named(&name);
        let instead = swapped(target, &intrinsic).unwrap_or_else(|| panic!("{intrinsic} has no class"));
        subject.name = format!("{instead} for {intrinsic} in {}", subject.name);
        X86Use { intrinsic, instead, subject }
    });
    uses.collect()
}

/// The instructions of a row, each with its type of elements.
fn columns<'a>(intrinsics: &'a [&'static str]) -> impl Iterator<Item = (&'a &'static str, Type)> {
    let all = intrinsics.iter().zip(x86_table::COLUMNS);
    all.filter(|(name, ty)| !name.is_empty() && legal::ELEMENTS.everywhere(*ty))
}

fn subject_of_one(op: UnaryOp, ty: Type) -> Option<Subject> {
    let name = format!("{op:?} {ty:?}");
    kernels::unary().into_iter().find(|subject| subject.name == name)
}
