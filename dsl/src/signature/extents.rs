//! Extents: `#[shape(..)]` names those of an input, and `window(..)` says those of the output.

use super::Reader;
use crate::infer::types::Ty;
use crate::ir::*;
use crate::messages::{self, Tokens, nearest};
use crate::syntax::*;
use windrow_reference::limits::MAX_DIMENSIONS;

impl Reader<'_> {
    /// `#[shape(n, h, w, c)]`: a name or `_` for each dimension of what is read anywhere.
    pub(super) fn shape(&mut self, parameter: &KernelParameter, ty: &Ty) {
        let Some(shape) = &parameter.shape else { return };
        let Ty::View(..) = ty else {
            if !matches!(ty, Ty::Error) {
                self.errors.report(messages::SHAPE_ROLE.at(shape.span, &[]));
            }
            return;
        };
        let Some(input) = self.kernel.inputs.len().checked_sub(1).map(|last| InputId(last as u32)) else { return };
        let dimensions = self.kernel.inputs[input.0 as usize].dimensions();
        if shape.names.len() != dimensions as usize {
            let words = (shape.names.len().to_string(), self.show(ty), dimensions.to_string());
            // The names are known all the same.
            self.errors.report(messages::SHAPE_RANK.at(shape.span, &[&words.0, &words.1, &words.2]));
        }
        for (dimension, name) in (0..).zip(&shape.names) {
            let Some(name) = name else { continue };
            let text = name.to_string();
            // The coordinates of a place are names within the function, where an extent has none.
            let is_named = |other: &KernelParameter| !matches!(other.ty.kind, TypeKind::At(_));
            if self.item.parameters.iter().any(|other| is_named(other) && self.name(&other.pattern) == text) {
                let refused = messages::PARAMETER_TWICE.at(name, &[&text]);
                self.errors.report(refused.helped("give the extent another name than the image or the uniform has"));
            }
            self.kernel.extents.push(NamedExtent { name: text, input, dimension });
        }
    }

    /// `window(n, (h - kh) / stride + 1, k)`: the extents of the output, outermost first.
    pub(super) fn window(&mut self) {
        let Some(window) = &self.item.attribute.window else { return };
        let extents: Option<Vec<Extent>> = window.extents.iter().map(|extent| self.extent(extent)).collect();
        let found = window.extents.len();
        let place = self.kernel.parameters.iter().find_map(|parameter| match parameter {
            Parameter::Place(rank) => Some(*rank as usize),
            _ => None,
        });
        if found > MAX_DIMENSIONS || place.is_some_and(|rank| rank != found) {
            let plural = |count: usize| format!("{count} extent{}", if count == 1 { "" } else { "s" });
            let expected = place.unwrap_or(MAX_DIMENSIONS).to_string();
            self.errors.report(messages::WINDOW_RANK.at(window.span, &[&plural(found), &expected]));
        }
        self.kernel.window = extents;
    }

    fn extent(&mut self, written: &syn::Expr) -> Option<Extent> {
        match written {
            syn::Expr::Paren(inner) => self.extent(&inner.expr),
            syn::Expr::Group(inner) => self.extent(&inner.expr),
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(number), .. }) => match number.base10_parse::<i64>() {
                Ok(value) if number.suffix().is_empty() => Some(Extent::Number(value)),
                _ => self.no_extent(written),
            },
            syn::Expr::Path(path) => match path.path.get_ident() {
                Some(name) => self.named(name),
                None => self.no_extent(written),
            },
            syn::Expr::Index(index) => self.element_of_uniform(index).or_else(|| self.no_extent(written)),
            syn::Expr::Binary(binary) => {
                let op = match binary.op {
                    syn::BinOp::Add(_) => ExtentOp::Sum,
                    syn::BinOp::Sub(_) => ExtentOp::Difference,
                    syn::BinOp::Mul(_) => ExtentOp::Product,
                    syn::BinOp::Div(_) => ExtentOp::Quotient,
                    _ => return self.no_extent(written),
                };
                let sides = (self.extent(&binary.left), self.extent(&binary.right));
                Some(Extent::Binary(op, Box::new([sides.0?, sides.1?])))
            }
            _ => self.no_extent(written),
        }
    }

    fn no_extent(&mut self, written: &syn::Expr) -> Option<Extent> {
        self.errors.report(messages::BAD_WINDOW.at(Tokens(written), &[]));
        None
    }

    /// A name of an extent, or of a uniform.
    fn named(&mut self, name: &syn::Ident) -> Option<Extent> {
        let text = name.to_string();
        if let Some(extent) = self.kernel.extents.iter().find(|extent| extent.name == text) {
            return Some(Extent::Named(extent.input, extent.dimension));
        }
        let uniforms = (0..).zip(&self.kernel.uniforms);
        let is_integer = |uniform: &Uniform| uniform.dims.is_empty() && uniform.ty.is_integer();
        if let Some((id, _)) = uniforms.clone().find(|(_, uniform)| uniform.name == text && is_integer(uniform)) {
            return Some(Extent::Uniform(UniformId(id), 0));
        }
        let of_uniforms = uniforms.filter(|(_, uniform)| is_integer(uniform)).map(|(_, uniform)| uniform.name.as_str());
        let known = self.kernel.extents.iter().map(|extent| extent.name.as_str()).chain(of_uniforms);
        let refused = match nearest(&text, known) {
            Some(known) => messages::UNKNOWN_EXTENT.at(name, &[&text]).helped(format!("did you mean `{known}`?")),
            None => messages::UNKNOWN_EXTENT.at(name, &[&text]),
        };
        self.errors.report(refused);
        None
    }

    /// `stride[0]`, of a uniform of integers in one row.
    fn element_of_uniform(&self, index: &syn::ExprIndex) -> Option<Extent> {
        let syn::Expr::Path(path) = &*index.expr else { return None };
        let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(number), .. }) = &*index.index else { return None };
        let (name, element) = (path.path.get_ident()?.to_string(), number.base10_parse::<u32>().ok()?);
        let mut uniforms = (0..).zip(&self.kernel.uniforms);
        let (id, uniform) = uniforms.find(|(_, uniform)| uniform.name == name)?;
        let is_inside = matches!(uniform.dims[..], [length] if element < length) && uniform.ty.is_integer();
        is_inside.then_some(Extent::Uniform(UniformId(id), element))
    }
}
