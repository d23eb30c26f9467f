//! The messages of ONNX that a model is made of, as they lie in the file. Other fields are skipped.
//!
//! Numbers of fields: `onnx.proto` of ONNX 1.18.

use super::wire::{Content, Message};
use crate::malformed::Malformed;

/// `ModelProto`.
#[derive(Debug, Default)]
pub(super) struct ModelProto<'a> {
    /// Of the domain that has ONNX' own operators.
    pub opset: Option<i64>,
    pub graph: Option<GraphProto<'a>>,
}

/// `GraphProto`.
#[derive(Debug, Default)]
pub(super) struct GraphProto<'a> {
    pub nodes: Vec<NodeProto<'a>>,
    pub initializers: Vec<TensorProto<'a>>,
    pub inputs: Vec<ValueInfoProto<'a>>,
    pub outputs: Vec<ValueInfoProto<'a>>,
}

/// `NodeProto`.
#[derive(Debug, Default)]
pub(super) struct NodeProto<'a> {
    pub inputs: Vec<&'a str>,
    pub outputs: Vec<&'a str>,
    pub name: &'a str,
    pub operator: &'a str,
    pub domain: &'a str,
    pub attributes: Vec<AttributeProto<'a>>,
    /// The message itself.
    pub bytes: &'a [u8],
}

/// `AttributeProto`: of these, the one that the operator says is asked for.
#[derive(Debug, Default)]
pub(super) struct AttributeProto<'a> {
    pub name: &'a str,
    pub float: Option<f32>,
    pub int: Option<i64>,
    pub text: Option<&'a [u8]>,
    pub tensor: Option<TensorProto<'a>>,
    pub floats: Vec<f32>,
    pub ints: Vec<i64>,
    /// `AttributeProto.AttributeType`, where the file says it.
    pub kind: Option<i64>,
}

/// `TensorProto`.
#[derive(Clone, Debug, Default)]
pub(super) struct TensorProto<'a> {
    pub name: &'a str,
    pub dims: Vec<i64>,
    pub data_type: i64,
    pub raw: Option<&'a [u8]>,
    pub floats: Vec<f32>,
    pub ints: Vec<i64>,
    pub is_external: bool,
}

/// `ValueInfoProto`, with what is said of a tensor.
#[derive(Debug, Default)]
pub(super) struct ValueInfoProto<'a> {
    pub name: &'a str,
    pub data_type: Option<i64>,
    /// `None` where the rank isn't said; a dimension of `None` has no fixed extent.
    pub dims: Option<Vec<Option<i64>>>,
}

impl<'a> ModelProto<'a> {
    pub fn read(bytes: &'a [u8]) -> Result<ModelProto<'a>, Malformed> {
        let (mut message, mut model) = (Message::of_file(bytes), ModelProto::default());
        while let Some((field, content)) = message.field()? {
            let found = Found { message: "ModelProto", field, content, at: message.position() };
            match field {
                7 => model.graph = Some(GraphProto::read(found.message()?)?),
                8 => {
                    let (domain, version) = operator_set(found.message()?)?;
                    if is_own(domain) {
                        model.opset = Some(version);
                    }
                }
                _ => {}
            }
        }
        Ok(model)
    }
}

/// Whether a domain is that of ONNX' own operators.
pub(super) fn is_own(domain: &str) -> bool {
    matches!(domain, "" | "ai.onnx")
}

fn operator_set(mut message: Message<'_>) -> Result<(&str, i64), Malformed> {
    let (mut domain, mut version) = ("", 0);
    while let Some((field, content)) = message.field()? {
        let found = Found { message: "OperatorSetIdProto", field, content, at: message.position() };
        match field {
            1 => domain = found.text()?,
            2 => version = found.int()?,
            _ => {}
        }
    }
    Ok((domain, version))
}

impl<'a> GraphProto<'a> {
    fn read(mut message: Message<'a>) -> Result<GraphProto<'a>, Malformed> {
        let mut graph = GraphProto::default();
        while let Some((field, content)) = message.field()? {
            let found = Found { message: "GraphProto", field, content, at: message.position() };
            match field {
                1 => graph.nodes.push(NodeProto::read(found.message()?)?),
                5 => graph.initializers.push(TensorProto::read(found.message()?)?),
                11 => graph.inputs.push(ValueInfoProto::read(found.message()?)?),
                12 => graph.outputs.push(ValueInfoProto::read(found.message()?)?),
                _ => {}
            }
        }
        Ok(graph)
    }
}

impl<'a> NodeProto<'a> {
    /// A node by its message.
    pub fn of(bytes: &'a [u8]) -> Result<NodeProto<'a>, Malformed> {
        NodeProto::read(Message::of_file(bytes))
    }

    fn read(mut message: Message<'a>) -> Result<NodeProto<'a>, Malformed> {
        let mut node = NodeProto { bytes: message.bytes(), ..NodeProto::default() };
        while let Some((field, content)) = message.field()? {
            let found = Found { message: "NodeProto", field, content, at: message.position() };
            match field {
                1 => node.inputs.push(found.text()?),
                2 => node.outputs.push(found.text()?),
                3 => node.name = found.text()?,
                4 => node.operator = found.text()?,
                5 => node.attributes.push(AttributeProto::read(found.message()?)?),
                7 => node.domain = found.text()?,
                _ => {}
            }
        }
        Ok(node)
    }
}

impl<'a> AttributeProto<'a> {
    fn read(mut message: Message<'a>) -> Result<AttributeProto<'a>, Malformed> {
        let mut attribute = AttributeProto::default();
        while let Some((field, content)) = message.field()? {
            let found = Found { message: "AttributeProto", field, content, at: message.position() };
            match field {
                1 => attribute.name = found.text()?,
                2 => attribute.float = Some(found.float()?),
                3 => attribute.int = Some(found.int()?),
                4 => attribute.text = Some(found.message()?.bytes()),
                5 => attribute.tensor = Some(TensorProto::read(found.message()?)?),
                7 => found.floats(&mut attribute.floats)?,
                8 => found.ints(&mut attribute.ints)?,
                20 => attribute.kind = Some(found.int()?),
                _ => {}
            }
        }
        Ok(attribute)
    }
}

impl<'a> TensorProto<'a> {
    fn read(mut message: Message<'a>) -> Result<TensorProto<'a>, Malformed> {
        let mut tensor = TensorProto::default();
        while let Some((field, content)) = message.field()? {
            let found = Found { message: "TensorProto", field, content, at: message.position() };
            match field {
                1 => found.ints(&mut tensor.dims)?,
                2 => tensor.data_type = found.int()?,
                4 => found.floats(&mut tensor.floats)?,
                5 | 7 => found.ints(&mut tensor.ints)?,
                8 => tensor.name = found.text()?,
                9 => tensor.raw = Some(found.message()?.bytes()),
                13 => tensor.is_external = true,
                14 => tensor.is_external |= found.int()? == 1,
                _ => {}
            }
        }
        Ok(tensor)
    }
}

impl<'a> ValueInfoProto<'a> {
    fn read(mut message: Message<'a>) -> Result<ValueInfoProto<'a>, Malformed> {
        let mut value = ValueInfoProto::default();
        while let Some((field, content)) = message.field()? {
            let found = Found { message: "ValueInfoProto", field, content, at: message.position() };
            match field {
                1 => value.name = found.text()?,
                2 => value.read_type(found.message()?)?,
                _ => {}
            }
        }
        Ok(value)
    }

    /// `TypeProto`, and in it `TypeProto.Tensor`; what is no tensor has neither type nor extents.
    fn read_type(&mut self, mut message: Message<'a>) -> Result<(), Malformed> {
        while let Some((field, content)) = message.field()? {
            let found = Found { message: "TypeProto", field, content, at: message.position() };
            if field != 1 {
                continue;
            }
            let mut tensor = found.message()?;
            while let Some((field, content)) = tensor.field()? {
                let found = Found { message: "TypeProto.Tensor", field, content, at: tensor.position() };
                match field {
                    1 => self.data_type = Some(found.int()?),
                    2 => self.dims = Some(dims(found.message()?)?),
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

/// `TensorShapeProto`.
fn dims(mut message: Message<'_>) -> Result<Vec<Option<i64>>, Malformed> {
    let mut dims = Vec::new();
    while let Some((field, content)) = message.field()? {
        let found = Found { message: "TensorShapeProto", field, content, at: message.position() };
        if field != 1 {
            continue;
        }
        let (mut dimension, mut extent) = (found.message()?, None);
        while let Some((field, content)) = dimension.field()? {
            let found = Found { message: "TensorShapeProto.Dimension", field, content, at: dimension.position() };
            if field == 1 {
                extent = Some(found.int()?);
            }
        }
        dims.push(extent);
    }
    Ok(dims)
}

/// A field of a message, to be read as what ONNX says it is.
struct Found<'a> {
    message: &'static str,
    field: u64,
    content: Content<'a>,
    /// Where it ends.
    at: usize,
}

impl<'a> Found<'a> {
    fn other_kind(&self) -> Malformed {
        Malformed::Field { message: self.message, field: self.field, at: self.at }
    }

    fn message(&self) -> Result<Message<'a>, Malformed> {
        match self.content {
            Content::Bytes(message) => Ok(message),
            Content::Number(_) | Content::Four(_) | Content::Eight => Err(self.other_kind()),
        }
    }

    fn text(&self) -> Result<&'a str, Malformed> {
        let text = std::str::from_utf8(self.message()?.bytes());
        text.map_err(|_| Malformed::Text { message: self.message, at: self.at })
    }

    fn int(&self) -> Result<i64, Malformed> {
        match self.content {
            Content::Number(number) => Ok(number.cast_signed()),
            Content::Bytes(_) | Content::Four(_) | Content::Eight => Err(self.other_kind()),
        }
    }

    fn float(&self) -> Result<f32, Malformed> {
        match self.content {
            Content::Four(bytes) => Ok(f32::from_le_bytes(bytes)),
            Content::Bytes(_) | Content::Number(_) | Content::Eight => Err(self.other_kind()),
        }
    }

    /// One number, or a list of them side by side: writers choose.
    fn ints(&self, list: &mut Vec<i64>) -> Result<(), Malformed> {
        if let Content::Bytes(mut message) = self.content {
            while let Some(number) = message.listed()? {
                list.push(number.cast_signed());
            }
            return Ok(());
        }
        list.push(self.int()?);
        Ok(())
    }

    /// As [`Found::ints`].
    fn floats(&self, list: &mut Vec<f32>) -> Result<(), Malformed> {
        let Content::Bytes(message) = self.content else {
            list.push(self.float()?);
            return Ok(());
        };
        let (floats, rest) = message.bytes().as_chunks::<4>();
        if !rest.is_empty() {
            return Err(self.other_kind());
        }
        list.extend(floats.iter().map(|&bytes| f32::from_le_bytes(bytes)));
        Ok(())
    }
}
