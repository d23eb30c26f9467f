use super::{
    super::{super::local::LocalSize, candidates::tests::gpu},
    *,
};

/// A device whose times are a function of the candidate and of how often anything ran.
struct Fake<F> {
    time: F,
    runs: Vec<Candidate>,
}

impl<F: FnMut(Candidate, usize) -> Result<u64, &'static str>> Timer for Fake<F> {
    type Error = &'static str;

    fn run(&mut self, candidate: Candidate) -> Result<Duration, &'static str> {
        let time = Duration::from_micros((self.time)(candidate, self.runs.len())?);
        self.runs.push(candidate);
        Ok(time)
    }
}

fn fake<F: FnMut(Candidate, usize) -> Result<u64, &'static str>>(time: F) -> Fake<F> {
    Fake { time, runs: Vec::new() }
}

fn space() -> Space {
    Space { schedules: vec![gpu([64, 64]), gpu([32, 64])], default: 0 }
}

fn settings(level: TuneLevel) -> TuneSettings {
    TuneSettings::new(level)
}

const DEFAULT: Candidate = Candidate { schedule: 0, local: LocalSize::Driver };
const FASTEST: Candidate = Candidate { schedule: 0, local: LocalSize::Fixed(16, 4) };

#[test]
fn the_fastest_is_found() {
    let mut timer = fake(|candidate, _| Ok(if candidate == FASTEST { 50 } else { 100 }));
    let outcome = search(&space(), &settings(TuneLevel::Fast), &mut timer).unwrap();
    assert_eq!((outcome.best, outcome.is_complete), (FASTEST, true));
    assert_eq!((outcome.time.as_micros(), outcome.default_time.as_micros()), (50, 100));
    assert_eq!(outcome.measured, space().candidates(TuneLevel::Fast).len());
    assert_eq!(outcome.launches, timer.runs.len());
}

#[test]
fn another_schedule_is_found() {
    let wanted = Candidate { schedule: 1, local: LocalSize::Driver };
    let mut timer = fake(|candidate, _| Ok(if candidate == wanted { 70 } else { 100 }));
    assert_eq!(search(&space(), &settings(TuneLevel::Fast), &mut timer).unwrap().best, wanted);
}

#[test]
fn a_gain_below_the_margin_keeps_the_default() {
    let mut timer = fake(|candidate, _| Ok(if candidate == FASTEST { 98 } else { 100 }));
    let outcome = search(&space(), &settings(TuneLevel::Fast), &mut timer).unwrap();
    assert_eq!((outcome.best, outcome.time), (DEFAULT, outcome.default_time));
}

#[test]
fn one_lucky_run_decides_nothing() {
    // The third measured run of a candidate is a spike downwards.
    let mut timer = fake(|_, run| Ok(if run % 6 == 3 { 1 } else { 100 }));
    assert_eq!(search(&space(), &settings(TuneLevel::Normal), &mut timer).unwrap().best, DEFAULT);
}

#[test]
fn a_device_that_slows_down_does_not_favour_what_came_first() {
    // It runs at half speed from the 40th launch on: whoever seemed to win must win again.
    let mut timer = fake(|candidate, run| {
        let base = if candidate == DEFAULT { 100 } else { 99 };
        Ok(if run < 40 { base * 2 } else { base })
    });
    assert_eq!(search(&space(), &settings(TuneLevel::Normal), &mut timer).unwrap().best, DEFAULT);
}

#[test]
fn the_first_run_is_not_counted() {
    let mut ran = std::collections::BTreeSet::new();
    let mut timer = fake(move |candidate, _| {
        let cold = if ran.insert(candidate) { 200_000 } else { 0 };
        Ok(cold + if candidate == FASTEST { 50 } else { 100 })
    });
    assert_eq!(search(&space(), &settings(TuneLevel::Fast), &mut timer).unwrap().best, FASTEST);
}

#[test]
fn hopeless_candidates_are_run_twice_only() {
    let mut timer = fake(|candidate, _| Ok(if candidate == DEFAULT { 100 } else { 1000 }));
    let outcome = search(&space(), &settings(TuneLevel::Fast), &mut timer).unwrap();
    assert_eq!(outcome.launches, 6 + 2 * (outcome.measured - 1));
}

#[test]
fn budgets_hold() {
    for launches in [0, 6, 20, 50, 100] {
        let mut timer = fake(|candidate, run| Ok(if candidate == DEFAULT { 1000 } else { 900 - run as u64 }));
        let settings = TuneSettings { launches, ..settings(TuneLevel::Exhaustive) };
        let outcome = search(&space(), &settings, &mut timer).unwrap();
        assert!(!outcome.is_complete);
        assert!(timer.runs.len() <= launches.max(6), "{launches}: {}", timer.runs.len());
    }
}

#[test]
fn a_candidate_that_fails_is_passed_over_and_told() {
    let mut timer = fake(|candidate, _| match candidate.local {
        LocalSize::Fixed(x, _) if x >= 32 => Err("no"),
        LocalSize::Fixed(..) | LocalSize::Driver => Ok(if candidate == FASTEST { 50 } else { 100 }),
    });
    let outcome = search(&space(), &settings(TuneLevel::Fast), &mut timer).unwrap();
    assert_eq!(outcome.best, FASTEST);
    assert!(!outcome.failed.is_empty());
    let mut broken = fake(|_, _| Err("no"));
    assert_eq!(search(&space(), &settings(TuneLevel::Fast), &mut broken), Err("no"));
}

#[test]
fn a_winner_that_fails_in_the_end_does_not_win() {
    let mut runs_of_fastest = 0;
    let mut timer = fake(move |candidate, _| {
        runs_of_fastest += usize::from(candidate == FASTEST);
        if runs_of_fastest > 6 { Err("worn out") } else { Ok(if candidate == FASTEST { 50 } else { 100 }) }
    });
    let outcome = search(&space(), &settings(TuneLevel::Fast), &mut timer).unwrap();
    assert_eq!((outcome.best, outcome.failed.len()), (DEFAULT, 1));
}
