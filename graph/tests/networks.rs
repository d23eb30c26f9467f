//! Networks and single nodes, held to what onnxruntime answers.

mod common;

use std::sync::Barrier;

use approx::relative_eq;
use windrow::{Rayon, Serial, Tensor, View};
use windrow_graph::{Model, Plan, PlanOptions};

use common::{
    digest,
    file::{File, integer, word},
    input, model, names, npy, output, path, plan,
};

#[test]
fn every_model_answers_as_onnxruntime_does() {
    for name in names() {
        let plan = plan(&name);
        let found = output(&plan, &Serial, &input(&name, &plan));
        let (extents, expected) = npy(&name);
        assert_eq!(found.shape().extents()[..], extents[..], "{name}");
        for (place, (found, expected)) in found.to_vec().into_iter().zip(expected).enumerate() {
            let is_near = relative_eq!(found, expected, max_relative = 1e-4, epsilon = 1e-6);
            assert!(is_near, "{name}: element {place} is {found:e}, and onnxruntime's {expected:e}");
        }
    }
}

#[test]
fn an_answer_is_the_same_in_every_run_and_on_any_number_of_threads() {
    for name in names() {
        let plan = plan(&name);
        let input = input(&name, &plan);
        let bits = |tensor: Tensor<f32>| tensor.to_vec().into_iter().map(f32::to_bits).collect::<Vec<_>>();
        let first = bits(output(&plan, &Serial, &input));
        assert_eq!(bits(output(&plan, &Serial, &input)), first, "{name}: a second run");
        for threads in [2, 3, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            // However small the images are, they are cut.
            let scheduler = Rayon::on(&pool).with_grain(1);
            assert_eq!(bits(output(&plan, &scheduler, &input)), first, "{name}: {threads} threads");
        }
    }
}

/// One network, one answer: whatever processor this runs on, its bits are those of the file. `WINDROW_BLESS=1` writes it.
#[test]
fn answers_have_the_bits_of_the_file() {
    let of = |name: &String| {
        let plan = plan(name);
        format!("{name} {}\n", digest(&plan, &Serial, &input(name, &plan)))
    };
    let found: String = names().iter().map(of).collect();
    let file = path("digests.txt");
    if std::env::var_os("WINDROW_BLESS").is_some() {
        std::fs::write(&file, &found).unwrap();
    }
    assert_eq!(found, std::fs::read_to_string(file).unwrap());
}

#[test]
fn two_threads_share_one_plan() {
    let plan = plan("squeeze");
    let input = input("squeeze", &plan);
    let expected = output(&plan, &Serial, &input).to_vec();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..8).for_each(|_| assert_eq!(output(&plan, &Serial, &input).to_vec(), expected)));
        }
    });
}

/// Runs that are asked for go on at a time: each of these waits for the other after its first step.
#[test]
fn two_runs_of_one_plan_go_on_at_a_time() {
    let mut options = PlanOptions::default();
    options.runs = usize::MAX;
    assert!(model("squeeze").plan_with(&options).is_err(), "all runs together take more memory than is allowed");
    options.runs = 2;
    let plan = model("squeeze").plan_with(&options).unwrap();
    let input = input("squeeze", &plan);
    let expected = output(&plan, &Serial, &input).to_vec();
    let barrier = Barrier::new(2);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut found = Tensor::<f32>::new([1, 10, 1, 1]).unwrap();
                let mut is_first = true;
                let wait = |_: &_, _| {
                    if std::mem::take(&mut is_first) {
                        barrier.wait();
                    }
                };
                plan.run_timed(&Serial, &[input.view().any()], &mut [found.view_mut().any()], wait).unwrap();
                assert_eq!(found.to_vec(), expected);
            });
        }
    });
}

/// What squeezenet is planned to: nothing is copied but the image of three channels, and of its 8 concatenations nothing is left.
#[test]
fn squeezenet_copies_its_image_alone() {
    let plan = plan("squeezenet");
    let of = |kernel: &str| plan.steps().iter().filter(|step| step.kernel() == kernel).count();
    // Convolutions of one place are products, and what bounds them is computed with them.
    assert_eq!([of("conv2d_relu"), of("dense_relu")], [9, 17]);
    assert_eq!([of("max_pool2d"), of("reduce_mean"), of("softmax")], [3, 1, 1]);
    assert_eq!((of("copy"), plan.steps().len()), (1, 31 + 1));
    // The most that one layer needs: the first pooling reads 64 channels of 111 × 111, and writes 64 of 55 × 55.
    assert_eq!(plan.intermediate_bytes(), 64 * (111 * 111 + 55 * 55) * 4);
}

/// A normalisation behind a convolution costs nothing, and one behind what is joined is a step.
#[test]
fn normalisations_are_folded_into_convolutions() {
    let of =
        |plan: &Plan, kernels: &[&str]| plan.steps().iter().filter(|step| kernels.contains(&step.kernel())).count();
    let residual = plan("residual");
    assert_eq!(of(&residual, &["scale_shift", "scale_shift_relu", "multiply_f32"]), 0);
    // What is added to a convolution, and what bounds it, is part of it.
    let kernels: Vec<_> = residual.steps().iter().map(|step| step.kernel()).collect();
    let layers = ["conv2d_relu", "max_pool2d", "conv2d_relu", "conv2d_add_relu", "conv2d_relu"];
    // The image of three channels is copied between pads.
    assert_eq!(kernels, [&["copy"; 3], &layers[..], &["average_pool2d", "dense", "softmax"]].concat());
    // So is it with products, and with convolutions of each channel.
    let mobile = plan("mobile");
    let kernels: Vec<_> = mobile.steps().iter().map(|step| step.kernel()).collect();
    let block = ["conv2d_relu", "dense_relu", "depthwise_conv2d_relu", "dense_add", "depthwise_conv2d"];
    assert_eq!(kernels, [&["copy"; 2], &block[..], &["reduce_mean", "dense", "softmax"]].concat());
    let joined = plan("joined");
    // What was joined before lies where it is joined again. Copied are the image, the value that is joined to itself, by way of
    // another place, and the output, whose channels come first.
    assert_eq!(of(&joined, &["copy"]), 4);
    assert_eq!((of(&joined, &["scale_shift_relu"]), of(&joined, &["multiply_f32", "add_f32", "relu"])), (2, 0));
}

/// Zeros that a convolution alone reads are its own, and what is cut away is not there to copy; an image of few channels is copied between
/// pads in any case.
#[test]
fn pads_and_cuts_are_part_of_convolutions() {
    let kernels = |name: &str| plan(name).steps().iter().map(|step| step.kernel()).collect::<Vec<_>>();
    assert_eq!(kernels("pad_convolution"), ["copy", "copy", "copy", "conv2d"]);
    assert_eq!(kernels("slice_image"), ["copy", "conv2d"]);
    // Another number than 0 is put around, along one dimension after another, where the channels are last.
    assert_eq!(kernels("pad_image")[..4], ["copy", "pad_constant", "pad_constant", "pad_constant"]);
}

/// An addition of two convolutions is part of the later one: what the earlier would add is not there yet.
#[test]
fn a_sum_is_part_of_the_last_convolution_that_it_adds() {
    let file = File::new(&[1, 2, 3, 3])
        .floats("once", &[2, 2, 1, 1], &[1.0, 0.0, 0.0, 1.0])
        .floats("twice", &[2, 2, 1, 1], &[2.0, 0.0, 0.0, 2.0])
        .node("Conv", &["x", "once"], &["a"])
        .node("Conv", &["x", "twice"], &["b"])
        .node("Add", &["a", "b"], &["sum"])
        .node("Relu", &["sum"], &["y"]);
    let plan = Model::from_onnx(&file.bytes()).unwrap().plan().unwrap();
    let kernels: Vec<_> = plan.steps().iter().map(|step| step.kernel()).collect();
    assert_eq!(kernels, ["dense", "dense_add_relu"]);
    let x: Vec<f32> = (-9i8..9).map(f32::from).collect();
    let input = View::from_slice(&x, [1, 2, 3, 3]).unwrap();
    let found = plan.apply::<f32>(&Serial, &[input.any()]).unwrap();
    assert_eq!(found[0].to_vec(), x.iter().map(|x| (3.0 * x).max(0.0)).collect::<Vec<_>>());
}

/// What takes elements from other places does so with integers of 8 bits, whatever they stand for.
#[test]
fn bytes_are_taken_from_other_places() {
    let file = File::default().input_of("x", 3, &[2, 3]).output("y").integers("pads", &[0, 1, 0, 1]);
    let file = file.integers("n", &[1, -2]).integers("column", &[2, 1]).node("Reshape", &["n", "column"], &["places"]);
    let file = file.node_with("Pad", &["x", "pads"], &["wide"], &[word("mode", "reflect")]);
    let file = file.node_with("GatherElements", &["wide", "places"], &["y"], &[integer("axis", 1)]);
    let plan = Model::from_onnx(&file.bytes()).unwrap().plan().unwrap();
    let input = View::from_slice(&[1i8, 2, 3, -4, -5, -6], [2, 3]).unwrap();
    assert_eq!(plan.apply::<i8>(&Serial, &[input.any()]).unwrap()[0].to_vec(), [1, -6]);
}
