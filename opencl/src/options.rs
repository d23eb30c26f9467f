//! What a context is asked for, and what of it a device can give.
//!
//! [`plan`] looks at [`DeviceCaps`] only, so that it can be tried for devices that aren't here.

use crate::{
    DeviceCaps, Hint, HintReport, KernelFolder, MissingFeature, Numerics, OpenClError, Precision, QueueOptions,
    SerialisedCalls, queue::check_queue,
};

/// Pairs that contradict each other.
const CONFLICTS: [(Hint, Hint); 2] = [(Hint::LowPriority, Hint::HighPriority), (Hint::LowMemory, Hint::KeepMemory)];

/// How a device is opened.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ContextOptions {
    /// Wishes.
    pub hints: Vec<Hint>,
    /// The context's own queue.
    pub queue: QueueOptions,
    /// Whether a wish that the device doesn't know is an error rather than a report.
    pub strict: bool,
    /// What is done where the device can't give the bits of the reference.
    pub numerics: Numerics,
    /// Lets the device take denormals for zeros, which is faster on some.
    pub flushes_denormals: bool,
    /// Has the driver build programs without optimising them: they are built in less time, and run slower.
    pub unoptimised: bool,
    /// How kernels store floats and compute with them that are asked for no other precision.
    pub precision: Precision,
    /// Which calls of several threads are serialised; none: as `WINDROW_SERIALISED_CALLS` says, or as the device's driver needs it.
    pub serialised: Option<SerialisedCalls>,
    /// A folder from which all kernels are read; none: the one that `WINDROW_KERNELS` names, or else they are those that were
    /// compiled in.
    pub kernels: Option<KernelFolder>,
}

/// How a device's extensions carry the hints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HintPlan {
    /// Properties of the context, in pairs.
    pub context: Vec<isize>,
    /// Properties of queues, in pairs, beside their bits.
    pub queue: Vec<u64>,
    pub reports: Vec<HintReport>,
}

const QUEUE_PRIORITY: u64 = 0x1096;
const QUEUE_PRIORITY_HIGH: u64 = 1;
const QUEUE_PRIORITY_LOW: u64 = 1 << 2;
const QCOM_PRIORITY_HINT: isize = 0x40C9;
const QCOM_PRIORITY_HIGH: isize = 0x40CA;
const QCOM_PRIORITY_LOW: isize = 0x40CC;

/// What `options` come to on a device: an error where they contradict each other, or can't be had and must.
pub(crate) fn plan(caps: &DeviceCaps, options: &ContextOptions) -> Result<HintPlan, OpenClError> {
    for (one, other) in CONFLICTS {
        if options.hints.contains(&one) && options.hints.contains(&other) {
            return Err(OpenClError::Conflict { one, other });
        }
    }
    check_queue(caps, &options.queue)?;
    let mut plan = HintPlan { context: Vec::new(), queue: Vec::new(), reports: Vec::new() };
    for (index, hint) in options.hints.iter().enumerate() {
        // Wished for twice it is wished for: a property that stands there twice is refused by drivers.
        if options.hints[..index].contains(hint) {
            continue;
        }
        let report = plan.add(caps, *hint);
        if options.strict && !report.taken {
            return Err(MissingFeature::new(&*caps.name, hint.to_string()).into());
        }
        plan.reports.push(report);
    }
    Ok(plan)
}

impl HintPlan {
    fn add(&mut self, caps: &DeviceCaps, hint: Hint) -> HintReport {
        let taken = |reason| HintReport { hint, taken: true, reason };
        let priority = |plan: &mut Self, khronos: u64, qualcomm: isize| {
            if caps.has("cl_khr_priority_hints") && caps.opencl() >= (2, 0) {
                plan.queue.extend([QUEUE_PRIORITY, khronos]);
                taken("cl_khr_priority_hints")
            } else if caps.has("cl_qcom_priority_hint") {
                plan.context.extend([QCOM_PRIORITY_HINT, qualcomm]);
                taken("cl_qcom_priority_hint")
            } else {
                HintReport { hint, taken: false, reason: "the device has no extension for priorities" }
            }
        };
        match hint {
            Hint::LowPriority => priority(self, QUEUE_PRIORITY_LOW, QCOM_PRIORITY_LOW),
            Hint::HighPriority => priority(self, QUEUE_PRIORITY_HIGH, QCOM_PRIORITY_HIGH),
            Hint::LowMemory => taken("pools keep no free memory"),
            Hint::KeepMemory => taken("pools keep free memory"),
        }
    }
}

#[cfg(test)]
mod tests;
