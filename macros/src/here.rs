//! Which targets the machine has that compiles a test. Rust's test harness can't ignore a test while it runs; so the machine
//! that builds a test decides for the one that runs it, which most often is the same.

use std::path::Path;

/// The attributes of a test on a target.
pub fn attributes(target: &str) -> String {
    let on = |architecture: &str, set: &str| {
        let mut text = format!(
            "#[test] #[cfg_attr(not(target_arch = {architecture:?}), ignore = \"{set} is not an instruction set of this processor\")]"
        );
        if is_missing(target) {
            let reason = format!("the machine that built this test does not have {set}");
            text += &format!("#[cfg_attr(target_arch = {architecture:?}, ignore = {reason:?})]");
        }
        text
    };
    match target {
        "neon" => on("aarch64", "NEON"),
        "dotprod" => on("aarch64", "dot products of bytes"),
        "sse41" => on("x86_64", "SSE4.1"),
        "avx2" => on("x86_64", "AVX2"),
        "avx512" if !cfg!(feature = "avx512") => {
            "#[test] #[ignore = \"the feature `avx512` of windrow is off\"]".into()
        }
        "avx512" => on("x86_64", "AVX-512"),
        "opencl" if !cfg!(feature = "opencl") => {
            "#[test] #[ignore = \"the feature `opencl` of windrow is off\"]".into()
        }
        "opencl" if is_missing(target) => {
            "#[test] #[ignore = \"no OpenCL driver was installed where this test was built\"]".into()
        }
        _ => "#[test]".into(),
    }
}

/// The targets that this machine lacks.
pub fn missing() -> impl Iterator<Item = &'static str> {
    ["dotprod", "sse41", "avx2", "avx512", "opencl"].into_iter().filter(|target| is_missing(target))
}

/// Whether this machine is known to lack a target of its own architecture.
fn is_missing(target: &str) -> bool {
    match target {
        #[cfg(target_arch = "x86_64")]
        "sse41" => !std::arch::is_x86_feature_detected!("sse4.1"),
        // Bodies of the tier AVX2 multiply and add at once, and convert halves.
        #[cfg(target_arch = "x86_64")]
        "avx2" => {
            !(std::arch::is_x86_feature_detected!("avx2")
                && std::arch::is_x86_feature_detected!("fma")
                && std::arch::is_x86_feature_detected!("f16c"))
        }
        "dotprod" => !has_dot_products(),
        // What bodies of the tier AVX-512 are compiled with.
        "avx512" => !cfg!(feature = "avx512") || !has_avx512(),
        "opencl" => !(cfg!(feature = "opencl") && has_driver()),
        _ => false,
    }
}

/// Whether this machine runs bodies of AArch64's dot products; one of another architecture doesn't know of the one that runs a test.
fn has_dot_products() -> bool {
    #[cfg(target_arch = "aarch64")]
    let has_them = std::arch::is_aarch64_feature_detected!("dotprod");
    #[cfg(not(target_arch = "aarch64"))]
    let has_them = false;
    has_them
}

/// Whether this machine runs bodies of the tier AVX-512.
fn has_avx512() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("fma")
            && std::arch::is_x86_feature_detected!("f16c")
            && std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512bw")
            && std::arch::is_x86_feature_detected!("avx512vl")
            && std::arch::is_x86_feature_detected!("avx512dq")
            && std::arch::is_x86_feature_detected!("avx512vnni")
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Whether an OpenCL driver is registered, as Khronos' loader finds them, or a library is named; other systems than Linux
/// bring one, or have a registry of their own.
fn has_driver() -> bool {
    let named = ["OPENCL_DYLIB_PATH", "OCL_ICD_FILENAMES"].iter().any(|name| std::env::var_os(name).is_some());
    let folder = std::env::var_os("OCL_ICD_VENDORS").unwrap_or_else(|| "/etc/OpenCL/vendors".into());
    let is_icd = |path: &Path| path.extension().is_some_and(|extension| extension == "icd");
    let registered =
        std::fs::read_dir(&folder).is_ok_and(|entries| entries.flatten().any(|entry| is_icd(&entry.path())));
    !cfg!(target_os = "linux") || named || registered || is_icd(Path::new(&folder))
}
