//! The facade: from a name and options to a game that can be played.
//!
//! [`Game::load`] does the whole compile side. It returns the definition (the text), the rules (its meaning), the
//! program (the code that is run), and all diagnostics. It is played
//! on a [`Machine`], one for each thread.

mod weights;

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

use crate::board::{Board, BoardError, BoardPart, Shape};
use crate::definition::{Choices, Definition, OptionValue, Parsed};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::improve::Passes;
use crate::lower;
use crate::notation::moves::{self, MoveError};
use crate::notation::position::{TextError, Texts};
use crate::notation::record::{self, Header};
use crate::notation::turns;
use crate::play::{Backend, EndedBy, History, Machine, Move, Moves, Native, Outcome, Position};
use crate::program::{DecisionCode, Fingerprint, Program, ProgramError, VarKind, result};
use crate::search::evaluation::Evaluation;
use crate::semantics::{self, MovePart, PositionText, Rules, Setup, Type};
use crate::source::{Files, Sources};

/// Why a game cannot be loaded. Its text has each error with its place.
#[derive(Clone)]
pub struct LoadError {
    /// All that was found.
    pub found: Diagnostics,
    /// The files that it points into.
    pub sources: Sources,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let errors = self.found.0.iter().filter(|d| d.severity == Severity::Error);
        let texts: Vec<String> = errors.map(|d| d.render(&self.sources)).collect();
        f.write_str(texts.join("\n").trim_end())
    }
}

/// For people too, since `main` prints errors so.
impl fmt::Debug for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for LoadError {}

/// A game, with its options chosen.
///
/// ```
/// use farrier::definition::Choices;
/// use farrier::game::Game;
/// use farrier::shipped::Shipped;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let choices = Choices { set: vec![("size".into(), "5".into())], ..Choices::default() };
/// let game = Game::open("hex", &Shipped, &choices)?;
/// let mut machine = game.machine()?;
/// let start = game.start(&mut machine, None, 1)?;
/// assert_eq!(game.player(start.mover(machine.layout()).index()), "red");
/// let unknown = Game::open("hexx", &Shipped, &Choices::default());
/// assert!(unknown.unwrap_err().to_string().contains("did you mean `hex`?"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    /// How it was asked for: a shipped name or a path.
    pub name: String,
    /// The definition in its files.
    pub definition: Arc<Definition>,
    /// The checked rules of the definition.
    pub rules: Arc<Rules>,
    /// The program of the rules.
    pub program: Arc<Program>,
    /// How many steps making the program took, of [`crate::limits::LOAD_STEPS`].
    pub steps: u64,
    /// The program compiled, once somebody has asked for it; or why it is not.
    compiled: Arc<Compiled>,
    /// The evaluation that was guessed, once somebody has asked for it.
    guess: Arc<OnceLock<Option<Arc<Evaluation>>>>,
}

impl Game {
    /// Loads a game, or gives the reasons why it cannot be loaded.
    pub fn open(name: &str, files: &dyn Files, choices: &Choices) -> Result<Game, LoadError> {
        let mut sources = Sources::default();
        let (game, found) = Game::load(name, files, choices, &mut sources);
        game.ok_or(LoadError { found, sources })
    }

    /// Loads a game. It comes back only if nothing makes it unusable; the diagnostics may be warnings.
    pub fn load(
        name: &str,
        files: &dyn Files,
        choices: &Choices,
        sources: &mut Sources,
    ) -> (Option<Game>, Diagnostics) {
        let parsed = Parsed::new(name, files, choices, sources);
        Game::choose(name, &parsed, choices)
    }

    /// The game of files that are parsed already, with the same extension files and other options.
    pub fn choose(name: &str, parsed: &Parsed, choices: &Choices) -> (Option<Game>, Diagnostics) {
        let (definition, mut out) = parsed.choose(choices);
        let Some(definition) = definition else { return (None, out) };
        let board = match Board::build(&definition.board) {
            Ok(board) => board,
            Err(errors) => {
                errors.into_iter().for_each(|e| out.push(board_error(&definition, e)));
                return (None, out);
            }
        };
        let (rules, more) = semantics::check(&definition, Arc::new(board));
        // Parts that could not be read have been reported; the names that they would have given are not unknown.
        let lost = |d: &Diagnostic| {
            d.code == "unknown-name" && definition.lost.iter().any(|n| d.message.contains(&format!("`{n}`")))
        };
        more.0.into_iter().filter(|d| !lost(d)).for_each(|d| out.push(d));
        let Some(rules) = rules.filter(|_| !out.has_errors()) else { return (None, out) };
        match Game::made(name.to_owned(), Arc::new(definition), Arc::new(rules), Passes::ALL) {
            Ok(game) => {
                game.weights_mistake().into_iter().for_each(|found| out.push(found));
                (Some(game), out)
            }
            Err(more) => {
                out.append(more);
                (None, out)
            }
        }
    }

    /// The game of a definition as it is; none if it is wrong.
    pub fn of(name: String, definition: Definition) -> Option<Game> {
        let board = Board::build(&definition.board).ok()?;
        let (rules, found) = semantics::check(&definition, Arc::new(board));
        let rules = rules.filter(|_| !found.has_errors())?;
        Game::made(name, Arc::new(definition), Arc::new(rules), Passes::ALL).ok()
    }

    /// The game of given rules.
    fn made(
        name: String,
        definition: Arc<Definition>,
        rules: Arc<Rules>,
        passes: Passes,
    ) -> Result<Game, Diagnostics> {
        let (program, steps) = lower::lower(&rules, passes)?;
        let program = Arc::new(program);
        let compiled = Arc::new(Compiled::of(&program));
        Ok(Game { name, definition, rules, program, steps, compiled, guess: Arc::default() })
    }

    /// The same game, its program made with some passes only. It plays the same, at another speed.
    pub fn with_passes(&self, passes: Passes) -> Result<Game, Diagnostics> {
        Game::made(self.name.clone(), self.definition.clone(), self.rules.clone(), passes)
    }

    /// The name of an outcome in records: a player's, `draw`, or `unfinished`; `a & b` where both have won, and
    /// `a > b & c > d` for more than two places.
    pub fn outcome_name(&self, outcome: Option<Outcome>) -> String {
        match outcome {
            None => record::UNFINISHED.to_owned(),
            Some(Outcome::Win(p)) => self.player(p.index()).to_owned(),
            Some(Outcome::Draw | Outcome::Score) => "draw".to_owned(),
            Some(Outcome::Places(places)) => {
                let players = &self.rules.players;
                let at = |place: usize| {
                    let there = players.iter().enumerate().filter(|(p, _)| places.of(*p) == place);
                    there.map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(record::TOGETHER)
                };
                let mut told: Vec<String> = (0..players.len()).map(at).filter(|t| !t.is_empty()).collect();
                // Who comes last of two places goes without saying.
                told.truncate(if told.len() == 2 { 1 } else { told.len() });
                told.join(record::BEFORE)
            }
        }
    }

    /// The teams for people, `north & south, east & west`; none where each plays alone.
    pub fn teams(&self) -> Option<String> {
        let players = &self.rules.players;
        let first = |p: &usize| !(0..*p).any(|other| self.rules.together(other, *p));
        let team = |p: usize| {
            let members = players.iter().enumerate().filter(|(other, _)| self.rules.together(p, *other));
            members.map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(record::TOGETHER)
        };
        let teams: Vec<String> = (0..players.len()).filter(first).map(team).collect();
        (!self.rules.teams.is_empty()).then(|| teams.join(", "))
    }

    /// The outcome if a player resigns: the other side of two wins; with more it is a draw.
    pub fn resigned(&self, player: usize) -> Outcome {
        if self.program.sides() != 2 {
            return Outcome::Draw;
        }
        let won: Vec<i64> =
            (0..self.rules.players.len()).map(|p| i64::from(!self.program.together(p, player))).collect();
        Outcome::of(result::places(&won), won.len()).unwrap_or(Outcome::Draw)
    }

    /// The scores by player's name, if the score decided.
    pub fn score_map(&self, machine: &mut Machine, pos: &Position) -> Option<Map<String, Value>> {
        if !matches!(pos.outcome(&self.program.layout), Some(Outcome::Score | Outcome::Places(_))) {
            return None;
        }
        let scores = machine.scores(pos);
        Some(self.rules.players.iter().cloned().zip(scores.into_iter().map(Value::from)).collect())
    }

    /// The header of its records: its name and options.
    pub fn header(&self) -> Header {
        let options = self.changed_options().into_iter();
        let options = options.map(|(name, value)| (name.to_owned(), record::option_json(value))).collect();
        Header { game: self.name.clone(), options, ..Header::default() }
    }

    /// The reason why a game ended, as records say it.
    pub fn ended_name(&self, ended: EndedBy) -> String {
        match ended {
            EndedBy::End(end) => format!("end.{}", self.program.ends.get(end).map_or("", |end| &end.name)),
            EndedBy::Stuck => record::STUCK.to_owned(),
        }
    }

    /// The options that are not at their defaults, by name.
    pub fn changed_options(&self) -> Vec<(&str, &OptionValue)> {
        self.definition
            .options
            .iter()
            .filter(|o| o.value != o.default)
            .map(|o| (o.name.text.as_str(), &o.value))
            .collect()
    }

    /// The name of a player.
    pub fn player(&self, player: usize) -> &str {
        self.rules.players.get(player).map_or("", String::as_str)
    }

    /// Whether both are the same in all that is ever played: the same program, start, and texts of moves, by
    /// the same players. The names of definitions, variables, decisions and ends make no difference, nor
    /// those of players that no text names, unless two players have exchanged names.
    pub fn is_same_as(&self, other: &Game) -> bool {
        let start = |g: &Game| g.rules.position.as_ref().and_then(|p| p.start.clone());
        self.program.is_same_as(&other.program)
            && self.writes_moves_as(other)
            && start(self) == start(other)
            && self.players_in(other, |name| name).is_sorted()
    }

    /// For each player of this game the player of `other` that is the same: who has the name that `named`
    /// gives, in any order of play. If a player has none of these names, players are matched by order.
    pub fn players_in<'n>(&'n self, other: &'n Game, named: impl Fn(&'n str) -> &'n str) -> Vec<usize> {
        let place = |name: &'n String| other.rules.players.iter().position(|n| named(n) == name);
        let by_name: Option<Vec<usize>> = self.rules.players.iter().map(place).collect();
        by_name.unwrap_or_else(|| (0..self.rules.players.len()).collect())
    }

    /// Whether the text of some move names a player.
    pub fn prints_players(&self) -> bool {
        let decisions = self.rules.decisions.iter().zip(&self.program.decisions);
        let prints = |part: &MovePart, code: &DecisionCode| match part {
            MovePart::Var(i, _) => code.vars.get(*i).is_some_and(|var| var.kind == VarKind::Player),
            MovePart::Literal(_) => false,
        };
        decisions.into_iter().any(|(decision, code)| decision.text.iter().any(|part| prints(part, code)))
    }

    /// A number that is another one for every game that differs in anything that is played or written: its
    /// program, its start, the names of players, kinds and sites, the texts of moves and positions. How its
    /// files are called and written makes no difference. The same on every machine.
    pub fn fingerprint(&self) -> Fingerprint {
        // Each field is named: whoever adds one decides here whether it is in the program or stands for itself.
        let Rules {
            title: _,
            players,
            teams: _,
            board,
            kinds,
            mixed: _,
            owners: _,
            traits: _,
            relations: _,
            defines: _,
            effects: _,
            state,
            locals: _,
            start_sites: _,
            setup: Setup { pieces: _, effects: _, text: setup_text, named },
            position,
            decisions,
            turn: _,
            ends: _,
            score: _,
            match_: _,
        } = &*self.rules;
        let kinds: Vec<_> = kinds.iter().map(|k| (&k.name, &k.letter)).collect();
        let sites: Vec<_> = board.sites().map(|s| (s, board.name(s))).collect();
        let state: Vec<_> = state.iter().map(|v| (&v.name, v.ty, &v.per)).collect();
        let texts: Vec<_> = decisions.iter().map(|d| (&d.name, &d.text)).collect();
        let written = position.as_ref().map(|p| {
            let PositionText { text, turn, spellings, empty, start, tidy: _ } = p;
            (text, turn, spellings, empty, start)
        });
        let plain = self
            .program
            .fingerprint()
            .with(&(players, kinds, sites, board.picture_rows()))
            .with(&(state, texts, setup_text, named, written));
        let joined: Vec<_> =
            decisions.iter().filter_map(|d| d.joined.as_ref().map(|j| (&d.name, j))).collect();
        // Only games that write plies together say how.
        let plain = if joined.is_empty() { plain } else { plain.with(&joined) };
        match self.directions() {
            // Only games that have directions as values write them.
            labels if labels.is_empty() => plain,
            labels => plain.with(&labels),
        }
    }

    /// The names of directions that moves and positions can write.
    fn directions(&self) -> Vec<&str> {
        let chosen = self.program.decisions.iter().flat_map(|d| &d.vars);
        let chosen = chosen.into_iter().any(|var| var.kind == VarKind::Direction);
        let kept = self.rules.state.iter().any(|v| v.ty == Type::Direction);
        let board = &self.rules.board;
        board.named_labels().filter(|_| chosen || kept).map(|dir| board.label(dir)).collect()
    }

    /// Whether both give the same numbers to the same texts of moves: the same decisions in the same places
    /// of the flow, on boards with the same names.
    pub fn writes_moves_as(&self, other: &Game) -> bool {
        let names = |g: &Game| -> Vec<String> {
            let board = &g.rules.board;
            let sites = board.sites().map(|s| board.name(s).to_owned());
            let kinds = g.rules.kinds.iter().map(|k| k.letter.clone());
            let players = g.rules.players.iter().filter(|_| g.prints_players()).cloned();
            let labels = g.directions().into_iter().map(str::to_owned);
            sites.chain(kinds).chain(players).chain(labels).collect()
        };
        let texts = |g: &Game| g.rules.decisions.iter().map(|d| d.text.clone()).collect::<Vec<_>>();
        let leaves = |p: &Program| p.leaves.iter().map(|l| (l.decision, l.base)).collect::<Vec<_>>();
        let vars = |p: &Program| -> Vec<Vec<(VarKind, i32, u32, u32)>> {
            let of =
                |d: &DecisionCode| d.vars.iter().map(|v| (v.kind, v.offset, v.radix, v.multiplier)).collect();
            p.decisions.iter().map(of).collect()
        };
        leaves(&self.program) == leaves(&other.program)
            && vars(&self.program) == vars(&other.program)
            && texts(self) == texts(other)
            && names(self) == names(other)
    }

    /// The text of a move.
    pub fn move_text(&self, number: Move) -> String {
        moves::text(&self.rules, &self.program, number)
    }

    /// The texts of all legal moves, in order.
    pub fn move_texts(&self, moves: &Moves) -> Vec<String> {
        moves::texts(&self.rules, &self.program, moves)
    }

    /// The legal move of a text.
    pub fn read_move(&self, moves: &Moves, text: &str) -> Result<Move, MoveError> {
        moves::read(&self.rules, &self.program, moves, text)
    }

    /// The legal move that somebody typed, in capital or small letters.
    pub fn read_typed(&self, moves: &Moves, text: &str) -> Result<Move, MoveError> {
        moves::read_typed(&self.rules, &self.program, moves, text)
    }

    /// Adds a ply to the text of a turn: see [`turns`].
    pub fn join_text(&self, turn: &mut String, number: Move) {
        turns::join(&self.rules, &self.program, turn, number);
    }

    /// How a ply is written right behind the ply before it in the turn; none where its own text stands there.
    pub fn joined_text(&self, number: Move) -> Option<String> {
        moves::joined(&self.rules, &self.program, number)
    }

    /// The plies that a word means: one, or several of a turn that are written together.
    pub fn read_plies(
        &self,
        machine: &mut Machine,
        pos: &Position,
        history: &History,
        moves: &Moves,
        word: &str,
    ) -> Result<Vec<Move>, MoveError> {
        turns::read(&self.rules, machine, (pos, history, moves), word, false)
    }

    /// The decision that a move is of; none for a pass.
    pub fn decision_of(&self, number: Move) -> Option<&str> {
        moves::decision(&self.rules, &self.program, number).map(|d| d.name.as_str())
    }

    /// Reads and writes its positions.
    pub fn texts(&self) -> Texts<'_> {
        Texts::new(&self.rules, &self.program.layout)
    }

    /// A machine to play it on: after some plies it has the program compiled and runs that. An error if the
    /// program is not sound, which is a mistake of Farrier itself.
    pub fn machine(&self) -> Result<Machine, ProgramError> {
        let machine = self.interpreter()?;
        Ok(machine.with_backend(self.compiled.clone()))
    }

    /// A machine that interprets: it plays the same, slowly, and is ready at once.
    pub fn interpreter(&self) -> Result<Machine, ProgramError> {
        Machine::new(self.program.clone())
    }

    /// The program compiled, which is done once; or why it is not.
    pub fn compiled(&self) -> Result<Arc<dyn Native>, String> {
        self.compiled.get()
    }

    /// The start of a game. `setup` is the name of a set-up, the text of one, or a position's text; without
    /// it the seed deals. A position's text that says whose turn it is starts after the openings.
    pub fn start(
        &self,
        machine: &mut Machine,
        setup: Option<&str>,
        seed: u64,
    ) -> Result<Position, TextError> {
        let Some(text) = setup else {
            let own = self.rules.position.as_ref().and_then(|p| p.start.as_deref());
            return match own {
                None => Ok(machine.start(seed, &mut History::new())),
                Some(text) => {
                    let dealt = machine.blank(crate::play::Dealing::Seed(seed));
                    self.texts().read_start(machine, text, &dealt)
                }
            };
        };
        let texts = self.texts();
        let named = self.rules.setup.named.iter().find(|(n, _)| n == text).map(|(_, t)| t.as_str());
        let text = named.unwrap_or(text);
        if texts.has_setup() {
            let setup = texts.read_setup(machine, text);
            return match setup {
                Ok(pos) => Ok(pos),
                Err(error) => texts.read(machine, text, None).map_err(|_| error),
            };
        }
        texts.read(machine, text, None)
    }
}

/// A program that is compiled when somebody first wants it so.
#[derive(Debug)]
struct Compiled {
    program: Arc<Program>,
    code: OnceLock<Result<Arc<dyn Native>, String>>,
}

impl Compiled {
    fn of(program: &Arc<Program>) -> Compiled {
        Compiled { program: program.clone(), code: OnceLock::new() }
    }

    fn get(&self) -> Result<Arc<dyn Native>, String> {
        self.code.get_or_init(|| compile(&self.program)).clone()
    }
}

impl Backend for Compiled {
    fn native(&self) -> Option<Arc<dyn Native>> {
        self.get().ok()
    }
}

#[cfg(feature = "jit")]
fn compile(program: &Arc<Program>) -> Result<Arc<dyn Native>, String> {
    crate::jit::compile(program).map_err(|error| error.to_string())
}

#[cfg(not(feature = "jit"))]
fn compile(_: &Arc<Program>) -> Result<Arc<dyn Native>, String> {
    Err("Farrier was built without the feature `jit`".to_owned())
}

/// A mistake in a board, at the key that it is in.
fn board_error(definition: &Definition, error: BoardError) -> Diagnostic {
    let board = &definition.board;
    let path = match error.part {
        BoardPart::Shape | BoardPart::Question => format!("board.{}", board.shape.key()),
        BoardPart::Remove(_) => "board.remove".to_owned(),
        BoardPart::WrapColumns | BoardPart::WrapRows => "board.wrap".to_owned(),
        BoardPart::Edges(i) => match &board.shape {
            Shape::Graph { edges } if let Some((forwards, backwards, _)) = edges.get(i) => {
                let backwards = backwards.as_ref().map_or(String::new(), |label| format!(" {label}"));
                format!("board.graph.edges.{forwards}{backwards}")
            }
            _ => "board.graph".to_owned(),
        },
        BoardPart::Direction(i) => {
            format!("directions.{}", board.directions.get(i).map_or("", |direction| &direction.name))
        }
    };
    let parts = definition.said.keys.get(&path);
    let place = parts.and_then(|parts| parts.first()).map_or(definition.board_span, |part| part.span);
    let help = error.nearest.map(|near| format!("did you mean `{near}`?"));
    Diagnostic { help, ..Diagnostic::error("board", place, error.message) }
}
