//! The attributes of one node, by name.

use super::proto::{AttributeProto, NodeProto};
use crate::error::ModelError;

/// A node of the file, and the version of the operators that it means.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attributes<'p, 'a> {
    pub node: &'p NodeProto<'a>,
    /// The node's name in errors.
    pub name: &'p str,
    /// The operator of floats that it is one of, or that it computes with integers.
    pub kind: &'p str,
    pub version: i64,
}

impl<'p, 'a> Attributes<'p, 'a> {
    pub fn get(&self, name: &str) -> Option<&'p AttributeProto<'a>> {
        self.node.attributes.iter().find(|attribute| attribute.name == name)
    }

    pub fn int(&self, name: &str, otherwise: i64) -> i64 {
        self.get(name).and_then(|attribute| attribute.int).unwrap_or(otherwise)
    }

    pub fn is_set(&self, name: &str) -> bool {
        self.int(name, 0) != 0
    }

    pub fn float(&self, name: &str, otherwise: f32) -> f32 {
        self.get(name).and_then(|attribute| attribute.float).unwrap_or(otherwise)
    }

    pub fn text(&self, name: &str) -> Option<&'a [u8]> {
        self.get(name)?.text
    }

    pub fn ints(&self, name: &str) -> Option<&'p [i64]> {
        self.get(name).map(|attribute| attribute.ints.as_slice())
    }

    /// As many numbers as the operator has dimensions or sides, each in a range; `None` where there are none or not as many.
    pub fn sizes<const N: usize>(
        &self,
        name: &'static str,
        range: std::ops::RangeInclusive<i64>,
    ) -> Result<Option<[usize; N]>, ModelError> {
        let Some(ints) = self.ints(name).filter(|ints| ints.len() == N) else { return Ok(None) };
        let mut sizes = [0; N];
        for (size, int) in sizes.iter_mut().zip(ints) {
            let fits = usize::try_from(*int).ok().filter(|_| range.contains(int));
            *size = fits.ok_or_else(|| self.refused(name, format!("{ints:?}"), "it has numbers that no window has"))?;
        }
        Ok(Some(sizes))
    }

    pub fn refused(&self, attribute: &'static str, found: String, rule: &'static str) -> ModelError {
        ModelError::Attribute { node: self.name.to_owned(), attribute, found, rule }
    }
}
