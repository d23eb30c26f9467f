//! Plans: operators that are configured, and run as often as their caller likes.

use std::ffi::c_char;

use windrow::{
    ElementType, Primitive, Rayon, Serial, Tier,
    family::{AnyInputs, AnyOutputs, Values},
    language::{bf16, f16},
    spec::{AnyTable, KernelPlan, Request, infer_with_uniforms},
};

use crate::{
    call::{Call, WindrowCall, each},
    catalogue::{WindrowKernel, WindrowOperator},
    status::{Failure, WindrowStatus, guard},
    tensor::{WindrowTensor, put, reference, slice},
    types::WINDROW_MAX_RANK,
};

/// A kernel whose arguments were checked, for tensors of certain shapes. Several threads may run one plan at once.
#[derive(Debug)]
pub struct WindrowPlan {
    plan: KernelPlan,
    kernel: &'static WindrowKernel,
    tables: Vec<Table>,
}

/// A copy of a caller's table.
#[derive(Debug)]
struct Table {
    /// Words are aligned for every entry.
    words: Vec<u64>,
    element: ElementType,
    length: usize,
}

impl Table {
    fn copy(table: &AnyTable<'_>) -> Self {
        let (bytes, element) = (table.as_bytes(), table.element());
        let word = |chunk: &[u8]| {
            let mut word = [0; 8];
            word.iter_mut().zip(chunk).for_each(|(place, &byte)| *place = byte);
            u64::from_ne_bytes(word)
        };
        Self { words: bytes.chunks(8).map(word).collect(), element, length: bytes.len() / element.size() }
    }

    fn entries<T: Primitive>(&self) -> AnyTable<'_> {
        // SAFETY: the words hold `length` entries, for each of which they are aligned; every bit pattern is a number.
        AnyTable::new(unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast::<T>(), self.length) })
    }

    fn as_table(&self) -> AnyTable<'_> {
        match self.element {
            ElementType::U8 => self.entries::<u8>(),
            ElementType::I8 => self.entries::<i8>(),
            ElementType::U16 => self.entries::<u16>(),
            ElementType::I16 => self.entries::<i16>(),
            ElementType::U32 => self.entries::<u32>(),
            ElementType::I32 => self.entries::<i32>(),
            ElementType::F32 => self.entries::<f32>(),
            ElementType::U64 => self.entries::<u64>(),
            ElementType::I64 => self.entries::<i64>(),
            ElementType::F64 => self.entries::<f64>(),
            ElementType::F16 => self.entries::<f16>(),
            ElementType::BF16 => self.entries::<bf16>(),
        }
    }
}

/// Writes what an operator's outputs would be, without gaps and without data: `capacity` tensors at most to `outputs`, and their
/// number to `count`.
///
/// It looks at the inputs, the values, the borders' modes and what is asked of the outputs, and not at the outputs of the call. An
/// operator that reads all of its images anywhere has the shape of the output that it is given, and fails here.
///
/// # Safety
/// `op` is an operator of this library, the pointers in `call` point to what their counts say, `outputs` has room for
/// `capacity` tensors, and `count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn windrow_infer(
    op: *const WindrowOperator,
    call: *const WindrowCall,
    outputs: *mut WindrowTensor,
    capacity: usize,
    count: *mut usize,
) -> WindrowStatus {
    guard(|| {
        // SAFETY: the caller's promises, here and below.
        let (operator, call) = unsafe { (reference(op, "op")?, reference(call, "call")?) };
        let call = unsafe { Call::new(call, &operator.family) }?;
        let inputs = call.input_infos();
        let code = operator.family.member(&call.asked(&inputs, &[]))?;
        let spec = code.spec();
        let words = match spec.window {
            Some(_) => operator.family.values(code, &call.values)?.words,
            None => Vec::new(),
        };
        let inferred = infer_with_uniforms(spec, &inputs, &words, call.borders.modes())?;
        unsafe { put(count, spec.outputs.len(), "count") }?;
        for index in 0..spec.outputs.len().min(capacity) {
            let found = inferred.output(index).map(|info| WindrowTensor::of(&info, std::ptr::null_mut()));
            if outputs.is_null() {
                return Err(Failure::null("outputs"));
            }
            unsafe { put(outputs.add(index), found.unwrap_or(WindrowTensor::NONE), "outputs") }?;
        }
        Ok(())
    })
}

/// Chooses the kernel of an operator for a call, checks everything that is the same for all runs, and writes the plan to `plan`.
///
/// The plan keeps nothing of the call: tables are copied. `windrow_plan_free` releases it.
///
/// # Safety
/// `op` is an operator of this library, the pointers in `call` point to what their counts say, and `plan` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn windrow_configure(
    op: *const WindrowOperator,
    call: *const WindrowCall,
    plan: *mut *mut WindrowPlan,
) -> WindrowStatus {
    guard(|| {
        if plan.is_null() {
            return Err(Failure::null("plan"));
        }
        // SAFETY: the caller's promises, here and below.
        let (operator, call) = unsafe { (reference(op, "op")?, reference(call, "call")?) };
        let call = unsafe { Call::new(call, &operator.family) }?;
        let (inputs, outputs) = (call.input_infos(), call.output_infos());
        let code = operator.family.member(&call.asked(&inputs, &outputs))?;
        let Values { words, choice, tables } = operator.family.values(code, &call.values)?;
        let request =
            Request { inputs: &inputs, outputs: &outputs, words: &words, choice: &choice, border: call.borders };
        let kernel = operator.kernels.iter().find(|kernel| std::ptr::eq(kernel.code, code));
        let kernel = kernel.ok_or_else(|| Failure::number("the kernel is not the operator's"))?;
        let tables = tables.iter().map(Table::copy).collect();
        let made = Box::new(WindrowPlan { plan: KernelPlan::new(code, &request)?, kernel, tables });
        unsafe { put(plan, Box::into_raw(made), "plan") }
    })
}

/// Computes the outputs of a plan.
///
/// The tensors are checked against the plan each time: types, channels, shapes, alignment, and that an output shares no memory with
/// another tensor, except exactly with an input of which only the element itself is read. Strides and places may differ from run to
/// run. Elements that need an undefined border, and bytes between elements, are left as they are.
///
/// `threads` is the number of threads: 1 is the caller's alone, 0 as many as there are processors.
///
/// # Safety
/// `plan` is a plan that was not freed. For the whole call, every element of the inputs is readable and nothing writes to one; every
/// element of the outputs is readable and writable, and nobody else reads or writes one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn windrow_run(
    plan: *const WindrowPlan,
    inputs: *const WindrowTensor,
    input_count: usize,
    outputs: *const WindrowTensor,
    output_count: usize,
    threads: u32,
) -> WindrowStatus {
    guard(|| {
        // SAFETY: the caller's promises, here and below.
        let plan = unsafe { reference(plan, "plan") }?;
        let (inputs, outputs) =
            unsafe { (slice(inputs, input_count, "inputs")?, slice(outputs, output_count, "outputs")?) };
        let views = each(inputs, "inputs", |tensor| unsafe { tensor.view() })?;
        let mut written = each(outputs, "outputs", |tensor| unsafe { tensor.view_mut() })?;
        let tables: Vec<_> = plan.tables.iter().map(Table::as_table).collect();
        let inputs = AnyInputs { views: &views, tables: &tables };
        if threads == 1 {
            plan.plan.run(&Serial, inputs, AnyOutputs(&mut written))?;
        } else {
            let scheduler = Rayon::new();
            scheduler.set_num_threads(threads as usize);
            plan.plan.run(&scheduler, inputs, AnyOutputs(&mut written))?;
        }
        Ok(())
    })
}

/// Returns the kernel that a plan runs; null for null.
///
/// # Safety
/// `plan` is a plan that was not freed, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn windrow_plan_kernel(plan: *const WindrowPlan) -> *const WindrowKernel {
    // SAFETY: the caller's promise.
    unsafe { plan.as_ref() }.map_or(std::ptr::null(), |plan| std::ptr::from_ref(plan.kernel))
}

/// Returns which of the processor's instruction sets a plan uses, as "avx2"; null for null. The text lives as long as the program.
///
/// # Safety
/// `plan` is a plan that was not freed, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn windrow_plan_tier(plan: *const WindrowPlan) -> *const c_char {
    // SAFETY: the caller's promise.
    let Some(plan) = (unsafe { plan.as_ref() }) else { return std::ptr::null() };
    let name = match plan.plan.tier() {
        Tier::Scalar => c"scalar",
        Tier::Neon => c"neon",
        Tier::DotProd => c"dotprod",
        Tier::Sse41 => c"sse4.1",
        Tier::Avx2 => c"avx2",
        Tier::Avx512 => c"avx512",
    };
    name.as_ptr()
}

/// Writes the part of every output that a run writes: the first coordinates, and those behind the last, one for each dimension,
/// outermost first. Smaller than the output only with an undefined border.
///
/// # Safety
/// `plan` is a plan that was not freed; `start` and `end` each have room for `WINDROW_MAX_RANK` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn windrow_plan_valid_region(
    plan: *const WindrowPlan,
    start: *mut usize,
    end: *mut usize,
) -> WindrowStatus {
    guard(|| {
        // SAFETY: the caller's promises, here and below.
        let plan = unsafe { reference(plan, "plan") }?;
        if start.is_null() || end.is_null() {
            return Err(Failure::null(if start.is_null() { "start" } else { "end" }));
        }
        let ranges = plan.plan.valid_region().ranges().chain(std::iter::repeat(0..0));
        for (dimension, range) in ranges.take(WINDROW_MAX_RANK).enumerate() {
            unsafe { put(start.add(dimension), range.start, "start") }?;
            unsafe { put(end.add(dimension), range.end, "end") }?;
        }
        Ok(())
    })
}

/// Releases a plan; null is nothing.
///
/// # Safety
/// `plan` was written by `windrow_configure`, was not freed, and no thread runs it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn windrow_plan_free(plan: *mut WindrowPlan) {
    guard(|| {
        if !plan.is_null() {
            // SAFETY: the caller's promise: `windrow_configure` made it of a box.
            drop(unsafe { Box::from_raw(plan) });
        }
        Ok(())
    });
}
