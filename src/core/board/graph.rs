//! Boards that are given as a graph: chains of site names under pairs of labels.
//!
//! Sites are numbered in the order in which the edges name them first. Each label is a partial
//! function: where chains would lead one label from a site to two, that is a mistake that names both.

use super::direction::{Label, Links, Motion};
use super::error::{BoardError, BoardPart};
use crate::ids::Site;
use crate::siteset::MAX_SITES;
use crate::wording::{is_identifier, is_site};
use std::collections::HashMap;

/// The most labels a board may have.
pub(super) const MAX_LABELS: usize = 1024;

/// One entry of a graph's edges: the label forwards, the label backwards, the chains.
type Edges = (String, Option<String>, Vec<Vec<String>>);

/// A board's named sites and labels, as its edges give them.
#[derive(Default)]
pub(super) struct Chart {
    /// Names, in site order.
    pub names: Vec<String>,
    /// Labels, in the order in which they are named.
    pub labels: Vec<Label>,
    sites: HashMap<String, Site>,
    errors: Vec<BoardError>,
}

impl Chart {
    /// Reads a graph's edges.
    ///
    /// # Errors
    /// Names that are none, labels that are no function or have two opposites, no site or too many.
    pub fn read(edges: &[Edges]) -> Result<Chart, Vec<BoardError>> {
        let mut chart = Chart::default();
        for (i, (forward, backward, chains)) in edges.iter().enumerate() {
            if !chart.entry(BoardPart::Edges(i), forward, backward.as_deref(), chains) {
                break;
            }
        }
        if chart.names.is_empty() && chart.errors.is_empty() {
            let message = "the board has no site: its edges name none";
            chart.errors.push(BoardError::new(BoardPart::Shape, message));
        }
        match chart.errors.is_empty() {
            true => Ok(chart),
            false => Err(chart.errors),
        }
    }

    /// Reads one entry; false if it is useless to go on.
    fn entry(
        &mut self,
        part: BoardPart,
        forward: &str,
        backward: Option<&str>,
        chains: &[Vec<String>],
    ) -> bool {
        let ahead = self.label(part, forward);
        let back = backward.and_then(|name| self.label(part, name));
        if self.labels.len() > MAX_LABELS {
            let message = format!("the board has too many labels: at most {MAX_LABELS} are possible");
            self.errors.push(BoardError::new(part, message));
            return false;
        }
        if let (Some(a), Some(b)) = (ahead, back) {
            self.pair(part, a, b);
            self.pair(part, b, a);
        }
        for chain in chains {
            let mut last: Option<Site> = None;
            for name in chain {
                let site = self.site(part, name);
                if self.names.len() > MAX_SITES {
                    let message = format!("the board is too large: at most {MAX_SITES} sites are possible");
                    self.errors.push(BoardError::new(part, message));
                    return false;
                }
                if let (Some(from), Some(to)) = (last, site) {
                    self.link(part, ahead, from, to);
                    self.link(part, back, to, from);
                }
                last = site;
            }
        }
        true
    }

    /// The place of a label, which is added if it is new.
    fn label(&mut self, part: BoardPart, name: &str) -> Option<usize> {
        if let Some(place) = self.labels.iter().position(|label| label.name == name) {
            return Some(place);
        }
        if !is_identifier(name) {
            let message = format!("`{name}` cannot name a direction: it must be an identifier");
            self.errors.push(BoardError::about(part, name, message));
            return None;
        }
        let motion = Motion::Links(Links::default());
        self.labels.push(Label { name: name.to_owned(), opposite: None, motion });
        Some(self.labels.len() - 1)
    }

    /// A site by name, which is added if it is new.
    fn site(&mut self, part: BoardPart, name: &str) -> Option<Site> {
        if let Some(site) = self.sites.get(name) {
            return Some(*site);
        }
        if !is_site(name) {
            let message = format!("`{name}` cannot name a site: only letters and digits can");
            self.errors.push(BoardError::about(part, name, message));
            return None;
        }
        let site = Site(self.names.len() as u16);
        self.names.push(name.to_owned());
        self.sites.insert(name.to_owned(), site);
        Some(site)
    }

    /// Notes that a label's opposite is another.
    fn pair(&mut self, part: BoardPart, label: usize, opposite: usize) {
        match self.labels[label].opposite {
            Some(other) if other != opposite => {
                let [name, one, two] = [label, other, opposite].map(|place| &self.labels[place].name);
                let message = format!("`{name}` has two opposites: `{one}` and `{two}`");
                let error = BoardError::about(part, name, message);
                self.errors.push(error);
            }
            _ => self.labels[label].opposite = Some(opposite),
        }
    }

    /// Adds an edge under a label.
    fn link(&mut self, part: BoardPart, label: Option<usize>, from: Site, to: Site) {
        let Some(label) = label.and_then(|place| self.labels.get_mut(place)) else { return };
        if let Motion::Links(links) = &mut label.motion
            && let Err(error) = links.add(part, &label.name, &self.names, from, to)
        {
            self.errors.push(error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(entries: &[(&str, Option<&str>, &str)]) -> Result<Chart, Vec<BoardError>> {
        let edges: Vec<Edges> = entries
            .iter()
            .map(|(a, b, chains)| {
                let chains = chains.split_whitespace();
                let chains = chains.map(|chain| chain.split('-').map(str::to_owned).collect());
                (a.to_string(), b.map(str::to_owned), chains.collect())
            })
            .collect();
        Chart::read(&edges)
    }

    fn messages(entries: &[(&str, Option<&str>, &str)]) -> Vec<String> {
        let errors = read(entries).err().unwrap_or_default();
        errors.into_iter().map(|error| error.message).collect()
    }

    #[test]
    fn sites_are_numbered_as_they_appear() {
        let chart = read(&[("e", Some("w"), "b-a c"), ("n", None, "a-d")]).unwrap();
        assert_eq!(chart.names, ["b", "a", "c", "d"]);
        let labels: Vec<_> = chart.labels.iter().map(|l| (&*l.name, l.opposite)).collect();
        assert_eq!(labels, [("e", Some(1)), ("w", Some(0)), ("n", None)]);
    }

    #[test]
    fn a_label_is_a_function() {
        assert_eq!(messages(&[("e", Some("w"), "a-b-c a-d")]), ["`e` leads from `a` both to `b` and to `d`"]);
        assert_eq!(messages(&[("e", Some("w"), "a-b c-b")]), ["`w` leads from `b` both to `a` and to `c`"]);
        assert_eq!(messages(&[("e", None, "a-a")]), ["`e` leads from `a` to itself"]);
        assert_eq!(
            messages(&[("e", Some("w"), "a-b"), ("e", Some("v"), "b-c")]),
            ["`e` has two opposites: `w` and `v`"]
        );
        assert!(messages(&[("e", Some("w"), "a-b a-b b-c-a")]).is_empty());
    }

    #[test]
    fn names_are_looked_at() {
        assert_eq!(messages(&[("e", None, "")]), ["the board has no site: its edges name none"]);
        assert_eq!(
            messages(&[("1e", None, "a_b")]),
            [
                "`1e` cannot name a direction: it must be an identifier",
                "`a_b` cannot name a site: only letters and digits can"
            ]
        );
    }
}
