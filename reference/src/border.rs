//! What lies outside an image: the border modes and their index maps.
//!
//! The runtime maps rows and columns with [`BorderMode::map`], the emitted OpenCL C computes the same maps, and the
//! tests compare both with the pictures below.

use crate::policy::UnknownName;

/// How reads outside the image are defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BorderMode {
    /// They are not: elements that need them are not computed.
    Undefined,
    /// A constant value: `kkk|abcd|kkk`.
    Constant,
    /// The nearest edge element: `aaa|abcd|ddd`.
    Replicate,
    /// Mirrored, the edge repeated: `cba|abcd|dcb`.
    Reflect,
    /// Mirrored, the edge once: `dcb|abcd|cba`.
    Reflect101,
    /// From the opposite side: `bcd|abcd|abc`.
    Wrap,
}

impl BorderMode {
    /// Every mode, in the order of the OpenCL argument `border`.
    pub const ALL: [BorderMode; 6] = [
        BorderMode::Undefined,
        BorderMode::Constant,
        BorderMode::Replicate,
        BorderMode::Reflect,
        BorderMode::Reflect101,
        BorderMode::Wrap,
    ];

    /// Returns the name as an author writes it in `border(..)`.
    pub const fn name(self) -> &'static str {
        match self {
            BorderMode::Undefined => "undefined",
            BorderMode::Constant => "constant",
            BorderMode::Replicate => "replicate",
            BorderMode::Reflect => "reflect",
            BorderMode::Reflect101 => "reflect101",
            BorderMode::Wrap => "wrap",
        }
    }

    /// Returns the index inside `0..len` that stands for `index`, however far outside it lies.
    ///
    /// `None` where no element stands for it: outside under `Undefined` and `Constant`, and always when `len` is 0.
    ///
    /// ```
    /// use windrow::BorderMode;
    ///
    /// assert_eq!(BorderMode::Reflect101.map(-2, 4), Some(2));
    /// assert_eq!(BorderMode::Constant.map(-2, 4), None);
    /// assert_eq!(BorderMode::Constant.map(3, 4), Some(3));
    /// ```
    #[inline]
    pub fn map(self, index: isize, len: usize) -> Option<usize> {
        if index >= 0 && (index as usize) < len { Some(index as usize) } else { self.map_outside(index, len) }
    }

    fn map_outside(self, index: isize, len: usize) -> Option<usize> {
        if len == 0 {
            return None;
        }
        match self {
            BorderMode::Undefined | BorderMode::Constant => None,
            BorderMode::Replicate => Some(if index < 0 { 0 } else { len - 1 }),
            BorderMode::Reflect => Some(fold(index, len, 2 * len as i128, 1)),
            BorderMode::Reflect101 if len == 1 => Some(0),
            BorderMode::Reflect101 => Some(fold(index, len, 2 * (len as i128 - 1), 0)),
            BorderMode::Wrap => Some(wrapped(index, len)),
        }
    }
}

impl core::fmt::Display for BorderMode {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

impl core::str::FromStr for BorderMode {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<BorderMode, UnknownName> {
        BorderMode::ALL.into_iter().find(|mode| mode.name() == name).ok_or(UnknownName::new("border mode"))
    }
}

/// Walks to and fro over `0..len`; the way there and back has `period` steps, and the edge is met `edge + 1` times.
///
/// ```text
/// edge 1, len 3, period 6:  0 1 2 2 1 0 0 1 2 …
/// edge 0, len 3, period 4:  0 1 2 1 0 1 2 1 0 …
/// ```
fn fold(index: isize, len: usize, period: i128, edge: i128) -> usize {
    // Near the image, as nearly all reads are, one reflection is enough.
    let mirrored = if index < 0 { 0 } else { period } - edge - index as i128;
    if (0..len as i128).contains(&mirrored) {
        return mirrored as usize;
    }
    let phase = (index as i128).rem_euclid(period);
    if phase < len as i128 { phase as usize } else { (period - edge - phase) as usize }
}

/// `index` modulo `len`.
fn wrapped(index: isize, len: usize) -> usize {
    let moved = index as i128 + if index < 0 { len as i128 } else { -(len as i128) };
    if (0..len as i128).contains(&moved) { moved as usize } else { (index as i128).rem_euclid(len as i128) as usize }
}

#[cfg(test)]
mod tests {
    use super::BorderMode::{self, *};

    fn check(mode: BorderMode, image: &str, expect: &str) {
        let elements: Vec<char> = image.chars().collect();
        let outside = (expect.len() - image.len()) as isize / 2;
        let found: String = (-outside..image.len() as isize + outside)
            .map(|index| mode.map(index, image.len()).map_or('k', |at| elements[at]))
            .collect();
        assert_eq!(found, expect, "{mode} of {image}");
    }

    #[test]
    fn maps_draw_their_pictures() {
        check(Constant, "abcd", "kkkabcdkkk");
        check(Undefined, "abcd", "kkkabcdkkk");
        check(Replicate, "abcd", "aaaabcdddd");
        check(Reflect, "abcd", "cbaabcddcb");
        check(Reflect101, "abcd", "dcbabcdcba");
        check(Wrap, "abcd", "bcdabcdabc");
    }

    #[test]
    fn windows_larger_than_the_image_reflect_again() {
        check(Reflect, "ab", "abbaabbaab");
        check(Reflect, "a", "aaaaaaa");
        check(Reflect101, "abc", "babcbabcbabcb");
        check(Reflect101, "ab", "babababa");
        check(Reflect101, "a", "aaaaaaa");
        check(Wrap, "ab", "babababa");
        check(Wrap, "a", "aaaaaaa");
        check(Replicate, "a", "aaaaaaa");
    }

    /// From index 0 on, each map repeats a period that can be written down.
    #[test]
    fn maps_repeat_their_period() {
        for len in 1..=9usize {
            let there = 0..len;
            let periods: [(BorderMode, Vec<usize>); 3] = [
                (Wrap, there.clone().collect()),
                (Reflect, there.clone().chain(there.clone().rev()).collect()),
                (Reflect101, there.clone().chain((1..len.max(2) - 1).rev()).collect()),
            ];
            for (mode, period) in periods {
                for (index, expect) in period.iter().cycle().take(8 * len).enumerate() {
                    assert_eq!(mode.map(index as isize, len), Some(*expect), "{mode} {index} of {len}");
                }
            }
        }
    }

    #[test]
    fn maps_are_symmetric_and_periodic() {
        for len in 1..=9usize {
            let n = len as isize;
            for index in -60..=60 {
                assert_eq!(Reflect.map(index, len), Reflect.map(-1 - index, len));
                assert_eq!(Reflect.map(index, len), Reflect.map(index + 2 * n, len));
                assert_eq!(Reflect101.map(index, len), Reflect101.map(-index, len));
                assert_eq!(Reflect101.map(index, len), Reflect101.map(index + 2 * (n - 1), len));
                assert_eq!(Wrap.map(index, len), Wrap.map(index + n, len));
                for mode in BorderMode::ALL {
                    assert!(mode.map(index, len).is_none_or(|at| at < len));
                }
            }
        }
    }

    #[test]
    fn extreme_indices_and_lengths_have_an_answer() {
        for index in [isize::MIN, isize::MIN + 1, isize::MAX - 1, isize::MAX] {
            for len in [1, 2, 3, 1 << 30, isize::MAX as usize, usize::MAX] {
                for mode in [Replicate, Reflect, Reflect101, Wrap] {
                    assert!(mode.map(index, len).is_some_and(|at| at < len));
                }
            }
            for mode in BorderMode::ALL {
                assert_eq!(mode.map(index, 0), None);
            }
        }
    }
}
