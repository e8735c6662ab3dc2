//! `farrier show`

use std::io::Write;

use serde_json::json;

use super::files::draft;
use super::load::{self, ChoiceArgs, StartArgs};
use super::{Done, Exit, Format, draw, text};
use crate::drawing::svg;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// A shipped game's name, or the path of a definition
    game: String,
    #[command(flatten)]
    choices: ChoiceArgs,
    #[command(flatten)]
    start: StartArgs,
    /// Write the board as a picture into a file
    #[arg(long, value_name = "FILE")]
    svg: Option<String>,
}

/// Shows a game.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    let game = load::load(&args.game, &args.choices.choices())?.game;
    let mut machine = game.machine()?;
    let pos = args.start.start(&game, &mut machine, args.start.seed())?;
    if let Some(file) = &args.svg {
        let picture = svg::board(&game, &pos, &[]);
        draft::write(file, picture.into_bytes())?;
        writeln!(out, "{} is drawn in {}", text::plain(&game.definition.title), text::plain(file))?;
        return Ok(Exit::Fine);
    }
    let def = &game.definition;
    if format == Format::Json {
        let shown = json!({
            "name": game.name,
            "title": def.title,
            "author": def.author,
            "source": def.source,
            "summary": def.summary,
            "players": game.rules.players,
            "pieces": game.rules.kinds.iter().map(|k| &k.name).collect::<Vec<_>>(),
            "sites": game.rules.board.sites().map(|s| game.rules.board.name(s).to_owned()).collect::<Vec<_>>(),
            "options": load::all_options_json(&game),
            "setups": def.setup.named.iter().map(|(n, _)| &n.text).collect::<Vec<_>>(),
            "position": game.texts().write(&mut machine, &pos),
        });
        writeln!(out, "{shown}")?;
        return Ok(Exit::Fine);
    }
    let title = match &def.author {
        Some(author) => format!("{} by {author}", def.title),
        None => def.title.clone(),
    };
    writeln!(out, "{}", text::plain(&title))?;
    for line in [&def.summary, &def.source].into_iter().flatten() {
        writeln!(out, "{}", text::plain(line))?;
    }
    writeln!(out, "\n{}", draw::board(&game, &pos))?;
    if let Some(legend) = draw::legend(&game) {
        writeln!(out, "pieces   {legend}")?;
    }
    writeln!(out, "players  {}", text::plain(&game.rules.players.join(", ")))?;
    if let Some(teams) = game.teams() {
        writeln!(out, "teams    {}", text::plain(&teams))?;
    }
    for line in draw::state(&game, &pos) {
        writeln!(out, "state    {line}")?;
    }
    let names: Vec<&str> = def.setup.named.iter().map(|(n, _)| n.text.as_str()).collect();
    if !names.is_empty() {
        writeln!(out, "set-ups  {}", text::plain(&names.join(", ")))?;
    }
    if args.start.setup.is_none() && game.program.layout.is_dealt() {
        writeln!(out, "dealt by seed {} (`--seed N` deals others)", args.start.seed())?;
    }
    match load::options_table(&game) {
        Some(table) => writeln!(out, "\n{table}")?,
        None => writeln!(out, "options  none")?,
    }
    Ok(Exit::Fine)
}
