//! The golden arrays on an OpenCL device.

use std::{cell::RefCell, collections::BTreeMap, fmt, rc::Rc};

use windrow::{
    Configured, Kernel,
    opencl::{Context, LocalSize, OpenClError, OpenClKernel, Program},
    testing::REQUIRE_VARIABLE,
};

use crate::{hold, sample::By};

/// The arrays of the sizes that devices compute, of those that operators are held to.
const COVERED: usize = 228;

/// A device with the programs that it has built.
#[derive(Debug)]
pub struct Device {
    context: Context,
    programs: RefCell<BTreeMap<&'static str, Rc<Program>>>,
}

impl Device {
    /// Runs `configured` on the host's images.
    pub fn run<K: Kernel>(
        &self,
        configured: Configured<K>,
        inputs: K::Inputs<'_>,
        outputs: K::Outputs<'_>,
    ) -> Result<(), OpenClError> {
        let program = self.program::<K>()?;
        // One size of work-group: some drivers compile a kernel anew for each.
        let kernel = OpenClKernel::with_program(&self.context, &program, configured)?;
        kernel.with_local_size(LocalSize::Fixed(8, 1))?.run(inputs, outputs)
    }

    /// A kernel's program, built once.
    fn program<K: Kernel>(&self) -> Result<Rc<Program>, OpenClError> {
        let name = K::CODE.spec().name;
        if let Some(program) = self.programs.borrow().get(name) {
            return Ok(program.clone());
        }
        let program = Rc::new(Program::of::<K>(&self.context)?);
        self.programs.borrow_mut().insert(name, program.clone());
        Ok(program)
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.context.device())
    }
}

#[test]
fn opencl_writes_the_bytes_of_the_c_model() {
    match Context::open() {
        Ok(context) => {
            let device = Device { context, programs: RefCell::default() };
            // Every launch costs: two sizes, one of them odd.
            let held = hold(&By::Device(Rc::new(device)), |size| ["14x6", "17x16"].contains(&size));
            assert_eq!(held, COVERED, "another number of arrays is covered");
        }
        Err(error) if error.is_absence() && !is_required() => println!("not run: {error}"),
        Err(error) => panic!("{error}"),
    }
}

/// Whether `WINDROW_REQUIRE` names OpenCL, as it does for the generated tests.
fn is_required() -> bool {
    std::env::var(REQUIRE_VARIABLE).is_ok_and(|targets| targets.split(',').any(|target| target.trim() == "opencl"))
}
