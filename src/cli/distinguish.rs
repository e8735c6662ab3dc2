//! `farrier distinguish`

use std::io::{self, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::files::Disk;
use super::load::{self, Loaded, SEED};
use super::{Done, Exit, Format, Stop, draw, playing, text};
use crate::analysis::playout::option_json;
use crate::definition::OptionValue;
use crate::distinguish::{
    self, Difference, Failure, FilePlace, Progress, Report, Said, Search, Side, View, What,
};
use crate::variant::Variant;

#[derive(clap::Args, Debug)]
#[command(
    after_help = "A variant is one word: GAME, then +OPTION, ~OPTION or :OPTION=VALUE for each option that \
                  is not at its default; an extension is +FILE.\n\nExit codes: 0 no difference was found, 1 \
                  there is one (or the input is wrong), 2 wrong usage."
)]
pub(super) struct Args {
    /// A game, with its options: ./mine.toml+wide:size=7
    #[arg(value_name = "A", value_parser = variant)]
    a: Variant,
    /// The game to compare it with
    #[arg(value_name = "B", value_parser = variant)]
    b: Variant,
    /// How many pairs of positions to compare breadth-first; depths that are finished are proved. At most as
    /// many again are compared to make a line of a random game short
    #[arg(long, value_name = "N", default_value_t = Search::default().positions, value_parser = load::whole)]
    positions: u64,
    /// How many random games to play after that
    #[arg(long, value_name = "N", default_value_t = Search::default().games, value_parser = load::whole)]
    games: u64,
    /// The longest line, in plies
    #[arg(long, value_name = "N", default_value_t = Search::default().depth, value_parser = load::within::<u32>(0..=u64::from(u32::MAX)))]
    depth: u32,
    /// The seed of what is dealt and of the random games
    #[arg(long, value_name = "N", default_value_t = SEED, value_parser = load::whole)]
    seed: u64,
    /// How many threads to use [default: as many as there are processors]; the answer is the same
    #[arg(long, value_name = "N", value_parser = load::within::<u16>(1..=256))]
    threads: Option<u16>,
    /// Begin both with a set-up (its name or text) or with a position (its text)
    #[arg(long, value_name = "TEXT")]
    setup: Option<String>,
    /// A word in A's moves and what B says for it: with `N=S`, A's `e7e8N` is B's `e7e8S`
    ///
    /// Words are what a decision's `text` is made of: the name of a site, the letter of a kind, a number, or
    /// what stands between these. The names of players are words too: `white=black,black=white` takes A's
    /// white for B's black. All replacements are made at once.
    #[arg(long, value_name = "A=B", value_delimiter = ',', value_parser = renamed)]
    map: Vec<(String, String)>,
}

/// How many moves of one decision are told.
const MAX_TOLD_MOVES: usize = 40;

fn variant(text: &str) -> Result<Variant, String> {
    Variant::parse(text).map_err(|error| error.message)
}

fn renamed(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((from, to)) if !from.is_empty() => Ok((from.to_owned(), to.to_owned())),
        _ => Err("a word and what it becomes are written A=B".to_owned()),
    }
}

/// Both variants, loaded.
struct Both<'a> {
    args: &'a Args,
    a: Loaded,
    b: Loaded,
}

/// Compares two variants.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    let load = |variant: &Variant| load::load(&variant.game, &variant.choices);
    let both = Both { args, a: load(&args.a)?, b: load(&args.b)? };
    let pool = load::pool(args.threads.unwrap_or(0))?;
    let bar = ProgressBar::new_spinner().with_style(ProgressStyle::default_spinner());
    bar.enable_steady_tick(Duration::from_millis(200));
    let a = Side { variant: &args.a, game: &both.a.game, sources: &both.a.sources };
    let b = Side { variant: &args.b, game: &both.b.game, sources: &both.b.sources };
    let search = Search {
        positions: args.positions,
        games: args.games,
        depth: args.depth,
        seed: args.seed,
        setup: args.setup.clone(),
        map: args.map.clone(),
    };
    let show = |at| {
        bar.set_message(told(at));
        true
    };
    let report = pool.install(|| distinguish::distinguish(&a, &b, &Disk, &search, &show));
    bar.finish_and_clear();
    let report = report.map_err(|failure| stopped(&both, failure))?;
    match format {
        Format::Json => writeln!(out, "{}", as_json(&both, &report))?,
        Format::Text => tell(&both, &report, out)?,
    }
    Ok(if report.difference.is_some() { Exit::Wrong } else { Exit::Fine })
}

fn told(at: Progress) -> String {
    match at {
        Progress::Breadth { depth, positions } => {
            format!("depth {depth}, {} compared", text::many(positions, "position"))
        }
        Progress::Probe { games, plies } => {
            format!("{}, {}", text::many(games, "random game"), text::many(plies, "ply"))
        }
        Progress::Cause => "a difference was found; looking for its cause".to_owned(),
    }
}

fn stopped(both: &Both<'_>, failure: Failure) -> Stop {
    match failure {
        Failure::Program(error) => error.into(),
        Failure::Setup(name, error) => {
            let game = if name == both.args.a.text { &both.a.game } else { &both.b.game };
            match load::setup_error(game, both.args.setup.as_deref(), error) {
                Stop::Input(message, help) => Stop::Input(format!("{name}: {message}"), help),
                other => other,
            }
        }
        Failure::NoWord(word, near) => Stop::Input(
            format!("`--map` names nothing: no move or player of {} has the word `{word}`", both.args.a.text),
            near.map(|near| format!("did you mean `{near}`?")),
        ),
        Failure::Map(word) => Stop::Usage(format!("`--map` says twice what `{word}` becomes")),
    }
}

fn tell(both: &Both<'_>, report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let (a, b) = (text::plain(&both.args.a.text), text::plain(&both.args.b.text));
    writeln!(out, "A  {a}\nB  {b}\n")?;
    let Some(found) = &report.difference else {
        return alike(both, report, out);
    };
    match found.line.len() {
        0 => writeln!(out, "They differ at the start.")?,
        n => {
            let from = from(both);
            let proof = match (found.shortest, report.depth) {
                (true, _) => format!("no shorter line{from} tells them apart"),
                (false, depth) => {
                    let tried = text::many(u64::from(depth.unwrap_or(0)), "ply");
                    format!("a shorter line may exist: all of at most {tried}{from} were tried")
                }
            };
            writeln!(out, "They differ after {} ({proof}):", text::many(n as u64, "ply"))?;
            let line =
                |line: &[String]| text::wrapped(line.iter().map(|m| text::plain(m)), "  ", draw::WIDTH);
            writeln!(out, "{}", line(&found.line))?;
            if found.line != found.line_b {
                writeln!(out, "in B's words\n{}", line(&found.line_b))?;
            }
        }
    }
    if both.a.game.program.layout.is_dealt() {
        writeln!(out, "(dealt by --seed {})", found.seed)?;
    }
    writeln!(out)?;
    boards(both, found, out)?;
    what(found, out)?;
    cause(found, out)
}

fn alike(both: &Both<'_>, report: &Report, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "No difference was found.")?;
    if report.same {
        writeln!(out, "  proved    both mean the same program: no line of play tells them apart")?;
    }
    let from = from(both);
    let positions = text::many(report.positions, "pair") + " of positions";
    match report.depth {
        _ if report.complete => writeln!(out, "  proved    all lines of play{from} ({positions})")?,
        Some(depth) => {
            let depth = text::many(u64::from(depth), "ply");
            writeln!(out, "  proved    all lines of at most {depth}{from} ({positions} compared)")?;
        }
        None => {}
    }
    if report.games > 0 {
        let games = text::many(report.games, "random game");
        writeln!(
            out,
            "  probed    {games}, {} in all, {} played to the end",
            text::many(report.plies, "ply"),
            text::count(report.ended)
        )?;
    }
    Ok(())
}

/// The start from which all lines of a depth were tried.
fn from(both: &Both<'_>) -> String {
    match (&both.args.setup, both.a.game.program.layout.is_dealt()) {
        (Some(_), _) => " from this set-up".to_owned(),
        (None, true) => format!(" from what seed {} deals", both.args.seed),
        (None, false) => String::new(),
    }
}

/// Both boards, beside each other where there is room.
fn boards(both: &Both<'_>, found: &Difference, out: &mut dyn Write) -> io::Result<()> {
    let drawn = |loaded: &Loaded, view: &View, name: &str| -> Vec<String> {
        let board = draw::board(&loaded.game, &view.position);
        let mut lines: Vec<String> = vec![name.to_owned()];
        lines.extend(board.lines().map(str::to_owned));
        lines.extend(draw::state(&loaded.game, &view.position));
        lines
    };
    let (a, b) = (drawn(&both.a, &found.a, "A"), drawn(&both.b, &found.b, "B"));
    let wide = a.iter().map(|l| l.chars().count()).max().unwrap_or(0);
    let other = b.iter().map(|l| l.chars().count()).max().unwrap_or(0);
    if wide + 4 + other > draw::WIDTH {
        a.iter().chain([&String::new()]).chain(&b).try_for_each(|line| writeln!(out, "{line}"))?;
        return writeln!(out);
    }
    for i in 0..a.len().max(b.len()) {
        let (left, right) = (a.get(i).map_or("", String::as_str), b.get(i).map_or("", String::as_str));
        writeln!(out, "{}", format!("{left:wide$}    {right}").trim_end())?;
    }
    writeln!(out)
}

fn what(found: &Difference, out: &mut dyn Write) -> io::Result<()> {
    let sums =
        |list: &[(String, i32)]| list.iter().map(|(p, n)| format!("{p} {n}")).collect::<Vec<_>>().join(", ");
    for (name, view) in [("A", &found.a), ("B", &found.b)] {
        let who = view.mover.as_deref().unwrap_or("nobody");
        let line = match found.what {
            What::Over | What::Result => match view.result.as_deref() {
                Some("draw") => "the game is over: a draw".to_owned(),
                Some(result) => format!("the game is over: {}", playing::won(result)),
                None => {
                    format!("the game goes on: {who} has {}", text::many(view.legal as u64, "legal move"))
                }
            },
            What::Scores => format!("the score is {}", sums(&view.scores)),
            What::Points => format!("the match counts {}", sums(&view.points)),
            What::Mover => format!("{who} decides"),
            What::Odds => "the moves of chance have other odds".to_owned(),
            What::Moves if view.only.is_empty() => {
                format!("{who} has no move that {} does not have", if name == "A" { "B" } else { "A" })
            }
            What::Moves => {
                let count: usize = view.only.iter().map(|(_, list)| list.len()).sum();
                let common = view.legal.saturating_sub(count);
                format!(
                    "only {name} lets {who} play {} ({common} in common)",
                    text::many(count as u64, "move")
                )
            }
        };
        writeln!(out, "{name}  {}", text::plain(&line))?;
        if matches!(found.what, What::Moves | What::Mover) {
            only(view, out)?;
        }
    }
    writeln!(out)
}

/// The moves that only one offers.
fn only(view: &View, out: &mut dyn Write) -> io::Result<()> {
    for (decision, moves) in &view.only {
        let mut words: Vec<String> = moves.iter().take(MAX_TOLD_MOVES).map(|m| text::plain(m)).collect();
        if moves.len() > MAX_TOLD_MOVES {
            words.push(format!("and {} more", moves.len() - MAX_TOLD_MOVES));
        }
        words.insert(0, format!("{}:", text::plain(decision)));
        writeln!(out, "{}", text::wrapped(&words, "     ", draw::WIDTH))?;
    }
    Ok(())
}

fn cause(found: &Difference, out: &mut dyn Write) -> io::Result<()> {
    let cause = &found.cause;
    let differing = text::many(cause.differing as u64, "different key");
    if cause.keys.is_empty() && cause.options.is_empty() {
        return writeln!(out, "The rule responsible was not found among {differing}.");
    }
    match cause.proved {
        true if cause.differing == cause.keys.len() => writeln!(out, "The rule responsible:")?,
        true => writeln!(out, "The rule responsible (of {differing}):")?,
        false => writeln!(out, "Rules that may be responsible (of {differing}):")?,
    }
    let value = |v: &Option<OptionValue>| v.as_ref().map_or("not there".to_owned(), ToString::to_string);
    for option in &cause.options {
        let with = match (cause.options.len(), option.alone) {
            (1, _) => "",
            (_, true) => ", which by itself makes a difference",
            (_, false) => ", together with the others",
        };
        let name = text::plain(&option.name);
        writeln!(out, "  option {name}: {} in A, {} in B{with}", value(&option.a), value(&option.b))?;
    }
    for key in &cause.keys {
        writeln!(out, "  {}", text::plain(&key.key))?;
        for (name, said, other) in [("A", &key.a, &key.b), ("B", &key.b, &key.a)] {
            match said {
                Some(said) => {
                    writeln!(out, "    {name}  {}", places(said))?;
                    writeln!(out, "       {}", text::plain(&marked(said, other.as_ref())))?;
                }
                None => writeln!(out, "    {name}  does not have it")?,
            }
        }
    }
    Ok(())
}

fn places(said: &Said) -> String {
    text::plain(&said.places.iter().map(FilePlace::to_string).collect::<Vec<_>>().join(", "))
}

/// A text with the words that another lacks in brackets, long ends left out.
fn marked(said: &Said, other: Option<&Said>) -> String {
    const MAX_CONTEXT_WORDS: usize = 8;
    let words: Vec<&str> = said.text.split(' ').collect();
    let Some(other) = other.map(|o| o.text.split(' ').collect::<Vec<_>>()) else { return cut(&said.text) };
    let before = words.iter().zip(&other).take_while(|(x, y)| x == y).count();
    let room = words.len().min(other.len()) - before;
    let after = words.iter().rev().zip(other.iter().rev()).take(room).take_while(|(x, y)| x == y).count();
    if before == words.len() && before == other.len() {
        return cut(&said.text);
    }
    let middle = &words[before..words.len() - after];
    let (head, tail) =
        (&words[before.saturating_sub(MAX_CONTEXT_WORDS)..before], &words[words.len() - after..]);
    let tail = &tail[..tail.len().min(MAX_CONTEXT_WORDS)];
    let dots = |cut: bool| if cut { "..." } else { "" };
    let (head, middle, tail) = (head.join(" "), format!("[{}]", cut(&middle.join(" "))), tail.join(" "));
    let parts = [dots(before > MAX_CONTEXT_WORDS), &head, &middle, &tail, dots(after > MAX_CONTEXT_WORDS)];
    parts.into_iter().filter(|p| !p.is_empty()).collect::<Vec<_>>().join(" ")
}

fn cut(text: &str) -> String {
    text::cut(text, 300)
}

fn object<T: Serialize>(list: &[(String, T)]) -> Map<String, Value> {
    list.iter().map(|(key, value)| (key.clone(), json!(value))).collect()
}

fn as_json(both: &Both<'_>, report: &Report) -> Value {
    let mut out = json!({
        "a": both.args.a.text,
        "b": both.args.b.text,
        "different": report.difference.is_some(),
        "same_program": report.same,
        "proved_depth": report.depth,
        "complete": report.complete,
        "positions": report.positions,
        "games": report.games,
        "plies": report.plies,
        "ended": report.ended,
        "seed": both.args.seed,
        "difference": null,
    });
    let Some(found) = &report.difference else { return out };
    let what = match found.what {
        What::Moves => "moves",
        What::Mover => "mover",
        What::Over => "over",
        What::Result => "result",
        What::Scores => "scores",
        What::Points => "points",
        What::Odds => "odds",
    };
    let view = |view: &View| {
        json!({
            "position": view.text,
            "mover": view.mover,
            "result": view.result,
            "scores": object(&view.scores),
            "points": object(&view.points),
            "legal": view.legal,
            "only": object(&view.only),
        })
    };
    let cause = &found.cause;
    let options = cause.options.iter().map(|o| {
        let [a, b] = [&o.a, &o.b].map(|value| value.as_ref().map(option_json));
        json!({ "name": o.name, "a": a, "b": b, "alone": o.alone })
    });
    let options: Vec<Value> = options.collect();
    out["difference"] = json!({
        "what": what,
        "line": found.line,
        "line_b": found.line_b,
        "shortest": found.shortest,
        "seed": found.seed,
        "a": view(&found.a),
        "b": view(&found.b),
        "cause": {
            "proved": cause.proved,
            "differing": cause.differing,
            "options": options,
            "keys": cause.keys,
        },
    });
    out
}
