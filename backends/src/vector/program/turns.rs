//! Loops at run time in a program: a statement that makes what is in the variables behind the last turn.

use super::{Lane, Line, Program, Results, Source, Vector, VectorId};
use std::collections::BTreeMap;
use std::rc::Rc;
use windrow_dsl::ir::{Axes, AxisId, Order};

/// A scalar or a vector that a statement reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// What a statement makes.
    Made(VectorId),
    /// A scalar expression that is the same for the whole run.
    Text(String),
}

/// A variable that a loop carries from turn to turn, in one scalar or in vectors.
#[derive(Clone, Debug)]
pub struct Variable {
    /// What is in it.
    pub now: Vec<VectorId>,
    /// Before the first turn.
    pub before: Vec<Operand>,
    /// Behind a turn.
    pub after: Vec<Operand>,
}

/// What holds a variable of a loop.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The name it would like.
    pub name: Rc<str>,
    /// The type of the scalar, or of the lanes.
    pub lane: Lane,
    /// So many vectors; one scalar where it is the same for all lanes.
    pub count: Option<usize>,
    /// What it varies along.
    pub along: Axes,
}

/// A loop at run time.
#[derive(Clone, Debug)]
pub struct Turns {
    axis: AxisId,
    /// The number of the turn, a scalar.
    pub turn: VectorId,
    /// The first turn's, and the number behind the last.
    pub ends: [Operand; 2],
    /// Its variables.
    pub variables: Vec<Variable>,
    /// What a turn computes.
    pub lines: Vec<Line>,
    /// In which order the turns change the variables.
    pub order: Order,
    /// The most turns that it takes, where that is written in its ends.
    pub most: Option<u32>,
    is_open: bool,
}

/// The place of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// In this many repeated loops of the nest.
    Depth(usize),
    /// In a loop at run time, by its number.
    Turns(usize),
}

impl Operand {
    /// Visits what a statement makes.
    pub fn visit(&self, visit: &mut impl FnMut(VectorId)) {
        if let Self::Made(id) = self {
            visit(*id);
        }
    }
}

impl Turns {
    /// Visits what the loop reads, from within it too, but for what its statements read.
    pub(super) fn operands(&self, visit: &mut impl FnMut(VectorId)) {
        self.ends.iter().for_each(|end| end.visit(visit));
        for variable in &self.variables {
            variable.before.iter().chain(&variable.after).for_each(|operand| operand.visit(visit));
        }
    }
}

impl Program {
    /// Begins a loop: statements that vary along its axis go into it until it is closed. Its number, its turn, and the scalars or
    /// vectors of its variables.
    pub fn open(
        &mut self,
        (axis, order): (AxisId, Order),
        name: &Rc<str>,
        (ends, most): ([Operand; 2], Option<u32>),
        variables: &[Shape],
    ) -> (usize, VectorId, Vec<Vec<VectorId>>) {
        let place = self.place;
        let made = |program: &mut Self, vector: Vector| {
            program.vectors.push(vector);
            VectorId(program.vectors.len() as u32 - 1)
        };
        let (name, along) = (Rc::clone(name), Axes::of(axis));
        let turn =
            made(self, Vector { lane: Lane::I32, name, part: None, value: place, place, along, is_scalar: true });
        let mut now = Vec::with_capacity(variables.len());
        for &Shape { ref name, lane, count, along } in variables {
            let vector = |part: usize| {
                let part = if count > Some(1) { Some(part) } else { None };
                Vector { lane, name: Rc::clone(name), part, value: place, place, along, is_scalar: count.is_none() }
            };
            now.push((0..count.unwrap_or(1)).map(|part| made(self, vector(part))).collect());
        }
        self.turns.push(Turns {
            axis,
            turn,
            ends,
            variables: Vec::new(),
            lines: Vec::new(),
            order,
            most,
            is_open: true,
        });
        (self.turns.len() - 1, turn, now)
    }

    /// Ends a loop, of which this is what its variables hold before it, in it and behind a turn.
    pub fn close(&mut self, number: usize, variables: Vec<Variable>) {
        let turns = &mut self.turns[number];
        turns.variables = variables;
        let lines = std::mem::take(&mut turns.lines);
        self.turns[number].lines = self.in_demand_order(lines, number);
        let turns = &self.turns[number];
        let count = turns.variables.iter().map(|variable| variable.now.len()).sum();
        // The variables follow the turn, which nothing behind the loop reads.
        let (axis, first) = (turns.axis, turns.turn.0 as usize + 1);
        let mut along = Axes::NONE;
        let add = |along: &mut Axes, id: VectorId| *along = *along | self.vectors[id.0 as usize].along;
        turns.operands(&mut |id| add(&mut along, id));
        for line in &turns.lines {
            line.results.list().into_iter().for_each(|id| add(&mut along, id));
        }
        let along = along.without(axis);
        self.turns[number].is_open = false;
        for vector in &mut self.vectors[first..first + count] {
            (vector.along, vector.place) = (along, self.place);
        }
        let level = self.level(along);
        self.lines_at(level).push(Line { results: Results::new(first, count), source: Source::Turns(number) });
    }

    /// The statements of a turn, each just before the first that reads it: first the pointers, so that nothing waits in a register
    /// where they are looked at, then what the variables are given, in their order.
    fn in_demand_order(&self, lines: Vec<Line>, number: usize) -> Vec<Line> {
        let makers = lines.iter().enumerate();
        let makers = makers.flat_map(|(place, line)| line.results.list().into_iter().map(move |id| (id, place)));
        let makers: BTreeMap<VectorId, usize> = makers.collect();
        let is_pointer = |line: &Line| matches!(line.source, Source::Contiguous { .. });
        let mut roots: Vec<usize> = (0..lines.len()).filter(|&place| is_pointer(&lines[place])).collect();
        for operand in self.turns[number].variables.iter().flat_map(|variable| &variable.after) {
            operand.visit(&mut |id| roots.extend(makers.get(&id)));
        }
        // Each is visited before what it reads, and written behind it.
        let (mut order, mut is_seen, mut is_done) =
            (Vec::with_capacity(lines.len()), vec![false; lines.len()], vec![false; lines.len()]);
        let mut waiting: Vec<usize> = roots.into_iter().rev().collect();
        while let Some(&place) = waiting.last() {
            if is_seen[place] {
                waiting.pop();
                if !std::mem::replace(&mut is_done[place], true) {
                    order.push(place);
                }
                continue;
            }
            is_seen[place] = true;
            let mut read: Vec<usize> = Vec::new();
            self.reads(&lines[place].source, &mut |id| read.extend(makers.get(&id)));
            waiting.extend(read.into_iter().rev().filter(|&read| !is_seen[read]));
        }
        let mut lines: Vec<Option<Line>> = lines.into_iter().map(Some).collect();
        order.into_iter().filter_map(|place| lines[place].take()).collect()
    }

    /// The place of a statement that varies along these axes: in the innermost loop along one of them.
    pub(super) fn level(&self, along: Axes) -> Level {
        let mut open = self.turns.iter().enumerate().rev().filter(|(_, turns)| turns.is_open);
        match open.find(|(_, turns)| along.has(turns.axis)) {
            Some((number, _)) => Level::Turns(number),
            None => Level::Depth(self.nest.depth(along)),
        }
    }

    /// The statements in that place.
    pub(super) fn lines_at(&mut self, level: Level) -> &mut Vec<Line> {
        match level {
            Level::Depth(depth) => &mut self.depths[depth],
            Level::Turns(number) => &mut self.turns[number].lines,
        }
    }

    /// A statement that may be read from here on; none where its loop is closed.
    pub(super) fn line_at(&self, level: Level, place: usize) -> Option<&Line> {
        match level {
            Level::Depth(depth) => self.depths[depth].get(place),
            Level::Turns(number) => {
                let turns = &self.turns[number];
                if turns.is_open { turns.lines.get(place) } else { None }
            }
        }
    }

    /// Visits what a statement reads, and where it is a loop what is read in it.
    pub fn reads(&self, source: &Source, visit: &mut impl FnMut(VectorId)) {
        let Source::Turns(number) = *source else { return source.vectors(visit) };
        let turns = &self.turns[number];
        turns.operands(visit);
        let mut all: Vec<&Line> = turns.lines.iter().collect();
        while let Some(line) = all.pop() {
            match line.source {
                Source::Turns(inner) => {
                    self.turns[inner].operands(visit);
                    all.extend(&self.turns[inner].lines);
                }
                ref source => source.vectors(visit),
            }
        }
    }

    /// Marks what statements need, from the last on: those that make what is marked.
    pub(super) fn mark_needed(&self, lines: &[Line], needed: &mut [bool]) {
        for line in lines.iter().rev() {
            if !line.results.has(needed) {
                continue;
            }
            match line.source {
                Source::Turns(number) => {
                    let turns = &self.turns[number];
                    turns.operands(&mut |id| needed[id.0 as usize] = true);
                    self.mark_needed(&turns.lines, needed);
                }
                ref source => source.vectors(&mut |id| needed[id.0 as usize] = true),
            }
        }
    }
}
