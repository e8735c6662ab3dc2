//! What is told of the strongest play, and of how decisions are offered and used.

use farrier::compare::model::{Comparison, PuzzleKind, VariantResult};
use farrier::compare::run::Plan;
use farrier::compare::{self, Contestant, Pairs, Rules};
use farrier::search::AgentSpec;
use farrier::shipped::Shipped;
use farrier::source::Sources;
use farrier::variant::Variant;

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
