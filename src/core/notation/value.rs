//! The values of state variables as text.

use super::position::{TextError, Texts, fault};
use crate::ids::{Dir, Site};
use crate::semantics::Type;
use crate::siteset::SiteSet;

/// A value as it is kept.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value {
    Int(i32),
    Set(SiteSet),
}

impl Texts<'_> {
    /// A value as text, numbers with at least so many digits.
    pub(super) fn write_value(&self, var: usize, value: &Value, width: usize) -> String {
        let Some(v) = self.rules.state.get(var) else { return String::new() };
        match value {
            Value::Set(set) => {
                let letters = self.letters(var);
                let letter = |s: usize| letters.iter().find(|(site, _)| site.index() == s);
                let names = set.iter().map(|s| self.rules.board.name(Site(s as u16)));
                let text = if letters.is_empty() {
                    names.collect::<Vec<_>>().join(",")
                } else if set.iter().all(|s| letter(s).is_some()) {
                    letters.iter().filter(|(s, _)| set.contains(s.index())).map(|(_, l)| l.as_str()).collect()
                } else {
                    // A site without a letter: a comma tells names from letters.
                    names.map(|name| format!("{name},")).collect()
                };
                if text.is_empty() { self.empty().to_owned() } else { text }
            }
            Value::Int(n) => {
                let index = usize::try_from(*n).ok();
                let text = match v.ty {
                    Type::Bool => Some(if *n == 0 { "no" } else { "yes" }.to_owned()),
                    Type::Site | Type::SiteOpt => {
                        index.map(|i| self.rules.board.name(Site(i as u16)).to_owned())
                    }
                    Type::Kind | Type::KindOpt => {
                        index.and_then(|i| self.rules.kinds.get(i)).map(|k| k.name.clone())
                    }
                    Type::Player => index.and_then(|i| self.rules.players.get(i)).cloned(),
                    Type::Direction => index.map(|i| self.rules.board.label(Dir(i as u16)).to_owned()),
                    Type::Kinds => {
                        let names: Vec<&str> = (0..self.rules.kinds.len())
                            .filter(|k| n >> k & 1 == 1)
                            .filter_map(|k| self.rules.kinds.get(k))
                            .map(|k| k.name.as_str())
                            .collect();
                        (!names.is_empty()).then(|| names.join(","))
                    }
                    _ => Some(format!("{n:0width$}")),
                };
                text.unwrap_or_else(|| self.empty().to_owned())
            }
        }
    }

    /// A value of a text.
    pub(super) fn read_value(&self, var: usize, text: &str) -> Result<Value, TextError> {
        let Some(v) = self.rules.state.get(var) else { return fault("no such variable") };
        let empty = text == self.empty();
        let number = |n: Option<usize>, what: &str| match n {
            Some(n) => Ok(Value::Int(n as i32)),
            None => fault(format!("`{text}` is no {what} (of `{}`)", v.name)),
        };
        match v.ty {
            Type::Sites => {
                if empty {
                    return Ok(Value::Set(SiteSet::EMPTY));
                }
                let letters = self.letters(var);
                if !letters.is_empty() && !text.contains(',') {
                    return self.spelled(text, letters).map(Value::Set);
                }
                let mut set = SiteSet::EMPTY;
                for name in text.strip_suffix(',').unwrap_or(text).split(',') {
                    match self.rules.board.site(name) {
                        Some(s) => set.insert(s.index()),
                        None => return fault(format!("`{name}` is no site (of `{}`)", v.name)),
                    }
                }
                Ok(Value::Set(set))
            }
            Type::Bool => match text {
                "yes" => Ok(Value::Int(1)),
                "no" => Ok(Value::Int(0)),
                _ => fault(format!("`{text}` is neither yes nor no (of `{}`)", v.name)),
            },
            Type::Int => match text.parse::<i32>() {
                Ok(n) => Ok(Value::Int(n)),
                Err(_) => fault(format!("`{text}` is no number (of `{}`)", v.name)),
            },
            Type::Kinds if empty => Ok(Value::Int(0)),
            _ if empty => Ok(Value::Int(-1)),
            Type::Site | Type::SiteOpt => number(self.rules.board.site(text).map(Site::index), "site"),
            Type::Kind | Type::KindOpt => {
                number(self.rules.kinds.iter().position(|k| k.name == text), "kind of piece")
            }
            Type::Player => number(self.rules.players.iter().position(|p| p == text), "player"),
            Type::Direction => number(self.rules.board.dir(text).map(Dir::index), "direction"),
            Type::Kinds => {
                let mut mask = 0;
                for name in text.split(',') {
                    match self.rules.kinds.iter().position(|k| k.name == name) {
                        Some(k) => mask |= 1 << k,
                        None => return fault(format!("`{name}` is no kind of piece (of `{}`)", v.name)),
                    }
                }
                Ok(Value::Int(mask))
            }
            Type::Error | Type::Nothing | Type::Word(_) => fault("no such variable"),
        }
    }

    /// The letters that a set of sites is spelled with; none where its sites are listed.
    fn letters(&self, var: usize) -> &[(Site, String)] {
        let mut spellings = self.rules.position.iter().flat_map(|p| &p.spellings);
        spellings.find(|(s, _)| *s == var).map_or(&[], |(_, letters)| letters)
    }

    fn spelled(&self, text: &str, letters: &[(Site, String)]) -> Result<SiteSet, TextError> {
        let mut set = SiteSet::EMPTY;
        let mut rest = text;
        while !rest.is_empty() {
            let found = letters.iter().find(|(_, l)| !l.is_empty() && rest.starts_with(l.as_str()));
            let Some((site, letter)) = found else {
                let known: Vec<&str> = letters.iter().map(|(_, l)| l.as_str()).collect();
                return fault(format!("`{rest}` in `{text}` is none of the letters {}", known.join(" ")));
            };
            set.insert(site.index());
            rest = &rest[letter.len()..];
        }
        Ok(set)
    }
}
