//! The strongest of a list that keep a distance: a choice in an order of its own, and so no kernel.

use windrow::{
    RunError, TensorInfo, View, ViewMut,
    chain::{Arguments, OperatorError, PlainOperator},
};

/// The side of the smallest cells, so that there are few of them.
const LEAST_SIDE: usize = 8;

/// No candidate.
const NONE: u32 = u32::MAX;

/// Chooses of a list the strongest first, none nearer than a distance to those chosen before; of two equally strong ones the first of the
/// list.
///
/// It reads places [row, column] in an image of `extents`, strengths, and how many of them count. It writes the lists of those chosen,
/// the strongest first, and how many were chosen in all, and uses three more outputs as memory: the candidates in order, what follows
/// each in its cell, and the first of each cell.
///
/// Cells are as wide as the distance, so that what is too near lies in one of 3×3.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChooseSpaced {
    pub extents: [usize; 2],
    /// Places nearer than this are too near.
    pub distance: f32,
    pub capacity: usize,
}

impl ChooseSpaced {
    fn side(&self) -> usize {
        (self.distance.ceil() as usize).max(LEAST_SIDE)
    }

    fn cells(&self) -> [usize; 2] {
        self.extents.map(|extent| extent.div_ceil(self.side()).max(1))
    }

    fn is_too_near(&self, a: [i32; 2], b: [i32; 2]) -> bool {
        let [dy, dx] = [0, 1].map(|i| f64::from(a[i]) - f64::from(b[i]));
        dy * dy + dx * dx < f64::from(self.distance) * f64::from(self.distance)
    }
}

impl PlainOperator for ChooseSpaced {
    fn name(&self) -> &str {
        "choose_spaced"
    }

    fn infer(&self, inputs: &[TensorInfo]) -> Result<Vec<TensorInfo>, OperatorError> {
        let [places, _, _] = inputs else { return Err(OperatorError::InputCount { found: inputs.len(), expected: 3 }) };
        let candidates = places.shape().extents();
        Ok(vec![
            TensorInfo::of::<[i32; 2]>(&[self.capacity])?,
            TensorInfo::of::<f32>(&[self.capacity])?,
            TensorInfo::of::<i32>(&[1])?,
            TensorInfo::of::<u32>(&candidates)?,
            TensorInfo::of::<u32>(&candidates)?,
            TensorInfo::of::<u32>(&self.cells())?,
        ])
    }

    fn run(&self, mut given: Arguments<'_>) -> Result<(), RunError> {
        let missing = RunError::Kernel { reason: "a list has a gap" };
        let (places, strengths) = (given.input_of::<[i32; 2]>(0)?, given.input_of::<f32>(1)?);
        let count = given.input_of::<i32>(2)?.get([0usize]).ok_or(missing)?;
        let (mut at, mut of) = (given.output_of(0)?, given.output_of(1)?);
        let mut chosen = Chosen { places: at.row_mut(0).ok_or(missing)?, strengths: of.row_mut(0).ok_or(missing)? };
        let mut total = given.output_of::<i32>(2)?;
        let (mut order, mut next) = (given.output_of::<u32>(3)?, given.output_of::<u32>(4)?);
        let mut cells = Cells { side: self.side(), heads: given.output_of(5)?, next: next.row_mut(0).ok_or(missing)? };
        let (places, strengths) = (places.row(0).ok_or(missing)?, strengths.row(0).ok_or(missing)?);
        let count = usize::try_from(count).unwrap_or(0).min(places.len());
        let order = order.row_mut(0).and_then(|order| order.get_mut(..count)).ok_or(missing)?;
        order.iter_mut().zip(0..).for_each(|(candidate, index)| *candidate = index);
        let strength = |candidate: u32| strengths.get(candidate as usize).copied().unwrap_or(0.0);
        order.sort_unstable_by(|a, b| strength(*b).total_cmp(&strength(*a)).then(a.cmp(b)));
        cells.clear();
        let mut found = 0;
        for &candidate in &*order {
            let place = places.get(candidate as usize).copied().ok_or(missing)?;
            if !cells.any_around(place, |other| places.get(other).is_some_and(|other| self.is_too_near(place, *other)))
            {
                cells.insert(place, candidate);
                chosen.set(found, place, strength(candidate));
                found += 1;
            }
        }
        (found..self.capacity).for_each(|rest| chosen.set(rest, [-1, -1], 0.0));
        let is_told = total.set([0usize], i32::try_from(found).unwrap_or(i32::MAX));
        is_told.then_some(()).ok_or(missing)
    }
}

/// The lists that are written.
struct Chosen<'a> {
    places: &'a mut [[i32; 2]],
    strengths: &'a mut [f32],
}

impl Chosen<'_> {
    /// Nothing, where the list is shorter.
    fn set(&mut self, index: usize, place: [i32; 2], strength: f32) {
        self.places.get_mut(index).into_iter().for_each(|own| *own = place);
        self.strengths.get_mut(index).into_iter().for_each(|own| *own = strength);
    }
}

/// What was chosen, by cells: of each the last one, and of each candidate the one before it in its cell.
struct Cells<'a, 'n> {
    side: usize,
    heads: ViewMut<'a, u32>,
    next: &'n mut [u32],
}

impl Cells<'_, '_> {
    fn clear(&mut self) {
        for row in 0..self.heads.info().height() {
            self.heads.row_mut(row).into_iter().for_each(|row| row.fill(NONE));
        }
    }

    /// The cell of a place.
    fn of(&self, place: [i32; 2]) -> [usize; 2] {
        place.map(|at| usize::try_from(at).unwrap_or(0) / self.side)
    }

    fn insert(&mut self, place: [i32; 2], candidate: u32) {
        let cell = self.of(place);
        let head = self.head(cell);
        self.next.get_mut(candidate as usize).into_iter().for_each(|next| *next = head);
        let head = self.heads.row_mut(cell[0]).and_then(|row| row.get_mut(cell[1]));
        head.into_iter().for_each(|head| *head = candidate);
    }

    fn head(&self, cell: [usize; 2]) -> u32 {
        let heads: View<'_, u32> = self.heads.view();
        heads.get(cell).unwrap_or(NONE)
    }

    /// Whether something holds of any candidate in the 3×3 cells around a place.
    fn any_around(&self, place: [i32; 2], holds: impl Fn(usize) -> bool) -> bool {
        let [row, column] = self.of(place);
        let around = |at: usize| at.saturating_sub(1)..=at + 1;
        around(row).any(|row| around(column).any(|column| self.any_in([row, column], &holds)))
    }

    fn any_in(&self, cell: [usize; 2], holds: &impl Fn(usize) -> bool) -> bool {
        let mut candidate = self.head(cell);
        while let Some(&next) = self.next.get(candidate as usize) {
            if holds(candidate as usize) {
                return true;
            }
            candidate = next;
        }
        false
    }
}
