//! `windrow probe` as the child of an application, on whatever OpenCL device the machine has; silent where it has none.

use std::process::{Command, Stdio};
use windrow_opencl::{Context, Probe, ProbeVerdict, ProgramSource, Trial, TrialArgument};

#[test]
fn a_program_is_tried_by_the_command() {
    let Ok(context) = Context::open() else { return eprintln!("not run: no device") };
    let child = Probe::command(env!("CARGO_BIN_EXE_windrow")).with_argument("probe");
    let text = "__kernel void fill(__global uchar *a, uchar value) { a[get_global_id(0)] = value; }";
    let trial = Trial::new([TrialArgument::Memory(64), TrialArgument::Value(vec![7])]).with_items([64, 1, 1]);
    let source = ProgramSource::new("fill", text).with_trial(trial);
    let verdict = context.programs().probe(&child, &source).unwrap();
    assert_eq!(verdict, ProbeVerdict::Survived { launches: 1 });
}

#[test]
fn what_is_no_question_is_refused() {
    let output = Command::new(env!("CARGO_BIN_EXE_windrow")).arg("probe").stdin(Stdio::null()).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("reads what to try from its input"));
}
