//! Cases as a strategy of proptest: drawn at random, and shrunk to the smallest that fails.
//!
//! A case is a row of numbers, one for each thing that can vary; 0 is the simplest. So a case of the fixed lists shrinks as
//! one that was drawn does.

use super::{
    case::{Case, Layout, Way},
    cases::{self, Selection, inputs, may_be},
    target::Target,
    whole::WholeExtents,
    windowed::MOST_WORK,
};
use proptest::{
    num::usize::BinarySearch,
    prelude::ProptestConfig,
    strategy::{NewTree, Strategy, ValueTree},
    test_runner::{Reason, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner},
};
use std::{cell::RefCell, collections::BTreeMap, ops::RangeInclusive};
use windrow_reference::testing::{Data, Grain, Mode, Random};
use windrow_runtime::{
    border::BorderMode,
    code::KernelCode,
    limits::MIN_DIRECT_COLUMNS,
    spec::{InputSpec, KernelSpec},
};

/// Contents, the simplest first.
const DATA: [Data; 5] = [Data::Ramp, Data::Impulse, Data::Random, Data::Extremes, Data::Bits];

/// Layouts; they do not shrink, because a smaller case in another place may touch what is forbidden, and end the process.
const LAYOUTS: [Layout; 9] = Layout::EVERY;

/// What can vary, in the order in which it shrinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Gene {
    /// The extents.
    Extent(usize),
    /// Sub-windows along a row, less one.
    Columns,
    /// Sub-windows along a column, less one.
    Rows,
    /// Threads; 0 for a run that is not parallel.
    Threads,
    InPlace,
    /// The dimensions in which an image is broadcast, as bits.
    Broadcast(usize),
    /// The columns of an image that is read anywhere.
    WholeColumns(usize),
    /// Of a tensor, along a dimension outside rows.
    WholeOuter(usize, usize),
    /// Its rows.
    WholeRows(usize),
    /// Whether it has the outputs' planes.
    WholePlanes(usize),
    Selection,
    Border,
    Data,
    Seed,
    Layout,
}

impl Gene {
    /// The least value: images have elements.
    fn least(self) -> usize {
        usize::from(matches!(self, Gene::Extent(_) | Gene::WholeColumns(_) | Gene::WholeRows(_) | Gene::WholeOuter(..)))
    }

    /// Whether it has its least value more often than others: images are tall and wide more often than deep; most are read and
    /// written in their own places.
    fn is_rare(self) -> bool {
        matches!(self, Gene::Extent(2..) | Gene::InPlace | Gene::Broadcast(_) | Gene::Threads | Gene::Columns)
    }
}

/// The cases of a kernel.
#[derive(Clone, Debug)]
pub(super) struct Cases {
    spec: &'static KernelSpec,
    borders: Vec<BorderMode>,
    selections: Vec<Selection>,
    /// The greatest value of each gene.
    greatest: BTreeMap<Gene, usize>,
    /// Columns more of a few images: so many that a filter's edges are computed apart from what lies between them.
    wider: usize,
}

impl Cases {
    /// The cases of a kernel, on images of some steps of its bodies in each dimension.
    pub(super) fn new(code: &'static KernelCode, target: Target) -> Self {
        let spec = code.spec();
        let Grain { step, rows, around, above } = grain(code, target);
        let (borders, selections) = (cases::borders(spec), cases::selections(spec));
        let in_place = spec.outputs.first().is_some_and(|output| inputs(spec).any(|input| may_be(input, output)))
            && inputs(spec).all(|input| input.inout != Some(0));
        let mut greatest = BTreeMap::from([
            (Gene::Extent(0), 2 * step + around + 20),
            (Gene::Extent(1), 2 * rows + above + 6),
            (Gene::Extent(2), 3),
            (Gene::Extent(3), 2),
            (Gene::Columns, 4),
            (Gene::Rows, 3),
            (Gene::Threads, if target.tier().is_some() { 4 } else { 0 }),
            (Gene::InPlace, usize::from(in_place && target.tier().is_some())),
            (Gene::Selection, selections.len() - 1),
            (Gene::Border, borders.len() - 1),
            (Gene::Data, DATA.len() - 1),
            (Gene::Seed, 9999),
            (Gene::Layout, if target.tier().is_some() { LAYOUTS.len() } else { Layout::ALL.len() } - 1),
        ]);
        greatest.extend(cases::broadcastable(spec).map(|image| (Gene::Broadcast(image), 0b111)));
        for (image, input) in inputs(spec).enumerate().filter(|(_, input)| input.is_whole()) {
            greatest.extend([(Gene::WholeColumns(image), 2 * step + 20), (Gene::WholeRows(image), 2 * rows + 10)]);
            match input.tensor_rank() {
                Some(rank) => greatest.extend((2..rank).map(|outer| (Gene::WholeOuter(image, outer), 3))),
                None => greatest.extend([(Gene::WholePlanes(image), 1)]),
            }
        }
        let has_edges = target.tier().is_some() && around > 0;
        Self { spec, borders, selections, greatest, wider: if has_edges { MIN_DIRECT_COLUMNS } else { 0 } }
    }

    /// The kernel's specification.
    pub(super) fn spec(&self) -> &'static KernelSpec {
        self.spec
    }

    /// The case of these genes.
    fn decode(&self, value: &dyn Fn(Gene) -> usize) -> Case {
        let Selection { choice, present } = self.selections[value(Gene::Selection)].clone();
        let mut extents: Vec<usize> = (0..4).map(|dimension| value(Gene::Extent(dimension))).collect();
        while extents.len() > 2 && extents.last() == Some(&1) {
            extents.pop();
        }
        let way = match (value(Gene::Threads), value(Gene::Columns), value(Gene::Rows)) {
            (0, 0, 0) => Way::Whole,
            (0, columns, rows) => Way::Split(columns + 1, rows + 1),
            (threads, _, _) => Way::Threads(threads),
        };
        let in_place = value(Gene::InPlace) == 1 && present.first() == Some(&true);
        let broadcast = cases::broadcastable(self.spec)
            .map(|image| (image, value(Gene::Broadcast(image)) as u8))
            .filter(|(_, dimensions)| *dimensions != 0 && !in_place)
            .collect();
        let extents_of = |(image, input): (usize, &InputSpec)| {
            let (columns, rows) = (value(Gene::WholeColumns(image)), value(Gene::WholeRows(image)));
            let outer = |dimension| value(Gene::WholeOuter(image, dimension));
            let own = match input.tensor_rank() {
                Some(_) => WholeExtents::of(input, columns, rows, outer),
                None => {
                    let has_planes = value(Gene::WholePlanes(image)) == 1;
                    WholeExtents::image(columns, rows, has_planes && extents.len() > 2)
                }
            };
            (image, own)
        };
        let read_anywhere = inputs(self.spec).enumerate().filter(|(_, input)| input.is_whole());
        let whole = read_anywhere.map(extents_of).collect();
        let case = Case {
            border: self.borders[value(Gene::Border)],
            choice,
            present,
            extents,
            data: DATA[value(Gene::Data)],
            own: None,
            layout: LAYOUTS[value(Gene::Layout)],
            way,
            in_place,
            broadcast,
            whole,
            seed: value(Gene::Seed) as u32,
        };
        case.settled(self.spec, MOST_WORK)
    }

    /// The tree that begins at a case. What it holds that no gene says stays as it is.
    pub(super) fn tree_of(&self, case: &Case) -> CaseTree {
        let place = |index: Option<usize>| index.unwrap_or(0);
        let cut = |columns: usize, rows: usize| (columns.clamp(1, 5) - 1, rows.clamp(1, 4) - 1);
        let (threads, (columns, rows)) = match case.way {
            Way::Whole => (0, (0, 0)),
            Way::Split(columns, rows) => (0, cut(columns, rows)),
            Way::Threads(threads) => (threads, (0, 0)),
        };
        let selection = Selection { choice: case.choice.clone(), present: case.present.clone() };
        let along = |image: usize, dimension: usize| match inputs(self.spec).nth(image) {
            Some(input) => case.whole_of(image, input).extents().get(dimension).copied().unwrap_or(1),
            None => 1,
        };
        let genes = self.greatest.keys().map(|&gene| {
            let value = match gene {
                Gene::Extent(dimension) => case.extents.get(dimension).copied().unwrap_or(1),
                Gene::Columns => columns,
                Gene::Rows => rows,
                Gene::Threads => threads,
                Gene::InPlace => usize::from(case.in_place),
                Gene::Broadcast(image) => case.broadcast.get(&image).copied().unwrap_or(0).into(),
                Gene::WholeColumns(image) => along(image, 0),
                Gene::WholeRows(image) => along(image, 1),
                Gene::WholeOuter(image, dimension) => along(image, dimension),
                Gene::WholePlanes(image) => case.whole.get(&image).map_or(0, |own| usize::from(own.has_planes)),
                Gene::Selection => place(self.selections.iter().position(|known| *known == selection)),
                Gene::Border => place(self.borders.iter().position(|known| *known == case.border)),
                Gene::Data => place(DATA.iter().position(|known| *known == case.data)),
                Gene::Seed => case.seed as usize,
                Gene::Layout => place(LAYOUTS.iter().position(|known| *known == case.layout)),
            };
            (gene, value)
        });
        let kept = (case.own.is_some() || !DATA.contains(&case.data)).then(|| case.clone());
        CaseTree::new(self, genes.collect(), kept)
    }
}

impl Strategy for Cases {
    type Tree = CaseTree;
    type Value = Case;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let mut genes = BTreeMap::new();
        for (&gene, &greatest) in &self.greatest {
            let least = gene.least();
            let mut draw = |values: RangeInclusive<usize>| Ok::<_, Reason>(values.new_tree(runner)?.current());
            let is_usual = gene.is_rare() && draw(0..=3)? != 0;
            let drawn = if is_usual { least } else { draw(least..=greatest.max(least))? };
            let is_wide = gene == Gene::Extent(0) && self.wider > 0 && draw(0..=3)? == 0;
            genes.insert(gene, if is_wide { drawn + self.wider } else { drawn });
        }
        Ok(CaseTree::new(self, genes, None))
    }
}

/// A case on its way to the smallest that fails.
#[derive(Clone, Debug)]
pub(super) struct CaseTree {
    cases: Cases,
    genes: Vec<(Gene, usize, BinarySearch)>,
    /// The gene that shrinks.
    at: usize,
    /// A case whose contents no gene says.
    kept: Option<Case>,
}

impl CaseTree {
    fn new(cases: &Cases, values: BTreeMap<Gene, usize>, kept: Option<Case>) -> Self {
        let genes = values.into_iter().map(|(gene, value)| {
            let least = if gene == Gene::Layout { value } else { value.min(gene.least()) };
            (gene, least, BinarySearch::new(value - least))
        });
        Self { cases: cases.clone(), genes: genes.collect(), at: 0, kept }
    }
}

impl ValueTree for CaseTree {
    type Value = Case;

    fn current(&self) -> Case {
        let find = |wanted: Gene| self.genes.iter().find(|(gene, ..)| *gene == wanted);
        let case = self.cases.decode(&|gene| find(gene).map_or(0, |(_, least, value)| least + value.current()));
        match &self.kept {
            Some(kept) => Case { data: kept.data, own: kept.own, ..case },
            None => case,
        }
    }

    fn simplify(&mut self) -> bool {
        while let Some((_, _, value)) = self.genes.get_mut(self.at) {
            if value.simplify() {
                return true;
            }
            self.at += 1;
        }
        false
    }

    fn complicate(&mut self) -> bool {
        self.genes.get_mut(self.at).is_some_and(|(_, _, value)| value.complicate())
    }
}

/// Runs random cases of a kernel: `PROPTEST_CASES` of them, or `usual`. In quick mode they are the same on each run.
pub(super) fn run(
    cases: &Cases,
    target: Target,
    mode: Mode,
    usual: u32,
    run: impl Fn(&Case) -> Result<(), String>,
) -> Result<u32, Box<(Case, String)>> {
    let mut config = config();
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = usual;
    }
    let count = config.cases;
    let mut runner = match mode {
        Mode::Quick => TestRunner::new_with_rng(config, fixed_rng(&format!("{}::{}", cases.spec.name, target.name()))),
        Mode::Full => TestRunner::new(config),
    };
    let seen = Seen::default();
    match runner.run(cases, |case| seen.test(&case, &run)) {
        Ok(()) => Ok(count),
        Err(error) => Err(Box::new(seen.smallest(error))),
    }
}

/// The smallest case that fails on the way down from one that does, and what differs there.
pub(super) fn shrink(
    cases: &Cases,
    failing: &Case,
    what: String,
    run: impl Fn(&Case) -> Result<(), String>,
) -> (Case, String) {
    let seen = Seen(RefCell::new(Some((failing.clone(), what.clone()))));
    let mut runner = TestRunner::new_with_rng(config(), fixed_rng(cases.spec.name));
    match runner.run_one(cases.tree_of(failing), |case| seen.test(&case, &run)) {
        Ok(_) => (failing.clone(), what),
        Err(error) => seen.smallest(error),
    }
}

/// A failing case is printed as a test to paste, which is kept in the author's own sources: nothing is written beside them.
fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, max_shrink_iters: 512, ..ProptestConfig::default() }
}

fn fixed_rng(name: &str) -> TestRng {
    let mut random = Random::of(name);
    let seed: Vec<u8> = (0..4).flat_map(|_| random.next_u64().to_le_bytes()).collect();
    TestRng::from_seed(RngAlgorithm::ChaCha, &seed)
}

/// The last case that failed, with what differed.
#[derive(Default)]
struct Seen(RefCell<Option<(Case, String)>>);

impl Seen {
    fn test(&self, case: &Case, run: &impl Fn(&Case) -> Result<(), String>) -> Result<(), TestCaseError> {
        run(case).map_err(|what| {
            *self.0.borrow_mut() = Some((case.clone(), what.clone()));
            TestCaseError::fail(what)
        })
    }

    fn smallest(self, error: TestError<Case>) -> (Case, String) {
        match (error, self.0.into_inner()) {
            (TestError::Fail(reason, case), _) => (case, reason.message().into()),
            (TestError::Abort(reason), Some((case, _))) => (case, reason.message().into()),
            (TestError::Abort(reason), None) => panic!("no case could be drawn: {}", Reason::message(&reason)),
        }
    }
}

fn grain(code: &'static KernelCode, target: Target) -> Grain {
    match target.tier() {
        Some(_) => cases::cpu_grain(code),
        None => cases::device_grain(code),
    }
}
