//! A call of a custom operator's kernel, in a plan and in its file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use windrow::{InvalidConfiguration, TensorInfo, family::Values, spec::Request};

use super::{Attribute, CustomNodeError, CustomOperator, CustomOperators, attribute::AttributeForm};
use crate::configured::AnyConfigured;

/// The operator, its kernel, and the values of that kernel's uniforms and variants by their names.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CustomCall {
    pub operator: String,
    pub kernel: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    arguments: BTreeMap<String, AttributeForm>,
    /// `None` of one from a file, until its operator is found.
    #[serde(skip)]
    resolved: Option<Resolved>,
}

impl PartialEq for CustomCall {
    fn eq(&self, other: &CustomCall) -> bool {
        let of = |call: &CustomCall| (call.operator.clone(), call.kernel.clone(), call.arguments.clone());
        of(self) == of(other)
    }
}

/// An operator with the words of its uniforms and the numbers of its variants' values.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    operator: CustomOperator,
    pub words: Vec<u32>,
    pub choice: Vec<u32>,
}

impl Resolved {
    pub fn new(operator: &CustomOperator, arguments: &[(String, Attribute)]) -> Result<Resolved, CustomNodeError> {
        let spec = operator.spec();
        let dims = |name: &str| spec.uniforms().find(|(own, _)| *own == name).map_or(&[][..], |(_, own)| own.dims);
        let values: Vec<_> = arguments.iter().map(|(name, value)| (name.as_str(), value.value(dims(name)))).collect();
        let Values { words, choice, .. } = Values::of(spec, &values)?;
        Ok(Resolved { operator: operator.clone(), words, choice })
    }
}

/// Why a call from a file has no operator.
pub(crate) enum Unresolved {
    /// There is none of its name.
    Operator,
    /// The one of its name has another kernel.
    Kernel(&'static str),
    /// The kernel does not take the call's values.
    Values(CustomNodeError),
}

impl CustomCall {
    pub(super) fn new(resolved: Resolved, arguments: Vec<(String, Attribute)>) -> CustomCall {
        let (operator, kernel) = (resolved.operator.name.clone(), resolved.operator.spec().name.to_owned());
        let arguments = arguments.into_iter().map(|(name, value)| (name, value.into())).collect();
        CustomCall { operator, kernel, arguments, resolved: Some(resolved) }
    }

    /// Finds the operator of a call from a file.
    pub fn resolve(&mut self, operators: &CustomOperators) -> Result<(), Unresolved> {
        let operator = operators.find(&self.operator).ok_or(Unresolved::Operator)?;
        let kernel = operator.spec().name;
        if kernel != self.kernel {
            return Err(Unresolved::Kernel(kernel));
        }
        let known: Vec<&str> = operator.arguments().map(|argument| argument.name).collect();
        if let Some(attribute) = self.arguments.keys().find(|name| !known.contains(&name.as_str())).cloned() {
            let known = known.into_iter().map(str::to_owned).collect();
            return Err(Unresolved::Values(CustomNodeError::UnknownAttribute { attribute, known }));
        }
        let arguments: Vec<(String, Attribute)> =
            self.arguments.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect();
        self.resolved = Some(Resolved::new(operator, &arguments).map_err(Unresolved::Values)?);
        Ok(())
    }

    /// The kernel's name.
    pub fn name(&self) -> &'static str {
        self.resolved.as_ref().map_or("custom", |resolved| resolved.operator.spec().name)
    }

    /// How many tensors it reads.
    pub fn inputs(&self) -> usize {
        self.resolved.as_ref().map_or(0, |resolved| resolved.operator.spec().images().count())
    }

    /// Configures the kernel; `None` where the operator is not found yet.
    pub fn configure(
        &self,
        inputs: &[TensorInfo],
        output: &TensorInfo,
    ) -> Option<Result<Box<dyn AnyConfigured>, InvalidConfiguration>> {
        let Resolved { operator, words, choice } = self.resolved.as_ref()?;
        let inputs: Vec<&TensorInfo> = inputs.iter().collect();
        let (outputs, border) = ([Some(output)], operator.border);
        let request = Request { inputs: &inputs, outputs: &outputs, words, choice, border };
        Some((operator.configure)(&request))
    }
}
