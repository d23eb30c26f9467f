//! What a page shows, as the data that its script reads.

use super::code::{Code, Lines, Reach, has_loops, statements};
use super::places::{Place, Places, Position, position};
use super::values::{Value, values};
use crate::explain::facts::Facts;
use crate::selection::SelectionError;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use windrow_backends::doors::instructions::{self, Listing};
use windrow_backends::opencl::{self, EntryPoint, NoImageForm, Reads};
use windrow_backends::rows::EmittedBody;
use windrow_backends::scalar;
use windrow_backends::targets::{CPU, CpuTarget, Weighed};
use windrow_backends::text::Mark;

/// The head of the loop over a row's vectors.
const VECTORS: &str = "while x ";

/// All of a page but the source.
#[derive(Serialize)]
pub struct Data {
    /// The source's path, as it was given.
    file: String,
    /// Lines of code, without their indentation.
    lines: Vec<String>,
    /// For each place the line that it stands on, and the place that it is a part of.
    places: Vec<(usize, Option<usize>)>,
    kernels: Vec<KernelData>,
}

#[derive(Serialize)]
struct KernelData {
    name: String,
    /// The first and the last line of its function.
    from: usize,
    to: usize,
    choices: Vec<ChoiceData>,
    bodies: Vec<BodyData>,
    codes: Vec<Code>,
}

/// A choice of variants.
#[derive(Serialize)]
struct ChoiceData {
    proof: String,
    values: Vec<Value>,
}

/// A choice of variants and a subset of outputs.
#[derive(Serialize)]
struct BodyData {
    title: String,
    choice: usize,
    targets: Vec<TargetData>,
}

#[derive(Serialize)]
struct TargetData {
    name: String,
    /// How much it computes at a time, or why there is no code.
    step: String,
    /// Its code among the kernel's, where there is some.
    code: Option<usize>,
    /// The lines of the code that are this body's.
    from: usize,
    to: usize,
    /// Bits of a vector; 0, where nothing is in vectors, or their length is the device's.
    bits: u32,
    calls: Vec<(String, usize)>,
    notes: Vec<String>,
    cost: Option<CostData>,
    plan: Option<PlanData>,
}

/// What the values at each place cost.
#[derive(Serialize)]
struct CostData {
    unit: &'static str,
    total: f64,
    by: Vec<(usize, f64)>,
}

/// What the search for a schedule weighed.
#[derive(Serialize)]
struct PlanData {
    registers: usize,
    most_calls: usize,
    is_fixed: bool,
    forms: Vec<&'static str>,
    /// Form, elements, rows, weight, registers, calls.
    candidates: Vec<(usize, u32, u32, f64, usize, usize)>,
    chosen: usize,
}

impl Data {
    /// What is known of a file's kernels.
    ///
    /// # Errors
    /// A target has no instructions for one.
    pub fn of(file: &Path, places: &Places, facts: &[Facts<'_>]) -> Result<Self, SelectionError> {
        let mut lines = Lines::default();
        let kernels =
            facts.iter().map(|facts| Gatherer { facts, places, lines: &mut lines, codes: Vec::new() }.kernel());
        let kernels = kernels.collect::<Result<_, _>>()?;
        let standing = places.list().iter().map(Place::line).zip(places.parents()).collect();
        Ok(Self { file: file.display().to_string(), lines: lines.into_list(), places: standing, kernels })
    }

    /// The places that have values in some kernel.
    pub fn places_with_values(&self) -> Vec<bool> {
        let mut has = vec![false; self.places.len()];
        let choices = self.kernels.iter().flat_map(|kernel| &kernel.choices);
        choices.flat_map(|choice| &choice.values).for_each(|value| has[value.place] = true);
        has
    }
}

/// Gathers what is known of one kernel.
struct Gatherer<'a> {
    facts: &'a Facts<'a>,
    places: &'a Places,
    lines: &'a mut Lines,
    codes: Vec<Code>,
}

/// The program of a kernel in OpenCL C, once for all its bodies.
struct Program {
    reads: Reads,
    code: usize,
    text: String,
    marks: Vec<Mark>,
    entries: Vec<EntryPoint>,
}

impl Gatherer<'_> {
    fn kernel(mut self) -> Result<KernelData, SelectionError> {
        let (source, places) = (self.facts.source, self.places);
        let (kernel, prepared) = (&source.compiled.kernel, &source.prepared);
        let name: Position = position(kernel.span);
        let ((from, _), (to, _)) = places.function(name).unwrap_or((name, name));
        let known = kernel.bodies.iter().zip(&kernel.facts).zip(&self.facts.proofs);
        let choice = |((body, facts), proof): ((_, _), &String)| ChoiceData {
            proof: proof.clone(),
            values: values(kernel, body, facts, places),
        };
        let choices = known.map(choice).collect();
        let mut bodies: Vec<BodyData> = (0..prepared.bodies.len())
            .map(|index| BodyData {
                title: instructions::title(kernel, prepared, index),
                choice: index / prepared.subsets.len(),
                targets: Vec::new(),
            })
            .collect();
        for target in CPU.iter().rev() {
            self.cpu(target, &mut bodies)?;
        }
        for reads in [Reads::Buffers, Reads::Images] {
            self.opencl(reads, &mut bodies);
        }
        Ok(KernelData { name: source.path.clone(), from, to, choices, bodies, codes: self.codes })
    }

    /// The bodies of a CPU target.
    fn cpu(&mut self, target: &'static CpuTarget, bodies: &mut [BodyData]) -> Result<(), SelectionError> {
        let (kernel, prepared) = (&self.facts.source.compiled.kernel, &self.facts.source.prepared);
        let emitted = target.bodies(kernel, prepared)?;
        // Few kernels have bodies for bytes; pages of the others don't mention them.
        if target.is_for_bytes && emitted.is_empty() {
            return Ok(());
        }
        let own;
        let listings: Vec<&Listing> = match target.feature {
            None => self.facts.listings.iter().filter(|(name, _)| *name == target.name).map(|(_, own)| own).collect(),
            Some(_) => {
                own = instructions::cpu(target, kernel, prepared)?;
                own.iter().collect()
            }
        };
        for (index, body) in bodies.iter_mut().enumerate() {
            let data = match (emitted.get(index), listings.get(index)) {
                (Some(emitted), Some(listing)) => {
                    let weighed = (target.weigh)(kernel, prepared, index);
                    self.cpu_body(target, emitted, listing, weighed)
                }
                _ => {
                    let listed = listings.first().map(|listing| listing.block.clone());
                    none(label(target.name), listed.unwrap_or_else(|| no_faster(target)))
                }
            };
            body.targets.push(data);
        }
        Ok(())
    }

    fn cpu_body(
        &mut self,
        target: &CpuTarget,
        emitted: &EmittedBody,
        listing: &Listing,
        weighed: Option<Weighed>,
    ) -> TargetData {
        let EmittedBody { text, marks, notes, .. } = emitted;
        let count = text.lines().count();
        self.codes.push(Code::of(text, marks, Reach::Next, self.places, self.lines));
        let is_row = |line: &str| [scalar::LOOP, VECTORS].iter().any(|head| line.trim_start().starts_with(head));
        // A loop that all elements of a row share stands before them.
        let first = if has_loops(text) { None } else { text.lines().position(is_row) }.unwrap_or(0);
        // A body with loops may be in vectors, and a step is then several elements.
        let is_in_vectors = weighed.is_some() || emitted.columns > 1;
        let cost = match &weighed {
            Some(weighed) => self.weight(weighed),
            None => self.counted(text, marks, first..count),
        };
        TargetData {
            name: label(target.name),
            step: listing.block.clone(),
            code: Some(self.codes.len() - 1),
            from: 0,
            to: count,
            bits: if is_in_vectors { 8 * target.vector_bytes() } else { 0 },
            calls: listing.calls.clone(),
            notes: notes.clone(),
            cost: Some(cost),
            plan: weighed.map(PlanData::of),
        }
    }

    fn counted(&self, text: &str, marks: &[Mark], within: Range<usize>) -> CostData {
        let by = statements(text, marks, within, self.places);
        let unit = if has_loops(text) { "turns" } else { "statements" };
        CostData { unit, total: by.values().sum(), by: by.into_iter().collect() }
    }

    /// What the values at each place weigh. What stands nowhere in the source is part of the total alone.
    fn weight(&self, weighed: &Weighed) -> CostData {
        let mut by: BTreeMap<usize, f64> = BTreeMap::new();
        for (token, weight) in weighed.values.iter().filter(|(_, weight)| *weight > 0.0) {
            if let Some(place) = self.places.of_token(position(*token)) {
                *by.entry(place).or_insert(0.0) += weight;
            }
        }
        let by = by.into_iter().map(|(place, weight)| (place, rounded(weight))).collect();
        CostData { unit: "weight", total: rounded(weighed.chosen.weight), by }
    }

    /// The entry points of a program, or why there is none.
    fn opencl(&mut self, reads: Reads, bodies: &mut [BodyData]) {
        let program = match self.program(reads) {
            Ok(program) => program,
            Err(reason) => {
                let data = || none(opencl_label(reads, 0, None), format!("none: {reason}"));
                return bodies.iter_mut().for_each(|body| body.targets.push(data()));
            }
        };
        for (index, body) in bodies.iter_mut().enumerate() {
            let entries = program.entries.iter().filter(|entry| entry.index as usize == index);
            let data = entries.enumerate().map(|(place, entry)| self.entry(&program, place, entry));
            body.targets.extend(data);
        }
    }

    fn program(&mut self, reads: Reads) -> Result<Program, NoImageForm> {
        let (kernel, prepared) = (&self.facts.source.compiled.kernel, &self.facts.source.prepared);
        let (text, marks) = opencl::emit_marked(kernel, prepared, reads)?;
        self.codes.push(Code::of(&text.source, &marks, Reach::Line, self.places, self.lines));
        Ok(Program { reads, code: self.codes.len() - 1, text: text.source, marks, entries: text.entries })
    }

    fn entry(&self, program: &Program, place: usize, entry: &EntryPoint) -> TargetData {
        let Program { reads, code, text, marks, entries } = program;
        let title = if entries.len() == 1 { "" } else { entry.name.as_str() };
        let name = if *reads == Reads::Buffers { "opencl" } else { "opencl-images" };
        let mut listings = self.facts.listings.iter().filter(|(target, own)| *target == name && own.title == title);
        let listing = listings.next().map(|(_, listing)| listing);
        let within = lines_of(text, &entry.name);
        TargetData {
            name: opencl_label(*reads, place, Some(entry)),
            step: listing.map_or_else(String::new, |listing| listing.block.clone()),
            code: Some(*code),
            from: within.start,
            to: within.end,
            bits: 0,
            calls: listing.map_or_else(Vec::new, |listing| listing.calls.clone()),
            notes: Vec::new(),
            cost: Some(self.counted(text, marks, within)),
            plan: None,
        }
    }
}

/// A target without code.
fn none(name: String, step: String) -> TargetData {
    let (calls, notes) = (Vec::new(), Vec::new());
    TargetData { name, step, code: None, from: 0, to: 0, bits: 0, calls, notes, cost: None, plan: None }
}

/// Why a target has no body: that of the target behind it is as fast.
fn no_faster(target: &CpuTarget) -> String {
    let mut behind = CPU.iter().skip_while(|other| other.name != target.name).skip(1);
    let behind = behind.find(|other| !other.is_narrow).map_or(scalar::TARGET.name, |other| other.name);
    format!("none: a body would be no faster than {}’s", label(behind))
}

/// The lines of an entry point and of its block, in the text of its program; all, where they are not found.
fn lines_of(text: &str, entry: &str) -> Range<usize> {
    const HEAD: &str = "// What a work-item of ";
    let own = format!("{HEAD}{entry} computes");
    let heads = || text.lines().enumerate().filter(|(_, line)| line.starts_with(HEAD));
    let count = text.lines().count();
    let Some((start, _)) = heads().find(|(_, line)| line.starts_with(&own)) else { return 0..count };
    start..heads().map(|(line, _)| line).find(|line| *line > start).unwrap_or(count)
}

/// A target as readers know it.
fn label(name: &str) -> String {
    match name {
        "scalar" => "Plain Rust".to_owned(),
        "avx512" => "AVX-512".to_owned(),
        "dotprod" => "NEON, dot products".to_owned(),
        "vnni" => "AVX-512, 32 bytes".to_owned(),
        name => name.to_uppercase(),
    }
}

fn opencl_label(reads: Reads, place: usize, entry: Option<&EntryPoint>) -> String {
    match (reads, place, entry) {
        (Reads::Images, ..) => "OpenCL C, images".to_owned(),
        (Reads::Buffers, 1.., Some(entry)) => {
            let tiles = if entry.group.is_some() { " with tiles" } else { "" };
            format!("OpenCL C, {} × {}{tiles}", entry.block.0, entry.block.1)
        }
        (Reads::Buffers, ..) => "OpenCL C".to_owned(),
    }
}

impl PlanData {
    fn of(weighed: Weighed) -> Self {
        let mut forms: Vec<&'static str> = Vec::new();
        for candidate in &weighed.candidates {
            if !forms.contains(&candidate.form) {
                forms.push(candidate.form);
            }
        }
        let form = |name: &str| forms.iter().position(|own| *own == name).unwrap_or(0);
        let candidates = weighed.candidates.iter().map(|own| {
            (form(own.form), own.block.x * weighed.lanes, own.block.y, rounded(own.weight), own.registers, own.calls)
        });
        Self {
            registers: weighed.registers,
            most_calls: weighed.most_calls,
            is_fixed: weighed.is_fixed,
            candidates: candidates.collect(),
            chosen: weighed.candidates.iter().position(|own| *own == weighed.chosen).unwrap_or(0),
            forms,
        }
    }
}

/// To three places.
fn rounded(weight: f64) -> f64 {
    (weight * 1e3).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    const SOURCE: &str = "#[kernel(output(low?, high?))]\npub fn k(src: Neighbourhood<u8>, #[variant] policy: Overflow) -> (u8, u8) {\n    let sum = src.at(-1, 0) as u16 + src.at(1, 0) as u16;\n    match policy {\n        Overflow::Wrap => (sum.wrapping_cast(), (sum >> 1) as u8),\n        Overflow::Saturate => (sum.saturating_cast(), (sum >> 1) as u8),\n    }\n}\n";

    fn data(source: &str) -> Value {
        let kernels = windrow_backends::doors::source::compile(Path::new("k.rs"), source).ok().unwrap();
        let facts: Vec<Facts<'_>> = kernels.iter().map(|kernel| Facts::of(kernel).unwrap()).collect();
        serde_json::to_value(Data::of(Path::new("k.rs"), &Places::of(source), &facts).unwrap()).unwrap()
    }

    fn target<'a>(data: &'a Value, body: usize, name: &str) -> &'a Value {
        let targets = data["kernels"][0]["bodies"][body]["targets"].as_array().unwrap();
        targets.iter().find(|target| target["name"] == name).unwrap()
    }

    fn text(data: &Value, target: &Value) -> Vec<String> {
        let code = &data["kernels"][0]["codes"][target["code"].as_u64().unwrap() as usize];
        let words = |line: &Value| {
            let [number, indentation] = [0, 1].map(|at| line[at].as_u64().unwrap() as usize);
            " ".repeat(indentation) + data["lines"][number].as_str().unwrap()
        };
        code.as_array().unwrap().iter().map(words).collect()
    }

    #[test]
    fn every_body_has_every_target() {
        let data = data(SOURCE);
        let kernel = &data["kernels"][0];
        assert_eq!((kernel["from"].as_u64(), kernel["to"].as_u64()), (Some(1), Some(8)));
        let titles: Vec<&str> =
            kernel["bodies"].as_array().unwrap().iter().map(|body| body["title"].as_str().unwrap()).collect();
        assert_eq!(titles[0], "policy = Wrap");
        assert_eq!(titles[5], "policy = Saturate, only low");
        assert_eq!(kernel["bodies"][5]["choice"], 1);
        let words = [("Plain Rust", ".read()"), ("SSE4.1", "_mm_"), ("AVX2", "_mm256_"), ("NEON", "vld1q_u8")];
        for (name, word) in words {
            let own = target(&data, 0, name);
            assert!(text(&data, own).iter().any(|line| line.contains(word)), "{name}");
        }
        let program = target(&data, 5, "OpenCL C");
        let [from, to] = ["from", "to"].map(|end| program[end].as_u64().unwrap() as usize);
        let text = text(&data, program);
        assert!(from > 0 && text[from].contains("k__saturate__low computes"), "{}", text[from]);
        assert!(text[from..to].iter().any(|line| line.starts_with("__kernel void k__saturate__low(")));
    }

    #[test]
    fn code_is_what_is_emitted() {
        let data = data(SOURCE);
        let kernels = windrow_backends::doors::source::compile(Path::new("k.rs"), SOURCE).ok().unwrap();
        let (kernel, prepared) = (&kernels[0].compiled.kernel, &kernels[0].prepared);
        for own in CPU {
            for (index, emitted) in own.bodies(kernel, prepared).unwrap().iter().enumerate() {
                let shown = text(&data, target(&data, index, &label(own.name)));
                assert_eq!(shown, emitted.text.lines().collect::<Vec<_>>(), "{}", own.name);
            }
        }
        let program = opencl::emit(kernel, prepared).source;
        assert_eq!(text(&data, target(&data, 0, "OpenCL C")), program.lines().collect::<Vec<_>>());
    }

    #[test]
    fn shares_are_parts_of_the_whole() {
        let data = data(SOURCE);
        for name in ["Plain Rust", "AVX2", "NEON", "OpenCL C"] {
            let cost = &target(&data, 0, name)["cost"];
            let by: Vec<f64> = cost["by"].as_array().unwrap().iter().map(|own| own[1].as_f64().unwrap()).collect();
            let (sum, total) = (by.iter().sum::<f64>(), cost["total"].as_f64().unwrap());
            assert!(by.len() >= 4 && sum > 0.0 && sum <= total + 1e-3, "{name}: {sum} of {total}");
        }
    }

    #[test]
    fn the_chosen_candidate_is_the_one_that_is_emitted() {
        let data = data(SOURCE);
        for name in ["SSE4.1", "AVX2", "NEON"] {
            let own = target(&data, 0, name);
            let (plan, step) = (&own["plan"], own["step"].as_str().unwrap());
            let chosen = &plan["candidates"][plan["chosen"].as_u64().unwrap() as usize];
            let block = match chosen[2].as_u64().unwrap() {
                1 => format!("{} elements a step", chosen[1]),
                rows => format!("{} x {rows} elements a step", chosen[1]),
            };
            assert_eq!(step, block, "{name}");
        }
    }

    #[test]
    fn what_is_in_a_loop_has_most_of_the_cost() {
        let source = "#[kernel]\nfn k([y, x]: At<2>, a: View<f32>) -> f32 {\n    let [rows, columns] = a.extents();\n    let mut sum = a[[y.min(rows - 1), 0]];\n    for i in 0..columns {\n        sum = sum * 0.5 + a.get([i, x]).unwrap_or(0.0);\n    }\n    sum\n}\n";
        let data = data(source);
        for name in ["Plain Rust", "SSE4.1", "AVX2", "NEON", "OpenCL C"] {
            let own = target(&data, 0, name);
            let (cost, bits) = (&own["cost"], own["bits"].as_u64().unwrap());
            let line = |place: &Value| data["places"][place.as_u64().unwrap() as usize][0].as_u64().unwrap();
            let by = cost["by"].as_array().unwrap();
            let inside = by.iter().filter(|own| line(&own[0]) == 6).map(|own| own[1].as_f64().unwrap()).sum::<f64>();
            assert!(cost["unit"] == "turns" && inside > 0.8 * cost["total"].as_f64().unwrap(), "{name}: {cost}");
            assert_eq!(bits > 0, !["Plain Rust", "OpenCL C"].contains(&name), "{name}");
        }
    }

    #[test]
    fn a_target_without_code_says_why() {
        let data = data("#[kernel]\nfn k(a: f32) -> f32 {\n    a.sin()\n}\n");
        let own = target(&data, 0, "SSE4.1");
        assert!(own["code"].is_null(), "{own}");
        assert_eq!(own["step"], "none: a body would be no faster than plain Rust");
        let wide = target(&data, 0, "AVX-512");
        assert!(wide["code"].is_number() || wide["step"] == "none: a body would be no faster than AVX2’s", "{wide}");
        let images = target(&data, 0, "OpenCL C, images");
        assert!(images["step"].as_str().unwrap().contains("no sampler is of use"), "{images}");
    }
}
