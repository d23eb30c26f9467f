//! `windrow pack` on whatever OpenCL device the machine has; silent where it has none.

use std::{fs, path::Path, process::Command};
use windrow_backends::doors::Build;
use windrow_runtime::opencl::{Context, KernelFolder, Pack};

const KERNELS: &str = "
    use windrow::prelude::*;

    /// The other way round.
    #[kernel]
    pub fn invert(a: u8) -> u8 { !a }

    /// The greater one.
    #[kernel]
    pub fn greater(a: u8, b: u8) -> u8 { a.max(b) }
";

fn pack(folder: &Path, output: &Path) -> std::process::Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_windrow"));
    command.arg("pack").arg(folder).arg("--output").arg(output).output().unwrap()
}

#[test]
fn a_folder_is_packed_and_a_changed_one_refused() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("kernels.rs"), KERNELS).unwrap();
    let folder = place.path().join("kernels");
    Build::new().root(place.path()).source("kernels.rs").out_dir(&folder).run().unwrap();
    let file = place.path().join("kernels.pack");
    let output = pack(&folder, &file);
    let Ok(context) = Context::open() else {
        eprintln!("not run: no device");
        assert_eq!(output.status.code(), Some(2));
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("2 programs"));

    let kernels = KernelFolder::open(&folder).unwrap();
    context.programs().add_pack(Pack::open(&file).unwrap());
    for kernel in ["invert", "greater"] {
        context.programs().get(&kernels.source(kernel).unwrap()).unwrap();
    }
    let report = context.programs().report();
    assert_eq!((report.from_packs, report.builds, report.rejected.len()), (2, 0, 0), "{report:?}");

    fs::write(folder.join("invert.cl"), "__kernel void other(void) {}").unwrap();
    let refused = pack(&folder, &file);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("invert.cl"));
}
