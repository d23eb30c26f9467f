//! What the generated `apply` and `apply_into` hand over: a kernel's arguments, before they are configured.

use crate::{
    apply::{
        images::{AllocateLike, Readable, Writable},
        space::{Arguments, Space},
    },
    arguments::{AnyTable, MAX_ARGUMENTS},
    border::Borders,
    code::{Kernel, KernelCode},
    configure::{Configured, KernelPlan},
    element::Element,
    error::{InvalidConfiguration, any::Error},
    infer::{Inferred, infer_with_uniforms},
    info::TensorInfo,
    list::List,
    spec::KernelSpec,
    validate::Request,
};

/// The arguments of a kernel, its outputs excepted.
pub struct Call<'a, S: Space> {
    /// The images that are read; `#[inout]` ones are outputs.
    pub inputs: &'a [&'a dyn Readable<Space = S>],
    /// The tables.
    pub tables: &'a [AnyTable<'a>],
    /// The words of the uniforms.
    pub words: &'a [u32],
    /// The number of the value chosen for each variant.
    pub choice: &'a [u32],
    /// The border of each image.
    pub border: Borders,
}

impl<S: Space> Call<'_, S> {
    /// Returns the shape and type of each output.
    ///
    /// # Errors
    /// The images don't fit the kernel, or each other.
    pub fn infer<K: Kernel>(&self) -> Result<Inferred, Error> {
        self.inferred(K::CODE.spec)
    }

    /// Configures the kernel for these outputs, and runs it.
    ///
    /// # Errors
    /// The first rule that an argument breaks, or what stopped the run.
    pub fn run<K: Kernel>(&self, outputs: &mut [&mut dyn Writable<Space = S>]) -> Result<(), Error> {
        let kernel = Configured::<K>::new(|code| self.plan(code, outputs))?;
        S::run(&kernel, Arguments { inputs: self.inputs, tables: self.tables, outputs: &mut *outputs })?;
        outputs.iter_mut().try_for_each(|output| output.written(kernel.valid_region()))?;
        Ok(())
    }

    // What is the same for all kernels knows no `K`, so that it is compiled once, and not for each kernel that is called.

    fn inferred(&self, spec: &'static KernelSpec) -> Result<Inferred, Error> {
        let infos = self.infos()?;
        Ok(infer_with_uniforms(spec, references(&infos).as_slice(), self.words, self.border.modes())?)
    }

    fn plan(&self, code: &'static KernelCode, outputs: &[&mut dyn Writable<Space = S>]) -> Result<KernelPlan, Error> {
        let infos = self.infos()?;
        let mut written = List::new();
        for output in outputs.iter() {
            written.push(output.info()?);
        }
        let mut given = List::new();
        written.iter().for_each(|info| given.push(info.as_ref()));
        let read = references(&infos);
        let request = Request {
            inputs: read.as_slice(),
            outputs: given.as_slice(),
            words: self.words,
            choice: self.choice,
            border: self.border,
        };
        Ok(KernelPlan::new(code, &request)?)
    }

    fn infos(&self) -> Result<List<TensorInfo>, Error> {
        let mut infos = List::new();
        for input in self.inputs.iter().take(MAX_ARGUMENTS) {
            infos.push(input.info()?);
        }
        Ok(infos)
    }
}

/// Makes output `index` of a kernel in the kind of `first`, the first image that it reads.
///
/// # Errors
/// Memory ran out, or an image of this kind doesn't have such a shape.
#[doc(hidden)]
pub fn allocate<K: Kernel, T: Element, S: AllocateLike<I, T>, I>(
    first: &I,
    inferred: &Inferred,
    index: usize,
) -> Result<S::Image, Error> {
    S::allocate(first, &output(K::CODE.spec, inferred, index)?)
}

fn output(kernel: &'static KernelSpec, inferred: &Inferred, index: usize) -> Result<TensorInfo, Error> {
    let missing = || {
        let expected = kernel.outputs.len();
        Error::from(InvalidConfiguration::OutputCount { kernel: kernel.name, found: index, expected })
    };
    inferred.output(index).ok_or_else(missing)
}

fn references(infos: &List<TensorInfo>) -> List<&TensorInfo> {
    let mut references = List::new();
    infos.iter().for_each(|info| references.push(info));
    references
}
