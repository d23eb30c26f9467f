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
    /// Vector registers that are named, of 32.
    pub vector_registers: usize,
    /// General registers that are named, of 31.
    pub general_registers: usize,
}

impl Counts {
    /// Of instructions in assembly.
    pub fn of(instructions: &[impl AsRef<str>]) -> Self {
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

    /// All of them.
    pub fn instructions(&self) -> usize {
        self.loads + self.stores + self.operations + self.control
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
        let counts = Counts::of(&[
            "ldp\tq0, q1, [x8, #16]",
            "ld3\t{ v2.16b, v3.16b, v4.16b }, [x9]",
            "umlal2\tv5.8h, v2.16b, v0.b[3]",
            "fmov\tw10, s1",
            "ldr\tx11, [sp, #8]",
            "str\tq5, [x11], #16",
            "add\tx8, x8, #32",
            "b.lt\t.LBB0_2",
        ]);
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
}
