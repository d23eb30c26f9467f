//! Holds the operators to the OpenVX C model's golden arrays, byte by byte.
//!
//! The table of who computes what stands in `operators`, the reasons for what is left out in `uncovered`.

mod archive;
#[cfg(feature = "opencl")]
mod device;
mod histogram;
mod numbers;
mod operators;
mod sample;
mod uncovered;

use std::collections::BTreeSet;

use archive::{Archive, Golden};
use operators::{ROWS, Row};
use sample::{By, Sample};
use uncovered::{INPUTS, POISON_ONLY, UNCOVERED};
use windrow::{Border, Kernel};

/// The arrays that operators are held to. A change of this number is a change of what is tested.
const COVERED: usize = 794;

/// The archive's names of the borders.
const BORDERS: [(&str, Border); 4] = [
    ("_undef", Border::Undefined),
    ("_repl", Border::Replicate),
    ("_const0", Border::Constant(windrow::Scalar::U8(0))),
    ("_const200", Border::Constant(windrow::Scalar::U8(200))),
];

/// `gaussian3x3_undef_17x16`, taken apart.
struct Name<'a> {
    operation: &'a str,
    border: Border,
    size: &'a str,
}

impl<'a> Name<'a> {
    fn of(array: &'a str) -> Self {
        let (head, size) = array.rsplit_once('_').unwrap_or((array, ""));
        let border = BORDERS.iter().find_map(|(suffix, border)| Some((head.strip_suffix(suffix)?, *border)));
        let (operation, border) = border.unwrap_or((head, Border::Undefined));
        Name { operation, border, size }
    }
}

#[test]
fn operators_write_the_bytes_of_the_c_model() {
    let bodies = windrow_operators::gaussian3x3::CODE.bodies().iter().filter(|body| body.index() == 0);
    let tiers = bodies.map(|body| body.tier()).filter(|tier| tier.is_available());
    for by in std::iter::once(By::Author).chain(tiers.map(By::Tier)) {
        assert_eq!(hold(&by, |_| true), COVERED, "another number of arrays is covered");
    }
}

/// Computes every array of these sizes that an operator computes, and compares; the number of arrays.
fn hold(by: &By, sizes: impl Fn(&str) -> bool) -> usize {
    let archive = Archive::open().unwrap();
    let (mut held, mut failures) = (BTreeSet::new(), Vec::new());
    for (array, expected) in &archive.arrays {
        let Name { operation, border, size } = Name::of(array);
        for row in ROWS.iter().filter(|row| row.operation == operation && sizes(size)) {
            held.insert(array);
            let sample = Sample { archive: &archive, size, border, by: by.clone() };
            let verdict = judge(row, &sample, expected);
            failures.extend(verdict.err().map(|why| format!("{array}: {}, {by}: {why}", row.operator)));
        }
    }
    assert!(failures.is_empty(), "{} runs differ:\n{}", failures.len(), failures.join("\n"));
    held.len()
}

#[test]
fn every_array_is_covered_or_has_its_reason() {
    let archive = Archive::open().unwrap();
    for array in archive.arrays.keys() {
        let operation = Name::of(array).operation;
        let reasons = UNCOVERED.iter().filter(|(operations, _)| operations.contains(&operation)).count();
        let rows = ROWS.iter().filter(|row| row.operation == operation).count();
        let input = INPUTS.contains(&operation);
        assert_eq!(reasons + usize::from(rows > 0) + usize::from(input), 1, "{array} must stand in one list");
    }
    let operations: BTreeSet<_> = archive.arrays.keys().map(|array| Name::of(array).operation).collect();
    for row in ROWS {
        assert!(
            operations.contains(row.operation),
            "no array is named {}, which {} computes",
            row.operation,
            row.operator
        );
    }
}

#[test]
fn arrays_left_out_as_unwritten_hold_poison_alone() {
    let archive = Archive::open().unwrap();
    for (array, golden) in &archive.arrays {
        let unwritten = |(operations, why): &&(&[&str], &str)| {
            *why == POISON_ONLY && operations.contains(&Name::of(array).operation)
        };
        if UNCOVERED.iter().any(|row| unwritten(&row)) {
            assert!(golden.bytes.iter().all(|byte| *byte == sample::POISON), "{array} holds more than poison");
        }
    }
}

/// Computes a sample, and compares.
fn judge(row: &Row, sample: &Sample<'_>, expected: &Golden) -> Result<(), String> {
    let found = (row.compute)(sample).map_err(|error| error.to_string())?;
    if found.len() != expected.bytes.len() {
        return Err(format!("{} bytes instead of {}", found.len(), expected.bytes.len()));
    }
    match first_difference(expected, &found) {
        None => Ok(()),
        Some(difference) => Err(difference),
    }
}

/// Where the arrays differ first, in the words of whoever has to look for the fault.
fn first_difference(expected: &Golden, found: &[u8]) -> Option<String> {
    let pixel = if expected.format == "S016" { 2 } else { 1 };
    let elements = || expected.bytes.chunks_exact(pixel).zip(found.chunks_exact(pixel));
    let index = elements().position(|(expected, found)| expected != found)?;
    let value = |bytes: &[u8]| match *bytes {
        [low, high] => i32::from(i16::from_le_bytes([low, high])),
        _ => i32::from(bytes[0]),
    };
    // A row of a format with several channels holds more elements than pixels.
    let row = (found.len() / pixel / expected.height).max(1);
    let range = index * pixel..(index + 1) * pixel;
    Some(format!(
        "at ({}, {}) the C model has {}, windrow {}; {} of {} elements differ",
        index % row,
        index / row,
        value(&expected.bytes[range.clone()]),
        value(&found[range]),
        elements().filter(|(expected, found)| expected != found).count(),
        found.len() / pixel,
    ))
}
