//! Holds the operators to ONNX: its backend node tests, inputs and outputs, for every operator that is named as ONNX' own.
//!
//! `nodes.txt` holds the tests, `collect.py` has written it. A test without a row in `operators` fails.

mod case;
mod operators;
mod regions;
mod rows;
mod tensors;

use std::collections::BTreeSet;

use case::{Array, Case, read};
use operators::ROWS;

/// What ONNX' runner of these tests allows: relative to the expected value, and absolute.
const BOUNDS: (f64, f64) = (1e-3, 1e-7);

#[test]
fn operators_compute_what_onnx_does() {
    let mut failures = Vec::new();
    for case in read() {
        let rows: Vec<_> = ROWS.iter().filter(|row| row.operator == case.operator).collect();
        assert!(!rows.is_empty(), "{}: no row computes {}", case.name, case.operator);
        for row in rows {
            match (row.compute)(&case) {
                Ok(found) => failures.extend(difference(&case, &found)),
                Err(error) => failures.push(format!("{}: {error}", case.name)),
            }
        }
    }
    assert!(failures.is_empty(), "{} tests fail:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_row_is_held_to_a_test() {
    let tested: BTreeSet<String> = read().into_iter().map(|case| case.operator).collect();
    let named: BTreeSet<String> = ROWS.iter().map(|row| row.operator.to_string()).collect();
    assert_eq!(tested, named);
}

/// Where the result differs first by more than the bounds, integers by anything.
fn difference(case: &Case, found: &Array) -> Option<String> {
    let [expected] = case.outputs.as_slice() else { return Some(format!("{}: several outputs", case.name)) };
    if (&found.element, &found.extents) != (&expected.element, &expected.extents) {
        return Some(format!("{}: {} instead of {}", case.name, found.describe(), expected.describe()));
    }
    let is_float = expected.element == "f32";
    let (relative, absolute) = if is_float { BOUNDS } else { (0.0, 0.0) };
    let near = |found: f64, expected: f64| {
        found == expected
            || found.is_nan() && expected.is_nan()
            || approx::abs_diff_eq!(found, expected, epsilon = absolute + relative * expected.abs())
    };
    let pairs = found.values.iter().zip(&expected.values);
    let (index, (found, expected)) = pairs.enumerate().find(|(_, (found, expected))| !near(**found, **expected))?;
    Some(format!("{}: element {index} is {found} instead of {expected}", case.name))
}
