//! windrow's product of matrices beside its peers on one thread: whose products agree, and in what time.
//!
//! ```text
//! RAYON_NUM_THREADS=1 cargo run --release [--features avx512] --target-dir ../../../target/benches/products -- [PATH OF libscipy_openblas64_.so]
//! ```
//!
//! Each round runs everybody once, in an order that turns by one from round to round, after a run that is not timed; a figure is
//! the median over rounds of (peer's time / windrow's time), with quartiles. windrow adds up from k = 0 on, with one rounding for a
//! product and its sum, and packs nothing; its peers pack both matrices, and order sums as they like: what they compute is held
//! to it within a bound. OpenBLAS is the one that NumPy's wheel brings; `OPENBLAS_CORETYPE=Haswell` and
//! `OPENBLAS_NUM_THREADS=1` hold it to AVX2 and to one thread.

use libloading::Library;
use std::error::Error;
use std::time::Instant;
use windrow::Tensor;
use windrow_operators::matrix_product;

/// Rows, columns, and the length of the sums: squares, and the products of ResNet-50's and MobileNet's convolutions.
const SHAPES: [[usize; 3]; 11] = [
    [128, 128, 128],
    [512, 512, 512],
    [1024, 1024, 1024],
    [3136, 64, 576],
    [784, 128, 1152],
    [196, 256, 2304],
    [49, 512, 4608],
    [3136, 256, 64],
    [196, 1024, 256],
    [12544, 64, 147],
    [1, 1000, 2048],
];
const ROUNDS: usize = 60;

/// `cblas_sgemm` with integers of 64 bits.
type Sgemm =
    unsafe extern "C" fn(i32, i32, i32, i64, i64, i64, f32, *const f32, i64, *const f32, i64, f32, *mut f32, i64);
const ROW_MAJOR: i32 = 101;
const AS_IT_IS: i32 = 111;

/// Who computes `a · b`, for matrices of a shape.
type Product<'a> = Box<dyn FnMut(&[f32], &[f32], &mut [f32]) -> Result<(), Box<dyn Error>> + 'a>;

fn main() -> Result<(), Box<dyn Error>> {
    // SAFETY: OpenBLAS runs nothing that the process could not bear when it is loaded.
    let library = std::env::args().nth(1).map(|path| unsafe { Library::new(path) }).transpose()?;
    // SAFETY: the symbol is that function in NumPy's build of OpenBLAS.
    let sgemm = library.as_ref().map(|library| unsafe { library.get::<Sgemm>(b"scipy_cblas_sgemm64_") }).transpose()?;
    for [m, n, k] in SHAPES {
        let a: Vec<f32> = (0..m * k).map(|i| (i * 7 % 11) as f32 / 4.0 - 1.0).collect();
        let b: Vec<f32> = (0..k * n).map(|i| (i * 5 % 13) as f32 / 8.0 - 0.75).collect();
        let mut everybody: Vec<(&str, Product<'_>)> =
            vec![("windrow", windrow([m, n, k], &a, &b)?), ("gemm", gemm([m, n, k]))];
        if let Some(sgemm) = &sgemm {
            everybody.push(("OpenBLAS", open_blas(**sgemm, [m, n, k])));
        }
        let mut products = vec![vec![0f32; m * n]; everybody.len()];
        let times = times(&mut everybody, &a, &b, &mut products)?;
        for (peer, product) in everybody.iter().zip(&products).skip(1) {
            let differs = |(own, other): (&f32, &f32)| (own - other).abs() > 1e-4 * k as f32;
            assert!(!products[0].iter().zip(product).any(differs), "{}'s product is another", peer.0);
        }
        let billions = 2.0 * (m * n * k) as f64 / 1e9;
        print!("{m} x {n} x {k}: {:.0} GFLOP/s", billions / median(&times[0]));
        for ((name, _), theirs) in everybody.iter().zip(&times).skip(1) {
            let mut ratios: Vec<f64> = theirs.iter().zip(&times[0]).map(|(theirs, own)| theirs / own).collect();
            ratios.sort_by(f64::total_cmp);
            let [low, middle, high] = [1, 2, 3].map(|quarter| ratios[ROUNDS * quarter / 4]);
            print!(" | {name} {middle:.2} ({low:.2} - {high:.2})");
        }
        println!();
    }
    Ok(())
}

/// Seconds of each round.
fn times(
    everybody: &mut [(&str, Product<'_>)],
    a: &[f32],
    b: &[f32],
    products: &mut [Vec<f32>],
) -> Result<Vec<Vec<f64>>, Box<dyn Error>> {
    let mut times = vec![Vec::with_capacity(ROUNDS); everybody.len()];
    // As often as a round takes some milliseconds.
    let start = Instant::now();
    everybody[0].1(a, b, &mut products[0])?;
    let often = (3e-3 / start.elapsed().as_secs_f64()).clamp(1.0, 2000.0) as usize;
    for round in 0..ROUNDS {
        for turn in 0..everybody.len() {
            let own = (turn + round) % everybody.len();
            everybody[own].1(a, b, &mut products[own])?;
            let start = Instant::now();
            for _ in 0..often {
                everybody[own].1(a, b, &mut products[own])?;
            }
            times[own].push(start.elapsed().as_secs_f64() / often as f64);
        }
    }
    Ok(times)
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

fn windrow<'a>([m, n, k]: [usize; 3], a: &[f32], b: &[f32]) -> Result<Product<'a>, Box<dyn Error>> {
    let (a, b) = (Tensor::from_vec(a.to_vec(), [m, k])?, Tensor::from_vec(b.to_vec(), [k, n])?);
    let mut product = Tensor::<f32>::new([m, n])?;
    let mut is_given = false;
    Ok(Box::new(move |_, _, out| {
        matrix_product::apply_into(&a, &b, &mut product)?;
        // Looked at once, which belongs to no product.
        if !std::mem::replace(&mut is_given, true) {
            out.copy_from_slice(&product.to_vec());
        }
        Ok(())
    }))
}

fn gemm<'a>([m, n, k]: [usize; 3]) -> Product<'a> {
    Box::new(move |a, b, out| {
        let (rows, columns) = (k as isize, n as isize);
        // SAFETY: the matrices have these shapes, row by row.
        unsafe {
            let (out, a, b) = (out.as_mut_ptr(), a.as_ptr(), b.as_ptr());
            let one = gemm::Parallelism::None;
            gemm::gemm(m, n, k, out, 1, columns, false, a, 1, rows, b, 1, columns, 0.0, 1.0, false, false, false, one);
        }
        Ok(())
    })
}

fn open_blas<'a>(sgemm: Sgemm, [m, n, k]: [usize; 3]) -> Product<'a> {
    Box::new(move |a, b, out| {
        let [m, n, k] = [m, n, k].map(|extent| extent as i64);
        // SAFETY: the matrices have these shapes, row by row.
        unsafe {
            let (a, b, out) = (a.as_ptr(), b.as_ptr(), out.as_mut_ptr());
            sgemm(ROW_MAJOR, AS_IT_IS, AS_IT_IS, m, n, k, 1.0, a, k, b, n, 0.0, out, n);
        }
        Ok(())
    })
}
