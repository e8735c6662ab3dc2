//! `farrier export`

use std::io::Write;

use super::replay::{self, Wrong};
use super::{Done, Exit, Format, Stop, playing, text};
use crate::board::Lattice;
use crate::game::Game;
use crate::ids::{Player, Site};
use crate::notation::parts::Part;
use crate::notation::record::{Lost, Record};
use crate::play::{Machine, Move, Position};
use crate::program::slot;
use crate::semantics::TextField;
use crate::session::{Clocks, Session};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Files of records (JSON Lines)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Extension files that the recorded games were played with
    #[arg(long, value_name = "FILE", value_delimiter = ',')]
    with: Vec<String>,
    /// As what [default: `pgn` where the game's positions are written as FEN, else `text`]
    #[arg(long = "as", value_enum, value_name = "FORM")]
    form: Option<Form>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Form {
    /// Portable game notation
    Pgn,
    /// A numbered list of moves
    Text,
}

/// Writes records as other programs read them.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    if format == Format::Json {
        return Err(Stop::usage("a record is JSON already: see `farrier playout --record`"));
    }
    for (number, (file, line, record)) in records(&args.files)?.into_iter().enumerate() {
        let (mut session, _) = playing::recorded(&record, &args.with).map_err(|stop| match stop {
            Stop::Input(message, help) => Stop::Input(format!("{file}:{line}: {message}"), help),
            stop => stop,
        })?;
        if number > 0 {
            writeln!(out)?;
        }
        let fen = writes_fen(session.game());
        match args.form.unwrap_or(if fen { Form::Pgn } else { Form::Text }) {
            Form::Text => write!(out, "{}", text::plain(&list(&mut session, &record)))?,
            Form::Pgn if fen => write!(out, "{}", text::plain(&pgn(&mut session, &record)))?,
            Form::Pgn => {
                let title = &session.game().definition.title;
                let what = format!(
                    "{file}:{line}: positions of {title} are not written as FEN: there is no PGN of it"
                );
                return Err(Stop::advised(what, "`--as text` writes a list of moves"));
            }
        }
    }
    Ok(Exit::Fine)
}

/// The records of files, each with its file and line.
pub(super) fn records(files: &[String]) -> Result<Vec<(String, usize, Record)>, Stop> {
    let mut all = Vec::new();
    for file in files {
        let texts = replay::read(file).map_err(|why| Stop::input(format!("{file}: {why}")))?;
        for (line, part) in replay::split(&texts) {
            let record = Record::read(part).map_err(|e| {
                let Wrong { line, message, .. } = Wrong::at(line, e);
                Stop::input(format!("{file}:{line}: {message}"))
            })?;
            all.push((file.clone(), line, record));
        }
    }
    Ok(all)
}

/// Whether positions are written as FEN: eight rows of known letters, then `w` or `b`.
fn writes_fen(game: &Game) -> bool {
    let rules = &game.rules;
    let squares = rules.board.lattice() == Some(Lattice::Square) && rules.board.len() == 64;
    let known = |letter: &str| letter.len() == 1 && "kqrbnp".contains(&letter.to_lowercase());
    let letters = rules.kinds.iter().all(|kind| known(&kind.letter));
    let turn = rules.position.as_ref().is_some_and(|position| {
        position.turn == ["w", "b"] && position.text.first() == Some(&TextField::Board)
    });
    squares && letters && turn
}

/// The turns, a line each.
fn list(session: &mut Session, record: &Record) -> String {
    let game = session.game().clone();
    let mut out = format!("{}\n", game.definition.title);
    for (name, value) in game.changed_options() {
        out += &format!("option {name} = {value}\n");
    }
    for (player, who) in &record.header.seats {
        out += &format!("{player}: {}\n", who.as_str().unwrap_or_default());
    }
    if let Some(clock) = &record.header.clock {
        out += &format!("clock: {clock}\n");
    }
    if let Some(setup) = &record.header.setup {
        out += &format!("set-up: {setup}\n");
    }
    let layout = &game.program.layout;
    if let (Some(seed), true) = (record.header.seed, layout.is_dealt()) {
        out += &format!("dealt by seed {seed}\n");
    }
    // The turn of a player may begin with a throw, after which there may be nothing to do.
    let of_turn = |pos: &Position| usize::try_from(pos.slot(layout, slot::TURN)).unwrap_or_default();
    let whose: Vec<usize> = session.plies().map(|(pos, _)| of_turn(pos)).collect();
    let turns = session.turns();
    for (number, (first, text)) in turns.iter().enumerate() {
        let by = whose.get(*first).map_or("", |player| game.player(*player));
        let end = if number > 0 { "\n" } else { "" };
        out += &format!("{end}{:>4}. {by:10} {text}", number + 1);
    }
    let players =
        (0..).zip(&game.rules.players).map(|(place, player)| (player, session.person_of(Player(place))));
    let moved: Vec<String> = players
        .filter(|(player, person)| game.player(*person) != **player)
        .filter_map(|(player, person)| {
            let who = record.header.seats.get(game.player(person))?.as_str()?;
            Some(format!("{player} is {who} now\n"))
        })
        .collect();
    out += &format!("\n{}", moved.concat());
    let why = playing::why(session).map_or(String::new(), |why| format!("{why}\n"));
    format!("{out}{why}{}\n", playing::result(session))
}

/// Portable game notation, every move with the square that it comes from.
fn pgn(session: &mut Session, record: &Record) -> String {
    let game = session.game().clone();
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let seat = |player: usize| {
        let name = game.player(player);
        quoted(record.header.seats.get(name).and_then(|who| who.as_str()).unwrap_or("?"))
    };
    let end = record.end.clone().unwrap_or_default();
    // The rules may know a result that the record, which was cut off, does not; or the other way round, by a proof.
    let outcome = session.outcome();
    let won = outcome.map_or(end.result.clone(), |_| game.outcome_name(outcome));
    let result = match game.rules.players.iter().position(|player| *player == won) {
        Some(0) => "1-0",
        Some(_) => "0-1",
        None if won == "draw" => "1/2-1/2",
        None => "*",
    };
    let options: Vec<String> =
        game.changed_options().into_iter().map(|(name, value)| format!("{name}={value}")).collect();
    let mut variant = game.definition.title.clone();
    if !options.is_empty() {
        variant += &format!(" ({})", options.join(", "));
    }
    let mut out = String::from("[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n");
    out += &format!("[White \"{}\"]\n[Black \"{}\"]\n[Result \"{result}\"]\n", seat(0), seat(1));
    out += &format!("[Variant \"{}\"]\n", quoted(&variant));
    if let Some(control) = session.clocks().map(Clocks::control) {
        out += &format!("[TimeControl \"{}+{}\"]\n", control.main.as_secs_f64(), control.more.as_secs_f64());
    }
    if let Some((_, Lost::Late)) = end.lost() {
        out += "[Termination \"time forfeit\"]\n";
    }
    if record.header.setup.is_some() || game.program.layout.is_dealt() {
        let start = session.start().clone();
        let (game, machine, _) = session.parts();
        let text = game.texts().write(machine, &start);
        let fen = text.split(" & ").next().unwrap_or_default().to_owned();
        out += &format!("[SetUp \"1\"]\n[FEN \"{}\"]\n", quoted(&fen));
    }
    let played = session.played().to_vec();
    while session.undo() {}
    let layout = &game.program.layout;
    let mut words = Vec::new();
    for (number, m) in played.into_iter().enumerate() {
        let choosing = session.choosing();
        let parts = choosing.left().find(|parted| parted.number == m).map_or(&[][..], |parted| &parted.parts);
        let (game, machine, pos) = session.parts();
        let mover = pos.mover(layout).index();
        let begins = pos.slot(layout, slot::TURN_PLIES) == 0;
        let round = pos.slot(layout, slot::ROUND);
        match (mover, begins || number == 0, number) {
            (0, true, _) => words.push(format!("{round}.")),
            (_, true, 0) => words.push(format!("{round}...")),
            _ => {}
        }
        let (before, kept) = (Standing::of(game, machine, pos), parts.to_vec());
        session.redo();
        let (game, machine, pos) = session.parts();
        words.push(long(game, &before, &Standing::of(game, machine, pos), m, &kept));
        if let Some(left) = record.plies.get(number).and_then(|ply| ply.clock) {
            let seconds = left / 1000;
            words.push(format!("{{[%clk {}:{:02}:{:02}]}}", seconds / 3600, seconds / 60 % 60, seconds % 60));
        }
    }
    words.push(result.to_owned());
    format!("{out}\n{}\n", text::wrapped(&words, "", 78))
}

/// Who has which piece on each square, and who is to move.
struct Standing {
    pieces: Vec<Option<(u8, u8)>>,
    mover: usize,
}

impl Standing {
    fn of(game: &Game, machine: &mut Machine, pos: &Position) -> Standing {
        let mover = pos.mover(machine.layout()).index();
        let one = |site: Site| machine.piece(pos, site.index()).map(|(owner, kind, _)| (owner, kind));
        Standing { pieces: game.rules.board.sites().map(one).collect(), mover }
    }

    fn at(&self, site: Site) -> Option<(u8, u8)> {
        self.pieces.get(site.index()).copied().flatten()
    }

    /// How many pieces are a player's, or the others'.
    fn count(&self, player: usize, own: bool) -> usize {
        self.pieces.iter().flatten().filter(|(owner, _)| (usize::from(*owner) == player) == own).count()
    }
}

/// A move with its piece and both squares, or with the square where a piece is put; its own text where it is none of
/// that kind.
fn long(game: &Game, before: &Standing, after: &Standing, m: Move, parts: &[Part]) -> String {
    let own = game.move_text(m);
    let board = &game.rules.board;
    let letter = |kind: usize| game.rules.kinds.get(kind).map_or(String::new(), |k| k.letter.to_uppercase());
    let mover = before.mover;
    let sites: Vec<Site> = parts.iter().filter_map(|part| part.site()).collect();
    if let ([to], true) = (&sites[..], after.count(mover, true) > before.count(mover, true)) {
        let dropped =
            after.at(*to).map(|(_, kind)| format!("{}@{}", letter(usize::from(kind)), board.name(*to)));
        return dropped.unwrap_or(own);
    }
    let [Part::Site(from), Part::Site(to), rest @ ..] = parts else { return own };
    let Some((_, kind)) = before.at(*from) else { return own };
    let piece = letter(usize::from(kind));
    let column = |site: &Site| board.column(*site);
    let aside = column(to) - column(from);
    let onto_own = before.at(*to).is_some_and(|(owner, _)| usize::from(owner) == mover);
    if piece == "K" && (aside.abs() == 2 || onto_own) && board.row(*from) == board.row(*to) {
        return if aside > 0 { "O-O" } else { "O-O-O" }.to_owned();
    }
    let takes = after.count(mover, false) < before.count(mover, false);
    let turns = match rest {
        [Part::Kind(kind), ..] => format!("={}", letter(kind.index())),
        _ => String::new(),
    };
    let piece = if piece == "P" { "" } else { &piece };
    format!("{piece}{}{}{}{turns}", board.name(*from), if takes { "x" } else { "" }, board.name(*to))
}
