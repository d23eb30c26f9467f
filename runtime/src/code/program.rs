//! A kernel's OpenCL C: the text, and the convention by which a host calls it.

/// The OpenCL C text of a kernel, and how to call it.
#[derive(Debug)]
pub struct OpenClProgram {
    /// The whole program, without `#line`.
    pub source: &'static str,
    /// The author's file.
    pub file: &'static str,
    /// The author's lines, as pairs `program:author` parted by spaces: from that line of the program on, until the next
    /// pair, the author's line is this one; 0 where there is none.
    pub lines: &'static str,
    /// The entry points.
    pub entries: &'static [OpenClEntry],
    /// The same kernel over images.
    pub images: OpenClImages,
}

impl OpenClProgram {
    /// That of a build without OpenCL: no text, and no entry point.
    pub const NONE: Self = Self {
        source: "",
        file: "",
        lines: "",
        entries: &[],
        images: OpenClImages::None("the feature `opencl` of windrow is off"),
    };
}

/// The image form of a program: the same bodies, whose inputs are images that are read through samplers.
///
/// The arguments of an entry, in order:
/// 1. for each input `a`: `image2d_t a`, of the plane's size, `CL_R` of the elements' integer type (of the floats' bits,
///    `CL_UNSIGNED_INT32`); `sampler_t a_sampler`, which takes coordinates in elements and the nearest one, and finds the
///    border: `CL_ADDRESS_CLAMP` a constant one, `CL_ADDRESS_CLAMP_TO_EDGE` others; `uint a_border`, the bits of the
///    constant, 0 for other borders. Where one is not 0, the program is built with `-DWINDROW_CONSTANT`;
/// 2. for each output `o`: `__global uchar *o`, `long o_offset`, `int o_stride`, as in [`OpenClEntry`];
/// 3. tables and words as there;
/// 4. `int x0, int y0, int x1, int y1`.
///
/// Blocks and work-items are those of [`OpenClEntry`], of one plane. A block that reaches over the window reads past it,
/// where samplers find something, and stores nothing there.
#[derive(Debug)]
pub enum OpenClImages {
    /// What was emitted.
    Emitted {
        /// The whole program, without `#line`.
        source: &'static str,
        /// As [`OpenClProgram::lines`].
        lines: &'static str,
        /// The entry points, one an index.
        entries: &'static [OpenClEntry],
    },
    /// There is no such form, and why.
    None(&'static str),
}

/// One `__kernel` function.
///
/// Its arguments, in order:
/// 1. for each input `a` in argument order: `__global const uchar *a`, `long a_offset` (bytes to the element at the
///    origin), `int a_stride` (bytes from row to row), `long a_plane` (bytes from plane to plane), `int a_width`,
///    `int a_height` (elements); and, where it has a neighbourhood (some offset is not 0), `uint a_border` (the bits of
///    the constant, one word, zero- or sign-extended as in [`Rows::words`](super::Rows::words)). An image that is read
///    anywhere has rows and columns of its own; each of its elements may be read, whatever the window is, and a plane of it
///    spans less than 2³¹ bytes: addresses are counted in `int`. Where one plane serves all of the output's, `a_plane` is 0;
/// 2. for each output `o`: `__global uchar *o`, `long o_offset`, `int o_stride`, `long o_plane` (an output left out
///    is given another buffer and its subset's entry, which doesn't touch it);
/// 3. for each table: `__global const T *t`;
/// 4. where the kernel has uniforms or derived words: `__constant uint *words`;
/// 5. `int x0, int y0, int x1, int y1`: the window in output elements, half-open; where some input has a
///    neighbourhood, `int border`: 0 undefined, 1 constant, 2 replicate, 3 reflect, 4 reflect101, 5 wrap (an undefined
///    border's window holds only elements whose neighbourhood lies inside); where several have one, four bits for each,
///    the first lowest.
///
/// The plane is cut into blocks from its element (0, 0) on, so that they are aligned whatever the window. The work-items
/// (i, j, k) with i from 0 to `⌈x1 / block.0⌉ − ⌊x0 / block.0⌋`, and j likewise, compute the window's blocks of plane k,
/// one each, and guard their own edges: any larger global size is legal. Where `group` is given, so is the local size, and the
/// global one is a multiple of it: the work-items of a group help each other. A block that is [`OpenClEntry::WHOLE_ROW`] wide is
/// the window's part of a row, which the work-items of a row of a group compute together.
#[derive(Debug)]
pub struct OpenClEntry {
    /// The function's name.
    pub name: &'static str,
    /// As [`Body::index`](super::Body::index).
    pub index: u32,
    /// Elements that a work-item computes, (x, y).
    pub block: (u32, u32),
    /// The work-items of a work-group, (x, y, z), where it is written for groups of one size; none where any size is legal.
    pub group: Option<(u32, u32, u32)>,
    /// How it computes.
    pub form: OpenClForm,
}

impl OpenClEntry {
    /// The columns of a block that is as wide as the window.
    pub const WHOLE_ROW: u32 = u32::MAX;

    /// Returns whether its work-groups compute whole rows.
    pub fn computes_rows(&self) -> bool {
        self.block.0 == Self::WHOLE_ROW
    }
}

/// How an entry computes. It changes the speed on a device, never a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OpenClForm {
    /// Each value in a lane of its own type.
    Vectors,
    /// Two 16-bit values in a 32-bit word, for devices without vectors of narrow lanes.
    Pairs,
    /// The same, with minima or maxima of pairs, which pay where the device has instructions for them.
    ComparedPairs,
}
