//! What a run is called with: views and tables, typed in [`Kernel`](crate::Kernel), erased here.
//!
//! One argument is given by itself, several in a tuple of up to eight, in the author's order. An `#[inout]`
//! argument is among the outputs only.

use core::marker::PhantomData;

use crate::{
    element::{Element, ElementType, Primitive},
    list::List,
    view::{AnyView, AnyViewMut, View, ViewMut},
};

pub use crate::limits::MAX_ARGUMENTS;

/// What a kernel reads: an argument, or a tuple of them.
pub trait Inputs<'a> {
    /// Appends the arguments to `list`, in order.
    fn list<'s>(&'s self, list: &mut InputList<'s, 'a>);
}

/// What a kernel writes: an argument, or a tuple of them.
pub trait Outputs<'a> {
    /// Appends the arguments to `list`, in order.
    fn list<'s>(&'s mut self, list: &mut OutputList<'s, 'a>);
}

// SAFETY: a table is a shared borrow of plain data.
unsafe impl Send for AnyTable<'_> {}
// SAFETY: as above.
unsafe impl Sync for AnyTable<'_> {}

/// The arguments that a run reads, without their types and where they are: to copy a view takes as long as to compute a
/// hundred elements.
#[derive(Debug, Default)]
pub struct InputList<'s, 'a> {
    pub(crate) views: List<&'s AnyView<'a>>,
    pub(crate) tables: List<AnyTable<'a>>,
}

/// The arguments that a run writes, without their types and where they are; `None` for one left out.
#[derive(Debug, Default)]
pub struct OutputList<'s, 'a> {
    /// Borrowed exclusively for `'s`.
    pub(crate) places: List<Option<&'s AnyView<'a>>>,
}

/// A look-up table without its type.
#[derive(Clone, Copy, Debug)]
pub struct AnyTable<'a> {
    pub(crate) first: *const u8,
    pub(crate) element: ElementType,
    pub(crate) length: usize,
    pub(crate) data: PhantomData<&'a [u8]>,
}

impl<'s, 'a> InputList<'s, 'a> {
    /// Appends an image.
    #[inline]
    pub fn view(&mut self, view: &'s AnyView<'a>) {
        self.views.push(view);
    }

    /// Appends a table.
    #[inline]
    pub fn table<T: Primitive>(&mut self, entries: &'a [T]) {
        self.any_table(AnyTable::new(entries));
    }

    /// Appends a table whose type is known at run time.
    #[inline]
    pub fn any_table(&mut self, table: AnyTable<'a>) {
        self.tables.push(table);
    }
}

impl<'a> AnyTable<'a> {
    /// Returns the table of these entries.
    pub fn new<T: Primitive>(entries: &'a [T]) -> AnyTable<'a> {
        AnyTable { first: entries.as_ptr().cast(), element: T::ELEMENT, length: entries.len(), data: PhantomData }
    }

    /// Returns the type of the entries.
    pub fn element(&self) -> ElementType {
        self.element
    }

    /// Returns the entries' bytes.
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

impl<'s, 'a> OutputList<'s, 'a> {
    /// Appends an image; `None` for one that the caller leaves out.
    #[inline]
    pub fn view(&mut self, view: Option<&'s mut AnyViewMut<'a>>) {
        self.places.push(view.map(|view| view.place()));
    }
}

/// One argument that a kernel reads.
pub trait Input<'a> {
    /// Appends it to `list`.
    fn append<'s>(&'s self, list: &mut InputList<'s, 'a>);
}

impl<'a, T: Element> Input<'a> for View<'a, T> {
    #[inline]
    fn append<'s>(&'s self, list: &mut InputList<'s, 'a>) {
        list.view(self.as_any());
    }
}

impl<'a, T: Primitive, const N: usize> Input<'a> for &'a [T; N] {
    #[inline]
    fn append<'s>(&'s self, list: &mut InputList<'s, 'a>) {
        list.table(*self);
    }
}

/// One argument that a kernel writes.
pub trait Output<'a> {
    /// Appends it to `list`.
    fn append<'s>(&'s mut self, list: &mut OutputList<'s, 'a>);
}

impl<'a, T: Element> Output<'a> for ViewMut<'a, T> {
    #[inline]
    fn append<'s>(&'s mut self, list: &mut OutputList<'s, 'a>) {
        list.view(Some(self.as_any_mut()));
    }
}

impl<'a, T: Element> Output<'a> for Option<ViewMut<'a, T>> {
    #[inline]
    fn append<'s>(&'s mut self, list: &mut OutputList<'s, 'a>) {
        list.view(self.as_mut().map(ViewMut::as_any_mut));
    }
}

/// What can be given for the arguments `A` of a run: they themselves, or tensors of which views are taken.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be given for the arguments `{A}` of a run",
    label = "expected `{A}`",
    note = "a tensor is given as `&tensor` to be read and as `&mut tensor` to be written; several arguments are given in a tuple",
    note = "images and arrays of other crates are given as `windrow::interop::image::view(&photo)?` and the like, or to `apply`"
)]
pub trait IntoArguments<A> {
    /// Returns the arguments.
    fn into_arguments(self) -> A;
}

macro_rules! themselves {
    ($(($($generics:tt)*) $ty:ty),* $(,)?) => {$(
        impl<$($generics)*> IntoArguments<$ty> for $ty {
            #[inline(always)]
            fn into_arguments(self) -> $ty {
                self
            }
        }
    )*};
}

themselves! {
    ('a, T: Element) View<'a, T>,
    ('a, T: Element) ViewMut<'a, T>,
    ('a, T: Element) Option<ViewMut<'a, T>>,
    ('a, T: Primitive, const N: usize) &'a [T; N],
}

#[cfg(feature = "std")]
impl<'a, T: Element, const N: usize> IntoArguments<View<'a, T>> for &'a crate::tensor::Tensor<T, N> {
    #[inline(always)]
    fn into_arguments(self) -> View<'a, T> {
        self.view()
    }
}

#[cfg(feature = "std")]
impl<'a, T: Element, const N: usize> IntoArguments<ViewMut<'a, T>> for &'a mut crate::tensor::Tensor<T, N> {
    #[inline(always)]
    fn into_arguments(self) -> ViewMut<'a, T> {
        self.view_mut()
    }
}

impl<'a, A: Input<'a>> Inputs<'a> for A {
    #[inline]
    fn list<'s>(&'s self, list: &mut InputList<'s, 'a>) {
        self.append(list);
    }
}

impl<'a, A: Output<'a>> Outputs<'a> for A {
    #[inline]
    fn list<'s>(&'s mut self, list: &mut OutputList<'s, 'a>) {
        self.append(list);
    }
}

macro_rules! tuples {
    ($(($($name:ident $given:ident)*))*) => {$(
        #[allow(non_snake_case, unused_variables)]
        impl<'a, $($name: Input<'a>),*> Inputs<'a> for ($($name,)*) {
            #[inline]
            fn list<'s>(&'s self, list: &mut InputList<'s, 'a>) {
                let ($($name,)*) = self;
                $($name.append(list);)*
            }
        }

        #[allow(non_snake_case, unused_variables)]
        impl<'a, $($name: Output<'a>),*> Outputs<'a> for ($($name,)*) {
            #[inline]
            fn list<'s>(&'s mut self, list: &mut OutputList<'s, 'a>) {
                let ($($name,)*) = self;
                $($name.append(list);)*
            }
        }

        #[allow(non_snake_case, clippy::unused_unit)]
        impl<$($name, $given: IntoArguments<$name>),*> IntoArguments<($($name,)*)> for ($($given,)*) {
            #[inline(always)]
            fn into_arguments(self) -> ($($name,)*) {
                let ($($given,)*) = self;
                ($($given.into_arguments(),)*)
            }
        }
    )*};
}

tuples! {
    ()
    (A A0)
    (A A0 B B0)
    (A A0 B B0 C C0)
    (A A0 B B0 C C0 D D0)
    (A A0 B B0 C C0 D D0 E E0)
    (A A0 B B0 C C0 D D0 E E0 F F0)
    (A A0 B B0 C C0 D D0 E E0 F F0 G G0)
    (A A0 B B0 C C0 D D0 E E0 F F0 G G0 H H0)
}
