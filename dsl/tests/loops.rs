//! Loops at run time: what they compute, as lowered and as prepared for emitters, and what is proved of them.

use windrow_dsl::interpret::{Arguments, stores};
use windrow_dsl::ir::loops::{Step, steps};
use windrow_dsl::ir::{Access, AxisId, BinaryOp, Body, Constant, InputId, Kernel, Op, TableId, UniformId, along};
use windrow_dsl::optimise::prepare;

/// One image of bytes, one uniform, an element of the output.
struct Place {
    image: Vec<Vec<u8>>,
    uniform: i128,
    at: [i32; 2],
}

impl Arguments for Place {
    fn element(&self, _: &Access) -> Constant {
        Constant::Int(0)
    }
    fn uniform(&self, _: UniformId, _: u32) -> Constant {
        Constant::Int(self.uniform)
    }
    fn derived(&self, _: u32) -> Constant {
        Constant::Int(self.uniform)
    }
    fn table(&self, _: TableId, _: i128) -> Option<Constant> {
        None
    }
    fn coordinate(&self, axis: AxisId) -> i32 {
        self.at[axis.0 as usize]
    }
    fn extent(&self, _: InputId, dimension: u32) -> i32 {
        (if dimension == 0 { self.image.len() } else { self.image[0].len() }) as i32
    }
    fn gathered(&self, _: InputId, _: u32, [_, row, column]: [i128; 3]) -> Option<Constant> {
        let element = self.image.get(usize::try_from(row).ok()?)?.get(usize::try_from(column).ok()?)?;
        Some(Constant::Int((*element).into()))
    }
}

fn place(rows: usize, columns: usize, uniform: i128, at: [i32; 2]) -> Place {
    let element = |row: usize, column: usize| (row * 31 + column * 7 + 3) as u8;
    let image = (0..rows).map(|row| (0..columns).map(|column| element(row, column)).collect()).collect();
    Place { image, uniform, at }
}

fn kernel(source: &str) -> Kernel {
    let compiled = windrow_dsl::compile_file(source);
    assert!(compiled.errors.is_empty(), "{source}: {:?}", compiled.errors);
    compiled.kernels.into_iter().next().expect("there is a kernel").kernel
}

fn first(body: &Body, place: &Place) -> i128 {
    match stores(body, place).expect("nothing panics")[0] {
        Constant::Int(value) => value,
        other => panic!("{other:?}"),
    }
}

/// The kernel gives what the function does, as lowered and as prepared.
fn computes(source: &str, expected: impl Fn(&Place) -> i128) {
    let kernel = kernel(source);
    let prepared = prepare(&kernel);
    for (rows, columns) in [(1, 1), (2, 3), (5, 4)] {
        for uniform in [0, 1, 3, 7] {
            for at in [[0, 0], [1, 2], [3, 1]] {
                let place = place(rows, columns, uniform, at);
                let expected = expected(&place);
                assert_eq!(
                    first(&kernel.bodies[0], &place),
                    expected,
                    "{source} at {at:?} of {rows}x{columns}, {uniform}"
                );
                assert_eq!(first(&prepared.bodies[0], &place), expected, "prepared: {source} at {at:?}, {uniform}");
            }
        }
    }
}

#[test]
fn a_sum_over_a_row() {
    let source = "#[kernel] fn sum([y, x]: At<2>, src: View<u8>) -> i32 {
        let [height, width] = src.extents();
        let mut sum = 0i32;
        for column in 0..width.min(4096) {
            sum += src[[y.min(height - 1), column]] as i32;
        }
        sum
    }";
    computes(source, |place| {
        let row = (place.at[0] as usize).min(place.image.len() - 1);
        place.image[row].iter().map(|&element| i128::from(element)).sum()
    });
}

#[test]
fn loops_nest_and_their_ends_may_be_computed() {
    let source = "#[kernel] fn corner([y, x]: At<2>, src: View<u8>, #[uniform(0..=100)] most: i32) -> i32 {
        let mut sum = 0i32;
        let mut turns = 0i32;
        for row in 0..=y.min(99) {
            for column in row..most {
                sum = sum.wrapping_add(src.get([row, column]).map_or(1, |element| element as i32));
                turns += 1;
            }
        }
        sum.wrapping_mul(1000).wrapping_add(turns)
    }";
    computes(source, |place| {
        let (mut sum, mut turns) = (0i128, 0);
        for row in 0..=place.at[0] {
            for column in i128::from(row)..place.uniform {
                let element = place.image.get(row as usize).and_then(|row| row.get(column as usize));
                sum += element.map_or(1, |&element| i128::from(element));
                turns += 1;
            }
        }
        sum * 1000 + turns
    });
}

#[test]
fn variables_may_be_truth_values_tuples_and_arrays_and_change_in_closures() {
    let source = "#[kernel] fn found([y, x]: At<2>, src: View<u8>, #[uniform(0..=100)] level: u8) -> i32 {
        let [height, width] = src.extents();
        let (mut any, mut best) = (false, (0u8, -1i32));
        let mut halves = [0i32; 2];
        let mut see = |element: u8, column: i32| {
            if element > best.0 {
                best = (element, column);
            }
        };
        for column in 0..width.min(1000) {
            let element = src[[0, column]];
            any = any || element == level;
            see(element, column);
            halves[(column & 1) as usize] = (halves[(column & 1) as usize] + 1) & 1023;
        }
        if any { 1000 + best.1 } else { best.1 + 10 * halves[1] + 100 * halves[0] }
    }";
    computes(source, |place| {
        let row = &place.image[0];
        let any = row.iter().any(|&element| i128::from(element) == place.uniform);
        let mut best = (0, -1);
        for (column, &element) in (0..).zip(row) {
            if element > best.0 {
                best = (element, column);
            }
        }
        let (odd, even) = (row.len() / 2, row.len().div_ceil(2));
        if any { 1000 + best.1 } else { best.1 + 10 * odd as i128 + 100 * even as i128 }
    });
}

#[test]
fn a_loop_without_turns_leaves_what_was_there() {
    let source = "#[kernel] fn quotient([y, x]: At<2>, src: View<u8>, #[uniform(0..=100)] n: i32) -> i32 {
        let mut last = 7i32;
        for i in 0..n {
            last = 1000 / (n - i) + i;
        }
        last
    }";
    computes(source, |place| if place.uniform == 0 { 7 } else { 1000 + place.uniform - 1 });
}

/// What does not vary along a loop is computed before it, also where there are no turns.
#[test]
fn what_is_computed_before_a_loop_does_no_harm_without_turns() {
    let source = "#[kernel] fn quotient([y, x]: At<2>, src: View<u8>) -> i32 {
        let mut last = 7i32;
        for i in 0..y.min(99) {
            last = 1000 / y + i;
        }
        last
    }";
    computes(source, |place| {
        let y = i128::from(place.at[0]);
        if y == 0 { 7 } else { 1000 / y + y - 1 }
    });
    let kernel = kernel(source);
    let body = &prepare(&kernel).bodies[0];
    let is_in_turns = |step: &Step| match step {
        Step::Value(id) => matches!(body.node(*id).op, Op::Binary(BinaryOp::Div, ..)),
        Step::Loop(_) => false,
    };
    let steps = steps(&body.nodes);
    let turns = steps.iter().find_map(|step| if let Step::Loop(turns) = step { Some(turns) } else { None });
    assert!(steps.iter().any(is_in_turns) && !turns.expect("there is a loop").body.iter().any(is_in_turns));
}

/// A variable varies along what a turn leaves in it, also where it begins with a constant.
#[test]
fn variables_vary_along_what_turns_leave_in_them() {
    let kernel = kernel(
        "#[kernel] fn column_sum([y, x]: At<2>, src: View<u8>) -> u8 {
            let [height, width] = src.extents();
            let mut sum = 0u8;
            for row in 0..height {
                sum = sum.wrapping_add(src[[row, x.min(width - 1)]]);
            }
            sum
        }",
    );
    let nodes = &kernel.bodies[0].nodes;
    let along = along(nodes);
    for (node, axes) in nodes.iter().zip(along) {
        match node.op {
            Op::Turn { axis, .. } => assert!(axes.has(axis) && !axes.has(AxisId::X)),
            Op::Carried { .. } => assert!(axes.has(AxisId(AxisId::COUNT)) && axes.has(AxisId::X)),
            Op::Outcome { .. } => assert!(axes.of_loops().is_empty() && axes.has(AxisId::X)),
            _ => {}
        }
    }
}

/// A loop with one turn at most, whose variable can have one value alone, stays a loop.
#[test]
fn a_loop_with_one_turn_stays_a_loop() {
    let source = "#[kernel] fn once([y, x]: At<2>, src: View<u8>) -> i32 {
        let [_, width] = src.extents();
        let mut last = y;
        for i in 3..width.min(4) {
            last = last / 2 + i;
        }
        last
    }";
    computes(source, |place| {
        let y = i128::from(place.at[0]);
        if place.image[0].len() > 3 { y / 2 + 3 } else { y }
    });
}

/// What a turn finds in a variable is what the one before left, whatever that was computed from.
#[test]
fn conditions_on_variables_are_asked_in_each_turn() {
    let source = "#[kernel] fn flips([y, x]: At<2>, src: View<u8>, #[uniform(0..=100)] n: i32) -> i32 {
        let (mut up, mut at) = (true, 0i32);
        for i in 0..n {
            at = if up { at.wrapping_add(5) } else { at.wrapping_sub(3) };
            up = !up;
        }
        at
    }";
    computes(source, |place| (0..place.uniform).map(|i| if i % 2 == 0 { 5 } else { -3 }).sum());
}

/// What an author is told.
fn refused(body: &str) -> Vec<String> {
    let source = format!(
        "#[kernel] fn k([y, x]: At<2>, src: View<u8>, #[uniform(0..=1000)] n: i32, #[uniform] any: i32) -> i32 {{
            let [height, width] = src.extents();
            {body}
        }}"
    );
    windrow_dsl::compile_file(&source).errors.iter().map(|error| error.message.clone()).collect()
}

#[test]
fn what_turns_add_is_proved_to_fit() {
    assert_eq!(refused("let mut sum = 0; for i in 0..n { sum += src[[0, i.min(width - 1)]] as i32; } sum"), [""; 0]);
    assert_eq!(refused("let mut sum = 5; for i in 0..n { for j in 0..i { sum -= 2000; } } sum"), [""; 0]);
    assert_eq!(
        refused("let mut least = 255u8; for i in 0..any { least = least.min(src[[0, 0]]); } least as i32"),
        [""; 0]
    );
    let found = refused("let mut sum = 0; for i in 0..any { sum += src[[0, 0]] as i32; } sum");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("does not overflow i32"), "{found:?}");
    // A thousand turns, and no more.
    assert_eq!(refused("let mut sum = 0; for i in 0..n { sum += 2147483; } sum"), [""; 0]);
    assert_eq!(refused("let mut sum = 0; for i in 0..n { sum += 2147484; } sum").len(), 1);
    assert_eq!(refused("let mut sum = 0; for i in 0..=n { sum += 2147483; } sum").len(), 1);
    let found = refused("let mut sum = 1; for i in 0..n { sum *= 2; } sum");
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn places_in_turns_are_proved_to_lie_inside() {
    assert_eq!(refused("let mut s = 0u8; for i in 0..width { s = s.max(src[[0, i]]); } s as i32"), [""; 0]);
    assert_eq!(refused("let mut s = 0u8; for i in 1..width { s = s.max(src[[0, i - 1]]); } s as i32"), [""; 0]);
    assert_eq!(
        refused("let mut s = 0u8; for i in 0..=width - 1 { s = s.max(src[[height - 1, i]]); } s as i32"),
        [""; 0]
    );
    let found = refused("let mut s = 0u8; for i in 0..=width { s = s.max(src[[0, i]]); } s as i32");
    assert_eq!(found.len(), 1, "{found:?}");
    // That there was a turn is not known behind the loop.
    let found = refused("let mut s = 0; for i in 0..n { s = i; } s / n");
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn what_is_not_part_of_the_language_is_said() {
    let found = refused("let mut s = 0; for (i, j) in (0..n).zip(0..n) { s = i; } s");
    assert_eq!(found, ["how often this loop runs isn't known at compile time"]);
}
