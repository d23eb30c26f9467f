//! The results of a benchmark, and their tables.

use std::fmt::Write;

use super::{Size, error::BenchError};

/// What came of a kernel or a pipeline.
pub struct Report {
    /// Its name.
    pub name: String,
    /// Its results; or why it was not timed.
    pub result: Result<Timed, String>,
}

/// The results of a kernel or a pipeline.
pub struct Timed {
    bytes: u64,
    of: Subject,
    /// Every way to run it: first the one that the others are compared with, the author's function or a pipeline's kernels one by one.
    pub ways: Vec<Way>,
}

/// What was timed.
enum Subject {
    Kernel {
        border: String,
        /// The share of the elements that results were compared on.
        compared: f64,
        /// The share of the elements that the author's function was timed on.
        author: f64,
    },
    Pipeline,
}

/// A way to run a kernel or a pipeline.
pub struct Way {
    /// A target and its threads; or a copy.
    pub name: String,
    /// How long its runs took; or why it was not timed.
    pub times: Result<Quartiles, String>,
}

/// The quartiles of the times of a way, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quartiles {
    lower: f64,
    /// The one in the middle.
    pub median: f64,
    upper: f64,
}

impl Quartiles {
    /// Those of times in nanoseconds; none of no times.
    fn of(mut times: Vec<u64>) -> Option<Self> {
        times.sort_unstable();
        let at =
            |quarters: usize| times.get(times.len().checked_sub(1)? * quarters / 4).map(|time| *time as f64 * 1e-9);
        Some(Self { lower: at(1)?, median: at(2)?, upper: at(3)? })
    }

    /// Whether something else kept the machine busy: they are more than 15 % of the median apart.
    fn is_disturbed(&self) -> bool {
        self.upper - self.lower > 0.15 * self.median
    }
}

impl Way {
    /// Whether it computes something, and is not a copy.
    pub fn computes(&self) -> bool {
        !self.name.starts_with("copy")
    }

    /// The name of the copy that moves as many bytes by the same means.
    fn floor(&self) -> Option<String> {
        match self.name.split_once(", ") {
            Some((_, threads)) => Some(format!("copy, {threads}")),
            None => self.name.starts_with("OpenCL").then(|| format!("copy on {}", self.name)),
        }
    }
}

impl Timed {
    /// The median of a way.
    pub fn median(&self, name: &str) -> Option<f64> {
        let way = self.ways.iter().find(|way| way.name == name)?;
        way.times.as_ref().ok().map(|times| times.median)
    }

    /// What a reader of the table must know.
    fn notes(&self) -> String {
        let mut notes = match self.of {
            Subject::Kernel { compared, author, .. } => notes_of_kernel(compared, author),
            Subject::Pipeline => "One by one, each kernel runs over its whole image; in bands, rows between kernels stay in the cache; the pipeline fuses what it can.\n".to_owned(),
        };
        if self.ways.iter().any(|way| way.times.as_ref().is_ok_and(Quartiles::is_disturbed)) {
            notes += "~ the quartiles are over 15 % apart: something else kept the machine busy.\n";
        }
        notes
    }

    /// How many times as fast as the first way a way is.
    pub fn speed(&self, way: &Way) -> Option<f64> {
        let first = self.ways.first()?.times.as_ref().ok()?.median;
        Some(first / way.times.as_ref().ok()?.median)
    }
}

fn notes_of_kernel(compared: f64, author: f64) -> String {
    let mut notes =
        "The author's function is called for each element by itself, as the tests do; `scalar` is plain Rust over rows.\n"
            .to_owned();
    if author < 1.0 {
        let share = percent(author);
        notes += &format!("The author's function was timed on {share} of the elements; its time is scaled to all.\n");
    }
    if compared < 1.0 {
        let share = percent(compared);
        notes += &format!(
            "The author's function takes seconds: results were compared on the first {share} of the elements.\n"
        );
    }
    notes
}

/// The results that the benchmark printed.
///
/// # Errors
/// A line is not a result.
pub fn parse(said: &str) -> Result<Vec<Report>, BenchError> {
    let mut reports: Vec<Report> = Vec::new();
    for line in said.lines() {
        let wrong = || BenchError::Line(line.to_owned());
        let fields: Vec<&str> = line.split('\t').collect();
        if let ["refused", name, why] = fields[..] {
            reports.push(Report { name: name.to_owned(), result: Err(why.to_owned()) });
        } else if let ["kernel", kernel, bytes, border, compared, author] = fields[..] {
            let bytes = bytes.parse().map_err(|_| wrong())?;
            let [compared, author] = [share(compared).ok_or_else(wrong)?, share(author).ok_or_else(wrong)?];
            let of = Subject::Kernel { border: border.to_owned(), compared, author };
            reports.push(Report { name: kernel.to_owned(), result: Ok(Timed { bytes, of, ways: Vec::new() }) });
        } else if let ["pipeline", pipeline, bytes] = fields[..] {
            let bytes = bytes.parse().map_err(|_| wrong())?;
            let timed = Timed { bytes, of: Subject::Pipeline, ways: Vec::new() };
            reports.push(Report { name: pipeline.to_owned(), result: Ok(timed) });
        } else if let [kind @ ("way" | "failed"), name, result] = fields[..] {
            let times = match kind {
                "failed" => Err(result.to_owned()),
                _ => {
                    let times: Result<Vec<u64>, _> = result.split(',').map(str::parse).collect();
                    Ok(times.ok().and_then(Quartiles::of).ok_or_else(wrong)?)
                }
            };
            let last = reports.last_mut().and_then(|report| report.result.as_mut().ok()).ok_or_else(wrong)?;
            last.ways.push(Way { name: name.to_owned(), times });
        } else {
            return Err(wrong());
        }
    }
    Ok(reports)
}

/// A share of elements: above 0, and 1 for all.
fn share(text: &str) -> Option<f64> {
    text.parse().ok().filter(|share| *share > 0.0 && *share <= 1.0)
}

/// A share for people, to two digits.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let digits = (1.0 - percent.log10().floor()).clamp(0.0, 9.0) as usize;
    format!("{percent:.digits$} %")
}

/// The report of a kernel or a pipeline that the program doesn't have.
pub fn left_out(name: &str) -> Report {
    Report { name: name.to_owned(), result: Err("its `#[cfg]` leaves it out of this build".to_owned()) }
}

impl Report {
    /// The table.
    pub fn to_text(&self, size: Size) -> String {
        let Self { name, result } = self;
        let timed = match result {
            Err(why) => return format!("{name}: not timed: {why}\n\n"),
            Ok(timed) => timed,
        };
        let Size { width, height } = size;
        let megabytes = timed.bytes as f64 / 1e6;
        let (border, against) = match &timed.of {
            Subject::Kernel { border, .. } => (format!(", border {border}"), "× author"),
            Subject::Pipeline => (String::new(), "× one by one"),
        };
        let mut text = format!("{name}: {width} × {height}{border}, {megabytes:.1} MB read and written\n");
        let wide = against.chars().count().max(9);
        let longest = timed.ways.iter().map(|way| way.name.chars().count()).max().unwrap_or(0);
        let _ = writeln!(
            text,
            "  {:longest$}  {:>10}  {:>21}  {against:>wide$}  {:>8}",
            "", "median", "quartiles", "of copy"
        );
        for way in &timed.ways {
            let _ = write!(text, "  {:longest$}  ", way.name);
            let (Quartiles { lower, median, upper }, mark) = match way.times {
                Ok(times) => (times, if times.is_disturbed() { "~" } else { " " }),
                Err(ref why) => {
                    let _ = writeln!(text, "{why}");
                    continue;
                }
            };
            let speed =
                timed.speed(way).filter(|_| way.computes()).map_or(String::new(), |speed| format!("{speed:.1}"));
            let floor = way.floor().filter(|_| way.computes()).and_then(|copy| timed.median(&copy));
            let share = floor.map_or(String::new(), |floor| format!("{:.0} %", 100.0 * floor / median));
            let [lower, median, upper] = [lower, median, upper].map(|seconds| seconds * 1e3);
            let quartiles = format!("{lower:.3} – {upper:.3} ms");
            let line = format!("{:>10}  {quartiles:>21}{mark} {speed:>wide$}  {share:>8}", format!("{median:.3} ms"));
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text + &timed.notes() + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "kernel\tblur\t4000000\treplicate\t1\t0.0125\nway\tauthor's function\t30000000,10000000,20000000\n\
                        way\tavx2, 1 thread\t1000000\nfailed\tOpenCL on X\tno memory\nway\tcopy, 1 thread\t500000\n\
                        refused\tsharpen\ttoo large\n";

    #[test]
    fn results_are_read() {
        let reports = parse(SAID).unwrap();
        assert_eq!(reports.iter().map(|report| report.name.as_str()).collect::<Vec<_>>(), ["blur", "sharpen"]);
        let timed = reports[0].result.as_ref().unwrap();
        assert_eq!(timed.ways[0].times, Ok(Quartiles { lower: 0.01, median: 0.02, upper: 0.02 }));
        assert_eq!(timed.speed(&timed.ways[1]), Some(20.0));
    }

    #[test]
    fn a_table_has_times_speeds_and_reasons() {
        let reports = parse(SAID).unwrap();
        let text = reports[0].to_text(Size { width: 2000, height: 1000 });
        let expected = "\
blur: 2000 × 1000, border replicate, 4.0 MB read and written
                         median              quartiles   × author   of copy
  author's function   20.000 ms     10.000 – 20.000 ms~       1.0
  avx2, 1 thread       1.000 ms       1.000 – 1.000 ms       20.0      50 %
  OpenCL on X        no memory
  copy, 1 thread       0.500 ms       0.500 – 0.500 ms
The author's function is called for each element by itself, as the tests do; `scalar` is plain Rust over rows.
The author's function was timed on 1.2 % of the elements; its time is scaled to all.
~ the quartiles are over 15 % apart: something else kept the machine busy.

";
        assert_eq!(text, expected);
        assert_eq!(reports[1].to_text(Size { width: 1, height: 1 }), "sharpen: not timed: too large\n\n");
    }

    #[test]
    fn a_pipeline_is_compared_with_its_kernels() {
        let said = "pipeline\tedges\t4000000\nway\tone by one, 1 thread\t4000000\nfailed\tin bands, 1 thread\tno bands\n\
                    way\tpipeline, 1 thread\t1000000\nway\tcopy, 1 thread\t500000\n";
        let text = parse(said).unwrap()[0].to_text(Size { width: 2000, height: 1000 });
        let expected = "\
edges: 2000 × 1000, 4.0 MB read and written
                            median              quartiles  × one by one   of copy
  one by one, 1 thread    4.000 ms       4.000 – 4.000 ms           1.0      12 %
  in bands, 1 thread    no bands
  pipeline, 1 thread      1.000 ms       1.000 – 1.000 ms           4.0      50 %
  copy, 1 thread          0.500 ms       0.500 – 0.500 ms
One by one, each kernel runs over its whole image; in bands, rows between kernels stay in the cache; the pipeline fuses what it can.

";
        assert_eq!(text, expected);
    }

    #[test]
    fn other_lines_are_refused() {
        for line in [
            "hello",
            "way\tx\t1",
            "kernel\tx\tmany\treplicate\t1\t1",
            "kernel\tx\t1\treplicate\t1\t0",
            "kernel\tx\t1\treplicate\t1\t1\nway\tx\t",
        ] {
            assert!(matches!(parse(line), Err(BenchError::Line(_))), "{line}");
        }
    }
}
