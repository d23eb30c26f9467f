//! The five laws of splitting, on windows of every kind.

use proptest::prelude::*;
use windrow_runtime::{Dimension, InvalidWindow, Rect, Shape, TensorInfo, ValidRegion, Window, walk};

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
    fn parts_of_a_2d_split_tile_both_dimensions(window in window(), first in 0usize..6, second in 0usize..6, wanted in (1usize..9, 1usize..9)) {
        prop_assume!(first != second && !window.is_empty());
        let parts: Vec<Window> = window.parts_2d((first, second), wanted).collect();
        prop_assert_eq!(parts.len(), wanted.0.min(window.iterations(first)) * wanted.1.min(window.iterations(second)));
        let mut tiled = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            prop_assert_eq!(window.check_part(part), Ok(()));
            let along = (wanted.0.min(window.iterations(first)), wanted.1.min(window.iterations(second)));
            prop_assert_eq!(window.split_2d((first, second), index, along), Ok(*part));
            for x in coordinates(part.dimension(first)) {
                tiled.extend(coordinates(part.dimension(second)).iter().map(|y| (x, *y)));
            }
        }
        tiled.sort_unstable();
        let all = coordinates(window.dimension(first)).into_iter();
        let all: Vec<_> = all.flat_map(|x| coordinates(window.dimension(second)).into_iter().map(move |y| (x, y))).collect();
        prop_assert_eq!(tiled, all);
    }

    #[test]
    fn slices_are_parts_and_tile_the_window(window in window(), from in 0usize..6) {
        prop_assume!((from..6).map(|d| window.iterations(d)).product::<usize>() < 3000);
        let slices: Vec<Window> = window.slices(from).collect();
        prop_assert_eq!(slices.len(), window.slices(from).len());
        let iterations: usize = (from..6).map(|d| window.iterations(d)).product();
        prop_assert_eq!(slices.len(), if window.is_empty() { 0 } else { iterations });
        let mut starts: Vec<_> = slices.iter().map(|slice| (from..6).map(|d| slice.dimension(d).start()).collect::<Vec<_>>()).collect();
        for slice in &slices {
            prop_assert_eq!(window.check_part(slice), Ok(()));
            prop_assert!((from..6).all(|d| slice.iterations(d) == 1));
        }
        starts.dedup();
        prop_assert_eq!(starts.len(), slices.len());
    }

    #[test]
    fn a_collapsed_window_has_the_steps_of_all_its_dimensions(extents in any::<[u8; 6]>(), first in 0usize..6, last in 0usize..6) {
        let end = extents.map(|extent| usize::from(extent % 7));
        let whole = Window::covering([0; 6], end, (1, 1));
        if first > last {
            prop_assert!(whole.collapse(&whole, first, last).is_err());
            return Ok(());
        }
        let collapsed = whole.collapse(&whole, first, last).unwrap();
        prop_assert_eq!(collapsed.iterations(first), (first..=last).map(|d| whole.iterations(d)).product::<usize>());
        prop_assert!((first + 1..=last).all(|d| collapsed.dimension(d) == Dimension::new(0, 1, 1).unwrap()));
        prop_assert!((0..6).filter(|d| !(first..=last).contains(d)).all(|d| collapsed.dimension(d) == whole.dimension(d)));
    }

    #[test]
    fn shifts_go_there_and_back(window in window(), dimension in 0usize..6, by in -60isize..60) {
        match window.shift(dimension, by) {
            Ok(moved) => {
                prop_assert_eq!(moved.shift(dimension, -by), Ok(window));
                prop_assert_eq!(moved.iterations(dimension), window.iterations(dimension));
            }
            Err(_) => prop_assert!((window.dimension(dimension).start() as isize) < -by),
        }
    }

    #[test]
    fn a_scaled_window_holds_what_the_window_holds(window in window(), dimension in 0usize..6, n in 0u32..9, d in 1u32..9) {
        let (old, new) = (window.dimension(dimension), window.scale(dimension, n, d).unwrap().dimension(dimension));
        let (n, d) = (n as usize, d as usize);
        prop_assert_eq!((new.step(), new.start()), (old.step(), old.start() * n / d));
        // No step more than are needed.
        let needed = |end: usize| end * d < old.end() * n;
        prop_assert!(!needed(new.end()) && (new.start() == new.end() || needed(new.end() - new.step())));
    }

    #[test]
    fn another_step_covers_the_window(window in window(), dimension in 0usize..6, step in 1usize..30) {
        let (old, new) = (window.dimension(dimension), window.with_step(dimension, step).unwrap().dimension(dimension));
        prop_assert!(new.start() == old.start() && new.end() >= old.end() && new.end() < old.end() + step);
        prop_assert!(window.with_step(dimension, 0).is_err());
    }

    #[test]
    fn a_walk_is_six_nested_loops(window in window(), element in 1usize..5) {
        prop_assume!((0..6).map(|d| window.iterations(d)).product::<usize>() < 3000);
        let extents: Vec<usize> = (0..6).map(|d| window.dimension(d).end().min(60)).collect();
        let inside = (0..6).all(|d| window.iterations(d) == 0 || window.dimension(d).end() - window.dimension(d).step() < extents[d]);
        let info = TensorInfo::new(windrow_runtime::ElementType::U8, element.min(4) as u32, &extents.iter().rev().copied().collect::<Vec<_>>());
        let Ok(info) = info else { return Ok(()) };
        let cursor = walk::Cursor::new(&info, &window, &window);
        prop_assert_eq!(cursor.is_ok(), inside);
        let Ok(cursor) = cursor else { return Ok(()) };
        let mut seen = Vec::new();
        walk::offsets(&window, [cursor], |at, [place]| seen.push((at, place)));
        let mut expect = vec![([0; 6], 0)];
        for d in (0..6).rev() {
            expect = expect.into_iter().flat_map(|(at, place)| coordinates(window.dimension(d)).into_iter().map(move |c| {
                let mut at: [usize; 6] = at;
                at[d] = c;
                (at, place + c as isize * info.inner_stride(d))
            })).collect();
        }
        prop_assert_eq!(seen, expect);
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
    // Four times the greatest extent of a tensor.
    assert!(Dimension::new(1 << 31, 1 << 32, 1).is_ok() && Dimension::new(1, (1 << 32) + 1, 1).is_err());
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

#[test]
fn a_maximal_window_is_rounded_up_to_the_step_and_keeps_the_laws() {
    let region = ValidRegion::new(Rect::new(0, 0, 35, 3), Shape::new(&[3, 35]).unwrap());
    let window = Window::maximal(&region, (16, 1));
    assert_eq!((window.dimension(0).end(), window.iterations(0)), (48, 3));
    let parts: Vec<Window> = window.parts(0, 2).collect();
    assert_eq!(parts.iter().map(|part| part.dimension(0).end()).collect::<Vec<_>>(), [32, 48]);
    parts.iter().for_each(|part| window.check_part(part).unwrap());
}

#[test]
fn a_dimension_that_can_not_be_changed_is_refused() {
    let window = Window::covering([0; 6], [8, 4, 2, 1, 1, 1], (4, 1));
    assert!(window.with_dimension(6, window.dimension(0)).is_err());
    assert_eq!(window.shift(1, -1), Err(InvalidWindow::Shift { dimension: 1, start: 0, end: 4, by: -1 }));
    assert!(
        window.shift(0, isize::MAX).is_err() && window.scale(0, 1, 0).is_err() && window.scale(0, u32::MAX, 1).is_err()
    );
    assert_eq!(window.without_dimensions(1).dimension(1), window.dimension(2));
    assert_eq!(window.without_dimensions(9).dimension(0), window.dimension(6));
}

#[test]
fn dimensions_are_collapsed_up_to_the_greatest_extent() {
    let window = Window::covering([0; 6], [1 << 15, 1 << 15, 1, 1, 1, 1], (1, 1));
    assert_eq!(window.collapse(&window, 0, 1).unwrap().dimension(0).end(), 1 << 30);
    let wider = Window::covering([0; 6], [1 << 15, (1 << 15) + 1, 1, 1, 1, 1], (1, 1));
    assert!(wider.collapse(&wider, 0, 1).is_err());
    assert!(window.collapse(&window, 0, 6).is_err() && window.collapse(&window, 5, 6).is_err());
    assert!(window.collapse(&window, 0, 5).is_ok());
    // Beside dimensions of one coordinate, the first may have any step: it stays.
    let steps = Window::covering([16, 0, 0, 0, 0, 0], [48, 1, 1, 1, 1, 1], (16, 1));
    assert_eq!(steps.collapse(&steps, 0, 5), Ok(steps));
}

#[test]
fn rows_are_walked_together_and_broadcast() {
    use windrow_runtime::{Tensor, View, ViewMut};
    let image = Tensor::from_fn([3, 4, 20], |[z, y, x]| (x + 20 * y + 80 * z) as u16).unwrap();
    let column = Tensor::from_fn([4, 1], |[y, _]| y as u16).unwrap();
    let mut out = Tensor::<u16>::new([3, 4, 20]).unwrap();
    let window = Window::covering([0; 6], [20, 4, 3, 1, 1, 1], (16, 2));
    let part = window.split(1, 1, 2).unwrap();
    let mut calls = 0;
    walk::rows(&part, (image.view(), column.view(), out.view_mut()), |_, (image, column, out)| {
        calls += 1;
        assert_eq!((image.len(), column.len()), (20, 1));
        out.iter_mut().zip(image).for_each(|(out, value)| *out = value + column[0]);
    })
    .unwrap();
    // The loop over a row is the body's own: one call a row and step of rows.
    assert_eq!(calls, 3);
    assert_eq!(out.view().plane(2).unwrap().get([2, 19]), Some(19 + 40 + 160 + 2));
    assert_eq!(out.view().get([0, 0]), Some(0));
    let (short, mut narrow) = ([0u8; 15], [0u8; 1]);
    let short = View::from_slice(&short, [15]).unwrap();
    let narrow = ViewMut::from_slice(&mut narrow, [1]).unwrap();
    assert!(walk::rows(&window, short, |_, _| ()).is_err(), "a row that is too short");
    assert!(walk::rows(&window, narrow, |_, _| ()).is_err(), "a broadcast output");
}
