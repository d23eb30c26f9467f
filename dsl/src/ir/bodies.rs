//! A straight-line program: values in order, the conditions on their paths, what is to be proved and what is written.

use super::{GuardId, Op, OutputId, Type, ValueId};
use proc_macro2::Span;

/// One value of a body.
#[derive(Clone, Debug)]
pub struct Node {
    /// What computes it.
    pub op: Op,
    /// Its type.
    pub ty: Type,
    /// The path condition under which the author's program evaluates it; `None`: always.
    pub guard: Option<GuardId>,
    /// The author's words for it, where a `let`, a parameter or a call gave some: `sum`, `column(-1)`.
    pub name: Option<String>,
    /// The author's expression.
    pub span: Span,
}

impl Node {
    /// The author's words as one word, for emitted text: `column(-1)` is `column_m1`.
    pub fn label(&self) -> Option<String> {
        let name = self.name.as_ref()?;
        let mut label = String::with_capacity(name.len());
        let mut is_between_words = false;
        for c in name.chars() {
            match c {
                '(' | ')' | '[' | ']' | '.' | ',' | ' ' | '…' => is_between_words = !label.is_empty(),
                _ => {
                    if is_between_words {
                        label.push('_');
                        is_between_words = false;
                    }
                    label.push(if c == '-' { 'm' } else { c });
                }
            }
        }
        Some(label)
    }
}

/// A path condition: `condition` has the value `polarity`, and `parent` holds too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    /// The enclosing condition.
    pub parent: Option<GuardId>,
    /// A Bool value.
    pub condition: ValueId,
    /// Which of its values.
    pub polarity: bool,
}

/// What must be proved beside what an operation itself demands.
#[derive(Clone, Debug)]
pub enum Demand {
    /// `lo <= hi`, for `clamp`; not NaN for floats.
    ClampBounds {
        /// The lower bound.
        lo: ValueId,
        /// The upper bound.
        hi: ValueId,
    },
    /// `index < length`, for an array element chosen at run time.
    Index {
        /// Any integer.
        index: ValueId,
        /// The array's length.
        length: u64,
    },
}

/// A demand, where it stands and when it applies.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// What must hold.
    pub demand: Demand,
    /// The path condition under which it must.
    pub guard: Option<GuardId>,
    /// The author's expression.
    pub span: Span,
}

/// A value written to an output.
#[derive(Clone, Debug)]
pub struct Store {
    /// Which output.
    pub output: OutputId,
    /// Which channel of an interleaved pixel; 0 otherwise.
    pub channel: u32,
    /// The column of the block, in elements (a multiple of the vector's lanes); 0 before a schedule jams.
    pub dx: i32,
    /// The row of the block; 0 before a schedule jams.
    pub dy: i32,
    /// What is written.
    pub value: ValueId,
}

/// One straight-line program: a kernel with its variants chosen.
#[derive(Clone, Debug)]
pub struct Body {
    /// The chosen value of each of [`super::Kernel::variants`], in order.
    pub choice: Vec<u32>,
    /// The values, in evaluation order.
    pub nodes: Vec<Node>,
    /// The path conditions that the nodes name.
    pub guards: Vec<Guard>,
    /// What is to be proved beside the operations' own demands.
    pub obligations: Vec<Obligation>,
    /// What is written.
    pub stores: Vec<Store>,
}

impl Body {
    /// The node of `id`.
    pub fn node(&self, id: ValueId) -> &Node {
        &self.nodes[id.0 as usize]
    }
}
