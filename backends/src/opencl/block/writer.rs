//! One body as a function: what a work-item computes for its block, a statement a value.
//!
//! The values of a row are side by side in a vector. What is uniform (constants, uniforms, the row's coordinate) stays
//! scalar and is spread where it meets a vector. The function reads and writes through `Source` and `Sink`, so that one
//! text serves the inside of an image and its edges.

use super::anywhere::Gathered;
use super::reads::NamedPiece;
use crate::opencl::c;
use crate::opencl::c::names::Names;
use crate::opencl::c::prelude::Prelude;
use crate::opencl::c::text::{Expr, Marked, Statement, print_marked};
use crate::opencl::c::types::{CType, signed};
use crate::opencl::entry::arguments::{Arguments, Head};
use crate::opencl::program::{Function, Unit};
use crate::text::{Text, comma};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use windrow_dsl::ir::loops::{LANES, Loop, Step, has_loops, steps};
use windrow_dsl::ir::{AxisId, Body, Constant, InputId, Node, Op, Order, Range, Tap, Type, ValueId, along};
use windrow_dsl::optimise::{Computed, Nested, Turns, ranges_of_copies};

/// The longest line of a head.
const WIDEST: usize = 120;

/// What counts the turns of the loop over a block's rows.
pub const TURN: &str = "i";

/// The emitter of one block function.
pub struct BlockWriter<'a> {
    /// What is written.
    pub function: Function<'a>,
    /// Its values and stores.
    pub nested: &'a Nested,
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
    /// The rows that have been read, and the names of their pieces.
    pub rows: BTreeMap<(InputId, i32), Vec<NamedPiece>>,
    /// What is known of places in inputs that are read anywhere: the names of their offsets.
    pub offsets: BTreeMap<(InputId, Gathered), Rc<str>>,
    /// The names that its statements have.
    pub names: Names,
    /// The statements, each with the author's line where that was asked for.
    pub statements: Vec<Marked>,
    /// What its values can be, once something has asked.
    ranges: OnceCell<Vec<Range>>,
}

/// Writes a block function of these values.
pub fn emit(out: &mut Text, prelude: &mut Prelude, function: Function<'_>, nested: &Nested) {
    let (images, names) = Arguments::of_block(function.kernel, function.reads);
    let lines = images.lines(function.kernel, function.needs, Head::Block(function.reads));
    let parameters = || lines.iter().map(|line| &*line.parameters);
    let mut block = BlockWriter {
        function,
        prelude,
        types: find_types(&nested.nodes, function.schedule.lanes),
        values: Vec::with_capacity(nested.nodes.len()),
        is_in_its_cast: find_lone_casts(nested),
        images,
        rows: BTreeMap::new(),
        offsets: BTreeMap::new(),
        names,
        statements: Vec::new(),
        nested,
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
    for statement in block.body() {
        print_marked(&statement, out, function.floats);
    }
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
            let (nodes, stores) = (self.nested.nodes.clone(), self.nested.stores.clone());
            let body = Body {
                choice: Vec::new(),
                nodes,
                guards: Vec::new(),
                obligations: Vec::new(),
                measured: Vec::new(),
                stores,
            };
            ranges_of_copies(self.function.kernel, &body)
        });
        !matches!(ranges[id.0 as usize], Range::Float { nan: false, .. })
    }

    /// The node of a value.
    pub fn node(&self, id: ValueId) -> &Node {
        &self.nested.nodes[id.0 as usize]
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
    fn body(&mut self) -> Vec<Marked> {
        let nested = self.nested;
        let before = nested.computed.iter().take_while(|computed| **computed == Computed::Before).count();
        if has_loops(&nested.nodes) {
            self.steps(&steps(&nested.nodes));
        } else {
            (0..before).for_each(|index| self.value(index));
        }
        let Some(Turns { count, lead, .. }) = nested.turns() else {
            self.stores();
            return std::mem::take(&mut self.statements);
        };
        let mut whole = std::mem::take(&mut self.statements);
        self.names.claim(TURN);
        let mut since = 0;
        for index in before..nested.nodes.len() {
            if let Computed::Turn { first, .. } = nested.computed[index]
                && first > since
            {
                self.statements.push((None, Statement::SkipUntil(TURN, first)));
                since = first;
            }
            self.value(index);
        }
        // What a turn leaves to others, a statement a type.
        let mut arrays: Vec<(CType, Vec<Expr>)> = Vec::new();
        for (index, computed) in nested.computed.iter().enumerate() {
            if let (Computed::Turn { kept: true, .. }, Expr::At(name, _)) = (computed, &self.values[index]) {
                let ty = self.types[index];
                match arrays.iter_mut().find(|(own, _)| *own == ty) {
                    Some((_, names)) => names.push((**name).clone()),
                    None => arrays.push((ty, vec![(**name).clone()])),
                }
            }
        }
        whole.extend(arrays.into_iter().map(|(ty, names)| (None, Statement::Arrays(ty, names, count))));
        whole.push((None, Statement::Repeat(TURN, 0..count, std::mem::take(&mut self.statements))));
        self.stores();
        whole.push((None, Statement::Repeat(TURN, lead..count, std::mem::take(&mut self.statements))));
        whole
    }

    /// Adds the statements of values and of loops.
    fn steps(&mut self, list: &[Step]) {
        for step in list {
            match step {
                Step::Value(id) => self.value(id.0 as usize),
                Step::Loop(turns) => self.run_time_loop(turns),
            }
        }
    }

    /// Adds the variables of a loop, and its turns.
    fn run_time_loop(&mut self, turns: &Loop) {
        let Op::Turn { start, end, order, .. } = self.node(turns.turn).op else { return };
        let mut outside = std::mem::take(&mut self.statements);
        let (mut name, ty) = (Rc::from(""), self.ty(turns.turn));
        for step in &turns.body {
            let id = match step {
                Step::Loop(inner) => {
                    self.run_time_loop(inner);
                    continue;
                }
                Step::Value(id) => *id,
            };
            let node = self.node(id).clone();
            match node.op {
                Op::Turn { .. } => {
                    name = self.name(id, &node);
                    self.values.push(Expr::Name(Rc::clone(&name)));
                }
                Op::Carried { before, .. } => {
                    let (own, ty) = (self.name(id, &node), self.ty(id));
                    let before = self.operand(before, ty);
                    outside.push((None, Statement::Variable(ty, Rc::clone(&own), before)));
                    self.values.push(Expr::Name(own));
                }
                Op::Advance { .. } => self.values.push(Expr::name("")),
                _ => self.value(id.0 as usize),
            }
        }
        let sets = self.advances(turns);
        self.statements.extend(sets.into_iter().map(|set| (None, set)));
        let [start, end] = [start, end].map(|id| self.operand(id, ty));
        let mut body = std::mem::replace(&mut self.statements, outside);
        let sums = match order {
            Order::Written => Vec::new(),
            Order::Lanes => {
                let place = Expr::Name(Rc::clone(&name)).infix("-", start.clone());
                self.lanes_of(turns, Expr::Grouped(Box::new(place)), &mut body)
            }
        };
        self.statements.push((None, Statement::Turns(Box::new(c::text::Turns { ty, name, start, end, body }))));
        self.statements.extend(sums);
    }

    /// The variables of a loop in lanes: an array for each, of which a turn takes an element and gives it back. The statements behind
    /// the loop, which sum them up.
    fn lanes_of(&mut self, turns: &Loop, place: Expr, body: &mut Vec<Marked>) -> Vec<Marked> {
        let (lane, int) = (Expr::Name(self.names.claim("lane")), CType::scalar(Type::I32));
        let each = |count: usize, statement: Statement| {
            let Expr::Name(name) = lane.clone() else { return (None, statement) };
            let (start, end, body) = (Expr::number(0), Expr::number(count as i128), vec![(None, statement)]);
            (None, Statement::Turns(Box::new(c::text::Turns { ty: int, name, start, end, body })))
        };
        let (mut takes, mut sums) = (Vec::new(), Vec::new());
        for variable in &turns.variables {
            let (ty, own) = (self.ty(variable.carried), self.values[variable.carried.0 as usize].clone());
            let array = Expr::Name(self.names.claim("lanes"));
            let at = |lane: Expr| array.clone().at(lane);
            self.statements.push((None, Statement::Arrays(ty, vec![array.clone()], LANES as i32)));
            self.statements.push(each(LANES, Statement::Set(at(lane.clone()), own.clone())));
            let now = at(place.clone().infix("&", Expr::number(LANES as i128 - 1)));
            takes.push((None, Statement::Set(own.clone(), now.clone())));
            body.push((None, Statement::Set(now, own.clone())));
            let mut half = LANES / 2;
            while half > 0 {
                let other = at(lane.clone().plus(half as i32));
                sums.push(each(half, Statement::Set(at(lane.clone()), at(lane.clone()).infix("+", other))));
                half /= 2;
            }
            sums.push((None, Statement::Set(own, at(Expr::number(0)))));
        }
        body.splice(0..0, takes);
        sums
    }

    /// What a turn leaves in the variables: all at once.
    fn advances(&mut self, turns: &Loop) -> Vec<Statement> {
        let is_variable = |id: ValueId| turns.variables.iter().any(|variable| variable.carried == id);
        let (mut kept, mut sets) = (Vec::new(), Vec::new());
        for variable in &turns.variables {
            let ty = self.ty(variable.carried);
            let mut after = self.operand(variable.after, ty);
            if is_variable(variable.after) {
                let name = self.names.claim("left");
                kept.push(Statement::Declare(ty, Rc::clone(&name), after));
                after = Expr::Name(name);
            }
            sets.push(Statement::Set(self.values[variable.carried.0 as usize].clone(), after));
        }
        kept.extend(sets);
        kept
    }

    /// Adds the statement of a value, and what it reads; a constant and what is another value have none.
    fn value(&mut self, index: usize) {
        let (id, node) = (ValueId(index as u32), &self.nested.nodes[index]);
        let is_kept = match self.nested.computed[index] {
            Computed::Before => false,
            Computed::Turn { kept, .. } => kept,
            Computed::Earlier { of, by } => {
                // What is kept is in an array.
                let mut value = self.values[of.0 as usize].clone();
                if let Expr::At(_, turn) = &mut value {
                    **turn = Expr::name(TURN).plus(-by);
                }
                return self.values.push(value);
            }
        };
        if let Op::Constant(constant) = node.op {
            return self.values.push(self.literal(constant, node.ty));
        }
        if let Op::Extent { .. } | Op::Stride { .. } = node.op {
            // What a caller gives.
            let given = self.expression(id, node);
            return self.values.push(given);
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
        let author = self.function.is_marked.then_some(node.span);
        let value = self.expression(id, node);
        let (statement, read) = match is_kept {
            true => {
                let place = Expr::Name(name).at(Expr::name(TURN));
                (Statement::Set(place.clone(), value), place)
            }
            false => (Statement::Declare(self.ty(id), Rc::clone(&name), value), Expr::Name(name)),
        };
        self.statements.push((author, statement));
        self.values.push(read);
    }

    /// The first of the rows that a turn computes, where there is a loop; of an image with `stride` rows to one of the block.
    pub fn turn(&self, stride: u32) -> Option<Expr> {
        let rows = self.nested.turns()?.rows * stride as i32;
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
        match self.nested.turns().map(|turns| turns.rows * stride as i32) {
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

/// Finds the type of each value: a vector where it varies along the row.
fn find_types(nodes: &[Node], lanes: u32) -> Vec<CType> {
    let mut types: Vec<CType> = Vec::with_capacity(nodes.len());
    for (node, axes) in nodes.iter().zip(along(nodes)) {
        // Of several operands the first that is a vector decides how wide a mask is; of a selection, the condition is the last.
        let vector = || {
            let mut operands = node.op.operands();
            if let Op::Select { .. } = node.op {
                operands.rotate_left(1);
            }
            operands.iter().map(|id| types[id.0 as usize]).find(|ty| ty.lanes > 1)
        };
        let ty = match node.ty {
            ty if !axes.has(AxisId::X) || lanes == 1 => CType::scalar(ty),
            Type::BOOL => CType { ty: signed(vector().map_or(Type::I8, |vector| vector.ty)), lanes },
            ty => CType { ty, lanes },
        };
        types.push(ty);
    }
    types
}

/// Finds the elements and uniforms whose one user is a conversion.
fn find_lone_casts(nested: &Nested) -> Vec<bool> {
    let (mut users, mut casts) = (vec![0u32; nested.nodes.len()], vec![false; nested.nodes.len()]);
    for (node, place) in nested.nodes.iter().zip(&nested.computed) {
        match *place {
            Computed::Before | Computed::Turn { .. } => {
                node.op.for_operands(|operand| users[operand.0 as usize] += 1);
                if let Op::Cast(_, operand) = node.op {
                    casts[operand.0 as usize] = true;
                }
            }
            // It is in an array.
            Computed::Earlier { of, .. } => users[of.0 as usize] += 2,
        }
    }
    for store in &nested.stores {
        users[store.value.0 as usize] += 1;
    }
    for (index, is_cast) in casts.iter_mut().enumerate() {
        let is_read = matches!(nested.nodes[index].op, Op::Load(_) | Op::Uniform { .. });
        *is_cast = *is_cast && users[index] == 1 && is_read;
    }
    casts
}
