//! Plans in files: what is written is read with the same bits, and nothing else is read.

mod common;

use std::path::PathBuf;

use common::{
    digest, input, model, names, path, plan,
    plans::Files,
    qdq,
    quantized::{self, MODELS, SMALL},
};
use serde_json::json;
use windrow::Serial;
use windrow_graph::{Fusion, Plan, PlanFileError, PlanOptions, Requantization};

/// Plans whose files are beside the tests, which are made on x86-64.
const KEPT: [&str; 2] = ["mobile", "layers_int8"];

/// Every how many bytes files are cut off and altered: each where processors compute and do not emulate one another.
const STEP: usize = if cfg!(target_arch = "x86_64") { 1 } else { 61 };

/// Whether a network takes minutes where processors are emulated. Those of each kind are among the others.
fn takes_long(name: &str) -> bool {
    cfg!(not(target_arch = "x86_64")) && matches!(name, "squeezenet" | "mobilenet_v2_int8")
}

fn kept(name: &str) -> Plan {
    if name == "mobile" { plan(name) } else { quantized::plan(name, Requantization::Integer) }
}

fn folder(name: &str) -> PathBuf {
    path("plans").join(name)
}

/// The plan that files give back, whose own files are these again.
fn read_again(name: &str, plan: &Plan) -> Plan {
    let files = Files::of(plan);
    let again = files.read().unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(Files::of(&again) == files, "{name}: what is read is written with other bytes");
    assert_eq!(again.intermediate_bytes(), plan.intermediate_bytes(), "{name}");
    let steps = |plan: &Plan| {
        let of = |step: &windrow_graph::Step| {
            (step.node().to_owned(), step.operator().to_owned(), step.kernel(), step.fused().to_vec())
        };
        plan.steps().iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(steps(&again), steps(plan), "{name}");
    again
}

#[test]
fn networks_of_floats_come_back_with_the_same_bits() {
    for name in names().into_iter().filter(|name| !takes_long(name)) {
        let plan = plan(&name);
        let (again, input) = (read_again(&name, &plan), input(&name, &plan));
        assert_eq!(digest(&again, &Serial, &input), digest(&plan, &Serial, &input), "{name}");
    }
}

#[test]
fn networks_of_integers_come_back_with_the_same_bits() {
    for requantization in [Requantization::Integer, Requantization::Float] {
        for name in MODELS.into_iter().filter(|name| !takes_long(name)) {
            let plan = quantized::plan(name, requantization);
            let again = read_again(name, &plan);
            for number in [0, 1] {
                let answer = |plan: &Plan| quantized::answer(plan, &Serial, quantized::input(name, number));
                assert_eq!(answer(&again), answer(&plan), "{name}, {requantization:?}");
            }
            let said = |plan: &Plan| plan.inputs().map(|(name, info)| (name.to_owned(), *info)).collect::<Vec<_>>();
            assert_eq!(said(&again), said(&plan), "{name}");
        }
        for name in SMALL {
            let plan = quantized::plan(name, requantization);
            let again = read_again(name, &plan);
            let bits =
                |plan: &Plan| quantized::small_answer(name, plan).0.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&again), bits(&plan), "{name}, {requantization:?}");
        }
    }
}

#[test]
fn networks_of_onnx_integers_come_back_with_the_same_bits() {
    for name in qdq::SMALL {
        let plan = qdq::plan(name);
        let again = read_again(name, &plan);
        assert_eq!(qdq::answer(name, &again), qdq::answer(name, &plan), "{name}");
    }
}

#[test]
fn a_model_is_written_with_the_same_bytes_each_time() {
    for name in ["squeezenet", "joined", "mobile"] {
        assert!(Files::of(&plan(name)) == Files::of(&plan(name)), "{name}");
    }
    let files = || Files::of(&quantized::plan("person_detect", Requantization::Float));
    assert!(files() == files());
}

/// Whatever processor this runs on, it makes the files that x86-64 made, and computes by them what it computes by the model.
/// `WINDROW_BLESS=1` writes them.
#[test]
fn plans_that_another_processor_made_have_the_same_bits_here() {
    for name in KEPT {
        let own = kept(name);
        if std::env::var_os("WINDROW_BLESS").is_some() {
            own.save(&folder(name)).unwrap();
        }
        let read = |file: &str| std::fs::read(folder(name).join(file)).unwrap();
        let files = Files { plan: read("plan.json"), constants: read("constants.bin") };
        assert!(Files::of(&own) == files, "{name} is planned to other files here");
        let loaded = Plan::load(&folder(name)).unwrap();
        if name == "mobile" {
            let input = input(name, &own);
            let found = format!("{name} {}", digest(&loaded, &Serial, &input));
            let digests = std::fs::read_to_string(path("digests.txt")).unwrap();
            assert!(digests.lines().any(|line| line == found), "{found}");
        } else {
            assert_eq!(quantized::small_answer(name, &loaded), quantized::small_answer(name, &own));
        }
    }
}

#[test]
fn a_folder_holds_a_plan() {
    let folder = std::env::temp_dir().join(format!("windrow-plan-{}", std::process::id()));
    let missing = Plan::load(&folder).unwrap_err();
    assert!(matches!(&missing, PlanFileError::Io { file, .. } if file.ends_with("plan.json")), "{missing}");
    let own = plan("squeeze");
    own.save(&folder).unwrap();
    let loaded = Plan::load(&folder).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let input = input("squeeze", &own);
    assert_eq!(digest(&loaded, &Serial, &input), digest(&own, &Serial, &input));
}

#[test]
fn files_that_are_cut_off_are_refused() {
    for name in KEPT {
        let files = Files::of(&kept(name));
        for length in (0..files.plan.len()).step_by(STEP) {
            let cut = Files { plan: files.plan[..length].to_vec(), ..files.clone() };
            let error = cut.read().unwrap_err();
            assert!(matches!(error, PlanFileError::Malformed(_)), "{name}, the first {length} bytes: {error}");
        }
        for length in (0..files.constants.len()).step_by(STEP) {
            let cut = Files { constants: files.constants[..length].to_vec(), ..files.clone() };
            let error = cut.read().unwrap_err();
            let is_told = matches!(error, PlanFileError::ConstantsLength { found, .. } if found == length);
            assert!(is_told, "{name}, the first {length} bytes of the constants: {error}");
        }
        let longer = Files { constants: [&files.constants[..], &[0]].concat(), ..files };
        assert!(matches!(longer.read(), Err(PlanFileError::ConstantsLength { .. })));
    }
}

/// No byte of the constants can be another: those between them are zeros, and the others have a digest.
#[test]
fn constants_that_are_altered_are_refused() {
    let files = Files::of(&kept("layers_int8"));
    for place in (0..files.constants.len()).step_by(STEP) {
        let mut altered = files.clone();
        altered.constants[place] ^= 1 << (place % 8);
        let error = altered.read().unwrap_err();
        assert!(matches!(error, PlanFileError::Altered { .. }), "byte {place}: {error}");
    }
    assert_eq!(
        PlanFileError::Altered { constant: 3 }.to_string(),
        "constant 3 is not the one that the plan was made with: its SHA-256 is another, or bytes before it are not 0"
    );
}

#[test]
fn plans_of_other_versions_are_refused_with_the_reason() {
    let files = Files::of(&plan("views"));
    let with_version = |version: serde_json::Value| {
        let mut json = files.json();
        json["windrow_plan"] = version;
        // Another version may have other fields, and lack those of this one.
        json["others"] = json!([1, 2]);
        json.as_object_mut().unwrap().remove("steps");
        files.with_json(&json).read().unwrap_err().to_string()
    };
    let older = "the plan has version 0, which this windrow no longer reads: version 1 is what it reads; make the plan again from its model";
    assert_eq!(with_version(json!(0)), older);
    let later = "the plan has version 2, which a later windrow wrote: version 1 is what this one reads";
    assert_eq!(with_version(json!(2)), later);
    assert!(with_version(json!("1")).starts_with("this is no plan that can be read: invalid type"));
    let none = Plan::read(b"{}", &[], &PlanOptions::default()).unwrap_err().to_string();
    assert!(none.starts_with("this is no plan that can be read: missing field `windrow_plan`"), "{none}");
}

/// The rules of steps, each broken once: where, what it becomes, and what is said.
#[test]
fn steps_are_held_to_their_rules() {
    let files = Files::of(&plan("mobile"));
    let huge = json!([1u64 << 62, 1u64 << 62, 1u64 << 62, 1]);
    let cases = [
        (
            "/steps/2/writes/in",
            json!({ "memory": 99 }),
            "`writes` of step 2 (node `n0`) is in Memory(99), but the plan has no such memory",
        ),
        (
            "/steps/2/writes/in",
            json!({ "input": 0 }),
            "is in Input(0), but steps write to outputs and to memory of their own",
        ),
        ("/steps/2/writes/in", json!({ "constant": 0 }), "but steps write to outputs and to memory of their own"),
        (
            "/steps/2/reads/0/in",
            json!({ "memory": 2 }),
            "`reads[0]` of step 2 (node `n0`) is in Memory(2), but a step reads only what an earlier one has written",
        ),
        ("/steps/2/reads/0/in", json!({ "output": 0 }), "but a step reads only what an earlier one has written"),
        ("/steps/3/writes/in", json!({ "memory": 0 }), "is in Memory(0), but the step reads from there"),
        ("/steps/2/reads/0/offset", json!(1), "but its elements lie inside its memory"),
        ("/steps/2/reads/0/strides", huge, "but its elements lie inside its memory"),
        ("/steps/2/reads/0/strides", json!([1]), "but there is a stride for each extent"),
        ("/steps/2/reads/0/extents", json!([1, 0, 1, 1]), "but no extent may be 0"),
        ("/steps/2/reads/0/extents", json!([1, 1, 1, 1, 1, 1, 1]), "but a tensor has at most 6 dimensions"),
        ("/steps/2/reads/0/extents", json!([-1]), "this is no plan that can be read: invalid value: integer `-1`"),
        ("/steps/2/kernel", json!({ "conv3d": {} }), "unknown variant `conv3d`"),
        ("/steps/2/kernel", json!({ "relu": {} }), "`relu` reads 1 tensors, not 3"),
        ("/steps/2/kernel/conv2d_relu/stride", json!([17, 1]), "`n0` (Conv): `stride` is 17, expected 1 to 16"),
        ("/steps/2/kernel/conv2d_relu/pads", json!([0, 0, 0]), "invalid length 3"),
        ("/steps/2/kernel/conv2d_relu/upper", json!("six"), "expected a number, \"inf\", \"-inf\" or \"NaN\""),
        ("/inputs/0/extents", json!([0]), "but no extent may be 0"),
        ("/inputs/0/quantization", json!({ "scale": -1, "zero": 0 }), "scale"),
        ("/buffers/0/count", json!(1), "but its elements lie inside its memory"),
        ("/buffers/0/count", json!(1u64 << 40), "takes 4398046511104 bytes"),
        ("/buffers/0/element", json!("i8"), "no operator of the library computes 1 of the nodes"),
        ("/constants/0/offset", json!(64), "constant 0 is 216 elements from byte 64 on"),
        ("/constants/1/count", json!(0), "constant 1 is 0 elements"),
        ("/constants/1/count", json!(u64::MAX), "constant 1 is 18446744073709551615 elements"),
        ("/constants/0/sha256", json!("00"), "constant 0 is not the one that the plan was made with"),
        ("/others", json!(1), "unknown field `others`"),
    ];
    let mut others = Vec::new();
    for (place, value, expected) in cases {
        let mut json = files.json();
        match json.pointer_mut(place) {
            Some(found) => *found = value,
            None => {
                let (parent, name) = place.rsplit_once('/').unwrap();
                json.pointer_mut(parent).unwrap()[name] = value;
            }
        }
        let error = files.with_json(&json).read().map_or_else(|error| error.to_string(), |_| "it is read".to_owned());
        if !error.contains(expected) {
            others.push(format!("{place}: {error}"));
        }
    }
    assert!(others.is_empty(), "{}", others.join("\n"));
    let mut json = files.json();
    json["steps"].as_array_mut().unwrap().pop();
    let error = files.with_json(&json).read().unwrap_err().to_string();
    assert_eq!(error, "output 0 is written by no step, but a run writes all outputs");
    // Steps in another order are a cycle, or read what is not there.
    let mut json = files.json();
    json["steps"].as_array_mut().unwrap().reverse();
    assert!(files.with_json(&json).read().unwrap_err().to_string().contains("a step reads only what"));
}

#[test]
fn a_plan_takes_no_more_memory_than_is_said() {
    let files = Files::of(&plan("squeezenet"));
    let mut options = PlanOptions::default();
    options.memory = 1 << 20;
    let error = Plan::read(&files.plan, &files.constants, &options).unwrap_err();
    assert!(matches!(error, PlanFileError::Plan(windrow_graph::PlanError::Memory { limit, .. }) if limit == 1 << 20));
    options.memory = 64 << 20;
    options.runs = 2;
    assert!(Plan::read(&files.plan, &files.constants, &options).is_ok());
}

/// Nodes without a step of their own are said by the step that computes them.
#[test]
fn steps_say_what_is_fused_into_them() {
    let of = |plan: &Plan, step: usize| {
        plan.steps()[step].fused().iter().map(|fused| (fused.operator().to_owned(), fused.how())).collect::<Vec<_>>()
    };
    let residual = plan("residual");
    let fused = |operator: &str, how| (operator.to_owned(), how);
    let sum =
        [fused("BatchNormalization", Fusion::Folded), fused("Sum", Fusion::Added), fused("Relu", Fusion::Bounded)];
    assert_eq!(of(&residual, 3 + 3), sum);
    assert_eq!(of(&plan("pad_convolution"), 3), [fused("Pad", Fusion::Padded)]);
    // No node is told twice, and none is lost: those that move nothing have no step. The first one's image is copied for it.
    let steps = residual.steps().iter().filter(|step| step.kernel() != "copy");
    let steps = steps.map(|step| 1 + step.fused().len()).sum::<usize>();
    let views = model("residual")
        .nodes()
        .iter()
        .filter(|node| ["Flatten", "Reshape", "Unsqueeze"].contains(&node.kind()))
        .count();
    assert_eq!(steps + views, model("residual").nodes().len());
}

/// Buffers that some step needs at the same time lie apart, and all of them inside the memory of a run.
#[test]
fn buffers_that_live_at_once_lie_apart() {
    for name in ["squeezenet", "joined", "mobile"] {
        let plan = plan(name);
        let buffers: Vec<_> = plan.buffers().collect();
        assert!(!buffers.is_empty() && buffers.iter().all(|own| own.offset + own.bytes <= plan.intermediate_bytes()));
        for (place, a) in buffers.iter().enumerate() {
            assert!(a.first <= a.last && a.last < plan.steps().len(), "{name}: {a:?}");
            for b in &buffers[..place] {
                let is_apart = a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset;
                assert!(is_apart || a.last < b.first || b.last < a.first, "{name}: {a:?} and {b:?}");
            }
        }
    }
}
