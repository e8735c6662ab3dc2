//! Positions and set-ups as text.
//!
//! A position's text is the fields of the definition's `[position] text` (or `{board} {turn}`), then, where
//! they do not say it all, ` & ` and `name=value` for each state variable, each built-in counter and each
//! age that differs from what the fields alone would give. Every position reads back to an equal one.

use super::value::Value;
use crate::ids::{Kind, Player, Site};
use crate::play::{Dealing, History, Machine, Moves, Position};
use crate::program::{Layout, Placement, slot};
use crate::semantics::{Per, Rules, TextField, Type, picture};
use crate::siteset::SiteSet;

/// Why a text is no position or set-up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    /// What is wrong.
    pub message: String,
    /// What was expected, or perhaps meant.
    pub help: Option<String>,
}

pub(super) fn fault<T>(message: impl Into<String>) -> Result<T, TextError> {
    Err(TextError { message: message.into(), help: None })
}

/// What stands between the fields and the rest.
const REST: &str = " & ";

/// The counters that are written by name where they differ.
const COUNTERS: [(&str, usize); 12] = [
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
pub struct Texts<'g> {
    pub(super) rules: &'g Rules,
    pub(super) layout: &'g Layout,
    /// The index of a variable among the layers, slots or dealt numbers.
    places: Vec<Kept>,
    /// The slots of a variable's ages, if it has some.
    ages: Vec<Option<usize>>,
}

impl<'g> Texts<'g> {
    /// For a game.
    pub fn new(rules: &'g Rules, layout: &'g Layout) -> Texts<'g> {
        let mut places = Vec::new();
        let mut ages = Vec::new();
        for var in &rules.state {
            let name = first_name(rules, var);
            let layer = layout.layers.iter().rposition(|l| l.name == name);
            let slot = layout.slots.iter().rposition(|s| s.name == name);
            let dealt = layout.deals.iter().find_map(|d| match d.to {
                crate::program::DealTo::Dealt(base) if d.name == var.name => Some(base),
                _ => None,
            });
            let in_layers =
                var.ty == Type::Sites || (var.ty == Type::Bool && var.per.last() == Some(&Per::Site));
            places.push(match (in_layers, layer, slot, dealt) {
                (_, _, _, Some(base)) => Kept::Dealt(base),
                (true, Some(l), _, _) => Kept::Layer(l),
                (_, _, Some(s), _) => Kept::Slot(s),
                _ => Kept::Slot(slot::COUNT),
            });
            let age = format!("{name} left");
            ages.push(layout.slots.iter().rposition(|s| s.name == age));
        }
        Texts { rules, layout, places, ages }
    }

    fn fields(&self) -> Vec<TextField> {
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
        self.rules.state.get(var).map_or(1, |v| v.per.iter().map(|p| self.size(*p)).product())
    }

    fn size(&self, per: Per) -> usize {
        match per {
            Per::Player => self.rules.players.len(),
            Per::Site => self.rules.board.len(),
            Per::Kind => self.rules.kinds.len(),
        }
    }

    /// The name of an entry: `taken[white]`.
    fn entry_name(&self, var: usize, entry: usize) -> String {
        let Some(v) = self.rules.state.get(var) else { return String::new() };
        if v.per.is_empty() {
            return v.name.clone();
        }
        let mut parts = Vec::new();
        let mut rest = entry;
        for per in v.per.iter().rev() {
            let n = self.size(*per).max(1);
            let i = rest % n;
            rest /= n;
            parts.push(match per {
                Per::Player => self.rules.players.get(i).cloned().unwrap_or_default(),
                Per::Site => self.rules.board.name(Site(i as u16)).to_owned(),
                Per::Kind => self.rules.kinds.get(i).map(|k| k.name.clone()).unwrap_or_default(),
            });
        }
        parts.reverse();
        format!("{}[{}]", v.name, parts.join(","))
    }

    /// The value of an entry as it is kept.
    pub(super) fn get(&self, pos: &Position, var: usize, entry: usize) -> Value {
        let bit = self.is_bit(var);
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

    fn is_bit(&self, var: usize) -> bool {
        self.rules.state.get(var).is_some_and(|v| v.ty == Type::Bool && v.per.last() == Some(&Per::Site))
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
                TextField::Board => out += &self.board(machine, pos),
                TextField::Turn => {
                    let p = pos.slot(self.layout, slot::TURN) as usize;
                    let named = self.rules.position.as_ref().and_then(|t| t.turn.get(p));
                    out += named.or(self.rules.players.get(p)).map_or("", String::as_str);
                }
                TextField::Round => out += &pos.slot(self.layout, slot::ROUND).to_string(),
                TextField::State(var, width) => out += &self.all_entries(pos, var, width),
            }
        }
        // What the fields alone do not give is said by name.
        let Ok(alone) = self.read(machine, &out, Some(pos)) else { return out };
        let mut rest: Vec<String> = Vec::new();
        for d in &self.layout.deals {
            if let crate::program::DealTo::Dealt(base) = d.to {
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
                    rest.push(format!(
                        "{}={}",
                        self.entry_name(var, entry),
                        self.write_value(var, &value, 0)
                    ));
                }
            }
        }
        let mut both = out.clone();
        if !rest.is_empty() {
            both = format!("{out}{REST}{}", rest.join(" "));
        }
        let Ok(nearly) = self.read(machine, &both, Some(pos)) else { return both };
        for (name, s) in COUNTERS {
            let value = pos.slot(self.layout, s);
            if value != nearly.slot(self.layout, s) {
                rest.push(format!("{name}={value}"));
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
        if rest.is_empty() { out } else { format!("{out}{REST}{}", rest.join(" ")) }
    }

    /// The pieces as a picture in one line.
    pub fn board(&self, machine: &mut Machine, pos: &Position) -> String {
        let players = self.rules.players.len();
        let pieces: Vec<_> = (0..self.rules.board.len())
            .map(|s| {
                machine.piece(pos, s).map(|(owner, kind, height)| {
                    let owner = (usize::from(owner) < players).then_some(Player(owner));
                    (owner, Kind(kind), height)
                })
            })
            .collect();
        picture::write(&self.rules.board, &self.rules.kinds, players, |s| {
            pieces.get(s.index()).copied().flatten()
        })
    }

    pub(super) fn all_entries(&self, pos: &Position, var: usize, width: usize) -> String {
        let by_site = self.rules.state.get(var).is_some_and(|v| v.per.last() == Some(&Per::Site));
        let n = self.rules.board.len().max(1);
        let list: Vec<String> = (0..self.entries(var))
            .filter(|e| !by_site || self.rules.board.all().contains(e % n))
            .map(|e| self.write_value(var, &self.get(pos, var, e), width))
            .collect();
        list.join(" ")
    }

    /// The position of a text, its turn begun; `dealt` gives the dealt numbers of a position to share.
    pub fn read(
        &self,
        machine: &mut Machine,
        text: &str,
        dealt: Option<&Position>,
    ) -> Result<Position, TextError> {
        let (fields, rest) = match text.split_once(REST.trim_end()) {
            Some((fields, rest)) => (fields, Some(rest)),
            None => (text, None),
        };
        let mut given: Vec<Vec<i32>>;
        let mut pos = match dealt {
            Some(p) => {
                given = self
                    .layout
                    .deals
                    .iter()
                    .map(|d| match d.to {
                        crate::program::DealTo::Dealt(base) => d
                            .sites
                            .iter()
                            .map(|s| p.dealt().get(base + usize::from(*s)).copied().unwrap_or(d.low))
                            .collect(),
                        crate::program::DealTo::Slots(base) => {
                            d.sites.iter().map(|s| p.slot(self.layout, base + usize::from(*s))).collect()
                        }
                    })
                    .collect();
                machine.blank(Dealing::Given(&given))
            }
            None => {
                given = self.layout.deals.iter().map(|d| (d.low..=d.high).collect()).collect();
                for word in rest.unwrap_or("").split_whitespace() {
                    self.read_deal(word, &mut given)?;
                }
                machine.blank(Dealing::Given(&given))
            }
        };
        pos.set_slot(self.layout, slot::OPENED, machine.program().opening.len() as i32);
        self.read_fields(machine, &mut pos, fields)?;
        machine.tidy(&mut pos);
        // One ply a turn, unless the text says otherwise.
        let round = pos.slot(self.layout, slot::ROUND).max(1) - 1;
        let before = round.saturating_mul(self.rules.players.len() as i32);
        pos.set_slot(self.layout, slot::PLY, before.saturating_add(pos.slot(self.layout, slot::TURN)));
        let mut set: Vec<(usize, i32)> = Vec::new();
        let mut ignored = vec![Vec::new(); self.layout.deals.len()];
        for word in rest.unwrap_or("").split_whitespace() {
            if self.read_deal(word, &mut ignored)? {
                continue;
            }
            self.read_named(&mut pos, word, &mut set)?;
        }
        // What a turn's start would give, unless the text says otherwise.
        pos.set_slot(self.layout, slot::SEEN, 1);
        pos.set_slot(self.layout, slot::MOVER, pos.slot(self.layout, slot::TURN));
        let flow = set.iter().any(|(s, _)| *s == slot::STATE);
        for (s, value) in set.iter().filter(|(s, _)| flow || *s != slot::RESULT) {
            pos.set_slot(self.layout, *s, *value);
        }
        // Where the text does not say how far the turn has come, it begins.
        if !flow {
            if let Some((_, opened)) = set.iter().find(|(s, _)| *s == slot::OPENED) {
                // An opening turn that has begun is counted already.
                pos.set_slot(self.layout, slot::OPENED, opened.saturating_sub(1).max(0));
            }
            machine.begin(&mut pos, &mut History::new(), &mut Moves::new());
            let after = [slot::SEEN, slot::MOVER, slot::RESULT];
            for (s, value) in set.iter().filter(|(s, _)| after.contains(s)) {
                pos.set_slot(self.layout, *s, *value);
            }
        }
        Ok(pos)
    }

    fn read_fields(&self, machine: &mut Machine, pos: &mut Position, text: &str) -> Result<(), TextError> {
        let mut words = text.split_whitespace();
        let fields: Vec<TextField> = self
            .fields()
            .into_iter()
            .filter(|f| !matches!(f, TextField::Literal(t) if t.trim().is_empty()))
            .collect();
        for (i, f) in fields.iter().enumerate() {
            let mut next = || words.next();
            let Some(word) = next() else {
                if i == 0 {
                    return fault("the text is empty");
                }
                break;
            };
            match f {
                TextField::Literal(t) if t.trim() == word => {}
                TextField::Literal(t) => return fault(format!("expected `{}`, found `{word}`", t.trim())),
                TextField::Board => self.read_board(machine, pos, word)?,
                TextField::Turn => {
                    let spelled = self.rules.position.as_ref().map(|p| &p.turn);
                    let found = spelled
                        .and_then(|t| t.iter().position(|t| t == word))
                        .or_else(|| self.rules.players.iter().position(|p| p == word));
                    let Some(p) = found else {
                        let known = spelled.filter(|t| !t.is_empty()).unwrap_or(&self.rules.players);
                        return fault(format!("`{word}` is no player to move: one of {}", known.join(", ")));
                    };
                    pos.set_slot(self.layout, slot::TURN, p as i32);
                }
                TextField::Round => match word.parse::<i32>() {
                    Ok(n) => pos.set_slot(self.layout, slot::ROUND, n.max(1)),
                    Err(_) => return fault(format!("`{word}` is no number of a round")),
                },
                TextField::State(var, _) => {
                    let by_site =
                        self.rules.state.get(*var).is_some_and(|v| v.per.last() == Some(&Per::Site));
                    let n = self.rules.board.len().max(1);
                    let mut word = Some(word);
                    for e in 0..self.entries(*var) {
                        if by_site && !self.rules.board.all().contains(e % n) {
                            continue;
                        }
                        let Some(w) = word.take().or_else(&mut next) else {
                            return fault(format!(
                                "`{}` has more entries than the text",
                                self.rules.state[*var].name
                            ));
                        };
                        let value = self.read_value(*var, w)?;
                        self.put(pos, *var, e, &value);
                    }
                }
            }
        }
        match words.next() {
            Some(word) => fault(format!("`{word}` is more than the text of a position has")),
            None => Ok(()),
        }
    }

    fn read_board(&self, machine: &mut Machine, pos: &mut Position, word: &str) -> Result<(), TextError> {
        let players = self.rules.players.len();
        let pieces = picture::read(word, &self.rules.board, &self.rules.kinds, players).map_err(|e| {
            TextError { message: e.message, help: word.get(e.start..e.end).map(|t| format!("at `{t}`")) }
        })?;
        for p in pieces {
            machine.put_piece(
                pos,
                Placement {
                    site: p.site.0,
                    owner: p.owner.map_or(players as u8, |p| p.0),
                    kind: p.kind.0,
                    height: p.height,
                },
            );
        }
        Ok(())
    }

    /// Whether a word is `name=` and all the numbers of a deal, which are put in their place.
    fn read_deal(&self, word: &str, given: &mut [Vec<i32>]) -> Result<bool, TextError> {
        let Some((name, list)) = word.split_once('=') else { return Ok(false) };
        let Some((i, deal)) = self.layout.deals.iter().enumerate().find(|(_, d)| d.name == name) else {
            return Ok(false);
        };
        let numbers: Vec<i32> = list.split(',').filter_map(|n| n.parse().ok()).collect();
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        if sorted != (deal.low..=deal.high).collect::<Vec<_>>() {
            return fault(format!(
                "`{name}` gives each number from {} to {} to one site",
                deal.low, deal.high
            ));
        }
        if let Some(place) = given.get_mut(i) {
            *place = numbers;
        }
        Ok(true)
    }

    /// `name=value` behind the fields.
    fn read_named(
        &self,
        pos: &mut Position,
        word: &str,
        set: &mut Vec<(usize, i32)>,
    ) -> Result<(), TextError> {
        let Some((name, value)) = word.split_once('=') else {
            return fault(format!("`{word}` is no `name=value`"));
        };
        if let Some((_, s)) = COUNTERS.iter().find(|(n, _)| *n == name) {
            let Ok(n) = value.parse::<i32>() else {
                return fault(format!("`{value}` is no number (of `{name}`)"));
            };
            if !self.counter_fits(*s, n) {
                return fault(format!("`{name}` cannot be {n}"));
            }
            set.push((*s, n));
            return Ok(());
        }
        let (age, name) = match name.strip_prefix("left:") {
            Some(name) => (true, name),
            None => (false, name),
        };
        for var in 0..self.rules.state.len() {
            for entry in 0..self.entries(var) {
                if self.entry_name(var, entry) != name {
                    continue;
                }
                if age {
                    let Ok(n) = value.parse::<i32>() else { return fault(format!("`{value}` is no number")) };
                    if let Some(Some(ages)) = self.ages.get(var) {
                        pos.set_slot(self.layout, ages + entry, n);
                    }
                } else {
                    let value = self.read_value(var, value)?;
                    self.put(pos, var, entry, &value);
                    if let (Some(Some(ages)), Some(lasts)) =
                        (self.ages.get(var), self.rules.state.get(var).and_then(|v| v.lasts))
                    {
                        pos.set_slot(self.layout, ages + entry, lasts as i32);
                    }
                }
                return Ok(());
            }
        }
        let known: Vec<&str> = self
            .rules
            .state
            .iter()
            .map(|v| v.name.as_str())
            .chain(COUNTERS.iter().map(|(n, _)| *n))
            .collect();
        let near =
            crate::diagnostic::nearest(name, known.iter().copied()).map(|n| format!("did you mean `{n}`?"));
        Err(TextError { message: format!("there is no state variable `{name}`"), help: near })
    }

    /// Whether a counter may have a value: what is used as an index must be one.
    fn counter_fits(&self, s: usize, n: i32) -> bool {
        match s {
            slot::MOVER => (0..self.rules.players.len() as i32).contains(&n),
            slot::SWAP | slot::SIDES => (0..=1).contains(&n),
            slot::RESULT => (0..=2 + self.rules.players.len() as i32).contains(&n),
            _ => n >= 0,
        }
    }
}

/// The name of a variable's first entry, as the layout spells it.
fn first_name(rules: &Rules, var: &crate::semantics::StateVar) -> String {
    let parts: Vec<String> = var
        .per
        .iter()
        .map(|p| match p {
            Per::Player => rules.players.first().cloned().unwrap_or_default(),
            Per::Site => rules.board.name(Site(0)).to_owned(),
            Per::Kind => rules.kinds.first().map(|k| k.name.clone()).unwrap_or_default(),
        })
        .collect();
    if parts.is_empty() { var.name.clone() } else { format!("{}[{}]", var.name, parts.join(", ")) }
}
