//! The witness: a kernel's function with the inferred types written in, for rustc to check.
//!
//! It stands in a `const _`, is never called, and so emits no code. Every binding, closure and bare literal says its type;
//! where inference and rustc disagree, the build fails at the author's token. Printed from the syntax, so that what was
//! understood is what is checked.

use crate::builtins::ResultType;
use crate::infer::Types;
use crate::infer::types::Ty;
use crate::ir::Type;
use crate::keep;
use crate::syntax::*;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

/// The witness of a kernel; `with_shared`: of the functions that kernels share, too.
pub fn kernel(
    unit: &Unit,
    item: &KernelItem,
    types: &Types,
    copy: Option<(&str, Type)>,
    with_shared: bool,
) -> TokenStream {
    let printer = Printer { unit, types };
    let alias = copy.map(|(name, ty)| {
        let (name, ty) = (Ident::new(name, Span::call_site()), keep::type_path(ty));
        quote! { #[allow(dead_code)] type #name = #ty; }
    });
    let shared = unit.shared.iter().filter(|_| with_shared).map(|id| match &unit.item(*id).kind {
        ItemKind::Function(_) => printer.item(*id),
        ItemKind::Const { .. } | ItemKind::Enum { .. } | ItemKind::Alias { .. } => TokenStream::new(),
    });
    let name = &item.name;
    let parameters = item.parameters.iter().map(|parameter| {
        let (pattern, ty) = (printer.pattern(&parameter.pattern), &parameter.ty.source);
        quote! { #pattern: #ty }
    });
    let (output, body) = (&item.output.source, printer.block(&item.body));
    quote! {
        #alias
        #(#shared)*
        #[allow(warnings, clippy::all)]
        fn #name(#(#parameters),*) -> #output #body
    }
}

struct Printer<'a> {
    unit: &'a Unit,
    types: &'a Types,
}

impl Printer<'_> {
    fn item(&self, id: ItemId) -> TokenStream {
        let item = self.unit.item(id);
        let name = &item.name;
        match &item.kind {
            ItemKind::Const { ty, value } => {
                let (ty, value) = (&ty.source, self.expr(value));
                quote! { #[allow(warnings, clippy::all)] const #name: #ty = #value; }
            }
            ItemKind::Function(function) => {
                let parameters = function.parameters.iter().map(|(pattern, ty)| {
                    let (pattern, ty) = (self.pattern(pattern), &ty.source);
                    quote! { #pattern: #ty }
                });
                let constant = &function.constant;
                let output = function.output.as_ref().map(|ty| {
                    let ty = &ty.source;
                    quote! { -> #ty }
                });
                let body = self.block(&function.body);
                quote! { #[allow(warnings, clippy::all)] #constant fn #name(#(#parameters),*) #output #body }
            }
            ItemKind::Alias { ty } => {
                let ty = &ty.source;
                quote! { #[allow(warnings, clippy::all)] type #name = #ty; }
            }
            ItemKind::Enum { .. } => TokenStream::new(),
        }
    }

    fn block(&self, block: &CodeBlock) -> TokenStream {
        let items = block.items.iter().map(|id| self.item(*id));
        let statements = block.statements.iter().map(|statement| self.statement(statement));
        let tail = block.tail.as_ref().map(|tail| self.expr(tail));
        quote_spanned! { block.end=> { #(#items)* #(#statements)* #tail } }
    }

    fn statement(&self, statement: &Statement) -> TokenStream {
        match statement {
            Statement::Let { pattern, ty, value } => {
                let printed = self.pattern(pattern);
                let ty = self.written_or(ty.as_deref(), None).or_else(|| self.binding_type(pattern));
                let ty = ty.map(|ty| quote! { : #ty });
                let value = value.as_ref().map(|value| {
                    let value = self.expr(value);
                    quote! { = #value }
                });
                quote! { let #printed #ty #value; }
            }
            Statement::Expr(value, semicolon) => {
                let value = self.expr(value);
                quote! { #value #semicolon }
            }
        }
    }

    /// The type of what a pattern binds, where Rust has a name for it.
    fn binding_type(&self, pattern: &Pattern) -> Option<TokenStream> {
        match &pattern.kind {
            PatternKind::Binding { local, .. } => self.named(&self.types.locals[local.0 as usize]),
            PatternKind::Tuple(parts) => {
                let parts: Option<Vec<TokenStream>> = parts.iter().map(|part| self.binding_type(part)).collect();
                parts.map(|parts| quote! { (#(#parts,)*) })
            }
            PatternKind::Array(parts) => {
                let n = parts.len();
                let element = parts.iter().find_map(|part| self.binding_type(part))?;
                Some(quote! { [#element; #n] })
            }
            PatternKind::Wild
            | PatternKind::Value(_)
            | PatternKind::Range { .. }
            | PatternKind::Or(_)
            | PatternKind::Some(_)
            | PatternKind::None => None,
        }
    }

    /// A type's name in Rust; closures, functions and iterators have none.
    fn named(&self, ty: &Ty) -> Option<TokenStream> {
        Some(match ty {
            Ty::Scalar(ty) => keep::type_path(*ty),
            Ty::Usize => quote! { usize },
            Ty::Array(element, n) => {
                let (element, n) = (self.named(element)?, *n as usize);
                quote! { [#element; #n] }
            }
            Ty::Option(inner) => {
                let inner = self.named(inner)?;
                quote! { ::core::option::Option<#inner> }
            }
            Ty::Tuple(parts) => {
                let parts: Option<Vec<TokenStream>> = parts.iter().map(|part| self.named(part)).collect();
                let parts = parts?;
                quote! { (#(#parts,)*) }
            }
            Ty::Enum(_)
            | Ty::Neighbourhood(_)
            | Ty::View(..)
            | Ty::Table(..)
            | Ty::Closure(_)
            | Ty::Function(_)
            | Ty::Iterator(_)
            | Ty::Var(_)
            | Ty::Error => return None,
        })
    }

    fn pattern(&self, pattern: &Pattern) -> TokenStream {
        match &pattern.kind {
            PatternKind::Wild => quote_spanned! { pattern.start=> _ },
            PatternKind::Binding { mutable, local } => {
                let name = self.unit.local(*local);
                quote! { #mutable #name }
            }
            PatternKind::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.pattern(part));
                quote! { (#(#parts,)*) }
            }
            PatternKind::Array(parts) => {
                let parts = parts.iter().map(|part| self.pattern(part));
                quote! { [#(#parts),*] }
            }
            PatternKind::Value(value) => self.expr(value),
            PatternKind::Range { start, end, limits } => {
                let (start, end) = (self.optional(start.as_deref()), self.optional(end.as_deref()));
                quote! { #start #limits #end }
            }
            PatternKind::Or(cases) => {
                let cases = cases.iter().map(|case| self.pattern(case));
                quote! { #(#cases)|* }
            }
            PatternKind::Some(inner) => {
                let inner = self.pattern(inner);
                quote! { ::core::option::Option::Some(#inner) }
            }
            PatternKind::None => quote! { ::core::option::Option::None },
        }
    }

    fn optional(&self, expr: Option<&Expr>) -> Option<TokenStream> {
        expr.map(|expr| self.expr(expr))
    }

    fn exprs(&self, exprs: &[Expr]) -> Vec<TokenStream> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn expr(&self, expr: &Expr) -> TokenStream {
        match &expr.kind {
            ExprKind::Literal(literal) => self.literal(expr, literal),
            ExprKind::Path(path) => path_tokens(path),
            ExprKind::Unary(op, value) => {
                let value = self.expr(value);
                quote! { #op #value }
            }
            ExprKind::Binary(left, op, right) | ExprKind::AssignOp(left, op, right) => {
                let (left, right) = (self.expr(left), self.expr(right));
                quote! { #left #op #right }
            }
            ExprKind::Assign(place, value) => {
                let (place, value) = (self.expr(place), self.expr(value));
                quote! { #place = #value }
            }
            ExprKind::Underscore => quote_spanned! { expr.start=> _ },
            ExprKind::Cast(value, _, ty) => {
                let (value, ty) = (self.expr(value), &ty.source);
                quote! { #value as #ty }
            }
            ExprKind::If { condition, then, otherwise } => {
                let (condition, then) = (self.expr(condition), self.block(then));
                let otherwise = otherwise.as_ref().map(|otherwise| {
                    let otherwise = self.expr(otherwise);
                    quote! { else #otherwise }
                });
                quote! { if #condition #then #otherwise }
            }
            ExprKind::Match(value, arms) => self.arms(value, arms),
            ExprKind::Block(block) => self.block(block),
            ExprKind::For { pattern, items, body } => {
                let (pattern, items, body) = (self.pattern(pattern), self.expr(items), self.block(body));
                quote! { for #pattern in #items #body }
            }
            ExprKind::Call(callee, arguments) => {
                let (callee, arguments) = (self.expr(callee), self.exprs(arguments));
                quote_spanned! { expr.start=> #callee(#(#arguments),*) }
            }
            ExprKind::Method { receiver, name, turbofish, arguments } => {
                self.method(expr, receiver, name, turbofish, arguments)
            }
            ExprKind::Index(base, index) => {
                let (base, index) = (self.expr(base), self.expr(index));
                quote_spanned! { expr.start=> #base[#index] }
            }
            ExprKind::Field(base, member) => {
                let base = self.expr(base);
                quote! { #base.#member }
            }
            ExprKind::Array(parts) => {
                let parts = self.exprs(parts);
                quote_spanned! { expr.start=> [#(#parts),*] }
            }
            ExprKind::Repeat(value, length) => {
                let value = self.expr(value);
                quote_spanned! { expr.start=> [#value; #length] }
            }
            ExprKind::Tuple(parts) => {
                let parts = self.exprs(parts);
                quote_spanned! { expr.start=> (#(#parts,)*) }
            }
            ExprKind::Paren(inner) => {
                let inner = self.expr(inner);
                quote_spanned! { expr.start=> (#inner) }
            }
            ExprKind::Range { start, end, limits } => {
                let (start, end) = (self.optional(start.as_deref()), self.optional(end.as_deref()));
                quote! { #start #limits #end }
            }
            ExprKind::Closure(closure) => self.closure(expr, closure),
        }
    }

    fn literal(&self, expr: &Expr, literal: &Literal) -> TokenStream {
        let suffix = match (self.types.of(expr), literal.suffix) {
            (Ty::Scalar(Type::BOOL), _) | (_, Some(_)) => return literal.token.to_token_stream(),
            (Ty::Usize, None) => "usize",
            (Ty::Scalar(ty), None) => (*ty).name(),
            (_, None) => return literal.token.to_token_stream(),
        };
        match &literal.token {
            syn::Lit::Int(int) => syn::LitInt::new(&format!("{int}{suffix}"), int.span()).into_token_stream(),
            syn::Lit::Float(float) => {
                let text = float.to_string();
                let text = text.strip_suffix('.').unwrap_or(&text);
                syn::LitFloat::new(&format!("{text}{suffix}"), float.span()).into_token_stream()
            }
            other => other.to_token_stream(),
        }
    }

    fn arms(&self, value: &Expr, arms: &[Arm]) -> TokenStream {
        let value = self.expr(value);
        let arms = arms.iter().map(|arm| {
            let (pattern, body) = (self.pattern(&arm.pattern), self.expr(&arm.body));
            let guard = arm.guard.as_ref().map(|guard| {
                let guard = self.expr(guard);
                quote! { if #guard }
            });
            quote! { #pattern #guard => #body, }
        });
        quote! { match #value { #(#arms)* } }
    }

    fn method(
        &self,
        expr: &Expr,
        receiver: &Expr,
        name: &Ident,
        turbofish: &[Generic],
        arguments: &[Expr],
    ) -> TokenStream {
        let printed = keep::renamed(name).unwrap_or_else(|| name.clone());
        let asks = self.types.methods.get(expr.id).is_some_and(|method| method.result == ResultType::Target);
        let fish = match turbofish {
            [] if asks => self.named(self.types.of(expr)).map(|ty| quote! { ::<#ty> }),
            [] => None,
            several => {
                let several = several.iter().map(|generic| match generic {
                    Generic::Type(ty) => ty.source.to_token_stream(),
                    Generic::Constant(value) => value.to_token_stream(),
                });
                Some(quote! { ::<#(#several),*> })
            }
        };
        let (receiver, arguments) = (self.expr(receiver), self.exprs(arguments));
        quote_spanned! { name.span()=> #receiver.#printed #fish (#(#arguments),*) }
    }

    fn closure(&self, expr: &Expr, closure: &Closure) -> TokenStream {
        let signature = self.types.closures.get(&expr.id);
        let parameters = closure.parameters.iter().enumerate().map(|(position, (pattern, written))| {
            let inferred = signature.and_then(|signature| signature.parameters.get(position));
            let (pattern, ty) = (self.pattern(pattern), self.written_or(written.as_ref(), inferred));
            let ty = ty.map(|ty| quote! { : #ty });
            quote! { #pattern #ty }
        });
        let body = self.expr(&closure.body);
        // With its type, the body stands where a block in front would be a statement of its own.
        let body = if starts_with_block(&closure.body) {
            quote! { (#body) }
        } else {
            body
        };
        let inferred = signature.map(|signature| &signature.result);
        match self.written_or(closure.output.as_ref(), inferred) {
            Some(result) => quote! { |#(#parameters),*| -> #result { #body } },
            None => quote! { |#(#parameters),*| #body },
        }
    }

    /// The author's own type, or else the inferred one's name.
    fn written_or(&self, written: Option<&TypeExpr>, inferred: Option<&Ty>) -> Option<TokenStream> {
        match written {
            Some(ty) if !matches!(ty.kind, TypeKind::Infer) => Some(ty.source.to_token_stream()),
            Some(_) | None => self.named(inferred?),
        }
    }
}

/// Whether the first token of an expression opens one of its operands that ends with a block.
fn starts_with_block(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Binary(first, ..)
        | ExprKind::AssignOp(first, ..)
        | ExprKind::Assign(first, _)
        | ExprKind::Cast(first, ..)
        | ExprKind::Call(first, _)
        | ExprKind::Method { receiver: first, .. }
        | ExprKind::Index(first, _)
        | ExprKind::Field(first, ..) => ends_with_block(first) || starts_with_block(first),
        ExprKind::Range { start, .. } => {
            start.as_deref().is_some_and(|first| ends_with_block(first) || starts_with_block(first))
        }
        ExprKind::Literal(_)
        | ExprKind::Path(_)
        | ExprKind::Unary(..)
        | ExprKind::Underscore
        | ExprKind::If { .. }
        | ExprKind::Match(..)
        | ExprKind::Block(_)
        | ExprKind::For { .. }
        | ExprKind::Array(_)
        | ExprKind::Repeat(..)
        | ExprKind::Tuple(_)
        | ExprKind::Paren(_)
        | ExprKind::Closure(_) => false,
    }
}

fn ends_with_block(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::If { .. } | ExprKind::Match(..) | ExprKind::Block(_) | ExprKind::For { .. })
}

/// A path, its method renamed as in the kept text.
fn path_tokens(path: &[Ident]) -> TokenStream {
    let last = path.len().saturating_sub(1);
    let segments = path.iter().enumerate().map(|(position, segment)| match keep::renamed(segment) {
        Some(renamed) if position == last && last > 0 => renamed,
        Some(_) | None => segment.clone(),
    });
    quote! { #(#segments)::* }
}
