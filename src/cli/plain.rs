//! A game led line by line: moves and words are typed, boards are printed. For pipes and plain terminals.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use super::files::lines::{self, Line};
use super::playing::{self, Playing};
use super::seats::Who;
use super::{Done, Exit, Stop, draw, text};
use crate::notation::moves::MoveError;
use crate::play::Rng;
use crate::search::Seat;

/// The most plies of agents against each other.
const MAX_AGENT_PLIES: usize = 10_000;

/// The longest line that is taken: no move is longer.
const MAX_LINE_BYTES: usize = 64 << 10;

/// The most letters of a line that are shown again.
const MAX_SHOWN_LETTERS: usize = 200;

const HELP: &str = "\
Type a move as `moves` shows it, in capital or small letters, or:
  moves       the legal moves; `moves c1` those that begin with c1, or else name it
  undo        take your last move back
  redo        make it again
  hint        what an agent would play
  resign      give the game up
  next        the next game of the match, once this one is over
  board       draw the board again
  position    the position as a text, for --setup
  save FILE   keep a record from now on, in a new file
  quit        leave the game
  help        this";

/// Plays.
pub(super) fn run(playing: Playing, out: &mut dyn Write) -> Done {
    let (seed, agents) = (playing.seed, playing.agents()?);
    let title = text::plain(&playing.session.game().definition.title);
    let seats = playing::told(&playing.session, &playing.seats);
    writeln!(out, "{title}: {seats}")?;
    writeln!(out, "`help` says what you can type; --seed {seed} plays this again")?;
    Plain { playing, agents, rng: Rng::new(seed), seats, out }.play()
}

/// Lines that are typed. They are read on a thread: a clock may run out meanwhile.
struct Typed(Receiver<io::Result<(Line, Vec<u8>)>>);

impl Typed {
    fn new() -> Typed {
        // A line is read before it is asked for, no more.
        let (sender, lines) = sync_channel(0);
        std::thread::spawn(move || Typed::read(&sender));
        Typed(lines)
    }

    fn read(lines: &SyncSender<io::Result<(Line, Vec<u8>)>>) {
        let mut input = io::stdin().lock();
        loop {
            let mut line = Vec::new();
            let read = lines::next(&mut input, MAX_LINE_BYTES, &mut line).map(|how| (how, line));
            let goes_on = matches!(read, Ok((Line::Whole, _)));
            if lines.send(read).is_err() || !goes_on {
                return;
            }
        }
    }

    /// The next line; none where the time of who is to decide is over before.
    fn next(&self, playing: &mut Playing) -> io::Result<Option<(Line, Vec<u8>)>> {
        loop {
            if playing.tick() {
                return Ok(None);
            }
            let left = playing.session.time_left(playing.session.person());
            let left = left.filter(|_| !playing.session.is_over());
            match self.0.recv_timeout(left.unwrap_or(Duration::MAX)) {
                Err(RecvTimeoutError::Timeout) => {}
                // After the last line nothing more comes.
                Err(RecvTimeoutError::Disconnected) => return Ok(Some((Line::None, Vec::new()))),
                Ok(line) if playing.tick() => return line.map(|_| None),
                Ok(line) => return line.map(Some),
            }
        }
    }
}

/// A game that is led line by line.
struct Plain<'a> {
    playing: Playing,
    agents: Vec<Option<Seat>>,
    rng: Rng,
    /// Who plays whom, as it was told last.
    seats: String,
    out: &'a mut dyn Write,
}

impl Plain<'_> {
    fn play(mut self) -> Done {
        let input = Typed::new();
        let shown = io::stdin().is_terminal();
        let people = self.playing.seats.contains(&Who::Human);
        let (mut drawn, mut told) = (false, false);
        loop {
            // What took time since the last line, as a hint does, is shown at the prompt.
            if self.playing.tick() {
                self.playing.keep()?;
            }
            let over = self.playing.session.is_over();
            if over && !told {
                if people || self.playing.session.played().is_empty() {
                    self.board()?;
                }
                told = true;
                if !self.end()? || !people {
                    return Ok(Exit::Fine);
                }
            }
            let seats = playing::told(&self.playing.session, &self.playing.seats);
            if seats != self.seats {
                writeln!(self.out, "{seats} now")?;
                self.seats = seats;
            }
            if !over {
                told = false;
                if self.playing.who() != Some(&Who::Human) {
                    if self.playing.session.played().len() >= MAX_AGENT_PLIES {
                        writeln!(self.out, "{MAX_AGENT_PLIES} moves are enough: the game is unfinished")?;
                        return Ok(Exit::Fine);
                    }
                    self.agent()?;
                    drawn = false;
                    continue;
                }
                if !drawn {
                    self.board()?;
                    drawn = true;
                }
            }
            match over {
                true => write!(self.out, "next, undo or quit> ")?,
                false => write!(self.out, "{}> ", self.due())?,
            }
            self.out.flush()?;
            let line = match input.next(&mut self.playing)? {
                None => {
                    writeln!(self.out)?;
                    self.playing.keep()?;
                    continue;
                }
                Some((Line::Whole | Line::Torn, line)) => line,
                Some((Line::None, _)) => {
                    writeln!(self.out)?;
                    return Ok(Exit::Fine);
                }
                Some((Line::Long, _)) => {
                    writeln!(self.out)?;
                    let message = format!(
                        "a line of more than {} KiB is no move: the game ends here",
                        MAX_LINE_BYTES >> 10
                    );
                    return Err(Stop::advised(message, "`play` takes a move or a word a line"));
                }
            };
            let line = String::from_utf8_lossy(&line);
            let word = line.trim();
            if !shown {
                // A terminal does not show the input of a pipe.
                writeln!(self.out, "{}", text::cut(&text::plain(word), MAX_SHOWN_LETTERS))?;
            }
            let mover = self.playing.session.moves().mover();
            match word.split_once(char::is_whitespace).unwrap_or((word, "")) {
                ("", _) => {}
                ("quit" | "exit" | "q", "") => return Ok(Exit::Fine),
                ("help" | "?", "") => writeln!(self.out, "{HELP}")?,
                ("board", "") => self.board()?,
                ("moves", begun) => self.moves(begun.trim())?,
                ("position", "") => {
                    let position = self.playing.session.position_text();
                    writeln!(self.out, "{}", text::plain(&position))?;
                }
                ("undo", "") if self.playing.undo() => drawn = false,
                ("undo", "") => writeln!(self.out, "there is no move of yours to take back")?,
                ("redo", "") if self.playing.redo() => drawn = false,
                ("redo", "") => writeln!(self.out, "there is no move to make again")?,
                ("hint", "") => self.hint()?,
                ("resign", "") if self.playing.session.resign(mover) => {}
                ("next", "") => drawn = !self.next()?,
                ("save", "") => writeln!(self.out, "which file? `save FILE`")?,
                ("save", file) => self.save(file.trim())?,
                _ => drawn = !self.typed(word)?,
            }
            self.playing.keep()?;
        }
    }

    /// The player to decide with the time that is left, and the decisions, where the turn has begun already.
    fn due(&self) -> String {
        let session = &self.playing.session;
        let game = session.game();
        let mut mover = game.player(session.moves().mover().index()).to_owned();
        if let Some(left) = session.time_left(session.person()) {
            mover += &format!(" {}", playing::clock(left));
        }
        let decisions = session.choosing().decisions();
        let names = decisions.iter().filter_map(|d| game.rules.decisions.get((*d)?)).map(|d| d.name.as_str());
        let names: Vec<&str> = names.collect();
        match !session.begins_turn() && !names.is_empty() && names.len() < 4 {
            true => text::plain(&format!("{mover}, {}", names.join(" or "))),
            false => text::plain(&mover),
        }
    }

    fn board(&mut self) -> io::Result<()> {
        let (game, _, pos) = self.playing.session.parts();
        let board = draw::board(game, pos);
        writeln!(self.out, "\n{board}")?;
        draw::wrapped_state(game, pos).map_or(Ok(()), |state| writeln!(self.out, "{state}\n"))
    }

    /// The legal moves, by decision where there are several; those that begin with a text or, where there is none,
    /// contain it.
    fn moves(&mut self, begun: &str) -> io::Result<()> {
        let game = self.playing.session.game();
        let list = playing::moves_with(&self.playing.session, begun);
        if list.is_empty() {
            let begun = text::cut(&text::plain(begun), MAX_SHOWN_LETTERS);
            return match begun.is_empty() {
                true => writeln!(self.out, "there is no legal move"),
                false => writeln!(self.out, "no legal move has `{begun}` in it"),
            };
        }
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

    /// An agent or chance decides.
    fn agent(&mut self) -> Result<(), Stop> {
        let moves = self.playing.session.moves();
        let mover = moves.mover();
        let name = text::plain(self.playing.session.game().player(mover.index()));
        let by_chance = moves.is_chance();
        let chosen = match by_chance {
            true => self.playing.session.chance(&mut self.rng),
            false => {
                let person = self.playing.session.person();
                let Some(Some(seat)) = self.agents.get_mut(person) else { return Ok(()) };
                self.playing.tick();
                let advised = self.playing.session.advise(seat, &mut self.rng, &mut |_| {});
                if self.playing.tick() {
                    return self.playing.keep();
                }
                match advised {
                    Some(Ok(m)) => Some(m),
                    Some(Err(forfeit)) => {
                        writeln!(self.out, "{name} gives up: {}", text::plain(&forfeit.reason))?;
                        self.playing.session.resign(mover);
                        return self.playing.keep();
                    }
                    None => None,
                }
            }
        };
        let Some(m) = chosen else { return Ok(()) };
        let text = text::plain(&self.playing.session.game().move_text(m));
        let who = if by_chance { "chance gives".to_owned() } else { format!("{name} plays") };
        self.playing.session.play(m);
        // What is told is kept already.
        self.playing.keep()?;
        writeln!(self.out, "{who} {text}")?;
        if !self.playing.seats.contains(&Who::Human) {
            self.board()?;
        }
        Ok(())
    }

    fn hint(&mut self) -> io::Result<()> {
        match playing::hint(&mut self.playing.session, &mut self.rng) {
            Ok(Some(said)) => writeln!(self.out, "{said}"),
            Ok(None) => writeln!(self.out, "there is nothing to decide"),
            Err(why) => writeln!(self.out, "there is no hint: {}", text::plain(&why)),
        }
    }

    fn save(&mut self, file: &str) -> io::Result<()> {
        match self.playing.save(file) {
            Ok(()) => writeln!(self.out, "the game is recorded in {}", text::plain(file)),
            Err(stop) => writeln!(self.out, "{}", super::said(&stop.message())),
        }
    }

    /// The next game of the match; whether it begins.
    fn next(&mut self) -> Result<bool, Stop> {
        let begins = self.playing.next_game()?;
        match begins {
            true => {
                self.agents.iter_mut().flatten().for_each(Seat::forget);
                let options = playing::options(self.playing.session.game());
                writeln!(self.out, "the next game begins: {options}")?;
            }
            false => writeln!(self.out, "no other game follows now")?,
        }
        Ok(begins)
    }

    /// A typed move; whether it was made.
    fn typed(&mut self, word: &str) -> io::Result<bool> {
        let session = &mut self.playing.session;
        let error = match session.play_text(word) {
            Ok(_) => return Ok(true),
            Err(error) => error,
        };
        let game = session.game();
        let begun = word.to_lowercase();
        let word = text::cut(&text::plain(word), MAX_SHOWN_LETTERS);
        match error {
            MoveError::Ambiguous => {
                writeln!(self.out, "`{word}` is the text of two moves: a mistake of the definition")?;
            }
            MoveError::NotLegal(near) => {
                let mut texts = game.move_texts(session.moves());
                texts.retain(|t| t.to_lowercase().starts_with(&begun));
                match (texts.is_empty(), near) {
                    (true, Some(near)) => {
                        writeln!(self.out, "`{word}` is not legal; did you mean `{}`?", text::plain(&near))?;
                    }
                    (true, None) => {
                        writeln!(self.out, "`{word}` is not legal; `moves` shows the legal moves")?;
                    }
                    (false, _) => {
                        writeln!(self.out, "`{word}` is not a whole move; there are:")?;
                        writeln!(self.out, "{}", text::plain(&text::wrapped(&texts, "  ", draw::WIDTH)))?;
                    }
                }
            }
        }
        Ok(false)
    }

    /// Says how the game ended; whether another one of its match can follow.
    fn end(&mut self) -> io::Result<bool> {
        if let Some(why) = playing::why(&mut self.playing.session) {
            writeln!(self.out, "{why}")?;
        }
        let series = self.playing.standing();
        let result = playing::result(&mut self.playing.session);
        let Some(series) = series else {
            writeln!(self.out, "{result}")?;
            return Ok(false);
        };
        let line = playing::match_line(self.playing.session.game(), &series);
        writeln!(self.out, "match, {line}\n{result}")?;
        Ok(!series.is_over())
    }
}
