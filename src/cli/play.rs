//! `farrier play`

use std::io::{self, IsTerminal, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use super::files::lines::{self, Line};
use super::load::{self, ChoiceArgs, StartArgs};
use super::{Done, Exit, Format, Stop, draw, text};
use crate::analysis::playout;
use crate::diagnostic::nearest;
use crate::notation::moves::MoveError;
use crate::play::Rng;
use crate::session::{Session, StartError};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// A shipped game's name, or the path of a definition
    game: String,
    /// Who plays whom: `human` or `random` [default: the first player is you, the others are random]
    #[arg(long = "as", value_name = "PLAYER=WHO", value_delimiter = ',', value_parser = seat)]
    seats: Vec<(String, Who)>,
    #[command(flatten)]
    choices: ChoiceArgs,
    #[command(flatten)]
    start: StartArgs,
}

/// Who makes a player's moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Who {
    Human,
    Random,
}

fn seat(text: &str) -> Result<(String, Who), String> {
    match text.split_once('=') {
        Some((player, "human")) => Ok((player.to_owned(), Who::Human)),
        Some((player, "random")) => Ok((player.to_owned(), Who::Random)),
        _ => Err("a player and who plays it are written PLAYER=human or PLAYER=random".to_owned()),
    }
}

/// Random players stop after so many plies against each other.
const MOST: usize = 10_000;

/// The longest line that is taken: no move is longer.
const LINE: usize = 64 << 10;

/// How much of a line is shown again.
const SHOWN: usize = 200;

const HELP: &str = "\
Type a move as `moves` shows it, or:
  moves     the legal moves
  undo      take your last move back
  board     draw the board again
  position  the position as a text, for --setup
  quit      leave the game
  help      this";

/// Plays a game.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    if format == Format::Json {
        let message = "`play` is for people; `farrier playout --record` gives records for programs";
        return Err(Stop::Usage(message.to_owned()));
    }
    let game = load::load(&args.game, &args.choices.choices())?.game;
    let players = game.rules.players.clone();
    let mut seats: Vec<Who> =
        (0..players.len()).map(|p| if p == 0 { Who::Human } else { Who::Random }).collect();
    for (name, who) in &args.seats {
        let Some(place) = players.iter().position(|p| p == name).and_then(|p| seats.get_mut(p)) else {
            let near = nearest(name, players.iter().map(String::as_str));
            let near = near.map_or(String::new(), |n| format!("; did you mean `{n}`?"));
            let message =
                format!("there is no player `{name}`{near} (the players are {})", players.join(", "));
            return Err(Stop::Usage(message));
        };
        *place = *who;
    }
    let seed = args.start.seed.unwrap_or_else(new_seed);
    let title = text::plain(&game.definition.title);
    let session = Session::new(game.clone(), args.start.setup.as_deref(), seed);
    let session = session.map_err(|error| match error {
        StartError::Program(error) => load::unsound(error),
        StartError::Text(error) => load::setup_error(&game, &args.start, error),
    })?;
    writeln!(out, "{title}: {}", told(&players, &seats))?;
    writeln!(out, "`help` says what you can type; --seed {seed} plays this again")?;
    Table { session, seats, rng: Rng::new(seed), out }.play()
}

fn told(players: &[String], seats: &[Who]) -> String {
    let one = |(player, who): (&String, &Who)| match who {
        Who::Human => format!("{player} is you"),
        Who::Random => format!("{player} moves at random"),
    };
    text::plain(&players.iter().zip(seats).map(one).collect::<Vec<_>>().join(", "))
}

/// A seed from the clock: a new game is another one than the last.
fn new_seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(load::SEED, |d| d.as_millis() as u64 % 1_000_000)
}

/// A game on the table.
struct Table<'a> {
    session: Session,
    seats: Vec<Who>,
    rng: Rng,
    out: &'a mut dyn Write,
}

impl Table<'_> {
    fn play(mut self) -> Done {
        let mut input = io::stdin().lock();
        let shown = io::stdin().is_terminal();
        let mut drawn = false;
        let mut line = Vec::new();
        loop {
            if self.session.outcome().is_some() || self.session.moves().is_empty() {
                if self.seats.contains(&Who::Human) || self.session.played().is_empty() {
                    self.board()?;
                }
                self.end()?;
                return Ok(Exit::Fine);
            }
            if self.who().is_none_or(|who| who == Who::Random) {
                if self.session.played().len() >= MOST {
                    writeln!(self.out, "{MOST} moves are enough: the game is unfinished")?;
                    return Ok(Exit::Fine);
                }
                self.random()?;
                drawn = false;
                continue;
            }
            if !drawn {
                self.board()?;
                drawn = true;
            }
            write!(self.out, "{}> ", self.mover())?;
            self.out.flush()?;
            match lines::next(&mut input, LINE, &mut line)? {
                Line::Whole | Line::Torn => {}
                Line::None => {
                    writeln!(self.out)?;
                    return Ok(Exit::Fine);
                }
                Line::Long => {
                    writeln!(self.out)?;
                    let message =
                        format!("a line of more than {} KiB is no move: the game ends here", LINE >> 10);
                    return Err(Stop::Input(
                        message,
                        Some("`play` takes a move or a word a line".to_owned()),
                    ));
                }
            }
            let line = String::from_utf8_lossy(&line);
            let word = line.trim();
            if !shown {
                // A terminal does not show the input of a pipe.
                writeln!(self.out, "{}", text::cut(&text::plain(word), SHOWN))?;
            }
            match word {
                "" => {}
                "quit" | "exit" | "q" => return Ok(Exit::Fine),
                "help" | "?" => writeln!(self.out, "{HELP}")?,
                "board" => self.board()?,
                "moves" => self.moves()?,
                "position" => {
                    let position = self.session.position_text();
                    writeln!(self.out, "{}", text::plain(&position))?;
                }
                "undo" => drawn = !self.undo()?,
                word => drawn = !self.typed(word)?,
            }
        }
    }

    /// Who decides; none where it is chance.
    fn who(&self) -> Option<Who> {
        let moves = self.session.moves();
        if moves.is_chance() {
            return None;
        }
        self.seats.get(moves.mover().index()).copied()
    }

    fn mover(&self) -> String {
        text::plain(self.session.game().player(self.session.moves().mover().index()))
    }

    fn board(&mut self) -> io::Result<()> {
        let (game, machine, pos) = self.session.parts();
        let board = draw::board(game, machine, pos);
        let state = draw::state(game, pos);
        writeln!(self.out, "\n{board}")?;
        if !state.is_empty() {
            let words: Vec<String> = state.into_iter().map(|line| format!("{line} ")).collect();
            writeln!(self.out, "{}\n", text::wrapped(&words, "", draw::WIDTH))?;
        }
        Ok(())
    }

    /// The legal moves, by decision where there are several.
    fn moves(&mut self) -> io::Result<()> {
        let game = self.session.game();
        let mut list: Vec<_> = self.session.moves().iter().collect();
        list.sort_unstable();
        let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
        for m in list {
            let name = game.decision_of(m).unwrap_or("pass");
            let text = text::plain(&game.move_text(m));
            match groups.iter_mut().find(|(n, _)| *n == name) {
                Some((_, texts)) => texts.push(text),
                None => groups.push((name, vec![text])),
            }
        }
        let several = groups.len() > 1;
        for (name, texts) in groups {
            if several && name != "pass" {
                writeln!(self.out, "{}:", text::plain(name))?;
            }
            writeln!(self.out, "{}", text::wrapped(&texts, "  ", draw::WIDTH))?;
        }
        Ok(())
    }

    /// A player or chance that moves at random.
    fn random(&mut self) -> io::Result<()> {
        let chance = self.session.moves().is_chance();
        let moves = self.session.moves().clone();
        let (_, machine, pos) = self.session.parts();
        let Some(m) = playout::draw(machine, pos, &moves, &mut self.rng) else { return Ok(()) };
        let text = text::plain(&self.session.game().move_text(m));
        match chance {
            true => writeln!(self.out, "chance gives {text}")?,
            false => writeln!(self.out, "{} plays {text}", self.mover())?,
        }
        self.session.play(m);
        if !self.seats.contains(&Who::Human) {
            self.board()?;
        }
        Ok(())
    }

    /// A typed move; whether it was made.
    fn typed(&mut self, word: &str) -> io::Result<bool> {
        let error = match self.session.play_text(word) {
            Ok(_) => return Ok(true),
            Err(error) => error,
        };
        let game = self.session.game();
        let begun = word;
        let word = text::cut(&text::plain(word), SHOWN);
        match error {
            MoveError::Ambiguous => {
                writeln!(self.out, "`{word}` is the text of two moves: a mistake of the definition")?;
            }
            MoveError::NotLegal(Some(near)) => {
                writeln!(self.out, "`{word}` is not legal; did you mean `{}`?", text::plain(&near))?;
            }
            MoveError::NotLegal(None) => {
                let mut texts = game.move_texts(self.session.moves());
                texts.retain(|t| t.starts_with(begun));
                match texts.is_empty() {
                    true => writeln!(self.out, "`{word}` is not legal; `moves` shows the legal moves")?,
                    false => {
                        writeln!(self.out, "`{word}` is not a whole move; there are:")?;
                        writeln!(self.out, "{}", text::plain(&text::wrapped(&texts, "  ", draw::WIDTH)))?;
                    }
                }
            }
        }
        Ok(false)
    }

    /// Takes moves back to the last one that was typed; whether there was one.
    fn undo(&mut self) -> io::Result<bool> {
        let before = self.session.played().to_vec();
        while self.session.undo() {
            if self.who() == Some(Who::Human) {
                return Ok(true);
            }
        }
        // All of these moves were not the user's to take back.
        before.into_iter().for_each(|m| self.session.play(m));
        writeln!(self.out, "there is no move of yours to take back")?;
        Ok(false)
    }

    fn end(&mut self) -> io::Result<()> {
        let scores = self.session.scores();
        let outcome = self.session.outcome();
        let name = playout::outcome_name(self.session.game(), outcome);
        let result = match &name[..] {
            "draw" => "the game is a draw".to_owned(),
            "unfinished" => "the game is unfinished".to_owned(),
            player => format!("{player} wins"),
        };
        let players = &self.session.game().rules.players;
        let scores: Vec<String> = players.iter().zip(scores).map(|(p, s)| format!("{p} {s}")).collect();
        let scores = if scores.is_empty() { String::new() } else { format!(" ({})", scores.join(", ")) };
        writeln!(self.out, "{}", text::plain(&format!("{result}{scores}")))
    }
}
