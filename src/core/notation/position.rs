//! Positions and set-ups as text.
//!
//! A position's text is the fields of the definition's `[position] text` (or `{board} {turn}`), then, where
//! they do not say it all, ` & ` and `name=value` for each state variable, each built-in counter and each
//! age that differs from what the fields alone would give. Every position reads back to an equal one.
//!
//! A text that says `flow` stands within a turn: all is as it says. Any other stands at the beginning of a turn,
//! which is begun when it is read. Of these, one that does not say whose turn it is begins a game.

use super::value::Value;
use crate::ids::{Kind, Player};
use crate::play::{Machine, Position};
use crate::program::{DealTo, Layout, slot};
use crate::semantics::{Per, Rules, TextField, Type, picture};
use crate::siteset::SiteSet;

/// Why a text is no position or set-up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    /// The mistake.
    pub message: String,
    /// The expected text, or one that was perhaps meant.
    pub help: Option<String>,
    /// Which bytes of the text are wrong, where that is known.
    pub place: Option<(usize, usize)>,
}

impl TextError {
    /// In a part of a text: the place of the part, or the place in it that is known.
    pub(super) fn inside(mut self, text: &str, part: &str) -> TextError {
        let from = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        let (start, end) = self.place.unwrap_or((0, part.len()));
        self.place = Some((from + start, from + end));
        self
    }

    /// The advice, or else the wrong part of the text, where that is not the whole.
    pub fn advice(&self, text: &str) -> Option<String> {
        let part = || self.place.and_then(|(start, end)| text.get(start..end)).filter(|part| *part != text);
        self.help.clone().or_else(|| part().map(|part| format!("at `{part}`")))
    }
}

impl std::fmt::Display for TextError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        crate::diagnostic::with_help(f, &self.message, self.help.as_deref())
    }
}

impl std::error::Error for TextError {}

pub(super) fn fault<T>(message: impl Into<String>) -> Result<T, TextError> {
    Err(TextError { message: message.into(), help: None, place: None })
}

/// The separator between the fields and the rest.
pub(super) const REST: &str = " & ";

/// The counters that are written by name where they differ.
pub(super) const COUNTERS: [(&str, usize); 13] = [
    ("turn", slot::TURN),
    ("mover", slot::MOVER),
    ("flow", slot::STATE),
    ("turn-plies", slot::TURN_PLIES),
    ("turn-acts", slot::TURN_ACTS),
    ("ply", slot::PLY),
    ("round", slot::ROUND),
    ("passes", slot::PASSES),
    ("seen", slot::SEEN),
    ("swap", slot::SWAP),
    ("sides", slot::SIDES),
    ("opened", slot::OPENED),
    ("result", slot::RESULT),
];

/// Where an entry of a state variable is kept.
#[derive(Clone, Copy)]
enum Kept {
    Layer(usize),
    Slot(usize),
    Dealt(usize),
}

/// Reads and writes the positions of one game.
///
/// ```
/// use farrier::shipped::Shipped;
/// use farrier::variant::Variant;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let game = "tic-tac-toe".parse::<Variant>()?.open(&Shipped)?;
/// let mut machine = game.machine()?;
/// let start = game.start(&mut machine, None, 1)?;
/// let text = game.texts().write(&mut machine, &start);
/// let again = game.texts().read(&mut machine, &text, None)?;
/// assert_eq!(game.texts().write(&mut machine, &again), text);
/// # Ok(())
/// # }
/// ```
pub struct Texts<'g> {
    pub(super) rules: &'g Rules,
    pub(super) layout: &'g Layout,
    /// The index of a variable among the layers, slots or dealt numbers.
    places: Vec<Kept>,
    /// The slots of a variable's ages, if it has some.
    pub(super) ages: Vec<Option<usize>>,
}

impl<'g> Texts<'g> {
    /// For a game.
    pub fn new(rules: &'g Rules, layout: &'g Layout) -> Texts<'g> {
        let mut places = Vec::new();
        let mut ages = Vec::new();
        for var in &rules.state {
            // The layout spells the first entry so.
            let name = rules.entry_name(var, &var.per, 0, ", ");
            let set = rules.entry_name(var, var.sets_per().unwrap_or(&var.per), 0, ", ");
            let layer = layout.layers.iter().rposition(|l| l.name == set);
            let slot = layout.slots.iter().rposition(|s| s.name == name);
            let dealt = layout.deals.iter().find_map(|d| match d.to {
                DealTo::Dealt(base) | DealTo::Lots(base) if d.name == var.name => Some(base),
                _ => None,
            });
            let in_layers = var.ty == Type::Sites || var.sets_per().is_some();
            places.push(match (dealt, layer) {
                (Some(base), _) => Kept::Dealt(base),
                (None, Some(layer)) if in_layers => Kept::Layer(layer),
                _ => Kept::Slot(slot.unwrap_or(slot::COUNT)),
            });
            let age = format!("{name} left");
            ages.push(layout.slots.iter().rposition(|s| s.name == age));
        }
        Texts { rules, layout, places, ages }
    }

    pub(super) fn fields(&self) -> Vec<TextField> {
        match &self.rules.position {
            Some(p) => p.text.clone(),
            None => vec![TextField::Board, TextField::Literal(" ".to_owned()), TextField::Turn],
        }
    }

    /// Whether a state variable has other values in one position than in another.
    pub fn differs(&self, var: usize, a: &Position, b: &Position) -> bool {
        (0..self.entries(var)).any(|entry| self.get(a, var, entry) != self.get(b, var, entry))
    }

    /// How an empty value is written.
    pub(super) fn empty(&self) -> &str {
        self.rules.position.as_ref().map_or("-", |p| p.empty.as_str())
    }

    /// How many entries the last index of a variable's `per` runs through, and how many there are in all.
    pub(super) fn entries(&self, var: usize) -> usize {
        self.rules.state.get(var).map_or(1, |v| v.per.iter().map(|p| self.rules.indices(*p)).product())
    }

    /// The name of an entry: `taken[white]`.
    pub(super) fn entry_name(&self, var: usize, entry: usize) -> String {
        let Some(v) = self.rules.state.get(var) else { return String::new() };
        self.rules.entry_name(v, &v.per, entry, ",")
    }

    /// The value of an entry as it is kept.
    pub(super) fn get(&self, pos: &Position, var: usize, entry: usize) -> Value {
        let bit = self.rules.state.get(var).is_some_and(|v| v.sets_per().is_some());
        match self.places.get(var) {
            Some(Kept::Layer(base)) if bit => {
                let n = self.rules.board.len().max(1);
                let words = pos.layer(self.layout, base + entry / n);
                Value::Int(i32::from(SiteSet::load(words).contains(entry % n)))
            }
            Some(Kept::Layer(base)) => Value::Set(SiteSet::load(pos.layer(self.layout, base + entry))),
            Some(Kept::Slot(base)) => Value::Int(pos.slot(self.layout, base + entry)),
            Some(Kept::Dealt(base)) => Value::Int(pos.dealt().get(base + entry).copied().unwrap_or(0)),
            None => Value::Int(0),
        }
    }

    pub(super) fn put(&self, pos: &mut Position, var: usize, entry: usize, value: &Value) {
        match (self.places.get(var), value) {
            (Some(Kept::Layer(base)), Value::Int(n)) => {
                let sites = self.rules.board.len().max(1);
                let layer = base + entry / sites;
                let mut set = SiteSet::load(pos.layer(self.layout, layer));
                if *n != 0 {
                    set.insert(entry % sites)
                } else {
                    set.remove(entry % sites)
                }
                pos.set_layer(self.layout, layer, &set.0);
            }
            (Some(Kept::Layer(base)), Value::Set(set)) => pos.set_layer(self.layout, base + entry, &set.0),
            (Some(Kept::Slot(base)), Value::Int(n)) => pos.set_slot(self.layout, base + entry, *n),
            _ => {}
        }
    }

    /// The text of a position.
    pub fn write(&self, machine: &mut Machine, pos: &Position) -> String {
        let mut out = String::new();
        for f in self.fields() {
            match f {
                TextField::Literal(t) => out += &t,
                TextField::Board => out += &self.board(pos),
                TextField::Turn => {
                    let p = pos.slot(self.layout, slot::TURN) as usize;
                    let named = self.rules.position.as_ref().and_then(|t| t.turn.get(p));
                    out += named.or(self.rules.players.get(p)).map_or("", String::as_str);
                }
                TextField::Round => out += &pos.slot(self.layout, slot::ROUND).to_string(),
                TextField::State(var, width) => out += &self.all_entries(pos, var, width),
            }
        }
        let counter = |s: usize| {
            let (name, _) = COUNTERS.iter().find(|(_, counter)| *counter == s)?;
            // A state variable of that name goes first.
            let mark = if self.rules.state.iter().any(|v| v.name == *name) { ":" } else { "" };
            Some(format!("{mark}{name}={}", pos.slot(self.layout, s)))
        };
        let text = |rest: &[String]| match rest {
            [] => out.clone(),
            _ => format!("{out}{REST}{}", rest.join(" ")),
        };
        let mut rest: Vec<String> = Vec::new();
        if !self.fields().iter().any(|field| matches!(field, TextField::Turn)) {
            rest.extend(counter(slot::TURN));
        }
        // Values that the fields alone do not give are written by name.
        let Ok(alone) = self.read(machine, &text(&rest), Some(pos)) else { return out };
        for d in &self.layout.deals {
            if let DealTo::Dealt(base) = d.to {
                let number = |s: &u16| pos.dealt().get(base + usize::from(*s)).copied().unwrap_or(d.low);
                if !d.sites.iter().map(number).eq(d.low..=d.high) {
                    let list: Vec<String> = d.sites.iter().map(|s| number(s).to_string()).collect();
                    rest.push(format!("{}={}", d.name, list.join(",")));
                }
            }
        }
        for var in 0..self.rules.state.len() {
            for entry in 0..self.entries(var) {
                let value = self.get(pos, var, entry);
                if value != self.get(&alone, var, entry) {
                    let (name, value) = (self.entry_name(var, entry), self.write_value(var, &value, 0));
                    rest.push(format!("{name}={value}"));
                }
            }
        }
        let Ok(mut nearly) = self.read(machine, &text(&rest), Some(pos)) else { return text(&rest) };
        // The turn, and whether it has begun: then the values at its beginning do not count.
        for s in [slot::OPENED, slot::STATE] {
            let within = s == slot::STATE && !pos.begins_turn(self.layout);
            if within || pos.slot(self.layout, s) != nearly.slot(self.layout, s) {
                rest.extend(counter(s));
                let Ok(nearer) = self.read(machine, &text(&rest), Some(pos)) else { return text(&rest) };
                nearly = nearer;
            }
        }
        for (_, s) in COUNTERS {
            if pos.slot(self.layout, s) != nearly.slot(self.layout, s) {
                rest.extend(counter(s));
            }
        }
        for var in 0..self.rules.state.len() {
            let Some(Some(ages)) = self.ages.get(var) else { continue };
            for entry in 0..self.entries(var) {
                let value = pos.slot(self.layout, ages + entry);
                if value != nearly.slot(self.layout, ages + entry) {
                    rest.push(format!("left:{}={value}", self.entry_name(var, entry)));
                }
            }
        }
        text(&rest)
    }

    /// The pieces as a picture in one line.
    pub fn board(&self, pos: &Position) -> String {
        let players = self.rules.players.len();
        let sort = |(owner, kind)| ((usize::from(owner) < players).then_some(Player(owner)), Kind(kind));
        let pieces = |s: usize| pos.stack(self.layout, s).into_iter().map(sort).collect();
        let mut pieces: Vec<Vec<picture::Sort>> = (0..self.rules.board.len()).map(pieces).collect();
        picture::write(&self.rules.board, &self.rules.kinds, players, self.rules.stack(), |s| {
            pieces.get_mut(s.index()).map(std::mem::take).unwrap_or_default()
        })
    }

    /// The entries of a variable that fields show: of sites only those that the board has.
    pub(super) fn shown(&self, var: usize) -> impl Iterator<Item = usize> {
        let by_site = self.rules.state.get(var).is_some_and(|v| v.per.last() == Some(&Per::Site));
        let n = self.rules.board.len().max(1);
        (0..self.entries(var)).filter(move |e| !by_site || self.rules.board.all().contains(e % n))
    }

    pub(super) fn all_entries(&self, pos: &Position, var: usize, width: usize) -> String {
        let list: Vec<String> =
            self.shown(var).map(|e| self.write_value(var, &self.get(pos, var, e), width)).collect();
        list.join(" ")
    }
}
