//! `farrier train`

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use super::agents::{agent, clock, making};
use super::files::{Disk, draft};
use super::load::{self, ChoiceArgs};
use super::{Done, Exit, Format, Stop, screen, text};
use crate::definition::weights_of;
use crate::game::Game;
use crate::matches::standings::{Row, Standings};
use crate::matches::{Match, Rules};
use crate::search::evaluation::{Evaluation, Weights};
use crate::search::{AgentSpec, Budget, CHOICE, Making};
use crate::source::{FileError, Files};
use crate::training::{Contest, Duel, Gauge, Plan};
use crate::wording::grouped;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// A shipped game's name, or the path of a definition
    game: String,
    /// How long to learn
    #[arg(long, value_name = "N", default_value_t = 5.0, value_parser = minutes)]
    minutes: f64,
    /// Where the weights go: agents find them beside the definition [default: GAME.weights.toml there]
    #[arg(long, value_name = "FILE")]
    out: Option<String>,
    /// Begin with weights that were learned before: of this game or of another variant [default: those beside the
    /// definition, those that come with Farrier, else those of quick games]
    #[arg(long, value_name = "FILE")]
    from: Option<String>,
    /// Begin with those of quick games, even where there are weights
    #[arg(long, conflicts_with = "from")]
    afresh: bool,
    /// Positions looked at for each move
    #[arg(long, value_name = "N", default_value_t = Plan::default().nodes, value_parser = load::within::<u64>(1..=10_000_000))]
    nodes: u64,
    /// Games between two fits
    #[arg(long, value_name = "N", default_value_t = Plan::default().games, value_parser = load::within::<u64>(2..=1_000_000))]
    games: u64,
    /// Pairs of games at the end that say what was gained, and whether a last fit and a network are of use (0: neither)
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = load::within::<u64>(0..=1_000_000))]
    gauge: u64,
    /// Games of each pair of agents at the end, and three times as many of the best two, that say which `auto` is (0:
    /// none); of two players only
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = load::within::<u64>(0..=1_000_000))]
    trials: u64,
    /// What each choice of these games costs
    #[arg(long, value_name = "BUDGET", default_value = "50ms", value_parser = budget)]
    think: Budget,
    /// The seed of all games
    #[arg(long, value_name = "N", default_value_t = load::SEED, value_parser = load::whole)]
    seed: u64,
    #[command(flatten)]
    choices: ChoiceArgs,
}

fn minutes(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(minutes) if (0.0..=100_000.0).contains(&minutes) => Ok(minutes),
        _ => Err("a number of minutes from 0 to 100000 is expected".to_owned()),
    }
}

fn budget(text: &str) -> Result<Budget, String> {
    Budget::parse(text).ok_or_else(|| "a time as 50ms, or nodes as 5k, is expected".to_owned())
}

/// The longest file of weights that is read.
const MAX_WEIGHTS_BYTES: usize = 16 << 20;

/// Reads weights.
pub(super) fn read(path: &str) -> Result<Weights, Stop> {
    let found = Disk.read(path).map_err(|error| match error {
        FileError::Missing => {
            Stop::advised(format!("there is no file `{path}`"), "`farrier train` writes one")
        }
        FileError::Unreadable(why) => {
            Stop::advised(format!("`{path}` cannot be read: {why}"), "weights are a text")
        }
    })?;
    if found.len() > MAX_WEIGHTS_BYTES {
        return Err(Stop::advised(
            format!("`{path}` is too long for weights"),
            "`farrier train` writes weights",
        ));
    }
    Weights::read(&found).map_err(|error| {
        let line = 1 + found.get(..error.at.start).unwrap_or("").matches('\n').count();
        Stop::advised(format!("`{path}`, line {line}: {error}"), "`farrier train` writes weights")
    })
}

/// Learns until the time is over, writing the weights after each round.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    let game = load::load(&args.game, &args.choices.choices())?.game;
    let known = match &args.from {
        Some(path) => Some(read(path)?),
        None if args.afresh => None,
        None => game.weights(),
    };
    let own = weights_of(&args.game).unwrap_or_else(|| format!("{}.weights.toml", args.game));
    let path = args.out.clone().unwrap_or_else(|| own.clone());
    // A run that goes on from a file may write it again.
    let goes_on = match &args.from {
        Some(from) => *from == path,
        None => known.is_some() && game.definition.weights.is_some() && path == own,
    };
    if !goes_on && std::fs::exists(&path).unwrap_or(true) {
        return Err(Stop::advised(
            format!("`{path}` is there already"),
            format!("go on from it with `--from {path} --out {path}`, or name another file with `--out`"),
        ));
    }
    let plan = Plan { seed: args.seed, games: args.games, nodes: args.nodes, ..Plan::default() };
    let mut contest = Contest::new(game.clone(), plan, known.as_ref())
        .map_err(|error| Stop::Input(format!("the game cannot be set up: {}", error.message), error.help))?;
    let whole = Duration::from_secs_f64(args.minutes * 60.0);
    let until = clock().saturating_add(whole);
    let go_on = || if clock() < until { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    let mut rounds = 0;
    while let ControlFlow::Continue((start, round)) = contest.round(&go_on) {
        rounds += 1;
        let left = until.saturating_sub(clock());
        let minutes = left.as_secs() / 60;
        let more = match round.awaited {
            0 => String::new(),
            awaited => format!(", again after {} more", grouped(&awaited.to_string())),
        };
        let fitted = text::many(round.samples as u64, "position");
        screen::note(&format!(
            "start {start}, round {}: {}, {} undecided; fitted to {fitted}{more}; {minutes}:{:02} left",
            round.number,
            text::many(args.games, "game"),
            round.undecided,
            left.as_secs() % 60
        ));
        let share = 1.0 - left.as_secs_f64() / whole.as_secs_f64();
        for Duel { winner, loser, gauge } in contest.settle(share, &go_on) {
            screen::note(&format!("start {winner} goes on, against start {loser}: {}", told(gauge)));
        }
        let mut weights = contest.best().weights();
        weights.made = made(args, known.is_some());
        draft::write(&path, weights.write().into_bytes())?;
    }
    let trainer = contest.best();
    if rounds == 0 && args.minutes > 0.0 {
        return Err(Stop::advised(
            "the time was too short for one round of games: nothing was learned",
            "give it more `--minutes` or fewer `--games`",
        ));
    }
    let gauges = match rounds {
        0 => [Gauge::default(); 3],
        _ => {
            let whole = || ControlFlow::Continue(());
            let refit = trainer.refit(args.gauge, &whole);
            [refit, trainer.judge(args.gauge, &whole), trainer.gauge(args.gauge, &whole)]
        }
    };
    // Who trains to get better does not lose what there was.
    if let Some(known) = known.as_ref().filter(|_| is_worse(gauges[2])) {
        draft::write(&path, known.write().into_bytes())?;
        tell(&path, rounds, gauges, [&[], &[]], false, format, out)?;
        return Ok(Exit::Fine);
    }
    let trials = if game.rules.players.len() == 2 { args.trials } else { 0 };
    let among = |names: &[&'static str], games, seed| {
        trials_of(game.clone(), trainer.evaluation(), names, games, args.think, seed)
    };
    // A few games of each pair tell the weak from the strong, not the best from the second.
    let scores = among(&CHOICE, trials, args.seed)?;
    let last = among(&leading(&scores), 3 * trials, args.seed.wrapping_add(1))?;
    let mut weights = trainer.weights();
    let made = made(args, known.is_some());
    let known = known.unwrap_or_default();
    weights.made = if rounds == 0 { known.made } else { made };
    weights.agent = leading(&last).first().map_or(known.agent, |name| (*name).to_owned());
    draft::write(&path, weights.write().into_bytes())?;
    tell(&path, rounds, gauges, [&scores, &last], true, format, out)?;
    Ok(Exit::Fine)
}

/// What kinds of agents scored, as a share of their points.
type Scores = [(&'static str, f64)];

/// The score of each of some kinds of agents, in so many games of each pair.
fn trials_of(
    game: Game,
    evaluation: Arc<Evaluation>,
    names: &[&'static str],
    games: u64,
    think: Budget,
    seed: u64,
) -> Result<Vec<(&'static str, f64)>, Stop> {
    if games == 0 {
        return Ok(Vec::new());
    }
    let agents: Result<Vec<AgentSpec>, String> =
        names.iter().map(|name| agent(&format!("{name}:{think}"))).collect();
    let agents = agents.map_err(Stop::input)?;
    let rules = Rules { seed, ..Rules::new(agents) };
    let found = Match::new(game, rules, games).map_err(super::matches::stop)?;
    let mut standings = Standings::new(found.schedule(), names.len());
    let making = Making { evaluation: Some(evaluation), ..making() };
    let mut taker = |played| -> Result<bool, Stop> {
        standings.add(played);
        Ok(true)
    };
    found.run(&BTreeSet::new(), 1, &making, &mut taker).map_err(super::matches::stop)?;
    let score = |row: &Row| row.score().map_or(0.0, |score| score.value);
    Ok(names.iter().copied().zip(standings.rows().iter().map(score)).collect())
}

/// The two agents of the highest scores, the best first; of equal ones the first.
fn leading(scores: &Scores) -> Vec<&'static str> {
    let mut scores = scores.to_vec();
    scores.sort_by(|a, b| b.1.total_cmp(&a.1));
    scores.iter().take(2).map(|(name, _)| *name).collect()
}

/// The command that makes the same. Where no weights were known it says so, for now there are some.
fn made(args: &Args, known: bool) -> String {
    let from = match (&args.from, known) {
        (Some(path), _) => format!(" --from {path}"),
        (None, false) => " --afresh".to_owned(),
        (None, true) => String::new(),
    };
    let choices = args.choices.words();
    format!(
        "farrier train {}{choices} --minutes {} --nodes {} --games {} --seed {}{from}",
        args.game, args.minutes, args.nodes, args.games, args.seed
    )
}

/// Games as a score and its spread, both as shares of all points.
fn score_of(Gauge { wins, draws, losses }: Gauge) -> (f64, f64) {
    let games = (wins + draws + losses).max(1) as f64;
    let score = (wins as f64 + draws as f64 / 2.0) / games;
    (score, 1.96 * (score * (1.0 - score) / games).sqrt())
}

/// The same in words.
fn told(gauge: Gauge) -> String {
    let (Gauge { wins, draws, losses }, (score, spread)) = (gauge, score_of(gauge));
    format!("{wins} won, {draws} drawn, {losses} lost: {:.1} % (+-{:.1})", 100.0 * score, 100.0 * spread)
}

/// Whether the learned weights lost for certain against those that they began with.
fn is_worse(gauge: Gauge) -> bool {
    let (score, spread) = score_of(gauge);
    gauge != Gauge::default() && score + spread < 0.5
}

fn tell(
    path: &str,
    rounds: u64,
    [refit, network, gauge]: [Gauge; 3],
    [scores, last]: [&Scores; 2],
    kept: bool,
    format: Format,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let Gauge { wins, draws, losses } = gauge;
    if format == Format::Json {
        let counts = |g: Gauge| serde_json::json!({ "wins": g.wins, "draws": g.draws, "losses": g.losses });
        let named = |scores: &Scores| {
            scores.iter().map(|(name, score)| ((*name).to_owned(), *score)).collect::<BTreeMap<_, _>>()
        };
        let found = serde_json::json!({
            "weights": path, "rounds": rounds, "wins": wins, "draws": draws, "losses": losses,
            "score": (wins + draws + losses > 0).then(|| score_of(gauge).0),
            "kept": kept,
            "refit": counts(refit), "network": counts(network),
            "agents": named(scores), "best_two": named(last),
        });
        return writeln!(out, "{found}");
    }
    writeln!(out, "{} learned in {}", text::plain(path), text::many(rounds, "round"))?;
    for (what, games) in [("fitted once more", refit), ("with a network", network)] {
        if games != Gauge::default() {
            let kept = if games.wins > games.losses { "kept" } else { "left out" };
            writeln!(out, "{what} against without: {}; it is {kept}", told(games))?;
        }
    }
    if gauge != Gauge::default() {
        writeln!(out, "against what it began with: {}", told(gauge))?;
    }
    if !kept {
        writeln!(
            out,
            "that is worse: the file has what it began with; learn longer, with more `--games` in a round"
        )?;
    }
    if let Some(best) = leading(last).first() {
        let told = |scores: &Scores| {
            let each = scores.iter().map(|(name, score)| format!("{name} {:.0} %", 100.0 * score));
            each.collect::<Vec<_>>().join(", ")
        };
        let (all, two) = (told(scores), told(last));
        writeln!(out, "agents among themselves: {all}; the best two: {two}; `auto` is {best}")?;
    }
    Ok(())
}
