//! What a run is called with: views and tables, typed in [`Kernel`](crate::Kernel), erased here.
//!
//! One argument stands for itself, several stand in a tuple of up to eight, in the author's order. An `#[inout]`
//! argument stands among the outputs only.

use core::{marker::PhantomData, ptr::NonNull};

use crate::{
    element::{Element, ElementType, Primitive},
    info::TensorInfo,
    list::List,
    view::{AnyView, AnyViewMut, View, ViewMut},
};

pub use crate::limits::MAX_ARGUMENTS;

/// What a kernel reads: an argument, or a tuple of them.
pub trait Inputs<'a> {
    /// Appends the arguments to `list`, in order.
    fn list(self, list: &mut InputList<'a>);
}

/// What a kernel writes: an argument, or a tuple of them.
pub trait Outputs<'a> {
    /// Appends the arguments to `list`, in order.
    fn list(self, list: &mut OutputList<'a>);
}

// SAFETY: a table is a shared borrow of plain data.
unsafe impl Send for AnyTable<'_> {}
// SAFETY: as above.
unsafe impl Sync for AnyTable<'_> {}

/// The arguments that a run reads, without their types.
#[derive(Debug, Default)]
pub struct InputList<'a> {
    pub(crate) views: List<AnyView<'a>>,
    pub(crate) tables: List<AnyTable<'a>>,
}

/// The arguments that a run writes, without their types; `None` for one left out.
#[derive(Debug, Default)]
pub struct OutputList<'a> {
    pub(crate) places: List<Option<Place>>,
    data: PhantomData<&'a mut [u8]>,
}

/// Where an image that is written lies: its first element, and what is known of it.
pub(crate) type Place = (NonNull<u8>, TensorInfo);

/// A look-up table without its type.
#[derive(Clone, Copy, Debug)]
pub struct AnyTable<'a> {
    pub(crate) first: *const u8,
    pub(crate) element: ElementType,
    pub(crate) length: usize,
    pub(crate) data: PhantomData<&'a [u8]>,
}

impl<'a> InputList<'a> {
    /// Appends an image.
    pub fn view(&mut self, view: AnyView<'a>) {
        self.views.push(view);
    }

    /// Appends a table.
    pub fn table<T: Primitive>(&mut self, entries: &'a [T]) {
        let (first, data) = (entries.as_ptr().cast(), PhantomData);
        self.tables.push(AnyTable { first, element: T::ELEMENT, length: entries.len(), data });
    }
}

impl<'a> AnyTable<'a> {
    /// The type of the entries.
    pub fn element(&self) -> ElementType {
        self.element
    }

    /// The entries' bytes.
    pub fn as_bytes(&self) -> &'a [u8] {
        // SAFETY: the pointer is that of a slice of `length` entries of `element`, borrowed for 'a.
        unsafe { core::slice::from_raw_parts(self.first, self.length * self.element.size()) }
    }

    /// The entries, where they are `N` of type `T`.
    pub(crate) fn typed<T: Primitive, const N: usize>(self) -> Option<&'a [T; N]> {
        // SAFETY: the pointer is that of a slice of `length` entries of `element`, borrowed for 'a.
        (self.element == T::ELEMENT && self.length == N).then(|| unsafe { &*self.first.cast() })
    }
}

impl<'a> OutputList<'a> {
    /// Appends an image; `None` for one that the caller leaves out.
    pub fn view(&mut self, view: Option<AnyViewMut<'a>>) {
        self.places.push(view.map(|view| (view.base(), *view.info())));
    }
}

/// One argument that a kernel reads.
pub trait Input<'a> {
    /// Appends it to `list`.
    fn append(self, list: &mut InputList<'a>);
}

impl<'a, T: Element> Input<'a> for View<'a, T> {
    fn append(self, list: &mut InputList<'a>) {
        list.view(self.any());
    }
}

impl<'a, T: Primitive, const N: usize> Input<'a> for &'a [T; N] {
    fn append(self, list: &mut InputList<'a>) {
        list.table(self);
    }
}

/// One argument that a kernel writes.
pub trait Output<'a> {
    /// Appends it to `list`.
    fn append(self, list: &mut OutputList<'a>);
}

impl<'a, T: Element> Output<'a> for ViewMut<'a, T> {
    fn append(self, list: &mut OutputList<'a>) {
        list.view(Some(self.any()));
    }
}

impl<'a, T: Element> Output<'a> for Option<ViewMut<'a, T>> {
    fn append(self, list: &mut OutputList<'a>) {
        list.view(self.map(ViewMut::any));
    }
}

impl<'a, A: Input<'a>> Inputs<'a> for A {
    fn list(self, list: &mut InputList<'a>) {
        self.append(list);
    }
}

impl<'a, A: Output<'a>> Outputs<'a> for A {
    fn list(self, list: &mut OutputList<'a>) {
        self.append(list);
    }
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => {$(
        #[allow(non_snake_case, unused_variables)]
        impl<'a, $($name: Input<'a>),*> Inputs<'a> for ($($name,)*) {
            fn list(self, list: &mut InputList<'a>) {
                let ($($name,)*) = self;
                $($name.append(list);)*
            }
        }

        #[allow(non_snake_case, unused_variables)]
        impl<'a, $($name: Output<'a>),*> Outputs<'a> for ($($name,)*) {
            fn list(self, list: &mut OutputList<'a>) {
                let ($($name,)*) = self;
                $($name.append(list);)*
            }
        }
    )*};
}

tuples! {
    ()
    (A)
    (A B)
    (A B C)
    (A B C D)
    (A B C D E)
    (A B C D E F)
    (A B C D E F G)
    (A B C D E F G H)
}
