//! One body as a function: what a work-item computes for its block, a statement a value.
//!
//! The values of a row are side by side in a vector. What is uniform (constants, uniforms, the row's coordinate) stays
//! scalar and is spread where it meets a vector. The function reads and writes through `Source` and `Sink`, so that one
//! text serves the inside of an image and its edges.

use super::anywhere::{Gathered, gathered};
use super::reads::NamedPiece;
use super::row_lanes::{LaneArray, RowGroup};
use super::tile_arrays::{TileArray, Tiles};
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
use windrow_dsl::diagnostic::Diagnostic;
use windrow_dsl::ir::loops::{Step, has_loops, steps};
use windrow_dsl::ir::{Axes, AxisId, Body, Constant, InputId, Kernel, Node, Op, Range, Tap, Type, ValueId, along};
use windrow_dsl::optimise::{Computed, Nested, RowTurns, ranges_of_copies};

/// The longest line of a head.
const WIDEST: usize = 120;

/// What says that the lanes of a block's vectors read neighbours, and that those lie at multiples of their size.
const RUNS: &str = "runs";

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
    /// What says whether the block is computed by runs.
    pub by_runs: Rc<str>,
    /// The columns of inputs that are known to be neighbours, where the block is computed by runs.
    pub runs: Vec<(InputId, ValueId)>,
    /// What each value varies along.
    along: Vec<Axes>,
    /// The tiles in local memory, where it reads from such.
    pub tiles: Option<Tiles>,
    /// What it knows of its group, where that computes rows.
    pub row_group: Option<RowGroup>,
    /// The names that its statements have.
    pub names: Names,
    /// The statements, each with the author's line where that was asked for.
    pub statements: Vec<Marked>,
    /// What its values can be, once something has asked.
    ranges: OnceCell<Vec<Range>>,
    /// What OpenCL C has no expression for.
    refused: Vec<Diagnostic>,
}

/// What a block function asks of its caller.
pub struct Written {
    /// Whether it has runs. One that has leaves without a store, and says false, where it is told to compute by them and they are none.
    pub has_runs: bool,
    /// The arrays in local memory that it is given, of which the whole group fills and reads each.
    pub tiles: Vec<TileArray>,
    /// The arrays in local memory through which work-items of a row combine what they have found.
    pub lanes: Vec<LaneArray>,
}

/// Writes a block function of these values.
///
/// # Errors
/// The operations that OpenCL C has no expression for; the text then is not to be used.
pub fn emit(
    out: &mut Text,
    prelude: &mut Prelude,
    function: Function<'_>,
    nested: &Nested,
) -> Result<Written, Vec<Diagnostic>> {
    let (images, mut names) = Arguments::of_block(function.kernel, function.reads);
    let (by_runs, is_of_rows) = (names.claim(RUNS), function.schedule.computes_rows);
    let along = along(&nested.nodes);
    let lines = images.lines(function.kernel, function.needs, Head::Block(function.reads));
    let mut block = BlockWriter {
        function,
        prelude,
        types: find_types(&nested.nodes, function.schedule.lanes),
        values: Vec::with_capacity(nested.nodes.len()),
        is_in_its_cast: find_lone_casts(nested),
        images,
        rows: BTreeMap::new(),
        offsets: BTreeMap::new(),
        by_runs,
        runs: Vec::new(),
        tiles: if is_of_rows { None } else { Tiles::of(function, nested, &along, &mut names) },
        row_group: is_of_rows.then(|| RowGroup::of(nested, &ranges_of(function.kernel, nested), &mut names)),
        along,
        names,
        statements: Vec::new(),
        nested,
        ranges: OnceCell::new(),
        refused: Vec::new(),
    };
    let has_runs = block.has_runs();
    let ty = if has_runs { "bool" } else { "void" };
    let mut parameters: Vec<&str> = lines.iter().map(|line| &*line.parameters).collect();
    let by_runs = format!("const bool {}", block.by_runs);
    parameters.extend(has_runs.then_some(&*by_runs));
    let tiles = block.tiles.as_ref().map(|tiles| tiles.arrays.clone()).unwrap_or_default();
    let mut of_group: Vec<String> = block.tiles.as_ref().and_then(Tiles::parameters).into_iter().collect();
    of_group.extend(tiles.iter().map(|tile| format!("__local {} *{}", function.floats.name(tile.ty), tile.name)));
    let lanes = block.row_group.as_ref().map(|group| group.arrays.clone()).unwrap_or_default();
    of_group.extend(lanes.iter().map(|array| format!("__local {} *{}", function.floats.name(array.ty), array.name)));
    parameters.extend(of_group.iter().map(|parameter| &**parameter));
    let head = format!("INLINE {ty} {}_block({})", function.name, comma(parameters.iter()));
    if head.len() <= WIDEST {
        out.line(head);
    } else {
        out.line(format!("INLINE {ty} {}_block(", function.name));
        out.list(parameters.into_iter(), ")");
    }
    out.open("");
    let mut body = block.body();
    if !block.refused.is_empty() {
        return Err(block.refused);
    }
    body.extend(has_runs.then_some((None, Statement::Leave)));
    for statement in body {
        print_marked(&statement, out, function.floats);
    }
    if function.is_marked {
        out.mark(None);
    }
    out.close("");
    Ok(Written { has_runs, tiles, lanes })
}

impl BlockWriter<'_> {
    /// Whether some of its vectors may be read as neighbours.
    fn has_runs(&self) -> bool {
        self.nested.nodes.iter().any(|node| gathered(&node.op).is_some_and(|(id, place)| self.is_run(id, place)))
    }

    /// Whether there are loops at run time.
    pub fn has_loops(&self) -> bool {
        self.along.iter().any(|axes| !axes.of_loops().is_empty())
    }

    /// What a value varies along.
    pub fn axes_of(&self, id: ValueId) -> Axes {
        self.along[id.0 as usize]
    }

    /// Whether a value is the same in all turns of the loops at run time.
    pub fn is_before_loops(&self, id: ValueId) -> bool {
        self.axes_of(id).of_loops().is_empty()
    }

    /// The type of a value; a vector of truth values is a mask as wide as what it came from.
    pub fn ty(&self, id: ValueId) -> CType {
        self.types[id.0 as usize]
    }

    /// Whether a float may not be a number.
    pub fn may_be_nan(&self, id: ValueId) -> bool {
        let ranges = self.ranges.get_or_init(|| ranges_of(self.function.kernel, self.nested));
        !matches!(ranges[id.0 as usize], Range::Float { nan: false, .. })
    }

    /// The node of a value.
    pub fn node(&self, id: ValueId) -> &Node {
        &self.nested.nodes[id.0 as usize]
    }

    /// Records that OpenCL C has no expression for an operation on values of a type: the program is refused, and what
    /// stands for the value is never seen.
    pub fn refuse(&mut self, id: ValueId, operation: &str, ty: Type) -> Expr {
        let message = format!("OpenCL C has no expression for `{operation}` of {}", ty.name());
        let help = "report this kernel as a fault of windrow";
        self.refused.push(Diagnostic::at(self.node(id).span, message, help));
        Expr::number(0)
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
        if self.row_group.is_some() {
            return self.row_of_group();
        }
        self.places_of_group();
        let before = nested.computed.iter().take_while(|computed| **computed == Computed::Before).count();
        if has_loops(&nested.nodes) {
            self.steps(&steps(&nested.nodes));
        } else {
            (0..before).for_each(|index| self.value(index));
        }
        let Some(RowTurns { count, lead, .. }) = nested.turns() else {
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
    pub fn steps(&mut self, list: &[Step]) {
        for step in list {
            match step {
                Step::Value(id) => self.value(id.0 as usize),
                Step::Loop(turns) => self.run_time_loop(turns),
            }
        }
    }

    /// Adds the statement of a value, and what it reads; a constant and what is another value have none.
    pub fn value(&mut self, index: usize) {
        let (id, node) = (ValueId(index as u32), &self.nested.nodes[index]);
        if self.is_of_filling(id) {
            return self.values.push(Expr::name(""));
        }
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
        if let Op::Local { value, axis: AxisId::Y, offset } = node.op {
            // It is a lane of what is read of several rows.
            let row = self.local(id, value, offset, self.ty(id));
            return self.values.push(row);
        }
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

/// What the values of a function can be.
fn ranges_of(kernel: &Kernel, nested: &Nested) -> Vec<Range> {
    ranges_of_copies(kernel, &Body::plain(Vec::new(), nested.nodes.clone(), nested.stores.clone()))
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
