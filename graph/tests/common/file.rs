//! ONNX files, written field by field: right ones and wrong ones.

/// A graph in a file.
#[derive(Clone, Default)]
pub struct File {
    graph: Vec<u8>,
}

impl File {
    /// A graph that reads `x` of these extents, where -1 is open, and writes `y`.
    pub fn new(extents: &[i64]) -> File {
        File::default().input("x", Some(extents)).output("y")
    }

    pub fn input(self, name: &str, extents: Option<&[i64]>) -> File {
        self.typed(name, 1, extents)
    }

    /// An input of a type by its number.
    pub fn input_of(self, name: &str, data_type: i64, extents: &[i64]) -> File {
        self.typed(name, data_type, Some(extents))
    }

    fn typed(mut self, name: &str, data_type: i64, extents: Option<&[i64]>) -> File {
        let dimensions = extents.into_iter().flatten().flat_map(|&extent| {
            let dimension = if extent < 0 { text(2, "n") } else { number(1, extent) };
            message(1, &dimension)
        });
        let shape: Vec<u8> = dimensions.collect();
        let tensor = [number(1, data_type), extents.map_or(Vec::new(), |_| message(2, &shape))].concat();
        self.graph.extend(message(11, &[text(1, name), message(2, &message(1, &tensor))].concat()));
        self
    }

    pub fn output(mut self, name: &str) -> File {
        self.graph.extend(message(12, &text(1, name)));
        self
    }

    pub fn node(self, operator: &str, inputs: &[&str], outputs: &[&str]) -> File {
        self.node_with(operator, inputs, outputs, &[])
    }

    /// A node called `the NAME of its operator` with attributes, each a field of a node.
    pub fn node_with(self, operator: &str, inputs: &[&str], outputs: &[&str], attributes: &[Vec<u8>]) -> File {
        self.node_of("", operator, inputs, outputs, attributes)
    }

    /// The same of another domain than ONNX' own.
    pub fn node_of(
        mut self,
        domain: &str,
        operator: &str,
        inputs: &[&str],
        outputs: &[&str],
        attributes: &[Vec<u8>],
    ) -> File {
        let mut node = text(3, &format!("the {operator}"));
        inputs.iter().for_each(|input| node.extend(text(1, input)));
        outputs.iter().for_each(|output| node.extend(text(2, output)));
        node.extend(text(4, operator));
        if !domain.is_empty() {
            node.extend(text(7, domain));
        }
        attributes.iter().for_each(|attribute| node.extend(attribute));
        self.graph.extend(message(1, &node));
        self
    }

    pub fn floats(mut self, name: &str, extents: &[i64], floats: &[f32]) -> File {
        let raw: Vec<u8> = floats.iter().flat_map(|float| float.to_le_bytes()).collect();
        self.graph.extend(message(5, &[tensor(name, extents, 1), message(9, &raw)].concat()));
        self
    }

    /// A constant of a type by its number, with its bytes.
    pub fn raw(mut self, name: &str, extents: &[i64], data_type: i64, raw: &[u8]) -> File {
        self.graph.extend(message(5, &[tensor(name, extents, data_type), message(9, raw)].concat()));
        self
    }

    pub fn integers(mut self, name: &str, integers: &[i64]) -> File {
        let list: Vec<u8> = integers.iter().flat_map(|&integer| varint(integer.cast_unsigned())).collect();
        self.graph.extend(message(5, &[tensor(name, &[integers.len() as i64], 7), message(7, &list)].concat()));
        self
    }

    /// A constant of zeros, which takes no bytes of the file.
    pub fn zeros(self, name: &str, extents: &[i64]) -> File {
        let shape = format!("{name} shape");
        self.integers(&shape, extents).node("ConstantOfShape", &[&shape], &[name])
    }

    pub fn of_opset(&self, version: i64) -> Vec<u8> {
        [number(1, 8), message(7, &self.graph), message(8, &number(2, version))].concat()
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.of_opset(13)
    }
}

fn tensor(name: &str, extents: &[i64], data_type: i64) -> Vec<u8> {
    let dims: Vec<u8> = extents.iter().flat_map(|&extent| number(1, extent)).collect();
    [dims, number(2, data_type), text(8, name)].concat()
}

/// An attribute that is a list of integers.
pub fn integers(name: &str, integers: &[i64]) -> Vec<u8> {
    let list: Vec<u8> = integers.iter().flat_map(|&integer| number(8, integer)).collect();
    message(5, &[text(1, name), list].concat())
}

/// An attribute that is an integer.
pub fn integer(name: &str, integer: i64) -> Vec<u8> {
    message(5, &[text(1, name), number(3, integer)].concat())
}

/// An attribute that is text.
pub fn word(name: &str, word: &str) -> Vec<u8> {
    message(5, &[text(1, name), text(4, word)].concat())
}

/// A field that holds a message, or any other bytes.
pub fn message(field: u64, bytes: &[u8]) -> Vec<u8> {
    [varint(field << 3 | 2), varint(bytes.len() as u64), bytes.to_vec()].concat()
}

fn text(field: u64, text: &str) -> Vec<u8> {
    message(field, text.as_bytes())
}

fn number(field: u64, number: i64) -> Vec<u8> {
    [varint(field << 3), varint(number.cast_unsigned())].concat()
}

fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 127 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// An attribute that is a list of floats.
pub fn floats(name: &str, floats: &[f32]) -> Vec<u8> {
    let list: Vec<u8> = floats.iter().flat_map(|float| float.to_le_bytes()).collect();
    message(5, &[text(1, name), message(7, &list)].concat())
}

/// An attribute that is a float.
pub fn float(name: &str, float: f32) -> Vec<u8> {
    let field = [varint(2 << 3 | 5), float.to_le_bytes().to_vec()].concat();
    message(5, &[text(1, name), field].concat())
}
