//! What this machine can run a kernel on, and what it lacks.

use std::{error::Error, fmt};

use windrow::{
    Configured, Kernel, Rayon, Scheduler, Serial, Tier,
    opencl::{Context, Device, Devices, OpenClError, OpenClKernel},
};

/// Something that runs kernels.
#[derive(Clone)]
pub enum Target {
    /// The processor, by the bodies of a tier.
    Processor(Tier),
    /// An OpenCL device, and its name in the table.
    Device(Context, String),
}

/// A column of the table: a target, and on a processor how many threads.
pub struct Column {
    pub target: Target,
    threads: Threads,
}

/// Who runs a kernel on a processor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Threads {
    One,
    All,
}

/// A target that this machine lacks, and what would add it.
pub struct Missing {
    pub name: &'static str,
    pub reason: String,
    pub remedy: &'static str,
}

/// A configured kernel, ready to run somewhere.
pub enum Runner<K: Kernel> {
    /// The author's function, element by element: what all others are held to.
    Author(Configured<K>),
    OneThread(Configured<K>),
    AllThreads(Configured<K>),
    Device(Box<OpenClKernel<K>>),
}

impl Column {
    /// Readies a kernel; on a device this builds its program.
    pub fn ready<K: Kernel>(&self, configured: &Configured<K>) -> Result<Runner<K>, Box<dyn Error>> {
        let configured = configured.clone();
        Ok(match (&self.target, self.threads) {
            (Target::Processor(tier), Threads::One) => Runner::OneThread(on_tier(configured, *tier)?),
            (Target::Processor(tier), Threads::All) => Runner::AllThreads(on_tier(configured, *tier)?),
            (Target::Device(context, _), _) => Runner::Device(Box::new(OpenClKernel::new(context, configured)?)),
        })
    }

    /// How many threads run a kernel, in words; nothing of a device.
    pub fn threads(&self) -> String {
        match (&self.target, self.threads) {
            (Target::Device(..), _) => String::new(),
            (Target::Processor(_), Threads::One) => threads(1),
            (Target::Processor(_), Threads::All) => threads(Rayon::new().num_threads()),
        }
    }
}

/// On how many threads processors run the operators: on one, and on all where there are several.
pub fn thread_counts() -> impl Iterator<Item = usize> {
    let all = Rayon::new().num_threads();
    std::iter::once(1).chain((all > 1).then_some(all))
}

/// The words for a number of threads.
pub fn threads(count: usize) -> String {
    if count == 1 { "1 thread".to_owned() } else { format!("{count} threads") }
}

/// The columns for these targets: processors by each number of threads. Plain Rust on one thread comes first.
pub fn columns(targets: Vec<Target>) -> Vec<Column> {
    let all = if thread_counts().count() > 1 { &[Threads::One, Threads::All][..] } else { &[Threads::One] };
    let mut columns: Vec<Column> = targets
        .into_iter()
        .flat_map(|target| {
            let threads = if matches!(target, Target::Device(..)) { &[Threads::All][..] } else { all };
            threads.iter().map(move |threads| Column { target: target.clone(), threads: *threads })
        })
        .collect();
    columns.sort_by_key(|column| match column.target {
        Target::Processor(tier) => (tier as usize, column.threads == Threads::All),
        Target::Device(..) => (usize::MAX, true),
    });
    columns
}

impl Target {
    /// What the machine says of it.
    pub fn description(&self) -> String {
        match self {
            Target::Processor(Tier::Scalar) => "plain Rust".to_owned(),
            Target::Processor(tier) => format!("this processor's {tier}"),
            Target::Device(context, _) => context.device().to_string(),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Processor(tier) => tier.fmt(f),
            Target::Device(_, name) => f.write_str(name),
        }
    }
}

impl<K: Kernel> Runner<K> {
    /// Runs once, from the host's memory to the host's memory.
    pub fn run(&self, inputs: K::Inputs<'_>, outputs: K::Outputs<'_>) -> Result<(), Box<dyn Error>> {
        match self {
            Runner::Author(configured) => configured.run_reference(inputs, outputs)?,
            Runner::OneThread(configured) => configured.run(&Serial, inputs, outputs)?,
            Runner::AllThreads(configured) => configured.run(&Rayon::new(), inputs, outputs)?,
            Runner::Device(kernel) => kernel.run(inputs, outputs)?,
        }
        Ok(())
    }
}

/// Every target of this machine, and those that it lacks. `bodies` are the tiers that kernels have bodies for here.
pub fn find(bodies: impl Iterator<Item = Tier>) -> (Vec<Target>, Vec<Missing>) {
    let (mut targets, mut missing) = (Vec::new(), Vec::new());
    for tier in bodies {
        if tier.is_available() {
            targets.push(Target::Processor(tier));
        } else {
            missing.push(Missing {
                name: tier.name(),
                reason: "this processor lacks it".to_owned(),
                remedy: "apt-get install qemu-user-static; qemu-x86_64-static -cpu max target/release/photo",
            });
        }
    }
    if !Tier::Neon.is_available() {
        missing.push(Missing {
            name: "neon",
            reason: format!("this processor is {}", std::env::consts::ARCH),
            remedy: "cargo xtask setup neon && cargo xtask test neon    # runs it under emulation",
        });
    }
    match devices() {
        Ok(devices) => targets.extend(devices),
        Err(error) => missing.push(Missing {
            name: "opencl",
            reason: error.to_string(),
            remedy: "apt-get install pocl-opencl-icd ocl-icd-libopencl1    # a device made of the processor",
        }),
    }
    (targets, missing)
}

fn devices() -> Result<Vec<Target>, OpenClError> {
    let devices = Devices::find()?;
    let one = devices.iter().len() == 1;
    let target = |device: &Device| {
        let name = if one { "opencl".to_owned() } else { format!("opencl {}", device.index) };
        Ok(Target::Device(Context::new(device)?, name))
    };
    devices.iter().map(target).collect()
}

/// The configuration on a tier, or on the best below it: a wider vector does not pay for every kernel.
fn on_tier<K: Kernel>(configured: Configured<K>, tier: Tier) -> Result<Configured<K>, windrow::InvalidConfiguration> {
    let own = configured.tiers().find(|own| *own <= tier).unwrap_or(tier);
    configured.with_tier(own)
}
