//! The kernels beside their own functions, element by element: `cargo bench`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use own_operators::ops::sharpen::sharpen;
use windrow::{Border, Rayon, Serial, Tensor};

const HEIGHT: usize = 1080;
const WIDTH: usize = 1920;

fn sharpening(criterion: &mut Criterion) {
    let photo = Tensor::from_fn([HEIGHT, WIDTH], |[y, x]| (x ^ y) as u8).expect("the size is small");
    let mut out = Tensor::<u8>::new([HEIGHT, WIDTH]).expect("the size is small");
    let kernel = sharpen::configure(photo.info(), 16, out.info(), Border::Replicate).expect("the images match");

    let mut group = criterion.benchmark_group("sharpen");
    group.throughput(Throughput::Elements((HEIGHT * WIDTH) as u64));
    group.bench_function("the author's function", |bench| {
        bench.iter(|| kernel.run_reference(photo.view(), out.view_mut()).expect("the images match"));
    });
    group.bench_function("one thread", |bench| {
        bench.iter(|| kernel.run(&Serial, photo.view(), out.view_mut()).expect("the images match"));
    });
    group.bench_function("all threads", |bench| {
        bench.iter(|| kernel.run(&Rayon::new(), photo.view(), out.view_mut()).expect("the images match"));
    });
    group.finish();
}

criterion_group!(kernels, sharpening);
criterion_main!(kernels);
