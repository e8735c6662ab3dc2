//! One simulation: down the tree, a value, and back up.

use super::Settings;
use super::arena::{Arena, Edge, Node, Range};
use super::replies::Replies;
use crate::play::{History, Machine, Move, Moves, Outcome, Position, Rng};
use crate::program::slot;
use crate::search::evaluation::{Evaluation, share};
use crate::search::value::{PLIES, points};
use crate::search::{Situation, draw, play_out};

/// Walks a tree, with the space to do so.
pub(super) struct Walker<'a> {
    machine: &'a mut Machine,
    evaluation: Option<&'a Evaluation>,
    settings: Settings,
    pub arena: &'a mut Arena,
    root: Situation<'a>,
    /// The turn starts of the line, those before the root first.
    history: History,
    pos: Position,
    moves: Moves,
    /// Node and edge of each ply of the line.
    path: Vec<(u32, u32)>,
    /// The points of each person in this simulation.
    value: Vec<f32>,
    /// Who made which move, all through the simulation; only where that is asked for.
    line: Vec<(u8, Move)>,
    made: Made,
    replies: Replies,
    players: usize,
}

/// Who makes the moves of chance.
const NOBODY: u8 = u8::MAX;

impl<'a> Walker<'a> {
    pub fn new(
        machine: &'a mut Machine,
        evaluation: Option<&'a Evaluation>,
        settings: Settings,
        arena: &'a mut Arena,
        at: Situation<'a>,
    ) -> Walker<'a> {
        let players = machine.layout().players;
        let mut walker = Walker {
            machine,
            evaluation,
            settings,
            arena,
            root: at,
            history: at.history.clone(),
            pos: at.pos.clone(),
            moves: Moves::new(),
            path: Vec::new(),
            value: vec![0.0; players],
            line: Vec::new(),
            made: Made::default(),
            replies: Replies::default(),
            players,
        };
        walker.moves.copy_from(at.moves);
        if walker.arena.nodes.is_empty() {
            walker.add_node();
        }
        walker
    }

    /// Whether the root's result is known.
    pub fn is_proved(&self) -> bool {
        self.settings.solve && self.arena.node(0).is_some_and(|root| root.range.is_known())
    }

    /// One simulation.
    pub fn simulate(&mut self, rng: &mut Rng) {
        self.pos.copy_from(self.root.pos);
        self.history.truncate(self.root.history.len());
        self.moves.copy_from(self.root.moves);
        self.path.clear();
        self.line.clear();
        let mut at = 0;
        loop {
            let Some(node) = self.arena.node(at).copied() else { return };
            if self.moves.is_empty() {
                self.finish();
                break;
            }
            if self.settings.solve && node.range.is_known() && at != 0 {
                for (person, to) in self.value.iter_mut().enumerate() {
                    *to = f32::from(node.range.seen_by(person.min(1) as u8).low) / 2.0;
                }
                break;
            }
            // The root has edges at once; others when they are visited again.
            if node.edges == 0 && (at != 0 && node.visits == 0 || !self.expand(at, rng)) {
                self.evaluate(rng);
                break;
            }
            let Some((place, number)) = self.select(at, rng) else { return };
            self.path.push((at, place));
            self.line.push((if node.chance { NOBODY } else { node.person }, number));
            self.machine.play(&mut self.pos, number, &mut self.history, &mut self.moves);
            let child = self.arena.edges.get(place as usize).map_or(0, |edge| edge.child);
            at = match child {
                0 if self.arena.is_full(0) => {
                    self.evaluate(rng);
                    break;
                }
                0 => {
                    let child = self.add_node();
                    if let Some(edge) = self.arena.edges.get_mut(place as usize) {
                        edge.child = child;
                    }
                    child
                }
                child => child,
            };
        }
        self.back_up(at);
    }

    /// Adds the node of the position that is reached.
    fn add_node(&mut self) -> u32 {
        let layout = self.machine.layout();
        let (person, range) = if self.moves.is_empty() {
            (self.pos.person(layout, self.pos.mover(layout)) as u8, self.exact())
        } else {
            (self.person(), Range::OPEN)
        };
        let chance = self.moves.is_chance();
        self.arena.nodes.push(Node { first: 0, edges: 0, visits: 0, person, chance, range });
        (self.arena.nodes.len() - 1) as u32
    }

    /// The person who decides.
    fn person(&self) -> u8 {
        self.pos.person(self.machine.layout(), self.moves.mover()) as u8
    }

    /// The value of a finished game as a range.
    fn exact(&mut self) -> Range {
        match self.machine.outcome(&self.pos) {
            Some(Outcome::Win(winner)) if self.players <= 2 => {
                let person = self.pos.person(self.machine.layout(), winner);
                Range::exactly(if person == 0 { 2 } else { 0 })
            }
            _ if self.players <= 2 => Range::exactly(1),
            _ => Range::OPEN,
        }
    }

    /// Gives a node an edge for each move, in random order; whether there was room.
    fn expand(&mut self, at: u32, rng: &mut Rng) -> bool {
        if self.arena.is_full(self.moves.len()) {
            return false;
        }
        let first = self.arena.edges.len();
        let chance = self.moves.is_chance();
        self.arena.edges.extend(self.moves.iter().map(Edge::new));
        if !chance {
            rng.shuffle(self.arena.edges.get_mut(first..).unwrap_or(&mut []));
        }
        let edges = self.arena.edges.len() - first;
        if let Some(node) = self.arena.nodes.get_mut(at as usize) {
            (node.first, node.edges) = (first as u32, edges as u32);
        }
        edges > 0
    }

    /// The edge to follow, and its move.
    fn select(&mut self, at: u32, rng: &mut Rng) -> Option<(u32, Move)> {
        let node = *self.arena.node(at)?;
        let edges = self.arena.edges_of(&node);
        if node.chance {
            let number = draw(self.machine, &self.pos, &self.moves, rng)?;
            let place = edges.iter().position(|edge| edge.number == number)?;
            return Some((node.first + place as u32, number));
        }
        let explore = self.settings.explore * (node.visits.max(1) as f32).ln().sqrt();
        let own = node.range.seen_by(node.person);
        let (mut best, mut highest) = (None, f32::NEG_INFINITY);
        for (place, edge) in edges.iter().enumerate() {
            if self.settings.solve {
                let range = edge.range.seen_by(node.person);
                // Lost for sure, or no better than the proved bound: nothing to find there.
                if range.high == 0 || range.high <= own.low && edge.child != 0 {
                    continue;
                }
            }
            let visits = edge.visits as f32;
            let bound = if self.settings.later > 0.0 && edge.later > 0 {
                let trust = (self.settings.later / (3.0 * visits + self.settings.later)).sqrt();
                let later = edge.later_sum / edge.later as f32;
                let mean = edge.mean().unwrap_or(later);
                (1.0 - trust) * mean + trust * later + explore / (visits + 1.0).sqrt()
            } else if edge.visits == 0 {
                match self.settings.urgency {
                    Some(urgency) => urgency + explore * std::f32::consts::FRAC_1_SQRT_2,
                    None => {
                        best = Some(place);
                        break;
                    }
                }
            } else {
                edge.sum / visits + explore / visits.sqrt()
            };
            if bound > highest {
                (best, highest) = (Some(place), bound);
            }
        }
        // All are lost: any will do.
        let place = best.or_else(|| (!edges.is_empty()).then_some(0))?;
        edges.get(place).map(|edge| (node.first + place as u32, edge.number))
    }

    /// Takes the value of a game that is over.
    fn finish(&mut self) {
        let outcome = self.machine.outcome(&self.pos);
        let sides = self.machine.program().sides();
        let layout = self.machine.layout();
        for player in 0..self.players {
            let person = self.pos.person(layout, crate::ids::Player(player as u8));
            if let Some(to) = self.value.get_mut(person) {
                *to = points(outcome, player, sides) as f32;
            }
        }
    }

    /// Values the position by the evaluation, else by a playout.
    fn evaluate(&mut self, rng: &mut Rng) {
        if let Some(evaluation) = self.evaluation {
            return self.look(evaluation);
        }
        if self.settings.later > 0.0 {
            self.play_out_noting(rng);
        } else {
            play_out(self.machine, &mut self.pos, &mut self.history, &mut self.moves, rng, PLIES);
        }
        self.finish();
    }

    /// A playout whose moves are noted.
    fn play_out_noting(&mut self, rng: &mut Rng) {
        for _ in 0..PLIES {
            let person = if self.moves.is_chance() { NOBODY } else { self.person() };
            let legal = |number| self.moves.contains(number);
            let reply = if person == NOBODY { None } else { self.replies.find(&self.line, legal) };
            let Some(number) = reply.or_else(|| draw(self.machine, &self.pos, &self.moves, rng)) else {
                break;
            };
            self.line.push((person, number));
            self.machine.play(&mut self.pos, number, &mut self.history, &mut self.moves);
        }
    }

    /// Adds the value to the edges of the line's nodes whose moves were made later by the same person.
    fn back_up_later(&mut self) {
        self.made.begin();
        let mut left = self.line.len();
        for step in (0..self.path.len()).rev() {
            while left > step {
                left -= 1;
                if let Some((person, number)) = self.line.get(left) {
                    self.made.add(*person, *number);
                }
            }
            let Some((at, _)) = self.path.get(step) else { continue };
            let Some(node) = self.arena.nodes.get(*at as usize) else { continue };
            let value = self.value.get(usize::from(node.person)).copied().unwrap_or(0.5);
            let (first, person) = (node.first as usize, node.person);
            let edges = self.arena.edges.get_mut(first..first + node.edges as usize).unwrap_or(&mut []);
            for edge in edges {
                if self.made.has(person, edge.number) {
                    edge.later += 1;
                    edge.later_sum += value;
                }
            }
        }
    }

    /// Values the position by the evaluation, for each person.
    fn look(&mut self, evaluation: &Evaluation) {
        let mut share = |player| share(evaluation.value(self.machine, &self.pos, &self.moves, player)) as f32;
        if self.players <= 2 {
            let first = share(0);
            let swapped = self.pos.slot(self.machine.layout(), slot::SIDES) != 0;
            for (player, to) in self.value.iter_mut().enumerate() {
                *to = if (player == 0) != swapped { first } else { 1.0 - first };
            }
            return;
        }
        self.value.iter_mut().enumerate().for_each(|(player, to)| *to = share(player));
        let total: f32 = self.value.iter().sum();
        self.value.iter_mut().for_each(|to| *to /= total.max(1e-6));
    }

    /// Adds the value and proved bounds to the line.
    fn back_up(&mut self, leaf: u32) {
        if let Some(node) = self.arena.nodes.get_mut(leaf as usize)
            && self.path.last().is_none_or(|(_, edge)| {
                self.arena.edges.get(*edge as usize).is_some_and(|edge| edge.child == leaf)
            })
        {
            node.visits += 1;
        }
        if self.settings.later > 0.0 {
            self.back_up_later();
            self.replies.learn(&self.line, &self.value);
        }
        let mut proving = self.settings.solve && self.players <= 2;
        let mut below = leaf;
        for step in (0..self.path.len()).rev() {
            let Some((at, place)) = self.path.get(step).copied() else { continue };
            let Some(node) = self.arena.nodes.get_mut(at as usize) else { continue };
            node.visits += 1;
            let person = usize::from(node.person);
            let known = self.arena.nodes.get(below as usize).map_or(Range::OPEN, |child| child.range);
            let Some(edge) = self.arena.edges.get_mut(place as usize) else { continue };
            edge.visits += 1;
            edge.sum += self.value.get(person).copied().unwrap_or(0.5);
            if proving {
                if edge.child == below && edge.range != known {
                    edge.range = known;
                }
                proving = self.prove(at);
            }
            below = at;
        }
    }

    /// Updates the bounds of a node from its edges; whether they changed.
    fn prove(&mut self, at: u32) -> bool {
        let Some(node) = self.arena.node(at).copied() else { return false };
        let edges = self.arena.edges_of(&node);
        let range = if node.chance {
            let low = edges.iter().map(|edge| edge.range.low).min().unwrap_or(0);
            let high = edges.iter().map(|edge| edge.range.high).max().unwrap_or(2);
            Range { low, high }
        } else {
            // The best of all: as good as the surest, no better than the most hopeful.
            let seen = |edge: &Edge| edge.range.seen_by(node.person);
            let low = edges.iter().map(|edge| seen(edge).low).max().unwrap_or(0);
            let high = edges.iter().map(|edge| seen(edge).high).max().unwrap_or(2);
            Range { low, high }.seen_by(node.person)
        };
        let news = range != node.range;
        if news && let Some(node) = self.arena.nodes.get_mut(at as usize) {
            node.range = range;
        }
        news
    }
}

/// The moves made in a simulation, by person. A number of two moves may stand for both: places are shared where there
/// are too many moves.
#[derive(Debug, Default)]
struct Made {
    stamps: Vec<u32>,
    now: u32,
}

/// Moves fall on so many places.
const PLACES: usize = 1 << 16;

impl Made {
    fn begin(&mut self) {
        self.now = self.now.wrapping_add(1);
        if self.stamps.is_empty() || self.now == 0 {
            self.stamps = vec![0; PLACES];
            self.now = 1;
        }
    }

    fn place(person: u8, number: Move) -> usize {
        (number.0 as usize).wrapping_mul(8).wrapping_add(usize::from(person)) % PLACES
    }

    fn add(&mut self, person: u8, number: Move) {
        if let Some(stamp) = self.stamps.get_mut(Made::place(person, number)) {
            *stamp = self.now;
        }
    }

    #[inline]
    fn has(&self, person: u8, number: Move) -> bool {
        self.stamps.get(Made::place(person, number)) == Some(&self.now)
    }
}
