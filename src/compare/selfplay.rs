//! One game of self-play, watched.

use std::collections::BTreeMap;

use super::beside::Beside;
use super::contestant::Contestant;
use super::heat::Heat;
use super::lead::Leads;
use super::look::Look;
use super::model::{Puzzle, PuzzleKind};
use super::record::{BEGINNING, GameRecord, Series, game_seed};
use crate::analysis::playout::outcome_name;
use crate::game::Game;
use crate::notation::position::TextError;
use crate::play::{History, Machine, Move, Moves, Outcome, Position, Rng};
use crate::program::slot;
use crate::search::{AgentError, AgentSpec, Making, Seat, Situation, draw};

/// How games are played.
#[derive(Clone, PartialEq, Debug)]
pub struct Rules {
    /// The agents: one for all seats, or two that change seats from game to game.
    pub agents: Vec<AgentSpec>,
    /// The agents of the strength games, the stronger first.
    pub strength: Option<[AgentSpec; 2]>,
    /// The seed.
    pub seed: u64,
    /// A game is cut after so many plies.
    pub plies: u32,
    /// How many plies are an opening.
    pub opening: u32,
    /// Whether to look for moments with one good move, which costs more than the game.
    pub looks: bool,
    /// How many playouts from each position say who is ahead, in games that count no score; 0 for none, else
    /// at least [`LEAST`](super::lead::LEAST).
    pub leads: u32,
}

/// What the command line takes where it is told nothing else.
impl Default for Rules {
    fn default() -> Rules {
        let agents = vec![AgentSpec::default()];
        Rules { agents, strength: None, seed: 1, plies: 2000, opening: 2, looks: true, leads: 0 }
    }
}

impl Rules {
    /// Whether all agents can be had.
    pub(super) fn admits(&self, making: &Making) -> Result<(), AgentError> {
        self.agents
            .iter()
            .chain(self.strength.iter().flatten())
            .try_for_each(|agent| agent.seat(making).map(drop))
    }
}

/// Mixed into a game's seed for the playouts that say who is ahead: games are the same without them.
const LEADS: u64 = 0x6c65_6164_6c65_6164;

/// Puzzles are kept of so many games.
const PUZZLED: u64 = 200;

/// The agent that has a seat in a game. Agents change seats from game to game.
pub fn seat(agents: usize, player: usize, game: u64) -> usize {
    (player + (game % agents.max(1) as u64) as usize) % agents.max(1)
}

/// Plays games of one contestant, one after the other: one for each thread.
pub(super) struct Worker<'c> {
    contestant: &'c Contestant,
    rules: &'c Rules,
    machine: Machine,
    heat: Heat,
    beside: Beside<'c>,
    look: Look,
    agents: Vec<Seat>,
    rivals: Vec<Seat>,
    history: History,
    moves: Moves,
    /// Whether each decision (a pass is the last) is offered at this ply.
    offered: Vec<bool>,
    uses: Vec<[u32; 2]>,
    leads: Leads,
}

impl<'c> Worker<'c> {
    /// For a contestant.
    pub fn new(contestant: &'c Contestant, rules: &'c Rules, making: &Making) -> Worker<'c> {
        let machine = contestant.machine.clone();
        let decisions = machine.program().decisions.len() + 1;
        // INVARIANT: `Rules::admits` said that all can be had.
        let making = Making { clock: making.clock, ..contestant.game.making() };
        let seat = |agent: &AgentSpec| agent.seat(&making).ok();
        Worker {
            heat: Heat::new(machine.layout()),
            beside: Beside::new(contestant),
            look: Look::new(machine.layout().players),
            agents: rules.agents.iter().filter_map(seat).collect(),
            rivals: rules.strength.iter().flatten().filter_map(seat).collect(),
            history: History::new(),
            moves: Moves::new(),
            offered: vec![false; decisions],
            uses: vec![[0; 2]; decisions],
            leads: Leads::new(machine.layout().players),
            contestant,
            rules,
            machine,
        }
    }

    /// Plays a game of a series.
    pub fn play(&mut self, series: Series, number: u64) -> Result<GameRecord, TextError> {
        let specs = match series {
            Series::Main => self.rules.agents.clone(),
            Series::Strength => self.rules.strength.iter().flatten().cloned().collect(),
        };
        let game = &self.contestant.game;
        let seat_of = |player: usize| seat(specs.len(), player, number);
        let agents = (0..game.rules.players.len())
            .map(|p| specs.get(seat_of(p)).map(AgentSpec::to_string).unwrap_or_default())
            .collect();
        let mut record = GameRecord {
            variant: self.contestant.name.clone(),
            game: number,
            series,
            seed: game_seed(self.rules.seed, &self.contestant.name, series, number),
            agents,
            ..GameRecord::default()
        };
        match series {
            Series::Main => self.watched(&mut record, seat_of)?,
            Series::Strength => self.plain(&mut record, seat_of)?,
        }
        Ok(record)
    }

    fn begin(&mut self, seed: u64) -> Result<Position, TextError> {
        let pos = self.contestant.game.start(&mut self.machine, None, seed)?;
        self.agents.iter_mut().chain(&mut self.rivals).for_each(Seat::forget);
        self.history.clear();
        self.history.push(self.machine.full_hash(&pos));
        self.machine.moves(&pos, &mut self.moves);
        Ok(pos)
    }

    /// A game of which only the result is wanted.
    fn plain(&mut self, record: &mut GameRecord, seat: impl Fn(usize) -> usize) -> Result<(), TextError> {
        let mut pos = self.begin(record.seed)?;
        let mut rng = Rng::new(record.seed);
        while record.plies < self.rules.plies {
            record.turns += u32::from(pos.slot(self.machine.layout(), slot::TURN_PLIES) == 0);
            self.note_first(record);
            let Some(m) = self.choose(&pos, Series::Strength, &seat, &mut rng) else { break };
            self.machine.play(&mut pos, m, &mut self.history, &mut self.moves);
            record.plies += 1;
        }
        record.result = outcome_name(&self.contestant.game, self.machine.outcome(&pos));
        Ok(())
    }

    /// Notes who makes the first ply that is no chance.
    fn note_first(&self, record: &mut GameRecord) {
        if record.first.is_none() && !self.moves.is_chance() && !self.moves.is_empty() {
            record.first = u8::try_from(self.moves.mover().index()).ok();
        }
    }

    /// The move of who decides.
    fn choose(
        &mut self,
        pos: &Position,
        series: Series,
        seat: impl Fn(usize) -> usize,
        rng: &mut Rng,
    ) -> Option<Move> {
        if self.moves.is_chance() || self.moves.is_empty() {
            return draw(&mut self.machine, pos, &self.moves, rng);
        }
        let seats = match series {
            Series::Main => &mut self.agents,
            Series::Strength => &mut self.rivals,
        };
        let chooser = seats.get_mut(seat(self.moves.mover().index()))?;
        let at = Situation { pos, history: &self.history, moves: &self.moves, played: &[] };
        // Only programs from outside give up, and they are not admitted here.
        chooser.choose(&mut self.machine, at, rng).ok()
    }

    fn watched(&mut self, record: &mut GameRecord, seat: impl Fn(usize) -> usize) -> Result<(), TextError> {
        let game = &self.contestant.game;
        let mut pos = self.begin(record.seed)?;
        let mut rng = Rng::new(record.seed);
        let scored = game.program.score.is_some();
        let beginning = self.rules.opening.max(BEGINNING);
        self.heat.begin(&pos);
        self.beside.begin(record.seed);
        self.look.begin();
        self.uses.fill([0; 2]);
        self.leads.begin();
        let mut looker = Rng::new(record.seed ^ LEADS);
        let mut only_wins = 0;
        while record.plies < self.rules.plies && !self.moves.is_empty() {
            let ply = record.plies;
            let free = !self.moves.is_chance();
            record.turns += u32::from(pos.slot(self.machine.layout(), slot::TURN_PLIES) == 0);
            record.legal.push(if free { self.moves.len() as u32 } else { 0 });
            self.note_first(record);
            if free && !scored && self.rules.leads > 0 {
                let at = Situation { pos: &pos, history: &self.history, moves: &self.moves, played: &[] };
                self.leads.look(&mut self.machine, at, self.rules.leads, &mut looker);
            }
            let Some(m) = self.choose(&pos, Series::Main, &seat, &mut rng) else { break };
            if free && self.rules.looks && self.look.is_whole() {
                self.look.keep(&pos, &self.history, &self.moves, ply);
                if self.moves.len() > 1
                    && let Some(only) =
                        self.look.only_win(&mut self.machine, &pos, &self.history, &self.moves)
                {
                    only_wins += 1;
                    let first = !record.puzzles.iter().any(|p| p.kind == PuzzleKind::OnlyWin);
                    if first && record.game < PUZZLED {
                        let at = (record.game, ply);
                        let found = PuzzleKind::OnlyWin;
                        record.puzzles.push(puzzle(
                            game,
                            &mut self.machine,
                            found,
                            &pos,
                            &self.moves,
                            only,
                            at,
                        ));
                    }
                }
            }
            self.count_decisions(m);
            self.beside.before(&self.moves, m);
            if ply < beginning {
                record.opening.push(game.move_text(m));
            }
            self.machine.play(&mut pos, m, &mut self.history, &mut self.moves);
            self.heat.after(&pos, self.machine.layout());
            if scored {
                self.leads.scored(self.machine.scores(&pos).into_iter().map(f64::from));
            }
            record.plies += 1;
        }
        let outcome = self.machine.outcome(&pos);
        record.result = outcome_name(game, outcome);
        record.scores = self.machine.scores(&pos);
        record.beside = self.beside.end(outcome);
        self.tell_decisions(record);
        record.ahead = self.leads.ahead();
        if let Some(Outcome::Win(winner)) = outcome {
            record.drama = self.leads.drama(winner.index());
        }
        [record.landed, record.occupied] = self.heat.end();
        if self.rules.looks {
            self.tell_looks(record, outcome, only_wins);
        }
        Ok(())
    }

    fn count_decisions(&mut self, made: Move) {
        let program = self.machine.program();
        let pass = program.decisions.len();
        let of = |m: Move| {
            let at = program.leaves.partition_point(|l| l.base <= m.0);
            at.checked_sub(1).and_then(|i| program.leaves.get(i)).map(|l| l.decision.unwrap_or(pass))
        };
        self.offered.fill(false);
        for m in self.moves.iter() {
            if let Some(offered) = of(m).and_then(|d| self.offered.get_mut(d)) {
                *offered = true;
            }
        }
        for (uses, offered) in self.uses.iter_mut().zip(&self.offered) {
            uses[0] += u32::from(*offered);
        }
        if let Some(uses) = of(made).and_then(|d| self.uses.get_mut(d)) {
            uses[1] += 1;
        }
    }

    fn tell_decisions(&self, record: &mut GameRecord) {
        let names = self.contestant.game.rules.decisions.iter().map(|d| d.name.as_str()).chain(["pass"]);
        let seen = names.zip(&self.uses).filter(|(_, uses)| uses[0] > 0);
        record.decisions = seen.map(|(name, uses)| (name.to_owned(), *uses)).collect::<BTreeMap<_, _>>();
    }

    fn tell_looks(&mut self, record: &mut GameRecord, outcome: Option<Outcome>, only_wins: u32) {
        if !self.look.is_whole() {
            return;
        }
        record.only_wins = Some(only_wins);
        let Some(Outcome::Win(winner)) = outcome else { return };
        let found = self.look.defences(&mut self.machine, winner, &self.history);
        let Some((good, all, which, moment)) = found.filter(|_| self.look.is_whole()) else { return };
        record.defences = Some([good, all]);
        if let (1, 2.., Some(which), true) = (good, all, which, record.game < PUZZLED) {
            let game = &self.contestant.game;
            let at = (record.game, moment.ply);
            let kind = PuzzleKind::OnlyDefence;
            record.puzzles.push(puzzle(game, &mut self.machine, kind, &moment.pos, &moment.moves, which, at));
        }
    }
}

/// A puzzle of a moment.
fn puzzle(
    game: &Game,
    machine: &mut Machine,
    kind: PuzzleKind,
    pos: &Position,
    moves: &Moves,
    solution: Move,
    at: (u64, u32),
) -> Puzzle {
    Puzzle {
        kind,
        position: game.texts().write(machine, pos),
        player: game.player(moves.mover().index()).to_owned(),
        solution: game.move_text(solution),
        legal: moves.len() as u64,
        game: at.0,
        ply: at.1,
    }
}
