//! Plans on OpenCL devices compute the processor's bits.
#![cfg(feature = "opencl")]

mod common;

use std::sync::Arc;

use common::{
    device::{bits, memory},
    file::File,
    qdq, quantized,
};
use windrow::{AnyView, Serial, Tensor, TensorInfo, ValidRegion, family::AnyTensor, opencl::DeviceMemory};
use windrow_graph::{DevicePlan, Model, Plan, Requantization, RunOnDeviceError, RunPlanError};

/// What a plan computes of these inputs, on the processor and on a device.
fn both(memory: &DeviceMemory, name: &str, plan: Plan, inputs: &[AnyView<'_>]) -> DevicePlan {
    let made = |info: &TensorInfo| AnyTensor::new(info).unwrap();
    let mut expected: Vec<AnyTensor> = plan.outputs().map(|(_, info)| made(info)).collect();
    let mut found: Vec<AnyTensor> = plan.outputs().map(|(_, info)| made(info)).collect();
    let mut views: Vec<_> = expected.iter_mut().map(AnyTensor::view_mut).collect();
    plan.run(&Serial, inputs, &mut views).unwrap();
    let device = DevicePlan::new(Arc::new(plan), memory).unwrap_or_else(|error| panic!("{name}: {error}"));
    // A second run finds the memory as the first has left it.
    for _ in 0..2 {
        let mut views: Vec<_> = found.iter_mut().map(AnyTensor::view_mut).collect();
        device.run(inputs, &mut views).unwrap_or_else(|error| panic!("{name}: {error}"));
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(bits(found.view()), bits(expected.view()), "{name}");
        }
    }
    device
}

#[test]
fn networks_of_onnx() {
    let Some(memory) = memory() else { return };
    for name in common::names() {
        let plan = common::plan(&name);
        let input = common::input(&name, &plan);
        both(&memory, &name, plan, &[input.view().any()]);
    }
}

#[test]
fn quantised_networks_of_onnx() {
    let Some(memory) = memory() else { return };
    for name in qdq::SMALL {
        let plan = qdq::plan(name);
        let input = common::input(name, &plan);
        both(&memory, name, plan, &[input.view().any()]);
    }
}

#[test]
fn quantised_networks_of_tflite() {
    let Some(memory) = memory() else { return };
    for name in quantized::MODELS {
        let elements = quantized::input(name, 1);
        for requantization in [Requantization::Integer, Requantization::Float] {
            let plan = quantized::plan(name, requantization);
            let mut input = AnyTensor::new(plan.inputs().next().unwrap().1).unwrap();
            let mut view = input.view_mut();
            view.reborrow()
                .without_quantization()
                .typed::<i8>()
                .unwrap()
                .into_slice()
                .unwrap()
                .copy_from_slice(&elements);
            both(&memory, name, plan, &[input.view()]);
        }
    }
}

#[test]
fn runs_of_several_threads_go_one_after_the_other() {
    let Some(memory) = memory() else { return };
    let plan = common::plan("residual");
    let input = common::input("residual", &plan);
    let device = both(&memory, "residual", plan, &[input.view().any()]);
    let expected = bits(device.apply::<f32>(&[input.view().any()]).unwrap()[0].view().any());
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..4 {
                    let found = device.apply::<f32>(&[input.view().any()]).unwrap();
                    assert_eq!(bits(found[0].view().any()), expected);
                }
            });
        }
    });
}

/// Launches a plan on an input that is written to the device, after a run on another one.
fn launched(memory: &DeviceMemory, name: &str, plan: Plan, input: &Tensor<f32>) {
    let device = both(memory, name, plan, &[input.view().any()]);
    let expected = device.apply::<f32>(&[input.view().any()]).unwrap().swap_remove(0);
    let other = Tensor::<f32>::with_info(*input.info()).unwrap();
    device.apply::<f32>(&[other.view().any()]).unwrap();
    device.input(0).unwrap().write(&input.view().any()).unwrap();
    device.launch().unwrap();
    let mut found = Tensor::<f32>::with_info(*expected.info()).unwrap();
    let whole = ValidRegion::whole(expected.info().shape());
    device.output(0).unwrap().download(&whole, &mut found.view_mut().any()).unwrap();
    assert_eq!(bits(found.view().any()), bits(expected.view().any()), "{name}");
    assert!(device.input(1).is_none() && device.output(1).is_none());
}

#[test]
fn a_launch_computes_what_lies_on_the_device() {
    let Some(memory) = memory() else { return };
    let plan = common::plan("residual");
    let input = common::input("residual", &plan);
    launched(&memory, "residual", plan, &input);
}

/// Rows of 299 numbers start at no multiple of a vector's size: on the device they lie as the plan has them, without gaps.
#[test]
fn a_launch_takes_rows_of_any_length() {
    let Some(memory) = memory() else { return };
    let file = File::new(&[1, 2, 5, 299]).node("Softmax", &["x"], &["y"]);
    let plan = Model::from_onnx(&file.bytes()).unwrap().plan().unwrap();
    let input = Tensor::from_fn([1, 2, 5, 299], |[_, c, y, x]| ((c * 7 + y * 5 + x * 3) % 23) as f32 / 4.0).unwrap();
    launched(&memory, "Softmax", plan, &input);
}

#[test]
fn tensors_that_are_not_the_plan_s_are_refused() {
    let Some(memory) = memory() else { return };
    let plan = common::plan("residual");
    let input = common::input("residual", &plan);
    let device = both(&memory, "residual", plan, &[input.view().any()]);
    let refused = |inputs: &[AnyView<'_>]| match device.apply::<f32>(inputs).unwrap_err() {
        RunOnDeviceError::Plan(error) => error,
        other => panic!("{other}"),
    };
    assert_eq!(refused(&[]), RunPlanError::Count { outputs: false, found: 0, expected: 1 });
    let small = Tensor::<f32>::new([1, 2]).unwrap();
    assert!(matches!(refused(&[small.view().any()]), RunPlanError::Tensor { .. }));
}

#[test]
fn each_step_is_timed() {
    let Some(memory) = memory() else { return };
    let plan = common::plan("residual");
    let (input, steps) = (common::input("residual", &plan), plan.steps().len());
    let device = both(&memory, "residual", plan, &[input.view().any()]);
    let mut output = AnyTensor::new(device.plan().outputs().next().unwrap().1).unwrap();
    let mut names = Vec::new();
    let say = |step: &windrow_graph::Step, _| names.push(step.node().to_owned());
    device.run_timed(&[input.view().any()], &mut [output.view_mut()], say).unwrap();
    let expected: Vec<_> = device.plan().steps().iter().map(|step| step.node().to_owned()).collect();
    assert_eq!((names.len(), names), (steps, expected));
}
