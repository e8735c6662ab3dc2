//! Two games in lockstep.
//!
//! Moves of the two are matched by their texts. Texts become numbers once: each side keeps a table from
//! the numbers of its moves to numbers of texts. Where both sides number the same texts alike (the same
//! decisions in the same places of the flow, on boards with the same names) the moves' own numbers serve,
//! and no text is made at all.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hasher};
use std::ops::Range;

use crate::game::Game;
use crate::ids::Player;
use crate::notation::moves;
use crate::play::{History, Machine, Move, Moves, Position};
use crate::program::{IntOp, Program, VarKind, slot};
use crate::semantics::MovePart;

/// A replacement of words of move texts, all at once.
pub(super) type WordMap = HashMap<String, String>;

/// One of the two games.
#[derive(Clone)]
pub(super) struct Half {
    pub game: Game,
    pub machine: Machine,
    pub moves: Moves,
    pub history: History,
    /// From numbers of moves to numbers of texts.
    texts: HashMap<u32, u32>,
    /// For each player of this game the player as both count them.
    players: Vec<usize>,
    /// The legal moves by their texts' numbers, sorted.
    list: Vec<(u32, Move)>,
}

/// Two positions, one of each game.
#[derive(Clone)]
pub(super) struct Both {
    pub a: Position,
    pub b: Position,
}

/// Two machines that play the same texts. Each thread has its own.
#[derive(Clone)]
pub(super) struct Lockstep {
    pub a: Half,
    pub b: Half,
    map: WordMap,
    words: HashMap<String, u32>,
    alike: bool,
    print: Print,
}

/// The text of a move, its words replaced.
pub(super) fn text(game: &Game, map: &WordMap, m: Move) -> String {
    if map.is_empty() {
        return game.move_text(m);
    }
    let mut out = String::new();
    moves::words(&game.rules, &game.program, m, &mut |word| {
        out += map.get(word).map_or(word, String::as_str);
    });
    out
}

/// All words that can be mapped: those that texts of moves can be made of, and the players.
pub(super) fn vocabulary(game: &Game) -> BTreeSet<String> {
    let (rules, program) = (&game.rules, &game.program);
    // Players are also told apart where no text prints them.
    let mut out: BTreeSet<String> = rules.players.iter().cloned().collect();
    if program.leaves.iter().any(|l| l.decision.is_none()) {
        out.insert(moves::PASS.to_owned());
    }
    for (decision, code) in rules.decisions.iter().zip(&program.decisions) {
        for part in &decision.text {
            let (var, width) = match part {
                MovePart::Literal(text) => {
                    out.insert(text.clone());
                    continue;
                }
                MovePart::Var(i, width) => (code.vars.get(*i), *width),
            };
            let Some(var) = var else { continue };
            match var.kind {
                VarKind::Site => out.extend(rules.board.sites().map(|s| rules.board.name(s).to_owned())),
                VarKind::Kind => out.extend(rules.kinds.iter().map(|k| k.letter.clone())),
                VarKind::Player => out.extend(rules.players.iter().cloned()),
                VarKind::Direction => out.extend(rules.board.directions().iter().map(|d| d.name.clone())),
                VarKind::Int => {
                    let all = (0..var.radix).map(|digit| digit as i32 + var.offset);
                    out.extend(all.map(|value| format!("{value:0width$}")));
                }
            }
        }
    }
    out
}

/// For each player of the second game the player as the first counts them.
pub(super) fn players(a: &Game, b: &Game, map: &WordMap) -> Vec<usize> {
    b.players_in(a, |name| map.get(name).map_or(name, String::as_str))
}

impl Half {
    pub fn new(game: &Game, machine: Machine, players: Vec<usize>) -> Half {
        Half {
            game: game.clone(),
            machine,
            moves: Moves::new(),
            history: History::new(),
            texts: HashMap::new(),
            players,
            list: Vec::new(),
        }
    }

    fn sort(&mut self, alike: bool, map: &WordMap, words: &mut HashMap<String, u32>) {
        self.list.clear();
        for m in self.moves.iter() {
            let number = match alike {
                true => m.0,
                false => *self.texts.entry(m.0).or_insert_with(|| {
                    let next = words.len() as u32;
                    *words.entry(text(&self.game, map, m)).or_insert(next)
                }),
            };
            self.list.push((number, m));
        }
        self.list.sort_unstable();
    }

    /// Fills in the legal moves of the start of a game: its turn start is the first of the history.
    pub fn begin(&mut self, pos: &Position) {
        self.history.clear();
        self.history.push(self.machine.full_hash(pos));
        self.machine.moves(pos, &mut self.moves);
    }

    /// Makes a move and fills in the legal moves after it.
    pub fn play(&mut self, pos: &mut Position, m: Move) {
        self.machine.play(pos, m, &mut self.history, &mut self.moves);
    }

    /// None while the game goes on; then the place of each player, as both count them.
    pub fn outcome(&mut self, pos: &Position) -> Option<Vec<i32>> {
        let outcome = self.machine.outcome(pos)?;
        let players = 0..self.machine.layout().players;
        Some(self.sorted(players.map(|player| outcome.place(Player(player as u8)) as i32).collect()))
    }

    /// Who decides, as both count the players.
    pub fn mover(&self) -> Option<usize> {
        self.players.get(self.moves.mover().index()).copied()
    }

    /// By player as both count them.
    pub fn sorted(&self, numbers: Vec<i32>) -> Vec<i32> {
        let mut out = numbers.clone();
        for (player, number) in numbers.into_iter().enumerate() {
            if let Some(to) = self.players.get(player).and_then(|p| out.get_mut(*p)) {
                *to = number;
            }
        }
        out
    }
}

impl Lockstep {
    /// Two games, each with its machine.
    pub fn new(a: (&Game, Machine), b: (&Game, Machine), map: WordMap) -> Lockstep {
        let alike = map.is_empty() && a.0.writes_moves_as(b.0);
        let print = Print::new(&a.0.program, &b.0.program);
        let own = (0..a.0.rules.players.len()).collect();
        let others = players(a.0, b.0, &map);
        Lockstep {
            a: Half::new(a.0, a.1, own),
            b: Half::new(b.0, b.1, others),
            map,
            words: HashMap::new(),
            alike,
            print,
        }
    }

    /// Both games.
    pub fn halves(&mut self) -> [&mut Half; 2] {
        [&mut self.a, &mut self.b]
    }

    /// Fills in the legal moves of two positions.
    pub fn look(&mut self, at: &Both) {
        self.a.machine.moves(&at.a, &mut self.a.moves);
        self.b.machine.moves(&at.b, &mut self.b.moves);
    }

    /// As [`Lockstep::look`], at the start of a game: its turn start is the first of the histories.
    pub fn begin(&mut self, at: &Both) {
        self.a.begin(&at.a);
        self.b.begin(&at.b);
    }

    /// Makes a move of the first game and its partner in the second. Fills in the legal moves.
    pub fn play(&mut self, at: &mut Both, m: (Move, Move)) {
        self.a.play(&mut at.a, m.0);
        self.b.play(&mut at.b, m.1);
    }

    /// Makes a move of the first game and finds its partner, where there is one. The moves are filled in and agree.
    pub fn follow(&mut self, at: &mut Both, m: Move) -> Option<()> {
        let other = self.partner(m)?;
        self.play(at, (m, other));
        Some(())
    }

    /// Goes on after a move was applied in both. Fills in the legal moves.
    pub fn resolve(&mut self, at: &mut Both) {
        for (half, pos) in self.halves().into_iter().zip([&mut at.a, &mut at.b]) {
            half.machine.resolve(pos, &mut half.history, &mut half.moves);
        }
    }

    /// Whether two positions, whose moves are filled in, behave the same.
    pub fn agree(&mut self, at: &Both) -> bool {
        let over = self.a.outcome(&at.a);
        if over != self.b.outcome(&at.b) {
            return false;
        }
        if over.is_some() {
            return self.same_worth(at);
        }
        if self.a.mover() != self.b.mover() || self.a.moves.is_chance() != self.b.moves.is_chance() {
            return false;
        }
        let quick = self.alike && !self.a.moves.is_chance();
        if quick && self.a.moves.len() == self.b.moves.len() && self.a.moves.iter().eq(self.b.moves.iter()) {
            return true;
        }
        self.sort();
        let texts = |half: &Half| half.list.iter().map(|(text, _)| *text).collect::<Vec<u32>>();
        if self.a.list.len() != self.b.list.len() || texts(&self.a) != texts(&self.b) {
            return false;
        }
        !self.a.moves.is_chance() || self.same_odds(at)
    }

    /// Sorts the legal moves by their texts.
    fn sort(&mut self) {
        self.a.sort(self.alike, &self.map, &mut self.words);
        self.b.sort(self.alike, &self.map, &mut self.words);
    }

    /// The move of the second game that has the text of a move of the first. The moves are filled in and
    /// agree.
    pub fn partner(&mut self, m: Move) -> Option<Move> {
        if self.alike {
            return Some(m);
        }
        // Several moves of one text are taken in their order.
        let number = *self.a.texts.get(&m.0)?;
        let first = self.a.list.partition_point(|(text, _)| *text < number);
        let place = self.a.list[first..].iter().position(|(_, other)| *other == m)?;
        self.b.list.get(first + place).map(|(_, m)| *m)
    }

    fn same_worth(&mut self, at: &Both) -> bool {
        let (a, b) = (&mut self.a, &mut self.b);
        let scores = (a.machine.scores(&at.a), b.machine.scores(&at.b));
        if !scores.0.is_empty() && !scores.1.is_empty() && a.sorted(scores.0) != b.sorted(scores.1) {
            return false;
        }
        match (a.machine.match_points(&at.a), b.machine.match_points(&at.b)) {
            (Some(first), Some(second)) => a.sorted(first) == b.sorted(second),
            _ => true,
        }
    }

    /// Whether the seed draws alike: the weights, each as a part of all.
    fn same_odds(&mut self, at: &Both) -> bool {
        let weights = |Half { list, machine, .. }: &mut Half, pos: &Position| -> Vec<i64> {
            list.iter().map(|(_, m)| i64::from(machine.chance_weight(pos, *m))).collect()
        };
        let (a, b) = (weights(&mut self.a, &at.a), weights(&mut self.b, &at.b));
        let sums: (i64, i64) = (a.iter().sum(), b.iter().sum());
        a.iter()
            .zip(&b)
            .all(|(x, y)| i128::from(*x) * i128::from(sums.1) == i128::from(*y) * i128::from(sums.0))
    }

    /// The fingerprint of a pair of positions, without its history.
    pub fn print(&self, at: &Both) -> u128 {
        self.print.of(at)
    }
}

/// The words of two positions that matter for the continuations.
///
/// Left out are the hash and every counter that no rule reads: how many plies were made tells positions
/// apart only where a rule asks. How often a position was seen is left out too, for it follows from the
/// history, which is looked after elsewhere.
///
/// A pair is remembered by 128 bits that two keyed SipHash of all these words give. That two different
/// pairs among a million share them has a chance of about one in 10^26.
#[derive(Clone)]
struct Print([Words; 2]);

/// The words of one game's positions that matter.
#[derive(Clone)]
struct Words {
    layers: Range<usize>,
    /// By number, after the layers.
    slots: Vec<usize>,
}

impl Print {
    fn new(a: &Program, b: &Program) -> Print {
        Print([a, b].map(|p| Words { layers: 1..p.layout.slots_at(), slots: read(p) }))
    }

    fn of(&self, at: &Both) -> u128 {
        let mut halves = [1_u8, 2].map(|key| {
            let mut hasher = DefaultHasher::new();
            hasher.write_u8(key);
            hasher
        });
        for (pos, Words { layers, slots }) in [&at.a, &at.b].into_iter().zip(&self.0) {
            let words = pos.words();
            let numbers = bytemuck::cast_slice::<u64, i32>(words.get(layers.end..).unwrap_or(&[]));
            for hasher in &mut halves {
                hasher.write(bytemuck::cast_slice(words.get(layers.clone()).unwrap_or(&[])));
                slots.iter().filter_map(|s| numbers.get(*s)).for_each(|n| hasher.write_i32(*n));
            }
        }
        let [low, high] = halves.map(|h| h.finish());
        u128::from(low) | u128::from(high) << 64
    }
}

/// The slots that something reads: a rule, or the course of the game itself.
fn read(program: &Program) -> Vec<usize> {
    const COURSE: [usize; 8] = [
        slot::MOVER,
        slot::TURN,
        slot::STATE,
        slot::TURN_PLIES,
        slot::SWAP,
        slot::SIDES,
        slot::OPENED,
        slot::RESULT,
    ];
    let mut used = vec![false; program.layout.slots.len()];
    COURSE.iter().for_each(|s| used[*s] = true);
    for op in &program.ints {
        let slots = match op {
            IntOp::Slot(at) => *at as usize..*at as usize + 1,
            IntOp::SlotRow { base, count, .. } => *base as usize..(*base + *count) as usize,
            _ => continue,
        };
        used.iter_mut().take(slots.end).skip(slots.start).for_each(|u| *u = true);
    }
    used[slot::SEEN] = false;
    program.layout.memos().for_each(|(memo, _)| used[memo] = false);
    (0..used.len()).filter(|s| used[*s]).collect()
}
