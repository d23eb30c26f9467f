//! Operators of one's own, with a build script: beside what `#[kernel]` makes of them, each becomes an OpenCL C file
//! that a program in any language can load, and `manifest.json` says how to call it.

pub mod chains;
pub mod ops;
pub mod pipelines;

include!(concat!(env!("OUT_DIR"), "/all.rs"));

/// What the build script says of the kernels.
pub const MANIFEST: &str = include_str!(concat!(env!("OUT_DIR"), "/manifest.json"));

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, path::Path};

    #[test]
    fn every_kernel_is_listed() {
        let names: Vec<_> = ALL.iter().map(|code| code.spec().name).collect();
        assert_eq!(
            names,
            ["blend", "unsharp", "invert", "mix", "lighten_u8", "lighten_i16", "lighten_f32", "brighten"]
        );
    }

    #[test]
    fn the_doors_write_the_same_text() {
        for code in ALL {
            let file = Path::new(env!("OUT_DIR")).join(format!("{}.cl", code.spec().name));
            assert_eq!(fs::read_to_string(file).unwrap(), code.opencl().source, "{}", code.spec().name);
            for entry in code.opencl().entries {
                assert!(MANIFEST.contains(&format!("\"name\": \"{}\"", entry.name)), "{}", entry.name);
            }
        }
    }
}
