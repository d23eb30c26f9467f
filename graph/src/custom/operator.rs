//! What a user says of a kernel, so that nodes of a model are computed by it.

use std::{fmt, sync::Arc};

use windrow::{
    Border, Borders, ElementType, InvalidConfiguration, Kernel, KernelSpec,
    spec::{ArgumentKind, ArgumentSpec, Request, configure},
};

use super::{Attribute, CustomNode, CustomNodeError, InvalidCustomOperator};
use crate::{configured::AnyConfigured, slot::MAX_BUFFERS};

/// An operator of a user's own: the kernel that computes the nodes of a name.
///
/// ```
/// use windrow::{Serial, prelude::*};
/// use windrow_graph::{CustomOperator, CustomOperators, Model};
///
/// /// x, as far as its magnitude is above a level; 0 elsewhere.
/// #[kernel]
/// pub fn keep_above(x: f32, #[uniform] level: f32) -> f32 {
///     if x.abs() > level { x } else { 0.0 }
/// }
///
/// let mut operators = CustomOperators::new();
/// operators.add(CustomOperator::new::<keep_above>("com.example.KeepAbove").default("level", 0.5f32))?;
///
/// // `y = KeepAbove<level = 2.0>(x)`, of two rows and three columns.
/// let file = include_bytes!("../../tests/models/custom/keep_above.onnx");
/// let plan = Model::from_onnx_with(file, &operators)?.plan()?;
/// let x = View::from_slice(&[1.0f32, -3.0, 2.0, 2.5, -0.5, 9.0], [2, 3])?;
/// assert_eq!(plan.apply::<f32>(&Serial, &[x.any()])?[0].to_vec(), [0.0, -3.0, 0.0, 2.5, 0.0, 9.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The name is that which [`Node::kind`](crate::Node::kind) returns: of ONNX the operator's with its domain before it, or alone where the
/// domain is ONNX' own; of TFLite that of the custom operator.
///
/// The inputs of a node are the kernel's images, in order, and its first output is what the kernel writes. **Each uniform and each
/// variant is the attribute of its name**, unless a method below says something else; lists are arrays, and a text names a variant's value.
/// **The extents of the output follow from the kernel**: from what it reads, and from its `window(..)`.
///
/// Tensors have the dimensions of the file, in its order: an image is `[image, channel, row, column]` in ONNX, and `[image, row,
/// column, channel]` in TFLite. A kernel of fewer dimensions runs over all further ones, plane by plane.
#[derive(Clone)]
pub struct CustomOperator {
    pub(super) name: String,
    spec: &'static KernelSpec,
    pub(super) configure: fn(&Request<'_>) -> Result<Box<dyn AnyConfigured>, InvalidConfiguration>,
    settings: Vec<(String, Setting)>,
    pub(super) border: Borders,
    pub(super) extents: Option<Arc<Extents>>,
    pub(super) takes_channels_last: bool,
}

/// How an argument is found that is not the attribute of its name.
#[derive(Clone)]
enum Setting {
    Attribute(String),
    Default(Attribute),
    Computed { reads: Vec<String>, compute: Arc<Compute> },
}

type Compute = dyn Fn(&CustomNode<'_>) -> Result<Attribute, String> + Send + Sync;
pub(super) type Extents = dyn Fn(&CustomNode<'_>) -> Result<Vec<usize>, String> + Send + Sync;

/// Where the value of an argument comes from.
pub(super) enum Source<'o> {
    Attribute { name: &'o str, default: Option<&'o Attribute> },
    Computed { reads: &'o [String], compute: &'o Compute },
}

impl CustomOperator {
    /// Returns the operator of this name, which `K` computes.
    pub fn new<K: Kernel>(name: &str) -> CustomOperator {
        CustomOperator {
            name: name.to_owned(),
            spec: K::CODE.spec(),
            configure: |request| Ok(Box::new(configure::<K>(request)?)),
            settings: Vec::new(),
            border: Border::Undefined.into(),
            extents: None,
            takes_channels_last: false,
        }
    }

    /// Has an argument be the attribute of another name.
    pub fn attribute(self, argument: &str, attribute: &str) -> CustomOperator {
        self.with(argument, Setting::Attribute(attribute.to_owned()))
    }

    /// Gives an argument a value for nodes without its attribute.
    pub fn default(self, argument: &str, value: impl Into<Attribute>) -> CustomOperator {
        self.with(argument, Setting::Default(value.into()))
    }

    /// Has an argument be computed of these attributes, and of the tensors that the node reads. Where the function returns a text,
    /// that is why the node is refused.
    pub fn computed(
        self,
        argument: &str,
        attributes: &[&str],
        compute: impl Fn(&CustomNode<'_>) -> Result<Attribute, String> + Send + Sync + 'static,
    ) -> CustomOperator {
        let reads = attributes.iter().map(|&attribute| attribute.to_owned()).collect();
        self.with(argument, Setting::Computed { reads, compute: Arc::new(compute) })
    }

    /// Says the extents of the output, for a kernel whose output has those that the caller gives it. Where the function returns a
    /// text, that is why the node is refused.
    #[must_use]
    pub fn extents(
        self,
        compute: impl Fn(&CustomNode<'_>) -> Result<Vec<usize>, String> + Send + Sync + 'static,
    ) -> CustomOperator {
        CustomOperator { extents: Some(Arc::new(compute)), ..self }
    }

    /// Says what the kernel finds beyond the edges of what it reads.
    #[must_use]
    pub fn border(self, border: impl Into<Borders>) -> CustomOperator {
        CustomOperator { border: border.into(), ..self }
    }

    /// Says that the kernel takes and gives images, tensors of four dimensions, as `[image, row, column, channel]`, whatever the file
    /// has. That is how a plan keeps them, so that such a kernel reads elements side by side.
    #[must_use]
    pub fn channels_last(self) -> CustomOperator {
        CustomOperator { takes_channels_last: true, ..self }
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn with(mut self, argument: &str, setting: Setting) -> CustomOperator {
        self.settings.push((argument.to_owned(), setting));
        self
    }

    pub(crate) fn spec(&self) -> &'static KernelSpec {
        self.spec
    }

    /// The type of what the kernel writes.
    pub(crate) fn output(&self) -> ElementType {
        self.spec().outputs.first().map_or(ElementType::F32, |output| output.element)
    }

    /// Says that a node's inputs are those that the kernel reads, of its types. `found` tells the type of a value, `None` where it is
    /// not computed with.
    pub(crate) fn check_inputs<V: Copy>(
        &self,
        inputs: &[Option<V>],
        found: impl Fn(V) -> Option<ElementType>,
    ) -> Result<(), CustomNodeError> {
        let (spec, kernel) = (self.spec(), self.spec().name);
        let expected = spec.images().count();
        if inputs.len() != expected {
            return Err(CustomNodeError::InputCount { kernel, found: inputs.len(), expected });
        }
        for ((argument, image), input) in spec.images().zip(inputs) {
            let input = input.ok_or(CustomNodeError::LeftOut { kernel, argument })?;
            let (found, expected) = (found(input), image.element);
            if found != Some(expected) {
                return Err(CustomNodeError::InputType { kernel, argument, found, expected });
            }
        }
        Ok(())
    }

    /// Where the value of an argument comes from: the last that is said of it.
    pub(super) fn source(&self, argument: &'static str) -> Source<'_> {
        let own = || self.settings.iter().rev().filter(|(name, _)| name == argument).map(|(_, setting)| setting);
        let computed = own().find_map(|setting| match setting {
            Setting::Computed { reads, compute } => Some(Source::Computed { reads, compute: &**compute }),
            Setting::Attribute(_) | Setting::Default(_) => None,
        });
        computed.unwrap_or_else(|| Source::Attribute {
            name: own().find_map(Setting::name).unwrap_or(argument),
            default: own().find_map(Setting::default),
        })
    }

    /// The kernel's uniforms and variants.
    pub(super) fn arguments(&self) -> impl Iterator<Item = &'static ArgumentSpec> + use<> {
        self.spec().arguments.iter().filter(|argument| !matches!(argument.kind, ArgumentKind::Input(_)))
    }

    /// The names of all attributes that are read.
    pub(super) fn attributes(&self) -> Vec<String> {
        let of = |argument: &'static ArgumentSpec| match self.source(argument.name) {
            Source::Attribute { name, .. } => vec![name.to_owned()],
            Source::Computed { reads, .. } => reads.to_vec(),
        };
        self.arguments().flat_map(of).collect()
    }

    /// Whether each element is computed from those at its own place alone, so that the dimensions may have any order.
    pub(crate) fn is_element_wise(&self) -> bool {
        let spec = self.spec();
        let follows = spec.window.is_none() && spec.extents.is_empty() && self.extents.is_none();
        follows && !spec.coordinates && spec.read_images().all(|(_, input)| input.is_element_wise())
    }

    /// Says that a step of a plan can run the kernel, and that what is said of its arguments is said of some that it has.
    pub(super) fn check(&self) -> Result<(), InvalidCustomOperator> {
        let (operator, kernel) = (self.name.clone(), self.spec().name);
        if let Err((found, rule)) = runs(self.spec()) {
            return Err(InvalidCustomOperator::Kernel { operator, kernel, found, rule });
        }
        let known: Vec<&str> = self.arguments().map(|argument| argument.name).collect();
        match self.settings.iter().find(|(argument, _)| !known.contains(&argument.as_str())) {
            Some((argument, _)) => {
                let argument = argument.clone();
                Err(InvalidCustomOperator::Argument { operator, kernel, argument, known })
            }
            None => Ok(()),
        }
    }
}

impl Setting {
    fn name(&self) -> Option<&str> {
        match self {
            Setting::Attribute(name) => Some(name),
            Setting::Default(_) | Setting::Computed { .. } => None,
        }
    }

    fn default(&self) -> Option<&Attribute> {
        match self {
            Setting::Default(value) => Some(value),
            Setting::Attribute(_) | Setting::Computed { .. } => None,
        }
    }
}

/// The types of elements that values of a model have.
const ELEMENTS: [ElementType; 4] = [ElementType::F32, ElementType::I8, ElementType::U8, ElementType::I32];

/// Whether a step of a plan can run a kernel; what it has that no step has, and the rule.
fn runs(spec: &'static KernelSpec) -> Result<(), (String, &'static str)> {
    if let Some((table, ..)) = spec.tables().next() {
        return Err((format!("a table `{table}`"), "the inputs of a node are images"));
    }
    if let Some((image, _)) = spec.images().find(|(_, input)| input.inout.is_some()) {
        return Err((
            format!("an image `{image}` that it writes into"),
            "a step of a plan writes nothing that it reads",
        ));
    }
    let [output] = spec.outputs else {
        return Err((format!("{} outputs", spec.outputs.len()), "a step of a plan writes one tensor"));
    };
    let inputs = spec.images().map(|(name, input)| (name, input.element, input.channels));
    for (name, element, channels) in inputs.chain([(output.name, output.element, output.channels)]) {
        if channels != 1 {
            let rule = "elements of a model's values are single numbers: channels are a dimension";
            return Err((format!("{channels} channels in `{name}`"), rule));
        }
        if !ELEMENTS.contains(&element) {
            let rule = "a model's values have elements f32, i8, u8 or i32";
            return Err((format!("elements {} in `{name}`", element.name()), rule));
        }
    }
    match spec.images().count() {
        0 => Err(("no image that it reads".to_owned(), "a node computes something of what it reads")),
        count if count >= MAX_BUFFERS => Err((format!("{count} images"), "a step of a plan reads at most 7 tensors")),
        _ => Ok(()),
    }
}

impl fmt::Debug for CustomOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut operator = f.debug_struct("CustomOperator");
        operator.field("name", &self.name).field("kernel", &self.spec().name).finish_non_exhaustive()
    }
}
