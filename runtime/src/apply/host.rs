//! The processor's memory, and the tensors and views that lie there.

#[cfg(not(feature = "std"))]
use crate::schedule::Serial;
#[cfg(feature = "std")]
use crate::{
    apply::images::Allocate,
    function::{ChainBuilder, Function, OnProcessor},
    region::ValidRegion,
    schedule::Rayon,
    tensor::Tensor,
};
use crate::{
    apply::{
        images::{Destination, Readable, Source, Writable, written_by_reference},
        space::{Arguments, Space},
    },
    code::Kernel,
    configure::{Configured, KernelPlan},
    element::Element,
    error::any::Error,
    info::{InvalidTensor, TensorInfo},
    job::Images,
    run::run_images,
    view::{AnyView, AnyViewMut, View, ViewMut},
};
#[cfg(feature = "std")]
use std::vec::Vec;

/// The processor's memory. Kernels run on the threads of rayon's pool; without the feature `std`, on the caller's.
#[derive(Clone, Copy, Debug)]
pub struct Host;

impl Space for Host {
    type Read<'a> = AnyView<'a>;
    type Write<'a> = AnyViewMut<'a>;

    fn run<K: Kernel>(kernel: &Configured<K>, arguments: Arguments<'_, '_, Host>) -> Result<(), Error> {
        run_plan(kernel.plan(), arguments)
    }

    #[cfg(feature = "std")]
    fn run_chain(chain: ChainBuilder, arguments: Arguments<'_, '_, Host>) -> Result<(), Error> {
        let chain = chain.compose(&OnProcessor)?;
        let inputs = arguments.inputs.iter().map(|input| input.read()).collect::<Result<Vec<_>, _>>()?;
        let outputs = arguments.outputs.iter_mut().filter_map(|output| output.write().transpose());
        let mut outputs = outputs.collect::<Result<Vec<_>, _>>()?;
        Ok(chain.run(&Rayon::new(), &inputs, &mut outputs)?)
    }
}

/// [`Space::run`] of every kernel, compiled once.
fn run_plan(plan: &KernelPlan, arguments: Arguments<'_, '_, Host>) -> Result<(), Error> {
    #[cfg(feature = "std")]
    let scheduler = Rayon::new();
    #[cfg(not(feature = "std"))]
    let scheduler = Serial;
    let mut images = Images::default();
    for input in arguments.inputs {
        images.read.push(input.read()?);
    }
    arguments.tables.iter().for_each(|table| images.tables.push(*table));
    for output in arguments.outputs {
        images.write(output.write()?);
    }
    Ok(run_images(plan, &scheduler, &images)?)
}

impl<T: Element> Readable for View<'_, T> {
    type Space = Host;

    fn info(&self) -> Result<TensorInfo, InvalidTensor> {
        Ok(*View::info(self))
    }

    fn read(&self) -> Result<AnyView<'_>, Error> {
        Ok(self.any())
    }
}

impl<T: Element> Readable for &View<'_, T> {
    type Space = Host;

    fn info(&self) -> Result<TensorInfo, InvalidTensor> {
        Ok(*View::info(self))
    }

    fn read(&self) -> Result<AnyView<'_>, Error> {
        Ok(self.any())
    }
}

impl<T: Element> Readable for &ViewMut<'_, T> {
    type Space = Host;

    fn info(&self) -> Result<TensorInfo, InvalidTensor> {
        Ok(*ViewMut::info(self))
    }

    fn read(&self) -> Result<AnyView<'_>, Error> {
        Ok(self.view().any())
    }
}

impl<T: Element> Writable for ViewMut<'_, T> {
    type Space = Host;

    fn info(&self) -> Result<Option<TensorInfo>, InvalidTensor> {
        Ok(Some(*ViewMut::info(self)))
    }

    fn write(&mut self) -> Result<Option<AnyViewMut<'_>>, Error> {
        Ok(Some(self.reborrow().any()))
    }
}

written_by_reference!(['a, T: Element] ViewMut<'a, T>);
#[cfg(feature = "std")]
written_by_reference!([T: Element, const N: usize] Tensor<T, N>);

impl<T: Element> Source<T> for View<'_, T> {}
impl<T: Element> Source<T> for &View<'_, T> {}
impl<T: Element> Source<T> for &ViewMut<'_, T> {}
impl<T: Element> Destination<T> for ViewMut<'_, T> {}
impl<T: Element> Destination<T> for &mut ViewMut<'_, T> {}

#[cfg(feature = "std")]
impl<T: Element, const N: usize> Readable for &Tensor<T, N> {
    type Space = Host;

    fn info(&self) -> Result<TensorInfo, InvalidTensor> {
        Ok(*Tensor::info(self))
    }

    fn read(&self) -> Result<AnyView<'_>, Error> {
        Ok(self.view().any())
    }
}

#[cfg(feature = "std")]
impl<T: Element, const N: usize> Writable for Tensor<T, N> {
    type Space = Host;

    fn info(&self) -> Result<Option<TensorInfo>, InvalidTensor> {
        Ok(Some(*Self::info(self)))
    }

    fn write(&mut self) -> Result<Option<AnyViewMut<'_>>, Error> {
        Ok(Some(self.view_mut().any()))
    }

    fn written(&mut self, region: ValidRegion) -> Result<(), InvalidTensor> {
        self.set_valid_region(region)
    }
}

#[cfg(feature = "std")]
impl<T: Element, const N: usize> Source<T> for &Tensor<T, N> {}
#[cfg(feature = "std")]
impl<T: Element, const N: usize> Destination<T> for &mut Tensor<T, N> {}

/// Outputs are tensors, wherever the images that are read come from.
#[cfg(feature = "std")]
macro_rules! allocate_tensors {
    ($(($($rank:tt)*) $image:ty),*) => {$(
        impl<T: Element, U: Element, $($rank)*> Allocate<U> for $image {
            type Image = Tensor<U>;

            fn allocate(&self, info: &TensorInfo) -> Result<Tensor<U>, Error> {
                Ok(Tensor::with_info(*info)?)
            }
        }
    )*};
}

#[cfg(feature = "std")]
allocate_tensors! { (const N: usize) &Tensor<T, N>, () View<'_, T>, () &View<'_, T>, () &ViewMut<'_, T> }

#[cfg(feature = "std")]
impl<'a, T: Element, const N: usize> From<&'a Tensor<T, N>> for View<'a, T> {
    fn from(tensor: &'a Tensor<T, N>) -> View<'a, T> {
        tensor.view()
    }
}

#[cfg(feature = "std")]
impl<'a, T: Element, const N: usize> From<&'a mut Tensor<T, N>> for ViewMut<'a, T> {
    fn from(tensor: &'a mut Tensor<T, N>) -> ViewMut<'a, T> {
        tensor.view_mut()
    }
}
