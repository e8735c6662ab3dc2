//! Directions: the labels of a board, groups of them, and directions relative to a player.
//!
//! A label is a partial function of sites. A name stands for one label, for a group, or for one group
//! for each player; a name of a definition hides the built-in group or relative direction of that
//! name, never a label. Groups hold each label once.

use super::error::{BoardError, BoardPart};
use super::grid::{Cell, Grid};
use super::spec::{DirectionSpec, DirectionTable};
use crate::ids::{Dir, Site};
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A label of a board: a partial function of sites.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Direction {
    /// Its name.
    pub name: String,
    /// The label that leads back along the same lines, if there is one.
    pub opposite: Option<Dir>,
}

/// The meaning of a name of directions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DirGroup {
    /// The same labels for every player.
    Fixed(Vec<Dir>),
    /// The labels for each player, in the players' order.
    PerPlayer(Vec<Vec<Dir>>),
}

impl DirGroup {
    /// The labels for a player, by place.
    pub fn of(&self, player: usize) -> &[Dir] {
        match self {
            DirGroup::Fixed(dirs) => dirs,
            DirGroup::PerPlayer(tables) => tables.get(player).map_or(&[], Vec::as_slice),
        }
    }

    /// The greatest number of labels that it has for a player.
    pub fn most(&self) -> usize {
        match self {
            DirGroup::Fixed(dirs) => dirs.len(),
            DirGroup::PerPlayer(tables) => tables.iter().map(Vec::len).max().unwrap_or(0),
        }
    }

    /// The labels of several groups together, each once.
    pub fn join(groups: &[&DirGroup], players: usize) -> DirGroup {
        let fixed = |group: &&DirGroup| matches!(group, DirGroup::Fixed(_));
        match groups.iter().all(fixed) {
            true => DirGroup::Fixed(DirGroup::gather(groups, 0)),
            false => {
                DirGroup::PerPlayer((0..players).map(|player| DirGroup::gather(groups, player)).collect())
            }
        }
    }

    /// The labels that several groups have for a player, each once.
    fn gather(groups: &[&DirGroup], player: usize) -> Vec<Dir> {
        let mut seen = HashSet::new();
        let dirs = groups.iter().flat_map(|group| group.of(player));
        dirs.copied().filter(|dir| seen.insert(*dir)).collect()
    }
}

/// A partial function of sites, as a table.
#[derive(Clone, Default, Debug)]
pub(super) struct Links(Vec<Option<Site>>);

impl From<Vec<Option<Site>>> for Links {
    fn from(table: Vec<Option<Site>>) -> Links {
        Links(table)
    }
}

impl Links {
    /// Where it leads from a site.
    pub fn get(&self, from: usize) -> Option<usize> {
        self.0.get(from).copied().flatten().map(Site::index)
    }

    /// Lets it lead from one site to another.
    ///
    /// # Errors
    /// A site that leads to itself, or to two.
    pub fn add(
        &mut self,
        part: BoardPart,
        label: &str,
        names: &[String],
        from: Site,
        to: Site,
    ) -> Result<(), BoardError> {
        let name = |site: Site| names.get(site.index()).map_or("", String::as_str);
        let here = name(from);
        if from == to {
            let message = format!("`{label}` leads from `{here}` to itself");
            return Err(BoardError::about(part, here, message));
        }
        if self.0.len() <= from.index() {
            self.0.resize(from.index() + 1, None);
        }
        match self.0[from.index()] {
            Some(other) if other != to => {
                let (one, two) = (name(other), name(to));
                let message = format!("`{label}` leads from `{here}` both to `{one}` and to `{two}`");
                Err(BoardError::about(part, here, message))
            }
            _ => {
                self.0[from.index()] = Some(to);
                Ok(())
            }
        }
    }
}

/// How a label leads from site to site.
#[derive(Clone, Debug)]
pub(super) enum Motion {
    /// By so many columns and rows.
    Offset(i64, i64),
    /// By a table.
    Links(Links),
}

impl Motion {
    /// Whether it is the way back of another; known for offsets only.
    pub fn is_back_of(&self, other: &Motion) -> bool {
        match (self, other) {
            (Motion::Offset(c, r), Motion::Offset(d, s)) => (*c, *r) == (-d, -s),
            _ => false,
        }
    }

    /// The offset of several, one after the other; none if one of them is a table.
    pub fn sum<'m>(motions: impl IntoIterator<Item = &'m Motion>) -> Option<Motion> {
        let mut sum = (0, 0);
        for motion in motions {
            let Motion::Offset(columns, rows) = motion else { return None };
            sum = (sum.0 + columns, sum.1 + rows);
        }
        Some(Motion::Offset(sum.0, sum.1))
    }
}

/// A label while a board is built.
#[derive(Clone, Debug)]
pub(super) struct Label {
    /// Its name.
    pub name: String,
    /// The place of its opposite.
    pub opposite: Option<usize>,
    /// How it leads.
    pub motion: Motion,
}

/// The labels of a grid.
pub(super) fn grid_labels(grid: &Grid) -> Vec<Label> {
    let points = grid.points();
    let back = |c: i64, r: i64| points.iter().position(|p| (p.1, p.2) == (-c, -r));
    points
        .iter()
        .map(|(name, c, r)| Label {
            name: (*name).to_owned(),
            opposite: back(*c, *r),
            motion: Motion::Offset(*c, *r),
        })
        .collect()
}

/// The groups and the player-relative directions that every board of a kind has. `shape_labels` is
/// the number of labels that the shape itself has; a board without a grid has no relative ones.
pub(super) fn built_in(
    grid: Option<&Grid>,
    shape_labels: usize,
    players: usize,
) -> BTreeMap<String, DirGroup> {
    let dirs = |range: std::ops::Range<usize>| -> Vec<Dir> { range.map(|i| Dir(i as u16)).collect() };
    let edges = grid.map_or(shape_labels, Grid::edges);
    let any = match grid.map(Grid::cell) {
        Some(Cell::Hexagon) => edges,
        Some(Cell::Square) | None => shape_labels,
    };
    let mut groups = BTreeMap::from([
        ("orthogonal".to_owned(), DirGroup::Fixed(dirs(0..edges))),
        ("diagonal".to_owned(), DirGroup::Fixed(dirs(edges..shape_labels))),
        ("any".to_owned(), DirGroup::Fixed(dirs(0..any))),
    ]);
    if let Some(grid) = grid {
        let ring = grid.ring();
        let facings = facings(grid.cell(), players);
        let names: &[&str] = match grid.cell() {
            Cell::Square => &[
                "forward",
                "forward-right",
                "right",
                "backward-right",
                "backward",
                "backward-left",
                "left",
                "forward-left",
            ],
            Cell::Hexagon => {
                &["forward", "forward-right", "backward-right", "backward", "backward-left", "forward-left"]
            }
        };
        for (turn, name) in names.iter().enumerate().filter(|_| !facings.is_empty()) {
            let facing = |at: &usize| vec![Dir(ring[(at + turn) % ring.len()] as u16)];
            let tables = facings.iter().map(facing).collect();
            groups.insert((*name).to_owned(), DirGroup::PerPlayer(tables));
        }
    }
    groups
}

/// Which way each player faces, as places in the grid's ring of directions; empty if so many
/// players cannot be told apart.
fn facings(cell: Cell, players: usize) -> &'static [usize] {
    match (cell, players) {
        (Cell::Square | Cell::Hexagon, 1) => &[0],
        (Cell::Square, 2) => &[0, 4],
        (Cell::Square, 3) => &[0, 4, 2],
        (Cell::Square, 4) => &[0, 2, 4, 6],
        (Cell::Hexagon, 2) => &[0, 3],
        (Cell::Hexagon, 3) => &[0, 2, 4],
        (Cell::Hexagon, 4) => &[0, 1, 3, 4],
        (Cell::Hexagon, 5) => &[0, 1, 2, 3, 4],
        (Cell::Hexagon, 6) => &[0, 1, 2, 3, 4, 5],
        (Cell::Square | Cell::Hexagon, _) => &[],
    }
}

/// Adds the labels that a definition gives as pairs of sites or as walks.
pub(super) fn add_labels(
    specs: &[DirectionSpec],
    names: &[String],
    find: impl Fn(&str) -> Option<Site>,
    known: impl Fn() -> Vec<String>,
    labels: &mut Vec<Label>,
) -> Vec<BoardError> {
    let mut errors = Vec::new();
    for (i, spec) in specs.iter().enumerate() {
        let part = BoardPart::Direction(i);
        if let DirectionTable::Walk(walk) = &spec.table {
            match walked(walk, labels, names) {
                Ok(motion) => {
                    let opposite = labels.iter().position(|label| motion.is_back_of(&label.motion));
                    let place = labels.len();
                    if let Some(other) = opposite.and_then(|at| labels.get_mut(at)) {
                        other.opposite.get_or_insert(place);
                    }
                    labels.push(Label { name: spec.name.clone(), opposite, motion });
                }
                Err(message) => errors.push(BoardError::about(part, &spec.name, message)),
            }
        }
        let DirectionTable::Pairs(chains) = &spec.table else { continue };
        let mut links = Links::default();
        for chain in chains {
            let mut last: Option<Site> = None;
            for name in chain {
                let site = find(name);
                if site.is_none() {
                    let known = known();
                    let known = known.iter().map(String::as_str);
                    errors.push(BoardError::unknown(part, "site", name, known));
                }
                if let (Some(from), Some(to)) = (last, site) {
                    errors.extend(links.add(part, &spec.name, names, from, to).err());
                }
                last = site;
            }
        }
        labels.push(Label { name: spec.name.clone(), opposite: None, motion: Motion::Links(links) });
    }
    errors
}

/// How a walk of labels leads: by their offsets together, or site by site where the board is a graph.
fn walked(walk: &[String], labels: &[Label], names: &[String]) -> Result<Motion, String> {
    let mut steps = Vec::new();
    for name in walk {
        let label = labels.iter().find(|label| label.name == *name);
        steps.push(
            &label
                .ok_or_else(|| format!("`{name}` is no label of this board, of which walks are made"))?
                .motion,
        );
    }
    match Motion::sum(steps.iter().copied()) {
        Some(Motion::Offset(0, 0)) => return Err("this walk leads nowhere".to_owned()),
        Some(offset) => return Ok(offset),
        None => {}
    }
    if steps.iter().any(|step| matches!(step, Motion::Offset(..))) {
        return Err("a walk is of the board's own labels or of the definition's, not of both".to_owned());
    }
    let end = |from: usize| {
        let go = |at: Option<usize>, step: &&Motion| match step {
            Motion::Links(links) => links.get(at?),
            Motion::Offset(..) => None,
        };
        steps.iter().fold(Some(from), go).filter(|to| *to != from).map(|to| Site(to as u16))
    };
    Ok(Motion::Links(Links::from((0..names.len()).map(end).collect::<Vec<_>>())))
}

/// The mistakes in the names of a definition's directions: one twice, or that of a label.
pub(super) fn check_names(specs: &[DirectionSpec], labels: &[Label]) -> Vec<BoardError> {
    let mut seen: HashSet<&str> = HashSet::new();
    let mut errors = Vec::new();
    for (i, spec) in specs.iter().enumerate() {
        let name = &spec.name;
        let message = if labels.iter().any(|label| label.name == *name) {
            format!("`{name}` is a direction of this board already")
        } else if !seen.insert(name) {
            format!("the direction `{name}` is defined twice")
        } else {
            continue;
        };
        errors.push(BoardError::about(BoardPart::Direction(i), name, message));
    }
    errors
}

/// Resolves a definition's groups and per-player tables, which may name each other in any order, and
/// adds them to the built-in groups.
///
/// # Errors
/// Unknown names, tables that are not one entry a player, groups that are defined by themselves.
pub(super) fn add_groups(
    specs: &[DirectionSpec],
    labels: &[Label],
    players: usize,
    groups: &mut BTreeMap<String, DirGroup>,
) -> Vec<BoardError> {
    let mut errors = Vec::new();
    let alone: HashMap<&str, DirGroup> = labels
        .iter()
        .enumerate()
        .map(|(i, label)| (label.name.as_str(), DirGroup::Fixed(vec![Dir(i as u16)])))
        .collect();
    let place_of: HashMap<&str, usize> = specs
        .iter()
        .enumerate()
        .filter(|(_, spec)| !spec.table.is_label())
        .map(|(i, spec)| (spec.name.as_str(), i))
        .collect();
    let mut known: Vec<&str> = alone.keys().chain(place_of.keys()).copied().collect();
    let built_in: Vec<String> = groups.keys().cloned().collect();
    known.extend(built_in.iter().map(String::as_str));

    // Which spec must be resolved before which.
    let mut order: DiGraph<usize, ()> = DiGraph::new();
    for i in 0..specs.len() {
        order.add_node(i);
    }
    for (i, spec) in specs.iter().enumerate() {
        for name in words(&spec.table) {
            match place_of.get(name) {
                Some(needed) => {
                    order.add_edge(NodeIndex::new(*needed), NodeIndex::new(i), ());
                }
                None if alone.contains_key(name) || groups.contains_key(name) => {}
                None => errors.push(BoardError::unknown(
                    BoardPart::Direction(i),
                    "direction",
                    name,
                    known.iter().copied(),
                )),
            }
        }
        if let DirectionTable::PerPlayer(tables) = &spec.table
            && tables.len() != players
        {
            let message = format!(
                "`{}` needs directions for each player: it has {} of {players}",
                spec.name,
                tables.len()
            );
            let part = BoardPart::Direction(i);
            errors.push(BoardError::about(part, &spec.name, message));
        }
    }
    let sorted = match petgraph::algo::toposort(&order, None) {
        Ok(sorted) => sorted,
        Err(cycle) => {
            let i = order[cycle.node_id()];
            let name = &specs[i].name;
            let message = format!("the direction `{name}` is defined by itself");
            errors.push(BoardError::about(BoardPart::Direction(i), name, message));
            return errors;
        }
    };
    if !errors.is_empty() {
        return errors;
    }
    for i in sorted.into_iter().map(|node| order[node]) {
        let parts = |names: &[String]| -> Vec<&DirGroup> {
            let part = |name: &String| alone.get(name.as_str()).or_else(|| groups.get(name));
            names.iter().filter_map(part).collect()
        };
        let group = match &specs[i].table {
            DirectionTable::Pairs(_) | DirectionTable::Walk(_) => continue,
            DirectionTable::Group(names) => DirGroup::join(&parts(names), players),
            DirectionTable::PerPlayer(tables) => DirGroup::PerPlayer(
                tables
                    .iter()
                    .enumerate()
                    .map(|(player, names)| DirGroup::gather(&parts(names), player))
                    .collect(),
            ),
        };
        groups.insert(specs[i].name.clone(), group);
    }
    errors
}

/// The names that a table is made of.
fn words(table: &DirectionTable) -> Vec<&str> {
    match table {
        DirectionTable::Group(names) => names.iter().map(String::as_str).collect(),
        DirectionTable::PerPlayer(tables) => tables.iter().flatten().map(String::as_str).collect(),
        DirectionTable::Pairs(_) | DirectionTable::Walk(_) => Vec::new(),
    }
}
