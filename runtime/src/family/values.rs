//! What a kernel is configured with beside its images, in its own order.

use super::{FamilyError, Value};
use crate::{
    arguments::AnyTable,
    spec::{ArgumentKind, ArgumentSpec, KernelSpec},
};
use std::{
    format,
    string::{String, ToString},
    vec::Vec,
};

/// What a kernel is configured with beside its images.
#[derive(Clone, Debug, Default)]
pub struct Values<'a> {
    /// The words of the uniforms, in argument order.
    pub words: Vec<u32>,
    /// The number of the value chosen for each variant.
    pub choice: Vec<u32>,
    /// The tables, in argument order.
    pub tables: Vec<AnyTable<'a>>,
}

impl<'a> Values<'a> {
    /// Returns what a kernel needs of these values by name, the last of a name. Others are left out.
    ///
    /// # Errors
    /// A value is missing or wrong.
    pub fn of(spec: &'static KernelSpec, values: &[(&str, Value<'a>)]) -> Result<Values<'a>, FamilyError> {
        let mut arguments = Values::default();
        for argument in spec.arguments.iter().filter(|argument| !matches!(argument.kind, ArgumentKind::Input(_))) {
            let (kernel, name) = (|| spec.name.to_string(), || argument.name.to_string());
            let set = values.iter().rev().find(|(known, _)| *known == argument.name);
            let Some((_, value)) = set else {
                return Err(FamilyError::Missing { kernel: kernel(), argument: name() });
            };
            arguments.take(argument, value).ok_or_else(|| FamilyError::Value {
                kernel: kernel(),
                argument: name(),
                found: value.describe(),
                expected: expected(argument, value),
            })?;
        }
        Ok(arguments)
    }

    fn take(&mut self, argument: &ArgumentSpec, value: &Value<'a>) -> Option<()> {
        match (&argument.kind, value) {
            (ArgumentKind::Uniform(uniform), value) => self.words.extend(value.words(uniform.element, uniform.dims)?),
            (ArgumentKind::Variant { values, .. }, Value::Variant(name)) => {
                let chosen = values.iter().position(|known| known.eq_ignore_ascii_case(name))?;
                self.choice.push(chosen as u32);
            }
            (ArgumentKind::Table { element, length }, Value::Table(table)) => {
                let fits = (table.element, table.length) == (*element, *length as usize);
                self.tables.push(fits.then_some(*table)?);
            }
            (ArgumentKind::Input(_) | ArgumentKind::Variant { .. } | ArgumentKind::Table { .. }, _) => return None,
        }
        Some(())
    }
}

/// What an argument takes, in words.
fn expected(argument: &ArgumentSpec, value: &Value<'_>) -> String {
    match &argument.kind {
        ArgumentKind::Input(_) => "an image".into(),
        ArgumentKind::Uniform(uniform) if uniform.dims.is_empty() => match (uniform.element.integers(), value.scalar())
        {
            (Some((least, greatest)), scalar) => {
                let (least, greatest) = match uniform.bounds {
                    Some((least, greatest)) => (format!("{least:#}"), format!("{greatest:#}")),
                    None => (least.to_string(), greatest.to_string()),
                };
                let is_integer = scalar.is_some_and(|scalar| scalar.element().integers().is_some());
                let of = if is_integer { "" } else { "an integer from " };
                format!("{of}{least} to {greatest}")
            }
            (None, _) => format!("a number that {} holds", uniform.element),
        },
        ArgumentKind::Uniform(uniform) => format!("an array of {} of extents {:?}", uniform.element, uniform.dims),
        ArgumentKind::Variant { values, .. } => {
            // As callers write them.
            let names = values.iter().map(|name| format!("`{}`", name.to_lowercase()));
            format!("one of {}", names.collect::<Vec<_>>().join(", "))
        }
        ArgumentKind::Table { element, length } => format!("a table of {length} {element}"),
    }
}
