//! What becomes of a pipeline's body: calls, kernels that fuse several, and the body that calls those.

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    body::{Call, Step},
    groups::Known,
    kernel::Kernel,
};

/// The fused form of a pipeline.
pub struct Fused {
    /// A module for each fused kernel, to be written with `#[kernels]`.
    pub modules: Vec<TokenStream>,
    /// The body of the function that calls them.
    pub body: TokenStream,
    /// The path of the kernel that all of it is, where there is one.
    pub whole: Option<TokenStream>,
}

/// A part of a pipeline's body, as it is run.
pub(super) enum Part<'p> {
    /// What is no call of a kernel.
    Other(&'p TokenStream),
    /// A call of one kernel; its images where the kernel is known.
    Call(&'p Call, Option<&'p Known<'p>>),
    /// Several calls as one, and the last of them.
    Fused(Box<Kernel<'p>>, &'p Call),
}

/// The parts of a body: groups of more than one call are fused as far as that gives kernels.
pub(super) fn parts<'p>(
    steps: &'p [Step],
    calls: &'p [Option<Known<'p>>],
    groups: &[usize],
    is_kernel: &dyn Fn(&TokenStream) -> bool,
) -> Vec<Part<'p>> {
    let mut parts = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let call = match step {
            Step::Other { tokens, .. } => {
                parts.push(Part::Other(tokens));
                continue;
            }
            Step::Call(call) => &**call,
        };
        if groups[index] != index {
            // It is computed in the kernel of a later statement.
            continue;
        }
        let members: Vec<&Known<'p>> = group(calls, groups, index);
        let (before, kernel) = largest(&members, |kernel| is_kernel(&kernel.module(0)));
        parts.extend(before.iter().map(|member| Part::Call(member.call, Some(member))));
        parts.push(match kernel {
            Some(kernel) => Part::Fused(Box::new(kernel), call),
            None => Part::Call(call, calls[index].as_ref()),
        });
    }
    parts
}

/// Writes a body whose kernels are fused; nothing where none are.
pub(super) fn write(parts: &[Part<'_>]) -> Option<Fused> {
    let whole = match parts {
        [Part::Fused(kernel, call)] if call.pattern.is_none() => Some(kernel.path(0)),
        _ => None,
    };
    let mut fused = Fused { modules: Vec::new(), body: TokenStream::new(), whole };
    for part in parts {
        fused.body.extend(match part {
            Part::Other(tokens) => (*tokens).clone(),
            Part::Call(call, _) => call.tokens.clone(),
            Part::Fused(kernel, call) => {
                let number = fused.modules.len();
                let (path, arguments) = (kernel.path(number), kernel.arguments());
                fused.modules.push(kernel.module(number));
                let call_of_it = quote!(#path::apply(#arguments));
                match &call.pattern {
                    Some(pattern) => quote!(let #pattern = #call_of_it?;),
                    None => call_of_it,
                }
            }
        });
    }
    (!fused.modules.is_empty()).then_some(fused)
}

/// The calls that are computed in the kernel of a statement, in order.
fn group<'c>(calls: &'c [Option<Known<'c>>], groups: &[usize], index: usize) -> Vec<&'c Known<'c>> {
    calls.iter().zip(groups).filter(|(_, group)| **group == index).filter_map(|(call, _)| call.as_ref()).collect()
}

/// The kernel of the most of a group's last members that make one, and the members before, each called by itself.
fn largest<'m, 'p>(
    members: &'m [&'p Known<'p>],
    is_kernel: impl Fn(&Kernel<'p>) -> bool,
) -> (&'m [&'p Known<'p>], Option<Kernel<'p>>) {
    for first in 0..members.len().saturating_sub(1) {
        let kernel = Kernel::of(&members[first..]);
        if kernel.is_possible() && is_kernel(&kernel) {
            return (&members[..first], Some(kernel));
        }
    }
    (&members[..members.len().saturating_sub(1)], None)
}
