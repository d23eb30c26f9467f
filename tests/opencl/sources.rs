//! Where a kernel's text and its programs come from, in every form and precision: folders and packs.

use crate::case::{devices, image};
use std::{fs, path::Path};
use windrow::{
    Border, Configured, Kernel, Tensor,
    code::{KernelCode, OpenClEntry, OpenClImages},
    opencl::{
        BuildError, Context, ContextOptions, Device, DeviceCaps, DeviceMemory, Digest, Driver, FloatFormat,
        IntegerUnits, KernelFolder, MemForm, MemFormReason, MemMode, Mismatch, NoImageForm, Numerics, OpenClError,
        OpenClKernel, Pack, Precision, Program, Record, Rejected, Rejection, recorded, validate, validate_source,
    },
    prelude::*,
};

/// The greater of two neighbours.
#[kernel]
pub fn greatest(a: Neighbourhood<u8>) -> u8 {
    a.at(-1, 0).max(a.at(1, 0))
}

/// The mean of two neighbours.
#[kernel]
pub fn mean(a: Neighbourhood<f32>) -> f32 {
    0.5 * a.at(-1, 0) + 0.5 * a.at(1, 0)
}

fn configured(src: &Tensor<u8>, border: Border) -> Configured<greatest> {
    greatest::configure(src.info(), src.info(), border).unwrap()
}

fn reference(src: &Tensor<u8>, border: Border) -> Vec<u8> {
    let mut out = Tensor::new([src.info().height(), src.info().width()]).unwrap();
    configured(src, border).run_reference(src.view(), out.view_mut()).unwrap();
    out.to_vec()
}

/// What [`greatest`] gives where its text says the least: of the elements' complements, the complement.
fn least(src: &Tensor<u8>) -> Vec<u8> {
    let not = Tensor::from_vec(src.to_vec().iter().map(|v| !v).collect(), [src.info().height(), src.info().width()]);
    reference(&not.unwrap(), Border::Replicate).iter().map(|v| !v).collect()
}

/// The kernel's manifest entry, its texts changed; with `images`, over images too.
fn folder(code: &'static KernelCode, images: bool, change: impl Fn(&str) -> String) -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    let name = code.spec().name;
    let program = |file: &str, text: &str, entries: &[OpenClEntry]| {
        let text = change(text);
        fs::write(place.path().join(file), &text).unwrap();
        let entry = |entry: &OpenClEntry| {
            let group = entry.group.map_or(String::new(), |(x, y, z)| format!(r#", "group": [{x}, {y}, {z}]"#));
            format!(r#"{{ "name": "{}", "block": [{}, {}]{group} }}"#, entry.name, entry.block.0, entry.block.1)
        };
        let entries = entries.iter().map(entry).collect::<Vec<_>>().join(", ");
        let digest = Digest::of(text.as_bytes());
        format!(r#"{{ "file": "{file}", "sha256": "{digest}", "entries": [{entries}] }}"#)
    };
    let mut entry =
        format!(r#""opencl": {}"#, program(&format!("{name}.cl"), code.opencl().source, code.opencl().entries));
    if let (OpenClImages::Emitted { source, entries, .. }, true) = (&code.opencl().images, images) {
        entry += &format!(r#", "images": {}"#, program(&format!("{name}.image.cl"), source, entries));
    }
    let manifest = format!(r#"{{ "format": 1, "kernels": [{{ "name": "{name}", {entry} }}] }}"#);
    fs::write(place.path().join("manifest.json"), manifest).unwrap();
    place
}

fn lesser(text: &str) -> String {
    let changed = text.replace("= max(a_", "= min(a_");
    assert_ne!(changed, text);
    changed
}

fn open(device: &Device, folder: &Path, options: ContextOptions) -> Context {
    // SAFETY: written by this test.
    let kernels = unsafe { KernelFolder::open(folder) }.unwrap();
    let options = ContextOptions { kernels: Some(kernels), ..options };
    Context::with_options(&Driver::new(), device, &options).unwrap()
}

#[test]
fn a_folders_programs_over_images_stand_for_the_embedded_ones() {
    let src = image(1, [6, 21]);
    for device in devices().into_iter().filter(|device| device.images.is_some()) {
        // Only the form over vectors says `max`.
        let device = device.with_caps(DeviceCaps { integers: IntegerUnits::Vectors, ..device.caps.clone() });
        let place = folder(greatest::CODE, true, lesser);
        let context = open(&device, place.path(), ContextOptions::default());
        let memory = DeviceMemory::new(&context);
        for mode in [MemMode::Buffer, MemMode::Image] {
            let kernel = OpenClKernel::new(&context, configured(&src, Border::Replicate)).unwrap();
            let kernel = kernel.with_memory(&memory, mode).unwrap();
            let mut out = Tensor::<u8>::new([6, 21]).unwrap();
            kernel.run(src.view(), out.view_mut()).unwrap();
            assert_eq!(out.to_vec(), least(&src), "{mode}");
        }
        // What changed since the manifest was written is refused, and no other text taken in its place.
        fs::write(place.path().join("greatest.image.cl"), "__kernel void other(void) {}").unwrap();
        let kernel = OpenClKernel::new(&context, configured(&src, Border::Replicate)).unwrap();
        let refused = kernel.with_memory(&memory, MemMode::Image).map(drop);
        assert!(
            matches!(&refused, Err(OpenClError::Build(BuildError::Kernels { reason })) if reason.contains("SHA-256")),
            "{refused:?}"
        );
    }
}

#[test]
fn a_folder_without_a_program_over_images_gives_buffers_or_an_error() {
    let src = image(1, [6, 21]);
    for device in devices().into_iter().filter(|device| device.images.is_some()) {
        let DeviceCaps { platform, name, vendor, version, kind, .. } = recorded::adreno();
        let integers = IntegerUnits::Vectors;
        let adreno = DeviceCaps { platform, name, vendor, version, kind, integers, ..device.caps.clone() };
        let place = folder(greatest::CODE, false, lesser);
        let context = open(&device.with_caps(adreno), place.path(), ContextOptions::default());
        let memory = DeviceMemory::new(&context);
        let kernel = || OpenClKernel::new(&context, configured(&src, Border::Replicate)).unwrap();
        let chosen = kernel().with_memory(&memory, MemMode::Auto).unwrap();
        assert_eq!(chosen.mem_form(), (MemForm::Buffer, MemFormReason::Kernel));
        let mut out = Tensor::<u8>::new([6, 21]).unwrap();
        chosen.run(src.view(), out.view_mut()).unwrap();
        assert_eq!(out.to_vec(), least(&src));
        let refused = kernel().with_memory(&memory, MemMode::Image).unwrap_err();
        let reason = NoImageForm::Folder;
        assert_eq!(refused, OpenClError::NoImageForm { kernel: "greatest", reason });
    }
}

/// A kernel in each form and precision, with whatever border.
fn kernels(memory: &DeviceMemory) -> Vec<OpenClKernel<mean>> {
    let info = *Tensor::<f32>::new([6, 21]).unwrap().info();
    let make = |border, precision, mode| {
        let configured = mean::configure(&info, &info, border).unwrap();
        let kernel = OpenClKernel::with_precision(memory.context(), configured, precision).unwrap();
        kernel.with_memory(memory, mode).unwrap()
    };
    let mut all = vec![
        make(Border::Replicate, Precision::F32, MemMode::Buffer),
        make(Border::Replicate, Precision::F16Storage, MemMode::Buffer),
    ];
    if memory.context().device().images.is_some() {
        all.push(make(Border::Replicate, Precision::F32, MemMode::Image));
        all.push(make(Border::constant(0.5f32), Precision::F32, MemMode::Image));
    }
    all
}

#[test]
fn kernels_in_every_form_and_precision_start_from_a_pack() {
    let place = tempfile::tempdir().unwrap();
    for device in devices().into_iter().filter(|device| device.floats.lacks(false).is_empty()) {
        // Halves may be inexact where floats are not: only a strict context would refuse them.
        let options = ContextOptions { numerics: Numerics::Relaxed, ..Default::default() };
        let open =
            |device: &Device| DeviceMemory::new(&Context::with_options(&Driver::new(), device, &options).unwrap());
        let file = place.path().join(format!("{}.pack", device.index));
        let packer = open(&device);
        let programs = packer.context().programs();
        let all = programs.all_of(<mean as Kernel>::CODE).unwrap();
        let records: Vec<Record> = all.iter().map(|(_, source)| programs.record(source).unwrap()).collect();
        Pack::write(&file, &records).unwrap();
        let report = |device: &Device| {
            let memory = open(device);
            // SAFETY: written by this test.
            memory.context().programs().add_pack(unsafe { Pack::open(&file) }.unwrap());
            let count = kernels(&memory).len();
            (count, memory.context().programs().report())
        };
        let (count, here) = report(&device);
        assert!(here.from_packs >= count && here.builds == 0 && here.rejected.is_empty(), "{here:?}");
        let other = DeviceCaps { driver_version: "of tomorrow".into(), ..device.caps.clone() };
        let (count, elsewhere) = report(&device.with_caps(other));
        let foreign = |rejected: &&Rejected| matches!(rejected.reason, Rejection::Foreign(Mismatch::Device { .. }));
        assert!(elsewhere.from_packs == 0 && elsewhere.builds >= count, "{elsewhere:?}");
        assert_eq!(elsewhere.rejected.iter().filter(foreign).count(), elsewhere.builds);
    }
}

#[test]
fn floats_are_judged_by_the_text_that_is_built() {
    let src = image(1, [6, 21]);
    // A text that computes with floats in the place of one that does not, and with other programs' options.
    let floats = |text: &str| format!("inline float of_floats(float a) {{ return a; }}\n{text}");
    let place = folder(greatest::CODE, true, floats);
    let configured = configured(&src, Border::Replicate);
    // SAFETY: written by this test.
    let read = unsafe { KernelFolder::open(place.path()) }.unwrap().source_of(greatest::CODE).unwrap();
    assert!(validate(&recorded::adreno(), &configured, Numerics::Strict).unwrap().is_exact());
    let judge = |numerics| validate_source(&read, Precision::F32, &recorded::adreno(), &configured, numerics);
    assert!(matches!(judge(Numerics::Strict), Err(OpenClError::Build(BuildError::Inexact { .. }))));
    assert_eq!(judge(Numerics::Relaxed).unwrap().0.lacks(), ["denormals"]);
    for device in devices() {
        let open = |numerics| {
            let options = ContextOptions { numerics, flushes_denormals: true, ..Default::default() };
            open(&device, place.path(), options)
        };
        let refused = OpenClKernel::new(&open(Numerics::Strict), configured.clone()).map(drop);
        assert!(matches!(refused, Err(OpenClError::Build(BuildError::Inexact { .. }))), "{refused:?}");
        let context = open(Numerics::Relaxed);
        let kernel = OpenClKernel::new(&context, configured.clone()).unwrap();
        assert!(kernel.effective_numerics().lacks().contains(&"denormals"));
        context.programs().set_kernels(None);
        assert!(OpenClKernel::new(&context, configured.clone()).unwrap().effective_numerics().is_exact());
        // What was built is what is told, whatever the context would build now.
        assert!(!kernel.effective_numerics().is_exact());
        if device.images.is_some() {
            // SAFETY: written by this test.
            context.programs().set_kernels(Some(unsafe { KernelFolder::open(place.path()) }.unwrap()));
            let memory = DeviceMemory::new(&context);
            let over_images = kernel.with_memory(&memory, MemMode::Image).unwrap();
            assert!(over_images.effective_numerics().uses_floats);
        }
    }
}

#[test]
fn a_program_that_is_shared_says_in_which_precision_it_was_built() {
    let info = *Tensor::<f32>::new([3, 8]).unwrap().info();
    let configured = mean::configure(&info, &info, Border::Replicate).unwrap();
    for device in devices().into_iter().filter(|device| device.floats.denormals) {
        let open = |precision| {
            let options = ContextOptions { precision, ..Default::default() };
            Context::with_options(&Driver::new(), &device, &options).unwrap()
        };
        let stored = open(Precision::F16Storage);
        let program = Program::of::<mean>(&stored).unwrap();
        assert_eq!(program.precision(), Some(Precision::F16Storage));
        let kernel = OpenClKernel::with_program(&stored, &program, configured.clone()).unwrap();
        assert_eq!(kernel.format(), FloatFormat::F16);
        assert_eq!(Program::of::<greatest>(&stored).unwrap().precision(), None);
        // Of another context, whose images may lie otherwise, it is refused.
        let refused = OpenClKernel::with_program(&open(Precision::F32), &program, configured.clone()).map(drop);
        assert!(
            matches!(&refused, Err(OpenClError::Foreign { argument, .. }) if argument == "the program"),
            "{refused:?}"
        );
    }
}
