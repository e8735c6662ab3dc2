//! `farrier perft`

use std::io::Write;
use std::time::Instant;

use serde_json::json;

use super::load::{self, ChoiceArgs, StartArgs};
use super::{Done, Exit, Format, Stop, text};
use crate::analysis::perft::{Leaves, Perft};
use crate::game::Game;
use crate::notation::moves::MoveError;
use crate::play::{History, Machine, Moves, Position};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// A shipped game's name, or the path of a definition
    game: String,
    /// How many plies deep
    #[arg(value_parser = load::within::<u32>(1..=100))]
    depth: u32,
    /// Count below each first move, at the full depth
    #[arg(long, conflicts_with = "turns")]
    divide: bool,
    /// Count whole turns, not plies
    #[arg(long, conflicts_with = "made")]
    turns: bool,
    /// Play these moves first, with commas between them
    #[arg(long, value_name = "MOVES", value_delimiter = ',')]
    after: Vec<String>,
    /// Begin with a position
    #[arg(long, value_name = "TEXT", conflicts_with = "setup")]
    position: Option<String>,
    /// Make the last moves too, instead of counting them
    #[arg(long)]
    made: bool,
    #[command(flatten)]
    choices: ChoiceArgs,
    #[command(flatten)]
    start: StartArgs,
}

/// Counts sequences of moves.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    let game = load::load(&args.game, &args.choices.choices())?.game;
    let mut machine = game.machine()?;
    let mut pos = match &args.position {
        None => args.start.start(&game, &mut machine, args.start.seed())?,
        Some(text) => {
            let read = game.texts().read(&mut machine, text, None);
            read.map_err(|e| {
                Stop::Input(format!("the position cannot be read: {}", e.message), e.advice(text))
            })?
        }
    };
    let past = play(&game, &mut machine, &mut pos, &args.after)?;
    let leaves = if args.made { Leaves::Made } else { Leaves::Counted };
    let mut perft = Perft::new(&mut machine, leaves).after(&past);
    if args.divide {
        divide(&game, &mut perft, &pos, args.depth, format, out)?;
        return Ok(Exit::Fine);
    }
    let mut rows = Vec::new();
    if format == Format::Text {
        let unit = if args.turns { "turns" } else { "depth" };
        writeln!(out, "{unit:>5}  {:>20}  {:>9}  {:>14}", "nodes", "seconds", "nodes/s")?;
    }
    for depth in 1..=args.depth {
        let began = Instant::now();
        let nodes = if args.turns { perft.count_turns(&pos, depth) } else { perft.count(&pos, depth) };
        let seconds = began.elapsed().as_secs_f64();
        // Without a time there is no speed.
        let speed = (seconds >= 0.001).then(|| (nodes as f64 / seconds) as u64);
        if format == Format::Json {
            rows.push(json!({ "depth": depth, "nodes": nodes, "seconds": seconds }));
            continue;
        }
        let speed = speed.map_or("-".to_owned(), text::count);
        writeln!(out, "{depth:>5}  {:>20}  {seconds:>9.3}  {speed:>14}", text::count(nodes))?;
        out.flush()?;
    }
    if format == Format::Json {
        let unit = if args.turns { "turns" } else { "plies" };
        let shown = json!({
            "game": game.name, "options": load::options_json(&game), "unit": unit, "counts": rows,
        });
        writeln!(out, "{shown}")?;
    }
    Ok(Exit::Fine)
}

fn play(game: &Game, machine: &mut Machine, pos: &mut Position, after: &[String]) -> Result<History, Stop> {
    let (mut history, mut moves) = (History::new(), Moves::new());
    history.push(machine.full_hash(pos));
    machine.moves(pos, &mut moves);
    for word in after.iter().flat_map(|w| w.split_whitespace()) {
        match game.read_plies(machine, pos, &history, &moves, word) {
            Ok(plies) => plies.into_iter().for_each(|m| machine.play(pos, m, &mut history, &mut moves)),
            Err(MoveError::Ambiguous) => {
                return Err(Stop::input(format!("`{word}` is the text of two legal moves")));
            }
            Err(MoveError::NotLegal(near)) => {
                let help = near.map(|n| format!("did you mean `{n}`?"));
                return Err(Stop::Input(format!("`{word}` is not legal here"), help));
            }
        }
    }
    Ok(history)
}

fn divide(
    game: &Game,
    perft: &mut Perft<'_>,
    pos: &Position,
    depth: u32,
    format: Format,
    out: &mut dyn Write,
) -> Result<(), Stop> {
    let list: Vec<(String, u64)> =
        perft.divide(pos, depth).into_iter().map(|(m, n)| (game.move_text(m), n)).collect();
    let total: u64 = list.iter().map(|(_, n)| n).sum();
    if format == Format::Json {
        let below: Vec<_> = list.iter().map(|(m, n)| json!({ "move": m, "nodes": n })).collect();
        let shown = json!({
            "game": game.name, "options": load::options_json(game), "depth": depth, "nodes": total,
            "moves": below,
        });
        return Ok(writeln!(out, "{shown}")?);
    }
    let wide = list.iter().map(|(m, _)| m.chars().count()).max().unwrap_or(0).max("total".len());
    let long = text::count(total).len();
    for (m, n) in &list {
        writeln!(out, "{:wide$}  {:>long$}", text::plain(m), text::count(*n))?;
    }
    Ok(writeln!(
        out,
        "{:wide$}  {:>long$}  ({})",
        "total",
        text::count(total),
        text::many(list.len() as u64, "move")
    )?)
}
