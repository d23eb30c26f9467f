//! The instruction sets that bodies are written for, and which of them this processor runs.
//!
//! The choice is made at run time, when a kernel is configured. The environment variable `WINDROW_TIER` forces one
//! tier, for tests; it is read once.

mod extensions;

/// An instruction set, with everything below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tier {
    /// Plain Rust, everywhere.
    Scalar,
    /// AArch64's Advanced SIMD, part of its baseline.
    Neon,
    /// The same with FEAT_DotProd: dot products of bytes.
    DotProd,
    /// x86-64 with SSE4.1.
    Sse41,
    /// x86-64 with AVX2 and FMA.
    Avx2,
    /// x86-64 with AVX-512's F, BW, VL, DQ and VNNI, beside AVX2 and FMA.
    Avx512,
}

impl Tier {
    /// Every tier.
    pub const ALL: [Tier; 6] = [Tier::Scalar, Tier::Neon, Tier::DotProd, Tier::Sse41, Tier::Avx2, Tier::Avx512];

    /// Returns the name, as in `WINDROW_TIER`.
    pub const fn name(self) -> &'static str {
        match self {
            Tier::Scalar => "scalar",
            Tier::Neon => "neon",
            Tier::DotProd => "dotprod",
            Tier::Sse41 => "sse4.1",
            Tier::Avx2 => "avx2",
            Tier::Avx512 => "avx512",
        }
    }

    /// Returns whether this processor runs it.
    pub fn is_available(self) -> bool {
        match self {
            Tier::Scalar => true,
            Tier::Neon => cfg!(all(target_arch = "aarch64", target_feature = "neon")),
            Tier::DotProd => Tier::Neon.is_available() && dot_products(),
            Tier::Sse41 => x86::sse41(),
            Tier::Avx2 => x86::avx2(),
            Tier::Avx512 => x86::avx512(),
        }
    }

    /// The instructions beyond this tier that this processor has, by their makers' names: `i8mm`, `AVX-VNNI`.
    ///
    /// No kernel needs one: bodies are written for tiers.
    pub fn extensions(self) -> impl Iterator<Item = &'static str> {
        let own = extensions::ALL.iter().filter(move |extension| extension.tier == self && self.is_available());
        own.filter(|extension| (extension.is_available)()).map(|extension| extension.name)
    }

    /// Returns what `WINDROW_TIER` forces, if it is set.
    pub fn forced() -> Result<Option<Tier>, InvalidTier> {
        #[cfg(feature = "std")]
        {
            static FORCED: std::sync::OnceLock<Result<Option<Tier>, InvalidTier>> = std::sync::OnceLock::new();
            *FORCED.get_or_init(|| match std::env::var("WINDROW_TIER") {
                Err(std::env::VarError::NotPresent) => Ok(None),
                Err(std::env::VarError::NotUnicode(_)) => Err(InvalidTier::Unknown),
                Ok(name) => name.parse().map(Some),
            })
        }
        #[cfg(not(feature = "std"))]
        Ok(None)
    }
}

impl core::fmt::Display for Tier {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

impl core::str::FromStr for Tier {
    type Err = InvalidTier;

    fn from_str(name: &str) -> Result<Tier, InvalidTier> {
        Tier::ALL.into_iter().find(|tier| tier.name() == name).ok_or(InvalidTier::Unknown)
    }
}

/// Why a tier can't be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidTier {
    /// No tier has this name.
    #[error("no such tier; WINDROW_TIER takes scalar, neon, dotprod, sse4.1, avx2 or avx512")]
    Unknown,
    /// The processor lacks it.
    #[error("this processor does not run the tier {0}")]
    NotOnThisProcessor(Tier),
    /// The kernel has no body for it.
    #[error("the kernel has no body for the tier {0}")]
    NotEmitted(Tier),
}

/// Whether this processor multiplies and adds four bytes at a time.
fn dot_products() -> bool {
    #[cfg(all(target_arch = "aarch64", feature = "std"))]
    let has_them = std::arch::is_aarch64_feature_detected!("dotprod");
    #[cfg(not(all(target_arch = "aarch64", feature = "std")))]
    let has_them = cfg!(all(target_arch = "aarch64", target_feature = "dotprod"));
    has_them
}

#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod x86 {
    // The standard library asks the processor once and remembers.
    pub fn sse41() -> bool {
        std::is_x86_feature_detected!("sse4.1")
    }

    pub fn avx2() -> bool {
        std::is_x86_feature_detected!("avx2")
            && std::is_x86_feature_detected!("fma")
            && std::is_x86_feature_detected!("f16c")
    }

    pub fn avx512() -> bool {
        avx2()
            && std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512bw")
            && std::is_x86_feature_detected!("avx512vl")
            && std::is_x86_feature_detected!("avx512dq")
            && std::is_x86_feature_detected!("avx512vnni")
    }
}

#[cfg(not(all(target_arch = "x86_64", feature = "std")))]
mod x86 {
    pub fn sse41() -> bool {
        cfg!(all(target_arch = "x86_64", target_feature = "sse4.1"))
    }

    pub fn avx2() -> bool {
        cfg!(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "fma", target_feature = "f16c"))
    }

    pub fn avx512() -> bool {
        avx2()
            && cfg!(all(
                target_feature = "avx512f",
                target_feature = "avx512bw",
                target_feature = "avx512vl",
                target_feature = "avx512dq",
                target_feature = "avx512vnni"
            ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for tier in Tier::ALL {
            assert_eq!(tier.name().parse(), Ok(tier));
        }
        assert_eq!("sse9".parse::<Tier>(), Err(InvalidTier::Unknown));
    }

    #[test]
    fn extensions_come_with_their_tier() {
        assert_eq!(Tier::Scalar.extensions().count(), 0);
        for tier in Tier::ALL {
            assert!(tier.is_available() || tier.extensions().count() == 0, "{tier}");
        }
    }

    #[test]
    fn scalar_runs_everywhere_and_neon_on_aarch64() {
        assert!(Tier::Scalar.is_available());
        assert_eq!(Tier::Neon.is_available(), cfg!(target_arch = "aarch64"));
    }
}
