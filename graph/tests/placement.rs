//! Plans of which the processor computes some steps and a device the others compute the bits of the processor alone.
#![cfg(feature = "opencl")]

mod common;

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use common::{
    device::{bits, memory},
    file::File,
    plans::Files,
    qdq, quantized,
    random::Random,
};
use windrow::{
    AnyView, Kernel, Scheduler, Serial, Tensor, TensorInfo, View, ViewMut, code::KernelCode, code::OpenClProgram,
    family::AnyTensor, opencl::DeviceMemory, prelude::*, schedule::ScheduleError,
};
use windrow_graph::{
    CustomOperator, CustomOperators, DevicePlan, DevicePlanError, Direction, Model, Placement, Plan, Requantization,
    Root, RunOnDeviceError, RunPlanError, Step, StepPlace, Transfer,
};

/// What a plan computes on the processor.
fn expected(plan: &Plan, inputs: &[AnyView<'_>]) -> Vec<Vec<u32>> {
    let mut tensors: Vec<AnyTensor> = plan.outputs().map(|(_, info)| AnyTensor::new(info).unwrap()).collect();
    let mut views: Vec<_> = tensors.iter_mut().map(AnyTensor::view_mut).collect();
    plan.run(&Serial, inputs, &mut views).unwrap();
    tensors.iter().map(|tensor| bits(tensor.view())).collect()
}

/// What a placed plan computes, into memory that holds something else.
fn found(device: &DevicePlan, inputs: &[AnyView<'_>]) -> Vec<Vec<u32>> {
    let made = |info: &TensorInfo| AnyTensor::new(info).unwrap();
    let mut tensors: Vec<AnyTensor> = device.plan().outputs().map(|(_, info)| made(info)).collect();
    let mut views: Vec<_> = tensors.iter_mut().map(AnyTensor::view_mut).collect();
    device.run(inputs, &mut views).unwrap();
    tensors.iter().map(|tensor| bits(tensor.view())).collect()
}

/// Which steps the processor computes, in each of the ways in which plans are cut here.
fn cuts(name: &str, steps: usize) -> Vec<(&'static str, Vec<usize>)> {
    let mut random = Random(name.bytes().fold(7, |seed: u64, byte| seed.wrapping_mul(31).wrapping_add(byte.into())));
    let all = 0..steps;
    vec![
        ("the first", vec![0]),
        ("the last", vec![steps - 1]),
        ("each second", all.clone().step_by(2).collect()),
        ("all but each second", all.clone().skip(1).step_by(2).collect()),
        ("all but one", all.clone().filter(|step| *step != steps / 2).collect()),
        ("half of them", all.clone().filter(|_| random.below(2) == 0).collect()),
        ("all", all.collect()),
    ]
}

fn placement<'n>(nodes: impl IntoIterator<Item = &'n str>) -> Placement {
    nodes.into_iter().fold(Placement::on_device(), Placement::on_processor)
}

/// Cuts a plan in all ways. Each is run twice, between which another input leaves other elements everywhere.
fn cut(memory: &DeviceMemory, name: &str, plan: Plan, inputs: &[AnyView<'_>], others: &[AnyView<'_>]) {
    let plan = Arc::new(plan);
    let (own, other) = (expected(&plan, inputs), expected(&plan, others));
    for (cut, steps) in cuts(name, plan.steps().len()) {
        let nodes: BTreeSet<&str> = steps.iter().map(|&step| plan.steps()[step].node()).collect();
        let placement = placement(nodes.iter().copied());
        let device = DevicePlan::with_placement(Arc::clone(&plan), memory, &placement)
            .unwrap_or_else(|error| panic!("{name}, {cut}: {error}"));
        for (inputs, expected) in [(inputs, &own), (others, &other), (inputs, &own)] {
            assert!(found(&device, inputs) == *expected, "{name}, {cut} with the processor: {nodes:?}");
        }
        for placed in device.places() {
            let is_named = nodes.contains(placed.step.node());
            assert!(!is_named || placed.place == StepPlace::Processor, "{name}, {cut}: {}", placed.step.node());
        }
        let mut moved = BTreeSet::new();
        for transfer in device.transfers() {
            assert!(moved.insert((transfer.root, transfer.written)), "{name}, {cut}: twice {transfer}");
        }
    }
}

fn cut_floats(memory: &DeviceMemory, name: &str, plan: Plan) {
    let input = common::input(name, &plan);
    let mut other = Tensor::<f32>::with_info(*input.info()).unwrap();
    other.storage_mut().iter_mut().zip(input.storage()).for_each(|(to, from)| *to = 0.5 - from);
    cut(memory, name, plan, &[input.view().any()], &[other.view().any()]);
}

#[test]
fn networks_of_onnx() {
    let Some(memory) = memory() else { return };
    for name in common::names() {
        cut_floats(&memory, &name, common::plan(&name));
    }
}

#[test]
fn quantised_networks_of_onnx() {
    let Some(memory) = memory() else { return };
    for name in qdq::SMALL {
        cut_floats(&memory, name, qdq::plan(name));
    }
}

#[test]
fn quantised_networks_of_tflite() {
    let Some(memory) = memory() else { return };
    for name in quantized::MODELS {
        let plan = quantized::plan(name, Requantization::Integer);
        let inputs = [1, 2].map(|number| {
            let mut input = AnyTensor::new(plan.inputs().next().unwrap().1).unwrap();
            let view = input.view_mut().without_quantization();
            view.typed::<i8>().unwrap().into_slice().unwrap().copy_from_slice(&quantized::input(name, number));
            input
        });
        let [input, other] = inputs.each_ref().map(|input| [input.view()]);
        cut(&memory, name, plan, &input, &other);
    }
}

/// `y = exp(join(sigmoid(relu(x)), tanh(relu(x))))` of two tensors of 24 floats.
fn joined() -> Plan {
    let file = File::new(&[1, 2, 3, 4])
        .node("Relu", &["x"], &["a"])
        .node("Sigmoid", &["a"], &["b"])
        .node("Tanh", &["a"], &["c"])
        .node_with("Concat", &["b", "c"], &["joined"], &[common::file::integer("axis", 1)])
        .node("Exp", &["joined"], &["y"]);
    Model::from_onnx(&file.bytes()).unwrap().plan().unwrap()
}

/// What is moved: its name, where to, at which step, and its bytes.
fn moved(device: &DevicePlan) -> Vec<(String, Direction, usize, usize)> {
    let of = |transfer: &Transfer| (transfer.value.clone(), transfer.direction, transfer.step, transfer.bytes);
    device.transfers().map(of).collect()
}

#[test]
fn what_the_other_side_reads_is_moved_once_and_nothing_else() {
    let Some(memory) = memory() else { return };
    let kernels: Vec<&str> = joined().steps().iter().map(Step::kernel).collect();
    assert_eq!(kernels, ["relu", "sigmoid", "tanh", "exp"]);
    use Direction::{ToDevice, ToProcessor};
    let of = |nodes: &[&str]| {
        let placement = placement(nodes.iter().copied());
        moved(&DevicePlan::with_placement(Arc::new(joined()), &memory, &placement).unwrap())
    };
    let all = |found: &[(&str, Direction, usize, usize)]| {
        found
            .iter()
            .map(|&(value, direction, step, bytes)| (value.to_owned(), direction, step, bytes))
            .collect::<Vec<_>>()
    };
    assert_eq!(of(&[]), all(&[("x", ToDevice, 0, 96), ("y", ToProcessor, 3, 192)]));
    // A part of what is joined, and not the part beside it.
    let tanh = [("x", ToDevice, 0, 96), ("the Relu", ToProcessor, 0, 96), ("the Tanh", ToDevice, 3, 96)];
    assert_eq!(of(&["the Tanh"]), all(&[&tanh[..], &[("y", ToProcessor, 3, 192)]].concat()));
    // Both parts at once; the processor writes the output itself.
    assert_eq!(of(&["the Exp"]), all(&[("x", ToDevice, 0, 96), ("the Tanh", ToProcessor, 2, 192)]));
    // Two steps that read it have it moved once.
    let relu = [("the Relu", ToDevice, 1, 96), ("y", ToProcessor, 3, 192)];
    assert_eq!(of(&["the Relu"]), all(&relu));
    assert_eq!(of(&["the Relu", "the Sigmoid", "the Tanh", "the Exp"]), all(&[]));
}

#[test]
fn parts_of_an_output_that_both_sides_write_come_together() {
    let Some(memory) = memory() else { return };
    let file = File::new(&[2, 3, 4, 5]).node("Relu", &["x"], &["b"]).node("Tanh", &["x"], &["c"]).node_with(
        "Concat",
        &["b", "c"],
        &["y"],
        &[common::file::integer("axis", 1)],
    );
    let plan = Arc::new(Model::from_onnx(&file.bytes()).unwrap().plan().unwrap());
    let nodes: Vec<&str> = plan.steps().iter().map(Step::node).collect();
    assert_eq!(nodes, ["the Relu", "the Tanh"]);
    let input = common::input("parts", &plan);
    let alone = expected(&plan, &[input.view().any()]);
    for (own, other, first) in [("the Relu", "the Tanh", 1), ("the Tanh", "the Relu", 0)] {
        let device = DevicePlan::with_placement(Arc::clone(&plan), &memory, &placement([own])).unwrap();
        let up = ("x".to_owned(), Direction::ToDevice, first, 480);
        assert_eq!(moved(&device), [up, (other.to_owned(), Direction::ToProcessor, 1, 480)]);
        assert_eq!(found(&device, &[input.view().any()]), alone, "{own}");
    }
}

/// A part of a tensor along each of its dimensions: rows of two elements, in planes that no one distance parts.
#[test]
fn parts_of_parts_of_parts_are_moved_by_themselves() {
    let Some(memory) = memory() else { return };
    let axis = |axis: i64| [common::file::integer("axis", axis)];
    let file = File::new(&[2, 2, 2, 2])
        .node("Relu", &["x"], &["a"])
        .node("Tanh", &["x"], &["b"])
        .node_with("Concat", &["a", "b"], &["columns"], &axis(3))
        .node("Exp", &["columns"], &["c"])
        .node_with("Concat", &["columns", "c"], &["rows"], &axis(2))
        .node("Sigmoid", &["rows"], &["d"])
        .node_with("Concat", &["rows", "d"], &["channels"], &axis(1))
        .node("Abs", &["channels"], &["y"]);
    let plan = || Model::from_onnx(&file.bytes()).unwrap().plan().unwrap();
    let input = common::input("parts", &plan());
    let other = common::input("others", &plan());
    cut(&memory, "parts", plan(), &[input.view().any()], &[other.view().any()]);
    let device = DevicePlan::with_placement(Arc::new(plan()), &memory, &placement(["the Relu"])).unwrap();
    let relu = device.transfers().find(|transfer| transfer.written == Some(0)).unwrap();
    assert_eq!((&*relu.value, relu.direction, relu.bytes), ("the Relu", Direction::ToDevice, 64));
}

/// A plan from a file may write over what another step has written: here the second half of `relu(x)`.
#[test]
fn what_is_written_over_another_value_arrives_in_that_order() {
    let Some(memory) = memory() else { return };
    let file = File::new(&[4, 8])
        .integers("from", &[2])
        .integers("to", &[4])
        .node("Relu", &["x"], &["a"])
        .node("Slice", &["x", "from", "to"], &["half"])
        .node("Tanh", &["half"], &["b"])
        .node("Exp", &["a"], &["c"])
        .node("Sigmoid", &["b"], &["d"])
        .node_with("Concat", &["c", "d"], &["y"], &[common::file::integer("axis", 0)]);
    let files = Files::of(&Model::from_onnx(&file.bytes()).unwrap().plan().unwrap());
    let mut json = files.json();
    let steps = json["steps"].as_array_mut().unwrap();
    let nodes: Vec<String> = steps.iter().map(|step| step["node"].as_str().unwrap().to_owned()).collect();
    assert_eq!(nodes, ["the Relu", "the Tanh", "the Exp", "the Sigmoid"]);
    let mut written = steps[0]["writes"].clone();
    (written["extents"], written["offset"]) = (serde_json::json!([2, 8]), serde_json::json!(16));
    steps[1]["writes"] = written.clone();
    steps[3]["reads"] = serde_json::json!([written]);
    let plan = Arc::new(files.with_json(&json).read().unwrap());
    let input = common::input("over", &plan);
    let alone = expected(&plan, &[input.view().any()]);
    for places in 0..16 {
        let nodes = (0..4).filter(|step| places >> step & 1 == 1).map(|step| nodes[step].as_str());
        let device = DevicePlan::with_placement(Arc::clone(&plan), &memory, &placement(nodes)).unwrap();
        for _ in 0..2 {
            assert_eq!(found(&device, &[input.view().any()]), alone, "{places:04b}");
        }
    }
}

/// x, twice.
#[kernel]
pub fn twice(x: f32) -> f32 {
    x + x
}

/// The same without a program for devices.
struct Hostly;

static WITHOUT_PROGRAM: KernelCode = {
    let code = twice::CODE;
    // SAFETY: everything but the program is `twice`'s own, and there is no program.
    unsafe { KernelCode::new(code.spec(), code.bodies(), code.derive(), code.reference(), &OpenClProgram::NONE) }
};

// SAFETY: as `twice`, whose views it takes.
unsafe impl Kernel for Hostly {
    const CODE: &'static KernelCode = &WITHOUT_PROGRAM;
    type Inputs<'a> = <twice as Kernel>::Inputs<'a>;
    type Outputs<'a> = <twice as Kernel>::Outputs<'a>;
}

/// `y = tanh(twice(relu(x)))`, where no device computes `twice`.
fn custom() -> Arc<Plan> {
    let file = File::new(&[1, 2, 3, 4])
        .node("Relu", &["x"], &["a"])
        .node_of("com.example", "Twice", &["a"], &["b"], &[])
        .node("Tanh", &["b"], &["y"]);
    let mut operators = CustomOperators::new();
    operators.add(CustomOperator::new::<Hostly>("com.example.Twice")).unwrap();
    Arc::new(Model::from_onnx_with(&file.bytes(), &operators).unwrap().plan().unwrap())
}

#[test]
fn what_no_device_computes_is_placed_or_refused() {
    let Some(memory) = memory() else { return };
    let plan = custom();
    let refused = DevicePlan::new(Arc::clone(&plan), &memory).unwrap_err();
    assert!(
        matches!(&refused, DevicePlanError::Step { node, kernel: "twice", .. } if node == "the Twice"),
        "{refused}"
    );
    let input = common::input("twice", &plan);
    let alone = expected(&plan, &[input.view().any()]);
    let named = Placement::on_device().on_processor("the Twice").on_processor("the Twice");
    for (placement, falls_back) in [(named, false), (Placement::on_device().fall_back(), true)] {
        let device = DevicePlan::with_placement(Arc::clone(&plan), &memory, &placement).unwrap();
        assert_eq!(found(&device, &[input.view().any()]), alone);
        let places: Vec<_> = device.places().map(|placed| (placed.place, placed.refused.is_some())).collect();
        let on_device = (StepPlace::Device, false);
        assert_eq!(places, [on_device, (StepPlace::Processor, falls_back), on_device]);
        let reason = device.places().find_map(|placed| placed.refused).map(ToString::to_string);
        assert!(reason.is_none_or(|reason| reason.contains("`twice` has no entry")));
    }
    // What the device does compute stays there.
    let device = DevicePlan::with_placement(Arc::new(joined()), &memory, &Placement::default().fall_back()).unwrap();
    assert!(device.places().all(|placed| placed.place == StepPlace::Device));
}

#[test]
fn nodes_that_the_plan_lacks_are_named() {
    let Some(memory) = memory() else { return };
    let error = |node: &str| DevicePlan::with_placement(Arc::new(joined()), &memory, &placement([node])).unwrap_err();
    let near = error("the Tanhh");
    assert_eq!(near.to_string(), "no step of the plan computes a node `the Tanhh`; did you mean `the Tanh`?");
    let DevicePlanError::UnknownNode { node, known } = error("convolution") else { panic!() };
    assert_eq!((node.as_str(), known.len()), ("convolution", 4));
    // A node that is fused into another one's step is computed there.
    let plan = Arc::new(common::plan("residual"));
    let step = plan.steps().iter().position(|step| !step.fused().is_empty()).unwrap();
    let fused = plan.steps()[step].fused()[0].node().to_owned();
    let device = DevicePlan::with_placement(Arc::clone(&plan), &memory, &placement([&*fused])).unwrap();
    assert_eq!(device.places().nth(step).unwrap().place, StepPlace::Processor);
}

#[test]
fn launches_do_not_wait_for_the_processor() {
    let Some(memory) = memory() else { return };
    let device = DevicePlan::with_placement(Arc::new(joined()), &memory, &placement(["the Exp"])).unwrap();
    assert!(matches!(device.launch(), Err(RunOnDeviceError::OnProcessor { node }) if node == "the Exp"));
    // The processor writes the output where the caller has it.
    assert!(device.input(0).is_some() && device.output(0).is_none());
    let device = DevicePlan::with_placement(Arc::new(joined()), &memory, &placement(["the Relu"])).unwrap();
    assert!(device.input(0).is_none() && device.output(0).is_some());
}

/// Counts the runs that it is given, and gives them the caller's thread.
#[derive(Default)]
struct Counting(AtomicUsize);

impl Scheduler for Counting {
    fn num_threads(&self) -> usize {
        2
    }

    fn grain(&self) -> usize {
        1
    }

    fn run(&self, workers: usize, worker: &(dyn Fn(usize) + Sync)) -> Result<(), ScheduleError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        (0..workers).for_each(worker);
        Ok(())
    }
}

#[test]
fn the_processor_s_steps_have_their_scheduler_and_are_timed() {
    let Some(memory) = memory() else { return };
    let plan = Arc::new(joined());
    let (input, counting) = (common::input("joined", &plan), Arc::new(Counting::default()));
    let placement = placement(["the Sigmoid"]).with_scheduler(counting.clone());
    let device = DevicePlan::with_placement(Arc::clone(&plan), &memory, &placement).unwrap();
    let (mut names, mut elements) = (Vec::new(), vec![0.0f32; 48]);
    let mut output = ViewMut::from_slice(&mut elements, [1, 4, 3, 4]).unwrap();
    let say = |step: &Step, _| names.push(step.node().to_owned());
    device.run_timed(&[input.view().any()], &mut [output.reborrow().any()], say).unwrap();
    assert_eq!(names, ["the Relu", "the Sigmoid", "the Tanh", "the Exp"]);
    assert_eq!(counting.0.load(Ordering::Relaxed), 1);
    assert_eq!(bits(output.view().any()), expected(&plan, &[input.view().any()])[0]);
}

#[test]
fn runs_of_several_threads_go_one_after_the_other() {
    let Some(memory) = memory() else { return };
    let plan = Arc::new(joined());
    let input = common::input("joined", &plan);
    let alone = expected(&plan, &[input.view().any()]);
    let device = DevicePlan::with_placement(Arc::clone(&plan), &memory, &placement(["the Tanh"])).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| (0..4).for_each(|_| assert_eq!(found(&device, &[input.view().any()]), alone)));
        }
    });
}

#[test]
fn the_processor_reads_tensors_without_gaps() {
    let Some(memory) = memory() else { return };
    let elements = [0.5f32; 48];
    let gaps = View::<f32>::with_strides(&elements, &[1, 2, 3, 4], &[192, 96, 32, 8]).unwrap();
    let mut out = vec![0.0f32; 48];
    let mut output = [ViewMut::from_slice(&mut out, [1, 4, 3, 4]).unwrap().any()];
    // A device takes them, alone.
    DevicePlan::new(Arc::new(joined()), &memory).unwrap().run(&[gaps.any()], &mut output).unwrap();
    let device = DevicePlan::with_placement(Arc::new(joined()), &memory, &placement(["the Relu"])).unwrap();
    let refused = device.run(&[gaps.any()], &mut output).unwrap_err();
    assert!(matches!(refused, RunOnDeviceError::Plan(RunPlanError::Tensor { .. })), "{refused}");
    assert!(device.transfers().all(|transfer| transfer.root != Root::Input(0)));
}
