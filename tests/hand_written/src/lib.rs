//! Bodies that an author wrote by hand for a target: validated, scheduled and tested like generated ones.
#![cfg(test)]

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use windrow::{
    Border, HandWritten, Kernel, KernelCode, Scheduler, Tensor, Tier, View, ViewMut,
    code::{Body, Rows},
    prelude::*,
    schedule::Rayon,
    spec::NeighbourhoodSpec,
    testing::{self, Target},
};

static CALLS: AtomicUsize = AtomicUsize::new(0);

/// The sum of an element and its neighbours on both sides, halves at the ends.
#[kernel(avx2 = WORDS, sse41 = WORDS, neon = WORDS)]
pub fn spread(src: Neighbourhood<u8>) -> u8 {
    (src.at(-1, 0) >> 2) + (src.at(0, 0) >> 1) + (src.at(1, 0) >> 2)
}

/// Four elements of two rows at a time, in the bytes of a word.
// SAFETY: `words` reads one column on both sides, of images of bytes, and writes the rows' own.
const WORDS: HandWritten<spread> = unsafe { HandWritten::new(4, 2, words::<0x3f>) };

/// # Safety
/// `rows` keeps its contract.
unsafe fn words<const QUARTER: u32>(rows: &Rows<'_>) {
    CALLS.fetch_add(1, Relaxed);
    let (quarter, half) = (QUARTER * 0x0101_0101, 0x7f7f_7f7f);
    let whole = rows.width / 4 * 4;
    let tail = (whole < rows.width).then(|| rows.width - 4);
    for (from, to) in rows.inputs.iter().zip(rows.outputs) {
        for x in (0..whole).step_by(4).chain(tail) {
            // SAFETY: columns x − 1 to x + 4 are those that the neighbourhood names; `x + 4` is at most the width.
            unsafe {
                let load = |dx: isize| u32::from_le_bytes(from.offset(x as isize + dx).cast::<[u8; 4]>().read());
                let sum = (load(-1) >> 2 & quarter) + (load(0) >> 1 & half) + (load(1) >> 2 & quarter);
                to.add(x).cast::<[u8; 4]>().write(sum.to_le_bytes());
            }
        }
    }
}

/// Two choices, and three subsets of the outputs: six bodies.
#[kernel(output(sum?, difference?), avx2 = BODIES, sse41 = BODIES, neon = BODIES)]
pub fn sums(a: u8, b: u8, #[variant] policy: Overflow) -> (u8, u8) {
    match policy {
        Overflow::Wrap => (a.wrapping_add(b), a.wrapping_sub(b)),
        Overflow::Saturate => (a.saturating_add(b), a.saturating_sub(b)),
    }
}

/// Both, `difference` alone, `sum` alone: wrapping, then saturating. Blocks differ. Generated code has a name like this one.
// SAFETY: `sum_and_difference` reads the elements themselves, of images of bytes, and writes to rows that are not null.
const BODIES: [HandWritten<sums>; 6] = unsafe {
    [
        HandWritten::new(4, 1, sum_and_difference::<false>),
        HandWritten::for_index(1, 16, 3, sum_and_difference::<false>),
        HandWritten::new(1, 2, sum_and_difference::<false>),
        HandWritten::new(7, 1, sum_and_difference::<true>),
        HandWritten::for_index(4, 1, 1, sum_and_difference::<true>),
        HandWritten::new(32, 4, sum_and_difference::<true>),
    ]
};

/// # Safety
/// `rows` keeps its contract.
unsafe fn sum_and_difference<const SATURATE: bool>(rows: &Rows<'_>) {
    let ([a, b], [sum, difference]) = (halves(rows.inputs), halves(rows.outputs));
    for (row, (&a, &b)) in a.iter().zip(b).enumerate() {
        for x in 0..rows.width {
            // SAFETY: `width` elements of each row; an output left out has null pointers.
            unsafe {
                let (a, b) = (a.add(x).read(), b.add(x).read());
                let results = match SATURATE {
                    false => [a.wrapping_add(b), a.wrapping_sub(b)],
                    true => [a.saturating_add(b), a.saturating_sub(b)],
                };
                for (output, result) in [sum[row], difference[row]].into_iter().zip(results) {
                    if !output.is_null() {
                        output.add(x).write(result);
                    }
                }
            }
        }
    }
}

/// The pointers of two images.
fn halves<P>(pointers: &[P]) -> [&[P]; 2] {
    let (first, second) = pointers.split_at(pointers.len() / 2);
    [first, second]
}

/// What has a body by hand for [`mix`].
trait Mix: Sized {
    const BODY: HandWritten<mix<Self>>;
}

impl Mix for u8 {
    // SAFETY: `exclusive` reads the elements themselves, of images of `u8`, and writes as many.
    const BODY: HandWritten<mix<u8>> = unsafe { HandWritten::new(8, 1, exclusive::<u8>) };
}

impl Mix for i32 {
    // SAFETY: as above, of images of `i32`.
    const BODY: HandWritten<mix<i32>> = unsafe { HandWritten::new(3, 2, exclusive::<i32>) };
}

/// A function with `types`: each copy takes its type's body.
#[kernel(types(T = u8, i32), avx2 = <T as Mix>::BODY, sse41 = T::BODY, neon = T::BODY)]
pub fn mix(a: T, b: T) -> T {
    a ^ b
}

/// # Safety
/// `rows` keeps its contract, its images hold `T`s.
unsafe fn exclusive<T: core::ops::BitXor<Output = T>>(rows: &Rows<'_>) {
    let [a, b] = halves(rows.inputs);
    for ((a, b), out) in a.iter().zip(b).zip(rows.outputs) {
        for x in 0..rows.width {
            // SAFETY: `width` elements of each row.
            unsafe {
                let (a, b) = (a.cast::<T>().add(x).read_unaligned(), b.cast::<T>().add(x).read_unaligned());
                out.cast::<T>().add(x).write_unaligned(a ^ b);
            }
        }
    }
}

/// The same kernel with a body that loses a bit.
enum Wrong {}

// SAFETY: the code takes these views.
unsafe impl Kernel for Wrong {
    // SAFETY: the bodies read and write what `spread`'s do. They lose a bit on purpose, which breaks no memory.
    const CODE: &'static KernelCode = &unsafe {
        let code = spread::CODE;
        KernelCode::new(code.spec(), Wrong::BODIES, code.derive(), code.reference(), code.opencl())
    };
    type Inputs<'a> = View<'a, u8>;
    type Outputs<'a> = ViewMut<'a, u8>;
}

impl Wrong {
    const READS: &'static [NeighbourhoodSpec] = spread::CODE.bodies()[0].reads();
    // SAFETY: as above.
    const BODIES: &'static [Body] = unsafe {
        &[
            Body::new(VECTORS, 0, (4, 2), Wrong::READS, false, words::<0x1f>),
            Body::new(Tier::Scalar, 0, (4, 2), Wrong::READS, false, words::<0x3f>),
        ]
    };
}

#[cfg(target_arch = "aarch64")]
const VECTORS: Tier = Tier::Neon;
#[cfg(not(target_arch = "aarch64"))]
const VECTORS: Tier = Tier::Sse41;

#[test]
fn a_body_of_the_authors_runs_in_place_of_the_generated_one() {
    let src = Tensor::from_fn([7, 101], |[y, x]| (x * 41 + y * 83) as u8).unwrap();
    let [mut out, mut expect] = [(); 2].map(|()| Tensor::<u8>::new([7, 101]).unwrap());
    let pool = Rayon::new().with_grain(1);
    let configured = spread::configure(src.info(), out.info(), Border::Reflect).unwrap();
    let configured = configured.with_tier(VECTORS).unwrap();
    configured.run_reference(src.view(), expect.view_mut()).unwrap();
    let calls = CALLS.load(Relaxed);
    configured.run(&pool as &dyn Scheduler, src.view(), out.view_mut()).unwrap();
    assert!(CALLS.load(Relaxed) > calls, "the author's body was not called");
    assert_eq!(out.to_vec(), expect.to_vec());
    // What is validated is what the kernel says.
    let wide = Tensor::<u8>::new([7, 100]).unwrap();
    assert!(spread::configure(src.info(), wide.info(), Border::Wrap).is_err());
}

#[test]
fn each_choice_and_subset_runs_its_own_body() {
    let tier = sums::CODE.bodies().iter().filter(|body| body.tier() == VECTORS);
    let blocks: Vec<(u32, u32, u32)> = tier.map(|body| (body.index(), body.lanes(), body.rows())).collect();
    assert_eq!(blocks, [(0, 4, 1), (1, 16, 3), (2, 1, 2), (3, 7, 1), (4, 1, 1), (5, 32, 4)]);
    let lanes = |code: &KernelCode| code.bodies().iter().find(|body| body.tier() == VECTORS).unwrap().lanes();
    assert_eq!((lanes(mix::<u8>::CODE), lanes(mix::<i32>::CODE)), (8, 3));
}

#[test]
fn a_wrong_body_does_not_pass_the_generated_tests() {
    let target = if VECTORS == Tier::Neon { Target::Neon } else { Target::Sse41 };
    let found = std::panic::catch_unwind(|| testing::check::<Wrong>(target));
    assert!(found.is_err(), "a body that loses a bit passed");
}
