//! Files that nobody trusts: thousands of mutated ones are read and planned. None panics, and none takes more memory than is said.

mod common;

use common::{
    bytes,
    file::{File, float, integer, integers, message, word},
    names, plan,
    plans::{Files, run_on_zeros},
    qdq, quantized,
    random::{MEMORY, Random, is_small, mutations},
};
use windrow::{Serial, tensor::DType};
use windrow_graph::{Model, Plan, PlanError, PlanFileError, PlanOptions, Requantization};

/// Plans in files that are mutated, with their names.
fn plans() -> Vec<(String, Files)> {
    let of_onnx = names().into_iter().filter(|name| name != "squeezenet").map(|name| (Files::of(&plan(&name)), name));
    let of_tflite = [Requantization::Integer, Requantization::Float].into_iter().flat_map(|requantization| {
        let plan = move |name| quantized::plan(name, requantization);
        quantized::SMALL.into_iter().map(move |name| (Files::of(&plan(name)), format!("{name}, {requantization:?}")))
    });
    let of_integers = qdq::SMALL.into_iter().map(|name| (Files::of(&qdq::plan(name)), name.to_owned()));
    of_onnx.chain(of_tflite).chain(of_integers).map(|(files, name)| (name, files)).collect()
}

/// The files that are mutated, with their names. Of quantised networks those are small, so that few mutations lie in weights.
fn files() -> Vec<(String, Vec<u8>)> {
    let of_onnx = names().into_iter().map(|name| (bytes(&name), name));
    let of_tflite =
        quantized::SMALL.iter().map(|name| (quantized::file(&format!("{name}.tflite")), (*name).to_owned()));
    let of_integers = qdq::SMALL.into_iter().map(|name| (qdq::bytes(name), name.to_owned()));
    of_onnx.chain(of_tflite).chain(of_integers).map(|(bytes, name)| (name, bytes)).collect()
}

/// Bytes, and what is still JSON; whatever is read runs.
#[test]
fn mutated_plans_never_panic_and_take_bounded_memory() {
    let mut options = PlanOptions::default();
    options.memory = MEMORY;
    // A part of them where a processor is emulated.
    let mutations = if cfg!(target_arch = "x86_64") { mutations() } else { mutations() / 16 };
    let (mut read, mut refused) = (0, 0);
    for (name, files) in plans() {
        let (mut random, json) = (Random(3 + files.plan.len() as u64), files.json());
        for mutation in 0..mutations {
            let mutated = if mutation % 4 == 0 {
                Files { plan: random.mutated(&files.plan), ..files.clone() }
            } else {
                files.with_json(&random.mutated_json(&json))
            };
            let mut found = None;
            let taken = allocation_counter::measure(|| {
                found = Some(Plan::read(&mutated.plan, &mutated.constants, &options));
            });
            let steps = json["steps"].as_array().map_or(0, Vec::len) + 4;
            let bytes = mutated.plan.len() + mutated.constants.len();
            let bound = (MEMORY + 512 * bytes + 64 * 1024 * steps) as u64;
            assert!(taken.bytes_max <= bound, "{name}, mutation {mutation}: {} bytes", taken.bytes_max);
            match found {
                Some(Ok(plan)) => {
                    read += 1;
                    if is_small(&plan) {
                        run_on_zeros(&plan);
                    }
                }
                Some(Err(PlanFileError::Malformed(_))) | None => {}
                Some(Err(_)) => refused += 1,
            }
        }
    }
    let all = plans().len() * mutations;
    println!("of {all} plans {read} were read, and {refused} refused by a rule");
    // Mutations that leave no plan would show nothing.
    assert!(read > all / 10 && refused > all / 4);
}

/// Elements of the least bytes, which take the most memory for them.
#[test]
fn plans_of_empty_elements_take_bounded_memory() {
    let list = |name: &str, element: &str| {
        let others = ["inputs", "outputs", "constants", "buffers", "steps"].into_iter().filter(|other| *other != name);
        let others: String = others.map(|other| format!("\"{other}\":[],")).collect();
        let elements = vec![element; 20_000].join(",");
        format!("{{\"windrow_plan\":1,{others}\"{name}\":[{elements}]}}")
    };
    let slot = r#"{"in":{"input":0},"extents":[],"strides":[]}"#;
    let step = |reads: &str, fused: &str| {
        format!(
            r#"{{"node":"","operator":"","kernel":{{"copy":{{}}}},"fused":[{fused}],"reads":[{reads}],"writes":{slot}}}"#
        )
    };
    let many = |element: &str| vec![element; 20_000].join(",");
    let files = [
        list("inputs", r#"{"name":"","element":"i8","extents":[]}"#),
        list("constants", r#"{"element":"i8","count":1,"offset":0,"sha256":""}"#),
        list("buffers", r#"{"element":"i8","count":1}"#),
        list("steps", &step(slot, "")),
        list("steps", "0"),
        format!(r#"{{"windrow_plan":1,"inputs":[{{"name":"","element":"i8","extents":[{}]}}]}}"#, many("1")),
        format!(
            r#"{{"windrow_plan":1,"inputs":[],"outputs":[],"constants":[],"buffers":[],"steps":[{}]}}"#,
            step(&many(slot), "")
        ),
        format!(r#"{{"windrow_plan":1,"others":{}1{}}}"#, "[".repeat(100_000), "]".repeat(100_000)),
    ];
    for (index, file) in files.iter().enumerate() {
        let read = || drop(Plan::read(file.as_bytes(), &[], &PlanOptions::default()));
        let taken = allocation_counter::measure(read).bytes_max;
        println!("plan {index}: {} bytes for each byte", taken / file.len() as u64);
        assert!(taken <= 512 * file.len() as u64, "plan {index}: {taken} bytes for {}", file.len());
    }
}

#[test]
fn mutated_files_never_panic_and_take_bounded_memory() {
    let mut options = PlanOptions::default();
    options.memory = MEMORY;
    let (mut read, mut planned) = (0, 0);
    for (name, original) in files() {
        let mut random = Random(original.len() as u64);
        for mutation in 0..mutations() {
            let bytes = random.mutated(&original);
            let mut model = None;
            let reading = allocation_counter::measure(|| model = Model::from_bytes(&bytes).ok()).bytes_max;
            let bound = 512 * bytes.len() as u64;
            assert!(reading <= bound, "{name}, mutation {mutation}: {reading} bytes for a file of {}", bytes.len());
            let Some(model) = model else { continue };
            read += 1;
            let mut plan = None;
            let planning = allocation_counter::measure(|| plan = model.plan_with(&options).ok()).bytes_max;
            let bound = (MEMORY + 64 * 1024 * (1 + model.nodes().len())) as u64;
            assert!(
                planning <= bound,
                "{name}, mutation {mutation}: {planning} bytes to plan {} nodes",
                model.nodes().len()
            );
            planned += usize::from(plan.is_some());
        }
    }
    let all = files().len() * mutations();
    println!("of {all} files {read} were read, and {planned} planned");
    // Mutations that leave nothing to read would show nothing.
    assert!(read > all / 5 && planned > all / 10);
}

/// Whatever a mutated file computes, it computes without a panic.
#[test]
fn mutated_files_that_can_be_planned_run() {
    let mut options = PlanOptions::default();
    options.memory = MEMORY;
    for name in names().into_iter().filter(|name| name != "squeezenet") {
        let original = bytes(&name);
        let mut random = Random(1 + original.len() as u64);
        for _ in 0..mutations() / 8 {
            let Some(plan) =
                Model::from_onnx(&random.mutated(&original)).ok().and_then(|model| model.plan_with(&options).ok())
            else {
                continue;
            };
            let elements = |shape: windrow::Shape| shape.extents().iter().product::<usize>();
            let all = plan.inputs().chain(plan.outputs()).map(|(_, info)| elements(info.shape()));
            if plan.inputs().len() == 1 && all.max() < Some(1 << 16) {
                let input = common::input(&name, &plan);
                plan.apply::<f32>(&Serial, &[input.view().any()]).unwrap();
            }
        }
    }
}

/// As above, of integers, and of floats in TFLite's files.
#[test]
fn mutated_quantised_networks_that_can_be_planned_run() {
    let mut options = PlanOptions::default();
    options.memory = MEMORY;
    let mut run = 0;
    let of_tflite = quantized::SMALL.map(|name| (name, quantized::file(&format!("{name}.tflite"))));
    let of_onnx = qdq::SMALL.map(|name| (name, qdq::bytes(name)));
    for (name, original) in of_tflite.into_iter().chain(of_onnx) {
        let mut random = Random(2 + original.len() as u64);
        for _ in 0..mutations() / 2 {
            let model = Model::from_bytes(&random.mutated(&original)).ok();
            let Some(plan) = model.and_then(|model| model.plan_with(&options).ok()) else { continue };
            let known = |info: &windrow::TensorInfo| info.shape().extents().iter().product::<usize>() < 1 << 16;
            let types = |info: &windrow::TensorInfo| info.dtype() != DType::I32;
            if plan.inputs().len() == 1
                && plan.inputs().chain(plan.outputs()).all(|(_, info)| known(info) && types(info))
            {
                let count = plan.outputs().len();
                if count == 1 {
                    quantized::small_answer(name, &plan);
                    run += 1;
                }
            }
        }
    }
    assert!(run > 50, "{run} were run");
}

/// What is made of constants while planning counts: factors, biases, what a normalisation is folded to.
#[test]
fn what_is_made_of_filled_constants_is_bounded() {
    const WIDE: i64 = 1 << 30;
    let mut options = PlanOptions::default();
    options.memory = MEMORY;
    let filled = |file: File, name: &str, shape: &[i64]| {
        let (of, name) = (format!("{name} shape"), name.to_owned());
        file.integers(&of, shape).node("ConstantOfShape", &[&of], &[&name])
    };
    let row = filled(filled(File::new(&[1, 1]), "w", &[1, WIDE]), "b", &[WIDE]);
    let product = row.clone().node_with("Gemm", &["x", "w", "b"], &["y"], &[float("alpha", 0.5), float("beta", 2.0)]);
    let image = filled(File::new(&[1, 1, 1, 1]), "w", &[WIDE, 1, 1, 1]);
    let image = ["scale", "shift", "mean", "variance"].iter().fold(image, |file, name| filled(file, name, &[WIDE]));
    let folded = image.node("Conv", &["x", "w"], &["z"]);
    let folded = folded.node("BatchNormalization", &["z", "scale", "shift", "mean", "variance"], &["y"]);
    let added = row.node("Add", &["x", "w"], &["z"]).node("Softmax", &["z"], &["y"]);
    for file in [product, folded, added] {
        let model = Model::from_onnx(&file.bytes()).unwrap();
        let taken = allocation_counter::measure(|| assert!(model.plan_with(&options).is_err())).bytes_max;
        assert!(taken <= MEMORY as u64, "{taken} bytes");
    }
}

/// Tables and masks that are made of extents while planning count, too.
#[test]
fn what_is_made_of_extents_is_bounded() {
    const WIDE: i64 = 1 << 29;
    let mut options = PlanOptions::default();
    options.memory = MEMORY;
    let pads = File::new(&[2]).integers("n", &[WIDE, 0]);
    let pads = pads.node_with("Pad", &["x", "n"], &["y"], &[word("mode", "wrap")]);
    let pool = File::new(&[1, WIDE, 1, 1]).node_with("LpPool", &["x"], &["y"], &[integers("kernel_shape", &[1, 1])]);
    let variances =
        File::new(&[WIDE, 1]).node_with("MeanVarianceNormalization", &["x"], &["y"], &[integers("axes", &[1])]);
    let hardmax = File::new(&[1, WIDE]).node("Hardmax", &["x"], &["y"]);
    let triangle = File::new(&[1 << 15, 1 << 15]).node("Trilu", &["x"], &["y"]);
    let marks =
        File::new(&[1]).integers("n", &[WIDE]).floats("v", &[2], &[0.0, 1.0]).node("OneHot", &["x", "n", "v"], &["y"]);
    let written = File::new(&[WIDE]).integers("n", &[0]).floats("v", &[1], &[0.0]);
    let added = written.clone().node_with("ScatterElements", &["x", "n", "v"], &["y"], &[word("reduction", "add")]);
    let written = written.node("ScatterElements", &["x", "n", "v"], &["y"]);
    let read = File::new(&[1, WIDE]).input_of("n", 7, &[1, WIDE]);
    let read = read.node_with("GatherElements", &["x", "n"], &["y"], &[integer("axis", 0)]);
    let region = File::new(&[2, 2]).floats("r", &[4], &[-1.0, -1.0, 2.0, 2.0]).integers("n", &[1 << 14, 1 << 15]);
    let mode = word("coordinate_transformation_mode", "tf_crop_and_resize");
    let region = region.node_with("Resize", &["x", "r", "", "n"], &["y"], &[mode]);
    for file in [pads, pool, variances, hardmax, triangle, marks, written, added, read, region] {
        let model = Model::from_onnx(&file.bytes()).unwrap();
        let plan = || assert!(matches!(model.plan_with(&options), Err(PlanError::Memory { .. })));
        let taken = allocation_counter::measure(plan).bytes_max;
        assert!(taken <= MEMORY as u64, "{taken} bytes");
    }
}

/// Nodes keep no copies of what they share, however long it is.
#[test]
fn nodes_that_share_long_constants_take_bounded_memory() {
    for kind in ["Slice", "Pad", "Squeeze", "ReduceSum", "Split"] {
        let file = File::new(&[2, 2]).integers("n", &[1; 20_000]);
        let node = |file: File, name: u32| file.node(kind, &["x", "n", "n", "n"], &[&format!("{name:x}")]);
        let bytes = (0..2_000).fold(file, node).bytes();
        let taken = allocation_counter::measure(|| drop(Model::from_onnx(&bytes))).bytes_max;
        assert!(taken <= 512 * bytes.len() as u64, "{kind}: {taken} bytes for a file of {}", bytes.len());
    }
}

/// TFLite's offsets may all lead to one place, which is counted as often as it is read.
#[test]
fn offsets_that_lead_to_one_table_take_bounded_memory() {
    let words = |numbers: &[u32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    // A table of which one field leads to what follows the table.
    let table = |field: usize| {
        let mut fields = [0u16; 8];
        (fields[0], fields[1], fields[2 + field]) = (16, 8, 4);
        let fields: Vec<u8> = fields.iter().flat_map(|field| field.to_le_bytes()).collect();
        [fields, words(&[16, 4])].concat()
    };
    // Offsets to an empty table behind them.
    let many = |count: u32| {
        let offsets: Vec<u32> = (0..count).map(|place| 4 * (count - place) + 4).collect();
        [words(&[count]), words(&offsets), vec![4, 0, 4, 0], words(&[4])].concat()
    };
    let file = |rest: Vec<u8>| [words(&[24]), b"TFL3".to_vec(), rest].concat();
    let in_model = |field: usize| file([table(field), many(50_000)].concat());
    let in_graph = |field: usize| file([table(2), words(&[1, 20]), table(field), many(50_000)].concat());
    for bytes in [in_model(1), in_model(2), in_model(4), in_graph(0), in_graph(3)] {
        let mut found = Ok(());
        let taken = allocation_counter::measure(|| found = Model::from_tflite(&bytes).map(drop)).bytes_max;
        println!("{} bytes for each byte: {found:?}", taken / bytes.len() as u64);
        assert!(taken <= 512 * bytes.len() as u64, "{taken} bytes for a file of {}", bytes.len());
    }
}

/// Messages of no bytes, numbers of one, and names of one: what takes the most memory for the bytes of a file.
#[test]
fn files_of_empty_messages_take_bounded_memory() {
    let many = |field: u64, content: &[u8]| message(field, content).repeat(50_000);
    let node = |fields: Vec<u8>| message(1, &fields);
    let identity = |name: u32| {
        let names = [message(1, b"x"), message(2, format!("{name:x}").as_bytes()), message(4, b"Sum")];
        message(1, &names.concat())
    };
    let part = |name: u32| message(2, format!("{name:x}").as_bytes());
    let parts = || [[message(1, b"x"), message(4, b"Split")].concat(), (0..50_000).flat_map(part).collect()].concat();
    let input = message(11, &message(1, b"x"));
    let graphs = [
        many(1, &[]),
        many(5, &[]),
        many(11, &[]),
        many(12, &[]),
        node(many(1, &[])),
        node(many(2, &[])),
        node(many(5, &[])),
        node(message(5, &many(8, &[1; 8]))),
        message(5, &[many(1, &[1]), many(5, &[])].concat()),
        message(11, &message(2, &message(1, &message(2, &many(1, &[]))))),
        [input.clone(), node([many(1, b"x"), message(2, b"y"), message(4, b"Sum")].concat())].concat(),
        [input.clone(), (0..20_000).flat_map(identity).collect()].concat(),
        [input.clone(), node(parts())].concat(),
        [input, node([parts(), message(5, &[message(1, b"split"), many(8, &[1])].concat())].concat())].concat(),
    ];
    for (index, graph) in graphs.iter().enumerate() {
        let file = [message(7, graph), message(8, &[16, 13])].concat();
        let taken = allocation_counter::measure(|| drop(Model::from_onnx(&file))).bytes_max;
        println!("graph {index}: {} bytes for each byte", taken / file.len() as u64);
        assert!(taken <= 512 * file.len() as u64, "graph {index}: {taken} bytes for a file of {}", file.len());
    }
}
