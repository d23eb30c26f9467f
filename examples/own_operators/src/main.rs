//! Lists the kernels, and the OpenCL entry points that the build script wrote.

fn main() {
    for code in own_operators::ALL {
        let spec = code.spec();
        println!("{}: {}", spec.name, spec.docs.trim().lines().next().unwrap_or_default());
        for entry in code.opencl().entries {
            let (x, y) = entry.block;
            println!("    {}.cl: {}, {x} x {y} elements a work-item", spec.name, entry.name);
        }
    }
}
