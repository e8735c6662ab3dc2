//! Looking for mistakes: a definition is loaded under every option and pair of options, played at random to
//! find mistakes that only play shows, and its own tests are run.
//!
//! A mistake that makes a definition unusable is an error, and so is a test that fails. A certain mistake is a warning:
//! that no game ever ended, that an option changes nothing. A possible mistake is a note: that something
//! never came up ([`super::seen`]), that a rule was replaced where it could have been added to.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use rayon::prelude::*;

use super::one_text::{differing, one_text};
use super::options::{self, Tried};
use super::own_tests::{self, Run, Verdict};
use super::playout::draw;
use super::seen::{Seen, Watch};
use super::slow;
use crate::definition::{self, Choices, Definition, Holds, Join, Parsed, Replaced};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::game::Game;
use crate::limits::LOAD_STEPS;
use crate::notation::position::TextError;
use crate::play::{History, Machine, Moves, Rng};
use crate::source::{FileId, Files, Source, Sources, Span};
use crate::wording::many;

/// How much is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Random games with the options at their defaults.
    pub games: u32,
    /// Random games of each other combination.
    pub others: u32,
    /// The most plies of a game.
    pub plies: u32,
    /// The most legal moves that are looked at in all: a bound of time that needs no clock.
    pub moves: u64,
    /// The most combinations of options that are loaded.
    pub combinations: usize,
    /// The greatest perft count of a test that is looked at.
    pub perft: u64,
    /// The most steps of loading them, about.
    pub loads: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort {
            games: 20,
            others: 3,
            plies: 500,
            moves: 6_000_000,
            combinations: 2000,
            loads: 100_000_000,
            perft: 1_000_000,
        }
    }
}

/// The findings.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// Errors and warnings, each once: its context says in which combination it appeared first.
    pub findings: Vec<Diagnostic>,
    /// Notes; those with the codes of [`ASIDE`] are shown only on request.
    pub notes: Vec<Diagnostic>,
    /// How many options the game has.
    pub options: usize,
    /// How many combinations of them were loaded.
    pub combinations: usize,
    /// How many more there are, which were left out.
    pub left_out: usize,
    /// The coverage of random games.
    pub seen: Seen,
    /// How the definition's tests went, each with its own options.
    pub tests: Vec<Verdict>,
    /// How many tests were not run, for the definition has errors.
    pub untested: usize,
}

impl Checked {
    /// Whether anything makes the definition unusable.
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(|d| d.severity == Severity::Error)
    }
}

/// Warnings that say that something has no use. Under one option it may have none and under another one
/// it has: they count only where they appear in every combination that has the thing.
pub const IDLE: [&str; 4] = ["unused", "unreachable", "motionless", "off-board"];

/// Notes on patterns that are often intended or seldom matter.
pub const ASIDE: [&str; 5] = ["replaced", "replaced-by-child", "never-taken", "never-here", "never-changed"];

/// How many combinations are in memory at once.
const AT_ONCE: usize = 16;

/// Steps for each site of a board.
const BOARD: usize = 20;

/// So many operations are about as much work as looking at a move.
const OPERATIONS: u64 = 250;

/// Checks a definition, the extension files given taking part like options of its own.
pub fn check(
    name: &str,
    extensions: &[String],
    files: &dyn Files,
    sources: &mut Sources,
    effort: &Effort,
) -> Checked {
    let mut out = Checked::default();
    let mut local = Sources::default();
    let all = Choices { with: extensions.to_vec(), ..Choices::default() };
    let (definition, mut found) = definition::load(name, files, &all, &mut local);
    let Some(definition) = definition else {
        out.combinations = 1;
        out.findings = Kept::of(&local, sources).all(found).0;
        return out;
    };
    out.options = definition.options.len();
    let (combinations, left_out) = definition::combinations(&definition.options, effort.combinations.max(1));
    out.left_out = left_out;

    let shown = if name.ends_with(".toml") { name.to_owned() } else { format!("{name}.toml") };
    let own = |span: Span, sources: &Sources| {
        let file = sources.get(span.file).map(|s| s.name.as_str());
        file.is_none_or(|file| file == shown || file == name || extensions.iter().any(|e| e == file))
    };
    let mut notes = Notes::default();
    let mut tried = BTreeMap::new();
    let share = effort.moves / combinations.len().max(1) as u64;
    let (mut first, mut loads) = (true, 0);
    let mut parsed: HashMap<Vec<&str>, (Parsed, Sources)> = HashMap::new();
    for some in combinations.chunks(AT_ONCE) {
        let mut loaded = Vec::new();
        for choices in some {
            if loads > effort.loads {
                out.left_out += 1;
                continue;
            }
            out.combinations += 1;
            // Each set of files is parsed once.
            let (parsed, local) = parsed.entry(choices.files().collect()).or_insert_with(|| {
                let mut local = Sources::default();
                (Parsed::new(name, files, choices, &mut local), local)
            });
            let (game, found) = Game::choose(name, parsed, choices);
            loads += weight(local, game.as_ref(), &found);
            let kept = Kept::of(local, sources);
            let mut found = kept.all(found);
            found.0.iter_mut().for_each(|d| d.context = choices.told());
            // A thing of a parent that a child does not need is no mistake of either.
            found.0.retain(|d| !IDLE.contains(&d.code) || own(d.span(), sources));
            notes.add(found, game.as_ref().map(|g| names_of(&g.definition, &kept)));
            if let Some(game) = game {
                loaded.push((game, kept, choices, std::mem::take(&mut first)));
            }
        }
        let played: Vec<Played> = loaded
            .par_iter()
            .map(|(game, _, _, first)| {
                let games = if *first { effort.games } else { effort.others };
                play(game, games, effort.plies, if *first { share.max(effort.moves / 4) } else { share })
            })
            .collect();
        for ((game, kept, choices, _), played) in loaded.iter().zip(played) {
            let mut found = kept.all(Diagnostics(played.found));
            found.0.iter_mut().for_each(|d| d.context = choices.told());
            for d in found.0 {
                // One text, many positions: one report of each pair of decisions is enough.
                if !notes.findings.iter().any(|e| e.code == d.code && spans(e) == spans(&d)) {
                    notes.findings.push(d);
                }
            }
            notes.replaced(&game.definition, kept, |span| own(span, sources));
            let turn = kept.span(game.definition.turn.span);
            notes.ended(played.seen.ended, played.seen.cut, turn, choices);
            out.seen.add(played.seen.placed(|span| kept.span(span)));
            let game = options::number(game);
            tried.insert((*choices).clone(), Tried { game, traces: played.traces });
        }
    }
    let kept = Kept::of(&local, sources);
    // No combination has an extension that was given up: a second one of a name, one of too many.
    found.0.retain(|d| matches!(d.code, "double-name" | "file"));
    notes.add(kept.all(found), None);
    notes.never_ends(&out.seen, effort.plies);
    let said = options::notes(&definition.options, &tried, out.left_out == 0, |o| {
        own(kept.span(o.name.span), sources)
    });
    notes.more.extend(kept.all(Diagnostics(said)).0);
    if notes.findings.iter().any(|d| d.severity == Severity::Error) {
        out.untested = definition.tests.len();
    } else {
        let how = Run { given: Choices::default(), most: effort.perft };
        out.tests = tested(name, &definition, &how, files, &kept, sources);
        notes.findings.extend(out.tests.iter().flat_map(failed));
        if !extensions.is_empty() {
            let how = Run { given: all, ..how };
            let with = tested(name, &definition, &how, files, &kept, sources);
            notes.more.extend(broken_by(&out.tests, &with, &how.given));
        }
    }
    notes.finish(&mut out);
    out
}

/// Runs the tests of a definition.
fn tested(
    name: &str,
    definition: &Definition,
    how: &Run,
    files: &dyn Files,
    kept: &Kept,
    sources: &mut Sources,
) -> Vec<Verdict> {
    let mut local = Sources::default();
    let mut verdicts = own_tests::run(name, definition, how, files, &mut local);
    let later = Kept::of(&local, sources);
    for verdict in &mut verdicts {
        verdict.span = kept.span(verdict.span);
        let loaded = verdict.failures.iter().any(|d| d.code != "test");
        let failures = Diagnostics(std::mem::take(&mut verdict.failures));
        // A test stands in the definition; the errors of loading it, in the files read for it.
        verdict.failures = if loaded { later.all(failures).0 } else { kept.all(failures).0 };
    }
    verdicts
}

/// The failures of a test, each of which names it.
fn failed(verdict: &Verdict) -> impl Iterator<Item = Diagnostic> {
    verdict.failures.iter().map(|d| {
        let message = format!("the test \"{}\" fails: {}", verdict.name, d.message);
        Diagnostic { message, context: verdict.choices.told(), ..d.clone() }
    })
}

/// Tests that pass by themselves, and not with all extensions: a note, for an extension may be there to change
/// just that.
fn broken_by(alone: &[Verdict], with: &[Verdict], given: &Choices) -> Option<Diagnostic> {
    let both = alone.iter().zip(with).filter(|(a, b)| a.passed() && !b.failures.is_empty());
    let broken: Vec<&Verdict> = both.map(|(_, b)| b).collect();
    let (first, given) = (broken.first()?, given.told().unwrap_or_default());
    let names: Vec<String> = broken.iter().map(|v| format!("\"{}\"", v.name)).collect();
    let (n, all) = (names.len(), with.len());
    let all = many(all as u64, "test");
    let message = format!("{given} {n} of {all} would fail: {}", some(&names, ", "));
    Some(
        Diagnostic::note("test-with", first.span, message)
            .help("`farrier test` with the same options shows how; no mistake if that is what it is for"),
    )
}

/// About how many steps it took to load a combination: to merge and check its texts, and to make its board and its
/// program. A program beyond the limits takes all steps there are.
fn weight(sources: &Sources, game: Option<&Game>, found: &Diagnostics) -> u64 {
    let texts: usize = sources.iter().map(|(_, source)| source.text.len()).sum();
    let made = match game {
        Some(game) => game.steps + (BOARD * game.program.layout.sites) as u64,
        None if found.0.iter().any(|d| d.code == "limit") => LOAD_STEPS,
        None => 0,
    };
    2 * texts as u64 + made
}

/// The findings so far.
#[derive(Default)]
struct Notes {
    findings: Vec<Diagnostic>,
    /// Findings of [`IDLE`], and in how many combinations they appeared.
    idle: Vec<(Diagnostic, usize)>,
    /// In how many playable combinations a name stands.
    names: BTreeMap<Span, usize>,
    /// Combinations in which games went on for ever and none ended, and those in which some ended.
    endless: Vec<Choices>,
    ending: usize,
    /// Where the turn is described.
    turn: Span,
    /// Other notes.
    more: Vec<Diagnostic>,
}

impl Notes {
    /// Adds the findings of one combination, and the places of its names if it can be played.
    fn add(&mut self, found: Diagnostics, names: Option<BTreeSet<Span>>) {
        let playable = names.is_some();
        for span in names.into_iter().flatten() {
            *self.names.entry(span).or_default() += 1;
        }
        for d in found.0 {
            if IDLE.contains(&d.code) {
                // Beside errors such a warning is a consequence as likely as not.
                let known = self.idle.iter_mut().find(|(e, _)| alike(e, &d));
                match known.filter(|_| playable) {
                    Some((_, times)) => *times += 1,
                    None if playable => self.idle.push((d, 1)),
                    None => {}
                }
            } else if !self.findings.iter().any(|e| alike(e, &d)) {
                self.findings.push(d);
            }
        }
    }

    fn finish(self, out: &mut Checked) {
        let mut findings = Diagnostics(self.findings);
        let mut idle: BTreeSet<Span> = BTreeSet::new();
        for (d, times) in self.idle {
            // A name that is not known stands in every combination, for all that is known.
            let all = self.names.get(&d.span()).or(self.names.values().max()).copied().unwrap_or(0);
            if times >= all {
                idle.insert(d.span());
                findings.push(d);
            }
        }
        let (said, certain): (Vec<_>, Vec<_>) =
            self.more.into_iter().partition(|d| d.severity == Severity::Note);
        certain.into_iter().for_each(|d| findings.push(d));
        findings.sort();
        let unusable = findings.0.iter().any(|d| d.severity == Severity::Error && d.code != "test");
        out.findings = findings.0;
        if unusable {
            return;
        }
        let mut notes = Diagnostics(out.seen.notes(&idle));
        said.into_iter().for_each(|d| notes.push(d));
        notes.sort();
        out.notes = notes.0;
    }

    /// Whether games of one combination ended.
    fn ended(&mut self, ended: u64, cut: u64, turn: Span, choices: &Choices) {
        self.turn = turn;
        self.ending += usize::from(ended > 0);
        if ended == 0 && cut > 0 {
            // Games that never end with an option mostly never end with a further one.
            if !self.endless.iter().any(|fewer| fewer.is_within(choices)) {
                self.endless.push(choices.clone());
            }
        }
    }

    /// Games that never ended: certainly a mistake if no combination has one that did.
    fn never_ends(&mut self, seen: &Seen, plies: u32) {
        let plies = many(u64::from(plies), "ply");
        let help = "see that every game ends at last, if only by a count of plies in which nothing happened";
        if self.endless.is_empty() {
            return;
        }
        if self.ending == 0 {
            let message = format!("no random game ended: {} went on after {plies}", seen.cut);
            self.more.push(Diagnostic::warning("never-ends", self.turn, message).help(help));
            return;
        }
        let names = self.endless.iter().map(|c| c.told().unwrap_or("with no option changed".to_owned()));
        let names: Vec<String> = names.collect();
        let message = format!("no random game ended within {plies} {}", some(&names, "; "));
        self.more.push(Diagnostic::note("never-ends", self.turn, message).help(help));
    }

    /// Rules that overlays replaced. Those of a decision and other effects and conditions are nearly always
    /// meant to be added to; any other rule may as well be meant to be another one.
    fn replaced(&mut self, definition: &Definition, kept: &Kept, own: impl Fn(Span) -> bool) {
        for Replaced { path, holds, old, new, lost } in &definition.said.replaced {
            let span = kept.span(new.span);
            let origin = definition.origins.get(new.origin);
            if !own(span) || self.more.iter().any(|d| d.span() == span && d.code.starts_with("replace")) {
                continue;
            }
            let option = origin.is_some_and(|o| o.option.is_some());
            let code = match holds {
                _ if !option => "replaced-by-child",
                Holds::Effects | Holds::Condition => "replaces",
                _ => "replaced",
            };
            let who = origin.map_or("", |o| o.name.as_str());
            let key = path.rsplit('.').next().unwrap_or(path);
            let lost = some(lost, "; ");
            let message =
                format!("{who} replaces `{path}`: `{lost}` is lost, which `{key}.{}` keeps", usual(*holds));
            let words: Vec<String> = holds.joins().iter().map(|j| format!("`.{}`", j.word())).collect();
            self.more.push(
                Diagnostic::note(code, span, message)
                    .here("all that it says now")
                    .and(kept.span(old.span), "replaced")
                    .help(format!("what is joined to a key adds to it: {}", words.join(", "))),
            );
        }
    }
}

/// The first few of a list.
fn some(list: &[String], between: &str) -> String {
    let few = list.get(..3).filter(|_| list.len() > 3);
    few.map_or_else(|| list.join(between), |few| format!("{}{between}...", few.join(between)))
}

/// The most usual word that joins values of a key.
fn usual(holds: Holds) -> &'static str {
    let word = match holds {
        Holds::Effects | Holds::Flows => Join::Then,
        Holds::Condition => Join::And,
        _ => holds.joins().first().copied().unwrap_or(Join::Or),
    };
    word.word()
}

/// Whether two findings are one, seen in different combinations.
fn alike(a: &Diagnostic, b: &Diagnostic) -> bool {
    (a.severity, a.code, &a.message, &a.labels) == (b.severity, b.code, &b.message, &b.labels)
}

fn spans(d: &Diagnostic) -> Vec<Span> {
    d.labels.iter().map(|l| l.span).collect()
}

/// Where files that were read anew for a combination are kept.
struct Kept(Vec<FileId>);

impl Kept {
    /// Keeps files, unless they are kept already.
    fn of(from: &Sources, to: &mut Sources) -> Kept {
        let mut keep = |source: &Source| {
            let same = |text: &Arc<str>| Arc::ptr_eq(text, &source.text) || *text == source.text;
            let known = to.iter().find(|(_, s)| s.name == source.name && same(&s.text));
            known.map(|(id, _)| id).unwrap_or_else(|| to.add(source.name.clone(), source.text.clone()))
        };
        Kept(from.iter().map(|(_, source)| keep(source)).collect())
    }

    /// The same place in the files that are kept.
    fn span(&self, span: Span) -> Span {
        Span { file: self.0.get(span.file.0 as usize).copied().unwrap_or(span.file), ..span }
    }

    fn all(&self, mut found: Diagnostics) -> Diagnostics {
        for label in found.0.iter_mut().flat_map(|d| &mut d.labels) {
            label.span = self.span(label.span);
        }
        found
    }
}

/// Where the names stand that a warning of [`IDLE`] can be about.
fn names_of(definition: &Definition, kept: &Kept) -> BTreeSet<Span> {
    let d = definition;
    let traits = d.pieces.iter().flat_map(|p| &p.traits).map(|(n, _)| n.span);
    let names = (d.relations.iter().map(|x| x.name.span))
        .chain(d.defines.iter().map(|x| x.name.span))
        .chain(d.effects.iter().map(|x| x.name.span))
        .chain(d.state.iter().map(|x| x.name.span))
        .chain(d.decisions.iter().map(|x| x.name.span))
        .chain(d.flows.iter().map(|(n, _)| n.span))
        .chain(d.pieces.iter().map(|x| x.name.span))
        .chain(traits);
    names.map(|span| kept.span(span)).collect()
}

/// The results of random games of one combination.
#[derive(Default)]
struct Played {
    found: Vec<Diagnostic>,
    seen: Seen,
    /// Of each game all that it offered, as a number.
    traces: Vec<u64>,
}

fn play(game: &Game, games: u32, most: u32, budget: u64) -> Played {
    let mut out = Played::default();
    let definition = &game.definition;
    let mut machine = match Machine::counting(Arc::clone(&game.program)) {
        Ok(machine) => machine,
        Err(error) => {
            out.found.push(Diagnostic::error("program", definition.turn.span, error.to_string()));
            return out;
        }
    };
    let unread = |what: String, span: Span, error: TextError| {
        let message = format!("{what} cannot be read: {}", error.message);
        Diagnostic { help: error.help, ..Diagnostic::error("setup", span, message) }
    };
    for (name, text) in &definition.setup.named {
        if let Err(error) = game.start(&mut machine, Some(&text.text), 0) {
            out.found.push(unread(format!("set-up `{}`", name.text), text.part(error.place), error));
        }
    }
    // Of each pair of decisions the shortest way to a text that both give.
    let mut doubles: BTreeMap<(Span, Span), (usize, Diagnostic)> = BTreeMap::new();
    let mut looked = 0;
    // What is asked only to look at the games is not counted.
    let mut aside = machine.clone();
    let mut watch = Watch::new(game);
    for seed in 1..=u64::from(games) {
        let mut pos = match game.start(&mut machine, None, seed) {
            Ok(pos) => pos,
            Err(error) => {
                let start = definition.position.as_ref().and_then(|p| p.start.as_ref());
                let span = start.map_or(definition.turn.span, |start| start.part(error.place));
                out.found.push(unread("the start".to_owned(), span, error));
                return out;
            }
        };
        let (mut rng, mut history, mut moves) = (Rng::new(seed), History::new(), Moves::new());
        let mut before = Vec::new();
        history.push(machine.full_hash(&pos));
        machine.moves(&pos, &mut moves);
        watch.position(&pos, &moves);
        for _ in 0..most {
            let Some(m) = draw(&mut machine, &pos, &moves, &mut rng) else { break };
            looked += moves.len() as u64;
            let mut texts: Vec<_> = moves.iter().map(|m| (game.move_text(m), m)).collect();
            texts.sort();
            for pair in texts.windows(2) {
                let [(text, a), (other, b)] = pair else { continue };
                if text != other {
                    continue;
                }
                let span = |m| {
                    let name = game.decision_of(m);
                    let of = game.rules.decisions.iter().find(|d| Some(d.name.as_str()) == name);
                    of.map_or(definition.turn.span, |d| d.span)
                };
                let key = (span(*a), span(*b));
                if doubles.get(&key).is_none_or(|(plies, _)| *plies > before.len()) {
                    let position = game.texts().write(&mut aside, &pos);
                    let decisions = [game.decision_of(*a), game.decision_of(*b)];
                    let differing = differing(&game.program, *a, *b);
                    let d = one_text(text, decisions, key, &differing, &before, &position);
                    doubles.insert(key, (before.len(), d));
                }
            }
            before.push(game.move_text(m));
            watch.ply(&mut aside, &pos, m, &texts);
            machine.play(&mut pos, m, &mut history, &mut moves);
            watch.position(&pos, &moves);
            if looked + machine.work() / OPERATIONS > budget {
                break;
            }
        }
        let over = looked + machine.work() / OPERATIONS > budget;
        watch.end(&mut aside, &pos, over);
        if over {
            break;
        }
    }
    out.found.extend(doubles.into_values().map(|(_, d)| d));
    (out.seen, out.traces) = watch.done();
    out.found.extend(slow::finding(game, &machine, out.seen.plies));
    out
}
