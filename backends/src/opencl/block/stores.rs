//! How a block writes its outputs: channels in turn, in the widest vectors.

use super::reads::UnitLayout;
use super::writer::BlockWriter;
use crate::opencl::c::prelude::Helper;
use crate::opencl::c::text::{Expr, Statement};
use crate::opencl::c::types::CType;
use std::rc::Rc;
use windrow_dsl::ir::Store;

impl BlockWriter<'_> {
    /// Adds what is written, a statement a store.
    pub fn stores(&mut self) {
        for stores in self.nested.stores.chunk_by(|a, b| (a.to.tensor, a.place()) == (b.to.tensor, b.place())) {
            self.store(stores);
        }
    }

    /// What is written to one place of the block: an element's channels, or a cell's words.
    fn store(&mut self, stores: &[Store]) {
        let first = &stores[0];
        let output = &self.function.kernel.outputs[first.to.tensor.0 as usize];
        let layout = self.function.layout_of_output(output);
        let value = CType { ty: layout.unit, lanes: layout.lanes };
        let values: Vec<Expr> = stores.iter().map(|store| self.operand(store.value, value)).collect();
        if stores.len() as u32 != layout.channels {
            // Some of an element's channels, one by one.
            for (store, value) in stores.iter().zip(values) {
                for lane in 0..layout.lanes {
                    let column = (store.place()[1] as u32 + lane) * layout.channels + store.to.channel;
                    let value = match layout.lanes {
                        1 => value.clone(),
                        _ => Expr::Lanes(Box::new(Expr::Grouped(Box::new(value.clone()))), format!("s{lane:x}")),
                    };
                    self.write(store, CType::scalar(layout.ty), column as i32, value);
                }
            }
            return;
        }
        let (units, begin) = (layout.widest(), first.place()[1] * layout.channels as i32);
        let stored = layout.loaded(units);
        for part in 0..layout.lanes * layout.channels / units {
            let value = interleave(layout, &values, part * units, units);
            let value = if stored.ty == layout.unit { value } else { value.bits_as(stored) };
            let column = (begin + (part * units) as i32) * layout.elements_of_unit() as i32;
            self.write(first, stored, column, value);
        }
    }

    /// Adds the statement that writes a value of a type to a column of a store's row.
    fn write(&mut self, store: &Store, ty: CType, column: i32, value: Expr) {
        let image = Expr::Name(Rc::clone(&self.images.outputs[store.to.tensor.0 as usize]));
        let column = match self.column_of_row() {
            Some(own) => own.plus(column),
            None => Expr::number(column),
        };
        let arguments = [image, column, self.row(1, store.place()[0]), value];
        let write = self.prelude.call(Helper::Store, ty, arguments);
        self.statements.push((None, Statement::Do(write)));
    }
}

/// Units `first .. first + units` of the values of channels in turn.
fn interleave(layout: UnitLayout, values: &[Expr], first: u32, units: u32) -> Expr {
    if let [one] = values
        && layout.lanes == units
    {
        return one.clone();
    }
    let unit = |unit: u32| {
        let value = values[(unit % layout.channels) as usize].clone();
        match layout.lanes {
            1 => value,
            _ => Expr::Lanes(Box::new(value.grouped()), format!("s{:x}", unit / layout.channels)),
        }
    };
    match units {
        1 => unit(first),
        _ => Expr::Vector(CType { ty: layout.unit, lanes: units }, (first..first + units).map(unit).collect()),
    }
}
