//! The macro that answers a pipeline for what is no kernel.

/// Calls back with what it was given, as the macro beside a kernel does, and with nothing more.
#[doc(hidden)]
#[macro_export]
macro_rules! __no_kernel {
    ($back:path [ $($state:tt)* ]) => { $back! { [ $($state)* ] } };
}
