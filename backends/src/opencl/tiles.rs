//! Tiles: elements that a work-group reads into local memory, each once, for all of its work-items.
//!
//! What the turns of an innermost loop read is often the same along a row, or the same across rows: of a product's two matrices, or of a
//! convolution's image and its weights. A group then reads [`TURNS`] turns' elements of its rows and of its columns, and computes these
//! turns from them. The sums keep their order: only where an element is read from changes.

use std::collections::BTreeMap;
use windrow_dsl::analyse::ranges;
use windrow_dsl::ir::loops::{Loop, Step, has_loops, steps};
use windrow_dsl::ir::{
    Axes, AxisId, Block, Body, Input, Kernel, Node, Op, Range, Store, Type, ValueId, along, check_opencl,
};
use windrow_dsl::optimise::remove_dead;

use super::c::types::bytes;

/// Turns whose elements a tile holds.
pub const TURNS: u32 = 16;

/// Elements of a tile from one turn to the next are these more than the group has rows: work-items that write the elements of
/// one row write to different banks, and vectors of four start at multiples of their size.
pub const PADDING: u32 = 4;

/// The most tiles that a kernel has.
pub const MOST_TILES: usize = 4;

/// The most bytes that they have: what every device has as local memory (OpenCL 1.2, `CL_DEVICE_LOCAL_MEM_SIZE`).
const MOST_BYTES: u32 = 32 << 10;

/// The greatest end of a loop that is computed in chunks.
const LAST_END: i128 = i32::MAX as i128 - 2 * TURNS as i128;

/// The work-items of a work-group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// Along a row.
    pub x: u32,
    /// Across rows.
    pub y: u32,
    /// Across planes.
    pub planes: u32,
}

impl Group {
    /// Work-items below each other, plane by plane.
    pub fn rows(self) -> u32 {
        self.y * self.planes
    }

    /// What a work-item's place in the group is along, with its rows or with its columns.
    fn axes(self, axis: AxisId) -> Axes {
        let planes = if self.planes > 1 { Axes::ALL.of_planes() } else { Axes::NONE };
        Axes::of(axis) | if axis == AxisId::Y { planes } else { Axes::NONE }
    }
}

/// The elements of a tile from one turn to the next: what a group has along an axis, given its blocks and its work-items.
pub fn pitch(axis: AxisId, block: Block, group: Group) -> u32 {
    match axis {
        AxisId::Y => block.y * group.rows() + PADDING,
        _ => block.x * group.x,
    }
}

/// The body whose innermost loops read from tiles; none where no loop does, or where the tiles are too large for `block` elements of each
/// of `group` work-items.
pub fn tiled(kernel: &Kernel, body: &Body, block: Block, group: Group) -> Option<Body> {
    // What is read around the element lies at an image's border too, where every block goes its own way.
    if !has_loops(&body.nodes) || kernel.inputs.iter().any(Input::reads_around) {
        return None;
    }
    let search = Search { body, group, along: along(&body.nodes), ranges: ranges(kernel, body).ranges };
    if group.planes > 1 && !search.planes_go_together() {
        return None;
    }
    let mut tiles = BTreeMap::new();
    search.of_loops(&steps(&body.nodes), &mut tiles);
    let held = |(id, axis): (&ValueId, &AxisId)| TURNS * pitch(*axis, block, group) * bytes(body.node(*id).ty);
    let fits = tiles.len() <= MOST_TILES && tiles.iter().map(held).sum::<u32>() <= MOST_BYTES;
    if tiles.is_empty() || !fits {
        return None;
    }
    let body = search.with_tiles(&tiles);
    check_opencl(&body, "tiles");
    Some(body)
}

struct Search<'a> {
    body: &'a Body,
    group: Group,
    along: Vec<Axes>,
    ranges: Vec<Range>,
}

impl Search<'_> {
    /// Whether the elements of all planes take as many turns.
    fn planes_go_together(&self) -> bool {
        let has_no_planes = |id: ValueId| self.along[id.0 as usize].of_planes().is_empty();
        self.body.nodes.iter().all(|node| match node.op {
            Op::Turn { start, end, .. } => has_no_planes(start) && has_no_planes(end),
            _ => true,
        })
    }

    /// Whether a value is another one at other rows of the group, or at other columns.
    fn varies(&self, id: ValueId, axis: AxisId) -> bool {
        !(self.along[id.0 as usize] & self.group.axes(axis)).is_empty()
    }

    /// Finds what the innermost loops among these steps read, each with the axis that it varies along.
    fn of_loops(&self, list: &[Step], tiles: &mut BTreeMap<ValueId, AxisId>) {
        let loops = |step: &Step| if let Step::Loop(turns) = step { Some(turns.clone()) } else { None };
        for turns in list.iter().filter_map(loops) {
            match turns.body.iter().any(|step| matches!(step, Step::Loop(_))) {
                true => self.of_loops(&turns.body, tiles),
                false => tiles.extend(self.of_loop(&turns).unwrap_or_default()),
            }
        }
    }

    /// The same of one innermost loop: none where something varies both along rows and across them, or nothing is shared along one of
    /// them.
    fn of_loop(&self, turns: &Loop) -> Option<BTreeMap<ValueId, AxisId>> {
        let Op::Turn { start, end, axis, .. } = self.body.node(turns.turn).op else { return None };
        // The first turn of each chunk, of one behind the last too, is then one that its type has, and so is how many are left.
        let bounds = (self.ranges[start.0 as usize], self.ranges[end.0 as usize]);
        let (Range::Int { lo: 0.., .. }, Range::Int { hi: ..=LAST_END, .. }) = bounds else { return None };
        if self.body.node(turns.turn).ty != Type::I32 {
            return None;
        }
        let mut tiles = BTreeMap::new();
        for step in &turns.body {
            let Step::Value(id) = *step else { return None };
            if !matches!(self.body.node(id).op, Op::Gather { .. }) {
                continue;
            }
            match (self.varies(id, AxisId::Y), self.varies(id, AxisId::X)) {
                (false, false) => continue,
                (true, true) => return None,
                (is_row, _) if self.is_place_of(id, turns.turn, axis) => {
                    tiles.insert(id, if is_row { AxisId::Y } else { AxisId::X });
                }
                _ => return None,
            }
        }
        let has = |axis: AxisId| tiles.values().any(|own| *own == axis);
        (has(AxisId::Y) && has(AxisId::X)).then_some(tiles)
    }

    /// Whether where an element lies is computed from the turn, from coordinates, and from what is the same for the whole group and for
    /// all turns: another work-item computes the same.
    fn is_place_of(&self, gather: ValueId, turn: ValueId, axis: AxisId) -> bool {
        let mut list = self.body.node(gather).op.operands().to_vec();
        while let Some(id) = list.pop() {
            let is_of_group = [AxisId::Y, AxisId::X].into_iter().any(|axis| self.varies(id, axis));
            if !is_of_group && !self.along[id.0 as usize].has(axis) || id == turn {
                continue;
            }
            match self.body.node(id).op {
                Op::Coordinate { .. } => {}
                Op::Plane { .. }
                | Op::Unary(..)
                | Op::Binary(..)
                | Op::MulAdd(..)
                | Op::Select { .. }
                | Op::Cast(..) => {
                    list.extend(self.body.node(id).op.operands());
                }
                _ => return false,
            }
        }
        true
    }

    /// The body that reads these from tiles.
    fn with_tiles(&self, tiles: &BTreeMap<ValueId, AxisId>) -> Body {
        let mut made = Made { search: self, nodes: Vec::new(), ids: Vec::new(), of_group: BTreeMap::new() };
        for (index, node) in self.body.nodes.iter().enumerate() {
            let id = ValueId(index as u32);
            let new = match tiles.get(&id) {
                None => made.push(node, node.op.map_operands(|id| made.ids[id.0 as usize])),
                Some(&axis) => {
                    let value = made.of_group(id, axis);
                    made.push(node, Op::Local { value, axis, offset: 0 })
                }
            };
            made.ids.push(new);
        }
        let store = |store: &Store| Store { value: made.ids[store.value.0 as usize], ..store.clone() };
        let stores = self.body.stores.iter().map(store).collect();
        remove_dead(&Body { nodes: made.nodes, stores, ..self.body.clone() })
    }
}

/// A body that is being made.
struct Made<'a> {
    search: &'a Search<'a>,
    nodes: Vec<Node>,
    /// What the values became.
    ids: Vec<ValueId>,
    /// What they are at a place of the group.
    of_group: BTreeMap<ValueId, ValueId>,
}

impl Made<'_> {
    fn push(&mut self, like: &Node, op: Op) -> ValueId {
        self.nodes.push(Node { op, name: like.name.clone(), ..*like });
        ValueId(self.nodes.len() as u32 - 1)
    }

    /// A value at a place of the group along an axis.
    fn of_group(&mut self, id: ValueId, axis: AxisId) -> ValueId {
        if let Some(known) = self.of_group.get(&id) {
            return *known;
        }
        if !self.search.varies(id, axis) {
            return self.ids[id.0 as usize];
        }
        let node = self.search.body.node(id);
        let op = match node.op {
            Op::Coordinate { axis, offset } => Op::Coordinate { axis: axis.of_group(), offset },
            ref op => op.map_operands(|id| self.of_group(id, axis)),
        };
        let made = self.push(node, op);
        self.of_group.insert(id, made);
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use windrow_dsl::optimise::prepare;

    const BLOCK: Block = Block { x: 4, y: 16 };
    const GROUP: Group = Group { x: 32, y: 4, planes: 1 };

    /// The tiles of a kernel: the axis of each, in order.
    fn tiles(function: &str) -> Vec<AxisId> {
        tiles_of(function, GROUP)
    }

    fn tiles_of(function: &str, group: Group) -> Vec<AxisId> {
        let compiled = windrow_dsl::compile_file(&format!("#[kernel] fn {function}"));
        assert!(compiled.errors.is_empty(), "{}", compiled.errors[0].text());
        let kernel = &compiled.kernels[0].kernel;
        let Some(made) = tiled(kernel, &prepare(kernel).bodies[0], BLOCK, group) else { return Vec::new() };
        let of = |node: &Node| if let Op::Local { axis, .. } = node.op { Some(axis) } else { None };
        made.nodes.iter().filter_map(of).collect()
    }

    #[test]
    fn what_a_row_or_a_column_shares_is_in_a_tile() {
        let product = |a: &str, b: &str| {
            format!(
                "f([y, x]: At<2>, a: View<f32>, b: View<f32>, #[uniform(0..=9)] s: i32) -> f32 {{
                    let mut sum = 0.0;
                    for k in 0..a.extents()[1] {{ sum += a.get({a}).unwrap_or(0.0) * b.get({b}).unwrap_or(0.0); }}
                    sum }}"
            )
        };
        for (a, b) in [("[y, k]", "[k, x]"), ("[k, y]", "[x, k]"), ("[y - s, k + s]", "[k, x / 2]")] {
            assert_eq!(tiles(&product(a, b)), [AxisId::Y, AxisId::X], "{a} {b}");
        }
        // The same for all, or for none; both the same along one axis.
        for (a, b) in [("[s, k]", "[k, x]"), ("[y + k, x]", "[k, x]"), ("[y, k]", "[k, y]"), ("[y, k]", "[k, s]")] {
            assert_eq!(tiles(&product(a, b)), [], "{a} {b}");
        }
    }

    #[test]
    fn what_is_the_same_for_the_whole_group_is_read_as_before() {
        let scaled = "f([y, x]: At<2>, a: View<f32>, b: View<f32>, c: View<f32>) -> f32 {
            let mut sum = 0.0;
            for k in 0..a.extents()[1] {
                sum += a.get([y, k]).unwrap_or(0.0) * b.get([k, x]).unwrap_or(0.0) * c.get([0, k]).unwrap_or(0.0);
            }
            sum }";
        assert_eq!(tiles(scaled), [AxisId::Y, AxisId::X]);
    }

    #[test]
    fn what_another_work_item_cannot_compute_is_in_no_tile() {
        // A place that is read; one that a loop carries; a first turn that may be below 0; an image that is read around the element.
        let cases = [
            "f([y, x]: At<2>, a: View<f32>, b: View<f32>, at: View<u8>) -> f32 {
                let mut sum = 0.0;
                for k in 0..a.extents()[1] {
                    let row = at.get([0, y]).unwrap_or(0) as i32;
                    sum += a.get([row, k]).unwrap_or(0.0) * b.get([k, x]).unwrap_or(0.0);
                }
                sum }",
            "f([y, x]: At<2>, a: View<f32>, b: View<f32>) -> f32 {
                let (mut sum, mut row) = (0.0, y);
                for k in 0..a.extents()[1] {
                    sum += a.get([row, k]).unwrap_or(0.0) * b.get([k, x]).unwrap_or(0.0);
                    row = (row + 1).min(99);
                }
                sum }",
            "f([y, x]: At<2>, a: View<f32>, b: View<f32>, #[uniform(-9..=9)] s: i32) -> f32 {
                let mut sum = 0.0;
                for k in s..a.extents()[1] { sum += a.get([y, k]).unwrap_or(0.0) * b.get([k, x]).unwrap_or(0.0); }
                sum }",
            "f([y, x]: At<2>, c: Neighbourhood<f32>, a: View<f32>, b: View<f32>) -> f32 {
                let mut sum = c.at(0, 1);
                for k in 0..a.extents()[1] { sum += a.get([y, k]).unwrap_or(0.0) * b.get([k, x]).unwrap_or(0.0); }
                sum }",
        ];
        for function in cases {
            assert_eq!(tiles(function), [], "{function}");
        }
    }

    #[test]
    fn planes_share_a_group_where_they_share_the_columns() {
        let group = Group { x: 32, y: 1, planes: 4 };
        let product = |b: &str, end: &str| {
            format!(
                "f([n, y, x]: At<3>, a: View<f32, 3>, b: View<f32, 3>) -> f32 {{
                    let mut sum = 0.0;
                    for k in 0..{end} {{ sum += a.get([n, y, k]).unwrap_or(0.0) * b.get({b}).unwrap_or(0.0); }}
                    sum }}"
            )
        };
        let extent = "a.extents()[2]";
        assert_eq!(tiles_of(&product("[0, k, x]", extent), group), [AxisId::Y, AxisId::X]);
        // Each plane has columns of its own, or turns.
        assert_eq!(tiles_of(&product("[n, k, x]", extent), group), []);
        assert_eq!(tiles_of(&product("[0, k, x]", "n"), group), []);
        assert_eq!(tiles_of(&product("[0, k, x]", extent).replace("in 0..", "in n.."), group), []);
        assert_eq!(tiles(&product("[n, k, x]", "n")), [AxisId::Y, AxisId::X]);
    }

    #[test]
    fn tiles_fit_into_local_memory() {
        let of = |reads: &str| {
            format!(
                "f([y, x]: At<2>, a: View<f32>, b: View<f32>) -> f32 {{
                    let mut sum = 0.0;
                    for k in 0..a.extents()[1] {{ sum += {reads}; }}
                    sum }}"
            )
        };
        let read = |name: &str, at: &str| format!("{name}.get({at}).unwrap_or(0.0)");
        let (a, b) = (|by: u32| read("a", &format!("[y, k + {by}]")), |by: u32| read("b", &format!("[k + {by}, x]")));
        assert_eq!(tiles(&of(&format!("{} * {} + {} * {}", a(0), b(0), a(1), b(1)))).len(), 4);
        let more = format!("{} * {} + {} * {} * {}", a(0), b(0), a(1), b(1), a(2));
        assert_eq!(tiles(&of(&more)), []);
    }
}
