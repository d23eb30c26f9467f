//! A body as vector instructions: vectors, the statements that make them, loads before stores. [`super::select`] fills it,
//! [`super::text`] prints it.
//!
//! The loops of the nest in which a statement belongs follow from what it reads.
//!
//! Equal calls are one; what no store needs is removed in the end, so a selection may compute a value in a form that
//! its users then pass over.

mod fenced;
mod pointers;
mod quads;
mod source;
mod turns;
mod weight;

pub use super::intrinsic::Intrinsic;
pub use super::lane::Lane;
pub use super::results::{Results, Vector, VectorId};
use proc_macro2::Span;
pub use source::{Arg, Base, Call, Origin, Place, Quad, QuadSums, RowQuads, Source};
use std::rc::Rc;
pub use turns::{Operand, Shape, Turns, Variable};
use windrow_dsl::ir::{Axes, OutputId};
use windrow_dsl::optimise::Nest;
use windrow_dsl::quick::QuickTable;

/// A statement.
#[derive(Clone, Debug)]
pub struct Line {
    /// What it makes.
    pub results: Results,
    /// How.
    pub source: Source,
}

/// A store of interleaved vectors to `factor · x + offset` elements behind an output's row.
#[derive(Clone, Debug)]
pub struct StoreLine {
    /// Which output and which of the block's rows.
    pub row: (OutputId, i32),
    /// Behind the row's start, in elements.
    pub offset: i64,
    /// As in [`Place`].
    pub apart: i64,
    /// The lanes of the output.
    pub lane: Lane,
    /// One to four vectors.
    pub vectors: Vec<VectorId>,
    /// Where only one block of each is stored, side by side: which.
    pub block: Option<u32>,
}

/// A body as instructions.
#[derive(Debug)]
pub struct Program {
    /// The loops around them.
    nest: Nest,
    /// Each vector.
    pub vectors: Vec<Vector>,
    /// The statements, by how many repeated loops of the nest each is in.
    depths: Vec<Vec<Line>>,
    /// The loops at run time, each a statement somewhere.
    turns: Vec<Turns>,
    /// What may be loaded where a run has packed it.
    pub quads: Vec<RowQuads>,
    /// The end of a step.
    pub stores: Vec<StoreLine>,
    /// The author's token of each value.
    pub authors: Rc<[Span]>,
    /// The value for whose vectors statements are being added.
    place: u32,
    /// The greatest so far.
    last_place: u32,
    /// Fences: the values before which they come.
    fences: Vec<u32>,
    /// All statements so far, by what they do: the loop that each is in, and its place there.
    known: QuickTable,
    places: Vec<(turns::Level, usize)>,
}

impl Program {
    /// No instructions yet, in a nest.
    pub fn new(nest: &Nest) -> Self {
        Self {
            depths: vec![Vec::new(); nest.depth(Axes::ALL) + 1],
            nest: nest.clone(),
            turns: Vec::new(),
            vectors: Vec::new(),
            quads: Vec::new(),
            stores: Vec::new(),
            authors: Rc::new([]),
            place: 0,
            last_place: 0,
            fences: Vec::new(),
            known: QuickTable::default(),
            places: Vec::new(),
        }
    }

    /// Makes room for this many statements of a step.
    pub fn reserve(&mut self, count: usize) {
        self.vectors.reserve(count);
        self.depths.last_mut().into_iter().for_each(|lines| lines.reserve(count));
    }

    /// The statements outside all loops: what is the same for all steps.
    pub fn before(&self) -> &[Line] {
        self.depths.first().map_or(&[], Vec::as_slice)
    }

    /// The statements of a step: those within all loops.
    pub fn step(&self) -> &[Line] {
        self.depths.last().map_or(&[], Vec::as_slice)
    }

    /// The statements of a step, to be written otherwise: each makes what it made.
    pub fn step_mut(&mut self) -> &mut [Line] {
        self.depths.last_mut().map_or(&mut [], Vec::as_mut_slice)
    }

    /// All statements, the outermost first.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.depths.iter().flatten().chain(self.turns.iter().flat_map(|turns| &turns.lines))
    }

    /// A loop at run time.
    pub fn turns(&self, number: usize) -> &Turns {
        &self.turns[number]
    }

    /// The lanes of a vector.
    pub fn lane(&self, id: VectorId) -> Lane {
        self.vectors[id.0 as usize].lane
    }

    /// Adds a statement that makes one vector; the vector of an equal one, where there is one.
    pub fn call(&mut self, lane: Lane, name: &Rc<str>, call: Call) -> VectorId {
        self.add(&[lane], name, Source::Call(call)).first()
    }

    /// The same under another name than a value's.
    pub fn call_named(&mut self, lane: Lane, name: &str, call: Call) -> VectorId {
        self.call(lane, &name.into(), call)
    }

    /// Adds a statement that makes vectors of these lanes; the vectors of an equal one, where there is one.
    pub fn source(&mut self, lanes: &[Lane], name: &Rc<str>, source: Source) -> Vec<VectorId> {
        self.add(lanes, name, source).list()
    }

    fn add(&mut self, lanes: &[Lane], name: &Rc<str>, source: Source) -> Results {
        let hash = source.hash();
        let known = |number: usize| {
            let (level, place) = self.places[number];
            self.line_at(level, place).filter(|line| line.source == source).map(|line| line.results)
        };
        if let Some(results) = self.known.find(hash, |number| known(number).is_some()).and_then(known) {
            return results;
        }
        let results = Results::new(self.vectors.len(), lanes.len());
        let (place, along) = (self.place_of(&source), source.along(&self.vectors));
        let is_scalar = source.is_scalar();
        for &lane in lanes {
            let (name, value) = (Rc::clone(name), self.place);
            self.vectors.push(Vector { lane, name, part: None, value, place, along, is_scalar });
        }
        let level = self.level(along);
        let lines = self.lines_at(level);
        lines.push(Line { results, source });
        let last = lines.len() - 1;
        self.places.push((level, last));
        self.known.add(hash);
        results
    }

    /// Statements that are added now belong to this value; to which one they did before.
    pub fn begin(&mut self, value: usize) -> usize {
        let before = std::mem::replace(&mut self.place, value as u32);
        self.last_place = self.last_place.max(self.place);
        before as usize
    }

    /// The value that a statement belongs to: of one that is late, what it reads may belong to a later one.
    fn place_of(&self, source: &Source) -> u32 {
        let mut place = self.place;
        if place < self.last_place {
            source.vectors(&mut |id| place = place.max(self.vectors[id.0 as usize].place));
        }
        place
    }

    /// Puts the statements of a step in the order of the values that they belong to.
    pub fn sort(&mut self) {
        let Some(lines) = self.depths.last_mut() else { return };
        let place = |line: &Line| self.vectors[line.results.places().start].place;
        if !lines.is_sorted_by_key(place) {
            lines.sort_by_key(place);
        }
    }

    /// Keeps what is computed from here on from being begun before what is computed until here is done.
    pub fn fence(&mut self) {
        self.fences.push(self.place);
    }

    /// Gives a vector the name that it would like.
    pub fn name(&mut self, id: VectorId, name: &Rc<str>) {
        let vector = &mut self.vectors[id.0 as usize];
        (vector.name, vector.part) = (Rc::clone(name), None);
    }

    /// Whether a vector is the same for all steps.
    pub fn is_invariant(&self, id: VectorId) -> bool {
        let along = self.vectors[id.0 as usize].along;
        along.of_loops().is_empty() && self.nest.depth(along) == 0
    }

    /// Whether one statement of a step, and no store, reads a vector.
    pub fn is_read_once(&self, id: VectorId) -> bool {
        let mut reads = 0;
        self.step().iter().for_each(|line| self.reads(&line.source, &mut |read| reads += u32::from(read == id)));
        reads == 1 && !self.stores.iter().any(|store| store.vectors.contains(&id))
    }

    /// The author's token of the value that asked for a vector, where there is one.
    pub fn author(&self, id: VectorId) -> Option<Span> {
        self.authors.get(self.vectors[id.0 as usize].value as usize).copied()
    }

    /// Removes what no store needs.
    pub fn remove_dead(&mut self) {
        let needed = self.needed(&self.stores);
        for lines in &mut self.depths {
            if !lines.iter().all(|line| line.results.has(&needed)) {
                lines.retain(|line| line.results.has(&needed));
            }
        }
        for turns in &mut self.turns {
            turns.lines.retain(|line| line.results.has(&needed));
        }
    }

    /// The stores that are wanted, and what they need.
    pub fn part(&self, is_wanted: impl Fn(&StoreLine) -> bool) -> Self {
        let stores: Vec<StoreLine> = self.stores.iter().filter(|store| is_wanted(store)).cloned().collect();
        let needed = self.needed(&stores);
        let of_part = |lines: &Vec<Line>| lines.iter().filter(|line| line.results.has(&needed)).cloned().collect();
        let (vectors, depths) = (self.vectors.clone(), self.depths.iter().map(of_part).collect());
        let (fences, turns, authors) = (self.fences.clone(), self.turns.clone(), Rc::clone(&self.authors));
        Self { vectors, depths, turns, stores, authors, fences, ..Self::new(&self.nest) }
    }

    /// The vectors that these stores need.
    fn needed(&self, stores: &[StoreLine]) -> Vec<bool> {
        let mut needed = vec![false; self.vectors.len()];
        for store in stores {
            store.vectors.iter().for_each(|id| needed[id.0 as usize] = true);
        }
        self.depths.iter().rev().for_each(|lines| self.mark_needed(lines, &mut needed));
        needed
    }

    /// The statement of a step after which each store comes: the last, or the one that makes the last of its vectors.
    pub fn stores_known_at(&self, early: bool) -> Vec<usize> {
        let last = self.step().len().saturating_sub(1);
        if !early {
            return vec![last; self.stores.len()];
        }
        let mut made_at = vec![0; self.vectors.len()];
        for (place, line) in self.step().iter().enumerate() {
            made_at[line.results.places()].fill(place);
        }
        let known_at = |store: &StoreLine| store.vectors.iter().map(|id| made_at[id.0 as usize]).max();
        self.stores.iter().map(|store| known_at(store).unwrap_or(last)).collect()
    }

    /// Instructions of one step.
    pub fn cost(&self) -> usize {
        let mut cost = self.stores.len() + self.halves();
        self.step().iter().for_each(|line| cost += self.cost_of(line));
        cost
    }

    /// Stores of a part of a vector, which take an instruction more.
    fn halves(&self) -> usize {
        self.stores.iter().filter(|store| store.block.is_some()).count()
    }

    /// Instructions of a statement, of a loop those of a turn.
    fn cost_of(&self, line: &Line) -> usize {
        match line.source {
            Source::Turns(number) => self.turns[number].lines.iter().map(|line| self.cost_of(line)).sum(),
            ref source => source.cost(),
        }
    }
}
