//! A kernel that is several, one after another for each element.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Expr, Ident};

use super::{
    callee::{CalleeParameter, Role, enum_value},
    extents::Extents,
    groups::{Known, image},
    tokens::{renamed, text},
};

/// A kernel of several.
pub(super) struct Kernel<'p> {
    pub members: Vec<&'p Known<'p>>,
    parameters: Vec<Parameter<'p>>,
    /// The name of each member's function.
    functions: Vec<Ident>,
    name: Ident,
    /// The element's place, where a member asks for it.
    place: Vec<Ident>,
    extents: Extents,
}

/// A parameter of it.
struct Parameter<'p> {
    name: Ident,
    /// Whose it is, which says its type and attributes.
    of: &'p CalleeParameter,
    argument: &'p Expr,
    /// The names of its extents, of what is read anywhere.
    shape: Vec<Ident>,
    /// Of a neighbourhood: the borders of the call, and which of them it is.
    border: Option<(&'p Expr, usize)>,
}

impl<'p> Kernel<'p> {
    pub fn of(members: &[&'p Known<'p>]) -> Kernel<'p> {
        let names: Vec<String> = members.iter().map(|member| member.callee.function.sig.ident.to_string()).collect();
        let function = |(index, name): (usize, &String)| {
            // The same kernel twice is one function.
            let own = |member: &Known<'_>| (text(&member.call.path), member.callee.instance.clone());
            let first = members.iter().position(|member| own(member) == own(members[index])).unwrap_or(index);
            let is_taken = (0..first).any(|other| names[other] == *name);
            ident(&if is_taken { format!("{name}_{first}_of_element") } else { format!("{name}_of_element") })
        };
        let functions = names.iter().enumerate().map(function).collect();
        let name = ident(&names.join("_"));
        let mut kernel = Kernel {
            members: members.to_vec(),
            parameters: Vec::new(),
            functions,
            name,
            place: Vec::new(),
            extents: Extents::default(),
        };
        // Neighbourhoods first: what reads the element alone finds it there.
        for role in [Role::Neighbourhood, Role::View, Role::Element, Role::Uniform, Role::Variant, Role::Table] {
            members.iter().for_each(|member| kernel.add(member, role));
        }
        kernel.place = kernel.place();
        kernel.extents.window = kernel.window();
        kernel
    }

    /// Whether what members ask for goes together: one number of dimensions, one window, no name of two extents.
    pub fn is_possible(&self) -> bool {
        let mut ranks = self.members.iter().map(|member| member.callee.place.len()).filter(|rank| *rank > 0);
        let windows = self.members.iter().filter(|member| member.callee.window.is_some()).count();
        ranks.all(|rank| rank == self.place.len()) && windows < 2 && self.extents.is_possible()
    }

    /// Names for the element's place.
    fn place(&self) -> Vec<Ident> {
        let Some(member) = self.members.iter().find(|member| !member.callee.place.is_empty()) else {
            return Vec::new();
        };
        member.callee.place.iter().map(|name| self.fresh(&name.to_string())).collect()
    }

    /// The window of the member that has one, in the kernel's names.
    fn window(&self) -> Option<TokenStream> {
        let (index, member) = self.members.iter().enumerate().find(|(_, member)| member.callee.window.is_some())?;
        let uniform = |name: &Ident| {
            let (of, argument) = member.arguments().find(|(of, _)| of.name == *name)?;
            Some(self.parameter(member, of, argument)?.name.clone())
        };
        let rename = |name: &Ident| self.extents.name(index, name).or_else(|| uniform(name));
        member.callee.window.clone().map(|window| renamed(window, &rename))
    }

    /// Adds the parameters of a role that a member has and the kernel lacks.
    fn add(&mut self, member: &'p Known<'p>, role: Role) {
        let index = self.members.iter().position(|own| std::ptr::eq(*own, member)).unwrap_or_default();
        // What a member shares with those before names its extents first.
        for (of, argument) in member.arguments().filter(|(of, _)| of.role == role && !of.shape.is_empty()) {
            if let Some(known) = self.parameter(member, of, argument).map(|parameter| parameter.shape.clone()) {
                self.extents.share(index, &of.shape, &known);
            }
        }
        for (of, argument) in member.arguments().filter(|(parameter, _)| parameter.role == role) {
            let is_there = self.is_computed(of, argument) || value_of(of, argument).is_some();
            if is_there || self.parameter(member, of, argument).is_some() {
                continue;
            }
            let shape = self.extents.names(index, &of.shape);
            let border = border(member, of);
            let wanted = match image(argument) {
                Some(name) => name.to_string(),
                None => of.name.to_string(),
            };
            let name = self.fresh(&wanted);
            self.parameters.push(Parameter { name, of, argument, shape, border });
        }
    }

    /// Whether an argument is an image of the group's own.
    fn is_computed(&self, of: &CalleeParameter, argument: &Expr) -> bool {
        let computed = |name: &Ident| self.values().any(|value| value == name);
        of.role == Role::Element && image(argument).is_some_and(computed)
    }

    /// The images that are read, in the order of the kernel's parameters.
    pub fn images(&self) -> impl Iterator<Item = &'p Expr> {
        self.parameters.iter().filter(|parameter| is_image(parameter.of)).map(|parameter| parameter.argument)
    }

    fn values(&self) -> impl Iterator<Item = &'p Ident> {
        self.members.iter().flat_map(|member| member.call.values.iter().flatten())
    }

    /// The parameter that holds what a member is given.
    fn parameter(&self, member: &Known<'_>, of: &CalleeParameter, argument: &Expr) -> Option<&Parameter<'p>> {
        let attributes = |of: &CalleeParameter| of.attributes.iter().map(text).collect::<Vec<_>>();
        let border = border(member, of).map(|(border, index)| (text(border), index));
        let same = |known: &&Parameter<'_>| {
            let own = known.border.map(|(border, index)| (text(border), index));
            text(known.argument) == text(argument)
                && text(&known.of.ty) == text(&of.ty)
                && known.of.role == of.role
                && attributes(known.of) == attributes(of)
                && own == border
        };
        let around = |known: &&Parameter<'_>| {
            let holds = element(&known.of.ty).is_some_and(|element| element == text(&of.ty));
            of.role == Role::Element
                && known.of.role == Role::Neighbourhood
                && known.of.attributes.is_empty()
                && text(known.argument) == text(argument)
                && holds
        };
        self.parameters.iter().find(same).or_else(|| self.parameters.iter().find(around))
    }

    /// A name that no parameter, function or value has.
    fn fresh(&self, wanted: &str) -> Ident {
        let is_taken = |name: &str| {
            self.parameters.iter().any(|parameter| parameter.name == name)
                || self.functions.iter().any(|function| function == name)
                || self.values().any(|value| value == name)
                || self.name == name
        };
        let numbered = (2..).map(|number| format!("{wanted}_{number}"));
        let name = std::iter::once(wanted.to_owned()).chain(numbered).find(|name| !is_taken(name));
        ident(&name.unwrap_or_default())
    }

    pub fn path(&self, number: usize) -> TokenStream {
        let (module, name) = (module_name(number), &self.name);
        quote!(#module::#name)
    }

    /// The module: a function for each member, and the kernel that calls them.
    pub fn module(&self, number: usize) -> TokenStream {
        let (module, name) = (module_name(number), &self.name);
        let functions =
            self.members.iter().zip(&self.functions).enumerate().filter_map(|(index, (member, function))| {
                if self.functions[..index].contains(function) {
                    return None;
                }
                let mut own = member.callee.function.clone();
                own.sig.ident = function.clone();
                own.vis = syn::Visibility::Inherited;
                Some(own)
            });
        let parameters = self.parameters.iter().map(|parameter| {
            let (name, CalleeParameter { ty, attributes, .. }) = (&parameter.name, parameter.of);
            let shape = (!parameter.shape.is_empty()).then_some(&parameter.shape).into_iter();
            quote!(#(#[shape(#(#shape),*)])* #(#attributes)* #name: #ty)
        });
        let (place, rank) = (&self.place, proc_macro2::Literal::usize_unsuffixed(self.place.len()));
        let place = (!place.is_empty()).then(|| quote!([#(#place),*]: At<#rank>)).into_iter();
        let parameters = place.chain(parameters);
        let last = self.members[self.members.len() - 1];
        let output = &last.callee.function.sig.output;
        let window = self.extents.window.iter().map(|window| quote!(window(#window)));
        let options = last.callee.output_names.iter().map(ToTokens::to_token_stream).chain(window);
        let calls = self.members.iter().zip(&self.functions).map(|(member, function)| self.call(member, function));
        let names = self.members.iter().map(|member| format!("`{}`", member.callee.function.sig.ident));
        let docs = format!(" {}, for each element one after the other.", names.collect::<Vec<_>>().join(" and "));
        quote! {
            mod #module {
                use ::windrow::language::*;
                #(#functions)*
                #[doc = #docs]
                #[kernel(#(#options),*)]
                pub fn #name(#(#parameters),*) #output { #(#calls)* }
            }
        }
    }

    /// A member's call, for one element.
    fn call(&self, member: &Known<'p>, function: &Ident) -> TokenStream {
        let arguments = member.arguments().map(|(of, argument)| {
            if self.is_computed(of, argument) {
                return image(argument).map(|name| value(name).to_token_stream()).unwrap_or_default();
            }
            if let Some(value) = value_of(of, argument) {
                return value;
            }
            let Some(parameter) = self.parameter(member, of, argument) else { return TokenStream::new() };
            let name = &parameter.name;
            match (of.role, parameter.of.role) {
                (Role::Element, Role::Neighbourhood) => quote!(#name.at(0, 0)),
                _ => quote!(#name),
            }
        });
        let place = self.place.iter().take(member.callee.place.len()).map(ToTokens::to_token_stream);
        let arguments = place.chain(arguments);
        let call = quote!(#function(#(#arguments),*));
        let is_last = std::ptr::eq(member, self.members[self.members.len() - 1]);
        if is_last {
            return call;
        }
        let names = member.call.values.iter().map(|name| match name {
            Some(name) => value(name).to_token_stream(),
            None => quote!(_),
        });
        if member.callee.outputs == 1 { quote!(let #(#names)* = #call;) } else { quote!(let (#(#names),*) = #call;) }
    }

    /// What the kernel is called with.
    pub fn arguments(&self) -> TokenStream {
        let arguments = self.parameters.iter().map(|parameter| parameter.argument);
        let images = self.parameters.iter().filter(|parameter| is_image(parameter.of));
        let borders = images.clone().map(|image| match image.border {
            Some((border, index)) => {
                quote!(::core::convert::Into::<::windrow::__rt::Borders>::into(#border).of(#index))
            }
            None => quote!(::windrow::__rt::Border::Replicate),
        });
        let has_border = images.clone().any(|image| image.border.is_some());
        let borders = has_border.then(|| quote!(::windrow::__rt::Borders::each(&[#(#borders),*])));
        let borders = borders.into_iter();
        quote!(#(#arguments,)* #(#borders)*)
    }
}

/// The borders that a neighbourhood is given, and which of them is its own.
fn border<'p>(member: &Known<'p>, of: &CalleeParameter) -> Option<(&'p Expr, usize)> {
    if of.role != Role::Neighbourhood {
        return None;
    }
    let mut images = member.callee.parameters.iter().filter(|parameter| is_image(parameter));
    Some((member.border()?, images.position(|parameter| std::ptr::eq(parameter, of))?))
}

/// What a member is given, where it is known here: no choice is left to a caller.
fn value_of(of: &CalleeParameter, argument: &Expr) -> Option<TokenStream> {
    enum_value(argument).filter(|_| of.role == Role::Variant)
}

pub(super) fn is_image(parameter: &CalleeParameter) -> bool {
    matches!(parameter.role, Role::Element | Role::Neighbourhood | Role::View)
}

/// The element of `Neighbourhood<T>`, as text.
fn element(ty: &syn::Type) -> Option<String> {
    let syn::Type::Path(path) = ty else { return None };
    let syn::PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else { return None };
    arguments.args.first().map(text)
}

fn module_name(number: usize) -> Ident {
    ident(&format!("fused_{number}"))
}

/// A value's name in the kernel. The author's own identifier may come from another macro than what is written here.
fn value(name: &Ident) -> Ident {
    ident(&name.to_string())
}

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}
