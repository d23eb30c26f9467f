//! The names of extents in a kernel of several: each member has its own.

use proc_macro2::TokenStream;
use std::collections::BTreeMap;
use syn::Ident;

/// The names that members' extents have in the kernel, and the kernel's window.
#[derive(Default)]
pub(super) struct Extents {
    /// By the member and its own name.
    names: BTreeMap<(usize, String), Ident>,
    /// Whether one name of a member stands for two extents of the kernel.
    is_contradictory: bool,
    /// What the kernel runs over.
    pub window: Option<TokenStream>,
}

impl Extents {
    pub fn is_possible(&self) -> bool {
        !self.is_contradictory
    }

    /// The kernel's name for a member's extent.
    pub fn name(&self, member: usize, own: &Ident) -> Option<Ident> {
        self.names.get(&(member, own.to_string())).cloned()
    }

    /// Gives a member's extents the names that an image which it shares has.
    pub fn share(&mut self, member: usize, own: &[Ident], known: &[Ident]) {
        for (own, known) in own.iter().zip(known) {
            let name = self.names.entry((member, own.to_string())).or_insert_with(|| known.clone());
            self.is_contradictory |= name != known;
        }
    }

    /// The names of an image's extents, new ones where a member has not named them before.
    pub fn names(&mut self, member: usize, own: &[Ident]) -> Vec<Ident> {
        own.iter().map(|own| self.name(member, own).unwrap_or_else(|| self.fresh(member, own))).collect()
    }

    fn fresh(&mut self, member: usize, own: &Ident) -> Ident {
        let is_taken = |name: &str| self.names.values().any(|known| known == name);
        let numbered = (2..).map(|number| format!("{own}_{number}"));
        let name = std::iter::once(own.to_string()).chain(numbered).find(|name| !is_taken(name));
        let name = Ident::new(&name.unwrap_or_default(), proc_macro2::Span::call_site());
        self.names.insert((member, own.to_string()), name.clone());
        name
    }
}
