//! Fitted weights as a text that people can read and another variant can begin with.
//!
//! ```toml
//! game = "chess"                       # whose they are
//! fingerprint = "badae99e88a707ff"     # of exactly which rules
//! sites = 64                           # of the board
//! agent = "alphabeta"                  # who plays it best
//! positions = 250000                   # that they were fitted to
//! [[sum]]
//! "white pawn" = [0.31, 0, 0, ...]     # for each pawn, then more or less for each site
//! "white king beside white pawn" = [0, 0.05, ...]   # for each axis of the board: the king stands forwards
//! [[phase]]                            # the same, times how empty the board is: 1 without pieces, -1 when it is full
//! "white pawn" = [0.1, 0, ...]
//! [[unit]]                             # of the network that corrects the first sum, where there is one
//! bias = 0.3
//! worth = 0.9
//! [unit.weights]
//! "white pawn" = [...]
//! ```
//!
//! Weights are logits by the names of terms, so those of one variant are of use to another with the same pieces.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{Evaluation, Hidden, Terms};

/// Weights with the game that they are for.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// The game's name, as it was trained.
    pub game: String,
    /// The fingerprint of its rules.
    pub fingerprint: String,
    /// How many sites its board has: on another board those weights say nothing that are for single sites.
    pub sites: usize,
    /// The agent that plays it best, if that was measured.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub agent: String,
    /// How many positions they were fitted to, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<usize>,
    /// How they were made.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub made: String,
    /// For each sum the weights of each term, by its name.
    pub sum: Vec<Named>,
    /// What each sum gains with the phase, by term; none where the weights are the same in each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phase: Vec<Named>,
    /// The units of the network of the first sum.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unit: Vec<Unit>,
}

/// Weights by the names of terms.
pub type Named = BTreeMap<String, Vec<f64>>;

/// A unit of a network.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    /// The sum that it begins with.
    pub bias: f64,
    /// What it adds to the logit at most.
    pub worth: f64,
    /// The weights of each term, by its name.
    pub weights: Named,
}

/// Why a text is no weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WeightsError {
    /// The mistake, in one sentence.
    pub message: String,
    /// Where: bytes of the text, none where all of it is meant.
    pub at: Range<usize>,
}

impl std::fmt::Display for WeightsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for WeightsError {}

impl Weights {
    /// Reads a text.
    ///
    /// # Errors
    /// Where it is no TOML, has other keys, or numbers that are no weights.
    pub fn read(text: &str) -> Result<Weights, WeightsError> {
        let read: Weights = toml::from_str(text).map_err(|error| WeightsError {
            message: error.message().to_owned(),
            at: error.span().unwrap_or_default(),
        })?;
        let wrong = |w: &f64| !w.is_finite() || w.abs() > MAX_WEIGHT;
        let rims = read.unit.iter().flat_map(|unit| [("bias", unit.bias), ("worth", unit.worth)]);
        let rows =
            read.sum.iter().chain(&read.phase).chain(read.unit.iter().map(|unit| &unit.weights)).flatten();
        let of_row = |(name, row): (&'_ String, &Vec<f64>)| row.iter().any(wrong).then(|| name.clone());
        let of_rim = |(name, w): (&str, f64)| wrong(&w).then(|| name.to_owned());
        match rows.filter_map(of_row).chain(rims.filter_map(of_rim)).next() {
            Some(name) => Err(WeightsError {
                message: format!("a weight of `{name}` is no number within -{MAX_WEIGHT} and {MAX_WEIGHT}"),
                at: text.find(name.as_str()).map_or(0..0, |at| at..at + name.len()),
            }),
            None => Ok(read),
        }
    }

    /// Looks whether a text, which these are, has more weights of sites than a game's board has sites. All else may
    /// differ: weights are the same for all options, and for variants that have none of their own.
    ///
    /// # Errors
    /// Where a row is too long.
    pub fn fit(&self, text: &str, terms: &Terms) -> Result<(), WeightsError> {
        let single: Vec<bool> = terms.of_one_site().collect();
        let of_sites = |range: &Range<usize>| range.len() > 1 && single.get(range.end - 1) == Some(&true);
        let named = || terms.names().filter(|(_, range)| self.sites == terms.sites() && of_sites(range));
        let rows = self.sum.iter().chain(&self.phase).chain(self.unit.iter().map(|unit| &unit.weights));
        let long =
            rows.flat_map(|rows| named().filter_map(|(name, range)| Some((name, range, rows.get(name)?))));
        match long.into_iter().find(|(_, range, row)| row.len() > range.len()) {
            None => Ok(()),
            Some((name, range, row)) => {
                let (has, most) = (row.len(), range.len());
                let message =
                    format!("`{name}` has {has} weights, one for all sites and one for each are {most}");
                // The name stands in other parts too, before rows that are not too long.
                let is_long =
                    |row: &str| row.split(']').next().is_some_and(|row| row.matches(',').count() >= most);
                let key = format!("\"{name}\"");
                let mut said = text.match_indices(&key).map(|(at, _)| at + 1);
                let at = said.find(|at| text.get(*at..).is_some_and(is_long));
                let at = at.map_or(0..0, |at| at..at + name.len());
                Err(WeightsError { message, at })
            }
        }
    }

    /// As a text. Weights are rounded to a thousandth of a logit, those of numbers to a millionth.
    pub fn write(&self) -> String {
        let mut out = String::new();
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        for (key, value) in [
            ("game", &self.game),
            ("fingerprint", &self.fingerprint),
            ("agent", &self.agent),
            ("made", &self.made),
        ] {
            match (key, self.positions) {
                ("agent", _) => out += &format!("sites = {}\n", self.sites),
                ("made", Some(positions)) => out += &format!("positions = {positions}\n"),
                _ => {}
            }
            if !value.is_empty() {
                out += &format!("{key} = {}\n", quoted(value));
            }
        }
        let rows = |rows: &Named, places: usize, out: &mut String| {
            for (name, row) in rows {
                let places = if row.len() == 1 { 6 } else { places };
                let mut row: Vec<String> = row.iter().map(|w| rounded(*w, places)).collect();
                row.truncate(row.iter().rposition(|w| w != "0").map_or(0, |last| last + 1));
                *out += &format!("{} = [{}]\n", quoted(name), row.join(", "));
            }
        };
        for (key, sums) in [("sum", &self.sum), ("phase", &self.phase)] {
            for sum in sums {
                out += &format!("\n[[{key}]]\n");
                rows(sum, 3, &mut out);
            }
        }
        for Unit { bias, worth, weights } in &self.unit {
            let [bias, worth] = [bias, worth].map(|rim| rounded(*rim, 3));
            out += &format!("\n[[unit]]\nbias = {bias}\nworth = {worth}\n[unit.weights]\n");
            rows(weights, 2, &mut out);
        }
        out
    }

    /// The weights of fitted rows, and of the network of the first sum.
    pub fn of(
        terms: &Terms,
        rows: &[Vec<f64>],
        network: Option<&Hidden>,
        game: &str,
        fingerprint: &str,
    ) -> Weights {
        let scales = terms.scales();
        let pairs: Vec<bool> = terms.are_pairs().collect();
        let named = |row: &[f64]| -> Named {
            // In the file nothing is scaled: a point is a point.
            let row: Vec<f64> = row.iter().zip(&scales).map(|(weight, scale)| weight / scale).collect();
            let own = |(name, range): (&str, Range<usize>)| {
                let pair = pairs.get(range.start) == Some(&true);
                let row = row.get(range).map(<[f64]>::to_vec).unwrap_or_default();
                // Of many sorts most never stand beside each other.
                (!pair || row.iter().any(|w| w.abs() >= LEAST_TOLD)).then(|| (name.to_owned(), row))
            };
            terms.names().filter_map(own).collect()
        };
        let unit = |hidden: &Hidden| -> Vec<Unit> {
            let rims = hidden.bias.iter().zip(&hidden.worth);
            let units = hidden.rows.iter().zip(rims);
            units
                .map(|(row, (bias, worth))| Unit { bias: *bias, worth: *worth, weights: named(row) })
                .collect()
        };
        let halves = || rows.iter().map(|row| terms.halves(row));
        let changes = halves().any(|(_, more)| more.iter().any(|weight| *weight != 0.0));
        Weights {
            game: game.to_owned(),
            fingerprint: fingerprint.to_owned(),
            sites: terms.sites(),
            sum: halves().map(|(half, _)| named(half)).collect(),
            phase: halves().filter(|_| changes).map(|(_, more)| named(more)).collect(),
            unit: network.map(unit).unwrap_or_default(),
            ..Weights::default()
        }
    }

    /// The rows for the terms of a game, each with what the phase adds, those of another variant where the names are the
    /// same; unknown weights are 0. None where no piece is known.
    pub fn rows(&self, terms: &Terms) -> Option<Vec<Vec<f64>>> {
        let none = Named::new();
        let half = |sums: &[Named], sum: usize| self.row(sums.get(sum).unwrap_or(&none), terms);
        let row = |sum: usize| [half(&self.sum, sum), half(&self.phase, sum)].concat();
        let rows: Vec<Vec<f64>> = (0..terms.sides().sums()).map(row).collect();
        rows.iter().flatten().any(|w| *w != 0.0).then_some(rows)
    }

    fn row(&self, known: &Named, terms: &Terms) -> Vec<f64> {
        let mut row = vec![0.0; terms.len()];
        let single: Vec<bool> = terms.of_one_site().collect();
        for (name, range) in terms.names() {
            let Some(from) = known.get(name) else { continue };
            for (at, from) in range.zip(from) {
                // On another board it is not known what a single site is worth.
                if self.sites == terms.sites() || !single[at] {
                    row[at] = *from;
                }
            }
        }
        row.iter_mut().zip(&terms.scales()).for_each(|(weight, scale)| *weight *= scale);
        row
    }

    /// The network of the first sum. What a unit says on another board is not known.
    pub fn network(&self, terms: &Terms) -> Option<Hidden> {
        (!self.unit.is_empty() && self.sites == terms.sites()).then(|| Hidden {
            rows: self.unit.iter().map(|unit| self.row(&unit.weights, terms)).collect(),
            bias: self.unit.iter().map(|unit| unit.bias).collect(),
            worth: self.unit.iter().map(|unit| unit.worth).collect(),
        })
    }

    /// Whether they have a row for each of a game's terms, on as many sites.
    pub fn know(&self, terms: &Terms) -> bool {
        let all = |sum: &Named| terms.names().all(|(name, _)| sum.contains_key(name));
        self.sites == terms.sites() && self.sum.len() == terms.sides().sums() && self.sum.iter().all(all)
    }

    /// The evaluation of a game's terms.
    pub fn evaluation(&self, terms: &Terms) -> Option<Evaluation> {
        Some(Evaluation::new(terms, &self.rows(terms)?, self.network(terms).as_slice()))
    }
}

/// A weight that is not rounded to 0.
const LEAST_TOLD: f64 = 0.0005;

/// No weight is greater.
const MAX_WEIGHT: f64 = 1000.0;

fn rounded(weight: f64, places: usize) -> String {
    let text = format!("{weight:.places$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "" | "-0" => "0".to_owned(),
        text => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_read_and_written() {
        let mut weights = Weights { game: "a \"b\"".into(), fingerprint: "ff".into(), ..Weights::default() };
        weights.sum = vec![[("white x".to_owned(), vec![0.5, 0.0, -1.25]), ("x".to_owned(), vec![])].into()];
        assert_eq!(Weights::read(&weights.write()), Ok(weights.clone()));
        weights.positions = Some(12);
        assert_eq!(Weights::read(&weights.write()), Ok(weights));
        let phase = "game = 'a'\nfingerprint = 'b'\nsites = 4\nsum = []\n[[phase]]\np = [nan]";
        for text in [phase, "game = 1", "game = 'a'\nfingerprint = 'b'\nsites = 4\n[[sum]]\np = [nan]", "x"] {
            assert!(Weights::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_are_short() {
        let said = [0.0, -0.0, 1.0, -0.25, 0.12345, -0.0001].map(|w| rounded(w, 3));
        assert_eq!(said, ["0", "0", "1", "-0.25", "0.123", "0"]);
    }
}
