//! Runs a network with an operator that the library lacks: `cargo run --release --example custom_operator`.
//!
//! The kernel is this program's own. The plan that is made with it goes through a file and comes back, and is run.

use windrow::{Rayon, prelude::*};
use windrow_graph::{CustomOperator, CustomOperators, Model, Plan};

/// x, as far as its magnitude is above a level; 0 elsewhere.
#[kernel]
pub fn keep_above(x: f32, #[uniform] level: f32) -> f32 {
    if x.abs() > level { x } else { 0.0 }
}

/// `y = KeepAbove<level = 2.0>(x)` of the domain `com.example`, of two rows and three columns.
const MODEL: &[u8] = include_bytes!("../tests/models/custom/keep_above.onnx");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut operators = CustomOperators::new();
    operators.add(CustomOperator::new::<keep_above>("com.example.KeepAbove").default("level", 0.5f32))?;

    let plan = Model::from_onnx_with(MODEL, &operators)?.plan()?;
    let folder = std::env::temp_dir().join("windrow_custom_operator");
    plan.save(&folder)?;
    let plan = Plan::load_with(&folder, &operators)?;

    let x = View::from_slice(&[1.0f32, -3.0, 2.0, 2.5, -0.5, 9.0], [2, 3])?;
    let y = plan.apply::<f32>(&Rayon::new(), &[x.any()])?[0].to_vec();
    println!("{y:?}");
    assert_eq!(y, [0.0, -3.0, 0.0, 2.5, 0.0, 9.0]);

    let without = Plan::load(&folder).map(drop);
    println!("without the operator: {}", without.err().ok_or("the plan names an operator that is not given")?);
    Ok(())
}
