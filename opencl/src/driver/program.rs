//! Programs and kernels.

use crate::{
    Call, Driver, DriverError,
    driver::{
        handle::{ContextObject, Handle, KernelObject, MemoryObject, ProgramObject, SamplerObject},
        ids::DeviceId,
        platform::text,
    },
};
use opencl3::{
    kernel::{create_kernel, get_kernel_work_group_data, set_kernel_arg},
    program::{
        CL_PROGRAM_BINARIES, CL_PROGRAM_BUILD_LOG, build_program, create_program_with_binary,
        create_program_with_source, get_program_build_data, get_program_info,
    },
    types::cl_uint,
};
use std::{ffi::CStr, ptr};

impl Driver {
    pub(crate) fn create_program_with_source(
        &self,
        context: &Handle<ContextObject>,
        source: &str,
    ) -> Result<Handle<ProgramObject>, DriverError> {
        // A length of 0 says that the text ends where a 0 is found, which no `str` has.
        let source = if source.is_empty() { "\n" } else { source };
        self.create(Call::CreateProgramWithSource, || create_program_with_source(context.raw(), &[source]))
    }

    /// # Safety
    /// `binary` came from this device and driver: some crash on any other bytes.
    pub(crate) unsafe fn create_program_with_binary(
        &self,
        context: &Handle<ContextObject>,
        device: DeviceId,
        binary: &[u8],
    ) -> Result<Handle<ProgramObject>, DriverError> {
        // SAFETY: the caller's contract.
        self.create(Call::CreateProgramWithBinary, || unsafe {
            create_program_with_binary(context.raw(), &[device.0], &[binary])
        })
    }

    /// Compiles a source, or links a binary.
    pub(crate) fn build_program(
        &self,
        program: &Handle<ProgramObject>,
        device: DeviceId,
        options: &CStr,
    ) -> Result<(), DriverError> {
        self.make(Call::BuildProgram, || build_program(program.raw(), &[device.0], options, None, ptr::null_mut()))
    }

    /// What the driver's compiler said.
    pub(crate) fn build_log(&self, program: &Handle<ProgramObject>, device: DeviceId) -> Result<String, DriverError> {
        let log = self
            .make(Call::GetProgramBuildInfo, || get_program_build_data(program.raw(), device.0, CL_PROGRAM_BUILD_LOG));
        log.map(|bytes| text(&bytes))
    }

    /// The program's binaries, one a device of its context.
    pub(crate) fn program_binaries(&self, program: &Handle<ProgramObject>) -> Result<Vec<Vec<u8>>, DriverError> {
        self.make(Call::GetProgramInfo, || get_program_info(program.raw(), CL_PROGRAM_BINARIES)).map(Into::into)
    }

    pub(crate) fn create_kernel(
        &self,
        program: &Handle<ProgramObject>,
        name: &CStr,
    ) -> Result<Handle<KernelObject>, DriverError> {
        self.create(Call::CreateKernel, || create_kernel(program.raw(), name))
    }

    /// Sets an argument to the bytes of `value`. The library checks their number.
    ///
    /// # Safety
    /// The argument is a scalar or a structure of plain data.
    pub(crate) unsafe fn set_argument<T: Copy>(
        &self,
        kernel: &Handle<KernelObject>,
        index: cl_uint,
        value: &T,
    ) -> Result<(), DriverError> {
        // SAFETY: `value` is read during the call only.
        self.make(Call::SetKernelArgument, || unsafe {
            set_kernel_arg(kernel.raw(), index, size_of::<T>(), (&raw const *value).cast())
        })
    }

    /// Sets an argument to bytes whose type the caller knows; without any, to `length` bytes of local memory.
    ///
    /// # Safety
    /// The argument is a scalar or a structure of plain data, or local memory.
    pub(crate) unsafe fn set_argument_bytes(
        &self,
        kernel: &Handle<KernelObject>,
        index: cl_uint,
        length: usize,
        bytes: Option<&[u8]>,
    ) -> Result<(), DriverError> {
        let bytes = bytes.map_or(ptr::null(), <[u8]>::as_ptr);
        // SAFETY: the bytes are read during the call only; the library checks their number.
        self.make(Call::SetKernelArgument, || unsafe { set_kernel_arg(kernel.raw(), index, length, bytes.cast()) })
    }

    /// Sets an argument to memory. It doesn't keep the memory alive in every driver.
    pub(crate) fn set_memory_argument(
        &self,
        kernel: &Handle<KernelObject>,
        index: cl_uint,
        memory: &Handle<MemoryObject>,
    ) -> Result<(), DriverError> {
        // SAFETY: a live object; the library refuses one where the argument is none.
        unsafe { self.set_argument(kernel, index, &memory.raw()) }
    }

    /// Sets an argument to a sampler. It doesn't keep the sampler alive in every driver.
    pub(crate) fn set_sampler_argument(
        &self,
        kernel: &Handle<KernelObject>,
        index: cl_uint,
        sampler: &Handle<SamplerObject>,
    ) -> Result<(), DriverError> {
        // SAFETY: a live object; the library refuses one where the argument is none.
        unsafe { self.set_argument(kernel, index, &sampler.raw()) }
    }

    pub(crate) fn kernel_work_group_info(
        &self,
        kernel: &Handle<KernelObject>,
        device: DeviceId,
        name: cl_uint,
    ) -> Result<Vec<u8>, DriverError> {
        self.make(Call::GetKernelWorkGroupInfo, || get_kernel_work_group_data(kernel.raw(), device.0, name))
    }
}
