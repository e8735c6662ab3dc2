//! What is told of the strongest play, and of how decisions are offered and used.

use crate::cases::cases;
use farrier::compare::model::{Comparison, PuzzleKind, VariantResult};
use farrier::compare::run::Plan;
use farrier::compare::{self, Contestant, Pairs, Rules};
use farrier::search::AgentSpec;
use farrier::shipped::Shipped;
use farrier::source::Sources;
use farrier::variant::Variant;

/// The value of tic-tac-toe for who begins, from stones (1 and 2, 0 is vacant) with this player to move: 1, 1/2 or 0.
fn value(board: &mut [u8; 9], mover: u8) -> f64 {
    const LINES: [[usize; 3]; 8] =
        [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    let other = 3 - mover;
    if LINES.iter().any(|line| line.iter().all(|site| board[*site] == other)) {
        return f64::from(u8::from(other == 1));
    }
    let mut best: Option<f64> = None;
    for site in 0..9 {
        if board[site] == 0 {
            board[site] = mover;
            let found = value(board, other);
            board[site] = 0;
            best = Some(match (best, mover) {
                (None, _) => found,
                (Some(best), 1) => best.max(found),
                (Some(best), _) => best.min(found),
            });
        }
    }
    best.unwrap_or(0.5)
}

#[test]
fn figures_of_perfect_play_are_what_counting_says() {
    // Two random plies, then both play perfectly.
    let (mut points, mut draws) = (0.0, 0.0);
    for first in 0..9 {
        for second in (0..9).filter(|site| *site != first) {
            let mut board = [0; 9];
            (board[first], board[second]) = (1, 2);
            let found = value(&mut board, 1);
            points += found / 72.0;
            draws += f64::from(u8::from(found == 0.5)) / 72.0;
        }
    }
    let mut held = [0; 2];
    for seed in 0..20 {
        let levels = levels(&["alphabeta:2k"]);
        let rules = Rules { levels, watch: 0, seed, ..Rules::default() };
        let estimates = &played("tic-tac-toe", rules, 1, 60).variants[0].estimates;
        for (held, (key, truth)) in held.iter_mut().zip([("first-points", points), ("draws", draws)]) {
            let found = estimates[&format!("{key}@alphabeta:2k")];
            *held += u32::from((found.low..=found.high).contains(&truth));
        }
    }
    // Of 20 intervals of 95 % fewer than 15 hold with a chance of one in a thousand.
    assert!(held.iter().all(|n| *n >= 15), "{held:?} of points {points} and draws {draws}");
}

#[test]
fn thinking_play_seldom_tells_a_game_from_its_copy() {
    let variants: Vec<Variant> = ["tic-tac-toe", "tic-tac-toe"].map(|w| w.parse().unwrap()).to_vec();
    let all = Contestant::load_all(&variants, &Shipped, &mut Sources::default()).ok().unwrap();
    let mut single = 0;
    let mut alarm = |seed| {
        let strength = levels(&["level:1", "random"]);
        let rules =
            Rules { levels: levels(&["level:1"]), strength, level_leads: 100, seed, ..Rules::default() };
        let plan = Plan { rules, games: 40, level_games: 40, strength_games: 20, ..Plan::default() };
        let tallies = compare::play_all(&all, &plan).unwrap();
        let found = compare::compare(&all, &tallies, &plan, &[], Pairs::WithFirst);
        assert!(found.differences.iter().any(|d| d.metric == "drama@level:1"), "thought is compared");
        single += u32::from(found.differences.iter().any(|d| d.metric == "length@level:1" && d.p <= 0.05));
        u32::from(found.differences.iter().any(|d| d.significant))
    };
    // At most one comparison in twenty; more than this with a chance of about one in a thousand.
    let tried = cases(45);
    let alarms: u32 = (0..u64::from(tried)).map(&mut alarm).sum();
    let (mean, deviation) = (f64::from(tried) * 0.05, (f64::from(tried) * 0.05 * 0.95).sqrt());
    let expected = (mean - 3.3 * deviation).max(1.0)..=mean + 3.3 * deviation;
    assert!(f64::from(alarms) <= *expected.end(), "{alarms} of {tried}");
    // A test that never speaks would pass that: one metric by itself reaches 5 % about as often as promised.
    assert!(expected.contains(&f64::from(single)), "{single} of {tried}");
}

fn played(word: &str, rules: Rules, games: u64, level_games: u64) -> Comparison {
    let variant: Variant = word.parse().unwrap();
    let all = Contestant::load_all(&[variant], &Shipped, &mut Sources::default()).ok().unwrap();
    let plan = Plan { rules, games, level_games, ..Plan::default() };
    let tallies = compare::play_all(&all, &plan).unwrap();
    compare::compare(&all, &tallies, &plan, &[], Pairs::WithFirst)
}

fn levels(words: &[&str]) -> Vec<AgentSpec> {
    words.iter().map(|word| AgentSpec::parse(word).unwrap()).collect()
}

#[test]
fn the_strongest_play_is_looked_at() {
    let rules = Rules { levels: levels(&["random", "flat:90"]), level_leads: 100, ..Rules::default() };
    let found = played("tic-tac-toe", rules, 300, 120);
    let v: &VariantResult = &found.variants[0];
    // A hundred of the 120 games are watched, at the strongest level only.
    for key in ["drama", "lead-changes", "only-wins", "last-defence", "settled"] {
        assert!(!v.estimates.contains_key(&format!("{key}@random")), "{key}");
    }
    assert_eq!(v.estimates["lead-changes@flat:90"].n, 100);
    assert_eq!((v.estimates["length@flat:90"].n, v.estimates["only-wins@flat:90"].n), (120, 100));
    assert!(!v.estimates.contains_key("lead-changes"), "random games have no playouts");
    assert_eq!(v.leads[0].games, 100);
    // Who thinks leaves fewer wins lying about than who does not.
    assert!(v.estimates["only-wins@flat:90"].value < v.estimates["only-wins"].value);
    let wins: Vec<&str> =
        v.puzzles.iter().filter(|p| p.kind == PuzzleKind::OnlyWin).map(|p| &*p.agent).collect();
    assert_eq!(wins.first(), Some(&"flat:90"), "puzzles of the strongest play come first");
    // People think at each ply of chance-free games: at most log2 10 bits at the first, and one at the last.
    let minutes = v.estimates["time"];
    let most: f64 = (1..=9).map(|n| f64::from(n + 1).log2() * 5.0 / 60.0).sum();
    assert!(minutes.value > 0.7 * most && minutes.high <= most, "{minutes:?}");
}

#[test]
fn a_new_rule_has_openings_of_its_own_and_each_decision_its_choices() {
    let found = played("knights-and-pawns+switch-move", Rules { looks: false, ..Rules::default() }, 400, 0);
    let v = &found.variants[0];
    let [uses] = &v.option_uses[0].first_uses[..] else { panic!("{:?}", v.option_uses) };
    assert_eq!(uses.decision, "switch");
    assert!(uses.top.windows(2).all(|pair| pair[0].games >= pair[1].games) && uses.top.len() == 10);
    assert!(uses.top.iter().all(|first| first.text.contains('~') && first.won.n == first.games));
    let users = v.option_uses[0].games_used.unwrap();
    let games = (users.value * users.n as f64).round() as u64;
    assert_eq!(uses.top[0].share.n, games, "each game that uses it has a first use");
    #[cfg(feature = "report")]
    for title in ["How much there is to choose from in", "How switch begins to be used in"] {
        assert!(farrier::report::page(&found, None).contains(title), "{title}");
    }
    // At the first ply there are eight moves, of which four are switches.
    let of = |name: &str| &v.offers.iter().find(|o| o.decision == name).unwrap().means;
    assert_eq!((of("knight")[0], of("switch")[0], of("fill")[0]), (Some(4.0), Some(4.0), None));
    assert!(of("free").iter().flatten().all(|n| *n > 100.0), "a pawn goes nearly anywhere");
}

#[test]
fn maps_know_how_sure_they_are() {
    let found = played("tic-tac-toe", Rules { looks: false, ..Rules::default() }, 500, 0);
    let map = &found.variants[0].heat[0];
    for (landed, error) in map.values.iter().zip(&map.errors) {
        // Something lands on a site once in a game or not at all.
        let binomial = (landed * (1.0 - landed) / 499.0).sqrt();
        assert!((error - binomial).abs() < 1e-9, "{landed} {error}");
    }
}
