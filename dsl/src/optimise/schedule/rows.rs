//! The forms of a body, and what the searches of all targets share: each form over rows, and what was chosen.
//!
//! A form over few rows is the beginning of the same over more, so every number of rows costs only what it adds.

use super::choose::{Choice, Sums};
use super::demand_order::Demand;
use super::jam::{Copies, Naming};
use crate::ir::{AxisId, Block, Body, Kernel, Node, Store, Term};
use crate::optimise::Nest;
use crate::optimise::restructure::forms::{Form, forms};
use std::cell::RefCell;
use std::rc::Rc;

/// The forms of a body, the one as written first.
#[derive(Debug)]
pub struct Forms {
    list: Vec<Form>,
    rows: Vec<RefCell<Rows>>,
    chosen: RefCell<Vec<(Question, Choice)>>,
    /// What forms over rows cost on targets of a kind.
    sums: RefCell<Vec<(Priced, Sums)>>,
    /// What targets of a kind make of a form in a nest.
    nests: RefCell<Vec<(Asked, Rc<Body>)>>,
}

impl Forms {
    /// The forms of a body.
    pub fn of(kernel: &Kernel, body: &Body) -> Self {
        let list = forms(kernel, body);
        let rows = list.iter().map(|form| RefCell::new(Rows::new(2 * form.phases[0].nodes.len()))).collect();
        Self { list, rows, chosen: RefCell::default(), sums: RefCell::default(), nests: RefCell::default() }
    }

    /// The forms.
    pub fn list(&self) -> &[Form] {
        &self.list
    }

    /// What `read` finds in the values and stores of a form over `rows` rows of one vector, in the order of demand.
    /// They have no names, and a sum that further rows proved not to wrap says so already.
    pub fn in_rows<T>(&self, form: usize, rows: u32, read: impl FnOnce(&[Node], &[Store]) -> T) -> T {
        let mut known = self.rows[form].borrow_mut();
        known.extend(&self.list[form].phases, rows as usize);
        let (nodes, stores) = known.ends[rows as usize];
        read(&known.demand.nodes[..nodes], &known.demand.stores[..stores])
    }

    /// The cost of a form over `rows` rows on targets of a kind; found once.
    pub(super) fn sums(&self, kind: &'static str, form: usize, rows: u32, find: impl FnOnce() -> Sums) -> Sums {
        let asked = (kind, form, rows);
        let known = self.sums.borrow().iter().find(|(own, _)| *own == asked).map(|(_, sums)| *sums);
        known.unwrap_or_else(|| {
            let sums = find();
            self.sums.borrow_mut().push((asked, sums));
            sums
        })
    }

    /// What targets of a kind make of a form in a nest; made once for all nests with the same copies.
    pub fn in_nest(&self, kind: &'static str, form: usize, nest: &Nest, make: impl FnOnce() -> Body) -> Rc<Body> {
        let asked = (kind, form, nest.copies());
        let known = self.nests.borrow().iter().find(|(own, _)| *own == asked).map(|(_, body)| Rc::clone(body));
        known.unwrap_or_else(|| {
            let body = Rc::new(make());
            self.nests.borrow_mut().push((asked, Rc::clone(&body)));
            body
        })
    }

    /// What targets that ask alike choose; found once.
    pub(super) fn choice(&self, question: Question, find: impl FnOnce() -> Choice) -> Choice {
        let known = self.chosen.borrow().iter().find(|(own, _)| *own == question).cloned();
        if let Some((_, choice)) = known {
            return choice;
        }
        let choice = find();
        self.chosen.borrow_mut().push((question, choice.clone()));
        choice
    }
}

/// The kind of a target, the form, and how many rows.
type Priced = (&'static str, usize, u32);

/// The kind of a target, the form, and where its copies stand.
type Asked = (&'static str, usize, Vec<Vec<Term>>);

/// The kind of a target, the calls that a body may have, and the block that is fixed.
pub(super) type Question = (&'static str, usize, Option<Block>);

/// A form over more and more rows.
#[derive(Debug)]
struct Rows {
    copies: Copies,
    demand: Demand,
    /// The values and stores of no row, of one, of two, …
    ends: Vec<(usize, usize)>,
}

impl Rows {
    /// Starts without rows, with room for about `count` values.
    fn new(values: usize) -> Self {
        Self { copies: Copies::new(Naming::Nothing, values), demand: Demand::default(), ends: vec![(0, 0)] }
    }

    fn extend(&mut self, phases: &[Body], rows: usize) {
        while self.ends.len() <= rows {
            let stores = self.copies.stores.len();
            self.copies.add(phases, &[(AxisId::Y, self.ends.len() as i64 - 1)]);
            self.demand.add(self.copies.builder.nodes(), &self.copies.stores[stores..]);
            self.ends.push((self.demand.nodes.len(), self.demand.stores.len()));
        }
    }
}
