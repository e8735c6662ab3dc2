//! The naive evaluator: it runs the typed tree as the language's page says it, by brute force. No tables,
//! no bit tricks, nothing of the compiled program or of the play side: what the fast way comes to is
//! compared with what comes out here.
//!
//! | file | what it runs |
//! | --- | --- |
//! | `value` | values, locals |
//! | `set` | sets of sites and of kinds |
//! | `position` | positions |
//! | `eval` | expressions |
//! | `pattern` | patterns, relations, distances, floods, lines |
//! | `effect` | effects |
//! | `decision` | choices and their texts |
//! | `flow` | the turn flow |
//! | `turn` | what follows a ply: ends, expiry, the next turn |
//! | `read` | positions from texts |

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use farrier::board::{Board, Relation};
use farrier::ids::Dir;
use farrier::semantics::Rules;

pub mod decision;
pub mod effect;
pub mod eval;
pub mod flow;
pub mod pattern;
pub mod position;
pub mod read;
pub mod set;
pub mod turn;
pub mod value;

use decision::Choice;
use eval::View;
use flow::{Offer, Resolved};
use position::{Entry, NaivePosition, Piece};
use set::Set;
use turn::Ends;
use value::{Env, Value};

/// A game, run naively.
pub struct Naive<'r> {
    /// Its rules.
    pub rules: &'r Rules,
    /// The start value of each entry of each variable.
    pub starts: Vec<Vec<Value>>,
    /// How many expressions may still be evaluated, or flows kept as what is left; then it panics with [`OutOfFuel`].
    pub fuel: Cell<u64>,
    all: Set,
    near: OnceCell<Rc<Relation>>,
    leaps: RefCell<HashMap<(i32, i32), Rc<Relation>>>,
    walks: RefCell<HashMap<Vec<Dir>, Rc<Relation>>>,
}

/// What the naive evaluator panics with when it was told to do no more.
pub struct OutOfFuel;

impl<'r> Naive<'r> {
    /// A game by its rules.
    pub fn new(rules: &'r Rules) -> Naive<'r> {
        let mut naive = Naive {
            rules,
            starts: Vec::new(),
            fuel: Cell::new(u64::MAX),
            all: rules.board.sites().map(|s| s.index()).collect(),
            near: OnceCell::new(),
            leaps: RefCell::default(),
            walks: RefCell::default(),
        };
        naive.starts = naive.start_values(&naive.empty());
        naive
    }

    /// The board.
    pub fn board(&self) -> &'r Board {
        &self.rules.board
    }

    /// One step between neighbours. The board's answers are kept: it works them out anew each time.
    fn near(&self) -> Rc<Relation> {
        self.near.get_or_init(|| Rc::new(self.board().near())).clone()
    }

    fn leap(&self, a: i32, b: i32) -> Rc<Relation> {
        let mut known = self.leaps.borrow_mut();
        let leap = known.entry((a, b));
        leap.or_insert_with(|| Rc::new(self.board().leap(a, b).unwrap())).clone()
    }

    fn walk(&self, dirs: &[Dir]) -> Rc<Relation> {
        let mut known = self.walks.borrow_mut();
        let walk = known.entry(dirs.to_vec());
        walk.or_insert_with(|| Rc::new(self.board().walk(dirs))).clone()
    }

    /// The empty board before anything was set up.
    fn empty(&self) -> NaivePosition {
        let fresh = |value: &Value| Entry { value: value.clone(), assigned: None };
        let entries = self.starts.iter();
        NaivePosition {
            pieces: vec![None; self.board().len()],
            under: vec![Vec::new(); self.board().len()],
            state: entries.map(|values| values.iter().map(fresh).collect()).collect(),
            turn: 0,
            rest: Vec::new(),
            turn_plies: 0,
            turn_acts: 0,
            ply: 0,
            round: 1,
            passes: 0,
            seen: 0,
            swap: false,
            sides: false,
            opened: 0,
            opening: false,
            turn_number: -1,
            history: Vec::new(),
            result: None,
        }
    }

    /// The start of a game. `deal` has for each shuffled variable, by number, what its entries are, the
    /// existing sites in order. If the definition says what text the start has, that is read; else the
    /// set-up's picture and effects make it.
    pub fn start(&self, deal: &[(usize, Vec<i32>)]) -> NaivePosition {
        let mut pos = self.empty();
        for (var, numbers) in deal {
            for (site, number) in self.all().iter().zip(numbers) {
                pos.state[*var][site].value = Value::Int(*number);
            }
        }
        let text = self.rules.position.as_ref().and_then(|p| p.start.as_deref());
        if let Some(text) = text {
            assert!(self.fill_in(&mut pos, text).is_some(), "the start `{text}` cannot be read");
        } else {
            for p in &self.rules.setup.pieces {
                let (owner, kind) = (p.owner.map(|p| p.index()), p.kind.index());
                // In a mixed stack they stand in order, the top one last.
                pos.under[p.site.index()].extend(pos.pieces[p.site.index()].map(|p| (p.owner, p.kind)));
                pos.pieces[p.site.index()] = Some(Piece { owner, kind, height: p.height });
            }
            self.run(&mut pos, 0, &mut Env::new(), &self.rules.setup.effects);
        }
        let first = pos.turn;
        self.begin_game(pos, first)
    }

    /// The first turn of what was set up or read.
    pub fn begin_game(&self, mut pos: NaivePosition, first: usize) -> NaivePosition {
        pos.turn_number = 0;
        pos.swap = false;
        self.begin_turn(&mut pos, first);
        self.open_turn(&mut pos);
        self.bar(&mut pos);
        pos
    }

    /// All offers; none if the game is over.
    pub fn offers(&self, pos: &NaivePosition) -> Vec<Offer> {
        if pos.result.is_some() {
            return Vec::new();
        }
        match self.resolve_list(View { pos, me: pos.turn }, &pos.rest) {
            Resolved::Done => Vec::new(),
            Resolved::Due { mut offers, .. } => {
                offers.retain(|offer| !self.is_barred(pos, offer));
                offers
            }
        }
    }

    /// The legal choices with their texts, in order.
    pub fn legal(&self, pos: &NaivePosition) -> Vec<(String, Choice)> {
        let offers = self.offers(pos).into_iter();
        offers.map(|offer| (self.text(&offer.choice), offer.choice)).collect()
    }

    /// Who decides this ply (of a chance, for whom it is drawn); none if the game is over.
    pub fn mover(&self, pos: &NaivePosition) -> Option<usize> {
        self.offers(pos).first().map(|offer| offer.mover)
    }

    /// Whether this ply is drawn by the seed.
    pub fn is_chance(&self, pos: &NaivePosition) -> bool {
        let drawn = |offer: &Offer| match &offer.choice {
            Choice::Decision(number, _) => self.rules.decisions[*number].chance,
            Choice::Pass => false,
        };
        self.offers(pos).first().is_some_and(drawn)
    }

    /// The position after a legal choice by its text; none if there is no such choice.
    pub fn play(&self, pos: &NaivePosition, text: &str) -> Option<NaivePosition> {
        let mut offers = self.offers(pos).into_iter();
        let offer = offers.find(|offer| self.text(&offer.choice) == text)?;
        Some(self.take(pos, &offer, Ends::All))
    }

    /// Who has won, the places where there are more than two, or `draw`; none while the game goes on.
    pub fn result(&self, pos: &NaivePosition) -> Option<String> {
        let ended = pos.result.as_ref()?;
        let mut groups: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for (name, place) in self.rules.players.iter().zip(&ended.places) {
            groups.entry(*place).or_default().push(name);
        }
        let told: Vec<String> = groups.values().map(|names| names.join(" & ")).collect();
        Some(match &told[..] {
            [only] if ended.alone => only.clone(),
            [_] => "draw".to_owned(),
            [first, _] => first.clone(),
            all => all.join(" > "),
        })
    }

    /// Every player's score, where the score decided.
    pub fn scores(&self, pos: &NaivePosition) -> Option<Vec<i32>> {
        pos.result.as_ref()?.scores.clone()
    }

    /// What stands on a site: of a mixed stack the top piece, and how many there are in all.
    #[inline]
    pub fn piece(&self, pos: &NaivePosition, site: usize) -> Option<Piece> {
        let below = pos.under[site].len() as u32;
        pos.pieces[site].map(|top| Piece { height: top.height + below, ..top })
    }

    /// The number of sequences of exactly so many plies, without the ends that perft does not look at.
    pub fn perft(&self, pos: &NaivePosition, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let offers = self.offers(pos);
        if depth == 1 {
            return offers.len() as u64;
        }
        let after = offers.iter().map(|offer| self.take(pos, offer, Ends::Perft));
        after.map(|pos| self.perft(&pos, depth - 1)).sum()
    }
}
