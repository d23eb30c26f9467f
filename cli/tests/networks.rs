//! The commands about networks: a plan in a folder runs as its model does, and pages and traces hold what they say.
#![cfg(feature = "networks")]

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
};

use common::windrow;
use serde_json::Value;

/// A model of the tests of networks.
fn model(name: &str) -> String {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "graph", "tests", "models", name].iter().collect();
    path.to_str().unwrap().to_owned()
}

fn text(arguments: &[&str]) -> String {
    let output = windrow(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn refusal(arguments: &[&str]) -> String {
    let output = windrow(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// What a network found, without its time.
fn answer(network: &str, picture: &str) -> String {
    let text = text(&["run", network, picture, "--runs", "1", "--threads", "1"]);
    text.split_once("\n\n").unwrap().1.to_owned()
}

fn name(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_plan_in_a_folder_runs_as_its_model_does() {
    let folder = tempfile::tempdir().unwrap();
    let (plan, again) = (folder.path().join("plan"), folder.path().join("again"));
    let (network, picture) = (model("quantized/person_detect.tflite"), model("quantized/person.bmp"));
    // Bitmaps are not read; a PNG of the same size is.
    let png = folder.path().join("picture.png");
    assert!(refusal(&["run", &network, &picture]).contains("pictures are PNG or JPEG"));
    image::GrayImage::from_fn(96, 96, |x, y| image::Luma([(x * 3 + y) as u8])).save(&png).unwrap();
    let said = text(&["plan", &network, "-o", name(&plan)]);
    assert_eq!(said, format!("{}: 32 steps, 0.3 MB of constants, 0.1 MB of intermediates\n", plan.display()));
    assert_eq!(answer(name(&plan), name(&png)), answer(&network, name(&png)));
    // A plan is planned to itself.
    text(&["plan", name(&plan), "-o", name(&again)]);
    for file in ["plan.json", "constants.bin"] {
        assert_eq!(fs::read(plan.join(file)).unwrap(), fs::read(again.join(file)).unwrap(), "{file}");
    }
    let error = refusal(&["run", name(&plan), name(&png), "--requantization", "float"]);
    assert!(error.contains("is a plan, which has its own"), "{error}");
    fs::write(plan.join("constants.bin"), [0; 8]).unwrap();
    let error = refusal(&["run", name(&plan), name(&png)]);
    assert!(error.contains("the constants take 8 bytes, and the plan says"), "{error}");
    let error = refusal(&["run", name(folder.path()), name(&png)]);
    assert!(error.contains("cannot read") && error.contains("plan.json"), "{error}");
    let error = refusal(&["plan", &network, "-o", name(&png)]);
    assert!(error.contains("cannot write the plan to"), "{error}");
}

#[test]
fn a_trace_has_each_step_of_each_run() {
    let folder = tempfile::tempdir().unwrap();
    let (png, trace) = (folder.path().join("picture.png"), folder.path().join("trace.json"));
    image::RgbImage::from_pixel(30, 30, image::Rgb([9, 99, 199])).save(&png).unwrap();
    text(&["run", &model("squeeze.onnx"), name(&png), "--runs", "3", "--trace", name(&trace)]);
    let trace: Value = serde_json::from_slice(&fs::read(&trace).unwrap()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let of = |kind: &str| events.iter().filter(|event| event["cat"] == kind).collect::<Vec<_>>();
    let (runs, steps) = (of("run"), of("step"));
    assert_eq!((runs.len(), steps.len() % 3, trace["displayTimeUnit"].as_str()), (3, 0, Some("ms")));
    let time = |event: &Value, of: &str| event[of].as_f64().unwrap();
    for event in events {
        assert!(event["ph"] == "X" && time(event, "ts") >= 0.0 && time(event, "dur") >= 0.0, "{event}");
    }
    // Each run is around its steps, which follow each other.
    for (run, steps) in runs.iter().zip(steps.chunks(steps.len() / 3)) {
        let end = |event: &Value| time(event, "ts") + time(event, "dur");
        assert!(time(run, "ts") <= time(steps[0], "ts") + 1.0 && end(steps[steps.len() - 1]) <= end(run) + 1.0);
        assert!(steps.windows(2).all(|pair| end(pair[0]) <= time(pair[1], "ts") + 1.0));
    }
    assert!(steps[0]["args"]["node"].is_string() && steps[0]["args"]["writes"].is_array());
    let nowhere = folder.path().join("no/such.json");
    let error = refusal(&["run", &model("squeeze.onnx"), name(&png), "--trace", name(&nowhere)]);
    assert!(error.contains("cannot write"), "{error}");
}

#[test]
fn steps_say_where_they_run_and_what_is_moved() {
    let is_required = std::env::var("WINDROW_REQUIRE").is_ok_and(|all| all.split(',').any(|one| one == "opencl"));
    match windrow::opencl::Context::open() {
        Err(error) if error.is_absence() && !is_required => return eprintln!("not run: {error}"),
        opened => drop(opened.unwrap()),
    }
    let folder = tempfile::tempdir().unwrap();
    let (network, png) = (model("squeeze.onnx"), folder.path().join("picture.png"));
    image::RgbImage::from_pixel(35, 33, image::Rgb([9, 99, 199])).save(&png).unwrap();
    let run = |more: &[&str]| text(&[&["run", &network, name(&png), "--runs", "1", "--steps"], more].concat());
    let alone = run(&["--threads", "1"]);
    let parts: Vec<&str> = alone.split("\n\n").collect();
    assert!(!parts[2].contains("place") && !alone.contains("transfers"), "{alone}");
    // Behind the first convolution, and the copy of its image.
    let node = parts[2].lines().nth(3).and_then(|line| line.split('`').nth(1)).unwrap();
    let placed = run(&["--opencl", "--on-processor", node, "--threads", "2"]);
    let found: Vec<&str> = placed.split("\n\n").collect();
    assert!(found[0].contains(", 1 step on 2 threads; "), "{placed}");
    assert_eq!(found[1], parts[1]);
    let steps: Vec<&str> = found[2].lines().collect();
    assert!(steps[0].starts_with("      ms   share  place      kernel"), "{placed}");
    assert!(steps[3].contains("%  processor  "), "{placed}");
    assert!(steps[1..3].iter().chain(&steps[4..]).all(|line| line.contains("%  device     ")), "{placed}");
    let moved: Vec<&str> = found[3].lines().collect();
    assert!(moved[0].starts_with("4 transfers of a run, "), "{placed}");
    assert!(moved[2].contains(" to the processor, ") && moved[2].contains(" bytes behind step 1, "), "{placed}");
    assert!(moved[3].starts_with(&format!("  `{node}` to the device, ")), "{placed}");
    // All fits the device.
    assert!(!run(&["--opencl", "--fall-back"]).contains("processor  "));

    let refused = |more: &[&str]| refusal(&[&["run", &network, name(&png)], more].concat());
    let unknown = refused(&["--opencl", "--on-processor", "nothing of the kind"]);
    assert!(unknown.contains("no step of the plan computes a node `nothing of the kind`; it has "), "{unknown}");
    assert!(refused(&["--opencl", "--threads", "1"]).contains("`--threads` is for steps of the processor"));
    assert!(refused(&["--on-processor", node]).contains("--opencl"));
}

#[test]
fn a_graph_is_printed_with_what_is_fused() {
    let text = text(&["graph", &model("residual.onnx")]);
    assert!(text.contains("\n   6  conv2d_add_relu(buffer "), "{text}");
    assert!(
        text.contains("with BatchNormalization `") && text.contains("folded into the weights and the bias"),
        "{text}"
    );
    assert!(text.contains("MB of intermediates in "), "{text}");
}

/// TVM's constants, as its `save_param_dict` writes them.
fn params(arrays: &[(&str, &[u64], f32)]) -> Vec<u8> {
    let numbers = |numbers: &[u64]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let mut file = numbers(&[0xF7E5_8D4F_0504_9CB7, 0, arrays.len() as u64]);
    for (name, ..) in arrays {
        file.extend([numbers(&[name.len() as u64]), name.as_bytes().to_vec()].concat());
    }
    file.extend(numbers(&[arrays.len() as u64]));
    for (_, extents, element) in arrays {
        let count = extents.iter().product::<u64>();
        file.extend(numbers(&[0xDD5E_40F0_96B4_A13F, 0, 1]));
        file.extend([[extents.len() as u8, 0, 0, 0], [2, 32, 1, 0]].concat());
        file.extend([numbers(extents), numbers(&[4 * count])].concat());
        file.extend(element.to_le_bytes().repeat(count as usize));
    }
    file
}

#[test]
fn json_of_tvm_has_its_constants_in_a_file_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let [file, plan] = ["constants.params", "plan"].map(|name| folder.path().join(name));
    let network = model("tvm/conv2d.json");
    let error = refusal(&["graph", &network]);
    assert!(error.contains("reads `w`, whose elements are no part of the file, and are not given"), "{error}");
    let constants: [(&str, &[u64], f32); 2] = [("w", &[4, 3, 2, 3], 0.5), ("b", &[1, 1, 1, 4], 1.0)];
    fs::write(&file, params(&constants)).unwrap();
    let found = text(&["graph", &network, "--params", name(&file)]);
    assert!(found.contains("   0  conv2d_relu(input 0) → output 0, 1×5×9×4 f32: nn.conv2d "), "{found}");
    text(&["plan", &network, "--params", name(&file), "-o", name(&plan)]);
    let error = refusal(&["graph", name(&plan), "--params", name(&file)]);
    assert!(error.contains("`--params` is for models, and"), "{error}");
    let error = refusal(&["graph", &network, "--params", &network]);
    assert!(error.contains("a list of TVM's parameters begins with"), "{error}");
}

#[test]
fn a_page_of_a_graph_holds_all_that_it_shows() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let said = text(&["graph", &model("residual.onnx"), "--html", name(&page)]);
    assert_eq!(said, format!("page: {}\n", page.display()));
    let page = fs::read_to_string(&page).unwrap();
    for reference in ["src=", "href=\"h", "url(", "@import", "fetch(", "import("] {
        assert!(!page.contains(reference), "{reference}");
    }
    assert!(page.contains("default-src 'none'") && page.contains("prefers-color-scheme: dark"));
    let steps = page.matches("<tr id=\"step-").count();
    assert_eq!((steps, page.matches("class=\"kernel\"").count()), (11, 11));
    assert!(page.contains("11 steps, 3 of them copies;"), "{page}");
    // Every buffer that a row names is in the picture.
    let named =
        page.split("data-buffers=\"").skip(1).flat_map(|rest| rest.split('"').next().unwrap().split_whitespace());
    let drawn = |buffer: &str| page.contains(&format!("data-buffer=\"{buffer}\""));
    assert!(named.clone().count() > 8 && named.clone().all(drawn));
    let error = refusal(&["graph", &model("residual.onnx"), "--html", name(&folder.path().join("no/page.html"))]);
    assert!(error.contains("cannot write"), "{error}");
    let plan = folder.path().join("plan");
    text(&["plan", &model("residual.onnx"), "-o", name(&plan)]);
    text(&["graph", name(&plan), "--html", name(&folder.path().join("again.html"))]);
    let again = fs::read_to_string(folder.path().join("again.html")).unwrap();
    assert_eq!(again.matches("<tr id=\"step-").count(), steps);
}

/// The names come from a file, so a page shows them as text and never as markup.
#[test]
fn what_a_file_says_stays_text_on_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let (plan, page) = (folder.path().join("<b>&plan"), folder.path().join("page.html"));
    text(&["plan", &model("residual.onnx"), "-o", name(&plan)]);
    let json = fs::read_to_string(plan.join("plan.json")).unwrap();
    let mut json: Value = serde_json::from_str(&json).unwrap();
    let hostile = "</script><img src=x onerror=\"alert(1)\"> {{steps}}";
    json["steps"][0]["node"] = hostile.into();
    json["steps"][0]["operator"] = hostile.into();
    json["steps"][3]["fused"][0]["node"] = hostile.into();
    json["inputs"][0]["name"] = hostile.into();
    fs::write(plan.join("plan.json"), json.to_string()).unwrap();
    text(&["graph", name(&plan), "--html", name(&page)]);
    let page = fs::read_to_string(page).unwrap();
    assert_eq!((page.matches("<script").count(), page.matches("</script>").count()), (1, 1));
    assert!(!page.contains("<img") && page.contains("<title>&lt;b&gt;&amp;plan · windrow graph</title>"));
    assert_eq!(page.matches("&lt;/script&gt;&lt;img src=x onerror=&quot;alert(1)&quot;&gt; {{steps}}").count(), 4);
}
