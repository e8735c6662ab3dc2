//! Pieces beside each other, as an evaluation sees them.

use farrier::game::Game;
use farrier::search::evaluation::{Evaluation, Shares, Term, Terms, Weights};

use super::evaluation::odd_weights;
use super::search::{Begun, open, smaller};

/// The pairs of a set-up: the name of each, the direction forwards, and how many there are.
fn told(game: &Game, setup: &str) -> Vec<String> {
    let terms = game.terms();
    let mut there = Begun::new(game, Some(setup));
    let mut out = Vec::new();
    terms.tell(&mut there.machine, &there.pos, &there.moves, &mut out);
    let board = &game.rules.board;
    let axes: Vec<&str> =
        board.axes().iter().map(|(dir, _)| &board.directions()[dir.index()].name[..]).collect();
    let kinds: Vec<(String, std::ops::Range<usize>, bool)> = terms
        .names()
        .zip(terms.ranges())
        .map(|((name, range), (term, _))| (name.to_owned(), range, matches!(term, Term::Pair(..))))
        .collect();
    let mut list: Vec<String> = Vec::new();
    for (at, often) in out {
        let at = at as usize;
        let (name, range, pair) = kinds.iter().find(|(_, range, _)| range.contains(&at)).unwrap();
        if *pair {
            list.push(format!("{name}, {}: {often}", axes[at - range.start]));
        }
    }
    list
}

/// Wherever a pair stands, it is told by who stands where.
#[test]
fn pairs_are_told_by_sorts_and_direction() {
    let game = open("breakthrough");
    for (setup, expected) in [
        ("8/8/8/8/8/8/PP6/8 white", &["white beside white, e: 1"][..]),
        ("8/8/8/6PP/8/8/8/8 white", &["white beside white, e: 1"]),
        ("8/8/8/8/8/8/Pp6/8 white", &["black beside white, e: 1"]),
        ("8/8/8/8/8/8/pP6/8 white", &["white beside black, e: 1"]),
        ("8/8/8/8/8/2p5/2P5/8 white", &["black beside white, n: 1"]),
        ("8/8/8/8/8/2P5/2p5/8 white", &["white beside black, n: 1"]),
        ("8/8/8/8/8/2P5/1p6/8 white", &["white beside black, ne: 1"]),
        ("8/8/8/8/8/2P5/3p4/8 white", &["black beside white, se: 1"]),
        ("8/8/8/8/8/8/PPP5/8 white", &["white beside white, e: 2"]),
        (
            "8/8/8/8/8/P7/PP6/8 white",
            &["white beside white, n: 1", "white beside white, e: 1", "white beside white, se: 1"],
        ),
        ("8/8/8/8/8/8/P1P5/8 white", &[]),
        // The last of a row is not beside the first of the next.
        ("8/8/8/8/8/P7/7P/8 white", &[]),
    ] {
        let (mut found, mut expected) = (told(&game, setup), expected.to_vec());
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{setup}");
    }
}

/// What is good for one side is as good for the other.
#[test]
fn pairs_weigh_as_much_for_the_other_side() {
    let game = open("breakthrough");
    let mut begun = Begun::new(&game, None);
    let (terms, pos) = (game.terms(), begun.pos.clone());
    let shares = Shares::find(&mut begun.machine, &terms, &pos);
    let rows: Vec<Vec<f64>> = odd_weights(&terms).iter().map(|row| shares.spread(row)).collect();
    let first = Terms::new(&game.program).len();
    assert!(rows[0][first..terms.len()].iter().any(|w| *w != 0.0));
    let evaluation = Evaluation::new(&terms, &rows, &[]);
    let value = |setup: &str| {
        let mut there = Begun::new(&game, Some(setup));
        evaluation.value(&mut there.machine, &there.pos, &there.moves, 0)
    };
    for (own, others) in [
        ("8/5p2/8/8/8/2P5/1PP5/8 white", "8/1pp5/2p5/8/8/8/5P2/8 black"),
        ("8/8/8/2pp4/3P4/8/8/8 white", "8/8/8/3p4/2PP4/8/8/8 black"),
    ] {
        assert_eq!(value(own), -value(others), "{own}");
    }
}

/// A pair weighs the same wherever it stands, so a smaller board knows it too. One that says nothing takes no line.
#[test]
fn pairs_are_kept_in_files_and_on_other_boards() {
    let game = open("breakthrough");
    let terms = game.terms();
    let (name, range) = terms.names().find(|(name, _)| *name == "black beside white").unwrap();
    let mut row = vec![0.0; 2 * terms.len()];
    for (place, at) in range.enumerate() {
        row[at] = 0.25 * (1 + place) as f64;
    }
    let weights = Weights::of(&terms, &[row.clone()], None, "breakthrough", "ff");
    let pairs = weights.sum[0].keys().filter(|name| name.contains("beside")).collect::<Vec<_>>();
    assert_eq!(pairs, [name]);
    let read = Weights::read(&weights.write()).unwrap();
    assert_eq!(read.rows(&terms), Some(vec![row]));
    let small = smaller("breakthrough", "square = [6, 6]").terms();
    let known = read.rows(&small).unwrap();
    let (_, range) = small.names().find(|(found, _)| *found == name).unwrap();
    assert_eq!(known[0][range], [0.25, 0.5, 0.75, 1.0]);
}
