//! How a block writes its outputs: channels in turn, in the widest vectors.

use super::{
    block::Block,
    pieces::Layout,
    prelude::Helper,
    types::{Form, is_primary},
};
use crate::text::comma;
use windrow_dsl::ir::Store;

impl Block<'_> {
    /// What is written, a statement a store.
    pub fn stores(&mut self) -> Vec<String> {
        let stores = self.steps.stores.clone();
        let places = stores.chunk_by(|a, b| (a.output, a.dx, a.dy) == (b.output, b.dx, b.dy));
        places.flat_map(|stores| self.store(stores)).collect()
    }

    /// What is written to one place of the block: an element's channels, or a cell's words.
    fn store(&mut self, stores: &[Store]) -> Vec<String> {
        let Some(first) = stores.first() else { return Vec::new() };
        let output = &self.function.kernel.outputs[first.output.0 as usize];
        let image = self.images.outputs[first.output.0 as usize].clone();
        let layout = Layout::of(output.ty, output.channels, 1, self.function.unit, self.function.lanes);
        let value = Form { ty: layout.unit, lanes: layout.lanes };
        let values: Vec<String> = stores.iter().map(|store| self.operand(store.value, value)).collect();
        let row = self.row(1, first.dy);
        let begin = first.dx * layout.channels as i32;
        if stores.len() as u32 != layout.channels {
            let apart = stores.iter().zip(values);
            return apart.flat_map(|(store, value)| self.store_apart(&image, layout, store, &value)).collect();
        }
        let units = layout.widest();
        let mut statements = Vec::new();
        for part in 0..layout.lanes * layout.channels / units {
            let value = interleave(layout, &values, part * units, units);
            let stored = layout.loaded(units);
            let value = if stored.ty == layout.unit { value } else { format!("as_{stored}({value})") };
            let column = (begin + (part * units) as i32) * layout.elements_of_unit() as i32;
            self.prelude.pull(Helper::Store, stored);
            statements.push(format!("store_{}({image}, {column}, {row}, {value});", stored.suffix()));
        }
        statements
    }

    /// Some of an element's channels, one by one.
    fn store_apart(&mut self, image: &str, layout: Layout, store: &Store, value: &str) -> Vec<String> {
        let form = Form::scalar(layout.ty);
        self.prelude.pull(Helper::Store, form);
        let row = self.row(1, store.dy);
        let lane = |lane: u32| {
            let column = (store.dx as u32 + lane) * layout.channels + store.channel;
            let value = if layout.lanes == 1 { value.to_owned() } else { format!("({value}).s{lane:x}") };
            format!("store_{}({image}, {column}, {row}, {value});", form.suffix())
        };
        (0..layout.lanes).map(lane).collect()
    }
}

/// An expression that a component may be taken from.
fn postfixed(text: &str) -> String {
    if is_primary(text) { text.to_owned() } else { format!("({text})") }
}

/// Units `first .. first + units` of the values of channels in turn.
fn interleave(layout: Layout, values: &[String], first: u32, units: u32) -> String {
    if let [one] = values
        && layout.lanes == units
    {
        return one.clone();
    }
    let form = Form { ty: layout.unit, lanes: units };
    let unit = |unit: u32| match (values.get((unit % layout.channels) as usize), layout.lanes) {
        (Some(value), 1) => value.clone(),
        (Some(value), _) => format!("{}.s{:x}", postfixed(value), unit / layout.channels),
        (None, _) => String::new(),
    };
    let parts: Vec<String> = (first..first + units).map(unit).collect();
    match parts.as_slice() {
        [one] => one.clone(),
        several => format!("({form})({})", comma(several)),
    }
}
