//! One game of self-play.
//!
//! The first games of the comparison and at the strongest level are *watched*: every ply is looked at, which costs
//! several times the game. The further ones are only played to their end, random ones by compiled playouts; and so are
//! strength games and those at weaker levels. A game is the same whether it is watched or not.
//!
//! Seats are persons': who `swap sides` goes on with the other player's pieces.

use serde::{Deserialize, Serialize};

use super::beside::Beside;
use super::contestant::Contestant;
use super::heat::Heat;
use super::lead::Leads;
use super::look::Look;
use super::model::{Puzzle, PuzzleKind};
use super::record::{BEGINNING, FirstUse, GameRecord, Series, game_seed};
use super::tally::Tally;
use crate::game::Game;
use crate::notation::position::TextError;
use crate::play::{History, Machine, Move, Moves, Outcome, Position, Rng};
use crate::search::{AgentError, AgentSpec, Making, Seat, Situation, draw, play_out};

/// How games are played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rules {
    /// The agents: one for all seats, or two that change seats from game to game.
    pub agents: Vec<AgentSpec>,
    /// The agents of the strength games, the strongest first: each plays against the next.
    pub strength: Vec<AgentSpec>,
    /// Agents that each play against themselves, the weakest first.
    #[serde(default)]
    pub levels: Vec<AgentSpec>,
    /// How many of the games are watched.
    #[serde(default)]
    pub watch: u64,
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
    /// The same in games at the strongest level.
    pub level_leads: u32,
    /// How many games at the strongest level are watched, where any are.
    pub level_watch: u64,
}

/// The most games that are watched: the records of single moves grow with them.
pub const MAX_WATCHED: u64 = 100_000;

/// The defaults of the command line.
impl Default for Rules {
    fn default() -> Rules {
        let agents = vec![AgentSpec::default()];
        Rules {
            agents,
            strength: Vec::new(),
            levels: Vec::new(),
            watch: 1000,
            seed: 1,
            plies: 2000,
            opening: 2,
            looks: true,
            leads: 0,
            level_leads: 0,
            level_watch: 100,
        }
    }
}

impl Rules {
    /// Whether all agents can be had.
    pub(super) fn admits(&self, making: &Making) -> Result<(), AgentError> {
        let all = self.agents.iter().chain(&self.strength).chain(&self.levels);
        all.into_iter().try_for_each(|agent| agent.seat(making).map(drop))
    }

    /// The agents of a series.
    pub(super) fn agents(&self, series: Series) -> &[AgentSpec] {
        match series {
            Series::Main => &self.agents,
            Series::Strength(pair) => self.strength.windows(2).nth(usize::from(pair)).unwrap_or(&[]),
            Series::Level(level) => self.levels.get(usize::from(level)).map_or(&[], std::slice::from_ref),
        }
    }

    /// Whether a game at a level is watched.
    fn is_watched(&self, level: u8, number: u64) -> bool {
        let strongest = usize::from(level) + 1 == self.levels.len();
        strongest && number < self.level_watch && self.watch > 0
    }

    /// Whether the agents of the games that are compared are two, whose strength is told where no other is asked for.
    pub(super) fn is_paired(&self) -> bool {
        self.agents.len() == 2 && self.strength.is_empty()
    }

    /// How many pairs of agents there are whose strength is told.
    pub(super) fn pairs(&self) -> usize {
        if self.is_paired() { 1 } else { self.strength.len().saturating_sub(1) }
    }

    /// Whether games of a series are made by nobody who thinks.
    pub(super) fn is_random(&self, series: Series) -> bool {
        self.agents(series).iter().all(|agent| !agent.thinks())
    }
}

/// Agents as they are written.
pub(super) fn words(agents: &[AgentSpec]) -> Vec<String> {
    agents.iter().map(ToString::to_string).collect()
}

/// Mixed into a game's seed for the playouts that say who is ahead: games are the same without them.
const LEADS: u64 = 0x6c65_6164_6c65_6164;

/// Games at a level of thought begin with so many random plies: agents that do not draw lots would play one game again
/// and again.
pub(super) const RANDOM_PLIES: u32 = 2;

/// Puzzles are kept of so many games.
const MAX_PUZZLE_GAMES: u64 = 200;

/// The agent that has a seat in a game. Agents change seats from game to game.
pub fn seat(agents: usize, player: usize, game: u64) -> usize {
    (player + (game % agents.max(1) as u64) as usize) % agents.max(1)
}

/// The seed of a game and the agent of each player: both follow from the settings and the game's number.
pub(super) fn head(
    contestant: &Contestant,
    rules: &Rules,
    series: Series,
    number: u64,
) -> (u64, Vec<String>) {
    let mut agents = vec![String::new(); contestant.game.rules.players.len()];
    sit(&words(rules.agents(series)), number, &mut agents);
    (game_seed(rules.seed, &contestant.name, series, number), agents)
}

/// Writes down who has each seat in a game.
fn sit(words: &[String], number: u64, seats: &mut [String]) {
    for (player, word) in seats.iter_mut().enumerate() {
        if let Some(agent) = words.get(seat(words.len(), player, number)) {
            word.clone_from(agent);
        }
    }
}

/// The agents of a series, as they sit at the table.
#[derive(Default)]
struct Team {
    series: Option<Series>,
    words: Vec<String>,
    seats: Vec<Seat>,
    random: bool,
}

/// Plays games of one contestant, one after the other, and adds them up: one for each thread.
pub(super) struct Worker<'c> {
    contestant: &'c Contestant,
    rules: &'c Rules,
    making: Making,
    /// The sums.
    pub tally: Tally,
    machine: Machine,
    heat: Heat,
    beside: Beside<'c>,
    look: Look,
    team: Team,
    start: Option<Position>,
    history: History,
    /// The moves of the game so far.
    played: Vec<Move>,
    moves: Moves,
    /// The position before the last ply.
    before: Option<(Position, Move)>,
    /// How many moves of each decision (a pass is the last) are offered, ply by ply.
    offered: Vec<Vec<u32>>,
    uses: Vec<[u32; 2]>,
    /// Whether an option adds the decision.
    added: Vec<bool>,
    leads: Leads,
}

impl<'c> Worker<'c> {
    /// For a contestant.
    pub fn new(contestant: &'c Contestant, rules: &'c Rules, making: &Making) -> Worker<'c> {
        let machine = contestant.machine.clone();
        let decisions = machine.program().decisions.len() + 1;
        let all = &contestant.game.rules.decisions;
        Worker {
            making: Making {
                clock: making.clock,
                sharing: rayon::current_num_threads() * machine.layout().players,
                ..contestant.game.making()
            },
            tally: Tally::new(contestant, rules),
            heat: Heat::new(machine.layout()),
            beside: Beside::new(contestant),
            look: Look::new(machine.layout().players),
            team: Team::default(),
            start: None,
            history: History::new(),
            played: Vec::new(),
            moves: Moves::new(),
            before: None,
            offered: vec![Vec::new(); decisions],
            uses: vec![[0; 2]; decisions],
            added: all.iter().map(|d| contestant.added_by(&d.name).is_some()).collect(),
            leads: Leads::new(machine.layout().players),
            contestant,
            rules,
            machine,
        }
    }

    /// Plays a game of a series and adds it up. The record is overwritten; its memory is used again.
    pub fn play(&mut self, series: Series, number: u64, record: &mut GameRecord) -> Result<(), TextError> {
        self.call(series);
        let GameRecord { mut variant, mut result, mut agents, .. } = std::mem::take(record);
        variant.clone_from(&self.contestant.name);
        result.clear();
        agents.resize(self.contestant.game.rules.players.len(), String::new());
        sit(&self.team.words, number, &mut agents);
        let seed = game_seed(self.rules.seed, &variant, series, number);
        *record = GameRecord { seed, variant, result, agents, game: number, series, ..GameRecord::default() };
        match series {
            Series::Main if number < self.rules.watch => self.watched(record, self.rules.leads)?,
            Series::Level(level) if self.rules.is_watched(level, number) => {
                self.watched(record, self.rules.level_leads)?;
            }
            _ if self.team.random => self.quick(record)?,
            _ => self.plain(record)?,
        }
        for puzzle in &mut record.puzzles {
            puzzle.agent = self.team.words.join(" and ");
        }
        self.tally.add(record);
        Ok(())
    }

    /// Sits the agents of a series down.
    fn call(&mut self, series: Series) {
        if self.team.series == Some(series) {
            return;
        }
        let specs = self.rules.agents(series);
        // INVARIANT: `Rules::admits` said that all can be had.
        let seats = specs.iter().filter_map(|agent| agent.seat(&self.making).ok()).collect();
        let words = specs.iter().map(AgentSpec::to_string).collect();
        self.team = Team { series: Some(series), words, seats, random: self.rules.is_random(series) };
    }

    fn begin(&mut self, seed: u64) -> Result<Position, TextError> {
        let pos = match &self.start {
            Some(start) => start.clone(),
            None => {
                let start =
                    self.contestant.game.start(&mut self.machine, self.contestant.setup.as_deref(), seed)?;
                // Where nothing is dealt the start is the same for every seed.
                self.start = (!self.machine.layout().is_dealt()).then(|| start.clone());
                start
            }
        };
        self.team.seats.iter_mut().for_each(Seat::forget);
        self.history.clear();
        self.played.clear();
        if self.machine.keeps_history() {
            self.history.push(self.machine.full_hash(&pos));
        }
        self.machine.moves(&pos, &mut self.moves);
        Ok(pos)
    }

    /// A random game. Only its result is recorded.
    fn quick(&mut self, record: &mut GameRecord) -> Result<(), TextError> {
        let mut pos = self.begin(record.seed)?;
        let mut rng = Rng::new(record.seed);
        // The first ply is a player's.
        while record.plies < self.rules.plies && self.moves.is_chance() {
            let Some(number) = draw(&mut self.machine, &pos, &self.moves, &mut rng) else { break };
            self.machine.play(&mut pos, number, &mut self.history, &mut self.moves);
            record.plies += 1;
        }
        self.note_first(record, &pos);
        let Worker { machine, history, moves, rules, .. } = self;
        let left = rules.plies - record.plies;
        record.plies += play_out(machine, &mut pos, history, moves, &mut rng, left).plies;
        self.note_end(record, &pos);
        Ok(())
    }

    /// A game of thinking agents. Only its result is recorded.
    fn plain(&mut self, record: &mut GameRecord) -> Result<(), TextError> {
        let mut pos = self.begin(record.seed)?;
        let mut rng = Rng::new(record.seed);
        while record.plies < self.rules.plies {
            self.note_first(record, &pos);
            let Some(number) = self.choose(&pos, record, &mut rng) else { break };
            self.make(&mut pos, number);
            record.plies += 1;
        }
        self.note_end(record, &pos);
        self.note_reason(record, &pos);
        Ok(())
    }

    /// Makes a move and keeps the position before it.
    fn make(&mut self, pos: &mut Position, number: Move) {
        let (before, last) = self.before.get_or_insert_with(|| (pos.clone(), number));
        before.copy_from(pos);
        *last = number;
        self.machine.play(pos, number, &mut self.history, &mut self.moves);
        self.played.push(number);
    }

    /// Notes who makes the first ply that is no chance.
    fn note_first(&self, record: &mut GameRecord, pos: &Position) {
        if record.first.is_none() && !self.moves.is_chance() && !self.moves.is_empty() {
            record.first = u8::try_from(pos.person(self.machine.layout(), self.moves.mover())).ok();
        }
    }

    /// Notes how a game ended.
    fn note_end(&mut self, record: &mut GameRecord, pos: &Position) {
        let outcome = self.machine.outcome(pos);
        record.result.push_str(&self.contestant.game.outcome_name(outcome));
        match outcome {
            Some(Outcome::Win(winner)) => {
                record.won = u8::try_from(pos.person(self.machine.layout(), winner)).ok();
            }
            // Sides are swapped by two only: of more, a player is a person.
            Some(Outcome::Places(places)) => {
                record.shared = (0..self.machine.layout().players as u8)
                    .filter(|p| places.of(usize::from(*p)) == 0)
                    .collect();
            }
            _ => {}
        }
        if self.machine.program().score.is_some() {
            record.scores = self.machine.scores(pos);
        }
    }

    /// Notes why a game ended whose last ply was made here.
    fn note_reason(&mut self, record: &mut GameRecord, pos: &Position) {
        let last =
            self.before.as_ref().filter(|_| record.plies > 0).map(|(before, number)| (before, *number));
        let by = self.machine.ended_by(last, pos);
        record.ended = by.map(|by| self.contestant.game.ended_name(by)).unwrap_or_default();
    }

    /// The move of who decides.
    fn choose(&mut self, pos: &Position, record: &GameRecord, rng: &mut Rng) -> Option<Move> {
        if is_drawn(record) || self.moves.is_chance() || self.moves.is_empty() {
            return draw(&mut self.machine, pos, &self.moves, rng);
        }
        let person = pos.person(self.machine.layout(), self.moves.mover());
        let chooser = self.team.seats.get_mut(seat(self.team.words.len(), person, record.game))?;
        let at = Situation { pos, history: &self.history, moves: &self.moves, played: &self.played };
        // Only programs from outside give up, and they are not admitted here.
        chooser.choose(&mut self.machine, at, rng).ok()
    }

    fn watched(&mut self, record: &mut GameRecord, leads: u32) -> Result<(), TextError> {
        let game = &self.contestant.game;
        let mut pos = self.begin(record.seed)?;
        let mut rng = Rng::new(record.seed);
        let scored = game.program.score.is_some();
        let beginning = self.rules.opening.max(BEGINNING);
        self.heat.begin(&pos);
        self.beside.begin(record.seed);
        self.look.begin();
        self.uses.fill([0; 2]);
        self.offered.iter_mut().for_each(Vec::clear);
        self.leads.begin();
        let mut looker = Rng::new(record.seed ^ LEADS);
        let mut only_wins = 0;
        while record.plies < self.rules.plies && !self.moves.is_empty() {
            let ply = record.plies;
            let free = !self.moves.is_chance();
            record.turns += u32::from(pos.begins_turn(self.machine.layout()));
            record.legal.push(if free { self.moves.len() as u32 } else { 0 });
            self.note_first(record, &pos);
            if free && !scored && leads > 0 {
                let at =
                    Situation { pos: &pos, history: &self.history, moves: &self.moves, played: &self.played };
                self.leads.look(&mut self.machine, at, leads, &mut looker);
            }
            let Some(m) = self.choose(&pos, record, &mut rng) else { break };
            if free && self.rules.looks && self.look.is_whole() {
                self.look.keep(&pos, &self.history, &self.moves, ply);
                if self.moves.len() > 1
                    && let Some(only) =
                        self.look.only_win(&mut self.machine, &pos, &self.history, &self.moves)
                {
                    only_wins += 1;
                    let kind = PuzzleKind::OnlyWin;
                    if record.game < MAX_PUZZLE_GAMES && !record.puzzles.iter().any(|p| p.kind == kind) {
                        let found = puzzle(game, &mut self.machine, kind, &pos, &self.moves, only);
                        record.puzzles.push(Puzzle { game: record.game, ply, ..found });
                    }
                }
            }
            self.count_decisions(m, &pos, record);
            self.beside.before(&self.moves, m);
            if ply < beginning {
                record.opening.push(game.move_text(m));
            }
            self.make(&mut pos, m);
            self.heat.after(&pos, self.machine.layout());
            if scored {
                self.leads.scored(self.machine.scores(&pos).into_iter().map(f64::from));
            }
            record.plies += 1;
        }
        self.note_end(record, &pos);
        self.note_reason(record, &pos);
        let outcome = self.machine.outcome(&pos);
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

    fn count_decisions(&mut self, made: Move, pos: &Position, record: &mut GameRecord) {
        let program = self.machine.program();
        let pass = program.decisions.len();
        let of = |m: Move| {
            let leaf = program.leaf_of(m.0).and_then(|leaf| program.leaves.get(leaf));
            leaf.map(|leaf| leaf.decision.unwrap_or(pass))
        };
        for m in self.moves.iter() {
            let Some(offered) = of(m).and_then(|d| self.offered.get_mut(d)) else { continue };
            offered.resize(record.plies as usize + 1, 0);
            if let Some(n) = offered.last_mut() {
                *n += 1;
            }
        }
        for (uses, offered) in self.uses.iter_mut().zip(&self.offered) {
            uses[0] += u32::from(offered.len() == record.plies as usize + 1);
        }
        let Some(decision) = of(made) else { return };
        if let Some(uses) = self.uses.get_mut(decision) {
            uses[1] += 1;
        }
        let game = &self.contestant.game;
        let name = game.rules.decisions.get(decision).map(|d| &d.name);
        if let (Some(true), Some(name)) = (self.added.get(decision), name)
            && !record.first_uses.contains_key(name)
            && !is_drawn(record)
        {
            let person = pos.person(self.machine.layout(), self.moves.mover()) as u8;
            let first = FirstUse { ply: record.plies, text: game.move_text(made), person };
            record.first_uses.insert(name.clone(), first);
        }
    }

    fn tell_decisions(&self, record: &mut GameRecord) {
        let names = self.contestant.game.rules.decisions.iter().map(|d| d.name.as_str()).chain(["pass"]);
        let all = names.zip(&self.uses).zip(&self.offered);
        let seen: Vec<_> = all.filter(|((_, uses), _)| uses[0] > 0).collect();
        record.decisions = seen.iter().map(|((name, uses), _)| ((*name).to_owned(), **uses)).collect();
        // A decision that is offered alone has all legal moves.
        if seen.len() > 1 {
            let offers = seen.iter().map(|((name, _), offered)| ((*name).to_owned(), (*offered).clone()));
            record.offers = offers.collect();
        }
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
        if let (1, 2.., Some(which), true) = (good, all, which, record.game < MAX_PUZZLE_GAMES) {
            let (game, kind) = (&self.contestant.game, PuzzleKind::OnlyDefence);
            let found = puzzle(game, &mut self.machine, kind, &moment.pos, &moment.moves, which);
            record.puzzles.push(Puzzle { game: record.game, ply: moment.ply, ..found });
        }
    }
}

/// Whether the next ply of a game is random for all agents.
fn is_drawn(record: &GameRecord) -> bool {
    matches!(record.series, Series::Level(_)) && record.plies < RANDOM_PLIES
}

/// A puzzle of a moment.
fn puzzle(
    game: &Game,
    machine: &mut Machine,
    kind: PuzzleKind,
    pos: &Position,
    moves: &Moves,
    solution: Move,
) -> Puzzle {
    Puzzle {
        kind,
        position: game.texts().write(machine, pos),
        player: game.player(moves.mover().index()).to_owned(),
        solution: game.move_text(solution),
        legal: moves.len() as u64,
        ..Puzzle::default()
    }
}
