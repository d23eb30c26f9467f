//! Which calls of a pipeline become one kernel.

use quote::ToTokens;
use syn::{Expr, Ident};

use super::{
    body::{Call, Step, mentions},
    callee::{Callee, CalleeParameter, Role},
    flat::is_simple,
};

/// A call of a kernel that can be part of another.
pub(super) struct Known<'p> {
    pub call: &'p Call,
    pub callee: &'p Callee,
}

impl<'p> Known<'p> {
    /// `None` where the call doesn't fit the kernel, which rustc reports, or is given what can't be evaluated elsewhere.
    pub fn of(call: &'p Call, callee: &'p Callee) -> Option<Known<'p>> {
        let arguments = callee.parameters.len() + usize::from(callee.has_border());
        let outputs = call.pattern.is_none() || call.values.len() == callee.outputs;
        let fits = call.arguments.len() == arguments && outputs;
        // What may have an effect is evaluated where it stands.
        (fits && callee.types.is_none() && call.arguments.iter().all(is_simple)).then_some(Known { call, callee })
    }

    /// Its parameters with what they are given.
    pub fn arguments(&self) -> impl Iterator<Item = (&'p CalleeParameter, &'p Expr)> + use<'p> {
        self.callee.parameters.iter().zip(&self.call.arguments)
    }

    /// What reads outside its images find.
    pub fn border(&self) -> Option<&'p Expr> {
        self.call.arguments.last().filter(|_| self.callee.has_border())
    }
}

/// For each statement the one in whose kernel it is computed: itself, or a later one.
///
/// A call goes where all its images are read, if each is read there at the element's own place alone: then an element of
/// them is computed once, where it is needed, and no other of its readers misses it.
pub(super) fn find(steps: &[Step], calls: &[Option<Known<'_>>]) -> Vec<usize> {
    let mut groups: Vec<usize> = (0..steps.len()).collect();
    for index in (0..steps.len()).rev() {
        let Some(known) = &calls[index] else { continue };
        if let Some(group) = readers(index, known, steps, calls, &groups) {
            groups[index] = group;
        }
    }
    groups
}

/// The group of all that reads the images of a call.
fn readers(
    index: usize,
    known: &Known<'_>,
    steps: &[Step],
    calls: &[Option<Known<'_>>],
    groups: &[usize],
) -> Option<usize> {
    let names: Vec<&Ident> = known.call.values.iter().flatten().collect();
    let mut group = None;
    for (later, step) in steps.iter().enumerate().skip(index + 1) {
        let tokens = match step {
            Step::Other { tokens, .. } => tokens,
            Step::Call(call) => &call.tokens,
        };
        if !names.iter().any(|name| mentions(tokens, name)) {
            continue;
        }
        let reads_elements = calls[later].as_ref().is_some_and(|reader| reads_elements(reader, &names));
        if !reads_elements || group.is_some_and(|group| group != groups[later]) {
            return None;
        }
        group = Some(groups[later]);
    }
    group.filter(|&group| !steps[index..group].iter().any(is_barrier))
}

/// Whether a call uses these images only to read the element at its own place.
fn reads_elements(reader: &Known<'_>, names: &[&Ident]) -> bool {
    let is_free = |expression: &Expr| !names.iter().any(|name| mentions(&expression.to_token_stream(), name));
    reader.arguments().all(|(parameter, argument)| {
        let is_image = names.iter().any(|name| image(argument).is_some_and(|image| image == *name));
        is_free(argument) || (parameter.role == Role::Element && is_image)
    }) && reader.border().is_none_or(is_free)
}

fn is_barrier(step: &Step) -> bool {
    matches!(step, Step::Other { is_barrier: true, .. })
}

/// The name in `&name` or `name`.
pub(super) fn image(argument: &Expr) -> Option<&Ident> {
    match argument {
        Expr::Reference(reference) if reference.mutability.is_none() => image(&reference.expr),
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    }
}
