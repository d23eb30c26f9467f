//! The tests that are written beside a kernel: the generated ones, and those that an author adds.

/// Tests of an author's own for a kernel, beside the generated ones: one for each target, in a module.
///
/// ```
/// use windrow::language::*;
///
/// #[kernel]
/// pub fn invert(x: u8) -> u8 {
///     255 - x
/// }
///
/// /// Fields of 8×8 elements, in turn black and white.
/// #[cfg(test)]
/// fn checkerboard(place: windrow::testing::Place) -> f64 {
///     if (place.at[0] / 8 + place.at[1] / 8) % 2 == 0 { 0.0 } else { 255.0 }
/// }
///
/// windrow::property_tests! {
///     mod wide_images: invert {
///         shapes: [[3, 1920], [700, 1]],
///         data: [checkerboard],
///         seeds: [1, 2],
///         cases: 32,
///     }
/// }
/// ```
///
/// Each of `shapes`, `data`, `seeds` and `cases` may be left out, in this order. `shapes` are those of outputs, outermost extent
/// first. `data` are functions from a place in an image to a value; they replace the contents that every kernel is tested with.
/// `cases` is the number of random cases beyond those of the generated tests; they differ from run to run.
///
/// Without the feature `testing`, which belongs among an author's dev-dependencies, the macro writes nothing.
#[cfg(feature = "testing")]
#[macro_export]
macro_rules! property_tests {
    ($(mod $module:ident: $kernel:ty {
        $(shapes: [$($shape:expr),* $(,)?],)?
        $(data: [$($data:path),* $(,)?],)?
        $(seeds: [$($seed:expr),* $(,)?],)?
        $(cases: $cases:expr,)?
    })*) => {$(
        #[cfg(test)]
        mod $module {
            #[allow(unused_imports)]
            use super::*;

            fn check(target: ::windrow::testing::Target) {
                let additions = ::windrow::testing::Additions {
                    shapes: &[$($(&$shape),*)?],
                    data: &[$($(::windrow::testing::OwnData { name: ::core::stringify!($data), value: $data }),*)?],
                    seeds: &[$($($seed),*)?],
                    cases: 0 $(+ $cases)?,
                };
                ::windrow::testing::check_more::<$kernel>(target, &additions);
            }

            ::windrow::__target_tests! { check }

            #[::windrow::__rt::test_on(dotprod)]
            fn dotprod() {
                check(::windrow::testing::Target::DotProd);
            }
        }
    )*};
}

/// Without the feature `testing`, tests are not written.
#[cfg(not(feature = "testing"))]
#[macro_export]
macro_rules! property_tests {
    ($($tests:tt)*) => {};
}

/// Generated tests of a chain: whole, in bands, on a device and with its stages in mixed places it gives what its operators give one
/// after another.
///
/// The chain is a function from the infos of its inputs to a builder; the types in brackets are the inputs' elements.
///
/// ```
/// use windrow::{TensorInfo, chain::{ChainBuilder, FunctionError}, language::*};
///
/// #[kernel]
/// pub fn invert(x: u8) -> u8 {
///     255 - x
/// }
///
/// pub fn twice(inputs: &[TensorInfo]) -> Result<ChainBuilder, FunctionError> {
///     let image = &inputs[0];
///     let mut chain = ChainBuilder::new();
///     let src = chain.input(*image);
///     let [once] = chain.add(&invert::configure(image, image)?, &[src])?;
///     let [twice] = chain.add(&invert::configure(image, image)?, &[once])?;
///     chain.output(twice)?;
///     Ok(chain)
/// }
///
/// windrow::chain_tests! { mod invert_twice: twice(u8); }
/// ```
///
/// A chain that can't run in one of the ways says so, and the test shows that it is refused:
/// `mod name: function(u8), refused: [in_bands];`. The tests are `whole`, `in_bands`, `on_device` and `placed`.
///
/// Without the feature `testing` the macro writes nothing.
#[cfg(feature = "testing")]
#[macro_export]
macro_rules! chain_tests {
    ($(mod $module:ident: $chain:ident($($element:ty),* $(,)?) $(, refused: [$($refused:ident),* $(,)?])?;)*) => {
        $($crate::chain_tests! { @one $module ($chain) ($($element),*) ($($($refused),*)?) })*
    };
    (@one $module:ident ($chain:ident) ($($element:ty),*) ($($refused:ident),*)) => {
        #[cfg(test)]
        mod $module {
            #[allow(unused_imports)]
            use super::*;

            fn chain() -> ::windrow::testing::ChainUnderTest<'static> {
                ::windrow::testing::ChainUnderTest {
                    name: ::core::stringify!($chain),
                    build: &$chain,
                    inputs: &[$((
                        <$element as ::windrow::tensor::KernelElement>::CHANNEL,
                        <$element as ::windrow::Element>::CHANNELS,
                    )),*],
                    refused: &[$(::core::stringify!($refused)),*],
                }
            }

            #[test]
            fn whole() {
                ::windrow::testing::check_chain(&chain(), "whole", &::windrow::testing::processor_ways("whole"));
            }

            #[test]
            fn in_bands() {
                ::windrow::testing::check_chain(&chain(), "in_bands", &::windrow::testing::processor_ways("in_bands"));
            }

            #[::windrow::__rt::test_on(opencl)]
            fn on_device() {
                ::windrow::testing::check_chain_on_device(&chain());
            }

            #[::windrow::__rt::test_on(opencl)]
            fn placed() {
                ::windrow::testing::check_chain_placed(&chain());
            }
        }
    };
}

/// Without the feature `testing`, tests are not written.
#[cfg(not(feature = "testing"))]
#[macro_export]
macro_rules! chain_tests {
    ($($tests:tt)*) => {};
}

/// Generated tests: one module for each kernel, one test for each target; and one for `dotprod` where the kernel has such
/// a body. Empty without the feature `testing`.
#[cfg(feature = "testing")]
#[doc(hidden)]
#[macro_export]
macro_rules! __kernel_tests {
    ($module:ident $kernel:ty $(, $target:ident)*) => {
        #[cfg(test)]
        #[allow(non_snake_case)]
        mod $module {
            #[allow(unused_imports)]
            use super::*;

            ::windrow::__target_tests! { ::windrow::testing::check::<$kernel> }

            $(
                #[::windrow::__rt::test_on($target)]
                fn $target() {
                    ::windrow::testing::check::<$kernel>(::windrow::testing::Target::DotProd);
                }
            )*

            #[test]
            fn required_targets() {
                ::windrow::testing::check_required(&::windrow::__rt::targets_not_here!());
            }

            #[test]
            fn digest() {
                ::windrow::testing::check_digest::<$kernel>(::core::env!("CARGO_MANIFEST_DIR"));
            }
        }
    };
}

/// One test for each target; those that are not there are ignored.
#[cfg(feature = "testing")]
#[doc(hidden)]
#[macro_export]
macro_rules! __target_tests {
    ($($check:tt)*) => {
        #[test]
        fn scalar() {
            $($check)*(::windrow::testing::Target::Scalar);
        }

        #[::windrow::__rt::test_on(neon)]
        fn neon() {
            $($check)*(::windrow::testing::Target::Neon);
        }

        #[::windrow::__rt::test_on(sse41)]
        fn sse41() {
            $($check)*(::windrow::testing::Target::Sse41);
        }

        #[::windrow::__rt::test_on(avx2)]
        fn avx2() {
            $($check)*(::windrow::testing::Target::Avx2);
        }

        #[::windrow::__rt::test_on(avx512)]
        fn avx512() {
            $($check)*(::windrow::testing::Target::Avx512);
        }

        #[::windrow::__rt::test_on(opencl)]
        fn opencl() {
            $($check)*(::windrow::testing::Target::OpenCl);
        }
    };
}

/// Generated tests: none without the feature `testing`.
#[cfg(not(feature = "testing"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __kernel_tests {
    ($($kernel:tt)*) => {};
}

/// Generated tests of a pipeline: one for each target. Empty without the feature `testing`.
#[cfg(feature = "testing")]
#[doc(hidden)]
#[macro_export]
macro_rules! __pipeline_tests {
    ($module:ident $pipeline:ty) => {
        #[cfg(test)]
        #[allow(non_snake_case)]
        mod $module {
            #[allow(unused_imports)]
            use super::*;

            ::windrow::__target_tests! { ::windrow::testing::check_pipeline::<$pipeline> }

            #[test]
            fn required_targets() {
                ::windrow::testing::check_required(&::windrow::__rt::targets_not_here!());
            }
        }
    };
}

/// Generated tests: none without the feature `testing`.
#[cfg(not(feature = "testing"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __pipeline_tests {
    ($module:ident $pipeline:ty) => {};
}

/// What only generated tests need; those of a library may be a program of their own.
#[cfg(feature = "testing")]
#[doc(hidden)]
#[macro_export]
macro_rules! __for_tests {
    ($item:item) => {
        $item
    };
}

/// What only generated tests need: nothing without the feature `testing`.
#[cfg(not(feature = "testing"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __for_tests {
    ($item:item) => {};
}
