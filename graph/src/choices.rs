//! What a kernel is told by names, in plans and in their files.

use serde::{Deserialize, Serialize};
use windrow_operators as library;

/// Where a quotient goes that lies in the middle of two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Ties {
    Even,
    Away,
}

impl From<Ties> for library::Ties {
    fn from(ties: Ties) -> library::Ties {
        match ties {
            Ties::Even => library::Ties::Even,
            Ties::Away => library::Ties::Away,
        }
    }
}

/// How two elements are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
}

impl From<Comparison> for library::Comparison {
    fn from(comparison: Comparison) -> library::Comparison {
        match comparison {
            Comparison::Equal => library::Comparison::Equal,
            Comparison::NotEqual => library::Comparison::NotEqual,
            Comparison::Greater => library::Comparison::Greater,
            Comparison::GreaterEqual => library::Comparison::GreaterEqual,
            Comparison::Less => library::Comparison::Less,
            Comparison::LessEqual => library::Comparison::LessEqual,
        }
    }
}

/// How floats become integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Rounding {
    TowardZero,
}

impl From<Rounding> for windrow::prelude::Rounding {
    fn from(rounding: Rounding) -> windrow::prelude::Rounding {
        match rounding {
            Rounding::TowardZero => windrow::prelude::Rounding::TowardZero,
        }
    }
}

/// What sums become that integers don't hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Overflow {
    Wrap,
}

impl From<Overflow> for windrow::prelude::Overflow {
    fn from(overflow: Overflow) -> windrow::prelude::Overflow {
        match overflow {
            Overflow::Wrap => windrow::prelude::Overflow::Wrap,
        }
    }
}
