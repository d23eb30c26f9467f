//! The targets that a kernel is tested on, and what happens where one is missing.

use windrow_runtime::tier::Tier;

/// The environment variable that names, with commas, the targets that must not be missing.
pub const REQUIRE_VARIABLE: &str = "WINDROW_REQUIRE";

/// Where a kernel runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The processor, in plain Rust.
    Scalar,
    /// The processor, with AArch64's Advanced SIMD.
    Neon,
    /// The same, with dot products of bytes.
    DotProd,
    /// The processor, with SSE4.1.
    Sse41,
    /// The processor, with AVX2 and FMA.
    Avx2,
    /// The processor, with AVX-512.
    Avx512,
    /// An OpenCL device.
    OpenCl,
}

impl Target {
    /// Every target.
    pub const ALL: [Self; 7] =
        [Self::Scalar, Self::Neon, Self::DotProd, Self::Sse41, Self::Avx2, Self::Avx512, Self::OpenCl];

    /// Returns the tier whose bodies run; none on a device.
    pub const fn tier(self) -> Option<Tier> {
        match self {
            Self::Scalar => Some(Tier::Scalar),
            Self::Neon => Some(Tier::Neon),
            Self::DotProd => Some(Tier::DotProd),
            Self::Sse41 => Some(Tier::Sse41),
            Self::Avx2 => Some(Tier::Avx2),
            Self::Avx512 => Some(Tier::Avx512),
            Self::OpenCl => None,
        }
    }

    /// Returns the name in a case's id and in `WINDROW_REQUIRE`.
    pub const fn name(self) -> &'static str {
        match self.tier() {
            Some(tier) => tier.name(),
            None => "opencl",
        }
    }

    /// The name of its generated tests.
    pub(super) const fn test_name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Neon => "neon",
            Self::DotProd => "dotprod",
            Self::Sse41 => "sse41",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::OpenCl => "opencl",
        }
    }

    /// Whether this architecture has it; a device has any.
    pub(super) const fn is_of_this_architecture(self) -> bool {
        match self {
            Self::Scalar | Self::OpenCl => true,
            Self::Neon | Self::DotProd => cfg!(target_arch = "aarch64"),
            Self::Sse41 | Self::Avx2 | Self::Avx512 => cfg!(target_arch = "x86_64"),
        }
    }

    /// Whether `WINDROW_REQUIRE` names it.
    pub(super) fn is_required(self) -> bool {
        let required = std::env::var(REQUIRE_VARIABLE).unwrap_or_default();
        names(&required).contains(&self.name())
    }

    /// Names in `WINDROW_REQUIRE` that no target has.
    pub(super) fn unknown_requirements() -> Vec<String> {
        let required = std::env::var(REQUIRE_VARIABLE).unwrap_or_default();
        names(&required)
            .into_iter()
            .filter(|name| Self::ALL.iter().all(|target| target.name() != *name))
            .map(String::from)
            .collect()
    }
}

fn names(list: &str) -> Vec<&str> {
    list.split(',').map(str::trim).filter(|name| !name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn required_targets_are_separated_by_commas() {
        assert_eq!(names("opencl, neon,"), ["opencl", "neon"]);
        assert_eq!(names(""), [""; 0]);
        let mut all: Vec<&str> = Target::ALL.iter().map(|target| target.name()).collect();
        all.dedup();
        assert_eq!(all.len(), Target::ALL.len());
    }
}
