//! What is said to an author: where, what is wrong, and what to do instead.

use proc_macro2::Span;

/// One mistake. Printed as the message, then `= note:` lines, then one `= help:` line.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// First token of the place to underline.
    pub start: Span,
    /// Last token of it.
    pub end: Span,
    /// What is wrong, in the author's words: one sentence, lower case, no full stop.
    pub message: String,
    /// Facts that explain it: the interval found, a counter-example.
    pub notes: Vec<String>,
    /// What to write instead. Never empty.
    pub help: String,
}

impl Diagnostic {
    /// A mistake at the tokens of `node`.
    pub fn new(node: &impl quote::ToTokens, message: impl Into<String>, help: impl Into<String>) -> Self {
        let mut tokens = node.to_token_stream().into_iter();
        let start = tokens.next().map_or_else(Span::call_site, |token| token.span());
        let end = tokens.last().map_or(start, |token| token.span());
        Self { start, end, message: message.into(), notes: Vec::new(), help: help.into() }
    }

    /// A mistake at one span.
    pub fn at(span: Span, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { start: span, end: span, message: message.into(), notes: Vec::new(), help: help.into() }
    }

    /// A fault of windrow's own, where the text says in which pass.
    pub fn fault(span: Span, text: &str) -> Self {
        let message = format!("windrow broke this kernel itself: {text}");
        Self::at(span, message, "report this kernel as a fault of windrow")
    }

    /// The same with a note.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// The same with a way out for the case at hand.
    #[must_use]
    pub fn helped(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// The text that rustc shows under `error:`.
    pub fn text(&self) -> String {
        let notes: String = self.notes.iter().map(|note| format!("\n  = note: {note}")).collect();
        format!("{}{notes}\n  = help: {}", self.message, self.help)
    }
}

/// Collects the mistakes of a phase, so that all of them are shown at once.
#[derive(Debug, Default)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// Adds one; a phase keeps a hundred, more than anyone reads at once.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        if self.0.len() < 100 {
            self.0.push(diagnostic);
        }
    }

    /// Whether the phase found nothing wrong.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Ends the phase: what was found, in source order, or nothing.
    ///
    /// # Errors
    /// The mistakes, where there are any.
    pub fn finish(self) -> Result<(), Vec<Diagnostic>> {
        if self.0.is_empty() { Ok(()) } else { Err(self.0) }
    }
}

/// The mistakes as one error that rustc shows one by one.
pub fn combine(diagnostics: &[Diagnostic]) -> Option<syn::Error> {
    diagnostics
        .iter()
        .map(|d| {
            let tokens: proc_macro2::TokenStream = [d.start, d.end].iter().map(|s| spanned(*s)).collect();
            syn::Error::new_spanned(tokens, d.text())
        })
        .reduce(|mut all, next| {
            all.combine(next);
            all
        })
}

fn spanned(span: Span) -> proc_macro2::TokenTree {
    proc_macro2::Ident::new("_here", span).into()
}
