// Times kernels and pipelines, and prints a line for each result: fields with tabs between them.

use std::{env, io, time::Duration};

#[allow(unused_imports, reason = "a file may have no kernel or no pipeline")]
use windrow::testing::{BenchOptions, BenchTimes, PipelineTimes, WayTimes, bench, bench_pipeline};

#[allow(dead_code, reason = "a test calls `time_all` itself")]
fn main() -> io::Result<()> {
    let number = |index| env::args().nth(index).expect("four arguments");
    let whole = |index| number(index).parse().expect("a number");
    let budget = Duration::from_secs_f64(number(4).parse().expect("a number of seconds"));
    let options = BenchOptions { width: whole(1), height: whole(2), rounds: whole(3), budget };
    time_all(&options, &mut io::stdout())
}

#[allow(dead_code, reason = "a file may have no kernel")]
fn say(to: &mut dyn io::Write, kernel: &str, times: impl FnOnce() -> Result<BenchTimes, String>) -> io::Result<()> {
    eprintln!("     Timing {kernel}");
    match times() {
        Err(why) => writeln!(to, "refused\t{kernel}\t{}", one_line(why)),
        Ok(BenchTimes { bytes, border, compared, author, ways }) => {
            writeln!(to, "kernel\t{kernel}\t{bytes}\t{}\t{compared}\t{author}", border.name())?;
            say_ways(to, ways)
        }
    }
}

#[allow(dead_code, reason = "a file may have no pipeline")]
fn say_pipeline(
    to: &mut dyn io::Write,
    pipeline: &str,
    times: impl FnOnce() -> Result<PipelineTimes, String>,
) -> io::Result<()> {
    eprintln!("     Timing {pipeline}");
    match times() {
        Err(why) => writeln!(to, "refused\t{pipeline}\t{}", one_line(why)),
        Ok(PipelineTimes { bytes, ways }) => {
            writeln!(to, "pipeline\t{pipeline}\t{bytes}")?;
            say_ways(to, ways)
        }
    }
}

fn one_line(text: String) -> String {
    text.replace(['\n', '\t', '\r'], " ")
}

fn say_ways(to: &mut dyn io::Write, ways: Vec<WayTimes>) -> io::Result<()> {
    for way in ways {
        let name = one_line(way.name);
        match way.times {
            Err(why) => writeln!(to, "failed\t{name}\t{}", one_line(why))?,
            Ok(times) => {
                let times: Vec<String> = times.iter().map(|time| time.as_nanos().to_string()).collect();
                writeln!(to, "way\t{name}\t{}", times.join(","))?;
            }
        }
    }
    Ok(())
}

#[path = "../../../operators/src/filter/gaussian3x3.rs"]
#[allow(dead_code)]
mod file0;

#[path = "../../../operators/src/tensor/relu.rs"]
#[allow(dead_code)]
mod file1;

#[path = "../../../cli/tests/bench/edges.rs"]
#[allow(dead_code)]
mod file2;

pub fn time_all(options: &BenchOptions, to: &mut dyn io::Write) -> io::Result<()> {
    say(to, "gaussian3x3", || bench::<file0::gaussian3x3>(options))?;
    say(to, "relu", || bench::<file1::relu>(options))?;
    say(to, "bounded_relu", || bench::<file1::bounded_relu>(options))?;
    say_pipeline(to, "edges", || bench_pipeline::<file2::edges>(options))?;
    Ok(())
}
