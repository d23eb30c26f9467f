//! A case made real: images in memory, uniforms drawn, tables filled, and the region that must be written.
//!
//! Everything follows from the case's id, so every target and the author's function are given the same.

use super::{
    arguments::Entries,
    case::{Case, Layout},
    cases::{inputs, may_be},
    picture::{Form, Picture},
    uniforms,
    words::numbers,
};
use windrow_reference::testing::Random;
use windrow_runtime::{
    border::{Border, BorderMode},
    element::{ElementType, Scalar},
    info::Shape,
    region::{Rect, ValidRegion},
    spec::{InputSpec, KernelSpec, NeighbourhoodSpec},
};

/// Everything that a case is run with.
#[derive(Debug)]
pub(super) struct Scene {
    /// The images read, `#[inout]` ones included, in argument order.
    pub(super) inputs: Vec<Picture>,
    /// The images written; an `#[inout]` one holds what is read.
    pub(super) outputs: Vec<Option<Picture>>,
    /// The input in whose place the first output lies.
    pub(super) in_place: Option<usize>,
    pub(super) tables: Vec<Entries>,
    /// The uniforms' words.
    pub(super) words: Vec<u32>,
    pub(super) border: Border,
    pub(super) shape: Shape,
    /// The elements that must be written; all others must stay as they are.
    pub(super) valid: ValidRegion,
}

impl Scene {
    pub(super) fn new(spec: &'static KernelSpec, case: &Case) -> Result<Self, String> {
        case.check_settled(spec)?;
        let random = &mut case.random(spec);
        let shape = shape_of(&case.extents)?;
        let words = uniforms::draw(spec, case.data, random);
        let border = draw_border(spec, case.border, random);
        let tables = spec
            .tables()
            .map(|(_, element, length)| Entries::of(element, &uniforms::table(element, length, random)))
            .collect();
        let images = inputs(spec)
            .enumerate()
            .map(|(index, input)| draw_input(input, index, shape, case, random))
            .collect::<Result<Vec<_>, _>>()?;
        let output = spec.outputs.first().filter(|_| case.in_place);
        let in_place = output.and_then(|output| inputs(spec).position(|input| may_be(input, output)));
        let outputs = (0..spec.outputs.len())
            .map(|index| {
                let shared = in_place.filter(|_| index == 0);
                let shared = shared.or_else(|| inputs(spec).position(|input| input.inout == Some(index as u32)));
                draw_output(spec, index, shared.and_then(|input| images.get(input)), shape, case, random)
            })
            .collect::<Result<Vec<_>, _>>()?;
        let valid = valid_region(spec, &images, shape, case.border);
        Ok(Self { inputs: images, outputs, in_place, tables, words, border, shape, valid })
    }

    /// The tables as a device takes them.
    pub(super) fn table_bytes(&self) -> Vec<Vec<u8>> {
        self.tables.iter().map(|table| table.table().as_bytes().to_vec()).collect()
    }

    /// What the roundings of a `fast` kernel are measured by: the greatest element, times the greatest uniform.
    pub(super) fn scale(&self) -> f32 {
        let greatest = self.inputs.iter().map(Picture::greatest).fold(1.0, f32::max);
        let uniforms = self.words.iter().map(|&word| f32::from_bits(word).abs());
        greatest * uniforms.filter(|uniform| uniform.is_finite()).fold(1.0, f32::max)
    }

    /// The outputs as they are now, to compute what is expected in.
    pub(super) fn duplicate_outputs(&self) -> Result<Vec<Option<Picture>>, String> {
        self.outputs.iter().map(|output| output.as_ref().map(Picture::duplicate).transpose()).collect()
    }
}

/// The shape of these extents, innermost first.
fn shape_of(extents: &[usize]) -> Result<Shape, String> {
    let outermost_first: Vec<usize> = extents.iter().rev().copied().collect();
    Shape::new(&outermost_first).map_err(|error| format!("the harness makes no such shape: {error}"))
}

/// An image whose extents give `shape` at the input's stride: the greatest of them, or up to a stride less.
fn draw_input(
    input: &InputSpec,
    index: usize,
    shape: Shape,
    case: &Case,
    random: &mut Random,
) -> Result<Picture, String> {
    if input.is_whole() {
        return draw_whole(input, index, shape, case, random);
    }
    let mut extents = shape.inner_extents();
    for (extent, stride) in extents.iter_mut().zip([input.stride().0, input.stride().1]) {
        let stride = stride.max(1) as usize;
        *extent = (*extent * stride).saturating_sub(random.below(stride as u64) as usize);
    }
    let broadcast = case.broadcast.get(&index).copied().unwrap_or(0);
    for (dimension, extent) in extents.iter_mut().enumerate().take(3).filter(|(_, extent)| **extent > 0) {
        if broadcast >> dimension & 1 == 1 {
            *extent = 1;
        }
    }
    draw_picture(input, index, shape_of(&extents[..shape.rank()])?, case, random)
}

/// An image that is read anywhere, of extents of its own; its planes are the outputs', or one for all.
fn draw_whole(
    input: &InputSpec,
    index: usize,
    shape: Shape,
    case: &Case,
    random: &mut Random,
) -> Result<Picture, String> {
    let own = case.whole_of(index, input);
    let mut extents = own.extents().to_vec();
    if own.has_planes {
        extents.extend(shape.inner_extents().get(extents.len()..shape.rank()).unwrap_or_default());
    }
    draw_picture(input, index, shape_of(&extents)?, case, random)
}

/// An image of this shape, with the case's contents.
fn draw_picture(
    input: &InputSpec,
    index: usize,
    shape: Shape,
    case: &Case,
    random: &mut Random,
) -> Result<Picture, String> {
    let form = Form { element: input.element, channels: input.channels, shape };
    let mut picture = Picture::new(form, layout(case, index), random)?;
    match case.own {
        Some(own) => picture.fill_with(own, index),
        None => picture.fill(case.data, index, random),
    }
    Ok(picture)
}

/// Poison, or what the input that it is too holds; `None` for an output that the case leaves out.
fn draw_output(
    spec: &'static KernelSpec,
    index: usize,
    shared: Option<&Picture>,
    shape: Shape,
    case: &Case,
    random: &mut Random,
) -> Result<Option<Picture>, String> {
    if !case.present.get(index).copied().unwrap_or(true) {
        return Ok(None);
    }
    let output = &spec.outputs[index];
    let form = Form { element: output.element, channels: output.channels, shape };
    // What repeats an element can't be written.
    let layout = match layout(case, index + 1) {
        Layout::Repeated => Layout::Apart,
        layout => layout,
    };
    let mut picture = Picture::new(form, layout, random)?;
    if let Some(image) = shared {
        picture.copy_elements(image);
    }
    Ok(Some(picture))
}

/// Images of one case lie differently, except that dense ones are all dense.
fn layout(case: &Case, index: usize) -> Layout {
    match case.layout {
        Layout::Dense => Layout::Dense,
        Layout::Front => Layout::Front,
        Layout::Padded if index.is_multiple_of(2) => Layout::Padded,
        Layout::Padded | Layout::Region => Layout::Region,
        strided => match (index + case.seed as usize) % 4 {
            0 | 1 => strided,
            2 => Layout::BottomUp,
            _ => Layout::Padded,
        },
    }
}

/// A constant is a value of every input whose border matters.
fn draw_border(spec: &'static KernelSpec, mode: BorderMode, random: &mut Random) -> Border {
    let around: Vec<&InputSpec> =
        inputs(spec).filter(|input| input.neighbourhood() != NeighbourhoodSpec::default()).collect();
    let constant = |random: &mut Random| {
        let element = around.first().map_or(ElementType::U8, |input| input.element);
        let word = match random.pick(&numbers(element).extremes()) {
            Some(word) if random.one_in(2) => *word,
            Some(_) | None => numbers(element).everyday(random),
        };
        let drawn = Scalar::from_word(element, word);
        let fits = around.iter().all(|input| drawn.to_element(input.element).is_some());
        if fits { drawn } else { Scalar::from_word(element, numbers(element).of_integer(14)) }
    };
    match mode {
        BorderMode::Undefined => Border::Undefined,
        BorderMode::Constant => Border::Constant(constant(random)),
        BorderMode::Replicate => Border::Replicate,
        BorderMode::Reflect => Border::Reflect,
        BorderMode::Reflect101 => Border::Reflect101,
        BorderMode::Wrap => Border::Wrap,
    }
}

/// Under an undefined border, the elements all of whose reads lie inside every image, found one by one; else all.
fn valid_region(spec: &'static KernelSpec, images: &[Picture], shape: Shape, border: BorderMode) -> ValidRegion {
    if border != BorderMode::Undefined {
        return ValidRegion::new(Rect::new(0, 0, shape.width(), shape.height()), shape);
    }
    let inside = |axis: usize, at: usize| {
        inputs(spec).zip(images).filter(|(input, _)| !input.is_whole()).all(|(input, image)| {
            let around = input.neighbourhood();
            let (stride, least, greatest) = if axis == 0 {
                (input.stride().0, around.left, around.right)
            } else {
                (input.stride().1, around.top, around.bottom)
            };
            let centre = at as i64 * i64::from(stride);
            let extent = image.info().shape().inner_extent(axis) as i64;
            if input.is_element_wise() && extent == 1 {
                return true;
            }
            centre + i64::from(least.min(0)) >= 0 && centre + i64::from(greatest.max(0)) < extent
        })
    };
    let range = |axis: usize| {
        let mut valid = (0..shape.inner_extent(axis)).filter(|at| inside(axis, *at));
        let first = valid.next();
        first.map_or((0, 0), |first| (first, valid.next_back().unwrap_or(first) + 1))
    };
    let ((x0, x1), (y0, y1)) = (range(0), range(1));
    let plane = Rect::new(x0, y0, x1, y1);
    ValidRegion::new(if plane.is_empty() { Rect::default() } else { plane }, shape)
}
