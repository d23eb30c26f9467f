//! Which cases a kernel is tested on: a product that is complete where it is small, and rotated where it isn't.
//!
//! Every width meets every border; every kind of data, layout, choice and subset of outputs meets every border; every
//! way of cutting the window runs. What a case holds beyond that takes turns.

use super::{
    case::{Case, Layout, Way},
    target::Target,
    whole,
    windowed::{MOST_WORK, SIMULATED_WORK},
};
use std::collections::{BTreeMap, BTreeSet};
use windrow_reference::testing::{Data, Grain, Mode, Numbers, Random, large, stacked, sweep};
use windrow_runtime::{
    border::BorderMode,
    code::{KernelCode, OpenClEntry},
    element::ElementType::{self, F32, I8, I16, U8, U16},
    limits::MIN_DIRECT_COLUMNS,
    spec::{ArgumentKind, InputSpec, KernelSpec, NeighbourhoodSpec, OutputSpec},
};

/// The ways of cutting a window.
const WAYS: [Way; 8] = [
    Way::Split(2, 1),
    Way::Split(1, 3),
    Way::Split(3, 2),
    Way::Split(usize::MAX, usize::MAX),
    Way::Threads(1),
    Way::Threads(2),
    Way::Threads(3),
    Way::Threads(7),
];

/// Variants chosen, and outputs given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Selection {
    pub(super) choice: Vec<u32>,
    pub(super) present: Vec<bool>,
}

/// The cases of `code` on the processor.
pub(super) fn for_cpu(code: &'static KernelCode, mode: Mode) -> Vec<Case> {
    let mut plan = Planner::new(code.spec());
    let grain = cpu_grain(code);
    plan.sweep(&sweep(grain, mode), mode);
    plan.matrix(&[[grain.step + 3, grain.rows + grain.above + 1]], mode);
    plan.tall_and_wide(grain, mode);
    plan.ways(grain);
    plan.wide(grain);
    plan.in_place(grain);
    plan.broadcast(grain);
    plan.exhaust();
    plan.finish()
}

/// The cases of `code` on a device: fewer, because each costs a launch.
pub(super) fn for_device(code: &'static KernelCode, mode: Mode) -> Vec<Case> {
    let mut plan = Planner::new(code.spec());
    let grain = device_grain(code);
    let awkward = awkward(grain);
    let shapes = match mode {
        Mode::Quick => awkward.clone(),
        Mode::Full => sweep(grain, Mode::Quick),
    };
    plan.sweep(&shapes, mode);
    plan.matrix(&[[grain.step + 3, grain.rows + 2]], mode);
    plan.tall_and_wide(grain, Mode::Quick);
    plan.cut(grain);
    plan.broadcast(grain);
    plan.exhaust();
    plan.finish()
}

/// The cases of `code` under a simulator that watches every access: every border and selection on few small shapes.
pub(super) fn for_simulator(code: &'static KernelCode) -> Vec<Case> {
    let mut plan = Planner { work: SIMULATED_WORK, ..Planner::new(code.spec()) };
    let grain = device_grain(code);
    let shapes = awkward(grain);
    plan.sweep(&shapes, Mode::Quick);
    plan.matrix(&[[grain.step.min(8) + 1, 3]], Mode::Quick);
    plan.cases.iter_mut().for_each(|case| case.layout = Layout::Dense);
    plan.finish()
}

/// The cases under an interpreter that watches every access, a thousand times slower: each selection on an image of a few
/// elements, whole and cut, the borders in turn.
pub(super) fn for_interpreter(spec: &'static KernelSpec) -> Vec<Case> {
    let mut plan = Planner::new(spec);
    let cuts = [(vec![5, 2], Way::Whole), (vec![9, 3], Way::Split(2, 2))];
    for (turn, selection) in plan.selections.clone().iter().enumerate() {
        for (index, (extents, way)) in cuts.iter().enumerate() {
            let number = 2 * turn + index;
            let (border, data) = (plan.borders[number % plan.borders.len()], plan.data[number % plan.data.len()]);
            let layout = Layout::ALL[number % Layout::ALL.len()];
            let case = plan.case(border, selection, extents.clone(), data, layout, *way);
            plan.cases.push(case);
        }
    }
    plan.finish()
}

/// The cases whose results the committed digests hold: whole runs, every selection and border, every kind of data.
pub(super) fn for_digest(spec: &'static KernelSpec) -> Vec<Case> {
    let mut plan = Planner::new(spec);
    for extents in [vec![13, 7], vec![1, 1], vec![5, 4, 2]] {
        for selection in plan.selections.clone() {
            for border in plan.borders.clone() {
                plan.data.clone().into_iter().for_each(|data| {
                    let case = plan.case(border, &selection, extents.clone(), data, Layout::Dense, Way::Whole);
                    plan.cases.push(case);
                });
            }
        }
    }
    plan.finish()
}

/// Builds the list; `turn` rotates what isn't multiplied out.
struct Planner {
    spec: &'static KernelSpec,
    borders: Vec<BorderMode>,
    selections: Vec<Selection>,
    data: Vec<Data>,
    turn: usize,
    /// What a case should read at most.
    work: usize,
    cases: Vec<Case>,
}

impl Planner {
    fn new(spec: &'static KernelSpec) -> Self {
        Self {
            spec,
            borders: borders(spec),
            selections: selections(spec),
            data: Data::ALL.to_vec(),
            turn: 0,
            work: MOST_WORK,
            cases: Vec::new(),
        }
    }

    /// Every shape under every border.
    fn sweep(&mut self, shapes: &[[usize; 2]], mode: Mode) {
        for shape in shapes {
            for border in self.borders.clone() {
                let turns = match mode {
                    Mode::Quick => 1,
                    Mode::Full => self.selections.len().max(2),
                };
                (0..turns).for_each(|_| self.turned(border, shape.to_vec()));
            }
        }
    }

    /// Every kind of data, every layout, every selection under every border: multiplied out in full mode.
    fn matrix(&mut self, shapes: &[[usize; 2]], mode: Mode) {
        for shape in shapes {
            for border in self.borders.clone() {
                for selection in self.selections.clone() {
                    let layouts = Layout::ALL.len();
                    let count = match mode {
                        Mode::Quick => self.data.len(),
                        Mode::Full => self.data.len() * layouts,
                    };
                    for index in 0..count {
                        let data = self.data[index % self.data.len()];
                        let layout = Layout::ALL[(index + index / self.data.len()) % layouts];
                        let case = self.case(border, &selection, shape.to_vec(), data, layout, Way::Whole);
                        self.cases.push(case);
                    }
                }
            }
        }
    }

    /// Large images, and tensors of more dimensions.
    fn tall_and_wide(&mut self, grain: Grain, mode: Mode) {
        let mut random = Random::of(self.spec.name);
        let shapes = large(grain, mode, &mut random).into_iter().map(|shape| shape.to_vec()).chain(stacked(grain));
        for shape in shapes {
            for border in self.borders.clone() {
                self.turned(border, shape.clone());
            }
        }
    }

    /// Every way of cutting the window, on an image with several steps in each dimension.
    fn ways(&mut self, grain: Grain) {
        let (step_x, step_y) = (self.spec.step.0 as usize, self.spec.step.1 as usize);
        let image = vec![grain.step.max(3 * step_x) + step_x + 1, (3 * step_y).max(grain.rows) + grain.above + 2];
        let stack = vec![step_x + 1, step_y + 1, 3];
        for (shape, way) in [&image, &stack].into_iter().flat_map(|shape| WAYS.map(|way| (shape, way))) {
            for border in self.borders.clone() {
                self.turned(border, shape.clone());
                if let Some(case) = self.cases.last_mut() {
                    case.way = way;
                }
            }
        }
    }

    /// Images so wide that a filter's edges are computed apart from what lies between them, and some that are not quite: widths
    /// of every remainder, every height, and every way of cutting them into parts as wide. Borders take turns.
    fn wide(&mut self, grain: Grain) {
        if grain.around == 0 {
            return;
        }
        let sweep = sweep(grain, Mode::Quick).into_iter().filter(|[width, _]| *width <= grain.step + grain.around + 3);
        let whole = sweep.map(|[width, height]| ([MIN_DIRECT_COLUMNS + width, height], Way::Whole));
        let widest = MIN_DIRECT_COLUMNS + grain.around + grain.step;
        let rows = (3 * self.spec.step.1 as usize).max(grain.rows) + grain.above + 2;
        let cut = WAYS.into_iter().filter_map(|way| match way {
            Way::Split(usize::MAX, _) => None,
            Way::Split(columns, _) => Some(([columns * widest + 1, rows], way)),
            Way::Whole | Way::Threads(_) => Some(([widest + 1, rows], way)),
        });
        for (index, (shape, way)) in whole.chain(cut).enumerate() {
            // As there may be as many borders as there are selections, they do not go round together.
            let border = self.borders[(index + index / self.borders.len()) % self.borders.len()];
            self.turned(border, shape.to_vec());
            if let Some(case) = self.cases.last_mut() {
                case.way = way;
            }
        }
    }

    /// An output in the place of an input, where nothing but the element itself is read.
    fn in_place(&mut self, grain: Grain) {
        let Some(output) = self.spec.outputs.first() else { return };
        let taken = inputs(self.spec).any(|input| input.inout == Some(0));
        if taken || !inputs(self.spec).any(|input| may_be(input, output)) {
            return;
        }
        let widths = (1..=2 * grain.step + 1).step_by(if grain.step > 8 { 3 } else { 1 });
        for shape in widths.map(|width| vec![width, 1 + width % (grain.rows + 2)]) {
            self.turned(self.borders[0], shape);
            let turn = self.turn;
            if let Some(case) = self.cases.last_mut().filter(|case| case.present[0]) {
                case.in_place = true;
                case.way = if turn.is_multiple_of(2) { Way::Whole } else { Way::Split(2, 2) };
            }
        }
    }

    /// Each image that may be broadcast, in each dimension by itself and in several.
    fn broadcast(&mut self, grain: Grain) {
        for image in broadcastable(self.spec) {
            for dimensions in [0b001, 0b010, 0b100, 0b011, 0b111] {
                self.turned(self.borders[0], vec![grain.step + 3, grain.rows + 1, 2]);
                if let Some(case) = self.cases.last_mut() {
                    case.broadcast.insert(image, dimensions);
                }
            }
        }
    }

    /// One cut under each border: on a device a sub-window is any rectangle.
    fn cut(&mut self, grain: Grain) {
        for border in self.borders.clone() {
            self.turned(border, vec![2 * grain.step + 3, grain.rows + grain.above + 2]);
            if let Some(case) = self.cases.last_mut() {
                case.way = Way::Split(2, 2);
            }
        }
    }

    /// Every value of one small input, every pair of two; every tuple of extreme floats, up to three.
    fn exhaust(&mut self) {
        let inputs: Vec<&InputSpec> = inputs(self.spec).collect();
        let plain =
            inputs.iter().all(|input| input.neighbourhood() == NeighbourhoodSpec::default() && input.channels == 1)
                && !inputs.iter().any(|input| input.is_whole());
        if !plain {
            return;
        }
        let elements: Vec<ElementType> = inputs.iter().map(|input| input.element).collect();
        let extremes = Numbers::Float.extremes().len();
        let (extents, data) = match elements.as_slice() {
            [U8 | I8] => (vec![256, 1], Data::Pairs),
            [U8 | I8, U8 | I8] => (vec![256, 256], Data::Pairs),
            [U16 | I16] => (vec![256, 256], Data::All),
            [F32] => (vec![extremes, 1], Data::Pairs),
            [F32, F32] => (vec![extremes, extremes], Data::Pairs),
            [F32, F32, F32] => (vec![extremes, extremes * extremes], Data::Pairs),
            _ => return,
        };
        for selection in self.selections.clone() {
            let case = self.case(BorderMode::Undefined, &selection, extents.clone(), data, Layout::Dense, Way::Whole);
            self.cases.push(case);
        }
    }

    /// The list, every case once: one that comes round again gets another seed, and so other contents.
    fn finish(self) -> Vec<Case> {
        let mut seen = BTreeSet::new();
        let mut cases: Vec<Case> = self.cases.into_iter().map(|case| case.settled(self.spec, self.work)).collect();
        for case in &mut cases {
            while !seen.insert(case.id(self.spec, Target::Scalar)) {
                case.seed += 1;
                *case = case.clone().settled(self.spec, self.work);
            }
        }
        cases
    }

    /// A case whose selection, data and layout take turns.
    fn turned(&mut self, border: BorderMode, extents: Vec<usize>) {
        let turn = self.turn;
        self.turn += 1;
        let selection = self.selections[turn % self.selections.len()].clone();
        let data = self.data[(turn + turn / self.data.len()) % self.data.len()];
        let layout = Layout::ALL[(turn + turn / Layout::ALL.len()) % Layout::ALL.len()];
        let case = self.case(border, &selection, extents, data, layout, Way::Whole);
        self.cases.push(case);
    }

    fn case(
        &self,
        border: BorderMode,
        selection: &Selection,
        extents: Vec<usize>,
        data: Data,
        layout: Layout,
        way: Way,
    ) -> Case {
        let Selection { choice, present } = selection.clone();
        let (broadcast, whole) = (BTreeMap::new(), whole::extents_at(self.spec, &extents, self.cases.len()));
        let (own, in_place, seed) = (None, false, 0);
        Case { border, choice, present, extents, data, own, layout, way, in_place, broadcast, whole, seed }
    }
}

/// Widths around nothing, one element, a work-item's block and two, and a few heights.
fn awkward(grain: Grain) -> Vec<[usize; 2]> {
    let Grain { step, rows, around, above } = grain;
    let widths = [1, 2, around + 1, step.saturating_sub(1), step, step + 1, 2 * step + around + 1];
    let heights = [1, 2, above + 1, rows, rows + 1];
    let mut shapes: Vec<[usize; 2]> =
        widths.iter().enumerate().map(|(turn, width)| [*width, heights[turn % heights.len()]]).collect();
    shapes.extend(heights.iter().map(|height| [step + 1, *height]));
    shapes.push([0, 3]);
    shapes
}

/// The borders that a kernel offers.
pub(super) fn borders(spec: &'static KernelSpec) -> Vec<BorderMode> {
    if spec.borders.is_empty() { vec![BorderMode::Undefined] } else { spec.borders.to_vec() }
}

/// Every choice of variants with every subset of outputs that may be given.
pub(super) fn selections(spec: &'static KernelSpec) -> Vec<Selection> {
    let mut choices = vec![Vec::new()];
    for (_, values) in spec.variants() {
        choices = choices
            .into_iter()
            .flat_map(|choice: Vec<u32>| {
                (0..values.len() as u32).map(move |value| choice.iter().copied().chain([value]).collect())
            })
            .collect();
    }
    let outputs = spec.outputs;
    let subsets: Vec<Vec<bool>> = (1..1u32 << outputs.len())
        .rev()
        .map(|mask| (0..outputs.len()).map(|output| mask >> output & 1 == 1).collect::<Vec<bool>>())
        .filter(|present| outputs.iter().zip(present).all(|(output, present)| output.optional || *present))
        .collect();
    choices
        .iter()
        .flat_map(|choice| subsets.iter().map(|present| Selection { choice: choice.clone(), present: present.clone() }))
        .collect()
}

pub(super) fn cpu_grain(code: &KernelCode) -> Grain {
    let lanes = code.bodies().iter().map(|body| body.lanes() as usize).max().unwrap_or(1);
    let rows = code.bodies().iter().map(|body| body.rows() as usize).max().unwrap_or(1);
    let (step_x, step_y) = (code.spec().step.0 as usize, code.spec().step.1 as usize);
    grain(code.spec(), lanes.max(step_x), rows.max(step_y))
}

pub(super) fn device_grain(code: &KernelCode) -> Grain {
    // Where a group computes rows, its work-items stand for the elements of a block.
    let block = |entry: &OpenClEntry| match entry.group {
        Some((columns, rows, _)) if entry.computes_rows() => (columns, rows),
        _ => entry.block,
    };
    let blocks = || code.opencl().entries.iter().map(block);
    let (step, rows) = (blocks().map(|block| block.0).max(), blocks().map(|block| block.1).max());
    grain(code.spec(), step.unwrap_or(1) as usize, rows.unwrap_or(1) as usize)
}

fn grain(spec: &'static KernelSpec, step: usize, rows: usize) -> Grain {
    let span = |least: i32, greatest: i32| (greatest.max(0) - least.min(0)) as usize;
    let around = inputs(spec).map(|input| span(input.neighbourhood().left, input.neighbourhood().right)).max();
    let above = inputs(spec).map(|input| span(input.neighbourhood().top, input.neighbourhood().bottom)).max();
    Grain { step, rows, around: around.unwrap_or(0), above: above.unwrap_or(0) }
}

/// The images, by their places among all, that may have an extent of 1 where the output has more. The first image that is read
/// is not among them: somewhere the output's shape must come from.
pub(super) fn broadcastable(spec: &'static KernelSpec) -> impl Iterator<Item = usize> {
    let read = inputs(spec).enumerate().filter(|(_, input)| input.inout.is_none() && !input.is_whole());
    read.skip(1).filter(|(_, input)| input.is_element_wise()).map(|(index, _)| index)
}

/// Whether `output` may lie in the place of `input`.
pub(super) fn may_be(input: &InputSpec, output: &OutputSpec) -> bool {
    let same = (input.element, input.channels) == (output.element, output.channels);
    same && input.neighbourhood() == NeighbourhoodSpec::default() && input.stride() == (1, 1) && input.inout.is_none()
}

/// The images that a kernel reads, `#[inout]` ones included.
pub(super) fn inputs(spec: &'static KernelSpec) -> impl Iterator<Item = &'static InputSpec> {
    spec.arguments.iter().filter_map(|argument| match &argument.kind {
        ArgumentKind::Input(input) => Some(input),
        ArgumentKind::Uniform(_) | ArgumentKind::Table { .. } | ArgumentKind::Variant { .. } => None,
    })
}
