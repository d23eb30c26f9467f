//! The targets that a kernel is tested on, and what happens where one is missing.

use crate::tier::Tier;
use std::{string::String, vec::Vec};

/// The environment variable that names, with commas, the targets that must not be missing.
pub const REQUIRE_VARIABLE: &str = "WINDROW_REQUIRE";

/// Where a kernel runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The processor, with the bodies of one tier.
    Cpu(Tier),
    /// An OpenCL device.
    OpenCl,
}

impl Target {
    /// Every target.
    pub const ALL: [Self; 5] =
        [Self::Cpu(Tier::Scalar), Self::Cpu(Tier::Neon), Self::Cpu(Tier::Sse41), Self::Cpu(Tier::Avx2), Self::OpenCl];

    /// The name in a case's id and in `WINDROW_REQUIRE`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cpu(tier) => tier.name(),
            Self::OpenCl => "opencl",
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
