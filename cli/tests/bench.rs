//! `windrow bench`: the program that it writes times kernels and pipelines, and what it can't do is refused.

mod common;
#[path = "bench/program.rs"]
mod program;

use std::{fs, time::Duration};

use common::windrow;
use windrow::testing::BenchOptions;

/// Whether a field is numbers with commas between them, this many.
fn is_times(field: &str, count: usize) -> bool {
    field.split(',').count() == count && field.split(',').all(|time| time.parse::<u64>().is_ok())
}

#[test]
fn the_program_times_each_kernel_and_pipeline_in_every_way() {
    let options = BenchOptions { width: 67, height: 19, rounds: 2, budget: Duration::ZERO };
    let mut said = Vec::new();
    program::time_all(&options, &mut said).unwrap();
    let said = String::from_utf8(said).unwrap();
    let (mut kernels, mut pipelines, mut ways) = (Vec::new(), Vec::new(), Vec::new());
    for line in said.lines() {
        match line.split('\t').collect::<Vec<_>>()[..] {
            ["kernel", kernel, bytes, border, "1", "1"] => kernels.push((kernel, bytes, border)),
            ["pipeline", pipeline, bytes] => pipelines.push((pipeline, bytes)),
            ["way", way, times] if is_times(times, 2) => ways.push(way),
            // A wider vector does not pay for every kernel.
            ["failed", "avx512, 1 thread", "the kernel has no body for the tier avx512"] => {}
            // A device that fails is another test's.
            ["failed", way, _] if way.contains("OpenCL") => {}
            _ => panic!("{line}"),
        }
    }
    // One element in, one out.
    let expected = [("gaussian3x3", "2546", "replicate"), ("relu", "10184", "undefined")];
    assert_eq!(kernels[0], expected[0], "{said}");
    assert!(kernels.contains(&expected[1]), "{said}");
    assert_eq!(pipelines, [("edges", "2546")], "{said}");
    let count = |way: &str| ways.iter().filter(|name| **name == way).count();
    for way in ["author's function", "scalar, 1 thread"] {
        assert_eq!(count(way), kernels.len(), "{said}");
    }
    for way in ["one by one, 1 thread", "in bands, 1 thread", "pipeline, 1 thread"] {
        assert_eq!(count(way), 1, "{said}");
    }
    assert_eq!(count("copy, 1 thread"), kernels.len() + 1, "{said}");
}

#[test]
fn what_cannot_be_timed_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("k.rs");
    fs::write(&file, "#[kernel] fn half(a: u8) -> u8 { a / 2 }").unwrap();
    let cases = [
        (&[][..], 1, "the kernel `half` in"),
        (&["--kernel", "halve"], 2, "did you mean `half`?"),
        (&["--size", "640"], 2, "invalid value '640' for '--size <WIDTHxHEIGHT>'"),
        (&["--rounds", "0"], 2, "invalid value '0' for '--rounds <ROUNDS>'"),
        (&["--seconds", "NaN"], 2, "a number of seconds from 0 to 3600 is expected"),
    ];
    for (arguments, status, expected) in cases {
        let output = windrow(&[&["bench", file.to_str().unwrap()], arguments].concat());
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(status), "{text}");
        assert!(text.contains(expected), "{text}");
    }
    let pipeline =
        "#[pipeline] fn halves(src: &Tensor<u8>) -> Result<Tensor<u8>, Error> { elsewhere::half::apply(src) }";
    fs::write(&file, pipeline).unwrap();
    let output = windrow(&["bench", file.to_str().unwrap()]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("the pipeline `halves` in"), "{text}");
    fs::write(&file, "#[kernel] pub fn half(a: u8) -> u8 { a / 2 }").unwrap();
    let output = windrow(&["bench", file.to_str().unwrap(), "--windrow", "absent"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("absent is not the folder of windrow's sources"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is written");
}
