//! Mutation of kernels by grammar: most inputs are still Rust, many have the right types, and some are right.
//!
//! A mutation works on tokens, whose groups are the grammar's own: it removes, doubles and swaps them, exchanges words
//! of one class, takes pieces of other kernels, and wraps parts in what the language has (`if`, `for`, closures).

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::path::Path;

/// A source of numbers that a seed repeats.
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.next() as usize % n.max(1)
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }
}

/// Words that make sense almost anywhere.
const WORDS: &str = "a b x y src k lut sum v i 0 1 2 3 9 255 256 65535 -1 0.5 1.5f32 1u8 2i16 3u16 4u32 5i32 6usize true \
    u8 i8 u16 i16 u32 i32 f32 bool usize u64 + - * / % & | ^ << >> == != < <= > >= && || ! = += -= , ; . .. ..= :: => -> ? \
    at window min max clamp abs_diff saturating_cast wrapping_cast cast wrapping_add saturating_sub isqrt mul_add zip rev \
    enumerate skip map fold into_iter if else match for in let mut as fn const type while return move _ () [] {} uniform \
    variant inout stride step neighbourhood output border require types fast deny Neighbourhood Table Overflow";

/// Words that can stand for one another without changing the grammar, and often not the types.
const CLASSES: [&str; 9] = [
    "u8 i8 u16 i16 u32 i32",
    "min max wrapping_add wrapping_sub wrapping_mul saturating_add saturating_sub saturating_mul halving_add mul_high",
    "saturating_cast wrapping_cast cast",
    "+ - * / % & | ^",
    "< > == !=",
    "0 1 2 3 4 7 8 9 127 128 255 256 1000 32767 65535",
    "0.0 1.0 0.5 2.0 1e9 87.0",
    "MAX MIN",
    "undefined constant replicate reflect reflect101 wrap",
];

/// What a part may be wrapped in: `$` is the part.
const WRAPPERS: [&str; 12] = [
    "( $ )",
    "{ $ }",
    "- ( $ )",
    "! ( $ )",
    "( $ ) as u16",
    "( $ ) . saturating_cast ( )",
    "if 1 < 2 { $ } else { $ }",
    "match 3 { 0 => $ , _ => $ }",
    "{ let t = $ ; t }",
    "( | v : u8 | v ) ( $ )",
    "{ let mut s = $ ; for i in 0 .. 3 { s = s . max ( $ ) ; } s }",
    "[ $ , $ ] [ 1 ]",
];

/// Kernels to mutate.
pub struct Mutator {
    seeds: Vec<TokenStream>,
    words: Vec<TokenTree>,
}

impl Mutator {
    /// The operators, the examples of the language, and the mended mistakes of `cases/`.
    pub fn new() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut seeds = Vec::new();
        for folder in ["../../operators/src", "../../dsl/tests/data", "cases"] {
            read(&root.join(folder), &mut seeds);
        }
        let words = WORDS.split_whitespace().flat_map(|word| word.parse::<TokenStream>().into_iter().flatten());
        Self { seeds, words: words.collect() }
    }

    /// How many kernels there are to begin with.
    pub fn seeds(&self) -> usize {
        self.seeds.len()
    }

    /// The input of a seed: an item with its attribute.
    pub fn input(&self, seed: u64) -> TokenStream {
        let mut random = Random::new(seed);
        let kernel = random.of(&self.seeds).cloned().unwrap_or_default();
        let unchanged = kernel.to_string();
        let mut tokens = kernel;
        let changes = 1 + usize::from(random.below(4) == 0);
        for _ in 0..16 * changes {
            let names = kernel_names(&tokens);
            let before = tokens.to_string();
            tokens = self.mutate(tokens, &mut random, &names);
            let changed = tokens.to_string();
            if changed != unchanged && changed != before && random.below(changes) == 0 {
                break;
            }
        }
        tokens
    }

    /// Changes something somewhere.
    fn mutate(&self, stream: TokenStream, random: &mut Random, names: &[TokenTree]) -> TokenStream {
        let mut tokens: Vec<TokenTree> = stream.into_iter().collect();
        if tokens.is_empty() {
            return random.of(&self.words).cloned().into_iter().collect();
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
            let inside = self.mutate(group.stream(), random, names);
            tokens[at] = TokenTree::Group(Group::new(group.delimiter(), inside));
            return tokens.into_iter().collect();
        }
        self.change(&mut tokens, at, random, names);
        tokens.into_iter().collect()
    }

    fn change(&self, tokens: &mut Vec<TokenTree>, at: usize, random: &mut Random, names: &[TokenTree]) {
        match random.below(80) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[at].clone()),
            2 => {
                let with = random.below(tokens.len());
                tokens.swap(at, with);
            }
            3 => tokens.extend(random.of(&self.words).cloned()),
            4 => tokens.insert(at, random.of(&self.words).cloned().unwrap_or_else(|| tokens[at].clone())),
            5 => tokens[at] = self.piece(random).unwrap_or_else(|| tokens[at].clone()),
            6 => statement(tokens, at, random),
            7..16 if begins_a_value(tokens, at) => wrap(tokens, at, random),
            _ => tokens[at] = same_kind(&tokens[at], random, names),
        }
    }

    /// A token from somewhere in a kernel.
    fn piece(&self, random: &mut Random) -> Option<TokenTree> {
        let mut stream = random.of(&self.seeds)?.clone();
        loop {
            let tokens: Vec<TokenTree> = stream.into_iter().collect();
            match random.of(&tokens)?.clone() {
                TokenTree::Group(group) if !group.stream().is_empty() && random.below(3) != 0 => {
                    stream = group.stream();
                }
                token => return Some(token),
            }
        }
    }
}

impl Default for Mutator {
    fn default() -> Self {
        Self::new()
    }
}

/// Every kernel, and every module of kernels, of a folder's files, in order; a file with helpers as a whole.
fn read(folder: &Path, seeds: &mut Vec<TokenStream>) {
    let mut paths: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            read(&path, seeds);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_mistake(&path) {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            if text.contains("#[helper") && text.contains("#[kernel") {
                // What uses each other stays together.
                seeds.extend(text.parse::<TokenStream>());
                continue;
            }
            let items = syn::parse_file(&text).map_or_else(|_| Vec::new(), |file| file.items);
            let marked = |attributes: &[syn::Attribute]| {
                attributes.iter().any(|a| a.path().is_ident("kernel") || a.path().is_ident("kernels"))
            };
            seeds.extend(items.iter().filter_map(|item| match item {
                syn::Item::Fn(function) if marked(&function.attrs) => Some(quote::quote!(#function)),
                syn::Item::Mod(module) if marked(&module.attrs) => Some(quote::quote!(#module)),
                _ => None,
            }));
        }
    }
}

/// Whether a file of `cases/` is a mistake, not its twin.
fn is_mistake(path: &Path) -> bool {
    path.with_extension("stderr").exists()
}

/// Removes or doubles the statement at a place.
fn statement(tokens: &mut Vec<TokenTree>, at: usize, random: &mut Random) {
    let ends = |token: &TokenTree| matches!(token, TokenTree::Punct(p) if matches!(p.as_char(), ';' | ','));
    let from = tokens[..at].iter().rposition(ends).map_or(0, |end| end + 1);
    let to = tokens[at..].iter().position(ends).map_or(tokens.len(), |end| at + end + 1);
    let statement: Vec<TokenTree> = tokens[from..to].to_vec();
    match random.below(2) {
        0 => drop(tokens.drain(from..to)),
        _ => drop(tokens.splice(from..from, statement)),
    }
}

/// Whether a token may be an expression by itself.
fn begins_a_value(tokens: &[TokenTree], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| tokens[before].to_string()).unwrap_or_default();
    let value = match &tokens[at] {
        TokenTree::Ident(name) => {
            !["as", "let", "mut", "in", "if", "for", "match", "else"].contains(&&*name.to_string())
        }
        TokenTree::Literal(_) => true,
        TokenTree::Group(group) => group.delimiter() == Delimiter::Parenthesis && before.is_empty(),
        TokenTree::Punct(_) => false,
    };
    value && ![".", ":", "as", "let", "mut", "for", "fn"].contains(&before.as_str())
}

/// Wraps a value, sometimes many times over.
fn wrap(tokens: &mut Vec<TokenTree>, at: usize, random: &mut Random) {
    let to = at + 1;
    let mut part: TokenStream = tokens[at..to].iter().cloned().collect();
    let times = if random.below(16) == 0 { 1 + random.below(60) } else { 1 };
    let wrapper = WRAPPERS[random.below(WRAPPERS.len())];
    for _ in 0..times {
        let whole = wrapper.replace('$', &part.to_string());
        // Wrappers that hold their part twice grow too fast to be repeated often.
        if whole.len() > 20_000 {
            break;
        }
        part = whole.parse().unwrap_or(part);
    }
    tokens.splice(at..to, part);
}

/// A word of the same class; a name that belongs to no class becomes another name of its kernel.
fn same_kind(token: &TokenTree, random: &mut Random, names: &[TokenTree]) -> TokenTree {
    let text = token.to_string();
    // Another type is nearly always a mistake that inference finds.
    if CLASSES[0].split(' ').any(|word| word == text) && random.below(6) != 0 {
        return token.clone();
    }
    let class = CLASSES.iter().find(|class| class.split(' ').any(|word| word == text));
    match (class, token) {
        (Some(class), _) => {
            let words: Vec<&str> = class.split(' ').collect();
            let word = random.of(&words).and_then(|word| word.parse::<TokenStream>().ok());
            word.and_then(|word| word.into_iter().next()).unwrap_or_else(|| token.clone())
        }
        (None, TokenTree::Ident(_)) if names.iter().any(|name| name.to_string() == text) => {
            random.of(names).cloned().unwrap_or_else(|| token.clone())
        }
        (None, other) => other.clone(),
    }
}

/// The names of a kernel's parameters and body.
fn kernel_names(kernel: &TokenStream) -> Vec<TokenTree> {
    let after_attributes = |tokens: &[TokenTree]| tokens.iter().rposition(|t| t.to_string() == "fn").unwrap_or(0);
    let tokens: Vec<TokenTree> = kernel.clone().into_iter().collect();
    let from = after_attributes(&tokens);
    names_in(&tokens[from..].iter().filter(|token| matches!(token, TokenTree::Group(_))).cloned().collect())
}

/// The names that tokens use as values.
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
