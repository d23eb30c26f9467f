//! A part of all arguments: errors within what is stated, results within the ranges that the proof relies on, kernels
//! equal to the functions, rising functions rising. The program `ulp` tries every argument.

use windrow_function_tests::{measure::measure, table::FUNCTIONS};

#[test]
fn functions_keep_to_what_is_stated() {
    let full = std::env::var("WINDROW_TEST").is_ok_and(|mode| mode == "full");
    // Neither divides 2^32, so that all last bits occur.
    let (step, pairs) = if full { (61, 50_000_000) } else { (6_151, 1_000_000) };
    for function in &FUNCTIONS {
        let found = measure(function, step, pairs);
        assert!(found.error <= function.bound, "{}: {found:?}", function.name);
        assert_eq!((found.outside, found.different), (0, 0), "{}: {found:?}", function.name);
        assert!(!function.rises || found.falls == 0, "{}: {found:?}", function.name);
        // What is stated is near what is found: a bound that grew too wide would hide a fault.
        assert!(found.error > 0.6 * function.bound, "{}: {found:?}", function.name);
    }
}
