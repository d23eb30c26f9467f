//! The processor's memory, and the tensors and views that lie there.

#[cfg(not(feature = "std"))]
use crate::schedule::Serial;
#[cfg(feature = "std")]
use crate::{apply::images::Allocate, region::ValidRegion, schedule::Rayon, tensor::Tensor};
use crate::{
    apply::{
        images::{Destination, Readable, Source, Writable},
        space::{Arguments, Space},
    },
    arguments::{AnyTable, InputList, Inputs, MAX_ARGUMENTS, OutputList, Outputs},
    code::Kernel,
    configure::Configured,
    element::Element,
    error::any::Error,
    info::{InvalidTensor, TensorInfo},
    list::List,
    view::{AnyView, AnyViewMut, View, ViewMut},
};

/// The processor's memory. Kernels run on the threads of rayon's pool; without the feature `std`, on the caller's.
#[derive(Clone, Copy, Debug)]
pub struct Host;

impl Space for Host {
    type Read<'a> = AnyView<'a>;
    type Write<'a> = AnyViewMut<'a>;

    fn run<K: Kernel>(kernel: &Configured<K>, arguments: Arguments<'_, '_, Host>) -> Result<(), Error> {
        #[cfg(feature = "std")]
        let scheduler = Rayon::new();
        #[cfg(not(feature = "std"))]
        let scheduler = Serial;
        let mut views = List::new();
        for input in arguments.inputs {
            views.push(input.read()?);
        }
        let mut written = Written { views: [const { None }; MAX_ARGUMENTS], count: arguments.outputs.len() };
        for (place, output) in written.views.iter_mut().zip(arguments.outputs) {
            *place = output.write()?;
        }
        Ok(kernel.run_erased(&scheduler, Read { views, tables: arguments.tables }, written, kernel.whole())?)
    }
}

/// Images and tables that are read.
struct Read<'a> {
    views: List<AnyView<'a>>,
    tables: &'a [AnyTable<'a>],
}

impl<'a> Inputs<'a> for Read<'a> {
    fn list<'s>(&'s self, list: &mut InputList<'s, 'a>) {
        self.views.iter().for_each(|view| list.view(view));
        self.tables.iter().for_each(|table| list.any_table(*table));
    }
}

/// Images that are written.
struct Written<'a> {
    views: [Option<AnyViewMut<'a>>; MAX_ARGUMENTS],
    count: usize,
}

impl<'a> Outputs<'a> for Written<'a> {
    fn list<'s>(&'s mut self, list: &mut OutputList<'s, 'a>) {
        self.views.iter_mut().take(self.count).for_each(|view| list.view(view.as_mut()));
    }
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

impl<T: Element> Readable for ViewMut<'_, T> {
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

impl<T: Element> Source<T> for View<'_, T> {}
impl<T: Element> Source<T> for &View<'_, T> {}
impl<T: Element> Source<T> for &ViewMut<'_, T> {}
impl<T: Element> Destination<T> for ViewMut<'_, T> {}
impl<T: Element> Destination<T> for &mut ViewMut<'_, T> {}

#[cfg(feature = "std")]
impl<T: Element, const N: usize> Readable for Tensor<T, N> {
    type Space = Host;

    fn info(&self) -> Result<TensorInfo, InvalidTensor> {
        Ok(*Self::info(self))
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
