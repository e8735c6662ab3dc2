//! What rules are worth to who goes without them: against exact truth.

use std::collections::{BTreeMap, BTreeSet};

use farrier::compare::model::Comparison;
use farrier::compare::run::Plan;
use farrier::compare::{self, Contestant, Pairs, Rules};
use farrier::game::Game;
use farrier::play::{History, Moves, Rng};
use farrier::search::AgentSpec;
use farrier::shipped::Shipped;
use farrier::source::{Files, MemoryFiles, Sources};
use farrier::variant::Variant;

const WORTH: &str = include_str!("../compare/worth.toml");

/// Games of agents against themselves in which a player goes without a rule.
fn played(word: &str, files: &dyn Files, agent: &str, without: &[&str], games: u64, seed: u64) -> Comparison {
    let variant: Variant = word.parse().unwrap();
    let mut all = Contestant::load_all(std::slice::from_ref(&variant), files, &mut Sources::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let without: Vec<String> = without.iter().map(|name| (*name).to_owned()).collect();
    all[0].restrict(&variant, files, Some(&without)).unwrap();
    let levels = vec![AgentSpec::parse(agent).unwrap()];
    let rules = Rules { levels, watch: 0, seed, ..Rules::default() };
    let plan = Plan { rules, games: 1, level_games: games, ..Plan::default() };
    let tallies = compare::play_all(&all, &plan).unwrap();
    compare::compare(&all, &tallies, &plan, &[], Pairs::WithFirst)
}

#[test]
fn points_are_what_counting_says_and_intervals_hold_them_as_often_as_they_promise() {
    let files = MemoryFiles::default().with("./worth.toml", WORTH);
    let truth = BTreeMap::from([("high", 1.0 / 3.0), ("low", 5.0 / 6.0), ("pebble", 7.0 / 12.0)]);
    let names: Vec<&str> = truth.keys().copied().collect();
    let mut held: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in 0..60 {
        let found = played("./worth.toml", &files, "random", &names, 300, seed);
        assert_eq!(found.variants[0].restricted.len(), 3);
        for r in &found.variants[0].restricted {
            let (name, truth) = truth.get_key_value(r.what.as_str()).unwrap();
            *held.entry(name).or_default() += u32::from((r.points.low..=r.points.high).contains(truth));
            assert!((r.points.value - truth).abs() < 0.12 && r.points.n == 300, "{r:?}");
            assert_eq!(r.worth().value > 0.0, *name == "high", "{r:?}");
            assert!(r.significant || *name == "pebble", "{r:?}");
            assert_eq!(r.by_player.iter().map(|e| e.n).collect::<Vec<_>>(), [150, 150]);
        }
    }
    // Of 60 intervals of 95 % fewer than 51 hold with a chance of one in a thousand.
    assert!(held.values().all(|n| *n >= 51), "{held:?}");
}

#[test]
fn a_rule_that_is_worth_nothing_is_seldom_found_to_be_worth_something() {
    // Matching pennies: white wins where both put a crown or none does, so one player's choice alone says nothing.
    let pennies = WORTH
        .replace("a1 in crown and b1 not in crown", "(a1 in crown) = (b1 in crown)")
        .replace("b1 in crown and a1 not in crown", "(a1 in crown) != (b1 in crown)")
        .replace("stone | pebble", "{q in stone | pebble : q = stone}");
    let files = MemoryFiles::default().with("./pennies.toml", pennies);
    let alarm = |seed| {
        let found = played("./pennies.toml", &files, "random", &["high"], 60, seed);
        let high = &found.variants[0].restricted[0];
        assert!(high.points.low > 0.0 && high.points.high < 1.0, "{high:?}");
        u32::from(high.p <= 0.05)
    };
    // At most one in twenty; of 200 more than 20 with a chance of one in a thousand.
    let alarms: u32 = (0..200).map(alarm).sum();
    assert!((1..=20).contains(&alarms), "{alarms}");
}

#[test]
fn who_thinks_knows_what_the_other_may_not_do() {
    // Where white's queen stays where it is, Black wins.
    let found = played("chess", &Shipped, "level:1", &["queen"], 100, 1);
    let queen = &found.variants[0].restricted[0];
    assert!(queen.worth().low > 0.0, "{queen:?}");
    assert!(found.verdict.iter().any(|s| s.contains("who goes without queen gets")), "{:?}", found.verdict);
    #[cfg(feature = "report")]
    assert!(farrier::report::page(&found, None).contains("What rules are worth"));
}

#[test]
fn who_goes_without_an_option_has_the_rules_without_it() {
    let shipped = |word: &str| {
        let variant: Variant = word.parse().unwrap();
        let all = Contestant::load_all(std::slice::from_ref(&variant), &Shipped, &mut Sources::default());
        (variant, all.ok().unwrap().remove(0))
    };
    let game = "knights-and-pawns";
    for option in ["single-pawn-blocks", "neighbor-attack"] {
        // Another option is on beside it, so that rules come from other places in the two games.
        let (_, mut without) = shipped(&format!("{game}+switch-move"));
        let (variant, mut with) = shipped(&format!("{game}+switch-move+{option}"));
        with.restrict(&variant, &Shipped, Some(&[option.to_owned()])).unwrap();
        assert_eq!(with.restricted.iter().map(|r| r.player).collect::<Vec<_>>(), [0, 1]);
        let mut differed = 0;
        for one in std::mem::take(&mut with.restricted) {
            let Contestant { game: own, mut machine, .. } = one.contestant;
            for seed in 0..20 {
                let mut pos = own.start(&mut machine, None, seed).unwrap();
                let (mut rng, mut history, mut moves) = (Rng::new(seed), History::new(), Moves::new());
                machine.moves(&pos, &mut moves);
                for _ in 0..60 {
                    if moves.is_empty() {
                        break;
                    }
                    let texts = |game: &Game, moves: &Moves| -> BTreeSet<String> {
                        moves.iter().map(|m| game.move_text(m)).collect()
                    };
                    let here = texts(&own, &moves);
                    let mut legal = |other: &mut Contestant| {
                        let text = own.texts().write(&mut machine, &pos);
                        let pos = other.game.start(&mut other.machine, Some(&text), 0).ok()?;
                        let mut moves = Moves::new();
                        other.machine.moves(&pos, &mut moves);
                        Some(texts(&other.game, &moves))
                    };
                    let (new, old) = (legal(&mut with).unwrap(), legal(&mut without));
                    let bound = moves.mover().index() == one.player;
                    // What only the option remembers, the game without it cannot read.
                    match (bound, old) {
                        (false, _) => assert_eq!(here, new),
                        (true, Some(old)) => {
                            differed += u32::from(old != new);
                            assert_eq!(here, old);
                        }
                        (true, None) => assert!(here.is_subset(&new)),
                    }
                    let number = moves.iter().nth(rng.pick(moves.len())).unwrap();
                    machine.play(&mut pos, number, &mut history, &mut moves);
                }
            }
        }
        assert!(differed > 0 || option == "neighbor-attack", "{option} never mattered");
    }
}
