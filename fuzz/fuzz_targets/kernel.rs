//! One input of libFuzzer: eight bytes choose a mutated kernel, any other length is the text itself.
#![no_main]

use libfuzzer_sys::fuzz_target;
use windrow_compiler_tests::mutate::Mutator;
use windrow_compiler_tests::probe::probe;

thread_local! {
    static MUTATOR: Mutator = Mutator::new();
}

fuzz_target!(|bytes: &[u8]| {
    let source = match <[u8; 8]>::try_from(bytes) {
        Ok(seed) => MUTATOR.with(|mutator| mutator.input(u64::from_le_bytes(seed)).to_string()),
        Err(_) => String::from_utf8_lossy(bytes).into_owned(),
    };
    if let Err(fault) = probe(&source, true) {
        panic!("{fault}\n{source}");
    }
});
