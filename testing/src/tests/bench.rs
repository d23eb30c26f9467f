//! What is timed is compared first.

use super::{kernels::*, rt::code::Kernel};
use crate::{BenchOptions, bench};
use std::time::Duration;

const SMALL: BenchOptions = BenchOptions { width: 61, height: 17, rounds: 3, budget: Duration::ZERO };

/// Each way's name, and how often it was timed or why it was not.
fn ways<K: Kernel>() -> Vec<(String, Result<usize, String>)> {
    let times = bench::<K>(&SMALL).unwrap();
    times.ways.into_iter().map(|way| (way.name, way.times.map(|times| times.len()))).collect()
}

#[test]
fn every_way_is_timed_once_a_round() {
    let ways = ways::<Gaussian<RIGHT>>();
    let names: Vec<&str> = ways.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names[..3], ["author's function", "scalar, 1 thread", "copy, 1 thread"]);
    assert!(ways.iter().all(|(_, times)| *times == Ok(3)), "{ways:?}");
}

#[test]
fn bytes_are_those_that_a_run_reads_and_writes() {
    // One image of u8 read, one written.
    assert_eq!(bench::<Gaussian<RIGHT>>(&SMALL).unwrap().bytes, 2 * 61 * 17);
}

#[test]
fn a_wrong_result_has_no_time() {
    for (name, times) in ways::<Gaussian<ROUNDED>>() {
        let is_wrong = name.contains("scalar") || name.starts_with("OpenCL on ");
        match times {
            Err(why) => assert!(why.starts_with("differs from the author's function: ") && is_wrong),
            Ok(_) => assert!(!is_wrong, "{name}"),
        }
    }
}
