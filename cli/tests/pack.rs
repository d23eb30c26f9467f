//! `windrow pack` on whatever OpenCL device the machine has; silent where it has none.

use std::{fs, path::Path, process::Command};
use windrow_backends::doors::Build;
use windrow_opencl::{
    Context, DeviceCaps, Driver, KernelFolder, Mismatch, Pack, ProgramForm, ProgramSource, Rejection,
};

/// Of bytes and of floats, with and without a neighbourhood.
const KERNELS: &str = "
    use windrow::prelude::*;

    /// The other way round.
    #[kernel]
    pub fn invert(a: u8) -> u8 { !a }

    /// The greater neighbour.
    #[kernel(border(replicate))]
    pub fn greater(a: Neighbourhood<u8>) -> u8 { a.at(-1, 0).max(a.at(1, 0)) }

    /// The mean of neighbours.
    #[kernel]
    pub fn mean(a: Neighbourhood<f32>) -> f32 { 0.5 * a.at(-1, 0) + 0.5 * a.at(1, 0) }
";

fn pack(folder: &Path, output: &Path) -> std::process::Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_windrow"));
    command.arg("pack").arg(folder).arg("--output").arg(output).output().unwrap()
}

/// The kernels as a build script writes them, and a file for their programs.
fn written(place: &Path) -> (std::path::PathBuf, std::path::PathBuf) {
    fs::write(place.join("kernels.rs"), KERNELS).unwrap();
    let folder = place.join("kernels");
    Build::new().root(place).source("kernels.rs").out_dir(&folder).run().unwrap();
    (folder, place.join("kernels.pack"))
}

/// Every program of the folder that the device may be asked for.
fn programs(context: &Context, folder: &Path) -> Vec<(ProgramForm, ProgramSource)> {
    // SAFETY: written by this test.
    unsafe { KernelFolder::open(folder) }.unwrap().programs(context.device()).unwrap()
}

#[test]
fn a_pack_holds_every_form_and_precision_of_every_kernel() {
    let place = tempfile::tempdir().unwrap();
    let (folder, file) = written(place.path());
    let output = pack(&folder, &file);
    let Ok(context) = Context::open() else {
        eprintln!("not run: no device");
        assert_eq!(output.status.code(), Some(2));
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let wanted = programs(&context, &folder);
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains(&format!("{} programs", wanted.len())), "{told}");
    let forms_of = |kernel: &str| {
        let of_kernel = wanted.iter().filter(|(_, source)| source.name == kernel);
        of_kernel.map(|(form, _)| form.name()).collect::<Vec<_>>()
    };
    let mut images = vec!["images", "images, constant border"];
    if context.device().images.is_none() {
        images.clear();
    }
    let mut precisions = vec!["buffers, f32", "buffers, f16 storage", "buffers, f16"];
    precisions.truncate(if context.device().half.is_some() { 3 } else { 2 });
    assert_eq!(forms_of("invert"), ["buffers"]);
    assert_eq!(forms_of("greater"), [&["buffers"], &images[..images.len().min(1)]].concat());
    assert_eq!(forms_of("mean"), [precisions, images].concat());
    for (form, source) in &wanted {
        assert!(told.contains(&format!("{} ({form})", source.name)), "{told}");
    }

    // An application builds nothing, and only reads the file.
    let before = fs::read(&file).unwrap();
    // SAFETY: written by this test.
    context.programs().add_pack(unsafe { Pack::open(&file) }.unwrap());
    for (_, source) in &wanted {
        context.programs().get(source).unwrap();
    }
    let report = context.programs().report();
    assert_eq!((report.from_packs, report.builds, report.rejected.len()), (wanted.len(), 0, 0), "{report:?}");
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn a_pack_of_another_driver_is_reported_and_programs_built() {
    let place = tempfile::tempdir().unwrap();
    let (folder, file) = written(place.path());
    if !pack(&folder, &file).status.success() {
        eprintln!("not run: no device");
        return;
    }
    let here = Context::open().unwrap();
    let caps = DeviceCaps { driver_version: "of tomorrow".into(), ..here.device().caps.clone() };
    let context = Context::with_driver(&Driver::new(), &here.device().with_caps(caps)).unwrap();
    // SAFETY: written by this test.
    context.programs().add_pack(unsafe { Pack::open(&file) }.unwrap());
    let wanted = programs(&context, &folder);
    for (_, source) in &wanted {
        context.programs().get(source).unwrap();
    }
    let report = context.programs().report();
    assert_eq!((report.from_packs, report.builds), (0, wanted.len()));
    let of_device = |reason: &Rejection| matches!(reason, Rejection::Foreign(Mismatch::Device { .. }));
    assert_eq!(report.rejected.iter().filter(|rejected| of_device(&rejected.reason)).count(), wanted.len());
}

#[test]
fn a_changed_folder_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let (folder, file) = written(place.path());
    for changed in ["invert.cl", "greater.image.cl"] {
        let text = fs::read(folder.join(changed)).unwrap();
        fs::write(folder.join(changed), "__kernel void other(void) {}").unwrap();
        let refused = pack(&folder, &file);
        assert_eq!(refused.status.code(), Some(2));
        let told = String::from_utf8_lossy(&refused.stderr);
        assert!(told.contains(changed) || told.contains("no OpenCL"), "{told}");
        assert!(!file.exists());
        fs::write(folder.join(changed), text).unwrap();
    }
}
