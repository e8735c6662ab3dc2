//! One simulation: down the tree, a value, and back up.

use super::arena::{Arena, Group, Grown, LANES, Room, in_order};
use super::choice::{Choice, Chosen};
use super::edge::{Edge, NEVER, Range};
use super::pending::Pending;
use super::replies::{Line, PLACES, Replies, place};
use super::stands::{Begin, Stands};
use super::transpositions::Key;
use super::{Mind, Settings};
use crate::play::{History, Machine, Move, Moves, Outcome, Position, Rng};
use crate::program::slot;
use crate::search::evaluation::{Evaluation, share};
use crate::search::value::{PLIES, points};
use crate::search::{Limit, Situation, draw, play_out};

/// Walks a tree, with the space to do so.
pub(super) struct Walker<'a> {
    machine: &'a mut Machine,
    evaluation: Option<&'a Evaluation>,
    notes: &'a mut Notes,
    settings: Settings,
    pub arena: &'a Arena,
    room: Room,
    root: Situation<'a>,
    limit: Limit<'a>,
    /// The turn starts of the line, those before the root first.
    history: History,
    pos: Position,
    moves: Moves,
    /// The edges of the line, from the one that leads to the root.
    path: Vec<&'a Edge>,
    /// The points of each person in this simulation.
    value: Vec<f32>,
    /// Moves of a new node.
    order: Vec<Move>,
    /// The position of a new node and its moves, while those after it are looked at.
    spare: (Position, Moves),
    /// Visits that are told to other threads later: those of so many first nodes of the line.
    pending: Pending<'a>,
    waiting: usize,
    /// Where the next simulations begin.
    stands: Stands,
    players: usize,
}

/// What is noted of simulations where that is asked for.
#[derive(Default)]
pub(super) struct Notes {
    /// Who made which move, all through the simulation.
    line: Vec<(u8, Move)>,
    made: Made,
    replies: Replies,
}

impl Notes {
    /// Another game begins.
    pub fn forget(&mut self) {
        self.replies = Replies::default();
    }
}

/// Who makes the moves of chance.
const NOBODY: u8 = u8::MAX;

/// A playout looks at the limit after so many plies: a long one must not make the choice late.
const PIECE: u32 = 200;

impl<'a> Walker<'a> {
    pub fn new(
        mind: &'a mut Mind,
        settings: Settings,
        arena: &'a Arena,
        at: Situation<'a>,
        limit: Limit<'a>,
        alone: bool,
    ) -> Walker<'a> {
        let Mind { machine, evaluation, notes } = mind;
        let players = machine.layout().players;
        let mut walker = Walker {
            machine,
            evaluation: evaluation.as_deref(),
            notes,
            settings,
            arena,
            room: Room::default(),
            root: at,
            limit,
            history: at.history.clone(),
            pos: at.pos.clone(),
            moves: at.moves.clone(),
            path: Vec::new(),
            value: vec![0.0; players],
            order: Vec::new(),
            spare: (at.pos.clone(), Moves::new()),
            // The value of a best-first node is no sum.
            pending: Pending::new(alone || settings.minimax),
            waiting: 0,
            stands: Stands::default(),
            players,
        };
        walker.settle(&arena.root);
        walker
    }

    /// Whether the root's result is known.
    pub fn is_proved(&self) -> bool {
        self.settings.solve && self.arena.root.range().is_known()
    }

    /// Whether moves are noted.
    fn notes(&self) -> bool {
        self.settings.later > 0.0
    }

    /// One simulation.
    pub fn simulate(&mut self, rng: &mut Rng) {
        let arena = self.arena;
        let begin = self.stands.next(&self.path);
        let (pos, moves) = match self.stands.kept() {
            Some((pos, moves)) => (pos, moves),
            None => (self.root.pos, self.root.moves),
        };
        self.pos.copy_from(pos);
        self.moves.copy_from(moves);
        let from_root = Begin { starts: self.root.history.len(), nodes: 1, noted: 0 };
        let begin = begin.unwrap_or(from_root);
        self.history.truncate(begin.starts);
        self.notes.line.truncate(begin.noted);
        let (mut node, mut visits) = self.enter_again(begin.nodes);
        loop {
            if self.moves.is_empty() {
                self.finish();
                break;
            }
            let range = node.range();
            let is_root = self.path.len() == 1;
            if self.settings.solve && range.is_known() && !is_root {
                for (person, to) in self.value.iter_mut().enumerate() {
                    *to = f32::from(range.seen_by(person.min(1) as u8).low) / 2.0;
                }
                break;
            }
            let is_grown = arena.is_grown(node);
            if self.settings.minimax && !is_grown {
                self.look_below(node, rng);
                break;
            }
            // The root has edges at once; others when they are visited again.
            let goes_on = is_grown || (visits > 1 || is_root) && self.expand(node, rng).is_some();
            let Some(edge) = goes_on.then(|| self.select(node, visits, rng)).flatten() else {
                if !self.evaluate(rng) {
                    return;
                }
                break;
            };
            arena.fetch(edge);
            let number = edge.number();
            if self.notes() {
                self.notes.line.push((if node.is_chance() { NOBODY } else { node.person() }, number));
            }
            self.machine.play(&mut self.pos, number, &mut self.history, &mut self.moves);
            if edge.visits() == 0 {
                self.settle(edge);
            }
            visits = self.enter(edge);
            node = edge;
            // The plain form begins each at the root, and best-first search has no simulations.
            if self.settings.solve && !self.settings.minimax && !self.moves.is_empty() {
                let (starts, noted) = (self.history.len(), self.notes.line.len());
                let begin = Begin { starts, nodes: self.path.len(), noted };
                self.stands.come(visits, &self.pos, &self.moves, begin);
            }
        }
        self.back_up();
    }

    /// A line begins with the first nodes of the one before, or with the root; gives back the last of them, and how often
    /// it was visited.
    fn enter_again(&mut self, nodes: usize) -> (&'a Edge, u32) {
        self.path.truncate(nodes);
        if self.path.is_empty() {
            self.path.push(&self.arena.root);
        }
        self.waiting = 0;
        let mut found = (&self.arena.root, 0);
        for place in 0..self.path.len() {
            if let Some(node) = self.path.get(place).copied() {
                found = (node, self.count(place, node));
            }
        }
        found
    }

    /// The line goes on with a node; gives back how often it was visited.
    #[inline]
    fn enter(&mut self, node: &'a Edge) -> u32 {
        self.path.push(node);
        self.count(self.path.len() - 1, node)
    }

    /// Counts a visit of the node at a place of the line, or has it told later.
    #[inline]
    fn count(&mut self, place: usize, node: &Edge) -> u32 {
        let waits = self.waiting == place && self.pending.waits(node);
        self.waiting += usize::from(waits);
        if waits { node.visits() + 1 } else { node.visit() }
    }

    /// Says what the node of the position is that is reached.
    fn settle(&mut self, node: &Edge) {
        let layout = self.machine.layout();
        let (person, range) = if self.moves.is_empty() {
            (self.pos.person(layout, self.pos.mover(layout)) as u8, self.exact())
        } else {
            (self.person(), Range::OPEN)
        };
        node.settle(person, self.moves.is_chance(), range);
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

    /// Gives a node edges for its moves, in random order; none where that was not done.
    fn expand(&mut self, node: &Edge, rng: &mut Rng) -> Option<Grown> {
        self.order.clear();
        if self.settings.minimax || self.notes() || self.moves.is_chance() {
            self.order.extend(self.moves.iter());
            rng.shuffle(&mut self.order);
        }
        // Where the turns before count, equal positions may be worth different things.
        let shares = self.settings.minimax && !self.machine.keeps_history();
        let key = shares.then(|| Key::of(&self.pos));
        let order = rng.bits() as u32;
        self.arena.expand(node, key, self.moves.len(), &self.order, order, &mut self.room)
    }

    /// The edge to follow; none where a move is to be tried and there is no room for its edge.
    fn select(&mut self, node: &Edge, visits: u32, rng: &mut Rng) -> Option<&'a Edge> {
        let arena = self.arena;
        if node.is_chance() {
            let number = draw(self.machine, &self.pos, &self.moves, rng)?;
            return arena.edges(node).find(|edge| edge.number() == number);
        }
        let choice = Choice::new(node, visits, self.settings);
        // Where all are lost any will do.
        if self.settings.minimax {
            return choice.best(arena.edges(node)).or(arena.edges(node).next());
        }
        if self.notes() {
            return choice.by_later(arena.with_later(node)).or(arena.edges(node).next());
        }
        let (edge, place) = match choice.by_visits(arena.groups(node))? {
            Chosen::Edge(edge) => return Some(edge),
            Chosen::Untried(edge, place) => (edge, place),
            Chosen::Behind(group, place) => {
                (arena.expand_more(group, &mut self.room)?.edges().first()?, place)
            }
        };
        if !edge.is_begun() {
            let count = self.moves.len();
            edge.begin(self.moves.nth(in_order(Arena::order(node), place, count))?);
        }
        Some(edge)
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

    /// Values the position by a playout, which is cut and valued by the evaluation where there is one; false where the
    /// limit is reached before its end.
    fn evaluate(&mut self, rng: &mut Rng) -> bool {
        if let Some(evaluation) = self.evaluation {
            let Walker { machine, pos, history, moves, .. } = self;
            play_out(machine, pos, history, moves, rng, self.settings.looks.unwrap_or(0));
            match self.moves.is_empty() {
                true => self.finish(),
                false => self.look(evaluation),
            }
            return true;
        }
        for _ in 0..PLIES / PIECE {
            let plies = match self.notes() {
                true => self.play_out_noting(rng),
                false => {
                    let Walker { machine, pos, history, moves, .. } = self;
                    play_out(machine, pos, history, moves, rng, PIECE).plies
                }
            };
            if plies < PIECE {
                break;
            }
            if self.limit.is_over(0) {
                return false;
            }
        }
        self.finish();
        true
    }

    /// Gives a node its edges, if there is room, and values the positions that they lead to.
    fn look_below(&mut self, node: &Edge, rng: &mut Rng) {
        let Some(grown) = self.expand(node, rng) else { return };
        if grown == Grown::New {
            self.look_at_all(node);
        }
        if self.players <= 2 {
            self.renew(node);
        }
    }

    /// Values the positions that the edges of a node lead to.
    fn look_at_all(&mut self, node: &Edge) {
        let (arena, evaluation, length) = (self.arena, self.evaluation, self.history.len());
        self.spare.0.copy_from(&self.pos);
        self.spare.1.copy_from(&self.moves);
        for edge in arena.edges(node) {
            self.machine.play(&mut self.pos, edge.number(), &mut self.history, &mut self.moves);
            self.settle(edge);
            match evaluation {
                Some(evaluation) if !self.moves.is_empty() => self.look(evaluation),
                _ => self.finish(),
            }
            edge.visit();
            edge.set_mean(self.side_value(node.person()));
            self.history.truncate(length);
            self.pos.copy_from(&self.spare.0);
        }
        self.moves.copy_from(&self.spare.1);
    }

    /// Whether a person is on the side of the one who thinks.
    fn is_with_root(&self, person: u8) -> bool {
        let root = self.arena.root.person();
        match self.players > 2 {
            true => self.machine.program().together(usize::from(person), usize::from(root)),
            false => person == root,
        }
    }

    /// The value for a person's side: of more than two players all others are against the one who thinks.
    fn side_value(&self, person: u8) -> f32 {
        let own = self.value.get(usize::from(self.arena.root.person())).copied().unwrap_or(0.5);
        if self.is_with_root(person) { own } else { 1.0 - own }
    }

    /// The value of a node for its person: that of the best edge, at a chance node the mean; none without edges.
    fn best_value(&self, node: &Edge) -> Option<f32> {
        let edges = || self.arena.edges(node);
        if node.is_chance() {
            let visits: u32 = edges().map(Edge::visits).sum();
            return (visits > 0).then(|| edges().map(Edge::sum).sum::<f32>() / visits as f32);
        }
        edges().filter_map(Edge::mean).max_by(f32::total_cmp)
    }

    /// Gives each edge of the line the value of the best below it.
    fn back_up_best(&mut self) {
        let two = self.players <= 2;
        let mut news = two;
        for step in self.path.windows(2).rev() {
            let [node, edge] = step else { continue };
            let range = edge.range().seen_by(node.person());
            let value = match self.best_value(edge) {
                _ if self.players <= 2 && range.is_known() => f32::from(range.low) / 2.0,
                Some(value) if self.is_with_root(edge.person()) == self.is_with_root(node.person()) => value,
                Some(value) => 1.0 - value,
                // The end of a game of more than two, or a leaf for which there was no room.
                None => edge.sum() / edge.visits().saturating_sub(1).max(1) as f32,
            };
            edge.set_mean(value);
            // What lies below a node to which another line leads too may have changed since.
            news = (news || two && self.arena.is_shared(node)) && self.renew(node);
        }
    }

    /// Some plies of a playout whose moves are noted.
    fn play_out_noting(&mut self, rng: &mut Rng) -> u32 {
        for plies in 0..PIECE {
            let person = if self.moves.is_chance() { NOBODY } else { self.person() };
            let legal = |number| self.moves.contains(number);
            let Notes { line, replies, .. } = &mut *self.notes;
            let reply = if person == NOBODY { None } else { replies.find(line, legal) };
            let Some(number) = reply.or_else(|| draw(self.machine, &self.pos, &self.moves, rng)) else {
                return plies;
            };
            line.push((person, number));
            self.machine.play(&mut self.pos, number, &mut self.history, &mut self.moves);
        }
        PIECE
    }

    /// Adds the value to the edges of the line's nodes whose moves were made later by the same person.
    fn back_up_later(&mut self) {
        let Notes { line, made, .. } = &mut *self.notes;
        let mut left = line.len();
        let nodes = self.path.split_last().map_or(&[][..], |(_, nodes)| nodes);
        for (step, node) in nodes.iter().enumerate().rev() {
            while left > step {
                left -= 1;
                if let Some((person, number)) = line.get(left) {
                    made.add(*person, *number);
                }
            }
            let person = node.person();
            let value = self.value.get(usize::from(person)).copied().unwrap_or(0.5);
            for (group, later) in self.arena.with_later(node) {
                for (lane, edge) in group.edges().iter().enumerate().take(LANES) {
                    if made.has(person, edge.number()) {
                        later[lane].add(value);
                    }
                }
            }
        }
        made.clear(line);
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
    fn back_up(&mut self) {
        if self.settings.minimax {
            return self.back_up_best();
        }
        if self.notes() {
            self.back_up_later();
            self.notes.replies.learn(&self.notes.line, &self.value);
        }
        // What the leaf is may be news to the node above it, whose edges may be new as well.
        let mut news = self.settings.solve && self.players <= 2;
        for (place, step) in self.path.windows(2).enumerate().rev() {
            let [node, edge] = *step else { continue };
            let points = self.value.get(usize::from(node.person())).copied().unwrap_or(0.5);
            match place + 1 < self.waiting {
                true => self.pending.add(edge, points),
                false => edge.add(points),
            }
            news = news && self.renew(node);
        }
        if self.waiting > 0 {
            self.pending.add(&self.arena.root, 0.0);
        }
    }

    /// Finds the proved bounds and the proof numbers of a node from its edges; whether they changed.
    fn renew(&self, node: &Edge) -> bool {
        let groups = self.arena.groups(node);
        let person = node.person();
        let other = 1 - person.min(1);
        if node.is_chance() {
            let (mut range, mut proofs) = (Range { low: 2, high: 0 }, [0, 0]);
            for edge in groups.flat_map(Group::edges) {
                let Range { low, high } = edge.range();
                range = Range { low: range.low.min(low), high: range.high.max(high) };
                proofs = [0, 1].map(|of| (proofs[usize::from(of)] + edge.proof(of)).min(NEVER));
            }
            return node.narrow(range) | node.set_proofs(proofs);
        }
        // The best of all: as good as the surest, no better than the most hopeful. One edge has to be won by who
        // decides, all by the other.
        let (mut seen, mut own, mut all) = (Range { low: 0, high: 0 }, NEVER, 0);
        let mut behind = 0;
        for group in groups {
            for edge in group.edges() {
                let Range { low, high } = edge.range().seen_by(person);
                seen = Range { low: seen.low.max(low), high: seen.high.max(high) };
                own = own.min(edge.proof(person));
                all = (all + edge.proof(other)).min(NEVER);
            }
            behind = group.behind();
        }
        // Nothing is known of moves that have no edge yet.
        if behind > 0 {
            (seen.high, own, all) = (2, own.min(1), all.saturating_add(behind).min(NEVER));
        }
        let proofs = if person == 0 { [own, all] } else { [all, own] };
        node.narrow(seen.seen_by(person)) | node.set_proofs(proofs)
    }
}

/// The moves made in a simulation, by person, as bits: few lines of the cache hold them.
#[derive(Debug)]
struct Made {
    words: Vec<u64>,
}

impl Default for Made {
    fn default() -> Made {
        Made { words: vec![0; PLACES / 64] }
    }
}

impl Made {
    /// Forgets the moves of a line.
    fn clear(&mut self, line: &Line) {
        for (person, number) in line {
            self.words[place(*person, *number) / 64] = 0;
        }
    }

    fn add(&mut self, person: u8, number: Move) {
        let place = place(person, number);
        self.words[place / 64] |= 1 << (place % 64);
    }

    #[inline]
    fn has(&self, person: u8, number: Move) -> bool {
        let place = place(person, number);
        self.words[place / 64] >> (place % 64) & 1 == 1
    }
}
