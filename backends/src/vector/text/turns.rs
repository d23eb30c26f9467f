//! Prints what is the same for all lanes, and loops at run time.

use super::super::Target;
use super::forms::Seen;
use super::{IN_VIEW, Printer};
use crate::scalar::expression::{self, Division, Operands};
use crate::scalar::{InLanes, Memory, reading};
use crate::scopes::{self, Uses};
use crate::text::{Text, comma};
use crate::vector::program::{Lane, Operand, Quad, Results, Turns, Variable, VectorId};
use windrow_dsl::ir::{BinaryOp, InputId, Node, Op, Order, TableId, ValueId};
use windrow_dsl::quick::Parts;

/// The operands of a node as they are read.
struct Scalars<'a> {
    node: &'a Node,
    texts: Vec<String>,
}

impl Scalars<'_> {
    fn of(&self, id: ValueId) -> &str {
        let place = self.node.op.operands().iter().position(|own| *own == id);
        place.map_or("", |place| &self.texts[place])
    }
}

impl Operands for Scalars<'_> {
    fn push(&self, out: &mut Parts, id: ValueId) {
        out.push(self.of(id));
    }

    fn push_receiver(&self, out: &mut Parts, id: ValueId) {
        match self.of(id) {
            // A literal or a word: it may begin with a sign or end in a conversion.
            text if !crate::namer::is_plain(text) => out.push_all(&["(", text, ")"]),
            text => out.push(text),
        }
    }
}

/// Two values that are combined: `a` and `b`.
struct Sides;

impl Operands for Sides {
    fn push(&self, out: &mut Parts, id: ValueId) {
        out.push(["a", "b"][id.0 as usize]);
    }

    fn push_receiver(&self, out: &mut Parts, id: ValueId) {
        self.push(out, id);
    }
}

impl<T> Memory for Printer<'_, T> {
    fn table(&self, table: TableId) -> &str {
        &self.tables[&table]
    }

    fn view(&self, input: InputId) -> String {
        self.whole[&input].clone()
    }

    fn dimensions(&self, input: InputId) -> u32 {
        self.kernel.inputs[input.0 as usize].dimensions()
    }
}

impl<T: Target> Printer<'_, T> {
    pub(super) fn operand(&self, operand: &Operand) -> String {
        match operand {
            Operand::Made(id) => self.name(*id),
            Operand::Text(text) => text.clone(),
        }
    }

    /// What a variable of a loop is given: a vector is read as the variable's lanes.
    fn given(&self, variable: VectorId, operand: &Operand) -> String {
        let own = &self.program.vectors[variable.0 as usize];
        match operand {
            Operand::Made(id) if !own.is_scalar => self.whole(*id, own.lane),
            operand => self.operand(operand),
        }
    }

    /// A value that is the same for all lanes.
    pub(super) fn write_scalar(&self, out: &mut Text, made: Results, value: ValueId, operands: &[Operand]) {
        let node = self.body.node(value);
        if let (Op::Select { .. }, [Operand::Made(condition), then, _]) = (&node.op, operands) {
            let is_chosen = |then: &Operand| matches!(then, Operand::Made(then) if self.chosen.contains_key(then));
            if self.held.contains(condition) || is_chosen(then) {
                let [name, then] = [self.name(made.first()), self.operand(then)];
                return out.line(format!("let {name}: {} = {then};", node.ty.name()));
            }
        }
        let mut values = Scalars { node, texts: operands.iter().map(|operand| self.operand(operand)).collect() };
        let read = match self.chosen.get(&made.first()) {
            Some(chosen) => {
                // The plane is the last operand.
                chosen.plane.iter().zip(values.texts.last_mut()).for_each(|(plane, text)| text.clone_from(plane));
                reading(node, None, &values, &Seen { printer: self, view: &chosen.view })
            }
            None => reading(node, self.target.machine().fused, &values, self),
        };
        if let Some((Some(safety), _)) = read {
            out.line(safety);
        }
        let line = out.begin();
        line.push("let ");
        self.push_name(line, made.first());
        line.push_all(&[": ", node.ty.name(), " = "]);
        match read {
            Some((_, text)) => line.push(&text),
            None => expression::push(line, self.body, node, &values, Division::Proved),
        }
        line.push(";");
        out.end();
    }

    /// Four bytes that lie side by side.
    pub(super) fn write_quad(&self, out: &mut Text, made: Results, quad: &Quad) {
        let (name, view) = (self.name(made.first()), self.view(quad.input));
        let [row, column] = quad.at.each_ref().map(|at| self.operand(at));
        let plane = quad.plane.as_ref().map_or("0".to_owned(), |plane| self.operand(plane));
        let read = if self.held.contains(&made.first()) { "four_adjacent_bytes" } else { "four_bytes" };
        let read = format!("unsafe {{ {view}.{read}({plane}, {row}, {column}) }}");
        let read = match &quad.choice {
            Some([Operand::Made(condition), otherwise]) if !self.held.contains(condition) => {
                let (condition, otherwise) = (self.name(*condition), self.operand(otherwise));
                format!("(if {condition} {{ {read} }} else {{ u32::from_ne_bytes([{otherwise} as u8; 4]) }})")
            }
            _ => read,
        };
        let flipped = if quad.flips == 0 { read } else { format!("({read} ^ {:#x})", quad.flips) };
        out.line(IN_VIEW);
        out.line(format!("let {name} = {flipped} as i32;"));
    }

    /// What the lanes of vectors have in common.
    pub(super) fn write_across(&self, out: &mut Text, made: Results, op: BinaryOp, lane: Lane, vectors: &[VectorId]) {
        let runs = self.target.machine().lanes.runs();
        let (element, count) = (lane.scalar(), vectors.len());
        let names: Vec<String> = vectors.iter().map(|id| self.name(*id)).collect();
        let lanes = self.target.machine().bits() / lane.bits();
        out.line("// SAFETY: a vector is its lanes.");
        let array = format!("transmute::<[_; {count}], [[{element}; {lanes}]; {count}]>([{}])", comma(&names));
        let line = out.begin();
        line.push("let ");
        self.push_name(line, made.first());
        line.push(&format!(
            ": {element} = ::windrow::__rt::scalar::across(unsafe {{ ::core::mem::{array} }}, {runs}, |a, b| "
        ));
        expression::push_binary(line, op, lane.ty(), &Sides, [ValueId(0), ValueId(1)]);
        line.push(");");
        out.end();
    }

    /// A pointer to neighbouring elements of a row of a whole input, or to a copy where some of the columns lie outside.
    pub(super) fn write_contiguous(
        &mut self,
        out: &mut Text,
        made: Results,
        input: InputId,
        at: &[Operand; 3],
        (count, lane): (u32, Lane),
    ) {
        let name = self.name(made.first());
        if let Some(lane) = self.quads.get(&made.first()) {
            let [row, first, _] = at.each_ref().map(|operand| self.operand(operand));
            let view = self.view(input);
            return out.line(format!("let {name} = {view}.quads_at::<{}>({row}, {first});", lane.scalar()));
        }
        if self.held.contains(&made.first()) {
            let [row, first, _] = at.each_ref().map(|operand| self.operand(operand));
            let (view, element) = (self.view(input), lane.scalar());
            return out.line(format!("let {name} = {view}.side_by_side::<{element}>({row}, {first});"));
        }
        let copy = self.names.claim_text(&format!("{name}_copy"));
        let [row, first, last] = at.each_ref().map(|operand| self.operand(operand));
        let view = self.view(input);
        let element = lane.scalar();
        out.line(format!("let mut {copy} = ::core::mem::MaybeUninit::<[{element}; {count}]>::uninit();"));
        out.line(IN_VIEW);
        out.line(format!("let {name} = unsafe {{ {view}.contiguous({row}, {first}, {last}, &mut {copy}) }};"));
    }

    /// The variables of a loop, and its turns.
    pub(super) fn write_turns(&mut self, out: &mut Text, number: usize) {
        let program = self.program;
        let turns = program.turns(number);
        for Variable { now, before, .. } in &turns.variables {
            for (now, before) in now.iter().zip(before) {
                out.line(format!("let mut {} = {};", self.name(*now), self.given(*now, before)));
            }
        }
        self.write_forms(out, turns);
    }

    pub(super) fn write_loop(&mut self, out: &mut Text, turns: &Turns) {
        let [start, end] = turns.ends.each_ref().map(|end| self.operand(end));
        let turn = self.name(turns.turn);
        let variables: Vec<VectorId> = turns.variables.iter().flat_map(|variable| variable.now.clone()).collect();
        let names: Vec<String> = variables.iter().map(|id| self.name(*id)).collect();
        let lanes = (turns.order == Order::Lanes).then(|| InLanes::of(names, &mut self.names));
        lanes.iter().for_each(|lanes| lanes.write_before(out));
        out.open(format!("for {turn} in {start}..{end}"));
        lanes.iter().for_each(|lanes| lanes.write_turn(out, &turn, &start));
        self.write_turn(out, turns);
        lanes.iter().for_each(|lanes| lanes.write_after(out));
        out.close("");
        let sum = |place: usize| match self.program.vectors[variables[place].0 as usize].is_scalar {
            true => "a + b".to_owned(),
            false => format!("{}(a, b)", self.target.sum_of_floats()),
        };
        lanes.iter().for_each(|lanes| lanes.write_sums(out, sum));
    }

    /// What a turn computes, and its variables behind it.
    pub(super) fn write_turn(&mut self, out: &mut Text, turns: &Turns) {
        let lines = &turns.lines;
        let uses = |printer: &Self| printer.uses_of_turn(turns);
        scopes::write_all(out, lines.len(), self, uses, Self::name_read, |printer, out, place| {
            printer.marked_line(out, &lines[place]);
        });
        let (mut now, mut after) = (Vec::new(), Vec::new());
        for variable in &turns.variables {
            now.extend(variable.now.iter().map(|id| self.name(*id)));
            let given = variable.now.iter().zip(&variable.after);
            after.extend(given.map(|(now, operand)| self.given(*now, operand)));
        }
        match (now.as_slice(), after.as_slice()) {
            ([now], [after]) => out.line(format!("{now} = {after};")),
            _ => out.line(format!("({}) = ({});", comma(&now), comma(&after))),
        }
    }

    /// What the statements of a turn make and read.
    fn uses_of_turn(&self, turns: &Turns) -> Uses {
        let mut uses = Uses::default();
        for (place, line) in turns.lines.iter().enumerate() {
            line.results.places().for_each(|id| uses.makes(place, id));
            self.program.reads(&line.source, &mut |id| uses.reads(place, id.0 as usize));
        }
        let after = turns.variables.iter().flat_map(|variable| &variable.after);
        after.for_each(|operand| operand.visit(&mut |id| uses.reads(turns.lines.len(), id.0 as usize)));
        uses
    }
}
