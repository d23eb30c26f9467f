//! The elementary functions as operations: each definition of [`windrow_reference::functions`], compiled like a kernel, is
//! put in place of its calls.

use crate::diagnostic::Diagnostic;
use crate::ir::{Body, FloatBounds, Op, Type, ValueId};
use crate::{infer, lower, parse, signature};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use windrow_reference::functions::Definition;

/// What a function computes, in evaluation order.
#[derive(Debug)]
pub struct Function {
    /// The operations. Operands are numbered as in a body; a load is a parameter.
    pub steps: Vec<Step>,
    /// The value of the function.
    pub result: ValueId,
    /// What it lies between, where it is a number.
    pub bounds: FloatBounds,
}

/// One operation of a function.
#[derive(Debug)]
pub struct Step {
    /// What it computes.
    pub op: Op,
    /// Its type.
    pub ty: Type,
    /// The definition's word for it.
    pub name: Option<Box<str>>,
}

thread_local! {
    /// The functions that were asked for. They keep no spans, so that another expansion may use them.
    static KNOWN: RefCell<BTreeMap<&'static str, Rc<Function>>> = const { RefCell::new(BTreeMap::new()) };
}

/// The function of this name.
///
/// # Errors
/// The mistakes in its definition: there are none in windrow's own.
pub fn function(name: &str) -> Result<Rc<Function>, Vec<Diagnostic>> {
    let unknown = || vec![Diagnostic::fault(Span::call_site(), &format!("there is no function {name}"))];
    let definition = Definition::of(name).ok_or_else(unknown)?;
    if let Some(known) = KNOWN.with_borrow(|known| known.get(definition.name).cloned()) {
        return Ok(known);
    }
    let function = Rc::new(compile(definition)?);
    KNOWN.with_borrow_mut(|known| known.insert(definition.name, Rc::clone(&function)));
    Ok(function)
}

fn compile(definition: Definition) -> Result<Function, Vec<Diagnostic>> {
    let unit = parse::module(TokenStream::new(), module(definition)?)?;
    let fault = |words: &str| vec![Diagnostic::fault(Span::call_site(), &format!("{}: {words}", definition.name))];
    let kernel = unit.kernels.first().ok_or_else(|| fault("it is not read as a kernel"))?;
    let types = infer::infer(&unit, kernel, None)?;
    let signature = signature::signature(&unit, kernel, &types, None)?;
    let body = lower::lower(&unit, kernel, &types, &signature, &[])?;
    if !body.obligations.is_empty() {
        return Err(fault("it demands a proof"));
    }
    of_body(definition, body).ok_or_else(|| fault("it has no result"))
}

/// The definition's items in a module, with a kernel that calls the function.
fn module(definition: Definition) -> Result<TokenStream, Vec<Diagnostic>> {
    let file: syn::File =
        syn::parse_str(definition.source).map_err(|error| vec![parse::syntax_error(&TokenStream::new(), &error)])?;
    let ident = |name: &str| Ident::new(name, Span::call_site());
    let (items, name) = (file.items, ident(definition.name));
    let parameters: Vec<Ident> = definition.parameters.iter().map(|name| ident(name)).collect();
    Ok(quote! {
        mod definition {
            #(#items)*
            #[kernel]
            fn function(#(#parameters: f32),*) -> f32 { #name(#(#parameters),*) }
        }
    })
}

fn of_body(definition: Definition, body: Body) -> Option<Function> {
    let result = body.stores.first()?.value;
    let steps =
        body.nodes.into_iter().map(|node| Step { op: node.op, ty: node.ty, name: node.name.map(|n| (*n).into()) });
    let (least, greatest) = definition.range;
    let bounds = FloatBounds { least: f64::from(least).to_bits(), greatest: f64::from(greatest).to_bits() };
    Some(Function { steps: steps.collect(), result, bounds })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtins::{Lowering, METHODS};
    use windrow_reference::functions::DEFINITIONS;

    #[test]
    fn every_definition_compiles_and_is_a_method() {
        for definition in DEFINITIONS {
            let function = function(definition.name);
            assert!(function.is_ok(), "{}: {:?}", definition.name, function.err());
            let method = METHODS.iter().find(|method| method.lowering == Lowering::Function(definition.name));
            let method = method.unwrap_or_else(|| panic!("{} is not a method", definition.name));
            assert_eq!((method.name, method.arguments.len() + 1), (definition.name, definition.parameters.len()));
        }
    }
}
