//! A launch that computes nothing: whether the device takes a kernel's work-groups.

use crate::{
    buffer::Buffer,
    context::Context,
    driver::{Handle, KernelObject, SamplerObject, Waits},
    error::OpenClError,
    image::{SampledImage, edge_sampler},
    launch::reads_around,
    local::LocalSize,
    memory::{DeviceMemory, MemForm, Storage},
};
use opencl3::types::cl_uint;
use windrow_runtime::spec::KernelSpec;

/// Bytes of memory behind a pointer of which no work-item reads anything.
const ROOM: usize = 4096;
/// The end of a window without elements, so far below its start that no block of it is left.
const NOWHERE: i32 = -(1 << 30);

/// Launches a generated kernel once over a window without elements, from which every work-item returns at once, in groups of
/// `local`, and waits. Nothing else sets the kernel's arguments.
pub(crate) fn launch_once(
    context: &Context,
    kernel: &Handle<KernelObject>,
    spec: &'static KernelSpec,
    form: MemForm,
    local: LocalSize,
) -> Result<(), OpenClError> {
    let mut trial = Trial { context, kernel, index: 0, buffers: Vec::new(), images: Vec::new(), samplers: Vec::new() };
    trial.bind(spec, form)?;
    let (driver, queue, sizes) = (context.driver(), context.queue(), local.sizes([1; 3]));
    // SAFETY: every argument is set, its memory lives until the queue is done, and an empty window is left alone.
    unsafe { driver.launch_kernel(queue.handle(), kernel, sizes.global, sizes.local, &Waits::NONE, false) }?;
    queue.sync()
}

/// The arguments of the launch, which live as long as it does.
struct Trial<'a> {
    context: &'a Context,
    kernel: &'a Handle<KernelObject>,
    index: cl_uint,
    buffers: Vec<Buffer>,
    images: Vec<SampledImage>,
    samplers: Vec<Handle<SamplerObject>>,
}

impl Trial<'_> {
    /// Binds the arguments by the convention of [`windrow_runtime::code::OpenClEntry`], or of
    /// [`windrow_runtime::code::OpenClImages`].
    fn bind(&mut self, spec: &'static KernelSpec, form: MemForm) -> Result<(), OpenClError> {
        for (_, input) in spec.images() {
            match form {
                MemForm::Buffer => {
                    self.memory()?;
                    self.long()?;
                    self.int(0)?;
                    self.long()?;
                    self.ints(&[0, 0])?;
                    if reads_around(input) {
                        self.int(0)?;
                    }
                }
                MemForm::Image => {
                    let memory = DeviceMemory::new(self.context);
                    let image = SampledImage::new(&memory, input.element, [1, 1], Storage::Separate)?;
                    let index = self.next();
                    self.context.driver().set_memory_argument(self.kernel, index, image.image().handle())?;
                    self.images.push(image);
                    let (sampler, index) = (edge_sampler(self.context)?, self.next());
                    self.context.driver().set_sampler_argument(self.kernel, index, &sampler)?;
                    self.samplers.push(sampler);
                    self.int(0)?;
                }
            }
        }
        for _ in spec.outputs {
            self.memory()?;
            self.long()?;
            self.int(0)?;
            if form == MemForm::Buffer {
                self.long()?;
            }
        }
        for _ in spec.tables() {
            self.memory()?;
        }
        if spec.words.uniforms + spec.words.derived > 0 {
            self.memory()?;
        }
        self.ints(&[0, 0, NOWHERE, NOWHERE])?;
        if form == MemForm::Buffer && spec.images().any(|(_, input)| reads_around(input)) {
            self.int(0)?;
        }
        Ok(())
    }

    fn memory(&mut self) -> Result<(), OpenClError> {
        let (buffer, index) = (Buffer::from_bytes(self.context, &[0; ROOM])?, self.next());
        buffer.bind(self.kernel, index)?;
        self.buffers.push(buffer);
        Ok(())
    }

    fn long(&mut self) -> Result<(), OpenClError> {
        let index = self.next();
        // SAFETY: the convention's type.
        Ok(unsafe { self.context.driver().set_argument(self.kernel, index, &0i64) }?)
    }

    fn int(&mut self, value: i32) -> Result<(), OpenClError> {
        let index = self.next();
        // SAFETY: the convention's type.
        Ok(unsafe { self.context.driver().set_argument(self.kernel, index, &value) }?)
    }

    fn ints(&mut self, values: &[i32]) -> Result<(), OpenClError> {
        values.iter().try_for_each(|&value| self.int(value))
    }

    fn next(&mut self) -> cl_uint {
        self.index += 1;
        self.index - 1
    }
}
