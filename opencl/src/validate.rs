//! Whether a kernel can run on a device, from what is known of both: nothing is built, and no device need be there.

use crate::{
    DeviceCaps, DeviceMemoryError, EffectiveNumerics, EffectivePrecision, FloatFormat, MissingFeature, Numerics,
    OpenClError, Precision, ProgramSource, launch::schedules,
};
use windrow_runtime::{
    code::Kernel,
    configure::{Configured, KernelPlan},
    info::{Shape, TensorInfo},
};

/// The least version of OpenCL that programs are written for.
const LEAST: (u32, u32) = (1, 2);

/// Checks that a device of these caps can run `configured`, and tells how its floats are computed there. It is judged by the
/// text that was compiled in; where another one is built, [`validate_source`] judges that.
///
/// ```no_run
/// # use windrow::{Configured, Kernel};
/// # use windrow::opencl::{DeviceCaps, Numerics, OpenClError, validate};
/// # fn example<K: Kernel>(caps: &str, configured: &Configured<K>) -> Result<(), Box<dyn std::error::Error>> {
/// let phone: DeviceCaps = serde_json::from_str(caps)?;
/// validate(&phone, configured, Numerics::Strict)?;
/// # Ok(())
/// # }
/// ```
pub fn validate<K: Kernel>(
    caps: &DeviceCaps,
    configured: &Configured<K>,
    numerics: Numerics,
) -> Result<EffectiveNumerics, OpenClError> {
    let source = ProgramSource::of(K::CODE);
    validate_source(&source, Precision::F32, caps, configured, numerics).map(|(numerics, _)| numerics)
}

/// Validates in a precision, and for any text, such as one that stands in the place of the one that was compiled in;
/// tells which precision is in effect too. A text is [`ProgramSource::of`] a kernel, what
/// [`super::KernelFolder::source_of`] gives of a folder, and [`super::Programs::source_of`] of a context.
pub fn validate_source<K: Kernel>(
    source: &ProgramSource,
    precision: Precision,
    caps: &DeviceCaps,
    configured: &Configured<K>,
    numerics: Numerics,
) -> Result<(EffectiveNumerics, EffectivePrecision), OpenClError> {
    let precision = precision.of_text(&source.text, caps, numerics)?;
    check(caps, configured.plan(), precision.format())?;
    let effective = precision.numerics(caps, &source.text, false);
    effective.check(numerics, &caps.name, K::CODE.spec().name)?;
    Ok((effective, precision))
}

/// What doesn't depend on the text: the device's version, an entry point, and room for the images.
pub(super) fn check(caps: &DeviceCaps, plan: &KernelPlan, format: FloatFormat) -> Result<(), OpenClError> {
    if caps.opencl() < LEAST {
        let feature = format!("OpenCL {}.{}", LEAST.0, LEAST.1);
        return Err(MissingFeature::new(&*caps.name, feature).into());
    }
    if schedules(plan.code(), plan.index()).next().is_none() {
        return Err(OpenClError::NoEntry { kernel: plan.spec().name, index: plan.index(), schedule: 0 });
    }
    check_sizes(caps, plan, format)
}

/// Each image must fit into a buffer, and all of them into the memory.
fn check_sizes(caps: &DeviceCaps, plan: &KernelPlan, format: FloatFormat) -> Result<(), OpenClError> {
    let sizes: Vec<(&'static str, u64)> = images(plan, format).collect::<Result<_, _>>()?;
    let too_large = |argument: &str, bytes, most| -> OpenClError {
        DeviceMemoryError::TooLarge { argument: argument.to_string(), bytes, most }.into()
    };
    if let Some((argument, bytes)) = sizes.iter().find(|(_, bytes)| *bytes > caps.max_allocation) {
        return Err(too_large(argument, *bytes, caps.max_allocation));
    }
    let all = sizes.iter().map(|(_, bytes)| bytes).sum();
    if all > caps.global_memory {
        return Err(too_large("all images together", all, caps.global_memory));
    }
    Ok(())
}

/// The images with their bytes, without gaps.
fn images(plan: &KernelPlan, format: FloatFormat) -> impl Iterator<Item = Result<(&'static str, u64), OpenClError>> {
    let size = move |name, element, channels, shape: Shape| {
        let info = TensorInfo::new(element, channels, &shape.extents())?;
        Ok((name, format.of(element).bytes(info.size_in_bytes()) as u64))
    };
    let read = plan.spec().read_images().zip(plan.input_shapes());
    let read = read.map(move |((name, input), shape)| size(name, input.element, input.channels, shape));
    read.chain(plan.outputs().map(move |output| size(output.name, output.element, output.channels, plan.shape())))
}
