//! A game played beside the game without an option, move by move.
//!
//! An option may change a set, a flow, an end or the board: a player sees other legal moves or another outcome.
//! So the other game starts from the same seed and makes the same moves as long as
//! it allows them: *in step*. While it lasts the offers of the two are compared as sets. The moment a move is
//! made that the other game does not offer, the option was used, and the two part.
//!
//! Moves of two programs are the same if their decisions have the same name and the same sites, kinds,
//! players (by name) and numbers are chosen. They are compared by a 64-bit hash of that.

use std::collections::HashMap;

use super::contestant::Contestant;
use super::record::Step;
use crate::game::Game;
use crate::ids::Site;
use crate::play::{History, Machine, Move, Moves, Outcome, Position};
use crate::program::VarKind;

/// Names that mean the same in several games, as numbers.
#[derive(Default)]
struct Names(HashMap<String, u64>);

impl Names {
    fn id(&mut self, kind: &str, name: &str) -> u64 {
        let next = self.0.len() as u64 + 1;
        *self.0.entry(format!("{kind} {name}")).or_insert(next)
    }
}

/// The numbers of a game's names.
struct Keys {
    decisions: Vec<u64>,
    sites: Vec<u64>,
    kinds: Vec<u64>,
    players: Vec<u64>,
}

impl Keys {
    fn new(game: &Game, names: &mut Names) -> Keys {
        let rules = &game.rules;
        let board = &rules.board;
        Keys {
            decisions: rules.decisions.iter().map(|d| names.id("decision", &d.name)).collect(),
            sites: (0..board.len()).map(|s| names.id("site", board.name(Site(s as u16)))).collect(),
            kinds: rules.kinds.iter().map(|k| names.id("kind", &k.name)).collect(),
            players: rules.players.iter().map(|p| names.id("player", p)).collect(),
        }
    }

    /// The identity of a move in both programs.
    fn of(&self, game: &Game, number: Move) -> u64 {
        let program = &game.program;
        let Some(leaf) = program.leaf_of(number.0).and_then(|i| program.leaves.get(i)) else { return 0 };
        // A pass is a pass wherever it stands.
        let Some(decision) = leaf.decision else { return 1 };
        let id = |list: &[u64], index: i32| {
            usize::try_from(index).ok().and_then(|i| list.get(i)).copied().unwrap_or(0)
        };
        let mut hash = mix(0x51, id(&self.decisions, decision as i32));
        let Some(code) = program.decisions.get(decision) else { return hash };
        for var in &code.vars {
            let value = var.value(number.0 - leaf.base);
            let value = match var.kind {
                VarKind::Site => id(&self.sites, value),
                VarKind::Kind => id(&self.kinds, value),
                VarKind::Player => id(&self.players, value),
                VarKind::Int | VarKind::Direction => value as u64,
            };
            hash = mix(hash, value);
        }
        hash
    }

    fn list(&self, game: &Game, moves: &Moves, out: &mut Vec<u64>) {
        out.clear();
        out.extend(moves.iter().map(|m| self.of(game, m)));
        out.sort_unstable();
        out.dedup();
    }
}

fn mix(hash: u64, value: u64) -> u64 {
    let mut z = (hash ^ value.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(0x2545_f491_4f6c_dd1d);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The game without one option, as far as it got.
struct Other<'c> {
    game: &'c Game,
    machine: Machine,
    keys: Keys,
    pos: Option<Position>,
    history: History,
    moves: Moves,
    offers: Vec<u64>,
    step: Step,
}

/// All the games beside one.
pub(super) struct Beside<'c> {
    game: &'c Game,
    keys: Keys,
    offers: Vec<u64>,
    others: Vec<Other<'c>>,
}

impl<'c> Beside<'c> {
    /// For a contestant.
    pub fn new(contestant: &'c Contestant) -> Beside<'c> {
        let mut names = Names::default();
        let keys = Keys::new(&contestant.game, &mut names);
        let others = contestant
            .without
            .iter()
            .filter_map(|(option, other)| {
                let (game, machine) = other.as_ref().ok()?;
                Some(Other {
                    game,
                    machine: machine.clone(),
                    keys: Keys::new(game, &mut names),
                    pos: None,
                    history: History::new(),
                    moves: Moves::new(),
                    offers: Vec::new(),
                    step: Step { option: option.clone(), ..Step::default() },
                })
            })
            .collect();
        Beside { game: &contestant.game, keys, offers: Vec::new(), others }
    }

    /// A new game begins.
    pub fn begin(&mut self, seed: u64) {
        for other in &mut self.others {
            other.step = Step { option: std::mem::take(&mut other.step.option), ..Step::default() };
            // A start that cannot be made was reported when the game was checked.
            other.pos = other.game.start(&mut other.machine, None, seed).ok();
            other.history.clear();
            if let Some(pos) = &other.pos {
                other.history.push(other.machine.full_hash(pos));
                other.machine.moves(pos, &mut other.moves);
            }
        }
    }

    /// A move is about to be made.
    pub fn before(&mut self, moves: &Moves, made: Move) {
        if self.others.iter().all(|o| o.pos.is_none()) {
            return;
        }
        self.keys.list(self.game, moves, &mut self.offers);
        let key = self.keys.of(self.game, made);
        let mover = self.game.player(moves.mover().index());
        for other in &mut self.others {
            let Some(pos) = &mut other.pos else { continue };
            other.keys.list(other.game, &other.moves, &mut other.offers);
            let same = other.offers == self.offers
                && other.moves.is_chance() == moves.is_chance()
                && other.game.player(other.moves.mover().index()) == mover;
            if !same {
                other.step.differ += 1;
                other.step.first.get_or_insert(other.step.plies);
            }
            other.step.plies += 1;
            let number = other.moves.iter().find(|m| other.keys.of(other.game, *m) == key);
            match number {
                Some(number) => other.machine.play(pos, number, &mut other.history, &mut other.moves),
                None => {
                    other.step.left = true;
                    other.pos = None;
                }
            }
        }
    }

    /// The game is over, or cut.
    pub fn end(&mut self, outcome: Option<Outcome>) -> Vec<Step> {
        let name =
            |game: &Game, outcome: Option<Outcome>| outcome.map(|outcome| game.outcome_name(Some(outcome)));
        let ended = name(self.game, outcome);
        for other in &mut self.others {
            let Some(pos) = &other.pos else { continue };
            if name(other.game, other.machine.outcome(pos)) != ended {
                other.step.first.get_or_insert(other.step.plies);
            }
        }
        self.others.iter().map(|o| o.step.clone()).collect()
    }
}
