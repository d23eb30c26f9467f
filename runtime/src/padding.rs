//! Padding: elements around each plane that belong to a tensor's memory and not to the tensor.
//!
//! It is readable, never meaningful and never written, and no result depends on it: no run needs any. For hosts that think in
//! padding there are three ways to have it:
//!
//! | Way | How |
//! |---|---|
//! | exact | configure, ask for [`Configured::wanted_input_padding`](crate::Configured::wanted_input_padding), allocate with [`Tensor::with_info`](crate::Tensor::with_info) |
//! | automatic | [`Padding::automatic`] around every tensor |
//! | manual | what is there is used, and the window shrinks to it: [`Configured::with_manual_padding`](crate::Configured::with_manual_padding) |

mod access;

/// Elements around each plane that belong to the allocation and not to the tensor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Padding {
    /// Elements before each row.
    pub left: usize,
    /// Elements behind each row.
    pub right: usize,
    /// Rows above each plane.
    pub top: usize,
    /// Rows below each plane.
    pub bottom: usize,
}

impl Padding {
    /// Returns a padding with as much on every side.
    pub const fn uniform(elements: usize) -> Padding {
        Padding { left: elements, right: elements, top: elements, bottom: elements }
    }

    /// Returns what a tensor is given where nobody works it out: 4 all round, and 32 more behind each row.
    pub const fn automatic() -> Padding {
        Padding { right: 4 + 32, ..Padding::uniform(4) }
    }

    /// Returns whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.left == 0 && self.right == 0 && self.top == 0 && self.bottom == 0
    }

    /// Returns the greater on each side.
    #[must_use]
    pub fn union(&self, other: &Padding) -> Padding {
        Padding {
            left: self.left.max(other.left),
            right: self.right.max(other.right),
            top: self.top.max(other.top),
            bottom: self.bottom.max(other.bottom),
        }
    }
}
