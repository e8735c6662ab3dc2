//! Positions of texts: see [`super::position`].

use super::position::{COUNTERS, REST, TextError, Texts, fault};
use crate::diagnostic::nearest;
use crate::limits;
use crate::play::{Dealing, History, Machine, Moves, Position};
use crate::program::{DealTo, Placement, result, slot};
use crate::semantics::{Per, TextField, picture};

impl Texts<'_> {
    /// The position of a text; `dealt` gives the dealt numbers of a position to share.
    pub fn read(
        &self,
        machine: &mut Machine,
        text: &str,
        dealt: Option<&Position>,
    ) -> Result<Position, TextError> {
        self.read_as(machine, text, dealt, false)
    }

    /// The start of a game at the position of a text, the numbers dealt as in a position.
    pub fn read_start(
        &self,
        machine: &mut Machine,
        text: &str,
        dealt: &Position,
    ) -> Result<Position, TextError> {
        self.read_as(machine, text, Some(dealt), true)
    }

    fn read_as(
        &self,
        machine: &mut Machine,
        text: &str,
        dealt: Option<&Position>,
        starts: bool,
    ) -> Result<Position, TextError> {
        let (fields, rest) = match text.split_once(REST.trim_end()) {
            Some((fields, rest)) => (fields, Some(rest)),
            None => (text, None),
        };
        let words = state_words(text, rest.unwrap_or(""))?;
        let mut given: Vec<Vec<i32>> = self.in_order();
        match dealt {
            Some(p) => {
                for (d, given) in self.layout.deals.iter().zip(&mut given) {
                    let sites = d.sites.iter().map(|s| usize::from(*s));
                    match d.to {
                        DealTo::Dealt(base) => {
                            let number = |s| p.dealt().get(base + s).copied().unwrap_or(d.low);
                            *given = sites.map(number).collect();
                        }
                        DealTo::Slots(base) if starts => {
                            *given = sites.map(|s| p.slot(self.layout, base + s)).collect();
                        }
                        // The text itself says the numbers that rules assign; nothing asks for lots any more.
                        DealTo::Slots(_) | DealTo::Lots(_) => {}
                    }
                }
            }
            None => {
                for word in &words {
                    self.read_deal(word, &mut given).map_err(|e| e.inside(text, word))?;
                }
            }
        }
        let mut pos = machine.blank(Dealing::Given(&given));
        // Counters by number, and the words that name something else.
        let (mut set, mut others) = (Vec::new(), Vec::new());
        let mut ignored = vec![Vec::new(); self.layout.deals.len()];
        for word in &words {
            match self.read_counter(machine, word).map_err(|e| e.inside(text, word))? {
                Some(counter) => set.push(counter),
                None if self.read_deal(word, &mut ignored).map_err(|e| e.inside(text, word))? => {}
                None => others.push(*word),
            }
        }
        let mut told =
            self.read_fields(machine, &mut pos, fields).map_err(|e| self.misplaced(fields).unwrap_or(e))?;
        if let Some((_, turn)) = set.iter().find(|(s, _)| *s == slot::TURN) {
            pos.set_slot(self.layout, slot::TURN, *turn);
            told = true;
        }
        let starts = starts || !told;
        let opening = &machine.program().opening;
        pos.set_slot(self.layout, slot::OPENED, if starts { 0 } else { opening.len() as i32 });
        if let Some(owner) = opening.first().and_then(|turn| turn.1).filter(|_| starts) {
            let owner = i32::from(owner);
            let says = pos.slot(self.layout, slot::TURN);
            if told && says != owner {
                let name = |p: i32| usize::try_from(p).ok().and_then(|p| self.rules.players.get(p));
                let [says, owner] = [says, owner].map(|p| name(p).map_or("", String::as_str));
                return Err(TextError {
                    message: format!("it says that {says} begins, but the first opening turn is {owner}'s"),
                    help: Some("let both say the same player, or leave the turn out of the text".to_owned()),
                    place: None,
                });
            }
            pos.set_slot(self.layout, slot::TURN, owner);
        }
        machine.tidy(&mut pos);
        if !starts {
            // One ply a turn, unless the text says otherwise.
            let round = pos.slot(self.layout, slot::ROUND).max(1) - 1;
            let before = round.saturating_mul(self.rules.players.len() as i32);
            let ply = before.saturating_add(pos.slot(self.layout, slot::TURN)).min(limits::COUNTED);
            pos.set_slot(self.layout, slot::PLY, ply);
        }
        for word in others {
            self.read_named(&mut pos, word).map_err(|e| e.inside(text, word))?;
        }
        // The values at the start of a turn, unless the text says otherwise.
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

    /// Reads the fields; whether they say whose turn it is.
    fn read_fields(&self, machine: &mut Machine, pos: &mut Position, text: &str) -> Result<bool, TextError> {
        let mut told = false;
        let mut words = text.split_whitespace();
        let fields: Vec<TextField> = self
            .fields()
            .into_iter()
            .flat_map(|field| match field {
                TextField::Literal(t) => {
                    t.split_whitespace().map(|t| TextField::Literal(t.to_owned())).collect()
                }
                field => vec![field],
            })
            .collect();
        let wrong = |word, message: String| fault(message).map_err(|e: TextError| e.inside(text, word));
        for (i, f) in fields.iter().enumerate() {
            let mut next = || words.next();
            let Some(word) = next() else {
                if i == 0 {
                    return fault("the text is empty");
                }
                break;
            };
            match f {
                TextField::Literal(t) if t == word => {}
                TextField::Literal(t) => return wrong(word, format!("expected `{t}`, found `{word}`")),
                TextField::Board => self.read_board(machine, pos, word).map_err(|e| e.inside(text, word))?,
                TextField::Turn => {
                    let spelled = self.rules.position.as_ref().map(|p| &p.turn);
                    let found = spelled
                        .and_then(|t| t.iter().position(|t| t == word))
                        .or_else(|| self.rules.players.iter().position(|p| p == word));
                    let Some(p) = found else {
                        let known = spelled.filter(|t| !t.is_empty()).unwrap_or(&self.rules.players);
                        let known = known.join(", ");
                        return wrong(word, format!("`{word}` is no player to move: one of {known}"));
                    };
                    pos.set_slot(self.layout, slot::TURN, p as i32);
                    told = true;
                }
                TextField::Round => match word.parse::<i32>() {
                    Ok(n) if n <= limits::COUNTED => pos.set_slot(self.layout, slot::ROUND, n.max(1)),
                    Ok(_) => return wrong(word, format!("a round is at most {}", limits::COUNTED)),
                    Err(_) => return wrong(word, format!("`{word}` is no number of a round")),
                },
                TextField::State(var, _) => {
                    let mut word = Some(word);
                    for e in self.shown(*var) {
                        let Some(w) = word.take().or_else(&mut next) else {
                            let name = &self.rules.state[*var].name;
                            return fault(format!("`{name}` has more entries than the text"));
                        };
                        let value = self.read_value(*var, w).map_err(|e| e.inside(text, w))?;
                        self.put(pos, *var, e, &value);
                    }
                }
            }
        }
        match words.next() {
            Some(word) => wrong(word, format!("`{word}` is more than the text of a position has")),
            None => Ok(told),
        }
    }

    fn read_board(&self, machine: &mut Machine, pos: &mut Position, word: &str) -> Result<(), TextError> {
        let players = self.rules.players.len();
        let pieces =
            picture::read(word, &self.rules.board, &self.rules.kinds, players, self.rules.stack())
                .map_err(|e| TextError { message: e.message, help: None, place: Some((e.start, e.end)) })?;
        let held = &self.layout.pieces;
        for p in pieces {
            let (comes, what) = match p.owner {
                Some(_) => (held.owner_base.is_some(), "a player"),
                None => (held.neutral || held.owner_base.is_none(), "nobody (`*`)"),
            };
            if !comes {
                return Err(TextError {
                    message: format!("pieces of {what} do not come in this game"),
                    help: Some(
                        "they do where a rule makes one, or a set-up of the definition shows one".to_owned(),
                    ),
                    place: Some((0, word.len())),
                });
            }
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

    /// The numbers of each deal, not dealt.
    pub(super) fn in_order(&self) -> Vec<Vec<i32>> {
        self.layout.deals.iter().map(|d| (d.low..=d.high).collect()).collect()
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
            let (low, high) = (deal.low, deal.high);
            return fault(format!("`{name}` gives each number from {low} to {high} to one site"));
        }
        if let Some(place) = given.get_mut(i) {
            *place = numbers;
        }
        Ok(true)
    }

    /// A counter of `name=value` behind the fields; none if the name is no counter's.
    fn read_counter(&self, machine: &Machine, word: &str) -> Result<Option<(usize, i32)>, TextError> {
        let Some((name, value)) = word.split_once('=') else {
            return fault(format!("`{word}` is no `name=value`"));
        };
        if value.is_empty() {
            let message = format!("`{name}` has no value behind its `=`");
            let help = Some("its value stands right behind it, without a blank".to_owned());
            return Err(TextError { message, help, place: None });
        }
        let name = match name.strip_prefix(':') {
            Some(name) => name,
            None if self.rules.state.iter().any(|v| v.name == name) => return Ok(None),
            None => name,
        };
        let Some((_, s)) = COUNTERS.iter().find(|(n, _)| *n == name) else { return Ok(None) };
        let players = self.rules.players.len();
        let count = match *s {
            slot::MOVER | slot::TURN => players,
            slot::SWAP | slot::SIDES => 2,
            slot::STATE => machine.program().states.len(),
            _ => limits::COUNTED as usize + 1,
        };
        match value.parse::<i32>() {
            Ok(n) if *s == slot::RESULT && result::is_known(n, players) => Ok(Some((*s, n))),
            Ok(n) if *s == slot::RESULT => fault(format!("`{name}` cannot be {n}")),
            Ok(n) if usize::try_from(n).is_ok_and(|n| n < count) => Ok(Some((*s, n))),
            Ok(n) => fault(format!("`{name}` cannot be {n}: it is from 0 to {}", count.saturating_sub(1))),
            Err(_) => fault(format!("`{value}` is no number (of `{name}`)")),
        }
    }

    /// `name=value` of a state variable.
    fn read_named(&self, pos: &mut Position, word: &str) -> Result<(), TextError> {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let (age, name) = match name.strip_prefix("left:") {
            Some(name) => (true, name),
            None => (false, name),
        };
        let entries = |var| (0..self.entries(var)).map(move |entry| (var, entry));
        let mut all = (0..self.rules.state.len()).flat_map(entries);
        if let Some((var, entry)) = all.find(|(var, entry)| self.entry_name(*var, *entry) == name) {
            let left = if age {
                let Ok(n) = value.parse::<i32>() else { return fault(format!("`{value}` is no number")) };
                Some(n)
            } else {
                let value = self.read_value(var, value)?;
                self.put(pos, var, entry, &value);
                self.rules.state.get(var).and_then(|v| v.lasts).map(|lasts| lasts as i32)
            };
            if let (Some(Some(ages)), Some(left)) = (self.ages.get(var), left) {
                pos.set_slot(self.layout, ages + entry, left);
            }
            return Ok(());
        }
        Err(self.no_entry(name, value))
    }

    /// Why a name is no entry of the state.
    fn no_entry(&self, name: &str, value: &str) -> TextError {
        let told = |message, help| TextError { message, help, place: None };
        let meant = |near: &str| format!("did you mean `{near}`?");
        let (base, index) = name.split_once('[').unwrap_or((name, ""));
        if let Some(at) = self.rules.state.iter().position(|v| v.name == base) {
            let per = &self.rules.state[at].per;
            if per.is_empty() {
                let message = format!("`{base}` has one value and no index");
                return told(message, Some(format!("write `{base}={value}`")));
            }
            let words = index.trim_end_matches(']').split(',');
            let names = |per: Per| (0..self.rules.indices(per)).map(move |i| self.rules.index_name(per, i));
            let unknown = per.iter().zip(words.clone()).find(|(per, word)| names(**per).all(|n| n != *word));
            return match unknown.filter(|_| words.count() == per.len() && !index.is_empty()) {
                Some((per, word)) => {
                    let near = nearest(word, names(*per)).map(meant);
                    told(format!("there is no {} `{word}`", per.word()), near)
                }
                None => {
                    let per: Vec<&str> = per.iter().map(|per| per.word()).collect();
                    let one = value.split(',').next().unwrap_or("");
                    let help = format!("say which, as in `{}={one}`", self.entry_name(at, 0));
                    told(format!("`{base}` has an entry for each {}", per.join(" and ")), Some(help))
                }
            };
        }
        let near = nearest(base, self.state_names()).map(|near| match base == name {
            true => meant(near),
            false => meant(&name.replacen(base, near, 1)),
        });
        told(format!("there is no state variable `{base}`"), near)
    }

    /// The names that stand before `=` behind the fields.
    fn state_names(&self) -> impl Iterator<Item = &str> {
        let state = self.rules.state.iter().filter(|v| !v.drawn).map(|v| v.name.as_str());
        state.chain(COUNTERS.iter().map(|(name, _)| *name))
    }

    /// A word of the state among the fields, where none can stand.
    fn misplaced(&self, fields: &str) -> Option<TextError> {
        let named = |word: &&str| {
            let name = word.split_once('=').map(|(name, _)| name.split('[').next().unwrap_or(name));
            name.is_some_and(|name| self.state_names().any(|known| known == name))
        };
        let word = fields.split_whitespace().find(named)?;
        let message = format!("`{word}` is state, which stands behind `{REST}`");
        let help = Some(format!("end the text with `{REST}{word}`"));
        Some(TextError { message, help, place: None }.inside(fields, word))
    }
}

/// The words behind the fields. None of them is a part of `name=value` with blanks in it.
fn state_words<'t>(text: &str, rest: &'t str) -> Result<Vec<&'t str>, TextError> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    for (i, word) in words.iter().enumerate() {
        let mut whole = (*word).to_owned();
        for next in words.iter().skip(i + 1).take(2) {
            let goes_on = match whole.contains('=') {
                true => whole.ends_with('=') && !next.contains('='),
                false => next.starts_with('='),
            };
            if !goes_on {
                break;
            }
            whole += next;
        }
        if whole != *word {
            let message = "blanks around `=` are not allowed".to_owned();
            let help = Some(format!("write `{whole}`"));
            return Err(TextError { message, help, place: None }.inside(text, word));
        }
    }
    Ok(words)
}
