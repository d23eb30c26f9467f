//! The instructions of a loop, by what they do, and the registers that they name.

use std::collections::BTreeSet;

/// What one step of a loop executes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Instructions that read memory.
    pub loads: usize,
    /// Instructions that write memory.
    pub stores: usize,
    /// Instructions on vectors that do neither.
    pub operations: usize,
    /// Addresses, and the loop's own control.
    pub control: usize,
    /// Of the loads and stores: those of the stack, for want of registers.
    pub spills: usize,
    /// Vector registers that are named: of 32, on x86 without AVX-512 of 16.
    pub vector_registers: usize,
    /// General registers that are named: of 31, on x86 of 15.
    pub general_registers: usize,
}

impl Counts {
    /// Of instructions in the assembly of an architecture.
    pub fn of(architecture: &str, instructions: &[impl AsRef<str>]) -> Self {
        if architecture == "x86_64" { Self::of_x86(instructions) } else { Self::of_arm(instructions) }
    }

    fn of_arm(instructions: &[impl AsRef<str>]) -> Self {
        let mut counts = Self::default();
        let mut vectors = BTreeSet::new();
        let mut generals = BTreeSet::new();
        for instruction in instructions.iter().map(AsRef::as_ref) {
            let named: Vec<Register> = words(instruction).skip(1).filter_map(register).collect();
            let mnemonic = words(instruction).next().unwrap_or_default();
            let is_memory = instruction.contains('[');
            counts.spills += usize::from(is_memory && instruction.contains("[sp"));
            match mnemonic {
                load if load.starts_with("ld") => counts.loads += 1,
                store if store.starts_with("st") => counts.stores += 1,
                _ if named.iter().any(|register| matches!(register, Register::Vector(_))) => counts.operations += 1,
                _ => counts.control += 1,
            }
            for register in named {
                match register {
                    Register::Vector(number) => _ = vectors.insert(number),
                    Register::General(number) => _ = generals.insert(number),
                }
            }
        }
        Self { vector_registers: vectors.len(), general_registers: generals.len(), ..counts }
    }

    /// In the order of AT&T: where the result goes comes last. An operation that reads memory is an operation.
    fn of_x86(instructions: &[impl AsRef<str>]) -> Self {
        let mut counts = Self::default();
        let (mut vectors, mut generals) = (BTreeSet::new(), BTreeSet::new());
        for instruction in instructions.iter().map(AsRef::as_ref) {
            let (mnemonic, operands) = instruction.split_once(char::is_whitespace).unwrap_or((instruction, ""));
            let mut names_vector = false;
            for name in operands.split('%').skip(1) {
                let name = name.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
                match name.strip_prefix("xmm").or(name.strip_prefix("ymm")).or(name.strip_prefix("zmm")) {
                    Some(number) => {
                        _ = vectors.insert(number.to_owned());
                        names_vector = true;
                    }
                    // A predicate is neither.
                    None if name.starts_with('k') => names_vector = true,
                    None if matches!(name, "rip" | "rsp") => {}
                    None => _ = generals.insert(whole_register(name)),
                }
            }
            let is_memory = operands.contains('(') && !mnemonic.starts_with("lea");
            let is_one = |stems: &[&str]| stems.iter().any(|stem| mnemonic.starts_with(stem));
            let has_result = !is_one(&["cmp", "test", "prefetch", "ucomis", "vucomis", "ptest", "vptest"]);
            counts.spills += usize::from(is_memory && operands.contains("(%rsp"));
            match (is_memory, names_vector) {
                (true, _) if operands.ends_with(')') && has_result => counts.stores += 1,
                (true, _) if is_one(&["mov", "vmov", "vbroadcast", "vpbroadcast", "kmov"]) => counts.loads += 1,
                (_, true) => counts.operations += 1,
                _ => counts.control += 1,
            }
        }
        Self { vector_registers: vectors.len(), general_registers: generals.len(), ..counts }
    }

    /// All of them.
    pub fn instructions(&self) -> usize {
        self.loads + self.stores + self.operations + self.control
    }
}

/// The 64-bit register that `eax`, `ax`, `al` or `r8d` is a part of.
fn whole_register(name: &str) -> String {
    let number = name.strip_prefix('r').map(|rest| rest.trim_end_matches(['d', 'w', 'b']));
    match number {
        Some(number) if !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit()) => format!("r{number}"),
        _ => {
            let stem = name.trim_start_matches(['r', 'e']).trim_end_matches(['l', 'h', 'x']);
            format!("r{stem}")
        }
    }
}

enum Register {
    Vector(u8),
    General(u8),
}

/// `v3.16b`, `q0`, `x8`, `w9`; sp and immediates are none.
fn register(word: &str) -> Option<Register> {
    let (kind, rest) = word.split_at_checked(1)?;
    let number: u8 = rest.split('.').next()?.parse().ok()?;
    match kind {
        "v" | "q" | "d" | "s" | "h" | "b" => Some(Register::Vector(number)),
        "x" | "w" => Some(Register::General(number)),
        _ => None,
    }
}

fn words(instruction: &str) -> impl Iterator<Item = &str> {
    instruction.split(|c: char| !c.is_ascii_alphanumeric() && c != '.').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_told_apart() {
        let counts = Counts::of(
            "aarch64",
            &[
                "ldp\tq0, q1, [x8, #16]",
                "ld3\t{ v2.16b, v3.16b, v4.16b }, [x9]",
                "umlal2\tv5.8h, v2.16b, v0.b[3]",
                "fmov\tw10, s1",
                "ldr\tx11, [sp, #8]",
                "str\tq5, [x11], #16",
                "add\tx8, x8, #32",
                "b.lt\t.LBB0_2",
            ],
        );
        let expected = Counts {
            loads: 3,
            stores: 1,
            operations: 2,
            control: 2,
            spills: 1,
            vector_registers: 6,
            general_registers: 4,
        };
        assert_eq!(counts, expected);
        assert_eq!(counts.instructions(), 8);
    }

    #[test]
    fn instructions_of_x86_are_told_apart() {
        let counts = Counts::of(
            "x86_64",
            &[
                "vmovdqu\t(%r8,%rax), %ymm0",
                "vpaddb\t.LCPI0_0(%rip), %ymm0, %ymm1",
                "vpmovzxbw\t%xmm1, %ymm12",
                "vmovdqa\t%ymm12, 32(%rsp)",
                "vpcmpltub\t%zmm1, %zmm0, %k1",
                "vextracti128\t$1, %ymm1, (%r9d)",
                "leaq\t32(%r8), %r8",
                "cmpq\t%rax, 8(%rsp)",
                "movl\t%eax, %r10d",
                "jle\t.LBB0_2",
            ],
        );
        let expected = Counts {
            loads: 1,
            stores: 2,
            operations: 3,
            control: 4,
            spills: 2,
            vector_registers: 3,
            general_registers: 4,
        };
        assert_eq!(counts, expected);
    }
}
