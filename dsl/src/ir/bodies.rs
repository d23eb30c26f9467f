//! A straight-line program: values in order, the conditions on their paths, what is to be proved and what is written.

use super::{Access, FloatBounds, GuardId, Op, OutputId, Term, Type, ValueId, image_place};
use proc_macro2::Span;
use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::ops::Deref;
use std::rc::Rc;

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
    pub name: Option<Name>,
    /// The author's expression.
    pub span: Span,
}

impl Node {
    /// The author's words as one word, for emitted text: `column(-1)` is `column_m1`.
    pub fn label(&self) -> Option<&Rc<str>> {
        self.name.as_ref().map(Name::label)
    }
}

/// The author's words for a value. Every pass copies values, and copies share them.
#[derive(Clone, Debug)]
pub struct Name(Rc<Words>);

#[derive(Debug)]
struct Words {
    words: Box<str>,
    /// The words as one, once some target has asked for it.
    label: OnceCell<Rc<str>>,
    /// The last name that begins with all of these words: a pass that adds to one value's name adds the same to others'.
    longer: RefCell<Option<Name>>,
}

impl Name {
    /// The words with more behind them.
    pub fn with(&self, more: &str) -> Self {
        let mut longer = self.0.longer.borrow_mut();
        if let Some(known) = longer.as_ref()
            && known.len() == self.len() + more.len()
            && known.ends_with(more)
        {
            return known.clone();
        }
        let mut words = String::with_capacity(self.len() + more.len());
        words.push_str(self);
        words.push_str(more);
        let name = Self::from(words);
        *longer = Some(name.clone());
        name
    }

    fn label(&self) -> &Rc<str> {
        self.0.label.get_or_init(|| one_word(&self.0.words).into())
    }
}

impl<T: Into<Box<str>>> From<T> for Name {
    fn from(words: T) -> Self {
        Self(Rc::new(Words { words: words.into(), label: OnceCell::new(), longer: RefCell::new(None) }))
    }
}

impl Deref for Name {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0.words
    }
}

impl fmt::Display for Name {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self)
    }
}

fn one_word(words: &str) -> String {
    let mut label = String::with_capacity(words.len());
    let mut is_between_words = false;
    // What stands before `place` and is not in the label yet goes from `first` on: most words go whole.
    let (mut first, mut place) = (0, 0);
    let bytes = words.as_bytes();
    while place < bytes.len() {
        let (instead, length) = match bytes[place] {
            b'(' | b')' | b'[' | b']' | b'.' | b',' | b' ' => ("", 1),
            b'-' => ("m", 1),
            // An ellipsis.
            0xe2 if words[place..].starts_with('…') => ("", 3),
            byte if is_between_words && byte != b'_' => ("_", 0),
            _ => {
                is_between_words = false;
                place += 1;
                continue;
            }
        };
        label.push_str(&words[first..place]);
        if is_between_words && instead == "m" {
            label.push('_');
        }
        label.push_str(instead);
        is_between_words = instead.is_empty() && !label.is_empty();
        place += length;
        first = place;
    }
    label.push_str(&words[first..]);
    label
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

/// What must be proved besides what an operation itself demands.
#[derive(Clone, Debug)]
pub enum Demand {
    /// `lo <= hi`, for `clamp`; not NaN for floats.
    ClampBounds {
        /// The lower bound.
        lo: ValueId,
        /// The upper bound.
        hi: ValueId,
    },
    /// `0 <= index < extent`, for a place in a whole input.
    Inside {
        /// An i32.
        index: ValueId,
        /// The extent of the input along this dimension.
        extent: ValueId,
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

/// The range of a float that is an elementary function's value: measured for every argument, where intervals would not show
/// it.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// The value.
    pub value: ValueId,
    /// What it lies between, where it is a number.
    pub bounds: FloatBounds,
}

/// A value written to an output.
#[derive(Clone, Debug)]
pub struct Store {
    /// Where: the element's own place in an output, or that of another element of its block.
    pub to: Access<OutputId>,
    /// What is written.
    pub value: ValueId,
}

impl Store {
    /// A value written to a channel of the element's own place in an output.
    pub fn new(output: OutputId, channel: u32, value: ValueId) -> Self {
        Self { to: Access::new(output, channel, image_place((1, 1))), value }
    }

    /// The same for an element that is `by` further along each of these axes.
    pub fn moved(&self, by: &[Term]) -> Self {
        Self { to: self.to.moved(by), value: self.value }
    }

    /// The row and the column of the block, in elements: 0 before a schedule jams.
    pub fn place(&self) -> [i32; 2] {
        self.to.row_and_column().unwrap_or_default()
    }
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
    /// What is to be proved besides the operations' own demands.
    pub obligations: Vec<Obligation>,
    /// What was measured of values, in their order: more than follows from the operations.
    pub measured: Vec<Measured>,
    /// What is written.
    pub stores: Vec<Store>,
}

impl Body {
    /// A body without path conditions and demands, of which nothing was measured: those belong to the checked body, and an optimised one has
    /// none.
    pub fn plain(choice: Vec<u32>, nodes: Vec<Node>, stores: Vec<Store>) -> Self {
        Self { choice, nodes, guards: Vec::new(), obligations: Vec::new(), measured: Vec::new(), stores }
    }

    /// The node of `id`.
    pub fn node(&self, id: ValueId) -> &Node {
        &self.nodes.as_slice()[id.0 as usize]
    }

    /// How often each value is read, by others and by stores.
    pub fn uses(&self) -> Vec<u32> {
        let mut uses = vec![0; self.nodes.len()];
        self.nodes.iter().for_each(|node| node.op.for_operands(|id| uses[id.0 as usize] += 1));
        self.stores.iter().for_each(|store| uses[store.value.0 as usize] += 1);
        uses
    }

    /// Maps the values in order: each becomes what `change` gives for it and for its operation, whose operands are what
    /// they became. Gives what each value became.
    pub fn rewrite(&self, mut change: impl FnMut(Rewriting<'_>, Op) -> ValueId) -> Vec<ValueId> {
        let mut ids: Vec<ValueId> = Vec::with_capacity(self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate() {
            let op = node.op.map_operands(|id| ids[id.0 as usize]);
            let id = change(Rewriting { id: ValueId(index as u32), node, ids: &ids }, op);
            ids.push(id);
        }
        ids
    }
}

/// A value that [`Body::rewrite`] has come to.
#[derive(Clone, Copy, Debug)]
pub struct Rewriting<'a> {
    /// The value.
    pub id: ValueId,
    /// Its node, with the operands of the body before.
    pub node: &'a Node,
    ids: &'a [ValueId],
}

impl Rewriting<'_> {
    /// What a value before this one became.
    pub fn at(&self, id: ValueId) -> ValueId {
        self.ids[id.0 as usize]
    }

    /// The node with another operation, and without a path condition.
    pub fn with(&self, op: Op) -> Node {
        Node { op, guard: None, ..self.node.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_names_are_shared() {
        let name = Name::from("sum(-1)".to_owned());
        let (first, second, other) = (name.with(" y1"), name.with(" y1"), name.with(" y2"));
        assert!(Rc::ptr_eq(&first.0, &second.0));
        assert_eq!([&*first.label().clone(), &*other.label().clone()], ["sum_m1_y1", "sum_m1_y2"]);
        assert_eq!(&*name.with(" y1"), "sum(-1) y1");
    }

    #[test]
    fn words_are_parted_once() {
        let label = |words: &str| Name::from(words.to_owned()).label().clone();
        assert_eq!([&*label("v[0]"), &*label("v[0][1]"), &*label("t.1")], ["v_0", "v_0_1", "t_1"]);
        assert_eq!(&*Name::from("v[0]".to_owned()).with("_even").label().clone(), "v_0_even");
    }
}
