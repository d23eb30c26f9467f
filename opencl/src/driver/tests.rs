//! Every call of the table fails once, in a program that makes them all: each failure is told, nothing is lost, and the
//! next run succeeds.

use super::{
    Call, CommandBuffer, Counters, Driver, ObjectKind, RecordFunctions, Role,
    event::WaitList,
    handle::{Handle, QueueObject},
    transfer::{Host, On, Pixels, Rows},
};
use crate::{BuildError, Context, ContextOptions, Devices, DriverError, OpenClError, ProgramSource, SerialisedCalls};
use opencl3::{
    command_queue::{CL_QUEUE_CONTEXT, CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_PROPERTIES},
    context::context::CL_CONTEXT_NUM_DEVICES,
    event::{CL_EVENT_COMMAND_EXECUTION_STATUS, CL_PROFILING_COMMAND_END},
    kernel::{CL_KERNEL_NUM_ARGS, CL_KERNEL_WORK_GROUP_SIZE},
    memory::{CL_MAP_READ, CL_MEM_OBJECT_IMAGE2D, CL_MEM_READ_WRITE, CL_MEM_SIZE, CL_RGBA, CL_UNSIGNED_INT8},
    program::CL_PROGRAM_NUM_DEVICES,
    types::{cl_event, cl_image_desc, cl_image_format, cl_int},
};
use std::{collections::BTreeSet, ffi::c_void, ptr, time::Duration};

const SOURCE: &str = "__kernel void k(__global uchar *a, uchar by) { a[get_global_id(0)] += by; }";
const OUT_OF_RESOURCES: i32 = -5;
const COMMAND_BUFFERS: [Call; 5] = [
    Call::CreateCommandBuffer,
    Call::ReleaseCommandBuffer,
    Call::RecordKernel,
    Call::FinalizeCommandBuffer,
    Call::LaunchCommandBuffer,
];

fn context(driver: &Driver) -> Result<Context, OpenClError> {
    let devices = Devices::find_with(driver)?;
    Context::with_driver(driver, devices.choose()?)
}

fn has_device() -> bool {
    match context(&Driver::new()) {
        Ok(_) => true,
        Err(error) if error.is_absence() => {
            eprintln!("not run: {error}");
            false
        }
        Err(error) => panic!("{error}"),
    }
}

/// OpenCL takes a text of no bytes for one that ends where a 0 is found.
#[test]
fn an_empty_program_is_built() {
    if !has_device() {
        return;
    }
    let driver = Driver::new();
    let context = context(&driver).unwrap();
    let program = driver.create_program_with_source(context.handle(), "").unwrap();
    driver.build_program(&program, context.device().id, c"").unwrap();
    assert!(driver.create_kernel(&program, c"k").is_err());
}

/// Makes every call that the device can take.
fn program_of_all_calls(driver: &Driver) -> Result<(), OpenClError> {
    let context = context(driver)?;
    let device = context.device().id;
    driver.device_text(device, opencl3::device::CL_DEVICE_VENDOR)?;
    context.handle().info(CL_CONTEXT_NUM_DEVICES)?;
    // SAFETY: both are alive.
    let (_again, _queue) =
        unsafe { (driver.retain_context(context.handle().raw())?, driver.retain_queue(context.queue().raw())?) };
    let queue = driver.create_queue(context.handle(), device, CL_QUEUE_PROFILING_ENABLE)?;
    let hints = [CL_QUEUE_PROPERTIES as u64, CL_QUEUE_PROFILING_ENABLE];
    drop(driver.create_queue_with_hints(context.handle(), device, &hints)?);
    queue.info(CL_QUEUE_CONTEXT)?;
    transfers(driver, &context, &queue)?;
    images(driver, &context, &queue)?;
    kernels(driver, &context, &queue)?;
    events(driver, &context, &queue)?;
    driver.flush(&queue)?;
    Ok(driver.finish(&queue)?)
}

fn transfers(driver: &Driver, context: &Context, queue: &Handle<QueueObject>) -> Result<(), OpenClError> {
    let on = On::queue(queue);
    // The last row's gap lies outside `b`.
    let rows = Rows { first: 8, pitch: 16 };
    let mut host = [7u8; 64];
    // SAFETY: no host memory; every transfer is blocking, of at most 64 bytes of `host`.
    unsafe {
        let [a, b] = [
            driver.create_buffer(context.handle(), CL_MEM_READ_WRITE, 8192, ptr::null_mut())?,
            driver.create_buffer(context.handle(), CL_MEM_READ_WRITE, 64, ptr::null_mut())?,
        ];
        drop(driver.create_sub_buffer(&a, 4096, 64)?);
        a.info(CL_MEM_SIZE)?;
        on.transfer((&b, 0), 64, Host::From([1u8; 64].as_ptr()), true)?;
        on.transfer((&a, 0), 64, Host::From(host.as_ptr()), true)?;
        on.copy_buffer((&a, 0), (&b, 0), 32)?;
        on.transfer((&b, 0), 64, Host::To(host.as_mut_ptr()), true)?;
        assert_eq!((host[31], host[32]), (7, 1));
        let size = [8, 4];
        on.transfer_rows((&a, rows), (Host::From(host.as_ptr()), rows), size, true)?;
        on.copy_rows((&a, rows), (&b, rows), size)?;
        on.transfer_rows((&b, rows), (Host::To(host.as_mut_ptr()), rows), size, true)?;
        let pointer = on.map_buffer(&b, CL_MAP_READ, 0, 64)?;
        assert_eq!(pointer.cast::<u8>().read(), 7);
        let unmapped = on.unmap(&b, pointer);
        driver.finish(queue)?;
        unmapped?;
    }
    Ok(())
}

fn images(driver: &Driver, context: &Context, queue: &Handle<QueueObject>) -> Result<(), OpenClError> {
    let on = On::queue(queue);
    let format = cl_image_format { image_channel_order: CL_RGBA, image_channel_data_type: CL_UNSIGNED_INT8 };
    let description = cl_image_desc {
        image_type: CL_MEM_OBJECT_IMAGE2D,
        image_width: 4,
        image_height: 4,
        image_depth: 0,
        image_array_size: 0,
        image_row_pitch: 0,
        image_slice_pitch: 0,
        num_mip_levels: 0,
        num_samples: 0,
        buffer: ptr::null_mut(),
    };
    assert!(driver.image_formats(context.handle(), CL_MEM_READ_WRITE)?.contains(&(CL_RGBA, CL_UNSIGNED_INT8)));
    let image = driver.create_image(context.handle(), CL_MEM_READ_WRITE, format, &description)?;
    const CLAMP_TO_EDGE: u32 = 0x1131;
    const NEAREST: u32 = 0x1140;
    drop(driver.create_sampler(context.handle(), CLAMP_TO_EDGE, NEAREST)?);
    let mut host = [9u8; 64];
    // SAFETY: no host memory; 4×4 elements of 4 bytes.
    unsafe {
        let buffer = driver.create_buffer(context.handle(), CL_MEM_READ_WRITE, 64, ptr::null_mut())?;
        let pixels = Pixels { image: &image, origin: [0; 3], region: [4, 4, 1] };
        on.transfer_pixels(pixels, 0, Host::From(host.as_ptr()))?;
        on.copy_image_to_buffer(pixels, (&buffer, 0))?;
        on.copy_buffer_to_image((&buffer, 0), pixels)?;
        on.transfer_pixels(pixels, 0, Host::To(host.as_mut_ptr()))?;
    }
    assert_eq!(host, [9; 64]);
    Ok(())
}

fn kernels(driver: &Driver, context: &Context, queue: &Handle<QueueObject>) -> Result<(), OpenClError> {
    let device = context.device().id;
    let source = driver.create_program_with_source(context.handle(), SOURCE)?;
    driver.build_program(&source, device, c"-cl-std=CL1.2")?;
    driver.build_log(&source, device)?;
    source.info(CL_PROGRAM_NUM_DEVICES)?;
    let binary = driver.program_binaries(&source)?.swap_remove(0);
    // SAFETY: a binary of this device.
    let program = unsafe { driver.create_program_with_binary(context.handle(), device, &binary) }?;
    driver.build_program(&program, device, c"")?;
    let kernel = driver.create_kernel(&program, c"k")?;
    kernel.info(CL_KERNEL_NUM_ARGS)?;
    driver.kernel_work_group_info(&kernel, device, CL_KERNEL_WORK_GROUP_SIZE)?;
    let mut host = [0u8; 64];
    // SAFETY: no host memory; one work-item a byte of the buffer.
    unsafe {
        let buffer = driver.create_buffer(context.handle(), CL_MEM_READ_WRITE, 64, ptr::null_mut())?;
        On::queue(queue).transfer((&buffer, 0), 64, Host::From([3u8; 64].as_ptr()), true)?;
        driver.set_memory_argument(&kernel, 0, &buffer)?;
        driver.set_argument(&kernel, 1, &4u8)?;
        let event = driver.launch_kernel(queue, &kernel, [64, 1, 1], None, &WaitList::NONE, true)?;
        driver.wait_for_events(&event)?;
        if let Some(event) = &event {
            event.info(CL_EVENT_COMMAND_EXECUTION_STATUS)?;
            assert_ne!(driver.event_profiling(event, CL_PROFILING_COMMAND_END)?, 0);
        }
        On::queue(queue).transfer((&buffer, 0), 64, Host::To(host.as_mut_ptr()), true)?;
        assert_eq!(host, [7; 64]);
        let Some(functions) = record_functions(driver, context)? else { return Ok(()) };
        let mut commands = CommandBuffer::new(driver, functions, context.queue().handle())?;
        let first = commands.record_kernel(&kernel, [64, 1, 1], None, None)?;
        commands.record_kernel(&kernel, [64, 1, 1], None, Some(first))?;
        commands.finalize()?;
        let event = commands.launch(&WaitList::NONE, true)?;
        driver.wait_for_events(&event)?;
        On::queue(queue).transfer((&buffer, 0), 64, Host::To(host.as_mut_ptr()), true)?;
        assert_eq!(host, [15; 64]);
    }
    Ok(())
}

/// A platform that lacks the extension isn't a failure; one that fails is.
fn record_functions(driver: &Driver, context: &Context) -> Result<Option<RecordFunctions>, OpenClError> {
    match RecordFunctions::find(driver, context.device().of_platform) {
        Ok(functions) => Ok(Some(functions)),
        Err(DriverError::NoFunction { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

extern "C" fn note(_event: cl_event, _status: cl_int, _data: *mut c_void) {}

fn events(driver: &Driver, context: &Context, queue: &Handle<QueueObject>) -> Result<(), OpenClError> {
    let gate = driver.create_user_event(context.handle())?;
    // SAFETY: a live event.
    let again = unsafe { driver.retain_event(gate.raw()) };
    // The gate opens on every way out: a queue that waits for it can't be released.
    let waiting = again.and_then(|_again| driver.marker(queue, &WaitList::new([&gate])));
    let opened = driver.set_user_event_status(&gate, 0).or_else(|error| {
        driver.set_user_event_status(&gate, 0)?;
        Err(error)
    });
    let waiting = waiting?;
    opened?;
    driver.barrier(queue, &WaitList::NONE)?;
    if let Some(event) = &waiting {
        // SAFETY: the callback uses no data.
        unsafe { driver.set_event_callback(event, note, ptr::null_mut()) }?;
    }
    Ok(driver.wait_for_events(&waiting)?)
}

#[test]
fn failure_of_each_call_is_told_and_loses_nothing() {
    if !has_device() {
        return;
    }
    let driver = Driver::new();
    program_of_all_calls(&driver).unwrap();
    let clean = driver.counters();
    assert_eq!(clean.live(), 0, "{clean:?}");
    let records = clean.calls(Call::CreateCommandBuffer) > 0;
    for call in Call::ALL.iter().copied().filter(|call| records || !COMMAND_BUFFERS.contains(call)) {
        assert!(clean.calls(call) > 0, "the program of this test does not make {call}");
        let driver = Driver::new();
        driver.fail(call, 0, OUT_OF_RESOURCES);
        let result = program_of_all_calls(&driver);
        assert!(!driver.is_failure_pending(), "{call} was not reached");
        let counters = driver.counters();
        assert_eq!((counters.failures(call), counters.live()), (1, 0), "{call}: {result:?} {counters:?}");
        match call.role() {
            Role::Release(_) => assert_eq!((result, counters.failed_releases()), (Ok(()), 1), "{call}"),
            Role::Query
            | Role::Create(_)
            | Role::Retain(_)
            | Role::Build
            | Role::Set
            | Role::Transfer
            | Role::Copy
            | Role::Launch
            | Role::Order => {
                let expected = OpenClError::Driver(DriverError::Call {
                    call,
                    name: "CL_OUT_OF_RESOURCES",
                    code: OUT_OF_RESOURCES,
                });
                assert_eq!(result, Err(expected), "{call}");
            }
        }
        program_of_all_calls(&driver).unwrap_or_else(|error| panic!("after a failure of {call}: {error}"));
    }
}

#[test]
fn later_calls_fail_where_asked() {
    if !has_device() {
        return;
    }
    let driver = Driver::new();
    let context = context(&driver).unwrap();
    driver.fail(Call::CreateBuffer, 2, OUT_OF_RESOURCES);
    let made: Vec<bool> = (0..4).map(|_| crate::Buffer::new(&context, 16).is_ok()).collect();
    assert_eq!(made, [true, true, false, true]);
    assert_eq!((driver.counters().allocations(), driver.counters().live()), (3, 2));
}

/// Builds of several threads are under way at once where the driver allows it, and never where they take turns. None of
/// them reaches the machine's driver, which may be one that crashes.
#[test]
fn builds_overlap_where_the_driver_allows_it() {
    if !has_device() {
        return;
    }
    let sources: Vec<ProgramSource> =
        (0..4).map(|k| ProgramSource::new("k", format!("__kernel void k{k}(void) {{}}"))).collect();
    for (serialised, wait) in
        [(SerialisedCalls::Everything, Duration::from_millis(30)), (SerialisedCalls::Objects, Duration::from_secs(20))]
    {
        let driver = Driver::new();
        let devices = Devices::find_with(&driver).unwrap();
        let options = ContextOptions { serialised: Some(serialised), ..ContextOptions::default() };
        let context = Context::with_options(&driver, devices.choose().unwrap(), &options).unwrap();
        driver.replace(Call::BuildProgram, OUT_OF_RESOURCES, wait);
        let results = context.programs().warm_up(&sources, sources.len());
        let refused = |result: &Result<_, _>| {
            matches!(result, Err(BuildError::Driver(DriverError::Call { call: Call::BuildProgram, .. })))
        };
        assert!(results.iter().all(refused), "{results:?}");
        assert_eq!(driver.counters().failures(Call::BuildProgram), 4);
        assert_eq!(
            driver.most_at_once() > 1,
            serialised == SerialisedCalls::Objects,
            "{serialised}: {}",
            driver.most_at_once()
        );
    }
}

#[test]
fn a_context_takes_turns_as_its_own_driver_needs_it() {
    if !has_device() {
        return;
    }
    let device = Devices::find().unwrap().choose().unwrap().clone();
    assert_eq!(
        (device.serialised, Driver::new().serialised()),
        (SerialisedCalls::of_platform(&device.platform), SerialisedCalls::Everything)
    );
    let nvidia = device.with_caps(crate::recorded::nvidia());
    assert_eq!(nvidia.serialised, device.serialised, "a driver isn't changed by what it is taken for");
    let opened = |serialised| {
        let options = ContextOptions { serialised, ..ContextOptions::default() };
        Context::with_options(&Driver::new(), &device, &options).unwrap().driver().serialised()
    };
    assert_eq!(opened(Some(SerialisedCalls::Nothing)), SerialisedCalls::Nothing);
    if std::env::var_os(crate::SERIALISED_CALLS_VARIABLE).is_none() {
        assert_eq!(opened(None), device.serialised);
    }
}

#[test]
fn counters_of_two_drivers_do_not_mix() {
    if !has_device() {
        return;
    }
    let (one, other) = (Driver::new(), Driver::new());
    let before = one.counters();
    let context = context(&one).unwrap();
    drop(crate::Buffer::from_bytes(&context, &[1, 2]).unwrap());
    let since = one.counters().since(&before);
    assert_eq!((since.allocations(), since.transfers(), since.created(ObjectKind::Memory)), (1, 1, 1));
    assert_eq!(other.counters().since(&Counters::since(&before, &before)).live(), 0);
    assert!(Call::ALL.iter().all(|call| other.counters().calls(*call) == 0));
}

#[test]
fn names_of_the_table_are_unique() {
    let names: BTreeSet<&str> = Call::ALL.iter().map(|call| call.name()).collect();
    assert_eq!(names.len(), Call::ALL.len());
}

/// Outside the gateway the binding's names are constants and plain types only.
#[test]
fn library_is_called_in_the_gateway_only() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    collect(&root, &mut files);
    assert!(files.len() > 50);
    for path in files.iter().filter(|path| !path.components().any(|part| part.as_os_str() == "driver")) {
        let text = std::fs::read_to_string(path).unwrap();
        assert!(!text.contains("cl3::load_library"), "{} loads the library", path.display());
        let mut rest = text.as_str();
        while let Some(start) = rest.find("opencl3::") {
            let end = start + rest[start..].find([';', '\n']).unwrap_or(0);
            let end = if rest[start..end].contains('{') { start + rest[start..].find(';').unwrap_or(0) } else { end };
            let named = &rest[start..end];
            let mut names = named.split(|c: char| !c.is_alphanumeric() && c != '_');
            assert_eq!(names.find(|name| is_function(name)), None, "{} names a call of the library", path.display());
            rest = &rest[end..];
        }
    }
}

/// Modules, constants and types are not calls.
fn is_function(name: &str) -> bool {
    const VERBS: [&str; 14] = [
        "get_", "create_", "retain_", "release_", "enqueue_", "build_", "compile_", "link_", "set_", "wait_", "flush",
        "finish", "svm_", "unload_",
    ];
    let wrappers =
        ["Buffer", "CommandQueue", "Context", "Device", "Event", "ExecuteKernel", "Kernel", "Platform", "Program"];
    VERBS.iter().any(|verb| name.starts_with(verb)) || wrappers.contains(&name)
}

fn collect(folder: &std::path::Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

#[test]
fn absent_function_is_a_missing_feature() {
    let error = DriverError::of(Call::CreateSampler, opencl3::error_codes::DLOPEN_FUNCTION_NOT_AVAILABLE);
    assert!(error.is_absence());
    assert_eq!(error.to_string(), String::from("the OpenCL library lacks clCreateSampler"));
    assert_eq!(
        format!("{}", DriverError::of(Call::Flush, opencl3::error_codes::DLOPEN_RUNTIME_LOAD_FAILED)),
        DriverError::NoLibrary.to_string()
    );
}
