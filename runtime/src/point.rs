//! One element of a run, as the author's own function sees it.
//!
//! The emitted `reference` reads its arguments from a [`Point`], calls the author's function, and writes the result.
//! Every access is checked: a reference that asks for another type than the specification's finds zeros.

use crate::{
    arguments::{AnyTable, MAX_ARGUMENTS},
    border::{Border, BorderMode, Borders},
    element::{Element, KernelElement, Primitive},
    info::MAX_DIMENSIONS,
    neighbourhood::{Neighbourhood, Table},
    uniform::Uniform,
    view::{AnyView, AnyViewMut, Plane, View},
};

/// One element of a run.
#[derive(Debug)]
pub struct Point<'a> {
    /// The planes read, in argument order, `#[inout]` ones included, with their strides.
    inputs: [Option<(AnyView<'a>, (u32, u32))>; MAX_ARGUMENTS],
    /// The planes written.
    outputs: [Option<AnyViewMut<'a>>; MAX_ARGUMENTS],
    tables: [Option<AnyTable<'a>>; MAX_ARGUMENTS],
    words: &'a [u32],
    choice: &'a [u32],
    borders: Borders,
    pub(crate) x: usize,
    pub(crate) y: usize,
    /// Where the plane is along the dimensions outside its rows, counted from the innermost.
    outer: [usize; MAX_DIMENSIONS - 2],
}

impl<'a> Point<'a> {
    /// Returns the first element of a plane: `inputs` are the planes read, each with its stride, `outputs` those
    /// written.
    #[doc(hidden)]
    pub fn new(
        inputs: [Option<(AnyView<'a>, (u32, u32))>; MAX_ARGUMENTS],
        outputs: [Option<AnyViewMut<'a>>; MAX_ARGUMENTS],
        tables: [Option<AnyTable<'a>>; MAX_ARGUMENTS],
        (words, choice): (&'a [u32], &'a [u32]),
        borders: Borders,
    ) -> Point<'a> {
        Point { inputs, outputs, tables, words, choice, borders, x: 0, y: 0, outer: [0; MAX_DIMENSIONS - 2] }
    }

    /// The same in the plane whose first element is at these coordinates, innermost first.
    #[doc(hidden)]
    #[must_use]
    pub fn in_plane(self, at: [usize; MAX_DIMENSIONS]) -> Point<'a> {
        let [_, _, outer @ ..] = at;
        Point { outer, ..self }
    }

    /// The plane of an input, and which element of it is the current one.
    fn input<T: Element>(&self, input: u32) -> Option<(Plane<'a, T>, [usize; 2])> {
        let (view, stride) = self.inputs.get(input as usize)?.as_ref()?;
        Some((view.first_plane()?, [self.x * stride.0 as usize, self.y * stride.1 as usize]))
    }

    /// Returns the element of image `input` (counted among the images, `#[inout]` ones included) at the current
    /// coordinate.
    pub fn element<T: Element>(&self, input: u32) -> T {
        // Only an image that is broadcast ends before the output.
        let get = |(plane, at): (Plane<'a, T>, [usize; 2])| plane.get(BorderMode::Replicate, at.map(|at| at as isize));
        self.input::<T>(input).and_then(get).unwrap_or_default()
    }

    /// Returns the neighbourhood in image `input` around the current coordinate.
    pub fn neighbourhood<T: KernelElement>(&self, input: u32) -> Neighbourhood<'a, T> {
        match self.input::<T>(input) {
            Some((plane, at)) => Neighbourhood::in_plane(plane, self.borders.of(input as usize), at),
            None => Neighbourhood::in_plane(Plane::EMPTY, Border::Undefined, [0, 0]),
        }
    }

    /// Returns the current plane of image `input`, rows and columns: what a kernel may read anywhere.
    pub fn view<T: Element>(&self, input: u32) -> View<'a, T> {
        let view = self.inputs.get(input as usize).and_then(|input| input.as_ref());
        view.and_then(|(view, _)| view.plane_view()).unwrap_or_else(View::empty)
    }

    /// Returns image `input` as a tensor of `N` dimensions: what a kernel may read anywhere.
    pub fn tensor<T: Element, const N: usize>(&self, input: u32) -> View<'a, T, N> {
        let view = self.inputs.get(input as usize).and_then(|input| input.as_ref());
        let typed = view.and_then(|(view, _)| view.typed::<T>().ok()?.into_rank().ok());
        typed.unwrap_or_else(View::none)
    }

    /// Returns the current coordinate along the `N` innermost dimensions, outermost first: [y, x].
    pub fn place<const N: usize>(&self) -> [i32; N] {
        let at = |inner: usize| match inner {
            0 => self.x,
            1 => self.y,
            // No tensor has more dimensions.
            _ => self.outer.get(inner - 2).copied().unwrap_or(0),
        };
        core::array::from_fn(|dimension| at(N - 1 - dimension) as i32)
    }

    /// Returns the uniform whose first word is `word`.
    pub fn uniform<T: Uniform>(&self, word: u32) -> T {
        T::from_words(self.words.get(word as usize..).unwrap_or(&[]))
    }

    /// Returns the table `table`, counted among the tables.
    ///
    /// # Panics
    /// Where the kernel has no such table; a run checks types and lengths before it begins.
    pub fn table<T: Primitive, const N: usize>(&self, table: u32) -> Table<'a, T, N> {
        match self.tables.get(table as usize).copied().flatten().and_then(AnyTable::typed) {
            Some(entries) => Table::new(entries),
            None => panic!("the kernel has no table {table} of {N} entries of {}", T::ELEMENT),
        }
    }

    /// Returns the number of the value chosen for variant `variant`.
    pub fn choice(&self, variant: u32) -> u32 {
        self.choice.get(variant as usize).copied().unwrap_or(0)
    }

    /// Writes `value` to output `output`, unless it is left out.
    pub fn write<T: Element>(&mut self, output: u32, value: T) {
        // The coordinate lies inside every output.
        if let Some(Some(view)) = self.outputs.get_mut(output as usize) {
            view.put([self.x, self.y], value);
        }
    }
}
