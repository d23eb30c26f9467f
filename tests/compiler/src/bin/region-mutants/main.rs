//! Proves that the runtime's tests bite: makes every sum, product and range of the region arithmetic wrong by one, in
//! both directions, and every comparison lax or strict, and counts the mistakes that no test sees.
//!
//! `cargo run -p windrow-compiler-tests --bin region-mutants [--only FILE[:LINE]] [FOLDER]`. The folder keeps the build.
//! Mistakes that change nothing are argued in `docs/mutants.md`, in a table that this program reads: a row that no longer
//! holds fails.

mod equivalents;
mod mutate;
mod suite;

use mutate::Mutant;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;
use suite::Test;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut only, mut folder) = (String::new(), std::env::temp_dir().join("windrow-region-mutants"));
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--only" => only = arguments.next().expect("--only takes FILE or FILE:LINE"),
            _ => folder = PathBuf::from(argument),
        }
    }
    let equivalents = equivalents::read(&root);
    let mutants = mutate::copy(&root, &folder);
    let tests = suite::build(&folder);
    let started = Instant::now();
    let chosen: Vec<usize> = (0..mutants.len())
        .filter(|&i| only.is_empty() || only == mutants[i].file || only == place(&mutants[i]))
        .collect();
    let alive = survivors(&mutants, &tests, &chosen);
    let seconds = started.elapsed().as_secs();

    let argued = |i: &usize| equivalents.iter().any(|row| row.is(&mutants[*i]));
    let (living, equal): (Vec<usize>, Vec<usize>) = {
        let all: Vec<usize> = chosen.iter().copied().filter(|&i| alive[i]).collect();
        (all.iter().copied().filter(|i| !argued(i)).collect(), all.iter().copied().filter(argued).collect())
    };
    println!("| Place | Text | Change |\n|---|---|---|");
    for &i in &living {
        let Mutant { file, function, text, change, .. } = &mutants[i];
        println!("| `{file}: {function}` | `{}` | {change} |", text.replace('|', "\\|"));
    }
    let caught = chosen.len() - living.len() - equal.len();
    let percent = |of: usize| caught as f64 * 100.0 / of.max(1) as f64;
    let different = chosen.len() - equal.len();
    println!("{caught} of {} mistakes caught ({:.1} %): {seconds} s", chosen.len(), percent(chosen.len()));
    println!("{} change nothing, of the others {:.1} % are caught", equal.len(), percent(different));
    let faults: Vec<String> = match only.is_empty() {
        true => equivalents.iter().flat_map(|row| row.faults(&mutants, &alive)).collect(),
        false => Vec::new(),
    };
    faults.iter().for_each(|fault| println!("docs/mutants.md: {fault}"));
    if faults.is_empty() && caught * 100 >= different * 95 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn place(mutant: &Mutant) -> String {
    format!("{}:{}", mutant.file, mutant.line)
}

/// Which of the chosen mistakes no test sees; as many at once as there are processors.
fn survivors(mutants: &[Mutant], tests: &[Test], chosen: &[usize]) -> Vec<bool> {
    let alive: Vec<AtomicBool> = mutants.iter().map(|_| AtomicBool::new(false)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(&i) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
            if tests.iter().all(|test| test.passes(i)) {
                eprintln!(
                    "{i} of {} lives: {} `{}` {}",
                    mutants.len(),
                    place(&mutants[i]),
                    mutants[i].text,
                    mutants[i].change
                );
                alive[i].store(true, Ordering::Relaxed);
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
    alive.into_iter().map(AtomicBool::into_inner).collect()
}
