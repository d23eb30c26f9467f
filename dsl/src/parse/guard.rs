//! The first look at the tokens: is the text small and flat enough for parsers that recurse?
//!
//! syn's parser, and every phase behind it, recurse with the depth of the expression. Each token may open a level, so
//! the measure of a stream is its longest statement, and what is nested in it; the walk itself keeps its own stack.

use crate::diagnostic::Diagnostic;
use crate::messages;
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

/// How many tokens one attribute may stand on.
pub const MAX_TOKENS: usize = 60_000;

/// How deep brackets may nest.
pub const MAX_BRACKETS: usize = 48;

/// How many tokens may follow one another, with all that encloses them, without `;`, `,` or the end of a block.
pub const MAX_CHAIN: usize = 1_500;

/// How many prefix operators may follow one another.
pub const MAX_PREFIX: usize = 24;

/// Finds text on which a recursive parser could run out of stack.
pub fn check(tokens: &TokenStream) -> Result<(), Diagnostic> {
    let mut count = 0;
    let mut levels = vec![Level::new(tokens.clone(), 0)];
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
        let (chain, prefix) = (level.chain, level.prefix);
        if let TokenTree::Group(group) = &token {
            levels.push(Level::new(group.stream(), chain));
        }
        if chain > MAX_CHAIN || prefix > MAX_PREFIX || levels.len() > MAX_BRACKETS {
            return Err(too_deep(span));
        }
    }
    Ok(())
}

/// The mistake of code that is nested too deeply.
pub fn too_deep(span: Span) -> Diagnostic {
    messages::TOO_DEEP.at(span, &[&MAX_BRACKETS.to_string()])
}

/// One bracket's contents.
struct Level {
    tokens: proc_macro2::token_stream::IntoIter,
    /// What encloses it.
    outside: usize,
    /// Tokens since the last boundary, and what encloses them.
    chain: usize,
    /// Prefix operators since the last token that is none.
    prefix: usize,
    /// Whether the last token was a block, which ends a statement unless `else` follows.
    after_block: bool,
}

impl Level {
    fn new(stream: TokenStream, outside: usize) -> Self {
        Self { tokens: stream.into_iter(), outside, chain: outside, prefix: 0, after_block: false }
    }

    fn follow(&mut self, token: &TokenTree) {
        let continues = match token {
            TokenTree::Ident(ident) => ident == "else" || ident == "as",
            TokenTree::Punct(punct) => !matches!(punct.as_char(), ';' | ','),
            TokenTree::Group(_) | TokenTree::Literal(_) => true,
        };
        let ends = match token {
            TokenTree::Punct(punct) => matches!(punct.as_char(), ';' | ','),
            TokenTree::Ident(_) | TokenTree::Group(_) | TokenTree::Literal(_) => false,
        };
        if ends || (self.after_block && !continues) {
            self.chain = self.outside;
        }
        self.chain += 1;
        self.after_block = matches!(token, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace);
        self.prefix = if opens_a_level(token) { self.prefix + 1 } else { 0 };
    }
}

/// Whether the parser may descend at this token without a bracket.
fn opens_a_level(token: &TokenTree) -> bool {
    match token {
        TokenTree::Punct(punct) => matches!(punct.as_char(), '!' | '-' | '*' | '&' | '|' | '<' | '.'),
        TokenTree::Ident(ident) => {
            ["return", "break", "move", "unsafe", "async", "dyn", "impl", "mut", "ref", "const", "static", "for"]
                .iter()
                .any(|word| ident == word)
        }
        TokenTree::Group(_) | TokenTree::Literal(_) => false,
    }
}
