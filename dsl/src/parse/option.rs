//! The form of a kernel's options: their names, and what stands in their brackets.

use super::Parser;
use crate::ir::BorderMode;
use crate::messages::{Located, Message, Tokens};
use crate::syntax::OutputName;
use proc_macro2::{Span, TokenStream};
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Ident, Token};

/// The options of a kernel, with an example of each.
pub(super) const OPTIONS: [(&str, &str); 16] = [
    ("step", "step(16, 1)"),
    ("schedule", "schedule(neon(32, 4), opencl(4, 8))"),
    ("neighbourhood", "neighbourhood(x = -1..=1, y = -1..=1)"),
    ("output", "output(dx, dy?)"),
    ("border", "border(constant, replicate)"),
    ("require", "require(lower <= upper)"),
    ("types", "types(T = u8, i16)"),
    ("fast", "fast"),
    ("deny", "deny(scalar)"),
    ("uses", "uses(path::to::helper)"),
    ("neon", "neon = path::to::BODY"),
    ("dotprod", "dotprod = path::to::BODY"),
    ("avx512", "avx512 = path::to::BODY"),
    ("avx2", "avx2 = path::to::BODY"),
    ("sse41", "sse41 = path::to::BODY"),
    ("window", "window(h, w)"),
];

/// What other libraries call the border modes.
pub(super) const BORDER_SYNONYMS: [(&str, &str); 9] = [
    ("clamp", "replicate"),
    ("edge", "replicate"),
    ("nearest", "replicate"),
    ("mirror", "reflect101"),
    ("symmetric", "reflect"),
    ("repeat", "wrap"),
    ("circular", "wrap"),
    ("periodic", "wrap"),
    ("zero", "constant"),
];

/// The border modes by name.
pub(super) const BORDERS: [(&str, BorderMode); 6] = [
    ("undefined", BorderMode::Undefined),
    ("constant", BorderMode::Constant),
    ("replicate", BorderMode::Replicate),
    ("reflect", BorderMode::Reflect),
    ("reflect101", BorderMode::Reflect101),
    ("wrap", BorderMode::Wrap),
];

/// The targets for which an author may give a body.
pub(super) const HAND_WRITTEN: [&str; 5] = ["neon", "dotprod", "avx512", "avx2", "sse41"];

/// One option: its name, and what stands in its brackets, or behind `=`.
pub(super) struct Choice {
    pub(super) name: Ident,
    pub(super) contents: Option<TokenStream>,
    pub(super) value: Option<syn::Expr>,
}

impl Parse for Choice {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let name = Ident::parse_any_case(input)?;
        let contents = match input.peek(syn::token::Paren) {
            true => {
                let inside;
                syn::parenthesized!(inside in input);
                Some(inside.parse()?)
            }
            false => None,
        };
        let value =
            input.peek(Token![=]).then(|| input.parse::<Token![=]>().and_then(|_| input.parse())).transpose()?;
        Ok(Self { name, contents, value })
    }
}

/// Identifiers, keywords among them.
trait AnyCase: Sized {
    fn parse_any_case(input: ParseStream) -> syn::Result<Self>;
}

impl AnyCase for Ident {
    fn parse_any_case(input: ParseStream) -> syn::Result<Self> {
        input.call(syn::ext::IdentExt::parse_any)
    }
}

impl Choice {
    /// The contents read as a list, or the rule's message at what does not fit.
    pub(super) fn list<T: Parse>(&self, parser: &mut Parser, rule: Message) -> Option<Vec<T>> {
        let read = Punctuated::<T, Token![,]>::parse_terminated.parse2(self.contents.clone().unwrap_or_default());
        match read {
            Ok(list) if !list.is_empty() => Some(list.into_iter().collect()),
            Ok(_) | Err(_) => {
                parser.report(rule.at(self.place(), &[]));
                None
            }
        }
    }

    /// Whether a value stands behind `=` where only a body may.
    pub(super) fn has_odd_value(&self) -> bool {
        self.value.is_some() && !HAND_WRITTEN.iter().any(|target| self.name == target)
    }

    pub(super) fn place(&self) -> (Span, Span) {
        match &self.contents {
            Some(contents) if !contents.is_empty() => Tokens(contents).place(),
            Some(_) | None => (self.name.span(), self.name.span()),
        }
    }
}

pub(super) fn example(option: &str) -> &'static str {
    OPTIONS.iter().find(|(name, _)| *name == option).map_or("", |(_, example)| example)
}

/// `x = -1..=1`.
pub(super) struct AxisRange {
    pub(super) name: Ident,
    pub(super) range: syn::Expr,
}

impl Parse for AxisRange {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let name = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok(Self { name, range: input.parse()? })
    }
}

impl Parse for OutputName {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let name = input.parse()?;
        let optional = input.parse::<Option<Token![?]>>()?.is_some();
        let ty = if input.parse::<Option<Token![:]>>()?.is_some() { Some(input.parse()?) } else { None };
        Ok(Self { name, optional, ty })
    }
}

/// `T = u8, i16`.
pub(super) struct TypeNames {
    pub(super) name: Ident,
    pub(super) names: Vec<Ident>,
}

impl TypeNames {
    pub(super) fn parse(input: ParseStream) -> syn::Result<Self> {
        let name = input.parse()?;
        input.parse::<Token![=]>()?;
        let names = Punctuated::<Ident, Token![,]>::parse_separated_nonempty(input)?;
        Ok(Self { name, names: names.into_iter().collect() })
    }
}

/// A range of offsets around 0, both ends included.
pub(super) fn offsets(range: &syn::Expr) -> Option<(i32, i32)> {
    let syn::Expr::Range(syn::ExprRange {
        start: Some(lo), end: Some(hi), limits: syn::RangeLimits::Closed(_), ..
    }) = range
    else {
        return None;
    };
    let (lo, hi) = (signed(lo)?, signed(hi)?);
    ((-255..=0).contains(&lo) && (0..=255).contains(&hi)).then_some((lo as i32, hi as i32))
}

/// An integer literal, perhaps behind a minus sign.
pub(crate) fn signed(value: &syn::Expr) -> Option<i128> {
    match value {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(int), .. }) => int.base10_parse().ok(),
        syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => Some(-signed(expr)?),
        syn::Expr::Paren(paren) => signed(&paren.expr),
        syn::Expr::Group(group) => signed(&group.expr),
        _ => None,
    }
}
