//! Nodes that kernels of a user's own compute.

#[path = "../common/mod.rs"]
mod common;
mod errors;
mod kernels;
mod nodes;

use rayon::ThreadPoolBuilder;
use windrow::{Rayon, Serial, ViewMut, family::FamilyError, prelude::*};
use windrow_graph::{
    CustomNodeError, CustomOperator, CustomOperators, Model, Plan, PlanError, PlanFileError, PlanOptions,
    partition::TvmAcl,
};

use common::{file::File, plans::Files, values};
use kernels::{keep_above, network, network_answer, operators};

const EXAMPLE: &str = "com.example";

fn model(file: &File) -> Model {
    Model::from_onnx_with(&file.bytes(), &operators()).unwrap()
}

fn bits(floats: &[f32]) -> Vec<u32> {
    floats.iter().map(|float| float.to_bits()).collect()
}

/// What a plan of one input and one output, both of floats, computes.
fn answer(plan: &Plan, x: &[f32]) -> Vec<f32> {
    let mut tensor = Tensor::with_info(*plan.inputs().next().unwrap().1).unwrap();
    tensor.storage_mut().copy_from_slice(x);
    plan.apply::<f32>(&Serial, &[tensor.view().any()]).unwrap()[0].to_vec()
}

/// Numbers of few bits, whose sums of products are exact in any order.
fn x() -> Vec<f32> {
    values("custom/x", 2 * 3 * 5 * 6, -64.0, 64.0).into_iter().map(|x| x.round() / 64.0).collect()
}

#[test]
fn a_network_computes_what_its_kernels_define() {
    let expected = network_answer(&x());
    assert!(expected.iter().any(|&element| element > 8.0));
    for upsample in ["UpsampleGated", "UpsamplePlanes"] {
        let plan = model(&network(upsample)).plan().unwrap();
        let x = x();
        let x = View::from_slice(&x, [2, 3, 5, 6]).unwrap();
        let pool = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        for schedulers in 0..2 {
            let found = match schedulers {
                0 => plan.apply::<f32>(&Serial, &[x.any()]),
                _ => pool.install(|| plan.apply::<f32>(&Rayon::new(), &[x.any()])),
            };
            assert_eq!(bits(&found.unwrap()[0].to_vec()), bits(&expected), "{upsample}");
        }
        let mut found = vec![0.0; expected.len()];
        let mut kernels = Vec::new();
        let mut out = [ViewMut::from_slice(&mut found, [2, 8, 6, 8]).unwrap().any()];
        plan.run_timed(&Serial, &[x.any()], &mut out, |step, _| kernels.push(step.kernel())).unwrap();
        assert_eq!(bits(&found), bits(&expected), "{upsample}");
        assert!(kernels.contains(&"keep_above") && kernels.contains(&"weighed_sum"), "{kernels:?}");
    }
}

#[cfg(feature = "opencl")]
#[test]
fn a_device_computes_the_bits_of_the_processor() {
    let Some(memory) = common::device::memory() else { return };
    for upsample in ["UpsampleGated", "UpsamplePlanes"] {
        let plan = std::sync::Arc::new(model(&network(upsample)).plan().unwrap());
        let device = windrow_graph::DevicePlan::new(plan, &memory).unwrap();
        let x = x();
        let found = device.apply::<f32>(&[View::from_slice(&x, [2, 3, 5, 6]).unwrap().any()]).unwrap();
        assert_eq!(bits(&found[0].to_vec()), bits(&network_answer(&x)), "{upsample}");
    }
}

#[test]
fn several_runs_go_on_at_a_time() {
    let mut options = PlanOptions::default();
    options.runs = 3;
    let plan = model(&network("UpsampleGated")).plan_with(&options).unwrap();
    let expected = bits(&network_answer(&x()));
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| (0..4).for_each(|_| assert_eq!(bits(&answer(&plan, &x())), expected)));
        }
    });
}

#[test]
fn steps_and_partitions_name_the_operator() {
    let model = model(&network("UpsampleGated"));
    let plan = model.plan().unwrap();
    let step = plan.steps().iter().find(|step| step.kernel() == "upsample_gated").unwrap();
    assert_eq!((step.node(), step.operator()), ("the UpsampleGated", "com.example.UpsampleGated"));
    // In memory, channels are last, and the kernel takes them so.
    assert_eq!(step.extents(), [2, 6, 8, 4]);
    let found = model.partition(&TvmAcl::default()).unwrap();
    let left: Vec<&str> = found.left.iter().map(|left| left.operator.as_str()).collect();
    for operator in ["UpsampleGated", "KeepAbove", "WeighedSum"] {
        assert!(left.contains(&format!("com.example.{operator}").as_str()), "{left:?}");
    }
}

#[test]
fn plans_in_files_name_their_operators() {
    let plan = model(&network("UpsampleGated")).plan().unwrap();
    let files = Files::of(&plan);
    let again = Plan::read_with(&files.plan, &files.constants, &PlanOptions::default(), &operators()).unwrap();
    assert_eq!(bits(&answer(&again, &x())), bits(&network_answer(&x())));
    assert_eq!(Files::of(&again), files);
    let text = String::from_utf8(files.plan.clone()).unwrap();
    let expected = r#""kernel":{"custom":{"operator":"com.example.KeepAbove","kernel":"keep_above","arguments":{"level":{"float":0.75}}}}"#;
    assert!(text.contains(expected), "{text}");

    let missing = files.read().unwrap_err();
    let message = missing.to_string();
    assert!(matches!(missing, PlanFileError::Custom { operator, .. } if operator == "com.example.UpsampleGated"));
    assert!(message.contains("is computed by the custom operator `com.example.UpsampleGated`, which is not given"));

    let mut others = CustomOperators::new();
    others.add(CustomOperator::new::<keep_above>("com.example.UpsampleGated")).unwrap();
    let other = Plan::read_with(&files.plan, &files.constants, &PlanOptions::default(), &others).unwrap_err();
    assert!(
        matches!(other, PlanFileError::CustomKernel { found: "keep_above", ref expected, .. } if expected == "upsample_gated"),
        "{other}"
    );

    // Values that the kernel lacks, has not or can't have.
    let wrong = |change: fn(&mut serde_json::Value)| {
        let mut json = files.json();
        for step in json["steps"].as_array_mut().unwrap() {
            if let Some(call) = step["kernel"].get_mut("custom") {
                change(call);
            }
        }
        let files = files.with_json(&json);
        Plan::read_with(&files.plan, &files.constants, &PlanOptions::default(), &operators()).unwrap_err()
    };
    let lacks = wrong(|call| drop(call.as_object_mut().unwrap().remove("arguments")));
    let PlanFileError::Plan(PlanError::Custom { error, .. }) = lacks else { panic!("{lacks}") };
    assert!(matches!(*error, CustomNodeError::Value(FamilyError::Missing { .. })));
    let text = wrong(|call| call["arguments"]["times"] = serde_json::json!({"text": "two"}));
    assert!(matches!(text, PlanFileError::Plan(PlanError::Custom { .. })), "{text}");
    let out_of_bounds = wrong(|call| call["arguments"]["times"] = serde_json::json!({"int": 9}));
    assert!(matches!(out_of_bounds, PlanFileError::Plan(PlanError::Unsupported(_))), "{out_of_bounds}");
    let unknown = wrong(|call| call["arguments"]["more"] = serde_json::json!({"int": 1}));
    assert!(unknown.to_string().contains("`more`"), "{unknown}");
}

/// One node of an operator of the example's domain, from inputs `x` and others to `y`.
fn one(operator: &str, extents: &[i64], inputs: &[&str], attributes: &[Vec<u8>]) -> File {
    File::new(extents).node_of(EXAMPLE, operator, inputs, &["y"], attributes)
}

#[test]
fn an_operator_takes_the_place_of_one_that_is_known() {
    let mut operators = CustomOperators::new();
    operators.add(CustomOperator::new::<keep_above>("Relu").default("level", 1.0f32)).unwrap();
    let file = File::new(&[3]).node("Relu", &["x"], &["y"]);
    let plan = Model::from_onnx_with(&file.bytes(), &operators).unwrap().plan().unwrap();
    assert_eq!(answer(&plan, &[-2.0, 0.5, 3.0]), [-2.0, 0.0, 3.0]);
    // A name that nothing is said of is refused, as ever.
    let unknown = Model::from_onnx(&one("KeepAbove", &[4], &["x"], &[]).bytes()).unwrap().plan().unwrap_err();
    assert!(matches!(unknown, PlanError::Unsupported(_)));
}
