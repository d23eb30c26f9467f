//! One body as a function: what a work-item computes for its block, a statement a value.
//!
//! The values of a row stand side by side in a vector. What is the same for the whole run (constants, uniforms, the row's
//! coordinate) stays scalar and is spread where it meets a vector. The function reads and writes through `Source` and
//! `Sink`, so that one text serves the inside of an image and its edges.

use super::{
    names::Names,
    operation,
    pieces::{Piece, Unit, find_pieces},
    prelude::{Helper, Prelude, from_word},
    reals::has_real_images,
    steps::{Place, Steps, Turns},
    survey::{find_forms, find_lone_casts},
    types::{Form, literal},
};
use crate::{
    lines::line_of,
    text::{Text, comma},
};
use std::collections::BTreeMap;
use std::rc::Rc;
use windrow_dsl::ir::{Axis, Block as Size, Constant, InputId, Kernel, Node, Op, TableId, Type, ValueId};

/// A block function to be written.
#[derive(Clone, Copy)]
pub struct Function<'a> {
    /// Its name.
    pub name: &'a str,
    /// The kernel.
    pub kernel: &'a Kernel,
    /// What stands in a lane of a vector.
    pub unit: Unit,
    /// Lanes of a vector.
    pub lanes: u32,
    /// Elements of the block.
    pub size: Size,
    /// What its inputs are.
    pub reads: Reads,
    /// Whether its statements say which line of the author's they are from.
    pub is_marked: bool,
}

/// What the inputs of a program are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// Buffers.
    Buffers,
    /// Images, read through samplers.
    Images,
}

/// The emitter of one block function.
pub struct Block<'a> {
    /// What is written.
    pub function: Function<'a>,
    /// Its statements.
    pub steps: Rc<Steps>,
    /// Where helpers are pulled in.
    pub prelude: &'a mut Prelude,
    /// Each node's form, known before its text.
    forms: Vec<Form>,
    /// Each node's name or literal.
    pub texts: Vec<String>,
    /// Whether a node is read only to be converted: both stand in one statement.
    pub stands_in_its_cast: Vec<bool>,
    /// Names of the images and tables in the function's scope.
    pub images: Images,
    /// How each row is read.
    pub pieces: BTreeMap<(InputId, i32), Vec<Piece>>,
    /// The rows that have been read, and the names of their pieces.
    pub rows: BTreeMap<(InputId, i32), Vec<(Piece, String)>>,
    /// The names that its statements have.
    pub names: Names,
    /// Whether its floats may be of another type than its literals.
    pub has_reals: bool,
}

/// The names of the parameters.
pub struct Images {
    /// Of the inputs.
    pub inputs: Vec<String>,
    /// Of the outputs.
    pub outputs: Vec<String>,
    /// Of the tables.
    pub tables: Vec<String>,
}

/// Writes a block function of these statements.
pub fn emit(out: &mut Text, prelude: &mut Prelude, function: Function<'_>, steps: Rc<Steps>) {
    let Function { kernel, unit, lanes, size, reads, .. } = function;
    let mut names = Names::default();
    let beside: &[&str] = match reads {
        Reads::Buffers => &[],
        Reads::Images => &["_sampler", "_border", "_first"],
    };
    let images = Images {
        inputs: kernel.inputs.iter().map(|input| names.claim_with(&input.name, beside)).collect(),
        outputs: kernel.outputs.iter().map(|output| names.claim(&output.name)).collect(),
        tables: kernel.tables.iter().map(|table| names.claim(&table.name)).collect(),
    };
    let mut block = Block {
        function,
        prelude,
        forms: find_forms(&steps.nodes, lanes),
        texts: Vec::new(),
        stands_in_its_cast: find_lone_casts(&steps),
        images,
        pieces: find_pieces(kernel, &steps.nodes, unit, lanes, size.x, reads),
        rows: BTreeMap::new(),
        names,
        steps,
        has_reals: has_real_images(kernel),
    };
    block.head(out);
    out.open("");
    block.statements(out);
    if function.is_marked {
        out.mark(None);
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
        &self.steps.nodes[id.0 as usize]
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
        let is_literal = || own.ty == Type::F32 && own.lanes == 1 && self.constant(id).is_some();
        if own == form && self.has_reals && is_literal() {
            format!("({form}){text}")
        } else if own == form {
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

    /// What stands before the loop, the loop over the rows, and what is written.
    fn statements(&mut self, out: &mut Text) {
        let is_before = |place: &&Place| **place == Place::Before;
        let before = self.steps.places.iter().take_while(is_before).count();
        (0..before).for_each(|index| self.statement(out, ValueId(index as u32)));
        let Some(turns) = self.steps.turns else {
            return self.stores().iter().for_each(|statement| out.line(statement));
        };
        self.names.claim(TURN);
        let mut inner = out.inside();
        let mut since = 0;
        for index in before..self.steps.nodes.len() {
            if let Place::Turn { first, .. } = self.steps.places[index]
                && first > since
            {
                inner.line(format!("if ({TURN} < {first})"));
                inner.line("    continue;");
                since = first;
            }
            self.statement(&mut inner, ValueId(index as u32));
        }
        self.declare_kept(out, turns);
        repeat(out, turns, 0, inner);
        let mut stores = out.inside();
        self.stores().iter().for_each(|statement| stores.line(statement));
        repeat(out, turns, turns.lead, stores);
    }

    /// Declares what a turn leaves to others, a line a type.
    fn declare_kept(&self, out: &mut Text, turns: Turns) {
        let mut lines: Vec<(Form, Vec<String>)> = Vec::new();
        for (index, place) in self.steps.places.iter().enumerate() {
            if let Place::Turn { kept: true, .. } = place {
                let form = self.forms[index];
                let name = self.texts[index].trim_end_matches(&format!("[{TURN}]"));
                let array = format!("{name}[{}]", turns.count);
                match lines.iter_mut().find(|(known, _)| *known == form) {
                    Some((_, arrays)) => arrays.push(array),
                    None => lines.push((form, vec![array])),
                }
            }
        }
        for (form, arrays) in lines {
            let mut line = format!("{form} {}", arrays[0]);
            for array in &arrays[1..] {
                if line.len() + array.len() > 100 {
                    out.line(format!("{line};"));
                    line = format!("{form} {array}");
                } else {
                    line += &format!(", {array}");
                }
            }
            out.line(format!("{line};"));
        }
    }

    fn statement(&mut self, out: &mut Text, id: ValueId) {
        let node = self.steps.nodes[id.0 as usize].clone();
        let place = self.steps.places[id.0 as usize];
        if let Op::Constant(constant) = node.op {
            self.texts.push(self.literal(constant, node.ty));
            return;
        }
        if let Place::Earlier { of, by } = place {
            let now = &self.texts[of.0 as usize];
            self.texts.push(now.replace(&format!("[{TURN}]"), &format!("[{TURN} - {by}]")));
            return;
        }
        if let Op::Input { input, dy, .. } = node.op {
            self.read_row(out, input, dy);
        }
        let is_kept = matches!(place, Place::Turn { kept: true, .. });
        let expression = self.expression(id, &node);
        if !is_kept && (self.stands_in_its_cast[id.0 as usize] || self.is_piece(&node, &expression)) {
            self.texts.push(expression);
            return;
        }
        let wanted = self.wanted_name(id, &node);
        let name = self.names.claim(&wanted);
        if self.function.is_marked {
            out.mark(Some(line_of(node.span)));
        }
        if is_kept {
            out.line(format!("{name}[{TURN}] = {expression};"));
            self.texts.push(format!("{name}[{TURN}]"));
        } else {
            let text = out.begin();
            text.push("const ");
            self.form(id).push_to(text);
            text.push_all(&[" ", &name, " = ", &expression, ";"]);
            out.end();
            self.texts.push(name);
        }
    }

    /// A constant; in a body of pairs, masks are read best in hexadecimal.
    fn literal(&self, constant: Constant, ty: Type) -> String {
        match constant {
            Constant::Int(word) if self.has_pairs() && ty == Type::U32 && word > 0xffff => format!("{word:#010x}u"),
            Constant::Int(_) | Constant::Float(_) | Constant::Bool(_) => literal(constant, ty),
        }
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
            Op::Coordinate { axis, offset } => self.coordinate(axis, offset, form),
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

    /// Whether its lanes are pairs.
    pub fn has_pairs(&self) -> bool {
        self.function.unit != Unit::Element
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

    /// A coordinate; past the window's edge it stays on the last element.
    fn coordinate(&self, axis: Axis, offset: i32, form: Form) -> String {
        let (first, last) = match axis {
            Axis::X => ("block_x", "last_x"),
            Axis::Y => ("block_y", "last_y"),
        };
        let offset = match axis {
            Axis::X => offset.to_string(),
            Axis::Y => self.row(1, offset),
        };
        let first = if offset == "0" { first.to_owned() } else { format!("{first} + {offset}") };
        if form.lanes == 1 {
            return format!("min({first}, {last})");
        }
        format!("min(({form})({first}) + ({form})({}), ({form}){last})", comma(0..form.lanes))
    }

    /// A row of the block, as a number or by the turn; of an image with `stride` rows to one of the block.
    pub fn row(&self, stride: u32, dy: i32) -> String {
        let Some(turns) = self.steps.turns else { return dy.to_string() };
        let turn = match turns.rows * stride as i32 {
            1 => TURN.to_owned(),
            rows => format!("{rows} * {TURN}"),
        };
        match dy {
            0 => turn,
            1.. => format!("{turn} + {dy}"),
            _ => format!("{turn} - {}", dy.unsigned_abs()),
        }
    }

    /// The row of an image in a name: nothing where the turn says it.
    pub fn row_name(&self, stride: u32, dy: i32) -> String {
        match self.steps.turns.map(|turns| turns.rows * stride as i32) {
            None => format!("_{}", signed_name(dy)),
            Some(1) => String::new(),
            Some(rows) => format!("_{}", dy.rem_euclid(rows)),
        }
    }
}

/// What counts the turns of the loop over a block's rows.
const TURN: &str = "i";

/// A loop that the compiler is to write out: which values a turn leaves to which is known, and no array remains. A single
/// statement needs no braces where no `#line` may come before it.
fn repeat(out: &mut Text, turns: Turns, first: i32, statements: Text) {
    let head = format!("for (int {TURN} = {first}; {TURN} < {}; ++{TURN})", turns.count);
    out.line("#pragma unroll");
    if statements.is_plain_line() {
        out.line(head);
        out.append(statements);
    } else {
        out.open(head);
        out.append(statements);
        out.close("");
    }
}

/// An offset in a name: `m1`, `0`, `1`.
pub fn signed_name(offset: i32) -> String {
    if offset < 0 { format!("m{}", offset.unsigned_abs()) } else { offset.to_string() }
}
