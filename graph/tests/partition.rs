//! What TVM takes for the Arm Compute Library, and what it leaves: the numbers that the tests of TVM 0.19 state for its four networks
//! (`tests/python/contrib/test_arm_compute_lib/test_network.py`), and a reason for each rule.

mod common;

use common::{
    bytes,
    file::{File, float, integer, integers},
    quantized,
    tvm::{self, FLOATS, Given, INTEGERS, Json, filled, views},
};
use windrow::{Serial, View};
use windrow_graph::{
    Model,
    partition::{Partition, TvmAcl},
};

fn partition(model: &Model) -> Partition {
    model.partition(&TvmAcl::default()).unwrap()
}

type Counts<'a> = Vec<(&'a str, usize)>;

/// How many parts there are of each pattern, and how many nodes are left of each kind, in the order of their first.
fn counted(found: &Partition) -> (Counts<'_>, Counts<'_>) {
    fn count<'a>(names: impl Iterator<Item = &'a str>) -> Counts<'a> {
        let mut counts: Counts<'_> = Vec::new();
        for name in names {
            match counts.iter_mut().find(|(own, _)| *own == name) {
                Some((_, count)) => *count += 1,
                None => counts.push((name, 1)),
            }
        }
        counts
    }
    let parts = count(found.parts.iter().map(|part| part.pattern));
    (parts, count(found.left.iter().map(|left| left.operator.as_str())))
}

/// A network of ONNX that grows layer by layer, with weights of zeros: what is taken depends on shapes.
struct Network {
    file: File,
    last: String,
    number: usize,
}

impl Network {
    fn new(extents: &[i64]) -> Network {
        Network { file: File::default().input("x", Some(extents)), last: "x".to_owned(), number: 0 }
    }

    fn layer(mut self, operator: &str, weights: &[&[i64]], attributes: &[Vec<u8>]) -> Network {
        let mut inputs = vec![self.last];
        for extents in weights {
            let name = format!("w{}", self.number);
            self.file = self.file.zeros(&name, extents);
            self.number += 1;
            inputs.push(name);
        }
        self.last = format!("v{}", self.number);
        self.number += 1;
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        self.file = self.file.node_with(operator, &inputs, &[&self.last], attributes);
        self
    }

    fn relu(self) -> Network {
        self.layer("Relu", &[], &[])
    }

    fn model(self) -> Model {
        Model::from_onnx(&self.file.output(&self.last).bytes()).unwrap()
    }
}

#[test]
fn vgg16_has_21_parts_and_4_nodes_are_left() {
    let mut network = Network::new(&[1, 3, 224, 224]);
    let mut channels = 3;
    for (outputs, count) in [(64, 2), (128, 2), (256, 3), (512, 3), (512, 3)] {
        for _ in 0..count {
            let pads = integers("pads", &[1, 1, 1, 1]);
            network = network.layer("Conv", &[&[outputs, channels, 3, 3], &[outputs]], &[pads]).relu();
            channels = outputs;
        }
        network = network.layer("MaxPool", &[], &[integers("kernel_shape", &[2, 2]), integers("strides", &[2, 2])]);
    }
    let dense = |network: Network, outputs, inputs| {
        network.layer("Gemm", &[&[outputs, inputs], &[outputs]], &[integer("transB", 1)])
    };
    let network = dense(network.layer("Flatten", &[], &[]), 4096, 512 * 7 * 7).relu();
    let network = dense(dense(network, 4096, 4096).relu(), 1000, 4096).layer("Softmax", &[], &[]);
    let found = partition(&network.model());
    assert_eq!((found.parts.len(), found.left.len()), (21, 4));
    let parts = vec![("conv2d", 13), ("nn.max_pool2d", 5), ("dense", 3)];
    assert_eq!(counted(&found), (parts, vec![("Flatten", 1), ("Relu", 2), ("Softmax", 1)]));
}

/// MobileNet as Keras has it: a normalisation and a bound at 6 behind each convolution, which no pattern has.
#[test]
fn mobilenet_has_30_parts_and_55_nodes_are_left() {
    let bounded = |network: Network, channels: i64| {
        let each: &[i64] = &[channels];
        let network = network.layer("BatchNormalization", &[each; 4], &[]);
        let file = network.file.floats("0", &[], &[0.0]).floats("6", &[], &[6.0]);
        let last = format!("clipped {}", network.last);
        let file = file.node("Clip", &[&network.last, "0", "6"], &[&last]);
        Network { file, last, ..network }
    };
    let strides = |stride| integers("strides", &[stride, stride]);
    let mut network = Network::new(&[1, 3, 224, 224]);
    network.file = network.file.integers("pads", &[0, 0, 0, 0, 0, 0, 1, 1]);
    // Keras puts zeros below and on the right of what a layer of strides of 2 reads.
    let pad = |mut network: Network| {
        let last = format!("padded {}", network.last);
        network.file = network.file.node("Pad", &[&network.last, "pads"], &[&last]);
        Network { last, ..network }
    };
    network = bounded(pad(network).layer("Conv", &[&[32, 3, 3, 3]], &[strides(2)]), 32);
    let mut channels = 32;
    let blocks = [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2)];
    for (outputs, stride) in blocks.into_iter().chain([(512, 1); 5]).chain([(1024, 2), (1024, 1)]) {
        let pads = if stride == 1 { [1; 4] } else { [0; 4] };
        let attributes = [integer("group", channels), strides(stride), integers("pads", &pads)];
        network = if stride == 2 { pad(network) } else { network };
        network = bounded(network.layer("Conv", &[&[channels, 1, 3, 3]], &attributes), channels);
        network = bounded(network.layer("Conv", &[&[outputs, channels, 1, 1]], &[]), outputs);
        channels = outputs;
    }
    network = network.layer("GlobalAveragePool", &[], &[]).layer("Dropout", &[], &[]);
    network = network.layer("Conv", &[&[1000, 1024, 1, 1], &[1000]], &[]);
    let last = network.last;
    let file = network.file.integers("shape", &[1, 1000]).node("Reshape", &[&last, "shape"], &["rows"]);
    let network = Network { file, last: "rows".to_owned(), number: network.number };
    let found = partition(&network.layer("Softmax", &[], &[]).model());
    assert_eq!((found.parts.len(), found.left.len()), (30, 55));
    let parts = vec![("conv2d", 28), ("nn.global_avg_pool2d", 1), ("reshape", 1)];
    assert_eq!(counted(&found), (parts, vec![("BatchNormalization", 27), ("Clip", 27), ("Softmax", 1)]));
    // What was padded before five of the convolutions is part of them.
    assert_eq!(found.parts.iter().filter(|part| part.nodes.len() == 2).count(), 5);
}

/// A convolution of integers as TVM has it, of the scales and zeros that the nodes behind the first say.
fn convolution(json: Json, extents: [i64; 4], weights: [i64; 4], stride: &str, groups: i64) -> Json {
    let (last, w) = (json.nodes.len() - 1, json.nodes.len());
    let last = if json.nodes[last]["op"] == "kernel" { last } else { 0 };
    let json = json.constant(&format!("w{w}"), &weights, "int8");
    let json = json.constant(&format!("b{w}"), &[1, 1, 1, extents[3]], "int32");
    let [name, layout] = if groups == 1 { ["qnn.conv2d", "OHWI"] } else { ["qnn.depthwise_conv2d", "IHWO"] };
    let padding = match (weights[1], stride) {
        (1, _) => "0 0 0 0",
        (_, "2 2") => "0 0 1 1",
        _ => "1 1 1 1",
    };
    let groups = groups.to_string();
    let attributes = [
        ("strides", stride),
        ("padding", padding),
        ("dilation", "1 1"),
        ("groups", groups.as_str()),
        ("kernel_layout", layout),
    ];
    json.kernel(name, &[last, w, 1, 2, 3, 4, w + 1, 5, 6], (&extents, "int8"), &attributes)
}

/// MobileNet of integers of 8 bits as TVM has it, which computes its `softmax` of floats.
#[test]
fn quantised_mobilenet_has_30_parts_and_3_nodes_are_left() {
    let scalars = ["zero", "w_zero", "scale", "w_scale", "scale again", "zero again"];
    let start = Json::default().input("input", &[1, 224, 224, 3], "int8");
    let of = |name: &str| if name.contains("scale") { "float32" } else { "int32" };
    let start = scalars.iter().fold(start, |json, name| json.constant(name, &[], of(name)));
    let mut json = convolution(start, [1, 112, 112, 32], [32, 3, 3, 3], "2 2", 1);
    let (mut side, mut channels) = (112, 32);
    let blocks = [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2)];
    for (outputs, stride) in blocks.into_iter().chain([(512, 1); 5]).chain([(1024, 2), (1024, 1)]) {
        side /= stride;
        let steps = if stride == 2 { "2 2" } else { "1 1" };
        json = convolution(json, [1, side, side, channels], [1, 3, 3, channels], steps, channels);
        json = convolution(json, [1, side, side, outputs], [outputs, 1, 1, channels], "1 1", 1);
        channels = outputs;
    }
    let last = |json: &Json| json.nodes.len() - 1;
    let pool = [("pool_size", "7 7"), ("strides", "2 2"), ("padding", "0 0 0 0"), ("dilation", "1 1")];
    let image = last(&json);
    json = json.kernel("nn.avg_pool2d", &[image], (&[1, 1, 1, 1024], "int8"), &pool);
    json = convolution(json, [1, 1, 1, 1001], [1001, 1, 1, 1024], "1 1", 1);
    let rows =
        [("reshape", "int8"), ("qnn.dequantize", "float32"), ("nn.softmax", "float32"), ("qnn.quantize", "int8")];
    for (name, of) in rows {
        let last = last(&json);
        json = json.kernel(name, &[last], (&[1, 1001], of), &[]);
    }
    // One scale and zero for all images: what is written stands for what the next kernel reads.
    let given = scalars.map(|name| match of(name) {
        "float32" => (name.to_owned(), Given::Floats(filled(&[], vec![0.5]))),
        _ => (name.to_owned(), Given::Ints(filled(&[], vec![0]))),
    });
    let found = partition(&Model::from_tvm(&json.bytes(), &views(&given)).unwrap());
    assert_eq!((found.parts.len(), found.left.len()), (30, 3));
    let parts = vec![("qnn_conv2d", 28), ("nn.avg_pool2d", 1), ("reshape", 1)];
    assert_eq!(counted(&found), (parts, vec![("qnn.dequantize", 1), ("nn.softmax", 1), ("qnn.quantize", 1)]));
}

/// SqueezeNet as TFLite has it, with a `Reshape` before its `Softmax`.
#[test]
fn squeezenet_has_31_parts_and_9_nodes_are_left() {
    let conv = |network: Network, [outputs, channels, size]: [i64; 3], pads: i64, stride: i64| {
        let weights: [&[i64]; 2] = [&[outputs, channels, size, size], &[outputs]];
        network.layer("Conv", &weights, &[integers("pads", &[pads; 4]), integers("strides", &[stride; 2])]).relu()
    };
    let pool = |network: Network| {
        network.layer("MaxPool", &[], &[integers("kernel_shape", &[3, 3]), integers("strides", &[2, 2])])
    };
    let fire = |network: Network, channels, squeezed, outputs| {
        let network = conv(network, [squeezed, channels, 1], 0, 1);
        let from = network.last.clone();
        let narrow = conv(network, [outputs, squeezed, 1], 0, 1);
        let narrow_last = narrow.last.clone();
        let wide = conv(Network { last: from, ..narrow }, [outputs, squeezed, 3], 1, 1);
        let last = format!("joined {}", wide.number);
        let file = wide.file.node_with("Concat", &[&narrow_last, &wide.last], &[&last], &[integer("axis", 1)]);
        Network { file, last, number: wide.number }
    };
    let mut network = pool(conv(Network::new(&[1, 3, 224, 224]), [64, 3, 3], 0, 2));
    let mut channels = 64;
    let fires = [(16, 64), (16, 64), (32, 128), (32, 128), (48, 192), (48, 192), (64, 256), (64, 256)];
    for (number, (squeezed, outputs)) in fires.into_iter().enumerate() {
        network = if [2, 4].contains(&number) { pool(network) } else { network };
        network = fire(network, channels, squeezed, outputs);
        channels = 2 * outputs;
    }
    network = conv(network, [1000, 512, 1], 0, 1).layer("GlobalAveragePool", &[], &[]);
    let file = network.file.integers("shape", &[1, 1000]).node("Reshape", &[&network.last, "shape"], &["rows"]);
    let network = Network { file, last: "rows".to_owned(), number: network.number };
    let model = network.layer("Softmax", &[], &[]).model();
    let found = partition(&model);
    assert_eq!((found.parts.len(), found.left.len()), (31, 9));
    let parts = vec![("conv2d", 26), ("nn.max_pool2d", 3), ("nn.global_avg_pool2d", 1), ("reshape", 1)];
    assert_eq!(counted(&found), (parts.clone(), vec![("Concat", 8), ("Softmax", 1)]));
    let joined = model.partition(&TvmAcl::new(true)).unwrap();
    assert_eq!((joined.parts.len(), joined.left.len()), (39, 1));
    // The light model of ONNX' zoo has all but the `Reshape`.
    let light = partition(&Model::from_onnx(&bytes("squeezenet")).unwrap());
    assert_eq!(counted(&light), (parts[..3].to_vec(), vec![("Concat", 8), ("Softmax", 1)]));
}

/// What TVM writes for the library, the library takes.
#[test]
fn what_tvm_writes_is_taken_whole() {
    for name in FLOATS.into_iter().chain(INTEGERS).chain(["network"]) {
        let json = tvm::bytes(name);
        let constants = tvm::constants(&json);
        let model = Model::from_tvm(&json, &views(&constants)).unwrap();
        let found = model.partition(&TvmAcl::new(true)).unwrap();
        assert_eq!(found.left, [], "{name}");
        let kernels = if name == "network" { 10 } else { 1 };
        assert_eq!(found.parts.len(), kernels, "{name}");
    }
}

/// TVM's library computes with one scale for all weights. What bounds integers at 6 is nothing where no integer stands for more, and
/// none for less than 0, as in the first network; in the second it is left 35 times.
#[test]
fn weights_with_a_scale_for_each_output_are_left() {
    let found = |name: &str| {
        let found = partition(&quantized::model(name));
        let is_scales = |reason: &str| reason.contains("scales, one for each output, and of one scale they are taken");
        let scales = found.left.iter().filter(|left| is_scales(&left.reason)).count();
        (scales, found)
    };
    let (scales, person) = found("person_detect");
    let left = vec![("DEPTHWISE_CONV_2D", 14), ("CONV_2D", 14), ("SOFTMAX", 1)];
    assert_eq!((scales, counted(&person)), (28, (vec![("nn.avg_pool2d", 1), ("reshape", 1)], left)));
    let (scales, mobilenet) = found("mobilenet_v2_int8");
    let left = vec![("TRANSPOSE", 1), ("PAD", 18), ("CONV_2D", 53), ("DEPTHWISE_CONV_2D", 34), ("MEAN", 1)];
    let parts = vec![("qnn.add", 10), ("reshape", 1), ("qnn_dense", 1)];
    assert_eq!((scales, counted(&mobilenet)), (52, (parts, left)));
}

fn reasons(file: &File) -> Vec<(String, String)> {
    let found = partition(&Model::from_onnx(&file.bytes()).unwrap());
    found.left.into_iter().map(|left| (left.operator, left.reason)).collect()
}

#[test]
fn each_rule_has_a_reason() {
    let image = |images| File::new(&[images, 4, 8, 8]);
    let conv = |file: File, extents: &[i64], attributes: &[Vec<u8>]| {
        file.zeros("w", extents).node_with("Conv", &["x", "w"], &["y"], attributes)
    };
    let expect = |file: &File, reason: &str| {
        let found = reasons(file);
        assert_eq!(found.iter().map(|(_, reason)| reason.as_str()).collect::<Vec<_>>(), [reason]);
    };
    assert_eq!(reasons(&conv(image(1), &[5, 4, 3, 2], &[])), []);
    expect(&conv(image(2), &[5, 4, 3, 3], &[]), "it reads 2 images, and one is taken");
    let grouped = conv(image(1), &[4, 2, 3, 3], &[integer("group", 2)]);
    expect(&grouped, "it has 2 groups, and one is taken, or one for each channel and output");
    let each = |extents: &[i64], strides: &[i64]| {
        conv(image(1), extents, &[integer("group", 4), integers("strides", strides)])
    };
    assert_eq!(reasons(&each(&[4, 1, 5, 5], &[2, 2])), []);
    expect(&each(&[4, 1, 3, 5], &[1, 1]), "its channels have windows of 3×5, and 3×3 and 5×5 are taken");
    expect(&each(&[4, 1, 7, 7], &[1, 1]), "its channels have windows of 7×7, and 3×3 and 5×5 are taken");
    expect(&each(&[4, 1, 3, 3], &[1, 2]), "its channels have strides of 1 and 2, and twice 1 and twice 2 are taken");
    let dilated = [integers("kernel_shape", &[2, 2]), integers("dilations", &[3, 2])];
    let pool = image(1).node_with("MaxPool", &["x"], &["y"], &dilated);
    expect(&pool, "its windows are dilated by 3 and 2, and twice 1 is taken");
    let inputs = File::new(&[2, 3]).input("w", Some(&[3, 4])).node("Gemm", &["x", "w"], &["y"]);
    expect(&inputs, "its weights are no constant");
    let scaled = File::new(&[2, 3]).zeros("w", &[3, 4]).node_with("Gemm", &["x", "w"], &["y"], &[float("alpha", 0.5)]);
    expect(&scaled, "its factors are not 1");
    let three = File::new(&[2, 3]).node("Sum", &["x", "x", "x"], &["y"]);
    expect(&three, "it reads 3 tensors, and of two it is taken");
    expect(
        &File::new(&[2, 3]).node_with("Concat", &["x", "x"], &["y"], &[integer("axis", 1)]),
        "`concatenate` is turned off",
    );
    expect(&File::new(&[2, 3]).node("Cosh", &["x"], &["y"]), "no pattern has it");
}

/// TVM asks neither what is put around an image nor around which dimensions, and then forgets the convolution's own zeros.
#[test]
fn what_is_put_around_an_image_is_part_of_a_convolution_only_as_zeros() {
    let padded = |pads: &[i64], value: f32| {
        let file = File::new(&[1, 4, 8, 8]).integers("pads", pads).floats("value", &[], &[value]);
        let channels = 4 + pads[1] + pads[5];
        let file = file.zeros("w", &[2, channels, 3, 3]).node("Pad", &["x", "pads", "value"], &["p"]);
        file.node_with("Conv", &["p", "w"], &["y"], &[integers("pads", &[1, 1, 0, 0])])
    };
    let left =
        |pads: &[i64], value: f32| reasons(&padded(pads, value)).into_iter().map(|(kind, _)| kind).collect::<Vec<_>>();
    assert_eq!(left(&[0, 0, 1, 2, 0, 0, 0, 3], 0.0), Vec::<String>::new());
    assert_eq!(left(&[0, 0, 1, 2, 0, 0, 0, 3], 1.0), ["Pad"]);
    assert_eq!(left(&[0, 1, 0, 0, 0, 1, 0, 0], 0.0), ["Pad"]);
}

/// Zeros of both are added, other numbers and other dimensions are put around before, and the answer is that of a padded image.
#[test]
fn what_is_put_around_an_image_is_computed_whoever_does_it() {
    let answer = |file: File, extents: [usize; 4], x: &[f32]| {
        let plan = Model::from_onnx(&file.bytes()).unwrap().plan().unwrap();
        plan.apply::<f32>(&Serial, &[View::from_slice(x, extents).unwrap().any()]).unwrap()[0].to_vec()
    };
    let x = common::values("padded", 2 * 5 * 6, -1.0, 1.0);
    for (pads, value) in
        [([0, 0, 1, 2, 0, 0, 0, 3], 0.0f32), ([0, 0, 1, 2, 0, 0, 0, 3], 1.0), ([0, 1, 1, 0, 0, 1, 0, 0], 0.0)]
    {
        let [channels, rows, columns] = [1, 2, 3].map(|d| ([0, 2, 5, 6][d] + pads[d] + pads[d + 4]) as usize);
        let weights = common::values("weights", 3 * channels * 3 * 2, -1.0, 1.0);
        let conv = |file: File, from: &str| {
            let file = file.floats("w", &[3, channels as i64, 3, 2], &weights);
            file.node_with("Conv", &[from, "w"], &["y"], &[integers("pads", &[1, 1, 0, 0])])
        };
        let file = File::new(&[1, 2, 5, 6]).integers("pads", &pads).floats("value", &[], &[value]);
        let found = answer(conv(file.node("Pad", &["x", "pads", "value"], &["p"]), "p"), [1, 2, 5, 6], &x);
        let at = |place: usize| {
            let (c, y, x) = (place / (rows * columns), place / columns % rows, place % columns);
            let inside =
                |at: usize, d: usize, extent: usize| at.checked_sub(pads[d] as usize).filter(|&at| at < extent);
            Some((inside(c, 1, 2)?, inside(y, 2, 5)?, inside(x, 3, 6)?))
        };
        let element = |place| at(place).map_or(value, |(c, row, column)| x[(c * 5 + row) * 6 + column]);
        let padded: Vec<f32> = (0..channels * rows * columns).map(element).collect();
        let whole = File::new(&[1, channels as i64, rows as i64, columns as i64]);
        assert_eq!(found, answer(conv(whole, "x"), [1, channels, rows, columns], &padded), "{pads:?} of {value}");
    }
}

/// Squares, their mean and its root are one part; a square that something else reads is none.
#[test]
fn a_norm_of_windows_is_one_part() {
    let windows = [integers("kernel_shape", &[2, 3])];
    let file = File::new(&[1, 4, 8, 8]).floats("two", &[], &[2.0]).node("Pow", &["x", "two"], &["s"]);
    let file = file.node_with("AveragePool", &["s"], &["m"], &windows).node("Sqrt", &["m"], &["y"]);
    let found = partition(&Model::from_onnx(&file.bytes()).unwrap());
    assert_eq!(counted(&found), (vec![("l2_pool2d", 1)], vec![]));
    assert_eq!(found.parts[0].nodes, [0, 1, 2]);
    let found = partition(&Model::from_onnx(&file.output("s").bytes()).unwrap());
    assert_eq!(counted(&found), (vec![("nn.avg_pool2d", 1)], vec![("Pow", 1), ("Sqrt", 1)]));
}
