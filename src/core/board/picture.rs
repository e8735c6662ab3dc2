//! Where sites are drawn: places on paper, and rows of text.

use super::Board;
use crate::ids::Site;
use std::collections::HashSet;

/// The most sites a line of a graph's picture has.
const MAX_LINE_SITES: usize = 10;

impl Board {
    /// Where a site is drawn, `(x, y)` in units of the distance of neighbours, x to the right and y
    /// upwards, from 0. Hexagons stand on a corner, so that rows run level. A graph's sites are placed
    /// by their names where all are letters and a number (`a1`, `d7`), on a circle otherwise.
    pub fn place(&self, site: Site) -> (f32, f32) {
        self.places.get(site.index()).copied().unwrap_or_default()
    }

    /// The rows of a board's picture, first line first. On a grid, the rows of the bounding grid from
    /// the last to the first, each from column 1; on a graph, all sites in order, ten a line. `None`
    /// where there is no site.
    pub fn picture_rows(&self) -> Vec<Vec<Option<Site>>> {
        let width = self.grid.map_or(MAX_LINE_SITES, |grid| grid.columns as usize).max(1);
        let bits: Vec<Option<Site>> =
            (0..self.len()).map(|bit| self.exists(bit).then_some(Site(bit as u16))).collect();
        let mut rows: Vec<_> = bits.chunks(width).map(<[_]>::to_vec).collect();
        if self.is_grid() {
            rows.reverse();
        }
        rows
    }
}

/// The places of a graph's sites.
pub(super) fn graph_places(names: &[String]) -> Vec<(f32, f32)> {
    let named: Option<Vec<(u16, u16)>> = names.iter().map(|name| coordinates(name)).collect();
    if let Some(named) = named
        && named.iter().collect::<HashSet<_>>().len() == named.len()
    {
        let left = named.iter().map(|at| at.0).min().unwrap_or(0);
        let low = named.iter().map(|at| at.1).min().unwrap_or(0);
        let place = |(x, y): &(u16, u16)| (f32::from(x - left), f32::from(y - low));
        return named.iter().map(place).collect();
    }
    let turn = std::f32::consts::TAU / names.len().max(1) as f32;
    let radius = if names.len() > 1 { 1.0 / turn } else { 0.0 };
    (0..names.len())
        .map(|i| (turn * i as f32).sin_cos())
        .map(|(sin, cos)| (radius * (1.0 + sin), radius * (1.0 + cos)))
        .collect()
}

/// Column and row that a name such as `d7` tells, at most two small letters and three digits.
fn coordinates(name: &str) -> Option<(u16, u16)> {
    let digits = name.find(|c: char| c.is_ascii_digit())?;
    let (letters, row) = name.split_at(digits);
    let small = letters.bytes().all(|byte| byte.is_ascii_lowercase());
    if !small || !(1..=2).contains(&letters.len()) || !(1..=3).contains(&row.len()) {
        return None;
    }
    let column = letters.bytes().fold(0, |sum, byte| sum * 26 + u16::from(byte - b'a') + 1);
    Some((column, row.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(names: &[&str]) -> Vec<(f32, f32)> {
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        graph_places(&names)
    }

    #[test]
    fn names_tell_the_place() {
        assert_eq!(places(&["b2", "d7"]), [(0.0, 0.0), (2.0, 5.0)]);
        assert_eq!(coordinates("ab12"), Some((28, 12)));
        assert_eq!(coordinates("zzzzzzzz1"), None);
        assert_eq!(coordinates("a99999"), None);
        assert_eq!(coordinates("A1"), None);
    }

    #[test]
    fn other_names_stand_on_a_circle() {
        let places = places(&["p", "q", "r", "s"]);
        assert!(places.iter().all(|(x, y)| *x > -1e-5 && *y > -1e-5));
        assert_eq!(places.len(), 4);
        assert_eq!(super::graph_places(&["x".to_owned()]), [(0.0, 0.0)]);
    }
}
