//! A column for each target: what its emitter makes of an operation, read off the text that it writes.

use crate::operation::{OneType, Operation, types_in_words};
use windrow_backends::doors::instructions;
use windrow_backends::opencl;
use windrow_backends::targets::CPU;
use windrow_dsl::{ir::Type, optimise::prepare};

/// A target.
pub struct Column {
    pub name: &'static str,
    /// What becomes of the operation on one type, without types.
    text: fn(&OneType) -> String,
}

/// All targets. A new one is a row here; a CPU tier needs only its way to leave types out of an instruction's name.
pub const COLUMNS: &[Column] = &[
    Column { name: "NEON", text: |one| cpu(one, "neon", neon_stem) },
    Column { name: "AVX2", text: |one| cpu(one, "avx2", x86_stem) },
    Column { name: "OpenCL C", text: opencl_text },
];

impl Column {
    /// The texts of all types, those that are equal together.
    pub fn cell(&self, operation: &Operation) -> String {
        let mut groups: Vec<(String, Vec<Type>)> = Vec::new();
        for one in &operation.kernels {
            let text = (self.text)(one);
            match groups.iter_mut().find(|(own, _)| *own == text) {
                Some((_, types)) => types.push(one.ty),
                None => groups.push((text, vec![one.ty])),
            }
        }
        let quoted = |text: &str| if text.is_empty() { "nothing".to_owned() } else { format!("`{text}`") };
        match &groups[..] {
            [(text, _)] => quoted(text),
            groups => {
                let parts = groups.iter().map(|(text, types)| format!("{}: {}", types_in_words(types), quoted(text)));
                parts.collect::<Vec<_>>().join("<br>")
            }
        }
    }
}

/// The instructions of a CPU tier; `stem` leaves out the types, and gives nothing for what is no part of the operation.
fn cpu(one: &OneType, target: &str, stem: fn(&str) -> Option<String>) -> String {
    let target = CPU.iter().find(|row| row.name == target).unwrap();
    let listing = instructions::cpu(target, &one.kernel, &prepare(&one.kernel)).unwrap().remove(0);
    let mut stems: Vec<String> = Vec::new();
    let names: Vec<&str> = listing.calls.iter().map(|(name, _)| name.as_str()).collect();
    // Before a store stands what makes an element of a truth value.
    let behind = if one.is_choice() { names.len().saturating_sub(2) } else { names.len() };
    for stem in names[..behind].iter().filter_map(|name| stem(name)) {
        if !stems.contains(&stem) {
            stems.push(stem);
        }
    }
    stems.join(" ")
}

/// `vqaddq_u8` is `vqaddq`.
fn neon_stem(name: &str) -> Option<String> {
    let outside = ["vld1q", "vst1q", "vdupq_n"];
    let is_suffix = |part: &str| part.starts_with(['u', 's', 'f', 'p']) && part[1..].parse::<u32>().is_ok();
    let parts: Vec<&str> = name.split('_').filter(|part| !is_suffix(part)).collect();
    let stem = parts.join("_");
    (!outside.contains(&stem.as_str())).then_some(stem)
}

/// `_mm256_adds_epu8` is `adds`.
fn x86_stem(name: &str) -> Option<String> {
    let stem = name.trim_start_matches("_mm256_").trim_start_matches("_mm_");
    let is_memory = ["loadu", "storeu", "cvtsi32"].iter().any(|base| stem.starts_with(base));
    let types = ["epi8", "epi16", "epi32", "epi64", "epu8", "epu16", "epu32", "ps", "pd", "si256", "si128"];
    let parts: Vec<&str> = stem.split('_').filter(|part| !types.contains(part)).collect();
    (!is_memory).then(|| parts.join("_"))
}

/// The expression that computes the result, in terms of a, b and c, with `T` for every type.
fn opencl_text(one: &OneType) -> String {
    let program = opencl::emit(&one.kernel, &prepare(&one.kernel));
    let block = instructions::block_text(&program.source, &program.entries[0].name);
    let mut last = "a".to_owned();
    let mut known: Vec<(String, String)> = Vec::new();
    for line in block.lines().map(str::trim).filter(|line| is_operation(line)) {
        let (head, expression) = line.trim_end_matches(';').split_once(" = ").unwrap();
        if one.is_choice() && expression.starts_with("select(") {
            break;
        }
        last = without_types(expression, &known);
        known.push((head.rsplit(' ').next().unwrap().to_owned(), last.clone()));
    }
    last
}

/// Whether a statement is more than a load, a uniform or a store.
fn is_operation(line: &str) -> bool {
    let Some((_, expression)) = line.split_once(" = ") else { return false };
    let is_read = expression.starts_with("load_") || expression.contains("words[");
    line.starts_with("const ") && !is_read
}

/// With what is `known` in the place of its name.
fn without_types(expression: &str, known: &[(String, String)]) -> String {
    let mut out = String::new();
    let mut rest = expression;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len()).max(1);
        let (word, after) = rest.split_at(end);
        match word.strip_prefix("load_") {
            Some(_) => {
                let (argument, behind) = after.split_once(')').unwrap_or((after, ""));
                out.push_str(argument.trim_start_matches('(').split(',').next().unwrap_or(""));
                rest = behind;
            }
            None => {
                let value = known.iter().find(|(name, _)| name == word).map(|(_, value)| value.clone());
                out.push_str(&value.unwrap_or_else(|| without_type(word)));
                rest = after;
            }
        }
    }
    out
}

/// `uchar4` and `convert_uchar4_sat` are `T` and `convert_T_sat`; `a_0` is `a`, `isqrt_u32x4` is `isqrt`.
fn without_type(word: &str) -> String {
    let is_type = |part: &str| {
        let stem = part.trim_end_matches(|c: char| c.is_ascii_digit());
        let stem = stem.strip_prefix('u').unwrap_or(stem);
        ["char", "short", "int", "long", "float"].contains(&stem)
    };
    let is_form = |part: &str| {
        let mut sides = part.split('x');
        let ty = sides.next().unwrap_or("");
        ty.len() > 1 && ty.starts_with(['u', 'i', 'f']) && ty[1..].parse::<u32>().is_ok()
    };
    let parts: Vec<&str> = word.split('_').filter(|part| !is_form(part)).collect();
    match parts[..] {
        [name @ ("a" | "b" | "c" | "derived"), _] => name.to_owned(),
        _ => parts.iter().map(|part| if is_type(part) { "T" } else { part }).collect::<Vec<_>>().join("_"),
    }
}
