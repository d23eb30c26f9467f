//! Pieces of detectors, by the words of their definitions.

use windrow::{Border, Tensor};
use windrow_operators::*;

use crate::{Random, SIZE, bytes, hold, replicated};

/// The greatest t for which 9 in a row on the circle differ by more than t to one side, by trying them all.
#[test]
fn fast_scores() {
    const CIRCLE: [(i64, i64); 16] = [
        (0, -3),
        (1, -3),
        (2, -2),
        (3, -1),
        (3, 0),
        (3, 1),
        (2, 2),
        (1, 3),
        (0, 3),
        (-1, 3),
        (-2, 2),
        (-3, 1),
        (-3, 0),
        (-3, -1),
        (-2, -2),
        (-1, -3),
    ];
    let mut random = Random::new(1);
    // Blobs, so that there are corners.
    let blobs: Vec<(i64, i64, u8)> =
        (0..40).map(|_| (random.of(0, 44), random.of(0, 18), random.next() as u8)).collect();
    let src = Tensor::from_fn(SIZE, |[y, x]| {
        let near = blobs.iter().find(|(bx, by, _)| (bx - x as i64).abs() < 3 && (by - y as i64).abs() < 3);
        near.map_or(128, |(_, _, value)| *value)
    })
    .unwrap();
    let is_corner = |x: i64, y: i64, t: i64| {
        let own = i64::from(replicated(&src, x, y));
        let difference = |i: usize| i64::from(replicated(&src, x + CIRCLE[i % 16].0, y + CIRCLE[i % 16].1)) - own;
        (0..16).any(|start| {
            (start..start + 9).all(|i| difference(i) > t) || (start..start + 9).all(|i| difference(i) < -t)
        })
    };
    let mut corners = 0;
    for threshold in [1i16, 10, 60] {
        let found = fast_score::apply(&src, threshold, Border::Replicate).unwrap();
        corners += found.to_vec().iter().filter(|score| **score > 0).count();
        hold("fast_score", &found, |x, y| {
            (i64::from(threshold)..255).rev().find(|t| is_corner(x, y, *t)).unwrap_or(0) as u8
        });
    }
    assert!(corners > 20, "{corners} corners");
}

#[test]
fn harris_scores() {
    let mut random = Random::new(2);
    let mut gradient = || Tensor::from_fn(SIZE, |_| random.of(-1020, 1020) as i16).unwrap();
    let (gx, gy) = (gradient(), gradient());
    macro_rules! sizes {
        ($($kernel:ident $size:literal)*) => {$(
            let scale = 1.0 / (4.0 * 255.0 * $size as f32);
            let found = $kernel::apply(&gx, &gy, scale, 0.04, 0.0, Border::Replicate).unwrap();
            let exact = |x: i64, y: i64| {
                let (mut xx, mut xy, mut yy) = (0.0f64, 0.0, 0.0);
                for j in -$size / 2..=$size / 2 {
                    for i in -$size / 2..=$size / 2 {
                        let normal = |image| f64::from(replicated::<i16>(image, x + i, y + j)) * f64::from(scale);
                        let (dx, dy) = (normal(&gx), normal(&gy));
                        (xx, xy, yy) = (xx + dx * dx, xy + dx * dy, yy + dy * dy);
                    }
                }
                xx * yy - xy * xy - 0.04 * (xx + yy) * (xx + yy)
            };
            for y in 0..SIZE[0] as i64 {
                for x in 0..SIZE[1] as i64 {
                    let (found, exact) = (f64::from(replicated(&found, x, y)), exact(x, y).max(0.0));
                    assert!(approx::relative_eq!(found, exact, max_relative = 1e-4, epsilon = 1e-6), "{found} instead of {exact}");
                }
            }
        )*};
    }
    sizes! { harris_score3 3i64 harris_score5 5i64 }
}

#[test]
fn only_the_greatest_of_nine_is_kept() {
    let mut random = Random::new(3);
    // Few values, so that many are equal.
    let src = Tensor::from_fn(SIZE, |_| random.of(0, 5) as u8).unwrap();
    let is_kept = |x: i64, y: i64| {
        let own = replicated(&src, x, y);
        let others = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))).filter(|at| *at != (0, 0));
        let mut others = others.map(|(dx, dy)| ((dy, dx) > (0, 0), replicated(&src, x + dx, y + dy)));
        others.all(|(is_later, other)| if is_later { own > other } else { own >= other })
    };
    let found = suppress3x3::<u8>::apply(&src, Border::Replicate).unwrap();
    hold("suppress3x3", &found, |x, y| if is_kept(x, y) { replicated(&src, x, y) } else { 0 });
    assert!(found.to_vec().iter().any(|kept| *kept > 0));
}

/// Directions by the angle itself.
#[test]
fn thin_edges_are_greatest_across() {
    let src = bytes(4);
    let (gx, gy) = sobel3x3::apply(&src, Border::Replicate).unwrap();
    let size = magnitude_l1::apply(&gx, &gy).unwrap();
    let (lower, upper) = (200, 500);
    let found = thin_edges::apply(&size, &gx, &gy, lower, upper, Border::Replicate).unwrap();
    let at = |image: &Tensor<i16>, x, y| i64::from(replicated(image, x, y));
    hold("thin_edges", &found, |x, y| {
        let angle = (at(&gy, x, y) as f64).atan2(at(&gx, x, y) as f64).to_degrees().rem_euclid(180.0);
        let (dx, dy) = match angle {
            a if a <= 22.5 || a >= 157.5 => (1, 0),
            a if a < 67.5 => (1, 1),
            a if a <= 112.5 => (0, 1),
            _ => (-1, 1),
        };
        let (own, before, behind) = (at(&size, x, y), at(&size, x - dx, y - dy), at(&size, x + dx, y + dy));
        match own > before && own >= behind {
            true if own > i64::from(upper) => 255,
            true if own > i64::from(lower) => 127,
            _ => 0,
        }
    });
    assert!([0, 127, 255].iter().all(|kind| found.to_vec().contains(kind)));
}
