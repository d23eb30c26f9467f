//! The product of matrices, and CLBlast's beside it.

use std::{error::Error, ffi::c_void, ptr::null_mut, time::Instant};

use libloading::Library;
use opencl3::memory::{CL_MEM_COPY_HOST_PTR, CL_MEM_READ_WRITE, create_buffer};
use windrow::opencl::Gpu;
use windrow_operators::matrix_product;

const ROUNDS: usize = 41;

/// `CLBlastSgemm`.
type Sgemm = unsafe extern "C" fn(
    i32,
    i32,
    i32,
    usize,
    usize,
    usize,
    f32,
    *mut c_void,
    usize,
    usize,
    *mut c_void,
    usize,
    usize,
    f32,
    *mut c_void,
    usize,
    usize,
    *mut *mut c_void,
    *mut *mut c_void,
) -> i32;
const ROW_MAJOR: i32 = 101;
const AS_IT_IS: i32 = 111;

/// Prints a line for each size of square matrices: windrow by the device's clock and by the host's, and CLBlast, where its library is given,
/// by the host's, in turn.
pub fn products(gpu: &Gpu, library: Option<&str>) -> Result<(), Box<dyn Error>> {
    // SAFETY: CLBlast runs nothing when it is loaded.
    let library = library.map(|path| unsafe { Library::new(path) }).transpose()?;
    // SAFETY: the symbol is that function.
    let sgemm = library.as_ref().map(|library| unsafe { library.get::<Sgemm>(b"CLBlastSgemm") }).transpose()?;
    for n in [512, 1024, 2048, 4096] {
        let (a, b) = (super::floats(gpu, [n, n])?, super::floats(gpu, [n, n])?);
        let mut own = gpu.tensor::<f32, 2>([n, n])?;
        let theirs = [a.download()?.to_vec(), b.download()?.to_vec(), vec![0.0; n * n]];
        let theirs = theirs.map(|elements| memory(gpu, elements));
        let (mut device, mut host, mut peer) = (Vec::new(), Vec::new(), Vec::new());
        for round in 0..=ROUNDS {
            gpu.context().sync()?;
            let start = Instant::now();
            matrix_product::apply_into(&a, &b, &mut own)?;
            gpu.context().sync()?;
            let own_host = start.elapsed().as_secs_f64();
            let launches = gpu.context().profiler().take()?.launches;
            let own_device: f64 = launches.iter().map(|launch| launch.timestamps.run().as_secs_f64()).sum();
            if round > 0 {
                host.push(own_host);
                device.push(own_device);
            }
            if let Some(sgemm) = &sgemm {
                let start = Instant::now();
                multiply(gpu, sgemm, theirs, n)?;
                gpu.context().sync()?;
                if round > 0 {
                    peer.push(start.elapsed().as_secs_f64());
                }
            }
        }
        let tera = |seconds: Vec<f64>| 2.0 * (n as f64).powi(3) / super::quartiles(seconds)[1] / 1e12;
        print!("{n} × {n} × {n}: {:.1} TFLOP/s by the device's clock, {:.1} by the host's", tera(device), tera(host));
        if sgemm.is_some() {
            let (own, theirs) = (own.download()?.to_vec(), read(gpu, theirs[2], n * n));
            let differs = own.iter().zip(&theirs).any(|(own, theirs)| (own - theirs).abs() > 1e-4 * n as f32);
            assert!(!differs, "CLBlast's product is another");
            print!(" | CLBlast {:.1}", tera(peer));
        }
        println!();
    }
    Ok(())
}

/// CLBlast's product on the same queue.
fn multiply(gpu: &Gpu, sgemm: &Sgemm, [a, b, out]: [*mut c_void; 3], n: usize) -> Result<(), Box<dyn Error>> {
    let mut queue = gpu.context().queue().raw();
    let (queue, none) = (&raw mut queue, null_mut());
    // SAFETY: the matrices have n × n elements, row by row, and the queue is theirs.
    let status =
        unsafe { sgemm(ROW_MAJOR, AS_IT_IS, AS_IT_IS, n, n, n, 1.0, a, 0, n, b, 0, n, 0.0, out, 0, n, queue, none) };
    if status == 0 { Ok(()) } else { Err(format!("CLBlast says {status}").into()) }
}

/// Memory of the device's, with these elements; it is never given back.
fn memory(gpu: &Gpu, mut elements: Vec<f32>) -> *mut c_void {
    let flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
    // SAFETY: the context lives, and as many bytes are copied as there are.
    let made = unsafe { create_buffer(gpu.context().raw(), flags, 4 * elements.len(), elements.as_mut_ptr().cast()) };
    made.expect("memory of the device")
}

/// The elements there.
fn read(gpu: &Gpu, memory: *mut c_void, count: usize) -> Vec<f32> {
    let mut elements = vec![0f32; count];
    let (queue, to) = (gpu.context().queue().raw(), elements.as_mut_ptr().cast());
    // SAFETY: the queue and the memory are of one context, and the call waits for as many bytes as there are.
    unsafe { opencl3::command_queue::enqueue_read_buffer(queue, memory, 1, 0, 4 * count, to, 0, null_mut()) }
        .expect("elements of the device");
    elements
}
