//! Runs an ONNX model, once for each line that it reads, and prints the milliseconds of each run; at the end, what each step took.
//!
//! ```text
//! yes | head -20 | cargo run --release -p windrow-graph --example steps -- model.onnx [--threads]
//! ```

use std::{
    error::Error,
    io::{BufRead, Write, stdin, stdout},
    time::Instant,
};

use windrow::{Rayon, Scheduler, Serial, Tensor, TensorInfo};
use windrow_graph::Model;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("the path of a model is missing")?;
    let scheduler: &dyn Scheduler = if arguments.any(|word| word == "--threads") { &Rayon::new() } else { &Serial };
    let plan = Model::from_onnx(&std::fs::read(path)?)?.plan()?;
    let tensor = |extents: &[usize]| Tensor::<f32>::with_info(TensorInfo::of::<f32>(extents)?);
    let mut inputs = plan.inputs().map(|(_, info)| tensor(&info.shape().extents())).collect::<Result<Vec<_>, _>>()?;
    for input in &mut inputs {
        // What the numbers are is nothing to the time, save that they are no denormals.
        let element = |place: usize| (place * 31 % 101) as f32 / 50.0 - 1.0;
        input.storage_mut().iter_mut().enumerate().for_each(|(place, value)| *value = element(place));
    }
    let mut outputs = plan.outputs().map(|(_, info)| tensor(&info.shape().extents())).collect::<Result<Vec<_>, _>>()?;
    let views: Vec<_> = inputs.iter().map(|input| input.view().any()).collect();
    let mut best = vec![f64::INFINITY; plan.steps().len()];
    for line in stdin().lock().lines() {
        line?;
        let mut written: Vec<_> = outputs.iter_mut().map(|output| output.view_mut().any()).collect();
        let (start, mut step) = (Instant::now(), 0);
        plan.run_timed(scheduler, &views, &mut written, |_, took| {
            best[step] = best[step].min(took.as_secs_f64());
            step += 1;
        })?;
        println!("{:.3}", start.elapsed().as_secs_f64() * 1e3);
        stdout().flush()?;
    }
    for (step, best) in plan.steps().iter().zip(best) {
        eprintln!("{:9.3} ms  {:16} {:20} {:?}", best * 1e3, step.kernel(), step.node(), step.extents());
    }
    Ok(())
}
