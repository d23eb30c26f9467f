//! What is wrong with an operator or a node is said with its name and the rule.

use windrow::{ElementType, family::FamilyError, prelude::*};
use windrow_graph::{
    Attribute, CustomNodeError, CustomOperator, CustomOperators, InvalidCustomOperator, Model, ModelError, PlanError,
};

use crate::{
    EXAMPLE, answer, common,
    common::file::{File, float, floats, integer, integers, word},
    kernels::{keep_above, operators, slope, upsample_gated},
    one,
};

#[test]
fn mutated_options_never_panic() {
    let file = std::fs::read(common::path("custom/upsample.tflite")).unwrap();
    let mut operators = CustomOperators::new();
    let operator = CustomOperator::new::<upsample_gated>("UpsampleGated");
    operators.add(operator.computed("times", &["times", "weights", "mode"], |_| Ok(Attribute::Int(2)))).unwrap();
    let (mut read, mut refused) = (0, 0);
    for place in 0..file.len() {
        for byte in [0, 1, 2, 0x28, 0x7f, 0x80, 0xff] {
            let mut bytes = file.clone();
            bytes[place] = byte;
            match Model::from_tflite_with(&bytes, &operators).map(|model| model.plan()) {
                Ok(_) => read += 1,
                Err(ModelError::Custom { .. }) => refused += 1,
                Err(_) => {}
            }
        }
    }
    assert!(read > 0 && refused > 50, "{read} are read, and options of {refused} are refused");
}

fn refused(file: &File) -> CustomNodeError {
    let model = match Model::from_onnx_with(&file.bytes(), &operators()) {
        Ok(model) => model,
        Err(ModelError::Custom { error, .. }) => return *error,
        Err(error) => panic!("{error}"),
    };
    match model.plan() {
        Err(PlanError::Custom { error, .. }) => *error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn wrong_attributes_are_named() {
    let keep = |attributes: &[Vec<u8>]| refused(&one("KeepAbove", &[4], &["x"], attributes));
    let (unknown, known) = (keep(&[float("levels", 1.0)]), vec!["level".to_owned()]);
    assert_eq!(unknown, CustomNodeError::UnknownAttribute { attribute: "levels".to_owned(), known });
    assert_eq!(
        keep(&[word("level", "high")]).to_string(),
        "`level` of `keep_above` is `high`, expected a number that f32 holds"
    );
    assert!(matches!(keep(&[integers("level", &[1, 2])]), CustomNodeError::Value(_)));
    let upsample = |attributes: &[Vec<u8>]| {
        let file = File::new(&[1, 2, 2, 2]).floats("gate", &[1, 2], &[1.0, 1.0]);
        refused(&file.node_of(EXAMPLE, "UpsampleGated", &["x", "gate"], &["y"], attributes))
    };
    let missing = upsample(&[]);
    let expected = "it has no attribute `times`, which gives `times` of `upsample_gated`, and has no default";
    assert_eq!(missing.to_string(), expected);
    assert!(matches!(upsample(&[float("times", 1.5)]), CustomNodeError::Value(FamilyError::Value { .. })));
    // Beyond the kernel's bounds.
    assert!(matches!(upsample(&[integer("times", 5)]), CustomNodeError::Configuration(_)));
    let sum = |attributes: &[Vec<u8>]| refused(&one("WeighedSum", &[2], &["x", "x"], attributes));
    assert!(matches!(sum(&[floats("w", &[1.0, 2.0, 3.0])]), CustomNodeError::Value(_)));
    let side = sum(&[floats("w", &[1.0, 2.0]), word("side", "rows")]);
    assert!(matches!(side, CustomNodeError::Computed { what, .. } if what == "offset"));
}

#[test]
fn wrong_tensors_are_named() {
    let count = refused(&one("KeepAbove", &[4], &["x", "x"], &[]));
    assert_eq!(count, CustomNodeError::InputCount { kernel: "keep_above", found: 2, expected: 1 });
    let left_out = refused(&one("WeighedSum", &[4], &["x", ""], &[floats("w", &[1.0, 1.0])]));
    assert_eq!(left_out, CustomNodeError::LeftOut { kernel: "weighed_sum", argument: "b" });
    const INT32: i64 = 6;
    const DOUBLE: i64 = 11;
    for (data_type, found) in [(INT32, Some(ElementType::I32)), (DOUBLE, None)] {
        let file = File::default().input_of("x", data_type, &[4]).output("y");
        let error = refused(&file.node_of(EXAMPLE, "KeepAbove", &["x"], &["y"], &[]));
        let expected = ElementType::F32;
        assert_eq!(error, CustomNodeError::InputType { kernel: "keep_above", argument: "x", found, expected });
    }
    let gate = |extents: &[i64], gate: &[i64]| {
        let floats = vec![1.0; gate.iter().product::<i64>() as usize];
        let file = File::new(extents).floats("gate", gate, &floats);
        refused(&file.node_of(EXAMPLE, "UpsampleGated", &["x", "gate"], &["y"], &[integer("times", 2)]))
    };
    // Another rank, and extents that are not those of the other tensor.
    assert!(matches!(gate(&[2, 2, 2], &[2, 2]), CustomNodeError::Configuration(_)));
    assert!(matches!(gate(&[1, 2, 2, 2], &[1, 3]), CustomNodeError::Configuration(_)));
}

/// A byte by a table.
#[kernel]
pub fn by_table(x: u8, table: Table<u8, 256>) -> u8 {
    table[x]
}

/// A sum and a difference.
#[kernel]
pub fn two(a: f32, b: f32) -> (f32, f32) {
    (a + b, a - b)
}

/// A wide integer, negated.
#[kernel]
pub fn wide(x: i16) -> i16 {
    x.wrapping_neg()
}

#[test]
fn operators_that_no_plan_can_run_are_refused() {
    let mut operators = CustomOperators::new();
    let mut add = |operator| operators.add(operator).map_err(|error| error.to_string());
    assert!(add(CustomOperator::new::<by_table>("T")).unwrap_err().contains("has a table `table`"));
    assert!(add(CustomOperator::new::<two>("T")).unwrap_err().contains("has 2 outputs"));
    assert!(add(CustomOperator::new::<wide>("T")).unwrap_err().contains("has elements i16 in `x`"));
    let unknown = add(CustomOperator::new::<keep_above>("T").default("lvel", 1.0f32)).unwrap_err();
    let expected = "`keep_above`, which is to compute `T`, has no uniform and no variant `lvel`; it has `level`";
    assert_eq!(unknown, expected);
    add(CustomOperator::new::<keep_above>("T")).unwrap();
    let twice = operators.add(CustomOperator::new::<slope>("T"));
    assert_eq!(twice, Err(InvalidCustomOperator::Twice { operator: "T".to_owned() }));
}

#[test]
fn a_kernel_that_leaves_edges_out_needs_a_border() {
    let mut operators = CustomOperators::new();
    operators.add(CustomOperator::new::<slope>("com.example.Slope")).unwrap();
    let model = Model::from_onnx_with(&one("Slope", &[4, 4], &["x"], &[]).bytes(), &operators).unwrap();
    let Err(PlanError::Custom { error, .. }) = model.plan() else { panic!() };
    assert_eq!(*error, CustomNodeError::Incomplete { kernel: "slope" });
    let mut operators = CustomOperators::new();
    operators.add(CustomOperator::new::<slope>("com.example.Slope").border(Border::constant(0.0f32))).unwrap();
    let model = Model::from_onnx_with(&one("Slope", &[1, 3], &["x"], &[]).bytes(), &operators).unwrap();
    assert_eq!(answer(&model.plan().unwrap(), &[1.0, 2.0, 4.0]), [2.0, 3.0, -2.0]);
}
