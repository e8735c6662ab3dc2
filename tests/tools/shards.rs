//! Sums of games: alike however they are played, counted and dealt to shards.

use std::collections::BTreeMap;

use farrier::compare::model::{Comparison, Estimate};
use farrier::compare::record::GameRecord;
use farrier::compare::run::{self, Archive, Plan, Taker};
use farrier::compare::seal::Seal;
use farrier::compare::shard::Part;
use farrier::compare::{self, Contestant, Pairs, Rules, Shard, Tally};
use farrier::search::AgentSpec;
use farrier::shipped::Shipped;
use farrier::source::Sources;
use farrier::variant::Variant;

fn load(words: &[&str]) -> Vec<Contestant> {
    let variants: Vec<Variant> = words.iter().map(|w| Variant::parse(w).unwrap()).collect();
    Contestant::load_all(&variants, &Shipped, &mut Sources::default()).ok().unwrap()
}

fn agents(words: &[&str]) -> Vec<AgentSpec> {
    words.iter().map(|word| word.parse().unwrap()).collect()
}

fn play(all: &[Contestant], plan: &Plan) -> Vec<Tally> {
    compare::play_all(all, plan).unwrap()
}

fn compared(words: &[&str], plan: &Plan) -> Comparison {
    let all = load(words);
    compare::compare(&all, &play(&all, plan), plan, &[], Pairs::WithFirst)
}

fn text(c: &Comparison) -> String {
    serde_json::to_string(c).unwrap()
}

#[test]
fn shards_are_the_whole_byte_for_byte() {
    let words = ["knights-and-pawns", "knights-and-pawns+switch-move"];
    let mut all = load(&words);
    for (one, word) in all.iter_mut().zip(words) {
        one.restrict(&word.parse().unwrap(), &Shipped, None).unwrap();
    }
    assert_eq!(all.iter().map(|one| one.restricted.len()).collect::<Vec<_>>(), [0, 2]);
    let levels = agents(&["flat:10", "level:1"]);
    let strength = vec![levels[1].clone(), levels[0].clone()];
    let rules = Rules { levels, strength, watch: 21, leads: 30, seed: 4, ..Rules::default() };
    let plan = Plan { rules, games: 70, strength_games: 11, level_games: 13, ..Plan::default() };
    let whole = compare::compare(&all, &play(&all, &plan), &plan, &[], Pairs::WithFirst);

    let names: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let shard = |number: u64, of: u64| {
        let plan = Plan { shard: Shard { number, of }, ..plan.clone() };
        let part = Part::new(&names, &all, &plan, &[], Pairs::WithFirst, None, play(&all, &plan));
        Part::read(&part.write()).unwrap()
    };
    let parts: Vec<Part> = (1..=7).map(|number| shard(number, 7)).collect();
    // In another order, and some of them merged before.
    let mut some = parts[2].clone();
    some.merge(&parts[6]).unwrap();
    let mut merged = parts[5].clone();
    for part in [&parts[0], &Part::read(&some.write()).unwrap(), &parts[4], &parts[3]] {
        merged.merge(part).unwrap();
    }
    assert_eq!(merged.missing(), (vec![2], 7));
    merged.merge(&parts[1]).unwrap();
    assert_eq!(merged.missing().0, [0; 0]);
    // What was played again is not counted again.
    assert!(merged.clone().merge(&shard(3, 7)).unwrap_err().contains("shard 3 of 7"));
    assert!(merged.clone().merge(&shard(3, 8)).unwrap_err().contains("number of shards is 8"));
    assert_eq!(text(&merged.finish(&all).unwrap()), text(&whole));

    let line = parts[0].write();
    assert!(line.len() < 400_000, "{}", line.len());
    assert!(Part::read(&line.replacen('7', "8", 1)).unwrap_err().contains("damaged"));
    assert!(Part::read("{}").unwrap_err().contains("no part"));
    // Numbers that no run writes are refused before work is done for them, whoever sealed them.
    let sealed = |text: &str| Seal::default().seal(text);
    let json = Seal::default().open(line.trim_end()).unwrap();
    let watched = json.find("\"watched\":").unwrap();
    let digits = json[watched + 10..].find(|c: char| !c.is_ascii_digit()).unwrap() + watched + 10;
    let huge = format!("{}{}{}", &json[..watched + 10], "9".repeat(15), &json[digits..]);
    for hostile in [huge, json.replacen("\"of\":7", "\"of\":9000000000000000", 1)] {
        assert_ne!(hostile, json);
        let error = Part::read(&sealed(&hostile)).unwrap_err();
        assert!(error.contains("do not fit together"), "{error}");
    }
    let others = load(&["knights-and-pawns", "knightcap"]);
    assert!(parts[0].clone().finish(&others).unwrap_err().contains("has changed"));
}

#[test]
fn numbers_that_no_run_counts_do_no_harm() {
    let all = load(&["tic-tac-toe"]);
    let plan = Plan { rules: Rules { looks: false, ..Rules::default() }, games: 12, ..Plan::default() };
    let names = ["tic-tac-toe".to_owned()];
    let part = Part::new(&names, &all, &plan, &[], Pairs::WithFirst, None, play(&all, &plan));
    let json = Seal::default().open(part.write().trim_end()).unwrap();
    let from = json.find("\"tallies\"").unwrap();
    let digit = |at: usize| json.as_bytes()[at].is_ascii_digit();
    let starts: Vec<usize> = (from..json.len()).filter(|at| digit(*at) && !digit(at - 1)).collect();
    let (mut refused, mut told) = (0, 0);
    for (i, start) in starts.iter().enumerate() {
        let end = (*start..).find(|at| !digit(*at)).unwrap();
        for number in [u64::MAX, 1 << 60, 1 << 45].into_iter().skip(i % 3).take(1) {
            let hostile = format!("{}{number}{}", &json[..*start], &json[end..]);
            match Part::read(&Seal::default().seal(&hostile)) {
                Err(_) => refused += 1,
                // Sums that overflowed would panic here.
                Ok(part) => {
                    text(&part.finish(&all).unwrap());
                    told += 1;
                }
            }
        }
    }
    assert!(refused > 50 && told > 50, "{refused} {told}");
}

#[test]
fn games_are_the_same_watched_or_not() {
    for word in ["knight-fight", "chess", "tic-tac-toe", "hex:size=4+pie-rule"] {
        let of = |watch: u64| {
            let rules = Rules { watch, looks: false, ..Rules::default() };
            compared(&[word], &Plan { rules, games: 60, ..Plan::default() }).variants.remove(0)
        };
        let (watched, plain) = (of(60), of(0));
        assert_eq!((watched.watched, plain.watched), (60, 0));
        assert_eq!(watched.outcomes, plain.outcomes, "{word}");
        assert_eq!(watched.lengths, plain.lengths, "{word}");
        assert_eq!(watched.margins, plain.margins, "{word}");
        for (key, estimate) in &plain.estimates {
            assert_eq!(watched.estimates.get(key), Some(estimate), "{word}: {key}");
        }
        assert!(plain.estimates.contains_key("first-points") && !plain.estimates.contains_key("branching"));
    }
}

#[test]
fn a_game_taken_from_a_file_counts_as_if_played() {
    let all = load(&["knightcap"]);
    let rules = Rules { levels: agents(&["flat:5"]), watch: 5, ..Rules::default() };
    let plan = Plan { rules, games: 12, level_games: 4, ..Plan::default() };
    let mut archive = Archive::default();
    let mut lines = archive.admit(&all, &plan.rules).unwrap();
    let (mut keeper, mut fresh) = (archive.keeper(), Vec::new());
    let mut take = |game: &GameRecord, new: bool| -> Result<(), ()> {
        assert!(new);
        lines.push(keeper.line(game));
        fresh.push(game.clone());
        Ok(())
    };
    let first = run::play(&all[0], &plan, &mut archive, Taker::Games(&mut take)).unwrap();
    assert_eq!(lines.len(), 2 + 16);
    let short = lines.iter().filter(|line| line.len() < 140).count();
    assert!(short >= 7, "games that are not watched are kept shortly: {lines:?}");
    let mut archive = Archive::default();
    lines.iter().for_each(|line| archive.read(line, &plan.rules).unwrap());
    let mut kept = Vec::new();
    let mut take = |game: &GameRecord, new: bool| -> Result<(), ()> {
        assert!(!new);
        kept.push(game.clone());
        Ok(())
    };
    let again = run::play(&all[0], &plan, &mut archive, Taker::Games(&mut take)).unwrap();
    assert_eq!(kept, fresh, "a game that was kept is the game that was played");
    let told = |tally| text(&compare::compare(&all, &[tally], &plan, &[], Pairs::WithFirst));
    assert_eq!(told(first), told(again));
}

/// Of random tic-tac-toe white, who begins, wins 0.585 and black 0.288 of the games by a line, and the rest fills the
/// board: counted over all games.
#[test]
fn ends_are_told_as_often_as_they_happen() {
    let plan = Plan {
        rules: Rules { looks: false, watch: 3000, ..Rules::default() },
        games: 3000,
        ..Plan::default()
    };
    let v = compared(&["tic-tac-toe"], &plan).variants.remove(0);
    let ends: BTreeMap<&str, &Estimate> = v.ends.iter().map(|end| (end.end.as_str(), &end.share)).collect();
    assert_eq!(v.ends.iter().map(|end| end.games).sum::<u64>(), 3000);
    let share = ends["end.three"];
    assert!(share.low < 0.8730 && 0.8730 < share.high, "{ends:?}");
    let full = v.ends.iter().find(|end| end.end != "end.three").unwrap();
    assert_eq!((full.length.value, v.ends.len()), (9.0, 2));
}

/// Whoever plays second wins hex 3 with the pie rule: takes a first stone that wins, and leaves one that does not. It
/// is the person who wins, whatever colour that is in the end.
#[test]
fn the_first_player_is_a_person() {
    let rules = Rules { agents: agents(&["alphabeta:20k"]), looks: false, ..Rules::default() };
    let v =
        compared(&["hex:size=3+pie-rule"], &Plan { rules, games: 12, ..Plan::default() }).variants.remove(0);
    assert_eq!(v.estimates["first-points"].value, 0.0);
    assert_eq!(v.estimates["first-wins"].value, 0.0);
    assert_eq!(v.first, None);
    assert!(v.decisions.iter().any(|d| d.decision == "swap" && d.used > 0), "{:?}", v.decisions);
}

#[test]
fn the_strongest_play_leads_the_verdict() {
    // A board of one stone less or more is another game; both are over at once for who thinks.
    let rules = Rules { levels: agents(&["random", "alphabeta:300"]), watch: 20, ..Rules::default() };
    let plan = Plan { rules, games: 100, level_games: 120, ..Plan::default() };
    let c = compared(&["hex:size=3~pie-rule", "hex:size=3+pie-rule"], &plan);
    assert!(c.verdict[0].starts_with("In play by alphabeta:300 "), "{:?}", c.verdict);
    let keys: Vec<&str> = c.metrics.iter().map(|m| m.key.as_str()).collect();
    assert!(keys.contains(&"first-points@random") && keys.contains(&"length@alphabeta:300"), "{keys:?}");
    let levels = &c.variants[0].levels;
    assert_eq!(levels.iter().map(|level| level.games).collect::<Vec<_>>(), [120, 120]);
    assert_eq!(levels[1].ends.iter().map(|end| end.games).sum::<u64>(), 120);
}
