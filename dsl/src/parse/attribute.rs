//! What stands in `#[kernel(..)]`.

use super::option::{AxisRange, BORDER_SYNONYMS, BORDERS, Choice, HAND_WRITTEN, OPTIONS, TypeNames, example, offsets};
use super::{Parser, expression::scalar_type, guard};
use crate::helpers;
use crate::ir::{BinaryOp, Block as Grain, BorderMode, Neighbourhood, Schedule};
use crate::messages::{self, Located, Message, Tokens, nearest};
use crate::syntax::*;
use proc_macro2::{Span, TokenStream};
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::{Ident, Token};

impl Parser {
    /// Reads the options, every one of them, whatever is wrong with the others.
    pub(super) fn attribute(&mut self, tokens: TokenStream) -> Attribute {
        let mut attribute = Attribute::default();
        if let Err(error) = guard::check(&tokens) {
            self.report(error);
            return attribute;
        }
        let choices = match Punctuated::<Choice, Token![,]>::parse_terminated.parse2(tokens.clone()) {
            Ok(choices) => choices,
            Err(error) => {
                // At the end of the options syn names no token of theirs.
                let at_end = format!("{:?}", error.span()) == format!("{:?}", Span::call_site());
                let place = if at_end { Tokens(&tokens).place().1 } else { error.span() };
                self.report(messages::OPTIONS.at(place, &[&error.to_string()]));
                return attribute;
            }
        };
        let mut seen: Vec<String> = Vec::new();
        for choice in &choices {
            let name = choice.name.to_string();
            match seen.contains(&name) {
                true if name != "require" => self.report(messages::OPTION_TWICE.at(&choice.name, &[&name])),
                true => {}
                false => seen.push(name),
            }
            self.option(&mut attribute, choice);
        }
        attribute
    }

    fn option(&mut self, attribute: &mut Attribute, choice: &Choice) {
        let form = example(&choice.name.to_string());
        if let Some(value) = choice.value.as_ref().filter(|_| choice.has_odd_value() && !form.is_empty()) {
            let place = (choice.name.span(), Tokens(value).place().1);
            return self.report(messages::OPTION_VALUE.at(place, &[&choice.name.to_string(), form]));
        }
        match choice.name.to_string().as_str() {
            "step" => attribute.step = self.grain(choice, messages::BAD_STEP),
            "schedule" => self.schedule(&mut attribute.schedule, choice),
            "neighbourhood" => attribute.neighbourhood = self.neighbourhood(choice),
            "output" => attribute.outputs = self.output_names(choice),
            "border" => attribute.borders = self.borders(choice),
            "require" => self.require(&mut attribute.requires, choice),
            "types" => attribute.types = self.types(choice),
            "fast" => {
                if choice.contents.is_some() {
                    self.report(messages::FAST_CONTENTS.at(choice.place(), &[]));
                }
                attribute.fast = true;
            }
            "deny" => attribute.deny_scalar = self.deny(choice),
            target if HAND_WRITTEN.contains(&target) => attribute.hand_written.extend(self.hand_written(choice)),
            "window" => attribute.window = self.window(choice),
            "uses" => self.uses(choice),
            unknown => {
                let help = match nearest(unknown, OPTIONS.map(|(name, _)| name)) {
                    Some(known) => format!("did you mean `{}`?", example(known)),
                    None => {
                        format!("the options are {}", OPTIONS.iter().map(|o| o.0).collect::<Vec<_>>().join(", "))
                    }
                };
                self.report(messages::UNKNOWN_OPTION.at(&choice.name, &[unknown, &help]));
            }
        }
    }

    /// What a kernel uses is bound to it before it is read, but for a kernel inside a module.
    fn uses(&mut self, choice: &Choice) {
        let paths = helpers::paths(choice.contents.clone().unwrap_or_default());
        let is_readable = paths.is_ok_and(|paths| !paths.is_empty());
        let rule = if is_readable { messages::USES_INSIDE } else { messages::BAD_USES };
        self.report(rule.at(choice.place(), &[]));
    }

    fn window(&mut self, choice: &Choice) -> Option<WindowExprs> {
        let extents = choice.list(self, messages::BAD_WINDOW)?;
        Some(WindowExprs { extents, span: choice.name.span() })
    }

    fn grain(&mut self, choice: &Choice, rule: Message) -> Option<Grain> {
        let numbers: Vec<syn::LitInt> = choice.list(self, rule)?;
        let values: Vec<u32> = numbers.iter().map_while(|number| number.base10_parse().ok()).collect();
        match values[..] {
            [x, y] if x > 0 && y > 0 && u64::from(x) * u64::from(y) <= 65_536 => Some(Grain { x, y }),
            [x, y] if x > 0 && y > 0 => {
                let size = (u64::from(x) * u64::from(y)).to_string();
                self.report(messages::BLOCK_TOO_LARGE.at(choice.place(), &[&size]));
                None
            }
            _ => {
                self.report(rule.at(choice.place(), &[]));
                None
            }
        }
    }

    fn schedule(&mut self, schedule: &mut Schedule, choice: &Choice) {
        for target in choice.list::<Choice>(self, messages::BAD_BLOCK).unwrap_or_default() {
            let Some(block) = self.grain(&target, messages::BAD_BLOCK) else { continue };
            let once = |of: &mut Option<Grain>, parser: &mut Self| {
                if of.replace(block).is_some() {
                    parser.report(messages::OPTION_TWICE.at(&target.name, &[&target.name.to_string()]));
                }
            };
            match target.name.to_string().as_str() {
                "neon" => once(&mut schedule.neon, self),
                "x86" => once(&mut schedule.x86, self),
                "opencl" if schedule.opencl.contains(&block) => {
                    let text = format!("opencl({}, {})", block.x, block.y);
                    self.report(messages::OPTION_TWICE.at(target.place(), &[&text]));
                }
                "opencl" if schedule.opencl.len() == 4 => {
                    self.report(messages::TOO_MANY_OPENCL_BLOCKS.at(&target.name, &[]));
                }
                "opencl" => schedule.opencl.push(block),
                unknown => {
                    let help = match nearest(unknown, ["neon", "x86", "opencl"]) {
                        Some(known) => format!("did you mean `{known}`?"),
                        None => "the targets are neon, x86 and opencl".to_owned(),
                    };
                    self.report(messages::UNKNOWN_TARGET.at(&target.name, &[unknown, &help]));
                }
            }
        }
    }

    fn neighbourhood(&mut self, choice: &Choice) -> Option<Declared> {
        let rule = messages::BAD_NEIGHBOURHOOD;
        let mut extent = Neighbourhood::default();
        for axis in choice.list::<AxisRange>(self, rule)? {
            match (axis.name.to_string().as_str(), offsets(&axis.range)) {
                ("x", Some((lo, hi))) => (extent.left, extent.right) = (lo, hi),
                ("y", Some((lo, hi))) => (extent.top, extent.bottom) = (lo, hi),
                (_, Some(_)) => self.report(rule.at(&axis.name, &[])),
                (_, None) => self.report(rule.at(Tokens(&axis.range), &[])),
            }
        }
        Some(Declared { extent, span: choice.name.span() })
    }

    fn output_names(&mut self, choice: &Choice) -> Option<Vec<OutputName>> {
        let names: Vec<OutputName> = choice.list(self, messages::BAD_OUTPUT)?;
        for output in &names {
            self.check_name(&output.name);
            if let Some(ty) = &output.ty {
                self.report(messages::BAD_OUTPUT.at(Tokens(ty), &[]));
            }
        }
        Some(names)
    }

    fn borders(&mut self, choice: &Choice) -> Option<(Vec<BorderMode>, Span)> {
        let rule = messages::BAD_BORDER;
        let help = "write `border(undefined, constant, replicate)`";
        let names =
            Punctuated::<Ident, Token![,]>::parse_terminated.parse2(choice.contents.clone().unwrap_or_default());
        let names = match names {
            Ok(names) if !names.is_empty() => names,
            Ok(_) | Err(_) => {
                let found = choice.contents.as_ref().map(ToString::to_string).filter(|found| !found.is_empty());
                let found = found.unwrap_or_else(|| "border()".to_owned());
                self.report(rule.at(choice.place(), &[&found, help]));
                return None;
            }
        };
        let mut modes = Vec::new();
        for name in &names {
            let word = name.to_string();
            match BORDERS.iter().find(|(known, _)| *known == word) {
                Some((_, mode)) if modes.contains(mode) => self.report(messages::OPTION_TWICE.at(name, &[&word])),
                Some((_, mode)) => modes.push(*mode),
                None => {
                    let synonym = BORDER_SYNONYMS.iter().find(|(other, _)| *other == word);
                    let help = match (synonym, nearest(&word, BORDERS.map(|(known, _)| known))) {
                        (Some((_, known)), _) => format!("it is called `{known}` here"),
                        (None, Some(known)) => format!("did you mean `{known}`?"),
                        (None, None) => format!("the modes are {}", BORDERS.map(|(known, _)| known).join(", ")),
                    };
                    self.report(rule.at(name, &[&word, &help]));
                }
            }
        }
        Some((modes, choice.name.span()))
    }

    fn require(&mut self, requires: &mut Vec<RequireExpr>, choice: &Choice) {
        let rule = messages::BAD_REQUIRE;
        for relation in choice.list::<syn::Expr>(self, rule).unwrap_or_default() {
            let syn::Expr::Binary(whole) = relation else {
                self.report(rule.at(Tokens(&relation), &[]));
                continue;
            };
            let op = match whole.op {
                syn::BinOp::Lt(_) => BinaryOp::Lt,
                syn::BinOp::Le(_) => BinaryOp::Le,
                syn::BinOp::Eq(_) => BinaryOp::Eq,
                syn::BinOp::Ge(_) => BinaryOp::Ge,
                syn::BinOp::Gt(_) => BinaryOp::Gt,
                _ => {
                    self.report(rule.at(Tokens(&whole), &[]));
                    continue;
                }
            };
            requires.push(RequireExpr { left: (*whole.left).clone(), op, right: (*whole.right).clone(), whole });
        }
    }

    fn types(&mut self, choice: &Choice) -> Option<TypeList> {
        let rule = messages::BAD_TYPES;
        let read = TypeNames::parse.parse2(choice.contents.clone().unwrap_or_default());
        let Ok(TypeNames { name, names }) = read else {
            self.report(rule.at(choice.place(), &[]));
            return None;
        };
        if scalar_type(&name.to_string()).is_some() {
            let refused = messages::NAME_OF_TYPE.at(&name, &[&name.to_string()]);
            self.report(refused.helped("give the parameter another name, such as `T`"));
        }
        let mut types: Vec<(crate::ir::Type, Ident)> = Vec::new();
        for ident in names {
            match scalar_type(&ident.to_string()) {
                Some(ty) if types.iter().any(|(seen, _)| *seen == ty) => {
                    self.report(messages::OPTION_TWICE.at(&ident, &[&ident.to_string()]));
                }
                Some(ty) if ty != crate::ir::Type::BOOL => types.push((ty, ident)),
                Some(_) | None => self.report(messages::LITERAL_TYPE.at(&ident, &[&ident.to_string()])),
            }
        }
        Some(TypeList { name, types })
    }

    fn hand_written(&mut self, choice: &Choice) -> Option<HandWritten> {
        let (target, rule) = (choice.name.clone(), messages::BAD_BODY);
        match &choice.value {
            Some(syn::Expr::Path(path)) => Some(HandWritten { target, path: path.clone() }),
            Some(other) => {
                self.report(rule.at(Tokens(other), &[&target.to_string()]));
                None
            }
            None => {
                self.report(rule.at(choice.place(), &[&target.to_string()]));
                None
            }
        }
    }

    fn deny(&mut self, choice: &Choice) -> bool {
        let good = choice.contents.as_ref().is_some_and(|contents| contents.to_string() == "scalar");
        if !good {
            self.report(messages::BAD_DENY.at(choice.place(), &[]));
        }
        good
    }
}
