//! Proves results: depth-first proof-number search (*df-pn*: Nagai 2002).
//!
//! A goal is that one person, the *attacker*, gets at least so much against all play of the others and chance. The
//! *proof number* of a position is how many leaves have to be proved at the least for the goal, the *disproof number*
//! how many have to be disproved; the search goes where the least is left to do, and keeps both numbers in a table.
//!
//! A position that stands on the line already is no way to a goal, so a proof never needs one, and every proof is
//! valid. A disproof that met one, or the deepest line, holds for this line only and is not told. Where rules count
//! repetitions the table knows a position by all that went before.

use std::sync::Arc;

use bytemuck::Zeroable;

use super::evaluation::{Evaluation, share};
use super::memory::try_zeroed;
use crate::ids::Player;
use crate::play::{History, Machine, Move, Moves, Outcome, Position};
use crate::search::{Limit, Situation, key};

/// The least that a person gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// The game is not lost: a draw or better.
    Draw,
    /// The game is won.
    Win,
}

/// The proved result of a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Proved {
    /// Who wins, by person; none where nobody is proved to.
    pub winner: Option<usize>,
    /// Whether nobody wins if both play well; in games of two only.
    pub drawn: bool,
    /// Persons who are proved not to lose, where that is all that is known.
    pub not_losing: Vec<usize>,
    /// The same of winning.
    pub not_winning: Vec<usize>,
    /// A line of play that shows it.
    pub line: Vec<Move>,
}

impl Proved {
    /// Whether the result is known.
    pub fn is_known(&self) -> bool {
        self.winner.is_some() || self.drawn
    }
}

/// Proves the result of a position, as far as the limit allows: first with a part of it for each question, then with
/// all that is left.
pub fn solve(prover: &mut Prover, at: Situation<'_>, limit: &Limit<'_>) -> Proved {
    let players = prover.machine.layout().players;
    let mover = at.pos.person(prover.machine.layout(), at.moves.mover());
    let chances = prover.machine.program().has_chance();
    let mut proved = Proved::default();
    let mut persons: Vec<usize> = (0..players).collect();
    persons.rotate_left(mover.min(players));
    for part in [64, 8, 1] {
        for goal in [Goal::Win, Goal::Draw] {
            for person in &persons {
                let left = limit.nodes.saturating_sub(prover.nodes);
                let known = match goal {
                    Goal::Win => proved.not_winning.contains(person),
                    Goal::Draw => players != 2 || proved.not_losing.contains(person),
                };
                if known || left == 0 || limit.is_over(prover.nodes) {
                    continue;
                }
                let limit = Limit { nodes: (left / part).max(1), ..*limit };
                let found = prover.prove(at, *person, goal, &limit);
                match (goal, found) {
                    (Goal::Win, Some(true)) => {
                        proved.winner = Some(*person);
                        proved.line = prover.proved_line(at, 200);
                        return proved;
                    }
                    (Goal::Win, Some(false)) => proved.not_winning.push(*person),
                    (Goal::Draw, Some(true)) => {
                        proved.not_losing.push(*person);
                        // Who does not lose keeps the other from winning.
                        let other = 1 - person;
                        if !proved.not_winning.contains(&other) {
                            proved.not_winning.push(other);
                        }
                        proved.line = prover.proved_line(at, 200);
                    }
                    // Not even a draw: the other wins, or chance decides.
                    (Goal::Draw, Some(false)) if !chances => {
                        proved.winner = Some(1 - person);
                        return proved;
                    }
                    (Goal::Draw, Some(false)) | (_, None) => {}
                }
                // Where chance decides, that nobody can be sure of a win makes no draw.
                let drawn = if chances { &proved.not_losing } else { &proved.not_winning };
                if players == 2 && drawn.len() == 2 {
                    proved.drawn = true;
                    return proved;
                }
            }
        }
    }
    proved
}

/// No number is greater: it stands for "never".
const NEVER: u32 = 1 << 30;

/// The deepest line.
const DEEPEST: usize = 1500;

/// What a new position's number gains for each factor of e by which its chance is below 1: with the chance `c` and
/// `n` choices that have to be proved it is `n * (1 - GAIN ln c)`.
const GAIN: f64 = 8.0;
/// The largest number that a new position gets.
const LARGEST_NUMBER: f64 = 1000.0;

/// A proof number and a disproof number.
type Numbers = (u32, u32);

/// The table entry of a position, for the goal at hand.
#[derive(Clone, Copy, Debug, Default, Zeroable)]
struct Entry {
    key: u64,
    numbers: Numbers,
}

/// Proves goals in one game.
pub struct Prover {
    machine: Machine,
    /// Guessed at the first proof where it is not known.
    evaluation: Option<Arc<Evaluation>>,
    table: Box<[Entry]>,
    levels: Vec<Level>,
    history: History,
    /// Positions on the line, by key.
    line: Vec<u64>,
    attacker: usize,
    goal: Goal,
    nodes: u64,
    /// Whether a line came back to itself or was too deep: then a disproof is none.
    looped: bool,
    over: bool,
}

#[derive(Clone, Debug)]
struct Level {
    pos: Position,
    moves: Moves,
    children: Vec<Child>,
    /// How many turn starts there are before its moves.
    length: usize,
}

#[derive(Clone, Copy, Debug)]
struct Child {
    number: Move,
    key: u64,
    /// Known without the table: the game is over there, or it is on the line.
    known: Option<Numbers>,
    /// The initial numbers of a position that the table does not know: the more moves, the more to do.
    first: Numbers,
}

/// Places of a bucket.
const WAYS: usize = 4;

impl Prover {
    /// A prover that takes about so many bytes; none where there is not so much memory. It goes by the fitted
    /// evaluation of the game if there is one.
    pub fn new(machine: &Machine, evaluation: Option<Arc<Evaluation>>, bytes: usize) -> Option<Prover> {
        let mut machine = machine.clone();
        machine.warm_up();
        machine.set_hashing(true);
        let places = (bytes / size_of::<Entry>()).max(WAYS) / WAYS * WAYS;
        Some(Prover {
            machine,
            evaluation,
            table: try_zeroed(places)?,
            levels: Vec::new(),
            history: History::new(),
            line: Vec::new(),
            attacker: 0,
            goal: Goal::Win,
            nodes: 0,
            looped: false,
            over: false,
        })
    }

    /// How many positions it has looked at in all.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether a person reaches a goal from a position; none where the limit is reached before that is known.
    pub fn prove(
        &mut self,
        at: Situation<'_>,
        attacker: usize,
        goal: Goal,
        limit: &Limit<'_>,
    ) -> Option<bool> {
        if self.evaluation.is_none() {
            self.evaluation = Some(at.guess(&mut self.machine, limit));
        }
        self.table.fill(Entry::default());
        (self.attacker, self.goal, self.looped, self.over) = (attacker, goal, false, false);
        let mut pos = at.pos.clone();
        self.machine.settle_hash(&mut pos);
        self.history.copy_from(at.history);
        self.line.clear();
        self.levels =
            vec![Level { pos, moves: at.moves.clone(), children: Vec::new(), length: at.history.len() }];
        let begun = self.nodes;
        let limit = Limit { nodes: limit.nodes.saturating_add(begun), ..*limit };
        match self.search(0, NEVER, NEVER, &limit) {
            (0, _) => Some(true),
            (_, 0) if !self.looped => Some(false),
            _ => None,
        }
    }

    /// A line of play after a goal was proved: moves that keep it, against replies that put it off.
    pub fn proved_line(&mut self, at: Situation<'_>, most: usize) -> Vec<Move> {
        let mut line = Vec::new();
        let mut pos = at.pos.clone();
        self.machine.settle_hash(&mut pos);
        self.history.copy_from(at.history);
        let mut moves = at.moves.clone();
        while line.len() < most && !moves.is_empty() {
            let own = self.is_attackers(&pos, &moves);
            let mut best: Option<(u32, Move)> = None;
            for number in moves.iter() {
                let (mut next, mut after) = (pos.clone(), Moves::new());
                let length = self.history.len();
                self.machine.play(&mut next, number, &mut self.history, &mut after);
                let (proof, disproof) = match after.is_empty() {
                    true => self.end(&next),
                    false => self.get(self.key(&next)).unwrap_or((1, 1)),
                };
                self.history.truncate(length);
                // The one who has proved it takes a proved move; the others take a move that puts the end off.
                let rank = match own {
                    true if proof == 0 => disproof.min(NEVER - 1) + u32::from(after.is_empty()),
                    true => 0,
                    false => u32::from(!after.is_empty()),
                };
                if best.is_none_or(|(known, _)| rank > known) {
                    best = Some((rank, number));
                }
            }
            let Some((_, number)) = best else { break };
            self.machine.play(&mut pos, number, &mut self.history, &mut moves);
            line.push(number);
        }
        line
    }

    /// The key of a position: where repetitions count, with all that went before.
    fn key(&self, pos: &Position) -> u64 {
        let before = if self.machine.keeps_history() { self.history.sum() } else { 0 };
        (key(self.machine.layout(), pos) ^ before.wrapping_mul(0x9e37_79b9_7f4a_7c15)).max(1)
    }

    fn is_attackers(&self, pos: &Position, moves: &Moves) -> bool {
        !moves.is_chance() && pos.person(self.machine.layout(), moves.mover()) == self.attacker
    }

    /// The numbers of a finished game.
    fn end(&mut self, pos: &Position) -> Numbers {
        let reached = match self.machine.outcome(pos) {
            Some(Outcome::Win(winner)) => pos.person(self.machine.layout(), winner) == self.attacker,
            // Sides are swapped by two only: of more, a player is a person.
            Some(outcome @ Outcome::Places(_)) => outcome.has_won(Player(self.attacker as u8)),
            _ => self.goal == Goal::Draw,
        };
        if reached { (0, NEVER) } else { (NEVER, 0) }
    }

    fn bucket(&self, key: u64) -> usize {
        let buckets = (self.table.len() / WAYS) as u64;
        ((u128::from(key) * u128::from(buckets)) >> 64) as usize * WAYS
    }

    fn get(&self, key: u64) -> Option<Numbers> {
        let at = self.bucket(key);
        self.table.get(at..at + WAYS)?.iter().find(|entry| entry.key == key).map(|entry| entry.numbers)
    }

    fn put(&mut self, key: u64, numbers: Numbers) {
        let at = self.bucket(key);
        let Some(bucket) = self.table.get_mut(at..at + WAYS) else { return };
        // Proved entries stay before others, entries that took more work before those that took less.
        let worth = |entry: &Entry| match entry {
            Entry { key: 0, .. } => 0,
            entry if entry.key == key => 0,
            Entry { numbers: (0, _) | (_, 0), .. } => u32::MAX,
            Entry { numbers: (proof, disproof), .. } => proof.min(&(NEVER / 2)) + disproof.min(&(NEVER / 2)),
        };
        let same = bucket.iter().position(|entry| entry.key == key);
        let place = same.or_else(|| (0..WAYS).min_by_key(|i| bucket.get(*i).map_or(0, worth)));
        if let Some(entry) = place.and_then(|place| bucket.get_mut(place)) {
            *entry = Entry { key, numbers };
        }
    }

    /// Works on a level's position until one of its numbers reaches its bound.
    fn search(&mut self, ply: usize, most_proof: u32, most_disproof: u32, limit: &Limit<'_>) -> Numbers {
        let Some(level) = self.levels.get(ply) else { return (1, 1) };
        if level.moves.is_empty() {
            let pos = level.pos.clone();
            return self.end(&pos);
        }
        if ply + 2 >= DEEPEST {
            self.looped = true;
            return (NEVER, 0);
        }
        let own = self.is_attackers(&level.pos, &level.moves);
        let key = self.key(&level.pos);
        self.line.push(key);
        self.expand(ply, own);
        let found = loop {
            let (proof, disproof, best, second) = self.numbers(ply, own);
            if proof >= most_proof || disproof >= most_disproof || proof == 0 || disproof == 0 || self.over {
                break (proof, disproof);
            }
            if limit.is_over_at(self.nodes, 64) {
                self.over = true;
                break (proof, disproof);
            }
            let Some((child, (of_proof, of_disproof))) = best else { break (proof, disproof) };
            // The child is worked on until another is better (a little more, so that work is not torn about), or the
            // bound of this position is reached.
            let rest = |most: u32, all: u32, of: u32| most.saturating_sub(all.saturating_sub(of)).max(of + 1);
            let patience = |second: u32| second.saturating_add(second / 4 + 1).min(NEVER);
            let (next_proof, next_disproof) = match own {
                true => (most_proof.min(patience(second)), rest(most_disproof, disproof, of_disproof)),
                false => (rest(most_proof, proof, of_proof), most_disproof.min(patience(second))),
            };
            self.make(ply, child.number);
            let numbers = self.search(ply + 1, next_proof, next_disproof, limit);
            self.unmake(ply);
            if !self.over || numbers.0 == 0 {
                self.put(child.key, numbers);
            }
        };
        self.line.pop();
        found
    }

    fn make(&mut self, ply: usize, number: Move) {
        if self.levels.len() < ply + 2
            && let Some(last) = self.levels.last().cloned()
        {
            self.levels.push(last);
        }
        let Some((from, to)) = self.levels.get_mut(ply..).and_then(|l| l.split_first_mut()) else { return };
        let Some(to) = to.first_mut() else { return };
        to.pos.copy_from(&from.pos);
        self.machine.play(&mut to.pos, number, &mut self.history, &mut to.moves);
        self.nodes += 1;
    }

    fn unmake(&mut self, ply: usize) {
        let length = self.levels.get(ply).map_or(0, |level| level.length);
        self.history.truncate(length);
    }

    /// Lists the children of a level's position.
    fn expand(&mut self, ply: usize, own: bool) {
        let length = self.history.len();
        let Some(level) = self.levels.get_mut(ply) else { return };
        level.length = length;
        level.children.clear();
        let moves: Vec<Move> = level.moves.iter().collect();
        for number in moves {
            self.make(ply, number);
            let Some(next) = self.levels.get(ply + 1) else { return };
            let key = self.key(&next.pos);
            let known = if next.moves.is_empty() {
                let pos = next.pos.clone();
                Some(self.end(&pos))
            } else if self.line.contains(&key) {
                self.looped = true;
                Some((NEVER, 0))
            } else {
                None
            };
            let first = if known.is_none() { self.first(ply + 1) } else { (1, 1) };
            self.unmake(ply);
            if let Some(level) = self.levels.get_mut(ply) {
                level.children.push(Child { number, key, known, first });
            }
            // One that decides the position is enough.
            if known.is_some_and(|(proof, disproof)| if own { proof == 0 } else { disproof == 0 }) {
                break;
            }
        }
    }

    /// The numbers of a level's position that was not looked into.
    fn first(&mut self, ply: usize) -> Numbers {
        let Some(Level { pos, moves, .. }) = self.levels.get(ply) else { return (1, 1) };
        let choices = moves.len() as f64;
        let own = self.is_attackers(pos, moves);
        // Evaluations are of players; in a game of two the second sees the first's the other way round.
        let layout = self.machine.layout();
        let plays = |player: &usize| pos.person(layout, Player(*player as u8)) == self.attacker;
        let player = (0..layout.players).find(plays).unwrap_or(self.attacker);
        let chance = self
            .evaluation
            .as_ref()
            .map_or(0.5, |evaluation| share(evaluation.value(&mut self.machine, pos, moves, player)));
        let number = |chance: f64, choices: f64| {
            (choices * (1.0 - GAIN * chance.ln())).clamp(1.0, LARGEST_NUMBER) as u32
        };
        match own {
            true => (number(chance, 1.0), number(1.0 - chance, choices)),
            false => (number(chance, choices), number(1.0 - chance, 1.0)),
        }
    }

    /// The numbers of a level's position from its children; the child to work on with its numbers, and the number of
    /// the second best.
    fn numbers(&self, ply: usize, own: bool) -> (u32, u32, Option<(Child, Numbers)>, u32) {
        let (mut least, mut most, mut open, mut second) = (NEVER, 0_u32, 0_u32, NEVER);
        let mut best = None;
        for child in self.levels.get(ply).map(|level| &level.children[..]).unwrap_or(&[]) {
            let known = child.known.or_else(|| self.get(child.key));
            let (proof, disproof) = known.unwrap_or(child.first);
            let (of_least, of_sum) = if own { (proof, disproof) } else { (disproof, proof) };
            most = most.max(of_sum);
            open += u32::from(of_sum > 0);
            if of_least < least || best.is_none() {
                (second, least) = (least, of_least);
                best = Some((*child, (proof, disproof)));
            } else {
                second = second.min(of_least);
            }
        }
        let sum = if most >= NEVER { NEVER } else { (most + open.saturating_sub(1)).min(NEVER - 1) };
        if own { (least, sum, best, second) } else { (sum, least, best, second) }
    }
}
