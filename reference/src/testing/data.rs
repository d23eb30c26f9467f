//! The pictures that kernels are tested on.

use super::{numbers::Numbers, random::Random};

/// A kind of picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Data {
    /// Values as images hold them.
    Random,
    /// Any bit pattern: floats of every exponent, NaNs too.
    Bits,
    /// The values at which arithmetic changes its mind.
    Extremes,
    /// Values that grow along rows and columns, so that a shifted result differs everywhere.
    Ramp,
    /// The greatest value in a field of zeros, so that a wrong tap is seen alone.
    Impulse,
    /// The first input counts along rows, the second along columns: with 8 bits, in 256×256, all pairs. Floats count
    /// through their extremes, a digit an input: with `n` of them, in n×nⁱ⁻¹, every tuple for `i` inputs.
    Pairs,
    /// Every value in turn: with 16 bits, in 256×256, all of them.
    All,
}

/// Where a value stands.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Which input of the kernel.
    pub input: usize,
    /// Its coordinates: x, y, plane.
    pub at: [usize; 3],
    /// Its channel.
    pub channel: usize,
    /// Extents of the input: width, height, planes.
    pub extents: [usize; 3],
}

impl Data {
    /// The kinds that every shape may be filled with (pairs and all values need a shape of their own).
    pub const ALL: [Self; 5] = [Self::Random, Self::Bits, Self::Extremes, Self::Ramp, Self::Impulse];

    /// All kinds.
    pub const EVERY: [Self; 7] =
        [Self::Random, Self::Bits, Self::Extremes, Self::Ramp, Self::Impulse, Self::Pairs, Self::All];

    /// The name in a case's id.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Bits => "bits",
            Self::Extremes => "extremes",
            Self::Ramp => "ramp",
            Self::Impulse => "impulse",
            Self::Pairs => "pairs",
            Self::All => "all",
        }
    }

    /// The word at `place`; `extremes` are those of `numbers`.
    pub fn word(self, numbers: Numbers, extremes: &[u32], place: Place, random: &mut Random) -> u32 {
        match self {
            Self::Random => numbers.everyday(random),
            Self::Bits => numbers.any(random),
            Self::Extremes => random.pick(extremes).copied().unwrap_or(0),
            Self::Ramp => numbers.of_integer(ramp(place)),
            Self::Impulse if is_impulse(place) => numbers.greatest(),
            Self::Impulse => numbers.of_integer(0),
            Self::Pairs if numbers == Numbers::Float => tuple(extremes, place),
            Self::Pairs => numbers.of_integer(place.at[place.input % 2] as i64),
            Self::All => numbers.of_integer((place.at[0] + place.extents[0] * place.at[1]) as i64),
        }
    }
}

/// The digit of this input in the number of the element, to the base of the number of extremes.
fn tuple(extremes: &[u32], place: Place) -> u32 {
    let number = place.at[0] + place.extents[0] * place.at[1];
    let digit = (0..place.input).fold(number, |number, _| number / extremes.len().max(1)) % extremes.len().max(1);
    extremes.get(digit).copied().unwrap_or(0)
}

fn ramp(place: Place) -> i64 {
    let [x, y, plane] = place.at.map(|coordinate| coordinate as i64);
    7 * x + 31 * y + 101 * plane + 13 * place.channel as i64 + 57 * place.input as i64
}

/// One element a plane: near the middle, elsewhere in each plane and input.
fn is_impulse(place: Place) -> bool {
    let shift = place.at[2] + place.input;
    (0..2).all(|axis| place.at[axis] == (place.extents[axis] / 2 + shift) % place.extents[axis].max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(data: Data, numbers: Numbers, input: usize, extents: [usize; 2]) -> Vec<u32> {
        let mut random = Random::new(9);
        let extremes = numbers.extremes();
        let place = |x, y| Place { input, at: [x, y, 0], channel: 0, extents: [extents[0], extents[1], 1] };
        let rows = (0..extents[1]).flat_map(|y| (0..extents[0]).map(move |x| (x, y)));
        rows.map(|(x, y)| data.word(numbers, &extremes, place(x, y), &mut random)).collect()
    }

    #[test]
    fn two_inputs_of_pairs_meet_in_every_pair() {
        let [a, b] = [0, 1].map(|input| picture(Data::Pairs, Numbers::Unsigned(8), input, [256, 256]));
        let mut seen = vec![false; 1 << 16];
        a.iter().zip(&b).for_each(|(a, b)| seen[(a << 8 | b) as usize] = true);
        assert!(seen.iter().all(|seen| *seen));
    }

    #[test]
    fn inputs_of_floats_meet_in_every_tuple_of_extremes() {
        let count = Numbers::Float.extremes().len();
        let inputs = [0, 1].map(|input| picture(Data::Pairs, Numbers::Float, input, [count, count]));
        let pairs: std::collections::BTreeSet<_> = inputs[0].iter().zip(&inputs[1]).collect();
        assert_eq!(pairs.len(), count * count);
    }

    #[test]
    fn impulse_is_one_element() {
        for extents in [[1, 1], [5, 3], [2, 9]] {
            let greatest = picture(Data::Impulse, Numbers::Signed(16), 1, extents);
            assert_eq!(greatest.iter().filter(|word| **word == 32767).count(), 1, "{extents:?}");
        }
    }

    #[test]
    fn ramps_differ_between_neighbours() {
        let ramp = picture(Data::Ramp, Numbers::Unsigned(8), 0, [4, 2]);
        assert!(ramp[0] != ramp[1] && ramp[0] != ramp[4] && ramp[1] != ramp[4]);
    }
}
