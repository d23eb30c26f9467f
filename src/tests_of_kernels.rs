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
///         shapes: [[1920, 3], [1, 700]],
///         data: [checkerboard],
///         seeds: [1, 2],
///         cases: 32,
///     }
/// }
/// ```
///
/// Each of `shapes`, `data`, `seeds` and `cases` may be left out, in this order. `shapes` are the extents of outputs. `data`
/// are functions from a place in an image to a value; they replace the contents that every kernel is tested with. `cases` is
/// the number of random cases beyond those of the generated tests; they differ from run to run.
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
        }
    )*};
}

/// Without the feature `testing`, tests are not written.
#[cfg(not(feature = "testing"))]
#[macro_export]
macro_rules! property_tests {
    ($($tests:tt)*) => {};
}

/// Generated tests: one module for each kernel, one test for each target. Empty without the feature `testing`.
#[cfg(feature = "testing")]
#[doc(hidden)]
#[macro_export]
macro_rules! __kernel_tests {
    ($module:ident $kernel:ty) => {
        #[cfg(test)]
        #[allow(non_snake_case)]
        mod $module {
            #[allow(unused_imports)]
            use super::*;

            ::windrow::__target_tests! { ::windrow::testing::check::<$kernel> }

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
    ($module:ident $kernel:ty) => {};
}
