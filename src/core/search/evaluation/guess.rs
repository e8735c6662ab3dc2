//! The first evaluation of a game that nobody has trained: better than none, from some thousand quick games.
//!
//! ```text
//! games of moves at random -> samples -> weights -> games by the weights -> more samples -> other weights -> ...
//! ```
//!
//! In these games one person plays by the newest weights and the others by the best until then. That tells which are
//! better, so that no round makes a guess worse. A game that lasts longer than games at random is ended at random:
//! weights that lead nowhere would play on for ever and learn nothing. Where nobody wins games at random, they count by
//! how near the ends were ([`Nearness`]).
//!
//! Whoever plays by weights draws some of the legal moves and makes the one after which the position is worth the
//! most: games of sense, and no two alike, at the cost of few positions for each ply. [`crate::training`] does the same
//! with a search in place of the draw.

use super::{Descent, Evaluation, MAX_SUM, Nearness, Sample, Samples, Shares, Terms, fit};
use crate::ids::Player;
use crate::play::{History, Machine, Move, Moves, Outcome, Position, Rng};
use crate::search::value::points;
use crate::search::{Limit, draw};

/// The plies of the games at random.
const RANDOM_PLIES: u64 = 40_000;

/// If nobody has won in so many of these plies, games that nobody wins count by how near the ends were.
const UNDECIDED_PLIES: u64 = 10_000;

/// How often games are played by the weights, and their plies each time.
const ROUNDS: usize = 5;
const PLIES: u64 = 20_000;

/// How many moves are tried for a ply: twice as many in each round, up to the most. Weights from bad games say little
/// of good ones, and whoever follows them too closely may never come to an end.
const FIRST_TRIES: usize = 2;
const MOST_TRIES: usize = 16;

/// The first plies of a game are at random, and one in so many of the others: games differ, and all is seen.
const OPENING: u32 = 3;
const STRAY: usize = 10;

/// The longest game.
const MAX_GAME_PLIES: u32 = 500;

/// One position in so many is a sample: neighbours say much the same.
const EVERY: usize = 4;

/// The rounds of a fit to all samples, and of how many of them the mean is taken.
const FITS: usize = 4;
const AVERAGED: usize = 2;

/// The seed of all games: a guess is always the same.
const SEED: u64 = 0x0067_7565_7373;

/// Where a game begins: a position of it, resolved, and the turn starts until then.
pub type Start = (Position, History);

/// Guesses the evaluation of a game.
///
/// Games begin with one of the starts: each is a position with the turn starts that led to it. Where the limit is
/// reached early, the games until then have to do; nodes are plies of games.
pub fn guess(machine: &mut Machine, starts: &[Start], limit: &Limit<'_>) -> Evaluation {
    let (terms, _, rows) = guessed(machine, starts, limit);
    Evaluation::new(&terms, &rows, &[])
}

/// The same as weights, with which of them are shared.
pub fn guessed(machine: &mut Machine, starts: &[Start], limit: &Limit<'_>) -> (Terms, Shares, Vec<Vec<f64>>) {
    learned(machine, starts, limit, SEED)
}

/// What games at random alone say; other games for each seed.
pub fn at_random(machine: &mut Machine, starts: &[Start], seed: u64) -> (Terms, Shares, Vec<Vec<f64>>) {
    learned(machine, starts, &Limit::nodes(RANDOM_PLIES), seed)
}

/// What is learned of games until the limit; the seed decides them.
fn learned(
    machine: &mut Machine,
    starts: &[Start],
    limit: &Limit<'_>,
    seed: u64,
) -> (Terms, Shares, Vec<Vec<f64>>) {
    let mut terms = Terms::new(machine.program());
    let mut weights = vec![vec![0.0; terms.len()]; terms.sides().sums()];
    let Some((first, _)) = starts.first() else { return (terms.clone(), Shares::none(&terms), weights) };
    let shares = Shares::find(machine, &terms, first);
    let (mut rng, mut samples) = (Rng::new(seed), Samples::default());
    let mut table = Table {
        machine,
        starts,
        limit,
        pos: first.clone(),
        history: History::new(),
        moves: Moves::new(),
        after: (first.clone(), Moves::new()),
        tries: 1,
        usual: u32::MAX,
        nearness: None,
    };
    let (mut plies, mut best, mut newest) = (0, None, None);
    for round in 0..=ROUNDS {
        let until = plies + if round == 0 { RANDOM_PLIES } else { PLIES };
        let (mut lead, mut number, mut decided) = (0.0, 0, false);
        table.tries = (FIRST_TRIES << round.saturating_sub(1)).min(MOST_TRIES);
        while plies < until && !limit.is_over(plies) {
            let by = [&best, &newest]
                .map(|one: &Option<Candidate>| one.as_ref().map(|(_, evaluation)| evaluation));
            let played = table.game(&terms, by, number, &mut samples, &mut rng);
            plies += u64::from(played.plies.max(1));
            lead += played.lead;
            number += 1;
            decided |= played.lead != 0.0;
            if round == 0 && plies >= UNDECIDED_PLIES && !decided && table.nearness.is_none() {
                table.nearness = Some(Nearness::new(table.machine.program()));
                samples = Samples::default();
            }
        }
        if lead > 0.0 {
            best = newest.take();
        }
        if round == ROUNDS || round > 0 && limit.is_over(plies) {
            break;
        }
        if round == 0 {
            table.usual = (plies / number.max(1) as u64) as u32;
            samples.scale(&mut terms, &shares);
        }
        let [steps, averaged] = [FITS, AVERAGED].map(|rounds| rounds * samples.len());
        fit(&samples, &terms, &shares, &mut weights, Descent { steps, averaged, standard: false }, &mut rng);
        newest = Some((weights.clone(), Evaluation::new(&terms, &weights, &[])));
        best = best.or_else(|| newest.clone());
    }
    (terms, shares, best.map_or(weights, |(weights, _)| weights))
}

/// Weights, and the evaluation that they make.
type Candidate = (Vec<Vec<f64>>, Evaluation);

/// A game that was played.
struct Played {
    plies: u32,
    /// The points of whoever played by the newest weights, less what the others got on average.
    lead: f64,
}

/// Where games are played.
struct Table<'a> {
    machine: &'a mut Machine,
    starts: &'a [Start],
    limit: &'a Limit<'a>,
    pos: Position,
    history: History,
    moves: Moves,
    /// A position in which a move is tried.
    after: (Position, Moves),
    /// How many moves are tried for a ply.
    tries: usize,
    /// How many plies games at random have: the others are ended at random after so many.
    usual: u32,
    /// What games count that nobody has won, where nobody ever wins.
    nearness: Option<Nearness>,
}

impl Table<'_> {
    /// Plays a game by the best evaluation and the newest, or at random without one, and adds its samples. From game to
    /// game another person plays by the newest.
    fn game(
        &mut self,
        terms: &Terms,
        by: [Option<&Evaluation>; 2],
        number: usize,
        samples: &mut Samples,
        rng: &mut Rng,
    ) -> Played {
        let program = self.machine.program().clone();
        let layout = &program.layout;
        let newest = number % layout.players;
        let (start, before) = &self.starts[rng.pick(self.starts.len())];
        self.pos.copy_from(start);
        self.history.copy_from(before);
        self.machine.moves(&self.pos, &mut self.moves);
        let mut seen: Vec<Sample> = Vec::new();
        let mut plies = 0;
        while plies < MAX_GAME_PLIES && !self.moves.is_empty() && !self.limit.is_over(0) {
            if !self.moves.is_chance() && rng.pick(EVERY) == 0 {
                let mut sample = Sample::default();
                sample.phase = terms.tell(self.machine, &self.pos, &self.moves, &mut sample.terms);
                seen.push(sample);
            }
            let person = self.pos.person(layout, self.moves.mover());
            let strays = plies < OPENING || plies >= self.usual || rng.pick(STRAY) == 0;
            let chosen =
                match by[usize::from(person == newest)].filter(|_| !strays && !self.moves.is_chance()) {
                    Some(evaluation) => self.choose(evaluation, person, rng),
                    None => draw(self.machine, &self.pos, &self.moves, rng),
                };
            let Some(number) = chosen else { break };
            self.machine.play(&mut self.pos, number, &mut self.history, &mut self.moves);
            plies += 1;
        }
        let outcome = self.machine.outcome(&self.pos);
        let undecided = outcome.is_none_or(|outcome| outcome == Outcome::Draw);
        let near = self.nearness.as_mut().filter(|_| undecided).map(|nearness| nearness.points(&self.pos));
        let points = |player: usize| match &near {
            Some(near) => near.get(player).map_or(0.0, |near| f64::from(*near)),
            None => points(outcome, player, program.sides()),
        };
        let results: Vec<f32> = terms.sides().firsts().map(|p| points(p) as f32).collect();
        seen.iter_mut().for_each(|sample| sample.results.clone_from(&results));
        // A game by weights that was cut says nothing. One at random still tells how large numbers are.
        if outcome.is_some() || by[0].is_none() || near.is_some() {
            samples.add(&seen);
        }
        let own = self.pos.person(layout, Player(newest as u8));
        let others: Vec<f64> =
            (0..layout.players).filter(|other| !program.together(*other, own)).map(points).collect();
        let lead = points(own) - others.iter().sum::<f64>() / others.len().max(1) as f64;
        Played { plies, lead }
    }

    /// The best of some moves that are drawn, for a person.
    fn choose(&mut self, evaluation: &Evaluation, person: usize, rng: &mut Rng) -> Option<Move> {
        let length = self.history.len();
        let mut best: Option<(i32, Move)> = None;
        for _ in 0..self.tries.min(self.moves.len()) {
            let number = draw(self.machine, &self.pos, &self.moves, rng)?;
            let (pos, moves) = &mut self.after;
            pos.copy_from(&self.pos);
            self.machine.play(pos, number, &mut self.history, moves);
            self.history.truncate(length);
            let player = pos.person(self.machine.layout(), Player(person as u8));
            let value = if moves.is_empty() {
                // Sure, so beyond all that is guessed.
                let points = points(self.machine.outcome(pos), player, self.machine.program().sides());
                ((2.0 * points - 1.0) * 2.0 * f64::from(MAX_SUM)) as i32
            } else {
                evaluation.value(self.machine, pos, moves, player)
            };
            if best.is_none_or(|(top, _)| value > top) {
                best = Some((value, number));
            }
        }
        best.map(|(_, number)| number)
    }
}
