//! The attributes of a kernel, and the rules that they are held to.

use std::ops::RangeInclusive;

use super::form::Attributes;
use crate::{
    error::ModelError,
    operator::{Pads, Window},
};

/// Numbers of windows, at most; the library's operators take fewer, each as it says.
const SIZES: RangeInclusive<usize> = 1..=1 << 16;
const PADS: RangeInclusive<usize> = 0..=1 << 16;

/// A kernel's attributes, with its name for errors.
pub(super) struct Said<'g> {
    pub node: &'g str,
    pub attributes: &'g Attributes,
}

impl Said<'_> {
    pub fn wrong<T>(&self, attribute: &'static str, found: String, rule: &'static str) -> Result<T, ModelError> {
        Err(ModelError::Attribute { node: self.node.to_owned(), attribute, found, rule })
    }

    /// The strings of an attribute; `None` where it is left out.
    pub fn list(&self, attribute: &str) -> Option<&[String]> {
        self.attributes.lists.get(attribute).map(Vec::as_slice)
    }

    /// The one string of an attribute; `None` where it is left out or empty.
    pub fn word(&self, attribute: &str) -> Option<&str> {
        match self.list(attribute)? {
            [word] if !word.is_empty() => Some(word),
            _ => None,
        }
    }

    /// The numbers of an attribute that must be there.
    fn numbers(
        &self,
        attribute: &'static str,
        range: &RangeInclusive<usize>,
        rule: &'static str,
    ) -> Result<Vec<usize>, ModelError> {
        let Some(list) = self.list(attribute) else { return self.wrong(attribute, "left out".to_owned(), rule) };
        let number = |word: &String| word.parse().ok().filter(|number| range.contains(number));
        // No attribute has more than four: a long list is not repeated in the error.
        let numbers: Option<Vec<usize>> = if list.len() <= 4 { list.iter().map(number).collect() } else { None };
        match numbers {
            Some(numbers) => Ok(numbers),
            None => self.wrong(attribute, shown(list), rule),
        }
    }

    /// One number.
    pub fn number(&self, attribute: &'static str, rule: &'static str) -> Result<usize, ModelError> {
        match self.numbers(attribute, &SIZES, rule)?[..] {
            [number] => Ok(number),
            _ => self.wrong(attribute, shown(self.list(attribute).unwrap_or_default()), rule),
        }
    }

    /// A dimension, from the end where it is negative.
    pub fn axis(&self) -> Result<i64, ModelError> {
        match self.word("axis").map(str::parse) {
            Some(Ok(axis)) => Ok(axis),
            _ => self.wrong("axis", shown(self.list("axis").unwrap_or_default()), "it is the number of a dimension"),
        }
    }

    /// Rows and columns.
    pub fn pair(&self, attribute: &'static str) -> Result<[usize; 2], ModelError> {
        let rule = "it is two numbers from 1 to 65536, of rows and of columns";
        match self.numbers(attribute, &SIZES, rule)?[..] {
            [rows, columns] => Ok([rows, columns]),
            _ => self.wrong(attribute, shown(self.list(attribute).unwrap_or_default()), rule),
        }
    }

    /// What is around an image: one number for all sides, one for above and below and one for both sides, or one for each: above,
    /// on the left, below, on the right.
    fn pads(&self) -> Result<[usize; 4], ModelError> {
        let rule = "it is one, two or four numbers from 0 to 65536";
        match self.numbers("padding", &PADS, rule)?[..] {
            [all] => Ok([all; 4]),
            [rows, columns] => Ok([rows, columns, rows, columns]),
            [top, left, bottom, right] => Ok([top, left, bottom, right]),
            _ => self.wrong("padding", shown(self.list("padding").unwrap_or_default()), rule),
        }
    }

    pub fn window(&self, size: Option<[usize; 2]>, is_ceiled: bool) -> Result<Window, ModelError> {
        let (stride, dilation) = (self.pair("strides")?, self.pair("dilation")?);
        Ok(Window { size, stride, dilation, pads: Pads::Explicit(self.pads()?), is_ceiled })
    }

    /// 0 or 1, and 0 where it is left out.
    pub fn flag(&self, attribute: &'static str) -> Result<bool, ModelError> {
        match self.list(attribute).map(|list| list.iter().map(String::as_str).collect::<Vec<_>>()).as_deref() {
            None | Some(["0"]) => Ok(false),
            Some(["1"]) => Ok(true),
            Some(_) => self.wrong(attribute, shown(self.list(attribute).unwrap_or_default()), "it is 0 or 1"),
        }
    }

    /// Holds an order of dimensions to the only one that is read, where it is said.
    pub fn layout(&self, attribute: &'static str, only: &str, rule: &'static str) -> Result<(), ModelError> {
        match self.word(attribute) {
            Some(found) if found != only => self.wrong(attribute, found.to_owned(), rule),
            _ => Ok(()),
        }
    }
}

/// The strings of an attribute as an error has them: the first four.
fn shown(list: &[String]) -> String {
    let more = if list.len() > 4 { ", …" } else { "" };
    format!("[{}{more}]", list.iter().take(4).map(String::as_str).collect::<Vec<_>>().join(", "))
}
