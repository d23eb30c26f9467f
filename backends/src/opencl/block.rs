//! One body as a function: what a work-item computes for its block, a statement a value.
//!
//! The values of a row stand side by side in a vector. What is the same for the whole run (constants, uniforms, the row's
//! coordinate) stays scalar and is spread where it meets a vector. The function reads and writes through `Source` and
//! `Sink`, so that one text serves the inside of an image and its edges.

use super::{
    names::Names,
    operation,
    prelude::{Helper, Prelude, from_word},
    survey::{Needs, find_forms, find_lone_casts},
    types::{Form, c_name, literal},
};
use crate::text::{Text, comma};
use windrow_dsl::ir::{Axis, Body, Constant, Input, InputId, Kernel, Node, Op, TableId, Type, UnaryOp, ValueId};

/// A block function to be written.
#[derive(Clone, Copy)]
pub struct Function<'a> {
    /// Its name.
    pub name: &'a str,
    /// The kernel.
    pub kernel: &'a Kernel,
    /// The jammed body.
    pub body: &'a Body,
    /// Elements of a vector.
    pub lanes: u32,
    /// Where `#line` leads.
    pub file: Option<&'a str>,
}

/// The emitter of one block function.
pub struct Block<'a> {
    /// What is written.
    function: Function<'a>,
    /// Where helpers are pulled in.
    pub prelude: &'a mut Prelude,
    /// Each node's form, known before its text.
    forms: Vec<Form>,
    /// Each node's name or literal.
    texts: Vec<String>,
    /// Whether a node is read only to be converted: both stand in one statement.
    stands_in_its_cast: Vec<bool>,
    /// Names of the images and tables in the function's scope.
    images: Images,
}

/// The names of the parameters.
struct Images {
    inputs: Vec<String>,
    outputs: Vec<String>,
    tables: Vec<String>,
}

/// Writes a block function.
pub fn emit(out: &mut Text, prelude: &mut Prelude, function: Function<'_>) {
    let Function { name, kernel, body, .. } = function;
    let mut names = Names::default();
    let images = Images {
        inputs: kernel.inputs.iter().map(|input| names.claim(&input.name)).collect(),
        outputs: kernel.outputs.iter().map(|output| names.claim(&output.name)).collect(),
        tables: kernel.tables.iter().map(|table| names.claim(&table.name)).collect(),
    };
    let forms = find_forms(body, function.lanes);
    let stands_in_its_cast = find_lone_casts(body);
    let mut block = Block { function, prelude, forms, texts: Vec::new(), stands_in_its_cast, images };
    block.head(out, name);
    out.open("");
    for (index, node) in body.nodes.iter().enumerate() {
        block.statement(out, &mut names, ValueId(index as u32), node);
    }
    for store in &body.stores {
        let statement = block.store(store);
        out.line(statement);
    }
    out.close("");
}

impl Block<'_> {
    /// The form of a value; a vector of truth values is a mask as wide as what it came from.
    pub fn form(&self, id: ValueId) -> Form {
        self.forms[id.0 as usize]
    }

    /// The node of a value.
    pub fn node(&self, id: ValueId) -> &Node {
        self.function.body.node(id)
    }

    /// Whether a value is a constant.
    pub fn constant(&self, id: ValueId) -> Option<Constant> {
        match self.node(id).op {
            Op::Constant(constant) => Some(constant),
            Op::Input { .. } | Op::Uniform { .. } | Op::Coordinate { .. } | Op::Lookup { .. } | Op::Derived { .. } => {
                None
            }
            Op::Unary(..) | Op::Binary(..) | Op::MulAdd(..) | Op::Select { .. } | Op::Cast(..) => None,
        }
    }

    /// A value as an operand of an operator on `form`: spread over the lanes where it is scalar.
    pub fn operand(&self, id: ValueId, form: Form) -> String {
        let text = &self.texts[id.0 as usize];
        let own = self.form(id);
        if own.ty == Type::Bool && form.lanes > 1 {
            return match self.constant(id) {
                Some(Constant::Bool(true)) => format!("({form})(-1)"),
                Some(_) => format!("({form})0"),
                None => format!("({form})(-{text})"),
            };
        }
        if own.lanes == form.lanes && own.ty == form.ty {
            text.clone()
        } else if own.lanes == form.lanes && form.lanes > 1 {
            format!("convert_{form}({text})")
        } else {
            format!("({form}){text}")
        }
    }

    /// A value as an argument of a built-in function, which is chosen by its type: a literal says its type.
    pub fn argument(&self, id: ValueId, form: Form) -> String {
        let text = self.operand(id, form);
        let narrow = matches!(form.ty, Type::U8 | Type::I8 | Type::U16 | Type::I16);
        if form.lanes == 1 && narrow && self.constant(id).is_some() { format!("({form}){text}") } else { text }
    }

    /// The function's name and parameters, on one line where they fit.
    fn head(&self, out: &mut Text, name: &str) {
        let parameters = self.parameters();
        let line = format!("INLINE void {name}({})", comma(&parameters));
        if line.len() <= 120 {
            return out.line(line);
        }
        out.line(format!("INLINE void {name}("));
        for (place, parameter) in parameters.iter().enumerate() {
            let end = if place + 1 == parameters.len() { ")" } else { "," };
            out.line(format!("    {parameter}{end}"));
        }
    }

    fn parameters(&self) -> Vec<String> {
        let needs = &Needs::of(self.function.body);
        let kernel = self.function.kernel;
        let mut parameters = Vec::new();
        for input in &needs.inputs {
            let ty = Form::scalar(kernel.inputs[input.0 as usize].ty);
            parameters.push(format!("const Source_{} {}", ty.suffix(), self.images.inputs[input.0 as usize]));
        }
        for output in &needs.outputs {
            let ty = Form::scalar(kernel.outputs[output.0 as usize].ty);
            parameters.push(format!("const Sink_{} {}", ty.suffix(), self.images.outputs[output.0 as usize]));
        }
        for table in &needs.tables {
            let ty = c_name(kernel.tables[table.0 as usize].ty);
            parameters.push(format!("__global const {ty} *{}", self.images.tables[table.0 as usize]));
        }
        if needs.words {
            parameters.push("__constant const uint *words".to_owned());
        }
        if needs.coordinates {
            parameters.push("const int block_x, const int block_y, const int last_x, const int last_y".to_owned());
        }
        parameters
    }

    fn statement(&mut self, out: &mut Text, names: &mut Names, id: ValueId, node: &Node) {
        if let Op::Constant(constant) = node.op {
            self.texts.push(literal(constant, node.ty));
            return;
        }
        let expression = self.expression(id, node);
        if self.stands_in_its_cast[id.0 as usize] {
            self.texts.push(expression);
            return;
        }
        let name = names.claim(&self.wanted_name(id, node));
        if let Some(file) = self.function.file {
            let line = node.span.start().line;
            out.line(format!("#line {line} \"{}\"", file.replace('\\', "/").replace('"', "'")));
        }
        out.line(format!("const {} {name} = {expression};", self.form(id)));
        self.texts.push(name);
    }

    /// The author's name for a value; for one without, a name that says where it is from.
    fn wanted_name(&self, id: ValueId, node: &Node) -> String {
        let is_plain_element = matches!(node.op, Op::Input { input, .. } if {
            let input = &self.function.kernel.inputs[input.0 as usize];
            !input.is_neighbourhood && input.channels == 1
        });
        // The parameter has the element's own name.
        if let (Some(name), false) = (node.label(), is_plain_element) {
            return name;
        }
        if let Op::Cast(_, operand) = node.op
            && self.stands_in_its_cast[operand.0 as usize]
        {
            return self.wanted_name(operand, self.node(operand));
        }
        if let Some(store) = self.function.body.stores.iter().find(|store| store.value == id) {
            return self.result_name(store);
        }
        match node.op {
            Op::Input { input, channel, dx, dy } => {
                let input = &self.function.kernel.inputs[input.0 as usize];
                let mut name = input.name.clone();
                if input.is_neighbourhood {
                    name += &format!("_{}_{}", signed_name(dx), signed_name(dy));
                }
                if input.channels > 1 {
                    name += &format!("_c{channel}");
                }
                if input.is_neighbourhood || input.channels > 1 { name } else { format!("{name}_0") }
            }
            Op::Uniform { uniform, index } => {
                let uniform = &self.function.kernel.uniforms[uniform.0 as usize];
                let mut rest = index;
                let mut places = Vec::new();
                for &length in uniform.dims.iter().rev() {
                    places.push(format!("_{}", rest % length.max(1)));
                    rest /= length.max(1);
                }
                places.reverse();
                format!("{}{}", uniform.name, places.concat())
            }
            Op::Derived { index } => format!("derived_{index}"),
            Op::Coordinate { axis: Axis::X, .. } => "x".to_owned(),
            Op::Coordinate { axis: Axis::Y, .. } => "y".to_owned(),
            Op::Lookup { .. } => "entry".to_owned(),
            Op::Unary(UnaryOp::Sqrt | UnaryOp::Isqrt, _) => "root".to_owned(),
            Op::Constant(_) | Op::Unary(..) | Op::Binary(..) | Op::MulAdd(..) | Op::Select { .. } | Op::Cast(..) => {
                format!("v{}", self.texts.len())
            }
        }
    }

    /// The name of a value that is written: the output's, and where in the block.
    fn result_name(&self, store: &windrow_dsl::ir::Store) -> String {
        let output = &self.function.kernel.outputs[store.output.0 as usize];
        let channel = if output.channels > 1 { format!("_c{}", store.channel) } else { String::new() };
        format!("{}_{}_{}{channel}", output.name, store.dx, store.dy)
    }

    fn expression(&mut self, id: ValueId, node: &Node) -> String {
        let form = self.form(id);
        match node.op {
            Op::Constant(constant) => literal(constant, node.ty),
            Op::Input { input, channel, dx, dy } => self.load(input, channel, dx, dy),
            Op::Uniform { uniform, index } => {
                let before =
                    self.function.kernel.uniforms[..uniform.0 as usize].iter().map(|u| u.dims.iter().product::<u32>());
                from_word(&format!("words[{}]", before.sum::<u32>() + index), node.ty)
            }
            Op::Derived { index } => {
                let before: u32 = self.function.kernel.uniforms.iter().map(|u| u.dims.iter().product::<u32>()).sum();
                from_word(&format!("words[{}]", before + index), node.ty)
            }
            Op::Coordinate { axis, offset } => coordinate(axis, offset, form),
            Op::Lookup { table, index } => self.lookup(table, index, form),
            Op::Unary(op, a) => operation::unary(self, op, a, form),
            Op::Binary(op, a, b) => operation::binary(self, op, a, b, form),
            Op::MulAdd(a, b, c) => {
                format!("fma({}, {}, {})", self.operand(a, form), self.operand(b, form), self.operand(c, form))
            }
            Op::Select { condition, then, otherwise } => operation::select(self, condition, then, otherwise, form),
            Op::Cast(mode, a) => operation::cast(self, mode, a, form),
        }
    }

    fn load(&mut self, id: InputId, channel: u32, dx: i32, dy: i32) -> String {
        let input = &self.function.kernel.inputs[id.0 as usize];
        let name = &self.images.inputs[id.0 as usize];
        let form = Form { ty: input.ty, lanes: self.function.lanes };
        let column = dx * input.channels as i32 + channel as i32;
        let step = input.channels * input.stride.0;
        if self.starts_on_boundary(input, dx) {
            self.prelude.pull(Helper::LoadAligned, form);
            format!("load_{}_aligned({name}, {column}, {dy})", form.suffix())
        } else if step == 1 || self.function.lanes == 1 {
            self.prelude.pull(Helper::Load, form);
            format!("load_{}({name}, {column}, {dy})", form.suffix())
        } else {
            self.prelude.pull(Helper::LoadApart, form);
            format!("load_{}_apart({name}, {step}, {column}, {dy})", form.suffix())
        }
    }

    /// Whether an element stands at a multiple of the vector's lanes, in an input that is read nowhere else: taps that
    /// overlap share more when all are read alike.
    fn starts_on_boundary(&self, input: &Input, dx: i32) -> bool {
        let lanes = self.function.lanes;
        let alone = input.neighbourhood.left == 0 && input.neighbourhood.right == 0;
        lanes > 1 && alone && input.channels * input.stride.0 == 1 && dx.rem_euclid(lanes as i32) == 0
    }

    fn store(&mut self, store: &windrow_dsl::ir::Store) -> String {
        let output = &self.function.kernel.outputs[store.output.0 as usize];
        let name = &self.images.outputs[store.output.0 as usize];
        let form = Form { ty: output.ty, lanes: self.function.lanes };
        let value = self.operand(store.value, form);
        let column = store.dx * output.channels as i32 + store.channel as i32;
        if output.channels == 1 || self.function.lanes == 1 {
            self.prelude.pull(Helper::Store, form);
            format!("store_{}({name}, {column}, {}, {value});", form.suffix(), store.dy)
        } else {
            self.prelude.pull(Helper::StoreApart, form);
            format!("store_{}_apart({name}, {}, {column}, {}, {value});", form.suffix(), output.channels, store.dy)
        }
    }

    /// An entry of a table. The index has been bounded by its type or by a `min`.
    fn lookup(&mut self, id: TableId, index: ValueId, form: Form) -> String {
        let table = &self.function.kernel.tables[id.0 as usize];
        let name = &self.images.tables[id.0 as usize];
        if form.lanes == 1 {
            return format!("{name}[{}]", self.operand(index, self.form(index)));
        }
        let indices = self.operand(index, form.of(Type::U32));
        self.prelude.pull(Helper::Lookup, Form { ty: table.ty, lanes: form.lanes });
        format!("lookup_{}({name}, {indices})", form.suffix())
    }
}

/// A coordinate; past the window's edge it stays on the last element.
fn coordinate(axis: Axis, offset: i32, form: Form) -> String {
    let (first, last) = match axis {
        Axis::X => ("block_x", "last_x"),
        Axis::Y => ("block_y", "last_y"),
    };
    let first = if offset == 0 { first.to_owned() } else { format!("{first} + {offset}") };
    if form.lanes == 1 {
        return format!("min({first}, {last})");
    }
    format!("min(({form})({first}) + ({form})({}), ({form}){last})", comma(0..form.lanes))
}

/// An offset in a name: `m1`, `0`, `1`.
fn signed_name(offset: i32) -> String {
    if offset < 0 { format!("m{}", offset.unsigned_abs()) } else { offset.to_string() }
}
