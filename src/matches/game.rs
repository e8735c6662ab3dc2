//! One game of a match.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Rules;
use super::schedule::Fixture;
use super::table::Table;
use crate::analysis::playout::outcome_name;
use crate::ids::Player;
use crate::notation::position::TextError;
use crate::notation::record::{End, Header, Lost, Ply, Record};
use crate::play::{Move, Outcome, Rng};
use crate::search::{Clock, Found, OnClocks, Seat, Situation, Thought, draw};
use crate::session::{Clocks, share};

/// The result of a game that was played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Played {
    /// Its number.
    pub game: u64,
    /// The agent of each player, by its number.
    pub seats: Vec<usize>,
    /// The winner: a player's name, `draw`, or `unfinished` where it was cut, which counts as a draw.
    pub result: String,
    /// The points of each player; together 1.
    pub points: Vec<f64>,
    /// Why it ended: the name of an end, `stuck`, or how else.
    pub end: Ending,
    /// Its points for each player in the match that the definition describes, if it does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub match_points: Vec<i32>,
    /// Its record, as `farrier replay` reads it.
    pub record: String,
}

/// Why a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// By the rules: the name of an end, or `stuck`.
    Rule(String),
    /// An agent gave up: which person, and why.
    Forfeit(usize, String),
    /// A person had no time left.
    Late(usize),
    /// By a proof of the result.
    Proof,
    /// After the most plies.
    Cut,
}

impl Ending {
    /// Who lost beside the rules, and why.
    pub fn lost(&self) -> Option<(usize, &str)> {
        match self {
            Ending::Forfeit(person, why) => Some((*person, why)),
            Ending::Late(person) => Some((*person, Lost::Late.said())),
            Ending::Rule(_) | Ending::Proof | Ending::Cut => None,
        }
    }
}

/// The most tries to find an opening that does not end the game.
const MAX_TRIES: u64 = 100;

/// Spreads a number over 64 bits, from a seed: splitmix64.
fn spread(seed: u64, number: u64) -> u64 {
    let mut bits = seed.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// Brings a table to the opening of a game; gives back the seed that it began with.
pub(super) fn open(table: &mut Table, rules: &Rules, opening: u64) -> Result<u64, TextError> {
    let seed = spread(rules.seed, opening);
    if !rules.openings.is_empty() {
        table.begin(rules.setup.as_deref(), seed)?;
        let line = &rules.openings[(opening % rules.openings.len() as u64) as usize];
        for word in line {
            // `Match::new` has played all openings; another deal may end one early.
            if table.play_text(word).is_err() {
                break;
            }
        }
        return Ok(seed);
    }
    let mut at = seed;
    for attempt in 0..MAX_TRIES {
        at = if attempt == 0 { seed } else { spread(seed, attempt) };
        table.begin(rules.setup.as_deref(), at)?;
        let mut rng = Rng::new(at);
        for _ in 0..rules.opening_plies {
            let Some(number) = draw(&mut table.machine, &table.pos, &table.moves, &mut rng) else { break };
            table.play(number);
        }
        if !table.moves.is_empty() {
            break;
        }
    }
    Ok(at)
}

/// The result that was claimed by proofs: the winner, or none for a draw.
type Claim = Option<usize>;

/// The clocks of a game, if it has some, and what tells the time.
type Times = Option<(Clocks, Clock)>;

/// Plays a game. None where it was stopped from outside.
pub(super) fn play(
    table: &mut Table,
    rules: &Rules,
    fixture: &Fixture,
    seats: &mut [Seat],
    clock: Option<Clock>,
    stop: &AtomicBool,
) -> Result<Option<Played>, TextError> {
    let begun = open(table, rules, fixture.opening)?;
    let seed = spread(rules.seed ^ 0x6761_6d65, fixture.number);
    let (mut chance, mut rng) = (Rng::new(seed), Rng::new(seed.rotate_left(32)));
    seats.iter_mut().for_each(Seat::forget);
    let players = table.game.rules.players.len();
    let mut claims: Vec<Option<Claim>> = vec![None; players];
    let mut times: Times =
        rules.clock.zip(clock).map(|(control, clock)| (Clocks::new(control, players), clock));
    // What each ply left on a clock, in milliseconds. The opening takes no time.
    let mut left: Vec<Option<u64>> = vec![None; table.played.len()];
    // How it ended before the rules ended it, and the outcome that was proved.
    let mut stopped: Option<(Ending, Option<Outcome>)> = None;
    while stopped.is_none() && !table.moves.is_empty() {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        if table.played.len() as u64 >= u64::from(rules.plies) {
            stopped = Some((Ending::Cut, None));
            break;
        }
        let Some(mover) = table.person() else {
            let Some(number) = draw(&mut table.machine, &table.pos, &table.moves, &mut chance) else { break };
            table.play(number);
            left.push(None);
            continue;
        };
        let agent = fixture.seats.get(mover).copied().unwrap_or_default();
        let Some(seat) = seats.get_mut(agent) else { break };
        match think(table, rules, seat, mover, &mut times, &mut rng) {
            Err(ending) => stopped = Some((ending, None)),
            Ok((number, proof)) => {
                table.play(number);
                left.push(times.as_mut().map(|(clocks, _)| {
                    let left = clocks.press(mover, table.pos.begins_turn(table.machine.layout()), None);
                    u64::try_from(left.as_millis()).unwrap_or(u64::MAX)
                }));
                claims[mover] = proof
                    .and_then(|value| claim(value, mover, players))
                    .filter(|_| !table.machine.program().has_places());
                let trusted = rules.agents.get(agent).is_some_and(|agent| agent.own);
                let agreed = |claim: &Claim| claims.iter().all(|other| other.as_ref() == Some(claim));
                let claim = claims[mover].filter(|claim| trusted || agreed(claim));
                stopped = claim
                    .filter(|_| !table.moves.is_empty())
                    .map(|claim| (Ending::Proof, Some(proved(table, claim))));
            }
        }
    }
    Ok(Some(finish(table, rules, fixture, begun, &left, stopped)))
}

/// Lets a person's agent choose a move, on the clocks if there are some: the move, and the value that was proved. An
/// error says how the game ended instead.
fn think(
    table: &mut Table,
    rules: &Rules,
    seat: &mut Seat,
    mover: usize,
    times: &mut Times,
    rng: &mut Rng,
) -> Result<(Move, Option<f64>), Ending> {
    let mut shown: Vec<Duration> = Vec::new();
    let mut limit = seat.limit();
    let began = times.as_ref().map(|(_, clock)| clock());
    if let Some((clocks, _)) = &*times {
        let players = 0..table.game.rules.players.len();
        shown.extend(players.map(|player| clocks.left(table.person_of(player), true)));
        let more = clocks.control().more;
        let plies = table.pos.plies_a_turn(table.machine.layout());
        limit = seat.limit_on_clock(share(clocks.left(mover, true), more, None, plies));
        limit.clocks = Some(OnClocks { left: &shown, more });
    }
    let mut proof = None;
    let mut tell = |found: &Found| {
        if found.rank <= 1 && (found.proved.is_some() || proof.is_some()) {
            proof = found.proved.map(|_| found.value);
        }
    };
    let mut thought = Thought::new(rng, limit);
    thought.tell = rules.adjudicate.then_some(&mut tell);
    let (machine, at) = table.ask();
    let chosen = seat.think(machine, at, &mut thought).and_then(|number| legal(at, number));
    let number = chosen.map_err(|forfeit| Ending::Forfeit(mover, forfeit.reason))?;
    if let Some(((clocks, clock), began)) = times.as_mut().zip(began) {
        clocks.pass(clock().saturating_sub(began));
        if clocks.left(mover, true).is_zero() {
            return Err(Ending::Late(mover));
        }
    }
    Ok((number, proof))
}

/// The outcome of a claim.
fn proved(table: &Table, claim: Claim) -> Outcome {
    let player = claim.map(|person| table.person_of(person)).and_then(|player| u8::try_from(player).ok());
    player.map_or(Outcome::Draw, |player| Outcome::Win(Player(player)))
}

/// The result of the game on the table, which the rules have ended if it was not stopped before.
fn finish(
    table: &mut Table,
    rules: &Rules,
    fixture: &Fixture,
    begun: u64,
    left: &[Option<u64>],
    stopped: Option<(Ending, Option<Outcome>)>,
) -> Played {
    let players = table.game.rules.players.len();
    let outcome = table.machine.outcome(&table.pos);
    let mut record = record(table, rules, outcome, begun, left);
    let (end, proved) = stopped
        .unwrap_or_else(|| (Ending::Rule(table.ended_by().unwrap_or_else(|| "stuck".to_owned())), None));
    let won = proved.or(outcome);
    let (points, result) = match end.lost() {
        Some((loser, _)) => {
            let program = table.machine.program();
            let share = 1.0 / (program.sides().max(2) - 1) as f64;
            let points = |player| if program.together(player, loser) { 0.0 } else { share };
            let (game, player) = (&table.game, table.person_of(loser));
            let result = game.outcome_name(Some(game.resigned(player)));
            let how = if end == Ending::Late(loser) { Lost::Late } else { Lost::Resigned };
            let reason = Some(how.reason().to_owned());
            let told = End { result: result.clone(), reason, ..record.end.take().unwrap_or_default() };
            record.end = Some(told.with_lost(game.player(player), how));
            let result = if players == 2 { result } else { "forfeit".to_owned() };
            ((0..players).map(points).collect(), result)
        }
        None => {
            let sides = table.machine.program().sides();
            let player = |person: usize| Player(table.person_of(person) as u8);
            let points = |person| won.unwrap_or(Outcome::Draw).points(player(person), sides);
            ((0..players).map(points).collect(), outcome_name(&table.game, won))
        }
    };
    Played {
        game: fixture.number,
        seats: fixture.seats.clone(),
        result,
        points,
        match_points: table.machine.match_points(&table.pos).unwrap_or_default(),
        record: with_match(rules, fixture, &end, &record),
        end,
    }
}

/// The move, if it is legal: an agent that gives another one has a mistake.
fn legal(at: Situation<'_>, number: Move) -> Result<Move, crate::search::Forfeit> {
    match at.moves.contains(number) {
        true => Ok(number),
        false => Err(crate::search::Forfeit { reason: "its move is not legal".to_owned() }),
    }
}

/// The result that a person claims by the proof of a value: which person wins, or nobody.
fn claim(value: f64, mover: usize, players: usize) -> Option<Claim> {
    match value {
        v if v >= 1.0 => Some(Some(mover)),
        v if v <= 0.0 && players == 2 => Some(Some(1 - mover.min(1))),
        0.5 if players == 2 => Some(None),
        _ => None,
    }
}

/// The record of the game on the table: its start, its plies with what each left on a clock, and its end by the rules.
fn record(
    table: &mut Table,
    rules: &Rules,
    outcome: Option<Outcome>,
    seed: u64,
    left: &[Option<u64>],
) -> Record {
    let game = table.game.clone();
    let scores = game.score_map(&mut table.machine, &table.pos);
    let end = End { result: outcome_name(&game, outcome), scores, ..End::default() };
    let dealt = game.program.layout.is_dealt();
    let header = Header {
        setup: rules.setup.clone(),
        seed: (dealt && rules.setup.is_none()).then_some(seed),
        clock: rules.clock.map(|control| control.to_string()),
        ..game.header()
    };
    // The legal moves are found by playing again: a game costs nothing beside its agents' thought.
    let mut plies = Vec::new();
    let played = std::mem::take(&mut table.played);
    if table.begin(rules.setup.as_deref(), seed).is_ok() {
        for (number, clock) in played.iter().zip(left) {
            let by = table.mover().map_or("chance", |mover| game.player(mover)).to_owned();
            plies.push(Ply {
                ply: table.pos.ply(&game.program.layout) + 1,
                by,
                legal: table.moves.len() as u64,
                text: game.move_text(*number),
                clock: *clock,
            });
            table.play(*number);
        }
    }
    Record { header, plies, end: Some(end) }
}

/// The text of a record, with the facts of the match in its first line.
fn with_match(rules: &Rules, fixture: &Fixture, end: &Ending, record: &Record) -> String {
    let text = record.write();
    let Some((first, rest)) = text.split_once('\n') else { return text };
    let Ok(serde_json::Value::Object(mut header)) = serde_json::from_str(first) else { return text };
    let names = fixture.seats.iter().map(|seat| rules.agents.get(*seat).map(|agent| agent.name.clone()));
    header.insert("number".to_owned(), fixture.number.into());
    header.insert("agents".to_owned(), names.map(Option::unwrap_or_default).collect());
    header.insert("end".to_owned(), serde_json::to_value(end).unwrap_or_default());
    format!("{}\n{rest}", serde_json::Value::Object(header))
}
