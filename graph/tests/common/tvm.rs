//! The JSON of TVM's integration of the Arm Compute Library: in files, and written node by node, right and wrong.

use serde_json::{Value, json};
use windrow::{AnyView, Element, Tensor, TensorInfo};

use super::{path, values};

/// The files of single kernels of floats.
pub const FLOATS: [&str; 13] = [
    "add",
    "avg_pool2d",
    "concatenate",
    "conv2d",
    "dense",
    "depthwise_conv2d",
    "global_avg_pool2d",
    "global_max_pool2d",
    "l2_pool2d",
    "l2_pool2d_pads",
    "max_pool2d",
    "maximum",
    "reshape",
];

/// The files of single kernels of integers.
pub const INTEGERS: [&str; 10] = [
    "avg_pool2d_int8",
    "concatenate_int8",
    "global_avg_pool2d_int8",
    "global_max_pool2d_int8",
    "max_pool2d_int8",
    "qnn_add",
    "qnn_conv2d",
    "qnn_dense",
    "qnn_depthwise_conv2d",
    "reshape_int8",
];

pub fn bytes(name: &str) -> Vec<u8> {
    let path = path("tvm").join(format!("{name}.json"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A tensor of some elements, which is given.
#[derive(Debug)]
pub enum Given {
    Floats(Tensor<f32>),
    Bytes(Tensor<i8>),
    Ints(Tensor<i32>),
}

impl Given {
    /// Numbers by a name: floats around 0, small integers.
    pub fn by_name(name: &str, extents: &[usize], of: &str) -> Given {
        let count = extents.iter().product();
        match of {
            "int8" => Given::Bytes(filled(extents, integers(name, count).into_iter().map(|x| x as i8).collect())),
            "int32" => Given::Ints(filled(extents, integers(name, count))),
            _ => Given::Floats(filled(extents, values(name, count, -1.0, 1.0))),
        }
    }

    pub fn view(&self) -> AnyView<'_> {
        match self {
            Given::Floats(tensor) => tensor.view().any(),
            Given::Bytes(tensor) => tensor.view().any(),
            Given::Ints(tensor) => tensor.view().any(),
        }
    }

    pub fn floats(&self) -> Vec<f32> {
        match self {
            Given::Floats(tensor) => tensor.to_vec(),
            Given::Bytes(tensor) => tensor.to_vec().into_iter().map(f32::from).collect(),
            Given::Ints(tensor) => tensor.to_vec().into_iter().map(|int| int as f32).collect(),
        }
    }
}

fn integers(name: &str, count: usize) -> Vec<i32> {
    values(name, count, -100.0, 100.0).into_iter().map(|x| x.round() as i32).collect()
}

pub fn filled<T: Element<Channel = T>>(extents: &[usize], elements: Vec<T>) -> Tensor<T> {
    let mut tensor = Tensor::with_info(TensorInfo::of::<T>(extents).unwrap()).unwrap();
    tensor.storage_mut().copy_from_slice(&elements);
    tensor
}

/// An input or a constant of some JSON: its name, extents and type.
pub struct Leaf {
    pub name: String,
    pub extents: Vec<usize>,
    pub of: String,
}

/// The inputs or the constants of some JSON.
pub fn leaves(json: &[u8], op: &str) -> Vec<Leaf> {
    let json: Value = serde_json::from_slice(json).unwrap();
    let nodes = json["nodes"].as_array().unwrap().iter().filter(|node| node["op"] == op);
    let leaf = |node: &Value| {
        let extents = node["attrs"]["shape"][0][0].as_array().unwrap().iter();
        let of = node["attrs"]["dtype"][0][0].as_str().unwrap().to_owned();
        let extents = extents.map(|extent| extent.as_u64().unwrap() as usize).collect();
        Leaf { name: node["name"].as_str().unwrap().to_owned(), extents, of }
    };
    nodes.map(leaf).collect()
}

/// Constants for some JSON, by their names: scales are powers of 2, so that all that is computed of integers is exact; zeros of
/// weights are 0, and others are small.
pub fn constants(json: &[u8]) -> Vec<(String, Given)> {
    let of = |leaf: Leaf| {
        let given = match leaf.name.as_str() {
            "w_scale" => Given::Floats(filled(&leaf.extents, vec![0.0625])),
            "x_scale" | "y_scale" => Given::Floats(filled(&leaf.extents, vec![0.5])),
            "z_scale" => Given::Floats(filled(&leaf.extents, vec![2.0])),
            "w_zero" => Given::Ints(filled(&leaf.extents, vec![0])),
            "x_zero" => Given::Ints(filled(&leaf.extents, vec![3])),
            "y_zero" | "z_zero" => Given::Ints(filled(&leaf.extents, vec![-5])),
            name => Given::by_name(name, &leaf.extents, &leaf.of),
        };
        (leaf.name, given)
    };
    leaves(json, "const").into_iter().map(of).collect()
}

/// The constants as a model takes them.
pub fn views(constants: &[(String, Given)]) -> Vec<(&str, AnyView<'_>)> {
    constants.iter().map(|(name, given)| (name.as_str(), given.view())).collect()
}

/// The constants as TVM's `save_param_dict` writes them.
pub fn params(constants: &[(String, Given)]) -> Vec<u8> {
    let numbers = |numbers: &[u64]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let mut file = numbers(&[0xF7E5_8D4F_0504_9CB7, 0, constants.len() as u64]);
    for (name, _) in constants {
        file.extend(numbers(&[name.len() as u64]));
        file.extend(name.as_bytes());
    }
    file.extend(numbers(&[constants.len() as u64]));
    for (_, given) in constants {
        let ([code, bits], bytes): ([u8; 2], Vec<u8>) = match given {
            Given::Floats(tensor) => ([2, 32], tensor.to_vec().into_iter().flat_map(f32::to_le_bytes).collect()),
            Given::Ints(tensor) => ([0, 32], tensor.to_vec().into_iter().flat_map(i32::to_le_bytes).collect()),
            Given::Bytes(tensor) => ([0, 8], tensor.to_vec().into_iter().map(i8::cast_unsigned).collect()),
        };
        let extents = given.view().info().shape().extents().to_vec();
        file.extend(numbers(&[0xDD5E_40F0_96B4_A13F, 0, 1]));
        file.extend((extents.len() as u32).to_le_bytes());
        file.extend([code, bits, 1, 0]);
        extents.iter().for_each(|&extent| file.extend((extent as u64).to_le_bytes()));
        file.extend((bytes.len() as u64).to_le_bytes());
        file.extend(bytes);
    }
    file
}

/// JSON that is written node by node.
#[derive(Clone, Default)]
pub struct Json {
    pub nodes: Vec<Value>,
}

impl Json {
    pub fn input(self, name: &str, extents: &[i64], of: &str) -> Json {
        self.leaf("input", name, extents, of)
    }

    pub fn constant(self, name: &str, extents: &[i64], of: &str) -> Json {
        self.leaf("const", name, extents, of)
    }

    fn leaf(mut self, op: &str, name: &str, extents: &[i64], of: &str) -> Json {
        self.nodes.push(json!({"op": op, "name": name, "attrs": {"shape": [[extents]], "dtype": [[of]]}}));
        self
    }

    /// A kernel that reads the first outputs of these nodes, with attributes whose words are apart by blanks.
    pub fn kernel(
        mut self,
        name: &str,
        inputs: &[usize],
        (extents, of): (&[i64], &str),
        attributes: &[(&str, &str)],
    ) -> Json {
        let inputs: Vec<Value> = inputs.iter().map(|input| json!([input, 0, 0])).collect();
        let mut attrs = json!({"shape": [[extents]], "dtype": [[of]]});
        for (attribute, words) in attributes {
            attrs[attribute] = json!([words.split(' ').collect::<Vec<_>>()]);
        }
        self.nodes.push(json!({"op": "kernel", "name": name, "inputs": inputs, "attrs": attrs}));
        self
    }

    /// Sets something of the last node.
    pub fn with(mut self, field: &str, attribute: &str, value: Value) -> Json {
        self.nodes.last_mut().unwrap()[field][attribute] = value;
        self
    }

    /// The JSON, whose output is the last node's.
    pub fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(&json!({"nodes": self.nodes, "heads": [[self.nodes.len() - 1, 0, 0]]})).unwrap()
    }
}
