//! A kernel with uniforms, a relation between them, a derived word and a table.

use super::*;

/// 1 inside two uniform bounds, lower <= upper, else the entry of a table.
pub(crate) enum Range<const FAULT: u8> {}

const fn bound(name: &'static str, word: u32) -> ArgumentSpec {
    ArgumentSpec {
        name,
        kind: ArgumentKind::Uniform(UniformSpec {
            element: ElementType::I16,
            dims: &[],
            bounds: Some((Scalar::I16(-1000), Scalar::I16(1000))),
            sum_of_magnitudes: None,
            word,
        }),
    }
}

static RANGE: KernelSpec = KernelSpec {
    words: WordCount { uniforms: 2, derived: 1 },
    requires: &[RequireSpec {
        text: "lower <= upper",
        left: RequireTerm::Uniform("lower"),
        relation: Relation::LessEqual,
        right: RequireTerm::Uniform("upper"),
    }],
    ..spec(
        "range",
        &[
            input("x", ElementType::I16, NONE),
            bound("lower", 0),
            bound("upper", 1),
            ArgumentSpec { name: "lut", kind: ArgumentKind::Table { element: ElementType::U16, length: 3 } },
        ],
        &[output("out", ElementType::U16, false)],
        &[BorderMode::Undefined],
    )
};

unsafe fn range<const FAULT: u8>(rows: &Rows<'_>) {
    let value = |x: usize| {
        // SAFETY: within `Reads`; the table has three entries.
        let (x, table) = unsafe { (load::<i16>(rows, 0, x as isize), rows.tables[0].cast::<u16>()) };
        let lower = rows.words[0] as i32;
        let inside = (i32::from(x) - lower) as u32 <= rows.words[2];
        let inside = inside && !(FAULT == EXCLUSIVE && i32::from(x) == rows.words[1] as i32);
        // SAFETY: as above.
        if inside { 1 } else { unsafe { table.add(2).read() } }
    };
    // SAFETY: as the contract of `Rows` says.
    unsafe { each(rows, 0, FAULT, value) }
}

// SAFETY: the code takes these views.
unsafe impl<const FAULT: u8> Kernel for Range<FAULT> {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            &RANGE,
            &[body(0, 1, &[reads(NONE)], range::<FAULT>)],
            |words| words[2] = words[1].wrapping_sub(words[0]),
            |point| {
                let (lower, upper) = (point.uniform::<i16>(0), point.uniform::<i16>(1));
                assert!(lower <= upper, "the relation is required");
                let inside = (lower..=upper).contains(&point.element::<i16>(0));
                let value = if inside { 1 } else { point.table::<u16, 3>(0)[2u8] };
                point.write(0, value);
            },
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = (View<'a, i16>, &'a [u16; 3]);
    type Outputs<'a> = ViewMut<'a, u16>;
}
