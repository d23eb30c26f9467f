//! Where a run's time goes, and where its steps run.

use std::{fmt::Write as _, time::Duration};

use windrow_graph::{DevicePlan, Plan, StepPlace};

use super::place::Place;

/// A line for each step: its time, its share of all, and what computes it; with a device where it runs, and what is moved.
pub(super) fn text(plan: &Plan, place: &Place, times: &[Duration]) -> String {
    let places: Vec<String> = match place {
        Place::Processor(_) => vec![String::new(); times.len()],
        Place::Device(placed) => placed.places().map(|step| format!("{:11}", step.place)).collect(),
    };
    let column = if matches!(place, Place::Device(_)) { format!("{:11}", "place") } else { String::new() };
    let all: Duration = times.iter().sum();
    let mut text = format!("\n      ms   share  {column}kernel                        what it computes\n");
    for ((step, took), place) in plan.steps().iter().zip(times).zip(places) {
        let share = 100.0 * took.as_secs_f64() / all.as_secs_f64().max(f64::MIN_POSITIVE);
        let (ms, extents) = (took.as_secs_f64() * 1e3, step.extents());
        let _ = writeln!(
            text,
            "{ms:8.3} {share:6.1}%  {place}{:28}  {} {extents:?}, node `{}`",
            step.kernel(),
            step.operator(),
            step.node()
        );
    }
    if let Place::Device(placed) = place {
        text += &refused(placed);
        text += &transfers(placed);
    }
    text
}

/// Why steps are left with the processor.
fn refused(placed: &DevicePlan) -> String {
    let mut text = String::new();
    for step in placed.places().filter(|step| step.place == StepPlace::Processor) {
        if let Some(refused) = step.refused {
            let _ = writeln!(text, "\nnode `{}` is left with the processor: {refused}", step.step.node());
        }
    }
    text
}

/// A line for each tensor that a run moves.
fn transfers(placed: &DevicePlan) -> String {
    let bytes: usize = placed.transfers().map(|transfer| transfer.bytes).sum();
    let mut text = format!("\n{} transfers of a run, {:.1} kB:\n", placed.transfers().len(), bytes as f64 / 1e3);
    for transfer in placed.transfers() {
        let node =
            placed.plan().steps().get(transfer.step).map_or_else(String::new, |step| format!(", `{}`", step.node()));
        let _ = writeln!(text, "  {transfer}{node}");
    }
    text
}
