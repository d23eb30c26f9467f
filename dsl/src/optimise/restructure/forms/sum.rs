//! Sums over windows, in each style.
//!
//! A window whose rows are multiples of one row is a product of two vectors: that row's sum is computed once a row, and
//! a jam of several rows shares it. A window of several such rows is a sum of as many products.

use super::grid::Grid;
use super::terms::{Term, Terms};
use super::write::{Part, Scaled};
use super::writer::{FormWriter, WindowOrder};
use crate::ir::ValueId;

/// The sum in the style of `writer`.
pub fn write(writer: &mut FormWriter<'_>, terms: &Terms) -> ValueId {
    let mut parts: Vec<Scaled> = Vec::new();
    for grid in terms.taps.values().chain(terms.alike.values()) {
        let is_flat = |at: fn(&(i32, i32)) -> i32| {
            let mut places = grid.0.keys().map(at);
            let first = places.next();
            places.all(|place| Some(place) == first)
        };
        let is_line = is_flat(|place| place.0) || is_flat(|place| place.1);
        match writer.style.order {
            WindowOrder::Direct => parts.extend(scaled(writer, grid.0.values())),
            WindowOrder::Columns if !is_line => parts.extend(lines(writer, &grid.transposed())),
            WindowOrder::Rows | WindowOrder::Columns => parts.extend(lines(writer, grid)),
        }
    }
    parts.extend(scaled(writer, &terms.others));
    if terms.constant != 0 || parts.is_empty() {
        let constant = writer.constant(terms.constant);
        parts.push((1, constant));
    }
    match writer.grouped(&parts) {
        Some(sum) => sum.id,
        None => writer.constant(0).id,
    }
}

/// Terms with their values, those without effect left out.
fn scaled<'t>(writer: &mut FormWriter<'_>, terms: impl IntoIterator<Item = &'t Term>) -> Vec<Scaled> {
    let terms = terms.into_iter().filter(|term| term.coefficient != 0);
    terms.map(|term| (term.coefficient, writer.leaf(term.value, term.interval))).collect()
}

/// The lines of a window with one vector of coefficients, up to their sign: (place, factor, sum).
struct Line {
    vector: Vec<(i32, i128)>,
    places: Vec<(i32, i128, Vec<Term>)>,
}

/// A window's sum, line by line: the terms that remain to be added.
fn lines(writer: &mut FormWriter<'_>, grid: &Grid<Term>) -> Vec<Scaled> {
    let mut found: Vec<Line> = Vec::new();
    let mut parts: Vec<Scaled> = Vec::new();
    for (place, mut entries) in grid.rows() {
        entries.retain(|(_, term)| term.coefficient != 0);
        if entries.is_empty() {
            continue;
        }
        let factor = common_factor(entries.iter().map(|(_, term)| term.coefficient));
        let vector: Vec<(i32, i128)> = entries.iter().map(|(at, term)| (*at, term.coefficient / factor)).collect();
        let terms: Vec<Term> = entries.into_iter().map(|(_, term)| term).collect();
        match found.iter_mut().find(|line| line.vector == vector) {
            Some(line) => line.places.push((place, factor, terms)),
            None => found.push(Line { vector, places: vec![(place, factor, terms)] }),
        }
    }
    for mut line in found {
        line.turn();
        let mut sums: Vec<(i32, i128, Part)> = Vec::with_capacity(line.places.len());
        for (place, factor, terms) in &line.places {
            let mut entries = scaled(writer, terms);
            for (entry, &(_, coefficient)) in entries.iter_mut().zip(&line.vector) {
                entry.0 = coefficient;
            }
            let Some(sum) = writer.grouped(&entries) else { continue };
            if entries.len() > 1 {
                writer.name(sum, if writer.style.order == WindowOrder::Columns { "column_sum" } else { "row_sum" });
            }
            sums.push((*place, *factor, sum));
        }
        parts.extend(across(writer, &sums));
    }
    parts
}

impl Line {
    /// The sign with which fewer lines are subtracted.
    fn turn(&mut self) {
        let negative = self.places.iter().filter(|(_, factor, _)| *factor < 0).count();
        if 2 * negative > self.places.len() {
            self.vector.iter_mut().for_each(|(_, coefficient)| *coefficient = -*coefficient);
            self.places.iter_mut().for_each(|(_, factor, _)| *factor = -*factor);
        }
    }
}

/// The sum across lines: (place, factor, sum of the line).
fn across(writer: &mut FormWriter<'_>, sums: &[(i32, i128, Part)]) -> Vec<Scaled> {
    let is_gapless = sums.windows(2).all(|pair| pair[1].0 == pair[0].0 + 1);
    let is_in_y = writer.style.order != WindowOrder::Columns;
    let factor = common_factor(sums.iter().map(|&(_, factor, _)| factor)).abs();
    let (Some(first), true, true) = (sums.first(), is_gapless && sums.len() > 2, is_in_y) else {
        return sums.iter().map(|&(_, factor, sum)| (factor, sum)).collect();
    };
    if sums.iter().all(|sum| sum.1 == first.1) {
        let values: Vec<Part> = sums.iter().map(|&(_, _, sum)| sum).collect();
        return shared(writer, &values).map(|sum| (first.1, sum)).into_iter().collect();
    }
    if writer.takes_pairs() {
        let factors = sums.iter().map(|&(_, own, _)| own / factor).collect();
        let values = sums.iter().map(|&(_, _, sum)| sum).collect();
        return pairs(writer, factors, values).map(|sum| (factor, sum)).into_iter().collect();
    }
    sums.iter().map(|&(_, factor, sum)| (factor, sum)).collect()
}

/// The sum of neighbouring rows; what a row of the block shares with the next is summed first.
fn shared(writer: &mut FormWriter<'_>, values: &[Part]) -> Option<Part> {
    let (own, common) = match writer.phase() {
        0 => values.split_first()?,
        _ => values.split_last()?,
    };
    let common = writer.chain(common)?;
    Some(writer.add(common, *own))
}

/// Σ factor · value by sums of neighbours, for as long as the factors, read as a polynomial, divide by 1 + x.
fn pairs(writer: &mut FormWriter<'_>, mut factors: Vec<i128>, mut values: Vec<Part>) -> Option<Part> {
    while let Some(quotient) = divided(&factors) {
        values = values.windows(2).map(|pair| writer.add(pair[0], pair[1])).collect();
        values.iter().for_each(|&value| writer.name(value, "pair_sum"));
        factors = quotient;
    }
    let parts: Vec<Scaled> = factors.into_iter().zip(values).collect();
    writer.grouped(&parts)
}

/// The quotient of a polynomial by 1 + x, where there is no remainder.
fn divided(factors: &[i128]) -> Option<Vec<i128>> {
    let (&last, rest) = factors.split_last()?;
    let mut quotient: Vec<i128> = Vec::with_capacity(rest.len());
    for &factor in rest {
        quotient.push(factor - quotient.last().unwrap_or(&0));
    }
    (!rest.is_empty() && quotient.last() == Some(&last)).then_some(quotient)
}

/// The greatest common divisor, with the sign of the last.
fn common_factor(coefficients: impl Iterator<Item = i128>) -> i128 {
    let (mut factor, mut last) = (0i128, 1);
    for coefficient in coefficients {
        let (mut a, mut b) = (factor, coefficient.abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        (factor, last) = (a, coefficient);
    }
    if last < 0 { -factor.max(1) } else { factor.max(1) }
}
