//! Training: those that begin differently, and which of them goes on.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use farrier::definition::Choices;
use farrier::game::Game;
use farrier::search::evaluation::Weights;
use farrier::search::{AgentSpec, Making};
use farrier::shipped::Shipped;
use farrier::source::{Files, MemoryFiles};
use farrier::training::{Contest, Duel, Gauge, Plan, Trainer};

use super::evaluation::{far, points};
use super::search::open;

const PLAN: Plan = Plan { seed: 1, games: 2, nodes: 20, plies: 40, opening: 2, window: 10_000 };

fn go_on() -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Plays rounds; whose they were, and the games after each.
fn rounds(contest: &mut Contest, number: usize, share: f64) -> Vec<(usize, Vec<Duel>)> {
    let mut round = || {
        let ControlFlow::Continue((start, round)) = contest.round(&go_on) else { panic!("no round") };
        assert!(round.samples > 0);
        (start, contest.settle(share, &go_on))
    };
    (0..number).map(|_| round()).collect()
}

#[test]
fn of_every_two_trainings_the_better_goes_on() {
    // They begin differently, though in so small a game not every seed shows it.
    assert!((1..=5).any(differ));
}

/// Plays a contest to its end; whether the trainings were not all alike.
fn differ(seed: u64) -> bool {
    let mut contest = Contest::new(open("tic-tac-toe"), Plan { seed, ..PLAN }, None).unwrap();
    let played = rounds(&mut contest, 40, 0.0);
    let mut left = vec![1, 2, 3, 4];
    let mut turns = left.clone().into_iter().cycle();
    for (number, (start, duels)) in played.iter().enumerate() {
        assert_eq!(Some(*start), turns.next());
        assert_eq!(
            duels.len(),
            [(23, 2), (35, 1)].iter().find(|(at, _)| *at == number).map_or(0, |(_, n)| *n)
        );
        if duels.is_empty() {
            continue;
        }
        for Duel { winner, loser, gauge } in duels {
            assert_eq!(gauge.wins + gauge.draws + gauge.losses, 100);
            assert!(gauge.wins >= gauge.losses, "{gauge:?}");
            assert!(left.contains(winner));
            left.retain(|start| start != loser);
        }
        turns = left.clone().into_iter().cycle();
    }
    assert_eq!(left.len(), 1);
    played.iter().flat_map(|(_, duels)| duels).any(|duel| duel.gauge.wins != duel.gauge.losses)
}

/// Games that the contest knows nothing of say the same.
#[test]
fn who_goes_on_is_better() {
    let game = open("breakthrough");
    // The first seed with which a later start clearly wins.
    let changed = (1..=6).find_map(|seed| {
        let plan = Plan { seed, games: 4, nodes: 50, plies: 150, ..PLAN };
        let mut contest = Contest::new(game.clone(), plan, None).unwrap();
        rounds(&mut contest, 1, 0.2);
        let first = contest.best().evaluation();
        let played = rounds(&mut contest, 1, 0.3);
        let [Duel { winner, loser, gauge }] = played[0].1[..] else { panic!("{played:?}") };
        assert!(gauge.wins >= gauge.losses, "{gauge:?}");
        ((winner, loser) == (2, 1) && gauge.wins > 2 * gauge.losses).then_some((contest, first))
    });
    let (mut contest, first) = changed.unwrap();
    let seats = [contest.best().evaluation(), first].map(|evaluation| {
        let making = Making { evaluation: Some(evaluation), ..Making::default() };
        "alphabeta:50".parse::<AgentSpec>().unwrap().seat(&making).unwrap()
    });
    let points = points(&game, seats, 40, 50);
    assert!(points > 21.0, "{points} of 40");
}

#[test]
fn where_there_is_little_time_the_guess_goes_on_alone() {
    let mut contest = Contest::new(open("tic-tac-toe"), PLAN, None).unwrap();
    // The first has learned something when its share is gone, the others nothing.
    assert_eq!(rounds(&mut contest, 3, 0.3), [(1, vec![]), (1, vec![]), (1, vec![])]);
    // Two have had a round each.
    let mut contest = Contest::new(open("tic-tac-toe"), PLAN, None).unwrap();
    assert_eq!(rounds(&mut contest, 1, 0.2), [(1, vec![])]);
    let played = rounds(&mut contest, 2, 0.3);
    assert_eq!((played[0].0, played[0].1.len(), played[1].1.len()), (2, 1, 0));
    assert_eq!(played[1].0, played[0].1[0].winner);
}

#[test]
fn known_weights_are_the_only_start() {
    let game = open("knightcap");
    let known: Weights = game.weights().unwrap();
    let mut contest = Contest::new(game, PLAN, Some(&known)).unwrap();
    assert_eq!(rounds(&mut contest, 2, 1.0), [(1, vec![]), (1, vec![])]);
}

/// The last fit is used where games say so, and only there. So few samples teach a network nothing.
#[test]
fn a_last_fit_is_kept_where_it_won() {
    let mut seen = [false; 2];
    for seed in 1..=20 {
        let plan = Plan { seed, games: 8, plies: 150, ..PLAN };
        let game = open("knightthrough");
        let known = game.weights().unwrap();
        let mut contest = Contest::new(game, plan, Some(&known)).unwrap();
        rounds(&mut contest, 1, 0.1);
        let trainer = contest.best();
        let before = trainer.weights();
        assert_eq!((trainer.refit(0, &go_on), trainer.weights()), (Gauge::default(), before.clone()));
        let gauge = trainer.refit(5, &go_on);
        assert_eq!(gauge.wins + gauge.draws + gauge.losses, 10);
        let after = trainer.weights();
        assert_eq!(after.sum != before.sum, gauge.wins > gauge.losses, "{gauge:?}");
        assert!(!before.unit.is_empty() && after.unit == before.unit);
        seen[usize::from(gauge.wins > gauge.losses)] = true;
        if seen == [true; 2] {
            return;
        }
    }
    panic!("{seen:?}");
}

/// A fit to few positions would make weights worse that many know.
#[test]
fn known_weights_wait_for_as_many_positions_as_they_were_fitted_to() {
    let game = open("tic-tac-toe");
    let began = Trainer::new(game.clone(), PLAN, None).unwrap().weights();
    assert_eq!(began.positions, Some(0));
    for (positions, awaited) in [(Some(40), 40), (Some(usize::MAX), 200_000), (None, 200_000)] {
        let known = Weights { positions, ..began.clone() };
        let mut trainer = Trainer::new(game.clone(), PLAN, Some(&known)).unwrap();
        let mut played = 0;
        for _ in 0..8 {
            let ControlFlow::Continue(round) = trainer.round(&go_on) else { panic!("no round") };
            played += round.plies as usize;
            if played >= 40 && positions == Some(40) {
                assert_eq!((round.samples, round.awaited), (played, 0));
                assert_eq!(trainer.weights().positions, Some(played));
                assert_ne!(trainer.weights().sum, began.sum);
                break;
            }
            assert_eq!((round.samples, round.awaited), (positions.unwrap_or(200_000), awaited - played));
            assert_eq!(trainer.weights().sum, began.sum);
        }
        assert!(played >= 40);
    }
}

/// Where nobody wins, games count by how near the ends were.
#[test]
fn games_that_nobody_wins_are_learned_from() {
    let plan = Plan { games: 20, ..PLAN };
    let begin = |known: Option<&Weights>| {
        Trainer::new(far(&[("got[mover] >= 6", "mover wins")]), plan, known).unwrap()
    };
    let mut little = begin(None).weights();
    little.sum.iter_mut().chain(&mut little.phase).flat_map(BTreeMap::values_mut).for_each(|w| w.fill(1e-6));
    let mut trainer = begin(Some(&little));
    let got = |trainer: &Trainer| ["got[white]", "got[black]"].map(|name| trainer.weights().sum[0][name][0]);
    assert!(got(&trainer).iter().all(|weight| weight.abs() < 1e-3));
    for _ in 0..2 {
        let ControlFlow::Continue(round) = trainer.round(&go_on) else { panic!("no round") };
        assert_eq!(round.undecided, 20);
    }
    let [own, other] = got(&trainer);
    assert!(own > 0.05 && other < -0.05, "{own} {other}");
}

/// Then they go on past positions that are there again.
#[test]
fn games_that_nobody_wins_do_not_end_by_repetition() {
    // No weights come along with a game of another name.
    let text = Shipped.read("abalone").unwrap();
    let files = MemoryFiles::default().with("./untrained.toml", &text);
    let game = Game::open("./untrained.toml", &files, &Choices::default()).unwrap();
    let plan = Plan { games: 3, nodes: 150, plies: 150, ..PLAN };
    let mut trainer = Trainer::new(game, plan, None).unwrap();
    let plies = [0; 2].map(|_| {
        let ControlFlow::Continue(round) = trainer.round(&go_on) else { panic!("no round") };
        assert_eq!(round.undecided, 3);
        round.plies
    });
    assert!(plies[1] > 2 * plies[0], "{plies:?}");
}

/// Of the weights of pieces beside each other, those that are not 0.
fn weighed_pairs(weights: &Weights) -> usize {
    let pairs = weights.sum[0].iter().filter(|(name, _)| name.contains(" beside "));
    pairs.flat_map(|(_, row)| row).filter(|weight| **weight != 0.0).count()
}

/// Whether a training begins with a guess, which has none, or with weights that were learned before.
#[test]
fn pieces_beside_each_other_are_learned() {
    for known in [false, true] {
        let game = open("knightthrough");
        let mut weights = game.weights().unwrap();
        weights.sum.iter_mut().for_each(|sum| sum.retain(|name, _| !name.contains(" beside ")));
        weights.positions = Some(0);
        let plan = Plan { games: 4, plies: 100, ..PLAN };
        let mut trainer = Trainer::new(game, plan, known.then_some(&weights)).unwrap();
        assert_eq!(weighed_pairs(&trainer.weights()), 0);
        assert!(trainer.round(&go_on).is_continue());
        assert!(weighed_pairs(&trainer.weights()) > 3, "{known}");
    }
}
