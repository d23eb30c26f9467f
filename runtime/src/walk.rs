//! Walks over a window with several tensors at once, for code that a host writes by hand.
//!
//! Each tensor follows the window by a [`Cursor`], made from a window of its own: with as many steps as the whole, of any
//! length (sub-sampled planes), or with one, at which it stays (broadcast). [`offsets`] calls its body at every step, [`rows`]
//! once a row, with the rows as slices: what a row costs is then the body's own loop. Emitted bodies take rows too.

use crate::{
    element::Element,
    info::{MAX_DIMENSIONS, TensorInfo},
    view::{View, ViewMut},
    window::{Dimension, InvalidWindow, Window},
};

/// How a tensor follows a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// Bytes from the tensor's first element to that of the first step.
    first: isize,
    /// Bytes from step to step, in each dimension.
    advance: [isize; MAX_DIMENSIONS],
}

impl Cursor {
    /// Returns a tensor that goes through `own` while the walk goes through `whole`.
    ///
    /// ```
    /// use windrow::{TensorInfo, Window, tensor::Cursor};
    ///
    /// let window = Window::covering([0; 6], [8, 6, 1, 1, 1, 1], (2, 2));
    /// let (luma, chroma) = (TensorInfo::of::<u8>(&[6, 8])?, TensorInfo::of::<u8>(&[3, 4])?);
    /// let half = window.scale(0, 1, 2)?.with_step(0, 1)?.scale(1, 1, 2)?.with_step(1, 1)?;
    /// assert!(Cursor::new(&luma, &window, &window).is_ok() && Cursor::new(&chroma, &window, &window).is_err());
    /// assert!(half.iterations(0) == 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(info: &TensorInfo, own: &Window, whole: &Window) -> Result<Cursor, InvalidWindow> {
        Cursor::numbered(0, info, own, whole)
    }

    fn numbered(tensor: usize, info: &TensorInfo, own: &Window, whole: &Window) -> Result<Cursor, InvalidWindow> {
        let mut cursor = Cursor { first: 0, advance: [0; MAX_DIMENSIONS] };
        for dimension in 0..MAX_DIMENSIONS {
            let (along, expected) = (own.dimension(dimension), whole.iterations(dimension));
            let (found, extent) = (along.iterations(), info.shape().inner_extent(dimension));
            if found != expected && found != 1 {
                return Err(InvalidWindow::Steps { tensor, dimension, found, expected });
            }
            let coordinate = along.start() + found.saturating_sub(1) * along.step();
            if found > 0 && coordinate >= extent {
                return Err(InvalidWindow::LeavesTensor { tensor, dimension, coordinate, extent });
            }
            // An empty walk touches nothing: its coordinates may lie anywhere.
            if found > 0 {
                cursor.first += along.start() as isize * info.inner_stride(dimension);
            }
            if found > 1 {
                cursor.advance[dimension] = along.step() as isize * info.inner_stride(dimension);
            }
        }
        Ok(cursor)
    }
}

/// Calls `body` at each step of `window`, the first dimension fastest, with the coordinates and, for each cursor, the bytes
/// from its tensor's first element.
///
/// ```
/// use windrow::{TensorInfo, Window, tensor::{Cursor, offsets}};
///
/// let window = Window::covering([0; 6], [3, 2, 1, 1, 1, 1], (1, 1));
/// let (image, row) = (TensorInfo::of::<u16>(&[2, 3])?, TensorInfo::of::<u8>(&[3])?);
/// let cursors = [Cursor::new(&image, &window, &window)?, Cursor::new(&row, &window.broadcast(row.shape()), &window)?];
/// let mut seen = Vec::new();
/// offsets(&window, cursors, |_, places| seen.push(places));
/// assert_eq!(seen, [[0, 0], [2, 1], [4, 2], [6, 0], [8, 1], [10, 2]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn offsets<const N: usize>(
    window: &Window,
    cursors: [Cursor; N],
    mut body: impl FnMut([usize; MAX_DIMENSIONS], [isize; N]),
) {
    if window.is_empty() {
        return;
    }
    let mut done = [0usize; MAX_DIMENSIONS];
    let mut at = core::array::from_fn(|d| window.dimension(d).start());
    let mut places = cursors.map(|cursor| cursor.first);
    loop {
        body(at, places);
        let Some(next) = (0..MAX_DIMENSIONS).find(|&d| done[d] + 1 < window.iterations(d)) else { return };
        for (place, cursor) in places.iter_mut().zip(&cursors) {
            let back: isize = (0..next).map(|d| done[d] as isize * cursor.advance[d]).sum();
            *place = *place - back + cursor.advance[next];
        }
        (0..next).for_each(|d| (done[d], at[d]) = (0, window.dimension(d).start()));
        done[next] += 1;
        at[next] += window.dimension(next).step();
    }
}

/// Calls `body` with each row of `window` (coordinates of its first element, and the rows of the tensors): of each tensor the
/// columns of the window, or one element where it has only one.
///
/// A tensor has the window's extent in each dimension, or 1 where it is to be broadcast; one to be written is never broadcast.
/// The window's end may lie behind the tensors', by less than a step: rows end with them.
///
/// ```
/// use windrow::{Tensor, Window, tensor};
///
/// let (a, row) = (Tensor::from_fn([3, 40], |[y, x]| (x + y) as u8)?, Tensor::from_vec(vec![1u8; 40], [40])?);
/// let mut sum = Tensor::<u8>::new([3, 40])?;
/// let window = Window::covering([0; 6], [40, 3, 1, 1, 1, 1], (1, 1));
/// tensor::rows(&window, (a.view(), row.view(), sum.view_mut()), |_, (a, row, sum)| {
///     sum.iter_mut().zip(a).zip(row).for_each(|((sum, a), b)| *sum = a + b);
/// })?;
/// assert_eq!(sum.view().get([2, 39]), Some(42));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rows<T: Rows>(
    window: &Window,
    tensors: T,
    mut body: impl FnMut([usize; MAX_DIMENSIONS], T::Slices),
) -> Result<(), InvalidWindow> {
    let columns = window.dimension(0);
    let rows = window.with_dimension(0, Dimension::single(columns.start()))?;
    let mut prepared = [None; MAX_TENSORS];
    tensors.prepare(&rows, columns, &mut prepared)?;
    if window.is_empty() {
        return Ok(());
    }
    let cursors =
        prepared.map(|row| row.map_or(Cursor { first: 0, advance: [0; MAX_DIMENSIONS] }, |row: Row| row.cursor));
    offsets(&rows, cursors, |at, places| {
        let place = |tensor: usize| (places[tensor], prepared[tensor].map_or(0, |row| row.length));
        // SAFETY: `prepare` checked that the rows of each tensor lie inside it, and that one to be written is not broadcast:
        // each of its rows comes up once.
        body(at, unsafe { tensors.slices(&place) });
    });
    Ok(())
}

/// Tensors that are walked together, at most.
const MAX_TENSORS: usize = 6;

/// How the rows of a tensor are found.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    cursor: Cursor,
    /// Elements of a row.
    length: usize,
}

/// A view, or a tuple of up to six, whose rows can be walked.
pub trait Rows: sealed::Sealed {
    /// The rows at one place, borrowed as long as the views are.
    type Slices;

    /// Checks the tensors against the window of the rows' first elements.
    #[doc(hidden)]
    fn prepare(
        &self,
        rows: &Window,
        columns: Dimension,
        to: &mut [Option<Row>; MAX_TENSORS],
    ) -> Result<(), InvalidWindow>;

    /// Returns the rows, each at an offset in bytes, of a number of elements.
    ///
    /// # Safety
    /// `place` gives rows that lie inside the tensors, and those of one to be written once only.
    #[doc(hidden)]
    unsafe fn slices(&self, place: &dyn Fn(usize) -> (isize, usize)) -> Self::Slices;
}

/// One view.
pub trait RowsOfOne: sealed::Sealed {
    /// Its row.
    type Slice;
    #[doc(hidden)]
    const WRITTEN: bool;
    #[doc(hidden)]
    fn tensor_info(&self) -> &TensorInfo;
    /// # Safety
    /// The row lies inside the tensor; one to be written is asked for once.
    #[doc(hidden)]
    unsafe fn slice(&self, offset: isize, length: usize) -> Self::Slice;
}

mod sealed {
    pub trait Sealed {}
}

impl<T: Element> sealed::Sealed for View<'_, T> {}
impl<T: Element> sealed::Sealed for ViewMut<'_, T> {}

impl<'a, T: Element> RowsOfOne for View<'a, T> {
    type Slice = &'a [T];
    const WRITTEN: bool = false;

    fn tensor_info(&self) -> &TensorInfo {
        self.info()
    }

    unsafe fn slice(&self, offset: isize, length: usize) -> &'a [T] {
        // SAFETY: the caller's; elements of a row lie side by side, borrowed by the view.
        unsafe { core::slice::from_raw_parts(self.any().as_ptr().offset(offset).cast(), length) }
    }
}

impl<'a, T: Element> RowsOfOne for ViewMut<'a, T> {
    type Slice = &'a mut [T];
    const WRITTEN: bool = true;

    fn tensor_info(&self) -> &TensorInfo {
        self.info()
    }

    unsafe fn slice(&self, offset: isize, length: usize) -> &'a mut [T] {
        // SAFETY: the caller's; elements of a row lie side by side, borrowed exclusively by the view.
        unsafe { core::slice::from_raw_parts_mut(self.first_mut().offset(offset).cast(), length) }
    }
}

/// The row of one tensor: the whole window's columns, or one element.
fn prepare_one<V: RowsOfOne>(view: &V, tensor: usize, rows: &Window, columns: Dimension) -> Result<Row, InvalidWindow> {
    let info = view.tensor_info();
    if !info.layout().has_contiguous_rows() {
        return Err(InvalidWindow::RowStride { tensor, found: info.inner_stride(0), expected: info.pixel_size() });
    }
    let broadcast = |d: usize| info.shape().inner_extent(d) == 1 && d != 0;
    let own = rows.broadcast(info.shape());
    let held = (1..MAX_DIMENSIONS).find(|&d| V::WRITTEN && broadcast(d) && rows.dimension(d).end() > 1);
    let (length, dimension) = match info.width() {
        1 if !V::WRITTEN => (1, held),
        width => {
            let end = columns.end().min(width);
            // Whole steps: the last may reach behind the tensor, by less than a step.
            let short = columns.iterations() > 0 && columns.end() >= width + columns.step();
            (end.saturating_sub(columns.start()), held.or(short.then_some(0)))
        }
    };
    if let Some(dimension) = dimension {
        let extent = info.shape().inner_extent(dimension);
        let end = if dimension == 0 { columns.end() } else { rows.dimension(dimension).end() };
        return Err(InvalidWindow::LeavesTensor { tensor, dimension, coordinate: end - 1, extent });
    }
    Ok(Row { cursor: Cursor::numbered(tensor, info, &own, rows)?, length })
}

impl<V: RowsOfOne> Rows for V {
    type Slices = V::Slice;

    fn prepare(
        &self,
        rows: &Window,
        columns: Dimension,
        to: &mut [Option<Row>; MAX_TENSORS],
    ) -> Result<(), InvalidWindow> {
        to[0] = Some(prepare_one(self, 0, rows, columns)?);
        Ok(())
    }

    unsafe fn slices(&self, place: &dyn Fn(usize) -> (isize, usize)) -> Self::Slices {
        let (offset, length) = place(0);
        // SAFETY: the caller's.
        unsafe { self.slice(offset, length) }
    }
}

macro_rules! tuples {
    ($(($($name:ident $index:tt)*))*) => {$(
        impl<$($name: RowsOfOne),*> sealed::Sealed for ($($name,)*) {}

        impl<$($name: RowsOfOne),*> Rows for ($($name,)*) {
            type Slices = ($($name::Slice,)*);

            fn prepare(
                &self,
                rows: &Window,
                columns: Dimension,
                to: &mut [Option<Row>; MAX_TENSORS],
            ) -> Result<(), InvalidWindow> {
                $(to[$index] = Some(prepare_one(&self.$index, $index, rows, columns)?);)*
                Ok(())
            }

            unsafe fn slices(&self, place: &dyn Fn(usize) -> (isize, usize)) -> Self::Slices {
                // SAFETY: the caller's.
                ($(unsafe { self.$index.slice(place($index).0, place($index).1) },)*)
            }
        }
    )*};
}

tuples! {
    (A 0)
    (A 0 B 1)
    (A 0 B 1 C 2)
    (A 0 B 1 C 2 D 3)
    (A 0 B 1 C 2 D 3 E 4)
    (A 0 B 1 C 2 D 3 E 4 F 5)
}
