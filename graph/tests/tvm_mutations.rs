//! JSON and parameters of TVM that nobody trusts: none of what is mutated panics, and none takes more memory than is said.

mod common;

use common::{
    plans::run_on_zeros,
    random::{MEMORY, Random, is_small, mutations},
    tvm,
};
use windrow_graph::{Model, PlanOptions, partition::TvmAcl};

/// What the reason takes why a file of a few bytes is none.
const SENTENCE: u64 = 1024;

/// What a constant takes that is given, besides its elements.
const GIVEN: usize = 512;

/// Bytes, and what is still JSON, with its constants; whatever can be planned runs, and is partitioned.
#[test]
fn mutated_json_of_tvm_never_panics_and_takes_bounded_memory() {
    let mut options = PlanOptions::default();
    options.memory = MEMORY;
    let (mut read, mut planned, mut run) = (0, 0, 0);
    let names: Vec<&str> = tvm::FLOATS.into_iter().chain(tvm::INTEGERS).chain(["network"]).collect();
    for name in &names {
        let original = tvm::bytes(name);
        let (constants, json) = (tvm::constants(&original), serde_json::from_slice(&original).unwrap());
        let (constants, mut random) = (tvm::views(&constants), Random(5 + original.len() as u64));
        for mutation in 0..mutations() {
            let bytes = if mutation % 4 == 0 {
                random.mutated(&original)
            } else {
                serde_json::to_vec(&random.mutated_json(&json)).unwrap()
            };
            let mut model = None;
            let reading = allocation_counter::measure(|| model = Model::from_tvm(&bytes, &constants).ok()).bytes_max;
            let bound = (512 * bytes.len() + GIVEN * constants.len()) as u64 + SENTENCE;
            assert!(reading <= bound, "{name}, mutation {mutation}: {reading} bytes for {} of JSON", bytes.len());
            let Some(model) = model else { continue };
            read += 1;
            drop(model.partition(&TvmAcl::new(true)));
            let mut plan = None;
            let planning = allocation_counter::measure(|| plan = model.plan_with(&options).ok()).bytes_max;
            let bound = (MEMORY + 64 * 1024 * (1 + model.nodes().len())) as u64;
            assert!(planning <= bound, "{name}, mutation {mutation}: {planning} bytes to plan it");
            let Some(plan) = plan else { continue };
            planned += 1;
            if is_small(&plan) {
                run += usize::from(run_on_zeros(&plan));
            }
        }
    }
    let all = names.len() * mutations();
    println!("of {all} files {read} were read, {planned} planned and {run} run");
    assert!(read > all / 10 && planned > all / 10 && run > all / 20);
}

/// TVM's parameters beside JSON that is right.
#[test]
fn mutated_parameters_of_tvm_never_panic_and_take_bounded_memory() {
    let mut read = 0;
    for name in tvm::INTEGERS {
        let json = tvm::bytes(name);
        let original = tvm::params(&tvm::constants(&json));
        let mut random = Random(6 + original.len() as u64);
        for mutation in 0..mutations() {
            let params = random.mutated(&original);
            let mut model = None;
            let reading = allocation_counter::measure(|| model = Model::from_tvm_with_params(&json, &params).ok());
            let bound = 512 * (json.len() + params.len()) as u64;
            assert!(reading.bytes_max <= bound, "{name}, mutation {mutation}: {} bytes", reading.bytes_max);
            let Some(model) = model else { continue };
            read += 1;
            if let Ok(plan) = model.plan() {
                run_on_zeros(&plan);
            }
        }
    }
    let all = tvm::INTEGERS.len() * mutations();
    println!("of {all} files {read} were read");
    assert!(read > all / 10);
}

/// JSON of the least elements, which take the most memory for their bytes.
#[test]
fn json_of_empty_elements_takes_bounded_memory() {
    let many = |element: &str| vec![element; 20_000].join(",");
    let nodes = |nodes: &str, heads: &str| format!("{{\"nodes\":[{nodes}],\"heads\":[{heads}]}}");
    let input = |shapes: &str, types: &str| {
        let name = "n".repeat(20_000);
        let attrs = format!("{{\"shape\":[[{shapes}]],\"dtype\":[[{types}]]}}");
        format!("{{\"op\":\"input\",\"name\":\"{name}\",\"attrs\":{attrs}}}")
    };
    let one = || input("[1,1,1,1]", "\"int8\"");
    let kernel = |name: &str, inputs: &str, more: &str| {
        let attrs = format!("{{\"shape\":[[[1,1,1,20000]]],\"dtype\":[[\"int8\"]]{more}}}");
        format!("{{\"op\":\"kernel\",\"name\":\"{name}\",\"inputs\":[{inputs}],\"attrs\":{attrs}}}")
    };
    let leaf = r#"{"op":"const","name":"","attrs":{"shape":[[[]]],"dtype":[["int8"]]}}"#;
    let attributes = (0..20_000).map(|number| format!("\"{number:x}\":[[]]")).collect::<Vec<_>>().join(",");
    let turned = kernel("nn.global_max_pool2d", "[0,0]", "").replace("20000", "1");
    let views = kernel("reshape", "[0,0]", "").replace("20000", "1");
    let files = [
        nodes("{}", ""),
        nodes(&many(leaf), ""),
        nodes(&many(r#"{"op":"","name":"","attrs":{"a":[[]]}}"#), ""),
        nodes(&input(&many("[]"), &many("\"int8\"")), &many("[0,1]")),
        nodes(&input(&many("[1,1,1,1]"), &many("\"int8\"")), &many("[0,1]")),
        nodes(&one(), &many("[0,0]")),
        nodes(&format!("{},{}", one(), kernel("concatenate", &many("[0,0]"), ",\"axis\":[[\"3\"]]")), "[1,0]"),
        nodes(&format!("{},{}", one(), kernel("unknown", &many("[0,0]"), "")), "[1,0]"),
        nodes(&format!("{},{}", one(), many(&turned)), "[1,0]"),
        nodes(&format!("{},{}", one(), many(&views)), "[1,0]"),
        nodes(&format!("{},{}", one(), kernel("x", "", &format!(",{attributes}"))), ""),
        nodes(&format!("{},{}", one(), kernel("x", "", &format!(",\"a\":[[{}]]", many("\"\"")))), ""),
        format!("{{\"nodes\":[],\"heads\":[],\"arg_nodes\":[{0}],\"node_row_ptr\":[{0}]}}", many("1")),
        format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000)),
        format!("{{\"nodes\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000)),
    ];
    for (index, file) in files.iter().enumerate() {
        let mut found = Ok(());
        let taken = allocation_counter::measure(|| found = Model::from_tvm(file.as_bytes(), &[]).map(drop)).bytes_max;
        println!("file {index}: {} bytes for each byte, {}", taken / file.len() as u64, found.is_ok());
        assert!(taken <= 512 * file.len() as u64, "file {index}: {taken} bytes for {}", file.len());
    }
}
