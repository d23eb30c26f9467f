//! Names: which variable, constant, function or type a word of the author's means.

use super::instead::instead;
use super::types::{Callable, Reduction, Ty};
use super::{Infer, Resolution};
use crate::builtins::{self, ResultType};
use crate::ir::{AxisId, Type, legal};
use crate::messages::{self, nearest};
use crate::parse::expression::scalar_type;
use crate::parse::types::{instead_of_images_of, is_image};
use crate::syntax::*;
use syn::Ident;

/// What stands for a name.
pub(super) enum Found {
    Local(LocalId),
    Item(ItemId),
    /// A variable outside the nested function that names it.
    Captured,
    Nothing,
}

/// The types of Rust that a kernel can't use, and what stands for them.
const WIDE_TYPES: [(&str, &str); 10] = [
    ("u128", "use u64"),
    ("i128", "use i64"),
    ("isize", "use i32 or i64"),
    ("f128", "use f64"),
    ("char", "use u8"),
    ("str", "a kernel has no text"),
    ("String", "a kernel has no text, and allocates nothing"),
    ("Vec", "use an array `[T; N]`: a kernel allocates nothing"),
    ("Box", "use the value itself: a kernel allocates nothing"),
    ("Option", "use a bool beside the value"),
];

/// What authors call an image's extents.
const EXTENTS: [&str; 8] = ["height", "width", "rows", "columns", "cols", "h", "w", "size"];

impl Infer<'_> {
    /// Looks a value's name up, from the innermost scope outwards.
    pub(super) fn find(&self, name: &str) -> Found {
        let mut hidden = false;
        for scope in self.scopes.iter().rev() {
            if let Some((_, local)) = scope.names.iter().rev().find(|(known, _)| known == name) {
                return if hidden { Found::Captured } else { Found::Local(*local) };
            }
            if let Some(item) = self.item_named(&scope.items, name, is_value) {
                return Found::Item(item);
            }
            hidden |= scope.barrier;
        }
        Found::Nothing
    }

    fn item_named(&self, items: &[ItemId], name: &str, kind: impl Fn(&ItemKind) -> bool) -> Option<ItemId> {
        items.iter().copied().find(|id| {
            let item = self.unit.item(*id);
            item.name == name && kind(&item.kind)
        })
    }

    /// Looks a type's name up.
    fn find_type(&self, name: &str) -> Option<ItemId> {
        self.scopes.iter().rev().find_map(|scope| self.item_named(&scope.items, name, |kind| !is_value(kind)))
    }

    /// What a path names, and the type of that; `None` after a report.
    pub(super) fn resolve_path(&mut self, expr: &Expr, path: &[Ident]) -> Option<(Resolution, Ty)> {
        match path {
            [name] => self.resolve_name(expr, name),
            [first, last] if !self.is_module(first) => self.resolve_associated(expr, first, last),
            [root, ty, consts, name] if is_library(root) && consts == "consts" && (ty == "f32" || ty == "f64") => {
                self.float_constant(if ty == "f64" { Type::F64 } else { Type::F32 }, name)
            }
            [root, ty, name] if is_library(root) && scalar_type(&ty.to_string()).is_some() => {
                self.resolve_associated(expr, ty, name)
            }
            _ => {
                let last = path.last().map(ToString::to_string).unwrap_or_default();
                let refused = messages::PATH_FORM.at(expr, &[]);
                self.report(match builtins::method(&last) {
                    Some(method) if method.arguments.is_empty() => {
                        refused.helped(format!("call it as a method: `a.{last}()`"))
                    }
                    Some(_) => refused.helped(format!("call it as a method: `a.{last}(b)`")),
                    None if path.first().is_some_and(|first| self.is_module(first)) => {
                        let path: Vec<String> = path.iter().map(ToString::to_string).collect();
                        refused.helped(format!(
                            "mark `{last}` with `#[helper]`, name it in `#[kernel(uses({}))]`, and write `{last}` here",
                            path.join("::")
                        ))
                    }
                    None => refused,
                });
                None
            }
        }
    }

    /// Whether a word is no type, and like none.
    fn is_module(&self, word: &Ident) -> bool {
        let word = word.to_string();
        let scalars = Type::ALL.iter().map(|ty| ty.name()).chain(["usize"]);
        let types = WIDE_TYPES.iter().map(|(wide, _)| *wide);
        let is_like_one =
            types.clone().chain(scalars.clone()).any(|ty| ty == word) || nearest(&word, scalars).is_some();
        word.starts_with(char::is_lowercase)
            && self.find_type(&word).is_none()
            && !is_like_one
            && !is_library_name(&word)
    }

    fn resolve_name(&mut self, expr: &Expr, name: &Ident) -> Option<(Resolution, Ty)> {
        match self.find(&name.to_string()) {
            Found::Local(local) => Some((Resolution::Local(local), self.types.locals[local.0 as usize].clone())),
            Found::Item(item) => self.resolve_item(item),
            Found::Captured => {
                self.report(messages::CAPTURE.at(expr, &[&name.to_string()]));
                None
            }
            Found::Nothing if name == "x" || name == "y" => {
                let callable = Callable::Coordinate(if name == "x" { AxisId::X } else { AxisId::Y });
                Some((Resolution::Callable(callable), Ty::Function(callable)))
            }
            Found::Nothing if let Some(reduction) = Reduction::named(&name.to_string()) => {
                let callable = Callable::Reduction(reduction);
                Some((Resolution::Callable(callable), Ty::Function(callable)))
            }
            Found::Nothing => {
                self.report(messages::UNKNOWN_NAME.at(name, &[&name.to_string(), &self.instead_of_name(name)]));
                None
            }
        }
    }

    /// Whether a name means nothing here, and is like nothing that does.
    pub(super) fn is_unknown(&self, name: &Ident) -> bool {
        let word = name.to_string();
        let is_known = word == "x" || word == "y" || is_constant(&word) || Reduction::named(&word).is_some();
        let known = self.visible_names();
        !is_known
            && matches!(self.find(&word), Found::Nothing)
            && nearest(&word, known.iter().map(String::as_str)).is_none()
    }

    /// What an author who writes an unknown name may mean.
    fn instead_of_name(&self, name: &Ident) -> String {
        let word = name.to_string();
        let known = self.visible_names();
        let alike = known.iter().map(String::as_str).filter(|known| is_constant(known) == is_constant(&word));
        match nearest(&word, alike) {
            _ if let Some(binding) = self.binding_of_extent(&word) => {
                format!("`#[shape]` names extents for `window(..)`; in the function write `{binding}`")
            }
            Some(known) => format!("did you mean `{known}`?"),
            None if EXTENTS.contains(&word.as_str()) => format!(
                "take it from an image that is read anywhere, `let [height, width] = src.extents();` of `src: View<u8>`, or as a \
                 parameter, `#[uniform] {word}: i32`"
            ),
            None if is_constant(&word) => format!(
                "a kernel doesn't see what stands around it: mark `const {name}` with `#[helper]` and name it in `#[kernel(uses({name}))]`, \
                 or define it inside"
            ),
            None if known.is_empty() => "declare it with `let` or `const`".to_owned(),
            None => "declare it with `let` or `const`, or take it as a parameter".to_owned(),
        }
    }

    /// `let [_, w] = src.extents();`, where `#[shape]` gives an extent of `src` this name.
    fn binding_of_extent(&self, word: &str) -> Option<String> {
        self.kernel.parameters.iter().find_map(|parameter| {
            let (shape, PatternKind::Binding { local, .. }) = (parameter.shape.as_ref()?, &parameter.pattern.kind)
            else {
                return None;
            };
            let is_meant = |name: &Option<Ident>| name.as_ref().is_some_and(|name| name == word);
            let names = shape.names.iter().map(|name| if is_meant(name) { word } else { "_" });
            let names: Vec<&str> = names.collect();
            names
                .contains(&word)
                .then(|| format!("let [{}] = {}.extents();", names.join(", "), self.unit.local(*local)))
        })
    }

    fn resolve_item(&mut self, id: ItemId) -> Option<(Resolution, Ty)> {
        match &self.unit.item(id).kind {
            ItemKind::Const { .. } => Some((Resolution::Constant(id), self.types.items.get(&id)?.clone())),
            ItemKind::Function(_) => {
                let callable = Callable::Item(id);
                Some((Resolution::Callable(callable), Ty::Function(callable)))
            }
            ItemKind::Enum { .. } | ItemKind::Alias { .. } => None,
        }
    }

    fn visible_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for scope in self.scopes.iter().rev() {
            names.extend(scope.names.iter().rev().map(|(name, _)| name.clone()));
            let items = scope.items.iter().map(|id| self.unit.item(*id));
            names.extend(items.filter(|item| is_value(&item.kind)).map(|item| item.name.to_string()));
        }
        names
    }

    /// `u8::MAX`, `u16::from`, `u8::min`, `Overflow::Wrap`.
    fn resolve_associated(&mut self, expr: &Expr, first: &Ident, last: &Ident) -> Option<(Resolution, Ty)> {
        let ty = self.type_named(first)?;
        let name = last.to_string();
        match ty {
            Ty::Enum(which) => self.enum_value(which, last),
            Ty::Scalar(ty) => {
                if let Some((value, ty)) = builtins::associated_constant(ty, &name) {
                    return Some((Resolution::Known(value, ty), Ty::Scalar(ty)));
                }
                let callable = match (name.as_str(), builtins::method(&name)) {
                    ("from", _) => Callable::From(ty),
                    ("from_bits", _) if ty == Type::F32 => Callable::FromBits,
                    (_, Some(method)) if method.receivers.contain(ty) && method.result != ResultType::Target => {
                        Callable::Method(method.name, ty)
                    }
                    (_, _) => {
                        let methods = builtins::METHODS.iter().filter(|m| m.receivers.contain(ty)).map(|m| m.name);
                        let known = methods.chain(["MAX", "MIN", "BITS", "from", "INFINITY"]);
                        let help = match (instead(&name), nearest(&name, known)) {
                            (Some(help), _) => help.to_owned(),
                            (None, Some(known)) => format!("did you mean `{first}::{known}`?"),
                            (None, None) => format!("use a constant such as `{first}::MAX`, or a method of `{first}`"),
                        };
                        self.report(messages::UNKNOWN_NAME.at(expr, &[&format!("{first}::{last}"), &help]));
                        return None;
                    }
                };
                Some((Resolution::Callable(callable), Ty::Function(callable)))
            }
            other => {
                let help = format!("`{}` has no constants and functions here", self.show(&other));
                self.report(messages::UNKNOWN_NAME.at(expr, &[&format!("{first}::{last}"), &help]));
                None
            }
        }
    }

    fn enum_value(&mut self, which: usize, value: &Ident) -> Option<(Resolution, Ty)> {
        let found = &self.types.enums[which];
        let name = value.to_string();
        if let Some(index) = found.values.iter().position(|known| *known == name) {
            return Some((Resolution::EnumValue(index as u32), Ty::Enum(which)));
        }
        let help = match nearest(&name, found.values.iter().map(String::as_str)) {
            Some(known) => format!("did you mean `{}::{known}`?", found.name),
            None => format!("its values are {}", found.values.join(", ")),
        };
        let words = (found.name.clone(), help);
        self.report(messages::ENUM_VALUE.at(value, &[&words.0, &name, &words.1]));
        None
    }

    fn float_constant(&mut self, ty: Type, name: &Ident) -> Option<(Resolution, Ty)> {
        use crate::ir::Constant::{Double, Float};
        let word = name.to_string();
        if let Some((_, single, double)) = builtins::FLOAT_CONSTANTS.iter().find(|(known, ..)| *known == word) {
            let constant = if ty == Type::F64 { Double(double.to_bits()) } else { Float(single.to_bits()) };
            return Some((Resolution::Known(constant, ty), Ty::Scalar(ty)));
        }
        let help = match nearest(&word, builtins::FLOAT_CONSTANTS.iter().map(|(known, ..)| *known)) {
            Some(known) => format!("did you mean `{known}`?"),
            None => "use a constant of `core::f32::consts`, such as `PI`".to_owned(),
        };
        self.report(messages::UNKNOWN_NAME.at(name, &[&word, &help]));
        None
    }

    /// The type of a name; `None` after a report.
    pub(super) fn type_named(&mut self, name: &Ident) -> Option<Ty> {
        let word = name.to_string();
        if let Some(item) = self.find_type(&word) {
            return match &self.unit.item(item).kind {
                ItemKind::Alias { ty } => Some(self.alias(item, ty)),
                ItemKind::Enum { .. } => self.types.enums.iter().rposition(|e| e.name == word).map(Ty::Enum),
                ItemKind::Const { .. } | ItemKind::Function(_) => None,
            };
        }
        if let Some((parameter, ty)) = self.copy
            && parameter == word
        {
            return Some(Ty::Scalar(ty));
        }
        if let Some(ty) = scalar_type(&word) {
            return Some(Ty::Scalar(ty));
        }
        if word == "usize" {
            return Some(Ty::Usize);
        }
        if let Some(which) = self.types.enums.iter().position(|e| e.name == word) {
            return Some(Ty::Enum(which));
        }
        if let Some((_, help)) = WIDE_TYPES.iter().find(|(wide, _)| *wide == word) {
            self.report(messages::WIDE_TYPE.at(name, &[&word, help]));
            return None;
        }
        let values = Type::ALL.iter().filter(|&&ty| legal::is_value(ty)).map(|ty| ty.name());
        let mut known: Vec<&str> = values.chain(["usize", "Neighbourhood", "View", "At", "Table"]).collect();
        known.extend(self.types.enums.iter().map(|e| e.name.as_str()));
        let help = match nearest(&word, known) {
            Some(known) => format!("did you mean `{known}`?"),
            // One mistake, wherever the name stands.
            None if !self.unknown_types.insert(word.clone()) => return None,
            None if is_image(&word) => instead_of_images_of("u8"),
            None if word.starts_with(char::is_uppercase) => format!(
                "a kernel doesn't see what stands around it: declare `enum {word} {{ .. }}` beside the kernel in a `#[kernels] mod`, and take it \
                 as `#[variant] mode: {word}`; a struct is not a type of the language: make each of its fields a `#[uniform]` parameter; \
                 for several types declare `types({word} = u8, i16)`"
            ),
            None => {
                "use u8, i8, u16, i16, u32, i32, u64, i64, f32, f64, f16, bf16 or bool, an array or a tuple of them"
                    .to_owned()
            }
        };
        self.report(messages::UNKNOWN_TYPE.at(name, &[&word, &help]));
        None
    }

    /// The type of a parameter. Of one that is not there its role says what the author means: an enum, or a struct.
    pub(super) fn parameter(&mut self, parameter: &KernelParameter) -> Ty {
        let ty = &parameter.ty;
        let refused = match (&parameter.role, &ty.kind) {
            (Role::Variant, TypeKind::Name(name)) => (name, messages::VARIANT_TYPE.at(ty, &[&name.to_string()])),
            (Role::Uniform(_), TypeKind::Name(name)) if name.to_string().starts_with(char::is_uppercase) => {
                let help = "a struct is not a type of the language: make each of its fields a `#[uniform]` parameter; for several \
                            types declare `types(T = u8, i16)`";
                (name, messages::UNKNOWN_TYPE.at(ty, &[&name.to_string(), help]))
            }
            _ => return self.written(ty),
        };
        match self.is_unknown_type(refused.0) && self.unknown_types.insert(refused.0.to_string()) {
            true => self.wrong(refused.1),
            false => self.written(ty),
        }
    }

    /// Whether a name is no type, and like none that a variant has.
    fn is_unknown_type(&self, name: &Ident) -> bool {
        let word = name.to_string();
        let enums = self.types.enums.iter().map(|known| known.name.as_str());
        self.find_type(&word).is_none()
            && scalar_type(&word).is_none()
            && word != "usize"
            && !WIDE_TYPES.iter().any(|(wide, _)| *wide == word)
            && self.copy.is_none_or(|(parameter, _)| parameter != word)
            && nearest(&word, enums).is_none()
    }

    fn alias(&mut self, item: ItemId, ty: &TypeExpr) -> Ty {
        if self.lengths_in_progress.contains(&item) || self.lengths_in_progress.len() > 64 {
            let name = &self.unit.item(item).name;
            return self.wrong(messages::CONSTANT_CYCLE.at(name, &[&name.to_string()]));
        }
        self.lengths_in_progress.push(item);
        let ty = self.written(ty);
        self.lengths_in_progress.pop();
        ty
    }
}

fn is_value(kind: &ItemKind) -> bool {
    match kind {
        ItemKind::Const { .. } | ItemKind::Function(_) => true,
        ItemKind::Enum { .. } | ItemKind::Alias { .. } => false,
    }
}

/// Whether a name is written as constants are.
fn is_constant(name: &str) -> bool {
    name.contains(char::is_uppercase) && !name.contains(char::is_lowercase)
}

fn is_library(root: &Ident) -> bool {
    is_library_name(&root.to_string())
}

fn is_library_name(root: &str) -> bool {
    root == "core" || root == "std"
}
