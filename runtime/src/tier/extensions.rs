//! Instructions that some processors of a tier have beyond what the tier asks for: a row each, with how it is detected.

use super::Tier;

/// A set of instructions beside a tier.
pub(super) struct Extension {
    /// The tier that it adds to.
    pub tier: Tier,
    /// Its name, as the processor's makers write it.
    pub name: &'static str,
    /// Whether this processor has it.
    pub is_available: fn() -> bool,
}

/// The standard library's detection where there is one, or else what the program is compiled for.
macro_rules! detected {
    ($architecture:literal, $macro:ident, $feature:tt) => {
        || {
            #[cfg(all(target_arch = $architecture, feature = "std"))]
            let is_here = std::arch::$macro!($feature);
            #[cfg(not(all(target_arch = $architecture, feature = "std")))]
            let is_here = cfg!(all(target_arch = $architecture, target_feature = $feature));
            is_here
        }
    };
}

const fn row(tier: Tier, name: &'static str, is_available: fn() -> bool) -> Extension {
    Extension { tier, name, is_available }
}

/// Every one: products of matrices of bytes, dot products of bytes, permutations of bytes, and arithmetic on halves.
pub(super) const ALL: &[Extension] = &[
    row(Tier::Neon, "fp16", detected!("aarch64", is_aarch64_feature_detected, "fp16")),
    row(Tier::Neon, "i8mm", detected!("aarch64", is_aarch64_feature_detected, "i8mm")),
    row(Tier::Avx2, "AVX-VNNI", detected!("x86_64", is_x86_feature_detected, "avxvnni")),
    row(Tier::Avx512, "VBMI", detected!("x86_64", is_x86_feature_detected, "avx512vbmi")),
];
