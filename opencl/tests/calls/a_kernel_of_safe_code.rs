//! A kernel's code fits its specification, which its implementation promises.

use windrow::{Kernel, KernelCode};

struct Mine<K>(K);

impl<K: Kernel> Kernel for Mine<K> {
    const CODE: &'static KernelCode = K::CODE;
    type Inputs<'a> = K::Inputs<'a>;
    type Outputs<'a> = K::Outputs<'a>;
}

fn main() {}
