//! Matches: who gets the points.

use std::collections::BTreeSet;
use std::convert::Infallible;

use farrier::matches::{Match, Rules};
use farrier::search::AgentSpec;
use farrier::shipped::Shipped;
use farrier::variant::Variant;

/// A stone in the middle of hex 3 wins for whom it belongs to. Who plays second takes it by `swap`: that agent gets the
/// points, though the other colour is its own from then on.
#[test]
fn after_a_swap_the_agent_keeps_its_points() {
    let game = "hex:size=3+pie-rule".parse::<Variant>().unwrap().open(&Shipped).unwrap();
    let agents: Vec<AgentSpec> =
        ["alphabeta:20k", "mcts:2k"].iter().map(|word| word.parse().unwrap()).collect();
    let openings = vec![vec!["b2".to_owned(), "swap".to_owned()]];
    let rules = Rules { openings, ..Rules::new(agents) };
    let making = game.making();
    let found = Match::new::<Infallible>(game, rules, 2).unwrap();
    let mut games = Vec::new();
    let mut taker = |played| -> Result<bool, Infallible> {
        games.push(played);
        Ok(true)
    };
    found.run(&BTreeSet::new(), 1, &making, &mut taker).unwrap();
    assert_eq!(games.len(), 2);
    let seats: BTreeSet<Vec<usize>> = games.iter().map(|played| played.seats.clone()).collect();
    assert_eq!(seats.len(), 2, "each agent plays second once");
    for played in &games {
        assert_eq!(played.points, [0.0, 1.0], "{}", played.record);
    }
}
