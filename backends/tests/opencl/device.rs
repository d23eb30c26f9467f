//! Compiles and runs an emitted program, bound by the calling convention of the runtime's `OpenClEntry`.

use opencl3::{
    command_queue::CommandQueue,
    context::Context,
    device::{CL_DEVICE_TYPE_ALL, Device},
    kernel::Kernel as ClKernel,
    memory::{Buffer, CL_MEM_READ_WRITE, ClMem},
    platform::get_platforms,
    program::Program,
    types::{CL_TRUE, cl_int, cl_long, cl_uchar, cl_uint},
};
use std::{path::Path, ptr, sync::OnceLock};
use windrow_backends::opencl::OPTIONS;

/// One local size for all kernels: a new one costs PoCL another compilation.
const LOCAL: [usize; 3] = [8, 2, 1];

/// An image in host memory, rows `stride` bytes apart.
#[derive(Clone, Debug)]
pub struct Plane {
    pub bytes: Vec<u8>,
    pub offset: usize,
    pub stride: usize,
    pub width: usize,
    pub height: usize,
}

/// What an entry point is called with.
pub struct Call<'a> {
    pub entry: &'a str,
    pub block: (u32, u32),
    /// The work-items of a group, where it is written for one size.
    pub group: Option<(u32, u32, u32)>,
    /// Each with its border's constant, where it has a neighbourhood.
    pub inputs: &'a [(&'a Plane, Option<u32>)],
    pub tables: &'a [Vec<u8>],
    pub words: &'a [u32],
    /// x0, y0, x1, y1
    pub window: [i32; 4],
    /// The mode, where an input has a neighbourhood.
    pub border: Option<i32>,
}

struct Machine {
    context: Context,
    queue: CommandQueue,
}

/// The device whose name holds `WINDROW_OPENCL_DEVICE`, or the first; `None` where the machine has no OpenCL, which
/// `WINDROW_REQUIRE=opencl` makes an error.
fn machine() -> Option<&'static Machine> {
    static MACHINE: OnceLock<Option<Machine>> = OnceLock::new();
    let machine = MACHINE.get_or_init(|| {
        // Of its own: the programs are many, and none is met again by other tests.
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pocl");
        std::fs::create_dir_all(&cache).unwrap();
        // SAFETY: the only thread that reads the environment at this time is this one: the others wait for the lock.
        unsafe { std::env::set_var("POCL_CACHE_DIR", &cache) };
        let wanted = std::env::var("WINDROW_OPENCL_DEVICE").unwrap_or_default();
        let platforms = get_platforms().ok()?;
        let devices = platforms.iter().filter_map(|platform| platform.get_devices(CL_DEVICE_TYPE_ALL).ok()).flatten();
        let device = devices.map(Device::new).find(|device| device.name().is_ok_and(|name| name.contains(&wanted)))?;
        let context = Context::from_device(&device).unwrap();
        let queue = CommandQueue::create_default_with_properties(&context, 0, 0).unwrap();
        Some(Machine { context, queue })
    });
    if machine.is_none() {
        let required = std::env::var("WINDROW_REQUIRE").unwrap_or_default();
        assert!(!required.split(',').any(|target| target == "opencl"), "no OpenCL device");
        eprintln!("skipped: no OpenCL device");
    }
    machine.as_ref()
}

/// A built program.
pub struct Built(Option<(&'static Machine, Program)>);

/// Builds a program; the text stands in the message where it does not build.
pub fn build(source: &str) -> Built {
    build_with(source, OPTIONS)
}

/// The same without the driver's optimisations, which take most of the time.
pub fn build_unoptimised(source: &str) -> Built {
    build_with(source, &format!("{OPTIONS} -cl-opt-disable"))
}

fn build_with(source: &str, options: &str) -> Built {
    let Some(machine) = machine() else { return Built(None) };
    match Program::create_and_build_from_source(&machine.context, source, options) {
        Ok(program) => Built(Some((machine, program))),
        Err(log) => panic!("{log}\n{}", super::syntax::kept("built", source)),
    }
}

impl Built {
    /// Runs an entry over `outputs`, in place. False where the machine has no device.
    pub fn run(&self, call: &Call<'_>, outputs: &mut [Plane]) -> bool {
        let Some((machine, program)) = &self.0 else { return false };
        let kernel = ClKernel::create(program, call.entry).unwrap_or_else(|error| panic!("{}: {error}", call.entry));
        let mut arguments = Arguments { machine, kernel, next: 0 };
        let mut held = Vec::new();
        for (plane, constant) in call.inputs {
            let buffer = arguments.buffer(&plane.bytes);
            arguments.image(plane);
            arguments.value(plane.width as cl_int);
            arguments.value(plane.height as cl_int);
            if let Some(word) = constant {
                arguments.value::<cl_uint>(*word);
            }
            held.push(buffer);
        }
        let mut written = Vec::new();
        for plane in outputs.iter() {
            written.push(arguments.buffer(&plane.bytes));
            arguments.image(plane);
        }
        for table in call.tables {
            held.push(arguments.buffer(table));
        }
        if !call.words.is_empty() {
            let bytes: Vec<u8> = call.words.iter().flat_map(|word| word.to_le_bytes()).collect();
            held.push(arguments.buffer(&bytes));
        }
        for edge in call.window {
            arguments.value::<cl_int>(edge);
        }
        if let Some(border) = call.border {
            arguments.value::<cl_int>(border);
        }
        arguments.launch(call);
        for (plane, buffer) in outputs.iter_mut().zip(&written) {
            // SAFETY: the buffer is as long as the plane's bytes, and the read blocks.
            unsafe { machine.queue.enqueue_read_buffer(buffer, CL_TRUE, 0, &mut plane.bytes, &[]) }.unwrap();
        }
        true
    }
}

struct Arguments<'a> {
    machine: &'a Machine,
    kernel: ClKernel,
    next: u32,
}

impl Arguments<'_> {
    fn value<T>(&mut self, value: T) {
        // SAFETY: a wrong size or place is refused by the driver, which `unwrap` reports.
        unsafe { self.kernel.set_arg(self.next, &value) }.unwrap();
        self.next += 1;
    }

    fn buffer(&mut self, bytes: &[u8]) -> Buffer<cl_uchar> {
        let machine = self.machine;
        // SAFETY: no host pointer is given.
        let mut buffer =
            unsafe { Buffer::create(&machine.context, CL_MEM_READ_WRITE, bytes.len().max(1), ptr::null_mut()) }
                .unwrap();
        if !bytes.is_empty() {
            // SAFETY: the buffer is as long as the bytes, and the write blocks.
            unsafe { machine.queue.enqueue_write_buffer(&mut buffer, CL_TRUE, 0, bytes, &[]) }.unwrap();
        }
        self.value(buffer.get());
        buffer
    }

    /// Offset, stride and plane.
    fn image(&mut self, plane: &Plane) {
        self.value(plane.offset as cl_long);
        self.value(plane.stride as cl_int);
        self.value(plane.bytes.len() as cl_long);
    }

    fn launch(&mut self, call: &Call<'_>) {
        assert_eq!(self.kernel.num_args().unwrap(), self.next, "{} takes other arguments", call.entry);
        let [x0, y0, x1, y1] = call.window;
        let items = |from: i32, to: i32, block: u32, local: usize| {
            let (from, to, block) = (from.max(0) as usize, to.max(0) as usize, block as usize);
            to.div_ceil(block).saturating_sub(from / block).max(1).next_multiple_of(local)
        };
        let local = call.group.map_or(LOCAL, |(x, y, z)| [x as usize, y as usize, z as usize]);
        let global = [items(x0, x1, call.block.0, local[0]), items(y0, y1, call.block.1, local[1]), 1];
        let kernel = self.kernel.get();
        // SAFETY: all arguments are set, and the sizes are arrays of three.
        let event = unsafe {
            self.machine.queue.enqueue_nd_range_kernel(kernel, 3, ptr::null(), global.as_ptr(), local.as_ptr(), &[])
        };
        event.unwrap().wait().unwrap();
    }
}
