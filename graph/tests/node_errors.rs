//! Numbers of nodes that break a rule are said with the rule: of pads and windows, of places, of regions.

mod common;

use windrow_graph::{Model, PlanError};

use common::file::{File, integer, integers, word};

fn plan_error(file: &File) -> String {
    Model::from_onnx(&file.bytes()).unwrap().plan().unwrap_err().to_string()
}

/// Why the only node that nothing computes is none.
fn refusal(file: &File) -> String {
    let PlanError::Unsupported(nodes) = Model::from_onnx(&file.bytes()).unwrap().plan().unwrap_err() else { panic!() };
    assert_eq!(nodes.len(), 1);
    nodes[0].reason.clone()
}

#[test]
fn numbers_of_a_node_are_held_to_their_rules() {
    let image =
        |kind: &str, attributes: &[Vec<u8>]| File::new(&[1, 6, 4, 4]).node_with(kind, &["x"], &["y"], attributes);
    let size = integers("kernel_shape", &[2, 2]);
    for power in [0, 65, -1] {
        let file = image("LpPool", &[size.clone(), integer("p", power)]);
        assert_eq!(refusal(&file), "its norm is of none of the powers 1 to 64");
    }
    assert_eq!(refusal(&image("LpPool", &[])), "its windows have no size");
    assert_eq!(
        refusal(&image("Pad", &[word("mode", "mirror")])),
        "what it puts around is of another mode than ONNX names"
    );
    let file = image("MeanVarianceNormalization", &[integers("axes", &[0, 4])]);
    assert!(plan_error(&file).contains("`x` of [1, 6, 4, 4], but it lacks the dimension that an attribute names"));
    assert!(plan_error(&image("Hardmax", &[integer("axis", -5)])).contains("it lacks the dimension"));
    let groups = |version: i64, extent: i64, groups: i64| {
        let file = File::new(&[1, 6, 4, 4]).zeros("s", &[extent]);
        let file = file.node_with("GroupNormalization", &["x", "s", "s"], &["y"], &[integer("num_groups", groups)]);
        Model::from_onnx(&file.of_opset(version)).unwrap().plan().unwrap_err().to_string()
    };
    assert!(groups(20, 6, 3).contains("`s` of [6], but it has one element for each group"));
    assert!(groups(21, 3, 3).contains("`s` of [3], but it has one element for each channel"));
    assert!(groups(20, 4, 4).contains("`x` of [1, 6, 4, 4], but its channels are as many groups"));
    assert!(groups(20, 6, 0).contains("it has no group"));
}

#[test]
fn places_are_held_to_what_they_are_of() {
    let gathered = |kind: &str, places: &[i64], extents: &[i64]| {
        let file = File::new(&[2, 3]).integers("n", places).integers("e", extents).node("Reshape", &["n", "e"], &["p"]);
        file.node(kind, &["x", "p"], &["y"])
    };
    assert_eq!(refusal(&gathered("GatherElements", &[2, -3], &[1, 2])), "it has place 2 of 2");
    assert_eq!(refusal(&gathered("GatherND", &[1, -4], &[1, 2])), "it has place -4 of 3");
    let error = plan_error(&gathered("GatherElements", &[0; 4], &[1, 4]));
    assert!(
        error.contains("`p` of [1, 4], but its extents are those of the first input or less, save along"),
        "{error}"
    );
    let error = plan_error(&gathered("GatherND", &[0; 3], &[1, 3]));
    assert!(
        error.contains("`p` of [1, 3], but its last dimension has as many places as the first input has"),
        "{error}"
    );
    let batch = |batch: i64| {
        let file =
            File::new(&[2, 3]).integers("n", &[0; 3]).integers("e", &[3, 1]).node("Reshape", &["n", "e"], &["p"]);
        file.node_with("GatherND", &["x", "p"], &["y"], &[integer("batch_dims", batch)])
    };
    assert!(plan_error(&batch(1)).contains("`p` of [3, 1], but both have the dimensions that they share"));
    assert_eq!(refusal(&batch(-1)), "it shares another number of dimensions than 0 to 5");
}

#[test]
fn what_is_written_to_places_is_known() {
    let file = |places: &str, attributes: &[Vec<u8>]| {
        let file =
            File::new(&[40]).input_of("places", 7, &[20]).floats("u", &[20], &[1.0; 20]).integers("same", &[3; 20]);
        file.node_with("ScatterElements", &["x", places, "u"], &["y"], attributes)
    };
    assert_eq!(refusal(&file("places", &[])), "its places are not known before the network runs");
    let error = refusal(&file("same", &[word("reduction", "add")]));
    assert_eq!(error, "20 updates are of one element; 16 are computed");
    assert_eq!(refusal(&file("same", &[word("reduction", "mean")])), "its reduction is none that ONNX names");
    let few = File::new(&[4]).integers("n", &[0]).floats("u", &[2], &[1.0; 2]);
    let few = few.node("ScatterElements", &["x", "n", "u"], &["y"]);
    assert!(plan_error(&few).contains("`u` of [2], but it has what lies at each of the places"));
}

#[test]
fn triangles_and_marks_are_held_to_their_rules() {
    let row = File::new(&[4]).node("Trilu", &["x"], &["y"]);
    assert!(plan_error(&row).contains("`x` of [4], but matrices have two dimensions or more"));
    let two = File::new(&[4, 4]).integers("k", &[1, 2]).node("Trilu", &["x", "k"], &["y"]);
    assert_eq!(refusal(&two), "its diagonal is not one number");
    let marks = |depth: i64, values: i64, axis: i64| {
        let file = File::new(&[4]).integers("d", &[depth]).zeros("v", &[values]);
        file.node_with("OneHot", &["x", "d", "v"], &["y"], &[integer("axis", axis)])
    };
    assert_eq!(refusal(&marks(0, 2, 0)), "its depth is no constant of 1 to 2^30");
    assert!(plan_error(&marks(3, 3, 0)).contains("`v` of [3], but it has two values: for elsewhere, and for"));
    assert!(plan_error(&marks(3, 2, 2)).contains("`x` of [4], but it lacks the dimension that an attribute names"));
}

#[test]
fn a_region_is_held_to_its_rules() {
    let region = |ends: &[f32], data_type: i64| {
        let file = File::default().input_of("x", data_type, &[4, 4]).output("y");
        let file = file.floats("r", &[ends.len() as i64], ends).integers("n", &[3, 3]);
        file.node_with(
            "Resize",
            &["x", "r", "", "n"],
            &["y"],
            &[word("coordinate_transformation_mode", "tf_crop_and_resize")],
        )
    };
    assert!(
        plan_error(&region(&[0.0, 1.0], 1)).contains("there is a start and an end for each dimension that is resized")
    );
    let rule = "its region has not a start and an end for each dimension";
    assert_eq!(refusal(&region(&[0.0, 1.0, 0.5], 1)), rule);
    assert_eq!(refusal(&region(&[0.0, 0.0, f32::NAN, 1.0], 1)), rule);
    let most = "its region is no constant of floats, two for each of at most 6 dimensions";
    assert_eq!(refusal(&region(&[0.5; 14], 1)), most);
    assert_eq!(refusal(&region(&[0.0, 0.0, 1.0, 2.0], 6)), "it puts a number around elements of I32");
}
