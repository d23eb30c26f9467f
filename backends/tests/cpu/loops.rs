//! The scalar work in the innermost loops of compiled bodies.

/// What may stand in a loop beside vector instructions: addresses, the loop's own control, and spills of addresses.
const CONTROL: &[&str] = &[
    "add", "sub", "adds", "subs", "cmp", "csel", "mov", "movz", "movk", "lsl", "sxtw", "nop", "adrp", "ccmp", "tst",
    "cmn",
];

/// Whether an instruction is scalar work on elements.
pub fn is_scalar(instruction: &str) -> bool {
    let mut words = instruction.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let mnemonic = words.next().unwrap_or_default();
    let operands: Vec<&str> = words.collect();
    let is_vector = |operand: &&str| {
        let operand = operand.trim_matches(['{', '}', '[', ']']);
        operand.starts_with('q') || operand.starts_with('v') && operand.contains('.')
    };
    if operands.iter().any(is_vector) {
        return false;
    }
    let is_address = operands.first().is_some_and(|operand| operand.starts_with('x') || *operand == "sp");
    // Halves of vectors that wait on the stack, and move from register to register.
    let is_half = |operand: &&&str| operand.strip_prefix('d').is_some_and(|number| number.parse::<u32>().is_ok());
    let halves = operands.iter().take_while(is_half).count();
    let is_spill = halves > 0 && operands.get(halves).is_some_and(|operand| operand.starts_with("[sp"));
    if is_spill || mnemonic == "fmov" && halves == operands.len() {
        return false;
    }
    let is_branch =
        mnemonic == "b" || mnemonic.starts_with("b.") || matches!(mnemonic, "cbz" | "cbnz" | "tbz" | "tbnz");
    let moves_address = matches!(mnemonic, "ldr" | "ldp" | "str" | "stp" | "ldur" | "stur") && is_address;
    !(is_branch || moves_address || CONTROL.contains(&mnemonic) || mnemonic.starts_with("prfm"))
}

/// What may stand in an x86 loop beside vector instructions.
const X86_CONTROL: &[&str] =
    &["mov", "movq", "lea", "leaq", "addq", "subq", "cmpq", "testq", "xorl", "cmovlq", "nop", "prefetcht0"];

/// Whether an x86 instruction is scalar work on elements.
pub fn is_scalar_on_x86(instruction: &str) -> bool {
    let (mnemonic, operands) = instruction.split_once(char::is_whitespace).unwrap_or((instruction, ""));
    if operands.contains("%xmm") || operands.contains("%ymm") {
        // A word of the run is read where it is needed, into all lanes.
        let mnemonic = mnemonic.trim_start_matches('v');
        let is_single = !mnemonic.starts_with('p') && (mnemonic.ends_with("ss") || mnemonic.ends_with("sd"));
        let moves_lane = mnemonic.starts_with("pextr") || mnemonic.starts_with("pinsr");
        return moves_lane || is_single && !mnemonic.contains("broadcast");
    }
    // The coordinate of a step's first column is put into all lanes.
    let is_column = mnemonic.starts_with("lea") || mnemonic.starts_with("add");
    // The second step and those behind it are as wide as the loop says.
    let is_width = mnemonic == "movl" && operands.starts_with('$');
    !(mnemonic.starts_with('j') || is_column || is_width || X86_CONTROL.contains(&mnemonic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalar_work_is_told_from_control() {
        for plain in [
            "uabd v0.16b, v1.16b, v2.16b",
            "ldr q0, [x8, x9]",
            "add x9, x9, #64",
            "b.lt .LBB0_1",
            "ldr x8, [sp, #8]",
            "ldr d11, [sp, #56]",
            "fmov d27, d11",
        ] {
            assert!(!is_scalar(plain), "{plain}");
        }
        for scalar in [
            "ldrb w8, [x9]",
            "fadd s0, s1, s2",
            "udiv w8, w9, w10",
            "strh w8, [x9]",
            "mul w8, w8, w9",
            "ldr d0, [x8]",
            "fmov d0, x8",
        ] {
            assert!(is_scalar(scalar), "{scalar}");
        }
    }
}
