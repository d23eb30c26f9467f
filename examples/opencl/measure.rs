//! Times, and the table that shows them.

use std::{
    fmt,
    time::{Duration, Instant},
};

/// What took how long.
#[derive(Default)]
pub struct Table {
    rows: Vec<(&'static str, Duration)>,
}

impl Table {
    /// Times `run` once.
    pub fn time<T, E>(&mut self, what: &'static str, run: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let started = Instant::now();
        let value = run()?;
        self.add(what, started.elapsed());
        Ok(value)
    }

    /// The median of nine runs.
    pub fn repeat<E>(&mut self, what: &'static str, run: impl Fn() -> Result<(), E>) -> Result<(), E> {
        self.each(what, 1, run)
    }

    /// The median of nine runs of `count` launches each, for one of them.
    pub fn each<E>(&mut self, what: &'static str, count: u32, run: impl Fn() -> Result<(), E>) -> Result<(), E> {
        let mut times = [Duration::ZERO; 9];
        for time in &mut times {
            let started = Instant::now();
            run()?;
            *time = started.elapsed();
        }
        times.sort();
        self.add(what, times[times.len() / 2] / count);
        Ok(())
    }

    /// A time measured elsewhere.
    pub fn add(&mut self, what: &'static str, time: Duration) {
        self.rows.push((what, time));
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, time) in &self.rows {
            writeln!(f, "{what:40} {:10.3} ms", time.as_secs_f64() * 1e3)?;
        }
        Ok(())
    }
}
