//! Betza's notation of pieces: `betza fmWfcF` is a pattern in short.
//!
//! A piece is a row of *atoms*, capital letters that stand for all images of one leap, each with its
//! modifiers before it and the number of repetitions behind it. The letters are those of XBoard and Fairy-Stockfish
//! (<https://www.gnu.org/software/xboard/Betza.html>):
//!
//! | letter | meaning |
//! | --- | --- |
//! | `W F D N A H C Z G` (also `L` for `C`, `J` for `Z`) | leaps 0,1 1,1 0,2 1,2 2,2 0,3 1,3 2,3 3,3 |
//! | `R B Q K` | `W0`, `F0`, both, and `WF` |
//! | a number, or the letter again | at most so often; 0 and the letter again: as often as nothing is in the way |
//! | `f b l r v s h` | directions, seen by the owner |
//! | `m` `c` | to vacant sites only, to the enemy's only |
//! | `n` `j` | a leap over vacant sites only; a leap of two over a piece |
//! | `p` | a slide over one piece |
//! | `i` | only from where its owner's pieces stand at the start |

use super::CODE;
use super::parts::{Builder, Node};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{Clause, ClauseKind, Expr, ExprKind, Name, Op, Walk, WalkKind};

/// So far right and so far forward.
type Vector = (i32, i32);

/// The modifiers before an atom.
#[derive(Default)]
struct Before {
    /// Directions, of one or two letters each.
    directions: Vec<[char; 2]>,
    /// Of `m c n j p i`.
    marks: Vec<char>,
}

impl Before {
    fn has(&self, mark: char) -> bool {
        self.marks.contains(&mark)
    }
}

/// The leaps of an atom, the longer way first, and whether it repeats them by itself.
fn atom(letter: char) -> Option<(&'static [(i32, i32)], bool)> {
    Some(match letter {
        'W' => (&[(1, 0)], false),
        'F' => (&[(1, 1)], false),
        'K' => (&[(1, 0), (1, 1)], false),
        'D' => (&[(2, 0)], false),
        'N' => (&[(2, 1)], false),
        'A' => (&[(2, 2)], false),
        'H' => (&[(3, 0)], false),
        'C' | 'L' => (&[(3, 1)], false),
        'Z' | 'J' => (&[(3, 2)], false),
        'G' => (&[(3, 3)], false),
        'R' => (&[(1, 0)], true),
        'B' => (&[(1, 1)], true),
        'Q' => (&[(1, 0), (1, 1)], true),
        _ => return None,
    })
}

/// Letters of the notation for what is more than a walk: what they mean, and how it is said.
fn own_rule(letter: char) -> Option<(&'static str, &'static str)> {
    Some(match letter {
        'e' => (
            "taking in passing",
            "a set of `[state]` with `lasts = 1` keeps the site that was passed, and `do` removes what has passed it",
        ),
        'O' => ("castling", "a decision of its own moves both pieces"),
        _ => return None,
    })
}

/// All images of a leap.
fn images((long, short): (i32, i32)) -> Vec<Vector> {
    let mut found = Vec::new();
    for (x, y) in [(short, long), (long, short)] {
        for image in [(x, y), (-x, y), (x, -y), (-x, -y)] {
            if !found.contains(&image) {
                found.push(image);
            }
        }
    }
    found
}

/// Whether a vector goes where a letter says; letters that mean both ways, or half of all, allow any.
fn goes((x, y): Vector, letter: char) -> bool {
    match letter {
        'f' => y > 0,
        'b' => y < 0,
        'l' => x < 0,
        'r' => x > 0,
        _ => true,
    }
}

/// Whether a vector is among the directions of two letters.
fn points(v: Vector, [first, second]: [char; 2]) -> bool {
    let (x, y) = v;
    let upright = |letter: char| matches!(letter, 'f' | 'b' | 'v');
    if x == 0 || y == 0 {
        // Each letter is a direction of its own; `h`, half of what is neither straight nor diagonal, is none.
        let along = |letter| letter != 'h' && goes(v, letter) && upright(letter) == (x == 0);
        return along(first) || along(second);
    }
    if x.abs() == y.abs() {
        return goes(v, first) && goes(v, second);
    }
    match (first, second) {
        // The leaps that turn one way.
        ('h', 'l' | 'r') => ((x > 0) == (y > 0)) == ((x.abs() < y.abs()) == (second == 'r')),
        // Half of them, whichever way is the longer one.
        (side, 'h') | ('h', side) => goes(v, side),
        // The second letter says where the longer way goes.
        _ => goes(v, first) && goes(v, second) && upright(second) == (y.abs() > x.abs()),
    }
}

impl<'t> Builder<'t> {
    /// The walks of a piece in Betza's notation.
    pub(super) fn betza(self, node: &Node<'t>) -> Result<Vec<Walk>, Diagnostic> {
        let start = node.as_span().start();
        let place = |from: usize, to: usize| self.stretch(start + from, start + to);
        let letters: Vec<char> = node.as_str().chars().collect();
        let (mut walks, mut before, mut at) = (Vec::new(), Before::default(), 0);
        let mut began = 0;
        while let Some(letter) = letters.get(at).copied() {
            at += 1;
            let here = at;
            let wrong =
                |message: String| Err(Diagnostic::error(CODE, place(here - 1, here), message).help(HELP));
            match letter {
                'm' | 'c' | 'n' | 'j' | 'p' | 'i' => before.marks.push(letter),
                'f' | 'b' | 'v' | 'h' | 'l' | 'r' | 's' => {
                    let crosswise = |a: char, b: char| {
                        matches!(a, 'f' | 'b' | 'v' | 'h') && matches!(b, 'l' | 'r' | 's' | 'h')
                    };
                    let next = letters.get(at).copied();
                    let pairs =
                        |next: &char| *next == letter || crosswise(letter, *next) || crosswise(*next, letter);
                    let second = next.filter(pairs);
                    at += usize::from(second.is_some());
                    before.directions.push([letter, second.unwrap_or(letter)]);
                }
                _ => {
                    let Some((leaps, rides)) = atom(letter) else {
                        if let Some((what, instead)) = own_rule(letter) {
                            let message = format!("`{letter}`, {what}, is written as a rule of its own");
                            let found = Diagnostic::error(CODE, place(here - 1, here), message);
                            return Err(found.help(format!("leave `{letter}` out: {instead}")));
                        }
                        return wrong(format!("`{letter}` is no letter of this notation that Farrier knows"));
                    };
                    let digits: String = letters[at..].iter().take_while(|c| c.is_ascii_digit()).collect();
                    let again = letters.get(at) == Some(&letter);
                    at += if digits.is_empty() { usize::from(again) } else { digits.len() };
                    let times = match (digits.parse::<u32>(), again || rides) {
                        (Ok(n), _) => n,
                        (Err(_), true) => 0,
                        (Err(_), false) => 1,
                    };
                    if digits.len() > 4 {
                        return wrong("a piece goes at most 9999 times".to_owned());
                    }
                    let span = place(began, at);
                    for leap in leaps {
                        match atom_walks(*leap, times, &before, span) {
                            Ok(more) => walks.extend(more),
                            Err(message) => return wrong(message),
                        }
                    }
                    before = Before::default();
                    began = at;
                }
            }
        }
        if began < letters.len() {
            let message = "this says how an atom goes, but no atom follows".to_owned();
            return Err(Diagnostic::error(CODE, place(began, letters.len()), message).help(HELP));
        }
        Ok(walks)
    }
}

const HELP: &str = "atoms are W F D N A H C Z G, R B Q K; before them stand f b l r v s h, m c, n j p i; behind them a number";

/// The walks of one leap, so often at most (0: without a limit).
fn atom_walks(leap: (i32, i32), times: u32, before: &Before, span: Span) -> Result<Vec<Walk>, String> {
    let (long, short) = leap;
    let name = |text: &str| Name { text: text.to_owned(), span };
    let set = |text: &str| Expr { kind: ExprKind::Name(text.to_owned()), span };
    let mut clauses = Vec::new();
    let mut clause = |kind, value| clauses.push(Clause { kind, value, span });
    let single = times == 1;
    if before.has('p') && single {
        return Err("`p` goes before what is repeated, such as `R`".to_owned());
    }
    if (before.has('n') || before.has('j')) && !single {
        return Err("`n` and `j` go before a single leap".to_owned());
    }
    if before.has('j') && !(long == 2 && short % 2 == 0) {
        return Err("`j` goes before `D` and `A`, which leap over one site".to_owned());
    }
    if before.has('p') || before.has('j') {
        clause(ClauseKind::Over, set("occupied"));
    } else if before.has('n') && long > 1 {
        clause(ClauseKind::Through, set("vacant"));
    }
    if times > 1 {
        clause(ClauseKind::Upto, Expr { kind: ExprKind::Int(times as i32), span });
    }
    let onto = match (before.has('m'), before.has('c')) {
        (true, false) => set("vacant"),
        (false, true) => set("enemy"),
        _ => {
            let both = ExprKind::Binary(Op::Union, Box::new(set("vacant")), Box::new(set("enemy")));
            Expr { kind: both, span }
        }
    };
    clause(ClauseKind::Onto, onto);
    if before.has('i') {
        clause(ClauseKind::Leaving, set("start-sites"));
    }
    let walk = |kind| Walk { kind, clauses: clauses.clone(), span };
    let straight = long == 1 || before.has('j');
    if before.directions.is_empty() {
        let group = vec![name(if short == 0 { "orthogonal" } else { "diagonal" })];
        return Ok(vec![walk(match (straight, single) {
            (true, true) => WalkKind::Step(group),
            (true, false) => WalkKind::Slide(group),
            (false, true) => WalkKind::Leap(short, long),
            (false, false) => WalkKind::RideLeap(short, long),
        })]);
    }
    let chosen: Vec<Vector> =
        images(leap).into_iter().filter(|v| before.directions.iter().any(|d| points(*v, *d))).collect();
    if chosen.is_empty() {
        return Err("these directions leave no way to go".to_owned());
    }
    // One step in a direction has a name, and a slide takes all of them at once.
    let toward = |(x, y): Vector| {
        let upright = if y > 0 { "forward" } else { "backward" };
        let sideways = if x > 0 { "right" } else { "left" };
        match (x, y) {
            (0, _) => upright.to_owned(),
            (_, 0) => sideways.to_owned(),
            _ => format!("{upright}-{sideways}"),
        }
    };
    if straight {
        let names = chosen.into_iter().map(|v| name(&toward(v))).collect();
        return Ok(vec![walk(if single { WalkKind::Step(names) } else { WalkKind::Slide(names) })]);
    }
    let steps = |(x, y): Vector| {
        let both = x.abs().min(y.abs());
        let rest = (x.signum() * (x.abs() - both), y.signum() * (y.abs() - both));
        let straight = std::iter::repeat_n(toward(rest), (rest.0.abs() + rest.1.abs()) as usize);
        let diagonal = std::iter::repeat_n(toward((x, y)), both as usize);
        let names = straight.chain(diagonal).map(|text| name(&text)).collect();
        walk(if single { WalkKind::Walk(names) } else { WalkKind::Ride(names) })
    };
    Ok(chosen.into_iter().map(steps).collect())
}
