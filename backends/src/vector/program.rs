//! A body as vector instructions: vectors, the statements that make them, loads before stores. [`super::select`] fills it,
//! [`super::text`] prints it.
//!
//! In which loops of the nest a statement stands is read off what it reads.
//!
//! Equal calls are one; what no store needs is removed in the end, so a selection may compute a value in a form that
//! its users then pass over.

mod fenced;

pub use super::intrinsic::Intrinsic;
pub use super::lane::Lane;
pub use super::results::{Results, Vector, VectorId};
use std::hash::Hasher;
use std::rc::Rc;
use windrow_dsl::ir::{Axes, AxisId, InputId, OutputId, TableId};
use windrow_dsl::optimise::Nest;
use windrow_dsl::quick::{QuickHasher, QuickTable};

/// An argument of a call. Where the lane asked for is not the vector's, it is reinterpreted, which costs nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arg {
    /// A vector, read as these lanes.
    Whole(VectorId, Lane),
    /// Its lower half, read as these lanes.
    Low(VectorId, Lane),
    /// Another call.
    Call(Box<Call>),
    /// A scalar expression that is the same for all elements.
    Text(String),
    /// Where the step's first element is along an axis, so much further on, as an i32.
    Coordinate(AxisId, i64),
    /// A constant whose value the compiler must not know, lest it choose another instruction.
    Opaque(String),
    /// The part of a table that holds 64 entries.
    Table(TableId, u32),
    /// The entry of a table at a scalar index, which is below the length by its type or as a constant; as a scalar type.
    Entry { table: TableId, index: String, scalar: &'static str },
}

impl Arg {
    /// The table that it reads.
    pub fn table(&self) -> Option<TableId> {
        match self {
            Arg::Table(table, _) | Arg::Entry { table, .. } => Some(*table),
            Arg::Whole(..) | Arg::Low(..) | Arg::Call(_) | Arg::Text(_) | Arg::Coordinate(..) | Arg::Opaque(_) => None,
        }
    }
}

/// A call of an intrinsic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The whole name.
    pub intrinsic: Intrinsic,
    /// The constant between `::<` and `>`.
    pub immediate: Option<u32>,
    /// In order.
    pub args: Vec<Arg>,
}

/// Where a vector's lanes lie: from `factor · x + offset` elements behind an input's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Which input.
    pub input: InputId,
    /// Which of its rows.
    pub dy: i32,
    /// Elements for one column.
    pub factor: u32,
    /// Behind the row's start, in elements.
    pub offset: i64,
    /// Elements from the first lane of one run of a vector to the first of the next: see [`super::machine::Lanes`].
    pub apart: i64,
    /// The lanes of the input.
    pub lane: Lane,
}

impl Place {
    fn hash(&self, other: u32, hasher: &mut QuickHasher) {
        hasher.write_u64(u64::from(self.input.0) << 32 | u64::from(self.dy as u32));
        hasher.write_u64((self.offset as u64) << 32 | u64::from(other));
    }
}

/// What makes vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A call.
    Call(Call),
    /// `count` interleaved vectors.
    Load { place: Place, count: u32 },
    /// One lane from memory, the others from a vector.
    LoadLane { place: Place, into: VectorId, index: u32 },
    /// The entries of a table at the lanes of these vectors, one by one.
    Gather { table: TableId, indices: Vec<VectorId>, index_lane: Lane, entry_lane: Lane },
}

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
    /// The statements, by how many repeated loops of the nest each stands in.
    depths: Vec<Vec<Line>>,
    /// The end of a step.
    pub stores: Vec<StoreLine>,
    /// The value for whose vectors statements are being added.
    place: u32,
    /// The greatest so far.
    last_place: u32,
    /// Fences: the values before which they come.
    fences: Vec<u32>,
    /// All statements so far, by what they do: the depth of each, and where it is there.
    known: QuickTable,
    places: Vec<(usize, usize)>,
}

impl Program {
    /// No instructions yet, in a nest.
    pub fn new(nest: &Nest) -> Self {
        Self {
            depths: vec![Vec::new(); nest.depth(Axes::ALL) + 1],
            nest: nest.clone(),
            vectors: Vec::new(),
            stores: Vec::new(),
            place: 0,
            last_place: 0,
            fences: Vec::new(),
            known: QuickTable::default(),
            places: Vec::new(),
        }
    }

    /// Makes room for so many statements of a step.
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

    /// All statements, the outermost first.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.depths.iter().flatten()
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
        let found = self.known.find(hash, |number| {
            let (depth, place) = self.places[number];
            self.depths[depth][place].source == source
        });
        if let Some(number) = found {
            let (depth, place) = self.places[number];
            return self.depths[depth][place].results;
        }
        let results = Results::new(self.vectors.len(), lanes.len());
        let (place, along) = (self.place_of(&source), source.along(&self.vectors));
        for &lane in lanes {
            self.vectors.push(Vector { lane, name: Rc::clone(name), part: None, place, along });
        }
        let depth = self.nest.depth(along);
        let lines = &mut self.depths[depth];
        lines.push(Line { results, source });
        self.places.push((depth, lines.len() - 1));
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
        self.nest.depth(self.vectors[id.0 as usize].along) == 0
    }

    /// Whether one statement of a step, and no store, reads a vector.
    pub fn is_read_once(&self, id: VectorId) -> bool {
        let mut reads = 0;
        self.step().iter().for_each(|line| line.source.vectors(&mut |read| reads += u32::from(read == id)));
        reads == 1 && !self.stores.iter().any(|store| store.vectors.contains(&id))
    }

    /// Removes what no store needs.
    pub fn remove_dead(&mut self) {
        let needed = self.needed(&self.stores);
        for lines in &mut self.depths {
            if !lines.iter().all(|line| line.results.has(&needed)) {
                lines.retain(|line| line.results.has(&needed));
            }
        }
    }

    /// The stores that are wanted, and what they need.
    pub fn part(&self, is_wanted: impl Fn(&StoreLine) -> bool) -> Self {
        let stores: Vec<StoreLine> = self.stores.iter().filter(|store| is_wanted(store)).cloned().collect();
        let needed = self.needed(&stores);
        let of_part = |lines: &Vec<Line>| lines.iter().filter(|line| line.results.has(&needed)).cloned().collect();
        let (vectors, depths) = (self.vectors.clone(), self.depths.iter().map(of_part).collect());
        Self { vectors, depths, stores, fences: self.fences.clone(), ..Self::new(&self.nest) }
    }

    /// The vectors that these stores need.
    fn needed(&self, stores: &[StoreLine]) -> Vec<bool> {
        let mut needed = vec![false; self.vectors.len()];
        for store in stores {
            store.vectors.iter().for_each(|id| needed[id.0 as usize] = true);
        }
        for lines in self.depths.iter().rev() {
            for line in lines.iter().rev() {
                if line.results.has(&needed) {
                    line.source.vectors(&mut |id| needed[id.0 as usize] = true);
                }
            }
        }
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
        let (mut cost, halves) = (self.stores.len(), self.stores.iter().filter(|store| store.block.is_some()));
        self.step().iter().for_each(|line| cost += line.source.cost());
        cost + halves.count()
    }
}

impl Source {
    /// Equal for equal ones.
    fn hash(&self) -> u64 {
        let mut hasher = QuickHasher::default();
        match self {
            Source::Call(call) => call.hash(&mut hasher),
            Source::Load { place, count } => place.hash(*count, &mut hasher),
            Source::LoadLane { place, into, index } => place.hash(*index << 16 | into.0, &mut hasher),
            Source::Gather { indices, .. } => indices.iter().for_each(|id| hasher.write_u32(id.0)),
        }
        hasher.finish()
    }

    /// Visits the vectors that it reads.
    pub fn vectors(&self, visit: &mut impl FnMut(VectorId)) {
        match self {
            Source::Call(call) => call.vectors(visit),
            Source::Load { .. } => {}
            Source::LoadLane { into, .. } => visit(*into),
            Source::Gather { indices, .. } => indices.iter().for_each(|&id| visit(id)),
        }
    }

    /// What it varies along: what it reads does, and where it reads.
    fn along(&self, vectors: &[Vector]) -> Axes {
        match self {
            Source::Call(call) => call.along(vectors),
            Source::Load { .. } | Source::LoadLane { .. } => Axes::of(AxisId::Y) | Axes::of(AxisId::X) | Axes::RUNS,
            Source::Gather { indices, .. } => {
                indices.iter().map(|id| vectors[id.0 as usize].along).collect::<Axes>() | Axes::RUNS
            }
        }
    }

    fn cost(&self) -> usize {
        match self {
            Source::Call(call) => call.cost(),
            Source::Load { .. } | Source::LoadLane { .. } => 1,
            Source::Gather { indices, index_lane, .. } => indices.len() * (256 / index_lane.bits() as usize),
        }
    }
}

impl Call {
    /// A call of this intrinsic.
    pub fn new(intrinsic: impl Into<Intrinsic>, args: Vec<Arg>) -> Self {
        Self { intrinsic: intrinsic.into(), immediate: None, args }
    }

    /// A call on whole vectors, read as these lanes.
    pub fn on(intrinsic: Intrinsic, lane: Lane, operands: &[VectorId]) -> Self {
        let args = match *operands {
            [a] => vec![Arg::Whole(a, lane)],
            [a, b] => vec![Arg::Whole(a, lane), Arg::Whole(b, lane)],
            _ => operands.iter().map(|&id| Arg::Whole(id, lane)).collect(),
        };
        Self { intrinsic, immediate: None, args }
    }

    /// The same with a constant.
    pub fn with(mut self, immediate: u32) -> Self {
        self.immediate = Some(immediate);
        self
    }

    fn hash(&self, hasher: &mut QuickHasher) {
        self.intrinsic.hash(hasher);
        hasher.write_u32(self.immediate.unwrap_or(u32::MAX));
        for arg in self.args.as_slice() {
            match arg {
                Arg::Whole(id, lane) => hasher.write_u32(id.0 << 8 | lane.ty().code() as u32),
                Arg::Low(id, lane) => hasher.write_u32(id.0 << 8 | 0x80 | lane.ty().code() as u32),
                Arg::Call(call) => call.hash(hasher),
                Arg::Text(text) | Arg::Opaque(text) => hasher.write(text.as_bytes()),
                Arg::Coordinate(axis, offset) => hasher.write_u64((axis.0 as u64) << 32 ^ *offset as u64),
                Arg::Table(table, part) => hasher.write_u32(table.0 << 8 | part),
                Arg::Entry { table, index, .. } => {
                    hasher.write_u32(table.0);
                    hasher.write(index.as_bytes());
                }
            }
        }
    }

    fn along(&self, vectors: &[Vector]) -> Axes {
        let mut along = Axes::NONE;
        for arg in self.args.as_slice() {
            along = along
                | match arg {
                    Arg::Whole(id, _) | Arg::Low(id, _) => vectors[id.0 as usize].along,
                    Arg::Call(call) => call.along(vectors),
                    Arg::Text(_) | Arg::Opaque(_) => Axes::NONE,
                    Arg::Coordinate(axis, _) => Axes::of(*axis),
                    Arg::Table(..) | Arg::Entry { .. } => Axes::RUNS,
                };
        }
        along
    }

    fn vectors(&self, visit: &mut impl FnMut(VectorId)) {
        for arg in &self.args {
            match arg {
                Arg::Whole(id, _) | Arg::Low(id, _) => visit(*id),
                Arg::Call(call) => call.vectors(visit),
                Arg::Text(_) | Arg::Coordinate(..) | Arg::Opaque(_) | Arg::Table(..) | Arg::Entry { .. } => {}
            }
        }
    }

    fn cost(&self) -> usize {
        let mut cost = 1;
        self.args.iter().for_each(|arg| cost += if let Arg::Call(call) = arg { call.cost() } else { 0 });
        cost
    }
}
