//! The float environment of a thread: kernels compute in the default one, whatever a host has set.
//!
//! Flushed subnormals (`-ffast-math` sets that for whole programs) or another rounding mode change results, so that a kernel's
//! would no longer be those of its reference. A run of a kernel that computes with floats reads the control register at the
//! start of each part, sets the default where it differs, and restores what it found.

use core::marker::PhantomData;

/// The default float environment; the thread's own is restored when this is dropped.
pub(crate) struct DefaultFloats {
    /// The control register's bits, where they were others.
    changed: Option<register::Bits>,
    /// It belongs to this thread.
    thread: PhantomData<*const ()>,
}

impl DefaultFloats {
    /// Sets the default environment for a kernel that computes with floats.
    #[inline]
    pub fn set_for(spec: &crate::spec::KernelSpec) -> Option<DefaultFloats> {
        spec.floats.then(DefaultFloats::set)
    }

    fn set() -> DefaultFloats {
        let found = register::read();
        let changed = (!register::is_default(found)).then_some(found);
        if changed.is_some() {
            // SAFETY: the bits are those that Rust's own code expects.
            unsafe { register::write(register::DEFAULT) };
        }
        DefaultFloats { changed, thread: PhantomData }
    }
}

impl Drop for DefaultFloats {
    fn drop(&mut self) {
        if let Some(found) = self.changed {
            // SAFETY: the bits are those that were there: what runs from here on has run under them before.
            unsafe { register::write(found) };
        }
    }
}

/// MXCSR.
#[cfg(all(target_arch = "x86_64", target_feature = "sse", not(miri)))]
mod register {
    use core::arch::asm;

    pub type Bits = u32;

    /// Every exception masked, rounded to nearest, subnormals kept.
    pub const DEFAULT: Bits = 0x1f80;

    /// All but the flags of exceptions that have occurred.
    const CONTROL: Bits = 0xffc0;

    pub fn is_default(bits: Bits) -> bool {
        bits & CONTROL == DEFAULT
    }

    #[inline]
    pub fn read() -> Bits {
        let mut bits = 0;
        // SAFETY: it stores the register's four bytes.
        unsafe { asm!("stmxcsr [{}]", in(reg) &mut bits, options(nostack, preserves_flags)) };
        bits
    }

    /// # Safety
    /// `bits` are those of a register, and what runs from here on may run under them.
    pub unsafe fn write(bits: Bits) {
        // SAFETY: the caller's; it loads four bytes.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &bits, options(nostack)) };
    }
}

/// FPCR.
#[cfg(all(target_arch = "aarch64", target_feature = "neon", not(miri)))]
mod register {
    use core::arch::asm;

    pub type Bits = u64;

    /// No exception trapped, rounded to nearest, subnormals kept, NaNs carried on.
    pub const DEFAULT: Bits = 0;

    pub fn is_default(bits: Bits) -> bool {
        bits == DEFAULT
    }

    #[inline]
    pub fn read() -> Bits {
        let bits;
        // SAFETY: it reads the register.
        unsafe { asm!("mrs {}, fpcr", out(reg) bits, options(nostack, preserves_flags)) };
        bits
    }

    /// # Safety
    /// `bits` are those of a register, and what runs from here on may run under them.
    pub unsafe fn write(bits: Bits) {
        // SAFETY: the caller's.
        unsafe { asm!("msr fpcr, {}", in(reg) bits, options(nostack)) };
    }
}

/// Where no register is known, or none is there.
#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "sse", not(miri)),
    all(target_arch = "aarch64", target_feature = "neon", not(miri))
)))]
mod register {
    pub type Bits = ();

    pub const DEFAULT: Bits = ();

    pub fn is_default((): Bits) -> bool {
        true
    }

    pub fn read() -> Bits {}

    /// # Safety
    /// None is needed.
    pub unsafe fn write((): Bits) {}
}
