// Runs each case's scalar and vector bodies on the same rows, and compares what they write.

use std::process::exit;
use windrow::__rt::{Quads, Rows, WholeView};

type Run = unsafe fn(&Rows<'_>);

struct Image {
    width: u32,
    float: bool,
    channels: u32,
    stride: (i64, i64),
    /// The dimensions of an input that is read anywhere.
    whole: Option<usize>,
}

/// The extents of inputs that are read anywhere, innermost first.
const WHOLE: [usize; 6] = [7, 5, 3, 2, 1, 2];
/// Where the plane is that is computed, outside rows, innermost first.
const OUTER: [i32; 4] = [2, 1, 0, 1];

struct Body {
    name: &'static str,
    run: Run,
    lanes: usize,
    columns: usize,
    rows: usize,
    /// Whether a call computes all groups of rows.
    carries_rows: bool,
    /// left, right, top, bottom of each input.
    reads: &'static [[i64; 4]],
}

struct Case {
    name: &'static str,
    pairs: bool,
    inputs: &'static [Image],
    outputs: &'static [Image],
    words: &'static [u32],
    derived: usize,
    derive: fn(&mut [u32]),
    tables: &'static [&'static [u8]],
    scalar: Body,
    fast: &'static [Body],
    /// x, y, output, channel, bits.
    expected: &'static [(usize, usize, usize, usize, u64)],
}

#[cfg(not(miri))]
unsafe extern "C" {
    fn mmap(at: *mut u8, length: usize, protection: i32, flags: i32, file: i32, offset: i64) -> *mut u8;
    fn mprotect(at: *mut u8, length: usize, protection: i32) -> i32;
}

#[cfg(not(miri))]
const PAGE: usize = 65536;

/// Miri sees by itself what is read or written beside an allocation.
#[cfg(miri)]
struct Guarded(std::cell::UnsafeCell<Vec<u8>>);

#[cfg(miri)]
impl Guarded {
    fn new(length: usize) -> Self {
        Self(vec![0; length].into())
    }

    fn start(&self) -> *mut u8 {
        self.bytes().as_mut_ptr()
    }

    fn bytes(&self) -> &mut [u8] {
        unsafe { &mut *self.0.get() }
    }
}

/// Bytes, zeros at first, that end where an unreadable page begins; an unreadable page stands before them too, though not
/// next to them.
#[cfg(not(miri))]
struct Guarded {
    base: *mut u8,
    total: usize,
    length: usize,
}

#[cfg(not(miri))]
thread_local! {
    /// Mappings that nobody uses, and their sizes: a case has hundreds of rows, each in pages of its own.
    static FREE: std::cell::RefCell<Vec<(*mut u8, usize)>> = const { std::cell::RefCell::new(Vec::new()) };
}

#[cfg(not(miri))]
impl Guarded {
    fn new(length: usize) -> Self {
        let inner = length.div_ceil(PAGE).max(1) * PAGE;
        let total = inner + PAGE;
        let free = FREE.with_borrow_mut(|free| {
            let index = free.iter().rposition(|&(_, size)| size == total)?;
            Some(free.swap_remove(index).0)
        });
        if let Some(base) = free {
            let memory = Guarded { base, total, length };
            memory.bytes().fill(0);
            return memory;
        }
        unsafe {
            let base = mmap(std::ptr::null_mut(), total, 3, 0x22, -1, 0);
            assert!(!base.is_null() && mprotect(base.add(inner), PAGE, 0) == 0);
            Guarded { base, total, length }
        }
    }

    fn start(&self) -> *mut u8 {
        unsafe { self.base.add(self.total - PAGE - self.length) }
    }

    fn bytes(&self) -> &mut [u8] {
        unsafe { std::slice::from_raw_parts_mut(self.start(), self.length) }
    }
}

#[cfg(not(miri))]
impl Drop for Guarded {
    fn drop(&mut self) {
        FREE.with_borrow_mut(|free| free.push((self.base, self.total)));
    }
}

/// What a body writes: output, row, bytes.
fn run(case: &Case, body: &Body, width: usize, height: usize) -> Vec<Vec<Vec<u8>>> {
    let mut words = case.words.to_vec();
    words.resize(case.words.len() + case.derived, 0);
    (case.derive)(&mut words);
    let bytes = |image: &Image| (image.width / 8 * image.channels) as usize;
    // The rows of one call follow each other.
    let groups = if body.carries_rows { height / body.rows } else { 1 };
    let (calls, in_call) = (height.div_ceil(groups * body.rows), groups * body.rows);
    let (parts, in_part) = if groups > 1 { (calls, in_call) } else { (height, 1) };
    let outputs: Vec<Vec<Guarded>> = case
        .outputs
        .iter()
        .map(|image| (0..parts).map(|_| Guarded::new(in_part * width * bytes(image))).collect())
        .collect();
    let tables: Vec<*const u8> = case.tables.iter().map(|table| table.as_ptr()).collect();
    let mut next = 0;
    while next < height {
        // The last group of rows moves up over the one before.
        let y = next.min(height - in_call);
        let mut kept = Vec::new();
        let (mut inputs, mut down): (Vec<*const u8>, Vec<isize>) = (Vec::new(), Vec::new());
        let mut views: Vec<WholeView> = Vec::new();
        for (k, (image, reads)) in case.inputs.iter().zip(body.reads).enumerate() {
            if let Some(dimensions) = image.whole {
                let memory = whole(case, image, k as u64, &WHOLE[..dimensions]);
                views.push(view(&memory, bytes(image), &WHOLE[..dimensions]));
                kept.push(memory);
                continue;
            }
            let [left, right, top, bottom] = *reads;
            let columns = image.stride.0 * (width as i64 - 1) + right - left + 1;
            let rows_read = |rows: usize| image.stride.1 * (rows as i64 - 1) + bottom - top + 1;
            let (first, size, pitch) = (image.stride.1 * y as i64 + top, image.width as usize / 8, columns as usize * bytes(image));
            let step = if groups > 1 { rows_read(in_call) } else { 1 };
            for above in (0..rows_read(in_call)).step_by(step as usize) {
                let memory = Guarded::new(step as usize * pitch);
                for (place, chunk) in memory.bytes().chunks_mut(size).enumerate() {
                    let (element, channel) = (place as i64 / image.channels as i64, place as u64 % image.channels as u64);
                    let (x, row) = (element % columns + left, first + above + element / columns);
                    let bits = data::element(case.pairs, image.float, image.width, (k as u64, channel, x, row));
                    chunk.copy_from_slice(&bits.to_le_bytes()[..size]);
                }
                let start = memory.start().wrapping_offset(-left as isize * bytes(image) as isize);
                let of_group = if groups > 1 { rows_read(body.rows) } else { 1 };
                inputs.extend((0..of_group as usize).map(|row| start.wrapping_add(row * pitch).cast_const()));
                down.extend((0..of_group).map(|_| body.rows as isize * image.stride.1 as isize * pitch as isize));
                kept.push(memory);
            }
        }
        let row_bytes = |image: &Image| width * bytes(image);
        let row_at = |output: &[Guarded], image: &Image, row: usize| {
            output[row / in_part].start().wrapping_add(row % in_part * row_bytes(image))
        };
        let of_outputs = || outputs.iter().zip(case.outputs);
        let rows: Vec<*mut u8> =
            of_outputs().flat_map(|(output, image)| (y..y + body.rows).map(move |row| row_at(output, image, row))).collect();
        down.extend(of_outputs().flat_map(|(_, image)| (0..body.rows).map(|_| (body.rows * row_bytes(image)) as isize)));
        let call = Rows {
            inputs: &inputs,
            outputs: &rows,
            views: &views,
            tables: &tables,
            words: &words,
            x: 0,
            y: y as i32,
            outer: OUTER,
            width,
            // Elements are computed once where rows are whole vectors.
            head: width % body.lanes,
            groups,
            down: &down,
        };
        unsafe { (body.run)(&call) };
        next = y + in_call;
    }
    let rows = |(output, image): (&Vec<Guarded>, &Image)| {
        let parts = output.iter().flat_map(|part| part.bytes().chunks(width * bytes(image)));
        parts.map(<[u8]>::to_vec).collect()
    };
    outputs.iter().zip(case.outputs).map(rows).collect()
}

/// An input that is read anywhere: its elements, plane by plane, of each the last row first.
fn whole(case: &Case, image: &Image, input: u64, extents: &[usize]) -> Guarded {
    let (size, channels) = (image.width as usize / 8, image.channels as usize);
    let (width, height) = (extents[0], extents.get(1).copied().unwrap_or(1));
    let memory = Guarded::new(extents.iter().product::<usize>() * channels * size);
    for (place, chunk) in memory.bytes().chunks_mut(size).enumerate() {
        let (element, channel) = (place / channels, place as u64 % image.channels as u64);
        let (row, plane) = (element / width % height, element / width / height);
        let (x, y) = ((element % width) as i64, (height - 1 - row + 100 * plane) as i64);
        let bits = data::element(case.pairs, image.float, image.width, (input, channel, x, y));
        chunk.copy_from_slice(&bits.to_le_bytes()[..size]);
    }
    memory
}

fn view(memory: &Guarded, pixel: usize, extents: &[usize]) -> WholeView {
    let (width, height) = (extents[0], extents.get(1).copied().unwrap_or(1));
    let first = memory.start().wrapping_add((height - 1) * width * pixel);
    let (mut outer_strides, mut outer_extents) = ([0; 4], [1; 4]);
    let mut apart = height * width * pixel;
    for (outer, &extent) in extents.iter().skip(2).enumerate() {
        (outer_strides[outer], outer_extents[outer]) = (apart as i32, extent as i32);
        apart *= extent;
    }
    let (strides, extents) = ([-((width * pixel) as i32), pixel as i32], [height as i32, width as i32]);
    WholeView { first, strides, extents, outer_strides, outer_extents, quads: Quads::NONE }
}

fn same(image: &Image, a: &[u8], b: &[u8]) -> bool {
    let nan = |bytes: &[u8]| match bytes.len() {
        8 => f64::from_le_bytes(bytes.try_into().unwrap()).is_nan(),
        _ => f32::from_le_bytes(bytes.try_into().unwrap()).is_nan(),
    };
    a == b || image.float && nan(a) && nan(b)
}

fn check(case: &Case, fast: &Body) -> Result<(), String> {
    // As narrow as may be, whole steps alone, and whole steps with what they leave.
    let (lanes, columns) = (fast.lanes, fast.columns);
    let widths = [lanes, lanes + 1, 2 * columns, columns + lanes + 3];
    let height = fast.rows.max(3) + 1;
    // In Miri few elements take as long as a million elsewhere.
    let shapes = match case.pairs {
        _ if cfg!(miri) => vec![(lanes + 1, fast.rows)],
        true => vec![(256, 256)],
        false => widths.map(|width| (width, height)).to_vec(),
    };
    for (width, height) in shapes {
        let (scalar, fast_rows) = (run(case, &case.scalar, width, height), run(case, fast, width, height));
        for (o, image) in case.outputs.iter().enumerate() {
            let size = image.width as usize / 8;
            for y in 0..height {
                for (place, (a, b)) in scalar[o][y].chunks(size).zip(fast_rows[o][y].chunks(size)).enumerate() {
                    if !same(image, a, b) {
                        let x = place / image.channels as usize;
                        return Err(format!("output {o} at ({x}, {y}) of width {width}: scalar {a:?}, {} {b:?}", fast.name));
                    }
                }
            }
        }
        for &(x, y, o, channel, bits) in case.expected.iter().filter(|e| e.0 < width && e.1 < height) {
            let image = &case.outputs[o];
            let size = image.width as usize / 8;
            let place = (x * image.channels as usize + channel) * size;
            let found = &scalar[o][y][place..place + size];
            if !same(image, found, &bits.to_le_bytes()[..size]) {
                return Err(format!("output {o} at ({x}, {y}): interpreter {bits:#x}, scalar {found:?}"));
            }
        }
    }
    Ok(())
}

fn main() {
    let mut wrong = 0;
    for case in CASES {
        for difference in case.fast.iter().filter_map(|fast| check(case, fast).err()) {
            println!("{}: {difference}", case.name);
            wrong += 1;
        }
    }
    println!("{} cases, {wrong} wrong", CASES.len());
    exit(i32::from(wrong > 0));
}
