//! What a block function of rows knows of its group: the loops that are shared, the arrays in local memory, and what the text calls things.

use crate::opencl::c::names::Names;
use crate::opencl::c::types::CType;
use crate::opencl::row_groups::{Shared, shared};
use std::rc::Rc;
use windrow_dsl::ir::{Body, Range};
use windrow_dsl::optimise::Nested;

/// What a block function of rows knows of its group.
#[derive(Debug)]
pub struct RowGroup {
    /// The loops that a row's work-items share.
    pub shared: Shared,
    /// The arrays in local memory through which they are combined, one a type.
    pub arrays: Vec<LaneArray>,
    /// What its text calls the work-item's place in its row and in its group, and the column of an element.
    pub lane: Rc<str>,
    pub item: Rc<str>,
    pub column: Rc<str>,
}

/// An element for each work-item of a group, in local memory.
#[derive(Clone, Debug)]
pub struct LaneArray {
    /// An element's type.
    pub ty: CType,
    /// Its name, in the entry point too.
    pub name: Rc<str>,
}

impl RowGroup {
    /// That of a function's values, which have these ranges.
    pub fn of(nested: &Nested, ranges: &[Range], names: &mut Names) -> Self {
        let body = Body::plain(Vec::new(), nested.nodes.clone(), nested.stores.clone());
        let shared = shared(&body, ranges);
        let mut arrays: Vec<LaneArray> = Vec::new();
        for variable in shared.values().flatten() {
            let ty = CType::scalar(body.node(variable.carried).ty);
            if !arrays.iter().any(|array| array.ty == ty) {
                arrays.push(LaneArray { ty, name: names.claim(&format!("lanes_{}", ty.suffix())) });
            }
        }
        let [lane, item, column] = ["lane", "item", "column"].map(|name| names.claim(name));
        Self { shared, arrays, lane, item, column }
    }
}
