//! OpenCL C written by hand, by the convention of [`windrow_runtime::code::OpenClEntry`]; the faults are macros of the source.

use super::kernels::{MIRRORED, READS_ON, ROUNDED, SCHEDULE, UNGUARDED};

/// The Gaussian with one fault.
pub(super) const fn gaussian(fault: u8) -> &'static str {
    match fault {
        ROUNDED => concat!("#define HALF 8\n", include_str!("gaussian.cl")),
        MIRRORED => concat!("#define EDGE 0\n", include_str!("gaussian.cl")),
        SCHEDULE => concat!("#define ONE 0\n", include_str!("gaussian.cl")),
        UNGUARDED => concat!("#define UNGUARDED\n", include_str!("gaussian.cl")),
        READS_ON => concat!("#define READS_ON\n", include_str!("gaussian.cl")),
        _ => include_str!("gaussian.cl"),
    }
}
