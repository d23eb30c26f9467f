//! The custom operators that a model or a plan is read with.

use std::collections::BTreeMap;

use super::{CustomOperator, InvalidCustomOperator};

/// Operators of a user's own, by their names: a model, or a plan from a file, is read with them.
///
/// They come before the library's: one of the name of an operator that is known here takes its place.
#[derive(Clone, Debug, Default)]
pub struct CustomOperators(BTreeMap<String, CustomOperator>);

impl CustomOperators {
    /// Returns none.
    pub fn new() -> CustomOperators {
        CustomOperators::default()
    }

    /// Adds an operator.
    ///
    /// # Errors
    /// [`InvalidCustomOperator`]: one of its name is there already; or its kernel is none that a plan can run: of tables, of several
    /// outputs or an `#[inout]` image, of more than 7 images, of images with channels or with other elements than `f32`, `i8`, `u8` and
    /// `i32`; or something is said of an argument that the kernel lacks.
    pub fn add(&mut self, operator: CustomOperator) -> Result<(), InvalidCustomOperator> {
        operator.check()?;
        if self.0.contains_key(&operator.name) {
            return Err(InvalidCustomOperator::Twice { operator: operator.name });
        }
        self.0.insert(operator.name.clone(), operator);
        Ok(())
    }

    /// Returns the operator of a name.
    pub fn find(&self, name: &str) -> Option<&CustomOperator> {
        self.0.get(name)
    }
}
