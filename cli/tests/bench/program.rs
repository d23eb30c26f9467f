include!("../../src/bench/runner.rs");

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
