//! One definition, tried out: it is loaded, and the interpreter, compiled code and the naive evaluator play
//! the same random games of it in lockstep. Whatever differs, panics or is called a mistake of Farrier itself
//! is a [`Finding`].
//!
//! The naive evaluator follows afterwards, in a thread of its own with a deep stack: it is as recursive as
//! rules are, and its own end must not look like one of Farrier's.

use std::sync::Arc;
use std::time::{Duration, Instant};

use farrier::analysis::perft::{Leaves, Perft};
use farrier::analysis::{playout, replay};
use farrier::definition::Choices;
use farrier::game::Game;
use farrier::jit::Checked;
use farrier::notation::moves::MoveError;
use farrier::notation::record::Record;
use farrier::play::{Dealing, History, Machine, Move, Moves, Position, Rng};
use farrier::program::{DealTo, slot};
use farrier::shipped::Shipped;
use farrier::source::{FileError, Files, Sources};

use super::caught::{Finding, calm, found};
use super::follow::{Seen, Trace, follow, naive_knows};
use super::word::Word;
use crate::random;

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Games of each set of options.
    pub games: u64,
    /// Plies of each game.
    pub plies: u32,
    /// Expressions that the naive evaluator may evaluate for a game; it stops there.
    pub fuel: u64,
    /// When a definition was tried out enough, looked at between two plies.
    pub time: Duration,
    /// Told what is done next.
    pub stage: fn(&str),
}

/// What happened to a definition without a finding.
#[derive(Clone, Default, Debug)]
pub struct Tried {
    /// Whether it could be loaded.
    pub loaded: bool,
    /// Of one that could not be: the codes and messages of its errors.
    pub refused: Vec<String>,
    /// Plies that were played.
    pub plies: u32,
    /// Words of several plies that were read again.
    pub words: u32,
    /// Plies that the naive evaluator followed.
    pub followed: u32,
    /// Whether its program was compiled.
    pub compiled: bool,
}

/// One text in front of the shipped games.
struct One<'a>(&'a str);

/// What the text is called.
const NAME: &str = "./fuzz.toml";

impl Files for One<'_> {
    fn read(&self, path: &str) -> Result<String, FileError> {
        if path == NAME { Ok(self.0.to_owned()) } else { Shipped.read(path) }
    }

    fn names(&self) -> Vec<String> {
        Shipped::list()
    }
}

/// Tries a definition out, with its own options and with others.
pub fn try_out(text: &str, seed: u64, limits: &Limits) -> Result<Tried, Finding> {
    let until = Instant::now() + limits.time;
    let mut tried = Tried::default();
    let Some(game) = load(text, &Choices::default(), limits, &mut tried)? else { return Ok(tried) };
    tried.loaded = true;
    play_all(&game, seed, limits, until, &mut tried)?;
    if !game.definition.options.is_empty() {
        let mut rng = Rng::new(seed);
        for _ in 0..2 {
            let choices = random::choices(&game, &mut rng);
            if let Some(game) = load(text, &choices, limits, &mut tried)? {
                play_all(&game, seed, limits, until, &mut tried)?;
            }
        }
    }
    Ok(tried)
}

fn load(text: &str, choices: &Choices, limits: &Limits, tried: &mut Tried) -> Result<Option<Game>, Finding> {
    (limits.stage)("loading");
    calm("loading", || {
        let mut sources = Sources::default();
        let (game, found) = Game::load(NAME, &One(text), choices, &mut sources);
        for label in found.0.iter().flat_map(|d| &d.labels) {
            sources.line_column(label.span);
            sources.slice(label.span);
        }
        if game.is_some() == found.has_errors() {
            return Err(Finding::new("errors beside a game, or neither", format!("{found:?}")));
        }
        let Some(game) = game else {
            tried.refused = found
                .0
                .iter()
                .map(|d| format!("{}: {} at `{}`", d.code, d.message, sources.slice(d.span())))
                .collect();
            return Ok(None);
        };
        // A start that cannot be read is a mistake of the definition; `check` says where.
        let machine = game.interpreter().ok();
        if let Some(Err(e)) = machine.map(|mut machine| game.start(&mut machine, None, 0)) {
            tried.refused = vec![format!("setup: {}", e.message)];
            return Ok(None);
        }
        (limits.stage)("listing");
        let _ = farrier::program::listing(&game.program).to_string();
        Ok(Some(game))
    })
}

/// Without numbers and names: what is left says what sort of message it is.
pub fn sort_of(message: &str) -> String {
    let mut out = String::new();
    for (i, part) in message.split('`').enumerate() {
        let kept: String = if i % 2 == 1 { "`..`".to_owned() } else { part.to_owned() };
        out.extend(kept.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }));
    }
    while out.contains("##") {
        out = out.replace("##", "#");
    }
    out
}

fn play_all(
    game: &Game,
    seed: u64,
    limits: &Limits,
    until: Instant,
    tried: &mut Tried,
) -> Result<(), Finding> {
    for n in 0..limits.games {
        if Instant::now() > until {
            break;
        }
        let seed = seed.wrapping_mul(31).wrapping_add(n);
        (limits.stage)("playing");
        // Checked code goes first: what it finds would be a crash without.
        let code = if n % 2 == 0 { Code::Checked } else { Code::Compiled };
        let perft = n % 3 == 2;
        let trace = calm("playing", || Table::new(game, code, perft, tried)?.play(seed, limits, until))?;
        tried.plies += trace.plies.len() as u32;
        tried.words += trace.words;
        if n % 2 == 0 && !perft && naive_knows(game) {
            (limits.stage)("the naive evaluator");
            tried.followed += follow(game, &trace, limits.fuel)?;
        }
        // That asks for some hundred plies, which are too many where a few took all the time there is.
        if n < 2 && Instant::now() < until {
            (limits.stage)("perft, records and playing at one go");
            calm("perft, records or playing at one go", || more(game, code, seed, limits, &trace))?;
        }
    }
    Ok(())
}

/// More moves than this are not gone through one by one.
const MANY: usize = 2_000;

/// What plays beside the interpreter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Code {
    /// Compiled code.
    Compiled,
    /// Compiled code that looks at every index before it is used.
    Checked,
}

/// The machines that play one game in lockstep. The first one interprets.
struct Table<'g> {
    game: &'g Game,
    machines: Vec<(&'static str, Machine)>,
    checked: Option<Arc<Checked>>,
}

impl<'g> Table<'g> {
    fn new(game: &'g Game, code: Code, perft: bool, tried: &mut Tried) -> Result<Table<'g>, Finding> {
        let mistake = |what: &str, message: String| {
            Finding::new(format!("mistake of Farrier: {what}: {}", sort_of(&message)), message)
        };
        let unsound = |e: farrier::program::ProgramError| mistake("unsound", e.to_string());
        let mut machines = vec![("interpreter", game.interpreter().map_err(unsound)?)];
        let mut checked = None;
        let ready = match code {
            Code::Compiled => match game.compiled() {
                Ok(_) => Ok(("compiled", game.machine().map_err(unsound)?)),
                Err(message) => Err(message),
            },
            Code::Checked => match farrier::jit::compile_checked(&game.program) {
                Ok(code) => {
                    checked = Some(code.clone());
                    Ok(("checked", game.interpreter().map_err(unsound)?.with_backend(code)))
                }
                Err(error) => Err(error.to_string()),
            },
        };
        match ready {
            Ok((name, mut machine)) => {
                if !machine.warm_up() {
                    return Err(mistake("compiled code", "it is not used".to_owned()));
                }
                machines.push((name, machine));
                tried.compiled = true;
            }
            Err(message) if message.contains("too large") => {}
            Err(message) => return Err(mistake("compiler", message)),
        }
        for (_, machine) in &mut machines {
            machine.set_perft(perft);
            machine.set_hashing(true);
        }
        Ok(Table { game, machines, checked })
    }

    /// Whether checked code came to an index that is none.
    fn fault(&self, after: &str) -> Result<(), Finding> {
        match self.checked.as_ref().and_then(|code| code.fault()) {
            Some(fault) => {
                Err(Finding::new(format!("checked code: {}", fault.operation), format!("{fault}; {after}")))
            }
            None => Ok(()),
        }
    }

    /// A random game.
    fn play(&mut self, seed: u64, limits: &Limits, until: Instant) -> Result<Trace, Finding> {
        let played = self.play_on(seed, limits, until);
        // An index that is none is the cause, whatever came of it.
        self.fault(&format!("seed {seed}"))?;
        played
    }

    fn play_on(&mut self, seed: u64, limits: &Limits, until: Instant) -> Result<Trace, Finding> {
        let Table { game, machines, .. } = self;
        let mut rng = Rng::new(seed);
        let start = match game.start(&mut machines[0].1, None, seed) {
            Ok(start) => start,
            Err(e) => return Err(Finding::new("the start cannot be read", e.message)),
        };
        let mut trace =
            Trace { deals: deals(game, &machines[0].1.blank(Dealing::Seed(seed))), plies: vec![], words: 0 };
        let count = machines.len();
        let mut positions = vec![start; count];
        let mut histories = vec![History::new(); count];
        let mut moves = vec![Moves::new(); count];
        for (i, (_, machine)) in machines.iter_mut().enumerate() {
            histories[i].push(machine.full_hash(&positions[i]));
            machine.moves(&positions[i], &mut moves[i]);
        }
        let mut line: Vec<String> = Vec::new();
        let mut word = Word::default();
        for ply in 0..=limits.plies {
            let after =
                format!("options {:?}, seed {seed}, after [{}]", game.changed_options(), line.join(" "));
            for i in 1..count {
                let names = format!("({}, {})", machines[0].0, machines[i].0);
                if positions[0] != positions[i] {
                    let what = unlike(game, &positions[0], &positions[i]);
                    return Err(Finding::new(
                        format!("position {names}: {}", what.0),
                        format!("{}; {after}", what.1),
                    ));
                }
                if moves[0] != moves[i] {
                    let lists = [0, i].map(|i| texts_of(game, &moves[i]));
                    let class = format!("moves {names}");
                    return Err(Finding::new(class, format!("{lists:?}; {after}")));
                }
            }
            let scores: Vec<Vec<i32>> =
                machines.iter_mut().zip(&positions).map(|((_, m), pos)| m.scores(pos)).collect();
            if scores.iter().any(|s| *s != scores[0]) {
                return Err(Finding::new(
                    format!("scores (interpreter, {})", machines[count - 1].0),
                    format!("{scores:?}; {after}"),
                ));
            }
            let outcome = machines[0].1.outcome(&positions[0]);
            let mover = (!moves[0].is_chance() && !moves[0].is_empty()).then(|| moves[0].mover());
            let many = moves[0].len() > MANY;
            let mut texts = if many { Vec::new() } else { texts_of(game, &moves[0]) };
            texts.sort_unstable();
            let joined = moves[0].iter().filter(|_| !many).filter_map(|m| game.joined_text(m));
            let mut joined: Vec<String> = joined.collect();
            joined.sort_unstable();
            let pieces = game.rules.board.sites().map(|s| {
                let single = |(owner, kind): (u8, u8)| {
                    let owner = (usize::from(owner) < game.rules.players.len()).then_some(usize::from(owner));
                    (owner, usize::from(kind))
                };
                positions[0].stack(&game.program.layout, s.index()).into_iter().map(single).collect()
            });
            trace.plies.push(Seen {
                texts,
                joined,
                mover,
                pieces: pieces.collect(),
                result: outcome.map(|o| playout::outcome_name(game, Some(o))),
                scores: scores.into_iter().next().unwrap_or_default(),
                played: None,
            });
            let hash = machines[0].1.full_hash(&positions[0]);
            if ply > 0 && positions[0].hash() != hash {
                return Err(Finding::new("the hash that is kept", after));
            }
            read_back(game, &mut machines[0].1, &positions[0], &moves[0], seed, &after)?;
            if !many {
                let number = moves[0].nth(rng.pick(moves[0].len()));
                number.map_or(Ok(()), |number| notation(game, &moves[0], number, &after))?;
            }
            if outcome.is_some() || many || ply == limits.plies || Instant::now() > until {
                break;
            }
            make_some(machines, &positions[0], &moves[0], &mut rng, &after)?;
            let Some(number) = playout::draw(&mut machines[0].1, &positions[0], &moves[0], &mut rng) else {
                return Err(Finding::new("nobody can move and the game is not over", after));
            };
            word.ply(game, &mut machines[0].1, (&positions[0], &histories[0], &moves[0]), number)?;
            let text = game.move_text(number);
            if let Some(seen) = trace.plies.last_mut() {
                seen.played = Some(text.clone());
            }
            line.push(text);
            for (i, (_, machine)) in machines.iter_mut().enumerate() {
                let (pos, history, moves) = (&mut positions[i], &mut histories[i], &mut moves[i]);
                play_by_turns(machine, ply, number, (pos, history, moves));
            }
        }
        word.end(game, &mut machines[0].1)?;
        trace.words = word.read;
        Ok(trace)
    }
}

/// The numbers that were dealt, by state variable.
fn deals(game: &Game, pos: &Position) -> Vec<(usize, Vec<i32>)> {
    let layout = &game.program.layout;
    let of = |d: &farrier::program::Deal| {
        let state = game.rules.state.iter().position(|v| v.name == d.name)?;
        let number = |s: &u16| match d.to {
            DealTo::Dealt(base) | DealTo::Lots(base) => pos.dealt()[base + usize::from(*s)],
            DealTo::Slots(base) => pos.slot(layout, base + usize::from(*s)),
        };
        Some((state, d.sites.iter().map(number).collect()))
    };
    layout.deals.iter().filter_map(of).collect()
}

/// In what two positions differ: the names, and the values.
fn unlike(game: &Game, a: &Position, b: &Position) -> (String, String) {
    let layout = &game.program.layout;
    let slots = (0..layout.slots.len()).filter(|s| a.slot(layout, *s) != b.slot(layout, *s));
    let layers = (0..layout.layers.len()).filter(|l| a.layer(layout, *l) != b.layer(layout, *l));
    let (mut names, mut values) = (Vec::new(), Vec::new());
    for s in slots {
        let name = &layout.slots[s].name;
        // What a game named by itself says nothing of the cause.
        names.push(if s < slot::COUNT { name.as_str() } else { "a state" });
        values.push(format!("{name}: {} and {}", a.slot(layout, s), b.slot(layout, s)));
    }
    for l in layers {
        names.push("a set");
        values.push(format!(
            "{}: {:?} and {:?}",
            layout.layers[l].name,
            a.layer(layout, l),
            b.layer(layout, l)
        ));
    }
    if a.dealt() != b.dealt() {
        names.push("what was dealt");
    }
    names.dedup();
    if names.is_empty() {
        names.push("the hash");
    }
    (names.join(", "), values.join(", "))
}

fn texts_of(game: &Game, moves: &Moves) -> Vec<String> {
    let shown = moves.iter().take(MANY);
    shown.map(|m| game.move_text(m)).collect()
}

/// All that a position is, without its hash and without what is only remembered to look less far.
fn told(game: &Game, pos: &Position) -> Vec<u64> {
    let layout = &game.program.layout;
    let mut words = pos.words().to_vec();
    words[0] = 0;
    for (i, _) in layout.slots.iter().enumerate().filter(|(_, slot)| slot.memo) {
        words[layout.slots_at() + i / 2] &= !(0xffff_ffff << (32 * (i % 2)));
    }
    words
}

/// The text of a position gives the same position and the same moves.
fn read_back(
    game: &Game,
    machine: &mut Machine,
    pos: &Position,
    moves: &Moves,
    seed: u64,
    after: &str,
) -> Result<(), Finding> {
    let text = game.texts().write(machine, pos);
    let again = match game.start(machine, Some(&text), seed) {
        Ok(again) => again,
        Err(e) => {
            let class = format!("a position's text is not read: {}", sort_of(&e.message));
            return Err(Finding::new(class, format!("`{text}`: {}; {after}", e.message)));
        }
    };
    // What came before, on which moves may depend, is not in the text.
    if game.program.bars_repeats() {
        return Ok(());
    }
    if told(game, &again) != told(game, pos) || again.dealt() != pos.dealt() {
        let (what, values) = unlike(game, pos, &again);
        let report = format!("`{text}` gives {values}; {after}");
        return found(Finding::new(format!("a position's text gives another: {what}"), report));
    }
    let mut found = Moves::new();
    machine.moves(&again, &mut found);
    if found != *moves {
        return Err(Finding::new("a position's text gives other moves", format!("`{text}`; {after}")));
    }
    Ok(())
}

/// The text of a move is read as that move, unless another has it too.
fn notation(game: &Game, moves: &Moves, number: Move, after: &str) -> Result<(), Finding> {
    let text = game.move_text(number);
    match game.read_move(moves, &text) {
        Ok(found) if found == number => Ok(()),
        Err(MoveError::Ambiguous) => Ok(()),
        other => Err(Finding::new("a move's text is not read", format!("`{text}` is {other:?}; {after}"))),
    }
}

/// Makes the first moves of a position, one after the other: as each is made alone.
fn make_some(
    machines: &mut [(&'static str, Machine)],
    pos: &Position,
    moves: &Moves,
    rng: &mut Rng,
    after: &str,
) -> Result<(), Finding> {
    let mut some = moves.clone();
    let most = (1 + rng.pick(moves.len().min(64))).min(moves.len());
    some.keep_first(most);
    let Some(last) = some.iter().last() else { return Ok(()) };
    let mut alone = pos.clone();
    let first = &mut machines[0].1;
    first.apply(&mut alone, last);
    let ended = alone.slot(first.layout(), slot::RESULT) != 0;
    let mut made: Option<Position> = None;
    for (name, machine) in machines {
        let mut next = pos.clone();
        let count = machine.make_each(pos, &some, &mut next);
        // The ends are looked at when a move is made alone.
        let same = ended || next.words()[1..] == alone.words()[1..];
        if count != most as u64 || !same || made.as_ref().is_some_and(|m| *m != next) {
            return Err(Finding::new(
                format!("moves made one after the other ({name})"),
                format!("the first {most}; {after}"),
            ));
        }
        made = Some(next);
    }
    Ok(())
}

/// Perft counted and made, records played again, random play at one go.
fn more(game: &Game, code: Code, seed: u64, limits: &Limits, trace: &Trace) -> Result<(), Finding> {
    let mut table = Table::new(game, code, false, &mut Tried::default())?;
    let done = more_on(&mut table, seed, limits, trace);
    table.fault(&format!("perft and playing at one go, seed {seed}"))?;
    done
}

fn more_on(table: &mut Table<'_>, seed: u64, limits: &Limits, trace: &Trace) -> Result<(), Finding> {
    let Table { game, machines, .. } = table;
    let width = trace.plies.iter().map(|p| p.texts.len()).max().unwrap_or(0);
    let start = |machine: &mut Machine| {
        game.start(machine, None, seed).map_err(|e| Finding::new("the start cannot be read", e.message))
    };
    if (1..=40).contains(&width) {
        let mut counts = Vec::new();
        for (_, machine) in machines.iter_mut() {
            let pos = start(machine)?;
            for leaves in [Leaves::Counted, Leaves::Made] {
                counts.push(Perft::new(machine, leaves).count(&pos, 2));
            }
        }
        if counts.iter().any(|n| *n != counts[0]) {
            return Err(Finding::new("perft (counted, made)", format!("{counts:?}, seed {seed}")));
        }
    }
    let mut ends = Vec::new();
    for (_, machine) in machines.iter_mut() {
        let mut pos = start(machine)?;
        let (mut history, mut moves, mut rng) = (History::new(), Moves::new(), Rng::new(seed));
        machine.settle_hash(&mut pos);
        history.push(machine.full_hash(&pos));
        machine.moves(&pos, &mut moves);
        let plies =
            playout::play_out(machine, &mut pos, &mut history, &mut moves, &mut rng, limits.plies).plies;
        ends.push((plies, pos, history, moves, rng));
    }
    if ends.iter().any(|end| *end != ends[0]) {
        return Err(Finding::new("playing at one go", format!("seed {seed}")));
    }
    // A text that several moves have is a mistake of the definition, and so is a set-up that is not told.
    let ambiguous =
        trace.plies.iter().any(|p| p.texts.windows(2).any(|two| two[0] == two[1]) || p.texts.is_empty());
    if let (false, Some(machine)) =
        (ambiguous || game.texts().has_setup(), machines.last_mut().map(|(_, m)| m))
    {
        let start = start(machine)?;
        let mut record = playout::record(game, machine, &start, seed, limits.plies);
        record.header.seed = Some(seed);
        let text = record.write();
        let read = Record::read(&text).map_err(|e| Finding::new("a record is not read", e.message))?;
        if let Err(e) = replay::verify(game, &read)
            && !e.message.contains("is the text of two moves")
        {
            let class = format!("a record does not replay: {}", sort_of(&e.message));
            return Err(Finding::new(class, format!("ply {}: {}, seed {seed}", e.ply, e.message)));
        }
    }
    Ok(())
}

/// Does a move in one of the ways in which it can be done: at once, move and rest apart, or the moves for themselves.
pub fn play_by_turns(
    machine: &mut Machine,
    ply: u32,
    number: Move,
    (pos, history, moves): (&mut Position, &mut History, &mut Moves),
) {
    match ply % 3 {
        0 => machine.play(pos, number, history, moves),
        1 => {
            machine.apply(pos, number);
            machine.resolve(pos, history, moves);
        }
        _ => {
            machine.play_on(pos, number, history, moves);
            machine.list(pos, moves);
        }
    }
}
