//! The form of the JSON.

use std::{collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, Visitor},
};

/// Whether bytes begin as JSON of an object does, and as no file of another format.
pub(crate) fn is_file(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().first() == Some(&b'{')
}

/// The whole.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Graph {
    pub nodes: Vec<NodeForm>,
    /// What is the graph's outputs.
    pub heads: Vec<Entry>,
    /// Nodes that read nothing, in the order in which tensors are given.
    pub arg_nodes: Option<Vec<usize>>,
    /// How many outputs lie before each node, and how many there are.
    pub node_row_ptr: Option<Vec<usize>>,
    #[serde(rename = "symbol")]
    pub _symbol: Option<String>,
}

/// An input, a constant or a kernel.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NodeForm {
    pub op: String,
    pub name: String,
    #[serde(default)]
    pub inputs: Vec<Entry>,
    #[serde(default, alias = "attr")]
    pub attrs: Attributes,
}

/// One of a node's outputs: `[node, output]`, or with a version that is not used.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "Vec<usize>")]
pub(super) struct Entry {
    pub node: usize,
    pub output: usize,
}

impl TryFrom<Vec<usize>> for Entry {
    type Error = String;

    fn try_from(numbers: Vec<usize>) -> Result<Entry, String> {
        match numbers[..] {
            [node, output] | [node, output, _] => Ok(Entry { node, output }),
            _ => Err(format!("an entry has {} numbers; it has a node, an output and a version", numbers.len())),
        }
    }
}

/// What is said of a node.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    /// Numbers of inputs and outputs.
    pub counts: BTreeMap<String, String>,
    /// One for each output.
    pub shapes: Vec<Vec<i64>>,
    /// One for each output.
    pub types: Vec<String>,
    /// All others.
    pub lists: BTreeMap<String, Vec<String>>,
}

/// The list in a list that all attributes are but the counts.
struct InList<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for InList<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<InList<T>, D::Error> {
        <[T; 1]>::deserialize(deserializer).map(|[inner]| InList(inner))
    }
}

impl<'de> Deserialize<'de> for Attributes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Attributes, D::Error> {
        deserializer.deserialize_map(AttributesVisitor)
    }
}

struct AttributesVisitor;

impl<'de> Visitor<'de> for AttributesVisitor {
    type Value = Attributes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("attributes, each a list with one list of strings")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Attributes, A::Error> {
        let mut found = Attributes::default();
        let mut are_said = [false; 2];
        while let Some(name) = map.next_key::<String>()? {
            let is_twice = match name.as_str() {
                "num_inputs" | "num_outputs" => {
                    let count = map.next_value()?;
                    found.counts.insert(name.clone(), count).is_some()
                }
                "shape" => {
                    InList(found.shapes) = map.next_value()?;
                    std::mem::replace(&mut are_said[0], true)
                }
                "dtype" => {
                    InList(found.types) = map.next_value()?;
                    std::mem::replace(&mut are_said[1], true)
                }
                _ => {
                    let InList(list) = map.next_value()?;
                    found.lists.insert(name.clone(), list).is_some()
                }
            };
            if is_twice {
                return Err(A::Error::custom(format_args!("the attribute `{name}` stands here twice")));
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_lie_in_lists() {
        let attributes = |text| serde_json::from_str::<Attributes>(text).map_err(|error| error.to_string());
        let found =
            attributes(r#"{"shape":[[[1,2],[]]],"dtype":[["int8"]],"num_inputs":"2","axis":[["-1"]]}"#).unwrap();
        assert_eq!((found.shapes, found.types), (vec![vec![1, 2], vec![]], vec!["int8".to_owned()]));
        assert_eq!((&found.counts["num_inputs"], &found.lists["axis"]), (&"2".to_owned(), &vec!["-1".to_owned()]));
        let error = attributes(r#"{"axis":[["-1"],["1"]]}"#).unwrap_err();
        assert!(error.contains("trailing characters") || error.contains("invalid length"), "{error}");
        assert!(attributes(r#"{"axis":["-1"]}"#).is_err());
        assert!(attributes(r#"{"axis":[[1]]}"#).is_err());
        let error = attributes(r#"{"axis":[["1"]],"axis":[["2"]]}"#).unwrap_err();
        assert!(error.contains("the attribute `axis` stands here twice"), "{error}");
    }

    #[test]
    fn entries_have_two_numbers_or_three() {
        let entry = |text| serde_json::from_str::<Entry>(text).map(|entry| (entry.node, entry.output));
        assert_eq!((entry("[3,1]").unwrap(), entry("[3,1,7]").unwrap()), ((3, 1), (3, 1)));
        assert!(entry("[3]").is_err() && entry("[1,2,3,4]").is_err() && entry("[-1,0,0]").is_err());
    }
}
