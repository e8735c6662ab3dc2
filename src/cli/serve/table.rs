//! A game in progress: from the words that the page keeps to all that there is to see.

use std::time::Duration;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

use super::folder::Unsaved;
use super::kept::Known;
use super::library;
use super::words::Word;
use super::work::{Answer, App, Refusal};
use crate::cli::choices::{self, Choice};
use crate::cli::{agents, load, playing, text};
use crate::drawing::plan::{Plan, SitePlace};
use crate::drawing::{self, svg};
use crate::game::Game;
use crate::ids::{Player, Site};
use crate::notation::parts::{Choosing, Part};
use crate::notation::record::Lost;
use crate::play::{Outcome, Position, Rng};
use crate::session::{Reason, Session};
use crate::siteset::SiteSet;

/// The most plies of a game, and the most parts of a move.
const MAX_PLIES: usize = 5000;

/// How long the plies of a game may take to be made again. A ply has a bound of its own.
const MAX_TIME: Duration = Duration::from_secs(5);

/// A game in progress, as the page keeps it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Table {
    pub variant: String,
    #[serde(default)]
    pub setup: Option<String>,
    #[serde(default = "seed", deserialize_with = "exact")]
    pub seed: u64,
    /// The moves so far, as texts.
    #[serde(default, deserialize_with = "few")]
    pub moves: Vec<String>,
    /// The player who has resigned.
    #[serde(default)]
    pub resigned: Option<u8>,
    /// Whether that player did not resign but had no time left.
    #[serde(default)]
    pub late: bool,
    /// The parts that are chosen of the next move. A whole move is played.
    #[serde(default, deserialize_with = "few")]
    pub chosen: Vec<Word>,
    /// A move that somebody typed, to be played.
    #[serde(default)]
    pub typed: Option<String>,
    #[serde(default)]
    pub unsaved: Option<Unsaved>,
}

pub(super) fn seed() -> u64 {
    load::SEED
}

/// A seed as a number or as a text: numbers of a browser are not that exact.
fn exact<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    let seed = Value::deserialize(from)?;
    let number = seed.as_u64().or_else(|| seed.as_str()?.parse().ok());
    number.ok_or_else(|| D::Error::custom(format_args!("a seed is a whole number from 0 to {}", u64::MAX)))
}

/// A list, refused where it is too long before it waits for a worker.
fn few<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    let all = Vec::deserialize(from)?;
    if all.len() > MAX_PLIES {
        return Err(D::Error::custom(format_args!("a game here has at most {MAX_PLIES} plies")));
    }
    Ok(all)
}

/// Everything that the page shows of it.
#[derive(Serialize)]
pub(super) struct Seen {
    variant: String,
    title: String,
    summary: Option<String>,
    author: Option<String>,
    source: Option<String>,
    /// Another word for every game that differs in anything that is played.
    fingerprint: String,
    players: Vec<String>,
    /// All options: their values and the present one.
    options: Vec<Value>,
    setups: Vec<String>,
    /// Whether the seed makes a difference before the first move.
    deals: bool,
    /// Each with its text, how it is written right behind the ply before it, which player made it, the number of the
    /// person who decided, and whether it begins a turn.
    plies: Vec<Value>,
    /// The board.
    svg: String,
    sites: Vec<SiteSeen>,
    /// The state that the board does not show.
    state: Vec<drawing::Variable>,
    /// The meaning of the letters of pieces.
    legend: Option<String>,
    /// The position's text.
    position: String,
    scores: Vec<i32>,
    /// The player who is to move, as a number; none where nobody is.
    mover: Option<usize>,
    /// The person who decides: another one after sides were swapped.
    person: Option<usize>,
    /// The person who plays for each player.
    persons: Vec<usize>,
    /// The move that chance makes here, where chance is to decide.
    chance: Option<String>,
    /// The result, why, and the number of the winner, once the game is over.
    over: Option<Value>,
    /// The decision that is due, in words.
    prompt: String,
    /// The parts that are chosen of the next move, as the page sends them back.
    chosen: Vec<Word>,
    /// The sites that can be chosen next.
    targets: Vec<String>,
    /// The other choices.
    entries: Vec<Value>,
    /// How many moves are legal.
    legal: usize,
    /// The first move that is not legal, where there is one: the table is as before it.
    illegal: Option<Value>,
    /// Why the typed text is no move.
    mistyped: Option<String>,
}

#[derive(Serialize)]
struct SiteSeen {
    #[serde(flatten)]
    place: SitePlace,
    /// The piece that stands there, in words.
    says: String,
    /// Whose piece stands there.
    owner: Option<u8>,
    /// Whether the last move names it.
    last: bool,
    /// Whether the next player could take the piece, if the mover passed.
    threatened: bool,
}

/// A game brought to where it is; and the first move that is not legal.
fn session(known: &Known, table: &Table) -> Answer<(Session, Option<(usize, String)>)> {
    let game = known.game.clone();
    if let Some(player) = table.resigned.filter(|player| usize::from(*player) >= game.rules.players.len()) {
        return Err(Refusal::wrong(format!("there is no player {player}: players are counted from 0")));
    }
    let mut session = Session::new(game, table.setup.as_deref(), table.seed)
        .map_err(|error| Refusal::wrong(format!("the game cannot be set up: {error}")))?;
    let latest = agents::clock().saturating_add(MAX_TIME);
    for (ply, text) in table.moves.iter().enumerate() {
        if agents::clock() > latest {
            return Err(Refusal::wrong("the plies of this game take too long to be made again"));
        }
        match session.game().read_move(session.moves(), text) {
            Ok(m) => session.play(m),
            Err(error) => return Ok((session, Some((ply, error.to_string())))),
        }
    }
    if let Some(player) = table.resigned {
        session.lose(Player(player), if table.late { Lost::Late } else { Lost::Resigned });
    }
    Ok((session, None))
}

/// A game brought to where it is, where all its moves are legal.
pub(super) fn legal(known: &Known, table: &Table) -> Answer<Session> {
    match session(known, table)? {
        (_, Some((ply, why))) => Err(Refusal::wrong(format!("move {}: {why}", ply + 1))),
        (session, None) => Ok(session),
    }
}

/// The move that chance makes: the same after the same plies, so that nobody draws again by taking back.
pub(super) fn chance(session: &mut Session, seed: u64) -> Option<String> {
    let ply = session.played().len() as u64;
    let mut rng = Rng::new(seed ^ (ply + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let m = session.chance(&mut rng)?;
    Some(session.game().move_text(m))
}

/// Plays the chosen or typed move, and describes the table.
pub(super) fn see(app: &App, table: &Table) -> Answer<Seen> {
    let known = library::open(app, &table.variant, table.unsaved.as_ref())?;
    let (mut session, stopped) = session(&known, table)?;
    let illegal = stopped.map(|(ply, why)| json!({ "ply": ply, "text": table.moves[ply], "why": why }));
    let mut mistyped = None;
    if illegal.is_none()
        && let Some(text) = &table.typed
        && let Err(error) = session.play_text(text.trim())
    {
        mistyped = Some(error.to_string());
    }
    let mut choosing = session.choosing();
    if illegal.is_none() && table.typed.is_none() {
        for word in &table.chosen {
            let may = word.part(session.game()).is_some_and(|part| match part {
                Part::Site(site) => choices::choose(session.game(), &mut choosing, site),
                _ => choosing.choose(part),
            });
            if !may {
                choosing.clear();
                break;
            }
        }
        if let Some(m) = choosing.decided() {
            session.play(m);
            choosing = session.choosing();
        }
    }
    Ok(seen(table, session, &choosing, illegal, mistyped))
}

fn seen(
    table: &Table,
    mut session: Session,
    choosing: &Choosing,
    illegal: Option<Value>,
    mistyped: Option<String>,
) -> Seen {
    let game = session.game().clone();
    let chance = chance(&mut session, table.seed);
    let is_over = session.is_over();
    let decides = !is_over && chance.is_none();
    let (mut over, mut prompt) = (None, "chance decides".to_owned());
    if is_over {
        let (result, why) = (playing::result(&mut session), why(&mut session));
        prompt = why.clone().map_or(String::new(), |why| why + ". ") + &result;
        let winner = match session.outcome() {
            Some(Outcome::Win(player)) => Some(player.index()),
            _ => None,
        };
        over = Some(json!({ "result": result, "why": why, "winner": winner }));
    } else if decides {
        prompt = choices::prompt(&session, choosing);
    }
    let last = session.played().last().map_or(Vec::new(), |m| drawing::chosen(&game, *m));
    let targets = if decides { choices::targets(&game, choosing) } else { Vec::new() };
    let targets = targets.into_iter().map(|(site, _)| game.rules.board.name(site).to_owned()).collect();
    let entries = if decides { entries(&game, choosing) } else { Vec::new() };
    let mover = decides.then(|| session.moves().mover().index());
    let person = decides.then(|| session.person());
    let (players, layout) = (&game.rules.players, &game.program.layout);
    let numbers = || (0..).zip(players).map(|(number, name)| (Player(number), name));
    let persons = numbers().map(|(player, _)| session.person_of(player)).collect();
    let plies = session.written().iter().zip(session.plies());
    let plies = plies.map(|(ply, (pos, m))| {
        let by = numbers().find(|(_, name)| **name == ply.by);
        json!({
            "text": ply.text, "joined": game.joined_text(m), "by": ply.by,
            "person": by.map(|(player, _)| pos.person(layout, player)), "turn": pos.begins_turn(layout),
        })
    });
    let plies = plies.collect();
    let legal = session.moves().len();
    let scores = session.scores();
    let threatened = session.threatened();
    let (_, machine, pos) = session.parts();
    let def = &game.definition;
    Seen {
        variant: table.variant.clone(),
        title: def.title.clone(),
        summary: def.summary.clone(),
        author: def.author.clone(),
        source: def.source.clone(),
        fingerprint: game.fingerprint().to_string(),
        players: game.rules.players.clone(),
        options: load::all_options_json(&game),
        setups: def.setup.named.iter().map(|(n, _)| n.text.clone()).collect(),
        deals: game.program.layout.is_dealt(),
        svg: svg::board(&game, pos, &last),
        sites: sites(&game, pos, &last, threatened),
        state: drawing::state(&game, pos),
        legend: drawing::legend(&game),
        position: game.texts().write(machine, pos),
        plies,
        scores,
        mover,
        person,
        persons,
        chance,
        over,
        prompt,
        chosen: choosing.picked().map(|part| Word::of(&game, part)).collect(),
        targets,
        entries,
        legal,
        illegal,
        mistyped,
    }
}

/// Why the game is over, without the marks of a definition.
fn why(session: &mut Session) -> Option<String> {
    match session.reason()? {
        Reason::End(name) => {
            Some(text::plain(&format!("the game is over: {}", name.replace(['-', '_'], " "))))
        }
        _ => playing::why(session),
    }
}

/// The choices that are no sites: parts, and whole moves by their texts.
fn entries(game: &Game, choosing: &Choosing) -> Vec<Value> {
    let all = choices::entries(game, choosing).into_iter();
    all.map(|entry| match entry.what {
        Choice::Part(part) => json!({ "text": entry.text, "part": Word::of(game, part) }),
        Choice::Move(m) => json!({ "text": game.move_text(m), "part": null }),
    })
    .collect()
}

fn sites(game: &Game, pos: &Position, last: &[Site], threatened: SiteSet) -> Vec<SiteSeen> {
    let cells = drawing::cells(game, pos);
    let plan = Plan::of(&game.rules.board);
    let all = game.rules.board.sites().zip(plan.sites);
    all.map(|(site, place)| {
        let cell = cells.get(site.index()).unwrap_or(&drawing::Cell::Vacant);
        let owner = match cell {
            drawing::Cell::Pieces(pieces) => pieces.last().map(|(owner, _)| *owner),
            _ => None,
        };
        let says = svg::says(game, cell);
        let (last, threatened) = (last.contains(&site), threatened.contains(site.index()));
        SiteSeen { place, says, owner, last, threatened }
    })
    .collect()
}
