//! The table of all functions of the OpenCL library that are called, with what each does.
//!
//! [`super::Driver`] makes every call under its row here: what counts, what fails on purpose in tests and what is
//! serialised follows from the role.

use std::fmt;

/// What kind of object the library hands out and takes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each is named after the object of the standard")]
pub enum ObjectKind {
    Context,
    Queue,
    Memory,
    Sampler,
    Program,
    Kernel,
    Event,
    CommandBuffer,
}

/// What a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Asks, and changes nothing.
    Query,
    /// Makes an object.
    Create(ObjectKind),
    /// Takes part in an object that a caller made.
    Retain(ObjectKind),
    /// Gives an object back.
    Release(ObjectKind),
    /// Compiles a program, or links a binary.
    Build,
    /// Sets an argument, or records a command for later.
    Set,
    /// Moves bytes between the host and a device, or maps them.
    Transfer,
    /// Moves bytes on a device.
    Copy,
    /// Runs kernels.
    Launch,
    /// Orders commands, or waits for them.
    Order,
}

macro_rules! table {
    ($($call:ident $name:literal $role:expr,)*) => {
        /// A function of the OpenCL library.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "each is named after the C function")]
        pub enum Call { $($call,)* }

        impl Call {
            /// Every function, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$call,)*];

            /// Returns the C function.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$call => $name,)* }
            }

            /// Returns what the call does.
            pub const fn role(self) -> Role {
                use self::{ObjectKind::*, Role::*};
                match self { $(Self::$call => $role,)* }
            }
        }
    };
}

table! {
    GetPlatformIds           "clGetPlatformIDs"                         Query,
    GetPlatformInfo          "clGetPlatformInfo"                        Query,
    GetDeviceIds             "clGetDeviceIDs"                           Query,
    GetDeviceInfo            "clGetDeviceInfo"                          Query,
    GetExtensionFunction     "clGetExtensionFunctionAddressForPlatform" Query,
    CreateContext            "clCreateContext"                          Create(Context),
    RetainContext            "clRetainContext"                          Retain(Context),
    ReleaseContext           "clReleaseContext"                         Release(Context),
    GetContextInfo           "clGetContextInfo"                         Query,
    CreateQueue              "clCreateCommandQueue"                     Create(Queue),
    CreateQueueWithHints     "clCreateCommandQueueWithProperties"       Create(Queue),
    RetainQueue              "clRetainCommandQueue"                     Retain(Queue),
    ReleaseQueue             "clReleaseCommandQueue"                    Release(Queue),
    GetQueueInfo             "clGetCommandQueueInfo"                    Query,
    CreateBuffer             "clCreateBuffer"                           Create(Memory),
    CreateSubBuffer          "clCreateSubBuffer"                        Create(Memory),
    CreateImage              "clCreateImage"                            Create(Memory),
    ReleaseMemory            "clReleaseMemObject"                       Release(Memory),
    GetMemoryInfo            "clGetMemObjectInfo"                       Query,
    GetImageFormats          "clGetSupportedImageFormats"               Query,
    CreateSampler            "clCreateSampler"                          Create(Sampler),
    ReleaseSampler           "clReleaseSampler"                         Release(Sampler),
    CreateProgramWithSource  "clCreateProgramWithSource"                Create(Program),
    CreateProgramWithBinary  "clCreateProgramWithBinary"                Create(Program),
    ReleaseProgram           "clReleaseProgram"                         Release(Program),
    BuildProgram             "clBuildProgram"                           Build,
    GetProgramInfo           "clGetProgramInfo"                         Query,
    GetProgramBuildInfo      "clGetProgramBuildInfo"                    Query,
    CreateKernel             "clCreateKernel"                           Create(Kernel),
    ReleaseKernel            "clReleaseKernel"                          Release(Kernel),
    SetKernelArgument        "clSetKernelArg"                           Set,
    GetKernelInfo            "clGetKernelInfo"                          Query,
    GetKernelWorkGroupInfo   "clGetKernelWorkGroupInfo"                 Query,
    WriteBuffer              "clEnqueueWriteBuffer"                     Transfer,
    WriteBufferRect          "clEnqueueWriteBufferRect"                 Transfer,
    ReadBuffer               "clEnqueueReadBuffer"                      Transfer,
    ReadBufferRect           "clEnqueueReadBufferRect"                  Transfer,
    MapBuffer                "clEnqueueMapBuffer"                       Transfer,
    UnmapMemory              "clEnqueueUnmapMemObject"                  Transfer,
    WriteImage               "clEnqueueWriteImage"                      Transfer,
    ReadImage                "clEnqueueReadImage"                       Transfer,
    CopyBuffer               "clEnqueueCopyBuffer"                      Copy,
    CopyBufferRect           "clEnqueueCopyBufferRect"                  Copy,
    CopyBufferToImage        "clEnqueueCopyBufferToImage"               Copy,
    CopyImageToBuffer        "clEnqueueCopyImageToBuffer"               Copy,
    LaunchKernel             "clEnqueueNDRangeKernel"                   Launch,
    Marker                   "clEnqueueMarkerWithWaitList"              Order,
    Barrier                  "clEnqueueBarrierWithWaitList"             Order,
    Flush                    "clFlush"                                  Order,
    Finish                   "clFinish"                                 Order,
    WaitForEvents            "clWaitForEvents"                          Order,
    CreateUserEvent          "clCreateUserEvent"                        Create(Event),
    SetUserEventStatus       "clSetUserEventStatus"                     Order,
    SetEventCallback         "clSetEventCallback"                       Order,
    RetainEvent              "clRetainEvent"                            Retain(Event),
    ReleaseEvent             "clReleaseEvent"                           Release(Event),
    GetEventInfo             "clGetEventInfo"                           Query,
    GetEventProfilingInfo    "clGetEventProfilingInfo"                  Query,
    CreateCommandBuffer      "clCreateCommandBufferKHR"                 Create(CommandBuffer),
    ReleaseCommandBuffer     "clReleaseCommandBufferKHR"                Release(CommandBuffer),
    RecordKernel             "clCommandNDRangeKernelKHR"                Set,
    FinalizeCommandBuffer    "clFinalizeCommandBufferKHR"               Set,
    LaunchCommandBuffer      "clEnqueueCommandBufferKHR"                Launch,
}

impl Call {
    /// The row of the function.
    pub(super) const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
