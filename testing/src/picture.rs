//! A test image in guarded memory: laid out, filled, and afterwards searched for what should not have changed.
//!
//! Every byte that is no element holds poison that depends on its place, so a stray write of anything, of a neighbour's
//! poison too, is seen.

mod difference;

use super::{
    block::Block,
    case::Layout,
    memory::{Flush, Guarded},
    own::OwnData,
    words::{halves, numbers, poison, put_word, word_at, words_of_double},
};
pub(super) use difference::Difference;
use std::{fmt, ops::Range, ptr::NonNull};
use windrow_reference::testing::{Data, Numbers, Place, Random};
use windrow_runtime::{
    element::ElementType,
    info::{MAX_DIMENSIONS, Shape, TensorInfo},
    layout::Layout as Strided,
    region::ValidRegion,
};

/// What an image must be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    /// The type of a channel.
    pub(super) element: ElementType,
    /// Channels of an element.
    pub(super) channels: u32,
    /// The extents.
    pub(super) shape: Shape,
}

/// An image in guarded memory.
#[derive(Debug)]
pub(super) struct Picture {
    memory: Guarded,
    /// Bytes from the block's start to the first element.
    offset: usize,
    element: ElementType,
    info: TensorInfo,
}

impl Picture {
    /// An image of `form`, laid out as `layout` says, poisoned all over.
    pub(super) fn new(form: Form, layout: Layout, random: &mut Random) -> Result<Self, String> {
        let margins = Margins::of(layout, random);
        let pixel = form.element.size() * form.channels as usize;
        let extents = form.shape.inner_extents();
        // The dimension whose elements lie closest together, and the one whose lie next.
        let (near, far) = if layout == Layout::Columns { (1, 0) } else { (0, 1) };
        let mut strides = [pixel + margins.between * form.element.size(); MAX_DIMENSIONS];
        strides[far] = (extents[near].max(1) + margins.columns()) * strides[near];
        for dimension in 2..MAX_DIMENSIONS {
            // Rows above and below stand once a plane.
            let rows = if dimension == 2 { margins.above + margins.below } else { 0 };
            let inner = if dimension == 2 { far } else { dimension - 1 };
            strides[dimension] = strides[inner] * (extents[inner].max(1) + rows);
        }
        let lowest = margins.above * strides[far] + margins.left * pixel;
        let behind = if margins.below > 0 { margins.below * strides[far] + margins.right * pixel } else { 0 };
        let mut strides = strides.map(|stride| stride as isize);
        match layout {
            Layout::BottomUp => strides[1] = -strides[1],
            Layout::Flipped => strides[0] = -strides[0],
            Layout::Repeated => strides[random.below(3) as usize] = 0,
            Layout::Dense | Layout::Front | Layout::Padded | Layout::Region | Layout::Apart | Layout::Columns => {}
        }
        strides.reverse();
        // Outermost first, those of the dimensions that the shape has.
        let strides = &strides[MAX_DIMENSIONS - form.shape.rank()..];
        let info: TensorInfo = Strided::with_strides(form.element, form.channels, &form.shape.extents(), strides)
            .map_err(|error| format!("the harness can't lay out {}: {error}", form.shape))?
            .into();
        let mut memory = Guarded::new(lowest + info.size_in_bytes() + behind, margins.flush)
            .map_err(|error| format!("no guarded memory: {error}"))?;
        let seed = random.next_u64();
        poison(memory.all_mut(), seed);
        Ok(Self { memory, offset: lowest + info.first_element(), element: form.element, info })
    }

    /// The type of a channel.
    pub(super) fn element(&self) -> ElementType {
        self.element
    }

    /// The same image in memory of its own.
    pub(super) fn duplicate(&self) -> Result<Self, String> {
        let block = self.memory.block();
        let flush = if block.start == 0 { Flush::Start } else { Flush::End };
        let mut memory = Guarded::new(block.len(), flush).map_err(|error| format!("no guarded memory: {error}"))?;
        memory.all_mut().copy_from_slice(self.memory.all());
        Ok(Self { memory, offset: self.offset, element: self.element, info: self.info })
    }

    /// Fills the elements.
    pub(super) fn fill(&mut self, data: Data, input: usize, random: &mut Random) {
        let is_double = self.element == ElementType::F64;
        let (numbers, info) = (if is_double { Numbers::Float } else { numbers(self.element) }, self.info);
        let (element, channels) = self.words_of_element();
        let words = channels / info.channels() as usize;
        let extremes = numbers.extremes();
        let mut double = [0; 2];
        let shape = self.info.shape();
        let extents = [shape.width(), shape.height(), shape.planes()];
        for row in self.rows() {
            for (x, channel) in (0..extents[0]).flat_map(|x| (0..channels).map(move |channel| (x, channel))) {
                let place = Place { input, at: [x, row.at[1], row.plane], channel, extents };
                let word = match (is_double, channel % words) {
                    (true, 0) => {
                        double = words_of_double(data.word(numbers, &extremes, place, random));
                        double[0]
                    }
                    (true, half) => double[half],
                    (false, _) => data.word(numbers, &extremes, place, random),
                };
                put_word(self.memory.all_mut(), row.at(&info, x) + channel * element.size(), element, word);
            }
        }
    }

    /// Fills the elements with the author's own contents.
    pub(super) fn fill_with(&mut self, own: OwnData, input: usize) {
        let (numbers, info) = (numbers(self.element), self.info);
        let (element, channels) = self.words_of_element();
        let shape = self.info.shape();
        let extents = [shape.width(), shape.height(), shape.planes()];
        for row in self.rows() {
            for (x, channel) in (0..extents[0]).flat_map(|x| (0..channels).map(move |channel| (x, channel))) {
                let words = channels / info.channels() as usize;
                let at = [x, row.at[1], row.plane];
                let place = Place { input, at, channel: channel / words, extents };
                let value = (own.value)(place);
                let word = match self.element {
                    ElementType::U64 => (value as u64 >> (32 * (channel % words))) as u32,
                    ElementType::I64 => (value as i64 >> (32 * (channel % words))) as u32,
                    ElementType::F64 => halves(value.to_bits())[channel % words],
                    _ => numbers.of_f64(value),
                };
                put_word(self.memory.all_mut(), row.at(&info, x) + channel * element.size(), element, word);
            }
        }
    }

    /// Makes every element that of `other`, an image of the same form.
    pub(super) fn copy_elements(&mut self, other: &Self) {
        let (info, pixel) = (self.info, self.info.pixel_size());
        for (to, from) in self.rows().zip(other.rows()) {
            for x in 0..info.width() {
                let element = &other.memory.all()[from.at(&other.info, x)..][..pixel];
                self.memory.all_mut()[to.at(&info, x)..][..pixel].copy_from_slice(element);
            }
        }
    }

    /// What is known of it.
    pub(super) fn info(&self) -> &TensorInfo {
        &self.info
    }

    /// The first element. It stays where it is as long as the image lives.
    pub(super) fn base(&mut self) -> Option<NonNull<u8>> {
        NonNull::new(self.memory.as_mut_ptr().wrapping_add(self.offset))
    }

    /// A copy of everything, to compare with later.
    pub(super) fn snapshot(&self) -> Vec<u8> {
        self.memory.snapshot()
    }

    /// The image with its margins: what a device is given, and gives back.
    pub(super) fn block(&mut self) -> Block<'_> {
        let block = self.memory.block();
        Block { bytes: &mut self.memory.all_mut()[block], offset: self.offset, info: self.info }
    }

    /// What the words of an element are, and how many: one a channel, but two where a channel has 64 bits.
    fn words_of_element(&self) -> (ElementType, usize) {
        let channels = self.info.channels() as usize;
        match self.element {
            ElementType::U64 | ElementType::I64 | ElementType::F64 => (ElementType::U32, 2 * channels),
            element => (element, channels),
        }
    }

    /// The words inside `region`, rows first, all channels of an element together, each with its place.
    pub(super) fn words(&self, region: &ValidRegion) -> impl Iterator<Item = (Spot, u32)> {
        let columns = region.inner_range(0);
        self.rows_in(region).flat_map(move |row| self.words_of_row(row, columns.clone()))
    }

    /// The words in these columns of a row, all channels of an element together, each with its place.
    fn words_of_row(&self, row: Row, columns: Range<usize>) -> impl Iterator<Item = (Spot, u32)> {
        let (element, channels) = self.words_of_element();
        columns.flat_map(move |x| {
            (0..channels).map(move |channel| {
                let index = row.at(&self.info, x) + channel * element.size();
                let word = match self.element {
                    ElementType::F64 => self.double_at(index - channel % 2 * element.size())[channel % 2],
                    _ => word_at(self.memory.all(), index, element),
                };
                (Spot { x, y: row.at[1], plane: row.plane, channel }, word)
            })
        })
    }

    /// The words of a double.
    fn double_at(&self, index: usize) -> [u32; 2] {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&self.memory.all()[index..index + 8]);
        halves(u64::from_ne_bytes(bytes))
    }

    /// Where the bytes of the elements in these columns of a row lie: together where nothing lies between elements, and
    /// otherwise one by one.
    fn bytes_of_row(&self, row: Row, columns: Range<usize>) -> impl Iterator<Item = Range<usize>> + use<> {
        let (info, pixel) = (self.info, self.info.pixel_size());
        let are_together = info.inner_stride(0) == pixel as isize;
        let pieces = if are_together { columns.len().min(1) } else { columns.len() };
        let length = if are_together { columns.len() * pixel } else { pixel };
        (0..pieces).map(move |piece| {
            let first = row.at(&info, columns.start + piece);
            first..first + length
        })
    }

    /// The greatest magnitude of its finite elements.
    pub(super) fn greatest(&self) -> f32 {
        let numbers = numbers(self.element);
        let all = ValidRegion::whole(self.info.shape());
        let magnitudes = self.words(&all).map(|(_, word)| numbers.as_f32(word).abs());
        magnitudes.filter(|magnitude| magnitude.is_finite()).fold(0.0, f32::max)
    }

    /// The rows, the last dimension slowest.
    fn rows(&self) -> impl Iterator<Item = Row> + use<> {
        self.rows_in(&ValidRegion::whole(self.info.shape()))
    }

    /// The rows of which some element lies inside `region`; none where it is empty.
    fn rows_in(&self, region: &ValidRegion) -> impl Iterator<Item = Row> + use<> {
        let (info, base) = (self.info, self.memory.block().start + self.offset);
        row_starts_in(&info.shape(), region).filter_map(move |(at, plane)| {
            Some(Row { at, plane, first: base.checked_add_signed(info.inner_offset(&at)?)? })
        })
    }
}

/// A row of an image.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// The coordinates of its first element.
    at: [usize; MAX_DIMENSIONS],
    plane: usize,
    /// Its first byte in the memory.
    first: usize,
}

impl Row {
    /// The first byte of the element in column `x` of an image of these metadata.
    fn at(&self, info: &TensorInfo, x: usize) -> usize {
        self.first.wrapping_add_signed(x as isize * info.inner_stride(0))
    }
}

/// Where a word stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    x: usize,
    y: usize,
    plane: usize,
    channel: usize,
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { x, y, plane, channel } = self;
        write!(f, "x = {x}, y = {y}, plane {plane}, channel {channel}")
    }
}

/// What lies around an image in its memory, in elements and rows.
struct Margins {
    left: usize,
    right: usize,
    above: usize,
    below: usize,
    /// Channels between two elements of a row.
    between: usize,
    flush: Flush,
}

impl Margins {
    fn of(layout: Layout, random: &mut Random) -> Self {
        let mut some = |most: u64| 1 + random.below(most) as usize;
        let none = Self { left: 0, right: 0, above: 0, below: 0, between: 0, flush: Flush::End };
        match layout {
            Layout::Dense => none,
            Layout::Front => Self { flush: Flush::Start, ..none },
            Layout::Padded => Self { right: some(19), ..none },
            Layout::Region => Self { left: some(5), right: some(7), above: some(2), below: some(2), ..none },
            Layout::BottomUp | Layout::Flipped => Self { right: some(5) - 1, ..none },
            Layout::Apart => Self { right: some(5) - 1, between: some(4), ..none },
            Layout::Columns | Layout::Repeated => none,
        }
    }

    fn columns(&self) -> usize {
        self.left + self.right
    }
}

/// The coordinates of every row's first element, each with the number of its plane.
pub(super) fn row_starts(shape: &Shape) -> impl Iterator<Item = ([usize; MAX_DIMENSIONS], usize)> + use<> {
    row_starts_in(shape, &ValidRegion::whole(*shape))
}

/// The same of the rows of which some element lies inside `region`.
fn row_starts_in(
    shape: &Shape,
    region: &ValidRegion,
) -> impl Iterator<Item = ([usize; MAX_DIMENSIONS], usize)> + use<> {
    let (extents, region) = (shape.inner_extents(), *region);
    let start = |dimension| if dimension == 0 { 0 } else { region.inner_range(dimension).start };
    let first = (!region.is_empty()).then(|| std::array::from_fn(start));
    let rows = std::iter::successors(first, move |at: &[usize; MAX_DIMENSIONS]| {
        let dimension = (1..MAX_DIMENSIONS).find(|d| at[*d] + 1 < region.inner_range(*d).end)?;
        let mut next = *at;
        (1..dimension).for_each(|inner| next[inner] = region.inner_range(inner).start);
        next[dimension] += 1;
        Some(next)
    });
    let plane =
        move |at: &[usize; MAX_DIMENSIONS]| (2..MAX_DIMENSIONS).rev().fold(0, |plane, d| plane * extents[d] + at[d]);
    rows.map(move |at| (at, plane(&at)))
}
