//! One body as a function: what a work-item computes for its block, a statement a value.
//!
//! The values of a row stand side by side in a vector. What is the same for the whole run (constants, uniforms, the row's
//! coordinate) stays scalar and is spread where it meets a vector. The function reads and writes through `Source` and
//! `Sink`, so that one text serves the inside of an image and its edges.

use super::{
    names::{Names, ValueName},
    pieces::{Piece, Unit, find_pieces},
    prelude::Prelude,
    reals::has_real_images,
    steps::{Place, Steps, Turns},
    survey::{Needs, find_forms, find_lone_casts},
    types::Form,
};
use crate::text::{Parts, Text};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use windrow_dsl::ir::{Block as Size, Body, Constant, InputId, Kernel, Node, Op, Range, ValueId};
use windrow_dsl::optimise::ranges_of_copies;

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
    /// What stands for each node where it is read.
    pub texts: Vec<Read>,
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
    /// What its values can be, once someone has asked.
    ranges: OnceCell<Vec<Range>>,
}

/// What stands for a value where it is read.
#[derive(Clone, Debug)]
pub enum Read {
    /// An expression.
    Expression(String),
    /// Its name.
    Named(ValueName),
    /// The one of this turn, of a value that turns leave to others.
    OfThisTurn(ValueName),
    /// The one so many turns ago.
    OfEarlierTurn(ValueName, i32),
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
pub fn emit(out: &mut Text, prelude: &mut Prelude, function: Function<'_>, needs: &Needs, steps: Rc<Steps>) {
    let Function { kernel, unit, lanes, size, reads, .. } = function;
    let mut names = Names::default();
    let beside: &[&str] = match reads {
        Reads::Buffers => &[],
        Reads::Images => &["_sampler", "_border", "_first"],
    };
    let images = Images {
        inputs: kernel.inputs.iter().map(|input| names.claim_with(&input.name, beside)).collect(),
        outputs: kernel.outputs.iter().map(|output| names.claim_text(&output.name)).collect(),
        tables: kernel.tables.iter().map(|table| names.claim_text(&table.name)).collect(),
    };
    let mut block = Block {
        function,
        prelude,
        forms: find_forms(&steps.nodes, lanes),
        texts: Vec::with_capacity(steps.nodes.len()),
        stands_in_its_cast: find_lone_casts(&steps),
        images,
        pieces: find_pieces(kernel, &steps.nodes, unit, lanes, size.x, reads),
        rows: BTreeMap::new(),
        names,
        steps,
        has_reals: has_real_images(kernel),
        ranges: OnceCell::new(),
    };
    block.head(out, needs);
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

    /// Whether a float may not be a number.
    pub fn may_be_nan(&self, id: ValueId) -> bool {
        let ranges = self.ranges.get_or_init(|| {
            let (nodes, stores) = (self.steps.nodes.clone(), self.steps.stores.clone());
            let body = Body { choice: Vec::new(), nodes, guards: Vec::new(), obligations: Vec::new(), stores };
            ranges_of_copies(self.function.kernel, &body)
        });
        !matches!(ranges[id.0 as usize], Range::Float { nan: false, .. })
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

    /// What stands before the loop, the loop over the rows, and what is written.
    fn statements(&mut self, out: &mut Text) {
        let is_before = |place: &&Place| **place == Place::Before;
        let steps = &Rc::clone(&self.steps);
        let before = steps.places.iter().take_while(is_before).count();
        (0..before).for_each(|index| self.statement(out, steps, index));
        let Some(turns) = steps.turns else {
            return self.stores().iter().for_each(|statement| out.line(statement));
        };
        self.names.claim(TURN);
        let mut inner = out.inside();
        let mut since = 0;
        for index in before..steps.nodes.len() {
            if let Place::Turn { first, .. } = steps.places[index]
                && first > since
            {
                inner.line(format!("if ({TURN} < {first})"));
                inner.line("    continue;");
                since = first;
            }
            self.statement(&mut inner, steps, index);
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
                let (form, mut array) = (self.forms[index], Parts::with_capacity(16));
                if let Read::OfThisTurn(name) = self.texts[index] {
                    self.names.push(&mut array, name);
                }
                array.push("[");
                array.push_number(turns.count.into());
                array.push("]");
                let array = array.finish();
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

    /// Writes the statement of a value, and what it reads; a constant and what is another value have none.
    fn statement(&mut self, out: &mut Text, steps: &Steps, index: usize) {
        let (id, node) = (ValueId(index as u32), &steps.nodes[index]);
        let is_kept = match steps.places[index] {
            Place::Before => false,
            Place::Turn { kept, .. } => kept,
            Place::Earlier { of, by } => {
                let read = self.texts[of.0 as usize].turns_ago(by);
                return self.texts.push(read);
            }
        };
        let read = match node.op {
            Op::Constant(constant) => return self.texts.push(Read::Expression(self.literal(constant, node.ty))),
            Op::Input { input, channel, dx, dy } => {
                self.read_row(out, input, dy);
                Some(self.tap(input, channel, dx, dy))
            }
            Op::Uniform { uniform, index } if self.stands_in_its_cast[id.0 as usize] => {
                Some(self.uniform(uniform, index, node.ty))
            }
            _ => None,
        };
        if let Some(text) = &read
            && !is_kept
            && (self.stands_in_its_cast[index] || self.is_piece(node, text))
        {
            self.texts.extend(read.map(Read::Expression));
            return;
        }
        let name = self.name(id, node);
        if self.function.is_marked {
            out.mark(Some(steps.line(index)));
        }
        let line = out.begin();
        if is_kept {
            self.names.push(line, name);
            line.push_all(&["[", TURN, "] = "]);
        } else {
            line.push("const ");
            self.form(id).push_to(line);
            line.push(" ");
            self.names.push(line, name);
            line.push(" = ");
        }
        match read {
            Some(text) => line.push(&text),
            None => self.push_expression(line, id, node),
        }
        line.push(";");
        out.end();
        self.texts.push(if is_kept { Read::OfThisTurn(name) } else { Read::Named(name) });
    }

    /// Writes what stands for a value where it is read.
    pub fn push_read(&self, out: &mut Parts, id: ValueId) {
        match &self.texts.as_slice()[id.0 as usize] {
            Read::Expression(text) => out.push(text),
            Read::Named(name) => self.names.push(out, *name),
            Read::OfThisTurn(name) => {
                self.names.push(out, *name);
                out.push_all(&["[", TURN, "]"]);
            }
            Read::OfEarlierTurn(name, by) => {
                self.names.push(out, *name);
                out.push_all(&["[", TURN, " - "]);
                out.push_number((*by).into());
                out.push("]");
            }
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
pub const TURN: &str = "i";

impl Read {
    /// The same value as it was so many turns ago, if turns leave it to others.
    fn turns_ago(&self, by: i32) -> Self {
        match *self {
            Self::OfThisTurn(name) => Self::OfEarlierTurn(name, by),
            ref same => same.clone(),
        }
    }
}

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
    let mut name = Parts::default();
    name.push(if offset < 0 { "m" } else { "" });
    name.push_number(offset.unsigned_abs().into());
    name.finish()
}
