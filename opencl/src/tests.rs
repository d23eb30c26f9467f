//! The device layer, on whatever OpenCL device the machine has; silent where it has none.

use super::{
    Buffer, BuildError, Context, ContextOptions, DeviceMemoryError, Devices, FloatSupport, OpenClError, Program,
};

fn context() -> Option<Context> {
    match Context::open() {
        Ok(context) => Some(context),
        Err(error) if error.is_absence() => {
            eprintln!("not run: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn device_is_found_by_index_and_by_part_of_its_name() {
    let Ok(devices) = Devices::find() else { return };
    let first = devices.by_index(0).unwrap();
    let part = first.name[..first.name.len().min(4)].to_uppercase();
    assert_eq!(devices.by_name(&part).unwrap().index, 0);
}

#[test]
fn unknown_device_is_an_error_that_lists_the_known() {
    let Ok(devices) = Devices::find() else { return };
    let error = devices.by_name("no such device").unwrap_err();
    assert!(error.is_absence());
    let message = error.to_string();
    assert!(message.contains("`no such device`") && message.contains(&devices.by_index(0).unwrap().name), "{message}");
    assert!(devices.by_index(usize::MAX).is_err());
}

#[test]
fn bytes_come_back_as_written() {
    let Some(context) = context() else { return };
    let buffer = Buffer::from_bytes(&context, &[1, 2, 3, 4, 5]).unwrap();
    buffer.write(1, &[7, 8]).unwrap();
    let mut back = [0; 4];
    buffer.read(1, &mut back).unwrap();
    assert_eq!(back, [7, 8, 4, 5]);
}

#[test]
fn range_outside_a_buffer_is_refused() {
    let Some(context) = context() else { return };
    let buffer = Buffer::new(&context, 4).unwrap();
    assert!(matches!(
        buffer.write(2, &[0; 3]),
        Err(OpenClError::Memory(DeviceMemoryError::OutOfRange { offset: 2, length: 3, capacity: 4 }))
    ));
    assert!(buffer.read(usize::MAX, &mut [0; 2]).is_err());
}

#[test]
fn empty_buffer_is_legal() {
    let Some(context) = context() else { return };
    let buffer = Buffer::from_bytes(&context, &[]).unwrap();
    assert!(buffer.is_empty());
    buffer.read(0, &mut []).unwrap();
}

#[test]
fn build_error_carries_the_log() {
    let Some(context) = context() else { return };
    let error = Program::build(&context, "k", "__kernel void k(__global int *a) { a[0] = unknown_name; }").unwrap_err();
    let OpenClError::Build(BuildError::Refused { log, options, .. }) = error else { panic!("{error}") };
    assert!(log.contains("unknown_name"), "{log}");
    assert!(options.contains("-cl-std=CL1.2") && !options.contains("-cl-opt-disable"));
}

#[test]
fn a_context_may_have_its_programs_built_unoptimised() {
    let Some(context) = context() else { return };
    let options = ContextOptions { unoptimised: true, ..ContextOptions::default() };
    let context = Context::with_options(context.driver(), context.device(), &options).unwrap();
    let wrong = "__kernel void k(__global int *a) { a[0] = unknown_name; }";
    let error = Program::build(&context, "k", wrong).unwrap_err();
    let OpenClError::Build(BuildError::Refused { options, .. }) = error else { panic!("{error}") };
    assert!(options.contains("-cl-opt-disable"), "{options}");
    Program::build(&context, "k", "__kernel void k(__global int *a) { a[0] = 7; }").unwrap();
}

#[test]
fn source_with_a_nul_is_refused() {
    let Some(context) = context() else { return };
    assert!(matches!(Program::build(&context, "k", "\0"), Err(OpenClError::Build(BuildError::Nul { .. }))));
}

#[test]
fn lacking_floats_are_named() {
    let none = FloatSupport {
        denormals: false,
        infinities_and_nans: true,
        rounds_to_nearest: true,
        correctly_rounded_division: false,
    };
    assert_eq!(none.lacks(false), ["denormals"]);
    assert_eq!(none.lacks(true), ["denormals", "correctly rounded division"]);
}
