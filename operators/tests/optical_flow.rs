//! Optical flow: known translations are found, what can't be followed is lost, and a plain reference in f64 gives the same places.

#![cfg(feature = "std")]

use std::sync::Arc;

use windrow::{
    Border, Rayon, Serial, Tensor, TensorInfo,
    chain::{Executor, Function, OnProcessor, Whole},
    memory::Heap,
    testing::Counted,
};
use windrow_operators::functions::{GaussianPyramid, Levels, OpticalFlowPyrLK, OpticalFlowSettings};

type Place = [f32; 2];

const EXTENTS: [usize; 2] = [90, 121];

const SETTINGS: OpticalFlowSettings = OpticalFlowSettings {
    levels: 3,
    window: 15,
    iterations: 20,
    epsilon: 0.01,
    min_eigenvalue: 0.1,
    use_initial_estimate: false,
};

fn whole() -> Whole {
    Whole::immediate(Arc::new(Heap))
}

/// A smooth texture of short waves and of long ones, moved by [rows, columns].
fn texture(extents: [usize; 2], [dy, dx]: [f64; 2]) -> Tensor<u8> {
    let grey = |y: f64, x: f64| {
        let short = (0.47 * x + 0.12 * y).sin() + (0.43 * y - 0.14 * x).sin() + (0.33 * x + 0.37 * y + 1.0).cos();
        let long = (0.11 * x + 0.02 * y).sin() + (0.12 * y - 0.03 * x).cos();
        128.0 + 14.0 * short + 35.0 * long
    };
    Tensor::from_fn(extents, |[y, x]| grey(y as f64 - dy, x as f64 - dx).round() as u8).unwrap()
}

/// An image and its coarser levels.
fn pyramid(image: &Tensor<u8>, levels: usize) -> Vec<Tensor<u8>> {
    let mut all = vec![
        Tensor::from_fn([image.info().height(), image.info().width()], |at| image.view().get(at).unwrap()).unwrap(),
    ];
    if levels > 1 {
        let function =
            GaussianPyramid::configure(image.info(), Levels::All(levels - 1), Border::Replicate, &whole()).unwrap();
        let infos = (0..levels - 1).map(|level| *function.level(level).unwrap());
        let mut coarse: Vec<_> = infos.map(|info| Tensor::<u8>::new([info.height(), info.width()]).unwrap()).collect();
        let mut outputs: Vec<_> = coarse.iter_mut().map(|level| level.view_mut().any()).collect();
        function.run(&Serial, &[image.view().any()], &mut outputs).unwrap();
        drop(outputs);
        all.extend(coarse);
    }
    all
}

/// What is followed: two pyramids, points, and estimates where they are given.
struct Scene {
    old: Vec<Tensor<u8>>,
    new: Vec<Tensor<u8>>,
    points: Vec<Place>,
    estimates: Option<Vec<Place>>,
}

impl Scene {
    fn moved(by: [f64; 2], points: Vec<Place>, levels: usize) -> Scene {
        let [old, new] = [[0.0; 2], by].map(|by| pyramid(&texture(EXTENTS, by), levels));
        Scene { old, new, points, estimates: None }
    }

    fn function(&self, settings: OpticalFlowSettings, executor: &dyn Executor) -> OpticalFlowPyrLK {
        OpticalFlowPyrLK::configure(self.old[0].info(), self.points.len(), settings, executor).unwrap()
    }

    fn run(&self, function: &OpticalFlowPyrLK) -> (Vec<Place>, Vec<u8>) {
        let count = self.points.len();
        let points = Tensor::from_fn([count], |[index]| self.points[index]).unwrap();
        let estimates = self.estimates.as_ref().map(|list| Tensor::from_fn([count], |[index]| list[index]).unwrap());
        let mut inputs: Vec<_> = self.old.iter().chain(&self.new).map(|level| level.view().any()).collect();
        inputs.push(points.view().any());
        inputs.extend(estimates.iter().map(|list| list.view().any()));
        let (mut places, mut followed) = (Tensor::<Place>::new([count]).unwrap(), Tensor::<u8>::new([count]).unwrap());
        function.run(&Rayon::new(), &inputs, &mut [places.view_mut().any(), followed.view_mut().any()]).unwrap();
        (places.to_vec(), followed.to_vec())
    }

    fn follow(&self, settings: OpticalFlowSettings) -> (Vec<Place>, Vec<u8>) {
        let use_initial_estimate = self.estimates.is_some();
        self.run(&self.function(OpticalFlowSettings { use_initial_estimate, ..settings }, &whole()))
    }
}

/// Points on a grid between the elements, `margin` away from the edges.
fn grid(margin: usize) -> Vec<Place> {
    let [rows, columns] = EXTENTS.map(|extent| (margin..extent - margin).step_by(11));
    rows.flat_map(|y| columns.clone().map(move |x| [y as f32 + 0.25, x as f32 - 0.375])).collect()
}

fn distance(a: Place, b: Place) -> f64 {
    f64::from(a[0] - b[0]).hypot(f64::from(a[1] - b[1]))
}

fn moved([y, x]: Place, by: [f64; 2]) -> Place {
    [y + by[0] as f32, x + by[1] as f32]
}

#[test]
fn known_translations_are_found() {
    for by in [[0.0, 0.0], [0.5, -0.25], [-1.7, 2.3], [4.0, -5.0], [-9.25, 14.5]] {
        let scene = Scene::moved(by, grid(25), 3);
        let (places, followed) = scene.follow(SETTINGS);
        assert_eq!(followed, vec![1; scene.points.len()], "{by:?}");
        for (place, point) in places.iter().zip(&scene.points) {
            // Grey levels are whole numbers: the places are true to a twentieth of an element.
            assert!(distance(*place, moved(*point, by)) < 0.05, "{by:?}: {point:?} is at {place:?}");
        }
    }
}

#[test]
fn without_a_translation_the_points_stay_to_the_bit() {
    let scene = Scene::moved([0.0; 2], grid(2), 3);
    assert_eq!(scene.follow(SETTINGS), (scene.points.clone(), vec![1; scene.points.len()]));
}

#[test]
fn far_translations_need_levels_or_an_estimate() {
    let by = [-9.25, 14.5];
    let found = |scene: &Scene, levels| {
        let (places, _) = scene.follow(OpticalFlowSettings { levels, ..SETTINGS });
        let near =
            places.iter().zip(&scene.points).filter(|(place, point)| distance(**place, moved(**point, by)) < 0.05);
        near.count()
    };
    let points = grid(25);
    let mut scene = Scene::moved(by, points.clone(), 1);
    assert!(found(&scene, 1) < points.len() / 2);
    scene.estimates = Some(points.iter().map(|point| moved(*point, [-9.0, 14.0])).collect());
    assert_eq!(found(&scene, 1), points.len());
    assert_eq!(found(&Scene::moved(by, points.clone(), 3), 3), points.len());
}

#[test]
fn points_that_cannot_be_followed_are_lost() {
    let flat = || Tensor::from_fn(EXTENTS, |_| 90u8).unwrap();
    let stripes = || Tensor::from_fn(EXTENTS, |[y, x]| (((x + y) % 16) * 15) as u8).unwrap();
    for image in [flat, stripes] as [fn() -> Tensor<u8>; 2] {
        let scene = Scene { old: pyramid(&image(), 3), new: pyramid(&image(), 3), points: grid(20), estimates: None };
        let lost = scene.points.iter().map(|_| [-1.0; 2]).collect::<Vec<Place>>();
        assert_eq!(scene.follow(SETTINGS), (lost, vec![0; scene.points.len()]));
    }
    // Those that leave the image, and those that never were in it.
    let [bottom, right] = EXTENTS.map(|extent| extent as f32 - 1.0);
    let points = vec![
        [40.0, right - 1.0],
        [40.0, right + 0.5],
        [-0.25, 50.0],
        [bottom + 0.01, 50.0],
        [f32::NAN, 50.0],
        [40.0, f32::INFINITY],
        [40.0, 50.0],
    ];
    let (places, followed) = Scene::moved([0.0, 3.0], points, 3).follow(SETTINGS);
    assert_eq!(followed, [0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(places[..6], [[-1.0; 2]; 6]);
    assert!(distance(places[6], [40.0, 53.0]) < 0.05);
    let mut scene = Scene::moved([0.0; 2], vec![[40.0, 50.0]; 4], 1);
    scene.estimates = Some(vec![[40.0, 50.0], [-2.0, 50.0], [40.0, f32::NAN], [40.0, 1e30]]);
    assert_eq!(scene.follow(OpticalFlowSettings { levels: 1, ..SETTINGS }).1, [1, 0, 0, 0]);
}

#[test]
fn the_least_eigenvalue_is_measured_in_squares_of_grey_levels_per_element() {
    // Over a period of a wave of amplitude a and frequency f, the mean square of the gradient is (a · sin f)² / 2.
    let waves =
        |[y, x]: [usize; 2]| (128.0 + 40.0 * (0.2 * x as f64).sin() + 60.0 * (0.2 * y as f64).sin()).round() as u8;
    let image = || vec![Tensor::from_fn(EXTENTS, waves).unwrap()];
    let least = (40.0 * 0.2f32.sin()).powi(2) / 2.0;
    let scene = Scene { old: image(), new: image(), points: vec![[45.0, 60.0]], estimates: None };
    for (part, followed) in [(0.95, 1), (1.05, 0)] {
        let settings = OpticalFlowSettings { levels: 1, window: 31, min_eigenvalue: least * part, ..SETTINGS };
        assert_eq!(scene.follow(settings).1, [followed], "{part} of {least}");
    }
}

#[test]
fn steps_end_below_epsilon() {
    let scene = Scene::moved([0.75, -1.25], grid(20), 1);
    let places =
        |epsilon, iterations| scene.follow(OpticalFlowSettings { levels: 1, epsilon, iterations, ..SETTINGS }).0;
    assert_eq!(places(1000.0, 20), places(0.0, 1));
    assert_ne!(places(0.0, 1), places(0.0, 4));
    let (near, exact) = (places(0.2, 50), places(0.0, 50));
    assert_ne!(near, exact);
    assert!(near.iter().zip(&exact).all(|(near, exact)| distance(*near, *exact) < 0.2));
}

/// The definition in f64, of functions of a place: `None` where a point is lost.
struct Reference<'a> {
    scene: &'a Scene,
    settings: OpticalFlowSettings,
}

impl Reference<'_> {
    fn element(image: &Tensor<u8>, y: i64, x: i64) -> f64 {
        let [height, width] = [image.info().height() as i64, image.info().width() as i64];
        image.view().get([y.clamp(0, height - 1) as usize, x.clamp(0, width - 1) as usize]).map_or(f64::NAN, f64::from)
    }

    /// The gradient [along y, along x] of an image, of a place in it.
    fn gradient(image: &Tensor<u8>, y: i64, x: i64) -> [f64; 2] {
        let [height, width] = [image.info().height() as i64, image.info().width() as i64];
        let (y, x) = (y.clamp(0, height - 1), x.clamp(0, width - 1));
        let weighted = |at: &dyn Fn(i64, i64) -> f64| {
            [(-1, 3.0), (0, 10.0), (1, 3.0)]
                .iter()
                .map(|(side, weight)| weight * (at(1, *side) - at(-1, *side)))
                .sum::<f64>()
        };
        let along_y = weighted(&|ahead, side| Self::element(image, y + ahead, x + side));
        let along_x = weighted(&|ahead, side| Self::element(image, y + side, x + ahead));
        [along_y / 32.0, along_x / 32.0]
    }

    /// Linear along x of what is linear along y.
    fn between(at: &dyn Fn(i64, i64) -> f64, [y, x]: [f64; 2]) -> f64 {
        let mix = |part: f64, a: f64, b: f64| a + part * (b - a);
        let (top, left) = (y.floor() as i64, x.floor() as i64);
        let column = |x: i64| mix(y - y.floor(), at(top, x), at(top + 1, x));
        mix(x - x.floor(), column(left), column(left + 1))
    }

    fn level(&self, level: usize, point: [f64; 2], mut place: [f64; 2]) -> Option<[f64; 2]> {
        let [height, width] = [self.scene.old[0].info().height() as f64, self.scene.old[0].info().width() as f64];
        let is_inside = |[y, x]: [f64; 2]| y >= 0.0 && x >= 0.0 && y <= height - 1.0 && x <= width - 1.0;
        if !is_inside(point) || !is_inside(place) {
            return None;
        }
        let scale = 2f64.powi(level as i32);
        let (old, new) = (&self.scene.old[level], &self.scene.new[level]);
        let reach = (self.settings.window as f64 - 1.0) / 2.0;
        let offsets: Vec<[f64; 2]> = (0..self.settings.window * self.settings.window)
            .map(|k| [(k / self.settings.window) as f64 - reach, (k % self.settings.window) as f64 - reach])
            .collect();
        let at = |[y, x]: [f64; 2], [dy, dx]: [f64; 2]| [y / scale + dy, x / scale + dx];
        let slopes: Vec<[f64; 2]> = offsets
            .iter()
            .map(|offset| [0, 1].map(|i| Self::between(&|y, x| Self::gradient(old, y, x)[i], at(point, *offset))))
            .collect();
        let sum = |i: usize, j: usize| slopes.iter().map(|slope| slope[i] * slope[j]).sum::<f64>();
        let (yy, xy, xx) = (sum(0, 0), sum(0, 1), sum(1, 1));
        // The roots of t² − (xx + yy)·t + xx·yy − xy².
        let middle = (xx + yy) / 2.0;
        let least = middle - (middle * middle - (xx * yy - xy * xy)).max(0.0).sqrt();
        if least / (offsets.len() as f64) < f64::from(self.settings.min_eigenvalue) {
            return None;
        }
        for _ in 0..self.settings.iterations {
            let mut wrong = [0.0; 2];
            for (offset, slope) in offsets.iter().zip(&slopes) {
                let [before, after] = [(old, point), (new, place)]
                    .map(|(image, from)| Self::between(&|y, x| Self::element(image, y, x), at(from, *offset)));
                wrong = [0, 1].map(|i| wrong[i] + slope[i] * (before - after));
            }
            let step_x = (wrong[1] - xy / yy * wrong[0]) / (xx - xy * xy / yy);
            let step_y = (wrong[0] - xy * step_x) / yy;
            place = [place[0] + step_y * scale, place[1] + step_x * scale];
            if !is_inside(place) {
                return None;
            }
            if step_y.hypot(step_x) < f64::from(self.settings.epsilon) {
                break;
            }
        }
        Some(place)
    }

    fn follow(&self, index: usize) -> Option<[f64; 2]> {
        let point = self.scene.points[index].map(f64::from);
        let mut place = self.scene.estimates.as_ref().map_or(point, |list| list[index].map(f64::from));
        for level in (1..self.settings.levels).rev() {
            place = self.level(level, point, place).unwrap_or(place);
        }
        self.level(0, point, place)
    }
}

#[test]
fn places_are_those_of_the_definition() {
    let (mut most, mut lost) = (0, 0);
    let cases = [
        (1, 3, [0.25, 0.5], 0.0),
        (1, 8, [1.5, -1.0], 0.0),
        (2, 15, [-2.0, 3.5], 0.0),
        (4, 9, [3.0, 7.0], 0.0),
        (1, 11, [1.5, -2.0], 0.1),
        (3, 11, [2.0, -4.0], 0.1),
    ];
    for (levels, window, by, epsilon) in cases {
        // To the very edge, where windows lie half outside, and one row beyond.
        let [bottom, right] = EXTENTS.map(|extent| extent as f32 - 1.0);
        let edge =
            [[0.0, 0.0], [0.0, right], [bottom, 0.0], [bottom, right], [0.5, 60.5], [44.0, 0.5], [bottom + 1.0, 60.0]];
        let scene = Scene::moved(by, grid(3).into_iter().chain(edge).collect(), levels);
        let settings = OpticalFlowSettings { levels, window, iterations: 12, epsilon, ..SETTINGS };
        let (places, followed) = scene.follow(settings);
        let reference = Reference { scene: &scene, settings };
        for (index, place) in places.iter().enumerate() {
            match reference.follow(index) {
                Some(expected) => {
                    let expected = expected.map(|at| at as f32);
                    let case = format!("{settings:?}: {:?} is at {place:?}, not {expected:?}", scene.points[index]);
                    assert!(followed[index] == 1 && distance(*place, expected) < 2e-3, "{case}");
                    most += 1;
                }
                None => {
                    assert_eq!((followed[index], *place), (0, [-1.0; 2]), "{:?}", scene.points[index]);
                    lost += 1;
                }
            }
        }
    }
    assert!(most > 200 && lost > 10, "{most} followed, {lost} lost");
}

#[test]
fn images_of_any_size_and_any_executor_will_do() {
    for (extents, levels) in [([1, 1], 16), ([1, 40], 5), ([37, 1], 5), ([2, 3], 5), ([13, 200], 16)] {
        let [old, new] = [[0.0; 2], [0.0, 0.5]].map(|by| pyramid(&texture(extents, by), levels));
        let middle = extents.map(|extent| (extent - 1) as f32 / 2.0);
        let scene = Scene { old, new, points: vec![middle, [0.0, 0.0]], estimates: None };
        let settings = OpticalFlowSettings { levels, ..SETTINGS };
        let found = scene.follow(settings);
        assert_eq!(scene.run(&scene.function(settings, &OnProcessor)), found, "{extents:?}");
        assert_eq!(found.1[0], u8::from(extents == [13, 200]), "{extents:?}");
    }
}

#[test]
fn views_with_gaps_have_the_same_places() {
    let scene = Scene::moved([0.5, 1.0], grid(10), 1);
    let settings = OpticalFlowSettings { levels: 1, ..SETTINGS };
    let expected = scene.follow(settings);
    // Each element of the second image is followed by a byte of another one.
    let wide = Tensor::from_fn([EXTENTS[0], EXTENTS[1], 2], |[y, x, c]| {
        if c == 0 { scene.new[0].view().get([y, x]).unwrap() } else { 255 }
    })
    .unwrap();
    let bytes = wide.view();
    let spaced =
        windrow::View::<u8>::with_strides(bytes.as_slice().unwrap(), &EXTENTS, &[2 * EXTENTS[1] as isize, 2]).unwrap();
    let count = scene.points.len();
    let points = Tensor::from_fn([count], |[index]| scene.points[index]).unwrap();
    let (mut places, mut followed) = (Tensor::<Place>::new([count]).unwrap(), Tensor::<u8>::new([count]).unwrap());
    let inputs = [scene.old[0].view().any(), spaced.any(), points.view().any()];
    let mut outputs = [places.view_mut().any(), followed.view_mut().any()];
    scene.function(settings, &whole()).run(&Serial, &inputs, &mut outputs).unwrap();
    assert_eq!((places.to_vec(), followed.to_vec()), expected);
}

#[test]
fn a_run_allocates_nothing() {
    let (counted, scene) = (Arc::new(Counted::new(Heap)), Scene::moved([1.0, 2.0], grid(10), 3));
    let function = scene.function(SETTINGS, &Whole::immediate(counted.clone()));
    let before = counted.counters();
    let found = scene.run(&function);
    assert_eq!(scene.run(&function), found);
    assert_eq!(counted.counters(), before);
}

#[test]
fn settings_out_of_range_are_refused() {
    let info = TensorInfo::of::<u8>(&[20, 20]).unwrap();
    let refused =
        |points, settings| OpticalFlowPyrLK::configure(&info, points, settings, &whole()).unwrap_err().to_string();
    let found = refused(4, OpticalFlowSettings { window: 2, ..SETTINGS });
    assert_eq!(found, "`OpticalFlowPyrLK`: `window` is 2, but must be 3 to 255");
    assert!(refused(0, SETTINGS).contains("`points` is 0"));
    assert!(refused(4, OpticalFlowSettings { levels: 0, ..SETTINGS }).contains("`levels` is 0"));
    assert!(refused(4, OpticalFlowSettings { levels: 17, ..SETTINGS }).contains("`levels` is 17"));
    assert!(refused(4, OpticalFlowSettings { iterations: 0, ..SETTINGS }).contains("`iterations` is 0"));
    assert!(refused(4, OpticalFlowSettings { epsilon: f32::NAN, ..SETTINGS }).contains("`epsilon` is NaN"));
    assert!(refused(4, OpticalFlowSettings { epsilon: -0.5, ..SETTINGS }).contains("`epsilon` is -0.5"));
    assert!(refused(4, OpticalFlowSettings { min_eigenvalue: 0.0, ..SETTINGS }).contains("`min_eigenvalue` is 0"));
    let volume = TensorInfo::of::<u8>(&[2, 20, 20]).unwrap();
    assert!(OpticalFlowPyrLK::configure(&volume, 4, SETTINGS, &whole()).unwrap_err().to_string().contains("[h, w]"));
}
