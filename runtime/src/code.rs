//! The seam between generated code and the runtime: what the macro emits for a kernel, as data.
//!
//! A [`Body`] computes whole vectors over rows that lie in memory; it knows nothing of images, borders, windows or
//! threads. `execute` gives it row pointers: straight into the images inside, and into a small staged tile at
//! edges and tails. One body serves both, so an edge can't differ from the inside.

mod program;
mod rows;

use core::{fmt, marker::PhantomData};

pub use program::{OpenClEntry, OpenClForm, OpenClImages, OpenClProgram};
pub use rows::{ByteCounts, Quads, RowMemory, Rows, WholeView, running_sums};

/// What bodies are called with, as text: for tools that compile bodies without the runtime.
#[doc(hidden)]
pub const ROWS_SOURCE: &str = include_str!("code/rows.rs");

use crate::{
    arguments::{Inputs, IntoArguments, Outputs},
    limits::{MAX_COLUMNS, MAX_OUTPUT_ROWS},
    point::Point,
    spec::{KernelSpec, NeighbourhoodSpec},
    tier::Tier,
};

/// Everything that the macro emits for one kernel.
///
/// Safe code can't make one: it could describe a body that reads more than the specification says.
///
/// ```compile_fail,E0133
/// use windrow::{KernelCode, KernelSpec, code::OpenClProgram};
///
/// fn described_wrongly(spec: &'static KernelSpec, other: &'static KernelCode) -> KernelCode {
///     KernelCode::new(spec, other.bodies(), other.derive(), other.reference(), &OpenClProgram::NONE)
/// }
/// ```
///
/// ```compile_fail,E0451
/// use windrow::{KernelCode, KernelSpec};
///
/// fn described_wrongly(spec: &'static KernelSpec, other: &'static KernelCode) -> KernelCode {
///     KernelCode { spec, ..*other }
/// }
/// ```
#[derive(Debug)]
pub struct KernelCode {
    pub(crate) spec: &'static KernelSpec,
    pub(crate) bodies: &'static [Body],
    pub(crate) derive: fn(&mut [u32]),
    pub(crate) reference: fn(&mut Point<'_>),
    pub(crate) opencl: &'static OpenClProgram,
}

impl KernelCode {
    /// Describes a kernel. `bodies` holds those of every tier of this architecture, best tier first, `Tier::Scalar` last;
    /// within a tier in the order of [`Body::index`].
    ///
    /// # Safety
    /// - Each body computes the kernel of `spec`: given [`Rows`] of images, tables and words of the types, counts and lengths
    ///   that `spec` has, it touches nothing but what [`Rows`] lends it for its [`Body::reads`], which hold the
    ///   neighbourhoods of `spec`. An output that the subset of its index leaves out it doesn't touch.
    /// - Each entry point of `opencl` keeps the convention of [`OpenClEntry`] (of [`OpenClImages`] for those over images) for
    ///   `spec`, and touches nothing but its arguments' elements.
    pub const unsafe fn new(
        spec: &'static KernelSpec,
        bodies: &'static [Body],
        derive: fn(&mut [u32]),
        reference: fn(&mut Point<'_>),
        opencl: &'static OpenClProgram,
    ) -> KernelCode {
        KernelCode { spec, bodies, derive, reference, opencl }
    }

    /// Returns the kernel's signature and limits.
    pub const fn spec(&self) -> &'static KernelSpec {
        self.spec
    }

    /// Returns the bodies of every tier of this architecture, best tier first.
    pub const fn bodies(&self) -> &'static [Body] {
        self.bodies
    }

    /// Returns the function that fills the derived words from the uniform words (both in one slice, uniforms first).
    pub const fn derive(&self) -> fn(&mut [u32]) {
        self.derive
    }

    /// Returns the function that evaluates the author's own at one element, under the variants chosen by `choice`.
    pub const fn reference(&self) -> fn(&mut Point<'_>) {
        self.reference
    }

    /// Returns the OpenCL C program.
    pub const fn opencl(&self) -> &'static OpenClProgram {
        self.opencl
    }
}

/// One straight-line program for one tier: a kernel with its variants and its outputs chosen.
///
/// ```compile_fail,E0451
/// use windrow::{Tier, code::{Body, Rows, Strips}};
///
/// fn described_wrongly(run: unsafe fn(&Rows<'_>)) -> Body {
///     Body { tier: Tier::Scalar, index: 0, lanes: 4096, rows: 1, reads: &[], has_head: false, carries_rows: false, strips: Strips::NONE, run }
/// }
/// ```
#[derive(Debug)]
pub struct Body {
    pub(crate) tier: Tier,
    pub(crate) index: u32,
    pub(crate) lanes: u32,
    pub(crate) rows: u32,
    pub(crate) reads: &'static [NeighbourhoodSpec],
    pub(crate) has_head: bool,
    pub(crate) carries_rows: bool,
    pub(crate) strips: Strips,
    pub(crate) run: unsafe fn(&Rows<'_>),
}

impl Body {
    /// Describes a body of `tier`, whose calls compute blocks of `lanes` columns and rows.
    ///
    /// `index` says which choice of variants it computes (the last variant fastest), times the output subsets (all outputs
    /// first). `reads` says what one step reads of each input, at least its neighbourhood (a de-interleaving load may read on).
    /// `has_head` says whether its second step begins at [`Rows::head`].
    ///
    /// # Safety
    /// On a processor with the features of `tier`, `run` may be called with any [`Rows`] that keep their contract for this
    /// index, block and `reads`.
    pub const unsafe fn new(
        tier: Tier,
        index: u32,
        (lanes, rows): (u32, u32),
        reads: &'static [NeighbourhoodSpec],
        has_head: bool,
        run: unsafe fn(&Rows<'_>),
    ) -> Body {
        Body { tier, index, lanes, rows, reads, has_head, carries_rows: false, strips: Strips::NONE, run }
    }

    /// The same body, which carries something from row to row: a call computes all of its [`Rows::groups`].
    ///
    /// # Safety
    /// `run` does.
    #[must_use]
    pub const unsafe fn carrying_rows(self) -> Body {
        Body { carries_rows: true, ..self }
    }

    /// The same body, whose steps read strips of `columns` columns of some images: a bit for each image read, `#[inout]` ones
    /// counted, the first one's the lowest.
    ///
    /// # Safety
    /// For the element in a column, the body reads of these images, which are read anywhere, only what lies in the same column,
    /// or in the last one where there are fewer.
    #[must_use]
    pub const unsafe fn in_strips(self, columns: u32, images: u32) -> Body {
        Body { strips: Strips { columns, images, ..Strips::NONE }, ..self }
    }

    /// The same body, which reads [`Quads`] of some of the images that it reads in strips, where they are there: a bit for each image, as
    /// there. They are those of vectors of `columns` bytes.
    ///
    /// # Safety
    /// The images are bytes of one channel.
    #[must_use]
    pub const unsafe fn with_quads(self, columns: u32, images: u32) -> Body {
        Body { strips: Strips { quad_columns: columns, quads: images, ..self.strips }, ..self }
    }

    /// Returns the instruction set that the body needs.
    pub const fn tier(&self) -> Tier {
        self.tier
    }

    /// Returns which choice of variants the body computes (the last variant fastest), times the output subsets (all
    /// outputs first).
    pub const fn index(&self) -> u32 {
        self.index
    }

    /// Returns the number of elements of the output that one step along the row computes.
    pub const fn lanes(&self) -> u32 {
        self.lanes
    }

    /// Returns the number of rows of the output that one call computes.
    pub const fn rows(&self) -> u32 {
        self.rows
    }

    /// Returns what one step reads of each input, at least its neighbourhood, relative to the input element
    /// `stride · x`, in elements: columns `left ..= right` of row `top`, and so on to row `bottom`, for one output row.
    /// Of an input that is read anywhere it says nothing: [`NeighbourhoodSpec::default`].
    /// For `lanes` output columns from `x` the columns read are `stride·x + left ..= stride·(x + lanes − 1) + right`.
    pub const fn reads(&self) -> &'static [NeighbourhoodSpec] {
        self.reads
    }

    /// Returns whether the body's second step begins at [`Rows::head`].
    pub const fn has_head(&self) -> bool {
        self.has_head
    }

    /// Returns whether the body carries something from row to row, so that a window is better not cut between them.
    pub const fn carries_rows(&self) -> bool {
        self.carries_rows
    }

    /// Returns the images of which the body reads, for the element in a column, only what lies in the same column.
    pub const fn strips(&self) -> Strips {
        self.strips
    }

    /// Returns the program.
    ///
    /// # Safety
    /// To call it: `Rows` keeps its contract, and the processor has the features of [`Body::tier`].
    pub const fn run(&self) -> unsafe fn(&Rows<'_>) {
        self.run
    }
}

/// The images that a body reads strip by strip: its steps one below the other read the same columns of them, and no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strips {
    /// The columns that a step computes.
    pub columns: u32,
    /// A bit for each image read, `#[inout]` ones counted, the first one's the lowest.
    pub images: u32,
    /// The bytes of a vector whose [`Quads`] the body reads; 0 where it reads none.
    pub quad_columns: u32,
    /// The images of which it reads them, as in `images`.
    pub quads: u32,
}

impl Strips {
    /// There are none.
    pub const NONE: Strips = Strips { columns: 0, images: 0, quad_columns: 0, quads: 0 };
}

/// A body of kernel `K` that an author writes by hand for one target: `#[kernel(neon = path)]` names a constant of this type.
///
/// It takes the place of the generated one. Everything else stays: what is validated, how it is scheduled, and the
/// property tests that compare it with the author's own function.
///
/// ```
/// use windrow::{HandWritten, code::Rows};
///
/// # enum invert {}
/// /// Inverts bytes.
/// // SAFETY: `invert_bytes` reads the element itself and nothing more, of an image of bytes, and writes `width` bytes of a row.
/// const INVERT: HandWritten<invert> = unsafe { HandWritten::new(1, 1, invert_bytes) };
///
/// /// # Safety
/// /// `rows` keeps its contract.
/// unsafe fn invert_bytes(rows: &Rows<'_>) {
///     for x in 0..rows.width {
///         // SAFETY: `width` elements of each row.
///         unsafe { rows.outputs[0].add(x).write(!rows.inputs[0].add(x).read()) };
///     }
/// }
/// # let _ = INVERT;
/// ```
///
/// A kernel with variants or outputs that may be left out has several bodies, and `path` names an array of as many, each with
/// a block of its own. They are in the order of [`Body::index`]: the choices of the variants, the last variant fastest;
/// for each choice all outputs, then the subsets of them that may be given, by decreasing bit mask. For
/// `output(dx?, dy?)` these are both, `dy` alone, `dx` alone. [`HandWritten::for_index`] makes the body of one place. A
/// pointer of an output left out is null, so that one body of [`HandWritten::new`] may also serve all subsets: `[BODY; 3]`.
///
/// With `types`, the kernel of a copy is `kernel<u8>`, and the parameter's name stands for the type of the copy:
/// `#[kernel(types(T = u8, i16), neon = T::NEON)]` takes each copy's constant from a trait of the author's.
///
/// A block is refused while the kernel is compiled if it is empty or beyond what any kernel can have. One whose edges don't fit
/// the memory of this kernel's tiles doesn't run; then the generated test of its target fails.
///
/// Safe code can't make one, nor give one to another kernel than the author's:
///
/// ```compile_fail,E0451
/// use windrow::{HandWritten, code::Rows};
///
/// enum mine {}
///
/// fn described_wrongly(run: unsafe fn(&Rows<'_>)) -> HandWritten<mine> {
///     HandWritten { lanes: 4096, rows: 1, index: None, run, kernel: std::marker::PhantomData }
/// }
/// ```
///
/// ```compile_fail,E0308
/// use windrow::HandWritten;
///
/// enum mine {}
/// enum other {}
///
/// fn given_away(body: HandWritten<other>) -> HandWritten<mine> {
///     body
/// }
/// ```
pub struct HandWritten<K> {
    lanes: u32,
    rows: u32,
    index: Option<u32>,
    run: unsafe fn(&Rows<'_>),
    kernel: PhantomData<fn() -> K>,
}

impl<K> Clone for HandWritten<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for HandWritten<K> {}

impl<K> fmt::Debug for HandWritten<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let HandWritten { lanes, rows, index, run: _, kernel: _ } = self;
        let mut text = f.debug_struct("HandWritten");
        text.field("lanes", lanes).field("rows", rows).field("index", index).finish_non_exhaustive()
    }
}

impl<K> HandWritten<K> {
    /// Returns a body that computes every choice of variants and every subset of outputs of `K`, or the only one:
    /// blocks of `lanes` columns and `rows` rows.
    ///
    /// # Safety
    /// On a processor with the features of each target that it is named for, `run` may be called with any [`Rows`] that keep
    /// their contract for `K` and this block. It reads the kernel's neighbourhoods, elements of [`Rows::views`], and nothing
    /// more: a step of `lanes` columns from `x` reads the columns `stride·x + left ..= stride·(x + lanes − 1) + right` of each
    /// row. It touches no output whose pointers are null.
    pub const unsafe fn new(lanes: u32, rows: u32, run: unsafe fn(&Rows<'_>)) -> HandWritten<K> {
        HandWritten { lanes, rows, index: None, run, kernel: PhantomData }
    }

    /// Returns a body that computes one choice and subset: the one at place `index` of the array.
    ///
    /// # Safety
    /// As for [`HandWritten::new`], where the choice and the subset are those of `index`.
    pub const unsafe fn for_index(index: u32, lanes: u32, rows: u32, run: unsafe fn(&Rows<'_>)) -> HandWritten<K> {
        HandWritten { lanes, rows, index: Some(index), run, kernel: PhantomData }
    }

    /// Returns how many elements of the output that one step along the row computes, and rows that one call computes.
    pub const fn block(&self) -> (u32, u32) {
        (self.lanes, self.rows)
    }

    /// Returns the program.
    pub const fn run(&self) -> unsafe fn(&Rows<'_>) {
        self.run
    }
}

/// Returns the bodies that an author wrote by hand for one target, each at its place and with a block that the runtime
/// can give it. Generated code calls it while it is compiled.
#[doc(hidden)]
pub const fn hand_written<K, const BODIES: usize>(bodies: [HandWritten<K>; BODIES]) -> [HandWritten<K>; BODIES] {
    let mut place = 0;
    while place < BODIES {
        let HandWritten { lanes, rows, index, .. } = bodies[place];
        assert!(lanes >= 1 && lanes as usize <= MAX_COLUMNS, "a body written by hand computes 1 to 16384 lanes");
        assert!(rows >= 1 && rows as usize <= MAX_OUTPUT_ROWS, "a body written by hand computes 1 to 128 rows");
        if let Some(index) = index {
            assert!(index as usize == place, "a body written by hand is not at the place of its index");
        }
        place += 1;
    }
    bodies
}

/// A kernel: the name that the macro puts beside the author's function.
///
/// The macro implements it.
///
/// # Safety
/// [`Kernel::CODE`] describes a kernel that takes [`Kernel::Inputs`] and [`Kernel::Outputs`]. Safe code can't say so:
///
/// ```compile_fail,E0200
/// use windrow::{Kernel, KernelCode};
///
/// struct Mine<K>(K);
///
/// impl<K: Kernel> Kernel for Mine<K> {
///     const CODE: &'static KernelCode = K::CODE;
///     type Inputs<'a> = K::Inputs<'a>;
///     type Outputs<'a> = K::Outputs<'a>;
/// }
/// ```
pub unsafe trait Kernel: 'static {
    /// What was emitted.
    const CODE: &'static KernelCode;
    /// The views that a run reads: one for an input (or a table), a tuple for several, in argument order.
    type Inputs<'a>: Inputs<'a> + IntoArguments<Self::Inputs<'a>>;
    /// The views that a run writes, likewise; `Option` for an output that may be left out.
    type Outputs<'a>: Outputs<'a> + IntoArguments<Self::Outputs<'a>>;
}
