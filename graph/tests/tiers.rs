//! One network, one answer: every tier of this processor computes the same bits.
#![cfg(target_arch = "x86_64")]

mod common;

use std::process::Command;

use common::{qdq, quantized};
use windrow::{Serial, Tier};
use windrow_graph::{Model, Requantization};

/// Set for the processes that print digests.
const PRINTS: &str = "WINDROW_GRAPH_PRINTS";

/// What begins a line with a digest.
const MARK: &str = "digest of ";

#[test]
fn every_tier_computes_the_same_bits() {
    if std::env::var_os(PRINTS).is_some() {
        return print();
    }
    let scalar = digests(Tier::Scalar);
    // All but the whole network, which would take plain Rust a minute.
    assert_eq!(scalar.len(), common::names().len() - 1 + 4 + qdq::SMALL.len());
    for tier in Tier::ALL.into_iter().filter(|tier| *tier != Tier::Scalar && tier.is_available()) {
        assert_eq!(digests(tier), scalar, "{tier}");
    }
}

/// The digests of this test in a process of its own, since a tier is forced once for a process.
fn digests(tier: Tier) -> Vec<String> {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["every_tier_computes_the_same_bits", "--exact", "--nocapture"]);
    let output = command.env("WINDROW_TIER", tier.name()).env(PRINTS, "1").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{tier}: {text}{}", String::from_utf8_lossy(&output.stderr));
    text.lines().filter_map(|line| Some(line[line.find(MARK)?..].to_owned())).collect()
}

fn print() {
    for name in common::names().into_iter().filter(|name| name != "squeezenet") {
        let plan = Model::from_onnx(&common::bytes(&name)).unwrap().plan().unwrap();
        println!("{MARK}{name}: {}", common::digest(&plan, &Serial, &common::input(&name, &plan)));
    }
    for name in quantized::MODELS {
        for requantization in [Requantization::Integer, Requantization::Float] {
            let plan = quantized::plan(name, requantization);
            let found = quantized::answer(&plan, &Serial, quantized::input(name, 1));
            println!("{MARK}{name}, {requantization:?}: {found:?}");
        }
    }
    for name in qdq::SMALL {
        println!("{MARK}{name}: {:?}", qdq::answer(name, &qdq::plan(name)));
    }
}
