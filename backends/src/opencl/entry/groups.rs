//! Entry points for work-groups of one size, which fill tiles in local memory together, or compute rows.
//!
//! All work-items of a group come to its barriers: those past the window, or past the last plane, compute as the others do and write nothing.

use super::arguments::{Head, TILE_PARTS, outer_extents};
use super::function::{BlockPath, Entry};
use crate::opencl::block::tile_arrays::TileArray;
use crate::opencl::program::Reads;
use crate::opencl::tiles::Group;
use windrow_dsl::ir::Block;

impl Entry<'_> {
    /// Writes the entry point of a program of buffers whose groups of this many work-items compute rows.
    pub fn of_rows(mut self, group: Group) {
        self.head_of_group(group);
        for array in &self.lanes {
            let (ty, name) = (self.function.floats.name(array.ty), &array.name);
            self.out.line(format!("__local {ty} {name}[{}];", group.x * group.y));
        }
        self.out.line("const int block_x = x0 + (int)get_local_id(0);");
        self.out.line("const int block_y = y0 + (int)get_global_id(1);");
        self.out.line("// Past the last row nothing is written.");
        self.out.line("const int last_x = (block_y < y1 ? x1 : x0) - 1;");
        self.out.line("const long plane = (long)get_global_id(2);");
        self.planes();
        for (_, o) in self.outputs() {
            self.out.line(format!("__global uchar *{o}_first = {o} + (long)min(block_y, y1 - 1) * {o}_stride;"));
        }
        self.compute(BlockPath::Row);
        self.out.close("");
    }

    /// Writes the head of an entry point for groups of this many work-items.
    fn head_of_group(&mut self, Group { x, y, planes }: Group) {
        self.out.line(format!("__kernel __attribute__((reqd_work_group_size({x}, {y}, {planes})))"));
        self.out.line(format!("void {}(", self.function.name));
        self.parameters(Head::Entry(Reads::Buffers), self.given);
    }

    /// Writes the entry point of a program of buffers, for groups of this many work-items.
    pub fn of_groups(mut self, group: Group) {
        let Block { x: columns, y: rows } = self.function.schedule.block;
        self.head_of_group(group);
        for tile in &self.tiles {
            let (ty, name) = (self.function.floats.name(tile.ty), self.tile_name(tile));
            let bytes = tile.alignment();
            self.out.line(format!("__local {ty} {name}[{}] __attribute__((aligned({bytes})));", tile.length));
        }
        self.out.line(format!("const int block_x = {columns} * (x0 / {columns} + (int)get_global_id(0));"));
        self.out.line(format!("const int block_y = {rows} * (y0 / {rows} + (int)get_global_id(1));"));
        self.plane_of_group(group.planes);
        self.planes();
        let layouts = self.firsts_of_inputs();
        self.firsts_of_outputs(layouts);
        for (name, all, test) in [
            ("between", "aligned", format!("block_x >= x0 && block_x + {columns} <= end_x")),
            ("whole", "between", format!("block_y >= y0 && block_y + {rows} <= y1")),
        ] {
            self.out.line(format!("const bool {name} = {all} && {test};"));
        }
        self.compute(BlockPath::Group(group));
        self.out.close("");
    }

    /// Which plane the work-item computes, and where its window ends.
    fn plane_of_group(&mut self, planes: u32) {
        if planes == 1 {
            self.out.line("const long plane = (long)get_global_id(2);");
            return self.out.line("const int end_x = x1;");
        }
        let extents: Vec<String> = outer_extents(self.function.kernel).collect();
        self.out.line(format!("const int last_plane = {} - 1;", extents.join(" * ")));
        self.out.line("const long plane = min((int)get_global_id(2), last_plane);");
        self.out.line("// Past the last plane nothing is written.");
        self.out.line("const int end_x = (int)get_global_id(2) <= last_plane ? x1 : x0;");
    }

    /// The name of an array in local memory.
    pub(super) fn tile_name(&self, tile: &TileArray) -> String {
        let input = &self.arguments.inputs[tile.input.0 as usize];
        format!("{input}{}", TILE_PARTS[tile.number])
    }
}
