//! What an author's function is given: a [`Neighbourhood`] of an image, and a look-up [`Table`].
//!
//! Both are ordinary values, so that a kernel's function can be called by hand; emitted bodies use neither.

use core::ops::Index;

use crate::{
    border::{Border, BorderMode},
    element::{Element, KernelElement, Primitive, Scalar},
    view::{Plane, View},
};

/// The elements around one element of an image.
#[derive(Clone, Copy, Debug)]
pub struct Neighbourhood<'a, T: Element> {
    plane: Plane<'a, T>,
    mode: BorderMode,
    outside: T,
    x: isize,
    y: isize,
}

impl<'a, T: Element> Neighbourhood<'a, T> {
    /// Returns the elements around (x, y) in the first plane of `image`.
    ///
    /// Outside, `border` says what is found; under `Border::Undefined` it is zero.
    ///
    /// ```
    /// use windrow::{Border, Neighbourhood, View};
    ///
    /// let pixels = [1u8, 2, 3, 4, 5, 6];
    /// let src = Neighbourhood::new(View::from_slice(&pixels, [2, 3])?, Border::Replicate, 0, 0);
    /// assert_eq!((src.at(1, 1), src.at(-5, 0)), (5, 1));
    /// # Ok::<(), windrow::InvalidTensor>(())
    /// ```
    pub fn new(image: View<'a, T>, border: Border, x: usize, y: usize) -> Neighbourhood<'a, T>
    where
        T: KernelElement,
    {
        Neighbourhood::in_plane(image.first_plane(), border, [x, y])
    }

    /// The elements around (x, y) of a plane.
    pub(crate) fn in_plane(plane: Plane<'a, T>, border: Border, [x, y]: [usize; 2]) -> Neighbourhood<'a, T>
    where
        T: KernelElement,
    {
        let outside = match border {
            Border::Constant(value) => splat(value),
            Border::Undefined | Border::Replicate | Border::Reflect | Border::Reflect101 | Border::Wrap => T::default(),
        };
        Neighbourhood { plane, mode: border.mode(), outside, x: x as isize, y: y as isize }
    }

    /// Returns the element `dx` columns to the right and `dy` rows below.
    pub fn at(&self, dx: i32, dy: i32) -> T {
        let at = [self.x.saturating_add(dx as isize), self.y.saturating_add(dy as isize)];
        self.plane.get(self.mode, at).unwrap_or(self.outside)
    }

    /// Returns the W × H elements around the current one, rows first; with even extents one more to the left and above.
    pub fn window<const W: usize, const H: usize>(&self) -> [[T; W]; H] {
        let offset = |index: usize, extent: usize| index as i32 - (extent / 2) as i32;
        core::array::from_fn(|row| core::array::from_fn(|column| self.at(offset(column, W), offset(row, H))))
    }
}

/// The element whose every channel is `value`; zero where the type lacks the value.
fn splat<T: KernelElement>(value: Scalar) -> T {
    let word = value.to_element(T::CHANNEL).map_or(0, Scalar::to_word);
    T::from_channels(|_| T::Channel::from_word(word))
}

/// A look-up table of `N` entries, indexed by any integer.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a, T: Primitive, const N: usize> {
    entries: &'a [T; N],
}

impl<'a, T: Primitive, const N: usize> Table<'a, T, N> {
    /// Returns the table of these entries.
    ///
    /// ```
    /// use windrow::Table;
    ///
    /// let squares: [u16; 256] = core::array::from_fn(|x| (x * x) as u16);
    /// assert_eq!(Table::new(&squares)[12u8], 144);
    /// ```
    pub const fn new(entries: &'a [T; N]) -> Table<'a, T, N> {
        Table { entries }
    }
}

impl<'a, T: Primitive, const N: usize> From<&'a [T; N]> for Table<'a, T, N> {
    fn from(entries: &'a [T; N]) -> Table<'a, T, N> {
        Table { entries }
    }
}

macro_rules! index {
    ($($ty:ident)*) => {$(
        impl<T: Primitive, const N: usize> Index<$ty> for Table<'_, T, N> {
            type Output = T;

            fn index(&self, index: $ty) -> &T {
                match usize::try_from(index) {
                    Ok(index) => &self.entries[index],
                    Err(_) => panic!("index {index} of a table of {N} entries"),
                }
            }
        }
    )*};
}

index! { u8 i8 u16 i16 u32 i32 usize }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_centred() {
        let pixels: Vec<u8> = (0..25).collect();
        let src = Neighbourhood::new(View::from_slice(&pixels, [5, 5]).unwrap(), Border::Wrap, 2, 2);
        assert_eq!(src.window::<3, 3>(), [[6, 7, 8], [11, 12, 13], [16, 17, 18]]);
        assert_eq!(src.window::<2, 1>(), [[11, 12]]);
    }

    #[test]
    fn outside_is_what_the_border_says() {
        let pixels = [[1u8, 2], [3, 4]];
        let image = View::from_slice(&pixels, [1, 2]).unwrap();
        let at = |border| Neighbourhood::new(image, border, 0, 0).at(-2, 0);
        assert_eq!(at(Border::Constant(Scalar::U8(9))), [9, 9]);
        assert_eq!(at(Border::Replicate), [1, 2]);
        assert_eq!(at(Border::Reflect), [3, 4]);
        assert_eq!(at(Border::Undefined), [0, 0]);
    }

    #[test]
    fn tables_take_every_integer() {
        let table = Table::new(&[10i16, 20, 30]);
        assert_eq!(
            [table[1u8], table[1i8], table[1u16], table[1i16], table[1u32], table[1i32], table[1usize]],
            [20; 7]
        );
    }
}
