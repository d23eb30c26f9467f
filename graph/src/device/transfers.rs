//! What has to be moved between the device and the processor, where both compute steps of a plan.
//!
//! Each side has memory of its own for intermediates, cut as the plan cuts it: a buffer takes the same bytes of both, and an element has
//! the same place in both. A step finds its tensors where the plan says, on whichever side it is computed. A *value* is what one step
//! writes, or an input. Its home is where it is written, and it is moved to the other side, once, if a step there reads one of its
//! elements; a constant is brought to the device for the steps there, and stays with the processor. What the memory plan shares stays
//! right, since:
//!
//! - **Buffers that share bytes** are never needed at the same time. A value is moved no earlier than it is written and no later than it
//!   is first read on the other side; both steps lie in its buffer's lifetime, and steps have the plan's order on both sides. So nothing
//!   that is needed is overwritten there, and nothing overwrites the value before it is read.
//! - **Values that share a buffer**, as the parts of a joined tensor do, are moved each by itself, and no element between them is: what
//!   the other side has written there stays. They go together where one side writes all of the buffer before the other reads any of it.
//! - **Values of which one is written over another**, in a plan from a file, reach the other side in the order in which they are written:
//!   what the device writes is moved right behind its step, and what the processor writes before the device's next step that writes to
//!   the buffer.
//! - **Views** are strides over what a step has written. They are never moved: what they look at is.
//!
//! No step writes to a buffer that it reads, so that there is nothing that is computed in its own place.

use std::{collections::BTreeMap, fmt};

use crate::{
    plan::Plan,
    slot::{Root, Slot},
};

/// A tensor that each run of a [`DevicePlan`](crate::DevicePlan) moves between the device and the processor.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Transfer {
    /// The name of an input, of an output that is moved as a whole, or else of the node that writes it; of several the last.
    pub value: String,
    /// The memory that it lies in.
    pub root: Root,
    /// The step that writes it, of several the last; `None` of an input.
    pub written: Option<usize>,
    /// Where it is brought.
    pub direction: Direction,
    /// The step before which it is brought to the device, or behind which it is brought to the processor.
    pub step: usize,
    /// The bytes of its elements.
    pub bytes: usize,
}

/// Where a tensor is brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// To the device, before a step.
    ToDevice,
    /// To the processor, behind a step.
    ToProcessor,
}

impl Transfer {
    /// Whether it comes before a step, to the device.
    pub(super) fn is_before(&self, step: usize) -> bool {
        self.direction == Direction::ToDevice && self.step == step
    }

    /// Whether it comes behind a step, to the processor.
    pub(super) fn is_behind(&self, step: usize) -> bool {
        self.direction == Direction::ToProcessor && self.step == step
    }
}

impl fmt::Display for Transfer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (place, order) = match self.direction {
            Direction::ToDevice => ("device", "before"),
            Direction::ToProcessor => ("processor", "behind"),
        };
        write!(f, "`{}` to the {place}, {} bytes {order} step {}", self.value, self.bytes, self.step)
    }
}

/// A transfer, and where its elements lie on both sides.
#[derive(Debug)]
pub(super) struct Planned {
    pub transfer: Transfer,
    pub slot: Slot,
}

/// A use of some memory: a step's, or the caller's behind all steps.
struct Access {
    step: usize,
    slot: Slot,
    writes: bool,
    on_device: bool,
}

/// What a step writes.
struct Value {
    step: usize,
    slot: Slot,
    on_device: bool,
    /// The first step on the other side that reads an element of it.
    needed: Option<usize>,
}

/// What each run moves where these steps are computed on the device and the others with the processor, in the order in which it does.
pub(super) fn transfers(plan: &Plan, on_device: &[bool]) -> Vec<Planned> {
    let mut found = Vec::new();
    for (root, accesses) in accesses(plan, on_device) {
        match root {
            Root::Input(_) if accesses.iter().any(|access| access.on_device) => {
                found.extend(of_input(plan, root, on_device));
            }
            Root::Output(_) | Root::Memory(_) => of_written(plan, root, &accesses, &mut found),
            Root::Input(_) | Root::Constant(_) => {}
        }
    }
    found.sort_by_key(|planned| (planned.transfer.step, planned.transfer.direction));
    found
}

/// The uses of each memory, in order.
fn accesses(plan: &Plan, on_device: &[bool]) -> BTreeMap<Root, Vec<Access>> {
    let mut found: BTreeMap<Root, Vec<Access>> = BTreeMap::new();
    for (step, (own, &on_device)) in plan.steps.iter().zip(on_device).enumerate() {
        let reads = own.reads.iter().map(|bound| (bound, false));
        for (bound, writes) in reads.chain([(&own.writes, true)]) {
            let access = Access { step, slot: bound.slot.clone(), writes, on_device };
            found.entry(bound.slot.root).or_default().push(access);
        }
    }
    for output in 0..plan.outputs.len() {
        if let Some((accesses, slot)) = found.get_mut(&Root::Output(output)).zip(whole(plan, Root::Output(output))) {
            accesses.push(Access { step: plan.steps.len(), slot, writes: false, on_device: false });
        }
    }
    found
}

/// All elements of some memory, in order; `None` of constants.
fn whole(plan: &Plan, root: Root) -> Option<Slot> {
    let (element, extents) = match root {
        Root::Input(input) => of_named(plan.inputs.get(input)?)?,
        Root::Output(output) => of_named(plan.outputs.get(output)?)?,
        Root::Memory(buffer) => plan.buffers.get(buffer).map(|&(element, count)| (element, vec![count]))?,
        Root::Constant(_) => return None,
    };
    Some(Slot::packed(root, &extents).of(element))
}

fn of_named(named: &crate::plan::Named) -> Option<(windrow::ElementType, Vec<usize>)> {
    Some((named.info.dtype().element()?, named.info.shape().extents().to_vec()))
}

/// The transfer of an input: before the first step on the device, when nothing is enqueued that it would have to wait for.
fn of_input(plan: &Plan, root: Root, on_device: &[bool]) -> Option<Planned> {
    let (slot, Root::Input(input)) = (whole(plan, root)?, root) else { return None };
    let (value, first) = (plan.inputs.get(input)?.name.clone(), on_device.iter().position(|&on_device| on_device)?);
    Some(Planned::new((value, None), slot, Direction::ToDevice, first))
}

/// The transfers of memory that steps write.
fn of_written(plan: &Plan, root: Root, accesses: &[Access], found: &mut Vec<Planned>) {
    let Some(whole) = whole(plan, root) else { return };
    let (values, is_overwritten) = values(accesses, elements(&whole));
    let node = |step: usize| plan.steps.get(step).map_or_else(String::new, |step| step.node.clone());
    // Behind the last step where the caller alone reads it, so that no step waits for that.
    let behind = |step: usize, needed: usize| {
        if needed == plan.steps.len() && !is_overwritten { needed.saturating_sub(1) } else { step }
    };
    if let Some((on_device, last, needed)) = together(&values, elements(&whole)) {
        let value = match root {
            Root::Output(output) => plan.outputs.get(output).map_or_else(String::new, |named| named.name.clone()),
            Root::Memory(_) | Root::Input(_) | Root::Constant(_) => node(last),
        };
        found.push(if on_device {
            Planned::new((value, Some(last)), whole, Direction::ToProcessor, behind(last, needed))
        } else {
            Planned::new((value, Some(last)), whole, Direction::ToDevice, needed)
        });
        return;
    }
    for value in &values {
        let Some(needed) = value.needed else { continue };
        let (written, slot) = ((node(value.step), Some(value.step)), value.slot.clone());
        found.push(if value.on_device {
            Planned::new(written, slot, Direction::ToProcessor, behind(value.step, needed))
        } else {
            let writes_next = |access: &&Access| access.writes && access.on_device && access.step > value.step;
            let next = accesses.iter().filter(|_| is_overwritten).find(writes_next);
            Planned::new(written, slot, Direction::ToDevice, next.map_or(needed, |next| needed.min(next.step)))
        });
    }
}

/// Whether the device writes all of some memory or the processor does, in which step last, and in which step the other side reads it first;
/// `None` where values have to be moved one by one.
fn together(values: &[Value], count: usize) -> Option<(bool, usize, usize)> {
    let (first, last) = (values.first()?, values.last()?);
    let needed = values.iter().map(|value| value.needed).collect::<Option<Vec<_>>>()?.into_iter().min()?;
    let is_all = values.iter().map(|value| elements(&value.slot)).sum::<usize>() == count;
    let is_alike = values.iter().all(|value| value.on_device == first.on_device);
    (is_all && is_alike && last.step < needed).then_some((first.on_device, last.step, needed))
}

/// What is written to memory of this many elements, and whether one of them is written over another.
fn values(accesses: &[Access], count: usize) -> (Vec<Value>, bool) {
    let (mut values, mut is_overwritten) = (Vec::<Value>::new(), false);
    let crosses = |read: &&Access| accesses.iter().any(|write| write.writes && write.on_device != read.on_device);
    let crossing: Vec<bool> = accesses.iter().map(|access| !access.writes && crosses(&access)).collect();
    let Some(first) = crossing.iter().position(|&crosses| crosses) else { return (values, false) };
    let mut writes = accesses.iter().filter(|access| access.writes);
    if let (Some(write), None) = (writes.next(), writes.next())
        && elements(&write.slot) == count
    {
        let (slot, needed) = (write.slot.clone(), accesses.get(first).map(|access| access.step));
        return (vec![Value { step: write.step, slot, on_device: write.on_device, needed }], false);
    }
    // The value that each element is part of.
    let mut parts = vec![u32::MAX; count];
    for (access, crosses) in accesses.iter().zip(crossing) {
        if access.writes {
            let own = u32::try_from(values.len()).unwrap_or(u32::MAX);
            for place in access.slot.places() {
                if let Some(part) = parts.get_mut(place) {
                    is_overwritten |= *part != u32::MAX;
                    *part = own;
                }
            }
            let (step, slot, on_device) = (access.step, access.slot.clone(), access.on_device);
            values.push(Value { step, slot, on_device, needed: None });
        } else if crosses {
            for place in access.slot.places() {
                let value = parts.get(place).and_then(|&part| values.get_mut(part as usize));
                if let Some(value) = value.filter(|value| value.on_device != access.on_device) {
                    value.needed.get_or_insert(access.step);
                }
            }
        }
    }
    (values, is_overwritten)
}

fn elements(slot: &Slot) -> usize {
    slot.extents.iter().product()
}

impl Planned {
    fn new((value, written): (String, Option<usize>), slot: Slot, direction: Direction, step: usize) -> Planned {
        let bytes = elements(&slot) * slot.element.size();
        Planned { transfer: Transfer { value, root: slot.root, written, direction, step, bytes }, slot }
    }
}
