//! Methods of whole inputs, and of what reading one gives.

use super::Infer;
use super::types::{Shape, Ty};
use crate::messages;
use crate::syntax::*;
use syn::Ident;

/// The methods of a whole input.
const VIEW_METHODS: [&str; 2] = ["get", "extents"];
/// The methods of an option.
const OPTION_METHODS: [&str; 4] = ["unwrap_or", "map_or", "is_some", "is_none"];

impl Infer<'_> {
    pub(super) fn view_method(&mut self, pixel: &Ty, rank: Option<u32>, name: &Ident, arguments: &[Expr]) -> Ty {
        let place = Ty::place(rank);
        match name.to_string().as_str() {
            "get" => {
                self.place_argument(name, place, arguments);
                Ty::Option(Box::new(pixel.clone()))
            }
            "extents" => {
                self.arguments(name, "extents", &[], arguments);
                place
            }
            word => {
                self.skip_arguments(arguments);
                let ty = Ty::View(Box::new(pixel.clone()), rank);
                match word {
                    "at" | "window" => {
                        let help = "take `[y, x]: At<2>` as the first parameter, and read it at a place: `src.get([y, x + 1])` is an `Option`, `None` outside; what is read at constant offsets, under a border, is a `src: Neighbourhood<u8>`";
                        let found = self.show(&ty);
                        self.wrong(messages::UNKNOWN_METHOD.at(name, &[word, &found]).helped(help))
                    }
                    _ => self.unknown_method(name, &ty, VIEW_METHODS.into_iter()),
                }
            }
        }
    }

    /// `src[[y, x]]`: its index is a place.
    pub(super) fn view_element(&mut self, index: &Expr, pixel: Ty, rank: Option<u32>) -> Ty {
        let place = Ty::place(rank);
        let found = self.expr(index, Some(&place));
        if matches!(self.unifier.shape(&found), Shape::Integer) {
            let (expected, found) = (self.show(&place), self.show(&found));
            let help = "a place is all its coordinates in brackets, the row before the column: `src[[y, x]]`";
            return self.wrong(messages::MISMATCH.at(index, &[&expected, &found]).helped(help));
        }
        self.same(index, &place, &found);
        pixel
    }

    /// The one argument of `get`: the coordinates, in brackets.
    fn place_argument(&mut self, name: &Ident, place: Ty, arguments: &[Expr]) {
        if arguments.len() == 1 {
            return self.arguments(name, "get", &[place], arguments);
        }
        arguments.iter().for_each(|argument| {
            self.expr(argument, None);
        });
        let refused = messages::ARGUMENTS.at(name, &["get", "1 argument", &arguments.len().to_string()]);
        self.report(refused.helped("put the coordinates in brackets, the row before the column: `.get([y, x])`"));
    }

    pub(super) fn option_method(&mut self, value: &Ty, name: &Ident, arguments: &[Expr]) -> Ty {
        match name.to_string().as_str() {
            "unwrap_or" => {
                self.arguments(name, "unwrap_or", std::slice::from_ref(value), arguments);
                value.clone()
            }
            "map_or" => self.map_or(value, name, arguments),
            word @ ("is_some" | "is_none") => {
                self.arguments(name, word, &[], arguments);
                Ty::BOOL
            }
            word => {
                self.skip_arguments(arguments);
                let ty = Ty::Option(Box::new(value.clone()));
                match word {
                    "unwrap" | "expect" => {
                        let found = self.show(&ty);
                        let help = "nothing in a kernel panics: say what is there instead, `.unwrap_or(0)`";
                        self.wrong(messages::UNKNOWN_METHOD.at(name, &[word, &found]).helped(help))
                    }
                    _ => self.unknown_method(name, &ty, OPTION_METHODS.into_iter()),
                }
            }
        }
    }

    /// `option.map_or(otherwise, |value| ..)`.
    fn map_or(&mut self, value: &Ty, name: &Ident, arguments: &[Expr]) -> Ty {
        let [otherwise, function] = arguments else {
            self.skip_arguments(arguments);
            return self.wrong(messages::ARGUMENTS.at(name, &["map_or", "2 arguments", &arguments.len().to_string()]));
        };
        let otherwise = self.expr(otherwise, None);
        let result = self.function_argument(function, std::slice::from_ref(value));
        self.same(function, &otherwise, &result);
        otherwise
    }

    pub(super) fn skip_arguments(&mut self, arguments: &[Expr]) {
        arguments.iter().for_each(|argument| self.skip_closure(argument));
    }
}
