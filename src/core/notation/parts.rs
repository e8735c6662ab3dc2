//! Moves part by part: parts are chosen one after the other until one legal move is left.
//!
//! ```text
//! legal moves -> their parts (sites, kinds, players, directions, numbers) -> the next parts, given the chosen ones
//! ```
//!
//! All is read off the legal moves themselves, so it holds for every definition. Moves of several decisions are led
//! together: who chooses a site keeps every move that begins with it.

use crate::ids::{Dir, Kind, Player, Site};
use crate::play::{Move, Moves};
use crate::program::{Program, VarKind};
use crate::semantics::{MovePart, Rules};

/// Something that is chosen in a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// A site.
    Site(Site),
    /// A kind of piece.
    Kind(Kind),
    /// A player.
    Player(Player),
    /// A direction.
    Direction(Dir),
    /// A number.
    Number(i32),
    /// Nothing, where something could be.
    None,
}

impl Part {
    /// The site, if it is one.
    pub fn site(self) -> Option<Site> {
        if let Part::Site(site) = self { Some(site) } else { None }
    }
}

/// A legal move with its parts: those that its text shows, in the order in which the decision chooses them, then the
/// others, which mostly follow from them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parted {
    /// The move.
    pub number: Move,
    /// The decision, as a place in the rules; none for a pass.
    pub decision: Option<usize>,
    /// The parts.
    pub parts: Vec<Part>,
    /// Which of the decision's choices each part is.
    pub vars: Vec<usize>,
    /// How many of them the move's text shows.
    shown: usize,
}

impl Parted {
    /// A move with its parts, legal or not.
    pub fn new(rules: &Rules, program: &Program, number: Move) -> Parted {
        let leaf = program.leaf_of(number.0).and_then(|i| program.leaves.get(i));
        let none = Parted { number, decision: None, parts: Vec::new(), vars: Vec::new(), shown: 0 };
        let Some((leaf, d)) = leaf.and_then(|leaf| Some((leaf, leaf.decision?))) else { return none };
        let Some(code) = program.decisions.get(d) else { return none };
        let choice = number.0 - leaf.base;
        let part = |kind: VarKind, value: i32| match (kind, u16::try_from(value)) {
            (VarKind::Int, _) => Part::Number(value),
            (_, Err(_)) => Part::None,
            (VarKind::Site, Ok(site)) => Part::Site(Site(site)),
            (VarKind::Kind, Ok(kind)) => Part::Kind(Kind(kind as u8)),
            (VarKind::Player, Ok(player)) => Part::Player(Player(player as u8)),
            (VarKind::Direction, Ok(dir)) => Part::Direction(Dir(dir)),
        };
        let text = rules.decisions.get(d).map_or(&[][..], |decision| &decision.text);
        let is_shown = |var: &usize| text.iter().any(|p| matches!(p, MovePart::Var(i, _) if i == var));
        let (mut vars, hidden): (Vec<usize>, Vec<usize>) = (0..code.vars.len()).partition(is_shown);
        let shown = vars.len();
        vars.extend(hidden);
        let parts = vars.iter().filter_map(|var| code.vars.get(*var));
        let parts = parts.map(|var| part(var.kind, var.value(choice))).collect();
        Parted { number, decision: Some(d), parts, vars, shown }
    }

    /// The parts that the move's text shows.
    pub fn shown(&self) -> &[Part] {
        self.parts.get(..self.shown).unwrap_or(&self.parts)
    }
}

/// How far a move has been chosen.
///
/// ```
/// use farrier::notation::parts::{Choosing, Part};
/// use farrier::session::Session;
/// use farrier::shipped::Shipped;
/// use farrier::variant::Variant;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let game = "breakthrough".parse::<Variant>()?.open(&Shipped)?;
/// let session = Session::new(game, None, 1)?;
/// let board = session.game().rules.board.clone();
/// let site = |name: &str| board.site(name).map(Part::Site).unwrap_or(Part::None);
/// let mut choosing = session.choosing();
/// assert_eq!(choosing.next().len(), 8);
/// assert!(choosing.choose(site("b2")));
/// assert_eq!(choosing.next(), [site("a3"), site("b3"), site("c3")]);
/// assert!(!choosing.choose(site("h8")) && choosing.decided().is_none());
/// choosing.choose(site("c3"));
/// assert_eq!(choosing.decided().map(|m| session.game().move_text(m)).as_deref(), Some("b2c3"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Choosing {
    moves: Vec<Parted>,
    chosen: Vec<Part>,
    /// How much was chosen before each choice.
    before: Vec<usize>,
}

impl Choosing {
    /// Nothing is chosen yet of these legal moves.
    pub fn new(rules: &Rules, program: &Program, moves: &Moves) -> Choosing {
        let mut list: Vec<Move> = moves.iter().collect();
        list.sort_unstable();
        let moves = list.into_iter().map(|number| Parted::new(rules, program, number)).collect();
        Choosing { moves, chosen: Vec::new(), before: Vec::new() }
    }

    /// The chosen parts.
    pub fn chosen(&self) -> &[Part] {
        &self.chosen
    }

    /// The parts that somebody chose; the others followed.
    pub fn picked(&self) -> impl Iterator<Item = Part> {
        self.before.iter().filter_map(|place| self.chosen.get(*place).copied())
    }

    /// The moves that begin with the chosen parts.
    pub fn left(&self) -> impl Iterator<Item = &Parted> {
        self.moves.iter().filter(|m| m.parts.starts_with(&self.chosen))
    }

    /// The parts that may be chosen next, without a part twice.
    pub fn next(&self) -> Vec<Part> {
        let mut parts: Vec<Part> =
            self.left().filter_map(|m| m.parts.get(self.chosen.len()).copied()).collect();
        parts.sort_unstable();
        parts.dedup();
        parts
    }

    /// The moves that are chosen completely: a pass from the beginning on.
    pub fn whole(&self) -> Vec<&Parted> {
        self.left().filter(|m| m.parts.len() == self.chosen.len()).collect()
    }

    /// The decisions that are still possible, as places in the rules.
    pub fn decisions(&self) -> Vec<Option<usize>> {
        let mut decisions: Vec<Option<usize>> = self.left().map(|m| m.decision).collect();
        decisions.sort_unstable();
        decisions.dedup();
        decisions
    }

    /// Chooses the next part; whether it may be chosen.
    pub fn choose(&mut self, part: Part) -> bool {
        let place = self.chosen.len();
        let may = self.left().any(|m| m.parts.get(place) == Some(&part));
        if may {
            self.before.push(place);
            self.chosen.push(part);
            self.skip();
        }
        may
    }

    /// Takes the last choice back; whether there was one.
    pub fn back(&mut self) -> bool {
        let Some(place) = self.before.pop() else { return false };
        self.chosen.truncate(place);
        true
    }

    /// Takes all choices back.
    pub fn clear(&mut self) {
        self.chosen.clear();
        self.before.clear();
    }

    /// The one move that is left, if all of it is chosen.
    pub fn decided(&self) -> Option<Move> {
        let mut left = self.left();
        match (left.next(), left.next()) {
            (Some(only), None) if only.parts.len() == self.chosen.len() && !self.chosen.is_empty() => {
                Some(only.number)
            }
            _ => None,
        }
    }

    /// Passes over parts that are the same in all moves, unless it is a site that people read in the move.
    fn skip(&mut self) {
        loop {
            let place = self.chosen.len();
            let mut left = self.left();
            let Some(first) = left.next() else { return };
            let Some(part) = first.parts.get(place).copied() else { return };
            let is_seen = matches!(part, Part::Site(_)) && place < first.shown;
            let differ = left.any(|m| m.parts.get(place) != Some(&part));
            drop(left);
            if is_seen || differ {
                return;
            }
            self.chosen.push(part);
        }
    }
}
