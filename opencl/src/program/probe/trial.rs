//! Arguments with which an entry point is launched to see whether it survives, not for what it computes.

use crate::{
    buffer::Buffer,
    context::Context,
    device::number,
    driver::{Handle, KernelObject, Waits},
    error::OpenClError,
    image::{SampledImage, edge_sampler},
    launch::{LocalSize, reads_around},
    memory::{DeviceMemory, Storage},
};
use opencl3::{kernel::CL_KERNEL_NUM_ARGS, types::cl_uint};
use serde::{Deserialize, Serialize};
use std::any::Any;
use windrow_runtime::{element::ElementType, spec::KernelSpec};

/// Bytes of memory behind a pointer of which no work-item reads anything.
const ROOM: usize = 4096;
/// The end of a window without elements, so far below its start that no block of it is left.
const NOWHERE: i32 = -(1 << 30);

/// How entry points are launched on trial: once, with these arguments.
///
/// Generated programs have one of themselves: a window without elements, from which every work-item goes at once. For a
/// program written by hand its author says it; without one it is built on trial, and not run.
///
/// ```
/// use windrow_opencl::{ProgramSource, Trial, TrialArgument};
///
/// let text = "__kernel void fill(__global uchar *a, uchar value) { a[get_global_id(0)] = value; }";
/// let source = ProgramSource::new("fill", text)
///     .with_trial(Trial::new([TrialArgument::Memory(64), TrialArgument::Value(vec![7])]).with_items([64, 1, 1]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trial {
    entry: Option<String>,
    arguments: Vec<TrialArgument>,
    items: [usize; 3],
}

/// An argument of a launch on trial.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TrialArgument {
    /// A pointer to this many bytes of global or constant memory, all zero.
    Memory(
        /// The bytes.
        usize,
    ),
    /// A value: its bytes, in this machine's order.
    Value(
        /// The bytes.
        Vec<u8>,
    ),
    /// A pointer to this many bytes of local memory.
    Local(
        /// The bytes.
        usize,
    ),
    /// An image of one element of this type.
    Image(
        /// The type.
        #[serde(with = "as_text")]
        ElementType,
    ),
    /// A sampler that finds the nearest element.
    Sampler,
}

impl Trial {
    /// Each entry point of the program, with these arguments, for one work-item.
    pub fn new(arguments: impl IntoIterator<Item = TrialArgument>) -> Self {
        Self { entry: None, arguments: arguments.into_iter().collect(), items: [1; 3] }
    }

    /// This entry point alone.
    #[must_use]
    pub fn with_entry(self, entry: impl Into<String>) -> Self {
        Self { entry: Some(entry.into()), ..self }
    }

    /// With this many work-items.
    #[must_use]
    pub fn with_items(self, items: [usize; 3]) -> Self {
        Self { items, ..self }
    }

    /// An empty window of a generated program, by the convention of [`windrow_runtime::code::OpenClEntry`].
    pub(crate) fn of(spec: &'static KernelSpec) -> Self {
        let memory = || TrialArgument::Memory(ROOM);
        let int = |value: i32| TrialArgument::Value(value.to_ne_bytes().to_vec());
        let long = || TrialArgument::Value(0i64.to_ne_bytes().to_vec());
        let mut arguments = Vec::new();
        for (_, input) in spec.images() {
            arguments.extend([memory(), long(), int(0), long(), int(0), int(0)]);
            arguments.extend(reads_around(input).then(|| int(0)));
        }
        for _ in spec.outputs {
            arguments.extend([memory(), long(), int(0), long()]);
        }
        arguments.extend(spec.tables().map(|_| memory()));
        arguments.extend((spec.words.uniforms + spec.words.derived > 0).then(memory));
        arguments.extend([int(0), int(0), int(NOWHERE), int(NOWHERE)]);
        arguments.extend(spec.images().any(|(_, input)| reads_around(input)).then(|| int(0)));
        Self::new(arguments)
    }

    /// An empty window of its form over images, by the convention of [`windrow_runtime::code::OpenClImages`].
    pub(crate) fn of_images(spec: &'static KernelSpec) -> Self {
        let memory = || TrialArgument::Memory(ROOM);
        let int = |value: i32| TrialArgument::Value(value.to_ne_bytes().to_vec());
        let long = || TrialArgument::Value(0i64.to_ne_bytes().to_vec());
        let mut arguments = Vec::new();
        for (_, input) in spec.images() {
            arguments.extend([TrialArgument::Image(input.element), TrialArgument::Sampler, int(0)]);
        }
        for _ in spec.outputs {
            arguments.extend([memory(), long(), int(0)]);
        }
        arguments.extend(spec.tables().map(|_| memory()));
        arguments.extend((spec.words.uniforms + spec.words.derived > 0).then(memory));
        arguments.extend([int(0), int(0), int(NOWHERE), int(NOWHERE)]);
        Self::new(arguments)
    }

    /// Whether an entry point is launched.
    pub(super) fn takes(&self, entry: &str) -> bool {
        self.entry.as_deref().is_none_or(|wanted| wanted == entry)
    }

    /// Launches a kernel that nobody else sets the arguments of, in whole groups of `local`, and waits.
    pub(crate) fn run(
        &self,
        context: &Context,
        kernel: &Handle<KernelObject>,
        local: LocalSize,
    ) -> Result<(), OpenClError> {
        let (driver, queue) = (context.driver(), context.queue());
        let expected = number(&driver.kernel_info(kernel, CL_KERNEL_NUM_ARGS)?).unwrap_or(0) as usize;
        if self.arguments.len() != expected {
            return Err(OpenClError::Count { what: "arguments on trial", found: self.arguments.len(), expected });
        }
        let bound = (0..).zip(&self.arguments).map(|(index, argument)| bind(context, kernel, index, argument));
        let _held: Vec<Box<dyn Any>> = bound.collect::<Result<_, _>>()?;
        let sizes = local.sizes(self.items);
        // SAFETY: every argument is set, and its memory lives until the queue is done. What a kernel of the caller's own
        // accesses with them is its author's promise; a generated one leaves an empty window alone.
        unsafe { driver.launch_kernel(queue.handle(), kernel, sizes.global, sizes.local, &Waits::NONE, false) }?;
        queue.sync()
    }
}

/// Sets an argument, and gives what must live until the launch is done.
fn bind(
    context: &Context,
    kernel: &Handle<KernelObject>,
    index: cl_uint,
    argument: &TrialArgument,
) -> Result<Box<dyn Any>, OpenClError> {
    let (length, bytes) = match argument {
        TrialArgument::Memory(length) => {
            let buffer = Buffer::from_bytes(context, &vec![0; *length])?;
            buffer.bind(kernel, index)?;
            return Ok(Box::new(buffer));
        }
        TrialArgument::Image(element) => {
            let image = SampledImage::new(&DeviceMemory::new(context), *element, [1, 1], Storage::Separate)?;
            context.driver().set_memory_argument(kernel, index, image.image().handle())?;
            return Ok(Box::new(image));
        }
        TrialArgument::Sampler => {
            let sampler = edge_sampler(context)?;
            context.driver().set_sampler_argument(kernel, index, &sampler)?;
            return Ok(Box::new(sampler));
        }
        TrialArgument::Value(bytes) => (bytes.len(), Some(bytes.as_slice())),
        TrialArgument::Local(length) => (*length, None),
    };
    // SAFETY: plain bytes: a pointer can't be made of them, as the library checks what an argument is.
    unsafe { kernel.driver().set_argument_bytes(kernel, index, length, bytes) }?;
    Ok(Box::new(()))
}

/// A type as its name.
mod as_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use windrow_runtime::element::ElementType;

    pub fn serialize<S: Serializer>(element: &ElementType, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(element)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ElementType, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
