//! Positions from texts, by the template of `[position]`.
//!
//! Read are: pictures without blanks (capitals are the first player's, small letters the second's, `*` makes a piece
//! neutral, digits are runs of vacant sites, brackets hold a piece or a mixed stack, in which a digit is a player), the
//! turn, the round, and state variables of which each position has one entry, or one for each site (separated by
//! blanks). A text that does not say whose turn it is begins a game.

use farrier::ids::Site;
use farrier::semantics::{Per, TextField, Type};

use super::Naive;
use super::position::{NaivePosition, Single};
use super::set::Set;
use super::value::{Env, Value};

impl Naive<'_> {
    /// The position of a text; its opening turns are over. None if it cannot be read.
    pub fn read(&self, text: &str) -> Option<NaivePosition> {
        let mut pos = self.empty();
        if self.fill_in(&mut pos, text)? {
            pos.opened = self.rules.turn.opening.len();
            pos.ply = (pos.round - 1) * self.rules.players.len() as i32 + pos.turn as i32;
        }
        let first = pos.turn;
        Some(self.begin_game(pos, first))
    }

    /// Fills in what a text says and tidies; says whether the text tells whose turn it is. None if it cannot be read.
    pub fn fill_in(&self, pos: &mut NaivePosition, text: &str) -> Option<bool> {
        let plain = [TextField::Board, TextField::Literal(" ".to_owned()), TextField::Turn];
        let position = self.rules.position.as_ref();
        let told = self.fields(pos, position.map_or(&plain, |position| &position.text), text)?;
        let owner = self.rules.turn.opening.first().and_then(|(_, owner)| *owner);
        if let (false, Some(owner)) = (told, owner) {
            pos.turn = owner.index();
        }
        let me = pos.turn;
        self.run(pos, me, &mut Env::new(), position.map_or(&[], |position| &position.tidy));
        Some(told)
    }

    /// Each field goes to the literal that follows it; fields that are missing at the end stay as they are.
    fn fields(&self, pos: &mut NaivePosition, fields: &[TextField], text: &str) -> Option<bool> {
        let mut told = false;
        let mut left = text.trim();
        for (i, field) in fields.iter().enumerate() {
            if left.is_empty() {
                break;
            }
            if let TextField::Literal(literal) = field {
                left = left.strip_prefix(literal.as_str())?;
                continue;
            }
            let end = match fields.get(i + 1) {
                Some(TextField::Literal(literal)) => left.find(literal.as_str()),
                _ => None,
            };
            let (word, rest) = left.split_at(end.unwrap_or(left.len()));
            left = rest;
            told |= matches!(field, TextField::Turn);
            self.field(pos, field, word)?;
        }
        left.is_empty().then_some(told)
    }

    fn field(&self, pos: &mut NaivePosition, field: &TextField, word: &str) -> Option<()> {
        match field {
            TextField::Literal(_) => {}
            TextField::Board => self.picture(pos, word)?,
            TextField::Turn => {
                let names = match &self.rules.position {
                    Some(position) if !position.turn.is_empty() => &position.turn,
                    _ => &self.rules.players,
                };
                pos.turn = names.iter().position(|name| name == word)?;
            }
            TextField::Round => pos.round = word.parse().ok()?,
            TextField::State(var, _) => {
                let info = &self.rules.state[*var];
                let values: Vec<(usize, Value)> = match info.per.as_slice() {
                    [] => vec![(0, self.read_value(*var, info.ty, word)?)],
                    [Per::Site] => {
                        let words: Vec<&str> = word.split_whitespace().collect();
                        let sites = self.all();
                        if words.len() != sites.len() {
                            return None;
                        }
                        let pairs = sites.iter().zip(words);
                        let read = |(site, word)| Some((site, self.read_value(*var, info.ty, word)?));
                        pairs.map(read).collect::<Option<_>>()?
                    }
                    _ => return None,
                };
                for (entry, value) in values {
                    let entry = &mut pos.state[*var][entry];
                    entry.value = value;
                    entry.assigned = Some(pos.turn_number);
                }
            }
        }
        Some(())
    }

    fn read_value(&self, var: usize, ty: Type, word: &str) -> Option<Value> {
        let position = self.rules.position.as_ref();
        if position.is_some_and(|p| p.empty == word) && !matches!(ty, Type::Int | Type::Bool) {
            return Some(Value::empty(ty));
        }
        let site = |name: &str| self.board().site(name).map(|s| s.index());
        let letter = |word: &str| self.rules.kinds.iter().position(|k| k.letter == word);
        Some(match ty {
            Type::Bool => Value::Bool(matches!(word, "true" | "1")),
            Type::Int => Value::Int(word.parse().ok()?),
            Type::Site | Type::SiteOpt => Value::Site(Some(site(word)?)),
            Type::Kind | Type::KindOpt => Value::Kind(Some(letter(word)?)),
            Type::Direction => Value::Direction(Some(self.board().dir(word)?.index())),
            Type::Player => Value::Player(Some(self.rules.players.iter().position(|p| p == word)?)),
            Type::Sites => {
                let spelling = position.and_then(|p| p.spellings.iter().find(|(spelled, _)| *spelled == var));
                let words: Vec<(usize, &str)> = match spelling {
                    Some((_, letters)) => letters
                        .iter()
                        .map(|(site, letter): &(Site, String)| (site.index(), letter.as_str()))
                        .collect(),
                    None => self.board().sites().map(|s| (s.index(), self.board().name(s))).collect(),
                };
                Value::Sites(spelled(&words, word)?)
            }
            _ => return None,
        })
    }

    fn picture(&self, pos: &mut NaivePosition, text: &str) -> Option<()> {
        pos.pieces.fill(None);
        pos.under.fill(Vec::new());
        let rows = self.board().picture_rows();
        let lines: Vec<&str> = text.split('/').collect();
        if lines.len() != rows.len() {
            return None;
        }
        for (row, line) in rows.into_iter().zip(lines) {
            let mut sites = row.into_iter().flatten();
            let mut left = line;
            while let Some(first) = left.chars().next() {
                if first.is_ascii_digit() {
                    let end = left.find(|c: char| !c.is_ascii_digit());
                    let (digits, rest) = left.split_at(end.unwrap_or(left.len()));
                    left = rest;
                    for _ in 0..digits.parse::<usize>().ok()? {
                        sites.next()?;
                    }
                    continue;
                }
                let bracketed = left.strip_prefix('(').and_then(|rest| rest.split_once(')'));
                let (pieces, rest) = match bracketed {
                    Some((token, rest)) => (self.read_pieces(token)?, rest),
                    None => {
                        let (piece, rest) = self.read_piece(left)?;
                        (vec![piece], rest)
                    }
                };
                if pieces.len() > 1 && self.rules.stack().is_none() {
                    return None;
                }
                left = rest;
                pos.set_stack(sites.next()?.index(), pieces);
            }
            if sites.next().is_some() {
                return None;
            }
        }
        Some(())
    }

    /// The pieces of a token in brackets, the lowest first.
    fn read_pieces(&self, token: &str) -> Option<Vec<Single>> {
        let mut left = token;
        let mut pieces = Vec::new();
        while !left.is_empty() {
            let (piece, rest) = self.read_piece(left)?;
            pieces.push(piece);
            left = rest;
        }
        (!pieces.is_empty()).then_some(pieces)
    }

    /// The piece with which a text begins, and the rest: `m`, `M`, `*m`, or in brackets `3m` with the number of the
    /// player.
    fn read_piece<'t>(&self, text: &'t str) -> Option<(Single, &'t str)> {
        let neutral = text.strip_prefix('*');
        let left = neutral.unwrap_or(text);
        let number = left.chars().next().and_then(|c| c.to_digit(10));
        let left = &left[usize::from(number.is_some())..];
        let starts = |letter: &str| {
            let head = left.get(..letter.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(letter))
        };
        let kind = (0..self.rules.kinds.len())
            .filter(|k| starts(&self.rules.kinds[*k].letter))
            .max_by_key(|k| self.rules.kinds[*k].letter.len())?;
        let (letter, rest) = left.split_at(self.rules.kinds[kind].letter.len());
        let capital = letter.chars().any(|c| c.is_ascii_uppercase());
        let owner = match (neutral, number) {
            (Some(_), _) => None,
            (None, Some(number)) => Some((number as usize).checked_sub(1)?),
            (None, None) => Some(usize::from(!capital)),
        };
        Some(((owner, kind), rest))
    }
}

/// A text that is made of words, each the name of a site, commas between them or not.
fn spelled(words: &[(usize, &str)], text: &str) -> Option<Set> {
    let mut sites = Set::new();
    let mut left = text;
    while !left.is_empty() {
        let fits = words.iter().filter(|(_, word)| left.starts_with(*word));
        let (site, word) = fits.max_by_key(|(_, word)| word.len())?;
        sites.insert(*site);
        left = left[word.len()..].trim_start_matches(',');
    }
    Some(sites)
}
