//! Coverage: the parts of a definition that random games touch.
//!
//! Whatever play may touch or not is a [`Thing`]: an end, a decision that is offered or taken, a kind of piece,
//! a site. For each game a [`Watch`] notes which of them it touched, [`Seen`] adds that up over games and over
//! combinations of options. A thing that no game touched is a note and never more: it may be rare.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::diagnostic::Diagnostic;
use crate::game::Game;
use crate::ids::Site;
use crate::notation::position::Texts;
use crate::play::{EndedBy, Machine, Move, Moves, Position};
use crate::program::{VarKind, slot};
use crate::semantics::{Rules, StateVar};
use crate::siteset::SiteSet;
use crate::source::Span;
use crate::wording::many;

/// The ways in which play may touch a thing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum What {
    /// End a game by it.
    End,
    /// Offer a choice of a decision.
    Offered,
    /// Take one.
    Taken,
    /// Offer a choice of a decision at one of several places that name it in the flow.
    Place,
    /// Begin an opening turn.
    Opening,
    /// Have a piece of the kind on the board.
    Kind,
    /// Change a state variable.
    State,
    /// Have something on a site, or name it in a legal move.
    Site,
}

impl What {
    /// For people and programs: `end`, `decision offered`.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// Its name; the code of the note where it never happened, and the text of that note with a place for the thing's
    /// name.
    fn row(self) -> (&'static str, &'static str, &'static str) {
        match self {
            What::End => ("end", "never-reached", "end `{}` was never reached"),
            What::Offered => ("decision offered", "never-offered", "decision `{}` was never offered"),
            What::Taken => ("decision taken", "never-taken", "decision `{}` was offered and never taken"),
            What::Place => {
                let never = "decision {} in the flow was never offered there";
                ("decision offered at one place", "never-here", never)
            }
            What::Opening => ("opening turn", "never-begun", "opening turn {} was never begun"),
            What::Kind => ("kind on the board", "never-on-board", "no `{}` was ever on the board"),
            What::State => ("state changed", "never-changed", "state variable `{}` was never seen to change"),
            What::Site => {
                ("site used", "never-used", "{} never held anything and were named in no legal move")
            }
        }
    }

    /// The advice.
    fn help(self) -> &'static str {
        match self {
            What::End => {
                "perhaps it is rare, perhaps it cannot hold, or another end or `stuck` always comes first: a test that \
                 reaches it would show it"
            }
            What::Offered | What::Taken | What::Place | What::Opening => {
                "perhaps it is rare, perhaps it cannot be: a test that reaches it would show it"
            }
            What::Kind | What::State => "a test in which it plays a part would show what it is for",
            What::Site => "take them out with `board.remove` if nothing is ever meant to be there",
        }
    }
}

/// Something that play may touch.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Thing {
    /// In which way.
    pub what: What,
    /// Where it is defined.
    pub span: Span,
    /// Its name.
    pub name: String,
}

/// In how many games a thing was touched.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Times {
    /// Games that touched it.
    pub seen: u64,
    /// Games in which it was there.
    pub games: u64,
}

/// The plies and the coverage of random games.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Seen {
    /// How many games were played.
    pub games: u64,
    /// How many plies were made in them.
    pub plies: u64,
    /// Games that came to an end.
    pub ended: u64,
    /// Those of them that ended because the mover had no move.
    pub stuck: u64,
    /// Games that went on after the most plies of a game. The others that did not end were given up to save work.
    pub cut: u64,
    /// Everything that could be touched.
    pub things: BTreeMap<Thing, Times>,
}

impl Seen {
    /// Adds the coverage of other games.
    pub(super) fn add(&mut self, other: Seen) {
        self.games += other.games;
        self.plies += other.plies;
        self.ended += other.ended;
        self.stuck += other.stuck;
        self.cut += other.cut;
        for (thing, times) in other.things {
            let sum = self.things.entry(thing).or_default();
            sum.seen += times.seen;
            sum.games += times.games;
        }
    }

    /// The same with other places.
    pub(super) fn placed(mut self, at: impl Fn(Span) -> Span) -> Seen {
        let things = std::mem::take(&mut self.things);
        self.things = things.into_iter().map(|(t, n)| (Thing { span: at(t.span), ..t }, n)).collect();
        self
    }

    /// Notes on the things that were never touched, but for decisions that are known to be `idle`.
    pub(super) fn notes(&self, idle: &BTreeSet<Span>) -> Vec<Diagnostic> {
        let never = |t: &Thing| self.things.get(t).is_some_and(|n| n.seen == 0 && n.games > 0);
        let mut out = Vec::new();
        let mut sites: BTreeMap<Span, Vec<&str>> = BTreeMap::new();
        for thing in self.things.keys().filter(|t| never(t) && !idle.contains(&t.span)) {
            let offered = |t: &Thing| (t.what, t.span) == (What::Offered, thing.span) && never(t);
            match thing.what {
                What::Taken | What::Place if self.things.keys().any(offered) => {}
                What::Site => sites.entry(thing.span).or_default().push(&thing.name),
                _ => out.push(self.note(thing.what, thing.span, &thing.name)),
            }
        }
        for (span, names) in sites {
            let told: Vec<&str> = names.iter().take(MAX_LISTED_SITES).copied().collect();
            let dots = if names.len() > MAX_LISTED_SITES { ", ..." } else { "" };
            let name =
                format!("{} of the board ({}{dots})", many(names.len() as u64, "site"), told.join(", "));
            out.push(self.note(What::Site, span, &name));
        }
        out
    }

    fn note(&self, what: What, span: Span, name: &str) -> Diagnostic {
        let there = self.things.iter().filter(|(t, _)| (t.what, t.span) == (what, span));
        let games = there.map(|(_, n)| n.games).max().unwrap_or(0);
        let games = many(games, "random game");
        let (_, code, never) = what.row();
        Diagnostic::note(code, span, format!("{} in {games}", never.replace("{}", name))).help(what.help())
    }
}

/// The state variables that play may change.
fn assigned(rules: &Rules) -> impl Iterator<Item = (usize, &StateVar)> {
    rules.state.iter().enumerate().filter(|(_, var)| var.assigned)
}

/// How many sites a note names.
const MAX_LISTED_SITES: usize = 8;

/// Watches the games of one combination of options.
pub(super) struct Watch<'g> {
    game: &'g Game,
    texts: Texts<'g>,
    /// All that there is, and whether the game at hand touched it.
    things: Vec<(Thing, bool)>,
    /// The place of the first among them of each [`What`].
    firsts: BTreeMap<What, usize>,
    /// The place of each leaf of the flow, where its decision has several.
    places: Vec<Option<usize>>,
    /// Sites that the game at hand used.
    used: SiteSet,
    /// The position before the ply.
    before: Option<Position>,
    last: Option<Move>,
    trace: DefaultHasher,
    seen: Seen,
    traces: Vec<u64>,
}

impl<'g> Watch<'g> {
    /// No game yet.
    pub fn new(game: &'g Game) -> Watch<'g> {
        let (rules, program, definition) = (&game.rules, &game.program, &game.definition);
        let mut watch = Watch {
            game,
            texts: game.texts(),
            things: Vec::new(),
            firsts: BTreeMap::new(),
            places: vec![None; program.leaves.len()],
            used: SiteSet::default(),
            before: None,
            last: None,
            trace: DefaultHasher::new(),
            seen: Seen::default(),
            traces: Vec::new(),
        };
        watch.put(What::End, rules.ends.iter().map(|e| (e.span, e.name.clone())));
        for what in [What::Offered, What::Taken] {
            watch.put(what, rules.decisions.iter().map(|d| (d.span, d.name.clone())));
        }
        for (number, decision) in rules.decisions.iter().enumerate() {
            let named = program.leaves.iter().enumerate().filter(|(_, l)| l.decision == Some(number));
            let named: Vec<usize> = named.map(|(leaf, _)| leaf).collect();
            for (i, leaf) in named.iter().enumerate().filter(|_| named.len() > 1) {
                let name = format!("`{}` at place {} of {}", decision.name, i + 1, named.len());
                watch.put(What::Place, [(decision.span, name)]);
                watch.places[*leaf] = Some(watch.things.len() - 1);
            }
        }
        let openings = definition.turn.opening.iter().enumerate();
        watch.put(What::Opening, openings.map(|(i, flow)| (flow.span(), (i + 1).to_string())));
        watch.put(What::Kind, rules.kinds.iter().map(|k| (k.span, k.name.clone())));
        watch.put(What::State, assigned(rules).map(|(_, s)| (s.span, s.name.clone())));
        let board = definition.board_span;
        watch.put(What::Site, rules.board.sites().map(|s| (board, rules.board.name(s).to_owned())));
        watch
    }

    fn put(&mut self, what: What, things: impl IntoIterator<Item = (Span, String)>) {
        self.firsts.entry(what).or_insert(self.things.len());
        self.things.extend(things.into_iter().map(|(span, name)| (Thing { what, span, name }, false)));
    }

    fn touch(&mut self, what: What, number: usize) {
        let place = self.firsts.get(&what).map(|first| first + number);
        if let Some((_, touched)) = place.and_then(|place| self.things.get_mut(place)) {
            *touched = true;
        }
    }

    fn is_touched(&self, what: What, number: usize) -> bool {
        let place = self.firsts.get(&what).map(|first| first + number);
        place.and_then(|place| self.things.get(place)).is_some_and(|(_, touched)| *touched)
    }

    /// A position is reached, the first of a game or by the last move; it offers moves.
    pub fn position(&mut self, pos: &Position, moves: &Moves) {
        let game = self.game;
        let program = &game.program;
        let layout = &program.layout;
        // Each layer of pieces and of state holds something at its sites.
        for layer in 0..layout.layers.len() {
            self.used = self.used | SiteSet::load(pos.layer(layout, layer));
        }
        let holds = |layer: usize| pos.layer(layout, layer).iter().any(|word| *word != 0);
        let pieces = &layout.pieces;
        for kind in 0..pieces.kinds {
            let there = match (pieces.kind_base, pieces.owner_base) {
                (Some(base), _) => holds(base + kind),
                (None, base) => (base.into_iter().flat_map(|base| base..pieces.level_base)).any(holds),
            };
            if there {
                self.touch(What::Kind, kind);
            }
        }
        for begun in 0..usize::try_from(pos.slot(layout, slot::OPENED)).unwrap_or(0) {
            self.touch(What::Opening, begun);
        }
        if let Some(before) = self.before.take() {
            self.change(&before, pos);
            self.before = Some(before);
        }
        for number in moves.iter() {
            let Some(leaf) = program.leaf_of(number.0) else { continue };
            let Some(decision) = program.leaves[leaf].decision else { continue };
            self.touch(What::Offered, decision);
            if let Some((_, touched)) = self.places[leaf].and_then(|place| self.things.get_mut(place)) {
                *touched = true;
            }
            let choice = number.0 - program.leaves[leaf].base;
            for var in program.decisions[decision].vars.iter().filter(|v| v.kind == VarKind::Site) {
                if let Ok(site) = usize::try_from(var.value(choice)) {
                    self.used.insert(site);
                }
            }
        }
    }

    /// State variables that differ between two positions.
    fn change(&mut self, a: &Position, b: &Position) {
        for (place, (var, _)) in assigned(&self.game.rules).enumerate() {
            if !self.is_touched(What::State, place) && self.texts.differs(var, a, b) {
                self.touch(What::State, place);
            }
        }
    }

    /// A move is about to be made, of those with these texts.
    pub fn ply(&mut self, machine: &mut Machine, pos: &Position, number: Move, texts: &[(String, Move)]) {
        let program = &self.game.program;
        texts.iter().for_each(|(text, _)| text.hash(&mut self.trace));
        self.game.move_text(number).hash(&mut self.trace);
        if (0..assigned(&self.game.rules).count()).any(|place| !self.is_touched(What::State, place)) {
            // A variable that a decision assigns may have its old value again when the turn is over.
            let mut made = pos.clone();
            machine.apply(&mut made, number);
            self.change(pos, &made);
        }
        if let Some(decision) = program.leaf_of(number.0).and_then(|leaf| program.leaves[leaf].decision) {
            self.touch(What::Taken, decision);
        }
        self.before.get_or_insert_with(|| pos.clone()).copy_from(pos);
        self.last = Some(number);
        self.seen.plies += 1;
    }

    /// A game is over, was cut, or was given up.
    pub fn end(&mut self, machine: &mut Machine, pos: &Position, given_up: bool) {
        let last = self.before.as_ref().zip(self.last.take());
        let ended = machine.ended_by(last, pos);
        match ended {
            Some(EndedBy::End(end)) => self.touch(What::End, end),
            Some(EndedBy::Stuck) => self.seen.stuck += 1,
            None => self.seen.cut += u64::from(!given_up),
        }
        self.seen.games += 1;
        self.seen.ended += u64::from(ended.is_some());
        let sites: Vec<Site> = self.game.rules.board.sites().collect();
        for (place, site) in sites.into_iter().enumerate() {
            if self.used.contains(usize::from(site.0)) {
                self.touch(What::Site, place);
            }
        }
        for (thing, touched) in &mut self.things {
            let times = self.seen.things.entry(thing.clone()).or_default();
            times.games += 1;
            times.seen += u64::from(std::mem::take(touched));
        }
        let mut trace = std::mem::take(&mut self.trace);
        if ended.is_some() || !given_up {
            (machine.outcome(pos), machine.scores(pos)).hash(&mut trace);
            self.traces.push(trace.finish());
        }
        (self.used, self.before) = (SiteSet::default(), None);
    }

    /// The coverage of the games; and for each that was played to its end or cut a hash of all that it offered.
    pub fn done(self) -> (Seen, Vec<u64>) {
        (self.seen, self.traces)
    }
}
