//! Uniforms as words: what `configure` stores and bodies read.

use crate::element::Primitive;

pub use crate::limits::MAX_WORDS;

/// A value that is the same for a whole run: a scalar, or an array of them, nested as deep as the author likes.
pub trait Uniform: Copy + 'static {
    /// The number of its words.
    const WORDS: usize;

    /// Writes its words, first to last, rows first; words that `words` has no room for are left out.
    fn to_words(self, words: &mut [u32]);

    /// Returns the value of these words; missing ones are 0.
    fn from_words(words: &[u32]) -> Self;
}

impl<T: Uniform, const N: usize> Uniform for [T; N] {
    const WORDS: usize = N * T::WORDS;

    fn to_words(self, words: &mut [u32]) {
        self.into_iter().zip(words.chunks_mut(T::WORDS.max(1))).for_each(|(value, words)| value.to_words(words));
    }

    fn from_words(words: &[u32]) -> Self {
        core::array::from_fn(|index| T::from_words(words.get(index * T::WORDS..).unwrap_or(&[])))
    }
}

macro_rules! scalars {
    ($($ty:ident)*) => {$(
        impl Uniform for $ty {
            const WORDS: usize = 1;

            fn to_words(self, words: &mut [u32]) {
                if let Some(word) = words.first_mut() {
                    *word = Primitive::to_word(self);
                }
            }

            fn from_words(words: &[u32]) -> Self {
                Primitive::from_word(words.first().copied().unwrap_or(0))
            }
        }
    )*};
}

scalars! { u8 i8 u16 i16 u32 i32 f32 }

/// An index. What does not fit a word becomes the greatest, which no declared bounds of a `usize` hold.
impl Uniform for usize {
    const WORDS: usize = 1;

    fn to_words(self, words: &mut [u32]) {
        u32::try_from(self).unwrap_or(u32::MAX).to_words(words);
    }

    fn from_words(words: &[u32]) -> Self {
        u32::from_words(words) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_arrays_are_rows_first() {
        let value = [[-1i16, 2, 3], [4, 5, 6]];
        let mut words = [0; 6];
        value.to_words(&mut words);
        assert_eq!(words, [u32::MAX, 2, 3, 4, 5, 6]);
        assert_eq!(<[[i16; 3]; 2]>::from_words(&words), value);
        assert_eq!(<[[i16; 3]; 2]>::WORDS, 6);
    }

    #[test]
    fn an_index_that_fits_no_word_is_the_greatest() {
        let mut words = [0; 1];
        (1usize << 40).to_words(&mut words);
        assert_eq!(words, [u32::MAX]);
        assert_eq!(usize::from_words(&[7]), 7);
    }
}
