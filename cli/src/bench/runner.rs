// Times kernels, and prints a line for each result: fields with tabs between them.

use std::{env, io, time::Duration};

use windrow::testing::{BenchOptions, BenchTimes, bench};

#[allow(dead_code, reason = "a test calls `time_all` itself")]
fn main() -> io::Result<()> {
    let number = |index| env::args().nth(index).expect("four arguments");
    let whole = |index| number(index).parse().expect("a number");
    let budget = Duration::from_secs_f64(number(4).parse().expect("a number of seconds"));
    let options = BenchOptions { width: whole(1), height: whole(2), rounds: whole(3), budget };
    time_all(&options, &mut io::stdout())
}

fn say(to: &mut dyn io::Write, kernel: &str, times: impl FnOnce() -> Result<BenchTimes, String>) -> io::Result<()> {
    eprintln!("     Timing {kernel}");
    let one_line = |text: String| text.replace(['\n', '\t', '\r'], " ");
    let times = match times() {
        Err(why) => return writeln!(to, "refused\t{kernel}\t{}", one_line(why)),
        Ok(times) => times,
    };
    let BenchTimes { bytes, border, compared, author, ways } = times;
    writeln!(to, "kernel\t{kernel}\t{bytes}\t{}\t{compared}\t{author}", border.name())?;
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
