//! The first look at the tokens: is the text small and flat enough for parsers that recurse?
//!
//! syn's parser descends at every bracket, prefix operator, closure, `=`, `..`, `<` and their like, on about 16 KiB of
//! stack each in an unoptimised build; every phase behind it recurses with the depth of the expression. So the levels
//! that may be open at a token are counted here, on a stack of our own, and so is the length of a statement.

use crate::diagnostic::Diagnostic;
use crate::messages;
use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};

/// How many tokens one attribute may stand on.
pub const MAX_TOKENS: usize = 60_000;

/// How many levels may be open.
pub const MAX_LEVELS: usize = 40;

/// How many tokens may follow one another, with all that encloses them, without `;`, `,` or the end of a block.
pub const MAX_CHAIN: usize = 1_500;

/// Finds text on which a recursive parser could run out of stack.
pub fn check(tokens: &TokenStream) -> Result<(), Diagnostic> {
    let mut count = 0;
    let mut levels = vec![Level::new(tokens.clone(), 0, 0)];
    while let Some(level) = levels.last_mut() {
        let Some(token) = level.tokens.next() else {
            levels.pop();
            continue;
        };
        count += 1;
        let span = token.span();
        if count > MAX_TOKENS {
            let (found, limit) = (format!("more than {MAX_TOKENS}"), MAX_TOKENS.to_string());
            return Err(messages::TOO_MANY_TOKENS.at(span, &[&found, &limit]));
        }
        level.follow(&token);
        let (chain, open) = (level.chain, level.open);
        if let TokenTree::Group(group) = &token {
            levels.push(Level::new(group.stream(), chain, open + 1));
        }
        if chain > MAX_CHAIN || open >= MAX_LEVELS {
            return Err(too_deep(span));
        }
    }
    Ok(())
}

/// The mistake of code that is nested too deeply.
pub fn too_deep(span: Span) -> Diagnostic {
    messages::TOO_DEEP.at(span, &[])
}

/// One bracket's contents.
struct Level {
    tokens: proc_macro2::token_stream::IntoIter,
    /// Tokens and open levels around it.
    outside: (usize, usize),
    /// Tokens since the last boundary, and what encloses them.
    chain: usize,
    /// Levels opened since then, and those around.
    open: usize,
    /// The token before.
    before: Before,
}

/// What matters about the token before.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    /// Something that an operator may follow: a name, a literal, a bracket.
    Value,
    /// A block: it ends a statement unless it goes on.
    Block,
    /// A punctuation mark to which the next one belongs.
    Joined(char),
    /// Anything else.
    Other,
}

impl Level {
    fn new(stream: TokenStream, chain: usize, open: usize) -> Self {
        Self { tokens: stream.into_iter(), outside: (chain, open), chain, open, before: Before::Other }
    }

    fn follow(&mut self, token: &TokenTree) {
        if self.begins_anew(token) {
            (self.chain, self.open) = self.outside;
        }
        self.chain += 1;
        let is_keyword = match token {
            // A word of the compiler's is text only where it is asked for.
            TokenTree::Ident(word) => KEYWORDS.contains(&word.to_string().as_str()),
            TokenTree::Group(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        };
        self.open += usize::from(is_keyword || self.opens(token));
        self.before = match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Before::Block,
            TokenTree::Ident(_) if is_keyword => Before::Other,
            TokenTree::Group(_) | TokenTree::Ident(_) | TokenTree::Literal(_) => Before::Value,
            TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint => Before::Joined(punct.as_char()),
            TokenTree::Punct(_) => Before::Other,
        };
    }

    /// Whether a statement or an item of a list ends before this token.
    fn begins_anew(&self, token: &TokenTree) -> bool {
        match token {
            TokenTree::Punct(punct) if self.before == Before::Block => matches!(punct.as_char(), ';' | ',' | '#'),
            TokenTree::Punct(punct) => matches!(punct.as_char(), ';' | ','),
            TokenTree::Ident(word) => self.before == Before::Block && word != "else" && word != "as",
            TokenTree::Group(_) | TokenTree::Literal(_) => false,
        }
    }

    /// Whether a parser may descend at this token, which is not a keyword.
    fn opens(&self, token: &TokenTree) -> bool {
        let after_value = matches!(self.before, Before::Value | Before::Block);
        match token {
            TokenTree::Punct(punct) => match (punct.as_char(), self.before) {
                ('!' | '@', _) => true,
                ('-' | '*' | '&' | '|', _) => !after_value,
                ('<', Before::Joined('<')) => false,
                ('<', _) => true,
                ('=', Before::Joined(_)) => false,
                ('=', _) => punct.spacing() == Spacing::Alone,
                ('.', Before::Joined('.')) | ('>', Before::Joined('-')) => true,
                (_, _) => false,
            },
            TokenTree::Group(_) | TokenTree::Ident(_) | TokenTree::Literal(_) => false,
        }
    }
}

/// The keywords behind which another expression, type or pattern begins.
const KEYWORDS: [&str; 18] = [
    "return", "break", "move", "unsafe", "async", "dyn", "impl", "mut", "ref", "const", "static", "for", "if", "else",
    "match", "while", "let", "yield",
];
