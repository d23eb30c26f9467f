//! A node that is a custom operator: its attributes, and what follows from them and from what it reads.

use windrow::{
    ElementType, TensorInfo, ValidRegion,
    spec::{ArgumentSpec, Request, infer_with_uniforms, validate},
    tensor::Quantization,
};

use super::{
    Attribute, CustomNode, CustomNodeError, CustomOperator,
    call::{CustomCall, Resolved},
    operator::Source,
};

/// What a node is that a custom operator computes.
#[derive(Clone, Debug)]
pub struct Custom {
    pub(crate) operator: CustomOperator,
    attributes: Vec<(String, Attribute)>,
    /// Whether the kernel takes images with their channels last, which the model has first.
    pub(crate) is_turned: bool,
}

/// What a node reads, and what the integers of its output stand for.
pub(crate) struct Tensors<'n> {
    /// Of each input the type of its elements, its extents in the model, and what its integers stand for.
    pub inputs: Vec<(ElementType, &'n [usize], Option<Quantization>)>,
    pub output: Option<Quantization>,
}

impl PartialEq for Custom {
    fn eq(&self, other: &Custom) -> bool {
        let of = |custom: &Custom| (custom.operator.name.clone(), custom.is_turned);
        of(self) == of(other) && self.attributes == other.attributes
    }
}

impl Custom {
    /// A node with these attributes, of a file whose images have their channels first, or last.
    pub(crate) fn new(
        operator: &CustomOperator,
        attributes: Vec<(String, Attribute)>,
        has_channels_first: bool,
    ) -> Result<Custom, CustomNodeError> {
        let known = operator.attributes();
        if let Some((attribute, _)) = attributes.iter().find(|(attribute, _)| !known.contains(attribute)) {
            return Err(CustomNodeError::UnknownAttribute { attribute: attribute.clone(), known });
        }
        let takes_last = operator.takes_channels_last || !has_channels_first;
        let is_turned = takes_last && !operator.is_element_wise();
        let custom = Custom { operator: operator.clone(), attributes, is_turned };
        for argument in operator.arguments() {
            if let Source::Attribute { name, default } = operator.source(argument.name) {
                custom.given(argument.name, name, default)?;
            }
        }
        Ok(custom)
    }

    /// Returns the name of its operator.
    pub fn name(&self) -> &str {
        self.operator.name()
    }

    /// Returns the node's attributes, in the order of the file.
    pub fn attributes(&self) -> &[(String, Attribute)] {
        &self.attributes
    }

    /// The value of an argument that is an attribute.
    fn given(
        &self,
        argument: &'static str,
        name: &str,
        default: Option<&Attribute>,
    ) -> Result<Attribute, CustomNodeError> {
        let own = self.attributes.iter().find(|(own, _)| own == name).map(|(_, attribute)| attribute);
        own.or(default).cloned().ok_or_else(|| {
            let (attribute, kernel) = (name.to_owned(), self.operator.spec().name);
            CustomNodeError::MissingAttribute { attribute, argument, kernel }
        })
    }

    /// The call that computes it, and the extents of what it writes, as the model has them.
    pub(crate) fn call(&self, tensors: &Tensors<'_>) -> Result<(CustomCall, Vec<usize>), CustomNodeError> {
        let mut inputs = Vec::new();
        for (element, extents, quantization) in &tensors.inputs {
            let info = TensorInfo::new(*element, 1, &self.turned(extents))?;
            inputs.push(quantization.map_or(info, |found| info.with_quantization(found)));
        }
        let node = CustomNode { attributes: &self.attributes, inputs: &inputs, output: tensors.output };
        let arguments = self.values(&node)?;
        let resolved = Resolved::new(&self.operator, &arguments)?;
        let extents = self.written(&node, &resolved)?;
        Ok((CustomCall::new(resolved, arguments), self.turned_back(&extents)))
    }

    /// The values of the kernel's uniforms and variants.
    fn values(&self, node: &CustomNode<'_>) -> Result<Vec<(String, Attribute)>, CustomNodeError> {
        let value = |argument: &'static ArgumentSpec| {
            let value = match self.operator.source(argument.name) {
                Source::Attribute { name, default } => self.given(argument.name, name, default)?,
                Source::Computed { compute, .. } => compute(node)
                    .map_err(|reason| CustomNodeError::Computed { what: argument.name.to_owned(), reason })?,
            };
            Ok((argument.name.to_owned(), value))
        };
        self.operator.arguments().map(value).collect()
    }

    /// The extents of what the kernel writes: all of it.
    fn written(&self, node: &CustomNode<'_>, resolved: &Resolved) -> Result<Vec<usize>, CustomNodeError> {
        let spec = self.operator.spec();
        let plain: Vec<TensorInfo> = node.inputs.iter().copied().map(TensorInfo::without_quantization).collect();
        let inputs: Vec<&TensorInfo> = plain.iter().collect();
        let (words, border) = (&resolved.words[..], self.operator.border);
        let extents = match &self.operator.extents {
            Some(compute) => {
                let what = "extents".to_owned();
                compute(node).map_err(|reason| CustomNodeError::Computed { what, reason })?
            }
            None => infer_with_uniforms(spec, &inputs, words, border.modes())?.shape().extents().to_vec(),
        };
        let element = self.operator.output();
        let info = TensorInfo::new(element, 1, &extents)?;
        let request = Request { inputs: &inputs, outputs: &[Some(&info)], words, choice: &resolved.choice, border };
        if validate(spec, &request)?.valid_region() != ValidRegion::whole(info.shape()) {
            return Err(CustomNodeError::Incomplete { kernel: spec.name });
        }
        Ok(extents)
    }

    /// Extents as the kernel has them.
    fn turned(&self, extents: &[usize]) -> Vec<usize> {
        match extents {
            &[n, c, h, w] if self.is_turned => vec![n, h, w, c],
            _ => extents.to_vec(),
        }
    }

    /// Extents as the model has them.
    fn turned_back(&self, extents: &[usize]) -> Vec<usize> {
        match extents {
            &[n, h, w, c] if self.is_turned => vec![n, c, h, w],
            _ => extents.to_vec(),
        }
    }
}
