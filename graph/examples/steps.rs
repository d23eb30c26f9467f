//! Runs a model of ONNX or TFLite, once for each line that it reads, and prints the milliseconds of each run; at the end, what each step took.
//!
//! ```text
//! yes | head -20 | cargo run --release -p windrow-graph --example steps -- model.onnx [--threads]
//! ```
//!
//! With the feature `opencl`, `--device` runs it on an OpenCL device: what is printed is the time from the launch of the first step to the end of the
//! last, of inputs that lie there.

use std::{
    error::Error,
    io::{BufRead, Write, stdin, stdout},
    time::Instant,
};

use windrow::{AnyView, AnyViewMut, InvalidTensor, Rayon, Scheduler, Serial, Tensor, TensorInfo, tensor::DType};
use windrow_graph::{Model, Plan, PlanOptions, Requantization};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("the path of a model is missing")?;
    let words: Vec<String> = arguments.collect();
    let has = |option: &str| words.iter().any(|word| word == option);
    let scheduler: &dyn Scheduler = if has("--threads") { &Rayon::new() } else { &Serial };
    let on_device = has("--device");
    let mut options = PlanOptions::default();
    // As XNNPACK rounds, beside which quantised networks are timed.
    options.requantization = Requantization::Float;
    let plan = Model::from_bytes(&std::fs::read(path)?)?.plan_with(&options)?;
    if on_device {
        return device(plan);
    }
    let inputs = plan.inputs().map(|(_, info)| Given::new(info)).collect::<Result<Vec<_>, _>>()?;
    let mut outputs = plan.outputs().map(|(_, info)| Given::new(info)).collect::<Result<Vec<_>, _>>()?;
    let views: Vec<_> = inputs.iter().map(Given::view).collect();
    let mut best = vec![f64::INFINITY; plan.steps().len()];
    for line in stdin().lock().lines() {
        line?;
        let mut written: Vec<_> = outputs.iter_mut().map(Given::view_mut).collect();
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

#[cfg(not(feature = "opencl"))]
fn device(_: Plan) -> Result<(), Box<dyn Error>> {
    Err("`--device` needs the feature `opencl`".into())
}

#[cfg(feature = "opencl")]
fn device(plan: Plan) -> Result<(), Box<dyn Error>> {
    use windrow::opencl::{Context, DeviceMemory};

    let context = Context::open()?;
    let plan = windrow_graph::DevicePlan::new(std::sync::Arc::new(plan), &DeviceMemory::new(&context))?;
    for (index, (_, info)) in plan.plan().inputs().enumerate() {
        plan.input(index).ok_or("an input has no place")?.write(&Given::new(info)?.view().without_quantization())?;
    }
    for line in stdin().lock().lines() {
        line?;
        let start = Instant::now();
        plan.launch()?;
        context.sync()?;
        println!("{:.3}", start.elapsed().as_secs_f64() * 1e3);
        stdout().flush()?;
    }
    context.set_profiling(true)?;
    plan.launch()?;
    context.sync()?;
    eprint!("{}", context.profiler().take()?.table());
    Ok(())
}

/// A tensor of one of the types that networks read and write.
enum Given {
    Floats(Tensor<f32>),
    Bytes(Tensor<i8>),
}

impl Given {
    /// What the numbers are is nothing to the time, save that they are no denormals.
    fn new(info: &TensorInfo) -> Result<Given, InvalidTensor> {
        if info.dtype() == DType::I8 {
            let mut tensor = Tensor::<i8>::with_info(*info)?;
            let element = |place: usize| (place * 31 % 101) as i8 - 50;
            tensor.storage_mut().iter_mut().enumerate().for_each(|(place, value)| *value = element(place));
            return Ok(Given::Bytes(tensor));
        }
        let mut tensor = Tensor::<f32>::with_info(*info)?;
        let element = |place: usize| (place * 31 % 101) as f32 / 50.0 - 1.0;
        tensor.storage_mut().iter_mut().enumerate().for_each(|(place, value)| *value = element(place));
        Ok(Given::Floats(tensor))
    }

    fn view(&self) -> AnyView<'_> {
        match self {
            Given::Floats(tensor) => tensor.view().any(),
            Given::Bytes(tensor) => tensor.view().any(),
        }
    }

    fn view_mut(&mut self) -> AnyViewMut<'_> {
        match self {
            Given::Floats(tensor) => tensor.view_mut().any(),
            Given::Bytes(tensor) => tensor.view_mut().any(),
        }
    }
}
