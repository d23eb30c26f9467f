//! The committed digests of a crate's kernels: `digests.txt` beside its `Cargo.toml`, a line a kernel.
//!
//! A crate keeps digests by having the file. Then no kernel's results change unseen: the generated test of a kernel
//! whose line is missing or differs fails, and `WINDROW_BLESS=1` writes the line.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::{Mutex, PoisonError},
};

use super::{run::digest_of, subject::Subject};
use windrow_runtime::code::Kernel;

/// The environment variable that makes tests write what they would compare.
pub const BLESS_VARIABLE: &str = "WINDROW_BLESS";

/// The generated tests run on several threads, and all write one file.
static FILE: Mutex<()> = Mutex::new(());

/// Compares the digest of `K` with its line in the `digests.txt` of the crate in `folder`, if there is such a file.
///
/// # Panics
/// Where the line is missing or differs, or the file can't be read or written.
pub fn check_digest<K: Kernel>(folder: &str) {
    check_digest_of(Subject::of::<K>(), folder);
}

fn check_digest_of(subject: Subject, folder: &str) {
    let path = Path::new(folder).join("digests.txt");
    if !path.exists() {
        return;
    }
    let (kernel, found) = (subject.spec().name, digest_of(subject).to_string());
    let _one_at_a_time = FILE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut digests = read(&path);
    if std::env::var_os(BLESS_VARIABLE).is_some() {
        digests.insert(kernel.into(), found);
        write(&path, &digests);
        return;
    }
    match digests.get(kernel) {
        Some(expected) if *expected == found => {}
        Some(expected) => panic!(
            "the results of {kernel} have changed: their digest is {found}, {} has {expected}; where that is meant, \
             run the test with {BLESS_VARIABLE}=1",
            path.display()
        ),
        None => panic!("{} has no line for {kernel}; run the test with {BLESS_VARIABLE}=1", path.display()),
    }
}

/// The digests by kernel.
fn read(path: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
    let line = |line: &str| line.split_once(' ').map(|(kernel, digest)| (kernel.into(), digest.trim().into()));
    text.lines().filter_map(line).collect()
}

fn write(path: &Path, digests: &BTreeMap<String, String>) {
    let text: String = digests.iter().map(|(kernel, digest)| format!("{kernel} {digest}\n")).collect();
    fs::write(path, text).unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
}
