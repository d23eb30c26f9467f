use super::*;
use crate::testing::recorded::mali;
use serde_json::{Value, json};
use std::fs;

const TEXT: &str = "__kernel void k(void) {}";

fn open(folder: &Path) -> Result<KernelFolder, InvalidFolder> {
    // SAFETY: written by this test, and not run.
    unsafe { KernelFolder::open(folder) }
}

fn manifest() -> Value {
    let program = json!({
        "file": "k.cl", "sha256": Digest::of(TEXT.as_bytes()).to_string(), "options": "-cl-std=CL1.2 -w",
        "entries": [{ "name": "k", "block": [4, 8], "choice": [] }], "lines": "1:7",
    });
    json!({ "format": 1, "kernels": [{ "name": "k", "source": { "file": "a.rs" }, "opencl": program }] })
}

/// A folder with this manifest and `k.cl`.
fn folder(manifest: &str) -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("manifest.json"), manifest).unwrap();
    fs::write(place.path().join("k.cl"), TEXT).unwrap();
    place
}

fn source(manifest: &Value) -> Result<ProgramSource, InvalidFolder> {
    let place = folder(&manifest.to_string());
    open(place.path())?.source("k")
}

#[test]
fn a_program_is_read_with_its_options_and_lines() {
    let source = source(&manifest()).unwrap();
    assert_eq!((source.text.as_ref(), source.options.to_string().as_str()), (TEXT, "-w"));
    assert_eq!((source.lines.file(), source.lines.of(1)), ("a.rs", Some(7)));
}

#[test]
fn every_program_that_a_device_may_be_asked_for_is_read() {
    let mut manifest = manifest();
    manifest["kernels"][0]["images"] = manifest["kernels"][0]["opencl"].clone();
    let of = |manifest: &Value, caps: &DeviceCaps| {
        let place = folder(&manifest.to_string());
        let programs = open(place.path()).unwrap().programs(caps).unwrap();
        programs.into_iter().map(|(form, source)| (form.name(), source.options.to_string())).collect::<Vec<_>>()
    };
    let [buffers, images] = ["buffers", "images"].map(|name| (name, "-w".to_owned()));
    assert_eq!(of(&manifest, &mali()), [buffers.clone(), images.clone()]);
    manifest["kernels"][0]["borders"] = json!(["replicate", "constant"]);
    let constant = ("images, constant border", "-w -DWINDROW_CONSTANT".to_owned());
    assert_eq!(of(&manifest, &mali()), [buffers.clone(), images, constant]);
    assert_eq!(of(&manifest, &DeviceCaps { images: None, ..mali() }), [buffers]);
}

#[test]
fn what_is_wrong_with_a_folder_is_named() {
    let with = |pointer: &str, value: Value| {
        let mut manifest = manifest();
        *manifest.pointer_mut(pointer).unwrap() = value;
        source(&manifest).unwrap_err()
    };
    for name in ["../k.cl", "/etc/passwd", "a/k.cl", "..", "", "a\\k.cl", "k.cl\0"] {
        assert!(matches!(with("/kernels/0/opencl/file", json!(name)), InvalidFolder::NoFileName { .. }), "{name}");
    }
    assert!(matches!(with("/kernels/0/opencl/file", json!("l.cl")), InvalidFolder::Io { .. }));
    assert!(matches!(with("/kernels/0/opencl/sha256", json!("00")), InvalidFolder::Changed { .. }));
    for options in ["-I.", "-DWINDROW_F16", "-cl-std=CL1.2 -cl-std=CL2.0"] {
        let refused = with("/kernels/0/opencl/options", json!(options));
        assert!(matches!(refused, InvalidFolder::Options { .. }), "{options}: {refused}");
    }
    assert!(matches!(with("/kernels/0/name", json!("l")), InvalidFolder::NoKernel { .. }));
    assert!(matches!(with("/format", json!(2)), InvalidFolder::Format { found: 2 }));
    assert!(matches!(with("/kernels", json!({})), InvalidFolder::Manifest { .. }));
    for text in ["", "{", "[]", "{\"format\":1}", "{\"format\":-1,\"kernels\":[]}"] {
        assert!(open(folder(text).path()).is_err(), "{text}");
    }
    assert!(matches!(open("/nonexistent".as_ref()), Err(InvalidFolder::Io { .. })));
}
