//! A game of self-play.

use std::sync::Arc;

use crate::game::Game;
use crate::play::{History, Machine, Move, Moves, Outcome, Position, Rng};
use crate::search::evaluation::{Evaluation, Nearness, Terms};
use crate::search::{AgentSpec, Budget, Found, Making, Seat, Situation, Thought, draw, points};

/// Somebody who plays by an evaluation.
pub(super) fn player(evaluation: &Arc<Evaluation>) -> Option<Seat> {
    let making = Making { evaluation: Some(evaluation.clone()), ..Making::default() };
    "alphabeta:1".parse::<AgentSpec>().and_then(|spec| spec.seat(&making)).ok()
}

/// Where games are played.
pub(super) struct Table {
    machine: Machine,
    players: Vec<Option<Seat>>,
    pos: Option<Position>,
    history: History,
    moves: Moves,
    nearness: Option<Nearness>,
}

impl Table {
    pub fn new(machine: Machine, players: Vec<Option<Seat>>) -> Table {
        Table { machine, players, pos: None, history: History::new(), moves: Moves::new(), nearness: None }
    }

    /// Begins a game; the deal comes from the seed.
    pub fn begin(&mut self, game: &Game, start: &Position, seed: u64) {
        self.players.iter_mut().flatten().for_each(Seat::forget);
        let dealt = self.machine.layout().is_dealt();
        let new = if dealt { game.start(&mut self.machine, None, seed).ok() } else { None };
        let pos = new.unwrap_or_else(|| start.clone());
        self.history.clear();
        self.history.push(self.machine.full_hash(&pos));
        self.machine.moves(&pos, &mut self.moves);
        self.pos = Some(pos);
    }

    pub fn moves(&self) -> &Moves {
        &self.moves
    }

    /// Who decides.
    pub fn person(&self) -> usize {
        let layout = self.machine.layout();
        self.pos.as_ref().map_or(0, |pos| pos.person(layout, self.moves.mover()))
    }

    /// The player who decides.
    pub fn mover(&self) -> usize {
        self.moves.mover().index()
    }

    /// Whether the position was there before in this game.
    pub fn repeats(&self) -> bool {
        self.history.repeats()
    }

    /// Makes a move by chance.
    pub fn stray(&mut self, rng: &mut Rng) {
        let Some(pos) = &self.pos else { return };
        let number = draw(&mut self.machine, pos, &self.moves, rng);
        self.play(number);
    }

    pub fn play(&mut self, number: Option<Move>) {
        if let (Some(pos), Some(number)) = (&mut self.pos, number) {
            self.machine.play(pos, number, &mut self.history, &mut self.moves);
        }
    }

    /// What a player chooses, and what was found at the last whole depth: the value of its line's end.
    pub fn choose(&mut self, player: usize, nodes: u64, rng: &mut Rng) -> (Option<Move>, Found) {
        let mut last = Found::default();
        let (Some(pos), Some(Some(seat))) = (&self.pos, self.players.get_mut(player)) else {
            return (None, last);
        };
        let at = Situation { pos, history: &self.history, moves: &self.moves, played: &[] };
        let mut tell = |found: &Found| {
            if found.depth > last.depth {
                last = found.clone();
            }
        };
        let limit = Budget::Nodes(nodes).limit(None);
        let mut thought = Thought { rng, limit, tell: Some(&mut tell), lines: 1 };
        (seat.think(&mut self.machine, at, &mut thought).ok(), last)
    }

    /// The terms at the end of a line, with the phase; none where the game is over there.
    pub fn leaf(&mut self, line: &[Move], terms: &Terms) -> Option<(Vec<(u32, f32)>, f32)> {
        let mut pos = self.pos.clone()?;
        let mut moves = Moves::new();
        let begun = self.history.len();
        for number in line {
            self.machine.play(&mut pos, *number, &mut self.history, &mut moves);
        }
        self.history.truncate(begun);
        let mut out = Vec::new();
        let goes_on = !moves.is_empty() && !moves.is_chance();
        let phase = goes_on.then(|| terms.tell(&mut self.machine, &pos, &moves, &mut out))?;
        Some((out, phase))
    }

    /// The points of each sum's side: of players, not of persons, since positions are seen by players.
    pub fn results(&mut self, terms: &Terms) -> Vec<f32> {
        let sides = self.machine.program().sides();
        let outcome = self.pos.as_ref().and_then(|pos| self.machine.outcome(pos));
        terms.sides().firsts().map(|player| points(outcome, player, sides) as f32).collect()
    }

    /// The same by how near the ends are, where nobody has won.
    pub fn nearness(&mut self, terms: &Terms) -> Option<Vec<f32>> {
        let pos = self.pos.as_ref()?;
        let won = self.machine.outcome(pos).is_some_and(|outcome| outcome != Outcome::Draw);
        if won {
            return None;
        }
        let nearness = self.nearness.get_or_insert_with(|| Nearness::new(self.machine.program()));
        let near = nearness.points(pos);
        Some(terms.sides().firsts().filter_map(|player| near.get(player).copied()).collect())
    }

    /// The points of a person.
    pub fn points(&mut self, person: usize) -> f32 {
        let players = self.machine.layout().players;
        let Some(pos) = &self.pos else { return 0.5 };
        let outcome = self.machine.outcome(pos);
        let layout = self.machine.layout();
        let player = (0..players).find(|p| pos.person(layout, crate::ids::Player(*p as u8)) == person);
        points(outcome, player.unwrap_or(0), self.machine.program().sides()) as f32
    }
}
