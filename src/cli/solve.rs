//! `farrier solve`

use std::io::Write;

use super::agents;
use super::load::{self, ChoiceArgs, StartArgs};
use super::{Done, Exit, Format, Stop, draw, text};
use crate::play::{History, Moves};
use crate::search::proof::{Proved, Prover, solve};
use crate::search::{Limit, Situation};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// A shipped game's name, or the path of a definition
    game: String,
    /// How many positions to look at, at the most
    #[arg(long, value_name = "N", default_value_t = 50_000_000, value_parser = load::within::<u64>(1..=1_000_000_000_000))]
    nodes: u64,
    /// Memory for what is known of positions, in MB
    #[arg(long, value_name = "MB", default_value_t = 512, value_parser = load::within::<u32>(1..=1_000_000))]
    memory: u32,
    #[command(flatten)]
    choices: ChoiceArgs,
    #[command(flatten)]
    start: StartArgs,
}

/// Proves the value of a position.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    let game = load::load(&args.game, &args.choices.choices())?.game;
    let mut machine = game.machine()?;
    let pos = args.start.start(&game, &mut machine, args.start.seed())?;
    let (mut history, mut moves) = (History::new(), Moves::new());
    history.push(machine.full_hash(&pos));
    machine.moves(&pos, &mut moves);
    let known = agents::making_for(&game, None).known();
    let mut prover = Prover::new(&machine, known, args.memory as usize * 1_000_000).ok_or_else(|| {
        Stop::advised(format!("there is no memory of {} MB", args.memory), "give less with `--memory`")
    })?;
    let at = Situation { pos: &pos, history: &history, moves: &moves, played: &[] };
    let proved = match moves.is_empty() {
        true => Proved::default(),
        false => solve(&mut prover, at, &Limit::nodes(args.nodes)),
    };
    let player = |person: usize| text::plain(game.player(person));
    let line: Vec<String> = proved.line.iter().map(|number| text::plain(&game.move_text(*number))).collect();
    if format == Format::Json {
        let names = |all: &[usize]| all.iter().map(|p| player(*p)).collect::<Vec<_>>();
        let found = serde_json::json!({
            "game": game.name, "options": load::options_json(&game),
            "winner": proved.winner.map(player), "drawn": proved.drawn, "not_losing": names(&proved.not_losing),
            "not_winning": names(&proved.not_winning), "line": line, "positions": prover.nodes(),
        });
        writeln!(out, "{found}")?;
        return Ok(Exit::Fine);
    }
    let looked = text::many(prover.nodes(), "position");
    match (moves.is_empty(), proved.winner, proved.drawn) {
        (true, ..) => writeln!(out, "the game is over")?,
        (_, Some(winner), _) => writeln!(out, "{} wins: proved with {looked}", player(winner))?,
        (_, _, true) => writeln!(out, "nobody wins if both play well: proved with {looked}")?,
        _ => {
            writeln!(out, "not known after {looked}")?;
            let told = |all: &[usize], what: &str| {
                all.iter().map(|p| format!("{} {what}", player(*p))).collect::<Vec<_>>()
            };
            let known = [
                told(&proved.not_losing, "does not lose"),
                told(&proved.not_winning, "cannot be sure to win"),
            ]
            .concat();
            if !known.is_empty() {
                writeln!(out, "proved so far: {}", known.join(", "))?;
            }
            writeln!(out, "more `--nodes` and `--memory` reach further")?;
        }
    }
    if !line.is_empty() {
        writeln!(out, "{}", text::wrapped(&line, "  ", draw::WIDTH))?;
    }
    Ok(Exit::Fine)
}
