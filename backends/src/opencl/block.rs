//! One body as a function: what a work-item computes for its block, a statement a value.
//!
//! The values of a row stand side by side in a vector. What is the same for the whole run (constants, uniforms, the row's
//! coordinate) stays scalar and is spread where it meets a vector. The function reads and writes through `Source` and
//! `Sink`, so that one text serves the inside of an image and its edges.

use super::{
    names::Names,
    operation,
    pieces::{Beside, Layout, Piece, Unit, find_pieces, first_unit, gather},
    prelude::{Helper, Prelude, from_word},
    survey::{Needs, find_forms, find_lone_casts},
    types::{Form, bits, c_name, literal},
};
use crate::text::{Text, comma};
use std::collections::BTreeMap;
use windrow_dsl::{
    arithmetic::unsigned,
    ir::{Axis, Body, Constant, InputId, Kernel, Node, Op, Store, TableId, Type, UnaryOp, ValueId},
};

/// A block function to be written.
#[derive(Clone, Copy)]
pub struct Function<'a> {
    /// Its name.
    pub name: &'a str,
    /// The kernel.
    pub kernel: &'a Kernel,
    /// The jammed body.
    pub body: &'a Body,
    /// What stands in a lane of a vector.
    pub unit: Unit,
    /// Lanes of a vector.
    pub lanes: u32,
    /// Columns of the block.
    pub columns: u32,
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
    /// How each row is read.
    pieces: BTreeMap<(InputId, i32), Vec<Piece>>,
    /// The rows that have been read, and the names of their pieces.
    rows: BTreeMap<(InputId, i32), Vec<(Piece, String)>>,
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
    let pieces = find_pieces(kernel, body, function.unit, function.lanes, function.columns);
    let rows = BTreeMap::new();
    let mut block = Block { function, prelude, forms, texts: Vec::new(), stands_in_its_cast, images, pieces, rows };
    block.head(out, name);
    out.open("");
    for (index, node) in body.nodes.iter().enumerate() {
        block.statement(out, &mut names, ValueId(index as u32), node);
    }
    for stores in body.stores.chunk_by(|a, b| (a.output, a.dx, a.dy) == (b.output, b.dx, b.dy)) {
        for statement in block.store(stores) {
            out.line(statement);
        }
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
            self.texts.push(self.literal(constant, node.ty));
            return;
        }
        if let Op::Input { input, dy, .. } = node.op {
            self.read_row(out, names, input, dy);
        }
        let expression = self.expression(id, node);
        if self.stands_in_its_cast[id.0 as usize] || self.is_piece(node, &expression) {
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

    /// A constant; in a body of pairs, masks are read best in hexadecimal.
    fn literal(&self, constant: Constant, ty: Type) -> String {
        match constant {
            Constant::Int(word) if self.has_pairs() && ty == Type::U32 && word > 0xffff => format!("{word:#010x}u"),
            Constant::Int(_) | Constant::Float(_) | Constant::Bool(_) => literal(constant, ty),
        }
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
    fn result_name(&self, store: &Store) -> String {
        let output = &self.function.kernel.outputs[store.output.0 as usize];
        let channel = if output.channels > 1 { format!("_c{}", store.channel) } else { String::new() };
        format!("{}_{}_{}{channel}", output.name, store.dx, store.dy)
    }

    fn expression(&mut self, id: ValueId, node: &Node) -> String {
        let form = self.form(id);
        match node.op {
            Op::Constant(constant) => literal(constant, node.ty),
            Op::Input { input, channel, dx, dy } => self.tap(input, channel, dx, dy),
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

    /// Whether values of this form are pairs: in a body of pairs, what varies along the row.
    pub fn is_pair(&self, form: Form) -> bool {
        self.has_pairs() && form.lanes > 1
    }

    fn has_pairs(&self) -> bool {
        self.function.unit != Unit::Element
    }

    fn layout(&self, id: InputId) -> Layout {
        Layout::of_input(&self.function.kernel.inputs[id.0 as usize], self.function.unit, self.function.lanes)
    }

    /// Reads a row's pieces, once.
    fn read_row(&mut self, out: &mut Text, names: &mut Names, id: InputId, dy: i32) {
        if self.rows.contains_key(&(id, dy)) {
            return;
        }
        let layout = self.layout(id);
        let image = self.images.inputs[id.0 as usize].clone();
        let pieces = self.pieces.get(&(id, dy)).cloned().unwrap_or_default();
        let mut named = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let value = Form { ty: layout.unit, lanes: piece.units };
            let load = if piece.is_beside {
                self.beside(id, layout, dy, piece)
            } else {
                let loaded = layout.loaded(piece.units);
                self.prelude.pull(Helper::Load, loaded);
                let column = piece.first * layout.elements_of_unit() as i32;
                let load = format!("load_{}({image}, {column}, {dy})", loaded.suffix());
                if value == loaded { load } else { format!("as_{value}({load})") }
            };
            let name = names.claim(&self.piece_name(id, layout, dy, piece));
            out.line(format!("const {value} {name} = {load};"));
            named.push((piece, name));
        }
        self.rows.insert((id, dy), named);
    }

    /// A unit beside the block: an element, or a word of those that are read.
    fn beside(&mut self, id: InputId, layout: Layout, dy: i32, piece: Piece) -> String {
        let beside = Beside::of(&self.function.kernel.inputs[id.0 as usize], self.function.columns);
        let image = &self.images.inputs[id.0 as usize];
        let element = Form::scalar(layout.ty);
        self.prelude.pull(Helper::Beside, element);
        let elements = layout.elements_of_unit();
        let load = |column: i32| {
            let place = beside.place(column)?;
            Some(format!("beside_{}({image}, {place}, {column}, {dy})", element.suffix()))
        };
        if elements == 1 {
            return load(piece.first).unwrap_or_else(|| "0".to_owned());
        }
        let bits = bits(layout.ty);
        let pattern = Form::scalar(unsigned(layout.ty));
        let part = |place: u32| {
            let load = load(piece.first * elements as i32 + place as i32)?;
            let shift = if place == 0 { String::new() } else { format!(" << {}", place * bits) };
            Some(if pattern == element {
                format!("(uint){load}{shift}")
            } else {
                format!("(uint)({pattern}){load}{shift}")
            })
        };
        let parts: Vec<String> = (0..elements).filter_map(part).collect();
        if parts.is_empty() { "0".to_owned() } else { parts.join(" | ") }
    }

    /// `src_m1_0`: where a piece starts, in elements or cells.
    fn piece_name(&self, id: InputId, layout: Layout, dy: i32, piece: Piece) -> String {
        let input = &self.function.kernel.inputs[id.0 as usize];
        let word = if self.has_pairs() { "_words" } else { "" };
        let channels = layout.channels as i32;
        let channel = match piece.first.rem_euclid(channels) {
            0 => String::new(),
            channel => format!("_c{channel}"),
        };
        let column = signed_name(piece.first.div_euclid(channels));
        if input.is_neighbourhood {
            format!("{}{word}_{column}_{}{channel}", input.name, signed_name(dy))
        } else {
            format!("{}{word}_{column}{channel}", input.name)
        }
    }

    /// Whether an element needs no name of its own, because a piece is just it.
    fn is_piece(&self, node: &Node, expression: &str) -> bool {
        let Op::Input { input, dy, .. } = node.op else { return false };
        self.rows.get(&(input, dy)).is_some_and(|row| row.iter().any(|(_, name)| name == expression))
    }

    fn tap(&self, id: InputId, channel: u32, dx: i32, dy: i32) -> String {
        let layout = self.layout(id);
        let form = Form { ty: layout.unit, lanes: layout.lanes };
        let pieces = self.rows.get(&(id, dy)).map(Vec::as_slice).unwrap_or_default();
        gather(form, first_unit(layout, channel, dx), layout.step, pieces)
    }

    /// What is written to one place of the block: an element's channels, or a cell's words.
    fn store(&mut self, stores: &[Store]) -> Vec<String> {
        let Some(first) = stores.first() else { return Vec::new() };
        let output = &self.function.kernel.outputs[first.output.0 as usize];
        let image = self.images.outputs[first.output.0 as usize].clone();
        let layout = Layout::of(output.ty, output.channels, 1, self.function.unit, self.function.lanes);
        let value = Form { ty: layout.unit, lanes: layout.lanes };
        let values: Vec<String> = stores.iter().map(|store| self.operand(store.value, value)).collect();
        let begin = first.dx * layout.channels as i32;
        if stores.len() as u32 != layout.channels {
            let apart = stores.iter().zip(values);
            return apart.flat_map(|(store, value)| self.store_apart(&image, layout, store, &value)).collect();
        }
        let units = layout.widest();
        let mut statements = Vec::new();
        for part in 0..layout.lanes * layout.channels / units {
            let value = interleave(layout, &values, part * units, units);
            let stored = layout.loaded(units);
            let value = if stored.ty == layout.unit { value } else { format!("as_{stored}({value})") };
            let column = (begin + (part * units) as i32) * layout.elements_of_unit() as i32;
            self.prelude.pull(Helper::Store, stored);
            statements.push(format!("store_{}({image}, {column}, {}, {value});", stored.suffix(), first.dy));
        }
        statements
    }

    /// Some of an element's channels, one by one.
    fn store_apart(&mut self, image: &str, layout: Layout, store: &Store, value: &str) -> Vec<String> {
        let form = Form::scalar(layout.ty);
        self.prelude.pull(Helper::Store, form);
        let lane = |lane: u32| {
            let column = (store.dx as u32 + lane) * layout.channels + store.channel;
            let value = if layout.lanes == 1 { value.to_owned() } else { format!("({value}).s{lane:x}") };
            format!("store_{}({image}, {column}, {}, {value});", form.suffix(), store.dy)
        };
        (0..layout.lanes).map(lane).collect()
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

/// An expression that a component may be taken from.
fn postfixed(text: &str) -> String {
    let is_name = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_name { text.to_owned() } else { format!("({text})") }
}

/// Units `first .. first + units` of the values of channels in turn.
fn interleave(layout: Layout, values: &[String], first: u32, units: u32) -> String {
    if let [one] = values
        && layout.lanes == units
    {
        return one.clone();
    }
    let form = Form { ty: layout.unit, lanes: units };
    let unit = |unit: u32| match (values.get((unit % layout.channels) as usize), layout.lanes) {
        (Some(value), 1) => value.clone(),
        (Some(value), _) => format!("{}.s{:x}", postfixed(value), unit / layout.channels),
        (None, _) => String::new(),
    };
    let parts: Vec<String> = (first..first + units).map(unit).collect();
    match parts.as_slice() {
        [one] => one.clone(),
        several => format!("({form})({})", comma(several)),
    }
}

/// An offset in a name: `m1`, `0`, `1`.
fn signed_name(offset: i32) -> String {
    if offset < 0 { format!("m{}", offset.unsigned_abs()) } else { offset.to_string() }
}
