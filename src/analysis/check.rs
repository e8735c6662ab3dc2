//! Looking for mistakes: a definition is loaded under every option and pair of options, and played at
//! random to find what only play shows.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::playout::draw;
use crate::definition::{self, Choices, Definition};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::game::Game;
use crate::play::{History, Moves, Rng};
use crate::source::{FileId, Files, Sources, Span};

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
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { games: 20, others: 3, plies: 500, moves: 6_000_000, combinations: 2000 }
    }
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// Errors and warnings, each once: its context says in which combination it appeared first.
    pub findings: Vec<Diagnostic>,
    /// What is perhaps worth knowing.
    pub notes: Vec<Diagnostic>,
    /// How many options the game has.
    pub options: usize,
    /// How many combinations of them were loaded.
    pub combinations: usize,
    /// How many more there are, which were left out.
    pub left_out: usize,
    /// How many random games were played.
    pub games: u64,
    /// How many plies were made in them.
    pub plies: u64,
}

impl Checked {
    /// Whether anything makes the definition unusable.
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(|d| d.severity == Severity::Error)
    }
}

/// Warnings that say that something has no use. Under one option it may have none and under another one
/// it has: they count only where they appear in every combination that has the thing.
pub const IDLE: [&str; 3] = ["unused", "unreachable", "motionless"];

/// How many combinations are in memory at once.
const AT_ONCE: usize = 16;

/// How many moves a report repeats.
const TOLD: usize = 40;

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
    let (definition, found) = definition::load(name, files, &all, &mut local);
    let Some(definition) = definition else {
        out.combinations = 1;
        out.findings = adopted(found, &local, sources).0;
        return out;
    };
    out.options = definition.options.len();
    let mut combinations = definition::combinations(&definition.options);
    out.left_out = combinations.len().saturating_sub(effort.combinations.max(1));
    combinations.truncate(effort.combinations.max(1));
    out.combinations = combinations.len();

    let shown = if name.ends_with(".toml") { name.to_owned() } else { format!("{name}.toml") };
    let own = |d: &Diagnostic, sources: &Sources| {
        let file = sources.get(d.span().file).map(|s| s.name.as_str());
        file.is_none_or(|file| file == shown || file == name || extensions.iter().any(|e| e == file))
    };
    let mut notes = Notes::default();
    let share = effort.moves / combinations.len().max(1) as u64;
    let mut first = true;
    for some in combinations.chunks(AT_ONCE) {
        let mut loaded = Vec::new();
        for choices in some {
            let mut local = Sources::default();
            let (game, found) = Game::load(name, files, choices, &mut local);
            let mut found = adopted(found, &local, sources);
            let context = context(choices);
            found.0.iter_mut().for_each(|d| d.context.clone_from(&context));
            // What a parent has and a child does not need is no mistake of either.
            found.0.retain(|d| !IDLE.contains(&d.code) || own(d, sources));
            notes.add(found, game.as_ref().map(|g| names_of(&g.definition, &local, sources)));
            if let Some(game) = game {
                loaded.push((game, local, context, std::mem::take(&mut first)));
            }
        }
        let played: Vec<Played> = loaded
            .par_iter()
            .map(|(game, _, _, first)| {
                let games = if *first { effort.games } else { effort.others };
                play(game, games, effort.plies, if *first { share.max(effort.moves / 4) } else { share })
            })
            .collect();
        for ((game, local, context, _), played) in loaded.iter().zip(played) {
            out.games += played.games;
            out.plies += played.plies;
            let mut found = adopted(Diagnostics(played.found), local, sources);
            found.0.iter_mut().for_each(|d| d.context.clone_from(context));
            for d in found.0 {
                // One text, many positions: one report of each pair of decisions is enough.
                if !notes.findings.iter().any(|e| e.code == d.code && spans(e) == spans(&d)) {
                    notes.findings.push(d);
                }
            }
            for decision in &game.rules.decisions {
                let offered = played.offered.contains(&decision.name);
                let span = moved(decision.span, local, sources);
                let entry = notes.decisions.entry(span).or_insert((decision.name.clone(), false));
                entry.1 |= offered;
            }
        }
    }
    notes.finish(&mut out);
    out
}

/// What was found so far.
#[derive(Default)]
struct Notes {
    findings: Vec<Diagnostic>,
    /// Findings of [`IDLE`], and in how many combinations they appeared.
    idle: Vec<(Diagnostic, usize)>,
    /// In how many playable combinations a name stands.
    names: BTreeMap<Span, usize>,
    /// Decisions, and whether they were ever offered.
    decisions: BTreeMap<Span, (String, bool)>,
}

impl Notes {
    /// Adds what one combination gave, and where its names stand if it can be played.
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
        findings.sort();
        out.findings = findings.0;
        if out.has_errors() {
            return;
        }
        for (span, (name, offered)) in self.decisions {
            // No game, no finding.
            if !offered && out.games > 0 && !idle.contains(&span) {
                let message = format!("decision `{name}` was never offered in {} random games", out.games);
                out.notes.push(
                    Diagnostic::warning("never-offered", span, message).help(
                        "perhaps it is rare, perhaps it cannot be: a test that reaches it would show it",
                    ),
                );
            }
        }
    }
}

/// Whether two findings are one, seen in different combinations.
fn alike(a: &Diagnostic, b: &Diagnostic) -> bool {
    (a.severity, a.code, &a.message, &a.labels) == (b.severity, b.code, &b.message, &b.labels)
}

fn spans(d: &Diagnostic) -> Vec<Span> {
    d.labels.iter().map(|l| l.span).collect()
}

/// How people say a combination; none for the default.
fn context(choices: &Choices) -> Option<String> {
    let mut on = choices.with.clone();
    on.extend(choices.set.iter().map(|(name, value)| format!("{name} = {value}")));
    let mut parts = Vec::new();
    if !on.is_empty() {
        parts.push(format!("with {}", on.join(", ")));
    }
    if !choices.without.is_empty() {
        parts.push(format!("without {}", choices.without.join(", ")));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// A span in the sources that are kept: each combination reads the files anew.
fn moved(span: Span, from: &Sources, to: &mut Sources) -> Span {
    let Some(source) = from.get(span.file) else { return span };
    let known: Option<FileId> =
        to.iter().find(|(_, s)| s.name == source.name && s.text == source.text).map(|(id, _)| id);
    let file = known.unwrap_or_else(|| to.add(source.name.clone(), source.text.clone()));
    Span { file, ..span }
}

fn adopted(mut found: Diagnostics, from: &Sources, to: &mut Sources) -> Diagnostics {
    for label in found.0.iter_mut().flat_map(|d| &mut d.labels) {
        label.span = moved(label.span, from, to);
    }
    found
}

/// Where the names stand that a warning of [`IDLE`] can be about.
fn names_of(definition: &Definition, from: &Sources, to: &mut Sources) -> BTreeSet<Span> {
    let d = definition;
    let traits = d.pieces.iter().flat_map(|p| &p.traits).map(|(n, _)| n.span);
    let names = (d.relations.iter().map(|(n, _)| n.span))
        .chain(d.defines.iter().map(|x| x.name.span))
        .chain(d.effects.iter().map(|x| x.name.span))
        .chain(d.state.iter().map(|x| x.name.span))
        .chain(d.decisions.iter().map(|x| x.name.span))
        .chain(d.flows.iter().map(|(n, _)| n.span))
        .chain(d.pieces.iter().map(|x| x.name.span))
        .chain(traits);
    names.map(|span| moved(span, from, to)).collect()
}

/// What random games of one combination gave.
#[derive(Default)]
struct Played {
    games: u64,
    plies: u64,
    found: Vec<Diagnostic>,
    offered: BTreeSet<String>,
}

fn play(game: &Game, games: u32, most: u32, budget: u64) -> Played {
    let mut out = Played::default();
    let definition = &game.definition;
    let mut machine = match game.machine() {
        Ok(machine) => machine,
        Err(error) => {
            out.found.push(Diagnostic::error("program", definition.turn.span, error.to_string()));
            return out;
        }
    };
    for (name, text) in &definition.setup.named {
        if let Err(error) = game.start(&mut machine, Some(&text.text), 0) {
            let message = format!("set-up `{}` cannot be read: {}", name.text, error.message);
            out.found.push(Diagnostic { help: error.help, ..Diagnostic::error("setup", text.span, message) });
        }
    }
    // Of each pair of decisions the shortest way to a text that both give.
    let mut doubles: BTreeMap<(Span, Span), (usize, Diagnostic)> = BTreeMap::new();
    let mut looked = 0;
    for seed in 1..=u64::from(games) {
        let mut pos = match game.start(&mut machine, None, seed) {
            Ok(pos) => pos,
            Err(error) => {
                let place = definition.position.as_ref().and_then(|p| p.start.as_ref()).map(|t| t.span);
                let span = place.unwrap_or(definition.turn.span);
                let message = format!("the start cannot be read: {}", error.message);
                out.found.push(Diagnostic { help: error.help, ..Diagnostic::error("setup", span, message) });
                return out;
            }
        };
        out.games += 1;
        let (mut rng, mut history, mut moves) = (Rng::new(seed), History::new(), Moves::new());
        let mut before = Vec::new();
        history.push(machine.full_hash(&pos));
        machine.moves(&pos, &mut moves);
        for _ in 0..most {
            let Some(m) = draw(&mut machine, &pos, &moves, &mut rng) else { break };
            looked += moves.len() as u64;
            let mut texts: Vec<_> = moves.iter().map(|m| (game.move_text(m), m)).collect();
            for (_, m) in &texts {
                match game.decision_of(*m) {
                    Some(name) if !out.offered.contains(name) => drop(out.offered.insert(name.to_owned())),
                    _ => {}
                }
            }
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
                    let position = game.texts().write(&mut machine, &pos);
                    let d =
                        one_text(text, [game.decision_of(*a), game.decision_of(*b)], key, &before, &position);
                    doubles.insert(key, (before.len(), d));
                }
            }
            before.push(game.move_text(m));
            machine.play(&mut pos, m, &mut history, &mut moves);
            out.plies += 1;
            if looked > budget {
                break;
            }
        }
        if looked > budget {
            break;
        }
    }
    out.found.extend(doubles.into_values().map(|(_, d)| d));
    out
}

/// Two legal moves with one text.
fn one_text(
    text: &str,
    decisions: [Option<&str>; 2],
    spans: (Span, Span),
    before: &[String],
    position: &str,
) -> Diagnostic {
    let name = |d: Option<&str>| d.map_or("a pass".to_owned(), |d| format!("decision `{d}`"));
    let way = match before.len() {
        0 => "at the start".to_owned(),
        n if n <= TOLD => format!("after `{}`", before.join(" ")),
        n => format!("after {n} moves, in the position `{position}`"),
    };
    let [a, b] = decisions;
    let d = Diagnostic::error("one-text", spans.0, String::new());
    let (d, who) = match a == b {
        true => (
            d.here("both are of this decision").help("its `text` must name all that tells its choices apart"),
            format!("of {}", name(a)),
        ),
        false => (
            d.here("one is of this decision")
                .and(spans.1, "the other is of this one")
                .help("let their `text` differ, by a letter before it for instance"),
            format!("of {} and {}", name(a), name(b)),
        ),
    };
    Diagnostic { message: format!("two legal moves, {who}, have one text, `{text}`, {way}"), ..d }
}
