//! Mutated kernels: an answer for every input, and never a panic.
//!
//! The seeds are the example operators. A mutation works on tokens, so that most inputs are still Rust, and a good part
//! of them still has the right types and reaches the analyses. `WINDROW_FUZZ=100000` says how many inputs (2,000
//! otherwise), `WINDROW_SEED` where to begin.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 33
    }

    fn below(&mut self, n: usize) -> usize {
        self.next() as usize % n.max(1)
    }
}

/// Words that make sense almost anywhere.
const WORDS: &str = "a b x y src k lut sum v i 0 1 2 3 9 255 256 65535 -1 0.5 1.5f32 1u8 2i16 3u16 4u32 5i32 6usize true \
    u8 i8 u16 i16 u32 i32 f32 bool usize u64 + - * / % & | ^ << >> == != < <= > >= && || ! = += -= , ; . .. ..= :: => -> ? \
    at window min max clamp abs_diff saturating_cast wrapping_cast cast wrapping_add saturating_sub isqrt mul_add zip rev \
    enumerate skip map fold into_iter if else match for in let mut as fn const type while return move _ ( ) [ ] { }";

/// Every kernel of the example, as tokens.
fn seeds() -> Vec<TokenStream> {
    let file: TokenStream = include_str!("data/operators.rs").parse().unwrap();
    let mut seeds = Vec::new();
    let mut current: Vec<TokenTree> = Vec::new();
    for token in file {
        let ends = matches!(&token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        current.push(token);
        if ends {
            seeds.push(std::mem::take(&mut current).into_iter().collect());
        }
    }
    seeds
}

fn words() -> Vec<TokenTree> {
    let loose = |word: &&str| !["(", ")", "[", "]", "{", "}"].contains(word);
    let mut words: Vec<TokenTree> =
        WORDS.split_whitespace().filter(loose).flat_map(|word| word.parse::<TokenStream>().unwrap()).collect();
    for delimiter in [Delimiter::Parenthesis, Delimiter::Bracket, Delimiter::Brace] {
        words.push(TokenTree::Group(Group::new(delimiter, TokenStream::new())));
    }
    words
}

/// Changes some token somewhere: removes, doubles, swaps, replaces, or takes a piece of another kernel.
fn mutate(
    stream: TokenStream,
    random: &mut Random,
    words: &[TokenTree],
    names: &[TokenTree],
    other: &TokenStream,
) -> TokenStream {
    let mut tokens: Vec<TokenTree> = stream.into_iter().collect();
    if tokens.is_empty() {
        return words.get(random.below(words.len())).cloned().into_iter().collect();
    }
    let groups: Vec<usize> = (0..tokens.len()).filter(|at| matches!(tokens[*at], TokenTree::Group(_))).collect();
    let at = match groups[..] {
        // The body stands last: most mutations go there.
        [.., body] if tokens.len() - body < 3 && random.below(8) != 0 => body,
        [..] => random.below(tokens.len()),
    };
    if let TokenTree::Group(group) = &tokens[at]
        && (random.below(8) != 0 || group.delimiter() == Delimiter::Brace)
    {
        let inside = mutate(group.stream(), random, words, names, other);
        tokens[at] = TokenTree::Group(Group::new(group.delimiter(), inside));
        return tokens.into_iter().collect();
    }
    match random.below(30) {
        0 => drop(tokens.remove(at)),
        1 => tokens.insert(at, tokens[at].clone()),
        2 => {
            let with = random.below(tokens.len());
            tokens.swap(at, with);
        }
        3 => tokens[at] = words[random.below(words.len())].clone(),
        4 => tokens.insert(at, words[random.below(words.len())].clone()),
        5 => tokens[at] = piece(other, random),
        _ => tokens[at] = same_kind(&tokens[at], random, names),
    }
    tokens.into_iter().collect()
}

/// Words that can stand for one another without changing the grammar, and often not the types.
const CLASSES: [&str; 7] = [
    "u8 i8 u16 i16 u32 i32",
    "min max wrapping_add wrapping_sub wrapping_mul saturating_add saturating_sub saturating_mul halving_add mul_high",
    "saturating_cast wrapping_cast cast",
    "+ - * / % & | ^",
    "0 1 2 3 4 7 8 9 127 128 255 256 1000 32767 65535",
    "0.0 1.0 0.5 2.0 1e9 87.0",
    "MAX MIN",
];

/// A word of the same class; a name that belongs to no class becomes another name of its kernel.
fn same_kind(token: &TokenTree, random: &mut Random, names: &[TokenTree]) -> TokenTree {
    let text = token.to_string();
    let class = CLASSES.iter().find(|class| class.split(' ').any(|word| word == text));
    let mut new = match (class, token) {
        (Some(class), _) => {
            let words: Vec<&str> = class.split(' ').collect();
            words[random.below(words.len())].parse::<TokenStream>().unwrap().into_iter().next().unwrap()
        }
        (None, TokenTree::Ident(_)) if names.iter().any(|name| name.to_string() == text) => {
            names[random.below(names.len())].clone()
        }
        (None, other) => other.clone(),
    };
    new.set_span(token.span());
    new
}

/// The names that a kernel uses as values.
fn names_in(stream: &TokenStream) -> Vec<TokenTree> {
    let mut names: Vec<TokenTree> = Vec::new();
    let mut before = String::new();
    for token in stream.clone() {
        match &token {
            TokenTree::Group(group) => names.extend(names_in(&group.stream())),
            TokenTree::Ident(name) => {
                let text = name.to_string();
                let keyword = ["fn", "let", "mut", "for", "in", "if", "else", "match", "as", "const", "pub"];
                let is_type = text.starts_with(char::is_uppercase) || CLASSES[0].split(' ').any(|ty| ty == text);
                if !keyword.contains(&text.as_str()) && !is_type && before != "." && before != ":" && before != "fn" {
                    names.push(token.clone());
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
        before = token.to_string();
    }
    names
}

/// A token from somewhere in another kernel.
fn piece(stream: &TokenStream, random: &mut Random) -> TokenTree {
    let tokens: Vec<TokenTree> = stream.clone().into_iter().collect();
    match &tokens[random.below(tokens.len())] {
        TokenTree::Group(group) if !group.stream().is_empty() && random.below(3) != 0 => piece(&group.stream(), random),
        token => token.clone(),
    }
}

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn mutated_kernels_never_panic() {
    let (inputs, seed) = (number("WINDROW_FUZZ", 2_000), number("WINDROW_SEED", 1));
    let (seeds, words) = (seeds(), words());
    let (mut analysed, mut slowest) = (0u64, Duration::ZERO);
    for input in 0..inputs {
        let mut random = Random((seed + input).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut tokens = seeds[random.below(seeds.len())].clone();
        for _ in 0..=random.below(3) {
            let other = &seeds[random.below(seeds.len())];
            let names = names_in(&tokens);
            tokens = mutate(tokens, &mut random, &words, &names, other);
        }
        let source = tokens.to_string();
        let start = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| windrow_dsl::compile_file(&source)));
        slowest = slowest.max(start.elapsed());
        let Ok(compiled) = outcome else { panic!("WINDROW_SEED={} WINDROW_FUZZ=1\n{source}", seed + input) };
        assert!(start.elapsed() < Duration::from_secs(5), "slow: {source}");
        assert!(compiled.errors.iter().all(|error| !error.help.is_empty()), "{source}");
        let proof = |message: &str| message.contains("can ") || message.contains("may ");
        let failed_late = compiled.errors.iter().any(|error| proof(&error.message) && !error.notes.is_empty());
        analysed += u64::from(!compiled.kernels.is_empty() || failed_late);
    }
    println!("{analysed} of {inputs} reached the analyses; the slowest took {slowest:?}");
    assert!(inputs < 1_000 || analysed * 3 > inputs, "only {analysed} of {inputs} reached the analyses");
}
