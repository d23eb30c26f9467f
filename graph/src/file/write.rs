//! A plan to files.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use serde::Serialize;
use windrow::ElementType;

use super::{
    NAMES, constants,
    form::{BufferForm, ElementForm, NamedForm, QuantizationForm, SlotForm, StepForm, VERSION},
};
use crate::{
    plan::{Named, Plan},
    slot::{Root, Slot},
    step::Step,
};

impl Plan {
    /// Writes the plan to a folder, which is made if it is not there: `plan.json` and `constants.bin`.
    ///
    /// Whatever processor writes them, [`Plan::load`] reads them on every other, and the plan computes the same bits there. The same plan
    /// gives the same bytes.
    ///
    /// # Errors
    /// The system's, where a file can't be written.
    pub fn save(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        let (mut plan, mut constants) = (Vec::new(), Vec::new());
        self.write(&mut plan, &mut constants)?;
        let [plan_name, constants_name] = NAMES;
        // The steps last: without them there is no plan.
        fs::write(folder.join(constants_name), constants)?;
        fs::write(folder.join(plan_name), plan)
    }

    /// Writes what [`Plan::save`] writes: the steps to `plan`, the constants to `constants`.
    ///
    /// # Errors
    /// Those of the writers.
    pub fn write(&self, mut plan: impl Write, mut constants: impl Write) -> io::Result<()> {
        let kept = Kept::new(self);
        let (mut bytes, mut forms) = (Vec::new(), Vec::new());
        for &constant in &kept.constants {
            let array = self.constants.get(constant).ok_or_else(missing)?;
            forms.push(constants::append(&mut bytes, array).ok_or_else(missing)?);
        }
        let buffer = |&buffer: &usize| {
            let &(element, count) = self.buffers.get(buffer).ok_or_else(missing)?;
            Ok(BufferForm { element: form(element)?, count })
        };
        let buffers = kept.buffers.iter().map(buffer).collect::<io::Result<Vec<_>>>()?;
        let inputs = self.inputs.iter().map(named).collect::<io::Result<Vec<_>>>()?;
        let outputs = self.outputs.iter().map(named).collect::<io::Result<Vec<_>>>()?;
        let steps = self.steps.iter().map(|step| kept.step(step)).collect::<io::Result<Vec<_>>>()?;
        write!(plan, "{{\n\"windrow_plan\": {VERSION}")?;
        lines(&mut plan, "inputs", &inputs)?;
        lines(&mut plan, "outputs", &outputs)?;
        lines(&mut plan, "constants", &forms)?;
        lines(&mut plan, "buffers", &buffers)?;
        lines(&mut plan, "steps", &steps)?;
        // No line's end behind it: whatever is cut off leaves no plan.
        write!(plan, "\n}}")?;
        constants.write_all(&bytes)
    }
}

/// A list of which each element is a line, for those who read and compare plans.
fn lines<T: Serialize>(out: &mut impl Write, name: &str, elements: &[T]) -> io::Result<()> {
    write!(out, ",\n\"{name}\": [")?;
    for (number, element) in elements.iter().enumerate() {
        out.write_all(if number == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *out, element)?;
    }
    write!(out, "\n]")
}

fn missing() -> io::Error {
    io::Error::other("the plan names memory that it has not, or elements of a type that no file has")
}

fn form(element: ElementType) -> io::Result<ElementForm> {
    ElementForm::new(element).ok_or_else(missing)
}

fn named(named: &Named) -> io::Result<NamedForm> {
    let info = &named.info;
    let element = [ElementForm::F32, ElementForm::I8, ElementForm::U8, ElementForm::I32]
        .into_iter()
        .find(|form| windrow::tensor::DType::from(form.element()) == info.dtype());
    let quantization =
        info.quantization().map(|found| QuantizationForm { scale: found.scale().into(), zero: found.offset() });
    let (name, extents) = (named.name.clone(), info.shape().extents().to_vec());
    Ok(NamedForm { name, element: element.ok_or_else(missing)?, extents, quantization })
}

/// The constants and the buffers that steps use, by their numbers in the plan; their places are those in the file.
struct Kept {
    constants: Vec<usize>,
    buffers: Vec<usize>,
}

impl Kept {
    fn new(plan: &Plan) -> Kept {
        let (mut constants, mut buffers) = (Vec::new(), Vec::new());
        for bound in plan.steps.iter().flat_map(|step| step.reads.iter().chain([&step.writes])) {
            match bound.slot.root {
                Root::Constant(constant) => constants.push(constant),
                Root::Memory(buffer) => buffers.push(buffer),
                Root::Input(_) | Root::Output(_) => {}
            }
        }
        for numbers in [&mut constants, &mut buffers] {
            numbers.sort_unstable();
            numbers.dedup();
        }
        Kept { constants, buffers }
    }

    fn slot(&self, slot: &Slot) -> io::Result<SlotForm> {
        let place = |numbers: &[usize], number: usize| numbers.binary_search(&number).map_err(|_| missing());
        let root = match slot.root {
            Root::Constant(constant) => Root::Constant(place(&self.constants, constant)?),
            Root::Memory(buffer) => Root::Memory(place(&self.buffers, buffer)?),
            root @ (Root::Input(_) | Root::Output(_)) => root,
        };
        Ok(SlotForm::new(slot, root))
    }

    fn step(&self, step: &Step) -> io::Result<StepForm> {
        Ok(StepForm {
            node: step.node.clone(),
            operator: step.operator.clone(),
            kernel: step.call.clone(),
            fused: step.fused.clone(),
            reads: step.reads.iter().map(|bound| self.slot(&bound.slot)).collect::<io::Result<_>>()?,
            writes: self.slot(&step.writes.slot)?,
        })
    }
}
