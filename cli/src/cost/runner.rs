// Calls bodies between the marks that the emulator's plugin knows. It stands behind the bodies in one file, and is no part
// of the command itself.

struct Case {
    run: unsafe fn(&__rt::Rows<'_>),
    inputs: usize,
    /// Bytes of an element of each input that is read anywhere.
    views: &'static [usize],
    outputs: usize,
    /// Bytes of a row for each element of the output, at most.
    element: usize,
    tables: &'static [usize],
    words: usize,
    widths: [usize; 3],
}

/// Readable bytes before and behind each row.
const MARGIN: usize = 4096;

fn main() {
    for case in CASES {
        let longest = case.widths.into_iter().max().unwrap();
        let row = 2 * MARGIN + longest * case.element;
        let read = vec![0u8; row];
        let mut written = vec![vec![0u8; row]; case.outputs];
        let tables: Vec<Vec<u8>> = case.tables.iter().map(|length| vec![0; *length]).collect();
        let inputs = vec![read[MARGIN..].as_ptr(); case.inputs];
        let outputs: Vec<*mut u8> = written.iter_mut().map(|row| row[MARGIN..].as_mut_ptr()).collect();
        let tables: Vec<*const u8> = tables.iter().map(|table| table.as_ptr()).collect();
        // A row of as many elements as the output's that stands for all rows.
        let view = |element: &usize| __rt::WholeView {
            first: read[MARGIN..].as_ptr(),
            strides: [0, *element as i32],
            extents: [longest as i32; 2],
            outer_strides: [0; 4],
            outer_extents: [longest as i32; 4],
            quads: __rt::Quads::NONE,
        };
        let views: Vec<_> = case.views.iter().map(view).collect();
        let words = vec![1; case.words];
        for width in case.widths {
            let (inputs, outputs, views, tables, words) = (&inputs, &outputs, &views, &tables, &words);
            let (outer, down) = ([0; 4], &[0; 64]);
            let rows = __rt::Rows { inputs, outputs, views, tables, words, x: 0, y: 0, outer, width, head: 0, groups: 1, down };
            // SAFETY: the rows are as long as the body asks for, with a margin wider than any neighbourhood.
            unsafe { marked(case.run, &rows) };
        }
    }
}

#[inline(never)]
unsafe fn marked(run: unsafe fn(&__rt::Rows<'_>), rows: &__rt::Rows<'_>) {
    // SAFETY: hints that do nothing.
    unsafe { core::arch::asm!("hint #120") };
    // SAFETY: the caller keeps the contract of `run`.
    unsafe { run(rows) };
    // SAFETY: as above.
    unsafe { core::arch::asm!("hint #121") };
}
