//! What a network is planned to, as a page for a browser.
//!
//! The page is one file and asks for no other. Its table and its picture are there without scripts; the script leads from a step to its
//! buffers and back, by pointer and by keyboard.

use std::path::Path;

use windrow_graph::{Access, Plan, Root, Step};

use super::{memory, place, typed, values};
use crate::escape::{fill, html};

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = concat!(include_str!("../base.css"), "\n", include_str!("page.css"));
const SCRIPT: &str = include_str!("page.js");

/// The page of a network.
pub fn write(file: &Path, name: &str, plan: &Plan) -> String {
    let steps: String = plan.steps().iter().enumerate().map(|(number, step)| row(plan, number, step)).collect();
    let fused: usize = plan.steps().iter().map(|step| step.fused().len()).sum();
    let copies = plan.steps().iter().filter(|step| step.kernel() == "copy").count();
    let tensors = |verb: &str, (name, info): (&str, &windrow::TensorInfo)| {
        format!(
            "<div><dt>{verb}</dt><dd><code>{}</code> {} {}</dd></div>",
            html(name),
            info.shape(),
            info.dtype().name()
        )
    };
    let inputs: String = plan.inputs().map(|named| tensors("reads", named)).collect();
    let outputs: String = plan.outputs().map(|named| tensors("writes", named)).collect();
    let summary = format!(
        "{} steps, {copies} of them copies; {fused} nodes fused into others; {} of constants; {} of intermediates",
        plan.steps().len(),
        memory::bytes(plan.constant_bytes()),
        memory::bytes(plan.intermediate_bytes())
    );
    fill(
        TEMPLATE,
        &[
            ("title", &html(name)),
            ("file", &html(&file.display().to_string())),
            ("style", STYLE),
            ("summary", &summary),
            ("tensors", &(inputs + &outputs)),
            ("memory", &memory::picture(plan)),
            ("steps", &steps),
            ("script", SCRIPT),
        ],
    )
}

/// A row of the table.
fn row(plan: &Plan, number: usize, step: &Step) -> String {
    let reads: Vec<String> = values(step).map(|read| source(plan, number, &read)).collect();
    let writes = step.writes();
    let buffers: Vec<String> = values(step).chain([writes]).filter_map(|access| buffer(access.root)).collect();
    let fused = step.fused().iter().map(|fused| {
        let (operator, node) = (html(fused.operator()), html(fused.node()));
        format!("<li><b>{operator}</b> <code>{node}</code>: {}</li>", html(&fused.how().to_string()))
    });
    let fused: String = fused.collect();
    let fused = if fused.is_empty() { String::new() } else { format!("<ul>{fused}</ul>") };
    format!(
        r#"<tr id="step-{number}" data-step="{number}" data-buffers="{}" tabindex="-1"><th scope="row">{number}</th><td class="kernel">{}</td><td>{} <code>{}</code>{fused}</td><td>{}</td><td>{}<br><span class="note">{}</span></td></tr>
"#,
        buffers.join(" "),
        html(step.kernel()),
        html(step.operator()),
        html(step.node()),
        reads.join("<br>"),
        typed(&writes),
        place(writes.root)
    )
}

/// What is read, and the step that wrote it last.
fn source(plan: &Plan, number: usize, read: &Access<'_>) -> String {
    let writer = plan.steps().iter().take(number).rposition(|step| step.writes().root == read.root);
    let from = match writer {
        Some(writer) => format!("{}, of step {writer}", place(read.root)),
        None => place(read.root),
    };
    format!("{} <span class=\"note\">{from}</span>", typed(read))
}

fn buffer(root: Root) -> Option<String> {
    match root {
        Root::Memory(buffer) => Some(buffer.to_string()),
        Root::Input(_) | Root::Output(_) | Root::Constant(_) => None,
    }
}
