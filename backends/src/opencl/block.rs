//! One body as a function: what a work-item computes for its block, a statement a value.
//!
//! The values of a row are side by side in a vector. What is uniform (constants, uniforms, the row's coordinate) stays
//! scalar and is spread where it meets a vector. The function reads and writes through `Source` and `Sink`, so that one
//! text serves the inside of an image and its edges.

use super::arguments::{Arguments, Head};
use super::c::{Expr, Statement};
use super::names::Names;
use super::pieces::{NamedPiece, Piece, find_pieces};
use super::prelude::Prelude;
use super::program::{Function, Unit};
use super::survey::{find_lone_casts, find_types};
use super::types::CType;
use crate::lines::line_of;
use crate::text::{Text, comma};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use windrow_dsl::ir::{Body, Constant, InputId, Node, Op, Range, Tap, ValueId};
use windrow_dsl::optimise::{Computed, Nest, Turns, ranges_of_copies};

/// The longest line of a head.
const WIDEST: usize = 120;

/// What counts the turns of the loop over a block's rows.
pub const TURN: &str = "i";

/// The emitter of one block function.
pub struct BlockWriter<'a> {
    /// What is written.
    pub function: Function<'a>,
    /// Its values and stores.
    pub nest: &'a Nest,
    /// Where helpers are pulled in.
    pub prelude: &'a mut Prelude,
    /// The type of each value, known before its text.
    types: Vec<CType>,
    /// What each value is where it is read.
    pub values: Vec<Expr>,
    /// Whether a value is read only to be converted: both are in one statement.
    pub is_in_its_cast: Vec<bool>,
    /// Names of the images and tables in the function's scope.
    pub images: Arguments,
    /// How each row is read.
    pub pieces: BTreeMap<(InputId, i32), Vec<Piece>>,
    /// The rows that have been read, and the names of their pieces.
    pub rows: BTreeMap<(InputId, i32), Vec<NamedPiece>>,
    /// The names that its statements have.
    pub names: Names,
    /// The statements, each with the author's line where that was asked for.
    pub statements: Vec<(Option<usize>, Statement)>,
    /// What its values can be, once something has asked.
    ranges: OnceCell<Vec<Range>>,
}

/// Writes a block function of these values.
pub fn emit(out: &mut Text, prelude: &mut Prelude, function: Function<'_>, nest: &Nest) {
    let (images, names) = Arguments::of_block(function.kernel, function.reads);
    let lines = images.lines(function.kernel, function.needs, Head::Block(function.reads));
    let parameters = || lines.iter().map(|line| &*line.parameters);
    let mut block = BlockWriter {
        function,
        prelude,
        types: find_types(&nest.nodes, function.schedule.lanes),
        values: Vec::with_capacity(nest.nodes.len()),
        is_in_its_cast: find_lone_casts(nest),
        images,
        pieces: find_pieces(&function, &nest.nodes),
        rows: BTreeMap::new(),
        names,
        statements: Vec::new(),
        nest,
        ranges: OnceCell::new(),
    };
    let head = format!("INLINE void {}_block({})", function.name, comma(parameters()));
    if head.len() <= WIDEST {
        out.line(head);
    } else {
        out.line(format!("INLINE void {}_block(", function.name));
        out.list(parameters(), ")");
    }
    out.open("");
    block.body(out);
    if function.is_marked {
        out.mark(None);
    }
    out.close("");
}

impl BlockWriter<'_> {
    /// The type of a value; a vector of truth values is a mask as wide as what it came from.
    pub fn ty(&self, id: ValueId) -> CType {
        self.types[id.0 as usize]
    }

    /// Whether a float may not be a number.
    pub fn may_be_nan(&self, id: ValueId) -> bool {
        let ranges = self.ranges.get_or_init(|| {
            let (nodes, stores) = (self.nest.nodes.clone(), self.nest.stores.clone());
            let body = Body { choice: Vec::new(), nodes, guards: Vec::new(), obligations: Vec::new(), stores };
            ranges_of_copies(self.function.kernel, &body)
        });
        !matches!(ranges[id.0 as usize], Range::Float { nan: false, .. })
    }

    /// The node of a value.
    pub fn node(&self, id: ValueId) -> &Node {
        &self.nest.nodes[id.0 as usize]
    }

    /// The constant that a value is.
    pub fn constant(&self, id: ValueId) -> Option<Constant> {
        if let Op::Constant(constant) = self.node(id).op { Some(constant) } else { None }
    }

    /// Whether values of this type are pairs: in a body of pairs, what varies along the row.
    pub fn is_pair(&self, ty: CType) -> bool {
        self.has_pairs() && ty.lanes > 1
    }

    /// Whether its lanes are pairs.
    pub fn has_pairs(&self) -> bool {
        self.function.schedule.unit != Unit::Element
    }

    /// What comes before the loop, the loop over the rows, and what is written.
    fn body(&mut self, out: &mut Text) {
        let nest = self.nest;
        let before = nest.computed.iter().take_while(|place| **place == Computed::Before).count();
        (0..before).for_each(|index| self.value(nest, index));
        let Some(turns) = nest.turns else {
            self.stores();
            let statements = std::mem::take(&mut self.statements);
            return self.print(out, &statements);
        };
        let before_loop = std::mem::take(&mut self.statements);
        self.print(out, &before_loop);
        self.names.claim(TURN);
        let mut since = 0;
        for index in before..nest.nodes.len() {
            if let Computed::Turn { first, .. } = nest.computed[index]
                && first > since
            {
                self.statements.push((None, Statement::SkipUntil(TURN, first)));
                since = first;
            }
            self.value(nest, index);
        }
        self.declare_kept(out, turns);
        let in_loop = std::mem::take(&mut self.statements);
        self.repeat(out, turns, 0, &in_loop);
        self.stores();
        let stores = std::mem::take(&mut self.statements);
        self.repeat(out, turns, turns.lead, &stores);
    }

    fn print(&self, out: &mut Text, statements: &[(Option<usize>, Statement)]) {
        for (line, statement) in statements {
            if line.is_some() {
                out.mark(*line);
            }
            statement.print(out, self.function.floats);
        }
    }

    /// A loop that the compiler is to write out: which values a turn leaves to which is known, and no array remains. A single
    /// statement needs no braces where no `#line` may come before it.
    fn repeat(&self, out: &mut Text, turns: Turns, first: i32, statements: &[(Option<usize>, Statement)]) {
        let head = format!("for (int {TURN} = {first}; {TURN} < {}; ++{TURN})", turns.count);
        out.line("#pragma unroll");
        let mut inner = out.inside();
        self.print(&mut inner, statements);
        if let [(None, _)] = statements {
            out.line(head);
            out.append(inner);
        } else {
            out.open(head);
            out.append(inner);
            out.close("");
        }
    }

    /// Declares what a turn leaves to others, a line a type.
    fn declare_kept(&self, out: &mut Text, turns: Turns) {
        let mut lines: Vec<(CType, Vec<String>)> = Vec::new();
        for (index, place) in self.nest.computed.iter().enumerate() {
            if let (Computed::Turn { kept: true, .. }, Expr::At(name, _)) = (place, &self.values[index]) {
                let (ty, floats) = (self.types[index], self.function.floats);
                let array = format!("{}[{}]", name.text(floats), turns.count);
                match lines.iter_mut().find(|(known, _)| *known == ty) {
                    Some((_, arrays)) => arrays.push(array),
                    None => lines.push((ty, vec![array])),
                }
            }
        }
        for (ty, arrays) in lines {
            let ty = self.function.floats.name(ty);
            let mut line = format!("{ty} {}", arrays[0]);
            for array in &arrays[1..] {
                if line.len() + array.len() > 100 {
                    out.line(format!("{line};"));
                    line = format!("{ty} {array}");
                } else {
                    line += &format!(", {array}");
                }
            }
            out.line(format!("{line};"));
        }
    }

    /// Adds the statement of a value, and what it reads; a constant and what is another value have none.
    fn value(&mut self, nest: &Nest, index: usize) {
        let (id, node) = (ValueId(index as u32), &nest.nodes[index]);
        let is_kept = match nest.computed[index] {
            Computed::Before => false,
            Computed::Turn { kept, .. } => kept,
            Computed::Earlier { of, by } => {
                let value = match &self.values[of.0 as usize] {
                    Expr::At(name, _) if matches!(nest.computed[of.0 as usize], Computed::Turn { kept: true, .. }) => {
                        (**name).clone().at(Expr::name(TURN).plus(-by))
                    }
                    same => same.clone(),
                };
                return self.values.push(value);
            }
        };
        if let Op::Constant(constant) = node.op {
            return self.values.push(self.literal(constant, node.ty));
        }
        if let Some(Tap { input, dy, .. }) = node.op.tap() {
            self.read_row(input, dy);
        }
        let is_read = matches!(node.op, Op::Load(_) | Op::Uniform { .. });
        if is_read && !is_kept {
            let read = self.expression(id, node);
            if self.is_in_its_cast[index] || self.is_piece(node, &read) {
                return self.values.push(read);
            }
        }
        let name = self.name(id, node);
        let line = self.function.is_marked.then(|| line_of(node.span));
        let value = self.expression(id, node);
        let (statement, read) = match is_kept {
            true => {
                let place = Expr::Name(name).at(Expr::name(TURN));
                (Statement::Set(place.clone(), value), place)
            }
            false => (Statement::Declare(self.ty(id), Rc::clone(&name), value), Expr::Name(name)),
        };
        self.statements.push((line, statement));
        self.values.push(read);
    }

    /// The first of the rows that a turn computes, where there is a loop; of an image with `stride` rows to one of the block.
    pub fn turn(&self, stride: u32) -> Option<Expr> {
        let rows = self.nest.turns?.rows * stride as i32;
        let turn = Expr::name(TURN);
        Some(if rows == 1 { turn } else { Expr::number(rows).infix("*", turn) })
    }

    /// A row of the block, or of such an image.
    pub fn row(&self, stride: u32, dy: i32) -> Expr {
        match self.turn(stride) {
            Some(turn) => turn.plus(dy),
            None => Expr::name(dy.to_string()),
        }
    }

    /// The row of an image in a name: nothing where the turn says it.
    pub fn row_name(&self, stride: u32, dy: i32) -> String {
        match self.nest.turns.map(|turns| turns.rows * stride as i32) {
            None => format!("_{}", signed_name(dy)),
            Some(1) => String::new(),
            Some(rows) => format!("_{}", dy.rem_euclid(rows)),
        }
    }
}

/// An offset in a name: `m1`, `0`, `1`.
pub fn signed_name(offset: i32) -> String {
    format!("{}{}", if offset < 0 { "m" } else { "" }, offset.unsigned_abs())
}
