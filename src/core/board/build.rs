//! Building: from a specification to sites, from sites to the graph, from the graph to tables.

use super::direction::{self, Direction, Label, Motion};
use super::error::{BoardError, BoardPart};
use super::graph::{Chart, MAX_LABELS};
use super::grid::{Grid, Lattice};
use super::spec::{BoardSpec, Shape};
use super::{Board, picture};
use crate::ids::{Dir, Site};
use crate::siteset::SiteSet;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use std::collections::HashMap;

impl Board {
    /// Builds a board.
    ///
    /// # Errors
    /// All mistakes of the specification that can be told at once: sizes, names, wrapping where it
    /// is impossible, directions that are no functions or name what does not exist.
    pub fn build(spec: &BoardSpec) -> Result<Board, Vec<BoardError>> {
        let (mut grid, names, mut labels) = shape(&spec.shape)?;
        let shape_labels = labels.len();
        let mut errors = wrap(grid.as_mut(), spec);

        // Sites.
        let exists = |bit: &usize| grid.is_none_or(|grid| grid.has(*bit));
        let whole: SiteSet = (0..names.len()).filter(exists).collect();
        let mut by_name: HashMap<String, Site> =
            whole.iter().map(|bit| (names[bit].clone(), Site(bit as u16))).collect();
        let mut all = whole;
        let known = || whole.iter().map(|bit| names[bit].as_str());
        for (i, name) in spec.remove.iter().enumerate() {
            match by_name.get(name) {
                Some(site) => all.remove(site.index()),
                None => {
                    let part = BoardPart::Remove(i);
                    errors.push(BoardError::unknown(part, "site", name, known()));
                }
            }
        }
        if all.is_empty() && errors.is_empty() {
            let message = "the board has no site: all are removed";
            errors.push(BoardError::new(BoardPart::Shape, message));
        }

        // Labels and groups.
        errors.extend(direction::check_names(&spec.directions, &labels));
        let added = spec.directions.iter().filter(|d| d.table.is_label()).count();
        if labels.len() + added > MAX_LABELS {
            let message = format!("there are too many directions: at most {MAX_LABELS} are possible");
            errors.push(BoardError::new(BoardPart::Shape, message));
            return Err(errors);
        }
        errors.extend(direction::add_labels(
            &spec.directions,
            &names,
            |name| by_name.get(name).copied(),
            || known().map(str::to_owned).collect(),
            &mut labels,
        ));
        let mut groups = direction::built_in(grid.as_ref(), shape_labels, spec.players);
        errors.extend(direction::add_groups(&spec.directions, &labels, spec.players, &mut groups));
        if !errors.is_empty() {
            return Err(errors);
        }

        let graph = draw(grid.as_ref(), &names, &all, &labels);
        let steps = tabulate(&graph, labels.len());
        by_name.retain(|_, site| all.contains(site.index()));
        let removed = (whole - all).iter().map(|bit| names[bit].clone()).collect();
        let places = match &grid {
            Some(grid) => (0..names.len()).map(|bit| grid.place(bit)).collect(),
            None => picture::graph_places(&names),
        };
        let directions = labels
            .iter()
            .map(|label| Direction {
                name: label.name.clone(),
                opposite: label.opposite.map(|place| Dir(place as u16)),
            })
            .collect();
        Ok(Board {
            grid,
            names,
            by_name,
            removed,
            all,
            directions,
            motions: labels.into_iter().map(|label| label.motion).collect(),
            shape_labels,
            graph,
            steps,
            groups,
            places,
        })
    }
}

/// A shape's grid, if it is one, the names of its bits, and its labels.
type Ground = (Option<Grid>, Vec<String>, Vec<Label>);

/// Reads the shape.
fn shape(shape: &Shape) -> Result<Ground, Vec<BoardError>> {
    let grid = match *shape {
        Shape::Square { columns, rows } => Grid::new(Lattice::Square, columns, rows),
        Shape::HexHex { base } => Grid::hexhex(base),
        Shape::Hex { columns, rows } => Grid::new(Lattice::Rhombus, columns, rows),
        Shape::Triangle { base } => Grid::new(Lattice::Triangle, base, base),
        Shape::Graph { ref edges } => {
            let chart = Chart::read(edges)?;
            return Ok((None, chart.names, chart.labels));
        }
    };
    let grid = grid.map_err(|error| vec![error])?;
    let names = (0..grid.cells()).map(|cell| grid.name(cell)).collect();
    Ok((Some(grid), names, direction::grid_labels(&grid)))
}

/// Joins opposite borders if that is asked for.
fn wrap(grid: Option<&mut Grid>, spec: &BoardSpec) -> Vec<BoardError> {
    let mut errors = Vec::new();
    match grid {
        Some(grid) if spec.shape.can_wrap() => {
            grid.wrap_columns = spec.wrap_columns;
            grid.wrap_rows = spec.wrap_rows;
        }
        _ => {
            for (asked, part, what) in [
                (spec.wrap_columns, BoardPart::WrapColumns, "columns"),
                (spec.wrap_rows, BoardPart::WrapRows, "rows"),
            ] {
                if asked {
                    let message = format!(
                        "the {what} of this board cannot wrap: only those of squares and of a rhombus of hexagons can"
                    );
                    errors.push(BoardError::new(part, message));
                }
            }
        }
    }
    errors
}

/// Draws the graph: a node a bit, an edge for each step from an existing site to another.
fn draw(grid: Option<&Grid>, names: &[String], all: &SiteSet, labels: &[Label]) -> DiGraph<Site, Dir> {
    let mut graph = DiGraph::new();
    for bit in 0..names.len() {
        graph.add_node(Site(bit as u16));
    }
    for (place, label) in labels.iter().enumerate() {
        for from in all.iter() {
            let to = match (&label.motion, grid) {
                (Motion::Links(links), _) => links.get(from),
                (Motion::Offset(c, r), Some(grid)) => {
                    let (column, row) = grid.at(from);
                    grid.find(column + c, row + r)
                }
                (Motion::Offset(..), None) => None,
            };
            if let Some(to) = to.filter(|to| *to != from && all.contains(*to)) {
                graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), Dir(place as u16));
            }
        }
    }
    graph
}

/// Reads the flat tables off the graph: `steps[dir][site]`.
fn tabulate(graph: &DiGraph<Site, Dir>, labels: usize) -> Vec<Vec<Option<Site>>> {
    let mut steps = vec![vec![None; graph.node_count()]; labels];
    for edge in graph.edge_references() {
        if let Some(table) = steps.get_mut(edge.weight().index()) {
            table[edge.source().index()] = Some(graph[edge.target()]);
        }
    }
    steps
}
