//! Tiles in local memory: how an element is read from them, and the loops that do.
//!
//! A loop that reads from tiles takes its turns in chunks. Before a chunk every work-item of the group reads some of the chunk's elements,
//! wherever the group's rows or columns are; between two barriers, all of them are read by all.

use super::tile_arrays::{ROWS_AT_ONCE, TileArray, Tiles};
use super::writer::BlockWriter;
use crate::opencl::c::prelude::Helper;
use crate::opencl::c::text::{Expr, ForLoop, Statement};
use crate::opencl::c::types::CType;
use crate::opencl::tiles::{Group, TURNS};
use std::rc::Rc;
use windrow_dsl::ir::loops::Loop;
use windrow_dsl::ir::{AxisId, Constant, Type, ValueId};

impl BlockWriter<'_> {
    /// Whether a value is computed where a tile is filled, and nowhere else.
    pub fn is_of_filling(&self, id: ValueId) -> bool {
        self.tiles.as_ref().is_some_and(|tiles| tiles.is_of_filling[id.0 as usize])
    }

    /// Adds where the work-item is in its group, and where the group is.
    pub fn places_of_group(&mut self) {
        let Some(tiles) = &self.tiles else { return };
        let (int, names) = (CType::scalar(Type::I32), &tiles.names);
        let local = |dimension: u32| Expr::call("get_local_id", [Expr::number(dimension)]).cast(int);
        let own = |name: &Rc<str>| Expr::Name(Rc::clone(name));
        let (local_row, has_one_row) = match tiles.group {
            Group { planes: 1, .. } => (local(1), false),
            Group { y: 1, .. } => (local(2), true),
            Group { y, .. } => (local(2).times(y).infix("+", local(1)), false),
        };
        let item = own(&names.local[0]).times(tiles.group.x).infix("+", own(&names.local[1]));
        let block_y = Expr::name("block_y");
        let first_y = if has_one_row { block_y } else { block_y.infix("-", local(1).times(tiles.block.y)) };
        let first_x = Expr::name("block_x").infix("-", own(&names.local[1]).times(tiles.block.x));
        let [row, column] = &names.local;
        let places = [
            (row, local_row),
            (column, local(0)),
            (&names.item, item),
            (&names.first[0], first_y),
            (&names.first[1], first_x),
        ];
        let declared = places.map(|(name, value)| (None, Statement::Declare(int, Rc::clone(name), value)));
        self.statements.extend(declared);
    }

    /// A place along an axis of the group; past the window's edge, and past the last plane, it stays on the last element.
    pub fn place_in_group(&self, axis: AxisId) -> Expr {
        let Some(Tiles { names, block, group, .. }) = &self.tiles else { return Expr::number(0) };
        let own = |name: &Rc<str>| Expr::Name(Rc::clone(name));
        let (place, rows) = (own(&names.place), block.y * group.y);
        let bounded =
            |first: &Rc<str>, place: Expr, last: Expr| Expr::call("min", [own(first).infix("+", place), last]);
        let Some(number) = axis.as_outer_of_group() else {
            return match axis {
                AxisId::GROUP_Y if group.planes > 1 => {
                    bounded(&names.first[0], place.infix("%", Expr::number(rows)), Expr::name("last_y"))
                }
                AxisId::GROUP_Y => bounded(&names.first[0], place, Expr::name("last_y")),
                _ => bounded(&names.first[1], place, Expr::name("last_x")),
            };
        };
        let plane = bounded(&names.planes[0], place.infix("/", Expr::number(rows)), own(&names.planes[1]));
        let inner = names.extents.iter().take(number as usize);
        let plane = inner.fold(plane, |plane, extent| plane.infix("/", own(extent)));
        match names.extents.get(number as usize) {
            Some(extent) => plane.infix("%", own(extent)),
            None => plane,
        }
    }

    /// What a tile holds of the element's own row or column, in the turn that is computed.
    pub fn local(&mut self, id: ValueId, value: ValueId, offset: i32, ty: CType) -> Expr {
        let found =
            self.tiles.as_ref().and_then(|tiles| tiles.arrays.iter().find(|array| array.value == value).cloned());
        let (Some(tiles), Some(array)) = (&self.tiles, found) else { return self.refuse(id, "Local", ty.ty) };
        let turn = Expr::Name(Rc::clone(&tiles.names.turn)).times(array.pitch);
        if array.axis == AxisId::X {
            let own = Expr::Name(Rc::clone(&tiles.names.local[1])).times(tiles.block.x);
            let at = turn.infix("+", own).plus(offset);
            return self.prelude.call(Helper::Tile, ty, [Expr::Name(array.name), at]);
        }
        let own = Expr::Name(Rc::clone(&tiles.names.local[0])).times(tiles.block.y);
        let lanes = ROWS_AT_ONCE as i32;
        let (first, lane) = (offset - offset.rem_euclid(lanes), offset.rem_euclid(lanes));
        let rows = match tiles.read.get(&(value, first)) {
            Some(rows) => Rc::clone(rows),
            None => {
                let at = turn.infix("+", own).plus(first);
                let ty = CType { lanes: ROWS_AT_ONCE, ..array.ty };
                let rows = self.prelude.call(Helper::Tile, ty, [Expr::Name(Rc::clone(&array.name)), at]);
                let name =
                    self.names.claim(&format!("{}_rows", self.function.kernel.inputs[array.input.0 as usize].name));
                let author = self.function.is_marked.then_some(self.node(id).span);
                self.statements.push((author, Statement::Declare(ty, Rc::clone(&name), rows)));
                if let Some(tiles) = &mut self.tiles {
                    tiles.read.insert((value, first), Rc::clone(&name));
                }
                name
            }
        };
        Expr::Lanes(Box::new(Expr::Name(rows)), format!("s{lane}"))
    }

    /// A loop whose turns come in chunks, the elements of which are in tiles; the loop as it is where it has none.
    ///
    /// While a chunk is computed, what the next one reads is on its way to registers.
    pub fn in_chunks(&mut self, turns: &Loop, whole: ForLoop) -> Statement {
        let arrays: Vec<TileArray> = match &self.tiles {
            Some(tiles) => tiles.arrays.iter().filter(|array| array.turn == turns.turn).cloned().collect(),
            None => Vec::new(),
        };
        let Some(tiles) = self.tiles.as_ref().filter(|_| !arrays.is_empty()) else {
            return Statement::Turns(Box::new(whole));
        };
        let (turn, is_turn_read) = (Rc::clone(&tiles.names.turn), tiles.is_needed[turns.turn.0 as usize]);
        let ForLoop { ty, name, start, end, mut body, .. } = whole;
        let [first, last, count] = ["first", "last", "turns"].map(|part| self.names.claim(&format!("{name}_{part}")));
        let [first_turn, last_turn, chunk_turns] = [&first, &last, &count].map(|name| Expr::Name(Rc::clone(name)));
        let most = Expr::constant(Constant::Int(TURNS.into()), ty.ty);

        let held = self.held_arrays(&arrays);
        // A turn is bounded by it in addresses that the loop steps through: where it comes from is kept from compilers.
        let unknown_end = match &end {
            Expr::Call(..) => end.clone(),
            _ => self.prelude.call(Helper::Unknown, ty, [end.clone()]),
        };
        self.statements.push((None, Statement::Declare(ty, last, unknown_end.plus(-1))));
        let begins = self.reading(&held, (&start, &last_turn));
        self.statements.push((None, Statement::If(start.clone().infix("<", end.clone()), begins)));

        let barrier = || (None, Statement::Do(Expr::call("barrier", [Expr::name("CLK_LOCAL_MEM_FENCE")])));
        let mut chunk = vec![barrier()];
        chunk.extend(held.iter().map(|(array, held)| (None, self.filling(array, held))));
        chunk.push(barrier());
        let next = first_turn.clone().infix("+", most.clone());
        let reads = self.reading(&held, (&next, &last_turn));
        chunk.push((None, Statement::If(next.clone().infix("<", end.clone()), reads)));
        if is_turn_read {
            let own = first_turn.clone().infix("+", Expr::Name(Rc::clone(&turn)));
            body.insert(0, (None, Statement::Declare(ty, name, own)));
        }
        let turns_of_chunk = Expr::call("min", [end.clone().infix("-", first_turn), most]);
        chunk.push((None, Statement::Declare(ty, count, turns_of_chunk)));
        let turns = ForLoop { ty, name: turn, start: Expr::number(0), end: chunk_turns, by: 1, body };
        chunk.push((None, Statement::Turns(Box::new(turns))));
        Statement::Turns(Box::new(ForLoop { ty, name: first, start, end, by: TURNS, body: chunk }))
    }
}
