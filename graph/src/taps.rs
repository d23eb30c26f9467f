//! The elements that each element of a resized dimension is made of, and their weights, as ONNX defines them.

use std::sync::Arc;

use crate::{
    operator::{Interpolation, Mapping, Resizing, Rounding},
    shape::Resized,
};

/// Elements of the input, as many for each element of the result.
#[derive(Debug, PartialEq)]
pub(crate) struct Taps {
    pub places: Arc<[i32]>,
    /// One for each place, or none where elements are taken as they are.
    pub weights: Arc<[f32]>,
    /// How many there are for each element of the result.
    pub each: usize,
}

/// How a dimension of one extent becomes one of another.
pub(crate) struct Dimension<'r> {
    pub resizing: &'r Resizing,
    pub extent: usize,
    pub resized: Resized,
}

impl Dimension<'_> {
    /// How many elements of the input there are for each element of the result.
    pub fn each(&self) -> usize {
        match self.reach() {
            None => 1,
            // Of a number that is a float's, and no greater than an extent.
            Some(reach) => 2 * ((reach / self.stretch()).ceil() as usize),
        }
    }

    /// The elements and their weights.
    pub fn taps(&self) -> Taps {
        let each = self.each();
        let count = self.resized.extent * each;
        let (mut places, mut weights) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for at in 0..self.resized.extent {
            let place = self.place(at as f32);
            match self.resizing.interpolation {
                Interpolation::Nearest(rounding) => places.push(self.inside(self.nearest(place, rounding))),
                Interpolation::Linear => self.around(place, linear, (&mut places, &mut weights)),
                Interpolation::Cubic { slope } => {
                    self.around(place, |distance| cubic(distance, slope), (&mut places, &mut weights));
                }
            }
        }
        Taps { places: places.into(), weights: weights.into(), each }
    }

    /// Whether an element of the result lies outside the input, of which a region is taken.
    pub fn is_outside(&self, at: usize) -> bool {
        self.resized.region.is_some() && !(0.0..=self.extent as f32 - 1.0).contains(&self.place(at as f32))
    }

    /// Where an element of the result lies in the input.
    fn place(&self, at: f32) -> f32 {
        let Resized { extent, scale, region } = self.resized;
        let (from, to) = (self.extent as f32, extent as f32);
        if let Some([start, end]) = region {
            let share = if extent == 1 { 0.5 } else { at / (to - 1.0) };
            return (start + (end - start) * share) * (from - 1.0);
        }
        match self.resizing.mapping {
            Mapping::PytorchHalfPixel | Mapping::AlignCorners if extent == 1 => 0.0,
            Mapping::HalfPixel | Mapping::PytorchHalfPixel => (at + 0.5) / scale - 0.5,
            Mapping::HalfPixelSymmetric => {
                let middle = from / 2.0 * (1.0 - to / (scale * from));
                middle + (at + 0.5) / scale - 0.5
            }
            Mapping::AlignCorners => at * (from - 1.0) / (to - 1.0),
            Mapping::Asymmetric => at / scale,
        }
    }

    fn inside(&self, place: f32) -> i32 {
        place.clamp(0.0, self.extent as f32 - 1.0) as i32
    }

    fn nearest(&self, place: f32, rounding: Rounding) -> f32 {
        match rounding {
            Rounding::PreferFloor => (place - 0.5).ceil(),
            Rounding::PreferCeil => (place + 0.5).floor(),
            Rounding::Floor => place.floor(),
            Rounding::Ceil => place.ceil(),
            Rounding::Outwards if self.resized.scale < 1.0 => place.ceil(),
            Rounding::Outwards => place.floor(),
        }
    }

    /// How far elements count, at the scale of the result.
    fn reach(&self) -> Option<f32> {
        match self.resizing.interpolation {
            Interpolation::Nearest(_) => None,
            Interpolation::Linear => Some(1.0),
            Interpolation::Cubic { .. } => Some(2.0),
        }
    }

    /// What distances are multiplied by: where an image that becomes smaller is smoothed, elements further away count too.
    fn stretch(&self) -> f32 {
        if self.resizing.antialiases { self.resized.scale.min(1.0) } else { 1.0 }
    }

    /// The elements around a place, weighed by a function of their distance. Together they weigh 1.
    fn around(&self, place: f32, weight: impl Fn(f32) -> f32, (places, weights): (&mut Vec<i32>, &mut Vec<f32>)) {
        let (first, own) = (place.floor() - (self.each() / 2 - 1) as f32, weights.len());
        for tap in 0..self.each() {
            let at = first + tap as f32;
            let is_left_out = self.resizing.excludes_outside && !(0.0..self.extent as f32).contains(&at);
            weights.push(if is_left_out { 0.0 } else { weight(((at - place) * self.stretch()).abs()) });
            places.push(self.inside(at));
        }
        let sum: f32 = weights[own..].iter().sum();
        let is_partial = self.resizing.excludes_outside || self.resizing.antialiases;
        if is_partial && sum != 0.0 {
            weights[own..].iter_mut().for_each(|weight| *weight /= sum);
        }
    }
}

fn linear(distance: f32) -> f32 {
    (1.0 - distance).max(0.0)
}

/// Keys' function with a slope at a distance of 1.
fn cubic(x: f32, slope: f32) -> f32 {
    if x <= 1.0 {
        ((slope + 2.0) * x - (slope + 3.0)) * x * x + 1.0
    } else if x < 2.0 {
        ((slope * x - 5.0 * slope) * x + 8.0 * slope) * x - 4.0 * slope
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::Extents;

    fn taps(extent: usize, to: usize, mapping: Mapping, interpolation: Interpolation, antialiases: bool) -> Taps {
        let extents = Extents::Scaled(vec![to as f32 / extent as f32]);
        let resizing = Resizing {
            axes: None,
            extents,
            mapping,
            interpolation,
            antialiases,
            excludes_outside: false,
            region: None,
        };
        let resized = Resized { extent: to, scale: to as f32 / extent as f32, region: None };
        Dimension { resizing: &resizing, extent, resized }.taps()
    }

    #[test]
    fn the_nearest_of_two_is_the_one_that_is_asked_for() {
        let of = |rounding| taps(2, 4, Mapping::Asymmetric, Interpolation::Nearest(rounding), false).places;
        assert_eq!(of(Rounding::Floor)[..], [0, 0, 1, 1]);
        assert_eq!(of(Rounding::PreferFloor)[..], [0, 0, 1, 1]);
        assert_eq!(of(Rounding::PreferCeil)[..], [0, 1, 1, 1]);
        assert_eq!(of(Rounding::Ceil)[..], [0, 1, 1, 1]);
    }

    #[test]
    fn what_lies_outside_is_the_nearest_inside() {
        let found = taps(2, 4, Mapping::HalfPixel, Interpolation::Linear, false);
        assert_eq!(found.places[..], [0, 0, 0, 1, 0, 1, 1, 1]);
        assert_eq!(found.weights[..], [0.25, 0.75, 0.75, 0.25, 0.25, 0.75, 0.75, 0.25]);
        assert_eq!(taps(4, 1, Mapping::AlignCorners, Interpolation::Linear, false).places[..], [0, 1]);
    }

    #[test]
    fn what_becomes_smaller_is_smoothed() {
        let found = taps(8, 4, Mapping::HalfPixel, Interpolation::Linear, true);
        assert_eq!((found.each, &found.weights[4..8]), (4, &[0.125, 0.375, 0.375, 0.125][..]));
    }
}
