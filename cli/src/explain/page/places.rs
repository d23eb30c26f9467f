//! The places of a source where a value stands: expressions, parameters, bindings and their uses.
//!
//! The compiler keeps one token for each value: the operator, `as`, a method's or a parameter's name. Here is the whole
//! expression around that token, and where a binding of it is named again.

use proc_macro2::Span;
use std::collections::{BTreeMap, HashMap};
use syn::visit::{self, Visit};
use syn::{Expr, ExprClosure, ExprForLoop, FnArg, Ident, ItemFn, Local, Pat, spanned::Spanned};

/// A line, from 1, and a column, from 0, in characters.
pub type Position = (usize, usize);

/// From a position up to another.
pub type Region = (Position, Position);

/// All of a source.
const ANYWHERE: Region = ((0, 0), (usize::MAX, 0));

/// A place where a value stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where it is.
    pub region: Region,
    /// The tokens that the compiler may keep of its values; none, where only a name leads to them.
    pub tokens: Vec<Position>,
    /// What its values are called, where it is a binding or a use of one.
    pub name: Option<String>,
    /// Where values of its name are computed.
    pub function: Region,
}

impl Place {
    /// The line that it belongs to: an expression's is that of its token.
    pub fn line(&self) -> usize {
        self.tokens.first().filter(|_| self.name.is_none()).unwrap_or(&self.region.0).0
    }
}

/// The places of a source in the order of the text, an expression before its parts.
#[derive(Debug, Default)]
pub struct Places {
    list: Vec<Place>,
    of_token: HashMap<Position, usize>,
    functions: BTreeMap<Position, Region>,
}

impl Places {
    /// Those of a source; none, where it is not Rust.
    pub fn of(source: &str) -> Self {
        let Ok(file) = syn::parse_file(source) else { return Self::default() };
        let mut finder = Finder { places: Vec::new(), functions: BTreeMap::new(), scopes: Vec::new(), function: None };
        finder.visit_file(&file);
        let Finder { places: mut list, functions, .. } = finder;
        list.sort_by_key(|place| (place.region.0, std::cmp::Reverse(place.region.1)));
        list.dedup_by_key(|place| place.region);
        let of_token = list.iter().enumerate().rev().filter(|(_, place)| place.name.is_none() || is_own(place));
        let of_token = of_token.flat_map(|(index, place)| place.tokens.iter().map(move |token| (*token, index)));
        let of_token = of_token.collect();
        Self { list, of_token, functions }
    }

    /// All of them.
    pub fn list(&self) -> &[Place] {
        &self.list
    }

    /// The expression or the parameter whose token this is.
    pub fn of_token(&self, token: Position) -> Option<usize> {
        self.of_token.get(&token).copied()
    }

    /// The function whose name stands there.
    pub fn function(&self, name: Position) -> Option<Region> {
        self.functions.get(&name).copied()
    }

    /// For each place the innermost one that it is a part of.
    pub fn parents(&self) -> Vec<Option<usize>> {
        let mut open: Vec<usize> = Vec::new();
        let parent = |(index, place): (usize, &Place)| {
            while open.pop_if(|outer| self.list[*outer].region.1 <= place.region.0).is_some() {}
            let parent = open.last().copied();
            open.push(index);
            parent
        };
        self.list.iter().enumerate().map(parent).collect()
    }
}

/// Whether a named place has its token in itself: a parameter.
fn is_own(place: &Place) -> bool {
    place.tokens.first() == Some(&place.region.0)
}

/// Where a span begins.
pub fn position(span: Span) -> Position {
    let start = span.start();
    (start.line, start.column)
}

fn region(node: &impl Spanned) -> Region {
    let span = node.span();
    let (start, end) = (span.start(), span.end());
    ((start.line, start.column), (end.line, end.column))
}

/// The token that the compiler keeps of an expression's values.
fn token(expr: &Expr) -> Position {
    match expr {
        Expr::Binary(e) => position(e.op.span()),
        Expr::Unary(e) => position(e.op.span()),
        Expr::MethodCall(e) => position(e.method.span()),
        Expr::Cast(e) => position(e.as_token.span),
        Expr::Paren(e) => token(&e.expr),
        other => region(other).0,
    }
}

/// What a name stands for.
#[derive(Clone, Copy)]
enum Binding {
    /// Values of this token, or else those that have the name.
    Token(Position),
    /// Values that have the name.
    Named,
    /// No value of an element: a counter, a closure's parameter.
    Other,
}

struct Finder {
    places: Vec<Place>,
    functions: BTreeMap<Position, Region>,
    scopes: Vec<HashMap<String, Binding>>,
    function: Option<Region>,
}

impl Finder {
    fn add(&mut self, region: Region, tokens: Vec<Position>, name: Option<String>) {
        if let Some(function) = self.function {
            self.places.push(Place { region, tokens, name, function });
        }
    }

    fn bind(&mut self, name: &Ident, binding: Binding) {
        let words = plain(name);
        match binding {
            Binding::Token(token) => self.add(region(name), vec![token], Some(words.clone())),
            Binding::Named => self.add(region(name), Vec::new(), Some(words.clone())),
            Binding::Other => {}
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(words, binding);
        }
    }

    /// Binds the names of a pattern: one that is all of it stands for `value`.
    fn bind_pattern(&mut self, pattern: &Pat, value: Binding) {
        match (pattern, value) {
            (Pat::Type(typed), value) => self.bind_pattern(&typed.pat, value),
            (Pat::Ident(name), Binding::Token(_)) if name.mutability.is_some() => {
                self.bind(&name.ident, Binding::Named)
            }
            (Pat::Ident(name), value) => self.bind(&name.ident, value),
            (other, Binding::Other) => names(other).iter().for_each(|name| self.bind(name, Binding::Other)),
            (other, _) => names(other).iter().for_each(|name| self.bind(name, Binding::Named)),
        }
    }

    fn within(&mut self, visit: impl FnOnce(&mut Self)) {
        self.scopes.push(HashMap::new());
        visit(self);
        self.scopes.pop();
    }

    fn used(&mut self, name: &Ident) {
        let words = plain(name);
        let binding = self.scopes.iter().rev().find_map(|scope| scope.get(&words)).copied();
        match binding {
            Some(Binding::Token(token)) => self.add(region(name), vec![token], Some(words)),
            Some(Binding::Named) => self.add(region(name), Vec::new(), Some(words)),
            Some(Binding::Other) | None => {}
        }
    }
}

/// A name as values have it.
fn plain(name: &Ident) -> String {
    name.to_string().trim_start_matches("r#").to_owned()
}

/// The names that a pattern binds; paths of constants among them, which nothing is called.
fn names(pattern: &Pat) -> Vec<Ident> {
    struct Names(Vec<Ident>);
    impl<'ast> Visit<'ast> for Names {
        fn visit_pat_ident(&mut self, node: &'ast syn::PatIdent) {
            self.0.push(node.ident.clone());
        }
    }
    let mut found = Names(Vec::new());
    found.visit_pat(pattern);
    found.0
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        let outer = self.function.replace(region(item));
        self.functions.insert(position(item.sig.ident.span()), region(item));
        self.within(|finder| {
            for argument in &item.sig.inputs {
                if let FnArg::Typed(argument) = argument {
                    finder.bind_pattern(&argument.pat, Binding::Token(region(&argument.pat).0));
                }
            }
            finder.visit_block(&item.block);
        });
        self.function = outer;
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.within(|finder| visit::visit_block(finder, block));
    }

    fn visit_local(&mut self, local: &'ast Local) {
        let value = local.init.as_ref().map(|init| &*init.expr);
        value.into_iter().for_each(|value| self.visit_expr(value));
        // A closure is no value.
        let binding = match value {
            Some(Expr::Closure(_)) => Binding::Other,
            Some(value) => Binding::Token(token(value)),
            None => Binding::Named,
        };
        self.bind_pattern(&local.pat, binding);
    }

    fn visit_expr_closure(&mut self, closure: &'ast ExprClosure) {
        self.within(|finder| {
            closure.inputs.iter().for_each(|input| finder.bind_pattern(input, Binding::Other));
            finder.visit_expr(&closure.body);
        });
    }

    fn visit_expr_for_loop(&mut self, turns: &'ast ExprForLoop) {
        self.visit_expr(&turns.expr);
        self.within(|finder| {
            finder.bind_pattern(&turns.pat, Binding::Other);
            finder.visit_block(&turns.body);
        });
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.within(|finder| {
            finder.bind_pattern(&arm.pat, Binding::Other);
            visit::visit_arm(finder, arm);
        });
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Path(path) => {
                if let Some(name) = path.path.get_ident() {
                    self.used(name);
                }
            }
            Expr::Lit(_) | Expr::Paren(_) => {}
            // Values that a call gives are called by it: `column(-1)`.
            Expr::Call(call) => {
                let words: String = call.span().source_text().unwrap_or_default().split_whitespace().collect();
                let place = Place { region: region(expr), tokens: Vec::new(), name: Some(words), function: ANYWHERE };
                self.places.extend(self.function.map(|_| place));
            }
            // What is read of a neighbourhood has the token of the neighbourhood.
            Expr::MethodCall(call) if matches!(*call.receiver, Expr::Path(_)) => {
                self.add(region(expr), vec![token(expr), region(expr).0], None);
            }
            other => self.add(region(other), vec![token(other)], None),
        }
        visit::visit_expr(self, expr);
    }

    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "#[kernel]\nfn k(a: u8, b: u8) -> u8 {\n    let sum = a as u16\n        + b as u16;\n    let f = |x: u16| x * 2;\n    (f(sum) >> 2) as u8\n}\n";

    fn texts(places: &Places) -> Vec<String> {
        let lines: Vec<&str> = SOURCE.lines().collect();
        let text = |place: &Place| {
            let ((line, start), (last, end)) = place.region;
            if line == last {
                lines[line - 1][start..end].to_owned()
            } else {
                format!("{}…", &lines[line - 1][start..])
            }
        };
        places.list().iter().map(text).collect()
    }

    #[test]
    fn expressions_bindings_and_uses_are_places() {
        let places = Places::of(SOURCE);
        let expected = [
            "a",
            "b",
            "sum",
            "a as u16…",
            "a as u16",
            "a",
            "b as u16",
            "b",
            "|x: u16| x * 2",
            "x * 2",
            "(f(sum) >> 2) as u8",
            "f(sum) >> 2",
            "f(sum)",
            "sum",
        ];
        let found: Vec<String> = texts(&places).into_iter().filter(|text| !text.starts_with('{')).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_token_leads_to_its_expression_and_a_name_to_its_value() {
        let places = Places::of(SOURCE);
        let texts = texts(&places);
        let plus = places.of_token((4, 8)).unwrap();
        assert_eq!(texts[plus], "a as u16…");
        let used = places.list().iter().rfind(|place| place.name.as_deref() == Some("sum")).unwrap();
        assert_eq!(used.tokens, [(4, 8)]);
        assert_eq!(texts[places.of_token((2, 5)).unwrap()], "a");
        assert_eq!(places.function((2, 3)).unwrap(), ((1, 0), (7, 1)));
    }

    #[test]
    fn parts_know_what_they_are_parts_of() {
        let places = Places::of(SOURCE);
        let (texts, parents) = (texts(&places), places.parents());
        let at = |text: &str| texts.iter().position(|own| own == text).unwrap();
        assert_eq!(parents[at("f(sum) >> 2")], Some(at("(f(sum) >> 2) as u8")));
        assert_eq!(parents[at("b as u16")], Some(at("a as u16…")));
    }

    #[test]
    fn what_is_not_rust_has_no_places() {
        assert!(Places::of("fn k( {").list().is_empty());
    }
}
