//! The five laws of splitting, on windows of every kind.

use proptest::prelude::*;
use windrow_runtime::{Dimension, InvalidWindow, Window};

fn dimension() -> impl Strategy<Value = Dimension> {
    (0usize..50, 0usize..40, 1usize..20)
        .prop_map(|(start, iterations, step)| Dimension::new(start, start + iterations * step, step).unwrap())
}

fn window() -> impl Strategy<Value = Window> {
    prop::collection::vec(dimension(), 1..=6).prop_map(|dimensions| Window::new(&dimensions).unwrap())
}

/// The coordinates of a dimension's iterations.
fn coordinates(dimension: Dimension) -> Vec<usize> {
    (dimension.start()..dimension.end()).step_by(dimension.step()).collect()
}

proptest! {
    #[test]
    fn every_part_keeps_the_five_laws(window in window(), split in 0usize..6, parts in 1usize..60) {
        let whole = window.dimension(split);
        for index in 0..parts {
            let Ok(part) = window.split(split, index, parts) else {
                prop_assert!(parts > whole.iterations(), "a part is missing");
                continue;
            };
            for d in 0..6 {
                let (whole, part) = (window.dimension(d), part.dimension(d));
                if d != split {
                    prop_assert_eq!(whole, part);
                    continue;
                }
                prop_assert!(whole.start() <= part.start() && part.start() < whole.end());
                prop_assert!(part.start() < part.end() && part.end() <= whole.end());
                prop_assert_eq!(whole.step(), part.step());
                prop_assert_eq!((part.start() - whole.start()) % whole.step(), 0);
                prop_assert_eq!((part.end() - part.start()) % whole.step(), 0);
            }
        }
    }

    #[test]
    fn parts_tile_the_window_and_are_balanced(window in window(), split in 0usize..6, wanted in 1usize..60) {
        let parts: Vec<Window> = window.parts(split, wanted).collect();
        let tiled: Vec<usize> = parts.iter().flat_map(|part| coordinates(part.dimension(split))).collect();
        prop_assert_eq!(tiled, coordinates(window.dimension(split)));
        prop_assert_eq!(parts.len(), wanted.min(window.iterations(split)));
        let sizes: Vec<usize> = parts.iter().map(|part| part.iterations(split)).collect();
        if let (Some(least), Some(most)) = (sizes.iter().min(), sizes.iter().max()) {
            prop_assert!(*least > 0 && most - least <= 1, "{:?}", sizes);
        }
    }

    #[test]
    fn parts_of_parts_are_parts(window in window(), split in 0usize..6, parts in 1usize..8, inner in 1usize..8) {
        prop_assume!(!window.is_empty());
        for part in window.parts(split, parts) {
            for part in part.parts((split + 1) % 6, inner) {
                prop_assert_eq!(window.check_part(&part), Ok(()));
            }
        }
    }

    #[test]
    fn check_part_is_the_five_laws(whole in dimension(), part in dimension()) {
        let (window, sub) = (Window::new(&[whole]).unwrap(), Window::new(&[part]).unwrap());
        let laws = whole.start() <= part.start()
            && part.start() < whole.end()
            && part.start() < part.end()
            && part.end() <= whole.end()
            && part.step() == whole.step()
            && (part.start() - whole.start()).is_multiple_of(whole.step());
        prop_assert_eq!(window.check_part(&sub).is_ok(), laws);
    }

    #[test]
    fn a_covering_window_holds_the_region_and_less_than_a_step_more(
        start in 0usize..100,
        extent in 0usize..100,
        step in 0u32..40,
    ) {
        let window = Window::covering([start; 6], [start + extent; 6], (step, 1));
        let x = window.dimension(0);
        prop_assert_eq!(x.start(), start);
        prop_assert!(x.end() >= start + extent && x.end() < start + extent + x.step());
        prop_assert_eq!(window.dimension(1).end(), start + extent);
    }
}

#[test]
fn windows_that_cannot_be_walked_are_refused() {
    for (start, end, step) in [(0, 4, 0), (4, 0, 1), (0, 5, 2), (0, usize::MAX, 1)] {
        assert_eq!(Dimension::new(start, end, step), Err(InvalidWindow::Dimension { start, end, step }));
    }
    let whole = Dimension::new(0, 1, 1).unwrap();
    assert_eq!(Window::new(&[whole; 7]), Err(InvalidWindow::TooManyDimensions { found: 7 }));
}

#[test]
fn parts_that_do_not_exist_are_refused() {
    let window = Window::new(&[Dimension::new(0, 6, 2).unwrap()]).unwrap();
    for (dimension, index, parts) in [(0, 3, 3), (0, 0, 4), (0, 0, 0), (1, 0, 2), (6, 0, 1), (usize::MAX, 0, 1)] {
        assert!(window.split(dimension, index, parts).is_err(), "{dimension} {index} {parts}");
    }
    assert!(window.split(0, 2, 3).is_ok());
    assert_eq!(window.parts(0, 0).len(), 1);
}
