//! How a work-group fills tiles: which element each work-item reads, and where that lies.
//!
//! A place is computed as the body computes it, at other coordinates. What of it a loop does not change is computed before that loop, for each of
//! the elements that a work-item reads.

use super::tile_arrays::{TileArray, Tiles, for_each_loop};
use super::writer::BlockWriter;
use crate::opencl::c::text::{Expr, ForLoop, Marked, Statement};
use crate::opencl::c::types::CType;
use crate::opencl::tiles::TURNS;
use std::collections::BTreeSet;
use std::rc::Rc;
use windrow_dsl::ir::loops::Loop;
use windrow_dsl::ir::{Axes, AxisId, Op, Type, ValueId};

impl BlockWriter<'_> {
    /// Declares the arrays in which a work-item holds what it reads for tiles, and gives each with its tile.
    pub fn held_arrays(&mut self, arrays: &[TileArray]) -> Vec<(TileArray, Rc<str>)> {
        let items = self.tiles.as_ref().map_or(1, Tiles::items);
        let mut held = Vec::with_capacity(arrays.len());
        for array in arrays {
            let name = self.names.claim(&format!("{}_held", self.function.kernel.inputs[array.input.0 as usize].name));
            let names = vec![Expr::Name(Rc::clone(&name))];
            self.statements.push((None, Statement::Arrays(array.ty, names, (TURNS * array.elements() / items) as i32)));
            held.push((array.clone(), name));
        }
        held
    }

    /// The loops in which a work-item reads its part of the elements of some chunk, which is given by its first turn and the loop's last.
    pub fn reading(&mut self, held: &[(TileArray, Rc<str>)], chunk: (&Expr, &Expr)) -> Vec<Marked> {
        let mut loops = Vec::with_capacity(held.len());
        for (array, held) in held {
            let outside = std::mem::take(&mut self.statements);
            let element = self.element_of_filling(array, chunk);
            let part = self.part();
            self.statements.push((None, Statement::Set(Expr::Name(Rc::clone(held)).at(part), element)));
            let body = std::mem::replace(&mut self.statements, outside);
            loops.push((None, self.for_each_part(array, body)));
        }
        loops
    }

    /// The loop in which a work-item writes what it holds into a tile.
    pub fn filling(&mut self, array: &TileArray, held: &Rc<str>) -> Statement {
        let outside = std::mem::take(&mut self.statements);
        self.place_of_part(array, [true, true]);
        if let Some(tiles) = &self.tiles {
            let [turn, place] = [&tiles.names.turn, &tiles.names.place].map(|name| Expr::Name(Rc::clone(name)));
            let at = turn.times(array.pitch).infix("+", place);
            let held = Expr::Name(Rc::clone(held)).at(self.part());
            self.statements.push((None, Statement::Set(Expr::Name(Rc::clone(&array.name)).at(at), held)));
        }
        let body = std::mem::replace(&mut self.statements, outside);
        self.for_each_part(array, body)
    }

    fn part(&self) -> Expr {
        Expr::Name(self.tiles.as_ref().map_or_else(|| Rc::from(""), |tiles| Rc::clone(&tiles.names.part)))
    }

    /// The loop over the elements of a tile that are a work-item's to read.
    fn for_each_part(&self, array: &TileArray, body: Vec<Marked>) -> Statement {
        let (items, part) =
            self.tiles.as_ref().map_or((1, Rc::from("")), |tiles| (tiles.items(), Rc::clone(&tiles.names.part)));
        let (start, end) = (Expr::number(0), Expr::number(TURNS * array.elements() / items));
        Statement::Turns(Box::new(ForLoop { ty: CType::scalar(Type::I32), name: part, start, end, by: 1, body }))
    }

    /// Adds what these values are computed from: which turn of a chunk a part is of, where that is asked for, and which place in the group.
    fn begin_part(&mut self, array: &TileArray, values: &[ValueId], has_turn: bool) {
        let is_place = |id: &ValueId| match self.node(*id).op {
            Op::Coordinate { axis, .. } => !Axes::of(axis).of_group().is_empty(),
            _ => false,
        };
        let has_place = values.iter().any(is_place);
        self.place_of_part(array, [has_turn, has_place]);
    }

    /// Adds which turn of a chunk and which place in the group a part is of, each where it is asked for.
    fn place_of_part(&mut self, array: &TileArray, asked: [bool; 2]) {
        let Some(tiles) = &self.tiles else { return };
        let (int, names) = (CType::scalar(Type::I32), &tiles.names);
        let part = Expr::Name(Rc::clone(&names.part)).times(tiles.items());
        let number = Expr::Name(Rc::clone(&names.item)).infix("+", part);
        // Neighbouring work-items read neighbouring elements of memory.
        let [turn, place] = match self.is_along_turns(array) {
            true => [("%", TURNS), ("/", TURNS)],
            false => [("/", array.elements()), ("%", array.elements())],
        }
        .map(|(operator, by)| number.clone().grouped().infix(operator, Expr::number(by)));
        let places = [(&names.turn, turn), (&names.place, place)].into_iter().zip(asked).filter(|(_, asked)| *asked);
        let declare = |((name, value), _): ((&Rc<str>, Expr), bool)| Statement::Declare(int, Rc::clone(name), value);
        self.statements.extend(places.map(declare).map(|statement| (None, statement)));
    }

    /// Whether the turns of a chunk read neighbours in memory, rather than the places of a group.
    fn is_along_turns(&self, array: &TileArray) -> bool {
        let column = match self.node(array.value).op {
            Op::Gather { at: [_, column], .. } => column,
            _ => array.value,
        };
        self.axes_of(column).has(self.axis_of(array.turn))
    }

    fn axis_of(&self, turn: ValueId) -> AxisId {
        if let Op::Turn { axis, .. } = self.node(turn).op { axis } else { AxisId::Y }
    }

    /// What of an element's place is computed where a tile is filled, in order; what is known before is not looked into.
    fn cone(&self, array: &TileArray) -> BTreeSet<ValueId> {
        let (axis, along_turns) = (self.axis_of(array.turn), self.is_along_turns(array));
        let is_known =
            |id: ValueId| self.tiles.as_ref().is_some_and(|tiles| tiles.known.contains_key(&(id, along_turns)));
        let (mut cone, mut list) = (BTreeSet::from([array.value]), vec![array.value]);
        while let Some(id) = list.pop() {
            if id != array.turn && !is_known(id) {
                let operands = self.node(id).op.operands().into_iter();
                let varies =
                    operands.filter(|id| !self.axes_of(*id).of_group().is_empty() || self.axes_of(*id).has(axis));
                list.extend(varies.filter(|id| cone.insert(*id)));
            }
        }
        cone
    }

    /// Adds the statement of a value of a cone.
    fn declare_in_cone(&mut self, id: ValueId, value: Expr) {
        let node = self.node(id).clone();
        let name = self.name(id, &node);
        let author = self.function.is_marked.then_some(node.span);
        self.statements.push((author, Statement::Declare(self.ty(id), Rc::clone(&name), value)));
        self.values[id.0 as usize] = Expr::Name(name);
    }

    /// Has what is known before a loop of the places that its tiles, and those of loops inside it, are filled from: an array for each value that
    /// a turn of the loop reads.
    pub fn places_before(&mut self, turns: &Loop) {
        let mut inside = vec![turns.turn];
        for_each_loop(&turns.body, &mut |inner| inside.push(inner.turn));
        let arrays = self.tiles.as_ref().map(|tiles| tiles.arrays.clone()).unwrap_or_default();
        for array in arrays.iter().filter(|array| inside.contains(&array.turn)) {
            self.places_of(array);
        }
    }

    fn places_of(&mut self, array: &TileArray) {
        let (cone, along_turns, here) = (self.cone(array), self.is_along_turns(array), self.values.len() as u32);
        let is_new = |id: &ValueId| {
            let tiles = self.tiles.as_ref();
            id.0 < here && tiles.is_some_and(|tiles| !tiles.known.contains_key(&(*id, along_turns)))
        };
        let before: Vec<ValueId> = cone.iter().copied().filter(is_new).collect();
        let mut read: BTreeSet<ValueId> = BTreeSet::new();
        for id in cone.iter().filter(|id| id.0 >= here) {
            read.extend(self.node(*id).op.operands().iter().filter(|id| before.contains(id)));
        }
        if read.is_empty() {
            return;
        }
        let outside = std::mem::take(&mut self.statements);
        self.begin_part(array, &before, false);
        let kept = self.with_known(&cone, along_turns, |own| {
            for &id in &before {
                let node = own.node(id).clone();
                let value = own.expression(id, &node);
                own.declare_in_cone(id, value);
            }
            let mut kept = Vec::new();
            for &id in &read {
                let array = own.names.claim(&format!("{}_parts", own.values[id.0 as usize].text(own.function.floats)));
                let place = Expr::Name(array).at(own.part());
                let value = own.values[id.0 as usize].clone();
                own.statements.push((None, Statement::Set(place.clone(), value)));
                kept.push((id, place));
            }
            kept
        });
        let body = std::mem::replace(&mut self.statements, outside);
        let count = (TURNS * array.elements() / self.tiles.as_ref().map_or(1, Tiles::items)) as i32;
        for (id, place) in kept {
            if let Expr::At(name, _) = &place {
                self.statements.push((None, Statement::Arrays(self.ty(id), vec![(**name).clone()], count)));
            }
            if let Some(tiles) = &mut self.tiles {
                tiles.known.insert((id, along_turns), place);
            }
        }
        let parts = self.for_each_part(array, body);
        self.statements.push((None, parts));
    }

    /// Does something while what is known before of a cone is read from where it is kept, and what it computes there is forgotten.
    fn with_known<T>(&mut self, cone: &BTreeSet<ValueId>, along_turns: bool, work: impl FnOnce(&mut Self) -> T) -> T {
        let values = |own: &Self, id: &ValueId| own.values.get(id.0 as usize).cloned();
        let before: Vec<Option<Expr>> = cone.iter().map(|id| values(self, id)).collect();
        let offsets = self.offsets.clone();
        for id in cone {
            let known = self.tiles.as_ref().and_then(|tiles| tiles.known.get(&(*id, along_turns)).cloned());
            if let (Some(known), Some(value)) = (known, self.values.get_mut(id.0 as usize)) {
                *value = known;
            }
        }
        let done = work(self);
        for (id, value) in cone.iter().zip(before) {
            if let Some(value) = value {
                self.values[id.0 as usize] = value;
            }
        }
        self.offsets = offsets;
        done
    }

    /// Adds the statements that find an element at a place of the group and in a turn of a chunk, given as above: none is read behind the
    /// loop's last.
    fn element_of_filling(&mut self, array: &TileArray, (first, last): (&Expr, &Expr)) -> Expr {
        let (cone, along_turns) = (self.cone(array), self.is_along_turns(array));
        let is_new =
            |id: &ValueId| self.tiles.as_ref().is_some_and(|tiles| !tiles.known.contains_key(&(*id, along_turns)));
        let own: Vec<ValueId> = cone.iter().copied().filter(is_new).collect();
        self.begin_part(array, &own, true);
        self.with_known(&cone, along_turns, |writer| {
            let mut element = Expr::number(0);
            for id in own {
                let node = writer.node(id).clone();
                element = if id == array.turn {
                    let turn = writer.tiles.as_ref().map_or_else(|| Rc::from(""), |tiles| Rc::clone(&tiles.names.turn));
                    let turn = Expr::Name(turn);
                    let turn = if *first == Expr::number(0) { turn } else { first.clone().infix("+", turn) };
                    Expr::call("min", [turn, last.clone()])
                } else {
                    writer.expression(id, &node)
                };
                if id != array.value {
                    writer.declare_in_cone(id, std::mem::replace(&mut element, Expr::number(0)));
                }
            }
            element
        })
    }
}
